/* SPDX-License-Identifier: Apache-2.0 */
/* Options of trench run that choose between readings of the sheets. */
#include <string.h>

#include "cli/run.h"
#include "trench/fw_data.h"

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

int run_parse_cptc_codec(const char *text, struct run_options *options)
{
    const int codec = trn_cptc_codec_find(text);
    options->device.cptc_codec = codec < 0 ? TRN_CPTC_PLANES : (enum trn_cptc_codec)codec;
    return codec < 0 ? cli_usage_error("--cptc-codec: '%s' is none of planes and bitshift", text)
                     : 0;
}

int run_parse_convlut_source(const char *text, struct run_options *options)
{
    static const char *const names[MAX_NAMES] = {"broadcast", "per_partition"};
    const int source = pick("--convlut-source", text, names);
    options->device.convlut_per_partition = source == 1;
    return source < 0 ? CLI_USAGE : 0;
}

int run_parse_psum_zero(const char *text, struct run_options *options)
{
    static const char *const names[MAX_NAMES] = {"lazy", "eager"};
    const int zero = pick("--psum-zero", text, names);
    options->device.psum_eager_zero = zero == 1;
    return zero < 0 ? CLI_USAGE : 0;
}

int run_parse_fp8_e4m3(const char *text, struct run_options *options)
{
    static const char *const names[MAX_NAMES] = {"legacy", "fn"};
    const int reading = pick("--fp8-e4m3", text, names);
    options->device.fp8_e4m3 = reading == 0 ? TRN_FP8_ALWAYS_LEGACY : TRN_FP8_ALWAYS_FN;
    return reading < 0 ? CLI_USAGE : 0;
}

/* ---- the library of POOL (convlut.md 7.3) ------------------------------------------------------
 */

/* The core type of POOL's Q7 cores; -1: the generation has none in the host's table. */
static int pool_core_type(const struct trn_gen *gen)
{
    struct trn_fw_slot slot;
    for (unsigned i = 0; trn_fw_slot(i, &slot); i++)
        if (slot.gen == gen && strcmp(slot.core_type, "Q7_POOL") == 0)
            return (int)i;
    return -1;
}

unsigned run_pool_library(const struct run_options *options, const struct trn_gen *gen)
{
    const int core_type = pool_core_type(gen);
    struct trn_fw_name name;
    unsigned library = 0;
    size_t num = 0;
    if (core_type < 0 || trn_fw_libraries_for((unsigned)core_type, 1, &options->env, &library,
                                              &num) != TRN_FW_SELECTED)
        return 0;
    /* the other libraries exist in the PERF build only */
    return trn_fw_select_library((unsigned)core_type, 0, library, &options->env, &name) ==
                   TRN_FW_SELECTED
               ? library
               : 0;
}
