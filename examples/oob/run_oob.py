#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs oob.tasm with a mixed index vector, prints the drained rings and checks what came out.

usage: run_oob.py [--trench PROGRAM] [GENERATION...]

The expected rows are computed here with NumPy; the expected records from
docs/hardware/notification-records.md and error-handling.md."""
import argparse
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
ROWS, WIDTH, PICKED = 128, 512, 64
PLACES = {"skip": 0x100000, "hard": 0x200000, "silent": 0x300000, "address": 0x400000}
TABLE = 0x8000
PE_BLOCK = 1


class Run:
    def __init__(self, trench, gen, directory, *programs, expect, options=()):
        index = 3 * np.arange(PICKED, dtype=np.uint32)
        self.table = np.arange(ROWS * WIDTH, dtype=np.float32).reshape(ROWS, WIDTH)
        self.index, self.directory = index, directory
        np.save(self.path("table"), self.table)
        np.save(self.path("index"), index.reshape(1, PICKED))
        np.save(self.path("filler"), np.full((PICKED, WIDTH), -1, np.float32))
        arguments = [trench, "run", "--json", "--gen", gen, "--flags", "2", *options,
                     "--load", f"hbm:{TABLE:#x}={self.path('table')}",
                     "--load", f"sbuf:0={self.path('index')}"]
        for name, at in PLACES.items():
            arguments += ["--load", f"hbm:{at:#x}={self.path('filler')}",
                          "--dump", f"hbm:{at:#x}:fp32:{PICKED}x{WIDTH}={self.path(name)}"]
        done = subprocess.run(arguments + [os.path.join(HERE, p) for p in programs],
                              capture_output=True, text=True, check=False)
        if done.returncode != expect:
            sys.exit(f"{gen}: exit status {done.returncode} instead of {expect}\n{done.stderr}")
        self.report = json.loads(done.stdout)

    def path(self, name):
        return os.path.join(self.directory, name + ".npy")

    def rows(self, name):
        return np.load(self.path(name))

    def texts(self, queue):
        return [r["text"] for r in self.report["records"] if r["queue"] == queue]


def check(what, holds):
    if not holds:
        sys.exit(f"wrong: {what}")


def show(run):
    for entry in run.report["reports"]:
        print(f"  {entry['engine']}:{entry['pc']} {entry['class']}: {entry['message']}")
    for record in run.report["records"]:
        print(f"  ring {record['queue']}  {record['raw']}  {record['text']}")


def check_lives(run):
    """43 rows are good; 21 keep their filler (field-cases.md F20)."""
    good = run.index < ROWS
    wanted = np.full((PICKED, WIDTH), -1, np.float32)
    wanted[good] = run.table[run.index[good]]
    for name in ("skip", "hard", "silent"):
        check(f"rows of {name}", np.array_equal(run.rows(name), wanted))
    check("nothing moves past an address bound", (run.rows("address") == -1).all())
    engine = run.report["engines"]["pool"]
    check("POOL is alive", engine["state"] == "halted")
    classes = [entry["class"] for entry in run.report["reports"]]
    check("classes", classes == ["dge_oob", "dge_index_error", "dge_index_error", "dge_oob"])
    first = run.report["reports"][0]
    check("the first bad index", (first["index"], first["position"]) == (129, 43))
    check("who wrote it", first["last_writer"] == "host")
    check("recorded", [e["recorded"] for e in run.report["reports"]] == [True, True, False, True])
    raws = [r["raw"][:8] for r in run.report["records"]
            if r["queue"] == 2 and r["fields"].get("block_id") != PE_BLOCK]
    # error ids: non-fatal, fatal (idx_bound_is_err), non-fatal, EVENT_ERROR of 5, SEMAPHORE_ERROR of 12
    check("error records", raws == ["0900009f", "0a00009f", "0900009f", "0705009f", "060c009f"])


def check_aborts(run):
    """What machines do: the good descriptors in front of the bad index run, then nobody posts."""
    rows = run.rows("skip")
    check("rows in front of it", np.array_equal(rows[:43], run.table[0:127:3]))
    check("rows behind it", (rows[43:] == -1).all())
    check("the class", run.report["reports"][0]["class"] == "dma_abort")
    check("nobody posts", run.report["status"] == "deadlock")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--trench", default="trench")
    parser.add_argument("generations", nargs="*", default=["cayman", "mariana", "mariana_plus"])
    options = parser.parse_args()
    for gen in options.generations:
        with tempfile.TemporaryDirectory() as directory:
            lives = Run(options.trench, gen, directory, "oob.tasm", expect=0)
            print(f"{gen}: POOL meets bad indices and addresses, and lives")
            show(lives)
            check_lives(lives)
            dies = Run(options.trench, gen, directory, "oob.tasm", "fatal.tasm", expect=3)
            print(f"{gen}: PE dies beside it; host status {dies.report['host']['status']}")
            check_lives(dies)
            check("PE is dead", dies.report["engines"]["pe"]["state"] == "faulted")
            aborts = Run(options.trench, gen, directory, "oob.tasm", expect=3, options=["--faithful-abort"])
            print(f"{gen}: with --faithful-abort: {aborts.report['reports'][0]['message']}")
            check_aborts(aborts)
    print("all as the manual says")


if __name__ == "__main__":
    main()
