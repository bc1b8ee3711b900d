/* SPDX-License-Identifier: Apache-2.0 */
/* LDWEIGHTS_MX and MATMUL_MX decoded (docs/hardware/pe-array.md 10.1, 10.4). */
#include "engine/pe/mx.h"
#include "isa_fields.h"

static trn_status read_tile(struct trn_exec *x, uint8_t row_grp, uint8_t col_grp, uint32_t rows,
                            uint32_t columns, struct trn_pe_word *out)
{
    out->name = trn_opcode_table[trn_common_opcode(x->word, x->gen->isa)].name;
    out->mode = TRN_PE_MX;
    const trn_status status = trn_pe_tile_of_groups(x, row_grp, col_grp, &out->tile);
    out->tile.rows = rows;
    out->tile.columns = columns;
    return status ? status : trn_pe_check_tile(x, &out->tile);
}

trn_status trn_pe_read_ldweights_mx(struct trn_exec *x, struct trn_pe_word *out)
{
    const uint8_t *word = x->word;
    const unsigned isa = x->gen->isa;
    *out = (struct trn_pe_word){.source = trn_smx1_lw_src_mem_pattern(word, isa),
                                .dtype = trn_smx1_lw_in_dtype(word, isa)};
    return read_tile(x, trn_smx1_lw_row_grp(word, isa), trn_smx1_lw_col_grp(word, isa),
                     trn_smx1_lw_num_active_rows(word, isa), trn_smx1_lw_num_active_cols(word, isa),
                     out);
}

trn_status trn_pe_read_matmul_mx(struct trn_exec *x, struct trn_pe_word *out)
{
    const uint8_t *word = x->word;
    const unsigned isa = x->gen->isa;
    const uint8_t cells = trn_smx1d3_mm_out_dtype(word, isa);
    *out =
        (struct trn_pe_word){.source = trn_smx1d3_mm_src_mem_pattern(word, isa),
                             .dtype = trn_smx1d3_mm_in_dtype(word, isa),
                             .result = trn_smx1d3_mm_dst_mem_pattern(word, isa),
                             .out_dtype = cells ? cells : TRN_DTYPE_FP32,
                             .group = trn_pe_group(trn_smx1d3_mm_psum_accumulate_flags(word, isa),
                                                   trn_smx1d3_mm_psum_zero_region(word, isa))};
    return read_tile(x, trn_smx1d3_mm_row_grp(word, isa), trn_smx1d3_mm_col_grp(word, isa),
                     trn_smx1d3_mm_num_active_rows(word, isa),
                     trn_smx1d3_mm_num_active_cols(word, isa), out);
}
