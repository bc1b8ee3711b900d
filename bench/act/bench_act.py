#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ACTIVATE on 128 x 1024 fp32 elements to BF16, SBUF to SBUF, tables in device memory, through fetch
and dispatch, beside NumPy's function and its BF16 rounding.

usage: bench_act.py RUN_BENCH.so

One core and one thread; ours and the peer take turns, the median of five rounds each. NumPy has no
BF16: it is rounded to in integer steps on the fp32 bits, written into buffers that are there, or as
plain expressions; the faster of the two is the peer. Tables are written over the bus, and before
anything is timed every result is held against a step by step evaluation of them.
"""
import ctypes
import os
import statistics
import struct
import sys

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
for room in ("tests/engine", "bench/vector"):
    sys.path.insert(0, os.path.join(HERE, "..", "..", room))

import act_tables  # noqa: E402
from bench_vector import Core, bf16, load, timed  # noqa: E402

ROUNDS, LANES, N, WORDS = 5, 128, 1024, 128
BF16, FP32, ACT, CAYMAN = 6, 10, 1, 1
SRC, DST = 0x0, 0x4000
WINDOW = 0xD0000000  # of core 0 in BAR0 (address-map.md 7)
#: local storage of CAM, PROFILE, CONTROL and BUCKET inside the window (apertures.csv)
PLACES = (0x2500000, 0x2520000, 0x2540000, 0x2580000)
WANTED = 2.0
ONE, SIXTEEN, HALF = np.uint32(1), np.uint32(16), np.uint32(0x7FFF)


def word(func, command=0):
    def pattern(byte):
        return struct.pack("<I3h3H", byte, 1, 1, 1, N, 1, 1)
    one, zero = struct.pack("<f", 1.0), struct.pack("<f", 0.0)
    return (bytes([0x21, 0x10]) + bytes(10) + bytes([0, 0, command, 1]) + pattern(SRC) +
            bytes([FP32 | FP32 << 4, BF16, LANES, func]) + one + zero + bytes(4) + pattern(DST))


class TableCore(Core):
    """A core with tables, and the results of the row that they give."""

    def __init__(self, lib, x, tables):
        super().__init__(lib, CAYMAN, x)
        for place, raw in zip(PLACES, tables.tables(sunda=False)):
            if not lib.bench_bar0(WINDOW + place, raw, len(raw)):
                sys.exit("cannot write the tables")

    def run_act(self, code, repeats):
        seconds = self.lib.bench_program(ACT, code * repeats + bytes([0xA1, 0x10]) + bytes(62),
                                         repeats + 1)
        if seconds < 0:
            sys.exit("the program did not end well")
        return seconds / repeats


class ShippedFunction:
    """What a PROFILE entry says."""

    def __init__(self, entry):
        word = int.from_bytes(entry, "little")
        self.fields = {name: word >> low & ((1 << width) - 1)
                       for name, (low, width) in act_tables.POSITIONS.items()}


class Shipped:
    """A set of the library as tables, read back by the bit positions of the sheet."""

    def __init__(self, lib, name):
        raw = ctypes.create_string_buffer(1 << 17)
        if not lib.bench_act_set(name.encode(), raw):
            sys.exit(f"no set is called {name}")
        self.raw, at = [], 0
        for entries, size in zip(act_tables.ENTRIES, act_tables.BYTES):
            self.raw.append(raw.raw[at:at + entries * size])
            at += entries * size
        cam, profile, control, bucket = self.raw
        entries = [cam[32 * i:32 * i + 9] for i in range(128)]
        self.cam = [(e[0], e[1], e[4], e[5], i % 64) for i, e in enumerate(entries) if e[8] & 1]
        self.functions = [ShippedFunction(profile[128 * i:128 * i + 128]) for i in range(64)]
        self.control = [word for word, in struct.iter_unpack("<I28x", control)]
        self.bucket = list(struct.iter_unpack("<5I12x", bucket))

    def tables(self, sunda):
        assert not sunda
        return self.raw


class Peer:
    """function(x) as BF16."""

    def __init__(self, function, x):
        self.function, self.x = function, x
        self.y, self.steps = np.empty_like(x), np.empty(x.shape, np.uint32)
        self.nan, self.out = np.empty(x.shape, bool), np.empty(x.shape, np.uint16)

    def expressions(self):
        return bf16(self.function(self.x))

    def into_buffers(self):
        """As bf16(), without an array made on the way."""
        bits, steps = self.y.view(np.uint32), self.steps
        self.function(self.x, out=self.y)
        np.right_shift(bits, SIXTEEN, out=steps)
        np.bitwise_and(steps, ONE, out=steps)
        np.add(steps, HALF, out=steps)
        np.add(steps, bits, out=steps)
        np.right_shift(steps, SIXTEEN, out=steps)
        np.copyto(self.out, steps, casting="unsafe")
        np.isnan(self.y, out=self.nan)
        if self.nan.any():
            self.out[self.nan] = 0x7FC0
        return self.out

    def seconds(self):
        return min(timed(self.expressions, 20), timed(self.into_buffers, 20))


def compare(core, evaluator, name, func, x, peer, command=0):
    code = word(func, command)
    core.run_act(code, 1)
    wanted = bf16(evaluator(evaluator.find(0x21, func), x, np.zeros_like(x)))
    if not np.array_equal(core.result(N, np.uint16), wanted):
        sys.exit(f"{name}: results differ")
    numpy = Peer(peer, x)
    if not np.array_equal(numpy.expressions(), numpy.into_buffers()):
        sys.exit(f"{name}: the peer's two forms differ")
    ours, theirs = [], []
    for _ in range(ROUNDS):
        ours.append(core.run_act(code, WORDS))
        theirs.append(numpy.seconds())
    a, b = statistics.median(ours), statistics.median(theirs)
    bar = f" (wanted {WANTED})" if command == 0 else ""
    print(f"{name:36} {a * 1e6:8.1f} us   NumPy {b * 1e6:8.1f} us   {b / a:6.2f} x{bar}")


def made():
    """exp by the published recipe, and a tanh of few sections."""
    tables = act_tables.Set()
    act_tables.add_exp(tables, 7)
    act_tables.add_folded(tables, 6, -14, [0] * 9 + [1, 1, 2, 2, 3, 3, 3, 3],
                          act_tables.tanh_taylor, False, 0.0, 0.0, (1.0, -1.0))
    return tables


def main():
    lib = load(os.path.abspath(sys.argv[1]))
    lib.bench_bar0.argtypes = [ctypes.c_uint64, ctypes.c_char_p, ctypes.c_size_t]
    x = np.random.default_rng(1).normal(0, 3, (LANES, N)).astype(np.float32)
    os.sched_setaffinity(0, [0])
    shipped = Shipped(lib, "general")
    for which, tables, exp, tanh in (("shipped", shipped, 7, 6), ("made", made(), 7, 6)):
        core = TableCore(lib, x, tables)
        evaluator = act_tables.Evaluator(tables, sunda=False)
        compare(core, evaluator, f"ACTIVATE exp ({which}) -> bf16", exp, x, np.exp)
        compare(core, evaluator, f"ACTIVATE tanh ({which}) -> bf16", tanh, x, np.tanh)
        compare(core, evaluator, f"ACTIVATE exp ({which}), accumulated", exp, x, np.exp, command=3)
        core.close()


if __name__ == "__main__":
    main()
