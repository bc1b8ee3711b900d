#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""trench replay: traces made by hand, and the lists of tests/hal/golden, which are worked out from
the sheets and tables. usage: test_cli_replay.py TRENCH ROOT [unittest options]

Reset values are those of data/registers.csv: hw_decode.control 0x7FFC, release_run_stall 1."""
import glob
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import unittest

TRENCH = os.path.abspath(sys.argv.pop(1))
ROOT = os.path.abspath(sys.argv.pop(1))
ACT = 0xD2460000  # CAYMAN core 0: BAR0 0xD0000000, local registers of ACT at 2460000 (hal-stpb.md 8.3)
STALL, DECODE, BLOCK = ACT, ACT + 0x4000, ACT + 0x1260
IRAM = 0xD2420000  # hal-stpb.md 18.1


class Case(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)

    def path(self, name):
        return os.path.join(self.directory.name, name)

    def trace(self, *lines, name="t.txt"):
        with open(self.path(name), "wb") as stream:
            stream.write("\n".join(lines).encode() + b"\n")
        return name

    def replay(self, *arguments, text=None):
        return subprocess.run([TRENCH, "replay", *arguments], capture_output=True, check=False,
                              timeout=120, cwd=self.directory.name, text=True, input=text)

    def ends(self, status, *arguments):
        done = self.replay(*arguments)
        self.assertEqual(done.returncode, status, f"{arguments}\n{done.stdout}{done.stderr}")
        return done

    def report(self, status, *arguments):
        return json.loads(self.ends(status, "--gen", "cayman", "--json", *arguments).stdout)

    def refused(self, *arguments, says):
        done = self.ends(2, *arguments)
        self.assertEqual(done.stdout, "")
        lines = [line for line in done.stderr.splitlines() if "error:" in line]
        self.assertEqual(len(lines), 1, done.stderr)
        self.assertIn(says, lines[0])


class Values(Case):
    def test_what_a_hand_may_write(self):
        self.trace("; a comment", "# another", "", "   ", f"R {DECODE:x} 7ffc", f"r 0x{DECODE:X} 0x7FFC",
                   f"\tW  {BLOCK:X}\t0X2000  # cache block", f"w {BLOCK:x} 2000 ; again",
                   f"R {BLOCK:x} 00002000\r", f"R {STALL:x} ?", f"R {STALL:x} *",
                   "L 4 aws_hal_sp_init 0x11600000")
        report = self.report(0, "t.txt")
        self.assertEqual(report["schema"], "trench.replay/1")
        self.assertEqual((report["operations"], report["differences"]), (7, []))

    def test_an_empty_trace(self):
        self.trace("# gen cayman")
        self.assertEqual(self.ends(0, "t.txt").stdout, "cayman: 0 operations, no difference\n")

    def test_the_last_line_needs_no_newline(self):
        done = self.replay("--gen", "cayman", "-", text=f"R {DECODE:x} 7ffd")
        self.assertEqual(done.returncode, 1)
        self.assertIn("<stdin>:1: offset 0xd2464000: wanted 0x00007ffd, got 0x00007ffc", done.stdout)

    def test_differences(self):
        self.trace("", f"R {STALL:x} 1", f"R {DECODE:x} 7ffd", f"W {STALL:x} 0", f"R {STALL:x} 1")
        report = self.report(1, "t.txt")
        self.assertEqual(report["differences"], [
            {"line": 3, "offset": "0xd2464000", "wanted": "0x7ffd", "got": "0x7ffc"},
            {"line": 5, "offset": "0xd2460000", "wanted": "0x1", "got": "0x0"}])
        done = self.ends(1, "--gen", "cayman", "t.txt")
        self.assertEqual(done.stdout, "cayman: 4 operations, 2 differences; the first:\n"
                                      "  t.txt:3: offset 0xd2464000: wanted 0x00007ffd, got 0x00007ffc\n")

    def test_where_nothing_answers(self):
        self.trace("R fffffff0 deadbeef", "W fffffff0 1")  # address-map.md 3: a read gives DEADBEEF
        self.assertEqual(self.report(1, "t.txt")["differences"],
                         [{"line": 2, "offset": "0xfffffff0", "refused": "bad address"}])

    def test_base_of_a_mapping(self):
        base = 0xFFFFB65D80000000
        self.trace(f"R {base + DECODE:x} 7ffc", f"R {base + STALL:x} 1")
        self.assertEqual(self.report(0, "--base", hex(base), "t.txt")["operations"], 2)
        self.refused("--gen", "cayman", "--base", hex(base + DECODE), "t.txt",
                     says="t.txt:2: error: lies below --base")
        self.refused("--gen", "cayman", "--base", "x", "t.txt", says="--base")

    def test_generation_of_a_trace(self):
        self.trace("#  gen  mariana", f"R {DECODE:x} 7ffc")
        self.assertIn("mariana: 1 operations", self.ends(0, "t.txt").stdout)
        done = self.ends(0, "--gen", "cayman", "t.txt")
        self.assertIn("recorded on mariana, played on cayman", done.stderr)
        self.trace("R 0 ?")
        self.refused("t.txt", says="--gen is missing")
        self.trace("# gen atlantis", "R 0 ?")
        self.refused("t.txt", says="--gen is missing")


class Blocks(Case):
    def block(self, data, rest, *, length=None):
        digest = hashlib.sha256(data).hexdigest()
        size = len(data) if length is None else length
        return f"B {IRAM:x} {size:x} {digest}{rest}", f"R {IRAM:x} {int.from_bytes(data[:4], 'little'):x}"

    def file(self, name, data):
        os.makedirs(os.path.dirname(self.path(name)) or ".", exist_ok=True)
        with open(self.path(name), "wb") as stream:
            stream.write(data)

    def test_files_are_found_beside_the_trace(self):
        data = bytes(range(1, 65))
        self.file("traces/an image.bin", data)
        self.trace(*self.block(data, "   an image.bin  "), name="traces/t.txt")
        report = self.report(0, "traces/t.txt")
        self.assertEqual((report["played"], report["skipped_blocks"]), (2, 0))
        self.trace(*self.block(data, " " + self.path("traces/an image.bin")))
        self.assertEqual(self.report(0, "t.txt")["played"], 2)

    def test_a_hash_may_be_left_out(self):
        data = b"\x11\x22\x33\x44" * 4
        self.file("i.bin", data)
        self.trace(f"B {IRAM:x} 10 - i.bin", f"R {IRAM:x} 44332211")
        self.assertEqual(self.report(0, "t.txt")["played"], 2)

    def test_without_a_file_nothing_is_written_and_it_says_so(self):
        line, _ = self.block(b"unknown." * 8, "")
        self.trace(line, f"B {IRAM:x} 4 -", f"R {IRAM:x} ?")
        done = self.ends(0, "--gen", "cayman", "t.txt")
        self.assertIn("t.txt:1: note: no FILE", done.stderr)
        self.assertIn("2 such blocks were not written", done.stderr)
        self.assertEqual(self.report(0, "t.txt")["skipped_blocks"], 2)

    def test_files_that_are_not_what_the_line_says(self):
        data = bytes(64)
        self.file("i.bin", data)
        for line, says in ((self.block(data, " i.bin", length=65)[0], "t.txt:1: error: ./i.bin has 0x40"),
                           (self.block(bytes(63) + b"x", " i.bin")[0],
                            "t.txt:1: error: ./i.bin has another content"),
                           (self.block(data, " missing.bin")[0], "t.txt:1: error: ./missing.bin: "),
                           (self.block(data, " .")[0], "t.txt:1: error: "),
                           (self.block(data, " " + "x" * 5000)[0], "is no path"),
                           (self.block(data, " i.bin\0y")[0], "is no path")):
            self.trace(line)
            self.refused("--gen", "cayman", "t.txt", says=says)


class BadInput(Case):
    def test_lines(self):
        digest = hashlib.sha256(b"").hexdigest()
        for line, says in (("X 0 0", "no operation: 'X'"), ("RW 0 0", "no operation: 'RW'"),
                           ("R", "no offset: ''"), ("R 10", "no value: ''"), ("R g 0", "no offset: 'g'"),
                           ("R 0x 0", "no offset: '0x'"), ("R -4 0", "no offset: '-4'"),
                           ("R 2 0", "not aligned: '2'"), ("W 4 ?", "no value: '?'"),
                           ("R 4 100000000", "no value"), ("R 10000000000000000 0", "no offset"),
                           ("R 4 0 0", "more than an operation: '0'"),
                           ("B 0", "no length"), ("B 0 0 -", "no length"),
                           ("B 0 10000001 -", "no length"), ("B 0 4", "no hash"),
                           ("B 0 4 abc", "no hash"), ("B 0 4 " + "0x" * 32, "no hash"),
                           ("B 0 4 " + digest + "0", "no hash"),
                           ("B ffffffffffffffff 4 -", "too long"),
                           ("\0\x1b[31m", "no operation: '??[31m'")):
            self.trace("# gen cayman", "R 0 ?", line)
            self.refused("t.txt", says="t.txt:3: error: ")
            self.refused("t.txt", says=says)

    def test_arguments(self):
        self.refused(says="needs a FILE")
        self.trace("R 0 ?")
        self.refused("--gen", "atlantis", "t.txt", says="unknown generation")
        self.refused("--gen", "cayman", "t.txt", "u.txt", says="second one")
        self.refused("--gen", "cayman", "missing.txt", says="missing.txt")
        self.refused("--gen", "cayman", ".", says="directory")


class Golden(Case):
    """The register accesses of the golden lists: the model answers every read as worked out there."""

    def test_lists(self):
        names = sorted(glob.glob(os.path.join(ROOT, "tests", "hal", "golden", "*.txt")))
        played = 0
        for name in names:
            gen = os.path.basename(name).split("-")[0]
            if "dirty" in name:  # reads scripted by a test
                continue
            report = json.loads(self.ends(0, "--gen", gen, "--json", name).stdout)
            self.assertEqual(report["differences"], [], name)
            played += report["played"]
        self.assertGreater(played, 2500)


if __name__ == "__main__":
    unittest.main()
