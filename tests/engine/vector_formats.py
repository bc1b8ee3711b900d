# SPDX-License-Identifier: Apache-2.0
"""Number formats and ALU operators for the oracles of vector words, from the sheets alone.

Formats follow docs/hardware/numerics.md 2 to 4 by enumeration: every code of a narrow format is
decoded to the number it stands for, and narrowing looks for the nearest of those numbers. Operators
follow vector-ops.md 1 with NumPy's float32 arithmetic and Python's integers.
"""
import numpy as np

UINT64, INT8, UINT8, INT16, UINT16, BF16, FP16, INT32, UINT32, FP32, FP32R, INT64 = range(1, 13)
FP8_EXP3, FP8_EXP4, FP8_EXP5 = 13, 14, 15
SIZE = {UINT64: 8, INT8: 1, UINT8: 1, INT16: 2, UINT16: 2, BF16: 2, FP16: 2, INT32: 4, UINT32: 4,
        FP32: 4, FP32R: 4, INT64: 8, FP8_EXP3: 1, FP8_EXP4: 1, FP8_EXP5: 1}
PLAIN = [INT8, UINT8, INT16, UINT16, BF16, FP16, INT32, UINT32, FP32, FP8_EXP3, FP8_EXP4, FP8_EXP5]
INTEGERS = [UINT64, INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64]
SIGNED = {INT8, INT16, INT32, INT64}
UINT = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}
SINT = {1: np.int8, 2: np.int16, 4: np.int32, 8: np.int64}
CANONICAL = np.array([0x7FC00000], np.uint32).view(np.float32)[0]

np.seterr(all="ignore")


def f32(bits):
    return np.asarray(bits, np.uint32).view(np.float32)


def bits32(values):
    return np.ascontiguousarray(values, np.float32).view(np.uint32)


class Mode:
    """Reading of FP8_EXP4 and the two overflow settings (numerics.md 2.1, 10)."""

    def __init__(self, fn, saturate, suppress=False):
        self.fn, self.saturate, self.suppress = fn, saturate, suppress

    @staticmethod
    def default(gen):
        return Mode(fn=gen >= 2, saturate=gen >= 2)

    def key(self):
        return self.fn, self.saturate, self.suppress


# ---- small float formats ---------------------------------------------------------------------

class Small:
    """A format with a sign, `e` exponent bits, `m` mantissa bits."""

    def __init__(self, e, m, bias, fn=False):
        self.e, self.m, self.bias, self.fn = e, m, bias, fn
        self.width = 1 + e + m
        self.sign = 1 << (e + m)
        top = ((1 << e) - 1) << m
        self.inf, self.nan = (None, self.sign - 1) if fn else (top, top + (1 << (m - 1)))
        self.max_code = self.nan - 1 if fn else top - 1
        self.magnitudes = np.array([self.decode(c) for c in range(self.max_code + 2)])
        self.middles = (self.magnitudes[:-1] + self.magnitudes[1:]) / 2

    def decode(self, code):
        """The number of a magnitude code, also of the one after the largest finite code."""
        exponent, mantissa = code >> self.m, code & ((1 << self.m) - 1)
        if exponent == 0:
            return mantissa * 2.0 ** (1 - self.bias - self.m)
        return (1 + mantissa / 2.0**self.m) * 2.0 ** (exponent - self.bias)

    def is_nan(self, magnitude):
        return magnitude == self.nan if self.fn else magnitude > self.inf

    def widen(self, codes):
        codes = np.asarray(codes, np.uint32)
        magnitude = codes & (self.sign - 1)
        sign = ((codes & self.sign) != 0).astype(np.uint32) << 31
        finite = np.minimum(magnitude, self.max_code)
        out = bits32(self.magnitudes[finite].astype(np.float32))
        if not self.fn:
            payload = (magnitude & ((1 << self.m) - 1)) << (23 - self.m)
            special = 0x7F800000 | payload
            special = np.where(payload != 0, special | 0x400000, special)
            out = np.where(magnitude >= self.inf, special, out)
        else:
            all_ones = 0x7F800000 | (((1 << self.m) - 1) << (23 - self.m))
            out = np.where(magnitude == self.nan, all_ones, out)
        return f32((out | sign).astype(np.uint32))

    def narrow(self, values, saturate, suppress):
        x = np.abs(values.astype(np.float64))
        sign = np.where(np.signbit(values), self.sign, 0)
        finite = np.where(np.isfinite(x), x, 0)
        # codes below every middle that x is above; a tie goes to the even code of the two
        code = np.searchsorted(self.middles, finite, side="left")
        at = np.minimum(code, len(self.middles) - 1)
        code = code + ((finite == self.middles[at]) & (code % 2 == 1))
        over = (code > self.max_code) | np.isinf(x)
        if saturate:
            overflow = self.max_code
        else:
            overflow = self.nan if self.fn else self.inf
        if suppress and self.fn and not saturate:
            overflow = 0
        code = np.where(over, overflow, code) | sign
        nan = sign if suppress else self.nan
        return np.where(np.isnan(values), nan, code).astype(np.uint8)


E3M4, E4M3, E4M3FN, E5M2 = Small(3, 4, 3), Small(4, 3, 7), Small(4, 3, 7, True), Small(5, 2, 15)


def small(dtype, mode):
    return {FP8_EXP3: E3M4, FP8_EXP5: E5M2}.get(dtype) or (E4M3FN if mode.fn else E4M3)


# ---- conversion ------------------------------------------------------------------------------

def quiet(values):
    """Signalling NaNs become quiet, payload kept."""
    bits = bits32(values)
    return f32(np.where(np.isnan(values), bits | 0x400000, bits).astype(np.uint32))


def widen(dtype, raw, mode):
    """Stored elements (unsigned arrays) to float32."""
    if dtype in (FP32, FP32R):
        return raw.view(np.float32)
    if dtype == BF16:
        return quiet(f32(raw.astype(np.uint32) << 16))
    if dtype == FP16:
        sign = (raw.astype(np.uint32) & 0x8000) << 16
        payload = (raw.astype(np.uint32) & 0x3FF) << 13
        nan = f32(sign | 0x7FC00000 | payload)
        values = raw.view(np.float16).astype(np.float32)
        return np.where(np.isnan(values), nan, values)
    if dtype in INTEGERS:
        values = raw.view(SINT[SIZE[dtype]]) if dtype in SIGNED else raw
        return values.astype(np.float32)
    return small(dtype, mode).widen(raw)


def narrow(dtype, values, mode):
    """float32 to stored elements, one rounding to nearest, ties to even."""
    values = np.ascontiguousarray(values, np.float32)
    bits = bits32(values)
    if dtype == FP32:
        return bits
    if dtype in (BF16, FP32R):
        drop = 16 if dtype == BF16 else 12
        half = np.uint32((1 << (drop - 1)) - 1)
        rounded = (bits + half + ((bits >> np.uint32(drop)) & np.uint32(1))) >> np.uint32(drop)
        rounded = np.where(np.isnan(values), 0x7FC00000 >> drop, rounded)
        return rounded.astype(np.uint16) if dtype == BF16 else rounded.astype(np.uint32) << drop
    if dtype == FP16:
        half = values.astype(np.float16).view(np.uint16)
        return np.where(np.isnan(values), 0x7E00, half).astype(np.uint16)
    if dtype in INTEGERS:
        width = 8 * SIZE[dtype]
        low = -(1 << (width - 1)) if dtype in SIGNED else 0
        high = (1 << (width - 1)) - 1 if dtype in SIGNED else (1 << width) - 1
        x = np.rint(values.astype(np.float64))
        x = np.where(np.isnan(x), np.where(np.signbit(values), low, high), np.clip(x, low, high))
        return x.astype(np.int64).astype(UINT[SIZE[dtype]])
    return small(dtype, mode).narrow(values, mode.saturate, mode.suppress)


# ---- fp32 operators --------------------------------------------------------------------------

def maximum(a, b):
    """maxNum; +0 is larger than -0."""
    r = np.where(a > b, a, b)
    same = f32(bits32(a) & bits32(b))
    r = np.where(a == b, same, r)
    return np.where(np.isnan(b), a, r)


def minimum(a, b):
    r = np.where(a < b, a, b)
    same = f32(bits32(a) | bits32(b))
    r = np.where(a == b, same, r)
    return np.where(np.isnan(b), a, r)


def truth(condition):
    return condition.astype(np.float32)


def power(a, b):
    return np.power(a.astype(np.float64), b.astype(np.float64)).astype(np.float32)


def reciprocal_root(a):
    return (1 / np.sqrt(a.astype(np.float64))).astype(np.float32)


def symmetric_clamp(a, b):
    """sign(a) * max(|a|, |b|), with sign(0) = 0."""
    larger = np.copysign(maximum(np.abs(a), np.abs(b)), a)
    return np.where((a == 0) | np.isnan(a), a, larger)


F32_OPS = {
    0x04: lambda a, b: a + b,
    0x05: lambda a, b: a - b,
    0x06: lambda a, b: a * b,
    0x07: lambda a, b: a / b,
    0x08: maximum,
    0x09: minimum,
    0x0D: lambda a, b: truth((a != 0) & (b != 0)),
    0x0E: lambda a, b: truth((a != 0) | (b != 0)),
    0x0F: lambda a, b: truth((a != 0) != (b != 0)),
    0x12: lambda a, b: truth(a == b),
    0x13: lambda a, b: truth(a > b),
    0x14: lambda a, b: truth(a >= b),
    0x15: lambda a, b: truth(a <= b),
    0x16: lambda a, b: truth(a < b),
    0x17: lambda a, b: np.abs(a - b),
    0x18: lambda a, b: truth(a != b),
    0x19: lambda a, b: np.abs(a),
    0x1A: power,
    0x1B: np.fmod,
    0x1D: lambda a, b: reciprocal_root(a),
    0x20: lambda a, b: maximum(np.abs(a), np.abs(b)),
    0x21: lambda a, b: minimum(np.abs(a), np.abs(b)),
    0x22: lambda a, b: maximum(a, np.zeros_like(a)),
    0x23: lambda a, b: a * a,
    0x24: symmetric_clamp,
}


def f32_op(op, a, b):
    """One operator with one rounding; NaN results are canonical, BYPASS moves bits."""
    a, b = np.broadcast_arrays(np.asarray(a, np.float32), np.asarray(b, np.float32))
    if op == 0:
        return np.array(a)
    r = F32_OPS[op](a, b)
    return np.where(np.isnan(r), CANONICAL, r).astype(np.float32)


# ---- bitvec and integer operators ------------------------------------------------------------

def crc32(a, b, width):
    for i in range(width):
        a = (a >> 1) ^ (0xEDB88320 if (a ^ (b >> i)) & 1 else 0)
    return a


def bitvec_op(op, a, b, width):
    """One operator on Python integers 0 .. 2^width - 1 (numerics.md 8)."""
    mask = (1 << width) - 1
    signed = a - (1 << width) if a >> (width - 1) else a
    if op == 0x00:
        return a
    if op == 0x01:
        return a ^ mask
    if op in (0x02, 0x10):
        return (a << b) & mask if b < width else 0
    if op == 0x03:
        return (signed >> min(b, width - 1)) & mask
    if op == 0x11:
        return a >> b if b < width else 0
    if op == 0x1C:
        return crc32(a & 0xFFFFFFFF, b, width)
    return {0x0A: a & b, 0x0B: a | b, 0x0C: a ^ b}[op]


def quotient(a, b):
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


def remainder(a, b):
    return a - b * quotient(a, b)


INT_OPS = {
    0x00: lambda a, b: a, 0x04: lambda a, b: a + b, 0x05: lambda a, b: a - b,
    0x06: lambda a, b: a * b, 0x08: max, 0x09: min, 0x1B: remainder,
    0x12: lambda a, b: a == b, 0x13: lambda a, b: a > b, 0x14: lambda a, b: a >= b,
    0x15: lambda a, b: a <= b, 0x16: lambda a, b: a < b, 0x18: lambda a, b: a != b,
    0xC4: lambda a, b: a + b, 0xC5: lambda a, b: a * b, 0xC6: lambda a, b: a - b,
    0xC7: quotient, 0xC8: remainder, 0xC9: lambda a, b: a == b, 0xCA: lambda a, b: a != b,
    0xCB: lambda a, b: max(abs(a), abs(b)), 0xCC: lambda a, b: min(abs(a), abs(b)),
    0xCD: lambda a, b: abs(a - b), 0xCE: lambda a, b: abs(a),
    0xCF: max, 0xD0: min, 0xD1: lambda a, b: a > b, 0xD2: lambda a, b: a >= b,
    0xD3: lambda a, b: a <= b, 0xD4: lambda a, b: a < b,
    0xD5: max, 0xD6: min, 0xD7: lambda a, b: a > b, 0xD8: lambda a, b: a >= b,
    0xD9: lambda a, b: a <= b, 0xDA: lambda a, b: a < b, 0xDB: lambda a, b: a * b,
    0xDC: quotient, 0xDD: remainder,
}
DIVIDES = {0x1B, 0xC7, 0xC8, 0xDC, 0xDD}
SIGNED_OPS = {0xC7, 0xC8} | set(range(0xCB, 0xD5))
UNSIGNED_OPS = set(range(0xD5, 0xDE))


def integer_values(dtype, raw):
    """Stored integers as Python integers, in an object array."""
    return (raw.view(SINT[SIZE[dtype]]) if dtype in SIGNED else raw).astype(object)


def store_low(dtype, values):
    """Low bits of Python integers."""
    mask = (1 << 8 * SIZE[dtype]) - 1
    flat = [int(v) & mask for v in np.ravel(values)]
    return np.array(flat, UINT[SIZE[dtype]]).reshape(np.shape(values))


def each(function, a, b):
    """function over two broadcast object arrays."""
    a, b = np.broadcast_arrays(a, b)
    out = np.empty(a.shape, object)
    for i in np.ndindex(a.shape):
        out[i] = function(a[i], b[i])
    return out
