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
    for (size_t i = watch->num_findings; i-- > 0;)
        if (watch->findings[i].engine == access->engine && watch->findings[i].pc == access->pc &&
            watch->findings[i].space == access->space)
            return true;
    return false;
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
    if (watch->num_findings == MAX_FINDINGS)
        watch->findings_lost++;
    else
        watch->findings[watch->num_findings++] = found;
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
    if (access->engine == TRN_ENGINE_HOST)
        return;
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

trn_status trn_watch_open(struct trn_tpb *tpb, const struct trn_device_options *options)
{
    struct trn_watch *watch = &tpb->watch;
    watch->last.engine = -1;
    watch->uninit = options->check_uninit;
    watch->digest = options->digest;
    if (!watch->uninit && !watch->digest && options->byte_limit == 0)
        return TRN_OK;
    watch->findings = calloc(MAX_FINDINGS, sizeof *watch->findings);
    watch->writes = calloc(MAX_WRITES, sizeof *watch->writes);
    watch->observer = (struct trn_mem_observer){.context = tpb, .access = on_access};
    tpb->mem->observer = &watch->observer;
    return watch->findings && watch->writes ? TRN_OK : TRN_ERR_NO_MEMORY;
}

void trn_watch_close(struct trn_tpb *tpb)
{
    free(tpb->watch.findings);
    free(tpb->watch.writes);
}
