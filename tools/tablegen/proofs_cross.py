# SPDX-License-Identifier: Apache-2.0
"""Proofs that tables which name each other agree."""
import re

import constraints
from model import (ENGINES, EXTENDED_ARMS, GENERATIONS, ISA_COLUMNS, ISA_OF_GENERATION, fail,
                   number, read_csv)
from proofs_layout import all_fields, refuse

#: members of an enum on each instruction set (isa-core.md 11; numerics.md, dtypes and operators)
OPCODE_COUNTS = (145, 150, 159, 165)
DTYPE_COUNTS = (16, 16, 24, 30)
ALU_COUNTS = (33, 60, 64, 65)
#: sequencer.md 6.2: the opcodes of the CAYMAN POOL dispatch table
CAYMAN_POOL = bytes.fromhex(
    "41 43 44 45 46 47 49 4D 51 52 53 54 58 67 68 74 77 78 79 7A 7B 7C 7D 7E"
    "92 95 96 9F A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 AA AB B0 B1 B2 B3 B5 B8 BB BD BE BF E4 E7 F0 F1 F2")
#: sequencer.md 6.3: opcodes that no roster names, by engine ("" = all)
UNROSTERED = {"PE": {0x04, 0x05}, "POOL": {0x4A, 0x4B, 0x4C, 0x73, 0x76, 0x81, 0x85, 0x86},
              "DVE": {0x76, 0x9C}, "": {0xB4, 0xB6, 0xB9, 0xBA}}
#: isa-core.md 6: structs whose patterns never take the indirect arm
NEVER_INDIRECT = ("S4D4_PL", "S4D4_CR", "S4D4_GT", "S1D2_SORT", "S3D3_SEQ_BOUNDS", "S3D3_COLLECTIVE",
                  "S3D3_SC", "S2D2D2_SC", "S2S2D2D2_TT", "S2D2D2_TS_WIDE", "S2_CONVLUT")
SOURCE_FIELD = re.compile(r"(\w+)\[(\d+)\]")


def isa_mask(row):
    return sum((row[c] == "1") << i for i, c in enumerate(ISA_COLUMNS))


# ---- opcodes, data types, operators -------------------------------------------------

def compare_with_enum(enum, rows):
    """rows: (name, value, isa mask, where). The table and the enum say the same."""
    left = {m.name: m for m in enum.members}
    for name, value, mask, where in rows:
        member = left.pop(name, None)
        if not member:
            fail(where, f"{name}: enum {enum.name} has no such member")
        if member.value != value:
            fail(where, f"{name}: 0x{value:02X} here, 0x{member.value:02X} in enum {enum.name} "
                        f"({member.where})")
        if member.isa_mask != mask:
            fail(where, f"{name}: other generations than in enum {enum.name} ({member.where})")
    for member in left.values():
        fail(member.where, f"{enum.name},{member.name}: the table has no such row")


def check_counts(rows, wanted, what):
    for column, isa in enumerate(ISA_COLUMNS):
        count = sum(mask >> column & 1 for _, _, mask, _ in rows)
        if count != wanted[column]:
            fail(rows[-1][3], f"{count} {what} on {isa}, the manual counts {wanted[column]}")


def opcodes_match_enum(tables):
    rows = [(o.name, o.value, o.isa_mask, o.where) for o in tables.opcodes]
    compare_with_enum(tables.enums["OPCODE"], rows)
    check_counts(rows, OPCODE_COUNTS, "opcodes")


def dtypes_match_enum(tables):
    rows = [(r["name"], number(r["code"], r["where"]), isa_mask(r), r["where"]) for r in tables.dtypes]
    compare_with_enum(tables.enums["DTYPE"], rows)
    check_counts(rows, DTYPE_COUNTS, "data types")


def alu_ops_match_enum(tables):
    rows = [(r["name"], number(r["value"], r["where"]), isa_mask(r), r["where"])
            for r in tables.alu_ops]
    compare_with_enum(tables.enums["ALU_OP"], rows)
    check_counts(rows, ALU_COUNTS, "ALU operators")


def kernel_censuses_agree(tables):
    """convlut_kernel_info.csv, the census of convlut.md 7.1, is part of the kernel tables; an empty
    address is one that it does not give."""
    known = {(r["generation"], r["library"], r["index"]): r
             for r in read_csv(tables.directory, "kernel-info.csv")}
    for row in read_csv(tables.directory, "convlut_kernel_info.csv"):
        flat = row["library"] == "SUNDA_FLAT"
        key = row["gen"], "EXTISA_0" if flat else row["library"], row["idx"]
        other = known.get(key)
        if not other:
            fail(row["where"], f"kernel-info.csv has no row {' '.join(key)}")
        if row["lib_uid"] != ("-" if flat else row["library"][-1]):
            fail(row["where"], "lib_uid is the number in the library's name, - of the flat table")
        for mine, its in (("opcode", "opcode"), ("spec", "spec"), ("func_va", "func_va"),
                          ("key_hex", "packed_key_le_u32")):
            if row[mine] and row[mine] != other[its]:
                fail(row["where"], f"{mine} is {row[mine]}, {other[its]} in {other['where']}")


def cptc_workers_serve_every_width(tables):
    """Workers 1 to 6 in order; together they serve 1 to 7 bits, each number once (cptc.md 3)."""
    rows, served = list(read_csv(tables.directory, "cptc-workers.csv")), []
    for wanted, row in enumerate(rows, 1):
        worker, first, last, guard = (number(row[c], row["where"])
                                      for c in ("worker", "first_bits", "last_bits", "guard"))
        if worker != wanted or wanted > 6:
            fail(row["where"], "workers run from 1 to 6")
        if guard and not first == guard == last:
            fail(row["where"], "a guard lets through one number of bits, the one that is served")
        served += range(first, last + 1)
    if sorted(served) != list(range(1, 8)) or len(rows) != 6:
        fail(rows[-1]["where"], "six workers together serve 1 to 7 bits, each number once")


def opcode_rows_are_sound(tables):
    mnemonics = {}
    for op in tables.opcodes:
        name = f"0x{op.value:02X},{op.name}"
        for text in {op.mnemonic, op.name.lower()}:
            if mnemonics.setdefault(text, op) is not op:
                fail(op.where, f"{name}: '{text}' is also {mnemonics[text].name}")
        if (op.execution == "host") != (0xC0 <= op.value <= 0xDF) or op.host != (op.execution == "host"):
            fail(op.where, f"{name}: pseudo words are 0xC0..0xDF, engines HOST, exec host")
        if op.never and op.execution != "never":
            fail(op.where, f"{name}: engines NONE needs exec never")
        if op.struct and op.struct in tables.structs:
            if op.execution == "none":
                fail(op.where, f"{name}: exec is none, but {op.struct} has a layout")
        elif op.execution in ("full", "sub", "layout"):
            fail(op.where, f"{name}: exec is {op.execution}, but struct '{op.struct}' has no layout")


def structs_are_used(tables):
    used = {op.struct for op in tables.opcodes} | set(EXTENDED_ARMS.values())
    for struct in tables.word_structs():
        if struct not in used:
            fail(tables.structs[struct][0].where, f"{struct}: no opcode has this struct")


# ---- handlers -----------------------------------------------------------------------

def roster(tables):
    """(generation, engine) -> opcodes that some roster of handlers.csv names as present."""
    found = {(g, e): set() for g in GENERATIONS for e in ENGINES}
    names = {op.value: op.name for op in tables.opcodes}
    for row in tables.handlers:
        values = [number(v, row["where"]) for v in row["opcodes"].split("|") if v]
        if values and [names.get(v) for v in values] != row["isa_names"].split("|"):
            fail(row["where"], f"{row['engine']},{row['handler']}: isa_names do not name its opcodes")
        if row["engine"] not in ENGINES + ("ANY",):
            fail(row["where"], f"{row['handler']}: unknown engine '{row['engine']}'")
        for generation in GENERATIONS:
            if row[generation] not in ("0", "1", "i", "u"):
                fail(row["where"], f"{row['engine']},{row['handler']}: presence "
                                   f"'{row[generation]}' is not 0, 1, i or u")
            if row[generation] != "0" and row["engine"] != "ANY":
                found[generation, row["engine"]].update(values)
    return found


def handlers_match_engines(tables):
    found = roster(tables)
    where = {op.value: op for op in tables.opcodes}
    for generation, column in zip(GENERATIONS, ISA_OF_GENERATION):
        for bit, engine in enumerate(ENGINES):
            legal = {o.value for o in tables.opcodes
                     if o.isa_mask >> column & 1 and o.engines[column] >> bit & 1}
            handled = found[generation, engine]
            for value in sorted(handled - legal):
                op = where[value]
                fail(op.where, f"0x{value:02X},{op.name}: handlers.csv has it on {engine} of "
                               f"{generation}, the engines column has not")
            extra = legal - handled - UNROSTERED.get(engine, set()) - UNROSTERED[""]
            for value in sorted(extra):
                op = where[value]
                fail(op.where, f"0x{value:02X},{op.name}: the engines column has it on {engine} of "
                               f"{generation}, no row of handlers.csv has")
    pool = found["cayman", "POOL"]
    if pool != set(CAYMAN_POOL):
        differ = ", ".join(f"0x{v:02X}" for v in sorted(pool ^ set(CAYMAN_POOL)))
        row = next(r for r in tables.handlers if r["engine"] == "POOL")
        fail(row["where"], f"POOL of cayman differs from the 55 opcodes of sequencer.md 6.2: {differ}")


def named_handlers(tables, engine, generation):
    """Names of an image's roster (sequencer.md 6.4): unnamed slots and multi-word names stand apart."""
    return sum(row["engine"] == engine and row[generation] == "1"
               and row["group"] in ("core18", "shared", "engine-only") for row in tables.handlers)


def generation_counts_agree(tables):
    """The counts that generations.csv states are those of the tables."""
    stated = {row["field"]: row for row in tables.generations}
    counted = {"num_opcodes": lambda g, c: sum(op.isa_mask >> c & 1 for op in tables.opcodes),
               "num_dtypes": lambda g, c: sum(isa_mask(r) >> c & 1 for r in tables.dtypes),
               "num_alu_ops": lambda g, c: sum(isa_mask(r) >> c & 1 for r in tables.alu_ops)}
    for engine in ENGINES:
        counted[f"opcode_handlers_{engine.lower()}"] = (
            lambda g, c, e=engine: named_handlers(tables, e, g) if c in (1, 2) else None)
    for field, count in counted.items():
        row = stated.get(field)
        for generation, column in zip(GENERATIONS, ISA_OF_GENERATION) if row else ():
            found = count(generation, column)
            if found is not None and number(row[generation], row["where"]) != found:
                fail(row["where"], f"{field}: {row[generation]} on {generation}, the tables have {found}")


# ---- rules and constraints ----------------------------------------------------------

def rules_are_unique(tables):
    seen = {}
    for rule in tables.rules:
        if rule.name in seen:
            fail(rule.where, f"{rule.name}: the name is used twice ({seen[rule.name].where})")
        seen[rule.name] = rule


def scopes_name_what_exists(tables):
    opcodes = {op.value for op in tables.opcodes}
    for rule in tables.rules:
        words = rule.scope.split()
        if words[:2] == ["*", "except"]:
            words = words[2:]
        elif words[0] in ("*", "field", "lib", "run"):
            words = words[1:]
        for word in words:
            span = re.fullmatch(r"(0x[0-9A-F]{2})(?:\.\.(0x[0-9A-F]{2}))?", word)
            if not span and word not in tables.structs:
                fail(rule.where, f"{rule.name}: scope '{word}' is no struct, opcode or range")
            if span and not span[2] and int(span[1], 16) not in opcodes:
                fail(rule.where, f"{rule.name}: no opcode has the value {span[1]}")


def named_field(tables, field, name):
    """Is `name` a field of the word, or a nibble of one of its pairs?"""
    base, _, part = name.partition(".")
    fields = {f.name: f for f in (tables.structs[field.struct] if field.struct.startswith("@")
                                  else tables.struct_fields(field.struct))}
    if name in fields:
        return True
    return part in ("lo", "hi") and base in fields and fields[base].base in ("pair", "srcpair")


def check_item(tables, field, item):
    dtype = tables.enums["DTYPE"]
    enum = tables.enums.get(field.enum, dtype)
    if item.nibble and field.base not in ("pair", "srcpair"):
        refuse(field, f"'{item.nibble} {item.text}': only a pair has nibbles")
    if item.kind == "zero" and field.base != "reserved":
        refuse(field, "'zero' is for reserved bytes")
    if item.kind == "values":
        for name in item.names:
            if not enum.by_name(name):
                refuse(field, f"'{name}' is no rule and no member of {enum.name}")
    if item.kind in ("values", "relation") and field.base not in ("f32", "reserved"):
        width = field.bits if field.is_bits else 8 * field.size // field.count
        for value in item.numbers:
            if not -(1 << width - 1) <= value < 1 << width:
                refuse(field, f"{value} does not fit {width} bits")
    if item.kind == "equal" and not named_field(tables, field, item.names[0]):
        refuse(field, f"'{item.text}': {field.struct} has no such field")
    if item.kind == "type":
        name = item.names[0]
        if not (name in ("0", "by_class") or dtype.by_name(name) or named_field(tables, field, name)):
            refuse(field, f"'{item.text}' names no field and no data type")
    if item.kind == "src":
        name = item.names[0]
        if not (tables.enums["IMM_SRC"].by_name(name) or named_field(tables, field, name)):
            refuse(field, f"'{item.text}' names no field and no immediate source")
    if item.kind == "channels" and not (item.names[0].isdigit() and 1 <= int(item.names[0]) <= 128):
        refuse(field, f"'{item.text}' is not 1..128 partitions")
    if item.kind in ("memory", "no indirect") and not field.base.startswith(("pattern", "addr4", "mx1d")):
        refuse(field, f"'{item.text}': the field is no memory pattern")


def constraints_hold_together(tables):
    rules = {rule.name for rule in tables.rules}
    for field in all_fields(tables):
        for item in constraints.parse(field, rules):
            check_item(tables, field, item)
        if field.base == "reserved" and field.constraint != "zero":
            refuse(field, "reserved bytes have the constraint 'zero'")


def indirect_list_agrees(tables):
    """Decision 36: the list of isa-core.md 6, patterns of one dimension (which have no room for the
    arm), and the destination of S4D4_IC, whose source is the indirect side; no other pattern."""
    for field in all_fields(tables):
        if not field.base.startswith("pattern") or field.struct.startswith(("@", "PSEUDO_")):
            continue  # host words are lowered before anything looks at their patterns
        never = (field.struct in NEVER_INDIRECT or field.base == "pattern1d"
                 or (field.struct, field.name) == ("S4D4_IC", "dst_mem_pattern"))
        said = "no indirect" in field.constraint.split("; ")
        if never and not said:
            refuse(field, "the pattern never takes the indirect arm; 'no indirect' is missing")
        if said and not never:
            refuse(field, "isa-core.md 6 allows the indirect arm here from v4")


# ---- the sources of the PE and DMA rows ---------------------------------------------

def source_offset(tables, struct, name, column):
    """Offset of the field that a source row calls `name`: a number, None where the instruction set
    lacks it, -1 where no struct has it. `name[k]` is element k, or an array of k elements."""
    element = SOURCE_FIELD.fullmatch(name)
    plain = (name, f"{element[1]}_{element[2]}") if element else (name,)
    for place in EXTENDED_ARMS.values() if struct == "EXTENDED" else [struct]:
        fields = tables.struct_fields(place)
        found = [f for f in fields if f.name in plain or f.name.startswith(name + ".")]
        if found:
            return next((f.offsets[column] for f in found if f.offsets[column] is not None), None)
        array = next((f for f in fields if element and f.name == element[1]), None)
        if array and array.offsets[column] is not None:
            index = int(element[2]) % array.count
            return array.offsets[column] + index * (array.size // array.count)
    return -1


def sources_agree(tables):
    """pe_struct_fields.csv and dge_words.csv give the offsets of struct-fields.csv."""
    for row in tables.pe_fields + tables.dge_words:
        name = row["field"]
        if name in ("header", "events") or name.startswith("reserved") or "/" in name:
            continue
        for column, isa in enumerate(ISA_COLUMNS):
            found = source_offset(tables, row["struct"], name, column)
            if "offset" in row and (row[isa] != "1" or found is None):
                continue  # the columns of dge_words.csv are those of the opcode
            text = row["offset"] if "offset" in row else row[isa]
            said = int(text) if text.isdigit() else None
            if found != said:
                fail(row["where"], f"{row['struct']},{name}: offset {said} on {isa}, "
                                   f"struct-fields.csv has {'no such field' if found == -1 else found}")


PROOFS = (kernel_censuses_agree, cptc_workers_serve_every_width, opcodes_match_enum,
          dtypes_match_enum, alu_ops_match_enum, opcode_rows_are_sound, structs_are_used,
          handlers_match_engines, generation_counts_agree, rules_are_unique,
          scopes_name_what_exists, constraints_hold_together, indirect_list_agrees, sources_agree)
