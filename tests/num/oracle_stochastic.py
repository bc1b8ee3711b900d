#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Stochastic narrowing, step by step in exact rationals (docs/hardware/numerics.md 6): one LFSR
draw an element, random bits added below the last place of the target.

Usage: oracle_stochastic.py NUM_FILTER
"""
import sys
from fractions import Fraction

import numpy as np

from oracle import E4M3FN, FORMATS, Filter, Format, Report


def draws(state, count):
    """vector-ops.md 13.3"""
    for _ in range(count):
        bit = (state >> 31 ^ state >> 21 ^ state >> 1 ^ state) & 1
        state = (state << 1 | bit) & 0xFFFFFFFF
        yield state


def narrow(fmt, bits, random, saturate):
    """Element code of the fp32 bits."""
    sign, mag = (fmt.codes if bits >> 31 else 0), bits & 0x7FFFFFFF
    infinity = fmt.codes - (1 << fmt.man)
    if mag > 0x7F800000:
        return infinity | 1 << fmt.man >> 1 if fmt.kind == "ieee" else fmt.codes - 1
    top = {"ieee": infinity - 1, "fn": fmt.codes - 2, "none": fmt.codes - 1}[fmt.kind]
    over = sign | (top if saturate or fmt.kind == "none" else
                   infinity if fmt.kind == "ieee" else fmt.codes - 1)
    if mag == 0x7F800000:
        return over
    exponent = max(mag >> 23, 1)                      # of fp32, biased
    significand = mag & 0x7FFFFF | (mag >> 23 != 0) << 23
    lowest = 128 - fmt.bias                           # of a normal number of the target
    drop = 23 - fmt.man + max(lowest - exponent, 0)
    whole, rest = divmod(significand, 1 << drop)
    if drop <= 24:
        up = rest + random % (1 << drop) >= 1 << drop
    else:
        up = Fraction(random >> 8, 1 << 24) < Fraction(significand, 1 << drop)
    code = (max(exponent - lowest, 0) << fmt.man) + whole + up
    return over if code > top else sign | code


def main():
    run, report = Filter(sys.argv[1]), Report()
    rng = np.random.default_rng(30)
    patterns = rng.integers(0, 1 << 32, 20000, dtype=np.uint32)
    patterns[::2] = patterns[::2] & 0x81FFFFFF | np.uint32(0x38000000)
    patterns[:8] = [0x3F806000, 0x7FC00000, 0x7F800000, 0xFF800000, 0x00000001, 0x80000000, 0,
                    0x7F7FFFFF]
    for fmt, mode in ((FORMATS["BFLOAT16"], ""), (FORMATS["FP16"], ""), (FORMATS["FP8_EXP3"], ""),
                      (FORMATS["FP8_EXP4"], ""), (E4M3FN, "fn,saturate,"), (E4M3FN, "fn,"),
                      (FORMATS["FP8_EXP5"], "saturate,"), (FORMATS["FP8_EXP2"], ""),
                      (Format("FP32R", 8, 11, 127, "ieee"), "")):
        seed = 0xCD9E8D57
        want = [narrow(fmt, int(b), r, "saturate" in mode)
                for b, r in zip(patterns, draws(seed, patterns.size))]
        kind = {8: np.uint8, 16: np.uint16, 20: np.uint32}[fmt.bits]
        shift = 12 if fmt.name == "FP32R" else 0
        report.same(f"stochastic {fmt.name} {mode}", [patterns],
                    run.narrow(fmt.name, f"{mode}seed={seed}", patterns, kind),
                    np.array(want, np.uint64) << np.uint64(shift))
    report.exit("oracle_stochastic")


if __name__ == "__main__":
    main()
