/* SPDX-License-Identifier: Apache-2.0 */
#include "seq/local.h"

#include <string.h>

#include "base/bytes.h"
#include "gen/regmap.h"
#include "mem/store.h"

const char *trn_local_block(const struct trn_gen *gen)
{
    return trn_reg_find(gen, "xt_local.nx.release_run_stall", NULL) ? "xt_local" : "nx_local";
}

static void set_resets(struct trn_local *local, const struct trn_gen *gen)
{
    const char *block = trn_local_block(gen);
    for (size_t r = 0; r < trn_num_regs; r++) {
        const struct trn_reg_row *row = &trn_reg_table[r];
        if (strcmp(row->block, block) != 0 || row->open || row->reset == 0 || !trn_reg_on(row, gen))
            continue;
        for (unsigned i = 0; i < (row->num_indices ? row->count[0] : 1u); i++)
            trn_local_set(local, trn_reg_offset(row, row->first[0] + i, 0), row->reset);
    }
    trn_put64(local->nx_dram + TRN_NX_PC_HIGH, UINT64_MAX); /* no bounds */
}

bool trn_local_create(struct trn_local *local, const struct trn_gen *gen)
{
    local->bytes = TRN_LOCAL_BYTES + (size_t)gen->nx_dram_bytes;
    local->word = trn_reserve(local->bytes);
    if (!local->word)
        return false;
    local->nx_dram = (uint8_t *)local->word + TRN_LOCAL_BYTES;
    set_resets(local, gen);
    return true;
}

void trn_local_reset(struct trn_local *local, const struct trn_gen *gen)
{
    memset(local->word, 0, TRN_LOCAL_BYTES);
    set_resets(local, gen);
}

void trn_local_destroy(struct trn_local *local)
{
    trn_unreserve(local->word, local->bytes);
    *local = (struct trn_local){0};
}

/* ---- the host's view ------------------------------------------------------------------ */

/* The four windows of sequencer.md 9.7. */
enum {
    ATOMIC_RDWR = 0x8000,
    ATOMIC_INC = 0x8400,
    ATOMIC_DEC = 0x8800,
    ATOMIC_ADD_IF_0 = 0x8C00,
    ATOMIC_END = 0x9000,
    ATOMIC_WINDOW = 0x400
};

static uint32_t atomic_cell(uint32_t offset)
{
    return ATOMIC_RDWR + offset % ATOMIC_WINDOW;
}

static bool is_atomic(const struct trn_gen *gen, uint32_t offset)
{
    return gen->has_atomics && offset >= ATOMIC_RDWR && offset < ATOMIC_END;
}

static void atomic_write(struct trn_local *local, uint32_t offset, uint32_t value)
{
    const uint32_t cell = atomic_cell(offset), old = trn_local_get(local, cell);
    switch (offset - offset % ATOMIC_WINDOW) {
    case ATOMIC_INC:
        value = old + value;
        break;
    case ATOMIC_DEC:
        value = old - value;
        break;
    case ATOMIC_ADD_IF_0:
        value = old == 0 ? value : old;
        break;
    default:
        break;
    }
    trn_local_set(local, cell, value);
}

uint32_t trn_local_read(const struct trn_local *local, const struct trn_gen *gen, uint32_t offset)
{
    return trn_local_get(local, is_atomic(gen, offset) ? atomic_cell(offset) : offset);
}

void trn_local_write(struct trn_local *local, const struct trn_gen *gen, uint32_t offset,
                     uint32_t value)
{
    if (is_atomic(gen, offset))
        atomic_write(local, offset, value);
    else
        trn_local_set(local, offset, value);
}
