/* SPDX-License-Identifier: Apache-2.0 */
/* The leaves of the dispatch object (docs/hardware/hal-stpb.md 8 to 12, 14, 16): one generic body
 * each over the generation's data. The registrars put the entry points below into their slots; the
 * orchestrators call the bodies. The calls of hal.h for notification blocks (with their slots),
 * sp_init, stpb_init, bringup and engine_has_step stand beside the leaves. */
#ifndef TRN_HAL_LEAVES_H
#define TRN_HAL_LEAVES_H

#include "hal/handle.h"

/* ---- entry points, one a slot (3.5) ---------------------------------------------------- */

/* Of type trn_hal_leaf; the name says the slot. */
#define TRN_LEAF(name)                                                                             \
    trn_status trn_leaf_##name(struct trn_hal *hal, const struct trn_hal_engine_config *config)
TRN_LEAF(pe_init);
TRN_LEAF(act_init);
TRN_LEAF(pooling_init);
TRN_LEAF(dve_init);

TRN_LEAF(pe_regs_init);
TRN_LEAF(act_regs_init);
TRN_LEAF(pooling_regs_init);
TRN_LEAF(dve_regs_init);
TRN_LEAF(sp_regs_init);

TRN_LEAF(pe_ucode_seq_init);
TRN_LEAF(act_ucode_seq_init);
TRN_LEAF(pooling_ucode_seq_init);
TRN_LEAF(dve_ucode_seq_init);
TRN_LEAF(sp_ucode_seq_init);

/* Without the decoder (SUNDA) they return 0 and touch nothing. */
TRN_LEAF(pe_hw_decode_table_init);
TRN_LEAF(act_hw_decode_table_init);
TRN_LEAF(pooling_hw_decode_table_init); /* SUNDA's registrar leaves its slot empty */
TRN_LEAF(dve_hw_decode_table_init);

TRN_LEAF(pe_dma_init);
TRN_LEAF(act_dma_init);
TRN_LEAF(pooling_dma_init);
TRN_LEAF(dve_dma_init);
TRN_LEAF(sp_dma_init);

TRN_LEAF(pe_release_run_stall);
TRN_LEAF(act_release_run_stall);
TRN_LEAF(pooling_release_seq_run_stall);
TRN_LEAF(pooling_release_eng_run_stall);
TRN_LEAF(dve_release_run_stall);
TRN_LEAF(sp_release_run_stall);

/* Slots 2E8, 210, 330, 200 and 6D0. */
typedef trn_status trn_hal_debug_level_leaf(struct trn_hal *hal, uint64_t mem, uint64_t regs,
                                            uint32_t level);
trn_hal_debug_level_leaf trn_leaf_pe_instr_debug_level_set;
trn_hal_debug_level_leaf trn_leaf_act_instr_debug_level_set;
trn_hal_debug_level_leaf trn_leaf_pool_instr_debug_level_set;
trn_hal_debug_level_leaf trn_leaf_dve_instr_debug_level_set;
trn_hal_debug_level_leaf trn_leaf_sp_instr_debug_level_set;

/* Slot 3A8. */
typedef trn_status trn_hal_q7_init_leaf(struct trn_hal *hal, uint64_t mem, uint64_t image_base,
                                        const struct trn_hal_ucode *images,
                                        trn_hal_memcpy_fn memcpy_fn, void *cookie, uint32_t owner);
trn_hal_q7_init_leaf trn_leaf_q7_ucode_eng_init;

/* Slots 3B0 and 440; configure and enable have slots of the ring operations 408 to 478. */
typedef trn_status trn_hal_notific_init_leaf(struct trn_hal *hal, struct trn_hal_notific *notific,
                                             uint32_t num_queues, uint32_t bp_mode,
                                             uint32_t uart_mode, uint64_t base);
trn_hal_notific_init_leaf trn_leaf_notific_init;
typedef trn_status trn_hal_nq_reset_leaf(struct trn_hal *hal, struct trn_hal_notific *notific,
                                         unsigned eng_index, unsigned queue);
trn_hal_nq_reset_leaf trn_leaf_nq_reset;
typedef trn_status trn_hal_nq_init_leaf(struct trn_hal *hal, struct trn_hal_notific *notific,
                                        unsigned eng_index, unsigned queue,
                                        const struct trn_hal_nq *nq);
trn_hal_nq_init_leaf trn_leaf_nq_init;
typedef trn_status trn_hal_nq_enable_leaf(struct trn_hal *hal, struct trn_hal_notific *notific,
                                          unsigned eng_index, unsigned queue, bool ignore_full);
trn_hal_nq_enable_leaf trn_leaf_nq_enable;
/* Slots 3C8 and 3D8: masked updates of the cached shadows (16.1, 18 item 14). */
typedef trn_status trn_hal_notific_mask_leaf(struct trn_hal *hal, struct trn_hal_notific *notific,
                                             uint64_t mask, uint64_t value);
trn_hal_notific_mask_leaf trn_leaf_notific_update_wr_buf_enable;
trn_hal_notific_mask_leaf trn_leaf_notific_update_hw_bp;

/* ---- bodies, by engine number ------------------------------------------------------------ */

trn_status trn_hal_body_regs_init(struct trn_hal *hal, int engine,
                                  const struct trn_hal_engine_config *config);
trn_status trn_hal_body_ucode_seq_init(struct trn_hal *hal, int engine,
                                       const struct trn_hal_engine_config *config);
trn_status trn_hal_body_hw_decode_table_init(struct trn_hal *hal, int engine,
                                             const struct trn_hal_engine_config *config);
trn_status trn_hal_body_dma_init(struct trn_hal *hal, int engine,
                                 const struct trn_hal_engine_config *config);
/* The sequencer's stall, then (POOL) that of its Q7 cores. */
trn_status trn_hal_body_release_run_stall(struct trn_hal *hal, int engine,
                                          const struct trn_hal_engine_config *config);
trn_status trn_hal_body_release_eng_run_stall(struct trn_hal *hal, int engine,
                                              const struct trn_hal_engine_config *config);
trn_status trn_hal_body_instr_debug_level_set(struct trn_hal *hal, int engine, uint64_t mem,
                                              uint64_t regs, uint32_t level);

/* From here on steps are this owner's. */
void trn_hal_at_engine(struct trn_hal *hal, int engine, const struct trn_hal_engine_config *config);
void trn_hal_at_core(struct trn_hal *hal, unsigned core);
/* Announce a step; a non-zero answer is one error line that names owner, step and code (F36). */
trn_status trn_hal_begin(struct trn_hal *hal, enum trn_hal_step step);

/* The steps of an engine's orchestrator without its first log line. */
trn_status trn_hal_run_chain(struct trn_hal *hal, int engine,
                             const struct trn_hal_engine_config *config);

/* Windows and the core's base in the flat local block (10: "opens all windows"). */
trn_status trn_hal_init_nx_registers(struct trn_hal *hal, uint64_t local, uint64_t core_address);

/* The pool-arbiter chicken bit as the DVE chain sets it (9.6 c, 8.1). */
trn_status trn_hal_set_chicken_bit(struct trn_hal *hal, uint64_t regs);

/* "PE", "ACT", "POOL", "DVE", "SP": the names in tags and texts (10, 11). */
const char *trn_hal_engine_tag(int engine);

/* Function that a log line names: "aws_hal_stpb_cayman_pooling_" and `step`. */
struct trn_hal_function {
    char name[64];
};
struct trn_hal_function trn_hal_function(const struct trn_hal *hal, int engine, const char *step);

#endif
