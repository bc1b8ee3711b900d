/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TRN_ACT_CHECK_H
#define TRN_ACT_CHECK_H

#include "trench/act.h"

/* Whether a rule is broken (warnings aside), and which is the first. */
bool trn_act_set_first_error(const struct trn_act_set *set, struct trn_act_finding *error);

#endif
