/* SPDX-License-Identifier: Apache-2.0 */
/* Writing .npy: always version 1.0, the header padded so that the data starts at a multiple of 64.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "trench/npy.h"

enum { ALIGNMENT = 64, PREFIX_BYTES = 10, MAX_ATTEMPTS = 100, MAX_PATH = 4096 };

static const uint8_t prefix[8] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};

size_t trn_npy_header(enum trn_npy_type type, const uint64_t *shape, size_t num_dims,
                      uint8_t out[TRN_NPY_HEADER_MAX])
{
    char *text = (char *)out + PREFIX_BYTES;
    const size_t room = TRN_NPY_HEADER_MAX - PREFIX_BYTES;
    size_t used = (size_t)snprintf(text, room, "{'descr': '%s', 'fortran_order': False, 'shape': (",
                                   trn_npy_type_name(type));
    for (size_t i = 0; i < num_dims && i < TRN_NPY_MAX_DIMS; i++)
        used += (size_t)snprintf(text + used, room - used, i ? " %llu%s" : "%llu%s",
                                 (unsigned long long)shape[i], i + 1 < num_dims || !i ? "," : "");
    used += (size_t)snprintf(text + used, room - used, "), }");
    const size_t length = (PREFIX_BYTES + used + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    memset(text + used, ' ', length - PREFIX_BYTES - used);
    out[length - 1] = '\n';
    memcpy(out, prefix, sizeof prefix);
    trn_put16(out + sizeof prefix, (uint16_t)(length - PREFIX_BYTES));
    return length;
}

static trn_status io_error(struct trn_diag *diag, const char *path, const char *what)
{
    return trn_diag_set(diag, TRN_ERR_IO, path, NULL, NULL, "%s: %s", what, strerror(errno));
}

/* A new file beside `path`; its name goes to `name`. */
static int create_beside(const char *path, char name[MAX_PATH])
{
    for (unsigned attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        if (snprintf(name, MAX_PATH, "%s.%ld.%u.tmp", path, (long)getpid(), attempt) >= MAX_PATH) {
            errno = ENAMETOOLONG;
            return -1;
        }
        const int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

static bool write_all(int fd, const uint8_t *bytes, size_t size)
{
    while (size > 0) {
        const ssize_t written = write(fd, bytes, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        bytes += written;
        size -= (size_t)written;
    }
    return true;
}

/* Only a regular file can be replaced; a pipe, a device or a link is written through. */
static bool may_be_replaced(const char *path)
{
    struct stat info;
    return lstat(path, &info) != 0 || S_ISREG(info.st_mode);
}

static trn_status write_file(const char *path, const uint8_t *header, size_t header_size,
                             const uint8_t *data, size_t size, struct trn_diag *diag)
{
    char temporary[MAX_PATH];
    const bool replace = may_be_replaced(path);
    const int fd =
        replace ? create_beside(path, temporary) : open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
    if (fd < 0)
        return io_error(diag, path, "cannot create");
    const bool written = write_all(fd, header, header_size) && write_all(fd, data, size);
    const int write_errno = errno;
    const bool closed = close(fd) == 0;
    if (written && closed && (!replace || rename(temporary, path) == 0))
        return TRN_OK;
    if (!written)
        errno = write_errno;
    const trn_status status = io_error(diag, path, "cannot write");
    if (replace)
        unlink(temporary);
    return status;
}

trn_status trn_npy_write(const char *path, enum trn_npy_type type, const uint64_t *shape,
                         size_t num_dims, const void *data, struct trn_diag *diag)
{
    size_t size = trn_npy_type_size(type);
    bool overflow = false;
    for (size_t i = 0; i < num_dims && i < TRN_NPY_MAX_DIMS; i++)
        overflow |= __builtin_mul_overflow(size, shape[i], &size);
    if (trn_npy_type_size(type) == 0 || num_dims > TRN_NPY_MAX_DIMS || overflow)
        return trn_diag_set(diag, TRN_ERR_INVALID, path, NULL, NULL,
                            "no npy file can hold such an array");
    uint8_t header[TRN_NPY_HEADER_MAX];
    const size_t header_size = trn_npy_header(type, shape, num_dims, header);
    return write_file(path, header, header_size, data, size, diag);
}
