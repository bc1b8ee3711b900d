/* SPDX-License-Identifier: Apache-2.0 */
/* LDWEIGHTS and MATMUL words from a few values; tests change single fields afterwards. */
#ifndef TESTS_ENGINE_PE_WORDS_H
#define TESTS_ENGINE_PE_WORDS_H

#include <string.h>

#include "isa_fields.h"
#include "trench/enums.h"
#include "trench/gen.h"

struct pe_pattern {
    uint32_t address;
    int16_t step[3]; /* all 0: adjacent elements of one dimension */
    uint16_t num[3]; /* 0: 1 */
};

struct pe_spec {
    uint8_t dtype, fp32_mode;
    uint8_t rows, columns;
    uint8_t row_grp, col_grp;                     /* v2..v4; 0: all */
    uint8_t row_size, col_size, row_sel, col_sel; /* v5 */
    struct pe_pattern src, dst;
    uint8_t flags; /* psum_accumulate_flags; v5: flags.accumulate */
};

static inline void pe_put_pattern(uint8_t *bytes, unsigned isa, const struct pe_pattern *pattern)
{
    const bool plain = !pattern->step[0] && !pattern->step[1] && !pattern->step[2];
    trn_pattern3d_start_addr_set(bytes, isa, pattern->address);
    for (int i = 0; i < 3; i++) {
        const int16_t step = plain ? 1 : pattern->step[i];
        trn_put16(trn_pattern3d_step_elem_ref(bytes, isa) + 2 * i, (uint16_t)step);
        trn_put16(trn_pattern3d_num_elem_ref(bytes, isa) + 2 * i,
                  pattern->num[i] ? pattern->num[i] : 1);
    }
}

static inline uint8_t pe_xbus(uint8_t col_grp)
{
    return col_grp == TRN_PE_GROUP_ALL                                ? TRN_XBUS_SEL_FOR_ALL
           : col_grp == TRN_PE_GROUP_Q1                               ? TRN_XBUS_SEL_FOR_Q1
           : col_grp == TRN_PE_GROUP_Q2 || col_grp == TRN_PE_GROUP_H1 ? TRN_XBUS_SEL_FOR_Q2_OR_H1
                                                                      : TRN_XBUS_SEL_FOR_Q0_OR_H0;
}

#define PE_PUT_COMMON(layout)                                                                      \
    do {                                                                                           \
        memset(word, 0, 64);                                                                       \
        trn_common_inst_word_len_set(word, isa, 0x10);                                             \
        pe_put_pattern(trn_##layout##_src_mem_pattern_ref(word, isa), isa, &spec->src);            \
        trn_##layout##_in_dtype_set(word, isa, spec->dtype);                                       \
        trn_##layout##_fp32_mode_set(word, isa, spec->fp32_mode);                                  \
        trn_##layout##_num_active_rows_set(word, isa, spec->rows);                                 \
        trn_##layout##_num_active_cols_set(word, isa, spec->columns);                              \
        if (trn_##layout##_row_grp_present(isa)) {                                                 \
            const uint8_t col_grp = spec->col_grp ? spec->col_grp : TRN_PE_GROUP_ALL;              \
            trn_##layout##_row_grp_set(word, isa,                                                  \
                                       spec->row_grp ? spec->row_grp : TRN_PE_GROUP_ALL);          \
            trn_##layout##_col_grp_set(word, isa, col_grp);                                        \
            if (trn_##layout##_xbus_sel_present(isa))                                              \
                trn_##layout##_xbus_sel_set(word, isa, pe_xbus(col_grp));                          \
        } else {                                                                                   \
            trn_##layout##_tile_size_row_size_set(                                                 \
                word, isa, spec->row_size ? spec->row_size : TRN_TILE_ROW_SIZE_R128);              \
            trn_##layout##_tile_size_col_size_set(                                                 \
                word, isa, spec->col_size ? spec->col_size : TRN_TILE_COL_SIZE_C128);              \
            trn_##layout##_tile_sel_row_sel_set(word, isa, spec->row_sel);                         \
            trn_##layout##_tile_sel_col_sel_set(word, isa, spec->col_sel);                         \
        }                                                                                          \
    } while (0)

static inline void pe_ldweights(const struct trn_gen *gen, const struct pe_spec *spec,
                                uint8_t word[64])
{
    const unsigned isa = gen->isa;
    PE_PUT_COMMON(s3_lw);
    trn_common_opcode_set(word, isa, TRN_OPCODE_LDWEIGHTS);
}

static inline void pe_matmul(const struct trn_gen *gen, const struct pe_spec *spec,
                             uint8_t word[64])
{
    const unsigned isa = gen->isa;
    PE_PUT_COMMON(s3d3_mm);
    trn_common_opcode_set(word, isa, TRN_OPCODE_MATMUL);
    pe_put_pattern(trn_s3d3_mm_dst_mem_pattern_ref(word, isa), isa, &spec->dst);
    if (trn_s3d3_mm_psum_accumulate_flags_present(isa))
        trn_s3d3_mm_psum_accumulate_flags_set(word, isa, spec->flags);
    else
        trn_s3d3_mm_flags_accumulate_set(word, isa, spec->flags);
}

#endif
