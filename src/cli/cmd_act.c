/* SPDX-License-Identifier: Apache-2.0 */
/* trench act ACTION: activation tables. An action is one file, act_ACTION.c, with one line in
 * act_actions.def. */

#include "cli/actions.h"

#define ACT_ACTION(name, function, summary) int function(int argc, char **argv);
#include "cli/act_actions.def"
#undef ACT_ACTION

static const struct cli_command actions[] = {
#define ACT_ACTION(name, function, summary) {name, summary, function},
#include "cli/act_actions.def"
#undef ACT_ACTION
};

int cmd_act(int argc, char **argv)
{
    static const struct cli_actions all = {
        .command = "act",
        .usage = "[OPTION...]",
        .about = "Activation tables: what the ACT engine evaluates, made, shown and measured.",
        .list = actions,
        .count = sizeof actions / sizeof actions[0]};
    return cli_run_action(&all, argc, argv);
}
