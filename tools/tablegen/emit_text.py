# SPDX-License-Identifier: Apache-2.0
"""Plans of the text form: the fields of each struct in the order they are written (docs/tasm.md)."""
import re

from cgen import Writer, c_string
from emit_isa import enum_text, short_names, struct_id
from model import SCALAR_SIZES, fail
from rules_facts import GROUP_XBUS

NO_FIELD = "TRN_TEXT_NO_FIELD"
PATTERNS = ("pattern1d", "pattern2d", "pattern3d", "pattern4d", "mx1d", "data4d")
#: counts that come right after the operands
CHANNELS = ("num_active_channels", "num_active_rows", "num_active_cols")
HEADER = ("inst_word_len", "debug_cmd", "debug_hint", "inst_flags.tile_idx", "inst_flags.rest")
#: the sync blocks of a word, in the order text_sync.c reads them; the second is EVENT_SEMAPHORE's
LANES = (("wait_mode", "wait_idx", "update_mode", "update_idx", "semaphore_value"),
         ("ext_wait_mode", "ext_wait_idx", "ext_update_mode", "ext_update_idx", "ext_wait_value",
          "ext_update_value"))
#: PE sources, where a v5 address marker selects MXTENSOR_V2 (isa-core.md 5, model choice)
MX_SOURCES = ("S3_LW", "S3D3_MM", "S4D3_MM")
MAVERICK = 3
#: fields that take a label (CTRL_BR, CTRL_BPH)
LABELS = ("br_immediate", "branch_offset")
MAX_IMMEDIATES = 4  #: TRN_ASM_MAX_IMMEDIATES
LONG_BYTES = 32  #: u8 arrays longer than this are written as bytes, not as a list

KINDS = {"u8": "UINT", "u16": "UINT", "u32": "UINT", "u64": "UINT", "i32": "INT", "f32": "FLOAT",
         "reg": "REG", "enum": "ENUM", "reserved": "RESERVED", "addr4": "ADDR4", "addr8": "ADDR8",
         "addrun8": "ADDRUN8", "imm4": "IMM", "imm8": "IMM", "pair": "PAIR", "srcpair": "PAIR",
         "boundreg": "BOUNDREG", "desc16": "BYTES", "ccinst": "CCINSTS", "char": "STRING",
         "pattern1d": "PATTERN", "pattern2d": "PATTERN", "pattern3d": "PATTERN",
         "pattern4d": "PATTERN", "mx1d": "MX1D", "data4d": "DATA4D"}
ELEMENTS = {"u8": "UINT", "u16": "UINT", "u32": "UINT", "i32": "INT", "f32": "FLOAT", "reg": "REG"}
PAIR_ENUMS = {"pair": "TRN_ENUM_DTYPE", "srcpair": "TRN_ENUM_IMM_SRC"}
#: opcodes whose u8 list holds wider elements (CTRL_IM, meaning of `immediate`)
LIST_FORMS = {"LOAD_PARAMETER_RAM": "TRN_TEXT_FLOAT", "LOAD_POOL_ARGUMENT": "TRN_TEXT_UINT"}
CONSTANT_TYPES = {"FP32": "FLOAT", "INT32": "SIGNED", "UINT32": "UNSIGNED", "by_class": "CLASS"}


def item(field, key):
    """Value of the `key=` item of a field's constraint, "" without one."""
    return next((part[len(key) + 1:] for part in field.constraint.split("; ")
                 if part.startswith(key + "=")), "")


def source_of(field, names):
    """(name of the field, or "", coding) that says where an immediate comes from."""
    if field.base == "imm8":
        return f"{field.name}_is_ptr", "FLAG"
    name, _, half = item(field, "src").partition(".")
    if name in ("INSTRUCTION", "POINTER"):
        return "", name
    if name not in names:
        fail(field.where, f"src={name} is neither a field nor INSTRUCTION nor POINTER")
    if half:
        return name, {"lo": "LOW_HALF", "hi": "HIGH_HALF"}[half]
    return name, {"IMM_SRC": "ENUM", "IMM_SRC_N": "INVERTED", "": "POINTER_FIRST"}[names[name].enum]


def in_order(own, names):
    """The struct's own fields in the order of the text form (docs/tasm.md, "Order")."""
    placed = {}

    sources = [source_of(f, names)[0] for f in own if f.base in ("imm4", "imm8")]

    def place(name):
        if name not in names or name in placed:
            return
        placed[name] = names[name]
        if names[name].base in ("imm4", "imm8"):
            source = source_of(names[name], names)[0]
            sources.remove(source)
            if source not in sources:  # after the last immediate that it serves
                place(source)

    place("extended_opcode")
    for field in own:
        if field.base in PATTERNS:
            place(field.name)
            place(item(field, "type").partition(".")[0])
    for name in CHANNELS:
        place(name)
    for field in own:
        if field.base == "reserved" or field.name in sources:
            continue
        digit = re.fullmatch(r"(op|imm)(\d)", field.name)
        if digit and "op" + digit[2] in names:  # an operator and its immediate stay together
            place("op" + digit[2])
            place("imm" + digit[2])
        place(field.name)
    for field in own:
        place(field.name)
    return list(placed.values())


def arrange(fields, column):
    """(plain fields, lanes): every field of one word on one instruction set but its opcode."""
    present = [f for f in fields if f.offsets[column] is not None and f.name != "opcode"]
    names = {f.name: f for f in present}
    sync = {name for lane in LANES for name in lane}
    own = [f for f in present if f.name not in HEADER and f.name not in sync]
    plain = in_order(own, names) + [names[n] for n in HEADER if n in names]
    lanes = [[names[n] for n in lane] if set(lane) <= set(names) else [] for lane in LANES]
    if sum(f.base in ("imm4", "imm8") for f in plain) > MAX_IMMEDIATES or len(present) > 64:
        fail(present[0].where, "the struct has more immediates or fields than src/isa/asm.h allows")
    if len(plain) + sum(map(len, lanes)) != len(present):
        fail(present[0].where, "the text form misses a field")
    return plain, lanes


class Layout:
    def __init__(self, struct, fields, column):
        self.struct, self.column = struct, column
        self.rows = {f.name: i for i, f in enumerate(fields)}
        self.shorts = short_names(fields)
        self.plain, self.lanes = arrange(fields, column)
        self.fields = self.plain + sum(self.lanes, [])
        self.names = {f.name: f for f in self.fields}
        self.places = {f.name: i for i, f in enumerate(self.fields)}
        self.sources = {source_of(f, self.names)[0] for f in self.fields
                        if f.base in ("imm4", "imm8")}
        self.has_operators = any(f.enum == "ALU_OP" for f in self.fields)

    def kind(self, field):
        if field.base in SCALAR_SIZES and field.count > 1 and field.base != "char":
            return "BYTES" if field.base == "u8" and field.count > LONG_BYTES else "LIST"
        if field.base == "reserved" and field.size > 8:
            return "BYTES"
        return KINDS[field.base]

    def immediate(self, field):
        source, coding = source_of(field, self.names)
        parts = [f".source = {self.places[source] if source else NO_FIELD}",
                 f".coding = TRN_SOURCE_{coding}"]
        name, _, half = item(field, "type").partition(".")
        if field.base == "imm8":
            parts.append(".type = TRN_IMM_RAW")
        elif name in CONSTANT_TYPES:
            parts.append(f".type = TRN_IMM_{CONSTANT_TYPES[name]}")
        elif name in self.places:
            suffix = {"": "", "lo": "_LOW", "hi": "_HIGH"}[half]
            parts.append(f".type = TRN_IMM_FIELD{suffix}, .type_field = {self.places[name]}")
        else:
            fail(field.where, f"type={name} is neither a field nor a known type")
        if self.has_operators:
            parts.append(".shown = true")
        return parts

    def field(self, field):
        name = self.shorts[field.name]
        label = f" {name}="
        kind = self.kind(field)
        parts = [f".name = {c_string(name)}", f".label = {c_string(label)}", f".label_length = {len(label)}",
                 f".row = {self.rows[field.name]}", f".kind = TRN_TEXT_{kind}",
                 f".offset = {field.offsets[self.column]}", f".size = {field.size}"]
        if field.is_bits:
            parts.append(f".bit_lo = {field.bit_lo}, .bits = {field.bits}")
        elif field.size <= 8:
            parts.append(f".bits = {field.size * 8}")
        if kind == "LIST":
            parts.append(f".count = {field.count}, .element = TRN_TEXT_{ELEMENTS[field.base]}")
        if kind in ("STRING", "CCINSTS"):
            parts.append(f".count = {field.count}")
        if field.enum or field.base in PAIR_ENUMS:
            parts.append(f".enum_id = {PAIR_ENUMS.get(field.base, f'TRN_ENUM_{field.enum}')}")
        if field.name == "inst_word_len":
            parts.append(".initial = TRN_TEXT_WORD_LENGTH")
        if field.name in self.sources:
            parts.append(".is_source = true")
        if field.enum == "IMM_SRC_N":
            parts.append(".initial = TRN_IMM_SRC_N_INSTRUCTION")
        if field.name in LABELS:
            parts.append(".label_allowed = true")
        if kind == "PATTERN" and self.struct in MX_SOURCES and self.column == MAVERICK:
            parts.append(".mx = true")
        if kind == "ADDRUN8":
            side = field.name.partition("_")[0]
            parts.append(f".type_field = {self.places['addr_mode.' + side]}")
        if kind == "IMM":
            parts += self.immediate(field)
        group = self.places["col_grp"] if field.name == "xbus_sel" else NO_FIELD
        parts.append(f".derived_from = {group}")
        return f"    {{{', '.join(parts)}}},"

    @staticmethod
    def has_initial(field):
        """Is the value that the text leaves out something else than 0?"""
        return field.name in ("inst_word_len", "xbus_sel") or field.enum == "IMM_SRC_N"

    def header(self):
        first = len(self.plain)
        places = [first if self.lanes[0] else NO_FIELD,
                  first + len(self.lanes[0]) if self.lanes[1] else NO_FIELD]
        given = [i for i, f in enumerate(self.fields) if self.has_initial(f)]
        own = sum(f.name not in HEADER for f in self.plain)
        return (f"{len(self.fields)}, {own}, {first}, {{{places[0]}, {places[1]}}}, "
                f"{struct_id(self.struct)}, {len(given)}, {{{', '.join(map(str, given)) or 0}}}")


def emit_members(write, tables):
    """Texts of the enum members with their lengths, beside trn_enum_table's rows."""
    for enum in tables.enums.values():
        write(f"static const struct trn_text_member members_{enum.name}[] = {{")
        for member in enum.members:
            text = enum_text(enum, member)
            write(f"    {{{c_string(text)}, {len(text)}, {member.isa_mask}}},")
        write("};")
    write("const struct trn_text_member *const trn_text_members[TRN_ENUM_COUNT] = {")
    for enum in tables.enums.values():
        write(f"    [TRN_ENUM_{enum.name}] = members_{enum.name},")
    write("};\n")


def power_of_ten(k):
    """The 64 leading bits of 10**k, rounded up."""
    scale = 63 - (k * 1741647 >> 19)  # floor(log2(10**k)) for the exponents of a float
    numerator = 10 ** max(k, 0) << max(scale, 0)
    denominator = 10 ** max(-k, 0) << max(-scale, 0)
    return -(-numerator // denominator)


def emit_groups(write):
    """xbus_sel by column group (pe-array.md 2.1), 0 where there is none."""
    codes = ", ".join(hex(GROUP_XBUS.get(code, 0)) for code in range(16))
    write(f"const uint8_t trn_text_xbus[16] = {{{codes}}};\n")


def emit_powers(write):
    """For the shortest decimal of a float (text_float.c)."""
    write("const uint64_t trn_text_powers[TRN_TEXT_MAX_POWER - TRN_TEXT_MIN_POWER + 1] = {")
    for k in range(-31, 46):
        write(f"    0x{power_of_ten(k):016X}, /* {k} */")
    write("};")


def emit(tables, out):
    write = Writer('"isa/text.h"', '"trench/enums.h"')
    known, table = {}, {}
    for struct in tables.word_structs():
        fields = tables.struct_fields(struct)
        for column in range(4):
            if not any(f.offsets[column] is not None for f in tables.structs[struct]):
                continue
            layout = Layout(struct, fields, column)
            rows = "\n".join(layout.field(f) for f in layout.fields)
            key = (struct, rows)
            if key not in known:
                known[key] = f"{struct}_{column}"
                write(f"static const struct trn_text_field fields_{known[key]}[] = {{\n{rows}\n}};")
                write(f"static const struct trn_text_layout layout_{known[key]} = "
                      f"{{fields_{known[key]}, {layout.header()}}};")
            table[struct, column] = known[key]
    write("\nconst struct trn_text_layout *const trn_text_layouts[TRN_ISA_COUNT][TRN_STRUCT_COUNT] = {")
    for column in range(4):
        write("    {")
        for struct in tables.word_structs():
            if (struct, column) in table:
                write(f"        [{struct_id(struct)}] = &layout_{table[struct, column]},")
        write("    },")
    write("};\n")
    write("const struct trn_text_opcode trn_text_opcodes[256] = {")
    for op in tables.opcodes:
        parts = [f".mnemonic = {c_string(op.mnemonic)}", f".length = {len(op.mnemonic)}"]
        if "BITVEC" in op.name:
            parts.append(".bitvec = true")
        if op.name in LIST_FORMS:
            parts.append(f".wide_list = true, .wide_element = {LIST_FORMS[op.name]}")
        write(f"    [0x{op.value:02X}] = {{{', '.join(parts)}}},")
    write("};\n")
    emit_members(write, tables)
    emit_groups(write)
    emit_powers(write)
    write.save(f"{out}/src/isa_text.c")
