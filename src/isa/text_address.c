/* SPDX-License-Identifier: Apache-2.0 */
#include "isa/text_address.h"

#include "isa_fields.h"
#include "trench/enums.h"

/* The composite layouts are the same on every instruction set; any column serves. */
enum { ANY_ISA = 0 };

struct trn_text_place trn_text_place(const struct trn_gen *gen, uint32_t address)
{
    if (address < gen->sbuf_size)
        return (struct trn_text_place){"sbuf", address / gen->sbuf_stride,
                                       address % gen->sbuf_stride};
    const uint32_t offset = address - gen->psum_base;
    if (address >= gen->psum_base && offset < gen->psum_size)
        return (struct trn_text_place){"psum", offset / gen->psum_stride,
                                       offset % gen->psum_stride};
    return (struct trn_text_place){NULL, 0, 0};
}

void trn_text_addr4_encode(const struct trn_addr4 *addr, uint8_t bytes[4])
{
    trn_put32(bytes, 0);
    if (addr->from_register)
        trn_addr4_regnum_set(bytes, ANY_ISA, addr->regnum);
    else
        trn_addr4_addr_immediate_set(bytes, ANY_ISA, addr->addr);
    trn_addr4_marker_addr_reg_set(bytes, ANY_ISA, addr->from_register);
    trn_addr4_marker_shape_reg_set(bytes, ANY_ISA, addr->shape_from_register);
    trn_addr4_marker_indirect_set(bytes, ANY_ISA, addr->indirect);
}

bool trn_text_addr4_is_plain(const struct trn_addr4 *addr, const uint8_t bytes[4])
{
    if (addr->shape_from_register || addr->indirect)
        return false;
    uint8_t again[4];
    trn_text_addr4_encode(addr, again);
    return memcmp(again, bytes, sizeof again) == 0;
}

/* Markers of the forms, without and with a shape register. */
static const uint8_t addr8_markers[TRN_NUM_ADDR8_FORMS][2] = {
    [TRN_ADDR8_SHAPED] = {TRN_ADDR8_MARKER_IMM, TRN_ADDR8_MARKER_SHAPE_REG},
    [TRN_ADDR8_REGISTERS] = {TRN_ADDR8_MARKER_ADDR_REG, TRN_ADDR8_MARKER_ADDR_SHAPE_REG},
    [TRN_ADDR8_TABLE] = {TRN_ADDR8_MARKER_TABLE, TRN_ADDR8_MARKER_TABLE_SHAPE_REG},
    [TRN_ADDR8_TABLE_REG] = {TRN_ADDR8_MARKER_TABLE_OFFSET_REG,
                             TRN_ADDR8_MARKER_TABLE_SHAPE_OFFSET_REG},
    [TRN_ADDR8_TABLE_WIDE] = {TRN_ADDR8_MARKER_TABLE_OFFSET_REG_WIDE,
                              TRN_ADDR8_MARKER_TABLE_SHAPE_OFFSET_REG_WIDE},
};

void trn_text_addr8_encode(const struct trn_text_addr8 *addr, uint8_t bytes[8])
{
    trn_put64(bytes, 0);
    switch (addr->form) {
    case TRN_ADDR8_NUMBER:
        trn_put64(bytes, addr->number);
        return;
    case TRN_ADDR8_SHAPED:
        trn_addr8_addr_immediate_set(bytes, ANY_ISA, addr->number);
        break;
    case TRN_ADDR8_REGISTERS:
        trn_addr8_reg_hi_set(bytes, ANY_ISA, addr->high);
        trn_addr8_reg_lo_set(bytes, ANY_ISA, addr->low);
        break;
    case TRN_ADDR8_TABLE:
        trn_addr8_offset_set(bytes, ANY_ISA, addr->offset);
        trn_addr8_table_index_set(bytes, ANY_ISA, addr->table);
        break;
    default:
        trn_addr8_reg_lo_set(bytes, ANY_ISA, addr->low);
        trn_addr8_table_index_set(bytes, ANY_ISA, addr->table);
        break;
    }
    /* bits 1:0 of the marker byte belong to an immediate address */
    const uint8_t address_bits = trn_addr8_marker(bytes, ANY_ISA);
    trn_addr8_marker_set(bytes, ANY_ISA,
                         address_bits | addr8_markers[addr->form][addr->shape_from_register]);
}

/* False when the marker is of no form. */
static bool find_form(const uint8_t bytes[8], struct trn_text_addr8 *out)
{
    const uint64_t marker = trn_bits_set(trn_addr8_marker(bytes, ANY_ISA), 0, 2, 0);
    for (int form = TRN_ADDR8_SHAPED; form < TRN_NUM_ADDR8_FORMS; form++)
        for (int shape = 0; shape < 2; shape++)
            if (addr8_markers[form][shape] == marker) {
                out->form = (enum trn_addr8_form)form;
                out->shape_from_register = shape;
                return form != TRN_ADDR8_SHAPED || shape;
            }
    return false;
}

struct trn_text_addr8 trn_text_addr8_decode(const uint8_t bytes[8])
{
    const struct trn_text_addr8 number = {.form = TRN_ADDR8_NUMBER, .number = trn_get64(bytes)};
    struct trn_text_addr8 addr = {
        .number = trn_addr8_addr_immediate(bytes, ANY_ISA),
        .low = trn_addr8_reg_lo(bytes, ANY_ISA),
        .high = trn_addr8_reg_hi(bytes, ANY_ISA),
        .table = trn_addr8_table_index(bytes, ANY_ISA),
        .offset = trn_addr8_offset(bytes, ANY_ISA),
    };
    if (!find_form(bytes, &addr))
        return number;
    uint8_t again[8];
    trn_text_addr8_encode(&addr, again);
    return memcmp(again, bytes, sizeof again) == 0 ? addr : number;
}
