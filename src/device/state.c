/* SPDX-License-Identifier: Apache-2.0 */
#include "device/state.h"

#include <stdio.h>

#include "base/bytes.h"
#include "device/core.h"

/* What of an engine; a word shows 1 + FACTS * engine + fact. */
enum fact { PC_LOW, PC_HIGH, ENGINE_PC, FACTS };

enum { ENGINE_PC_BITS = 24 };

static const char *const suffix[FACTS] = {
    [PC_LOW] = "nx_spc_lsb", [PC_HIGH] = "nx_spc_msb", [ENGINE_PC] = "eng_pc"};

static const char *const engines[TRN_ENGINES] = {"pe", "act", "pool", "dve", "sp"};

/* The register that shows it, NULL where the generation has none. */
static const struct trn_reg_row *row_of(const struct trn_gen *gen, int engine, enum fact fact)
{
    char name[48];
    snprintf(name, sizeof name, TRN_STATE_BLOCK ".misc.%s_%s", engines[engine], suffix[fact]);
    return trn_reg_find(gen, name, NULL);
}

static void mark(struct trn_reg_layout *layout, int engine, enum fact fact)
{
    const struct trn_reg_row *row = row_of(layout->gen, engine, fact);
    if (row && row->offset / 4 < layout->num_words)
        layout->words[row->offset / 4].shows = (uint8_t)(1 + FACTS * engine + (int)fact);
}

void trn_state_mark(struct trn_reg_layout *layout)
{
    for (int e = 0; e < TRN_ENGINES; e++)
        for (enum fact fact = 0; fact < FACTS; fact++)
            mark(layout, e, fact);
}

/* address-map.md 6.4, model choices: the snapshots are live and count instruction words; eng_pc is
 * the low part of the same counter. */
uint32_t trn_state_shown(const struct trn_tpb *tpb, uint8_t shows)
{
    const uint64_t pc = tpb->seq[(shows - 1) / FACTS].regs.pc;
    switch ((enum fact)((shows - 1) % FACTS)) {
    case PC_LOW:
        return (uint32_t)trn_bits_get(pc, 0, 32);
    case PC_HIGH:
        return (uint32_t)trn_bits_get(pc, 32, 32);
    case ENGINE_PC:
        return (uint32_t)trn_bits_get(pc, 0, ENGINE_PC_BITS);
    case FACTS:
        break;
    }
    return 0;
}

bool trn_state_at(const struct trn_tpb *tpb, uint32_t at, uint32_t *value)
{
    for (int e = 0; e < TRN_ENGINES; e++)
        for (enum fact fact = 0; fact < FACTS; fact++) {
            const struct trn_reg_row *row = row_of(tpb->device->gen, e, fact);
            if (!row || row->offset != at)
                continue;
            *value = trn_state_shown(tpb, (uint8_t)(1 + FACTS * e + (int)fact));
            return true;
        }
    return false;
}
