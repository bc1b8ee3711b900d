#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Activation tables against two independent evaluations. usage: oracle_tables.py TRENCH ROOT [unittest options]

* Bits: the entries of every shipped set and of files in both layouts, read here by their bit positions in data/*.csv,
  evaluated step by step in NumPy float32 and float64 (docs/hardware/activation.md 5.2, 5.4).
* Values: the formulas of data/act_functions.csv in 60 digits (mpmath), against the error that trench states."""
import csv
import json
import os
import subprocess
import sys
import tempfile
import unittest

import mpmath
import numpy as np

TRENCH, ROOT = sys.argv.pop(1), sys.argv.pop(1)
mpmath.mp.dps = 60


def trench(*arguments, code=0):
    done = subprocess.run([TRENCH, "act", *arguments], capture_output=True, text=True, timeout=600, check=False)
    if done.returncode != code:
        raise AssertionError(f"{arguments}: {done.returncode}: {done.stderr}")
    return done


def rows(name):
    with open(os.path.join(ROOT, "data", name), newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


# ---- bits ---------------------------------------------------------------------------------------

def f32(bits):
    return np.array(bits, np.uint32).view(np.float32)[()]


def threshold(p, which):
    mantissa = p[f"{which}_mantissa_threshold_msbs"] << 11 | p[f"{which}_mantissa_threshold_lsbs"]
    return p[f"{which}_signal_threshold"], mantissa, p[f"{which}_mantissa_compare_enable"]


def special(p, bits):
    """Result of a detected value (activation.md 5.1), or None."""
    if bits == 0:
        return p["func_rslt_for_zero"]
    if bits & 0x7FC00000 == 0x7FC00000:
        return p["func_rslt_for_nan"]
    return {0x7F800000: p["func_rslt_for_pos_inf"], 0xFF800000: p["func_rslt_for_neg_inf"]}.get(bits)


def section(word, mantissa):
    base, lsb, size = word
    return (base + (mantissa >> lsb & (1 << size) - 1)) & 0x7FF


def clamp(p, name):
    word = p[f"{name}_signal_pwl_control"]
    return word & 0x7FF, word >> 11 & 31, word >> 16 & 15


def cubic(bucket, sel):
    """activation.md 5.4, one NumPy operation a rounding."""
    d0, d1, d2, d3, x0 = (f32(v) for v in bucket)
    t = np.float32(sel - x0)
    line = np.float32(np.float32(t * d1) + d0)
    wide = np.float64(t)
    r = np.float64(line) + wide * wide * np.float64(d2)
    r = r + wide * wide * wide * np.float64(d3)
    return np.float32(r)


def evaluate(table, bits, alpha):
    """Bits of the result for the bits of an input. `table`: profile, control and bucket, places from its first."""
    p, offset = table["profile"], table["offset"]
    fixed = special(p, bits)
    if fixed is not None:
        return fixed
    folded = p["symmetry_opt_en"] & 1
    sel = bits & 0x7FFFFFFF | (p["symmetry_opt_use_neg_region"] & 1) << 31 if folded else bits
    e, m, side = sel >> 23 & 255, sel & 0x7FFFFF, "neg" if sel >> 31 else "pos"
    if p["fma_indirection_src_sel"] == 2:
        slope = alpha if sel >> 31 else f32(p["fma_const0"])
        bucket = (0, int(np.float32(slope).view(np.uint32)), 0, 0, 0)
    else:
        thr, mant, tie = threshold(p, f"large_{side}")
        low, low_mant, low_tie = threshold(p, f"small_{side}")
        if e > thr or (e == thr and tie and m >= mant):
            place = section(clamp(p, f"large_{side}"), m)
        elif e < low or (e == low and low_tie and m <= low_mant):
            place = section(clamp(p, f"small_{side}"), m)
        else:
            lowest = p["exponent_offset"] - 256 if p["exponent_offset"] > 127 else p["exponent_offset"]
            word = table["control"][p[f"pwl_control_base_{side}"] - offset[0] + e - 127 - lowest]
            place = section(word, m) + offset[1]
        bucket = table["bucket"][place - offset[1]]
    value = cubic(bucket, f32(sel))
    if folded and sel != bits:
        value = -value if p["func_sym_inv_sign"] & 1 else value
        value = np.float32(value + f32(p["symmetry_point"]))
    return 0x7FC00000 if np.isnan(value) else int(value.view(np.uint32))


def inputs(seed, n, edges=()):
    """Special values, the neighbours of every edge, and random bits."""
    rng = np.random.default_rng(seed)
    fixed = [0, 0x80000000, 1, 0x80000001, 0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00001,
             0x7F800001, 0xFF812345, 0x007FFFFF, 0x00800000]
    near = [b + d for b in edges for d in (-1, 0, 1)]
    near += [b ^ 0x80000000 for b in near]
    moderate = (rng.integers(100, 140, n) << 23 | rng.integers(0, 1 << 23, n) | rng.integers(0, 2, n) << 31).tolist()
    return np.array(fixed + near + moderate + rng.integers(0, 1 << 32, n).tolist(), np.uint32)


def edges(profile):
    return [thr << 23 | mant for thr, mant, _ in (threshold(profile, w) for w in (
        "small_pos", "small_neg", "large_pos", "large_neg")) if 0 < thr < 255]


def run(table, function, bits, folder, alpha=1.0):
    np.save(f"{folder}/x.npy", bits.view(np.float32))
    trench("eval", table, "--func", function, "--in", f"{folder}/x.npy", "--out", f"{folder}/y.npy", "--alpha",
           str(alpha))
    return np.load(f"{folder}/y.npy").view(np.uint32)


class Bits(unittest.TestCase):
    def compare(self, name, function, table, folder, n):
        bits = inputs(len(function), n, edges(table["profile"]))
        got = run(name, function, bits, folder, 0.25)
        with np.errstate(all="ignore"):
            want = np.array([evaluate(table, int(b), 0.25) for b in bits], np.uint32)
        wrong = np.flatnonzero(got != want)
        if len(wrong):
            i = wrong[0]
            self.fail(f"{name} {function}: {len(wrong)} differ; {bits[i]:08x}: {got[i]:08x}, not {want[i]:08x}")

    def test_every_shipped_function(self):
        seen = set()
        with tempfile.TemporaryDirectory() as folder:
            for entry in json.loads(trench("ls", "--json").stdout)["sets"]:
                shown = json.loads(trench("show", entry["name"], "--json").stdout)
                for f in shown["functions"]:
                    key = f["name"], len(f["bucket"])
                    if key in seen:
                        continue
                    seen.add(key)
                    p = f["profile"]
                    first = (min(p["pwl_control_base_pos"], p["pwl_control_base_neg"]),
                             p["large_neg_signal_pwl_control"] + 1 - len(f["bucket"]))
                    self.compare(entry["name"], f["name"], {**f, "offset": first}, folder, 300)
        self.assertGreaterEqual(len(seen), 36)

    def test_a_file_read_by_bit_positions(self):
        """The bytes of the file, not the program's own view of them; both layouts."""
        with tempfile.TemporaryDirectory() as folder:
            for gen, layout in (("sunda", 0), ("cayman", 1)):
                path = f"{folder}/{gen}.act"
                trench("fit", "silu", "tanh", "parametric_relu", "sigmoid", "-o", path, "--gen", gen, "--samples", "16")
                for index, table in enumerate(read_file(path, layout)):
                    self.compare(path, ["silu", "tanh", "parametric_relu", "sigmoid"][index], table, folder, 300)


def read_file(path, layout):
    """Functions of a file by docs/activation.md, "The file"."""
    with open(path, "rb") as stream:
        data = stream.read()
    assert data[:8] == b"TRNACT1\n"
    number = [int.from_bytes(data[i:i + 2], "little") for i in (8, 10, 12, 14)]
    assert number[0] == layout
    functions, control, bucket = number[1:]
    cam = 96 + 336 * functions
    profile = cam + 32 * functions
    words = profile + 128 * functions
    buckets = words + 32 * control
    assert len(data) == buckets + 32 * bucket
    masks = data[cam + 4], data[cam + 5]
    assert masks == ((0xFF, 0) if layout == 0 else (0, 0xFF))
    all_control, all_bucket = [], []
    for i in range(control):
        word = int.from_bytes(data[words + 32 * i:words + 32 * i + 4], "little")
        all_control.append((word & 0x7FF, word >> 11 & 31, word >> 16))
    for i in range(bucket):
        all_bucket.append(np.frombuffer(data, "<u4", 5, buckets + 32 * i).tolist())
    fields = rows("act_profile_fields.csv")
    for i in range(functions):
        entry = int.from_bytes(data[profile + 128 * i:profile + 128 * (i + 1)], "little")
        p = {f["field"]: entry >> int(f["bit_lo"]) & (1 << int(f["width"])) - 1 for f in fields}
        yield {"profile": p, "control": all_control, "bucket": all_bucket, "offset": (0, 0)}


# ---- values -------------------------------------------------------------------------------------

def sigmoid(x):
    return 1 / (1 + mpmath.exp(-x))


def softplus(x):
    return mpmath.log1p(mpmath.exp(-abs(x))) + max(x, 0)


def gelu_like(sigma_argument):
    return lambda x: x * sigmoid(sigma_argument(x))


#: data/act_functions.csv, reference_formula
FORMULAS = {
    "exp": mpmath.exp, "tanh": mpmath.tanh, "sigmoid": sigmoid, "softplus": softplus, "sqrt": mpmath.sqrt,
    "reciprocal_sqrt": lambda x: 1 / mpmath.sqrt(x), "ln": mpmath.log, "erf": mpmath.erf, "sin": mpmath.sin,
    "arctan": mpmath.atan, "reciprocal": lambda x: 1 / x,
    "gelu": lambda x: x * mpmath.erfc(-x / mpmath.mpf("1.414213562373095")) / 2,
    "mish": lambda x: x * mpmath.tanh(softplus(x)),
    "gelu_apprx_tanh": lambda x: x / 2 * (1 + mpmath.tanh(mpmath.mpf("0.7978845608028654") * (
        mpmath.mpf("0.044715") * x ** 3 + x))),
    "gelu_apprx_sigmoid": gelu_like(lambda x: mpmath.mpf("1.702") * x),
    "derivative_gelu_apprx_sigmoid": lambda x: derivative_silu(mpmath.mpf("1.702") * x),
    "derivative_gelu": lambda x: mpmath.erfc(-x * mpmath.mpf("0.7071067811865476")) / 2 + x * mpmath.mpf(
        "0.3989423") * mpmath.exp(-x * x / 2),
    "derivative_erf": lambda x: mpmath.mpf("1.1283792") * mpmath.exp(-x * x),
    "abs_reciprocal_sqrt": lambda x: 1 / mpmath.sqrt(abs(x)),
    "silu": gelu_like(lambda x: x),
    "derivative_silu": lambda x: derivative_silu(x),
    "derivative_sigmoid": lambda x: sigmoid(x) * sigmoid(-x),
    "derivative_tanh": lambda x: 1 / mpmath.cosh(x) ** 2,
}


def derivative_silu(x):
    return sigmoid(x) * (1 + x * sigmoid(-x))


def ulp(exact):
    """Unit of the last place of an FP32 number near `exact`."""
    exponent = int(mpmath.floor(mpmath.log(abs(exact), 2)))
    return mpmath.mpf(2) ** (max(exponent, -126) - 23)


def in_range(f, bits):
    x = bits.view(np.float32)
    lo, hi = float(f["lo"]), float(f["hi"])
    magnitude = np.abs(x) if lo > 0 and f["symmetry"] != "no symmetry" else x
    return bits[np.isfinite(x) & (magnitude >= lo) & (magnitude <= hi) & (x != 0)]


class Values(unittest.TestCase):
    def one(self, recipe, folder):
        name = f"{recipe['name']}[{recipe['variant']}]"
        path = f"{folder}/one.act"
        f = json.loads(trench("fit", name, "--json", "-o", path, "--gen", "cayman").stdout)["functions"][0]
        stated = max(float(f[k]["fp32"]["max_ulp"]) for k in ("bf16_inputs", "fp32_inputs"))
        absolute = max(float(f[k]["max_absolute"]) for k in ("bf16_inputs", "fp32_inputs"))
        self.assertGreaterEqual(f["bf16_inputs"]["inputs"] + f["bf16_inputs"]["outside"], 65280)
        self.assertGreaterEqual(f["fp32_inputs"]["inputs"], 999_000)
        bits = in_range(f, inputs(7, 250))
        result = run(path, recipe["name"], bits, folder).view(np.float32)
        worst = 0
        for x, y in zip(bits.view(np.float32).tolist(), result.tolist()):
            exact = FORMULAS[recipe["name"]](mpmath.mpf(x))
            if exact == 0 or abs(exact) >= mpmath.mpf(2) ** 128:
                continue
            error = abs(mpmath.mpf(y) - exact)
            units = error / ulp(exact)
            # between the measured inputs the error of a section can be a little larger
            self.assertLessEqual(units, stated * 1.3 + 0.6, f"{name} at {x}: {y}, not {mpmath.nstr(exact, 12)}")
            self.assertLessEqual(error, absolute * 1.3 + 1e-9, f"{name} at {x}")
            worst = max(worst, units)
        return worst

    def test_every_shipped_table_keeps_its_stated_error(self):
        done = set()
        with tempfile.TemporaryDirectory() as folder:
            for recipe in json.loads(trench("ls", "--json").stdout)["recipes"]:
                if recipe["variant"]:
                    self.one(recipe, folder)
                    done.add(recipe["name"])
        tables = {r["table_name"] for r in rows("act_functions.csv") if r["class"] == "table"}
        self.assertEqual(done, tables)
        self.assertEqual(done, set(FORMULAS))


if __name__ == "__main__":
    unittest.main()
