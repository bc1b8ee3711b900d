/* SPDX-License-Identifier: Apache-2.0 */
/* The tables' answers to "where" (docs/hardware/hal-stpb.md 8.3, address-map.md 5, 6). */
#include "hal/places.h"

#include <stdio.h>
#include <string.h>

#include "gen/blocks.h"

static const char *const prefixes[TRN_HAL_ENGINES] = {"PE", "ACT", "POOL", "DVE", "SP"};

static const struct trn_aperture_row *find(const struct trn_gen *gen, enum trn_aperture_scope scope,
                                           const char *prefix, const char *name)
{
    char whole[48];
    snprintf(whole, sizeof whole, "%s_%s", prefix, name);
    return trn_aperture_find(gen, scope, whole);
}

static uint32_t offset_of(const struct trn_aperture_row *row)
{
    return row ? (uint32_t)row->offset : 0;
}

static uint32_t size_of(const struct trn_aperture_row *row)
{
    return row ? (uint32_t)row->size : 0;
}

/* The flat file of SUNDA or the later bundle (18, item 6). */
static uint32_t local_of(const struct trn_gen *gen, enum trn_aperture_scope scope,
                         const char *prefix)
{
    const struct trn_aperture_row *row = find(gen, scope, prefix, "LOCAL_REG");
    return offset_of(row ? row : find(gen, scope, prefix, "NX_LOCAL_REG"));
}

static struct trn_hal_seq_params seq_of(const struct trn_gen *gen, const char *prefix)
{
    const struct trn_aperture_row *iram = find(gen, TRN_APERTURE_TPB_BAR, prefix, "NX_IRAM");
    const struct trn_aperture_row *dram = find(gen, TRN_APERTURE_TPB_BAR, prefix, "NX_DRAM");
    return (struct trn_hal_seq_params){
        .base = offset_of(find(gen, TRN_APERTURE_TPB_BAR, prefix, "IRAM")),
        .iram = offset_of(iram),
        .dram = offset_of(dram),
        .iram_size = size_of(iram),
        .dram_size = size_of(dram)};
}

static struct trn_hal_hw_decode_params decode_of(const struct trn_gen *gen, const char *prefix)
{
    const struct trn_aperture_row *cam = find(gen, TRN_APERTURE_TPB_BAR, prefix, "PROFILE_CAM");
    const struct trn_aperture_row *profile =
        find(gen, TRN_APERTURE_TPB_BAR, prefix, "PROFILE_TABLE");
    return (struct trn_hal_hw_decode_params){.cam = offset_of(cam),
                                             .profile = offset_of(profile),
                                             .cam_size = size_of(cam),
                                             .profile_size = size_of(profile)};
}

/* A TopSP's mem_handle points at its sequencer RAM, 2 MiB into its window (address-map.md 5.6). */
static void find_topsp(const struct trn_gen *gen, struct trn_hal_places *places)
{
    const char *const prefix = prefixes[TRN_HAL_SP];
    places->topsp_window = offset_of(find(gen, TRN_APERTURE_TOPSP, prefix, "IRAM"));
    places->topsp_local = local_of(gen, TRN_APERTURE_TOPSP, prefix) - places->topsp_window;
}

void trn_hal_find_places(const struct trn_gen *gen, struct trn_hal_places *places)
{
    for (unsigned e = 0; e < TRN_HAL_ENGINES; e++) {
        places->seq[e] = seq_of(gen, prefixes[e]);
        places->local[e] = local_of(gen, TRN_APERTURE_TPB_BAR, prefixes[e]);
    }
    for (unsigned e = 0; e < TRN_HAL_DECODERS; e++)
        places->decode[e] = decode_of(gen, prefixes[e]);
    find_topsp(gen, places);
    /* PREPROC lies inside its window as POOL does in the core's (address-map.md 5.3). */
    places->cluster_local = gen->q7_cluster_cores ? places->local[TRN_HAL_POOL] : 0;
    places->q7 = offset_of(trn_aperture_find(gen, TRN_APERTURE_TPB_BAR, "POOL_Q7_CORE_IRAM"));
}

bool trn_hal_block_base(const struct trn_gen *gen, const char *path, unsigned number,
                        uint64_t *bar0)
{
    const struct trn_block_list *list = trn_blocks_of(gen);
    for (size_t i = 0; i < list->count; i++) {
        const struct trn_block *block = &list->blocks[i];
        if (block->number == number && strcmp(block->row->path, path) == 0) {
            *bar0 = block->bar0;
            return true;
        }
    }
    return false;
}

bool trn_hal_device_address(const struct trn_gen *gen, uint64_t bar0, uint64_t *address)
{
    uint32_t copy;
    const struct trn_aperture_row *row = trn_aperture_at(gen, TRN_APERTURE_BAR0, bar0, &copy);
    if (!row || !trn_aperture_soc(gen, row, copy, address))
        return false;
    *address += bar0 - row->offset - copy * row->stride;
    return true;
}

uint64_t trn_hal_ring_memory(const struct trn_gen *gen, unsigned block, unsigned queue)
{
    return gen->hal_host_base + (uint64_t)block * TRN_HAL_RING_BLOCK +
           (uint64_t)queue * TRN_HAL_RING_STRIDE;
}
