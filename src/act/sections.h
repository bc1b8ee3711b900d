/* SPDX-License-Identifier: Apache-2.0 */
/* Whether values read sections that their function has (activation.md 5.2, ACT_SECTION_OOR). */
#ifndef TRN_ACT_SECTIONS_H
#define TRN_ACT_SECTIONS_H

#include "act/eval.h"

/* Of a function; the octaves and buckets that its thresholds let values reach are its own. */
struct trn_act_sections {
    const struct trn_act_function *function;
    int control[TRN_ACT_CLASSES];    /* CONTROL word of an octave, not cut to the table */
    uint16_t limit[TRN_ACT_CLASSES]; /* first bucket behind the sections of an octave */
};

void trn_act_sections_of(const struct trn_act_function *function, struct trn_act_sections *out);

/* True when the value reads a clamp, a stored section, or nothing; else what it reads is said. */
bool trn_act_section_stored(const struct trn_act_sections *sections, float v, char *what,
                            size_t size);

#endif
