/* SPDX-License-Identifier: Apache-2.0 */
/* Names of places: blocks and their registers, apertures, bytes of memories. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "gen/map.h"

/* A name being resolved. */
struct typed {
    const struct trn_gen *gen;
    const char *name; /* as written */
    int core;         /* meant where none is written */
    struct trn_diag *diag;
};

static trn_status fail(const struct typed *typed, trn_status status, const char *expected,
                       const char *what)
{
    return trn_diag_set(typed->diag, status, NULL, NULL, expected, "'%s': %s", typed->name, what);
}

static trn_status not_found(const struct typed *typed)
{
    return trn_diag_set(typed->diag, TRN_ERR_NOT_FOUND, NULL, NULL, NULL,
                        "%s has no block, register, aperture or memory '%s'", typed->gen->name,
                        typed->name);
}

/* A number as people write it, decimal or 0x; steps over it. */
static bool take_number(const char **at, uint64_t *value)
{
    char *end;
    if (!isdigit((unsigned char)**at))
        return false;
    *value = strtoull(*at, &end, 0);
    *at = end;
    return true;
}

static bool take_char(const char **at, char c)
{
    const bool is = tolower((unsigned char)**at) == c;
    *at += is;
    return is;
}

static bool take_word(const char **at, const char *word)
{
    const size_t length = strlen(word);
    const bool is = strlen(*at) >= length && trn_name_is(word, *at, length);
    *at += is ? length : 0;
    return is;
}

/* "core3." or "core 3 " in front of a name; the core stays as it is without it. */
static const char *take_core(const char *name, int *core)
{
    const char *at = name;
    uint64_t number;
    if (!take_word(&at, "core"))
        return name;
    take_char(&at, ' ');
    if (!take_number(&at, &number) || number > UINT8_MAX ||
        (!take_char(&at, '.') && !take_char(&at, ' ')))
        return name;
    *core = (int)number;
    return at;
}

/* ---- memories --------------------------------------------------------------------- */

struct memory_name {
    const char *name;
    uint32_t base, stride, active, partitions;
};

/* "[p3,0x40]" behind sbuf or psum. */
static trn_status on_chip(const struct typed *typed, const char *at, int core,
                          const struct memory_name *memory, struct trn_map_place *out)
{
    uint64_t partition, byte;
    const bool written = take_char(&at, '[') && (take_char(&at, 'p') || true) &&
                         take_number(&at, &partition) && take_char(&at, ',') &&
                         take_number(&at, &byte) && take_char(&at, ']') && !*at;
    if (!written)
        return fail(typed, TRN_ERR_NOT_FOUND, "sbuf[pPARTITION,BYTE] is expected",
                    "a byte of an on-chip memory is not written so");
    if (partition >= memory->partitions)
        return fail(typed, TRN_ERR_RANGE, "partitions are 0 to 127", "no such partition");
    if (byte >= memory->stride)
        return fail(typed, TRN_ERR_RANGE, NULL, "the byte lies outside a partition");
    return trn_map_address(typed->gen, TRN_MAP_ENGINE,
                           memory->base + partition * memory->stride + byte, core, out,
                           typed->diag);
}

/* The HBM stack of a core (address-map.md 4.2): cores share the stacks in order. */
static unsigned stack_of(const struct trn_gen *gen, int core)
{
    return gen->hbm_channels ? (unsigned)core / (gen->cores / gen->hbm_channels) : 0;
}

/* "[BYTE]" behind hbm or hbmC. */
static trn_status device_memory(const struct typed *typed, const char *at, int core,
                                struct trn_map_place *out)
{
    char name[16];
    uint64_t stack = stack_of(typed->gen, core), byte;
    take_number(&at, &stack);
    if (!take_char(&at, '[') || !take_number(&at, &byte) || !take_char(&at, ']') || *at)
        return fail(typed, TRN_ERR_NOT_FOUND, "hbm[BYTE] or hbmN[BYTE] is expected",
                    "a byte of device memory is not written so");
    snprintf(name, sizeof name, "HBM_%u", (unsigned)(stack > 99 ? 99 : stack));
    const struct trn_aperture_row *row = trn_aperture_find(typed->gen, TRN_APERTURE_BAR4, name);
    if (!row)
        return fail(typed, TRN_ERR_RANGE, NULL, "no place of such an HBM stack is known");
    if (byte >= row->size)
        return fail(typed, TRN_ERR_RANGE, NULL, "the byte lies outside the stack");
    return trn_map_address(typed->gen, TRN_MAP_BAR4, row->offset + byte, core, out, typed->diag);
}

/* Fills *status when the name is that of a memory. */
static bool is_memory(const struct typed *typed, struct trn_map_place *out, trn_status *status)
{
    const struct trn_gen *gen = typed->gen;
    const struct memory_name memories[] = {
        {"sbuf[", 0, gen->sbuf_stride, gen->sbuf_active_bytes, gen->sbuf_partitions},
        {"psum[", gen->psum_base, gen->psum_stride, gen->psum_active_bytes, gen->psum_partitions}};
    int core = typed->core;
    const char *at = take_core(typed->name, &core);
    for (size_t i = 0; i < sizeof memories / sizeof memories[0]; i++) {
        const char *rest = at;
        if (!take_word(&rest, memories[i].name))
            continue;
        *status = on_chip(typed, rest - 1, core, &memories[i], out);
        return true;
    }
    if (!take_word(&at, "hbm") || !(*at == '[' || isdigit((unsigned char)*at)))
        return false;
    *status = device_memory(typed, at, core, out);
    return true;
}

/* ---- blocks and registers --------------------------------------------------------- */

/* A register of the block, or the register and its last part as a bit field. */
static bool find_register(const struct trn_gen *gen, const struct trn_block *block,
                          const char *name, uint64_t *bar0, const struct trn_reg_bits **bits)
{
    const char *const blocks[] = {block->row->block, block->row->shared};
    for (size_t i = 0; i < 2 && blocks[i]; i++) {
        char full[2 * TRN_MAP_NAME_MAX];
        unsigned index[2];
        snprintf(full, sizeof full, "%s.%s", blocks[i], name);
        const struct trn_reg_row *row = trn_reg_find(gen, full, index);
        char *dot = strrchr(full, '.');
        *bits = NULL;
        if (!row && strchr(full, '.') != dot) {
            *dot = '\0';
            row = trn_reg_find(gen, full, index);
            *bits = row ? trn_reg_field(row, dot + 1) : NULL;
            row = *bits ? row : NULL;
        }
        if (row && trn_block_reg_place(block, row, index[0], index[1], bar0))
            return true;
    }
    return false;
}

/* The block that a name starts with: its longest start up to a dot. *rest: what follows. */
static const struct trn_block *block_of(const struct trn_gen *gen, const char *name,
                                        const char **rest)
{
    char start[TRN_MAP_NAME_MAX];
    if (strlen(name) >= sizeof start)
        return NULL;
    strcpy(start, name);
    for (char *dot = start + strlen(start); dot; dot = strrchr(start, '.')) {
        *dot = '\0';
        *rest = name + (dot - start) + (name[dot - start] == '.');
        const struct trn_block *block = trn_block_find(gen, start);
        if (block)
            return block;
    }
    return NULL;
}

static bool resolve_block(const struct typed *typed, const char *name, struct trn_map_place *out)
{
    const char *rest;
    const struct trn_reg_bits *bits = NULL;
    const struct trn_block *block = block_of(typed->gen, name, &rest);
    uint64_t bar0 = block ? block->bar0 : 0;
    if (!block || (*rest && !find_register(typed->gen, block, rest, &bar0, &bits)))
        return false;
    if (trn_map_address(typed->gen, TRN_MAP_BAR0, bar0, 0, out, typed->diag) != TRN_OK)
        return false;
    out->has_field = bits != NULL;
    if (bits)
        out->field = (struct trn_map_field){bits->name, bits->low, bits->bits, bits->pulse};
    return true;
}

/* First as a block of the core that is meant, then as it is written. */
static bool is_block(const struct typed *typed, struct trn_map_place *out)
{
    char name[TRN_MAP_NAME_MAX];
    snprintf(name, sizeof name, "core%d.%.100s", typed->core, typed->name);
    return (strlen(typed->name) <= 100 && resolve_block(typed, name, out)) ||
           resolve_block(typed, typed->name, out);
}

/* ---- apertures -------------------------------------------------------------------- */

/* Aperture "NAME" or "NAME[copy]" of a scope. */
static bool find_range(const struct trn_gen *gen, enum trn_aperture_scope scope, const char *name,
                       struct trn_map_range *range)
{
    char plain[TRN_MAP_NAME_MAX];
    const char *mark = strchr(name, '[');
    uint64_t copy = 0;
    snprintf(plain, sizeof plain, "%.*s", mark ? (int)(mark - name) : TRN_MAP_NAME_MAX - 1, name);
    if (mark) {
        const char *at = mark + 1;
        if (!take_number(&at, &copy) || !take_char(&at, ']') || *at)
            return false;
    }
    range->row = trn_aperture_find(gen, scope, plain);
    range->copy = (uint32_t)copy;
    return range->row && copy < range->row->count;
}

/* "TOP_SP_2 SP_NX_IRAM" or with a dot: a range in the window of a TopSP or compute cluster. */
static bool in_window(const struct typed *typed, const char *name, uint64_t *bar0)
{
    char window_name[TRN_MAP_NAME_MAX];
    const size_t length = strcspn(name, ". ");
    struct trn_map_range window, range;
    enum trn_aperture_scope scope;
    snprintf(window_name, sizeof window_name, "%.*s", (int)length, name);
    if (!name[length] || !find_range(typed->gen, TRN_APERTURE_BAR0, window_name, &window) ||
        !trn_map_inside(window.row, &scope) ||
        !find_range(typed->gen, scope, name + length + 1, &range))
        return false;
    *bar0 =
        trn_map_range_start(window.row, window.copy) + trn_map_range_start(range.row, range.copy);
    return true;
}

static bool is_aperture(const struct typed *typed, struct trn_map_place *out)
{
    static const struct {
        enum trn_aperture_scope scope;
        enum trn_map_space space;
    } scopes[] = {{TRN_APERTURE_TPB_BAR, TRN_MAP_TPB_BAR},
                  {TRN_APERTURE_BAR0, TRN_MAP_BAR0},
                  {TRN_APERTURE_TPB_SOC, TRN_MAP_TPB},
                  {TRN_APERTURE_BAR4, TRN_MAP_BAR4},
                  {TRN_APERTURE_SOC, TRN_MAP_SOC}};
    const struct trn_gen *gen = typed->gen;
    int core = typed->core;
    const char *name = take_core(typed->name, &core);
    struct trn_map_range range;
    uint64_t bar0;
    for (size_t i = 0; i < sizeof scopes / sizeof scopes[0]; i++)
        if (find_range(gen, scopes[i].scope, name, &range))
            return trn_map_address(gen, scopes[i].space, trn_map_range_start(range.row, range.copy),
                                   core, out, typed->diag) == TRN_OK;
    return in_window(typed, name, &bar0) &&
           trn_map_address(gen, TRN_MAP_BAR0, bar0, core, out, typed->diag) == TRN_OK;
}

/* ---- names ------------------------------------------------------------------------ */

static trn_status resolve(const struct typed *typed, struct trn_map_place *out)
{
    trn_status status;
    if (is_memory(typed, out, &status))
        return status;
    return is_block(typed, out) || is_aperture(typed, out) ? TRN_OK : not_found(typed);
}

/* The place `distance` bytes further, by the form that it certainly has. */
static trn_status further(const struct trn_map_place *from, uint64_t distance, int core,
                          struct trn_map_place *out, struct trn_diag *diag)
{
    const enum trn_map_space space = from->exists[TRN_MAP_BAR0] ? TRN_MAP_BAR0 : TRN_MAP_SOC;
    return trn_map_address(from->gen, space, from->address[space] + distance, core, out, diag);
}

trn_status trn_map_name(const struct trn_gen *gen, const char *name, int core,
                        struct trn_map_place *out, struct trn_diag *diag)
{
    char base[TRN_MAP_NAME_MAX];
    struct typed typed = {gen, name, core, diag};
    const char *plus = strrchr(name, '+');
    const char *at = plus ? plus + 1 : name;
    uint64_t distance = 0;
    if (core < 0 || core >= gen->cores)
        return trn_diag_set(diag, TRN_ERR_INVALID, NULL, NULL, NULL, "%s has cores 0 to %u, not %d",
                            gen->name, gen->cores - 1u, core);
    if (strlen(name) >= sizeof base)
        return not_found(&typed);
    if (!plus || !take_number(&at, &distance) || *at)
        return resolve(&typed, out);
    snprintf(base, sizeof base, "%.*s", (int)(plus - name), name);
    typed.name = base;
    struct trn_map_place start = {.gen = gen};
    const trn_status status = resolve(&typed, &start);
    return status == TRN_OK ? further(&start, distance, core, out, diag) : status;
}

/* ---- known names ------------------------------------------------------------------- */

/* Apertures of a core are known under the name of core 0. */
static bool aperture_name(const struct trn_gen *gen, size_t i, char name[TRN_MAP_NAME_MAX])
{
    for (size_t row = 0; row < trn_num_apertures; row++) {
        const struct trn_aperture_row *aperture = &trn_aperture_table[row];
        const bool named = aperture->scope <= TRN_APERTURE_SOC &&
                           aperture->scope != TRN_APERTURE_TOPSP && trn_aperture_on(aperture, gen);
        if (!named || i-- > 0)
            continue;
        snprintf(name, TRN_MAP_NAME_MAX, "%s%s",
                 aperture->scope <= TRN_APERTURE_TPB_BAR ? "core0." : "", aperture->name);
        return true;
    }
    return false;
}

bool trn_map_known_name(const struct trn_gen *gen, size_t i, char name[TRN_MAP_NAME_MAX])
{
    static const char *const memories[] = {"sbuf[p0,0x0]", "psum[p0,0x0]", "hbm[0x0]"};
    const size_t num_memories = sizeof memories / sizeof memories[0];
    const struct trn_block_list *list = trn_blocks_of(gen);
    if (i < num_memories) {
        snprintf(name, TRN_MAP_NAME_MAX, "%s", memories[i]);
        return true;
    }
    i -= num_memories;
    if (i < list->count) {
        trn_block_path(&list->blocks[i], name);
        return true;
    }
    return aperture_name(gen, i - list->count, name);
}
