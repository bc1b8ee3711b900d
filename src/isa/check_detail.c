/* SPDX-License-Identifier: Apache-2.0 */
/* The second sentence of a violation: which field, what was found, what would be accepted. Written
 * from the tables' rows; only for callers that keep violations, so nothing here is in a hurry. */
#include "isa/check_view.h"
#include "isa/lookup.h"

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
    trn_view_say_found(text, v, field, place);
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
    trn_view_say_found(text, v, field, place);
    if (trn_view_is_pattern(field) || field->type == TRN_TYPE_DATA4D) {
        say(text, "; its counts are at least 1, an MX step is 1 or -1");
        return;
    }
    const char *prefix = place & RULE_LO ? "lo " : place & RULE_HI ? "hi " : "";
    char item[128];
    if (trn_constraint_item(field, prefix, item, sizeof item))
        say(text, "; legal: %s", item);
}

static void detail_dtype(struct text *text, const struct view *v, const struct trn_field_row *field,
                         unsigned place)
{
    char item[64];
    trn_view_say_found(text, v, field, place);
    const char *prefix = place & RULE_LO   ? "lo FP32R ok"
                         : place & RULE_HI ? "hi FP32R ok"
                                           : "FP32R ok";
    const bool fp32r = trn_constraint_item(field, prefix, item, sizeof item);
    say(text, "; a type of 8, 16 or 32 bits with code 2..15%s is accepted",
        fp32r ? "" : ", not FP32R,");
}

static uint64_t channels_of(const struct view *v, const struct trn_field_row *pattern)
{
    char text[16];
    if (pattern && trn_constraint_item(pattern, "channels=", text, sizeof text))
        return (uint64_t)(text[0] - '0'); /* channels=1 is the only one in the table */
    const struct trn_field_row *field = trn_field_find(v->id, "num_active_channels", 19);
    return field && trn_view_present(v, field) ? trn_view_number(v, field) : 0;
}

static void detail_partition(struct text *text, const struct view *v,
                             const struct trn_field_row *field)
{
    const uint64_t n = channels_of(v, field);
    const struct rule_place place = trn_view_pattern(v, field).at;
    say(text, "%s starts at ", field->name);
    trn_view_say_place(text, place);
    say(text, " with %llu channels; the start partition must be %s", (unsigned long long)n,
        n <= 32   ? "0, 32, 64 or 96"
        : n <= 64 ? "0 or 64"
                  : "0");
}

/* Bytes in the partition that the pattern reaches, against the partition of each generation. */
static void detail_range(struct text *text, const struct view *v, const struct trn_field_row *field)
{
    const struct rule_pattern p = trn_view_pattern(v, field);
    const uint8_t *nums = trn_view_nums(v, field);
    const unsigned dims = trn_view_dims(field);
    struct rule_extent elements = {0, 0};
    if (field->type == TRN_TYPE_MX1D)
        rule_reach(&elements, trn_get16(nums), (int8_t)nums[2]);
    else
        elements = rule_extent(nums - 2 * dims, nums, dims); /* steps stand before the counts */
    const struct rule_extent reached =
        rule_extent_bits(elements, p.at, trn_rule_dtype_bits[trn_view_type(v, field)]);
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
    const struct rule_place place = trn_view_pattern(v, field).at;
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
    if (trn_constraint_item(field, version, out, size))
        return true;
    for (size_t i = 0; i < sizeof memories / sizeof memories[0]; i++)
        if (trn_constraint_item(field, memories[i], rest, sizeof rest)) {
            snprintf(out, size, "%s%s", memories[i], rest);
            return true;
        }
    return false;
}

static void detail_address(struct text *text, const struct view *v,
                           const struct trn_field_row *field)
{
    const struct rule_pattern p = trn_view_pattern(v, field);
    char memory[32];
    say(text, "%s is ", field->name);
    if (p.at.known)
        trn_view_say_pattern(text, v, field);
    else
        say(text, "register form 0x%08x: byte 0 is at most 63, the rest 0", p.word);
    if (memory_of(v, field, memory, sizeof memory))
        say(text, "; aligned to %u, %s, counts at least 1",
            trn_rule_dtype_align[trn_view_type(v, field)], memory);
}

static void detail_marker(struct text *text, const struct view *v,
                          const struct trn_field_row *field)
{
    say(text, "%s has marker 0x%02x; legal: 0x00, 0x80", field->name,
        trn_view_pattern(v, field).word >> 24 & 0xE0);
    say(text, "%s", v->c->gen->isa_version >= 3 ? ", 0x40, 0xC0" : "");
    const bool indirect = v->c->gen->isa_version >= 4 || v->id == TRN_STRUCT_S4D4_IC;
    say(text, "%s", indirect ? ", 0x20, 0xA0" : "");
}

static void detail_reserved(struct text *text, const struct view *v,
                            const struct trn_field_row *field)
{
    const uint8_t *bytes = trn_view_bytes(v, field);
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
    return field && trn_view_present(v, field) ? field : NULL;
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
        trn_view_say_value(text, v, field);
        separator = " ";
    }
    const char *expression = trn_rule_table[rule].expression;
    if (strlen(expression) + 8 < text->left) {
        put(text, *separator ? "; needs " : "needs ");
        put(text, expression);
    }
}

/* V11, V12 of a copy: how much each side has, then the fields that it comes from. */
static void detail_totals(struct text *text, const struct view *v, unsigned rule)
{
    uint64_t src, dst;
    if (trn_rule_dma_bytes(v->c, &src, &dst))
        say(text, "%llu bytes to %llu; ", (unsigned long long)src, (unsigned long long)dst);
    detail_reads(text, v, rule);
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
        trn_view_say_found(text, v, field, place);
        say(text, "; 1..128 is expected");
        break;
    case TRN_RULE_no_indirect:
        say(text, "%s has marker 0x%02x", field->name,
            trn_view_pattern(v, field).word >> 24 & 0xE0);
        break;
    default:
        if (strcmp(trn_rule_table[rule].scope, "field") == 0) {
            trn_view_say_found(text, v, field, place);
            say(text, "; needs %s", trn_rule_table[rule].expression);
        } else {
            detail_reads(text, v, rule);
        }
    }
}

void trn_rule_detail(const struct rule_check *c, unsigned rule, unsigned place, char *detail,
                     size_t size)
{
    const struct view v = trn_view_of(c);
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
    else if (rule == TRN_RULE_V11 || rule == TRN_RULE_V12)
        detail_totals(&text, &v, rule);
    else
        detail_reads(&text, &v, rule);
}
