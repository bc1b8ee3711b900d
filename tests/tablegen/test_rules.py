#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The rule compiler of tools/tablegen: what it refuses, and where it says the fault is; how it
treats what a register decides. usage: test_rules.py ROOT [unittest options]"""
import dataclasses
import os
import sys
import unittest

ROOT = sys.argv.pop(1)
sys.path.insert(0, os.path.join(ROOT, "tools", "tablegen"))

import emit_rules  # noqa: E402
import model  # noqa: E402
import rules_checks  # noqa: E402
import rules_facts  # noqa: E402
import rules_parse as tree  # noqa: E402
import rules_sets  # noqa: E402
import rules_values as values  # noqa: E402

TABLES = model.load(os.path.join(ROOT, "data"))
HERE = model.Where("rules.csv", 7)


def with_rule(name, **changes):
    """The tables with one rule's columns changed, or with a new rule."""
    rules = []
    found = False
    for rule in TABLES.rules:
        if rule.name == name:
            rule = dataclasses.replace(rule, **changes)
            found = True
        rules.append(rule)
    if not found:
        rules.append(model.Rule(name=name, isa_mask=15, message="", confidence="O", where=HERE,
                                **changes))
    return dataclasses.replace(TABLES, rules=rules)


def compile_layout(tables, struct, isa):
    facts = rules_facts.Facts(tables)
    emit_rules.prove_names(facts)
    opcodes = facts.layouts(isa)[struct]
    return rules_checks.Plan(facts, rules_sets.Sets(), struct, isa, opcodes)


class Grammar(unittest.TestCase):
    def parse(self, text):
        return tree.parse(text, HERE)

    def test_precedence(self):
        # && before ||, both before ->, which groups to the right; !, relations and sums bind tighter
        name = {n: tree.Name(n) for n in "abcd"}
        self.assertEqual(self.parse("a || b && c -> d"),
                         tree.Logic("->", tree.Logic("||", name["a"],
                                                     tree.Logic("&&", name["b"], name["c"])),
                                    name["d"]))
        self.assertEqual(self.parse("a -> b -> c"),
                         tree.Logic("->", name["a"], tree.Logic("->", name["b"], name["c"])))
        self.assertEqual(self.parse("!a==1"),
                         tree.Not(tree.Compare(name["a"], (("==", tree.Number(1)),))))
        self.assertEqual(self.parse("a+b*2%4"),
                         tree.Arith("+", name["a"],
                                    tree.Arith("%", tree.Arith("*", name["b"], tree.Number(2)),
                                               tree.Number(4))))

    def test_chains_ranges_and_numbers(self):
        self.assertEqual(self.parse("1<=a<=0x10"),
                         tree.Compare(tree.Number(1), (("<=", tree.Name("a")),
                                                       ("<=", tree.Number(16)))))
        self.assertEqual(self.parse("a not in {2..10,13}"),
                         tree.Member(tree.Name("a"),
                                     tree.SetOf((tree.Span(tree.Number(2), tree.Number(10)),
                                                 tree.Number(13))), True))
        self.assertEqual(self.parse("a==1.5").rest[0][1], tree.Number(1.5))

    def test_a_fault_is_named_with_its_column(self):
        for text, column, what in (("a && ", 6, "a number, a name or '(' is expected"),
                                   ("a == (b", 8, "')' is expected"),
                                   ("a in {1,2", 10, "'}' is expected"),
                                   ("a ? b", 6, "':' is expected"),
                                   ("a b", 3, "the expression should have ended"),
                                   ("a @ b", 3, "no token of the notation starts here"),
                                   ("a not b", 7, "'in' is expected")):
            with self.assertRaisesRegex(model.TableError, "^rules.csv:7: column") as caught:
                self.parse(text)
            self.assertIn(f"column {column} of '{text}'", str(caught.exception), text)
            self.assertIn(what, str(caught.exception))


class Refusals(unittest.TestCase):
    def refused(self, struct="S3S3D3_TT", isa=0, **changes):
        tables = with_rule("tt_op", **changes)
        with self.assertRaises(model.TableError) as caught:
            compile_layout(tables, struct, isa)
        where = next(r.where for r in TABLES.rules if r.name == "tt_op")
        self.assertTrue(str(caught.exception).startswith(f"{where}: "), caught.exception)
        return str(caught.exception)

    def test_an_unknown_name(self):
        self.assertIn("'opp' names nothing in the tables", self.refused(expression="opp==ADD"))

    def test_an_unknown_function(self):
        self.assertIn("'arith_ok()' is not a function of the notation",
                      self.refused(expression="arith_ok(op)"))

    def test_a_field_of_another_struct(self):
        text = self.refused(expression="op0==BYPASS")
        self.assertIn("'op0' is not known here (in S3S3D3_TT, v2)", text)

    def test_a_member_of_another_enum(self):
        self.assertIn("'SUNDAY' names nothing", self.refused(expression="op==SUNDAY"))
        self.assertIn("'SERIAL' is not known here", self.refused(expression="op==SERIAL"))

    def test_a_number_where_a_condition_belongs(self):
        self.assertIn("'op' is not a condition", self.refused(expression="op -> op==ADD"))
        self.assertIn("a condition is expected, not 'raw'", self.refused(expression="raw(op)"))

    def test_a_pattern_function_on_a_number(self):
        self.assertIn("a pattern is expected, not 'op'", self.refused(expression="prod(op)==1"))

    def test_a_dimension_that_the_pattern_has_not(self):
        self.assertIn("3 dimensions", self.refused(expression="src0.num[3]==1"))

    def test_a_scope_that_is_neither_struct_nor_opcode(self):
        self.assertIn("'S9D9_XX' in the scope is neither a struct nor an opcode",
                      self.refused(scope="S9D9_XX"))

    def test_what_cannot_be_reached_is_not_compiled(self):
        compile_layout(with_rule("tt_op", expression="struct==S3D3_TS -> op0==BYPASS"),
                       "S3S3D3_TT", 0)
        compile_layout(with_rule("tt_op", expression="present(op0) -> op0==BYPASS"), "S3S3D3_TT", 0)

    def test_reserved_bytes_that_the_fields_do_not_reserve(self):
        tables = with_rule("s4d4_tr_reserved_zero", expression="bytes_zero(38,43)")
        with self.assertRaisesRegex(model.TableError, "bytes 38..43 are not all reserved fields"):
            compile_layout(tables, "S4D4_TR", 0)


class Values(unittest.TestCase):
    """A rule fails only if the word alone refutes it: three-valued logic over two C conditions."""

    CASES = {"true": values.TRUE, "false": values.FALSE, "unknown": values.Truth(True, False)}

    def name(self, truth):
        return next(n for n, v in self.CASES.items() if v == truth)

    def test_the_connectives(self):
        order = ("false", "unknown", "true")
        for a in order:
            for b in order:
                x, y = self.CASES[a], self.CASES[b]
                self.assertEqual(self.name(x & y), min(a, b, key=order.index))
                self.assertEqual(self.name(x | y), max(a, b, key=order.index))
                same = "unknown" if "unknown" in (a, b) else "true" if a == b else "false"
                self.assertEqual(self.name(x.same(y)), same)
            self.assertEqual(self.name(~self.CASES[a]), order[2 - order.index(a)])

    def test_a_comparison_that_the_ranges_decide_is_not_written(self):
        byte = values.Number("f", 0, 255)
        self.assertEqual(values.relation("<=", byte, values.constant(255)), values.TRUE)
        self.assertEqual(values.relation(">", byte, values.constant(255)), values.FALSE)
        self.assertEqual(values.relation("<", byte, values.constant(255)).maybe, "(f < 0xffu)")

    def test_products_that_do_not_fit_64_bits_are_wide(self):
        product = values.Number("p", 0, 65535 ** 4)
        wide = values.arithmetic("*", product, product)
        self.assertIn("unsigned __int128", wide.c)

    def test_sizes_of_narrow_types_are_compared_exactly(self):
        size = values.Number("bits", 0, 64, unit="bits")
        self.assertEqual(values.relation("==", size, values.constant(2)).maybe, "(bits == 0x10u)")


class SetTests(unittest.TestCase):
    def test_each_form_of_membership_agrees_with_the_set(self):
        sets = rules_sets.Sets()
        samples = [{3}, {3, 9}, set(range(5, 20)), {1, 2, 4, 8}, {0, 63}, {60, 70, 80, 200},
                   set(range(256)), set(), {255}, {0, 1, 128, 129}]
        for members in samples:
            condition = sets.member(values.Number("x", 0, 255), members)
            for x in range(256):
                self.assertEqual(self.evaluate(condition, x, sets), x in members, condition)

    def evaluate(self, condition, x, sets):
        if isinstance(condition, bool):
            return condition
        names = {name: members for members, name in sets.bitmaps.items()}
        text = condition.replace("&&", " and ").replace("||", " or ").replace("u", "")
        text = text.replace("UINT64_C", "")
        space = {"x": x, "rle_in": lambda members, value: value in members,
                 **{name.replace("u", ""): members for name, members in names.items()}}
        if " - " in text:  # C arithmetic of 32 bits
            text = text.replace("x - ", "(2**32 + x - ").replace(" <=", ") % 2**32 <=")
        return bool(eval(text, {}, space))


if __name__ == "__main__":
    unittest.main()
