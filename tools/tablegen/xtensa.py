# SPDX-License-Identifier: Apache-2.0
"""The tables of the Xtensa subset as Python objects, and a decoder over them that the proofs use.

data/xtensa.csv (instructions, in the order in which they are tried), xtensa-operands.csv (how an
operand is read out of the word), xtensa-registers.csv, xtensa-lengths.csv, xtensa-formats.csv and
the fw-*.csv of boot heads, byte patterns and dispatch (docs/hardware/xtensa-subset.md,
firmware-images.md 6 and 7).
"""
import re
from dataclasses import dataclass

from model import Where, fail, number, read_csv

KINDS = ("reg", "bool", "number", "pc", "pc_word", "pc_up", "sr", "ur")
CLASSES = ("plain", "jump", "jump_reg", "call", "call_reg", "call_absent", "branch", "loop", "return",
           "entry", "load_literal", "illegal", "halt", "const16")
CORES = ("vision", "scalar")
VERIFIED = ("-", "V1", "V2", "V1 V2", "N", "I")
NUM_OPERANDS = 4
ACCESS = {"sr_read": "r", "sr_write": "w", "sr_swap": "x", "ur_read": "r", "ur_write": "w"}


@dataclass
class Operand:
    name: str
    pieces: list        # (low bit, bits), most significant first
    wrap: int           # raw values from here on are negative; None: never
    scale: int
    bias: int
    values: list        # a list to look the raw value up in, else empty
    kind: str
    meaning: str
    where: Where

    @property
    def bits(self):
        return sum(bits for _, bits in self.pieces)

    @property
    def mask(self):
        return sum(((1 << bits) - 1) << low for low, bits in self.pieces)

    def raw(self, word):
        value = 0
        for low, bits in self.pieces:
            value = value << bits | word >> low & ((1 << bits) - 1)
        return value

    def value(self, word):
        raw = self.raw(word)
        if self.values:
            return self.values[raw]
        if self.wrap is not None and raw >= self.wrap:
            raw -= 1 << self.bits
        return raw * self.scale + self.bias


@dataclass
class Row:
    name: str
    size: int
    mask: int
    match: int
    operands: list
    cls: str
    census: str
    verified: str
    confidence: str
    sheet: str
    samples: list       # (bytes, address, text)
    meaning: str
    where: Where


@dataclass
class Format:
    name: str
    mask: int
    match: int
    size: int
    slots: int
    roles: str
    confidence: str
    sheet: str
    where: Where


@dataclass
class Xtensa:
    operands: dict
    rows: list
    registers: list
    lengths: list       # [core][low nibble of byte 3][low nibble of byte 0]; None: nobody said
    formats: list


def check_values(operand):
    if operand.values and len(set(operand.values)) != 1 << operand.bits or \
            len(set(operand.values)) != len(operand.values):
        fail(operand.where, f"{operand.name}: needs {1 << operand.bits} different values")


def load_operands(directory):
    operands = {}
    for row in read_csv(directory, "xtensa-operands.csv"):
        where = row["where"]
        pieces = []
        for part in row["bits"].split():
            match = re.fullmatch(r"(\d+):(\d+)", part)
            if not match or int(match[1]) < int(match[2]) or int(match[1]) > 23:
                fail(where, f"{row['name']}: '{part}' is no range of bits of a 24-bit word")
            pieces.append((int(match[2]), int(match[1]) - int(match[2]) + 1))
        if row["kind"] not in KINDS:
            fail(where, f"{row['name']}: kind '{row['kind']}' is not one of {', '.join(KINDS)}")
        if row["name"] in operands:
            fail(where, f"{row['name']} stands twice")
        operands[row["name"]] = Operand(
            row["name"], pieces, number(row["wrap"], where) if row["wrap"] else None,
            number(row["scale"], where), number(row["bias"], where),
            [number(v, where) for v in row["values"].split()], row["kind"], row["meaning"], where)
        check_values(operands[row["name"]])
    return operands


def load_samples(text, where):
    samples = []
    for sample in filter(None, text.split("|")):
        match = re.fullmatch(r"([0-9a-f]+)@(\d+) (.+)", sample)
        if not match:
            fail(where, f"sample '{sample}' is not BYTES@ADDRESS TEXT")
        samples.append((bytes.fromhex(match[1]), int(match[2]), match[3]))
    return samples


def load_rows(directory, operands):
    rows = []
    for row in read_csv(directory, "xtensa.csv"):
        where = row["where"]
        names = row["operands"].split()
        for name in names:
            if name not in operands:
                fail(where, f"{row['name']}: '{name}' is no operand of xtensa-operands.csv")
        rows.append(Row(row["name"], number(row["bytes"], where), number(row["mask"], where),
                        number(row["match"], where), [operands[n] for n in names], row["class"],
                        row["census"], row["verified"], row["confidence"], row["sheet"],
                        load_samples(row["samples"], where), row["meaning"], where))
    return rows


def nibbles(text, where):
    """`0-7`, `7 F`: a set of low nibbles."""
    found = set()
    for part in text.split():
        match = re.fullmatch(r"([0-9A-F])(?:-([0-9A-F]))?", part)
        if not match:
            fail(where, f"'{part}' is no nibble and no range of nibbles")
        found.update(range(int(match[1], 16), int(match[2] or match[1], 16) + 1))
    return found


def load_lengths(directory):
    lengths = [[[None] * 16 for _ in range(16)] for _ in CORES]
    for row in read_csv(directory, "xtensa-lengths.csv"):
        where = row["where"]
        if row["core"] not in CORES:
            fail(where, f"core '{row['core']}' is not one of {', '.join(CORES)}")
        table = lengths[CORES.index(row["core"])]
        for b3 in nibbles(row["b3"], where):
            for op0 in nibbles(row["op0"], where):
                if table[b3][op0] is not None:
                    fail(where, f"the length of b3 {b3:X}, op0 {op0:X} is said twice")
                table[b3][op0] = number(row["bytes"], where)
    return lengths


def load_formats(directory):
    return [Format(row["name"], number(row["mask"], row["where"]), number(row["match"], row["where"]),
                   number(row["bytes"], row["where"]), number(row["slots"], row["where"]),
                   row["roles"], row["confidence"], row["sheet"], row["where"])
            for row in read_csv(directory, "xtensa-formats.csv")]


def load(tables):
    operands = load_operands(tables.directory)
    return Xtensa(operands, load_rows(tables.directory, operands),
                  list(read_csv(tables.directory, "xtensa-registers.csv")),
                  load_lengths(tables.directory), load_formats(tables.directory))


def load_plain(tables, name):
    return list(read_csv(tables.directory, f"{name}.csv"))


def pattern_bytes(row):
    """(mask, value) a byte of a pattern; a dot stands for any nibble."""
    found = []
    for byte in row["bytes"].split():
        if not re.fullmatch(r"[0-9a-f.]{2}", byte):
            fail(row["where"], f"{row['id']}: '{byte}' is no byte of a pattern")
        found.append((int("".join("0" if c == "." else "f" for c in byte), 16),
                      int(byte.replace(".", "0"), 16)))
    return found


# ---- decoding, for the proofs --------------------------------------------------------

def register_name(xtensa, core, kind, value, access):
    """Name of a special or user register, its number where it has none, None where the register
    has a name but not this access."""
    known = [r for r in xtensa.registers if r["kind"] == kind and int(r["number"]) == value and
             r["core"] in ("any", CORES[core])]
    if not known:
        return str(value)
    return next((r["name"] for r in known if access in r["access"]), None)


def operand_text(operand, value, pc):
    if operand.kind in ("reg", "bool"):
        return ("a" if operand.kind == "reg" else "b") + str(value)
    if operand.kind == "number":
        return str(value) if -256 < value < 256 else hex(value & 0xFFFFFFFF)
    base = {"pc": pc, "pc_word": pc & ~3, "pc_up": pc + 3 & ~3}[operand.kind]
    return hex(base + value & 0xFFFFFFFF)


def decode(xtensa, core, data, pc):
    """Text of the instruction, None outside the subset."""
    size = 3 if data[0] & 15 < 8 else 2
    word = int.from_bytes(data[:size], "little")
    row = next((r for r in xtensa.rows if r.size == size and word & r.mask == r.match), None)
    if not row:
        return None
    name, texts = row.name, []
    for operand in row.operands:
        value = operand.value(word)
        if operand.kind in ("sr", "ur"):
            suffix = register_name(xtensa, core, operand.kind, value, ACCESS[operand.name])
            if suffix is None:
                return None
            name += "." + suffix
        else:
            texts.append(operand_text(operand, value, pc))
    return " ".join(filter(None, (name, ", ".join(texts))))
