#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""trench act, end to end. usage: test_cli_act.py TRENCH [unittest options]"""
import json
import math
import os
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

import numpy as np

TRENCH = os.path.abspath(sys.argv.pop(1))


class Act(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = directory.name

    def act(self, *arguments, code=0, errors=()):
        done = subprocess.run([TRENCH, "act", *arguments], capture_output=True, text=True, check=False, timeout=120,
                              cwd=self.directory)
        self.assertEqual(done.returncode, code, done.stderr)
        for error in errors:
            self.assertIn(error, done.stderr)
        if code == 0 and not errors:
            self.assertEqual(done.stderr, "")
        return done.stdout

    def path(self, name):
        return os.path.join(self.directory, name)

    def evaluate(self, table, function, x, *options, **expected):
        np.save(self.path("x.npy"), np.asarray(x, np.float32))
        self.act("eval", table, "--func", function, "--in", "x.npy", "--out", "y.npy", *options, **expected)
        return np.load(self.path("y.npy"))

    # ---- fit ----

    def test_an_expression_becomes_a_table(self):
        text = self.act("fit", "--expr", "x*x/(1+x^2)", "--name", "rational", "--func-id", "201", "--gen", "cayman",
                        "-o", "r.act", "--samples", "2000")
        self.assertIn("rational: function 201, ", text)
        self.assertIn(", even", text)
        x = np.linspace(-50, 50, 1001, dtype=np.float32)
        x = x[x != 0]
        y = self.evaluate("r.act", "rational", x)
        wide = x.astype(np.float64)
        self.assertLess(np.max(np.abs(y - wide * wide / (1 + wide * wide))), 2e-7)

    def test_error_is_stated_for_all_bf16_and_a_million_fp32_inputs(self):
        found = json.loads(self.act("fit", "tanh", "--json"))
        self.assertEqual(found["schema"], "trench.act.fit/1")
        function = found["functions"][0]
        self.assertEqual(function["bf16_inputs"]["inputs"], 65280)  # 65,536 less 256 NaN and Inf
        self.assertGreaterEqual(function["fp32_inputs"]["inputs"], 1_000_000)
        for inputs in ("bf16_inputs", "fp32_inputs"):
            for name in ("fp32", "bf16", "fp16"):
                error = function[inputs][name]
                self.assertTrue(0 <= error["mean_ulp"] <= error["max_ulp"])
        self.assertLessEqual(function["fp32_inputs"]["bf16"]["max_ulp"], 0.51)

    def test_the_error_of_a_table_is_what_numpy_finds(self):
        x = (np.arange(65536, dtype=np.uint32) << 16).view(np.float32)
        x = x[np.isfinite(x)]
        found = json.loads(self.act("fit", "sigmoid", "--json", "-o", "s.act", "--gen", "cayman",
                                    "--samples", "16"))["functions"][0]["bf16_inputs"]
        y = self.evaluate("s.act", "sigmoid", x).astype(np.longdouble)
        wide = x.astype(np.longdouble)
        with np.errstate(over="ignore"):
            exact = 1 / (1 + np.exp(-wide))
        shown = exact > 0
        exponent = np.maximum(np.floor(np.log2(exact[shown])), -126)
        ulp = np.abs(y[shown] - exact[shown]) / np.exp2(exponent - 23)
        self.assertAlmostEqual(found["fp32"]["max_ulp"], float(ulp.max()), delta=0.01 * float(ulp.max()))
        self.assertAlmostEqual(found["max_absolute"], float(np.abs(y - exact).max()), delta=1e-9)

    def test_buckets_and_ulp_bound_the_table(self):
        few = json.loads(self.act("fit", "gelu", "--buckets", "60", "--floor", "1e-4", "--json", "--samples",
                                  "2000"))["functions"][0]
        self.assertLessEqual(few["buckets"], 60)
        self.act("fit", "gelu", "--buckets", "20", code=2, errors=["ACT_CAPACITY", "--floor SIZE"])
        fine = json.loads(self.act("fit", "tanh", "--max-ulp", "2", "--json", "--samples", "20000"))["functions"][0]
        self.assertLessEqual(fine["fp32_inputs"]["fp32"]["max_ulp"], 2)
        self.act("fit", "exp", "--max-ulp", "0.5", code=1, errors=["at most 0.5 ulp"])
        self.act("fit", "exp", "--max-ulp", "2", "--buckets", "9", code=2, errors=["exclude"])

    def test_ulp_of_other_formats(self):
        """1/(1+x^2) on every BF16 input of a range: rounded here to the format, in units of its last place."""
        x = (np.arange(65536, dtype=np.uint32) << 16).view(np.float32)
        x = x[np.abs(x) <= 8]
        exact = 1 / (1 + x.astype(np.float64) ** 2)
        buckets = []
        for name, bits, lowest, most in (("fp32", 23, -126, 2.0), ("fp16", 10, -14, 0.6), ("bf16", 7, -126, 0.6)):
            self.act("fit", "--expr", "1/(1+x^2)", "--range", "-8:8", "--max-ulp", str(most),
                     "--ulp-of", name.upper(), "-o", "b.act", "--gen", "cayman", "--samples", "20000")
            y = self.evaluate("b.act", "expression", x).astype(np.float64)
            unit = np.exp2(np.maximum(np.floor(np.log2(exact)), lowest) - bits)
            rounded = np.rint(y / unit) * unit
            self.assertLessEqual(np.max(np.abs(rounded - exact) / unit), most, name)
            buckets.append(json.loads(self.act("show", "b.act", "--json"))["num_bucket"])
        self.assertGreater(buckets[0], buckets[1])  # a coarser format needs fewer
        self.act("fit", "exp", "--ulp-of", "bf16", code=2, errors=["--ulp-of goes with --max-ulp"])
        self.act("fit", "exp", "--max-ulp", "1", "--ulp-of", "fp8", code=2, errors=["fp32, bf16 or fp16, not 'fp8'"])
        self.act("fit", "ln", "--max-ulp", "0.5", "--ulp-of", "bf16", "--samples", "100000", code=1, errors=["0.5 ulp of BF16"])

    def test_sets_that_are_only_published(self):
        self.act("show", "with_ln.mish_and_small", code=2, errors=["with_ln sets are Inferentia-1's", "trench explain with_ln"])

    def test_options_and_operands_in_any_order(self):
        np.save(self.path("x.npy"), np.float32([0.5]))
        parts = (("small",), ("--func", "square"), ("--in", "x.npy"), ("--out", "y.npy"))
        for i in range(4):
            self.act("eval", *[word for part in parts[i:] + parts[:i] for word in part])
            self.assertEqual(np.load(self.path("y.npy"))[0], 0.25)
        for words in (("small", "--func", "square"), ("--func", "square", "small"), ("--func=square", "--", "small")):
            self.assertIn("square: function 30", self.act("show", *words))
        names = []
        for words in (("sign", "abs", "-o", "o.act", "--gen", "cayman"), ("-o", "o.act", "sign", "--gen", "cayman", "abs"),
                      ("--gen", "cayman", "-o", "o.act", "--samples", "100", "sign", "abs")):
            self.act("fit", *words)
            names.append([f["name"] for f in json.loads(self.act("show", "o.act", "--json"))["functions"]])
        self.assertEqual(names, 3 * [["sign", "abs"]])

    def test_several_functions_share_a_set(self):
        self.act("fit", "gelu[general]", "tanh", "relu", "-o", "set.act", "--gen", "sunda", "--samples", "16")
        shown = json.loads(self.act("show", "set.act", "--json"))
        self.assertEqual([f["name"] for f in shown["functions"]], ["gelu", "tanh", "relu"])
        self.assertEqual(shown["layout"], "sunda")
        self.act("fit", "sqrt", "reciprocal_sqrt", code=2, errors=["CONTROL words", "ACT_CAPACITY"])
        self.act("fit", "tanh", "tanh", code=2, errors=["ACT_DUPLICATE"])

    def test_refusals_of_fit(self):
        for arguments, error in (
                (["tanhh"], "did you mean 'tanh'?"),
                (["--expr", "1/x"], "diverges at 0"),
                (["--expr", "x+"], "expression:1:3: error: the expression ends too early"),
                (["--expr", "x", "tanh"], "functions or --expr, not both; 'tanh' is too many"),
                ([], "needs the name of a function, or --expr"),
                (["tanh", "-o", "t.act"], "needs --gen"),
                (["tanh", "--gen", "taiga"], "unknown generation"),
                (["tanh", "--range", "4"], "--range takes LO:HI"),
                (["tanh", "--range", "4:4"], "--range takes LO:HI"),
                (["tanh", "--range", "1:1.00000001"], "LO below HI as FP32"),
                (["tanh", "--symmetry", "odd"], "--symmetry takes auto or none"),
                (["tanh", "--json", "-o", "-", "--gen", "cayman"], "-o - and --json both write to standard output"),
                ([""], "there is no function ''"),
                (["Unknown"], "there is no function 'Unknown'"),
                (["--expr", "2x"], "expression:1:2: error: unexpected 'x' (rule ACT_EXPRESSION); an operator (+ - * / ^)\n"),
                (["--expr", "(2x)"], "unexpected 'x' (rule ACT_EXPRESSION); an operator (+ - * / ^), ',' or ')'\n"),
                (["tanh", "--range", "nan:4"], "--range takes LO:HI"),
                (["tanh", "--buckets", "3"], "--buckets takes a number from 4 to 2048"),
                (["tanh", "--func-id", "256"], "--func-id takes a number from 0 to 255"),
                (["tanh", "--outside", "wrap"], "--outside takes hold or extrapolate"),
                (["--expr", "sin(x)"], "ACT_CAPACITY"),
                (["tanh", "--func-id", "1.5"], "--func-id takes a whole number"),
                (["tanh", "--buckets", "99.5"], "--buckets takes a whole number"),
                (["--expr", "x", "--name", "a b"], "ACT_NAME"),
                (["--expr", "x", "--name", 64 * "a"], "ACT_NAME"),
                (["--expr", "1/(x-1)"], "x = 1: error: 1/(x-1): the result grows without bound near here"),
                (["--expr", "tan(x)", "--range", "1:2"], "x = 1.5707"),
                (["--expr", "1/(x-3)^2", "--range", "1:9"], "x = 3: error"),
                (["--expr", "log(x)", "--range", "-2:-1"], "no value anywhere"),
                (["--expr", "sqrt(x-3)", "--range", "1:5"], "no value here"),
                (["--expr", "1e400*x"], "ACT_DIVERGES"),
                (["--expr", "exp(x)*0"], "no value here"),
                (["--expr", "(" * 200 + "x" + ")" * 200], "at most 255 characters"),
                (["--expr", "x^" * 40 + "x"], "nested too deeply"),
                (["--expr", "max(x)"], "the second argument"),
                (["--expr", "exp(x,x)"], "no more arguments"),
                (["tanh", "-o", "no/such/t.act", "--gen", "cayman", "--samples", "16"], "no/such/t.act")):
            self.act("fit", *arguments, code=2, errors=[error])
        self.assertFalse(os.path.exists(self.path("t.act")))

    def test_functions_by_the_other_name_of_the_manual(self):
        """act_functions.csv: name and table_name; capitals or not."""
        for name, table in (("Prelu", "parametric_relu"), ("lrelu", "leaky_relu"), ("Rsqrt", "reciprocal_sqrt"),
                            ("GELU[general]", "gelu"), ("Derivative_Gelu", "derivative_gelu")):
            self.assertTrue(self.act("fit", name, "--samples", "16").startswith(f"{table}: function "))

    def test_without_symmetry_small_results_keep_their_accuracy(self):
        """erfc(x) = 2 - erfc(-x): from the other half a result below 2^-14 has 2's last places only."""
        x = np.linspace(1, 2.5, 1001, dtype=np.float32)
        exact = np.array([math.erfc(float(v)) for v in x])
        error = {}
        for how in ("auto", "none"):
            self.act("fit", "--expr", "erfc(x)", "--symmetry", how, "-o", "e.act", "--gen", "cayman", "--samples", "16",
                     "--floor", "1e-9")
            error[how] = np.max(np.abs(self.evaluate("e.act", "expression", x) / exact - 1))
        self.assertLess(error["none"], 1e-5)
        self.assertGreater(error["auto"], 1e-5)
        self.assertIn(", no symmetry", self.act("fit", "tanh", "--symmetry", "none", "--samples", "16"))

    def test_a_table_on_standard_output_is_the_file(self):
        done = subprocess.run([TRENCH, "act", "fit", "tanh", "-o", "-", "--gen", "cayman", "--samples", "16"],
                              capture_output=True, check=False)
        self.act("fit", "tanh", "-o", "t.act", "--gen", "cayman", "--samples", "16")
        with open(self.path("t.act"), "rb") as stream:
            self.assertEqual(done.stdout, stream.read())
        self.assertTrue(done.stderr.startswith(b"tanh: function 6, "))

    def test_a_full_disk_is_told_once(self):
        for arguments in (("ls",), ("show", "small"), ("fit", "tanh", "--samples", "16")):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([TRENCH, "act", *arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
            self.assertEqual(done.returncode, 2)
            self.assertEqual(done.stderr, "trench: <stdout>: error: cannot write: No space left on device\n")

    def test_inputs_without_a_number_are_left_out(self):
        """sqrt has none below 0, and its table answers NaN there: 32,640 BF16 values, -0 is a number."""
        found = json.loads(self.act("fit", "--expr", "sqrt(x)", "--samples", "100", "--json"))["functions"][0]
        inputs = found["bf16_inputs"]
        self.assertEqual((inputs["inputs"] + inputs["outside"], inputs["outside"]), (65280, 32639))
        self.assertLess(inputs["fp16"]["max_ulp"], 1)

    # ---- eval ----

    def test_f32_inputs_outside_the_range_are_marked(self):
        y = self.evaluate("trig_and_small", "sin", [9, 1, -9], errors=["2 of 3 inputs lie outside"])
        self.assertTrue(27.6 < y[0] < 27.7 and -27.7 < y[2] < -27.6)
        self.assertAlmostEqual(float(y[1]), 0.841470985, delta=1e-5)
        found = json.loads(self.act("eval", "trig_and_small", "--func", "sin", "--in", "x.npy", "--out", "y.npy",
                                    "--json", errors=["warning"]))
        self.assertEqual((found["inputs"], found["outside"], found["hi"]), (3, 2, "3.1415927"))

    def test_negative_zero_follows_the_detectors_or_the_switch(self):
        self.assertEqual(self.evaluate("small", "sign", [-0.0]).view(np.uint32)[0], 0xBF800000)
        self.assertEqual(self.evaluate("small", "sign", [-0.0], "--negzero-is-zero")[0], 0)

    def test_alpha_and_shapes(self):
        x = np.arange(-6, 6, dtype=np.float32).reshape(3, 2, 2)
        y = self.evaluate("small", "parametric_relu", x, "--alpha", "0.5")
        np.testing.assert_array_equal(y, np.where(x > 0, x, x * np.float32(0.5)))
        self.assertEqual(self.evaluate("small", "30", np.zeros((0, 4))).shape, (0, 4))

    def test_refusals_of_eval(self):
        np.save(self.path("x.npy"), np.zeros(3, np.float32))
        np.save(self.path("wide.npy"), np.zeros(3))
        with open(self.path("bad.act"), "wb") as stream:
            stream.write(b"TRNACT1\n" + bytes(20))
        for arguments, error in (
                (["smal", "--func", "abs", "--in", "x.npy", "--out", "y.npy"], "small"),
                (["small", "--func", "gelu", "--in", "x.npy", "--out", "y.npy"], "small has no function 'gelu'"),
                (["small", "--in", "x.npy", "--out", "y.npy"], "--func names one of"),
                (["small", "--func", "abs", "--in", "wide.npy", "--out", "y.npy"], "wide.npy"),
                (["small", "--func", "abs", "--in", "none.npy", "--out", "y.npy"], "none.npy"),
                (["bad.act", "--func", "abs", "--in", "x.npy", "--out", "y.npy"],
                 "bad.act:byte 28: error: the file ends too early (rule ACT_FILE); a head of 96 bytes"),
                (["x.npy", "--func", "abs", "--in", "x.npy", "--out", "y.npy"], "x.npy:byte 0: error: this is no file"),
                (["small", "--func", "abs", "--in", "x.npy"], "needs a table, --in and --out"),
                (["small", "--func", "abs", "--alpha", "z", "--in", "x.npy", "--out", "y.npy"], "--alpha"),
                (["small", "--func", "abs", "--alpha", "1e99", "--in", "x.npy", "--out", "y.npy"], "that f32 holds")):
            self.act("eval", *arguments, code=2, errors=[error])
        self.assertFalse(os.path.exists(self.path("y.npy")))

    # ---- show, plot, ls ----

    def test_a_sunda_table_is_told_to_later_generations(self):
        self.act("fit", "tanh", "-o", "t.act", "--gen", "sunda", "--samples", "16")
        self.act("show", "t.act", "--gen", "cayman", code=2, errors=["ACT_LAYOUT", "masks of the CAM"])
        self.act("show", "t.act", "--gen", "sunda")
        with open(self.path("t.act"), "rb") as stream:
            data = bytearray(stream.read())
        data[8] = 1  # claim the later layout
        with open(self.path("t.act"), "wb") as stream:
            stream.write(data)
        self.act("show", "t.act", code=2, errors=["ACT_LAYOUT", "the other way round"])

    def test_entries_are_shown_by_their_fields(self):
        text = self.act("show", "exp_and_others", "--func", "exp", "--buckets", "--gen", "sunda")
        self.assertIn("exp_and_others: sunda's layout", text)
        self.assertRegex(text, r"exponent_offset +79:72 +0xed")
        self.assertIn("octave word  25: base  272,  8 bits from bit 15", text)  # 0x00087910
        self.assertNotIn("gelu", text)

    def test_plot_is_a_picture(self):
        self.act("fit", "--expr", "1/(1+x^2)", "-o", "p.act", "--gen", "cayman", "--samples", "16")
        self.act("plot", "p.act", "-o", "p.svg")
        root = xml.parse(self.path("p.svg")).getroot()
        curves = [e for e in root.iter("{http://www.w3.org/2000/svg}path")
                  if e.get("class") in ("exact", "table", "error")]
        self.assertEqual(len(curves), 3)
        self.assertTrue(all(len(c.get("d")) > 1000 for c in curves))
        self.act("plot", "general", "-o", "q.svg", code=2, errors=["--func names one of"])
        self.act("plot", "natural_log", "--func", "ln", "-o", "q.svg")
        self.act("plot", "natural_log", "--func", "ln", "-o", "q.svg", "--range", "1:inf", code=2, errors=["two ends"])

    def test_ls_names_the_roster(self):
        found = json.loads(self.act("ls", "--json"))
        self.assertEqual(found["sets"][0]["name"], "exp_and_others")
        self.assertEqual([s["index"] for s in found["sets"]], list(range(22)))
        self.assertIn("reciprocal[400]", self.act("ls", "--recipes"))

    def test_usage(self):
        self.act("fitt", code=2, errors=["did you mean 'fit'?"])
        self.act(code=2, errors=["Actions:"])
        self.assertIn("Actions:", self.act("--help"))
        for action in ("ls", "fit", "eval", "show", "plot"):
            self.assertIn("Usage: trench act", self.act(action, "--help"))


if __name__ == "__main__":
    unittest.main()
