/* SPDX-License-Identifier: Apache-2.0 */
/* Watches what words do to memory when somebody asked: how many bytes they touch, reads of bytes
 * that nobody wrote, a digest of what each word writes. Memory reports an access once per word and
 * operand. */
#include <stdlib.h>
#include <string.h>

#include "device/core.h"
#include "mem/hbm.h"
#include "mem/tracker.h"

enum { MAX_FINDINGS = 4096, MAX_WRITES = 64 };

/* ---- uninitialised reads ---------------------------------------------------------------- */

static bool known_finding(const struct trn_watch *watch, const struct trn_access *access)
{
    for (size_t i = watch->num_uninit; i-- > 0;)
        if (watch->findings[i].engine == access->engine && watch->findings[i].pc == access->pc &&
            watch->findings[i].space == access->space)
            return true;
    return false;
}

/* Make room at a place of the list; NULL: it is full. */
static struct trn_finding_report *insert_finding(struct trn_watch *watch, size_t at)
{
    struct trn_finding_report *place = &watch->findings[at];
    if (watch->num_findings == MAX_FINDINGS) {
        watch->findings_lost++;
        return NULL;
    }
    memmove(place + 1, place, (watch->num_findings++ - at) * sizeof *place);
    return place;
}

static void check_read(struct trn_tpb *tpb, const struct trn_access *access)
{
    struct trn_watch *watch = &tpb->watch;
    struct trn_finding_report found = {
        .space = access->space, .engine = access->engine, .pc = access->pc};
    if (known_finding(watch, access) ||
        !trn_tracker_first_uninit(trn_mem_tracker(tpb->mem, access->space), access,
                                  &found.partition, &found.byte))
        return;
    struct trn_finding_report *place = insert_finding(watch, watch->num_uninit);
    if (!place)
        return;
    *place = found;
    watch->num_uninit++;
}

/* ---- races ------------------------------------------------------------------------------- */

static int difference(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* Engines by number, their transfers behind their words; DMA engines come last. */
static int compare_actors(const struct trn_access_report *a, const struct trn_access_report *b)
{
    int order = difference(a->by == TRN_BY_DMA, b->by == TRN_BY_DMA);
    if (order == 0)
        order = difference(a->core, b->core);
    if (order == 0)
        order = difference((unsigned)a->engine, (unsigned)b->engine);
    if (order == 0)
        order = difference(a->by, b->by);
    return order ? order : difference(a->pc, b->pc);
}

static int compare_races(const struct trn_finding_report *a, const struct trn_finding_report *b)
{
    int order = difference(a->space, b->space);
    for (int i = 0; i < 2 && order == 0; i++) {
        order = compare_actors(&a->access[i], &b->access[i]);
        if (order == 0)
            order = difference(a->access[i].write, b->access[i].write);
    }
    return order;
}

/* The writer first; of two writers by their places. */
static struct trn_finding_report race_of(enum trn_space space, uint32_t partition, uint64_t byte,
                                         const struct trn_access_report *one,
                                         const struct trn_access_report *other)
{
    const bool swap = one->write == other->write ? compare_actors(one, other) > 0 : other->write;
    const struct trn_access_report *first = swap ? other : one;
    return (struct trn_finding_report){.kind = TRN_FINDING_RACE,
                                       .space = space,
                                       .partition = partition,
                                       .byte = byte,
                                       .engine = first->engine,
                                       .pc = first->pc,
                                       .access = {*first, swap ? *one : *other}};
}

/* Of a stack that cores share, the first of the two has it. */
static struct trn_watch *list_of(struct trn_tpb *tpb, const struct trn_finding_report *found)
{
    const struct trn_access_report *a = found->access;
    if (found->space != TRN_SPACE_HBM || a[0].by == TRN_BY_DMA || a[1].by == TRN_BY_DMA)
        return &tpb->watch;
    return &tpb->device->tpb[a[0].core < a[1].core ? a[0].core : a[1].core]->watch;
}

void trn_watch_race(struct trn_tpb *tpb, enum trn_space space, uint32_t partition, uint64_t byte,
                    const struct trn_access_report *one, const struct trn_access_report *other)
{
    const struct trn_finding_report found = race_of(space, partition, byte, one, other);
    struct trn_watch *watch = list_of(tpb, &found);
    size_t low = watch->num_uninit, high = watch->num_findings;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare_races(&watch->findings[middle], &found) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    struct trn_finding_report *place = &watch->findings[low];
    if (low == watch->num_findings || compare_races(place, &found) != 0) {
        place = insert_finding(watch, low);
        if (place)
            *place = found;
    } else if (partition < place->partition ||
               (partition == place->partition && byte < place->byte)) {
        place->partition = partition;
        place->byte = byte;
    }
}

/* ---- digests ---------------------------------------------------------------------------- */

/* FNV-1a over 64-bit words: order matters, host does not. */
#define FNV_BASIS UINT64_C(0xCBF29CE484222325)
#define FNV_PRIME UINT64_C(0x100000001B3)

static uint64_t mix(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * FNV_PRIME;
}

static uint64_t mix_bytes(uint64_t hash, const uint8_t *bytes, uint64_t size)
{
    for (uint64_t i = 0; i < size; i++)
        hash = mix(hash, bytes[i]);
    return hash;
}

static const uint8_t *place_of(struct trn_tpb *tpb, const struct trn_access *access,
                               uint32_t partition, uint64_t byte)
{
    if (access->space == TRN_SPACE_HBM)
        return trn_hbm_span(tpb->mem->hbm, byte, access->size);
    const struct trn_plane *plane = trn_mem_plane(tpb->mem, access->space);
    if (partition >= plane->partitions || byte >= plane->active_bytes ||
        access->size > plane->active_bytes - byte)
        return NULL;
    return trn_plane_at(plane, partition, (uint32_t)byte);
}

static uint64_t mix_element(struct trn_tpb *tpb, const struct trn_access *access,
                            uint32_t partition, uint64_t byte, uint64_t hash)
{
    const uint8_t *bytes = place_of(tpb, access, partition, byte);
    if (!bytes)
        return hash;
    tpb->watch.last.bytes_written += access->size;
    hash = mix(mix(mix(hash, (uint64_t)access->space), partition), byte);
    return mix_bytes(hash, bytes, access->size);
}

static uint64_t element_byte(const struct trn_access *access, const uint8_t *index,
                             const uint64_t at[4])
{
    if (access->index)
        return access->byte + trn_get16(index + 2 * at[0]) * access->size;
    int64_t byte = (int64_t)access->byte;
    for (int d = 0; d < 4; d++)
        byte += (int64_t)at[d] * access->step[d];
    return (uint64_t)byte;
}

static uint64_t mix_access(struct trn_tpb *tpb, const struct trn_access *access, uint64_t hash)
{
    for (uint32_t lane = 0; lane < access->channels; lane++) {
        const uint8_t *index = access->index ? access->index + lane * access->index_pitch : NULL;
        uint64_t at[4];
        for (at[3] = 0; at[3] < access->num[3]; at[3]++)
            for (at[2] = 0; at[2] < access->num[2]; at[2]++)
                for (at[1] = 0; at[1] < access->num[1]; at[1]++)
                    for (at[0] = 0; at[0] < access->num[0]; at[0]++)
                        hash = mix_element(tpb, access, access->partition + lane,
                                           element_byte(access, index, at), hash);
    }
    return hash;
}

/* ---- the observer ----------------------------------------------------------------------- */

/* Saturates: the numbers come from a word. */
static uint64_t access_bytes(const struct trn_access *access)
{
    uint64_t bytes = access->size;
    for (int d = 0; d < 4; d++)
        if (__builtin_mul_overflow(bytes, access->num[d], &bytes))
            return UINT64_MAX;
    return __builtin_mul_overflow(bytes, access->channels, &bytes) ? UINT64_MAX : bytes;
}

static void on_access(void *context, const struct trn_access *access)
{
    struct trn_tpb *tpb = context;
    struct trn_watch *watch = &tpb->watch;
    if (tpb->device->race)
        trn_race_access(tpb, access);
    if (access->engine == TRN_ENGINE_HOST)
        return;
    if (tpb->device->trace)
        trn_trace_access(tpb, access);
    uint64_t *bytes = &tpb->device->bytes;
    if (__builtin_add_overflow(*bytes, access_bytes(access), bytes))
        *bytes = UINT64_MAX;
    if (!access->write && watch->uninit)
        check_read(tpb, access);
    if (access->write && watch->digest && watch->num_writes < MAX_WRITES)
        watch->writes[watch->num_writes++] = *access;
}

void trn_watch_retired(struct trn_tpb *tpb, const struct trn_seq *seq)
{
    struct trn_watch *watch = &tpb->watch;
    if (!watch->digest)
        return;
    trn_workers_settle(tpb->device->workers);
    watch->last = (struct trn_word_report){.engine = seq->engine, .pc = seq->last->address};
    memcpy(watch->last.word, seq->last->word, TRN_INST_BYTES);
    uint64_t hash = watch->num_writes > 0 ? FNV_BASIS : 0;
    for (size_t i = 0; i < watch->num_writes; i++)
        hash = mix_access(tpb, &watch->writes[i], hash);
    watch->last.digest = hash;
    watch->num_writes = 0;
}

static trn_status watch_races(struct trn_tpb *tpb)
{
    const struct trn_gen *gen = tpb->device->gen;
    struct trn_watch *watch = &tpb->watch;
    trn_race_listen(tpb);
    const trn_status status =
        trn_history_create(gen->sbuf_partitions, gen->sbuf_active_bytes, false, &watch->sbuf);
    return status == TRN_OK ? trn_history_create(gen->psum_partitions, gen->psum_active_bytes,
                                                 false, &watch->psum)
                            : status;
}

trn_status trn_watch_open(struct trn_tpb *tpb, const struct trn_device_options *options)
{
    struct trn_watch *watch = &tpb->watch;
    watch->last.engine = -1;
    watch->uninit = options->check_uninit;
    watch->digest = options->digest;
    if (!watch->uninit && !watch->digest && !tpb->device->race && !tpb->device->trace &&
        options->byte_limit == 0)
        return TRN_OK;
    watch->findings = calloc(MAX_FINDINGS, sizeof *watch->findings);
    watch->writes = calloc(MAX_WRITES, sizeof *watch->writes);
    watch->observer = (struct trn_mem_observer){.context = tpb, .access = on_access};
    tpb->mem->observer = &watch->observer;
    if (!watch->findings || !watch->writes)
        return TRN_ERR_NO_MEMORY;
    return tpb->device->race ? watch_races(tpb) : TRN_OK;
}

void trn_watch_close(struct trn_tpb *tpb)
{
    trn_history_destroy(tpb->watch.sbuf);
    trn_history_destroy(tpb->watch.psum);
    free(tpb->watch.findings);
    free(tpb->watch.writes);
}
