# SPDX-License-Identifier: Apache-2.0
"""The host HAL's dispatch object (hal-slots.csv) and getters (hal-getters.csv) as C tables."""
from cgen import Writer, c_string
from emit_device import table, texts
from hal_getters import resolve
from model import number


def emit_slots(source, rows):
    source("const struct trn_hal_slot trn_hal_slot_table[] = {")
    for row in sorted(rows, key=lambda row: number(row["offset"], row["where"])):
        source(f"    {{{row['offset']}, {c_string(row['family'])}, {c_string(row['member'])}, "
               f"{'true' if row['policy'] == 'assert' else 'false'}, {c_string(row['text'])}, "
               f"{c_string(row['confidence'])}}},")
    source("};")
    source("const size_t trn_hal_slot_count = sizeof trn_hal_slot_table / "
           "sizeof trn_hal_slot_table[0];")


def emit_getters(source, getters):
    """Each list of values once, then a row a getter."""
    names = {}
    for getter in getters:
        for values in filter(None, getter.values):
            if tuple(values) not in names:
                names[tuple(values)] = f"values_{len(names)}"
                text = ", ".join(f"{value:#x}" for value in values)
                source(f"static const uint64_t {names[tuple(values)]}[] = {{{text}}};")
    source("const struct trn_hal_getter trn_hal_getter_table[] = {")
    for getter in getters:
        lists = ", ".join(f"{{{len(v)}, {names.get(tuple(v), 'NULL')}}}" for v in getter.values)
        source(f"    {{{c_string(getter.name)}, {getter.slot:#x}, {c_string(getter.index)}, "
               f"{{{lists}}}}},")
    source("};")
    source("const size_t trn_hal_getter_count = sizeof trn_hal_getter_table / "
           "sizeof trn_hal_getter_table[0];")


def shown(values):
    """A list of values for a page: small ones in decimal, "-" where no index is valid."""
    return " ".join(str(v) if v < 1000 else f"0x{v:X}" for v in values) or "-"


def emit_pages(write, slots, getters):
    """Rows that the manual prints (src/manual/hal_rows.h)."""
    table(write, "trn_slot_page_row", "trn_slot_page_table", "trn_num_slot_pages",
          [f"{row['offset']}, {texts(row, 'family', 'member')}, "
           f"{'true' if row['policy'] == 'assert' else 'false'}, "
           + texts(row, "text", "confidence", "sheet", "meaning") for row in slots])
    table(write, "trn_getter_page_row", "trn_getter_page_table", "trn_num_getter_pages",
          [f"{c_string(g.name)}, {g.slot:#x}, {c_string(g.index)}, "
           f"{{{', '.join(c_string(shown(v)) for v in g.values)}}}, {c_string(g.sheet)}, "
           f"{c_string(g.confidence)}, {c_string(g.meaning)}" for g in getters])


def emit(tables, out):
    source = Writer('"hal/hal_rows.h"')
    emit_slots(source, tables.hal_slots)
    emit_getters(source, resolve(tables))
    source.save(f"{out}/src/hal_tables.c")
    pages = Writer('"manual/hal_rows.h"')
    emit_pages(pages, tables.hal_slots, resolve(tables))
    pages.save(f"{out}/src/manual_hal_tables.c")
