/* SPDX-License-Identifier: Apache-2.0 */
/* trench cptc ACTION: the compressed tensor codec on files. An action is one file, cptc_ACTION.c,
 * with one line in cptc_actions.def. */

#include "cli/actions.h"

#define CPTC_ACTION(name, function, summary) int function(int argc, char **argv);
#include "cli/cptc_actions.def"
#undef CPTC_ACTION

static const struct cli_command actions[] = {
#define CPTC_ACTION(name, function, summary) {name, summary, function},
#include "cli/cptc_actions.def"
#undef CPTC_ACTION
};

int cmd_cptc(int argc, char **argv)
{
    static const struct cli_actions all = {
        .command = "cptc",
        .usage = "--bits N --block-size N IN.npy -o OUT.npy [OPTION...]",
        .about = "The CPTC compressed tensor codec: 1 to 7 bits an element, in blocks.",
        .list = actions,
        .count = sizeof actions / sizeof actions[0]};
    return cli_run_action(&all, argc, argv);
}
