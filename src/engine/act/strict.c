/* SPDX-License-Identifier: Apache-2.0 */
/* The strict choice act.strict: a word that would read a section which its function has not stored
 * is refused before it changes anything (docs/hardware/activation.md 5.2, ACT_SECTION_OOR). */
#include "act/sections.h"
#include "base/bytes.h"
#include "engine/act/words.h"
#include "engine/state.h"

static trn_status check_values(const struct trn_act_word *word,
                               const struct trn_act_sections *sections, uint32_t lane,
                               uint64_t first, const float *v, size_t n)
{
    char what[96];
    for (size_t i = 0; i < n; i++)
        if (!trn_act_section_stored(sections, v[i], what, sizeof what))
            return trn_exec_fault(word->x, TRN_FAULT_ILLEGAL_INSTRUCTION, "ACT_SECTION_OOR",
                                  "lane %u, element %llu: %.9g (%08x) reads no section of its "
                                  "function: %s",
                                  lane, (unsigned long long)first + i, (double)v[i],
                                  trn_f32_bits(v[i]), what);
    return TRN_OK;
}

static trn_status check_lane(const struct trn_act_word *word,
                             const struct trn_act_sections *sections, const struct trn_rows *src,
                             uint32_t lane)
{
    struct trn_tile tile;
    float v[TRN_TILE_BYTES / sizeof(float)];
    const struct trn_num_mode mode = trn_rows_mode(word->x, src, lane);
    const size_t step = trn_rows_tile(src);
    trn_status status = TRN_OK;
    size_t n;
    for (uint64_t first = 0; first < src->operand.count && status == TRN_OK; first += n) {
        const uint64_t left = src->operand.count - first;
        n = (size_t)(left < step ? left : step);
        trn_act_affine(word, lane, trn_rows_fetch(src, &mode, lane, first, n, &tile), v, n);
        status = check_values(word, sections, lane, first, v, n);
    }
    return status;
}

trn_status trn_act_check_sections(const struct trn_act_word *word, const struct trn_rows *src)
{
    if (!word->x->state->act.strict || word->formula)
        return TRN_OK;
    struct trn_act_sections sections;
    trn_act_sections_of(word->function, &sections);
    trn_status status = TRN_OK;
    for (uint32_t lane = 0; lane < src->operand.channels && status == TRN_OK; lane++)
        status = check_lane(word, &sections, src, lane);
    return status;
}
