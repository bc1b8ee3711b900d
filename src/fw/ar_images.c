/* SPDX-License-Identifier: Apache-2.0 */
/* Images of relocatable objects: the .rodata of a member that defines a getter, or the member
 * itself (docs/hardware/firmware-images.md 5). */
#include <string.h>

#include "fw/container.h"

static bool is_image_name(const char *path)
{
    const char *const slash = strrchr(path, '/');
    const char *const name = slash ? slash + 1 : path;
    return strncmp(name, "img_", 4) == 0 || strncmp(name, "hwdecode_", 9) == 0;
}

static bool find_getter(void *context, const struct trn_fw_symbol *symbol)
{
    const size_t length = strlen(symbol->name);
    const char **const found = context;
    if (symbol->section == SHN_UNDEF || length < 4 ||
        strcmp(symbol->name + length - 4, "_get") != 0)
        return true;
    *found = symbol->name;
    return false;
}

trn_status fw_read_object(struct trn_fw *fw, const struct fw_elf *elf, struct trn_fw_image *image,
                          struct trn_diag *diag)
{
    const char *getter = NULL;
    if (!is_image_name(image->symbol)) {
        const trn_status status = fw_elf_symbols(elf, find_getter, &getter, diag);
        struct trn_fw_name name;
        if (status != TRN_OK || !getter || !trn_fw_name_parse(getter, &name))
            return status;
        image->symbol = fw_keep_text(fw, getter, strlen(getter));
        if (!image->symbol)
            return fw_out_of_memory(diag);
    }
    struct trn_fw_section rodata;
    /* A compiler leaves out the section of an array of no bytes: the member is a cursor. */
    if (!fw_elf_find(elf, ".rodata", &rodata) || rodata.type == SHT_NOBITS)
        rodata = (struct trn_fw_section){.offset = 0, .size = 0};
    image->offset += rodata.offset;
    image->bytes += rodata.offset;
    image->size = rodata.size;
    image->source = TRN_FW_BY_MEMBER;
    return TRN_OK;
}

static trn_status take_member(struct trn_fw *fw, const struct trn_fw_member *member,
                              struct trn_diag *diag)
{
    struct trn_fw_image image = {
        .symbol = member->name,
        .source = TRN_FW_BY_MEMBER,
        .offset = member->offset,
        .size = member->size,
        .bytes = member->bytes,
        .file = member->file,
    };
    /* Other objects are framework: one image as it is, whatever it says about itself. */
    if (!is_image_name(member->name) ||
        fw_elf_kind(member->bytes, (size_t)member->size) != FW_ELF_X86_64)
        return fw_add_image(fw, &image, diag);
    struct fw_elf elf;
    const char *const path = member->file ? member->file : fw->path;
    trn_status status =
        fw_elf_open(path, member->bytes, (size_t)member->size, member->offset, &elf, diag);
    if (status == TRN_OK)
        status = fw_read_object(fw, &elf, &image, diag);
    fw_elf_close(&elf);
    return status == TRN_OK ? fw_add_image(fw, &image, diag) : status;
}

trn_status fw_read_members(struct trn_fw *fw, struct trn_diag *diag)
{
    for (size_t i = 0; i < fw->num_members; i++) {
        const struct trn_fw_member *const member = &fw->members[i];
        const trn_status status = member->bytes ? take_member(fw, member, diag) : TRN_OK;
        if (status != TRN_OK)
            return status;
    }
    return TRN_OK;
}
