# SPDX-License-Identifier: Apache-2.0
"""hal-getters.csv: the numbers a getter of the host HAL answers with, by generation and index.

A cell is a list of parts separated by blanks, one value an index:

    0x2000          a number
    cores           a member of generations.csv
    reg:BLOCK.NAME  offset of a register in its block, 0 where the generation has none
    at:SCOPE:NAME   offset of every copy of an aperture; NAME may hold one [a..b]
    size:SCOPE:NAME its size
    soc:SCOPE:NAME  its device address
    PART+0x1800     each value plus a number
    PART*4          each value repeated; the factor is a number or a member
    -               no index is valid
    =               as the cell on the left
"""
import re
from dataclasses import dataclass

from blocks import spread
from model import Where, fail, number

#: generations with a HAL and the column that serves them
COLUMNS = (("sunda", "sunda"), ("cayman", "cayman"), ("mariana", "mariana"),
           ("mariana_plus", "mariana"))
ORDER = ("sunda", "cayman", "mariana")
PART = re.compile(r"(?P<what>[\w:.\[\]]+?)(?:\+(?P<plus>0x[0-9A-Fa-f]+))?(?:\*(?P<times>\w+))?")
NUMBER = re.compile(r"0x[0-9A-Fa-f]+|\d+")


@dataclass
class Getter:
    name: str
    slot: int        # byte offset in the dispatch object, 0: none
    index: str       # what the index counts, empty: only index 0
    values: tuple    # one list a generation of COLUMNS
    sheet: str
    confidence: str
    meaning: str
    where: Where


class Resolver:
    """Finds the values of a cell on one generation."""

    def __init__(self, tables, generation, place):
        self.generation, self.place = generation, place
        self.members = {row["field"]: row[generation] for row in tables.generations
                        if row["type"] not in ("str", "bool")}
        self.registers = {r.path: r for r in tables.registers if r.gen_mask >> place & 1}
        self.any_registers = {r.path for r in tables.registers}
        self.apertures = {(a.scope, a.name): a for a in tables.apertures
                          if a.gen_mask >> place & 1}

    def scalar(self, text, where):
        if NUMBER.fullmatch(text):
            return int(text, 0)
        if text not in self.members:
            fail(where, f"'{text}' is neither a number nor a member of generations.csv")
        return int(self.members[text], 0)

    def register(self, name, where):
        if name not in self.any_registers:
            fail(where, f"no register {name}")
        found = self.registers.get(name)
        return found.offset if found else 0

    def copies(self, kind, scope, pattern, where):
        for name in spread(pattern):
            aperture = self.apertures.get((scope, name))
            if not aperture:
                fail(where, f"{self.generation} has no aperture {name} in {scope}")
            first = {"at": aperture.offset, "soc": aperture.soc, "size": aperture.size}[kind]
            if first is None:
                fail(where, f"aperture {name} has no device address")
            step = 0 if kind == "size" else aperture.stride
            yield from (first + copy * step for copy in range(aperture.count))

    def part(self, text, where):
        match = PART.fullmatch(text)
        if not match:
            fail(where, f"'{text}' is not NUMBER, MEMBER, reg:, at:, size: or soc:, +N, *N")
        kind, _, rest = match["what"].partition(":")
        if kind == "reg" and rest:
            values = [self.register(rest, where)]
        elif kind in ("at", "soc", "size") and ":" in rest:
            values = list(self.copies(kind, *rest.split(":"), where))
        else:
            values = [self.scalar(match["what"], where)]
        plus = int(match["plus"] or "0", 0)
        times = self.scalar(match["times"], where) if match["times"] else 1
        return [value + plus for value in values for _ in range(times)]

    def cell(self, text, where):
        return [] if text == "-" else [v for part in text.split() for v in self.part(part, where)]


def cell_text(row, column):
    """The column's cell, or the first one on its left that is not `=`."""
    for name in reversed(ORDER[:ORDER.index(column) + 1]):
        if row[name] != "=":
            return row[name]
    return fail(row["where"], f"getter {row['name']}: the first cell cannot be '='")


def resolve(tables):
    places = {"sunda": 0, "cayman": 1, "mariana": 2, "mariana_plus": 3}
    resolvers = [(Resolver(tables, generation, places[generation]), column)
                 for generation, column in COLUMNS]
    getters = []
    for row in tables.hal_getters:
        where = row["where"]
        values = tuple(resolver.cell(cell_text(row, column), where)
                       for resolver, column in resolvers)
        getters.append(Getter(row["name"], number(row["slot"], where) if row["slot"] else 0,
                              row["index"], values, row["sheet"], row["confidence"],
                              row["meaning"], where))
    return getters
