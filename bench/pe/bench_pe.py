#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""PE tiles through fetch and dispatch beside OpenBLAS's float32 product of the same shape.

usage: bench_pe.py RUN_BENCH.so

A tile is LDWEIGHTS 128x128 and MATMUL of 512 moving columns into PSUM, rows summed in order with one
fused rounding a step (docs/hardware/pe-array.md 7.2), operands of BF16 and of FP8. One core; ours and
the peer take turns, the median of five rounds each; the sums are compared with that definition before
anything is timed. Then a BF16 product of 1024x1024x1024 made of tiles, by one thread on each of two
cores and by two threads.
"""
import ctypes
import os
import statistics
import struct
import sys
import time

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tests/engine"))
from pe_oracle import fma, small_float  # noqa: E402

ROUNDS, TILES = 5, 256
K = M = 128
N = 512
PE, DVE, CAYMAN = 0, 3, 1
FP32, BF16, FP16, E4 = 10, 6, 7, 14
BIG = 1024
WEIGHTS, MOVING, RESULT = 0x0, 0x1000, 0x8000
LARGE_MOVING = 0x8000  # after 8 x 1024 weights a partition
PSUM = 0x2000000
HALT = bytes([0xA1, 0x10]) + bytes(62)


# ---- words (docs/hardware/isa-core.md 9.2) -------------------------------------------------------

def pattern(address, num, step=1):
    return struct.pack("<I3h3H", address, step, 1, 1, num, 1, 1)


def ldweights(dtype, size, mode, at=WEIGHTS):
    """Reads backwards, so that memory order is column order; as compilers emit it."""
    word = bytearray(64)
    word[0:2] = 0x01, 0x10
    word[16:32] = pattern(at + (M - 1) * size, M, -1)
    word[32:34] = dtype, mode
    word[38:40] = K, M
    word[44:46] = 0xF, 0xF
    return bytes(word)


def matmul(dtype, mode, flags=3, at=MOVING, to=0):
    word = bytearray(64)
    word[0:2] = 0x02, 0x10
    word[16:32] = pattern(at, N)
    word[32:34] = dtype, mode
    word[38:40] = K, M
    word[43:46] = flags, 0xF, 0xF
    word[48:64] = pattern(PSUM + to, N)
    return bytes(word)


def copy_from_psum():
    """COPY on DVE: 128 x 512 FP32 to where the host reads it back."""
    word = bytearray(64)
    word[0:2] = 0x46, 0x10
    word[12:32] = struct.pack("<I4h4H", PSUM, 1, 1, 1, 1, N, 1, 1, 1)
    word[32:35] = FP32, FP32, 128
    word[44:64] = struct.pack("<I4h4H", RESULT, 1, 1, 1, 1, N, 1, 1, 1)
    return bytes(word)


# ---- our side ------------------------------------------------------------------------------------

def load(path):
    lib = ctypes.CDLL(path)
    lib.bench_open.argtypes = [ctypes.c_int, ctypes.c_uint]
    lib.bench_sbuf.argtypes = [ctypes.c_uint, ctypes.c_uint, ctypes.c_void_p, ctypes.c_size_t,
                               ctypes.c_int]
    lib.bench_program.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_size_t]
    lib.bench_program.restype = ctypes.c_double
    return lib


def run(lib, engine, words):
    seconds = lib.bench_program(engine, words, len(words) // 64)
    if seconds < 0:
        sys.exit("the program did not end well")
    return seconds


def open_core(lib, threads, w, x):
    if not lib.bench_open(CAYMAN, threads):
        sys.exit("cannot make a core")
    for lane in range(128):
        lib.bench_sbuf(lane, WEIGHTS, w[lane].ctypes.data, w[lane].nbytes, 1)
        lib.bench_sbuf(lane, MOVING, x[lane].ctypes.data, x[lane].nbytes, 1)


def check(lib, words, w, x):
    """PSUM after the words against the definition."""
    run(lib, PE, words + HALT)
    run(lib, DVE, copy_from_psum() + HALT)
    got = np.zeros((M, N), np.float32)
    for lane in range(M):
        lib.bench_sbuf(lane, RESULT, got[lane].ctypes.data, got[lane].nbytes, 0)
    want = np.zeros((M, N), np.float32)
    for k in range(K):
        want = fma(w[k][:, None], x[k][None, :], want)
    if not np.array_equal(got.view(np.uint32), want.view(np.uint32)):
        sys.exit("the words compute something else than the definition")


# ---- the peer ------------------------------------------------------------------------------------

def openblas():
    """The library NumPy uses, its version and the kernels it chose."""
    with open("/proc/self/maps", encoding="ascii") as maps:
        paths = {line.split()[-1] for line in maps if "openblas" in line}
    for path in paths:
        lib = ctypes.CDLL(path)
        lib.openblas_get_config.restype = lib.openblas_get_corename.restype = ctypes.c_char_p
        return f"{lib.openblas_get_config().decode()}; kernels {lib.openblas_get_corename().decode()}"
    return "NOT OpenBLAS: the ratio below means nothing"


def peer_seconds(a, b, out):
    start = time.perf_counter()
    for _ in range(TILES):
        np.dot(a, b, out=out)
    return (time.perf_counter() - start) / TILES


# ---- one tile ------------------------------------------------------------------------------------

def bf16_operands(rng):
    bits = [(rng.standard_normal((K, n)).astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
            for n in (M, N)]
    return bits, [(b.astype(np.uint32) << 16).view(np.float32) for b in bits]


def fp8_operands(rng):
    """Codes of E4M3 below 16 in magnitude, where both readings agree."""
    bits = [rng.integers(0, 256, (K, n), dtype=np.uint8) & np.uint8(0xDF) for n in (M, N)]
    return bits, [small_float(b, 4, 3, 7, None) for b in bits]


def tile(lib, name, dtype, operands, rng):
    bits, (w, x) = operands(rng)
    words = ldweights(dtype, bits[0].itemsize, 0) + matmul(dtype, 0)
    a, out = np.ascontiguousarray(w.T), np.empty((M, N), np.float32)
    open_core(lib, 1, *bits)
    check(lib, words, w, x)
    ours, theirs = [], []
    for _ in range(ROUNDS):
        ours.append(run(lib, PE, words * TILES + HALT) / TILES)
        theirs.append(peer_seconds(a, x, out))
    lib.bench_close()
    mine, peer = statistics.median(ours), statistics.median(theirs)
    print(f"LDWEIGHTS + MATMUL {K}x{M}x{N} {name}: {mine * 1e6:.1f} us ({K * M * N / mine / 1e9:.1f} "
          f"GFMA/s), OpenBLAS sgemm {peer * 1e6:.1f} us: {peer / mine:.2f} x (wanted 1.0)")


# ---- a large product ------------------------------------------------------------------------------

def large_words():
    """Row k of both operands lies in partition k % 128; each weight tile meets both halves of N."""
    tiles, words = BIG // 128, []
    for m in range(tiles):
        for k in range(tiles):
            words.append(ldweights(BF16, 2, 0, (k * BIG + m * M) * 2))
            flags = 1 if k == 0 else 2 if k == tiles - 1 else 0
            for n in range(BIG // N):
                at = LARGE_MOVING + (k * BIG + n * N) * 2
                words.append(matmul(BF16, 0, flags, at, n * N * 4))
    return b"".join(words)


def large_operands(rng):
    bits = [(rng.standard_normal((BIG, BIG)).astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
            for _ in range(2)]
    packed = [b.reshape(BIG // 128, 128, BIG).transpose(1, 0, 2).reshape(128, -1).copy() for b in bits]
    return bits, packed


def large_left(bits):
    """What stays in PSUM by the definition: the last 128 rows of the product, their first columns."""
    w, x = ((b.astype(np.uint32) << 16).view(np.float32) for b in bits)
    total = None
    for k in range(0, BIG, 128):
        s = np.zeros((M, N), np.float32)
        for r in range(k, k + 128):
            s = fma(w[r, -M:][:, None], x[r, :N][None, :], s)
        total = s if total is None else total + s
    return total


def large_seconds(lib, words, packed, want, cores):
    """Median of as many threads as `cores`, which have these cores for themselves."""
    os.sched_setaffinity(0, cores)
    lib.bench_open(CAYMAN, len(cores))
    for lane in range(128):
        for at, array in ((0, packed[0]), (LARGE_MOVING, packed[1])):
            lib.bench_sbuf(lane, at, array[lane].ctypes.data, array[lane].nbytes, 1)
    run(lib, PE, words + HALT)
    seconds = statistics.median(run(lib, PE, words + HALT) for _ in range(ROUNDS))
    run(lib, DVE, copy_from_psum() + HALT)
    left = np.zeros((M, N), np.float32)
    for lane in range(M):
        lib.bench_sbuf(lane, RESULT, left[lane].ctypes.data, left[lane].nbytes, 0)
    lib.bench_close()
    if not np.array_equal(left.view(np.uint32), want.view(np.uint32)):
        sys.exit("the large product is something else than the definition")
    return seconds


def large(lib, rng, cores):
    """One thread is timed on each of the two cores: those of a virtual machine differ."""
    cores = sorted(cores)[:2]
    if len(cores) < 2:
        print(f"{BIG}x{BIG}x{BIG} bf16 of tiles: not measured, there is one core only")
        return
    bits, packed = large_operands(rng)
    words, want = large_words(), large_left(bits)
    rounds = [[large_seconds(lib, words, packed, want, c) for c in (cores[:1], cores, cores[1:])]
              for _ in range(ROUNDS)]
    one, two, other = (statistics.median(r[i] for r in rounds) for i in range(3))
    print(f"{BIG}x{BIG}x{BIG} bf16 of tiles: {one * 1e3:.1f} and {other * 1e3:.1f} ms by one thread on "
          f"either core, {two * 1e3:.1f} ms by two: {(one + other) / 2 / two:.2f} x (wanted 1.6)")


def main():
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, [max(cores)])
    lib = load(os.path.abspath(sys.argv[1]))
    rng = np.random.default_rng(1)
    print(f"NumPy {np.__version__}, {openblas()}")
    tile(lib, "bf16", BF16, bf16_operands, rng)
    tile(lib, "fp8", E4, fp8_operands, rng)
    large(lib, rng, cores)


if __name__ == "__main__":
    main()
