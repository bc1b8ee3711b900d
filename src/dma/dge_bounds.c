/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds (dge.md 7): addresses before anything is emitted, index values one by one. */
#include <stdlib.h>

#include "dma/dge.h"
#include "isa_fields.h"

static uint8_t bound_reg(const struct trn_gen *gen, const struct dge_side *side)
{
    return trn_boundreg_bc_reg(&side->bound, gen->isa);
}

static bool bound_enabled(const struct trn_gen *gen, const struct dge_side *side)
{
    return trn_boundreg_bc_enabled(&side->bound, gen->isa) != 0;
}

/* 7.2: two registers when the offset is wide; an index has 32 bits. */
static trn_status limit_of(struct dge_run_state *w, const struct dge_side *side, uint64_t *limit)
{
    const uint8_t reg = bound_reg(w->dge->gen, side);
    uint32_t low = 0, high = 0;
    trn_status status = dge_register(w, reg, &low);
    if (status == TRN_OK && side->wide && !side->bounds_index)
        status = dge_register(w, reg + 1U, &high);
    *limit = trn_bits_set(low, 32, 32, high);
    return status;
}

static trn_status look(struct dge_run_state *w, enum trn_dge_side which)
{
    const struct dge_side *const side = &w->req.side[which];
    struct trn_dge_bound *const bound = &w->outcome->bound[which];
    *bound = (struct trn_dge_bound){.present = !w->req.inline_form,
                                    .index = side->bounds_index,
                                    .enabled = bound_enabled(w->dge->gen, side),
                                    .pass = true,
                                    .reg = side->bound,
                                    .value = side->bounds_index ? 0 : side->compared};
    if (!bound->enabled)
        return TRN_OK;
    dge_choice(w->dge, TRN_CHOICE_DGE_BOUND_COMPARE);
    return limit_of(w, side, &bound->limit);
}

trn_status dge_check_addresses(struct dge_run_state *w, bool *inside)
{
    *inside = true;
    for (int which = 0; which < TRN_DGE_SIDES; which++) {
        struct trn_dge_bound *const bound = &w->outcome->bound[which];
        const trn_status status = look(w, (enum trn_dge_side)which);
        if (status != TRN_OK)
            return status;
        if (bound->index || !bound->enabled)
            continue;
        bound->pass = bound->value <= bound->limit;
        *inside = *inside && bound->pass;
        if (!bound->pass)
            w->outcome->report[which] =
                (struct trn_dge_report){.failed = true,
                                        .count = dge_elements(&w->req.side[which]),
                                        .address = w->req.side[which].start,
                                        .limit = bound->limit};
    }
    return TRN_OK;
}

/* ---- indices --------------------------------------------------------------------------------- */

static trn_status room(struct trn_dge *dge, unsigned which, uint32_t count)
{
    if (count <= dge->index_room[which])
        return TRN_OK;
    uint32_t *const index = realloc(dge->index[which], sizeof *index * count);
    if (index)
        dge->index[which] = index;
    uint8_t *const good = realloc(dge->good[which], count);
    if (good)
        dge->good[which] = good;
    if (!index || !good)
        return TRN_ERR_NO_MEMORY;
    dge->index_room[which] = count;
    return TRN_OK;
}

/* 9.1: the first failing element stands in the report. */
static void first_bad(struct dge_run_state *w, enum trn_dge_side which, uint32_t at)
{
    const struct dge_side *const side = &w->req.side[which];
    struct trn_dge_report *const report = &w->outcome->report[which];
    const uint32_t index = side->index[at];
    *report = (struct trn_dge_report){
        .failed = true,
        .by_index = true,
        .hard = w->req.is_err,
        .position = at,
        .index = index,
        .index_address = side->index_address + sizeof index * (uint64_t)at,
        .address = side->start + index * (uint64_t)side->step[side->index_dim],
        .limit = w->outcome->bound[which].limit,
    };
    w->outcome->bound[which].pass = false;
    w->outcome->bound[which].value = index;
}

static void judge(struct dge_run_state *w, enum trn_dge_side which, uint8_t *good)
{
    const struct dge_side *const side = &w->req.side[which];
    const struct trn_dge_bound *const bound = &w->outcome->bound[which];
    const uint64_t limit = bound->enabled ? bound->limit : UINT32_MAX;
    for (uint32_t i = 0; i < side->num[side->index_dim]; i++) {
        good[i] = side->index[i] <= limit;
        if (good[i])
            continue;
        if (!w->outcome->report[which].failed)
            first_bad(w, which, i);
        w->outcome->report[which].count++;
    }
}

static void log_masks(const struct dge_run_state *w, unsigned which, uint32_t count)
{
    enum { LANES = 32 };
    const struct dge_side *const ours = &w->req.side[which], *const other = &w->req.side[!which];
    const struct trn_dge_bound *const bound = w->outcome->bound;
    for (uint32_t first = 0; first < count; first += LANES) {
        uint64_t mask[2] = {0, 0};
        for (uint32_t i = 0; i < LANES && first + i < count; i++) {
            mask[0] = trn_bits_set(mask[0], i, 1, ours->good[first + i]);
            const bool known = other->good && first + i < other->num[other->index_dim];
            mask[1] = trn_bits_set(mask[1], i, 1, known ? other->good[first + i] : 1);
        }
        dge_log(w,
                "Indirection masks: our_indices_valid = 0x%x, other_indices_valid = 0x%x, "
                "srx_idx_max = %u, dst_idx_max = %u",
                (unsigned)mask[0], (unsigned)mask[1], (unsigned)bound[TRN_DGE_SRC].limit,
                (unsigned)bound[TRN_DGE_DST].limit);
    }
}

/* 13: address before and after the accumulate of the last index. */
static void log_accumulate(const struct dge_run_state *w, const struct dge_side *side,
                           uint32_t count)
{
    const uint32_t last = side->index[count - 1], step = (uint32_t)side->step[side->index_dim];
    const uint64_t sum = side->start + last * (uint64_t)side->step[side->index_dim];
    const uint64_t address[2] = {side->start, sum};
    static const char *const when[2] = {"Before", "After"};
    for (unsigned i = 0; i < 2; i++)
        dge_log(w,
                "P0: %s IVP_MULUSAN_2X32: address=0x%x_%x, last_indices=0x%x, "
                "indirection_step=0x%x",
                when[i], (unsigned)trn_bits_get(address[i], 32, 32),
                (unsigned)trn_bits_get(address[i], 0, 32), last, step);
}

static trn_status read_side(struct dge_run_state *w, enum trn_dge_side which)
{
    struct dge_side *const side = &w->req.side[which];
    const uint32_t count = side->num[side->index_dim];
    if (!side->indexed || count == 0)
        return TRN_OK;
    trn_status status = room(w->dge, which, count);
    if (status != TRN_OK)
        return status;
    status =
        dge_load(w, side->index_address, w->dge->index[which], count * (uint32_t)sizeof(uint32_t));
    if (status != TRN_OK)
        return status;
    side->index = w->dge->index[which];
    side->good = w->dge->good[which];
    judge(w, which, w->dge->good[which]);
    return TRN_OK;
}

trn_status dge_read_indices(struct dge_run_state *w)
{
    trn_status status = read_side(w, TRN_DGE_SRC);
    if (status == TRN_OK)
        status = read_side(w, TRN_DGE_DST);
    if (status != TRN_OK || !dge_logs(w))
        return status;
    for (unsigned which = 0; which < TRN_DGE_SIDES; which++) {
        const struct dge_side *const side = &w->req.side[which];
        if (!side->index)
            continue;
        log_accumulate(w, side, side->num[side->index_dim]);
        log_masks(w, which, side->num[side->index_dim]);
    }
    return TRN_OK;
}
