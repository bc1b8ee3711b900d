# SPDX-License-Identifier: Apache-2.0
"""Activation tables for the oracle of activation words, made from the sheet alone: entries from the
bit positions of docs/hardware/activation.md 3 and its act_profile_fields.csv, exp by the recipe of
section 6, other functions as Taylor cubics about the middle of each section (section 10).
"""
import csv
import math
import os
import struct

import numpy as np

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "data")
CAM, PROFILE, CONTROL, BUCKET = range(4)
ENTRIES = [128, 64, 256, 2048]
BYTES = [32, 128, 32, 32]
INF, MINUS_INF, NAN = 0x7F800000, 0xFF800000, 0x7FC00000


def profile_positions():
    with open(os.path.join(DATA, "act_profile_fields.csv"), newline="", encoding="utf-8") as file:
        return {row["field"]: (int(row["bit_lo"]), int(row["width"])) for row in csv.DictReader(file)}


POSITIONS = profile_positions()
#: bits that SUNDA keeps as one reserved field
LATER_ONLY = ("bias_scale_fma_bypass", "batchnorm_accumulator_rd")


def bits(value):
    return struct.unpack("<I", struct.pack("<f", np.float32(value)))[0]


def toward_zero(value):
    out = np.float32(value)
    if abs(float(out)) > abs(value):
        out = np.nextafter(out, np.float32(0))
    return float(out)


class Function:
    """What PROFILE says of one function."""

    def __init__(self, func_id, **fields):
        self.func_id, self.fields = func_id, {name: 0 for name in POSITIONS}
        self.fields.update(fields)

    def thresholds(self, side, small, large, small_mantissa=None, large_mantissa=None):
        for which, exponent, mantissa in (("small", small, small_mantissa),
                                          ("large", large, large_mantissa)):
            base = f"{which}_{side}_"
            self.fields[base + "signal_threshold"] = exponent
            if mantissa is not None:
                self.fields[base + "mantissa_threshold_msbs"] = mantissa >> 11
                self.fields[base + "mantissa_threshold_lsbs"] = mantissa & 0x7FF
                self.fields[base + "mantissa_compare_enable"] = 1

    def encode(self, sunda):
        word = 0
        for name, (low, width) in POSITIONS.items():
            value = self.fields[name] & ((1 << width) - 1)
            if not (sunda and name in LATER_ONLY):
                word |= value << low
        return word.to_bytes(128, "little")


class Set:
    """The four tables as they grow."""

    def __init__(self):
        self.functions, self.cam, self.control, self.bucket = [], [], [], []

    def add(self, function, opcode=0x21, opcode_mask=0, func_mask=0xFF):
        self.cam.append((opcode, function.func_id, opcode_mask, func_mask, len(self.functions)))
        self.functions.append(function)
        return function

    def add_bucket(self, d0=0.0, d1=0.0, d2=0.0, d3=0.0, x0=0.0):
        self.bucket.append(tuple(v if isinstance(v, int) else bits(v) for v in (d0, d1, d2, d3, x0)))
        return len(self.bucket) - 1

    def clamps(self, function, small_pos, small_neg, large_pos, large_neg):
        for name, bucket in (("small_pos", small_pos), ("small_neg", small_neg),
                             ("large_pos", large_pos), ("large_neg", large_neg)):
            function.fields[name + "_signal_pwl_control"] = self.add_bucket(*bucket)

    def octaves(self, emin, sizes, taylor, negative=False, last=None):
        """One CONTROL word and 2^size sections an octave; `last` sections of the top one. Returns the
        CONTROL index of the first."""
        first = len(self.control)
        for octave, size in enumerate(sizes):
            self.control.append(size << 16 | (23 - size) << 11 | len(self.bucket))
            sections = 1 << size
            if last is not None and octave == len(sizes) - 1:
                sections = last
            for section in range(sections):
                self.section(emin + octave, size, section, taylor, negative)
        return first

    def section(self, exponent, size, section, taylor, negative):
        low = math.ldexp(1 + section / (1 << size), exponent)
        high = math.ldexp(1 + (section + 1) / (1 << size) - 2.0**-23, exponent)
        x0 = toward_zero((low + high) / 2) * (-1 if negative else 1)
        self.add_bucket(*[float(np.float32(d)) for d in taylor(x0)], x0)

    def tables(self, sunda):
        cam = bytearray(128 * 32)
        for i, (opcode, func_id, opcode_mask, func_mask, _) in enumerate(self.cam):
            masks = (func_mask, opcode_mask) if sunda else (opcode_mask, func_mask)
            cam[32 * i:32 * i + 9] = bytes([opcode, func_id, 0, 0, *masks, 0, 0, 1])
        profile = b"".join(f.encode(sunda) for f in self.functions)
        control = b"".join(struct.pack("<I28x", word) for word in self.control)
        bucket = b"".join(struct.pack("<5I12x", *b) for b in self.bucket)
        raw = [bytes(cam), profile, control, bucket]
        return [r.ljust(n * b, b"\0") for r, n, b in zip(raw, ENTRIES, BYTES)]


def exp_taylor(x):
    """The recipe: d0 = d1 = exp(x0), d2 = exp(x0)/2, d3 = exp(x0)/6."""
    e = math.exp(x)
    return e, e, e / 2, e / 6


def tanh_taylor(x):
    t = math.tanh(x)
    s = 1 - t * t
    return t, s, -t * s, s * (3 * t * t - 1) / 3


def sigmoid_taylor(x):
    s = 1 / (1 + math.exp(-x))
    d = s * (1 - s)
    return s, d, d * (1 - 2 * s) / 2, d * (1 - 6 * s + 6 * s * s) / 6


def sin_taylor(x):
    s, c = math.sin(x), math.cos(x)
    return s, c, -s / 2, -c / 6


def sqrt_taylor(x):
    r = math.sqrt(x)
    return r, 0.5 / r, 0.0, 0.0


def results(function, zero, nan, pos_inf, neg_inf):
    function.fields.update(func_rslt_for_zero=zero, func_rslt_for_nan=nan,
                           func_rslt_for_pos_inf=pos_inf, func_rslt_for_neg_inf=neg_inf)


def add_exp(tables, func_id, **fields):
    """exp_and_others of activation.md 6: 406 + 371 sections, thresholds and clamps as published."""
    f = tables.add(Function(func_id, exponent_offset=-19 & 0xFF, **fields))
    sizes = [0] * 18 + [e + 2 for e in range(-1, 7)]
    f.fields["pwl_control_base_neg"] = tables.octaves(-19, sizes, exp_taylor, True, 134)
    f.fields["pwl_control_base_pos"] = tables.octaves(-19, sizes, exp_taylor, False, 99)
    small = (1.0, 1.0, 0.5, 0x3E2AAAAB, 0.0)
    tables.clamps(f, small, small, (INF,), (0.0,))
    f.thresholds("pos", 108, 133, 0, 3240472)
    f.thresholds("neg", 108, 133, 0, 4362891)
    results(f, bits(1.0), NAN, INF, 0)
    return f


def add_folded(tables, func_id, emin, sizes, taylor, negative, point, zero, ends, inv=1):
    """One region stored; the other by reflection (activation.md 5.3)."""
    f = tables.add(Function(func_id, exponent_offset=emin & 0xFF, symmetry_opt_en=1,
                            func_sym_inv_sign=inv, symmetry_opt_use_neg_region=int(negative),
                            symmetry_point=bits(point)))
    base = tables.octaves(emin, sizes, taylor, negative)
    f.fields["pwl_control_base_pos"] = f.fields["pwl_control_base_neg"] = base
    small, large = taylor(0.0), (ends[1 if negative else 0],)
    small = tuple(float(np.float32(d)) for d in small)
    tables.clamps(f, small, small, large, large)
    for side in ("pos", "neg"):
        f.thresholds(side, emin + 127, emin + len(sizes) + 127, 0, 0)
    results(f, bits(zero), NAN, bits(ends[0]), bits(ends[1]))
    return f


def add_hardwired(tables, func_id, positive, negative, zero=0.0, ends=(INF, MINUS_INF), **fields):
    """Four clamps do all the work; the small ones from |x| < 2 down."""
    f = tables.add(Function(func_id, exponent_offset=-127 & 0xFF, **fields))
    tables.clamps(f, positive, negative, positive, negative)
    for side in ("pos", "neg"):
        f.thresholds(side, 128, 127)
    results(f, bits(zero), NAN, *ends)
    return f


def add_random(tables, func_id, rng):
    """Nothing fits: thresholds, clamps, octaves and sections point anywhere."""
    f = tables.add(Function(func_id))
    for name, (_, width) in POSITIONS.items():
        f.fields[name] = rng.getrandbits(width)
    f.fields["pwl_bypass"] = f.fields["bias_scale_fma_bypass"] = 0
    f.fields["bias_fuse_en"] = f.fields["scale_fuse_en"] = 0
    f.fields["fma_indirection_src_sel"] = 0
    f.fields["symmetry_point"] = bits(rng.uniform(-2, 2))
    for name in ("small_pos", "small_neg", "large_pos", "large_neg"):
        f.fields[name + "_signal_threshold"] = rng.randrange(110, 140)
    return f


def build(rng):
    """A set with functions of every kind."""
    t = Set()
    add_exp(t, 7)
    add_folded(t, 6, -14, [0] * 9 + [1, 1, 2, 2, 3, 3, 3, 3], tanh_taylor, False, 0.0, 0.0, (1.0, -1.0))
    add_folded(t, 5, -4, [1, 2, 2, 3, 3, 3, 3], sigmoid_taylor, True, 1.0, 0.5, (1.0, 0.0))
    add_folded(t, 19, -10, [0] * 8 + [2, 2, 3], sin_taylor, False, 0.0, 0.0, (0.0, 0.0))
    add_folded(t, 30, -3, [0, 0, 1], lambda x: (x * x, 2 * x, 1.0, 0.0), False, 0.0, 0.0, (0.0, 0.0), 0)
    sqrt = t.add(Function(8, exponent_offset=-20 & 0xFF))
    base = t.octaves(-20, [3] * 30, sqrt_taylor)
    sqrt.fields["pwl_control_base_pos"] = sqrt.fields["pwl_control_base_neg"] = base
    t.clamps(sqrt, (0.0,), (NAN,), (INF,), (NAN,))
    sqrt.thresholds("pos", 107, 137, 0, 0)
    sqrt.thresholds("neg", 107, 107, 0, 0)
    results(sqrt, 0, NAN, INF, NAN)
    line = (0.0, 1.0)
    add_hardwired(t, 1, line, line)
    add_hardwired(t, 2, line, (0.0,), ends=(INF, 0))
    add_hardwired(t, 128, line, line)
    add_hardwired(t, 4, (9.0, 9.0), (9.0, 9.0), fma_indirection_src_sel=2, fma_const0=bits(1.0))
    add_hardwired(t, 200, (7.0,), (7.0,), pwl_bypass=1)
    add_hardwired(t, 201, (1.0, 2.0), (-1.0, 2.0), bias_scale_fma_bypass=1)
    add_hardwired(t, 202, line, line, scale_fuse_en=1, scale_const=bits(3.0), bias_fuse_en=1,
                  bias_const=bits(-0.75))
    add_random(t, 210, rng)
    add_random(t, 211, rng)
    while len(t.control) < 256:  # what no function names is anything
        t.control.append(rng.getrandbits(20))
    while len(t.bucket) < 2048:
        t.add_bucket(*[rng.uniform(-2, 2) for _ in range(4)], rng.uniform(-8, 8))
    return t


# ---- evaluation (activation.md 5) ----------------------------------------------------------------

DETECTORS = ((0, 0xFFFFFFFF), (INF, 0xFFFFFFFF), (MINUS_INF, 0xFFFFFFFF), (NAN, NAN))


class Evaluator:
    """f(v) of one function, step by step in float32 and double."""

    def __init__(self, tables, sunda, detectors=DETECTORS, negzero_is_zero=False):
        self.t, self.sunda, self.detectors, self.negzero = tables, sunda, detectors, negzero_is_zero
        rows = tables.bucket + [(0,) * 5] * (2048 - len(tables.bucket))
        self.d = np.array(rows, np.uint32).view(np.float32)
        self.words = np.array(tables.control + [0] * (256 - len(tables.control)), np.int64)

    def find(self, opcode, func_id):
        for op, fid, op_mask, fid_mask, slot in self.t.cam:
            if not (opcode ^ op) & op_mask and not (func_id ^ fid) & fid_mask:
                return self.t.functions[slot]
        return None

    @staticmethod
    def index(word, mantissa):
        base, lsb, size = word & 0x7FF, word >> 11 & 31, word >> 16 & 15
        return (base + (mantissa >> lsb & (1 << size) - 1)) & 0x7FF

    def threshold(self, f, which, side):
        name = f"{which}_{side}_"
        mantissa = f[name + "mantissa_threshold_msbs"] << 11 | f[name + "mantissa_threshold_lsbs"]
        return f[name + "signal_threshold"], f[name + "mantissa_compare_enable"], mantissa

    def bucket(self, f, sel):
        exponent, mantissa = (sel >> 23 & 0xFF).astype(np.int64), (sel & 0x7FFFFF).astype(np.int64)
        out = np.zeros(sel.shape, np.int64)
        for side, mine in (("pos", sel >> 31 == 0), ("neg", sel >> 31 == 1)):
            offset = f["exponent_offset"] - 256 * (f["exponent_offset"] > 127)
            control = (f["pwl_control_base_" + side] + exponent - 127 - offset) & 0xFF
            index = self.index(self.words[control], mantissa)
            thr, tie, m = self.threshold(f, "small", side)
            small = (exponent < thr) | ((exponent == thr) & bool(tie) & (mantissa <= m))
            index = np.where(small, self.index(f[f"small_{side}_signal_pwl_control"], mantissa), index)
            thr, tie, m = self.threshold(f, "large", side)
            large = (exponent > thr) | ((exponent == thr) & bool(tie) & (mantissa >= m))
            index = np.where(large, self.index(f[f"large_{side}_signal_pwl_control"], mantissa), index)
            out = np.where(mine, index, out)
        return out

    def cubic(self, d, sel):
        d0, d1, d2, d3, x0 = d
        t = np.float32(sel - x0)
        line = np.float32(np.float32(t * d1) + d0)
        wide = t.astype(np.float64)
        r = line.astype(np.float64) + wide * wide * d2.astype(np.float64)
        r = r + wide * wide * wide * d3.astype(np.float64)
        return r.astype(np.float32)

    def special(self, f, v, value):
        names = ("zero", "pos_inf", "neg_inf", "nan")
        for which in (2, 1, 3, 0):  # the test order is zero, NaN, +Inf, -Inf: the last wins here
            wanted, mask = self.detectors[which]
            hit = v & np.uint32(mask) == wanted
            if which == 0 and self.negzero:
                hit |= v == 0x80000000
            value = np.where(hit, np.uint32(f[f"func_rslt_for_{names[which]}"]), value)
        return value

    def __call__(self, function, v, alpha):
        """v, alpha: float32 arrays of one shape."""
        f = function.fields
        raw = np.ascontiguousarray(v, np.float32).view(np.uint32)
        sel = raw
        if f["symmetry_opt_en"] & 1:
            sel = raw & 0x7FFFFFFF | (np.uint32(0x80000000) if f["symmetry_opt_use_neg_region"] & 1
                                      else np.uint32(0))
        value = sel.view(np.float32)
        if f["fma_indirection_src_sel"] == 2:
            const0 = np.array([f["fma_const0"]], np.uint32).view(np.float32)
            zero = np.zeros(v.shape, np.float32)
            d = (zero, np.where(sel >> 31 == 1, alpha, const0), zero, zero, zero)
        else:
            d = np.moveaxis(self.d[self.bucket(f, sel)], -1, 0)
        out = self.cubic(d, value)
        if f["symmetry_opt_en"] & 1:
            point = np.array([f["symmetry_point"]], np.uint32).view(np.float32)
            turned = np.float32((-out if f["func_sym_inv_sign"] & 1 else out) + point)
            out = np.where(sel != raw, turned, out)
        out = np.where(np.isnan(out), np.uint32(NAN), out.view(np.uint32))
        if f["pwl_bypass"]:
            out = raw
        return self.special(f, raw, out).view(np.float32)
