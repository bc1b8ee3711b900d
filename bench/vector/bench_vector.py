#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""DVE words on 128 x 512 fp32 elements, SBUF to SBUF, through fetch and dispatch, beside the NumPy
calls that compute the same; and what they cost when numeric events are looked for.

usage: bench_vector.py RUN_BENCH.so

One core; ours and the peer take turns, the median of five rounds each; results are compared before
anything is timed. NumPy has no BF16 and no FP8: their peers are NumPy arithmetic, written out below.
TENSOR_SCALAR stands in bench/run.
"""
import ctypes
import os
import statistics
import struct
import sys
import time

import numpy as np

ROUNDS, LANES, N, WORDS = 5, 128, 512, 512
INT8, BF16, FP16, INT32, FP32, FP8_EXP4, FP8_EXP5 = 2, 6, 7, 8, 10, 14, 15
TYPE = {1: np.uint8, 2: np.uint16, 4: np.uint32}
DVE, SUNDA, CAYMAN, MARIANA = 3, 0, 1, 2
SRC, DST, SCALARS = 0x0, 0x4000, 0x8000
HALT = bytes([0xA1, 0x10]) + bytes(62)


# ---- words (docs/hardware/vector-ops.md 2, 3) ---------------------------------------------------

def header(opcode):
    return bytes([opcode, 0x10]) + bytes(10)


def pattern(byte, ndim, num):
    return struct.pack(f"<I{ndim}h{ndim}H", byte, *[1] * ndim, *[num] + [1] * (ndim - 1))


def s4d4_tr(opcode, out, op=0, op_dim=0, results=N):
    return (header(opcode) + pattern(SRC, 4, N) + bytes([FP32, out, LANES, 0, op, op_dim]) +
            bytes(6) + pattern(DST, 4, results))


def tensor_tensor(op, dst=DST, dtype=FP32):
    return (header(0x41) + bytes([dtype | dtype << 4, dtype, op, LANES]) + pattern(SRC, 3, N) * 2 +
            pattern(dst, 3, N))


def tensor_scalar(ops, scalars, dst=DST, in_dtype=FP32, out=FP32):
    return (bytes([0x43, 0x10]) + bytes(14) + pattern(SRC, 3, N) +
            bytes([in_dtype, out, LANES, 0, *ops, 0, 0]) + struct.pack("<ff", *scalars) +
            pattern(dst, 3, N))


def load_scalars():
    """Eight scalars a lane (tensor-scalar-multi.md 3)."""
    return (header(0x70) + bytes(4) + pattern(SCALARS, 2, 8) + bytes(4) + bytes([FP32, 0, LANES]) +
            bytes(29))


def ptr_multi(opcode, op, x, w):
    """Slices of x elements (tensor-scalar-multi.md 2)."""
    def slices(byte):
        return struct.pack("<I4h4H", byte, 1, 1, 1, x, x, 1, 1, w)
    return (header(opcode) + slices(SRC) + bytes([FP32, FP32, LANES, 0, op, 0x04, 0]) + bytes(5) +
            slices(DST))


def pointer_form(op):
    """0x44 with one scalar a lane."""
    return (bytes([0x44, 0x10]) + bytes(14) + pattern(SRC, 3, N) +
            bytes([FP32, FP32, LANES, 0, op, 0, 0, 0]) + struct.pack("<II", SCALARS, SCALARS) +
            pattern(DST, 3, N))


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

class Core:
    def __init__(self, lib, gen, x):
        self.lib = lib
        if not lib.bench_open(gen, 1):
            sys.exit("cannot make a core")
        for lane in range(LANES):
            lib.bench_sbuf(lane, SRC, x[lane].ctypes.data, x[lane].nbytes, 1)

    def close(self):
        self.lib.bench_close()

    def result(self, count, dtype):
        out = np.zeros((LANES, count), dtype)
        for lane in range(LANES):
            self.lib.bench_sbuf(lane, DST, out[lane].ctypes.data, out[lane].nbytes, 0)
        return out

    def run(self, word, repeats):
        """Seconds a word."""
        words = word * repeats + HALT
        seconds = self.lib.bench_program(DVE, words, repeats + 1)
        if seconds < 0:
            sys.exit("the program did not end well")
        return seconds / repeats


def load(path):
    lib = ctypes.CDLL(path)
    lib.bench_open.argtypes = [ctypes.c_int, ctypes.c_uint]
    lib.bench_sbuf.argtypes = [ctypes.c_uint, ctypes.c_uint, ctypes.c_void_p, ctypes.c_size_t,
                               ctypes.c_int]
    lib.bench_program.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_size_t]
    lib.bench_program.restype = ctypes.c_double
    lib.bench_look.argtypes = [ctypes.c_int]
    return lib


def timed(function, repeats):
    start = time.perf_counter()
    for _ in range(repeats):
        function()
    return (time.perf_counter() - start) / repeats


def compare(core, name, word, wanted, peer, target=None, peer_repeats=100):
    """One line: our time, the peer's, the ratio."""
    core.run(word, 1)
    got = core.result(wanted.shape[1], TYPE[wanted.dtype.itemsize])
    if not np.array_equal(got, np.ascontiguousarray(wanted).view(got.dtype)):
        sys.exit(f"{name}: results differ")
    ours, theirs = [], []
    for _ in range(ROUNDS):
        ours.append(core.run(word, WORDS))
        theirs.append(timed(peer, peer_repeats))
    a, b = statistics.median(ours), statistics.median(theirs)
    bar = f" (wanted {target})" if target else ""
    print(f"{name:30} {a * 1e6:8.1f} us   NumPy {b * 1e6:8.1f} us   {b / a:6.2f} x{bar}")


def cast_lines(lib, x):
    for gen, name, dtype, function in [
            (CAYMAN, "CAST fp32 -> bf16", BF16, bf16),
            (CAYMAN, "CAST fp32 -> fp16", FP16, lambda v: v.astype(np.float16)),
            (CAYMAN, "CAST fp32 -> fp8_exp4 legacy", FP8_EXP4, lambda v: fp8_e4m3(v, False)),
            (MARIANA, "CAST fp32 -> fp8_exp4 fn", FP8_EXP4, lambda v: fp8_e4m3(v, True)),
            (CAYMAN, "CAST fp32 -> int8", INT8, lambda v: to_int(v, -128, 127, np.int8)),
            (CAYMAN, "CAST fp32 -> int32", INT32,
             lambda v: to_int(v.astype(np.float64), -2**31, 2**31 - 1, np.int32))]:
        core = Core(lib, gen, x)
        compare(core, name, s4d4_tr(0x47, dtype), function(x), lambda: function(x), 5,
                peer_repeats=30)
        core.close()


def other_lines(lib, x):
    core = Core(lib, CAYMAN, x)
    in_order = np.add.accumulate(x, axis=1, dtype=np.float32)[:, -1:]
    compare(core, "TENSOR_REDUCE add over 512", s4d4_tr(0x42, FP32, 0x04, 2, 1), in_order,
            lambda: np.add.reduce(x, axis=1), 0.9)
    compare(core, "TENSOR_REDUCE max over 512", s4d4_tr(0x42, FP32, 0x08, 2, 1),
            x.max(axis=1, keepdims=True), lambda: np.maximum.reduce(x, axis=1), 0.9)
    out = np.empty_like(x)
    compare(core, "TENSOR_TENSOR add", tensor_tensor(0x04), x + x, lambda: np.add(x, x, out=out))
    compare(core, "COPY", s4d4_tr(0x46, FP32), x, lambda: np.copyto(out, x))
    core.close()
    slice_lines(lib, x)


def slice_lines(lib, x):
    """Eight slices of 64 elements, each with its scalar, and on SUNDA four of 128 with a pair; the
    pointer form 0x44 is the same work with one scalar."""
    scalars = np.linspace(-2, 2, 8, dtype=np.float32)
    slices, pairs = x.reshape(LANES, 8, 64), x.reshape(LANES, 4, 128)
    out, dual = np.empty_like(slices), np.empty_like(pairs)
    core = Core(lib, SUNDA, x)
    for lane in range(LANES):
        lib.bench_sbuf(lane, SCALARS, scalars.ctypes.data, scalars.nbytes, 1)
    core.run(load_scalars(), 1)
    compare(core, "PTR_MULTI mult, 8 slices", ptr_multi(0x4F, 0x06, 64, 8),
            (slices * scalars[:, None]).reshape(LANES, N),
            lambda: np.multiply(slices, scalars[:, None], out=out), 1.0)
    compare(core, "PTR_MULTI_DUAL add, 4 slices", ptr_multi(0x87, 0x04, 128, 4),
            ((pairs + scalars[0::2, None]) * scalars[1::2, None]).reshape(LANES, N),
            lambda: np.multiply(np.add(pairs, scalars[0::2, None], out=dual),
                                scalars[1::2, None], out=dual), 1.0)
    compare(core, "TENSOR_SCALAR_PTR mult", pointer_form(0x06), x * scalars[0],
            lambda: np.multiply(x, scalars[0], out=out.reshape(LANES, N)))
    core.close()


def look_line(lib, x, name, word, before=HALT[:0]):
    """Processor time of a word while numeric events are looked for, against while they are not."""
    core, times = Core(lib, CAYMAN, x), ([], [])
    if before:
        core.run(before, 1)
    for _ in range(2 * ROUNDS + 1):
        for on in (0, 1):
            lib.bench_look(on)
            start = time.process_time()
            core.run(word, WORDS)
            times[on].append((time.process_time() - start) / WORDS)
    core.close()
    off, on = (statistics.median(t) for t in times)
    print(f"{name:30} {off * 1e6:8.1f} us   looked at {on * 1e6:5.1f} us   {on / off:6.2f} x")


def look_lines(lib, x):
    """Ordinary values, which meet nothing. In place they stay what they are."""
    add, mult, maximum, one = 4, 6, 8, np.ones_like(x)
    bf = np.ascontiguousarray((x.view(np.uint32) >> 16).astype(np.uint16))
    print("numeric events looked for (wanted 1.25)")
    for name, values, word in [
            ("TENSOR_SCALAR mult max", x, tensor_scalar((mult, maximum), (1.5, 0.25))),
            ("TENSOR_SCALAR in place", one, tensor_scalar((mult, maximum), (1, 0.25), SRC)),
            ("TENSOR_SCALAR bf16", bf, tensor_scalar((mult, maximum), (1.5, 0.25), DST, BF16, BF16)),
            ("TENSOR_TENSOR add", x, tensor_tensor(add)),
            ("TENSOR_TENSOR mult", x, tensor_tensor(mult)),
            ("TENSOR_TENSOR mult in place", one, tensor_tensor(mult, SRC)),
            ("TENSOR_TENSOR mult bf16", bf, tensor_tensor(mult, DST, BF16)),
            ("RECIPROCAL", x, s4d4_tr(0x48, FP32)),
            ("CAST fp32 -> bf16", x, s4d4_tr(0x47, BF16)),
            ("CAST fp32 -> fp8_exp5", x, s4d4_tr(0x47, FP8_EXP5)),
            ("TENSOR_REDUCE add over 512", x, s4d4_tr(0x42, FP32, add, 2, 1)),
            ("TENSOR_REDUCE max over 512", x, s4d4_tr(0x42, FP32, maximum, 2, 1)),
            ("COPY", x, s4d4_tr(0x46, FP32))]:
        look_line(lib, values, name, word)
    look_line(lib, one, "PTR_MULTI max, 8 slices", ptr_multi(0x4F, maximum, 64, 8), load_scalars())


def main():
    lib = load(os.path.abspath(sys.argv[1]))
    x = np.random.default_rng(1).normal(0, 40, (LANES, N)).astype(np.float32)
    os.sched_setaffinity(0, [0])
    cast_lines(lib, x)
    other_lines(lib, x)
    look_lines(lib, x)


if __name__ == "__main__":
    main()
