/* SPDX-License-Identifier: Apache-2.0 */
/* One core from creation to its report. The host side reaches it over the buses only. */
#include <stdlib.h>
#include <string.h>

#include "cli/run.h"
#include "cli/run_dma.h"

static trn_status write_queue(struct run_core *core, const struct run_queue *queue,
                              struct trn_diag *diag)
{
    const struct trn_bus *bus = trn_device_bar4(core->device);
    const uint64_t base = trn_device_hbm_base(core->device);
    const uint64_t size = queue->num_words * TRN_INST_BYTES;
    const uint64_t limit = trn_device_hbm_bytes(core->device);
    const uint64_t offset = queue->address - base; /* in the core's stack */
    if (queue->address < base || offset > limit || size > limit - offset)
        return trn_diag_set(diag, TRN_ERR_RANGE, queue->file, NULL, NULL,
                            "the queue at 0x%llx lies outside device memory",
                            (unsigned long long)queue->address);
    const trn_status status = bus->write_block(
        bus->context, trn_device_hbm_offset(core->device) + offset, queue->words, (size_t)size);
    if (status == TRN_OK)
        return TRN_OK;
    return trn_diag_set(diag, status, queue->file, NULL, NULL, "the device refused the queue: %s",
                        trn_status_name(status));
}

static trn_status set_break(struct run_core *core, struct trn_diag *diag)
{
    const struct run_options *options = core->options;
    if (options->break_engine < 0)
        return TRN_OK;
    const struct run_queue *queue = run_queue_of(&core->program, options->break_engine);
    if (!queue)
        return trn_diag_set(diag, TRN_ERR_INVALID, NULL, NULL, NULL, "--break: %s has no queue",
                            trn_engine_name(options->break_engine));
    if (options->break_pc % TRN_INST_BYTES != 0 ||
        options->break_pc / TRN_INST_BYTES >= queue->num_words)
        return trn_diag_set(diag, TRN_ERR_INVALID, NULL, NULL, NULL,
                            "--break: 0x%llx is no word of the %zu words of %s",
                            (unsigned long long)options->break_pc, queue->num_words,
                            trn_engine_name(options->break_engine));
    return trn_device_break_at(core->device, options->break_engine,
                               queue->address + options->break_pc);
}

static trn_status fill_memory(struct run_core *core, struct trn_diag *diag)
{
    const struct run_options *options = core->options;
    trn_status status = TRN_OK;
    for (size_t i = 0; i < options->num_loads && status == TRN_OK; i++)
        if (!options->loads[i].by_dma)
            status = run_upload(core->device, &options->loads[i], core->gen, diag);
    for (size_t i = 0; i < core->program.num_queues && status == TRN_OK; i++)
        status = write_queue(core, &core->program.queues[i], diag);
    return status;
}

/* The words would be written over the array without a word. */
static trn_status check_overlap(const struct run_core *core, const struct run_array *load,
                                struct trn_diag *diag)
{
    const uint64_t base = trn_device_hbm_base(core->device);
    uint64_t rows = 0, bytes = 0;
    if (load->space != TRN_SPACE_HBM)
        return TRN_OK;
    run_array_rows(load, &rows, &bytes);
    for (size_t i = 0; i < core->program.num_queues; i++) {
        const struct run_queue *queue = &core->program.queues[i];
        const uint64_t start = queue->address - base, size = queue->num_words * TRN_INST_BYTES;
        if (load->addr < start + size && start < load->addr + bytes)
            return trn_diag_set(
                diag, TRN_ERR_INVALID, load->file, NULL,
                "load it elsewhere, or place the words with --queue ENGINE@ADDR=FILE",
                "the array at hbm:0x%llx (%llu bytes) overlaps the queue of %s at "
                "0x%llx (%s)",
                (unsigned long long)load->addr, (unsigned long long)bytes,
                trn_engine_name(queue->engine), (unsigned long long)start, queue->file);
    }
    return TRN_OK;
}

static trn_status check_arrays(const struct run_core *core, struct trn_diag *diag)
{
    const struct run_options *options = core->options;
    const uint64_t hbm = trn_device_hbm_bytes(core->device);
    trn_status status = TRN_OK;
    for (size_t i = 0; i < options->num_loads && status == TRN_OK; i++) {
        status = run_check_array(&options->loads[i], core->gen, hbm, diag);
        if (status == TRN_OK)
            status = check_overlap(core, &options->loads[i], diag);
    }
    for (size_t i = 0; i < options->num_dumps && status == TRN_OK; i++)
        status = run_check_array(&options->dumps[i], core->gen, hbm, diag);
    return status;
}

static trn_status select_core(struct run_core *core, struct trn_diag *diag)
{
    const unsigned number = core->options->core;
    const trn_status status = trn_device_select_core(core->device, number);
    if (status == TRN_ERR_RANGE)
        return trn_diag_set(diag, status, NULL, NULL, NULL, "--core: %s has the cores 0 to %u",
                            core->gen->name, core->gen->cores - 1u);
    if (status != TRN_OK)
        return trn_diag_set(diag, status, NULL, NULL, NULL, "%s", trn_status_name(status));
    /* Queues that nobody placed lie in the memory beside their core. */
    for (size_t i = 0; i < core->program.num_queues; i++)
        if (!core->program.queues[i].placed)
            core->program.queues[i].address += trn_device_hbm_base(core->device);
    return TRN_OK;
}

/* A report of a bad index says who wrote it, which is known where memory is tracked. */
static bool has_dma_words(const struct run_core *core)
{
    for (size_t i = 0; i < core->program.num_queues; i++) {
        const struct run_queue *queue = &core->program.queues[i];
        for (size_t n = 0; n < queue->num_words; n++)
            if (trn_dge_takes(core->gen, queue->words + n * TRN_INST_BYTES))
                return true;
    }
    return false;
}

trn_status run_core_open(struct run_core *core, struct trn_diag *diag)
{
    core->limit = core->options->limit;
    struct trn_device_options device = core->options->device;
    device.pool_library = run_pool_library(core->options, core->gen);
    device.track = device.track || has_dma_words(core);
    if (core->options->dge_log) {
        device.dge_log = run_dge_line;
        device.dge_log_context = core;
    }
    trn_status status = run_dma_check(core, diag);
    if (status == TRN_OK)
        status = run_rings_open(core, &device, diag);
    if (status == TRN_OK)
        status = run_trace_open(core, &device, diag);
    if (status == TRN_OK)
        status = trn_device_create(core->gen, &device, &core->device, diag);
    if (status == TRN_OK)
        status = select_core(core, diag);
    if (status == TRN_OK)
        status = check_arrays(core, diag);
    if (status == TRN_OK)
        status = set_break(core, diag);
    if (status == TRN_OK)
        status = fill_memory(core, diag);
    if (status == TRN_OK)
        status = run_start(core, diag);
    return status;
}

void run_core_close(struct run_core *core)
{
    trn_device_destroy(core->device);
    run_trace_close(core);
    run_rings_close(core);
    run_program_free(&core->program);
    json_decref(core->trace);
    json_decref(core->dge_lines);
    core->device = NULL;
    core->trace = core->dge_lines = NULL;
}

/* ---- running ------------------------------------------------------------------------------- */

static void show_step(struct run_core *core)
{
    struct trn_word_report last;
    char pc[32], text[TRN_DIS_MAX];
    trn_device_last_word(core->device, &last);
    run_pc(&core->program, last.engine, last.pc, pc, sizeof pc);
    run_text_of(core->gen, last.word, text, sizeof text);
    if (core->trace)
        json_array_append_new(core->trace,
                              json_pack("{s:s, s:s, s:s}", "engine", trn_engine_name(last.engine),
                                        "pc", pc, "text", text));
    else
        printf("%-4s %-8s %s\n", trn_engine_name(last.engine), pc, text);
}

uint64_t run_retired(const struct trn_run_report *report)
{
    uint64_t words = 0;
    for (int e = 0; e < TRN_ENGINES; e++)
        words += report->engines[e].retired;
    return words;
}

bool run_bytes_used_up(const struct run_core *core)
{
    const uint64_t limit = core->options->device.byte_limit;
    return limit != 0 && core->report.bytes_touched >= limit;
}

/* Run `limit` more words (0: no limit), one at a time when each is to be shown. */
static trn_status run_words(struct run_core *core, uint64_t limit)
{
    if (!core->options->step)
        return run_device(core, limit);
    for (uint64_t n = 0; limit == 0 || n < limit; n++) {
        const uint64_t before = run_retired(&core->report);
        const trn_status status = run_device(core, 1);
        if (status != TRN_OK)
            return status;
        if (run_retired(&core->report) > before)
            show_step(core);
        if (core->report.status != TRN_RUN_LIMIT || run_bytes_used_up(core))
            return TRN_OK;
    }
    return TRN_OK;
}

/* The first byte of a dump that nobody wrote is a finding of its own (F35). */
static void note_unwritten(struct run_core *core, const struct run_array *dump)
{
    uint64_t rows = 0, row_bytes = 0, first = 0;
    run_array_rows(dump, &rows, &row_bytes);
    for (uint32_t r = 0; r < rows; r++)
        if (!trn_device_written(core->device, dump->space, r, dump->addr, row_bytes, &first)) {
            core->dump_findings[core->num_dump_findings++] =
                (struct run_dump_finding){.dump = dump, .partition = r, .byte = first};
            return;
        }
}

static trn_status read_dumps(struct run_core *core, struct run_array *dumps, size_t num_dumps,
                             struct trn_diag *diag)
{
    for (size_t i = 0; i < num_dumps; i++) {
        if (core->options->uninit)
            note_unwritten(core, &dumps[i]);
        const trn_status status = dumps[i].by_dma
                                      ? run_dma_download(core, &dumps[i], diag)
                                      : run_download(core->device, &dumps[i], core->gen, diag);
        if (status != TRN_OK)
            return status;
    }
    core->dumped = true;
    return TRN_OK;
}

/* An engine that nobody has started yet stands at its first word. */
static void place_idle_engines(struct run_core *core)
{
    for (size_t i = 0; i < core->program.num_queues; i++) {
        const struct run_queue *queue = &core->program.queues[i];
        struct trn_engine_report *report = &core->report.engines[queue->engine];
        if (report->state == TRN_ENGINE_IDLE)
            report->pc = queue->address;
    }
}

trn_status run_core_run(struct run_core *core, struct run_array *dumps, size_t num_dumps,
                        struct trn_diag *diag)
{
    const uint64_t limit = core->limit;
    const bool breaks = core->options->break_engine >= 0;
    if (core->options->step && core->options->json)
        core->trace = json_array();
    trn_device_report(core->device, &core->report);
    trn_status status = run_words(core, limit);
    while (status == TRN_OK && core->report.status == TRN_RUN_BREAK) {
        if (!core->break_reached)
            status = read_dumps(core, dumps, num_dumps, diag);
        core->break_reached = true;
        const uint64_t used = run_retired(&core->report);
        if (limit != 0 && used >= limit)
            core->report.status = TRN_RUN_LIMIT;
        else if (status == TRN_OK)
            status = run_words(core, limit ? limit - used : 0);
    }
    run_rings_finish(core);
    place_idle_engines(core);
    if (status == TRN_OK && !breaks)
        status = read_dumps(core, dumps, num_dumps, diag);
    return status == TRN_OK ? run_trace_finish(core, diag) : status;
}

const char *run_core_status(const struct run_core *core)
{
    const bool findings = core->report.num_findings + core->num_dump_findings > 0;
    return core->report.status == TRN_RUN_OK && findings ? "findings"
                                                         : trn_run_status_name(core->report.status);
}

int run_core_exit(const struct run_core *core)
{
    return strcmp(run_core_status(core), "ok") == 0 ? CLI_OK : CLI_FAULT;
}
