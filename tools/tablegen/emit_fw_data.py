# SPDX-License-Identifier: Apache-2.0
"""What the firmware toolkit compares string pools, kernel tables and hardware-decode tables with.

docs/hardware/firmware-images.md 9, 10, 12.2, 13.3. One row a line of the tables in data/.
"""
import re

import emit_ucode
from cgen import Writer, c_string
from model import ENGINES, GENERATIONS, fail, number, read_csv

SETS = ("compute", "absence", "marker", "dge_fast", "dge_slow")
MATCHES = ("word", "nocase", "text")
HANDLER = re.compile(r"[A-Za-z][A-Za-z0-9_/-]*")
FLAVOR_KEYS = (1, 2, 3, 17, 18, 19)  # firmware-images.md 11.1
NAMED_GROUPS = ("core18", "shared", "engine-only", "v4-new")
TOKEN = re.compile(r"[A-Za-z0-9_ -]+")


def mask_of(row, names, column):
    out = 0
    for name in row[column].split("|"):
        if name not in names:
            fail(row["where"], f"{column}: '{name}' is not one of {', '.join(names)}")
        out |= 1 << names.index(name)
    return out


def tokens(tables):
    """A token once; only characters that the matcher tells apart."""
    seen = set()
    for row in read_csv(tables.directory, "fw-tokens.csv"):
        if row["set"] not in SETS or row["match"] not in MATCHES:
            fail(row["where"], f"set '{row['set']}' or match '{row['match']}' is unknown")
        if not TOKEN.fullmatch(row["token"]) or row["token"].lower() in seen:
            fail(row["where"], f"token '{row['token']}' comes twice, or has other characters than "
                               "letters, digits, '_', '-' and space")
        seen.add(row["token"].lower())
        yield (f"    {{{c_string(row['token'])}, TRN_FW_{row['set'].upper()}, "
               f"TRN_FW_MATCH_{row['match'].upper()}, {c_string(row['note'])}}},")


def rosters(tables):
    """Handlers that a DEBUG image names itself: one row an engine and name, with its generations."""
    for row in tables.handlers:
        gens = sum(1 << i for i, gen in enumerate(GENERATIONS) if row[gen] == "1")
        if row["group"] in NAMED_GROUPS and gens and HANDLER.fullmatch(row["handler"]):
            yield f"    {{{ENGINES.index(row['engine'])}, {gens}, {c_string(row['handler'])}}},"


def kernel_rows(tables):
    """Rows of kernel-info.csv: keys are packed from opcode and spec, a table is as long as it says."""
    rows, last = list(read_csv(tables.directory, "kernel-info.csv")), None
    for row in rows:
        where = row["where"]
        gen, library = row["generation"].lower(), row["library"]
        if gen not in GENERATIONS or not re.fullmatch(r"EXTISA_[0-3]", library):
            fail(where, f"'{row['generation']}' or '{library}' is unknown")
        index, opcode, spec = (number(row[c], where) for c in ("index", "opcode", "spec"))
        if number(row["packed_key_le_u32"], where) != opcode << 24 | spec << 16:
            fail(where, "the key is not opcode << 24 | spec << 16")
        if index != (last[2] + 1 if last and last[:2] == (gen, library) else 0):
            fail(where, "the indices of a table run from 0")
        last = (gen, library, index)
        size = sum(r["generation"] == row["generation"] and r["library"] == library for r in rows) * 8
        if number(row["table_size"], where) != size:
            fail(where, f"table_size is {row['table_size']}, the rows make {size:#x}")
        va = row["func_va"] or "TRN_FW_NO_ADDRESS"
        yield (f"    {{{GENERATIONS.index(gen)}, {library[-1]}, {index}, 0x{opcode:02x}, {spec}, {va}, "
               f"{c_string(row['kernel'])}, {c_string(row['row_confidence'])}}},")


def legs(tables):
    for row in read_csv(tables.directory, "fw-legs.csv"):
        where = row["where"]
        library = row["library"] or "-1"
        yield (f"    {{0x{number(row['opcode'], where):02x}, {number(row['spec'], where)}, {library}, "
               f"{ENGINES.index(row['engine'])}, {c_string(row['leg'])}, {c_string(row['condition'])}, "
               f"{c_string(row['note'])}, {c_string(row['confidence'])}}},")


def write_rows(write, name, rows):
    write(f"const struct {name[:-1]} {name}[] = {{")
    for row in rows:
        write(row)
    write("};")
    write(f"const size_t trn_num_{name[4:]} = sizeof {name} / sizeof {name}[0];")


def prof_sets(write, tables):
    slots, sets = [], []
    for row in read_csv(tables.directory, "decode-cam.csv"):
        armed = emit_ucode.armed_slots(row)
        sets.append(f"    {{{mask_of(row, GENERATIONS, 'gens')}, {mask_of(row, ENGINES, 'engines')}, {len(slots)}, "
                    f"{len(armed)}, {row['class_word']}, {c_string(row['confidence'])}}},")
        slots += [f"    {{0x{op:x}, 0x{mask:x}}}," for op, mask in armed]
    write_rows(write, "trn_fw_prof_slots", slots)
    write_rows(write, "trn_fw_prof_sets", sets)


def slots(tables):
    """The host's core-type table: every number once, from 0."""
    for number_, row in enumerate(read_csv(tables.directory, "fw-slots.csv")):
        where = row["where"]
        if number(row["slot"], where) != number_:
            fail(where, f"slot {row['slot']}: the rows run from 0")
        if row["class"] not in ("NX", "Q7"):
            fail(where, f"class '{row['class']}' is not NX or Q7")
        flavors = [number(part, where) for part in row["flavors"].split("|") if part]
        if set(flavors) - set(FLAVOR_KEYS):
            fail(where, f"flavors '{row['flavors']}' has a key that is not one of {FLAVOR_KEYS}")
        keys = ", ".join(map(str, flavors or [0]))
        gen = mask_of(row, GENERATIONS, "generation").bit_length() - 1
        yield (f"    {{{c_string(row['core_type'])}, {gen}, TRN_FW_{row['class']}, "
               f"{ENGINES.index(row['engine'])}, {len(flavors)}, {{{keys}}}, {number(row['prof'], where)}, "
               f"{number(row['libraries'], where)}}},")


def management(tables):
    """The management core's image by arch_id: each number once."""
    seen = set()
    for row in read_csv(tables.directory, "fw-management.csv"):
        arch_id = number(row["arch_id"], row["where"])
        if arch_id in seen:
            fail(row["where"], f"arch_id {arch_id} comes twice")
        seen.add(arch_id)
        yield f"    {{{arch_id}, {c_string(row['image'])}}},"


# ---- pages of the manual ----------------------------------------------------------

SYMBOL = re.compile(r"(?:pool|decode|get|nonzero|dma|cross)_[a-z0-9_]+")


def kernel_pages(tables):
    for row in read_csv(tables.directory, "kernel-info.csv"):
        symbol = SYMBOL.match(row["kernel"])
        values = ", ".join((str(GENERATIONS.index(row["generation"].lower())), row["library"][-1], row["index"],
                            row["opcode"], row["spec"]))
        yield (f"    {{{values}, {c_string(row['func_va'])}, {c_string(symbol[0] if symbol else '')}, "
               f"{c_string(row['kernel'])}, {c_string(row['row_confidence'])}}},")


def set_pages(tables):
    for row in read_csv(tables.directory, "decode-cam.csv"):
        name = f"{row['gens'].split('|')[0]}.decode_cam.{row['engines'].split('|')[0].lower()}"
        texts = [c_string(row[c]) for c in ("class_word", "meaning", "confidence", "class_confidence", "sheet")]
        yield (f"    {{{c_string(name)}, {mask_of(row, GENERATIONS, 'gens')}, "
               f"{c_string(row['engines'].replace('|', ' '))}, {c_string(row['opcodes'])}, {row['armed']}, "
               f"{', '.join(texts)}}},")


def core_pages(tables):
    for row in read_csv(tables.directory, "fw-slots.csv"):
        gen = GENERATIONS.index(row["generation"])
        yield (f"    {{{row['slot']}, {gen}, {c_string(row['core_type'])}, "
               f"{c_string(row['class'] + '_' + row['engine'])}, {c_string(row['flavors'].replace('|', ' '))}, "
               f"{row['prof']}, {row['libraries']}, {c_string(row['sheet'])}, {c_string(row['confidence'])}}},")


def emit_pages(tables, out):
    write = Writer('"manual/fw_rows.h"')
    for name, count, rows in (("kernel_page", "kernel_pages", kernel_pages), ("decode_set", "decode_sets", set_pages),
                              ("core_type", "core_types", core_pages)):
        write(f"const struct trn_{name}_row trn_{name}_table[] = {{")
        for row in rows(tables):
            write(row)
        write("};")
        write(f"const size_t trn_num_{count} = sizeof trn_{name}_table / sizeof trn_{name}_table[0];")
    write.save(f"{out}/src/manual_fw_tables.c")


def emit(tables, out):
    write = Writer('"fw/data_rows.h"')
    write_rows(write, "trn_fw_tokens", tokens(tables))
    write_rows(write, "trn_fw_rosters", rosters(tables))
    write_rows(write, "trn_fw_kernel_rows", kernel_rows(tables))
    write_rows(write, "trn_fw_legs", legs(tables))
    write_rows(write, "trn_fw_slot_rows", slots(tables))
    write_rows(write, "trn_fw_management_rows", management(tables))
    prof_sets(write, tables)
    write.save(f"{out}/src/fw_data_tables.c")
    emit_pages(tables, out)
