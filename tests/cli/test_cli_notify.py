#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""trench notify decode, end to end. usage: test_cli_notify.py TRENCH ROOT [unittest options]

The fields of --json are compared with a decoder of this script's own, which reads
data/record-fields.csv and data/notification-types.csv."""
import csv
import json
import os
import random
import subprocess
import sys
import unittest

TRENCH, ROOT = sys.argv.pop(1), sys.argv.pop(1)
GENERATIONS = "sunda cayman mariana mariana_plus maverick".split()
TIME = bytes(range(1, 9))


def notify(*arguments, stdin=b""):
    return subprocess.run([TRENCH, "notify", *arguments], input=stdin, capture_output=True, check=False,
                          timeout=60)


def decode(records, *arguments, gen="cayman"):
    done = notify("decode", "--gen", gen, "--json", "-", *arguments, stdin=records)
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def rows(name):
    with open(os.path.join(ROOT, "data", name), newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


TYPES = {int(r["value"], 16): r["name"] for r in rows("notification-types.csv")}
FIELDS = rows("record-fields.csv")


def form_of(name, bits):
    """The layout of a record, or None when notification-records.md 7 refuses it."""
    if name.endswith("_EXPLICIT"):
        return {0: "notify", 1: "dge_metadata"}.get(bits >> 20 & 15)
    if name == "TPB_ERROR":
        error = bits & 0xFF
        return None if error > 0x0B else "sequencer" if error in (9, 10) else ""
    if name == "ERROR":
        return "warning" if bits >> 3 & 1 else "interrupt"
    if name == "DMA":
        kinds = ["sop", "eop", "completion"]
        return dict(enumerate([None, *kinds, *kinds, None, *["axi_req"] * 2, *["axi_rsp"] * 2,
                               *["apb_req"] * 2])).get(bits >> 32 & 15)
    return ""


def fields_of(name, form, bits):
    found = {}
    for row in FIELDS:
        record = row["record"]
        if row["form"] == form and record != "*" and \
                (record == name or record[0] == "*" and name.endswith(record[1:])):
            low, width = int(row["bit_lo"]), int(row["bits"])
            found[row["field"]] = bits >> low & (1 << width) - 1
    if form == "dge_metadata" and found["num_packets"] == 0:
        found["num_packets"] = 4096
    return found


class Json(unittest.TestCase):
    def test_golden_document(self):
        code, (record,) = decode(bytes.fromhex("0a00009f32124000") + TIME)
        self.assertEqual(code, 0)
        self.assertEqual(record, {
            "schema": "trench.notify/1", "index": 0, "type": "TPB_ERROR", "code": 0x1F,
            "form": "sequencer", "phase": 1, "hw_overflow": 0, "sw_overflow": 0,
            "timestamp": "0x807060504030201",
            "fields": {"error_id": 10, "subtype": 0, "block_id": 2, "program_counter": 0x123,
                       "info": 0x40},
            "host": {"status": 1004, "name": "EXEC_COMPLETED_WITH_ERR", "then": 5,
                     "class": "SW_SEQUENCER_ERROR", "counter": 39},
            "text": "fatal sequencer error BAD_OPCODE on POOL at pc 0x123: opcode 0x40; runtime "
                    "status 1004, then timeout 5 because the engine stays dead",
            "raw": "0a00009f321240000102030405060708"})

    def test_random_records_against_the_tables(self):
        rng = random.Random(4)
        records = [rng.randbytes(3) + bytes([code | rng.randrange(8) << 5]) + rng.randbytes(12)
                   for code in range(32) for _ in range(40)]
        for i in range(0, len(records), 2):  # half of them with small first bytes: known ids
            records[i] = bytes([records[i][0] % 12, records[i][1], records[i][2] % 32]) + records[i][3:]
        for gen in GENERATIONS:
            code, answers = decode(b"".join(records), gen=gen)
            self.assertEqual(code, 1)  # some are unknown
            self.assertEqual([a["index"] for a in answers], list(range(len(records))))
            known = 0
            for raw, answer in zip(records, answers):
                bits = int.from_bytes(raw, "little")
                name = TYPES.get(bits >> 24 & 31)
                form = form_of(name, bits) if name else None
                self.assertEqual(answer["type"], name)
                self.assertEqual((answer["phase"], answer["hw_overflow"], answer["sw_overflow"]),
                                 (bits >> 31 & 1, bits >> 30 & 1, bits >> 29 & 1))
                self.assertEqual(answer["timestamp"], hex(bits >> 64))
                self.assertEqual(answer["raw"], raw.hex())
                if form is None:
                    self.assertIn("unknown record", answer["text"])
                    self.assertIsNone(answer["host"])
                    continue
                known += 1
                self.assertEqual(answer["form"], form or None)
                self.assertEqual(answer["fields"], fields_of(name, form, bits))
            self.assertGreater(known, 500)


class Text(unittest.TestCase):
    def test_golden_lines(self):
        records = [bytes.fromhex("4523118eff002040"), bytes.fromhex("0008009f00000000")]
        done = notify("decode", "--gen", "mariana", "-", stdin=b"".join(r + bytes(7) + b"\1"
                                                                        for r in records))
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual(done.stdout.decode(), (
            "     0  phase 1     72057594037927936 ps  TPB_POOL_EXPLICIT    DGE of POOL used DMA "
            "engines 0 1 2 3 4 5 6 7 with 32 packets each, pc that of the latest start record "
            "(here 0x12345)\n"
            "     1  phase 1     72057594037927936 ps  TPB_ERROR            floating point underflow "
            "in DVE\n"))

    def test_empty_records_are_left_out_and_counted(self):
        ring = bytes.fromhex("0000000a01000200") + bytes(8) + bytes(48)
        done = notify("decode", "--gen", "cayman", "-", stdin=ring)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stdout.count(b"\n"), 1)
        self.assertIn(b"3 empty records", done.stderr)
        done = notify("decode", "--gen", "cayman", "--all", "-", stdin=ring)
        self.assertEqual((done.returncode, done.stdout.count(b"\n")), (1, 4))

    def test_each_kind_once(self):
        """F01: a flood is one line. Kinds are type, error, engine and unit: DVE and POOL differ."""
        records = b"".join(bytes.fromhex(raw) + bytes(8) for raw in
                           ["0008009f00000000"] * 1000 + ["0004009f00000000"] * 2 + ["0108009f00000000"])
        done = notify("decode", "--gen", "cayman", "--once", "-", stdin=records + bytes(32))
        self.assertEqual((done.returncode, done.stdout.count(b"\n")), (0, 3))
        self.assertIn(b"    1000 x  TPB_ERROR            floating point underflow in DVE\n", done.stdout)
        code, kinds = decode(records, "--once")
        self.assertEqual(code, 0)
        self.assertEqual([(kind["count"], kind["status"]) for kind in kinds], [(1000, 0), (2, 0), (1, 1003)])
        done = notify("decode", "--gen", "cayman", "--once", "-", stdin=bytes.fromhex("00000018") + bytes(12))
        self.assertEqual((done.returncode, done.stdout), (1, b""))
        self.assertIn(b"1 record is of no known type", done.stderr)

    def test_unknown_record_is_said(self):
        done = notify("decode", "--gen", "cayman", "-", stdin=bytes.fromhex("00000018") + bytes(12))
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"unknown record: unused record type 0x18", done.stdout)

    def test_empty_file_is_no_error(self):
        done = notify("decode", "--gen", "cayman", "-")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))


class Refusals(unittest.TestCase):
    def refused(self, text, *arguments, stdin=b""):
        done = notify(*arguments, stdin=stdin)
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.assertEqual(done.stderr.count(b"\n"), 1, done.stderr)
        self.assertIn(text, done.stderr.decode())

    def test_without_a_generation_nothing_is_guessed(self):
        self.refused("needs --gen", "decode", "-", stdin=bytes(16))

    def test_size_that_is_no_multiple_of_16(self):
        self.refused("-: error: 39 bytes are not whole 16-byte records; the last one ends at byte 32",
                     "decode", "--gen", "cayman", "-", stdin=bytes(39))

    def test_bad_arguments(self):
        self.refused("needs an action: decode")
        self.refused("no action 'encode'", "encode", "x")
        self.refused("needs a file", "decode", "--gen", "cayman")
        self.refused("a second one", "decode", "a", "b", "--gen", "cayman")
        self.refused("unknown generation 'tonga'", "decode", "--gen", "tonga", "-")
        self.refused("No such file", "decode", "--gen", "cayman", "/nonexistent/ring.bin")

    def test_output_that_cannot_be_written(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([TRENCH, "notify", "decode", "--gen", "cayman", "-"], stdout=full,
                                  input=bytes.fromhex("0008009f") + bytes(12), stderr=subprocess.PIPE,
                                  check=False, timeout=60)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"cannot write", done.stderr)


if __name__ == "__main__":
    unittest.main()
