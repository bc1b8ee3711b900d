/* SPDX-License-Identifier: Apache-2.0 */
/* What the commands share. A command is one file, cmd_NAME.c, with one entry in commands.def. */
#ifndef TRN_CLI_CLI_H
#define TRN_CLI_CLI_H

#include <argp.h>
#include <jansson.h>
#include <stdio.h>

#include "trench/base.h"
#include "trench/gen.h"

/* Exit status of every command. */
enum { CLI_OK = 0, CLI_DOES_NOT_HOLD = 1, CLI_USAGE = 2, CLI_FAULT = 3 };

struct cli_command {
    const char *name;
    const char *summary;               /* one line for `trench --help` */
    int (*run)(int argc, char **argv); /* argv[0] is "trench NAME"; returns an exit status */
};

/* Print `trench: WHERE: error: MESSAGE (rule R); EXPECTED` on stderr. */
void cli_print_diag(const struct trn_diag *diag);

/* Print `trench: error: ...` and return CLI_USAGE. */
int cli_usage_error(const char *format, ...) TRN_PRINTF(1, 2);

/* argp_parse with our exit codes: returns 0, or CLI_USAGE after a message, or -1 after --help. */
int cli_parse(const struct argp *argp, int argc, char **argv, void *input);

/* Generation by name; on failure prints the message with the legal names and returns NULL. */
const struct trn_gen *cli_gen(const char *name);

/* Engine number by name; on failure prints the message with the legal names and returns -1. */
int cli_engine(const char *name);

/* Nearest of `count` names by edit distance, NULL when none is close. */
const char *cli_nearest(const char *word, const char *const *names, size_t count);

/* Whole file into fresh memory (free it). "-" is standard input. Refuses more than max_bytes. */
trn_status cli_read_file(const char *path, size_t max_bytes, uint8_t **data, size_t *size,
                         struct trn_diag *diag);

/* Write it whole or not at all (cli/out_file.h). "-" is stdout. */
trn_status cli_write_file(const char *path, const void *data, size_t size, struct trn_diag *diag);

/* Exit status of a command that is done: output that could not be written is an error (CLI_USAGE
 * unless the command has failed already). */
int cli_finish(int status);

/* One JSON document and a newline on stdout; takes the reference. */
void cli_print_json(json_t *document);

#endif
