/* SPDX-License-Identifier: Apache-2.0 */
/**
 * trench/fw_data.h - the data of a firmware image: strings, kernel tables, hardware-decode tables,
 * and the host's choice of an image.
 *
 * All calls work on bytes that the caller keeps and neither change nor trust them; results point
 * into those bytes or to static tables. Sources: docs/hardware/firmware-images.md 9 to 13.
 */
#ifndef TRENCH_FW_DATA_H
#define TRENCH_FW_DATA_H

#include "trench/base.h"
#include "trench/fw.h"
#include "trench/gen.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- strings (firmware-images.md 9) ----------------------------------------------- */

/** A part of an image's bytes. */
struct trn_fw_text {
    size_t offset;
    size_t size;
};

/** Shortest run of printable bytes (0x20..0x7e) that is a string, when a NUL ends it. */
#define TRN_FW_STRING_MIN 3

/** The next string at or behind *at, which moves behind its NUL; false at the end. */
TRN_API bool trn_fw_next_string(const uint8_t *bytes, size_t size, size_t *at,
                                struct trn_fw_text *out);

/** What a token of data/fw-tokens.csv stands for. */
enum trn_fw_token_set {
    TRN_FW_COMPUTE,  /**< name of an operation */
    TRN_FW_ABSENCE,  /**< what the floor generation must not have */
    TRN_FW_MARKER,   /**< tells images apart */
    TRN_FW_DGE_FAST, /**< fast path of the descriptor generator */
    TRN_FW_DGE_SLOW, /**< its opposite */
    TRN_FW_TOKEN_SETS
};

/** "compute", "absence", ...; NULL past the end. */
TRN_API const char *trn_fw_token_set_name(enum trn_fw_token_set set);

/** How often a token occurs. */
struct trn_fw_token_hits {
    const char *token;
    enum trn_fw_token_set set;
    const char *note;
    size_t whole; /**< as its rule says: whole words, of either case or not, or text */
    size_t raw;   /**< anywhere, of either case: `Cast` occurs twice in two forms of bad_cast */
    size_t first; /**< offset of the first one that counts in `whole` */
};

/** A source file of the module spine. */
struct trn_fw_module {
    struct trn_fw_text name; /**< basename */
    size_t full;             /**< occurrences behind a directory */
    size_t bare;             /**< occurrences as a bare name */
    struct trn_fw_text path; /**< the first full one, without line and expression; size 0: none */
};

/** Tokens that are looked for, at most. */
#define TRN_FW_TOKENS 64
/** Distinct handlers or modules that are kept, at most; `cut` says when there were more. */
#define TRN_FW_DISTINCT 65536

/** The census of one image. Free with trn_fw_census_free. */
struct trn_fw_census {
    size_t strings;
    size_t log_lines; /**< sequencer log lines, "S: ..." behind 0 to 3 glue characters */
    size_t glued;     /**< of those, the ones with glue */
    size_t pool_logs; /**< "P%i: ..." or "P%d: ..." */
    size_t dispatch_logs;
    size_t dispatch_at; /**< offset of the first dispatch log's text, behind its glue */
    size_t identity_logs;
    const struct trn_gen *gen; /**< that the image names itself in "S: BEGIN on ..."; or NULL */
    bool sunda_tree;           /**< source paths below sunda/seq or sunda/pool */
    bool cut; /**< more than TRN_FW_DISTINCT names: the rest is counted, not kept */
    struct trn_fw_text *handlers; /**< each once, glue stripped, in order of appearance */
    size_t num_handlers;
    struct trn_fw_module *modules; /**< each basename once, in order of appearance */
    size_t num_modules;
    struct trn_fw_token_hits tokens[TRN_FW_TOKENS];
    size_t num_tokens;
};

/** TRN_ERR_NO_MEMORY; *out is safe to free in any case. */
TRN_API trn_status trn_fw_census_take(const uint8_t *bytes, size_t size, struct trn_fw_census *out);
TRN_API void trn_fw_census_free(struct trn_fw_census *census);

/** Is there a roster for this engine and generation (firmware-images.md 10)? SUNDA has no names,
 * and no generation without a DEBUG image of the engine has any: "not derivable". */
TRN_API bool trn_fw_has_roster(const struct trn_gen *gen, int engine);
/** The roster's i-th name, NULL past its end. */
TRN_API const char *trn_fw_roster_name(const struct trn_gen *gen, int engine, size_t i);
/** Is this text a name of the roster? */
TRN_API bool trn_fw_roster_has(const struct trn_gen *gen, int engine, const char *text,
                               size_t length);

/** Bytes of one image for trn_fw_strings_common. */
struct trn_fw_span {
    const uint8_t *bytes;
    size_t size;
};

/** Strings of several images held against each other, each string once. */
struct trn_fw_common {
    size_t common;           /**< in every image */
    size_t *unique;          /**< by image: in this one alone */
    struct trn_fw_text *one; /**< by image: one string that is in this one alone; size 0: none */
};

/** TRN_ERR_NO_MEMORY; TRN_ERR_TOO_LARGE above a million strings. Free with trn_fw_common_free. */
TRN_API trn_status trn_fw_strings_common(const struct trn_fw_span *images, size_t count,
                                         struct trn_fw_common *out, struct trn_diag *diag);
TRN_API void trn_fw_common_free(struct trn_fw_common *common);

/* ---- kernel tables (firmware-images.md 13) ---------------------------------------- */

/** How a table was found. */
enum trn_fw_kernel_source {
    TRN_FW_KERNELS_BY_SECTION, /**< an ELF section kernel_info_table */
    TRN_FW_KERNELS_BY_SYMBOL,  /**< an ELF symbol of that name */
    TRN_FW_KERNELS_BY_SCAN,    /**< by the shape of its entries */
    TRN_FW_KERNELS_BY_OFFSET,  /**< where the caller said */
    TRN_FW_KERNEL_SOURCES
};

/** "section", "symbol", ...; NULL past the end. */
TRN_API const char *trn_fw_kernel_source_name(enum trn_fw_kernel_source source);

/** What is wrong with an entry: bits of struct trn_fw_kernel's `flaws`. */
enum trn_fw_kernel_flaw {
    TRN_FW_KERNEL_RESERVED = 1, /**< byte 0 or 1 is not zero */
    TRN_FW_KERNEL_OUTSIDE = 2,  /**< the function lies outside .text */
    TRN_FW_KERNEL_NO_ENTRY = 4, /**< the function does not start with `entry a1,...` */
    TRN_FW_KERNEL_TWICE = 8     /**< an entry before it has the same key: never reached */
};

/** What each flaw means, and whether the table can still be used; NULL past the end. */
TRN_API const char *trn_fw_kernel_flaw_text(size_t bit);
/** Every flaw but TRN_FW_KERNEL_TWICE, of which the first entry wins. */
#define TRN_FW_KERNEL_ERRORS                                                                       \
    (TRN_FW_KERNEL_RESERVED | TRN_FW_KERNEL_OUTSIDE | TRN_FW_KERNEL_NO_ENTRY)

struct trn_fw_kernel {
    uint32_t key; /**< opcode << 24 | spec << 16, as it is compared */
    unsigned opcode, spec;
    uint32_t func_va;
    size_t offset;  /**< of the entry in the image */
    unsigned flaws; /**< bits of enum trn_fw_kernel_flaw */
};

struct trn_fw_kernel_table {
    enum trn_fw_kernel_source source;
    size_t offset; /**< in the image */
    uint64_t size; /**< in bytes, as the section or symbol says */
    uint32_t va;   /**< where it is loaded; 0: not known */
    bool odd_size; /**< the size is no multiple of 8: the rest is left out */
    bool has_text; /**< .text is known: functions could be checked */
    struct trn_fw_kernel *entries;
    size_t count;
    unsigned flaws;       /**< of all entries together */
    unsigned by_keys;     /**< bit i: a library of generation i has these keys in this order */
    unsigned by_address;  /**< of those, the ones that agree with most recorded addresses and
                               contradict none */
    unsigned num_matched; /**< recorded addresses that agree with one in by_address */
    unsigned library;     /**< of the matches: EXTISA_0..3 */
};

struct trn_fw_kernels {
    struct trn_fw_kernel_table *tables;
    size_t count;
};

/** How to look. */
struct trn_fw_kernel_place {
    bool scan_only;  /**< leave sections and symbols aside */
    bool has_offset; /**< read `count` entries at `offset` */
    size_t offset;
    size_t count;
};

/** Most entries of one table: a key is opcode and spec. */
#define TRN_FW_KERNELS_MAX 65536

/**
 * Kernel tables of an image: by section, by symbol, else by the shape of their entries; NULL
 * `place` is that. An object of Xtensa brings its .text; in a flat image a run of four entries or
 * more with opcodes that kernels are known of is a table, and functions are not checked. No table
 * at all is TRN_OK with count 0. `name` is for messages. Free with trn_fw_kernels_free in any case.
 * TRN_ERR_FORMAT, TRN_ERR_RANGE, TRN_ERR_NO_MEMORY.
 */
TRN_API trn_status trn_fw_kernels_find(const uint8_t *bytes, size_t size, const char *name,
                                       const struct trn_fw_kernel_place *place,
                                       struct trn_fw_kernels *out, struct trn_diag *diag);
TRN_API void trn_fw_kernels_free(struct trn_fw_kernels *kernels);

/** What data/kernel-info.csv knows of a kernel. */
struct trn_fw_kernel_info {
    const struct trn_gen *gen;
    unsigned library, index, opcode, spec;
    bool has_va;
    uint32_t func_va;
    const char *kernel, *confidence;
};

/** The i-th row, false past the end. */
TRN_API bool trn_fw_kernel_info(size_t i, struct trn_fw_kernel_info *out);
/** The row of a key in a library of a generation, false when it has none. */
TRN_API bool trn_fw_kernel_known(const struct trn_gen *gen, unsigned library, unsigned opcode,
                                 unsigned spec, struct trn_fw_kernel_info *out);

/** One leg of an opcode that means two things (data/fw-legs.csv). */
struct trn_fw_kernel_leg {
    unsigned opcode, spec;
    const char *leg, *condition, *note, *confidence;
    int engine;  /**< that executes it */
    int library; /**< whose kernel does; -1: no library has one */
};

TRN_API bool trn_fw_kernel_leg(size_t i, struct trn_fw_kernel_leg *out);

/* ---- hardware-decode tables (firmware-images.md 12) ------------------------------- */

#define TRN_FW_PROF_SLOTS       64
#define TRN_FW_PROF_CAM_BYTES   0x400
#define TRN_FW_PROF_TABLE_BYTES 0x2000
#define TRN_FW_PROF_DESCRIPTORS 12

/** One slot of a CAM and its record of the TABLE. */
struct trn_fw_prof_entry {
    uint32_t opcode, mask, enable, reserved;
    uint32_t cfg0, cfg1; /**< layout unknown */
    uint8_t descriptor[TRN_FW_PROF_DESCRIPTORS];
    uint32_t class_word;
};

/** What holds of a CAM and a TABLE. */
struct trn_fw_prof {
    size_t armed;           /**< slots with enable 1, the wildcard included */
    size_t nonzero_words;   /**< of the TABLE */
    bool holds;             /**< every invariant does */
    int slot;               /**< of the first one that does not; -1: a size */
    const char *rule;       /**< its short name */
    char problem[160];      /**< in one sentence */
    unsigned gens, engines; /**< of the known set that arms the same opcodes; 0: none */
};

/** One slot; `table` may be NULL. The CAM has TRN_FW_PROF_CAM_BYTES, the TABLE its own. */
TRN_API void trn_fw_prof_entry(const uint8_t *cam, const uint8_t *table, unsigned slot,
                               struct trn_fw_prof_entry *out);
/** Hold a pair against the invariants of firmware-images.md 12.1; `table` may be NULL. */
TRN_API void trn_fw_prof_check(const uint8_t *cam, size_t cam_size, const uint8_t *table,
                               size_t table_size, struct trn_fw_prof *out);
/** The i-th slot that a generation's engine arms (12.2), the wildcard last; false past the end. */
TRN_API bool trn_fw_prof_known(const struct trn_gen *gen, int engine, size_t i, uint32_t *opcode,
                               uint32_t *mask);

/* ---- which image the host takes (firmware-images.md 11) --------------------------- */

/** Environment that the host's resolvers read; NULL: not set. */
struct trn_fw_env {
    const char *mplus_on_mariana; /**< NRTUCODE_MPLUS_ON_MARIANA */
    const char *flavor;           /**< NEURON_UCODE_FLAVOR */
    const char *cptc_decode;      /**< NRT_UCODE_UNSTABLE_LIBRARY_FLAG_CPTC_DECODE */
};

/** What the host's resolvers return. */
enum trn_fw_select_code {
    TRN_FW_SELECTED = 0,
    TRN_FW_SELECT_NO_CORE = 1,    /**< index or core type that no table has */
    TRN_FW_SELECT_NO_FLAVOR = 2,  /**< no such flavour, region or kind */
    TRN_FW_SELECT_NO_GETTER = 3,  /**< the container has no getter in that place */
    TRN_FW_SELECT_REMOVED = 8,    /**< a flag that was taken away */
    TRN_FW_SELECT_NO_PLACE = 0x16 /**< no place for the answer */
};

/** One row of the host's core-type table. */
struct trn_fw_slot {
    unsigned number;
    const char *core_type; /**< "NX_TOPSP" */
    const struct trn_gen *gen;
    enum trn_fw_class core; /**< whose images it uses: TOPSP those of SP, CCE those of Q7_POOL */
    int engine;
    unsigned num_flavors;
    unsigned flavors[8]; /**< keys: 1 PERF or RELEASE, 2 DEBUG, 3 TEST, 17..19 DKL of those */
    bool has_prof;
    unsigned num_libraries;
};

#define TRN_FW_SLOTS 38

/** Row by number; false past the end. */
TRN_API bool trn_fw_slot(unsigned number, struct trn_fw_slot *out);
/** The flavour that a key stands for on a generation; false: no such key. */
TRN_API bool trn_fw_flavor_of_key(const struct trn_gen *gen, unsigned key, enum trn_fw_flavor *out);

/** 11.1: memory image `region` (0 IRAM .. 3 EXTRAM) of a slot; flavour 0 asks the environment. */
TRN_API enum trn_fw_select_code trn_fw_select_image(unsigned slot, unsigned region, unsigned flavor,
                                                    const struct trn_fw_env *env,
                                                    struct trn_fw_name *out);
/** 11.2: hardware-decode table of a slot; kind 0 CAM, 1 TABLE. */
TRN_API enum trn_fw_select_code trn_fw_select_prof(unsigned slot, unsigned kind,
                                                   struct trn_fw_name *out);
/** 11.3: library `library` of a core type; flavour 0 asks the environment. */
TRN_API enum trn_fw_select_code trn_fw_select_library(unsigned core_type, unsigned flavor,
                                                      unsigned library,
                                                      const struct trn_fw_env *env,
                                                      struct trn_fw_name *out);
/** 11.3: how many libraries a core type has. */
TRN_API enum trn_fw_select_code trn_fw_library_count(unsigned core_type, unsigned *out);
/** 11.4: the libraries for a set of opcodes, whose content does not matter. *num is 0 or 1. */
TRN_API enum trn_fw_select_code trn_fw_libraries_for(unsigned core_type, size_t num_opcodes,
                                                     const struct trn_fw_env *env,
                                                     unsigned *library, size_t *num);

/** 15: which image of the management core ("v2", "v4_plus": its symbols are *image +
 * "_ncfw_iram_bin" and
 * "_ncfw_dram_bin") an arch_id takes; TRN_FW_SELECT_NO_FLAVOR where it takes none. */
TRN_API enum trn_fw_select_code trn_fw_select_management(unsigned arch_id, const char **image);

/** 11.5: the opcodes that a model uses. Plain data: zero it to start. */
struct trn_fw_opset {
    uint8_t has[256 / 8];      /**< by opcode */
    uint8_t extended[256 / 8]; /**< by byte 12, of opcode 0xf0 */
};

/** Take in a 64-byte word: its opcode, and byte 12 where the opcode is 0xf0. */
TRN_API void trn_fw_opset_add(struct trn_fw_opset *set, const uint8_t word[64]);
TRN_API unsigned trn_fw_opset_opcodes(const struct trn_fw_opset *set);
TRN_API bool trn_fw_opset_has(const struct trn_fw_opset *set, unsigned opcode);
TRN_API unsigned trn_fw_opset_specs(const struct trn_fw_opset *set, unsigned opcode);
TRN_API bool trn_fw_opset_has_spec(const struct trn_fw_opset *set, unsigned opcode, unsigned spec);
/** 11.4: library index of a set: 0, never another one; *status 1 for a core type that has none. */
TRN_API enum trn_fw_select_code trn_fw_opset_library(const struct trn_fw_opset *set,
                                                     unsigned core_type, unsigned *library);

#ifdef __cplusplus
}
#endif
#endif
