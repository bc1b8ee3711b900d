# SPDX-License-Identifier: Apache-2.0
"""Compiles one rule for one layout, instruction set and set of opcodes into a C condition.

Names are resolved in this order: words of the notation (README, section 4), fields, patterns
without their `_mem_pattern`, rules, enum members. What the layout decides (`struct`, `nc`,
`present`, an opcode that is the only one) is decided here; a part that cannot be reached is not
compiled, so a rule may name fields that only some of its layouts have.
"""
import rules_parse as tree
from model import ENGINES, fail
from rules_facts import PATTERN_DIMS
from rules_layout import ENUM_OF_TYPE, NO_PLACE, Refuse, text_of
from rules_notation import NAMED_NUMBERS, NUMBERS, TRUTHS
from rules_values import (FALSE, TRUE, Number, Truth, arithmetic, c_integer, constant, decided,
                          relation, test)

#: functions of src/isa/rule_helpers.h that a rule may call by a bare name
HELPERS = ("mv_list_ok", "mem2d_list_ok", "mem2d_region_ok", "es_list_ok", "lpa_slots_ok",
           "ac2_quadrants_ok", "dma_totals_ok", "mx_v2_data_ok", "mx_v2_scales_ok")
ARGUMENT_ENUMS = ("DTYPE", "ALU_OP")


class Rule:
    """Compiles expressions in one layout; `field` is the value of a rule with scope `field`."""

    def __init__(self, layout, where, opcodes, field=None, nibble=""):
        self.layout, self.where, self.opcodes = layout, where, opcodes
        self.facts, self.isa = layout.facts, layout.isa
        self.field, self.nibble = field, nibble
        self.given = None     # a number that is the value instead of the field
        self.memory = None    # constraint item with the memory and direction of the pattern
        self.fp32r_ok = False

    def truth_of(self, node):
        """Entry: the node as a Truth; refuses the row with its place."""
        try:
            return self.truth(node)
        except (Refuse, ValueError) as error:
            struct = self.layout.struct or "a word without layout"
            fail(self.where, f"{error} (in {struct}, v{self.isa + 2})")

    # ---- names ---------------------------------------------------------------------

    def find_field(self, name):
        """(field, nibble) of a sheet name, None when the layout has no such field."""
        fields = self.layout.fields
        if name in fields:
            return fields[name], ""
        base, _, part = name.rpartition(".")
        if part in ("lo", "hi") and base in fields and fields[base].base in ("pair", "srcpair"):
            return fields[base], part
        if name == "channels" and "num_active_channels" in fields:
            return fields["num_active_channels"], ""
        return None

    def need_field(self, name):
        found = self.find_field(name)
        if not found:
            raise Refuse(f"'{name}' is not known here")
        return found

    def find_pattern(self, name):
        if name == "value":
            field = self.field
        else:
            field = self.layout.fields.get(name) or self.layout.fields.get(name + "_mem_pattern")
        return self.layout.pattern(field) if field and field.base in PATTERN_DIMS else None

    def operand_pattern(self, node):
        pattern = self.find_pattern(node.text) if isinstance(node, tree.Name) else None
        if not pattern:
            raise Refuse(f"a pattern is expected, not '{text_of(node)}'")
        return pattern

    def channels(self):
        item = self.field and self.facts.item(self.field, "channels")
        if item:
            return constant(int(item.names[0]))
        return self.layout.value(self.need_field("channels")[0])

    def nibble_of(self, number, nibble, enum):
        text = f"({number.c} & 15u)" if nibble == "lo" else f"({number.c} >> 4)"
        return Number(text, 0, 15, enum=enum)

    def field_number(self, field, nibble=""):
        number = self.layout.value(field)
        if nibble:
            return self.nibble_of(number, nibble, ENUM_OF_TYPE[field.base])
        if field.base == "imm4" and self.type_item(field) == "FP32":
            return Number(f"trn_bits_f32({number.c})", 0, 0, unit="float")
        return number

    def type_item(self, field):
        item = self.facts.item(field, "type")
        return item.names[0] if item else None

    def member(self, name, enum):
        """An enum member's value where `enum` is expected; DTYPE and ALU_OP in argument places."""
        for candidate in (enum,) if enum else ARGUMENT_ENUMS:
            value = self.facts.member_value(candidate, name)
            if value is not None:
                return constant(value, candidate)
        return None

    # ---- numbers -------------------------------------------------------------------

    def number(self, node, enum=""):
        if isinstance(node, tree.Number):
            if isinstance(node.value, float):
                return Number(f"{node.value!r}f", 0, 0, unit="float")
            return constant(node.value)
        if isinstance(node, tree.Name):
            return self.number_name(node.text, enum)
        if isinstance(node, tree.Index):
            return self.number_index(node)
        if isinstance(node, tree.Arith):
            return arithmetic(node.op, self.number(node.left), self.number(node.right))
        if isinstance(node, tree.Choice):
            return self.number_choice(node, enum)
        if isinstance(node, tree.Call):
            function = NUMBERS.get(node.name)
            if function:
                return function(self, *node.args)
        raise Refuse(f"a number is expected, not '{text_of(node)}'")

    def number_choice(self, node, enum):
        condition = self.truth(node.condition)
        if not condition.decided:
            raise Refuse("a choice of numbers needs a condition that the word decides")
        if isinstance(condition.maybe, bool):
            return self.number(node.then if condition.maybe else node.otherwise, enum)
        a, b = self.number(node.then, enum), self.number(node.otherwise, enum)
        return Number(f"({condition.maybe} ? {a.c} : {b.c})", min(a.low, b.low),
                      max(a.high, b.high), a.unit, a.enum or b.enum, a.needs | b.needs)

    def number_name(self, name, enum):
        special = NAMED_NUMBERS.get(name)
        if special:
            return special(self)
        if name == "value":
            return self.given or self.field_number(self.field, self.nibble)
        found = self.find_field(name)
        if found:
            return self.field_number(*found)
        base, _, part = name.rpartition(".")
        if part == "scale_pidx" and self.find_pattern(base):
            return self.scale_pidx(self.find_pattern(base))
        member = self.member(name, enum)
        if member is None:
            raise Refuse(f"'{name}' is not known here")
        return member

    def number_index(self, node):
        name = node.base.text if isinstance(node.base, tree.Name) else ""
        base, _, part = name.rpartition(".")
        pattern = self.find_pattern(base) if part in ("num", "step") else None
        if pattern:
            return self.count(pattern, node.number, part)
        field, _ = self.need_field(name)
        if node.number >= field.count:
            raise Refuse(f"'{name}' has {field.count} elements")
        return self.layout.value(field, node.number)

    def count(self, pattern, index, part="num"):
        """Count or step of one dimension."""
        if index >= pattern.dims:
            raise Refuse(f"the pattern has {pattern.dims} dimensions")
        base = pattern.field.base
        at = pattern.bytes(self.facts.part_offset(base, f"{part}_elem") + 2 * index)
        name = f"{pattern.local}_{part}{index}"
        if base == "mx1d" and part == "step":
            text, kind, low, high = f"(int8_t)trn_get8({at})", "int32_t", -128, 127
        elif part == "step":
            text = f"(int16_t)trn_get16({at})"
            kind, low, high = "int32_t", -32768, 32767
        else:
            text = f"trn_get16({at})"
            kind, low, high = "uint32_t", 0, 65535
        self.layout.local(name, f"const {kind} {name} = {text};")
        return Number(name, low, high, needs=frozenset({pattern.shape_known}))

    def product(self, pattern):
        counts = [self.count(pattern, i) for i in range(pattern.dims)]
        text = " * ".join(["(uint64_t)" + counts[0].c] + [c.c for c in counts[1:]])
        name = f"{pattern.local}_prod"
        self.layout.local(name, f"const uint64_t {name} = {text};")
        return Number(name, 0, 65535 ** pattern.dims, needs=frozenset({pattern.shape_known}))

    def scale_pidx(self, pattern):
        plain = pattern.bytes(self.facts.part_offset("mx1d", "scale_pidx"))
        indirect = pattern.bytes(self.facts.part_offset("mxindirect", "scale_pidx"))
        return Number(f"trn_get8({pattern.ident}.indirect ? {indirect} : {plain})", 0, 255)

    def scale_place(self, pattern):
        plain = pattern.bytes(self.facts.part_offset("mx1d", "scale_addr"))
        indirect = pattern.bytes(self.facts.part_offset("mxindirect", "scale_addr"))
        name = f"{pattern.local}_scale"
        return self.layout.local(
            name, f"const struct rule_place {name} = rule_addr4(c->gen, {pattern.ident}.indirect "
                  f"? {indirect} : {plain});")

    def place(self, node):
        """(C struct rule_place, flags) of what a node points at: a pattern, address or pointer."""
        name = node.text if isinstance(node, tree.Name) else None
        if name is None:
            raise Refuse(f"an address is expected, not '{text_of(node)}'")
        pattern = self.find_pattern(name)
        if pattern:
            return f"{pattern.ident}.at", frozenset({pattern.addr_known})
        base, _, part = name.rpartition(".")
        if part == "scale_addr" and self.find_pattern(base):
            place = self.scale_place(self.find_pattern(base))
            return place, frozenset({f"{place}.known"})
        field = self.field if name == "value" else self.need_field(name)[0]
        if field.base == "addr4":
            place = self.layout.place(field)
            return place, frozenset({f"{place}.known"})
        if field.base == "imm4":
            return f"rule_place(c->gen, {self.layout.value(field).c})", frozenset()
        raise Refuse(f"'{name}' is not an address")

    def raw_word(self, node):
        """The 32 bits at a node that holds an ADDR4 or an immediate."""
        pattern = self.find_pattern(node.text) if isinstance(node, tree.Name) else None
        if pattern:
            return f"{pattern.ident}.word"
        field = self.field if node.text == "value" else self.need_field(node.text)[0]
        if field.base not in ("addr4", "imm4", "f32", "u32"):
            raise Refuse(f"'{node.text}' has not 32 bits")
        name = f"f_{field.c_name}"
        self.layout.value(field)
        return name

    def reg_ok(self, node):
        """Register form of an ADDR4, which has marker bits, or of an immediate, which has none."""
        field = self.field if node.text == "value" else self.find_field(node.text)
        kind = "immediate" if isinstance(field, tuple) and field[0].base == "imm4" \
            or getattr(field, "base", "") == "imm4" else "addr4"
        return decided(f"rule_{kind}_reg_ok({self.raw_word(node)})")

    def type_code(self, field):
        """Number of the data type of a pattern or immediate (constraint item `type=`)."""
        known = self.layout.type_code(field)
        if known:
            return known
        name = self.type_item(field)
        if name is None:
            raise Refuse(f"'{field.name}' has no type= in its constraint")
        if name == "by_class":
            return self.pointer_type()
        fp32 = constant(self.facts.member_value("DTYPE", "FP32"), "DTYPE")
        code = self.member(name, "DTYPE")
        found = self.find_field(name)
        if found:
            code = self.field_number(*found)
        elif code is None and self.facts.is_pe(self.layout.struct):
            return fp32
        if code is None:
            raise Refuse(f"type={name} of '{field.name}' is not known here")
        if code.constant is None and (self.facts.is_pe(self.layout.struct)
                                      or field.base in ("imm4", "imm8")):
            code = Number(f"rule_or_fp32({code.c})", 1, code.high, enum="DTYPE")
        return self.transposed_type(code) if name == "out_dtype" else code

    def transposed_type(self, code):
        """What a result holds where a word of the PE array may move bits (pe-array.md 8)."""
        mode = self.find_field("transpose_mode") or self.find_field("flags.xpose")
        if mode is None or not self.facts.is_pe(self.layout.struct):
            return code
        in_dtype = self.field_number(*self.need_field("in_dtype"))
        text = f"rule_result_type({code.c}, {in_dtype.c}, {self.field_number(*mode).c})"
        return Number(text, 1, code.high, enum="DTYPE")

    def pointer_type(self):
        """FP32 for arithmetic opcodes, in_dtype for those named BITVEC."""
        fp32 = constant(self.facts.member_value("DTYPE", "FP32"), "DTYPE")
        bitvec = {o for o in self.opcodes if self.facts.opcode_has(o, "BITVEC")}
        if not bitvec:
            return fp32
        in_dtype = self.field_number(*self.need_field("in_dtype"))
        if bitvec == self.opcodes:
            return in_dtype
        condition = self.layout.sets.member(self.opcode(), bitvec)
        return Number(f"({condition} ? {in_dtype.c} : {fp32.c})", 0, in_dtype.high, enum="DTYPE")

    def source_code(self, node):
        """Number of the IMM_SRC of an immediate (constraint item `src=`)."""
        field = self.field if node.text == "value" else self.need_field(node.text)[0]
        item = self.facts.item(field, "src")
        if not item:
            raise Refuse(f"'{field.name}' has no src= in its constraint")
        name = item.names[0]
        found = self.find_field(name)
        if not found:
            return self.member(name, "IMM_SRC")
        code = self.field_number(*found)
        if code.enum == "IMM_SRC_N":  # instruction and pointer change places
            return Number(f"rule_source_n({code.c})", 0, 255, enum="IMM_SRC")
        return Number(code.c, code.low, code.high, enum="IMM_SRC")

    def opcode(self):
        if len(self.opcodes) == 1:
            return constant(next(iter(self.opcodes)), "OPCODE")
        self.layout.local("op", "const uint32_t op = w[0];")
        return Number("op", 0, 255, enum="OPCODE", opcode=True)

    def dtype_bits(self, code):
        bits = self.facts.dtype_bits()
        if code.constant is not None:
            size = bits.get(code.constant, 0)
            return Number(c_integer(size), size, size, unit="bits", needs=code.needs)
        return Number(f"trn_rule_dtype_bits[{code.c}]", 0, 64, unit="bits", needs=code.needs)

    def dtype_align(self, code):
        align = self.facts.dtype_align()
        if code.constant is not None:
            size = align.get(code.constant, 1)
            return Number(c_integer(size), size, size, needs=code.needs, power_of_two=True)
        return Number(f"trn_rule_dtype_align[{code.c}]", 1, 8, needs=code.needs, power_of_two=True)

    def shape_number(self, side):
        for name in (f"{side}_step_elem_0", f"{side}_step_elem"):
            if name in self.layout.fields:
                number = self.layout.value(self.layout.fields[name])
                return Number(f"(uint32_t){number.c}", 0, 0xFFFFFFFF)
        return constant(NO_PLACE)  # 0xF1 has no field for it: dge.md 18

    # ---- truth values --------------------------------------------------------------

    def truth(self, node):
        if isinstance(node, tree.Logic):
            return self.logic(node)
        if isinstance(node, tree.Not):
            return ~self.truth(node.operand)
        if isinstance(node, tree.Choice):
            condition = self.truth(node.condition)
            if isinstance(condition.maybe, bool) and condition.decided:
                return self.truth(node.then if condition.maybe else node.otherwise)
            return condition.choose(self.truth(node.then), self.truth(node.otherwise))
        if isinstance(node, tree.Compare):
            return self.compare(node)
        if isinstance(node, tree.Member):
            return self.membership(node)
        if isinstance(node, tree.Name):
            return self.truth_name(node.text)
        if isinstance(node, tree.Call) and node.name in TRUTHS:
            return TRUTHS[node.name](self, *node.args)
        raise Refuse(f"a condition is expected, not '{text_of(node)}'")

    def logic(self, node):
        left = self.truth(node.left)
        if node.op == "&&":
            return left if left.maybe is False else left & self.truth(node.right)
        if node.op == "->":
            left = ~left
        return left if left.must is True else left | self.truth(node.right)

    def truth_name(self, name):
        if name in ("true", "false"):
            return TRUE if name == "true" else FALSE
        if name in HELPERS:
            return decided(f"trn_rule_{name}(c)")
        if name == "fp32r_ok":
            return decided(self.fp32r_ok)
        if name in ("psum_ok", "sbuf_ok", "write"):
            return decided(self.memory_allows(name))
        if name in self.facts.trees:
            if not self.facts.holds(name, self.isa):
                return TRUE
            return self.truth(self.facts.trees[name])
        raise Refuse(f"'{name}' is not a condition that is known here")

    def memory_allows(self, what):
        if not self.memory:
            raise Refuse(f"'{what}' needs a field that names its memory")
        spaces, _, direction = self.memory.rpartition(" ")
        if what == "write":
            return direction == "write"
        return what[:4].upper() in spaces.split("|")

    def is_condition(self, node):
        if isinstance(node, (tree.Compare, tree.Member, tree.Not, tree.Logic)):
            return True
        if isinstance(node, tree.Call):
            return node.name in TRUTHS
        return isinstance(node, tree.Name) and not self.find_field(node.text) and (
            node.text in self.facts.trees or node.text in HELPERS + ("true", "false"))

    def compare(self, node):
        operands = [node.first] + [operand for _, operand in node.rest]
        result = TRUE
        for (op, right), left in zip(node.rest, operands):
            result = result & self.compare_two(op, left, right)
        return result

    def compare_two(self, op, left, right):
        for side, other in ((left, right), (right, left)):
            word = side.text if isinstance(side, tree.Name) else ""
            if word == "struct":
                return self.same_name(op, self.layout.struct, other.text)
            if word == "exec_column":
                return self.same_name(op, self.column("execution"), other.text)
            if word == "maintained_column":
                return self.same_name(op, self.column("maintained"), other.text)
            if word == "engine":
                return self.on_engine(op, other.text)
        if self.is_condition(left):
            same = self.truth(left).same(self.truth(right))
            return same if op == "==" else ~same
        a, b = self.two_numbers(left, right)
        if a.opcode and b.constant is not None and op in ("==", "!="):
            same = self.opcode_in({b.constant})
            return same if op == "==" else ~same
        return relation(op, a, b)

    def column(self, name):
        """A column of opcodes.csv; the caller compiles such a rule for one opcode at a time."""
        return getattr(self.facts.opcodes[next(iter(self.opcodes))], name)

    def same_name(self, op, have, want):
        return decided((have == want) == (op == "=="))

    def on_engine(self, op, name):
        """Without a chosen engine a word may run on any of those that take it."""
        bit = 1 << ENGINES.index(name)
        same = Truth(f"((c->engines & {bit}u) != 0)", f"(c->engines == {bit}u)")
        return same if op == "==" else ~same

    def two_numbers(self, left, right):
        """Both operands; an enum member on one side belongs to the enum of the other."""
        if isinstance(left, tree.Name) and not self.is_value(left.text):
            b = self.number(right)
            return self.number(left, b.enum), b
        a = self.number(left)
        return a, self.number(right, a.enum)

    def is_value(self, name):
        """Whether a name is read from the word, and not the member of an enum."""
        return (name == "value" or name in NAMED_NUMBERS or bool(self.find_field(name))
                or name.endswith(".scale_pidx"))

    def opcode_in(self, wanted):
        wanted = self.opcodes & frozenset(wanted)
        if wanted == self.opcodes:
            return TRUE
        return decided(self.layout.sets.member(self.opcode(), wanted)) if wanted else FALSE

    def membership(self, node):
        if isinstance(node.members, tree.Call) and node.members.name == "engines":
            result = decided("c->engine_ok")
        elif isinstance(node.operand, tree.Name) and node.operand.text == "struct":
            result = decided(self.layout.struct in {item.text for item in node.members.items})
        elif isinstance(node.operand, tree.Group):
            result = self.group_in(node.operand, node.members)
        else:
            result = self.number_in(node)
        return ~result if node.negated else result

    def number_in(self, node):
        number = self.number(node.operand)
        values = self.set_values(node.members, number.enum)
        if number.opcode or number.enum == "OPCODE":
            return self.opcode_in(values)
        return self.is_one_of(number, values)

    def is_one_of(self, number, values):
        if number.unit == "bits":
            values = {8 * value for value in values}
        if number.constant is not None:
            return decided(number.constant in values)
        condition = self.layout.sets.member(number, values)
        return decided(condition) if isinstance(condition, bool) else test(condition, number.needs)

    def set_values(self, members, enum):
        if isinstance(members, tree.SetOf):
            values = set()
            for item in members.items:
                values |= self.item_values(item, enum)
            return values
        name = members.text
        if name == "field_enum":
            name = self.field.enum
        if name not in self.facts.tables.enums:
            raise Refuse(f"'{name}' is not an enum")
        return set(self.facts.members(name, self.isa))

    def item_values(self, item, enum):
        if isinstance(item, tree.Span):
            low, high = self.number(item.low, enum), self.number(item.high, enum)
            return set(range(low.constant, high.constant + 1))
        value = self.number(item, enum).constant
        if value is None:
            raise Refuse(f"'{text_of(item)}' in a set is not constant")
        return {value}

    def group_in(self, group, members):
        """(a, b, ...) in {(1, 2, ...), ...}"""
        numbers = [self.number(item) for item in group.items]
        result = FALSE
        for item in members.items:
            if not isinstance(item, tree.Group) or len(item.items) != len(numbers):
                raise Refuse("a tuple of the same length is expected in the set")
            match = TRUE
            for number, wanted in zip(numbers, item.items):
                match = match & relation("==", number, self.number(wanted, number.enum))
            result = result | match
        return result
