#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""trench fw report, end to end: one page, whole and without references to anything else."""
import tempfile
import unittest
from html.parser import HTMLParser
from pathlib import Path

from container_cli import FIXTURE, fw, recipe

VOID = {"meta"}


class Page(HTMLParser):
    """Tags in order, table cells by row; every element is closed by its own end tag."""

    def __init__(self, text):
        super().__init__()
        self.open, self.rows, self.rects, self.text = [], [], [], ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name in ("src", "href") or "url(" in (value or ""):
                raise AssertionError(f"{tag} refers to {value}")
        if tag in ("script", "link", "img", "iframe"):
            raise AssertionError(f"a {tag}")
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if tag == "rect":
            self.rects.append(dict(attrs))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if self.open.pop() != tag:
            raise AssertionError(f"</{tag}>")

    def handle_data(self, data):
        self.text += data
        if self.open and self.open[-1] in ("td", "th"):
            self.rows[-1][-1] += data


class Report(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.out = Path(holder.name) / "report.html"

    def page(self, *files):
        done = fw("report", *files, "-o", self.out)
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        page = Page(self.out.read_text(encoding="ascii"))
        self.assertEqual(page.open, [])
        return page

    def test_matrix_map_and_evidence(self):
        page = self.page(FIXTURE / "internal.so")
        rows = recipe()["internal"]
        cells = {row[0]: row[1:] for row in page.rows}
        for row in rows:
            cell = cells[row["name"].removeprefix(row["generation"] + "_")]
            self.assertIn(hex(row["size"]) if row["size"] else "cursor", cell)
        self.assertEqual(cells["images and cursors"], ["24", "100", "100", "100", "62"])
        self.assertIn("\u25a0 sunda \u25a0 cayman", page.text)
        self.assertEqual(len(page.rects), sum(row["size"] > 0 for row in rows))
        for row in rows:
            if row["form"] == "code" and row["generation"] == "SUNDA" and row["core"] == "NX" and row["size"]:
                head, flavour, evidence = cells[row["name"]]
                self.assertEqual(head, "j 0x1dc, j 0x1e8, enter 0x94")
                self.assertTrue(flavour.startswith("SEGMENTED "), flavour)  # firmware-images.md 7.2
                self.assertTrue(evidence.startswith("S 1, A65 0, "), evidence)
        self.assertIn("0 gaps, 0 overlaps; 0 of 161 cursors astray", page.text)

    def test_names_of_a_container_are_escaped(self):
        member = b"x"
        head = f"{'<b>&.o/':<16}{0:<12}{0:<6}{0:<6}{644:<8}{len(member):<10}`\n".encode()
        path = self.out.with_name("strange.a")
        path.write_bytes(b"!<arch>\n" + head + member)
        page = self.page(path)
        self.assertIn("<b>&.o", page.text)

    def test_never_over_a_container(self):
        sunda = (FIXTURE / "sunda.so").read_bytes()
        copy, link = self.out.with_name("sunda.so"), self.out.with_name("link")
        copy.write_bytes(sunda)
        link.symlink_to(copy)
        for page in (copy, link):
            done = fw("report", FIXTURE / "archive.a", copy, "-o", page)
            self.assertEqual((done.returncode, copy.read_bytes()), (2, sunda))
            self.assertIn("would replace the container", done.stderr)

    def test_bad_input(self):
        self.assertEqual(fw("report", FIXTURE / "internal.so").returncode, 2)
        self.assertEqual(fw("report", "-o", self.out).returncode, 2)
        self.assertEqual(fw("report", FIXTURE / "damaged" / "cut_half.so", "-o", self.out).returncode, 2)
        self.assertFalse(self.out.exists())


if __name__ == "__main__":
    unittest.main()
