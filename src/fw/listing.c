/* SPDX-License-Identifier: Apache-2.0 */
/* Sections, segments, symbols and loader-filled pointers of a container or of one of its members.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "fw/container.h"

/* The ELF file that is meant: *opened is closed by `leave`. False: it is none. */
static bool enter(const struct trn_fw *fw, size_t index, struct fw_elf *opened, trn_status *status,
                  struct trn_diag *diag)
{
    *opened = (struct fw_elf){0};
    *status = TRN_OK;
    if (index == TRN_FW_WHOLE) {
        *opened = fw->elf;
        return fw->elf.elf != NULL;
    }
    const struct trn_fw_member *const member = trn_fw_member(fw, index);
    if (!member || !member->bytes ||
        fw_elf_kind(member->bytes, (size_t)member->size) == FW_ELF_NONE)
        return false;
    *status = fw_elf_open(member->file ? member->file : fw->path, member->bytes,
                          (size_t)member->size, member->offset, opened, diag);
    return *status == TRN_OK;
}

static void leave(size_t index, struct fw_elf *opened)
{
    if (index != TRN_FW_WHOLE)
        fw_elf_close(opened);
}

trn_status trn_fw_sections(const struct trn_fw *fw, size_t member, trn_fw_section_visit *visit,
                           void *context, struct trn_diag *diag)
{
    struct fw_elf elf;
    trn_status status;
    struct trn_fw_section section;
    if (enter(fw, member, &elf, &status, diag))
        for (size_t i = 0; i < elf.num_sections && fw_elf_section(&elf, i, &section); i++)
            if (!visit(context, &section))
                break;
    leave(member, &elf);
    return status;
}

trn_status trn_fw_segments(const struct trn_fw *fw, size_t member, trn_fw_segment_visit *visit,
                           void *context, struct trn_diag *diag)
{
    struct fw_elf elf;
    trn_status status;
    struct trn_fw_segment segment;
    if (enter(fw, member, &elf, &status, diag))
        for (size_t i = 0; i < elf.num_segments && fw_elf_segment(&elf, i, &segment); i++)
            if (!visit(context, &segment))
                break;
    leave(member, &elf);
    return status;
}

trn_status trn_fw_symbols(const struct trn_fw *fw, size_t member, trn_fw_symbol_visit *visit,
                          void *context, struct trn_diag *diag)
{
    struct fw_elf elf;
    trn_status status;
    if (enter(fw, member, &elf, &status, diag))
        status = fw_elf_symbols(&elf, visit, context, diag);
    leave(member, &elf);
    return status;
}

/* ---- pointers --------------------------------------------------------------------- */

/* Value of symbol `index` of the section that relocations refer to; false: it has none here. */
static bool symbol_value(Elf *elf, size_t symbols, size_t index, uint64_t *value)
{
    Elf_Scn *const section = elf_getscn(elf, symbols);
    Elf_Data *const data = section ? elf_getdata(section, NULL) : NULL;
    GElf_Sym symbol;
    if (!data || index > INT32_MAX || !gelf_getsym(data, (int)index, &symbol) ||
        symbol.st_shndx == SHN_UNDEF)
        return false;
    *value = symbol.st_value;
    return true;
}

static bool pointers_of(Elf *elf, Elf_Scn *section, const GElf_Shdr *header,
                        trn_fw_pointer_visit *visit, void *context)
{
    Elf_Data *const data = elf_getdata(section, NULL);
    const size_t count = data && header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
    for (size_t i = 0; i < count; i++) {
        GElf_Rela entry;
        if (!gelf_getrela(data, (int)i, &entry))
            return true;
        uint64_t value = 0;
        const uint64_t type = GELF_R_TYPE(entry.r_info);
        if (type == R_X86_64_64) {
            if (!symbol_value(elf, header->sh_link, GELF_R_SYM(entry.r_info), &value))
                continue;
        } else if (type != R_X86_64_RELATIVE) {
            continue;
        }
        if (!visit(context, entry.r_offset, value + (uint64_t)entry.r_addend))
            return false;
    }
    return true;
}

trn_status trn_fw_pointers(const struct trn_fw *fw, trn_fw_pointer_visit *visit, void *context,
                           struct trn_diag *diag)
{
    const struct fw_elf *const elf = &fw->elf;
    if (fw->form != TRN_FW_SHARED)
        return trn_diag_set(diag, TRN_ERR_UNSUPPORTED, fw->path, NULL, NULL,
                            "only a shared object has pointers that a loader fills in");
    for (size_t i = 1; i < elf->num_sections; i++) {
        GElf_Shdr header;
        Elf_Scn *const section = elf_getscn(elf->elf, i);
        if (section && gelf_getshdr(section, &header) && header.sh_type == SHT_RELA &&
            !pointers_of(elf->elf, section, &header, visit, context))
            break;
    }
    return TRN_OK;
}

/* ---- what it is, in one line ------------------------------------------------------ */

static const char *type_name(unsigned type)
{
    static const char *const names[] = {[ET_NONE] = "file",
                                        [ET_REL] = "relocatable object",
                                        [ET_EXEC] = "program",
                                        [ET_DYN] = "shared object",
                                        [ET_CORE] = "core dump"};
    return type < sizeof names / sizeof names[0] ? names[type] : "file of an unknown type";
}

static void machine_name(unsigned machine, char out[32])
{
    const char *const name = machine == EM_X86_64    ? "x86-64"
                             : machine == EM_XTENSA  ? "Xtensa"
                             : machine == EM_386     ? "i386"
                             : machine == EM_AARCH64 ? "AArch64"
                             : machine == EM_ARM     ? "ARM"
                             : machine == EM_RISCV   ? "RISC-V"
                                                     : NULL;
    if (name)
        snprintf(out, 32, "%s", name);
    else
        snprintf(out, 32, "machine %u", machine);
}

static void describe_elf(const struct fw_elf *elf, char *text, size_t room)
{
    char machine[32];
    struct trn_fw_section symbols;
    machine_name(elf->header.e_machine, machine);
    snprintf(text, room, "ELF%s %s %s, %s",
             elf->header.e_ident[EI_CLASS] == ELFCLASS64 ? "64" : "32", machine,
             type_name(elf->header.e_type),
             fw_elf_find(elf, ".symtab", &symbols) ? "not stripped" : "stripped");
}

void trn_fw_describe(const struct trn_fw *fw, char *text, size_t room)
{
    if (fw->elf.elf)
        describe_elf(&fw->elf, text, room);
    else if (fw->form == TRN_FW_FLAT)
        snprintf(text, room, "flat image: %s",
                 trn_fw_kind_name(trn_fw_kind_of(fw->file.bytes, fw->file.size)));
    else
        snprintf(text, room, "%s of %zu members", trn_fw_form_name(fw->form), fw->num_members);
}
