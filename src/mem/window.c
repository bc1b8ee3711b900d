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

/* The part of a window access that lies in one partition: `active` bytes of it exist. */
struct piece {
    uint32_t partition, byte;
    size_t size, active;
};

static struct piece first_piece(const struct trn_mem *mem, enum trn_space space, uint64_t offset,
                                size_t size)
{
    const bool psum = space == TRN_SPACE_PSUM;
    const uint32_t stride = psum ? mem->gen->psum_stride : mem->gen->sbuf_stride;
    const uint32_t limit = psum ? mem->gen->psum_active_bytes : mem->gen->sbuf_active_bytes;
    struct piece piece = {(uint32_t)(offset / stride), (uint32_t)(offset % stride), size, 0};
    if (piece.size > stride - piece.byte)
        piece.size = stride - piece.byte;
    if (piece.byte < limit)
        piece.active = piece.size < limit - piece.byte ? piece.size : limit - piece.byte;
    return piece;
}

/* Walk [offset, offset + size); `to_device` NULL: read into `to_host`. */
static trn_status transfer(struct trn_mem *mem, enum trn_space space, uint64_t offset,
                           uint8_t *to_host, const uint8_t *to_device, size_t size,
                           struct trn_origin who)
{
    const uint64_t total = trn_mem_window_size(mem->gen, space);
    if (offset > total || size > total - offset)
        return TRN_ERR_ADDRESS;
    bool hole = false;
    while (size > 0) {
        const struct piece piece = first_piece(mem, space, offset, size);
        if (piece.active) {
            uint8_t *row = trn_plane_at(trn_mem_plane(mem, space), piece.partition, piece.byte);
            trn_mem_touch(mem, space, piece.partition, 1, piece.byte, (uint32_t)piece.active);
            if (to_device)
                memcpy(row, to_device, piece.active);
            else
                memcpy(to_host, row, piece.active);
            trn_mem_report_range(mem, space, piece.partition, piece.byte, piece.active,
                                 to_device != NULL, who);
        }
        if (!to_device)
            memset(to_host + piece.active, 0, piece.size - piece.active);
        hole |= piece.active < piece.size;
        offset += piece.size;
        size -= piece.size;
        if (to_device)
            to_device += piece.size;
        else
            to_host += piece.size;
    }
    mem->hole_accesses += hole;
    return TRN_OK;
}

trn_status trn_mem_window_read(struct trn_mem *mem, enum trn_space space, uint64_t offset,
                               void *data, size_t size, struct trn_origin who)
{
    return transfer(mem, space, offset, data, NULL, size, who);
}

trn_status trn_mem_window_write(struct trn_mem *mem, enum trn_space space, uint64_t offset,
                                const void *data, size_t size, struct trn_origin who)
{
    return transfer(mem, space, offset, NULL, data, size, who);
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
