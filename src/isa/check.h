/* SPDX-License-Identifier: Apache-2.0 */
/* Between trn_check_word and the validators that tablegen makes from rules.csv: one function a
 * layout and instruction set, which tests its rules in the order of the hardware contract
 * (docs/hardware/README.md, section 4) and reports those that fail. */
#ifndef TRN_ISA_CHECK_H
#define TRN_ISA_CHECK_H

#include "isa/tables.h"
#include "trench/isa.h"

enum {
    RULE_NONE = 0xFFFF,     /* no rule stops the check */
    RULE_NO_NEXT = 0xFFFF,  /* opcode of the next word: there is none */
    RULE_FIELD_MASK = 0xFF, /* which field of the struct a failure speaks of ... */
    RULE_NO_FIELD = 0xFF,   /* ... none: the whole word */
    RULE_LO = 0x100,        /* the low nibble of a pair */
    RULE_HI = 0x200,        /* the high nibble of a pair */
};

#define RULE_UNLIKELY(condition) __builtin_expect(!!(condition), 0)

/* One word under check. */
struct rule_check {
    const struct trn_gen *gen;
    const uint8_t *word;
    const struct rule_entry *entry;
    uint8_t engines;      /* engines that may run it: bit = number */
    bool engine_ok;       /* the chosen engine, or some engine, takes the opcode */
    bool stopped;         /* the opcode ends the check after the header: entry->stop */
    uint16_t next_opcode; /* byte 0 of the next word, or RULE_NO_NEXT */
    bool first_only;      /* the caller asks only whether the word is valid */
    bool no_details;      /* keep violations without their second sentence */
    bool invalid;
    struct trn_violation *out;
    size_t capacity, count;
};

/* What the opcode alone decides. */
struct rule_entry {
    void (*check)(struct rule_check *c);
    uint16_t stop; /* enum trn_rule_id that ends the check after the header, or RULE_NONE */
    uint8_t engines;
    bool host;
};

extern const struct rule_entry trn_rule_entries[TRN_ISA_COUNT][256];

/* Bits and alignment in bytes of an element of a data type; 0 and 1 for undefined codes. */
extern const uint8_t trn_rule_dtype_bits[256];
extern const uint8_t trn_rule_dtype_align[256];

/* Names that the expression of a rule reads (fields, and patterns without _mem_pattern), NULL at
 * the end. */
extern const char *const *const trn_rule_reads[TRN_RULE_COUNT];

/* The name under which a struct reports a reserved byte that is not zero; NULL for no layout. */
extern const char *const trn_reserved_rules[TRN_STRUCT_COUNT];

/* A check of one word, ready for c->entry->check(c). `options` may be NULL. */
void trn_rule_begin(struct rule_check *c, const struct trn_gen *gen, const uint8_t *word,
                    const struct trn_check_options *options);

/* Report that a rule fails: an enum trn_rule_id, and the field's index in the struct's row with
 * RULE_LO or RULE_HI, or RULE_NO_FIELD. Returns true when the check can end. */
bool trn_rule_fail(struct rule_check *c, unsigned rule, unsigned place);

/* The word is not admitted: report why. Returns false when nothing more is to be evaluated. */
bool trn_rule_admit(struct rule_check *c);

/* Fill violation->detail: field, value found, what would be accepted. */
void trn_rule_detail(const struct rule_check *c, unsigned rule, unsigned place, char *detail,
                     size_t size);

#endif
