# SPDX-License-Identifier: Apache-2.0
"""The value of one rule on one word; None where a register decides."""
import re
import struct
from fractions import Fraction

from word import (DIMS, NOWHERE, PRESENCE, UNKNOWN, Address, Literal, Num, Pattern, versions)

#: row and column groups of the PE array, pe-array.md 2.1: start, size, xbus_sel
GROUPS = {0xF: (0, 128, 0x10), 0x3: (0, 64, 1), 0xC: (64, 64, 4), 0x1: (0, 32, 1),
          0x2: (32, 32, 2), 0x4: (64, 32, 4), 0x8: (96, 32, None)}

# ---- three-valued logic --------------------------------------------------------------

def both(a, b):
    if a is False or b is False:
        return False
    return None if a is None or b is None else True


def negate(a):
    return None if a is None else not a


def either(a, b):
    return negate(both(negate(a), negate(b)))


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
        inside = reached[0] >= 0 and reached[0] // bank == (reached[1] - 1) // bank
        return pattern.empty() or inside

    def f_bf16_pairs(self, p):
        pattern = self.target(p)
        if not pattern.shape_known or pattern.address.value is UNKNOWN:
            return None
        return pattern.num(0) % 2 == 0 and pattern.step(0) == 1 and pattern.address.value % 4 == 0 \
            and all(pattern.step(i) % 2 == 0 for i in range(1, pattern.dims))

    def f_pattern_ok(self, p):
        pattern = self.target(p)
        return Evaluator(self.word, pattern.field).run(f"tensor{pattern.dims}d_valid")

    def n_mx_containers(self, p):
        num = self.descriptor(p[1])["num"]
        return num[0] * num[1]

    def descriptor(self, name):
        """An MXTENSOR_V2 by the offsets of isa-core.md 6."""
        at = self.word.pattern(name).start
        data = self.word.data
        steps = struct.unpack_from("<hh", data, at + 10)
        return {"num": data[at + 8:at + 10], "data_step": steps[0], "scale_step": steps[1],
                "p": data[at + 14] & 15, "f": data[at + 14] >> 4, "scale_dtype": data[at + 15],
                "scale": Address(self.word, at + 4)}

    def contained(self, place, num, step, size):
        """Bytes of all elements from a place on, inside the active bytes of the partition."""
        starts = [place.byte() + size * (i + j * step) for i in (0, num[0] - 1) for j in (0, num[1] - 1)]
        return 0 in num or (min(starts) >= 0
                            and max(starts) + size <= self.word.geo("sbuf_active_bytes"))

    def h_mx_v2_data_ok(self):
        src = self.word.pattern("src")
        if not src.descriptor or src.address.value is UNKNOWN or src.address.region() != "sbuf":
            return True
        form, size = self.descriptor("src"), 2 if self.scalar("in_dtype") in (0x10, 0x12) else 4
        return src.address.value % size == 0 \
            and self.contained(src.address, form["num"], form["data_step"], size)

    def h_mx_v2_scales_ok(self):
        src = self.word.pattern("src")
        if not src.descriptor:
            return True
        form = self.descriptor("src")
        scale = form["scale"]
        if (form["scale_dtype"], form["p"], form["f"]) != (0x13, 3, 2) or scale.value is UNKNOWN:
            return True
        if scale.region() != "sbuf" or scale.part() % 32 not in (0, 4, 8, 12):
            return False
        apart = src.address.value is not UNKNOWN and src.address.region() == "sbuf" \
            and src.address.part() // 32 != scale.part() // 32
        return not apart and self.contained(scale, form["num"], form["scale_step"], 1)

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
        if tree[1] == "value":
            return self.addr8_bytes(tree)[7]
        return self.word.data[self.word.offset(self.word.fields[tree[1]]) + 7]

    def addr8_bytes(self, a):
        field = self.field if a[1] == "value" else self.word.fields[a[1]]
        return self.word.data[self.word.offset(field):][:8]

    def n_addr8_byte(self, a, i):
        return self.addr8_bytes(a)[i[1]]

    def f_addr8_zero(self, a, first, last):
        body = self.addr8_bytes(a)
        return not any(b & 0x03 if i == 7 else b
                       for i, b in enumerate(body) if first[1] <= i <= last[1])

    def f_soc_sbuf(self, a):
        address = int.from_bytes(self.addr8_bytes(a), "little")
        return any(0 <= address - base < self.word.geo("sbuf_size")
                   for base in self.tables.sbuf_bases[self.nc])

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
            totals = [side["count"] * (side["size"] or 65536) for side in sides] if counted else []
            return len(set(totals)) <= 1
        for side in sides:
            size = Fraction(self.word.type_bits(side["type"]), 8)
            if size == 0 or side["size"] != size.__floor__() or size < 1:
                return False
            if any(n % size for n in [side["address"]] + side["steps"]):
                return False
        return not counted or a["count"] == b["count"]


TRUTH_CALLS = {name[2:] for name in dir(Evaluator) if name.startswith("f_")}
