/* SPDX-License-Identifier: Apache-2.0 */
/* Drawing the fields of one word at random (tests/support/wordgen.c searches with these). */
#ifndef TRN_TESTS_WORDGEN_DRAW_H
#define TRN_TESTS_WORDGEN_DRAW_H

#include "isa/tables.h"
#include "support/wordgen.h"

struct draw {
    struct trn_wordgen *g;
    const struct trn_gen *gen;
    unsigned isa;
    enum trn_struct_id id;
    uint8_t *word;
};

/* Values that a rule's expression mentions, and products it may want. */
struct hints {
    uint64_t values[96];
    unsigned count;
};

bool draw_chance(struct draw *d, unsigned percent);
uint32_t draw_below(struct draw *d, uint32_t bound);

bool draw_present(const struct draw *d, const struct trn_field_row *field);
uint64_t draw_get(const struct draw *d, const struct trn_field_row *field);
void draw_set(struct draw *d, const struct trn_field_row *field, uint64_t value);
const struct trn_field_row *draw_find(const struct draw *d, const char *name);

bool draw_is_pattern(const struct trn_field_row *field);
uint64_t draw_product(const struct draw *d, const struct trn_field_row *pattern);

/* Any value that the field's row allows. */
void draw_field(struct draw *d, const struct trn_field_row *field);

/* A value for a field that a rule rejects: one of the hints, or any. */
void draw_hinted(struct draw *d, const struct trn_field_row *field, const struct hints *hints);

/* Redraw something that a violated rule reads: wordgen.c */
void draw_repair(struct draw *d, const struct trn_violation *broken);

/* patterns: wordgen_pattern.c */
void draw_pattern(struct draw *d, const struct trn_field_row *field);
void draw_pattern_hinted(struct draw *d, const struct trn_field_row *field,
                         const struct hints *hints);
uint32_t draw_pointer(struct draw *d);

/* Changes of the whole word that keep its parts in step: every pattern takes the same new count,
 * every pattern moves to a new start partition, every type becomes the same. */
void draw_same_counts(struct draw *d);
void draw_same_partition(struct draw *d);
void draw_same_type(struct draw *d);

#endif
