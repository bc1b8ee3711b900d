/* SPDX-License-Identifier: Apache-2.0 */
/* The host's view: SBUF and PSUM through their BAR windows, HBM as plain bytes. */
#include <string.h>

#include "mem/hbm.h"
#include "mem/mem.h"

uint64_t trn_mem_window_size(const struct trn_gen *gen, enum trn_space space)
{
    switch (space) {
    case TRN_SPACE_SBUF:
        return gen->sbuf_size;
    case TRN_SPACE_PSUM:
        return gen->psum_size;
    default:
        return 0;
    }
}

/* An access to a window, cut at the partitions it covers. */
struct walk {
    struct trn_mem *mem;
    enum trn_space space;
    uint64_t offset; /* of what is left */
    size_t done, left;
    bool hole; /* some of the bytes do not exist */
};

/* The part of an access in one partition: bytes [at, at + size) of the host's data, of which the
 * first `active` exist. */
struct piece {
    uint32_t partition, byte;
    size_t at, size, active;
};

static trn_status begin(struct walk *walk, struct trn_mem *mem, enum trn_space space,
                        uint64_t offset, size_t size)
{
    const uint64_t total = trn_mem_window_size(mem->gen, space);
    if (offset > total || size > total - offset)
        return TRN_ERR_ADDRESS;
    *walk = (struct walk){.mem = mem, .space = space, .offset = offset, .left = size};
    return TRN_OK;
}

/* The next piece, ready to be copied; after the last one false. */
static bool next(struct walk *walk, struct piece *piece)
{
    const struct trn_gen *gen = walk->mem->gen;
    const bool psum = walk->space == TRN_SPACE_PSUM;
    const uint32_t stride = psum ? gen->psum_stride : gen->sbuf_stride;
    const uint32_t limit = psum ? gen->psum_active_bytes : gen->sbuf_active_bytes;
    if (walk->left == 0) {
        walk->mem->hole_accesses += walk->hole;
        return false;
    }
    *piece = (struct piece){.partition = (uint32_t)(walk->offset / stride),
                            .byte = (uint32_t)(walk->offset % stride),
                            .at = walk->done};
    const uint32_t in_row = stride - piece->byte;
    const uint32_t existing = piece->byte < limit ? limit - piece->byte : 0;
    piece->size = walk->left < in_row ? walk->left : in_row;
    piece->active = piece->size < existing ? piece->size : existing;
    trn_mem_touch(walk->mem, walk->space, piece->partition, 1, piece->byte,
                  (uint32_t)piece->active);
    walk->hole |= piece->active < piece->size;
    walk->offset += piece->size;
    walk->done += piece->size;
    walk->left -= piece->size;
    return true;
}

trn_status trn_mem_window_read(struct trn_mem *mem, enum trn_space space, uint64_t offset,
                               void *data, size_t size, struct trn_origin who)
{
    struct walk walk;
    const trn_status status = begin(&walk, mem, space, offset, size);
    if (status != TRN_OK)
        return status;
    const struct trn_plane *plane = trn_mem_plane(mem, space);
    for (struct piece piece; next(&walk, &piece);) {
        uint8_t *to = (uint8_t *)data + piece.at;
        if (piece.active)
            memcpy(to, trn_plane_at(plane, piece.partition, piece.byte), piece.active);
        memset(to + piece.active, 0, piece.size - piece.active);
        trn_mem_report_range(mem, space, piece.partition, piece.byte, piece.active, false, who);
    }
    return TRN_OK;
}

trn_status trn_mem_window_write(struct trn_mem *mem, enum trn_space space, uint64_t offset,
                                const void *data, size_t size, struct trn_origin who)
{
    struct walk walk;
    const trn_status status = begin(&walk, mem, space, offset, size);
    if (status != TRN_OK)
        return status;
    const struct trn_plane *plane = trn_mem_plane(mem, space);
    for (struct piece piece; next(&walk, &piece);) {
        if (piece.active)
            memcpy(trn_plane_at(plane, piece.partition, piece.byte),
                   (const uint8_t *)data + piece.at, piece.active);
        trn_mem_report_range(mem, space, piece.partition, piece.byte, piece.active, true, who);
    }
    return TRN_OK;
}

trn_status trn_mem_hbm_read(struct trn_mem *mem, uint64_t offset, void *data, size_t size,
                            struct trn_origin who)
{
    const trn_status status = trn_hbm_read(mem->hbm, offset, data, size);
    if (status == TRN_OK)
        trn_mem_report_range(mem, TRN_SPACE_HBM, 0, offset, size, false, who);
    return status;
}

trn_status trn_mem_hbm_write(struct trn_mem *mem, uint64_t offset, const void *data, size_t size,
                             struct trn_origin who)
{
    const trn_status status = trn_hbm_write(mem->hbm, offset, data, size);
    if (status == TRN_OK)
        trn_mem_report_range(mem, TRN_SPACE_HBM, 0, offset, size, true, who);
    return status;
}
