/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/word_json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

json_t *cli_hex_string(const uint8_t *bytes, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    char text[2 * TRN_INST_BYTES];
    for (size_t i = 0; i < size; i++) {
        text[2 * i] = digits[bytes[i] / 16];
        text[2 * i + 1] = digits[bytes[i] % 16];
    }
    return json_stringn(text, 2 * size);
}

static json_t *hex_number(uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "0x%" PRIx64, value);
    return json_string(text);
}

/* JSON has no infinities and no NaN: those are strings in the notation of the text form. */
static json_t *float_to_json(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    char text[24];
    if (isfinite(value))
        return json_real((double)value);
    snprintf(text, sizeof text,
             isnan(value)     ? "nan:0x%08" PRIx32
             : signbit(value) ? "-inf"
                              : "inf",
             bits);
    return json_string(text);
}

static json_t *register_to_json(uint64_t number)
{
    return json_pack("{s:I}", "register", (json_int_t)number);
}

static json_t *enum_to_json(const char *symbol, uint64_t number)
{
    return symbol ? json_string(symbol) : json_integer((json_int_t)number);
}

static json_t *address_to_json(const struct trn_address_view *address)
{
    if (address->from_register)
        return register_to_json(address->reg);
    json_t *object = json_object();
    if (address->space) {
        json_object_set_new(object, "space", json_string(address->space));
        json_object_set_new(object, "partition", json_integer(address->partition));
        json_object_set_new(object, "byte", json_integer(address->byte));
    }
    json_object_set_new(object, "addr", hex_number(address->address));
    return object;
}

/* ---- patterns ---------------------------------------------------------------------- */

static void set_shape(json_t *object, const struct trn_pattern_view *pattern)
{
    json_t *step = json_array(), *num = json_array();
    for (uint8_t i = 0; i < pattern->ndim; i++) {
        json_array_append_new(step, json_integer(pattern->step[i]));
        json_array_append_new(num, json_integer(pattern->num[i]));
    }
    json_object_set_new(object, "step", step);
    json_object_set_new(object, "num", num);
}

static void set_scale(json_t *object, const struct trn_pattern_view *pattern)
{
    json_t *scale = address_to_json(&pattern->scale);
    if (pattern->form == TRN_PATTERN_MX) {
        json_object_set_new(scale, "step", json_integer(pattern->scale_step));
        json_object_set_new(scale, "p_log2", json_integer(pattern->p_log2));
        json_object_set_new(scale, "f_log2", json_integer(pattern->f_log2));
        json_object_set_new(scale, "dtype",
                            pattern->scale_dtype ? json_string(pattern->scale_dtype) : json_null());
    } else {
        json_object_set_new(scale, "scale_pidx", json_integer(pattern->scale_partition));
    }
    json_object_set_new(object, "scale", scale);
}

static json_t *pattern_to_json(const struct trn_field_view *field)
{
    const struct trn_pattern_view *pattern = &field->pattern;
    if (pattern->form == TRN_PATTERN_RAW)
        return json_pack("{s:o}", "raw", cli_hex_string(field->bytes, field->size));
    json_t *object = pattern->form == TRN_PATTERN_GENERATOR
                         ? json_pack("{s:i}", "base", (int)pattern->base)
                         : address_to_json(&pattern->start);
    switch (pattern->form) {
    case TRN_PATTERN_SHAPE_REGISTER:
        json_object_set_new(object, "shape_register", json_integer(pattern->shape_register));
        break;
    case TRN_PATTERN_INDIRECT:
        json_object_set_new(object, "index", address_to_json(&pattern->index));
        json_object_set_new(object, "num", json_pack("[i]", (int)pattern->num[0]));
        break;
    case TRN_PATTERN_MX:
        json_object_set_new(object, "step", json_pack("[i]", (int)pattern->step[0]));
        json_object_set_new(object, "num",
                            json_pack("[i,i]", (int)pattern->num[0], (int)pattern->num[1]));
        break;
    default:
        set_shape(object, pattern);
        break;
    }
    if (pattern->has_scale)
        set_scale(object, pattern);
    return object;
}

/* ---- fields ------------------------------------------------------------------------ */

static json_t *list_to_json(const struct trn_field_view *field)
{
    json_t *list = json_array();
    for (size_t i = 0; i < field->count; i++) {
        const int64_t value = trn_field_element(field, i);
        json_array_append_new(list, field->element == TRN_VALUE_FLOAT
                                        ? float_to_json((uint32_t)value)
                                        : json_integer(value));
    }
    return list;
}

static json_t *string_to_json(const struct trn_field_view *field)
{
    const size_t length = strnlen((const char *)field->bytes, field->size);
    json_t *string = json_stringn((const char *)field->bytes, length);
    return string ? string : cli_hex_string(field->bytes, field->size); /* not UTF-8 */
}

static json_t *value_to_json(const struct trn_field_view *field)
{
    switch (field->kind) {
    case TRN_VALUE_ADDRESS:
        return hex_number(field->number);
    case TRN_VALUE_FLOAT:
        return float_to_json((uint32_t)field->number);
    case TRN_VALUE_REGISTER:
        return register_to_json(field->number);
    case TRN_VALUE_ENUM:
        return enum_to_json(field->symbol, field->number);
    case TRN_VALUE_PAIR:
        return json_pack("{s:o, s:o}", "lo", enum_to_json(field->symbol, field->number), "hi",
                         enum_to_json(field->symbol_hi, field->number_hi));
    case TRN_VALUE_POINTER:
        return address_to_json(&field->pattern.start);
    case TRN_VALUE_PATTERN:
        return pattern_to_json(field);
    case TRN_VALUE_LIST:
        return list_to_json(field);
    case TRN_VALUE_STRING:
        return string_to_json(field);
    case TRN_VALUE_BYTES:
        return cli_hex_string(field->bytes, field->size);
    case TRN_VALUE_SIGNED:
    case TRN_VALUE_UNSIGNED:
        break;
    }
    return json_integer((json_int_t)field->number);
}

static bool is_zero(const struct trn_field_view *field)
{
    if (field->size <= 8)
        return field->number == 0;
    for (size_t i = 0; i < field->size; i++)
        if (field->bytes[i])
            return false;
    return true;
}

json_t *cli_word_fields(const struct trn_gen *gen, const uint8_t word[TRN_INST_BYTES])
{
    json_t *fields = json_object();
    struct trn_field_view field;
    for (size_t i = 0;; i++) {
        const trn_status status = trn_word_field(gen, word, i, &field);
        if (status == TRN_ERR_RANGE)
            return fields;
        if (status == TRN_OK && !(field.reserved && is_zero(&field)))
            json_object_set_new(fields, field.name, value_to_json(&field));
    }
}
