#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A second reading of rules.csv: interprets every rule on every word, in Python, and compares with
what trn_check_word reports. Written from docs/hardware/README.md (sections 3 and 4) and errata.md,
without the rule compiler; it shares nothing with tools/tablegen.

    rules_oracle.py --data DIR --dump PROGRAM [--count N] [--seed S]

PROGRAM (rules_dump) prints words with the violations that the library lists.
"""
import argparse
import csv
import os
import re
import struct
import subprocess
import sys
from fractions import Fraction

COLUMN = {2: "sunda_off", 3: "cayman_off", 4: "mariana_off", 5: "maverick_off"}
PRESENCE = {2: "sunda", 3: "cayman", 4: "mariana", 5: "maverick"}
ARMS = {2: "EXTENDED_TT", 7: "EXTENDED_CPTC", 8: "EXTENDED_RDMA_GEN", 9: "EXTENDED_RDMA_START"}
OWN_HEADER = {"CTRL_CCI": range(4, 12), "DMA_COPY2D": range(4, 12), "DMA_IMMEDIATE": range(4, 12),
              "PSEUDO_DMA_EXT": range(1, 12)}
DIMS = {"pattern1d": 1, "pattern2d": 2, "pattern3d": 3, "pattern4d": 4, "mx1d": 1}
ENGINES = ["PE", "ACT", "POOL", "DVE", "SP"]
GROUPS = {0xF: (0, 128, 0x10), 0x3: (0, 64, 1), 0xC: (64, 64, 4), 0x1: (0, 32, 1),
          0x2: (32, 32, 2), 0x4: (64, 32, 4), 0x8: (96, 32, None)}
NOWHERE = 0xFFFF


class Unknown:
    """A number that stands in a register."""


UNKNOWN = Unknown()


class Num:
    def __init__(self, value, enum=None):
        self.value, self.enum = value, enum


class Literal:
    def __init__(self, name):
        self.name = name


# ---- tables ------------------------------------------------------------------------

def rows(directory, name):
    with open(os.path.join(directory, name), newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def versions(text):
    if text == "none":
        return set()
    numbers = [int(n) for n in re.findall(r"\d", text)]
    return set(range(numbers[0], numbers[-1] + 1))


class Tables:
    def __init__(self, directory):
        self.structs = {}
        for row in rows(directory, "struct-fields.csv"):
            self.structs.setdefault(row["struct"], []).append(row)
        self.enums = {}
        for row in rows(directory, "enums.csv"):
            self.enums.setdefault(row["enum"], {})[row["name"]] = (int(row["value"], 0),
                                                                   versions(row["gens"]))
        self.rules = {row["rule"]: row for row in rows(directory, "rules.csv")}
        self.trees = {name: Parser(row["expression"]).whole() for name, row in self.rules.items()}
        self.opcodes = {int(row["opcode"], 0): row for row in rows(directory, "opcodes.csv")}
        self.dtypes = {int(row["code"], 0): row for row in rows(directory, "dtypes.csv")}
        self.alu = {int(row["value"], 0): row for row in rows(directory, "alu-ops.csv")}
        self.geometry = {}
        for row in rows(directory, "generations.csv"):
            for gen in ("sunda", "cayman", "mariana", "mariana_plus", "maverick"):
                self.geometry.setdefault(gen, {})[row["field"]] = row[gen]
        self.readers = {name: self.reads(name) for name in self.rules}

    def reads(self, rule, seen=()):
        """Names in a rule's expression, with those of the rules that it uses."""
        names = set(re.findall(r"[A-Za-z_]\w*(?:\.\w+)*", self.rules[rule]["expression"]))
        for name in list(names):
            if name in self.rules and name not in seen:
                names |= self.reads(name, seen + (rule,))
        aliases = {"channels": {"num_active_channels"}, "ts_ptr_dtype": {"in_dtype"},
                   "mm_dst_align": {"out_dtype"}, "mm_moving_count": {"perf_opt"},
                   "mv_list_ok": {"num_mov", "move_source", "src_registers", "dst_registers"},
                   "mem2d_list_ok": {"dtype", "num_elem", "src_datasrc", "data"},
                   "mem2d_region_ok": {"dtype", "num_elem", "start_addr", "step_elem"},
                   "es_list_ok": {"num_evt_sem", "evt_sem_ids"},
                   "lpa_slots_ok": {"imm_ptr_select", "immediate"}}
        for name in list(names):
            names |= aliases.get(name, set())
        return names | {re.sub(r"\.(lo|hi)$", "", n) for n in names}

    def members(self, enum, nc):
        return {value for value, gens in self.enums[enum].values() if nc in gens}


# ---- grammar -----------------------------------------------------------------------

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


# ---- three-valued logic --------------------------------------------------------------

def both(a, b):
    if a is False or b is False:
        return False
    return None if a is None or b is None else True


def negate(a):
    return None if a is None else not a


def either(a, b):
    return negate(both(negate(a), negate(b)))


# ---- a word ------------------------------------------------------------------------

class Pattern:
    """A memory pattern of the word, read as its markers say."""

    def __init__(self, word, field):
        self.word, self.field = word, field
        self.start = word.offset(field)
        self.dims = DIMS[field["type"]]
        self.mx = field["type"] == "mx1d"
        marker = word.data[self.start + 3]
        self.indirect = marker & 0x60 == 0x20 and field["type"] != "pattern1d"
        pe = word.is_pe and field["type"] in ("pattern3d", "pattern4d") \
            and field["field"].startswith("src")
        self.descriptor = word.nc == 5 and pe and not self.indirect and marker & 0x1F == 1
        self.shape_known = not (marker & 0x40 or self.indirect or self.descriptor)

    @property
    def address(self):
        place = Address(self.word, self.start + (4 if self.indirect else 0))
        if self.descriptor and place.value is not UNKNOWN:
            place.value &= 0x00FFFFFF
        return place

    def num(self, i):
        if not self.shape_known:
            return UNKNOWN
        return self.raw_num(i)

    def raw_num(self, i):
        at = self.start + (8 if self.mx else 4 + 2 * self.dims + 2 * i)
        return struct.unpack_from("<H", self.word.data, at)[0]

    def step(self, i):
        if not self.shape_known:
            return UNKNOWN
        if self.mx:
            return struct.unpack_from("<b", self.word.data, self.start + 10)[0]
        return struct.unpack_from("<h", self.word.data, self.start + 4 + 2 * i)[0]

    def product(self):
        result = 1
        for i in range(self.dims):
            if self.num(i) is UNKNOWN:
                return UNKNOWN
            result *= self.num(i)
        return result

    def reached(self):
        """Set of (first, last) bit numbers in the partition; None when a register decides."""
        if not self.shape_known or self.address.value is UNKNOWN:
            return None
        low = high = 0
        for i in range(self.dims):
            reach = (self.num(i) - 1) * self.step(i)
            low, high = low + min(reach, 0), high + max(reach, 0)
        bits = self.word.type_bits(self.word.type_of(self.field))
        base = 8 * self.address.byte()
        return base + low * bits, base + (high + 1) * bits

    def empty(self):
        return any(self.num(i) == 0 for i in range(self.dims)) \
            or self.word.type_bits(self.word.type_of(self.field)) == 0

    def scale(self):
        return Address(self.word, self.start + (8 if self.indirect else 4))

    def scale_pidx(self):
        return self.word.data[self.start + (15 if self.indirect else 11)]


class Address:
    """An ADDR4, or a pointer immediate with all its 32 bits."""

    def __init__(self, word, at, pointer=False):
        self.word = word
        raw = struct.unpack_from("<I", word.data, at)[0]
        self.raw = raw
        self.value = raw if pointer else UNKNOWN if raw >> 31 else raw & 0x1FFFFFFF

    def region(self):
        if self.value < self.word.geo("sbuf_size"):
            return "sbuf"
        inside = self.word.geo("psum_base") <= self.value \
            < self.word.geo("psum_base") + self.word.geo("psum_size")
        return "psum" if inside else None

    def part(self):
        region = self.region()
        if region == "sbuf":
            return self.value // self.word.geo("sbuf_stride")
        if region == "psum":
            return (self.value - self.word.geo("psum_base")) // self.word.geo("psum_stride")
        return NOWHERE

    def byte(self):
        region = self.region()
        if region == "sbuf":
            return self.value % self.word.geo("sbuf_stride")
        if region == "psum":
            return (self.value - self.word.geo("psum_base")) % self.word.geo("psum_stride")
        return 0

    def active_bytes(self):
        return self.word.geo("psum_active_bytes" if self.region() == "psum"
                             else "sbuf_active_bytes")

    def active_ok(self, n):
        p = self.part()
        if 1 <= n <= 32 and p not in (0, 32, 64, 96):
            return False
        if 33 <= n <= 64 and p not in (0, 64):
            return False
        if 65 <= n <= 128 and p != 0:
            return False
        return p + n <= 128


class Word:
    def __init__(self, tables, generation, engine, before_lowering, following, data):
        self.tables, self.data = tables, data
        self.generation, self.engine = generation, engine
        self.before_lowering, self.following = before_lowering, following
        self.nc = int(tables.geometry[generation]["isa_version"])
        self.opcode = data[0]
        self.known = self.opcode in tables.members("OPCODE", self.nc)
        self.struct = self.layout()
        common = [f for f in tables.structs["COMMON"]
                  if f[COLUMN[self.nc]] != "-"
                  and int(f[COLUMN[self.nc]]) not in OWN_HEADER.get(self.struct, ())]
        own = [f for f in tables.structs.get(self.struct, ()) if f[COLUMN[self.nc]] != "-"]
        self.common, self.own = common, own
        self.fields = {f["field"]: f for f in common + own}
        row = tables.opcodes.get(self.opcode)
        self.row = row
        self.is_pe = bool(row) and row["engines"] == "PE" and bool(self.struct)

    def geo(self, name):
        return int(self.tables.geometry[self.generation][name], 0)

    def layout(self):
        row = self.tables.opcodes.get(self.opcode)
        if not self.known or not row:
            return ""
        candidates = [row["struct"]]
        if row["struct"] == "EXTENDED":
            candidates.insert(0, ARMS.get(self.data[12]))
        for name in candidates:
            fields = self.tables.structs.get(name, ())
            if any(f[COLUMN[self.nc]] != "-" for f in fields):
                return name
        return ""

    # fields

    def offset(self, field):
        return int(field[COLUMN[self.nc]])

    def read(self, field, index=None):
        kind = field["type"]
        array = re.fullmatch(r"(\w+)\[(\d+)\]", kind)
        size = int(field["size_bytes"])
        at = self.offset(field)
        if array:
            size //= int(array[2])
            at += index * size
            kind = array[1]
        raw = int.from_bytes(self.data[at:at + size], "little")
        if field["bit_lo"]:
            raw = raw >> int(field["bit_lo"]) & (1 << int(field["bits"])) - 1
        if kind in ("i8", "i16", "i32"):
            raw -= (raw >> 8 * size - 1) << 8 * size
        enum = kind[5:] if kind.startswith("enum:") else None
        return Num(raw, enum)

    def lookup(self, name):
        """(field, nibble) or None."""
        if name in self.fields:
            return self.fields[name], None
        base, _, part = name.rpartition(".")
        if part in ("lo", "hi") and base in self.fields \
                and self.fields[base]["type"] in ("pair", "srcpair"):
            return self.fields[base], part
        return None

    def value(self, field, nibble=None):
        number = self.read(field)
        if nibble:
            enum = "DTYPE" if field["type"] == "pair" else "IMM_SRC"
            return Num(number.value & 15 if nibble == "lo" else number.value >> 4, enum)
        if field["type"] == "f32" or (field["type"] == "imm4"
                                      and self.constraint(field, "type=") == "FP32"):
            return Num(struct.unpack("<f", struct.pack("<I", number.value))[0])
        return number

    def constraint(self, field, prefix):
        for item in field["constraint"].split("; "):
            if item.startswith(prefix):
                return item[len(prefix):]
        return None

    def pattern(self, name):
        field = self.fields.get(name) or self.fields.get(name + "_mem_pattern")
        return Pattern(self, field) if field and field["type"] in DIMS else None

    # types

    def type_bits(self, code):
        row = self.tables.dtypes.get(code)
        return int(row["bits"]) if row else 0

    def align(self, code):
        row = self.tables.dtypes.get(code)
        return int(row["align_bytes"] or 1) if row else 1

    def is_bitvec(self):
        return "BITVEC" in self.row["name"]

    def pointer_type(self):
        return self.read(self.fields["in_dtype"]).value if self.is_bitvec() else 0x0A

    def type_of(self, field):
        name = self.constraint(field, "type=")
        if name == "by_class":
            return self.pointer_type()
        members = self.tables.enums["DTYPE"]
        found = self.lookup(name)
        if found:
            code = self.value(*found).value
        elif name in members:
            code = members[name][0]
        else:
            assert self.is_pe, (self.struct, field["field"], name)
            return 0x0A
        if code == 0 and (self.is_pe or field["type"] in ("imm4", "imm8")):
            return 0x0A
        return code

    def source_of(self, field):
        name = self.constraint(field, "src=")
        found = self.lookup(name)
        if not found:
            return self.tables.enums["IMM_SRC"][name][0]
        number = self.value(*found)
        if number.enum == "IMM_SRC_N":
            return {0: 1, 1: 0}.get(number.value, number.value)
        return number.value

    def memory(self, field):
        plain = special = None
        for item in field["constraint"].split("; "):
            match = re.fullmatch(r"(?:v(\d) )?((?:SBUF|PSUM)(?:\|PSUM)?) (read|write)", item)
            if match and match[1]:
                special = match if int(match[1]) == self.nc else special
            elif match:
                plain = match
        chosen = special or plain
        return (chosen[2].split("|"), chosen[3]) if chosen else None

    def engines(self):
        text = self.row["engines"] if self.row else "NONE"
        if text in ("HOST", "NONE"):
            return set()
        if text == "ANY":
            return set(ENGINES) - ({"ACT"} if self.nc == 5 else set())
        chosen = set()
        for part in text.split("|"):
            name, _, span = part.partition("@")
            if not span or self.nc in versions(span):
                chosen.add(name)
        return chosen


# ---- evaluation --------------------------------------------------------------------

class Evaluator:
    """Evaluates one rule on one word; `field` is `value` for rules of scope `field`."""

    def __init__(self, word, field=None, nibble=None, fp32r_ok=False):
        self.word, self.field, self.nibble, self.fp32r_ok = word, field, nibble, fp32r_ok
        self.tables, self.nc = word.tables, word.nc

    def run(self, rule):
        if self.nc not in versions(self.tables.rules[rule]["gens"]):
            return True
        return self.truth(self.tables.trees[rule])

    # truth

    def truth(self, tree):
        kind = tree[0]
        if kind == "&&":
            left = self.truth(tree[1])
            return False if left is False else both(left, self.truth(tree[2]))
        if kind == "||":
            left = self.truth(tree[1])
            return True if left is True else either(left, self.truth(tree[2]))
        if kind == "!":
            return negate(self.truth(tree[1]))
        if kind == "?":
            condition = self.truth(tree[1])
            if condition is None:
                return either(both(None, self.truth(tree[2])), both(None, self.truth(tree[3])))
            return self.truth(tree[2] if condition else tree[3])
        if kind == "cmp":
            return self.compare(*tree[1:])
        if kind == "in":
            return self.inside(tree[1], tree[2])
        if kind == "name":
            return self.truth_name(tree[1])
        result = getattr(self, "f_" + tree[1])(*tree[2])
        assert result is None or isinstance(result, bool), tree
        return result

    def truth_name(self, name):
        if name in ("true", "false"):
            return name == "true"
        if name == "fp32r_ok":
            return self.fp32r_ok
        if name in ("psum_ok", "sbuf_ok"):
            return name[:4].upper() in self.word.memory(self.field)[0]
        if name == "write":
            return self.word.memory(self.field)[1] == "write"
        if name in self.tables.rules:
            return self.run(name)
        return getattr(self, "h_" + name)()

    def is_truth(self, tree):
        if tree[0] in ("&&", "||", "!", "cmp", "in"):
            return True
        if tree[0] == "call":
            return tree[1] in TRUTH_CALLS
        return tree[0] == "name" and tree[1] in self.tables.rules \
            and not self.word.lookup(tree[1])

    def compare(self, op, left, right):
        for side, other in ((left, right), (right, left)):
            if side == ("name", "struct"):
                return (self.word.struct == other[1]) == (op == "==")
            if side == ("name", "engine"):
                same = self.on_engine(other[1])
                return same if op == "==" else negate(same)
            if side == ("name", "maintained_column"):
                return (self.word.row["maintained"] == other[1]) == (op == "==")
            if side == ("name", "exec_column"):
                return (self.word.row["exec"] == other[1]) == (op == "==")
        if self.is_truth(left):
            a, b = self.truth(left), self.truth(right)
            same = None if a is None or b is None else a == b
            return same if op == "==" else negate(same)
        a, b = self.number(left), self.number(right)
        if isinstance(a, Literal):
            a = self.resolve(a, b)
        if isinstance(b, Literal):
            b = self.resolve(b, a)
        if a.value is UNKNOWN or b.value is UNKNOWN:
            return None
        x, y = a.value, b.value
        return {"==": x == y, "!=": x != y, "<": x < y, "<=": x <= y, ">": x > y,
                ">=": x >= y}[op]

    def on_engine(self, name):
        able = self.word.engines() if self.word.engine is None else {self.word.engine}
        if name not in able:
            return False
        return True if able == {name} else None

    def resolve(self, literal, other=None):
        enum = other.enum if other is not None else None
        for candidate in [enum] if enum else ["DTYPE", "ALU_OP"]:
            if literal.name in self.tables.enums[candidate]:
                return Num(self.tables.enums[candidate][literal.name][0], candidate)
        raise KeyError(literal.name)

    def inside(self, left, members):
        if members[0] == "call":  # engines(opcode)
            return self.engine_allowed()
        if left[0] == "tuple":
            result = False
            for item in members[1]:
                match = True
                for a, b in zip(left[1], item[1]):
                    match = both(match, self.compare("==", a, b))
                result = either(result, match)
            return result
        if left == ("name", "struct"):
            return self.word.struct in [item[1] for item in members[1]]
        number = self.number(left)
        if number.value is UNKNOWN:
            return None
        if members[0] == "name":
            enum = self.field["type"][5:] if members[1] == "field_enum" else members[1]
            return number.value in self.tables.members(enum, self.nc)
        for item in members[1]:
            if item[0] == "..":
                if self.number(item[1]).value <= number.value <= self.number(item[2]).value:
                    return True
                continue
            value = self.number(item)
            if isinstance(value, Literal):
                value = self.resolve(value, number)
            if value.value == number.value:
                return True
        return False

    def engine_allowed(self):
        if self.word.before_lowering and self.word.row["engines"] == "HOST":
            return True
        able = self.word.engines()
        return bool(able) if self.word.engine is None else self.word.engine in able

    # numbers

    def number(self, tree):
        kind = tree[0]
        if kind == "number":
            return Num(tree[1])
        if kind == "math":
            return self.math(*tree[1:])
        if kind == "?":
            condition = self.truth(tree[1])
            assert condition is not None
            return self.number(tree[2] if condition else tree[3])
        if kind == "[]":
            return self.element(tree[1][1], tree[2])
        if kind == "name":
            return self.number_name(tree[1])
        result = getattr(self, "n_" + tree[1])(*tree[2])
        return result if isinstance(result, (Num, Literal)) else Num(result)

    def math(self, op, left, right):
        a, b = self.number(left).value, self.number(right).value
        if a is UNKNOWN or b is UNKNOWN:
            return Num(UNKNOWN)
        return Num({"+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b,
                    "&": lambda: a & b, "%": lambda: a % b}[op]())

    def element(self, name, index):
        base, _, part = name.rpartition(".")
        if part in ("num", "step"):
            pattern = self.word.pattern(base)
            return Num(pattern.num(index) if part == "num" else pattern.step(index))
        return self.word.read(self.word.fields[name], index)

    def number_name(self, name):
        if name == "value":
            return self.word.value(self.field, self.nibble)
        special = {"nc": lambda: Num(self.nc), "opcode": lambda: Num(self.word.opcode, "OPCODE"),
                   "channels": lambda: Num(self.channels()),
                   "ts_ptr_dtype": lambda: Num(self.word.pointer_type()),
                   "mm_moving_count": self.moving_count, "mm_dst_align": self.result_align,
                   "src_shape_number": lambda: self.shape_number("src"),
                   "dst_shape_number": lambda: self.shape_number("dst"),
                   "next_opcode": lambda: Num(-1 if self.word.following is None
                                              else self.word.following)}
        if name in special:
            return special[name]()
        found = self.word.lookup(name)
        if found:
            return self.word.value(*found)
        base, _, part = name.rpartition(".")
        if part == "scale_pidx":
            return Num(self.word.pattern(base).scale_pidx())
        return Literal(name)

    def channels(self):
        own = self.field and self.word.constraint(self.field, "channels=")
        return int(own) if own else self.word.read(self.word.fields["num_active_channels"]).value

    def moving_count(self):
        count = self.word.pattern("src").product()
        double = "perf_opt" in self.word.fields \
            and self.word.read(self.word.fields["perf_opt"]).value == 1
        return Num(Fraction(count, 2) if double and count is not UNKNOWN else count)

    def result_align(self):
        bits = self.word.type_bits(self.word.type_of(self.word.pattern("dst").field))
        return Num(2 if bits == 16 else 4)

    def shape_number(self, side):
        for name in (f"{side}_step_elem_0", f"{side}_step_elem"):
            if name in self.word.fields:
                return Num(self.word.read(self.word.fields[name]).value & 0xFFFFFFFF)
        return Num(NOWHERE)

    # places

    def target(self, tree):
        """Pattern or Address that a name stands for."""
        name = tree[1]
        pattern = Pattern(self.word, self.field) if name == "value" and self.field["type"] in DIMS \
            else self.word.pattern(name)
        if pattern:
            return pattern
        base, _, part = name.rpartition(".")
        if part == "scale_addr":
            return self.word.pattern(base).scale()
        field = self.field if name == "value" else self.word.fields[name]
        return Address(self.word, self.word.offset(field), pointer=field["type"] == "imm4")

    def address(self, tree):
        target = self.target(tree)
        return target.address if isinstance(target, Pattern) else target

    def raw(self, tree):
        field = self.field if tree[1] == "value" else \
            self.word.fields.get(tree[1]) or self.word.fields[tree[1] + "_mem_pattern"]
        return struct.unpack_from("<I", self.word.data, self.word.offset(field))[0]

    def of_place(self, tree, what):
        place = self.address(tree)
        return Num(UNKNOWN) if place.value is UNKNOWN else Num(what(place))

    def n_addr(self, p):
        return self.of_place(p, lambda a: a.value)

    def n_part(self, p):
        return self.of_place(p, lambda a: a.part())

    def n_byte(self, p):
        return self.of_place(p, lambda a: a.byte())

    def n_quadrant(self, p):
        return self.of_place(p, lambda a: a.part() // 32)

    def n_active(self, _):
        return self.word.geo("sbuf_active_bytes")

    def in_region(self, p, region):
        place = self.address(p)
        return None if place.value is UNKNOWN else place.region() == region

    def f_in_sbuf(self, p):
        return self.in_region(p, "sbuf")

    def f_in_psum(self, p):
        return self.in_region(p, "psum")

    def n_marker(self, v):
        return self.raw(v) >> 24 & 0xE0

    def f_addr_reg(self, v):
        return self.raw(v) >> 24 & 0xA0 == 0x80

    def f_shape_reg(self, v):
        return self.raw(v) >> 24 & 0x40 != 0

    def f_indirect(self, v):
        return self.raw(v) >> 24 & 0x60 == 0x20

    def f_mx_marker(self, v):
        return self.raw(v) >> 24 & 0x1F == 1

    def f_reg_ok(self, v):
        field = self.field if v[1] == "value" else self.word.fields.get(v[1])
        immediate = field is not None and field["type"] == "imm4"
        return (self.raw(v) & (0xFFFFFFFF if immediate else 0x1FFFFFFF)) <= 63

    def f_active_ok(self, p, n):
        place = self.address(p)
        return None if place.value is UNKNOWN else place.active_ok(self.number(n).value)

    def f_ptr_ok(self, immediate, dtype):
        place = self.address(immediate)
        code = self.dtype(dtype)
        return place.value % self.word.align(code) == 0 and place.active_ok(self.channels()) \
            and place.region() is not None \
            and 8 * place.byte() + self.word.type_bits(code) <= 8 * place.active_bytes()

    # patterns

    def n_prod(self, p):
        return self.target(p).product()

    def n_num(self, p, i):
        return self.target(p).num(i[1])

    def n_fold(self, p, dims):
        pattern = self.target(p)
        count = {2: 1, 3: 2, 4: 3, 5: 4}.get(self.number(dims).value, 0)
        if not pattern.shape_known:
            return UNKNOWN
        result = 1
        for i in range(min(count, pattern.dims)):
            result *= pattern.num(i)
        return result

    def f_all_counts(self, p):
        pattern = self.target(p)
        return all(pattern.num(i) >= 1 for i in range(pattern.dims)) if pattern.shape_known \
            else None

    def f_pattern_active(self, p):
        pattern = self.target(p)
        reached = pattern.reached()
        if reached is None:
            return None
        if pattern.address.region() is None or pattern.empty():
            return True
        return reached[0] >= 0 and reached[1] <= 8 * pattern.address.active_bytes()

    def f_one_bank(self, p):
        pattern = self.target(p)
        reached = pattern.reached()
        if reached is None:
            return None
        bank = 8 * self.word.geo("psum_bank_bytes")
        return pattern.empty() or (reached[0] >= 0 and reached[0] // bank == (reached[1] - 1) // bank)

    def f_bf16_pairs(self, p):
        pattern = self.target(p)
        if not pattern.shape_known or pattern.address.value is UNKNOWN:
            return None
        return pattern.num(0) % 2 == 0 and pattern.step(0) == 1 and pattern.address.value % 4 == 0 \
            and all(pattern.step(i) % 2 == 0 for i in range(1, pattern.dims))

    def f_pattern_ok(self, p):
        pattern = self.target(p)
        return Evaluator(self.word, pattern.field).run(f"tensor{pattern.dims}d_valid")

    def n_indirect_count(self, p):
        at = self.target(p).start + 8
        indices = struct.unpack_from("<H", self.word.data, at)[0]
        return indices * self.word.read(self.word.fields["src_num_elem_per_idx"]).value

    # types and operators

    def dtype(self, tree):
        number = self.number(tree)
        return (self.resolve(number) if isinstance(number, Literal) else number).value

    def n_type_of(self, v):
        field = self.field if v[1] == "value" else self.word.fields[v[1]]
        return Num(self.word.type_of(field), "DTYPE")

    def n_src_of(self, v):
        field = self.field if v[1] == "value" else self.word.fields[v[1]]
        return Num(self.word.source_of(field), "IMM_SRC")

    def n_size(self, t):
        return Fraction(self.word.type_bits(self.dtype(t)), 8)

    def n_align(self, t):
        return self.word.align(self.dtype(t))

    def kind(self, t):
        row = self.tables.dtypes.get(self.dtype(t))
        if not row or row["sign"] not in ("s", "u"):
            return None, False
        return ("float" if row["exp_bits"] else "int"), row["sign"] == "s"

    def f_is_int(self, t):
        return self.kind(t)[0] == "int"

    def f_is_float(self, t):
        return self.kind(t)[0] == "float"

    def f_is_signed(self, t):
        return self.kind(t)[1]

    def valid_type(self, t, fp32r, more):
        code = self.dtype(t)
        return code in more or (code not in (0, 1, 12) and (code != 0x0B or bool(fp32r[1]))
                                and code <= 15)

    def f_valid_dtype(self, t, fp32r):
        return self.valid_type(t, fp32r, ())

    def f_valid_dtype64(self, t, fp32r):
        return self.valid_type(t, fp32r, (1, 12))

    def operator(self, o):
        code = self.number(o).value
        row = self.tables.alu.get(code)
        return code, row if row and row[PRESENCE[self.nc]] == "1" else None

    def has_class(self, o, column, more=()):
        code, row = self.operator(o)
        return code in more or bool(row and row[column] == "1")

    def f_general_arith(self, o):
        return self.has_class(o, "general_arith")

    def f_general_bitvec(self, o):
        return self.has_class(o, "general_bitvec")

    def f_int_aluop(self, o):
        return self.has_class(o, "int_aluop")

    def f_dve_int_v5(self, o):
        return self.has_class(o, "int_aluop_dve_v5", (0x00, 0x24))

    def f_bitvec10(self, o):
        return self.has_class(o, "general_bitvec", (0x1C,))

    def f_sign_agrees(self, o, t):
        _, row = self.operator(o)
        if not row:
            return self.f_is_int(t)
        asks = re.search(r"int(?:\((s|u|s\|u)\))?$", row["class"])
        if not self.f_is_int(t):
            return False
        if not asks:
            return True
        if asks[1] in ("s", "u"):
            return self.f_is_signed(t) == (asks[1] == "s")
        first = ("name", "in0_in1_dtype.lo")
        return self.f_is_signed(t) == (self.f_is_signed(first) and self.f_is_int(first))

    def f_scalar_alu_ok(self, o, *types):
        code, row = self.operator(o)
        able = bool(row) and (row["general_arith"] == "1" or row["general_bitvec"] == "1"
                              or row["name"] in ("DIVIDE", "MOD"))
        return able and all(self.dtype(t) in (1, 8, 9, 12) for t in types)

    def n_raw(self, v):
        return self.raw(v)

    def f_fits_bits(self, v, t):
        return self.raw(v) >> min(self.word.type_bits(self.dtype(t)), 32) == 0

    def f_finite(self, v):
        return self.raw(v) >> 23 & 0xFF != 0xFF

    # bytes, groups, DMA

    def f_bytes_zero(self, first, last):
        return not any(self.word.data[first[1]:last[1] + 1])

    def f_present(self, f):
        return self.word.lookup(f[1]) is not None

    def f_each(self, f, members):
        field = self.word.fields[f[1]]
        allowed = set()
        for item in members[1]:
            allowed |= set(range(item[1][1], item[2][1] + 1)) if item[0] == ".." else {item[1]}
        start = self.word.offset(field)
        return all(b in allowed for b in self.word.data[start:start + int(field["size_bytes"])])

    def n_grp_start(self, g):
        return GROUPS.get(self.number(g).value, (NOWHERE,))[0]

    def n_grp_size(self, g):
        return GROUPS.get(self.number(g).value, (0, 0))[1]

    def n_grp_xbus(self, g):
        xbus = GROUPS.get(self.number(g).value, (0, 0, None))[2]
        return NOWHERE if xbus is None else xbus

    def addr8(self, tree):
        """Byte 7 of an ADDR8; None for an index bound, which gates a 32-bit table offset."""
        if tree[0] == "call":  # addr_of(bound register)
            name = self.field["field"] if tree[2][0][1] == "value" else tree[2][0][1]
            side, rest = name.split("_", 1)
            if rest.startswith("idx"):
                return None
            tree = ("name", side + "_start_addr")
        return self.word.data[self.word.offset(self.word.fields[tree[1]]) + 7]

    def n_addr8_marker(self, a):
        return Num(self.addr8(a) & 0xFC, "ADDR8_MARKER")

    def f_addr8_imm(self, a):
        return self.addr8(a) & 0xFC == 0

    def f_shape_reg8(self, a):
        return self.addr8(a) & 0x40 != 0

    def f_offset_wide(self, a):
        byte = self.addr8(a)
        return byte is not None and byte & 0x04 != 0

    def n_boundreg_reg(self, v):
        return self.number(v).value & 63

    def n_boundreg_silent(self, v):
        return self.number(v).value >> 6 & 1

    def n_boundreg_enabled(self, v):
        return self.number(v).value >> 7

    # the rules that README lists as written by hand

    def array(self, name):
        field = self.word.fields[name]
        start = self.word.offset(field)
        return list(self.word.data[start:start + int(field["size_bytes"])])

    def scalar(self, name):
        return self.word.read(self.word.fields[name]).value

    def h_mv_list_ok(self):
        count = min(self.scalar("num_mov"), 8)
        src, dst = self.array("src_registers"), self.array("dst_registers")[:count]
        used = 0 if self.scalar("move_source") == 1 else count
        return len(set(dst)) == len(dst) and not set(dst) & set(src[:used]) and not any(src[used:])

    def h_es_list_ok(self):
        count = min(self.scalar("num_evt_sem"), 16)
        ids = self.array("evt_sem_ids")
        return len(set(ids[:count])) == count and not any(ids[count:])

    def h_mem2d_list_ok(self):
        n0, n1 = self.array("num_elem")
        dtype = self.scalar("dtype")
        if self.scalar("src_datasrc") == 1:
            return n0 * n1 * self.word.type_bits(dtype) <= 256
        return dtype != 1 or all(r % 2 == 0 for r in self.array("data")[:n0 * n1])

    def h_mem2d_region_ok(self):
        start = self.word.offset(self.word.fields["start_addr"])
        raw = struct.unpack_from("<Q", self.word.data, start)[0]
        marker = raw >> 56 & 0xFC
        if marker not in (0x00, 0x40):
            return True
        address = raw & (1 << 58) - 1
        dtype = self.scalar("dtype")
        if address % self.word.align(dtype):
            return False
        n = self.array("num_elem")
        size = self.word.type_bits(dtype) // 8
        if marker == 0x40 or 0 in n or size == 0:
            return True
        steps = struct.unpack_from("<ii", self.word.data,
                                   self.word.offset(self.word.fields["step_elem"]))
        corners = [address + size * (i * steps[0] + j * steps[1])
                   for i in (0, n[0] - 1) for j in (0, n[1] - 1)]
        return min(corners) >= 0 and min(corners) >> 24 == (max(corners) + size - 1) >> 24

    def h_lpa_slots_ok(self):
        select = self.scalar("imm_ptr_select")
        at = self.word.offset(self.word.fields["immediate"])
        for k in range(8):
            place = Address(self.word, at + 4 * k, pointer=True)
            if select >> k & 1 and not (place.region() == "sbuf"
                                        and place.byte() < self.word.geo("sbuf_active_bytes")):
                return False
        return True

    def h_ac2_quadrants_ok(self):
        quadrants = set()
        for name in ("imm0", "imm1", "relu_param"):
            if self.scalar(name + "_src") == 1:
                place = Address(self.word, self.word.offset(self.word.fields[name]), pointer=True)
                quadrants.add(place.part() // 32 if place.region() == "sbuf" else None)
        src = self.word.pattern("src").address
        if src.value is not UNKNOWN and src.region() == "sbuf" and quadrants:
            quadrants.add(src.part() // 32)
        return None not in quadrants and len(quadrants) <= 1

    def h_dma_totals_ok(self):
        sides = []
        for side, dtype in (("src", "in_dtype"), ("dst", "out_dtype")):
            names = [n for n in (f"{side}_num_elem_0", f"{side}_num_elem_1", f"{side}_num_elem")
                     if n in self.word.fields]
            steps = [n for n in (f"{side}_step_elem_0", f"{side}_step_elem_1",
                                 f"{side}_step_elem") if n in self.word.fields]
            count = 1
            for name in names:
                count *= self.scalar(name)
            raw = self.scalar(f"{side}_start_addr")
            marker = raw >> 56 & 0xFC
            sides.append({"count": None if marker & 0x40 else count,
                          "size": self.scalar(f"{side}_elem_size"), "type": self.scalar(dtype),
                          "steps": [] if marker & 0x40 else [self.scalar(n) for n in steps],
                          "address": raw & (1 << 58) - 1 if marker in (0, 0x40) else 0})
        a, b = sides
        counted = a["count"] is not None and b["count"] is not None
        if self.scalar("compute_op") == 0 and a["type"] == b["type"]:
            return not counted or a["count"] * (a["size"] or 65536) == b["count"] * (b["size"] or 65536)
        for side in sides:
            size = Fraction(self.word.type_bits(side["type"]), 8)
            if size == 0 or side["size"] != size.__floor__() or size < 1:
                return False
            if any(n % size for n in [side["address"]] + side["steps"]):
                return False
        return not counted or a["count"] == b["count"]


TRUTH_CALLS = {name[2:] for name in dir(Evaluator) if name.startswith("f_")}


# ---- the validator -----------------------------------------------------------------

class Validator:
    def __init__(self, word):
        self.word, self.tables, self.nc = word, word.tables, word.nc
        self.found = []
        self.evaluated = set()

    def scope(self, rule):
        return self.tables.rules[rule]["struct_or_opcode"].split()

    def speaks(self, rule):
        """Whether a rule of the word's struct or opcode applies."""
        if self.nc not in versions(self.tables.rules[rule]["gens"]):
            return False
        words = self.scope(rule)
        if words[0] in ("lib", "field", "run"):
            return False
        if words[0] == "*":
            return self.word.struct not in words[2:]
        for item in words:
            if item == self.word.struct:
                return True
            match = re.fullmatch(r"0x(..)(?:\.\.0x(..))?", item)
            if match and int(match[1], 16) <= self.word.opcode <= int(match[2] or match[1], 16):
                return True
        return False

    def report(self, rule, field, passed):
        if passed is False:
            self.found.append((rule, field["field"] if field else "-"))

    def word_rule(self, rule, field=None):
        if rule in self.evaluated or rule in ("is_valid_opcode", "opcode_on_engine",
                                              "is_pseudo_op", "disabled_opcode"):
            return
        if rule == self.reserved_name() or not self.speaks(rule):
            return
        self.evaluated.add(rule)
        self.report(rule, field, Evaluator(self.word).run(rule))

    def field_rule(self, rule, field, nibble=None, fp32r_ok=False):
        self.report(rule, field, Evaluator(self.word, field, nibble, fp32r_ok).run(rule))

    def reserved_name(self):
        return f"{self.word.struct.lower()}_reserved_zero"

    def run(self):
        for field in self.word.common:
            if self.word.offset(field) < 4 and field["field"] != "opcode":
                self.check_field(field)
        if not self.admit():
            return self.found
        for field in self.word.common:
            if self.word.offset(field) >= 4:
                self.check_field(field)
        for rule in self.tables.rules:
            if self.scope(rule)[0] == "*":
                self.word_rule(rule)
        for field in self.word.own:
            self.check_field(field)
        for rule in self.tables.rules:
            if self.scope(rule)[0] not in ("*", "lib", "field", "run"):
                self.word_rule(rule)
        if self.word.row["exec"] == "none":
            self.report("NO_LAYOUT", None, False)
        return self.found

    def admit(self):
        word = self.word
        if not word.known:
            self.report("is_valid_opcode", None, False)
            return False
        for rule in ("is_pseudo_op", "disabled_opcode"):
            lowered = word.before_lowering and word.row["engines"] == "HOST"
            if self.speaks(rule) and not lowered:
                self.report(rule, None, False)
                return False
        self.report("opcode_on_engine", None, Evaluator(word).engine_allowed())
        return True

    # constraints

    def check_field(self, field):
        memory_done = False
        for item in filter(None, field["constraint"].split("; ")):
            nibble = None
            if item[:3] in ("lo ", "hi "):
                nibble, item = item[:2], item[3:]
            if item in self.tables.rules:
                self.named_rule(item, field, nibble)
            elif re.match(r"(v\d )?(SBUF|PSUM)(\|PSUM)? (read|write)$", item):
                if not memory_done:
                    self.memory(field)
                memory_done = True
            elif item == "zero":
                self.reserved(field)
            elif item in ("FP32R ok", "not FP32R"):
                self.field_rule("is_valid_dtype", field, nibble, item == "FP32R ok")
            elif item == "no indirect":
                self.field_rule("no_indirect", field)
            elif item.startswith("== "):
                self.equal(field, item[3:])
            elif not item.startswith(("type=", "src=", "channels=")):
                self.legal(field, item, nibble)
        if field["type"] == "data4d":
            nums = struct.unpack_from("<4H", self.word.data, self.word.offset(field) + 12)
            self.report("field_value", field, 0 not in nums)
        if field["type"] == "addrun8":
            mode = self.word.fields["addr_mode." + field["field"][:3]]
            byte = self.word.data[self.word.offset(field) + 3]
            self.report(self.reserved_name(), field,
                        self.word.read(mode).value == 0 or byte == 0)

    def named_rule(self, rule, field, nibble):
        kind = self.scope(rule)[0]
        if rule == "start_addr_active_channels":
            for other in self.word.own:
                if other["type"] in DIMS:
                    self.field_rule(rule, other)
        elif kind == "field":
            nibbles = ("lo", "hi") if field["type"] == "pair" and not nibble else (nibble,)
            for part in nibbles:
                self.field_rule(rule, field, part)
        elif kind not in ("lib", "run"):
            self.word_rule(rule, field)

    def memory(self, field):
        pattern = Pattern(self.word, field)
        for rule in ("addr4_marker", f"tensor{pattern.dims}d_valid", "tensor_start_addr_valid",
                     "addr_in_sbuf_partition", "exec_active_range"):
            self.field_rule(rule, field)
        data, start = self.word.data, pattern.start
        if pattern.mx:
            self.report("field_value", field, pattern.indirect or data[start + 10] in (1, 0xFF))
            scale = pattern.scale()
            self.report("tensor_start_addr_valid", field,
                        scale.value is UNKNOWN or scale.region() == "sbuf")
            reserved = data[start + 14:start + 15] if pattern.indirect else data[start + 12:start + 16]
            self.report(self.reserved_name(), field, not any(reserved))
        elif pattern.dims > 1 and pattern.indirect:
            self.report("field_value", field, any(data[start + 8:start + 10]))

    def reserved(self, field):
        if field["bit_lo"]:
            zero = self.word.read(field).value == 0
        else:
            start = self.word.offset(field)
            zero = not any(self.word.data[start:start + int(field["size_bytes"])])
        self.report(self.reserved_name(), field, zero)

    def equal(self, field, name):
        other = self.word.fields[name]
        order = list(self.word.fields)
        said = self.word.constraint(other, "== ") == field["field"] \
            and order.index(name) < order.index(field["field"])
        if not said:
            self.report("field_type", field,
                        self.word.read(field).value == self.word.read(other).value)

    def legal(self, field, item, nibble):
        for rule in self.tables.rules:
            if self.speaks(rule) and not rule.startswith("is_valid_opcode") \
                    and self.scope(rule)[0] != "*" and field["field"] in self.tables.readers[rule]:
                return
        array = re.fullmatch(r"\w+\[(\d+)\]", field["type"])
        passed = True
        for index in range(int(array[1])) if array else (None,):
            number = self.word.read(field, index).value if array \
                else self.word.value(field, nibble).value
            passed = passed and self.is_legal(field, item, number)
        is_type = field["type"] in ("enum:DTYPE", "pair")
        self.report("field_type" if is_type else "field_value", field, passed)

    def is_legal(self, field, item, number):
        relation = re.fullmatch(r"(>=|<=|!=|>|<) (\S+)", item)
        if relation:
            bound = int(relation[2], 0)
            return {">=": number >= bound, "<=": number <= bound, "!=": number != bound,
                    ">": number > bound, "<": number < bound}[relation[1]]
        enum = field["type"][5:] if field["type"].startswith("enum:") else "DTYPE"
        for part in item.split("|"):
            span = re.fullmatch(r"(\w+)\.\.(\w+)", part)
            if span:
                if int(span[1], 0) <= number <= int(span[2], 0):
                    return True
            elif part[0].isdigit():
                if int(part, 0) == number:
                    return True
            elif self.tables.enums[enum][part][0] == number:
                return True
        return False


# ---- comparison --------------------------------------------------------------------

def compare(tables, line):
    """Line of rules_dump: generation, engine, before, next, word, then rule:field of the library."""
    generation, engine, before, following, text, *theirs = line.split()
    word = Word(tables, generation, None if engine == "any" else engine.upper(), before == "1",
                None if following == "-" else int(following, 16), bytes.fromhex(text))
    ours = [f"{rule}:{field}" for rule, field in Validator(word).run()]
    return ours, theirs, word


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True)
    parser.add_argument("--dump", required=True)
    parser.add_argument("--count", default="3000", help="words a generation")
    parser.add_argument("--seed", default="1")
    args = parser.parse_args()
    tables = Tables(args.data)
    output = subprocess.run([args.dump, args.count, args.seed], check=True, capture_output=True,
                            text=True).stdout
    words = valid = differences = 0
    seen = {}
    for line in output.splitlines():
        ours, theirs, word = compare(tables, line)
        words += 1
        valid += not theirs
        for entry in ours:
            seen.setdefault(entry.split(":")[0], set()).add(word.struct)
        if ours != theirs:
            differences += 1
            if differences <= 10:
                print(f"{word.generation} {word.struct} opcode 0x{word.opcode:02x}: {line[:170]}\n"
                      f"  tables say  {' '.join(ours) or 'valid'}\n"
                      f"  library says {' '.join(theirs) or 'valid'}")
    print(f"{words} words, {valid} without a violation, {len(seen)} rules seen to fail, "
          f"{differences} differences")
    return 1 if differences or words == 0 or len(seen) < 200 else 0


if __name__ == "__main__":
    sys.exit(main())
