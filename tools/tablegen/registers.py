# SPDX-License-Identifier: Apache-2.0
"""registers.csv and apertures.csv as objects (docs/hardware/README.md, section 3.1)."""
import re
from dataclasses import dataclass

from model import Where, fail, number, read_csv

#: arch column -> bit of the generation; apertures.csv says v4 for both MARIANAs
ARCHS = {"v2": 1, "v3": 2, "v4": 4, "v4p": 8, "v5": 16}
APERTURE_ARCHS = {"v2": 1, "v3": 2, "v4": 4 | 8, "v5": 16}
ACCESS = ("RW", "RO", "WO", "W0C", "W1C", "RC")
SCOPES = ("tpb_soc", "tpb_bar", "topsp", "bar0", "bar4", "soc", "dve_block", "pool_block",
          "pe_block", "preproc")
NAME = re.compile(r"\w+(?:\[\d+(?:\.\.\d+)?\])*(?:\.\w+(?:\[\d+(?:\.\.\d+)?\])*)*")
RANGE = re.compile(r"\[(\d+)\.\.(\d+)\]")
OFFSET = re.compile(r"(0x[0-9A-Fa-f]+)(?:\+i\*(0x[0-9A-Fa-f]+))?(?:\+j\*(0x[0-9A-Fa-f]+))?")
BIT_FIELD = re.compile(r"(\w+)\[(\d+)(?::(\d+))?\](?:=(\d+))?(!pulse)?")


def generations(text, codes, where):
    mask = 0
    for code in text.split(";"):
        if code not in codes:
            fail(where, f"arch '{code}' is not one of {', '.join(codes)}")
        mask |= codes[code]
    return mask


@dataclass
class BitField:
    name: str
    low: int
    bits: int
    reset: int       # None: not said
    pulse: bool      # acts on write, reads 0


@dataclass
class Register:
    gen_mask: int
    block: str
    name: str        # with its [a..b] groups, without the second name
    alias: str
    offset: int      # None: place unknown
    ranges: tuple    # (first, last) of i, then of j
    strides: tuple
    width: int
    access: str
    reset: int       # None: unknown
    fields: tuple
    meaning: str
    confidence: str
    where: Where

    @property
    def path(self):
        """block.name without the index ranges, as people type it."""
        return f"{self.block}.{RANGE.sub('', self.name)}"

    def places(self):
        """Offset of every instance in the block."""
        offsets = [self.offset]
        for (first, last), stride in zip(self.ranges, self.strides):
            offsets = [o + k * stride for o in offsets for k in range(first, last + 1)]
        return offsets


def parse_bits(text, width, where):
    fields = []
    for part in text.split():
        match = BIT_FIELD.fullmatch(part)
        if not match:
            fail(where, f"bit field '{part}' is not name[hi:lo] or name[bit], =N, !pulse")
        high, low = int(match[2]), int(match[3] if match[3] else match[2])
        if low > high or high >= width:
            fail(where, f"bit field '{part}' does not lie in {width} bits")
        fields.append(BitField(match[1], low, high - low + 1,
                               int(match[4]) if match[4] else None, bool(match[5])))
    return tuple(fields)


def parse_place(name, text, where):
    ranges = tuple((int(a), int(b)) for a, b in RANGE.findall(name))
    if text == "OPEN":
        return None, ranges, ()
    match = OFFSET.fullmatch(text)
    if not match:
        fail(where, f"offset '{text}' is not 0xN, 0xN+i*0xS, 0xN+i*0xS+j*0xT or OPEN")
    strides = tuple(int(s, 16) for s in match.groups()[1:] if s)
    if len(strides) != len(ranges):
        fail(where, f"{name}: {len(ranges)} index ranges, {len(strides)} strides in '{text}'")
    return int(match[1], 16), ranges, strides


def load_registers(directory):
    registers = []
    for row in read_csv(directory, "registers.csv"):
        where = row["where"]
        name, _, alias = row["name"].partition(" ")
        if not NAME.fullmatch(name) or (alias and not re.fullmatch(r"\w+", alias)):
            fail(where, f"register name '{row['name']}' is not a name, index groups and a second name")
        if row["access"] not in ACCESS:
            fail(where, f"{name}: access '{row['access']}' is not one of {', '.join(ACCESS)}")
        offset, ranges, strides = parse_place(name, row["offset"], where)
        width = number(row["width"], where)
        registers.append(Register(
            generations(row["arch"], ARCHS, where), row["block"], name, alias, offset, ranges,
            strides, width, row["access"], number(row["reset"], where) if row["reset"] else None,
            parse_bits(row["bits"], width, where), row["meaning"], row["confidence"], where))
    return registers


@dataclass
class Aperture:
    gen_mask: int
    scope: str
    name: str
    offset: int
    size: int
    count: int
    stride: int
    soc: int         # None: follows from the enclosing row, or none
    meaning: str
    confidence: str
    where: Where

    @property
    def end(self):
        return self.offset + self.stride * (self.count - 1) + self.size


def load_apertures(directory):
    apertures = []
    for row in read_csv(directory, "apertures.csv"):
        where = row["where"]
        if row["scope"] not in SCOPES:
            fail(where, f"{row['name']}: scope '{row['scope']}' is not one of {', '.join(SCOPES)}")
        offset, size, count, stride = (number(row[c], where)
                                       for c in ("offset", "size", "count", "stride"))
        apertures.append(Aperture(
            generations(row["arch"], APERTURE_ARCHS, where), row["scope"], row["name"], offset,
            size, count, stride, number(row["soc"], where) if row["soc"] else None,
            row["meaning"], row["confidence"], where))
    return apertures
