#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every code of every format of 4, 8 and 16 bits, widened, against exact rationals (FP16 and the
integers: against NumPy), and narrowed again, which must give the code back.

Usage: oracle_decode.py NUM_FILTER
"""
import sys

import numpy as np

from oracle import E4M3FN, FORMATS, NAN, Filter, Report

WORD = {4: np.uint8, 8: np.uint8, 16: np.uint16}


def canonical(fmt, codes):
    """Code that comes back: NaNs lose sign and payload, negative scales do not exist."""
    nan = {"ieee": (fmt.codes - (1 << fmt.man)) | (1 << fmt.man >> 1),
           "fn": fmt.codes - 1}.get(fmt.kind, 0)
    is_nan = np.array([fmt.magnitude(c) is NAN for c in range(fmt.codes)])
    return np.where(is_nan[codes & (fmt.codes - 1)], nan, codes)


def floats(run, report):
    for fmt, mode in [*((f, "-") for f in FORMATS.values()), (E4M3FN, "fn")]:
        codes = np.arange(1 << fmt.bits, dtype=WORD[fmt.bits])
        stored = codes[0::2] | codes[1::2] << 4 if fmt.bits == 4 else codes
        want = fmt.widened()
        if fmt.name == "FP16":
            wide = codes.view(np.float16).astype(np.float32).view(np.uint32)
            assert np.array_equal(want, np.where((codes & 0x7FFF) > 0x7C00, want, wide))
        got = run.widen(fmt.name, mode, stored)
        report.same(f"widen {fmt.name} {mode}", [codes], got, want)
        back = run.narrow(fmt.name, mode, got, stored.dtype)
        if fmt.bits == 4:
            back = np.stack([back & 15, back >> 4], 1).ravel()
        report.same(f"narrow again {fmt.name} {mode}", [got], back, canonical(fmt, codes))


def integers(run, report):
    for name, kind in (("INT8", np.int8), ("UINT8", np.uint8), ("INT16", np.int16),
                       ("UINT16", np.uint16)):
        limits = np.iinfo(kind)
        values = np.arange(limits.min, limits.max + 1, dtype=np.int64).astype(kind)
        want = values.astype(np.float32).view(np.uint32)
        report.same(f"widen {name}", [values], run.widen(name, "-", values), want)
        report.same(f"narrow again {name}", [values], run.narrow(name, "-", want, kind), values)
    codes = np.arange(16)
    stored = (codes[0::2] | codes[1::2] << 4).astype(np.uint8)
    want = np.where(codes < 8, codes, codes - 16).astype(np.float32).view(np.uint32)
    report.same("widen INT4", [codes], run.widen("INT4", "-", stored), want)
    report.same("narrow again INT4", [stored], run.narrow("INT4", "-", want, np.uint8), stored)


def wide_integers(run, report):
    """32 and 64 bits: every place where rounding to 24 bits turns, against exact integers."""
    rng = np.random.default_rng(20)
    for name, kind in (("INT32", np.int32), ("UINT32", np.uint32), ("INT64", np.int64),
                       ("UINT64", np.uint64)):
        limits, bits = np.iinfo(kind), np.iinfo(kind).bits
        values = [0, 1, limits.max, limits.min, limits.max - 1, limits.min + 1]
        for power in range(24, bits + 1):  # around ties at every exponent
            step = 1 << (power - 24)
            for base in ((1 << power - 1), (1 << power) - step, (1 << power - 1) + 3 * step):
                for near in (-1, 0, 1):
                    for tie in (0, step // 2, step + step // 2):
                        values += [base + tie + near, -(base + tie + near)]
        values = [v for v in values if limits.min <= v <= limits.max]
        values = np.array(values + list(map(int, rng.integers(
            limits.min, limits.max, 5000, dtype=kind, endpoint=True))), dtype=kind)
        want = np.array([nearest(int(v)) for v in values], np.uint32)
        report.same(f"widen {name}", [values], run.widen(name, "-", values), want)


def nearest(value):
    """fp32 bits of an integer, rounded once to nearest even, in exact integers."""
    sign, value = (0x80000000, -value) if value < 0 else (0, value)
    drop = max(value.bit_length() - 24, 0)
    rest, value = value & ((1 << drop) - 1), value >> drop
    half = 1 << drop >> 1
    value += rest > half or (drop and rest == half and value & 1)
    return sign | int(np.float32(value * 2.0 ** drop).view(np.uint32))


def main():
    run, report = Filter(sys.argv[1]), Report()
    floats(run, report)
    integers(run, report)
    wide_integers(run, report)
    report.exit("oracle_decode")


if __name__ == "__main__":
    main()
