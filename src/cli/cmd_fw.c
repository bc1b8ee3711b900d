/* SPDX-License-Identifier: Apache-2.0 */
/* trench fw ACTION: firmware containers. An action is one file, fw_ACTION.c, with one line in
 * fw_actions.def. */
#include <signal.h>
#include <unistd.h>

#include "cli/actions.h"
#include "cli/fw.h"

#define FW_ACTION(name, function, summary) int function(int argc, char **argv);
#include "cli/fw_actions.def"
#undef FW_ACTION

static const struct cli_command actions[] = {
#define FW_ACTION(name, function, summary) {name, summary, function},
#include "cli/fw_actions.def"
#undef FW_ACTION
};

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
    static const struct cli_actions all = {
        .command = "fw",
        .usage = "[OPTION...] FILE...",
        .about = "Take firmware containers apart: ELF objects, ar archives, flat images.",
        .list = actions,
        .count = sizeof actions / sizeof actions[0]};
    catch_shrinking_files();
    fw_prepare_heap();
    return cli_run_action(&all, argc, argv);
}
