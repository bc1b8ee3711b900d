#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""trench dge build, end to end (docs/cli-contract.md, "dge"). usage: test_cli_dge.py TRENCH"""
import json
import os
import struct
import subprocess
import sys
import tempfile
import unittest

TRENCH = sys.argv.pop(1)
# dge.md 15: the worked word
WORKED = ("B8100000050700000100000001 0A0100" "00000010000000000001000000000000"
          "02000100400094000000000020000000" "40000000000000000200010040000303").replace(" ", "")


def dge(*arguments):
    return subprocess.run([TRENCH, "dge", "build", *arguments], capture_output=True, check=False,
                          timeout=60, text=True)


def build(*arguments):
    done = dge("--json", *arguments)
    return done.returncode, json.loads(done.stdout)


def npy(path, values):
    header = "{'descr': '<u4', 'fortran_order': False, 'shape': (%d,), }" % len(values)
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    with open(path, "wb") as out:
        out.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        out.write(struct.pack(f"<{len(values)}I", *values))


def indirect(flags=0, src_bound=0x94):
    """Gather 4 rows of 64 bytes, 0xBB, from data/dge_words.csv."""
    return struct.pack("<BBHBBBBIBBBBQiHHQiHHIIBBBBBBH", 0xBB, 0x10, 0, 0, 0, 0, 0, 0, 6, 1, 128,
                       flags, 0x1000, 64, 4, 64, 0x20000, 64, 4, 64, 0x8000, 0, 3, 3, src_bound, 0,
                       0, 0, 0).hex()


def transpose(src_tiles=8, dst_tiles=8, dst=0x2000000000):
    """Tiles of 16 x 128 two-byte elements, 0xBD, from data/dge_words.csv."""
    return struct.pack("<BBHBBBBIBBBBQiiHHiQiiHHBBBB", 0xBD, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 6, 6, 0x8000, 4096,
                       0, src_tiles, 1, 256, dst, 32, 0, dst_tiles, 1, 16, 128, 9, 0).hex()


def gather_transpose(x=1, rows=4, dst=0x2000000000):
    """16 elements of four two-byte values as columns, 0xF1, from data/dge_words.csv."""
    return struct.pack("<BBHBBBBIBBBBQiiHHIQBBBBiHHHBB", 0xF1, 0x10, 0, 0, 0, 0, 0, 0, 9, 0, 128, 0, 0x8000, 0,
                       8, x, 16, 0, dst, 0, 0, 0, 0, 32, 16, rows, 8, 0x66, 1).hex()


class Dge(unittest.TestCase):
    def test_the_worked_word(self):
        code, out = build("--gen", "cayman", "--engine", "act", "--word", WORKED, "--reg",
                          "20=0x10000000")
        self.assertEqual(code, 0)
        self.assertEqual(out["schema"], "trench.dge/1")
        self.assertEqual((out["outcome"], out["backend"], out["reason"]), ("emitted", "rtl", ""))
        data = [d for d in out["descriptors"] if not d["semaphore"]]
        self.assertEqual([(d["ring"], d["bytes"]) for d in data],
                         [("m2s", 64), ("m2s", 64), ("s2m", 64), ("s2m", 64)])
        self.assertEqual([d["src"] for d in data[:2]], ["0x10000000", "0x10000100"])
        self.assertEqual([d["dst"] for d in data[2:]], ["0x2000000000", "0x2000000040"])
        self.assertEqual(data[0]["raw"], "40000005030008010000001000000000")
        self.assertEqual(len(out["descriptors"]), 6)
        self.assertEqual(out["semaphore"], {"number": 10, "increment": 1})
        self.assertIsNone(out["record"])
        self.assertEqual(out["bounds"][0], {"side": "src", "index": False, "enabled": True,
                                            "addr": "0x10000000", "limit": "0x10000000",
                                            "pass": True})

    def test_an_address_out_of_bounds_posts_a_record(self):
        code, out = build("--gen", "cayman", "--word", WORKED, "--flags", "2", "--reg",
                          "20=0xfffffff")
        self.assertEqual((code, out["outcome"]), (1, "skipped_oob"))
        self.assertEqual(out["gates"], {"feature_flag": True, "suppressed": False, "policy": True})
        self.assertEqual(out["record"], "0900001f0200b8000000000000000000")
        code, out = build("--gen", "cayman", "--word", WORKED, "--reg", "20=0xfffffff")
        self.assertIsNone(out["record"])

    def test_sunda_answers_with_a_reason(self):
        code, out = build("--gen", "sunda", "--word", WORKED)
        self.assertEqual((code, out["outcome"], out["backend"]), (1, "no_backend", "none"))
        self.assertIn("no descriptor generator", out["reason"])
        self.assertEqual(out["descriptors"], [])

    def test_an_illegal_word_names_its_rules(self):
        word = WORKED[:2 * 38] + "14" + WORKED[2 * 39:]
        code, out = build("--gen", "mariana", "--word", word)
        self.assertEqual((code, out["outcome"]), (1, "illegal"))
        self.assertEqual(out["violations"], ["has_valid_bound_check_reg"])
        # error-handling.md 4: the sequencer's record: FATAL 0x0A, block 2 (POOL), word 0, opcode 0xB8
        self.assertEqual((out["record"], len(out["records"])), ("0a00001f0200b8000000000000000000", 1))
        done = dge("--gen", "mariana", "--word", word)
        self.assertEqual(done.returncode, 1)
        self.assertIn("violates  has_valid_bound_check_reg", done.stdout)
        self.assertRegex(done.stdout, r"record    .*fatal")

    def test_indices_come_from_a_file(self):
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "index.npy")
            npy(path, [3, 9, 0, 8])
            code, out = build("--gen", "cayman", "--word", indirect(4), "--reg", "20=7", "--flags",
                              "2", "--index", path)
        self.assertEqual((code, out["outcome"], out["backend"]), (1, "skipped_oob", "software"))
        self.assertEqual((out["elements"], out["skipped"], out["bytes"]), (4, 2, 128))
        report = out["reports"][0]
        self.assertEqual((report["position"], report["index"], report["addr"], report["count"]),
                         (1, 9, hex(0x1000 + 9 * 64), 2))
        reads = [d["src"] for d in out["descriptors"] if d["ring"] == "m2s" and not d["semaphore"]]
        self.assertEqual(reads, [hex(0x1000 + 3 * 64), "0x1000"])
        self.assertEqual(out["record"][:2], "0a")

    def test_a_vector_must_be_as_long_as_the_word_asks(self):
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "index.npy")
            for values, status in (([3, 9, 0], 2), ([3, 0, 1, 2], 0), ([3, 0, 1, 2, 99], 0)):
                npy(path, values)
                done = dge("--gen", "cayman", "--word", indirect(4), "--reg", "20=7", "--index", path)
                self.assertEqual(done.returncode, status, done.stdout + done.stderr)
                if status == 2:
                    self.assertEqual(done.stdout, "")
                    self.assertIn(f"--index {path}: 3 indices; the word reads 4", done.stderr)
            done = dge("--gen", "cayman", "--word", indirect(4), "--reg", "20=7", "--dst-index", path)
            self.assertEqual(done.returncode, 2)
            self.assertIn("the word reads no destination index vector", done.stderr)
            done = dge("--gen", "cayman", "--word", WORKED, "--reg", "20=0x10000000", "--index", path)
            self.assertEqual(done.returncode, 2)
            self.assertIn("the word reads no source index vector", done.stderr)

    def test_faithful_abort(self):
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "index.npy")
            npy(path, [3, 9, 0, 8])
            code, out = build("--gen", "cayman", "--word", indirect(), "--reg", "20=7", "--index",
                              path, "--faithful-abort")
        self.assertEqual((code, out["outcome"]), (1, "aborted"))
        self.assertIsNone(out["semaphore"])

    def test_an_address_with_bytes_beside_its_form(self):
        """dge.md 2.2: bytes 2 to 6 of a register form are zero, VAR_ID is of pseudo words only."""
        for address in ("1415001000000080", "1400001000000028", "000000000000ff20",
                        "1400000001000010"):
            word = WORKED[:32] + address + WORKED[48:76] + "00" + WORKED[78:]
            code, out = build("--gen", "cayman", "--word", word)
            self.assertEqual((code, out["outcome"]), (1, "illegal"), address)
            self.assertEqual(out["descriptors"], [])

    def test_text_names_everything(self):
        done = dge("--gen", "cayman", "--word", WORKED, "--reg", "20=0x10000000", "--log")
        self.assertEqual(done.returncode, 0)
        for piece in ("outcome   emitted", "backend   pool", "posts     semaphore 10 += 1",
                      "S: DGE: Select backend Pool", "0x10000100"):
            self.assertIn(piece, done.stdout)

    def test_credits(self):
        """dge.md 6.5, 8.6: a carveout of 512 bytes has 32 descriptors, one of them reserved; forty
        elements of class 1, four of 64 bytes a packet: 7 packets, one of the 3 that are left, and for
        the other 9 elements 3 more."""
        word = bytearray.fromhex(WORKED)
        word[32:34] = word[56:58] = (40).to_bytes(2, "little")  # num_elem_0 of both sides
        options = ("--gen", "cayman", "--word", bytes(word).hex(), "--reg", "20=0xffffffff",
                   "--packet-bytes", "1=256")
        _, out = build(*options)
        self.assertEqual((out["outcome"], out["packets"], out["credits"], out["credit_waits"]),
                         ("emitted", 10, 4096, 0))
        _, out = build(*options, "--local", "39=0x00200000")
        self.assertEqual((out["outcome"], out["packets"], out["credits"]), ("emitted", 11, 31))
        self.assertGreater(out["credit_waits"], 0)
        self.assertIn("credits   31 descriptors a ring, waited for",
                      dge(*options, "--local", "39=0x00200000").stdout)

    def test_a_word_that_does_not_execute_is_not_valid(self):
        """dge.md 18: tiles of both sides, shape of a gather: what ends an engine `check` finds too."""
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "w.bin")
            for word, rule in ((transpose(), None), (transpose(src_tiles=7), "transpose_tiles"),
                               (transpose(dst_tiles=9), "transpose_tiles"), (gather_transpose(), None),
                               (gather_transpose(x=2), "gather_transpose_shape"),
                               (gather_transpose(rows=3), "gather_transpose_shape"),
                               (gather_transpose(dst=0x6000000000000000), "gather_transpose_shape")):
                with open(path, "wb") as stream:
                    stream.write(bytes.fromhex(word))
                code, out = build("--gen", "cayman", "--word", word)
                done = subprocess.run([TRENCH, "check", "--gen", "cayman", "--json", path], capture_output=True,
                                      check=False, text=True)
                (result,) = json.loads(done.stdout)["results"]
                rules = [v["rule"] for v in result["violations"]]
                if rule:
                    self.assertEqual((code, out["outcome"], done.returncode), (1, "illegal", 1), word)
                    self.assertIn(rule, rules)
                    self.assertIn(rule, out["violations"])
                else:
                    self.assertEqual((code, out["outcome"], done.returncode, rules), (0, "emitted", 0, []), word)

    def test_explain_knows_the_rules_of_execution(self):
        """Columns from partition 1 on leave the last one: known at execution only, with its page."""
        code, out = build("--gen", "cayman", "--word", transpose(dst=0x2000040000))
        self.assertEqual((code, out["outcome"], out["violations"]), (1, "illegal", ["transpose_partitions"]))
        for rule in ("transpose_partitions", "transpose_tiles", "gather_transpose_shape"):
            done = subprocess.run([TRENCH, "explain", rule], capture_output=True, check=False, text=True)
            self.assertEqual(done.returncode, 0, rule)

    def test_the_own_address_of_a_word(self):
        """isa-core.md 3: registers 128 and 129, which the rules allow; the word lies at 0 here."""
        word = WORKED[:32] + "8081000000000080" + WORKED[48:76] + "00" + WORKED[78:]
        code, out = build("--gen", "cayman", "--word", word)
        self.assertEqual((code, out["outcome"], out["descriptors"][0]["src"]), (0, "emitted", "0x0"))

    def test_no_engine_is_named_that_is_not_there(self):
        for gen, engines in (("cayman", "ACT, POOL and SP"), ("maverick", "engine; POOL and SP")):
            code, out = build("--gen", gen, "--engine", "dve", "--word", WORKED)
            self.assertEqual((code, out["outcome"]), (1, "no_backend"))
            self.assertIn(engines, out["reason"])

    def test_a_refusal_says_what_would_be_right(self):
        for arguments, says in ((("--reg", "64=1"), "N=VALUE with N from 0 to 63 is expected"),
                                (("--local", "37=1"), "N=VALUE with N from 38 to 40 is expected"),
                                (("--reg", "6=x"), "a value of 32 bits is expected"),
                                (("--shape", "4=1,1,1,1:1,1,1,1"), "N from 0 to 3"),
                                (("--packet-bytes", "0=1"), "a priority class from 1 to 4")):
            done = dge("--gen", "cayman", "--word", WORKED, *arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(says, done.stderr)
        done = subprocess.run([TRENCH, "dge", "make"], capture_output=True, check=False, text=True)
        self.assertIn("dge has no action 'make'; build is there", done.stderr)

    def test_bad_usage(self):
        for arguments in (["--word", WORKED], ["--gen", "cayman"], ["--gen", "cayman", "--word", "B8"],
                          ["--gen", "cayman", "--word", "00" * 64],
                          ["--gen", "cayman", "--word", WORKED, "--reg", "64=1"],
                          ["--gen", "cayman", "--word", WORKED, "--reg", "x"],
                          ["--gen", "cayman", "--word", WORKED, "--shape", "4=1,1,1,1:0,0,0,0"],
                          ["--gen", "cayman", "--word", WORKED, "--shape", "0=65538,1,1,1:0,0,0,0"],
                          ["--gen", "cayman", "--word", WORKED, "--shape", "0=-2,1,1,1:0,0,0,0"],
                          ["--gen", "cayman", "--word", WORKED, "--shape", "0=1,1,1,1:0,0,0,3000000000"],
                          ["--gen", "cayman", "--word", WORKED, "--shape", "0=1,1,1,1:0,0,0,0,"],
                          ["--gen", "cayman", "--word", WORKED, "--flags", "0x100000000"],
                          ["--gen", "cayman", "--word", WORKED, "--flags", "-1"],
                          ["--gen", "cayman", "--word", WORKED, "--local", "37=1"],
                          ["--gen", "cayman", "--word", WORKED, "--index", "/nowhere.npy"]):
            done = dge(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertTrue(done.stderr.startswith("trench: "), done.stderr)


if __name__ == "__main__":
    unittest.main()
