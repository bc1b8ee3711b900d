#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""trench run --trace and --timing. usage: test_cli_run_trace.py TRENCH DIRECTORY [unittest options]

The golden trace is worked out by hand: a word is a tick, a waiting word begins with the tick behind the update.
Cycles are those of docs/hardware/timing.md, worked out beside each case."""
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import unittest

import numpy as np

TRENCH = os.path.abspath(sys.argv.pop(1))
GOLDEN = os.path.join(os.path.abspath(sys.argv.pop(1)), "trace")
GENERATIONS = ("sunda", "cayman", "mariana", "mariana_plus", "maverick")
#: GHz by engine, timing.md 1
CLOCKS = {"sunda": {"pe": 2.8, "act": 1.4, "pool": 1.4, "dve": 1.12, "sp": 1.4},
          "cayman": {"pe": 2.4, "act": 1.2, "pool": 1.2, "dve": 0.96, "sp": 1.2},
          "mariana": {"pe": 2.4, "act": 1.2, "pool": 1.2, "dve": 1.2, "sp": 1.2}}
MM = "num_active_rows=128 num_active_cols=128 row_grp=all col_grp=all"


class Case(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)

    def path(self, name):
        return os.path.join(self.directory.name, name)

    def text(self, *lines, name="p.tasm"):
        with open(self.path(name), "w", encoding="utf-8") as stream:
            stream.write("\n".join(lines) + "\n")
        return name

    def run_(self, *arguments):
        return subprocess.run([TRENCH, "run", *arguments], capture_output=True, text=True, check=False, timeout=120,
                              cwd=self.directory.name)

    def traced(self, status, *arguments, trace="t.json"):
        """(report, trace) of a run; nothing is left beside the trace."""
        done = self.run_("--json", "--trace", trace, *arguments)
        self.assertEqual(done.returncode, status, f"{arguments}\n{done.stdout}{done.stderr}")
        self.assertEqual([name for name in os.listdir(self.directory.name) if name.startswith(trace + ".")], [])
        with open(self.path(trace), encoding="utf-8") as stream:
            return json.loads(done.stdout), json.load(stream)

    def refused(self, *arguments, says):
        done = self.run_(*arguments)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stdout + done.stderr)
        lines = [line for line in done.stderr.splitlines() if "error:" in line]
        self.assertEqual(len(lines), 1, done.stderr)
        self.assertIn(says, lines[0])

    def holds(self, report, trace):
        """What every trace promises (docs/trace.md)."""
        events = trace["traceEvents"]
        tracks, counters, flows = {}, {}, {}
        named = {(e["pid"], e["tid"]) for e in events if e["name"] == "thread_name"}
        for event in events:
            if event["ph"] == "X":
                tracks.setdefault((event["pid"], event["tid"]), []).append(event)
            elif event["ph"] == "C":
                counters.setdefault((event["pid"], event["name"]), []).append(event["ts"])
            elif event["ph"] in "sf":
                flows.setdefault(event["id"], []).append(event)
        self.assertEqual(named, set(tracks) | {(e["pid"], e["tid"]) for e in events if e["ph"] == "i"})
        for slices in tracks.values():
            for one, two in zip(slices, slices[1:]):
                self.assertLessEqual(round(one["ts"] + one["dur"], 6), two["ts"], (one, two))
        for times in counters.values():
            self.assertEqual(times, sorted(times))
        for ends in flows.values():
            start, end = sorted(ends, key=lambda e: e["ph"], reverse=True)
            self.assertEqual((start["ph"], end["ph"]), ("s", "f"))
            self.assertLessEqual(start["ts"], end["ts"])
            for flow in ends:  # each lies in a slice of its track
                self.assertTrue([x for x in tracks[flow["pid"], flow["tid"]]
                                 if x["ts"] <= flow["ts"] < round(x["ts"] + x["dur"], 6)], flow)
        words = [e for e in events if e.get("cat") == "word"]
        self.assertEqual(len(words), sum(engine["retired"] for engine in report["engines"].values()))
        self.assertEqual(trace["otherData"]["status"], report["status"])
        return words


class Format(Case):
    def test_golden_trace_of_three_words(self):
        subprocess.run(["cp", os.path.join(GOLDEN, "three_words.tasm"), self.path("three_words.tasm")], check=True)
        self.traced(0, "three_words.tasm")
        with open(os.path.join(GOLDEN, "three_words.json"), "rb") as golden, open(self.path("t.json"), "rb") as made:
            self.assertEqual(made.read(), golden.read())

    def test_loop_with_records_keeps_the_promises(self):
        for gen in GENERATIONS:
            program = self.text(".gen " + gen, ".engine sp", *["nop", "  update sem=7 inc complete"] * 300, "notify",
                                "halt", ".engine pool", *["nop", "  wait sem=7 ge 5", "  update sem=8 inc read"] * 200,
                                "halt", ".engine dve", "nop", "  wait sem=8 ge 200", "halt")
            for timing in ((), ("--timing",)):
                report, trace = self.traced(0, *timing, program)
                self.holds(report, trace)
                self.assertIn("notify", {e["name"] for e in trace["traceEvents"] if e["ph"] == "i"})

    def test_same_bytes_for_any_number_of_threads(self):
        program = self.text(".gen cayman", ".engine dve",
                            *["cast src=sbuf[p0,0]:(512) in=fp32 dst=sbuf[p0,0x8000]:(512) out=bf16 ch=128"] * 8, "halt")
        made = []
        for threads in ("1", "2"):
            self.traced(0, "--timing", "--threads", threads, program)
            with open(self.path("t.json"), "rb") as stream:
                made.append(stream.read())
        self.assertEqual(made[0], made[1])

    def test_a_logical_clock_does_not_see_the_order_of_turns(self):
        """Times depend on who waits for whom; the order of events in the file may differ."""
        program = self.text(".gen cayman", ".engine sp", *["nop"] * 80, "nop", "  update sem=1 inc complete", "halt",
                            ".engine pe", "nop", "  wait sem=1 ge 1", *["nop"] * 90, "halt")
        made = []
        for seed in ("0", "5", "9"):
            _, trace = self.traced(0, "--schedule-seed", seed, program)
            made.append(sorted((e["tid"], e["ts"], e["name"]) for e in trace["traceEvents"] if e["ph"] == "X"))
        self.assertEqual(made[0], made[1])
        self.assertEqual(made[0], made[2])
        self.assertIn((1, 81, "nop"), made[0])  # 81 words of SP come first

    def test_a_counting_semaphore_counts_in_the_order_of_the_clock(self):
        """Four updates of three engines are made at 2 (PE and DVE), 4 (PE) and 8 (ACT); SP waits for all of them, and
        takes one away at 9. No race decides anything, so neither does the order of turns."""
        program = self.text(".gen cayman", ".engine pe", "nop", "nop", "  update sem=5 inc complete", "nop", "nop",
                            "  update sem=5 inc complete", "halt", ".engine act", *["nop"] * 8,
                            "  update sem=5 inc complete", "halt", ".engine dve", "nop", "nop",
                            "  update sem=5 inc complete", "halt", ".engine sp", "nop", "  wait sem=5 ge 4",
                            "  update sem=5 dec complete", "halt")
        orders, events = set(), []
        for seed in range(6):
            report, trace = self.traced(0, "--schedule-seed", str(seed), program)
            self.holds(report, trace)
            counted = [(e["ts"], e["args"]["value"]) for e in trace["traceEvents"] if e["ph"] == "C"]
            self.assertEqual(counted, [(2, 2), (4, 3), (8, 4), (9, 3)])
            flow = [(e["ph"], e["tid"], e["ts"]) for e in trace["traceEvents"] if e["ph"] in "sf"]
            self.assertEqual(flow, [("s", 9, 7.999), ("f", 33, 8)])
            orders.add(tuple((e["tid"], e["ts"]) for e in trace["traceEvents"] if e["ph"] == "X"))
            events.append(sorted(json.dumps(e) for e in trace["traceEvents"]))
        self.assertGreater(len(orders), 1)
        for other in events[1:]:
            self.assertEqual(other, events[0])

    def test_counters_of_more_updates_than_a_timeline_remembers(self):
        program = self.text(".gen cayman", ".engine sp", *["nop", "  update sem=5 inc complete"] * 600, "halt")
        report, trace = self.traced(0, program)
        self.holds(report, trace)
        self.assertEqual([(e["ts"], e["args"]["value"]) for e in trace["traceEvents"] if e["ph"] == "C"],
                         [(n, n) for n in range(1, 601)])

    def test_bytes_and_places_of_a_word(self):
        program = self.text(".gen cayman", ".engine dve",
                            "cast src=sbuf[p0,0]:(10) in=fp32 dst=sbuf[p0,0x8000]:(10) out=bf16 ch=3", "halt")
        report, trace = self.traced(0, program)
        word = self.holds(report, trace)[0]
        self.assertEqual((word["name"], word["args"]["bytes_read"], word["args"]["bytes_written"]), ("cast", 120, 60))
        self.assertEqual((word["args"]["pc"], word["args"]["addr"], word["args"]["where"]),
                         ("0x0", "0x4000000", "p.tasm:3"))
        self.assertEqual(word["args"]["text"].split()[0], "cast")

    def test_event_waits_and_their_side_effects(self):
        program = self.text(".gen cayman", ".engine sp", "nop", "  update evt=4 set complete", "halt", ".engine pe",
                            "nop", "  wait evt=4 set_then_clear", "halt")
        report, trace = self.traced(0, program)
        self.holds(report, trace)
        self.assertEqual([(e["ts"], e["args"]["value"]) for e in trace["traceEvents"] if e["ph"] == "C"],
                         [(1, 1), (2, 0)])
        self.assertIn("wait event 4 set", {e["name"] for e in trace["traceEvents"]})

    def test_transfers_have_a_track_and_end_waits(self):
        program = self.text(".gen cayman", ".engine sp",
                            "move num_mov=1 dtype=uint32 move_source=immediate dst_registers=[20] "
                            "immediate=[0x10000000]",
                            "dmamemcpy src_start_addr=0x10000000 src_step_elem_0=256 src_num_elem_0=2 "
                            "src_num_elem_1=1 src_elem_size=64",
                            "  dst_start_addr=0x2000000000 dst_step_elem_0=64 dst_num_elem_0=2 dst_num_elem_1=1 "
                            "dst_elem_size=64", "  in=uint8 out=uint8 semaphore=10 sem_increment=1 src_bound_reg=r20",
                            "nop", "  wait sem=10 ge 1", "halt")
        report, trace = self.traced(0, program)
        self.holds(report, trace)
        events = trace["traceEvents"]
        moved = [e for e in events if e.get("cat") == "transfer"]
        self.assertEqual([(e["name"], e["ts"], e["dur"]) for e in moved], [("128 bytes", 2, 1)])
        self.assertIn("sp transfers", {e["args"]["name"] for e in events if e["name"] == "thread_name"})
        flow = [e for e in events if e["ph"] == "s"]
        self.assertEqual([(e["tid"], e["ts"]) for e in flow], [(moved[0]["tid"], 2.999)])

    def test_dma_of_the_host_comes_before_the_words(self):
        np.save(self.path("in.npy"), np.zeros((2, 64), np.uint8))
        report, trace = self.traced(0, "--gen", "cayman", "--dma-load", "sbuf:0:uint8=in.npy",
                                    self.text(".engine sp", "halt"))
        words = self.holds(report, trace)
        moved = [e for e in trace["traceEvents"] if e.get("cat") == "transfer"]
        self.assertGreaterEqual(sum(e["args"]["bytes"] for e in moved), 128)
        self.assertLessEqual(max(e["ts"] + e["dur"] for e in moved), words[0]["ts"])


class Ends(Case):
    def test_a_fault_leaves_a_complete_trace(self):
        program = self.text(".gen cayman", ".engine sp", "nop", "nop")
        report, trace = self.traced(3, program)
        self.holds(report, trace)
        faults = [e for e in trace["traceEvents"] if e["name"].startswith("fault ")]
        self.assertEqual([(e["ts"], e["args"]["pc"]) for e in faults], [(2, "0x80")])

    def test_a_deadlock_shows_the_wait_that_nobody_ends(self):
        program = self.text(".gen cayman", ".engine sp", "nop", "  wait sem=3 ge 2", ".engine pe", *["nop"] * 5, "halt")
        report, trace = self.traced(3, program)
        self.holds(report, trace)
        waits = [e for e in trace["traceEvents"] if e.get("cat") == "wait"]
        self.assertEqual([(e["name"], e["ts"], e["dur"], e["args"]["ended"]) for e in waits],
                         [("wait sem 3 >= 2", 0, 6, False)])

    def test_limit_break_step_and_core(self):
        program = self.text(".gen cayman", ".engine sp", *["nop"] * 5, "halt")
        report, trace = self.traced(3, "--limit", "3", program)
        self.assertEqual(len(self.holds(report, trace)), 3)
        report, trace = self.traced(0, "--break", "sp:0x80", "--dump", "sbuf:0:uint8:1x4=d.npy", program)
        self.assertEqual(len(self.holds(report, trace)), 6)
        report, trace = self.traced(0, "--step", program)
        self.assertEqual(len(self.holds(report, trace)), len(report["trace"]))
        report, trace = self.traced(0, "--core", "3", program)
        self.assertEqual({word["pid"] for word in self.holds(report, trace)}, {4})

    def test_bad_input(self):
        program = self.text(".gen cayman", ".engine sp", "halt")
        self.refused("--gen", "all", "--trace", "t.json", program, says="--trace and --timing need one generation")
        self.refused("--gen", "all", "--timing", program, says="--trace and --timing need one generation")
        self.refused("--trace", "missing/t.json", program, says="--trace cannot create it")
        os.mkdir(self.path("d"))
        self.refused("--trace", "d", program, says="--trace cannot create it")
        self.assertEqual(sorted(os.listdir(self.directory.name)), ["d", "p.tasm"])
        self.refused("--trace", "", program, says="--trace: '' is no file; FILE.json is expected")
        self.refused("--trace", "a", "--trace", "b", program, says="--trace is given twice; one file is expected")

    def test_nothing_is_left_of_a_run_that_did_not_begin(self):
        with open(self.path("t.json"), "w", encoding="utf-8") as stream:
            stream.write("old")
        program = self.text(".gen cayman", ".engine sp", "halt")
        self.refused("--trace", "t.json", "--core", "99", program, says="--core: cayman has the cores 0 to")
        with open(self.path("t.json"), encoding="utf-8") as stream:
            self.assertEqual(stream.read(), "old")
        self.assertEqual(sorted(os.listdir(self.directory.name)), ["p.tasm", "t.json"])

    def test_a_device_is_written_in_place(self):
        done = self.run_("--trace", "/dev/null", self.text(".gen cayman", ".engine sp", "halt"))
        self.assertEqual(done.returncode, 0, done.stderr)


    def test_the_file_behind_a_standard_stream_is_written_in_place(self):
        program = self.text(".gen cayman", ".engine sp", "halt")
        for target in ("/dev/stdout", "/dev/fd/1", self.path("out")):
            for mode, before in (("wb", b""), ("ab", b"old\n")):
                with open(self.path("out"), "wb") as stream:
                    stream.write(b"old\n")
                with open(self.path("out"), mode) as stream:
                    done = subprocess.run([TRENCH, "run", program, "--trace", target], stdout=stream, check=False,
                                          timeout=120, cwd=self.directory.name)
                self.assertEqual(done.returncode, 0)
                with open(self.path("out"), "rb") as stream:
                    made = stream.read()
                trace, end, report = made.partition(b"\"status\":\"ok\"}}\n")
                self.assertTrue(trace.startswith(before + b'{"displayTimeUnit"'), made)
                json.loads((trace + end)[len(before):])
                self.assertTrue(report.startswith(b"cayman: ok\n"), made)
                self.assertEqual(sorted(os.listdir(self.directory.name)), ["out", "p.tasm"])

    def test_a_file_that_is_replaced_keeps_its_mode(self):
        program = self.text(".gen cayman", ".engine sp", "halt")
        for mode in (0o600, 0o664):
            with open(self.path("t.json"), "wb"):
                os.chmod(self.path("t.json"), mode)
            self.traced(0, program)
            self.assertEqual(os.stat(self.path("t.json")).st_mode & 0o777, mode)

    def endless(self, **options):
        """A run that ends by a signal alone, once its trace has begun."""
        with open(self.path("t.json"), "w", encoding="utf-8") as stream:
            stream.write("old")
        program = self.text(".gen cayman", ".engine sp", "again:", "branch always again")
        # pylint: disable-next=consider-using-with
        run = subprocess.Popen([TRENCH, "run", program, "--limit", "0", "--trace", "t.json"], cwd=self.directory.name,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        return run

    def nothing_is_left(self, run, number):
        self.assertEqual(run.wait(timeout=120), -number)
        self.assertEqual(sorted(os.listdir(self.directory.name)), ["p.tasm", "t.json"])
        with open(self.path("t.json"), encoding="utf-8") as stream:
            self.assertEqual(stream.read(), "old")

    def test_a_signal_leaves_nothing_beside_the_trace(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            run = self.endless()
            while len(os.listdir(self.directory.name)) < 3:
                self.assertIsNone(run.poll())
            run.send_signal(number)
            self.nothing_is_left(run, number)

    def test_a_file_that_grows_too_large_leaves_nothing(self):
        run = self.endless(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536)))
        self.nothing_is_left(run, signal.SIGXFSZ)


class Timing(Case):
    def words(self, gen, engine, *lines):
        """(cycles of the engine's clock that a word keeps it, cycles until its result is there) of each word."""
        report, trace = self.traced(0, "--timing", "--gen", gen, self.text(".engine " + engine, *lines, "halt"))
        ghz = CLOCKS[gen][engine]
        return [(round(w["dur"] * ghz * 1000), round((w["args"]["done"] - w["ts"]) * ghz * 1000))
                for w in self.holds(report, trace)][:-1]

    def cycles(self, gen, engine, *lines):
        return [busy for busy, _ in self.words(gen, engine, *lines)]

    def test_pe(self):
        load = "ldweights src=sbuf[p0,0]:(128) in=bf16 " + MM
        matmul = "matmul src=sbuf[p0,0]:({0}) in=bf16 dst=psum[p0,0]:({0}) " + MM
        for gen in ("sunda", "cayman"):
            # 4.1: F/4 = 128/4; max(N, 64) of N = 512 and of N = 32
            # 7: done is 60 + 132 cycles behind (4.1: II + 192, the latency of a matmul)
            self.assertEqual(self.words(gen, "pe", load, matmul.format(512), matmul.format(32)),
                             [(32, 224), (512, 704), (64, 256)])

    def test_act(self):
        activate = "activate src=sbuf[p0,0]:({0}) in_bias=fp32 dst=sbuf[p0,0x1000]:({0}) out=fp32 ch=128 activation_func=7 " \
                   "bias=sbuf[p0,0x2000]"
        for gen in ("sunda", "cayman", "mariana"):
            # 4.3: max(64, N); 7: 60 + 140 behind: 264 cycles of a one-element word
            self.assertEqual(self.words(gen, "act", activate.format(512), activate.format(1)), [(512, 712), (64, 264)])

    def test_dve(self):
        tensors = "tensor_tensor_arith src0=sbuf[p0,0]:(512) src1=sbuf[p0,0]:(512) in0_in1={0} " \
                  "dst=sbuf[p0,0x8000]:(512) out={0} ch=128 op=add"
        cast = "cast src=sbuf[p0,0]:(256){1} in={0} dst=sbuf[p0,0x8000]:(256) out={0} ch=128"
        lines = [tensors.format("fp32"), tensors.format("bf16"), cast.format("fp32", ""), cast.format("bf16", ""),
                 cast.format("bf16", "/(2)"), cast.format("bf16", "/(8)"), cast.format("bf16", "/(9)"),
                 "reciprocal src=sbuf[p0,0]:(4) in=fp32 dst=sbuf[p0,0x8000]:(4) out=fp32 ch=128",
                 "reciprocal src=sbuf[p0,0]:(256) in=fp32 dst=sbuf[p0,0x8000]:(256) out=fp32 ch=128",
                 "max8 src=sbuf[p0,0]:(128) in=fp32 dst=sbuf[p0,0x8000]:(8) out=fp32 ch=128"]
        # 4.2: two inputs 2N = 1024, N = 512 in the 2x mode; cast N = 256, N/4 = 64 (contiguous 16-bit floats), N/2 = 128
        # (not contiguous; 16 bytes apart is still the full rate), 2 * N/2 at 18 bytes (7, stride penalty);
        # max(64, 8N) = 64 and 2048; N + 144 = 272
        fast = [1024, 512, 256, 64, 128, 128, 256, 64, 2048, 272]
        self.assertEqual(self.cycles("cayman", "dve", *lines), fast)
        self.assertEqual(self.cycles("mariana", "dve", *lines), fast)
        # SUNDA has no faster modes: 2N and N; 2N at 18 bytes
        self.assertEqual(self.cycles("sunda", "dve", *lines), [1024, 1024, 256, 256, 256, 256, 512, 64, 2048, 272])
        # 7: 60 + 40 behind
        self.assertEqual(self.words("cayman", "dve", lines[2]), [(256, 356)])

    def test_pool(self):
        copy = "copy src=sbuf[p0,0]:(400) in={0} dst=sbuf[p0,0x8000]:(400) out={0} ch=128"
        # 4.4: N, N/2, N/4 by the size of an element; everything else N + 200
        self.assertEqual(self.cycles("cayman", "pool", copy.format("fp32"), copy.format("uint16"), copy.format("uint8")),
                         [400, 200, 100])

    def test_sequencer(self):
        # 4.5: 16 cycles of the core, 32 for a branch that is taken
        report, trace = self.traced(0, "--timing", self.text(".gen cayman", ".engine pe", "nop", "branch always next",
                                                             "next:", "halt"))
        words = self.holds(report, trace)
        self.assertEqual([round(w["dur"] * 1200) for w in words][:1], [16])
        self.assertEqual({w["args"]["formula"] for w in words}, {"seq_small", "seq_default"})

    def test_chain_of_dependent_words(self):
        """timing.md 6: a small dependent ACT word takes 264 cycles, 189 ns on SUNDA."""
        link = ["activate src=sbuf[p0,0]:(1) in_bias=fp32 dst=sbuf[p0,0]:(1) out=fp32 ch=128 activation_func=7 "
                "bias=sbuf[p0,0x2000]"]
        lines = []
        for k in range(10):
            lines += link + [f"  wait sem=5 ge {k}", "  update sem=5 inc complete"]
        report, trace = self.traced(0, "--timing", self.text(".gen sunda", ".engine act", *lines, "halt"))
        starts = [w["ts"] for w in self.holds(report, trace)[:10]]
        self.assertEqual({round((b - a) * 1400) for a, b in zip(starts, starts[1:])}, {264})
        self.assertEqual({round((b - a) * 1000) for a, b in zip(starts, starts[1:])}, {189})

    def test_weights_load_behind_the_matmul(self):
        """4.1, examples of the guide: one column moving, 128 rows stationary: a matmul every 64 cycles; 128 columns
        moving with a short stationary: every 128."""
        load = "ldweights src=sbuf[p0,0]:(128) in=bf16 " + MM
        for columns, interval in ((1, 64), (128, 128)):
            matmul = f"matmul src=sbuf[p0,0]:({columns}) in=bf16 dst=psum[p0,0]:({columns}) " + MM
            report, trace = self.traced(0, "--timing", self.text(".gen cayman", ".engine pe", *[load, matmul] * 5, "halt"))
            starts = [w["ts"] for w in self.holds(report, trace) if w["name"] == "matmul"]
            self.assertEqual([round((b - a) * 2400) for a, b in zip(starts, starts[1:])], [interval] * 4)

    def test_another_engine_sees_a_matmul_after_its_latency(self):
        matmul = "matmul src=sbuf[p0,0]:(512) in=bf16 dst=psum[p0,0]:(512) " + MM
        report, trace = self.traced(0, "--timing", self.text(
            ".gen cayman", ".engine pe", "ldweights src=sbuf[p0,0]:(128) in=bf16 " + MM, matmul,
            "  update sem=1 inc complete", "halt", ".engine act", "nop", "  wait sem=1 ge 1", "halt"))
        words = {w["args"]["addr"]: w for w in self.holds(report, trace)}
        # (32 + 512 + 192) cycles of 2.4 GHz and 100 ns (4.5)
        self.assertAlmostEqual(words["0x2000000"]["ts"], (32 + 512 + 192) / 2400 + 0.1, places=5)

    def test_transfer(self):
        """5: 1300 + 600 ns, then for each DMA engine its descriptors at 55 ns and its bytes at 27.2 B/ns."""
        program = self.text(".gen cayman", ".engine sp",
                            "dmamemcpy src_start_addr=0x10000000 src_step_elem_0=4096 src_num_elem_0=1 "
                            "src_num_elem_1=1 src_elem_size=2048",
                            "  dst_start_addr=0x2000000000 dst_step_elem_0=2048 dst_num_elem_0=1 dst_num_elem_1=1 "
                            "dst_elem_size=2048", "  in=uint8 out=uint8 semaphore=10 sem_increment=1", "halt")
        report, trace = self.traced(0, "--timing", program)
        self.holds(report, trace)
        moved = [e for e in trace["traceEvents"] if e.get("cat") == "transfer"]
        self.assertEqual(len(moved), 1)
        self.assertEqual((moved[0]["args"]["bytes"], moved[0]["args"]["descriptors"]), (2048, 1))
        self.assertAlmostEqual(moved[0]["ts"], 16 / 1200 + 1.9, places=5)
        self.assertAlmostEqual(moved[0]["dur"], 0.055 + 2048 / 27200, places=5)

    def test_summary_in_text_and_json(self):
        program = self.text(".gen cayman", ".engine pool", "tensor_reduce_bitvec src=sbuf[p0,0]:(100) in=uint32 "
                            "dst=sbuf[p0,0x1000]:(1) out=uint32 ch=128 op=bitwise_or op_dim=x", "halt")
        done = self.run_("--timing", "--provenance", program)
        self.assertEqual(done.returncode, 0, done.stderr)
        # 100 + 200 cycles of the word, and halt, which the sequencer does meanwhile: neither has a formula
        self.assertIn("pool  busy 300 cycles", done.stdout)
        self.assertIn("2 of 2 words have no formula", done.stdout)
        self.assertIn("timing_pool ", done.stdout)
        self.assertIn("timing_default ", done.stdout)
        report = json.loads(self.run_("--timing", "--json", program).stdout)
        self.assertEqual(report["timing"]["engines"]["pool"]["busy_cycles"], 300)
        self.assertEqual(report["timing"]["engines"]["pool"]["words_without_formula"], 2)
        self.assertNotIn("timing", json.loads(self.run_("--json", program).stdout))

    def sums(self, *lines):
        """{engine: (busy cycles, waiting cycles)} of a run; together they fit into the estimated time."""
        done = self.run_("--timing", "--json", self.text(*lines))
        self.assertEqual(done.returncode, 0, done.stderr)
        timing = json.loads(done.stdout)["timing"]
        for name, engine in timing["engines"].items():
            self.assertLessEqual(engine["busy_us"] + engine["wait_us"], timing["estimated_us"] + 1e-9, name)
        return {name: (e["busy_cycles"], e["wait_cycles"]) for name, e in timing["engines"].items()}

    def test_what_overlaps_is_busy_once(self):
        activate = "activate src=sbuf[p0,0]:(512) in_bias=fp32 dst=sbuf[p0,0x1000]:(512) out=fp32 ch=128 " \
                   "activation_func=7 bias=sbuf[p0,0x2000]"
        cayman = [".gen cayman", ".engine act"]
        # 512 cycles each; the sequencer does two words of 16 behind the start of each
        self.assertEqual(self.sums(*cayman, activate, "nop", "nop", activate, "nop", "halt"), {"act": (1024, 0)})
        # 40 words of 16 cycles begin with the 512, halt ends them: 41 * 16
        self.assertEqual(self.sums(*cayman, activate, *["nop"] * 40, "halt"), {"act": (656, 0)})
        # SP posts after 64 * 16 = 1024 cycles, ACT sees it 100 ns (120 cycles) later, at 1144; it is busy for 512 of
        # these, then for nop and halt: busy 512 + 32, waiting 1144 - 512
        self.assertEqual(self.sums(*cayman, activate, "nop", "  wait sem=1 ge 1", "halt", ".engine sp", *["nop"] * 64,
                                   "  update sem=1 inc complete", "halt"), {"act": (544, 632), "sp": (1040, 0)})
        # 32 cycles of PE for the weights, 512 for the matmul, while the sequencer halts; the next weights meanwhile
        load = "ldweights src=sbuf[p0,0]:(128) in=bf16 " + MM
        matmul = "matmul src=sbuf[p0,0]:(512) in=bf16 dst=psum[p0,0]:(512) " + MM
        self.assertEqual(self.sums(".gen cayman", ".engine pe", load, matmul, "halt"), {"pe": (544, 0)})
        self.assertEqual(self.sums(".gen cayman", ".engine pe", load, matmul, load, matmul, "halt"), {"pe": (1056, 0)})

    def test_timing_changes_no_result(self):
        program = self.text(".gen sunda", ".engine dve", "memset dst=sbuf[p0,0]:(16) dtype=fp32 ch=128 "
                            "dst_element_count=16 set_value=fp32:1.5", "halt")
        reports = []
        for options in ((), ("--timing",), ("--timing", "--trace", "t.json")):
            report = json.loads(self.run_("--json", *options, program).stdout)
            report.pop("timing", None)
            report["model_choices"] = [c for c in report["model_choices"] if not c["id"].startswith("timing_")]
            reports.append(report)
        self.assertEqual(reports[0], reports[1])
        self.assertEqual(reports[0], reports[2])

    def test_ports_of_sunda_exclude_each_other(self):
        """3.1: on SUNDA DVE and POOL do not use SBUF at the same time; later they do."""
        copy = "copy src=sbuf[p0,{0}]:(512) in=fp32 dst=sbuf[p0,{0}]:(512) out=fp32 ch=128"
        for gen, apart in (("sunda", True), ("cayman", False)):
            report, trace = self.traced(0, "--timing", "--gen", gen, self.text(
                ".engine dve", copy.format("0x0"), "halt", ".engine pool", copy.format("0x8000"), "halt"))
            one, two = sorted((w["ts"], w["ts"] + w["dur"]) for w in self.holds(report, trace) if w["name"] == "copy")
            self.assertEqual(two[0] >= one[1], apart, gen)


if __name__ == "__main__":
    unittest.main()
