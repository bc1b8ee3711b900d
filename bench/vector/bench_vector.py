#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Vector words on 128 x 512 elements in SBUF beside the NumPy calls that compute the same.

usage: bench_vector.py VECTOR_BENCH.so

One core; ours and the peer take turns, the median of five rounds each; results are compared before
anything is timed. NumPy has no BF16 and no FP8: their peers are NumPy arithmetic, written out below.
"""
import ctypes
import os
import statistics
import struct
import sys
import time

import numpy as np

ROUNDS, LANES, N = 5, 128, 512
INT8, BF16, FP16, INT32, FP32, FP8_EXP4 = 2, 6, 7, 8, 10, 14
SIZE = {INT8: 1, BF16: 2, FP16: 2, INT32: 4, FP32: 4, FP8_EXP4: 1}
TYPE = {1: np.uint8, 2: np.uint16, 4: np.uint32}
DVE, SUNDA, MARIANA = 3, 0, 2
SRC, DST = 0x0, 0x4000


# ---- words (docs/hardware/vector-ops.md 3, tensor-scalar-multi.md 8) ---------------------------

def header(opcode):
    return bytes([opcode, 0x10]) + bytes(10)


def pattern(byte, ndim, num):
    return struct.pack(f"<I{ndim}h{ndim}H", byte, *[1] * ndim, *[num] + [1] * (ndim - 1))


def tensor_scalar(op0, imm0, op1, imm1):
    return (header(0x43) + bytes(4) + pattern(SRC, 3, N) +
            bytes([FP32, FP32, LANES, 0, op0, op1, 0, 0]) + struct.pack("<ff", imm0, imm1) +
            pattern(DST, 3, N))


def s4d4_tr(opcode, out, op=0, op_dim=0, results=N):
    return (header(opcode) + pattern(SRC, 4, N) + bytes([FP32, out, LANES, 0, op, op_dim]) +
            bytes(6) + pattern(DST, 4, results))


# ---- peers -------------------------------------------------------------------------------------

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
    code = np.where(code > 0x7E, 0x7E, code) if fn else np.where(code > 0x77, 0x78, code)
    code = code | np.where(np.signbit(x), 0x80, 0)
    code[np.isnan(x)] = 0x7F if fn else 0x7C
    return code.astype(np.uint8)


def to_int(x, low, high, dtype):
    return np.clip(np.rint(x), low, high).astype(dtype)


# ---- measuring ---------------------------------------------------------------------------------

def load(path):
    lib = ctypes.CDLL(path)
    p, u, z = ctypes.c_char_p, ctypes.c_uint, ctypes.c_size_t
    lib.bench_open.argtypes = [ctypes.c_int, u]
    lib.bench_poke.argtypes = [u, u, p, z]
    lib.bench_peek.argtypes = [u, u, ctypes.c_void_p, z]
    lib.bench_word.argtypes, lib.bench_word.restype = [ctypes.c_int, p, z], ctypes.c_double
    return lib


class Core:
    def __init__(self, lib, gen, threads=1):
        self.lib = lib
        if not lib.bench_open(gen, threads):
            sys.exit("cannot make a core")

    def close(self):
        self.lib.bench_close()

    def put(self, array):
        for p in range(LANES):
            row = array[p].tobytes()
            self.lib.bench_poke(p, SRC, row, len(row))

    def get(self, count, dtype):
        out = np.zeros((LANES, count), dtype)
        for p in range(LANES):
            self.lib.bench_peek(p, DST, out[p].ctypes.data, out[p].nbytes)
        return out

    def run(self, word, repeats):
        seconds = self.lib.bench_word(DVE, word, repeats)
        if seconds < 0:
            sys.exit("the word was refused")
        return seconds


def timed(function, repeats):
    start = time.perf_counter()
    for _ in range(repeats):
        function()
    return (time.perf_counter() - start) / repeats


def compare(core, name, word, wanted, peer, repeats=400, peer_repeats=100, target=None):
    """One line: our time, the peer's, the ratio."""
    core.run(word, 1)
    got = core.get(wanted.shape[1], TYPE[wanted.dtype.itemsize])
    if not np.array_equal(got, np.ascontiguousarray(wanted).view(got.dtype)):
        sys.exit(f"{name}: results differ")
    ours, theirs = [], []
    for _ in range(ROUNDS):
        ours.append(core.run(word, repeats))
        theirs.append(timed(peer, peer_repeats))
    a, b = statistics.median(ours), statistics.median(theirs)
    bar = f"   (wanted {target})" if target else ""
    print(f"{name:38} {a * 1e6:9.1f} us   numpy {b * 1e6:9.1f} us   {b / a:6.2f} x{bar}")
    return a


def tensor_scalar_lines(lib, x):
    out = np.empty_like(x)

    def peer():
        np.multiply(x, np.float32(1.5), out=out)
        np.maximum(out, np.float32(0.25), out=out)

    peer()
    wanted, word, times = out.copy(), tensor_scalar(0x06, 1.5, 0x08, 0.25), {}
    for threads in (1, 2):
        os.sched_setaffinity(0, range(threads))
        core = Core(lib, SUNDA, threads)
        core.put(x)
        times[threads] = compare(core, f"TENSOR_SCALAR mult max, {threads} thread(s)", word, wanted,
                                 peer, target=2.5)
        core.close()
    os.sched_setaffinity(0, [0])
    print(f"{'  2 threads against 1':38} {times[1] / times[2]:6.2f} x   (wanted 1.6)")


def cast_lines(lib, x):
    for gen, name, dtype, function in [
            (SUNDA, "CAST fp32 -> bf16", BF16, bf16),
            (SUNDA, "CAST fp32 -> fp16", FP16, lambda v: v.astype(np.float16)),
            (SUNDA, "CAST fp32 -> fp8_exp4 legacy", FP8_EXP4, lambda v: fp8_e4m3(v, False)),
            (MARIANA, "CAST fp32 -> fp8_exp4 fn", FP8_EXP4, lambda v: fp8_e4m3(v, True)),
            (SUNDA, "CAST fp32 -> int8", INT8, lambda v: to_int(v, -128, 127, np.int8)),
            (SUNDA, "CAST fp32 -> int32", INT32,
             lambda v: to_int(v.astype(np.float64), -2**31, 2**31 - 1, np.int32))]:
        core = Core(lib, gen)
        core.put(x)
        compare(core, name, s4d4_tr(0x47, dtype), function(x), lambda: function(x),
                peer_repeats=30, target=5)
        core.close()


def reduce_lines(lib, x):
    core = Core(lib, SUNDA)
    core.put(x)
    wanted = np.add.accumulate(x, axis=1, dtype=np.float32)[:, -1:]
    compare(core, "TENSOR_REDUCE add over 512", s4d4_tr(0x42, FP32, 0x04, 2, 1), wanted,
            lambda: np.add.reduce(x, axis=1), target=0.9)
    compare(core, "TENSOR_REDUCE max over 512", s4d4_tr(0x42, FP32, 0x08, 2, 1),
            x.max(axis=1, keepdims=True), lambda: np.maximum.reduce(x, axis=1), target=0.9)
    core.close()


def main():
    lib = load(sys.argv[1])
    x = (np.random.default_rng(1).normal(0, 40, (LANES, N))).astype(np.float32)
    os.sched_setaffinity(0, [0])
    tensor_scalar_lines(lib, x)
    cast_lines(lib, x)
    reduce_lines(lib, x)


if __name__ == "__main__":
    main()
