# SPDX-License-Identifier: Apache-2.0
"""The notation of rules.csv as nested tuples (docs/hardware/README.md, section 4)."""
import re


class Parser:
    TOKENS = re.compile(r"0x[0-9A-Fa-f]+|\d+\.\d+|\d+|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*|->|\|\||&&|"
                        r"==|!=|<=|>=|\.\.|\S")

    def __init__(self, text):
        self.tokens = self.TOKENS.findall(text) + [""]
        self.place = 0

    def next(self, *accepted):
        if self.tokens[self.place] in accepted:
            self.place += 1
            return self.tokens[self.place - 1]
        return ""

    def expect(self, token):
        assert self.next(token), f"{token} expected at {self.tokens[self.place:]}"

    def whole(self):
        tree = self.expression()
        assert not self.tokens[self.place], self.tokens
        return tree

    def expression(self):
        left = self.binary(0)
        if self.next("->"):
            return ("||", ("!", left), self.expression())
        if self.next("?"):
            then = self.expression()
            self.expect(":")
            return ("?", left, then, self.expression())
        return left

    def binary(self, level):
        operators = [("||",), ("&&",)]
        if level == 2:
            return ("!", self.binary(2)) if self.next("!") else self.comparison()
        left = self.binary(level + 1)
        while self.next(*operators[level]):
            left = (operators[level][0], left, self.binary(level + 1))
        return left

    def comparison(self):
        first = self.arithmetic(0)
        negated = self.next("not")
        if self.next("in"):
            tree = ("in", first, self.members())
            return ("!", tree) if negated else tree
        chain = []
        while True:
            op = self.next("==", "!=", "<", "<=", ">", ">=")
            if not op:
                break
            second = self.arithmetic(0)
            chain.append(("cmp", op, first, second))
            first = second
        if not chain:
            return first
        tree = chain[0]
        for more in chain[1:]:
            tree = ("&&", tree, more)
        return tree

    def members(self):
        if not self.next("{"):
            return self.atom()
        items = []
        while not self.next("}"):
            low = self.arithmetic(0)
            items.append(("..", low, self.arithmetic(0)) if self.next("..") else low)
            self.next(",")
        return ("set", items)

    def arithmetic(self, level):
        operators = (("+", "-", "&"), ("*", "%"))
        if level == 2:
            return self.atom()
        left = self.arithmetic(level + 1)
        while True:
            op = self.next(*operators[level])
            if not op:
                return left
            left = ("math", op, left, self.arithmetic(level + 1))

    def atom(self):
        token = self.tokens[self.place]
        self.place += 1
        if token[0].isdigit():
            tree = ("number", float(token) if "." in token else int(token, 0))
        elif token == "(":
            items = [self.expression()]
            while self.next(","):
                items.append(self.expression())
            self.expect(")")
            tree = items[0] if len(items) == 1 else ("tuple", items)
        elif self.next("("):
            arguments = []
            while not self.next(")"):
                arguments.append(self.members() if self.tokens[self.place] == "{"
                                 else self.expression())
                self.next(",")
            tree = ("call", token, arguments)
        else:
            tree = ("name", token)
        while self.next("["):
            tree = ("[]", tree, int(self.tokens[self.place]))
            self.place += 1
            self.expect("]")
        return tree
