/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of dtypes.csv, alu-ops.csv and cptc-workers.csv as the numerics and the validator read them.
 */
#ifndef TRN_NUM_ROWS_H
#define TRN_NUM_ROWS_H

#include <stdbool.h>
#include <stdint.h>

enum trn_sign { TRN_SIGNLESS, TRN_UNSIGNED, TRN_SIGNED };

struct trn_dtype_row {
    const char *name;      /* NULL: the code is not defined */
    uint8_t bits;          /* per element */
    uint8_t size_bytes;    /* storage of size_elements elements */
    uint8_t size_elements; /* 1, or how many elements share size_bytes */
    enum trn_sign sign;
    uint8_t exp_bits, man_bits; /* 0, 0 for integers */
    uint8_t bias;
    uint8_t align_bytes;
    uint8_t isa_mask; /* bit trn_gen.isa */
    const char *role, *notes, *specials, *confidence, *format_confidence;
};

/* Operands an integer operator accepts. */
enum trn_alu_signedness {
    TRN_ALU_SIGN_NONE, /* not an integer operator */
    TRN_ALU_SIGN_ANY,  /* all signed or all unsigned */
    TRN_ALU_SIGN_S,
    TRN_ALU_SIGN_U
};

struct trn_alu_row {
    const char *name; /* NULL: the code is not defined */
    const char *klass;
    uint8_t arity;
    uint8_t isa_mask;
    bool general_arith, general_bitvec, int_aluop, int_aluop_dve_v5;
    enum trn_alu_signedness signedness;
    const char *semantics, *notes, *confidence, *semantics_confidence;
};

/* cptc-workers.csv: a worker of the CPTC decoder */
struct trn_cptc_worker_row {
    uint8_t first_bits, last_bits; /* numbers of bits it serves */
    uint8_t guard;                 /* the only one that it lets through itself; 0: any */
    uint32_t cayman_va, frame;
    const char *datapath, *guard_confidence, *bits_confidence;
};

extern const struct trn_dtype_row trn_dtype_table[256];
extern const struct trn_alu_row trn_alu_table[256];
extern const struct trn_cptc_worker_row trn_cptc_worker_table[6]; /* worker 1 first */

#endif
