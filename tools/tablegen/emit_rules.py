# SPDX-License-Identifier: Apache-2.0
"""isa_rules.c: one validator function for each layout, and who calls which (src/isa/check.h)."""
import re

import rules_parse as tree
from cgen import Writer, c_name, c_string
from emit_isa import struct_id
from model import EXTENDED_ARMS, fail
from rules_checks import ADMIT, Plan, Shared, rule_reads
from rules_compile import HELPERS
from rules_facts import ISAS, Facts
from rules_notation import NAMED_NUMBERS, NUMBERS, TRUTHS
from rules_sets import Sets
from rules_values import Number

NO_FIELD = 0xFF
NIBBLES = {"": "", "lo": " | RULE_LO", "hi": " | RULE_HI"}
#: words of the notation that only rules about execution use
RUN_WORDS = ("pc", "loaded_count", "exec_column", "maintained_column", "layout", "none", "n",
             "registered_sets", "cam_matches", "act_formula_known", "pe_strict", "open_groups",
             "rows_picked", "absent_tags", "worker_guard")
WORDS = ("value", "struct", "engine", "true", "false", "fp32r_ok", "psum_ok", "sbuf_ok", "write",
         "field_enum", "legal_values") + RUN_WORDS


def prove_names(facts):
    """Every name of every expression means something somewhere, run-time rules included."""
    tables = facts.tables
    known = set(WORDS) | set(HELPERS) | set(NAMED_NUMBERS) | set(facts.trees) | facts.field_names
    known |= set(tables.structs) | set(tables.enums)
    known |= {m.name for e in tables.enums.values() for m in e.members}
    calls = set(NUMBERS) | set(TRUTHS) | {"engines", "addr_of"}
    for name, root in facts.trees.items():
        for node in tree.walk(root):
            if isinstance(node, tree.Call) and node.name not in calls:
                fail(facts.rules[name].where, f"'{node.name}()' is not a function of the notation")
            if isinstance(node, tree.Name) and node.text not in known:
                base, _, part = node.text.rpartition(".")
                if base not in known or part not in ("lo", "hi", "num", "step", "scale_addr",
                                                     "scale_pidx"):
                    fail(facts.rules[name].where, f"'{node.text}' names nothing in the tables")


# ---- functions ---------------------------------------------------------------------

ADMISSION = "if (RULE_UNLIKELY(c->stopped || !c->engine_ok) && !trn_rule_admit(c))"
PARAMETERS = {"layout": "struct rule_check *c", "common": "struct rule_check *c",
              "pattern": "struct rule_check *c, const struct rule_pattern *p, const uint8_t *b,\n"
                         "    uint32_t type, unsigned place"}


class Functions:
    """Validator functions, each written once however many layouts share its text."""

    def __init__(self, facts):
        self.facts = facts
        self.names = {}  # (kind, body) -> name
        self.texts = []
        self.counts = {}

    def layout(self, plan):
        """The function that checks a layout. It returns when nothing more is to be evaluated."""
        places = {id(f): i for i, f in enumerate(all_fields(self.facts, plan.struct))}
        tests = [self.test(entry, plan, places, plan.layout, "return;") for entry in plan.checks]
        title = f"check_{plan.struct or 'bare'}_v{plan.isa + 2}"
        return self.add("layout", plan.layout, tests, title, "void")

    def shared(self, entry, plan, places):
        """A function whose checks many layouts have; it returns true to end the check."""
        places = dict.fromkeys(places, None) if entry.kind == "pattern" else places
        tests = [self.test(check, plan, places, entry.layout, "return true;")
                 for check in entry.checks]
        tests.append("    return false;")
        title = f"{entry.kind}_{self.counts.setdefault(entry.kind, 0)}"
        name = self.add(entry.kind, entry.layout, tests, title, "bool")
        self.counts[entry.kind] += name == title
        return name

    def test(self, entry, plan, places, layout, leave):
        if entry == ADMIT:
            return f"    {ADMISSION}\n        {leave}"
        if isinstance(entry, Shared):
            name = self.shared(entry, plan, places)
            place = f", {entry.arguments}, {places[id(entry.field)]}u" if entry.field else ""
            return f"    if ({name}(c{place}))\n        {leave}"
        return check_text(entry, plan, places, layout, leave)

    def add(self, kind, layout, tests, title, result):
        declared = {"w": "const uint8_t *const w = c->word;", **layout.locals}
        lines = [f"    {text}" for text in used_locals(declared, tests)] + tests
        return self.add_text(kind, "\n".join(lines), title, result)

    def add_text(self, kind, body, title, result="void"):
        if (kind, body) not in self.names:
            self.names[kind, body] = title
            self.texts.append(f"static {result} {title}({PARAMETERS[kind]})\n{{\n{body}\n}}\n")
        return self.names[kind, body]


def all_fields(facts, struct):
    return facts.tables.struct_fields(struct) if struct else facts.tables.structs["COMMON"]


def check_text(check, plan, places, layout, leave):
    place = f"{NO_FIELD}u" if check.field is None else f"{places[id(check.field)]}u"
    if check.field is not None and places[id(check.field)] is None:
        place = "place"
    condition = "true" if check.condition is False else f"!{check.condition}"
    guard = ""
    if check.opcodes != plan.opcodes:
        layout.local("op", "const uint32_t op = w[0];")
        guard = f"{layout.sets.member(Number('op', 0, 255), check.opcodes)} && "
    return (f"    if ({guard}RULE_UNLIKELY({condition}) &&\n"
            f"        trn_rule_fail(c, TRN_RULE_{c_name(check.rule)}, {place}"
            f"{NIBBLES[check.nibble]}))\n        {leave}")


def used_locals(declared, tests):
    """Declarations that the tests need, in order."""
    words = set(re.findall(r"\w+", " ".join(tests)))
    kept = []
    for name, text in reversed(declared.items()):
        if name in words:
            kept.append(text)
            words |= set(re.findall(r"\w+", text))
    return reversed(kept)


def extended_body(arms):
    lines = ["    switch (c->word[12]) {"]
    for value, name in arms.items():
        lines += [f"    case {value}:", f"        {name}(c);", "        return;"]
    return lines + ["    default:", "        break;", "    }"]


# ---- the file ----------------------------------------------------------------------

def plan_all(facts):
    """{(isa, struct): function name}, Functions, Sets."""
    functions, sets, named = Functions(facts), Sets(), {}
    for isa in ISAS:
        for struct, opcodes in facts.layouts(isa).items():
            named[isa, struct] = functions.layout(Plan(facts, sets, struct, isa, opcodes))
        arms = {value: named[isa, arm] for value, arm in EXTENDED_ARMS.items()
                if (isa, arm) in named}
        if arms:
            body = "\n".join(extended_body(arms) + [f"    {named[isa, 'EXTENDED']}(c);"])
            named[isa, "EXTENDED"] = functions.add_text("layout", body,
                                                        f"check_EXTENDED_arms_v{isa + 2}")
    return functions, sets, named


def stop_rule(facts, opcode, isa):
    """Rule after which nothing more is evaluated: the opcode is unknown, pseudo or disabled."""
    if opcode not in facts.declared(isa):
        return "is_valid_opcode"
    for name in ("is_pseudo_op", "disabled_opcode"):
        if facts.holds(name, isa) and facts.scopes[name].covers("", opcode):
            return name
    return None


def write_entries(write, facts, named):
    write("const struct rule_entry trn_rule_entries[TRN_ISA_COUNT][256] = {")
    for isa in ISAS:
        write("    {")
        for opcode in range(256):
            row = facts.opcodes.get(opcode)
            struct = facts.struct_of(opcode, isa) if opcode in facts.declared(isa) else ""
            stop = stop_rule(facts, opcode, isa)
            stop = f"TRN_RULE_{stop}" if stop else "RULE_NONE"
            engines = row.engines[isa] if row else 0
            host = "true" if row and row.host else "false"
            name = named.get((isa, struct), named[isa, ""])
            write(f"        [0x{opcode:02X}] = {{{name}, {stop}, {engines}, {host}}},")
        write("    },")
    write("};\n")


def write_types(write, facts):
    for name, table, absent in (("trn_rule_dtype_bits", facts.dtype_bits(), 0),
                                ("trn_rule_dtype_align", facts.dtype_align(), 1)):
        cells = [str(table.get(code, absent)) for code in range(256)]
        write(f"const uint8_t {name}[256] = {{")
        for start in range(0, 256, 32):
            write("    " + ", ".join(cells[start:start + 32]) + ",")
        write("};")


def write_reads(write, facts):
    """Field names each rule reads, for the details of a violation."""
    write("/* Names that a rule's expression reads, NULL at the end. */")
    for name in facts.trees:
        names = [n for n in rule_reads(facts, name)]
        write(f"static const char *const reads_{c_name(name)}[] = "
              f"{{{', '.join([c_string(n) for n in names] + ['NULL'])}}};")
    write("const char *const *const trn_rule_reads[TRN_RULE_COUNT] = {")
    for name in facts.trees:
        write(f"    [TRN_RULE_{c_name(name)}] = reads_{c_name(name)},")
    write("};\n")


def write_reserved(write, tables):
    write("const char *const trn_reserved_rules[TRN_STRUCT_COUNT] = {")
    for struct in tables.word_structs():
        write(f"    [{struct_id(struct)}] = {c_string(struct.lower() + '_reserved_zero')},")
    write("};")


def emit(tables, out):
    facts = Facts(tables)
    prove_names(facts)
    functions, sets, named = plan_all(facts)
    write = Writer('"base/bytes.h"', '"isa/rule_helpers.h"')
    write_types(write, facts)
    sets.write(write)
    write()
    for text in functions.texts:
        write(text)
    write_entries(write, facts, named)
    write_reads(write, facts)
    write_reserved(write, tables)
    write.save(f"{out}/src/isa_rules.c")
