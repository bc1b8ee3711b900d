/* SPDX-License-Identifier: Apache-2.0 */
/* Registers and apertures of every generation (registers.csv, apertures.csv; notation in
 * docs/hardware/README.md 3.1). Constant rows and pure look-ups. */
#ifndef TRN_GEN_REGMAP_H
#define TRN_GEN_REGMAP_H

#include "trench/gen.h"

/* ---- registers -------------------------------------------------------------------- */

enum trn_reg_access {
    TRN_REG_RW,
    TRN_REG_RO,
    TRN_REG_WO,  /* reads 0 */
    TRN_REG_W0C, /* a bit written as 0 is cleared */
    TRN_REG_W1C, /* a bit written as 1 is cleared */
    TRN_REG_RC   /* a read clears */
};

struct trn_reg_bits {
    const char *name; /* "value": the plain word */
    uint8_t low, bits;
    bool pulse; /* acts on write, reads 0 */
};

/* One row of registers.csv: a register, or a family of them under one or two indices. */
struct trn_reg_row {
    const char *block;
    const char *name;  /* with its index ranges: "nq[0..9].head_ptr" */
    const char *alias; /* second name, may be empty: "feature_flag" of "general.lr[38]" */
    const char *path;  /* block.name without the ranges: "notific.nq.head_ptr" */
    uint32_t offset;   /* in the block, of the first instance */
    uint32_t reset;    /* 0 where it is not known */
    uint8_t gen_mask;  /* bit: generation number, 0 sunda .. 4 maverick */
    uint8_t width;
    enum trn_reg_access access;
    bool open;        /* the place is unknown: offset means nothing, no register is modelled */
    bool reset_known; /* false: the model takes 0 */
    uint8_t num_indices;
    uint16_t first[2], count[2]; /* range of i, then of j */
    uint32_t stride[2];
    uint8_t num_fields; /* 0: the whole word is plain storage */
    const struct trn_reg_bits *fields;
    const char *meaning, *confidence;
};

extern const struct trn_reg_row trn_reg_table[];
extern const size_t trn_num_regs;

/* Does the row hold on the generation? */
bool trn_reg_on(const struct trn_reg_row *row, const struct trn_gen *gen);

/* Register by "block.name", its second name or one instance ("notific.nq[3].head_ptr"), case aside.
 * `gen` NULL: the first row on any generation. `index` (may be NULL) receives the indices written,
 * the first of the range where none is. NULL when nothing matches or an index is out of range. */
const struct trn_reg_row *trn_reg_find(const struct trn_gen *gen, const char *name,
                                       unsigned index[2]);

/* Offset of one instance in its block; indices a row does not have are ignored. */
uint32_t trn_reg_offset(const struct trn_reg_row *row, unsigned i, unsigned j);

/* Register that holds the byte at `offset` of a block, with its indices; NULL when none does. */
const struct trn_reg_row *trn_reg_at(const struct trn_gen *gen, const char *block, uint32_t offset,
                                     unsigned index[2]);

/* Bit field by name, NULL when the register has none of it. */
const struct trn_reg_bits *trn_reg_field(const struct trn_reg_row *row, const char *name);

/* ---- apertures -------------------------------------------------------------------- */

enum trn_aperture_scope {
    TRN_APERTURE_TPB_SOC,    /* device offset in a core */
    TRN_APERTURE_TPB_BAR,    /* host offset in a core's BAR0 window */
    TRN_APERTURE_TOPSP,      /* offset in a TopSP window */
    TRN_APERTURE_BAR0,       /* offset in BAR0 */
    TRN_APERTURE_BAR4,       /* offset in BAR4 */
    TRN_APERTURE_SOC,        /* device address */
    TRN_APERTURE_DVE_BLOCK,  /* offset in a MAVERICK DVE block */
    TRN_APERTURE_POOL_BLOCK, /* offset in the MAVERICK POOL block */
    TRN_APERTURE_PE_BLOCK,   /* offset in a MAVERICK PE block */
    TRN_APERTURE_PREPROC,    /* offset in the window of a compute cluster */
    TRN_APERTURE_SCOPES
};

struct trn_aperture_row {
    const char *name;
    enum trn_aperture_scope scope;
    uint8_t gen_mask;
    bool soc_known; /* false: from the enclosing row, if at all (trn_aperture_soc) */
    uint32_t count; /* copies, `stride` apart */
    uint64_t offset, size, stride, soc;
    const char *meaning, *confidence;
};

extern const struct trn_aperture_row trn_aperture_table[];
extern const size_t trn_num_apertures;

/* Does the row hold on the generation? */
bool trn_aperture_on(const struct trn_aperture_row *row, const struct trn_gen *gen);

const char *trn_aperture_scope_name(enum trn_aperture_scope scope);

/* Smallest aperture of a scope that holds the offset; *copy (may be NULL) receives which one. */
const struct trn_aperture_row *trn_aperture_at(const struct trn_gen *gen,
                                               enum trn_aperture_scope scope, uint64_t offset,
                                               uint32_t *copy);

const struct trn_aperture_row *trn_aperture_find(const struct trn_gen *gen,
                                                 enum trn_aperture_scope scope, const char *name);

/* Device address of byte 0 of a copy: the row's own, or that of the smallest enclosing row of the
 * same scope that has one. False when none has. */
bool trn_aperture_soc(const struct trn_gen *gen, const struct trn_aperture_row *row, uint32_t copy,
                      uint64_t *address);

#endif
