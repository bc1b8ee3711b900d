/* SPDX-License-Identifier: Apache-2.0 */
/* The second sentence of a violation: which field, what was found, what would be accepted. Written
 * from the tables' rows; only for callers that keep violations, so nothing here is in a hurry. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "isa/lookup.h"
#include "isa/rule_helpers.h"

struct text {
    char *at;
    size_t left; /* the terminator included */
};

static void say(struct text *text, const char *format, ...) TRN_PRINTF(2, 3);

static void say(struct text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(text->at, text->left, format, args);
    va_end(args);
    if (length < 0)
        return;
    const size_t used = (size_t)length < text->left ? (size_t)length : text->left - 1;
    text->at += used;
    text->left -= used;
}

/* The same without a format: a listing of many violations is made of these. */
static void put(struct text *text, const char *string)
{
    size_t length = strlen(string);
    if (length > text->left - 1)
        length = text->left - 1;
    memcpy(text->at, string, length);
    text->at += length;
    text->left -= length;
    *text->at = '\0';
}

static void put_number(struct text *text, uint64_t value)
{
    char digits[24];
    char *at = digits + sizeof digits - 1;
    *at = '\0';
    do
        *--at = (char)('0' + value % 10);
    while (value /= 10);
    put(text, at);
}

static void put_hex(struct text *text, uint64_t value, unsigned width)
{
    char digits[24] = "0x";
    while (width < 16 && trn_bits_get(value, 4 * width, 64 - 4 * width) != 0)
        width++;
    for (unsigned i = 0; i < width; i++)
        digits[2 + i] = "0123456789abcdef"[trn_bits_get(value, 4 * (width - 1 - i), 4)];
    digits[2 + width] = '\0';
    put(text, digits);
}

/* What the functions below read: the word's layout and where its fields stand. */
struct view {
    const struct rule_check *c;
    const uint8_t *word;
    unsigned isa;
    enum trn_struct_id id;
};

static struct view view_of(const struct rule_check *c)
{
    return (struct view){c, c->word, c->gen->isa, trn_word_struct(c->word, c->gen->isa)};
}

/* ---- values of fields ---------------------------------------------------------------- */

static bool is_present(const struct view *v, const struct trn_field_row *field)
{
    return field->offset[v->isa] >= 0;
}

static const uint8_t *bytes_of(const struct view *v, const struct trn_field_row *field)
{
    return v->word + field->offset[v->isa];
}

static uint64_t number_of(const struct view *v, const struct trn_field_row *field)
{
    const uint8_t *bytes = bytes_of(v, field);
    const unsigned size = field->size / field->count;
    uint64_t value = 0;
    memcpy(&value, bytes, size <= 8 ? size : 8); /* little-endian host, base/bytes.h */
    return field->bits ? trn_bits_get(value, field->bit_lo, field->bits) : value;
}

static bool is_pattern(const struct trn_field_row *field)
{
    return (field->type >= TRN_TYPE_PATTERN1D && field->type <= TRN_TYPE_PATTERN4D) ||
           field->type == TRN_TYPE_MX1D;
}

static unsigned dims_of(const struct trn_field_row *field)
{
    return field->type == TRN_TYPE_MX1D ? 1 : (unsigned)field->type - TRN_TYPE_PATTERN1D + 1;
}

static struct rule_pattern pattern_of(const struct view *v, const struct trn_field_row *field)
{
    const enum rule_arms arms = field->type == TRN_TYPE_PATTERN1D ? RULE_NO_ARM : RULE_ARMS;
    return trn_rule_pattern(v->c->gen, bytes_of(v, field), arms);
}

/* Arrays of a TENSORnD; of an MXTENSOR1D the direction and the count. */
static const uint8_t *nums_of(const struct view *v, const struct trn_field_row *field)
{
    const uint8_t *bytes = bytes_of(v, field);
    switch (field->type) {
    case TRN_TYPE_PATTERN1D:
        return trn_pattern1d_num_elem(bytes, RULE_ANY_ISA);
    case TRN_TYPE_PATTERN2D:
        return trn_pattern2d_num_elem(bytes, RULE_ANY_ISA);
    case TRN_TYPE_PATTERN3D:
        return trn_pattern3d_num_elem(bytes, RULE_ANY_ISA);
    case TRN_TYPE_PATTERN4D:
        return trn_pattern4d_num_elem(bytes, RULE_ANY_ISA);
    default:
        return bytes + 8; /* @mx1d num_elem, offset the same wherever it exists */
    }
}

static void say_enum(struct text *text, enum trn_enum_id id, uint64_t value, unsigned isa)
{
    const struct trn_enum_member *member = trn_enum_by_value(id, (uint32_t)value, isa);
    if (member)
        put(text, member->name);
    else
        put_hex(text, value, 2);
}

static void say_place(struct text *text, struct rule_place place)
{
    if (!place.known) {
        put(text, "an address register");
        return;
    }
    if (place.space == RULE_NOWHERE) {
        put_hex(text, place.addr, 1);
        put(text, ", outside SBUF and PSUM");
        return;
    }
    put(text, place.space == RULE_SBUF ? "sbuf[p" : "psum[p");
    put_number(text, place.part);
    put(text, ",");
    put_hex(text, place.byte, 1);
    put(text, "]");
}

static void say_pattern(struct text *text, const struct view *v, const struct trn_field_row *field)
{
    const struct rule_pattern p = pattern_of(v, field);
    say_place(text, p.at);
    if (!p.shape_known) {
        put(text, p.indirect ? ":(indirect)" : ":(shape register)");
        return;
    }
    const uint8_t *nums = nums_of(v, field);
    for (unsigned i = 0; i < dims_of(field); i++) {
        put(text, i ? "," : ":(");
        put_number(text, trn_get16(nums + 2 * i));
    }
    put(text, ")");
}

static void say_array(struct text *text, const struct view *v, const struct trn_field_row *field)
{
    const unsigned size = field->size / field->count;
    for (unsigned i = 0; i < field->count && i < 16; i++) {
        uint64_t value = 0;
        memcpy(&value, bytes_of(v, field) + i * size, size <= 8 ? size : 8);
        put(text, i ? "," : "{");
        put_number(text, value);
    }
    put(text, field->count > 16 ? ",...}" : "}");
}

static enum trn_enum_id nibble_enum(const struct trn_field_row *field)
{
    return field->type == TRN_TYPE_PAIR ? TRN_ENUM_DTYPE : TRN_ENUM_IMM_SRC;
}

static void say_value(struct text *text, const struct view *v, const struct trn_field_row *field)
{
    if (is_pattern(field)) {
        say_pattern(text, v, field);
        return;
    }
    if (field->count > 1) {
        say_array(text, v, field);
        return;
    }
    const uint64_t value = number_of(v, field);
    switch (field->type) {
    case TRN_TYPE_ENUM:
        say_enum(text, field->enum_id, value, v->isa);
        break;
    case TRN_TYPE_PAIR:
    case TRN_TYPE_SRCPAIR:
        say_enum(text, nibble_enum(field), trn_bits_get(value, 0, 4), v->isa);
        put(text, "/");
        say_enum(text, nibble_enum(field), trn_bits_get(value, 4, 4), v->isa);
        break;
    case TRN_TYPE_F32:
        say(text, "%g", (double)trn_bits_f32((uint32_t)value));
        break;
    case TRN_TYPE_I8:
        say(text, "%d", (int8_t)value);
        break;
    case TRN_TYPE_I16:
        say(text, "%d", (int16_t)value);
        break;
    case TRN_TYPE_I32:
        say(text, "%d", (int32_t)value);
        break;
    case TRN_TYPE_ADDR4:
    case TRN_TYPE_ADDR8:
    case TRN_TYPE_IMM4:
    case TRN_TYPE_BOUNDREG:
        put_hex(text, value, 1);
        break;
    default:
        put_number(text, value);
    }
}

/* "field is VALUE", of one nibble where the rule speaks of one. */
static void say_found(struct text *text, const struct view *v, const struct trn_field_row *field,
                      unsigned place)
{
    if (place & (RULE_LO | RULE_HI)) {
        const bool low = (place & RULE_LO) != 0;
        say(text, "%s.%s is ", field->name, low ? "lo" : "hi");
        say_enum(text, nibble_enum(field), trn_bits_get(number_of(v, field), low ? 0 : 4, 4),
                 v->isa);
        return;
    }
    put(text, field->name);
    put(text, " is ");
    say_value(text, v, field);
}

/* ---- what the constraint of a field says ------------------------------------------------- */

/* Copies the constraint item that starts with `prefix` (after any nibble prefix), without it. */
static bool item_after(const struct trn_field_row *field, const char *prefix, char *out,
                       size_t size)
{
    const size_t length = strlen(prefix);
    for (const char *item = field->constraint; *item;) {
        const size_t end = strcspn(item, ";");
        if (strncmp(item, prefix, length) == 0) {
            snprintf(out, size, "%.*s", (int)(end - length), item + length);
            return true;
        }
        item += end;
        item += strspn(item, "; ");
    }
    return false;
}

/* The data type of a pattern: what its type= names (README, section 3). */
static uint32_t type_of(const struct view *v, const struct trn_field_row *field)
{
    char name[64];
    if (!item_after(field, "type=", name, sizeof name))
        return TRN_DTYPE_INVALID;
    const struct trn_opcode_row *opcode = &trn_opcode_table[v->word[0]];
    const bool by_class = strcmp(name, "by_class") == 0;
    const bool bitvec = strstr(opcode->name, "BITVEC") != NULL;
    if (by_class)
        snprintf(name, sizeof name, "%s", bitvec ? "in_dtype" : "FP32");
    const struct trn_enum_member *constant =
        trn_enum_by_name(TRN_ENUM_DTYPE, name, strlen(name), v->isa);
    if (constant)
        return constant->value;
    char *part = strchr(name, '.');
    const bool high = part && strcmp(part, ".hi") == 0;
    const size_t length = part ? (size_t)(part - name) : strlen(name);
    const struct trn_field_row *type = trn_field_find(v->id, name, length);
    const bool is_pe = v->c->entry->engines == 1;
    if (!type || !is_present(v, type))
        return is_pe ? TRN_DTYPE_FP32 : TRN_DTYPE_INVALID;
    uint64_t code = number_of(v, type);
    if (part)
        code = trn_bits_get(code, high ? 4 : 0, 4);
    return is_pe ? rule_or_fp32((uint32_t)code) : (uint32_t)code;
}

/* ---- details of single rules --------------------------------------------------------- */

static void say_generations(struct text *text, uint8_t mask)
{
    const char *separator = "";
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++)
        if (trn_bits_get(mask, g, 1)) {
            say(text, "%s%s", separator, trn_gen_at(g)->name);
            separator = ", ";
        }
}

static void detail_opcode(struct text *text, const struct view *v)
{
    uint8_t mask = 0;
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++)
        if (trn_rule_entries[trn_gen_at(g)->isa][v->word[0]].stop != TRN_RULE_is_valid_opcode)
            mask |= (uint8_t)(1u << g);
    say(text, "opcode 0x%02x is defined on ", v->word[0]);
    if (mask)
        say_generations(text, mask);
    else
        say(text, "no generation");
}

static void detail_name(struct text *text, const struct view *v)
{
    put(text, "opcode ");
    put_hex(text, v->word[0], 2);
    put(text, " is ");
    put(text, trn_opcode_table[v->word[0]].name);
}

static void detail_engine(struct text *text, const struct view *v)
{
    const uint8_t engines = v->c->entry->engines;
    const char *separator = "";
    say(text, "%s is taken by ", trn_opcode_table[v->word[0]].name);
    if (!engines)
        say(text, "no engine of %s", v->c->gen->name);
    for (int e = 0; e < 5; e++)
        if (trn_bits_get(engines, (unsigned)e, 1)) {
            say(text, "%s%s", separator, trn_engine_name(e));
            separator = ", ";
        }
}

static void detail_enum(struct text *text, const struct view *v, const struct trn_field_row *field,
                        unsigned place)
{
    say_found(text, v, field, place);
    const struct trn_enum_row *row = &trn_enum_table[field->enum_id];
    const char *separator = "; one of ";
    for (size_t i = 0; i < row->num_members; i++)
        if (trn_bits_get(row->members[i].isa_mask, v->isa, 1)) {
            say(text, "%s%s", separator, row->members[i].name);
            separator = ", ";
        }
}

/* Legal values stand in the constraint; "== F" names the field to agree with. */
static void detail_values(struct text *text, const struct view *v,
                          const struct trn_field_row *field, unsigned place)
{
    say_found(text, v, field, place);
    if (is_pattern(field) || field->type == TRN_TYPE_DATA4D) {
        say(text, "; its counts are at least 1, an MX step is 1 or -1");
        return;
    }
    const char *prefix = place & RULE_LO ? "lo " : place & RULE_HI ? "hi " : "";
    char item[128];
    if (item_after(field, prefix, item, sizeof item))
        say(text, "; legal: %s", item);
}

static void detail_dtype(struct text *text, const struct view *v, const struct trn_field_row *field,
                         unsigned place)
{
    char item[64];
    say_found(text, v, field, place);
    const char *prefix = place & RULE_LO   ? "lo FP32R ok"
                         : place & RULE_HI ? "hi FP32R ok"
                                           : "FP32R ok";
    const bool fp32r = item_after(field, prefix, item, sizeof item);
    say(text, "; a type of 8, 16 or 32 bits with code 2..15%s is accepted",
        fp32r ? "" : ", not FP32R,");
}

static uint64_t channels_of(const struct view *v, const struct trn_field_row *pattern)
{
    char text[16];
    if (pattern && item_after(pattern, "channels=", text, sizeof text))
        return (uint64_t)(text[0] - '0'); /* channels=1 is the only one in the table */
    const struct trn_field_row *field = trn_field_find(v->id, "num_active_channels", 19);
    return field && is_present(v, field) ? number_of(v, field) : 0;
}

static void detail_partition(struct text *text, const struct view *v,
                             const struct trn_field_row *field)
{
    const uint64_t n = channels_of(v, field);
    const struct rule_place place = pattern_of(v, field).at;
    say(text, "%s starts at ", field->name);
    say_place(text, place);
    say(text, " with %llu channels; the start partition must be %s", (unsigned long long)n,
        n <= 32   ? "0, 32, 64 or 96"
        : n <= 64 ? "0 or 64"
                  : "0");
}

/* Bytes in the partition that the pattern reaches, against the partition of each generation. */
static void detail_range(struct text *text, const struct view *v, const struct trn_field_row *field)
{
    const struct rule_pattern p = pattern_of(v, field);
    const uint8_t *nums = nums_of(v, field);
    const unsigned dims = dims_of(field);
    struct rule_extent elements = {0, 0};
    if (field->type == TRN_TYPE_MX1D)
        rule_reach(&elements, trn_get16(nums), (int8_t)nums[2]);
    else
        elements = rule_extent(nums - 2 * dims, nums, dims); /* steps stand before the counts */
    const struct rule_extent reached =
        rule_extent_bits(elements, p.at, trn_rule_dtype_bits[type_of(v, field)]);
    if (reached.first < 0) {
        say(text, "%s reaches %lld bytes below its partition; no generation accepts that",
            field->name, (long long)(7 - reached.first) / 8);
        return;
    }
    const int64_t end = (reached.end + 7) / 8;
    uint8_t mask = 0;
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++)
        if (end <= (int64_t)rule_active_bytes(trn_gen_at(g), p.at.space))
            mask |= (uint8_t)(1u << g);
    say(text, "%s ends at byte %lld of its partition, the limit of %s is %u; ", field->name,
        (long long)end, v->c->gen->name, rule_active_bytes(v->c->gen, p.at.space));
    if (mask)
        say_generations(text, mask);
    else
        say(text, "no generation");
    say(text, " would accept it");
}

static void detail_partition_byte(struct text *text, const struct view *v,
                                  const struct trn_field_row *field)
{
    const struct rule_place place = pattern_of(v, field).at;
    say(text, "%s starts at byte %u, %s has bytes 0..%u", field->name, place.byte, v->c->gen->name,
        v->c->gen->sbuf_active_bytes - 1);
}

/* The memory item of a pattern, that of the generation if there is one. */
static bool memory_of(const struct view *v, const struct trn_field_row *field, char *out,
                      size_t size)
{
    static const char *const memories[] = {"SBUF|PSUM ", "SBUF ", "PSUM "};
    char version[8], rest[32];
    snprintf(version, sizeof version, "v%u ", v->c->gen->isa_version);
    if (item_after(field, version, out, size))
        return true;
    for (size_t i = 0; i < sizeof memories / sizeof memories[0]; i++)
        if (item_after(field, memories[i], rest, sizeof rest)) {
            snprintf(out, size, "%s%s", memories[i], rest);
            return true;
        }
    return false;
}

static void detail_address(struct text *text, const struct view *v,
                           const struct trn_field_row *field)
{
    const struct rule_pattern p = pattern_of(v, field);
    char memory[32];
    say(text, "%s is ", field->name);
    if (p.at.known)
        say_pattern(text, v, field);
    else
        say(text, "register form 0x%08x: byte 0 is at most 63, the rest 0", p.word);
    if (memory_of(v, field, memory, sizeof memory))
        say(text, "; aligned to %u, %s, counts at least 1", trn_rule_dtype_align[type_of(v, field)],
            memory);
}

static void detail_marker(struct text *text, const struct view *v,
                          const struct trn_field_row *field)
{
    say(text, "%s has marker 0x%02x; legal: 0x00, 0x80", field->name,
        pattern_of(v, field).word >> 24 & 0xE0);
    say(text, "%s", v->c->gen->isa_version >= 3 ? ", 0x40, 0xC0" : "");
    const bool indirect = v->c->gen->isa_version >= 4 || v->id == TRN_STRUCT_S4D4_IC;
    say(text, "%s", indirect ? ", 0x20, 0xA0" : "");
}

static void detail_reserved(struct text *text, const struct view *v,
                            const struct trn_field_row *field)
{
    const uint8_t *bytes = bytes_of(v, field);
    for (unsigned i = 0; i < field->size; i++)
        if (bytes[i] != 0) {
            say(text, "%s: byte %u is 0x%02x, 0 is expected", field->name,
                (unsigned)field->offset[v->isa] + i, bytes[i]);
            return;
        }
}

/* Field by the name in an expression: a pattern stands there without its suffix. */
static const struct trn_field_row *field_named(const struct view *v, const char *name)
{
    const size_t length = strlen(name);
    const struct trn_field_row *field = trn_field_find(v->id, name, length);
    if (!field || strcmp(field->name, name) != 0) { /* not there, or by its short name */
        char pattern[80];
        snprintf(pattern, sizeof pattern, "%s_mem_pattern", name);
        const struct trn_field_row *found = trn_field_find(v->id, pattern, strlen(pattern));
        field = found;
    }
    return field && is_present(v, field) ? field : NULL;
}

/* Any other rule: the fields its expression reads, and the expression when it is short. */
static void detail_reads(struct text *text, const struct view *v, unsigned rule)
{
    const char *separator = "";
    for (const char *const *name = trn_rule_reads[rule]; *name && text->left > 1; name++) {
        const struct trn_field_row *field = field_named(v, *name);
        if (!field)
            continue;
        put(text, separator);
        put(text, *name);
        put(text, "=");
        say_value(text, v, field);
        separator = " ";
    }
    const char *expression = trn_rule_table[rule].expression;
    if (strlen(expression) + 8 < text->left) {
        put(text, *separator ? "; needs " : "needs ");
        put(text, expression);
    }
}

static void detail_of_field(struct text *text, const struct view *v, unsigned rule, unsigned place,
                            const struct trn_field_row *field)
{
    switch (rule) {
    case TRN_RULE_is_valid_enum:
        detail_enum(text, v, field, place);
        break;
    case TRN_RULE_field_value:
    case TRN_RULE_field_type:
        detail_values(text, v, field, place);
        break;
    case TRN_RULE_is_valid_dtype:
        detail_dtype(text, v, field, place);
        break;
    case TRN_RULE_start_addr_active_channels:
        detail_partition(text, v, field);
        break;
    case TRN_RULE_exec_active_range:
        detail_range(text, v, field);
        break;
    case TRN_RULE_addr_in_sbuf_partition:
        detail_partition_byte(text, v, field);
        break;
    case TRN_RULE_tensor_start_addr_valid:
    case TRN_RULE_tensor1d_valid:
    case TRN_RULE_tensor2d_valid:
    case TRN_RULE_tensor3d_valid:
    case TRN_RULE_tensor4d_valid:
        detail_address(text, v, field);
        break;
    case TRN_RULE_addr4_marker:
        detail_marker(text, v, field);
        break;
    case TRN_RULE_reserved_zero:
        detail_reserved(text, v, field);
        break;
    case TRN_RULE_check_active_channels:
        say_found(text, v, field, place);
        say(text, "; 1..128 is expected");
        break;
    case TRN_RULE_no_indirect:
        say(text, "%s has marker 0x%02x", field->name, pattern_of(v, field).word >> 24 & 0xE0);
        break;
    default:
        if (strcmp(trn_rule_table[rule].scope, "field") == 0) {
            say_found(text, v, field, place);
            say(text, "; needs %s", trn_rule_table[rule].expression);
        } else {
            detail_reads(text, v, rule);
        }
    }
}

void trn_rule_detail(const struct rule_check *c, unsigned rule, unsigned place, char *detail,
                     size_t size)
{
    const struct view v = view_of(c);
    struct text text = {detail, size};
    detail[0] = '\0';
    const unsigned index = place & RULE_FIELD_MASK;
    if (rule == TRN_RULE_is_valid_opcode)
        detail_opcode(&text, &v);
    else if (rule == TRN_RULE_opcode_on_engine)
        detail_engine(&text, &v);
    else if (rule == TRN_RULE_NO_LAYOUT || rule == TRN_RULE_maintained_opcode ||
             rule == TRN_RULE_is_pseudo_op || rule == TRN_RULE_disabled_opcode)
        detail_name(&text, &v);
    else if (index != RULE_NO_FIELD)
        detail_of_field(&text, &v, rule, place, &trn_struct_table[v.id].fields[index]);
    else
        detail_reads(&text, &v, rule);
}
