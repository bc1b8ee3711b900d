#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One 128 x 256 x 512 product in every input format of the matrix engine, with its error and time.

Both operands are rounded to the format here, and `trench run` multiplies what is left of them, each
format by the words that a compiler emits for it (docs/hardware/pe-array.md 7.1). The error is that
against the product of the unrounded operands in double precision: the largest, as a part of the
largest result. The time is that of the command with REPEAT products in its program less that of the
command with one, so that starting it and moving the arrays does not count.

usage: run_matmul.py [--trench PROGRAM] [--golden FILE]
--golden leaves the times out and compares the rest with the lines of FILE.
Exit status 1 when an error is larger than the format explains, or a line differs.
"""
import argparse
import os
import subprocess
import sys
import tempfile
import time

import numpy as np

DIRECTORY = os.path.dirname(os.path.abspath(__file__))
ROWS, K, M, N = 128, 256, 128, 512  # K in two words of 128 rows, or in one double row
REPEAT = 400
SIZE = {"fp32": 4, "bf16": 2, "fp8_exp4": 1}
MOVING = 0x2000  # byte of the moving operand in a partition


# ---- operands ------------------------------------------------------------------------------------

def to_bf16(x):
    bits = x.view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def fp8_values():
    """The finite codes of e4m3fn and their values (numerics.md 2)."""
    codes = np.array([c for c in range(256) if c & 0x7F != 0x7F], np.uint8)
    e, m = (codes >> 3 & 15).astype(int), (codes & 7).astype(float)
    value = np.where(e > 0, (1 + m / 8) * 2.0 ** (e - 7), m / 8 * 2.0**-6)
    value = np.where(codes & 0x80, -value, value)
    order = np.argsort(value, kind="stable")
    return codes[order], value[order]


def to_fp8(x):
    """Nearest code; ties do not happen for values drawn at random."""
    codes, values = fp8_values()
    middle = (values[1:] + values[:-1]) / 2
    return codes[np.searchsorted(middle, x)]


NARROW = {"fp32": lambda x: x, "bf16": to_bf16, "fp8_exp4": to_fp8}


# ---- programs ------------------------------------------------------------------------------------

def weights(dtype, half, mode, double):
    """Read backwards, as the first element goes to the last column."""
    size, first = SIZE[dtype], half * M
    if double:
        shape = f"sbuf[p0,{(M - 1) * size:#x}]:(128,2)/(-1,{M})"
    else:
        shape = f"sbuf[p0,{(first + M - 1) * size:#x}]:(128)/(-1)"
    return f"ldweights src={shape} {words(dtype, mode, double)}"


def words(dtype, mode, double):
    extra = f" fp32_mode={mode}" if mode else ""
    extra += " perf_opt=double_row" if double else ""
    return f"in={dtype}{extra} num_active_rows=128 num_active_cols=128 row_grp=all col_grp=all"


def product(dtype, half, mode, flags, double):
    at = MOVING + (0 if double else half * N * SIZE[dtype])
    shape = f"({N},2)" if double else f"({N})"
    return (f"matmul dst=psum[p0,0x0]:({N}) src=sbuf[p0,{at:#x}]:{shape} {words(dtype, mode, double)} "
            f"psum_accumulate_flags={flags}")


def program(dtype, passes, double):
    """The words of one product: (weights mode, moving mode) for each pass and half of K."""
    steps = [(half, p) for half in range(1 if double else 2) for p in passes]
    lines = []
    for i, (half, (stationary, moving)) in enumerate(steps):
        first, last = i == 0, i == len(steps) - 1
        flags = "single" if first and last else "multi_start" if first else \
            "multi_end" if last else "multi_mid"
        lines += [weights(dtype, half, stationary, double), product(dtype, half, moving, flags, double)]
    return lines


FORMATS = (  # name, type, passes, double row, largest error that the format explains
    ("FP32, four passes", "fp32", (("high", "low_high"), ("low", "low_high")), False, 2e-6),
    ("FP32 as TF32, one", "fp32", (("high", "high"),), False, 1e-3),
    ("BF16", "bf16", (("", ""),), False, 8e-3),
    ("FP8 E4M3", "fp8_exp4", (("", ""),), False, 8e-2),
    ("FP8 E4M3, double row", "fp8_exp4", (("", ""),), True, 8e-2),
)


# ---- running -------------------------------------------------------------------------------------

def run(trench, lines, repeat, arrays, dtype, directory):
    text = os.path.join(directory, "p.tasm")
    with open(text, "w", encoding="ascii") as file:
        file.write("\n".join([".gen mariana", ".engine pe"] + lines * repeat + ["halt"]) + "\n")
    command = [trench, "run", text, "--gen", "mariana"]
    for at, array in zip((0, MOVING), arrays):
        npy = os.path.join(directory, f"{at}.npy")
        np.save(npy, array)
        command += ["--load", f"sbuf:{at:#x}:{dtype}={npy}"]
    out = os.path.join(directory, "y.npy")
    command += ["--dump", f"psum:0:fp32:{M}x{N}={out}"]
    start = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    seconds = time.perf_counter() - start
    if done.returncode:
        sys.exit(done.stderr.decode())
    return np.load(out), seconds


def halves(x):
    """K on partitions in two halves, one behind the other: (128, 2 * columns)."""
    return np.concatenate([x[:ROWS], x[ROWS:]], axis=1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--trench", default=os.path.join(DIRECTORY, "../../build/release/trench"))
    parser.add_argument("--golden")
    options = parser.parse_args()
    rng = np.random.default_rng(3)
    w, x = (rng.standard_normal((K, n)).astype(np.float32) for n in (M, N))
    exact = w.astype(np.float64).T @ x.astype(np.float64)
    bad, printed = False, []
    print(f"{K} x {M} x {N} on mariana         words   error" + ("" if options.golden else "     time"))
    with tempfile.TemporaryDirectory() as directory:
        for name, dtype, passes, double, allowed in FORMATS:
            lines = program(dtype, passes, double)
            arrays = [halves(NARROW[dtype](a)) for a in (w, x)]
            got, once = run(options.trench, lines, 1, arrays, dtype, directory)
            error = np.abs(got - exact).max() / np.abs(exact).max()
            bad |= not error <= allowed
            line = f"{name:29} {len(lines):5}   {error:.1e}"
            if not options.golden:
                again, many = run(options.trench, lines, REPEAT, arrays, dtype, directory)
                assert np.array_equal(got, again)
                line += f" {(many - once) / (REPEAT - 1) * 1e6:6.0f} us"
            print(line)
            printed.append(line)
    if options.golden:
        with open(options.golden, encoding="ascii") as file:
            bad |= printed != file.read().splitlines()
    return int(bad)


if __name__ == "__main__":
    sys.exit(main())
