#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""trench explain, end to end. usage: test_cli_explain.py TRENCH ROOT [--update | unittest options]

Golden texts lie in explain/; their first line is the command, explain/SOURCES.md says where their
right values come from. The other tests read data/*.csv themselves, or state a fact of a sheet."""
import csv
import glob
import json
import os
import re
import shlex
import subprocess
import sys
import unittest

TRENCH, ROOT = sys.argv.pop(1), sys.argv.pop(1)
GOLDEN = sorted(glob.glob(os.path.join(os.path.dirname(os.path.abspath(__file__)), "explain", "*.txt")))
ISAS = ("sunda", "cayman", "mariana", "maverick")
GENERATIONS = ("sunda", "cayman", "mariana", "mariana_plus", "maverick")


def explain(*arguments):
    return subprocess.run([TRENCH, "explain", *arguments], capture_output=True, text=True,
                          check=False, timeout=60)


def results(*arguments):
    done = explain("--json", *arguments)
    if done.returncode:
        raise AssertionError(f"{arguments}: {done.stderr}")
    return json.loads(done.stdout)["results"]


def page(kind, *arguments):
    """The one result of a kind."""
    found = [r for r in results(*arguments) if r["kind"] == kind]
    if len(found) != 1:
        raise AssertionError(f"{len(found)} results of kind {kind} for {arguments}")
    return found[0]


def rows(name):
    with open(os.path.join(ROOT, "data", name), newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def golden_parts(path):
    with open(path, encoding="utf-8") as stream:
        command, _, text = stream.read().partition("\n")
    return shlex.split(command.removeprefix("$ trench explain ")), text


class Golden(unittest.TestCase):
    maxDiff = None

    def test_text_is_the_checked_in_one(self):
        self.assertGreater(len(GOLDEN), 10)
        for path in GOLDEN:
            with self.subTest(path=os.path.basename(path)):
                arguments, text = golden_parts(path)
                done = explain(*arguments)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertMultiLineEqual(done.stdout, text)


class Topics(unittest.TestCase):
    """Subjects by name (topics.csv) and the workers of the CPTC decoder (cptc.md 3)."""

    def test_what_a_topic_names_is_there(self):
        topics = rows("topics.csv")
        self.assertGreater(len(topics), 8)
        for row in topics:
            names = [row["topic"], *row["aliases"].split()]
            for name in names:
                self.assertEqual(page("topic", name)["name"], row["topic"])
            for name in row["see"].split():
                self.assertTrue(results(name), f"{row['topic']} -> {name}")
            self.assertTrue(os.path.exists(os.path.join(ROOT, row["page"])), row["page"])
            self.assertTrue(os.path.exists(os.path.join(ROOT, "docs", "hardware", row["sheet"].split()[0])))

    def test_options_and_words_are_names_too(self):
        for name, topic in (("psum-zero", "psum_group"), ("zero region", "psum_group"), ("pe-strict", "pe_strict"),
                            ("--fp8-e4m3", "fp8"), ("pe-bypass-reg-write", "pe_bypass_reg_write")):
            done = explain("--json", "--", name)
            self.assertEqual([r["name"] for r in json.loads(done.stdout)["results"]], [topic], name)
        self.assertEqual(page("choice", "dual-pairs")["name"], "dual_pairs")
        self.assertEqual(explain("no-such-name").returncode, 1)

    def test_part_of_a_packed_field_has_its_own_name(self):
        self.assertEqual([r["name"] for r in results("scalar_mode")],
                         ["S3_LW.flags.scalar_mode", "S3D3_MM.flags.scalar_mode"])

    def test_every_rule_that_an_engine_names_is_there(self):
        named = set()
        for path in glob.glob(os.path.join(ROOT, "src", "engine", "**", "*.c"), recursive=True):
            with open(path, encoding="utf-8") as stream:
                named |= set(re.findall(r'TRN_FAULT_[A-Z_]+,\s*"([A-Za-z0-9_.]+)"', stream.read()))
        self.assertLessEqual({"PSUM_ACC_UNINIT", "mm_counts", "pe_loaded_class"}, named)
        for name in sorted(named):
            self.assertTrue(results(name), name)

    def test_workers_are_those_of_the_sheet(self):
        sheet = {1: (1, "0x010024b4", "refuses"), 2: (2, "0x01002934", "trusts"), 3: (4, "0x01002bf8", "refuses"),
                 4: (5, "0x010030cc", "trusts"), 5: (3, "0x010032c8", "refuses"), 6: ("6 or 7", "0x01003794", "trusts")}
        for worker, (bits, address, guard) in sheet.items():
            found = page("cptc_worker", f"cptc.worker.{worker}")
            self.assertEqual((found["bits"], found["function_cayman"], found["guard"].split()[0]),
                             (bits, address, guard))
            self.assertEqual(found["generations"], list(GENERATIONS[1:]))


class Places(unittest.TestCase):
    """Where a block or register lies, address-map.md 5.2, 6.1 and 6.2."""

    def test_places_of_a_register(self):
        places = {p["first_place"]: p for p in page("register", "notific.nq.head_ptr", "--gen", "sunda")["places"]}
        core, topsp = places["core0.notific"], places["topsp0.notific"]
        self.assertEqual((core["places"], core["bar0"], core["form"]), (2, "0x3053510c", "ten-queue"))
        self.assertEqual((topsp["places"], topsp["bar0"]), (6, "0x30e0410c"))
        self.assertEqual(places["core0.trig_notific"]["form"], "one-queue")

    def test_places_of_a_block(self):
        places = page("register_block", "xt_local", "--gen", "cayman")["places"]
        act = next(p for p in places if p["first_place"] == "core0.act.xt_local")
        self.assertEqual((act["places"], act["bar0"], act["generations"]), (8, "0xd2460000", ["cayman"]))

    def test_a_block_of_unknown_place_has_none(self):
        self.assertNotIn("places", page("register", "tpb_ham.mon.ctrl"))


class AgainstTables(unittest.TestCase):
    """What the program prints, against the rows as this script reads them."""

    def test_layout_of_every_struct(self):
        structs = {}
        for row in rows("struct-fields.csv"):
            structs.setdefault(row["struct"], []).append(row)
        self.assertGreater(len(structs), 100)
        for struct, fields in structs.items():
            kind = "type" if struct.startswith("@") else "struct"
            layout = {r["field"]: r for r in page(kind, struct)["layout"]}
            self.assertEqual(sorted(layout), sorted(f["field"] for f in fields), struct)
            for field in fields:
                self.check_field(layout[field["field"]], field)

    def check_field(self, shown, row):
        name = (row["struct"], row["field"])
        offsets = {isa: None if row[f"{isa}_off"] == "-" else int(row[f"{isa}_off"]) for isa in ISAS}
        self.assertEqual(shown["offset"], offsets, name)
        self.assertEqual(shown["meaning"], row["meaning"], name)
        self.assertEqual(shown["constraint"], row["constraint"], name)
        self.assertEqual(shown["confidence"], row["confidence"], name)
        self.assertEqual(shown["size"], int(row["size_bytes"]), name)
        self.assertEqual(shown["type"], row["type"].removesuffix("[1]"), name)
        bits = ""
        if row["bits"]:
            low, count = int(row["bit_lo"]), int(row["bits"])
            bits = str(low) if count == 1 else f"{low + count - 1}:{low}"
        self.assertEqual(shown["bits"], bits, name)

    def test_every_opcode(self):
        for row in rows("opcodes.csv"):
            shown = page("opcode", row["opcode"])
            self.assertEqual((shown["name"], shown["opcode"], shown["summary"]),
                             (row["name"], row["opcode"].lower(), row["meaning"]))
            self.assertEqual(shown.get("struct", ""), row["struct"])
            mine = [g for g in GENERATIONS if row["mariana" if g == "mariana_plus" else g] == "1"]
            self.assertEqual(shown.get("generations", []), mine, row["name"])
            self.assertEqual([r["generation"] for r in shown.get("engines", [])], mine)

    def test_every_enum(self):
        enums = {}
        for row in rows("enums.csv"):
            enums.setdefault(row["enum"], []).append((row["value"].lower(), row["name"], row["gens"]))
        for enum, members in enums.items():
            shown = [(m["value"], m["name"], m["generations"]) for m in page("enum", enum)["members"]]
            self.assertEqual(shown, members, enum)

    def test_every_register_block(self):
        blocks = {}
        for row in rows("registers.csv"):
            blocks.setdefault(row["block"], []).append(row)
        for block, registers in blocks.items():
            shown = page("register_block", block)["registers"]
            self.assertEqual([(r["register"], r["access"], r["meaning"]) for r in shown],
                             [(r["name"].split(" ")[0], r["access"], r["meaning"]) for r in registers])

    def test_every_rule(self):
        for row in rows("rules.csv")[::7]:
            shown = page("rule", row["rule"])
            self.assertEqual((shown["expression"], shown["summary"], shown["scope"]),
                             (row["expression"], row["message"], row["struct_or_opcode"]))


class Facts(unittest.TestCase):
    """Single facts, each with the sheet that states it."""

    def test_activation_sets_and_tables(self):
        """act_sets.csv: 43,200 and 6,400 bytes of 32 each; activation.md 3.5."""
        pages = results("natural_log_exp_and_others")
        self.assertEqual([(p["published_buckets"], p["published_control_words"]) for p in pages], [("1350", "200")])
        self.assertIn("act_tbl_sel 6", pages[0]["here"])
        small = {p["name"]: p for p in results("small")}
        self.assertEqual(small["with_ln.small"]["published_control_words"], "10")  # 160 bytes of 16
        sizes = {t: [page("act_table", t)[k] for k in ("entries", "entry_bytes")]
                 for t in ("CAM", "PROFILE", "CONTROL", "BUCKET")}
        self.assertEqual(sizes, {"CAM": [128, 32], "PROFILE": [64, 128], "CONTROL": [256, 32], "BUCKET": [2048, 32]})

    def test_engines_of_tensor_scalar(self):
        """isa-core.md 2: 0x43 on POOL and DVE, on ACT up to v4."""
        engines = {r["generation"]: r["engines"] for r in page("opcode", "0x43")["engines"]}
        self.assertEqual(engines["cayman"], ["act", "pool", "dve"])
        self.assertEqual(engines["maverick"], ["pool", "dve"])

    def test_halt_is_executed_and_an_unknown_layout_is_not(self):
        """isa-core.md 9.10 lists 0x03 as a word without a layout."""
        self.assertEqual(page("opcode", "halt", "--gen", "cayman")["engines"][0]["model"], "executed")
        model = page("opcode", "0x03", "--gen", "cayman")["engines"][0]["model"]
        self.assertIn("missing specification", model)

    def test_generation_limits_the_layout(self):
        """isa-core.md 9.2: S3D3_MM on MAVERICK has rows at 35 and no psum_accumulate_flags."""
        layout = {r["field"]: r["offset"] for r in page("struct", "S3D3_MM", "--gen", "maverick")["layout"]}
        self.assertEqual(layout["num_active_rows"], 35)
        self.assertEqual(layout["dst_mem_pattern"], 48)
        self.assertNotIn("psum_accumulate_flags", layout)

    def test_opcode_without_its_layout_on_sunda(self):
        """isa-core.md 9.10: 0x7B is declared on SUNDA, its struct ships from v3."""
        self.assertNotIn("layout", page("opcode", "0x7B", "--gen", "sunda"))
        self.assertIn("layout", page("opcode", "0x7B", "--gen", "cayman"))

    def test_number_lists_the_opcode_first(self):
        """0x0A is MATMUL_MX, FP32 and BITWISE_AND (isa-core.md 9.2, dtypes.csv, alu-ops.csv)."""
        found = [(r["kind"], r["name"]) for r in results("0x0a")]
        self.assertEqual(found[:3], [("opcode", "MATMUL_MX"), ("dtype", "FP32"), ("alu_op", "BITWISE_AND")])
        self.assertEqual([r["name"] for r in results("10")], [name for _, name in found])

    def test_name_is_found_in_any_case_and_form(self):
        for name in ("tensor_scalar_arith", "TENSOR_SCALAR_ARITH_OP", "Tensor_Scalar_Arith"):
            self.assertEqual(page("opcode", name)["opcode"], "0x43")
        for name in ("S3D3_TS.src_mem_pattern", "s3d3_ts.src"):
            self.assertEqual(page("field", name)["type"], "pattern3d")

    def test_register_instance_and_second_name(self):
        """sequencer.md 9.2: lr[38] is the feature flag; notific.md 2: ten queues."""
        self.assertEqual(page("register", "xt_local.feature_flag")["offset"], "0x14C0")
        self.assertEqual(page("register", "notific.nq[9].head_ptr")["name"], "notific.nq[0..9].head_ptr")
        self.assertEqual(explain("notific.nq[10].head_ptr").returncode, 1)

    def test_rule_names_the_fields_that_use_it(self):
        fields = [r["field"] for r in page("rule", "has_valid_immediates")["fields"]]
        self.assertEqual(fields, ["S3D3_AC.scale_value", "S3D3_AC.bias"])

    def test_record_has_the_golden_bytes_of_the_sheet(self):
        """notification-records.md 7: id 0x0a, lo 0x0042, hi 0x00234567, phase 1, type 0x1f."""
        word = int.from_bytes(bytes.fromhex("0a4200 9f 67452300"), "little")
        values = {}
        for field in page("record", "TPB_ERROR")["layout"]:
            high, _, low = field["bits"].partition(":")
            low = int(low or high)
            if field["form"] == "" and int(high) < 64:
                values[field["field"]] = word >> low & (1 << int(high) - low + 1) - 1
        self.assertEqual(values, {"error_id": 0x0A, "metadata_lo": 0x42, "metadata_hi": 0x234567,
                                  "phase": 1, "notific_type": 0x1F, "software_queue_overflow": 0,
                                  "hardware_queue_overflow": 0})


class BadInput(unittest.TestCase):
    def check(self, arguments, status, *parts):
        done = explain(*arguments)
        self.assertEqual(done.returncode, status, arguments)
        self.assertTrue(done.stderr.startswith("trench: error: "), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        for part in parts:
            self.assertIn(part, done.stderr)
        return done

    def test_unknown_name_suggests_near_ones(self):
        done = self.check(["matmull"], 1, "'matmull'", "'MATMUL'", "'MATMUL_MX'")
        self.assertEqual(done.stdout, "")
        self.check(["s3d3ts"], 1, "S3D3_TS")
        self.check(["pool_explict"], 1, "POOL_EXPLICIT")

    def test_unknown_name_in_json_lists_near_ones(self):
        done = explain("matmull", "--json")
        self.assertEqual(done.returncode, 1)
        document = json.loads(done.stdout)
        self.assertEqual((document["schema"], document["results"], document["near"][0]),
                         ("trench.explain/1", [], "MATMUL"))

    def test_nothing_near_is_one_message(self):
        self.check(["qqqqqqqqqqqqqqqq"], 1, "'qqqqqqqqqqqqqqqq'")
        self.check(["x" * 5000], 1, "x" * 5000)
        self.check([""], 1)
        self.check(["0x1234567"], 1, "0x1234567")
        self.check(["99999999999999999999999999"], 1)

    def test_name_of_another_generation_says_which(self):
        self.check(["ldtags", "--gen", "sunda"], 1, "not on sunda", "cayman, mariana")

    def test_unknown_generation_is_bad_usage(self):
        self.check(["halt", "--gen", "tonga"], 2, "'tonga'", "sunda, cayman")

    def test_no_name_is_bad_usage(self):
        self.check([], 2, "a name or a number")

    def test_two_names_are_bad_usage(self):
        self.check(["halt", "nop"], 2, "'nop'")

    def test_unknown_option_is_bad_usage(self):
        self.assertEqual(explain("halt", "--frobnicate").returncode, 2)


class Shape(unittest.TestCase):
    def test_text_fits_100_columns(self):
        for query in ("S3_LW", "DMA_COPY2D", "0x43", "0xE4", "in_dtype", "notific", "CCOP", "0x01",
                      "V13", "MATMUL", "udma", "TPB_POOL_EXPLICIT", "nki.isa.nc_matmul", "tpb"):
            lines = explain(query).stdout.split("\n")
            self.assertLessEqual(max(map(len, lines)), 100, query)
            self.assertFalse([line for line in lines if line != line.rstrip()], query)

    def test_json_is_one_document_with_its_schema(self):
        document = json.loads(explain("op0", "--json", "--gen", "cayman").stdout)
        self.assertEqual((document["schema"], document["query"], document["gen"]),
                         ("trench.explain/1", "op0", "cayman"))
        self.assertEqual({r["kind"] for r in document["results"]}, {"field"})
        self.assertNotIn("S2D2_AC.op0", [r["name"] for r in document["results"]])  # from MARIANA

    def test_help_says_what_it_takes(self):
        done = explain("--help")
        self.assertEqual(done.returncode, 0)
        self.assertIn("NAME|0xNN", done.stdout)


def update():
    for path in GOLDEN:
        arguments, _ = golden_parts(path)
        text = explain(*arguments).stdout
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(f"$ trench explain {shlex.join(arguments)}\n{text}")


if __name__ == "__main__":
    if sys.argv[1:] == ["--update"]:
        update()
    else:
        unittest.main()
