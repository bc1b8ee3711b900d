/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/out_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- signals -------------------------------------------------------------------------------- */

static char *volatile unfinished; /* for the handler, which gets no argument */

static const int endings[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXCPU, SIGXFSZ};
enum { NUM_ENDINGS = sizeof endings / sizeof endings[0] };

/* The default action is back (SA_RESETHAND), and takes its course when the handler returns. */
static void remove_unfinished(int number)
{
    const int error = errno;
    if (unfinished)
        unlink(unfinished);
    raise(number);
    errno = error;
}

/* A signal that whoever started the process ignores stays ignored. */
static void watch_endings(void)
{
    struct sigaction handler = {.sa_handler = remove_unfinished, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&handler.sa_mask);
    for (int i = 0; i < NUM_ENDINGS; i++) {
        struct sigaction before;
        if (sigaction(endings[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
            sigaction(endings[i], &handler, NULL);
    }
}

static void hold_endings(sigset_t *before)
{
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < NUM_ENDINGS; i++)
        sigaddset(&set, endings[i]);
    sigprocmask(SIG_BLOCK, &set, before);
}

/* mkstemp; no signal comes between the file and its being known. */
static int make_temporary(char *name)
{
    sigset_t before;
    hold_endings(&before);
    const int fd = mkstemp(name);
    const int error = errno;
    if (fd >= 0 && !unfinished) {
        unfinished = name;
        watch_endings();
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return fd;
}

static void forget_temporary(struct out_file *out)
{
    if (unfinished == out->temporary)
        unfinished = NULL;
    free(out->temporary);
    free(out->target);
    out->temporary = out->target = NULL;
}

/* ---- where it goes -------------------------------------------------------------------------- */

/* The standard stream whose file this is; -1: none. To rename over that would lose what else is
 * written to it. */
static int standard_stream(const struct stat *info)
{
    struct stat stream;
    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
        if (fstat(fd, &stream) == 0 && stream.st_dev == info->st_dev &&
            stream.st_ino == info->st_ino && (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY)
            return fd;
    return -1;
}

static FILE *open_fd(int fd)
{
    FILE *stream = fd >= 0 ? fdopen(fd, "wb") : NULL;
    if (fd >= 0 && !stream)
        close(fd);
    return stream;
}

/* A symbolic link stays one: the file behind it is replaced. */
static FILE *open_temporary(const char *path, struct out_file *out)
{
    out->target = realpath(path, NULL);
    if (!out->target)
        out->target = strdup(path);
    if (!out->target || asprintf(&out->temporary, "%s.XXXXXX", out->target) < 0) {
        out->temporary = NULL;
        return NULL;
    }
    const int fd = make_temporary(out->temporary);
    if (fd < 0) /* there is nothing to remove */
        forget_temporary(out);
    return open_fd(fd);
}

bool out_file_open(const char *path, struct out_file *out)
{
    struct stat info;
    *out = (struct out_file){NULL, NULL, NULL};
    const bool exists = stat(path, &info) == 0;
    const bool dangling = !exists && lstat(path, &info) == 0;
    const int fd = exists ? standard_stream(&info) : -1;
    if (fd >= 0) {
        fflush(stdout); /* what was printed before comes before */
        out->stream = open_fd(dup(fd));
    } else if (dangling || (exists && !S_ISREG(info.st_mode))) {
        out->stream = fopen(path, "wb");
    } else {
        out->stream = open_temporary(path, out);
    }
    if (out->stream)
        return true;
    const int error = errno;
    out_file_abandon(out);
    errno = error;
    return false;
}

/* ---- the end -------------------------------------------------------------------------------- */

static mode_t mode_of(const char *target)
{
    enum { PERMISSIONS = 0777, NEW = 0666 };
    struct stat info;
    if (stat(target, &info) == 0)
        return info.st_mode & PERMISSIONS;
    const mode_t mask = umask(0);
    umask(mask);
    return NEW & ~mask;
}

static bool put_in_place(const struct out_file *out)
{
    return !out->temporary || (chmod(out->temporary, mode_of(out->target)) == 0 &&
                               rename(out->temporary, out->target) == 0);
}

bool out_file_close(struct out_file *out)
{
    FILE *stream = out->stream;
    const bool written = !ferror(stream);
    out->stream = NULL;
    if (fclose(stream) == 0 && written && put_in_place(out)) {
        forget_temporary(out);
        return true;
    }
    const int error = errno;
    out_file_abandon(out);
    errno = error;
    return false;
}

void out_file_abandon(struct out_file *out)
{
    if (out->stream)
        fclose(out->stream);
    out->stream = NULL;
    if (out->temporary)
        unlink(out->temporary);
    forget_temporary(out);
}
