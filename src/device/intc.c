/* SPDX-License-Identifier: Apache-2.0 */
#include "device/intc.h"

#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "device/core.h"
#include "gen/device_rows.h"

enum { WORD_BITS = 32, GROUPS = 4, OF_UNIT = GROUPS * WORD_BITS };

/* ---- triggers ------------------------------------------------------------------------- */

int trn_intc_trigger(const char *name)
{
    for (size_t i = 0; i < trn_num_triggers; i++)
        if (strcmp(trn_trigger_table[i].name, name) == 0)
            return trn_trigger_table[i].trigger;
    return -1;
}

int trn_intc_nx_trigger(int engine, bool fatal)
{
    static const char *const names[TRN_ENGINES] = {"pe", "act", "pool", "dve", "sp"};
    char name[32];
    snprintf(name, sizeof name, "%s_nx_interrupt_%d", names[engine], fatal);
    return trn_intc_trigger(name);
}

/* ---- the units of a core ---------------------------------------------------------------- */

static uint32_t *unit_words(struct trn_device *device, unsigned core, unsigned unit)
{
    char path[TRN_BLOCK_PATH_BYTES];
    struct trn_region *region = NULL;
    snprintf(path, sizeof path, "core%u.trig%u", core, unit);
    const struct trn_block *block = trn_block_find(device->gen, path);
    if (!block || trn_region_make(device, block->bar0, &region) != TRN_OK || !region)
        return NULL;
    return region->words;
}

static void look(struct trn_tpb *tpb)
{
    const struct trn_gen *gen = tpb->device->gen;
    struct trn_intc *intc = &tpb->intc;
    const struct trn_reg_row *cause = trn_reg_find(gen, TRN_INTC_BLOCK ".int_cause_grp", NULL);
    const struct trn_reg_row *status = trn_reg_find(gen, TRN_INTC_BLOCK ".int_status_grp", NULL);
    const struct trn_reg_row *bypass = trn_reg_find(gen, "tpb.intc_bypass.intc_bypass_0", NULL);
    intc->looked = true;
    if (!cause || !status)
        return;
    intc->cause = cause->offset;
    intc->status = status->offset;
    intc->group_stride = cause->stride[0];
    intc->has_bypass = bypass != NULL;
    intc->bypass = bypass ? bypass->offset : 0;
    for (unsigned unit = 0; unit < TRN_INTC_UNITS; unit++)
        intc->units[unit] = unit_words(tpb->device, tpb->number, unit);
}

static bool is_bypassed(const struct trn_tpb *tpb, unsigned trigger)
{
    return tpb->intc.has_bypass && tpb->file &&
           trn_bits_get(tpb->file[tpb->intc.bypass / 4 + trigger / WORD_BITS], trigger % WORD_BITS,
                        1);
}

/* The word of the group that another of its registers has. */
static uint32_t *sibling(const struct trn_gen *gen, uint32_t *words, const char *path,
                         unsigned group)
{
    const struct trn_reg_row *row = trn_reg_find(gen, path, NULL);
    return &words[trn_reg_offset(row, group, 0) / 4];
}

void trn_intc_tell(struct trn_device *device, unsigned core, uint32_t *words, unsigned input,
                   uint32_t causes)
{
    const unsigned group = input % OF_UNIT / WORD_BITS;
    if (device->interrupt &&
        (causes & ~*sibling(device->gen, words, TRN_INTC_BLOCK ".int_mask_grp", group)) != 0)
        device->interrupt(device->interrupt_context, core);
}

static void latch(uint32_t *word, unsigned bit)
{
    *word = (uint32_t)trn_bits_set(*word, bit, 1, 1);
}

void trn_intc_raise(struct trn_tpb *tpb, int trigger)
{
    const unsigned n = (unsigned)trigger;
    if (!tpb->intc.looked)
        look(tpb);
    if (trigger < 0 || n / OF_UNIT >= TRN_INTC_UNITS || is_bypassed(tpb, n))
        return;
    uint32_t *words = tpb->intc.units[n / OF_UNIT];
    if (!words)
        return;
    const unsigned group = n % OF_UNIT / WORD_BITS;
    const uint32_t at = group * tpb->intc.group_stride;
    latch(&words[(tpb->intc.cause + at) / 4], n % WORD_BITS);
    latch(&words[(tpb->intc.status + at) / 4], n % WORD_BITS);
    trn_intc_tell(tpb->device, tpb->number, words, n,
                  (uint32_t)trn_bits_set(0, n % WORD_BITS, 1, 1));
}

/* ---- registers --------------------------------------------------------------------------- */

enum role { PLAIN, CAUSE, CAUSE_SET, MASK_CLEAR };

static enum role role_of(const struct trn_gen *gen, uint32_t at, unsigned *group)
{
    static const struct {
        const char *name;
        enum role role;
    } roles[] = {{TRN_INTC_BLOCK ".int_cause_grp", CAUSE},
                 {TRN_INTC_BLOCK ".int_cause_set_grp", CAUSE_SET},
                 {TRN_INTC_BLOCK ".int_mask_clear_grp", MASK_CLEAR}};
    unsigned index[2] = {0, 0};
    const struct trn_reg_row *row = trn_reg_at(gen, TRN_INTC_BLOCK, at, index);
    *group = index[0];
    for (size_t i = 0; row && i < sizeof roles / sizeof roles[0]; i++)
        if (strcmp(row->path, roles[i].name) == 0)
            return roles[i].role;
    return PLAIN;
}

void trn_intc_write(const struct trn_reg_layout *layout, uint32_t *words, uint32_t at,
                    uint32_t value)
{
    unsigned group = 0;
    const enum role role = role_of(layout->gen, at, &group);
    words[at / 4] = trn_reg_written(&layout->words[at / 4], words[at / 4], value);
    switch (role) {
    case CAUSE:
        *sibling(layout->gen, words, TRN_INTC_BLOCK ".int_status_grp", group) &= value;
        break;
    case CAUSE_SET:
        *sibling(layout->gen, words, TRN_INTC_BLOCK ".int_cause_grp", group) |= value;
        *sibling(layout->gen, words, TRN_INTC_BLOCK ".int_status_grp", group) |= value;
        break;
    case MASK_CLEAR:
        *sibling(layout->gen, words, TRN_INTC_BLOCK ".int_mask_grp", group) &= value;
        break;
    case PLAIN:
        break;
    }
}

static bool unit_of(struct trn_tpb *tpb, const uint32_t *words, unsigned *unit)
{
    if (!tpb->intc.looked)
        look(tpb);
    for (*unit = 0; *unit < TRN_INTC_UNITS; ++*unit)
        if (tpb->intc.units[*unit] == words)
            return true;
    return false;
}

struct trn_tpb *trn_intc_injects(struct trn_device *device, const uint32_t *words, uint32_t at,
                                 unsigned *first_trigger)
{
    unsigned group = 0, unit = 0;
    if (role_of(device->gen, at, &group) != CAUSE_SET)
        return NULL;
    for (unsigned core = 0; core < TRN_MAX_CORES; core++)
        if (device->tpb[core] && unit_of(device->tpb[core], words, &unit)) {
            *first_trigger = unit * OF_UNIT + group * WORD_BITS;
            return device->tpb[core];
        }
    return NULL;
}
