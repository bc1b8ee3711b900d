#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""trench map, end to end. usage: test_cli_map.py TRENCH [unittest options]

Expected places are written out from docs/hardware/address-map.md and sunda-bringup-trace.md."""
import json
import subprocess
import sys
import unittest

TRENCH = sys.argv.pop(1)
#: address-map.md 4.2: TPB base and BAR0 window of every core
CAYMAN = [(0x002000000000, 0xD0000000), (0x003000000000, 0xD4000000), (0x006000000000, 0xD8000000),
          (0x007000000000, 0xDC000000), (0x802000000000, 0xE0000000), (0x803000000000, 0xE4000000),
          (0x806000000000, 0xE8000000), (0x807000000000, 0xEC000000)]
SPACES = {"bar0", "bar4", "soc", "tpb", "tpb_bar", "engine"}


def run(*arguments):
    return subprocess.run([TRENCH, "map", *arguments], capture_output=True, text=True, check=False,
                          timeout=60)


def document(gen, query, *arguments, status=0):
    done = run("--json", "--gen", gen, query, *arguments)
    if done.returncode != status:
        raise AssertionError(f"{query}: {done.returncode} {done.stderr}")
    found = json.loads(done.stdout)
    if (found["schema"], found["gen"], found["query"]) != ("trench.map/1", gen, query):
        raise AssertionError(found)
    return found


def readings(gen, query, *arguments):
    return {r["space"]: r for r in document(gen, query, *arguments)["readings"]}


def place(gen, query, *arguments):
    """The one reading of a name."""
    return readings(gen, query, *arguments)[None]


def forms(reading):
    return {s: int(a, 16) for s, a in reading["forms"].items() if a is not None}


class Addresses(unittest.TestCase):
    def test_windows_of_cayman_in_both_directions(self):
        for core, (soc, bar0) in enumerate(CAYMAN):
            psum = readings("cayman", hex(soc + 0x802000000), "--space", "soc")["soc"]
            wanted = {"bar0": bar0 + 0x2000000, "soc": soc + 0x802000000, "tpb": 0x802000000,
                      "tpb_bar": 0x2000000, "engine": 0x2000000}
            self.assertEqual((forms(psum), psum["core"]), (wanted, core))
            back = readings("cayman", hex(bar0 + 0x2000000), "--space", "bar0")["bar0"]
            self.assertEqual(forms(back), wanted)
            for space in ("tpb", "tpb_bar", "engine"):
                again = readings("cayman", hex(wanted[space]), "--space", space, "--core", str(core))
                self.assertEqual(forms(again[space]), wanted)

    def test_every_reading_that_exists_is_listed(self):
        found = readings("sunda", "0x2000040")
        self.assertEqual(set(found), SPACES)
        self.assertEqual(forms(found["bar0"])["soc"], 0xFFFC2000040)  # 4.1
        self.assertEqual(found["bar0"]["memory"], {"space": "psum", "partition": 0, "byte": "0x40",
                                                   "hole": False})
        self.assertEqual(found["soc"]["memory"]["space"], "hbm")
        self.assertEqual(set(readings("sunda", "0x30E84000")), {"bar0", "bar4", "soc"})

    def test_places_of_the_sunda_trace(self):
        for address, path, aperture in ((0x30E84000, "topsp2.notific", "TOP_SP_2_NOTIFIC"),
                                        (0x30E85000, "topsp2.sp_regs", "TOP_SP_REGS[2]"),
                                        (0x30F45000, "topsp5.sp_regs", "TOP_SP_REGS[5]"),
                                        (0x10A00000, None, "TOP_SP[2] SP_IRAM"),
                                        (0x30530000, "core0.tpb", "TPB_0_CSR"),
                                        (0x30C35000, "core1.notific", "TPB_1_NOTIFIC")):
            found = readings("sunda", hex(address), "--space", "bar0")["bar0"]
            self.assertEqual((found["block"] or {}).get("path"), path)
            self.assertEqual(found["aperture"]["name"], aperture)
            self.assertEqual(found["aperture"]["offset"], "0x0")
            self.assertFalse(found["model_choice"])

    def test_attribute_bits_are_named(self):
        found = readings("cayman", hex(0x0200000004000000 + CAYMAN[0][0]))["soc"]
        self.assertTrue(found["ok_to_fail"])
        self.assertEqual(found["aperture"]["name"], "core 0 STATE_BUF_SCRATCH_RAM")
        self.assertEqual(forms(found), {"soc": CAYMAN[0][0] + 0x4000000, "tpb": 0x4000000})

    def test_model_choices_are_said(self):
        self.assertTrue(place("maverick", "core0.evt_sem")["model_choice"])
        self.assertFalse(place("cayman", "core0.evt_sem")["model_choice"])
        self.assertIn("a model choice on maverick", run("--gen", "maverick", "core0.evt_sem").stdout)
        self.assertNotIn("model choice", run("--gen", "cayman", "core0.evt_sem").stdout)


class Names(unittest.TestCase):
    def test_a_register_by_name(self):
        # 9: general local register k of ACT at + 1000 + 20 * k; core 3 of CAYMAN
        found = place("cayman", "core3.act.xt_local.general.lr[19]")
        self.assertEqual(forms(found)["bar0"], 0xDC000000 + 0x2460000 + 0x1000 + 19 * 0x20)
        self.assertEqual(forms(found)["soc"], 0x7000000000 + 0x802460000 + 0x1000 + 19 * 0x20)
        self.assertEqual(found["register"]["alias"], "iram_cache_block_size")
        again = place("cayman", "act.xt_local.iram_cache_block_size", "--core", "3")
        self.assertEqual(forms(again), forms(found))

    def test_a_bit_field_by_name(self):
        found = place("cayman", "tpb[0].pool_sequencer.instr_dbg_ctrl.dbg_level")
        self.assertEqual(found["register"]["field"], "dbg_level")
        self.assertIn({"name": "dbg_level", "low": 0, "bits": 4, "pulse": False},
                      found["register"]["fields"])

    def test_a_byte_of_sbuf(self):
        found = place("cayman", "sbuf[p3,0x40]")
        self.assertEqual(forms(found)["engine"], 3 * 0x40000 + 0x40)
        self.assertTrue(place("cayman", "sbuf[p3,0x38000]")["memory"]["hole"])

    def test_text_says_the_same(self):
        done = run("--gen", "sunda", "0x30e85010", "--space", "bar0")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for line in ("0x30e85010 as bar0 on sunda", "bar0      0x30e85010", "soc       0xffff0e85010",
                     "TOP_SP_REGS[2] + 0x10", "topsp2.sp_regs + 0x10", "top_sp_ram.sw_queue at + 0x10, RW",
                     "3:0     sp_nx"):
            self.assertIn(line, done.stdout)


class Refusals(unittest.TestCase):
    def refuse(self, status, text, *arguments):
        done = run(*arguments)
        self.assertEqual(done.returncode, status, arguments)
        self.assertIn(text, done.stderr)

    def test_what_is_not_there_is_said(self):
        self.refuse(1, "nothing known at 0x40000000 of space bar0", "--gen", "sunda", "0x40000000",
                    "--space", "bar0")
        self.assertEqual(document("sunda", "0x40000000", "--space", "bar0", status=1)["readings"], [])
        self.refuse(1, "nothing known at 0xffffffffffffffff of any space", "--gen", "sunda",
                    "0xffffffffffffffff")
        self.refuse(1, "no place of such an HBM stack is known", "--gen", "maverick", "hbm[0]")
        self.refuse(1, "partitions are 0 to 127", "--gen", "sunda", "sbuf[p128,0]")

    def test_near_names_are_suggested(self):
        self.refuse(1, "near: 'core3.act.xt_local'", "--gen", "cayman", "core3.act.xt_locl")
        self.refuse(1, "near: 'core3.act.xt_local.general.lr[19]'", "--gen", "cayman",
                    "core3.act.xt_local.generl.lr[19]")
        self.refuse(1, "near: 'TPB_0_NOTIFIC'", "--gen", "sunda", "TPB_0_NOTIFICS")
        done = run("--gen", "cayman", "entirely_different_from_everything_there_is")
        self.assertEqual(done.returncode, 1)
        self.assertNotIn("near", done.stderr)

    def test_usage(self):
        self.refuse(2, "needs --gen", "0x0")
        self.refuse(2, "needs an address or a name", "--gen", "sunda")
        self.refuse(2, "cores 0 to 1, not 2", "--gen", "sunda", "0x0", "--core", "2")
        self.refuse(2, "unknown space 'bar1'", "--gen", "sunda", "0x0", "--space", "bar1")
        self.refuse(2, "no address of 64 bits", "--gen", "sunda", "0x10000000000000000")
        self.refuse(2, "no address of 64 bits", "--gen", "sunda", "12zz")
        self.refuse(2, "a second one", "--gen", "sunda", "0x0", "0x1")
        self.refuse(2, "'tpb' is a name", "--gen", "sunda", "tpb", "--space", "soc")
        self.refuse(2, "unknown generation 'trn1'", "--gen", "trn1", "0x0")
        self.refuse(2, "no number of a core", "--gen", "sunda", "0x0", "--core", "x")


if __name__ == "__main__":
    unittest.main()
