#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Activation words (0x21 to 0x25) against NumPy, float32 step by step.

usage: act_words.py VECTOR_EXEC

Functions of every kind (act_tables.py) on every generation, in every data type, with scale, bias and
third immediate in the word, behind pointers and registers; patterns of every shape, PSUM, operands
over each other; accumulators through all commands; sets loaded and refused; special values as the
registers say.
"""
import random
import struct
import sys

import numpy as np

import act_tables
import vector_formats as fmt
from act_tables import Evaluator, bits
from vector_device import (ACT, DVE, NC, PSUM, SBUF, Memory, Pattern, Rig, element_wise, header,
                           random_pattern, random_values, random_window)
from vector_formats import BF16, FP16, FP32, INT32, PLAIN, SIZE, UINT8, Mode

INSTRUCTION, POINTER, REGISTER = 0, 1, 2
FLOATS = [FP32, BF16, FP16]
FUNCTIONS = [7, 6, 5, 19, 30, 8, 1, 2, 128, 4, 200, 201, 202, 210, 211]
MULT, ADD, SUB, BYPASS, MAX, MIN, ABS_MAX, ABS_MIN = 6, 4, 5, 0, 8, 9, 0x20, 0x21
IDENTITY = {ADD: 0.0, MAX: -np.inf, MIN: np.inf, ABS_MAX: 0.0, ABS_MIN: np.inf}


def engine_of(gen):
    return DVE if NC[gen] == 5 else ACT


class Device:
    """What a core remembers, as the oracle believes."""

    def __init__(self, rig, gen, tables):
        self.rig, self.gen = rig, gen
        self.acc = np.zeros(128, np.float32)
        self.evaluator = Evaluator(tables, gen == 0)
        self.load(tables)

    def load(self, tables):
        self.evaluator = Evaluator(tables, self.gen == 0, self.evaluator.detectors,
                                   self.evaluator.negzero)
        for which, raw in enumerate(tables.tables(self.gen == 0)):
            self.rig.commands += struct.pack("<cB", b"T", which) + raw

    def detectors(self, pairs, negzero=False):
        self.rig.commands += b"D" + b"".join(struct.pack("<II", *p) for p in pairs)
        self.rig.commands += struct.pack("<cB", b"Y", negzero)
        self.evaluator.detectors, self.evaluator.negzero = pairs, negzero


class Scalar:
    """An immediate: in the word, or one a lane in memory."""

    def __init__(self, rig, memory, gen, lanes, partition, slot, dtype, source, value=None):
        self.source = source
        if source == INSTRUCTION:
            self.field = bits(rig.np_rng.normal(0, 1.5)) if value is None else value
            self.lanes = np.full((lanes, 1), self.field, np.uint32).view(np.float32)
            return
        place = Pattern(SBUF, partition, 16 * slot, dtype, [1], [1])
        memory.write(place, lanes, random_values(rig, dtype, (lanes, 1)))
        self.field = place.address(gen)
        if source == REGISTER:
            register = 3 * rig.rng.randrange(21) + slot  # of its own
            rig.register(register, self.field)
            self.field = register
        self.lanes = fmt.widen(dtype, memory.read(place, lanes), Mode.default(gen))


class Case:
    """One word with its operands, drawn at random."""

    def __init__(self, device, in_dtype, out_dtype, func, small=True, dims=3, over=False):
        rig = device.rig
        self.device, self.rig, self.gen, self.func = device, rig, device.gen, func
        self.memory = Memory()
        rng = rig.rng
        self.lanes, self.partition = random_window(rng, small)
        count = rng.choice([1, 2, 7, 16, 24, 36]) if small else rng.choice([60, 96, 100])
        src_space = PSUM if rng.random() < 0.2 and not (over and SIZE[out_dtype] != 4) else SBUF
        dst_space = PSUM if SIZE[out_dtype] == 4 and rng.random() < 0.2 else SBUF
        self.src = random_pattern(rng, src_space, self.partition, in_dtype, count, dims, 128, 576)
        self.dst = random_pattern(rng, dst_space, self.partition, out_dtype, count, dims, 576, 1024)
        if over:  # in place, or one element further
            self.dst = Pattern(self.src.space, self.partition,
                               self.src.byte + SIZE[in_dtype] * rng.choice([0, 1]), out_dtype,
                               self.src.num, self.src.step)
        values = random_values(rig, in_dtype, (self.lanes, count))
        self.memory.write(self.src, self.lanes, values)
        self.mode = Mode.default(device.gen)
        self.spaces = {(SBUF, self.partition), (src_space, self.partition),
                       (self.dst.space, self.partition)}

    def scalar(self, slot, dtype, source, value=None):
        return Scalar(self.rig, self.memory, self.gen, self.lanes, self.partition, slot, dtype,
                      source, value)

    def evaluate(self, v, alpha, opcode):
        function = self.device.evaluator.find(opcode, self.func)
        return self.device.evaluator(function, v, np.broadcast_to(alpha, v.shape))

    def submit(self, word, opcode, stages, alpha=np.float32(0), reduce_op=None, quantize=None,
               what=""):
        """Run it here and there; the accumulators are read by the caller's next word."""
        rig, memory = self.rig, self.memory
        for space, partition in sorted(self.spaces):
            rig.fill(memory, space, partition, self.lanes)
        rig.run(engine_of(self.gen), word, what=what)
        function = self.device.evaluator.find(opcode, self.func)
        affine = not function.fields["bias_scale_fma_bypass"] or self.gen == 0
        acc = self.device.acc[:self.lanes]

        def elements(raw):
            v = fmt.widen(self.src.dtype, raw, self.mode)
            for op, scalar, reverse in stages if affine else []:
                v = fmt.f32_op(op, *((scalar, v) if reverse else (v, scalar)))
            f = self.evaluate(v, alpha, opcode)
            if reduce_op is not None:
                for i in range(f.shape[1]):
                    acc[:] = fmt.f32_op(reduce_op, acc, f[:, i])
            for op, value in quantize or []:
                f = fmt.f32_op(op, f, np.float32(value))
            return fmt.narrow(self.dst.dtype, f, self.mode)

        element_wise(memory, self.lanes, [self.src], self.dst, elements)
        for space, partition in sorted(self.spaces):
            rig.expect(memory, space, partition, self.lanes, what)

    def read_accumulators(self, dtype=FP32):
        """0x24 writes one element a lane."""
        where = Pattern(SBUF, self.partition, 96, dtype, [1], [1])
        word = (header(0x24) + bytes(16) + struct.pack("<I", 1) + bytes([dtype, 0, self.lanes]) +
                bytes(9) + where.encode(self.gen, 1) + bytes(12))
        self.rig.run(engine_of(self.gen), word, what="read accumulators")
        self.memory.write(where, self.lanes,
                          fmt.narrow(dtype, self.device.acc[:self.lanes, None], self.mode))
        self.rig.expect(self.memory, SBUF, self.partition, self.lanes, "accumulators")


# ---- the words -----------------------------------------------------------------------------------

def activate(case, sources=(INSTRUCTION,) * 3, bias_dtype=FP32, command=3, values=(None,) * 3,
             what=""):
    """0x21 with its scalars; copy drops a bias in memory, fused constants replace both."""
    scale = case.scalar(0, FP32, sources[0], values[0])
    bias = case.scalar(1, bias_dtype, sources[1], values[1])
    imm = case.scalar(2, FP32, sources[2], values[2])
    bias_src_n = {POINTER: 0, INSTRUCTION: 1, REGISTER: 2}[sources[1]]
    word = (header(0x21) + bytes([imm.source, scale.source, command, bias_src_n]) +
            case.src.encode(case.gen, 3) +
            bytes([case.src.dtype | bias_dtype << 4, case.dst.dtype, case.lanes, case.func]) +
            struct.pack("<III", scale.field, bias.field, imm.field) + case.dst.encode(case.gen, 3))
    fields = case.device.evaluator.find(0x21, case.func).fields
    scale, bias = scale.lanes, bias.lanes
    if case.func == 128 and sources[1] != INSTRUCTION:
        bias = np.float32(0)
    if fields["scale_fuse_en"]:
        scale = np.array([fields["scale_const"]], np.uint32).view(np.float32)
    if fields["bias_fuse_en"]:
        bias = np.array([fields["bias_const"]], np.uint32).view(np.float32)
    acc = case.device.acc
    if command in (1, 3):
        acc[:case.lanes] = 0
    if command == 4:
        acc[:case.lanes] = imm.lanes[:, 0]
    case.submit(word, 0x21, [(MULT, scale, False), (ADD, bias, False)], imm.lanes,
                ADD if command >= 2 else None, what=what)


def random_sources(rng, gen):
    """SUNDA takes its bias from memory only."""
    bias = [POINTER] if gen == 0 else [INSTRUCTION, POINTER, REGISTER]
    return (rng.choice([INSTRUCTION, POINTER, REGISTER]), rng.choice(bias),
            rng.choice([INSTRUCTION, POINTER, REGISTER]))


def function_cases(rig, device):
    for func in FUNCTIONS:
        for small in (True, True, False):
            case = Case(device, rig.rng.choice(FLOATS), rig.rng.choice(FLOATS), func, small)
            activate(case, random_sources(rig.rng, device.gen), rig.rng.choice(FLOATS),
                     rig.rng.choice([0, 1, 2, 3, 4]), what=f"activate {func}")
            case.read_accumulators(rig.rng.choice(FLOATS))


def plain_cases(rig, device):
    """Scale 1 and bias 0: what the function alone does with random bits."""
    for func in FUNCTIONS:
        case = Case(device, FP32, FP32, func, small=False)
        count = case.src.count()
        raw = rig.np_rng.integers(0, 1 << 32, (case.lanes, count), np.uint64).astype(np.uint32)
        near = rig.np_rng.normal(0, 4, (case.lanes, count)).astype(np.float32).view(np.uint32)
        case.memory.write(case.src, case.lanes, np.where(rig.np_rng.random(raw.shape) < 0.5, raw, near))
        bias = POINTER if device.gen == 0 else INSTRUCTION
        activate(case, (INSTRUCTION, bias, INSTRUCTION), FP32, 3, (bits(1.0), bits(0.0), None),
                 what=f"plain {func}")
        case.read_accumulators()


def dtype_cases(rig, device):
    for in_dtype in PLAIN:
        for out_dtype in rig.rng.sample(PLAIN, 4):
            case = Case(device, in_dtype, out_dtype, rig.rng.choice(FUNCTIONS))
            activate(case, random_sources(rig.rng, device.gen), rig.rng.choice(FLOATS),
                     rig.rng.choice([0, 2, 3]), what=f"dtypes {in_dtype} to {out_dtype}")


def overlap_cases(rig, device):
    for _ in range(12):
        dtype = rig.rng.choice(FLOATS)
        case = Case(device, dtype, dtype, rig.rng.choice([7, 6, 2, 210]), over=True)
        activate(case, random_sources(rig.rng, device.gen), FP32, 2, what="overlap")
        case.read_accumulators()


def quantize_cases(rig, device):
    for func in [f for f in FUNCTIONS if f != 4]:
        case = Case(device, rig.rng.choice([FP32, INT32]), UINT8, func)
        bias_dtype = rig.rng.choice(FLOATS)
        bias = case.scalar(1, bias_dtype, POINTER)
        quant, dequant, zero = (np.float32(v) for v in
                                (rig.rng.uniform(20, 90), rig.rng.uniform(0.1, 1.5), 128.0))
        word = (header(0x22) + struct.pack("<f", quant) + case.src.encode(case.gen, 3) +
                bytes([case.src.dtype | bias_dtype << 4, UINT8, case.lanes, func]) +
                struct.pack("<fIf", dequant, bias.field, zero) + case.dst.encode(case.gen, 3))
        fields = device.evaluator.find(0x22, func).fields
        scale, shift = dequant, bias.lanes
        if fields["scale_fuse_en"]:
            scale = np.array([fields["scale_const"]], np.uint32).view(np.float32)
        if fields["bias_fuse_en"]:
            shift = np.array([fields["bias_const"]], np.uint32).view(np.float32)
        case.submit(word, 0x22, [(MULT, scale, False), (ADD, shift, False)],
                    quantize=[(MULT, quant), (ADD, zero)], what=f"quantize {func}")
        case.read_accumulators()


PAIRS = [(MULT, ADD), (MULT, SUB), (MULT, BYPASS), (ADD, BYPASS), (SUB, BYPASS), (BYPASS, BYPASS)]


def activate2_cases(rig, device):
    for func in FUNCTIONS:
        ops, reverse = rig.rng.choice(PAIRS), rig.rng.randrange(4)
        case = Case(device, rig.rng.choice(FLOATS), rig.rng.choice(FLOATS), func, dims=2,
                    small=rig.rng.random() < 0.7)
        imm_dtype, command = rig.rng.choice(FLOATS), rig.rng.randrange(4)
        reduce_op = rig.rng.choice([ADD, MAX, MIN, ABS_MAX, ABS_MIN])
        scalars = [case.scalar(i, imm_dtype, rig.rng.choice([INSTRUCTION, POINTER, REGISTER])
                               if case.src.space == SBUF else INSTRUCTION) for i in range(3)]
        word = (header(0x25) + case.src.encode(case.gen, 2) +
                bytes([scalars[2].source, scalars[0].source, command, scalars[1].source, imm_dtype,
                       *ops, reduce_op, case.src.dtype, case.dst.dtype, case.lanes, func]) +
                struct.pack("<III", *[s.field for s in scalars]) + case.dst.encode(case.gen, 2) +
                bytes([reverse, 0, 0, 0]))
        if command in (1, 3):
            device.acc[:case.lanes] = IDENTITY[reduce_op]
        stages = [(ops[i], scalars[i].lanes, reverse >> i & 1) for i in range(2)]
        case.submit(word, 0x25, stages, scalars[2].lanes, reduce_op if command >= 2 else None,
                    what=f"activate2 {func} {ops} {reverse}")
        case.read_accumulators()


def special_cases(rig, device):
    """-0 and signalling NaN are not detected by the masks of the init; other masks, other answers."""
    values = np.array([0, 0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00001, 0x7F800001,
                       0x7FFFFFFF, 1, 0x80000001, 0x3F800000, 0xC0000000], np.uint32)
    banks = [(act_tables.DETECTORS, False), (act_tables.DETECTORS, True),
             (((0, 0x7FFFFFFF), (0x7F800000, 0xFFFFFFFF), (0xFF800000, 0xFFFFFFFF),
               (0x7F800000, 0x7F800000)), False)]
    for pairs, negzero in banks:
        device.detectors(pairs, negzero)
        for func in (201, 5, 200, 8):
            case = Case(device, FP32, FP32, func)
            case.src = Pattern(SBUF, case.partition, 128, FP32, [12], [1])
            case.dst = Pattern(SBUF, case.partition, 640, FP32, [12], [1])
            case.memory.write(case.src, case.lanes, np.tile(values, (case.lanes, 1)))
            bias = POINTER if device.gen == 0 else INSTRUCTION
            activate(case, (INSTRUCTION, bias, INSTRUCTION), FP32, 0, (bits(1.0), bits(-0.0), None),
                     what=f"special values of {func}")
    device.detectors(act_tables.DETECTORS)


def copy_drops_bias(rig, device):
    """F17: 1.0 with a bias of 2.0 in memory is 3.0 for relu and identity and 1.0 for copy."""
    for func, wanted in ((2, 3.0), (1, 3.0), (128, 1.0)):
        case = Case(device, FP32, FP32, func)
        case.src = Pattern(SBUF, case.partition, 128, FP32, [1], [1])
        case.dst = Pattern(SBUF, case.partition, 640, FP32, [1], [1])
        case.memory.write(case.src, case.lanes, np.full((case.lanes, 1), bits(1.0), np.uint32))
        place = Pattern(SBUF, case.partition, 16, FP32, [1], [1])
        case.memory.write(place, case.lanes, np.full((case.lanes, 1), bits(2.0), np.uint32))
        word = (header(0x21) + bytes([1, 0, 3, 0]) + case.src.encode(case.gen, 3) +
                bytes([FP32 | FP32 << 4, FP32, case.lanes, func]) +
                struct.pack("<III", bits(1.0), place.address(case.gen), 0) +
                case.dst.encode(case.gen, 3))
        rig.fill(case.memory, SBUF, case.partition, case.lanes)
        rig.run(engine_of(case.gen), word, what="F17")
        case.memory.write(case.dst, case.lanes, np.full((case.lanes, 1), bits(wanted), np.uint32))
        rig.expect(case.memory, SBUF, case.partition, case.lanes, f"F17 function {func}")
        device.acc[:case.lanes] = np.float32(wanted)


def table_load(rig, device, wanted, fault="none"):
    rig.run(engine_of(device.gen), header(0x23) + bytes(23) + bytes([wanted]) + bytes(28), fault,
            None if fault == "none" else "act_tbl_sel_registered", f"table load {wanted}")


def set_cases(rig, device):
    """Registered sets replace the tables; an unknown number, or function, changes nothing."""
    table_load(rig, device, 0, "illegal")
    first, second = act_tables.build(random.Random(7)), act_tables.build(random.Random(8))
    for tables in (first, second):
        device.load(tables)
        rig.commands += b"A"
    for number, tables in ((0, first), (1, second), (0, first)):
        table_load(rig, device, number)
        device.evaluator = Evaluator(tables, device.gen == 0)
        case = Case(device, FP32, FP32, 210)
        activate(case, random_sources(rig.rng, device.gen), what=f"set {number}")
    table_load(rig, device, 2, "illegal")
    case = Case(device, FP32, FP32, 211)
    activate(case, random_sources(rig.rng, device.gen), what="after a refused set")
    refused = Case(device, FP32, FP32, 99)
    word = (header(0x21) + bytes([0, 0, 3, 0]) + refused.src.encode(refused.gen, 3) +
            bytes([FP32 | FP32 << 4, FP32, refused.lanes, 99]) +
            struct.pack("<III", bits(1.0), Pattern(SBUF, refused.partition, 16, FP32, [1], [1])
                        .address(refused.gen), 0) + refused.dst.encode(refused.gen, 3))
    rig.fill(refused.memory, SBUF, refused.partition, refused.lanes)
    rig.run(engine_of(device.gen), word, "illegal", "act_profile", "unknown function")
    rig.expect(refused.memory, SBUF, refused.partition, refused.lanes, "unknown function")


def mask_cases(rig, device):
    """Masks that are not symmetric: an entry for 0x25 alone, and one for a range of functions."""
    tables = act_tables.Set()
    line, negated = (0.0, 1.0), (0.0, -1.0)
    act_tables.add_hardwired(tables, 0x40, line, line)
    act_tables.add_hardwired(tables, 0x50, negated, negated)
    tables.cam[0] = (0x25, 0x40, 0xFF, 0xFF, 0)
    tables.cam[1] = (0x20, 0x50, 0xF8, 0xF0, 1)
    tables.control = [0] * 256
    while len(tables.bucket) < 2048:
        tables.add_bucket()
    device.load(tables)
    for func in (0x50, 0x5A):
        case = Case(device, FP32, FP32, func)
        activate(case, random_sources(rig.rng, device.gen), what=f"masked {func:#x}")
    case = Case(device, FP32, FP32, 0x40)
    word = (header(0x21) + bytes([0, 0, 3, 0]) + case.src.encode(case.gen, 3) +
            bytes([FP32 | FP32 << 4, FP32, case.lanes, 0x40]) +
            struct.pack("<III", bits(1.0), Pattern(SBUF, case.partition, 16, FP32, [1], [1])
                        .address(case.gen), 0) + case.dst.encode(case.gen, 3))
    rig.run(engine_of(device.gen), word, "illegal", "act_profile", "masked opcode")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    rig = Rig(sys.argv[1], seed=20)
    for gen in range(5):
        rig.select(gen, threads=1 + gen % 3)
        device = Device(rig, gen, act_tables.build(rig.rng))
        function_cases(rig, device)
        plain_cases(rig, device)
        dtype_cases(rig, device)
        overlap_cases(rig, device)
        quantize_cases(rig, device)
        if NC[gen] >= 4:
            activate2_cases(rig, device)
        special_cases(rig, device)
        copy_drops_bias(rig, device)
        set_cases(rig, device)
        mask_cases(rig, device)
    rig.finish()


main()
