# SPDX-License-Identifier: Apache-2.0
"""Proofs about the device-side tables: registers, apertures, notifications, interrupts."""
import re

import emit_act
import emit_act_recipes
from model import GENERATIONS, fail, number
from registers import RANGE

#: address-map.md 6.3: bundles and registers of the two blocks whose lists are closed
CLOSED_BLOCKS = {("tpb", "sunda"): (8, 136), ("tpb", "cayman"): (9, 146),
                 ("xt_local", "cayman"): (7, 55), ("xt_local", "mariana"): (11, 59),
                 ("xt_local", "mariana_plus"): (11, 59), ("xt_local", "maverick"): (11, 59)}
#: notific-routing.csv names its blocks as the sheets do
ROUTING_BLOCKS = {"tpb": "tpb", "top_sp_ram": "top_sp_ram", "tpb_xt_local_reg": "xt_local"}
RECORD_CODES = 25  # notification-records.md 3


def refuse(row, text):
    fail(row.where, f"{row.block}.{row.name}: {text}")


def of_generation(rows, index):
    return [row for row in rows if row.gen_mask >> index & 1]


# ---- registers ----------------------------------------------------------------------

def register_bits_are_sound(tables):
    for register in tables.registers:
        owner = {}
        for field in register.fields:
            for bit in range(field.low, field.low + field.bits):
                if bit in owner:
                    refuse(register, f"bit {bit} is in {owner[bit]} and {field.name}")
                owner[bit] = field.name
            if field.reset is not None and field.reset >> field.bits:
                refuse(register, f"reset {field.reset} of {field.name} does not fit {field.bits} bits")
        said = [f for f in register.fields if f.reset is not None]
        value = sum(f.reset << f.low for f in said)
        if said and register.reset is not None and value != register.reset:
            refuse(register, f"its fields reset to 0x{value:X}, the register to 0x{register.reset:X}")
        if register.reset is not None and register.reset >> register.width:
            refuse(register, f"reset 0x{register.reset:X} does not fit {register.width} bits")


def registers_do_not_collide(tables):
    for index, generation in enumerate(GENERATIONS):
        places, names = {}, {}
        for register in of_generation(tables.registers, index):
            key = (register.block, register.name)
            if key in names:
                refuse(register, f"the name is taken on {generation} ({names[key].where})")
            names[key] = register
            for offset in register.places() if register.offset is not None else ():
                other = places.setdefault((register.block, offset), register)
                if other is not register:
                    refuse(register, f"offset 0x{offset:X} holds {other.name} ({other.where}) on "
                                     f"{generation}")
                if offset % (register.width // 8):
                    refuse(register, f"offset 0x{offset:X} is not aligned to {register.width} bits")


def closed_blocks_have_all_registers(tables):
    for (block, generation), wanted in CLOSED_BLOCKS.items():
        rows = [r for r in of_generation(tables.registers, GENERATIONS.index(generation))
                if r.block == block]
        bundles = {r.name.split(".")[0].split("[")[0] for r in rows}
        registers = {re.sub(r"\[\d+\]", "", r.name) for r in rows}
        found = (len(bundles), len(registers))
        if found != wanted:
            refuse(rows[-1], f"{block} of {generation} has {found[0]} bundles and {found[1]} registers, "
                             f"address-map.md 6.3 counts {wanted[0]} and {wanted[1]}")


# ---- apertures ----------------------------------------------------------------------

def apertures_nest(tables):
    """Two apertures of a scope are disjoint or one holds the other, so `smallest` is well defined."""
    for index, generation in enumerate(GENERATIONS):
        rows = of_generation(tables.apertures, index)
        names = {}
        for row in rows:
            if row.size <= 0 or row.count < 1 or (row.count > 1 and row.stride < row.size):
                fail(row.where, f"{row.name}: size, count and stride do not describe copies")
            if names.setdefault((row.scope, row.name), row) is not row:
                fail(row.where, f"{row.name}: the name is taken in {row.scope} on {generation}")
        for scope in {row.scope for row in rows}:
            check_nesting([row for row in rows if row.scope == scope], generation)


def check_nesting(rows, generation):
    spans = sorted(((row.offset + k * row.stride, row) for row in rows for k in range(row.count)),
                   key=lambda s: (s[0], -s[1].size))
    open_spans = []
    for start, row in spans:
        while open_spans and open_spans[-1][0] + open_spans[-1][1].size <= start:
            open_spans.pop()
        if open_spans:
            outer_start, outer = open_spans[-1]
            if start + row.size > outer_start + outer.size or (start, row.size) == (outer_start, outer.size):
                fail(row.where, f"{row.name} crosses {outer.name} ({outer.where}) on {generation}")
        open_spans.append((start, row))


# ---- notifications and interrupts ---------------------------------------------------

def notific_bits(text, where):
    text = text.replace("NUM_SW_Q-1", "9")
    match = re.fullmatch(r"(\d+)(?::(\d+))?", text)
    if not match:
        fail(where, f"bits '{text}' are not hi:lo or one bit")
    high = int(match[1])
    low = int(match[2] if match[2] else match[1])
    return low, high - low + 1


def notific_registers_agree(tables):
    """notific-registers.csv and the block notific of registers.csv are one description."""
    known = {}
    for register in tables.registers:
        if register.block == "notific":
            known[RANGE.sub("[i]", register.name)] = register
    left = dict(known)
    for row in tables.notific_registers:
        register = known.get(row["register"])
        if not register:
            fail(row["where"], f"{row['register']}: registers.csv has no such register in notific")
        left.pop(row["register"], None)
        base = number(row["offset"].partition("+")[0], row["where"])
        low, bits = notific_bits(row["bits"], row["where"])
        if register.offset != base or (register.access, low, bits) not in (
                (row["reg_access"], f.low, f.bits) for f in register.fields if f.name == row["field"]):
            fail(row["where"], f"{row['register']}.{row['field']}: offset, access or bits differ from "
                               f"registers.csv ({register.where})")
    for register in left.values():
        refuse(register, "notific-registers.csv has no such register")


def routing_names_registers(tables):
    for row in tables.notific_routing:
        block, place, name = row["register"].split(" ")
        low, bits = notific_bits(row["bits"], row["where"])
        found = [r for r in tables.registers if r.block == ROUTING_BLOCKS.get(block)
                 and r.name.rpartition(".")[2] == name]
        if not found:
            fail(row["where"], f"{row['register']}: registers.csv has no such register")
        if found[0].offset != number(place, row["where"]):
            fail(row["where"], f"{row['register']}: registers.csv places it at 0x{found[0].offset:X} "
                               f"({found[0].where})")
        owned = {b for f in found[0].fields for b in range(f.low, f.low + f.bits)}
        if not set(range(low, low + bits)) <= owned:
            fail(row["where"], f"{row['register']}: bits {row['bits']} lie in no field of "
                               f"{found[0].where}")


def unique_codes(rows, key, name, limit):
    seen = {}
    for row in rows:
        value = number(row[key], row["where"])
        if not 0 <= value < limit:
            fail(row["where"], f"{row[name]}: {row[key]} is not below {limit}")
        if value in seen:
            fail(row["where"], f"{row[name]}: {row[key]} is {seen[value][name]} ({seen[value]['where']})")
        seen[value] = row


def record_types_are_sound(tables):
    rows = tables.notification_types
    unique_codes(rows, "value", "name", 32)
    if len(rows) != RECORD_CODES:
        fail(rows[-1]["where"], f"{len(rows)} record types, notification-records.md 3 counts "
                                f"{RECORD_CODES}")
    unique_codes(tables.notific_wr_buffers, "bit", "class", 64)


def record_codes(tables, row):
    """Codes of the record types that a row of record-fields.csv speaks of: a name, `*_SUFFIX` or `*`."""
    name = row["record"]
    codes = [number(t["value"], t["where"]) for t in tables.notification_types
             if name in ("*", t["name"]) or (name[0] == "*" and t["name"].endswith(name[1:]))]
    if not codes:
        fail(row["where"], f"{name},{row['field']}: no record type is called that")
    return codes


def record_fields_do_not_overlap(tables):
    """The fields of one form of a record lie apart, and apart from the frame every record has."""
    owner = {}
    for row in tables.record_fields:
        low, bits = number(row["bit_lo"], row["where"]), number(row["bits"], row["where"])
        name = f"{row['record']},{row['field']}"
        if bits < 1 or low + bits > 128:
            fail(row["where"], f"{name}: bits {low}..{low + bits - 1} leave the record")
        for code in record_codes(tables, row):
            for bit in range(low, low + bits):
                for key in ((code, row["form"], bit), (code, None, bit)):
                    if key in owner:
                        fail(row["where"], f"{name}: bit {bit} belongs to {owner[key]}")
                owner[code, row["form"] if row["record"] != "*" else None, bit] = name


def triggers_are_sound(tables):
    unique_codes(tables.triggers, "trigger", "name", 256)
    for row in tables.triggers:
        trigger, unit, group, bit = (number(row[k], row["where"])
                                     for k in ("trigger", "unit", "group", "bit"))
        if trigger != unit * 128 + group * 32 + bit or not (group < 4 and bit < 32):
            fail(row["where"], f"{row['name']}: trigger {trigger} is not unit {unit} group {group} "
                               f"bit {bit}")


def dma_causes_are_sound(tables):
    seen = {}
    for row in tables.dma_causes:
        bit = number(row["bit"], row["where"])
        if number(row["mask"], row["where"]) != 1 << bit:
            fail(row["where"], f"{row['cause']}: mask {row['mask']} is not bit {bit}")
        key = (row["secondary_group"], bit)
        if key in seen:
            fail(row["where"], f"{row['cause']}: bit {bit} of group {key[0]} is taken ({seen[key]})")
        seen[key] = row["where"]


def profile_fields_tile(tables):
    """The PROFILE entry of the activation engine: fields in order; what lies between is reserved."""
    end = 0
    for row in tables.act_profile_fields:
        low, high, width = (number(row[k], row["where"]) for k in ("bit_lo", "bit_hi", "width"))
        if high - low + 1 != width:
            fail(row["where"], f"{row['field']}: bits {low}..{high} are not {width} bits")
        if low < end:
            fail(row["where"], f"{row['field']}: bit {low} belongs to an earlier field")
        end = high + 1
    if end != 1024:
        fail(tables.act_profile_fields[-1]["where"], f"the entry ends at bit {end}, not at 1024")


def activation_entries_are_sound(tables):
    """Entries of the activation tables: fields fit and do not overlap, in both layouts."""
    emit_act.prove(tables)
    emit_act_recipes.prove(tables)


def crosswalk_names_what_exists(tables):
    """The numbers of a crosswalk row are opcodes, ALU operators or data types, by its kind."""
    opcodes = {op.value for op in tables.opcodes}
    known = {"api": opcodes, "actfunc": opcodes, "enum": set(),
             "aluop": opcodes | {m.value for m in tables.enums["ALU_OP"].members},
             "dtype": {m.value for m in tables.enums["DTYPE"].members}}
    structs = set(tables.structs) | {op.struct for op in tables.opcodes}
    for row in tables.crosswalk:
        if row["kind"] not in known:
            fail(row["where"], f"{row['name']}: kind '{row['kind']}' is not one of {', '.join(known)}")
        for text in re.findall(r"0x[0-9A-Fa-f]{2}\b", row["opcodes"]):
            if int(text, 16) not in known[row["kind"]]:
                fail(row["where"], f"{row['name']}: {text} is the number of nothing of kind "
                                   f"{row['kind']}")
        for text in re.findall(r"\b(?:S\d\w*|D\d\w*|CTRL_\w+|DMA_\w+)\b", row["structs"]):
            if text not in structs:
                fail(row["where"], f"{row['name']}: there is no struct {text}")


def errors_are_sound(tables):
    by_group = {}
    for row in tables.errors:
        by_group.setdefault(row["group"], []).append(row)
    for rows in by_group.values():
        unique_codes(rows, "value", "name", 1 << 16)


PROOFS = (register_bits_are_sound, registers_do_not_collide, closed_blocks_have_all_registers,
          apertures_nest, notific_registers_agree, routing_names_registers, record_types_are_sound,
          record_fields_do_not_overlap,
          triggers_are_sound, dma_causes_are_sound, profile_fields_tile, activation_entries_are_sound,
          crosswalk_names_what_exists,
          errors_are_sound)
