# SPDX-License-Identifier: Apache-2.0
"""Parser of the expressions in rules.csv (grammar: docs/hardware/README.md, section 4)."""
import re
from dataclasses import dataclass

from model import fail

TOKEN = re.compile(r"\s*(?:(?P<number>0[xX][0-9A-Fa-f]+|\d+\.\d+|\d+)"
                   r"|(?P<name>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)"
                   r"|(?P<mark>->|\|\||&&|==|!=|<=|>=|\.\.|[-+&*%!<>?:(){}\[\],]))")
RELATIONS = ("==", "!=", "<", "<=", ">", ">=")


@dataclass(frozen=True)
class Number:
    value: object  # int, or float when written with a point


@dataclass(frozen=True)
class Name:
    text: str


@dataclass(frozen=True)
class Call:
    name: str
    args: tuple


@dataclass(frozen=True)
class Index:
    base: object
    number: int


@dataclass(frozen=True)
class Group:
    """(a, b, ...): a tuple of at least two."""
    items: tuple


@dataclass(frozen=True)
class Span:
    low: object
    high: object


@dataclass(frozen=True)
class SetOf:
    items: tuple


@dataclass(frozen=True)
class Not:
    operand: object


@dataclass(frozen=True)
class Logic:
    op: str  # && || ->
    left: object
    right: object


@dataclass(frozen=True)
class Arith:
    op: str  # + - & * %
    left: object
    right: object


@dataclass(frozen=True)
class Compare:
    """first op1 e1 op2 e2 ...: every neighbouring pair is compared."""
    first: object
    rest: tuple  # of (op, operand)


@dataclass(frozen=True)
class Member:
    operand: object
    members: object  # SetOf, Name of an enum or legal_values, Call engines(opcode)
    negated: bool


@dataclass(frozen=True)
class Choice:
    condition: object
    then: object
    otherwise: object


class Parser:
    def __init__(self, text, where):
        self.text, self.where = text, where
        self.tokens = []
        position = 0
        text = text.rstrip()
        while position < len(text):
            match = TOKEN.match(text, position)
            if not match:
                blanks = len(text[position:]) - len(text[position:].lstrip())
                self.refuse(position + blanks, "no token of the notation starts here")
            start = match.start(match.lastgroup)
            self.tokens.append((match.lastgroup, match[match.lastgroup], start))
            position = match.end()
        self.at = 0

    def refuse(self, position, what):
        fail(self.where, f"column {position + 1} of '{self.text}': {what}")

    def peek(self, *marks):
        return self.at < len(self.tokens) and self.tokens[self.at][1] in marks

    def take(self, *marks):
        if self.peek(*marks):
            self.at += 1
            return self.tokens[self.at - 1][1]
        return None

    def need(self, mark):
        if not self.take(mark):
            end = self.tokens[self.at][2] if self.at < len(self.tokens) else len(self.text)
            self.refuse(end, f"'{mark}' is expected")

    # expr = or [ "->" expr ] | or "?" expr ":" expr
    def expr(self):
        left = self.either()
        if self.take("->"):
            return Logic("->", left, self.expr())
        if self.take("?"):
            then = self.expr()
            self.need(":")
            return Choice(left, then, self.expr())
        return left

    def either(self):
        left = self.both()
        while self.take("||"):
            left = Logic("||", left, self.both())
        return left

    def both(self):
        left = self.negation()
        while self.take("&&"):
            left = Logic("&&", left, self.negation())
        return left

    def negation(self):
        if self.take("!"):
            return Not(self.negation())
        return self.comparison()

    # cmp = sum { relop sum } | sum [ "not" ] "in" set
    def comparison(self):
        first = self.sum()
        negated = bool(self.take("not"))
        if self.take("in"):
            return Member(first, self.set(), negated)
        if negated:
            self.need("in")
        rest = []
        while self.peek(*RELATIONS):
            op = self.take(*RELATIONS)
            rest.append((op, self.sum()))
        return Compare(first, tuple(rest)) if rest else first

    def set(self):
        if not self.peek("{"):
            return self.atom()  # an enum, legal_values, engines(opcode)
        self.need("{")
        items = [self.set_item()]
        while self.take(","):
            items.append(self.set_item())
        self.need("}")
        return SetOf(tuple(items))

    def set_item(self):
        low = self.sum()
        return Span(low, self.sum()) if self.take("..") else low

    def sum(self):
        left = self.term()
        while self.peek("+", "-", "&"):
            op = self.take("+", "-", "&")
            left = Arith(op, left, self.term())
        return left

    def term(self):
        left = self.atom()
        while self.peek("*", "%"):
            op = self.take("*", "%")
            left = Arith(op, left, self.atom())
        return left

    def atom(self):
        kind, text, position = (self.tokens[self.at] if self.at < len(self.tokens)
                                else ("end", "", len(self.text)))
        if kind == "number":
            self.at += 1
            return Number(float(text) if "." in text else int(text, 0))
        if kind == "name":
            self.at += 1
            node = Call(text, self.args()) if self.take("(") else Name(text)
        elif self.take("("):
            items = [self.expr()]
            while self.take(","):
                items.append(self.expr())
            self.need(")")
            node = items[0] if len(items) == 1 else Group(tuple(items))
        else:
            self.refuse(position, "a number, a name or '(' is expected")
        while self.take("["):
            kind, text, position = self.tokens[self.at]
            if kind != "number":
                self.refuse(position, "a number is expected in []")
            self.at += 1
            self.need("]")
            node = Index(node, int(text, 0))
        return node

    def args(self):
        args = [self.arg()]
        while self.take(","):
            args.append(self.arg())
        self.need(")")
        return tuple(args)

    def arg(self):
        return self.set() if self.peek("{") else self.expr()


def parse(text, where):
    """The tree of one expression; refuses the row at the column that does not fit."""
    parser = Parser(text, where)
    tree = parser.expr()
    if parser.at != len(parser.tokens):
        parser.refuse(parser.tokens[parser.at][2], "the expression should have ended")
    return tree


def walk(node):
    """Every node of a tree, outermost first."""
    yield node
    for value in vars(node).values() if hasattr(node, "__dataclass_fields__") else ():
        for child in value if isinstance(value, tuple) else (value,):
            for part in child if isinstance(child, tuple) else (child,):
                if hasattr(part, "__dataclass_fields__"):
                    yield from walk(part)
