/* SPDX-License-Identifier: Apache-2.0 */
/* The code sections of an Xtensa object: where functions and blocks start for certain (symbols and
 * property tables), and which instructions a relocation has still to fill in (field case F43). */
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "fw/code.h"
#include "fw/elf_file.h"

enum {
    SLOT0_OP = 20, /* R_XTENSA_SLOT0_OP..SLOT14_OP of the Xtensa ABI */
    SLOT14_OP = 34,
    PROPERTY_BYTES = 12, /* address, size, flags */
    PROPERTY_INSN = 1    /* number of the flag: the range is code */
};

/* What the walks over the object share. */
struct object {
    const struct trn_fw_image *image;
    struct fw_elf elf;
    struct trn_fw_code *code;
    bool is_out_of_memory;
};

static bool is_relocatable(const struct object *object)
{
    return object->elf.header.e_type == ET_REL;
}

/* ---- sections --------------------------------------------------------------------- */

static bool take_section(struct object *object, fw_code_add *add, size_t number,
                         const struct trn_fw_section *from)
{
    struct fw_code_section *const section = add(object->code);
    if (!section)
        return false;
    section->code.core = TRN_XTENSA_VISION;
    section->code.bytes = object->image->bytes + from->offset;
    section->code.size = from->size;
    section->code.base = (uint32_t)from->va;
    section->number = number;
    snprintf(section->name, sizeof section->name, "%s", from->name);
    return true;
}

/* Pools that the compiler keeps apart are marked executable, but hold words for l32r. */
static bool is_code(const struct trn_fw_section *section)
{
    return section->type == SHT_PROGBITS && (section->flags & SHF_EXECINSTR) &&
           section->size != 0 && strncmp(section->name, ".literal", 8) != 0;
}

static bool take_sections(struct object *object, fw_code_add *add)
{
    for (size_t i = 1; i < object->elf.num_sections; i++) {
        struct trn_fw_section section;
        if (!fw_elf_section(&object->elf, i, &section) || !is_code(&section))
            continue;
        if (!take_section(object, add, i, &section))
            return false;
    }
    return true;
}

static struct fw_code_section *section_numbered(struct object *object, size_t number)
{
    for (size_t i = 0; i < object->code->count; i++)
        if (object->code->section[i].number == number)
            return &object->code->section[i];
    return NULL;
}

static struct fw_code_section *section_with(struct object *object, uint32_t address)
{
    for (size_t i = 0; i < object->code->count; i++) {
        const struct trn_xtensa_code *const code = &object->code->section[i].code;
        if (address >= code->base && address - code->base < code->size)
            return &object->code->section[i];
    }
    return NULL;
}

/* An address in the section, if there is one and the address is inside. */
static void keep(struct object *object, struct fw_code_section *section, struct fw_addresses *list,
                 uint32_t address)
{
    if (section && address >= section->code.base &&
        address - section->code.base < section->code.size && !fw_addresses_add(list, address))
        object->is_out_of_memory = true;
}

/* ---- symbols ---------------------------------------------------------------------- */

/* Values of a relocatable object count from the start of their section, whose address is 0. */
static bool take_symbol(void *context, const struct trn_fw_symbol *symbol)
{
    struct object *const object = context;
    struct fw_code_section *const section = section_numbered(object, symbol->section);
    if (section && symbol->type == STT_FUNC)
        keep(object, section, &section->labels, (uint32_t)symbol->value);
    return !object->is_out_of_memory;
}

/* ---- relocations ------------------------------------------------------------------ */

/* One relocation of the section `target`. */
typedef void take_relocation(struct object *object, size_t target, const GElf_Rela *relocation,
                             const GElf_Sym *symbol);

static Elf_Data *symbols_for(const struct object *object, const GElf_Shdr *header)
{
    Elf_Scn *const section = elf_getscn(object->elf.elf, header->sh_link);
    return section ? elf_getdata(section, NULL) : NULL;
}

static void walk_table(struct object *object, Elf_Scn *table, const GElf_Shdr *header,
                       take_relocation *take)
{
    Elf_Data *const data = elf_getdata(table, NULL);
    Elf_Data *const symbols = symbols_for(object, header);
    const size_t count = header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
    for (size_t i = 0; data && i < count && i < INT32_MAX; i++) {
        GElf_Rela relocation;
        GElf_Sym symbol = {0};
        if (!gelf_getrela(data, (int)i, &relocation))
            return;
        const size_t number = GELF_R_SYM(relocation.r_info);
        if (symbols && number < INT32_MAX)
            gelf_getsym(symbols, (int)number, &symbol);
        take(object, header->sh_info, &relocation, &symbol);
    }
}

static void walk_relocations(struct object *object, take_relocation *take)
{
    for (size_t i = 1; i < object->elf.num_sections; i++) {
        GElf_Shdr header;
        Elf_Scn *const section = elf_getscn(object->elf.elf, i);
        if (section && gelf_getshdr(section, &header) && header.sh_type == SHT_RELA)
            walk_table(object, section, &header, take);
    }
}

static void take_pending(struct object *object, size_t target, const GElf_Rela *relocation,
                         const GElf_Sym *symbol)
{
    const size_t type = GELF_R_TYPE(relocation->r_info);
    struct fw_code_section *const section = section_numbered(object, target);
    (void)symbol;
    if (section && type >= SLOT0_OP && type <= SLOT14_OP)
        keep(object, section, &section->pending, (uint32_t)relocation->r_offset);
}

/* ---- property tables -------------------------------------------------------------- */

static bool is_property_table(const struct trn_fw_section *section)
{
    return section->type == SHT_PROGBITS && strncmp(section->name, ".xt.prop", 8) == 0 &&
           section->size % PROPERTY_BYTES == 0;
}

static bool is_code_range(const uint8_t *entry)
{
    return trn_bits_get(trn_get32(entry + 8), PROPERTY_INSN, 1) && trn_get32(entry + 4) != 0;
}

/* A linked object's table holds addresses. */
static void take_linked_properties(struct object *object)
{
    for (size_t i = 1; i < object->elf.num_sections; i++) {
        struct trn_fw_section table;
        if (!fw_elf_section(&object->elf, i, &table) || !is_property_table(&table))
            continue;
        for (uint64_t at = 0; at < table.size; at += PROPERTY_BYTES) {
            const uint8_t *const entry = object->image->bytes + table.offset + at;
            const uint32_t address = trn_get32(entry);
            struct fw_code_section *const section = section_with(object, address);
            if (section && is_code_range(entry))
                keep(object, section, &section->labels, address);
        }
    }
}

/* An unlinked one's table holds offsets, and relocations that add a symbol. */
static void take_property(struct object *object, size_t target, const GElf_Rela *relocation,
                          const GElf_Sym *symbol)
{
    struct trn_fw_section table;
    if (!fw_elf_section(&object->elf, target, &table) || !is_property_table(&table) ||
        relocation->r_offset % PROPERTY_BYTES != 0 || relocation->r_offset >= table.size)
        return;
    const uint8_t *const entry = object->image->bytes + table.offset + relocation->r_offset;
    struct fw_code_section *const section = section_numbered(object, symbol->st_shndx);
    if (section && is_code_range(entry))
        keep(object, section, &section->labels,
             (uint32_t)(symbol->st_value + (uint64_t)relocation->r_addend) + trn_get32(entry));
}

/* ----------------------------------------------------------------------------------- */

static trn_status take_all(struct object *object, fw_code_add *add, struct trn_diag *diag)
{
    if (!take_sections(object, add))
        object->is_out_of_memory = true;
    const trn_status status = fw_elf_symbols(&object->elf, take_symbol, object, diag);
    if (status != TRN_OK)
        return status;
    if (is_relocatable(object)) {
        walk_relocations(object, take_pending);
        walk_relocations(object, take_property);
    } else {
        take_linked_properties(object);
    }
    return object->is_out_of_memory ? trn_diag_set(diag, TRN_ERR_NO_MEMORY, object->image->symbol,
                                                   NULL, NULL, "out of memory")
                                    : TRN_OK;
}

trn_status fw_code_open_object(const struct trn_fw_image *image, fw_code_add *add,
                               struct trn_fw_code *code, struct trn_diag *diag)
{
    struct object object = {.image = image, .code = code};
    trn_status status =
        fw_elf_open(image->symbol, image->bytes, image->size, image->offset, &object.elf, diag);
    if (status == TRN_OK)
        status = take_all(&object, add, diag);
    fw_elf_close(&object.elf);
    return status;
}
