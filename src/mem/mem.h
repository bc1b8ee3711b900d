/* SPDX-License-Identifier: Apache-2.0 */
/* The memories of one core: SBUF and PSUM as planes of partitions, HBM sparse. */
#ifndef TRN_MEM_MEM_H
#define TRN_MEM_MEM_H

#include "mem/store.h"
#include "trench/gen.h"
#include "trench/mem.h"

/* One partitioned memory. Host rows are `pitch` bytes apart, padded so that a column access does
 * not fall on one cache set; only active_bytes of a row exist on the device. A pointer into `rows`
 * may be used after trn_mem_touch() of its range (trn_operand_open does it). */
struct trn_plane {
    uint8_t *rows;
    size_t pitch;
    uint32_t partitions;
    uint32_t active_bytes;
    struct trn_store store;
};

static inline uint8_t *trn_plane_at(const struct trn_plane *plane, uint32_t partition,
                                    uint32_t byte)
{
    return plane->rows + partition * plane->pitch + byte;
}

struct trn_hbm;     /* mem/hbm.h */
struct trn_fresh;   /* mem/fresh.h: lazy zeros of PSUM */
struct trn_tracker; /* mem/tracker.h: occupancy, last writer, uninitialised reads */

struct trn_mem {
    const struct trn_gen *gen;
    struct trn_plane sbuf, psum;
    struct trn_hbm *hbm;
    bool owns_hbm;                   /* false: a stack that several cores share */
    struct trn_fresh *fresh;         /* cleared by every write to PSUM but a matmul's own */
    struct trn_tracker *tracker;     /* of SBUF, PSUM and the own HBM; NULL: nobody watches */
    struct trn_tracker *hbm_tracker; /* of the HBM: the same, or the shared stack's */
    const struct trn_mem_observer *observer; /* NULL, or told of every access; not owned */
    uint64_t hole_accesses; /* host or control-word accesses that met inactive bytes */
    uint8_t *list_rooms;    /* trn_mem_list_room */
    unsigned next_list_room;
};

struct trn_mem_options {
    enum trn_reset reset;
    uint64_t reset_seed;
    uint64_t hbm_bytes; /* 0: 16 GiB; at most TRN_HBM_MAX_BYTES */
    bool track;
    /* Not NULL: a stack, and what watches it, that outlive this memory and stay the caller's; then
     * hbm_bytes means nothing. */
    struct trn_hbm *hbm;
    struct trn_tracker *hbm_tracker;
};

/* Reserve the memories of a core of `gen`; nothing is committed. TRN_ERR_NO_MEMORY when the host
 * refuses the address space, TRN_ERR_TOO_LARGE. `diag` may be NULL. */
trn_status trn_mem_create(const struct trn_gen *gen, const struct trn_mem_options *options,
                          struct trn_mem **out, struct trn_diag *diag);
void trn_mem_destroy(struct trn_mem *mem); /* NULL is fine */

/* Forget all content and all that was tracked, O(1); a shared HBM is left alone. */
void trn_mem_reset(struct trn_mem *mem, enum trn_reset content, uint64_t seed);

static inline struct trn_plane *trn_mem_plane(struct trn_mem *mem, enum trn_space space)
{
    return space == TRN_SPACE_PSUM ? &mem->psum : &mem->sbuf;
}

static inline struct trn_tracker *trn_mem_tracker(const struct trn_mem *mem, enum trn_space space)
{
    return space == TRN_SPACE_HBM ? mem->hbm_tracker : mem->tracker;
}

/* Make bytes [byte, byte + size) of `channels` partitions ready for access through pointers. */
static inline void trn_mem_touch(struct trn_mem *mem, enum trn_space space, uint32_t partition,
                                 uint32_t channels, uint32_t byte, uint32_t size)
{
    trn_store_touch(&trn_mem_plane(mem, space)->store, partition, channels, byte, size);
}

/*
 * Room for the index lists of one indirect operand, TRN_MEM_LIST_PITCH bytes for each of 128 lanes:
 * a word that writes over its own lists must not change what was checked. A room comes back after
 * TRN_MEM_LIST_ROOMS calls, more than a word has operands.
 */
#define TRN_MEM_LIST_ROOMS 4
#define TRN_MEM_LIST_PITCH ((size_t)65536 * 2)
uint8_t *trn_mem_list_room(struct trn_mem *mem);

/* ---- who touches memory ----------------------------------------------------------- */

#define TRN_ENGINE_HOST (-1)

/* An instruction, or the host: {TRN_ENGINE_HOST, 0}. */
struct trn_origin {
    int engine;
    uint64_t pc; /* device address of the word */
};

static inline struct trn_origin trn_origin_host(void)
{
    return (struct trn_origin){.engine = TRN_ENGINE_HOST};
}

/* One access, for the tracker: in every partition of partition .. partition+channels-1 the bytes
 * [a, a + size) of each element, a = byte + x*step[0] + ... + w*step[3]; with an index list instead
 * a = byte + index[i]*size for i < num[0], every partition with its own list. HBM is one partition,
 * 0, whose bytes are HBM offsets. */
struct trn_access {
    enum trn_space space;
    uint32_t partition, channels;
    uint64_t byte;
    uint64_t size;
    int64_t step[4]; /* bytes */
    uint64_t num[4];
    const uint8_t *index; /* NULL, or little-endian UINT16 list of the first partition */
    size_t index_pitch;   /* host distance of two lists */
    bool write;
    bool keeps_fresh; /* the result of a matmul, which looks after lazy zeros itself */
    int engine;       /* TRN_ENGINE_HOST: the host */
    uint64_t pc;
};

/* Somebody who wants to see accesses, before the tracker takes note of them: a read still finds
 * what was written before it. The access and its index lists are valid during the call. */
struct trn_mem_observer {
    void *context;
    void (*access)(void *context, const struct trn_access *access);
};

/* Report an access, once per instruction and operand: tells the observer, ends lazy zeros and tells
 * the tracker. */
void trn_mem_report(struct trn_mem *mem, const struct trn_access *access);

/* The same for adjacent bytes: of one partition, or of HBM (partition 0). */
void trn_mem_report_range(struct trn_mem *mem, enum trn_space space, uint32_t partition,
                          uint64_t byte, uint64_t size, bool write, struct trn_origin who);

/* ---- the host's view -------------------------------------------------------------- */

/*
 * SBUF or PSUM as the BAR window shows it: partition p at offset p * stride, any size and
 * alignment. Inactive bytes read 0 and drop writes; an access that meets one is counted in
 * hole_accesses (docs/hardware/address-map.md 3, model choice hole_access).
 * TRN_ERR_ADDRESS past the end of the region: nothing is read or written.
 */
trn_status trn_mem_window_read(struct trn_mem *mem, enum trn_space space, uint64_t offset,
                               void *data, size_t size, struct trn_origin who);
trn_status trn_mem_window_write(struct trn_mem *mem, enum trn_space space, uint64_t offset,
                                const void *data, size_t size, struct trn_origin who);

/* Bytes of the window of a space (0 for spaces without one). */
uint64_t trn_mem_window_size(const struct trn_gen *gen, enum trn_space space);

/*
 * HBM with the access reported to the tracker; offsets from the start of HBM. TRN_ERR_ADDRESS past
 * the end: nothing is read or written.
 */
trn_status trn_mem_hbm_read(struct trn_mem *mem, uint64_t offset, void *data, size_t size,
                            struct trn_origin who);
trn_status trn_mem_hbm_write(struct trn_mem *mem, uint64_t offset, const void *data, size_t size,
                             struct trn_origin who);

#endif
