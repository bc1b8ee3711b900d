/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses of one place: docs/hardware/address-map.md 1 to 4 and 7. Every base is a row of
 * apertures.csv or generations.csv; the device address ties the forms together. */
#include "gen/map.h"

#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/names.h"
#include "gen/gen_rows.h"

/* ---- ranges ----------------------------------------------------------------------- */

struct trn_map_range trn_map_range_at(const struct trn_gen *gen, enum trn_aperture_scope scope,
                                      uint64_t offset)
{
    struct trn_map_range range = {NULL, 0, 0};
    range.row = trn_aperture_at(gen, scope, offset, &range.copy);
    if (range.row)
        range.offset = offset - trn_map_range_start(range.row, range.copy);
    return range;
}

uint64_t trn_map_range_start(const struct trn_aperture_row *row, uint32_t copy)
{
    return row->offset + copy * row->stride;
}

uint64_t trn_map_core_window(const struct trn_gen *gen, unsigned core)
{
    return gen->bar0_tpb + core * gen->bar0_tpb_stride;
}

bool trn_map_inside(const struct trn_aperture_row *window, enum trn_aperture_scope *scope)
{
    static const struct {
        const char *prefix;
        enum trn_aperture_scope scope;
    } windows[] = {{"TOP_SP", TRN_APERTURE_TOPSP}, {"PREPROC", TRN_APERTURE_PREPROC}};
    /* the windows have a device address; the TopSPs' registers on the control plane have none */
    if (window->scope != TRN_APERTURE_BAR0 || !window->soc_known)
        return false;
    for (size_t i = 0; i < sizeof windows / sizeof windows[0]; i++)
        if (strncmp(window->name, windows[i].prefix, strlen(windows[i].prefix)) == 0) {
            *scope = windows[i].scope;
            return true;
        }
    return false;
}

void trn_map_append_range(char name[TRN_MAP_NAME_MAX], const struct trn_aperture_row *row,
                          uint32_t copy)
{
    const size_t length = strlen(name);
    if (row->count > 1)
        snprintf(name + length, TRN_MAP_NAME_MAX - length, "%s[%u]", row->name, copy);
    else
        snprintf(name + length, TRN_MAP_NAME_MAX - length, "%s", row->name);
}

/* The state buffer's offset in a container: 0 but on MAVERICK (address-map.md 4.3). */
static uint64_t sbuf_in_container(const struct trn_gen *gen)
{
    static const char *const names[] = {"STATE_BUF", "SBUF"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct trn_aperture_row *row = trn_aperture_find(gen, TRN_APERTURE_TPB_SOC, names[i]);
        if (row)
            return row->offset;
    }
    return 0;
}

/* Where the last range of a container ends; 0 when the generation lists none. */
static uint64_t container_end(const struct trn_gen *gen)
{
    uint64_t end = 0;
    for (size_t i = 0; i < trn_num_apertures; i++) {
        const struct trn_aperture_row *row = &trn_aperture_table[i];
        const uint64_t stop = trn_map_range_start(row, row->count - 1) + row->size;
        if (row->scope == TRN_APERTURE_TPB_SOC && trn_aperture_on(row, gen) && stop > end)
            end = stop;
    }
    return end;
}

bool trn_map_container(const struct trn_gen *gen, unsigned core, uint64_t *base, uint64_t *size)
{
    const struct trn_map_range window =
        trn_map_range_at(gen, TRN_APERTURE_BAR0, trn_map_core_window(gen, core));
    uint64_t sbuf;
    if (core >= gen->cores || !window.row || !trn_aperture_soc(gen, window.row, window.copy, &sbuf))
        return false;
    const uint64_t end = container_end(gen);
    *base = sbuf - sbuf_in_container(gen);
    *size = end ? end : window.row->size; /* on SUNDA the container is the window (1) */
    return true;
}

/* ---- model choices ---------------------------------------------------------------- */

bool trn_map_is_choice(const char *confidence, const struct trn_gen *gen)
{
    const char *at = confidence ? strstr(confidence, "MC") : NULL;
    if (!at || strncmp(at, "MC size", 7) == 0) /* the place itself is known */
        return false;
    unsigned version;
    int used = 0;
    bool limited = false;
    for (at += 2; sscanf(at, " v%u%n", &version, &used) == 1; at += used) {
        limited = true;
        if (version == gen->isa_version)
            return true;
    }
    return !limited;
}

/* ---- the forms -------------------------------------------------------------------- */

static const char *const space_names[] = {"bar0", "bar4", "soc", "tpb", "tpb_bar", "engine"};
_Static_assert(sizeof space_names / sizeof space_names[0] == TRN_MAP_SPACES, "one name a space");

const char *trn_map_space_name(enum trn_map_space space)
{
    return space < TRN_MAP_SPACES ? space_names[space] : NULL;
}

enum trn_map_space trn_map_space_find(const char *name)
{
    unsigned space = 0;
    while (space < TRN_MAP_SPACES && !trn_name_is(space_names[space], name, strlen(name)))
        space++;
    return (enum trn_map_space)space;
}

static void set(struct trn_map_place *place, enum trn_map_space space, uint64_t address)
{
    place->exists[space] = true;
    place->address[space] = address;
}

/* Device address of a byte of a BAR, from the window around it. */
static bool soc_of_bar(const struct trn_gen *gen, enum trn_aperture_scope scope, uint64_t offset,
                       uint64_t *soc)
{
    const struct trn_map_range range = trn_map_range_at(gen, scope, offset);
    if (!range.row || !trn_aperture_soc(gen, range.row, range.copy, soc))
        return false;
    *soc += range.offset;
    return true;
}

/* Smallest window of a BAR that shows a device address. */
static struct trn_map_range window_of_soc(const struct trn_gen *gen, enum trn_aperture_scope scope,
                                          uint64_t soc)
{
    struct trn_map_range best = {NULL, 0, 0};
    for (size_t i = 0; i < trn_num_apertures; i++) {
        const struct trn_aperture_row *row = &trn_aperture_table[i];
        if (row->scope != scope || !row->soc_known || !trn_aperture_on(row, gen) ||
            soc < row->soc || (best.row && best.row->size <= row->size))
            continue;
        const uint64_t distance = soc - row->soc;
        const uint64_t copy = row->stride ? distance / row->stride : 0;
        if (copy < row->count && distance - copy * row->stride < row->size)
            best = (struct trn_map_range){row, (uint32_t)copy, distance - copy * row->stride};
    }
    return best;
}

static void set_bar(struct trn_map_place *place, enum trn_map_space space,
                    enum trn_aperture_scope scope)
{
    const struct trn_map_range window =
        window_of_soc(place->gen, scope, place->address[TRN_MAP_SOC]);
    if (!window.row)
        return;
    set(place, space, trn_map_range_start(window.row, window.copy) + window.offset);
    place->window = window.row->name;
    place->window_confidence = window.row->confidence;
}

/* Offsets inside the core that owns the place, if one does. */
static void set_core_forms(struct trn_map_place *place)
{
    const struct trn_gen *gen = place->gen;
    for (unsigned core = 0; core < gen->cores; core++) {
        uint64_t base, size;
        const uint64_t soc = place->address[TRN_MAP_SOC];
        if (!trn_map_container(gen, core, &base, &size) || soc < base || soc - base >= size)
            continue;
        place->core = (int)core;
        set(place, TRN_MAP_TPB, soc - base);
    }
    const uint64_t bar0 = place->address[TRN_MAP_BAR0];
    if (!place->exists[TRN_MAP_BAR0] || bar0 < gen->bar0_tpb ||
        bar0 - gen->bar0_tpb >= gen->cores * gen->bar0_tpb_stride)
        return;
    place->core = (int)((bar0 - gen->bar0_tpb) / gen->bar0_tpb_stride);
    set(place, TRN_MAP_TPB_BAR, (bar0 - gen->bar0_tpb) % gen->bar0_tpb_stride);
}

/* ---- memories --------------------------------------------------------------------- */

static void set_on_chip(struct trn_map_place *place, enum trn_map_memory memory, uint64_t byte,
                        uint32_t stride, uint32_t active)
{
    place->memory = memory;
    place->partition = (uint32_t)(byte / stride);
    place->memory_byte = byte % stride;
    place->hole = place->memory_byte >= active;
    set(place, TRN_MAP_ENGINE, place->address[TRN_MAP_TPB_BAR]);
}

/* isa-core.md 4: engines name a byte of SBUF and PSUM by its offset in the window. */
static void set_core_memory(struct trn_map_place *place)
{
    const struct trn_gen *gen = place->gen;
    const uint64_t offset = place->address[TRN_MAP_TPB_BAR];
    if (!place->exists[TRN_MAP_TPB_BAR])
        return;
    if (offset < gen->sbuf_size)
        set_on_chip(place, TRN_MAP_SBUF, offset, gen->sbuf_stride, gen->sbuf_active_bytes);
    else if (offset >= gen->psum_base && offset - gen->psum_base < gen->psum_size)
        set_on_chip(place, TRN_MAP_PSUM, offset - gen->psum_base, gen->psum_stride,
                    gen->psum_active_bytes);
}

/* The number at the end of a name: stack of HBM_2, 0 without one. */
static unsigned number_at_end(const char *name)
{
    const char *mark = strrchr(name, '_');
    unsigned number = 0;
    return mark && sscanf(mark + 1, "%5u", &number) == 1 ? number : 0;
}

static void set_device_memory(struct trn_map_place *place)
{
    const struct trn_gen *gen = place->gen;
    if (place->exists[TRN_MAP_BAR4]) {
        const struct trn_map_range stack =
            trn_map_range_at(gen, TRN_APERTURE_BAR4, place->address[TRN_MAP_BAR4]);
        place->memory = TRN_MAP_HBM;
        place->channel = number_at_end(stack.row->name);
        place->memory_byte = stack.offset;
        place->hole = stack.offset >= gen->hbm_bytes;
        return;
    }
    const struct trn_map_range range =
        trn_map_range_at(gen, TRN_APERTURE_SOC, place->address[TRN_MAP_SOC]);
    if (range.row && strncmp(range.row->name, "PCIE", 4) == 0) {
        place->memory = TRN_MAP_HOST;
        place->memory_byte = range.offset;
    }
}

/* ---- the range's name ------------------------------------------------------------- */

static void take_range(struct trn_map_place *place, const struct trn_map_range *range,
                       const char *prefix)
{
    snprintf(place->aperture, TRN_MAP_NAME_MAX, "%s", prefix);
    trn_map_append_range(place->aperture, range->row, range->copy);
    place->aperture_offset = range->offset;
    place->meaning = range->row->meaning;
    place->confidence = range->row->confidence;
}

/* MAVERICK lists what is inside the engine blocks of a container one level down. */
static void name_inside_block(struct trn_map_place *place, const struct trn_map_range *outer)
{
    static const struct {
        const char *prefix;
        enum trn_aperture_scope scope;
    } blocks[] = {{"DVE", TRN_APERTURE_DVE_BLOCK},
                  {"POOL", TRN_APERTURE_POOL_BLOCK},
                  {"PE", TRN_APERTURE_PE_BLOCK}};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        if (strncmp(outer->row->name, blocks[i].prefix, strlen(blocks[i].prefix)) != 0)
            continue;
        const struct trn_map_range inner =
            trn_map_range_at(place->gen, blocks[i].scope, outer->offset);
        char prefix[TRN_MAP_NAME_MAX - 1];
        snprintf(prefix, sizeof prefix, "%.100s ", place->aperture);
        if (inner.row)
            take_range(place, &inner, prefix);
    }
}

static void name_in_container(struct trn_map_place *place)
{
    char prefix[24];
    const struct trn_map_range range =
        trn_map_range_at(place->gen, TRN_APERTURE_TPB_SOC, place->address[TRN_MAP_TPB]);
    snprintf(prefix, sizeof prefix, "core %d ", place->core);
    if (!range.row)
        return;
    take_range(place, &range, prefix);
    name_inside_block(place, &range);
}

static void name_in_core_window(struct trn_map_place *place)
{
    char prefix[24];
    const struct trn_map_range range =
        trn_map_range_at(place->gen, TRN_APERTURE_TPB_BAR, place->address[TRN_MAP_TPB_BAR]);
    snprintf(prefix, sizeof prefix, "core %d ", place->core);
    if (range.row)
        take_range(place, &range, prefix);
}

static void name_in_window(struct trn_map_place *place, const struct trn_map_range *window)
{
    char prefix[TRN_MAP_NAME_MAX] = "";
    enum trn_aperture_scope scope;
    if (!trn_map_inside(window->row, &scope))
        return;
    const struct trn_map_range range = trn_map_range_at(place->gen, scope, window->offset);
    if (!range.row)
        return;
    trn_map_append_range(prefix, window->row, window->copy);
    const size_t length = strlen(prefix);
    snprintf(prefix + length, sizeof prefix - length, " ");
    take_range(place, &range, prefix);
}

/* Nested ranges: the smallest one names the place (6.3). */
static void set_range_name(struct trn_map_place *place)
{
    static const struct {
        enum trn_map_space space;
        enum trn_aperture_scope scope;
    } outer[] = {{TRN_MAP_SOC, TRN_APERTURE_SOC},
                 {TRN_MAP_BAR4, TRN_APERTURE_BAR4},
                 {TRN_MAP_BAR0, TRN_APERTURE_BAR0}};
    for (size_t i = 0; i < sizeof outer / sizeof outer[0]; i++) {
        if (!place->exists[outer[i].space])
            continue;
        const struct trn_map_range range =
            trn_map_range_at(place->gen, outer[i].scope, place->address[outer[i].space]);
        if (!range.row)
            continue;
        take_range(place, &range, "");
        name_in_window(place, &range);
    }
    if (place->exists[TRN_MAP_TPB_BAR])
        name_in_core_window(place);
    else if (place->exists[TRN_MAP_TPB])
        name_in_container(place);
}

/* ---- address bits ------------------------------------------------------------------ */

static const struct trn_soc_field_row *soc_field(const struct trn_gen *gen, const char *name)
{
    for (size_t i = 0; i < trn_num_soc_fields; i++) {
        const struct trn_soc_field_row *row = &trn_soc_field_table[i];
        if (trn_bits_get(row->gen_mask, (unsigned)(gen - trn_gen_table), 1) &&
            strcmp(row->name, name) == 0)
            return row;
    }
    return NULL;
}

/* The field's value; the address is left without it. */
static unsigned take_bits(const struct trn_gen *gen, const char *name, uint64_t *address)
{
    const struct trn_soc_field_row *row = soc_field(gen, name);
    if (!row)
        return 0;
    const unsigned value = (unsigned)trn_bits_get(*address, row->low, row->bits);
    *address = trn_bits_set(*address, row->low, row->bits, 0);
    return value;
}

/* address-map.md 2: what the bits above the address proper say. */
static uint64_t without_attributes(struct trn_map_place *place, uint64_t address)
{
    const struct trn_gen *gen = place->gen;
    place->ok_to_fail = take_bits(gen, "ok_to_fail", &address);
    place->relaxed_ordering = take_bits(gen, "relaxed_ordering", &address);
    if (take_bits(gen, "chip_id_valid", &address))
        place->chip = (int)take_bits(gen, "chip_id", &address);
    return address;
}

/* ---- from any form ------------------------------------------------------------------ */

static trn_status nothing_there(const struct trn_gen *gen, enum trn_map_space space,
                                uint64_t address, struct trn_diag *diag)
{
    char where[48];
    snprintf(where, sizeof where, "%s 0x%llx", space_names[space], (unsigned long long)address);
    return trn_diag_set(diag, TRN_ERR_ADDRESS, where, NULL, NULL,
                        "%s has nothing there that is known", gen->name);
}

/* Device address of an address of another space; false: nothing known is there. */
static bool to_soc(struct trn_map_place *place, enum trn_map_space space, uint64_t address,
                   unsigned core, uint64_t *soc)
{
    const struct trn_gen *gen = place->gen;
    uint64_t base, size;
    switch (space) {
    case TRN_MAP_BAR0:
        return soc_of_bar(gen, TRN_APERTURE_BAR0, address, soc);
    case TRN_MAP_BAR4:
        return soc_of_bar(gen, TRN_APERTURE_BAR4, address, soc);
    case TRN_MAP_SOC:
        *soc = without_attributes(place, address);
        return true;
    case TRN_MAP_TPB:
        if (!trn_map_container(gen, core, &base, &size) || address >= size)
            return false;
        *soc = base + address;
        return true;
    case TRN_MAP_ENGINE:
        if (address >= gen->psum_base + gen->psum_size)
            return false;
        __attribute__((fallthrough));
    case TRN_MAP_TPB_BAR:
        return address < gen->bar0_tpb_stride &&
               soc_of_bar(gen, TRN_APERTURE_BAR0, trn_map_core_window(gen, core) + address, soc);
    case TRN_MAP_SPACES:
        break;
    }
    return false;
}

static bool known(const struct trn_map_place *place)
{
    return *place->aperture != '\0';
}

trn_status trn_map_address(const struct trn_gen *gen, enum trn_map_space space, uint64_t address,
                           int core, struct trn_map_place *out, struct trn_diag *diag)
{
    *out = (struct trn_map_place){.gen = gen,
                                  .core = -1,
                                  .chip = -1,
                                  .window = "",
                                  .window_confidence = "",
                                  .meaning = "",
                                  .confidence = ""};
    const bool needs_core =
        space == TRN_MAP_TPB || space == TRN_MAP_TPB_BAR || space == TRN_MAP_ENGINE;
    if (space >= TRN_MAP_SPACES || (needs_core && (core < 0 || core >= gen->cores)))
        return trn_diag_set(diag, TRN_ERR_INVALID, NULL, NULL, NULL, "%s has cores 0 to %u, not %d",
                            gen->name, gen->cores - 1u, core);
    uint64_t soc;
    if (!to_soc(out, space, address, (unsigned)core, &soc))
        return nothing_there(gen, space, address, diag);
    set(out, TRN_MAP_SOC, soc);
    set_bar(out, TRN_MAP_BAR4, TRN_APERTURE_BAR4);
    set_bar(out, TRN_MAP_BAR0, TRN_APERTURE_BAR0);
    set_core_forms(out);
    set_core_memory(out);
    set_range_name(out);
    if (!known(out))
        return nothing_there(gen, space, address, diag);
    if (out->memory == TRN_MAP_NO_MEMORY)
        set_device_memory(out);
    trn_map_fill_block(out);
    out->model_choice = trn_map_is_choice(out->confidence, gen) ||
                        trn_map_is_choice(out->window_confidence, gen) ||
                        (out->has_block && trn_map_is_choice(out->block.confidence, gen)) ||
                        (out->memory == TRN_MAP_PSUM && gen->psum_base_assumed);
    return TRN_OK;
}
