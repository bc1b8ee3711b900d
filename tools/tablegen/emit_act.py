# SPDX-License-Identifier: Apache-2.0
"""Entries of the activation tables: include/trench/act_fields.h (one struct an entry) and their
packing in both layouts, src/act_pack.h."""
from cgen import Writer, c_string
from model import fail, number

#: layouts by the number of their constant; the CAM mask order and two PROFILE bits differ
LAYOUTS = ("sunda", "later")
#: entry -> bytes (docs/hardware/activation.md 3)
ENTRIES = {"cam": 32, "profile": 128, "control": 32, "bucket": 32}
WORD_BITS = 64


class Field:
    def __init__(self, row, name, low, bits, layouts):
        self.where, self.name, self.low, self.bits = row["where"], name, low, bits
        self.layouts, self.meaning = layouts, row["meaning"]

    def container(self, entry):
        """Byte of the 64-bit container that holds the field, and the field's place in it."""
        byte = min(self.low // 8, ENTRIES[entry] - WORD_BITS // 8)
        return byte, self.low - 8 * byte


def is_reserved(name):
    return name.startswith(("rsvd_", "unused"))


def profile_fields(tables):
    for row in tables.act_profile_fields:
        if is_reserved(row["field"]):
            continue
        layouts = LAYOUTS[1:] if row["sunda"].startswith("absent") else LAYOUTS
        yield Field(row, row["field"], number(row["bit_lo"], row["where"]),
                    number(row["width"], row["where"]), layouts)


def entry_fields(tables, entry):
    if entry == "profile":
        return list(profile_fields(tables))
    fields = []
    for row in tables.act_entry_fields:
        if row["entry"] == entry:
            layouts = LAYOUTS if row["layout"] == "*" else (row["layout"],)
            fields.append(Field(row, row["field"], number(row["bit_lo"], row["where"]),
                                number(row["bits"], row["where"]), layouts))
    return fields


def prove(tables):
    """Fields of an entry fit it, fit a container, and do not overlap in any layout."""
    for row in tables.act_entry_fields:
        if row["entry"] not in ENTRIES or row["layout"] not in ("*",) + LAYOUTS:
            fail(row["where"], f"unknown entry '{row['entry']}' or layout '{row['layout']}'")
    for entry, size in ENTRIES.items():
        for layout in LAYOUTS:
            owner = {}
            for field in entry_fields(tables, entry):
                if layout not in field.layouts:
                    continue
                if not 1 <= field.bits <= 32 or field.low + field.bits > 8 * size:
                    fail(field.where, f"{field.name}: bits {field.low}+{field.bits} leave the entry")
                for bit in range(field.low, field.low + field.bits):
                    if bit in owner:
                        fail(field.where, f"{field.name}: bit {bit} belongs to {owner[bit]}")
                    owner[bit] = field.name


def ctype(bits):
    return next(f"uint{size}_t" for size in (8, 16, 32) if bits <= size)


def names(fields):
    """Each field name once, with the widest type it has."""
    seen = {}
    for field in fields:
        seen.setdefault(field.name, field)
    return seen.values()


def emit_structs(tables, out):
    write = Writer("<stdint.h>", guard="TRENCH_ACT_FIELDS_H")
    write("/** Layout of the entries: SUNDA's, and that of every later generation. */")
    write("enum trn_act_layout {")
    for layout in LAYOUTS:
        write(f"    TRN_ACT_LAYOUT_{layout.upper()},")
    write("    TRN_ACT_LAYOUTS\n};\n\n/** Bytes of an entry (activation.md 3). */\nenum {")
    for entry, size in ENTRIES.items():
        write(f"    TRN_ACT_{entry.upper()}_BYTES = {size},")
    write("};\n")
    for entry in ENTRIES:
        write(f"struct trn_act_{entry} {{")
        for field in names(entry_fields(tables, entry)):
            comment = f" /**< {field.meaning} */" if field.meaning else ""
            write(f"    {ctype(field.bits)} {field.name};{comment}")
        write("};\n")
    write.save(f"{out}/include/trench/act_fields.h")


def by_layout(write, entry, fields, line):
    """`line` for the fields of every layout, then a branch for those of one."""
    common = [f for f in fields if f.layouts == LAYOUTS]
    for field in common:
        write("    " + line(field))
    for layout in LAYOUTS:
        own = [f for f in fields if f.layouts == (layout,)]
        if own:
            write(f"    if (layout == TRN_ACT_LAYOUT_{layout.upper()}) {{")
            for field in own:
                write("        " + line(field))
            write("    }")


def emit_entry(write, tables, entry):
    fields = entry_fields(tables, entry)
    single = all(f.layouts == LAYOUTS for f in fields)
    unused = "    (void)layout;\n" if single else ""

    def unpack(field):
        byte, low = field.container(entry)
        return (f"out->{field.name} = ({ctype(field.bits)})"
                f"trn_bits_get(trn_get64(bytes + {byte}), {low}, {field.bits});")

    def pack(field):
        byte, low = field.container(entry)
        return (f"trn_put64(bytes + {byte}, trn_bits_set(trn_get64(bytes + {byte}), {low}, "
                f"{field.bits}, in->{field.name}));")

    write(f"static inline void trn_act_{entry}_unpack(enum trn_act_layout layout, const uint8_t *bytes,\n"
          f"    struct trn_act_{entry} *out)\n{{\n{unused}    *out = (struct trn_act_{entry}){{0}};")
    by_layout(write, entry, fields, unpack)
    write("}\n")
    write(f"/* Sets the fields; every other bit is 0. */\n"
          f"static inline void trn_act_{entry}_pack(enum trn_act_layout layout,\n"
          f"    const struct trn_act_{entry} *in, uint8_t *bytes)\n{{\n{unused}"
          f"    memset(bytes, 0, {ENTRIES[entry]});")
    by_layout(write, entry, fields, pack)
    write("}\n")


def emit_rows(write, tables):
    write("/* One row a field, for printers and checks. */")
    write("struct trn_act_field_row {\n    const char *name;\n    uint16_t bit_lo;\n    uint8_t bits;\n"
          "    uint8_t layouts; /* bit: enum trn_act_layout */\n    const char *meaning;\n};\n")
    for entry in ENTRIES:
        write(f"static const struct trn_act_field_row trn_act_{entry}_rows[] = {{")
        for f in entry_fields(tables, entry):
            mask = sum(1 << LAYOUTS.index(layout) for layout in f.layouts)
            write(f"    {{{c_string(f.name)}, {f.low}, {f.bits}, {mask}, {c_string(f.meaning)}}},")
        write("};\n")


def emit(tables, out):
    emit_structs(tables, out)
    write = Writer("<string.h>", '"base/bytes.h"', '"trench/act_fields.h"', guard="TRN_ACT_PACK_H")
    for entry in ENTRIES:
        emit_entry(write, tables, entry)
    write.save(f"{out}/src/act_pack.h")
    write = Writer("<stdint.h>", guard="TRN_ACT_ROWS_H")
    emit_rows(write, tables)
    write.save(f"{out}/src/act_rows.h")
