# SPDX-License-Identifier: Apache-2.0
"""Which checks a word goes through, in the order of the validator (README, sections 3 and 4):
header, opcode, engine, events, the fields in file order, then the rules of the struct and opcode.
"""
import re
from dataclasses import dataclass

import rules_parse as tree
from model import fail
from rules_compile import Rule
from rules_facts import PATTERN_DIMS
from rules_layout import Layout, PatternLayout, memory_of, zero_test
from rules_values import FALSE, TRUE, Number, decided, relation

ADMIT = "admit"  # where the opcode and the engine are judged
HEADER_BYTES = 4
EVENT_BYTES = 12
#: decided by the opcode alone; src/isa/check.c asks the tables
ADMISSION = ("is_valid_opcode", "opcode_on_engine", "is_pseudo_op", "disabled_opcode")
MEMORY_RULES = ("addr4_marker", None, "tensor_start_addr_valid", "addr_in_sbuf_partition",
                "exec_active_range")  # None: the tensorNd_valid of the pattern's size
#: values known only about the opcode's row: such a rule is compiled for one opcode at a time
COLUMNS = ("exec_column", "maintained_column")
#: what the words of the notation and the helpers read, by sheet name
READS = {
    "mv_list_ok": ("num_mov", "move_source", "src_registers", "dst_registers"),
    "mem2d_list_ok": ("dtype", "num_elem", "src_datasrc", "data"),
    "mem2d_region_ok": ("dtype", "num_elem", "start_addr", "step_elem"),
    "es_list_ok": ("num_evt_sem", "evt_sem_ids"),
    "lpa_slots_ok": ("imm_ptr_select", "immediate"),
    "ac2_quadrants_ok": ("src", "imm0_src", "imm0", "imm1_src", "imm1", "relu_param_src",
                         "relu_param"),
    "dma_totals_ok": ("compute_op", "in_dtype", "out_dtype", "src_num_elem_0", "src_num_elem_1",
                      "src_num_elem", "src_elem_size", "dst_num_elem_0", "dst_num_elem_1",
                      "dst_num_elem", "dst_elem_size"),
    "mx_v2_data_ok": ("src", "in_dtype"),
    "mx_v2_scales_ok": ("src",),
    "mx_containers": ("src",),
    "channels": ("num_active_channels",),
    "mm_moving_count": ("src", "perf_opt"),
    "mm_dst_align": ("out_dtype", "in_dtype", "transpose_mode", "flags.xpose"),
    "ts_ptr_dtype": ("in_dtype",),
    "src_shape_number": ("src_step_elem_0", "src_step_elem"),
    "dst_shape_number": ("dst_step_elem_0", "dst_step_elem"),
    "indirect_count": ("src_num_elem_per_idx",),
}


@dataclass(frozen=True)
class Check:
    rule: str          # name in rules.csv
    field: object      # Field or None
    nibble: str        # "", "lo", "hi"
    opcodes: frozenset
    condition: object  # C text or False: the word passes


@dataclass(frozen=True)
class Shared:
    """Checks in a C function of their own, because many layouts have them alike."""
    kind: str       # "common": header, admission and events; "pattern": the memory of a pattern
    checks: tuple
    layout: object  # whose locals they use
    field: object = None
    arguments: str = ""


def rule_reads(facts, name, seen=None):
    """Names that a rule's expression reads, through the rules it uses, without .lo and such."""
    seen = set() if seen is None else seen
    seen.add(name)
    reads = []
    for node in tree.walk(facts.trees[name]):
        text = getattr(node, "text", None) or getattr(node, "name", None)
        if not text:
            continue
        if text in facts.trees and text not in seen:
            reads += rule_reads(facts, text, seen)
        if text in READS:
            reads += READS[text]
        elif isinstance(node, tree.Name):
            base = re.sub(r"\.(lo|hi|num|step|scale_addr|scale_pidx)$", "", text)
            reads += [base] if base in facts.field_names and base != "opcode" else []
    return list(dict.fromkeys(reads))


class Plan:
    """The checks of one struct on one instruction set."""

    def __init__(self, facts, sets, struct, isa, opcodes):
        self.facts, self.sets, self.struct, self.isa, self.opcodes = (facts, sets, struct, isa,
                                                                      opcodes)
        self.layout = Layout(facts, struct, isa, opcodes, sets)
        self.fields = list(self.layout.fields.values())
        self.checks = []  # Check, Shared and ADMIT
        self.done = {}    # rule without a field -> opcodes for which it is planned
        self.plan()

    # ---- order ---------------------------------------------------------------------

    def plan(self):
        self.plan_common()
        for field in self.fields:
            if field.struct != "COMMON":
                self.plan_field(field)
        for name, scope in self.facts.scopes.items():
            if scope.kind == "word":
                self.plan_word_rule(name, None)
        self.plan_by_opcode("NO_LAYOUT", self.opcodes)  # a note: isa-core.md 9.10

    def plan_common(self):
        """Header, opcode and engine, events."""
        inner = Layout(self.facts, self.struct, self.isa, self.opcodes, self.sets)
        outer, self.layout = self.layout, inner
        common = [f for f in self.fields if f.struct == "COMMON"]
        for field in common:
            if field.offsets[self.isa] < HEADER_BYTES and field.name != "opcode":
                self.plan_field(field)
        self.checks.append(ADMIT)
        for field in common:
            if HEADER_BYTES <= field.offsets[self.isa] < EVENT_BYTES:
                self.plan_field(field)
        for name, scope in self.facts.scopes.items():
            if scope.kind == "all":
                self.plan_word_rule(name, None)
        self.checks = [Shared("common", tuple(self.checks), inner)]
        self.layout = outer

    def covered(self, name):
        """Opcodes of this struct for which a rule speaks of the word, none when it does not hold
        on the instruction set."""
        scope = self.facts.scopes[name]
        if not self.facts.holds(name, self.isa):
            return frozenset()
        return frozenset(o for o in self.opcodes if scope.covers(self.struct, o))

    # ---- one check -----------------------------------------------------------------

    def add(self, name, field, nibble, opcodes, truth):
        if truth.maybe is not True and opcodes:
            self.checks.append(Check(name, field, nibble, opcodes, truth.maybe))

    def compiler(self, name, opcodes, field=None, nibble=""):
        where = self.facts.rules[name].where
        return Rule(self.layout, where, opcodes, field, nibble)

    def reserved_rule(self):
        return f"{self.struct.lower()}_reserved_zero"

    def plan_word_rule(self, name, field):
        """A rule that speaks of the whole word; `field` is the one that names it, if any."""
        if name in ADMISSION:
            return
        if name == self.reserved_rule():
            self.prove_reserved(name)
            return
        opcodes = self.covered(name) - self.done.get(name, frozenset())
        self.done[name] = self.done.get(name, frozenset()) | opcodes
        if not opcodes:
            return
        if self.reads_columns(name):
            self.plan_by_opcode(name, opcodes)
        else:
            self.add(name, field, "", opcodes,
                     self.compiler(name, opcodes).truth_of(self.facts.trees[name]))

    def reads_columns(self, name):
        return any(getattr(node, "text", "") in COLUMNS
                   for node in tree.walk(self.facts.trees[name]))

    def plan_by_opcode(self, name, opcodes):
        """A rule about the opcode's row: tablegen knows for which opcodes it fails."""
        failing = frozenset(
            o for o in opcodes
            if self.compiler(name, frozenset({o})).truth_of(self.facts.trees[name]) == FALSE)
        self.add(name, None, "", failing, FALSE)

    def prove_reserved(self, name):
        """rules.csv repeats the reserved bytes of some structs; they are tested field by field."""
        reserved = {bit for f in self.layout.fields.values() if f.base == "reserved"
                    for bit in f.owned_bits(self.isa)}
        for node in tree.walk(self.facts.trees[name]):
            if isinstance(node, tree.Call) and node.name == "bytes_zero":
                first, last = (arg.value for arg in node.args)
                if not set(range(8 * first, 8 * last + 8)) <= reserved:
                    fail(self.facts.rules[name].where,
                         f"bytes {first}..{last} are not all reserved fields of {self.struct}")

    def plan_field_rule(self, name, field, nibble="", fp32r_ok=False, memory=None):
        """A rule of scope `field` with this field as its value."""
        if not self.facts.holds(name, self.isa):
            return
        rule = self.compiler(name, self.opcodes, field, nibble)
        rule.fp32r_ok, rule.memory = fp32r_ok, memory
        self.add(name, field, nibble, self.opcodes, rule.truth_of(self.facts.trees[name]))

    # ---- the constraint of a field -------------------------------------------------

    def plan_field(self, field):
        for item in self.facts.field_items(field):
            self.plan_item(field, item)
        if field.base in ("data4d", "addrun8"):
            self.plan_inside(field)

    def plan_item(self, field, item):
        kind, nibble = item.kind, item.nibble
        if kind == "rule":
            self.plan_named(field, item)
        elif kind in ("values", "relation"):
            self.plan_values(field, item)
        elif kind == "equal":
            self.plan_equal(field, item.names[0])
        elif kind == "zero":
            self.add("reserved_zero", field, "", self.opcodes, self.is_zero(field))
        elif kind in ("FP32R ok", "not FP32R"):
            self.plan_field_rule("is_valid_dtype", field, nibble, fp32r_ok=kind == "FP32R ok")
        elif kind == "no indirect":
            self.plan_field_rule("no_indirect", field)
        elif kind == "memory" and item == self.first_memory(field):
            self.plan_memory(field)

    def first_memory(self, field):
        return next(i for i in self.facts.field_items(field) if i.kind == "memory")

    def plan_named(self, field, item):
        scope = self.facts.scopes[item.text].kind
        if scope == "field" and item.text == "start_addr_active_channels":
            self.plan_start_partitions()
        elif scope == "field" and field.base == "pair" and not item.nibble:
            for nibble in ("lo", "hi"):
                self.plan_field_rule(item.text, field, nibble)
        elif scope == "field":
            self.plan_field_rule(item.text, field, item.nibble)
        elif scope in ("word", "all"):
            self.plan_word_rule(item.text, field)

    def plan_start_partitions(self):
        """Named on num_active_channels, applied to every pattern of the struct."""
        for field in self.layout.fields.values():
            if field.base in PATTERN_DIMS:
                self.plan_field_rule("start_addr_active_channels", field)

    def plan_memory(self, field):
        """The rules of a pattern's memory item, and the parts of its arms."""
        inner = PatternLayout(self.facts, self.struct, self.isa, self.opcodes, self.sets)
        outer, self.layout = self.layout, inner
        kept, self.checks = self.checks, []
        memory = memory_of(self.facts, field, self.isa)
        for name in MEMORY_RULES:
            self.plan_field_rule(name or f"tensor{PATTERN_DIMS[field.base]}d_valid", field,
                                 memory=memory)
        self.plan_inside(field)
        inside, self.checks, self.layout = tuple(self.checks), kept, outer
        pattern = outer.pattern(field)
        code = self.compiler("is_valid_enum", self.opcodes).type_code(field)
        arguments = f"&{pattern.ident}, {pattern.bytes(0)}, {code.c}"
        self.checks.append(Shared("pattern", inside, inner, field, arguments))

    def plan_equal(self, field, other):
        mirrored = any(i.kind == "equal" and i.names[0] == field.name
                       for i in self.facts.field_items(self.layout.fields[other]))
        names = list(self.layout.fields)
        if mirrored and names.index(other) < names.index(field.name):
            return  # said by the other field already
        value = self.layout.value
        self.add("field_type", field, "", self.opcodes,
                 relation("==", value(field), value(self.layout.fields[other])))

    def is_zero(self, field, base="w", start=0):
        """The bytes or bits of a reserved field, or of a reserved part of a composite, are 0."""
        offset = start + next(o for o in (field.offsets[self.isa], *field.offsets) if o is not None)
        if field.is_bits:
            text = f"trn_get{8 * field.size}({base} + {offset})"
            mask = ((1 << field.bits) - 1) << field.bit_lo
            return decided(f"(({text} & {mask:#x}u) == 0)")
        return decided(zero_test(offset, offset + field.size - 1, base))

    # ---- legal values --------------------------------------------------------------

    def plan_values(self, field, item):
        """Legal values count only where no rule of the word's struct or opcode names the field."""
        opcodes = self.opcodes - self.ruled(field)
        if not opcodes:
            return
        name = "field_type" if field.enum == "DTYPE" or field.base == "pair" else "field_value"
        truth = TRUE
        for index in range(field.count) if field.count > 1 else (None,):
            number = self.layout.value(field, index)
            if item.nibble:
                number = self.compiler(name, opcodes).nibble_of(number, item.nibble, "DTYPE")
            truth = truth & self.legal(field, item, number)
        self.add(name, field, item.nibble, opcodes, truth)

    def legal(self, field, item, number):
        if item.kind == "relation":
            op, bound = item.text.split()
            return relation(op, number, Number("", int(bound, 0), int(bound, 0))
                            if number.unit == "float" else self.bound(bound))
        enum = field.enum or "DTYPE"
        values = set()
        for part in item.text.split("|"):
            low, dots, high = part.partition("..")
            if dots:
                values |= set(range(int(low, 0), int(high, 0) + 1))
            elif part[0].isdigit():
                values.add(int(part, 0))
            else:
                values.add(self.facts.member_value(enum, part))
        return Rule(self.layout, field.where, self.opcodes).is_one_of(number, values)

    def bound(self, text):
        value = int(text, 0)
        return Number(f"{value}u", value, value)

    def ruled(self, field):
        """Opcodes whose struct or opcode rules name the field."""
        ruled = frozenset()
        for name, scope in self.facts.scopes.items():
            if scope.kind == "word" and name not in ADMISSION \
                    and field.name in self.names_read(name):
                ruled |= self.covered(name)
        return ruled

    def names_read(self, name):
        return set(rule_reads(self.facts, name))

    # ---- inside composite types ----------------------------------------------------

    def plan_inside(self, field):
        """Items of the rows with @ that no rule covers: counts of an indirect arm and of a data
        pattern, the parts of an MX pattern, the reserved byte of a register address."""
        if field.base in ("pattern2d", "pattern3d", "pattern4d"):
            self.plan_index_count(field, "indirect", "num_elem")
        elif field.base == "mx1d":
            self.plan_mx(field)
        elif field.base == "data4d":
            offset = field.offsets[self.isa] + self.facts.part_offset("data4d", "num_elem")
            counts = " && ".join(f"trn_get16(w + {offset + 2 * i}) != 0" for i in range(4))
            self.add("field_value", field, "", self.opcodes, decided(f"({counts})"))
        elif field.base == "addrun8":
            self.plan_address_union(field)

    def plan_index_count(self, field, arm, part):
        pattern = self.layout.pattern(field)
        at = pattern.bytes(self.facts.part_offset(arm, part))
        self.add("field_value", field, "", self.opcodes,
                 decided(f"(!{pattern.ident}.indirect || trn_get16({at}) != 0)"))

    def plan_mx(self, field):
        pattern = self.layout.pattern(field)
        parts = {f.name: f for f in self.facts.tables.structs["@mx1d"]}
        spare = {f.name: f for f in self.facts.tables.structs["@mxindirect"]}["spare"]
        step = f"trn_get8({pattern.bytes(self.facts.part_offset('mx1d', 'step_elem'))})"
        self.add("field_value", field, "", self.opcodes,
                 decided(f"({pattern.ident}.indirect || {step} == 1u || {step} == 0xFFu)"))
        place = Rule(self.layout, field.where, self.opcodes, field).scale_place(pattern)
        self.add("tensor_start_addr_valid", field, "", self.opcodes,
                 decided(f"(!{place}.known || {place}.space == RULE_SBUF)"))
        plain = self.is_zero(parts["reserved"], pattern.base, pattern.offset).maybe
        indirect = self.is_zero(spare, pattern.base, pattern.offset).maybe
        self.add("reserved_zero", field, "", self.opcodes,
                 decided(f"({pattern.ident}.indirect ? {indirect} : {plain})"))

    def plan_address_union(self, field):
        side = field.name.partition("_")[0]
        mode = self.layout.value(self.layout.fields[f"addr_mode.{side}"])
        immediate = self.facts.member_value("DMA_ADDR_MODE", "IMM64")
        reserved = next(f for f in self.facts.tables.structs["@addrun8"] if f.name == "reserved")
        self.add("reserved_zero", field, "", self.opcodes,
                 relation("==", mode, Number(f"{immediate}u", immediate, immediate))
                 | self.is_zero(reserved, start=field.offsets[self.isa]))
