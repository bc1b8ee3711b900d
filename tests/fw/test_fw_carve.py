#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""trench fw carve, end to end: every byte lands in its file, and nothing lands elsewhere."""
import hashlib
import json
import os
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from container_cli import FIXTURE, TRENCH, document, fw, recipe


def files_of(directory):
    return {p.name: p.read_bytes() for p in Path(directory).iterdir()}


class Carve(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.room = Path(holder.name)

    def test_each_image_is_a_file_and_the_manifest_says_which(self):
        out = self.room / "out"
        done = fw("carve", FIXTURE / "internal.so", "-o", out)
        self.assertEqual(done.returncode, 0, done.stderr)
        files = files_of(out)
        manifest = json.loads(files.pop("manifest.json"))
        self.assertEqual(manifest["schema"], "trench.fw.carve/1")
        rows = recipe()["internal"]
        self.assertEqual(len(manifest["images"]), len(rows))
        carved = set()
        for entry, row in zip(manifest["images"], rows):
            self.assertEqual(entry["symbol"], row["name"] + "_get")
            if row["size"] == 0:
                self.assertIsNone(entry["carved"])
                continue
            content = files[entry["carved"]]
            carved.add(entry["carved"])
            self.assertTrue(entry["carved"].startswith(row["name"] + "."))
            self.assertEqual(hashlib.sha256(content).hexdigest(), row["sha256"])
            self.assertEqual(entry["sha256"], row["sha256"])
        self.assertEqual(carved, set(files))
        self.assertEqual(os.listdir(self.room), ["out"])

    def test_a_signal_leaves_nothing_behind(self):
        # Images enough for seconds of work; the signal comes as soon as the first directory is there.
        big = self.room / "big.a"
        image = bytes(1 << 20)
        with open(big, "wb") as stream:
            stream.write(b"!<arch>\n")
            for i in range(300):
                stream.write(f"m{i}.bin/".ljust(16).encode() + b"0".ljust(12) + b"0".ljust(6) + b"0".ljust(6) +
                             b"644".ljust(8) + str(len(image)).ljust(10).encode() + b"`\n" + image)
        for number in (signal.SIGTERM, signal.SIGINT):
            with subprocess.Popen([TRENCH, "fw", "carve", big, "-o", self.room / "out"], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL,
                                  preexec_fn=lambda n=number: signal.signal(n, signal.SIG_DFL)) as child:
                while child.poll() is None and len(os.listdir(self.room)) == 1:
                    time.sleep(0.001)
                child.send_signal(number)
            self.assertEqual(child.returncode, -number)
            self.assertEqual(os.listdir(self.room), ["big.a"])

    def test_select_and_json(self):
        out = self.room / "out"
        manifest = document("carve", FIXTURE / "archive.a", "--select", "SUNDA_NX_SP_DEBUG_*", "-o", out)
        self.assertEqual([i["carved"] for i in manifest["images"]],
                         ["SUNDA_NX_SP_DEBUG_IRAM.bin", "SUNDA_NX_SP_DEBUG_DRAM.bin", None, None])
        self.assertEqual(json.loads((out / "manifest.json").read_bytes()), manifest)
        done = fw("carve", FIXTURE / "archive.a", "--select", "none", "-o", self.room / "other")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(os.listdir(self.room), ["out"])

    def test_what_exists_stays_as_it_is(self):
        taken = {"directory": lambda p: p.mkdir(), "file": lambda p: p.write_text("mine"),
                 "link": lambda p: p.symlink_to(self.room / "elsewhere"),
                 "good link": lambda p: p.symlink_to("/tmp")}
        for name, make in taken.items():
            path = self.room / name
            make(path)
            for spelled in (str(path), str(path) + "/"):
                done = fw("carve", FIXTURE / "internal.so", "-o", spelled)
                self.assertEqual(done.returncode, 2, name)
                self.assertIn("exists already", done.stderr)
        self.assertEqual(sorted(os.listdir(self.room)), sorted(taken))
        self.assertEqual((self.room / "file").read_text(), "mine")
        self.assertEqual(os.listdir(self.room / "directory"), [])

    def test_names_never_lead_out(self):
        for name in ("ar_dotdot.a", "ar_absolute.a", "ar_bsd_dotdot.a"):
            out = self.room / name / "deep" / "out"
            out.parent.mkdir(parents=True)
            done = fw("carve", FIXTURE / "damaged" / name, "-o", out)
            self.assertEqual(done.returncode, 0, done.stderr)
            everything = [p for p in (self.room / name).rglob("*") if not p.is_dir()]
            self.assertEqual({p.parent for p in everything}, {out}, name)
            self.assertEqual(len(everything), 2)
        self.assertFalse(Path("/tmp/fixture-escape.o").exists())

    def archive(self, *names):
        """An ar archive of members with BSD names, of one byte each."""
        text = b"!<arch>\n"
        for name in names:
            body = name.encode() + b"x"
            head = f"{'#1/' + str(len(name)):<16}{0:<12}{0:<6}{0:<6}{644:<8}{len(body):<10}`\n"
            text += head.encode() + body + b"\n" * (len(body) % 2)
        path = self.room / "names.a"
        path.write_bytes(text)
        return path

    def test_strange_names(self):
        names = ("..", ".", "/", "a/..", "a\\b", ".hidden", "same", "same", "manifest", "n" * 500, "\x01\x7f")
        out = self.room / "out"
        manifest = document("carve", self.archive(*names), "-o", out)
        carved = [i["carved"] for i in manifest["images"]]
        self.assertEqual(carved, ["_..bin", "_.bin", "_~2.bin", "_.~2.bin", "a_b.bin", "_hidden.bin", "same.bin",
                                  "same~2.bin", "manifest.bin", "n" * 200 + ".bin", "__.bin"])
        self.assertEqual(len(set(carved)), len(names))
        self.assertEqual(set(os.listdir(out)), set(carved) | {"manifest.json"})
        for file in carved:
            self.assertNotIn("/", file)
            self.assertFalse(file.startswith("."))
            self.assertEqual((out / file).read_bytes(), b"x")

    def test_a_member_called_manifest_json(self):
        """Its form is JSON and its name the manifest's: one of the two would be lost."""
        body = b"manifest{}"
        head = f"{'#1/8':<16}{0:<12}{0:<6}{0:<6}{644:<8}{len(body):<10}`\n"
        path = self.room / "m.a"
        path.write_bytes(b"!<arch>\n" + head.encode() + body)
        done = fw("carve", path, "-o", self.room / "out")
        self.assertEqual(done.returncode, 0, done.stderr)
        files = files_of(self.room / "out")
        self.assertEqual(json.loads(files["manifest.json"])["images"][0]["carved"], "manifest~2.json")
        self.assertEqual(files["manifest~2.json"], b"{}")

    def test_no_place_to_write(self):
        done = fw("carve", FIXTURE / "internal.so", "-o", self.room / "no" / "such" / "out")
        self.assertEqual(done.returncode, 2)
        self.assertIn("cannot create", done.stderr)
        self.assertEqual(fw("carve", FIXTURE / "internal.so").returncode, 2)


if __name__ == "__main__":
    unittest.main()
