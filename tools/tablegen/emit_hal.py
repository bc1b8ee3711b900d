# SPDX-License-Identifier: Apache-2.0
"""The host HAL's dispatch object (hal-slots.csv) and getters (hal-getters.csv) as C tables."""
from cgen import Writer, c_string
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


def emit(tables, out):
    source = Writer('"hal/hal_rows.h"')
    emit_slots(source, tables.hal_slots)
    emit_getters(source, resolve(tables))
    source.save(f"{out}/src/hal_tables.c")
