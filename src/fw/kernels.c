/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel tables of an image: docs/hardware/firmware-images.md 13.3. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "fw/bounds.h"
#include "fw/container.h"
#include "fw/elf_file.h"
#include "fw/kernels.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static const char table_name[] = "kernel_info_table";

const char *trn_fw_kernel_source_name(enum trn_fw_kernel_source source)
{
    static const char *const names[TRN_FW_KERNEL_SOURCES] = {
        [TRN_FW_KERNELS_BY_SECTION] = "section",
        [TRN_FW_KERNELS_BY_SYMBOL] = "symbol",
        [TRN_FW_KERNELS_BY_SCAN] = "scan",
        [TRN_FW_KERNELS_BY_OFFSET] = "offset",
    };
    return (size_t)source < COUNT_OF(names) ? names[source] : NULL;
}

const char *trn_fw_kernel_flaw_text(size_t bit)
{
    static const char *const texts[] = {
        "byte 0 or 1 is not zero",
        "function outside .text",
        "function does not start with entry",
        "key occurs twice, the first wins",
    };
    return bit < COUNT_OF(texts) ? texts[bit] : NULL;
}

/* ---- entries ---------------------------------------------------------------------- */

/* `entry a1,N` (xtensa-subset.md 3): 36 X1 XX. */
static bool starts_with_entry(const uint8_t *code)
{
    enum { ENTRY = 0x36, STACK_POINTER = 1, REGISTERS = 16 };
    return code[0] == ENTRY && code[1] % REGISTERS == STACK_POINTER;
}

static unsigned function_flaws(const struct fw_kernel_image *image, uint32_t va)
{
    enum { SHORTEST = 3 };
    if (!image->has_text)
        return 0;
    if (va < image->text_va || !fw_inside(va - image->text_va, SHORTEST, image->text_size))
        return TRN_FW_KERNEL_OUTSIDE;
    const uint8_t *const code = image->bytes + image->text_offset + (va - image->text_va);
    return starts_with_entry(code) ? 0 : TRN_FW_KERNEL_NO_ENTRY;
}

struct trn_fw_kernel fw_kernel_at(const struct fw_kernel_image *image, size_t offset)
{
    enum { RESERVED = 0, RESERVED2 = 1, SPEC = 2, OPCODE = 3, FUNCTION = 4 };
    const uint8_t *const entry = image->bytes + offset;
    struct trn_fw_kernel kernel = {
        .key = trn_get32(entry),
        .opcode = entry[OPCODE],
        .spec = entry[SPEC],
        .func_va = trn_get32(entry + FUNCTION),
        .offset = offset,
    };
    if (entry[RESERVED] || entry[RESERVED2])
        kernel.flaws |= TRN_FW_KERNEL_RESERVED;
    kernel.flaws |= function_flaws(image, kernel.func_va);
    return kernel;
}

/* The first entry of a key wins; the others are never reached. */
static void mark_twins(struct trn_fw_kernel_table *table)
{
    uint8_t seen[256][256 / 8] = {{0}};
    for (size_t i = 0; i < table->count; i++) {
        struct trn_fw_kernel *const kernel = &table->entries[i];
        uint8_t *const marks = &seen[kernel->opcode][kernel->spec / 8];
        const uint8_t mark = (uint8_t)(1U << kernel->spec % 8);
        if (kernel->flaws & TRN_FW_KERNEL_RESERVED)
            continue;
        if (*marks & mark)
            kernel->flaws |= TRN_FW_KERNEL_TWICE;
        *marks |= mark;
    }
}

trn_status fw_kernels_append(const struct fw_kernel_image *image, size_t offset, size_t count,
                             struct trn_fw_kernels *out, struct trn_fw_kernel_table **table)
{
    struct trn_fw_kernel_table *const more = realloc(out->tables, (out->count + 1) * sizeof *more);
    if (!more)
        return TRN_ERR_NO_MEMORY;
    out->tables = more;
    *table = &more[out->count];
    **table = (struct trn_fw_kernel_table){
        .offset = offset,
        .size = count * FW_KERNEL_BYTES,
        .has_text = image->has_text,
        .entries = calloc(count ? count : 1, sizeof *more->entries),
        .count = count,
    };
    if (!(*table)->entries)
        return TRN_ERR_NO_MEMORY;
    out->count++;
    for (size_t i = 0; i < count; i++)
        (*table)->entries[i] = fw_kernel_at(image, offset + i * FW_KERNEL_BYTES);
    mark_twins(*table);
    for (size_t i = 0; i < count; i++)
        (*table)->flaws |= (*table)->entries[i].flaws;
    fw_kernels_recognise(*table);
    return TRN_OK;
}

/* ---- where it is ------------------------------------------------------------------ */

static trn_status outside(const struct fw_kernel_image *image, uint64_t offset, uint64_t size,
                          struct trn_diag *diag)
{
    return fw_malformed(image->name, offset, diag, "8 bytes an entry, inside the image",
                        "a kernel table of 0x%" PRIx64 " bytes runs past the end of 0x%zx bytes",
                        size, image->size);
}

/* A table of `size` bytes, as a section, a symbol or the caller says. */
static trn_status read_table(const struct fw_kernel_image *image, enum trn_fw_kernel_source source,
                             uint64_t offset, uint64_t size, uint64_t va,
                             struct trn_fw_kernels *out, struct trn_diag *diag)
{
    if (!fw_inside(offset, size, image->size))
        return outside(image, offset, size, diag);
    if (size / FW_KERNEL_BYTES > TRN_FW_KERNELS_MAX)
        return trn_diag_set(diag, TRN_ERR_RANGE, image->name, NULL, "at most 65536 entries",
                            "a kernel table of 0x%" PRIx64 " bytes", size);
    struct trn_fw_kernel_table *table;
    const size_t count = (size_t)(size / FW_KERNEL_BYTES);
    if (fw_kernels_append(image, (size_t)offset, count, out, &table) != TRN_OK)
        return trn_diag_set(diag, TRN_ERR_NO_MEMORY, NULL, NULL, NULL, "out of memory");
    table->source = source;
    table->size = size;
    table->odd_size = size % FW_KERNEL_BYTES != 0;
    table->va = (uint32_t)va;
    return TRN_OK;
}

struct found_symbol {
    bool found;
    uint64_t va, size;
};

static bool is_table_symbol(void *context, const struct trn_fw_symbol *symbol)
{
    struct found_symbol *const found = context;
    if (symbol->section && symbol->size && strcmp(symbol->name, table_name) == 0)
        *found = (struct found_symbol){true, symbol->value, symbol->size};
    return !found->found;
}

/* .text by its section, else the first executable segment (a stripped object). */
static void find_text(const struct fw_elf *elf, struct fw_kernel_image *image)
{
    struct trn_fw_section section;
    if (fw_elf_find(elf, ".text", &section) && section.type != SHT_NOBITS) {
        image->has_text = true;
        image->text_va = section.va;
        image->text_offset = section.offset;
        image->text_size = section.size;
        return;
    }
    for (size_t i = 0; i < elf->num_segments; i++) {
        struct trn_fw_segment segment;
        if (!fw_elf_segment(elf, i, &segment) || segment.type != PT_LOAD || !(segment.flags & PF_X))
            continue;
        image->has_text = true;
        image->text_va = segment.va;
        image->text_offset = segment.offset;
        image->text_size = segment.file_size;
        return;
    }
}

static trn_status named_table(const struct fw_elf *elf, const struct fw_kernel_image *image,
                              struct trn_fw_kernels *out, struct trn_diag *diag)
{
    struct trn_fw_section section;
    if (fw_elf_find(elf, table_name, &section) && section.type != SHT_NOBITS)
        return read_table(image, TRN_FW_KERNELS_BY_SECTION, section.offset, section.size,
                          section.va, out, diag);
    struct found_symbol symbol = {0};
    const trn_status status = fw_elf_symbols(elf, is_table_symbol, &symbol, diag);
    if (status != TRN_OK || !symbol.found)
        return status;
    uint64_t offset;
    if (!fw_elf_offset(elf, symbol.va, symbol.size, &offset, NULL))
        return trn_diag_set(diag, TRN_ERR_FORMAT, image->name, NULL, NULL,
                            "symbol %s: no segment holds 0x%" PRIx64 " bytes at 0x%" PRIx64,
                            table_name, symbol.size, symbol.va);
    return read_table(image, TRN_FW_KERNELS_BY_SYMBOL, offset, symbol.size, symbol.va, out, diag);
}

/* Where an offset is loaded, by the segments. */
static uint32_t va_of(const struct fw_elf *elf, size_t offset)
{
    for (size_t i = 0; i < elf->num_segments; i++) {
        struct trn_fw_segment segment;
        if (fw_elf_segment(elf, i, &segment) && segment.type == PT_LOAD &&
            offset >= segment.offset && offset - segment.offset < segment.file_size)
            return (uint32_t)(segment.va + (offset - segment.offset));
    }
    return 0;
}

static trn_status find_tables(const struct fw_elf *elf, const struct fw_kernel_image *image,
                              const struct trn_fw_kernel_place *place, struct trn_fw_kernels *out,
                              struct trn_diag *diag)
{
    if (place && place->has_offset) {
        uint64_t size;
        if (__builtin_mul_overflow((uint64_t)place->count, FW_KERNEL_BYTES, &size))
            return outside(image, place->offset, UINT64_MAX, diag);
        return read_table(image, TRN_FW_KERNELS_BY_OFFSET, place->offset, size,
                          image->is_elf ? va_of(elf, place->offset) : 0, out, diag);
    }
    if (image->is_elf && !(place && place->scan_only)) {
        const trn_status status = named_table(elf, image, out, diag);
        if (status != TRN_OK || out->count)
            return status;
    }
    if (fw_kernels_scan(image, out) != TRN_OK)
        return trn_diag_set(diag, TRN_ERR_NO_MEMORY, NULL, NULL, NULL, "out of memory");
    for (size_t i = 0; image->is_elf && i < out->count; i++)
        out->tables[i].va = va_of(elf, out->tables[i].offset);
    return TRN_OK;
}

trn_status trn_fw_kernels_find(const uint8_t *bytes, size_t size, const char *name,
                               const struct trn_fw_kernel_place *place, struct trn_fw_kernels *out,
                               struct trn_diag *diag)
{
    struct fw_kernel_image image = {.bytes = bytes, .size = size, .name = name};
    struct fw_elf elf = {0};
    *out = (struct trn_fw_kernels){0};
    if (fw_elf_kind(bytes, size) == FW_ELF_XTENSA) {
        const trn_status status = fw_elf_open(name, bytes, size, 0, &elf, diag);
        if (status != TRN_OK) {
            fw_elf_close(&elf);
            return status;
        }
        image.is_elf = true;
        find_text(&elf, &image);
    }
    const trn_status status = find_tables(&elf, &image, place, out, diag);
    fw_elf_close(&elf);
    return status;
}

void trn_fw_kernels_free(struct trn_fw_kernels *kernels)
{
    for (size_t i = 0; i < kernels->count; i++)
        free(kernels->tables[i].entries);
    free(kernels->tables);
    *kernels = (struct trn_fw_kernels){0};
}
