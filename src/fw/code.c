/* SPDX-License-Identifier: Apache-2.0 */
/* Where the code of an image is: the image itself, or the sections of an Xtensa object, with what
 * is known for certain about its instructions. */
#include "fw/code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fw/elf_file.h"

/* ---- lists of addresses ----------------------------------------------------------- */

bool fw_addresses_add(struct fw_addresses *list, uint32_t address)
{
    if (list->count == list->room) {
        const size_t room = list->room ? 2 * list->room : 64;
        uint32_t *const grown = realloc(list->address, room * sizeof *grown);
        if (!grown)
            return false;
        list->address = grown;
        list->room = room;
    }
    list->address[list->count++] = address;
    return true;
}

static int by_address(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

void fw_addresses_sort(struct fw_addresses *list)
{
    size_t kept = 0;
    if (list->count == 0)
        return;
    qsort(list->address, list->count, sizeof *list->address, by_address);
    for (size_t i = 0; i < list->count; i++)
        if (i == 0 || list->address[i] != list->address[kept - 1])
            list->address[kept++] = list->address[i];
    list->count = kept;
}

/* ---- a whole image ---------------------------------------------------------------- */

/* NCFW blobs belong to the scalar management core (xtensa-subset.md 2.2). */
static enum trn_xtensa_core core_of(const struct trn_fw_image *image)
{
    return image->symbol && strstr(image->symbol, "_ncfw_") ? TRN_XTENSA_SCALAR : TRN_XTENSA_VISION;
}

static uint32_t base_of(const struct trn_fw_image *image, const struct trn_fw_boot *boot)
{
    const bool named_sram = image->is_named && image->name.region == TRN_FW_SRAM;
    const bool built_sram = boot->is_head && boot->residence == TRN_FW_SRAM;
    return named_sram || (!image->is_named && built_sram) ? TRN_FW_SRAM_BASE : 0;
}

static struct fw_code_section *add_section(struct trn_fw_code *code)
{
    struct fw_code_section *const grown =
        realloc(code->section, (code->count + 1) * sizeof *code->section);
    if (!grown)
        return NULL;
    code->section = grown;
    memset(&grown[code->count], 0, sizeof *grown);
    return &grown[code->count++];
}

static bool open_whole(const struct trn_fw_image *image, struct trn_fw_code *code)
{
    struct trn_fw_boot boot;
    struct fw_code_section *const section = add_section(code);
    if (!section)
        return false;
    trn_fw_boot_decode(image->bytes, image->size, &boot);
    section->code.core = core_of(image);
    section->code.bytes = image->bytes;
    section->code.size = image->size;
    section->code.base = base_of(image, &boot);
    if (!boot.is_head)
        return true;
    const uint32_t offsets[] = {0, 6, boot.primary, boot.secondary, boot.enter};
    for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; i++)
        if (offsets[i] < image->size &&
            !fw_addresses_add(&section->labels, section->code.base + offsets[i]))
            return false;
    return true;
}

/* ---- life ------------------------------------------------------------------------- */

static void finish(struct trn_fw_code *code)
{
    for (size_t i = 0; i < code->count; i++) {
        struct fw_code_section *const section = &code->section[i];
        fw_addresses_sort(&section->labels);
        fw_addresses_sort(&section->pending);
        section->code.label = section->labels.address;
        section->code.num_labels = section->labels.count;
        section->code.pending = section->pending.address;
        section->code.num_pending = section->pending.count;
        code->pending += section->pending.count;
    }
}

trn_status trn_fw_code_open(const struct trn_fw_image *image, struct trn_fw_code **out,
                            struct trn_diag *diag)
{
    struct trn_fw_code *const code = calloc(1, sizeof *code);
    trn_status status = TRN_ERR_NO_MEMORY;
    *out = NULL;
    if (!code)
        return trn_diag_set(diag, status, NULL, NULL, NULL, "out of memory");
    if (fw_elf_kind(image->bytes, image->size) == FW_ELF_XTENSA)
        status = fw_code_open_object(image, add_section, code, diag);
    else if (open_whole(image, code))
        status = TRN_OK;
    else
        trn_diag_set(diag, status, image->symbol, NULL, NULL, "out of memory");
    if (status != TRN_OK) {
        trn_fw_code_close(code);
        return status;
    }
    finish(code);
    *out = code;
    return TRN_OK;
}

void trn_fw_code_close(struct trn_fw_code *code)
{
    if (!code)
        return;
    for (size_t i = 0; i < code->count; i++) {
        free(code->section[i].labels.address);
        free(code->section[i].pending.address);
    }
    free(code->section);
    free(code);
}

size_t trn_fw_code_count(const struct trn_fw_code *code)
{
    return code->count;
}

const struct trn_xtensa_code *trn_fw_code_section(const struct trn_fw_code *code, size_t index,
                                                  const char **name)
{
    if (index >= code->count)
        return NULL;
    *name = code->section[index].name;
    return &code->section[index].code;
}

size_t trn_fw_code_pending(const struct trn_fw_code *code)
{
    return code->pending;
}
