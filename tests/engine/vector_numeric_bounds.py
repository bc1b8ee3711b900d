#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Numeric events of long adjacent rows in which one element lies at the edge of an event.

usage: vector_numeric_bounds.py VECTOR_EXEC

Rows of ordinary numbers, in place or not, of one lane to 128, among them at most one element that
makes a step underflow or overflow, a narrowing vanish or clamp, or misses it by one unit in the last
place. What the word must meet is worked out as in vector_numeric.py, from every element.
"""
import sys

import numpy as np

import vector_formats as fmt
from vector_device import DVE, ENGINES, NC, POOL, SBUF, Memory, Pattern, Rig, header
from vector_formats import BF16, FP16, FP32, FP8_EXP4, FP8_EXP5, Mode
from vector_moves import tr_word
from vector_numeric import (ABS_DIFF, ADD, BYPASS, CAST, DIVIDE, INF, MAX, MODES, MULT, NAN,
                            OVERFLOW, RECIPROCAL, REDUCE, SUBTRACT, UNDERFLOW, X, Met, finite)

FLT_MAX = float(np.finfo(np.float32).max)
TINIEST = 2.0**-150  # half of the least number: it rounds to 0, what is larger does not
# magnitudes from which on a type's numbers vanish or are clamped (numerics.md 2, 4)
EDGES = {FP32: [], BF16: [2.0**-134, FLT_MAX], FP16: [2.0**-25, 65504, 65520],
         FP8_EXP4: [2.0**-10, 240, 248, 448, 464], FP8_EXP5: [2.0**-17, 57344, 61440]}
SHAPES = [(1, 1), (1, 255), (1, 256), (1, 4095), (1, 4099), (3, 300), (5, 2049), (7, 1025), (9, 513),
          (33, 16), (64, 130), (128, 1), (128, 15), (128, 33), (128, 64), (128, 257)]
SCALARS = [1, 2, -3, 0.25, 1e-30, -1e30, 2.0**-126, 3e38, 0]


def neighbours(rng, value):
    """A number next to `value`, or that itself, of either sign."""
    with np.errstate(all="ignore"):
        x = np.float32(value)
        for _ in range(int(rng.integers(0, 3))):
            x = np.nextafter(x, np.float32(rng.choice([0, np.inf])), dtype=np.float32)
    return x * np.float32(rng.choice([1, -1]))


def ordinary(rig, shape):
    values = rig.np_rng.normal(0, 3, shape).astype(np.float32)
    if rig.rng.random() < 0.3:
        values[rig.np_rng.random(shape) < 0.1] = 0
    return values


def plant(rig, values, element):
    """Put `element`, or something that is no number, anywhere, often near the end of a row."""
    if rig.rng.random() < 0.15:
        element = rig.rng.choice([np.inf, -np.inf, np.nan, 0.0])
    lanes, count = values.shape
    near_end = rig.rng.random() < 0.4
    at = (rig.rng.randrange(lanes), rig.rng.randrange(max(count - 8, 0) if near_end else 0, count))
    if rig.rng.random() < 0.85:
        values[at] = element
    return at


def before(op, scalar, reverse, wanted):
    """What a stage turns into about `wanted`; None when nothing does."""
    with np.errstate(all="ignore"):
        wanted, scalar = np.float64(wanted), np.float64(scalar)
        x = {BYPASS: wanted, MULT: wanted / scalar, ADD: wanted - scalar,
             SUBTRACT: scalar - wanted if reverse else wanted + scalar,
             DIVIDE: scalar / wanted if reverse else wanted * scalar}.get(op, wanted)
    return x if np.isfinite(x) else None


def start(rig, gen):
    """Engine, mode, lanes, elements a lane, and room for three operands."""
    engine = rig.rng.choice([DVE, POOL])
    lanes, count = rig.rng.choice(SHAPES)
    mode = rig.rng.choice(MODES if NC[gen] >= 4 else MODES[:2])
    rig.select(gen, rig.rng.choice([1, 3]))
    rig.mode(engine, mode)
    return engine, mode, lanes, count, Memory(12 * count + 64)


def operand(number, dtype, count, dims=3):
    return Pattern(SBUF, 0, 4 * count * number + 16 * number, dtype,
                   [count] + [1] * (dims - 1), [1] * dims)


def run(rig, memory, engine, lanes, word, met, what, seen):
    rig.fill(memory, SBUF, 0, lanes)
    rig.run(engine, word, what=what)
    rig.expect_numeric(met.flags(engine), what)
    seen.update(met.causes or {None})


def tensor_scalar(rig, gen, seen):
    engine, mode, lanes, count, memory = start(rig, gen)
    met = Met()
    ops = [rig.rng.choice([ADD, SUBTRACT, MULT, MULT, MAX]),
           rig.rng.choice([BYPASS, ADD, SUBTRACT, MULT, MAX, ABS_DIFF])]
    reverse = rig.rng.choice([0, 0, 1, 2])
    if ops[1] == BYPASS:
        reverse &= 1
    scalars = [np.float32(rig.rng.choice(SCALARS)) for _ in range(2)]
    out = rig.rng.choice([FP32, FP32, BF16, FP16, FP8_EXP4])
    in_place = out == FP32 and rig.rng.random() < 0.4
    edge = rig.rng.choice([TINIEST, FLT_MAX, 2.0**-149] + EDGES[out])
    for i in (1, 0) if rig.rng.random() < 0.5 else (0,):
        edge = before(ops[i], scalars[i], reverse & 1 << i, edge) if edge is not None else None
    value = ordinary(rig, (lanes, count))
    plant(rig, value, 1 if edge is None else neighbours(rig.np_rng, edge))
    source, dst = operand(0, FP32, count), operand(0 if in_place else 1, out, count)
    memory.write(source, lanes, fmt.bits32(value))
    met.operands(FP32, value)
    with np.errstate(all="ignore"):
        for i in range(2):
            if ops[i] != BYPASS:
                met.operands(FP32, scalars[i])
            pair = (scalars[i], value) if reverse & 1 << i else (value, scalars[i])
            value = np.broadcast_to(met.step(ops[i], *pair), (lanes, count))
        met.narrowing(out, value, mode)
    bits = b"".join(fmt.bits32(s.reshape(1))[0].astype("<u4").tobytes() for s in scalars)
    word = (header(0x43) + bytes(4) + source.encode(gen, 3) +
            bytes([FP32, out, lanes, 0, *ops, reverse, 0]) + bits + dst.encode(gen, 3))
    run(rig, memory, engine, lanes, word, met,
        f"{ENGINES[engine]} ops {ops} by {scalars} reverse {reverse} to {out} of {lanes} x {count} "
        f"in place {in_place}", seen)


def tensor_tensor(rig, gen, seen):
    engine, mode, lanes, count, memory = start(rig, gen)
    met, op = Met(), rig.rng.choice([ADD, SUBTRACT, MULT, MULT, ABS_DIFF, MAX])
    out = rig.rng.choice([FP32, FP32, BF16, FP8_EXP5])
    in_place = out == FP32 and rig.rng.random() < 0.4
    a, b = ordinary(rig, (lanes, count)), ordinary(rig, (lanes, count))
    scalar = np.float32(rig.rng.choice(SCALARS))
    edge = before(op, scalar, False, rig.rng.choice([TINIEST, FLT_MAX] + EDGES[out]))
    at = plant(rig, a, 1 if edge is None else neighbours(rig.np_rng, edge))
    b[at] = scalar
    if rig.rng.random() < 0.3:
        plant(rig, b, 1)
    if rig.rng.random() < 0.5:
        a, b = b, a
    patterns = [operand(0, FP32, count), operand(1, FP32, count),
                operand(rig.rng.choice([0, 1]) if in_place else 2, out, count)]
    for pattern, values in zip(patterns, (a, b)):
        memory.write(pattern, lanes, fmt.bits32(values))
        met.operands(FP32, values)
    with np.errstate(all="ignore"):
        met.narrowing(out, met.step(op, a, b), mode)
    word = (header(0x41) + bytes([FP32 | FP32 << 4, out, op, lanes]) +
            b"".join(p.encode(gen, 3) for p in patterns))
    run(rig, memory, engine, lanes, word, met,
        f"{ENGINES[engine]} op {op:#x} to {out} of {lanes} x {count} in place {in_place}", seen)


def one_operand(rig, gen, seen):
    _, mode, lanes, count, memory = start(rig, gen)
    rig.mode(DVE, mode)
    met, opcode = Met(), rig.rng.choice([CAST, RECIPROCAL])
    in_dtype, out = rig.rng.choice(
        [(FP32, FP32), (FP32, BF16), (FP32, FP16), (FP32, FP8_EXP4), (FP32, FP8_EXP5),
         (BF16, FP32), (BF16, FP16), (FP16, FP32), (FP16, FP8_EXP5)])
    in_place = opcode == RECIPROCAL and in_dtype == out and rig.rng.random() < 0.5
    edge = rig.rng.choice(EDGES[out] or [TINIEST, FLT_MAX])
    if opcode == RECIPROCAL:
        edge = before(DIVIDE, 1, True, rig.rng.choice([edge, 2.0**128]))
    value = ordinary(rig, (lanes, count))
    plant(rig, value, neighbours(rig.np_rng, edge))
    source = operand(0, in_dtype, count, 4)
    dst = operand(0 if in_place else 1, out, count, 4)
    with np.errstate(all="ignore"):
        memory.write(source, lanes, fmt.narrow(in_dtype, value, Mode(False, False)))
        value = fmt.widen(in_dtype, memory.read(source, lanes), mode)
        if opcode == RECIPROCAL:
            met.operands(in_dtype, value)
            value = met.step(DIVIDE, np.float32(1), value)
        elif in_dtype != out:
            met.operands(in_dtype, value)
        met.narrowing(out, value, mode) if in_dtype != out or opcode == RECIPROCAL else None
    run(rig, memory, DVE, lanes, tr_word(gen, opcode, source, dst, lanes), met,
        f"opcode {opcode:#x} {in_dtype}->{out} of {lanes} x {count} in place {in_place}", seen)


def reduction(rig, gen, seen):
    """One window a lane, in one piece: a fold is looked at by its result."""
    _, mode, lanes, count, memory = start(rig, gen)
    rig.mode(DVE, mode)
    count = min(count, 256)
    met, op = Met(), rig.rng.choice([ADD, MULT, MAX])
    values = ordinary(rig, (lanes, count))
    if op == MULT:  # products of many stay near 1
        values = np.where(values > 0, np.float32(2), np.float32(0.5)) * np.float32(
            rig.rng.choice([1, 1, 0]) or np.sign(values))
    plant(rig, values, neighbours(rig.np_rng, rig.rng.choice([FLT_MAX, 2.0**-149, 1e38])))
    source, dst = operand(0, FP32, count, 4), operand(1, FP32, 1, 4)
    dst.byte = 4 * count + 16
    memory.write(source, lanes, fmt.bits32(values.astype(np.float32)))
    met.operands(FP32, values)
    with np.errstate(all="ignore"):
        result = values[:, 0]
        for i in range(1, count):
            result = fmt.f32_op(op, result, values[:, i])
    real = finite(values).all(1)
    if op != MAX and count > 1:
        met.note(NAN, np.isnan(result))
        met.note(OVERFLOW, np.isinf(result) & real)
    if op == MULT and count > 1:
        met.note(UNDERFLOW, (result == 0) & real & (values != 0).all(1))
    run(rig, memory, DVE, lanes, tr_word(gen, REDUCE, source, dst, lanes, op=op, op_dim=X), met,
        f"reduce {op:#x} of {lanes} x {count}", seen)


def main():
    rig = Rig(sys.argv[1], 2028)
    rig.watched = 15
    seen = set()
    for gen in range(5):
        for _ in range(40):
            tensor_scalar(rig, gen, seen)
            tensor_scalar(rig, gen, seen)
            tensor_tensor(rig, gen, seen)
            one_operand(rig, gen, seen)
            reduction(rig, gen, seen)
    missing = {None, UNDERFLOW, NAN, INF, OVERFLOW} - seen
    if missing:
        sys.exit(f"the cases never met {missing}")
    rig.finish()


if __name__ == "__main__":
    main()
