/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/actions.h"

#include <string.h>

enum { MAX_ACTIONS = 32 };

static void print_help(const struct cli_actions *actions, FILE *out)
{
    fprintf(out, "Usage: trench %s ACTION %s\n%s\n\nActions:\n", actions->command, actions->usage,
            actions->about);
    for (size_t i = 0; i < actions->count; i++)
        fprintf(out, "  %-10s %s\n", actions->list[i].name, actions->list[i].summary);
    fprintf(out, "\n`trench %s ACTION --help` describes one.\n", actions->command);
}

static int unknown(const struct cli_actions *actions, const char *name)
{
    const char *names[MAX_ACTIONS];
    size_t count = 0;
    while (count < actions->count && count < MAX_ACTIONS) {
        names[count] = actions->list[count].name;
        count++;
    }
    const char *const near = cli_nearest(name, names, count);
    return near ? cli_usage_error("%s has no action '%s'; did you mean '%s'?", actions->command,
                                  name, near)
                : cli_usage_error("%s has no action '%s'; see `trench %s --help`", actions->command,
                                  name, actions->command);
}

int cli_run_action(const struct cli_actions *actions, int argc, char **argv)
{
    if (argc < 2) {
        print_help(actions, stderr);
        return CLI_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-?") == 0) {
        print_help(actions, stdout);
        return CLI_OK;
    }
    for (size_t i = 0; i < actions->count; i++) {
        if (strcmp(argv[1], actions->list[i].name) != 0)
            continue;
        char program[32];
        snprintf(program, sizeof program, "trench %s %s", actions->command, actions->list[i].name);
        argv[1] = program;
        return actions->list[i].run(argc - 1, argv + 1);
    }
    return unknown(actions, argv[1]);
}
