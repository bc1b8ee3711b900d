/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/ucode_env.h"

#include <string.h>

#include "cli/cli.h"

/* The host compares with four names and takes everything else for PERF (11.1). */
static void warn_of_flavor(const char *value)
{
    static const char *const known[] = {"", "perf", "PERF", "debug", "DEBUG", "test", "TEST"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(value, known[i]) == 0)
            return;
    fprintf(stderr,
            "trench: warning: --env NEURON_UCODE_FLAVOR=%s: the host knows debug, DEBUG, test and "
            "TEST and takes everything else for PERF\n",
            value);
}

int ucode_env_add(struct trn_fw_env *env, const char *option, enum ucode_env_names names)
{
    const struct {
        const char *name;
        const char **value;
    } known[] = {
        {"NRT_UCODE_UNSTABLE_LIBRARY_FLAG_CPTC_DECODE", &env->cptc_decode},
        {"NEURON_UCODE_FLAVOR", &env->flavor},
        {"NRTUCODE_MPLUS_ON_MARIANA", &env->mplus_on_mariana},
    };
    const char *const equals = strchr(option, '=');
    for (unsigned i = 0; equals && i < names && i < sizeof known / sizeof known[0]; i++) {
        const size_t length = strlen(known[i].name);
        if (length != (size_t)(equals - option) || memcmp(known[i].name, option, length) != 0)
            continue;
        *known[i].value = equals + 1;
        if (known[i].value == &env->flavor)
            warn_of_flavor(env->flavor);
        return 0;
    }
    return cli_usage_error("--env '%s': NAME=VALUE with NAME one of %s, %s%s%s", option,
                           known[0].name, known[1].name, names == UCODE_ENV_IMAGE ? ", " : "",
                           names == UCODE_ENV_IMAGE ? known[2].name : "");
}
