#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""MAX8 0x6C, MATCH_VALUE_LOAD 0x6D, FIND_INDEX8 0x6E, MATCH_REPLACE8 0x6F, DVE_READ_INDICES 0xE9
against the loops of docs/hardware/vector-ops.md 8, element by element.

usage: vector_search.py VECTOR_EXEC
"""
import struct
import sys

import vector_formats as fmt
from vector_formats import BF16, FP16, FP32, INT32, PLAIN, SIZE, UINT16, UINT32, UINT8, Mode, np
from vector_device import (DVE, NC, PSUM, SBUF, Memory, Pattern, Rig, header, overlap,
                           random_pattern, random_values, random_window)

ABSENT = 0xFFFFFFFF
REPLACE_TYPES = [UINT8, UINT16, BF16, FP16, INT32, UINT32, FP32]


def eight_word(gen, opcode, src, dst, lanes):
    """S4D2_BN (vector-ops.md 8.1)."""
    return (header(opcode) + src.encode(gen, 4) + bytes([src.dtype, dst.dtype, lanes]) + bytes(13) +
            dst.encode(gen, 2) + bytes(4))


def load_word(gen, src, lanes):
    """S2_BN (tensor-scalar-multi.md 3)."""
    return (header(0x6D) + bytes(4) + src.encode(gen, 2) + bytes(4) +
            bytes([src.dtype, 0, lanes]) + bytes(29))


def replace_word(gen, src, dst, lanes, immediate):
    """S4D4_MR (vector-ops.md 8.3)."""
    return (header(0x6F) + src.encode(gen, 4) + bytes([src.dtype, dst.dtype, lanes]) + bytes(5) +
            struct.pack("<I", immediate) + dst.encode(gen, 4))


def read_word(gen, dst, lanes):
    """D4_MR (vector-ops.md 7.5)."""
    return (header(0xE9) + bytes(16) +
            struct.pack("<I8BI", 8, dst.dtype, 0, lanes, 0, 0, 0, 0, 0, 0) + dst.encode(gen, 4))


# ---- the sheet -------------------------------------------------------------------------------

def max8(values):
    """The eight largest, smallest first; of equal values the earlier ones; NaN below all."""
    numbers = [v for v in values if not np.isnan(v)]
    best = []
    for v in numbers:  # a later equal value does not displace an earlier one
        at = len(best)
        while at > 0 and v > best[at - 1]:
            at -= 1
        best.insert(at, v)
        del best[8:]
    best += [fmt.CANONICAL] * (8 - len(best))
    return np.array(best[::-1], np.float32)


class Flops:
    def __init__(self):
        self.keys = np.zeros((128, 8), np.float32)
        self.index = np.full((128, 8), ABSENT, np.int64)

    def load(self, values):
        lanes = values.shape[0]
        self.keys[:lanes] = values[:, ::-1]
        self.index[:lanes] = ABSENT

    def restart(self, lane):
        self.index[lane] = ABSENT

    def offer(self, lane, i, value):
        """True when a key takes element i."""
        for n in range(8):
            if self.index[lane, n] == ABSENT and value == self.keys[lane, n]:
                self.index[lane, n] = i
                return True
        return False


# ---- cases -----------------------------------------------------------------------------------

class Runner:
    def __init__(self, rig, gen):
        self.rig, self.gen, self.flops = rig, gen, Flops()
        self.mode = Mode.default(gen)
        rig.reset()

    def run(self, memory, lanes, word, patterns, what, effect):
        windows = sorted({(p.space, p.partition) for p in patterns})
        for space, partition in windows:
            self.rig.fill(memory, space, partition, lanes)
        self.rig.run(DVE, word, what=what)
        effect()
        for space, partition in windows:
            self.rig.expect(memory, space, partition, lanes, f"{what} {patterns}")

    def widen(self, memory, pattern, lanes):
        return fmt.widen(pattern.dtype, memory.read(pattern, lanes), self.mode)

    def max8(self, memory, src, dst, lanes):
        def effect():
            values = self.widen(memory, src, lanes)
            out = np.array([max8(row) for row in values])
            memory.write(dst, lanes, fmt.narrow(dst.dtype, out, self.mode))
        self.run(memory, lanes, eight_word(self.gen, 0x6C, src, dst, lanes), [src, dst], "max8",
                 effect)

    def load(self, memory, src, lanes):
        self.run(memory, lanes, load_word(self.gen, src, lanes), [src], "load",
                 lambda: self.flops.load(self.widen(memory, src, lanes)))

    def find(self, memory, src, dst, lanes):
        def effect():
            for lane, row in enumerate(self.widen(memory, src, lanes)):
                self.flops.restart(lane)
                for i, value in enumerate(row):
                    self.flops.offer(lane, i, value)
            memory.write(dst, lanes, fmt.store_low(dst.dtype, self.flops.index[:lanes]))
        self.run(memory, lanes, eight_word(self.gen, 0x6E, src, dst, lanes), [src, dst], "find",
                 effect)

    def replace(self, memory, src, dst, lanes, immediate):
        def effect():
            for lane in range(lanes):
                self.flops.restart(lane)
            step = 1 if overlap(src, dst) else src.count()
            for first in range(0, src.count(), step):
                part = slice(first, first + step)
                values = fmt.widen(src.dtype, memory.read(src, lanes, part), self.mode).copy()
                for lane in range(lanes):
                    for i in range(values.shape[1]):
                        if self.flops.offer(lane, first + i, values[lane, i]):
                            values[lane, i] = fmt.f32(np.uint32(immediate))
                memory.write(dst, lanes, fmt.narrow(dst.dtype, values, self.mode), part)
        self.run(memory, lanes, replace_word(self.gen, src, dst, lanes, immediate), [src, dst],
                 "replace", effect)

    def read(self, memory, dst, lanes):
        self.run(memory, lanes, read_word(self.gen, dst, lanes), [dst], "read indices",
                 lambda: memory.write(dst, lanes, fmt.store_low(dst.dtype, self.flops.index[:lanes])))


def few_values(rig, dtype, shape):
    """Values with many repetitions, NaNs and zeros of both signs among them."""
    pool = random_values(rig, dtype, (6,))
    return rig.np_rng.choice(pool, shape)


def zeros(rig, dtype, shape):
    """Zeros of both signs, which are equal and yet not the same, among a few others."""
    numbers = rig.np_rng.choice(np.array([0, -0.0, 0, -0.0, -1, np.nan], np.float32), shape)
    return fmt.narrow(dtype, numbers, Mode(False, True))


def sequence(rig, gen, small=True):
    """A program's use: the eight largest, load them, find them, replace them, read them back."""
    rng = rig.rng
    runner = Runner(rig, gen)
    for trial in range(12 if small else 3):
        memory = Memory()
        lanes, partition = random_window(rng, small)
        dtype = rng.choice([FP32, FP32] + PLAIN)
        count = rng.choice([8, 9, 16, 24, 50, 60])
        space = rng.choice([SBUF, SBUF, PSUM])
        src = random_pattern(rng, space, partition, dtype, count, 4, 0, 500)
        make = [random_values, few_values, zeros][trial % 3]
        memory.write(src, lanes, make(rig, dtype, (lanes, count)))
        best = random_pattern(rng, SBUF, partition, rng.choice([dtype, FP32]), 8, 2, 512, 600)
        runner.max8(memory, src, best, lanes)

        keys = best if rng.random() < 0.6 else random_pattern(rng, SBUF, partition, dtype, 8, 2, 512,
                                                              600)
        if keys is not best:
            memory.write(keys, lanes, make(rig, dtype, (lanes, 8)))
        runner.load(memory, keys, lanes)
        out = random_pattern(rng, SBUF, partition, rng.choice([UINT16, UINT32]), 8, 2, 620, 700)
        runner.find(memory, src, out, lanes)
        if NC[gen] >= 3:
            runner.read(memory, out, lanes)
        if dtype in REPLACE_TYPES:
            to = rng.choice([dtype] + REPLACE_TYPES)
            same = rng.random() < 0.4 and (space == SBUF or SIZE[dtype] == 4)
            dst = src if same else random_pattern(rng, SBUF, partition, to, count, 4, 720, 1020)
            runner.replace(memory, src, dst, lanes, int(random_values(rig, FP32, (1,))[0]))
            if NC[gen] >= 3:
                runner.read(memory, out, lanes)


def overlap_cases(rig, gen):
    """Replacing over a shifted copy of the source feeds the scan its own results."""
    for shift in (4, -4, 8, 20):
        runner, memory = Runner(rig, gen), Memory()
        src = Pattern(SBUF, 0, 100, FP32, [30], [1])
        dst = Pattern(SBUF, 0, 100 + shift, FP32, [30], [1])
        keys = Pattern(SBUF, 0, 600, FP32, [8], [1])
        pool = rig.np_rng.integers(0, 4, (3, 30)).astype(np.float32)
        memory.write(src, 3, fmt.bits32(pool))
        memory.write(keys, 3, fmt.bits32(rig.np_rng.integers(0, 4, (3, 8)).astype(np.float32)))
        runner.load(memory, keys, 3)
        runner.replace(memory, src, dst, 3, 0x40000000)


def long_row(rig, gen):
    """16,384 elements, the most there may be, by a source that repeats: matches past every tile."""
    runner, memory = Runner(rig, gen), Memory()
    src = Pattern(SBUF, 0, 0, FP32, [128, 128], [1, 0])
    keys = Pattern(SBUF, 0, 900, FP32, [8], [1])
    out = Pattern(SBUF, 0, 834, UINT16, [8], [-1])
    out.byte += 14
    row = np.arange(128, dtype=np.float32)
    memory.write(src, 2, np.tile(fmt.bits32(row), (2, 128)))
    memory.write(keys, 2, np.tile(fmt.bits32(np.array([5, 5, 5, 7, 127, 127, 500, 5], np.float32)),
                                  (2, 1)))
    runner.load(memory, keys, 2)
    runner.find(memory, src, out, 2)
    best = Pattern(SBUF, 0, 860, FP32, [8], [1])
    runner.max8(memory, src, best, 2)

    # six rounds over 200 elements, each with one match; the last lies past the first 1,024
    src, dst = (Pattern(SBUF, 0, at, UINT16, [200, 6], [1, 0]) for at in (0, 400))
    memory.write(src, 2, np.tile(np.arange(200, dtype=np.uint16), (2, 6)))
    memory.write(keys, 2, np.tile(fmt.bits32(np.full(8, 150, np.float32)), (2, 1)))
    runner.load(memory, keys, 2)
    runner.replace(memory, src, dst, 2, 0x44000000)


def refusals(rig, gen):
    def bad(src_count, dst_count, opcode, rule):
        src = Pattern(SBUF, 0, 0, FP32, [src_count], [0])
        dst = Pattern(SBUF, 0, 512, FP32 if opcode == 0x6C else UINT32, [dst_count], [1])
        rig.run(DVE, eight_word(gen, opcode, src, dst, 2), "illegal", rule, "counts")

    for opcode in (0x6C, 0x6E):
        bad(7, 8, opcode, "bn_elements")
        bad(16385, 8, opcode, "bn_elements")
        bad(8, 7, opcode, "bn_elements")
    src = Pattern(SBUF, 0, 0, FP32, [7], [1])
    rig.run(DVE, load_word(gen, src, 2), "illegal", "s2bn_elements", "seven keys")
    dst = Pattern(SBUF, 0, 512, FP32, [8], [1])
    rig.run(DVE, replace_word(gen, src, dst, 2, 0), "illegal", "mr_dtypes", "counts")


def main():
    rig = Rig(sys.argv[1], seed=108)
    for gen in range(5):
        rig.select(gen)
        sequence(rig, gen)
        refusals(rig, gen)
    rig.select(1)
    overlap_cases(rig, 1)
    long_row(rig, 1)
    for threads in (1, 2, 4):
        rig.select(2, threads)
        sequence(rig, 2, small=False)
    rig.finish()


if __name__ == "__main__":
    main()
