# SPDX-License-Identifier: Apache-2.0
"""What a compiled part of a rule is: a truth value or a number, as C text.

A test that reads an address or a shape out of a register cannot be decided from the word (README,
section 4). So a truth value carries two C conditions: `maybe`, true unless the word alone refutes
it, and `must`, true only if the word alone proves it. A rule passes the static check when its
`maybe` holds. They are the same text wherever nothing is unknown.
"""
import operator
from dataclasses import dataclass, field

RELATIONS = {"==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le,
             ">": operator.gt, ">=": operator.ge}


def c_and(a, b):
    if a is False or b is False:
        return False
    if a is True:
        return b
    if b is True or a == b:
        return a
    return f"({a} && {b})"


def c_or(a, b):
    if a is True or b is True:
        return True
    if a is False:
        return b
    if b is False or a == b:
        return a
    return f"({a} || {b})"


def c_not(a):
    if isinstance(a, bool):
        return not a
    return a[1:] if a.startswith("!") and "(" not in a and "&" not in a else f"!{a}"


@dataclass(frozen=True)
class Truth:
    maybe: object  # C condition, or True / False when tablegen knows it
    must: object

    @property
    def decided(self):
        return self.maybe == self.must

    def __and__(self, other):
        return Truth(c_and(self.maybe, other.maybe), c_and(self.must, other.must))

    def __or__(self, other):
        return Truth(c_or(self.maybe, other.maybe), c_or(self.must, other.must))

    def __invert__(self):
        return Truth(c_not(self.must), c_not(self.maybe))

    def same(self, other):
        """Both true or both false."""
        if self.decided and other.decided and not isinstance(self.maybe, bool) \
                and not isinstance(other.maybe, bool):
            return decided(f"({self.maybe} == {other.maybe})")
        return (self & other) | (~self & ~other)

    def choose(self, then, otherwise):
        if self.decided and not isinstance(self.maybe, bool):
            return Truth(c_choice(self.maybe, then.maybe, otherwise.maybe),
                         c_choice(self.maybe, then.must, otherwise.must))
        return (self & then) | (~self & otherwise)


def c_choice(condition, then, otherwise):
    if isinstance(then, bool) or isinstance(otherwise, bool):
        return c_or(c_and(condition, then), c_and(c_not(condition), otherwise))
    return f"({condition} ? {then} : {otherwise})"


def decided(condition):
    return Truth(condition, condition)


TRUE = decided(True)
FALSE = decided(False)


def test(condition, needs):
    """A condition that can be decided only when every flag in `needs` is true."""
    known = True
    for flag in sorted(needs):
        known = c_and(known, flag)
    return Truth(c_or(c_not(known), condition), c_and(known, condition))


@dataclass(frozen=True)
class Number:
    """A C expression with the range of its values. `unit` is "" for plain integers, "bits" for the
    size of a type (so that the sizes of narrow types stay exact), "float" for binary32 values."""
    c: str
    low: int
    high: int
    unit: str = ""
    enum: str = ""                                   # whose members it is compared with
    needs: frozenset = field(default=frozenset())    # flags that must hold for it to be known
    power_of_two: bool = False
    opcode: bool = False                             # it is the word's opcode

    @property
    def constant(self):
        return self.low if self.low == self.high and not self.unit == "float" else None


def constant(value, enum=""):
    return Number(c_integer(value), value, value, enum=enum)


def c_integer(value):
    if value < 0:
        return f"({value})"
    if value >= 1 << 32:
        return f"UINT64_C({value:#x})"
    return f"{value:#x}u" if value > 9 else f"{value}u"


def wide(number):
    """The number in a C type that holds its sums and products with others of 64 bits."""
    if number.low < 0:
        return f"(int64_t){number.c}"
    return number.c if number.constant is not None else f"(uint64_t){number.c}"


def c_type(low, high):
    if high >= 1 << 64:
        return "unsigned __int128"
    return "int64_t" if low < 0 else "uint64_t"


def arithmetic(op, a, b):
    needs = a.needs | b.needs
    if a.unit or b.unit:
        raise ValueError("only plain integers can be added or multiplied")
    if op == "&":
        return Number(f"({a.c} & {b.c})", 0, min(a.high, b.high), needs=needs)
    if op == "%":
        if a.low < 0 and b.low < 0:
            raise ValueError("% needs a positive right side")
        if b.power_of_two and a.low >= 0:
            return Number(f"({a.c} & ({b.c} - 1u))", 0, b.high - 1, needs=needs)
        high = b.high - 1
        text = f"({wide(a)} % {b.c})" if a.low >= 0 else f"({wide(a)} % (int64_t){b.c})"
        return Number(text, -high if a.low < 0 else 0, high, needs=needs)
    if op == "+":
        low, high = a.low + b.low, a.high + b.high
    elif op == "-":
        low, high = a.low - b.high, a.high - b.low
    else:
        ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
        low, high = min(ends), max(ends)
    kind = c_type(low, high)
    return Number(f"(({kind}){a.c} {op} ({kind}){b.c})", low, high, needs=needs)


def relation(op, a, b):
    """a op b as a Truth."""
    needs = a.needs | b.needs
    if "float" in (a.unit, b.unit):
        return test(f"({as_float(a)} {op} {as_float(b)})", needs)
    if "bits" in (a.unit, b.unit):
        a, b = in_bits(a), in_bits(b)
    if a.constant is not None and b.constant is not None:
        return decided(RELATIONS[op](a.low, b.low))
    if not needs:  # a comparison that the ranges decide
        always = {"<": a.high < b.low, "<=": a.high <= b.low, ">": a.low > b.high,
                  ">=": a.low >= b.high, "!=": a.high < b.low or a.low > b.high, "==": False}
        never = {"<": a.low >= b.high, "<=": a.low > b.high, ">": a.high <= b.low,
                 ">=": a.high < b.low, "==": a.high < b.low or a.low > b.high, "!=": False}
        if always[op] or never[op]:
            return decided(always[op])
    left, right = a.c, b.c
    if (a.low < 0) != (b.low < 0):
        left, right = f"(int64_t){left}", f"(int64_t){right}"
    return test(f"({left} {op} {right})", needs)


def in_bits(number):
    if number.unit == "bits":
        return number
    if number.constant is None:
        raise ValueError("a size is compared with a size or with a number of bytes")
    return Number(c_integer(8 * number.low), 8 * number.low, 8 * number.low, unit="bits")


def as_float(number):
    if number.unit == "float":
        return number.c
    if number.constant is None:
        raise ValueError("a floating point value is compared with another or with a constant")
    return f"{float(number.low)!r}f"
