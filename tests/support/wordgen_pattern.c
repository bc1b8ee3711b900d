/* SPDX-License-Identifier: Apache-2.0 */
/* Memory patterns: a start address where the field may point, counts, steps, and the arms. */
#include <string.h>

#include "base/bytes.h"
#include "support/wordgen_draw.h"
#include "trench/enums.h"

enum { MAX_DIMS = 4, ALIGN = 64 };

/* Where the arrays of a pattern stand; steps of an MXTENSOR1D are one byte. */
struct shape {
    uint8_t *bytes, *step, *num;
    unsigned dims;
    bool mx;
};

static struct shape shape_of(const struct draw *d, const struct trn_field_row *field)
{
    uint8_t *bytes = d->word + field->offset[d->isa];
    if (field->type == TRN_TYPE_MX1D)
        return (struct shape){bytes, bytes + 10, bytes + 8, 1, true};
    const unsigned dims = (unsigned)field->type - TRN_TYPE_PATTERN1D + 1;
    return (struct shape){bytes, bytes + 4, bytes + 4 + 2 * dims, dims, false};
}

static uint32_t get_num(const struct shape *s, unsigned i)
{
    return trn_get16(s->num + 2 * i);
}

static void set_num(const struct shape *s, unsigned i, uint32_t value)
{
    trn_put16(s->num + 2 * i, (uint16_t)value);
}

static void set_step(const struct shape *s, unsigned i, int32_t value)
{
    if (s->mx)
        *s->step = (uint8_t)(value < 0 ? -1 : 1);
    else
        trn_put16(s->step + 2 * i, (uint16_t)value);
}

/* Whether the pattern can be a descriptor of block-scaled operands (isa-core.md 6). */
static bool takes_v2(const struct draw *d, const struct trn_field_row *field)
{
    return d->gen->isa_version >= 5 && (d->id == TRN_STRUCT_S3_LW || d->id == TRN_STRUCT_S3D3_MM) &&
           strncmp(field->name, "src", 3) == 0;
}

static bool is_v2(const struct draw *d, const struct trn_field_row *field, const struct shape *s)
{
    return takes_v2(d, field) && s->bytes[3] == TRN_ADDR4_MARKER_MXTENSOR_V2;
}

uint64_t draw_product(const struct draw *d, const struct trn_field_row *field)
{
    const struct shape s = shape_of(d, field);
    uint64_t product = 1;
    if (is_v2(d, field, &s))
        return (uint64_t)s.bytes[8] * s.bytes[9];
    for (unsigned i = 0; i < s.dims; i++)
        product *= get_num(&s, i);
    return product;
}

/* ---- counts ------------------------------------------------------------------------ */

/* A random divisor of n that is at most limit. */
static uint32_t divisor(struct draw *d, uint64_t n, uint32_t limit)
{
    uint32_t result = 1;
    for (uint32_t p = 2; p <= 64 && n > 1; p++)
        while (n % p == 0) {
            n /= p;
            if (draw_chance(d, 50) && (uint64_t)result * p <= limit)
                result *= p;
        }
    if (n > 1 && draw_chance(d, 50) && result * n <= limit)
        result *= (uint32_t)n;
    return result;
}

/* Counts with that product, split at random; false when it does not fit. */
static bool set_product(struct draw *d, const struct shape *s, uint64_t product)
{
    if (product == 0)
        return false;
    uint32_t counts[MAX_DIMS];
    for (unsigned i = 1; i < s->dims; i++) {
        counts[i] = divisor(d, product, 65535);
        product /= counts[i];
    }
    if (product > 65535)
        return false;
    counts[0] = (uint32_t)product;
    for (unsigned i = 0; i < s->dims; i++)
        set_num(s, i, counts[i]);
    return true;
}

/* Packed, sometimes with a broadcast, a gap or a reversed dimension. */
static void draw_steps(struct draw *d, const struct shape *s)
{
    uint32_t packed = 1;
    for (unsigned i = 0; i < s->dims; i++) {
        const uint32_t roll = draw_below(d, 100);
        const uint32_t step = packed > 32767 ? 1 : packed;
        set_step(s, i,
                 roll < 80   ? (int32_t)step
                 : roll < 90 ? 0
                 : roll < 95 ? -(int32_t)step
                             : (int32_t)draw_below(d, 8));
        packed *= get_num(s, i) ? get_num(s, i) : 1;
        packed = packed > 65535 ? 65535 : packed;
    }
}

static uint64_t some_product(struct draw *d)
{
    const uint32_t roll = draw_below(d, 100);
    if (roll < 20)
        return 1;
    if (roll < 80)
        return UINT64_C(1) << draw_below(d, 10);
    return 1 + draw_below(d, 1024);
}

/* ---- places ------------------------------------------------------------------------- */

/* The memory item of the field's constraint on this generation: "SBUF|PSUM read". */
static bool may_be_in(const struct draw *d, const struct trn_field_row *field, const char *space)
{
    const char own[] = {'v', (char)('2' + (int)d->isa), ' ', 0};
    const char *item = strstr(field->constraint, own);
    if (!item)
        item = field->constraint;
    const char *end = strchr(item, ';');
    const char *found = strstr(item, space);
    return found && (!end || found < end);
}

static uint32_t start_partition(struct draw *d)
{
    const struct trn_field_row *field = draw_find(d, "num_active_channels");
    const uint64_t channels = field ? draw_get(d, field) : 1;
    if (channels > 64)
        return 0;
    return channels > 32 ? 64 * draw_below(d, 2) : 32 * draw_below(d, 4);
}

static uint32_t address_at(const struct draw *d, bool psum, uint32_t partition, uint32_t byte)
{
    return psum ? d->gen->psum_base + partition * d->gen->psum_stride + byte
                : partition * d->gen->sbuf_stride + byte;
}

static uint32_t some_byte(struct draw *d, bool psum)
{
    const uint32_t active = psum ? d->gen->psum_active_bytes : d->gen->sbuf_active_bytes;
    if (draw_chance(d, 40))
        return 0;
    if (draw_chance(d, 50))
        return ALIGN * draw_below(d, active / ALIGN / 2);
    return ALIGN * draw_below(d, active / ALIGN);
}

uint32_t draw_pointer(struct draw *d)
{
    const bool psum = draw_chance(d, 20);
    return address_at(d, psum, start_partition(d), some_byte(d, psum));
}

static bool draws_psum(struct draw *d, const struct trn_field_row *field)
{
    const bool sbuf = may_be_in(d, field, "SBUF"), psum = may_be_in(d, field, "PSUM");
    return psum && (!sbuf || draw_chance(d, 30));
}

static bool is_plain(const struct shape *s)
{
    return (s->bytes[3] & 0xE0) == 0;
}

/* ---- arms ---------------------------------------------------------------------------- */

static void put_register(struct draw *d, uint8_t *addr4, uint32_t marker)
{
    trn_put32(addr4, draw_below(d, 64) | marker << 24);
}

static void to_shape_register(struct draw *d, const struct shape *s)
{
    memset(s->step, 0, 4 * s->dims);
    trn_put16(s->step, (uint16_t)draw_below(d, 4));
    s->bytes[3] |= TRN_ADDR4_MARKER_SHAPE_REG;
}

/* Index vector, data address, number of indices (README of the tables: @indirect). */
static void to_indirect(struct draw *d, const struct shape *s, uint32_t data)
{
    memset(s->bytes, 0, s->mx ? 16 : 4 + 4 * s->dims);
    trn_put32(s->bytes, address_at(d, false, start_partition(d), some_byte(d, false)));
    trn_put32(s->bytes + 4, data);
    if (s->mx) {
        trn_put32(s->bytes + 8, data);
        trn_put16(s->bytes + 12, (uint16_t)(1 + draw_below(d, 64)));
    } else {
        trn_put16(s->bytes + 8, (uint16_t)(1 + draw_below(d, 64)));
    }
    if (draw_chance(d, 20))
        put_register(d, s->bytes, 0);
    s->bytes[3] |= TRN_ADDR4_MARKER_INDIRECT_IMM;
}

/* Data, scales in its quadrant, two counts and steps, groups of 8 by 4. */
static void to_v2(struct draw *d, const struct shape *s, uint8_t inner)
{
    const uint32_t data = trn_get32(s->bytes), partition = data / d->gen->sbuf_stride;
    memset(s->bytes, 0, 16);
    trn_put32(s->bytes, (data & ~UINT32_C(0x1F000000)) | 1u << 24);
    trn_put32(s->bytes + 4, address_at(d, false, partition / 32 * 32 + 4 * draw_below(d, 4),
                                       some_byte(d, false)));
    s->bytes[8] = inner;
    s->bytes[9] = (uint8_t)(draw_chance(d, 80) ? 1 : 2);
    trn_put16(s->bytes + 10, (uint16_t)(draw_chance(d, 80) ? inner : -(int)inner));
    trn_put16(s->bytes + 12, (uint16_t)(draw_chance(d, 80) ? inner : -(int)inner));
    s->bytes[14] = 3 | 2 << 4;
    s->bytes[15] = (uint8_t)(draw_chance(d, 70) ? TRN_DTYPE_SFP8_E8 : 0);
}

static void draw_arm(struct draw *d, const struct trn_field_row *field, const struct shape *s)
{
    const bool copies = d->id == TRN_STRUCT_S4D4_IC && s->dims == 4;
    const bool indirect =
        d->gen->isa_version >= 4 && s->dims > 1 && !strstr(field->constraint, "no indirect");
    if (copies ? draw_chance(d, 60) : indirect && draw_chance(d, 4))
        to_indirect(d, s, trn_get32(s->bytes));
    else if (d->gen->isa_version >= 3 && !s->mx && draw_chance(d, 3))
        to_shape_register(d, s);
    if (draw_chance(d, 4)) {
        const uint8_t marker =
            s->bytes[3] & (TRN_ADDR4_MARKER_SHAPE_REG | TRN_ADDR4_MARKER_INDIRECT_IMM);
        put_register(d, s->bytes, marker | TRN_ADDR4_MARKER_ADDR_REG);
    }
}

/* Scales lie in the quadrant of the data, at 0, 4, 8 or 12 of its first 16 partitions. */
static void draw_scale(struct draw *d, const struct shape *s, uint32_t partition)
{
    const uint32_t inside = 4 * draw_below(d, 4);
    trn_put32(s->bytes + 4,
              address_at(d, false, partition / 32 * 32 + inside, some_byte(d, false)));
    s->bytes[11] = (uint8_t)(4 * draw_below(d, 4));
}

void draw_pattern(struct draw *d, const struct trn_field_row *field)
{
    const struct shape s = shape_of(d, field);
    const bool psum = draws_psum(d, field);
    const uint32_t partition = start_partition(d);
    memset(s.bytes, 0, field->size);
    trn_put32(s.bytes, address_at(d, psum, partition, some_byte(d, psum)));
    set_product(d, &s, some_product(d));
    draw_steps(d, &s);
    if (s.mx)
        draw_scale(d, &s, partition);
    draw_arm(d, field, &s);
    if (takes_v2(d, field) && is_plain(&s) && draw_chance(d, 15))
        to_v2(d, &s, (uint8_t)(1 + draw_below(d, 128)));
}

/* ---- changes that a rule may want ------------------------------------------------------ */

static const struct trn_field_row *other_pattern(struct draw *d, const struct trn_field_row *field)
{
    const struct trn_struct_row *row = &trn_struct_table[d->id];
    const struct trn_field_row *found[8];
    unsigned count = 0;
    for (unsigned i = 0; i < row->num_fields; i++)
        if (draw_is_pattern(&row->fields[i]) && draw_present(d, &row->fields[i]) &&
            &row->fields[i] != field && count < 8)
            found[count++] = &row->fields[i];
    return count ? found[draw_below(d, count)] : NULL;
}

static uint64_t hint(struct draw *d, const struct hints *hints, uint64_t otherwise)
{
    return hints->count ? hints->values[draw_below(d, hints->count)] : otherwise;
}

/* The other pattern's count, or what is left of it without its inner dimensions, times and over
 * numbers the rule speaks of. */
static uint64_t wanted_product(struct draw *d, const struct trn_field_row *other,
                               const struct hints *hints)
{
    uint64_t product = other ? draw_product(d, other) : hint(d, hints, 1);
    if (other && draw_chance(d, 25)) {
        const struct shape s = shape_of(d, other);
        product = 1;
        for (unsigned i = 1 + draw_below(d, s.dims); i < s.dims; i++)
            product *= get_num(&s, i);
    }
    if (draw_chance(d, 30)) {
        const uint64_t by = hint(d, hints, 2);
        product = by && by < 65536 && product < 1u << 20 ? product * by : product;
    }
    if (draw_chance(d, 20)) {
        const uint64_t by = hint(d, hints, 2);
        product = by && product % by == 0 ? product / by : product;
    }
    if (draw_chance(d, 5))
        product = draw_chance(d, 50) ? product + 1 : product ? product - 1 : 1;
    return product;
}

static void move_start(struct draw *d, const struct trn_field_row *field, const struct shape *s,
                       const struct hints *hints)
{
    const uint64_t wanted = hint(d, hints, 0);
    if (draw_chance(d, 20) && wanted < UINT64_C(0x10000000)) {
        trn_put32(s->bytes, (uint32_t)wanted);
        return;
    }
    const bool psum = draws_psum(d, field);
    trn_put32(s->bytes, address_at(d, psum, 32 * draw_below(d, 4), some_byte(d, psum)));
}

/* As many containers as there are results or columns. */
static void redraw_v2(struct draw *d, const struct trn_field_row *field, const struct shape *s,
                      const struct hints *hints)
{
    const struct trn_field_row *other = other_pattern(d, field),
                               *columns = draw_find(d, "num_active_cols");
    const uint64_t count =
        other || !columns ? wanted_product(d, other, hints) : draw_get(d, columns);
    trn_put32(s->bytes, address_at(d, false, 0, some_byte(d, false)));
    to_v2(d, s, (uint8_t)count);
}

void draw_pattern_hinted(struct draw *d, const struct trn_field_row *field,
                         const struct hints *hints)
{
    const struct shape s = shape_of(d, field);
    const uint32_t roll = draw_below(d, 100);
    if (is_v2(d, field, &s) && roll >= 15) {
        redraw_v2(d, field, &s, hints);
    } else if (roll < 15) {
        draw_pattern(d, field);
    } else if (roll < 55) {
        const struct trn_field_row *other = draw_chance(d, 80) ? other_pattern(d, field) : NULL;
        if (set_product(d, &s, wanted_product(d, other, hints)))
            draw_steps(d, &s);
    } else if (roll < 65) {
        if (set_product(d, &s, hint(d, hints, 1)))
            draw_steps(d, &s);
    } else if (roll < 75) {
        set_num(&s, draw_below(d, s.dims), (uint16_t)hint(d, hints, 1));
    } else if (roll < 85) {
        set_step(&s, draw_below(d, s.dims), (int16_t)hint(d, hints, 1));
    } else {
        move_start(d, field, &s, hints);
    }
}

/* ---- the whole word -------------------------------------------------------------------- */

void draw_same_counts(struct draw *d)
{
    const struct trn_struct_row *row = &trn_struct_table[d->id];
    const uint64_t product = some_product(d);
    for (unsigned i = 0; i < row->num_fields; i++) {
        const struct trn_field_row *field = &row->fields[i];
        if (!draw_is_pattern(field) || !draw_present(d, field))
            continue;
        const struct shape s = shape_of(d, field);
        if (is_plain(&s) && !is_v2(d, field, &s) && set_product(d, &s, product))
            draw_steps(d, &s);
    }
}

void draw_same_partition(struct draw *d)
{
    const struct trn_struct_row *row = &trn_struct_table[d->id];
    const struct trn_field_row *channels = draw_find(d, "num_active_channels");
    if (channels && draw_chance(d, 60))
        draw_field(d, channels);
    const uint32_t partition = start_partition(d);
    for (unsigned i = 0; i < row->num_fields; i++) {
        const struct trn_field_row *field = &row->fields[i];
        if (!draw_is_pattern(field) || !draw_present(d, field))
            continue;
        const struct shape s = shape_of(d, field);
        const bool psum = draws_psum(d, field);
        if (is_plain(&s) && !s.mx && !is_v2(d, field, &s))
            trn_put32(s.bytes, address_at(d, psum, partition, some_byte(d, psum)));
    }
}
