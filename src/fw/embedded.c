/* SPDX-License-Identifier: Apache-2.0 */
/* Xtensa objects inside a shared object that no getter returns: every ELF magic in the bytes that
 * are nobody's image yet (docs/hardware/firmware-images.md 13.1). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "fw/bounds.h"
#include "fw/container.h"

/* Offsets in an ELF32 header. */
enum { SHOFF_AT = 32, SHENTSIZE_AT = 46, SHNUM_AT = 48, ELF32_HEADER = 52 };

static int by_offset(const void *left, const void *right)
{
    const struct trn_fw_image *const *const a = left, *const *const b = right;
    if ((*a)->offset != (*b)->offset)
        return (*a)->offset < (*b)->offset ? -1 : 1;
    return (*a)->size < (*b)->size ? -1 : (*a)->size > (*b)->size;
}

/* Length of an Xtensa object: its section headers come last. 0: it runs past `room`. */
static uint64_t length_of(const uint8_t *bytes, uint64_t room)
{
    const uint64_t at = trn_get32(bytes + SHOFF_AT);
    const uint64_t size = (uint64_t)trn_get16(bytes + SHENTSIZE_AT) * trn_get16(bytes + SHNUM_AT);
    return at >= ELF32_HEADER && fw_inside(at, size, room) ? at + size : 0;
}

static trn_status take(struct trn_fw *fw, uint64_t offset, uint64_t size, struct trn_diag *diag)
{
    const struct trn_fw_image image = {
        .symbol = fw_keep_format(fw, "offset 0x%" PRIx64, offset),
        .source = TRN_FW_EMBEDDED,
        .offset = offset,
        .size = size,
        .bytes = fw->file.bytes + offset,
    };
    return image.symbol ? fw_add_image(fw, &image, diag) : fw_out_of_memory(diag);
}

/* Next magic in the range; NULL: none. */
static const uint8_t *next_magic(const uint8_t *at, const uint8_t *end)
{
    while (end - at >= ELF32_HEADER) {
        at = memchr(at, ELFMAG0, (size_t)(end - at));
        if (!at || end - at < ELF32_HEADER)
            return NULL;
        if (fw_elf_kind(at, (size_t)(end - at)) == FW_ELF_XTENSA)
            return at;
        at++;
    }
    return NULL;
}

static trn_status search(struct trn_fw *fw, uint64_t begin, uint64_t end, struct trn_diag *diag)
{
    const uint8_t *const bytes = fw->file.bytes;
    const uint8_t *at = bytes + begin;
    trn_status status = TRN_OK;
    while (status == TRN_OK && (at = next_magic(at, bytes + end)) != NULL) {
        const uint64_t offset = (uint64_t)(at - bytes), length = length_of(at, end - offset);
        if (length)
            status = take(fw, offset, length, diag);
        else
            status = fw_add_note(fw,
                                 fw_keep_format(fw,
                                                "the Xtensa object at offset 0x%" PRIx64
                                                " runs past the end of its section: left out",
                                                offset),
                                 diag);
        at += length ? length : 1;
    }
    return status;
}

/* Images by offset, and how far both they and the file have been walked: every byte is searched
 * once, however sections lie. */
struct sweep {
    const struct trn_fw_image **sorted;
    size_t count, next;
    uint64_t searched;
};

/* The range without what images take of it. */
static trn_status search_gaps(struct trn_fw *fw, struct sweep *sweep, uint64_t begin, uint64_t end,
                              struct trn_diag *diag)
{
    if (begin < sweep->searched)
        begin = sweep->searched;
    for (; sweep->next < sweep->count && begin < end; sweep->next++) {
        const struct trn_fw_image *const image = sweep->sorted[sweep->next];
        if (image->offset >= end)
            break;
        const trn_status status =
            image->offset > begin ? search(fw, begin, image->offset, diag) : TRN_OK;
        if (status != TRN_OK)
            return status;
        if (image->offset + image->size > begin)
            begin = image->offset + image->size;
        sweep->searched = begin;
    }
    if (end > sweep->searched)
        sweep->searched = end;
    return begin < end ? search(fw, begin, end, diag) : TRN_OK;
}

trn_status fw_find_embedded(struct trn_fw *fw, struct trn_diag *diag)
{
    const size_t count = fw->num_images;
    /* Copies: the list of images moves while it grows. */
    struct trn_fw_image *const known = calloc(count + 1, sizeof *known);
    const struct trn_fw_image **const sorted = calloc(count + 1, sizeof(void *));
    if (!known || !sorted) {
        free(known);
        free(sorted);
        return fw_out_of_memory(diag);
    }
    for (size_t i = 0; i < count; i++) {
        known[i] = fw->images[i];
        sorted[i] = &known[i];
    }
    qsort(sorted, count, sizeof(void *), by_offset);
    trn_status status = TRN_OK;
    struct sweep sweep = {.sorted = sorted, .count = count};
    for (size_t i = 1; status == TRN_OK && i < fw->elf.num_sections; i++) {
        struct trn_fw_section section;
        if (fw_elf_section(&fw->elf, i, &section) && section.type == SHT_PROGBITS &&
            (section.flags & SHF_ALLOC) && !(section.flags & SHF_EXECINSTR))
            status = search_gaps(fw, &sweep, section.offset, section.offset + section.size, diag);
    }
    free(known);
    free(sorted);
    return status;
}
