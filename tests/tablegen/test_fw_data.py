#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tables of the firmware toolkit are refused when they contradict themselves, with file and line.
usage: test_fw_data.py ROOT [unittest options]"""
import csv
import os
import shutil
import sys
import tempfile
import types
import unittest

ROOT = sys.argv.pop(1)
DATA = os.path.join(ROOT, "data")
sys.path.insert(0, os.path.join(ROOT, "tools", "tablegen"))

import emit_fw_data  # noqa: E402
import model  # noqa: E402

FILES = ("fw-tokens.csv", "fw-legs.csv", "fw-slots.csv", "fw-management.csv", "kernel-info.csv", "decode-cam.csv")
HANDLERS = list(model.read_csv(DATA, "handlers.csv"))


class FirmwareTables(unittest.TestCase):
    def emit(self, name=None, line=2, **cells):
        with tempfile.TemporaryDirectory() as directory:
            for file in FILES:
                shutil.copy(os.path.join(DATA, file), directory)
            if name:
                path = os.path.join(directory, name)
                with open(path, newline="", encoding="utf-8") as stream:
                    header, *rows = csv.reader(stream)
                for column, value in cells.items():
                    rows[line - 2][header.index(column)] = value
                with open(path, "w", newline="", encoding="utf-8") as stream:
                    csv.writer(stream, lineterminator="\n").writerows([header] + rows)
            emit_fw_data.emit(types.SimpleNamespace(directory=directory, handlers=HANDLERS), directory)
            with open(os.path.join(directory, "src", "fw_data_tables.c"), encoding="utf-8") as stream:
                return stream.read()

    def refused(self, expected, name, line, **cells):
        with self.assertRaises(model.TableError) as refusal:
            self.emit(name, line, **cells)
        self.assertIn(f"{name}:{line}", str(refusal.exception))
        self.assertIn(expected, str(refusal.exception))

    def test_the_tables_themselves_are_taken(self):
        text = self.emit()
        self.assertIn("{1, 3, 7, 0xe4, 0, 0x01002258, ", text)
        self.assertIn('"push REGWRITE", TRN_FW_DGE_SLOW, TRN_FW_MATCH_TEXT', text)

    def test_tokens_come_once_and_can_be_matched(self):
        self.refused("comes twice", "fw-tokens.csv", 3, token="activate")
        self.refused("comes twice, or has other characters", "fw-tokens.csv", 3, token="a.b")
        self.refused("is unknown", "fw-tokens.csv", 4, match="substring")

    def test_an_arch_id_comes_once(self):
        self.refused("comes twice", "fw-management.csv", 3, arch_id="5")

    def test_key_is_packed_from_opcode_and_spec(self):
        self.refused("the key is not", "kernel-info.csv", 4, packed_key_le_u32="0x7d000001")
        self.refused("the key is not", "kernel-info.csv", 4, opcode="0x7e")

    def test_rows_of_a_table_are_complete(self):
        self.refused("run from 0", "kernel-info.csv", 5, index="4")
        self.refused("the rows make 0x88", "kernel-info.csv", 2, table_size="0x80")

    def test_core_types_run_from_0(self):
        self.refused("run from 0", "fw-slots.csv", 9, slot="8")
        self.refused("has a key that is not one of", "fw-slots.csv", 9, flavors="1|4")

    def test_armed_slots_are_proved_here_too(self):
        self.refused("the count of armed slots", "decode-cam.csv", 2, armed="46")


if __name__ == "__main__":
    unittest.main()
