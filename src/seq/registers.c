/* SPDX-License-Identifier: Apache-2.0 */
/* MOVE and MOVE_SHAPE (sequencer.md 7.7, dge.md 2.3). */
#include "isa_fields.h"
#include "seq/control.h"
#include "trench/enums.h"

enum { MAX_MOVES = 8, NUM_SHAPES = 4, SHAPE_DIMS = 4 };

/* Raw 32-bit copies; every source is read before any destination is written. */
trn_status trn_word_move(struct trn_seq *seq, const uint8_t *word)
{
    const unsigned isa = seq->core->gen->isa;
    const uint8_t *from = trn_ctrl_mv_src_registers(word, isa);
    const uint8_t *to = trn_ctrl_mv_dst_registers(word, isa);
    const uint8_t *immediate = trn_ctrl_mv_immediate(word, isa);
    const bool immediates = trn_ctrl_mv_move_source(word, isa) == TRN_DATA_SRC_IMMEDIATE;
    const unsigned count = trn_ctrl_mv_num_mov(word, isa);
    uint32_t value[MAX_MOVES];
    trn_status status = TRN_OK;
    for (unsigned i = 0; i < count && i < MAX_MOVES && status == TRN_OK; i++) {
        value[i] = trn_get32(immediate + 4 * i);
        if (!immediates)
            status = trn_seq_read_register(seq, from[i], &value[i]);
    }
    for (unsigned i = 0; i < count && i < MAX_MOVES && status == TRN_OK; i++)
        status = trn_seq_write_register(seq, to[i], value[i]);
    return status;
}

/* ---- MOVE_SHAPE ------------------------------------------------------------------------ */

static void set_half(struct trn_shape *shape, uint8_t half, unsigned i, uint16_t value)
{
    if (half == TRN_SHAPE_REG_TYPE_NUM)
        shape->num[i] = value;
    else
        shape->step[i] = (int16_t)value;
}

static uint16_t get_half(const struct trn_shape *shape, uint8_t half, unsigned i)
{
    return half == TRN_SHAPE_REG_TYPE_NUM ? shape->num[i] : (uint16_t)shape->step[i];
}

/* Two general registers hold the four entries of a half, low entry in the low 16 bits. */
static trn_status from_registers(struct trn_seq *seq, const uint8_t *numbers, uint8_t half,
                                 struct trn_shape *shape)
{
    for (unsigned i = 0; i < SHAPE_DIMS / 2; i++) {
        uint32_t pair = 0;
        const trn_status status = trn_seq_read_register(seq, numbers[i], &pair);
        if (status != TRN_OK)
            return status;
        set_half(shape, half, 2 * i, (uint16_t)trn_bits_get(pair, 0, 16));
        set_half(shape, half, 2 * i + 1, (uint16_t)trn_bits_get(pair, 16, 16));
    }
    return TRN_OK;
}

static trn_status to_registers(struct trn_seq *seq, const uint8_t *numbers, uint8_t half,
                               const struct trn_shape *shape)
{
    for (unsigned i = 0; i < SHAPE_DIMS / 2; i++) {
        const uint32_t pair =
            get_half(shape, half, 2 * i) | (uint32_t)get_half(shape, half, 2 * i + 1) << 16;
        const trn_status status = trn_seq_write_register(seq, numbers[i], pair);
        if (status != TRN_OK)
            return status;
    }
    return TRN_OK;
}

static trn_status move_one_shape(struct trn_seq *seq, const uint8_t *word, unsigned k)
{
    const unsigned isa = seq->core->gen->isa;
    const uint8_t type = trn_ctrl_ms_move_type(word, isa);
    const uint8_t half = trn_ctrl_ms_shape_reg_type(word, isa);
    const uint8_t number = trn_ctrl_ms_shape_registers(word, isa)[k];
    const uint8_t *data = trn_ctrl_ms_data(word, isa);
    if (number >= NUM_SHAPES)
        return trn_seq_fault(seq, TRN_FAULT_ILLEGAL_INSTRUCTION, "V28",
                             "shape register %u does not exist; 0..3 do", number);
    struct trn_shape *shape = &seq->regs.shape[number];
    if (type == TRN_SHAPE_MOVE_TYPE_REG_TO_SHAPE)
        return from_registers(seq, data + 2 * k, half, shape);
    if (type == TRN_SHAPE_MOVE_TYPE_SHAPE_TO_REG)
        return to_registers(seq, data + 2 * k, half, shape);
    for (unsigned i = 0; i < SHAPE_DIMS; i++)
        set_half(shape, half, i, trn_get16(data + 2 * (SHAPE_DIMS * k + i)));
    return TRN_OK;
}

trn_status trn_word_move_shape(struct trn_seq *seq, const uint8_t *word)
{
    const unsigned count = trn_ctrl_ms_num_move(word, seq->core->gen->isa);
    trn_status status = TRN_OK;
    trn_seq_choice(seq, TRN_CHOICE_SHAPE_LAYOUT);
    for (unsigned k = 0; k < count && k < NUM_SHAPES && status == TRN_OK; k++)
        status = move_one_shape(seq, word, k);
    return status;
}
