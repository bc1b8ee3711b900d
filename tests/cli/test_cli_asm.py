#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""trench asm, end to end. usage: test_cli_asm.py TRENCH [unittest options]"""
import os
import stat
import subprocess
import sys
import tempfile
import unittest

TRENCH = os.path.abspath(sys.argv.pop(1))
HALT, NOP = bytes([0xA1, 0x10]) + bytes(62), bytes([0xA4, 0x10]) + bytes(62)
TWO_ENGINES = ".gen cayman\n.engine dve\nhalt\n.engine pe\nnop\nnop\n"


class Asm(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.directory = holder.name

    def path(self, name):
        return os.path.join(self.directory, name)

    def write(self, name, text):
        with open(self.path(name), "wb") as stream:
            stream.write(text if isinstance(text, bytes) else text.encode())
        return name

    def read(self, name):
        with open(self.path(name), "rb") as stream:
            return stream.read()

    def asm(self, *arguments, stdin=b""):
        return subprocess.run([TRENCH, "asm", *arguments], cwd=self.directory, input=stdin,
                              capture_output=True, check=False, timeout=60)

    def assert_refused(self, done, *messages):
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stdout, b"")
        self.assertEqual(done.stderr.decode().splitlines(), list(messages))

    def test_file_to_file(self):
        done = self.asm(self.write("p.tasm", ".gen cayman\n.engine dve\nhalt\nnop\n"), "-o", "p.bin")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))
        self.assertEqual(self.read("p.bin"), HALT + NOP)

    def test_standard_input_to_standard_output(self):
        done = self.asm("-", "-o", "-", stdin=b".gen cayman\nhalt\n")
        self.assertEqual((done.returncode, done.stdout), (0, HALT))
        done = self.asm("-o", "-", "-", stdin=b".gen cayman\nhalt foo=1\n")
        self.assertEqual(done.returncode, 2)
        self.assertTrue(done.stderr.startswith(b"trench: <stdin>:2:6: error: halt has no field 'foo'"))

    def test_generation_picks_the_layout(self):
        text = self.write("p.tasm", ".gen sunda, mariana\nldweights col_grp=all\n")
        self.assertEqual(self.asm(text, "-o", "s.bin").returncode, 0)
        self.assertEqual(self.asm(text, "-o", "m.bin", "--gen", "mariana").returncode, 0)
        self.assertEqual(self.read("s.bin")[46], 0x10)
        self.assertEqual(self.read("m.bin")[46], 0)
        self.assert_refused(self.asm(text, "-o", "x.bin", "--gen", "cayman"),
                            "trench: p.tasm:1:1: error: the text is not for cayman")
        self.assertFalse(os.path.exists(self.path("x.bin")))

    def test_one_file_an_engine(self):
        done = self.asm(self.write("p.tasm", TWO_ENGINES), "-o", "out.bin")
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual(sorted(os.listdir(self.directory)), ["out.dve.bin", "out.pe.bin", "p.tasm"])
        self.assertEqual(self.read("out.dve.bin"), HALT)
        self.assertEqual(self.read("out.pe.bin"), NOP + NOP)

    def test_engine_goes_before_the_suffix_of_the_name_only(self):
        os.mkdir(self.path("a.b"))
        self.write("p.tasm", TWO_ENGINES)
        self.assertEqual(self.asm("p.tasm", "-o", "a.b/out").returncode, 0)
        self.assertEqual(sorted(os.listdir(self.path("a.b"))), ["out.dve", "out.pe"])
        self.assertEqual(self.asm("p.tasm", "-o", "a.b/.out").returncode, 0)
        self.assertIn(".out.pe", os.listdir(self.path("a.b")))

    def test_engine_option_picks_a_stream(self):
        self.write("p.tasm", TWO_ENGINES)
        done = self.asm("p.tasm", "-o", "-", "--engine", "pe")
        self.assertEqual((done.returncode, done.stdout), (0, NOP + NOP))
        self.assert_refused(self.asm("p.tasm", "-o", "-", "--engine", "act"),
                            "trench: p.tasm: error: the text has no words for act")
        self.assert_refused(self.asm("p.tasm", "-o", "-"),
                            "trench: p.tasm: error: the text has 2 streams and standard output takes "
                            "one; name one with --engine")
        done = self.asm("-", "-o", "-", "--engine", "sp", stdin=b".gen cayman\nnop\n.engine pe\nhalt\n")
        self.assertEqual(done.stdout, NOP)

    def test_every_error_is_reported_and_nothing_is_written(self):
        self.write("old.bin", b"keep")
        done = self.asm(self.write("p.tasm", ".gen cayman\nhault\nhalt foo=1\nbranch always x\n"),
                        "-o", "old.bin")
        self.assert_refused(done,
                            "trench: p.tasm:2:1: error: unknown mnemonic 'hault'; did you mean 'halt'?",
                            "trench: p.tasm:3:6: error: halt has no field 'foo'; its fields are "
                            "notify_payload, act_tbl_sel, drain_count, inst_word_len, debug_cmd, "
                            "debug_hint",
                            "trench: p.tasm:4:15: error: label 'x' is not defined")
        self.assertEqual(self.read("old.bin"), b"keep")
        self.assertEqual(sorted(os.listdir(self.directory)), ["old.bin", "p.tasm"])

    def test_files_that_cannot_be_read_or_written(self):
        self.assert_refused(self.asm("none.tasm", "-o", "x.bin"),
                            "trench: none.tasm: error: cannot open: No such file or directory")
        self.assert_refused(self.asm(".", "-o", "x.bin"),
                            "trench: .: error: cannot read: Is a directory")
        self.write("p.tasm", ".gen cayman\nhalt\n")
        done = self.asm("p.tasm", "-o", "none/x.bin")
        self.assert_refused(done,
                            "trench: none/x.bin: error: cannot create: No such file or directory")

    def test_the_file_behind_standard_output_is_written_in_place(self):
        self.write("p.tasm", ".gen cayman\nhalt\n")
        self.write("out", "old")
        with open(self.path("out"), "ab") as stream:
            done = subprocess.run([TRENCH, "asm", "p.tasm", "-o", "/dev/stdout"], cwd=self.directory, stdout=stream,
                                  check=False, timeout=60)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(self.read("out"), b"old" + HALT)

    def test_a_file_that_is_replaced_keeps_its_mode(self):
        self.write("p.tasm", ".gen cayman\nhalt\n")
        self.write("p.bin", "old")
        os.chmod(self.path("p.bin"), 0o600)
        self.assertEqual(self.asm("p.tasm", "-o", "p.bin").returncode, 0)
        self.assertEqual((self.read("p.bin"), stat.S_IMODE(os.stat(self.path("p.bin")).st_mode)), (HALT, 0o600))

    def test_bad_usage(self):
        self.assert_refused(self.asm("p.tasm"), "trench: error: asm needs a file and -o OUT.bin")
        self.assert_refused(self.asm("p", "q", "-o", "x"),
                            "trench: error: asm takes one file; 'q' is a second one")
        self.assert_refused(self.asm("p", "-o", "x", "--engine", "gpu"),
                            "trench: error: unknown engine 'gpu'; pe, act, pool, dve and sp exist")
        done = self.asm("p", "-o", "x", "--gen", "cayma")
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"cayman", done.stderr)
        done = self.asm("--help")
        self.assertEqual(done.returncode, 0)
        self.assertIn(b"docs/tasm.md", done.stdout)

    def test_hostile_bytes(self):
        self.assert_refused(self.asm("-", "-o", "x.bin", stdin=b".gen cayman\nha\0lt\n"),
                            "trench: <stdin>:2:3: error: a NUL byte is not text")
        done = self.asm("-", "-o", "-", stdin=b".gen cayman\nhalt ; \xff\xfe\xc3\n")
        self.assertEqual((done.returncode, done.stdout), (0, HALT))
        done = self.asm("-", "-o", "-", stdin=bytes(range(1, 256)) * 64)
        self.assertEqual(done.returncode, 2)
        done = self.asm("-", "-o", "-", stdin=b".gen cayman\n" + b"x" * 100000)
        self.assertIn(b"the line is longer than 65536 bytes", done.stderr)

    def test_empty_program_is_an_empty_file(self):
        done = self.asm("-", "-o", "x.bin", stdin=b".gen cayman\n; nothing\n")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(self.read("x.bin"), b"")
        self.assertEqual(stat.S_IMODE(os.stat(self.path("x.bin")).st_mode) & 0o600, 0o600)


if __name__ == "__main__":
    unittest.main()
