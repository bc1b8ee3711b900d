#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""LDWEIGHTS_MX, MATMUL_MX, the MX operands of MAVERICK, QUANTIZE_MX and the converter table against
an independent computation in NumPy.

usage: pe_mx.py VECTOR_EXEC

Words are put together from the offsets of docs/hardware/isa-core.md 6, 9.2 and 9.4 and
pe_struct_fields.csv, scales lie as pe-array.md 10.2 says, sums follow 7.2 and 10.3 in float64 with
one rounding to float32 a row. Every byte of PSUM and SBUF that a case can reach is compared. Sums
are also held against the product of the dequantised operands in float64, within the bound of 128
roundings to float32; quantised values against their source, within half a step of the format.
"""
import struct
import sys

import numpy as np

import vector_formats as fmt
from vector_device import (DVE, GENS, NC, PSUM, PSUM_BASE, PSUM_STRIDE, SBUF, SBUF_STRIDE, Memory,
                           Rig)
from vector_formats import BF16, FP16, FP8_EXP3, FP8_EXP4, FP8_EXP5

PE = 0
FP4, FP8_EXP2, INT4 = 0x10, 0x11, 0x12
E8M0 = 0x13
LW_MX, MM_MX, QUANT, CONVLUT = 0x09, 0x0A, 0xE3, 0xE4
ROW_GRP = {128: (0xF,), 96: (0xF,), 64: (0x3, 0xC, 0xF), 32: (1, 2, 4, 8, 0x3, 0xF)}
GROUP_START = {0xF: 0, 3: 0, 0xC: 64, 1: 0, 2: 32, 4: 64, 8: 96}
GROUP_SIZE = {0xF: 128, 3: 64, 0xC: 64, 1: 32, 2: 32, 4: 32, 8: 32}
W_DATA, W_SCALE, X_DATA, X_SCALE, INDEX = 0, 0x100, 0x180, 0x280, 0x2C0  # bytes of a partition
FP4_VALUES = np.array([0, .5, 1, 1.5, 2, 3, 4, 6, -0.0, -.5, -1, -1.5, -2, -3, -4, -6])


def is_4bit(dtype):
    return dtype in (FP4, INT4)


def values_of(dtype, codes, mode, table=None):
    """Codes [lane, container, 4] to float64; `table` [lane, 16] of BF16 patterns."""
    if is_4bit(dtype) and table is not None:
        lanes = np.arange(codes.shape[0])[:, None, None]
        return fmt.f32(table[lanes, codes].astype(np.uint32) << 16).astype(np.float64)
    if dtype == FP4:
        return FP4_VALUES[codes]
    if dtype == INT4:
        return np.where(codes > 7, codes.astype(np.int64) - 16, codes).astype(np.float64)
    if dtype == FP8_EXP2:  # bias 1, no specials (numerics.md 2)
        e, m = codes >> 5 & 3, codes & 31
        magnitude = np.where(e == 0, m / 32.0, (1 + m / 32.0) * 2.0 ** (e.astype(int) - 1))
        return np.where(codes & 128, -magnitude, magnitude)
    return fmt.widen(dtype, codes.astype(np.uint8), mode).astype(np.float64)


def pack(dtype, codes):
    """Bytes of containers [lane, container] of four codes (10.1)."""
    codes = codes.astype(np.uint32)
    if is_4bit(dtype):
        word = codes[..., 0] | codes[..., 1] << 4 | codes[..., 2] << 8 | codes[..., 3] << 12
        return word.astype("<u2")
    return (codes[..., 0] | codes[..., 1] << 8 | codes[..., 2] << 16 | codes[..., 3] << 24).astype("<u4")


def unpack(dtype, raw):
    bits = 4 if is_4bit(dtype) else 8
    return np.stack([raw.astype(np.uint32) >> (bits * q) & ((1 << bits) - 1) for q in range(4)], -1)


def factor(scale):
    return np.where(scale == 255, np.nan, np.ldexp(1.0, scale.astype(int) - 127))


def column_sums(w, ws, x, xs):
    """7.2 and 10.3: w [k, m, 4], ws [k, m] scale bytes, x [k, n, 4], xs [k, n]."""
    s = np.zeros((w.shape[1], x.shape[1]), np.float32)
    for k in range(w.shape[0]):
        p = w[k, :, None, 0] * x[k, None, :, 0]
        for q in (1, 2, 3):
            p = p + w[k, :, None, q] * x[k, None, :, q]
        p = p * factor(ws[k])[:, None] * factor(xs[k])[None, :]
        s = (s.astype(np.float64) + p).astype(np.float32)
    return s


def check_bound(sums, w, ws, x, xs, what):
    """Dequantise and multiply in float64; 128 roundings of partial sums."""
    a = (w * factor(ws)[..., None]).transpose(1, 0, 2).reshape(w.shape[1], -1)
    b = (x * factor(xs)[..., None]).transpose(0, 2, 1).reshape(-1, x.shape[1])
    exact, size = a @ b, np.abs(a) @ np.abs(b)
    sure = np.isfinite(size) & (size < 2.0**126)
    assert (np.abs(sums - exact)[sure] <= (128 * 2.0**-24 * size + 128 * 2.0**-149)[sure]).all(), what


class Operand:
    """A block-scaled operand in SBUF: elements and scales of `lanes` partitions, in stream order."""

    def __init__(self, rig, memory, gen, dtype, start, lanes, count, data, scale, tame, near=124):
        rng, self.rng = rig.np_rng, rig.rng
        self.gen, self.dtype, self.start, self.lanes, self.count = gen, dtype, start, lanes, count
        self.size = 2 if is_4bit(dtype) else 4
        self.data, self.scale = data, scale
        # the partition of the scales is that of scale_addr and an offset
        self.place, self.pidx = rig.rng.choice([(0, 0), (0, 4), (0, 8), (0, 12), (4, 0), (8, 0),
                                                (12, 0), (4, 4), (12, 12)])
        self.indirect = False
        self.step = 1
        top = 16 if is_4bit(dtype) else 256
        codes = rng.integers(0, top, (lanes, count, 4)).astype(np.uint8)
        scales = rng.integers(0, 256, (lanes // 8, count)).astype(np.uint8)
        if tame:  # what a quantiser leaves: numbers, most of them large, and scales alike
            if not is_4bit(dtype):
                value = rng.normal(0, 90 if dtype == FP8_EXP4 else 3, (lanes, count, 4))
                if dtype != FP8_EXP2:
                    codes = fmt.narrow(dtype, value.astype(np.float32), fmt.Mode(True, True))
            scales = rng.integers(near - 12, near + 12, scales.shape).astype(np.uint8)
        memory.bytes[SBUF][start:start + lanes, data:data + self.size * count] = \
            pack(dtype, codes).view(np.uint8).reshape(lanes, -1)
        for g in range(lanes // 8):
            memory.bytes[SBUF][self.scale_partition(8 * g), scale:scale + count] = scales[g]

    def scale_partition(self, lane):
        return self.start + lane // 32 * 32 + self.place + self.pidx + lane % 32 // 8

    def turn(self):
        """Read it from its end."""
        self.step = -1

    def gather(self, rig, memory):
        """Read it by lists of indices, one a lane."""
        self.indirect = True
        self.index = rig.np_rng.integers(0, self.count, (self.lanes, self.count)).astype("<u2")
        memory.bytes[SBUF][self.start:self.start + self.lanes, INDEX:INDEX + 2 * self.count] = \
            self.index.view(np.uint8)

    def encode(self):
        base = self.start * SBUF_STRIDE[self.gen]
        scale = (self.start + self.place) * SBUF_STRIDE[self.gen] + self.scale
        if self.indirect:
            return struct.pack("<IIIHBB", base + INDEX | 1 << 29, base + self.data, scale,
                               4 * self.count, 0, self.pidx)
        back = self.count - 1 if self.step < 0 else 0
        return struct.pack("<IIHbB4x", base + self.data + self.size * back, scale + back,
                           4 * self.count, self.step, self.pidx)

    def encode_v2(self, num, steps, scale_dtype):
        address = self.start * SBUF_STRIDE[self.gen] + self.data | 1 << 24
        scale = (self.start + self.place) * SBUF_STRIDE[self.gen] + self.scale
        return struct.pack("<IIBBhhBB", address, scale, *num, *steps, 3 | 2 << 4, scale_dtype)

    def read(self, memory, mode, table=None):
        """What the array gets: values [lane, i, 4] and scale bytes [lane, i]."""
        raw = memory.bytes[SBUF][self.start:self.start + self.lanes,
                                 self.data:self.data + self.size * self.count]
        raw = np.ascontiguousarray(raw).view("<u2" if self.size == 2 else "<u4")
        scales = np.stack([memory.bytes[SBUF][self.scale_partition(lane),
                                              self.scale:self.scale + self.count]
                           for lane in range(self.lanes)])
        order = np.tile(np.arange(self.count)[::self.step], (self.lanes, 1))
        if self.indirect:
            order = self.index.astype(int)
        lanes = np.arange(self.lanes)[:, None]
        return (values_of(self.dtype, unpack(self.dtype, raw[lanes, order]), mode, table),
                scales[lanes, order])


def lw_word(operand, row_grp, rows, cols):
    word = bytearray(64)
    word[0:2] = LW_MX, 0x10
    word[16:32] = operand.encode()
    word[32], word[38], word[39], word[44], word[45] = operand.dtype, rows, cols, row_grp, 0xF
    return bytes(word)


def psum_pattern(gen, byte, num, step):
    return struct.pack("<I3h3H", PSUM_BASE[gen] + byte, *step, *num)


def mm_word(operand, gen, row_grp, rows, cols, out_dtype, flags, region, dst):
    word = bytearray(64)
    word[0:2] = MM_MX, 0x10
    word[16:32] = operand.encode()
    word[32], word[38], word[39], word[40] = operand.dtype, rows, cols, out_dtype
    word[43], word[44], word[45], word[47] = flags, row_grp, 0xF, region
    word[48:64] = psum_pattern(gen, *dst)
    return bytes(word)


def drain(memory, sums, byte, out_dtype, add):
    """7.3 into adjacent cells of partitions 0.. on."""
    cols, count = sums.shape
    cells = memory.bytes[PSUM][:cols]
    size = 2 if out_dtype == BF16 else 4
    old = np.ascontiguousarray(cells[:, byte:byte + size * count])
    if out_dtype == BF16:
        before = fmt.f32(old.view("<u2").astype(np.uint32) << 16)
        new = (before if add else np.float32(0)) + sums
        raw = fmt.narrow(BF16, new.astype(np.float32), None).astype("<u2")
    else:
        new = old.view("<f4") + sums if add else sums
        raw = np.where(np.isnan(new), np.uint32(0x7FC00000), fmt.bits32(new)).astype("<u4")
    memory.bytes[PSUM][:cols, byte:byte + size * count] = raw.view(np.uint8).reshape(cols, -1)


def send(rig, memory):
    rig.fill(memory, SBUF, 0, 128)
    rig.fill(memory, PSUM, 0, 128)


def expect(rig, memory, what):
    rig.expect(memory, SBUF, 0, 128, what)
    rig.expect(memory, PSUM, 0, 128, what)


def types(gen):
    return [FP8_EXP4, FP8_EXP5, FP4] + ([FP8_EXP3, FP8_EXP2, INT4] if NC[gen] == 5 else [])


def calm(memory):
    """Cells that are numbers as FP32 and as BF16."""
    memory.bytes[PSUM][:, 1::2] &= 0x3F
    return memory


def tile_case(rig, gen, w_type, x_type, rows, tame, tables=None, near=(124, 124)):
    """One tile: LDWEIGHTS_MX, MATMUL_MX that overwrites, another one that adds."""
    rng = rig.rng
    memory = calm(Memory())
    row_grp = rng.choice(ROW_GRP[rows])
    start = GROUP_START[row_grp]
    cols = 2 * rng.randint(1, 32 if not tame else 64)
    if is_4bit(w_type) is False and cols > 64:
        cols = 64  # bytes of the arena
    count = rng.choice([1, 2, 7, 31, 32, 33, 50, 64])
    w = Operand(rig, memory, gen, w_type, start, rows, cols, W_DATA, W_SCALE, tame, near[0])
    x = Operand(rig, memory, gen, x_type, start, rows, count, X_DATA, X_SCALE, tame, near[1])
    way = rng.choice(["plain", "turned", "gathered"])
    if way == "turned":
        w.turn()
        x.turn()
    if way == "gathered":
        rng.choice([w, x]).gather(rig, memory)
    out_dtype = rng.choice([0, 0x0A, BF16])
    dst = (rng.choice([0, 64]), (count, 1, 1), (1, 1, 1))
    mode = fmt.Mode.default(gen)
    what = f"{w_type:#x} x {x_type:#x}, {rows} rows, {cols} columns, {count} moving, {way}"
    send(rig, memory)
    rig.run(PE, lw_word(w, row_grp, rows, cols), what=what + " load")
    tables = None if tables is None else tables[start:start + rows]
    wv, ws = w.read(memory, mode, tables)
    wv, ws = wv[:, ::-1], ws[:, ::-1]  # the first element goes to the last column (section 4)
    xv, xs = x.read(memory, mode, tables)
    sums = column_sums(wv, ws, xv, xs)
    if tame:
        check_bound(sums, wv, ws, xv, xs, what)
    for flags, add in ((3, False), (2, True)):
        rig.run(PE, mm_word(x, gen, row_grp, rows, cols, out_dtype, flags, 0, dst), what=what)
        drain(memory, sums, dst[0], out_dtype, add)
    expect(rig, memory, what)


def v2_case(rig, gen, w_type, x_type, scaled):
    """LDWEIGHTS and MATMUL of MAVERICK with MXTENSOR_V2 operands, tiles of 64 or 128 rows."""
    rng = rig.rng
    memory = calm(Memory())
    row_log = rng.choice([6, 7])
    rows = rng.choice([8 * rng.randint(1, 1 << row_log - 3), 1 << row_log])
    cols, count = 2 * rng.randint(1, 32), 2 * rng.randint(1, 24)
    w = Operand(rig, memory, gen, w_type, 0, rows, cols, W_DATA, W_SCALE, True)
    x = Operand(rig, memory, gen, x_type, 0, rows, count, X_DATA, X_SCALE, True)
    for operand in (w, x):
        operand.pidx = 0  # the form has no offset
    refill(rig, memory, w, x)
    perf = rng.choice([0, 1])
    order = rng.choice([0, 1])
    dtype = E8M0 if scaled else 0
    lw, mm = bytearray(64), bytearray(64)
    lw[0:2], mm[0:2] = (0x01, 0x10), (0x02, 0x10)
    lw[16:32] = w.encode_v2((cols // 2, 2), (cols // 2, cols // 2), dtype)
    mm[16:32] = x.encode_v2((count, 1), (1, 1), dtype)
    lw[32], lw[34:40] = w_type, bytes([rows, cols, row_log | 7 << 4, 0, order << 5, perf])
    mm[32], mm[34:41] = x_type, bytes([0, rows, cols, row_log | 7 << 4, 0, 0, perf])
    mm[48:64] = psum_pattern(gen, 0, (count, 1, 1), (1, 1, 1))
    mode = fmt.Mode.default(gen)
    what = f"v2 {w_type:#x} x {x_type:#x}, {rows} rows, {cols} columns, {count} moving"
    send(rig, memory)
    rig.run(PE, bytes(lw), what=what + " load")
    rig.run(PE, bytes(mm), what=what)
    (wv, ws), (xv, xs) = w.read(memory, mode), x.read(memory, mode)
    if not order:
        wv, ws = wv[:, ::-1], ws[:, ::-1]
    if not scaled:
        ws, xs = np.full_like(ws, 127), np.full_like(xs, 127)
    drain(memory, column_sums(wv, ws, xv, xs), 0, 0, False)
    expect(rig, memory, what)


def refill(rig, memory, *operands):
    """Scales where the operands now look for them."""
    for operand in operands:
        for lane in range(0, operand.lanes, 8):
            memory.bytes[SBUF][operand.scale_partition(lane),
                               operand.scale:operand.scale + operand.count] = \
                rig.np_rng.integers(112, 136, operand.count)


# ---- QUANTIZE_MX -----------------------------------------------------------------------------

def quantize(values, dtype, mode):
    """numerics.md 7 on [8, containers, 4] values: codes, scale bytes."""
    emax = 15 if dtype == FP8_EXP5 else 8
    a = np.abs(values).max(axis=(0, 2))
    special = ~np.isfinite(values).all(axis=(0, 2))
    safe = np.where(special | (a == 0), 1, a).astype(np.float64)
    exponent = np.frexp(safe)[1] - 1 - (emax - 1)
    exponent = np.where(a == 0, -127, np.maximum(exponent, -127))
    scaled = values.astype(np.float64) / np.ldexp(1.0, exponent)[None, :, None]
    codes = fmt.small(dtype, mode).narrow(scaled, mode.saturate, mode.suppress)
    nan = fmt.small(dtype, mode).nan
    codes = np.where(special[None, :, None], nan, codes).astype(np.uint8)
    return codes, np.where(special, 255, exponent + 127).astype(np.uint8)


def check_quantized(values, codes, scales, dtype, mode, what):
    """Within half a step of the format, which has 3 (2) mantissa bits, or of its subnormals."""
    sure = scales != 255
    back = fmt.small(dtype, mode).widen(codes).astype(np.float64) * factor(scales)[None, :, None]
    bits, low = (2, -16) if dtype == FP8_EXP5 else (3, -9)
    half = np.maximum(np.abs(values) * 2.0 ** -(bits + 1), 2.0 ** (low - 1) * factor(scales)[None, :, None])
    assert (np.abs(back - values) <= half)[:, sure].all(), what


def quant_case(rig, gen, in_dtype, out_dtype, lanes, saturate, overlap):
    rng, np_rng = rig.rng, rig.np_rng
    memory = Memory()
    starts = {128: [0], 64: [0, 64], 32: [0, 32, 64, 96], 96: [0], 16: [0, 32], 48: [0, 64],
              80: [0], 112: [0]}[lanes]
    src_start, dst_start = rng.choice(starts), rng.choice(starts)
    count = rng.choice([1, 3, 16, 20])
    src, dst, scale = (0, 0x200, 0x300)
    if overlap:
        dst, dst_start = 8, src_start
    pidx = rng.choice([0, 4, 8, 12])
    kind = rng.choice(["normal", "wild", "tiny"])
    values = np_rng.normal(0, 1, (lanes, 4 * count)) * 2.0 ** np_rng.integers(-6, 6, (lanes, 1))
    raw = fmt.narrow(in_dtype, values.astype(np.float32), None).astype("<u2")
    if kind == "wild":
        raw = np_rng.integers(0, 65536, raw.shape).astype("<u2")
    if kind == "tiny":
        raw = (raw & 0x8003).astype("<u2")
    raw[:, :4] = raw[:, :4] if rng.random() < 0.5 else 0  # a group of zeros
    memory.bytes[SBUF][src_start:src_start + lanes, src:src + 8 * count] = raw.view(np.uint8)
    mode = fmt.Mode(*(rng.random() < 0.5 for _ in range(3)))
    rig.mode(DVE, mode)
    word = bytearray(64)
    word[0:2] = QUANT, 0x11 if saturate else 0x10
    word[16:32] = struct.pack("<I3h3H", src_start * SBUF_STRIDE[gen] + src, 1, 1, 1, 2 * count, 1, 1)
    word[33:36] = lanes, in_dtype, out_dtype
    word[48:64] = struct.pack("<IIHbB4x", dst_start * SBUF_STRIDE[gen] + dst,
                              dst_start * SBUF_STRIDE[gen] + scale, 4 * count, 1, pidx)
    what = f"quantize {in_dtype:#x} to {out_dtype:#x}, {lanes} lanes, {count} containers, {kind}"
    send(rig, memory)
    rig.run(DVE, bytes(word), what=what)
    told = fmt.Mode(mode.fn, mode.saturate or saturate, mode.suppress)
    for f in range(count):  # all sources of a container before its result
        at = src + 8 * f
        group = np.ascontiguousarray(memory.bytes[SBUF][src_start:src_start + lanes, at:at + 8])
        group = fmt.widen(in_dtype, group.view("<u2"), told)
        for g in range(lanes // 8):
            v = group[8 * g:8 * g + 8].reshape(8, 1, 4)
            codes, scales = quantize(v, out_dtype, told)
            if told.fn or out_dtype == FP8_EXP5:
                check_quantized(v, codes, scales, out_dtype, told, what)
            memory.bytes[SBUF][dst_start + 8 * g:dst_start + 8 * g + 8,
                               dst + 4 * f:dst + 4 * f + 4] = codes[:, 0]
            lane = 8 * g
            memory.bytes[SBUF][dst_start + lane // 32 * 32 + pidx + lane % 32 // 8,
                               scale + f] = scales[0]
    expect(rig, memory, what)


# ---- the converter table ---------------------------------------------------------------------

# NF4: the sixteen quantiles of a normal distribution (QLoRA, arXiv 2305.14314, appendix E).
NF4 = [-1.0, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453, -0.28444138169288635,
       -0.18477343022823334, -0.09105003625154495, 0.0, 0.07958029955625534, 0.16093020141124725,
       0.24611230194568634, 0.33791524171829224, 0.44070982933044434, 0.5626170039176941,
       0.7229568362236023, 1.0]


def convlut_word(gen, byte, num, lut_dtype):
    """S2_CONVLUT (convlut.md 2)."""
    word = bytearray(64)
    word[0:2] = CONVLUT, 0x10
    word[16:28] = struct.pack("<I2h2H", byte, 1, 1, *num)
    word[32], word[38:40], word[44:48] = 0x05, bytes([128, 128]), bytes([0xF, 0xF, 0, lut_dtype])
    return bytes(word)


def load_table(rig, gen, entries, shape, lut_dtype):
    memory = Memory()
    memory.bytes[SBUF][0, 0x380:0x3A0] = np.array(entries, "<u2").view(np.uint8)
    rig.fill(memory, SBUF, 0, 128)
    rig.run(PE, convlut_word(gen, 0x380, shape, lut_dtype), what="CONV_LUT_LOAD")
    return np.tile(np.array(entries, np.uint16), (128, 1))


def convlut_cases(rig, gen):
    """Codes of 4-bit operands pick entries of the table of their row, until a reset."""
    nf4 = fmt.narrow(BF16, np.array(NF4, np.float32), None).astype(np.uint16)
    rig.reset()
    tile_case(rig, gen, FP4, FP4, 64, True)  # never loaded: the values of the type
    tables = load_table(rig, gen, nf4, (16, 1), 0x0A)
    tile_case(rig, gen, FP4, FP4, 128, True, tables)
    tile_case(rig, gen, FP4, FP8_EXP4, 32, True, tables)
    # entries that float32 does not hold once they have their scales; the large factors of the other
    # operand bring the products back
    tiny = np.where(np.arange(16) % 2, 3 << 7 | np.arange(16), 0)
    tables = load_table(rig, gen, tiny, (16, 1), 0x0A)
    tile_case(rig, gen, FP8_EXP4, FP4, 64, True, tables, (150, 77))
    wild = rig.np_rng.integers(0, 65536, 16)
    tables = load_table(rig, gen, wild, (1, 16), 0)
    tile_case(rig, gen, FP4, FP4, 64, False, tables)
    rig.reset()
    tile_case(rig, gen, FP4, FP8_EXP5, 64, True)


def main():
    rig = Rig(sys.argv[1], 20260)
    for gen in range(5):
        if NC[gen] < 4:
            continue
        rig.select(gen, threads=1 + gen % 3)
        for w_type in types(gen):
            for x_type in types(gen):
                for rows in (32, 64, 96, 128):
                    tile_case(rig, gen, w_type, x_type, rows, rig.rng.random() < 0.7)
        if NC[gen] == 5:
            for n in range(24):
                v2_case(rig, gen, rig.rng.choice(types(gen)), rig.rng.choice(types(gen)), n % 3 > 0)
        else:  # the legacy leg of 0xe4 is not legal on MAVERICK (convlut.md 6.1)
            convlut_cases(rig, gen)
        lanes = [32, 64, 96, 128] if NC[gen] == 4 else [16, 32, 48, 64, 80, 96, 112, 128]
        for in_dtype in (BF16, FP16):
            for out_dtype in (FP8_EXP4, FP8_EXP5):
                for n in lanes:
                    for saturate in (False, True):
                        quant_case(rig, gen, in_dtype, out_dtype, n, saturate, False)
                        quant_case(rig, gen, in_dtype, out_dtype, n, saturate, True)
        rig.reset()
    rig.finish()


if __name__ == "__main__":
    main()
