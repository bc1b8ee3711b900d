/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a container: as they are, as the members of an archive, or as changes to a shared
 * object with two getters. Every image, member and name that comes out lies inside what went in. */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "trench/fw.h"

static void require(bool condition)
{
    if (!condition)
        abort();
}

static bool see_section(void *context, const struct trn_fw_section *section)
{
    *(size_t *)context += strlen(section->name);
    return true;
}

static bool see_segment(void *context, const struct trn_fw_segment *segment)
{
    *(size_t *)context += segment->type;
    return true;
}

static bool see_symbol(void *context, const struct trn_fw_symbol *symbol)
{
    *(size_t *)context += strlen(symbol->name);
    return true;
}

static bool see_pointer(void *context, uint64_t va, uint64_t value)
{
    *(size_t *)context += (size_t)(va ^ value);
    return true;
}

static void see_joint(void *context, const struct trn_fw_joint *joint)
{
    require(trn_fw_joint_name(joint->kind) != NULL && joint->before && joint->after);
    (*(size_t *)context)++;
}

/* Touch the first and the last byte: the sanitizer says when they are nobody's. */
static unsigned touch(const uint8_t *bytes, uint64_t size)
{
    return size ? bytes[0] + bytes[size - 1] : 0;
}

static void see_images(const struct trn_fw *fw)
{
    size_t size;
    const uint8_t *const file = trn_fw_bytes(fw, &size);
    const struct trn_fw_image *image;
    unsigned sum = 0;
    for (size_t i = 0; (image = trn_fw_image(fw, i)) != NULL; i++) {
        require(image->symbol && image->bytes);
        require(trn_fw_kind_name(trn_fw_kind_of(image->bytes, image->size)) != NULL);
        sum += touch(image->bytes, image->size);
        if (image->source == TRN_FW_BY_GETTER)
            require(image->bytes == file + image->offset && image->offset + image->size <= size);
        if (image->is_named) {
            char name[TRN_FW_NAME_MAX];
            struct trn_fw_name again;
            trn_fw_name_print(&image->name, name);
            require(trn_fw_name_parse(name, &again));
        }
    }
    const struct trn_fw_member *member;
    for (size_t i = 0; (member = trn_fw_member(fw, i)) != NULL; i++)
        sum += member->bytes ? touch(member->bytes, member->size) : 0;
    static volatile unsigned sink;
    sink = sum;
    (void)sink;
}

static void see_listing(const struct trn_fw *fw)
{
    size_t seen = 0;
    trn_fw_pointers(fw, see_pointer, &seen, NULL);
    for (size_t i = 0; i <= trn_fw_member_count(fw); i++) {
        const size_t which = i == trn_fw_member_count(fw) ? TRN_FW_WHOLE : i;
        trn_fw_sections(fw, which, see_section, &seen, NULL);
        trn_fw_segments(fw, which, see_segment, &seen, NULL);
        trn_fw_symbols(fw, which, see_symbol, &seen, NULL);
    }
    char text[64];
    trn_fw_describe(fw, text, sizeof text);
    require(strlen(text) < sizeof text);
    struct trn_fw_split split;
    trn_fw_split(fw, &split);
    require(split.total == trn_fw_member_count(fw));
}

static void see_layout(const struct trn_fw *fw)
{
    size_t joints = 0, counted = 0;
    struct trn_fw_layout layout;
    require(trn_fw_layout(fw, see_joint, &joints, &layout, NULL) == TRN_OK);
    for (unsigned kind = 0; kind < TRN_FW_JOINTS; kind++)
        counted += layout.count[kind];
    require(joints == counted && joints + (layout.images != 0) == layout.images);
}

static void see_identity(const struct trn_fw *fw)
{
    struct trn_fw_identity identity;
    require(trn_fw_compare(fw, fw, 1, NULL, NULL, &identity, NULL) == TRN_OK);
    require(identity.num_pairs == trn_fw_image_count(fw) && identity.num_rest == 0);
    for (size_t i = 0; i < identity.num_pairs; i++)
        require(trn_fw_identify(identity.pairs[i].first, identity.pairs[i].sha256, NULL) <
                TRN_FW_VERDICTS);
    trn_fw_identity_free(&identity);
}

static void see(const uint8_t *bytes, size_t size)
{
    struct trn_fw *fw;
    struct trn_diag diag = {.status = TRN_OK};
    const trn_status status = trn_fw_open_bytes(bytes, size, "fuzz", &fw, &diag);
    if (status != TRN_OK) {
        require(!fw && diag.status == status && diag.message[0]);
        return;
    }
    see_images(fw);
    see_listing(fw);
    see_layout(fw);
    see_identity(fw);
    trn_fw_close(fw);
}

/* ---- what the bytes are put into -------------------------------------------------- */

static void as_archive(const uint8_t *data, size_t size)
{
    uint8_t *const file = malloc(size + 8);
    require(file != NULL);
    memcpy(file, "!<arch>\n", 8);
    memcpy(file + 8, data, size);
    see(file, size + 8);
    free(file);
}

#define GETTER "SUNDA_NX_ACT_RELEASE_IRAM_get"
static const char names[] = "\0" GETTER "\0" GETTER ".data\0SUNDA_NX_ACT_RELEASE_DRAM_get";
static const char sections[] = "\0.rodata\0.text\0.symtab\0.strtab\0.shstrtab";

enum {
    RODATA = 0x100,
    TEXT = 0x200,
    SYMBOLS = 0x280,
    NAMES = 0x300,
    TITLES = 0x380,
    TABLE = 0x400
};

/* One small shared object, mapped at its own offsets. */
struct object {
    uint8_t bytes[TABLE + 6 * sizeof(Elf64_Shdr)];
};

static void put_stub(uint8_t *at, int32_t distance, int32_t size)
{
    memcpy(at, "\x48\x8d\x05....\x48\x89\x07\x48\xc7\x06....\xc3", 18);
    memcpy(at + 3, &distance, 4);
    memcpy(at + 13, &size, 4);
}

static void put_tables(struct object *object)
{
    const Elf64_Shdr headers[6] = {
        [1] = {1, SHT_PROGBITS, SHF_ALLOC, RODATA, RODATA, 0x100, 0, 0, 1, 0},
        [2] = {9, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, TEXT, TEXT, 0x40, 0, 0, 1, 0},
        [3] = {15, SHT_SYMTAB, 0, 0, SYMBOLS, 4 * sizeof(Elf64_Sym), 4, 4, 8, sizeof(Elf64_Sym)},
        [4] = {23, SHT_STRTAB, 0, 0, NAMES, sizeof names, 0, 0, 1, 0},
        [5] = {31, SHT_STRTAB, 0, 0, TITLES, sizeof sections, 0, 0, 1, 0},
    };
    const unsigned char function = ELF64_ST_INFO(STB_LOCAL, STT_FUNC);
    const Elf64_Sym symbols[4] = {
        [1] = {1, function, 0, 2, TEXT, 18},
        [2] = {1 + sizeof GETTER, 0, 0, 1, RODATA, 0x80},
        [3] = {1 + 2 * sizeof GETTER + 5, function, 0, 2, TEXT + 0x20, 18},
    };
    memcpy(object->bytes + TABLE, headers, sizeof headers);
    memcpy(object->bytes + SYMBOLS, symbols, sizeof symbols);
    memcpy(object->bytes + NAMES, names, sizeof names);
    memcpy(object->bytes + TITLES, sections, sizeof sections);
}

static void make_object(struct object *object)
{
    memset(object, 0, sizeof *object);
    Elf64_Ehdr header = {
        .e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
        .e_type = ET_DYN,
        .e_machine = EM_X86_64,
        .e_version = EV_CURRENT,
        .e_phoff = sizeof header,
        .e_shoff = TABLE,
        .e_ehsize = sizeof header,
        .e_phentsize = sizeof(Elf64_Phdr),
        .e_phnum = 2,
        .e_shentsize = sizeof(Elf64_Shdr),
        .e_shnum = 6,
        .e_shstrndx = 5,
    };
    const Elf64_Phdr segments[2] = {
        {PT_LOAD, PF_R, 0, 0, 0, TEXT, TEXT, 1},
        {PT_LOAD, PF_R | PF_X, TEXT, TEXT, TEXT, 0x80, 0x80, 1},
    };
    memcpy(object->bytes, &header, sizeof header);
    memcpy(object->bytes + sizeof header, segments, sizeof segments);
    memcpy(object->bytes + RODATA + 0x80, ELFMAG, SELFMAG);
    put_stub(object->bytes + TEXT, RODATA - TEXT - 7, 0x80);
    put_stub(object->bytes + TEXT + 0x20, RODATA + 0x80 - TEXT - 0x20 - 7, 0);
    put_tables(object);
}

/* Each three bytes: where (16 bits) and what to write. */
static void as_changes(const uint8_t *data, size_t size)
{
    struct object *const object = malloc(sizeof *object);
    require(object != NULL);
    make_object(object);
    for (; size >= 3; data += 3, size -= 3)
        object->bytes[(data[0] + 256u * data[1]) % sizeof object->bytes] = data[2];
    see(object->bytes, sizeof object->bytes);
    free(object);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    if (data[0] % 3 == 0)
        see(data + 1, size - 1);
    else if (data[0] % 3 == 1)
        as_archive(data + 1, size - 1);
    else
        as_changes(data + 1, size - 1);
    return 0;
}
