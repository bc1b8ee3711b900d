# SPDX-License-Identifier: Apache-2.0
"""register-blocks.csv as objects: which register block lies where (docs/hardware/README.md 3.2)."""
import re
from dataclasses import dataclass

from model import ENGINES, GENERATIONS, Where, fail, number, read_csv
from registers import APERTURE_ARCHS, RANGE, generations

SCOPES = ("bar0", "tpb_bar", "topsp")
FORMS = ("", "one-queue", "ten-queue")
OWNERS = ("core", "topsp", "topsp_spare", "dma", "preproc", "intc", "")
PATH = re.compile(r"(?:([a-z_]+)#)?\.?([a-z0-9_]+(?:\.[a-z0-9_]+)*)?")


@dataclass
class BlockRow:
    gen_mask: int
    blocks: tuple    # of registers.csv: the block, then one that shares its range
    path: str        # with # for the owner's number
    owner: str
    engine: int      # -1: of none
    scope: str
    window: str      # pattern of the bar0 window that a topsp offset counts from
    aperture: str    # pattern
    offset: int      # in each copy of the aperture
    size: int
    block_offset: int  # offset in the block of the range's first byte
    end: int         # registers from here on do not exist; None: all do
    first: int       # owner's number of the first aperture
    step: int        # and its distance from one aperture of the pattern to the next
    form: str
    meaning: str
    confidence: str
    where: Where


@dataclass
class Instance:
    """One register block of one generation at its BAR0 place."""
    row: BlockRow
    row_index: int
    bar0: int
    number: int      # of the owner
    place: str       # "TPB_0_CSR", "SE_0_SDMA[5]+0x40000", "core 3 ACT_LOCAL_REG"


def owner_of(path, where):
    match = PATH.fullmatch(path)
    if not match or (match[1] or "") not in OWNERS:
        fail(where, f"path '{path}' is not OWNER#.NAME with an owner of {', '.join(OWNERS[:-1])}")
    parts = (match[2] or "").split(".")
    engines = [e.lower() for e in ENGINES]
    return match[1] or "", engines.index(parts[0]) if parts[0] in engines else -1


def load_blocks(directory):
    rows = []
    for row in read_csv(directory, "register-blocks.csv"):
        where = row["where"]
        for column, known in (("scope", SCOPES), ("form", FORMS)):
            if row[column] not in known:
                fail(where, f"{row['path']}: {column} '{row[column]}' is not one of "
                            f"{', '.join(filter(None, known))}")
        if bool(row["window"]) != (row["scope"] == "topsp"):
            fail(where, f"{row['path']}: scope topsp and no other names a window")
        owner, engine = owner_of(row["path"], where)
        offset, size, block_offset, first, step = (
            number(row[c], where) for c in ("offset", "size", "block_offset", "first", "step"))
        rows.append(BlockRow(
            generations(row["arch"], APERTURE_ARCHS, where), tuple(row["block"].split(";")),
            row["path"], owner, engine, row["scope"], row["window"], row["aperture"], offset, size,
            block_offset, number(row["end"], where) if row["end"] else None, first, step,
            row["form"], row["meaning"], row["confidence"], where))
    return rows


@dataclass
class SocField:
    """A bit field of a device address."""
    gen_mask: int
    name: str
    low: int
    bits: int
    meaning: str
    confidence: str
    where: Where


def load_soc_fields(directory):
    return [SocField(generations(row["arch"], APERTURE_ARCHS, row["where"]), row["field"],
                     number(row["low"], row["where"]), number(row["bits"], row["where"]),
                     row["meaning"], row["confidence"], row["where"])
            for row in read_csv(directory, "soc-fields.csv")]


def spread(pattern):
    """Names of a pattern with at most one [a..b], in order."""
    match = RANGE.search(pattern)
    if not match:
        return [pattern]
    return [pattern[:match.start()] + str(k) + pattern[match.end():]
            for k in range(int(match[1]), int(match[2]) + 1)]


class Expander:
    """Finds every instance of a generation."""

    def __init__(self, tables, index):
        self.apertures = {(a.scope, a.name): a for a in tables.apertures
                          if a.gen_mask >> index & 1}
        column = GENERATIONS[index]
        number_of = {row["field"]: row for row in tables.generations}
        value = {key: int(number_of[key][column], 0)
                 for key in ("cores", "bar0_tpb", "bar0_tpb_stride")}
        self.cores = [value["bar0_tpb"] + k * value["bar0_tpb_stride"]
                      for k in range(value["cores"])]
        self.generation = column

    def aperture(self, row, scope, name):
        if (scope, name) not in self.apertures:
            fail(row.where, f"{row.path}: {self.generation} has no aperture {name} in {scope}")
        return self.apertures[scope, name]

    def copies(self, row, scope, pattern):
        """(offset, owner's number, name) of every copy of every aperture of a pattern."""
        for k, name in enumerate(spread(pattern)):
            aperture = self.aperture(row, scope, name)
            for copy in range(aperture.count):
                shown = f"{name}[{copy}]" if aperture.count > 1 else name
                yield aperture.offset + copy * aperture.stride, row.first + row.step * k + copy, shown

    def windows(self, row):
        """(BAR0 offset, owner's number, name) of what the row's aperture repeats in."""
        if row.scope == "tpb_bar":
            return [(base, core, f"core {core} ") for core, base in enumerate(self.cores)]
        return [(o, n, f"{shown} ") for o, n, shown in self.copies(row, "bar0", row.window)]

    def instances(self, row, row_index):
        beyond = f"+0x{row.offset:X}" if row.offset else ""
        if row.scope == "bar0":
            for offset, owner, shown in self.copies(row, "bar0", row.aperture):
                yield Instance(row, row_index, offset + row.offset, owner, shown + beyond)
            return
        aperture = self.aperture(row, row.scope, row.aperture)
        for base, owner, shown in self.windows(row):
            yield Instance(row, row_index, base + aperture.offset + row.offset, owner,
                           shown + aperture.name + beyond)


def instances(tables, index):
    """Every register block of a generation, by BAR0 offset."""
    expander = Expander(tables, index)
    found = [instance for i, row in enumerate(tables.blocks) if row.gen_mask >> index & 1
             for instance in expander.instances(row, i)]
    return sorted(found, key=lambda instance: instance.bar0)
