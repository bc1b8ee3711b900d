#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""trench fw boot, dispatch and dis through the command line: test_fw_code.py TRENCH FIXTURE.

Right values: the recipe of the fixture (tests/fw/fixture.py writes down what it put in), the sheets
(docs/hardware/xtensa-subset.md, firmware-images.md 6 and 7), field cases F41 to F43, binutils.
"""
import json
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TRENCH, FIXTURE = sys.argv[1], Path(sys.argv[2])
LIBGCC = Path("/usr/lib/gcc/xtensa-lx106-elf/12.2.0/libgcc.a")
AS, OBJDUMP, LD = (f"xtensa-lx106-elf-{tool}" for tool in ("as", "objdump", "ld"))
WIDTH = 100


def run(*args, status=0):
    done = subprocess.run([TRENCH, "fw", *map(str, args)], capture_output=True, text=True, check=False)
    if done.returncode != status:
        raise AssertionError(f"{args}: exit status {done.returncode}, not {status}: {done.stderr}")
    return done


def images(action, *args, status=0):
    document = json.loads(run(action, *args, "--json", status=status).stdout)
    assert document["schema"] == f"trench.fw.{action}/1"
    return document["images"]


def recipe(container):
    return {row["name"]: row for row in json.loads((FIXTURE / "recipe.json").read_text())[container]}


def items(*args):
    return [item for image in images("dis", *args) for section in image["sections"] for item in section["items"]]


class Scratch(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def flat(self, *parts, name="code.bin"):
        path = self.folder / name
        path.write_bytes(b"".join(bytes.fromhex(p) if isinstance(p, str) else p for p in parts))
        return path


class Recipes(unittest.TestCase):
    """Every image of two containers against what the builder says it put in."""

    def check_dispatch(self, container, file):
        rows, seen = recipe(container), 0
        for image in images("dispatch", FIXTURE / file):
            row = rows[image["image"]]
            if row["form"] != "code":
                self.assertEqual(row["form"], "extisa")
                continue
            seen += 1
            self.assertEqual(image["flavour"], row.get("flavour", "UNKNOWN"), image["image"])
            if row.get("opcodes"):
                self.assertEqual(image["compared"], row["opcodes"], image["image"])
            self.check_counts(image, dict(row["counts"]))
        self.assertEqual(seen, sum(row["form"] == "code" for row in rows.values()))

    def check_counts(self, image, counts):
        sweep = image["sweep"]
        bundles = counts.pop("bundle8", 0) + counts.pop("bundle16", 0)
        self.assertEqual(sweep["bundles"], bundles, image["image"])
        self.assertEqual(sweep["slots"], 4 * bundles)  # N0 and F0
        self.assertEqual(sweep["desyncs"], counts.pop("lost", 0), image["image"])
        for kind, count in counts.items():
            self.assertEqual(sweep[kind], count, f"{image['image']}: {kind}")

    def test_dispatch_of_all_generations(self):
        self.check_dispatch("internal", "internal.so")

    def test_dispatch_of_sunda(self):
        self.check_dispatch("sunda", "sunda.so")
        for image in images("dispatch", FIXTURE / "sunda.so", "--select", "SUNDA_NX_*_IRAM"):
            self.assertEqual((image["patterns"]["sub_base"], image["patterns"]["addi_41"],
                              image["patterns"]["movi_177"], image["rule"]), (1, 0, 0, 2))

    def test_reset_paths(self):
        rows, seen = recipe("internal"), 0
        for image in images("boot", FIXTURE / "internal.so"):
            row = rows[image["image"]]
            if row["form"] == "data":
                self.assertEqual((image["magic"], image["state"], image["has_init"]), ("0x6099cb34", "READY", True))
            if row["form"] != "code":
                continue
            self.assertTrue(image["reset_path"], image["image"])
            head, seen = row["head"], seen + 1
            self.assertEqual([int(image[k], 0) for k in ("primary", "secondary", "enter_offset")],
                             [head["primary"], head["secondary"], head["enter"]])
            self.assertEqual(int(image["enter_run"], 0), head["base"] + head["enter"])
            self.assertEqual(image["residence"], "SRAM" if head["base"] else "IRAM")
            self.assertEqual([int(image[k], 0) for k in ("hub", "hub_table")] if image["hub"] else None, head["hub"])
            self.assertIn((row["generation"].lower(), row["core"]),
                          [(d["gen"], d["core"]) for d in image["documented"]])
        self.assertEqual(seen, sum(row["form"] == "code" and bool(row.get("head")) for row in rows.values()))

    def test_text_fits(self):
        for action in ("boot", "dispatch", "dis"):
            for line in run(action, FIXTURE / "internal.so").stdout.splitlines():
                self.assertLessEqual(len(line), WIDTH, line)
            for line in run(action, FIXTURE / "internal.so", "--select", "CAYMAN_NX_DVE_DEBUG_IRAM").stdout.splitlines():
                self.assertLessEqual(len(line), WIDTH, line)

    def test_sites_and_tables(self):
        rows = recipe("internal")
        for image in images("dispatch", FIXTURE / "internal.so", "--select", "*DEBUG_IRAM"):
            row = rows[image["image"]]
            sites = row["sites"] if row.get("flavour", "").startswith("INDEXED") else []
            self.assertEqual([int(s["offset"], 0) for s in image["sites"]], [s["at"] for s in sites])
            self.assertEqual([int(s["table"], 0) - 0x80000 for s in image["sites"]], [s["table"] for s in sites])
            self.assertEqual(image["dual"], len({s["table"] for s in sites}) > 1)


class FieldCases(Scratch):
    def test_f41_bundle_and_label(self):
        code = self.flat("364100", "4fff424156024100" + "00" * 8, "0f1122078f42", "22c2bf", "1df0")
        text = run("dis", code, "--label", "0x19").stdout
        self.assertIn("FLIX bundle F0, 16 bytes, 4 slots, not decoded", text)
        self.assertIn("6 bytes passed over", text)
        self.assertRegex(text, r"19:\* 22 c2 bf +addi a2, a2, -65")
        kinds = [(i["address"], i["kind"]) for i in items(code, "--label", "0x19")]
        self.assertEqual(kinds, [("0x0", "instruction"), ("0x3", "bundle"), ("0x13", "raw"),
                                 ("0x19", "instruction"), ("0x1c", "instruction")])

    def test_f42_pool_is_data(self):
        code = self.flat("4fff4241", "36c100", "61feff", "90000000")  # l32r at 7: 8 + 4 * -2 = 0
        text = run("dis", code).stdout
        self.assertIn(".literal 0x4142ff4f", text)
        self.assertIn("entry a1, 96", text)
        self.assertIn("l32r a6, 0x0", text)
        self.assertNotIn("FLIX", text)

    @unittest.skipUnless(shutil.which(AS), "binutils-xtensa-lx106 is not installed")
    def test_f43_unrelocated_object(self):
        source = self.folder / "f43.s"
        source.write_text(".text\n.literal .L1, 0x12345678\n.global f\n.type f,@function\n.align 4\n"
                          "f: l32r a6, .L1\n call0 g\n ret.n\n")
        obj = self.folder / "f43.o"
        subprocess.run([AS, source, "-o", obj], check=True)
        done = run("dis", obj, "--core", "scalar")
        self.assertIn("is unrelocated: 2 instructions", done.stderr)
        self.assertIn("R_XTENSA_SLOT0_OP", done.stderr)
        self.assertRegex(done.stdout, r"61 00 00 +l32r a6, 0x[0-9a-f]+  \(unrelocated\)")
        self.assertNotIn(".literal 0x", done.stdout)

    @unittest.skipUnless(shutil.which(AS), "binutils-xtensa-lx106 is not installed")
    def test_f43_carve_and_verify_of_an_unrelocated_member(self):
        source, archive = self.folder / "f43.s", self.folder / "f43.a"
        name = "CAYMAN_Q7_POOL_PERF_EXTISA_1_SO"
        member = self.folder / f"img_{name}_contents.c.o"
        source.write_text(".text\n.literal .L1, 0x12345678\n.global f\n.align 4\nf: l32r a6, .L1\n call0 g\n")
        subprocess.run([AS, source, "-o", member], check=True)
        subprocess.run(["ar", "rc", archive, member], check=True)
        done = run("carve", archive, "-o", self.folder / "out")
        self.assertIn("is unrelocated: 2 instructions", done.stderr)
        manifest = json.loads((self.folder / "out" / "manifest.json").read_text())
        self.assertEqual([image["unrelocated"] for image in manifest["images"]], [2])
        done = run("verify", FIXTURE / "internal.so", archive, status=1)  # the rest of the archive is missing
        self.assertIn(f"unrelocated  {name}", done.stdout)
        self.assertNotIn("differs  ", done.stdout)
        self.assertIn(" 0 differ,", done.stdout)
        found = json.loads(run("verify", FIXTURE / "internal.so", archive, "--json", status=1).stdout)["identity"]
        self.assertEqual((found["differ"], found["unrelocated"]), (0, 1))

    @unittest.skipUnless(shutil.which(LD), "binutils-xtensa-lx106 is not installed")
    def test_linked_object_has_its_literal(self):
        source = self.folder / "linked.s"
        source.write_text(".text\n.literal_position\n.literal .L1, 0x12345678\n.global _start\n"
                          ".type _start,@function\n.align 4\n_start: l32r a6, .L1\n j _start\n")
        obj, linked = self.folder / "linked.o", self.folder / "linked.elf"
        subprocess.run([AS, "--text-section-literals", source, "-o", obj], check=True)
        subprocess.run([LD, "-Ttext", "0x40000000", obj, "-o", linked], check=True)
        done = run("dis", linked, "--core", "scalar")
        self.assertEqual(done.stderr, "")
        self.assertIn("40000000:  78 56 34 12              .literal 0x12345678", done.stdout)
        self.assertIn("l32r a6, 0x40000000", done.stdout)


@unittest.skipUnless(shutil.which(OBJDUMP) and LIBGCC.exists(), "the Xtensa toolchain is not installed")
class Listing(unittest.TestCase):
    """The command's listing of an archive against binutils': instructions at the same addresses."""

    def test_libgcc_line_by_line(self):
        theirs, member = {}, None
        for line in subprocess.run([OBJDUMP, "-d", LIBGCC], capture_output=True, text=True, check=True).stdout.splitlines():
            parts = line.split("\t")
            if ":     file format" in line:
                member = line.split(":")[0]
            elif line.startswith("Disassembly of section "):
                section = line.split()[-1].rstrip(":")
            elif len(parts) > 2 and len(parts[1].split()[0]) in (4, 6) and parts[2] not in ("excw",):
                operands = parts[3].split(" <") if len(parts) > 3 else [""]
                if len(operands) > 1:
                    head, _, target = operands[0].rpartition(" ")
                    operands[0] = f"{head} 0x{target}".strip()
                theirs[member, section, int(parts[0].strip(" :"), 16)] = f"{parts[2]} {operands[0]}".strip()
        ours = {}
        for image in images("dis", LIBGCC, "--core", "scalar"):
            for section in image["sections"]:
                for item in section["items"]:
                    if item["kind"] == "instruction" and not item["doubt"]:
                        ours[image["symbol"], section["section"], int(item["address"], 0)] = item["text"]
        common = ours.keys() & theirs.keys()
        for key in common:
            self.assertEqual(ours[key], theirs[key], key)
        # The sweep finds all but what lies behind data in the code of hand-written members.
        self.assertGreater(len(common), 0.97 * len(theirs))


class BadInput(Scratch):
    def test_not_a_head(self):
        done = run("boot", self.flat("00" * 32), status=1)
        self.assertIn("no reset path: no jump: not a reset head at 0x0", done.stdout)

    def test_options(self):
        code = self.flat("1df0")
        for args in (("--core", "big"), ("--base", "x"), ("--base", "-1"), ("--label", "0x100000000"), ()):
            done = run("dis", *([code, *args] if args else []), status=2)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    def test_nothing_selected(self):
        for action in ("boot", "dispatch", "dis"):
            self.assertIn("no image matches", run(action, FIXTURE / "sunda.so", "--select", "nosuch*", status=1).stderr)

    def test_no_code(self):
        for args, said in (((self.flat("", name="empty.bin"),), "no code image"), ((self.flat("1df0"), "--section", "x"), "section 'x'")):
            done = run("dis", *args, status=1)
            self.assertEqual(done.stdout, "")
            self.assertIn(said, done.stderr)
        run("dis", self.flat("1df0"), "--start", "2", "--stop", "1", status=2)

    def test_big_endian_code_is_declined(self):
        code = self.flat("6c1004" * 64, name="big.bin")  # entry a1, 32 of a big-endian core
        for action in ("boot", "dispatch", "dis"):
            self.assertIn("big-endian", run(action, code, status=2).stderr)

    def test_missing_file(self):
        for action in ("boot", "dispatch", "dis"):
            self.assertIn("nosuch", run(action, self.folder / "nosuch", status=2).stderr)

    def test_base_past_the_end(self):
        self.assertIn("32-bit", run("dis", self.flat("1df0"), "--base", "0xffffffff", status=2).stderr)

    def test_damaged_containers_end(self):
        for damaged in sorted((FIXTURE / "damaged").iterdir()):
            for action in ("boot", "dispatch", "dis"):
                done = subprocess.run([TRENCH, "fw", action, damaged], capture_output=True, check=False, timeout=60)
                self.assertIn(done.returncode, (0, 1, 2), f"{action} {damaged}")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
