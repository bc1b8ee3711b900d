/* SPDX-License-Identifier: Apache-2.0 */
/* Interrupt groups, what they abort, and faults of queues (docs/hardware/udma.md 5, 9). */
#include "dma/udma_state.h"

/* Primary group D: summary bits of the secondary groups A, B, C (9.1). */
enum { GROUP_D = 3, SUMMARY_M2S = 8, FIRST_AXI_GROUP = TRN_UDMA_GROUP_C + 1 };

static bool is_secondary(unsigned group)
{
    return group >= TRN_UDMA_GROUP_A && group <= TRN_UDMA_GROUP_C;
}

/* The owner hears of causes that just came through their masks. */
static void pulse(struct trn_udma *engine, unsigned group, uint32_t rising)
{
    for (unsigned bit = 0; engine->ports.interrupt && rising && bit < 32; bit++)
        if (trn_bits_get(rising, bit, 1))
            engine->ports.interrupt(engine->ports.context, group, bit);
}

/* What a change of causes or masks of a group leads to, up to the primary group. */
static void look(struct trn_udma *engine, unsigned group)
{
    struct trn_udma_group *const g = &engine->group[group];
    const uint32_t now = g->cause & ~g->mask, rising = now & ~g->level;
    g->level = now;
    if (group < TRN_UDMA_PRIMARY) {
        pulse(engine, group, rising);
        return;
    }
    const bool edge = trn_udma_bit_get(engine->map, g->control, TRN_UB_POSEDGE) != 0;
    if (is_secondary(group) && (edge ? rising : now)) {
        struct trn_udma_group *const d = &engine->group[GROUP_D];
        const unsigned summary = SUMMARY_M2S + group - TRN_UDMA_GROUP_A;
        d->cause = (uint32_t)trn_bits_set(d->cause, summary, 1, 1);
        d->status = (uint32_t)trn_bits_set(d->status, summary, 1, 1);
        look(engine, GROUP_D);
    }
}

void trn_udma_abort(struct trn_udma *engine)
{
    engine->aborted[TRN_UDMA_M2S] = engine->aborted[TRN_UDMA_S2M] = true;
}

void trn_udma_raise(struct trn_udma *engine, unsigned group, uint32_t causes)
{
    struct trn_udma_group *const g = &engine->group[group];
    g->cause |= causes;
    g->status |= causes;
    if (causes & ~g->abort_mask)
        trn_udma_abort(engine);
    if (is_secondary(group) && engine->ports.cause && (causes & ~g->mask))
        engine->ports.cause(engine->ports.context, group - TRN_UDMA_GROUP_A, causes & ~g->mask);
    look(engine, group);
}

/* ---- registers ------------------------------------------------------------------------------- */

uint32_t trn_udma_group_read(const struct trn_udma *engine, unsigned group, unsigned reg)
{
    const struct trn_udma_group *const g = &engine->group[group];
    switch ((enum trn_udma_group_reg)reg) {
    case TRN_UG_CAUSE:
        return g->cause;
    case TRN_UG_MASK:
        return g->mask;
    case TRN_UG_STATUS:
        return g->status;
    case TRN_UG_CONTROL:
        return g->control;
    case TRN_UG_ABORT_MASK:
        return g->abort_mask;
    default: /* write only */
        return 0;
    }
}

void trn_udma_group_write(struct trn_udma *engine, unsigned group, unsigned reg, uint32_t value)
{
    struct trn_udma_group *const g = &engine->group[group];
    switch ((enum trn_udma_group_reg)reg) {
    case TRN_UG_CAUSE: /* a bit written as 0 is cleared */
        g->cause &= value;
        g->status &= value;
        break;
    case TRN_UG_CAUSE_SET:
        trn_udma_raise(engine, group, value);
        return;
    case TRN_UG_MASK:
        g->mask = value;
        break;
    case TRN_UG_MASK_CLEAR: /* a bit written as 0 clears */
        g->mask &= value;
        break;
    case TRN_UG_CONTROL:
        g->control = value;
        break;
    case TRN_UG_ABORT_MASK:
        g->abort_mask = value;
        break;
    default:
        return;
    }
    look(engine, group);
}

/* ---- faults of queues
 * ---------------------------------------------------------------------------- */

bool trn_udma_fail(struct trn_udma *engine, enum trn_udma_half half, unsigned queue,
                   trn_status status, unsigned group, unsigned cause, uint32_t index,
                   uint64_t address)
{
    static const char letters[] = {'A', 'B', 'C'};
    if (group != 0) {
        const bool masked = trn_bits_get(engine->group[group].abort_mask, cause, 1) != 0;
        trn_udma_raise(engine, group, (uint32_t)trn_bits_set(0, cause, 1, 1));
        if (masked) {
            trn_udma_choice(engine, TRN_CHOICE_UDMA_MASKED_CAUSE);
            return false;
        }
    } else {
        trn_udma_abort(engine);
    }
    engine->ring[half][queue].stuck = true;
    if (engine->fault.status == TRN_OK)
        engine->fault =
            (struct trn_udma_fault){.status = status,
                                    .half = half,
                                    .queue = (uint8_t)queue,
                                    .group = group ? letters[group - TRN_UDMA_GROUP_A] : (char)0,
                                    .cause = (uint8_t)cause,
                                    .aborted = true,
                                    .index = index,
                                    .address = address};
    return true;
}
