/* SPDX-License-Identifier: Apache-2.0 */
/* What the three registrars put into the dispatch object (docs/hardware/hal-stpb.md 3.1, 3.5). One
 * body serves every arch that a row names; what differs inside is data of the generation. */
#include "hal/accessors.h"
#include "hal/handle.h"
#include "hal/leaves.h"

#define V2  TRN_KHAL_ARCH(2) /* SUNDA */
#define V3  TRN_KHAL_ARCH(3) /* CAYMAN */
#define V4  TRN_KHAL_ARCH(4) /* MARIANA and MARIANA_PLUS */
#define ALL (V2 | V3 | V4)

#define FILL(at, which, function)                                                                  \
    {                                                                                              \
        .offset = (at), .archs = (which), .leaf = (void (*)(void))(function)                       \
    }

static const struct trn_khal_fill fills[] = {
    /* remote DMA: error stubs where they exist (3.3) */
    FILL(0x008, V4, trn_leaf_rdm_get_dma_eng_id),
    FILL(0x010, V4, trn_leaf_rdm_init),
    FILL(0x018, V4, trn_leaf_rdm_get_target_address),
    /* getters of more than one number */
    FILL(0x0B0, ALL, trn_leaf_get_seq_params),
    FILL(0x0B8, ALL, trn_leaf_get_q7_params),
    FILL(0x0C8, ALL, trn_leaf_get_hw_decode_params),
    FILL(0x0F0, ALL, trn_leaf_get_xt_local_reg_offset),
    /* getters of one number an index */
    FILL(0x040, ALL, trn_leaf_get_param),
    FILL(0x048, ALL, trn_leaf_get_param),
    FILL(0x050, ALL, trn_leaf_get_param),
    FILL(0x058, ALL, trn_leaf_get_param),
    FILL(0x060, ALL, trn_leaf_get_param),
    FILL(0x068, ALL, trn_leaf_get_param),
    FILL(0x070, ALL, trn_leaf_get_param),
    FILL(0x078, ALL, trn_leaf_get_param),
    FILL(0x080, ALL, trn_leaf_get_param),
    FILL(0x088, ALL, trn_leaf_get_param),
    FILL(0x090, ALL, trn_leaf_get_param),
    FILL(0x098, ALL, trn_leaf_get_param),
    FILL(0x0A0, ALL, trn_leaf_get_param),
    FILL(0x0A8, ALL, trn_leaf_get_param),
    FILL(0x0C0, ALL, trn_leaf_get_param),
    FILL(0x0E0, ALL, trn_leaf_get_param),
    FILL(0x0E8, ALL, trn_leaf_get_param),
    FILL(0x0F8, ALL, trn_leaf_get_param),
    FILL(0x100, ALL, trn_leaf_get_param),
    FILL(0x108, ALL, trn_leaf_get_param),
    /* local registers */
    FILL(0x170, ALL, trn_leaf_nx_write_start_ctrl),
    FILL(0x188, ALL, trn_leaf_nx_read_run_state),
    /* DVE: accessors and tables */
    FILL(0x1F8, ALL, trn_leaf_dve_reset_rng_seed),
    FILL(0x230, ALL, trn_leaf_dve_write_stochastic_rnd),
    FILL(0x238, ALL, trn_leaf_dve_write_stochastic_rnd_mode),
    FILL(0x240, ALL, trn_leaf_dve_set_force_rspcomb_eight_deep),
    FILL(0x248, ALL, trn_leaf_dve_get_offset_force_rspcomb_eight_deep),
    FILL(0x278, ALL, trn_leaf_dve_get_timestamp_inc),
    FILL(0x298, ALL, trn_leaf_dve_write_parameter_ram),
    FILL(0x2A0, ALL, trn_leaf_dve_write_tables),
    /* DVE: chain */
    FILL(0x200, ALL, trn_leaf_dve_instr_debug_level_set),
    FILL(0x208, ALL, trn_leaf_dve_regs_init),
    FILL(0x280, ALL, trn_leaf_dve_ucode_seq_init),
    FILL(0x288, ALL, trn_leaf_dve_release_run_stall),
    FILL(0x290, ALL, trn_leaf_dve_dma_init),
    FILL(0x2A8, ALL, trn_leaf_dve_hw_decode_table_init),
    FILL(0x2B0, ALL, trn_leaf_dve_init),
    /* ACT: chain */
    FILL(0x210, ALL, trn_leaf_act_instr_debug_level_set),
    FILL(0x218, ALL, trn_leaf_act_regs_init),
    FILL(0x2B8, ALL, trn_leaf_act_ucode_seq_init),
    FILL(0x2C0, ALL, trn_leaf_act_release_run_stall),
    FILL(0x2C8, ALL, trn_leaf_act_dma_init),
    FILL(0x2D0, ALL, trn_leaf_act_load_local),
    FILL(0x2D8, ALL, trn_leaf_act_hw_decode_table_init),
    FILL(0x2E0, ALL, trn_leaf_act_init),
    /* PE: chain */
    FILL(0x2E8, ALL, trn_leaf_pe_instr_debug_level_set),
    FILL(0x2F0, ALL, trn_leaf_pe_regs_init),
    FILL(0x2F8, ALL, trn_leaf_pe_ucode_seq_init),
    FILL(0x300, ALL, trn_leaf_pe_release_run_stall),
    FILL(0x308, ALL, trn_leaf_pe_dma_init),
    FILL(0x310, ALL, trn_leaf_pe_hw_decode_table_init),
    FILL(0x318, ALL, trn_leaf_pe_init),
    FILL(0x320, ALL, trn_leaf_pe_get_timestamp_inc),
    /* POOL: chain; SUNDA leaves the decode slot empty on purpose (3.3) */
    FILL(0x330, ALL, trn_leaf_pool_instr_debug_level_set),
    FILL(0x338, ALL, trn_leaf_pooling_regs_init),
    FILL(0x340, ALL, trn_leaf_pooling_ucode_seq_init),
    FILL(0x348, ALL, trn_leaf_pooling_release_seq_run_stall),
    FILL(0x350, ALL, trn_leaf_pooling_release_eng_run_stall),
    FILL(0x358, ALL, trn_leaf_pooling_dma_init),
    FILL(0x360, V3 | V4, trn_leaf_pooling_hw_decode_table_init),
    FILL(0x368, ALL, trn_leaf_pooling_init),
    FILL(0x390, ALL, trn_leaf_swap_table),
    FILL(0x398, ALL, trn_leaf_swap_table_get_register_offsets),
    FILL(0x3A0, ALL, trn_leaf_swap_file_io_table),
    FILL(0x3A8, ALL, trn_leaf_q7_ucode_eng_init),
    /* DGE */
    FILL(0x370, ALL, trn_leaf_set_dge_dma_mapping),
    FILL(0x378, ALL, trn_leaf_get_dge_dma_mapping),
    FILL(0x380, ALL, trn_leaf_set_dge_carveout),
    FILL(0x388, ALL, trn_leaf_get_dge_carveout),
    /* notification blocks */
    FILL(0x3B0, ALL, trn_leaf_notific_init),
    FILL(0x3C8, ALL, trn_leaf_notific_update_wr_buf_enable),
    FILL(0x3D8, ALL, trn_leaf_notific_update_hw_bp),
    FILL(0x408, ALL, trn_leaf_nq_init),
    FILL(0x410, ALL, trn_leaf_nq_enable),
    FILL(0x440, ALL, trn_leaf_nq_reset),
    /* SP and TopSP: chain */
    FILL(0x6D0, ALL, trn_leaf_sp_instr_debug_level_set),
    FILL(0x6E0, ALL, trn_leaf_sp_regs_init),
    FILL(0x6E8, ALL, trn_leaf_sp_ucode_seq_init),
    FILL(0x6F0, ALL, trn_leaf_sp_release_run_stall),
    FILL(0x738, ALL, trn_leaf_sp_dma_init),
    /* TopSP: signals; SP: programs */
    FILL(0x6F8, ALL, trn_leaf_topsp_signal),
    FILL(0x700, ALL, trn_leaf_topsp_signal),
    FILL(0x708, ALL, trn_leaf_topsp_signal),
    FILL(0x710, ALL, trn_leaf_topsp_signal_offset),
    FILL(0x718, ALL, trn_leaf_topsp_signal),
    FILL(0x720, ALL, trn_leaf_topsp_signal_offset),
    FILL(0x728, ALL, trn_leaf_topsp_signal_offset),
    FILL(0x740, ALL, trn_leaf_sp_program_start),
    FILL(0x748, ALL, trn_leaf_sp_check_run_state),
};

const struct trn_khal_fill *trn_hal_registrar(size_t *count)
{
    *count = sizeof fills / sizeof fills[0];
    return fills;
}
