#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""LDTAGS, MATMUL_SPARSE and LDWEIGHTS with tags beside the weights against NumPy.

usage: pe_sparse.py VECTOR_EXEC

Words are put together from docs/hardware/pe_struct_fields.csv. The selection is made dense first,
as pe-array.md 12 defines it: a matrix with one row for each feature map of each partition, in which
every weight stands at the row that its tag picks. The sum of a column is then that of its rows in
the order of the cells, fused step by step (7.2); it is also held against the product of the dense
matrix in float64. Every byte of PSUM is compared.
"""
import struct
import sys

import numpy as np

import vector_formats as fmt
from pe_oracle import fma, split, HIGH, LOW, LOW_HIGH
from vector_device import NC, PSUM, PSUM_BASE, SBUF, SBUF_STRIDE, Memory, Rig
from vector_formats import BF16, FP16, FP32, FP8_EXP3, FP8_EXP4, FP8_EXP5, SIZE

PE, LDTAGS, SPARSE, LDWEIGHTS = 0, 0x06, 0x07, 0x01
INT16, UINT16 = 4, 5
# row_grp: first row, rows, force_tag_bits (pe-array.md 12)
GROUPS = {0xF: (0, 128, 0), 3: (0, 64, 0), 1: (0, 32, 0), 0xC: (64, 64, 8), 4: (64, 32, 8),
          2: (32, 32, 4), 8: (96, 32, 0xC)}
WEIGHTS, TAGS, MOVING = 0, 0x200, 0x240  # bytes of a partition


def store(memory, partition, byte, raw):
    data = np.ascontiguousarray(raw).view(np.uint8)
    memory.bytes[SBUF][partition:partition + raw.shape[0], byte:byte + data.shape[1]] = data


def elements(rig, dtype, shape):
    values = rig.np_rng.normal(0, 2, shape).astype(np.float32)
    if dtype == FP32:
        return values.view("<u4")
    return fmt.narrow(dtype, values, fmt.Mode(False, True)).astype(f"<u{SIZE[dtype]}")


def lt_word(gen, row_grp, rows, dtype):
    first, _, force = GROUPS[row_grp]
    word = bytearray(64)
    word[0:2] = LDTAGS, 0x10
    word[16:32] = struct.pack("<I3h3H", first * SBUF_STRIDE[gen] + TAGS, 1, 1, 1, 32, 1, 1)
    word[32:34], word[38], word[44:46] = bytes([dtype, force]), rows, bytes([row_grp, 0xF])
    return bytes(word)


def lw_word(gen, row_grp, rows, cols, dtype, fp32_mode, tags=False, order=0):
    """Dense weights (9.2), backwards in memory or not; `tags`: pairs of a weight and a tag."""
    first = 0 if NC[gen] == 5 else GROUPS[row_grp][0]
    word = bytearray(64)
    word[0:2] = LDWEIGHTS, 0x10
    if NC[gen] == 5:  # tiles of 64 or 128 rows: all rows are loaded, whatever the group
        word[16:32] = struct.pack("<I3h3H", WEIGHTS, 1, 1, 1, cols, 1, 1)
        word[32:34], word[34:36] = bytes([dtype, fp32_mode]), bytes([128, cols])
        word[36] = 7 | 7 << 4
        return bytes(word)
    word[16:32] = struct.pack("<I3h3H", first * SBUF_STRIDE[gen] + WEIGHTS, 1, 1, 1, cols, 1, 1)
    word[32:34], word[38:40], word[44:46] = bytes([dtype, fp32_mode]), bytes([rows, cols]), bytes([row_grp, 0xF])
    word[47] = tags | order << 5
    return bytes(word)


def sparse_word(gen, row_grp, rows, cols, dtype, fp32_mode, count, maps, out_dtype, flags):
    first = GROUPS[row_grp][0]
    word = bytearray(64)
    word[0:2] = SPARSE, 0x10
    word[12:32] = struct.pack("<I4h4H", first * SBUF_STRIDE[gen] + MOVING, 1, 1, 1, count,
                              count, 1, 1, maps)
    word[32:35], word[38:40] = bytes([dtype, fp32_mode, out_dtype]), bytes([rows, cols])
    word[43:46] = bytes([flags, row_grp, 0xF])
    word[48:64] = struct.pack("<I3h3H", PSUM_BASE[gen], 1, 1, 1, count, 1, 1)
    return bytes(word)


def column_sums(w, tags, x, first, passes):
    """w, tags [rows, cols] of the tile, x [rows, maps, n] of the moving partitions."""
    rows, cols = w.shape
    maps, n = x.shape[1:]
    dense = np.zeros((rows * maps, cols))
    s = np.zeros((cols, n), np.float32)
    for part in passes:
        moving = split(x, part) if part else x
        for r in range(rows):
            lane = (first + r) % 32 + 32 * (tags[r] >> 2) - first
            picked = tags[r] & 3
            there = (picked < maps) & (lane >= 0) & (lane < rows)
            lane, picked = np.where(there, lane, 0), np.where(there, picked, 0)
            step = fma(np.repeat(w[r][:, None], n, 1), moving[lane, picked], s)
            s = np.where(there[:, None], step, s)
            if part == passes[-1]:
                np.add.at(dense, (lane[there] * maps + picked[there], np.flatnonzero(there)),
                          w[r][there].astype(np.float64))
    if len(passes) > 1 or passes[0] == 0:  # the whole moving operand
        exact = dense.T @ x.reshape(rows * maps, n).astype(np.float64)
        size = np.abs(dense).T @ np.abs(x.reshape(rows * maps, n)).astype(np.float64)
        assert (np.abs(s - exact) <= 256 * 2.0**-24 * (size + 1e-3) * 2).all()
    return s


def case(rig, gen, dtype, row_grp, maps, wild_tags):
    rng, np_rng = rig.rng, rig.np_rng
    first, size, force = GROUPS[row_grp]
    rows = size if rng.random() < 0.6 else rng.randint(1, size)
    cols, count = rng.randint(1, 100), rng.choice([1, 5, 31, 40])
    if dtype == FP32:
        count = min(count, 27)
    memory = Memory()
    memory.bytes[PSUM][:, 3::4] &= 0x3F
    # tags that pick what is there; elements of four, the first for the last columns
    quadrants = max(1, size // 32)
    tags = np_rng.integers(0, maps, (rows, 128)) | np_rng.integers(0, quadrants, (rows, 128)) << 2
    if wild_tags:
        tags = np_rng.integers(0, 16, (rows, 128))
    reversed_tags = tags[:, ::-1]
    words = sum(reversed_tags[:, k::4] << 4 * k for k in range(4)).astype("<u2")
    store(memory, first, TAGS, words)
    tags = tags | force
    tagged = NC[gen] == 4 and dtype in (BF16, FP16) and rng.random() < 0.4
    raw = elements(rig, dtype, (rows, cols))
    mode = fmt.Mode.default(gen)
    w = fmt.widen(dtype, raw, mode)
    order = 0
    fp32_mode = rng.choice([LOW, HIGH]) if dtype == FP32 else 0
    if tagged:
        order = rng.choice([0, 1])
        upper = np_rng.integers(0, 1 << 12, (rows, cols)) << 4  # of which only the low 4 bits count
        own = np_rng.integers(0, 16, (rows, cols)) if wild_tags else tags[:, :cols]
        pairs = raw.astype("<u4") | (own | upper).astype("<u4") << 16
        store(memory, first, WEIGHTS, pairs)
        tags = (own if order else own[:, ::-1])
    else:
        store(memory, first, WEIGHTS, raw)
    w = w if order else w[:, ::-1]
    tags = tags[:, :cols]
    moving_raw = elements(rig, dtype, (rows, maps * count))
    store(memory, first, MOVING, moving_raw)
    x = fmt.widen(dtype, moving_raw, mode).reshape(rows, maps, count)
    rig.fill(memory, SBUF, 0, 128)
    rig.fill(memory, PSUM, 0, 128)
    what = f"sparse {dtype:#x}, row_grp {row_grp:#x}, {rows} rows, {cols} columns, {maps} maps"
    if not tagged:
        rig.run(PE, lt_word(gen, row_grp, rows, rng.choice([INT16, UINT16])), what=what + " tags")
    rig.run(PE, lw_word(gen, row_grp, rows, cols, dtype, fp32_mode, tagged, order), what=what + " load")
    if fp32_mode:
        w = split(w, fp32_mode)
    moving_mode = rng.choice([LOW, HIGH, LOW_HIGH]) if dtype == FP32 else 0
    passes = {0: [0], LOW: [LOW], HIGH: [HIGH], LOW_HIGH: [LOW, HIGH]}[moving_mode]
    s = column_sums(w, tags.astype(int), x, first, passes)
    lane = np.arange(first, first + rows)[:, None] % 32 + (tags >> 2) * 32 - first
    absent = ((tags & 3) >= maps) | (lane < 0) | (lane >= rows)
    out_dtype = rng.choice([0, 0x0A]) if NC[gen] >= 4 else 0
    word = sparse_word(gen, row_grp, rows, cols, dtype, moving_mode, count, maps, out_dtype, 3)
    rig.pe_strict(True)
    if absent.any():  # refused, and nothing is written (12)
        rig.run(PE, word, "illegal", "sparse_absent", what)
        rig.expect(memory, PSUM, 0, 128, what + " refused")
        rig.pe_strict(False)
    rig.run(PE, word, what=what)
    rig.pe_strict(False)
    cells = np.where(np.isnan(s), np.uint32(0x7FC00000), fmt.bits32(s)).astype("<u4")
    memory.bytes[PSUM][:cols, :4 * count] = cells.view(np.uint8).reshape(cols, -1)
    rig.expect(memory, PSUM, 0, 128, what)


def main():
    rig = Rig(sys.argv[1], 77)
    for gen in range(1, 5):
        rig.select(gen, threads=1 + gen % 3)
        for dtype in (BF16, FP16, FP32, FP8_EXP3, FP8_EXP4, FP8_EXP5):
            for row_grp in GROUPS:
                for maps in (2, 3, 4):
                    case(rig, gen, dtype, row_grp, maps, rig.rng.random() < 0.3)
        rig.reset()
    rig.finish()


if __name__ == "__main__":
    main()
