# SPDX-License-Identifier: Apache-2.0
"""The codecs of docs/hardware/cptc.md 7 and 8, bit by bit in Python and step by step in float32."""
from fractions import Fraction

import numpy as np

PLANES, BITSHIFT = 0, 1


def block_bytes(n, b):
    return -(-(n * b // 8) // 4) * 4


def bf16(bits):
    return np.array([bits << 16], np.uint32).view(np.float32)[0]


def number(n, code):
    """s(c) of 7.3."""
    if n == 1:
        return 2 * code - 1
    return code - (1 << n) if n >= 4 and code >> (n - 1) else code


def source(j, g):
    """7.2: the packed code of element j of a run of g."""
    return (j & 3) * (g // 4) + (j >> 2)


def reconstruct(n, code, mc0, mc1):
    with np.errstate(all="ignore"):
        value = np.float32(np.float32(np.float32(number(n, code)) * bf16(mc0)) + bf16(mc1))
    return np.array([0x7FC00000], np.uint32).view(np.float32)[0] if np.isnan(value) else value


def decode(n, b, mc0, mc1, block):
    """7.4."""
    plane = b // 8
    codes = [sum((block[p * plane + e // 8] >> (e & 7) & 1) << p for p in range(n))
             for e in range(b)]
    table = [reconstruct(n, code, mc0, mc1) for code in range(1 << n)]
    out, base = [], 0
    while base < b:
        g = min(64, b - base)
        out += [table[codes[base + source(j, g)]] for j in range(g)]
        base += g
    return np.array(out, np.float32)


def decode_bitshift(n, b, mc0, mc1, block):
    """8; bit i of the stream is bit i % 8 of byte i / 8, the first bit of a window its lowest."""
    bits = [block[i // 8] >> (i % 8) & 1 for i in range(n * b)]
    out = []
    for e in range(b):
        state = sum(bits[(e * n + k) % len(bits)] << k for k in range(32))
        y = ((state & 0xFFFF) * mc0 + (state >> 16) * mc1) % 65536
        out.append((y >> 8) - 128)
    return np.array(out, np.float32)


def codes_of(n, value, mc0, mc1):
    """The codes that 7.5 allows for a value: the nearest of (value - bias) / scale with exact
    numbers, the even one of a tie; or any code that stands for the value itself."""
    exact = {c for c in range(1 << n) if reconstruct(n, c, mc0, mc1) == value}
    if exact:
        return exact
    if np.isinf(value):
        high = (value > 0) == (bf16(mc0) > 0)
        ends = sorted(range(1 << n), key=lambda c: number(n, c))
        return {ends[-1] if high else ends[0]}
    x = (Fraction(float(value)) - Fraction(float(bf16(mc1)))) / Fraction(float(bf16(mc0)))
    distance = {c: abs(number(n, c) - x) for c in range(1 << n)}
    least = min(distance.values())
    near = [c for c in distance if distance[c] == least]
    return {c for c in near if c % 2 == 0} if len(near) > 1 else set(near)


def packed_codes(n, b, block):
    """Codes in element order."""
    plane = b // 8
    codes = [sum((block[p * plane + e // 8] >> (e & 7) & 1) << p for p in range(n))
             for e in range(b)]
    out, base = [], 0
    while base < b:
        g = min(64, b - base)
        out += [codes[base + source(j, g)] for j in range(g)]
        base += g
    return out
