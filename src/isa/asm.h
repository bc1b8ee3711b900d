/* SPDX-License-Identifier: Apache-2.0 */
/* The assembler's parts and the state they share. A parser of a part returns false after it has
 * reported what is wrong; `at` then stands somewhere in the bad operand. */
#ifndef TRN_ISA_ASM_H
#define TRN_ISA_ASM_H

#include "isa/lexer.h"
#include "isa/text.h"
#include "isa/text_number.h"
#include "isa/text_pattern.h"
#include "trench/isa.h"

enum {
    TRN_ASM_MAX_ERRORS = 50,
    TRN_ASM_MAX_LINE = 65536,
    TRN_ASM_NO_ENGINE = 5, /* stream of words that no .engine claims */
    TRN_ASM_STREAMS = 6,
    TRN_ASM_MAX_IMMEDIATES = 4,
    TRN_ASM_MARGIN = 32 /* readable bytes behind the text */
};

/* A diagnostic with its place, so that all can be sorted before they are reported. */
struct trn_asm_error {
    uint32_t line;
    size_t column;
    struct trn_diag diag;
};

struct trn_asm_stream {
    uint8_t *words;
    uint32_t *lines;
    size_t num_words, capacity;
};

/* A label, or a place that names one. */
struct trn_asm_name {
    const char *name;
    size_t length;
    size_t index; /* of the word */
    uint32_t line;
    uint32_t column;
    uint8_t stream;
    uint8_t field;    /* references: byte offset of the field that takes the distance */
    bool from_hinted; /* references: it counts from the branch that a hint names */
};

struct trn_asm_names {
    struct trn_asm_name *items;
    size_t count, capacity;
};

/* An immediate as written; what it means depends on fields that may come later. */
struct trn_asm_immediate {
    const struct trn_text_field *field;
    enum trn_imm_form form;
    struct trn_literal number;
    uint32_t line;
    size_t column;
};

/* The word being assembled. */
struct trn_asm_word {
    bool open;
    bool bad;                             /* its mnemonic is wrong: operands are passed over */
    const struct trn_text_layout *layout; /* NULL: .word */
    uint8_t bytes[TRN_INST_BYTES];
    uint64_t seen; /* bit: place of a field in the layout */
    size_t expected;
    struct trn_asm_immediate immediates[TRN_ASM_MAX_IMMEDIATES];
    unsigned num_immediates;
    bool relative_target; /* a label was given: the target mode follows */
    uint32_t line;
};

struct trn_asm {
    const char *file;
    const struct trn_gen *gen;
    unsigned isa;
    uint8_t gens; /* bit i: listed by .gen */
    bool gen_given, any_word, engine_optional;
    const char *at;       /* next character */
    const char *line;     /* first character of the line */
    uint32_t line_number; /* from 1 */
    int stream;           /* words go here */
    struct trn_asm_stream streams[TRN_ASM_STREAMS];
    struct trn_asm_word word;
    struct trn_asm_names labels, references;
    struct trn_asm_error *errors;
    size_t num_errors;
    bool no_memory;
    bool stop; /* nothing after this would make sense */
};

/* ---- asm_error.c ------------------------------------------------------------------ */

/* Note an error at a character of the current line, or at a place of another one. */
void trn_asm_note(struct trn_asm *a, const char *at, const char *expected, const char *format, ...)
    TRN_PRINTF(4, 5);
void trn_asm_note_at(struct trn_asm *a, uint32_t line, size_t column, const char *expected,
                     const char *format, ...) TRN_PRINTF(5, 6);

/* Note an error and be the value of the parser that found it. */
#define trn_asm_error(...) (trn_asm_note(__VA_ARGS__), false)

static inline bool trn_asm_full(const struct trn_asm *a)
{
    return a->num_errors >= TRN_ASM_MAX_ERRORS || a->no_memory;
}

/* A name cut to what fits a message. */
struct trn_asm_quote {
    char text[48];
};

struct trn_asm_quote trn_asm_quote(const char *name, size_t length);

/* What would have been right, cut to what fits a message. */
struct trn_asm_hint {
    char text[256];
};

/* The names that could stand somewhere. */
struct trn_asm_choices {
    const char *names[256];
    size_t count;
    char list[192]; /* "LEAD a, b, c"; starts as the lead */
};

/* `listed`: not only to be compared with. */
void trn_asm_add_choice(struct trn_asm_choices *choices, const char *name, bool listed);

/* "did you mean 'x'?" for the nearest of the names, else the list. */
struct trn_asm_hint trn_asm_suggest(const struct trn_asm_choices *choices, const char *name,
                                    size_t length);

/* "cayman, mariana and mariana_plus have it" for a mask of instruction sets. */
struct trn_asm_hint trn_asm_who_has(uint8_t isa_mask);

/* ---- asm_word.c ------------------------------------------------------------------- */

/* Close the open word: fill in what the text leaves out and append it to the stream. */
void trn_asm_close_word(struct trn_asm *a);

/* A line that begins with a mnemonic at `at`, `length` characters long. `disabled`: the text says
 * that it is one that its header switches off. */
void trn_asm_instruction(struct trn_asm *a, size_t length, bool disabled);

/* `field=value ...` up to the end of the line, for the open word. */
void trn_asm_operands(struct trn_asm *a);

/* `.word`, after the directive's name. */
void trn_asm_raw_word(struct trn_asm *a);

/* Begin a word of an opcode with a layout; the instruction's name is at `at`. */
void trn_asm_open_word(struct trn_asm *a, uint8_t opcode, const struct trn_text_layout *layout);

/* Mark a field as given, or report that it is given twice. */
bool trn_asm_take(struct trn_asm *a, const struct trn_text_field *field, const char *at);

/* ---- asm_value.c, asm_pattern.c, asm_list.c ---------------------------------------- */

/* A value up to the next blank, into the word. */
bool trn_asm_value(struct trn_asm *a, const struct trn_text_field *field);

/* An integer of `bits` bits (a negative one in two's complement where is_signed). */
bool trn_asm_integer(struct trn_asm *a, const char *what, unsigned bits, bool is_signed,
                     uint64_t *out);

/* The 32 bits of a float: decimal numbers are values, 0x.. and 0b.. are bits. */
bool trn_asm_float(struct trn_asm *a, const char *what, uint8_t bytes[4]);

/* A register number rN. */
bool trn_asm_register(struct trn_asm *a, uint8_t *out);

/* The character `c` with the blanks around it, or an error that names it. */
bool trn_asm_expect(struct trn_asm *a, char c);

/* The same where a value may end: blanks behind `c` stay. */
bool trn_asm_close(struct trn_asm *a, char c);

/* Member of an enum by name or by number. */
bool trn_asm_enum(struct trn_asm *a, enum trn_enum_id id, const char *what, unsigned bits,
                  uint32_t *out);

/* sbuf[p0,0x40], psum[..], rN or a 29-bit number. */
bool trn_asm_address(struct trn_asm *a, struct trn_addr4 *out);

/* Does an on-chip space with its bracket begin here? */
bool trn_asm_at_space(const struct trn_asm *a);

bool trn_asm_pattern(struct trn_asm *a, const struct trn_text_field *field);

/* hex:00ff.. of exactly `size` bytes. */
bool trn_asm_at_hex(const struct trn_asm *a);
bool trn_asm_hex(struct trn_asm *a, uint8_t *bytes, size_t size);
bool trn_asm_list(struct trn_asm *a, const struct trn_text_field *field);
bool trn_asm_string(struct trn_asm *a, const struct trn_text_field *field);
bool trn_asm_ccinsts(struct trn_asm *a, const struct trn_text_field *field);

/* asm_imm.c: an immediate, and what it means once the word is complete. */
bool trn_asm_imm(struct trn_asm *a, const struct trn_text_field *field);
void trn_asm_settle_immediates(struct trn_asm *a);

/* ---- asm_sync.c, asm_branch.c ------------------------------------------------------ */

/* `wait ...` or `update ...` below a word; *handled is false when the line begins otherwise. */
void trn_asm_sync_line(struct trn_asm *a, size_t length, bool *handled);

/* The operands of `branch`, then fields. */
bool trn_asm_branch_operands(struct trn_asm *a);

/* ---- asm_label.c ------------------------------------------------------------------ */

void trn_asm_define_label(struct trn_asm *a, size_t length);

/* The field takes the distance to the label at `at`. */
bool trn_asm_reference(struct trn_asm *a, const struct trn_text_field *field, size_t length);

/* At the end of the text: every distance, or the errors. */
void trn_asm_resolve(struct trn_asm *a);

#endif
