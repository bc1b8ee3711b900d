#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Activation words with act.mode = exact against mpmath. usage: oracle_exact.py TRENCH ROOT [unittest options]

Every function of data/act_functions.csv, by its formula in 60 digits, rounded to FP32 here; special values by the
limits of the functions."""
import os
import subprocess
import sys
import tempfile
import unittest

import mpmath
import numpy as np

from oracle_tables import FORMULAS, TRENCH, rows, ulp

MODEL_CHOICE_IDS = {"derivative_relu": 11, "derivative_leaky_relu": 12, "derivative_identity": 13,
                    "derivative_sigmoid": 14, "derivative_tanh": 15}  # act_functions.csv, "model choice"
ALPHA = 0.25
HARDWIRED = {
    "identity": lambda x: x, "copy": lambda x: x, "square": lambda x: x * x, "relu": lambda x: max(x, 0),
    "leaky_relu": lambda x: mpmath.mpf("0.01") * x if x <= 0 else x,
    "parametric_relu": lambda x: ALPHA * x if x <= 0 else x, "abs": abs,
    "sign": lambda x: (x > 0) - (x < 0), "is_finite": lambda x: 1, "memset_zero": lambda x: 0,
    "derivative_relu": lambda x: 1 if x > 0 else 0,
    "derivative_leaky_relu": lambda x: 1 if x > 0 else mpmath.mpf("0.01"), "derivative_identity": lambda x: 1}
INF, NAN = np.inf, np.nan
#: results for 0, +Inf, -Inf: limits of the formulas, NaN where there is none; 1/0 as the note of act_functions.csv
SPECIAL = {
    "exp": (1, INF, 0), "tanh": (0, 1, -1), "sigmoid": (0.5, 1, 0), "softplus": (np.log(2), INF, 0), "sqrt": (0, INF, NAN),
    "reciprocal_sqrt": (INF, 0, NAN), "ln": (-INF, INF, NAN), "erf": (0, 1, -1), "sin": (0, NAN, NAN),
    "arctan": (0, np.pi / 2, -np.pi / 2), "reciprocal": (np.uint32(0x7F7F0000).view(np.float32), 0, 0), "gelu": (0, INF, 0),
    "mish": (0, INF, 0), "gelu_apprx_tanh": (0, INF, 0), "gelu_apprx_sigmoid": (0, INF, 0),
    "derivative_gelu_apprx_sigmoid": (0.5, 1, 0), "derivative_gelu": (0.5, 1, 0), "derivative_erf": (1.1283792, 0, 0),
    "abs_reciprocal_sqrt": (INF, 0, 0), "silu": (0, INF, 0), "derivative_silu": (0.5, 1, 0),
    "derivative_sigmoid": (0.25, 0, 0), "derivative_tanh": (1, 0, 0), "identity": (0, INF, -INF), "copy": (0, INF, -INF),
    "square": (0, INF, INF), "relu": (0, INF, 0), "leaky_relu": (0, INF, -INF), "parametric_relu": (0, INF, -INF),
    "abs": (0, INF, INF), "sign": (0, 1, -1), "is_finite": (1, 0, 0), "memset_zero": (0, 0, 0),
    "derivative_relu": (0, 1, 0), "derivative_leaky_relu": (0.01, 1, 0.01), "derivative_identity": (1, 1, 1)}


def number_of(row):
    return MODEL_CHOICE_IDS.get(row["table_name"]) or int(row["func_id"])


def inputs(seed):
    rng = np.random.default_rng(seed)
    near = rng.normal(0, 4, 120)
    wide = np.exp2(rng.uniform(-60, 60, 100)) * rng.choice([-1, 1], 100)
    return np.array([1e-45, -1e-45, 3e38, -3e38, 0.5, -0.5, 1, -1, *near, *wide, 0, INF, -INF, NAN], np.float32)


class Exact(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.folder = directory.name

    def run_(self, function, x, *options, bias="0.0", gen="cayman", engine="act"):
        np.save(f"{self.folder}/x.npy", x[None])
        with open(f"{self.folder}/p.tasm", "w", encoding="utf-8") as stream:
            stream.write(f".engine {engine}\nactivate src=sbuf[p0,0]:({len(x)}) in_bias=fp32/fp32 "
                         f"dst=sbuf[p0,0x1000]:({len(x)}) out=fp32 ch=1 activation_func={function} scale_value=1.0 "
                         f"bias={bias} bias_src_n=instruction accumulator_cmd=idle imm={ALPHA}\nhalt\n")
        done = subprocess.run([TRENCH, "run", "--gen", gen, "--act-mode", "exact", "--load", "sbuf:0=x.npy", "--dump",
                               f"sbuf:0x1000:fp32:1x{len(x)}=y.npy", *options, "p.tasm"], cwd=self.folder,
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return np.load(f"{self.folder}/y.npy")[0]

    def compare(self, name, formula, x, y):
        for v, result in zip(x.tolist(), y.tolist()):
            exact = formula(mpmath.mpf(v))
            if isinstance(exact, mpmath.mpc) or mpmath.isnan(exact):
                self.assertTrue(np.isnan(result), f"{name}({v}) = {result}")
            elif abs(exact) >= mpmath.mpf(2) ** 128:
                self.assertEqual(result, INF if exact > 0 else -INF, f"{name}({v})")
            elif abs(exact) < mpmath.mpf(2) ** -149:
                self.assertLessEqual(abs(result), 2 ** -149, f"{name}({v})")
            else:
                self.assertLessEqual(abs(mpmath.mpf(result) - exact), ulp(exact) * 0.501, f"{name}({v}) = {result}")

    def test_every_function_is_rounded_once(self):
        formulas = {**FORMULAS, **HARDWIRED}
        for row in rows("act_functions.csv"):
            name, x = row["table_name"], inputs(len(row["table_name"]))
            if not name:
                continue
            y = self.run_(number_of(row), x)
            self.compare(name, formulas[name], x[:-4], y[:-4])
            np.testing.assert_allclose(y[-4:-1], SPECIAL[name], rtol=1e-7, err_msg=name)
            self.assertTrue(np.isnan(y[-1]), name) if name not in ("is_finite", "memset_zero") else None

    def test_scale_and_bias_come_before(self):
        x = np.array([0.25, 1, 3], np.float32)
        self.compare("exp", mpmath.exp, x + np.float32(0.5), self.run_(7, x, bias="0.5"))

    def test_a_set_brings_its_own_expression(self):
        for i, expression in enumerate(("x/(1+abs(x))", "x*x-1")):
            subprocess.run([TRENCH, "act", "fit", "--expr", expression, "--gen", "cayman", "--samples", "1000", "-o",
                            f"{self.folder}/{i}.act"], check=True, capture_output=True)
        x = np.array([-2, 0.1, 7], np.float32)
        self.compare("softsign", lambda v: v / (1 + abs(v)), x, self.run_(200, x, "--act-set", "0.act"))
        self.compare("square", lambda v: v * v - 1, x, self.run_(200, x, "--act-set", "1.act", "--act-set", "0.act"))

    def test_no_range_ends_it(self):
        """Tables do not reduce the range: sin(9) is 27.65 there."""
        self.compare("sin", mpmath.sin, np.array([9], np.float32), self.run_(19, np.array([9], np.float32)))

    def test_maverick_too(self):
        x = np.array([1.5], np.float32)
        self.compare("exp", mpmath.exp, x, self.run_(7, x, gen="maverick", engine="dve"))

    def test_a_function_without_a_formula_is_a_fault(self):
        with self.assertRaisesRegex(AssertionError, "illegal_instruction: act.mode is exact: neither .* for function 200"):
            self.run_(200, np.array([1], np.float32))

    def test_provenance_names_the_mode(self):
        os.chdir(self.folder)
        self.run_(7, np.array([1], np.float32))
        for mode, there, missing in (("exact", "act_exact", "act_cubic"), ("table", "act_cubic", "act_exact")):
            text = subprocess.run([TRENCH, "run", "--gen", "cayman", "--provenance", "--act-mode", mode, "p.tasm"], check=True,
                                  capture_output=True, text=True).stdout
            self.assertIn(there, text)
            self.assertNotIn(missing, text)

    def test_an_array(self):
        """trench act eval --exact is the same evaluation."""
        x = inputs(1)
        np.save(f"{self.folder}/x.npy", x)
        subprocess.run([TRENCH, "act", "eval", "general", "--func", "gelu", "--exact", "--in", f"{self.folder}/x.npy",
                        "--out", f"{self.folder}/z.npy"], check=True)
        np.testing.assert_array_equal(np.load(f"{self.folder}/z.npy"), self.run_(23, x))


if __name__ == "__main__":
    unittest.main()
