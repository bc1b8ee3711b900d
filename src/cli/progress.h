/* SPDX-License-Identifier: Apache-2.0 */
/* A progress bar on standard error, for work that takes longer than a second. It shows on a
 * terminal only (docs/architecture.md, "Command line"); what a command prints stays the same. */
#ifndef TRN_CLI_PROGRESS_H
#define TRN_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct cli_progress {
    FILE *out; /* NULL: no bar, every call returns at once */
    const char *what;
    uint64_t total, done;
    uint64_t look; /* steps at which the clock is read next */
    uint64_t next; /* nanoseconds: when the bar is drawn next */
    bool shown;
    bool shares; /* standard output is a terminal too */
};

/* A bar for `total` steps of `what` ("check"), drawn from a second after now on. `printing`: the
 * command writes to standard output all the time, so there is no bar when that is a terminal. */
void cli_progress_start(struct cli_progress *progress, const char *what, uint64_t total,
                        bool printing);

/* The same on any stream, with the time (nanoseconds) given: for tests. */
void cli_progress_start_at(struct cli_progress *progress, FILE *out, const char *what,
                           uint64_t total, uint64_t now);
void cli_progress_at(struct cli_progress *progress, uint64_t steps, uint64_t now);

/* So many steps more are done. Reads the clock now and then only. */
void cli_progress_count(struct cli_progress *progress, uint64_t steps);
static inline void cli_progress(struct cli_progress *progress, uint64_t steps)
{
    if (progress->out)
        cli_progress_count(progress, steps);
}

/* Take the bar away: at the end. */
void cli_progress_clear(struct cli_progress *progress);

/* Make room for a line of output where it would land behind the bar. */
static inline void cli_progress_yield(struct cli_progress *progress)
{
    if (progress->shares)
        cli_progress_clear(progress);
}

#endif
