/* SPDX-License-Identifier: Apache-2.0 */
/**
 * trench/manual.h - the hardware manual as data: find a name or a number, get its page.
 *
 * Everything the tables of data/ name can be found: opcodes, structs, fields, enums, types,
 * registers, records, errors, rules, model choices and the members of a generation's description.
 * A page is a list of facts and tables, ready to be printed or turned into JSON. The manual itself
 * is constant: no call here changes anything but the page it returns, from any thread.
 */
#ifndef TRENCH_MANUAL_H
#define TRENCH_MANUAL_H

#include "trench/base.h"
#include "trench/gen.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What an entry is, in the order in which a search lists its hits. */
enum trn_manual_kind {
    TRN_MANUAL_OPCODE,
    TRN_MANUAL_STRUCT, /**< operand struct of a word, or the common header and events */
    TRN_MANUAL_ENUM,
    TRN_MANUAL_DTYPE,
    TRN_MANUAL_ALU_OP,
    TRN_MANUAL_TYPE,   /**< composite field type: addr4, pattern3d, ... */
    TRN_MANUAL_FIELD,  /**< field of a struct, part of a composite type */
    TRN_MANUAL_MEMBER, /**< value of an enum */
    TRN_MANUAL_RULE,
    TRN_MANUAL_BLOCK, /**< block of registers */
    TRN_MANUAL_REGISTER,
    TRN_MANUAL_APERTURE,
    TRN_MANUAL_RECORD,       /**< type of a notification record */
    TRN_MANUAL_ERROR,        /**< number by which an error is reported */
    TRN_MANUAL_INPUT_BUFFER, /**< notification class with its bit of the enable mask */
    TRN_MANUAL_TRIGGER,      /**< interrupt trigger of a core */
    TRN_MANUAL_DMA_CAUSE,    /**< interrupt cause of a DMA engine */
    TRN_MANUAL_ACT_FUNCTION,
    TRN_MANUAL_PROFILE_FIELD,   /**< field of an entry of the activation tables */
    TRN_MANUAL_ACT_SET,         /**< set of activation functions, shipped or only published */
    TRN_MANUAL_ACT_TABLE,       /**< one of the four activation tables */
    TRN_MANUAL_ACT_RULE,        /**< rule of a set of activation tables or of a fit */
    TRN_MANUAL_CALL,            /**< public kernel call or name, and the words it becomes */
    TRN_MANUAL_CHOICE,          /**< model choice */
    TRN_MANUAL_GEN_FIELD,       /**< member of struct trn_gen */
    TRN_MANUAL_HAL_SLOT,        /**< slot of the host HAL's dispatch object */
    TRN_MANUAL_HAL_GETTER,      /**< number that a HAL getter answers with, by generation */
    TRN_MANUAL_UDMA_DESCRIPTOR, /**< one view of the 16 bytes of a DMA descriptor */
    TRN_MANUAL_PACKED, /**< a packed byte, register or descriptor word by the sheets' name for it */
    TRN_MANUAL_XTENSA_INSN,    /**< instruction of the Xtensa subset of firmware images */
    TRN_MANUAL_XTENSA_FORMAT,  /**< format of an Xtensa instruction, FLIX bundles too */
    TRN_MANUAL_FW_HEAD,        /**< reset path of a generation's firmware images */
    TRN_MANUAL_FW_PATTERN,     /**< byte pattern that tells firmware images apart */
    TRN_MANUAL_FW_DISPATCH,    /**< dispatch flavour of a firmware image */
    TRN_MANUAL_FW_HANDSHAKE,   /**< word of the boot handshake */
    TRN_MANUAL_FW_KERNEL,      /**< kernel of an EXTISA library */
    TRN_MANUAL_FW_DECODE_SET,  /**< opcodes that a generation's hardware decode arms */
    TRN_MANUAL_FW_CORE_TYPE,   /**< row of the host's core-type table */
    TRN_MANUAL_PCI_MODEL,      /**< a product as a PCI function */
    TRN_MANUAL_PCI_REGISTER,   /**< a register of its configuration space */
    TRN_MANUAL_PCI_BAR,        /**< a base address register */
    TRN_MANUAL_PCI_RESET,      /**< bits of its reset map */
    TRN_MANUAL_CPTC_WORKER,    /**< worker of POOL's CPTC decoder */
    TRN_MANUAL_TIMING,         /**< number of the timing model */
    TRN_MANUAL_TIMING_FORMULA, /**< what prices words of the timing model */
    TRN_MANUAL_TOPIC,          /**< a subject with many entries: what it is, and their names */
    TRN_MANUAL_KINDS
};

/** "opcode", "enum_member", "dtype", ...: the name without its prefix; NULL for what is no kind. */
TRN_API const char *trn_manual_kind_name(enum trn_manual_kind kind);

/** Names one entry. Plain data; only calls of this header make valid ones. */
struct trn_manual_ref {
    enum trn_manual_kind kind;
    uint32_t row, part;
};

/** Longest name of an entry, terminator included. */
#define TRN_MANUAL_NAME_MAX 128

/** Full name ("MATMUL", "S3D3_TS.op0", "notific.nq.head_ptr") into `name`. */
TRN_API void trn_manual_name(struct trn_manual_ref ref, char name[TRN_MANUAL_NAME_MAX]);

/** Bit i is set when the entry exists on generation i; all bits for what no generation limits. */
TRN_API unsigned trn_manual_generations(struct trn_manual_ref ref);

/**
 * Entries whose full name, short name, mnemonic or second name is `query`, case aside; a query of
 * digits or 0x.. also finds the entries that have that number. What no entry is called is looked up
 * once more with '_' for '-' and blanks, as options are spelled. `gen` (may be NULL) leaves out
 * what does not exist there. Stores up to `capacity` hits ordered by kind, returns their full
 * number.
 */
TRN_API size_t trn_manual_find(const char *query, const struct trn_gen *gen,
                               struct trn_manual_ref *hits, size_t capacity);

/** The names nearest to `query` by edit distance, at most `capacity` and 32; returns how many. */
TRN_API size_t trn_manual_near(const char *query, const struct trn_gen *gen,
                               char (*names)[TRN_MANUAL_NAME_MAX], size_t capacity);

/** First entry of a kind; then *ref = the next of it. False after the last. */
TRN_API bool trn_manual_first(enum trn_manual_kind kind, struct trn_manual_ref *ref);
TRN_API bool trn_manual_next(struct trn_manual_ref *ref);

/* ---- pages ------------------------------------------------------------------------ */

enum trn_manual_value_type {
    TRN_MANUAL_TEXT,
    TRN_MANUAL_LIST,   /**< `text` holds the items, separated by single spaces */
    TRN_MANUAL_NUMBER, /**< signed, in `number` */
    TRN_MANUAL_HEX,    /**< unsigned, in `number`; printed as 0x with `digits` digits at least */
    TRN_MANUAL_BOOL,
    TRN_MANUAL_PER_ISA, /**< per_isa[i] of sunda, cayman, mariana, maverick; -1: absent there */
    TRN_MANUAL_NOTHING  /**< empty cell */
};

struct trn_manual_value {
    const char *text;
    int64_t number;
    int16_t per_isa[4];
    enum trn_manual_value_type type;
    unsigned digits;
};

struct trn_manual_fact {
    const char *key; /**< snake_case */
    struct trn_manual_value value;
};

/** How a column wants to be printed; data formats ignore it. */
enum trn_manual_column_style {
    TRN_MANUAL_COLUMN_PLAIN,
    TRN_MANUAL_COLUMN_JOINED, /**< in brackets behind the column before it */
    TRN_MANUAL_COLUMN_DETAIL  /**< not in text: too long for a table */
};

struct trn_manual_column {
    const char *key; /**< snake_case; also the heading */
    enum trn_manual_column_style style;
};

struct trn_manual_table {
    const char *key; /**< "layout", "members", "rules", ... */
    const struct trn_manual_column *columns;
    size_t num_columns;
    const struct trn_manual_value *cells; /**< num_rows * num_columns, row by row */
    size_t num_rows;
};

/** Everything belongs to the page and lives until it is freed. */
struct trn_manual_page {
    enum trn_manual_kind kind;
    const char *name;
    const char *summary; /**< one sentence, may be empty */
    const struct trn_manual_fact *facts;
    size_t num_facts;
    const struct trn_manual_table *tables;
    size_t num_tables;
};

/** Whether a program version executes an opcode on an engine (trn_opcode_modelled). */
typedef bool (*trn_manual_modelled)(const struct trn_gen *gen, int engine, uint8_t opcode);

/**
 * The page of an entry. `gen` limits it to one generation (NULL: all). `modelled` (may be NULL)
 * tells what is executed, so that the page can say "not modelled yet". Free with trn_manual_free.
 */
TRN_API trn_status trn_manual_page(struct trn_manual_ref ref, const struct trn_gen *gen,
                                   trn_manual_modelled modelled, struct trn_manual_page **page,
                                   struct trn_diag *diag);
TRN_API void trn_manual_free(struct trn_manual_page *page);

#ifdef __cplusplus
}
#endif
#endif
