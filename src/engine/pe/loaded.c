/* SPDX-License-Identifier: Apache-2.0 */
/* What the cells of the array were loaded with (pe-array.md 4, 6). */
#include "engine/pe/pe.h"
#include "engine/state.h"

enum trn_pe_loaded trn_pe_class(const struct trn_pe_word *word)
{
    switch (word->mode) {
    case TRN_PE_INTEGER:
        return TRN_PE_LOADED_INTEGER;
    case TRN_PE_DOUBLE_ROW:
        return TRN_PE_LOADED_PAIRS;
    case TRN_PE_TRANSPOSE:
    case TRN_PE_SEED: /* which are loaded by a transpose */
        return trn_dtype_size(word->dtype) == 1   ? TRN_PE_LOADED_BITS8
               : trn_dtype_size(word->dtype) == 2 ? TRN_PE_LOADED_BITS16
                                                  : TRN_PE_LOADED_BITS32;
    case TRN_PE_MX:
        return TRN_PE_LOADED_MX;
    default:
        return word->fp32_mode == TRN_PE_FP32MODE_NONE ? TRN_PE_LOADED_NARROW : TRN_PE_LOADED_FP32;
    }
}

static const char *class_name(enum trn_pe_loaded loaded)
{
    static const char *const names[] = {
        [TRN_PE_LOADED_NOTHING] = "nothing",
        [TRN_PE_LOADED_NARROW] = "floating-point values that are not FP32",
        [TRN_PE_LOADED_FP32] = "FP32 values",
        [TRN_PE_LOADED_INTEGER] = "UINT8 values",
        [TRN_PE_LOADED_PAIRS] = "pairs of a double row",
        [TRN_PE_LOADED_BITS8] = "8-bit elements to transpose",
        [TRN_PE_LOADED_BITS16] = "16-bit elements to transpose",
        [TRN_PE_LOADED_BITS32] = "32-bit elements to transpose",
        [TRN_PE_LOADED_MX] = "MX values",
    };
    return names[loaded];
}

void trn_pe_note_loaded(struct trn_pe_state *pe, const struct trn_pe_word *word)
{
    const struct trn_pe_tile *tile = &word->tile;
    for (uint32_t r = 0; r < tile->tile_rows; r += TRN_PE_QUADRANT)
        for (uint32_t c = 0; c < tile->tile_columns; c += TRN_PE_QUADRANT)
            pe->loaded[(tile->row + r) / TRN_PE_QUADRANT][(tile->column + c) / TRN_PE_QUADRANT] =
                (uint8_t)trn_pe_class(word);
}

trn_status trn_pe_check_loaded(struct trn_exec *x, const struct trn_pe_word *word)
{
    const struct trn_pe_state *pe = &x->state->pe;
    const struct trn_pe_tile *tile = &word->tile;
    const enum trn_pe_loaded wanted = trn_pe_class(word);
    bool missing = false;
    for (uint32_t r = 0; r < tile->rows; r += TRN_PE_QUADRANT)
        for (uint32_t c = 0; c < tile->columns; c += TRN_PE_QUADRANT) {
            const uint8_t loaded =
                pe->loaded[(tile->row + r) / TRN_PE_QUADRANT][(tile->column + c) / TRN_PE_QUADRANT];
            if (loaded != wanted && loaded != TRN_PE_LOADED_NOTHING)
                return trn_exec_fault(x, TRN_FAULT_ILLEGAL_INSTRUCTION, "pe_loaded_class",
                                      "%s: the word multiplies %s, but row %u, column %u of the "
                                      "array on holds %s",
                                      word->name, class_name(wanted), tile->row + r,
                                      tile->column + c, class_name((enum trn_pe_loaded)loaded));
            missing |= loaded == TRN_PE_LOADED_NOTHING;
        }
    if (missing)
        trn_exec_choice(x, TRN_CHOICE_PE_UNLOADED);
    return TRN_OK;
}
