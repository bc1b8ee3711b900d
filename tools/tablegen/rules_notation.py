# SPDX-License-Identifier: Apache-2.0
"""Functions and numbers of the notation (README, section 4), each as what it compiles to: a Truth
or a Number made from a rule (rules_compile.Rule) and the trees of its arguments.
"""
import rules_parse as tree
from rules_facts import GROUP_SIZE, GROUP_START, GROUP_XBUS
from rules_layout import NO_PLACE, Refuse, memory_of, zero_test
from rules_values import FALSE, Number, c_integer, decided, test

def valid_dtype(rule, code, fp32r_node, name):
    """is_valid_dtype or is_valid_dtype_64 of a number, with fp32r_ok as given."""
    inner = type(rule)(rule.layout, rule.where, rule.opcodes)
    inner.given = rule.number(code)
    inner.fp32r_ok = bool(rule.number(fp32r_node).constant)
    return inner.truth_name(name)


def operator_in(rule, node, values):
    return rule.is_one_of(rule.number(node, "ALU_OP"), values)


def dtype_in(rule, node, name):
    return rule.is_one_of(rule.number(node, "DTYPE"), rule.facts.dtype_class(name))


def sign_agrees(rule, operator, dtype):
    """TT2: the type is an integer of the signedness the operator asks for; operators that take
    both want every operand as in0_in1_dtype.lo is."""
    op, code = rule.number(operator), rule.number(dtype)
    integer = rule.facts.dtype_class("is_int")
    signed = integer & rule.facts.dtype_class("is_signed")
    first = rule.is_one_of(rule.number(tree.Name("in0_in1_dtype.lo")), signed)
    is_signed = rule.is_one_of(code, signed)
    is_int = rule.is_one_of(code, integer)

    def wants(sign):
        return rule.is_one_of(op, rule.facts.operators_of_sign(sign, rule.isa))
    return is_int & (~wants("s") | is_signed) & (~wants("u") | ~is_signed) \
        & (~wants("") | is_signed.same(first))


def scalar_alu_ok(rule, operator, *dtypes):
    """The sequencer's ALU: integers of 32 and 64 bits, and the operators of the vector band
    that mean something on them (vector-ops.md 1; the exact list is a model choice)."""
    operators = rule.facts.operators("general_arith", rule.isa) \
        | rule.facts.operators("general_bitvec", rule.isa) \
        | {rule.facts.member_value("ALU_OP", name) for name in ("DIVIDE", "MOD")}
    words = {rule.facts.member_value("DTYPE", name)
             for name in ("INT32", "UINT32", "INT64", "UINT64")}
    result = operator_in(rule, operator, operators)
    for dtype in dtypes:
        result = result & rule.is_one_of(rule.number(dtype, "DTYPE"), words)
    return result


def pattern_ok(rule, node):
    """The tensorNd_valid of the pattern's size, with the field's own memory and direction."""
    pattern = rule.operand_pattern(node)
    inner = type(rule)(rule.layout, rule.where, rule.opcodes, pattern.field)
    inner.memory = memory_of(rule.facts, pattern.field, rule.isa)
    return inner.truth_name(f"tensor{pattern.dims}d_valid")


def ptr_ok(rule, immediate, dtype):
    code = rule.number(dtype)
    value = rule.raw_word(immediate)
    return decided(f"trn_rule_ptr_ok(c->gen, {value}, {rule.dtype_align(code).c}, "
                   f"{rule.dtype_bits(code).c}, {rule.channels().c})")


def pattern_call(rule, function, node, *more, needs=("addr", "shape")):
    pattern = rule.operand_pattern(node)
    flags = {"addr": pattern.addr_known, "shape": pattern.shape_known}
    base = pattern.field.base
    arguments = [f"&{pattern.ident}",
                 pattern.bytes(rule.facts.part_offset(base, "step_elem")),
                 pattern.bytes(rule.facts.part_offset(base, "num_elem")),
                 f"{pattern.dims}u", *more]
    return test(f"{function}(c->gen, {', '.join(arguments)})", {flags[n] for n in needs})


def extent_call(rule, function, node):
    pattern = rule.operand_pattern(node)
    bits = rule.dtype_bits(rule.type_code(pattern.field)).c
    if pattern.field.base == "mx1d":
        function += "_mx"
    return pattern_call(rule, function, node, bits)


def address_in(rule, node, region):
    place, needs = rule.place(node)
    return test(f"({place}.space == {region})", needs)


def place_number(rule, node, member, high):
    place, needs = rule.place(node)
    return Number(f"{place}.{member}", 0, high, needs=needs)


def quadrant(rule, node):
    part = place_number(rule, node, "part", NO_PLACE)
    return Number(f"({part.c} / 32u)", 0, NO_PLACE // 32, needs=part.needs)


def addr8_field(rule, node):
    field = rule.field if node.text == "value" else rule.need_field(node.text)[0]
    if field.base != "addr8":
        raise Refuse(f"'{node.text}' is not an ADDR8")
    return field


def addr8_byte(rule, node):
    """Marker byte of an ADDR8 field."""
    if isinstance(node, tree.Call) and node.name == "addr_of":
        node = gated_address(rule, node.args[0])
        if node is None:
            return None
    offset = addr8_field(rule, node).offsets[rule.isa] + rule.facts.part_offset("addr8", "marker")
    return f"w[{offset}]"


def addr8_part(rule, node, index):
    """Byte `index` of an ADDR8 field."""
    offset = addr8_field(rule, node).offsets[rule.isa] + rule.number(index).constant
    return Number(f"w[{offset}]", 0, 255)


def addr8_zero(rule, node, first, last):
    """Bytes first..last are 0; of the last byte those bits that are not the marker's."""
    field, end = addr8_field(rule, node), rule.number(last).constant
    start = field.offsets[rule.isa]
    marker = rule.facts.part_offset("addr8", "marker")
    body = zero_test(start + rule.number(first).constant, start + min(end, marker - 1))
    if end < marker:
        return decided(body)
    return decided(f"({body} && (w[{start + marker}] & 0x03u) == 0)")


def soc_sbuf(rule, node):
    """An immediate address in the SBUF of some core (apertures.csv)."""
    address = rule.layout.value(addr8_field(rule, node)).c
    size = "c->gen->sbuf_size"
    return decided("(" + " || ".join(f"({address} - {base:#x}u < {size})"
                                     for base in rule.facts.sbuf_bases(rule.isa)) + ")")


def gated_address(rule, node):
    """The address a bound register gates; an index bound gates a table offset of 32 bits."""
    field = rule.field if node.text == "value" else rule.need_field(node.text)[0]
    side, _, rest = field.name.partition("_")
    return None if rest.startswith("idx_") else tree.Name(f"{side}_start_addr")


def addr8_bit(rule, node, bit):
    byte = addr8_byte(rule, node)
    return decided(f"(({byte} & {bit:#x}u) != 0)") if byte else FALSE


def bound_bits(rule, node, low, bits):
    number = rule.number(node)
    return Number(f"({number.c} >> {low} & {(1 << bits) - 1:#x}u)", 0, (1 << bits) - 1)


def bytes_zero(rule, first, last):
    return decided(zero_test(rule.number(first).constant, rule.number(last).constant))


def each(rule, node, members):
    field, _ = rule.need_field(node.text)
    if field.base not in ("u8", "reg"):
        raise Refuse("each() takes an array of bytes")
    values = rule.set_values(members, field.enum)
    return decided(f"rule_each(w + {field.offsets[rule.isa]}, {field.count}u, "
                   f"{rule.layout.sets.name(values)})")


def moving_count(rule):
    product = rule.product(rule.operand_pattern(tree.Name("src")))
    if not rule.find_field("perf_opt"):
        return product
    double = rule.facts.member_value("PE_PERF_OPT", "DOUBLE_ROW")
    mode = rule.number(tree.Name("perf_opt"))
    return Number(f"rule_moving_count({product.c}, {mode.c} == {double}u)", 0, (1 << 64) - 1,
                  needs=product.needs)


def result_align(rule):
    pattern = rule.operand_pattern(tree.Name("dst"))
    bits = rule.dtype_bits(rule.type_code(pattern.field))
    return Number(f"({bits.c} == 16u ? 2u : 4u)", 2, 4, power_of_two=True)


def group(rule, node, table, absent):
    """Start, size or xbus_sel of a row or column group (pe-array.md 2.1)."""
    code = rule.number(node)
    text = c_integer(absent)
    for value, result in sorted(table.items(), reverse=True):
        text = f"{code.c} == {value}u ? {c_integer(result)} : {text}"
    return Number(f"({text})", 0, max(absent, *table.values()))


def indirect_count(rule, node):
    pattern = rule.operand_pattern(node)
    at = pattern.bytes(rule.facts.part_offset("indirect", "num_elem"))
    each = rule.number(tree.Name("src_num_elem_per_idx"))
    return Number(f"((uint64_t)trn_get16({at}) * {each.c})", 0, 65535 * 255)


def mx_containers(rule, node):
    pattern = rule.operand_pattern(node)
    at = pattern.bytes(rule.facts.part_offset("mxtensor_v2", "num_elem"))
    return Number(f"((uint32_t)({at})[0] * ({at})[1])", 0, 255 * 255)


def fold(rule, node, dimension):
    pattern = rule.operand_pattern(node)
    product = rule.product(pattern)
    counts = [rule.count(pattern, i).c for i in range(pattern.dims)] + ["1u"] * 4
    return Number(f"rule_fold({rule.number(dimension).c}, {', '.join(counts[:4])})", 0,
                  product.high, needs=product.needs)


def address_number(rule, node):
    return place_number(rule, node, "addr", 0xFFFFFFFF)


NAMED_NUMBERS = {
    "nc": lambda r: r.layout.version(),
    "opcode": lambda r: r.opcode(),
    "channels": lambda r: r.channels(),
    "ts_ptr_dtype": lambda r: r.pointer_type(),
    "mm_moving_count": moving_count,
    "mm_dst_align": result_align,
    "src_shape_number": lambda r: r.shape_number("src"),
    "dst_shape_number": lambda r: r.shape_number("dst"),
    "next_opcode": lambda r: Number("c->next_opcode", 0, 0xFFFF),
}

NUMBERS = {
    "prod": lambda r, p: r.product(r.operand_pattern(p)),
    "fold": fold,
    "num": lambda r, p, i: r.count(r.operand_pattern(p), r.number(i).constant),
    "addr": address_number,
    "part": lambda r, p: place_number(r, p, "part", NO_PLACE),
    "byte": lambda r, p: place_number(r, p, "byte", 0xFFFFFFFF),
    "quadrant": quadrant,
    "active": lambda r, nc: Number("c->gen->sbuf_active_bytes", 0, 0xFFFFFFFF),
    "marker": lambda r, v: Number(f"({r.raw_word(v)} >> 24 & 0xE0u)", 0, 0xE0),
    "type_of": lambda r, v: r.type_code(r.field if v.text == "value" else r.need_field(v.text)[0]),
    "src_of": lambda r, v: r.source_code(v),
    "size": lambda r, t: r.dtype_bits(r.number(t)),
    "align": lambda r, t: r.dtype_align(r.number(t)),
    "raw": lambda r, v: Number(r.raw_word(v), 0, 0xFFFFFFFF),
    "grp_start": lambda r, g: group(r, g, GROUP_START, NO_PLACE),
    "grp_size": lambda r, g: group(r, g, GROUP_SIZE, 0),
    "grp_xbus": lambda r, g: group(r, g, GROUP_XBUS, NO_PLACE),
    "indirect_count": indirect_count,
    "mx_containers": mx_containers,
    "addr8_marker": lambda r, a: Number(f"({addr8_byte(r, a)} & 0xFCu)", 0, 0xFC),
    "addr8_byte": addr8_part,
    "boundreg_reg": lambda r, v: bound_bits(r, v, 0, 6),
    "boundreg_silent": lambda r, v: bound_bits(r, v, 6, 1),
    "boundreg_enabled": lambda r, v: bound_bits(r, v, 7, 1),
}

TRUTHS = {
    "present": lambda r, f: decided(r.find_field(f.text) is not None),
    "in_sbuf": lambda r, p: address_in(r, p, "RULE_SBUF"),
    "in_psum": lambda r, p: address_in(r, p, "RULE_PSUM"),
    "addr_reg": lambda r, v: decided(f"(({r.raw_word(v)} >> 24 & 0xA0u) == 0x80u)"),
    "shape_reg": lambda r, v: decided(f"(({r.raw_word(v)} >> 24 & 0x40u) != 0)"),
    "indirect": lambda r, v: decided(f"(({r.raw_word(v)} >> 24 & 0x60u) == 0x20u)"),
    "mx_marker": lambda r, v: decided(f"(({r.raw_word(v)} >> 24 & 0x1Fu) == 0x01u)"),
    "reg_ok": lambda r, v: r.reg_ok(v),
    "active_ok": lambda r, p, n: test(
        f"trn_rule_active_ok(c->gen, {r.place(p)[0]}, {r.number(n).c})", r.place(p)[1]),
    "pattern_active": lambda r, p: extent_call(r, "rule_pattern_active", p),
    "one_bank": lambda r, p: extent_call(r, "rule_one_bank", p),
    "bf16_pairs": lambda r, p: pattern_call(r, "rule_bf16_pairs", p),
    "all_counts": lambda r, p: pattern_call(r, "rule_all_counts", p, needs=("shape",)),
    "pattern_ok": pattern_ok,
    "ptr_ok": ptr_ok,
    "is_int": lambda r, t: dtype_in(r, t, "is_int"),
    "is_float": lambda r, t: dtype_in(r, t, "is_float"),
    "is_signed": lambda r, t: dtype_in(r, t, "is_signed"),
    "valid_dtype": lambda r, t, ok: valid_dtype(r, t, ok, "is_valid_dtype"),
    "valid_dtype64": lambda r, t, ok: valid_dtype(r, t, ok, "is_valid_dtype_64"),
    "general_arith": lambda r, o: operator_in(r, o, r.facts.operators("general_arith", r.isa)),
    "general_bitvec": lambda r, o: operator_in(r, o, r.facts.operators("general_bitvec", r.isa)),
    "int_aluop": lambda r, o: operator_in(r, o, r.facts.operators("int_aluop", r.isa)),
    "dve_int_v5": lambda r, o: operator_in(
        r, o, r.facts.operators("int_aluop_dve_v5", r.isa)
        | {r.facts.member_value("ALU_OP", n) for n in ("BYPASS", "SYMMETRIC_CLAMP")}),
    "bitvec10": lambda r, o: operator_in(
        r, o, r.facts.operators("general_bitvec", r.isa)
        | {r.facts.member_value("ALU_OP", "CRC32")}),
    "sign_agrees": sign_agrees,
    "fits_bits": lambda r, x, t: decided(
        f"rule_fits({r.raw_word(x)}, {r.dtype_bits(r.number(t)).c})"),
    "finite": lambda r, x: decided(f"rule_finite({r.raw_word(x)})"),
    "bytes_zero": bytes_zero,
    "each": each,
    "shape_reg8": lambda r, a: addr8_bit(r, a, 0x40),
    "addr8_zero": addr8_zero,
    "soc_sbuf": soc_sbuf,
    "addr8_imm": lambda r, a: decided(f"(({addr8_byte(r, a)} & 0xFCu) == 0)"),
    "offset_wide": lambda r, a: addr8_bit(r, a, 0x04),
    "scalar_alu_ok": scalar_alu_ok,
}
