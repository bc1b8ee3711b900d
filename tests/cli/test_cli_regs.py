#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""trench regs, end to end. usage: test_cli_regs.py TRENCH ROOT [unittest options]

Expected registers and reset values are read from data/registers.csv by this script; places and the
values of a bring-up are written out from docs/hardware/address-map.md and hal-stpb.md."""
import csv
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

TRENCH, ROOT = sys.argv.pop(1), sys.argv.pop(1)
#: hal-stpb.md 9.3: the special values that ACT's regs_init writes
ACT_SPECIAL = {"zero_val": 0, "zero_mask": 0xFFFFFFFF, "pos_inf_val": 0x7F800000,
               "pos_inf_mask": 0xFFFFFFFF, "neg_inf_val": 0xFF800000, "neg_inf_mask": 0xFFFFFFFF,
               "nan_val": 0x7FC00000, "nan_mask": 0x7FC00000}


def run(*arguments):
    return subprocess.run([TRENCH, "regs", *arguments], capture_output=True, text=True, check=False,
                          timeout=60)


def document(*arguments, status=0):
    done = run("--json", *arguments)
    if done.returncode != status:
        raise AssertionError(f"{arguments}: {done.returncode} {done.stderr}")
    found = json.loads(done.stdout)
    if found["schema"] != "trench.regs/1":
        raise AssertionError(found["schema"])
    return found


def registers(*arguments, status=0):
    """Registers of the one block, by name."""
    block, = document(*arguments, status=status)["blocks"]
    return {r["name"]: r for r in block["registers"]}


def rows(block, arch):
    """name -> (first offset, instances, access, reset or None) of a block, as this script reads it."""
    found = {}
    with open(os.path.join(ROOT, "data", "registers.csv"), newline="", encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            if row["block"] != block or arch not in row["arch"].split(";") or row["offset"] == "OPEN":
                continue
            name = row["name"].split(" ")[0]
            count = 1
            for first, last in re.findall(r"\[(\d+)\.\.(\d+)\]", name):
                count *= int(last) - int(first) + 1
            said = [(int(low), int(value)) for low, value in
                    re.findall(r"(?:\[|:)(\d+)\]=(\d+)", row["bits"])]
            reset = int(row["reset"], 0) if row["reset"] else sum(v << low for low, v in said)
            found[name] = (int(row["offset"].split("+")[0], 16), count, row["access"], reset)
    return found


class Listing(unittest.TestCase):
    def test_blocks_of_sunda_are_counted(self):
        """A core has a register file, a notification block, two trigger units with theirs, a PE
        cluster, five local files and a semaphore unit; a TopSP four blocks; 34 DMA engines four
        each; one mailbox (address-map.md 3, 5.6, 6.1)."""
        blocks = document("--gen", "sunda")["blocks"]
        self.assertEqual(len(blocks), 2 * 12 + 6 * 4 + 34 * 4 + 1)
        self.assertEqual(len(document("--gen", "sunda", "--core", "1")["blocks"]), 12)
        pool = document("--gen", "sunda", "--core", "1", "--engine", "pool")["blocks"]
        self.assertEqual([b["path"] for b in pool], ["core1.pool.nx_local"])
        self.assertEqual((pool[0]["bar0"], pool[0]["core"], pool[0]["engine"]), ("0x6960000", 1, "pool"))

    def test_text_lists_the_same_blocks(self):
        done = run("--gen", "cayman")
        paths = [line.split()[0] for line in done.stdout.splitlines()[1:]]
        self.assertEqual(paths, [b["path"] for b in document("--gen", "cayman")["blocks"]])
        self.assertIn("topsp15.sp_regs", paths)
        self.assertIn("dma131.notific", paths)


class AfterReset(unittest.TestCase):
    def check(self, arch, path, block, *arguments):
        wanted = rows(block, arch)
        self.assertGreater(len(wanted), 0)
        found = registers(*arguments, path)
        self.assertEqual(len(found), sum(count for _, count, _, _ in wanted.values()), path)
        for name, (offset, _, access, reset) in wanted.items():
            first = re.sub(r"\[(\d+)\.\.\d+\]", r"[\1]", name)
            register = found[first]
            self.assertEqual((int(register["offset"], 16), register["access"]), (offset, access), name)
            self.assertFalse(register["changed"], name)
            if access not in ("WO",):
                self.assertEqual(int(register["value"], 16), reset, f"{path}.{name}")

    def test_every_register_holds_its_reset_value(self):
        for gen, arch, path, block in (
                ("sunda", "v2", "core1.tpb", "tpb"), ("sunda", "v2", "core0.dve.nx_local", "nx_local"),
                ("cayman", "v3", "core5.tpb", "tpb"), ("cayman", "v3", "core7.pool.xt_local", "xt_local"),
                ("mariana", "v4", "core0.tpb", "tpb"), ("mariana", "v4", "topsp8.xt_local", "xt_local"),
                ("mariana_plus", "v4p", "core0.act.xt_local", "xt_local"),
                ("maverick", "v5", "core0.sp.xt_local", "xt_local"),
                ("cayman", "v3", "core0.pe_seq_cluster", "tpb_arr_seq_cluster"),
                ("cayman", "v3", "core0.notific", "notific"), ("sunda", "v2", "misc_ram", "misc_ram"),
                ("cayman", "v3", "core2.trig1", "intc_4grp")):
            with self.subTest(gen=gen, path=path):
                self.check(arch, path, block, "--gen", gen)

    def test_known_reset_values(self):
        """address-map.md 6.4."""
        local = registers("--gen", "cayman", "core0.act.xt_local.nx")
        self.assertEqual(local["nx.release_run_stall"]["value"], "0x1")
        self.assertEqual(registers("--gen", "cayman", "pool.xt_local.q7")["q7.release_run_stall"]["value"],
                         "0xff")
        tpb = registers("--gen", "cayman", "tpb")
        self.assertEqual(tpb["act_sequencer.timestamp_inc_val"]["value"], "0xb2924")
        self.assertEqual(tpb["dve_sequencer.timestamp_inc_val"]["value"], "0xdf36e")

    def test_names_choose_registers(self):
        self.assertEqual(list(registers("--gen", "cayman", "core3.act.xt_local.general.lr[19]")),
                         ["general.lr[19]"])
        self.assertEqual(list(registers("--gen", "cayman", "act.xt_local.feature_flag")),
                         ["general.lr[38]"])
        families = registers("--gen", "cayman", "core0.notific.nq")
        self.assertTrue(all(name.startswith("nq[") for name in families))
        found = registers("--gen", "cayman", "--engine", "dve", "tpb")
        self.assertTrue(found and all(re.search(r"(^|\.)dve_", name) for name in found))
        self.assertIn("misc.dve_eng_pc", found)
        block, = document("--gen", "cayman", "--engine", "dve", "--core", "2", "xt_local")["blocks"]
        self.assertEqual(block["path"], "core2.dve.xt_local")

    def test_one_queue_form_has_one_queue(self):
        found = registers("--gen", "cayman", "core0.trig_notific.nq")
        self.assertTrue(found and all(name.startswith("nq[0]") for name in found))


class AfterBringup(unittest.TestCase):
    def test_registers_hold_what_the_bring_up_wrote(self):
        for gen in ("sunda", "cayman", "mariana"):
            found = registers("--gen", gen, "--after-bringup", "core0.tpb.act_sequencer")
            for name, value in ACT_SPECIAL.items():
                self.assertEqual(int(found[f"act_sequencer.{name}"]["value"], 16), value, name)

    def test_changed_registers_only(self):
        done = document("--gen", "cayman", "--after-bringup", "--changed", "act.xt_local", "core1.tpb")
        self.assertEqual((done["after"], done["status"]), ("bringup", "ok"))
        local, other = done["blocks"]
        stall = {r["name"]: r for r in local["registers"]}["nx.release_run_stall"]
        self.assertEqual((stall["value"], stall["reset"], stall["fields"]), ("0x0", "0x1", {"run_stall": 0}))
        self.assertTrue(all(r["changed"] for r in local["registers"]))
        self.assertEqual(other["registers"], [])  # core 0 was brought up
        again = document("--gen", "cayman", "--core", "1", "--after-bringup", "--changed", "tpb")
        self.assertNotEqual(again["blocks"][0]["registers"], [])

    def test_topsps_that_are_shown_are_brought_up(self):
        found = registers("--gen", "sunda", "--after-bringup", "topsp2.nx_local")
        self.assertEqual([r["value"] for r in found.values() if "stall" in r["name"]], ["0x0"])

    def test_text_marks_what_changed(self):
        done = run("--gen", "cayman", "--after-bringup", "core0.act.xt_local.nx")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"(?m)^\* 0x00000 .*nx\.release_run_stall +RW +0x00000000 +"
                                      r"run_stall=0 +\(reset 0x1\)$")
        done = run("--gen", "cayman", "--changed", "core0.tpb")
        self.assertIn("nothing differs from reset", done.stdout)

    def test_maverick_has_no_hal(self):
        done = run("--gen", "maverick", "--after-bringup", "core0.evt_sem")
        self.assertEqual(done.returncode, 2)
        self.assertIn("maverick", done.stderr)


class AfterRun(unittest.TestCase):
    def program(self, text):
        stream = tempfile.NamedTemporaryFile("w", suffix=".tasm", delete=False, encoding="utf-8")
        self.addCleanup(os.unlink, stream.name)
        with stream:
            stream.write(text)
        return stream.name

    def test_semaphores_of_a_run(self):
        for gen in ("sunda", "cayman", "maverick"):
            file = self.program(".engine dve\nnop\n  update sem=4 inc complete\nhalt\n")
            found = document("--gen", gen, "--after", file, "--changed",
                             "core0.evt_sem.semaphore_read")
            self.assertEqual((found["after"], found["status"]), ("run", "ok"))
            self.assertEqual([(r["name"], r["value"]) for r in found["blocks"][0]["registers"]],
                             [("semaphore_read[4]", "0x1")])

    def test_the_core_that_runs(self):
        file = self.program(".engine dve\nnop\n  update sem=4 inc complete\nhalt\n")
        core0, core3 = document("--gen", "cayman", "--core", "3", "--after", file, "--changed",
                                "core0.evt_sem", "evt_sem.semaphore_read")["blocks"]
        self.assertEqual((core0["registers"], core3["path"]), ([], "core3.evt_sem"))
        self.assertEqual([r["name"] for r in core3["registers"]], ["semaphore_read[4]"])

    def test_program_counters_of_a_run(self):
        """DVE is engine 3: its words start at device address 0x4000000 (cli-contract.md, run)."""
        file = self.program(".engine dve\nnop\nhalt\n")
        found = registers("--gen", "cayman", "--after", file, "--engine", "dve", "core0.tpb.misc.dve_nx_spc_lsb")
        self.assertEqual([r["value"] for r in found.values()], ["0x4000080"])

    def test_a_fault_is_the_exit_status(self):
        file = self.program(".engine dve\n.word " + "fe" * 64 + "\n")
        done = run("--gen", "cayman", "--after", file, "dve.xt_local.nx")
        self.assertEqual(done.returncode, 3)
        self.assertIn("error", done.stderr)
        self.assertIn("core0.dve.xt_local", done.stdout)

    def test_a_program_that_is_none(self):
        self.assertEqual(run("--gen", "cayman", "--after", "/no/such/file.tasm", "tpb").returncode, 2)


class Refusals(unittest.TestCase):
    def refuse(self, status, text, *arguments):
        done = run(*arguments)
        self.assertEqual(done.returncode, status, arguments)
        self.assertIn(text, done.stderr)

    def test_near_names_are_suggested(self):
        self.refuse(1, "near: 'core0.notific'", "--gen", "cayman", "core0.notifc")
        self.refuse(1, "near: 'core0.tpb.act_sequencer.zero_val'", "--gen", "cayman",
                    "core0.tpb.act_sequencer.zero_va1")
        self.refuse(1, "no block", "--gen", "maverick", "core0.tpb")
        self.refuse(1, "has no registers of pe", "--gen", "cayman", "--engine", "pe", "core0.evt_sem")

    def test_usage(self):
        self.refuse(2, "needs --gen", "tpb")
        self.refuse(2, "cores 0 to 1, not 2", "--gen", "sunda", "--core", "2", "tpb")
        self.refuse(2, "unknown engine 'gpu'", "--gen", "sunda", "--engine", "gpu", "tpb")
        self.refuse(2, "is enough", "--gen", "sunda", "--after-bringup", "--after", "x.tasm", "tpb")
        self.refuse(2, "without a BLOCK", "--gen", "sunda", "--after-bringup")
        self.refuse(2, "at most 16 names", "--gen", "sunda", *["tpb"] * 17)


if __name__ == "__main__":
    unittest.main()
