/* SPDX-License-Identifier: Apache-2.0 */
/* What user space may write and put into a ring (docs/hardware/udma.md 9.5). */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "gen/blocks.h"
#include "hal/udma.h"
#include "udma_pack.h"

/* ---- registers --------------------------------------------------------------------------------
 */

static bool is_kernels(const struct trn_reg_row *row)
{
    static const char *const paths[] = {"drbp_low", "drbp_high", "crbp_low", "crbp_high",
                                        "drtp_inc"};
    static const char *const banks[] = {"udma.m2s_q.", "udma.s2m_q."};
    for (size_t bank = 0; bank < sizeof banks / sizeof banks[0]; bank++) {
        const size_t length = strlen(banks[bank]);
        for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
            if (strncmp(row->path, banks[bank], length) == 0 &&
                strcmp(row->path + length, paths[i]) == 0)
                return true;
    }
    return false;
}

trn_status trn_hal_udma_user_write(struct trn_hal *hal, uint64_t offset)
{
    enum { WORD = 4 };
    unsigned index[2] = {0, 0};
    char path[TRN_BLOCK_PATH_BYTES], where[96];
    const uint64_t word = offset - offset % WORD;
    const struct trn_block *const block = hal->gen ? trn_block_at(hal->gen, word) : NULL;
    const struct trn_reg_row *const row =
        block ? trn_block_reg_at(hal->gen, block, word, index) : NULL;
    if (!row || !is_kernels(row))
        return TRN_OK;
    trn_block_path(block, path);
    snprintf(where, sizeof where, "%s, %s of queue %u", path, row->path, index[0]);
    return trn_hal_fail(hal, TRN_ERR_INVALID, where,
                        "the kernel's call: queue init for bases, copy start for doorbells",
                        "user space may not write BAR0 0x%" PRIx64
                        ": ring and completion bases and doorbells are the kernel's",
                        offset);
}

/* ---- descriptors ------------------------------------------------------------------------------
 */

static bool is_registered(const struct trn_hal_udma_buffer *buffers, size_t count, uint64_t address,
                          uint64_t size)
{
    for (size_t i = 0; i < count; i++) {
        const uint64_t at = address - buffers[i].base;
        if (address >= buffers[i].base && at < buffers[i].size && size <= buffers[i].size - at)
            return true;
    }
    return false;
}

/* Any byte of it is host memory: the bit that is ORed into its addresses (1). */
static bool selects_host(const struct trn_gen *gen, uint64_t address, uint64_t size)
{
    const unsigned bit = (unsigned)__builtin_ctzll(gen->hal_host_base);
    const uint64_t end = address + (size - 1);
    return trn_bits_get(address, bit, 1) || trn_bits_get(end, bit, 1) || end < address;
}

trn_status trn_hal_udma_user_descriptors(struct trn_hal *hal, unsigned half,
                                         const void *descriptors, size_t count,
                                         const struct trn_hal_udma_buffer *buffers,
                                         size_t num_buffers)
{
    const uint8_t *raw = descriptors; /* of either half: length and address lie in one place (2) */
    if (!hal->gen || !hal->gen->hal_host_base)
        return trn_hal_fail(hal, TRN_ERR_UNSUPPORTED, NULL, "SUNDA to MARIANA_PLUS",
                            "no place of host memory is known");
    if ((!raw && count) || (!buffers && num_buffers))
        return trn_hal_fail(hal, TRN_ERR_ADDRESS, NULL, NULL, "NULL descriptors or buffers");
    for (size_t i = 0; i < count; i++, raw += TRN_HAL_UDMA_DESC_BYTES) {
        const struct trn_udma_tx tx = trn_udma_tx_unpack(raw);
        const uint64_t size = tx.length ? tx.length : TRN_HAL_UDMA_MAX_COPY;
        char where[32];
        if ((tx.meta && half == 0) || !selects_host(hal->gen, tx.source, size) ||
            is_registered(buffers, num_buffers, tx.source, size))
            continue;
        snprintf(where, sizeof where, "descriptor %zu", i);
        return trn_hal_fail(hal, TRN_ERR_INVALID, where, "a registered buffer that holds all of it",
                            "%" PRIu64 " bytes of host memory at 0x%" PRIx64
                            " lie in none of %zu registered buffers",
                            size, tx.source, num_buffers);
    }
    return TRN_OK;
}
