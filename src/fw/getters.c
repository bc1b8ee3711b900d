/* SPDX-License-Identifier: Apache-2.0 */
/* Images of a shared object: what its getters return (docs/hardware/firmware-images.md 2). Getters
 * are found by their symbols, or by their code where the symbols are stripped. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fw/container.h"
#include "fw/stub.h"

/* A symbol that ends in "_get" or "_get.data". */
struct entry {
    const char *name;
    size_t length; /* without ".data" */
    uint64_t va;
    bool is_data, is_undefined;
};

struct search {
    struct trn_fw *fw;
    struct entry *entries;
    size_t num_entries, room;
    bool out_of_memory;
};

static bool ends_in(const char *name, size_t length, const char *end)
{
    const size_t tail = strlen(end);
    return length >= tail && memcmp(name + length - tail, end, tail) == 0;
}

static bool collect(void *context, const struct trn_fw_symbol *symbol)
{
    struct search *const search = context;
    size_t length = strlen(symbol->name);
    const bool is_data = ends_in(symbol->name, length, "_get.data");
    if (is_data)
        length -= strlen(".data");
    else if (!ends_in(symbol->name, length, "_get"))
        return true;
    if (!fw_grow((void **)&search->entries, search->num_entries, &search->room,
                 sizeof *search->entries)) {
        search->out_of_memory = true;
        return false;
    }
    search->entries[search->num_entries++] = (struct entry){
        .name = symbol->name,
        .length = length,
        .va = symbol->value,
        .is_data = is_data,
        .is_undefined = symbol->section == SHN_UNDEF,
    };
    return true;
}

/* By name, the getter before its data. */
static int by_name(const void *left, const void *right)
{
    const struct entry *const a = left, *const b = right;
    const size_t common = a->length < b->length ? a->length : b->length;
    const int order = memcmp(a->name, b->name, common);
    if (order)
        return order;
    if (a->length != b->length)
        return a->length < b->length ? -1 : 1;
    if (a->is_data != b->is_data)
        return a->is_data ? 1 : -1;
    return a->va < b->va ? -1 : a->va > b->va;
}

static bool same_name(const struct entry *a, const struct entry *b)
{
    return a->length == b->length && memcmp(a->name, b->name, a->length) == 0;
}

/* ---- one getter ------------------------------------------------------------------- */

static bool decode_at(const struct fw_elf *elf, uint64_t va, struct fw_stub *stub)
{
    enum { LONGEST = 22, SHORTEST = 18 };
    uint64_t offset;
    for (size_t room = LONGEST; room >= SHORTEST; room -= LONGEST - SHORTEST)
        if (fw_elf_offset(elf, va, room, &offset, NULL))
            return fw_stub_decode(elf->bytes + offset, room, va, stub);
    return false;
}

/* Where the image lies, or why it cannot be one. One of size 0 may stand at the end of a segment.
 */
static const char *locate(const struct fw_elf *elf, const struct fw_stub *stub, uint64_t *offset,
                          uint32_t *flags)
{
    if (!fw_elf_offset(elf, stub->target, stub->size ? stub->size : 1, offset, flags) &&
        (stub->size || !fw_elf_offset(elf, stub->target, 0, offset, flags)))
        return "which no segment holds";
    if (stub->target <= stub->start && stub->start - stub->target < stub->size)
        return "where the getter itself lies";
    return NULL;
}

static trn_status outside(const struct trn_fw *fw, const char *symbol, const struct fw_stub *stub,
                          const char *why, struct trn_diag *diag)
{
    uint64_t offset = stub->start;
    fw_elf_offset(&fw->elf, stub->start, 1, &offset, NULL);
    return fw_malformed(fw->path, offset, diag,
                        "the bytes of an image lie inside one PT_LOAD segment",
                        "getter %.100s returns 0x%" PRIx64 " bytes at address 0x%" PRIx64 ", %s",
                        symbol, stub->size, stub->target, why);
}

static trn_status add_getter(struct trn_fw *fw, const char *symbol, const struct fw_stub *stub,
                             uint64_t offset, const struct entry *data, struct trn_diag *diag)
{
    const struct trn_fw_image image = {
        .symbol = symbol,
        .source = TRN_FW_BY_GETTER,
        .getter_va = stub->start,
        .va = stub->target,
        .offset = offset,
        .size = stub->size,
        .bytes = fw->file.bytes + offset,
        .has_data_symbol = data && data->va == stub->target,
    };
    const trn_status status = fw_add_image(fw, &image, diag);
    if (status != TRN_OK || !data || data->va == stub->target)
        return status;
    return fw_add_note(fw,
                       fw_keep_format(fw,
                                      "%s returns 0x%" PRIx64 ", its data symbol says 0x%" PRIx64,
                                      symbol, stub->target, data->va),
                       diag);
}

/* ---- by symbol -------------------------------------------------------------------- */

/* A function of that name that is no getter is only worth a note where the name is an image's:
 * other libraries have functions that end in "_get" too. */
static trn_status no_getter(struct trn_fw *fw, const struct entry *entry, struct trn_diag *diag)
{
    struct trn_fw_name name;
    if (!trn_fw_name_parse(entry->name, &name))
        return TRN_OK;
    const char *const why = entry->is_undefined ? "is undefined (weak): a getter without a body"
                                                : "is named like a getter, its code is none";
    return fw_add_note(fw, fw_keep_format(fw, "%s %s", entry->name, why), diag);
}

static trn_status take_symbol(struct trn_fw *fw, const struct entry *entry,
                              const struct entry *data, struct trn_diag *diag)
{
    struct fw_stub stub;
    uint64_t offset;
    uint32_t flags;
    if (entry->is_undefined || !decode_at(&fw->elf, entry->va, &stub))
        return no_getter(fw, entry, diag);
    const char *const why = locate(&fw->elf, &stub, &offset, &flags);
    if (!why)
        return add_getter(fw, entry->name, &stub, offset, data, diag);
    struct trn_fw_name name;
    return trn_fw_name_parse(entry->name, &name) ? outside(fw, entry->name, &stub, why, diag)
                                                 : TRN_OK;
}

static trn_status take_symbols(struct search *search, struct trn_diag *diag)
{
    if (search->num_entries)
        qsort(search->entries, search->num_entries, sizeof *search->entries, by_name);
    for (size_t i = 0; i < search->num_entries; i++) {
        const struct entry *const entry = &search->entries[i];
        if (entry->is_data)
            continue;
        /* Data of the same name; where a name comes more than once, none can be told to be its. */
        const bool has_data = i + 1 < search->num_entries && entry[1].is_data &&
                              same_name(entry, entry + 1) &&
                              !(i + 2 < search->num_entries && same_name(entry, entry + 2));
        const bool is_alone = i == 0 || !same_name(entry, entry - 1);
        const trn_status status =
            take_symbol(search->fw, entry, has_data && is_alone ? entry + 1 : NULL, diag);
        if (status != TRN_OK)
            return status;
    }
    return TRN_OK;
}

static trn_status find_by_symbol(struct trn_fw *fw, struct trn_diag *diag)
{
    struct search search = {.fw = fw};
    trn_status status = fw_elf_symbols(&fw->elf, collect, &search, diag);
    if (status == TRN_OK && search.out_of_memory)
        status = fw_out_of_memory(diag);
    if (status == TRN_OK)
        status = take_symbols(&search, diag);
    free(search.entries);
    return status;
}

/* ---- by code ---------------------------------------------------------------------- */

/* A function that writes an address and a number is a getter only where it points into bytes of the
 * file that nothing writes to. */
static trn_status take_stub(struct trn_fw *fw, const struct fw_stub *stub, struct trn_diag *diag)
{
    uint64_t offset;
    uint32_t flags;
    const char *const why = locate(&fw->elf, stub, &offset, &flags);
    if (why)
        return fw_add_note(fw,
                           fw_keep_format(fw,
                                          "the getter at 0x%" PRIx64 " returns 0x%" PRIx64
                                          " bytes at 0x%" PRIx64 ", %s: left out",
                                          stub->start, stub->size, stub->target, why),
                           diag);
    if (flags & PF_W)
        return TRN_OK;
    const char *const text = fw_keep_format(fw, "getter 0x%" PRIx64, stub->start);
    return text ? add_getter(fw, text, stub, offset, NULL, diag) : fw_out_of_memory(diag);
}

/* *searched is the offset up to which code was searched: no byte is searched twice, however
 * sections or segments overlap. */
static trn_status scan(struct trn_fw *fw, const struct trn_fw_section *code, uint64_t *searched,
                       struct trn_diag *diag)
{
    const uint8_t *const bytes = fw->file.bytes + code->offset;
    const uint64_t end = code->offset + code->size;
    if (end <= *searched)
        return TRN_OK;
    size_t at = *searched > code->offset ? (size_t)(*searched - code->offset) : 0;
    *searched = end;
    struct fw_stub stub;
    while (fw_stub_scan(bytes, (size_t)code->size, code->va, &at, &stub)) {
        const trn_status status = take_stub(fw, &stub, diag);
        if (status != TRN_OK)
            return status;
    }
    return TRN_OK;
}

/* Without section headers the executable segments are searched. */
static trn_status scan_segments(struct trn_fw *fw, struct trn_diag *diag)
{
    uint64_t searched = 0;
    for (size_t i = 0; i < fw->elf.num_segments; i++) {
        struct trn_fw_segment segment;
        if (!fw_elf_segment(&fw->elf, i, &segment) || segment.type != PT_LOAD ||
            !(segment.flags & PF_X))
            continue;
        const struct trn_fw_section code = {
            .va = segment.va, .offset = segment.offset, .size = segment.file_size};
        const trn_status status = scan(fw, &code, &searched, diag);
        if (status != TRN_OK)
            return status;
    }
    return TRN_OK;
}

static trn_status find_by_code(struct trn_fw *fw, struct trn_diag *diag)
{
    if (fw->elf.num_sections == 0)
        return scan_segments(fw, diag);
    uint64_t searched = 0;
    for (size_t i = 1; i < fw->elf.num_sections; i++) {
        struct trn_fw_section section;
        if (!fw_elf_section(&fw->elf, i, &section) || section.type != SHT_PROGBITS ||
            !(section.flags & SHF_EXECINSTR))
            continue;
        const trn_status status = scan(fw, &section, &searched, diag);
        if (status != TRN_OK)
            return status;
    }
    return TRN_OK;
}

/* ---- all of them ------------------------------------------------------------------ */

static int by_getter(const void *left, const void *right)
{
    const struct trn_fw_image *const a = left, *const b = right;
    if (a->getter_va != b->getter_va)
        return a->getter_va < b->getter_va ? -1 : 1;
    return strcmp(a->symbol, b->symbol);
}

/* The same getter under two symbols (.symtab and .dynsym) is one getter. */
static void drop_duplicates(struct trn_fw *fw)
{
    size_t kept = 0;
    for (size_t i = 0; i < fw->num_images; i++)
        if (kept == 0 || by_getter(&fw->images[kept - 1], &fw->images[i]) != 0)
            fw->images[kept++] = fw->images[i];
    fw->num_images = kept;
}

trn_status fw_read_shared(struct trn_fw *fw, struct trn_diag *diag)
{
    trn_status status = find_by_symbol(fw, diag);
    if (status == TRN_OK && fw->num_images == 0)
        status = find_by_code(fw, diag);
    if (status != TRN_OK)
        return status;
    if (fw->num_images)
        qsort(fw->images, fw->num_images, sizeof *fw->images, by_getter);
    drop_duplicates(fw);
    return fw_find_embedded(fw, diag);
}
