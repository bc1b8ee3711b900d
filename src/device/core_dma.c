/* SPDX-License-Identifier: Apache-2.0 */
#include "device/core_dma.h"

#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "device/core.h"
#include "mem/hbm.h"
#include "mem/tracker.h"

/* ---- memory ---------------------------------------------------------------------------- */

/* Bytes of SBUF or PSUM that lie together: to the end of their partition. */
static bool map_plane(struct trn_tpb *tpb, enum trn_space space, uint64_t offset, uint64_t size,
                      bool write, struct trn_origin who, uint8_t **pointer, uint64_t *length)
{
    const struct trn_gen *gen = tpb->device->gen;
    const bool psum = space == TRN_SPACE_PSUM;
    const uint32_t stride = psum ? gen->psum_stride : gen->sbuf_stride;
    const uint32_t partition = (uint32_t)(offset / stride), byte = (uint32_t)(offset % stride);
    const uint32_t active = trn_mem_plane(tpb->mem, space)->active_bytes;
    if (byte >= active) /* bytes that do not exist: the slow way counts them */
        return false;
    *length = size < active - byte ? size : active - byte;
    trn_mem_touch(tpb->mem, space, partition, 1, byte, (uint32_t)*length);
    trn_mem_report_range(tpb->mem, space, partition, byte, *length, write, who);
    *pointer = trn_plane_at(trn_mem_plane(tpb->mem, space), partition, byte);
    return true;
}

static bool map_hbm(struct trn_tpb *tpb, uint64_t offset, uint64_t size, bool write,
                    struct trn_origin who, uint8_t **pointer, uint64_t *length)
{
    const uint64_t left = trn_hbm_size(tpb->mem->hbm) - offset;
    *length = size < left ? size : left;
    *pointer = trn_hbm_span(tpb->mem->hbm, offset, *length);
    if (*pointer)
        trn_mem_report_range(tpb->mem, TRN_SPACE_HBM, 0, offset, *length, write, who);
    return *pointer != NULL;
}

/* Other places have no pointer: other cores, other stacks, registers. */
trn_status trn_tpb_map(struct trn_tpb *tpb, uint64_t address, uint64_t size, bool write,
                       struct trn_origin who, uint8_t **pointer, uint64_t *length)
{
    const struct trn_soc *soc = &tpb->soc;
    const struct trn_gen *gen = tpb->device->gen;
    const uint64_t in_sbuf = address - soc->sbuf_base, in_psum = address - soc->psum_base;
    *pointer = NULL;
    *length = 0;
    if (address - soc->hbm_base < trn_hbm_size(tpb->mem->hbm))
        map_hbm(tpb, address - soc->hbm_base, size, write, who, pointer, length);
    else if (in_sbuf < gen->sbuf_size)
        map_plane(tpb, TRN_SPACE_SBUF, in_sbuf, size, write, who, pointer, length);
    else if (in_psum < gen->psum_size)
        map_plane(tpb, TRN_SPACE_PSUM, in_psum, size, write, who, pointer, length);
    else if ((*pointer = trn_host_at(tpb->device, address, size)) != NULL)
        *length = size;
    return TRN_OK;
}

static trn_status map(void *context, uint64_t address, uint64_t size, bool write, uint8_t **pointer,
                      uint64_t *length)
{
    struct trn_tpb *tpb = context;
    return trn_tpb_map(tpb, address, size, write, tpb->dma.origin, pointer, length);
}

static trn_status read_bytes(void *context, uint64_t address, void *data, size_t size)
{
    struct trn_tpb *tpb = context;
    return trn_soc_read(&tpb->soc, address, data, size, tpb->dma.origin);
}

static trn_status write_bytes(void *context, uint64_t address, const void *data, size_t size)
{
    struct trn_tpb *tpb = context;
    return trn_soc_write(&tpb->soc, address, data, size, tpb->dma.origin);
}

/* ---- registers, semaphores, records -------------------------------------------------------- */

static trn_status get_register(void *context, int engine, unsigned number, uint32_t *value)
{
    const struct trn_tpb *tpb = context;
    return trn_reg_read(&tpb->seq[engine].regs, number, value) ? TRN_OK : TRN_ERR_INVALID;
}

static trn_status set_register(void *context, int engine, unsigned number, uint32_t value)
{
    struct trn_tpb *tpb = context;
    return trn_reg_write(&tpb->seq[engine].regs, number, value) ? TRN_OK : TRN_ERR_INVALID;
}

enum { FIRST_LOCAL = 38, NUM_LOCALS = 3 };

static uint32_t local(void *context, int engine, unsigned number)
{
    const struct trn_tpb *tpb = context;
    const unsigned n = number - FIRST_LOCAL;
    return n < NUM_LOCALS && tpb->dma.locals[n]
               ? trn_local_get(&tpb->seq[engine].local, tpb->dma.locals[n])
               : 0;
}

static trn_status shape(void *context, int engine, unsigned number, struct trn_dge_shape *out)
{
    const struct trn_regs *regs = &((const struct trn_tpb *)context)->seq[engine].regs;
    if (number >= sizeof regs->shape / sizeof regs->shape[0])
        return TRN_ERR_INVALID;
    for (unsigned d = 0; d < TRN_DGE_DIMS; d++) {
        out->num[d] = regs->shape[number].num[d];
        out->step[d] = regs->shape[number].step[d];
    }
    return TRN_OK;
}

/* The completion packet writes to the increment window. */
static void semaphore_add(void *context, int engine, unsigned semaphore, uint32_t amount)
{
    struct trn_tpb *tpb = context;
    const struct trn_update update = {
        .what = TRN_UPDATE_ADD, .index = (uint8_t)semaphore, .operand = amount};
    (void)engine;
    if (semaphore < TRN_NUM_SEMAPHORES)
        trn_update_apply(&tpb->sync, TRN_SYNC_BY_BUS, &update);
}

static void record(void *context, int engine, const struct trn_record *made)
{
    trn_post_made(context, engine, made);
}

static void log_line(void *context, int engine, const char *line)
{
    const struct trn_tpb *tpb = context;
    const struct trn_device_options *options = &tpb->device->options;
    options->dge_log(options->dge_log_context, engine, line);
}

static void choice(void *context, enum trn_choice which)
{
    ((struct trn_tpb *)context)->device->choices.count[which]++;
}

/* ---- life ------------------------------------------------------------------------------ */

/* Local registers 38 to 40; SUNDA has its own switch in place of the first (dge.md 6.2). */
static void find_locals(struct trn_tpb *tpb)
{
    const struct trn_gen *gen = tpb->device->gen;
    for (unsigned i = 0; i < NUM_LOCALS; i++) {
        char name[48];
        unsigned index[2] = {0, 0};
        snprintf(name, sizeof name, "%s.general.lr[%u]", trn_local_block(gen), FIRST_LOCAL + i);
        const struct trn_reg_row *row = trn_reg_find(gen, name, index);
        if (!row && i == 0)
            row = trn_reg_find(gen, "nx_local.dge_notification_ctrl", index);
        tpb->dma.locals[i] = row ? trn_reg_offset(row, index[0], index[1]) : 0;
    }
}

static trn_status open_dge(struct trn_tpb *tpb)
{
    enum { SEMAPHORE_INC = 0x1800 }; /* sync.md 2 */
    const struct trn_gen *gen = tpb->device->gen;
    const struct trn_aperture_row *ram = trn_aperture_find(gen, TRN_APERTURE_TPB_SOC, "DGE_MEMORY");
    const uint64_t soc = tpb->soc.sbuf_base;
    const struct trn_dge_ports ports = {.context = tpb,
                                        .sbuf_base = soc,
                                        .psum_base = tpb->soc.psum_base,
                                        .dge_memory_base = soc + (ram ? ram->offset : 0),
                                        .semaphore_inc_base = soc + gen->tpb_device_rebase +
                                                              gen->bar_evt_sem + SEMAPHORE_INC,
                                        .map = map,
                                        .read = read_bytes,
                                        .write = write_bytes,
                                        .get_register = get_register,
                                        .set_register = set_register,
                                        .local = local,
                                        .shape = shape,
                                        .semaphore_add = semaphore_add,
                                        .queue = trn_core_dma_queue,
                                        .passed = trn_core_dma_passed,
                                        .record = record,
                                        .log = tpb->device->options.dge_log ? log_line : NULL,
                                        .choice = choice};
    find_locals(tpb);
    return trn_dge_create(gen, &ports, tpb->device->options.dge, &tpb->dma.dge);
}

void trn_core_dma_close(struct trn_tpb *tpb)
{
    trn_dge_destroy(tpb->dma.dge);
    tpb->dma.dge = NULL;
}

/* ---- what became of a word ----------------------------------------------------------------- */

/* Who wrote the bytes of a bad index last: exact where memory is tracked. */
static void find_writer(struct trn_tpb *tpb, struct trn_content_report *report)
{
    enum { INDEX_BYTES = 4 };
    const uint64_t at = report->index_address;
    const struct trn_soc *soc = &tpb->soc;
    const struct trn_gen *gen = tpb->device->gen;
    struct trn_origin who;
    enum trn_space space = TRN_SPACE_HBM;
    uint32_t partition = 0;
    uint64_t byte = at - soc->hbm_base;
    report->writer = TRN_WRITER_UNKNOWN;
    if (at - soc->sbuf_base < gen->sbuf_size) {
        space = TRN_SPACE_SBUF;
        partition = (uint32_t)((at - soc->sbuf_base) / gen->sbuf_stride);
        byte = (at - soc->sbuf_base) % gen->sbuf_stride;
    } else if (byte >= trn_hbm_size(tpb->mem->hbm)) {
        return;
    }
    const struct trn_tracker *tracker = trn_mem_tracker(tpb->mem, space);
    if (!tracker)
        return;
    report->writer = TRN_WRITER_NOBODY;
    if (!trn_tracker_last_writer(tracker, space, partition, byte, INDEX_BYTES, &who))
        return;
    report->writer = who.engine < TRN_ENGINE_HOST ? TRN_WRITER_UNKNOWN : who.engine;
    report->writer_pc = who.pc;
}

static void say_writer(const struct trn_content_report *report, char *out, size_t size)
{
    switch (report->writer) {
    case TRN_WRITER_UNKNOWN:
        out[0] = '\0';
        return;
    case TRN_WRITER_NOBODY:
        snprintf(out, size, "; nobody wrote it");
        return;
    case TRN_ENGINE_HOST:
        snprintf(out, size, "; the host wrote it last");
        return;
    default:
        snprintf(out, size, "; %s at 0x%llx wrote it last", trn_engine_name(report->writer),
                 (unsigned long long)report->writer_pc);
        return;
    }
}

/* What is known of a side of a word whose content is out of bounds. */
static struct trn_content_report side_report(struct trn_tpb *tpb, const struct trn_seq *seq,
                                             const struct trn_dge_report *found,
                                             enum trn_dge_side side, const char *klass)
{
    struct trn_content_report report = {.engine = seq->engine,
                                        .pc = seq->regs.pc,
                                        .klass = klass,
                                        .source = side == TRN_DGE_SRC,
                                        .by_index = found->by_index,
                                        .index = found->index,
                                        .position = found->position,
                                        .index_address = found->index_address,
                                        .limit = found->limit,
                                        .count = found->count,
                                        .address = found->address,
                                        .recorded = found->dispatched,
                                        .writer = TRN_WRITER_UNKNOWN};
    if (found->by_index)
        find_writer(tpb, &report);
    return report;
}

/* One side of a word that was skipped, all or some of it. */
static void report_side(struct trn_tpb *tpb, const struct trn_seq *seq,
                        const struct trn_dge_outcome *outcome, enum trn_dge_side side)
{
    const struct trn_dge_report *found = &outcome->report[side];
    const char *name = side == TRN_DGE_SRC ? "source" : "destination";
    char writer[64] = "";
    if (!found->failed)
        return;
    struct trn_content_report report =
        side_report(tpb, seq, found, side, found->hard ? "dge_index_error" : "dge_oob");
    say_writer(&report, writer, sizeof writer);
    if (found->by_index)
        snprintf(report.message, sizeof report.message,
                 "%s index %llu at position %llu (0x%llx) is above its limit %llu, it would reach "
                 "0x%llx%s; %llu elements are skipped",
                 name, (unsigned long long)found->index, (unsigned long long)found->position,
                 (unsigned long long)found->index_address, (unsigned long long)found->limit,
                 (unsigned long long)found->address, writer, (unsigned long long)found->count);
    else
        snprintf(report.message, sizeof report.message,
                 "the %s address 0x%llx is above its limit 0x%llx: the word is skipped", name,
                 (unsigned long long)outcome->bound[side].value, (unsigned long long)found->limit);
    trn_tpb_log_content(tpb, &report);
}

/* --faithful-abort: the index that stopped the engine, as it is known of one that is skipped. */
static void report_abort_at_index(struct trn_tpb *tpb, const struct trn_seq *seq,
                                  const struct trn_dge_outcome *outcome)
{
    const enum trn_dge_side side = outcome->abort_side;
    const struct trn_dge_report *found = &outcome->report[side];
    char writer[64] = "";
    struct trn_content_report report = side_report(tpb, seq, found, side, "dma_abort");
    say_writer(&report, writer, sizeof writer);
    snprintf(report.message, sizeof report.message,
             "%s; it lies at 0x%llx, its limit is %llu, it would reach 0x%llx%s", outcome->reason,
             (unsigned long long)found->index_address, (unsigned long long)found->limit,
             (unsigned long long)found->address, writer);
    trn_tpb_log_content(tpb, &report);
}

static void report_word(struct trn_tpb *tpb, const struct trn_seq *seq, const char *klass,
                        const struct trn_dge_outcome *outcome)
{
    struct trn_content_report report = {.engine = seq->engine,
                                        .pc = seq->regs.pc,
                                        .klass = klass,
                                        .source = true,
                                        .recorded = outcome->num_records > 0,
                                        .writer = TRN_WRITER_UNKNOWN};
    snprintf(report.message, sizeof report.message, "%s", outcome->reason);
    trn_tpb_log_content(tpb, &report);
}

static void abort_engine(struct trn_tpb *tpb, const struct trn_dge_outcome *outcome)
{
    struct trn_core_dma *dma = &tpb->dma;
    dma->aborted = true;
    dma->aborted_dma = tpb->number * tpb->device->gen->dma_engines_per_core + outcome->abort_dma;
    trn_dma_abort(tpb->device, dma->aborted_dma, outcome->abort_side == TRN_DGE_SRC,
                  outcome->abort_queue, outcome->abort_status, outcome->abort_address);
}

/* The engine lives in every case but that of an illegal word and of a stream that is too short
 * (error-handling.md 7, dge.md 9.4). */
static trn_status conclude(struct trn_tpb *tpb, struct trn_seq *seq,
                           const struct trn_dge_outcome *outcome)
{
    switch (outcome->result) {
    case TRN_DGE_ILLEGAL:
    case TRN_DGE_COUNT_ERROR: /* dge.md 9.4: S4 as S3 */
        return trn_seq_fault(seq, TRN_FAULT_ILLEGAL_INSTRUCTION,
                             outcome->num_violations ? outcome->violations[0].rule : NULL, "%s",
                             outcome->reason);
    case TRN_DGE_SKIPPED_OOB:
        report_side(tpb, seq, outcome, TRN_DGE_SRC);
        report_side(tpb, seq, outcome, TRN_DGE_DST);
        return TRN_OK;
    case TRN_DGE_NO_BACKEND:
        report_word(tpb, seq, "dge_no_backend", outcome);
        return TRN_OK;
    case TRN_DGE_ABORTED:
        abort_engine(tpb, outcome);
        if (outcome->report[outcome->abort_side].by_index)
            report_abort_at_index(tpb, seq, outcome);
        else
            report_word(tpb, seq, "dma_abort", outcome);
        return TRN_OK;
    case TRN_DGE_EMITTED:
    case TRN_DGE_RESULTS:
        break;
    }
    return TRN_OK;
}

/* Packets go round the engines: with one of them in abort no word completes. */
static trn_status stuck(struct trn_tpb *tpb, const struct trn_seq *seq)
{
    struct trn_dge_outcome outcome = {.result = TRN_DGE_ABORTED};
    snprintf(outcome.reason, sizeof outcome.reason,
             "DMA engine %u is in abort until the host recovers it", tpb->dma.aborted_dma);
    report_word(tpb, seq, "dma_abort", &outcome);
    return TRN_OK;
}

/* What was moved; the clock moves with every descriptor (notific.md 3). */
static void count(struct trn_tpb *tpb, int engine, const struct trn_dge_outcome *outcome)
{
    struct trn_dge_moved *moved = &tpb->dma.moved[engine][outcome->backend];
    tpb->device->clock +=
        outcome->read_descriptors + outcome->write_descriptors + outcome->completion_descriptors;
    if (outcome->backend == TRN_DGE_NONE || outcome->result == TRN_DGE_ILLEGAL)
        return;
    moved->words++;
    moved->read_descriptors += outcome->read_descriptors;
    moved->write_descriptors += outcome->write_descriptors;
    moved->completion_descriptors += outcome->completion_descriptors;
    moved->packets += outcome->packets;
    moved->bytes += outcome->bytes;
}

trn_status trn_core_dma_word(void *context, struct trn_seq *seq, const uint8_t *word)
{
    struct trn_tpb *tpb = context;
    struct trn_dge_outcome outcome;
    const struct trn_dge_next next = {.address = seq->regs.pc};
    tpb->dma.aborted = tpb->dma.aborted && trn_dma_is_aborted(tpb->device, tpb->dma.aborted_dma);
    if (tpb->dma.aborted)
        return stuck(tpb, seq);
    trn_status status = tpb->dma.dge ? TRN_OK : open_dge(tpb);
    if (status != TRN_OK)
        return trn_seq_fault(seq, TRN_FAULT_ASSERTION, NULL, "no descriptor generator: %s",
                             trn_status_name(status));
    tpb->dma.origin = (struct trn_origin){.engine = seq->engine, .pc = seq->regs.pc};
    tpb->post.busy = 1 + seq->engine;
    if (tpb->device->race) {
        trn_seq_choice(seq, TRN_CHOICE_RACE_TRANSFERS);
        trn_race_begin_transfer(tpb, seq->engine);
    }
    status = trn_dge_execute(tpb->dma.dge, seq->engine, word, &next, &outcome);
    if (tpb->device->race)
        trn_race_end_transfer(tpb, seq->engine);
    tpb->post.busy = 0;
    if (status != TRN_OK)
        return trn_seq_fault(seq, TRN_FAULT_NOT_MODELLED, NULL,
                             "the descriptor generator could not go on: %s",
                             trn_status_name(status));
    tpb->dma.silent += outcome.packets > 0 && !outcome.gates.feature_flag;
    count(tpb, seq->engine, &outcome);
    if (tpb->device->trace)
        trn_trace_transfer(tpb, word, &outcome);
    return conclude(tpb, seq, &outcome);
}
