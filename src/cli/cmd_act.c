/* SPDX-License-Identifier: Apache-2.0 */
/* trench act ACTION: activation tables. An action is one file, act_ACTION.c, with one line in
 * act_actions.def. */
#include <string.h>

#include "cli/cli.h"

#define ACT_ACTION(name, function, summary) int function(int argc, char **argv);
#include "cli/act_actions.def"
#undef ACT_ACTION

static const struct cli_command actions[] = {
#define ACT_ACTION(name, function, summary) {name, summary, function},
#include "cli/act_actions.def"
#undef ACT_ACTION
};

enum { NUM_ACTIONS = sizeof actions / sizeof actions[0] };

static void print_help(FILE *out)
{
    fputs("Usage: trench act ACTION [OPTION...]\n"
          "Activation tables: what the ACT engine evaluates, made, shown and measured.\n\n"
          "Actions:\n",
          out);
    for (size_t i = 0; i < NUM_ACTIONS; i++)
        fprintf(out, "  %-10s %s\n", actions[i].name, actions[i].summary);
    fputs("\n`trench act ACTION --help` describes one.\n", out);
}

static int unknown(const char *name)
{
    const char *names[NUM_ACTIONS];
    for (size_t i = 0; i < NUM_ACTIONS; i++)
        names[i] = actions[i].name;
    const char *const near = cli_nearest(name, names, NUM_ACTIONS);
    return near ? cli_usage_error("act has no action '%s'; did you mean '%s'?", name, near)
                : cli_usage_error("act has no action '%s'; see `trench act --help`", name);
}

int cmd_act(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return CLI_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-?") == 0) {
        print_help(stdout);
        return cli_finish(CLI_OK);
    }
    for (size_t i = 0; i < NUM_ACTIONS; i++) {
        if (strcmp(argv[1], actions[i].name) != 0)
            continue;
        char program[32];
        snprintf(program, sizeof program, "trench act %s", actions[i].name);
        argv[1] = program;
        return actions[i].run(argc - 1, argv + 1);
    }
    return unknown(argv[1]);
}
