#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""LDWEIGHTS and MATMUL against an independent computation in NumPy.

usage: pe_oracle.py PE_CASES

Nothing here comes from the code under test: words are put together from the offsets of
docs/hardware/isa-core.md 9.2, values are decoded from the formats of numerics.md 2, sums follow
pe-array.md 7.2 with a fused step made from float64 arithmetic (checked against exact rationals),
PSUM follows pe-array.md 7.3 and 9 cell by cell. Random tiles of odd sizes, every input type of
every generation, all tiles, patterns in up to three dimensions, chains of accumulate groups; every
byte of PSUM is compared, on one to four threads.
"""

import random
import struct
import subprocess
import sys
from fractions import Fraction

import numpy as np

GENS = ["sunda", "cayman", "mariana", "mariana_plus", "maverick"]
ISA = [0, 1, 2, 2, 3]
SBUF_STRIDE = [0x40000, 0x40000, 0x40000, 0x40000, 0x100000]
PSUM_BASE = [0x2000000, 0x2000000, 0x2000000, 0x2000000, 0x8000000]
PSUM_STRIDE, PSUM_BYTES, BANK = 0x8000, 0x4000, 2048
BF16, FP16, FP32, E3, E4, E5, E2M5 = 6, 7, 10, 13, 14, 15, 17
LOW, HIGH, LOW_HIGH = 1, 2, 3
SIZE = {BF16: 2, FP16: 2, FP32: 4, E3: 1, E4: 1, E5: 1, E2M5: 1}

# ---- arithmetic ------------------------------------------------------------------------------


def fma(w, x, s):
    """float32 arrays: w*x + s with one rounding. The product is exact in float64; the sum is
    rounded to odd there, which leaves the rounding to float32 right (53 >= 2 * 24 + 2)."""
    with np.errstate(all="ignore"):
        p, s64 = w.astype(np.float64) * x.astype(np.float64), s.astype(np.float64)
        t = p + s64
        z = t - p
        error = (p - (t - z)) + (s64 - z)
        even = (t.view(np.int64) & 1) == 0
        inexact = np.isfinite(t) & (error != 0) & even
        toward = np.where(error > 0, np.inf, -np.inf)
        return np.where(inexact, np.nextafter(t, toward), t).astype(np.float32)


def round_to_float32(q):
    """An exact rational to the nearest float32, ties to even."""
    if q == 0:
        return 0.0
    sign, q, exponent = (-1 if q < 0 else 1), abs(q), -149
    while q / Fraction(2) ** exponent >= 2**24:
        exponent += 1
    scaled = q / Fraction(2) ** exponent
    n = scaled.numerator // scaled.denominator
    rest = scaled - n
    if rest > Fraction(1, 2) or (rest == Fraction(1, 2) and n % 2):
        n += 1
    value = Fraction(n) * Fraction(2) ** exponent
    return sign * (float(value) if value < Fraction(2) ** 128 else float("inf"))


def check_fma(rng):
    """The fused step itself, against exact rationals."""
    bits = rng.integers(0, 2**32, (3, 20000), dtype=np.uint32)
    near = rng.integers(0, 2**32, (3, 20000), dtype=np.uint32) & 0x807FFFFF
    bits = np.concatenate([bits, near | (rng.integers(110, 140, near.shape, dtype=np.uint32) << 23),
                           near | (rng.integers(0, 2, near.shape, dtype=np.uint32) << 23)], axis=1)
    bits[:, -1] = [0x1FC00000, 0x15000000, 0x00000001]
    w, x, s = bits.view(np.float32)
    # products and addends that meet in the last places
    with np.errstate(all="ignore"):
        close = (w * x * np.float32(2.0**24)).astype(np.float32)
    s = np.where(np.arange(s.size) % 3 == 0, close, s)
    got = fma(w, x, s)
    assert got[-1].view(np.uint32) == 2
    for i in np.flatnonzero(np.isfinite(w) & np.isfinite(x) & np.isfinite(s))[::7]:
        want = round_to_float32(Fraction(float(w[i])) * Fraction(float(x[i])) + Fraction(float(s[i])))
        assert float(got[i]) == want, (w[i], x[i], s[i], got[i], want)


def small_float(codes, exponent_bits, mantissa_bits, bias, specials):
    """An 8-bit float: `specials` is "ieee", "fn" or None."""
    out = np.empty(256, np.float64)
    for code in range(256):
        e, m = code >> mantissa_bits & (1 << exponent_bits) - 1, code & (1 << mantissa_bits) - 1
        value = (m if e == 0 else m + (1 << mantissa_bits)) * 2.0 ** (max(e, 1) - bias - mantissa_bits)
        if specials == "ieee" and e == (1 << exponent_bits) - 1:
            value = np.nan if m else np.inf
        if specials == "fn" and code & 0x7F == 0x7F:
            value = np.nan
        out[code] = -value if code & 0x80 else value
    return out.astype(np.float32)[codes]


def decode(raw, dtype, gen):
    """Elements (an array of unsigned integers) to float32."""
    if dtype == BF16:
        return (raw.astype(np.uint32) << 16).view(np.float32)
    if dtype == FP16:
        return raw.astype(np.uint16).view(np.float16).astype(np.float32)
    if dtype == FP32:
        return raw.astype(np.uint32).view(np.float32)
    if dtype == E3:
        return small_float(raw, 3, 4, 3, "ieee")
    if dtype == E4:
        return small_float(raw, 4, 3, 7, "fn" if gen >= 2 else "ieee")
    if dtype == E5:
        return small_float(raw, 5, 2, 15, "ieee")
    return small_float(raw, 2, 5, 1, None)


def split(x, part):
    """The LOW or HIGH part of float32 values; HIGH keeps 11 mantissa bits."""
    with np.errstate(all="ignore"):
        bits = x.view(np.uint32).astype(np.uint64)
        high = ((bits + 0x7FF + (bits >> 12 & 1)) & 0xFFFFF000).astype(np.uint32).view(np.float32)
        high = np.where(np.isfinite(x), high, x)
        return high if part == HIGH else np.where(np.isfinite(x), x - high, np.float32(0))


def canonical(x):
    return np.where(np.isnan(x), np.uint32(0x7FC00000).view(np.float32), x)


def to_bf16(x):
    bits = x.view(np.uint32)
    rounded = ((bits.astype(np.uint64) + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)
    return np.where(np.isnan(x), np.uint16(0x7FC0), rounded)


# ---- words -----------------------------------------------------------------------------------

LW_ROWS, MM_ROWS = [38, 38, 38, 34], [38, 38, 38, 35]
GROUPS = {0xF: (0, 128), 3: (0, 64), 0xC: (64, 64), 1: (0, 32), 2: (32, 32), 4: (64, 32), 8: (96, 32)}
XBUS = {0xF: 0x10, 3: 1, 0xC: 4, 1: 1, 2: 2, 4: 4}


class Pattern:
    """start byte in the partition, steps and counts in elements, X first."""

    def __init__(self, byte, steps, counts):
        self.byte, self.steps, self.counts = byte, steps, counts

    def offsets(self, size):
        """Byte offsets of the elements in stream order."""
        x, y, z = (np.arange(n) * s for n, s in zip(self.counts, self.steps))
        return self.byte + size * (z[:, None, None] + y[None, :, None] + x[None, None, :]).ravel()

    def pack(self, address):
        return struct.pack("<I3h3H", address + self.byte, *self.steps, *self.counts)


class Tile:
    """What a word addresses: row and column groups, or (maverick) sizes and selectors."""

    def __init__(self, gen, rng):
        self.gen = gen
        if ISA[gen] < 3:
            self.row_grp = rng.choice(list(GROUPS))
            self.col_grp = rng.choice([g for g in GROUPS if gen > 0 or g != 8])
            (self.row, self.rows), (self.col, self.cols) = GROUPS[self.row_grp], GROUPS[self.col_grp]
        else:
            row_log, col_log = rng.choice([6, 7]), rng.choice([7, 8])
            row_sel, col_sel = rng.choice([0, 1]) * (row_log == 6), rng.choice([0, 1]) * (col_log == 7)
            self.size, self.sel = row_log | col_log << 4, row_sel | col_sel << 4
            self.rows, self.cols = 1 << row_log, 1 << col_log
            self.row, self.col = row_sel * self.rows, col_sel * self.cols

    def put(self, word, at):
        if ISA[self.gen] < 3:
            word[44], word[45] = self.row_grp, self.col_grp
            if self.gen == 0:
                word[46] = XBUS[self.col_grp]
        else:
            word[at], word[at + 1] = self.size, self.sel


def ldweights(gen, tile, rows, cols, dtype, fp32_mode, pattern, first_column_first):
    word = bytearray(64)
    word[0], word[1], word[32], word[33] = 0x01, 0x10, dtype, fp32_mode
    word[16:32] = pattern.pack(tile.row * SBUF_STRIDE[gen])
    at = LW_ROWS[ISA[gen]]
    word[at], word[at + 1] = rows, cols & 255
    tile.put(word, 36)
    if first_column_first:
        word[47 if ISA[gen] == 2 else 38] |= 1 << 5
    return bytes(word)


def matmul(gen, tile, rows, cols, dtype, fp32_mode, src, dst, flags, region, bf16_out):
    word = bytearray(64)
    word[0], word[1], word[32], word[33] = 0x02, 0x10, dtype, fp32_mode
    word[16:32] = src.pack(tile.row * SBUF_STRIDE[gen])
    word[48:64] = dst.pack(PSUM_BASE[gen] + tile.col % 128 * PSUM_STRIDE)
    at = MM_ROWS[ISA[gen]]
    word[at], word[at + 1] = rows, cols & 255
    tile.put(word, 37)
    if ISA[gen] < 3:
        word[43], word[47] = flags, region
    else:
        word[39] = flags << 4
    if bf16_out:
        word[40 if ISA[gen] == 2 else 34] = BF16
    return bytes(word)


# ---- the model -------------------------------------------------------------------------------


class Core:
    """One core as the sheet defines it, and the commands that make pe_cases do the same."""

    def __init__(self, gen, rng, np_rng):
        self.gen, self.rng, self.np_rng = gen, rng, np_rng
        self.commands = [b"G" + struct.pack("<I", gen)]
        self.weights = np.zeros((128, 256), np.float32)
        self.psum = np_rng.integers(0, 256, (128, PSUM_BYTES), dtype=np.uint8)
        self.psum[:, 3::4] &= 0x3F  # cells that are finite as FP32 and as BF16
        self.fresh = np.zeros((128, PSUM_BYTES // 2), bool)
        self.words = 0
        for p in range(128):
            self.commands.append(b"P" + struct.pack("<3I", p, 0, PSUM_BYTES) + self.psum[p].tobytes())

    def elements(self, count, dtype, wild):
        """Random elements: any code now and then, else values near 1."""
        bits = 8 * SIZE[dtype]
        raw = self.np_rng.integers(0, 1 << bits, count, dtype=np.uint64)
        if dtype in (BF16, FP16, FP32):
            exponent, low = {BF16: (8, 7), FP16: (5, 10), FP32: (8, 23)}[dtype]
            bias = (1 << exponent - 1) - 1
            tame = (raw & ~np.uint64((1 << exponent) - 1 << low)) | (
                self.np_rng.integers(bias - 6, bias + 4, count, dtype=np.uint64) << np.uint64(low))
        else:
            tame = raw & np.uint64(0xBF)
        return np.where(self.np_rng.random(count) < wild, raw, tame)

    def source(self, tile, rows, count, dtype, wild, steps=None):
        """A random pattern of `count` elements, its values on `rows` partitions."""
        pattern, raw = self.raw_source(tile, rows, count, dtype, wild, steps)
        return pattern, self.decode(raw, dtype)

    def decode(self, raw, dtype):
        return decode(raw, dtype, self.gen)

    def raw_source(self, tile, rows, count, dtype, wild, steps=None):
        """The same with the bits of the elements."""
        counts = self.factor(count)
        steps, size = steps or self.steps(counts), SIZE[dtype]
        low = sum(min(0, (n - 1) * s) for n, s in zip(counts, steps))
        pattern = Pattern(size * (-low + self.rng.randrange(0, 64)), steps, counts)
        offsets = pattern.offsets(size)
        image = np.zeros((rows, int(offsets.max()) + size), np.uint8)
        raw = self.elements((rows, count), dtype, wild)
        for i, offset in enumerate(offsets):  # a repeated address keeps the last value written
            image[:, offset:offset + size] = raw[:, i:i + 1].astype(f"<u{size}").view(np.uint8)
        for r in range(rows):
            self.commands.append(b"S" + struct.pack("<3I", tile.row + r, 0, image.shape[1]) +
                                 image[r].tobytes())
        gathered = np.stack([image[:, o:o + size].copy().view(f"<u{size}")[:, 0] for o in offsets], 1)
        return pattern, gathered

    def factor(self, count):
        """Counts of up to three dimensions with that product."""
        counts = [count, 1, 1]
        for d in (1, 2):
            divisors = [k for k in range(1, 9) if counts[0] % k == 0]
            if self.rng.random() < 0.5:
                counts[d] = self.rng.choice(divisors)
                counts[0] //= counts[d]
        return counts

    def steps(self, counts):
        """Adjacent, backwards, strided or repeating."""
        kind = self.rng.choice(["adjacent", "adjacent", "backwards", "strided", "repeating"])
        if kind == "adjacent":
            return [1, counts[0], counts[0] * counts[1]]
        if kind == "backwards":
            return [-1, -counts[0], -counts[0] * counts[1]]
        if kind == "strided":
            x = self.rng.choice([2, 3, -2])
            return [x, abs(x) * counts[0] + 1, abs(x) * counts[0] * counts[1] + counts[1] + 5]
        return [1, 0, counts[0]]

    def ldweights(self, tile, dtype, fp32_mode, wild):
        rows, cols = self.rng.randint(1, tile.rows), self.rng.randint(1, tile.cols)
        order = ISA[self.gen] >= 2 and self.rng.random() < 0.3
        steps = [-1, 1, 1] if self.rng.random() < 0.3 else None
        pattern, values = self.source(tile, rows, cols, dtype, wild, steps)
        self.run(ldweights(self.gen, tile, rows, cols, dtype, fp32_mode, pattern, order))
        if fp32_mode:
            values = split(values, fp32_mode)
        self.weights[tile.row:tile.row + tile.rows, tile.col:tile.col + tile.cols] = 0
        if not order:
            values = values[:, ::-1]
        self.weights[tile.row:tile.row + rows, tile.col:tile.col + cols] = values

    def destination(self, count, out_size, halves):
        """A pattern of distinct cells inside one bank (v2, v3) or one partition."""
        room = (BANK if ISA[self.gen] < 2 else PSUM_BYTES) // out_size
        counts = [count, 1, 2] if halves else self.factor(count)
        if not halves and self.rng.random() < 0.4 and count * 2 < room:
            steps = [2, 2 * counts[0], 2 * counts[0] * counts[1]]
        else:
            steps = [1, counts[0], counts[0] * counts[1]]
        if self.rng.random() < 0.2 and not halves:
            steps = [-s for s in steps]
        span = 1 + sum(abs(s) * (n - 1) for n, s in zip(counts, steps))
        first = self.rng.randrange(0, room - span + 1)
        if steps[0] < 0:
            first += span - 1
        bank = self.rng.randrange(8) * BANK if ISA[self.gen] < 2 else 0
        return Pattern(bank + first * out_size, steps, counts)

    def matmul(self, tile, dtype, fp32_mode, wild, flags=None, dst=None, cols=None, bf16_out=False):
        rows = self.rng.randint(1, tile.rows)
        cols = cols or self.rng.randint(1, tile.cols)
        halves = tile.cols == 256
        count = dst.count if dst else self.rng.choice(
            [1, 7, 31, 33, 63, 64, 65, 100] + self.rng.choice([[255], [257], [512], [600]
                if ISA[self.gen] >= 2 and not halves else [511]]))
        src, x = self.source(tile, rows, count, dtype, wild)
        out_size = 2 if bf16_out else 4
        if dst is None:
            dst = self.destination(count, out_size, halves)
            dst.count = count
        legal = [0, 1, 2, 3] + [4, 6] * (ISA[self.gen] == 2) if ISA[self.gen] < 3 else [0, 1]
        if flags is None:
            flags = self.rng.choice(legal)
        region = self.rng.randrange(4) if ISA[self.gen] == 2 else 0
        self.run(matmul(self.gen, tile, rows, cols, dtype, fp32_mode, src, dst, flags, region, bf16_out))

        sums = np.zeros((cols, count), np.float32)
        for part in {0: [0], LOW: [LOW], HIGH: [HIGH], LOW_HIGH: [LOW, HIGH]}[fp32_mode]:
            moving = split(x, part) if part else x
            for r in range(rows):
                w = self.weights[tile.row + r, tile.col:tile.col + cols]
                sums = fma(w[:, None], moving[r][None, :], sums)
        self.drain(tile, cols, sums, dst, flags, region, out_size)
        return dst, cols

    def drain(self, tile, cols, sums, dst, flags, region, out_size):
        offsets = dst.offsets(out_size)
        part0 = tile.col % 128
        partitions = slice(part0, part0 + min(cols, 128))
        touched = (offsets[:, None] + np.arange(0, out_size, 2)[None, :]) // 2
        if ISA[self.gen] == 3:
            overwrite, asks = flags == 0, False
        else:
            overwrite, asks = bool(flags & 1), flags in (0, 2)
            if overwrite:
                size = BANK << region
                first = dst.byte // size * size
                self.begin_region(partitions, first, size)
                self.fresh[partitions, touched.ravel()] = False
            elif not asks:
                self.fresh[partitions, touched.ravel()] = False
        for c in range(cols):
            p = part0 + c % 128
            cells = offsets[(c // 128) * sums.shape[1]:][:sums.shape[1]]
            halves = (cells[:, None] + np.arange(0, out_size, 2)[None, :]) // 2
            fresh = self.fresh[p, halves].all(1) if asks else np.zeros(len(cells), bool)
            at = cells[:, None] + np.arange(out_size)[None, :]
            old = np.ascontiguousarray(self.psum[p, at]).view("<u%d" % out_size)[:, 0]
            raw = self.combine(old, fresh | overwrite, sums[c], p, cells, c // 128)
            self.psum[p, at] = raw[:, None].view(np.uint8)
            if asks:
                self.fresh[p, halves.ravel()] = False

    def begin_region(self, partitions, first, size):
        self.fresh[partitions, first // 2:(first + size) // 2] = True

    def combine(self, old, overwrite, sums, p, cells, half):
        """New bits of the cells at bytes `cells` of partition p."""
        with np.errstate(all="ignore"):
            if old.dtype == np.uint32:
                new = np.where(overwrite, sums, decode(old, FP32, self.gen) + sums)
                return canonical(new.astype(np.float32)).view(np.uint32)
            old = decode(old, BF16, self.gen)
            return self.narrow(np.where(overwrite, np.float32(0), old) + sums, p, cells, half)

    def narrow(self, x, p, cells, half):
        return to_bf16(x)

    def run(self, word):
        # looking for numeric events changes no byte: every other word does
        self.commands.append(b"N" + struct.pack("<I", 15 * (self.words % 2)))
        self.commands.append(b"W" + word)
        self.words += 1

    def read_back(self):
        for p in range(128):
            self.commands.append(b"R" + struct.pack("<3I", p, 0, PSUM_BYTES))


# ---- cases -----------------------------------------------------------------------------------


def input_types(gen):
    return [BF16, FP16, FP32, E3, E4, E5] + [E2M5] * (ISA[gen] == 3)


def random_chain(core, dtype, wild):
    """Weights in a tile, then matmuls of which some go on where the last one wrote."""
    rng = core.rng
    tile = Tile(core.gen, rng)
    fp32 = dtype == FP32
    core.ldweights(tile, dtype, rng.choice([LOW, HIGH]) if fp32 else 0, wild)
    dst = cols = None
    bf16_out = ISA[core.gen] >= 2 and rng.random() < 0.3
    for _ in range(rng.randint(1, 4)):
        mode = rng.choice([LOW, HIGH, LOW_HIGH]) if fp32 else 0
        again = dst is not None and rng.random() < 0.7
        new = core.matmul(tile, dtype, mode, wild, dst=dst if again else None,
                          cols=cols if again else None, bf16_out=bf16_out)
        dst, cols = new
    if not fp32 and rng.random() < 0.5:  # operand types may differ
        other = rng.choice([t for t in input_types(core.gen) if t != FP32])
        core.matmul(tile, other, 0, wild, bf16_out=bf16_out)


def compare(cores, answers, label):
    at = 0
    for core in cores:
        classes = []
        for command in core.commands:
            if command[:1] == b"W":
                classes.append(struct.unpack_from("<I", answers, at)[0])
                at += 4
            elif command[:1] == b"R":
                p, _, n = struct.unpack("<3I", command[1:13])
                got = np.frombuffer(answers, np.uint8, n, at)
                at += n
                wrong = np.flatnonzero(got != core.psum[p])
                if wrong.size:
                    byte = int(wrong[0]) & ~3
                    sys.exit(f"{label}: {GENS[core.gen]} partition {p} byte {byte:#x}: got "
                             f"{got[byte:byte + 4].tobytes()[::-1].hex()}, want "
                             f"{core.psum[p, byte:byte + 4].tobytes()[::-1].hex()} "
                             f"({core.name}; {wrong.size} bytes differ)")
        if any(classes):
            sys.exit(f"{label}: {GENS[core.gen]} faulted in {core.name}: {classes}")
    assert at == len(answers)


def main():
    program = sys.argv[1]
    rng, np_rng = random.Random(2026), np.random.default_rng(2026)
    check_fma(np_rng)
    cores = []
    for gen in range(5):
        for dtype in input_types(gen):
            for wild in (0.0, 0.02) if dtype in (BF16, FP16, FP32) else (0.02,):
                core = Core(gen, rng, np_rng)
                core.name = f"type {dtype:#x}, specials {wild}"
                for _ in range(2):
                    random_chain(core, dtype, wild)
                core.read_back()
                cores.append(core)
    for threads, some in (("1", cores), ("2", cores[::5]), ("3", cores[1::5]), ("4", cores[2::5])):
        script = b"".join(b"".join(core.commands) for core in some)
        run = subprocess.run([program, threads], input=script, stdout=subprocess.PIPE, check=True)
        compare(some, run.stdout, f"{threads} threads")
    print(f"{sum(core.words for core in cores)} words on {len(cores)} cores agree")


if __name__ == "__main__":
    main()
