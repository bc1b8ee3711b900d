/* SPDX-License-Identifier: Apache-2.0 */
/* A record as one sentence (docs/hardware/notification-records.md 4 to 6; the wording is ours). */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "trench/notify.h"

/* A sentence being written; what does not fit is cut. */
struct sentence {
    char *text;
    size_t used;
};

static void TRN_PRINTF(2, 3) say(struct sentence *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(s->text + s->used, TRN_RECORD_TEXT_MAX - s->used, format, args);
    va_end(args);
    if (length > 0)
        s->used += (size_t)length;
    if (s->used >= TRN_RECORD_TEXT_MAX)
        s->used = TRN_RECORD_TEXT_MAX - 1;
}

static const char *engine_name(int engine)
{
    static const char *const names[] = {"PE", "ACT", "POOL", "DVE", "SP"};
    return engine >= 0 && engine < 5 ? names[engine] : "an unknown engine";
}

/* "DVE" or "DVE and ACT": the named bits of a mask, or the mask itself. */
static void say_bits(struct sentence *s, unsigned mask, const char *const *names, unsigned count)
{
    const char *between = "";
    unsigned unnamed = mask;
    for (unsigned bit = 0; bit < count; bit++)
        if (trn_bits_get(mask, bit, 1)) {
            say(s, "%s%s", between, names[bit]);
            unnamed = (unsigned)trn_bits_set(unnamed, bit, 1, 0);
            between = " and ";
        }
    if (unnamed || !mask)
        say(s, "%ssource mask 0x%x", between, unnamed);
}

/* ---- what an engine tells of its words ----------------------------------------------------- */

static void say_start(struct sentence *s, const char *engine, const struct trn_record_inst_start *b)
{
    say(s, "%s starts the word at pc 0x%x (inference %u, waited %u cycles)", engine,
        b->program_counter, b->soft_reset_counter, b->evt_wait_num_cycles);
}

static void say_end(struct sentence *s, const char *engine, const struct trn_record_inst_end *b)
{
    say(s, "%s ends the word at pc 0x%x (input crc 0x%04x, output crc 0x%04x)", engine,
        b->program_counter, b->input_data_crc, b->output_data_crc);
}

/* 6.2, the custom sub id. */
static void say_custom(struct sentence *s, unsigned cid)
{
    static const char *const meanings[] = {
        "an embedding-table update out of bounds",
        "an embedding-table update out of bounds",
        "a scatter or gather out of bounds",
        "a scatter or gather out of bounds",
        "a scatter or gather through the scalar DGE out of bounds",
        "a scatter or gather through the vector DGE out of bounds",
        "a debug value",
        "an output tensor is complete",
        "a debug tensor can be read",
        "a transposing scatter or gather through the scalar DGE out of bounds",
        "a transposing scatter or gather through the vector DGE out of bounds"};
    if (cid < sizeof meanings / sizeof meanings[0])
        say(s, " reports %s", meanings[cid]);
    else
        say(s, " reports custom record %u, which the runtime does not know", cid);
}

static void say_notify(struct sentence *s, const char *engine,
                       const struct trn_record_explicit_notify *b)
{
    enum { START = 2, END = 3, CUSTOM = 6, COLLECTIVE_START = 7, COLLECTIVE_END = 8 };
    say(s, "%s", engine);
    switch (b->debug_hint_extended) {
    case START:
        say(s, " reports START of inference %u", b->soft_reset_counter);
        break;
    case END:
        say(s, " reports END of inference %u", b->soft_reset_counter);
        break;
    case CUSTOM:
        say_custom(s, b->soft_reset_counter);
        break;
    case COLLECTIVE_START:
    case COLLECTIVE_END:
        say(s, " reports %s of a collective",
            b->debug_hint_extended == COLLECTIVE_START ? "START" : "END");
        break;
    default:
        say(s, " notifies %u with subtype %u, which a completion ring does not expect",
            b->soft_reset_counter, b->debug_hint_extended);
    }
    say(s, " at pc 0x%x", b->program_counter);
}

static void say_dge(struct sentence *s, const struct trn_gen *gen, const char *engine,
                    const struct trn_record_explicit_dge_metadata *b)
{
    enum { GROUP = 16 };
    const unsigned first = b->dma_group_id ? GROUP : 0;
    say(s, "DGE of %s used DMA engines", engine);
    for (unsigned i = 0; i < GROUP; i++)
        if (trn_bits_get(b->dma_map, i, 1))
            say(s, " %u", first + i);
    say(s, "%s with %u packet%s each, ", b->dma_map ? "" : " (none)", b->num_packets,
        b->num_packets == 1 ? "" : "s");
    if (b->infer_program_counter)
        say(s, "pc that of the latest start record (here 0x%x)", b->program_counter);
    else
        say(s, "pc 0x%x", b->program_counter);
    if (b->dma_group_id && gen->dma_engines_per_core <= GROUP)
        say(s, "; a core of %s has %u DMA engines", gen->name, gen->dma_engines_per_core);
}

static void say_event(struct sentence *s, const char *who, const struct trn_record_evt_sem *b)
{
    if (b->is_semaphore)
        say(s, "%s: semaphore %u is %d (update mode 0x%02x)", who, b->event_semaphore_id,
            (int32_t)b->event_semaphore_value, b->event_semaphore_update_mode);
    else
        say(s, "%s: event %u is %s%s (update mode 0x%02x)", who, b->event_semaphore_id,
            b->event_semaphore_value ? "set" : "clear", b->double_set_or_clear ? ", again" : "",
            b->event_semaphore_update_mode);
}

/* ---- errors --------------------------------------------------------------------------------- */

static void say_fp(struct sentence *s, unsigned id, unsigned lo)
{
    static const char *const sources[TRN_FP_SOURCES] = {[TRN_FP_SOURCE_PSUM] = "PSUM",
                                                        [TRN_FP_SOURCE_ACT] = "ACT",
                                                        [TRN_FP_SOURCE_POOL] = "POOL",
                                                        [TRN_FP_SOURCE_DVE] = "DVE",
                                                        [TRN_FP_SOURCE_PE] = "PE"};
    static const char *const kinds[] = {"underflow", "NaN", "infinity", "overflow"};
    say(s, "floating point %s in ", kinds[id]);
    say_bits(s, lo, sources, TRN_FP_SOURCES);
}

/* 5.3; which unit owns which pair is a model choice. */
static void say_memory(struct sentence *s, unsigned lo, unsigned hi, bool correctable)
{
    static const char *const sources[] = {"SBUF parity",
                                          "PSUM parity",
                                          "TPB_TOP sequencer memory",
                                          "TPB_TOP sequencer memory",
                                          "DVE sequencer memory",
                                          "DVE sequencer memory",
                                          "ACT table parity",
                                          "ACT sequencer memory",
                                          "ACT sequencer memory",
                                          "POOL sequencer memory",
                                          "POOL sequencer memory"};
    say(s, "%s memory error in ", correctable ? "correctable" : "uncorrectable");
    say_bits(s, lo, sources, sizeof sources / sizeof sources[0]);
    say(s, " (metadata: 0x%x)", hi);
}

static void say_tpb_error(struct sentence *s, const struct trn_record_tpb_error *b,
                          const struct trn_record_host *host)
{
    const unsigned lo = b->metadata_lo, index = (unsigned)trn_bits_get(lo, 0, 8);
    switch (b->error_id) {
    case TRN_ERROR_ID_FP_UNDERFLOW:
    case TRN_ERROR_ID_FP_NAN:
    case TRN_ERROR_ID_FP_INF:
    case TRN_ERROR_ID_FP_OVERFLOW:
        say_fp(s, b->error_id, lo);
        break;
    case TRN_ERROR_ID_MEMORY_ERROR:
        say_memory(s, lo, b->metadata_hi, host->error_class == TRN_ERROR_CLASS_TRANSIENT);
        break;
    case TRN_ERROR_ID_FAKE_ERROR:
        say(s, "fake error with data 0x%x (tpb fake_error_ctrl was written)", b->metadata_hi);
        break;
    case TRN_ERROR_ID_SEMAPHORE_ERROR:
        say(s, "semaphore %u over- or underflowed to %d", index, (int32_t)b->metadata_hi);
        break;
    case TRN_ERROR_ID_EVENT_ERROR:
        say(s, "event %u was %s", index,
            trn_bits_get(lo, 8, 1) ? "cleared while clear" : "set while set");
        break;
    case TRN_ERROR_ID_PSUM_COLLISION:
        say(s, "conflicting PSUM writes at 0x%x", b->metadata_hi);
        break;
    default:
        say(s, "error id 0x%02x, which has no name (metadata 0x%x, 0x%04x)", b->error_id,
            b->metadata_hi, lo);
    }
}

static void say_info(struct sentence *s, unsigned subtype, unsigned info)
{
    static const char *const flags[] = {"INVALID", "DIVZERO", "OVERFLOW", "UNDERFLOW", "INEXACT"};
    switch (subtype) {
    case TRN_SUBTYPE_BAD_OPCODE:
        say(s, ": opcode 0x%02x", info);
        break;
    case TRN_SUBTYPE_FP:
        say(s, ": ");
        say_bits(s, info, flags, sizeof flags / sizeof flags[0]);
        break;
    case TRN_SUBTYPE_INT:
        say(s, ": integer division by zero");
        break;
    case TRN_SUBTYPE_SIGNAL:
        say(s, ": signal %u", info);
        break;
    case TRN_SUBTYPE_EXCEPTION: /* 5.4: cause in 3:0, type in 7:4, a model choice */
        say(s, ": cause %u, type %u", (unsigned)trn_bits_get(info, 0, 4),
            (unsigned)trn_bits_get(info, 4, 4));
        break;
    default:
        break;
    }
}

static void say_sequencer(struct sentence *s, const struct trn_record_tpb_error_sequencer *b)
{
    const int engine = trn_record_engine_of_block(b->block_id);
    const char *subtype = trn_error_name("sequencer_subtype", b->subtype);
    if (!subtype) /* the cores of POOL's cluster have a list of their own (5.4) */
        subtype = trn_error_name("q7_subtype", b->subtype);
    say(s, "%s sequencer error ",
        b->error_id == TRN_ERROR_ID_SEQUENCER_FATAL ? "fatal" : "non-fatal");
    if (subtype)
        say(s, "%s", subtype);
    else
        say(s, "of unknown subtype 0x%02x", b->subtype);
    if (engine >= 0)
        say(s, " on %s", engine_name(engine));
    else
        say(s, " on unknown block %u", b->block_id);
    say(s, " at pc 0x%x", b->program_counter);
    say_info(s, b->subtype, b->info);
}

/* ---- the other producers ----------------------------------------------------------------------
 */

static void say_dma(struct sentence *s, const struct trn_record *record)
{
    const union trn_record_body *b = &record->body;
    switch (record->form) {
    case TRN_FORM_DMA_SOP:
        say(s, "DMA queue %u starts a packet %s (metadata 0x%x)", b->dma_sop.queue,
            b->dma_sop.dma_notific_type == 1 ? "M2S" : "S2M", b->dma_sop.metadata);
        break;
    case TRN_FORM_DMA_EOP:
        say(s, "DMA queue %u ends a packet %s of %u bytes (crc 0x%04x)", b->dma_eop.queue,
            b->dma_eop.dma_notific_type == 2 ? "M2S" : "S2M", b->dma_eop.nbytes, b->dma_eop.crc);
        break;
    case TRN_FORM_DMA_COMPLETION:
        say(s, "DMA queue %u completed %s", b->dma_completion.queue,
            b->dma_completion.dma_notific_type == 3 ? "M2S" : "S2M");
        break;
    case TRN_FORM_DMA_AXI_REQ:
        say(s, "DMA AXI request of id %u to 0x%llx", b->dma_axi_req.arid,
            (unsigned long long)trn_bits_set(b->dma_axi_req.address_low, 24, 23,
                                             b->dma_axi_req.address_high));
        break;
    case TRN_FORM_DMA_AXI_RSP:
        say(s, "DMA AXI response to id %u", b->dma_axi_rsp.rid);
        break;
    default:
        say(s, "DMA APB request to 0x%llx",
            (unsigned long long)trn_bits_set(b->dma_apb_req.address_low, 24, 8,
                                             b->dma_apb_req.address_high));
    }
}

static void say_interrupt(struct sentence *s, const struct trn_record *record)
{
    const union trn_record_body *b = &record->body;
    if (record->form == TRN_FORM_ERROR_INTERRUPT)
        say(s, "interrupt of group %u, block %u, causes 0x%x", b->error_interrupt.group,
            b->error_interrupt.block_id, b->error_interrupt.cause_bits);
    else
        say(s, "warning of group %u, block %u, metadata 0x%x, 0x%x, 0x%x", b->error_warning.group,
            b->error_warning.block_id, b->error_warning.metadata_0, b->error_warning.metadata_1,
            b->error_warning.metadata_2);
}

/* ---- the whole
 * ------------------------------------------------------------------------------------
 */

static void say_body(struct sentence *s, const struct trn_gen *gen, const struct trn_record *record,
                     const struct trn_record_host *host)
{
    const union trn_record_body *b = &record->body;
    const char *engine = engine_name(trn_record_engine(record->type));
    switch (record->form) {
    case TRN_FORM_INST_START:
        say_start(s, engine, &b->inst_start);
        return;
    case TRN_FORM_INST_END:
        say_end(s, engine, &b->inst_end);
        return;
    case TRN_FORM_EXPLICIT_NOTIFY:
        say_notify(s, engine, &b->explicit_notify);
        return;
    case TRN_FORM_EXPLICIT_DGE_METADATA:
        say_dge(s, gen, engine, &b->explicit_dge_metadata);
        return;
    case TRN_FORM_EVT_SEM:
        say_event(s, record->type == TRN_RECORD_TPB_AXI_EVT_SEM ? "AXI" : engine, &b->evt_sem);
        return;
    case TRN_FORM_TPB_HAM:
        say(s, "activity monitor: 0x%04x, 0x%02x, 0x%08x (contents not published)",
            b->tpb_ham.metadata_0, b->tpb_ham.metadata_1, b->tpb_ham.metadata_2);
        return;
    case TRN_FORM_ERROR_INTERRUPT:
    case TRN_FORM_ERROR_WARNING:
        say_interrupt(s, record);
        return;
    case TRN_FORM_TPB_ERROR:
        say_tpb_error(s, &b->tpb_error, host);
        return;
    case TRN_FORM_TPB_ERROR_SEQUENCER:
        say_sequencer(s, &b->tpb_error_sequencer);
        return;
    case TRN_FORM_COUNT:
        say(s, "no known record");
        return;
    default:
        say_dma(s, record);
    }
}

static void say_host(struct sentence *s, const struct trn_record_host *host)
{
    if (host->log_only)
        say(s, "; the host logs it");
    if (host->status == TRN_HOST_STATUS_SUCCESS)
        return;
    say(s, "; runtime status %u", host->status);
    if (host->later_status)
        say(s, ", then %s %u because the engine stays dead",
            host->later_status == TRN_HOST_STATUS_TIMEOUT ? "timeout" : "status",
            host->later_status);
}

/* Records that this generation's hardware has no producer for (1, notific.md 1). */
static void say_generation(struct sentence *s, const struct trn_gen *gen,
                           const struct trn_record *record)
{
    enum { ACT = 1 };
    if (record->type == TRN_RECORD_TPB_HAM && !gen->has_ham_route)
        say(s, " [%s has no route for activity records]", gen->name);
    if (trn_record_engine(record->type) == ACT && !gen->has_act)
        say(s, " [%s has no ACT engine]", gen->name);
}

static void say_overflow(struct sentence *s, const struct trn_record *record)
{
    if (record->sw_overflow)
        say(s, "; the ring was full and earlier records are lost");
    if (record->hw_overflow)
        say(s, "; an input buffer was full and later records are lost");
}

size_t trn_record_text(const struct trn_gen *gen, const struct trn_record *record,
                       char text[TRN_RECORD_TEXT_MAX])
{
    struct sentence s = {text, 0};
    text[0] = '\0';
    const struct trn_record_host host = trn_record_host(record);
    say_body(&s, gen, record, &host);
    say_host(&s, &host);
    say_overflow(&s, record);
    say_generation(&s, gen, record);
    return s.used;
}
