/* SPDX-License-Identifier: Apache-2.0 */
/* Values of a word's fields as a violation shows them. */
#include "isa/check_view.h"

#include "isa/lookup.h"

struct view trn_view_of(const struct rule_check *c)
{
    return (struct view){c, c->word, c->gen->isa, trn_word_struct(c->word, c->gen->isa)};
}

bool trn_view_present(const struct view *v, const struct trn_field_row *field)
{
    return field->offset[v->isa] >= 0;
}

const uint8_t *trn_view_bytes(const struct view *v, const struct trn_field_row *field)
{
    return v->word + field->offset[v->isa];
}

uint64_t trn_view_number(const struct view *v, const struct trn_field_row *field)
{
    const uint8_t *bytes = trn_view_bytes(v, field);
    const unsigned size = field->size / field->count;
    uint64_t value = 0;
    memcpy(&value, bytes, size <= 8 ? size : 8); /* little-endian host, base/bytes.h */
    return field->bits ? trn_bits_get(value, field->bit_lo, field->bits) : value;
}

bool trn_view_is_pattern(const struct trn_field_row *field)
{
    return (field->type >= TRN_TYPE_PATTERN1D && field->type <= TRN_TYPE_PATTERN4D) ||
           field->type == TRN_TYPE_MX1D;
}

unsigned trn_view_dims(const struct trn_field_row *field)
{
    return field->type == TRN_TYPE_MX1D ? 1 : (unsigned)field->type - TRN_TYPE_PATTERN1D + 1;
}

/* Sources of the PE array may be MX descriptors where the marker exists (isa-core.md 5). */
static enum rule_arms arms_of(const struct view *v, const struct trn_field_row *field)
{
    const bool is_pe = v->c->entry->engines == 1;
    if (field->type == TRN_TYPE_PATTERN1D)
        return RULE_NO_ARM;
    return is_pe && strncmp(field->name, "src", 3) == 0 &&
                   trn_enum_by_value(TRN_ENUM_ADDR4_MARKER, RULE_MX_MARKER, v->isa)
               ? RULE_MX_ARMS
               : RULE_ARMS;
}

struct rule_pattern trn_view_pattern(const struct view *v, const struct trn_field_row *field)
{
    return trn_rule_pattern(v->c->gen, trn_view_bytes(v, field), arms_of(v, field));
}

/* Arrays of a TENSORnD; of an MXTENSOR1D the direction and the count. */
const uint8_t *trn_view_nums(const struct view *v, const struct trn_field_row *field)
{
    const uint8_t *bytes = trn_view_bytes(v, field);
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

void trn_view_say_place(struct text *text, struct rule_place place)
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

/* The scales of a block-scaled operand, whose address stands at `addr4`. */
static void say_scales(struct text *text, const struct view *v, const uint8_t *addr4,
                       unsigned offset)
{
    put(text, "+scale(");
    trn_view_say_place(text, rule_addr4(v->c->gen, addr4));
    say(text, ",%u)", offset);
}

void trn_view_say_pattern(struct text *text, const struct view *v,
                          const struct trn_field_row *field)
{
    const struct rule_pattern p = trn_view_pattern(v, field);
    trn_view_say_place(text, p.at);
    const uint8_t *const bytes = trn_view_bytes(v, field);
    if (arms_of(v, field) == RULE_MX_ARMS && !p.indirect &&
        (bytes[3] & RULE_MX_MARKER_BITS) == RULE_MX_MARKER) {
        const uint8_t *const num = trn_mxtensor_v2_num_elem(bytes, v->isa);
        say(text, ":mx(%u,%u)", num[0], num[1]);
        say_scales(text, v, trn_mxtensor_v2_scale_addr_bytes(bytes, v->isa), 0);
        return;
    }
    if (!p.shape_known) {
        put(text, p.indirect ? ":(indirect)" : ":(shape register)");
        return;
    }
    const uint8_t *nums = trn_view_nums(v, field);
    for (unsigned i = 0; i < trn_view_dims(field); i++) {
        put(text, i ? "," : ":(");
        put_number(text, trn_get16(nums + 2 * i));
    }
    put(text, ")");
    if (field->type == TRN_TYPE_MX1D)
        say_scales(text, v, trn_mx1d_scale_addr_bytes(bytes, v->isa),
                   trn_mx1d_scale_pidx(bytes, v->isa));
}

static void say_array(struct text *text, const struct view *v, const struct trn_field_row *field)
{
    const unsigned size = field->size / field->count;
    for (unsigned i = 0; i < field->count && i < 16; i++) {
        uint64_t value = 0;
        memcpy(&value, trn_view_bytes(v, field) + i * size, size <= 8 ? size : 8);
        put(text, i ? "," : "{");
        put_number(text, value);
    }
    put(text, field->count > 16 ? ",...}" : "}");
}

static enum trn_enum_id nibble_enum(const struct trn_field_row *field)
{
    return field->type == TRN_TYPE_PAIR ? TRN_ENUM_DTYPE : TRN_ENUM_IMM_SRC;
}

void trn_view_say_value(struct text *text, const struct view *v, const struct trn_field_row *field)
{
    if (trn_view_is_pattern(field)) {
        trn_view_say_pattern(text, v, field);
        return;
    }
    if (field->count > 1) {
        say_array(text, v, field);
        return;
    }
    const uint64_t value = trn_view_number(v, field);
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
void trn_view_say_found(struct text *text, const struct view *v, const struct trn_field_row *field,
                        unsigned place)
{
    if (place & (RULE_LO | RULE_HI)) {
        const bool low = (place & RULE_LO) != 0;
        say(text, "%s.%s is ", field->name, low ? "lo" : "hi");
        say_enum(text, nibble_enum(field), trn_bits_get(trn_view_number(v, field), low ? 0 : 4, 4),
                 v->isa);
        return;
    }
    put(text, field->name);
    put(text, " is ");
    trn_view_say_value(text, v, field);
}

/* ---- what the constraint of a field says ------------------------------------------------- */

/* Copies the constraint item that starts with `prefix` (after any nibble prefix), without it. */
bool trn_constraint_item(const struct trn_field_row *field, const char *prefix, char *out,
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
uint32_t trn_view_type(const struct view *v, const struct trn_field_row *field)
{
    char name[64];
    if (!trn_constraint_item(field, "type=", name, sizeof name))
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
    if (!type || !trn_view_present(v, type))
        return is_pe ? TRN_DTYPE_FP32 : TRN_DTYPE_INVALID;
    uint64_t code = trn_view_number(v, type);
    if (part)
        code = trn_bits_get(code, high ? 4 : 0, 4);
    return is_pe ? rule_or_fp32((uint32_t)code) : (uint32_t)code;
}
