#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""trench fw verify, end to end: identity, contiguity, arithmetic, and each of them broken.

Hashes are Python's own; the sums are those of docs/hardware/firmware-images.md 3 and 5."""
import hashlib
import struct
import tempfile
import unittest
from pathlib import Path

from container_cli import FIXTURE, document, fw, recipe


def members_of(archive):
    """(header offset, name, offset, size) of a GNU archive, read here."""
    text, at, names, found = archive, 8, b"", []
    while at < len(text):
        head = text[at:at + 60]
        name, size = head[:16].decode().rstrip(), int(head[48:58])
        if name == "//":
            names = text[at + 60:at + 60 + size]
        elif name not in ("/", "/SYM64/"):
            if name[1:].isdigit():
                name = names[int(name[1:]):].split(b"/\n")[0].decode()
            found.append((at, name.rstrip("/"), at + 60, size))
        at += 60 + size + size % 2
    return found


class Verify(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.holder.cleanup)
        cls.room = Path(cls.holder.name)
        cls.shared = (FIXTURE / "internal.so").read_bytes()
        cls.archive = (FIXTURE / "archive.a").read_bytes()
        cls.rows = recipe()["internal"]

    def changed(self, name, content):
        path = self.room / name
        path.write_bytes(content)
        return path

    def test_the_fixture_holds(self):
        found = document("verify", FIXTURE / "internal.so", FIXTURE / "archive.a")
        carried = [r for r in self.rows if r["generation"] != "MAVERICK"]
        self.assertTrue(found["holds"])
        identity = found["identity"]
        self.assertEqual(identity["equal"], sum(r["size"] > 0 for r in carried))
        self.assertEqual(identity["cursors"], sum(r["size"] == 0 for r in carried))
        self.assertEqual((identity["differ"], identity["missing"], identity["not_carried"]), (0, 0, 62))
        # members without a getter: 24 DEBUG ones of SUNDA, 24 of each later generation, 15 of the framework
        self.assertEqual(len(identity["rest"]), 24 + 3 * 24 + 15)
        for pair, row in zip(identity["pairs"], self.rows):
            at, size = row["offset"], row["size"]
            self.assertEqual(pair["sha256"],
                             hashlib.sha256(self.shared[at:at + size]).hexdigest() if size else None)
        self.assertEqual(found["members"], {"sunda": 48, "cayman": 124, "mariana": 124, "mariana_plus": 124,
                                            "maverick": 0, "framework": 15, "total": 435})

    def test_contiguity_as_the_builder_laid_it(self):
        found = document("verify", FIXTURE / "internal.so", FIXTURE / "archive.a")["contiguity"]
        real = sorted((r["offset"], r["size"]) for r in self.rows if r["size"])
        padded = sum(a + s != b for (a, s), (b, _) in zip(real, real[1:]))
        self.assertEqual((found["images"], found["cursors"], found["astray"]), (225, 161, 0))
        self.assertEqual((found["touch"], found["padded"]), (224 - padded, padded))
        self.assertEqual((found["gaps"], found["overlap"]), (0, 0))

    def test_any_number_of_threads_says_the_same(self):
        one = fw("verify", FIXTURE / "internal.so", FIXTURE / "archive.a", "--json")
        for threads in ("2", "3", "64"):
            more = fw("verify", FIXTURE / "internal.so", FIXTURE / "archive.a", "--json", "--threads", threads)
            self.assertEqual(more.stdout, one.stdout)
        for threads in ("0", "65", "x", ""):
            self.assertEqual(fw("verify", FIXTURE / "internal.so", FIXTURE / "archive.a", "--threads",
                                threads).returncode, 2)

    def test_one_byte_that_differs_is_found(self):
        row = next(r for r in self.rows if r["name"] == "CAYMAN_NX_PE_DEBUG_IRAM")
        spot = row["size"] - 1
        image = bytearray(self.shared)
        image[row["offset"] + spot] ^= 1
        path = self.changed("byte.so", image)
        found = document("verify", path, FIXTURE / "archive.a", status=1)
        self.assertEqual(found["identity"]["differ"], 1)
        pair = next(p for p in found["identity"]["pairs"] if p["state"] == "differs")
        self.assertEqual((pair["symbol"], int(pair["differs_at"], 16)), (row["name"] + "_get", spot))
        done = fw("verify", path, FIXTURE / "archive.a")
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"differs  {row['name']} at {spot:#x}", done.stdout)
        self.assertTrue(done.stdout.endswith("does not hold\n"))

    def test_a_size_that_differs_is_found(self):
        """The size of a stub one byte less: the blobs no longer touch, and the member is longer."""
        row = next(r for r in self.rows if r["name"] == "SUNDA_NX_ACT_RELEASE_IRAM")
        image = bytearray(self.shared)
        stub = image.index(bytes.fromhex("48890748c706") + struct.pack("<I", row["size"]))
        struct.pack_into("<I", image, stub + 6, row["size"] - 1)
        found = document("verify", self.changed("size.so", image), FIXTURE / "archive.a", status=1)
        self.assertEqual(found["identity"]["differ"], 1)
        pair = found["identity"]["pairs"][0]
        self.assertEqual((pair["state"], int(pair["differs_at"], 16)), ("differs", row["size"] - 1))
        joint = [j for j in found["contiguity"]["joints"] if j["kind"] in ("gap", "padded")
                 and j["before"] == row["name"] + "_get"]
        self.assertEqual([int(j["distance"], 16) for j in joint], [1])

    def test_an_overlap_and_a_stray_cursor_are_found(self):
        row = next(r for r in self.rows if r["name"] == "SUNDA_NX_ACT_RELEASE_IRAM")
        image = bytearray(self.shared)
        stub = image.index(bytes.fromhex("48890748c706") + struct.pack("<I", row["size"]))
        struct.pack_into("<I", image, stub + 6, row["size"] + 16)
        found = document("verify", self.changed("overlap.so", image), FIXTURE / "archive.a", status=1)
        self.assertEqual(found["contiguity"]["overlap"], 1)
        cursor = image.index(bytes.fromhex("48890748c70600000000"))
        image = bytearray(self.shared)
        relative, = struct.unpack_from("<i", image, cursor - 4)
        struct.pack_into("<i", image, cursor - 4, relative + 1)
        found = document("verify", self.changed("astray.so", image), FIXTURE / "archive.a", status=1)
        self.assertEqual(found["contiguity"]["astray"], 1)
        self.assertEqual(found["identity"]["differ"], 0)

    def test_a_member_that_is_not_there(self):
        for gone, missing in (("img_CAYMAN_NX_PE_PERF_IRAM_contents.c.o", 1), ("nrtucode_core.c.o", 0)):
            entry = next(m for m in members_of(self.archive) if m[1] == gone)
            end = entry[2] + entry[3] + entry[3] % 2
            path = self.changed("less.a", self.archive[:entry[0]] + self.archive[end:])
            found = document("verify", FIXTURE / "internal.so", path, status=1)
            self.assertEqual((found["identity"]["missing"], found["arithmetic"]), (missing, False))
            done = fw("verify", FIXTURE / "internal.so", path)
            self.assertIn("= 434 members; expected 48 + 124 + 124 + 124 + 0 + 15", done.stdout)

    def test_thin_and_bsd_archives_hold_too(self):
        for name in ("thin.a", "bsd.a"):
            self.assertTrue(document("verify", FIXTURE / "internal.so", FIXTURE / name)["holds"])

    def test_text(self):
        done = fw("verify", FIXTURE / "internal.so", FIXTURE / "archive.a")
        self.assertIn("arithmetic: 48 + 124 + 124 + 124 + 0 + 15 = 435 members\n", done.stdout)
        self.assertTrue(done.stdout.endswith("holds\n"))
        for line in done.stdout.splitlines()[1:]:
            self.assertLessEqual(len(line), 100)

    def test_bad_input(self):
        for arguments in ((), (FIXTURE / "internal.so",), (FIXTURE / "internal.so", "/nonexistent"),
                          (FIXTURE / "damaged" / "cut_half.so", FIXTURE / "archive.a")):
            done = fw("verify", *arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
            self.assertEqual(len(done.stderr.splitlines()), 1)


if __name__ == "__main__":
    unittest.main()
