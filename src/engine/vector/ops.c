/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/vector/words.h"
#include "trench/enums.h"

const struct trn_engine_op trn_vector_ops[] = {
    {TRN_OPCODE_TENSOR_TENSOR_ARITH_OP, trn_run_tensor_tensor},
    {TRN_OPCODE_TENSOR_TENSOR_BITVEC_OP, trn_run_tensor_tensor},
    {TRN_OPCODE_TENSOR_REDUCE_ARITH_OP, trn_run_tensor_reduce},
    {TRN_OPCODE_TENSOR_REDUCE_BITVEC_OP, trn_run_tensor_reduce},
    {TRN_OPCODE_TENSOR_SCALAR_ARITH_OP, trn_run_tensor_scalar},
    {TRN_OPCODE_TENSOR_SCALAR_BITVEC_OP, trn_run_tensor_scalar},
    {TRN_OPCODE_TENSOR_SCALAR_PTR_ARITH_OP, trn_run_tensor_scalar},
    {TRN_OPCODE_TENSOR_SCALAR_PTR_BITVEC_OP, trn_run_tensor_scalar},
    {TRN_OPCODE_TENSOR_SCALAR_IMM_LD_ARITH, trn_run_imm_ld},
    {TRN_OPCODE_TENSOR_SCALAR_IMM_LD_BITVEC, trn_run_imm_ld},
    {TRN_OPCODE_TENSOR_SCALAR_PTR_MULTI_ARITH, trn_run_ptr_multi},
    {TRN_OPCODE_TENSOR_SCALAR_PTR_MULTI_BITVEC, trn_run_ptr_multi},
    {TRN_OPCODE_TENSOR_SCALAR_PTR_MULTI_DUAL_ARITH, trn_run_ptr_multi},
    {TRN_OPCODE_COPY, trn_run_copy},
    {TRN_OPCODE_CAST, trn_run_cast},
    {TRN_OPCODE_RECIPROCAL, trn_run_reciprocal},
    {TRN_OPCODE_MEMSET, trn_run_memset},
    {TRN_OPCODE_MAX8, trn_run_max8},
    {TRN_OPCODE_MATCH_VALUE_LOAD, trn_run_match_value_load},
    {TRN_OPCODE_FIND_INDEX8, trn_run_find_index8},
    {TRN_OPCODE_MATCH_REPLACE8, trn_run_match_replace8},
    {TRN_OPCODE_DVE_READ_INDICES, trn_run_dve_read_indices},
    {TRN_OPCODE_QUANTIZE_MX, trn_run_quantize_mx},
    {0, NULL},
};
