/* SPDX-License-Identifier: Apache-2.0 */
#include "filebus.h"

#include <fcntl.h>
#include <inttypes.h>
#include <openssl/evp.h>
#include <unistd.h>

/* ---- the file behind BAR0 ----------------------------------------------------------------------
 */

static bool inside(const struct filebus *filebus, uint64_t offset, size_t size)
{
    return size <= filebus->bytes && offset <= filebus->bytes - size;
}

static trn_status load(const struct filebus *filebus, uint64_t offset, void *data, size_t size)
{
    uint8_t *at = data;
    if (!inside(filebus, offset, size))
        return TRN_ERR_ADDRESS;
    while (size > 0) {
        const ssize_t got = pread(filebus->image, at, size, (off_t)offset);
        if (got <= 0)
            return TRN_ERR_IO;
        at += got;
        offset += (uint64_t)got;
        size -= (size_t)got;
    }
    return TRN_OK;
}

static trn_status store(const struct filebus *filebus, uint64_t offset, const void *data,
                        size_t size)
{
    const uint8_t *at = data;
    if (!inside(filebus, offset, size))
        return TRN_ERR_ADDRESS;
    while (size > 0) {
        const ssize_t put = pwrite(filebus->image, at, size, (off_t)offset);
        if (put <= 0)
            return TRN_ERR_IO;
        at += put;
        offset += (uint64_t)put;
        size -= (size_t)put;
    }
    return TRN_OK;
}

/* ---- the four calls of a bus -------------------------------------------------------------------
 */

/* Registers are little-endian on the wire, whatever the host is. */
static trn_status read32(void *context, uint64_t offset, uint32_t *value)
{
    struct filebus *filebus = context;
    uint8_t b[4];
    const trn_status status = load(filebus, offset, b, sizeof b);
    if (status != TRN_OK)
        return status;
    *value = (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
    filebus->reads++;
    fprintf(filebus->trace, "R 0x%" PRIx64 " 0x%" PRIx32 "\n", offset, *value);
    return TRN_OK;
}

static trn_status write32(void *context, uint64_t offset, uint32_t value)
{
    struct filebus *filebus = context;
    const uint8_t b[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
                          (uint8_t)(value >> 24)};
    const trn_status status = store(filebus, offset, b, sizeof b);
    if (status != TRN_OK)
        return status;
    filebus->writes++;
    fprintf(filebus->trace, "W 0x%" PRIx64 " 0x%" PRIx32 "\n", offset, value);
    return TRN_OK;
}

/* The HAL never reads blocks; a tool that looks at the device afterwards may. */
static trn_status read_block(void *context, uint64_t offset, void *data, size_t size)
{
    return load(context, offset, data, size);
}

static trn_status write_block(void *context, uint64_t offset, const void *data, size_t size)
{
    struct filebus *filebus = context;
    uint8_t digest[32];
    const trn_status status = store(filebus, offset, data, size);
    if (status != TRN_OK)
        return status;
    if (!EVP_Digest(data, size, digest, NULL, EVP_sha256(), NULL))
        return TRN_ERR_NO_MEMORY;
    filebus->blocks++;
    filebus->block_bytes += size;
    fprintf(filebus->trace, "B 0x%" PRIx64 " 0x%zx ", offset, size);
    for (size_t i = 0; i < sizeof digest; i++)
        fprintf(filebus->trace, "%02x", digest[i]);
    fputc('\n', filebus->trace);
    return TRN_OK;
}

/* ---- opening and closing -----------------------------------------------------------------------
 */

trn_status filebus_open(struct filebus *filebus, const char *image, const char *trace,
                        uint64_t bytes)
{
    *filebus = (struct filebus){.bus = {filebus, read32, write32, read_block, write_block},
                                .image = open(image, O_RDWR | O_CREAT | O_CLOEXEC, 0644),
                                .bytes = bytes};
    if (filebus->image >= 0 && ftruncate(filebus->image, (off_t)bytes) == 0)
        filebus->trace = fopen(trace, "w");
    if (filebus->trace)
        return TRN_OK;
    if (filebus->image >= 0)
        close(filebus->image);
    return TRN_ERR_IO;
}

trn_status filebus_close(struct filebus *filebus)
{
    const bool lost = ferror(filebus->trace) != 0;
    const bool failed = fclose(filebus->trace) != 0;
    return close(filebus->image) != 0 || lost || failed ? TRN_ERR_IO : TRN_OK;
}
