#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Activation words of trench run: sets, the special value zero, field cases F17, F21 and F32.
usage: test_cli_run_act.py TRENCH [unittest options]

Expected values are the field cases of docs/hardware/field-cases.md, formulas in double precision, or
what docs/hardware/activation.md says; nothing is taken from a run of the program itself."""
import math
import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np

TRENCH = os.path.abspath(sys.argv.pop(1))
FOUR = ("sunda", "cayman", "mariana", "mariana_plus")
EXP, TANH, RECIPROCAL, SIN, RELU, IDENTITY, COPY = 7, 6, 129, 19, 2, 1, 128


def activate(func, bias="bias=0.0 bias_src_n=instruction", extra=""):
    return (f"activate src=sbuf[p0,0]:(1) in_bias=fp32/fp32 dst=sbuf[p0,0x100]:(1) out=fp32 ch=1 "
            f"activation_func={func} scale_value=1.0 {bias} {extra}")


class Case(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)

    def path(self, name):
        return os.path.join(self.directory.name, name)

    def trench(self, *arguments):
        return subprocess.run([TRENCH, *arguments], capture_output=True, text=True,
                              cwd=self.directory.name, check=False)

    def run_(self, lines, *arguments, gen="cayman", engine="act"):
        with open(self.path("p.tasm"), "w", encoding="utf-8") as stream:
            stream.write("\n".join([f".engine {engine}", *lines, "halt"]) + "\n")
        return self.trench("run", "--gen", gen, *arguments, "p.tasm")

    def value(self, lines, x, *arguments, bias=None, **where):
        """The element at 0x100 when x was at 0, and the bias at 0x80."""
        np.save(self.path("x.npy"), np.array([[x]], np.float32))
        np.save(self.path("b.npy"), np.array([[bias or 0.0]], np.float32))
        done = self.run_(lines, "--load", "sbuf:0=x.npy", "--load", "sbuf:0x80=b.npy", "--dump",
                         "sbuf:0x100:fp32:1x1=y.npy", *arguments, **where)
        self.assertEqual(done.returncode, 0, done.stderr)
        return np.load(self.path("y.npy"))[0, 0]


class FieldCases(Case):
    def test_f17_copy_drops_a_bias_in_memory(self):
        for gen in FOUR:
            for func, wanted in ((RELU, 3.0), (IDENTITY, 3.0), (COPY, 1.0)):
                line = activate(func, "bias=sbuf[p0,0x80]")
                self.assertEqual(self.value([line], 1.0, bias=2.0, gen=gen), wanted)

    def test_f21_a_set_that_was_never_registered(self):
        for arguments, there in (((), "22 are"), (("--act-set", "small"), "1 is")):
            done = self.run_(["nop", "activation_table_load act_tbl_sel=99"], *arguments)
            self.assertEqual(done.returncode, 3)
            self.assertIn(f"act:0x40: illegal_instruction: invalid activation table: set 99 was asked "
                          f"for, {there} registered", done.stderr)

    def test_f32_no_range_reduction(self):
        for gen in ("cayman", "mariana"):
            self.assertTrue(27.6 <= self.value([activate(SIN)], 9.0, gen=gen) <= 27.7)


class Sets(Case):
    def test_a_program_finds_the_shipped_functions(self):
        for gen in FOUR[1:]:
            for func, f, x in ((EXP, math.exp, 1.5), (TANH, math.tanh, -0.7),
                               (RECIPROCAL, lambda v: 1 / v, 3.0)):
                self.assertLess(abs(self.value([activate(func)], x, gen=gen) / f(x) - 1), 2e-5)

    def test_maverick_runs_them_on_dve(self):
        y = self.value([activate(EXP)], 1.5, gen="maverick", engine="dve")
        self.assertLess(abs(y / math.exp(1.5) - 1), 2e-5)

    def test_the_number_is_the_place_in_the_roster(self):
        """exp is in set 0, sin is not; set 9 has sin (act_sets.csv)."""
        lines = ["activation_table_load act_tbl_sel=9", activate(SIN)]
        self.assertLess(abs(self.value(lines, 1.0) - math.sin(1.0)), 1e-3)
        done = self.run_(["activation_table_load act_tbl_sel=0", activate(SIN)])
        self.assertEqual(done.returncode, 3)
        self.assertIn("no activation profile", done.stderr)
        self.assertIn("22 sets are registered, set 9 has one (ACTIVATION_TABLE_LOAD act_tbl_sel=9)", done.stderr)
        done = self.run_([activate(SIN)], "--act-set", "small")
        self.assertIn("1 set is registered, none has one", done.stderr)

    def fit(self, name, expression, func):
        done = self.trench("act", "fit", "--expr", expression, "--func-id", str(func), "--samples", "1000", "--gen", "cayman",
                           "-o", name)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_own_sets_in_their_order(self):
        self.fit("one.act", "x*x+1", 77)
        self.fit("two.act", "x*x-1", 77)
        sets = ("--act-set", "one.act", "--act-set", "two.act")
        self.assertAlmostEqual(float(self.value([activate(77)], 3.0, *sets)), 10.0, places=3)
        second = ["activation_table_load act_tbl_sel=1", activate(77)]
        self.assertAlmostEqual(float(self.value(second, 3.0, *sets)), 8.0, places=3)
        back = ["activation_table_load act_tbl_sel=1", "activation_table_load act_tbl_sel=0",
                activate(77)]
        self.assertAlmostEqual(float(self.value(back, 3.0, *sets)), 10.0, places=3)

    def test_a_file_of_another_layout_is_told(self):
        self.fit("one.act", "x*x+1", 77)
        done = self.run_([activate(77, "bias=sbuf[p0,0x80]")], "--act-set", "one.act", gen="sunda")
        self.assertEqual(done.returncode, 2)
        self.assertIn("one.act", done.stderr)
        self.assertIn("sunda", done.stderr)

    def test_a_set_that_is_nowhere(self):
        done = self.run_([activate(EXP)], "--act-set", "exp_and_other")
        self.assertEqual(done.returncode, 2)
        self.assertIn("exp_and_others", done.stderr)


class Zero(Case):
    def test_minus_zero_is_zero_when_asked(self):
        """The masks of the init do not detect -0 (activation.md 5.1): reciprocal answers from its
        negative clamp, below 0, and with the switch from its result for zero, above it."""
        line = activate(RECIPROCAL, "bias=-0.0 bias_src_n=instruction")
        self.assertLess(self.value([line], -0.0), 0)
        self.assertGreater(self.value([line], -0.0, "--act-negzero-is-zero"), 0)


if __name__ == "__main__":
    unittest.main()
