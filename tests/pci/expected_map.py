#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What owns every byte of the control BAR and of BAR4, worked out from apertures.csv, register-blocks.csv and
generations.csv by docs/hardware/README.md 3.1, 3.2 and address-map.md 2, 6.4; it shares no code with tablegen.

usage: expected_map.py DATA OUT

Lines: `GEN BAR KIND START END`, END excluded, in order and without gaps to the end of the BAR. KIND: `r` a register
block, `m` a memory, `e` registers of which none is known (reads 0), `x` nobody (reads DEADBEEF)."""
import csv
import os
import re
import sys

ARCH = {"sunda": "v2", "cayman": "v3", "mariana": "v4", "mariana_plus": "v4"}
RANGE = re.compile(r"\[(\d+)\.\.(\d+)\]")


def rows(directory, name):
    with open(os.path.join(directory, name), encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


class Map:
    def __init__(self, directory, name):
        code = ARCH[name]
        self.number = {r["field"]: r[name] for r in rows(directory, "generations.csv")}
        self.apertures = [r for r in rows(directory, "apertures.csv") if code in r["arch"].split(";")]
        self.blocks = [r for r in rows(directory, "register-blocks.csv") if code in r["arch"].split(";")]

    def value(self, field):
        return int(self.number[field], 0)

    def copies(self, scope, pattern):
        match = RANGE.search(pattern)
        names = {pattern} if not match else {
            RANGE.sub(str(k), pattern) for k in range(int(match[1]), int(match[2]) + 1)}
        return [int(r["offset"], 0) + k * int(r["stride"], 0) for r in self.apertures
                if r["scope"] == scope and r["name"] in names for k in range(int(r["count"]))]

    def cores(self):
        return [self.value("bar0_tpb") + k * self.value("bar0_tpb_stride") for k in range(self.value("cores"))]

    def registers(self):
        """Start and size of every register block, and the BAR0 windows they lie in by scope."""
        for row in self.blocks:
            windows = {"bar0": [0], "tpb_bar": self.cores()}.get(row["scope"])
            for window in windows if windows is not None else self.copies("bar0", row["window"]):
                for at in self.copies(row["scope"], row["aperture"]):
                    yield window + at + int(row["offset"], 0), int(row["size"], 0)

    def windows(self):
        """Windows with an inside of their own: scope of the inside, starts."""
        topsps = sorted({at for r in self.blocks if r["scope"] == "topsp" for at in self.copies("bar0", r["window"])})
        clusters = [at for r in self.blocks if r["path"].startswith("preproc#")
                    for at in self.copies("bar0", r["aperture"])]
        return (("tpb_bar", self.cores()), ("topsp", topsps), ("preproc", clusters))

    def memories(self):
        """Start and size; of two that overlap both (address-map.md 5.4)."""
        for core in self.cores():
            yield core, self.value("sbuf_size")
            yield core + self.value("psum_base"), self.value("psum_size")
        for scope, starts in self.windows():
            for row in self.apertures:
                if row["scope"] == scope:
                    for start in starts:
                        for k in range(int(row["count"])):
                            yield start + int(row["offset"], 0) + k * int(row["stride"], 0), int(row["size"], 0)

    def bare(self):
        """Apertures of BAR0 that hold no smaller one and are no window."""
        spans = [(int(r["offset"], 0) + k * int(r["stride"], 0), int(r["size"], 0))
                 for r in self.apertures if r["scope"] == "bar0" for k in range(int(r["count"]))]
        inner = {start for _, starts in self.windows() for start in starts}
        inner |= {core + self.value("psum_base") for core in self.cores()}
        for at, size in spans:
            if at not in inner and not any(at <= a < at + size and s < size for a, s in spans):
                yield at, size


def paint(size, layers):
    """Intervals with the kind of the last layer that covers them."""
    cuts = {0, size}
    for _, spans in layers:
        cuts |= {edge for at, length in spans for edge in (at, at + length)}
    cuts = sorted(c for c in cuts if c <= size)
    kind = ["x"] * len(cuts)
    place = {cut: i for i, cut in enumerate(cuts)}
    for name, spans in layers:
        for at, length in spans:
            for i in range(place[at], place[at + length]):
                kind[i] = name
    start = 0
    for i in range(1, len(cuts)):
        if i == len(cuts) - 1 or kind[i] != kind[start]:
            yield kind[start], cuts[start], cuts[i]
            start = i


def hbm(device):
    size, channels = device.value("bar4_bytes"), device.value("hbm_channels")
    pitch, usable = size // channels, device.value("hbm_bytes")
    for i in range(channels):
        yield "m", i * pitch, i * pitch + usable
        if usable < pitch:
            yield "x", i * pitch + usable, (i + 1) * pitch


def main():
    directory, target = sys.argv[1:]
    out = []
    for name in ARCH:
        device = Map(directory, name)
        layers = (("e", list(device.bare())), ("m", list(device.memories())), ("r", list(device.registers())))
        out += [f"{name} 0 {k} {a:x} {b:x}" for k, a, b in paint(device.value("bar0_bytes"), layers)]
        out += [f"{name} 4 {k} {a:x} {b:x}" for k, a, b in hbm(device)]
    with open(target, "w", encoding="ascii") as stream:
        stream.write("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
