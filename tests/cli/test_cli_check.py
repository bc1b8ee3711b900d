#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""trench check, end to end. usage: test_cli_check.py TRENCH [unittest options]"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

TRENCH = sys.argv.pop(1)
GENERATIONS = ["sunda", "cayman", "mariana", "mariana_plus", "maverick"]
#: field case F06 as text: a result that ends at byte 196864; SUNDA's partition has 196608
PAST_SUNDA = """\
.gen {gens}
.engine dve
top:
tensor_scalar_arith  src=sbuf[p0,0x0]:(512,1,1) in=fp32 dst=sbuf[p0,0x2f900]:(512,1,1) out=fp32 ch=128
                     op0=add imm0=1.5 op1=max imm1=0.0
halt
"""


def word(opcode, **byte_at):
    data = bytearray(64)
    data[0:2] = opcode, 0x10
    for name, value in byte_at.items():
        data[int(name[1:])] = value
    return bytes(data)


NOP = word(0xA4)


class Check(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)

    def path(self, name, content):
        path = os.path.join(self.directory.name, name)
        with open(path, "wb") as stream:
            stream.write(content if isinstance(content, bytes) else content.encode())
        return path

    def check(self, *arguments, stdin=b""):
        return subprocess.run([TRENCH, "check", *arguments], input=stdin, capture_output=True,
                              check=False, timeout=60)

    def json(self, *arguments, status):
        done = self.check("--json", *arguments)
        self.assertEqual(done.returncode, status, done.stderr)
        document = json.loads(done.stdout)
        self.assertEqual(document["schema"], "trench.check/1")
        return document

    # ---- raw words

    def test_valid_words_on_every_generation(self):
        path = self.path("x.bin", NOP * 3)
        done = self.check(path)
        self.assertEqual(done.returncode, 0)
        lines = done.stdout.decode().splitlines()
        self.assertEqual(lines, [f"{path}: {gen}: 3 words valid" for gen in GENERATIONS])

    def test_the_document_of_the_contract(self):
        # convlut.md: the legacy leg needs v4; 16 elements, 128 rows and columns, groups 0xF
        legacy = word(0xE4, b20=1, b22=1, b24=16, b26=1, b32=5, b38=128, b39=128, b44=15, b45=15)
        path = self.path("x.bin", NOP + legacy + NOP)
        document = self.json(path, "--gen", "cayman", status=1)
        self.assertEqual((document["file"], document["words"]), (path, 3))
        [result] = document["results"]
        self.assertEqual((result["gen"], result["valid"]), ("cayman", False))
        [violation] = result["violations"]
        self.assertEqual({key: violation[key] for key in ("index", "offset", "opcode", "name", "rule",
                                                          "provenance")},
                         {"index": 1, "offset": 64, "opcode": "0xe4", "name": "CONV_LUT_LOAD",
                          "rule": "s2_convlut_valid_nc", "provenance": "O"})
        self.assertTrue(violation["message"])
        self.assertEqual(result["warnings"], [])
        self.assertEqual(self.json(path, "--gen", "mariana", status=0)["results"][0]["violations"],
                         [])

    def test_one_unsupported_word_among_a_hundred(self):
        # field case F40; DMA_TRANSPOSE exists from v3
        path = self.path("x.bin", NOP * 41 + word(0xBD) + NOP * 58)
        [result] = self.json(path, "--gen", "sunda", status=1)["results"]
        [violation] = result["violations"]
        self.assertEqual((violation["index"], violation["rule"], violation["provenance"]),
                         (41, "is_valid_opcode", "O"))
        self.assertIn("cayman", violation["detail"])

    def test_an_engine_narrows_what_is_legal(self):
        path = self.path("x.bin", word(0x9F))  # ENGINE_NOP: not on SP
        self.assertEqual(self.check(path, "--gen", "cayman").returncode, 0)
        self.assertEqual(self.check(path, "--gen", "cayman", "--engine", "pe").returncode, 0)
        done = self.check(path, "--gen", "cayman", "--engine", "sp")
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"opcode_on_engine", done.stdout)

    def test_pseudo_words_before_and_after_lowering(self):
        path = self.path("x.bin", word(0xD0))
        done = self.check(path, "--gen", "cayman")
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"is_pseudo_op", done.stdout)
        self.assertEqual(self.check(path, "--gen", "cayman", "--before-lowering").returncode, 0)

    def test_warnings_leave_the_exit_status_0(self):
        path = self.path("x.bin", word(0xA4, b5=7))  # an index without a wait
        done = self.check(path, "--gen", "sunda")
        self.assertEqual(done.returncode, 0)
        self.assertIn(b"warning event_unused_lane", done.stdout)
        [result] = self.json(path, "--gen", "sunda", status=0)["results"]
        self.assertEqual((result["valid"], result["violations"]), (True, []))
        self.assertEqual(result["warnings"][0]["rule"], "event_unused_lane")

    def test_text_lines_name_place_rule_and_provenance(self):
        path = self.path("x.bin", NOP + word(0xA4, b2=4))
        done = self.check(path, "--gen", "sunda")
        self.assertEqual(done.returncode, 1)
        first, summary = done.stdout.decode().splitlines()
        self.assertEqual(first, f"{path}:word 1 (0x40): sunda: 0xa4 NOP: is_valid_enum: value is "
                                "not a member of its enum; debug_cmd is 0x04; one of NONE, NOTIFY, "
                                "START, END, START_END, INS_FIELD [O]")
        self.assertEqual(summary, f"{path}: sunda: 1 of 2 words not valid, 1 violation")

    def test_standard_input(self):
        done = self.check("-", "--gen", "maverick", stdin=NOP)
        self.assertEqual((done.returncode, done.stdout), (0, b"<stdin>: maverick: 1 word valid\n"))

    # ---- text

    def test_a_program_in_text_is_checked_on_the_generations_it_lists(self):
        path = self.path("p.tasm", PAST_SUNDA.format(gens="cayman, sunda"))
        document = self.json(path, status=1)
        self.assertEqual([(r["gen"], r["valid"]) for r in document["results"]],
                         [("sunda", False), ("cayman", True)])
        [violation] = document["results"][0]["violations"]
        self.assertEqual((violation["line"], violation["engine"], violation["rule"]),
                         (4, "dve", "exec_active_range"))
        self.assertIn("byte 196864", violation["detail"])
        self.assertIn("196608", violation["detail"])
        self.assertIn("cayman, mariana, mariana_plus, maverick would accept it",
                      violation["detail"])

    def test_text_lines_name_the_source_line(self):
        path = self.path("p.tasm", PAST_SUNDA.format(gens="sunda"))
        done = self.check(path)
        self.assertEqual(done.returncode, 1)
        self.assertTrue(done.stdout.startswith(f"{path}:4: sunda dve: 0x43 ".encode()), done.stdout)

    def test_text_without_generations_is_checked_on_all(self):
        path = self.path("p.tasm", "nop\nhalt\n")
        document = self.json(path, status=0)
        self.assertEqual([r["gen"] for r in document["results"]], GENERATIONS)
        self.assertEqual(document["words"], 2)

    def test_a_generation_where_the_text_does_not_assemble_is_not_valid(self):
        path = self.path("p.tasm", ".gen sunda cayman\n.engine pe\nldtags\nhalt\n")  # LDTAGS: v3
        document = self.json(path, status=1)
        sunda = document["results"][0]
        self.assertEqual((sunda["gen"], sunda["valid"]), ("sunda", False))
        self.assertTrue(sunda["error"]["message"] if "error" in sunda else sunda["violations"])

    # ---- bad input

    def refused(self, *arguments, stdin=b""):
        done = self.check(*arguments, stdin=stdin)
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertEqual(done.stdout, b"")
        self.assertEqual(done.stderr.count(b"\n"), 1, done.stderr)
        return done.stderr.decode()

    def test_a_file_of_broken_words(self):
        path = self.path("x.bin", NOP + NOP[:-1])
        self.assertEqual(self.refused(path), f"trench: {path}: error: 127 bytes are not whole 64-byte "
                                             "words; the last one ends at byte 64\n")

    def test_bad_arguments(self):
        path = self.path("x.bin", NOP)
        self.assertIn("cannot open", self.refused(path + ".missing"))
        self.assertIn("unknown generation 'tonga'", self.refused(path, "--gen", "tonga"))
        self.assertIn("unknown engine 'gpsimd'", self.refused(path, "--engine", "gpsimd"))
        self.assertIn("one file", self.refused(path, path))
        self.assertIn("needs a file", self.refused())
        self.assertIn("directory", self.refused(self.directory.name).lower())

    def test_text_that_does_not_assemble_anywhere(self):
        path = self.path("p.tasm", "bogus\n")
        self.assertIn(f"{path}:1:1: error: ", self.refused(path))
        self.assertIn(f"{path}:1:1: error: ", self.refused(path, "--gen", "cayman"))

    def test_a_listed_text_that_does_not_assemble_says_why(self):
        """Not that it is for another generation."""
        path = self.path("p.tasm", ".gen mariana, cayman\n.engine pe\nbogus\n")
        self.assertIn(f"{path}:3:1: error: ", self.refused(path))

    def test_a_block_scaled_operand_is_shown_whole(self):
        common = "num_active_rows=64 num_active_cols=15"
        path = self.path("p.tasm", ".gen mariana\n.engine pe\n"
                         "ldweights_mx src=sbuf[p0,0x0]:(510)+scale(sbuf[p17,0x600],3) in=fp8_exp4 "
                         f"{common} row_grp=h0 col_grp=all\n")
        self.assertIn("; src=sbuf[p0,0x0]:(510)+scale(sbuf[p17,0x600],3)",
                      self.check(path).stdout.decode())
        path = self.path("q.tasm", ".gen maverick\n.engine pe\n"
                         "ldweights src=sbuf[p0,0x0]:mx(8,2,8)+scale(sbuf[p4,0x800],8,3,2,sfp8_e8) "
                         f"in=fp8_exp4 {common} tile_size.row_size=r64 tile_size.col_size=c128\n")
        done = self.check(path).stdout.decode()
        self.assertIn("mx_v2_counts: ", done)
        self.assertIn("; src=sbuf[p0,0x0]:mx(8,2)+scale(sbuf[p4,0x800],0) num_active_cols=15", done)


if __name__ == "__main__":
    unittest.main()
