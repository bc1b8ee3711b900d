/* SPDX-License-Identifier: Apache-2.0 */
/* Commands of several actions: `trench fw ls`, `trench act fit`. */
#ifndef TRN_CLI_ACTIONS_H
#define TRN_CLI_ACTIONS_H

#include "cli/cli.h"

struct cli_actions {
    const char *command, *usage, *about; /* "fw", what follows the action's name, one sentence */
    const struct cli_command *list;
    size_t count;
};

/* Run the action that argv[1] names, or say which there are; returns an exit status. */
int cli_run_action(const struct cli_actions *actions, int argc, char **argv);

#endif
