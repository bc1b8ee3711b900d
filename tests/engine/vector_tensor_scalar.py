#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""TENSOR_SCALAR (0x43, 0x53) and its pointer forms (0x44, 0x54) against NumPy.

usage: vector_tensor_scalar.py VECTOR_EXEC

Every operator of alu-ops.csv that the words admit, as first and as second stage, in every reverse
setting, with immediates in the word, behind a pointer and behind a register, on every engine and
generation; every pair of data types; patterns of every shape, PSUM, overlapping operands.
"""
import struct
import sys

import vector_formats as fmt
from vector_formats import BF16, FP32, FP32R, FP8_EXP4, INT32, INT8, PLAIN, SIZE, UINT32, Mode
from vector_device import (ACT, DVE, ENGINES, NC, POOL, PSUM, SBUF, Memory, Pattern, Rig,
                           element_wise, header, random_float, random_pattern, random_values,
                           random_window)

ARITH = [0x00, 0x04, 0x05, 0x06, 0x08, 0x09, 0x0D, 0x0E, 0x0F, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17,
         0x18, 0x19]
ARITH_V4 = [0x20, 0x21, 0x22, 0x23]
BITVEC = [0x00, 0x01, 0x02, 0x03, 0x0A, 0x0B, 0x0C, 0x10, 0x11, 0x1C]
LEFT, RIGHT = {0x02, 0x10}, {0x03, 0x11}
DVE_INT = [0x00, 0xC4, 0xC5, 0xC6, 0xC9, 0xCA, 0xCB, 0xCC, 0xCD, 0xCF, 0xD0, 0xD1, 0xD2, 0xD3, 0xD4]
INTEGERS = [fmt.INT8, fmt.UINT8, fmt.INT16, fmt.UINT16, fmt.INT32, fmt.UINT32]
INSTRUCTION, POINTER, REGISTER = 0, 1, 2


def arith_ops(gen):
    return ARITH + (ARITH_V4 if NC[gen] >= 4 else [])


def wrap(value, signed):
    """The low 32 bits of an integer as a signed or unsigned number."""
    value &= 0xFFFFFFFF
    return value - (1 << 32) if signed and value >> 31 else value


class Case:
    """One word: operands, operators and scalars."""

    def __init__(self, gen, engine, opcode, src, dst, lanes, ops, reverse=0):
        self.gen, self.engine, self.opcode = gen, engine, opcode
        self.src, self.dst, self.lanes = src, dst, lanes
        self.ops, self.reverse = ops, reverse
        self.sources, self.fields, self.scalars = [0, 0], [0, 0], [None, None]

    def bitvec(self):
        return self.opcode in (0x53, 0x54)

    def integer(self):
        return max(self.ops) >= 0xC0

    def immediate(self, i, bits):
        self.sources[i], self.fields[i], self.scalars[i] = INSTRUCTION, bits, bits

    def pointer(self, i, pattern, register=None):
        """A scalar a lane in memory; its address in the word, or in a register."""
        self.sources[i] = POINTER if register is None else REGISTER
        self.fields[i] = pattern.address(self.gen) if register is None else register
        self.scalars[i] = pattern

    def word(self):
        sources = [0, 0] if self.opcode in (0x44, 0x54) else self.sources
        return (header(self.opcode) + bytes(4) + self.src.encode(self.gen, 3) +
                bytes([self.src.dtype, self.dst.dtype, self.lanes, sources[0], *self.ops,
                       self.reverse, sources[1]]) +
                struct.pack("<II", *self.fields) + self.dst.encode(self.gen, 3))

    def apply(self, memory, mode):
        """What the sheet says the word does (tensor-scalar-multi.md 8)."""
        scalars = [self.scalar(memory, i, mode) for i in range(2)]
        first, second = self.reverse & 1, self.reverse & 2

        def function(raw):
            t = self.widen(raw, mode)
            t = self.stage(self.ops[0], *((scalars[0], t) if first else (t, scalars[0])))
            t = self.stage(self.ops[1], *((scalars[1], t) if second else (t, scalars[1])))
            return self.store(t, mode)

        element_wise(memory, self.lanes, [self.src], self.dst, function)

    def scalar(self, memory, i, mode):
        value = self.scalars[i]
        if isinstance(value, Pattern):
            raw = memory.read(value, self.lanes)
        else:
            raw = fmt.np.full((self.lanes, 1), value, fmt.np.uint32)
        if self.bitvec() or self.integer():
            return self.exact(raw)
        return raw.view(fmt.np.float32)

    def exact(self, raw):
        """Raw bits as Python integers: unsigned for bitvec, by the type's sign otherwise."""
        dtype = self.src.dtype
        if self.bitvec():
            return raw.astype(object)
        if raw.dtype.itemsize == 4:  # an immediate: 32 raw bits
            dtype = INT32 if dtype in fmt.SIGNED else UINT32
        return fmt.integer_values(dtype, raw)

    def widen(self, raw, mode):
        if self.bitvec() or self.integer():
            return self.exact(raw)
        return fmt.widen(self.src.dtype, raw, mode)

    def stage(self, op, a, b):
        if self.bitvec():
            return fmt.each(lambda p, q: fmt.bitvec_op(op, p, q, 32), a, b)
        if not self.integer():
            return fmt.f32_op(op, a, b)
        signed = op in fmt.SIGNED_OPS or self.src.dtype in fmt.SIGNED
        return fmt.each(lambda p, q: int(fmt.INT_OPS[op](wrap(p, signed), wrap(q, signed))), a, b)

    def store(self, values, mode):
        if self.bitvec() or self.integer():
            return fmt.store_low(self.dst.dtype, values)
        return fmt.narrow(self.dst.dtype, values, mode)


def submit(rig, memory, case, mode, what, spaces):
    """Fill the device, run the word, compare every byte of the lanes."""
    for space, partition in sorted(spaces):
        rig.fill(memory, space, partition, case.lanes)
    rig.run(case.engine, case.word(), what=what)
    case.apply(memory, mode)
    for space, partition in sorted(spaces):
        rig.expect(memory, space, partition, case.lanes, what)


def build(rig, gen, engine, opcode, in_dtype, out_dtype, ops, reverse=0, small=True,
          sources=None, count=None):
    """A random case whose operands lie apart; scalars by `sources`."""
    rng = rig.rng
    memory = Memory()
    lanes, partition = random_window(rng, small)
    count = count or (rng.choice([1, 2, 7, 16, 17, 24, 36]) if small else rng.choice([64, 96, 100]))
    src_space = PSUM if engine != POOL and rng.random() < 0.25 else SBUF
    dst_space = PSUM if engine != POOL and SIZE[out_dtype] == 4 and rng.random() < 0.25 else SBUF
    src = random_pattern(rng, src_space, partition, in_dtype, count, 3, 0, 448)
    other = random_window(rng, small)[1] if small else partition
    dst = random_pattern(rng, dst_space, other if lanes <= 32 else partition, out_dtype, count, 3,
                         512, 960)
    memory.write(src, lanes, random_values(rig, in_dtype, (lanes, src.count())))
    case = Case(gen, engine, opcode, src, dst, lanes, ops, reverse)
    spaces = {(src.space, src.partition), (dst.space, dst.partition)}
    for i in range(2):
        source = POINTER if opcode in (0x44, 0x54) else (sources or rng.choices(range(3), k=2))[i]
        scalar(rig, memory, case, i, source, spaces)
    return memory, case, spaces


def scalar(rig, memory, case, i, source, spaces):
    rng = rig.rng
    dtype = case.src.dtype if case.bitvec() else FP32
    if source == INSTRUCTION:
        width = 8 * SIZE[dtype]
        bits = random_float(rig) if not case.bitvec() else rng.choice(
            [rng.getrandbits(width), rng.randrange(0, 40) & ((1 << width) - 1)])
        case.immediate(i, bits)
        return
    space = SBUF if case.engine == POOL else rng.choice([SBUF, PSUM])
    byte = 980 + 8 * i + rng.randrange(0, 8 // SIZE[dtype]) * SIZE[dtype]
    place = Pattern(space, case.src.partition, byte, dtype, [1], [1])
    values = random_values(rig, dtype, (case.lanes, 1))
    if case.bitvec() and rng.random() < 0.5:
        values = (values % 33).astype(values.dtype)
    memory.write(place, case.lanes, values)
    spaces.add((space, place.partition))
    register = None if source == POINTER else 2 * rng.randrange(32) + i
    if source == REGISTER:
        rig.register(register, place.address(case.gen))
    case.pointer(i, place, register)


def arith_cases(rig, gen):
    rng, mode = rig.rng, Mode.default(gen)
    for engine in [DVE, POOL] + ([ACT] if NC[gen] < 5 else []):
        for op in arith_ops(gen):
            for position in range(2):
                other = rng.choice(arith_ops(gen)[1:])
                ops = [op, other] if position == 0 else [other, op]
                if ops[0] == 0:
                    ops[1] = 0  # T2: BYPASS is followed by BYPASS
                opcode = rng.choice([0x43, 0x43, 0x44])
                in_dtype, out_dtype = rng.choice([FP32] * 6 + PLAIN), rng.choice([FP32] * 6 + PLAIN)
                memory, case, spaces = build(rig, gen, engine, opcode, in_dtype, out_dtype, ops,
                                             reverse=rng.randrange(4))
                submit(rig, memory, case, mode, f"{ENGINES[engine]} {opcode:#x} {ops} "
                       f"reverse {case.reverse} {case.src} to {case.dst}", spaces)


def dtype_cases(rig, gen):
    """All pairs of types, on the fp32 hub."""
    mode = Mode.default(gen)
    for in_dtype in PLAIN:
        for out_dtype in PLAIN + [FP32R]:
            ops = [rig.rng.choice([0x04, 0x05, 0x06]), rig.rng.choice([0x08, 0x09, 0x06])]
            memory, case, spaces = build(rig, gen, DVE, 0x43, in_dtype, out_dtype, ops)
            submit(rig, memory, case, mode, f"types {in_dtype} to {out_dtype} {ops}", spaces)


def bitvec_cases(rig, gen):
    rng, mode = rig.rng, Mode.default(gen)
    for engine in (DVE, POOL):
        for op in BITVEC:
            for position in range(2):
                for _ in range(2):
                    other = rng.choice(BITVEC[1:])
                    ops = [op, other] if position == 0 else [other, op]
                    if ops[0] == 0:
                        ops[1] = 0
                    wide = 0x03 in ops or (ops[0] in LEFT and ops[1] in RIGHT)
                    dtype = rng.choice([INT32, UINT32] if wide else INTEGERS)
                    memory, case, spaces = build(rig, gen, engine, rng.choice([0x53, 0x54]),
                                                 dtype, dtype, ops, reverse=rng.randrange(4))
                    what = f"{ENGINES[engine]} {case.opcode:#x} {ops} type {dtype}"
                    if 0x1C in ops and engine != POOL:  # CRC32 is a POOL operator
                        rig.run(engine, case.word(), "missing", what=what)
                        continue
                    submit(rig, memory, case, mode, what, spaces)


def integer_cases(rig):
    """The integer operators that MAVERICK adds to 0x43; immediates are raw bits."""
    rng, gen = rig.rng, 4
    rig.select(gen)
    for op in DVE_INT:
        for position in range(2):
            other = rng.choice(DVE_INT[1:])
            ops = [op, other] if position == 0 else [other, op]
            if ops[0] == 0:
                ops = [other, 0]
            in_dtype, out_dtype = rng.choice(INTEGERS), rng.choice(INTEGERS)
            memory, case, spaces = build(rig, gen, DVE, 0x43, in_dtype, out_dtype, ops,
                                         reverse=rng.randrange(4))
            submit(rig, memory, case, None, f"integers {ops} {in_dtype} {out_dtype}", spaces)


def clamp_cases(rig):
    rig.select(4)
    for reverse in range(4):
        memory, case, spaces = build(rig, 4, DVE, 0x43, FP32, FP32, [0x24, 0x24], reverse)
        submit(rig, memory, case, Mode.default(4), "symmetric clamp", spaces)


def rsqrt_cases(rig, gen):
    memory, case, spaces = build(rig, gen, POOL, 0x43, FP32, FP32, [0x1D, 0x00],
                                 sources=[INSTRUCTION, INSTRUCTION])
    for i in range(2):
        case.immediate(i, 0)
    submit(rig, memory, case, Mode.default(gen), "rsqrt on pool", spaces)
    rig.run(DVE, case.word(), "missing", what="rsqrt on dve")


def overlap_cases(rig, gen):
    """Destinations over their source: same place, ahead, behind, interleaved, folded."""
    rng, mode = rig.rng, Mode.default(gen)
    for in_dtype, out_dtype in [(FP32, FP32), (FP32, BF16), (BF16, FP32), (FP32, FP8_EXP4),
                                (INT8, FP32), (BF16, BF16), (INT32, FP32)]:
        for shift in (0, 4, -4, 8, 12, -16):
            for step in ([1], [2], [-1], [0]):
                lanes, partition = random_window(rng)
                memory = Memory()
                src = Pattern(SBUF, partition, 256, in_dtype, [21], rng.choice([[1], step]))
                dst = Pattern(SBUF, partition, 256 + shift, out_dtype, [7, 3],
                              [step[0], 7 * step[0]])
                memory.write(src, lanes, random_values(rig, in_dtype, (lanes, 21)))
                case = Case(gen, DVE, 0x43, src, dst, lanes, [0x04, 0x06])
                for i in range(2):
                    case.immediate(i, int(fmt.bits32(fmt.np.float32(rng.choice([0.5, 3, -2])))))
                submit(rig, memory, case, mode, f"overlap {src} to {dst}", {(SBUF, partition)})


def scalar_overlap_case(rig, gen):
    """A result that falls on a scalar: scalars are read first."""
    memory = Memory()
    src = Pattern(SBUF, 0, 0, FP32, [8], [1])
    dst = Pattern(SBUF, 0, 512, FP32, [8], [1])
    memory.write(src, 3, random_values(rig, FP32, (3, 8)))
    case = Case(gen, DVE, 0x44, src, dst, 3, [0x04, 0x06])
    for i in range(2):
        place = Pattern(SBUF, 0, 512 + 4 * i, FP32, [1], [1])
        memory.write(place, 3, random_values(rig, FP32, (3, 1)))
        case.pointer(i, place)
    submit(rig, memory, case, Mode.default(gen), "result over scalar", {(SBUF, 0)})


def packed_case(rig, gen, threads):
    """Rows of memory as the kernel wants them, immediates in the word: a share of the lanes is one
    call."""
    memory, lanes, n, spaces = Memory(), 128, 100, {(SBUF, 0)}
    src = Pattern(SBUF, 0, 0, FP32, [n, 1, 1], [1, 1, 1])
    dst = Pattern(SBUF, 0, 512, FP32, [n, 1, 1], [1, 1, 1])
    memory.write(src, lanes, random_values(rig, FP32, (lanes, n)))
    case = Case(gen, DVE, 0x43, src, dst, lanes, [0x06, 0x08], rig.rng.randrange(4))
    for i in range(2):
        scalar(rig, memory, case, i, INSTRUCTION, spaces)
    submit(rig, memory, case, Mode.default(gen), f"packed, {threads} threads", spaces)


def large_cases(rig, gen):
    """All lanes, on one to four threads: the fast paths and the split."""
    rng = rig.rng
    for threads in (1, 2, 3, 4):
        rig.select(gen, threads)
        packed_case(rig, gen, threads)
        for in_dtype, out_dtype in [(FP32, FP32), (FP32, BF16), (BF16, FP32)]:
            ops = [rng.choice([0x06, 0x04]), rng.choice([0x08, 0x09, 0x04])]
            memory, case, spaces = build(rig, gen, DVE, 0x43, in_dtype, out_dtype, ops,
                                         reverse=rng.randrange(4), small=False)
            submit(rig, memory, case, Mode.default(gen), f"{threads} threads {ops}", spaces)
    rig.select(gen, 1)


def shape_register_case(rig, gen):
    """Counts and steps from a shape register (CAYMAN on): step_elem[0] names it."""
    memory = Memory()
    src = Pattern(SBUF, 0, 0, FP32, [5, 2], [2, 10])
    dst = Pattern(SBUF, 0, 512, FP32, [10], [1])
    memory.write(src, 2, random_values(rig, FP32, (2, 10)))
    case = Case(gen, DVE, 0x43, src, dst, 2, [0x04, 0x08])
    case.immediate(0, 0x3F800000)
    case.immediate(1, 0)
    word = bytearray(case.word())
    rig.shape_register(2, [5, 2, 1, 1], [2, 10, 1, 1])
    word[19] |= 0x40
    word[20:32] = struct.pack("<3h3H", 2, 0, 0, 0, 0, 0)
    rig.fill(memory, SBUF, 0, 2)
    rig.run(DVE, bytes(word), what="shape register")
    case.apply(memory, Mode.default(gen))
    rig.expect(memory, SBUF, 0, 2, "shape register")
    rig.shape_register(2, [5, 3, 1, 1], [2, 10, 1, 1])
    rig.run(DVE, bytes(word), "illegal", "T9", "shape register with another count")


def refusals(rig, gen):
    """Faults that only show at run time, typed and named."""
    def word(change):
        memory, case, _ = build(rig, gen, DVE, 0x43, FP32, FP32, [0x04, 0x06],
                                sources=[REGISTER, INSTRUCTION])
        return change(case)

    def pool_in_psum(case):
        case.engine = POOL
        case.src.space = PSUM
        rig.run(POOL, case.word(), "illegal", "pool_no_psum", "pool reads psum")

    def register_out_of_sbuf(case):
        rig.register(case.fields[0], 0x1F000000)
        rig.run(DVE, case.word(), "address", "tensor_start_addr_valid", "pointer nowhere")

    def register_unaligned(case):
        rig.register(case.fields[0], 2)
        rig.run(DVE, case.word(), "illegal", None, "pointer not aligned")

    def source_past_the_end(case):
        active = [0x30000, 0x38000, 0x40000, 0x40000, 0x80000][gen]
        case.sources[0], case.fields[0] = INSTRUCTION, 0
        case.src.space, case.src.byte = SBUF, active - 16
        case.src.num, case.src.step = [5], [1]
        case.dst.num, case.dst.step = [5], [1]
        rig.run(DVE, case.word(), "address", "exec_active_range", "source past the end")

    def unequal_counts(case):
        case.sources[0], case.fields[0] = INSTRUCTION, 0
        case.src.num, case.src.step = [5], [1]
        case.dst.num, case.dst.step = [6], [1]
        rig.run(DVE, case.word(), "illegal", "T9", "unequal counts")

    for change in (pool_in_psum, register_out_of_sbuf, register_unaligned, source_past_the_end,
                   unequal_counts):
        word(change)


def main():
    rig = Rig(sys.argv[1], seed=43)
    for gen in range(5):
        rig.select(gen)
        arith_cases(rig, gen)
        bitvec_cases(rig, gen)
        rsqrt_cases(rig, gen)
        refusals(rig, gen)
    for gen in (0, 3):
        rig.select(gen)
        dtype_cases(rig, gen)
    rig.select(1)
    overlap_cases(rig, 1)
    scalar_overlap_case(rig, 1)
    shape_register_case(rig, 1)
    large_cases(rig, 2)
    integer_cases(rig)
    clamp_cases(rig)
    rig.finish()


if __name__ == "__main__":
    main()
