#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cases of docs/hardware/field-cases.md at the command line, those that no other test tells whole.
usage: test_cli_field_cases.py TRENCH [unittest options]

Right values are the cases' own; where one needs a sum of many terms, NumPy makes it."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np

TRENCH = os.path.abspath(sys.argv.pop(1))
LATER = ["cayman", "mariana", "mariana_plus", "maverick"]  # than SUNDA
PE = "num_active_rows=128 num_active_cols=128 row_grp=all col_grp=all"


class Case(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)

    def path(self, name):
        return os.path.join(self.directory.name, name)

    def text(self, *lines, name="p.tasm"):
        with open(self.path(name), "w", encoding="utf-8") as stream:
            stream.write("\n".join(lines) + "\n")
        return name

    def trench(self, status, *arguments):
        done = subprocess.run([TRENCH, *arguments], capture_output=True, text=True, check=False,
                              timeout=60, cwd=self.directory.name)
        self.assertEqual(done.returncode, status, f"{arguments}\n{done.stdout}{done.stderr}")
        return done

    def report(self, status, command, *arguments):
        return json.loads(self.trench(status, command, "--json", *arguments).stdout)

    def dump(self, *arguments, status=0):
        """The array that `run` leaves in d.npy."""
        self.trench(status, "run", *arguments)
        return np.load(self.path("d.npy"))


class Capacity(Case):
    def test_f06_three_tiles_past_a_partition_of_sunda(self):
        """888 + 98568 + 98568 = 198,024 bytes against 196,608: operands of 222 FP32 at 0 and 98568,
        the result behind them."""
        program = self.text(
            ".engine dve",
            "tensor_tensor_arith src0=sbuf[p0,0]:(222,1,1) src1=sbuf[p0,98568]:(222,1,1) op=add "
            "in0_in1=fp32/fp32 dst=sbuf[p0,197136]:(222,1,1) out=fp32 ch=128", "halt")
        results = {r["gen"]: r for r in self.report(1, "check", program)["results"]}
        self.assertEqual({gen: r["valid"] for gen, r in results.items()},
                         {"sunda": False, **dict.fromkeys(LATER, True)})
        (detail,) = [v["detail"] for v in results["sunda"]["violations"]
                     if v["rule"] == "exec_active_range"]
        for part in ("byte 198024", "sunda", "196608", "would accept it", *LATER):
            self.assertIn(part, detail)
        self.trench(3, "run", "--gen", "sunda", program)
        for gen in LATER:
            self.trench(0, "run", "--gen", gen, program)


class Activation(Case):
    def test_f17_a_bias_pointer_of_copy_is_warned_about(self):
        """Functions identity 1, relu 2, copy 128 (act_functions.csv), each with a bias in SBUF; and
        copy with the bias in the word."""
        pointer = "bias_src_n=pointer bias=sbuf[p0,0x1000]"
        inline = "bias_src_n=instruction bias=2.0"
        for function, bias, warned in ((2, pointer, False), (1, pointer, False),
                                       (128, pointer, True), (128, inline, False)):
            program = self.text(
                ".gen cayman mariana mariana_plus", ".engine act",
                "activate src=sbuf[p0,0]:(4,1,1) in_bias=fp32/fp32 out=fp32 ch=128 "
                f"activation_func={function} scale_value=1.0 scale_src=instruction "
                f"imm_src=instruction {bias} dst=sbuf[p0,0x2000]:(4,1,1)", "halt")
            results = self.report(0, "check", program)["results"]
            self.assertEqual([r["gen"] for r in results], ["cayman", "mariana", "mariana_plus"])
            for result in results:
                self.assertEqual([(w["rule"], w["line"]) for w in result["warnings"]],
                                 [("ac_copy_bias", 3)] if warned else [])
                for warning in result["warnings"]:
                    self.assertIn("a bias pointer has no effect for function copy",
                                  warning["message"])


class DataMovement(Case):
    def test_f16_transpose_needs_v3(self):
        with open(self.path("t.bin"), "wb") as stream:
            stream.write(bytes([0xBD, 0x10]) + bytes(62))
        (result,) = self.report(1, "check", "--gen", "sunda", "t.bin")["results"]
        (violation,) = result["violations"]
        self.assertEqual((violation["opcode"], violation["name"], violation["rule"]),
                         ("0xbd", "DMA_TRANSPOSE", "is_valid_opcode"))
        for gen in LATER:
            self.assertIn(gen, violation["detail"])

    def test_f16_a_transpose_by_dma(self):
        """128 x 128 BF16 as eight tiles of 16 rows: out[c][r] = in[r][c]."""
        values = np.arange(128 * 128, dtype=np.uint16).reshape(128, 128)
        np.save(self.path("in.npy"), values)
        program = self.text(
            ".gen cayman mariana mariana_plus", ".engine pool",
            "dma_transpose src_start_addr=0x8000 src_step_elem_0=4096 src_num_elem_0=8 src_num_elem_1=1 "
            "tile_src_row_step=256 dst_start_addr=0x2000000000 dst_step_elem_0=32 dst_num_elem_0=8 "
            "dst_num_elem_1=1 tile_src_rows=16 tile_src_cols=128 in=bf16 out=bf16 semaphore=9",
            "nop", "  wait sem=9 ge 1", "halt")
        for gen in ("cayman", "mariana", "mariana_plus"):
            self.trench(0, "run", "--gen", gen, "--load", "hbm:0x8000:bf16=in.npy", "--dump",
                        "sbuf:0:bf16:128x128=out.npy", program)
            np.testing.assert_array_equal(np.load(self.path("out.npy")), values.T)

    def test_f18_the_copy_is_made(self):
        """Both rows of 512, one behind the other in partition 0."""
        values = np.arange(1024, dtype=np.float16).reshape(1, 1024)
        np.save(self.path("in.npy"), values)
        self.trench(0, "run", "--gen", "cayman", "--load", "hbm:0x1000=in.npy", "--dump",
                    "sbuf:0:fp16:1x1024=out.npy", self.copy(1024))
        np.testing.assert_array_equal(np.load(self.path("out.npy")), values)

    def copy(self, elements):
        """2 x 512 FP16 with a step of 1024 bytes, to so many elements in a row."""
        return self.text(
            ".gen " + " ".join(LATER), ".engine sp",
            "dmamemcpy in=fp16 out=fp16 src_start_addr=0x1000 src_step_elem_0=2 "
            "src_step_elem_1=1024 src_num_elem_0=512 src_num_elem_1=2 src_elem_size=2 "
            "dst_start_addr=0x2000000000 dst_step_elem_0=2 "
            f"dst_num_elem_0={elements} dst_num_elem_1=1 dst_elem_size=2", "halt")

    def test_f18_only_the_byte_totals_must_agree(self):
        self.trench(0, "check", self.copy(1024))
        for result in self.report(1, "check", self.copy(1023))["results"]:
            (violation,) = result["violations"]
            self.assertEqual((violation["rule"], violation["index"]), ("V11", 0))
            for number in ("512", "1023"):
                self.assertIn(number, violation["detail"])


class Numbers(Case):
    def tenths(self, name, shape):
        np.save(self.path(name), np.full(shape, 0.1, np.float32))

    def test_f24_rounding_of_the_inputs_shows(self):
        """fp32(0.1) = 3DCCCCCD becomes bf16 3DCD, whose square summed 128 times in order is 1.2825012
        = 3FA42900; in FP32 passes the sum is 1.28."""
        for gen in ("sunda", "cayman", "mariana", "mariana_plus"):
            self.tenths("x.npy", (128, 128))
            load = ("--load", "sbuf:0=x.npy")
            bf16 = self.text(
                f".gen {gen}", ".engine dve",
                "cast src=sbuf[p0,0]:(128,1,1,1) in=fp32 dst=sbuf[p0,0x1000]:(128,1,1,1) out=bf16 "
                "ch=128", "  update sem=1 inc", "halt", ".engine pe",
                f"ldweights src=sbuf[p0,0x1000]:(128,1,1) in=bf16 {PE}", "  wait sem=1 ge 1",
                f"matmul src=sbuf[p0,0x1000]:(128,1,1) in=bf16 {PE} psum_accumulate_flags=single "
                "dst=psum[p0,0]:(128,1,1)", "halt")
            inputs = self.dump(bf16, *load, "--dump", "sbuf:0x1000:bf16:128x128=d.npy")
            self.assertTrue((inputs == 0x3DCD).all())
            sums = self.dump(bf16, *load, "--dump", "psum:0:uint32:128x128=d.npy")
            self.assertTrue((sums == 0x3FA42900).all())
            words = []
            for part, flags in (("high", "multi_start"), ("low", "multi_end")):
                words += [f"ldweights src=sbuf[p0,0]:(128,1,1) in=fp32 fp32_mode={part} {PE}",
                          f"matmul src=sbuf[p0,0]:(128,1,1) in=fp32 fp32_mode=low_high {PE} "
                          f"psum_accumulate_flags={flags} dst=psum[p0,0]:(128,1,1)"]
            fp32 = self.text(f".gen {gen}", ".engine pe", *words, "halt")
            sums = self.dump(fp32, *load, "--dump", "psum:0:fp32:128x128=d.npy")
            self.assertLess(np.abs(sums - 1.28).max(), 1e-5)

    def test_f34_a_long_sum_says_its_order(self):
        """0.1f added one by one: 204.8033 and 819.14703, far from 204.8 and 819.2."""
        for count, bits in ((2048, 0x434CCDA5), (8192, 0x444CC969)):
            self.tenths("x.npy", (1, count))
            program = self.text(
                ".gen cayman", ".engine dve",
                f"tensor_reduce_arith src=sbuf[p0,0]:({count},1,1,1) in=fp32 op=add op_dim=x ch=1 "
                "dst=sbuf[p0,0x9000]:(1,1,1,1) out=fp32", "halt")
            arguments = (program, "--load", "sbuf:0=x.npy", "--dump", "sbuf:0x9000:uint32:1x1=d.npy")
            self.assertEqual(self.dump(*arguments)[0, 0], bits)
            choices = self.report(0, "run", *arguments)["model_choices"]
            (order,) = [c for c in choices if c["id"] == "reduce_order"]
            self.assertEqual(order["count"], 1)
            self.assertIn("reduce_order", self.trench(0, "run", "--provenance", *arguments).stdout)


class Memory(Case):
    def test_f37_zeros_of_hbm_look_like_done(self):
        """A program that takes an unwritten flag of 0 for "done" ends well on zeros only."""
        program = self.text(
            ".gen cayman", ".engine sp", "tensor_load dtype=uint32 num_elem=[1,1] "
            "start_addr=0x8000 data=[1]", "branch eq r1 0 done", ".word fe10" + "00" * 62, "done:",
            "halt")
        self.trench(0, "run", "--reset", "zero", program)
        self.trench(3, "run", "--reset", "poison", program)
        report = self.report(3, "run", "--check=uninit", program)
        self.assertEqual(report["status"], "fault")  # memory holds poison while checking
        (found,) = report["findings"]
        self.assertEqual((found["kind"], found["space"], found["byte"], found["engine"], found["pc"]),
                         ("uninit", "hbm", 0x8000, "sp", "0x0"))


if __name__ == "__main__":
    unittest.main()
