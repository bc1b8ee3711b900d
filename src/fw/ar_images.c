/* SPDX-License-Identifier: Apache-2.0 */
/* Images of relocatable objects: the .rodata of a member that defines a getter, or the member
 * itself (docs/hardware/firmware-images.md 5). */
#include <elf.h>
#include <string.h>

#include "fw/bounds.h"
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

/* ---- the common member ------------------------------------------------------------ */

enum { SECTIONS = 32, TITLES = 1024 };

/* Every section lies inside the member, as fw_elf_open wants it. */
static bool sections_fit(const Elf64_Shdr *headers, unsigned count, uint64_t size)
{
    for (unsigned i = 1; i < count; i++)
        if (headers[i].sh_type != SHT_NOBITS && headers[i].sh_type != SHT_NULL &&
            !fw_inside(headers[i].sh_offset, headers[i].sh_size, size))
            return false;
    return true;
}

static const Elf64_Shdr *find_rodata(const Elf64_Shdr *headers, unsigned count, const char *titles,
                                     uint64_t size)
{
    for (unsigned i = 1; i < count; i++)
        if (fw_inside(headers[i].sh_name, sizeof ".rodata", size) &&
            memcmp(titles + headers[i].sh_name, ".rodata", sizeof ".rodata") == 0)
            return &headers[i];
    return NULL;
}

/* An archive holds hundreds of small objects of one make: of those a few short reads say where the
 * image is. False: it is of another make or contradicts itself; libelf reads it. */
static bool peek_member(const struct trn_fw *fw, const struct trn_fw_member *member,
                        struct trn_fw_image *image)
{
    Elf64_Ehdr header;
    Elf64_Shdr headers[SECTIONS];
    if (member->file || member->size < sizeof header)
        return false;
    memcpy(&header, fw_glance(fw, member->offset, sizeof header), sizeof header);
    const unsigned count = header.e_shnum;
    if (fw_elf_kind((const uint8_t *)&header, sizeof header) != FW_ELF_X86_64 ||
        header.e_type != ET_REL || header.e_phnum || header.e_shentsize != sizeof headers[0] ||
        count == 0 || count > SECTIONS || header.e_shstrndx >= count ||
        !fw_table_inside(header.e_shoff, count, sizeof headers[0], member->size))
        return false;
    const size_t table = count * sizeof headers[0];
    memcpy(headers, fw_glance(fw, member->offset + header.e_shoff, table), table);
    const Elf64_Shdr *const names = &headers[header.e_shstrndx];
    if (!sections_fit(headers, count, member->size) || names->sh_type != SHT_STRTAB ||
        names->sh_size > TITLES)
        return false;
    const size_t length = (size_t)names->sh_size;
    const uint8_t *const read = fw_glance(fw, member->offset + names->sh_offset, length);
    const Elf64_Shdr *const rodata = find_rodata(headers, count, (const char *)read, length);
    if (!rodata || rodata->sh_type == SHT_NOBITS)
        return false;
    image->offset += rodata->sh_offset;
    image->bytes += rodata->sh_offset;
    image->size = rodata->sh_size;
    return true;
}

/* ---- members ---------------------------------------------------------------------- */

trn_status fw_read_member(struct trn_fw *fw, const struct trn_fw_member *member,
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
    if (!is_image_name(member->name) || peek_member(fw, member, &image) ||
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
