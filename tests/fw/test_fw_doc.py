#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The output on docs/firmware.md is what the program prints: every block that starts with `$ trench`.

Sizes of files and offsets of archive members are the compiler's and are not compared."""
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from container_cli import FIXTURE, REPOSITORY, TRENCH


def blocks():
    text = (REPOSITORY / "docs" / "firmware.md").read_text(encoding="utf-8")
    return re.findall(r"^```\n\$ trench (.*)\n((?:.*\n)*?)```$", text, re.MULTILINE)


def plain(command, text):
    text = re.sub(r"\b\d+ bytes$", "N bytes", text, flags=re.MULTILINE)
    if "archive.a" in command:
        text = re.sub(r"^0x[0-9a-f]+ +", "OFFSET ", text, flags=re.MULTILINE)
    return text


class Walk(unittest.TestCase):
    def test_each_block(self):
        found = blocks()
        self.assertGreaterEqual(len(found), 12)
        with tempfile.TemporaryDirectory() as room:
            for path in FIXTURE.iterdir():
                os.symlink(path, Path(room) / path.name)
            for command, wanted in found:
                if "/lib/firmware/" in command and not Path(command.split()[-1]).exists():
                    continue
                done = subprocess.run(f"{TRENCH} {command}", shell=True, cwd=room, capture_output=True, text=True,
                                      check=False, timeout=120)
                self.assertEqual(plain(command, done.stdout), plain(command, wanted), command)


class BigEndian(unittest.TestCase):
    """A container that nobody here made: the firmware of ath9k-htc, big-endian Xtensa (Debian's package)."""

    def test_it_is_named_and_declined(self):
        directory = Path("/lib/firmware/ath9k_htc")
        files = sorted(directory.glob("*.fw"))
        if not files:
            self.skipTest("firmware-ath9k-htc is not installed")
        for path in files:
            ls = subprocess.run([TRENCH, "fw", "ls", path], capture_output=True, text=True, check=True)
            self.assertIn("flat image: big-endian", ls.stdout)
            boot = subprocess.run([TRENCH, "fw", "boot", path], capture_output=True, text=True, check=False)
            self.assertNotIn("enter_run", boot.stdout)
            copy = tempfile.mkdtemp()
            self.addCleanup(shutil.rmtree, copy)
            little = Path(copy) / "little.bin"  # the same bytes, each pair swapped: no longer so
            data = path.read_bytes()
            little.write_bytes(bytes(data[i ^ 1] for i in range(len(data) & ~1)))
            other = subprocess.run([TRENCH, "fw", "ls", little], capture_output=True, text=True, check=True)
            self.assertNotIn("big-endian", other.stdout)


if __name__ == "__main__":
    unittest.main()
