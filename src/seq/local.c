/* SPDX-License-Identifier: Apache-2.0 */
#include "seq/local.h"

#include <stdlib.h>

#include "base/bytes.h"

struct reset_value {
    uint32_t offset, value;
};

/* Registers of the bundle that do not reset to 0 (registers.csv, xt_local). */
static const struct reset_value bundle_resets[] = {
    {0x3000, 0xFF}, /* q7.release_run_stall */
    {TRN_LOCAL_HW_CONTROL, 0x7FFC},
    {TRN_LOCAL_BREAK_CTRL, 0x7},
    {0x4028, 0x03020100}, /* profile_cam_search_vector */
    {0x402C, 0x10},       /* hw_decode_flush_cntr */
    {0x6004, 0xB2924},    /* cfg_timestamp_inc */
};

bool trn_local_create(struct trn_local *local, const struct trn_gen *gen)
{
    local->word = calloc(1, TRN_LOCAL_BYTES);
    local->nx_dram = calloc(1, gen->nx_dram_bytes);
    if (!local->word || !local->nx_dram) {
        trn_local_destroy(local);
        return false;
    }
    trn_local_set(local, gen->local_run_stall, 1);
    trn_put64(local->nx_dram + TRN_NX_PC_HIGH, UINT64_MAX);
    if (gen->has_hw_decode)
        for (size_t i = 0; i < sizeof bundle_resets / sizeof bundle_resets[0]; i++)
            trn_local_set(local, bundle_resets[i].offset, bundle_resets[i].value);
    return true;
}

void trn_local_destroy(struct trn_local *local)
{
    free(local->word);
    free(local->nx_dram);
    *local = (struct trn_local){0};
}
