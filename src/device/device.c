/* SPDX-License-Identifier: Apache-2.0 */
/* The device as a handle: its life, and the calls that look at one of its cores. */
#include <stdlib.h>
#include <string.h>

#include "device/core.h"
#include "engine/state.h"
#include "mem/hbm.h"
#include "mem/tracker.h"

/* ---- life ---------------------------------------------------------------------------- */

static trn_status refuse(struct trn_diag *diag, trn_status status)
{
    if (status == TRN_ERR_TOO_LARGE)
        return trn_diag_set(diag, status, NULL, NULL, "at most 64 GiB",
                            "the device memory is too large");
    return trn_diag_set(diag, status, NULL, NULL, NULL, "the device could not be made: %s",
                        trn_status_name(status));
}

/* Core 0 is there from the start: what is wrong with the options shows now. */
static trn_status create_parts(struct trn_device *device)
{
    struct trn_tpb *tpb = NULL;
    trn_status status = TRN_OK;
    device->bar0 = trn_bar0_bus(device);
    device->bar4 = trn_stack_bus(device);
    device->host = device->options.host_bus ? *device->options.host_bus : trn_host_bus(device);
    trn_regions_open(&device->regions);
    trn_stacks_place(device);
    if (device->options.check_race)
        status = trn_race_create(&device->race);
    if (status == TRN_OK && device->options.threads > 1)
        status = trn_workers_create(device->options.threads, &device->workers);
    if (status == TRN_OK)
        status = trn_trace_open(device);
    if (status == TRN_OK)
        status = trn_device_tpb(device, 0, &tpb);
    for (int e = 0; tpb && e < TRN_ENGINES; e++)
        device->has_image[e] = tpb->seq[e].dispatch.num_parts > 0;
    return status;
}

static trn_status check_options(const struct trn_device_options *options, struct trn_diag *diag)
{
    if ((options->check_uninit || options->digest) && !options->track)
        return trn_diag_set(diag, TRN_ERR_INVALID, NULL, NULL, "options.track",
                            "watching memory needs the occupancy map");
    const bool has_host = options->host_memory || options->host_bus;
    if (has_host != (options->host_bytes != 0) || (options->host_memory && options->host_bus))
        return trn_diag_set(diag, TRN_ERR_INVALID, NULL, NULL, "host_memory or host_bus",
                            "host memory needs its bytes and their number");
    if ((unsigned)options->reset > TRN_RESET_RANDOM)
        return trn_diag_set(diag, TRN_ERR_INVALID, NULL, NULL, "zero, poison or random",
                            "unknown reset content %u", (unsigned)options->reset);
    return TRN_OK;
}

trn_status trn_device_create(const struct trn_gen *gen, const struct trn_device_options *options,
                             struct trn_device **out, struct trn_diag *diag)
{
    static const struct trn_device_options defaults = {.reset = TRN_RESET_ZERO};
    if (!gen || !out)
        return trn_diag_set(diag, TRN_ERR_INVALID, NULL, NULL, NULL,
                            "a generation and a place for the device are needed");
    *out = NULL;
    options = options ? options : &defaults;
    trn_status status = check_options(options, diag);
    if (status != TRN_OK)
        return status;
    struct trn_device *device = calloc(1, sizeof *device);
    if (!device)
        return refuse(diag, TRN_ERR_NO_MEMORY);
    device->gen = gen;
    device->options = *options;
    status = create_parts(device);
    if (status != TRN_OK) {
        trn_device_destroy(device);
        return refuse(diag, status);
    }
    *out = device;
    return TRN_OK;
}

void trn_device_destroy(struct trn_device *device)
{
    if (!device)
        return;
    trn_regions_close(&device->regions);
    trn_udma_map_destroy(device->udma_map);
    for (unsigned core = 0; core < TRN_MAX_CORES; core++)
        trn_tpb_destroy(device->tpb[core]);
    trn_stacks_close(device);
    trn_race_destroy(device->race);
    trn_trace_close(device);
    trn_workers_destroy(device->workers);
    free(device);
}

const struct trn_bus *trn_device_bar0(struct trn_device *device)
{
    return &device->bar0;
}

const struct trn_bus *trn_device_bar4(struct trn_device *device)
{
    return &device->bar4;
}

/* ---- one core ------------------------------------------------------------------------ */

trn_status trn_device_select_core(struct trn_device *device, unsigned core)
{
    if (!device)
        return TRN_ERR_INVALID;
    if (core >= device->gen->cores)
        return TRN_ERR_RANGE;
    struct trn_tpb *tpb = NULL;
    const trn_status status = trn_device_tpb(device, core, &tpb);
    if (status == TRN_OK)
        device->selected = core;
    return status;
}

static struct trn_tpb *selected(const struct trn_device *device)
{
    return device->tpb[device->selected];
}

uint64_t trn_device_space_offset(const struct trn_device *device, enum trn_space space)
{
    const uint64_t window = trn_tpb_window(device->gen, device->selected);
    switch (space) {
    case TRN_SPACE_SBUF:
        return window;
    case TRN_SPACE_PSUM:
        return window + device->gen->psum_base;
    default:
        return UINT64_MAX;
    }
}

uint64_t trn_device_hbm_base(const struct trn_device *device)
{
    return selected(device)->stack->soc;
}

uint64_t trn_device_hbm_offset(const struct trn_device *device)
{
    return selected(device)->stack->bar4;
}

uint64_t trn_device_hbm_bytes(const struct trn_device *device)
{
    return trn_stack_bytes(device);
}

static const char *layout_name(enum trn_act_layout layout)
{
    return layout == TRN_ACT_LAYOUT_SUNDA ? "SUNDA's" : "the later one";
}

trn_status trn_device_act_register_set(struct trn_device *device,
                                       const struct trn_act_tables *tables, struct trn_diag *diag)
{
    if (!device || !tables || !tables->cam || !tables->profile || !tables->control ||
        !tables->bucket)
        return trn_diag_set(diag, TRN_ERR_INVALID, NULL, NULL, "cam, profile, control and bucket",
                            "a set of activation tables needs all four");
    if ((uint8_t)tables->layout != device->gen->act_layout)
        return trn_diag_set(diag, TRN_ERR_INVALID, NULL, NULL,
                            layout_name((enum trn_act_layout)device->gen->act_layout),
                            "the layout of these activation tables is %s, which %s does not read",
                            layout_name(tables->layout), device->gen->name);
    if (tables->num_members > TRN_ACT_PROFILE_ENTRIES)
        return trn_diag_set(diag, TRN_ERR_INVALID, NULL, NULL, "at most 64",
                            "a set of activation tables of %u functions", tables->num_members);
    const trn_status status = trn_act_register(&selected(device)->state->act, tables);
    if (status == TRN_ERR_TOO_LARGE)
        return trn_diag_set(diag, status, NULL, NULL, "0 to 255",
                            "%d sets of activation tables are registered", TRN_ACT_MAX_SETS);
    return status == TRN_OK
               ? status
               : trn_diag_set(diag, status, NULL, NULL, NULL, "the set could not be registered: %s",
                              trn_status_name(status));
}

trn_status trn_device_act_select_set(struct trn_device *device, unsigned index)
{
    if (!device)
        return TRN_ERR_INVALID;
    struct trn_act_state *const act = &selected(device)->state->act;
    if (index >= act->num_sets)
        return TRN_ERR_RANGE;
    trn_act_select(act, index);
    return TRN_OK;
}

static bool engine_exists(int engine)
{
    return engine >= 0 && engine < TRN_ENGINES;
}

trn_status trn_device_start(struct trn_device *device, int engine, uint64_t pc)
{
    if (!device || !engine_exists(engine))
        return TRN_ERR_INVALID;
    if (!device->has_image[engine])
        return TRN_ERR_UNSUPPORTED;
    struct trn_seq *seq = &selected(device)->seq[engine];
    trn_seq_local_write(seq, device->gen->local_run_stall, 0);
    if (seq->q7_held)
        trn_seq_local_write(seq, TRN_LOCAL_Q7_STALL, 0);
    trn_seq_local_write(seq, device->gen->local_start_lo, (uint32_t)pc);
    trn_seq_local_write(seq, device->gen->local_start_hi, (uint32_t)(pc >> 32));
    trn_seq_local_write(seq, device->gen->local_start_ctrl, 1);
    device->choices.count[TRN_CHOICE_DIRECT_START]++;
    return TRN_OK;
}

trn_status trn_device_break_at(struct trn_device *device, int engine, uint64_t pc)
{
    return device && engine_exists(engine) ? trn_seq_break_at(&selected(device)->seq[engine], pc)
                                           : TRN_ERR_INVALID;
}

trn_status trn_device_pause_on_halt(struct trn_device *device, int engine, bool pause)
{
    if (!device || !engine_exists(engine))
        return TRN_ERR_INVALID;
    selected(device)->seq[engine].pause_on_halt = pause;
    return TRN_OK;
}

/* ---- looking inside -------------------------------------------------------------------- */

size_t trn_device_cptc_tile(const struct trn_device *device, uint32_t partition, float *out,
                            size_t capacity)
{
    const struct trn_pool_state *pool = &selected(device)->state->pool;
    if (partition >= TRN_CPTC_TILE_ROWS)
        return 0;
    const size_t copied = pool->length < capacity ? pool->length : capacity;
    memcpy(out, pool->tile[partition], copied * sizeof *out);
    return pool->length;
}

void trn_device_last_word(const struct trn_device *device, struct trn_word_report *out)
{
    *out = selected(device)->watch.last;
}

static struct trn_tracker *tracker_of(const struct trn_device *device, enum trn_space space)
{
    return trn_mem_tracker(selected(device)->mem, space);
}

trn_status trn_device_occupancy(const struct trn_device *device, enum trn_space space,
                                uint32_t partition, struct trn_occupancy *out)
{
    struct trn_tracker *tracker = tracker_of(device, space);
    return tracker ? trn_tracker_occupancy(tracker, space, partition, out) : TRN_ERR_UNSUPPORTED;
}

bool trn_device_written(const struct trn_device *device, enum trn_space space, uint32_t partition,
                        uint64_t byte, uint64_t size, uint64_t *first)
{
    const struct trn_access access = {.space = space,
                                      .partition = partition,
                                      .channels = 1,
                                      .byte = byte,
                                      .size = size,
                                      .num = {1, 1, 1, 1},
                                      .engine = TRN_ENGINE_HOST};
    struct trn_tracker *tracker = tracker_of(device, space);
    uint32_t where = 0;
    return !tracker || !trn_tracker_first_uninit(tracker, &access, &where, first);
}

uint32_t trn_device_semaphore(const struct trn_device *device, unsigned index)
{
    return index < TRN_NUM_SEMAPHORES ? selected(device)->sync.semaphore[index] : 0;
}

bool trn_device_event(const struct trn_device *device, unsigned index)
{
    return index < TRN_NUM_EVENTS && selected(device)->sync.event[index];
}

trn_status trn_device_ring_counts(const struct trn_device *device, unsigned queue,
                                  struct trn_ring_counts *out)
{
    const struct trn_post *post = &selected(device)->post;
    *out = (struct trn_ring_counts){0};
    if (queue >= device->gen->notification_queues)
        return TRN_ERR_RANGE;
    if (!post->to)
        return TRN_OK;
    const struct trn_notific_counts counts = trn_notific_counts(post->to->block, queue);
    *out = (struct trn_ring_counts){.stored = counts.stored,
                                    .overwritten = counts.overwritten,
                                    .dropped_full = counts.dropped_full,
                                    .dropped_disabled = counts.dropped_disabled,
                                    .failed = counts.failed};
    return TRN_OK;
}

trn_status trn_device_inject(struct trn_device *device, int engine, enum trn_injection what,
                             uint32_t value)
{
    if (!device || !engine_exists(engine))
        return TRN_ERR_INVALID;
    struct trn_seq *seq = &selected(device)->seq[engine];
    switch (what) {
    case TRN_INJECT_SIGNAL:
        trn_seq_signal(seq, (uint8_t)value);
        return TRN_OK;
    case TRN_INJECT_EXCEPTION:
        trn_seq_exception(seq, (uint16_t)value);
        return TRN_OK;
    case TRN_INJECT_FP_STATUS:
        trn_seq_fp_status(seq, value);
        return TRN_OK;
    }
    return TRN_ERR_INVALID;
}

uint32_t trn_device_register(const struct trn_device *device, int engine, unsigned index)
{
    enum { GENERAL_REGISTERS = 64 };
    return engine_exists(engine) && index < GENERAL_REGISTERS
               ? selected(device)->seq[engine].regs.r[index]
               : 0;
}

bool trn_opcode_modelled(const struct trn_gen *gen, int engine, uint8_t opcode)
{
    for (int e = 0; e < TRN_ENGINES; e++) {
        const enum trn_slot_kind kind = trn_slot_of(gen, e, opcode).kind;
        if ((engine == TRN_ENGINE_ANY || engine == e) &&
            (kind == TRN_SLOT_CONTROL || kind == TRN_SLOT_ENGINE))
            return true;
    }
    return false;
}
