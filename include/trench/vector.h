/* SPDX-License-Identifier: Apache-2.0 */
/**
 * trench/vector.h - readings of what the sheets leave open about the vector words
 * (docs/hardware/tensor-scalar-multi.md 1.1, 6.2). All zero is the model's choice.
 */
#ifndef TRENCH_VECTOR_H
#define TRENCH_VECTOR_H

/** What a word does whose shipped firmware only logs: 0x4F, 0x5F, 0x70, 0x71 and 0x87. */
enum trn_stub_policy {
    TRN_STUB_ARCHITECTURAL, /**< what its header says */
    TRN_STUB_LOG_ONLY,      /**< nothing: it waits, updates and is counted */
    TRN_STUB_FAULT          /**< it is refused as an opcode without a handler */
};

/** Where the two scalars of pair i of 0x87 stand among the values that the load before it read. */
enum trn_pair_layout {
    TRN_PAIR_INTERLEAVED, /**< 2i and 2i + 1 */
    TRN_PAIR_BANKED       /**< i and W + i: one bank of flops an ALU stage */
};

struct trn_vector_options {
    enum trn_stub_policy stub_policy;
    enum trn_pair_layout pair_layout;
};

#endif
