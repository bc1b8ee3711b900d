#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""COPY (0x46), CAST (0x47), RECIPROCAL (0x48) and MEMSET (0x49) against NumPy.

usage: vector_moves.py VECTOR_EXEC

Every pair of types on every engine and generation, both readings of FP8_EXP4 with every overflow
setting, exact and inexact ACT copies, reshapes, overlap, indirect patterns, stochastic rounding.
"""
import struct
import sys

import vector_formats as fmt
from vector_formats import (BF16, FP16, FP32, FP32R, FP8_EXP4, INT32, PLAIN, SIZE, UINT16, UINT32,
                            Mode, np)
from vector_device import (ACT, DVE, ENGINES, NC, POOL, PSUM, SBUF, Memory, Pattern, Rig,
                           element_wise, header, random_pattern, random_values, random_window)

COPY, CAST, RECIPROCAL, MEMSET = 0x46, 0x47, 0x48, 0x49


def tr_word(gen, opcode, src, dst, lanes, negated=0, op=0, op_dim=0):
    """S4D4_TR (vector-ops.md 3)."""
    return (header(opcode) + src.encode(gen, 4) +
            bytes([src.dtype, dst.dtype, lanes, negated, op, op_dim]) + bytes(6) +
            dst.encode(gen, 4))


def memset_word(gen, dst, lanes, value, count=None):
    """D4_MR (vector-ops.md 7.5)."""
    return (header(MEMSET) + bytes(16) +
            struct.pack("<I8BI", count or dst.count(), dst.dtype, 0, lanes, 0, 0, 0, 0, 0, value) +
            dst.encode(gen, 4))


def function_of(gen, engine, opcode, in_dtype, out_dtype, mode):
    def hub(raw):
        return fmt.narrow(out_dtype, fmt.widen(in_dtype, raw, mode), mode)

    def reciprocal(raw):
        r = fmt.f32_op(0x07, np.float32(1), fmt.widen(in_dtype, raw, mode))
        return fmt.narrow(out_dtype, r, mode)

    if opcode == RECIPROCAL:
        return reciprocal
    if opcode == CAST and in_dtype != out_dtype:
        return hub
    if opcode == COPY and engine == ACT and NC[gen] == 2:
        return hub  # the ACT of SUNDA copies through fp32
    return lambda raw: raw


def check(rig, memory, gen, engine, opcode, src, dst, lanes, mode, what, prepare=True):
    windows = sorted({(p.space, p.partition) for p in (src, dst)})
    what = f"{ENGINES[engine]} {opcode:#x} {what} {src} to {dst}"
    if prepare:
        memory.write(src, lanes, random_values(rig, src.dtype, (lanes, src.count())))
    for space, partition in windows:
        rig.fill(memory, space, partition, lanes)
    rig.run(engine, tr_word(gen, opcode, src, dst, lanes), what=what)
    element_wise(memory, lanes, [src], dst,
                 function_of(gen, engine, opcode, src.dtype, dst.dtype, mode))
    for space, partition in windows:
        rig.expect(memory, space, partition, lanes, what)


def build(rig, engine, in_dtype, out_dtype, small=True):
    rng = rig.rng
    lanes, partition = random_window(rng, small)
    count = rng.choice([1, 5, 16, 24, 35, 40]) if small else 112
    psum = engine != POOL
    src = random_pattern(rng, PSUM if psum and rng.random() < 0.3 else SBUF, partition, in_dtype,
                         count, 4, 0, 500)
    dst_space = PSUM if psum and SIZE[out_dtype] == 4 and rng.random() < 0.3 else SBUF
    dst = random_pattern(rng, dst_space, partition, out_dtype, count, 4, 512, 1020)
    return Memory(), src, dst, lanes


def type_cases(rig, gen):
    mode = Mode.default(gen)
    for engine in [DVE, POOL] + ([ACT] if NC[gen] < 5 else []):
        for in_dtype in PLAIN:
            memory, src, dst, lanes = build(rig, engine, in_dtype, in_dtype)
            check(rig, memory, gen, engine, COPY, src, dst, lanes, mode, "copy")
            targets = PLAIN + [FP32R] if engine == DVE else rig.rng.sample(PLAIN, 4)
            for out_dtype in targets:
                memory, src, dst, lanes = build(rig, engine, in_dtype, out_dtype)
                check(rig, memory, gen, engine, CAST, src, dst, lanes, mode, "cast")


def reciprocal_cases(rig, gen):
    for in_dtype in PLAIN:
        out_dtype = rig.rng.choice([FP32, FP32, FP32R] + PLAIN)
        memory, src, dst, lanes = build(rig, DVE, in_dtype, out_dtype)
        check(rig, memory, gen, DVE, RECIPROCAL, src, dst, lanes, Mode.default(gen), "1/x")


def mode_cases(rig, gen):
    """The settings of an engine's converters: both readings, saturation, NaN suppression."""
    for fn in (False, True):
        for saturate in (False, True):
            for suppress in (False, True):
                mode = Mode(fn, saturate, suppress)
                rig.mode(DVE, mode)
                for out_dtype in (13, 14, 15):
                    memory, src, dst, lanes = build(rig, DVE, FP32, out_dtype)
                    check(rig, memory, gen, DVE, CAST, src, dst, lanes, mode, str(mode.key()))
                memory, src, dst, lanes = build(rig, DVE, FP8_EXP4, BF16)
                check(rig, memory, gen, DVE, CAST, src, dst, lanes, mode, str(mode.key()))
    rig.reset()


def exhaustive_cases(rig, gen):
    """Every code of each narrow type to fp32 and back, and every rounding boundary of it."""
    mode = Mode.default(gen)
    for dtype in [t for t in PLAIN if SIZE[t] == 1]:
        memory = Memory()
        src, wide = Pattern(SBUF, 0, 0, dtype, [128], [1]), Pattern(SBUF, 0, 512, FP32, [128], [1])
        codes = np.arange(256, dtype=np.uint8).reshape(2, 128)
        memory.write(src, 2, codes)
        check(rig, memory, gen, DVE, CAST, src, wide, 2, mode, "all codes", prepare=False)
        values = np.sort(fmt.widen(dtype, codes.reshape(-1), mode))
        values = values[np.isfinite(values)].astype(np.float64)
        middles = ((values[:-1] + values[1:]) / 2).astype(np.float32)
        near = np.concatenate([middles, np.nextafter(middles, np.float32(np.inf)),
                               np.nextafter(middles, np.float32(-np.inf))])
        near = np.resize(near, (-(-near.size // 100), 100))
        memory = Memory()
        src, dst = Pattern(SBUF, 0, 0, FP32, [100], [1]), Pattern(SBUF, 0, 512, dtype, [100], [1])
        memory.write(src, near.shape[0], fmt.bits32(near))
        check(rig, memory, gen, DVE, CAST, src, dst, near.shape[0], mode, "middles",
              prepare=False)


def overlap_cases(rig, gen):
    rng = rig.rng
    for in_dtype, out_dtype in [(FP32, FP32), (BF16, BF16), (FP32, BF16), (FP8_EXP4, FP32),
                                (FP16, INT32), (UINT32, UINT16)]:
        for shift in (0, 4, -4, 8, -8, 64):
            memory = Memory()
            src = Pattern(SBUF, 0, 300, in_dtype, [5, 6], [1, 5])
            dst = Pattern(SBUF, 0, 300 + shift, out_dtype, [30], [rng.choice([1, 1, -1, 2])])
            opcode = COPY if in_dtype == out_dtype else CAST
            check(rig, memory, gen, DVE, opcode, src, dst, 3, Mode.default(gen), "overlap")


def memset_cases(rig, gen):
    rng = rig.rng
    for engine in (DVE, POOL):
        for dtype in PLAIN:
            memory, _, dst, lanes = build(rig, engine, dtype, dtype)
            value = rng.getrandbits(8 * SIZE[dtype])
            rig.fill(memory, dst.space, dst.partition, lanes)
            rig.run(engine, memset_word(gen, dst, lanes, value), what=f"memset {dst}")
            memory.write(dst, lanes, np.full((lanes, dst.count()), value, np.uint32))
            rig.expect(memory, dst.space, dst.partition, lanes, f"memset {dst}")
    memory, _, dst, lanes = build(rig, DVE, FP32, FP32)
    rig.run(DVE, memset_word(gen, dst, lanes, 0, dst.count() + 1), "illegal", "d4mr_count",
                "memset with another count")


def indirect(pattern_address, data_address, count):
    """INDIRECT20B: index ADDR4 with bit 29, data ADDR4, count (isa-core.md 6)."""
    return struct.pack("<IIH10x", pattern_address | 1 << 29, data_address, count)


def indirect_cases(rig, gen):
    """Gather by a list of UINT16 element indices, one list a lane (MARIANA on)."""
    for dtype in (FP32, BF16):
        memory, lanes = Memory(), 3
        data = Pattern(SBUF, 32, 0, dtype, [60], [1])
        index = Pattern(SBUF, 32, 900, UINT16, [20], [1])
        dst = Pattern(SBUF, 32, 512, dtype, [20], [1])
        memory.write(data, lanes, random_values(rig, dtype, (lanes, 60)))
        order = rig.np_rng.integers(0, 60, (lanes, 20)).astype(np.uint16)
        memory.write(index, lanes, order)
        word = bytearray(tr_word(gen, COPY, dst, dst, lanes))
        word[12:32] = indirect(index.address(gen), data.address(gen), 20)
        rig.fill(memory, SBUF, 32, lanes)
        rig.run(DVE, bytes(word), what="gather")
        raw = memory.read(data, lanes)
        memory.write(dst, lanes, np.take_along_axis(raw, order.astype(np.int64), 1))
        rig.expect(memory, SBUF, 32, lanes, "gather")


def index_overlap_case(rig, gen):
    """A gather whose results fall on its own index list, which is read before all of them."""
    memory, lanes = Memory(), 2
    data = Pattern(SBUF, 0, 0, UINT16, [60], [1])
    index = Pattern(SBUF, 0, 900, UINT16, [20], [1])
    dst = Pattern(SBUF, 0, 904, UINT16, [20], [1])
    memory.write(data, lanes, rig.np_rng.integers(0, 60, (lanes, 60)).astype(np.uint16))
    memory.write(index, lanes, rig.np_rng.integers(0, 60, (lanes, 20)).astype(np.uint16))
    word = bytearray(tr_word(gen, COPY, dst, dst, lanes))
    word[12:32] = indirect(index.address(gen), data.address(gen), 20)
    rig.fill(memory, SBUF, 0, lanes)
    rig.run(DVE, bytes(word), what="gather over its list")
    order = memory.read(index, lanes).astype(np.int64)
    memory.write(dst, lanes, np.take_along_axis(memory.read(data, lanes), order, 1))
    rig.expect(memory, SBUF, 0, lanes, "gather over its list")


def lfsr(s):
    """vector-ops.md 13.3."""
    bit = (s >> 31 ^ s >> 21 ^ s >> 1 ^ s) & 1
    return (s << 1 | bit) & 0xFFFFFFFF


def stochastic_case(rig, gen, engine, seeded, partition):
    """numerics.md 6 for BF16: u + (R & 0xFFFF), low 16 bits dropped; one draw an element."""
    memory, lanes, count = Memory(), 4, 90
    src = Pattern(SBUF, partition, 0, FP32, [count], [1])
    dst = Pattern(SBUF, partition, 512, BF16, [count], [1])
    numbers = rig.np_rng.normal(0, 2, (lanes, count)).astype(np.float32)
    memory.write(src, lanes, fmt.bits32(numbers))
    rig.reset()
    rig.stochastic(engine, True, [(BF16, 0x1234)] if seeded else [])
    rig.fill(memory, SBUF, partition, lanes)
    rig.run(engine, tr_word(gen, CAST, src, dst, lanes), what="stochastic")
    raw = memory.read(src, lanes)
    out = np.zeros((lanes, count), np.uint16)
    for lane in range(lanes):
        state = (partition + lane) << 24 | (0x1234 if seeded else 1)
        for n in range(count):
            state = lfsr(state)
            out[lane, n] = (int(raw[lane, n]) + (state & 0xFFFF)) >> 16
    memory.write(dst, lanes, out)
    rig.expect(memory, SBUF, partition, lanes, "stochastic")
    rig.reset()


def large_cases(rig, gen):
    for threads in (1, 2, 3, 4):
        rig.select(gen, threads)
        for opcode, types in [(COPY, (BF16, BF16)), (CAST, (FP32, BF16)), (CAST, (FP8_EXP4, FP32)),
                              (RECIPROCAL, (FP32, FP32))]:
            memory, src, dst, _ = build(rig, DVE, *types, small=False)
            src.partition = dst.partition = 0
            check(rig, memory, gen, DVE, opcode, src, dst, 128, Mode.default(gen),
                  f"{threads} threads")
    rig.select(gen, 1)


def refusals(rig, gen):
    src, dst = Pattern(SBUF, 0, 0, FP32, [8], [1]), Pattern(SBUF, 0, 512, FP32, [9], [1])
    for opcode in (COPY, CAST, RECIPROCAL):
        rig.run(DVE, tr_word(gen, opcode, src, dst, 4), "illegal", "tr_counts", "counts")


def main():
    rig = Rig(sys.argv[1], seed=46)
    for gen in range(5):
        rig.select(gen)
        type_cases(rig, gen)
        reciprocal_cases(rig, gen)
        memset_cases(rig, gen)
        exhaustive_cases(rig, gen)
        refusals(rig, gen)
    rig.select(2)
    mode_cases(rig, 2)
    indirect_cases(rig, 2)
    index_overlap_case(rig, 2)
    overlap_cases(rig, 2)
    for seeded in (False, True):
        stochastic_case(rig, 2, DVE, seeded, 0)
        stochastic_case(rig, 2, ACT, seeded, 32)
    large_cases(rig, 1)
    rig.finish()


if __name__ == "__main__":
    main()
