#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What trench fw ls lists of the shared objects and archives of this machine, against readelf, nm and ar.

usage: test_fw_listing.py TRENCH. 100 files at least, the C library's archive among them; sections, segments,
symbols and members agree one by one. Exits with 77 where the tools or the files are not there."""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import unittest

TRENCH = sys.argv.pop(1)
PLACES = ("/usr/lib/x86_64-linux-gnu", "/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/lib/gcc/*/*")
WANTED, LARGEST = 100, 1 << 20
BINDINGS = {"LOCAL": 0, "GLOBAL": 1, "WEAK": 2, "UNIQUE": 10}
TYPES = {"NOTYPE": 0, "OBJECT": 1, "FUNC": 2, "SECTION": 3, "FILE": 4, "COMMON": 5, "TLS": 6, "IFUNC": 10}
NO_INDEX = {"UND": 0, "ABS": 0xFFF1, "COM": 0xFFF2}


def output(*command):
    return subprocess.run(command, capture_output=True, check=True, timeout=120,
                          env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"}).stdout.decode("utf-8", "replace")


def files(pattern, wanted):
    """Regular files of the form that their names say, each once, the smaller ones first; the C library's
    archive always."""
    found = {}
    for place in PLACES:
        for path in glob.glob(f"{place}/{pattern}"):
            real = os.path.realpath(path)
            if os.path.isfile(real) and (os.path.getsize(real) <= LARGEST or real.endswith("/libc.a")) and \
                    has_form(real, pattern):
                found[real] = os.path.getsize(real)
    ordered = sorted(found, key=lambda p: (not p.endswith("/libc.a"), found[p], p))
    return ordered[:wanted]


def has_form(path, pattern):
    """An archive, or an ELF file for x86-64: other files bear these names too."""
    with open(path, "rb") as stream:
        head = stream.read(20)
    if pattern == "*.a":
        return head[:8] == b"!<arch>\n"
    return head[:6] == b"\x7fELF\x02\x01" and head[18:20] == b"\x3e\x00"


def listing(path, *arguments):
    done = subprocess.run([TRENCH, "fw", "ls", path, "--json", *arguments], capture_output=True, check=False,
                          timeout=120)
    if done.returncode != 0:
        raise AssertionError(f"{path}: {done.stderr.decode()}")
    return json.loads(done.stdout)["files"][0]


def readelf_sections(path):
    """(name, offset, size, address) of each section, after the null one."""
    rows = []
    for line in output("readelf", "-S", "-W", path).splitlines():
        match = re.match(r"\s*\[\s*\d+\] (.*?)\s+([A-Z_0-9:<>a-z+ ]+?)\s+([0-9a-f]{16}) ([0-9a-f]+) ([0-9a-f]+) ",
                         line)
        if match:
            rows.append((match[1].strip(), int(match[4], 16), int(match[5], 16), int(match[3], 16)))
    return rows


def readelf_segments(path):
    rows = []
    for line in output("readelf", "-l", "-W", path).splitlines():
        match = re.match(r"  \S+\s+0x([0-9a-f]+) 0x([0-9a-f]+) 0x[0-9a-f]+ 0x([0-9a-f]+) 0x([0-9a-f]+) ", line)
        if match:
            rows.append(tuple(int(text, 16) for text in match.groups()))
    return rows


def readelf_symbols(path, which):
    """(value, size, type, binding, section) and the name of each symbol of one table, after the null one."""
    rows = []
    for line in output("readelf", which, "-W", path).splitlines():
        match = re.match(r"\s*\d+: ([0-9a-f]+)\s+(0x[0-9a-f]+|\d+) (\S+)\s+(\S+)\s+\S+\s+(?:\[.*?\] )?(\S+) ?(.*)$",
                         line)
        if not match or (match[4] == "Bind"):
            continue
        section = NO_INDEX[match[5]] if match[5] in NO_INDEX else int(match[5])
        kind = TYPES.get(match[3])
        rows.append(((int(match[1], 16), int(match[2], 0), kind, BINDINGS[match[4]], section),
                     match[6].split("@")[0].strip()))
    return rows[1:]


class SharedObjects(unittest.TestCase):
    def test_sections_segments_and_symbols(self):
        paths = files("*.so*", WANTED)
        self.assertGreaterEqual(len(paths) + len(files("*.a", WANTED)), WANTED, "too few files on this machine")
        for path in paths:
            with self.subTest(path):
                found = listing(path, "--sections", "--segments", "--symbols")
                self.assertEqual([(s["name"], s["offset"], s["size"], s["va"]) for s in found["sections"][1:]],
                                 readelf_sections(path)[-len(found["sections"]) + 1:])
                self.assertEqual([(s["offset"], s["va"], s["file_size"], s["memory_size"])
                                  for s in found["segments"]], readelf_segments(path))
                self.symbols(found["symbols"], path)

    def symbols(self, found, path):
        ours = [s for s in found if s["dynamic"]]
        theirs = readelf_symbols(path, "--dyn-syms")
        self.assertEqual(len(ours), len(theirs))
        for mine, (row, name) in zip(ours, theirs):
            if row[2] is None:
                row = row[:2] + (mine["type"],) + row[3:]
            self.assertEqual((mine["value"], mine["size"], mine["type"], mine["binding"], mine["section"]), row)
            if name and "[...]" not in name:
                self.assertEqual(mine["name"], name)
        self.assertEqual(sorted(s["value"] for s in ours if s["section"] and s["type"] != 3 and s["type"] != 4),
                         sorted(nm_values(path)))


def nm_values(path):
    lines = output("nm", "-D", path).splitlines()
    return [int(line.split()[0], 16) for line in lines if re.match(r"[0-9a-f]{16} ", line)]


class Archives(unittest.TestCase):
    def test_members_and_their_symbols(self):
        paths = files("*.a", 30)
        self.assertTrue(any(p.endswith("/libc.a") for p in paths), "the C library's archive is not there")
        for path in paths:
            with self.subTest(path):
                found = listing(path, "--members", "--symbols")["member_list"]
                theirs = [re.match(r"(.*) 0x([0-9a-f]+)$", line) for line in output("ar", "tO", path).splitlines()]
                self.assertEqual([(m["name"], m["offset"]) for m in found],
                                 [(match[1], int(match[2], 16)) for match in theirs])
                sizes = [int(line.split()[2]) for line in output("ar", "tv", path).splitlines()]
                self.assertEqual([m["size"] for m in found], sizes)
                self.member_symbols(path, found)

    def member_symbols(self, path, found):
        """nm lists, member by member, what has a name and is neither a file nor a section."""
        theirs, current = [], None
        for line in output("nm", "-p", path).splitlines():
            if line.endswith(":"):
                current = []
                theirs.append(current)
            match = re.match(r"([0-9a-f]{16}|\s{16}) (\S) (\S+)$", line)
            if match:
                current.append((match[3], int(match[1].strip() or "0", 16)))
        ours = [[(s["name"], 0 if s["section"] == 0 else s["value"]) for s in m["symbols"]
                 if s["type"] not in (3, 4)] for m in found]
        for mine, other, member in zip(ours, theirs, found):
            if any(s["section"] == 0xFFF2 for s in member["symbols"]):
                continue  # nm prints the size of a common symbol as its value
            self.assertEqual(mine, other, member["name"])
        self.assertEqual(len(theirs), len(ours))


if __name__ == "__main__":
    if any(shutil.which(tool) is None for tool in ("readelf", "nm", "ar")):
        print("readelf, nm or ar is not installed", file=sys.stderr)
        sys.exit(77)
    unittest.main()
