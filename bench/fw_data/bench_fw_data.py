#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The census of strings and their list, beside `strings -n 3` of binutils.

usage: bench_fw_data.py TRENCH

The file: the C library, libcrypto and the string pools of a C++ library of this machine, repeated to
64 MiB behind 16 bytes that make it a flat image. Median of 5 interleaved runs; both write to
/dev/null.
"""
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RUNS, BYTES = 5, 64 << 20
LIBRARIES = ("/lib/x86_64-linux-gnu/libc.so.6", "/lib/x86_64-linux-gnu/libcrypto.so.3",
             "/lib/x86_64-linux-gnu/libstdc++.so.6")


def make(path):
    part = b"".join(Path(library).read_bytes() for library in LIBRARIES if Path(library).exists())
    if not part:
        print("skipped: none of", ", ".join(LIBRARIES))
        sys.exit(0)
    path.write_bytes((bytes(16) + part * (BYTES // len(part) + 1))[:BYTES])


def seconds(command):
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def main():
    trench = sys.argv[1]
    if not shutil.which("strings"):
        print("skipped: install binutils")
        return
    with tempfile.TemporaryDirectory() as directory:
        image = Path(directory) / "image.bin"
        make(image)
        commands = {"trench fw strings (census)": [trench, "fw", "strings", image],
                    "trench fw strings --list": [trench, "fw", "strings", "--list", image],
                    "strings -n 3": ["strings", "-n", "3", image], "strings -n 3 -t x": ["strings", "-n", "3", "-t", "x", image]}
        times = {name: [] for name in commands}
        for _ in range(RUNS):
            for name, command in commands.items():
                times[name].append(seconds(command))
    for name, runs in times.items():
        median = statistics.median(runs)
        print(f"{name:28} {median * 1e3:8.1f} ms {BYTES / median / 1e6:8.0f} MB/s")


if __name__ == "__main__":
    main()
