/* SPDX-License-Identifier: Apache-2.0 */
/* A word under check, read field by field for the details of a violation. */
#ifndef TRN_ISA_CHECK_VIEW_H
#define TRN_ISA_CHECK_VIEW_H

#include "isa/check_text.h"
#include "isa/rule_helpers.h"

struct view {
    const struct rule_check *c;
    const uint8_t *word;
    unsigned isa;
    enum trn_struct_id id;
};

struct view trn_view_of(const struct rule_check *c);

bool trn_view_present(const struct view *v, const struct trn_field_row *field);
const uint8_t *trn_view_bytes(const struct view *v, const struct trn_field_row *field);
/* The number in a field of at most 8 bytes. */
uint64_t trn_view_number(const struct view *v, const struct trn_field_row *field);

bool trn_view_is_pattern(const struct trn_field_row *field);
unsigned trn_view_dims(const struct trn_field_row *field);
struct rule_pattern trn_view_pattern(const struct view *v, const struct trn_field_row *field);
/* The counts of a pattern, u16 each. Its steps stand before them, but an MXTENSOR1D's behind. */
const uint8_t *trn_view_nums(const struct view *v, const struct trn_field_row *field);
/* The data type of a pattern: what the type= of its constraint names. */
uint32_t trn_view_type(const struct view *v, const struct trn_field_row *field);

/* Copies the first item of a field's constraint that starts with `prefix`, without the prefix. */
bool trn_constraint_item(const struct trn_field_row *field, const char *prefix, char *out,
                         size_t size);

void trn_view_say_place(struct text *text, struct rule_place place);
void trn_view_say_pattern(struct text *text, const struct view *v,
                          const struct trn_field_row *field);
void trn_view_say_value(struct text *text, const struct view *v, const struct trn_field_row *field);
/* "FIELD is VALUE"; of one nibble when `place` has RULE_LO or RULE_HI. */
void trn_view_say_found(struct text *text, const struct view *v, const struct trn_field_row *field,
                        unsigned place);

#endif
