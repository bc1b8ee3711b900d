# SPDX-License-Identifier: Apache-2.0
"""The hardware manual's tables as Python objects.

Every row keeps the file and line it came from, so that a proof or an emitter that
refuses a row can name it (docs/hardware/README.md, sections 2 and 3).
"""
import csv
import os
import re
from dataclasses import dataclass, field as dc_field

GENERATIONS = ("sunda", "cayman", "mariana", "mariana_plus", "maverick")
#: The four instruction-set columns of struct-fields.csv; MARIANA_PLUS uses MARIANA's.
ISA_COLUMNS = ("sunda", "cayman", "mariana", "maverick")
ISA_OF_GENERATION = (0, 1, 2, 2, 3)
ENGINES = ("PE", "ACT", "POOL", "DVE", "SP")
WORD_BYTES = 64
EVENTLESS_STRUCTS = {"CTRL_CCI": range(4, 12), "DMA_COPY2D": range(4, 12),
                     "DMA_IMMEDIATE": range(4, 12), "PSEUDO_DMA_EXT": range(1, 12)}
EXTENDED_ARMS = {2: "EXTENDED_TT", 7: "EXTENDED_CPTC", 8: "EXTENDED_RDMA_GEN",
                 9: "EXTENDED_RDMA_START"}


class TableError(Exception):
    """A row that breaks a rule of the manual; the text names file, line and row."""


@dataclass(frozen=True)
class Where:
    file: str
    line: int

    def __str__(self):
        return f"{self.file}:{self.line}"


def fail(where, text):
    raise TableError(f"{where}: {text}")


def read_csv(directory, name):
    """Rows of data/NAME as dictionaries with an extra key `where`."""
    path = os.path.join(directory, name)
    with open(path, newline="", encoding="utf-8") as stream:
        reader = csv.reader(stream)
        header = next(reader)
        for cells in reader:
            where = Where(name, reader.line_num)
            if len(cells) != len(header):
                fail(where, f"{len(cells)} columns, the header has {len(header)}")
            row = dict(zip(header, cells))
            row["where"] = where
            yield row


def isa_span(text, where):
    """`v2-v4`, `v5` or `none` as a bit mask over ISA_COLUMNS."""
    if text == "none":
        return 0
    match = re.fullmatch(r"v([2-5])(?:-v([2-5]))?", text)
    if not match:
        fail(where, f"generation range '{text}' is not vN or vN-vM with N, M in 2..5")
    low = int(match[1])
    high = int(match[2] or match[1])
    if low > high:
        fail(where, f"generation range '{text}' runs backwards")
    return sum(1 << (v - 2) for v in range(low, high + 1))


def number(text, where):
    try:
        return int(text, 0)
    except ValueError:
        fail(where, f"'{text}' is not a number")


# ---- enums -------------------------------------------------------------------------

@dataclass
class EnumMember:
    name: str
    value: int
    isa_mask: int
    confidence: str
    where: Where


@dataclass
class Enum:
    name: str
    members: list = dc_field(default_factory=list)

    def by_name(self, name):
        return next((m for m in self.members if m.name == name), None)

    def by_value(self, value):
        return next((m for m in self.members if m.value == value), None)


def load_enums(directory):
    enums = {}
    for row in read_csv(directory, "enums.csv"):
        where = row["where"]
        enum = enums.setdefault(row["enum"], Enum(row["enum"]))
        value = number(row["value"], where)
        enum.members.append(EnumMember(row["name"], value, isa_span(row["gens"], where),
                                       row["confidence"], where))
    return enums


# ---- struct fields -----------------------------------------------------------------

COMPOSITE_SIZES = {"addr4": 4, "addr8": 8, "pattern1d": 8, "pattern2d": 12, "pattern3d": 16,
                   "pattern4d": 20, "data4d": 20, "mx1d": 16, "pair": 1, "srcpair": 1,
                   "boundreg": 1, "imm4": 4, "imm8": 8, "desc16": 16, "ccinst": 4,
                   "addrun8": 8}
SCALAR_SIZES = {"u8": 1, "u16": 2, "u32": 4, "u64": 8, "i8": 1, "i16": 2, "i32": 4, "f32": 4,
                "reg": 1, "char": 1}


@dataclass
class Field:
    struct: str
    name: str
    offsets: tuple          # one per ISA_COLUMNS, None where the field does not exist
    size: int               # bytes of the container, of the whole array for T[n]
    bit_lo: int             # None: the whole container
    bits: int
    base: str               # u8.., reg, char, enum, reserved, or a composite type
    count: int              # array length, 1 for scalars
    enum: str               # enum name when base == "enum"
    constraint: str
    meaning: str
    confidence: str
    where: Where
    is_array: bool = False  # T[n], also when n is 1

    @property
    def is_bits(self):
        return self.bit_lo is not None

    @property
    def c_name(self):
        return self.name.replace(".", "_")

    def owned_bits(self, column):
        """The word's bit numbers this field owns on one instruction set."""
        offset = self.offsets[column]
        if offset is None:
            return range(0)
        start = offset * 8 + (self.bit_lo if self.is_bits else 0)
        return range(start, start + (self.bits if self.is_bits else self.size * 8))


def parse_type(text, where):
    if text.startswith("enum:"):
        return "enum", 1, text[5:]
    match = re.fullmatch(r"(\w+)\[(\d+)\]", text)
    base, count = (match[1], int(match[2])) if match else (text, 1)
    if base not in SCALAR_SIZES and base not in COMPOSITE_SIZES and base != "reserved":
        fail(where, f"unknown type '{text}'")
    return base, count, ""


def load_fields(directory):
    """Fields of every struct in file order; composite layouts stand under names with @."""
    structs = {}
    for row in read_csv(directory, "struct-fields.csv"):
        where = row["where"]
        base, count, enum = parse_type(row["type"], where)
        offsets = tuple(None if row[f"{c}_off"] == "-" else number(row[f"{c}_off"], where)
                        for c in ISA_COLUMNS)
        bit_lo = number(row["bit_lo"], where) if row["bit_lo"] else None
        bits = number(row["bits"], where) if row["bits"] else 0
        structs.setdefault(row["struct"], []).append(
            Field(row["struct"], row["field"], offsets, number(row["size_bytes"], where),
                  bit_lo, bits, base, count, enum, row["constraint"], row["meaning"],
                  row["confidence"], where, row["type"].endswith("]")))
    return structs


# ---- opcodes -----------------------------------------------------------------------

@dataclass
class Opcode:
    value: int
    name: str
    engines: tuple          # one mask over ENGINES per ISA_COLUMNS
    host: bool
    never: bool
    struct: str
    isa_mask: int
    maintained: str
    meaning: str
    confidence: str
    execution: str          # full, sub, layout, none, host, never
    where: Where
    struct_confidence: str = ""
    engine_confidence: str = ""
    meaning_confidence: str = ""

    @property
    def mnemonic(self):
        name = self.name.lower()
        return name[:-3] if name.endswith("_op") else name


def engine_masks(text, where):
    """The `engines` column (isa-core.md section 2) as one engine mask per instruction set."""
    masks = [0, 0, 0, 0]
    if text in ("HOST", "NONE"):
        return tuple(masks)
    if text == "ANY":
        everyone = (1 << len(ENGINES)) - 1
        return (everyone, everyone, everyone, everyone & ~(1 << ENGINES.index("ACT")))
    for part in text.split("|"):
        name, _, span = part.partition("@")
        if name not in ENGINES:
            fail(where, f"engine '{name}' is not one of {', '.join(ENGINES)}")
        span_mask = isa_span(span, where) if span else 15
        for column in range(4):
            if span_mask >> column & 1:
                masks[column] |= 1 << ENGINES.index(name)
    return tuple(masks)


def load_opcodes(directory):
    opcodes = []
    for row in read_csv(directory, "opcodes.csv"):
        where = row["where"]
        isa_mask = sum((row[c] == "1") << i for i, c in enumerate(ISA_COLUMNS))
        opcodes.append(Opcode(number(row["opcode"], where), row["name"],
                              engine_masks(row["engines"], where), row["engines"] == "HOST",
                              row["engines"] == "NONE", row["struct"], isa_mask,
                              row["maintained"], row["meaning"], row["confidence"], row["exec"],
                              where, row["struct_conf"], row["engine_conf"], row["meaning_conf"]))
    return opcodes


# ---- rules, dtypes, operators ------------------------------------------------------

@dataclass
class Rule:
    name: str
    scope: str
    isa_mask: int
    expression: str
    message: str
    confidence: str
    where: Where

    @property
    def is_warning(self):
        return self.message.startswith(("warning", "diagnostic only"))


def load_rules(directory):
    return [Rule(row["rule"], row["struct_or_opcode"], isa_span(row["gens"], row["where"]),
                 row["expression"], row["message"], row["confidence"], row["where"])
            for row in read_csv(directory, "rules.csv")]


@dataclass
class Tables:
    """Everything tablegen knows, loaded once and handed to proofs and emitters. A member without a
    type of its own is a list of rows as read_csv gives them."""
    directory: str
    enums: dict
    structs: dict
    opcodes: list
    rules: list
    registers: list
    apertures: list
    blocks: list
    soc_fields: list
    dtypes: list
    alu_ops: list
    generations: list
    choices: list
    handlers: list
    act_functions: list
    act_profile_fields: list
    act_entry_fields: list
    act_recipes: list
    act_sets: list
    act_tables: list
    act_rules: list
    pe_fields: list
    dge_words: list
    crosswalk: list
    notific_registers: list
    notific_routing: list
    notific_wr_buffers: list
    notification_types: list
    triggers: list
    dma_causes: list
    errors: list
    record_fields: list
    hal_slots: list
    hal_getters: list
    udma_fields: list
    udma_init: list
    pci_models: list
    pci_config: list
    pci_bars: list
    pci_resets: list
    timing: list
    timing_words: list
    words: dict = dc_field(default_factory=dict)  # what struct_fields has put together

    def struct_fields(self, struct):
        """COMMON and the struct's own fields, as they lie in one word."""
        if struct not in self.words:
            hidden = EVENTLESS_STRUCTS.get(struct, ())
            common = [f for f in self.structs["COMMON"]
                      if not any(o is not None and o in hidden for o in f.offsets)]
            self.words[struct] = common + self.structs[struct]
        return self.words[struct]

    def word_structs(self):
        return [s for s in self.structs if not s.startswith("@") and s != "COMMON"]


#: members of Tables that are plain rows, and their files
PLAIN = {"dtypes": "dtypes", "alu_ops": "alu-ops", "generations": "generations",
         "choices": "model-choices", "handlers": "handlers", "act_functions": "act_functions",
         "act_profile_fields": "act_profile_fields", "act_entry_fields": "act-entry-fields",
         "act_recipes": "act-recipes", "act_sets": "act_sets",
         "act_tables": "act-tables", "act_rules": "act-rules",
         "pe_fields": "pe_struct_fields",
         "dge_words": "dge_words", "crosswalk": "nki-crosswalk",
         "notific_registers": "notific-registers", "notific_routing": "notific-routing",
         "notific_wr_buffers": "notific-wr-buffers", "notification_types": "notification-types",
         "triggers": "tpb-intc-triggers", "dma_causes": "udma_iofic", "errors": "errors",
         "record_fields": "record-fields", "hal_slots": "hal-slots",
         "hal_getters": "hal-getters", "udma_fields": "udma-descriptor", "udma_init": "udma-init",
         "pci_models": "pci-models", "pci_config": "pci-config", "pci_bars": "pci-bars",
         "pci_resets": "pci-reset-map",
         "timing": "timing", "timing_words": "timing-words"}


def load(directory):
    from blocks import load_blocks, load_soc_fields  # which read rows with this module
    from registers import load_apertures, load_registers
    plain = {member: list(read_csv(directory, f"{file}.csv")) for member, file in PLAIN.items()}
    return Tables(directory=directory, enums=load_enums(directory), structs=load_fields(directory),
                  opcodes=load_opcodes(directory), rules=load_rules(directory),
                  registers=load_registers(directory), apertures=load_apertures(directory),
                  blocks=load_blocks(directory), soc_fields=load_soc_fields(directory), **plain)
