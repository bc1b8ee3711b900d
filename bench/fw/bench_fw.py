#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""trench fw ls beside readelf, trench fw verify beside openssl, on the pair that pair.py builds.

usage: bench_fw.py TRENCH TABLE [--copies N]. Medians of 5 interleaved runs on pinned cores; memory is proved by a limit on
the data of the process (RLIMIT_DATA counts all private writable memory, and no mapped file)."""
import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RUNS, MEMORY = 5, 32 << 20


def timed(command, limit=None):
    """Seconds, and the peak of resident memory in KiB."""
    def confine():
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))

    # Something to do before the command makes Python copy itself, which takes milliseconds.
    before = confine if limit else None
    start = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, preexec_fn=before) as child:
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
    return seconds, usage.ru_maxrss, child.returncode


def medians(commands):
    """name -> median seconds of (cores, command) that take turns."""
    taken = {name: [] for name in commands}
    for run in range(RUNS + 1):  # the first one warms the page cache
        for name, (cores, command) in commands.items():
            os.sched_setaffinity(0, cores)
            seconds = timed(command)[0]
            if run:
                taken[name].append(seconds)
    return {name: statistics.median(times) for name, times in taken.items()}


def line(what, value, wanted, holds):
    print(f"  {what:<44} {value:>22}   {wanted:<22} {'ok' if holds else 'MISSED'}")
    return holds


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("trench")
    parser.add_argument("table")
    parser.add_argument("--copies", default="12")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as room:
        return measure(options, Path(room))


def measure(options, room):
    subprocess.run([sys.executable, Path(__file__).with_name("pair.py"), options.table, room, options.copies], check=True)
    shared, archive, trench = str(room / "pair.so"), str(room / "pair.a"), options.trench
    subprocess.run([trench, "fw", "carve", shared, "-o", room / "carved"], check=True, stdout=subprocess.DEVNULL)
    carved = sorted(str(p) for p in (room / "carved").iterdir() if p.name != "manifest.json")
    size = sum(os.path.getsize(p) for p in carved)
    print(f"  {os.path.getsize(shared)} and {os.path.getsize(archive)} bytes, {len(carved)} images of {size} bytes")
    cores = sorted(os.sched_getaffinity(0))[:2]
    first, second = cores[:1], cores[-1:]
    verify = [trench, "fw", "verify", shared, archive]
    took = medians({
        "readelf": (second, ["readelf", "-S", "-W", shared]), "ls": (second, [trench, "fw", "ls", shared]),
        "readelf a": (second, ["readelf", "-S", "-W", archive]), "ls a": (second, [trench, "fw", "ls", archive]),
        "openssl": (second, ["openssl", "dgst", "-sha256", *carved]), "verify": (second, verify),
        "two": (cores, verify + ["--threads", "2"]), "verify first": (first, verify)})
    ok = True
    for kind, suffix in (("shared object", ""), ("archive", " a")):
        extra = (took["ls" + suffix] - took["readelf" + suffix]) * 1000
        ok &= line(f"fw ls of the {kind}, beyond readelf -S -W", f"{extra:.1f} ms", "20 ms at most", extra <= 20)
    rate, peer = size / took["verify"], size / took["openssl"]
    ok &= line("fw verify, hashed bytes", f"{rate / 1e6:.0f} MB/s", "", True)
    ok &= line("of openssl dgst -sha256", f"{peer / 1e6:.0f} MB/s: {rate / peer:.2f}", "0.9 at least", rate >= 0.9 * peer)
    if len(cores) == 2:  # cores of a virtual machine differ: one thread is timed on both
        gain = (took["verify first"] + took["verify"]) / 2 / took["two"]
        times = " and ".join(f"{took[name] * 1000:.0f}" for name in ("verify first", "verify"))
        line("  one thread on either core, two threads", f"{times}, {took['two'] * 1000:.0f} ms", "", True)
        ok &= line("fw verify on two threads", f"{gain:.2f} times", "1.8 at least", gain >= 1.8)
    os.sched_setaffinity(0, cores)
    for name, command in (("ls", [trench, "fw", "ls", shared, archive]),
                          ("verify", [trench, "fw", "verify", "--threads", "2", shared, archive])):
        _, peak, status = timed(command, MEMORY)
        ok &= line(f"fw {name} within 32 MiB of its own memory", f"peak with files {peak >> 10} MiB",
                   "RLIMIT_DATA 32 MiB", status in (0, 1))
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
