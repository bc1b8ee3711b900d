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

/* ---- check ------------------------------------------------------------------------ */

/** One rule that a word breaks. Strings are static except `detail`. */
struct trn_violation {
    const char *rule;       /**< name in rules.csv, or <struct>_reserved_zero, <enum>... */
    const char *message;    /**< the rule's own text */
    const char *provenance; /**< O, I, C or MC */
    bool warning;           /**< does not make the word invalid */
    char detail[160];       /**< field and value found, what would be accepted; may be empty */
};

struct trn_check_options {
    int engine;               /**< TRN_ENGINE_ANY: legal if some engine of the generation takes it */
    bool before_lowering;     /**< accept pseudo words */
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
    int engine;       /**< 0..4 */
    uint8_t *words;   /**< num_words * 64 bytes, owned by the program */
    uint32_t *lines;  /**< source line of each word, owned by the program; NULL for raw words */
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
};

/**
 * Assemble `size` bytes of text (docs/tasm.md). All errors are reported through `sink` (may be
 * NULL), the first also in *diag. On failure *out is empty. Free with trn_program_free.
 */
TRN_API trn_status trn_asm(const char *text, size_t size, const struct trn_asm_options *options,
                           struct trn_program *out, trn_diag_sink sink, void *context,
                           struct trn_diag *diag);

TRN_API void trn_program_free(struct trn_program *program);

/** Longest text of one word with its sync lines, terminator included. */
#define TRN_DIS_MAX 4096

/**
 * Text of one word as `trench dis` prints it: one line and up to two sync lines, each ending in a
 * newline. Never fails: what has no layout prints as `.word`. Returns the length without the NUL;
 * `out` holds TRN_DIS_MAX bytes.
 */
TRN_API size_t trn_dis_word(const struct trn_gen *gen, const uint8_t word[TRN_INST_BYTES],
                            char *out);

#ifdef __cplusplus
}
#endif
#endif
