/* SPDX-License-Identifier: Apache-2.0 */
/* Sections, segments, symbols and members of `trench fw ls`: what readelf, nm and ar list. */
#include <elf.h>
#include <inttypes.h>

#include "cli/fw_ls.h"

/* ---- text ------------------------------------------------------------------------- */

static bool print_section(void *context, const struct trn_fw_section *section)
{
    size_t *const number = context;
    char name[32];
    snprintf(name, sizeof name, "%.28s", section->name);
    printf("  section %3zu %-28s type 0x%-8x va 0x%-10" PRIx64 " 0x%-8" PRIx64 " 0x%" PRIx64 "\n",
           (*number)++, fw_plain(name), section->type, section->va, section->offset, section->size);
    return true;
}

static bool print_segment(void *context, const struct trn_fw_segment *segment)
{
    size_t *const number = context;
    printf("  segment %3zu type 0x%-8x %c%c%c va 0x%-10" PRIx64 " 0x%-8" PRIx64 " 0x%-8" PRIx64
           " 0x%" PRIx64 "\n",
           (*number)++, segment->type, segment->flags & PF_R ? 'r' : '-',
           segment->flags & PF_W ? 'w' : '-', segment->flags & PF_X ? 'x' : '-', segment->va,
           segment->offset, segment->file_size, segment->memory_size);
    return true;
}

static bool print_symbol(void *context, const struct trn_fw_symbol *symbol)
{
    (void)context;
    printf("  symbol 0x%-12" PRIx64 " 0x%-8" PRIx64 " %u/%u %5u %s", symbol->value, symbol->size,
           symbol->binding, symbol->type, symbol->section, symbol->is_dynamic ? "(dynamic) " : "");
    fw_put_plain(symbol->name);
    putchar('\n');
    return true;
}

static void print_member(const struct trn_fw_member *member)
{
    printf("  member 0x%-10" PRIx64 " 0x%-8" PRIx64 " ", member->offset, member->size);
    fw_put_plain(member->name);
    putchar('\n');
}

static trn_status print_one(const struct trn_fw *fw, size_t index, const struct fw_ls *ls,
                            struct trn_diag *diag)
{
    size_t sections = 0, segments = 0;
    trn_status status = TRN_OK;
    if (ls->sections)
        status = trn_fw_sections(fw, index, print_section, &sections, diag);
    if (ls->segments && status == TRN_OK)
        status = trn_fw_segments(fw, index, print_segment, &segments, diag);
    if (ls->symbols && status == TRN_OK)
        status = trn_fw_symbols(fw, index, print_symbol, NULL, diag);
    return status;
}

trn_status fw_ls_print_headers(const struct trn_fw *fw, const struct fw_ls *ls,
                               struct trn_diag *diag)
{
    trn_status status = print_one(fw, TRN_FW_WHOLE, ls, diag);
    const struct trn_fw_member *member;
    for (size_t i = 0; status == TRN_OK && (member = trn_fw_member(fw, i)) != NULL; i++) {
        if (ls->members || ls->sections || ls->symbols)
            print_member(member);
        status = print_one(fw, i, ls, diag);
    }
    return status;
}

/* ---- JSON ------------------------------------------------------------------------- */

static bool append_section(void *context, const struct trn_fw_section *section)
{
    json_array_append_new(
        context, json_pack("{s:s? s:I s:I s:I s:I s:I}", "name", section->name, "type",
                           (json_int_t)section->type, "flags", (json_int_t)section->flags, "va",
                           (json_int_t)section->va, "offset", (json_int_t)section->offset, "size",
                           (json_int_t)section->size));
    return true;
}

static bool append_segment(void *context, const struct trn_fw_segment *segment)
{
    json_array_append_new(
        context, json_pack("{s:I s:I s:I s:I s:I s:I}", "type", (json_int_t)segment->type, "flags",
                           (json_int_t)segment->flags, "va", (json_int_t)segment->va, "offset",
                           (json_int_t)segment->offset, "file_size", (json_int_t)segment->file_size,
                           "memory_size", (json_int_t)segment->memory_size));
    return true;
}

static bool append_symbol(void *context, const struct trn_fw_symbol *symbol)
{
    json_array_append_new(context, json_pack("{s:s? s:I s:I s:i s:i s:i s:b}", "name", symbol->name,
                                             "value", (json_int_t)symbol->value, "size",
                                             (json_int_t)symbol->size, "type", (int)symbol->type,
                                             "binding", (int)symbol->binding, "section",
                                             (int)symbol->section, "dynamic", symbol->is_dynamic));
    return true;
}

static trn_status one_json(const struct trn_fw *fw, size_t index, const struct fw_ls *ls,
                           json_t *object, struct trn_diag *diag)
{
    trn_status status = TRN_OK;
    if (ls->sections) {
        json_t *const list = json_array();
        status = trn_fw_sections(fw, index, append_section, list, diag);
        json_object_set_new(object, "sections", list);
    }
    if (ls->segments && status == TRN_OK) {
        json_t *const list = json_array();
        status = trn_fw_segments(fw, index, append_segment, list, diag);
        json_object_set_new(object, "segments", list);
    }
    if (ls->symbols && status == TRN_OK) {
        json_t *const list = json_array();
        status = trn_fw_symbols(fw, index, append_symbol, list, diag);
        json_object_set_new(object, "symbols", list);
    }
    return status;
}

trn_status fw_ls_headers_json(const struct trn_fw *fw, const struct fw_ls *ls, json_t *file,
                              struct trn_diag *diag)
{
    trn_status status = one_json(fw, TRN_FW_WHOLE, ls, file, diag);
    json_t *const members = json_array();
    const struct trn_fw_member *member;
    for (size_t i = 0; status == TRN_OK && (member = trn_fw_member(fw, i)) != NULL; i++) {
        json_t *const object = json_pack(
            "{s:s s:I s:I s:I}", "name", member->name, "header", (json_int_t)member->header_offset,
            "offset", (json_int_t)member->offset, "size", (json_int_t)member->size);
        json_array_append_new(members, object);
        status = one_json(fw, i, ls, object, diag);
    }
    json_object_set_new(file, "member_list", members);
    return status;
}
