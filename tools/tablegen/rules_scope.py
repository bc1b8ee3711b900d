# SPDX-License-Identifier: Apache-2.0
"""Which words a rule speaks of: column struct_or_opcode of rules.csv (README, section 4)."""
import re
from dataclasses import dataclass

from model import fail

KINDS = ("lib", "field", "run")


@dataclass(frozen=True)
class Scope:
    kind: str            # all, word, lib, field, run
    structs: frozenset   # of names; with kind "all" those excepted
    opcodes: frozenset

    def covers(self, struct, opcode):
        """Whether the rule is checked on a word of this layout and opcode."""
        if self.kind == "all":
            return struct not in self.structs
        return self.kind == "word" and (struct in self.structs or opcode in self.opcodes)


def parse_opcode(text, where):
    match = re.fullmatch(r"(0x[0-9A-F]{2})(?:\.\.(0x[0-9A-F]{2}))?", text)
    if not match:
        fail(where, f"'{text}' in the scope is neither a struct nor an opcode")
    low = int(match[1], 0)
    return range(low, int(match[2] or match[1], 0) + 1)


def parse(rule, structs):
    words = rule.scope.split()
    kind = words.pop(0) if words and words[0] in KINDS else "word"
    if words and words[0] == "*":
        kind = "all"
        words = words[1:]
        if words and words.pop(0) != "except":
            fail(rule.where, f"scope '{rule.scope}': only 'except' may follow '*'")
    if kind == "word" and not words:
        fail(rule.where, "the scope is empty")
    named = frozenset(w for w in words if w in structs and not w.startswith("@"))
    opcodes = frozenset(o for w in words if w not in named for o in parse_opcode(w, rule.where))
    return Scope(kind, named, opcodes)
