#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""trench fw matrix and fw diff, end to end, on containers that fixture.py built.

Sizes come from the builder's record; opcodes from the seed facts of docs/hardware/generations.md 6 and
data/opcodes.csv, read here; heads from docs/hardware/firmware-images.md 6.1."""
import csv
import unittest

from container_cli import FIXTURE, REPOSITORY, document, fw, recipe

GENERATIONS = ("sunda", "cayman", "mariana", "mariana_plus", "maverick")


def opcodes():
    """opcode -> generations that have it; mariana_plus runs mariana's set."""
    with open(REPOSITORY / "data" / "opcodes.csv", newline="", encoding="utf-8") as stream:
        return {int(row["opcode"], 16): [g for g in GENERATIONS
                                         if row["mariana" if g == "mariana_plus" else g] == "1"]
                for row in csv.DictReader(stream)}


class Matrix(unittest.TestCase):
    def test_each_cell_is_the_builders(self):
        found = document("matrix", FIXTURE / "internal.so")
        cells = {(row["image"], gen): row[gen] for row in found["rows"] for gen in GENERATIONS}
        rows = recipe()["internal"]
        filled = {key for key, cell in cells.items() if cell}
        self.assertEqual(len(filled), 386)
        for row in rows:
            gen = row["generation"].lower()
            cell = cells[row["name"].removeprefix(row["generation"] + "_"), gen]
            self.assertEqual((int(cell["size"], 16), cell["kind"]), (row["size"], row["kind"]))
        self.assertEqual(found["counts"], dict(zip(GENERATIONS, (24, 100, 100, 100, 62))))

    def test_absent_cells_stay_absent(self):
        """firmware-images.md 3: what MAVERICK, SUNDA and every SP do not have."""
        for row in document("matrix", FIXTURE / "internal.so")["rows"]:
            name = row["image"]
            if name.startswith("NX_ACT_") or "DYNAMIC_KERNEL_LOAD" in name or \
                    ("_DEBUG_" in name and name.startswith(("NX_PE", "NX_POOL", "NX_SP"))):
                self.assertIsNone(row["maverick"], name)
            if "_RELEASE_" not in name:
                self.assertIsNone(row["sunda"], name)
            self.assertFalse(name.startswith("NX_SP_PROF"))

    def test_heads_of_the_sheet(self):
        rows = {row["image"]: row for row in document("matrix", FIXTURE / "internal.so")["rows"]}
        self.assertEqual(rows["NX_PE_RELEASE_IRAM"]["sunda"]["head"], "j 0x1dc, j 0x1e8, enter 0x94")
        self.assertEqual(rows["NX_PE_PERF_IRAM"]["cayman"]["head"], "j 0x1dc, j 0x1e8, enter 0x90")
        self.assertEqual(rows["NX_PE_PERF_IRAM"]["mariana"]["head"], "j 0x1f8, j 0x204, enter 0x90")
        self.assertEqual(rows["Q7_POOL_PERF_IRAM"]["mariana_plus"]["head"], "j 0x200, j 0x20c, enter 0x90")
        self.assertEqual(rows["NX_PE_PERF_IRAM"]["maverick"]["head"], "j 0x1d8, j 0x1e4, enter 0x94")

    def test_opcodes_of_the_generations(self):
        found = document("matrix", "--opcodes")["opcodes"]
        self.assertEqual(found["counts"], dict(zip(GENERATIONS, (145, 150, 159, 159, 165))))
        listed = {int(row["opcode"], 16): (row["first"], row["last"]) for row in found["list"]}
        wanted = {op: (gens[0], gens[-1]) for op, gens in opcodes().items() if gens}
        self.assertEqual(listed, wanted)
        for op in (0x08, 0x09, 0x0A):
            self.assertEqual(listed[op][0], "mariana")
        self.assertEqual(listed[0xE4][0], "cayman")
        self.assertEqual([listed[op] for op in (0x87, 0x88)], [("sunda", "sunda")] * 2)

    def test_text(self):
        done = fw("matrix", FIXTURE / "internal.so", "--heads", "--opcodes")
        self.assertEqual(done.returncode, 0)
        for line in done.stdout.splitlines():
            self.assertLessEqual(len(line), 100, line)
        self.assertEqual(fw("matrix").returncode, 2)
        self.assertEqual(fw("matrix", FIXTURE / "stripped.so").returncode, 1)


class Diff(unittest.TestCase):
    def test_a_container_and_itself(self):
        self.assertEqual(fw("diff", FIXTURE / "internal.so", FIXTURE / "internal.so").returncode, 0)

    def test_shared_object_against_archive(self):
        found = document("diff", FIXTURE / "internal.so", FIXTURE / "archive.a", status=1)
        self.assertEqual((found["equal"], found["changed"], found["removed"], found["added"]), (324, 0, 62, 111))

    def test_two_generations(self):
        found = document("diff", FIXTURE / "internal.so", "--from", "sunda", "--to", "cayman", status=1)
        sides = {gen: {row["name"].removeprefix(gen + "_").replace("_RELEASE_", "_PERF_"): row
                       for row in recipe()["internal"] if row["generation"] == gen}
                 for gen in ("SUNDA", "CAYMAN")}
        common = sides["SUNDA"].keys() & sides["CAYMAN"].keys()
        self.assertEqual({i["name"] for i in found["images"] if i["first"] and i["second"]}, common)
        self.assertEqual((found["removed"], found["added"]),
                         (len(sides["SUNDA"].keys() - common), len(sides["CAYMAN"].keys() - common)))
        pe = next(i for i in found["images"] if i["name"] == "NX_PE_PERF_IRAM")
        self.assertEqual((pe["first"]["head"], pe["second"]["head"]),
                         ("j 0x1dc, j 0x1e8, enter 0x94", "j 0x1dc, j 0x1e8, enter 0x90"))
        have = opcodes()
        for side, there, gone in (("removed", "sunda", "cayman"), ("added", "cayman", "sunda")):
            self.assertEqual([int(row["opcode"], 16) for row in found["opcodes"][side]],
                             [op for op, gens in sorted(have.items()) if there in gens and gone not in gens])

    def test_text_and_bad_input(self):
        done = fw("diff", FIXTURE / "internal.so", "--from", "sunda", "--to", "cayman", "--strings")
        self.assertEqual(done.returncode, 1)
        for line in done.stdout.splitlines():
            self.assertLessEqual(len(line), 100, line)
        for arguments in ((), (FIXTURE / "internal.so",), (FIXTURE / "internal.so", "--from", "sunda"),
                          (FIXTURE / "internal.so", "--from", "sunda", "--to", "moon")):
            self.assertEqual(fw("diff", *arguments).returncode, 2)


if __name__ == "__main__":
    unittest.main()
