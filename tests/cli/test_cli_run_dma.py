#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""DMA in trench run: copies of the host, what a generator moved, its log. usage: test_cli_run_dma.py TRENCH

Counts are worked out from udma.md 3 and 8 (descriptors of 64 KiB at most, a marker for each copy, a
descriptor in either ring) and dge.md 8.5, lines from dge.md 13; nothing is taken from a run."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np

TRENCH = os.path.abspath(sys.argv.pop(1))
FOUR = ("sunda", "cayman", "mariana", "mariana_plus")
WITH_GENERATOR = FOUR[1:]
ENGINES = {"sunda": "dma32", "cayman": "dma128", "mariana": "dma128", "mariana_plus": "dma128"}
#: two elements of 64 bytes from HBM 0x10000000, 256 apart, to SBUF (dge.md 15, with a semaphore)
WORD = """move num_mov=1 dtype=uint32 move_source=immediate dst_registers=[20] immediate=[0x10000000]
dmamemcpy src_start_addr=0x10000000 src_step_elem_0=256 src_num_elem_0=2 src_num_elem_1=1 src_elem_size=64
  dst_start_addr=0x2000000000 dst_step_elem_0=64 dst_num_elem_0=2 dst_num_elem_1=1 dst_elem_size=64
  in=uint8 out=uint8 semaphore=10 sem_increment=1 src_bound_reg=r20
nop
  wait sem=10 ge 1
halt"""


class Case(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        self.random = np.random.default_rng(7)

    def path(self, name):
        return os.path.join(self.directory.name, name)

    def text(self, *lines, gen="cayman", engine="sp", name="p.tasm"):
        with open(self.path(name), "w", encoding="utf-8") as stream:
            stream.write("\n".join((f".gen {gen}", f".engine {engine}", *lines)) + "\n")
        return name

    def array(self, shape, dtype=np.uint8, name="in.npy"):
        array = self.random.integers(0, 256, shape, dtype=dtype)
        np.save(self.path(name), array)
        return array

    def run_(self, *arguments):
        return subprocess.run([TRENCH, "run", *arguments], capture_output=True, text=True, check=False,
                              timeout=120, cwd=self.directory.name)

    def ends(self, status, *arguments):
        done = self.run_(*arguments)
        self.assertEqual(done.returncode, status, f"{arguments}\n{done.stdout}{done.stderr}")
        return done

    def report(self, status, *arguments):
        return json.loads(self.ends(status, "--json", *arguments).stdout)

    def refused(self, *arguments, says):
        done = self.ends(2, *arguments)
        self.assertEqual(done.stdout, "")
        lines = [line for line in done.stderr.splitlines() if "error:" in line]
        self.assertEqual(len(lines), 1, done.stderr)
        self.assertIn(says, lines[0])
        self.assertFalse(os.path.exists(self.path("out.npy")))


class Host(Case):
    def test_bytes_arrive_and_come_back_on_every_generation(self):
        """Odd places and lengths, two partitions more than one descriptor would reach."""
        for gen in FOUR:
            program = self.text("halt", gen=gen)
            for place, shape in (("sbuf:0x93", (66, 129)), ("psum:0x404", (3, 20)), ("hbm:0x8000001", (5, 77))):
                sent = self.array(shape)
                spec = f"{place}:uint8"
                size = "x".join(map(str, shape))
                report = self.report(0, "--dma-load", f"{spec}=in.npy", "--dump", f"{spec}:{size}=out.npy",
                                     program)
                self.assertTrue((np.load(self.path("out.npy")) == sent).all(), (gen, place))
                rows = 1 if place.startswith("hbm") else shape[0]
                self.assertEqual(report["dma"]["host"],
                                 {"engine": ENGINES[gen], "queue": 0, "loads": 1, "dumps": 0, "copies": rows,
                                  "descriptors": 4 * rows, "bytes": sent.size})
                self.assertNotIn("dma", report["dumps"][0])
                report = self.report(0, "--load", f"{spec}=in.npy", "--dma-dump", f"{spec}:{size}=back.npy",
                                     program)
                self.assertTrue((np.load(self.path("back.npy")) == sent).all(), (gen, place))
                self.assertEqual((report["dma"]["host"]["dumps"], report["dumps"][0]["dma"]), (1, True))

    def test_the_bytes_around_stay(self):
        """F10: a copy of any alignment changes its bytes only; memory begins as zero."""
        sent = self.array((1, 54))
        self.ends(0, "--dma-load", "sbuf:0x92=in.npy", "--dump", "sbuf:0x90:uint8:2x60=out.npy", self.text("halt"))
        wanted = np.zeros((2, 60), np.uint8)
        wanted[0, 2:56] = sent
        self.assertTrue((np.load(self.path("out.npy")) == wanted).all())

    def test_large_arrays_are_cut(self):
        """200,000 bytes are four chunks; with the marker five descriptors in either ring."""
        sent = self.array(200000)
        report = self.report(0, "--dma-load", "hbm:0x9000000=in.npy", "--dma-dump",
                             "hbm:0x9000000:uint8:200000=out.npy", self.text("halt"))
        self.assertTrue((np.load(self.path("out.npy")) == sent).all())
        self.assertEqual((report["dma"]["host"]["copies"], report["dma"]["host"]["descriptors"],
                          report["dma"]["host"]["bytes"]), (2, 20, 400000))

    def test_more_chunks_than_a_batch(self):
        """2,032 chunks are a batch of the driver; 2,040 take two, each with its marker."""
        self.array(2040 * 65536)
        report = self.report(0, "--dma-load", "hbm:0x40000000=in.npy", self.text("halt"))
        self.assertEqual(report["dma"]["host"]["descriptors"], 2 * (2040 + 2))

    def test_each_core_has_its_queue(self):
        """udma.md 1: a queue and an engine by the core's number."""
        for gen, core, engine, queue in (("sunda", 1, "dma33", 0), ("cayman", 1, "dma128", 1),
                                         ("cayman", 6, "dma131", 0), ("mariana", 3, "dma129", 1)):
            sent = self.array((4, 16))
            report = self.report(0, "--core", str(core), "--dma-load", "sbuf:0x40=in.npy", "--dma-dump",
                                 "sbuf:0x40:uint8:4x16=out.npy", "--dump", "sbuf:0x40:uint8:4x16=plain.npy",
                                 self.text("halt", gen=gen))
            self.assertEqual((report["dma"]["host"]["engine"], report["dma"]["host"]["queue"]), (engine, queue))
            for name in ("out.npy", "plain.npy"):
                self.assertTrue((np.load(self.path(name)) == sent).all(), (gen, core))

    def test_the_program_sees_what_was_loaded(self):
        """Loads are complete before the engines start, dumps follow the run or stand at the breakpoint."""
        sent = self.array((128, 32))
        copy = self.text("copy src=sbuf[p0,0x0]:(32) in=uint8 dst=sbuf[p0,0x100]:(32) out=uint8 ch=128", "nop", "halt",
                         engine="dve")
        self.ends(0, "--dma-load", "sbuf:0=in.npy", "--dma-dump", "sbuf:0x100:uint8:128x32=out.npy", copy)
        self.assertTrue((np.load(self.path("out.npy")) == sent).all())
        for at, wanted in (("0", 0), ("0x40", sent)):
            self.ends(0, "--break", f"dve:{at}", "--dma-load", "sbuf:0=in.npy", "--dma-dump",
                      "sbuf:0x100:uint8:128x32=out.npy", copy)
            self.assertTrue((np.load(self.path("out.npy")) == wanted).all())

    def test_checks_know_what_dma_wrote(self):
        self.array((128, 32))
        copy = self.text("copy src=sbuf[p0,0x0]:(32) in=uint8 dst=sbuf[p0,0x100]:(32) out=uint8 ch=128", "halt",
                         engine="dve")
        run = self.report(0, "--check=uninit", "--dma-load", "sbuf:0=in.npy", copy)
        self.assertEqual(run["findings"], [])
        run = self.report(3, "--check=uninit", "--dma-load", "sbuf:0=in.npy", "--dma-dump",
                          "sbuf:0x200:uint8:1x1=out.npy", copy)
        self.assertEqual([f["message"] for f in run["findings"]], ["dump of bytes nobody wrote"])

    def test_text_says_who_moved_what(self):
        self.array((4, 16))
        done = self.ends(0, "--dma-load", "sbuf:0=in.npy", self.text("halt"))
        self.assertIn("host DMA by dma128 queue 0: 1 arrays in, 0 out, 4 copies, 16 descriptors, 64 bytes",
                      done.stdout)
        self.assertNotIn("DMA", self.ends(0, self.text("halt")).stdout)
        self.assertEqual(self.report(0, self.text("halt"))["dma"], {"host": None, "dge": []})

    def test_bad_input_is_one_message(self):
        self.array((4, 16))
        program = self.text("halt")
        for arguments, says in (
                (("--dma-load", "dram:0=in.npy"), "--dma-load: unknown space 'dram'"),
                (("--dma-load", "sbuf:x=in.npy"), "--dma-load: 'x' is no address"),
                (("--dma-load", "sbuf:0"), "SPACE:ADDR[:DTYPE]=FILE.npy is expected"),
                (("--dma-load", "sbuf:0=none.npy"), "none.npy"),
                (("--dma-load", "sbuf:0x37ff8=in.npy"), "end past the 229376 bytes of an SBUF partition"),
                (("--dma-load", "hbm:0x5000000=in.npy"), "overlaps the queue of sp"),
                (("--dma-dump", "sbuf:0:uint8=out.npy"), "SPACE:ADDR:DTYPE:SHAPE=FILE.npy is expected"),
                (("--dma-dump", "sbuf:0:uint8:200x4=out.npy"), "128 partitions"),
                (("--dma-dump", "hbm:0:uint8:4=/nowhere/out.npy"), "--dma-dump cannot create it"),
                (("--gen", "all", "--dma-dump", "hbm:0:uint8:4=out.npy"), "need one generation"),
                (("--gen", "all", "--dge-log"), "need one generation")):
            self.refused(*arguments, program, says=says)
        self.refused("--dma-load", "hbm:0=in.npy", self.text("halt", gen="maverick"),
                     says="maverick has no host HAL")


class Generator(Case):
    def test_what_each_backend_moved(self):
        """Two elements are two descriptors in either ring; the completion packet has one in each."""
        self.array(512)
        for gen in WITH_GENERATOR:
            for engine, backend in (("pool", "pool"), ("act", "rtl"), ("sp", "rtl")):
                program = self.text(WORD, gen=gen, engine=engine)
                run = self.report(0, "--dma-load", "hbm:0x10000000=in.npy", program)
                self.assertEqual(run["dma"]["dge"], [{"engine": engine, "backend": backend, "words": 1,
                                                      "descriptors": 6, "packets": 1, "bytes": 128}])
        done = self.ends(0, "--dma-load", "hbm:0x10000000=in.npy", program)
        self.assertIn("DGE of sp, rtl backend: 1 words, 6 descriptors, 128 bytes", done.stdout)

    def test_nothing_is_counted_where_nothing_moves(self):
        run = self.report(3, self.text(WORD, engine="dve"))
        self.assertEqual((run["status"], run["dma"]["dge"]), ("deadlock", []))


class Log(Case):
    LINES = ("S: Setting up DGE", "S: DGE: Select backend Pool",
             "S: DGE $S[10]+=1@dmacomplete src=[0x94]@0x10000000[0x100,0x0][2,1] "
             "dst=[0x0]@0x2000000000[0x40,0x0][2,1] cast:0x3->0x3 bounds:(1 0x10000000<=0x10000000, 0 ",
             "S: push GENERATE to DMA[0]: RD : addr=0x10000100, elem_size=64, sem_num=10",
             "S: push DIMPUSH to DMA[0]: [2,2][256,64]")

    def test_lines_in_text_and_json(self):
        program = self.text(WORD, engine="pool")
        text = self.ends(0, "--dge-log", program).stdout.splitlines()
        run = self.report(0, "--dge-log", program)
        self.assertEqual(text[:len(run["dge_log"])], [f"pool {row['line']}" for row in run["dge_log"]])
        self.assertEqual({row["engine"] for row in run["dge_log"]}, {"pool"})
        lines = [row["line"] for row in run["dge_log"]]
        for wanted in self.LINES:
            self.assertTrue(any(line.startswith(wanted) for line in lines), (wanted, lines))
        self.assertEqual(run["dge_log_left_out"], 0)

    def test_a_failed_check_is_logged_with_the_semaphore(self):
        program = self.text(WORD.replace("immediate=[0x10000000]", "immediate=[0xfffffff]"), engine="pool")
        run = self.report(0, "--dge-log", "--flags", "2", program)
        lines = [row["line"] for row in run["dge_log"]]
        self.assertEqual(lines[-2:], ["S: DGE: Failed bounds check. $S[10]+=1.", "S: DGE: Dispatched error notification"])

    def test_no_backend_and_no_firmware(self):
        run = self.report(3, "--dge-log", self.text(WORD, engine="dve"))
        self.assertEqual([row["line"] for row in run["dge_log"]], ["S: DGE: NO BACKEND FOUND, doing nothing"])
        run = self.report(3, "--dge-log", self.text(WORD, gen="sunda", engine="pool"))
        self.assertEqual(run["dge_log"], [])  # its images have none of the lines

    def test_no_line_without_the_option(self):
        program = self.text(WORD, engine="pool")
        self.assertNotIn("dge_log", self.report(0, program))
        self.assertNotIn("S: ", self.ends(0, program).stdout)

    def test_the_document_keeps_a_bound(self):
        """A word of 40,000 elements logs a line for each descriptor of either ring: more than 65,536."""
        word = WORD.replace("src_num_elem_0=2", "src_num_elem_0=40000").replace("dst_num_elem_0=2", "dst_num_elem_0=40000")
        word = word.replace("0x2000000000", "0x20000000").replace("src_step_elem_0=256", "src_step_elem_0=65")
        word = word.replace("dst_step_elem_0=64", "dst_step_elem_0=66")
        run = self.report(0, "--dge-log", self.text(word, engine="pool"))
        self.assertEqual(len(run["dge_log"]), 65536)
        self.assertGreater(run["dge_log_left_out"], 80000 - 65536)


if __name__ == "__main__":
    unittest.main()
