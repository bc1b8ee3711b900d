#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The example of a user's own bus: its trace and its file must tell the same story, and that story is
hal-stpb.md 18: the blocks of every engine, the engines in order, each released by its last write.

usage: filebus.py FILEBUS
"""
import hashlib
import os
import struct
import subprocess
import sys
import tempfile

# Core 0's window in BAR0 (address-map.md 7), bytes loaded in all (hal-stpb.md 18.3) and the engines' blocks
# (8.3) in the order of section 7, with the register that releases each (14.1).
ENGINES = ("pool", "act", "dve", "pe", "sp")
LATER = {"base": 0xD0000000, "bytes": 0x3FC000, "stall": 0x0, "dram": 0x40000,
         "blocks": {"pool": 0x3000000, "act": 0x2400000, "dve": 0x2B00000, "pe": 0x2600000, "sp": 0x2800000}}
GENERATIONS = {
    "sunda": {"base": 0, "bytes": 0x164000, "stall": 0x4, "dram": 0x40000,
              "blocks": {"pool": 0x2900000, "act": 0x2400000, "dve": 0x2B00000, "pe": 0x2600000,
                         "sp": 0x2800000}},
    "cayman": LATER, "mariana": LATER, "mariana_plus": LATER}
LOCAL = 0x60000
MAGIC = 0x6099CB34  # sequencer.md 2.1


def check(holds, text):
    if not holds:
        sys.exit(f"filebus: {text}")


def run(program, *arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=False)


def parse(path):
    with open(path, encoding="ascii") as stream:
        lines = [line.split() for line in stream if not line.startswith("#")]
    return [(f[0], int(f[1], 16), int(f[2], 16), *f[3:]) for f in lines]


def read_at(stream, offset, size):
    stream.seek(offset)
    return stream.read(size)


def trace_matches_file(operations, image):
    """Every block's hash and every last register value, against the file itself."""
    values = {}
    with open(image, "rb") as stream:
        for kind, offset, value, *rest in operations:
            if kind == "B":
                data = read_at(stream, offset, value)
                check(hashlib.sha256(data).hexdigest() == rest[0], f"block at 0x{offset:x} hashes differently")
            elif kind == "W":
                values[offset] = value
            else:
                check(values.get(offset, 0) == value, f"0x{offset:x} reads what nobody wrote")
        for offset, value in values.items():
            check(struct.unpack("<I", read_at(stream, offset, 4))[0] == value, f"0x{offset:x} differs")


def left_behind(operations):
    """What is written last at each place. (Fields of one register that several engines share come one by
    one the first time and are all there the second.)"""
    return {op[1]: op[2:] for op in operations if op[0] != "R"}


def one(program, gen, want, directory):
    image, trace = os.path.join(directory, "bar0"), os.path.join(directory, "trace.txt")
    result = run(program, gen, image, trace)
    check(result.returncode == 0, f"{gen}: {result.stderr}")
    operations = parse(trace)
    check(sum(op[2] for op in operations if op[0] == "B") == want["bytes"], f"{gen}: bytes of its blocks")
    releases = [op[1] for op in operations if op[0] == "W" and op[2] == 0 and
                op[1] in [want["base"] + b + LOCAL + want["stall"] for b in want["blocks"].values()]]
    expected = [want["base"] + want["blocks"][e] + LOCAL + want["stall"] for e in ENGINES]
    check(releases == expected, f"{gen}: released {[hex(r) for r in releases]}")
    check(operations[-1][:3] == ("W", expected[-1], 0), f"{gen}: the last operation releases SP")
    trace_matches_file(operations, image)
    with open(image, "rb") as stream:
        for engine, block in want["blocks"].items():
            word = struct.unpack("<I", read_at(stream, want["base"] + block + want["dram"], 4))[0]
            check(word == MAGIC, f"{gen}: data of {engine} starts with 0x{word:x}")
    check(os.stat(image).st_blocks * 512 < 16 << 20, f"{gen}: the file is not sparse")
    check(run(program, gen, image, trace).returncode == 0, f"{gen}: second bring-up")
    check(left_behind(parse(trace)) == left_behind(operations), f"{gen}: a second bring-up ends elsewhere")
    print(f"{gen}: {len(operations)} operations, {want['bytes']} bytes in blocks")


def refusals(program, directory):
    image, trace = os.path.join(directory, "bar0"), os.path.join(directory, "trace.txt")
    check(run(program).returncode == 2, "no arguments")
    check(run(program, "atlantis", image, trace).returncode == 2, "unknown generation")
    check(run(program, "cayman", os.path.join(directory, "none", "bar0"), trace).returncode == 2, "no such directory")
    maverick = run(program, "maverick", image, trace)
    check(maverick.returncode in (1, 2) and "maverick" in maverick.stderr.lower(), "maverick has no HAL")
    check(": :" not in maverick.stderr, f"a message names its place or none: {maverick.stderr}")


def main():
    program = os.path.abspath(sys.argv[1])
    for gen, want in GENERATIONS.items():
        with tempfile.TemporaryDirectory() as directory:
            one(program, gen, want, directory)
    with tempfile.TemporaryDirectory() as directory:
        refusals(program, directory)


if __name__ == "__main__":
    main()
