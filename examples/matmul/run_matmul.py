#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One 128 x 256 x 512 product in every input format of the matrix engine, with its error and time.

Both operands are rounded to the format here, and `trench run` multiplies what is left of them, each
format by the words that a compiler emits for it (docs/hardware/pe-array.md 7.1, and 10 for MX). The
error is that against the product of the unrounded operands in double precision: the largest, as a part
of the largest result. The time is that of the command with REPEAT products in its program less that of
the command with one, so that starting it and moving the arrays does not count.

Where the rounded operands are known as numbers (BF16, FP8, MX) each result is also held against their
product in double precision: the array may differ from it by its roundings to float32 only, one a row.

usage: run_matmul.py [--trench PROGRAM] [--golden FILE]
--golden leaves the times out and compares the rest with the lines of FILE.
Exit status 1 when an error is larger than the format or the roundings explain, or a line differs.
"""
import argparse
import os
import subprocess
import sys
import tempfile
import time

import numpy as np

DIRECTORY = os.path.dirname(os.path.abspath(__file__))
ROWS, K, M, N = 128, 256, 128, 512  # K in two words of 128 rows, or in one of pairs or MX containers
REPEAT = 400
MOVING = 0x2000  # byte of the moving operand in a partition
SCALE = 0x1800   # from the elements of an MX operand to its scales
MX_ROWS = K // 4  # a container holds four elements of K


# ---- numbers -------------------------------------------------------------------------------------

def fp8_values():
    """The finite codes of e4m3fn and their values (numerics.md 2)."""
    codes = np.array([c for c in range(256) if c & 0x7F != 0x7F], np.uint8)
    e, m = (codes >> 3 & 15).astype(int), (codes & 7).astype(float)
    value = np.where(e > 0, (1 + m / 8) * 2.0 ** (e - 7), m / 8 * 2.0**-6)
    return codes, np.where(codes & 0x80, -value, value)


def fp4_values():
    """The codes of e2m1 and their values (convlut.md 5.2)."""
    value = np.array([0, .5, 1, 1.5, 2, 3, 4, 6])
    return np.arange(16, dtype=np.uint8), np.concatenate([value, -value])


def nearest(x, codes, values):
    """Code and value nearest to x; ties do not happen for values drawn at random."""
    order = np.argsort(values, kind="stable")
    codes, values = codes[order], values[order]
    place = np.searchsorted((values[1:] + values[:-1]) / 2, x)
    return codes[place], values[place]


def block_scales(x, top):
    """Bytes of the factors for K in groups of 8 rows of 4: the largest magnitude of a group becomes
    2^top or more, and less than 2^(top + 1)."""
    largest = np.abs(x.reshape(4, MX_ROWS // 8, 8, -1)).max(axis=(0, 2))
    return (np.floor(np.log2(largest)) - top + 127).astype(np.uint8)


# ---- operands ------------------------------------------------------------------------------------

# An operand in a format: arrays for SBUF with their bytes, and the numbers that they stand for (None
# where the mode of a word splits them).

def halves(x):
    """K on partitions in two halves, one behind the other: (128, 2 * columns)."""
    return np.concatenate([x[:ROWS], x[ROWS:]], axis=1)


def as_fp32(x):
    return [(0, halves(x))], None


def as_bf16(x):
    bits = x.view(np.uint32)
    bits = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16
    return [(0, halves(bits.astype(np.uint16)))], (bits << 16).view(np.float32)


def as_fp8(x):
    codes, values = nearest(x, *fp8_values())
    return [(0, halves(codes))], values


def as_mx(x, format_values, top, bits):
    """Lane q of partition p holds K = p + 64 q; the scales of 32 partitions stand in the first four
    of their quadrant (pe-array.md 10.2, 10.3)."""
    scales = block_scales(x, top)
    factor = np.tile(np.repeat(2.0 ** (scales.astype(int) - 127), 8, axis=0), (4, 1))
    codes, values = nearest(x / factor, *format_values())
    lanes = codes.reshape(4, MX_ROWS, -1).astype(np.uint32)
    packed = sum(lanes[q] << bits * q for q in range(4)).astype(np.uint32 if bits == 8 else np.uint16)
    rows = np.zeros((MX_ROWS, x.shape[1]), np.uint8)
    for group, row in enumerate(scales):
        rows[group // 4 * 32 + group % 4] = row
    return [(0, packed), (SCALE, rows)], values * factor


def as_mxfp8(x):
    return as_mx(x, fp8_values, 7, 8)  # as QUANTIZE_MX: nothing saturates


def as_mxfp4(x):
    return as_mx(x, fp4_values, 2, 4)  # as the OCP formats: 6 to 8 become 6


# ---- programs ------------------------------------------------------------------------------------

ALL = "num_active_rows=128 num_active_cols=128 row_grp=all col_grp=all"
SIZE = {"fp32": 4, "bf16": 2, "fp8_exp4": 1}


def dense(dtype, passes):
    """(weights mode, moving mode) for each pass. Weights are read backwards, as the first element
    goes to the last column."""
    size, steps = SIZE[dtype], [(half, p) for half in range(2) for p in passes]
    lines = []
    for i, (half, modes) in enumerate(steps):
        stationary, moving = (f" fp32_mode={mode}" if mode else "" for mode in modes)
        flags = "multi_start" if i == 0 else "multi_end" if i == len(steps) - 1 else "multi_mid"
        lines += [
            f"ldweights src=sbuf[p0,{(half * M + M - 1) * size:#x}]:({M})/(-1) in={dtype}{stationary} "
            f"{ALL}",
            f"matmul dst=psum[p0,0x0]:({N}) src=sbuf[p0,{MOVING + half * N * size:#x}]:({N}) "
            f"in={dtype}{moving} {ALL} psum_accumulate_flags={flags}"]
    return lines


def double_row():
    words = f"in=fp8_exp4 perf_opt=double_row {ALL}"
    return [f"ldweights src=sbuf[p0,{M - 1:#x}]:({M},2)/(-1,{M}) {words}",
            f"matmul dst=psum[p0,0x0]:({N}) src=sbuf[p0,{MOVING:#x}]:({N},2) {words} "
            f"psum_accumulate_flags=single"]


def block_scaled(dtype, size):
    """Containers of `size` bytes; counts are those of elements, four a container."""
    words = f"in={dtype} num_active_rows={MX_ROWS} num_active_cols={M} row_grp=h0 col_grp=all"
    return [f"ldweights_mx src=sbuf[p0,{(M - 1) * size:#x}]:({4 * M})/(-1)"
            f"+scale(sbuf[p0,{SCALE + M - 1:#x}],0) {words}",
            f"matmul_mx dst=psum[p0,0x0]:({N}) src=sbuf[p0,{MOVING:#x}]:({4 * N})"
            f"+scale(sbuf[p0,{MOVING + SCALE:#x}],0) {words} psum_accumulate_flags=single"]


FORMATS = (  # name, operands, words, largest error that the format explains
    ("FP32, four passes", as_fp32, dense("fp32", (("high", "low_high"), ("low", "low_high"))), 2e-6),
    ("FP32 as TF32, one", as_fp32, dense("fp32", (("high", "high"),)), 1e-3),
    ("BF16", as_bf16, dense("bf16", (("", ""),)), 8e-3),
    ("FP8 E4M3", as_fp8, dense("fp8_exp4", (("", ""),)), 8e-2),
    ("FP8 E4M3, double row", as_fp8, double_row(), 8e-2),
    ("MXFP8 E4M3", as_mxfp8, block_scaled("fp8_exp4", 4), 8e-2),
    ("MXFP4 E2M1", as_mxfp4, block_scaled("fp4_exp2", 2), 3e-1),
)


# ---- running -------------------------------------------------------------------------------------

def run(trench, lines, repeat, arrays, directory):
    text = os.path.join(directory, "p.tasm")
    with open(text, "w", encoding="ascii") as file:
        file.write("\n".join([".gen mariana", ".engine pe"] + lines * repeat + ["halt"]) + "\n")
    command = [trench, "run", text, "--gen", "mariana"]
    for at, array in arrays:
        npy = os.path.join(directory, f"{at}.npy")
        np.save(npy, array)
        command += ["--load", f"sbuf:{at:#x}={npy}"]
    out = os.path.join(directory, "y.npy")
    command += ["--dump", f"psum:0:fp32:{M}x{N}={out}"]
    start = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    seconds = time.perf_counter() - start
    if done.returncode:
        sys.exit(done.stderr.decode())
    return np.load(out), seconds


def within_roundings(got, w, x):
    """Dequantise and multiply: at most K roundings to float32, of partial sums that the sum of all
    magnitudes bounds."""
    w, x = w.astype(np.float64), x.astype(np.float64)
    return (np.abs(got - w.T @ x) <= K * 2.0**-24 * (np.abs(w).T @ np.abs(x))).all()


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
        for name, operand, lines, allowed in FORMATS:
            (stationary, w_values), (moving, x_values) = operand(w), operand(x)
            arrays = stationary + [(MOVING + at, array) for at, array in moving]
            got, once = run(options.trench, lines, 1, arrays, directory)
            error = np.abs(got - exact).max() / np.abs(exact).max()
            bad |= not error <= allowed
            if w_values is not None:
                bad |= not within_roundings(got, w_values, x_values)
            line = f"{name:29} {len(lines):5}   {error:.1e}"
            if not options.golden:
                again, many = run(options.trench, lines, REPEAT, arrays, directory)
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
