#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""CPTC blocks of one million elements decoded and encoded, beside NumPy: unpackbits and a table for
the decoder, rint and packbits for the encoder, each written for whole arrays.

usage: bench_cptc.py LIBTRENCH.so

One core; ours and the peer take turns, the median of five rounds each; the results are compared
before anything is timed.
"""
import ctypes
import os
import statistics
import sys
import time

import numpy as np

ROUNDS, BLOCK, BLOCKS = 5, 128, 8192
SCALE, BIAS = 0x3E80, 0x3F80  # 0.25 and 1


class Format(ctypes.Structure):
    _fields_ = [("codec", ctypes.c_int), ("bits", ctypes.c_uint8), ("block_size", ctypes.c_uint8),
                ("constant", ctypes.c_uint16 * 2)]


def order():
    """Packed place of each element of a block: a run is 64 codes (cptc.md 7.2)."""
    run = (np.arange(64) & 3) * 16 + (np.arange(64) >> 2)
    return np.concatenate([run, run + 64])


def numbers(n):
    c = np.arange(1 << n)
    return 2 * c - 1 if n == 1 else np.where((n >= 4) & (c >> (n - 1) > 0), c - (1 << n), c)


def numpy_decode(n, raw, table, places):
    planes = np.unpackbits(raw.reshape(BLOCKS, n, BLOCK // 8), axis=2, bitorder="little")
    codes = planes[:, 0].copy()
    for p in range(1, n):
        codes |= planes[:, p] << p
    return table[codes[:, places]]


def numpy_encode(n, x, back, low, high):
    s = np.rint((x - np.float32(1)) / np.float32(0.25))
    if n == 1:
        s = (s + 1) / 2
    codes = np.clip(s, low, high).astype(np.int8).view(np.uint8)[:, back]
    planes = (codes[:, None] >> np.arange(n, dtype=np.uint8)[:, None]) & 1
    return np.packbits(planes, axis=2, bitorder="little")


def timed(function):
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def line(name, ours, peer, target):
    a, b = [], []
    for _ in range(ROUNDS):
        a.append(timed(ours))
        b.append(timed(peer))
    a, b = statistics.median(a), statistics.median(b)
    rate = BLOCKS * BLOCK / a / 1e6
    print(f"{name:22} {a * 1e3:7.2f} ms ({rate:6.0f} M elements/s)   NumPy {b * 1e3:7.2f} ms   "
          f"{b / a:6.2f} x (wanted {target})")


def main():
    lib = ctypes.CDLL(os.path.abspath(sys.argv[1]))
    for call in (lib.trn_cptc_decode, lib.trn_cptc_encode):
        call.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p,
                         ctypes.c_void_p]
    os.sched_setaffinity(0, [0])
    rng, places = np.random.default_rng(1), order()
    back = np.argsort(places)
    for n in (1, 2, 3, 4, 6, 7):
        fmt = Format(0, n, BLOCK, (SCALE, BIAS))
        raw = rng.integers(0, 256, BLOCKS * n * BLOCK // 8, np.uint8)
        table = (numbers(n).astype(np.float32) * np.float32(0.25) + np.float32(1))
        out = np.empty((BLOCKS, BLOCK), np.float32)
        packed = np.empty_like(raw)

        def decode():
            assert lib.trn_cptc_decode(ctypes.byref(fmt), raw.ctypes.data, BLOCKS, out.ctypes.data,
                                       None) == 0

        def encode():
            assert lib.trn_cptc_encode(ctypes.byref(fmt), out.ctypes.data, BLOCKS,
                                       packed.ctypes.data, None) == 0

        decode()
        encode()
        low = 0 if n < 4 else -(1 << (n - 1))
        high = low + (1 << n) - 1
        if not np.array_equal(out, numpy_decode(n, raw, table, places)) or \
                not np.array_equal(packed, raw) or \
                not np.array_equal(numpy_encode(n, out, back, low, high).reshape(-1), raw):
            sys.exit(f"{n} bits: results differ")
        line(f"decode, {n} bits", decode, lambda: numpy_decode(n, raw, table, places), 1.5)
        line(f"encode, {n} bits", encode, lambda: numpy_encode(n, out, back, low, high), 1.0)


if __name__ == "__main__":
    main()
