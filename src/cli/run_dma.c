/* SPDX-License-Identifier: Apache-2.0 */
/* --dma-load and --dma-dump: the host's copies through its DMA engine, as a driver makes them: data
 * in host memory, descriptors in two rings, doorbells, a marker at the end (docs/hardware/udma.md
 * 1, 6 to 8). And what all DMA of a run moved, as text and as JSON. */
#include "cli/run_dma.h"

#include <inttypes.h>
#include <string.h>

#include "trench/hal.h"
#include "trench/map.h"

enum {
    RING_DESCRIPTORS = 4096, /* 6: the host-copy ring, of which the driver allocates 8192 */
    PAGE = 4096
};

/* ---- memory of the host ----------------------------------------------------------------------
 */

static uint64_t pages(uint64_t bytes)
{
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

static uint64_t ring_bytes(void)
{
    return (uint64_t)trn_hal_udma_ring_size(RING_DESCRIPTORS) * TRN_HAL_UDMA_DESC_BYTES;
}

static uint64_t largest_row(const struct run_array *arrays, size_t count, uint64_t most)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t rows = 0, row_bytes = 0;
        if (!arrays[i].by_dma)
            continue;
        run_array_rows(&arrays[i], &rows, &row_bytes);
        most = row_bytes > most ? row_bytes : most;
    }
    return most;
}

static uint64_t stage_bytes(const struct run_options *options)
{
    return largest_row(options->dumps, options->num_dumps,
                       largest_row(options->loads, options->num_loads, 0));
}

uint64_t run_dma_host_bytes(const struct run_options *options)
{
    const uint64_t stage = stage_bytes(options);
    return stage ? 2 * ring_bytes() + PAGE + pages(stage) : 0;
}

void run_dma_place(struct run_dma *dma, const struct trn_gen *gen, uint8_t *memory, uint64_t offset)
{
    struct trn_hal_udma_memory *const parts[] = {&dma->tx, &dma->rx, &dma->marker, &dma->stage};
    const uint64_t sizes[] = {ring_bytes(), ring_bytes(), PAGE, 0};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        *parts[i] = (struct trn_hal_udma_memory){.base = gen->hal_host_base + offset,
                                                 .memory = memory + offset};
        offset += sizes[i];
    }
}

/* ---- the engine ------------------------------------------------------------------------------
 */

trn_status run_dma_check(const struct run_core *core, struct trn_diag *diag)
{
    const struct trn_gen *const gen = core->gen;
    if (stage_bytes(core->options) == 0 || (gen->hal_host_base && gen->dma_engines))
        return TRN_OK;
    return trn_diag_set(diag, TRN_ERR_UNSUPPORTED, NULL, NULL, "--load and --dump",
                        "--dma-load, --dma-dump: %s has no host HAL, and where its DMA engines and "
                        "the host's memory are is not known",
                        gen->name);
}

/* 1: the engines behind those of the cores serve the host, each for as many cores as there are
 * queues; a core's number says which. */
static void choose_engine(struct run_dma *dma, const struct trn_gen *gen, unsigned core)
{
    const unsigned first = (unsigned)gen->cores * gen->dma_engines_per_core;
    const unsigned cores_of_one = (unsigned)gen->cores / (gen->dma_engines - first);
    dma->engine = first + core / cores_of_one;
    dma->number = core % cores_of_one;
}

static trn_status hal_failed(const struct trn_hal *hal, trn_status status, struct trn_diag *diag)
{
    if (status != TRN_OK)
        *diag = *trn_hal_diag(hal);
    return status;
}

static trn_status open_queue(struct run_core *core, struct trn_hal *hal, struct trn_diag *diag)
{
    struct run_dma *const dma = &core->dma;
    choose_engine(dma, core->gen, core->options->core);
    trn_status status = trn_hal_udma_engine_init(hal, dma->engine, false);
    if (status == TRN_OK)
        status = trn_hal_udma_queue_init(hal, dma->engine, dma->number,
                                         trn_hal_udma_ring_size(RING_DESCRIPTORS), &dma->tx,
                                         &dma->rx, &dma->queue);
    return hal_failed(hal, status, diag);
}

/* Device address of a byte of the core's SBUF or PSUM, or of its stack of HBM. */
static trn_status device_address(const struct run_core *core, const struct run_array *array,
                                 uint64_t row, uint64_t *address, struct trn_diag *diag)
{
    const bool psum = array->space == TRN_SPACE_PSUM;
    const uint64_t stride = psum ? core->gen->psum_stride : core->gen->sbuf_stride;
    struct trn_map_place place;
    if (array->space == TRN_SPACE_HBM) {
        *address = trn_device_hbm_base(core->device) + array->addr;
        return TRN_OK;
    }
    const trn_status status = trn_map_name(core->gen, psum ? "psum[p0,0x0]" : "sbuf[p0,0x0]",
                                           (int)core->options->core, &place, diag);
    *address = place.address[TRN_MAP_SOC] + row * stride + array->addr;
    return status;
}

/* One row through the stage; a NULL on one side says which way it goes. */
static trn_status copy_row(struct run_core *core, struct trn_hal *hal, uint64_t device,
                           const uint8_t *in, uint8_t *out, uint64_t size, struct trn_diag *diag)
{
    struct run_dma *const dma = &core->dma;
    if (in)
        memcpy(dma->stage.memory, in, (size_t)size);
    const trn_status status = trn_hal_udma_copy(hal, &dma->queue, in ? dma->stage.base : device,
                                                in ? device : dma->stage.base, size, &dma->marker);
    if (status != TRN_OK)
        return hal_failed(hal, status, diag);
    if (out)
        memcpy(out, dma->stage.memory, (size_t)size);
    dma->copies++;
    dma->bytes += size;
    return TRN_OK;
}

/* One copy a row: in from `in`, or out to `out`. */
static trn_status move_array(struct run_core *core, struct trn_hal *hal,
                             const struct run_array *array, const uint8_t *in, uint8_t *out,
                             struct trn_diag *diag)
{
    uint64_t rows = 0, row_bytes = 0;
    trn_status status = TRN_OK;
    run_array_rows(array, &rows, &row_bytes);
    for (uint64_t r = 0; r < rows && status == TRN_OK; r++) {
        const uint64_t at = r * row_bytes;
        uint64_t device = 0;
        status = device_address(core, array, r, &device, diag);
        if (status == TRN_OK)
            status = copy_row(core, hal, device, in ? in + at : NULL, out ? out + at : NULL,
                              row_bytes, diag);
    }
    ++*(in ? &core->dma.loads : &core->dma.dumps);
    return status;
}

trn_status run_dma_load(struct run_core *core, struct trn_hal *hal, struct trn_diag *diag)
{
    const struct run_options *const options = core->options;
    if (stage_bytes(options) == 0)
        return TRN_OK;
    trn_status status = open_queue(core, hal, diag);
    for (size_t i = 0; i < options->num_loads && status == TRN_OK; i++)
        if (options->loads[i].by_dma)
            status =
                move_array(core, hal, &options->loads[i], options->loads[i].array.data, NULL, diag);
    return status;
}

trn_status run_dma_download(struct run_core *core, struct run_array *array, struct trn_diag *diag)
{
    struct trn_hal *hal = NULL;
    trn_status status = run_make_room(array, diag);
    if (status == TRN_OK)
        status = trn_hal_create(trn_device_bar0(core->device), NULL, &hal, diag);
    if (status != TRN_OK)
        return status;
    status = hal_failed(hal, trn_hal_latch(hal, core->gen), diag);
    if (status == TRN_OK)
        status = move_array(core, hal, array, NULL, array->data, diag);
    trn_hal_destroy(hal);
    return status;
}

/* ---- what was moved --------------------------------------------------------------------------
 */

/* The engine's own count of packets; a copy of the host has one descriptor a packet in either ring
 * (3), and its marker is one of them. */
static uint64_t host_descriptors(const struct run_core *core)
{
    const struct trn_bus *const bar0 = trn_device_bar0(core->device);
    char name[TRN_MAP_NAME_MAX];
    struct trn_map_place place;
    struct trn_diag ignored;
    uint32_t packets = 0;
    snprintf(name, sizeof name, "dma%u.udma.m2s_q[%u].q_tx_pkt", core->dma.engine,
             core->dma.number);
    if (trn_map_name(core->gen, name, 0, &place, &ignored) == TRN_OK)
        bar0->read32(bar0->context, place.address[TRN_MAP_BAR0], &packets);
    return 2 * (uint64_t)packets;
}

static bool host_moved(const struct run_core *core)
{
    return core->dma.loads + core->dma.dumps > 0;
}

static json_t *host_json(const struct run_core *core)
{
    const struct run_dma *const dma = &core->dma;
    char engine[16];
    if (!host_moved(core))
        return json_null();
    snprintf(engine, sizeof engine, "dma%u", dma->engine);
    return json_pack("{s:s, s:i, s:I, s:I, s:I, s:I, s:I}", "engine", engine, "queue",
                     (int)dma->number, "loads", (json_int_t)dma->loads, "dumps",
                     (json_int_t)dma->dumps, "copies", (json_int_t)dma->copies, "descriptors",
                     (json_int_t)host_descriptors(core), "bytes", (json_int_t)dma->bytes);
}

static uint64_t descriptors_of(const struct trn_dge_moved *moved)
{
    return moved->read_descriptors + moved->write_descriptors + moved->completion_descriptors;
}

json_t *run_dma_json(const struct run_core *core)
{
    json_t *list = json_array();
    for (int e = 0; e < TRN_ENGINES; e++)
        for (unsigned b = 0; b < TRN_DGE_BACKENDS; b++) {
            const struct trn_dge_moved *const moved = &core->report.dge[e][b];
            if (moved->words == 0)
                continue;
            json_array_append_new(
                list, json_pack("{s:s, s:s, s:I, s:I, s:I, s:I}", "engine", trn_engine_name(e),
                                "backend", trn_dge_backend_name((enum trn_dge_backend)b), "words",
                                (json_int_t)moved->words, "descriptors",
                                (json_int_t)descriptors_of(moved), "packets",
                                (json_int_t)moved->packets, "bytes", (json_int_t)moved->bytes));
        }
    return json_pack("{s:o, s:o}", "host", host_json(core), "dge", list);
}

void run_dma_text(const struct run_core *core)
{
    const struct run_dma *const dma = &core->dma;
    if (host_moved(core))
        printf("  host DMA by dma%u queue %u: %" PRIu64 " arrays in, %" PRIu64 " out, %" PRIu64
               " copies, %" PRIu64 " descriptors, %" PRIu64 " bytes\n",
               dma->engine, dma->number, dma->loads, dma->dumps, dma->copies,
               host_descriptors(core), dma->bytes);
    for (int e = 0; e < TRN_ENGINES; e++)
        for (unsigned b = 0; b < TRN_DGE_BACKENDS; b++) {
            const struct trn_dge_moved *const moved = &core->report.dge[e][b];
            if (moved->words > 0)
                printf("  DGE of %s, %s backend: %" PRIu64 " words, %" PRIu64
                       " descriptors, %" PRIu64 " bytes\n",
                       trn_engine_name(e), trn_dge_backend_name((enum trn_dge_backend)b),
                       moved->words, descriptors_of(moved), moved->bytes);
        }
}

/* ---- --dge-log -------------------------------------------------------------------------------
 */

void run_dge_line(void *context, int engine, const char *line)
{
    struct run_core *const core = context;
    if (!core->options->json) {
        printf("%-4s %s\n", trn_engine_name(engine), line);
        return;
    }
    if (!core->dge_lines)
        core->dge_lines = json_array();
    core->num_dge_lines++;
    if (core->num_dge_lines <= RUN_MAX_DGE_LINES)
        json_array_append_new(core->dge_lines, json_pack("{s:s, s:s}", "engine",
                                                         trn_engine_name(engine), "line", line));
}

void run_dge_lines_json(const struct run_core *core, json_t *run)
{
    if (!core->options->dge_log)
        return;
    const uint64_t all = core->num_dge_lines;
    json_object_set_new(run, "dge_log",
                        core->dge_lines ? json_incref(core->dge_lines) : json_array());
    json_object_set_new(run, "dge_log_left_out",
                        json_integer((json_int_t)(all - json_array_size(core->dge_lines))));
}
