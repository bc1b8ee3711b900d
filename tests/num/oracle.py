# SPDX-License-Identifier: Apache-2.0
"""Number formats as exact rationals, after docs/hardware/numerics.md 2 to 4, and the plumbing that
runs arrays through num_filter. Nothing here looks at how src/num computes."""
import functools
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

import numpy as np

INF, NAN = "inf", "nan"


class Format:
    """A small float: `kind` says which codes are special (ieee, fn: the last one, none)."""

    def __init__(self, name, exp, man, bias, kind, signed=True, subnormals=True):
        self.name, self.exp, self.man, self.bias, self.kind = name, exp, man, bias, kind
        self.signed, self.subnormals = signed, subnormals
        self.codes = 1 << (exp + man)          # magnitude codes
        self.bits = exp + man + signed

    def magnitude(self, code):
        """Value of a code without its sign bit: a Fraction, INF or NAN."""
        e, m = code >> self.man, code & ((1 << self.man) - 1)
        if self.kind == "ieee" and e == (1 << self.exp) - 1:
            return NAN if m else INF
        if self.kind == "fn" and code == self.codes - 1:
            return NAN
        if e == 0 and self.subnormals:
            return Fraction(m, 1 << self.man) * Fraction(2) ** (1 - self.bias)
        return (1 + Fraction(m, 1 << self.man)) * Fraction(2) ** (e - self.bias)

    @functools.lru_cache
    def finite(self):
        """float64 values of the finite magnitude codes 0, 1, 2 ... in order; exact."""
        values = []
        for code in range(self.codes):
            value = self.magnitude(code)
            if not isinstance(value, Fraction):
                break
            values.append(float(value))
            assert values[-1].as_integer_ratio() == (value.numerator, value.denominator)
        return np.array(values)

    def widened(self):
        """fp32 bits of every code, signs included (numerics.md 3)."""
        bits = np.array([self.widened_magnitude(c) for c in range(self.codes)], np.uint32)
        return np.concatenate([bits, bits | np.uint32(0x80000000)]) if self.signed else bits

    def widened_magnitude(self, code):
        value = self.magnitude(code)
        if value is INF:
            return 0x7F800000
        if value is NAN:  # payload kept and made quiet; a scale has none
            payload = (code & ((1 << self.man) - 1)) << (23 - self.man)
            return 0x7FC00000 | (payload if self.signed else 0)
        single = np.float32(float(value))
        assert float(single).as_integer_ratio() == (value.numerator, value.denominator)
        return int(single.view(np.uint32))


FORMATS = {f.name: f for f in (
    Format("BFLOAT16", 8, 7, 127, "ieee"),
    Format("FP16", 5, 10, 15, "ieee"),
    Format("FP8_EXP2", 2, 5, 1, "none"),
    Format("FP8_EXP3", 3, 4, 3, "ieee"),
    Format("FP8_EXP4", 4, 3, 7, "ieee"),
    Format("FP8_EXP5", 5, 2, 15, "ieee"),
    Format("FP4_EXP2", 2, 1, 1, "none"),
    Format("SFP8_E8", 8, 0, 127, "fn", signed=False, subnormals=False),
    Format("SFP8_E7", 7, 1, 63, "fn", signed=False),
    Format("SFP8_E6", 6, 2, 31, "fn", signed=False),
    Format("SFP8_E5", 5, 3, 15, "fn", signed=False),
)}
E4M3FN = Format("FP8_EXP4", 4, 3, 7, "fn")


class Filter:
    """num_filter on arrays."""

    def __init__(self, program):
        self.program = program
        self.directory = tempfile.TemporaryDirectory(prefix="num_oracle.")
        self.count = 0

    def run(self, words, arrays, dtype):
        root = Path(self.directory.name)
        paths = []
        for i, array in enumerate(arrays):
            paths.append(root / f"in{i}")
            array.tofile(paths[-1])
        out = root / "out"
        subprocess.run([self.program, *map(str, words), *paths, out], check=True)
        return np.fromfile(out, dtype=dtype)

    def widen(self, dtype, mode, codes):
        return self.run(("widen", dtype, mode), [codes], np.uint32)

    def narrow(self, dtype, mode, values, kind):
        return self.run(("narrow", dtype, mode), [values], kind)


class Report:
    """Counts comparisons; the first few differences are printed and fail the run."""

    def __init__(self):
        self.compared = self.failures = 0

    def same(self, what, inputs, got, want):
        got, want = np.asarray(got), np.asarray(want)
        assert got.shape == want.shape, (what, got.shape, want.shape)
        self.compared += got.size
        wrong = np.flatnonzero(got != want)
        self.failures += wrong.size
        for i in wrong[:5]:
            shown = ", ".join(f"{int(x[i]):08X}" for x in inputs)
            print(f"{what}: {shown} gives {int(got[i]):X}, wanted {int(want[i]):X}")

    def exit(self, name):
        print(f"{name}: {self.compared} results compared, {self.failures} differ")
        sys.exit(self.failures != 0 or self.compared == 0)
