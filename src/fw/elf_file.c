/* SPDX-License-Identifier: Apache-2.0 */
/* ELF files in memory through libelf. libelf does not say where a file contradicts itself, so
 * header tables, sections and segments are held against the file before anything uses them. */
#include "fw/elf_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "fw/bounds.h"
#include "fw/container.h"

enum { MACHINE_AT = 18, ELF32_HEADER = 52, MOST_SEGMENTS = 1024 };

enum fw_elf_kind fw_elf_kind(const uint8_t *bytes, size_t size)
{
    if (size < SELFMAG || memcmp(bytes, ELFMAG, SELFMAG) != 0)
        return FW_ELF_NONE;
    if (size < ELF32_HEADER)
        return FW_ELF_FOREIGN;
    if (bytes[EI_DATA] == ELFDATA2MSB)
        return FW_ELF_BIG_ENDIAN;
    const uint16_t machine = trn_get16(bytes + MACHINE_AT);
    if (bytes[EI_CLASS] == ELFCLASS64 && machine == EM_X86_64)
        return FW_ELF_X86_64;
    if (bytes[EI_CLASS] == ELFCLASS32 && machine == EM_XTENSA)
        return FW_ELF_XTENSA;
    return FW_ELF_FOREIGN;
}

bool fw_elf_section(const struct fw_elf *elf, size_t index, struct trn_fw_section *out)
{
    GElf_Shdr header;
    Elf_Scn *const section = elf_getscn(elf->elf, index);
    if (!section || !gelf_getshdr(section, &header))
        return false;
    const char *const name = elf_strptr(elf->elf, elf->names, header.sh_name);
    *out = (struct trn_fw_section){
        .name = name ? name : "",
        .type = header.sh_type,
        .flags = header.sh_flags,
        .va = header.sh_addr,
        .offset = header.sh_offset,
        .size = header.sh_size,
    };
    return true;
}

bool fw_elf_segment(const struct fw_elf *elf, size_t index, struct trn_fw_segment *out)
{
    GElf_Phdr header;
    if (!gelf_getphdr(elf->elf, (int)index, &header))
        return false;
    *out = (struct trn_fw_segment){
        .type = header.p_type,
        .flags = header.p_flags,
        .offset = header.p_offset,
        .va = header.p_vaddr,
        .file_size = header.p_filesz,
        .memory_size = header.p_memsz,
    };
    return true;
}

bool fw_elf_find(const struct fw_elf *elf, const char *name, struct trn_fw_section *out)
{
    for (size_t i = 1; i < elf->num_sections; i++)
        if (fw_elf_section(elf, i, out) && strcmp(out->name, name) == 0)
            return true;
    return false;
}

/* ---- opening ---------------------------------------------------------------------- */

static trn_status refused(const struct fw_elf *elf, uint64_t offset, const char *what,
                          struct trn_diag *diag)
{
    return fw_malformed(elf->path, elf->base + offset, diag, NULL, "%s: %s", what, elf_errmsg(-1));
}

static trn_status check_tables(const struct fw_elf *elf, struct trn_diag *diag)
{
    const GElf_Ehdr *const header = &elf->header;
    if (elf->num_segments > MOST_SEGMENTS)
        return fw_malformed(elf->path, elf->base, diag, "at most 1024 are read",
                            "%zu segment headers", elf->num_segments);
    if (!fw_table_inside(header->e_phoff, elf->num_segments, header->e_phentsize, elf->size))
        return fw_malformed(elf->path, elf->base, diag, NULL,
                            "%zu segment headers at 0x%" PRIx64 " run past the end of 0x%zx bytes",
                            elf->num_segments, header->e_phoff, elf->size);
    if (!fw_table_inside(header->e_shoff, elf->num_sections, header->e_shentsize, elf->size))
        return fw_malformed(elf->path, elf->base, diag, NULL,
                            "%zu section headers at 0x%" PRIx64 " run past the end of 0x%zx bytes",
                            elf->num_sections, header->e_shoff, elf->size);
    /* libelf counts no headers where the table lies outside the file. */
    if (header->e_shnum && elf->num_sections == 0)
        return fw_malformed(elf->path, elf->base, diag, NULL,
                            "%u section headers at 0x%" PRIx64 " run past the end of 0x%zx bytes",
                            header->e_shnum, header->e_shoff, elf->size);
    return TRN_OK;
}

static trn_status check_segments(const struct fw_elf *elf, struct trn_diag *diag)
{
    for (size_t i = 0; i < elf->num_segments; i++) {
        struct trn_fw_segment segment;
        if (!fw_elf_segment(elf, i, &segment))
            return refused(elf, elf->header.e_phoff, "segment headers", diag);
        if (segment.type == PT_LOAD && !fw_inside(segment.offset, segment.file_size, elf->size))
            return fw_malformed(elf->path, elf->base + segment.offset, diag, NULL,
                                "segment %zu (0x%" PRIx64 " bytes) runs past the end of 0x%zx "
                                "bytes",
                                i, segment.file_size, elf->size);
        uint64_t end;
        if (__builtin_add_overflow(segment.va, segment.memory_size, &end))
            return fw_malformed(elf->path, elf->base + elf->header.e_phoff, diag, NULL,
                                "segment %zu wraps around the end of the address space", i);
    }
    return TRN_OK;
}

/* Segments that map one address twice leave open which bytes are there. */
static trn_status check_overlap(const struct fw_elf *elf, struct trn_diag *diag)
{
    struct trn_fw_segment a, b;
    for (size_t i = 0; i < elf->num_segments; i++)
        for (size_t j = 0; j < i; j++)
            if (fw_elf_segment(elf, i, &a) && fw_elf_segment(elf, j, &b) && a.type == PT_LOAD &&
                b.type == PT_LOAD && a.va < b.va + b.memory_size && b.va < a.va + a.memory_size)
                return fw_malformed(elf->path, elf->base + elf->header.e_phoff, diag,
                                    "loaded segments do not overlap",
                                    "segments %zu and %zu both map address 0x%" PRIx64, j, i,
                                    a.va > b.va ? a.va : b.va);
    return TRN_OK;
}

static trn_status check_sections(const struct fw_elf *elf, struct trn_diag *diag)
{
    for (size_t i = 1; i < elf->num_sections; i++) {
        struct trn_fw_section section;
        if (!fw_elf_section(elf, i, &section))
            return refused(elf, elf->header.e_shoff, "section headers", diag);
        if (section.type != SHT_NOBITS && section.type != SHT_NULL &&
            !fw_inside(section.offset, section.size, elf->size))
            return fw_malformed(elf->path, elf->base + section.offset, diag, NULL,
                                "section %zu (%.64s, 0x%" PRIx64 " bytes) runs past the end of "
                                "0x%zx bytes",
                                i, section.name, section.size, elf->size);
    }
    return TRN_OK;
}

trn_status fw_elf_open(const char *path, const uint8_t *bytes, size_t size, uint64_t base,
                       struct fw_elf *out, struct trn_diag *diag)
{
    *out = (struct fw_elf){.path = path, .bytes = bytes, .size = size, .base = base};
    if (elf_version(EV_CURRENT) == EV_NONE)
        return refused(out, 0, "libelf", diag);
    /* ELF_C_READ is implied: libelf does not write to the bytes. */
    out->elf = elf_memory((char *)(uintptr_t)bytes, size);
    if (!out->elf || elf_kind(out->elf) != ELF_K_ELF || !gelf_getehdr(out->elf, &out->header))
        return refused(out, 0, "ELF header", diag);
    if (elf_getphdrnum(out->elf, &out->num_segments) != 0 ||
        elf_getshdrnum(out->elf, &out->num_sections) != 0)
        return refused(out, 0, "ELF header", diag);
    trn_status status = check_tables(out, diag);
    if (status != TRN_OK)
        return status;
    if (out->num_sections && elf_getshdrstrndx(out->elf, &out->names) != 0)
        return refused(out, 0, "section of the names", diag);
    status = check_segments(out, diag);
    if (status == TRN_OK)
        status = check_overlap(out, diag);
    return status == TRN_OK ? check_sections(out, diag) : status;
}

void fw_elf_close(struct fw_elf *elf)
{
    elf_end(elf->elf);
    *elf = (struct fw_elf){0};
}

/* ---- addresses -------------------------------------------------------------------- */

bool fw_elf_offset(const struct fw_elf *elf, uint64_t va, uint64_t size, uint64_t *offset,
                   uint32_t *flags)
{
    for (size_t i = 0; i < elf->num_segments; i++) {
        struct trn_fw_segment segment;
        if (!fw_elf_segment(elf, i, &segment) || segment.type != PT_LOAD || va < segment.va ||
            !fw_inside(va - segment.va, size, segment.file_size))
            continue;
        *offset = segment.offset + (va - segment.va);
        if (flags)
            *flags = segment.flags;
        return true;
    }
    return false;
}

/* ---- symbols ---------------------------------------------------------------------- */

/* A walk over the symbols of a file. */
struct symbol_walk {
    const struct fw_elf *elf;
    trn_fw_symbol_visit *visit;
    void *context;
    struct trn_diag *diag;
    bool is_over; /* the visitor has seen enough */
};

static trn_status symbols_of(struct symbol_walk *walk, Elf_Scn *section, const GElf_Shdr *header)
{
    const struct fw_elf *const elf = walk->elf;
    Elf_Data *const data = elf_getdata(section, NULL);
    const size_t count = data && header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
    for (size_t i = 1; i < count && !walk->is_over; i++) {
        GElf_Sym symbol;
        if (!gelf_getsym(data, (int)i, &symbol))
            return refused(elf, header->sh_offset, "symbols", walk->diag);
        const char *const name = elf_strptr(elf->elf, header->sh_link, symbol.st_name);
        if (!name)
            return fw_malformed(elf->path, elf->base + header->sh_offset, walk->diag, NULL,
                                "the name of symbol %zu (0x%x) lies outside its table", i,
                                symbol.st_name);
        const struct trn_fw_symbol entry = {
            .name = name,
            .value = symbol.st_value,
            .size = symbol.st_size,
            .type = GELF_ST_TYPE(symbol.st_info),
            .binding = GELF_ST_BIND(symbol.st_info),
            .section = symbol.st_shndx,
            .is_dynamic = header->sh_type == SHT_DYNSYM,
        };
        walk->is_over = !walk->visit(walk->context, &entry);
    }
    return TRN_OK;
}

trn_status fw_elf_symbols(const struct fw_elf *elf, trn_fw_symbol_visit *visit, void *context,
                          struct trn_diag *diag)
{
    struct symbol_walk walk = {elf, visit, context, diag, false};
    trn_status status = TRN_OK;
    for (size_t i = 1; status == TRN_OK && !walk.is_over && i < elf->num_sections; i++) {
        GElf_Shdr header;
        Elf_Scn *const section = elf_getscn(elf->elf, i);
        if (!section || !gelf_getshdr(section, &header))
            return refused(elf, elf->header.e_shoff, "section headers", diag);
        if (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM)
            continue;
        const size_t entry = gelf_fsize(elf->elf, ELF_T_SYM, 1, EV_CURRENT);
        if (header.sh_size && header.sh_entsize != entry)
            return fw_malformed(elf->path, elf->base + header.sh_offset, diag, NULL,
                                "symbols of 0x%" PRIx64 " bytes each, not 0x%zx", header.sh_entsize,
                                entry);
        status = symbols_of(&walk, section, &header);
    }
    return status;
}
