/* SPDX-License-Identifier: Apache-2.0 */
/* Forms of images by their own bytes (docs/hardware/firmware-images.md 6, 12.1). */
#include <string.h>

#include "base/bytes.h"
#include "fw/container.h"
#include "trench/fw.h"

enum {
    DATA_MAGIC = 0x6099CB34,
    CAM_BYTES = 0x400,
    CAM_RECORD = 16,
    TABLE_BYTES = 0x2000,
    TABLE_RECORD = 128,
    TABLE_USED = 0x18,
    SECOND_VECTOR = 6,
    LOOKED_AT = 65536,
};

/* `j` (xtensa-subset.md 3.1: byte 0 ends in 06) and three bytes of padding behind it. */
static bool is_vector(const uint8_t *at)
{
    return (at[0] & 0x3F) == 0x06 && at[3] == 0 && at[4] == 0 && at[5] == 0;
}

static bool is_code(const uint8_t *bytes, uint64_t size)
{
    return size >= 12 && bytes[0] == 0x06 && is_vector(bytes) && is_vector(bytes + SECOND_VECTOR);
}

/* Armed records come first, the last one is the wildcard {0, 0, 1, 0}, the rest is zero. */
static bool is_cam(const uint8_t *bytes)
{
    static const uint8_t wildcard[CAM_RECORD] = {[8] = 1}, empty[CAM_RECORD];
    size_t armed = 0;
    while (armed < CAM_BYTES / CAM_RECORD && trn_get32(bytes + armed * CAM_RECORD + 8) == 1)
        armed++;
    if (armed == 0 || memcmp(bytes + (armed - 1) * CAM_RECORD, wildcard, CAM_RECORD) != 0)
        return false;
    for (size_t i = armed; i < CAM_BYTES / CAM_RECORD; i++)
        if (memcmp(bytes + i * CAM_RECORD, empty, CAM_RECORD) != 0)
            return false;
    return true;
}

/* Nothing lies at or above byte 0x18 of a record, and the first record is used. */
static bool is_table(const uint8_t *bytes)
{
    static const uint8_t empty[TABLE_RECORD];
    if (memcmp(bytes, empty, TABLE_USED) == 0)
        return false;
    for (size_t i = 0; i < TABLE_BYTES / TABLE_RECORD; i++)
        if (memcmp(bytes + i * TABLE_RECORD + TABLE_USED, empty, TABLE_RECORD - TABLE_USED) != 0)
            return false;
    return true;
}

/* Windowed code of a big-endian Xtensa: `entry a1, 32..` is 6c 1x xx there, where the little-endian
 * one is 36 x1 xx. Many of one and next to none of the other decide (model choice: 8 at least, and
 * eight times as many). */
static bool is_big_endian(const uint8_t *bytes, uint64_t size)
{
    const uint64_t looked_at = size < LOOKED_AT ? size : LOOKED_AT;
    size_t big = 0, little = 0;
    for (uint64_t i = 0; i + 2 < looked_at; i++) {
        big += bytes[i] == 0x6C && bytes[i + 1] == 0x10 && bytes[i + 2] >= 4;
        little += bytes[i] == 0x36 && (bytes[i + 1] & 0x1F) == 0x01 && bytes[i + 2] == 0;
    }
    return big >= 8 && big > 8 * little;
}

enum trn_fw_kind trn_fw_kind_of(const void *data, uint64_t size)
{
    static const uint8_t extram[] = {0x36, 0x61, 0x00};
    const uint8_t *const bytes = data;
    if (size == 0)
        return TRN_FW_KIND_EMPTY;
    const enum fw_elf_kind elf = fw_elf_kind(bytes, (size_t)size);
    if (elf != FW_ELF_NONE)
        return elf == FW_ELF_XTENSA ? TRN_FW_KIND_XTENSA_ELF : TRN_FW_KIND_ELF;
    if (is_code(bytes, size))
        return TRN_FW_KIND_CODE;
    if (size >= 4 && trn_get32(bytes) == DATA_MAGIC)
        return TRN_FW_KIND_DATA;
    if (size == CAM_BYTES && is_cam(bytes))
        return TRN_FW_KIND_CAM;
    if (size == TABLE_BYTES && is_table(bytes))
        return TRN_FW_KIND_TABLE;
    if (bytes[0] == '{')
        return TRN_FW_KIND_JSON;
    if (size >= sizeof extram && memcmp(bytes, extram, sizeof extram) == 0)
        return TRN_FW_KIND_EXTRAM;
    return is_big_endian(bytes, size) ? TRN_FW_KIND_BIG_ENDIAN : TRN_FW_KIND_OTHER;
}

enum trn_fw_kind trn_fw_image_kind(const struct trn_fw *fw, const struct trn_fw_image *image)
{
    enum { FIRST = 64 };
    uint8_t buffer[TABLE_BYTES];
    if (image->source == TRN_FW_WHOLE_FILE)
        return trn_fw_kind_of(image->bytes, image->size);
    if (image->size <= FIRST || image->size == CAM_BYTES || image->size == TABLE_BYTES)
        return trn_fw_kind_of(fw_fetch(fw, image, 0, (size_t)image->size, buffer), image->size);
    return trn_fw_kind_of(fw_fetch(fw, image, 0, FIRST, buffer), FIRST);
}

const char *trn_fw_kind_name(enum trn_fw_kind kind)
{
    static const char *const names[TRN_FW_KINDS] = {
        [TRN_FW_KIND_EMPTY] = "empty",
        [TRN_FW_KIND_CODE] = "code",
        [TRN_FW_KIND_DATA] = "data",
        [TRN_FW_KIND_EXTRAM] = "extram code",
        [TRN_FW_KIND_CAM] = "prof cam",
        [TRN_FW_KIND_TABLE] = "prof table",
        [TRN_FW_KIND_XTENSA_ELF] = "xtensa elf",
        [TRN_FW_KIND_JSON] = "json",
        [TRN_FW_KIND_ELF] = "elf",
        [TRN_FW_KIND_BIG_ENDIAN] = "big-endian",
        [TRN_FW_KIND_OTHER] = "other",
    };
    return (size_t)kind < TRN_FW_KINDS ? names[kind] : NULL;
}
