/* SPDX-License-Identifier: Apache-2.0 */
#include "device/trace.h"

#include <stdlib.h>
#include <string.h>

#include "device/core.h"
#include "dma/dge.h"
#include "trench/enums.h"

/* More than a word has: operands, semaphores of a range, records of the engines of all cores. */
enum { MAX_WAITS = 2, MAX_ACCESSES = 64, MAX_CHANGES = 512, MAX_NOTES = 256 };

struct pending_note {
    unsigned core;
    int engine;
    struct trn_trace_note note;
};

struct trn_device_trace {
    struct trn_trace_sink sink;
    struct trn_trace_step step;
    struct trn_trace_wait waits[MAX_WAITS];
    struct trn_trace_access accesses[MAX_ACCESSES];
    struct trn_trace_change changes[MAX_CHANGES];
    struct pending_note pending[MAX_NOTES];
    size_t num_pending;
    struct trn_trace_note notes[MAX_NOTES]; /* of the step */
};

trn_status trn_trace_open(struct trn_device *device)
{
    if (!device->options.trace.step)
        return TRN_OK;
    device->trace = calloc(1, sizeof *device->trace);
    if (!device->trace)
        return TRN_ERR_NO_MEMORY;
    device->trace->sink = device->options.trace;
    return TRN_OK;
}

void trn_trace_close(struct trn_device *device)
{
    free(device->trace);
    device->trace = NULL;
}

/* ---- parts ------------------------------------------------------------------------------- */

static struct trn_trace_wait public_wait(const struct trn_sync *sync, const struct trn_wait *wait)
{
    static const enum trn_trace_compare compares[] = {[TRN_EQ] = TRN_TRACE_EQ,
                                                      [TRN_LT] = TRN_TRACE_LT,
                                                      [TRN_LE] = TRN_TRACE_LE,
                                                      [TRN_GT] = TRN_TRACE_GT,
                                                      [TRN_GE] = TRN_TRACE_GE};
    const bool event = wait->on == TRN_WAIT_EVENT;
    return (struct trn_trace_wait){.event = event,
                                   .is_unsigned = sync->compare_unsigned,
                                   .compare = event ? TRN_TRACE_EQ : compares[wait->compare],
                                   .index = wait->index,
                                   .want = event ? wait->level : wait->threshold};
}

static void note_change(void *context, const struct trn_sync_change *change)
{
    const struct trn_tpb *tpb = context;
    struct trn_device_trace *trace = tpb->device->trace;
    const bool cleared = change->engine >= 0 && change->when == TRN_UPDATE_NEVER;
    if (trace->step.num_changes == MAX_CHANGES || (cleared && change->before == change->now))
        return;
    trace->changes[trace->step.num_changes++] = (struct trn_trace_change){
        .core = tpb->number,
        .event = !change->is_semaphore,
        .at_read = change->when == TRN_UPDATE_READ,
        .by_bus = change->engine == TRN_SYNC_BY_BUS,
        .index = change->index,
        .added = change->added,
        .operand = change->added ? change->now - change->before : change->now};
}

static void note_begin(void *context, int engine, bool early)
{
    (void)engine;
    (void)early;
    ((const struct trn_tpb *)context)->device->trace->step.num_waits = 0;
}

/* The side effect of a wait on an event is no update: nobody else tells it. */
static void note_wait(void *context, const struct trn_wait *wait, bool takes)
{
    struct trn_tpb *tpb = context;
    struct trn_device_trace *trace = tpb->device->trace;
    const struct trn_sync_change toggled = {
        .when = TRN_UPDATE_READ, .index = wait->index, .now = !wait->level};
    (void)takes;
    if (trace->step.num_waits < MAX_WAITS)
        trace->waits[trace->step.num_waits++] = public_wait(&tpb->sync, wait);
    if (wait->on == TRN_WAIT_EVENT && wait->toggles)
        note_change(tpb, &toggled);
}

void trn_trace_attach(struct trn_tpb *tpb)
{
    if (!tpb->device->trace)
        return;
    tpb->traced = (struct trn_sync_watch){.next = tpb->sync.watch,
                                          .context = tpb,
                                          .begin = note_begin,
                                          .passed = note_wait,
                                          .changed = note_change};
    tpb->sync.watch = &tpb->traced;
}

void trn_trace_access(struct trn_tpb *tpb, const struct trn_access *access)
{
    struct trn_device_trace *trace = tpb->device->trace;
    struct trn_trace_step *step = &trace->step;
    uint64_t elements = 1;
    for (int d = 0; d < 4; d++)
        if (__builtin_mul_overflow(elements, access->num[d], &elements))
            return;
    const struct trn_trace_access seen = {
        .space = access->space,
        .write = access->write,
        .size = (uint32_t)access->size,
        .channels = access->channels,
        .elements = elements,
        .stride = access->index || access->num[0] <= 1 ? 0 : access->step[0],
        .indexed = access->index != NULL,
        .bytes = elements * access->size * access->channels};
    *(access->write ? &step->bytes_written : &step->bytes_read) += seen.bytes;
    if (step->num_accesses < MAX_ACCESSES)
        trace->accesses[step->num_accesses++] = seen;
}

/* Every place that the word has touched lies in SBUF or PSUM. */
static bool is_on_chip(const struct trn_device_trace *trace)
{
    for (size_t i = 0; i < trace->step.num_accesses; i++)
        if (trace->accesses[i].space == TRN_SPACE_HBM || trace->accesses[i].space == TRN_SPACE_HOST)
            return false;
    return trace->step.num_accesses > 0;
}

void trn_trace_transfer(struct trn_tpb *tpb, const uint8_t *word,
                        const struct trn_dge_outcome *outcome)
{
    struct trn_device_trace *trace = tpb->device->trace;
    const uint64_t reads = outcome->read_descriptors, writes = outcome->write_descriptors;
    const uint8_t opcode = word[0];
    if (outcome->backend == TRN_DGE_NONE || outcome->packets == 0)
        return;
    trace->step.transfer =
        (struct trn_trace_transfer){.backend = trn_dge_backend_name(outcome->backend),
                                    .dmas = outcome->dmas,
                                    .descriptors = reads > writes ? reads : writes,
                                    .bytes = outcome->bytes,
                                    .packets = outcome->packets,
                                    .transposes = opcode == TRN_OPCODE_DMA_TRANSPOSE ||
                                                  opcode == TRN_OPCODE_DMA_GATHER_TRANSPOSE,
                                    .on_chip = is_on_chip(trace)};
}

void trn_trace_note(struct trn_tpb *tpb, int engine, enum trn_trace_note_kind kind, uint64_t pc,
                    const char *text, const char *message)
{
    struct trn_device_trace *trace = tpb->device->trace;
    if (trace->num_pending == MAX_NOTES)
        return;
    struct pending_note *pending = &trace->pending[trace->num_pending++];
    *pending = (struct pending_note){
        .core = tpb->number, .engine = engine, .note = {.kind = kind, .pc = pc, .text = text}};
    strncpy(pending->note.message, message, sizeof pending->note.message - 1);
}

/* ---- steps ------------------------------------------------------------------------------- */

/* The notes of the step's engine leave the queue, in their order. */
static void take_notes(struct trn_device_trace *trace)
{
    struct trn_trace_step *step = &trace->step;
    size_t kept = 0;
    for (size_t i = 0; i < trace->num_pending; i++) {
        struct pending_note *pending = &trace->pending[i];
        if (pending->core == step->core && pending->engine == step->engine)
            trace->notes[step->num_notes++] = pending->note;
        else
            trace->pending[kept++] = *pending;
    }
    trace->num_pending = kept;
}

static void tell(struct trn_device_trace *trace)
{
    struct trn_trace_step *step = &trace->step;
    step->waits = trace->waits;
    step->changes = trace->changes;
    step->accesses = trace->accesses;
    step->notes = trace->notes;
    take_notes(trace);
    trace->sink.step(trace->sink.context, step);
    *step = (struct trn_trace_step){.engine = -1};
}

void trn_trace_word(struct trn_tpb *tpb, const struct trn_seq *seq)
{
    struct trn_device_trace *trace = tpb->device->trace;
    struct trn_trace_step *step = &trace->step;
    step->kind = TRN_TRACE_WORD;
    step->core = tpb->number;
    step->engine = seq->engine;
    step->pc = seq->last->address;
    step->next_pc = seq->regs.pc;
    step->word = seq->last->word;
    step->control = !seq->last->slot || seq->last->slot->kind == TRN_SLOT_CONTROL;
    tell(trace);
}

void trn_trace_fault(struct trn_tpb *tpb, const struct trn_fault *fault)
{
    struct trn_device_trace *trace = tpb->device->trace;
    struct trn_trace_step *step = &trace->step;
    step->kind = TRN_TRACE_FAULT;
    step->core = tpb->number;
    step->engine = fault->engine;
    step->pc = step->next_pc = fault->pc;
    tell(trace);
}

void trn_trace_host(struct trn_device *device)
{
    if (device->trace->step.num_changes == 0)
        return;
    device->trace->step.kind = TRN_TRACE_HOST;
    device->trace->step.engine = -1;
    tell(device->trace);
}

void trn_trace_dma(struct trn_device *device, unsigned number,
                   const struct trn_trace_transfer *transfer)
{
    struct trn_device_trace *trace = device->trace;
    const unsigned per_core = device->gen->dma_engines_per_core;
    trace->step.kind = TRN_TRACE_DMA;
    trace->step.core = per_core && number / per_core < device->gen->cores ? number / per_core : 0;
    trace->step.engine = -1;
    trace->step.dma = number;
    trace->step.by_host = !device->running;
    trace->step.transfer = *transfer;
    tell(trace);
}
