#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The other modes of LDWEIGHTS and MATMUL against an independent computation in NumPy.

usage: pe_modes.py PE_CASES

As pe_oracle.py, whose core and patterns it uses: double rows (pe-array.md 5, 7.2), transposes (8),
UINT8 with zero points (5), both readings of FP8_EXP4 (6.1), stochastic BF16 cells and their seeds
(11, numerics.md 6), zero regions that are cleared at once (9). Every byte of PSUM is compared, on
one to three threads.
"""

import random
import struct
import subprocess
import sys

import numpy as np

from pe_oracle import (BANK, BF16, E3, E4, E5, FP16, FP32, HIGH, ISA, LOW, PSUM_BASE,
                       SIZE, Core, Pattern, Tile, compare, decode, ldweights, matmul, to_bf16)

UINT8 = 3
SIZE[UINT8] = 1
DOUBLE_ROW, LOAD_SEED, SAVE_SEED = 1, 1, 2
SINGLE = 3


def whole_columns(gen, rng):
    """A tile whose column group is the whole array, as transposes and double rows want it."""
    tile = Tile(gen, rng)
    if ISA[gen] < 3:
        tile.col_grp, tile.col, tile.cols = 0xF, 0, 128
    return tile


def patched(word, **at):
    """Bytes of a word changed: b35=1 sets byte 35."""
    word = bytearray(word)
    for name, value in at.items():
        word[int(name[1:])] |= value
    return bytes(word)


class Modes(Core):
    """A core whose words are of one mode."""

    def __init__(self, gen, rng, np_rng):
        super().__init__(gen, rng, np_rng)
        self.fn = ISA[gen] >= 2
        self.seeds = np.array([[p << 24 | 1] * 16 for p in range(128)], np.uint32)
        self.rounds = self.eager = False

    def decode(self, raw, dtype):
        if dtype == UINT8:
            return raw.astype(np.float32)
        return decode(raw, dtype, 2 if self.fn else 0) if dtype == E4 else decode(raw, dtype, self.gen)

    def option(self, letter, *numbers):
        self.commands.append(letter + struct.pack(f"<{len(numbers)}I", *numbers))

    def begin_region(self, partitions, first, size):
        if self.eager:
            self.psum[partitions, first:first + size] = 0
        else:
            super().begin_region(partitions, first, size)

    def narrow(self, x, p, cells, half):
        """One draw a cell from the state of bank and parity, where rounding is stochastic."""
        if not self.rounds:
            return to_bf16(x)
        out = np.empty(len(x), np.uint16)
        for n, value in enumerate(x):
            k = 2 * (int(cells[n]) // BANK) + (half * len(x) + n) % 2
            s = int(self.seeds[p, k])
            s = (s << 1 | (s >> 31 ^ s >> 21 ^ s >> 1 ^ s) & 1) & 0xFFFFFFFF
            self.seeds[p, k] = s
            bits = int(np.float32(value).view(np.uint32))
            sign, magnitude = bits & 0x80000000, bits & 0x7FFFFFFF
            if magnitude > 0x7F800000:
                out[n] = 0x7FC0
            elif magnitude == 0x7F800000:
                out[n] = bits >> 16
            else:
                out[n] = sign >> 16 | min(magnitude + (s & 0xFFFF) >> 16, 0x7F80)
        return out


# ---- double row --------------------------------------------------------------------------------


def double_row(core):
    """128 rows contract 256: P is formed in double, one rounding to float32 a row."""
    rng, gen = core.rng, core.gen
    tile = whole_columns(gen, rng)
    rows, cols = rng.randint(1, tile.rows), rng.randint(1, 128)
    w_type, x_type = rng.choice([E4, E5]), rng.choice([E4, E5])
    order = ISA[gen] == 2 and rng.random() < 0.3
    pattern, values = core.source(tile, rows, 2 * cols, w_type, 0.02)
    core.run(patched(ldweights(gen, tile, rows, cols, w_type, 0, pattern, order), b35=DOUBLE_ROW))
    w = values.reshape(rows, 2, cols).astype(np.float64)
    w = w if order else w[:, :, ::-1]
    dst = None
    for _ in range(rng.randint(1, 3)):
        count = dst.count if dst else rng.choice([1, 7, 64, 100, 257])
        src, x = core.source(tile, rows, 2 * count, x_type, 0.02)
        x = x.reshape(rows, 2, count).astype(np.float64)
        bf16 = ISA[gen] == 2 and rng.random() < 0.3 and dst is None
        if dst is None:
            dst, out_size = core.destination(count, 2 if bf16 else 4, False), 2 if bf16 else 4
            dst.count = count
        flags, region = rng.choice([0, 1, 2, 3]), rng.randrange(4) if ISA[gen] == 2 else 0
        core.run(patched(matmul(gen, tile, rows, cols, x_type, 0, src, dst, flags, region,
                                out_size == 2), b35=DOUBLE_ROW))
        s = np.zeros((cols, count), np.float32)
        with np.errstate(all="ignore"):
            for r in range(rows):
                p = w[r, 0][:, None] * x[r, 0][None, :] + w[r, 1][:, None] * x[r, 1][None, :]
                s = (s.astype(np.float64) + p).astype(np.float32)
        core.drain(tile, cols, s, dst, flags, region, out_size)


# ---- transposes --------------------------------------------------------------------------------


class Transposes(Modes):
    def combine(self, old, overwrite, sums, p, cells, half):
        return sums

    def transpose_bits(self, word, multiplies):
        if ISA[self.gen] == 3:
            return patched(word, b39=1 << 5) if multiplies else patched(word, b38=1)
        return patched(word, b34=1)


def picks(core, dtype):
    """Moving elements of which few are not zero; a negative zero is one."""
    one = {BF16: 0x3F80, FP16: 0x3C00, FP32: 0x3F800000, E3: 0x30, E4: 0x38, E5: 0x3C}[dtype]
    minus = 1 << 8 * SIZE[dtype] - 1

    def elements(shape, _dtype, _wild):
        kind = core.np_rng.random(shape)
        raw = np.where(kind < 0.02, one, 0) | np.where(kind > 0.7, minus, 0)
        for n in range(shape[1]):
            if core.rng.random() < 0.9:
                raw[core.rng.randrange(shape[0]), n] = one
        return raw.astype(np.uint64)
    return elements


def transpose(core):
    """Bits of any value, signalling NaNs among them, arrive as they are."""
    rng, gen = core.rng, core.gen
    tile = whole_columns(gen, rng)
    rows, cols = rng.randint(1, tile.rows), rng.randint(1, tile.cols)
    dtype = rng.choice([BF16, FP16, FP32, E3, E4, E5])
    mode = rng.choice([LOW, HIGH, 3]) if dtype == FP32 else 0
    order = ISA[gen] >= 2 and rng.random() < 0.3
    pattern, raw = core.raw_source(tile, rows, cols, dtype, 1.0)
    core.run(core.transpose_bits(ldweights(gen, tile, rows, cols, dtype, mode, pattern, order), False))
    w = raw if order else raw[:, ::-1]
    halves, out_size = tile.cols == 256, 4 if dtype == FP32 else 2
    for _ in range(2):
        count = rng.choice([1, 31, 64, 128, 300])
        core.elements = picks(core, dtype)
        src, x = core.source(tile, rows, count, dtype, 0)
        del core.elements
        dst = core.destination(count, out_size, halves)
        flags = 0 if ISA[gen] == 3 else SINGLE
        core.run(core.transpose_bits(
            matmul(gen, tile, rows, cols, dtype, mode, src, dst, flags, 0, False), True))
        active = x != 0
        row = active.argmax(0)
        bits = np.where(active.any(0)[:, None], w[row], 0).T
        core.drain(tile, cols, bits.astype(np.uint32 if out_size == 4 else np.uint16), dst, flags, 0,
                   out_size)


# ---- UINT8 -------------------------------------------------------------------------------------


class Integers(Modes):
    def combine(self, old, overwrite, sums, p, cells, half):
        return np.where(overwrite, 0, old).astype(np.uint32) + sums


def integers(core):
    """Exact 32-bit sums that wrap; the zero points are those of the MATMUL."""
    rng, gen = core.rng, core.gen
    tile = Tile(gen, rng)
    rows, cols = rng.randint(1, tile.rows), rng.randint(1, tile.cols)
    core.elements = lambda shape, _t, _w: core.np_rng.integers(0, 256, shape, dtype=np.uint64)
    pattern, raw = core.raw_source(tile, rows, cols, UINT8, 0)
    w = raw.astype(np.int64)[:, ::-1]
    core.run(patched(ldweights(gen, tile, rows, cols, UINT8, 0, pattern, False),
                     b36=rng.randrange(256), b37=rng.randrange(256)))
    dst = None
    for _ in range(3):
        count = dst.count if dst else rng.choice([1, 31, 64, 100, 511])
        src, raw = core.raw_source(tile, rows, count, UINT8, 0)
        if dst is None:
            dst = core.destination(count, 4, False)
            dst.count = count
        flags, zeros = rng.choice([0, 1, 2, 3]), [rng.randrange(256), rng.randrange(256)]
        core.run(patched(matmul(gen, tile, rows, cols, UINT8, 0, src, dst, flags, 0, False),
                         b36=zeros[0], b37=zeros[1]))
        sums = (w - zeros[1]).T @ (raw.astype(np.int64) - zeros[0])
        core.drain(tile, cols, sums.astype(np.int32).view(np.uint32), dst, flags, 0, 4)
    del core.elements


# ---- conversions and groups ----------------------------------------------------------------------


def dense(core, dtype, bf16, count=None):
    rng = core.rng
    tile = Tile(core.gen, rng)
    core.ldweights(tile, dtype, 0, 0.02)
    dst = cols = None
    for _ in range(3):
        dst, cols = core.matmul(tile, dtype, 0, 0.02, dst=dst, cols=cols, bf16_out=bf16)


def both_readings(core):
    for fn in (False, True):
        core.fn = fn
        core.option(b"M", int(fn))
        dense(core, E4, False)


def stochastic(core):
    core.rounds = True
    seed = core.rng.randrange(1 << 32)
    core.option(b"Q", 1, seed)
    lanes = np.arange(128, dtype=np.uint32) << 24 | seed & 0x1FFFFF
    core.seeds[:] = np.where(lanes == 0, 1, lanes)[:, None]
    dense(core, BF16, True)
    if ISA[core.gen] == 2:
        save(core)
        load(core)
        dense(core, BF16, True)
        save_by_matmul(core)


def eager(core):
    core.eager = True
    core.option(b"O", 1)
    for bf16 in (False, ISA[core.gen] >= 2):
        dense(core, BF16, bf16)


# ---- seeds -------------------------------------------------------------------------------------


def manage_seed(mode):
    word = bytearray(64)
    word[0:2] = 0x08, 0x10
    word[12:24] = struct.pack("<I2h2H", 0x800, 1, 1, 128, 1)
    word[24:32] = struct.pack("<IhH", 0x400, 1, 16)
    word[32:36] = BF16, mode, 16, 128
    word[36:48] = struct.pack("<I2h2H", PSUM_BASE[2], 1, 512, 2, 8)
    return bytes(word)


def write_saved(core):
    """Bank b, words 0 and 1: seeds 2b and 2b + 1; a write by a word that is no sum."""
    for k in range(16):
        byte = k // 2 * BANK + k % 2 * 4
        core.psum[:, byte:byte + 4] = np.ascontiguousarray(core.seeds[:, k:k + 1]).view(np.uint8)
        core.fresh[:, byte // 2:byte // 2 + 2] = False


def save(core):
    core.run(manage_seed(SAVE_SEED))
    write_saved(core)


def load(core):
    """Partition k holds seed k of all 128; 0 counts as 1."""
    image = core.np_rng.integers(0, 2**32, (16, 128), dtype=np.uint32)
    image[3, 5] = 0
    for k in range(16):
        core.commands.append(b"S" + struct.pack("<3I", k, 0x800, 512) + image[k].tobytes())
    core.run(manage_seed(LOAD_SEED))
    core.seeds = np.where(image == 0, 1, image).T.astype(np.uint32).copy()


def save_by_matmul(core):
    """The same by a MATMUL with seed_mode, after seeds went in by a transpose of FP32 words."""
    gen = core.gen
    tile = Tile(gen, core.rng)
    tile.row_grp = tile.col_grp = 0xF
    tile.row = tile.col = 0
    image = core.np_rng.integers(1, 2**32, (16, 128), dtype=np.uint32)
    for k in range(16):
        core.commands.append(b"S" + struct.pack("<3I", k, 0, 512) + image[k].tobytes())
        one = np.zeros(16, np.float32)
        one[k] = 1
        core.commands.append(b"S" + struct.pack("<3I", k, 0x1000, 64) + one.tobytes())
    weights = Pattern(127 * 4, [-1, 1, 1], [128, 1, 1])
    core.run(patched(ldweights(gen, tile, 16, 128, FP32, HIGH, weights, False), b34=1))
    identity = Pattern(0x1000, [1, 1, 1], [16, 1, 1])
    cells = Pattern(0, [1, 512, 1], [2, 8, 1])
    word = matmul(gen, tile, 16, 128, FP32, HIGH, identity, cells, SINGLE, 0, False)
    core.run(patched(word, b34=1, b42=LOAD_SEED << 2))
    core.seeds = image.T.copy()
    core.run(patched(word, b42=SAVE_SEED << 2))
    write_saved(core)


def main():
    program = sys.argv[1]
    rng, np_rng = random.Random(7), np.random.default_rng(7)
    plan = [(double_row, Modes, (1, 2, 3)), (transpose, Transposes, (1, 2, 3, 4)),
            (integers, Integers, (0,)), (both_readings, Modes, (0, 1, 2, 3, 4)),
            (stochastic, Modes, (2, 3, 4)), (eager, Modes, (0, 1, 2, 3))]
    cores = []
    for case, kind, gens in plan:
        for gen in gens:
            for _ in range(1 if case in (eager, both_readings) else 3):
                core = kind(gen, rng, np_rng)
                core.name = case.__name__
                case(core)
                core.read_back()
                cores.append(core)
    for threads, some in (("1", cores), ("2", cores[::3]), ("3", cores[1::4])):
        script = b"".join(b"".join(core.commands) for core in some)
        run = subprocess.run([program, threads], input=script, stdout=subprocess.PIPE, check=True)
        compare(some, run.stdout, f"{threads} threads")
    print(f"{sum(core.words for core in cores)} words on {len(cores)} cores agree")


if __name__ == "__main__":
    main()
