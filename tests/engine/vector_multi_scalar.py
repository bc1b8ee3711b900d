#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One scalar a W slice: the loads 0x70 and 0x71, 0x4F and 0x5F, and the dual form 0x87, against the
loops of docs/hardware/tensor-scalar-multi.md 6.1, 7.1 and 7.2 on float32, step by step.

usage: vector_multi_scalar.py VECTOR_EXEC

Every operator that a word admits, in every reverse setting, with one to eight slices, all types,
patterns of every shape, PSUM, overlapping operands, shapes from registers, and sequences of words in
which loads and consumers do not agree; every word is executed with and without a look at numeric
events, whose flags are worked out from the values.
"""
import struct
import sys

import vector_formats as fmt
from vector_device import (DVE, NC, PSUM, SBUF, Memory, Pattern, Rig, element_wise, header,
                           overlap, random_pattern, random_values, random_window)
from vector_formats import BF16, FP32, FP32R, INT32, PLAIN, SIZE, UINT16, UINT32, UINT8, Mode, np
from vector_numeric import MODES, UNITS, UNIT, Met, values_of

LD_ARITH, LD_BITVEC, ARITH, BITVEC, DUAL = 0x70, 0x71, 0x4F, 0x5F, 0x87
SUNDA = 0
GENERAL = [0x00, 0x04, 0x05, 0x06, 0x08, 0x09, 0x0D, 0x0E, 0x0F, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17,
           0x18, 0x19]
GENERAL_V4 = [0x20, 0x21, 0x22, 0x23]
BITS = [0x00, 0x01, 0x02, 0x03, 0x0A, 0x0B, 0x0C, 0x10, 0x11]
BITVEC_TYPES = [INT32, UINT32, UINT16, UINT8]
LOAD_TYPES = {LD_ARITH: PLAIN, LD_BITVEC: BITVEC_TYPES}
MULT, CRC32, XYZ = 0x06, 0x1C, 0x04
NONE, FIRST, SECOND, BOTH = range(4)
ARCHITECTURAL, LOG_ONLY, FAULT = range(3)
INTERLEAVED, BANKED = range(2)


def general(gen):
    return GENERAL + (GENERAL_V4 if NC[gen] >= 4 else [])


def load_word(gen, opcode, src, lanes):
    """S2_BN (3)."""
    return (header(opcode) + bytes(4) + src.encode(gen, 2) + bytes(4) +
            bytes([src.dtype, 0, lanes]) + bytes(29))


def multi_word(gen, opcode, src, dst, lanes, op, reverse):
    """S4D4_TSM (2)."""
    return (header(opcode) + src.encode(gen, 4) + bytes([src.dtype, dst.dtype, lanes, 0, op, XYZ,
                                                         reverse]) + bytes(5) +
            dst.encode(gen, 4))


class Flops:
    """Eight 32-bit words a lane, and what the last load left (6)."""

    def __init__(self):
        self.bits = np.zeros((128, 8), np.uint32)
        self.loaded, self.bitvec = 0, False
        self.stale = self.mixed = self.logged = 0


class Runner:
    def __init__(self, rig, gen, layout=INTERLEAVED):
        self.rig, self.gen, self.layout = rig, gen, layout
        self.flops, self.mode = Flops(), Mode.default(gen)
        rig.reset()
        rig.vector_options(ARCHITECTURAL, layout)

    # -- the sheet

    def load(self, memory, opcode, src, lanes):
        raw = memory.read(src, lanes)
        self.flops.bits[:lanes, :src.count()] = raw if opcode == LD_BITVEC else \
            fmt.bits32(fmt.widen(src.dtype, raw, self.mode))
        self.flops.loaded, self.flops.bitvec = src.count(), opcode == LD_BITVEC

    def scalars(self, opcode, lanes, w, slices):
        """The scalar of slice w, and for the dual form its partner (6.2)."""
        first, second = w, None
        if opcode == DUAL:
            first, second = (2 * w, 2 * w + 1) if self.layout == INTERLEAVED else (w, slices + w)
        column = lambda k: self.flops.bits[:lanes, k:k + 1]
        return column(first), None if second is None else column(second)

    def consume(self, memory, opcode, src, dst, lanes, op, reverse, met=None):
        slices, count = src.num[3], src.count()
        self.flops.stale += self.flops.loaded != slices * (2 if opcode == DUAL else 1)
        self.flops.mixed += self.flops.loaded > 0 and self.flops.bitvec != (opcode == BITVEC)
        position = [0]

        def function(raw):  # called with all elements, or with one after the other
            n = raw.shape[1]
            at = np.arange(position[0], position[0] + n)
            position[0] += n
            out = np.empty(raw.shape, fmt.UINT[SIZE[dst.dtype]])
            for w in range(slices):
                of = at // (count // slices) == w
                if of.any():
                    p, q = self.scalars(opcode, lanes, w, slices)
                    out[:, of] = self.one_slice(opcode, raw[:, of], src, dst, p, q, op, reverse, met)
            return out

        element_wise(memory, lanes, [src], dst, function)

    def one_slice(self, opcode, raw, src, dst, p, q, op, reverse, met):
        if opcode == BITVEC:
            a, s = raw.astype(object), p.astype(object)
            pair = (s, a) if reverse == BOTH else (a, s)
            return fmt.store_low(dst.dtype, fmt.each(
                lambda x, y: fmt.bitvec_op(op, x, y, 32), *pair))
        step = met.step if met else fmt.f32_op
        a, s = fmt.widen(src.dtype, raw, self.mode), p.view(np.float32)
        if met:
            met.operands(src.dtype, a)
        a = self.stage(step, met, op, a, s, reverse in (FIRST, BOTH))
        if opcode == DUAL:
            a = self.stage(step, met, MULT, a, q.view(np.float32), reverse in (SECOND, BOTH))
        if met:
            met.narrowing(dst.dtype, a, self.mode)
        return fmt.narrow(dst.dtype, a, self.mode)

    def stage(self, step, met, op, a, s, reverse):
        if met and (reverse or op not in UNARY):
            met.operands(FP32, np.broadcast_to(s, a.shape))
        pair = (s, a) if reverse else (a, s)
        return np.ascontiguousarray(np.broadcast_to(step(op, *pair), a.shape))

    # -- words

    def run(self, memory, lanes, word, patterns, what, effect):
        windows = sorted({(p.space, p.partition) for p in patterns})
        for space, partition in windows:
            self.rig.fill(memory, space, partition, lanes)
        self.rig.run(DVE, word, what=what)
        effect()
        for space, partition in windows:
            self.rig.expect(memory, space, partition, lanes, f"{what} {patterns}")

    def run_load(self, memory, opcode, src, lanes):
        self.run(memory, lanes, load_word(self.gen, opcode, src, lanes), [src],
                 f"load {opcode:#x} {src}", lambda: self.load(memory, opcode, src, lanes))

    def run_multi(self, memory, opcode, src, dst, lanes, op, reverse):
        self.run(memory, lanes, multi_word(self.gen, opcode, src, dst, lanes, op, reverse),
                 [src, dst], f"{opcode:#x} op {op:#x} reverse {reverse} layout {self.layout}",
                 lambda: self.consume(memory, opcode, src, dst, lanes, op, reverse))

    def check_counts(self, what):
        f = self.flops
        self.rig.expect_scalars((f.stale, f.mixed, f.logged), what)
        f.stale = f.mixed = f.logged = 0


UNARY = {0x00, 0x19, 0x22, 0x23}  # BYPASS, ABSOLUTE_VALUE, RE_LU, SQUARE


def load_pattern(rig, memory, dtype, lanes, partition, n, low=0):
    """A source of n elements in two dimensions, with values for all of its places."""
    rng = rig.rng
    space = rng.choice([SBUF, SBUF, PSUM])
    src = random_pattern(rng, space, partition, dtype, n, 2, low, low + 112)
    values = random_values(rig, dtype, (lanes, n))
    if dtype in (UINT32, INT32) and rng.random() < 0.5:
        values = (values % 40).astype(values.dtype)
    memory.write(src, lanes, values)
    return src


def data_patterns(rig, memory, in_dtype, out_dtype, lanes, partition, slices, small=True):
    """Source of `slices` W slices, destination of as many elements but with any counts."""
    rng = rig.rng
    inner = rng.choice([1, 2, 3, 5, 6, 7] if small else [12, 13])
    space = PSUM if rng.random() < 0.25 else SBUF
    src = random_pattern(rng, space, partition, in_dtype, inner, 3, 128, 128 + 320 // slices)
    span = 320 // slices // SIZE[in_dtype]
    src.num, src.step = src.num + [slices], src.step + [span]
    if rng.random() < 0.2:
        src.step[3] = 0  # every slice reads the same elements
    dst = random_pattern(rng, PSUM if SIZE[out_dtype] == 4 and rng.random() < 0.25 else SBUF,
                         partition, out_dtype, inner * slices, 4, 512, 1000)
    memory.write(src, lanes, random_values(rig, in_dtype, (lanes, src.count())))
    return src, dst


def one_case(rig, runner, opcode, op, reverse, in_dtype, out_dtype, slices, small=True,
             load=True):
    rng, memory = rig.rng, Memory()
    lanes, partition = random_window(rng, small)
    if load:
        wanted = slices * (2 if opcode == DUAL else 1)
        loader = LD_BITVEC if opcode == BITVEC else LD_ARITH
        lane_start = random_window(rng, small)[1] if lanes <= 32 else partition
        src = load_pattern(rig, memory, rng.choice(LOAD_TYPES[loader]), lanes, lane_start, wanted)
        runner.run_load(memory, loader, src, lanes)
    src, dst = data_patterns(rig, memory, in_dtype, out_dtype, lanes, partition, slices, small)
    runner.run_multi(memory, opcode, src, dst, lanes, op, reverse)


def arith_cases(rig, gen):
    rng = rig.rng
    runner = Runner(rig, gen)
    for op in general(gen):
        for reverse in (NONE, BOTH):
            one_case(rig, runner, ARITH, op, reverse, rng.choice([FP32] * 4 + PLAIN),
                     rng.choice([FP32] * 4 + PLAIN), rng.randint(1, 8))
    runner.check_counts("every load fits its word")


def bitvec_cases(rig, gen):
    rng = rig.rng
    runner = Runner(rig, gen)
    for op in BITS:
        for dtype in BITVEC_TYPES:
            one_case(rig, runner, BITVEC, op, rng.choice([NONE, BOTH]), dtype, dtype,
                     rng.randint(1, 8))
    runner.check_counts("every load fits its word")


def dual_cases(rig):
    rng = rig.rng
    for layout in (INTERLEAVED, BANKED):
        runner = Runner(rig, SUNDA, layout)
        for op in GENERAL:
            for reverse in range(4):
                one_case(rig, runner, DUAL, op, reverse, rng.choice([FP32] * 4 + PLAIN),
                         rng.choice([FP32] * 4 + PLAIN), rng.randint(1, 4))
        runner.check_counts("every load fits its word")


def type_cases(rig, gen):
    runner = Runner(rig, gen)
    for in_dtype in PLAIN:
        for out_dtype in PLAIN + [FP32R]:
            one_case(rig, runner, ARITH, rig.rng.choice([0x04, 0x05, 0x06]), NONE, in_dtype,
                     out_dtype, 3)


def lifetimes(rig, gen):
    """Loads and consumers in any order: flops live until the next load, and nothing compares them."""
    rng = rig.rng
    runner = Runner(rig, gen)
    for _ in range(60):
        what = rng.random()
        if what < 0.35:
            memory = Memory()
            lanes, partition = random_window(rng)
            loader = rng.choice([LD_ARITH, LD_BITVEC])
            src = load_pattern(rig, memory, rng.choice(LOAD_TYPES[loader]), lanes, partition,
                               rng.randint(1, 8))
            runner.run_load(memory, loader, src, lanes)
            continue
        opcode = rng.choice([ARITH, BITVEC] + ([DUAL] if gen == SUNDA else []))
        dtype = rng.choice(BITVEC_TYPES) if opcode == BITVEC else FP32
        op = rng.choice(BITS if opcode == BITVEC else general(gen))
        one_case(rig, runner, opcode, op, rng.choice([NONE, BOTH]), dtype, dtype,
                 rng.randint(1, 4 if opcode == DUAL else 8), load=False)
        runner.check_counts(f"lifetime {opcode:#x}")
    rig.reset()  # what was loaded is lost
    runner.flops.bits[:], runner.flops.loaded = 0, 0
    one_case(rig, runner, ARITH, 0x04, NONE, FP32, FP32, 2, load=False)
    runner.check_counts("after a reset")


def overlap_cases(rig, gen):
    rng = rig.rng
    runner = Runner(rig, gen)
    for shift in (0, 4, -4, 12, -16):
        for in_dtype, out_dtype in [(FP32, FP32), (FP32, BF16), (BF16, FP32)]:
            memory = Memory()
            lanes, partition = random_window(rng)
            runner.run_load(memory, LD_ARITH,
                            load_pattern(rig, memory, FP32, lanes, partition, 4), lanes)
            src = Pattern(SBUF, partition, 256, in_dtype, [3, 2, 1, 4], [1, 3, 6, 6])
            dst = Pattern(SBUF, partition, 256 + shift, out_dtype, [24, 1, 1, 1], [1, 1, 1, 1])
            memory.write(src, lanes, random_values(rig, in_dtype, (lanes, 24)))
            runner.run_multi(memory, ARITH, src, dst, lanes, 0x05, rng.choice([NONE, BOTH]))


def large_cases(rig, gen):
    for threads in (1, 3):
        rig.select(gen, threads)
        runner = Runner(rig, gen)
        for in_dtype, out_dtype in [(FP32, FP32), (BF16, FP32), (FP32, BF16)]:
            one_case(rig, runner, ARITH, 0x06, NONE, in_dtype, out_dtype, 6, small=False)
            if gen == SUNDA:
                one_case(rig, runner, DUAL, 0x04, FIRST, in_dtype, out_dtype, 4, small=False)
    rig.select(gen, 1)


def shape_register_cases(rig, gen):
    """Counts from a shape register: the rules that the static check left open."""
    memory, runner = Memory(), Runner(rig, gen)
    src = Pattern(SBUF, 0, 128, FP32, [2, 1, 1, 3], [1, 1, 1, 2])
    dst = Pattern(SBUF, 0, 512, FP32, [6, 1, 1, 1], [1, 1, 1, 1])
    load = load_pattern(rig, memory, FP32, 2, 0, 3)
    memory.write(src, 2, random_values(rig, FP32, (2, 6)))
    runner.run_load(memory, LD_ARITH, load, 2)
    word = bytearray(multi_word(gen, ARITH, src, dst, 2, 0x04, NONE))
    word[15] |= 0x40
    word[16:32] = struct.pack("<4h4H", 1, 0, 0, 0, 0, 0, 0, 0)
    rig.shape_register(1, src.num, src.step)
    runner.run(memory, 2, bytes(word), [src, dst], "slices from a register",
               lambda: runner.consume(memory, ARITH, src, dst, 2, 0x04, NONE))
    rig.shape_register(1, [1, 1, 1, 9], [1, 1, 1, 1])
    word[56:58] = struct.pack("<H", 9)
    rig.run(DVE, bytes(word), "illegal", "R3", "nine slices from a register")
    rig.shape_register(1, [1, 1, 1, 8], [1, 1, 1, 1])
    rig.run(DVE, bytes(word), "illegal", "R13", "counts that differ")
    ld = bytearray(load_word(gen, LD_ARITH, load, 2))
    ld[19] |= 0x40
    ld[20:28] = struct.pack("<2h2H", 1, 0, 0, 0)
    rig.shape_register(1, [3, 3, 1, 1], [1, 3, 1, 1])
    rig.run(DVE, bytes(ld), "illegal", "L3", "nine scalars from a register")
    one_case(rig, runner, ARITH, 0x04, NONE, FP32, FP32, 3, load=False)  # they are what they were


def policy_cases(rig, gen):
    """log_only writes nothing and loads nothing; fault refuses; neither touches the flops (1.1)."""
    runner, memory = Runner(rig, gen), Memory()
    src = load_pattern(rig, memory, FP32, 2, 0, 2)
    data = Pattern(SBUF, 0, 256, FP32, [2, 1, 1, 2], [1, 2, 2, 2])
    dst = Pattern(SBUF, 0, 512, FP32, [4, 1, 1, 1], [1, 1, 1, 1])
    runner.run_load(memory, LD_ARITH, src, 2)
    words = [load_word(gen, LD_ARITH, load_pattern(rig, memory, FP32, 2, 0, 3), 2),
             load_word(gen, LD_BITVEC, load_pattern(rig, memory, UINT32, 2, 0, 3), 2),
             multi_word(gen, ARITH, data, dst, 2, 0x04, NONE),
             multi_word(gen, BITVEC, Pattern(SBUF, 0, 256, UINT32, data.num, data.step),
                        Pattern(SBUF, 0, 512, UINT32, dst.num, dst.step), 2, 0x0A, NONE)]
    if gen == SUNDA:
        words.append(multi_word(gen, DUAL, data, dst, 2, 0x04, NONE))
    rig.vector_options(LOG_ONLY, INTERLEAVED)
    for word in words:
        runner.run(memory, 2, word, [data, dst], f"log_only {word[0]:#x}", lambda: None)
    runner.flops.logged += len(words)
    runner.check_counts("log_only")
    rig.vector_options(FAULT, INTERLEAVED)
    for word in words:
        rig.run(DVE, word, "bad_opcode", "stub_policy", f"fault {word[0]:#x}")
    rig.vector_options(ARCHITECTURAL, INTERLEAVED)
    runner.run_multi(memory, ARITH, data, dst, 2, 0x05, BOTH)
    runner.check_counts("the first load is still there")


def identities(rig):
    """7.3: PtrMulti equals one 0x44 a slice, and the dual form one 0x44 with MULT a slice."""
    gen, lanes, n = SUNDA, 4, 5
    rng = rig.rng
    for opcode in (ARITH, DUAL):
        for op in GENERAL:
            runner, memory = Runner(rig, gen), Memory()
            slices = rng.randint(1, 4)
            pairs = 2 if opcode == DUAL else 1
            scalars = Pattern(SBUF, 0, 0, FP32, [pairs, slices], [1, pairs])
            src = Pattern(SBUF, 0, 128, FP32, [n, 1, 1, slices], [1, n, n, n])
            dst = Pattern(SBUF, 0, 512, FP32, [n * slices, 1, 1, 1], [1, 1, 1, 1])
            memory.write(scalars, lanes, random_values(rig, FP32, (lanes, pairs * slices)))
            memory.write(src, lanes, random_values(rig, FP32, (lanes, n * slices)))
            runner.run_load(memory, LD_ARITH, scalars, lanes)
            reverse = rng.choice(range(4) if opcode == DUAL else (NONE, BOTH))
            rig.fill(memory, SBUF, 0, lanes)
            for w in range(slices):  # the same bytes at the same place, by other words
                one = Pattern(SBUF, 0, 128 + 4 * n * w, FP32, [n], [1])
                to = Pattern(SBUF, 0, 512 + 4 * n * w, FP32, [n], [1])
                at = 4 * pairs * w
                second = (MULT, at + 4) if opcode == DUAL else (0, at)
                if opcode == DUAL and op == 0:
                    break  # 0x44 has no MULT behind BYPASS (T2)
                ts_reverse = reverse if opcode == DUAL else (FIRST if reverse == BOTH else NONE)
                rig.run(DVE, header(0x44) + bytes(4) + one.encode(gen, 3) +
                        bytes([FP32, FP32, lanes, 0, op, second[0], ts_reverse, 0]) +
                        struct.pack("<II", at, second[1]) + to.encode(gen, 3),
                        what=f"0x44 op {op:#x}")
            else:
                before = memory.bytes.copy()
                runner.consume(memory, opcode, src, dst, lanes, op, reverse)
                rig.expect(memory, SBUF, 0, lanes, f"0x44 a slice for {opcode:#x} op {op:#x}")
                memory.bytes[:] = before
            runner.run_multi(memory, opcode, src, dst, lanes, op, reverse)


def numeric_cases(rig):
    """Flags of error-handling.md 8, met by loads and by consumers."""
    seen = set()
    rig.watched = 15
    for _ in range(400):
        gen = rig.rng.randrange(5)
        opcode = rig.rng.choice([ARITH, DUAL] if gen == SUNDA else [ARITH])
        mode = rig.rng.choice(MODES if NC[gen] >= 4 else MODES[:2])
        rig.select(gen, rig.rng.choice([1, 3]))
        rig.mode(DVE, mode)
        runner, memory, met = Runner(rig, gen), Memory(), Met()
        runner.mode = mode
        lanes, partition = random_window(rig.rng)
        slices = rig.rng.randint(1, 4)
        wanted = slices * (2 if opcode == DUAL else 1)
        load_type, in_dtype, out = (rig.rng.choice([FP32, FP32, BF16, fmt.FP16]) for _ in range(3))
        src = Pattern(SBUF, partition, 0, load_type, [wanted, 1], [1, 1])
        memory.write(src, lanes, values_of(rig, load_type, (lanes, wanted)))
        data, dst = data_patterns(rig, memory, in_dtype, out, lanes, partition, slices)
        data.space = dst.space = SBUF
        if overlap(data, dst) or overlap(src, data):
            continue
        memory.write(data, lanes, values_of(rig, in_dtype, (lanes, data.count())))
        met.operands(load_type, fmt.widen(load_type, memory.read(src, lanes), mode))
        op, reverse = rig.rng.choice([0, 4, 5, 6, 6, 8, 0x13, 0x17]), rig.rng.choice([NONE, BOTH])
        runner.load(memory, LD_ARITH, src, lanes)
        rig.fill(memory, SBUF, partition, lanes)
        rig.run(DVE, load_word(gen, LD_ARITH, src, lanes), what="load")
        rig.run(DVE, multi_word(gen, opcode, data, dst, lanes, op, reverse), what="consumer")
        runner.consume(memory, opcode, data, dst, lanes, op, reverse, met)
        rig.expect(memory, SBUF, partition, lanes, "numeric")
        rig.expect_numeric(met.flags(DVE), f"{opcode:#x} op {op:#x} reverse {reverse} {load_type} "
                                           f"{in_dtype} {out} {mode.key()}")
        seen.update(met.causes or {None})
    if len(seen) < 5:
        sys.exit(f"the cases met {seen} only")
    rig.watched = None


def refusals(rig, gen):
    """CRC32 is an operator of POOL; a count of no slices is found first."""
    src = Pattern(SBUF, 0, 128, UINT32, [2, 1, 1, 1], [1, 1, 1, 1])
    dst = Pattern(SBUF, 0, 512, UINT32, [2, 1, 1, 1], [1, 1, 1, 1])
    rig.run(DVE, multi_word(gen, BITVEC, src, dst, 1, CRC32, NONE), "missing", what="crc32 on dve")


def main():
    rig = Rig(sys.argv[1], seed=79)
    numeric_cases(rig)  # before other words meet something
    for gen in range(5):
        rig.select(gen)
        arith_cases(rig, gen)
        bitvec_cases(rig, gen)
        lifetimes(rig, gen)
        policy_cases(rig, gen)
        refusals(rig, gen)
    for gen in (0, 3):
        rig.select(gen)
        type_cases(rig, gen)
        overlap_cases(rig, gen)
        large_cases(rig, gen)
    rig.select(SUNDA)
    dual_cases(rig)
    identities(rig)
    rig.select(1)
    shape_register_cases(rig, 1)
    rig.finish()


if __name__ == "__main__":
    main()
