#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Casts, operators and reductions of src/num beside memcpy and NumPy.

Usage: bench_num.py NUM_BENCH.so

One core, CPU time of the thread. Five rounds; in each, ours and the peer take turns in short runs
and the best of each counts; the median over the rounds is printed. A peer computes
the same bytes as ours does (checked before it is timed); NumPy has no bf16 and no FP8, so their
peers are vectorised NumPy integer arithmetic, written out below.
"""
import ctypes
import os
import platform
import statistics
import sys
import time

import numpy as np

ROUNDS, TURNS = 5, 5
FP32, BF16, FP16, E4M3, INT8, INT32 = 0xA, 0x6, 0x7, 0xE, 0x2, 0x8
ADD, MULT, MAX, IS_GT = 0x4, 0x6, 0x8, 0x13


def load(path):
    lib = ctypes.CDLL(path)
    p, z, i, f = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_float
    lib.bench_compiler.restype = ctypes.c_char_p
    for name, arguments in {
            "memcpy": [p, p, z, z], "narrow": [i, i, p, p, z, z], "widen": [i, i, p, p, z, z],
            "ts": [i, f, i, f, p, p, z, z, z], "tt": [i, p, p, p, z, z],
            "reduce": [i, p, p, z, z, z]}.items():
        function = getattr(lib, f"bench_{name}")
        function.argtypes, function.restype = arguments, ctypes.c_double
    return lib


def cpu_model():
    try:
        with open("/proc/cpuinfo") as info:
            return next(line.split(":", 1)[1].strip() for line in info if "model name" in line)
    except (OSError, StopIteration):
        return platform.processor()


def at(array):
    return array.ctypes.data


def aligned(array):
    """A copy on a cache line, where the model's memory and its rows begin too."""
    raw = np.empty(array.nbytes + 64, np.uint8)
    start = -raw.ctypes.data % 64
    out = raw[start:start + array.nbytes].view(array.dtype).reshape(array.shape)
    out[...] = array
    return out


def timed(run, repeats):
    start = time.thread_time()
    for _ in range(repeats):
        run()
    return (time.thread_time() - start) / repeats


# ---- peers --------------------------------------------------------------------------------------

def bf16(x):
    u = x.view(np.uint32)
    r = ((u + np.uint32(0x7FFF) + ((u >> np.uint32(16)) & np.uint32(1))) >> np.uint32(16)
         ).astype(np.uint16)
    r[np.isnan(x)] = 0x7FC0
    return r


def fp8_e4m3(x, fn):
    """Round at 3 mantissa bits or the subnormal step 2^-9, then build the code from the value."""
    a = np.abs(x)
    _, e = np.frexp(a)
    e = np.maximum(e - 1, -6)
    steps = np.rint(np.ldexp(a, 3 - e)).astype(np.int32)
    code = ((e + 6) << 3) + steps
    code[a == np.inf] = 1 << 20
    if fn:
        code = np.where(code > 0x7E, 0x7E, code)
    else:
        code = np.where(code > 0x77, 0x78, code)
    code = code | np.where(np.signbit(x), 0x80, 0)
    code[np.isnan(x)] = 0x7F if fn else 0x7C
    return code.astype(np.uint8)


def integer(x, dtype):
    """numerics.md 4.1: to nearest even, then clamp."""
    limits = np.iinfo(dtype)
    y = np.rint(x)
    if dtype == np.int8:
        return np.clip(y, limits.min, limits.max).astype(dtype)
    r = np.clip(y, -2.0 ** 31, 2147483520).astype(dtype)
    r[y >= 2.0 ** 31] = limits.max
    return r


# ---- tables -------------------------------------------------------------------------------------

class Bench:
    def __init__(self, lib):
        self.lib = lib

    def row(self, name, ours, peer, bytes_moved=0, want=None):
        """ours and peer return seconds for one run."""
        ours(), peer()
        rounds = [[(ours(), peer()) for _ in range(TURNS)] for _ in range(ROUNDS)]
        a, b = (statistics.median(min(turn[side] for turn in turns) for turns in rounds)
                for side in (0, 1))
        rate = f"{bytes_moved / a / 1e9:7.1f} GB/s" if bytes_moved else " " * 12
        goal = f"(goal {want})" if want else ""
        print(f"  {name:<44} {a * 1e6:9.2f} us {b * 1e6:9.2f} us  x{b / a:6.2f} {rate} {goal}")


def same(name, ours, peer):
    if ours.tobytes() != peer.tobytes():
        sys.exit(f"bench_num: {name}: the peer computes something else")


def copies(bench):
    lib = bench.lib
    print("bf16 <-> fp32 beside memcpy of as many bytes (read + written)")
    for label, n, repeats in (("128x512", 128 * 512, 200), ("64 MiB of fp32", 1 << 24, 1)):
        wide = aligned(np.random.default_rng(1).standard_normal(n, dtype=np.float32))
        half = aligned(bf16(wide))
        out16, out32 = aligned(np.zeros(n, np.uint16)), aligned(np.zeros(n, np.float32))
        source, sink = (aligned(np.zeros(3 * n, np.uint8)) for _ in range(2))
        bench.row(f"fp32 -> bf16, {label}",
                  lambda: lib.bench_narrow(BF16, 0, at(wide), at(out16), n, repeats),
                  lambda: lib.bench_memcpy(at(source), at(sink), 3 * n, repeats), 6 * n, ">= 0.5")
        bench.row(f"bf16 -> fp32, {label}",
                  lambda: lib.bench_widen(BF16, 0, at(half), at(out32), n, repeats),
                  lambda: lib.bench_memcpy(at(source), at(sink), 3 * n, repeats), 6 * n, ">= 0.5")


def casts(bench):
    lib, n = bench.lib, 128 * 512
    print("CAST from fp32, 128x512, beside NumPy doing the same conversion")
    # values of which most fit every target, as a cast of real tensors has
    x = aligned((np.random.default_rng(2).standard_normal(n) * 60).astype(np.float32))
    out = aligned(np.zeros(n, np.uint32))
    for name, dtype, fn, kind, peer in (
            ("BF16", BF16, 0, np.uint16, lambda: bf16(x)),
            ("FP16", FP16, 0, np.float16, lambda: x.astype(np.float16)),
            ("FP8_EXP4 legacy", E4M3, 0, np.uint8, lambda: fp8_e4m3(x, False)),
            ("FP8_EXP4 fn", E4M3, 1, np.uint8, lambda: fp8_e4m3(x, True)),
            ("INT8 (rint, clip, astype)", INT8, 0, np.int8, lambda: integer(x, np.int8)),
            ("INT32 (rint, clip, astype)", INT32, 0, np.int32, lambda: integer(x, np.int32))):
        lib.bench_narrow(dtype, fn, at(x), at(out), n, 1)
        same(name, out.view(kind)[:n], peer())
        bench.row(name, lambda: lib.bench_narrow(dtype, fn, at(x), at(out), n, 100),
                  lambda: timed(peer, 5), n * (4 + np.dtype(kind).itemsize), ">= 5")
    print("  for reference, NumPy's bare astype, which truncates and wraps:")
    for name, dtype, kind in (("INT8 astype", INT8, np.int8), ("INT32 astype", INT32, np.int32)):
        bench.row(name, lambda: lib.bench_narrow(dtype, 0, at(x), at(out), n, 100),
                  lambda: timed(lambda: x.astype(kind), 50))


def operators(bench):
    lib, rows, n = bench.lib, 128, 512
    print("fp32 operators, 128x512, beside NumPy with out=")
    rng = np.random.default_rng(3)
    x, y = (aligned(rng.standard_normal((rows, n), dtype=np.float32)) for _ in range(2))
    out, t, r = (aligned(np.zeros_like(x)) for _ in range(3))

    def multiply_maximum():
        np.multiply(x, np.float32(1.5), out=t)
        np.maximum(t, np.float32(0.25), out=r)

    lib.bench_ts(MULT, 1.5, MAX, 0.25, at(x), at(out), rows, n, 1)
    multiply_maximum()
    same("MULT, MAX", out, r)
    bench.row("TENSOR_SCALAR rows MULT, MAX",
              lambda: lib.bench_ts(MULT, 1.5, MAX, 0.25, at(x), at(out), rows, n, 100),
              lambda: timed(multiply_maximum, 50), 8 * rows * n, ">= 2.5 as a word")
    for name, op, peer in (("ADD", ADD, np.add), ("MULT", MULT, np.multiply)):
        bench.row(f"TENSOR_TENSOR {name}",
                  lambda: lib.bench_tt(op, at(x), at(y), at(out), rows * n, 100),
                  lambda: timed(lambda: peer(x, y, out=r), 50), 12 * rows * n)
    bench.row("TENSOR_TENSOR MAX",
              lambda: lib.bench_tt(MAX, at(x), at(y), at(out), rows * n, 100),
              lambda: timed(lambda: np.maximum(x, y, out=r), 50), 12 * rows * n)
    sums = np.zeros(rows, np.float32)
    for name, op, peer in (("add", ADD, np.add), ("max", MAX, np.maximum)):
        bench.row(f"TENSOR_REDUCE {name} of 512, sequential",
                  lambda: lib.bench_reduce(op, at(x), at(sums), rows, n, 100),
                  lambda: timed(lambda: peer.reduce(x, axis=1, out=sums), 50), 4 * rows * n,
                  ">= 0.9")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    os.sched_setaffinity(0, {sorted(os.sched_getaffinity(0))[-1]})
    bench = Bench(load(sys.argv[1]))
    print(f"{cpu_model()}, one core; {bench.lib.bench_compiler().decode()}; "
          f"NumPy {np.__version__}; median of {ROUNDS} interleaved rounds")
    print(f"  {'':<44} {'ours':>12} {'peer':>12}    ratio")
    copies(bench)
    casts(bench)
    operators(bench)


if __name__ == "__main__":
    main()
