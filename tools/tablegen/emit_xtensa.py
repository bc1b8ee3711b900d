# SPDX-License-Identifier: Apache-2.0
"""The Xtensa subset, its lengths and formats, boot heads, byte patterns and dispatch flavours:
include/trench/xtensa_ids.h, the tables that fw reads (src/xtensa_tables.c) and the pages of the
manual (src/manual_xtensa_tables.c)."""
import xtensa as x
from cgen import Writer, c_name, c_string
from emit_device import table, texts
from model import GENERATIONS, number

NO_ROW = 0xFF
#: low bits of the bytes by which a word can be sorted
SELECTORS = (4, 8, 12, 16)


def census_names(xtensa):
    return list(dict.fromkeys(row.census for row in xtensa.rows if row.census))


def emit_enum(write, comment, prefix, names, last):
    write(f"/** {comment} */\nenum {prefix.lower()[:-1]} {{")
    for name in names:
        write(f"    {prefix}{c_name(name).upper()},")
    write(f"    {last}\n}};\n")


def emit_ids(tables, xtensa, out):
    write = Writer(guard="TRENCH_XTENSA_IDS_H")
    emit_enum(write, "What an instruction does to the flow of control.", "TRN_XTENSA_CLASS_",
              x.CLASSES, "TRN_XTENSA_CLASSES")
    emit_enum(write, "What the census of instructions counts.", "TRN_XTENSA_CENSUS_",
              census_names(xtensa), "TRN_XTENSA_CENSUSES")
    emit_enum(write, "Byte patterns that tell images apart (fw-patterns.csv).", "TRN_FW_PATTERN_",
              [row["id"] for row in x.load_plain(tables, "fw-patterns")], "TRN_FW_PATTERNS")
    emit_enum(write, "Dispatch flavours (firmware-images.md 7.1).", "TRN_FW_DISPATCH_",
              [row["flavor"] for row in x.load_plain(tables, "fw-dispatch")], "TRN_FW_DISPATCHES")
    for row in x.load_plain(tables, "fw-handshake"):
        write(f"#define TRN_FW_{row['name']:8} UINT32_C({row['value']}) /* {row['sheet']} */")
    write.save(f"{out}/include/trench/xtensa_ids.h")


# ---- accessors ----------------------------------------------------------------------

def emit_accessors(write, operand):
    """The raw field out of a word, and a word with the field replaced."""
    text, left = [], operand.bits
    for low, bits in operand.pieces:
        left -= bits
        text.append((left, low, bits))
    value = "(uint32_t)trn_bits_get(word, {1}, {2})"
    parts = [value.format(*piece) if piece[0] == 0 else
             f"(uint32_t)trn_bits_set(0, {piece[0]}, {piece[2]}, {value.format(*piece)})" for piece in text]
    write(f"static uint32_t get_{operand.name}(uint32_t word)\n{{\n    return {' | '.join(parts)};\n}}")
    write(f"static uint32_t put_{operand.name}(uint32_t word, uint32_t raw)\n{{")
    for left, low, bits in text:
        write(f"    word = (uint32_t)trn_bits_set(word, {low}, {bits}, trn_bits_get(raw, {left}, {bits}));")
    write("    return word;\n}\n")


def emit_operands(write, xtensa):
    for operand in xtensa.operands.values():
        emit_accessors(write, operand)
        if operand.values:
            write(f"static const int32_t values_{operand.name}[] = "
                  f"{{{', '.join(map(str, operand.values))}}};\n")
    write("const struct trn_xtensa_operand_row trn_xtensa_operand_table[] = {")
    for operand in xtensa.operands.values():
        wrap = 1 << operand.bits if operand.wrap is None else operand.wrap
        values = f"values_{operand.name}" if operand.values else "NULL"
        access = f"'{x.ACCESS[operand.name]}'" if operand.name in x.ACCESS else "0"
        write(f"    {{{c_string(operand.name)}, TRN_XTENSA_OPERAND_{operand.kind.upper()}, {access}, "
              f"{operand.bits}, {wrap}, {operand.scale}, {operand.bias}, {values}, "
              f"get_{operand.name}, put_{operand.name}}},")
    write("};\n")


# ---- rows ---------------------------------------------------------------------------

def emit_rows(write, xtensa):
    numbers = {name: i for i, name in enumerate(xtensa.operands)}
    write("const struct trn_xtensa_row trn_xtensa_table[] = {")
    for row in xtensa.rows:
        operands = ", ".join(str(numbers[o.name]) for o in row.operands)
        census = f"TRN_XTENSA_CENSUS_{c_name(row.census).upper()}" if row.census else "TRN_XTENSA_CENSUSES"
        write(f"    {{{c_string(row.name)}, 0x{row.mask:06X}, 0x{row.match:06X}, {row.size}, "
              f"TRN_XTENSA_CLASS_{row.cls.upper()}, {census}, {len(row.operands)}, "
              f"{{{operands or '0'}}}, {c_string(row.verified)}, {c_string(row.confidence)}}},")
    write(f"}};\nconst size_t trn_xtensa_num_rows = {len(xtensa.rows)};\n")


def cells_by(rows, low):
    """Row numbers for each value of the byte at bit `low`."""
    return [tuple(i for i, row in rows if row.mask >> low & 255 & (value ^ row.match >> low) == 0)
            for value in range(256)]


def emit_selectors(write, xtensa):
    """For each op0 the byte that sorts its rows best, and the rows of each value of that byte."""
    pool, places, table_rows = [NO_ROW], {(): 0}, []
    for op0 in range(16):
        rows = [(i, row) for i, row in enumerate(xtensa.rows) if row.match & 15 == op0]
        wide = [low for low in SELECTORS if all(low + 8 <= 8 * row.size for _, row in rows)]
        low = min(wide, key=lambda low: max(map(len, cells_by(rows, low))))
        cells = cells_by(rows, low)
        for cell in cells:
            if cell not in places:
                places[cell] = len(pool)
                pool += [*cell, NO_ROW]
        table_rows.append((low, [places[cell] for cell in cells]))
    write("const struct trn_xtensa_select trn_xtensa_select_table[16] = {")
    for low, cells in table_rows:
        write(f"    {{{low}, {{{', '.join(map(str, cells))}}}}},")
    write("};")
    write(f"const uint8_t trn_xtensa_select_pool[] = {{{', '.join(map(str, pool))}}};\n")


def emit_registers(write, xtensa):
    write("const struct trn_xtensa_register_row trn_xtensa_register_table[] = {")
    for row in xtensa.registers:
        cores = 3 if row["core"] == "any" else 1 << x.CORES.index(row["core"])
        write(f"    {{TRN_XTENSA_OPERAND_{row['kind'].upper()}, {cores}, "
              f"{number(row['number'], row['where'])}, {c_string(row['access'])}, {c_string(row['name'])}}},")
    write(f"}};\nconst size_t trn_xtensa_num_registers = {len(xtensa.registers)};\n")


def emit_lengths(write, xtensa):
    write("const uint8_t trn_xtensa_length_table[TRN_XTENSA_CORES][16][16] = {")
    for core in xtensa.lengths:
        write("    {")
        for cells in core:
            write(f"        {{{', '.join(map(str, cells))}}},")
        write("    },")
    write("};\nconst struct trn_xtensa_format_row trn_xtensa_format_table[] = {")
    for fmt in xtensa.formats:
        write(f"    {{{c_string(fmt.name)}, 0x{fmt.mask:08X}, 0x{fmt.match:08X}, {fmt.size}, {fmt.slots}, "
              f"{c_string(fmt.roles)}}},")
    write(f"}};\nconst size_t trn_xtensa_num_formats = {len(xtensa.formats)};\n")


# ---- firmware -----------------------------------------------------------------------

def emit_heads(write, tables):
    write("const struct trn_fw_head trn_fw_head_table[] = {")
    for row in x.load_plain(tables, "fw-heads"):
        cells = ", ".join(hex(number(row[c], row["where"])) for c in ("primary", "secondary", "high", "enter"))
        sram = "TRN_FW_SRAM" if row["residence"] == "SRAM" else "TRN_FW_IRAM"
        write(f"    {{{GENERATIONS.index(row['generation'])}, TRN_FW_{row['class']}, {sram}, {cells}, "
              f"{c_string(row['engines'])}, {c_string(row['confidence'])}}},")
    write(f"}};\nconst size_t trn_fw_num_heads = {len(x.load_plain(tables, 'fw-heads'))};\n")


def emit_patterns(write, tables):
    rows = x.load_plain(tables, "fw-patterns")
    for row in rows:
        cells = ", ".join(f"{{0x{mask:02X}, 0x{value:02X}}}" for mask, value in x.pattern_bytes(row))
        write(f"static const struct trn_fw_pattern_byte pattern_{row['id']}[] = {{{cells}}};")
    write("const struct trn_fw_pattern_row trn_fw_pattern_table[TRN_FW_PATTERNS] = {")
    for row in rows:
        write(f"    {{{c_string(row['id'])}, {c_string(row['bytes'])}, {len(x.pattern_bytes(row))}, "
              f"pattern_{row['id']}, {c_string(row['meaning'])}}},")
    write("};\nconst struct trn_fw_dispatch_row trn_fw_dispatch_table[TRN_FW_DISPATCHES] = {")
    for row in x.load_plain(tables, "fw-dispatch"):
        write(f"    {{{texts(row, 'flavor', 'shape', 'rule')}}},")
    write("};")


def offsets(text, where):
    values = [number(v, where) for v in text.split()]
    return f"{len(values)}, {{{', '.join(map(hex, values)) or '0'}}}"


def emit_sites(write, tables):
    rows = x.load_plain(tables, "fw-sites")
    write("const struct trn_fw_site_row trn_fw_site_table[] = {")
    for row in rows:
        where = row["where"]
        flavor = f"TRN_FW_{row['flavor']}" if row["flavor"] else "TRN_FW_FLAVORS"
        counts = ", ".join(str(number(row[c] or "-1", where)) for c in ("real", "default_slots"))
        write(f"    {{{GENERATIONS.index(row['generation'].lower())}, TRN_FW_{row['class']}, "
              f"{c_string(row['engine'].lower())}, {flavor}, {number(row['base'], where):#x}, "
              f"{number(row['bound'], where)}, {offsets(row['sites'], where)}, "
              f"{offsets(row['tables'], where)}, {offsets(row['defaults'], where)}, {counts}}},")
    write(f"}};\nconst size_t trn_fw_num_sites = {len(rows)};\n")


# ---- manual -------------------------------------------------------------------------

def emit_pages(tables, xtensa, out):
    write = Writer('"manual/xtensa_rows.h"')
    table(write, "trn_insn_page_row", "trn_insn_page_table", "trn_num_insn_pages",
          [f"{c_string(r.name)}, {r.size}, 0x{r.mask:06X}, 0x{r.match:06X}, "
           f"{c_string(', '.join(o.name for o in r.operands))}, {c_string(r.cls)}, {c_string(r.census)}, "
           f"{c_string(r.verified)}, {c_string(r.confidence)}, {c_string(r.sheet)}, {c_string(r.meaning)}, "
           + c_string("; ".join(f"{d.hex(' ')} at {pc:#x}: {t}" for d, pc, t in r.samples[:2]))
           for r in xtensa.rows])
    table(write, "trn_format_page_row", "trn_format_page_table", "trn_num_format_pages",
          [f"{c_string(f.name)}, 0x{f.mask:08X}, 0x{f.match:08X}, {f.size}, {f.slots}, {c_string(f.roles)}, "
           f"{c_string(f.confidence)}, {c_string(f.sheet)}" for f in xtensa.formats])
    heads = x.load_plain(tables, "fw-heads")
    table(write, "trn_head_page_row", "trn_head_page_table", "trn_num_head_pages",
          [f"{GENERATIONS.index(r['generation'])}, " +
           texts(r, "class", "engines", "residence", "head", "primary", "secondary", "high", "enter",
                 "confidence", "sheet", "note") for r in heads])
    table(write, "trn_pattern_page_row", "trn_pattern_page_table", "trn_num_pattern_pages",
          [texts(r, "id", "bytes", "sheet", "confidence", "meaning")
           for r in x.load_plain(tables, "fw-patterns")])
    table(write, "trn_dispatch_page_row", "trn_dispatch_page_table", "trn_num_dispatch_pages",
          [texts(r, "flavor", "shape", "bound", "engines", "rule", "sheet", "confidence")
           for r in x.load_plain(tables, "fw-dispatch")])
    table(write, "trn_handshake_page_row", "trn_handshake_page_table", "trn_num_handshake_pages",
          [f"{c_string(r['name'])}, {number(r['value'], r['where'])}u, "
           + texts(r, "meaning", "confidence", "sheet") for r in x.load_plain(tables, "fw-handshake")])
    write.save(f"{out}/src/manual_xtensa_tables.c")


def emit(tables, out):
    xtensa = x.load(tables)
    emit_ids(tables, xtensa, out)
    write = Writer('"base/bytes.h"', '"fw/xtensa_rows.h"', '"fw/dispatch_rows.h"')
    emit_operands(write, xtensa)
    emit_rows(write, xtensa)
    emit_selectors(write, xtensa)
    emit_registers(write, xtensa)
    emit_lengths(write, xtensa)
    emit_heads(write, tables)
    emit_patterns(write, tables)
    emit_sites(write, tables)
    write.save(f"{out}/src/xtensa_tables.c")
    emit_pages(tables, xtensa, out)
