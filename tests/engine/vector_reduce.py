#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""TENSOR_REDUCE (0x42, 0x52) against a sequential loop in NumPy's float32.

usage: vector_reduce.py VECTOR_EXEC

Every operator, every op_dim, negated and not, every type, windows shorter and longer than any tile
of the implementation, many and few lanes and windows, results over their own source.
"""
import sys

import vector_formats as fmt
from vector_formats import BF16, FP32, FP32R, INT32, PLAIN, SIZE, UINT32, UINT8, Mode, np
from vector_device import (DVE, ENGINES, POOL, PSUM, SBUF, Memory, Pattern, Rig,
                           overlap, random_pattern, random_values, random_window)
from vector_moves import tr_word
from vector_tensor_scalar import arith_ops

X, XY, XYZ, XYZW = 2, 3, 4, 5
BITVEC = [0x00, 0x01, 0x02, 0x03, 0x0A, 0x0B, 0x0C, 0x10, 0x11]
INTEGERS = [t for t in fmt.INTEGERS if SIZE[t] < 8]


def fold(op, rows, bitvec):
    """One result a row: acc = acc op element, in order."""
    acc = rows[:, :1]
    for n in range(1, rows.shape[1]):
        if bitvec:
            acc = fmt.each(lambda a, b: fmt.bitvec_op(op, a, b, 32), acc, rows[:, n:n + 1])
        else:
            acc = fmt.f32_op(op, acc, rows[:, n:n + 1])
    return acc


class Case:
    def __init__(self, gen, engine, opcode, op, op_dim, negated, src, dst, lanes):
        self.gen, self.engine, self.opcode, self.op = gen, engine, opcode, op
        self.op_dim, self.negated, self.src, self.dst, self.lanes = op_dim, negated, src, dst, lanes

    def word(self):
        return tr_word(self.gen, self.opcode, self.src, self.dst, self.lanes, self.negated, self.op,
                       self.op_dim)

    def window(self):
        return int(np.prod(self.src.num[:self.op_dim - 1]))

    def result(self, raw, mode):
        if self.opcode == 0x52:
            return fmt.store_low(self.dst.dtype, fold(self.op, raw.astype(object), True))
        acc = fold(self.op, fmt.widen(self.src.dtype, raw, mode), False)
        if self.negated:
            acc = np.where(np.isnan(acc), fmt.CANONICAL, -acc).astype(np.float32)
        return fmt.narrow(self.dst.dtype, acc, mode)

    def apply(self, memory, mode):
        """Window by window: each reads its elements, then writes its result."""
        windows, size = self.dst.count(), self.window()
        if overlap(self.src, self.dst):
            for o in range(windows):
                raw = memory.read(self.src, self.lanes, slice(o * size, (o + 1) * size))
                memory.write(self.dst, self.lanes, self.result(raw, mode), slice(o, o + 1))
            return
        raw = memory.read(self.src, self.lanes).reshape(self.lanes * windows, size)
        memory.write(self.dst, self.lanes, self.result(raw, mode).reshape(self.lanes, windows))


def submit(rig, memory, case, what, fault="none", rule=None):
    windows = sorted({(p.space, p.partition) for p in (case.src, case.dst)})
    what = f"{ENGINES[case.engine]} {case.opcode:#x} op {case.op:#x} dim {case.op_dim} {what} " \
           f"{case.src} to {case.dst}"
    for space, partition in windows:
        rig.fill(memory, space, partition, case.lanes)
    rig.run(case.engine, case.word(), fault, rule, what)
    if fault == "none":
        case.apply(memory, Mode.default(case.gen))
    for space, partition in windows:
        rig.expect(memory, space, partition, case.lanes, what)


def build(rig, gen, engine, opcode, op, types, num=None, op_dim=None, lanes=None):
    rng, memory = rig.rng, Memory()
    window = random_window(rng)
    if lanes:
        window = lanes, 0
    lanes, partition = window
    op_dim = op_dim or rng.choice([X, XY, XYZ, XYZW])
    num = num or [rng.choice([1, 2, 3, 5, 8]) for _ in range(4)]
    while np.prod(num) > 640 // SIZE[types[0]]:
        num[rng.randrange(4)] = 1
    while np.prod(num[op_dim - 1:], dtype=int) > 300 // SIZE[types[1]]:
        num[rng.randrange(op_dim - 1, 4)] = 1
    src = Pattern(SBUF, partition, 0, types[0], num, [1] * 4)
    span = 1
    for d in rng.sample(range(4), 4):
        src.step[d] = span * rng.choice([1, 1, -1, 0])
        src.byte += max(0, -src.step[d]) * (num[d] - 1) * SIZE[types[0]]
        span *= num[d]
    if rng.random() < 0.5:
        src.byte = 0
        src.step = [1, num[0], num[0] * num[1], num[0] * num[1] * num[2]]
    psum = engine != POOL
    src.space = PSUM if psum and rng.random() < 0.3 else SBUF
    count = int(np.prod(num[op_dim - 1:]))
    dst = random_pattern(rng, SBUF, partition, types[1], count, 4, 700, 1020)
    memory.write(src, lanes, random_values(rig, types[0], (lanes, src.count())))
    return memory, Case(gen, engine, opcode, op, op_dim, 0, src, dst, lanes)


def arith_cases(rig, gen):
    rng = rig.rng
    for op in arith_ops(gen) + [0x07, 0x1B]:
        for _ in range(3):
            types = [rng.choice([FP32] * 3 + PLAIN), rng.choice([FP32, FP32, FP32R] + PLAIN)]
            memory, case = build(rig, gen, DVE, 0x42, op, types)
            case.negated = rng.randrange(2)
            submit(rig, memory, case, "arith")
    for op in (0x0A, 0x10, 0x1A, 0x1D, 0x1C):  # not fp32 operators of the DVE
        memory, case = build(rig, gen, DVE, 0x42, op, [FP32, FP32])
        submit(rig, memory, case, "no such reduction", "missing")


def dtype_cases(rig, gen):
    for in_dtype in PLAIN:
        for out_dtype in PLAIN + [FP32R]:
            op = rig.rng.choice([0x04, 0x08, 0x09, 0x06, 0x05])
            submit(rig, *build(rig, gen, DVE, 0x42, op, [in_dtype, out_dtype]), "types")


def bitvec_cases(rig, gen):
    rng = rig.rng
    for engine in (DVE, POOL):
        for op in BITVEC + [0x1C]:
            for dtype in INTEGERS:
                if op == 0x03 and SIZE[dtype] < 4:
                    continue
                out = rng.choice([dtype, dtype] + INTEGERS)
                memory, case = build(rig, gen, engine, 0x52, op, [dtype, out])
                missing = op == 0x1C and engine != POOL
                submit(rig, memory, case, "bitvec", "missing" if missing else "none")
    memory, case = build(rig, gen, DVE, 0x52, 0x0A, [BF16, BF16])
    submit(rig, memory, case, "bits of floats", "illegal")


def shape_cases(rig, gen):
    """Windows and lanes around every block size of the implementation."""
    for threads in (1, 3):
        rig.select(gen, threads)
        for window, windows, lanes in [(160, 1, 128), (170, 1, 65), (37, 4, 33), (1, 60, 32),
                                       (4, 40, 128), (8, 16, 31), (9, 15, 128), (2, 75, 3)]:
            for op in (0x04, 0x05, 0x06, 0x08, 0x09, 0x17):
                for dtype in (FP32, BF16):
                    memory, case = build(rig, gen, DVE, 0x42, op, [dtype, FP32],
                                         [window, windows, 1, 1], X, lanes)
                    submit(rig, memory, case, f"{window} x {windows} x {lanes}")
    rig.select(gen, 1)


def long_case(rig, gen):
    """A window longer than any tile, by a source that stands still in its outer dimensions."""
    for dtype, op in ((BF16, 0x04), (FP32, 0x04), (FP32, 0x08), (UINT8, 0x0C), (FP32, 0x05)):
        memory, lanes = Memory(), 35
        src = Pattern(SBUF, 0, 0, dtype, [97, 13], [1, 0])
        dst = Pattern(SBUF, 0, 512, dtype, [1], [1])
        memory.write(src, lanes, random_values(rig, dtype, (lanes, src.count())))
        opcode = 0x52 if dtype == UINT8 else 0x42
        submit(rig, memory, Case(gen, DVE, opcode, op, XY, 0, src, dst, lanes), "long")


def overlap_cases(rig, gen):
    rng = rig.rng
    for _ in range(30):
        memory, lanes = Memory(), 3
        types = [rng.choice([FP32, BF16, INT32]), rng.choice([FP32, BF16, UINT32])]
        src = Pattern(SBUF, 0, 200, types[0], [3, 20], [1, 3])
        dst = Pattern(SBUF, 0, 200 + 4 * rng.randrange(-4, 40), types[1], [20],
                      [rng.choice([1, 2, -1, 0])])
        memory.write(src, lanes, random_values(rig, types[0], (lanes, 60)))
        submit(rig, memory, Case(gen, DVE, 0x42, 0x04, X, 0, src, dst, lanes), "overlap")


def refusals(rig, gen):
    src, dst = Pattern(SBUF, 0, 0, FP32, [4, 3], [1, 4]), Pattern(SBUF, 0, 512, FP32, [4], [1])
    memory = Memory()
    submit(rig, memory, Case(gen, DVE, 0x42, 0x04, X, 0, src, dst, 2), "counts", "illegal",
           "tr_counts")


def main():
    rig = Rig(sys.argv[1], seed=42)
    for gen in range(5):
        rig.select(gen)
        arith_cases(rig, gen)
        bitvec_cases(rig, gen)
        refusals(rig, gen)
    rig.select(0)
    dtype_cases(rig, 0)
    rig.select(3)
    dtype_cases(rig, 3)
    shape_cases(rig, 1)
    long_case(rig, 1)
    overlap_cases(rig, 1)
    rig.finish()


if __name__ == "__main__":
    main()
