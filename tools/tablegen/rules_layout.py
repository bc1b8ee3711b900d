# SPDX-License-Identifier: Apache-2.0
"""One struct on one instruction set, as the rules read it: C text for fields, patterns, addresses.

What is read is kept in a C local, declared once; emit_rules.py writes those that a function needs.
"""
from rules_facts import PATTERN_DIMS
from rules_values import Number, constant

NO_PLACE = 0xFFFF  # partition of an address in no region, start of an unknown group
ENUM_OF_TYPE = {"pair": "DTYPE", "srcpair": "IMM_SRC", "addr8": "ADDR8_MARKER"}
C_SIGNED = {"i8": 8, "i16": 16, "i32": 32}
BITS_OF = {"u8": 8, "u16": 16, "u32": 32, "u64": 64, "reg": 8, "enum": 8, "char": 8, "pair": 8,
           "srcpair": 8, "boundreg": 8, "imm4": 32, "addr4": 32, "addr8": 64, "imm8": 64,
           "f32": 32, "addrun8": 64}


class Refuse(Exception):
    """Something in an expression has no meaning here; the text says what."""


class Pattern:
    """A memory pattern of the word: C names of what was decoded, and where its bytes stand."""

    def __init__(self, field, ident, local, base, offset):
        self.field, self.ident, self.local, self.base, self.offset = (field, ident, local, base,
                                                                      offset)
        self.dims = PATTERN_DIMS[field.base]
        self.addr_known = f"{ident}.at.known"
        self.shape_known = f"{ident}.shape_known"

    def bytes(self, offset):
        return f"{self.base} + {self.offset + offset}"


class Layout:
    """One struct on one instruction set: its fields, and the C locals that hold what was read."""

    def __init__(self, facts, struct, isa, opcodes, sets):
        self.facts, self.struct, self.isa, self.opcodes, self.sets = (facts, struct, isa, opcodes,
                                                                      sets)
        self.fields = {f.name: f for f in facts.fields(struct, isa)}
        self.locals = {}  # C name -> declaration

    def local(self, name, declaration):
        self.locals.setdefault(name, declaration)
        return name

    def load(self, field, index=None):
        """C expression of a field, or of one element of an array, as stored."""
        size = field.size // field.count
        offset = field.offsets[self.isa] + (index or 0) * size
        text = f"trn_get{8 * size}(w + {offset})"
        if field.is_bits:
            return f"trn_bits_get({text}, {field.bit_lo}, {field.bits})"
        if field.base in C_SIGNED:
            return f"(int{8 * size}_t){text}"
        return text

    def value(self, field, index=None):
        """The Number of a field; the load is kept in a local."""
        suffix = "" if index is None else f"_{index}"
        name = f"f_{field.c_name}{suffix}"
        bits = field.bits if field.is_bits else BITS_OF.get(field.base, C_SIGNED.get(field.base))
        if bits is None or (index is None) != (field.count == 1):
            raise Refuse(f"'{field.name}' is not a number")
        signed = field.base in C_SIGNED
        kind = "int32_t" if signed else "uint64_t" if bits > 32 else "uint32_t"
        self.local(name, f"const {kind} {name} = ({kind}){self.load(field, index)};")
        low = -(1 << bits - 1) if signed else 0
        high = (1 << bits - 1) - 1 if signed else (1 << bits) - 1
        if field.base == "f32":
            return Number(f"trn_bits_f32({name})", 0, 0, unit="float")
        return Number(name, low, high, enum=field.enum or ENUM_OF_TYPE.get(field.base, ""))

    def pattern(self, field):
        ident = "p_" + field.c_name.removesuffix("_mem_pattern")
        offset = field.offsets[self.isa]
        arms = "RULE_NO_ARM" if field.base == "pattern1d" else "RULE_ARMS"
        if self.facts.is_pe(self.struct) and self.facts.members("ADDR4_MARKER", self.isa).get(1) \
                and field.base in ("pattern3d", "pattern4d") and field.name.startswith("src"):
            arms = "RULE_MX_ARMS"
        self.local(ident, f"const struct rule_pattern {ident} = "
                          f"trn_rule_pattern(c->gen, w + {offset}, {arms});")
        return Pattern(field, ident, ident, "w", offset)

    def version(self):
        return constant(self.isa + 2)

    def type_code(self, field):
        """The type of a pattern where the layout already knows it; None: its type= says."""

    def place(self, field):
        """The on-chip address in a plain ADDR4 field."""
        ident = "a_" + field.c_name
        self.local(ident, f"const struct rule_place {ident} = "
                          f"rule_addr4(c->gen, w + {field.offsets[self.isa]});")
        return ident


class PatternLayout(Layout):
    """A pattern as the argument of a C function: what its checks need comes in `p`, its bytes in
    `b`, its type in `type`, so that patterns of all layouts and instruction sets share the
    function."""

    def version(self):
        return Number("c->gen->isa_version", 2, 5)

    def pattern(self, field):
        return Pattern(field, "(*p)", "p", "b", 0)

    def type_code(self, field):
        return Number("type", 0, 255, enum="DTYPE")


def zero_test(first, last, base="w"):
    """C condition: bytes first..last of the word are 0, in as few loads as fit."""
    loads, at = [], first
    while at <= last:
        size = next(s for s in (8, 4, 2, 1) if at + s <= last + 1)
        loads.append(f"trn_get{8 * size}({base} + {at})")
        at += size
    return f"(({' | '.join(loads)}) == 0)" if len(loads) > 1 else f"({loads[0]} == 0)"


def memory_of(facts, field, isa):
    """The memory item of a pattern on one instruction set, e.g. "SBUF|PSUM read"; None without."""
    plain = special = None
    for item in facts.field_items(field):
        if item.kind == "memory":
            if item.text.startswith("v"):
                version, _, rest = item.text.partition(" ")
                special = rest if int(version[1:]) == isa + 2 else special
            else:
                plain = item.text
    return special or plain


def text_of(node):
    return getattr(node, "text", None) or getattr(node, "name", None) or type(node).__name__.lower()
