/* SPDX-License-Identifier: Apache-2.0 */
/* Options of trench run that choose between readings of the sheets. */
#include <string.h>

#include "cli/run.h"

enum { MAX_NAMES = 4 };

/* Number of `text` among the names, which end at a NULL; -1 after a message. */
static int pick(const char *option, const char *text, const char *const names[MAX_NAMES])
{
    char list[128] = "";
    size_t used = 0;
    for (int i = 0; i < MAX_NAMES && names[i]; i++) {
        if (strcmp(text, names[i]) == 0)
            return i;
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", names[i]);
    }
    cli_usage_error("%s: '%s' is none of %s", option, text, list);
    return -1;
}

int run_parse_stub_policy(const char *text, struct run_options *options)
{
    static const char *const names[MAX_NAMES] = {[TRN_STUB_ARCHITECTURAL] = "architectural",
                                                 [TRN_STUB_LOG_ONLY] = "log_only",
                                                 [TRN_STUB_FAULT] = "fault"};
    const int policy = pick("--stub-policy", text, names);
    options->device.vector.stub_policy = policy < 0 ? 0 : (enum trn_stub_policy)policy;
    return policy < 0 ? CLI_USAGE : 0;
}

int run_parse_dual_pairs(const char *text, struct run_options *options)
{
    static const char *const names[MAX_NAMES] = {
        [TRN_PAIR_INTERLEAVED] = "interleaved", [TRN_PAIR_BANKED] = "banked"};
    const int layout = pick("--dual-pairs", text, names);
    options->device.vector.pair_layout = layout < 0 ? 0 : (enum trn_pair_layout)layout;
    return layout < 0 ? CLI_USAGE : 0;
}
