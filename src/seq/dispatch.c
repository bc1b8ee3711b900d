/* SPDX-License-Identifier: Apache-2.0 */
#include "seq/dispatch.h"

#include "base/bytes.h"

static struct trn_slot executed_slot(uint8_t opcode)
{
    const trn_control control = trn_control_handler(opcode);
    if (control)
        return (struct trn_slot){.kind = TRN_SLOT_CONTROL, .control = control};
    const trn_handler engine = trn_engine_handler(opcode);
    if (engine)
        return (struct trn_slot){
            .kind = TRN_SLOT_ENGINE, .follows = trn_engine_follows(engine), .engine = engine};
    return (struct trn_slot){.kind = TRN_SLOT_NOT_MODELLED};
}

struct trn_slot trn_slot_of(const struct trn_gen *gen, int engine, uint8_t opcode)
{
    const struct trn_opcode_row *row = &trn_opcode_table[opcode];
    const bool exists = trn_bits_get(row->isa_mask, gen->isa, 1) != 0;
    const bool here = trn_bits_get(row->engines[gen->isa], (unsigned)engine, 1) != 0;
    if (!exists || !here)
        return (struct trn_slot){.kind = TRN_SLOT_BAD};
    switch (row->exec) {
    case TRN_EXEC_NONE:
        return (struct trn_slot){.kind = TRN_SLOT_NO_LAYOUT};
    case TRN_EXEC_LAYOUT:
        return (struct trn_slot){.kind = TRN_SLOT_NO_SEMANTICS};
    case TRN_EXEC_FULL:
    case TRN_EXEC_SUB:
        return executed_slot(opcode);
    case TRN_EXEC_NEVER:
        return (struct trn_slot){.kind = TRN_SLOT_DISABLED};
    case TRN_EXEC_HOST:
        break;
    }
    return (struct trn_slot){.kind = TRN_SLOT_BAD};
}

void trn_dispatch_build(struct trn_dispatch *dispatch, const struct trn_gen *gen, int engine)
{
    uint16_t used = 0;
    dispatch->num_parts = 0;
    for (size_t i = 0; i < trn_num_dispatch_rows; i++) {
        const struct trn_dispatch_row *row = &trn_dispatch_rows[i];
        const unsigned count = row->last - row->first + 1u;
        if (row->engine != engine || !trn_bits_get(row->isa_mask, gen->isa, 1) ||
            dispatch->num_parts == TRN_DISPATCH_PARTS || used + count > TRN_DISPATCH_SLOTS)
            continue;
        dispatch->parts[dispatch->num_parts++] = (struct trn_dispatch_part){row, used};
        for (unsigned k = 0; k < count; k++)
            dispatch->slots[used + k] = trn_slot_of(gen, engine, (uint8_t)(row->first + k));
        used = (uint16_t)(used + count);
    }
}

const struct trn_slot *trn_dispatch_find(const struct trn_dispatch *dispatch, uint8_t opcode)
{
    static const struct trn_slot miss = {.kind = TRN_SLOT_BAD};
    for (size_t i = 0; i < dispatch->num_parts; i++) {
        const struct trn_dispatch_part *part = &dispatch->parts[i];
        /* One unsigned compare covers both sides, as the firmware does it. */
        const uint8_t index = (uint8_t)(opcode - part->row->first);
        if (index > part->row->last - part->row->first)
            continue;
        const struct trn_slot *slot = &dispatch->slots[part->begin + index];
        if (part->row->form == TRN_DISPATCH_CHAIN && slot->kind == TRN_SLOT_BAD)
            continue; /* a chain compares only with opcodes it knows */
        return slot;
    }
    return &miss;
}
