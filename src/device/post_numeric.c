/* SPDX-License-Identifier: Apache-2.0 */
/* Records of what the data path computed, and of errors of memories that a host injects
 * (docs/hardware/error-handling.md 8, notification-records.md 5.2, 5.3). */
#include <stdio.h>

#include "device/core.h"
#include "device/intc.h"
#include "engine/numeric.h"

/* ---- numeric events --------------------------------------------------------------------- */

/* The classes that the notification block lets in; the DVE's also by its own switch. */
unsigned trn_post_numeric_wanted(void *context, int engine)
{
    const struct trn_tpb *tpb = context;
    const struct trn_post *post = &tpb->post;
    unsigned wanted = TRN_NUMERIC_NONE;
    if (!post->to)
        return wanted;
    if (engine == TRN_NEURON_ENGINE_DVE && trn_post_field(tpb, &post->dve_silent))
        return wanted;
    for (unsigned id = 0; id < TRN_NUMERIC_CAUSES; id++)
        if (trn_notific_accepts(post->to->block, trn_notific_error_input((enum trn_error_id)id)))
            wanted |= 1u << id;
    return wanted;
}

/* Lines 37..56: a cause of a unit; INVALID goes with infinities (error-handling.md 8). */
static void raise_triggers(struct trn_tpb *tpb, unsigned id, uint16_t sources)
{
    static const char *const causes[TRN_NUMERIC_CAUSES] = {"underflow", "nan", "invalid",
                                                           "overflow"};
    static const char *const units[TRN_FP_SOURCES] = {"psum", "act", "pool", "dve"};
    for (unsigned unit = 0; unit < TRN_FP_SOURCES; unit++) {
        char name[48];
        if (!trn_bits_get(sources, unit, 1))
            continue;
        if (unit == TRN_FP_SOURCE_PE)
            snprintf(name, sizeof name, "fp_state_%s_array_summary", causes[id]);
        else
            snprintf(name, sizeof name, "fp_state_%s_%s", units[unit], causes[id]);
        trn_intc_raise(tpb, trn_intc_trigger(name));
    }
}

/* One record a word and cause, in the order of the ids. */
void trn_post_numeric(void *context, const struct trn_seq *seq, uint32_t met)
{
    struct trn_tpb *tpb = context;
    for (unsigned id = 0; id < TRN_NUMERIC_CAUSES; id++) {
        const uint16_t sources = trn_numeric_sources(met, id);
        if (!sources)
            continue;
        tpb->device->choices.count[TRN_CHOICE_NUMERIC_KINDS]++;
        tpb->device->choices.count[TRN_CHOICE_NUMERIC_RATE]++;
        trn_tpb_log_numeric(tpb, (uint8_t)id, seq->engine, sources, seq->regs.pc);
        raise_triggers(tpb, id, sources);
        trn_post_error(tpb, seq->engine, (enum trn_error_id)id, sources, 0);
    }
}

/* ---- injected errors ---------------------------------------------------------------------- */

/* Sources of memory errors are the triggers behind the fake error (notification-records.md 5.3). */
static void post_memory_error(struct trn_tpb *tpb, unsigned source)
{
    trn_post_error(tpb, TRN_SYNC_BY_BUS, TRN_ERROR_ID_MEMORY_ERROR,
                   (uint16_t)trn_bits_set(0, source, 1, 1), 0);
}

void trn_post_injected(struct trn_tpb *tpb, unsigned first_trigger, uint32_t causes)
{
    enum { WORD_BITS = 32 };
    const unsigned first = (unsigned)trn_intc_trigger("sbuf_parity");
    const unsigned last = (unsigned)trn_intc_trigger("pool_seq_mem_uncerr");
    const unsigned collision = (unsigned)trn_intc_trigger("psum_collision");
    for (unsigned bit = 0; bit < WORD_BITS; bit++) {
        const unsigned trigger = first_trigger + bit;
        if (!trn_bits_get(causes, bit, 1))
            continue;
        if (trigger >= first && trigger <= last)
            post_memory_error(tpb, trigger - first);
        else if (trigger == collision)
            trn_post_error(tpb, TRN_SYNC_BY_BUS, TRN_ERROR_ID_PSUM_COLLISION, 0, 0);
        else
            continue;
        tpb->device->choices.count[TRN_CHOICE_INJECTED_RECORD]++;
    }
}
