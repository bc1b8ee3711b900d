/* SPDX-License-Identifier: Apache-2.0 */
/* trench fw ACTION: firmware containers. An action is one file, fw_ACTION.c, with one line in
 * fw_actions.def. */
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/fw.h"

#define FW_ACTION(name, function, summary) int function(int argc, char **argv);
#include "cli/fw_actions.def"
#undef FW_ACTION

static const struct cli_command actions[] = {
#define FW_ACTION(name, function, summary) {name, summary, function},
#include "cli/fw_actions.def"
#undef FW_ACTION
};

enum { NUM_ACTIONS = sizeof actions / sizeof actions[0] };

static void print_help(FILE *out)
{
    fputs("Usage: trench fw ACTION [OPTION...] FILE...\n"
          "Take firmware containers apart: ELF objects, ar archives, flat images.\n\n"
          "Actions:\n",
          out);
    for (size_t i = 0; i < NUM_ACTIONS; i++)
        fprintf(out, "  %-10s %s\n", actions[i].name, actions[i].summary);
    fputs("\n`trench fw ACTION --help` describes one.\n", out);
}

static int unknown(const char *name)
{
    const char *names[NUM_ACTIONS];
    for (size_t i = 0; i < NUM_ACTIONS; i++)
        names[i] = actions[i].name;
    const char *const near = cli_nearest(name, names, NUM_ACTIONS);
    return near ? cli_usage_error("fw has no action '%s'; did you mean '%s'?", name, near)
                : cli_usage_error("fw has no action '%s'; see `trench fw --help`", name);
}

/* Containers are mapped, so bytes that another program cut off a file cannot be read. */
static void file_shrank(int signal_number)
{
    static const char text[] = "trench: error: a file got shorter while it was read\n";
    (void)signal_number;
    const ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    (void)written;
    _exit(CLI_USAGE);
}

static void catch_shrinking_files(void)
{
    struct sigaction action = {.sa_handler = file_shrank};
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, &action, NULL);
}

int cmd_fw(int argc, char **argv)
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
        snprintf(program, sizeof program, "trench fw %s", actions[i].name);
        argv[1] = program;
        catch_shrinking_files();
        return actions[i].run(argc - 1, argv + 1);
    }
    return unknown(argv[1]);
}
