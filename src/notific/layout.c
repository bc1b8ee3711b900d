/* SPDX-License-Identifier: Apache-2.0 */
#include "notific/layout.h"

#include <string.h>

#include "base/bytes.h"

static const char *const paths[TRN_NQ_REGS] = {
    [TRN_NQ_TIMESTAMP_LO] = "notific.timestamp_lo",
    [TRN_NQ_TIMESTAMP_HI] = "notific.timestamp_hi",
    [TRN_NQ_SW_BACKPRESSURE] = "notific.sw_backpressure",
    [TRN_NQ_HW_BACKPRESSURE_LO] = "notific.hw_backpressure_lo",
    [TRN_NQ_HW_BACKPRESSURE_HI] = "notific.hw_backpressure_hi",
    [TRN_NQ_ENABLE] = "notific.nq_enable",
    [TRN_NQ_IGNORE_FULL] = "notific.nq_sw_overflow",
    [TRN_NQ_UART_MODE] = "notific.nq_uart_mode",
    [TRN_NQ_AXI_ID] = "notific.nq_axi_id",
    [TRN_NQ_WR_BUF_LO] = "notific.wr_buf_enable_lo",
    [TRN_NQ_WR_BUF_HI] = "notific.wr_buf_enable_hi",
    [TRN_NQ_ERROR_ADDR_LO] = "notific.nq_error_addr_lo",
    [TRN_NQ_ERROR_ADDR_HI] = "notific.nq_error_addr_hi",
    [TRN_NQ_STALL_COUNT] = "notific.nq_pipeline_stall_count",
    [TRN_NQ_STALL] = "notific.nq_pipeline_stall",
    [TRN_NQ_NIQ_COUNT] = "notific.niq_buffer_count",
    [TRN_NQ_NIQ_INDEX] = "notific.niq_buffer_index",
    [TRN_NQ_NIQ_0] = "notific.niq_buffer_0",
    [TRN_NQ_NIQ_1] = "notific.niq_buffer_1",
    [TRN_NQ_NIQ_2] = "notific.niq_buffer_2",
    [TRN_NQ_NIQ_3] = "notific.niq_buffer_3",
    [TRN_NQ_NIQ_4] = "notific.niq_buffer_4",
    [TRN_NQ_NAQ_COUNT] = "notific.naq_buffer_count",
    [TRN_NQ_NAQ_INDEX] = "notific.naq_buffer_index",
    [TRN_NQ_NAQ_0] = "notific.naq_buffer_0",
    [TRN_NQ_NAQ_1] = "notific.naq_buffer_1",
    [TRN_NQ_NAQ_2] = "notific.naq_buffer_2",
    [TRN_NQ_NAQ_3] = "notific.naq_buffer_3",
    [TRN_NQ_NAQ_4] = "notific.naq_buffer_4",
    [TRN_NQ_NAQ_5] = "notific.naq_buffer_5",
    [TRN_NQ_NAQ_6] = "notific.naq_buffer_6",
    [TRN_NQ_STATS] = "notific.nq_stats",
    [TRN_NQ_COAL_TIMER] = "notific.coal_timer",
    [TRN_NQ_COAL_CTRL] = "notific.coal_ctrl",
    [TRN_NQ_WOB_CTRL] = "notific.wob_ctrl",
    [TRN_NQ_THRESHOLD_EN] = "notific.nq_threshold_en",
    [TRN_NQ_FULL] = "notific.nq_full",
    [TRN_NQ_THRESHOLD_PASSED] = "notific.nq_threshold_passed",
    [TRN_NQ_TIMESTAMP_INC] = "notific.timestamp_inc",
    [TRN_NQ_BASE_LO] = "notific.nq.base_addr_lo",
    [TRN_NQ_BASE_HI] = "notific.nq.base_addr_hi",
    [TRN_NQ_SIZE] = "notific.nq.size",
    [TRN_NQ_HEAD] = "notific.nq.head_ptr",
    [TRN_NQ_TAIL] = "notific.nq.tail_ptr",
    [TRN_NQ_THRESHOLD] = "notific.nq.threshold",
};

static const struct {
    enum trn_notific_reg reg;
    const char *field;
} bits[TRN_NQ_BITS] = {
    [TRN_NQ_COAL_BYPASS] = {TRN_NQ_COAL_CTRL, "axi_fm_bypass"},
    [TRN_NQ_COAL_CLEAR] = {TRN_NQ_COAL_CTRL, "clr"},
    [TRN_NQ_COAL_STREAMS] = {TRN_NQ_COAL_CTRL, "stream_en"},
    [TRN_NQ_COAL_FORCE] = {TRN_NQ_COAL_CTRL, "force_use_coal"},
    [TRN_NQ_WOB_ROTATE] = {TRN_NQ_WOB_CTRL, "axi_id_rotate"},
    [TRN_NQ_WOB_IN_ORDER] = {TRN_NQ_WOB_CTRL, "force_inorder"},
};

static enum trn_notific_reg reg_of(const struct trn_reg_row *row)
{
    for (int r = TRN_NQ_PLAIN + 1; r < TRN_NQ_REGS; r++)
        if (strcmp(row->path, paths[r]) == 0)
            return (enum trn_notific_reg)r;
    return TRN_NQ_PLAIN;
}

/* A mask of one bit for each queue is as wide as the block has queues (1.1). */
static uint32_t stored_bits(const struct trn_reg_row *row, unsigned queues, unsigned most)
{
    uint64_t mask = row->num_fields ? 0 : UINT32_MAX;
    for (size_t i = 0; i < row->num_fields; i++) {
        const struct trn_reg_bits *field = &row->fields[i];
        const bool per_queue = field->low == 0 && field->bits == most;
        if (!field->pulse)
            mask = trn_bits_set(mask, field->low, per_queue ? queues : field->bits, UINT64_MAX);
    }
    return (uint32_t)mask;
}

static bool add(struct trn_notific_layout *layout, const struct trn_reg_row *row, unsigned most)
{
    const enum trn_notific_reg reg = reg_of(row);
    const unsigned count = row->num_indices ? layout->queues : 1;
    for (unsigned i = 0; i < count; i++) {
        const uint32_t word = trn_reg_offset(row, row->first[0] + i, 0) / 4;
        if (word >= TRN_NQ_MAX_WORDS)
            return false;
        layout->words[word] =
            (struct trn_notific_word){.keep = stored_bits(row, layout->queues, most),
                                      .reset = row->reset,
                                      .access = (uint8_t)row->access,
                                      .reg = (uint8_t)reg,
                                      .queue = (uint8_t)i,
                                      .known = true};
        if (i == 0)
            layout->at[reg] = (uint8_t)word;
        if (word >= layout->num_words)
            layout->num_words = word + 1;
    }
    return true;
}

static bool find_bits(struct trn_notific_layout *layout, const struct trn_gen *gen)
{
    for (int b = 0; b < TRN_NQ_BITS; b++) {
        const struct trn_reg_row *row = trn_reg_find(gen, paths[bits[b].reg], NULL);
        const struct trn_reg_bits *field = row ? trn_reg_field(row, bits[b].field) : NULL;
        if (!field)
            return false;
        layout->bit[b].low = field->low;
        layout->bit[b].bits = field->bits;
    }
    return true;
}

bool trn_notific_layout_init(struct trn_notific_layout *layout, const struct trn_gen *gen,
                             bool one_queue)
{
    *layout = (struct trn_notific_layout){0};
    const struct trn_reg_row *const ring = trn_reg_find(gen, paths[TRN_NQ_BASE_LO], NULL);
    if (!ring || ring->count[0] == 0 || ring->count[0] > TRN_NQ_MAX_QUEUES)
        return false;
    layout->queues = one_queue ? 1 : ring->count[0];
    layout->stride = ring->stride[0] / 4;
    for (size_t i = 0; i < trn_num_regs; i++) {
        const struct trn_reg_row *row = &trn_reg_table[i];
        if (strcmp(row->block, "notific") == 0 && trn_reg_on(row, gen) && !row->open &&
            !add(layout, row, ring->count[0]))
            return false;
    }
    for (int r = TRN_NQ_PLAIN + 1; r < TRN_NQ_REGS; r++)
        if (layout->words[layout->at[r]].reg != r)
            return false;
    return find_bits(layout, gen);
}
