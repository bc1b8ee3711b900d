#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""TENSOR_TENSOR (0x41, 0x51) against NumPy and Python's integers.

usage: vector_tensor_tensor.py VECTOR_EXEC

Every operator that the words admit on DVE and POOL of every generation: the fp32 hub, the exact
32-bit integers of POOL, the integer band of 32 and 64 bits, bitvec words of 8 to 64 bits; every pair
of source types; operands that overlap; every fault that shows at run time.
"""
import sys

import vector_formats as fmt
from vector_formats import (BF16, FP32, FP32R, INT32, INT64, INT8, INT16, PLAIN, SIZE, UINT8,
                            UINT16, UINT32, UINT64, Mode)
from vector_device import (DVE, ENGINES, NC, POOL, PSUM, SBUF, Memory, Pattern, Rig, element_wise,
                           header, random_pattern, random_values, random_window)
from vector_tensor_scalar import arith_ops

POW, MOD = 0x1A, 0x1B
INT_BAND = [0xC4, 0xC5, 0xC6, 0xC7, 0xC8, 0xC9, 0xCA, 0xCB, 0xCC, 0xCD] + list(range(0xCF, 0xDE))
INT_BAND_V2 = [0xC4, 0xC5, 0xC6]
BITVEC = [0x00, 0x01, 0x02, 0x03, 0x0A, 0x0B, 0x0C, 0x10, 0x11]
SHIFTS = {0x02, 0x03, 0x10, 0x11}
NATIVE = {0x04, 0x05, 0x06, 0x08, 0x09, 0x12, 0x13, 0x14, 0x15, 0x16, 0x18}
SIGNED, UNSIGNED = [INT8, INT16, INT32, INT64], [UINT8, UINT16, UINT32, UINT64]


class Case:
    def __init__(self, gen, engine, opcode, op, sources, dst, lanes):
        self.gen, self.engine, self.opcode, self.op = gen, engine, opcode, op
        self.sources, self.dst, self.lanes = sources, dst, lanes

    def types(self):
        return [s.dtype for s in self.sources] + [self.dst.dtype]

    def word(self):
        low, high, out = self.types()
        return (header(self.opcode) + bytes([low | high << 4, out, self.op, self.lanes]) +
                b"".join(p.encode(self.gen, 3) for p in self.sources + [self.dst]))

    def is_exact(self):
        """Integers instead of the fp32 hub: the integer band, MOD of integers, and POOL's native
        operators when all three types are 32-bit integers (vector-ops.md 2.1)."""
        integers = all(t in fmt.INTEGERS for t in self.types())
        native = self.engine == POOL and self.op in NATIVE and \
            all(t in (INT32, UINT32) for t in self.types())
        return self.op >= 0xC0 or (self.op == MOD and integers) or native

    def function(self, mode):
        a_type, b_type, out = self.types()
        width = 64 if 8 in [SIZE[t] for t in self.types()] else 32
        if self.opcode == 0x51:
            def bits(a, b):
                r = fmt.each(lambda p, q: fmt.bitvec_op(self.op, p, q, width), a.astype(object),
                             b.astype(object))
                return fmt.store_low(out, r)
            return bits
        if self.is_exact():
            def exact(a, b):
                return fmt.store_low(out, fmt.each(self.integer, fmt.integer_values(a_type, a),
                                                   fmt.integer_values(b_type, b)))
            return exact

        def hub(a, b):
            r = fmt.f32_op(self.op, fmt.widen(a_type, a, mode), fmt.widen(b_type, b, mode))
            return fmt.narrow(out, r, mode)
        return hub

    def integer(self, a, b):
        if self.op in (0xC7, 0xC8):  # signed by definition, whatever the types say
            width = 64 if 8 in [SIZE[t] for t in self.types()] else 32
            a, b = (v - (1 << width) if v >> (width - 1) == 1 else v for v in (a, b))
        return int(fmt.INT_OPS[self.op](a, b))

    def apply(self, memory, mode):
        element_wise(memory, self.lanes, self.sources, self.dst, self.function(mode))


def submit(rig, memory, case, what, fault="none", rule=None):
    windows = sorted({(p.space, p.partition) for p in case.sources + [case.dst]})
    what = f"{ENGINES[case.engine]} {case.opcode:#x} op {case.op:#x} {what} " \
           f"{case.sources} to {case.dst}"
    for space, partition in windows:
        rig.fill(memory, space, partition, case.lanes)
    rig.run(case.engine, case.word(), fault, rule, what)
    if fault == "none":
        case.apply(memory, Mode.default(case.gen))
    for space, partition in windows:  # a refused word changes nothing
        rig.expect(memory, space, partition, case.lanes, what)


def build(rig, gen, engine, opcode, op, types, small=True, nonzero=False, count=None):
    rng, memory = rig.rng, Memory()
    lanes, partition = random_window(rng, small)
    count = count or (rng.choice([1, 3, 8, 16, 18, 20]) if small else rng.choice([64, 72]))
    psum = rng.choice([0, 1, None, None]) if engine != POOL else None
    sources = []
    for i in range(2):
        space = PSUM if psum == i else SBUF
        sources.append(random_pattern(rng, space, partition, types[i], count, 3, 336 * i,
                                      336 * i + 330))
        values = random_values(rig, types[i], (lanes, sources[i].count()))
        if i == 1 and op in SHIFTS and rng.random() < 0.8:
            values = (values % (70 if SIZE[types[2]] == 8 else 35)).astype(values.dtype)
        if i == 1 and nonzero:
            values = fmt.np.where(values == 0, 3, values).astype(values.dtype)
        memory.write(sources[i], lanes, values)
    dst_space = PSUM if engine != POOL and SIZE[types[2]] == 4 and rng.random() < 0.2 else SBUF
    dst = random_pattern(rng, dst_space, partition, types[2], count, 3, 680, 1016)
    return memory, Case(gen, engine, opcode, op, sources, dst, lanes)


def hub_cases(rig, gen):
    rng = rig.rng
    for engine in (DVE, POOL):
        for op in arith_ops(gen) + [POW]:
            for _ in range(2):
                types = [rng.choice([FP32] * 4 + PLAIN) for _ in range(3)]
                memory, case = build(rig, gen, engine, 0x41, op, types)
                if op == POW and engine != POOL:
                    submit(rig, memory, case, "only POOL", "missing")
                elif not case.is_exact():
                    submit(rig, memory, case, "hub")


def dtype_cases(rig, gen):
    for first in PLAIN:
        for second in PLAIN:
            types = [first, second, rig.rng.choice(PLAIN + [FP32R])]
            op = rig.rng.choice([0x04, 0x05, 0x06, 0x08])
            submit(rig, *build(rig, gen, DVE, 0x41, op, types), f"types {types}")


def native_cases(rig, gen):
    """POOL on 32-bit integers: exact, where DVE rounds to 24 bits."""
    rng = rig.rng
    for op in sorted(NATIVE):
        for types in ([INT32] * 3, [UINT32] * 3, [rng.choice([INT32, UINT32]) for _ in range(3)]):
            for engine in (POOL, DVE):
                submit(rig, *build(rig, gen, engine, 0x41, op, types), "native")


def band_cases(rig, gen):
    rng = rig.rng
    for op in (INT_BAND if NC[gen] > 2 else INT_BAND_V2) + [MOD]:
        for engine in (DVE, POOL):
            for wide in (False, True):
                signs = [SIGNED] if op in fmt.SIGNED_OPS - {0xC7, 0xC8} else \
                    [UNSIGNED] if op in fmt.UNSIGNED_OPS else [SIGNED, UNSIGNED]
                family = rng.choice(signs)
                types = [rng.choice(family[:3]) for _ in range(3)]
                if wide:
                    types[rng.randrange(3)] = family[3]
                divides = op in fmt.DIVIDES
                memory, case = build(rig, gen, engine, 0x41, op, types, nonzero=divides)
                if wide and (engine != POOL or NC[gen] == 2):
                    submit(rig, memory, case, "64 bits", "missing")
                else:
                    submit(rig, memory, case, "band")
                if divides and not wide:
                    divisor = case.sources[1]
                    n = rng.randrange(divisor.count())
                    memory.write(divisor, case.lanes, fmt.np.zeros((case.lanes, 1)),
                                 slice(n, n + 1))
                    submit(rig, memory, case, "by zero", "divide_by_zero")


def bitvec_cases(rig, gen):
    rng = rig.rng
    for op in BITVEC:
        for engine in (DVE, POOL):
            for dtype in fmt.INTEGERS:
                shift = dtype if SIZE[dtype] < 8 or op not in SHIFTS or rng.random() < 0.5 \
                    else UINT32
                memory, case = build(rig, gen, engine, 0x51, op, [dtype, shift, dtype])
                wide = SIZE[dtype] == 8 and (engine != POOL or NC[gen] == 2)
                narrow = op == 0x03 and SIZE[dtype] < 4
                submit(rig, memory, case, f"type {dtype}", "missing" if wide or narrow else "none")


def overlap_cases(rig, gen):
    """Results over a source, running sums through a destination that stands still."""
    rng = rig.rng
    for trial in range(40):
        memory = Memory()
        lanes, partition = random_window(rng)
        types = [rng.choice([FP32, FP32, BF16, INT32]) for _ in range(3)]
        step = rng.choice([1, 1, 2, -1, 0])
        a = Pattern(SBUF, partition, 200, types[0], [12], [rng.choice([1, 1, 0])])
        b = Pattern(SBUF, partition, 400, types[1], [12], [1])
        at = rng.choice([a, b])
        dst = Pattern(SBUF, partition, at.byte + 4 * rng.randrange(-3, 4), types[2], [12], [step])
        for p in (b, a):
            memory.write(p, lanes, random_values(rig, p.dtype, (lanes, 12)))
        case = Case(gen, DVE, 0x41, rng.choice([0x04, 0x06, 0x08]), [a, b], dst, lanes)
        submit(rig, memory, case, f"overlap {trial}")


def interleave_cases(rig, gen):
    """Even columns to odd columns: no byte in common, any order gives the same."""
    for dtype in (FP32, BF16):
        memory = Memory()
        a = Pattern(SBUF, 0, 0, dtype, [30], [2])
        b = Pattern(SBUF, 0, 512, dtype, [30], [1])
        dst = Pattern(SBUF, 0, SIZE[dtype], dtype, [30], [2])
        for p in (a, b):
            memory.write(p, 4, random_values(rig, dtype, (4, 30)))
        submit(rig, memory, Case(gen, DVE, 0x41, 0x04, [a, b], dst, 4), "interleaved")


def large_cases(rig, gen):
    for threads in (1, 2, 3, 4):
        rig.select(gen, threads)
        for engine, types, op in [(DVE, [FP32] * 3, 0x04), (POOL, [INT32] * 3, 0x06),
                                  (DVE, [BF16, FP32, BF16], 0x08)]:
            memory, case = build(rig, gen, engine, 0x41, op, types, small=False)
            case.lanes = 128
            for p in case.sources + [case.dst]:
                p.partition = 0
            for p in case.sources:
                memory.write(p, 128, random_values(rig, p.dtype, (128, p.count())))
            submit(rig, memory, case, f"{threads} threads")
    rig.select(gen, 1)


def refusals(rig, gen):
    def case_of(engine=DVE):
        a, b, dst = (Pattern(SBUF, 0, at, FP32, [4], [1]) for at in (0, 64, 128))
        return Memory(), Case(gen, engine, 0x41, 0x04, [a, b], dst, 4)

    memory, case = case_of()
    case.sources[1].partition = 32
    submit(rig, memory, case, "two quadrants", "illegal", "TT4")
    memory, case = case_of()
    case.sources[0].space = case.sources[1].space = PSUM
    submit(rig, memory, case, "two in psum", "illegal", "TT5")
    memory, case = case_of()
    case.sources[1].num = [5]
    submit(rig, memory, case, "counts", "illegal", "tt_counts")
    memory, case = case_of(POOL)
    case.dst.space = PSUM
    submit(rig, memory, case, "pool writes psum", "illegal", "pool_no_psum")
    memory, case = case_of()
    case.dst.dtype, case.dst.space = BF16, PSUM
    submit(rig, memory, case, "narrow in psum", "illegal", "tensor_start_addr_valid")
    memory, case = case_of(POOL)
    case.sources[0].dtype = INT64
    submit(rig, memory, case, "64 bits on the hub", "illegal")


def main():
    rig = Rig(sys.argv[1], seed=41)
    for gen in range(5):
        rig.select(gen)
        hub_cases(rig, gen)
        native_cases(rig, gen)
        band_cases(rig, gen)
        bitvec_cases(rig, gen)
        refusals(rig, gen)
    for gen in (0, 2):
        rig.select(gen)
        dtype_cases(rig, gen)
    rig.select(1)
    overlap_cases(rig, 1)
    interleave_cases(rig, 1)
    large_cases(rig, 1)
    rig.finish()


if __name__ == "__main__":
    main()
