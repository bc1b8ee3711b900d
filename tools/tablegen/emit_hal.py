# SPDX-License-Identifier: Apache-2.0
"""The host HAL's dispatch object (hal-slots.csv) as a C table."""
from cgen import Writer, c_string
from model import number


def emit(tables, out):
    source = Writer('"hal/hal_rows.h"')
    source("const struct trn_hal_slot trn_hal_slot_table[] = {")
    for row in sorted(tables.hal_slots, key=lambda row: number(row["offset"], row["where"])):
        source(f"    {{{row['offset']}, {c_string(row['family'])}, {c_string(row['member'])}, "
               f"{'true' if row['policy'] == 'assert' else 'false'}, {c_string(row['text'])}, "
               f"{c_string(row['confidence'])}}},")
    source("};")
    source("const size_t trn_hal_slot_count = sizeof trn_hal_slot_table / "
           "sizeof trn_hal_slot_table[0];")
    source.save(f"{out}/src/hal_tables.c")
