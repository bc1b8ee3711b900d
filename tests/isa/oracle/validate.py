# SPDX-License-Identifier: Apache-2.0
"""What a word breaks, in the order of the contract (README, sections 3 and 4)."""
import re
import struct

from evaluate import Evaluator
from word import DIMS, UNKNOWN, Pattern, versions


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
            first, end = (14, 15) if pattern.indirect else (12, 16)
            self.report(self.reserved_name(), field, not any(data[start + first:start + end]))
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
