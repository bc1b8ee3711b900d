#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""trench run, end to end. usage: test_cli_run.py TRENCH [unittest options]

Expected values are the field cases of docs/hardware/field-cases.md, facts of the sheets, or NumPy's
own computation; nothing is taken from a run of the program itself."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np

TRENCH = os.path.abspath(sys.argv.pop(1))
GENERATIONS = ("sunda", "cayman", "mariana", "mariana_plus", "maverick")
FOUR = GENERATIONS[:4]
MM = "num_active_rows=128 num_active_cols=128 row_grp=all col_grp=all"


class Case(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)

    def path(self, name):
        return os.path.join(self.directory.name, name)

    def text(self, name, *lines):
        with open(self.path(name), "w", encoding="utf-8") as stream:
            stream.write("\n".join(lines) + "\n")
        return name

    def array(self, name, array):
        np.save(self.path(name), array)
        return name

    def run_(self, *arguments):
        return subprocess.run([TRENCH, "run", *arguments], capture_output=True, text=True,
                              check=False, timeout=60, cwd=self.directory.name)

    def ends(self, status, *arguments):
        done = self.run_(*arguments)
        self.assertEqual(done.returncode, status, f"{arguments}\n{done.stdout}{done.stderr}")
        return done

    def report(self, status, *arguments):
        return json.loads(self.ends(status, "--json", *arguments).stdout)

    def refused(self, *arguments, says, dump="never.npy"):
        """Exit 2, one message that says it, nothing on standard output, no dump file."""
        done = self.ends(2, *arguments)
        self.assertEqual(done.stdout, "")
        lines = [line for line in done.stderr.splitlines() if "error:" in line]
        self.assertEqual(len(lines), 1, done.stderr)
        self.assertTrue(lines[0].startswith("trench: "), lines[0])
        self.assertIn(says, lines[0])
        self.assertFalse(os.path.exists(self.path(dump)))


class Outcomes(Case):
    def test_three_words_run_on_every_generation(self):
        program = self.text("p.tasm", ".engine sp", "nop", "nop", "halt")
        for gen in GENERATIONS:
            report = self.report(0, "--gen", gen, program)
            self.assertEqual(report["schema"], "trench.run/1")
            self.assertEqual(report["gen"], gen)
            self.assertEqual(report["status"], "ok")
            self.assertEqual(report["engines"]["sp"]["retired"], 3)
            self.assertEqual(report["engines"]["sp"]["state"], "halted")
            for key in ("notifications", "faults", "findings", "dumps"):
                self.assertEqual(report[key], [])
            choices = {choice["id"]: choice["count"] for choice in report["model_choices"]}
            self.assertEqual(choices, {"direct_start": 1} if gen == "maverick" else {})

    def test_text_report_says_where_every_engine_ended(self):
        program = self.text("p.tasm", ".gen cayman", ".engine sp", "nop", "halt", ".engine pe", "halt")
        done = self.ends(0, program)
        self.assertIn("cayman: ok", done.stdout)
        self.assertRegex(done.stdout, r"pe +halted +1 words")
        self.assertRegex(done.stdout, r"sp +halted +2 words")
        self.assertEqual(done.stderr, "")

    def test_deadlock_names_engine_semaphore_value_and_wanted_value(self):  # F04
        program = self.text("p.tasm", ".gen cayman", ".engine dve", "nop", "  wait sem=3 ge 1", "halt")
        report = self.report(3, program)
        self.assertEqual(report["status"], "deadlock")
        (waiting,) = report["deadlock"]
        self.assertEqual(waiting["engine"], "dve")
        self.assertEqual(waiting["waits"], {"sem": 3, "mode": "ge", "want": 1, "value": 0})
        done = self.ends(3, program)
        self.assertIn("p.tasm:3: error: dve:0x0: waits for semaphore 3 >= 1, its value is 0",
                      done.stderr)

    def test_endless_loop_is_a_limit_with_its_bounds(self):  # F39
        program = self.text("p.tasm", ".gen cayman", ".engine dve", "nop", "top:", "nop",
                            "branch always top")
        report = self.report(3, "--limit", "1000", program)
        self.assertEqual(report["status"], "limit")
        self.assertNotIn("deadlock", report)
        self.assertEqual(report["engines"]["dve"]["retired"], 1000)
        (loop,) = report["limit"]["loops"]
        self.assertEqual((loop["engine"], loop["first"], loop["last"]), ("dve", "0x40", "0x80"))
        done = self.ends(3, "--limit", "1000", program)
        self.assertIn("loop 0x40..0x80", done.stderr)

    def test_an_engine_that_has_not_begun_stands_at_its_first_word(self):
        program = self.text("p.tasm", ".gen cayman", ".engine act", "nop", "nop", "halt", ".engine dve",
                            "nop", "halt")
        engines = self.report(3, "--limit", "1", program)["engines"]
        idle = [e for e in engines.values() if e["state"] == "idle"]
        self.assertEqual([(e["retired"], e["pc"]) for e in idle], [(0, "0x0")])
        self.assertNotEqual(idle[0]["addr"], "0x0")

    def test_bytes_have_a_limit_too(self):
        copy = ("copy src=sbuf[p0,0x0]:(16,1,1,1) in=fp32 dst=sbuf[p0,0x1000]:(16,1,1,1) out=fp32 "
                "ch=32")  # reads and writes 32 x 64 bytes
        program = self.text("p.tasm", ".gen cayman", ".engine dve", *[copy] * 5, "halt")
        report = self.report(3, "--limit-bytes", "8192", program)
        self.assertEqual((report["status"], report["limit"]["bytes"]), ("limit", 8192))
        self.assertEqual(report["engines"]["dve"]["retired"], 2)
        self.ends(0, "--limit-bytes", "20481", program)
        stepped = self.report(3, "--step", "--limit-bytes", "8192", program)  # ends as it does without
        self.assertEqual((stepped["status"], len(stepped["trace"])), ("limit", 2))

    def test_warnings_are_counted(self):
        program = self.text("p.tasm", ".gen cayman", ".engine sp", "nop", "  update sem=3 dec complete",
                            "halt")
        done = self.ends(0, "--json", program)
        self.assertEqual(json.loads(done.stdout)["warnings"],
                         [{"kind": "semaphore_underflow", "count": 1}])
        self.assertIn("trench: warning: semaphore_underflow, 1 times", done.stderr)

    def test_refused_word_stops_at_its_pc(self):  # F40
        words = ["nop"] * 100
        words[57] = ".word " + "fe10" + "00" * 62
        program = self.text("p.tasm", ".gen cayman", ".engine dve", *words, "halt")
        report = self.report(3, program)
        self.assertEqual(report["status"], "fault")
        (fault,) = report["faults"]
        self.assertEqual((fault["engine"], fault["pc"], fault["class"]),
                         ("dve", hex(57 * 64), "bad_opcode"))
        self.assertEqual(fault["where"], "p.tasm:60")
        self.assertEqual(report["engines"]["dve"]["retired"], 57)
        self.assertEqual(report["engines"]["dve"]["state"], "faulted")

    def test_other_engines_and_earlier_dumps_survive_a_fault(self):  # F40
        program = self.text(
            "p.tasm", ".gen cayman", ".engine dve",
            "memset dst=sbuf[p0,0x0]:(4,1,1,1) dtype=uint32 ch=32 dst_element_count=4 set_value=7", ".word fe10" + "00" * 62,
            ".engine sp", *["nop"] * 200, "halt")
        report = self.report(3, program, "--dump", "sbuf:0:uint32:32x4=d.npy")
        self.assertEqual(report["engines"]["sp"]["state"], "halted")
        self.assertEqual(report["engines"]["sp"]["retired"], 201)
        self.assertTrue((np.load(self.path("d.npy")) == 7).all())

    def test_program_without_a_generation_runs_on_cayman(self):  # cli-contract.md, run
        bare = self.text("p.tasm", "; .gen sunda is not said here", ".engine sp", "nop", "halt")
        done = self.ends(0, bare)
        self.assertEqual(done.stderr, "trench: note: no --gen and no .gen; running on cayman\n")
        self.assertIn("cayman: ok", done.stdout)
        self.assertEqual(self.ends(0, "--gen", "mariana", bare).stderr, "")
        self.text("q.tasm", "; one says it", "top: .GEN mariana", ".engine dve", "halt")
        for order in ((bare, "--queue", "dve=q.tasm"), ("--queue", "dve=q.tasm", bare)):
            done = self.ends(0, *order)
            self.assertEqual(done.stderr, "")
            self.assertIn("mariana: ok", done.stdout)

    def test_missing_halt_is_named(self):
        program = self.text("p.tasm", ".gen cayman", ".engine dve", "nop", "nop ; the last", "")
        (fault,) = self.report(3, program)["faults"]
        self.assertEqual((fault["class"], fault["pc"], fault["where"]),
                         ("bad_opcode", "0x80", "p.tasm:4"))
        self.assertIn("ran past the last word of p.tasm (halt missing?)", fault["message"])
        self.assertIn("p.tasm:4: error: dve:0x80: bad_opcode: ran past the last word of p.tasm (halt "
                      "missing?)", self.ends(3, program).stderr)
        program = self.text("p.tasm", ".gen cayman", ".engine dve", "nop", "branch always .-256")
        (fault,) = self.report(3, program)["faults"]
        self.assertEqual((fault["class"], fault["where"]), ("bad_opcode", "p.tasm:3"))
        self.assertIn("before the first word of p.tasm", fault["message"])
        subprocess.run([TRENCH, "asm", self.text("n.tasm", ".gen cayman", ".engine sp", "nop"), "-o",
                        "n.bin"], check=True, cwd=self.directory.name)
        (fault,) = self.report(3, "--gen", "cayman", "--queue", "sp=n.bin")["faults"]
        self.assertEqual(fault["where"], "n.bin+0x0")

    def test_illegal_word_names_its_rule(self):
        program = self.text("p.tasm", ".gen cayman", ".engine dve",
                            "copy src=sbuf[p16,0x0]:(4,1,1,1) in=fp32 dst=sbuf[p0,0x100]:(4,1,1,1) "
                            "out=fp32 ch=8", "halt")
        (fault,) = self.report(3, program)["faults"]
        self.assertEqual(fault["class"], "illegal_instruction")
        self.assertEqual(fault["rule"], "start_addr_active_channels")

    def test_specified_word_without_a_handler_is_not_modelled(self):
        program = self.text("p.tasm", ".gen cayman", ".engine pool", "iota", "halt")
        (fault,) = self.report(3, program)["faults"]
        self.assertEqual(fault["class"], "not_modelled")
        self.assertIn("IOTA", fault["message"])

    def test_notify_is_in_the_report(self):
        program = self.text("p.tasm", ".gen cayman", ".engine sp", "nop",
                            "notify notify_payload=0xBEEF1234", "halt")
        (note,) = self.report(0, program)["notifications"]
        self.assertEqual((note["type"], note["engine"], note["pc"]), ("EXPLICIT", "sp", "0x40"))
        self.assertEqual(note["fields"]["soft_reset_counter"], 0x1234)
        self.assertEqual(note["fields"]["debug_hint_extended"], 0xBEEF)

    def test_model_choices_are_listed(self):
        program = self.text("p.tasm", ".gen cayman", ".engine sp", "branch always end", "nop", "end:",
                            "halt")
        (choice,) = self.report(0, program)["model_choices"]
        self.assertEqual((choice["id"], choice["count"]), ("branch_relative_base", 1))
        self.assertIn("branch_relative_base", self.ends(0, "--provenance", program).stdout)
        self.assertNotIn("branch_relative_base", self.ends(0, program).stdout)

    def test_step_prints_every_word(self):
        program = self.text("p.tasm", ".gen cayman", ".engine sp", "nop", "nop", "halt")
        lines = self.ends(0, "--step", program).stdout.splitlines()
        self.assertEqual([line.split() for line in lines[:3]],
                         [["sp", "0x0", "nop"], ["sp", "0x40", "nop"], ["sp", "0x80", "halt"]])
        trace = self.report(0, "--step", program)["trace"]
        self.assertEqual(trace[2], {"engine": "sp", "pc": "0x80", "text": "halt"})

    def test_schedule_seed_and_threads_do_not_change_results(self):
        program = self.text(
            "p.tasm", ".gen cayman", ".engine dve",
            "tensor_scalar_arith src=sbuf[p0,0x0]:(64,1,1) in=fp32 dst=sbuf[p0,0x1000]:(64,1,1) "
            "out=fp32 ch=128 op0=mult imm0=3.0 op1=bypass",
            "  update sem=1 inc complete", "halt", ".engine pool",
            "tensor_scalar_arith src=sbuf[p0,0x1000]:(64,1,1) in=fp32 dst=sbuf[p0,0x2000]:(64,1,1) "
            "out=fp32 ch=128 op0=add imm0=1.0 op1=bypass", "  wait sem=1 ge 1", "halt")
        x = np.random.default_rng(1).standard_normal((128, 64)).astype(np.float32)
        self.array("x.npy", x)
        for extra in ([], ["--schedule-seed", "7"], ["--schedule-seed", "8", "--threads", "2"]):
            self.ends(0, program, "--load", "sbuf:0=x.npy", "--dump", "sbuf:0x2000:fp32:128x64=y.npy",
                      *extra)
            y = np.load(self.path("y.npy"))
            np.testing.assert_array_equal(y, x * np.float32(3) + np.float32(1))


class Arrays(Case):
    HALT = (".engine sp", "halt")

    def test_arrays_come_back_as_they_went(self):
        program = self.text("p.tasm", *self.HALT)
        rng = np.random.default_rng(2)
        cases = (("fp32", np.float32), ("int8", np.int8), ("uint16", np.uint16), ("int32", np.int32),
                 ("uint64", np.uint64), ("fp16", np.float16))
        for gen in GENERATIONS:
            for space in ("sbuf", "psum", "hbm"):
                for name, dtype in cases:
                    shape = (7, 3, 5)
                    raw = rng.integers(0, 256, 7 * 15 * np.dtype(dtype).itemsize, dtype=np.uint8)
                    x = raw.view(dtype).reshape(shape)
                    self.array("x.npy", x)
                    report = self.report(
                        0, "--gen", gen, program, "--load", f"{space}:0x40=x.npy",
                        "--dump", f"{space}:0x40:{name}:7x3x5=y.npy")
                    y = np.load(self.path("y.npy"))
                    self.assertEqual((y.dtype, y.shape), (np.dtype(dtype), shape))
                    self.assertEqual(y.tobytes(), x.tobytes())
                    self.assertEqual(report["dumps"], [
                        {"file": "y.npy", "space": space, "addr": "0x40", "dtype": name,
                         "shape": [7, 3, 5]}])

    def test_device_memory_is_one_stack(self):  # address-map.md 3: 16, 24, 36, 36 GiB
        program = self.text("p.tasm", *self.HALT)
        self.array("x.npy", np.arange(4, dtype=np.uint32))
        sizes = (("sunda", 16), ("cayman", 24), ("mariana", 36), ("mariana_plus", 36))
        for gen, gib in sizes:
            last = (gib << 30) - 16
            self.ends(0, "--gen", gen, program, "--load", f"hbm:{last:#x}=x.npy", "--dump",
                      f"hbm:{last:#x}:uint32:4=y.npy")
            np.testing.assert_array_equal(np.load(self.path("y.npy")), np.arange(4))
            self.refused("--gen", gen, program, "--load", f"hbm:{last + 4:#x}=x.npy",
                         says=f"end past the {gib << 30} bytes of device memory on {gen}")

    def test_rows_go_to_partitions(self):
        program = self.text("p.tasm", *self.HALT)
        x = np.arange(128 * 4, dtype=np.uint32).reshape(128, 4)
        self.array("x.npy", x)
        self.ends(0, "--gen", "cayman", program, "--load", "sbuf:0x100=x.npy",
                  "--dump", "sbuf:0x104:uint32:128=y.npy")  # second element of every row
        np.testing.assert_array_equal(np.load(self.path("y.npy")), x[:, 1])

    def test_bf16_and_fp8_travel_as_bits(self):
        program = self.text("p.tasm", *self.HALT)
        self.array("b.npy", np.array([[0x3F80, 0x4000]], np.uint16))
        self.array("f.npy", np.array([[0x38, 0x7E]], np.uint8))
        self.ends(0, "--gen", "mariana", program, "--load", "sbuf:0:bf16=b.npy", "--load",
                  "sbuf:8:fp8_exp4=f.npy", "--dump", "sbuf:0:bf16:1x2=b2.npy", "--dump",
                  "sbuf:8:fp8_exp4:1x2=f2.npy")
        self.assertEqual(np.load(self.path("b2.npy")).dtype, np.uint16)
        np.testing.assert_array_equal(np.load(self.path("f2.npy")), [[0x38, 0x7E]])

    def test_reset_content(self):
        program = self.text("p.tasm", *self.HALT)
        for content, want in (("zero", 0), ("poison", 0xFF)):
            self.ends(0, "--gen", "cayman", program, "--reset", content, "--dump",
                      "hbm:0x9000:uint8:64=d.npy")
            self.assertTrue((np.load(self.path("d.npy")) == want).all())
        dumps = []
        for seed in ("1", "1", "2"):
            self.ends(0, "--gen", "cayman", program, "--reset", f"random:{seed}", "--dump",
                      "hbm:0x9000:uint8:64=d.npy")
            dumps.append(np.load(self.path("d.npy")).tobytes())
        self.assertEqual(dumps[0], dumps[1])
        self.assertNotEqual(dumps[0], dumps[2])

    def test_occupancy_of_a_weight_load(self):  # F09
        program = self.text("p.tasm", ".gen cayman", ".engine pe",
                            f"ldweights src=sbuf[p0,0x0]:(128,1,1) in=bf16 {MM}", "halt")
        self.array("w.npy", np.zeros((128, 128), np.uint16))
        report = self.report(0, program, "--load", "sbuf:0:bf16=w.npy")
        rows = report["occupancy"]["sbuf"]
        self.assertEqual([row["partition"] for row in rows], list(range(128)))
        self.assertEqual({row["bytes_written"] for row in rows}, {256})

    def test_raw_queue_at_an_address(self):
        text = self.text("p.tasm", ".gen cayman", ".engine sp", "nop", "halt")
        subprocess.run([TRENCH, "asm", text, "-o", "p.bin"], check=True, cwd=self.directory.name)
        report = self.report(0, "--gen", "cayman", "--queue", "sp@0x40000=p.bin")
        self.assertEqual(report["engines"]["sp"], {"retired": 2, "state": "halted", "pc": "0x80",
                                                   "addr": "0x40080"})
        text = self.text("q.tasm", "halt")  # no .engine: the option says it
        report = self.report(0, "--gen", "cayman", "--queue", "pe=p.bin", "--queue", "dve=" + text)
        self.assertEqual(report["engines"]["pe"]["addr"], "0x1000080")  # 0x1000000 * (0 + 1)
        self.assertEqual(report["engines"]["dve"]["addr"], "0x4000040")


class Checks(Case):
    def test_dump_of_unwritten_bytes_is_a_finding(self):  # F35
        program = self.text("p.tasm", ".gen cayman", ".engine sp", "halt")
        arguments = (program, "--dump", "hbm:0x8000:fp32:4=d.npy")
        report = self.report(3, "--check=uninit", *arguments)
        self.assertEqual(report["status"], "findings")
        (found,) = report["findings"]
        self.assertEqual((found["kind"], found["space"], found["byte"]), ("uninit", "hbm", 0x8000))
        self.ends(0, *arguments)  # only a check makes it one
        self.array("x.npy", np.zeros(4, np.float32))
        self.ends(0, "--check=uninit", *arguments, "--load", "hbm:0x8000=x.npy")

    def test_program_that_needs_zeros_fails_under_the_check(self):  # F37
        program = self.text(
            "p.tasm", ".gen cayman", ".engine dve",
            "copy src=sbuf[p0,0x0]:(16,1,1,1) in=fp32 dst=sbuf[p0,0x1000]:(16,1,1,1) out=fp32 ch=32",
            "halt")
        self.array("x.npy", np.zeros((32, 15), np.float32))  # one element short
        arguments = (program, "--load", "sbuf:0=x.npy", "--dump", "sbuf:0x1000:uint32:32x16=y.npy")
        self.ends(0, *arguments)
        self.assertTrue((np.load(self.path("y.npy")) == 0).all())
        report = self.report(3, "--check=uninit", *arguments)
        found = report["findings"][0]
        self.assertEqual((found["space"], found["partition"], found["byte"], found["engine"],
                          found["pc"]), ("sbuf", 0, 60, "dve", "0x0"))
        y = np.load(self.path("y.npy"))  # memory holds poison while checking
        self.assertTrue((y[:, 15] == 0xFFFFFFFF).all() and (y[:, :15] == 0).all())

    def test_a_check_that_does_not_exist_is_refused(self):
        program = self.text("p.tasm", ".gen cayman", ".engine sp", "halt")
        self.refused("--check=uninitialised", program, says="unknown check")


class Matmul(Case):
    ONES = np.full((128, 512), 0x3F80, np.uint16)

    def setUp(self):
        super().setUp()
        self.array("w.npy", self.ONES[:, :128])
        self.array("m.npy", self.ONES)
        self.loads = ("--load", "sbuf:0:bf16=w.npy", "--load", "sbuf:0x1000:bf16=m.npy")

    @staticmethod
    def matmul(start, count, flags, extra=""):
        return (f"matmul src=sbuf[p0,0x1000]:({count},1,1) in=bf16 {MM} psum_accumulate_flags={flags} "
                f"dst=psum[p0,{4 * start}]:({count},1,1) {extra}")

    def test_accumulating_and_looking_in_between(self):  # F15
        for gen in FOUR:
            program = self.text("p.tasm", f".gen {gen}", ".engine pe",
                                f"ldweights src=sbuf[p0,0x0]:(128,1,1) in=bf16 {MM}",
                                self.matmul(0, 512, "multi_start"), self.matmul(0, 512, "multi_end"),
                                "halt")
            dump = ("--dump", "psum:0:fp32:128x512=d.npy")
            self.ends(0, program, *self.loads, *dump)
            self.assertTrue((np.load(self.path("d.npy")) == 256).all())
            self.ends(0, program, *self.loads, *dump, "--break", "pe:0x80")
            self.assertTrue((np.load(self.path("d.npy")) == 128).all())

    def test_add_in_the_state_buffer_gives_the_same(self):  # F15
        program = self.text(
            "p.tasm", ".gen cayman", ".engine dve",
            "tensor_tensor_arith src0=sbuf[p0,0x0]:(512,1,1) src1=sbuf[p0,0x800]:(512,1,1) "
            "in0_in1=fp32/fp32 dst=sbuf[p0,0x1000]:(512,1,1) out=fp32 ch=128 op=add", "halt")
        self.array("x.npy", np.full((128, 1024), 128, np.float32))
        self.ends(0, program, "--load", "sbuf:0=x.npy", "--dump", "sbuf:0x1000:fp32:128x512=y.npy")
        self.assertTrue((np.load(self.path("y.npy")) == 256).all())

    def test_overlapping_windows(self):  # F15: [0:512) then [256:768)
        windows = {
            "sunda": [(0, 512, "multi_start", ""), (256, 256, "multi_end", ""), (512, 256, "single", "")],
            "mariana": [(0, 512, "multi_start", "psum_zero_region=1"),
                        (256, 512, "multi_end", "psum_zero_region=1")]}
        windows["cayman"] = windows["sunda"]  # the second window crosses a bank: two words
        windows["mariana_plus"] = windows["mariana"]
        for gen in FOUR:
            program = self.text("p.tasm", f".gen {gen}", ".engine pe",
                                f"ldweights src=sbuf[p0,0x0]:(128,1,1) in=bf16 {MM}",
                                *(self.matmul(*window) for window in windows[gen]), "halt")
            self.ends(0, program, *self.loads, "--dump", "psum:0:fp32:128x768=d.npy")
            d = np.load(self.path("d.npy"))
            self.assertTrue((d[:, :256] == 128).all(), gen)
            self.assertTrue((d[:, 256:512] == 256).all(), gen)
            self.assertTrue((d[:, 512:] == 128).all(), gen)

    def test_bf16_inputs_show_their_rounding(self):  # F24
        tenth = np.full((128, 128), 0x3DCD, np.uint16)  # bf16(0.1)
        self.array("w.npy", tenth)
        self.array("m.npy", tenth)
        for gen in FOUR:
            program = self.text("p.tasm", f".gen {gen}", ".engine pe",
                                f"ldweights src=sbuf[p0,0x0]:(128,1,1) in=bf16 {MM}",
                                self.matmul(0, 128, "single"), "halt")
            self.ends(0, program, *self.loads, "--dump", "psum:0:uint32:128x128=d.npy")
            self.assertTrue((np.load(self.path("d.npy")) == 0x3FA42900).all())  # 1.2825012


class Generations(Case):
    def test_same_words_on_every_generation_do_not_differ(self):  # F23
        program = self.text(
            "p.tasm", ".engine dve",
            "tensor_scalar_arith src=sbuf[p0,0x0]:(64,1,1) in=fp32 dst=sbuf[p0,0x1000]:(64,1,1) "
            "out=bf16 ch=128 op0=mult imm0=3.0 op1=max imm1=0.0", "halt")
        self.array("x.npy", np.linspace(-9, 9, 128 * 64, dtype=np.float32).reshape(128, 64))
        report = self.report(0, "--gen", "all", "--diff", program, "--load", "sbuf:0=x.npy")
        self.assertEqual([run["gen"] for run in report["runs"]], list(GENERATIONS))
        self.assertIsNone(report["difference"])
        self.assertEqual(report["skipped"], [])
        self.assertIn("no difference", self.ends(0, "--gen", "all", "--diff", program).stdout)

    def test_first_difference_is_the_fp8_cast(self):  # F23: 300 -> Inf 0x78, or 288 = 0x79
        program = self.text(
            "p.tasm", ".gen sunda cayman mariana", ".engine dve", "nop",
            "cast src=sbuf[p0,0x0]:(4,1,1,1) in=fp32 dst=sbuf[p0,0x100]:(4,1,1,1) out=fp8_exp4 ch=32",
            "halt")
        self.array("x.npy", np.full((32, 4), 300, np.float32))
        load = ("--load", "sbuf:0=x.npy")
        report = self.report(1, "--gen", "all", "--diff", program, *load)
        difference = report["difference"]
        self.assertEqual((difference["engine"], difference["pc"], difference["gen"],
                          difference["other"]), ("dve", "0x40", "sunda", "mariana"))
        self.assertTrue(difference["text"].startswith("cast "))
        self.assertEqual([entry["gen"] for entry in report["skipped"]], ["mariana_plus", "maverick"])
        for gen, want in (("sunda", 0x78), ("cayman", 0x78), ("mariana", 0x79)):
            self.ends(0, "--gen", gen, program, *load, "--dump", "sbuf:0x100:fp8_exp4:32x4=y.npy")
            self.assertTrue((np.load(self.path("y.npy")) == want).all(), gen)

    def test_a_run_that_faults_alone_is_a_difference(self):
        # address-map.md 3: device memory ends at 0x400000000 on sunda, at 0x600000000 on cayman
        program = ("p.tasm",)
        self.text(
            "p.tasm", ".engine sp", "nop", "tensor_store dtype=uint32 src_datasrc=immediate "
            "num_elem=[1,1] start_addr=0x500000000 data=[9]", "halt")
        report = self.report(1, "--gen", "all", "--diff", *program)
        difference = report["difference"]
        faulted = [run["gen"] for run in report["runs"] if run["status"] == "fault"]
        ended_well = [run["gen"] for run in report["runs"] if run["status"] == "ok"]
        self.assertTrue(faulted and ended_well)
        self.assertEqual((difference["engine"], difference["pc"], difference["what"]),
                         ("sp", "0x40", "ended"))
        self.assertEqual((difference["gen"], difference["other"]), ("cayman", "sunda"))
        done = self.ends(1, "--gen", "all", "--diff", *program)
        self.assertIn("first difference: sp:0x40", done.stdout)
        self.assertNotIn("no difference", done.stdout)
        for gen in faulted:
            self.assertRegex(done.stderr, rf"error: {gen}: sp:0x40: ")

    def test_nothing_to_compare(self):
        program = self.text("p.tasm", ".engine act", "iota", "halt")
        report = self.report(2, "--gen", "all", "--diff", program)
        self.assertEqual((report["status"], report["runs"]), ("not_run", []))
        self.assertNotIn("difference", report)
        done = self.ends(2, "--gen", "all", "--diff", program)
        self.assertNotIn("no difference", done.stdout)
        self.assertIn("nothing to compare: no generation ran", done.stdout)

    def test_problems_name_the_generation(self):
        program = self.text("p.tasm", ".engine sp", "nop", "  wait sem=3 ge 1", "halt")
        done = self.ends(3, "--gen", "all", program)
        for gen in GENERATIONS:
            self.assertIn(f"p.tasm:2: error: {gen}: sp:0x0: waits for", done.stderr)
        done = self.ends(3, "--gen", "all", "--limit", "1", program)

    def test_generations_that_cannot_run_it_say_why(self):
        program = self.text("p.tasm", ".engine act", "nop", "halt")
        report = self.report(0, "--gen", "all", program)
        (skipped,) = report["skipped"]
        self.assertEqual(skipped["gen"], "maverick")  # ships no ACT image
        self.assertNotEqual(skipped["reason"], "")
        self.assertEqual(len(report["runs"]), 4)

    def test_options_of_one_generation_are_refused_for_all(self):
        program = self.text("p.tasm", ".engine sp", "halt")
        self.refused("--gen", "all", program, "--dump", "hbm:0:fp32:4=never.npy", says="one generation")
        self.refused("--gen", "all", program, "--break", "sp:0", says="one generation")
        self.refused("--gen", "cayman", program, "--diff", says="--gen all")


class Breakpoints(Case):
    def test_break_takes_the_dump_at_its_first_time(self):
        program = self.text(
            "p.tasm", ".gen cayman", ".engine sp", "move num_mov=1 dtype=uint32 move_source=immediate "
            "dst_registers=[r1] immediate=[5]", "tensor_store dtype=uint32 num_elem=[1,1] "
            "start_addr=0x9000 data=[1]", "nop", "tensor_store dtype=uint32 src_datasrc=immediate "
            "num_elem=[1,1] start_addr=0x9000 data=[9]", "halt")
        dump = ("--dump", "hbm:0x9000:uint32:1=d.npy")
        for at, want in ((0x40, 0), (0x80, 5), (0xC0, 5), (0x100, 9)):
            self.ends(0, program, *dump, "--break", f"sp:{at:#x}")
            self.assertEqual(np.load(self.path("d.npy"))[0], want)

    def test_break_that_is_never_reached_writes_no_dump(self):
        program = self.text("p.tasm", ".gen cayman", ".engine sp", "branch always end", "nop", "end:",
                            "halt")
        done = self.ends(2, program, "--dump", "hbm:0:fp32:1=never.npy", "--break", "sp:0x40")
        self.assertIn("never reached", done.stderr)
        self.assertFalse(os.path.exists(self.path("never.npy")))

    def test_bad_breakpoints_are_refused(self):
        program = self.text("p.tasm", ".gen cayman", ".engine sp", "halt")
        for text, says in (("sp:0x20", "no word"), ("sp:0x40", "no word"), ("dve:0", "no queue"),
                           ("gpu:0", "unknown engine"), ("sp", "is not like"), ("sp:x", "no number")):
            self.refused(program, "--break", text, "--dump", "hbm:0:fp32:1=never.npy", says=says)

    def test_break_needs_something_to_do(self):
        program = self.text("p.tasm", ".gen cayman", ".engine sp", "halt")
        self.refused(program, "--break", "sp:0", says="no effect without a --dump")


class BadInput(Case):
    def setUp(self):
        super().setUp()
        self.program = self.text("p.tasm", ".gen cayman", ".engine sp", "halt")
        self.dump = ("--dump", "hbm:0:fp32:4=never.npy")

    def no(self, *arguments, says):
        self.refused(self.program, *self.dump, *arguments, says=says)

    def test_names(self):
        self.no("--gen", "camyan", says="unknown generation 'camyan'")
        self.no("--queue", "gpu=p.tasm", says="unknown engine 'gpu'")
        self.no("--load", "dram:0=x.npy", says="unknown space 'dram'")
        self.no("--dump", "hbm:0:fp99:4=never.npy", says="unknown data type 'fp99'")
        self.no("--dump", "hbm:0:fp4_exp2:4=never.npy", says="no whole bytes")
        self.no("--reset", "ones", says="none of zero, poison and random:SEED")
        self.no("--gen", "sunda", says="sunda")

    def test_numbers(self):
        for option in ("--limit", "--limit-bytes", "--schedule-seed", "--threads"):
            for text in ("-1", "x", "1x", "", "99999999999999999999"):
                self.no(option, text, says="is no number")
        self.no("--load", "sbuf:-4=x.npy", says="is no address")
        self.no("--queue", "dve@0x10=p.tasm", says="no multiple of 64")
        for shape in ("", "4x", "x4", "0", "4x-1", "1x" * 40 + "1"):
            self.no("--dump", f"hbm:0:fp32:{shape}=never.npy", says="is not like 128x512")

    def test_forms(self):
        self.no("--load", "sbuf=x.npy", says="SPACE:ADDR")
        self.no("--load", "sbuf:0", says="SPACE:ADDR")
        self.no("--dump", "sbuf:0:fp32=never.npy", says="SPACE:ADDR:DTYPE:SHAPE")
        self.no("--queue", "dve", says="ENGINE=FILE")
        self.refused(says="needs a PROGRAM.tasm")

    def test_files(self):
        self.no("--load", "sbuf:0=missing.npy", says="missing.npy")
        self.refused("missing.tasm", says="missing.tasm")
        with open(self.path("odd.bin"), "wb") as stream:
            stream.write(bytes(100))
        self.refused("--gen", "cayman", "--queue", "dve=odd.bin", says="multiple of 64")
        with open(self.path("empty.bin"), "wb"):
            pass
        self.refused("--gen", "cayman", "--queue", "dve=empty.bin", says="multiple of 64")
        self.refused(self.directory.name, says=self.directory.name)
        self.text("bad.tasm", ".gen cayman", ".engine sp", "hlat")
        self.refused("bad.tasm", says="bad.tasm:3:1")
        self.refused("odd.bin", "--gen", "cayman", says="--queue ENGINE=FILE")

    def test_arrays(self):
        self.array("f8.npy", np.zeros((4, 4)))
        self.array("f4.npy", np.zeros((4, 4), np.float32))
        self.array("order.npy", np.asfortranarray(np.zeros((4, 5), np.float32)))
        self.array("big.npy", np.zeros((4, 4), ">f4"))
        self.array("rows.npy", np.zeros((129, 1), np.uint8))
        self.array("wide.npy", np.zeros((1, 0x38001), np.uint8))
        self.array("none.npy", np.zeros((0, 4), np.uint8))
        self.array("scalar.npy", np.float32(1))
        with open(self.path("f4.npy"), "rb") as stream:
            whole = stream.read()
        with open(self.path("cut.npy"), "wb") as stream:
            stream.write(whole[:-1])
        with open(self.path("text.npy"), "w", encoding="utf-8") as stream:
            stream.write("1 2 3\n")
        self.no("--load", "sbuf:0=f8.npy", says="no data type for elements of <f8")
        self.no("--load", "sbuf:0:bf16=f4.npy", says="f4.npy")
        self.no("--load", "sbuf:0:fp32=f8.npy", says="f8.npy")
        self.no("--load", "sbuf:0=order.npy", says="order.npy")
        self.no("--load", "sbuf:0=big.npy", says="big.npy")
        self.no("--load", "sbuf:0=cut.npy", says="cut.npy")
        self.no("--load", "sbuf:0=text.npy", says="text.npy")
        self.no("--load", "sbuf:0=rows.npy", says="129 rows; sbuf has 128 partitions")
        self.no("--load", "sbuf:0=wide.npy", says="end past the 229376 bytes")
        self.no("--load", "sbuf:0=none.npy", says="no elements")
        self.no("--load", "sbuf:0=scalar.npy", says="no axis")
        self.no("--load", "psum:0x4000=f4.npy", says="end past the 16384 bytes")
        self.no("--load", "hbm:0xFFFFFFFFFFFFFFF8=f4.npy", says="end past")
        self.refused(self.program, "--dump", "sbuf:0:fp32:129x4=never.npy", says="129 rows")
        self.refused(self.program, "--dump",
                     "hbm:0:uint8:4294967295x4294967295x4294967295=never.npy", says="end past")

    def test_files_without_an_end(self):
        self.no("--load", "sbuf:0=/dev/zero", says="/dev/zero: error: this is not a .npy file")
        header = self.path("head.npy")
        np.save(header, np.zeros(4, np.uint8))
        with open(header, "r+b") as stream:  # all that psum holds and much more, none of it on disk
            stream.truncate(1 << 40)
        self.no("--load", "psum:0=head.npy", says="the file is larger than")

    def test_types_say_what_is_expected(self):
        self.array("f4.npy", np.zeros((128, 512), np.float32))
        self.array("order.npy", np.asfortranarray(np.zeros((4, 5), np.float32)))
        self.array("big.npy", np.zeros((4, 4), ">f4"))
        self.no("--load", "sbuf:0:bf16=f4.npy",
                says="the array is <f4 of shape (128, 512); expected <u2")
        self.no("--load", "sbuf:0=order.npy", says="; expected C order")
        self.no("--load", "sbuf:0=big.npy", says="; expected |b1")

    def test_array_over_a_queue(self):
        self.text("d.tasm", ".gen cayman", ".engine dve", "nop", "halt")
        self.array("f4.npy", np.zeros(16, np.float32))  # 64 bytes; dve's two words: 0x4000000
        for at in (0x4000000, 0x4000040, 0x4000000 - 4, 0x400007C):
            self.refused("d.tasm", "--load", f"hbm:{at:#x}=f4.npy",
                         says="overlaps the queue of dve at 0x4000000 (d.tasm)")
        self.refused("--queue", "dve@0x1000=d.tasm", "--load", "hbm:0x1040=f4.npy", says="f4.npy")
        for at in (0x4000000 - 64, 0x4000080):
            self.ends(0, "d.tasm", "--load", f"hbm:{at:#x}=f4.npy")
        self.ends(0, "--queue", "dve@0x1000=d.tasm", "--load", "hbm:0x4000000=f4.npy")

    def test_queues(self):
        self.no("--queue", "sp=p.tasm", says="sp already has a queue")
        self.text("nops.tasm", ".gen cayman", ".engine dve", "halt")
        self.refused("--queue", "pe=nops.tasm", says="has words for dve")
        self.refused("--queue", "dve@0x5000000=nops.tasm", self.program, says="overlap")
        self.refused("--queue", "dve@0x8000000000=nops.tasm", says="outside device memory")
        self.text("none.tasm", ".gen cayman", ".engine dve")
        self.refused("none.tasm", says="no word")
        self.text("act.tasm", ".engine act", "halt")
        self.refused("--gen", "maverick", "act.tasm", says="act")

    def test_unwritable_dump(self):  # nothing runs, nothing is written
        os.mkdir(self.path("there"))
        for target in ("no/such/place.npy", "there", "there/", "p.tasm/x.npy"):
            self.no("--dump", f"hbm:0:fp32:4={target}", says=f"{target}: error: --dump cannot")
        self.assertEqual(sorted(os.listdir(self.directory.name)), ["p.tasm", "there"])
        self.ends(0, self.program, *["--dump", "hbm:0:fp32:4=/dev/null"] * 2)
        self.ends(0, self.program, "--dump", "hbm:0:fp32:4=there/x.npy")
        self.ends(0, self.program, "--dump", "hbm:0:fp32:4=there/x.npy")  # replaced
        os.chmod(self.path("there"), 0o555)
        if os.geteuid() != 0:  # root writes everywhere
            self.no("--dump", "hbm:0:fp32:4=there/x.npy", says="Permission denied")

    def test_two_dumps_to_one_file(self):
        for other in ("never.npy", "./never.npy", os.path.join(self.directory.name, "never.npy")):
            self.no("--dump", f"hbm:64:fp32:4={other}", says="two --dump write it")
        self.ends(0, self.program, "--dump", "hbm:0:fp32:4=a.npy")
        os.symlink("a.npy", self.path("b.npy"))
        self.no("--dump", "hbm:0:fp32:4=a.npy", "--dump", "hbm:0:fp32:4=b.npy",
                says="two --dump write it")

    def test_given_twice(self):
        self.no("--gen", "cayman", "--gen", "sunda", says="--gen is given twice")
        self.no("--gen", "all", "--gen", "cayman", says="--gen is given twice")

    def test_no_threads(self):
        self.no("--threads", "0", says="1 to 256")

    def test_names_in_any_case(self):
        self.text("q.tasm", "halt")
        self.array("x.npy", np.arange(4, dtype=np.uint32))
        report = self.report(0, "--gen", "cayman", "--queue", "DVE=q.tasm", "--load", "HBM:64=x.npy",
                             "--dump", "Hbm:64:uint32:4=y.npy", "--break", "Dve:0")
        self.assertEqual(report["engines"]["dve"]["state"], "halted")
        np.testing.assert_array_equal(np.load(self.path("y.npy")), np.arange(4))


class BringUp(Case):
    """The core comes up through the HAL before its programs start (hal-stpb.md 7.1, 14.4)."""

    def test_every_core_runs_beside_its_own_memory(self):
        cores = {"sunda": 2, "cayman": 8, "mariana": 8, "mariana_plus": 8, "maverick": 8}
        program = self.text("p.tasm", ".engine dve", "memset dst=sbuf[p0,0x0]:(4) dtype=fp32 "
                            "set_value=0x3f800000 dst_element_count=4 ch=128", "halt")
        data = self.array("x.npy", np.arange(16, dtype=np.uint8))
        for gen, count in cores.items():
            for core in (1, count - 1):
                report = self.report(0, "--gen", gen, "--core", str(core), program, "--load",
                                     f"hbm:0x40={data}", "--dump", "sbuf:0:fp32:128x4=y.npy",
                                     "--dump", "hbm:0x40:uint8:16=h.npy")
                self.assertEqual(report["engines"]["dve"]["state"], "halted")
                self.assertEqual(report["engines"]["dve"]["pc"], "0x80")
                np.testing.assert_array_equal(np.load(self.path("y.npy")), np.ones((128, 4)))
                np.testing.assert_array_equal(np.load(self.path("h.npy")), np.arange(16))
            self.refused("--gen", gen, "--core", str(count), program,
                         says=f"{gen} has the cores 0 to {count - 1}")
        self.refused("--core", "x", program, says="--core")

    def test_engines_without_words_change_nothing(self):
        program = self.text("p.tasm", ".gen cayman", ".engine sp", "nop", "  wait sem=3 ge 1", "halt")
        report = self.report(3, program)
        self.assertEqual(report["status"], "deadlock")
        self.assertEqual(list(report["engines"]), ["sp"])
        self.assertEqual([entry["engine"] for entry in report["deadlock"]], ["sp"])
        self.assertEqual(report["warnings"], [])

    def test_microcode_of_the_user(self):
        program = self.text("p.tasm", ".gen cayman", ".engine sp", "halt")
        for size, status in ((0x20000, 0), (0x20001, 2)):  # cap: hal-stpb.md 8.3
            with open(self.path("iram.bin"), "wb") as stream:
                stream.write(bytes(size))
            done = self.ends(status, program, "--ucode", "sp:iram=iram.bin")
            self.assertEqual("IRAM ucode too big! doesn't fit, size=131073" in done.stderr,
                             status == 2, done.stderr)
        self.refused(program, "--ucode", "sp:iram=missing.bin", says="missing.bin")
        self.refused(program, "--ucode", "sp:cam=iram.bin", says="has no cam image for sp")
        self.refused("--gen", "all", program, "--ucode", "sp:iram=iram.bin", says="one generation")

    def test_a_generation_without_hal_says_so(self):
        program = self.text("p.tasm", ".engine sp", "halt")
        done = self.ends(0, "--gen", "maverick", program)
        self.assertIn("maverick has no host HAL", done.stderr)
        for gen in FOUR:
            self.assertEqual(self.ends(0, "--gen", gen, program).stderr, "")


if __name__ == "__main__":
    unittest.main()
