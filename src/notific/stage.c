/* SPDX-License-Identifier: Apache-2.0 */
/* From a ring's tail to memory: at once, or through the coalescer (docs/hardware/notific.md 5). */
#include "notific/block.h"

/* ---- memory ------------------------------------------------------------------------------ */

static uint16_t next_id(struct trn_notific *block)
{
    enum { ROTATING_BITS = 5 };
    if (!block->rotate_id)
        return block->axi_id;
    const uint64_t turn = trn_bits_get(block->axi_id, 0, ROTATING_BITS) + block->id_turn++;
    return (uint16_t)trn_bits_set(block->axi_id, 0, ROTATING_BITS, turn);
}

/* A refused write is lost and its address kept; the tail stays where it is (5). */
static trn_status write_out(struct trn_notific *block, unsigned q, uint64_t address,
                            const void *data, unsigned records)
{
    const size_t size = (size_t)records * TRN_RECORD_BYTES;
    const trn_status status = block->ports.write ? block->ports.write(block->ports.context, address,
                                                                      data, size, next_id(block))
                                                 : TRN_ERR_ADDRESS;
    if (status == TRN_OK || status == TRN_ERR_BUSY)
        return status;
    block->error_address = address;
    block->rings[q].counts.failed += records;
    block->rings[q].counts.stored -= records;
    trn_nq_pulse(block, TRN_NOTIFIC_WRITE_ERROR, 0);
    return status;
}

/* ---- coalescer ---------------------------------------------------------------------------- */

static uint64_t line_of(uint64_t address)
{
    return address / TRN_NQ_LINE_BYTES;
}

/* The slots of a burst that memory refused hold no record. */
static void forget(struct trn_notific *block, unsigned q, const struct trn_nq_stage *stage)
{
    struct trn_nq_ring *const ring = &block->rings[q];
    const uint64_t offset = stage->address - ring->base;
    if (ring->size != 0 && offset < ring->size)
        trn_unread_clear(&ring->unread, (uint32_t)offset / TRN_RECORD_BYTES, stage->count,
                         ring->size / TRN_RECORD_BYTES);
}

static trn_status flush(struct trn_notific *block, unsigned q)
{
    struct trn_nq_stage *const stage = &block->stages[q];
    if (stage->count == 0)
        return TRN_OK;
    const trn_status status = write_out(block, q, stage->address, stage->data, stage->count);
    if (status == TRN_ERR_BUSY)
        return status;
    if (status != TRN_OK)
        forget(block, q, stage);
    block->staged -= stage->count;
    stage->count = 0;
    return TRN_OK;
}

void trn_nq_flush(struct trn_notific *block, unsigned q)
{
    if (q < TRN_NQ_STREAMS)
        (void)flush(block, q); /* busy: the burst stays for the next try */
}

void trn_nq_flush_all(struct trn_notific *block)
{
    for (unsigned q = 0; q < TRN_NQ_STREAMS && block->staged; q++)
        trn_nq_flush(block, q);
}

void trn_nq_flush_due(struct trn_notific *block)
{
    if (!block->staged)
        return;
    const uint64_t now = trn_nq_ticks(block);
    const uint32_t limit = block->words[block->layout.at[TRN_NQ_COAL_TIMER]];
    for (unsigned q = 0; q < TRN_NQ_STREAMS; q++)
        if (block->stages[q].count && now - block->stages[q].since >= limit)
            trn_nq_flush(block, q);
}

static bool coalesces(const struct trn_notific *block, unsigned q)
{
    return block->options.delayed && q < TRN_NQ_STREAMS && !block->bypass &&
           trn_bits_get(block->stream_enable, q, 1) && (!block->overlap || block->force_coalesce);
}

/* 6.1, intr_8: another stream holds bytes of the same line. */
static void look_for_other_streams(struct trn_notific *block, unsigned q, uint64_t address)
{
    for (unsigned other = 0; other < TRN_NQ_STREAMS; other++)
        if (other != q && block->stages[other].count &&
            line_of(block->stages[other].address) == line_of(address)) {
            trn_nq_pulse(block, TRN_NOTIFIC_MANY_STREAMS, 0);
            return;
        }
}

static trn_status stage_record(struct trn_notific *block, unsigned q, uint64_t address,
                               const uint8_t record[TRN_RECORD_BYTES])
{
    enum { MOST = TRN_NQ_LINE_BYTES / TRN_RECORD_BYTES };
    struct trn_nq_stage *const stage = &block->stages[q];
    const uint64_t next = stage->address + (uint64_t)stage->count * TRN_RECORD_BYTES;
    if (stage->count && (stage->count == MOST || next != address) && flush(block, q) != TRN_OK)
        return TRN_ERR_BUSY;
    look_for_other_streams(block, q, address);
    if (stage->count == 0) {
        stage->address = address;
        stage->since = trn_nq_ticks(block);
    }
    memcpy(stage->data + (size_t)stage->count * TRN_RECORD_BYTES, record, TRN_RECORD_BYTES);
    stage->count++;
    block->staged++;
    block->rings[q].counts.stored++;
    if (stage->count == MOST || line_of(address + TRN_RECORD_BYTES) != line_of(address))
        (void)flush(block, q); /* busy: it stays staged and is full */
    return TRN_OK;
}

trn_status trn_nq_hand_over(struct trn_notific *block, unsigned q, uint64_t address,
                            const uint8_t record[TRN_RECORD_BYTES])
{
    if (coalesces(block, q))
        return stage_record(block, q, address, record);
    if (block->staged) { /* one queue keeps its order; all of them when that is asked for */
        if (block->in_order)
            trn_nq_flush_all(block);
        else
            trn_nq_flush(block, q);
        if (block->in_order ? block->staged != 0
                            : q < TRN_NQ_STREAMS && block->stages[q].count != 0)
            return TRN_ERR_BUSY;
    }
    block->rings[q].counts.stored++;
    const trn_status status = write_out(block, q, address, record, 1);
    if (status == TRN_ERR_BUSY)
        block->rings[q].counts.stored--;
    return status;
}
