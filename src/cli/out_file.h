/* SPDX-License-Identifier: Apache-2.0 */
/* A file that appears whole or not at all: written beside its place, renamed when it is complete.
 * What is no regular file, or is what standard output or error goes to, is written in place. */
#ifndef TRN_CLI_OUT_FILE_H
#define TRN_CLI_OUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

struct out_file {
    FILE *stream;             /* NULL: closed */
    char *target, *temporary; /* NULL: written in place */
};

/* False: it cannot be made, errno says why. Until it is closed, a signal that ends the process
 * removes the temporary file first; of two that are open, only that of the first. */
bool out_file_open(const char *path, struct out_file *out);
/* Complete: put it in its place, with the mode of the file that it replaces. On failure (errno)
 * nothing is left. */
bool out_file_close(struct out_file *out);
/* Nothing is left of it; fine when it is closed already. */
void out_file_abandon(struct out_file *out);

#endif
