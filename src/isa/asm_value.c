/* SPDX-License-Identifier: Apache-2.0 */
/* Values of fields that are no pattern, no immediate and no list. */
#include "isa/asm.h"
#include "isa/lookup.h"
#include "isa_fields.h"
#include "trench/enums.h"

bool trn_asm_close(struct trn_asm *a, char c)
{
    a->at = trn_skip_spaces(a->at);
    if (*a->at != c)
        return trn_asm_error(a, a->at, NULL, "'%c' was expected", c);
    a->at++;
    return true;
}

bool trn_asm_expect(struct trn_asm *a, char c)
{
    if (!trn_asm_close(a, c))
        return false;
    a->at = trn_skip_spaces(a->at);
    return true;
}

static bool literal(struct trn_asm *a, struct trn_literal *out)
{
    const char *problem = NULL;
    const char *end = trn_read_literal(a->at, out, &problem);
    if (!end)
        return trn_asm_error(a, a->at, NULL, "%s", problem);
    a->at = end;
    return true;
}

/* ---- integers and registers -------------------------------------------------------- */

/* Negative numbers only where the field is signed; 0x.. may fill all bits of a signed field. */
static bool fits(const struct trn_literal *number, unsigned bits, bool is_signed)
{
    const uint64_t largest = UINT64_MAX >> (64 - bits);
    if (!is_signed)
        return number->magnitude <= largest && (!number->negative || number->magnitude == 0);
    if (number->negative)
        return number->magnitude <= largest / 2 + 1;
    return number->magnitude <= (number->kind == TRN_LITERAL_BITS ? largest : largest / 2);
}

static struct trn_asm_hint range_of(unsigned bits, bool is_signed)
{
    struct trn_asm_hint hint = {""};
    const uint64_t largest = UINT64_MAX >> (64 - bits);
    char *out = is_signed ? trn_put_signed(hint.text, -(int64_t)(largest / 2) - 1)
                          : trn_put_decimal(hint.text, 0);
    out = trn_put_unsigned(stpcpy(out, ".."), is_signed ? largest / 2 : largest);
    strcpy(out, " is accepted");
    return hint;
}

bool trn_asm_integer(struct trn_asm *a, const char *what, unsigned bits, bool is_signed,
                     uint64_t *out)
{
    const char *at = a->at;
    const char *end = trn_read_small(at, out); /* most numbers */
    if (end && *out <= UINT64_MAX >> (64 - bits + is_signed)) {
        a->at = end;
        return true;
    }
    struct trn_literal number;
    if (!literal(a, &number))
        return false;
    if (number.kind == TRN_LITERAL_FLOAT)
        return trn_asm_error(a, at, "fp32:1.5 gives the bits of a float", "'%s' takes an integer",
                             what);
    if (!fits(&number, bits, is_signed))
        return trn_asm_error(a, at, range_of(bits, is_signed).text,
                             "%s does not fit '%s', which has %u bits",
                             trn_asm_quote(at, (size_t)(a->at - at)).text, what, bits);
    *out = number.negative ? 0 - number.magnitude : number.magnitude;
    return true;
}

bool trn_asm_register(struct trn_asm *a, uint8_t *out)
{
    const char *end = trn_read_register(a->at, out);
    if (!end)
        return trn_asm_error(a, a->at, "r0..r63, r128 and r129 exist", "a register was expected");
    a->at = end;
    return true;
}

/* ---- enums ------------------------------------------------------------------------- */

static bool no_such_member(struct trn_asm *a, enum trn_enum_id id, size_t length)
{
    const struct trn_enum_row *row = &trn_enum_table[id];
    struct trn_asm_choices choices = {.list = "it has "};
    for (unsigned i = 0; i < row->num_members; i++) {
        const struct trn_enum_member *member = &row->members[i];
        if (trn_name_is(member->text, a->at, length) || trn_name_is(member->name, a->at, length))
            return trn_asm_error(a, a->at, trn_asm_who_has(member->isa_mask).text,
                                 "%s '%s' does not exist on %s", row->name, member->text,
                                 a->gen->name);
        if (trn_bits_get(member->isa_mask, a->isa, 1))
            trn_asm_add_choice(&choices, member->text, true);
    }
    return trn_asm_error(a, a->at, trn_asm_suggest(&choices, a->at, length).text,
                         "%s has no member '%s'", row->name, trn_asm_quote(a->at, length).text);
}

bool trn_asm_enum(struct trn_asm *a, enum trn_enum_id id, const char *what, unsigned bits,
                  uint32_t *out)
{
    const char *at = a->at;
    const char *end = trn_skip_name(at);
    if (end == at) {
        uint64_t value;
        if (!trn_asm_integer(a, what, bits, false, &value))
            return false;
        *out = (uint32_t)value;
        return true;
    }
    const struct trn_enum_member *member = trn_enum_by_name(id, at, (size_t)(end - at), a->isa);
    if (!member)
        return no_such_member(a, id, (size_t)(end - at));
    if (member->value > UINT64_MAX >> (64 - bits))
        return trn_asm_error(a, at, NULL, "%s is 0x%x and does not fit '%s', which has %u bits",
                             member->text, member->value, what, bits);
    *out = member->value;
    a->at = end;
    return true;
}

/* in0_in1=fp32/bf16; one name stands for both halves, one number for the whole byte. */
static bool pair(struct trn_asm *a, const struct trn_text_field *field, const char *what)
{
    const enum trn_enum_id id = (enum trn_enum_id)field->enum_id;
    const bool is_number = !trn_char_is(*a->at, TRN_CHAR_FIRST);
    const char *at = a->at;
    uint32_t low = 0, high = 0;
    if (!trn_asm_enum(a, id, what, is_number ? 8 : 4, &low))
        return false;
    uint8_t *byte = a->word.bytes + field->offset;
    if (*a->at != '/') {
        trn_put8(byte, (uint8_t)low);
        if (!is_number)
            trn_pair_dtype_hi_set(byte, 0, (uint8_t)low);
        return true;
    }
    if (low > 15)
        return trn_asm_error(a, at, NULL, "the halves of '%s' have 4 bits", what);
    a->at++;
    if (!trn_asm_enum(a, id, what, 4, &high))
        return false;
    trn_pair_dtype_lo_set(byte, 0, (uint8_t)low);
    trn_pair_dtype_hi_set(byte, 0, (uint8_t)high);
    return true;
}

/* ---- addresses --------------------------------------------------------------------- */

static bool boundreg(struct trn_asm *a, uint8_t *byte, const char *what)
{
    uint8_t number;
    const char *at = a->at;
    const char *end = trn_read_register(at, &number);
    if (!end) {
        uint64_t value;
        if (!trn_asm_integer(a, what, 8, false, &value))
            return false;
        trn_put8(byte, (uint8_t)value);
        return true;
    }
    if (number > 63)
        return trn_asm_error(a, at, "r0..r63 are accepted", "r%u cannot be a bound register",
                             number);
    trn_boundreg_bc_reg_set(byte, 0, number);
    trn_boundreg_bc_enabled_set(byte, 0, 1);
    if (*end == '/') {
        const char *word = end + 1;
        end = trn_skip_name(word);
        if (!trn_name_is("silent", word, (size_t)(end - word)))
            return trn_asm_error(a, word, NULL, "only 'silent' may follow a bound register");
        trn_boundreg_bc_disable_oob_error_notif_set(byte, 0, 1);
    }
    a->at = end;
    return true;
}

/* A number is the whole word, markers included. */
static bool addr4(struct trn_asm *a, uint8_t *bytes, const char *what)
{
    uint8_t number;
    if (!trn_asm_at_space(a) && !trn_read_register(a->at, &number)) {
        uint64_t value;
        if (!trn_asm_integer(a, what, 32, false, &value))
            return false;
        trn_put32(bytes, (uint32_t)value);
        return true;
    }
    struct trn_addr4 addr;
    if (!trn_asm_address(a, &addr))
        return false;
    trn_text_addr4_encode(&addr, bytes);
    return true;
}

static bool addr8_table(struct trn_asm *a, struct trn_text_addr8 *addr)
{
    uint64_t table, offset;
    if (!trn_asm_integer(a, "table", 16, false, &table) || !trn_asm_expect(a, ','))
        return false;
    addr->table = (uint16_t)table;
    const char *end = trn_read_register(a->at, &addr->low);
    if (end) {
        a->at = end;
        addr->form = TRN_ADDR8_TABLE_REG;
        if (memcmp(end, "/wide", 5) == 0) {
            addr->form = TRN_ADDR8_TABLE_WIDE;
            a->at = trn_skip_spaces(a->at + 5);
        }
    } else {
        if (!trn_asm_integer(a, "offset", 32, false, &offset))
            return false;
        addr->form = TRN_ADDR8_TABLE;
        addr->offset = (uint32_t)offset;
    }
    return trn_asm_close(a, ']');
}

static bool addr8_form(struct trn_asm *a, struct trn_text_addr8 *addr, const char *what)
{
    const char *end = trn_read_register(a->at, &addr->low);
    if (end) {
        a->at = end;
        addr->form = TRN_ADDR8_REGISTERS;
        if (*end != '/')
            return trn_asm_error(a, end, "rLOW/rHIGH", "a 64-bit address needs two registers");
        a->at++;
        return trn_asm_register(a, &addr->high);
    }
    if (memcmp(a->at, "table[", 6) == 0) {
        a->at = trn_skip_spaces(a->at + 6);
        return addr8_table(a, addr);
    }
    addr->form = addr->shape_from_register ? TRN_ADDR8_SHAPED : TRN_ADDR8_NUMBER;
    return trn_asm_integer(a, what, addr->shape_from_register ? 58 : 64, false, &addr->number);
}

static bool addr8(struct trn_asm *a, uint8_t *bytes, const char *what)
{
    struct trn_text_addr8 addr = {0};
    addr.shape_from_register = memcmp(a->at, "shape(", 6) == 0;
    if (addr.shape_from_register)
        a->at = trn_skip_spaces(a->at + 6);
    if (!addr8_form(a, &addr, what))
        return false;
    if (addr.shape_from_register && !trn_asm_close(a, ')'))
        return false;
    trn_text_addr8_encode(&addr, bytes);
    return true;
}

/* regs(BASE,OFFSET,INCREMENT,IMMEDIATE) or 64 bits. */
static bool addrun8(struct trn_asm *a, uint8_t *bytes, const char *what)
{
    uint64_t value;
    if (memcmp(a->at, "regs(", 5) != 0) {
        if (!trn_asm_integer(a, what, 64, false, &value))
            return false;
        trn_put64(bytes, value);
        return true;
    }
    a->at = trn_skip_spaces(a->at + 5);
    uint8_t reg[3];
    for (unsigned i = 0; i < 3; i++)
        if (!trn_asm_register(a, &reg[i]) || !trn_asm_expect(a, ','))
            return false;
    if (!trn_asm_integer(a, what, 32, false, &value))
        return false;
    if (!trn_asm_close(a, ')'))
        return false;
    trn_addrun8_base_reg_set(bytes, 0, reg[0]);
    trn_addrun8_offset_reg_set(bytes, 0, reg[1]);
    trn_addrun8_inc_reg_set(bytes, 0, reg[2]);
    trn_addrun8_offset_imm_set(bytes, 0, (uint32_t)value);
    return true;
}

/* ---- scalars ----------------------------------------------------------------------- */

bool trn_asm_float(struct trn_asm *a, const char *what, uint8_t bytes[4])
{
    const char *at = a->at;
    struct trn_literal number;
    if (!literal(a, &number))
        return false;
    if (number.kind == TRN_LITERAL_BITS && !fits(&number, 32, false))
        return trn_asm_error(a, at, range_of(32, false).text,
                             "%s does not fit '%s', which has 32 bits",
                             trn_asm_quote(at, (size_t)(a->at - at)).text, what);
    trn_put32(bytes, number.kind == TRN_LITERAL_BITS ? (uint32_t)number.magnitude
                                                     : trn_literal_fp32(&number));
    return true;
}

static bool integer_field(struct trn_asm *a, const struct trn_text_field *field, const char *what)
{
    const size_t name = (size_t)(trn_skip_name(a->at) - a->at);
    if (field->label_allowed && name)
        return trn_asm_reference(a, field, name);
    uint64_t value;
    if (!trn_asm_integer(a, what, field->bits, field->kind == TRN_TEXT_INT, &value))
        return false;
    trn_text_set(field, a->word.bytes, value);
    return true;
}

static bool register_field(struct trn_asm *a, const struct trn_text_field *field, const char *what)
{
    if (trn_char_is(*a->at, TRN_CHAR_DIGIT))
        return integer_field(a, field, what);
    return trn_asm_register(a, a->word.bytes + field->offset);
}

static bool enum_field(struct trn_asm *a, const struct trn_text_field *field, const char *what)
{
    uint32_t value;
    if (!trn_asm_enum(a, (enum trn_enum_id)field->enum_id, what, field->bits, &value))
        return false;
    trn_text_set(field, a->word.bytes, value);
    return true;
}

bool trn_asm_value(struct trn_asm *a, const struct trn_text_field *field)
{
    const char *name = field->name;
    uint8_t *bytes = a->word.bytes + field->offset;
    switch (field->kind) {
    case TRN_TEXT_UINT:
    case TRN_TEXT_INT:
        return integer_field(a, field, name);
    case TRN_TEXT_RESERVED:
        return trn_asm_at_hex(a) ? trn_asm_hex(a, bytes, field->size)
                                 : integer_field(a, field, name);
    case TRN_TEXT_FLOAT:
        return trn_asm_float(a, name, bytes);
    case TRN_TEXT_REG:
        return register_field(a, field, name);
    case TRN_TEXT_ENUM:
        return enum_field(a, field, name);
    case TRN_TEXT_PAIR:
        return pair(a, field, name);
    case TRN_TEXT_BOUNDREG:
        return boundreg(a, bytes, name);
    case TRN_TEXT_ADDR4:
        return addr4(a, bytes, name);
    case TRN_TEXT_ADDR8:
        return addr8(a, bytes, name);
    case TRN_TEXT_ADDRUN8:
        return addrun8(a, bytes, name);
    case TRN_TEXT_IMM:
        return trn_asm_imm(a, field);
    case TRN_TEXT_LIST:
        return trn_asm_list(a, field);
    case TRN_TEXT_STRING:
        return trn_asm_string(a, field);
    case TRN_TEXT_CCINSTS:
        return trn_asm_ccinsts(a, field);
    case TRN_TEXT_BYTES:
        return trn_asm_hex(a, bytes, field->size);
    default:
        return trn_asm_pattern(a, field);
    }
}
