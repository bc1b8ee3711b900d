# SPDX-License-Identifier: Apache-2.0
"""struct trn_gen, its five constant instances and the rows that describe each member."""
from cgen import Writer, c_string
from model import GENERATIONS, fail, number

C_TYPES = {"str": "const char *", "bool": "bool ", "u8": "uint8_t ", "u16": "uint16_t ",
           "u32": "uint32_t ", "u64": "uint64_t "}


def c_value(row, generation):
    text = row[generation]
    if row["type"] == "str":
        return c_string(text)
    value = number(text, row["where"])
    if row["type"] == "bool":
        return "true" if value else "false"
    return f"{text}u" if row["type"] != "u64" else f"{text}ull"


def confidences(row):
    """One tag per generation; a single tag in the column serves all five."""
    tags = row["confidence"].split("|")
    if len(tags) not in (1, 5):
        fail(row["where"], "confidence needs one tag or five")
    return tags * 5 if len(tags) == 1 else tags


def emit(tables, out):
    header = Writer("<stdbool.h>", "<stdint.h>", guard="TRENCH_GEN_FIELDS_H")
    header("/** What a generation is: every number and capability that differs. */")
    header("struct trn_gen {")
    for row in tables.generations:
        if row["type"] not in C_TYPES:
            fail(row["where"], f"type '{row['type']}' is not one of {', '.join(C_TYPES)}")
        unit = f" ({row['unit']})" if row["unit"] else ""
        header(f"    {C_TYPES[row['type']]}{row['field']}; /**< {row['meaning']}{unit} */")
    header("};")
    header.save(f"{out}/include/trench/gen_fields.h")

    source = Writer("<stddef.h>", '"gen/gen_rows.h"')
    source("const struct trn_gen trn_gen_table[TRN_GEN_COUNT] = {")
    for generation in GENERATIONS:
        source("    {")
        for row in tables.generations:
            source(f"        .{row['field']} = {c_value(row, generation)},")
        source("    },")
    source("};\n")
    source("const struct trn_gen_row trn_gen_rows[] = {")
    for row in tables.generations:
        tags = ", ".join(c_string(t) for t in confidences(row))
        source(f"    {{{c_string(row['field'])}, TRN_GEN_{row['type'].upper()}, "
               f"offsetof(struct trn_gen, {row['field']}), {c_string(row['unit'])}, "
               f"{c_string(row['sheet'])}, {{{tags}}}, {c_string(row['meaning'])}}},")
    source("};")
    source("const size_t trn_gen_num_rows = sizeof trn_gen_rows / sizeof trn_gen_rows[0];")
    source.save(f"{out}/src/gen_table.c")
