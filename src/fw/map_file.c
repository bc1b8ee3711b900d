/* SPDX-License-Identifier: Apache-2.0 */
/* Files in memory, read-only. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fw/container.h"

static trn_status refuse(const char *path, trn_status status, const char *why,
                         struct trn_diag *diag)
{
    return trn_diag_set(diag, status, path, NULL, NULL, "%s", why);
}

static trn_status map_open(int fd, const char *path, struct fw_mapping *out, struct trn_diag *diag)
{
    struct stat info;
    if (fstat(fd, &info) != 0)
        return refuse(path, TRN_ERR_IO, strerror(errno), diag);
    if (!S_ISREG(info.st_mode))
        return refuse(path, TRN_ERR_IO, "cannot read: not a regular file", diag);
    static const uint8_t nothing[1];
    *out = (struct fw_mapping){.bytes = nothing, .fd = -1};
    if (info.st_size == 0)
        return TRN_OK;
    void *const bytes = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (bytes == MAP_FAILED)
        return refuse(path, TRN_ERR_IO, strerror(errno), diag);
    *out = (struct fw_mapping){bytes, (size_t)info.st_size, true, -1};
    return TRN_OK;
}

trn_status fw_map_file(const char *path, bool keep_open, struct fw_mapping *out,
                       struct trn_diag *diag)
{
    /* A pipe without a writer must not hold us: it is no regular file anyway. */
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return trn_diag_set(diag, errno == ENOENT ? TRN_ERR_NOT_FOUND : TRN_ERR_IO, path, NULL,
                            NULL, "cannot open: %s", strerror(errno));
    const trn_status status = map_open(fd, path, out, diag);
    if (status == TRN_OK && keep_open)
        out->fd = fd;
    else
        close(fd);
    return status;
}

void fw_unmap(struct fw_mapping *mapping)
{
    if (mapping->is_mapped)
        munmap((void *)(uintptr_t)mapping->bytes, mapping->size);
    if (mapping->fd >= 0)
        close(mapping->fd);
    *mapping = (struct fw_mapping){.fd = -1};
}

const uint8_t *fw_peek(const struct trn_fw *fw, uint64_t offset, size_t size, void *buffer)
{
    size_t done = 0;
    while (fw->file.fd >= 0 && done < size) {
        const ssize_t got =
            pread(fw->file.fd, (uint8_t *)buffer + done, size - done, (off_t)(offset + done));
        if (got <= 0)
            break;
        done += (size_t)got;
    }
    return done == size && size ? buffer : fw->file.bytes + offset;
}

const uint8_t *fw_glance(const struct trn_fw *fw, uint64_t offset, size_t size)
{
    enum { BEFORE = 512 }; /* names of sections stand before their headers */
    struct fw_window *const window = fw->window;
    if (!window || size > sizeof window->bytes - BEFORE)
        return fw->file.bytes + offset;
    if (offset < window->start || offset + size > window->start + window->size) {
        window->start = offset < BEFORE ? 0 : offset - BEFORE;
        const uint64_t left = fw->file.size - window->start;
        window->size = left < sizeof window->bytes ? (size_t)left : sizeof window->bytes;
        const uint8_t *const read = fw_peek(fw, window->start, window->size, window->bytes);
        if (read != window->bytes)
            memcpy(window->bytes, read, window->size);
    }
    return window->bytes + (offset - window->start);
}

const uint8_t *fw_fetch(const struct trn_fw *fw, const struct trn_fw_image *image, uint64_t at,
                        size_t size, uint8_t *buffer)
{
    return image->file ? image->bytes + at : fw_peek(fw, image->offset + at, size, buffer);
}
