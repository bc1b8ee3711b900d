/* SPDX-License-Identifier: Apache-2.0 */
/* What the actions of `trench act` share. */
#ifndef TRN_CLI_ACT_H
#define TRN_CLI_ACT_H

#include "cli/cli.h"
#include "trench/act.h"

/* A file, or a shipped set by name. */
trn_status act_read(const char *name, enum trn_act_layout layout, struct trn_act_set *set,
                    struct trn_diag *diag);

/* A file or a shipped set by name, on the heap; NULL after a message. `layout` is that of a shipped
 * set. */
struct trn_act_set *act_open(const char *name, enum trn_act_layout layout);

/* Index of a function by name or number; the only one when `name` is NULL. -1 after a message. */
int act_pick(const struct trn_act_set *set, const char *name);

/* "LO:HI"; false after a message. Ends may be inf, pi and powers of two as 0x1p-42. */
bool act_range(const char *text, float *lo, float *hi);

/* "sunda's layout", "the later layout". */
const char *act_layout_name(enum trn_act_layout layout);

/* A bound of a range as text: shortest form that reads back. */
const char *act_number(float value, char text[32]);

#endif
