/* SPDX-License-Identifier: Apache-2.0 */
/* A pseudo word becomes one of the four real words (dge.md 4): a re-pack, because the small fields
 * lie elsewhere in each of them. */
#include "dma/dge.h"
#include "isa_fields.h"

/* Log text of the firmware is the message. */
static trn_status refuse(struct trn_diag *diag, const char *rule, const char *message)
{
    return trn_diag_set(diag, TRN_ERR_INVALID, NULL, rule, NULL, "%s", message);
}

static void copy(uint8_t *to, const uint8_t *from, size_t bytes)
{
    memcpy(to, from, bytes);
}

/* Header, events and length are where they are in every word. */
static void start(uint8_t out[TRN_INST_BYTES], const uint8_t *word, uint8_t opcode)
{
    enum { COMMON_BYTES = 12 };
    memset(out, 0, TRN_INST_BYTES);
    copy(out, word, COMMON_BYTES);
    out[0] = opcode;
}

/* 2: addresses, 8 bytes each; a NEFF variable must have been resolved before. */
static trn_status addresses(const struct trn_gen *gen, const uint8_t *word, struct trn_diag *diag)
{
    const uint8_t *const sides[] = {trn_pseudo_dma_direct2d_src_start_addr_bytes(word, gen->isa),
                                    trn_pseudo_dma_direct2d_dst_start_addr_bytes(word, gen->isa)};
    for (unsigned i = 0; i < TRN_DGE_SIDES; i++)
        if (trn_addr8_marker(sides[i], gen->isa) == TRN_ADDR8_MARKER_VAR_ID)
            return refuse(diag, "V2", "a NEFF variable has not been given an address");
    return TRN_OK;
}

static void direct2d(unsigned isa, const uint8_t *p, uint8_t *out)
{
    start(out, p, TRN_OPCODE_DMAMEMCPY);
    trn_dma_direct2d_dma_configs_priority_class_set(
        out, isa, trn_pseudo_dma_direct2d_dma_configs_priority_class(p, isa));
    trn_dma_direct2d_semaphore_set(out, isa, trn_pseudo_dma_direct2d_semaphore(p, isa));
    trn_dma_direct2d_sem_increment_set(out, isa, trn_pseudo_dma_direct2d_sem_increment(p, isa));
    trn_dma_direct2d_src_start_addr_set(out, isa, trn_pseudo_dma_direct2d_src_start_addr(p, isa));
    trn_dma_direct2d_src_step_elem_0_set(out, isa, trn_pseudo_dma_direct2d_src_step_elem_0(p, isa));
    trn_dma_direct2d_src_step_elem_1_set(out, isa, trn_pseudo_dma_direct2d_src_step_elem_1(p, isa));
    trn_dma_direct2d_src_num_elem_0_set(out, isa, trn_pseudo_dma_direct2d_src_num_elem_0(p, isa));
    trn_dma_direct2d_src_num_elem_1_set(out, isa, trn_pseudo_dma_direct2d_src_num_elem_1(p, isa));
    trn_dma_direct2d_src_elem_size_set(out, isa, trn_pseudo_dma_direct2d_src_elem_size(p, isa));
    trn_dma_direct2d_src_bound_reg_set(out, isa, trn_pseudo_dma_direct2d_src_bound_reg(p, isa));
    trn_dma_direct2d_dst_bound_reg_set(out, isa, trn_pseudo_dma_direct2d_dst_bound_reg(p, isa));
    trn_dma_direct2d_dst_start_addr_set(out, isa, trn_pseudo_dma_direct2d_dst_start_addr(p, isa));
    trn_dma_direct2d_dst_step_elem_0_set(out, isa, trn_pseudo_dma_direct2d_dst_step_elem_0(p, isa));
    trn_dma_direct2d_dst_step_elem_1_set(out, isa, trn_pseudo_dma_direct2d_dst_step_elem_1(p, isa));
    trn_dma_direct2d_dst_num_elem_0_set(out, isa, trn_pseudo_dma_direct2d_dst_num_elem_0(p, isa));
    trn_dma_direct2d_dst_num_elem_1_set(out, isa, trn_pseudo_dma_direct2d_dst_num_elem_1(p, isa));
    trn_dma_direct2d_dst_elem_size_set(out, isa, trn_pseudo_dma_direct2d_dst_elem_size(p, isa));
    trn_dma_direct2d_in_dtype_set(out, isa, trn_pseudo_dma_direct2d_in_dtype(p, isa));
    trn_dma_direct2d_out_dtype_set(out, isa, trn_pseudo_dma_direct2d_out_dtype(p, isa));
}

static void indirect(unsigned isa, const uint8_t *p, const uint8_t *e, uint8_t *out)
{
    start(out, p, TRN_OPCODE_DMA_INDIRECT);
    trn_dma_indirect1d_semaphore_set(out, isa, trn_pseudo_dma_direct2d_semaphore(p, isa));
    trn_dma_indirect1d_sem_increment_set(out, isa, trn_pseudo_dma_direct2d_sem_increment(p, isa));
    trn_dma_indirect1d_idx_num_active_channels_set(
        out, isa, trn_pseudo_dma_ext_idx_num_active_channels(e, isa));
    trn_dma_indirect1d_flags_indirect_mode_set(out, isa,
                                               trn_pseudo_dma_ext_flags_indirect_mode(e, isa));
    trn_dma_indirect1d_flags_idx_bound_is_err_set(
        out, isa, trn_pseudo_dma_ext_flags_idx_bound_is_err(e, isa));
    trn_dma_indirect1d_flags_non_unique_dst_idx_set(
        out, isa, trn_pseudo_dma_ext_flags_non_unique_dst_idx(e, isa));
    trn_dma_indirect1d_flags_gather_dim_set(out, isa, trn_pseudo_dma_ext_flags_gather_dim(e, isa));
    trn_dma_indirect1d_flags_scatter_dim_set(out, isa,
                                             trn_pseudo_dma_ext_flags_scatter_dim(e, isa));
    trn_dma_indirect1d_src_start_addr_set(out, isa, trn_pseudo_dma_direct2d_src_start_addr(p, isa));
    trn_dma_indirect1d_src_step_elem_set(out, isa, trn_pseudo_dma_direct2d_src_step_elem_0(p, isa));
    trn_dma_indirect1d_src_num_elem_set(out, isa, trn_pseudo_dma_direct2d_src_num_elem_0(p, isa));
    trn_dma_indirect1d_src_elem_size_set(out, isa, trn_pseudo_dma_direct2d_src_elem_size(p, isa));
    trn_dma_indirect1d_dst_start_addr_set(out, isa, trn_pseudo_dma_direct2d_dst_start_addr(p, isa));
    trn_dma_indirect1d_dst_step_elem_set(out, isa, trn_pseudo_dma_direct2d_dst_step_elem_0(p, isa));
    trn_dma_indirect1d_dst_num_elem_set(out, isa, trn_pseudo_dma_direct2d_dst_num_elem_0(p, isa));
    trn_dma_indirect1d_dst_elem_size_set(out, isa, trn_pseudo_dma_direct2d_dst_elem_size(p, isa));
    trn_dma_indirect1d_src_idx_start_addr_set(out, isa,
                                              trn_pseudo_dma_ext_src_idx_start_addr(e, isa));
    trn_dma_indirect1d_dst_idx_start_addr_set(out, isa,
                                              trn_pseudo_dma_ext_dst_idx_start_addr(e, isa));
    trn_dma_indirect1d_in_dtype_set(out, isa, trn_pseudo_dma_direct2d_in_dtype(p, isa));
    trn_dma_indirect1d_out_dtype_set(out, isa, trn_pseudo_dma_direct2d_out_dtype(p, isa));
    /* 4: the bounds of the pseudo word become index bounds */
    trn_dma_indirect1d_src_idx_bound_reg_set(out, isa,
                                             trn_pseudo_dma_direct2d_src_bound_reg(p, isa));
    trn_dma_indirect1d_dst_idx_bound_reg_set(out, isa,
                                             trn_pseudo_dma_direct2d_dst_bound_reg(p, isa));
    trn_dma_indirect1d_compute_op_set(out, isa, trn_pseudo_dma_ext_compute_op(e, isa));
    trn_dma_indirect1d_dma_configs_priority_class_set(
        out, isa, trn_pseudo_dma_direct2d_dma_configs_priority_class(p, isa));
}

static void transpose(unsigned isa, const uint8_t *p, const uint8_t *e, uint8_t *out)
{
    start(out, p, TRN_OPCODE_DMA_TRANSPOSE);
    trn_dma_direct2d_xpose_src_bound_reg_set(out, isa,
                                             trn_pseudo_dma_direct2d_src_bound_reg(p, isa));
    trn_dma_direct2d_xpose_dst_bound_reg_set(out, isa,
                                             trn_pseudo_dma_direct2d_dst_bound_reg(p, isa));
    trn_dma_direct2d_xpose_in_dtype_set(out, isa, trn_pseudo_dma_direct2d_in_dtype(p, isa));
    trn_dma_direct2d_xpose_out_dtype_set(out, isa, trn_pseudo_dma_direct2d_out_dtype(p, isa));
    trn_dma_direct2d_xpose_src_start_addr_set(out, isa,
                                              trn_pseudo_dma_direct2d_src_start_addr(p, isa));
    trn_dma_direct2d_xpose_src_step_elem_0_set(out, isa,
                                               trn_pseudo_dma_direct2d_src_step_elem_0(p, isa));
    trn_dma_direct2d_xpose_src_step_elem_1_set(out, isa,
                                               trn_pseudo_dma_direct2d_src_step_elem_1(p, isa));
    trn_dma_direct2d_xpose_src_num_elem_0_set(out, isa,
                                              trn_pseudo_dma_direct2d_src_num_elem_0(p, isa));
    trn_dma_direct2d_xpose_src_num_elem_1_set(out, isa,
                                              trn_pseudo_dma_direct2d_src_num_elem_1(p, isa));
    trn_dma_direct2d_xpose_tile_src_row_step_set(out, isa,
                                                 trn_pseudo_dma_ext_tile_src_row_step(e, isa));
    trn_dma_direct2d_xpose_dst_start_addr_set(out, isa,
                                              trn_pseudo_dma_direct2d_dst_start_addr(p, isa));
    trn_dma_direct2d_xpose_dst_step_elem_0_set(out, isa,
                                               trn_pseudo_dma_direct2d_dst_step_elem_0(p, isa));
    trn_dma_direct2d_xpose_dst_step_elem_1_set(out, isa,
                                               trn_pseudo_dma_direct2d_dst_step_elem_1(p, isa));
    trn_dma_direct2d_xpose_dst_num_elem_0_set(out, isa,
                                              trn_pseudo_dma_direct2d_dst_num_elem_0(p, isa));
    trn_dma_direct2d_xpose_dst_num_elem_1_set(out, isa,
                                              trn_pseudo_dma_direct2d_dst_num_elem_1(p, isa));
    trn_dma_direct2d_xpose_tile_src_rows_set(out, isa, trn_pseudo_dma_ext_tile_src_rows(e, isa));
    trn_dma_direct2d_xpose_tile_src_cols_set(out, isa, trn_pseudo_dma_ext_tile_src_cols(e, isa));
    trn_dma_direct2d_xpose_semaphore_set(out, isa, trn_pseudo_dma_direct2d_semaphore(p, isa));
    trn_dma_direct2d_xpose_dma_configs_priority_class_set(
        out, isa, trn_pseudo_dma_direct2d_dma_configs_priority_class(p, isa));
}

static void gather_transpose(unsigned isa, const uint8_t *p, const uint8_t *e, uint8_t *out)
{
    start(out, p, TRN_OPCODE_DMA_GATHER_TRANSPOSE);
    trn_dma_gather_xpose_semaphore_set(out, isa, trn_pseudo_dma_direct2d_semaphore(p, isa));
    trn_dma_gather_xpose_dma_configs_priority_class_set(
        out, isa, trn_pseudo_dma_direct2d_dma_configs_priority_class(p, isa));
    trn_dma_gather_xpose_idx_num_active_channels_set(
        out, isa, trn_pseudo_dma_ext_idx_num_active_channels(e, isa));
    trn_dma_gather_xpose_src_idx_bound_reg_set(out, isa,
                                               trn_pseudo_dma_direct2d_src_bound_reg(p, isa));
    trn_dma_gather_xpose_src_start_addr_set(out, isa,
                                            trn_pseudo_dma_direct2d_src_start_addr(p, isa));
    trn_dma_gather_xpose_src_step_elem_0_set(out, isa,
                                             trn_pseudo_dma_direct2d_src_step_elem_0(p, isa));
    trn_dma_gather_xpose_src_step_elem_1_set(out, isa,
                                             trn_pseudo_dma_direct2d_src_step_elem_1(p, isa));
    trn_dma_gather_xpose_src_num_elem_0_set(out, isa,
                                            trn_pseudo_dma_direct2d_src_num_elem_0(p, isa));
    trn_dma_gather_xpose_src_num_elem_1_set(out, isa,
                                            trn_pseudo_dma_direct2d_src_num_elem_1(p, isa));
    trn_dma_gather_xpose_src_idx_start_addr_set(out, isa,
                                                trn_pseudo_dma_ext_src_idx_start_addr(e, isa));
    trn_dma_gather_xpose_dst_start_addr_set(out, isa,
                                            trn_pseudo_dma_direct2d_dst_start_addr(p, isa));
    trn_dma_gather_xpose_dst_bound_reg_set(out, isa, trn_pseudo_dma_direct2d_dst_bound_reg(p, isa));
    trn_dma_gather_xpose_dst_step_elem_1_set(out, isa,
                                             trn_pseudo_dma_direct2d_dst_step_elem_1(p, isa));
    trn_dma_gather_xpose_dst_num_elem_0_set(out, isa,
                                            trn_pseudo_dma_direct2d_dst_num_elem_0(p, isa));
    trn_dma_gather_xpose_dst_num_elem_1_set(out, isa,
                                            trn_pseudo_dma_direct2d_dst_num_elem_1(p, isa));
    trn_dma_gather_xpose_elem_size_set(out, isa, trn_pseudo_dma_direct2d_src_elem_size(p, isa));
    trn_dma_gather_xpose_dtype_set(
        out, isa,
        (uint8_t)trn_bits_set(trn_pseudo_dma_direct2d_in_dtype(p, isa), 4, 4,
                              trn_pseudo_dma_direct2d_out_dtype(p, isa)));
    trn_dma_gather_xpose_flags_gather_dim_set(out, isa,
                                              trn_pseudo_dma_ext_flags_gather_dim(e, isa));
}

trn_status trn_dge_lower(const struct trn_gen *gen, const uint8_t word[TRN_INST_BYTES],
                         const uint8_t *next_word, uint8_t out[TRN_INST_BYTES], unsigned *consumed,
                         struct trn_diag *diag)
{
    const uint8_t op = trn_pseudo_dma_direct2d_dge_op(word, gen->isa);
    *consumed = 1;
    if (addresses(gen, word, diag) != TRN_OK)
        return TRN_ERR_INVALID;
    if (op == TRN_DGE_OPCODE_DIRECT2D) {
        direct2d(gen->isa, word, out);
        return TRN_OK;
    }
    if (op > gen->dge_last_op)
        return trn_diag_set(diag, TRN_ERR_INVALID, NULL, "V26", NULL,
                            "Unsupported dynamic dma opcode %u", op);
    if (!next_word || next_word[0] != TRN_OPCODE_PSEUDO_EXTENSION)
        return refuse(diag, "V26",
                      "Pseudo dma indirect1d instruction must be followed by extension");
    *consumed = 2;
    if (op == TRN_DGE_OPCODE_INDIRECT1D)
        indirect(gen->isa, word, next_word, out);
    else if (op == TRN_DGE_OPCODE_TRANSPOSE)
        transpose(gen->isa, word, next_word, out);
    else
        gather_transpose(gen->isa, word, next_word, out);
    return TRN_OK;
}

/* 4 (model choice): the last legal address offset, or the last legal index. */
static uint64_t last_legal(uint64_t bytes, uint32_t elem_bytes, bool index)
{
    if (index)
        return bytes / elem_bytes ? bytes / elem_bytes - 1 : 0;
    return bytes >= elem_bytes ? bytes - elem_bytes : 0;
}

void trn_dge_bound_values(const struct trn_gen *gen, const uint8_t word[TRN_INST_BYTES],
                          const uint8_t *next_word, uint64_t values[TRN_DGE_SIDES])
{
    const unsigned isa = gen->isa;
    const uint8_t op = trn_pseudo_dma_direct2d_dge_op(word, isa);
    const uint16_t src = trn_pseudo_dma_direct2d_src_elem_size(word, isa);
    const uint16_t dst = trn_pseudo_dma_direct2d_dst_elem_size(word, isa);
    const uint64_t size[] = {
        trn_bits_set(trn_pseudo_dma_ext_src_bound_size_bytes(next_word, isa), 32, 32,
                     trn_pseudo_dma_ext_src_bound_size_bytes_upper(next_word, isa)),
        trn_bits_set(trn_pseudo_dma_ext_dst_bound_size_bytes(next_word, isa), 32, 32,
                     trn_pseudo_dma_ext_dst_bound_size_bytes_upper(next_word, isa))};
    const bool indexed = op == TRN_DGE_OPCODE_INDIRECT1D || op == TRN_DGE_OPCODE_GATHER_TRANSPOSE;
    values[TRN_DGE_SRC] = last_legal(size[0], src ? src : 65536, indexed);
    values[TRN_DGE_DST] = last_legal(size[1], dst ? dst : 65536, op == TRN_DGE_OPCODE_INDIRECT1D);
}
