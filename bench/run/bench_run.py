#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whole runs: an empty one, control words, and DVE words through fetch and dispatch beside NumPy.

usage: bench_run.py RUN_BENCH.so TRENCH

Pinned cores; ours and the peer take turns, the median of five rounds each; results are compared
before anything is timed.
"""
import ctypes
import os
import resource
import statistics
import struct
import subprocess
import sys
import tempfile
import time

import numpy as np

ROUNDS, LANES, N, WORDS = 5, 128, 512, 4096
DVE, SP, CAYMAN = 3, 4, 1
FP32, MULT, MAX = 10, 6, 8
SRC, DST = 0x0, 0x4000
HALT = bytes([0xA1, 0x10]) + bytes(62)
NOP = bytes([0xA4, 0x10]) + bytes(62)


def load(path):
    lib = ctypes.CDLL(path)
    lib.bench_open.argtypes = [ctypes.c_int, ctypes.c_uint]
    lib.bench_sbuf.argtypes = [ctypes.c_uint, ctypes.c_uint, ctypes.c_void_p, ctypes.c_size_t,
                               ctypes.c_int]
    lib.bench_program.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_size_t]
    lib.bench_program.restype = ctypes.c_double
    lib.bench_empty_run.argtypes, lib.bench_empty_run.restype = [ctypes.c_int], ctypes.c_double
    return lib


def program(lib, engine, words):
    seconds = lib.bench_program(engine, words, len(words) // 64)
    if seconds < 0:
        sys.exit("the program did not end well")
    return seconds


def pattern(byte):
    return struct.pack("<I3h3H", byte, 1, 1, 1, N, 1, 1)


def tensor_scalar(scale, floor):
    """TENSOR_SCALAR_ARITH: max(src * scale, floor) (docs/hardware/tensor-scalar-multi.md 8)."""
    return (bytes([0x43, 0x10]) + bytes(14) + pattern(SRC) +
            bytes([FP32, FP32, LANES, 0, MULT, MAX, 0, 0]) + struct.pack("<ff", scale, floor) +
            pattern(DST))


def put(lib, array):
    for lane in range(LANES):
        lib.bench_sbuf(lane, SRC, array[lane].ctypes.data, array[lane].nbytes, 1)


def get(lib):
    out = np.zeros((LANES, N), np.float32)
    for lane in range(LANES):
        lib.bench_sbuf(lane, DST, out[lane].ctypes.data, out[lane].nbytes, 0)
    return out


def numpy_seconds(x, out, repeats):
    start = time.perf_counter()
    for _ in range(repeats):
        np.multiply(x, np.float32(1.5), out=out)
        np.maximum(out, np.float32(0.25), out=out)
    return time.perf_counter() - start


def words_seconds(lib, x, words, cores):
    """As many threads as `cores`, which have these cores for themselves."""
    os.sched_setaffinity(0, cores)
    lib.bench_open(CAYMAN, len(cores))
    put(lib, x)
    program(lib, DVE, tensor_scalar(1.5, 0.25) + HALT)
    if not np.array_equal(get(lib), np.maximum(x * np.float32(1.5), np.float32(0.25))):
        sys.exit("the words compute something else than NumPy")
    seconds = program(lib, DVE, words)
    lib.bench_close()
    return seconds / WORDS


def dve_words(lib, cores):
    """NumPy and one thread share a core; one thread is timed on the second core too, since those of a
    virtual machine differ."""
    x = np.random.default_rng(1).standard_normal((LANES, N)).astype(np.float32)
    words, out = tensor_scalar(1.5, 0.25) * WORDS + HALT, np.zeros_like(x)
    first, second = cores[:1], cores[-1:]
    rounds = []
    for _ in range(ROUNDS):
        rounds.append([words_seconds(lib, x, words, c) for c in (first, cores, second)])
        rounds[-1].append(numpy_seconds(x, out, WORDS) / WORDS)
    one, two, other, peer = (statistics.median(r[i] for r in rounds) for i in range(4))
    os.sched_setaffinity(0, cores)
    print(f"{WORDS} x TENSOR_SCALAR {LANES}x{N} fp32: {other * 1e6:.1f} us a word, NumPy "
          f"{peer * 1e6:.1f} us: {peer / other:.2f} x (wanted 2.5)")
    if len(cores) == 1:
        print("  two threads: not measured, there is one core only")
        return
    print(f"  one thread on either core {one * 1e6:.1f} and {other * 1e6:.1f} us, two threads "
          f"{two * 1e6:.1f} us: {(one + other) / 2 / two:.2f} x (wanted 1.6)")


def checked_words(lib, cores):
    """The same words with --check=race: 256 KiB read and written by each."""
    x = np.random.default_rng(1).standard_normal((LANES, N)).astype(np.float32)
    words, rounds = tensor_scalar(1.5, 0.25) * WORDS + HALT, []
    for _ in range(ROUNDS):
        rounds.append([])
        for on in (0, 1):
            lib.bench_check_race(on)
            rounds[-1].append(words_seconds(lib, x, words, cores[:1]))
    lib.bench_check_race(0)
    os.sched_setaffinity(0, cores)
    off, on = (statistics.median(r[i] for r in rounds) for i in range(2))
    print(f"  with --check=race: {on * 1e6:.1f} us a word, without {off * 1e6:.1f} us")


def control_words(lib):
    lib.bench_open(CAYMAN, 1)
    straight = NOP * 100_000 + HALT
    seconds = statistics.median(program(lib, SP, straight) for _ in range(ROUNDS))
    print(f"straight nops, each word seen once: {1e-6 * 100_000 / seconds:.1f} million words a second")
    # MOVE R1 = 1,000,000; R1 -= 1; branch back while R1 > 0 (docs/hardware/sequencer.md 7)
    move = bytearray(bytes([0xA7, 0x10]) + bytes(62))
    move[12:15], move[24] = bytes([1, 9, 1]), 1
    move[32:36] = (1_000_000).to_bytes(4, "little")
    minus = bytearray(bytes([0xA8, 0x10]) + bytes(62))
    minus[12:16], minus[16], minus[20], minus[24] = bytes([5, 9, 1, 9]), 1, 1, 1
    branch = bytearray(bytes([0xA9, 0x10]) + bytes(62))
    branch[12:15], branch[32] = bytes([6, 8, 3]), 1
    branch[48:52] = (-64).to_bytes(4, "little", signed=True)
    loop = bytes(move + minus + branch) + HALT
    seconds = statistics.median(program(lib, SP, loop) for _ in range(ROUNDS))
    print(f"loop of two words: {1e-6 * 2_000_000 / seconds:.1f} million words a second")
    lib.bench_close()


def empty_runs(lib, trench):
    seconds = statistics.median(lib.bench_empty_run(CAYMAN) for _ in range(50))
    print(f"empty run in the process: {seconds * 1e3:.2f} ms (wanted 10)")
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "halt.tasm")
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(".gen cayman\n.engine sp\nhalt\n")
        command, times = [trench, "run", path], []
        for _ in range(20):
            start = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            times.append(time.perf_counter() - start)
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"empty run as a command: {statistics.median(times) * 1e3:.1f} ms (wanted 10), "
          f"{(usage.ru_utime + usage.ru_stime) / len(times) * 1e3:.1f} ms of processor, "
          f"{usage.ru_maxrss / 1024:.0f} MiB resident (wanted 200)")


def traced_runs(trench):
    """What --trace and --timing cost a word, in a program that does little else: the whole command's time."""
    count, seconds = 50_000, {}
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "p.bin")
        with open(path, "wb") as stream:
            stream.write(NOP * count + HALT)
        for options in ((), ("--timing",), ("--trace",), ("--trace", "--timing")):
            named = [f"--trace={directory}/t.json" if option == "--trace" else option for option in options]
            times = []
            for _ in range(ROUNDS):
                start = time.perf_counter()
                subprocess.run([trench, "run", "--gen", "cayman", "--queue", f"sp={path}", *named], check=True,
                               stdout=subprocess.DEVNULL)
                times.append(time.perf_counter() - start)
            seconds[options] = statistics.median(times)
        size = os.path.getsize(os.path.join(directory, "t.json"))
    base = seconds[()]
    print(f"{count} nops: {base * 1e3:.0f} ms; --timing {1e6 * (seconds['--timing',] - base) / count:.2f} us a word more, "
          f"--trace {1e6 * (seconds['--trace',] - base) / count:.2f} us, both "
          f"{1e6 * (seconds['--trace', '--timing'] - base) / count:.2f} us and {size / count:.0f} bytes")


def main():
    lib = load(os.path.abspath(sys.argv[1]))
    empty_runs(lib, os.path.abspath(sys.argv[2]))
    control_words(lib)
    cores = sorted(os.sched_getaffinity(0))[:2]
    dve_words(lib, cores)
    checked_words(lib, cores)
    traced_runs(os.path.abspath(sys.argv[2]))


if __name__ == "__main__":
    main()
