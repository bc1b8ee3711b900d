#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The synthetic containers are what the sheet documents, by the word of readelf, nm and ar.

Numbers: docs/hardware/firmware-images.md 2.2, 2.3, 3, 5, 6.1, 9, 13.
"""
import collections
import json
import re
import subprocess
import sys
import unittest
from pathlib import Path

OUT = Path(sys.argv.pop(1))
RECIPE = json.loads((OUT / "recipe.json").read_text())


def tool(*args):
    return subprocess.run([str(arg) for arg in args], capture_output=True, text=True, check=True).stdout


def generation(name):
    return re.match(r"(SUNDA|CAYMAN|MARIANA_PLUS|MARIANA|MAVERICK)_", name)[1]


class Fixture(unittest.TestCase):
    def test_getters_of_each_generation(self):
        names = [line.split()[2] for line in tool("nm", OUT / "internal.so").splitlines() if line.endswith("_get")]
        self.assertEqual(collections.Counter(map(generation, names)),
                         {"SUNDA": 24, "CAYMAN": 100, "MARIANA": 100, "MARIANA_PLUS": 100, "MAVERICK": 62})
        self.assertNotIn("_get", tool("readelf", "-W", "--dyn-syms", OUT / "internal.so").replace("fixture_get", ""))

    def test_getters_keep_the_documented_stride(self):
        places = [row["getter_va"] for row in RECIPE["internal"]]
        self.assertEqual(places[0], 0x9B2D20)
        self.assertEqual(places[-1], 0x9B5D40)
        self.assertEqual({b - a for a, b in zip(places, places[1:])}, {0x20})

    def test_stub_is_the_documented_one_with_and_without_endbr64(self):
        listing = tool("objdump", "-d", "-w", "--no-show-raw-insn", "--start-address=0x9b2d20", "--stop-address=0x9b2d40",
                       OUT / "internal.so")
        self.assertEqual(re.findall(r"^ +[0-9a-f]+:\s+(\w+)", listing, re.M)[:4], ["lea", "mov", "movq", "ret"])
        first = RECIPE["runtime"][0]
        body = (OUT / "runtime.so").read_bytes()
        self.assertIn(bytes.fromhex("f30f1efa488d05"), body)
        self.assertEqual(body.count(bytes.fromhex("f30f1efa488d05")), len(RECIPE["runtime"]))
        self.assertEqual(first["getter_va"] % 0x20, 0)

    def test_blobs_are_contiguous(self):
        at = 0x55F0
        for row in RECIPE["internal"]:
            if row["region"].endswith("JSON"):
                at = (at + 15) & ~15
            self.assertEqual(row["va"], at, row["name"])
            at += row["size"]
        sunda = {row["name"]: row["va"] for row in RECIPE["internal"] if row["generation"] == "SUNDA"}
        self.assertEqual(sunda["SUNDA_Q7_POOL_RELEASE_IRAM"], 0x48BF0)
        self.assertEqual(sunda["SUNDA_NX_SP_RELEASE_IRAM"], 0x3B580)

    def test_archive_members(self):
        for name in ("archive.a", "thin.a", "bsd.a"):
            members = [Path(line).name for line in tool("ar", "t", OUT / name).splitlines()]
            split = collections.Counter()
            for member in members:
                found = re.match(r"(?:img|hwdecode)_(\w+)_contents", member)
                split[generation(found[1]) if found else "framework"] += 1
            self.assertEqual(split, {"SUNDA": 48, "CAYMAN": 124, "MARIANA": 124, "MARIANA_PLUS": 124, "framework": 15})
            self.assertEqual(len(members), 435)

    def test_heads(self):
        self.assertEqual((OUT / "flat/SUNDA_NX_ACT_RELEASE_IRAM.bin").read_bytes()[:12].hex(), "067600000000867700000000")
        self.assertEqual((OUT / "flat/MARIANA_NX_PE_DEBUG_IRAM.bin").read_bytes()[:16].hex(),
                         "067d00000000867e00000000a0716980")
        trampoline = (OUT / "flat/SUNDA_NX_ACT_RELEASE_IRAM.bin").read_bytes()[0x1DC:0x1EB].hex()
        self.assertEqual(trampoline[:18], "040000049400a00000")
        self.assertEqual(trampoline[-6:], "005200")
        self.assertEqual((OUT / "flat/CAYMAN_NX_ACT_PERF_IRAM.bin").read_bytes()[0x1DC:0x1E2].hex(), "040000049000")

    def test_strings_by_another_tool(self):
        for row in RECIPE["flat"]:
            if row.get("form") == "data":
                found = tool("strings", "-n", "3", OUT / "flat" / f"{row['name']}.bin").splitlines()
                self.assertEqual(len(found), row["strings"], row["name"])

    def test_sunda_debug_pools(self):
        pools = {engine: set(tool("strings", "-n", "3", OUT / f"flat/SUNDA_NX_{engine}_DEBUG_DRAM.bin").splitlines())
                 for engine in ("ACT", "DVE", "PE", "SP")}
        common = set.intersection(*pools.values())
        self.assertEqual(len(common), 62)
        self.assertEqual({engine: len(pool - common) for engine, pool in pools.items()},
                         {"ACT": 0, "DVE": 1, "PE": 0, "SP": 0})

    def test_kernel_libraries(self):
        head = tool("readelf", "-h", "-W", OUT / "flat/CAYMAN_Q7_POOL_PERF_EXTISA_0_SO.bin")
        self.assertRegex(head, r"Machine:\s+Tensilica Xtensa")
        self.assertRegex(head, r"Entry point address:\s+0x1005610")
        self.assertIn("kernel_info_table", tool("readelf", "-S", "-W", OUT / "flat/CAYMAN_Q7_POOL_PERF_EXTISA_0_SO.bin"))
        self.assertIn("kernel_info_table", tool("readelf", "-s", "-W", OUT / "flat/SUNDA_Q7_POOL_RELEASE_EXTISA_0_SO.bin"))
        body = (OUT / "flat/CAYMAN_Q7_POOL_PERF_EXTISA_0_SO.bin").read_bytes()
        # The entry point and the head of the table as the seed quotes them.
        self.assertEqual(body[0x7400:0x7410].hex(), "0000007e800000010000007cf8030001")
        self.assertEqual(body[0x7430:0x7440].hex(), "000000f070330001000001f080330001")

    def test_each_damage_is_a_change(self):
        good = (OUT / "sunda.so").read_bytes()
        for name in RECIPE["damaged"]:
            if name.endswith(".so"):
                self.assertNotEqual((OUT / "damaged" / name).read_bytes(), good, name)
        self.assertGreaterEqual(len(RECIPE["damaged"]), 40)


if __name__ == "__main__":
    unittest.main()
