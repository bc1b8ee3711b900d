# SPDX-License-Identifier: Apache-2.0
"""Recipes of the shipped activation functions and the roster of sets: src/act_recipes.c."""
import re

from cgen import Writer, c_string
from model import fail, number

FOLDS = ("auto", "none", "odd", "even", "point")
OUTSIDE = ("hold", "extrapolate")
METHODS = ("chebyshev", "taylor", "parametric")
SPECIALS = ("zero", "nan", "pos_inf", "neg_inf")
#: targets of act_sets.csv that are shipped: the Trainium roster and the toolkit's own set
TARGETS = ("trainium", "toolkit")
HERO = re.compile(r"([a-z0-9_]+)\[([a-z0-9]+)\]$")


def functions(tables):
    """Rows that have a table name, by that name."""
    return {row["table_name"]: row for row in tables.act_functions if row["table_name"]}


def func_id(row):
    return number(row["func_id"].rstrip("?"), row["where"])


def residents(tables):
    """Functions of every set: those whose clamps do all the work (activation.md 9)."""
    return [name for name, row in functions(tables).items() if row["class"] == "hardwired"]


def roster(tables):
    """(row, [(function, variant)]) of every shipped set, heroes first."""
    for row in tables.act_sets:
        if row["target"] not in TARGETS:
            continue
        members = []
        for text in row["heroes (function[budget])"].split():
            match = HERO.match(text)
            if not match:
                fail(row["where"], f"'{text}' is not FUNCTION[BUDGET]")
            members.append((match[1], match[2]))
        yield row, members + [(name, "") for name in residents(tables)]


def index(tables):
    """(function, variant) -> position of its recipe."""
    return {(r["function"], r["variant"]): i for i, r in enumerate(tables.act_recipes)}


def prove_recipe(row, known):
    for column, values in (("fold", FOLDS), ("outside", OUTSIDE), ("method", METHODS)):
        if row[column] not in values:
            fail(row["where"], f"{column} '{row[column]}' is none of {', '.join(values)}")
    if row["function"] not in known:
        fail(row["where"], f"no function '{row['function']}' in act_functions.csv")


def prove(tables):
    """Recipes name functions, sets name recipes, places of sets follow each other."""
    known, recipes = functions(tables), index(tables)
    if len(recipes) != len(tables.act_recipes):
        fail("act-recipes.csv", "a function and variant stands twice")
    for row in tables.act_recipes:
        prove_recipe(row, known)
    for missing in set(known) - {name for name, _ in recipes}:
        fail(known[missing]["where"], f"{missing} has no recipe in act-recipes.csv")
    for place, (row, members) in enumerate(roster(tables)):
        if number(row["index"], row["where"]) != place:
            fail(row["where"], f"{row['set']} stands at place {place}")
        for member in members:
            if member not in recipes:
                fail(row["where"], f"no recipe for {member[0]}[{member[1]}]")


def bound(text):
    return {"-inf": "-INFINITY", "inf": "INFINITY"}.get(text) or f"{text}F"


def text_or_null(text):
    return c_string(text) if text else "NULL"


def options(row, identifier):
    fields = [f".name = {c_string(row['function'])}", f".expression = {c_string(row['expression'])}",
              f".func_id = {identifier}", f".lo = {bound(row['lo'])}", f".hi = {bound(row['hi'])}",
              f".fold = TRN_ACT_FOLD_{row['fold'].upper()}",
              f".outside = TRN_ACT_OUTSIDE_{row['outside'].upper()}",
              f".taylor = {int(row['method'] == 'taylor')}",
              f".parametric = {int(row['method'] == 'parametric')}",
              f".max_buckets = {row['buckets']}", ".max_control = TRN_ACT_CONTROL_ENTRIES",
              f".floor = {row['floor']}", f".extract = {text_or_null(row['extract'])}"]
    fields += [f".{side} = 0x{row[side]}" for side in ("large_pos", "large_neg") if row[side]]
    fields.append(".special = {" + ", ".join(text_or_null(row[s]) for s in SPECIALS) + "}")
    return "{" + ", ".join(fields) + "}"


def emit(tables, out):
    known, recipes = functions(tables), index(tables)
    write = Writer("<math.h>", '"act/recipes.h"')
    write("const struct trn_act_recipe trn_act_recipes[] = {")
    for row in tables.act_recipes:
        write(f"    {{{options(row, func_id(known[row['function']]))},\n     "
              f"{c_string(row['variant'])}, {c_string(row['sheet'])}, "
              f"{c_string(row['confidence'])}, {c_string(row['note'])}, "
              f"{c_string(known[row['function']]['name'])}}},")
    write(f"}};\nconst size_t trn_num_act_recipes = {len(recipes)};\n")
    write("static const uint16_t members[] = {")
    rows, start = [], 0
    for row, members in roster(tables):
        write("    " + ", ".join(str(recipes[m]) for m in members) + ",")
        rows.append(f"    {{{c_string(row['set'])}, members + {start}, {len(members)}}},")
        start += len(members)
    write("};\nconst struct trn_act_roster_row trn_act_roster[] = {\n" + "\n".join(rows))
    write(f"}};\nconst size_t trn_num_act_sets = {len(rows)};")
    write.save(f"{out}/src/act_recipes.c")
