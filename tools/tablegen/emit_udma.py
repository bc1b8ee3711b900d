# SPDX-License-Identifier: Apache-2.0
"""DMA engine: include/trench/udma_ids.h (one struct a view of a descriptor), the packing of those
structs, src/udma_pack.h, and the tables of fields, causes and bring-up values, src/udma_tables.c."""
from cgen import Writer, c_name, c_string
from emit_records import ctype, place
from model import number
from proofs_udma import INIT_GENERATIONS, LOOPS


def views_of(tables):
    views = {}
    for row in tables.udma_fields:
        views.setdefault(row["view"], []).append(row)
    return views


def causes(tables):
    """Groups A and B; what happens to a FIFO of group C no model knows."""
    for row in tables.dma_causes:
        if row["secondary_group"] == "C":
            continue
        name = c_name(row["cause"].upper())
        yield f"TRN_UDMA_{row['secondary_group']}_{name}", number(row["bit"], row["where"])


def emit_ids(tables, views, out):
    write = Writer("<stdint.h>", guard="TRENCH_UDMA_IDS_H")
    write("/* Views of a descriptor (udma-descriptor.csv). */\n")
    for view, rows in views.items():
        write(f"struct trn_udma_{view} {{")
        for row in rows:
            write(f"    {ctype(place(row)[1])} {row['field']};")
        write("};\n")
    write("/* udma_iofic.csv: bit of the cause in its group. */\nenum trn_udma_cause {")
    for name, bit in causes(tables):
        write(f"    {name} = {bit},")
    write("};\n")
    write.save(f"{out}/include/trench/udma_ids.h")


def emit_pack(views, out):
    write = Writer('"base/bytes.h"', '"trench/udma_ids.h"', guard="TRN_UDMA_PACK_H")
    for view, rows in views.items():
        write(f"/* Bits of other fields stay as they are. */\n"
              f"static inline void trn_udma_{view}_pack(const struct trn_udma_{view} *from, uint8_t *raw)\n{{")
        write("    uint64_t half[2] = {trn_get64(raw), trn_get64(raw + 8)};")
        for row in rows:
            low, bits = place(row)
            write(f"    half[{low // 64}] = trn_bits_set(half[{low // 64}], {low % 64}, {bits}, "
                  f"from->{row['field']});")
        write("    trn_put64(raw, half[0]);\n    trn_put64(raw + 8, half[1]);\n}\n")
        write(f"static inline struct trn_udma_{view} trn_udma_{view}_unpack(const uint8_t *raw)\n{{")
        write("    const uint64_t half[2] = {trn_get64(raw), trn_get64(raw + 8)};")
        write(f"    return (struct trn_udma_{view}){{")
        for row in rows:
            low, bits = place(row)
            write(f"        .{row['field']} = ({ctype(bits)})trn_bits_get(half[{low // 64}], "
                  f"{low % 64}, {bits}),")
        write("    };\n}\n")
    write.save(f"{out}/src/udma_pack.h")


def init_row(row):
    values = ", ".join(f"{number(row[g], row['where'])}u" if row[g] else "0" for g in INIT_GENERATIONS)
    mask = sum(1 << i for i, g in enumerate(INIT_GENERATIONS) if row[g])
    return (f"{number(row['step'], row['where'])}, {LOOPS.index(row['loop'])}, {mask}, "
            f"{c_string(row['register'])}, {{{values}}}, {c_string(row['meaning'])}")


def emit_tables(tables, out):
    write = Writer('"gen/udma_rows.h"')
    write("const struct trn_udma_field_row trn_udma_field_table[] = {")
    for row in tables.udma_fields:
        low, bits = place(row)
        write(f"    {{{c_string(row['view'])}, {c_string(row['field'])}, {low}, {bits}, "
              f"{c_string(row['meaning'])}, {c_string(row['confidence'])}}},")
    write(f"}};\nconst size_t trn_num_udma_fields = {len(tables.udma_fields)};\n")
    write("const struct trn_udma_init_row trn_udma_init_table[] = {")
    for row in tables.udma_init:
        write(f"    {{{init_row(row)}}},")
    write(f"}};\nconst size_t trn_num_udma_init_rows = {len(tables.udma_init)};")
    write.save(f"{out}/src/udma_tables.c")


def emit(tables, out):
    views = views_of(tables)
    emit_ids(tables, views, out)
    emit_pack(views, out)
    emit_tables(tables, out)
