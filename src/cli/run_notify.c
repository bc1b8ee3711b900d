/* SPDX-License-Identifier: Apache-2.0 */
/* The host's side of the notification rings during a run: memory for them, policies, draining
 * (docs/hardware/notific.md 4.1, 9). */
#include "cli/run_notify.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "cli/run_dma.h"
#include "trench/map.h"

/* The bring-up puts its rings into the first 256 MiB (hal-stpb.md 7.1); larger ones follow behind.
 * The system gives a page when it is touched. */
enum { BRINGUP_BYTES = 1 << 28, LARGEST_RING = 1 << 28, SMALLEST_RING = 32, PLAIN_RING = 0x10000 };

/* ---- options ------------------------------------------------------------------------------- */

int run_parse_nq_policy(const char *text, struct run_nq *nq)
{
    static const char *const names[] = {[RUN_NQ_BACKPRESSURE] = "backpressure",
                                        [RUN_NQ_IGNORE_FULL] = "ignore_full",
                                        [RUN_NQ_DROP] = "drop"};
    nq->given = true;
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(text, names[i]) == 0) {
            nq->policy = i;
            return 0;
        }
    return cli_usage_error("--nq-policy: '%s' is none of backpressure, ignore_full and drop", text);
}

static bool add_fp_class(const char *name, uint32_t *mask)
{
    static const char *const names[] = {"underflow", "nan", "inf", "overflow"};
    for (unsigned id = 0; id < sizeof names / sizeof names[0]; id++)
        if (strcmp(name, names[id]) == 0) {
            *mask |= 1u << id;
            return true;
        }
    return false;
}

int run_parse_fp_records(const char *text, struct run_nq *nq)
{
    enum { ALL = 15 };
    char names[64];
    nq->fp_given = true;
    nq->fp_mask = strcmp(text, "all") == 0 ? ALL : 0;
    if (nq->fp_mask || strcmp(text, "none") == 0)
        return 0;
    if (snprintf(names, sizeof names, "%s", text) >= (int)sizeof names)
        return cli_usage_error("--fp-records: '%s' is too long", text);
    for (char *rest = names, *name = strsep(&rest, ","); name; name = strsep(&rest, ","))
        if (!add_fp_class(name, &nq->fp_mask))
            return cli_usage_error("--fp-records: '%s' is none of underflow, nan, inf and "
                                   "overflow; all and none stand alone",
                                   name);
    return 0;
}

int run_check_nq_size(uint64_t size, struct run_nq *nq)
{
    if (size < SMALLEST_RING || size > LARGEST_RING || (size & (size - 1)) != 0)
        return cli_usage_error("--nq-size: %llu is no power of two from %d to %d",
                               (unsigned long long)size, SMALLEST_RING, LARGEST_RING);
    nq->given = true;
    nq->size = (uint32_t)size;
    return 0;
}

/* ---- memory -------------------------------------------------------------------------------- */

trn_status run_rings_open(struct run_core *core, struct trn_device_options *options,
                          struct trn_diag *diag)
{
    const uint64_t larger = core->options->nq.size > PLAIN_RING ? core->options->nq.size : 0;
    const uint64_t dma_at = BRINGUP_BYTES + RUN_MAX_RINGS * larger;
    const uint64_t bytes = dma_at + run_dma_host_bytes(core->options);
    if (core->gen->hal_host_base == 0) /* nobody knows where host memory would be */
        return TRN_OK;
    struct run_rings *rings = calloc(1, sizeof *rings);
    void *memory = rings ? mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                         : MAP_FAILED;
    if (memory == MAP_FAILED) {
        free(rings);
        return trn_diag_set(diag, TRN_ERR_NO_MEMORY, NULL, NULL, NULL,
                            "no memory for the notification rings");
    }
    rings->memory = memory;
    rings->bytes = bytes;
    core->rings = rings;
    run_dma_place(&core->dma, core->gen, rings->memory, dma_at);
    options->host_memory = memory;
    options->host_bytes = bytes;
    return TRN_OK;
}

void run_rings_close(struct run_core *core)
{
    if (!core->rings)
        return;
    munmap(core->rings->memory, core->rings->bytes);
    free(core->rings->records);
    free(core->rings);
    core->rings = NULL;
}

/* ---- registers of the core's block ------------------------------------------------------------
 */

static bool place_of(const struct run_core *core, const char *reg, uint64_t *bar0)
{
    struct trn_map_place place;
    struct trn_diag ignored;
    char name[TRN_MAP_NAME_MAX];
    snprintf(name, sizeof name, "core%u.notific%s", core->options->core, reg);
    if (trn_map_name(core->gen, name, 0, &place, &ignored) != TRN_OK || !place.exists[TRN_MAP_BAR0])
        return false;
    *bar0 = place.address[TRN_MAP_BAR0];
    return true;
}

static uint32_t read_reg(const struct run_core *core, const char *reg)
{
    const struct trn_bus *bus = trn_device_bar0(core->device);
    uint64_t at;
    uint32_t value = 0;
    if (place_of(core, reg, &at))
        bus->read32(bus->context, at, &value);
    return value;
}

static void write_reg(const struct run_core *core, const char *reg, uint32_t value)
{
    const struct trn_bus *bus = trn_device_bar0(core->device);
    uint64_t at;
    if (place_of(core, reg, &at))
        bus->write32(bus->context, at, value);
}

static uint32_t read_queue(const struct run_core *core, unsigned q, const char *reg)
{
    char name[32];
    snprintf(name, sizeof name, ".nq[%u].%s", q, reg);
    return read_reg(core, name);
}

/* notific.md 4.1. The bring-up leaves all queues lossless. */
static void set_policy(const struct run_core *core)
{
    const bool waits = core->options->nq.policy == RUN_NQ_BACKPRESSURE;
    const bool overwrites = core->options->nq.policy == RUN_NQ_IGNORE_FULL;
    if (waits)
        return;
    write_reg(core, ".sw_backpressure", 0);
    write_reg(core, ".nq_sw_overflow", overwrites ? UINT32_MAX : 0);
}

/* The class masks of the four numeric errors; the bring-up lets all classes in (hal-stpb.md 16.1).
 */
static void set_fp_classes(const struct run_core *core)
{
    enum { CLASSES = 4 };
    if (!core->options->nq.fp_given)
        return;
    uint32_t classes = read_reg(core, ".wr_buf_enable_lo");
    for (unsigned id = 0; id < CLASSES; id++) {
        const uint32_t bit = 1u << (TRN_INPUT_ERROR_FP_UNDERFLOW + id);
        classes = core->options->nq.fp_mask >> id & 1 ? classes | bit : classes & ~bit;
    }
    write_reg(core, ".wr_buf_enable_lo", classes);
}

/* ---- attaching ------------------------------------------------------------------------------ */

static trn_status enlarge(struct run_core *core, unsigned q, struct trn_diag *diag)
{
    const uint32_t size = core->options->nq.size;
    const uint64_t base = core->gen->hal_host_base + BRINGUP_BYTES + (uint64_t)q * size;
    if (size <= PLAIN_RING)
        return TRN_OK;
    return trn_drain_driver_init(trn_device_bar0(core->device), core->gen, core->rings->block, q,
                                 base, size, diag);
}

/* A ring that the bring-up enabled. */
static trn_status attach(struct run_core *core, unsigned q, struct trn_diag *diag)
{
    struct run_rings *rings = core->rings;
    trn_status status = enlarge(core, q, diag);
    if (status != TRN_OK)
        return status;
    const uint64_t base =
        read_queue(core, q, "base_addr_lo") | (uint64_t)read_queue(core, q, "base_addr_hi") << 32;
    const uint64_t offset = base - core->gen->hal_host_base;
    struct run_ring *ring = &rings->rings[rings->num_rings];
    *ring = (struct run_ring){.queue = q, .size = read_queue(core, q, "size")};
    if (offset > rings->bytes || ring->size > rings->bytes - offset)
        return TRN_OK; /* somewhere else; not ours to read */
    const struct trn_drain_ring where = {.bus = trn_device_bar0(core->device),
                                         .block = rings->block,
                                         .queue = q,
                                         .size = ring->size,
                                         .memory = rings->memory + offset};
    status = trn_drain_attach(&ring->drain, core->gen, &where, diag);
    rings->num_rings += status == TRN_OK;
    return status;
}

trn_status run_rings_attach(struct run_core *core, struct trn_diag *diag)
{
    struct run_rings *rings = core->rings;
    trn_status status = TRN_OK;
    if (!rings || !place_of(core, "", &rings->block))
        return TRN_OK;
    set_policy(core);
    set_fp_classes(core);
    const uint32_t enabled = read_reg(core, ".nq_enable");
    for (unsigned q = 0; q < RUN_MAX_RINGS && status == TRN_OK; q++)
        if (enabled >> q & 1)
            status = attach(core, q, diag);
    return status;
}

/* ---- draining ------------------------------------------------------------------------------- */

static void keep(struct run_rings *rings, unsigned queue, const uint8_t raw[TRN_RECORD_BYTES])
{
    if (rings->num_records == rings->capacity) {
        const size_t wanted = rings->capacity ? 2 * rings->capacity : 256;
        struct run_record *grown = realloc(rings->records, wanted * sizeof *grown);
        if (!grown)
            return;
        rings->records = grown;
        rings->capacity = wanted;
    }
    struct run_record *record = &rings->records[rings->num_records++];
    memcpy(record->raw, raw, TRN_RECORD_BYTES);
    record->queue = queue;
}

/* Whether the record is one that a working program floods its rings with. */
static bool is_plain(const struct trn_record *record)
{
    return record->form == TRN_FORM_EVT_SEM || record->form == TRN_FORM_INST_START ||
           record->form == TRN_FORM_INST_END;
}

/* Errors are said once a kind, whatever their number (F01). */
static void take(struct run_rings *rings, unsigned queue, const uint8_t raw[TRN_RECORD_BYTES])
{
    struct trn_record record;
    const bool known = trn_record_decode(raw, &record, NULL) == TRN_OK;
    const bool plain = known && is_plain(&record);
    if (known && record.type == TRN_RECORD_TPB_ERROR)
        trn_collect_add(&rings->kinds, raw);
    if ((plain ? rings->num_plain : rings->num_records - rings->num_plain) < RUN_MAX_RECORDS) {
        keep(rings, queue, raw);
        rings->num_plain += plain;
    }
    rings->read++;
}

static uint64_t drain_ring(struct run_rings *rings, struct run_ring *ring)
{
    enum { AT_ONCE = 16 }; /* notific.md 9.3 */
    uint8_t records[AT_ONCE][TRN_RECORD_BYTES];
    uint64_t total = 0;
    uint32_t count = 0;
    do {
        struct trn_diag diag = {.status = TRN_OK};
        if (trn_drain_read(&ring->drain, records, AT_ONCE, &count, &diag) != TRN_OK) {
            if (rings->problem.status == TRN_OK)
                rings->problem = diag;
            return total;
        }
        for (uint32_t i = 0; i < count; i++)
            take(rings, ring->queue, records[i]);
        total += count;
    } while (count > 0);
    return total;
}

static uint64_t drain(struct run_core *core)
{
    uint64_t total = 0;
    if (!core->rings || core->options->nq.no_drain)
        return 0;
    for (size_t i = 0; i < core->rings->num_rings; i++)
        total += drain_ring(core->rings, &core->rings->rings[i]);
    return total;
}

/* Room in a ring lets records move up that waited for it. */
void run_rings_finish(struct run_core *core)
{
    while (drain(core) > 0)
        ;
}

/* ---- running -------------------------------------------------------------------------------- */

static bool waits_for_room(const struct trn_run_report *report)
{
    for (int e = 0; e < TRN_ENGINES; e++)
        if (report->engines[e].state == TRN_ENGINE_POSTING)
            return true;
    return false;
}

trn_status run_device(struct run_core *core, uint64_t limit)
{
    const uint64_t before = run_retired(&core->report);
    for (uint64_t used = 0;;) {
        const trn_status status =
            trn_device_run(core->device, limit ? limit - used : 0, &core->report);
        if (status != TRN_OK || !waits_for_room(&core->report) || drain(core) == 0)
            return status;
        used = run_retired(&core->report) - before;
        if (limit != 0 && used >= limit) {
            trn_device_report(core->device, &core->report);
            return TRN_OK;
        }
    }
}
