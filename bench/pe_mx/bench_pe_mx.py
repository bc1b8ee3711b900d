#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Block-scaled PE tiles through fetch and dispatch beside OpenBLAS's float32 product.

usage: bench_pe_mx.py RUN_BENCH.so

A tile is LDWEIGHTS_MX of 128 rows and 128 columns and MATMUL_MX of 512 moving containers into PSUM:
four values a cell, so 512 values are contracted, and the peer multiplies 128x512 by 512x512. The
operands are what QUANTIZE_MX makes of normally distributed values (docs/hardware/numerics.md 7);
sums follow pe-array.md 7.2. One core; ours and the peer take turns, the median of five rounds each;
the sums are compared with the definition before anything is timed.
"""
import os
import statistics
import struct
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../pe"), os.path.join(HERE, "../../tests/engine")]
import bench_pe  # noqa: E402
from bench_pe import DVE, HALT, PE, ROUNDS, copy_from_psum, load, openblas, pattern, run  # noqa: E402
from pe_mx import FP4, FP8_EXP4, FP8_EXP5, column_sums, pack, quantize, values_of  # noqa: E402
import vector_formats as fmt  # noqa: E402

MARIANA, ROWS, COLS, N, TILES = 2, 128, 128, 512, 64
WEIGHTS, W_SCALES, MOVING, X_SCALES = 0x0, 0x800, 0x1000, 0x2000
MODE = fmt.Mode(True, True)


def descriptor(data, scales, count):
    return struct.pack("<IIHbB4x", data, scales, 4 * count, 1, 0)


def tile_words(w_type, x_type):
    lw, mm = bytearray(64), bytearray(64)
    lw[0:2], mm[0:2] = (0x09, 0x10), (0x0A, 0x10)
    lw[16:32] = descriptor(WEIGHTS, W_SCALES, COLS)
    mm[16:32] = descriptor(MOVING, X_SCALES, N)
    lw[32], mm[32] = w_type, x_type
    for word in (lw, mm):
        word[38:40], word[44:46] = (ROWS, COLS), (0xF, 0xF)
    mm[43] = 3
    mm[48:64] = pattern(bench_pe.PSUM, N)
    return bytes(lw + mm)


def operand(rng, dtype, count):
    """Codes and scales of normal values, groups of 8 partitions and 4 values."""
    values = rng.standard_normal((ROWS, count, 4)).astype(np.float32)
    if dtype == FP4:  # no instruction makes them: scaled to the range of the format
        return rng.integers(0, 16, values.shape, np.uint8), np.full((ROWS // 8, count), 125, np.uint8)
    parts = [quantize(values[8 * g:8 * g + 8], dtype, MODE) for g in range(ROWS // 8)]
    return np.concatenate([p[0] for p in parts]), np.stack([p[1] for p in parts])


def put(lib, dtype, codes, scales, data, scale):
    packed = pack(dtype, codes)
    for lane in range(ROWS):
        row = np.ascontiguousarray(packed[lane])
        lib.bench_sbuf(lane, data, row.ctypes.data, row.nbytes, 1)
    for g in range(ROWS // 8):
        row = np.ascontiguousarray(scales[g])
        lib.bench_sbuf(g // 4 * 32 + g % 4, scale, row.ctypes.data, row.nbytes, 1)


def check(lib, words, w, x):
    run(lib, PE, words + HALT)
    run(lib, DVE, copy_from_psum() + HALT)
    got = np.zeros((COLS, N), np.float32)
    for lane in range(COLS):
        lib.bench_sbuf(lane, bench_pe.RESULT, got[lane].ctypes.data, got[lane].nbytes, 0)
    (wv, ws), (xv, xs) = w, x
    want = column_sums(wv[:, ::-1], np.repeat(ws, 8, 0)[:, ::-1], xv, np.repeat(xs, 8, 0))
    if not np.array_equal(got.view(np.uint32), want.view(np.uint32)):
        sys.exit("the words compute something else than the definition")


def measure(lib, rng, w_type, x_type, name):
    if not lib.bench_open(MARIANA, 1):
        sys.exit("cannot make a core")
    operands = []
    for dtype, count, data, scale in ((w_type, COLS, WEIGHTS, W_SCALES), (x_type, N, MOVING, X_SCALES)):
        codes, scales = operand(rng, dtype, count)
        put(lib, dtype, codes, scales, data, scale)
        operands.append((values_of(dtype, codes, MODE), scales))
    words = tile_words(w_type, x_type)
    check(lib, words, *operands)
    a = rng.standard_normal((COLS, 4 * ROWS)).astype(np.float32)
    b, out = rng.standard_normal((4 * ROWS, N)).astype(np.float32), np.empty((COLS, N), np.float32)
    bench_pe.TILES = TILES
    ours, theirs = [], []
    for _ in range(ROUNDS):
        ours.append(run(lib, PE, words * TILES + HALT) / TILES)
        theirs.append(bench_pe.peer_seconds(a, b, out))
    lib.bench_close()
    mine, peer = statistics.median(ours), statistics.median(theirs)
    print(f"LDWEIGHTS_MX + MATMUL_MX {ROWS}x{COLS}x{N} {name}: {mine * 1e6:.1f} us "
          f"({4 * ROWS * COLS * N / mine / 1e9:.1f} GFMA/s), OpenBLAS sgemm 512x128x512 "
          f"{peer * 1e6:.1f} us: {peer / mine:.2f} x (wanted 0.5)")


def main():
    os.sched_setaffinity(0, [max(os.sched_getaffinity(0))])
    lib = load(os.path.abspath(sys.argv[1]))
    rng = np.random.default_rng(1)
    print(f"NumPy {np.__version__}, {openblas()}")
    measure(lib, rng, FP8_EXP4, FP8_EXP4, "e4m3")
    measure(lib, rng, FP8_EXP5, FP8_EXP5, "e5m2")
    measure(lib, rng, FP4, FP4, "fp4")
    measure(lib, rng, FP4, FP8_EXP4, "fp4 by e4m3")


if __name__ == "__main__":
    main()
