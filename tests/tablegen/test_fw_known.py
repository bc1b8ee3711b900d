#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The catalogue of firmware images is refused when it contradicts the grammar of names, the order of
getters or the form of hashes (docs/hardware/firmware-images.md 2.1, 2.3, 4), with file and line.
usage: test_fw_known.py ROOT [unittest options]"""
import csv
import os
import sys
import tempfile
import types
import unittest

ROOT = sys.argv.pop(1)
DATA = os.path.join(ROOT, "data")
FILE = "firmware-images.csv"
sys.path.insert(0, os.path.join(ROOT, "tools", "tablegen"))

import emit_fw_known  # noqa: E402
import model  # noqa: E402

with open(os.path.join(DATA, FILE), newline="", encoding="utf-8") as stream:
    HEADER, *ROWS = csv.reader(stream)


def cell(line, column):
    return ROWS[line - 2][HEADER.index(column)]


def line_where(holds):
    """The first line (from 2) that is not the last and for which holds(line)."""
    return next(line for line in range(2, len(ROWS) + 1) if holds(line))


class KnownImages(unittest.TestCase):
    def emit(self, line=2, **cells):
        rows = [list(row) for row in ROWS]
        for column, value in cells.items():
            rows[line - 2][HEADER.index(column)] = value
        with tempfile.TemporaryDirectory() as directory:
            with open(os.path.join(directory, FILE), "w", newline="", encoding="utf-8") as stream:
                csv.writer(stream, lineterminator="\n").writerows([HEADER] + rows)
            emit_fw_known.emit(types.SimpleNamespace(directory=directory), directory)
            with open(os.path.join(directory, "src", "fw_known_table.c"), encoding="utf-8") as stream:
                return stream.read()

    def refused(self, expected, line, **cells):
        with self.assertRaises(model.TableError) as refusal:
            self.emit(line, **cells)
        self.assertIn(f"{FILE}:{line}:", str(refusal.exception))
        self.assertIn(expected, str(refusal.exception))

    def test_the_catalogue_itself_is_taken(self):
        """Its first row and its count stand in firmware-images.md."""
        text = self.emit()
        self.assertIn('{"SUNDA_NX_ACT_RELEASE_IRAM_get", 0x9b2d20, 0x55f0, 0x8f20, "b7e0a63a', text)
        self.assertIn("fw_num_known_rows = 388;", text)  # 386 getters and 2 blobs

    def test_a_getter_is_called_by_its_columns(self):
        self.refused("is called SUNDA_NX_ACT_RELEASE_DRAM_get", 2, region="DRAM")
        self.refused("is called SUNDA_NX_ACT_RELEASE_IRAM_get", 2, getter_symbol="SUNDA_NX_ACT_IRAM_get")
        self.refused("generation 'TAIGA' is not known", 2, generation="TAIGA")

    def test_short_flavors_are_written_out(self):
        line = line_where(lambda line: "DKL_" in cell(line, "flavor"))
        self.assertIn("DYNAMIC_KERNEL_LOAD_", cell(line, "getter_symbol"))
        self.refused("DYNAMIC_KERNEL_LOAD_", line,
                     getter_symbol=cell(line, "getter_symbol").replace("DYNAMIC_KERNEL_LOAD_", "DKL_"))

    def test_a_getter_comes_once(self):
        self.refused("comes twice", 3, region="IRAM", getter_symbol="SUNDA_NX_ACT_RELEASE_IRAM_get")

    def test_only_a_cursor_has_no_bytes(self):
        cursor = line_where(lambda line: cell(line, "kind") == "CURSOR")
        self.refused("of size 0 is a CURSOR", 2, size="0x0")
        self.refused("of size 0 is a CURSOR", 2, kind="CURSOR")
        self.refused("of size 0 is a CURSOR", 2, kind="BLOB")
        self.refused("of size 0 is a CURSOR", cursor, size="0x10")
        self.refused("no bytes to hash", cursor, sha256="00" * 32, sha256_extent="full")

    def test_hashes_have_their_form(self):
        self.refused("is not one of", 2, sha256_extent="md5")
        for extent, sha256 in (("full", "ab" * 31), ("full", "AB" * 32), ("", "ab" * 32), ("prefix16", "ab" * 32),
                               ("prefix8", "ab" * 3), ("prefix..suffix", "ab" * 32), ("prefix..suffix", "abc..abcd")):
            self.refused("is not a hash of the form", 2, sha256_extent=extent, sha256=sha256)

    def test_every_form_of_a_hash_is_taken(self):
        for extent, sha256, written in (("prefix16", "ab" * 8, '"abababababababab", ""'),
                                        ("prefix8", "ab" * 4, '"abababab", ""'),
                                        ("prefix..suffix", "abcd..ef01", '"abcd", "ef01"'), ("", "", '"", ""')):
            self.assertIn("0x55f0, 0x8f20, " + written, self.emit(2, sha256_extent=extent, sha256=sha256))

    def test_getters_of_the_twin_follow_each_other(self):
        self.refused("does not stand 0x20 behind", 3, getter_text_va="0x9b2d44")

    def test_images_of_the_twin_follow_each_other(self):
        end = int(cell(2, "image_va_eq_file_off"), 0) + int(cell(2, "size"), 0)
        self.assertEqual(int(cell(3, "image_va_eq_file_off"), 0), end)
        self.refused("overlaps the image before by 0x10 bytes", 3, image_va_eq_file_off=hex(end - 16))
        self.refused("0x8 bytes lie between", 3, image_va_eq_file_off=hex(end + 8))

    def test_only_a_shared_object_is_padded_and_below_16_bytes(self):
        library = line_where(lambda line: cell(line, "region").endswith("_SO") and
                             cell(line, "container") == cell(line + 1, "container") == emit_fw_known.TWIN)
        end = int(cell(library, "image_va_eq_file_off"), 0) + int(cell(library, "size"), 0)
        self.assertLess(int(cell(library + 1, "image_va_eq_file_off"), 0) - end, 16)
        self.refused("0x10 bytes lie between", library + 1, image_va_eq_file_off=hex(end + 16))


if __name__ == "__main__":
    unittest.main()
