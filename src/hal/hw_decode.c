/* SPDX-License-Identifier: Apache-2.0 */
/* hw_decode_table_init: CAM and PROFILE of the hardware decoder (docs/hardware/hal-stpb.md 11). */
#include <stdio.h>

#include "hal/leaves.h"

static const char step[] = "hw_decode_table_init";

enum { TEXT = 64 };

static trn_status check_size(struct trn_hal *hal, int engine, const char *table, uint64_t size,
                             uint32_t cap)
{
    if (size <= cap)
        return TRN_OK;
    return trn_hal_log_fail(hal, TRN_ERR_FAILED, trn_hal_function(hal, engine, step).name,
                            "%s HW decode %s table too big!", trn_hal_engine_tag(engine), table);
}

static trn_status load(struct trn_hal *hal, int engine, const struct trn_hal_engine_config *config,
                       const char *table, struct trn_hal_buf image, uint64_t place, uint32_t cap)
{
    char tag[TEXT];
    const trn_status status = check_size(hal, engine, table, image.size, cap);
    if (status != TRN_OK)
        return status;
    snprintf(tag, sizeof tag, "%s HW Decode %s", trn_hal_engine_tag(engine), table);
    return trn_hal_write_padded(hal, place, image, cap, config->memcpy_fn, config->cookie, tag);
}

/* The check of each table stands before its own write: a PROFILE that is too big leaves the CAM
 * written. */
static trn_status load_tables(struct trn_hal *hal, int engine,
                              const struct trn_hal_engine_config *config)
{
    const struct trn_hal_hw_decode *const images = &config->info.hw_decode;
    struct trn_hal_hw_decode_params at;
    trn_status status = trn_hal_get_hw_decode_params(hal, engine, &at);
    if (status == TRN_OK)
        status =
            load(hal, engine, config, "CAM", images->cam, config->mem_handle + at.cam, at.cam_size);
    if (status != TRN_OK)
        return status;
    status = load(hal, engine, config, "PROFILE", images->profile, config->mem_handle + at.profile,
                  at.profile_size);
    if (status != TRN_OK && !trn_hal_is_fatal(status) && images->profile.size <= at.profile_size)
        trn_hal_log(hal, 1, trn_hal_function(hal, engine, step).name,
                    "Failed to program profile table for %s hw decode", trn_hal_engine_tag(engine));
    return status;
}

trn_status trn_hal_body_hw_decode_table_init(struct trn_hal *hal, int engine,
                                             const struct trn_hal_engine_config *config)
{
    uint64_t local;
    if (!hal->gen->has_hw_decode)
        return TRN_OK; /* the four leaves of SUNDA return 0 */
    trn_status status = load_tables(hal, engine, config);
    if (status == TRN_OK)
        status = trn_hal_get_xt_local_reg_offset(hal, config->mem_handle, engine, 1, &local);
    if (status == TRN_OK)
        status = trn_hal_rmw_field(hal, local, TRN_HAL_REG_HW_DECODE, "disable_hw_decode",
                                   config->info.disable_hw_decode != 0);
    return status;
}
