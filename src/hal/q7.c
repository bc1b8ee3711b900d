/* SPDX-License-Identifier: Apache-2.0 */
/* q7_ucode_eng_init: the same two images into every Q7 core (docs/hardware/hal-stpb.md 14.2). */
#include "hal/leaves.h"

static const char function[] = "aws_hal_q7_ucode_eng_init";

static trn_status check_size(struct trn_hal *hal, const char *region, uint64_t size, uint32_t cap)
{
    if (size <= cap)
        return TRN_OK;
    return trn_hal_log_fail(hal, TRN_ERR_FAILED, function,
                            "%s ucode too big! doesn't fit, size=%llu", region,
                            (unsigned long long)size);
}

/* A generation without a compute cluster knows one owner only. */
static trn_status check_owner(struct trn_hal *hal, uint32_t owner)
{
    const bool cluster = hal->gen->q7_cluster_cores != 0;
    if (owner == 0 || (cluster && owner == 1))
        return TRN_OK;
    if (cluster)
        return trn_hal_log_fail(hal, TRN_ERR_FAILED, function, "Invalid q7 owner %u", owner);
    return trn_hal_log_fail(hal, TRN_ERR_FAILED, function,
                            "Invalid q7 owner %u for v%u (only pooling supported)", owner,
                            hal->gen->hal_arch);
}

/* How one image goes to one core. */
struct copy {
    uint64_t place;
    struct trn_hal_buf image;
    uint32_t cap;
    const char *tag, *region;
    trn_hal_memcpy_fn memcpy_fn;
    void *cookie;
};

static trn_status load(struct trn_hal *hal, const struct copy *copy, unsigned core)
{
    const trn_status status = trn_hal_write_padded(hal, copy->place, copy->image, copy->cap,
                                                   copy->memcpy_fn, copy->cookie, copy->tag);
    if (status == TRN_OK || trn_hal_is_fatal(status))
        return status;
    return trn_hal_log_fail(hal, TRN_ERR_FAILED, function, "Failed to load pooling q7 %s core %u",
                            copy->region, core);
}

trn_status trn_leaf_q7_ucode_eng_init(struct trn_hal *hal, uint64_t mem, uint64_t image_base,
                                      const struct trn_hal_ucode *images,
                                      trn_hal_memcpy_fn memcpy_fn, void *cookie, uint32_t owner)
{
    struct trn_hal_q7_params p;
    trn_status status = check_owner(hal, owner);
    (void)image_base; /* handed down by the caller, used by no generation */
    if (status == TRN_OK)
        status = trn_hal_get_q7_params(
            hal, owner == 0 ? TRN_HAL_OWNER_POOLING : TRN_HAL_OWNER_COMPUTE_CLUSTER, &p);
    if (status == TRN_OK)
        status = check_size(hal, "IRAM", images->iram.size, p.iram_size);
    if (status == TRN_OK)
        status = check_size(hal, "DRAM", images->dram.size, p.dram_size);
    if (status != TRN_OK)
        return status;
    const uint64_t iram_slot = (uint64_t)p.iram_size + p.iram_reserved;
    const uint64_t pitch = iram_slot + p.dram_size + p.dram_reserved;
    for (unsigned c = 0; c < p.cores && status == TRN_OK; c++) {
        const uint64_t slot = mem + p.base + c * pitch;
        const struct copy dram = {slot + iram_slot, images->dram, p.dram_size, "POOL eng dram",
                                  "dram",           memcpy_fn,    cookie};
        const struct copy iram = {slot,   images->iram, p.iram_size, "POOL eng iram",
                                  "iram", memcpy_fn,    cookie};
        status = load(hal, &dram, c);
        if (status == TRN_OK)
            status = load(hal, &iram, c);
    }
    return status;
}
