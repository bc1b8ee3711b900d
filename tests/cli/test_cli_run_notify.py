#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The notification rings of trench run. usage: test_cli_run_notify.py TRENCH [unittest options]

Expected bytes and counts are worked out from notific.md, notification-records.md and
error-handling.md; nothing is taken from a run of the program itself."""
import json
import os
import struct
import subprocess
import sys
import tempfile
import unittest

TRENCH = os.path.abspath(sys.argv.pop(1))
FOUR = ("sunda", "cayman", "mariana", "mariana_plus")
BAD_WORD = ".word 40 10" + " 00" * 62  # opcode 0x40 has no handler on any engine


class Case(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)

    def text(self, *lines, gen="cayman", engine="dve"):
        path = os.path.join(self.directory.name, "p.tasm")
        with open(path, "w", encoding="utf-8") as stream:
            stream.write("\n".join((f".gen {gen}", f".engine {engine}", *lines)) + "\n")
        return path

    def ends(self, status, *arguments):
        done = subprocess.run([TRENCH, "run", *arguments], capture_output=True, text=True,
                              check=False, timeout=60)
        self.assertEqual(done.returncode, status, f"{arguments}\n{done.stdout}{done.stderr}")
        return done

    def report(self, status, *arguments):
        return json.loads(self.ends(status, "--json", *arguments).stdout)

    def ring(self, run, queue):
        (found,) = [ring for ring in run["rings"] if ring["queue"] == queue]
        return found


class Records(Case):
    def test_records_go_to_the_rings_of_the_bring_up(self):
        """notific.md 7.2: instructions 0, events 1, errors 2, explicit records of DVE 7."""
        for gen in FOUR:
            run = self.report(3, self.text("notify notify_payload=0xBEEF1234", "nop",
                                           "  update sem=3 inc complete", "nop debug_cmd=7 debug_hint=5",
                                           BAD_WORD, gen=gen))
            found = {(record["queue"], record["raw"][:16]) for record in run["records"]}
            # DVE: START 0x10, END 0x11, EXPLICIT 0x12, EVT_SEM 0x13; phase 1 in bit 7 of the header
            self.assertEqual(found, {(0, "02005090" + "00000000"), (0, "02005091" + "00000000"),
                                     (1, "03011393" + "01000000"), (7, "00000092" + "3412efbe"),
                                     (2, "0a00009f" + "34004000")})
            self.assertEqual(run["host"]["status"], 1004)

    def test_error_word_is_latched(self):
        """error-handling.md 4: code 0, block 4 (DVE), word 1, opcode 0x40."""
        run = self.report(3, self.text("nop", BAD_WORD))
        self.assertEqual(run["engines"]["dve"]["error_word"], "0x40001400")

    def test_a_clean_run_reports_no_error(self):
        run = self.report(0, self.text("nop", "halt"))
        self.assertEqual((run["host"]["status"], run["host"]["errors"], run["records"]), (0, 0, []))

    def test_a_decrement_below_zero_is_an_error_record(self):
        """error-handling.md 8: SEMAPHORE_ERROR, index 9, the value wraps; the engine lives."""
        done = self.report(0, self.text("nop", "  update sem=9 dec complete", "halt"))
        (error,) = [r for r in done["records"] if r["queue"] == 2]
        self.assertEqual(error["raw"][:16], "0609009f" + "ffffffff")
        self.assertEqual(done["host"]["status"], 1004)
        self.assertIn("error record, 1 time", self.ends(0, self.text(
            "nop", "  update sem=9 dec complete", "halt")).stdout)


GATHER = """move num_mov=1 dtype=uint32 move_source=immediate dst_registers=[20] immediate=[127]
dma_indirect flags.indirect_mode=src src_start_addr=0x8000 src_step_elem=64 src_num_elem=8 src_elem_size=64
  dst_start_addr=0x100000 dst_step_elem=64 dst_num_elem=8 dst_elem_size=64 src_idx_start_addr=sbuf[p0,0x0]
  idx_num_active_channels=128 semaphore=9 sem_increment=1 in=fp32 out=fp32 flags.gather_dim=x src_idx_bound_reg=r20
nop
  wait sem=9 ge 1
halt"""


class Content(Case):
    def test_an_index_that_nobody_wrote(self):
        """F13: the read of the index is found before the error; poison 0xFF makes it 0xFFFFFFFF."""
        run = self.report(3, "--check=uninit", self.text(GATHER, engine="pool"))
        self.assertEqual((run["findings"][0]["kind"], run["findings"][0]["space"]), ("uninit", "sbuf"))
        (report,) = run["reports"]
        self.assertEqual((report["class"], report["index"], report["position"], report["last_writer"]),
                         ("dge_oob", 0xFFFFFFFF, 0, "nobody"))
        self.assertEqual(report["would_reach"], hex(0x8000 + 0xFFFFFFFF * 64))

    def test_who_wrote_a_bad_index(self):
        """F13 in text and JSON alike: an engine and its word, the host, or nobody."""
        writes = [".engine dve", "memset dst=sbuf[p0,0x0]:(8) dtype=uint32 ch=1 dst_element_count=8 set_value=200",
                  "  update sem=5 inc complete", "halt", ".engine pool"]
        waits = GATHER.replace("[127]", "[127]\n  wait sem=5 ge 1")
        program = self.text(*writes, waits)
        (report,) = self.report(0, program)["reports"]
        self.assertEqual(report["last_writer"], {"engine": "dve", "pc": "0x0"})
        self.assertIn("above its limit 127, it would reach 0xb200; dve at 0x4000000 wrote it last; 8 elements",
                      self.ends(0, program).stdout)
        nobody = self.text(GATHER, engine="pool")
        self.assertIn("; nobody wrote it; 8 elements are skipped",
                      self.ends(0, "--reset", "poison", nobody).stdout)

    def test_an_abort_names_its_index(self):
        """error-handling.md 7.5: what a skipped index says, and the engine that it took down."""
        program = self.text(GATHER, engine="pool")
        options = ("--reset", "poison", "--faithful-abort", program)
        (report,) = self.report(3, *options)["reports"]
        self.assertEqual((report["class"], report["side"], report["index"], report["position"], report["limit"],
                          report["index_addr"], report["last_writer"], report["recorded"]),
                         ("dma_abort", "src", 0xFFFFFFFF, 0, 127, "0x2000000000", "nobody", False))
        self.assertIn("aborted DMA engine 0, queue 13; it lies at 0x2000000000, its limit is 127, it would reach "
                      "0x4000007fc0; nobody wrote it (no record)", self.ends(3, *options).stdout)

    def test_rings_of_a_host_only(self):
        """dge.md 6.7, 9.4: nobody initialised the queue: S1, the semaphore stays as it is."""
        run = self.report(3, "--host-rings-only", self.text(GATHER, engine="pool"))
        self.assertEqual((run["status"], run["reports"][0]["class"]), ("deadlock", "dge_no_backend"))
        self.assertIn("queue 13 of DMA engine 0 was never initialised", run["reports"][0]["message"])

    def test_bytes_of_a_packet(self):
        """dge.md 6.6: eight elements of 64 bytes of class 3, 128 bytes a packet: four packets."""
        word = GATHER.replace("semaphore=9", "semaphore=9 dma_configs.priority_class=3")
        for option, packets in ((("--packet-bytes", "3=128"), 4), (("--packet-bytes", "2=128"), 1), ((), 1)):
            (moved,) = self.report(0, *option, self.text(word, engine="pool"))["dma"]["dge"]
            self.assertEqual((moved["packets"], moved["bytes"]), (packets, 512))
        for value in ("0=8", "5=8", "1=0", "1=0x100000", "1", "1=", "=1", "-1=8", "1=-8", "1=8x"):
            self.assertIn("a priority class from 1 to 4 and 1 to 1048575 bytes",
                          self.ends(2, "--packet-bytes", value, self.text("halt")).stderr)

    def test_the_feature_flag_opens_the_gates(self):
        """F27: indices 0 are good; with the flag a metadata record of POOL goes to ring 6."""
        off = self.report(0, self.text(GATHER, engine="pool"))
        self.assertEqual((off["dge_without_metadata"], [r for r in off["records"] if r["queue"] == 6]), (1, []))
        self.assertIn("no DGE metadata: feature flag bit 1 is 0",
                      self.ends(0, self.text(GATHER, engine="pool")).stdout)
        on = self.report(0, "--flags", "2", self.text(GATHER, engine="pool"))
        (record,) = [r for r in on["records"] if r["queue"] == 6]
        self.assertEqual((record["form"], record["code"], on["dge_without_metadata"]), ("dge_metadata", 0x0E, 0))


class Last(Case):
    def test_records_that_wait_at_the_halt_are_read(self):
        """A ring of 32 bytes holds one record; what waited behind it is read too (notific.md 4.2)."""
        program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples",
                               "oob", "oob.tasm")
        index = os.path.join(self.directory.name, "index.npy")
        header = "{'descr': '<u4', 'fortran_order': False, 'shape': (1, 64), }".ljust(117) + "\n"
        with open(index, "wb") as stream:
            stream.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() +
                         struct.pack("<64I", *(129 if i % 3 == 1 else i for i in range(64))))
        run = self.report(0, "--gen", "cayman", "--nq-size", "32", "--flags", "2", "--load",
                          f"sbuf:0:uint32={index}", program)
        errors = self.ring(run, 2)
        self.assertEqual((errors["stored"], errors["read"]), (5, 5))

    def test_flags_reach_an_engine_without_a_bring_up(self):
        program = self.text(GATHER, gen="maverick", engine="pool")
        self.assertEqual(self.report(0, program)["dge_without_metadata"], 1)
        self.assertEqual(self.report(0, "--flags", "2", program)["dge_without_metadata"], 0)


class Policies(Case):
    """A ring of 64 bytes holds three records (notific.md 4.2)."""

    def updates(self, count):
        return self.text(*["nop\n  update sem=3 inc complete"] * count, "halt")

    def counts(self, run):
        ring = self.ring(run, 1)
        return ring["stored"], ring["overwritten"], ring["dropped"], ring["read"]

    def test_backpressure_loses_nothing(self):
        run = self.report(0, "--nq-size", "64", self.updates(40))
        self.assertEqual(self.counts(run), (40, 0, 0, 40))
        values = [r["fields"]["event_semaphore_value"] for r in run["records"]]
        self.assertEqual(values, list(range(1, 41)))

    def test_drop_loses_what_does_not_fit(self):
        run = self.report(0, "--nq-size", "64", "--nq-policy", "drop", self.updates(40))
        self.assertEqual(self.counts(run), (3, 0, 37, 3))

    def test_ignore_full_overwrites(self):
        """Three fit; the fourth goes over the oldest slot's successor and the ring looks empty."""
        run = self.report(0, "--nq-size", "64", "--nq-policy", "ignore_full", self.updates(4))
        ring = self.ring(run, 1)
        self.assertEqual((ring["stored"], ring["dropped"]), (4, 0))

    def test_nobody_drains_a_lossless_ring(self):
        """Three in the ring, eight in the input buffer, one with its engine: it stops behind word 12."""
        done = self.ends(3, "--nq-size", "64", "--no-drain", self.updates(40))
        self.assertIn("waits for room in notification ring 1, which is full; nobody drains it", done.stderr)
        run = self.report(3, "--nq-size", "64", "--no-drain", self.updates(40))
        self.assertEqual(run["status"], "deadlock")
        self.assertEqual(run["engines"]["dve"]["state"], "posting")
        self.assertEqual(run["engines"]["dve"]["retired"], 12)
        (entry,) = run["deadlock"]
        self.assertEqual(entry["waits"], {"ring": 1, "mode": "full"})
        self.assertEqual(self.counts(run), (3, 0, 0, 0))

    def test_nobody_drains_a_lossy_ring(self):
        run = self.report(0, "--nq-size", "64", "--nq-policy", "drop", "--no-drain", self.updates(40))
        self.assertEqual(self.counts(run), (3, 0, 37, 0))

    def test_an_engine_dies_when_its_record_is_out(self):
        """error-handling.md 11.1: with back-pressure a fatal error waits in its report."""
        errors = ["nop\n  update sem=9 dec complete\nnop\n  update sem=9 inc complete"] * 20
        program = self.text(*errors, BAD_WORD)
        run = self.report(3, "--nq-size", "32", "--no-drain", program)
        self.assertEqual(run["engines"]["dve"]["state"], "posting")
        run = self.report(3, "--nq-size", "32", program)
        self.assertEqual(run["engines"]["dve"]["state"], "faulted")
        self.assertEqual(self.ring(run, 2)["read"], 21)  # 20 underflows and the fatal one

    def test_rings_larger_than_the_bring_up_makes(self):
        run = self.report(0, "--nq-size", "0x400000", self.updates(40))
        self.assertEqual(self.ring(run, 1)["size"], 0x400000)
        self.assertEqual(self.counts(run), (40, 0, 0, 40))

    def test_a_flood_has_an_exact_count(self):
        """The numbers of F01: 300,000 records, a ring of 4 MiB without back-pressure, one slot stays free."""
        program = self.text("move num_mov=1 dtype=int32 move_source=immediate dst_registers=[1] immediate=[300000]",
                            "again:", "alu op=subtract dtype=int32 dst_dtype=int32 src0_lo=r1 "
                            "src1_datasrc=immediate immediate=1 dst_lo=r1", "  update sem=3 inc complete",
                            "branch gt r1 0 again", "halt")
        run = self.report(0, "--nq-size", "0x400000", "--nq-policy", "drop", program)
        self.assertEqual(self.counts(run), (262143, 0, 37857, 262143))
        self.assertEqual(len(run["records"]) + run["records_left_out"], 262143)
        self.assertEqual(self.counts(self.report(0, program)), (300000, 0, 0, 300000))

    def test_options_that_make_no_sense(self):
        program = self.text("halt")
        for arguments, says in ((("--nq-size", "48"), "no power of two"), (("--nq-size", "16"), "no power of two"),
                                (("--nq-policy", "hope"), "backpressure, ignore_full and drop"),
                                (("--fp-records", "nan,odd"), "'odd' is none of underflow, nan, inf and overflow"),
                                (("--fp-records", "nan,none"), "'none' is none of underflow, nan, inf and overflow; "
                                 "all and none stand alone"),
                                (("--fp-records", "nan,"), "'' is none of underflow, nan, inf"),
                                (("--fp-records", ""), "'' is none of underflow, nan, inf"),
                                (("--flags", "0x100000000"), "is no number")):
            self.assertIn(says, self.ends(2, *arguments, program).stderr)


SCALE = ("memset dst=sbuf[p0,0x0]:(1) dtype=fp32 ch=1 dst_element_count=1 set_value=fp32:{}",
         "again:", "tensor_scalar_arith src=sbuf[p0,0x0]:(1,1,1) in=fp32 dst=sbuf[p0,0x100]:(1,1,1) out=fp32 ch=1 "
         "op0=mult imm0={} op1=bypass")


class Numeric(Case):
    """Numeric events (error-handling.md 8.1); unit bit 3 is DVE, 2 POOL (notification-records.md 5.2)."""

    def scale(self, value, factor, *more, **where):
        first, *rest = SCALE
        return self.text(first.format(value), *rest[:-1], rest[-1].format(factor), *more, "halt", **where)

    def test_f01_one_line_for_a_flood(self):
        """F01 by a program: what is stored, lost and said; the run is a success and so is the host's status."""
        count = "move num_mov=1 dtype=int32 move_source=immediate dst_registers=[1] immediate=[300000]"
        loop = ("alu op=subtract dtype=int32 dst_dtype=int32 src0_lo=r1 src1_datasrc=immediate immediate=1 dst_lo=r1",
                "branch gt r1 0 again", "halt")
        program = self.text(count, SCALE[0].format("1.0e-30"), SCALE[1], SCALE[2].format("1.0e-30"), *loop)
        options = ("--nq-size", "0x400000", "--nq-policy", "drop", program)
        run = self.report(0, *options)
        ring = self.ring(run, 2)
        self.assertEqual((ring["stored"], ring["dropped"], ring["read"]), (262143, 37857, 262143))
        self.assertEqual(run["records"][0]["raw"][:16], "0008009f" + "00000000")
        self.assertEqual(run["numeric"], [{"error": "FP_UNDERFLOW", "engine": "dve", "sources": ["dve"],
                                           "count": 300000, "first_pc": "0x80", "last_pc": "0x80", "status": 0}])
        self.assertEqual((run["status"], run["host"]["status"], run["host"]["errors"]), ("ok", 0, 262143))
        self.assertEqual((run["host"]["lost"], run["host"]["unread"], run["host"]["overflow_cause"]), (37857, 0, True))
        text = self.ends(0, *options).stdout
        self.assertEqual(text.count("underflow"), 1)
        self.assertIn("floating point underflow in DVE, 300000 times, at dve:0x80\n", text)
        self.assertIn("does not see 37857 lost records", text)

    def test_a_nan_is_a_numerical_status_and_a_success(self):
        """notification-records.md 6.3: NaN 1003, the others nothing; the exit status is 0 for all."""
        for gen in FOUR:
            for value, factor, error, status in (("nan", "2.0", "01", 1003), ("1.0e30", "1.0e30", "03", 0),
                                                 ("inf", "2.0", "02", 0), ("1.0e-20", "1.0e-20", None, 0)):
                run = self.report(0, self.scale(value, factor, gen=gen))
                raw = [r["raw"][:16] for r in run["records"] if r["queue"] == 2]
                self.assertEqual(raw, [error + "08009f" + "00000000"] if error else [])
                self.assertEqual(run["host"]["status"], status)

    def test_which_events_are_looked_for(self):
        program = self.scale("inf", "0.0", engine="pool")  # an infinite operand and a NaN
        for option, wanted in (("all", ["FP_NAN", "FP_INF"]), ("none", []), ("nan", ["FP_NAN"]),
                               ("underflow,inf", ["FP_INF"])):
            run = self.report(0, "--fp-records", option, program)
            self.assertEqual([n["error"] for n in run["numeric"]], wanted)
            self.assertEqual([n["sources"] for n in run["numeric"]], [["pool"]] * len(wanted))
            self.assertEqual(len([r for r in run["records"] if r["queue"] == 2]), len(wanted))

    def test_what_nobody_read(self):
        run = self.report(0, "--no-drain", self.scale("1.0e30", "1.0e30"))
        self.assertEqual((run["host"]["lost"], run["host"]["unread"], run["host"]["errors"]), (0, 1, 0))
        self.assertEqual(len(run["numeric"]), 1)


if __name__ == "__main__":
    unittest.main()
