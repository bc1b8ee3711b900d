/* SPDX-License-Identifier: Apache-2.0 */
/* Records of a core: made, routed by the fields of its register file, and kept with their producer
 * while nobody takes them (docs/hardware/notific.md 4, 7; notification-records.md 4, 5). */
#include <stdio.h>
#include <string.h>

#include "device/core.h"
#include "device/intc.h"
#include "record_pack.h"

/* ---- the register file ------------------------------------------------------------------ */

static uint32_t read_file(void *context, uint32_t offset)
{
    const struct trn_tpb *tpb = context;
    return tpb->file ? tpb->file[offset / 4] : 0;
}

uint32_t trn_post_field(const struct trn_tpb *tpb, const struct trn_reg_place *place)
{
    return place->exists && tpb->file
               ? (uint32_t)trn_bits_get(tpb->file[place->offset / 4], place->low, place->bits)
               : 0;
}

static struct trn_reg_place place_of(const struct trn_gen *gen, const char *path, const char *name)
{
    const struct trn_reg_row *row = trn_reg_find(gen, path, NULL);
    const struct trn_reg_bits *bits = row ? trn_reg_field(row, name) : NULL;
    if (!bits)
        return (struct trn_reg_place){.exists = false};
    return (struct trn_reg_place){row->offset, bits->low, bits->bits, true};
}

/* ---- posting ---------------------------------------------------------------------------- */

struct message {
    enum trn_record_form form;
    uint8_t type; /* enum trn_record_code */
    unsigned input, route;
    union trn_record_body body;
};

/* Who waits when nobody takes the record: the engine itself, or the one whose word reaches over the
 * bus. -1: a host. */
static int holder_of(const struct trn_tpb *tpb, int engine)
{
    return engine >= 0 ? engine : tpb->post.busy - 1;
}

/* Model choice: no engine makes more than fit; what would not fit is counted. */
static void keep(struct trn_post *post, int engine, const struct trn_kept_record *record)
{
    if (post->num_kept[engine] < TRN_MAX_KEPT)
        post->kept[engine][post->num_kept[engine]++] = *record;
    else
        post->refused++;
}

static bool taken(struct trn_post *post, const struct trn_kept_record *record)
{
    return trn_notific_submit(post->to->block, record->input, record->queue, record->record) !=
           TRN_NOTIFIC_STALLED;
}

/* False: an engine's record waits. One that comes over the bus cannot. */
static bool post_message(struct trn_tpb *tpb, int engine, const struct message *message)
{
    struct trn_post *post = &tpb->post;
    struct trn_kept_record record = {.input = (uint8_t)message->input};
    if (!post->to)
        return true;
    record.queue = (uint8_t)trn_notific_route(&post->router, message->route, read_file, tpb);
    trn_put64(record.record,
              trn_bits_set(trn_record_pack(message->form, &message->body),
                           TRN_FRAME_NOTIFIC_TYPE_LOW, TRN_FRAME_NOTIFIC_TYPE_BITS, message->type));
    const int holder = holder_of(tpb, engine);
    const bool waits = holder >= 0 && post->num_kept[holder] > 0;
    if (!waits && taken(post, &record))
        return true;
    if (holder < 0) {
        post->refused++;
        return true;
    }
    keep(post, holder, &record);
    return false;
}

void trn_post_kernel_line(void *context, int engine, bool error, const char *line)
{
    struct trn_tpb *tpb = context;
    struct trn_content_report report = {.engine = engine,
                                        .pc = tpb->seq[engine].regs.pc,
                                        .klass = "kernel_error",
                                        .writer = TRN_WRITER_UNKNOWN};
    snprintf(report.message, sizeof report.message, "%s", line);
    const struct trn_device_options *options = &tpb->device->options;
    if (options->dge_log)
        options->dge_log(options->dge_log_context, engine, line);
    if (error)
        trn_tpb_log_content(tpb, &report);
}

void trn_post_forget(void *context, int engine)
{
    struct trn_tpb *tpb = context;
    tpb->post.num_kept[engine] = 0;
}

static void settle_engine(struct trn_tpb *tpb, int engine)
{
    struct trn_post *post = &tpb->post;
    unsigned out = 0;
    while (out < post->num_kept[engine] && taken(post, &post->kept[engine][out]))
        out++;
    post->num_kept[engine] = (uint8_t)(post->num_kept[engine] - out);
    memmove(post->kept[engine], post->kept[engine] + out,
            post->num_kept[engine] * sizeof post->kept[engine][0]);
    if (out > 0 && post->num_kept[engine] == 0)
        trn_seq_posted(&tpb->seq[engine]);
}

void trn_post_settle(struct trn_tpb *tpb)
{
    for (int e = 0; e < TRN_ENGINES; e++)
        if (tpb->post.num_kept[e] > 0)
            settle_engine(tpb, e);
}

int trn_post_blocked_queue(const struct trn_tpb *tpb, int engine)
{
    return tpb->post.num_kept[engine] > 0 ? tpb->post.kept[engine][0].queue : -1;
}

/* ---- records of sequencers --------------------------------------------------------------- */

enum { PC_BITS = 20, ERROR_PC_BITS = 12, OF_START = 0, OF_END = 1, OF_EXPLICIT = 2, OF_EVENT = 3 };

/* Program counters of records count words of instruction memory (notification-records.md 4.1). */
static uint32_t word_number(uint64_t pc, unsigned bits)
{
    return (uint32_t)trn_bits_get(pc / TRN_WORD_BYTES, 0, bits);
}

static void choose(struct trn_tpb *tpb, enum trn_choice choice)
{
    tpb->device->choices.count[choice] += tpb->post.to != NULL;
}

static bool post_instruction(struct trn_tpb *tpb, const struct trn_seq_record *record)
{
    choose(tpb, TRN_CHOICE_RECORD_CLASS);
    choose(tpb, TRN_CHOICE_RECORD_PROGRAM_COUNTER);
    const int engine = record->engine;
    const bool starts = record->kind == TRN_SEQ_START;
    const uint32_t pc = word_number(record->pc, PC_BITS);
    struct message message = {
        .form = starts ? TRN_FORM_INST_START : TRN_FORM_INST_END,
        .type = trn_record_code_of(engine, starts ? OF_START : OF_END),
        .input = trn_notific_engine_input(engine, record->datapath),
        .route = trn_route_of_engine(engine, record->datapath ? TRN_ROUTE_ENGINE : TRN_ROUTE_NX)};
    if (starts)
        message.body.inst_start =
            (struct trn_record_inst_start){.program_counter = pc, .debug_hint = record->debug_hint};
    else
        message.body.inst_end =
            (struct trn_record_inst_end){.program_counter = pc, .debug_hint = record->debug_hint};
    return post_message(tpb, engine, &message);
}

static bool post_explicit(struct trn_tpb *tpb, const struct trn_seq_record *record)
{
    const struct message message = {
        .form = TRN_FORM_EXPLICIT_NOTIFY,
        .type = trn_record_code_of(record->engine, OF_EXPLICIT),
        .input = trn_notific_engine_input(record->engine, false),
        .route = trn_route_of_engine(record->engine, TRN_ROUTE_EXPLICIT),
        .body.explicit_notify = {.program_counter = word_number(record->pc, PC_BITS),
                                 .debug_hint = record->debug_hint,
                                 .soft_reset_counter = record->soft_reset_counter,
                                 .debug_hint_extended = record->debug_hint_extended}};
    return post_message(tpb, record->engine, &message);
}

/* Its line of the core's triggers moves with it: 0 non-fatal, 1 fatal (error-handling.md 3). */
static bool post_error(struct trn_tpb *tpb, const struct trn_seq_record *record)
{
    const bool fatal = record->severity == TRN_SEVERITY_FATAL;
    const struct message message = {
        .form = TRN_FORM_TPB_ERROR_SEQUENCER,
        .type = TRN_RECORD_TPB_ERROR,
        .input = trn_notific_sequencer_input(record->engine, fatal),
        .route = TRN_ROUTE_ERRORS,
        .body.tpb_error_sequencer = {
            .error_id = fatal ? TRN_ERROR_ID_SEQUENCER_FATAL : TRN_ERROR_ID_SEQUENCER_NONFATAL,
            .subtype = record->code,
            .block_id = trn_record_block_of(record->engine),
            .program_counter = (uint16_t)word_number(record->pc, ERROR_PC_BITS),
            .info = record->aux}};
    trn_intc_raise(tpb, trn_intc_nx_trigger(record->engine, fatal));
    return post_message(tpb, record->engine, &message);
}

bool trn_post_record(void *context, const struct trn_seq_record *record)
{
    struct trn_tpb *tpb = context;
    trn_tpb_log_record(tpb, record);
    switch (record->kind) {
    case TRN_SEQ_START:
    case TRN_SEQ_END:
        return post_instruction(tpb, record);
    case TRN_SEQ_EXPLICIT:
        return post_explicit(tpb, record);
    case TRN_SEQ_ERROR:
        break;
    }
    return post_error(tpb, record);
}

/* ---- events and semaphores (error-handling.md 8, notific.md 7) ------------------------------ */

/* Of the engine that made the change: it stops behind its word when nobody takes the record. */
static void post_change(struct trn_tpb *tpb, int engine, const struct message *message)
{
    const int holder = holder_of(tpb, engine);
    if (!post_message(tpb, engine, message) && holder >= 0)
        tpb->seq[holder].posting = true;
}

/* num_packets counts 4096 as 0 in the record (notification-records.md 4.4). */
static void encode_packets(struct message *message)
{
    enum { MOST = 4096 };
    if (message->form == TRN_FORM_EXPLICIT_DGE_METADATA)
        message->body.explicit_dge_metadata.num_packets %= MOST;
}

void trn_post_made(struct trn_tpb *tpb, int engine, const struct trn_record *record)
{
    const bool is_error = record->type == TRN_RECORD_TPB_ERROR;
    const bool fatal =
        is_error && record->body.tpb_error_sequencer.error_id == TRN_ERROR_ID_SEQUENCER_FATAL;
    struct message message = {.form = record->form,
                              .type = record->type,
                              .input = is_error ? trn_notific_sequencer_input(engine, fatal)
                                                : trn_notific_engine_input(engine, false),
                              .route = is_error ? TRN_ROUTE_ERRORS
                                                : trn_route_of_engine(engine, TRN_ROUTE_EXPLICIT),
                              .body = record->body};
    if (record->form == TRN_FORM_EXPLICIT_DGE_METADATA)
        message.body.explicit_dge_metadata.debug_hint = 1;
    encode_packets(&message);
    post_change(tpb, engine, &message);
}

static void post_update(struct trn_tpb *tpb, const struct trn_sync_change *change)
{
    const struct message message = {.form = TRN_FORM_EVT_SEM,
                                    .type = change->engine < 0
                                                ? TRN_RECORD_TPB_AXI_EVT_SEM
                                                : trn_record_code_of(change->engine, OF_EVENT),
                                    .input = TRN_INPUT_EVSEM,
                                    .route = TRN_ROUTE_EVENTS,
                                    .body.evt_sem = {.event_semaphore_id = change->index,
                                                     .is_semaphore = change->is_semaphore,
                                                     .double_set_or_clear = change->doubled,
                                                     .event_semaphore_update_mode = change->mode,
                                                     .event_semaphore_value = change->now}};
    post_change(tpb, change->engine, &message);
}

void trn_post_error(struct trn_tpb *tpb, int engine, enum trn_error_id id, uint16_t low,
                    uint32_t high)
{
    const struct message message = {
        .form = TRN_FORM_TPB_ERROR,
        .type = TRN_RECORD_TPB_ERROR,
        .input = trn_notific_error_input(id),
        .route = TRN_ROUTE_ERRORS,
        .body.tpb_error = {.error_id = (uint8_t)id, .metadata_lo = low, .metadata_hi = high}};
    post_change(tpb, engine, &message);
}

/* Model choice (notific.md 7): an update that leaves [low, high]; unsigned, as the reset values. */
static bool leaves_bounds(const struct trn_tpb *tpb, const struct trn_sync_change *change)
{
    const struct trn_post *post = &tpb->post;
    if (!tpb->file || !post->low_bound.exists)
        return false;
    const uint32_t low = trn_post_field(tpb, &post->low_bound),
                   high = trn_post_field(tpb, &post->high_bound);
    const bool was_inside = change->before >= low && change->before <= high;
    return was_inside && (change->now < low || change->now > high);
}

/* metadata of notification-records.md 5.2. */
static void check_misuse(struct trn_tpb *tpb, const struct trn_sync_change *change)
{
    enum { CLEARED_BIT = 8 };
    if (change->is_semaphore && (change->wrapped || leaves_bounds(tpb, change))) {
        tpb->device->choices.count[TRN_CHOICE_SEMAPHORE_ERROR]++;
        trn_intc_raise(tpb, tpb->post.semaphore_trigger);
        trn_post_error(tpb, change->engine, TRN_ERROR_ID_SEMAPHORE_ERROR, change->index,
                       change->now);
    }
    if (!change->is_semaphore && change->doubled) {
        trn_intc_raise(tpb, tpb->post.event_trigger);
        trn_post_error(tpb, change->engine, TRN_ERROR_ID_EVENT_ERROR,
                       (uint16_t)trn_bits_set(change->index, CLEARED_BIT, 1, change->now == 0), 0);
    }
}

static void on_change(void *context, const struct trn_sync_change *change)
{
    struct trn_tpb *tpb = context;
    if (trn_post_field(tpb, &tpb->post.events_on))
        post_update(tpb, change);
    check_misuse(tpb, change);
}

void trn_post_file_written(struct trn_tpb *tpb, uint32_t at, uint32_t value)
{
    const struct trn_reg_place *fake = &tpb->post.fake_ctrl;
    if (!fake->exists || at != fake->offset || !trn_bits_get(value, fake->low, fake->bits))
        return;
    const uint32_t data = trn_post_field(tpb, &tpb->post.fake_data);
    trn_intc_raise(tpb, tpb->post.fake_trigger);
    trn_post_error(tpb, TRN_SYNC_BY_BUS, TRN_ERROR_ID_FAKE_ERROR, 0, data);
}

/* ---- life -------------------------------------------------------------------------------- */

void trn_post_open(struct trn_tpb *tpb, struct trn_wired_notific *to)
{
    const struct trn_gen *gen = tpb->device->gen;
    struct trn_post *post = &tpb->post;
    post->to = to;
    trn_notific_router_init(&post->router, gen, false);
    post->events_on = place_of(gen, "tpb.events_semaphores.notific_ctrl", "notifications_en");
    post->low_bound = place_of(gen, "tpb.events_semaphores.sem_threshold_ctrl0", "low");
    post->high_bound = place_of(gen, "tpb.events_semaphores.sem_threshold_ctrl1", "high");
    post->fake_ctrl = place_of(gen, "tpb.misc.fake_error_ctrl", "en");
    post->fake_data = place_of(gen, "tpb.misc.fake_error_data", "data");
    post->dve_silent = place_of(gen, "tpb.dve_sequencer.spare_register0", "fp_error_off");
    post->semaphore_trigger = trn_intc_trigger("err_sem_summary");
    post->event_trigger = trn_intc_trigger("err_event_summary");
    post->fake_trigger = trn_intc_trigger("fake_error");
    tpb->sync.context = tpb;
    tpb->sync.changed = on_change;
}
