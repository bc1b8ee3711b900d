#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Options of trench run that choose how PE behaves where its words leave it open.
usage: test_cli_run_pe.py TRENCH [unittest options]

Expected values are those of docs/hardware/pe-array.md 1, 6.1, 8, 9 and 12, convlut.md 4 and 5, and
the FP8 formats of numerics.md 2."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np

TRENCH = os.path.abspath(sys.argv.pop(1))
GENERATIONS = ("sunda", "cayman", "mariana", "mariana_plus", "maverick")
BANK = 2048 // 4  # cells of 32 bits


class Case(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        self.loads = []

    def path(self, name):
        return os.path.join(self.directory.name, name)

    def load(self, place, array):
        name = f"{len(self.loads)}.npy"
        np.save(self.path(name), array)
        self.loads.append(f"--load={place}={name}")

    def run_(self, gen, lines, *options, dump="psum:0:fp32:2x1", status=0):
        with open(self.path("p.tasm"), "w", encoding="utf-8") as stream:
            stream.write("\n".join([".engine pe", *lines, "halt"]) + "\n")
        done = subprocess.run([TRENCH, "run", "--gen", gen, "--json", *self.loads, "--provenance",
                               f"--dump={dump}=out.npy", *options, "p.tasm"], capture_output=True,
                              text=True, cwd=self.directory.name, check=False)
        self.assertEqual(done.returncode, status, (gen, options, done.stderr))
        self.report = json.loads(done.stdout) if status != 2 else None
        self.stderr = done.stderr
        return np.load(self.path("out.npy")) if status != 2 else None

    def rule(self):
        self.assertEqual(len(self.report["faults"]), 1)
        self.assertEqual(self.report["faults"][0]["class"], "illegal_instruction")
        return self.report["faults"][0]["rule"]

    def choices(self):
        return {c["id"]: c["count"] for c in self.report["model_choices"]}

    def refuses(self, option, value, said):
        self.run_("cayman", ["nop"], option, value, status=2)
        self.assertIn(f"{option}: '{value}' is none of {said}", self.stderr)
        self.assertFalse(os.path.exists(self.path("out.npy")))


def part(gen, rows=2, columns=2):
    """The smallest part of the array with as many rows and columns."""
    if gen == "maverick":
        return (f"num_active_rows={rows} num_active_cols={columns} tile_size.row_size=7 "
                "tile_size.col_size=7")
    return f"num_active_rows={rows} num_active_cols={columns} row_grp=all col_grp=all"


def accumulate(gen, kind):
    if gen == "maverick":
        return "" if kind in ("single", "multi_start") else " flags.accumulate=1"
    return f" psum_accumulate_flags={kind}"


def matmul(gen, kind, at=0, count=1, more=""):
    return (f"matmul src=sbuf[p0,0x100]:({count}) in=bf16 dst=psum[p0,{4 * at:#x}]:({count}) {part(gen)}"
            f"{accumulate(gen, kind)}{more}")


def bf16(*values):
    return (np.array(values, np.float32).view(np.uint32) >> 16).astype(np.uint16)


class PsumZero(Case):
    """9: START makes the cells of its zero region fresh; the vendor's simulator clears them."""

    def product(self, gen, *options, region=""):
        """1, 1 by 2, 3: START at cell 0, MID at cell 8 of a PSUM full of sevens."""
        self.loads = []
        self.load("sbuf:0:bf16", np.tile(bf16(1, 1), (2, 1)))
        self.load("sbuf:0x100:bf16", np.array([bf16(2), bf16(3)]))
        self.load("psum:0", np.full((3, 5 * BANK), 7, np.float32))
        return self.run_(gen, [f"ldweights src=sbuf[p0,0]:(2) in=bf16 {part(gen)}",
                               matmul(gen, "multi_start", more=region),
                               matmul(gen, "multi_end", at=8, more=region)],
                         *options, dump=f"psum:0:fp32:3x{5 * BANK}")

    def test_the_rest_of_the_region(self):
        for gen, region, banks in (("sunda", "", 1), ("cayman", "", 1), ("mariana", "", 1),
                                   ("mariana", " psum_zero_region=1", 2),
                                   ("mariana_plus", " psum_zero_region=2", 4)):
            lazy = self.product(gen, region=region)
            self.assertIn("psum_lazy_zero", self.choices())
            self.assertTrue((lazy == self.product(gen, "--psum-zero", "lazy", region=region)).all())
            eager = self.product(gen, "--psum-zero=eager", region=region)
            self.assertNotIn("psum_lazy_zero", self.choices())
            for got, rest in ((lazy, 7), (eager, 0)):
                wanted = np.full((3, 5 * BANK), 7, np.float32)
                wanted[:2, :banks * BANK] = rest
                wanted[:2, [0, 8]] = 5
                self.assertEqual(np.argwhere(got != wanted).tolist(), [], (gen, region, rest))

    def test_bad_value(self):
        self.refuses("--psum-zero", "late", "lazy, eager")


class Strict(Case):
    """What has no defined effect: the default does something, --pe-strict refuses the word."""

    def test_a_sum_without_a_group(self):
        self.load("sbuf:0:bf16", np.tile(bf16(1, 1), (2, 1)))
        self.load("sbuf:0x100:bf16", np.array([bf16(2), bf16(3)]))
        self.load("psum:0", np.full((2, 1), 7, np.float32))
        for gen in GENERATIONS:
            lines = [f"ldweights src=sbuf[p0,0]:(2) in=bf16 {part(gen)}", matmul(gen, "multi_mid")]
            self.assertTrue((self.run_(gen, lines) == 12).all())
            if gen in ("sunda", "cayman"):  # from MARIANA on it is defined
                self.assertTrue((self.run_(gen, lines, "--pe-strict", status=3) == 7).all())
                self.assertEqual(self.rule(), "PSUM_ACC_UNINIT")
                self.assertEqual(self.report["faults"][0]["pc"], "0x40")
            else:
                self.assertTrue((self.run_(gen, lines, "--pe-strict") == 12).all())

    def test_a_transpose_by_no_identity(self):
        """Both rows pick element 0: the lower one is what comes out."""
        self.load("sbuf:0", np.array([[1, 2], [3, 4]], np.float32))
        self.load("sbuf:0x100", np.array([[1], [1]], np.float32))
        for gen in ("cayman", "mariana", "mariana_plus", "maverick"):
            mode = " flags.xpose=1" if gen == "maverick" else " transpose_mode=1"
            words = f"in=fp32 {part(gen)}{mode} fp32_mode=high"
            lines = [f"ldweights src=sbuf[p0,4]:(2)/(-1) {words}",
                     f"matmul src=sbuf[p0,0x100]:(1) dst=psum[p0,0]:(1) {words}"
                     f"{accumulate(gen, 'single')}"]
            self.assertEqual(self.run_(gen, lines).ravel().tolist(), [1, 2], gen)
            self.assertIn("pe_transpose_row", self.choices())
            self.assertEqual(self.run_(gen, lines, "--pe-strict", status=3).ravel().tolist(), [0, 0])
            self.assertEqual(self.rule(), "PE_TRANSPOSE_ROWS")

    def test_a_tag_that_picks_what_is_not_moved(self):
        """Feature map 3 of two: the cell adds nothing."""
        self.load("sbuf:0:bf16", np.tile(bf16(1, 1), (2, 1)))
        self.load("sbuf:0x100:bf16", np.array([bf16(2, 5), bf16(3, 6)]))
        self.load("sbuf:0x200", np.array([[0] * 31 + [0x3000], [0] * 32], np.uint16))  # column 0
        for gen in ("cayman", "mariana"):
            lines = ["ldtags src=sbuf[p0,0x200]:(32) in=uint16 num_active_rows=2 "
                     "row_grp=all col_grp=all",
                     f"ldweights src=sbuf[p0,0]:(2) in=bf16 {part(gen)}",
                     f"matmul_sparse src=sbuf[p0,0x100]:(1,1,1,2) in=bf16 dst=psum[p0,0]:(1) "
                     f"{part(gen)} psum_accumulate_flags=single"]
            self.assertEqual(self.run_(gen, lines).ravel().tolist(), [3, 5], gen)
            self.assertIn("sparse_absent", self.choices())
            self.assertEqual(self.run_(gen, lines, "--pe-strict", status=3).ravel().tolist(), [0, 0])
            self.assertEqual(self.rule(), "sparse_absent")


class RegWrite(Case):
    def test_skipped_on_request(self):
        word = [".word 0310" + "00" * 62]
        for gen in GENERATIONS:
            self.run_(gen, word, status=3)
            fault = self.report["faults"][0]
            self.assertEqual((fault["class"], fault["rule"]), ("missing_specification", "NO_LAYOUT"))
            self.run_(gen, word, "--pe-bypass-reg-write")
            self.assertEqual(self.report["faults"], [])


class Fp8(Case):
    """6.1: code 0x78 is an infinity of E4M3 and 256 of e4m3fn, 0x77 is 240 in both."""

    def test_reading(self):
        self.load("sbuf:0:fp8_exp4", np.array([[0x38]], np.uint8))  # 1
        self.load("sbuf:0x100:fp8_exp4", np.array([[0x78, 0x77]], np.uint8))
        for gen in GENERATIONS:
            tile = part(gen, 1, 1)
            lines = [f"ldweights src=sbuf[p0,0]:(1) in=fp8_exp4 {tile}",
                     f"matmul src=sbuf[p0,0x100]:(2) in=fp8_exp4 dst=psum[p0,0]:(2) {tile}"
                     f"{accumulate(gen, 'single')}"]
            native = np.inf if gen in ("sunda", "cayman") else 256
            for options, wanted in (((), native), (("--fp8-e4m3", "legacy"), np.inf),
                                    (("--fp8-e4m3=fn",), 256)):
                got = self.run_(gen, lines, *options, dump="psum:0:fp32:1x2")
                self.assertEqual(got.ravel().tolist(), [wanted, 240], (gen, options))

    def test_bad_value(self):
        self.refuses("--fp8-e4m3", "ocp", "legacy, fn")


class Converter(Case):
    """convlut.md 4 and 5: codes 0 of two rows, whose tables begin with 1 and 16."""

    LINES = ("conv_lut_load src=sbuf[p0,0x400]:(16) in=uint16 num_active_rows=128 num_active_cols=128 "
             "row_grp=all col_grp=all",
             "ldweights_mx src=sbuf[p0,0]:(8)+scale(sbuf[p0,0x500],0) in=fp4_exp2 num_active_rows=32 "
             "num_active_cols=2 row_grp=q0 col_grp=all",
             "matmul_mx src=sbuf[p0,0x100]:(4)+scale(sbuf[p0,0x600],0) in=fp8_exp4 dst=psum[p0,0]:(1) "
             "num_active_rows=32 num_active_cols=2 row_grp=q0 col_grp=all psum_accumulate_flags=single")

    def test_source_of_a_row(self):
        tables = np.zeros((128, 16), np.float32)
        tables[0, 0], tables[1, 0] = 1, 16
        self.load("sbuf:0x400:bf16", (tables.view(np.uint32) >> 16).astype(np.uint16))
        self.load("sbuf:0", np.zeros((32, 2), np.uint16))
        self.load("sbuf:0x100", np.full((32, 1), 0x00000038, np.uint32))  # 1, 0, 0, 0
        self.load("sbuf:0x500", np.full((4, 2), 127, np.uint8))
        self.load("sbuf:0x600", np.full((4, 1), 127, np.uint8))
        for options, wanted in (((), 32), (("--convlut-source", "broadcast"), 32),
                                (("--convlut-source=per_partition",), 17)):
            got = self.run_("mariana", self.LINES, *options)
            self.assertEqual(got.ravel().tolist(), [wanted, wanted], options)
            self.assertIn("convlut_source", self.choices())

    def test_bad_value(self):
        self.refuses("--convlut-source", "own", "broadcast, per_partition")


if __name__ == "__main__":
    unittest.main()
