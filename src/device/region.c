/* SPDX-License-Identifier: Apache-2.0 */
/* What lies where in BAR0: register blocks (register-blocks.csv), the memories and tables of cores
 * and TopSPs (apertures.csv), and apertures of which no register is known. */
#include "device/region.h"

#include <stdlib.h>
#include <string.h>

#include "device/core.h"
#include "device/state.h"
#include "engine/state.h"

/* Inside an engine block (address-map.md 5.2). */
enum { NX_DRAM_AT = 0x40000 };

enum { PAGE_BITS = 12 };

/* ---- where: no region is made -------------------------------------------------------- */

/* Bytes [start, start + size) of a plan. */
static void place(struct trn_region *plan, uint64_t start, uint64_t size)
{
    plan->start = start;
    plan->size = size;
}

/* Core whose window holds the offset, -1: none. */
static int core_at(const struct trn_gen *gen, uint64_t offset)
{
    const uint64_t core = (offset - gen->bar0_tpb) / gen->bar0_tpb_stride;
    return offset >= gen->bar0_tpb && core < gen->cores ? (int)core : -1;
}

/* The widest memory of the scope at the offset: where two layouts of one RAM overlap, the bytes are
 * the same (address-map.md 5.4, dve_table_layout). */
static const struct trn_aperture_row *
memory_at(const struct trn_gen *gen, enum trn_aperture_scope scope, uint64_t offset, uint32_t *copy)
{
    const struct trn_aperture_row *found = trn_aperture_at(gen, scope, offset, copy);
    for (size_t i = 0; found && i < trn_num_apertures; i++) {
        const struct trn_aperture_row *row = &trn_aperture_table[i];
        if (row->scope == scope && row->count == 1 && row->size > found->size &&
            offset - row->offset < row->size && trn_aperture_find(gen, scope, row->name) == row) {
            found = row;
            *copy = 0;
        }
    }
    return found;
}

static struct trn_region plan_memory(const struct trn_gen *gen, enum trn_aperture_scope scope,
                                     uint64_t window, uint64_t offset)
{
    struct trn_region plan = {.kind = TRN_REGION_NONE};
    uint32_t copy = 0;
    const struct trn_aperture_row *row = memory_at(gen, scope, offset - window, &copy);
    if (!row)
        return plan;
    plan.kind = TRN_REGION_RAM;
    place(&plan, window + row->offset + copy * row->stride, row->size);
    return plan;
}

static struct trn_region plan_core(const struct trn_gen *gen, unsigned core, uint64_t offset)
{
    const uint64_t window = trn_tpb_window(gen, core), psum = window + gen->psum_base;
    struct trn_region plan = {.kind = TRN_REGION_PLANE, .space = TRN_SPACE_SBUF};
    if (offset - window < gen->sbuf_size) {
        place(&plan, window, gen->sbuf_size);
    } else if (offset - psum < gen->psum_size) {
        plan.space = TRN_SPACE_PSUM;
        place(&plan, psum, gen->psum_size);
    } else {
        plan = plan_memory(gen, TRN_APERTURE_TPB_BAR, window, offset);
    }
    return plan;
}

/* Whether smaller apertures of BAR0 lie in this one: then what they leave over has no target. */
static bool has_parts(const struct trn_gen *gen, const struct trn_aperture_row *outer)
{
    for (size_t i = 0; i < trn_num_apertures; i++) {
        const struct trn_aperture_row *row = &trn_aperture_table[i];
        if (row->scope == TRN_APERTURE_BAR0 && row->size < outer->size &&
            row->offset - outer->offset < outer->size &&
            trn_aperture_find(gen, row->scope, row->name) == row)
            return true;
    }
    return false;
}

/* First block that begins above the offset, and the end of the last one that begins below it. */
static void gap_around(const struct trn_gen *gen, uint64_t offset, uint64_t *low, uint64_t *high)
{
    const struct trn_block_list *list = trn_blocks_of(gen);
    for (size_t i = 0; i < list->count; i++) {
        const struct trn_block *block = &list->blocks[i];
        if (block->bar0 > offset) {
            if (block->bar0 < *high)
                *high = block->bar0;
            return;
        }
        if (block->bar0 + block->row->size > *low)
            *low = block->bar0 + block->row->size;
    }
}

/* What maps the inside of a window: the scope that its first block's owner has, or none. */
static enum trn_aperture_scope scope_inside(const struct trn_gen *gen, uint64_t window,
                                            uint64_t size)
{
    const struct trn_block_list *list = trn_blocks_of(gen);
    for (size_t i = 0; i < list->count; i++) {
        if (list->blocks[i].bar0 - window >= size)
            continue;
        switch (list->blocks[i].row->owner) {
        case TRN_BLOCK_OF_TOPSP:
        case TRN_BLOCK_OF_TOPSP_SPARE:
            return TRN_APERTURE_TOPSP;
        case TRN_BLOCK_OF_PREPROC:
            return TRN_APERTURE_PREPROC;
        default:
            return TRN_APERTURE_SCOPES;
        }
    }
    return TRN_APERTURE_SCOPES;
}

/* Outside the cores, where no register block is. */
static struct trn_region plan_rest(const struct trn_gen *gen, uint64_t offset)
{
    struct trn_region plan = {.kind = TRN_REGION_NONE};
    uint32_t copy = 0;
    const struct trn_aperture_row *row = trn_aperture_at(gen, TRN_APERTURE_BAR0, offset, &copy);
    if (!row)
        return plan;
    const uint64_t window = row->offset + copy * row->stride;
    if (has_parts(gen, row))
        return plan;
    const enum trn_aperture_scope inside = scope_inside(gen, window, row->size);
    if (inside != TRN_APERTURE_SCOPES)
        return plan_memory(gen, inside, window, offset);
    uint64_t low = window, high = window + row->size;
    gap_around(gen, offset, &low, &high);
    plan.kind = TRN_REGION_EMPTY;
    place(&plan, low, high - low);
    return plan;
}

static enum trn_region_kind kind_of(const struct trn_gen *gen, const struct trn_block *block)
{
    const char *name = block->row->block;
    if (strcmp(name, "evt_sem") == 0)
        return TRN_REGION_SYNC;
    if (strcmp(name, trn_local_block(gen)) == 0)
        return TRN_REGION_LOCAL;
    if (strcmp(name, "notific") == 0)
        return TRN_REGION_NOTIFIC;
    if (strcmp(name, "udma") == 0)
        return TRN_REGION_UDMA;
    if (strcmp(name, TRN_INTC_BLOCK) == 0)
        return TRN_REGION_INTC;
    return strcmp(name, TRN_STATE_BLOCK) == 0 ? TRN_REGION_STATE : TRN_REGION_REGS;
}

struct trn_region trn_region_plan(const struct trn_device *device, uint64_t offset)
{
    const struct trn_gen *gen = device->gen;
    const struct trn_block *block = trn_block_at(gen, offset);
    const int core = core_at(gen, offset);
    if (block) {
        struct trn_region plan = {.kind = kind_of(gen, block)};
        place(&plan, block->bar0, block->row->size);
        return plan;
    }
    return core >= 0 ? plan_core(gen, (unsigned)core, offset) : plan_rest(gen, offset);
}

/* ---- making one ---------------------------------------------------------------------- */

/* Registers of their own. */
static trn_status make_registers(struct trn_region *region)
{
    region->words = trn_pool_take(region->pool, region->size);
    if (!region->words)
        return TRN_ERR_NO_MEMORY;
    trn_reg_reset(region->layout, region->words);
    return TRN_OK;
}

static trn_status make_sync(struct trn_region *region, struct trn_tpb *tpb)
{
    region->owns = !tpb;
    region->sync = tpb ? &tpb->sync : calloc(1, sizeof *region->sync);
    return region->sync ? TRN_OK : TRN_ERR_NO_MEMORY;
}

/* The special-value registers of ACT in a core's file; NULL where the generation has none. */
static const uint32_t *act_registers(const struct trn_gen *gen, const uint32_t *words)
{
    const struct trn_reg_row *const row =
        trn_reg_find(gen, TRN_STATE_BLOCK ".act_sequencer.zero_val", NULL);
    return row ? words + row->offset / sizeof *words : NULL;
}

static trn_status make_block(struct trn_device *device, struct trn_region *region,
                             const struct trn_block *block, struct trn_tpb *tpb)
{
    struct trn_reg_layout *layout =
        trn_reg_layout(&device->regions.layouts, device->gen, block->row);
    if (!layout)
        return TRN_ERR_NO_MEMORY;
    region->layout = layout;
    if (region->kind == TRN_REGION_SYNC)
        return make_sync(region, tpb);
    if (region->kind == TRN_REGION_LOCAL && tpb && block->row->engine >= 0) {
        region->seq = &tpb->seq[block->row->engine];
        region->words = region->seq->local.word;
        return TRN_OK;
    }
    if (region->kind == TRN_REGION_NOTIFIC)
        return trn_wired_notific_create(device, tpb, block, &region->notific);
    if (region->kind == TRN_REGION_UDMA)
        return trn_wired_udma_create(device, block, &region->udma);
    if (region->kind == TRN_REGION_STATE)
        trn_state_mark(layout);
    const trn_status status = make_registers(region);
    if (region->kind == TRN_REGION_STATE && tpb) {
        tpb->file = region->words;
        tpb->state->act.registers = act_registers(layout->gen, region->words);
    }
    return status;
}

/* The activation tables are those that the core's engine reads (activation.md 3.5, model choice
 * act_tables_place): the apertures show the start of the local storage. */
static void make_act_tables(struct trn_region *region, struct trn_tpb *tpb)
{
    const struct trn_gen *const gen = tpb->device->gen;
    struct trn_act_store *const store = &tpb->state->act.store;
    const struct {
        const char *aperture;
        uint8_t *bytes;
        size_t room;
    } tables[] = {
        {"ACT_LOCAL_STORAGE_CAM", store->cam, sizeof store->cam},
        {"ACT_LOCAL_STORAGE_TABLE", store->profile, sizeof store->profile},
        {"ACT_LOCAL_STORAGE_CONTROL", store->control, sizeof store->control},
        {"ACT_LOCAL_STORAGE_BUCKETS", store->bucket, sizeof store->bucket},
        {"ACT_CONTROL_TABLE", store->control, sizeof store->control},
        {"ACT_BUCKET_TABLE", store->bucket, sizeof store->bucket},
        {"PWP_CONTROL_TABLE", store->control, sizeof store->control},
        {"PWP_BUCKETS_TABLE", store->bucket, sizeof store->bucket},
    };
    const uint64_t at = region->start - trn_tpb_window(gen, tpb->number);
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        const struct trn_aperture_row *const row =
            trn_aperture_find(gen, TRN_APERTURE_TPB_BAR, tables[i].aperture);
        if (!row || row->offset != at || region->size > tables[i].room)
            continue;
        region->bytes = tables[i].bytes;
        region->writes = &store->writes;
        region->zeros = region->size; /* the engine's sets are put there too */
    }
}

/* The data RAM of a sequencer is the one it works with. */
static void make_memory(struct trn_region *region, struct trn_tpb *tpb)
{
    for (int e = 0; tpb && e < TRN_ENGINES; e++)
        if (region->start == trn_tpb_engine(tpb, e) + NX_DRAM_AT) {
            region->bytes = tpb->seq[e].local.nx_dram;
            region->zeros = TRN_NX_RESET_END;
        }
    if (tpb)
        make_act_tables(region, tpb);
}

static trn_status make(struct trn_device *device, struct trn_region *region)
{
    const struct trn_block *block = trn_block_at(device->gen, region->start);
    const int core = block ? trn_block_core(block) : core_at(device->gen, region->start);
    trn_status status = TRN_OK;
    if (core >= 0)
        status = trn_device_tpb(device, (unsigned)core, &region->tpb);
    if (status != TRN_OK)
        return status;
    if (region->kind == TRN_REGION_RAM)
        make_memory(region, region->tpb);
    return block ? make_block(device, region, block, region->tpb) : TRN_OK;
}

/* Bytes without the zeros at their end, by whole pages. */
static size_t trimmed(const uint8_t *data, size_t size)
{
    enum { PAGE = 4096 };
    static const uint8_t zeros[PAGE];
    while (size > 0) {
        const size_t last = size % PAGE ? size % PAGE : PAGE;
        if (memcmp(data + size - last, zeros, last) != 0)
            break;
        size -= last;
    }
    return size;
}

/* Images are padded with zeros up to their aperture (hal-stpb.md 4.3). Such a tail touches no
 * memory where nothing but zeros has been. */
trn_status trn_region_write(struct trn_region *region, uint64_t at, const void *data, size_t size)
{
    if (!region->bytes)
        region->bytes = trn_pool_take(region->pool, region->size);
    if (!region->bytes)
        return TRN_ERR_NO_MEMORY;
    const uint64_t used = region->zeros > at ? region->zeros - at : 0;
    if (used < size)
        size = used + trimmed((const uint8_t *)data + used, size - used);
    if (size)
        memcpy(region->bytes + at, data, size);
    if (region->zeros < at + size)
        region->zeros = at + size;
    if (region->writes)
        ++*region->writes;
    return TRN_OK;
}

static void destroy(struct trn_region *region)
{
    trn_wired_notific_destroy(region->notific);
    trn_wired_udma_destroy(region->udma);
    if (region->owns)
        free(region->sync);
    free(region);
}

/* ---- finding one --------------------------------------------------------------------- */

void trn_regions_open(struct trn_regions *regions)
{
    for (size_t i = 0; i < TRN_REGION_CACHE; i++)
        regions->cache[i] = &regions->nowhere;
}

void trn_regions_close(struct trn_regions *regions)
{
    for (size_t i = 0; i < regions->count; i++)
        destroy(regions->list[i]);
    free(regions->list);
    trn_pool_free(&regions->pool);
    trn_reg_layouts_free(&regions->layouts);
}

/* Number of regions that begin at or below the offset. */
static size_t rank_of(const struct trn_regions *regions, uint64_t offset)
{
    size_t low = 0, high = regions->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (regions->list[middle]->start <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct trn_region *trn_region_known(const struct trn_regions *regions, uint64_t offset)
{
    const size_t rank = rank_of(regions, offset);
    struct trn_region *region = rank ? regions->list[rank - 1] : NULL;
    return region && offset - region->start < region->size ? region : NULL;
}

static trn_status insert(struct trn_regions *regions, struct trn_region *region)
{
    if (regions->count == regions->capacity) {
        const size_t wanted = regions->capacity ? 2 * regions->capacity : 64;
        struct trn_region **grown = realloc(regions->list, wanted * sizeof(struct trn_region *));
        if (!grown)
            return TRN_ERR_NO_MEMORY;
        regions->list = grown;
        regions->capacity = wanted;
    }
    const size_t at = rank_of(regions, region->start);
    memmove(regions->list + at + 1, regions->list + at,
            (regions->count - at) * sizeof(struct trn_region *));
    regions->list[at] = region;
    regions->count++;
    return TRN_OK;
}

static trn_status make_new(struct trn_device *device, uint64_t offset, struct trn_region **out)
{
    const struct trn_region plan = trn_region_plan(device, offset);
    if (plan.kind == TRN_REGION_NONE)
        return TRN_OK;
    struct trn_region *region = malloc(sizeof *region);
    if (!region)
        return TRN_ERR_NO_MEMORY;
    *region = plan;
    region->pool = &device->regions.pool;
    trn_status status = make(device, region);
    if (status == TRN_OK)
        status = insert(&device->regions, region);
    if (status != TRN_OK) {
        destroy(region);
        return status;
    }
    *out = region;
    return TRN_OK;
}

trn_status trn_region_make(struct trn_device *device, uint64_t offset, struct trn_region **out)
{
    struct trn_regions *regions = &device->regions;
    *out = trn_region_known(regions, offset);
    if (!*out) {
        const trn_status status = make_new(device, offset, out);
        if (status != TRN_OK || !*out)
            return status;
    }
    regions->cache[(offset >> PAGE_BITS) % TRN_REGION_CACHE] = *out;
    return TRN_OK;
}
