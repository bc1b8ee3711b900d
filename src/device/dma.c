/* SPDX-License-Identifier: Apache-2.0 */
#include "device/dma.h"

#include <stdio.h>
#include <stdlib.h>

#include "device/core.h"
#include "dma/udma_state.h"

/* ---- ports --------------------------------------------------------------------------- */

/* The core an engine stands beside sees its memories first; any other will do. */
static struct trn_tpb *view_of(const struct trn_wired_udma *wired)
{
    const struct trn_gen *gen = wired->device->gen;
    const unsigned core = gen->dma_engines_per_core ? wired->number / gen->dma_engines_per_core : 0;
    struct trn_tpb *tpb = core < TRN_MAX_CORES ? wired->device->tpb[core] : NULL;
    return tpb ? tpb : wired->device->tpb[0];
}

static trn_status map(void *context, uint64_t address, uint64_t size, bool write, uint8_t **pointer,
                      uint64_t *length)
{
    return trn_tpb_map(view_of(context), address, size, write, trn_origin_host(), pointer, length);
}

static trn_status read_bytes(void *context, uint64_t address, void *data, size_t size)
{
    return trn_soc_read(&view_of(context)->soc, address, data, size, trn_origin_host());
}

static trn_status write_bytes(void *context, uint64_t address, const void *data, size_t size)
{
    return trn_soc_write(&view_of(context)->soc, address, data, size, trn_origin_host());
}

/* Memory of the host that lies behind a bus: a refused call has moved nothing. */
static bool clean(void *context, uint64_t address, uint64_t size)
{
    const struct trn_device *const device = ((struct trn_wired_udma *)context)->device;
    const uint64_t at = address - trn_host_base(device), bytes = device->options.host_bytes;
    return device->options.host_bus && at < bytes && size <= bytes - at;
}

/* notific.md 7.1: queue 0 of the wrapper's own block, which has one input. */
static void record(void *context, const struct trn_record *made)
{
    const struct trn_wired_udma *wired = context;
    uint8_t bytes[TRN_RECORD_BYTES];
    if (wired->notific && trn_record_encode(made, bytes, NULL) == TRN_OK)
        trn_notific_submit(wired->notific->block, 0, 0, bytes);
}

static void choice(void *context, enum trn_choice which)
{
    const struct trn_wired_udma *wired = context;
    wired->device->choices.count[which]++;
}

/* ---- life ---------------------------------------------------------------------------- */

/* The wrapper's block, when somebody has reached it before the engine. */
static struct trn_wired_notific *find_notific(struct trn_device *device, unsigned number)
{
    char path[TRN_BLOCK_PATH_BYTES];
    snprintf(path, sizeof path, "dma%u.notific", number);
    const struct trn_block *block = trn_block_find(device->gen, path);
    const struct trn_region *region =
        block ? trn_region_known(&device->regions, block->bar0) : NULL;
    return region ? region->notific : NULL;
}

trn_status trn_wired_udma_create(struct trn_device *device, const struct trn_block *where,
                                 struct trn_wired_udma **out)
{
    trn_status status = TRN_OK;
    if (!device->udma_map)
        status = trn_udma_map_create(device->gen, &device->udma_map);
    struct trn_wired_udma *wired = calloc(1, sizeof *wired);
    if (status != TRN_OK || !wired) {
        free(wired);
        return status != TRN_OK ? status : TRN_ERR_NO_MEMORY;
    }
    *wired = (struct trn_wired_udma){.device = device,
                                     .number = where->number,
                                     .notific = find_notific(device, where->number),
                                     .next = device->udmas};
    const struct trn_udma_ports ports = {.context = wired,
                                         .map = map,
                                         .read = read_bytes,
                                         .write = write_bytes,
                                         .clean = clean,
                                         .record = record,
                                         .cause = trn_dma_cause,
                                         .stop = &device->stop,
                                         .choice = choice};
    status = trn_udma_create(device->udma_map, where->number, &ports, &wired->engine);
    if (status != TRN_OK) {
        free(wired);
        return status;
    }
    device->udmas = wired;
    *out = wired;
    return TRN_OK;
}

void trn_wired_udma_destroy(struct trn_wired_udma *wired)
{
    if (!wired)
        return;
    trn_udma_destroy(wired->engine);
    free(wired);
}

void trn_dma_notific_made(struct trn_device *device, unsigned number,
                          struct trn_wired_notific *notific)
{
    for (struct trn_wired_udma *wired = device->udmas; wired; wired = wired->next)
        if (wired->number == number)
            wired->notific = notific;
}

/* ---- aborts -------------------------------------------------------------------------------- */

static struct trn_udma *engine_of(struct trn_device *device, unsigned number)
{
    char path[TRN_BLOCK_PATH_BYTES];
    struct trn_region *region = NULL;
    snprintf(path, sizeof path, "dma%u.udma", number);
    const struct trn_block *block = trn_block_find(device->gen, path);
    if (!block || trn_region_make(device, block->bar0, &region) != TRN_OK || !region)
        return NULL;
    return region->udma->engine;
}

void trn_dma_abort(struct trn_device *device, unsigned number, bool source, unsigned queue,
                   trn_status status, uint64_t address)
{
    struct trn_udma *engine = engine_of(device, number);
    if (!engine)
        return;
    trn_udma_fail(engine, source ? TRN_UDMA_M2S : TRN_UDMA_S2M, queue, status,
                  source ? TRN_UDMA_GROUP_A : TRN_UDMA_GROUP_B,
                  source ? TRN_UDMA_A_DATA_READ_AXI_RESPONSE_ERROR
                         : TRN_UDMA_B_DATA_WRITE_AXI_RESPONSE_ERROR,
                  0, address);
    trn_udma_abort(engine); /* whatever the masks say: what people see on machines */
}

trn_status trn_dma_error(struct trn_device *device, unsigned number, unsigned queue, bool write)
{
    struct trn_udma *engine = engine_of(device, number);
    if (!engine)
        return TRN_ERR_NO_MEMORY;
    trn_udma_fail(engine, write ? TRN_UDMA_S2M : TRN_UDMA_M2S, queue, TRN_ERR_ADDRESS,
                  write ? TRN_UDMA_GROUP_B : TRN_UDMA_GROUP_A,
                  write ? TRN_UDMA_B_DATA_WRITE_AXI_RESPONSE_ERROR
                        : TRN_UDMA_A_DATA_READ_AXI_RESPONSE_ERROR,
                  0, 0);
    return TRN_OK;
}

bool trn_dma_is_aborted(struct trn_device *device, unsigned number)
{
    const struct trn_udma *engine = engine_of(device, number);
    return !engine || trn_udma_half_state(engine, TRN_UDMA_M2S) == TRN_UDMA_ABORT ||
           trn_udma_half_state(engine, TRN_UDMA_S2M) == TRN_UDMA_ABORT;
}

void trn_dma_recover(struct trn_device *device, unsigned number)
{
    for (struct trn_wired_udma *wired = device->udmas; wired; wired = wired->next)
        if (wired->number == number)
            trn_udma_recover(wired->engine);
}

/* ---- registers and work ----------------------------------------------------------------- */

uint32_t trn_wired_udma_read(struct trn_wired_udma *wired, uint32_t at)
{
    uint32_t value = 0;
    trn_udma_read32(wired->engine, at, &value);
    return value;
}

/* Packets of one turn, and of one access over the host's bus: descriptors that ring doorbells must
 * not hold the host for ever. */
enum { TURN_PACKETS = 64, DOORBELL_PACKETS = 1 << 20 };

static uint64_t doorbell_packets(const struct trn_device *device)
{
    return device->options.doorbell_packets ? device->options.doorbell_packets : DOORBELL_PACKETS;
}

static uint64_t move(struct trn_wired_udma *wired, uint64_t packets)
{
    struct trn_race *race = wired->device->race;
    if (!race || !wired->device->running) /* the host waits for it */
        return trn_udma_run(wired->engine, packets);
    const struct trn_race_side before = trn_race_begin_dma(race, wired->number);
    const uint64_t ended = trn_udma_run(wired->engine, packets);
    trn_race_end_dma(race, wired->number, trn_udma_ready(wired->engine), before);
    return ended;
}

static uint64_t bytes_moved(const struct trn_udma *engine)
{
    uint64_t bytes = 0;
    for (unsigned queue = 0; queue < TRN_UDMA_QUEUES; queue++)
        bytes += trn_udma_queue(engine, TRN_UDMA_M2S, queue).bytes;
    return bytes;
}

/* Reads and writes have rings of their own, with about as many descriptors. */
static void trace_work(struct trn_wired_udma *wired, uint64_t ended, uint64_t retired,
                       uint64_t bytes)
{
    const struct trn_trace_transfer moved = {
        .backend = "ring", .descriptors = (retired + 1) / 2, .bytes = bytes, .packets = ended};
    if (retired > 0)
        trn_trace_dma(wired->device, wired->number, &moved);
}

/* How many ended. notific.md 3: the clock moves by one with every descriptor. */
static uint64_t work(struct trn_wired_udma *wired, uint64_t packets)
{
    const bool traced = wired->device->trace != NULL;
    const uint64_t before = trn_udma_retired(wired->engine);
    const uint64_t bytes = traced ? bytes_moved(wired->engine) : 0;
    const uint64_t ended = move(wired, packets);
    const uint64_t retired = trn_udma_retired(wired->engine) - before;
    wired->device->clock += retired;
    if (traced)
        trace_work(wired, ended, retired, bytes_moved(wired->engine) - bytes);
    return ended;
}

/* In turns, because descriptors may ring other engines, which then use up the same packets. */
static void work_off(struct trn_wired_udma *wired)
{
    struct trn_device *const device = wired->device;
    uint64_t ended = 1;
    while (ended > 0 && device->packets_left > 0 && trn_udma_ready(wired->engine)) {
        ended =
            work(wired, device->packets_left < TURN_PACKETS ? device->packets_left : TURN_PACKETS);
        device->packets_left -= ended < device->packets_left ? ended : device->packets_left;
    }
}

void trn_wired_udma_write(struct trn_wired_udma *wired, uint32_t at, uint32_t value)
{
    struct trn_device *const device = wired->device;
    trn_udma_write32(wired->engine, at, value);
    if (device->race && device->running)
        trn_race_rang_dma(device->race, wired->number);
    if (device->running || !trn_udma_ready(wired->engine))
        return;
    const bool outermost = !device->working;
    if (outermost)
        device->packets_left = doorbell_packets(device);
    device->working = true;
    work_off(wired);
    device->working = !outermost;
}

bool trn_dma_waits(const struct trn_device *device)
{
    for (const struct trn_wired_udma *wired = device->udmas; wired; wired = wired->next)
        if (trn_udma_ready(wired->engine))
            return true;
    return false;
}

bool trn_dma_turn(struct trn_device *device)
{
    bool moved = false;
    for (struct trn_wired_udma *wired = device->udmas; wired; wired = wired->next)
        if (trn_udma_ready(wired->engine))
            moved = work(wired, TURN_PACKETS) > 0 || moved;
    return moved;
}
