/* SPDX-License-Identifier: Apache-2.0 */
/* Fitting a function: docs/hardware/activation.md 10. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "act/check.h"
#include "act/fit.h"

struct trn_act_fit_options trn_act_fit_options_default(void)
{
    return (struct trn_act_fit_options){
        .name = "expression",
        .expression = "x",
        .lo = -INFINITY,
        .hi = INFINITY,
        .max_buckets = 512,
        .max_control = TRN_ACT_CONTROL_ENTRIES,
        .floor = 0x1p-14,
    };
}

static trn_status check_options(const struct trn_act_fit_options *o, struct trn_diag *diag)
{
    if (!trn_act_is_name(o->name))
        return trn_diag_set(diag, TRN_ERR_INVALID, "name", "ACT_NAME",
                            "1 to 63 printable characters without blanks",
                            "the name '%s' does not fit a table", o->name);
    if (o->max_buckets < 4 || o->max_buckets > TRN_ACT_BUCKET_ENTRIES)
        return trn_diag_set(diag, TRN_ERR_TOO_LARGE, "buckets", "ACT_CAPACITY", "4 to 2048",
                            "%u buckets are asked for", o->max_buckets);
    if (o->max_control < 1 || o->max_control > TRN_ACT_CONTROL_ENTRIES)
        return trn_diag_set(diag, TRN_ERR_TOO_LARGE, "octaves", "ACT_CAPACITY", "1 to 256",
                            "%u octaves are asked for", o->max_control);
    return TRN_OK;
}

trn_status trn_act_fit(const struct trn_act_fit_options *options, struct trn_act_table *out,
                       double *tolerance, struct trn_diag *diag)
{
    trn_status status = check_options(options, diag);
    if (status != TRN_OK)
        return status;
    struct trn_fit *const fit = calloc(1, sizeof *fit);
    if (!fit)
        return trn_diag_set(diag, TRN_ERR_NO_MEMORY, NULL, NULL, NULL, "no memory for a fit");
    fit->options = options;
    fit->diag = diag;
    fit->floor = options->floor > 0x1p-126 ? options->floor : 0x1p-126;
    status = trn_fit_target(fit);
    if (status == TRN_OK) {
        trn_fit_measure_clamps(fit);
        status = options->extract ? trn_fit_plan_given(fit) : trn_fit_plan(fit);
    }
    if (status == TRN_OK) {
        trn_fit_emit(fit, out);
        if (tolerance)
            *tolerance = fit->flat ? 0 : fit->tolerance;
    }
    free(fit);
    return status;
}

const char *trn_act_expression_function(size_t i, const char **meaning)
{
    if (i >= trn_num_expr_functions)
        return NULL;
    *meaning = trn_expr_functions[i].meaning;
    return trn_expr_functions[i].name;
}
