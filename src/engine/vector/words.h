/* SPDX-License-Identifier: Apache-2.0 */
/* The vector words of this version, one handler a family of opcodes (handler contract: exec.h). */
#ifndef TRN_ENGINE_VECTOR_WORDS_H
#define TRN_ENGINE_VECTOR_WORDS_H

#include "engine/exec.h"

trn_status trn_run_tensor_scalar(struct trn_exec *x);    /* 0x43 0x44 0x53 0x54 */
trn_status trn_run_imm_ld(struct trn_exec *x);           /* 0x70 0x71 */
trn_status trn_run_ptr_multi(struct trn_exec *x);        /* 0x4F 0x5F 0x87 */
trn_status trn_run_tensor_tensor(struct trn_exec *x);    /* 0x41 0x51 */
trn_status trn_run_copy(struct trn_exec *x);             /* 0x46 */
trn_status trn_run_cast(struct trn_exec *x);             /* 0x47 */
trn_status trn_run_reciprocal(struct trn_exec *x);       /* 0x48 */
trn_status trn_run_memset(struct trn_exec *x);           /* 0x49 */
trn_status trn_run_tensor_reduce(struct trn_exec *x);    /* 0x42 0x52 */
trn_status trn_run_max8(struct trn_exec *x);             /* 0x6C */
trn_status trn_run_match_value_load(struct trn_exec *x); /* 0x6D */
trn_status trn_run_find_index8(struct trn_exec *x);      /* 0x6E */
trn_status trn_run_match_replace8(struct trn_exec *x);   /* 0x6F */
trn_status trn_run_dve_read_indices(struct trn_exec *x); /* 0xE9 */
trn_status trn_run_quantize_mx(struct trn_exec *x);      /* 0xE3 */

#endif
