#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The proofs of hal-slots.csv and hal-getters.csv, and how a getter's cells are worked out.
usage: test_hal.py ROOT [unittest options]"""
import csv
import os
import unittest

from test_proofs import DATA, ROOT, Tables

import hal_getters
import model


class SlotProofs(Tables):
    def test_offset_between_two_pointers_is_refused(self):
        line = self.change("hal-slots.csv", ("0x208",), offset="0x20C")
        self.assert_refused(f"hal-slots.csv:{line}", "slot 0x20C", "multiple of 8", "0x7A8")

    def test_slot_behind_the_object_is_refused(self):
        line = self.change("hal-slots.csv", ("0x748",), offset="0x7A8")
        self.assert_refused(f"hal-slots.csv:{line}", "slot 0x7A8")

    def test_last_slot_of_the_object_is_accepted(self):
        self.change("hal-slots.csv", ("0x748",), offset="0x7A0")
        self.assertEqual(refused(self), [])

    def test_two_members_in_one_slot_are_refused(self):
        line = self.change("hal-slots.csv", ("0x208",), offset="0x200")
        self.assert_refused(f"hal-slots.csv:{line}", "slot 0x200", "0x200")

    def test_one_member_in_two_slots_is_refused(self):
        line = self.change("hal-slots.csv", ("0x2E0",), member="act_regs_init")
        self.assert_refused(f"hal-slots.csv:{line}", "act_regs_init", "0x218")

    def test_policy_follows_the_family(self):
        line = self.change("hal-slots.csv", ("0x2E0",), policy="assert",
                           text="kaena_khal.khal_stpb.act_init")
        self.assert_refused(f"hal-slots.csv:{line}", "act_init", "'noop'")
        line = self.change("hal-slots.csv", ("0x2B0",), policy="noop", text="")
        self.assert_refused(f"hal-slots.csv:{line}", "dve_init", "'assert'")

    def test_text_follows_family_and_member(self):
        line = self.change("hal-slots.csv", ("0x480",), text="kaena_khal.khal_intc.mask_vector")
        self.assert_refused(f"hal-slots.csv:{line}", "kaena_khal.khal_intc.mask_vector != NULL")

    def test_unknown_family_is_refused(self):
        line = self.change("hal-slots.csv", ("0x480",), family="irq")
        self.assert_refused(f"hal-slots.csv:{line}", "family 'irq'")

    def test_rows_of_the_sheet(self):
        """Every offset that hal-stpb.md 3.5 and 14.3 print with a name has its row."""
        with open(os.path.join(DATA, "hal-slots.csv"), newline="", encoding="utf-8") as stream:
            members = {int(row["offset"], 16): row["member"] for row in csv.DictReader(stream)}
        missing = [f"{offset:03X} {name}" for offset, name in sheet_slots()
                   if alike(name) not in alike(members.get(offset, ""))]
        self.assertEqual(missing, [])


def refused(case):
    import test_proofs
    return test_proofs.refusals(case.directory)


def alike(name):
    """Without what the sheet adds around a member's name."""
    for word in ("nx ", "dve ", "act ", "sp ", "rdm ", " write", " read", "get_", "_"):
        name = name.replace(word, "")
    return name.replace(" ", "").lower()


def sheet_slots():
    """(offset, name) of the tables of 3.5 and 14.3 that give one slot and one member."""
    path = os.path.join(ROOT, "docs", "hardware", "hal-stpb.md")
    with open(path, encoding="utf-8") as stream:
        lines = [line.strip().strip("|").split("|") for line in stream if line.startswith("| ")]
    for cells in lines:
        cells = [cell.strip() for cell in cells]
        pairs = []
        if len(cells) == 7 and not cells[3]:
            pairs = [cells[0:2], cells[4:6]]
        elif len(cells) == 4 and cells[0] in ("6D8", "6E0", "6E8", "6F0", "6F8", "700", "708", "710"):
            pairs = [cells[0:2], cells[2:4]]
        for offset, name in pairs:
            if len(offset) == 3 and name and " [" not in name:
                yield int(offset, 16), plain(name)


def plain(name):
    """The member of a cell, without the remark behind it and with the write and read moved."""
    name = name.split(" (")[0].split("(")[0]
    swaps = {"nx start_ctrl write": "write_start_ctrl", "nx run_state read": "read_run_state",
             "dve stochastic_rnd write": "write_stochastic_rnd",
             "dve stochastic_rnd_mode write": "write_stochastic_rnd_mode"}
    return swaps.get(name, name)


class GetterProofs(Tables):
    def test_unknown_member_is_refused(self):
        line = self.change("hal-getters.csv", ("num_tpb",), sunda="corez")
        self.assert_refused(f"hal-getters.csv:{line}", "'corez'")

    def test_unknown_aperture_is_refused(self):
        line = self.change("hal-getters.csv", ("tpb_base",), cayman="soc:bar0:TPB_[0..8]")
        self.assert_refused(f"hal-getters.csv:{line}", "cayman", "TPB_8")

    def test_unknown_register_is_refused(self):
        line = self.change("hal-getters.csv", ("dve_emax_cfg_offset",), sunda="reg:tpb.emax")
        self.assert_refused(f"hal-getters.csv:{line}", "tpb.emax")

    def test_aperture_without_an_address_is_refused(self):
        line = self.change("hal-getters.csv", ("tpb_base",), sunda="soc:bar0:TPB_0_CSR")
        self.assert_refused(f"hal-getters.csv:{line}", "TPB_0_CSR", "no device address")

    def test_several_values_need_an_index(self):
        line = self.change("hal-getters.csv", ("num_tpb",), sunda="2 3")
        self.assert_refused(f"hal-getters.csv:{line}", "num_tpb", "no index")

    def test_slot_is_one_of_the_getters(self):
        line = self.change("hal-getters.csv", ("hbm_base",), slot="0x208")
        self.assert_refused(f"hal-getters.csv:{line}", "hbm_base", "0x208")

    def test_two_getters_of_one_slot_are_refused(self):
        line = self.change("hal-getters.csv", ("hbm_size",), slot="0x0A0")
        self.assert_refused(f"hal-getters.csv:{line}", "hbm_size", "hbm_base")

    def test_one_name_is_one_getter(self):
        line = self.change("hal-getters.csv", ("num_seng",), name="num_tpb")
        self.assert_refused(f"hal-getters.csv:{line}", "num_tpb", "already")

    def test_first_cell_cannot_point_left(self):
        line = self.change("hal-getters.csv", ("num_seng",), sunda="=")
        self.assert_refused(f"hal-getters.csv:{line}", "num_seng", "'='")

    def test_nonsense_is_refused(self):
        line = self.change("hal-getters.csv", ("num_seng",), sunda="2-3")
        self.assert_refused(f"hal-getters.csv:{line}", "'2-3'")


class Cells(unittest.TestCase):
    """The notation of docs/hardware/README.md 3.3, with values of the sheets."""

    @classmethod
    def setUpClass(cls):
        cls.tables = model.load(DATA)

    def cell(self, generation, text):
        place = model.GENERATIONS.index(generation)
        where = model.Where("cell", 1)
        return hal_getters.Resolver(self.tables, generation, place).cell(text, where)

    def test_parts(self):
        self.assertEqual(self.cell("sunda", "-"), [])
        self.assertEqual(self.cell("sunda", "0x10 3"), [16, 3])
        self.assertEqual(self.cell("sunda", "cores"), [2])
        self.assertEqual(self.cell("cayman", "cores*2"), [8, 8])
        self.assertEqual(self.cell("cayman", "5*seng"), [5, 5, 5, 5])
        self.assertEqual(self.cell("mariana", "reg:tpb.dve_sequencer.emax_cfg"), [0x32C])
        self.assertEqual(self.cell("cayman", "reg:tpb.dve_sequencer.emax_cfg"), [0])
        self.assertEqual(self.cell("sunda", "at:tpb_bar:POOL_Q7_CORE_IRAM"),
                         [0x2980000 + c * 0x20000 for c in range(8)])
        self.assertEqual(self.cell("sunda", "size:tpb_bar:POOL_Q7_CORE_IRAM"), [0x10000] * 8)
        self.assertEqual(self.cell("cayman", "soc:bar0:TPB_[0..1]+0x20"),
                         [0x2000000020, 0x3000000020])


if __name__ == "__main__":
    unittest.main()
