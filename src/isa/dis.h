/* SPDX-License-Identifier: Apache-2.0 */
/* The printer of the text form. Every function appends to `out` and returns the new end; the
 * longest word stays far below TRN_DIS_MAX. */
#ifndef TRN_ISA_DIS_H
#define TRN_ISA_DIS_H

#include "isa/text.h"
#include "isa/text_number.h"
#include "isa/text_pattern.h"
#include "trench/gen.h"

/* Branch targets of a stream: where labels are printed. NULL labels: distances are printed. */
struct trn_dis_labels {
    const uint8_t *bits; /* bit i of byte i / 8: word i is a target */
    size_t index;        /* of the word being printed */
    size_t num_words;
};

struct trn_dis {
    const struct trn_gen *gen;
    unsigned isa;
    const struct trn_text_layout *layout;
    const uint8_t *bytes;
    const struct trn_dis_labels *labels;
};

char *trn_dis_text(const struct trn_gen *gen, const uint8_t *word,
                   const struct trn_dis_labels *labels, char *out);

/* dis.c: one field that is no pattern, no immediate and no part of a lane, with its label. */
char *trn_dis_field(const struct trn_dis *word, const struct trn_text_field *field, char *out);

/* dis_pattern.c: an address, or a pattern. */
char *trn_dis_address(const struct trn_gen *gen, const struct trn_addr4 *addr, char *out);
char *trn_dis_pattern(const struct trn_dis *word, const struct trn_text_field *field, char *out);

/* dis_value.c: values without their label. */
char *trn_dis_register(uint64_t number, char *out);
char *trn_dis_value(const struct trn_dis *word, const struct trn_text_field *field, char *out);

/* dis_imm.c: an immediate with its label unless its zero goes without saying. Bit `source` of
 * *to_say is set when its source field must be printed too. */
char *trn_dis_imm(const struct trn_dis *word, const struct trn_text_field *imm, uint64_t *to_say,
                  char *out);

/* dis_sync.c: what the sync lines cannot say as fields, the end of the line, the sync lines. */
char *trn_dis_sync(const struct trn_dis *word, char *out);

/* dis_branch.c: ` ge r3 10 L7` of a CTRL_BR word in the short form, NULL when that is not exact. */
char *trn_dis_branch(const struct trn_dis *word, char *out);

/* Distance in bytes of a branch in the short form with a relative target; false otherwise. */
bool trn_dis_branch_offset(const uint8_t *word, unsigned isa, int32_t *offset);

/* Member of an enum, or the value in hexadecimal. */
static inline char *trn_dis_enum(const struct trn_dis *word, enum trn_enum_id id, uint32_t value,
                                 char *out)
{
    const struct trn_text_member *member = trn_text_member(id, value, word->isa);
    return member ? trn_text_copy(out, member->text, member->length) : trn_put_hex(out, value);
}

static inline char *trn_dis_label(const struct trn_text_field *field, char *out)
{
    return trn_text_copy(out, field->label, field->label_length);
}

#endif
