/* SPDX-License-Identifier: Apache-2.0 */
/**
 * trench/isa.h - the 64-byte instruction word: check, assemble, disassemble.
 *
 * The word is the truth. Text and structs are views of it; word -> text -> word is exact for every
 * byte pattern, text -> word -> text is canonical. All functions are pure: no state, any thread.
 */
#ifndef TRENCH_ISA_H
#define TRENCH_ISA_H

#include "trench/base.h"
#include "trench/enums.h"
#include "trench/gen.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TRN_INST_BYTES 64
#define TRN_ENGINE_ANY (-1)

/** "pe", "act", "pool", "dve", "sp" for 0..4; NULL otherwise. */
TRN_API const char *trn_engine_name(int engine);
/** 0..4 for a lower-case name, -1 when there is none. */
TRN_API int trn_engine_find(const char *name);

/** Name of an opcode in the manual ("MATMUL"), NULL when no table has the value. */
TRN_API const char *trn_opcode_name(uint8_t opcode);
/** Whether the generation has the opcode and the engine takes it (opcodes.csv, `engines`). */
TRN_API bool trn_opcode_on_engine(const struct trn_gen *gen, int engine, uint8_t opcode);

/* ---- check ------------------------------------------------------------------------ */

/** One rule that a word breaks. Strings are static except `detail`. */
struct trn_violation {
    const char *rule;       /**< name in rules.csv, or <struct>_reserved_zero */
    const char *field;      /**< sheet name of the field that the rule is about; NULL: the word */
    const char *message;    /**< the rule's own text */
    const char *provenance; /**< O, I, C or MC */
    bool warning;           /**< does not make the word invalid */
    char detail[160];       /**< field and value found, what would be accepted; may be empty */
};

struct trn_check_options {
    int engine;           /**< TRN_ENGINE_ANY: legal if some engine of the generation takes it */
    bool before_lowering; /**< accept pseudo words */
    const uint8_t *next_word; /**< the word that follows in the stream, NULL at its end */
};

/**
 * Evaluate every rule that needs only the word and the generation. Stores up to `capacity`
 * violations in the order the hardware contract reports them and their full number in *count
 * (may be NULL; `out` may be NULL when capacity is 0). Returns TRN_OK when the word is valid
 * (warnings allowed), TRN_ERR_INVALID when not. `options` NULL: any engine, after lowering.
 */
TRN_API trn_status trn_check_word(const struct trn_gen *gen, const uint8_t word[TRN_INST_BYTES],
                                  const struct trn_check_options *options,
                                  struct trn_violation *out, size_t capacity, size_t *count);

/* ---- text ------------------------------------------------------------------------- */

/** Receives each diagnostic of an assembly; diag->where is FILE:LINE:COLUMN. */
typedef void (*trn_diag_sink)(void *context, const struct trn_diag *diag);

/** One engine's instruction stream. */
struct trn_stream {
    int engine;      /**< 0..4; TRN_ENGINE_ANY only with trn_asm_options.engine_optional */
    uint8_t *words;  /**< num_words * 64 bytes, owned by the program */
    uint32_t *lines; /**< source line of each word, owned by the program; NULL for raw words */
    size_t num_words;
};

/** An assembled program: at most one stream an engine, in engine order. */
struct trn_program {
    const struct trn_gen *gen;
    struct trn_stream streams[5];
    size_t num_streams;
    uint8_t gens; /**< bit i: generation i is listed by .gen (all bits when there is no .gen) */
};

struct trn_asm_options {
    const char *file;          /**< name for diagnostics; NULL: "<text>" */
    const struct trn_gen *gen; /**< NULL: the generation that the text names first */
    int engine;                /**< stream of words before any .engine; TRN_ENGINE_ANY: required */
    bool engine_optional;      /**< a text without .engine is one stream whose engine stays
                                    TRN_ENGINE_ANY */
};

/**
 * Assemble `size` bytes of text (docs/tasm.md). All errors are reported through `sink` (may be
 * NULL), the first also in *diag. On failure *out is empty but for `gens`. Free with
 * trn_program_free.
 */
TRN_API trn_status trn_asm(const char *text, size_t size, const struct trn_asm_options *options,
                           struct trn_program *out, trn_diag_sink sink, void *context,
                           struct trn_diag *diag);

TRN_API void trn_program_free(struct trn_program *program);

/** Longest text of one word with its sync lines, terminator included. */
#define TRN_DIS_MAX 4096

/**
 * Text of one word: one line and up to two sync lines (four for EVENT_SEMAPHORE), each ending in a
 * newline. Relative branches print their distance in bytes (`.-128`). Never fails: what has no
 * layout prints as `.word`. Returns the length without the NUL; `out` holds TRN_DIS_MAX bytes.
 */
TRN_API size_t trn_dis_word(const struct trn_gen *gen, const uint8_t word[TRN_INST_BYTES],
                            char *out);

/** Receives a piece of text, not NUL-terminated; a status other than TRN_OK ends the printing. */
typedef trn_status (*trn_text_sink)(void *context, const char *text, size_t size);

/**
 * Text of a stream of `num_words` words, as `trench dis` prints it: .gen, .engine unless `engine`
 * is TRN_ENGINE_ANY, then every word, with a label wherever a relative branch of the stream goes.
 * The text assembles to the same words. Returns the sink's status, or TRN_ERR_NO_MEMORY.
 */
TRN_API trn_status trn_dis_stream(const struct trn_gen *gen, int engine, const uint8_t *words,
                                  size_t num_words, trn_text_sink sink, void *context);

/* ---- fields of a word -------------------------------------------------------------- */

/** What a word is on a generation. */
struct trn_word_info {
    uint8_t opcode;
    const char *name;        /**< of the opcode, NULL when the generation does not have it */
    const char *mnemonic;    /**< NULL together with name */
    const char *struct_name; /**< NULL when no layout is known */
    uint8_t engines;         /**< bit = engine number: who takes it */
    size_t num_fields;       /**< of trn_word_field */
};

TRN_API struct trn_word_info trn_word_info(const struct trn_gen *gen,
                                           const uint8_t word[TRN_INST_BYTES]);

enum trn_value_kind {
    TRN_VALUE_UNSIGNED, /**< number */
    TRN_VALUE_ADDRESS,  /**< number: a 64-bit quantity, best shown in hexadecimal */
    TRN_VALUE_SIGNED,   /**< number, sign-extended */
    TRN_VALUE_FLOAT,    /**< number: the 32 bits */
    TRN_VALUE_REGISTER, /**< number */
    TRN_VALUE_ENUM,     /**< number, symbol */
    TRN_VALUE_PAIR,     /**< number and symbol: low half; number_hi and symbol_hi: high half */
    TRN_VALUE_POINTER,  /**< pattern.start: an on-chip address or a register that holds it */
    TRN_VALUE_PATTERN,  /**< pattern */
    TRN_VALUE_LIST,     /**< count elements of kind `element`; see trn_field_element */
    TRN_VALUE_STRING,   /**< bytes, size: up to the first NUL */
    TRN_VALUE_BYTES     /**< bytes, size */
};

/** An on-chip start address. */
struct trn_address_view {
    bool from_register;
    uint8_t reg;              /**< from_register: where the address comes from */
    uint32_t address;         /**< otherwise: 29 bits */
    const char *space;        /**< "sbuf", "psum"; NULL: in neither, or from a register */
    uint32_t partition, byte; /**< in `space` */
};

enum trn_pattern_form {
    TRN_PATTERN_SHAPE,          /**< num, step */
    TRN_PATTERN_GENERATOR,      /**< base, num, step: numbers, not addresses */
    TRN_PATTERN_SHAPE_REGISTER, /**< shape_register */
    TRN_PATTERN_INDIRECT,       /**< index, num[0] indices */
    TRN_PATTERN_MX,             /**< num[0..1], step[0], scale, scale_step, p_log2, f_log2 */
    TRN_PATTERN_RAW             /**< bytes that no form explains */
};

struct trn_pattern_view {
    enum trn_pattern_form form;
    struct trn_address_view start;
    uint8_t ndim;
    int32_t step[4]; /**< in elements */
    uint32_t num[4];
    int32_t base;
    uint32_t shape_register;
    struct trn_address_view index;
    bool has_scale;
    struct trn_address_view scale;
    uint32_t scale_partition;
    int32_t scale_step;
    uint8_t p_log2, f_log2;
    const char *scale_dtype; /**< NULL: a value of no member */
};

/** One field of a word. Strings are static; `bytes` points into the word. */
struct trn_field_view {
    const char *name, *short_name; /**< of the sheet; of the text form */
    enum trn_value_kind kind;
    bool reserved; /**< must be zero */
    uint8_t offset, size, bit_lo, bits, count;
    enum trn_value_kind element;
    uint64_t number, number_hi;
    const char *symbol, *symbol_hi; /**< member's name in the text form, NULL: none has the value */
    const char *enum_name;
    const uint8_t *bytes;
    struct trn_pattern_view pattern;
};

/**
 * Field `i` of a word, header and sync block first, then the struct's own in the order of the
 * sheet; TRN_ERR_RANGE when the word has no such field, TRN_ERR_UNSUPPORTED (skip it) when this
 * generation lacks the field. A word without a known layout has its header and sync block only.
 */
TRN_API trn_status trn_word_field(const struct trn_gen *gen, const uint8_t word[TRN_INST_BYTES],
                                  size_t i, struct trn_field_view *out);

/** Element `i` < count of a list: its bits, sign-extended where it is signed. */
TRN_API int64_t trn_field_element(const struct trn_field_view *field, size_t i);

#ifdef __cplusplus
}
#endif
#endif
