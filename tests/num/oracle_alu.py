#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ALU operators on special and random operands, against NumPy, Python integers, exact rationals
and 80-digit decimals (docs/hardware/vector-ops.md 1, numerics.md 5 and 8).

Usage: oracle_alu.py NUM_FILTER
"""
import binascii
import decimal
import sys
from fractions import Fraction

import numpy as np

from oracle import Filter, Report

SPECIAL = np.array([
    0x00000000, 0x80000000, 0x3F800000, 0xBF800000, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00000,
    0x7F800001, 0xFFFFFFFF, 0x00000001, 0x80000001, 0x007FFFFF, 0x807FFFFF, 0x00800000, 0x80800000,
    0x7F7FFFFF, 0xFF7FFFFF, 0x3F7FFFFF, 0x3F800001, 0x40000000, 0xC0000000, 0x40400000, 0x3F000000,
    0xBF000000, 0x4B800000, 0x4B7FFFFF, 0x4B000001, 0x5F000000, 0x2F800000, 0x41200000, 0xC1200000,
    0x33800000, 0x34000000, 0x42F60000, 0xC2F60000, 0x1FC00000, 0x15000000], np.uint32)


def pairs(values, count, seed):
    """All pairs of special values, then random ones that are close or far in turn."""
    a, b = (x.ravel() for x in np.meshgrid(values, values))
    rng = np.random.default_rng(seed)
    top = np.iinfo(values.dtype).max
    r, s = rng.integers(0, top, (2, count), dtype=values.dtype, endpoint=True)
    s[::3] = r[::3] ^ (s[::3] & values.dtype.type(0x800003FF))
    s[1::3] = r[1::3]
    return np.concatenate([a, r]), np.concatenate([b, s])


# ---- fp32 ---------------------------------------------------------------------------------------

def bits_max(a, b):
    """maxNum with -0 < +0, by ordering the bit patterns as signed integers."""
    def key(x):
        i = x.view(np.int32).astype(np.int64)
        k = np.where(i < 0, -0x80000000 - i, i * 1)
        k = np.where(i < 0, k - 1, k)  # -0 just below +0
        return np.where(np.isnan(x), -(1 << 40), k)
    return np.where(key(a) >= key(b), a, b)


def bits_min(a, b):
    flip = np.uint32(0x80000000)
    minus = bits_max((a.view(np.uint32) ^ flip).view(np.float32),
                     (b.view(np.uint32) ^ flip).view(np.float32))
    return (minus.view(np.uint32) ^ flip).view(np.float32)


def symmetric_clamp(a, b):
    r = np.copysign(bits_max(np.abs(a), np.abs(b)), a)
    return np.where((a == 0) | np.isnan(a), a, r)


def truth(x):
    return x.astype(np.float32)


F32 = {
    "ADD": lambda a, b: a + b,
    "SUBTRACT": lambda a, b: a - b,
    "MULT": lambda a, b: a * b,
    "DIVIDE": lambda a, b: a / b,
    "MAX": bits_max,
    "MIN": bits_min,
    "LOGICAL_AND": lambda a, b: truth((a != 0) & (b != 0)),
    "LOGICAL_OR": lambda a, b: truth((a != 0) | (b != 0)),
    "LOGICAL_XOR": lambda a, b: truth((a != 0) ^ (b != 0)),
    "IS_EQ": lambda a, b: truth(a == b),
    "IS_GT": lambda a, b: truth(a > b),
    "IS_GE": lambda a, b: truth(a >= b),
    "IS_LE": lambda a, b: truth(a <= b),
    "IS_LT": lambda a, b: truth(a < b),
    "IS_NE": lambda a, b: truth(~(a == b)),
    "ABSOLUTE_DIFF": lambda a, b: np.abs(a - b),
    "ABSOLUTE_VALUE": lambda a, b: np.abs(a),
    "MOD": np.fmod,
    "ABS_MAX": lambda a, b: bits_max(np.abs(a), np.abs(b)),
    "ABS_MIN": lambda a, b: bits_min(np.abs(a), np.abs(b)),
    "RE_LU": lambda a, b: bits_max(a, np.zeros_like(a)),
    "SQUARE": lambda a, b: a * a,
    "SYMMETRIC_CLAMP": symmetric_clamp,
}


def canonical(x):
    return np.where(np.isnan(x), np.uint32(0x7FC00000), x.view(np.uint32))


def fp32(run, report):
    a, b = pairs(SPECIAL, 300_000, 7)
    for name, function in F32.items():
        with np.errstate(all="ignore"):
            want = canonical(function(a.view(np.float32), b.view(np.float32)).astype(np.float32))
        report.same(name, [a, b], run.run(("f32", name), [a, b], np.uint32), want)
    report.same("BYPASS", [a, b], run.run(("f32", "BYPASS"), [a, b], np.uint32), a)


def rounded(value):
    """fp32 bits of a positive Fraction, to nearest even, by exact integers."""
    exponent = value.numerator.bit_length() - value.denominator.bit_length()
    if Fraction(2) ** exponent > value:
        exponent -= 1
    step = max(exponent - 23, -149)
    q = value / Fraction(2) ** step
    n, rest = divmod(q.numerator, q.denominator)
    twice = 2 * rest - q.denominator
    if twice > 0 or (twice == 0 and n & 1):
        n += 1
    if n * Fraction(2) ** step >= Fraction(2) ** 128:
        return 0x7F800000
    return int(np.float32(float(n * Fraction(2) ** step)).view(np.uint32))


def rsqrt(run, report):
    rng = np.random.default_rng(11)
    a = np.concatenate([rng.integers(1, 0x7F800000, 3000, dtype=np.uint32),
                        np.array([1, 0x007FFFFF, 0x00800000, 0x7F7FFFFF, 0x40800000, 0x3E800000],
                                 np.uint32)])
    want = []
    for bits in a:
        value = Fraction(float(bits.view(np.float32)))
        # 1/sqrt(v) to 2^-220, far below where a result could be near a tie and not on it
        scaled = (1 << 600) * value.denominator // value.numerator
        want.append(rounded(Fraction(isqrt(scaled), 1 << 300)))
    b = np.zeros_like(a)
    report.same("RSQRT", [a], run.run(("f32", "RSQRT"), [a, b], np.uint32), want)
    a = np.array([0, 0x80000000, 0x7F800000, 0xBF800000, 0xFF800000, 0x7F800001], np.uint32)
    want = [0x7F800000, 0xFF800000, 0, 0x7FC00000, 0x7FC00000, 0x7FC00000]
    report.same("RSQRT", [a], run.run(("f32", "RSQRT"), [a, a], np.uint32), want)


def isqrt(n):
    x = 1 << (n.bit_length() + 1) // 2
    while True:
        y = (x + n // x) // 2
        if y >= x:
            return x
        x = y


def power(base, exponent):
    """Positive base: the exact power where it is rational, else 80 digits."""
    if exponent.denominator == 1 and abs(exponent) <= 64:
        return base ** int(exponent)
    with decimal.localcontext() as context:
        context.prec, context.Emax, context.Emin = 80, 10 ** 6, -10 ** 6
        b = decimal.Decimal(base.numerator) / decimal.Decimal(base.denominator)
        e = decimal.Decimal(exponent.numerator) / decimal.Decimal(exponent.denominator)
        if abs(e * b.ln()) > 300:
            return Fraction(2) ** (400 if (e > 0) == (base > 1) else -400)
        result = Fraction((e * b.ln()).exp())
        # halves: a root that is exact must come out exact, not a digit beside a tie
        if exponent.denominator in (2, 4):
            simple = result.limit_denominator(1 << 40)
            if simple ** exponent.denominator == base ** exponent.numerator:
                return simple
        return result


def pow_cases():
    rng = np.random.default_rng(12)
    base = np.exp(rng.uniform(-80, 80, 1500)).astype(np.float32)
    near = (1 + rng.uniform(-1, 1, 500) * 2.0 ** -rng.integers(1, 20, 500)).astype(np.float32)
    a = np.concatenate([base, near, np.arange(1, 400, dtype=np.float32)])
    b = np.concatenate([
        (rng.uniform(-90, 90, 1500) / np.log(base.astype(np.float64))).astype(np.float32),
        rng.uniform(-3000, 3000, 500).astype(np.float32),
        rng.choice(np.array([2, 3, -1, -2, 0.5, 1.5, -0.5, 10, 0.25, 7], np.float32), 399)])
    odd = (np.arange(4097, 8192, 64) | 1).astype(np.float32)  # squares on exact ties of fp32
    small = np.array([2.0 ** -74.5 * 1.0, 3e-38, 1e-45, 5e-30], np.float32)
    return (np.concatenate([a, odd, small]),
            np.concatenate([b, np.full(odd.size, 2, np.float32),
                            np.array([2, 1.0001, 0.999, 1.5], np.float32)]))


def powers(run, report):
    a, b = pow_cases()
    want = np.array([rounded(power(Fraction(float(x)), Fraction(float(y)))) for x, y in zip(a, b)],
                    np.uint32)
    report.same("POW", [a.view(np.uint32), b.view(np.uint32)],
                run.run(("f32", "POW"), [a, b], np.uint32), want)
    # negative bases: the sign of an odd power, NaN where the power is not an integer
    whole, odd = b == np.trunc(b), np.fmod(b, 2) != 0
    minus = np.where(whole, want | np.where(odd, np.uint32(0x80000000), np.uint32(0)),
                     np.uint32(0x7FC00000))
    minus_a = -a
    report.same("POW", [minus_a.view(np.uint32), b.view(np.uint32)],
                run.run(("f32", "POW"), [minus_a, b], np.uint32), minus)
    # IEEE 754 pow: zeros, ones, infinities and NaNs, where NumPy follows it
    special = SPECIAL[~((SPECIAL & 0x7FFFFFFF) > 0x7F800000) &
                      (((SPECIAL & 0x7FFFFFFF) == 0) | ((SPECIAL & 0x7FFFFFFF) == 0x7F800000) |
                       ((SPECIAL & 0x7FFFFFFF) == 0x3F800000))]
    special = np.append(special, np.uint32(0x7FC00000))
    x, y = (v.ravel() for v in np.meshgrid(special, SPECIAL))
    for left, right in ((x, y), (y, x)):
        skip = np.isin(left, special, invert=True) & np.isin(right, special, invert=True)
        assert not skip.any()
        with np.errstate(all="ignore"):
            want = canonical(np.power(left.view(np.float32).astype(np.float64),
                                      right.view(np.float32).astype(np.float64)
                                      ).astype(np.float32))
        report.same("POW", [left, right], run.run(("f32", "POW"), [left, right], np.uint32), want)


# ---- words --------------------------------------------------------------------------------------

def quotient(a, b):
    return 0 if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def remainder(a, b):
    return 0 if b == 0 else abs(a) % abs(b) * (-1 if a < 0 else 1)


def crc32(a, b, bits):
    """zlib's crc32 complements before and after, which the operator does not."""
    data = b.to_bytes(bits // 8, "little")
    return binascii.crc32(data, (a & 0xFFFFFFFF) ^ 0xFFFFFFFF) ^ 0xFFFFFFFF


BITVEC = {
    "BYPASS": lambda a, b, n: a,
    "BITWISE_NOT": lambda a, b, n: ~a,
    "ARITH_SHIFT_LEFT": lambda a, b, n: a << b if b < n else 0,
    "LOGICAL_SHIFT_LEFT": lambda a, b, n: a << b if b < n else 0,
    "LOGICAL_SHIFT_RIGHT": lambda a, b, n: a >> b if b < n else 0,
    "ARITH_SHIFT_RIGHT": lambda a, b, n: (a - (1 << n) if a >> n - 1 else a) >> min(b, n - 1),
    "BITWISE_AND": lambda a, b, n: a & b,
    "BITWISE_OR": lambda a, b, n: a | b,
    "BITWISE_XOR": lambda a, b, n: a ^ b,
    "CRC32": crc32,
}

ARITHMETIC = {
    "ADD": lambda a, b: a + b, "SUBTRACT": lambda a, b: a - b, "MULT": lambda a, b: a * b,
    "DIVIDE": quotient, "MOD": remainder, "MAX": max, "MIN": min,
    "IS_EQ": lambda a, b: a == b, "IS_NE": lambda a, b: a != b, "IS_GT": lambda a, b: a > b,
    "IS_GE": lambda a, b: a >= b, "IS_LE": lambda a, b: a <= b, "IS_LT": lambda a, b: a < b,
    "ABSOLUTE_DIFF": lambda a, b: abs(a - b), "ABSOLUTE_VALUE": lambda a, b: abs(a),
    "ABS_MAX": lambda a, b: max(abs(a), abs(b)), "ABS_MIN": lambda a, b: min(abs(a), abs(b)),
    "RE_LU": lambda a, b: max(a, 0), "SQUARE": lambda a, b: a * a,
    "LOGICAL_AND": lambda a, b: a != 0 and b != 0, "LOGICAL_OR": lambda a, b: a != 0 or b != 0,
    "LOGICAL_XOR": lambda a, b: (a != 0) != (b != 0),
}

#: integer band: the base operator, and the signedness its code fixes (None: the operands')
BAND = {
    "ADD_INT": ("ADD", None), "MULT_INT": ("MULT", None), "SUBTRACT_INT": ("SUBTRACT", None),
    "DIVIDE_INT": ("DIVIDE", "signed"), "MOD_INT": ("MOD", "signed"),
    "IS_EQUAL_INT": ("IS_EQ", None), "IS_NE_INT": ("IS_NE", None),
    "ABS_MAX_INT": ("ABS_MAX", "signed"), "ABS_MIN_INT": ("ABS_MIN", "signed"),
    "ABS_DIFF_INT": ("ABSOLUTE_DIFF", "signed"), "ABS_VALUE_INT": ("ABSOLUTE_VALUE", "signed"),
    "MAX_INT": ("MAX", "signed"), "MIN_INT": ("MIN", "signed"), "IS_GT_INT": ("IS_GT", "signed"),
    "IS_GE_INT": ("IS_GE", "signed"), "IS_LE_INT": ("IS_LE", "signed"),
    "IS_LT_INT": ("IS_LT", "signed"), "MAX_UINT": ("MAX", "unsigned"),
    "MIN_UINT": ("MIN", "unsigned"), "IS_GT_UINT": ("IS_GT", "unsigned"),
    "IS_GE_UINT": ("IS_GE", "unsigned"), "IS_LE_UINT": ("IS_LE", "unsigned"),
    "IS_LT_UINT": ("IS_LT", "unsigned"), "MULT_UINT": ("MULT", "unsigned"),
    "DIVIDE_UINT": ("DIVIDE", "unsigned"), "MOD_UINT": ("MOD", "unsigned"),
}


def words(run, report):
    for bits, kind in ((32, np.uint32), (64, np.uint64)):
        top = (1 << bits) - 1
        special = np.array([0, 1, 2, 3, 5, 31, 32, 63, 64, top >> 1, (top >> 1) + 1, top - 1, top,
                            0xFFFF, 0x10000, 0x80000000, 0xDEADBEEF], kind)
        a, b = pairs(special, 600, bits)
        mask = kind(top)
        left, right = [int(v) for v in a], [int(v) for v in b]
        for name, function in BITVEC.items():
            want = np.array([function(x, y, bits) & top for x, y in zip(left, right)], kind)
            report.same(f"bitvec {name} {bits}", [a, b],
                        run.run(("bitvec", name, bits), [a, b], kind), want & mask)
        operators = {**{n: (n, None) for n in ARITHMETIC}, **BAND}
        for called in ("signed", "unsigned"):
            for name, (base, fixed) in operators.items():
                sign = 1 << bits if (fixed or called) == "signed" else 0
                want = [int(ARITHMETIC[base](x - sign * (x >> bits - 1), y - sign * (y >> bits - 1)))
                        & top for x, y in zip(left, right)]
                report.same(f"{called} {name} {bits}", [a, b],
                            run.run((called, name, bits), [a, b], kind), np.array(want, kind))


# ---- reductions ---------------------------------------------------------------------------------

def reductions(run, report):
    """Row by row in stream order; NumPy's own reductions sum in another order."""
    rng = np.random.default_rng(13)
    for rows, n in ((1, 1), (3, 2), (5, 3), (33, 4), (16, 5), (32, 16), (128, 512), (31, 67),
                    (65, 130), (2, 1000)):
        x = (rng.standard_normal((rows, n)) * 10.0 ** rng.integers(-3, 4, (rows, n))
             ).astype(np.float32)
        if n > 4:
            x[0, 3] = np.float32(np.nan)
            x[-1, 1:4] = [np.inf, -0.0, -np.inf] if rows > 1 else 0
        for name in ("ADD", "SUBTRACT", "MULT", "MAX", "MIN", "LOGICAL_AND", "LOGICAL_OR",
                     "LOGICAL_XOR", "ABS_MAX", "IS_GT"):
            acc = x[:, 0].copy()
            with np.errstate(all="ignore"):
                for i in range(1, n):
                    acc = canonical(F32[name](acc, x[:, i].copy())).view(np.float32)
            got = run.run(("reduce", name, rows), [x], np.uint32)
            report.same(f"reduce {name} {rows}x{n}", [np.arange(rows)], got, acc.view(np.uint32))


def main():
    run, report = Filter(sys.argv[1]), Report()
    fp32(run, report)
    rsqrt(run, report)
    powers(run, report)
    words(run, report)
    reductions(run, report)
    report.exit("oracle_alu")


if __name__ == "__main__":
    main()
