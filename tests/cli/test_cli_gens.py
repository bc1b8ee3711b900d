#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""trench gens, end to end. usage: test_cli_gens.py TRENCH ROOT [unittest options]

The matrix is compared with data/generations.csv as this script reads it; numbers of a device and
the executed opcodes are written out here from the sheets."""
import csv
import json
import os
import subprocess
import sys
import unittest

TRENCH, ROOT = sys.argv.pop(1), sys.argv.pop(1)
GENERATIONS = ["sunda", "cayman", "mariana", "mariana_plus", "maverick"]
MARKS = {"O": "", "MC": "+", "I": "*", "C": "*"}
#: sequencer.md 6.4 and 7: the words every sequencer executes (0xB4 from v4; 0x9F not on SP)
CONTROL = {"EVENT_SEMAPHORE", "HALT", "DRAIN", "INSTRUCTION_FLUSH", "NOP", "WRITE", "NOTIFY", "MOVE",
           "ALU_OP", "COMPARE_BRANCH", "TENSOR_LOAD", "TENSOR_STORE", "EVENT_SEMAPHORE_RANGE_CLEAR",
           "SET_ORDERING_MODE", "MOVE_SHAPE", "POLL_SEM", "BRANCH_PREFETCH_HINT"}
BOTH = {"TENSOR_TENSOR_ARITH_OP", "TENSOR_TENSOR_BITVEC_OP", "TENSOR_SCALAR_ARITH_OP",
        "TENSOR_SCALAR_PTR_ARITH_OP", "TENSOR_SCALAR_BITVEC_OP", "TENSOR_SCALAR_PTR_BITVEC_OP",
        "TENSOR_REDUCE_BITVEC_OP", "COPY", "CAST", "MEMSET"}
#: isa-core.md 2: who executes element-wise work; of it, what this version models
ACTIVATION = {"ACTIVATE", "ACTIVATE_QUANTIZE", "ACTIVATION_TABLE_LOAD",
              "ACTIVATION_READ_ACCUMULATOR"}
DATA = {"pe": {"LDWEIGHTS", "MATMUL"},
        "act": {"TENSOR_SCALAR_ARITH_OP", "TENSOR_SCALAR_PTR_ARITH_OP", "COPY", "CAST"},
        "pool": BOTH,
        "dve": BOTH | {"TENSOR_REDUCE_ARITH_OP", "RECIPROCAL", "MAX8", "MATCH_VALUE_LOAD",
                       "FIND_INDEX8", "MATCH_REPLACE8"},
        "sp": set()}
#: address-map.md 3; None: OPEN
GEOMETRY = {"cores": [2, 8, 8, 8, 8], "seng": [2, 4, 4, 4, 4], "dies": [1, 2, 2, 2, None],
            "hbm_channels": [2, 4, 4, 4, None],
            "hbm_bytes": ["0x400000000", "0x600000000", "0x900000000", "0x900000000", None],
            "dma_engines": [34, 132, 132, 132, None], "topsp_windows": [6, 20, 20, 20, None],
            "semaphores": [256] * 5, "events": [256] * 5,
            "notification_queues": [10, 10, 10, 10, None],
            "sbuf_active_bytes": [0x30000, 0x38000, 0x40000, 0x40000, 0x80000]}


def gens(*arguments):
    return subprocess.run([TRENCH, "gens", *arguments], capture_output=True, text=True, check=False,
                          timeout=60)


def document(*arguments):
    done = gens("--json", *arguments)
    if done.returncode:
        raise AssertionError(done.stderr)
    found = json.loads(done.stdout)
    if found["schema"] != "trench.gens/1":
        raise AssertionError(found["schema"])
    return found


def table():
    with open(os.path.join(ROOT, "data", "generations.csv"), newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def confidences(row):
    """One tag for all, or one a generation."""
    tags = row["confidence"].split("|")
    return tags if len(tags) == 5 else tags * 5


def plain(kind, text):
    if kind == "str":
        return text
    if kind == "bool":
        return text == "1"
    return hex(int(text, 0)) if kind == "u64" else int(text, 0)


class Matrix(unittest.TestCase):
    def test_rows_are_those_of_the_table(self):
        rows = document()["rows"]
        self.assertEqual([row["field"] for row in rows], [row["field"] for row in table()])
        for shown, row in zip(rows, table()):
            self.assertEqual((shown["meaning"], shown["sheet"]), (row["meaning"], row["sheet"]))
            self.assertEqual(list(shown["provenance"].values()), confidences(row), row["field"])
            for gen, tag in zip(GENERATIONS, confidences(row)):
                want = None if tag == "OPEN" else plain(row["type"], row[gen])
                self.assertEqual(shown["values"][gen], want, (row["field"], gen))

    def test_geometry_of_a_device(self):
        rows = {row["field"]: row["values"] for row in document()["rows"]}
        for field, numbers in GEOMETRY.items():
            self.assertEqual([rows[field][gen] for gen in GENERATIONS], numbers, field)

    def test_text_marks_what_was_not_observed(self):
        lines = {line.split()[0]: line for line in gens().stdout.splitlines() if line}
        for row in table():
            cells = lines[row["field"]][22:]
            for i, tag in enumerate(confidences(row)):
                cell = cells[16 * i:16 * (i + 1)].strip()
                self.assertEqual(cell == "OPEN", tag == "OPEN", row["field"])
                if tag in MARKS:
                    self.assertEqual(cell[-1:] if cell[-1:] in "+*" else "", MARKS[tag], row["field"])

    def test_one_generation(self):
        for row in document("--gen", "mariana")["rows"]:
            self.assertEqual(list(row["values"]), ["mariana"])
        lines = gens("--gen", "cayman").stdout.splitlines()
        self.assertIn(["sbuf_active_bytes", "0x38000"], [line.split() for line in lines])

    def test_sources_name_the_sheet(self):
        text = gens("--sources").stdout
        for row in table():
            self.assertIn(f"{row['meaning']}", text)
            self.assertIn(f"[{row['sheet']}]", text)


#: one scalar a slice (tensor-scalar-multi.md 1)
SLICES = {"TENSOR_SCALAR_IMM_LD_ARITH", "TENSOR_SCALAR_IMM_LD_BITVEC",
          "TENSOR_SCALAR_PTR_MULTI_ARITH", "TENSOR_SCALAR_PTR_MULTI_BITVEC"}


class Coverage(unittest.TestCase):
    def test_executed_opcodes_are_these(self):
        entries = {(e["gen"], e["engine"]): e for e in document("--coverage")["coverage"]}
        self.assertEqual(len(entries), 25)
        for (gen, engine), entry in entries.items():
            version = GENERATIONS.index(gen)
            want = CONTROL | DATA[engine]
            want |= {"DMAMEMCPY", "DMA_INDIRECT"}  # dge.md 1.1
            want |= {"DMA_TRANSPOSE"} if version >= 1 else set()
            want |= {"DMA_GATHER_TRANSPOSE"} if engine == "pool" and version >= 1 else set()
            want |= {"DMA_MEMCPY2", "DMA_IMMEDIATE"} if gen == "maverick" else set()
            want |= {"TEST_EVENT_SEM"} if version >= 2 else set()
            want |= {"ENGINE_NOP"} if engine != "sp" else set()
            if engine == ("dve" if gen == "maverick" else "act"):  # activation.md 11
                want |= ACTIVATION | ({"ACTIVATE2"} if version >= 2 else set())
            want |= {"EXTENDED_INST"} if engine == "pool" and version >= 1 else set()
            want |= {"CONV_LUT_LOAD"} if version >= {"pool": 1, "pe": 2}.get(engine, 9) else set()
            if engine == "dve":
                want |= SLICES | ({"TENSOR_SCALAR_PTR_MULTI_DUAL_ARITH"} if version == 0 else set())
            want |= {"DVE_READ_INDICES"} if engine == "dve" and version >= 1 else set()
            want |= {"QUANTIZE_MX"} if engine == "dve" and version >= 2 else set()
            if engine == "pe":  # pe-array.md 1
                want |= {"LDTAGS", "MATMUL_SPARSE"} if version >= 1 else set()
                # MAVERICK names 0x08 to 0x0A, too; its rules say which words are legal
                want |= {"PE_MANAGE_SEED", "LDWEIGHTS_MX", "MATMUL_MX"} if version >= 2 else set()
            if gen == "maverick" and engine == "act":
                want = set()  # no image
            self.assertEqual(set(entry["executed"]), want, (gen, engine))
            self.assertFalse(set(entry["not_modelled"]) & want)

    def test_every_legal_opcode_is_listed(self):
        """opcodes.csv: what is legal on an engine is executed or listed as missing."""
        with open(os.path.join(ROOT, "data", "opcodes.csv"), newline="", encoding="utf-8") as stream:
            rows = list(csv.DictReader(stream))
        names = {row["name"] for row in rows if row["engines"] not in ("HOST", "NONE")}
        listed = set()
        for entry in document("--coverage")["coverage"]:
            listed |= set(entry["executed"]) | set(entry["not_modelled"])
        self.assertEqual(listed, names)

    def test_text_has_a_line_an_opcode(self):
        lines = gens("--coverage", "--gen", "sunda").stdout.splitlines()
        marks = {line.split()[0]: line.split()[-1] for line in lines if line.startswith("  0x")}
        self.assertEqual((marks["0x02"], marks["0x62"], marks["0xa1"]), ("yes", "no", "yes"))
        self.assertNotIn("0x06", marks)  # LDTAGS: from v3


class BadInput(unittest.TestCase):
    def test_refusals(self):
        for arguments, says in ((("--gen", "tonga"), "unknown generation 'tonga'"),
                                (("everything",), "no argument 'everything'")):
            done = gens(*arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(says, done.stderr)


if __name__ == "__main__":
    unittest.main()
