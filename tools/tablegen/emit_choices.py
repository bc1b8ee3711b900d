# SPDX-License-Identifier: Apache-2.0
"""Model choices (model-choices.csv): an id for the code, a sentence for the report."""
from cgen import Writer, c_string


def emit(tables, out):
    header = Writer(guard="TRENCH_CHOICE_IDS_H")
    header("/** Model choices a run can rest on; TRN_CHOICE_<id> of data/model-choices.csv. */")
    header("enum trn_choice {")
    for row in tables.choices:
        header(f"    TRN_CHOICE_{row['id'].upper()},")
    header("    TRN_CHOICE_COUNT")
    header("};")
    header.save(f"{out}/include/trench/choice_ids.h")

    source = Writer('"trench/choices.h"')
    source("const struct trn_choice_row trn_choice_table[TRN_CHOICE_COUNT] = {")
    for row in tables.choices:
        source(f"    {{{c_string(row['id'])}, {c_string(row['sheet'])}, {c_string(row['what'])}, "
               f"{c_string(row['confidence'])}}},")
    source("};")
    source.save(f"{out}/src/choice_table.c")
