/* SPDX-License-Identifier: Apache-2.0 */
/* Values of fields, without their labels. */
#include "isa/dis.h"
#include "isa_fields.h"
#include "trench/enums.h"

char *trn_dis_register(uint64_t number, char *out)
{
    *out++ = 'r';
    return trn_put_decimal(out, number);
}

static char *put_pair(const struct trn_dis *word, const struct trn_text_field *field, char *out)
{
    const uint8_t *byte = word->bytes + field->offset;
    const enum trn_enum_id id = (enum trn_enum_id)field->enum_id;
    out = trn_dis_enum(word, id, trn_pair_dtype_lo(byte, 0), out);
    *out++ = '/';
    return trn_dis_enum(word, id, trn_pair_dtype_hi(byte, 0), out);
}

/* rN when enabled, rN/silent when it also posts no record; anything else is raw. */
static char *put_boundreg(const uint8_t *byte, char *out)
{
    if (!trn_boundreg_bc_enabled(byte, 0))
        return trn_put_hex(out, *byte);
    out = trn_dis_register(trn_boundreg_bc_reg(byte, 0), out);
    return trn_boundreg_bc_disable_oob_error_notif(byte, 0) ? stpcpy(out, "/silent") : out;
}

static char *put_addr4(const struct trn_dis *word, const uint8_t *bytes, char *out)
{
    const struct trn_addr4 addr = trn_addr4_decode(bytes);
    if (!trn_text_addr4_is_plain(&addr, bytes))
        return trn_put_hex(out, trn_get32(bytes));
    return trn_dis_address(word->gen, &addr, out);
}

/* r4/r5, table[3,0x40], table[3,r7], table[3,r7/wide], shape(any of them); else the 64 bits. */
static char *put_addr8(const uint8_t *bytes, char *out)
{
    const struct trn_text_addr8 addr = trn_text_addr8_decode(bytes);
    if (addr.shape_from_register)
        out = stpcpy(out, "shape(");
    switch (addr.form) {
    case TRN_ADDR8_REGISTERS:
        out = trn_dis_register(addr.low, out);
        *out++ = '/';
        out = trn_dis_register(addr.high, out);
        break;
    case TRN_ADDR8_TABLE:
    case TRN_ADDR8_TABLE_REG:
    case TRN_ADDR8_TABLE_WIDE:
        out = trn_put_decimal(stpcpy(out, "table["), addr.table);
        *out++ = ',';
        out = addr.form == TRN_ADDR8_TABLE ? trn_put_hex(out, addr.offset)
                                           : trn_dis_register(addr.low, out);
        out = stpcpy(out, addr.form == TRN_ADDR8_TABLE_WIDE ? "/wide]" : "]");
        break;
    default:
        out = trn_put_unsigned(out, addr.number);
        break;
    }
    if (addr.shape_from_register)
        *out++ = ')';
    return out;
}

/* regs(base,offset,increment,immediate) unless the address mode says that it is 64 plain bits. */
static char *put_addrun8(const struct trn_dis *word, const struct trn_text_field *field, char *out)
{
    const uint8_t *bytes = word->bytes + field->offset;
    uint8_t again[8] = {0};
    trn_addrun8_base_reg_set(again, 0, trn_addrun8_base_reg(bytes, 0));
    trn_addrun8_offset_reg_set(again, 0, trn_addrun8_offset_reg(bytes, 0));
    trn_addrun8_inc_reg_set(again, 0, trn_addrun8_inc_reg(bytes, 0));
    trn_addrun8_offset_imm_set(again, 0, trn_addrun8_offset_imm(bytes, 0));
    const uint64_t mode = trn_text_get(&word->layout->fields[field->type_field], word->bytes);
    if (mode == TRN_DMA_ADDR_MODE_IMM64 || memcmp(again, bytes, sizeof again) != 0)
        return trn_put_unsigned(out, trn_get64(bytes));
    out = trn_dis_register(trn_addrun8_base_reg(bytes, 0), stpcpy(out, "regs("));
    *out++ = ',';
    out = trn_dis_register(trn_addrun8_offset_reg(bytes, 0), out);
    *out++ = ',';
    out = trn_dis_register(trn_addrun8_inc_reg(bytes, 0), out);
    *out++ = ',';
    out = trn_put_unsigned(out, trn_addrun8_offset_imm(bytes, 0));
    *out++ = ')';
    return out;
}

/* Escapes keep every byte; the zeros at the end of the array go without saying. */
static char *put_string(const uint8_t *bytes, size_t size, char *out)
{
    while (size && bytes[size - 1] == 0)
        size--;
    *out++ = '"';
    for (size_t i = 0; i < size; i++) {
        const uint8_t c = bytes[i];
        if (c < 0x20 || c >= 0x7F) {
            out = trn_put_bytes(stpcpy(out, "\\x"), &c, 1);
            continue;
        }
        if (c == '"' || c == '\\')
            *out++ = '\\';
        *out++ = (char)c;
    }
    *out++ = '"';
    return out;
}

static char *put_element(uint8_t kind, uint64_t value, uint8_t size, char *out)
{
    switch (kind) {
    case TRN_TEXT_REG:
        return trn_dis_register(value, out);
    case TRN_TEXT_FLOAT:
        return trn_put_float(out, (uint32_t)value);
    case TRN_TEXT_INT:
        return trn_put_signed(out, size == 4 ? (int32_t)value : (int16_t)value);
    default:
        return trn_put_unsigned(out, value);
    }
}

/* [1,2,3]; the zeros at the end go without saying. Where the opcode says so, bytes are f32[..] or
 * u32[..]. */
static char *put_list(const struct trn_dis *word, const struct trn_text_field *field, char *out)
{
    const struct trn_text_opcode *op = &trn_text_opcodes[trn_common_opcode(word->bytes, word->isa)];
    const uint8_t *bytes = word->bytes + field->offset;
    const uint8_t size = (uint8_t)(op->wide_list ? 4 : field->size / field->count);
    const uint8_t kind = op->wide_list ? op->wide_element : field->element;
    size_t used = field->size;
    while (used && bytes[used - 1] == 0)
        used--;
    if (op->wide_list)
        out = stpcpy(out, kind == TRN_TEXT_FLOAT ? "f32" : "u32");
    *out++ = '[';
    for (size_t at = 0; at < used; at += size) {
        uint64_t value = 0;
        memcpy(&value, bytes + at, size);
        if (at)
            *out++ = ',';
        out = put_element(kind, value, size, out);
    }
    *out++ = ']';
    return out;
}

/* Compact instructions: the operation of byte 0, then the other three bytes as a number. */
static char *put_ccinsts(const struct trn_dis *word, const struct trn_text_field *field, char *out)
{
    const uint8_t *bytes = word->bytes + field->offset;
    size_t used = field->size;
    while (used && bytes[used - 1] == 0)
        used--;
    *out++ = '[';
    for (size_t at = 0; at < used; at += 4) {
        const uint32_t inst = trn_get32(bytes + at);
        if (at)
            *out++ = ',';
        out = trn_dis_enum(word, TRN_ENUM_CCOP, bytes[at], out);
        *out++ = ':';
        out = trn_put_hex(out, trn_bits_get(inst, 8, 24));
    }
    *out++ = ']';
    return out;
}

char *trn_dis_value(const struct trn_dis *word, const struct trn_text_field *field, char *out)
{
    const uint8_t *bytes = word->bytes + field->offset;
    switch (field->kind) {
    case TRN_TEXT_UINT:
        return trn_put_unsigned(out, trn_text_get(field, word->bytes));
    case TRN_TEXT_INT:
        return trn_put_signed(out, (int32_t)trn_text_get(field, word->bytes));
    case TRN_TEXT_FLOAT:
        return trn_put_float(out, trn_get32(bytes));
    case TRN_TEXT_REG:
        return trn_dis_register(*bytes, out);
    case TRN_TEXT_ENUM:
        return trn_dis_enum(word, (enum trn_enum_id)field->enum_id,
                            (uint32_t)trn_text_get(field, word->bytes), out);
    case TRN_TEXT_RESERVED:
        return trn_put_hex(out, trn_text_get(field, word->bytes));
    case TRN_TEXT_PAIR:
        return put_pair(word, field, out);
    case TRN_TEXT_BOUNDREG:
        return put_boundreg(bytes, out);
    case TRN_TEXT_ADDR4:
        return put_addr4(word, bytes, out);
    case TRN_TEXT_ADDR8:
        return put_addr8(bytes, out);
    case TRN_TEXT_ADDRUN8:
        return put_addrun8(word, field, out);
    case TRN_TEXT_LIST:
        return put_list(word, field, out);
    case TRN_TEXT_STRING:
        return put_string(bytes, field->size, out);
    case TRN_TEXT_CCINSTS:
        return put_ccinsts(word, field, out);
    case TRN_TEXT_BYTES:
        return trn_put_bytes(stpcpy(out, "hex:"), bytes, field->size);
    default:
        return trn_dis_pattern(word, field, out);
    }
}
