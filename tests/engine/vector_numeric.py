#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Numeric events of vector words against the definitions of error-handling.md 8.

usage: vector_numeric.py VECTOR_EXEC

What a word must meet is worked out from its values alone: exact products are float64, a quotient or
square is zero exactly when its dividend is, a narrowing overflows when the format without
saturation gives Inf or NaN. Elements, operators, types and specials are random; every cause must
come up, and so must its absence.
"""
import sys

import numpy as np

import vector_formats as fmt
from vector_device import (ACT, DVE, ENGINES, NC, POOL, SBUF, Memory, Pattern, Rig, header, random_pattern,
                           random_window)
from vector_formats import BF16, FP16, FP32, FP8_EXP4, FP8_EXP5, INT16, INT32, SIZE, UINT, Mode
from vector_moves import tr_word

UNDERFLOW, NAN, INF, OVERFLOW = range(4)
UNIT = {ACT: 1, POOL: 2, DVE: 3}
UNITS = 5
FLOATS = [BF16, FP16, FP32, FP8_EXP4, FP8_EXP5]
TYPES = FLOATS + [INT16, INT32]
BYPASS, ADD, SUBTRACT, MULT, DIVIDE, MAX, IS_GT, ABS_DIFF, POW = 0, 4, 5, 6, 7, 8, 0x13, 0x17, 0x1A
OPS = [BYPASS, ADD, SUBTRACT, MULT, MULT, MAX, IS_GT, ABS_DIFF]  # DIVIDE: in a reciprocal only
ROUND = {ADD, SUBTRACT, MULT, DIVIDE, ABS_DIFF, POW}
COPY, CAST, RECIPROCAL, REDUCE, X = 0x46, 0x47, 0x48, 0x42, 2
MODES = [Mode(False, False), Mode(False, True), Mode(True, False), Mode(True, True)]
TINY = np.array([1e-30, -1e-30, 1e-20, 3e-39, 1e-45, 2e-8, 1e-4], np.float32)
HUGE = np.array([3.4e38, -3e38, 1e30, 70000, 500, 240, 464, 465, 248, 61440], np.float32)
ODD = np.array([np.inf, -np.inf, np.nan, 0, -0.0], np.float32)


def finite(values):
    return np.isfinite(values)


class Met:
    """Causes that a computation met."""

    def __init__(self):
        self.causes = set()

    def note(self, cause, condition):
        if np.any(condition):
            self.causes.add(cause)

    def operands(self, dtype, values):
        if dtype in FLOATS:
            self.note(NAN, np.isnan(values))
            self.note(INF, np.isinf(values))

    def step(self, op, a, b):
        """One operator with its rounding; returns the result."""
        r = fmt.f32_op(op, a, b)
        a, b = np.broadcast_arrays(a, b)
        if op in ROUND:
            pole = np.zeros(r.shape, bool)
            if op in (DIVIDE, POW):
                pole = (b if op == DIVIDE else a) == 0
            real = finite(a) & finite(b)
            self.note(NAN, np.isnan(r))
            self.note(OVERFLOW, np.isinf(r) & real & ~pole)
            self.note(INF, np.isinf(r) & real & pole)
        if op == MULT:
            exact = a.astype(np.float64) * b.astype(np.float64)  # 48 bits: exact
            self.note(UNDERFLOW, (r == 0) & (exact != 0))
        if op in (DIVIDE, POW):  # no finite power of a number that is not zero is zero
            self.note(UNDERFLOW, (r == 0) & (a != 0) & finite(a) & finite(b))
        return r

    def narrowing(self, dtype, values, mode):
        if dtype not in FLOATS or dtype == FP32:
            return
        stored = fmt.widen(dtype, fmt.narrow(dtype, values, mode), mode)
        self.note(UNDERFLOW, (stored == 0) & (values != 0) & finite(values))
        open_ended = Mode(mode.fn, False, False)
        wide = fmt.widen(dtype, fmt.narrow(dtype, values, open_ended), open_ended)
        self.note(OVERFLOW, finite(values) & ~finite(wide))

    def flags(self, engine):
        return sum(1 << (cause * UNITS + UNIT[engine]) for cause in self.causes)


def values_of(rig, dtype, shape):
    """Stored elements. Most cases have ordinary numbers only, so that few causes come together."""
    rng = rig.np_rng
    kinds = {"tiny": TINY, "huge": HUGE, "odd": ODD}
    values = rng.choice(np.array([1, -1, 2, 0.5, 3, -7], np.float32), shape)
    kind = rig.rng.choice(["plain", "tiny", "huge", "odd", "tiny", "huge"])
    if kind in kinds:
        values = np.where(rng.random(shape) < 0.2, rng.choice(kinds[kind], shape), values)
    with np.errstate(all="ignore"):
        return fmt.narrow(dtype, values.astype(np.float32), Mode(False, True)).astype(
            UINT[SIZE[dtype]])


def place(rig, memory, dtype, lanes, partition, count, number, dims=3):
    """Operand `number` of a word in bytes of its own."""
    low = 256 * number
    pattern = random_pattern(rig.rng, SBUF, partition, dtype, count, dims, low, low + 256)
    return pattern


def prepare(rig, gen, engine):
    mode = rig.rng.choice(MODES if NC[gen] >= 4 else MODES[:2])
    rig.select(gen, rig.rng.choice([1, 3]))
    rig.mode(engine, mode)
    lanes, partition = random_window(rig.rng)
    return mode, lanes, partition, rig.rng.choice([1, 2, 5, 12, 30])


def finish(rig, memory, engine, lanes, partition, word, met, what, seen):
    rig.fill(memory, SBUF, partition, lanes)
    rig.run(engine, word, what=what)
    rig.expect_numeric(met.flags(engine), what)
    seen.update(met.causes or {None})


def tensor_tensor(rig, gen, seen):
    engine, op = rig.rng.choice([(DVE, o) for o in OPS] + [(POOL, o) for o in OPS + [POW]])
    mode, lanes, partition, count = prepare(rig, gen, engine)
    types = [rig.rng.choice(FLOATS + [INT16]) for _ in range(2)]
    out = rig.rng.choice(TYPES)
    memory, met = Memory(), Met()
    sources = [place(rig, memory, t, lanes, partition, count, i) for i, t in enumerate(types)]
    dst = place(rig, memory, out, lanes, partition, count, 2)
    operands = []
    for source, dtype in zip(sources, types):
        memory.write(source, lanes, values_of(rig, dtype, (lanes, count)))
        operands.append(fmt.widen(dtype, memory.read(source, lanes), mode))
        met.operands(dtype, operands[-1])
    with np.errstate(all="ignore"):
        met.narrowing(out, met.step(op, *operands), mode)
    word = (header(0x41) + bytes([types[0] | types[1] << 4, out, op, lanes]) +
            b"".join(p.encode(gen, 3) for p in sources + [dst]))
    finish(rig, memory, engine, lanes, partition, word, met,
           f"{ENGINES[engine]} op {op:#x} types {types}->{out}", seen)


def tensor_scalar(rig, gen, seen):
    engine = rig.rng.choice([DVE, POOL])
    ops = [rig.rng.choice(OPS), rig.rng.choice([BYPASS, BYPASS] + OPS)]
    ops[1] = ops[1] if ops[0] != BYPASS else BYPASS  # rule T2
    reverse = rig.rng.choice([0, 0, 1, 2, 3])
    mode, lanes, partition, count = prepare(rig, gen, engine)
    in_dtype, out = rig.rng.choice(FLOATS), rig.rng.choice(TYPES)
    memory, met = Memory(), Met()
    source = place(rig, memory, in_dtype, lanes, partition, count, 0)
    dst = place(rig, memory, out, lanes, partition, count, 1)
    memory.write(source, lanes, values_of(rig, in_dtype, (lanes, count)))
    scalars = [np.float32(rig.rng.choice([1, 2, -3, 1e-30, 1e30, 3e38, 0, np.inf]))
               for _ in range(2)]
    value = fmt.widen(in_dtype, memory.read(source, lanes), mode)
    met.operands(in_dtype, value)
    with np.errstate(all="ignore"):
        for i in range(2):
            if ops[i] != BYPASS or reverse & 1 << i:  # an operand of the stage, or what it passes on
                met.operands(FP32, scalars[i])
            pair = (scalars[i], value) if reverse & 1 << i else (value, scalars[i])
            value = np.broadcast_to(met.step(ops[i], *pair), (lanes, count))
        met.narrowing(out, value, mode)
    bits = b"".join(fmt.bits32(s.reshape(1))[0].astype("<u4").tobytes() for s in scalars)
    word = (header(0x43) + bytes(4) + source.encode(gen, 3) +
            bytes([in_dtype, out, lanes, 0, *ops, reverse, 0]) + bits + dst.encode(gen, 3))
    finish(rig, memory, engine, lanes, partition, word, met,
           f"{ENGINES[engine]} ops {ops} reverse {reverse} {in_dtype}->{out} by {scalars}", seen)


def moves(rig, gen, seen):
    engine, opcode = rig.rng.choice([(DVE, COPY), (DVE, CAST), (POOL, COPY), (DVE, RECIPROCAL)])
    mode, lanes, partition, count = prepare(rig, gen, engine)
    in_dtype, out = rig.rng.choice(TYPES), rig.rng.choice(TYPES)
    out = in_dtype if opcode == COPY else out
    memory, met = Memory(), Met()
    source = place(rig, memory, in_dtype, lanes, partition, count, 0, 4)
    dst = place(rig, memory, out, lanes, partition, count, 1, 4)
    memory.write(source, lanes, values_of(rig, in_dtype, (lanes, count)))
    value = fmt.widen(in_dtype, memory.read(source, lanes), mode)
    with np.errstate(all="ignore"):
        if opcode == RECIPROCAL:
            met.operands(in_dtype, value)
            met.narrowing(out, met.step(DIVIDE, np.float32(1), value), mode)
        elif in_dtype != out:  # equal types are bits that move
            met.operands(in_dtype, value)
            met.narrowing(out, value, mode)
    word = tr_word(gen, opcode, source, dst, lanes)
    finish(rig, memory, engine, lanes, partition, word, met,
           f"{ENGINES[engine]} opcode {opcode:#x} {in_dtype}->{out}", seen)


def reduction(rig, gen, seen):
    """A fold is looked at by its result: what its finite operands made of it."""
    engine, op = DVE, rig.rng.choice([ADD, MULT, MAX])
    mode, lanes, partition, _ = prepare(rig, gen, engine)
    window, outer = rig.rng.choice([2, 3, 8]), rig.rng.choice([1, 2, 5])
    in_dtype, out = rig.rng.choice(FLOATS), rig.rng.choice(FLOATS)
    memory, met = Memory(), Met()
    source = Pattern(SBUF, partition, 0, in_dtype, [window, outer, 1, 1], [1, window, 1, 1])
    dst = place(rig, memory, out, lanes, partition, outer, 1, 4)
    memory.write(source, lanes, values_of(rig, in_dtype, (lanes, window * outer)))
    values = fmt.widen(in_dtype, memory.read(source, lanes), mode)
    met.operands(in_dtype, values)
    values = values.reshape(lanes, outer, window)
    with np.errstate(all="ignore"):
        result = values[:, :, 0]
        for i in range(1, window):
            result = fmt.f32_op(op, result, values[:, :, i])
        real = finite(values).all(2)
        if op != MAX:
            met.note(NAN, np.isnan(result))
            met.note(OVERFLOW, np.isinf(result) & real)
        if op == MULT:
            met.note(UNDERFLOW, (result == 0) & real & (values != 0).all(2))
        met.narrowing(out, result, mode)
    word = tr_word(gen, REDUCE, source, dst, lanes, op=op, op_dim=X)
    finish(rig, memory, engine, lanes, partition, word, met,
           f"{ENGINES[engine]} reduce {op:#x} by {window} {in_dtype}->{out}", seen)


def main():
    rig = Rig(sys.argv[1], 2027)
    rig.watched = 15
    seen = set()
    for gen in range(5):
        for _ in range(120):
            tensor_tensor(rig, gen, seen)
            tensor_scalar(rig, gen, seen)
            moves(rig, gen, seen)
            reduction(rig, gen, seen)
    missing = {None, UNDERFLOW, NAN, INF, OVERFLOW} - seen
    if missing:
        sys.exit(f"the cases never met {missing}")
    rig.finish()


if __name__ == "__main__":
    main()
