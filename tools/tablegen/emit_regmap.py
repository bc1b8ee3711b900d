# SPDX-License-Identifier: Apache-2.0
"""Registers and apertures as constant rows (registers.csv, apertures.csv)."""
from cgen import Writer, c_string
from names import emit_index
from registers import RANGE


def c_bool(value):
    return "true" if value else "false"


def emit_bits(write, registers):
    """All bit fields in one array; returns where each register's start."""
    starts, place = [], 0
    write("static const struct trn_reg_bits bits[] = {")
    for register in registers:
        starts.append(place)
        for field in register.fields:
            write(f"    {{{c_string(field.name)}, {field.low}, {field.bits}, {c_bool(field.pulse)}}},")
        place += len(register.fields)
    write("};\n")
    return starts


def reset_value(register):
    """(reset, known): the register's own, or what its fields say."""
    if register.reset is not None:
        return register.reset, True
    said = [f for f in register.fields if f.reset is not None]
    return sum(f.reset << f.low for f in said), bool(said)


def register_row(register, bits_start):
    indices = len(register.ranges)
    firsts = ", ".join(str(first) for first, _ in register.ranges) or "0"
    counts = ", ".join(str(last - first + 1) for first, last in register.ranges) or "0"
    strides = ", ".join(str(s) for s in register.strides) or "0"
    reset, known = reset_value(register)
    return (f"    {{.block = {c_string(register.block)}, .name = {c_string(register.name)}, "
            f".alias = {c_string(register.alias)}, .path = {c_string(register.path)}, "
            f".offset = 0x{register.offset or 0:X}, .open = {c_bool(register.offset is None)}, "
            f".reset = 0x{reset:X}, .reset_known = {c_bool(known)}, .gen_mask = {register.gen_mask}, "
            f".width = {register.width}, .access = TRN_REG_{register.access}, "
            f".num_indices = {indices}, .first = {{{firsts}}}, .count = {{{counts}}}, "
            f".stride = {{{strides}}}, .num_fields = {len(register.fields)}, "
            f".fields = bits + {bits_start}, .meaning = {c_string(register.meaning)}, "
            f".confidence = {c_string(register.confidence)}}},")


def spellings(register):
    yield register.path.lower()
    if register.alias:
        yield f"{register.block}.{register.alias}".lower()
        base, dot, _ = RANGE.sub("", register.name).rpartition(".")
        if dot:
            yield f"{register.block}.{base}.{register.alias}".lower()


def emit_registers(tables, write):
    starts = emit_bits(write, tables.registers)
    write("const struct trn_reg_row trn_reg_table[] = {")
    for register, start in zip(tables.registers, starts):
        write(register_row(register, start))
    write("};")
    write(f"const size_t trn_num_regs = {len(tables.registers)};\n")
    names = [(name, row) for row, register in enumerate(tables.registers)
             for name in spellings(register)]
    write("const struct trn_reg_name trn_reg_name_rows[] = {")
    for name, row in names:
        write(f"    {{{c_string(name)}, {row}}},")
    write("};")
    write(f"const size_t trn_num_reg_names = {len(names)};\n")
    index = emit_index(write, "name_slots", [(name, i) for i, (name, _) in enumerate(names)])
    write(f"const struct trn_name_index trn_reg_names = {index};\n")


def emit_apertures(tables, write):
    write("const struct trn_aperture_row trn_aperture_table[] = {")
    for row in tables.apertures:
        write(f"    {{.name = {c_string(row.name)}, .scope = TRN_APERTURE_{row.scope.upper()}, "
              f".gen_mask = {row.gen_mask}, .count = {row.count}, .offset = 0x{row.offset:X}, "
              f".size = 0x{row.size:X}, .stride = 0x{row.stride:X}, "
              f".soc_known = {c_bool(row.soc is not None)}, .soc = 0x{row.soc or 0:X}, "
              f".meaning = {c_string(row.meaning)}, .confidence = {c_string(row.confidence)}}},")
    write("};")
    write(f"const size_t trn_num_apertures = {len(tables.apertures)};")


def emit(tables, out):
    write = Writer('"gen/regmap.h"', '"gen/regmap_names.h"')
    emit_registers(tables, write)
    emit_apertures(tables, write)
    write.save(f"{out}/src/regmap_tables.c")
