/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/carve_dir.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MANIFEST "manifest.json"

static trn_status failed(struct carve_dir *dir, const char *what)
{
    return trn_diag_set(dir->diag, TRN_ERR_IO, dir->path, NULL, NULL, "%s: %s", what,
                        strerror(errno));
}

static trn_status taken(struct carve_dir *dir)
{
    return trn_diag_set(dir->diag, TRN_ERR_BUSY, dir->path, NULL, "a new directory is made",
                        "it exists already");
}

/* What ends the process, unless whoever started it said otherwise. */
static void ending_signals(sigset_t *set)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    sigemptyset(set);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        struct sigaction action;
        if (sigaction(signals[i], NULL, &action) == 0 && action.sa_handler == SIG_DFL)
            sigaddset(set, signals[i]);
    }
}

static void hold_signals(struct carve_dir *dir)
{
    sigset_t ending;
    ending_signals(&ending);
    sigprocmask(SIG_BLOCK, &ending, &dir->before);
}

static void release_signals(const struct carve_dir *dir)
{
    sigprocmask(SIG_SETMASK, &dir->before, NULL);
}

static bool is_interrupted(void)
{
    sigset_t pending, ending;
    ending_signals(&ending);
    sigpending(&pending);
    sigandset(&pending, &pending, &ending);
    return !sigisemptyset(&pending);
}

static bool set_paths(struct carve_dir *dir, const char *path)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    const int own = snprintf(dir->path, sizeof dir->path, "%.*s", (int)length, path);
    const int other =
        snprintf(dir->temporary, sizeof dir->temporary, "%.*s.XXXXXX", (int)length, path);
    return own < (int)sizeof dir->path && other < (int)sizeof dir->temporary;
}

trn_status carve_open(const char *path, struct carve_dir *out, struct trn_diag *diag)
{
    struct stat info;
    *out = (struct carve_dir){.fd = -1, .diag = diag};
    if (strlen(path) >= PATH_MAX || !set_paths(out, path))
        return trn_diag_set(diag, TRN_ERR_INVALID, NULL, NULL, NULL, "the output path is too long");
    if (lstat(out->path, &info) == 0)
        return taken(out);
    hold_signals(out);
    if (!mkdtemp(out->temporary)) {
        release_signals(out);
        return failed(out, "cannot create");
    }
    out->fd = open(out->temporary, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    const int fd = out->fd < 0 ? -1 : openat(out->fd, MANIFEST, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (fd >= 0) {
        close(fd);
        return TRN_OK;
    }
    const trn_status status = failed(out, "cannot create");
    if (out->fd < 0) {
        rmdir(out->temporary);
        release_signals(out);
    } else {
        carve_abandon(out);
    }
    return status;
}

static trn_status write_all(struct carve_dir *dir, int fd, const uint8_t *bytes, uint64_t size)
{
    while (size) {
        const ssize_t written = write(fd, bytes, size < SSIZE_MAX ? (size_t)size : SSIZE_MAX);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return failed(dir, "cannot write");
        bytes += written;
        size -= (uint64_t)written;
    }
    return TRN_OK;
}

static void plain_name(const char *base, size_t length, char out[CARVE_NAME_MAX])
{
    enum { LONGEST = 200 };
    size_t i = 0;
    for (; i < length && i < LONGEST; i++) {
        const unsigned char c = (unsigned char)base[i];
        const bool is_plain =
            (c < 128 && isalnum(c)) || c == '_' || c == '+' || ((c == '-' || c == '.') && i > 0);
        out[i] = is_plain ? (char)c : '_';
    }
    if (i == 0)
        out[i++] = '_';
    out[i] = '\0';
}

static int create(const struct carve_dir *dir, const char *stem, const char *ending,
                  char name[CARVE_NAME_MAX])
{
    enum { MOST = 1000000 };
    for (unsigned number = 1; number < MOST; number++) {
        if (number == 1)
            snprintf(name, CARVE_NAME_MAX, "%.200s%s", stem, ending);
        else
            snprintf(name, CARVE_NAME_MAX, "%.200s~%u%s", stem, number, ending);
        const int fd =
            openat(dir->fd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

trn_status carve_file(struct carve_dir *dir, const char *base, size_t length, const char *ending,
                      const void *bytes, uint64_t size, char name[CARVE_NAME_MAX])
{
    char stem[CARVE_NAME_MAX];
    if (is_interrupted())
        return trn_diag_set(dir->diag, TRN_ERR_IO, dir->path, NULL, NULL, "interrupted");
    plain_name(base, length, stem);
    const int fd = create(dir, stem, ending, name);
    if (fd < 0)
        return failed(dir, "cannot create a file");
    trn_status status = write_all(dir, fd, bytes, size);
    if (close(fd) != 0 && status == TRN_OK)
        status = failed(dir, "cannot write");
    return status;
}

trn_status carve_manifest(struct carve_dir *dir, const char *text)
{
    const int fd = openat(dir->fd, MANIFEST, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return failed(dir, "cannot open the manifest");
    trn_status status = write_all(dir, fd, (const uint8_t *)text, strlen(text));
    if (close(fd) != 0 && status == TRN_OK)
        status = failed(dir, "cannot write");
    return status;
}

trn_status carve_finish(struct carve_dir *dir)
{
    const mode_t mask = umask(0);
    umask(mask);
    trn_status status = TRN_OK;
    if (fchmod(dir->fd, 0777 & ~mask) != 0)
        status = failed(dir, "cannot change the mode");
    else if (renameat2(AT_FDCWD, dir->temporary, AT_FDCWD, dir->path, RENAME_NOREPLACE) != 0)
        status = errno == EEXIST ? taken(dir) : failed(dir, "cannot rename");
    if (status != TRN_OK) {
        carve_abandon(dir);
        return status;
    }
    close(dir->fd);
    dir->fd = -1;
    release_signals(dir);
    return TRN_OK;
}

void carve_abandon(struct carve_dir *dir)
{
    if (dir->fd < 0)
        return;
    DIR *const list = fdopendir(dir->fd);
    const struct dirent *entry;
    while (list && (entry = readdir(list)) != NULL)
        unlinkat(dirfd(list), entry->d_name, 0); /* "." and ".." refuse */
    if (list)
        closedir(list);
    dir->fd = -1;
    rmdir(dir->temporary);
    release_signals(dir);
}
