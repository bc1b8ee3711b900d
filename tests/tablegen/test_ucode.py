#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The table of decode slots is refused when it contradicts itself, with the row's file and line.
usage: test_ucode.py ROOT [unittest options]"""
import csv
import os
import sys
import tempfile
import types
import unittest

ROOT = sys.argv.pop(1)
DATA = os.path.join(ROOT, "data")
sys.path.insert(0, os.path.join(ROOT, "tools", "tablegen"))

import emit_ucode  # noqa: E402
import model  # noqa: E402

GENERATIONS = list(model.read_csv(DATA, "generations.csv"))


class DecodeSlots(unittest.TestCase):
    def emit(self, line, **cells):
        """Make the images from the table with cells of one row changed (line: in the file, from 2)."""
        with open(os.path.join(DATA, "decode-cam.csv"), newline="", encoding="utf-8") as stream:
            header, *rows = csv.reader(stream)
        for column, value in cells.items():
            rows[line - 2][header.index(column)] = value
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "decode-cam.csv")
            with open(path, "w", newline="", encoding="utf-8") as stream:
                csv.writer(stream, lineterminator="\n").writerows([header] + rows)
            tables = types.SimpleNamespace(directory=directory, generations=GENERATIONS)
            emit_ucode.emit(tables, directory)
            with open(os.path.join(directory, "src", "ucode_images.c"), encoding="utf-8") as stream:
                return stream.read()

    def refused(self, line, expected, **cells):
        with self.assertRaises(model.TableError) as refusal:
            self.emit(line, **cells)
        self.assertIn("decode-cam.csv:%d" % line, str(refusal.exception))
        self.assertIn(expected, str(refusal.exception))

    def test_the_table_itself_is_taken(self):
        text = self.emit(2)
        self.assertIn("cayman_pe_decode_cam", text)
        self.assertNotIn("sunda_pe_decode", text)
        self.assertNotIn("maverick", text)

    def test_count_of_armed_slots_must_hold(self):
        self.refused(5, "1 opcodes are listed, the count of armed slots is 2", armed="2")

    def test_wildcard_must_be_last(self):
        self.refused(5, "the wildcard is the last armed slot", opcodes="* 41", armed="2")
        self.refused(5, "the wildcard is the last armed slot", opcodes="41", armed="1")

    def test_no_slot_comes_twice(self):
        self.refused(5, "no slot comes twice", opcodes="41 40-42 *", armed="5")

    def test_opcodes_must_be_readable(self):
        self.refused(5, "'4x' is not an opcode", opcodes="4x *", armed="2")

    def test_names_must_exist(self):
        self.refused(5, "'atlantis' is not one of", gens="atlantis")
        self.refused(5, "'CPU' is not one of", engines="CPU")

    def test_generation_without_hardware_decode_is_refused(self):
        self.refused(5, "sunda has no hardware decode", gens="sunda")


if __name__ == "__main__":
    unittest.main()
