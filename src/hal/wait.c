/* SPDX-License-Identifier: Apache-2.0 */
/* A bounded wait that says what it waited for (docs/hardware/field-cases.md F45). */
#include <stdio.h>

#include "gen/blocks.h"
#include "hal/handle.h"

enum { POLLS = 1000, PAUSE_US = 100 }; /* 100 us between two reads (16.3); the count is ours */

/* "core0.notific.nq[3].tail_ptr", or the offset where no table knows the place. */
static const struct trn_reg_row *name_of(const struct trn_hal *hal, uint64_t offset,
                                         char name[static 128])
{
    char path[TRN_BLOCK_PATH_BYTES];
    unsigned index[2] = {0, 0};
    const struct trn_block *const block = hal->gen ? trn_block_at(hal->gen, offset) : NULL;
    const struct trn_reg_row *const row =
        block ? trn_block_reg_at(hal->gen, block, offset, index) : NULL;
    if (!row) {
        snprintf(name, 128, "bar0+0x%llx", (unsigned long long)offset);
        return NULL;
    }
    trn_block_path(block, path);
    if (row->num_indices == 0)
        snprintf(name, 128, "%s.%s", path, row->name);
    else
        snprintf(name, 128, "%s.%s, index %u", path, row->name, index[0]);
    return row;
}

static const char *writers(const struct trn_reg_row *row)
{
    if (!row)
        return "whoever owns that address";
    switch (row->access) {
    case TRN_REG_RO:
    case TRN_REG_RC:
        return "the device alone; the host cannot write it";
    case TRN_REG_WO:
        return "the host alone, and it reads as 0";
    default:
        return "the host, and the device where the register acts";
    }
}

trn_status trn_hal_wait(struct trn_hal *hal, uint64_t offset, uint32_t mask, uint32_t want,
                        uint32_t polls, uint32_t *last)
{
    const uint32_t standard = hal->options.poll_limit ? hal->options.poll_limit : POLLS;
    const uint32_t count = polls ? polls : standard;
    *last = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0)
            trn_hal_udelay(hal, PAUSE_US);
        const trn_status status = trn_hal_read32(hal, offset, last);
        if (status != TRN_OK || (*last & mask) == want)
            return status;
    }
    char name[128], expected[128];
    const struct trn_reg_row *const row = name_of(hal, offset, name);
    snprintf(expected, sizeof expected, "who could write it: %s", writers(row));
    return trn_hal_fail(hal, TRN_ERR_TIMEOUT, name, expected,
                        "%s reads 0x%x after %u reads; wanted is 0x%x under mask 0x%x", name, *last,
                        count, want, mask);
}
