/* SPDX-License-Identifier: Apache-2.0 */
/* Words that l32r reaches are data, whatever they look like (field case F42). */
#include "base/bytes.h"
#include "fw/xtensa_sweep.h"

enum { PASSES = 4 }; /* a pool that hid a function may hide more of them: model choice */

/* Marks a word; false when it was marked already or is not whole inside the code. */
static bool mark(struct trn_xtensa_sweep *sweep, uint32_t address)
{
    const struct trn_xtensa_code *const code = sweep->code;
    const uint64_t offset = (uint64_t)address - code->base;
    if (address < code->base || address % 4 != 0 || offset + 4 > code->size)
        return false;
    const uint64_t word = (code->base % 4 + offset) / 4;
    uint8_t *const byte = &sweep->literal[word / 8];
    if (trn_bits_get(*byte, word % 8, 1))
        return false;
    *byte = (uint8_t)trn_bits_set(*byte, word % 8, 1, 1);
    return true;
}

/* A label inside the word says that it is code. */
static bool is_labelled(const struct trn_xtensa_code *code, uint32_t address)
{
    size_t low = 0, high = code->num_labels;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (code->label[middle] < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < code->num_labels && code->label[low] - address < 4;
}

/* One sweep; how many new literals it found. Only an l32r in step with certain code counts: one
 * that is read out of step would turn code into data. */
static uint64_t pass(struct trn_xtensa_sweep *sweep)
{
    struct trn_xtensa_item item;
    uint64_t found = 0;
    uint32_t target;
    trn_xtensa_rewind(sweep);
    while (trn_xtensa_sweep_next(sweep, &item))
        if (item.kind == TRN_XTENSA_ITEM_CODE && sweep->in_step && !item.is_pending &&
            trn_xtensa_class_of(&item.insn) == TRN_XTENSA_CLASS_LOAD_LITERAL &&
            trn_xtensa_target(&item.insn, &target) && target < item.address &&
            item.address - target >= 4 && !is_labelled(sweep->code, target))
            found += mark(sweep, target);
    return found;
}

void trn_xtensa_find_literals(struct trn_xtensa_sweep *sweep)
{
    for (int i = 0; i < PASSES; i++)
        if (pass(sweep) == 0)
            return;
}
