#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""trench cptc: arrays to blocks and back, against tests/num/cptc_model.py.
usage: test_cli_cptc.py TRENCH [unittest options]"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "num"))
import cptc_model as model  # noqa: E402

TRENCH = os.path.abspath(sys.argv.pop(1))
#: V1 of docs/hardware/cptc.md 7.6
V1 = bytes.fromhex("00ff00ff0000ffffaaaaaaaacccccccc")
V1_VALUES = [float(v) for v in list(range(8)) + list(range(-8, 0))] * 2


class Case(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)

    def path(self, name):
        return os.path.join(self.directory.name, name)

    def trench(self, *arguments):
        return subprocess.run([TRENCH, "cptc", *arguments], capture_output=True, text=True,
                              cwd=self.directory.name, check=False)

    def ok(self, *arguments):
        done = self.trench(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def refused(self, text, *arguments):
        done = self.trench(*arguments)
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn(text, done.stderr)
        self.assertFalse(os.path.exists(self.path("y.npy")))


class Files(Case):
    def test_the_golden_vector(self):
        np.save(self.path("v.npy"), np.frombuffer(V1, "<u4"))
        self.ok("decode", "--bits", "4", "--block-size", "32", "v.npy", "-o", "x.npy")
        x = np.load(self.path("x.npy"))
        self.assertEqual((x.dtype.str, x.tolist()), ("<f4", V1_VALUES))
        text = self.ok("encode", "-b4", "-B32", "x.npy", "-o", "y.npy")
        self.assertEqual(np.load(self.path("y.npy")).tobytes(), V1)
        self.assertIn("32 elements in 1 blocks of 32, 4 bits each: 16 bytes, fp32 has 128\n", text)
        self.assertIn("32 exact, 0 beyond the codes", text)

    def test_every_number_of_bits_and_both_codecs(self):
        rng = np.random.default_rng(3)
        for n in range(1, 8):
            b = int(rng.choice([8, 24, 64, 72, 136]))
            size = model.block_bytes(n, b)
            words = rng.integers(0, 1 << 32, (2, 3, 2 * size // 4), np.uint32)
            np.save(self.path("w.npy"), words)
            for codec, decode in (("planes", model.decode), ("bitshift", model.decode_bitshift)):
                constants = (0x3F00, 0x3F80) if codec == "planes" else (12345, 54321)
                self.ok("decode", "--bits", str(n), "--block-size", str(b), "--codec", codec,
                        "--constants", f"{constants[0]:#x},{constants[1]:#x}", "w.npy", "-o",
                        "x.npy")
                raw = words.tobytes()
                wanted = np.concatenate([decode(n, b, *constants, raw[i:i + size])
                                         for i in range(0, len(raw), size)])
                got = np.load(self.path("x.npy"))
                self.assertEqual(got.shape, (2, 3, 2 * b))
                self.assertEqual(got.tobytes(), wanted.tobytes())

    def test_out_dtypes(self):
        """-8 to 7 times 40 plus 1: fp32, fp16 and bf16 by NumPy, integers clamp."""
        np.save(self.path("v.npy"), np.frombuffer(V1, "<u4").reshape(1, 4))
        value = np.array(V1_VALUES, np.float32) * 40 + 1
        bf16 = (value.view(np.uint32) >> 16).astype(np.uint16)  # they are BF16 numbers or ties
        bits = value.view(np.uint32)
        bf16 = ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)
        for dtype, wanted in (("fp32", value), ("fp16", value.astype(np.float16)), ("bf16", bf16),
                              ("int8", np.clip(value, -128, 127).astype(np.int8)),
                              ("uint8", np.clip(value, 0, 255).astype(np.uint8))):
            self.ok("decode", "-b", "4", "-B", "32", "--scale", "40", "--bias", "1", "--out-dtype",
                    dtype, "v.npy", "-o", "x.npy")
            got = np.load(self.path("x.npy"))
            self.assertEqual((got.dtype, got.shape), (wanted.dtype, (1, 32)))
            self.assertEqual(got.tobytes(), wanted.tobytes(), dtype)

    def test_what_is_lost_is_said(self):
        np.save(self.path("x.npy"), np.array([0.5, 1, 7, 8.25, -8, -9, 0, 1.5], np.float32))
        report = json.loads(self.ok("encode", "-b", "4", "-B", "8", "x.npy", "-o", "y.npy",
                                    "--json"))
        self.assertEqual(report["schema"], "trench.cptc.encode/1")
        self.assertEqual((report["exact"], report["clamped"], report["max_error"]), (4, 2, 1.25))
        self.assertEqual((report["elements"], report["blocks"], report["bytes"]), (8, 1, 4))
        self.assertEqual(report["constants"], ["0x3f80", "0x0000"])
        self.assertAlmostEqual(report["rms_error"],
                               float(np.sqrt((0.25 + 0.25 + 1 + 1.25**2) / 8)), 12)
        report = json.loads(self.ok("decode", "-b", "4", "-B", "8", "y.npy", "-o", "z.npy", "-j"))
        self.assertEqual((report["schema"], report["out_dtype"]), ("trench.cptc.decode/1", "FP32"))
        self.assertEqual(np.load(self.path("z.npy")).tolist(), [0, 1, 7, 7, -8, -8, 0, 2])


class BadInput(Case):
    def setUp(self):
        super().setUp()
        np.save(self.path("x.npy"), np.zeros((2, 32), np.float32))
        np.save(self.path("w.npy"), np.zeros((2, 4), np.uint32))

    def test_options(self):
        common = ("-b", "4", "-B", "32", "x.npy", "-o", "y.npy")
        self.refused("needs an input", "encode", "x.npy", "-o", "y.npy", "-b", "4")
        self.refused("8 bits an element; 1 to 7", "encode", *common, "-b", "8")
        self.refused("blocks of 12 elements (rule cptc_block_size); a multiple of 8", "encode",
                     *common, "-B", "12")
        self.refused("'500' is no number from 0 to 255", "encode", *common, "-B", "500")
        self.refused("0.1 is no BF16 number; the nearest is", "encode", *common, "--scale", "0.1")
        self.refused("0 bits an element; 1 to 7", "encode", *common, "-b", "0")
        self.refused("blocks of 0 elements (rule cptc_block_size)", "encode", *common, "-B", "0")
        self.refused("needs an input", "encode", *common, "-o", "")
        self.refused("1e-60 is no BF16 number; the nearest is 0", "encode", *common, "--bias", "1e-60")
        self.refused("1e-999 is no BF16 number", "encode", *common, "--bias", "1e-999")
        for text in ("nan", "inf", "1e999", "1x"):
            self.refused(f"'{text}' is no finite number", "encode", *common, "--scale", text)
        self.refused("is not like 0x3f80,0x0000", "encode", *common, "--constants", "7")
        self.refused("leave --scale and --bias", "encode", *common, "--constants", "1,2", "--bias",
                     "1")
        self.refused("none of planes and bitshift", "encode", *common, "--codec", "huffman")
        self.refused("bitshift needs --constants", "decode", *common, "--codec", "bitshift")
        self.refused("has no encoder", "encode", *common, "--codec", "bitshift")
        self.refused("has no encoder", "encode", *common, "--codec", "bitshift", "-c", "3,5")
        self.refused("give no grid", "encode", *common, "--scale", "0")
        self.refused("rule cptc_out_dtype", "decode", *common, "--out-dtype", "fp8_exp4")
        self.refused("is too many", "encode", *common, "w.npy")

    def test_a_report_that_cannot_be_written_is_said_once(self):
        for more in ((), ("--json",)):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([TRENCH, "cptc", "encode", "-b4", "-B32", "x.npy", "-o", "z.npy",
                                       *more], stdout=full, stderr=subprocess.PIPE, text=True,
                                      cwd=self.directory.name, check=False)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
            self.assertIn("<stdout>: error: cannot write", done.stderr)
        self.refused("/dev/full: error: cannot write", "encode", "-b4", "-B32", "x.npy", "-o", "/dev/full")
        self.refused(".: error: cannot create: Is a directory", "encode", "-b4", "-B32", "x.npy", "-o", ".")

    def test_arrays(self):
        self.refused("a row has 32 elements, which is no whole number of blocks; a multiple of 24",
                     "encode", "-b", "4", "-B", "24", "x.npy", "-o", "y.npy")
        self.refused("a row has 4 words, which is no whole number of blocks; a multiple of 3",
                     "decode", "-b", "4", "-B", "24", "w.npy", "-o", "y.npy")
        self.refused("<f4", "encode", "-b", "4", "-B", "32", "w.npy", "-o", "y.npy")
        self.refused("<u4", "decode", "-b", "4", "-B", "32", "x.npy", "-o", "y.npy")
        self.refused("none.npy", "decode", "-b", "4", "-B", "32", "none.npy", "-o", "y.npy")
        np.save(self.path("n.npy"), np.array([0, 1, np.nan, 3, 4, 5, 6, 7], np.float32))
        self.refused("n.npy: error: element 2 is a NaN", "encode", "-b4", "-B8", "n.npy", "-o",
                     "y.npy")
        np.save(self.path("s.npy"), np.float32(1))
        self.refused("no whole number of blocks", "encode", "-b4", "-B8", "s.npy", "-o", "y.npy")

    def test_actions(self):
        self.refused("did you mean 'encode'", "encod")


class RefusedByTheKernel(Case):
    """docs/hardware/cptc.md 2.1: what the kernel refuses is a line of its log, not an illegal word: `trench
    check` warns, `trench run` completes, says the line and writes nothing."""
    WORD = ("extended_inst extended_opcode=cptc_decode src=sbuf[p0,0]:(4) in={in_dtype} dst=sbuf[p0,0x100]:(32) "
            "out={out} multiplicative_const=[0x3f80,0] block_size={block} lut_dtype={lut} ch=1\n")
    GOOD = {"in_dtype": "uint32", "out": "fp32", "block": 32, "lut": "0x1c"}
    CASES = (
        ({"in_dtype": "fp32"}, "cptc_in_dtype", "unsupported in_dtype for cptc_decode : 0xa"),
        ({"in_dtype": "uint8"}, "cptc_in_dtype", "unsupported in_dtype for cptc_decode : 0x3"),
        ({"out": "int32"}, "cptc_out_dtype", "unsupported out_dtype for cptc_decode : 0x8"),
        ({"out": "fp8_exp4"}, "cptc_out_dtype", "unsupported out_dtype for cptc_decode : 0xe"),
        ({"lut": "0x18"}, "cptc_lut_dtype", "unsupported lut_dtype for cptc_decode : 0x18"),
        ({"lut": "0"}, "cptc_lut_dtype", "unsupported lut_dtype for cptc_decode : 0x0"),
        ({"block": 12}, "cptc_block_size", "unsupported block_size for cptc_decode : 12"),
        ({"block": 0}, "cptc_block_size", "unsupported block_size for cptc_decode : 0"),
    )

    def program(self, change):
        with open(self.path("p.tasm"), "w", encoding="utf-8") as text:
            text.write(".engine pool\n" + self.WORD.format(**{**self.GOOD, **change}) + "halt\n")

    def main(self, *arguments):
        return subprocess.run([TRENCH, *arguments, "p.tasm"], capture_output=True, text=True,
                              cwd=self.directory.name, check=False)

    def run_program(self, gen):
        return self.main("run", "--gen", gen, "--json", "--dge-log", "--dump", "sbuf:0x100:uint32:1x32=x.npy",
                         "--env", "NRT_UCODE_UNSTABLE_LIBRARY_FLAG_CPTC_DECODE=1")

    def test_a_line_of_the_log_and_nothing_written(self):
        for gen in ("cayman", "mariana", "mariana_plus", "maverick"):
            for change, rule, line in self.CASES:
                self.program(change)
                checked = self.main("check", "--gen", gen)
                self.assertEqual(checked.returncode, 0, checked.stdout)
                self.assertIn(f"EXTENDED_INST: warning {rule}: ", checked.stdout)
                done = self.run_program(gen)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn("P0: Error, " + line, done.stdout + done.stderr)
                self.assertFalse(np.load(self.path("x.npy")).any())

    def test_the_good_word_warns_of_nothing(self):
        self.program({})
        self.assertNotIn("warning", self.main("check", "--gen", "mariana").stdout)
        done = self.run_program("mariana")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("Error", done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
