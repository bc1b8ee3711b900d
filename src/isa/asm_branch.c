/* SPDX-License-Identifier: Apache-2.0 */
/* The short form of COMPARE_BRANCH: `branch ge r3 10 loop`. */
#include "isa/asm.h"
#include "isa/text_branch.h"
#include "isa_fields.h"

static const char short_form[] = "branch always TARGET, or branch OP[.TYPE] rA rB|NUMBER TARGET";

static const struct trn_text_field *field_named(const struct trn_asm *a, const char *name)
{
    const struct trn_text_layout *layout = a->word.layout;
    for (unsigned i = 0; i < layout->num_plain; i++)
        if (strcmp(layout->fields[i].name, name) == 0)
            return &layout->fields[i];
    return NULL;
}

/* Set a field that the short form covers. */
static void set(struct trn_asm *a, const char *name, uint64_t value)
{
    const struct trn_text_field *field = field_named(a, name);
    trn_text_set(field, a->word.bytes, value);
    trn_asm_take(a, field, a->at);
}

/* The condition and the type: `ge`, `lt.fp32`. */
struct condition {
    const char *at;
    size_t length;
    uint8_t dtype;
};

static bool read_condition(struct trn_asm *a, struct condition *out)
{
    out->at = a->at = trn_skip_spaces(a->at);
    const char *end = trn_skip_name(a->at);
    const char *point = memchr(a->at, '.', (size_t)(end - a->at));
    const char *suffix = point ? point : end;
    out->length = (size_t)(suffix - a->at);
    const int dtype = trn_branch_dtype(suffix, (size_t)(end - suffix));
    if (out->length == 0)
        return trn_asm_error(a, a->at, short_form, "a condition was expected");
    if (dtype < 0)
        return trn_asm_error(a, suffix, ".int32, .uint32 or .fp32",
                             "branches do not compare as '%s'",
                             trn_asm_quote(suffix, (size_t)(end - suffix)).text);
    out->dtype = (uint8_t)dtype;
    a->at = trn_skip_spaces(end);
    return true;
}

static bool no_such_condition(struct trn_asm *a, const struct condition *condition)
{
    static const char *const names[] = {"always", "lt", "le", "eq", "ne", "ge", "gt"};
    struct trn_asm_choices choices = {.list = "one of "};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        trn_asm_add_choice(&choices, names[i], true);
    return trn_asm_error(
        a, condition->at, trn_asm_suggest(&choices, condition->at, condition->length).text,
        "no branch condition is named '%s'", trn_asm_quote(condition->at, condition->length).text);
}

static bool set_condition(struct trn_asm *a, const struct condition *condition,
                          enum trn_branch_operands operands)
{
    const int compare_op = trn_branch_find(condition->at, condition->length, operands);
    if (compare_op < 0)
        return no_such_condition(a, condition);
    set(a, "compare_op", (uint64_t)compare_op);
    set(a, "dtype", condition->dtype);
    return true;
}

static bool read_number(struct trn_asm *a, uint8_t dtype)
{
    uint64_t value;
    uint8_t bits[4];
    if (dtype == TRN_DTYPE_FP32) {
        if (!trn_asm_float(a, "branch", bits))
            return false;
        value = trn_get32(bits);
    } else if (!trn_asm_integer(a, "branch", 32, dtype == TRN_DTYPE_INT32, &value)) {
        return false;
    }
    set(a, "cmp_immediate", (uint32_t)value);
    return true;
}

/* rA and what it is compared with. */
static bool read_operands(struct trn_asm *a, const struct condition *condition)
{
    uint8_t left, right;
    if (!trn_asm_register(a, &left))
        return false;
    a->at = trn_skip_spaces(a->at);
    const bool is_register = trn_read_register(a->at, &right);
    if (!set_condition(a, condition, is_register ? TRN_BRANCH_REGISTERS : TRN_BRANCH_IMMEDIATE))
        return false;
    set(a, "cmp_reg0", left);
    if (!is_register)
        return read_number(a, condition->dtype);
    set(a, "cmp_reg1", right);
    return trn_asm_register(a, &right);
}

static void set_target_mode(struct trn_asm *a, uint8_t mode)
{
    set(a, "target_mode", mode);
}

/* `.+64`, `.-64` (bytes from this word) or `.+r5`. */
static bool relative_target(struct trn_asm *a)
{
    uint8_t reg;
    a->at++;
    const char *end = *a->at == '+' ? trn_read_register(a->at + 1, &reg) : NULL;
    if (end) {
        a->at = end;
        set_target_mode(a, TRN_BR_TARGET_MODE_REL_REGISTER);
        set(a, "target_reg_lo", reg);
        return true;
    }
    uint64_t offset;
    if (*a->at != '+' && *a->at != '-')
        return trn_asm_error(a, a->at, ".+BYTES, .-BYTES or .+rN", "a distance was expected");
    if (!trn_asm_integer(a, "target", 32, true, &offset))
        return false;
    set_target_mode(a, TRN_BR_TARGET_MODE_REL_IMMEDIATE);
    set(a, "br_immediate", (uint32_t)offset);
    return true;
}

/* rLOW/rHIGH: an absolute address in two registers. */
static bool register_target(struct trn_asm *a, const char *end, uint8_t low)
{
    uint8_t high;
    a->at = end;
    if (*end != '/')
        return trn_asm_error(a, end, "rLOW/rHIGH", "a target address needs two registers");
    a->at++;
    if (!trn_asm_register(a, &high))
        return false;
    set_target_mode(a, TRN_BR_TARGET_MODE_REGISTER);
    set(a, "target_reg_lo", low);
    set(a, "target_reg_hi", high);
    return true;
}

static bool read_target(struct trn_asm *a)
{
    a->at = trn_skip_spaces(a->at);
    if (*a->at == '.')
        return relative_target(a);
    uint8_t low;
    const char *end = trn_read_register(a->at, &low);
    if (end)
        return register_target(a, end, low);
    const size_t length = (size_t)(trn_skip_name(a->at) - a->at);
    if (length) {
        const struct trn_text_field *field = field_named(a, "br_immediate");
        set_target_mode(a, TRN_BR_TARGET_MODE_REL_IMMEDIATE);
        return trn_asm_take(a, field, a->at) && trn_asm_reference(a, field, length);
    }
    if (trn_char_is(*a->at, TRN_CHAR_END))
        return trn_asm_error(a, a->at, "a label, .+BYTES, an address or rLOW/rHIGH",
                             "the branch has no target");
    uint64_t address;
    if (!trn_asm_integer(a, "target", 64, false, &address))
        return false;
    set_target_mode(a, TRN_BR_TARGET_MODE_ABS_IMMEDIATE);
    set(a, "br_immediate", address);
    return true;
}

bool trn_asm_branch_operands(struct trn_asm *a)
{
    struct condition condition;
    if (!read_condition(a, &condition))
        return false;
    uint8_t reg;
    const bool has_operands =
        trn_read_register(a->at, &reg) &&
        trn_branch_find(condition.at, condition.length, TRN_BRANCH_NOTHING) < 0;
    const bool good = has_operands ? read_operands(a, &condition)
                                   : set_condition(a, &condition, TRN_BRANCH_NOTHING);
    return good && read_target(a);
}
