/* SPDX-License-Identifier: Apache-2.0 */
/* Default microcode images: look-up, and filling an engine's description with them. */
#include <string.h>

#include "hal/ucode.h"

static const char *const core_names[TRN_UCODE_CORES] = {"pe", "act",   "pool", "dve",
                                                        "sp", "topsp", "cce"};
static const char *const region_names[TRN_UCODE_REGIONS] = {
    "seq_iram", "seq_dram", "q7_iram", "q7_dram", "decode_profile", "decode_cam"};

const char *trn_ucode_core_name(enum trn_ucode_core core)
{
    return core < TRN_UCODE_CORES ? core_names[core] : NULL;
}

const char *trn_ucode_region_name(enum trn_ucode_region region)
{
    return region < TRN_UCODE_REGIONS ? region_names[region] : NULL;
}

static unsigned find_name(const char *const *names, unsigned count, const char *name)
{
    unsigned i = 0;
    while (i < count && (!name || strcmp(names[i], name) != 0))
        i++;
    return i;
}

enum trn_ucode_core trn_ucode_core_find(const char *name)
{
    return (enum trn_ucode_core)find_name(core_names, TRN_UCODE_CORES, name);
}

enum trn_ucode_region trn_ucode_region_find(const char *name)
{
    return (enum trn_ucode_region)find_name(region_names, TRN_UCODE_REGIONS, name);
}

static unsigned ordinal(const struct trn_gen *gen)
{
    unsigned i = 0;
    while (i < TRN_GEN_COUNT && trn_gen_at(i) != gen)
        i++;
    return i;
}

trn_status trn_ucode_default(const struct trn_gen *gen, enum trn_ucode_core core,
                             enum trn_ucode_region region, const void **bytes, size_t *size)
{
    const unsigned g = ordinal(gen);
    *bytes = NULL;
    *size = 0;
    if (g == TRN_GEN_COUNT || core >= TRN_UCODE_CORES || region >= TRN_UCODE_REGIONS)
        return TRN_ERR_INVALID;
    if (gen->hal_arch == 0)
        return TRN_ERR_UNSUPPORTED;
    const struct trn_ucode_image *image = &trn_ucode_images[g][core][region];
    if (!image->bytes)
        return TRN_ERR_NOT_FOUND;
    *bytes = image->bytes;
    *size = image->size;
    return TRN_OK;
}

struct trn_hal_buf *trn_ucode_place(struct trn_hal_eng_info *info, enum trn_ucode_region region)
{
    switch (region) {
    case TRN_UCODE_SEQ_IRAM:
        return &info->seq_ucode.iram;
    case TRN_UCODE_SEQ_DRAM:
        return &info->seq_ucode.dram;
    case TRN_UCODE_Q7_IRAM:
        return &info->q7_ucode.iram;
    case TRN_UCODE_Q7_DRAM:
        return &info->q7_ucode.dram;
    case TRN_UCODE_DECODE_PROFILE:
        return &info->hw_decode.profile;
    case TRN_UCODE_DECODE_CAM:
        return &info->hw_decode.cam;
    case TRN_UCODE_REGIONS:
        break;
    }
    return NULL;
}

trn_status trn_ucode_fill(const struct trn_gen *gen, enum trn_ucode_core core,
                          struct trn_hal_eng_info *info)
{
    for (unsigned r = 0; r < TRN_UCODE_REGIONS; r++) {
        struct trn_hal_buf *place = trn_ucode_place(info, (enum trn_ucode_region)r);
        size_t size;
        const trn_status status =
            trn_ucode_default(gen, core, (enum trn_ucode_region)r, &place->data, &size);
        place->size = size;
        if (status != TRN_OK && status != TRN_ERR_NOT_FOUND)
            return status;
    }
    return TRN_OK;
}

trn_status trn_ucode_fill_core(const struct trn_gen *gen, struct trn_hal_stpb *stpb)
{
    struct trn_hal_eng_info *const engines[TRN_HAL_ENGINES] = {[TRN_HAL_PE] = &stpb->pe_info,
                                                               [TRN_HAL_ACT] = &stpb->act_info,
                                                               [TRN_HAL_POOL] = &stpb->pooling_info,
                                                               [TRN_HAL_DVE] = &stpb->dve_info,
                                                               [TRN_HAL_SP] = &stpb->sp_info};
    trn_status status = TRN_OK;
    for (unsigned e = 0; e < TRN_HAL_ENGINES && status == TRN_OK; e++)
        status = trn_ucode_fill(gen, (enum trn_ucode_core)e, engines[e]);
    return status;
}
