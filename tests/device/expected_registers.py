#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the host must find on BAR0, worked out from the tables in data/ by the notation of
docs/hardware/README.md 3.1 and 3.2 and the rules of address-map.md 6.4; it shares no code with tablegen.

usage: expected_registers.py DATA OUT

Lines, in order: `d GEN` a new device; `r AT VALUE` a read gives VALUE; `w AT VALUE` a write; `u AT` no
register is at AT: reads 0, ignores writes, both are counted; `x AT` no block is at AT; `m AT SIZE` a
memory. AT is a BAR0 offset, numbers are hexadecimal."""
import csv
import os
import re
import sys

ARCH = {"sunda": "v2", "cayman": "v3", "mariana": "v4", "mariana_plus": "v4p", "maverick": "v5"}
APERTURE_ARCH = {**ARCH, "mariana_plus": "v4"}
RANGE = re.compile(r"\[(\d+)\.\.(\d+)\]")
FIELD = re.compile(r"(\w+)\[(\d+)(?::(\d+))?\](?:=\d+)?(!pulse)?")
ONES = 0xFFFFFFFF
PATTERN = 0x5A5AA5A5
#: 64 values seen through four windows (sequencer.md 9.7): a write to the last three is arithmetic
ATOMIC = ("atomic_inc", "atomic_dec", "atomic_addiff0")


def rows(directory, name):
    with open(os.path.join(directory, name), encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


class Register:
    """One row of registers.csv."""

    def __init__(self, row):
        self.name, self.access, self.meaning = row["name"], row["access"], row["meaning"]
        self.block = row["block"]
        self.reset = int(row["reset"] or "0", 0)
        first, *steps = row["offset"].split("+")
        self.first = int(first, 0)
        self.steps = [int(step.split("*")[1], 0) for step in steps]
        self.counts = [int(b) - int(a) + 1 for a, b in RANGE.findall(self.name)]
        self.bits = row["bits"]

    def mask(self, one_queue):
        if not self.bits:
            return ONES
        mask = 0
        for _, high, low, pulse in FIELD.findall(self.bits):
            low = low or high
            if not pulse:
                mask |= ((2 << int(high)) - 1) & ~((1 << int(low)) - 1)
        cut = one_queue and "one-queue variant: bit 0 only" in self.meaning
        return mask & 1 if cut else mask

    def places(self, every):
        """Offsets in the block: of every instance, or of those at the ends of the ranges."""
        found = [self.first]
        for step, count in zip(self.steps, self.counts):
            indices = range(count) if every else sorted({0, 1, count - 1} & set(range(count)))
            found = [at + step * k for at in found for k in indices]
        return found


class Generation:
    """Blocks and memories of one generation at their BAR0 places."""

    def __init__(self, directory, name):
        self.name, code = name, APERTURE_ARCH[name]
        self.number = {r["field"]: r[name] for r in rows(directory, "generations.csv")}
        self.apertures = {}
        for row in rows(directory, "apertures.csv"):
            if code in row["arch"].split(";"):
                self.apertures[row["scope"], row["name"]] = row
        self.registers = [Register(r) for r in rows(directory, "registers.csv")
                          if ARCH[name] in r["arch"].split(";") and r["offset"] != "OPEN"]
        self.rows = [r for r in rows(directory, "register-blocks.csv") if code in r["arch"].split(";")]

    def value(self, field):
        return int(self.number[field], 0)

    def copies(self, scope, pattern):
        match = RANGE.search(pattern)
        names = [pattern] if not match else [
            RANGE.sub(str(k), pattern) for k in range(int(match[1]), int(match[2]) + 1)]
        for name in names:
            row = self.apertures[scope, name]
            for copy in range(int(row["count"])):
                yield int(row["offset"], 0) + copy * int(row["stride"], 0)

    def cores(self):
        return [self.value("bar0_tpb") + k * self.value("bar0_tpb_stride")
                for k in range(self.value("cores"))]

    def topsps(self):
        """BAR0 offsets of the TopSP windows."""
        return sorted({base for row in self.rows if row["scope"] == "topsp"
                       for base in self.copies("bar0", row["window"])})

    def clusters(self):
        """BAR0 offsets of the compute clusters' windows."""
        return [at for row in self.rows if row["path"].startswith("preproc#")
                for at in self.copies("bar0", row["aperture"])]

    def places(self, row):
        """BAR0 offsets at which a block of register-blocks.csv lies."""
        windows = {"bar0": [0], "tpb_bar": self.cores(), "topsp": None}[row["scope"]]
        if windows is None:
            windows = list(self.copies("bar0", row["window"]))
        return [window + at + int(row["offset"], 0) for window in windows
                for at in self.copies(row["scope"], row["aperture"])]

    def memories(self):
        """BAR0 offset and size of what is neither SBUF nor PSUM nor registers."""
        taken = {(row["scope"], row["aperture"]) for row in self.rows}
        for scope, windows in (("tpb_bar", self.cores()), ("topsp", self.topsps()),
                               ("preproc", self.clusters())):
            for (where, name), row in self.apertures.items():
                if where != scope or (scope, name) in taken or name in ("STATE_BUF", "PSUM_BUF"):
                    continue
                for window in (windows[0], windows[-1]):
                    for at in self.copies(scope, name):
                        yield window + at, int(row["size"], 0)


def written(register, mask, old, value):
    """What the register holds after a write."""
    return {"RW": value & mask, "WO": value & mask, "RO": old, "RC": old,
            "W0C": old & (value | ~mask & ONES), "W1C": old & ~(value & mask)}[register.access]


def shown(register, row):
    """What a read-only register shows that is no constant of its row: the sizes of a notification
    block's buffers (notific.md 2: inputs * 8, and 16), and the causes that the writes to
    int_cause_set in front of it have latched (notific.md 6.3)."""
    inputs = {"core#.notific": 30, "topsp#.notific": 2}.get(row["path"], 1)
    return {"niq_buffer_count": inputs * 8, "naq_buffer_count": 16,
            "int_status_grp[0..3]": ONES}.get(register.name, register.reset)


def try_register(out, register, at, row):
    mask, held = register.mask(row["form"] == "one-queue"), shown(register, row)

    def read():
        nonlocal held
        out.append(f"r {at:x} {0 if register.access == 'WO' else held:x}")
        if register.access == "RC":
            held = 0
    read()
    if register.name.split("[")[0] in ATOMIC:
        return
    for value in (ONES, PATTERN, 0):
        held = written(register, mask, held, value)
        out.append(f"w {at:x} {value:x}")
        read()


def ends(places):
    return sorted(set(places[:2] + places[-2:]))


def try_block(out, generation, row):
    start, size = int(row["block_offset"], 0), int(row["size"], 0)
    end = int(row["end"], 0) if row["end"] else start + size
    registers = [r for r in generation.registers if r.block in row["block"].split(";")]
    known = {at for r in registers for at in r.places(True) if at < end}
    gaps = [at for at in range(start, start + size, 4) if at not in known]
    for base in ends(generation.places(row)):
        for register in registers:
            for at in register.places(False):
                if at < end:
                    try_register(out, register, base + at - start, row)
        for at in sorted(set(gaps[:1] + gaps[len(gaps) // 2:len(gaps) // 2 + 1] + gaps[-1:])):
            out.append(f"u {base + at - start:x}")


def nowhere(generation):
    """In front of a cluster's registers; behind SP's registers, which has no decode tables (address-map.md 5.2); past the BAR."""
    sp = generation.value("bar_engine_sp")
    yield from generation.clusters()
    yield from (core + sp + 0x74000 for core in generation.cores())
    yield 0x7FFFFFFFFFFFFFFC
    if ("bar0", "APB_IO_1") in generation.apertures:
        yield 0x5FFFFFFC  # in a window onto many blocks, where none of them is


def bare(generation):
    """Apertures of which no register is known, and what blocks leave over in theirs."""
    spans = sorted((at, int(row["size"], 0)) for (scope, name), row in generation.apertures.items()
                   if scope == "bar0" for at in generation.copies("bar0", name))
    blocks = sorted((at, int(row["size"], 0)) for row in generation.rows
                    for at in generation.places(row))
    windows = {*generation.cores(), *generation.topsps(), *generation.clusters(),
               *(core + generation.value("psum_base") for core in generation.cores())}

    def holds(span, others):
        return any(span[0] <= at < span[0] + span[1] and size < span[1] for at, size in others)
    for at, size in spans:
        if at in windows or holds((at, size), spans):
            continue
        if not any(at < b + s and b < at + size for b, s in blocks):
            yield at
        elif not any(b <= at + size - 4 < b + s for b, s in blocks):
            yield at + size - 4


def main():
    directory, target = sys.argv[1:]
    out = []
    for name in ARCH:
        generation = Generation(directory, name)
        out.append(f"d {name}")
        for row in generation.rows:
            if not row["path"].endswith(".udma"):  # live engines: tests/dma holds their registers
                try_block(out, generation, row)
        out += [f"m {at:x} {size:x}" for at, size in generation.memories()]
        out += [f"u {at:x}" for at in bare(generation)]
        out += [f"x {at:x}" for at in nowhere(generation)]
    with open(target, "w", encoding="ascii") as stream:
        stream.write("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
