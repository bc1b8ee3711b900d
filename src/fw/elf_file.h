/* SPDX-License-Identifier: Apache-2.0 */
/* An ELF file in memory: libelf reads it, this checks every range against the file. */
#ifndef TRN_FW_ELF_FILE_H
#define TRN_FW_ELF_FILE_H

#include <gelf.h>

#include "trench/fw.h"

struct fw_elf {
    Elf *elf; /* NULL: no ELF file */
    const char *path;
    const uint8_t *bytes;
    size_t size;
    uint64_t base; /* offset of the bytes in the file that messages name */
    GElf_Ehdr header;
    size_t num_sections, num_segments, names; /* `names`: section of the section names */
};

/* What the first bytes say, before libelf reads on. */
enum fw_elf_kind { FW_ELF_NONE, FW_ELF_X86_64, FW_ELF_XTENSA, FW_ELF_FOREIGN, FW_ELF_BIG_ENDIAN };
enum fw_elf_kind fw_elf_kind(const uint8_t *bytes, size_t size);

/* Open and check: header tables, sections and segments lie inside the file. Close in any case. */
trn_status fw_elf_open(const char *path, const uint8_t *bytes, size_t size, uint64_t base,
                       struct fw_elf *out, struct trn_diag *diag);
void fw_elf_close(struct fw_elf *elf);

/* One section or segment by its number; false when libelf refuses it. */
bool fw_elf_section(const struct fw_elf *elf, size_t index, struct trn_fw_section *out);
bool fw_elf_segment(const struct fw_elf *elf, size_t index, struct trn_fw_segment *out);
/* Section by name, after its header was checked; false: there is none. */
bool fw_elf_find(const struct fw_elf *elf, const char *name, struct trn_fw_section *out);
trn_status fw_elf_symbols(const struct fw_elf *elf, trn_fw_symbol_visit *visit, void *context,
                          struct trn_diag *diag);

/* Offset in the file of `size` bytes at `va`, by PT_LOAD; false: no segment holds them all.
 * *flags (may be NULL) are the segment's. */
bool fw_elf_offset(const struct fw_elf *elf, uint64_t va, uint64_t size, uint64_t *offset,
                   uint32_t *flags);

#endif
