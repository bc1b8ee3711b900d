# SPDX-License-Identifier: Apache-2.0
"""Membership of a number in a fixed set, as the cheapest C test for that set."""
from rules_values import c_integer


def spans(values):
    """Sorted (first, last) runs of consecutive values."""
    runs = []
    for value in sorted(values):
        if runs and value == runs[-1][1] + 1:
            runs[-1][1] = value
        else:
            runs.append([value, value])
    return runs


class Sets:
    """Hands out conditions, and the bitmaps of 256 bits that some of them look into."""

    def __init__(self):
        self.bitmaps = {}  # frozenset of byte values -> C name

    def name(self, values):
        return self.bitmaps.setdefault(frozenset(values), f"set_{len(self.bitmaps)}")

    def member(self, number, values):
        """C condition, or True / False when the range of the number decides."""
        values = {v for v in values if number.low <= v <= number.high}
        if not values:
            return False
        runs = spans(values)
        if runs == [[number.low, number.high]]:
            return True
        if len(runs) == 1 or len(values) <= 2 or number.high > 255:
            return "(" + " || ".join(self.run(number, *run) for run in runs) + ")"
        if max(values) < 64:
            mask = f"UINT64_C({sum(1 << v for v in values):#x})"
            bit = f"({mask} >> {number.c} & 1)"
            return bit if number.high < 64 else f"({number.c} < 64u && {bit})"
        return f"rule_in({self.name(values)}, {number.c})"

    def run(self, number, first, last):
        if first == last:
            return f"{number.c} == {c_integer(first)}"
        if first == number.low:
            return f"{number.c} <= {c_integer(last)}"
        if last == number.high:
            return f"{number.c} >= {c_integer(first)}"
        return f"{number.c} - {c_integer(first)} <= {c_integer(last - first)}"

    def write(self, write):
        for values, name in self.bitmaps.items():
            words = [sum(1 << (v - base) for v in values if base <= v < base + 64)
                     for base in (0, 64, 128, 192)]
            text = ", ".join(f"UINT64_C({word:#x})" for word in words)
            write(f"static const uint64_t {name}[4] = {{{text}}};")
