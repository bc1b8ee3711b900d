# SPDX-License-Identifier: Apache-2.0
"""Opcode, struct, field, enum and rule rows, and the accessors that read a word's fields."""
from cgen import Writer, c_string
from model import COMPOSITE_SIZES, EXTENDED_ARMS, WORD_BYTES
from names import emit_index

C_INT = {"u8": "uint8_t", "u16": "uint16_t", "u32": "uint32_t", "u64": "uint64_t",
         "i8": "int8_t", "i16": "int16_t", "i32": "int32_t", "reg": "uint8_t", "enum": "uint8_t",
         "imm4": "uint32_t", "imm8": "uint64_t", "pair": "uint8_t", "srcpair": "uint8_t",
         "boundreg": "uint8_t", "addr4": "uint32_t", "addr8": "uint64_t", "addrun8": "uint64_t"}
PAIRS = ("pair", "srcpair")


#: text forms that are not simply the member's name in lower case (README, glossary)
ENUM_TEXT = {("DTYPE", "BFLOAT16"): "bf16"}


def short_name(name):
    """The text form's short field name (docs/tasm.md), ignoring its neighbours."""
    if name == "num_active_channels":
        return "ch"
    for suffix in ("_mem_pattern", "_dtype"):
        if name.endswith(suffix) and len(name) > len(suffix):
            return name[:-len(suffix)]
    return name


def short_names(fields):
    """Short names of the fields of one struct; a type whose short form another field needs (the
    pattern `src` beside `src_dtype`) keeps its full name."""
    taken = {f.name for f in fields} | {short_name(f.name) for f in fields
                                        if not f.name.endswith("_dtype")}
    return {f.name: f.name if f.name.endswith("_dtype") and short_name(f.name) in taken
            else short_name(f.name) for f in fields}


def enum_text(enum, member):
    return ENUM_TEXT.get((enum.name, member.name), member.name.lower())


def struct_id(name):
    return f"TRN_STRUCT_{name}"


# ---- rows --------------------------------------------------------------------------

def emit_ids(tables, out):
    write = Writer(guard="TRENCH_ISA_IDS_H")
    write("/** Index of an operand struct in trn_struct_table. 0 is the bare header and events. */")
    write("enum trn_struct_id {")
    write("    TRN_STRUCT_NONE = 0,")
    for struct in tables.word_structs():
        write(f"    {struct_id(struct)},")
    write("    TRN_STRUCT_COUNT")
    write("};\n")
    write("/** Index of an enum in trn_enum_table; 0 is no enum. */")
    write("enum trn_enum_id {")
    write("    TRN_ENUM_NONE = 0,")
    for enum in tables.enums:
        write(f"    TRN_ENUM_{enum},")
    write("    TRN_ENUM_COUNT")
    write("};\n")
    write("/** Index of a rule in trn_rule_table (file order of rules.csv). */")
    write("enum trn_rule_id {")
    for rule in tables.rules:
        write(f"    TRN_RULE_{rule.name},")
    write("    TRN_RULE_COUNT")
    write("};")
    write.save(f"{out}/src/isa_ids.h")


def field_row(field, short):
    offsets = ", ".join("-1" if o is None else str(o) for o in field.offsets)
    enum = f"TRN_ENUM_{field.enum}" if field.enum else "TRN_ENUM_NONE"
    return (f"    {{.name = {c_string(field.name)}, .short_name = {c_string(short)}, "
            f".offset = {{{offsets}}}, .size = {field.size}, "
            f".bit_lo = {field.bit_lo if field.is_bits else 0}, "
            f".bits = {field.bits if field.is_bits else 0}, "
            f".type = TRN_TYPE_{field.base.upper()}, .count = {field.count}, .enum_id = {enum}, "
            f".constraint = {c_string(field.constraint)}, .meaning = {c_string(field.meaning)}, "
            f".confidence = {c_string(field.confidence)}}},")


def name_pairs(rows):
    """(name, row number) for every distinct spelling of each row."""
    return [(name, i) for i, names in enumerate(rows) for name in dict.fromkeys(names)]


def emit_struct_rows(write, table, structs, prefix):
    """Field arrays of `structs` ((ident, name, fields) triples) and the table that points at them."""
    rows = []
    for ident, name, fields in structs:
        array = f"{prefix}_{name.lstrip('@')}"
        shorts = short_names(fields)
        write(f"static const struct trn_field_row {array}[] = {{")
        for field in fields:
            write(field_row(field, shorts[field.name]))
        write("};")
        index = emit_index(write, f"names_{array}",
                           name_pairs([(f.name.lower(), shorts[f.name]) for f in fields]))
        common = sum(f.struct == "COMMON" for f in fields)
        own = [f for f in fields if f.struct != "COMMON"] or fields
        mask = sum(any(f.offsets[c] is not None for f in own) << c for c in range(4))
        rows.append(f"    {ident}{{{c_string(name.lstrip('@'))}, {array}, {len(fields)}, {common}, "
                    f"{mask}, {index}}},")
    write(f"const struct trn_struct_row {table} = {{")
    for row in rows:
        write(row)
    write("};\n")


def emit_structs(write, tables):
    words = [("[TRN_STRUCT_NONE] = ", "COMMON", tables.structs["COMMON"])]
    words += [(f"[{struct_id(s)}] = ", s, tables.struct_fields(s)) for s in tables.word_structs()]
    emit_struct_rows(write, "trn_struct_table[TRN_STRUCT_COUNT]", words, "fields")
    composites = [("", s, tables.structs[s]) for s in tables.structs if s.startswith("@")]
    emit_struct_rows(write, "trn_composite_table[]", composites, "parts")
    write(f"const size_t trn_num_composites = {len(composites)};\n")


def emit_enums(write, tables):
    rows = []
    for enum in tables.enums.values():
        texts = [enum_text(enum, m) for m in enum.members]
        write(f"static const struct trn_enum_member members_{enum.name}[] = {{")
        for m, text in zip(enum.members, texts):
            write(f"    {{{c_string(m.name)}, {c_string(text)}, 0x{m.value:X}, {m.isa_mask}, "
                  f"{c_string(m.confidence)}}},")
        write("};")
        index = emit_index(write, f"names_{enum.name}",
                           name_pairs([(m.name.lower(), t) for m, t in zip(enum.members, texts)]))
        limit = max(m.value for m in enum.members) + 1
        places = {m.value: i + 1 for i, m in enumerate(enum.members)}
        write(f"static const uint8_t values_{enum.name}[] = "
              f"{{{', '.join(str(places.get(v, 0)) for v in range(limit))}}};")
        rows.append(f"    [TRN_ENUM_{enum.name}] = {{{c_string(enum.name)}, members_{enum.name}, "
                    f"{len(enum.members)}, {limit}, values_{enum.name}, {index}}},")
    write("const struct trn_enum_row trn_enum_table[TRN_ENUM_COUNT] = {")
    for row in rows:
        write(row)
    write("};\n")


def opcode_struct(tables, op, column):
    """Struct of an opcode on one instruction set, as a C name."""
    fields = tables.structs.get(op.struct, ())
    exists = op.isa_mask >> column & 1 and any(f.offsets[column] is not None for f in fields)
    return struct_id(op.struct) if exists else "TRN_STRUCT_NONE"


def emit_opcodes(write, tables):
    write("const struct trn_opcode_row trn_opcode_table[256] = {")
    for op in tables.opcodes:
        struct = struct_id(op.struct) if op.struct in tables.structs else "TRN_STRUCT_NONE"
        engines = ", ".join(str(m) for m in op.engines)
        write(f"    [0x{op.value:02X}] = {{.name = {c_string(op.name)}, "
              f".mnemonic = {c_string(op.mnemonic)}, .struct_name = {c_string(op.struct)}, "
              f".struct_id = {struct}, .isa_mask = {op.isa_mask}, .engines = {{{engines}}}, "
              f".host = {'true' if op.host else 'false'}, .exec = TRN_EXEC_{op.execution.upper()}, "
              f".maintained = {'true' if op.maintained == 'Y' else 'false'}, "
              f".meaning = {c_string(op.meaning)}, .confidence = {c_string(op.confidence)}, "
              f".struct_confidence = {c_string(op.struct_confidence)}, "
              f".engine_confidence = {c_string(op.engine_confidence)}, "
              f".meaning_confidence = {c_string(op.meaning_confidence)}}},")
    write("};\n")
    index = emit_index(write, "names_opcodes",
                       [(name, op.value) for op in tables.opcodes
                        for name in dict.fromkeys((op.name.lower(), op.mnemonic))])
    write(f"const struct trn_name_index trn_opcode_names = {index};\n")
    write("const uint8_t trn_opcode_struct[TRN_ISA_COUNT][256] = {")
    for column in range(4):
        write("    {")
        for op in tables.opcodes:
            write(f"        [0x{op.value:02X}] = {opcode_struct(tables, op, column)},")
        write("    },")
    write("};")
    write("const uint8_t trn_extended_struct[256] = {")
    for value, struct in EXTENDED_ARMS.items():
        write(f"    [{value}] = {struct_id(struct)},")
    write("};\n")


def emit_rules(write, tables):
    write("const struct trn_rule_row trn_rule_table[TRN_RULE_COUNT] = {")
    for rule in tables.rules:
        write(f"    [TRN_RULE_{rule.name}] = {{{c_string(rule.name)}, {c_string(rule.scope)}, "
              f"{rule.isa_mask}, {'true' if rule.is_warning else 'false'}, "
              f"{c_string(rule.expression)}, {c_string(rule.message)}, {c_string(rule.confidence)}}},")
    write("};")


def emit_rows(tables, out):
    write = Writer('"isa/tables.h"')
    emit_structs(write, tables)
    emit_enums(write, tables)
    emit_opcodes(write, tables)
    emit_rules(write, tables)
    write.save(f"{out}/src/isa_tables.c")


# ---- accessors ---------------------------------------------------------------------

def offset_expression(field, write, prefix):
    """C expression for the byte offset; a constant where every instruction set agrees."""
    present = {o for o in field.offsets if o is not None}
    if len(present) == 1:
        return str(present.pop()), False
    table = ", ".join(str(o if o is not None else WORD_BYTES - field.size) for o in field.offsets)
    write(f"static const uint8_t {prefix}_at[4] = {{{table}}};")
    return f"{prefix}_at[isa]", True


def emit_scalar(write, prefix, field, offset, uses_isa):
    unused = "" if uses_isa else "    (void)isa;\n"
    ctype = C_INT[field.base]
    container = field.size * 8
    if field.is_bits:
        write(f"static inline {ctype} {prefix}(const uint8_t *w, unsigned isa)\n{{\n{unused}"
              f"    return ({ctype})trn_bits_get(trn_get{container}(w + {offset}), {field.bit_lo}, {field.bits});\n}}")
        write(f"static inline void {prefix}_set(uint8_t *w, unsigned isa, {ctype} value)\n{{\n{unused}"
              f"    trn_put{container}(w + {offset}, (uint{container}_t)trn_bits_set(trn_get{container}(w + {offset}), "
              f"{field.bit_lo}, {field.bits}, (uint64_t)value));\n}}")
        return
    write(f"static inline {ctype} {prefix}(const uint8_t *w, unsigned isa)\n{{\n{unused}"
          f"    return ({ctype})trn_get{container}(w + {offset});\n}}")
    write(f"static inline void {prefix}_set(uint8_t *w, unsigned isa, {ctype} value)\n{{\n{unused}"
          f"    trn_put{container}(w + {offset}, (uint{container}_t)value);\n}}")
    if field.base in PAIRS:
        for part, low in (("lo", 0), ("hi", 4)):
            write(f"static inline uint8_t {prefix}_{part}(const uint8_t *w, unsigned isa)\n{{\n"
                  f"    return (uint8_t)trn_bits_get({prefix}(w, isa), {low}, 4);\n}}")


def emit_accessor(write, struct, field):
    prefix = f"trn_{struct.lower()}_{field.c_name}"
    offset, uses_isa = offset_expression(field, write, prefix)
    unused = "" if uses_isa else "    (void)isa;\n"
    if field.base == "f32" and not field.is_array:
        write(f"static inline float {prefix}(const uint8_t *w, unsigned isa)\n{{\n{unused}"
              f"    return trn_getf32(w + {offset});\n}}")
        write(f"static inline void {prefix}_set(uint8_t *w, unsigned isa, float value)\n{{\n{unused}"
              f"    trn_putf32(w + {offset}, value);\n}}")
    elif not field.is_array and field.base in C_INT:
        emit_scalar(write, prefix, field, offset, uses_isa)
        if field.base in COMPOSITE_SIZES:
            write(f"static inline const uint8_t *{prefix}_bytes(const uint8_t *w, unsigned isa)\n"
                  f"{{\n{unused}    return w + {offset};\n}}")
    else:
        write(f"static inline const uint8_t *{prefix}(const uint8_t *w, unsigned isa)\n{{\n{unused}"
              f"    return w + {offset};\n}}")
        write(f"static inline uint8_t *{prefix}_ref(uint8_t *w, unsigned isa)\n{{\n{unused}"
              f"    return w + {offset};\n}}")
    if any(o is None for o in field.offsets):
        mask = sum((o is not None) << i for i, o in enumerate(field.offsets))
        write(f"static inline bool {prefix}_present(unsigned isa)\n{{\n"
              f"    return trn_bits_get({mask}u, isa, 1) != 0;\n}}")


def emit_accessors(tables, out):
    write = Writer("<stdbool.h>", "<stdint.h>", '"base/bytes.h"', guard="TRENCH_ISA_FIELDS_H")
    write("/* trn_<struct>_<field>(word, isa): the field's value, or a pointer to its bytes for arrays")
    write(" * and patterns. `isa` is trn_gen.isa. A field that some instruction set lacks has a")
    write(" * _present(isa) test; ask it first. Scalars have _set, byte ranges have _ref for writing;")
    write(" * addresses, immediates and pairs also have _bytes, for their own parts' accessors. */")
    for struct in ["COMMON"] + tables.word_structs() + [s for s in tables.structs if s[0] == "@"]:
        for field in tables.structs[struct]:
            if field.base != "reserved":
                emit_accessor(write, struct.lstrip("@"), field)
    write.save(f"{out}/src/isa_fields.h")


def emit(tables, out):
    emit_ids(tables, out)
    emit_rows(tables, out)
    emit_accessors(tables, out)
