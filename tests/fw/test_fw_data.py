#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""trench fw strings, kernels, prof, select: damage, options, exit status, width of the tables.

Rules: docs/hardware/firmware-images.md 9, 11, 12.1, 13.3; docs/cli-contract.md "fw".
"""
import ctypes
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from data_cli import Trench

PROGRAM, OUT = sys.argv.pop(1), Path(sys.argv.pop(1))
TRENCH = Trench(PROGRAM)
SO, DAMAGED = OUT / "internal.so", OUT / "damaged"


def written(directory, name, data):
    path = Path(directory) / name
    path.write_bytes(data)
    return path


class Strings(unittest.TestCase):
    def census(self, data):
        with tempfile.TemporaryDirectory() as directory:
            return TRENCH.json("strings", written(directory, "x.bin", data))["images"][0]

    def test_runs_are_ended_by_nul(self):
        self.assertEqual(self.census(b"ab\0abc\0\x01def\0abc\x01xyz")["strings"], 2)
        self.assertEqual(self.census(b"abc")["strings"], 0)
        self.assertEqual(self.census(b"\0\0\0")["strings"], 0)
        self.assertEqual(self.census(b" ~!\0")["strings"], 1)
        self.assertEqual(self.census(b"a\x7fbcd\0\t\0")["strings"], 1)

    def test_glue(self):
        for text, lines, glued, handlers in (
                (b"S: Halt", 1, 0, ["Halt"]), (b"VS: Cast", 1, 1, ["Cast"]), (b"@S: RandGetState", 1, 1, ["RandGetState"]),
                (b".S: Halt", 1, 1, ["Halt"]), (b"abcS: Halt", 1, 1, ["Halt"]), (b"abcdS: Halt", 0, 0, []),
                (b"1S: Halt", 0, 0, []), (b"S: two words", 1, 0, []), (b"S: 1st", 1, 0, []), (b"S: ", 1, 0, []),
                (b"S: MEMSET/RNG", 1, 0, ["MEMSET/RNG"]), (b"S: Tensor-Reduce", 1, 0, ["Tensor-Reduce"])):
            found = self.census(text + b"\0")
            self.assertEqual((found["log_lines"], found["glued"], found["handlers"]), (lines, glued, handlers), text)

    def test_a_handler_counts_once_whatever_its_glue(self):
        self.assertEqual(self.census(b"S: Halt\0VS: Halt\0abS: Halt\0")["handlers"], ["Halt"])

    def test_whole_words(self):
        for text, whole, raw in ((b"bad_cast", 0, 1), (b"St8bad_cast", 0, 1), (b"Cast it", 1, 1), (b"cast it", 0, 1),
                                 (b"VS: Cast", 1, 1), (b"Casting", 0, 1), (b"to-Cast!", 1, 1)):
            cast = next(t for t in self.census(text + b"\0")["tokens"] if t["token"] == "Cast")
            self.assertEqual((cast["count"], cast["raw"]), (whole, raw), text)

    def test_absence_scan_takes_either_case(self):
        found = {t["token"]: t["count"] for t in self.census(b"uses RAND and Mx\0rand_seed\0random\0")["tokens"]}
        self.assertEqual((found["rand"], found["mx"]), (1, 1))

    def test_tokens_inside_tokens_all_count(self):
        found = {t["token"]: (t["count"], t["raw"]) for t in self.census(b"LdweightsMX\0")["tokens"]}
        self.assertEqual((found["LdweightsMX"], found["Ldweights"], found["mx"]), ((1, 1), (0, 1), (0, 1)))

    def test_modules(self):
        found = self.census(b"/a/b/one.cpp:12 x > 0\0one.cpp\0two.hpp\0in three.cc, four.h\0five.cfg .c\0x.c\0")
        self.assertEqual([(m["name"], m["full"], m["bare"], m["path"]) for m in found["modules"]],
                         [("one.cpp", 1, 1, "/a/b/one.cpp"), ("two.hpp", 0, 1, None), ("three.cc", 0, 1, None),
                          ("four.h", 0, 1, None), ("x.c", 0, 1, None)])

    def test_generation_comes_from_its_line_not_from_paths(self):
        self.assertIsNone(self.census(b"/x/cayman/seq/src/fetch.hpp\0")["gen"])
        self.assertEqual(self.census(b"S: BEGIN on mariana_plus\0")["gen"], "mariana_plus")
        self.assertIsNone(self.census(b"S: BEGIN on mars\0")["gen"])
        self.assertTrue(self.census(b"/x/sunda/seq/src/fetch.hpp\0")["sunda_tree"])

    def test_list_agrees_with_another_tool(self):
        path = OUT / "flat/CAYMAN_NX_SP_DEBUG_DRAM.bin"
        other = subprocess.run(["strings", "-n", "3", "-t", "x", path], capture_output=True, text=True, check=True).stdout
        expected = [(int(line.split()[0], 16), line.lstrip().split(" ", 1)[1]) for line in other.splitlines()]
        found = TRENCH.json("strings", path, "--list")["images"][0]["list"]
        self.assertEqual([(int(t["offset"], 16), t["text"]) for t in found], expected)

    def test_absent_names_of_a_roster_are_named(self):
        with tempfile.TemporaryDirectory() as directory:
            image = (OUT / "internal.so").read_bytes()
            spoiled = written(directory, "internal.so", image.replace(b"S: LdTags\0", b"S: LdBags\0"))
            done = TRENCH.run("strings", spoiled, "--select", "CAYMAN_NX_PE_DEBUG_DRAM")
        self.assertIn("23 of 24 names of cayman pe, 1 others", done.stdout)
        self.assertRegex(done.stdout, r"missing +LdTags\n")
        self.assertRegex(done.stdout, r"other +LdBags\n")


class Kernels(unittest.TestCase):
    def flaws(self, name, status):
        tables = TRENCH.json("kernels", DAMAGED / name, status=status)["tables"]
        self.assertEqual(len(tables), 1)
        return {e["index"]: e["flaws"] for e in tables[0]["entries"] if e["flaws"]}

    def test_damage_is_named_with_its_entry(self):
        self.assertEqual(self.flaws("kit_reserved.elf", 1), {3: ["byte 0 or 1 is not zero"]})
        self.assertEqual(self.flaws("kit_outside.elf", 1), {2: ["function outside .text"]})
        self.assertEqual(self.flaws("kit_no_entry.elf", 1), {1: ["function does not start with entry"]})
        self.assertEqual(self.flaws("kit_twice.elf", 0), {16: ["key occurs twice, the first wins"]})

    def test_cut_object_is_bad_input(self):
        done = TRENCH.run("kernels", DAMAGED / "kit_cut.elf")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"kit_cut.elf: offset 0x")
        self.assertEqual(done.stderr.count("\n"), 1)

    def test_three_ways_to_find_a_table_agree(self):
        path = OUT / "flat/CAYMAN_Q7_POOL_PERF_EXTISA_0_SO.bin"
        by_name, by_scan, by_offset = (TRENCH.json("kernels", path, *args)["tables"][0] for args in (
            (), ("--scan",), ("--offset", "0x7400", "--count", "17")))
        self.assertEqual([t["source"] for t in (by_name, by_scan, by_offset)], ["section", "scan", "offset"])
        self.assertEqual(by_name["entries"], by_scan["entries"])
        self.assertEqual(by_name["entries"], by_offset["entries"])
        self.assertEqual({t["va"] for t in (by_name, by_scan, by_offset)}, {"0x2000380"})

    def test_tables_past_the_end(self):
        path = OUT / "flat/CAYMAN_Q7_POOL_PERF_EXTISA_0_SO.bin"
        for offset, count in (("0xa25c", "1"), ("0xffffffffffffffff", "1"), ("0xa261", "0"), ("0", "65536")):
            done = TRENCH.run("kernels", path, "--offset", offset, "--count", count)
            self.assertEqual(done.returncode, 2, (offset, count))
            self.assertIn("runs past the end", done.stderr)

    def test_size_that_is_no_multiple_of_8(self):
        with tempfile.TemporaryDirectory() as directory:
            image = bytearray((OUT / "flat/SUNDA_Q7_POOL_RELEASE_EXTISA_0_SO.bin").read_bytes())
            at = image.index((0x02000760).to_bytes(4, "little") + (0x90).to_bytes(4, "little"))  # the symbol
            image[at + 4] = 0x8D
            table = TRENCH.json("kernels", written(directory, "x.elf", image), status=1)["tables"][0]
        self.assertEqual((table["odd_size"], len(table["entries"])), (True, 17))

    def test_symbol_outside_every_segment(self):
        with tempfile.TemporaryDirectory() as directory:
            image = bytearray((OUT / "flat/SUNDA_Q7_POOL_RELEASE_EXTISA_0_SO.bin").read_bytes())
            at = image.index((0x02000760).to_bytes(4, "little") + (0x90).to_bytes(4, "little"))
            image[at:at + 4] = (0x0F000000).to_bytes(4, "little")
            done = TRENCH.run("kernels", written(directory, "x.elf", image))
        self.assertEqual(done.returncode, 2)
        self.assertIn("no segment holds", done.stderr)

    def test_no_table(self):
        done = TRENCH.run("kernels", OUT / "flat/CAYMAN_NX_SP_DEBUG_DRAM.bin")
        self.assertEqual((done.returncode, done.stdout), (1, "no kernel table\n"))

    def test_flat_table_without_text(self):
        entries = bytes.fromhex("0000007e80000001" "0000007cf8030001" "0000007d10040001" "00000045900b0001")
        with tempfile.TemporaryDirectory() as directory:
            table = TRENCH.json("kernels", written(directory, "x.bin", bytes(20) + entries))["tables"][0]
            short = TRENCH.run("kernels", written(directory, "y.bin", bytes(20) + entries[:24]))
        self.assertEqual((table["source"], int(table["table_offset"], 16), len(table["entries"])), ("scan", 20, 4))
        self.assertFalse(table["has_text"])
        self.assertEqual(short.returncode, 1)

    def test_sidecars(self):  # 13.4
        tables = TRENCH.json("kernels", SO)["tables"]
        self.assertEqual({(t["sidecar"]["size"], t["sidecar"]["functions"]) for t in tables}, {("0x20", None)})
        # Without names the JSON text is the one that ends where the library starts.
        tables = TRENCH.json("kernels", OUT / "runtime.so")["tables"]
        sunda = tables[-1]["sidecar"]
        self.assertEqual({t["sidecar"]["size"] for t in tables[:-1]}, {"0x20"})
        self.assertEqual((sunda["size"], sunda["functions"], sunda["version"]), ("0x6c0", 17, "1.21.1.0"))
        self.assertEqual((sunda["table_alone"], sunda["sidecar_alone"]), (["0x44"], []))  # "the SO set minus 68"

    def test_sidecars_that_disagree_or_are_broken(self):
        image = (OUT / "runtime.so").read_bytes()
        for old, new, status, broken, alone in ((b'"opcode": 231', b'"opcode": 230', 0, False, ["0xe6"]),
                                                (b'"opcode": 231', b'"opcode": 999', 1, True, []),
                                                (b'"functions": [', b'"functions": {', 1, True, None)):
            self.assertEqual(image.count(old), 1)
            with tempfile.TemporaryDirectory() as directory:
                path = written(directory, "x.so", image.replace(old, new))
                sidecar = TRENCH.json("kernels", path, status=status)["tables"][-1]["sidecar"]
            self.assertEqual((sidecar["broken"], sidecar["sidecar_alone"]), (broken, alone))

    def test_usage(self):
        for args in (("--find-opcode", "0x100"), ("--find-opcode", "nothing"), ("--find-opcode", "0xf0/256"),
                     ("--offset", "5"), ("--count", "-1"), ("--scan", "--offset", "0", "--count", "1")):
            self.assertEqual(TRENCH.run("kernels", SO, *args).returncode, 2, args)
        self.assertEqual(TRENCH.run("kernels").returncode, 2)

    def test_find_opcode_says_which_part_is_wrong(self):
        for text, said in (("0xf0/256", "'256' is no spec; one is 0 to 255"),
                           ("256/3", "'256' is no opcode; one is 0 to 0xff"),
                           ("0xf0/", "'' is no spec"), ("/3", "'' is no opcode")):
            done = TRENCH.run("kernels", SO, "--find-opcode", text)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"--find-opcode '{text}': {said}", str(done.stderr))

    def test_standard_input_is_refused_by_name(self):
        for action in ("ls", "strings", "prof", "kernels", "verify"):
            done = TRENCH.run(action, "-", *([SO] if action == "verify" else []))
            self.assertEqual(done.returncode, 2)
            self.assertIn("standard input cannot be mapped", str(done.stderr))

    def test_answers_of_strings_exclude_each_other(self):
        for pair in (("--common", "--detail"), ("--list", "--detail"), ("--list", "--common")):
            done = TRENCH.run("strings", SO, *pair)
            self.assertEqual(done.returncode, 2)
            self.assertIn("ask for one", str(done.stderr))

    def test_opcode_by_name(self):
        found = TRENCH.json("kernels", SO, "--find-opcode", "conv_lut_load")
        self.assertEqual((found["opcode"], len(found["found"])), ("0xe4", 4))


class Prof(unittest.TestCase):
    def test_first_violation_is_named_with_its_slot(self):
        for name, rule, slot in (("cam_mask", "cam_mask", 2), ("cam_enable", "cam_enable", 3),
                                 ("cam_reserved", "cam_reserved", 1), ("cam_gap", "cam_gap", 2),
                                 ("cam_no_wildcard", "cam_wildcard", 21), ("cam_short", "cam_size", None),
                                 ("table_short", "table_size", None), ("table_missing", "table_record", 1),
                                 ("table_more", "table_unarmed", 23), ("table_tail", "table_tail", 2)):
            pair = TRENCH.json("prof", DAMAGED / f"{name}.cam", DAMAGED / f"{name}.table", status=1)["pairs"][0]
            self.assertEqual((pair["holds"], pair["rule"], pair["slot"]), (False, rule, slot), name)

    def test_cam_alone(self):
        pair = TRENCH.json("prof", OUT / "flat/MARIANA_NX_PE_PROF_CAM.bin")["pairs"][0]
        self.assertEqual((pair["holds"], pair["table"], pair["armed"]), (True, None, 22))

    def test_unknown_set(self):
        with tempfile.TemporaryDirectory() as directory:
            cam = bytearray((OUT / "flat/MARIANA_NX_PE_PROF_CAM.bin").read_bytes())
            cam[0] = 0x7F
            pair = TRENCH.json("prof", written(directory, "x.cam", cam))["pairs"][0]
        self.assertEqual((pair["holds"], pair["known_gens"]), (True, []))


class Select(unittest.TestCase):
    """11, against the resolvers that the fixture's builder wrote in C over the same tables."""

    @classmethod
    def setUpClass(cls):
        cls.library = ctypes.CDLL(str(SO))

    def expected(self, function, *args):
        bytes_, size = ctypes.c_void_p(), ctypes.c_size_t()
        code = getattr(self.library, function)(*args, ctypes.byref(bytes_), ctypes.byref(size))
        return code, (bytes_.value or 0), size.value

    def place(self, base, args):
        done = TRENCH.run("select", *args, SO, "--json")
        found = __import__("json").loads(done.stdout)
        place = found["place"]
        return (found["code"], base + int(place["va"], 16) if place else 0, int(place["size"], 16) if place else 0)

    def test_every_memory_image(self):
        base = self.expected("fixture_get_memory_image", 0, 0, ctypes.c_ulong(1))[1] - 0x55F0
        for slot in range(0, 40, 3):
            for region, flavor in ((0, 1), (1, 2), (3, 3), (2, 17), (0, 9), (4, 1)):
                self.assertEqual(
                    self.place(base, ("--coretype", slot, "--region", region, "--flavor", flavor)),
                    self.expected("fixture_get_memory_image", slot, region, ctypes.c_ulong(flavor)), (slot, region, flavor))

    def test_every_decode_table(self):
        base = self.expected("fixture_get_memory_image", 0, 0, ctypes.c_ulong(1))[1] - 0x55F0
        for slot in range(0, 40):
            kind = slot % 3
            self.assertEqual(self.place(base, ("--coretype", slot, "--hwdecode", kind)),
                             self.expected("fixture_get_hwdecode_table", slot, kind), (slot, kind))

    def code(self, *args):
        return __import__("json").loads(TRENCH.run("select", *args, "--json").stdout)

    def test_environment(self):
        image = ("--coretype", 7, "--region", "dram")
        for value, flavor in (("debug", "DEBUG"), ("DEBUG", "DEBUG"), ("test", "TEST"), ("Debug", "PERF"), ("", "PERF")):
            self.assertEqual(self.code(*image, "--env", f"NEURON_UCODE_FLAVOR={value}")["image"],
                             f"CAYMAN_NX_ACT_{flavor}_DRAM")
        self.assertEqual(self.code(*image, "--env", "NRTUCODE_MPLUS_ON_MARIANA=1")["code"], 8)
        self.assertEqual(self.code(*image, "--env", "NRTUCODE_MPLUS_ON_MARIANA=yes")["code"], 0)

    def test_own_environment_is_not_read(self):
        done = subprocess.run([PROGRAM, "fw", "select", "--coretype", "7"], capture_output=True, text=True, check=False,
                              env={**os.environ, "NEURON_UCODE_FLAVOR": "debug"})
        self.assertIn("CAYMAN_NX_ACT_PERF_IRAM", done.stdout)

    def test_libraries(self):  # 11.3, 11.4
        for core, num in ((6, 1), (13, 4), (21, 4), (29, 4), (37, 4)):
            self.assertEqual(self.code("--coretype", core, "--library", num)["code"], 3)
            self.assertEqual(self.code("--coretype", core, "--library", num - 1)["code"], 0)
        self.assertEqual(self.code("--coretype", 7, "--library", 0)["code"], 1)
        self.assertEqual(self.code("--coretype", 13, "--library", 0, "--flavor", 4)["code"], 2)
        self.assertEqual(self.code("--coretype", 13, "--library", 0, "--flavor", 2)["code"], 3)

    def test_management_core(self):  # 15
        for arch, image in ((0x05, "v2"), (0x0C, "v3"), (0x14, "v4"), (0x1C, "v4_plus")):
            found = self.code("--arch-id", hex(arch))
            self.assertEqual((found["code"], found["management"]), (0, image))
        for arch in (0, 4, 6, 13, 36):
            found = self.code("--arch-id", arch)
            self.assertEqual((found["code"], found["management"]), (2, None))
        self.assertEqual(TRENCH.run("select", "--arch-id", 5, "--coretype", 6).returncode, 2)

    def test_opcodes_do_not_matter_the_flag_does(self):  # 11.4
        flag = ("--env", "NRT_UCODE_UNSTABLE_LIBRARY_FLAG_CPTC_DECODE=")
        self.assertEqual(self.code("--coretype", 13, "--opcodes", "0xe4")["library"], 0)
        self.assertEqual(self.code("--coretype", 13, "--opcodes", "0x7e", *flag)["library"], 3)
        self.assertEqual(self.code("--coretype", 6, "--opcodes", "0x7e", *flag)["library"], 0)
        self.assertEqual(self.code("--coretype", 12, "--opcodes", "0x7e", *flag)["code"], 1)
        self.assertIsNone(self.code("--coretype", 13, "--opcodes", "")["library"])

    def test_usage(self):
        for args in (("--coretype", "x"), ("--coretype", 7, "--env", "HOME=/"), ("--coretype", 7, "--opcodes", "300"),
                     ("--library", 0), (SO,)):
            self.assertEqual(TRENCH.run("select", *args).returncode, 2, args)


class Output(unittest.TestCase):
    def test_tables_fit_100_columns(self):
        for args in (("strings", SO), ("strings", SO, "--select", "CAYMAN_NX_DVE_DEBUG_DRAM"),
                     ("strings", OUT / "flat/SUNDA_NX_DVE_DEBUG_DRAM.bin"), ("kernels", SO), ("prof", SO),
                     ("prof", SO, "--entries"), ("select",), ("kernels", SO, "--find-opcode", "0xf0")):
            wide = [line for line in TRENCH.run(*args).stdout.splitlines() if len(line.rstrip()) > 100]
            self.assertEqual(wide, [], args)

    def test_same_bytes_each_time(self):
        for args in (("strings", SO), ("kernels", SO), ("prof", SO)):
            self.assertEqual(TRENCH.run(*args, "--json").stdout, TRENCH.run(*args, "--json").stdout)

    def test_nothing_selected(self):
        for action in ("strings", "kernels", "prof"):
            done = TRENCH.run(action, SO, "--select", "nothing*")
            self.assertEqual((done.returncode, done.stderr), (1, "trench: error: no image matches 'nothing*'\n"))


if __name__ == "__main__":
    unittest.main()
