#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The proofs of the tables of firmware code: xtensa*.csv, fw-heads.csv, fw-patterns.csv.
usage: test_xtensa.py ROOT [unittest options]"""
import unittest

import test_proofs  # noqa: F401  reads ROOT from the arguments
from test_proofs import Tables


class InstructionProofs(Tables):
    def test_overlapping_rows_are_refused(self):
        line = self.change("xtensa.csv", ("addx4",), match="0x800000")
        self.assert_refused(f"xtensa.csv:{line}", "addx4", "add")

    def test_bit_that_nobody_owns_is_refused(self):
        line = self.change("xtensa.csv", ("addi",), operands="at as")
        self.assert_refused(f"xtensa.csv:{line}", "addi", "0xff0000")

    def test_operand_on_matched_bits_is_refused(self):
        line = self.change("xtensa.csv", ("l32i",), operands="ar as imm8x4")
        self.assert_refused(f"xtensa.csv:{line}", "operand ar")

    def test_length_follows_op0(self):
        line = self.change("xtensa.csv", ("mov.n",), bytes="3")
        self.assert_refused(f"xtensa.csv:{line}", "mov.n")

    def test_sample_must_decode(self):
        line = self.change("xtensa.csv", ("jx",), samples="a00200@0 jx a3")
        self.assert_refused(f"xtensa.csv:{line}", "'jx a2', not 'jx a3'")

    def test_unknown_operand_is_refused(self):
        line = self.change("xtensa.csv", ("jx",), operands="az")
        self.assert_refused(f"xtensa.csv:{line}", "'az' is no operand")

    def test_list_of_an_operand_is_whole(self):
        line = self.change("xtensa-operands.csv", ("b4c",), values="-1 1 2")
        self.assert_refused(f"xtensa-operands.csv:{line}", "b4c", "16 different values")

    def test_register_with_two_names_is_refused(self):
        line = self.change("xtensa-registers.csv", ("sr", "vision", "72"), number="40")
        self.assert_refused(f"xtensa-registers.csv:{line}", "wb", "prefctl")


class LengthProofs(Tables):
    def test_length_against_the_ladder(self):
        self.change("xtensa-lengths.csv", ("vision", "7 F"), bytes="16")
        self.assert_refused("xtensa-formats.csv", "b3 0x7", "disagree")

    def test_cell_said_twice_is_refused(self):
        line = self.change("xtensa-lengths.csv", ("vision", "7 F"), b3="5 7 F")
        self.assert_refused(f"xtensa-lengths.csv:{line}", "b3 5", "twice")

    def test_slots_have_roles(self):
        line = self.change("xtensa-formats.csv", ("N2",), roles="ldst")
        self.assert_refused(f"xtensa-formats.csv:{line}", "N2")


class HeadProofs(Tables):
    def test_head_bytes_jump_to_the_vectors(self):
        line = self.change("fw-heads.csv", ("maverick", "NX", "SP"), primary="0x1e8")
        self.assert_refused(f"fw-heads.csv:{line}", "j 0x1e4", "0x1e8")

    def test_vectors_are_those_of_the_generation(self):
        self.change("generations.csv", ("q7_reset_vector",), sunda="0x200")
        self.assert_refused("fw-heads.csv", "0x220", "generations.csv")

    def test_pattern_starts_with_a_byte(self):
        line = self.change("fw-patterns.csv", ("retw",), bytes="9. 00 00")
        self.assert_refused(f"fw-patterns.csv:{line}", "retw")


if __name__ == "__main__":
    unittest.main()
