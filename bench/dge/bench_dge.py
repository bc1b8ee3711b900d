#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A transpose by DMA words beside NumPy's transposed copy.

usage: bench_dge.py DGE_BENCH.so

A 128x4096 matrix of 16-bit elements; 32 words of 128 columns each write it to SBUF, NumPy copies
its transposed view into an array that it has written before. Both take turns, the median of five
rounds each; the results are compared before anything is timed.
"""
import ctypes
import statistics
import sys
import time

import numpy as np

ROUNDS, REPEATS, LINES, COLUMNS = 5, 20, 128, 4096
WANTED = 3.0


def load(path):
    lib = ctypes.CDLL(path)
    lib.bench_open.argtypes, lib.bench_open.restype = [], ctypes.c_void_p
    lib.bench_transpose_by_words.argtypes = [ctypes.c_void_p]
    lib.bench_transpose_by_words.restype = ctypes.c_double
    for call in (lib.bench_close, lib.bench_matrix, lib.bench_transposed):
        call.restype = None
    lib.bench_close.argtypes = [ctypes.c_void_p]
    lib.bench_matrix.argtypes = lib.bench_transposed.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    return lib


def by_words(lib, bench):
    took = [lib.bench_transpose_by_words(bench) for _ in range(REPEATS)]
    if min(took) < 0:
        sys.exit("a word failed")
    return sum(took) / REPEATS


def by_numpy(out, view):
    start = time.process_time()
    for _ in range(REPEATS):
        np.copyto(out, view)
    return (time.process_time() - start) / REPEATS


def main():
    lib = load(sys.argv[1])
    bench = lib.bench_open()
    if not bench:
        sys.exit("out of memory")
    matrix = np.zeros((LINES, COLUMNS), np.uint16)
    out, ours = np.zeros((COLUMNS, LINES), np.uint16), np.zeros((COLUMNS, LINES), np.uint16)
    lib.bench_matrix(bench, matrix.ctypes.data)
    by_words(lib, bench)
    by_numpy(out, matrix.T)
    lib.bench_transposed(bench, ours.ctypes.data)
    if not np.array_equal(ours, out):
        sys.exit("transpose: words and NumPy differ")
    words, peer = [], []
    for _ in range(ROUNDS):
        words.append(by_words(lib, bench))
        peer.append(by_numpy(out, matrix.T))
    lib.bench_close(bench)
    ours, theirs = statistics.median(words), statistics.median(peer)
    print(f"transpose 128x4096 16-bit: words {ours * 1e6:.0f} us, "
          f"NumPy {np.__version__} {theirs * 1e6:.0f} us, ratio {theirs / ours:.1f}")
    holds = theirs / ours >= WANTED
    print(f"{'holds' if holds else 'FAILS'}: the transpose at {WANTED:.1f} times NumPy or better")
    sys.exit(not holds)


if __name__ == "__main__":
    main()
