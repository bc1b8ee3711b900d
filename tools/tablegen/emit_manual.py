# SPDX-License-Identifier: Apache-2.0
"""Rows that only the manual reads (src/manual/rows.h)."""
import re

import emit_act_recipes

from cgen import Writer, c_string
from emit_device import table, texts, value
from model import EXTENDED_ARMS, GENERATIONS, fail, number, read_csv


def emit_handlers(write, tables):
    rows = []
    write("static const uint8_t handled[] = {")
    start = 0
    for row in tables.handlers:
        opcodes = [number(v, row["where"]) for v in row["opcodes"].split("|") if v]
        if opcodes:
            write("    " + " ".join(f"0x{v:02X}," for v in opcodes))
        presence = "".join(row[g] for g in GENERATIONS)
        rows.append(f"{texts(row, 'engine', 'handler', 'group')}, {c_string(presence)}, "
                    f"handled + {start}, {len(opcodes)}, {texts(row, 'notes', 'confidence')}")
        start += len(opcodes)
    write("};")
    table(write, "trn_handler_row", "trn_handler_table", "trn_num_handlers", rows)


def function_tables(tables):
    """table name -> (expression of its recipe, shipped sets that have it)."""
    residents = emit_act_recipes.residents(tables)
    found = {r["function"]: [r["expression"], []] for r in reversed(tables.act_recipes)}
    for row, members in emit_act_recipes.roster(tables):
        for name, _ in members:
            if name not in residents:
                found[name][1].append(row["set"])
    for name in residents:
        found[name][1].append("every set")
    return found


def entry_field_rows(tables):
    """Fields of CAM, CONTROL and BUCKET as rows of the PROFILE's shape."""
    for row in tables.act_entry_fields:
        where = {"*": ("same", "same"), "sunda": ("present", "at another place"),
                 "later": ("at another place", "present")}[row["layout"]]
        yield dict(row, sunda=where[0], cayman_plus=where[1])


def emit_activation(write, tables):
    made = function_tables(tables)
    table(write, "trn_act_function_row", "trn_act_function_table", "trn_num_act_functions",
          [texts(r, "name", "table_name", "func_id", "class", "symmetry", "reference_formula",
                 "valid_input_range", "note")
           + f", {c_string(made.get(r['table_name'], ('', []))[0])}"
           + f", {c_string(', '.join(made.get(r['table_name'], ('', []))[1]))}"
           for r in tables.act_functions])
    table(write, "trn_profile_field_row", "trn_profile_field_table", "trn_num_profile_fields",
          [f"\"profile\", {texts(r, 'field')}, {value(r, 'bit_lo')}, {value(r, 'width')}, "
           f"{texts(r, 'meaning', 'sunda', 'cayman_plus', 'position_confidence')}"
           for r in tables.act_profile_fields]
          + [f"{texts(r, 'entry', 'field')}, {value(r, 'bit_lo')}, {value(r, 'bits')}, "
             f"{texts(r, 'meaning', 'sunda', 'cayman_plus', 'confidence')}"
             for r in entry_field_rows(tables)])


#: what this project has of the sets of a target
HERE = {"trainium": "shipped: trench act show {}, act_tbl_sel {} when all sets are registered in their order",
        "toolkit": "shipped: trench act show {}, place {}",
        "with_ln": "not built: no generation here runs it, and which functions it has besides these is not published"}


def divided(row, column, by):
    return str(number(row[column], row["where"]) // by) if row[column] else ""


def emit_act_sets(write, tables):
    rows = []
    for row in tables.act_sets:
        if row["target"] not in HERE:
            fail(row["where"], f"target '{row['target']}' is none of {', '.join(HERE)}")
        stride = number(row["ctrl_stride"], row["where"])
        cells = dict(row, heroes=row["heroes (function[budget])"] or "only functions of clamps",
                     buckets=divided(row, "bkt_bytes", 32), words=divided(row, "ctrl_bytes", stride),
                     here=HERE[row["target"]].format(row["set"], row["index"]))
        rows.append(texts(cells, "target", "set", "index", "heroes", "num_functions", "buckets", "words",
                          "ctrl_stride", "here"))
    table(write, "trn_act_set_row", "trn_act_set_table", "trn_num_act_set_rows", rows)
    table(write, "trn_act_table_row", "trn_act_table_table", "trn_num_act_table_rows",
          [f"{texts(r, 'table')}, {value(r, 'entries')}, {value(r, 'entry_bytes')}, {value(r, 'used_bytes')}, "
           f"{texts(r, 'holds', 'places', 'sheet', 'confidence')}" for r in tables.act_tables])
    table(write, "trn_act_rule_row", "trn_act_rule_table", "trn_num_act_rules",
          [texts(r, "rule", "severity", "checked", "holds", "sheet", "confidence") for r in tables.act_rules])


def emit_calls(write, tables):
    table(write, "trn_call_row", "trn_call_table", "trn_num_calls",
          [f"{texts(r, 'kind', 'name')}, {{{texts(r, 'v2', 'v3', 'v4', 'v5')}}}, "
           + texts(r, "engines", "instructions", "opcodes", "structs", "dtype_limits",
                   "shape_limits", "memory_limits", "semantics", "confidence")
           for r in tables.crosswalk])


def emit_topics(write, tables):
    table(write, "trn_topic_row", "trn_topic_table", "trn_num_topics",
          [texts(r, "topic", "aliases", "summary", "see", "sheet", "page", "confidence")
           for r in read_csv(tables.directory, "topics.csv")])


# ---- scopes of rules ----------------------------------------------------------------

def scope_sets(tables, rule):
    """(kind, everything, opcodes, structs) of a scope; the proofs have checked its words."""
    words = rule.scope.split()
    structs, opcodes = set(), set()
    kind = words[0] if words[0] in ("field", "lib", "run") else "word"
    everything = words[0] == "*"
    if everything:
        structs = set(tables.word_structs()) - set(words[2:])
        return kind, everything, opcodes, structs
    for word in words[1:] if kind != "word" else words:
        span = re.fullmatch(r"0x(\w\w)(?:\.\.0x(\w\w))?", word)
        if span:
            opcodes.update(range(int(span[1], 16), int(span[2] or span[1], 16) + 1))
        else:
            structs.add(word)
            opcodes.update(op.value for op in tables.opcodes if op.struct == word)
            if word in EXTENDED_ARMS.values():
                opcodes.add(0xF0)
    return kind, everything, opcodes, structs


def bitmap(bits, size):
    cells = bytearray((size + 7) // 8)
    for bit in bits:
        cells[bit // 8] |= 1 << bit % 8
    return ", ".join(f"0x{c:02X}" for c in cells)


def emit_scopes(write, tables):
    numbers = {s: i + 1 for i, s in enumerate(tables.word_structs())}
    write("const struct trn_rule_scope trn_rule_scope_table[TRN_RULE_COUNT] = {")
    for rule in tables.rules:
        kind, everything, opcodes, structs = scope_sets(tables, rule)
        write(f"    [TRN_RULE_{rule.name}] = {{\"{kind}\", {'true' if everything else 'false'}, "
              f"{{{bitmap(opcodes, 256)}}}, "
              f"{{{bitmap((numbers[s] for s in structs), len(numbers) + 1)}}}}},")
    write("};")


def emit(tables, out):
    write = Writer('"manual/rows.h"')
    emit_handlers(write, tables)
    emit_activation(write, tables)
    emit_act_sets(write, tables)
    emit_calls(write, tables)
    emit_topics(write, tables)
    emit_scopes(write, tables)
    write.save(f"{out}/src/manual_tables.c")
