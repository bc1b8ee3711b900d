# SPDX-License-Identifier: Apache-2.0
"""The tables as the rules need them: sets of codes per instruction set, layouts, scopes, trees."""
import re

import constraints
import rules_parse
import rules_scope
from model import (ENGINES, EXTENDED_ARMS, ISA_COLUMNS, ISA_OF_GENERATION, fail,
                   number)

ISAS = range(len(ISA_COLUMNS))
PATTERN_DIMS = {"pattern1d": 1, "pattern2d": 2, "pattern3d": 3, "pattern4d": 4, "mx1d": 1}
#: row and column groups of the PE array: pe-array.md 2.1
GROUP_START = {0xF: 0, 0x3: 0, 0xC: 64, 0x1: 0, 0x2: 32, 0x4: 64, 0x8: 96}
GROUP_SIZE = {0xF: 128, 0x3: 64, 0xC: 64, 0x1: 32, 0x2: 32, 0x4: 32, 0x8: 32}
GROUP_XBUS = {0xF: 0x10, 0x3: 0x01, 0xC: 0x04, 0x1: 0x01, 0x2: 0x02, 0x4: 0x04}


class Facts:
    def __init__(self, tables):
        self.tables = tables
        self.rules = {rule.name: rule for rule in tables.rules}
        self.trees = {r.name: rules_parse.parse(r.expression, r.where) for r in tables.rules}
        self.scopes = {r.name: rules_scope.parse(r, tables.structs) for r in tables.rules}
        self.opcodes = {op.value: op for op in tables.opcodes}
        fields = {f.name for fs in tables.structs.values() for f in fs}
        #: names of fields, of patterns also without their suffix
        self.field_names = fields | {f.removesuffix("_mem_pattern") for f in fields}
        self.items = {}  # (struct, field) -> constraint items
        for struct, fields in tables.structs.items():
            for field in fields:
                self.items[struct, field.name] = constraints.parse(field, self.rules)

    # ---- codes ---------------------------------------------------------------------

    def members(self, enum, isa):
        return {m.value: m.name for m in self.tables.enums[enum].members if m.isa_mask >> isa & 1}

    def member_value(self, enum, name):
        member = self.tables.enums[enum].by_name(name)
        return None if member is None else member.value

    def dtype_bits(self):
        return {number(d["code"], d["where"]): int(d["bits"]) for d in self.tables.dtypes}

    def dtype_align(self):
        return {number(d["code"], d["where"]): int(d["align_bytes"] or 1)
                for d in self.tables.dtypes}

    def dtype_class(self, name):
        """Codes that are integers, floats or signed: scale and transport codes are neither."""
        chosen = set()
        for d in self.tables.dtypes:
            is_float = bool(d["exp_bits"]) and d["sign"] in ("s", "u")
            is_int = not d["exp_bits"] and d["sign"] in ("s", "u")
            signed = d["sign"] == "s"
            if {"is_int": is_int, "is_float": is_float, "is_signed": signed}[name]:
                chosen.add(number(d["code"], d["where"]))
        return chosen

    def operators(self, column, isa):
        return {number(o["value"], o["where"]) for o in self.tables.alu_ops
                if o[ISA_COLUMNS[isa]] == "1" and o[column] == "1"}

    def operators_of_sign(self, sign, isa):
        """Integer operators by the signedness their class asks for: "s", "u" or "" (alike)."""
        chosen = set()
        for o in self.tables.alu_ops:
            text = o["class"]
            kind = "s" if "int(s)" in text else "u" if "int(u)" in text else \
                "" if "int" in text else None
            if o[ISA_COLUMNS[isa]] == "1" and kind == sign:
                chosen.add(number(o["value"], o["where"]))
        return chosen

    def opcode_has(self, opcode, part):
        return part in self.opcodes[opcode].name

    def sbuf_bases(self, isa):
        """SoC address of the SBUF of every core of the generations of an instruction set."""
        bases = set()
        for index in (g for g, own in enumerate(ISA_OF_GENERATION) if own == isa):
            for row in self.tables.apertures:
                if row.gen_mask >> index & 1 and row.scope == "bar0" and row.soc is not None \
                        and re.fullmatch(r"TPB(_\d+)?", row.name):
                    bases |= {row.soc + copy * row.stride for copy in range(row.count)}
        return sorted(bases)

    # ---- layouts -------------------------------------------------------------------

    def has_layout(self, struct, isa):
        return any(f.offsets[isa] is not None for f in self.tables.structs.get(struct, ()))

    def struct_of(self, opcode, isa):
        """Layout of a word with that opcode, the general form of 0xF0; "" when it has none."""
        row = self.opcodes.get(opcode)
        return row.struct if row and self.has_layout(row.struct, isa) else ""

    def declared(self, isa):
        """Opcodes that the instruction set defines."""
        return set(self.members("OPCODE", isa))

    def layouts(self, isa):
        """struct -> the opcodes that use it; "" holds those without a layout."""
        layouts = {"": set()}
        for opcode in self.declared(isa):
            layouts.setdefault(self.struct_of(opcode, isa), set()).add(opcode)
        for arm in EXTENDED_ARMS.values():
            if "EXTENDED" in layouts and self.has_layout(arm, isa):
                layouts[arm] = layouts["EXTENDED"]
        return {struct: frozenset(opcodes) for struct, opcodes in layouts.items()}

    def fields(self, struct, isa):
        """Fields of a word of that layout in file order, common ones first."""
        rows = self.tables.struct_fields(struct) if struct else self.tables.structs["COMMON"]
        return [f for f in rows if f.offsets[isa] is not None]

    def is_pe(self, struct):
        """Words of the PE array only: a type that is 0 or absent there means FP32."""
        return any(op.struct == struct and set(op.engines) == {1 << ENGINES.index("PE")}
                   for op in self.opcodes.values())

    def field_items(self, field):
        return self.items[field.struct, field.name]

    def item(self, field, kind, nibble=""):
        return next((i for i in self.field_items(field) if i.kind == kind and i.nibble == nibble),
                    None)

    def holds(self, rule, isa):
        return self.rules[rule].isa_mask >> isa & 1

    def part_offset(self, composite, part):
        """Byte offset of a part inside a composite type."""
        for field in self.tables.structs["@" + composite]:
            if field.name == part:
                return next(o for o in field.offsets if o is not None)
        fail(self.tables.structs["@" + composite][0].where, f"@{composite} has no part '{part}'")
