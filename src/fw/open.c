/* SPDX-License-Identifier: Apache-2.0 */
/* Opening a container: its own bytes say what it is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fw/container.h"

static trn_status read_elf(struct trn_fw *fw, enum fw_elf_kind kind, struct trn_diag *diag)
{
    trn_status status = fw_elf_open(fw->path, fw->file.bytes, fw->file.size, 0, &fw->elf, diag);
    if (status != TRN_OK)
        return status;
    const bool is_object = fw->elf.header.e_type == ET_REL;
    if (kind == FW_ELF_X86_64 && !is_object &&
        (fw->elf.header.e_type == ET_DYN || fw->elf.header.e_type == ET_EXEC)) {
        fw->form = TRN_FW_SHARED;
        return fw_read_shared(fw, diag);
    }
    fw->form = kind == FW_ELF_XTENSA                ? TRN_FW_XTENSA
               : kind == FW_ELF_X86_64 && is_object ? TRN_FW_OBJECT
                                                    : TRN_FW_ELF_OTHER;
    status = fw_add_whole(fw, diag);
    if (status != TRN_OK || fw->form != TRN_FW_OBJECT)
        return status;
    struct trn_fw_image image = fw->images[0];
    fw->num_images = 0;
    status = fw_read_object(fw, &fw->elf, &image, diag);
    return status == TRN_OK ? fw_add_image(fw, &image, diag) : status;
}

static trn_status read_big_endian(const struct trn_fw *fw, struct trn_diag *diag)
{
    enum { MACHINE_AT = 18 };
    const uint8_t *const machine = fw->file.bytes + MACHINE_AT;
    return trn_diag_set(diag, TRN_ERR_UNSUPPORTED, fw->path, NULL,
                        "containers and images are little-endian",
                        "a big-endian ELF file for machine %u%s", machine[0] * 256u + machine[1],
                        machine[0] == 0 && machine[1] == EM_XTENSA ? " (Xtensa)" : "");
}

static trn_status recognise(struct trn_fw *fw, struct trn_diag *diag)
{
    bool is_thin;
    if (fw_is_archive(fw->file.bytes, fw->file.size, &is_thin)) {
        fw->form = is_thin ? TRN_FW_THIN_ARCHIVE : TRN_FW_ARCHIVE;
        return fw_read_archive(fw, diag);
    }
    const enum fw_elf_kind kind = fw_elf_kind(fw->file.bytes, fw->file.size);
    if (kind == FW_ELF_BIG_ENDIAN)
        return read_big_endian(fw, diag);
    if (kind != FW_ELF_NONE)
        return read_elf(fw, kind, diag);
    fw->form = TRN_FW_FLAT;
    return fw_add_whole(fw, diag);
}

/* Takes the mapping over. */
static trn_status open_mapping(struct fw_mapping mapping, const char *name, struct trn_fw **out,
                               struct trn_diag *diag)
{
    *out = NULL;
    struct trn_fw *const fw = calloc(1, sizeof *fw);
    if (!fw) {
        fw_unmap(&mapping);
        return fw_out_of_memory(diag);
    }
    fw->file = mapping;
    fw->path = strdup(name);
    const trn_status status = fw->path ? recognise(fw, diag) : fw_out_of_memory(diag);
    if (status == TRN_OK)
        *out = fw;
    else
        trn_fw_close(fw);
    return status;
}

trn_status trn_fw_open(const char *path, struct trn_fw **out, struct trn_diag *diag)
{
    struct fw_mapping mapping;
    const trn_status status = fw_map_file(path, true, &mapping, diag);
    *out = NULL;
    return status == TRN_OK ? open_mapping(mapping, path, out, diag) : status;
}

trn_status trn_fw_open_bytes(const void *bytes, size_t size, const char *name, struct trn_fw **out,
                             struct trn_diag *diag)
{
    const struct fw_mapping mapping = {.bytes = bytes, .size = size, .fd = -1};
    return open_mapping(mapping, name, out, diag);
}

void trn_fw_close(struct trn_fw *fw)
{
    if (!fw)
        return;
    fw_elf_close(&fw->elf);
    for (size_t i = 0; i < fw->num_others; i++)
        fw_unmap(&fw->others[i]);
    for (size_t i = 0; i < fw->num_texts; i++)
        free(fw->texts[i]);
    fw_unmap(&fw->file);
    free(fw->others);
    free(fw->texts);
    free(fw->notes);
    free(fw->members);
    free(fw->images);
    free(fw->path);
    free(fw);
}

/* ---- what it holds ---------------------------------------------------------------- */

const char *trn_fw_path(const struct trn_fw *fw)
{
    return fw->path;
}

enum trn_fw_form trn_fw_form_of(const struct trn_fw *fw)
{
    return fw->form;
}

const uint8_t *trn_fw_bytes(const struct trn_fw *fw, size_t *size)
{
    *size = fw->file.size;
    return fw->file.bytes;
}

size_t trn_fw_image_count(const struct trn_fw *fw)
{
    return fw->num_images;
}

const struct trn_fw_image *trn_fw_image(const struct trn_fw *fw, size_t index)
{
    return index < fw->num_images ? &fw->images[index] : NULL;
}

size_t trn_fw_member_count(const struct trn_fw *fw)
{
    return fw->num_members;
}

const struct trn_fw_member *trn_fw_member(const struct trn_fw *fw, size_t index)
{
    return index < fw->num_members ? &fw->members[index] : NULL;
}

const char *trn_fw_note(const struct trn_fw *fw, size_t index)
{
    return index < fw->num_notes ? fw->notes[index] : NULL;
}

const uint8_t *trn_fw_at(const struct trn_fw *fw, uint64_t va, uint64_t size)
{
    uint64_t offset;
    if (!fw->elf.elf || !fw_elf_offset(&fw->elf, va, size, &offset, NULL))
        return NULL;
    return fw->file.bytes + offset;
}
