/* SPDX-License-Identifier: Apache-2.0 */
/**
 * trench/fw_code.h - the code of a firmware image: Xtensa instructions, reset path, dispatch.
 *
 * A subset of Xtensa is decoded: the instructions that boot code, trampolines and dispatch sites
 * are made of (docs/hardware/xtensa-subset.md). Of a FLIX bundle only format, length and number of
 * slots are known. What is outside the subset is said to be so, never shown as another instruction.
 *
 * All calls work on bytes that the caller keeps; none of them changes or trusts the bytes.
 */
#ifndef TRENCH_FW_CODE_H
#define TRENCH_FW_CODE_H

#include "trench/base.h"
#include "trench/fw.h"
#include "trench/xtensa_ids.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- one instruction -------------------------------------------------------------- */

/** Whose length rule and register names hold (xtensa-subset.md 2). */
enum trn_xtensa_core {
    TRN_XTENSA_VISION, /**< Vision-Q7: NX engines, Q7_POOL, EXTISA */
    TRN_XTENSA_SCALAR, /**< the management core of NCFW images, and plain Xtensa objects */
    TRN_XTENSA_CORES
};

/** "vision", "scalar"; NULL past the end. */
TRN_API const char *trn_xtensa_core_name(enum trn_xtensa_core core);

/** What the bytes at one address are. */
enum trn_xtensa_kind {
    TRN_XTENSA_INSTRUCTION, /**< a row of the subset */
    TRN_XTENSA_BUNDLE,      /**< FLIX: format and length known, not decoded */
    TRN_XTENSA_OUTSIDE,     /**< 2 or 3 bytes that no row of the subset has */
    TRN_XTENSA_ILLEGAL,     /**< no format has these bytes: no length */
    TRN_XTENSA_TRUNCATED,   /**< the bytes end before the length is known or reached */
    TRN_XTENSA_KINDS
};

#define TRN_XTENSA_OPERANDS 4
/** Longest bundle, in bytes. */
#define TRN_XTENSA_LONGEST 16
/** Room for the longest text of trn_xtensa_print. */
#define TRN_XTENSA_TEXT_MAX 96

/** A decoded instruction. Plain data. */
struct trn_xtensa_insn {
    enum trn_xtensa_kind kind;
    enum trn_xtensa_core core;
    uint8_t length; /**< in bytes; 0 when illegal or truncated */
    uint8_t slots;  /**< of a bundle */
    uint16_t row;   /**< of the subset, of the format table for a bundle */
    uint32_t pc;
    uint32_t word;                      /**< up to 4 bytes, the first lowest */
    int32_t value[TRN_XTENSA_OPERANDS]; /**< as printed; a target as its address */
};

/**
 * Decode the bytes at address `pc`. `size` is how many there are; only as many as the instruction
 * needs are read, and byte 3 of the Vision length rule where it is there.
 */
TRN_API void trn_xtensa_decode(enum trn_xtensa_core core, const uint8_t *bytes, size_t size,
                               uint32_t pc, struct trn_xtensa_insn *out);

/** Mnemonic without the register's name ("rsr"); format name of a bundle; NULL otherwise. */
TRN_API const char *trn_xtensa_name(const struct trn_xtensa_insn *insn);
/** TRN_XTENSA_CLASSES for what is no instruction. */
TRN_API enum trn_xtensa_class trn_xtensa_class_of(const struct trn_xtensa_insn *insn);
/** True for j, calls by offset, branches, loops and l32r. */
TRN_API bool trn_xtensa_target(const struct trn_xtensa_insn *insn, uint32_t *target);
/**
 * As binutils prints it, targets as addresses: "addi a2, a2, -65", "j 0x1dc". A bundle is "FLIX
 * bundle F0, 16 bytes, 4 slots, not decoded"; what is outside the subset says so.
 */
TRN_API void trn_xtensa_print(const struct trn_xtensa_insn *insn, char out[TRN_XTENSA_TEXT_MAX]);

/**
 * The other way: the bytes of a mnemonic ("rsr" with the number of the register first) with its
 * operands in printing order, targets as addresses. Returns the length.
 * TRN_ERR_NOT_FOUND for no row, TRN_ERR_RANGE for an operand that the row cannot hold.
 */
TRN_API trn_status trn_xtensa_encode(const char *name, const int32_t *values, size_t count,
                                     uint32_t pc, uint8_t out[3], size_t *length);

/** Rows of the subset. */
TRN_API size_t trn_xtensa_row_count(void);
TRN_API const char *trn_xtensa_row_name(size_t row);
/** "V1", "V2", "N", ...: who else decodes the row so (xtensa-subset.md, "Verification column"). */
TRN_API const char *trn_xtensa_row_verified(size_t row);
/** Number of operands, 0 past the end. */
TRN_API size_t trn_xtensa_row_operands(size_t row);

/* ---- code and its linear sweep ---------------------------------------------------- */

/** Bytes of code and what is known about them. Labels and pending addresses ascend. */
struct trn_xtensa_code {
    enum trn_xtensa_core core;
    const uint8_t *bytes;
    size_t size;
    uint32_t base;         /**< address of the first byte */
    const uint32_t *label; /**< addresses where an instruction starts for certain */
    size_t num_labels;
    const uint32_t *pending; /**< instructions that a relocation has still to fill in */
    size_t num_pending;
};

enum trn_xtensa_item_kind {
    TRN_XTENSA_ITEM_CODE,    /**< an instruction, a bundle, or outside the subset: see insn.kind */
    TRN_XTENSA_ITEM_LITERAL, /**< 4 bytes that an l32r reaches */
    TRN_XTENSA_ITEM_RAW,     /**< bytes passed over to find the next instruction */
    TRN_XTENSA_ITEMS
};

/** Why an instruction is not believed (xtensa-subset.md 7). */
enum trn_xtensa_doubt {
    TRN_XTENSA_SURE,
    TRN_XTENSA_TARGET_OUTSIDE, /**< j or call to an address outside the code */
    TRN_XTENSA_ABSENT_FORM,    /**< call4, call12: the core lacks them */
    TRN_XTENSA_ILL,
    TRN_XTENSA_ENTRY_REGISTER, /**< entry of another register than a1 */
    TRN_XTENSA_DOUBTS
};

/** "target outside the code", ...; "" for TRN_XTENSA_SURE. */
TRN_API const char *trn_xtensa_doubt_text(enum trn_xtensa_doubt doubt);

/** One piece of a sweep. */
struct trn_xtensa_item {
    enum trn_xtensa_item_kind kind;
    uint32_t address;
    uint32_t size;
    bool is_label;
    bool is_pending; /**< unrelocated: its operand means nothing yet */
    enum trn_xtensa_doubt doubt;
    struct trn_xtensa_insn insn; /**< of code; of a literal, `word` is its value */
};

/** What a whole sweep saw. Doubted instructions are counted as such only. */
struct trn_xtensa_stats {
    uint64_t instructions, bundles, slots, outside, literals, pending;
    uint64_t desyncs, suspects, raw_bytes;
    uint64_t count[TRN_XTENSA_CENSUSES];
};

/** "entry", "retw", ...; NULL past the end. */
TRN_API const char *trn_xtensa_census_name(enum trn_xtensa_census census);

struct trn_xtensa_sweep;

/**
 * Begin a sweep at the first byte. The code must outlive it. Looks through the code first for the
 * literals that l32r reaches. TRN_ERR_TOO_LARGE when the addresses do not fit 32 bits.
 */
TRN_API trn_status trn_xtensa_sweep_create(const struct trn_xtensa_code *code,
                                           struct trn_xtensa_sweep **out, struct trn_diag *diag);
/** The next piece; false at the end. Pieces are adjacent and cover the code. */
TRN_API bool trn_xtensa_sweep_next(struct trn_xtensa_sweep *sweep, struct trn_xtensa_item *item);
/** What the pieces so far add up to. */
TRN_API const struct trn_xtensa_stats *trn_xtensa_sweep_stats(const struct trn_xtensa_sweep *sweep);
TRN_API void trn_xtensa_sweep_destroy(struct trn_xtensa_sweep *sweep);

/** Sweep all of it; the aligned census of xtensa-subset.md 7.1. */
TRN_API trn_status trn_xtensa_census(const struct trn_xtensa_code *code,
                                     struct trn_xtensa_stats *out, struct trn_diag *diag);

/* ---- code sections of an image ---------------------------------------------------- */

/** The code of an image: of the sections of an Xtensa object, or the image itself. */
struct trn_fw_code;

/**
 * Find the code of an image. Core and base follow from its name and form (xtensa-subset.md 2.2, 3):
 * IRAM at 0, the SRAM of MAVERICK at 0x04100000, an object's sections at their addresses.
 * TRN_ERR_FORMAT for an object that contradicts itself.
 */
TRN_API trn_status trn_fw_code_open(const struct trn_fw_image *image, struct trn_fw_code **out,
                                    struct trn_diag *diag);
TRN_API void trn_fw_code_close(struct trn_fw_code *code);
TRN_API size_t trn_fw_code_count(const struct trn_fw_code *code);
/** Section by number with its name ("" for a whole image); NULL past the end. */
TRN_API const struct trn_xtensa_code *trn_fw_code_section(const struct trn_fw_code *code,
                                                          size_t index, const char **name);
/** R_XTENSA_SLOTn_OP relocations that are still to be applied: not zero, "unrelocated". */
TRN_API size_t trn_fw_code_pending(const struct trn_fw_code *code);

/* ---- byte patterns ---------------------------------------------------------------- */

/** "sub_base", ...; NULL past the end. */
TRN_API const char *trn_fw_pattern_name(enum trn_fw_pattern pattern);
/** "30 22 c0", a dot for any nibble. */
TRN_API const char *trn_fw_pattern_text(enum trn_fw_pattern pattern);
/** Offset of the first match at or behind `start`, SIZE_MAX for none. */
TRN_API size_t trn_fw_pattern_find(enum trn_fw_pattern pattern, const uint8_t *bytes, size_t size,
                                   size_t start);
/** Matches at every offset, overlapping ones too: the byte-pattern census. */
TRN_API uint64_t trn_fw_pattern_count(enum trn_fw_pattern pattern, const uint8_t *bytes,
                                      size_t size);

/* ---- reset path ------------------------------------------------------------------- */

/** A documented reset path (firmware-images.md 6.1). */
struct trn_fw_head {
    uint8_t gen; /**< trn_gen_at's number */
    enum trn_fw_class core;
    enum trn_fw_region residence; /**< IRAM or SRAM */
    uint16_t primary, secondary;  /**< targets of the two vectors, from the start of the image */
    uint16_t high, enter;         /**< what the trampoline builds */
    const char *engines, *confidence;
};

TRN_API size_t trn_fw_head_count(void);
TRN_API const struct trn_fw_head *trn_fw_head(size_t index);

/** Base address of SRAM images (xtensa-subset.md 3). */
#define TRN_FW_SRAM_BASE UINT32_C(0x04100000)
/** Device address of the first byte of a DRAM image (firmware-images.md 4). */
#define TRN_FW_DRAM_BASE UINT32_C(0x80000)

#define TRN_FW_TRAMPOLINE_MAX 4
#define TRN_FW_HEADS_MAX      16

struct trn_fw_boot {
    bool is_head; /**< two jumps, a trampoline that ends in jx, a halt at the second target */
    const char *refused; /**< what is missing, NULL for a head */
    uint32_t refused_at; /**< offset */
    uint32_t primary, secondary;
    struct trn_xtensa_insn trampoline[TRN_FW_TRAMPOLINE_MAX];
    size_t num_trampoline;
    uint32_t enter_run; /**< address */
    uint32_t enter;     /**< offset in the image */
    uint32_t halt;      /**< operand of the halt */
    enum trn_fw_region residence;
    const struct trn_fw_head *match[TRN_FW_HEADS_MAX]; /**< documented heads with the same key */
    size_t num_matches;
    bool has_hub; /**< the second hub near the trampoline */
    uint32_t hub, hub_table;
};

/** Decode the reset path of a code image of at least 12 bytes. Never fails: see is_head. */
TRN_API void trn_fw_boot_decode(const uint8_t *bytes, size_t size, struct trn_fw_boot *out);
/** "sunda NX ACT DVE PE POOL SP, ...": the documented heads that match. Returns the full length. */
TRN_API size_t trn_fw_boot_describe(const struct trn_fw_boot *boot, char *out, size_t size);

/** What stands in a word of the data segment that two sources give differently. */
enum trn_fw_limit { TRN_FW_LIMIT_OTHER, TRN_FW_LIMIT_00FFFFFF, TRN_FW_LIMIT_FFFFFF00 };

/** The head of a data segment (firmware-images.md 6.2). */
struct trn_fw_data_head {
    uint32_t magic;          /**< TRN_FW_READY in an image, TRN_FW_CLAIM once a host owns it */
    bool has_init;           /**< 4 words of 0x1000 at 0x18 */
    enum trn_fw_limit limit; /**< the 4 words at 0x28 */
    uint32_t init[4], limits[4];
};

/** False when there are fewer than 0x38 bytes. */
TRN_API bool trn_fw_data_decode(const uint8_t *bytes, size_t size, struct trn_fw_data_head *out);

/* ---- dispatch --------------------------------------------------------------------- */

#define TRN_FW_SITES_MAX 8
#define TRN_FW_ARMS_MAX  64

/** One site of an indexed table. Offsets are from the start of the image. */
struct trn_fw_dispatch_site {
    uint32_t offset;
    int32_t base;   /**< first opcode of the table */
    uint32_t bound; /**< last index */
    bool has_table, has_default;
    uint32_t table;       /**< address of the table */
    uint32_t default_arm; /**< where an opcode outside the table goes */
    bool is_counted;      /**< the two counts are there: the data image was given */
    uint32_t real, default_slots;
};

struct trn_fw_dispatch_report {
    enum trn_fw_dispatch flavor;
    unsigned rule; /**< of firmware-images.md 7.4, 1..5 */
    bool is_dual;  /**< two sites with different tables */
    uint64_t count[TRN_FW_PATTERNS];
    uint64_t addx4, jx; /**< by aligned sweep */
    struct trn_fw_dispatch_site site[TRN_FW_SITES_MAX];
    size_t num_sites; /**< all of them; the first TRN_FW_SITES_MAX are kept */
    size_t chosen;    /**< the site whose base and bound rule 1 went by */
    uint32_t sub[TRN_FW_SITES_MAX];
    size_t num_subs;
    size_t arms;                     /**< longest run R */
    uint32_t first_arm;              /**< its offset */
    int32_t opcode[TRN_FW_ARMS_MAX]; /**< what its arms compare with, the first ones */
    struct trn_xtensa_stats stats;
};

/**
 * Classify an image by the census of its bytes. `data` is the matching data image, NULL for none:
 * then the slots of tables are not counted.
 */
TRN_API trn_status trn_fw_dispatch_classify(const struct trn_xtensa_code *code, const uint8_t *data,
                                            size_t data_size, struct trn_fw_dispatch_report *out,
                                            struct trn_diag *diag);
/** "INDEXED_A", ...; NULL past the end. */
TRN_API const char *trn_fw_dispatch_name(enum trn_fw_dispatch flavor);
/** How the flavour is recognised, one line. */
TRN_API const char *trn_fw_dispatch_rule(enum trn_fw_dispatch flavor);

/** A documented site (firmware-images.md 7.3). */
struct trn_fw_site_row {
    uint8_t gen;
    enum trn_fw_class core;
    const char *engine;
    enum trn_fw_flavor flavor; /**< TRN_FW_FLAVORS: any */
    int32_t base;
    uint32_t bound;
    size_t num_sites;
    uint32_t site[2];
    size_t num_tables;
    uint32_t table[2]; /**< offsets in the data image */
    size_t num_defaults;
    uint32_t default_arm[2];
    int32_t real, default_slots; /**< -1: not known */
};

/** The documented sites of an image with this name, NULL for none. */
TRN_API const struct trn_fw_site_row *trn_fw_site_known(const struct trn_fw_name *name);

#ifdef __cplusplus
}
#endif
#endif
