/* SPDX-License-Identifier: Apache-2.0 */
#include "gen/regmap.h"

#include "base/names.h"
#include "gen/gen_rows.h"
#include "gen/regmap_names.h"

static bool on_generation(uint8_t mask, const struct trn_gen *gen)
{
    return trn_bits_get(mask, (unsigned)(gen - trn_gen_table), 1);
}

bool trn_reg_on(const struct trn_reg_row *row, const struct trn_gen *gen)
{
    return on_generation(row->gen_mask, gen);
}

uint32_t trn_reg_offset(const struct trn_reg_row *row, unsigned i, unsigned j)
{
    /* the stride of an index that the row does not have is 0 */
    return row->offset + (i - row->first[0]) * row->stride[0] +
           (j - row->first[1]) * row->stride[1];
}

/* ---- by name ---------------------------------------------------------------------- */

enum { NAME_MAX_BYTES = 128 };

/* A name as typed, and the same without its bracketed numbers. */
struct typed_name {
    char plain[NAME_MAX_BYTES];
    size_t length;
    unsigned number[2];
    unsigned num_numbers;
};

/* Reads "[N]" at *at and steps over it; false when it is not that. */
static bool read_number(const char **at, unsigned *number)
{
    const char *p = *at + 1;
    unsigned value = 0, digits = 0;
    for (; *p >= '0' && *p <= '9' && digits < 6; p++, digits++)
        value = value * 10 + (unsigned)(*p - '0');
    if (digits == 0 || *p != ']')
        return false;
    *at = p + 1;
    *number = value;
    return true;
}

static bool strip_numbers(const char *name, struct typed_name *out)
{
    *out = (struct typed_name){0};
    while (*name) {
        if (*name == '[') {
            if (out->num_numbers == 2 || !read_number(&name, &out->number[out->num_numbers]))
                return false;
            out->num_numbers++;
        } else if (out->length + 1 < NAME_MAX_BYTES) {
            out->plain[out->length++] = *name++;
        } else {
            return false;
        }
    }
    return true;
}

static const struct trn_reg_row *find_path(const struct trn_gen *gen, const char *name,
                                           size_t length)
{
    const uint32_t hash = trn_name_hash(name, length);
    uint32_t probe = 0;
    for (int i; (i = trn_name_next(&trn_reg_names, hash, &probe)) >= 0;) {
        const struct trn_reg_row *row = &trn_reg_table[trn_reg_name_rows[i].row];
        if (trn_name_is(trn_reg_name_rows[i].name, name, length) && (!gen || trn_reg_on(row, gen)))
            return row;
    }
    return NULL;
}

static bool in_range(const struct trn_reg_row *row, const struct typed_name *typed)
{
    if (typed->num_numbers > row->num_indices)
        return false;
    for (unsigned k = 0; k < typed->num_numbers; k++)
        if (typed->number[k] < row->first[k] || typed->number[k] - row->first[k] >= row->count[k])
            return false;
    return true;
}

const struct trn_reg_row *trn_reg_find(const struct trn_gen *gen, const char *name,
                                       unsigned index[2])
{
    struct typed_name typed = {0};
    const struct trn_reg_row *row = find_path(gen, name, strlen(name)); /* "general.lr[38]" */
    if (!row && strip_numbers(name, &typed))
        row = find_path(gen, typed.plain, typed.length);
    if (!row || !in_range(row, &typed))
        return NULL;
    for (unsigned k = 0; index && k < 2; k++)
        index[k] = k < typed.num_numbers ? typed.number[k] : row->first[k];
    return row;
}

const struct trn_reg_bits *trn_reg_field(const struct trn_reg_row *row, const char *name)
{
    for (unsigned i = 0; i < row->num_fields; i++)
        if (trn_name_is(row->fields[i].name, name, strlen(name)))
            return &row->fields[i];
    return NULL;
}

/* ---- by place --------------------------------------------------------------------- */

/* Does the family hold the 32-bit register at `offset`? Larger strides are tried first. */
static bool solve(const struct trn_reg_row *row, uint32_t offset, unsigned index[2])
{
    if (row->open || offset < row->offset)
        return false;
    uint32_t rest = offset - row->offset;
    const unsigned outer = row->num_indices == 2 && row->stride[1] > row->stride[0];
    for (unsigned n = 0; n < row->num_indices; n++) {
        const unsigned k = n ^ outer;
        const uint32_t step = rest / row->stride[k];
        if (step >= row->count[k])
            return false;
        index[k] = row->first[k] + step;
        rest -= step * row->stride[k];
    }
    return rest < row->width / 8u;
}

const struct trn_reg_row *trn_reg_at(const struct trn_gen *gen, const char *block, uint32_t offset,
                                     unsigned index[2])
{
    for (size_t i = 0; i < trn_num_regs; i++) {
        const struct trn_reg_row *row = &trn_reg_table[i];
        unsigned found[2] = {row->first[0], row->first[1]};
        if (!trn_reg_on(row, gen) || strcmp(row->block, block) != 0 || !solve(row, offset, found))
            continue;
        if (index)
            memcpy(index, found, sizeof found);
        return row;
    }
    return NULL;
}

/* ---- apertures -------------------------------------------------------------------- */

bool trn_aperture_on(const struct trn_aperture_row *row, const struct trn_gen *gen)
{
    return on_generation(row->gen_mask, gen);
}

const char *trn_aperture_scope_name(enum trn_aperture_scope scope)
{
    static const char *const names[] = {"tpb_soc",  "tpb_bar", "topsp",     "bar0",
                                        "bar4",     "soc",     "dve_block", "pool_block",
                                        "pe_block", "preproc"};
    _Static_assert(sizeof names / sizeof names[0] == TRN_APERTURE_SCOPES, "one name a scope");
    return scope < TRN_APERTURE_SCOPES ? names[scope] : NULL;
}

/* Copy of the aperture that holds the offset, -1 when none does. */
static int64_t copy_at(const struct trn_aperture_row *row, uint64_t offset)
{
    if (offset < row->offset)
        return -1;
    const uint64_t distance = offset - row->offset;
    const uint64_t copy = row->stride ? distance / row->stride : 0;
    return copy < row->count && distance - copy * row->stride < row->size ? (int64_t)copy : -1;
}

static const struct trn_aperture_row *smallest_at(const struct trn_gen *gen,
                                                  enum trn_aperture_scope scope, uint64_t offset,
                                                  bool needs_soc)
{
    const struct trn_aperture_row *best = NULL;
    for (size_t i = 0; i < trn_num_apertures; i++) {
        const struct trn_aperture_row *row = &trn_aperture_table[i];
        if (row->scope == scope && on_generation(row->gen_mask, gen) &&
            (!needs_soc || row->soc_known) && copy_at(row, offset) >= 0 &&
            (!best || row->size < best->size))
            best = row;
    }
    return best;
}

const struct trn_aperture_row *trn_aperture_at(const struct trn_gen *gen,
                                               enum trn_aperture_scope scope, uint64_t offset,
                                               uint32_t *copy)
{
    const struct trn_aperture_row *row = smallest_at(gen, scope, offset, false);
    if (row && copy)
        *copy = (uint32_t)copy_at(row, offset);
    return row;
}

const struct trn_aperture_row *trn_aperture_find(const struct trn_gen *gen,
                                                 enum trn_aperture_scope scope, const char *name)
{
    for (size_t i = 0; i < trn_num_apertures; i++) {
        const struct trn_aperture_row *row = &trn_aperture_table[i];
        if (row->scope == scope && on_generation(row->gen_mask, gen) &&
            trn_name_is(row->name, name, strlen(name)))
            return row;
    }
    return NULL;
}

bool trn_aperture_soc(const struct trn_gen *gen, const struct trn_aperture_row *row, uint32_t copy,
                      uint64_t *address)
{
    const uint64_t start = row->offset + copy * row->stride;
    const struct trn_aperture_row *base =
        row->soc_known ? row : smallest_at(gen, row->scope, start, true);
    if (base)
        *address = base->soc + (start - base->offset);
    return base != NULL;
}
