/* SPDX-License-Identifier: Apache-2.0 */
/* One core: wires memory, semaphores, engines and sequencers together. */
#include <stdlib.h>

#include "device/core.h"
#include "engine/state.h"
#include "mem/hbm.h"
#include "mem/tracker.h"

/* Where HBM of core 0 begins (address-map.md 4). */
static const uint64_t hbm_base = 0;

/* One stack, as much of it as the model can address; a generation whose size nobody knows has the
 * memory's default. */
static uint64_t hbm_bytes(const struct trn_gen *gen, const struct trn_device_options *options)
{
    if (options->hbm_bytes != 0)
        return options->hbm_bytes;
    return gen->hbm_bytes < TRN_HBM_MAX_BYTES ? gen->hbm_bytes : TRN_HBM_MAX_BYTES;
}

static trn_status create_parts(struct trn_device *device, const struct trn_device_options *options,
                               struct trn_diag *diag)
{
    const struct trn_mem_options memory = {.reset = options->reset,
                                           .reset_seed = options->reset_seed,
                                           .hbm_bytes = hbm_bytes(device->gen, options),
                                           .track = options->track};
    trn_status status = trn_mem_create(device->gen, &memory, &device->mem, diag);
    if (status != TRN_OK)
        return status;
    status = trn_engine_state_create(device->gen, &device->state);
    if (status == TRN_OK && options->threads > 1)
        status = trn_workers_create(options->threads, &device->workers);
    if (status == TRN_OK)
        status = trn_device_open_buses(device);
    if (status == TRN_OK)
        status = trn_watch_open(device, options);
    if (status != TRN_OK)
        trn_diag_set(diag, status, NULL, NULL, NULL, "the device could not be made: %s",
                     trn_status_name(status));
    return status;
}

static trn_status create_sequencers(struct trn_device *device, struct trn_diag *diag)
{
    for (int e = 0; e < TRN_ENGINES; e++) {
        if (trn_seq_create(&device->seq[e], &device->core, e) != TRN_OK)
            return trn_diag_set(diag, TRN_ERR_NO_MEMORY, NULL, NULL, NULL, "out of memory");
        device->has_image[e] = device->seq[e].dispatch.num_parts > 0;
        device->num_seqs++;
    }
    return TRN_OK;
}

static trn_status check_options(const struct trn_device_options *options, struct trn_diag *diag)
{
    if ((options->check_uninit || options->digest) && !options->track)
        return trn_diag_set(diag, TRN_ERR_INVALID, NULL, NULL, "options.track",
                            "watching memory needs the occupancy map");
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
        return trn_diag_set(diag, TRN_ERR_NO_MEMORY, NULL, NULL, NULL, "out of memory");
    device->gen = gen;
    device->sync.compare_unsigned = options->semaphores_unsigned;
    trn_scheduler_init(&device->scheduler, options->schedule_seed);
    status = create_parts(device, options, diag);
    if (status == TRN_OK) {
        device->soc = trn_soc_of(device->mem, hbm_base, &device->window, 1);
        device->core = (struct trn_core){.gen = gen,
                                         .mem = device->mem,
                                         .soc = &device->soc,
                                         .sync = &device->sync,
                                         .state = device->state,
                                         .workers = device->workers,
                                         .choices = &device->choices,
                                         .strict_pc_bounds = options->strict_pc_bounds,
                                         .context = device,
                                         .record = trn_device_log_record};
        status = create_sequencers(device, diag);
    }
    if (status != TRN_OK) {
        trn_device_destroy(device);
        return status;
    }
    *out = device;
    return TRN_OK;
}

void trn_device_destroy(struct trn_device *device)
{
    if (!device)
        return;
    for (size_t e = 0; e < device->num_seqs; e++)
        trn_seq_destroy(&device->seq[e]);
    trn_device_free_logs(device);
    trn_watch_close(device);
    trn_device_close_buses(device);
    trn_workers_destroy(device->workers);
    trn_engine_state_destroy(device->state);
    trn_mem_destroy(device->mem);
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

uint64_t trn_device_space_offset(const struct trn_device *device, enum trn_space space)
{
    switch (space) {
    case TRN_SPACE_SBUF:
        return device->gen->bar0_tpb;
    case TRN_SPACE_PSUM:
        return device->gen->bar0_tpb + device->gen->psum_base;
    default:
        return UINT64_MAX;
    }
}

uint64_t trn_device_hbm_base(const struct trn_device *device)
{
    return device->soc.hbm_base;
}

uint64_t trn_device_hbm_bytes(const struct trn_device *device)
{
    return trn_hbm_size(device->mem->hbm);
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
    struct trn_seq *seq = &device->seq[engine];
    trn_seq_local_write(seq, device->gen->local_run_stall, 0);
    trn_seq_local_write(seq, device->gen->local_start_lo, (uint32_t)pc);
    trn_seq_local_write(seq, device->gen->local_start_hi, (uint32_t)(pc >> 32));
    trn_seq_local_write(seq, device->gen->local_start_ctrl, 1);
    return TRN_OK;
}

trn_status trn_device_break_at(struct trn_device *device, int engine, uint64_t pc)
{
    return device && engine_exists(engine) ? trn_seq_break_at(&device->seq[engine], pc)
                                           : TRN_ERR_INVALID;
}

trn_status trn_device_pause_on_halt(struct trn_device *device, int engine, bool pause)
{
    if (!device || !engine_exists(engine))
        return TRN_ERR_INVALID;
    device->seq[engine].pause_on_halt = pause;
    return TRN_OK;
}

/* ---- looking inside -------------------------------------------------------------------- */

void trn_device_last_word(const struct trn_device *device, struct trn_word_report *out)
{
    *out = device->watch.last;
}

trn_status trn_device_occupancy(const struct trn_device *device, enum trn_space space,
                                uint32_t partition, struct trn_occupancy *out)
{
    if (!device->mem->tracker)
        return TRN_ERR_UNSUPPORTED;
    return trn_tracker_occupancy(device->mem->tracker, space, partition, out);
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
    uint32_t where = 0;
    return !device->mem->tracker ||
           !trn_tracker_first_uninit(device->mem->tracker, &access, &where, first);
}

uint32_t trn_device_semaphore(const struct trn_device *device, unsigned index)
{
    return index < TRN_NUM_SEMAPHORES ? device->sync.semaphore[index] : 0;
}

bool trn_device_event(const struct trn_device *device, unsigned index)
{
    return index < TRN_NUM_EVENTS && device->sync.event[index];
}

uint32_t trn_device_register(const struct trn_device *device, int engine, unsigned index)
{
    enum { GENERAL_REGISTERS = 64 };
    return engine_exists(engine) && index < GENERAL_REGISTERS ? device->seq[engine].regs.r[index]
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
