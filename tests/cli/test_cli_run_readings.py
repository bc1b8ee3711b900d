#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Options of trench run that choose between readings of the sheets.
usage: test_cli_run_readings.py TRENCH [unittest options]

Expected values are those of docs/hardware/tensor-scalar-multi.md 1.1, 6.2 and 9.2, convlut.md 7.3 and
cptc.md 5, 7.6 and 8."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np

TRENCH = os.path.abspath(sys.argv.pop(1))


class Case(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)

    def path(self, name):
        return os.path.join(self.directory.name, name)

    def trench(self, *arguments):
        return subprocess.run([TRENCH, *arguments], capture_output=True, text=True,
                              cwd=self.directory.name, check=False)

    def program(self, lines, engine="dve"):
        with open(self.path("p.tasm"), "w", encoding="utf-8") as stream:
            stream.write("\n".join([f".engine {engine}", *lines, "halt"]) + "\n")


class Slices(Case):
    """The pairs and the source of 9.2; results begin as 7."""

    LINES = ("tensor_scalar_imm_ld_arith src=sbuf[p0,0]:(2,2) dtype=fp32 ch=1",
             "tensor_scalar_ptr_multi_dual_arith src=sbuf[p0,0x100]:(3,1,1,2)/(1,0,0,3) in=fp32 "
             "dst=sbuf[p0,0x200]:(3,1,1,2)/(1,0,0,3) out=fp32 ch=1 op=add op_dim=xyz")
    DUAL = [0x40400000, 0x40A00000, 0x40E00000, 0x3F666667, 0x3FF33333, 0x4039999A]

    def run_(self, *options, lines=LINES, gen="sunda"):
        np.save(self.path("pairs.npy"), np.array([[0.5, 2.0, -1.0, 0.1]], np.float32))
        np.save(self.path("src.npy"), np.array([[1, 2, 3, 10, 20, 30]], np.float32))
        np.save(self.path("seven.npy"), np.full((1, 6), 7, np.float32))
        self.program(lines)
        done = self.trench("run", "--gen", gen, "--load", "sbuf:0=pairs.npy", "--load",
                           "sbuf:0x100=src.npy", "--load", "sbuf:0x200=seven.npy", "--dump",
                           "sbuf:0x200:fp32:1x6=y.npy", "--provenance", "--json", *options,
                           "p.tasm")
        return done, json.loads(done.stdout) if done.returncode != 2 else None

    def result(self):
        return np.load(self.path("y.npy"))[0].view(np.uint32).tolist()

    def counts(self, report):
        return {w["kind"]: w["count"] for w in report["warnings"]}

    def test_the_header_contract_is_the_default(self):
        for options in ((), ("--stub-policy", "architectural")):
            done, report = self.run_(*options)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(self.result(), self.DUAL)
            choices = {c["id"]: c["count"] for c in report["model_choices"]}
            self.assertEqual(choices["stub_policy"], 2)
            self.assertIn("dual_pairs", choices)
            self.assertEqual(self.counts(report), {})

    def test_log_only_writes_nothing_and_is_counted(self):
        done, report = self.run_("--stub-policy", "log_only")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.result(), [0x40E00000] * 6)
        self.assertEqual(self.counts(report), {"stub_logged": 2})
        self.assertIn("stub_logged, 2 times", done.stderr)

    def test_fault_refuses_the_first_one(self):
        done, report = self.run_("--stub-policy=fault")
        self.assertEqual(done.returncode, 3)
        fault = report["faults"][0]
        self.assertEqual((fault["class"], fault["rule"], fault["pc"]),
                         ("bad_opcode", "stub_policy", "0x0"))

    def test_pairs_in_two_banks(self):
        """Loaded 0.5, 2, -1, 0.1 with W 2: p is 0.5 and 2, q is -1 and 0.1."""
        done, _ = self.run_("--dual-pairs", "banked")
        self.assertEqual(done.returncode, 0, done.stderr)
        src = np.array([1, 2, 3, 10, 20, 30], np.float32)
        p, q = np.array([0.5] * 3 + [2] * 3, np.float32), np.array([-1] * 3 + [0.1] * 3, np.float32)
        self.assertEqual(self.result(), ((src + p) * q).view(np.uint32).tolist())

    def test_a_stale_scalar_is_told(self):
        """Three slices behind a load of four; four bits behind floats."""
        lines = [self.LINES[0],
                 "tensor_scalar_ptr_multi_arith src=sbuf[p0,0x100]:(2,1,1,3) in=fp32 "
                 "dst=sbuf[p0,0x200]:(2,1,1,3) out=fp32 ch=1 op=add op_dim=xyz",
                 "tensor_scalar_ptr_multi_bitvec src=sbuf[p0,0x100]:(1,1,1,4) in=uint32 "
                 "dst=sbuf[p0,0x300]:(1,1,1,4) out=uint32 ch=1 op=bitwise_and op_dim=xyz"]
        done, report = self.run_(lines=lines, gen="cayman")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.counts(report), {"stale_scalar": 1, "mixed_scalar": 1})
        wanted = np.array([1.5, 2.5, 5, 12, 19, 29], np.float32)
        self.assertEqual(self.result(), wanted.view(np.uint32).tolist())

    def test_bad_names(self):
        for option in ("--stub-policy", "--dual-pairs"):
            done, _ = self.run_(option, "maybe")
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"{option}: 'maybe' is none of", done.stderr)


class Disabled(Case):
    """0x88 on SUNDA has an answer of its own in every tool (1.1)."""

    WORD = ("tensor_scalar_ptr_multi_dual_bitvec src=sbuf[p0,0x100]:(2,1,1,2) in=uint32 "
            "dst=sbuf[p0,0x200]:(2,1,1,2) out=uint32 ch=1 op=bitwise_and op_dim=xyz")

    def test_the_assembler_wants_an_override(self):
        self.program([self.WORD])
        done = self.trench("asm", "--gen", "sunda", "p.tasm", "-o", "p.bin")
        self.assertEqual(done.returncode, 2)
        self.assertIn("switched off on sunda", done.stderr)
        self.assertFalse(os.path.exists(self.path("p.bin")))

    def test_the_disassembler_marks_it(self):
        self.program([".disabled " + self.WORD])
        self.assertEqual(self.trench("asm", "--gen", "sunda", "p.tasm", "-o", "p.bin").returncode, 0)
        sunda = self.trench("dis", "--gen", "sunda", "p.bin").stdout
        self.assertIn("\n.disabled tensor_scalar_ptr_multi_dual_bitvec ", sunda)
        with open(self.path("q.tasm"), "w", encoding="utf-8") as stream:
            stream.write(sunda)
        self.assertEqual(self.trench("asm", "q.tasm", "-o", "q.bin").returncode, 0)
        with open(self.path("p.bin"), "rb") as one, open(self.path("q.bin"), "rb") as other:
            self.assertEqual(one.read(), other.read())
        self.assertIn("\n.word 8810", self.trench("dis", "--gen", "cayman", "p.bin").stdout)

    def test_validator_and_model_refuse_it(self):
        self.program([".disabled " + self.WORD])
        self.trench("asm", "--gen", "sunda", "p.tasm", "-o", "p.bin")
        done = self.trench("check", "--gen", "sunda", "--json", "p.bin")
        self.assertEqual(done.returncode, 1)
        rules = [v["rule"] for v in json.loads(done.stdout)["results"][0]["violations"]]
        self.assertEqual(rules, ["disabled_opcode"])
        done = self.trench("run", "--gen", "sunda", "--json", "p.tasm")
        self.assertEqual(done.returncode, 3)
        fault = json.loads(done.stdout)["faults"][0]
        self.assertEqual((fault["class"], fault["rule"]), ("bad_opcode", "disabled_opcode"))

    def test_later_generations_do_not_know_it(self):
        """1.1: UNKNOWN from CAYMAN on, 0x87 as 0x88."""
        for opcode, form in (("87", "ARITH"), ("88", "BITVEC")):
            for gen in ("cayman", "mariana", "mariana_plus", "maverick"):
                self.program([".word " + opcode + "10" + "00" * 62])
                done = self.trench("run", "--gen", gen, "--json", "p.tasm")
                self.assertEqual(done.returncode, 3)
                fault = json.loads(done.stdout)["faults"][0]
                self.assertEqual(fault["class"], "bad_opcode")
                self.assertIn(f"opcode 0x{opcode} is unknown on {gen}; other generations have "
                              f"TENSOR_SCALAR_PTR_MULTI_DUAL_{form} there", json.dumps(fault))


FLAG = "NRT_UCODE_UNSTABLE_LIBRARY_FLAG_CPTC_DECODE"
FORM = ("extended_inst extended_opcode=cptc_decode src=sbuf[p0,0]:(4) in=uint32 "
        "dst=sbuf[p0,0x100]:(32) out=fp32 multiplicative_const={constants} block_size=32 "
        "lut_dtype=0x1c ch=1")
LOAD = ("conv_lut_load src=sbuf[p0,0]:(4) in=uint32 num_active_rows=128 num_active_cols=128 "
        "multiplicative_const=[0x3f80,0] row_grp=15 col_grp=15 block_size={block} lut_dtype=0x1c")


class Library(Case):
    """convlut.md 7.3: library 3 needs the flag, whatever it says, and a PERF core type."""

    def decode(self, *options, gen="mariana", lines=(FORM.format(constants="[0x3f80,0]"),)):
        words = np.frombuffer(bytes.fromhex("00ff00ff0000ffffaaaaaaaacccccccc"), "<u4")
        np.save(self.path("w.npy"), words.reshape(1, 4))  # V1 of cptc.md 7.6
        self.program(lines, "pool")
        done = self.trench("run", "--gen", gen, "--load", "sbuf:0=w.npy", "--dump",
                           "sbuf:0x100:fp32:1x32=x.npy", "--provenance", "--json", *options,
                           "p.tasm")
        return done, json.loads(done.stdout) if done.returncode != 2 else None

    def test_gate(self):
        truth = [((), False), (("--env", f"{FLAG}=1"), True), (("--env", f"{FLAG}=0"), True),
                 (("--env", f"{FLAG}="), True), (("--env", "NEURON_UCODE_FLAVOR=debug"), False),
                 (("--env", f"{FLAG}=1", "--env", "NEURON_UCODE_FLAVOR=debug"), False),
                 (("--env", f"{FLAG}=1", "--env", "NEURON_UCODE_FLAVOR=perf"), True)]
        for gen in ("cayman", "mariana", "mariana_plus", "maverick"):
            for options, decodes in truth:
                done, report = self.decode(*options, gen=gen)
                self.assertEqual(done.returncode, 0 if decodes else 3, (gen, options, done.stderr))
                if decodes:
                    values = (list(range(8)) + list(range(-8, 0))) * 2
                    self.assertEqual(np.load(self.path("x.npy"))[0].tolist(), values)
                    self.assertIn("cptc_codec", [c["id"] for c in report["model_choices"]])
                else:
                    fault = report["faults"][0]
                    self.assertEqual((fault["class"], fault["rule"]),
                                     ("bad_opcode", "unknown_opcode"))
                    self.assertIn("P0: UNKNOWN EXTENDED OPCODE=7", fault["message"])

    def test_a_flavour_that_the_host_does_not_know(self):
        """firmware-images.md 11.1: everything but debug and test, in either case, is PERF."""
        flag = ("--env", f"{FLAG}=1")
        for flavor, known in (("", True), ("perf", True), ("PERF", True), ("bogus", False),
                              ("Debug", False)):
            done, _ = self.decode(*flag, "--env", f"NEURON_UCODE_FLAVOR={flavor}")
            self.assertEqual(done.returncode, 0, done.stderr)
            said = f"trench: warning: --env NEURON_UCODE_FLAVOR={flavor}: the host knows debug, DEBUG, test and TEST"
            self.assertEqual(said in done.stderr, not known, done.stderr)
            selected = self.trench("fw", "select", "--coretype", "21", "--library", "3", "--env",
                                   f"NEURON_UCODE_FLAVOR={flavor}")
            self.assertEqual((said in selected.stderr, selected.returncode), (not known, 0))

    def test_codec_is_a_choice_of_the_run(self):
        """Multipliers 256 and 0: the value is the low byte of the state, less 128 (cptc.md 8)."""
        done, _ = self.decode("--env", f"{FLAG}=1", "--cptc-codec", "bitshift",
                              lines=[FORM.format(constants="[0x100,0]")])
        self.assertEqual(done.returncode, 0, done.stderr)
        raw = bytes.fromhex("00ff00ff0000ffffaaaaaaaacccccccc")
        bits = [raw[i // 8] >> i % 8 & 1 for i in range(128)]
        wanted = [sum(bits[(4 * e + k) % 128] << k for k in range(8)) - 128 for e in range(32)]
        self.assertEqual(np.load(self.path("x.npy"))[0].tolist(), wanted)

    def test_a_kernel_error_is_a_report(self):
        done, report = self.decode("--env", f"{FLAG}=1", lines=[LOAD.format(block=32),
                                                                LOAD.format(block=40)])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(report["reports"]), 1)
        found = report["reports"][0]
        self.assertEqual((found["engine"], found["pc"], found["class"], found["message"]),
                         ("pool", "0x40", "kernel_error",
                          "P0: Error, CPTC_BLOCK_TOO_LARGE : 40 x 4 bits"))
        self.assertIn({"kind": "kernel_error", "count": 1}, report["warnings"])

    def test_the_kernel_s_lines(self):
        done, report = self.decode("--env", f"{FLAG}=1", "--dge-log",
                                   lines=[FORM.format(constants="[0x3f80,0]"),
                                          LOAD.format(block=40)])
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = [(line["engine"], line["line"]) for line in report["dge_log"]]
        self.assertEqual(lines, [
            ("pool", "P0: Decode : ExtendedInstCptcDecode : num_active_chans = 1"),
            ("pool", "P0: Error, CPTC_BLOCK_TOO_LARGE : 40 x 4 bits")])

    def test_bad_names(self):
        for option, value in (("--env", "PATH=x"), ("--env", FLAG), ("--cptc-codec", "zip")):
            done, _ = self.decode(option, value)
            self.assertEqual(done.returncode, 2)
            self.assertIn(option, done.stderr)


if __name__ == "__main__":
    unittest.main()
