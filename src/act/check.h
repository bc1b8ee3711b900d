/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TRN_ACT_CHECK_H
#define TRN_ACT_CHECK_H

#include "trench/act.h"

/* Whether a rule is broken (warnings aside), and which is the first. */
bool trn_act_set_first_error(const struct trn_act_set *set, struct trn_act_finding *error);

/* 1 to 63 printable characters without blanks: what a file can hold as a name. */
bool trn_act_is_name(const char *text);

#endif
