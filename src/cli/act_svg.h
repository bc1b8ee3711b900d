/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TRN_CLI_ACT_SVG_H
#define TRN_CLI_ACT_SVG_H

#include "cli/act.h"

enum { ACT_POINTS = 801 };

/* A function at equal steps of x. */
struct act_curves {
    float x[ACT_POINTS], table[ACT_POINTS];
    double exact[ACT_POINTS], error[ACT_POINTS];
};

void act_svg(FILE *out, const struct trn_act_member *member, const struct act_curves *curves);

#endif
