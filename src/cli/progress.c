/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/progress.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

static const uint64_t second = 1000000000;

enum {
    DRAWS_A_SECOND = 10,
    STEPS_A_LOOK = 1024, /* between two looks at the clock */
    BAR = 40,
};

static uint64_t clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * second + (uint64_t)now.tv_nsec;
}

void cli_progress_start_at(struct cli_progress *progress, FILE *out, const char *what,
                           uint64_t total, uint64_t now)
{
    *progress =
        (struct cli_progress){.out = out, .what = what, .total = total, .next = now + second};
}

void cli_progress_start(struct cli_progress *progress, const char *what, uint64_t total,
                        bool printing)
{
    const bool terminal = isatty(STDERR_FILENO) && !(printing && isatty(STDOUT_FILENO));
    cli_progress_start_at(progress, terminal ? stderr : NULL, what, total, clock_now());
    progress->shares = isatty(STDOUT_FILENO);
}

/* "\rtrench: check [####      ]  42 %", and what is left of a longer line is erased. */
static void draw(struct cli_progress *progress)
{
    const bool over = progress->done >= progress->total;
    const double part = over ? 1.0 : (double)progress->done / (double)progress->total;
    char bar[BAR + 1];
    memset(bar, ' ', BAR);
    memset(bar, '#', (size_t)(part * BAR));
    bar[BAR] = '\0';
    fprintf(progress->out, "\rtrench: %s [%s] %3u %%\033[K", progress->what, bar,
            (unsigned)(part * 100));
    fflush(progress->out);
    progress->shown = true;
}

void cli_progress_at(struct cli_progress *progress, uint64_t steps, uint64_t now)
{
    progress->done += steps;
    if (!progress->out || now < progress->next)
        return;
    draw(progress);
    progress->next = now + second / DRAWS_A_SECOND;
}

void cli_progress_count(struct cli_progress *progress, uint64_t steps)
{
    if (progress->done + steps < progress->look) {
        progress->done += steps;
        return;
    }
    cli_progress_at(progress, steps, clock_now());
    progress->look = progress->done + STEPS_A_LOOK;
}

void cli_progress_clear(struct cli_progress *progress)
{
    if (!progress->shown)
        return;
    fputs("\r\033[K", progress->out);
    fflush(progress->out);
    progress->shown = false;
}
