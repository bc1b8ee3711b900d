/* SPDX-License-Identifier: Apache-2.0 */
/* Causes of a DMA engine are inputs of its user error-trigger unit (docs/hardware/udma.md 9.4 and
 * 15, notific.md 6.3). */
#include <stdio.h>

#include "base/bytes.h"
#include "device/core.h"
#include "device/dma.h"
#include "device/intc.h"

enum { WORD_BITS = 32, INPUTS = 128 };

static uint32_t *unit_of(struct trn_device *device, unsigned number)
{
    char path[TRN_BLOCK_PATH_BYTES];
    struct trn_region *region = NULL;
    snprintf(path, sizeof path, "dma%u.fis", number);
    const struct trn_block *block = trn_block_find(device->gen, path);
    if (!block || trn_region_make(device, block->bar0, &region) != TRN_OK || !region)
        return NULL;
    return region->words;
}

static void latch(const struct trn_gen *gen, uint32_t *words, const char *path, unsigned input)
{
    const struct trn_reg_row *row = trn_reg_find(gen, path, NULL);
    if (!row)
        return;
    uint32_t *word = &words[trn_reg_offset(row, input / WORD_BITS, 0) / sizeof *words];
    *word = (uint32_t)trn_bits_set(*word, input % WORD_BITS, 1, 1);
}

/* The core an engine stands beside; an engine that stands beside none has no unit. */
static unsigned core_of(const struct trn_wired_udma *wired)
{
    return wired->number / wired->device->gen->dma_engines_per_core;
}

void trn_dma_cause(void *context, unsigned half, uint32_t causes)
{
    const struct trn_wired_udma *wired = context;
    const struct trn_gen *gen = wired->device->gen;
    const unsigned first = half == 0 ? gen->udma_trigger_a : half == 1 ? gen->udma_trigger_b : 0;
    uint32_t *words = first ? unit_of(wired->device, wired->number) : NULL;
    if (!words)
        return;
    wired->device->choices.count[TRN_CHOICE_UDMA_TRIGGER]++;
    for (unsigned bit = 0; bit < WORD_BITS; bit++)
        if (trn_bits_get(causes, bit, 1) && first + bit < INPUTS) {
            latch(gen, words, TRN_INTC_BLOCK ".int_cause_grp", first + bit);
            latch(gen, words, TRN_INTC_BLOCK ".int_status_grp", first + bit);
            trn_intc_tell(wired->device, core_of(wired), words, first + bit,
                          (uint32_t)trn_bits_set(0, (first + bit) % WORD_BITS, 1, 1));
        }
}
