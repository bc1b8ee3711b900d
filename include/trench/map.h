/* SPDX-License-Identifier: Apache-2.0 */
/**
 * trench/map.h - one place under all its addresses (docs/hardware/address-map.md).
 *
 * A byte of the device has up to six addresses: a BAR0 offset, a BAR4 offset, a device (SoC)
 * address, an offset in its core's container, an offset in its core's BAR0 window, and the 29-bit
 * address by which engines name SBUF and PSUM. The calls here go from any of them, or from a name,
 * to all that exist, and say which memory, aperture, register block and register lie there. An
 * address form that no source gives does not exist here; one that rests on a model choice says so.
 * Everything is constant; any thread may call.
 */
#ifndef TRENCH_MAP_H
#define TRENCH_MAP_H

#include "trench/base.h"
#include "trench/gen.h"

#ifdef __cplusplus
extern "C" {
#endif

/** address-map.md 1. */
enum trn_map_space {
    TRN_MAP_BAR0,
    TRN_MAP_BAR4,
    TRN_MAP_SOC,
    TRN_MAP_TPB,     /**< device offset in a core's container; needs a core */
    TRN_MAP_TPB_BAR, /**< host offset in a core's BAR0 window; needs a core */
    TRN_MAP_ENGINE,  /**< on-chip address of SBUF or PSUM, 29 bits; needs a core */
    TRN_MAP_SPACES
};

/** "bar0", "bar4", "soc", "tpb", "tpb_bar", "engine"; NULL for what is no space. */
TRN_API const char *trn_map_space_name(enum trn_map_space space);
/** TRN_MAP_SPACES when no space has that name. */
TRN_API enum trn_map_space trn_map_space_find(const char *name);

#define TRN_MAP_NAME_MAX 128

/* ---- register blocks --------------------------------------------------------------- */

/** A register block at one place of the device. Strings are static. */
struct trn_map_block {
    size_t index;                /**< its number, for the calls below */
    char path[TRN_MAP_NAME_MAX]; /**< "core0.act.xt_local", "dma5.udma", "misc_ram" */
    const char *place;           /**< "core 0 ACT_LOCAL_REG", "SENG_0_UDMA[5]" */
    const char *block;           /**< as in registers.csv */
    const char *shared;          /**< a second block over the same bytes, NULL: none */
    const char *form;            /**< "one-queue", "ten-queue" or empty */
    const char *meaning, *confidence;
    uint64_t bar0; /**< offset of its first byte */
    uint32_t size;
    int core;   /**< -1: of none */
    int engine; /**< of that core, 0 pe .. 4 sp; -1: of none */
};

/** The i-th block of a generation in order of BAR0 offset; false past the last one. */
TRN_API bool trn_map_block_at(const struct trn_gen *gen, size_t i, struct trn_map_block *out);

/** Block by path, place, or its block's name and its owner's number: "tpb[3]". */
TRN_API bool trn_map_block_find(const struct trn_gen *gen, const char *name,
                                struct trn_map_block *out);

struct trn_reg_row;

/** One register at one place. Strings are static but for `name`. */
struct trn_map_register {
    char name[TRN_MAP_NAME_MAX]; /**< with its indices, without its block: "general.lr[19]" */
    const char *alias;           /**< second name, may be empty */
    const char *block;
    const char *access; /**< "RW", "RO", "WO", "W0C", "W1C", "RC" */
    const char *meaning, *confidence;
    uint64_t bar0;
    uint32_t offset; /**< in its block */
    uint32_t reset;
    unsigned width;
    bool reset_known; /**< false: the model takes 0 */
    unsigned num_fields;
    const struct trn_reg_row *row;
};

struct trn_map_field {
    const char *name; /**< "value": the plain word */
    unsigned low, bits;
    bool pulse; /**< acts on write, reads 0 */
};

/**
 * Registers of a block in order of offset, up to `capacity` of them into `out` (may be NULL for
 * 0); returns how many there are. 0 for an index past the last block.
 */
TRN_API size_t trn_map_registers(const struct trn_gen *gen, size_t block,
                                 struct trn_map_register *out, size_t capacity);

/** The i-th bit field of a register; false past the last one. */
TRN_API bool trn_map_field_at(const struct trn_map_register *reg, unsigned i,
                              struct trn_map_field *out);

/** Value of a bit field in a register's word. */
TRN_API uint32_t trn_map_field_value(const struct trn_map_field *field, uint32_t word);

/* ---- places ------------------------------------------------------------------------ */

enum trn_map_memory {
    TRN_MAP_NO_MEMORY,
    TRN_MAP_SBUF,
    TRN_MAP_PSUM,
    TRN_MAP_HBM,
    TRN_MAP_HOST /**< memory of the host or of another chip */
};

/** One byte under every address it has. */
struct trn_map_place {
    const struct trn_gen *gen;
    bool exists[TRN_MAP_SPACES];
    uint64_t address[TRN_MAP_SPACES]; /**< where it exists; SOC without the attribute bits */
    int core;                         /**< whose window or container it lies in; -1: no core's */

    /* attribute bits of a SoC address that was asked for (address-map.md 2) */
    bool relaxed_ordering, ok_to_fail;
    int chip; /**< chip that the address names, -1: none */

    enum trn_map_memory memory;
    uint32_t partition;   /**< SBUF, PSUM */
    unsigned channel;     /**< HBM: stack; HOST: 0 */
    uint64_t memory_byte; /**< in the partition, the stack or the host range */
    bool hole;            /**< bytes that the memory does not have */

    /* the smallest known range that holds the byte */
    char aperture[TRN_MAP_NAME_MAX]; /**< "core 3 ACT_NX_IRAM"; empty: none */
    uint64_t aperture_offset;
    const char *meaning, *confidence;
    /* the window that ties its addresses together; "": none */
    const char *window, *window_confidence;
    bool model_choice; /**< the range or its window is a model choice on this generation */

    bool has_block;
    struct trn_map_block block; /**< when has_block */
    uint32_t block_offset;      /**< in the register block */
    bool has_register;
    struct trn_map_register reg; /**< when has_register */
    bool has_field;
    struct trn_map_field field; /**< when the name that was asked for ended in a bit field */
};

/**
 * Every form of an address. `core` is the core of a TPB, TPB_BAR or ENGINE address (others ignore
 * it). TRN_ERR_ADDRESS: the generation has nothing there, so this reading does not exist;
 * TRN_ERR_INVALID: the core or the space does not exist.
 */
TRN_API trn_status trn_map_address(const struct trn_gen *gen, enum trn_map_space space,
                                   uint64_t address, int core, struct trn_map_place *out,
                                   struct trn_diag *diag);

/**
 * Every form of a named place, case aside:
 *   BLOCK[.REGISTER[.FIELD]]  core0.act.xt_local.general.lr[19], tpb[0].pool_sequencer.val
 *   [coreN.]APERTURE[[COPY]]  TPB_0_NOTIFIC, core1.PE_NX_IRAM, POOL_Q7_CORE_DRAM[3]
 *   [coreN.]sbuf[pP,BYTE], [coreN.]psum[pP,BYTE], hbmC[BYTE]; hbm[BYTE] is the core's own stack
 * A block or aperture may be followed by +OFFSET. `core` is meant where no coreN is written.
 * TRN_ERR_NOT_FOUND: nothing is called that; TRN_ERR_RANGE: a number past its range.
 */
TRN_API trn_status trn_map_name(const struct trn_gen *gen, const char *name, int core,
                                struct trn_map_place *out, struct trn_diag *diag);

/**
 * The i-th name that trn_map_name takes (blocks, apertures, memories), for completion and for
 * suggestions; false past the last one.
 */
TRN_API bool trn_map_known_name(const struct trn_gen *gen, size_t i, char name[TRN_MAP_NAME_MAX]);

#ifdef __cplusplus
}
#endif
#endif
