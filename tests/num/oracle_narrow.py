#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""fp32 -> every narrower format, on every rounding boundary of the target (each midpoint of two
neighbours, each representable value, one ulp to either side) and on random bit patterns, at least
10^7 values a target, against tables of exact values (FP16: against NumPy).

Usage: oracle_narrow.py NUM_FILTER [RANDOM_VALUES]
"""
import sys

import numpy as np

from oracle import E4M3FN, FORMATS, Filter, Report

RANDOM = 10_000_000
CHUNK = 1 << 18  # values whose temporaries stay in the cache


def neighbours(values):
    """Bit patterns of float64 values that fp32 holds, and one fp32 ulp to either side; both signs."""
    bits = values.astype(np.float32).view(np.uint32).astype(np.int64)
    bits = np.concatenate([bits - 1, bits, bits + 1])
    bits = bits[(bits >= 0) & (bits <= 0x7F800000)]
    return np.concatenate([bits, bits | 0x80000000]).astype(np.uint32)


def rng_patterns(count, seed):
    """Uniform bit patterns, so that every exponent, NaNs and subnormals occur."""
    return np.random.default_rng(seed).integers(0, 1 << 32, count, dtype=np.uint32)


class Rounding:
    """Round-to-nearest-even onto a format by searching a table of its exact values."""

    def __init__(self, fmt, top=None):
        self.fmt, self.values = fmt, fmt.finite()[:None if top is None else top + 1]
        # one step beyond the largest finite value: where rounding overflows (numerics.md 4)
        beyond = 2 * self.values[-1] - self.values[-2]
        steps = np.append(self.values, beyond)
        self.ties = (steps[:-1] + steps[1:]) / 2  # exact: all have few bits
        self.top = len(self.values) - 1

    def boundaries(self):
        return np.concatenate([self.values, self.ties[self.ties < 3.5e38]])

    def magnitude(self, absolute):
        """Code of each |x|, `top` + 1 for overflow; infinities overflow."""
        code = np.searchsorted(self.ties, absolute, side="left")  # |x| == tie: the lower one
        at = np.minimum(code, self.top)
        tie = absolute == self.ties[at]
        return code + (tie & (code & 1 == 1))  # ... unless the lower one is odd


def in_chunks(function, patterns, kind):
    want = np.empty(patterns.size, kind)
    for start in range(0, patterns.size, CHUNK):
        part = slice(start, start + CHUNK)
        want[part] = function(patterns[part])
    return want


def float_target(fmt, mode):
    """Codes by numerics.md 4 for one format and mode (a set of words), as a function of patterns."""
    emax = [int(w.split("=")[1]) for w in mode if w.startswith(("e4=", "e5="))]
    top = (emax[0] + fmt.bias << fmt.man | (1 << fmt.man) - 1) if emax else None
    rounding = Rounding(fmt, top)
    is_fp8 = fmt.name.startswith("FP8")
    saturate = fmt.kind == "none" or not fmt.signed or (is_fp8 and "saturate" in mode)
    infinity = fmt.codes - (1 << fmt.man)
    over = rounding.top if saturate else infinity if fmt.kind == "ieee" else fmt.codes - 1
    quiet = {"ieee": infinity | 1 << fmt.man >> 1, "fn": fmt.codes - 1, "none": rounding.top}
    not_a_number = quiet[fmt.kind]
    suppress = is_fp8 and "suppress" in mode
    if suppress:
        not_a_number = 0
        if fmt.kind == "fn" and not saturate:
            over = 0

    def target(patterns):
        absolute = patterns & np.uint32(0x7FFFFFFF)
        nan = absolute > 0x7F800000
        absolute[nan] = 0
        code = rounding.magnitude(absolute.view(np.float32).astype(np.float64))
        sign = (patterns >> 31) * np.uint32(fmt.codes if fmt.signed else 0)
        code = np.where(code > rounding.top, over, code) | sign
        if not fmt.signed:  # no scale is negative
            code[patterns > 0x80000000] = fmt.codes - 1
        code[nan] = (sign[nan] if suppress else 0) | not_a_number
        return code
    return target


def check_float(run, report, fmt, mode, random):
    patterns = np.concatenate([neighbours(Rounding(fmt).boundaries()), random])
    words = set(mode.split(","))
    kind = np.uint16 if fmt.bits == 16 else np.uint8
    target = float_target(fmt, words)
    if fmt.name == "FP16":  # NumPy has it; the table must agree with NumPy where it turns
        edges = neighbours(Rounding(fmt).boundaries())
        assert np.array_equal(target(edges), numpy_half(edges))
        target = numpy_half
    want = in_chunks(target, patterns, kind)
    if fmt.bits == 4:
        patterns = patterns[:patterns.size // 4 * 4]
        want = want[:patterns.size]
    got = run.narrow(fmt.name, mode, patterns, kind)
    if fmt.bits == 4:
        got = np.stack([got & 15, got >> 4], 1).ravel()
    report.same(f"narrow {fmt.name} {mode}", [patterns], got, want)


def numpy_half(patterns):
    with np.errstate(over="ignore", invalid="ignore"):
        half = patterns.view(np.float32).astype(np.float16).view(np.uint16)
    return np.where((patterns & 0x7FFFFFFF) > 0x7F800000, np.uint16(0x7E00), half)


def power_of_two(patterns):
    """E8M0 of numerics.md 4: |x| / 2^e to nearest integer, ties to the even one (which is 2)."""
    nan = (patterns & 0x7FFFFFFF) > 0x7F800000
    x = np.abs(np.where(nan, 0, patterns.view(np.float32)).astype(np.float64))
    with np.errstate(divide="ignore", invalid="ignore"):
        m, e = np.frexp(np.where(nan | np.isinf(x), 1, x))
    code = e - 1 + 127 + (m >= 0.75)
    code = np.clip(np.where(x == 0, 0, code), 0, 254)
    code = np.where(np.isinf(x), 254, code)
    return np.where(nan | (patterns > 0x80000000), 255, code)


def fp32r(patterns, kept):
    """Rounding the significand of a float64, which holds it exactly."""
    x = patterns.view(np.float32)
    nan = np.isnan(x)
    m, e = np.frexp(np.where(nan | np.isinf(x), 0, x).astype(np.float64))
    low = np.maximum(e, -125)  # subnormals share the grid of 2^-126
    with np.errstate(over="ignore"):
        rounded = np.ldexp(np.rint(np.ldexp(m, kept + 1 + e - low)), low - kept - 1)
        single = rounded.astype(np.float32)
    single = np.where(np.isinf(x), x, single)
    bits = single.view(np.uint32) | (patterns & np.uint32(0x80000000))
    return np.where(nan, np.uint32(0x7FC00000), bits)


def fp32r_boundaries(kept):
    """A representative of every tie pattern: all exponents, with the lowest kept bits and the
    dropped ones around a half."""
    drop = 23 - kept
    tails = [0, 1, (1 << drop - 1) - 1, 1 << drop - 1, (1 << drop - 1) + 1, (1 << drop) - 1]
    heads = [0, 1, 2, 3, (1 << kept) - 2, (1 << kept) - 1]
    bits = [e << 23 | h << drop | t for e in range(255) for h in heads for t in tails]
    bits = np.array(bits, np.uint32)
    return np.concatenate([bits, bits | np.uint32(0x80000000)])


def integer_target(patterns, kind, truncate):
    """numerics.md 4.1; the upper end is set apart, since float64 does not hold 2^64 - 1."""
    limits = np.iinfo(kind)
    x = patterns.view(np.float32)
    y = np.where(np.isnan(x), np.copysign(np.inf, x), x).astype(np.float64)
    y = np.trunc(y) if truncate else np.rint(y)
    top = y >= float(limits.max)
    y[top | (y < limits.min)] = limits.min
    want = y.astype(kind)
    want[top] = limits.max
    return want


def check_integers(run, report, random):
    for kind in (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64):
        name, bits = np.dtype(kind).name.upper(), np.iinfo(kind).bits
        whole = np.arange(0.0, 70001.0 if bits == 16 else 3001.0)
        powers = np.ldexp(1.0, np.arange(0, 70))
        edges = np.concatenate([whole, whole + 0.5, powers, powers / 2 + 0.5])
        patterns = np.concatenate([neighbours(edges), random])
        for mode in ("-", "truncate"):
            want = in_chunks(lambda p: integer_target(p, kind, mode == "truncate"), patterns, kind)
            report.same(f"narrow {name} {mode}", [patterns],
                        run.narrow(name, mode, patterns, kind), want)


def main():
    run, report = Filter(sys.argv[1]), Report()
    random = rng_patterns(int(sys.argv[2]) if len(sys.argv) > 2 else RANDOM, 1)
    few = random[:random.size // 30]
    # bit patterns whose exponents all lie where 8-bit formats live
    close = (few & 0x80FFFFFF) + (np.uint32(110) << 23) + (few >> 24 << 23 & 0x0F800000)
    close = close.astype(np.uint32)
    formats = FORMATS
    for name in ("BFLOAT16", "FP16", "FP8_EXP3", "FP8_EXP4", "FP8_EXP5"):
        check_float(run, report, formats[name], "-", random)
    check_float(run, report, E4M3FN, "fn,saturate", random)
    for fmt in (formats["FP8_EXP3"], formats["FP8_EXP4"], formats["FP8_EXP5"]):
        for mode in ("saturate", "suppress", "saturate,suppress"):
            check_float(run, report, fmt, mode, close)
    for mode in ("fn", "fn,suppress", "fn,saturate,suppress", "fn,e4=7", "fn,saturate,e4=6"):
        check_float(run, report, E4M3FN, mode, close)
    for mode in ("e4=5", "saturate,e4=3"):
        check_float(run, report, formats["FP8_EXP4"], mode, close)
    for mode in ("e5=12", "saturate,e5=14"):
        check_float(run, report, formats["FP8_EXP5"], mode, close)
    for name in ("FP8_EXP2", "FP4_EXP2", "SFP8_E7", "SFP8_E6", "SFP8_E5"):
        check_float(run, report, formats[name], "-", close)
        check_float(run, report, formats[name], "-", few)
    patterns = np.concatenate([neighbours(np.ldexp(1.0, np.arange(-149, 128))),
                               neighbours(np.ldexp(1.5, np.arange(-148, 127))), few])
    report.same("narrow SFP8_E8", [patterns], run.narrow("SFP8_E8", "-", patterns, np.uint8),
                power_of_two(patterns))
    for kept in (10, 11, 13):
        patterns = np.concatenate([fp32r_boundaries(kept), random if kept == 11 else few])
        report.same(f"narrow FP32R {kept}", [patterns],
                    run.narrow("FP32R", f"fp32r={kept}", patterns, np.uint32),
                    in_chunks(lambda p, kept=kept: fp32r(p, kept), patterns, np.uint32))
    check_integers(run, report, few)
    report.exit("oracle_narrow")


if __name__ == "__main__":
    main()
