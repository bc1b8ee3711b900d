/* SPDX-License-Identifier: Apache-2.0 */
/* Where a side starts: the forms of ADDR8, ADDR4 and the inline forms (dge.md 2.2, 12). */
#include "dma/dge.h"
#include "isa/pattern.h"
#include "isa/text_address.h"
#include "isa_fields.h"

trn_status dge_register(struct dge_run_state *w, unsigned number, uint32_t *value)
{
    const struct trn_dge_ports *const ports = &w->dge->ports;
    if (ports->get_register &&
        ports->get_register(ports->context, w->engine, number, value) == TRN_OK)
        return TRN_OK;
    return dge_illegal(w, "is_valid_register_read_with_marker", "register %u cannot be read",
                       number);
}

static uint64_t wide(uint32_t low, uint32_t high)
{
    return trn_bits_set(low, 32, 32, high);
}

static trn_status pair(struct dge_run_state *w, unsigned low, unsigned high, uint64_t *value)
{
    uint32_t halves[2] = {0, 0};
    trn_status status = dge_register(w, low, &halves[0]);
    if (status == TRN_OK)
        status = dge_register(w, high, &halves[1]);
    if (status == TRN_OK)
        *value = wide(halves[0], halves[1]);
    return status;
}

/* 7.2: what is compared is the offset, because the limit has the width of the offset. */
static trn_status table_form(struct dge_run_state *w, const struct trn_text_addr8 *addr,
                             uint64_t offset, struct dge_side *side)
{
    const struct trn_dge_ports *const ports = &w->dge->ports;
    uint64_t base;
    if (!ports->table || ports->table(ports->context, w->engine, addr->table, &base) != TRN_OK)
        return dge_illegal(w, "V2", "entry %u of the address table does not exist", addr->table);
    dge_choice(w->dge, TRN_CHOICE_DGE_TABLE_ADDRESS);
    side->start = base + offset;
    side->compared = offset;
    return TRN_OK;
}

static trn_status resolve(struct dge_run_state *w, const struct trn_text_addr8 *addr,
                          struct dge_side *side)
{
    uint64_t value = addr->number;
    uint32_t offset = 0;
    trn_status status = TRN_OK;
    switch (addr->form) {
    case TRN_ADDR8_TABLE:
        return table_form(w, addr, addr->offset, side);
    case TRN_ADDR8_TABLE_REG:
        status = dge_register(w, addr->low, &offset);
        return status == TRN_OK ? table_form(w, addr, offset, side) : status;
    case TRN_ADDR8_TABLE_WIDE:
        side->wide = true;
        status = pair(w, addr->low, addr->low + 1U, &value);
        return status == TRN_OK ? table_form(w, addr, value, side) : status;
    case TRN_ADDR8_REGISTERS:
        status = pair(w, addr->low, addr->high, &value);
        break;
    default:
        break;
    }
    side->start = side->compared = value;
    return status;
}

trn_status dge_addr8(struct dge_run_state *w, const uint8_t bytes[8], struct dge_side *side,
                     bool *shape)
{
    const struct trn_gen *const gen = w->dge->gen;
    const struct trn_text_addr8 addr = trn_text_addr8_decode(bytes);
    *shape = addr.shape_from_register;
    /* an immediate address has the low two bits of the marker byte (2.2) */
    const uint64_t marker = trn_bits_set(trn_addr8_marker(bytes, gen->isa), 0, 2, 0);
    if (addr.form == TRN_ADDR8_NUMBER && marker != TRN_ADDR8_MARKER_IMM)
        return dge_illegal(w, "V2", "the address 0x%llx has no legal marker, or bytes beside it",
                           (unsigned long long)addr.number);
    const trn_status status = resolve(w, &addr, side);
    side->in_sbuf = side->start - w->dge->ports.sbuf_base < gen->sbuf_size;
    return status;
}

/* An index vector: on-chip, or wherever a register points on chip. */
trn_status dge_addr4(struct dge_run_state *w, const uint8_t bytes[4], uint64_t *address)
{
    const struct trn_gen *const gen = w->dge->gen;
    const struct trn_addr4 at = trn_addr4_decode(bytes);
    uint32_t offset = at.addr;
    if (at.from_register) {
        const trn_status status = dge_register(w, at.regnum, &offset);
        if (status != TRN_OK)
            return status;
    }
    if (offset - gen->psum_base < gen->psum_size && offset >= gen->psum_base) {
        *address = w->dge->ports.psum_base + offset - gen->psum_base;
        return TRN_OK;
    }
    *address = w->dge->ports.sbuf_base + offset;
    if (offset < gen->sbuf_size)
        return TRN_OK;
    return dge_illegal(w, "has_dma_indirect_idx_addr_in_sbuf_partition0",
                       "the index vector at 0x%x is in no on-chip memory", offset);
}

/* ---- MAVERICK's inline forms (12) ------------------------------------------------------------ */

/* What is added to the base of a DMA_ADDR_MODE. */
static trn_status inline_offset(struct dge_run_state *w, uint8_t mode, const uint8_t *bytes,
                                uint64_t *offset)
{
    const unsigned isa = w->dge->gen->isa;
    const unsigned reg = trn_addrun8_offset_reg(bytes, isa);
    const uint32_t imm = trn_addrun8_offset_imm(bytes, isa);
    uint32_t first = 0, second = 0;
    trn_status status = TRN_OK;
    switch (mode) {
    case TRN_DMA_ADDR_MODE_REG_IMM32:
    case TRN_DMA_ADDR_MODE_REG_IMM32_INC:
        *offset = imm;
        return TRN_OK;
    case TRN_DMA_ADDR_MODE_REG_REG64:
    case TRN_DMA_ADDR_MODE_REG_REG64_INC:
        return pair(w, reg, reg + 1, offset);
    case TRN_DMA_ADDR_MODE_REG_REGXREG:
    case TRN_DMA_ADDR_MODE_REG_REGXREG_INC:
        status = dge_register(w, imm, &second);
        break;
    case TRN_DMA_ADDR_MODE_REG_REGXIMM:
    case TRN_DMA_ADDR_MODE_REG_REGXIMM_INC:
        second = imm;
        break;
    case TRN_DMA_ADDR_MODE_REG_REG32:
    case TRN_DMA_ADDR_MODE_REG_REG32_INC:
        second = 1;
        break;
    default:
        return dge_illegal(w, "V27", "address mode %u does not exist", mode);
    }
    if (status == TRN_OK)
        status = dge_register(w, reg, &first);
    *offset = (uint64_t)first * second;
    return status;
}

/* "+inc": the pair inc_reg gets the sum (model choice). */
static trn_status increment(struct dge_run_state *w, const uint8_t *bytes, uint64_t value)
{
    const struct trn_dge_ports *const ports = &w->dge->ports;
    const unsigned reg = trn_addrun8_inc_reg(bytes, w->dge->gen->isa);
    for (unsigned half = 0; half < 2; half++)
        if (!ports->set_register ||
            ports->set_register(ports->context, w->engine, reg + half,
                                (uint32_t)trn_bits_get(value, 32 * half, 32)) != TRN_OK)
            return dge_illegal(w, "V27", "register %u cannot be written", reg + half);
    return TRN_OK;
}

static bool increments(uint8_t mode)
{
    return mode == TRN_DMA_ADDR_MODE_REG_IMM32_INC || mode == TRN_DMA_ADDR_MODE_REG_REG32_INC ||
           mode == TRN_DMA_ADDR_MODE_REG_REG64_INC || mode == TRN_DMA_ADDR_MODE_REG_REGXIMM_INC ||
           mode == TRN_DMA_ADDR_MODE_REG_REGXREG_INC;
}

trn_status dge_inline_address(struct dge_run_state *w, const uint8_t bytes[8], uint8_t mode,
                              struct dge_side *side)
{
    const unsigned base = trn_addrun8_base_reg(bytes, w->dge->gen->isa);
    uint64_t value = trn_get64(bytes), offset = 0;
    trn_status status = TRN_OK;
    if (mode != TRN_DMA_ADDR_MODE_IMM64)
        status = pair(w, base, base + 1, &value);
    if (status == TRN_OK && mode > TRN_DMA_ADDR_MODE_REG_PAIR)
        status = inline_offset(w, mode, bytes, &offset);
    side->start = side->compared = value + offset;
    side->in_sbuf = side->start - w->dge->ports.sbuf_base < w->dge->gen->sbuf_size;
    if (status == TRN_OK && increments(mode))
        status = increment(w, bytes, side->start);
    return status;
}
