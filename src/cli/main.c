/* SPDX-License-Identifier: Apache-2.0 */
/* trench COMMAND [OPTION...]: finds the command and hands over. */
#include <malloc.h>
#include <string.h>

#include "cli/cli.h"

#define CLI_COMMAND(name, function, summary) int function(int argc, char **argv);
#include "cli/commands.def"
#undef CLI_COMMAND

static const struct cli_command commands[] = {
#define CLI_COMMAND(name, function, summary) {name, summary, function},
#include "cli/commands.def"
#undef CLI_COMMAND
};

enum { NUM_COMMANDS = sizeof commands / sizeof commands[0] };

static void print_help(FILE *to)
{
    fputs("Usage: trench COMMAND [OPTION...]\n"
          "A software NeuronCore: run, check and take apart TPB instruction words.\n\n"
          "Commands:\n",
          to);
    for (size_t i = 0; i < NUM_COMMANDS; i++)
        fprintf(to, "  %-10s %s\n", commands[i].name, commands[i].summary);
    fputs(
        "\n`trench COMMAND --help` explains one. Exit status: 0 success, 1 the thing checked does\n"
        "not hold, 2 usage or bad input, 3 the modelled program faulted.\n",
        to);
}

static int unknown_command(const char *name)
{
    const char *names[NUM_COMMANDS];
    for (size_t i = 0; i < NUM_COMMANDS; i++)
        names[i] = commands[i].name;
    const char *near = cli_nearest(name, names, NUM_COMMANDS);
    if (near)
        return cli_usage_error("unknown command '%s'; did you mean '%s'?", name, near);
    return cli_usage_error("unknown command '%s'; `trench --help` lists them", name);
}

/* A device's memories come zeroed from the kernel, page by page as they are touched, not cleared in
 * one go. */
static void keep_large_blocks_untouched(void)
{
    enum { LARGE_BYTES = 16384, TOP_BYTES = 16384 };
    mallopt(M_MMAP_THRESHOLD, LARGE_BYTES);
    mallopt(M_TOP_PAD, TOP_BYTES); /* a larger reserve would serve large blocks, cleared by hand */
}

int main(int argc, char **argv)
{
    keep_large_blocks_untouched();
    if (argc < 2) {
        print_help(stderr);
        return CLI_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-?") == 0 || strcmp(name, "help") == 0) {
        print_help(stdout);
        return cli_finish(CLI_OK);
    }
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        printf("trench %s\n", trn_version());
        return cli_finish(CLI_OK);
    }
    for (size_t i = 0; i < NUM_COMMANDS; i++) {
        if (strcmp(name, commands[i].name) != 0)
            continue;
        char title[64];
        snprintf(title, sizeof title, "trench %s", name);
        argv[1] = title;
        return cli_finish(commands[i].run(argc - 1, argv + 1));
    }
    return unknown_command(name);
}
