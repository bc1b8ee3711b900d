/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TRN_CLI_ACT_FIT_H
#define TRN_CLI_ACT_FIT_H

#include "cli/act.h"

/* Formats of an error, in the order of struct trn_act_error. */
enum act_format { ACT_FP32, ACT_BF16, ACT_FP16, ACT_FORMATS };

/* "FP32" ... */
const char *act_format_name(enum act_format format);

/* What `trench act fit` was asked for. */
struct act_fit {
    const struct trn_gen *gen;
    const char *output, *expression, *name;
    char **functions;
    size_t num_functions;
    bool has_range, json;
    float lo, hi;
    int func_id, outside;   /* -1: not given */
    unsigned buckets;       /* 0: not given */
    double max_ulp, floor;  /* 0, -1: not given */
    enum act_format ulp_of; /* what max_ulp counts in */
    bool has_ulp_of;
    bool whole_line; /* no symmetry is used */
    uint64_t samples;
};

int act_fit_run(const struct act_fit *fit);

#endif
