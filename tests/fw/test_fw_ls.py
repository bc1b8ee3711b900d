#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""trench fw ls, end to end, on containers that fixture.py built.

What is in them comes from recipe.json (the builder's own record); counts of the vendor's containers from
docs/hardware/firmware-images.md 3 and 5, which the fixture's structure follows."""
import csv
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from container_cli import FIXTURE, REPOSITORY, TRENCH, document, fw, listing, recipe

GENERATIONS = ("sunda", "cayman", "mariana", "mariana_plus", "maverick")
#: firmware-images.md 3: getters with bodies by core, generation by generation
CORES = {"NX_ACT": (4, 14, 14, 14, 0), "NX_DVE": (4, 14, 14, 14, 14), "NX_PE": (4, 14, 14, 14, 10),
         "NX_POOL": (4, 14, 14, 14, 10), "NX_SP": (4, 12, 12, 12, 8), "Q7_POOL": (4, 32, 32, 32, 20)}
TOTALS = (24, 100, 100, 100, 62)
#: What a damaged container's message must say; None: it is listed, with a note that says so.
DAMAGED = {
    "cut_header.so": "ELF header", "cut_half.so": "past the end", "cut_sections.so": "section headers",
    "big_endian.so": "big-endian ELF", "sections_past_end.so": "section headers",
    "sections_overflow.so": "section headers", "many_sections.so": "section headers",
    "many_segments.so": "segment headers", "segments_overlap.so": "both map address",
    "segment_past_end.so": "past the end", "segment_wraps.so": "wraps around",
    "getter_outside.so": "which no segment holds", "getter_too_long.so": "which no segment holds",
    "getter_self.so": "getter SUNDA_NX_ACT_RELEASE_IRAM_get returns", "names_past_end.so": "outside its table",
    "ar_cut.a": "past the end", "ar_cut_header.a": "header is cut off", "ar_size.a": "size is no number",
    "ar_huge.a": "past the end", "ar_end.a": "does not end so", "ar_no_names.a": "outside the table of names",
    "ar_name_past.a": "outside the table of names", "ar_bsd_long.a": "longer than itself"}


class Inventory(unittest.TestCase):
    def compare(self, images, rows, symbol):
        self.assertEqual(len(images), len(rows))
        for image, row in zip(images, rows):
            self.assertEqual((image["gen"], image["core"], image["engine"]),
                             (row["generation"].lower(), row["core"], row["engine"].lower()))
            self.assertEqual((image["kind"], int(image["size"], 16)), (row["kind"], row["size"]))
            if symbol:
                self.assertEqual(image["symbol"], row["name"] + "_get")
                self.assertEqual(image["source"], "getter")
                self.assertEqual(int(image["offset"], 16), row["offset"])
                self.assertEqual(int(image["getter"], 16), row["getter_va"])
            if row["size"]:
                self.assertEqual(image["sha256"], row["sha256"])
            else:
                self.assertIsNone(image["sha256"])

    def test_getters_of_the_shared_object(self):
        found = listing(FIXTURE / "internal.so", "--hash")
        self.assertEqual(found["form"], "shared object")
        self.compare(found["images"], recipe()["internal"], True)
        self.assertEqual(found["notes"], [])

    def test_counts_of_the_sheet(self):
        totals = listing(FIXTURE / "internal.so")["totals"]
        self.assertEqual((totals["images"], totals["cursors"]), (225, 161))
        for i, gen in enumerate(GENERATIONS):
            of_gen = totals["generations"][gen]
            self.assertEqual(of_gen["images"] + of_gen["cursors"], TOTALS[i])
            self.assertEqual(of_gen["cores"], {core: counts[i] for core, counts in CORES.items()})

    def test_names_follow_the_catalogue(self):
        with open(REPOSITORY / "data" / "firmware-images.csv", newline="", encoding="utf-8") as stream:
            rows = [row for row in csv.DictReader(stream) if row["container"] == "internal.so"]
        images = listing(FIXTURE / "internal.so")["images"]
        self.assertEqual([i["symbol"] for i in images], [r["getter_symbol"] for r in rows])

    def test_a_stripped_object_is_searched_by_code(self):
        named = listing(FIXTURE / "internal.so", "--hash")["images"]
        stripped = listing(FIXTURE / "stripped.so", "--hash")["images"]
        self.assertEqual([(i["getter"], i["size"], i["sha256"]) for i in stripped],
                         [(i["getter"], i["size"], i["sha256"]) for i in named])
        self.assertEqual({i["gen"] for i in stripped}, {None})

    def test_stubs_behind_endbr64(self):
        rows = recipe()["runtime"]
        images = listing(FIXTURE / "runtime.so", "--hash")["images"]
        by_getter = {int(i["getter"], 16): i for i in images}
        self.assertEqual(len(images), len(rows))
        for row in rows:
            image = by_getter[row["getter_va"]]
            self.assertEqual((int(image["size"], 16), image["sha256"]),
                             (row["size"], row["sha256"] if row["size"] else None))

    def test_members_of_archives(self):
        wanted = recipe()
        for name in ("archive.a", "thin.a", "bsd.a"):
            found = listing(FIXTURE / name, "--hash")
            images = {i["symbol"].rpartition("/")[2]: i for i in found["images"]}
            self.assertEqual(len(images), 435)
            for row in wanted["archive"]:
                image = images[row["member"]]
                self.assertEqual((image["kind"], int(image["size"], 16)), (row["kind"], row["size"]))
                self.assertEqual(image["sha256"], row["sha256"] if row["size"] else None)
            for member in wanted["framework"]:
                self.assertIsNone(images[member]["gen"])
            split = found["totals"]["members"]
            self.assertEqual(split["generations"], dict(zip(GENERATIONS, (48, 124, 124, 124, 0))))
            self.assertEqual((split["framework"], split["total"]), (15, 435))
            # 5: 24 members a generation that no getter of the shared object answers for
            self.assertEqual(split["unmatched"], dict(zip(GENERATIONS, (0, 24, 24, 24, 0))))

    def test_text_fits_a_terminal(self):
        for name in ("internal.so", "archive.a", "thin.a"):
            for line in fw("ls", FIXTURE / name, "--hash").stdout.splitlines()[1:]:
                self.assertLessEqual(len(line), 100, line)

    def test_select(self):
        images = listing(FIXTURE / "internal.so", "--select", "sunda_*_iram")["images"]
        self.assertEqual(len(images), 6)
        self.assertEqual(fw("ls", FIXTURE / "internal.so", "--select", "nothing*").returncode, 1)

    def test_several_files(self):
        files = document("ls", FIXTURE / "internal.so", FIXTURE / "archive.a")["files"]
        self.assertEqual([f["form"] for f in files], ["shared object", "ar archive"])


class BadInput(unittest.TestCase):
    def test_names_do_not_reach_the_terminal(self):
        names = (b"\x1b[31mred/\n", b"bell\x07\xff/\n")
        table = b"".join(names)
        header = "{:16}{:12}{:6}{:6}{:8}{:<10}`\n".format
        data = b"!<arch>\n" + header("//", "", "", "", "", len(table)).encode() + table + b"\n" * (len(table) & 1)
        for at in (0, len(names[0])):
            data += header(f"/{at}", 0, 0, 0, 644, 4).encode() + b"ABCD"
        with tempfile.TemporaryDirectory() as room:
            path = Path(room) / "names.a"
            path.write_bytes(data)
            for arguments in (("ls", path, "--members"), ("strings", path), ("diff", path, FIXTURE / "bsd.a")):
                done = subprocess.run([TRENCH, "fw", *arguments], capture_output=True, check=False)
                self.assertNotIn(b"\x1b", done.stdout)
                self.assertNotIn(b"\x07", done.stdout)
            self.assertEqual(listing(path)["images"][0]["symbol"], "\x1b[31mred")  # JSON escapes it

    def test_a_file_that_gets_shorter(self):
        # The list is longer than a pipe holds: when its first byte is here, most of the file is not read yet.
        with tempfile.TemporaryDirectory() as room:
            path = Path(room) / "image.bin"
            path.write_bytes(b"words\0" * 1_000_000)
            with subprocess.Popen([TRENCH, "fw", "strings", "--list", path], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE) as child:
                child.stdout.read(1)
                os.truncate(path, 0)
                _, said = child.communicate(timeout=60)
            self.assertEqual((child.returncode, said), (2, b"trench: error: a file got shorter while it was read\n"))

    def test_damaged_containers_are_refused_with_a_place(self):
        for name, message in DAMAGED.items():
            done = fw("ls", FIXTURE / "damaged" / name)
            self.assertEqual(done.returncode, 2, f"{name}: {done.stdout}")
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertIn(message, done.stderr, name)
            self.assertIn(str(FIXTURE / "damaged" / name), done.stderr)

    def test_containers_that_can_still_be_read(self):
        for name in ("getter_negative.so", "getter_other.so"):
            found = listing(FIXTURE / "damaged" / name)
            self.assertEqual(len(found["images"]), 23)
            self.assertEqual(len(found["notes"]), 1)
            self.assertIn("named like a getter", found["notes"][0])
        found = listing(FIXTURE / "damaged" / "ar_self.a", "--members")
        self.assertEqual([m["name"] for m in found["member_list"]], ["self.a"])
        twice = listing(FIXTURE / "damaged" / "ar_twice.a")
        self.assertEqual([i["symbol"] for i in twice["images"]], ["same.o", "same.o"])

    def test_files_that_are_none(self):
        for path, message in (("/nonexistent/x.so", "cannot open"), (FIXTURE, "not a regular file"),
                              ("/dev/null", "not a regular file")):
            done = fw("ls", path)
            self.assertEqual(done.returncode, 2)
            self.assertIn(message, done.stderr)
        self.assertEqual(fw("ls").returncode, 2)


if __name__ == "__main__":
    unittest.main()
