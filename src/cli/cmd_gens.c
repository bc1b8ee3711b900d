/* SPDX-License-Identifier: Apache-2.0 */
/* trench gens: the generation matrix. */
#include "cli/cli.h"

int cmd_gens(int argc, char **argv)
{
    (void)argc, (void)argv;
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++)
        printf("%s\n", trn_gen_at(g)->name);
    return CLI_OK;
}
