/* SPDX-License-Identifier: Apache-2.0 */
/* The fields of a word as values, for programs that show them in another form than text. */
#include "isa/lookup.h"
#include "isa/text_pattern.h"
#include "isa_fields.h"
#include "trench/isa.h"

struct trn_word_info trn_word_info(const struct trn_gen *gen, const uint8_t word[TRN_INST_BYTES])
{
    const uint8_t opcode = trn_common_opcode(word, gen->isa);
    const struct trn_opcode_row *row = &trn_opcode_table[opcode];
    const enum trn_struct_id id = trn_word_struct(word, gen->isa);
    struct trn_word_info info = {.opcode = opcode, .num_fields = trn_struct_table[id].num_fields};
    if (!row->name || !trn_bits_get(row->isa_mask, gen->isa, 1))
        return info;
    info.name = row->name;
    info.mnemonic = row->mnemonic;
    info.struct_name = id == TRN_STRUCT_NONE ? NULL : trn_struct_table[id].name;
    info.engines = row->engines[gen->isa];
    return info;
}

/* ---- addresses and patterns -------------------------------------------------------- */

static struct trn_address_view address_view(const struct trn_gen *gen, const struct trn_addr4 *addr)
{
    if (addr->from_register)
        return (struct trn_address_view){.from_register = true, .reg = addr->regnum};
    const struct trn_text_place place = trn_text_place(gen, addr->addr);
    return (struct trn_address_view){.address = addr->addr,
                                     .space = place.space,
                                     .partition = place.partition,
                                     .byte = place.byte};
}

static enum trn_pattern_form form_of(const struct trn_text_field *field, enum trn_arm arm)
{
    switch (arm) {
    case TRN_ARM_SHAPE:
        return field->kind == TRN_TEXT_DATA4D ? TRN_PATTERN_GENERATOR : TRN_PATTERN_SHAPE;
    case TRN_ARM_SHAPE_REGISTER:
        return TRN_PATTERN_SHAPE_REGISTER;
    case TRN_ARM_INDIRECT:
        return TRN_PATTERN_INDIRECT;
    case TRN_ARM_MX:
        return TRN_PATTERN_MX;
    case TRN_ARM_RAW:
        break;
    }
    return TRN_PATTERN_RAW;
}

static struct trn_pattern_view pattern_view(const struct trn_gen *gen,
                                            const struct trn_text_field *field, const uint8_t *word)
{
    struct trn_text_pattern p;
    trn_text_pattern_decode(field, word, &p);
    const struct trn_enum_member *dtype =
        trn_enum_by_value(TRN_ENUM_DTYPE, p.scale_dtype, gen->isa);
    struct trn_pattern_view view = {
        .form = form_of(field, p.arm),
        .start = address_view(gen, &p.start),
        .ndim = p.ndim,
        .base = p.base,
        .shape_register = (uint16_t)p.shape_register,
        .index = address_view(gen, &p.index),
        .has_scale = p.has_scale,
        .scale = address_view(gen, &p.scale),
        .scale_partition = p.scale_partition,
        .scale_step = p.step[1],
        .p_log2 = p.p_log2,
        .f_log2 = p.f_log2,
        .scale_dtype = dtype ? dtype->text : NULL,
    };
    for (unsigned i = 0; i < 4; i++) {
        view.step[i] = p.step[i];
        view.num[i] = p.num[i];
    }
    return view;
}

/* ---- one field --------------------------------------------------------------------- */

static uint64_t bits_of(const struct trn_field_row *row, const uint8_t *bytes)
{
    uint64_t value = 0;
    memcpy(&value, bytes, row->size);
    return row->bits ? trn_bits_get(value, row->bit_lo, row->bits) : value;
}

static int64_t sign_extend(uint64_t value, unsigned size)
{
    const unsigned unused = 64 - 8 * size;
    return (int64_t)(value << unused) >> unused;
}

/* What an element, or the only value, of a type is; composites with several forms come later. */
static enum trn_value_kind scalar_kind(enum trn_field_type type)
{
    switch (type) {
    case TRN_TYPE_I8:
    case TRN_TYPE_I16:
    case TRN_TYPE_I32:
        return TRN_VALUE_SIGNED;
    case TRN_TYPE_F32:
        return TRN_VALUE_FLOAT;
    case TRN_TYPE_REG:
        return TRN_VALUE_REGISTER;
    case TRN_TYPE_ENUM:
        return TRN_VALUE_ENUM;
    case TRN_TYPE_PAIR:
    case TRN_TYPE_SRCPAIR:
        return TRN_VALUE_PAIR;
    case TRN_TYPE_U64:
    case TRN_TYPE_ADDR8:
    case TRN_TYPE_ADDRUN8:
    case TRN_TYPE_IMM8:
        return TRN_VALUE_ADDRESS;
    default:
        return TRN_VALUE_UNSIGNED;
    }
}

static enum trn_value_kind kind_of(const struct trn_field_row *row)
{
    if (row->type == TRN_TYPE_CHAR)
        return TRN_VALUE_STRING;
    if (row->type == TRN_TYPE_CCINST || row->count > 1)
        return TRN_VALUE_LIST;
    if (row->type == TRN_TYPE_RESERVED && row->size == 8)
        return TRN_VALUE_ADDRESS;
    return row->size > 8 ? TRN_VALUE_BYTES : scalar_kind(row->type);
}

static const char *symbol_of(enum trn_enum_id id, uint64_t value, unsigned isa)
{
    const struct trn_enum_member *member = trn_enum_by_value(id, (uint32_t)value, isa);
    return member ? member->text : NULL;
}

static void view_pair(struct trn_field_view *view, const struct trn_field_row *row, unsigned isa)
{
    const enum trn_enum_id id = row->type == TRN_TYPE_PAIR ? TRN_ENUM_DTYPE : TRN_ENUM_IMM_SRC;
    view->number = trn_pair_dtype_lo(view->bytes, isa);
    view->number_hi = trn_pair_dtype_hi(view->bytes, isa);
    view->symbol = symbol_of(id, view->number, isa);
    view->symbol_hi = symbol_of(id, view->number_hi, isa);
    view->enum_name = trn_enum_table[id].name;
}

/* An address when it is one exactly, a number otherwise. */
static void view_addr4(struct trn_field_view *view, const struct trn_gen *gen)
{
    const struct trn_addr4 addr = trn_addr4_decode(view->bytes);
    if (!trn_text_addr4_is_plain(&addr, view->bytes))
        return;
    view->kind = TRN_VALUE_POINTER;
    view->pattern.start = address_view(gen, &addr);
}

static void view_imm(struct trn_field_view *view, const struct trn_gen *gen,
                     const struct trn_text_layout *layout, const struct trn_text_field *imm,
                     const uint8_t *word)
{
    switch (trn_imm_form(imm, trn_imm_source_get(layout, imm, word))) {
    case TRN_FORM_POINTER:
        view_addr4(view, gen);
        return;
    case TRN_FORM_REGISTER:
        view->kind = TRN_VALUE_REGISTER;
        return;
    case TRN_FORM_NUMBER:
        break;
    case TRN_FORM_UNKNOWN:
        return;
    }
    const enum trn_imm_type type = trn_imm_type(layout, imm, word);
    if (type == TRN_IMM_FLOAT)
        view->kind = TRN_VALUE_FLOAT;
    if (type == TRN_IMM_SIGNED) {
        view->kind = TRN_VALUE_SIGNED;
        view->number = (uint64_t)sign_extend(view->number, 4);
    }
}

/* What only the plan of the text form knows. */
static void view_composite(struct trn_field_view *view, const struct trn_gen *gen,
                           const struct trn_text_layout *layout, size_t row, const uint8_t *word)
{
    for (unsigned i = 0; layout && i < layout->num_fields; i++) {
        const struct trn_text_field *field = &layout->fields[i];
        if (field->row != row)
            continue;
        if (field->kind == TRN_TEXT_IMM) {
            view_imm(view, gen, layout, field, word);
        } else if (field->kind == TRN_TEXT_ADDR4) {
            view_addr4(view, gen);
        } else if (field->kind == TRN_TEXT_PATTERN || field->kind == TRN_TEXT_MX1D ||
                   field->kind == TRN_TEXT_DATA4D) {
            view->kind = TRN_VALUE_PATTERN;
            view->pattern = pattern_view(gen, field, word);
        }
        return;
    }
}

trn_status trn_word_field(const struct trn_gen *gen, const uint8_t word[TRN_INST_BYTES], size_t i,
                          struct trn_field_view *out)
{
    const enum trn_struct_id id = trn_word_struct(word, gen->isa);
    const struct trn_struct_row *table = &trn_struct_table[id];
    if (i >= table->num_fields)
        return TRN_ERR_RANGE;
    const struct trn_field_row *row = &table->fields[i];
    if (row->offset[gen->isa] < 0)
        return TRN_ERR_UNSUPPORTED;
    *out = (struct trn_field_view){
        .name = row->name,
        .short_name = row->short_name,
        .kind = kind_of(row),
        .element = scalar_kind(row->type),
        .reserved = row->type == TRN_TYPE_RESERVED,
        .offset = (uint8_t)row->offset[gen->isa],
        .size = row->size,
        .bit_lo = row->bit_lo,
        .bits = row->bits,
        .count = row->count,
        .bytes = word + row->offset[gen->isa],
    };
    if (row->size <= 8)
        out->number = bits_of(row, out->bytes);
    if (out->kind == TRN_VALUE_SIGNED)
        out->number = (uint64_t)sign_extend(out->number, row->size);
    if (out->kind == TRN_VALUE_PAIR)
        view_pair(out, row, gen->isa);
    if (out->kind == TRN_VALUE_ENUM) {
        out->symbol = symbol_of(row->enum_id, out->number, gen->isa);
        out->enum_name = trn_enum_table[row->enum_id].name;
    }
    view_composite(out, gen, trn_text_layouts[gen->isa][id], i, word);
    return TRN_OK;
}

int64_t trn_field_element(const struct trn_field_view *field, size_t i)
{
    const size_t size = field->size / field->count;
    uint64_t value = 0;
    memcpy(&value, field->bytes + i * size, size);
    return field->element == TRN_VALUE_SIGNED ? sign_extend(value, (unsigned)size) : (int64_t)value;
}
