/* SPDX-License-Identifier: Apache-2.0 */
/* Where every register block lies: one entry a block and place of a generation, made from
 * register-blocks.csv (notation in docs/hardware/README.md 3.2). Constant rows and pure look-ups.
 */
#ifndef TRN_GEN_BLOCKS_H
#define TRN_GEN_BLOCKS_H

#include "base/names.h"
#include "gen/regmap.h"

enum trn_block_owner {
    TRN_BLOCK_OF_CORE,
    TRN_BLOCK_OF_TOPSP,       /* numbered as software does: 0..5 or 0..15 */
    TRN_BLOCK_OF_TOPSP_SPARE, /* windows that software does not use, from 0 */
    TRN_BLOCK_OF_DMA,         /* numbered as the driver does: 0..33 or 0..131 */
    TRN_BLOCK_OF_PREPROC,
    TRN_BLOCK_OF_INTC,
    TRN_BLOCK_OF_DEVICE /* the only one */
};

/* What instances of one kind have in common. */
struct trn_block_row {
    const char *block;  /* of registers.csv */
    const char *shared; /* a second block over the same range, NULL: none; no register collides */
    const char *path;   /* "core#.act.xt_local"; # is the owner's number */
    enum trn_block_owner owner;
    int8_t engine; /* 0 PE, 1 ACT, 2 POOL, 3 DVE, 4 SP of a core; -1 none of them */
    uint8_t gen_mask;
    uint32_t size;         /* bytes of the range */
    uint32_t block_offset; /* in the block, of the range's first byte; mostly 0 */
    uint32_t end;          /* registers at this block offset and behind do not exist here */
    const char *form;      /* "one-queue", "ten-queue" or empty */
    const char *meaning, *confidence;
};

struct trn_block {
    const struct trn_block_row *row;
    uint64_t bar0;     /* offset in BAR0 of the range's first byte */
    uint16_t number;   /* of the owner: core, TopSP, DMA engine, ... */
    const char *place; /* "TPB_0_CSR", "core 3 ACT_LOCAL_REG", "SE_0_SDMA[5]+0x40000" */
};

/* The blocks of a generation in order of BAR0 offset; ranges do not overlap. */
struct trn_block_list {
    const struct trn_block *blocks;
    size_t count;
    struct trn_name_index names; /* paths and places; row numbers of blocks */
};

extern const struct trn_block_row trn_block_row_table[];
extern const size_t trn_num_block_rows;
extern const struct trn_block_list trn_block_lists[TRN_GEN_COUNT];

const struct trn_block_list *trn_blocks_of(const struct trn_gen *gen);

/* Block that holds a BAR0 offset, NULL when none does. */
const struct trn_block *trn_block_at(const struct trn_gen *gen, uint64_t bar0);

/* Block by its path with the number in place of #, "core0.act.xt_local" (case aside), by its place
 * ("TPB_0_CSR", "core 3 ACT_LOCAL_REG"), or by the block's name and its owner's number, "tpb[3]"
 * (of core 3 where several kinds of owner have one; the name alone is number 0). NULL when there
 * is none. */
const struct trn_block *trn_block_find(const struct trn_gen *gen, const char *name);

/* Writes the path with its number; buffer of at least TRN_BLOCK_PATH_BYTES. */
#define TRN_BLOCK_PATH_BYTES 48
void trn_block_path(const struct trn_block *block, char *path);

/* Core that a block belongs to, -1 when it belongs to none. */
int trn_block_core(const struct trn_block *block);

/* Register at a BAR0 offset inside the block's range, NULL when no register is there; index (may
 * be NULL) receives its indices. */
const struct trn_reg_row *trn_block_reg_at(const struct trn_gen *gen, const struct trn_block *block,
                                           uint64_t bar0, unsigned index[2]);

/* BAR0 offset of a register in the block; false when it does not exist there. */
bool trn_block_reg_place(const struct trn_block *block, const struct trn_reg_row *row, unsigned i,
                         unsigned j, uint64_t *bar0);

/* soc-fields.csv: a bit field of a device address. */
struct trn_soc_field_row {
    const char *name;
    uint8_t low, bits, gen_mask;
};

extern const struct trn_soc_field_row trn_soc_field_table[];
extern const size_t trn_num_soc_fields;

#endif
