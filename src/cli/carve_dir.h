/* SPDX-License-Identifier: Apache-2.0 */
/* A new directory that appears whole or not at all. Files are written into a directory beside it,
 * which is renamed when everything is in there; names from a container never lead out of it. */
#ifndef TRN_CLI_CARVE_DIR_H
#define TRN_CLI_CARVE_DIR_H

#include <limits.h>
#include <signal.h>

#include "trench/base.h"

enum { CARVE_NAME_MAX = 256 };

struct carve_dir {
    int fd;
    char path[PATH_MAX];      /* where it will be */
    char temporary[PATH_MAX]; /* where it is */
    sigset_t before;          /* signals blocked by the caller */
    struct trn_diag *diag;
};

/* From carve_open on, signals that would end the process (SIGINT, SIGTERM, SIGHUP) wait: the next
 * file is then refused, and carve_abandon lets them through when nothing is left behind. */

/* Refuses a path where something exists already, be it a dangling link. */
trn_status carve_open(const char *path, struct carve_dir *out, struct trn_diag *diag);

/* Write a file called after `base` (any characters, `length` of them) with `ending` behind it. What
 * is no letter, digit, '_', '+', '-' or '.' becomes '_', as does a leading '.'; a name that is
 * taken gets a number. `name` is what it came to be called. */
trn_status carve_file(struct carve_dir *dir, const char *base, size_t length, const char *ending,
                      const void *bytes, uint64_t size, char name[CARVE_NAME_MAX]);

/* Write manifest.json, whose name no other file can take. */
trn_status carve_manifest(struct carve_dir *dir, const char *text);

/* Move it to its place; on failure nothing stays. */
trn_status carve_finish(struct carve_dir *dir);

/* Remove what was written so far. */
void carve_abandon(struct carve_dir *dir);

#endif
