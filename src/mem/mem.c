/* SPDX-License-Identifier: Apache-2.0 */
#include "mem/mem.h"

#include <stdlib.h>

#include "mem/fresh.h"
#include "mem/hbm.h"
#include "mem/tracker.h"

/* Rows are 33 cache lines further apart than their active bytes, which are a multiple of large
 * powers of two: the rows of a tile of 512 FP32 then fill different sets of every cache. */
enum { CACHE_LINE = 64, PITCH_PAD = 33 * CACHE_LINE };

enum { MAX_LANES = 128 };
#define LIST_ROOM_BYTES (MAX_LANES * TRN_MEM_LIST_PITCH)

/* Random content differs from space to space. */
static uint64_t space_seed(uint64_t seed, enum trn_space space)
{
    return trn_reset_word(seed, (uint64_t)space * 8);
}

static trn_status init_plane(struct trn_plane *plane, uint32_t partitions, uint32_t active_bytes,
                             uint32_t stride, enum trn_reset content, uint64_t seed)
{
    const size_t rounded = (active_bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    plane->partitions = partitions;
    plane->active_bytes = active_bytes;
    plane->pitch = rounded + PITCH_PAD;
    plane->store = (struct trn_store){.rows = partitions,
                                      .pitch = plane->pitch,
                                      .row_bytes = active_bytes,
                                      .row_stride = stride,
                                      .content = content,
                                      .seed = seed};
    const trn_status status = trn_store_init(&plane->store);
    plane->rows = plane->store.bytes;
    return status;
}

/* The own stack of HBM with its tracker, or the one given. */
static trn_status init_hbm(struct trn_mem *mem, const struct trn_mem_options *options)
{
    if (options->hbm) {
        mem->hbm = options->hbm;
        mem->hbm_tracker = options->hbm_tracker;
        return options->track ? trn_tracker_create(mem->gen, TRN_STORE_BLOCK, &mem->tracker)
                              : TRN_OK;
    }
    const uint64_t bytes = options->hbm_bytes ? options->hbm_bytes : TRN_HBM_DEFAULT_BYTES;
    mem->owns_hbm = true;
    trn_status status = trn_hbm_create(bytes, options->reset,
                                       space_seed(options->reset_seed, TRN_SPACE_HBM), &mem->hbm);
    if (status == TRN_OK && options->track)
        status = trn_tracker_create(mem->gen, bytes, &mem->tracker);
    mem->hbm_tracker = mem->tracker;
    return status;
}

static trn_status init(struct trn_mem *mem, const struct trn_mem_options *options)
{
    const struct trn_gen *gen = mem->gen;
    const enum trn_reset content = options->reset;
    trn_status status =
        init_plane(&mem->sbuf, gen->sbuf_partitions, gen->sbuf_active_bytes, gen->sbuf_stride,
                   content, space_seed(options->reset_seed, TRN_SPACE_SBUF));
    if (status == TRN_OK)
        status =
            init_plane(&mem->psum, gen->psum_partitions, gen->psum_active_bytes, gen->psum_stride,
                       content, space_seed(options->reset_seed, TRN_SPACE_PSUM));
    if (status == TRN_OK)
        status = init_hbm(mem, options);
    if (status == TRN_OK)
        status = trn_fresh_create(gen, &mem->fresh);
    mem->list_rooms = trn_reserve(TRN_MEM_LIST_ROOMS * LIST_ROOM_BYTES);
    if (!mem->list_rooms)
        status = TRN_ERR_NO_MEMORY;
    return status;
}

trn_status trn_mem_create(const struct trn_gen *gen, const struct trn_mem_options *options,
                          struct trn_mem **out, struct trn_diag *diag)
{
    static const struct trn_mem_options defaults = {.reset = TRN_RESET_ZERO};
    *out = NULL;
    struct trn_mem *mem = calloc(1, sizeof *mem);
    if (!mem)
        return trn_diag_set(diag, TRN_ERR_NO_MEMORY, NULL, NULL, NULL, "out of memory");
    mem->gen = gen;
    const trn_status status = init(mem, options ? options : &defaults);
    if (status != TRN_OK) {
        trn_mem_destroy(mem);
        if (status == TRN_ERR_TOO_LARGE)
            return trn_diag_set(diag, status, NULL, NULL, "at most 64 GiB",
                                "the device memory is too large");
        return trn_diag_set(diag, status, NULL, NULL, NULL,
                            "the host has no address space left for the device's memories");
    }
    *out = mem;
    return TRN_OK;
}

void trn_mem_destroy(struct trn_mem *mem)
{
    if (!mem)
        return;
    trn_tracker_destroy(mem->tracker);
    trn_fresh_destroy(mem->fresh);
    trn_unreserve(mem->list_rooms, TRN_MEM_LIST_ROOMS * LIST_ROOM_BYTES);
    if (mem->owns_hbm)
        trn_hbm_destroy(mem->hbm);
    trn_store_destroy(&mem->psum.store);
    trn_store_destroy(&mem->sbuf.store);
    free(mem);
}

void trn_mem_reset(struct trn_mem *mem, enum trn_reset content, uint64_t seed)
{
    trn_store_reset(&mem->sbuf.store, content, space_seed(seed, TRN_SPACE_SBUF));
    trn_store_reset(&mem->psum.store, content, space_seed(seed, TRN_SPACE_PSUM));
    if (mem->owns_hbm)
        trn_hbm_reset(mem->hbm, content, space_seed(seed, TRN_SPACE_HBM));
    trn_fresh_reset(mem->fresh);
    if (mem->tracker)
        trn_tracker_reset(mem->tracker);
    mem->hole_accesses = 0;
}

uint8_t *trn_mem_list_room(struct trn_mem *mem)
{
    mem->next_list_room = (mem->next_list_room + 1) % TRN_MEM_LIST_ROOMS;
    return mem->list_rooms + mem->next_list_room * LIST_ROOM_BYTES;
}

void trn_mem_report(struct trn_mem *mem, const struct trn_access *access)
{
    if (mem->observer)
        mem->observer->access(mem->observer->context, access);
    if (access->write && access->space == TRN_SPACE_PSUM && !access->keeps_fresh)
        trn_fresh_written(mem->fresh, access);
    if (mem->tracker)
        trn_tracker_access(trn_mem_tracker(mem, access->space), access);
}

/* Nobody would look at it: most runs, at every descriptor. */
static bool goes_unnoticed(const struct trn_mem *mem, enum trn_space space, bool write)
{
    return !mem->observer && !mem->tracker && !(write && space == TRN_SPACE_PSUM);
}

void trn_mem_report_range(struct trn_mem *mem, enum trn_space space, uint32_t partition,
                          uint64_t byte, uint64_t size, bool write, struct trn_origin who)
{
    const struct trn_access access = {.space = space,
                                      .partition = partition,
                                      .channels = 1,
                                      .byte = byte,
                                      .size = size,
                                      .num = {1, 1, 1, 1},
                                      .write = write,
                                      .engine = who.engine,
                                      .pc = who.pc};
    if (size > 0 && !goes_unnoticed(mem, space, write))
        trn_mem_report(mem, &access);
}
