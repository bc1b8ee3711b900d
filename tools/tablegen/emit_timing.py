# SPDX-License-Identifier: Apache-2.0
"""What words and transfers cost: timing.csv (numbers by generation) and timing-words.csv (formulas by opcode)."""
from cgen import Writer, c_string
from emit_gen import confidences
from model import GENERATIONS, fail, number

ENGINES = ("pe", "act", "pool", "dve", "seq", "any")
#: columns `when`: what a word must be like (src/trace/cost.c)
CONDITIONS = ("", "fp32", "transpose_fp32", "narrow", "one_input", "tensors_fast", "sbuf_packed", "sbuf_narrow",
              "psum_packed", "bytes_1", "bytes_2", "taken", "hbm")
MAX_OPCODES = 10


def pick(row, column, names):
    if row[column] not in names:
        fail(row["where"], f"{column} '{row[column]}' is none of {', '.join(name or 'nothing' for name in names)}")
    return row[column]


def mask(row):
    names = GENERATIONS if row["generations"] == "all" else row["generations"].split()
    for name in names:
        if name not in GENERATIONS:
            fail(row["where"], f"generation '{name}' is none of {', '.join(GENERATIONS)}")
    return sum(1 << GENERATIONS.index(name) for name in names)


def opcodes(row, numbers):
    names = [] if row["opcodes"] == "*" else row["opcodes"].split()
    for name in names:
        if name not in numbers:
            fail(row["where"], f"there is no opcode '{name}'")
    if len(names) > MAX_OPCODES:
        fail(row["where"], f"more than {MAX_OPCODES} opcodes in a row")
    return [numbers[name] for name in names]


def check_order(rows):
    """The first row that fits prices a word: each engine's last one must fit every word."""
    for engine in ENGINES[:-1]:
        last = [row for row in rows if row["engine"] == engine][-1]
        if last["opcodes"] != "*" or last["when"] or last["generations"] != "all" or last["default"] != "1":
            fail(last["where"], f"the last row of {engine} must be a default for every word")


def choice(row, known):
    """What is a model choice names it; what is none does not."""
    if ("MC" in row["confidence"].split("|")) != (row["choice"] != ""):
        fail(row["where"], "a row is a model choice (MC) exactly when it names one")
    if row["choice"] and row["choice"] not in known:
        fail(row["where"], f"'{row['choice']}' is no model choice")
    return f"TRN_CHOICE_{row['choice'].upper() or 'COUNT'}"


def word_row(row, numbers, known):
    where = row["where"]
    codes = opcodes(row, numbers)
    values = [number(row[column], where) for column in ("mul", "div", "add", "min", "factor")]
    if values[1] == 0 or values[4] == 0:
        fail(where, "div and factor are not 0")
    flags = [c_string(row["id"]), f"TRN_TIMING_ON_{pick(row, 'engine', ENGINES).upper()}", str(mask(row)),
             f"TRN_TIMING_WHEN_{(pick(row, 'when', CONDITIONS) or 'always').upper()}",
             "true" if pick(row, "of", ("in", "out")) == "out" else "false", *map(str, values),
             "true" if pick(row, "unit", ("cycle", "ns")) == "ns" else "false",
             "true" if pick(row, "default", ("0", "1")) == "1" else "false",
             c_string(row["sheet"]), c_string(row["confidence"]), choice(row, known), c_string(row["meaning"]),
             str(len(codes)), "{" + ", ".join(f"0x{code:02X}" for code in codes or [0]) + "}"]
    return ", ".join(flags)


def unique(rows):
    seen = set()
    for row in rows:
        if row["id"] in seen:
            fail(row["where"], f"'{row['id']}' is there twice")
        seen.add(row["id"])


def emit(tables, out):
    unique(tables.timing + tables.timing_words)
    check_order(tables.timing_words)
    known = {row["id"] for row in tables.choices}
    header = Writer(guard="TRN_TIMING_IDS_H")
    header("/* Rows of data/timing.csv. */")
    header("enum trn_timing_number {")
    for row in tables.timing:
        header(f"    TRN_TIMING_{row['id'].upper()},")
    header("    TRN_TIMING_NUMBERS\n};")
    header("enum trn_timing_engine {")
    header("".join(f"    TRN_TIMING_ON_{name.upper()},\n" for name in ENGINES) + "};")
    header("enum trn_timing_when {")
    header("".join(f"    TRN_TIMING_WHEN_{(name or 'always').upper()},\n" for name in CONDITIONS) +
           "    TRN_TIMING_CONDITIONS\n};")
    header(f"enum {{ TRN_TIMING_MAX_OPCODES = {MAX_OPCODES} }};")
    header.save(f"{out}/src/timing_ids.h")

    source = Writer('"gen/timing_rows.h"')
    source("const struct trn_timing_row trn_timing_rows[TRN_TIMING_NUMBERS] = {")
    for row in tables.timing:
        values = ", ".join(str(number(row[generation], row["where"])) for generation in GENERATIONS)
        tags = ", ".join(c_string(tag) for tag in confidences(row))
        source(f"    {{{c_string(row['id'])}, {{{values}}}, {c_string(row['unit'])}, {c_string(row['sheet'])}, "
               f"{{{tags}}}, {choice(row, known)}, {c_string(row['meaning'])}}},")
    source("};\n")
    numbers = {opcode.name: opcode.value for opcode in tables.opcodes}
    source("const struct trn_timing_word_row trn_timing_word_rows[] = {")
    for row in tables.timing_words:
        source(f"    {{{word_row(row, numbers, known)}}},")
    source("};")
    source("const size_t trn_timing_num_word_rows = sizeof trn_timing_word_rows / sizeof trn_timing_word_rows[0];")
    source.save(f"{out}/src/timing_tables.c")
