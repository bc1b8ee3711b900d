# SPDX-License-Identifier: Apache-2.0
"""Proofs about the Xtensa subset, its lengths and formats, boot heads, patterns and dispatch."""
import xtensa as x
from model import GENERATIONS, fail, number

#: the size that an op0 has on both cores (xtensa-subset.md 2.3)
SIZE_OF_OP0 = {op0: 3 if op0 < 8 else 2 for op0 in range(14)}
CENSUS_OF_LENGTHS = {3: 128, 2: 96, 16: 22, 8: 8, 0: 2}
TOTAL_FORMATS, TOTAL_SLOTS = 14, 46


def rows_are_whole(tables):
    """Every bit of a word is matched or is exactly one operand's; a length is what op0 says."""
    for row in x.load(tables).rows:
        if row.match & ~row.mask:
            fail(row.where, f"{row.name}: match has bits outside its mask")
        if row.mask & 15 != 15 or row.size != SIZE_OF_OP0.get(row.match & 15):
            fail(row.where, f"{row.name}: {row.size} bytes do not follow from op0")
        if row.cls not in x.CLASSES or row.verified not in x.VERIFIED:
            fail(row.where, f"{row.name}: class '{row.cls}' or verification '{row.verified}' unknown")
        if len(row.operands) > x.NUM_OPERANDS:
            fail(row.where, f"{row.name}: more than {x.NUM_OPERANDS} operands")
        owned = row.mask
        for operand in row.operands:
            if owned & operand.mask:
                fail(row.where, f"{row.name}: operand {operand.name} lies on bits with another owner")
            owned |= operand.mask
        if owned != (1 << 8 * row.size) - 1:
            fail(row.where, f"{row.name}: nobody owns the bits {(1 << 8 * row.size) - 1 & ~owned:#x}")


def rows_do_not_overlap(tables):
    """No word belongs to two rows: two rows differ in a bit that both match."""
    rows = x.load(tables).rows
    for i, row in enumerate(rows):
        for other in rows[:i]:
            common = row.mask & other.mask
            if row.size == other.size and row.match & common == other.match & common:
                fail(row.where, f"{row.name} and {other.name} ({other.where}) share words")


def operands_are_invertible(tables):
    for operand in x.load(tables).operands.values():
        if operand.scale == 0 or operand.wrap is not None and not 0 < operand.wrap < 1 << operand.bits:
            fail(operand.where, f"{operand.name}: scale or wrap cannot be undone")
        if operand.kind in ("sr", "ur") and operand.name not in x.ACCESS:
            fail(operand.where, f"{operand.name}: nobody says whether it reads or writes")


def samples_decode(tables):
    xtensa = x.load(tables)
    for row in xtensa.rows:
        for data, pc, text in row.samples:
            found = x.decode(xtensa, x.CORES.index("vision"), data, pc) if len(data) == row.size else None
            if found != text:
                fail(row.where, f"{row.name}: {data.hex(' ')} at {pc:#x} reads '{found}', not '{text}'")


def registers_are_named_once(tables):
    taken = {}
    for row in x.load(tables).registers:
        where = row["where"]
        cores = x.CORES if row["core"] == "any" else (row["core"],)
        for core in cores:
            if core not in x.CORES or row["kind"] not in ("sr", "ur") or not row["access"].strip("rwx") == "":
                fail(where, f"{row['name']}: unknown core, kind or access")
            for access in row["access"]:
                key = row["kind"], core, number(row["number"], where), access
                if taken.setdefault(key, row["name"]) != row["name"]:
                    fail(where, f"{row['name']}: {taken[key]} has this number on the core {core}")


def ladder(formats, word):
    return next((f for f in formats if word & f.mask == f.match), None)


def lengths_follow_the_formats(tables):
    """All cells against the ladder of formats, which looks at op0 and byte 3 alone; their census."""
    xtensa = x.load(tables)
    where = xtensa.formats[0].where
    for core, table in zip(x.CORES, xtensa.lengths):
        for b3, cells in enumerate(table):
            for op0, size in enumerate(cells):
                if size is None:
                    fail(where, f"no length of core {core}, b3 {b3:X}, op0 {op0:X}")
    for fmt in xtensa.formats:
        if fmt.mask & 0x00FFFFF0 or fmt.match & ~fmt.mask:
            fail(fmt.where, f"{fmt.name}: the test is on more than op0 and byte 3")
    for op0 in range(16):
        for b3 in range(256):
            found = ladder(xtensa.formats, b3 << 24 | op0)
            if (found.size if found else 0) != xtensa.lengths[0][b3 & 15][op0]:
                fail(where, f"op0 {op0:X}, b3 {b3:#x}: the formats and xtensa-lengths.csv disagree")
    cells = [size for row in xtensa.lengths[0] for size in row]
    if {size: cells.count(size) for size in cells} != CENSUS_OF_LENGTHS:
        fail(where, f"the cells are not {CENSUS_OF_LENGTHS}")
    if len(xtensa.formats) != TOTAL_FORMATS or sum(f.slots for f in xtensa.formats) != TOTAL_SLOTS:
        fail(where, f"there are not {TOTAL_FORMATS} formats with {TOTAL_SLOTS} slots")
    for fmt in xtensa.formats:
        if len(fmt.roles.split()) != fmt.slots:
            fail(fmt.where, f"{fmt.name}: {fmt.slots} slots, roles of {len(fmt.roles.split())}")


def heads_follow_their_bytes(tables):
    """The jumps of a head decode to its vectors, which are those of generations.csv."""
    xtensa = x.load(tables)
    facts = {row["field"]: row for row in tables.generations}
    for row in x.load_plain(tables, "fw-heads"):
        where = row["where"]
        head = bytes.fromhex(row["head"])
        if row["generation"] not in GENERATIONS or row["class"] not in ("NX", "Q7"):
            fail(where, f"no generation {row['generation']} or class {row['class']}")
        for at, column in ((0, "primary"), (6, "secondary")):
            text = x.decode(xtensa, 0, head[at:], at)
            if text != f"j {number(row[column], where):#x}":
                fail(where, f"the head reads '{text}' at {at}, not a jump to {row[column]}")
        prefix = row["class"].lower()
        for column, fact in (("primary", f"{prefix}_reset_vector"), ("secondary", f"{prefix}_reset_vector2")):
            told = number(facts[fact][row["generation"]], where)
            if row["residence"] == "IRAM" and number(row[column], where) != told:
                fail(where, f"{column} {row[column]} is {told:#x} in generations.csv")
        if number(row["enter"], where) != number(facts["enter_run"][row["generation"]], where):
            fail(where, f"enter {row['enter']} is not generations.csv's enter_run")


def patterns_are_patterns(tables):
    ids = set()
    for row in x.load_plain(tables, "fw-patterns"):
        found = x.pattern_bytes(row)
        if row["id"] in ids or not found or found[0][0] != 0xFF:
            fail(row["where"], f"{row['id']} stands twice, is empty or starts with no whole byte")
        ids.add(row["id"])


PROOFS = (rows_are_whole, rows_do_not_overlap, operands_are_invertible, samples_decode,
          registers_are_named_once, lengths_follow_the_formats, heads_follow_their_bytes,
          patterns_are_patterns)
