#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The numbers that the documents state come out of containers of the documented structure.

Expected values: docs/hardware/firmware-images.md (section beside each test). One command each, as a
reader with the vendor's package would type it.
"""
import sys
import unittest
from pathlib import Path

from data_cli import Trench

PROGRAM, OUT = sys.argv.pop(1), Path(sys.argv.pop(1))
TRENCH = Trench(PROGRAM)
SO, AR = OUT / "internal.so", OUT / "archive.a"
GENS = ("sunda", "cayman", "mariana", "mariana_plus", "maverick")
NX = ("ACT", "DVE", "PE", "POOL", "SP")


def key(opcode, spec=0):
    return opcode, spec


EXTISA_0 = [key(0x7E), key(0x7C), key(0x7D), key(0x45), key(0x51), key(0x41), key(0xF0, 0), key(0xF0, 1), key(0xF0, 2),
            key(0xF0, 4), key(0xF0, 3), key(0x52), key(0x46), key(0x47), key(0xBE), key(0xF2), key(0x7B)]
EXTISA_3 = [key(0x7E), key(0x7C), key(0x7D), key(0x45), key(0xBE), key(0xF2), key(0x7B), key(0xE4), key(0xF0, 7)]
SUNDA_SET = [key(op) for op in (0xE7, 0x74, 0x67, 0x68, 0x46, 0x47, 0xB8, 0xBB, 0x7E, 0x41, 0x7C, 0x7D, 0x49, 0x7A,
                                0x79, 0x43, 0x44, 0x92)]
SPINE = ("alu_op.cpp branch.cpp branch_prefetch_hint.cpp cache.hpp error_handler.cpp error_notifications.cpp "
         "evsem_block.hpp exception_handler.hpp fetch.hpp fsm.hpp interrupt_handler.hpp legacy_dma.hpp move.cpp "
         "move_shape.cpp signal_handler.cpp soc_window_manager.hpp").split()


class Containers(unittest.TestCase):
    def setUp(self):
        self.so = TRENCH.json("ls", SO)["files"][0]

    def test_getters_of_each_generation(self):  # 3
        totals = self.so["totals"]["generations"]
        self.assertEqual([totals[g]["images"] + totals[g]["cursors"] for g in GENS], [24, 100, 100, 100, 62])
        self.assertEqual((self.so["totals"]["images"], self.so["totals"]["cursors"]), (225, 161))

    def test_getters_of_each_engine(self):  # 3: sunda 4 each, cayman 12 to 14
        totals = self.so["totals"]["generations"]
        self.assertEqual([totals["sunda"]["cores"]["NX_" + e] for e in NX], [4] * 5)
        self.assertEqual([totals["cayman"]["cores"]["NX_" + e] for e in NX], [14, 14, 14, 14, 12])
        self.assertEqual([totals[g]["cores"]["Q7_POOL"] for g in GENS], [4, 32, 32, 32, 20])
        self.assertEqual(totals["maverick"]["cores"]["NX_ACT"], 0)

    def test_layout_of_sunda_is_contiguous(self):  # 2.3
        images = [i for i in self.so["images"] if i["gen"] == "sunda"]
        at = 0x55F0
        for image in images:
            self.assertEqual(int(image["va"], 16), at, image["symbol"])
            at += int(image["size"], 16)
        places = {i["symbol"]: int(i["va"], 16) for i in images}
        for symbol, place in (("SUNDA_NX_ACT_RELEASE_DRAM_get", 0xE510), ("SUNDA_NX_DVE_RELEASE_IRAM_get", 0x10630),
                              ("SUNDA_NX_PE_RELEASE_IRAM_get", 0x1E740), ("SUNDA_NX_POOL_RELEASE_IRAM_get", 0x2BE10),
                              ("SUNDA_NX_SP_RELEASE_IRAM_get", 0x3B580), ("SUNDA_Q7_POOL_RELEASE_IRAM_get", 0x48BF0)):
            self.assertEqual(places[symbol], place)

    def test_getter_addresses(self):  # 2.3
        places = [int(i["getter"], 16) for i in self.so["images"]]
        self.assertEqual((places[0], places[-1]), (0x9B2D20, 0x9B5D40))
        self.assertEqual({b - a for a, b in zip(places, places[1:])}, {0x20})

    def test_members_of_the_archive(self):  # 5: 48 + 3 * 124 + 0 + 15 = 435
        done = TRENCH.run("ls", AR)
        self.assertIn("sunda 48 + cayman 124 + mariana 124 + mariana_plus 124 + maverick 0 + framework 15 = 435",
                      " ".join(done.stdout.split()))


class Code(unittest.TestCase):
    def boot(self, select):
        return TRENCH.json("boot", SO, "--select", select)["images"]

    def test_heads(self):  # 6.1
        for gen, flavor, primary, secondary, enter in (
                ("SUNDA", "RELEASE", 0x1DC, 0x1E8, 0x94), ("CAYMAN", "PERF", 0x1DC, 0x1E8, 0x90),
                ("MARIANA", "PERF", 0x1F8, 0x204, 0x90), ("MARIANA_PLUS", "TEST", 0x1F8, 0x204, 0x90)):
            found = self.boot(f"{gen}_NX_*_{flavor}_IRAM")
            self.assertEqual(len(found), 5, gen)
            for image in found:
                self.assertEqual([int(image[k], 16) for k in ("primary", "secondary", "enter_run")],
                                 [primary, secondary, enter], image["symbol"])

    def test_entry_of_sunda_is_4_above_that_of_cayman(self):  # 6.1
        sunda, cayman = (int(self.boot(s)[0]["enter_run"], 16)
                         for s in ("SUNDA_NX_ACT_RELEASE_IRAM", "CAYMAN_NX_ACT_PERF_IRAM"))
        self.assertEqual(sunda - cayman, 4)

    def test_signature_of_sunda(self):  # 7.2: the signature on all five engines
        for image in TRENCH.json("dispatch", SO, "--select", "SUNDA_NX_*_RELEASE_IRAM")["images"]:
            patterns = image["patterns"]
            self.assertEqual([patterns[k] for k in ("sub_base", "addi_41", "movi_177")], [1, 0, 0], image["symbol"])
            self.assertEqual(image["flavour"], "SEGMENTED")

    def test_spine_of_windowed_calls(self):  # 7.2, 8
        for engine, entry, retw, call8, const16, addx4, jx in (
                ("ACT", 256, 84, 194, 1717, 41, 12), ("DVE", 274, 86, 221, 2219, 28, 13),
                ("PE", 336, 86, 236, 2213, 29, 12), ("SP", 406, 81, 245, 2181, 28, 12)):
            found = TRENCH.json("dispatch", SO, "--select", f"SUNDA_NX_{engine}_RELEASE_IRAM")["images"][0]["sweep"]
            self.assertEqual([found[k] for k in ("entry", "retw", "call8", "const16", "addx4", "jx")],
                             [entry, retw, call8, const16, addx4, jx], engine)


class Strings(unittest.TestCase):
    def census(self, container, select):
        return TRENCH.json("strings", container, "--select", select)["images"]

    def test_sunda_has_no_logs_even_in_debug(self):  # 9
        found = self.census(AR, "SUNDA_NX_*_DEBUG_DRAM")
        self.assertEqual(len(found), 5)
        for image in found:
            self.assertEqual([image[k] for k in ("log_lines", "pool_logs", "dispatch_logs")], [0, 0, 0])
            self.assertEqual((image["handlers"], image["roster"]), ([], None))
            self.assertTrue(image["sunda_tree"])
            self.assertEqual({t["token"] for t in image["tokens"] if t["set"] in ("compute", "absence") and t["count"]},
                             set())

    def test_cast_in_bad_cast_is_no_operation(self):  # 9, rule 7
        for image in self.census(AR, "SUNDA_NX_*_DEBUG_DRAM"):
            cast = next(t for t in image["tokens"] if t["token"] == "Cast")
            self.assertEqual((cast["count"], cast["raw"], cast["first"]), (0, 2, None), image["image"])

    def test_module_spine(self):  # 9: 16, 17 and 19 basenames
        for engine, more in (("ACT", []), ("PE", []), ("SP", []), ("DVE", ["uarch.hpp"]),
                             ("POOL", ["dge_reshape.cpp", "soc_window.hpp", "translation.cpp"])):
            modules = self.census(AR, f"SUNDA_NX_{engine}_DEBUG_DRAM")[0]["modules"]
            self.assertEqual(sorted(m["name"] for m in modules), sorted(SPINE + more), engine)
            full = {m["name"] for m in modules if m["full"]}
            self.assertEqual(full, {"alu_op.cpp", "branch.cpp", "move.cpp", "signal_handler.cpp",
                                    "exception_handler.hpp"} | ({"uarch.hpp"} if engine == "DVE" else set()))
            self.assertEqual({m["name"] for m in modules if m["bare"]},
                             set(SPINE + more) - full)

    def test_strings_in_common(self):  # 9: 62, and one of DVE
        found = TRENCH.json("strings", AR, "--common", "--select", "SUNDA_NX_[ADPS][CVEP]*_DEBUG_DRAM")
        self.assertEqual(found["common"], 62)
        self.assertEqual({i["image"].split("_")[2]: i["unique"] for i in found["images"]},
                         {"ACT": 0, "DVE": 1, "PE": 0, "SP": 0})
        one = next(i["one"] for i in found["images"] if i["unique"])
        self.assertIn("uarch.hpp:161", one)
        self.assertIn("not a supported tscr op", one)

    def test_log_lines_and_handlers(self):  # 9, 10
        for gen, lines, handlers in (("CAYMAN", (150, 182, 148, 187, 142), (26, 53, 24, 41, 18)),
                                     ("MARIANA", (None, 190, 155, 177, 142), (29, 60, 28, 41, 18)),
                                     ("MARIANA_PLUS", (None, None, None, None, 141), (29, 60, 28, 41, 18))):
            for engine, line_count, names in zip(NX, lines, handlers):
                image = self.census(SO, f"{gen}_NX_{engine}_DEBUG_DRAM")[0]
                self.assertEqual(len(image["handlers"]), names, image["image"])
                self.assertEqual(image["roster"], {"expected": names, "found": names, "others": 0}, image["image"])
                self.assertEqual((image["dispatch_logs"], image["gen"]), (1, gen.lower()))
                if line_count:
                    self.assertEqual(image["log_lines"], line_count, image["image"])

    def test_pool_logs(self):  # 9
        for select, lines in (("CAYMAN_Q7_POOL_DEBUG_DRAM", 156), ("CAYMAN_Q7_POOL_DYNAMIC*DEBUG_DRAM", 136),
                              ("MARIANA_Q7_POOL_DEBUG_DRAM", 158)):
            self.assertEqual(self.census(SO, select)[0]["pool_logs"], lines)

    def test_dispatch_log_stands_where_it_is_documented(self):  # 7.3
        for select, place in (("CAYMAN_NX_ACT_DEBUG_DRAM", 0x868), ("MARIANA_NX_PE_DEBUG_DRAM", 0x858),
                              ("CAYMAN_NX_SP_DEBUG_DRAM", 0xAA8), ("MARIANA_NX_DVE_DEBUG_DRAM", 0xE58)):
            self.assertEqual(int(self.census(SO, select)[0]["dispatch_at"], 16), place, select)

    def test_string_totals(self):  # 9
        for engine, debug, perf, test in (("SP", 242, 15, 59), ("PE", 247, 15, 58), ("DVE", 285, 16, 61)):
            self.assertEqual([self.census(SO, f"CAYMAN_NX_{engine}_{flavor}_DRAM")[0]["strings"]
                              for flavor in ("DEBUG", "PERF", "TEST")], [debug, perf, test])

    def test_fast_path_of_the_generator(self):  # 9
        for gen, fast, slow in (("CAYMAN", 0, 1), ("MARIANA", 0, 1), ("MARIANA_PLUS", 1, 0)):
            for flavor in ("DEBUG", "TEST"):
                for image in self.census(SO, f"{gen}_NX_*_{flavor}_DRAM"):
                    found = {t["set"]: min(t["count"], 1) for t in image["tokens"] if t["set"].startswith("dge")}
                    self.assertEqual(found, {"dge fast": fast, "dge slow": slow}, image["image"])


class Kernels(unittest.TestCase):
    def table(self, container, select):
        tables = TRENCH.json("kernels", container, *(("--select", select) if select else ()))["tables"]
        self.assertEqual(len(tables), 1)
        return tables[0], [(int(e["opcode"], 16), e["spec"]) for e in tables[0]["entries"]]

    def test_entries(self):  # 13.3: 17, 9 and 18 entries in this order
        for gen in ("CAYMAN", "MARIANA", "MARIANA_PLUS", "MAVERICK"):
            self.assertEqual(self.table(SO, f"{gen}_Q7_*EXTISA_0_SO")[1], EXTISA_0)
            self.assertEqual(self.table(SO, f"{gen}_Q7_*EXTISA_1_SO")[1], [(0x7E, 0)])
            self.assertEqual(self.table(SO, f"{gen}_Q7_*EXTISA_2_SO")[1], [(0x7C, 0), (0x7D, 0)])
            self.assertEqual(self.table(SO, f"{gen}_Q7_*EXTISA_3_SO")[1], EXTISA_3)
        self.assertEqual(self.table(OUT / "flat/SUNDA_Q7_POOL_RELEASE_EXTISA_0_SO.bin", None)[1], SUNDA_SET)

    def test_places(self):  # 13.2
        for select, place, va, source in (("CAYMAN_*EXTISA_0_SO", 0x7400, 0x2000380, "section"),
                                          ("CAYMAN_*EXTISA_3_SO", 0x4748, 0x20008C8, "section"),
                                          ("MAVERICK_*EXTISA_0_SO", 0x7038, 0x7038, "scan")):
            table = self.table(SO, select)[0]
            self.assertEqual((int(table["table_offset"], 16), int(table["va"], 16), table["source"]), (place, va, source))
        table = self.table(OUT / "flat/SUNDA_Q7_POOL_RELEASE_EXTISA_0_SO.bin", None)[0]
        self.assertEqual((int(table["table_offset"], 16), int(table["va"], 16), table["source"]),
                         (0xB260, 0x2000760, "symbol"))

    def test_conv_lut_load_is_in_library_3_for_one_leg(self):  # 13.3
        found = TRENCH.json("kernels", SO, "--find-opcode", "0xe4", "--select", "CAYMAN_*_SO")
        self.assertEqual([(f["image"], f["index"], f["function"]) for f in found["found"]],
                         [("CAYMAN_Q7_POOL_PERF_EXTISA_3_SO", 7, "0x1002258")])
        self.assertEqual([(leg["leg"], leg["engine"], leg["library"], leg["here"]) for leg in found["legs"]],
                         [("legacy", "pe", None, False), ("cptc", "pool", 3, True)])
        found = TRENCH.json("kernels", SO, "--find-opcode", "0xe4", "--select", "CAYMAN_*_0_SO", status=1)
        self.assertEqual(found["found"], [])
        self.assertEqual([leg["here"] for leg in found["legs"]], [False, False])

    def test_extended_specs(self):  # 13.3: base library {0..4}, superset {7}
        for library, specs in ((0, [0, 1, 2, 4, 3]), (3, [7])):
            found = TRENCH.json("kernels", SO, "--find-opcode", "0xf0", "--select", f"CAYMAN_*EXTISA_{library}_SO")
            self.assertEqual([f["spec"] for f in found["found"]], specs)

    def test_runtime_container_by_shape_alone(self):  # 13.1: 13 images, stripped
        tables = TRENCH.json("kernels", OUT / "runtime.so")["tables"]
        self.assertEqual(sorted(len(t["entries"]) for t in tables), sorted([17, 9, 1, 2] * 3 + [18]))
        by_gen = [t["gens_by_address"] for t in tables if len(t["entries"]) == 18]
        self.assertEqual(by_gen, [["sunda"]])


class Prof(unittest.TestCase):
    def test_armed_slots(self):  # 12.2
        pairs = {p["name"]: p for p in TRENCH.json("prof", SO)["pairs"]}
        expected = {f"CAYMAN_NX_{engine}_PROF": 47 for engine in ("ACT", "DVE", "PE", "POOL")}
        for gen in ("MARIANA", "MARIANA_PLUS"):
            expected.update({f"{gen}_NX_ACT_PROF": 25, f"{gen}_NX_DVE_PROF": 48, f"{gen}_NX_PE_PROF": 22,
                             f"{gen}_NX_POOL_PROF": 1})
        expected.update({"MAVERICK_NX_DVE_PROF": 54, "MAVERICK_NX_PE_PROF": 19, "MAVERICK_NX_POOL_PROF": 1})
        self.assertEqual({name: pair["armed"] for name, pair in pairs.items()}, expected)
        self.assertTrue(all(pair["holds"] for pair in pairs.values()))
        for name, words in (("CAYMAN_NX_ACT_PROF", 150), ("MARIANA_NX_ACT_PROF", 68), ("MARIANA_NX_PE_PROF", 59)):
            self.assertEqual(pairs[name]["table_words"], words)
        for name, pair in pairs.items():
            self.assertIn(name.split("_NX_")[0].lower(), pair["known_gens"], name)
            self.assertIn(name.split("_NX_")[1].split("_")[0].lower(), pair["known_engines"], name)

    def test_slots_with_more_than_eight_bits(self):  # 12.2: 1e3 in slot 43, 30 in slot 45
        pair = TRENCH.json("prof", SO, "--select", "MARIANA_NX_DVE_PROF*")["pairs"][0]
        slots = {e["slot"]: (e["opcode"], e["mask"]) for e in pair["entries"]}
        self.assertEqual((slots[43], slots[45]), (("0x1e3", "0x1ff"), ("0x30", "0xff")))
        self.assertEqual(slots[47], ("0x0", "0x0"))

    def test_record_0_of_cayman(self):  # 12.1
        entry = TRENCH.json("prof", SO, "--select", "CAYMAN_NX_PE_PROF*")["pairs"][0]["entries"][0]
        self.assertEqual((entry["cfg0"], entry["cfg1"], entry["class"]), ("0x201", "0x26000010", "0x1000"))
        self.assertEqual(entry["descriptor"], [0x60, 0x61, 0x63, 0x6F, 0x66, 0x67, 0x6C, 0x6D, 0x62, 0, 0, 0])


if __name__ == "__main__":
    unittest.main()
