/* SPDX-License-Identifier: Apache-2.0 */
/* Registers by name: where they lie on the latched generation, and single accesses to them. */
#include "base/bytes.h"
#include "hal/handle.h"

static const char *const names[TRN_HAL_REGS][2] = {
#define X(id, name, other) [TRN_HAL_REG_##id] = {name, other},
    TRN_HAL_REG_LIST(X)
#undef X
};

static void find_all(struct trn_hal_registers *registers, const struct trn_gen *gen)
{
    for (unsigned r = 0; r < TRN_HAL_REGS; r++) {
        const struct trn_reg_row *row = trn_reg_find(gen, names[r][0], NULL);
        if (!row && names[r][1])
            row = trn_reg_find(gen, names[r][1], NULL);
        registers->row[r] = row && !row->open ? row : NULL;
    }
    registers->gen = gen;
}

static const struct trn_reg_row *row_of(struct trn_hal *hal, enum trn_hal_reg reg)
{
    if (!hal->gen)
        return NULL;
    if (hal->registers.gen != hal->gen)
        find_all(&hal->registers, hal->gen);
    return hal->registers.row[reg];
}

bool trn_hal_has_reg(struct trn_hal *hal, enum trn_hal_reg reg)
{
    return row_of(hal, reg) != NULL;
}

static trn_status absent(struct trn_hal *hal, enum trn_hal_reg reg)
{
    return trn_hal_fail(hal, TRN_ERR_UNSUPPORTED, names[reg][0], NULL,
                        "%s has no such register or field",
                        hal->gen ? hal->gen->title : "an arch that is not set");
}

uint64_t trn_hal_reg_place(struct trn_hal *hal, uint64_t base, enum trn_hal_reg reg, unsigned i)
{
    const struct trn_reg_row *row = row_of(hal, reg);
    return row ? base + trn_reg_offset(row, i, 0) : base;
}

trn_status trn_hal_write_nq_reg(struct trn_hal *hal, uint64_t base, enum trn_hal_reg reg,
                                unsigned i, uint32_t value)
{
    const struct trn_reg_row *row = row_of(hal, reg);
    return row ? trn_hal_write32(hal, base + trn_reg_offset(row, i, 0), value) : absent(hal, reg);
}

trn_status trn_hal_write_reg(struct trn_hal *hal, uint64_t base, enum trn_hal_reg reg,
                             uint32_t value)
{
    const struct trn_reg_row *row = row_of(hal, reg);
    return row ? trn_hal_write32(hal, base + row->offset, value) : absent(hal, reg);
}

trn_status trn_hal_read_reg(struct trn_hal *hal, uint64_t base, enum trn_hal_reg reg,
                            uint32_t *value)
{
    const struct trn_reg_row *row = row_of(hal, reg);
    return row ? trn_hal_read32(hal, base + row->offset, value) : absent(hal, reg);
}

struct trn_hal_word trn_hal_word(struct trn_hal *hal, enum trn_hal_reg reg)
{
    return (struct trn_hal_word){.row = row_of(hal, reg)};
}

void trn_hal_put(struct trn_hal_word *word, const char *field, uint32_t value)
{
    const struct trn_reg_bits *bits = word->row ? trn_reg_field(word->row, field) : NULL;
    if (!bits) {
        word->row = NULL;
        return;
    }
    word->value = (uint32_t)trn_bits_set(word->value, bits->low, bits->bits, value);
    word->mask = (uint32_t)trn_bits_set(word->mask, bits->low, bits->bits, UINT32_MAX);
}

/* The bits that a register has; a row without fields is plain storage. */
static uint32_t bits_of(const struct trn_reg_row *row)
{
    uint64_t held = row->num_fields ? 0 : UINT32_MAX;
    for (size_t i = 0; i < row->num_fields; i++)
        held = trn_bits_set(held, row->fields[i].low, row->fields[i].bits, UINT32_MAX);
    return (uint32_t)held;
}

trn_status trn_hal_rmw_word(struct trn_hal *hal, uint64_t base, enum trn_hal_reg reg,
                            const struct trn_hal_word *word)
{
    const struct trn_reg_row *const row = word->row;
    return row ? trn_hal_rmw32_of(hal, base + row->offset, bits_of(row), word->mask, word->value)
               : absent(hal, reg);
}

trn_status trn_hal_rmw_field(struct trn_hal *hal, uint64_t base, enum trn_hal_reg reg,
                             const char *field, uint32_t value)
{
    struct trn_hal_word word = trn_hal_word(hal, reg);
    trn_hal_put(&word, field, value);
    return trn_hal_rmw_word(hal, base, reg, &word);
}
