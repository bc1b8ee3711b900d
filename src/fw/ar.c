/* SPDX-License-Identifier: Apache-2.0 */
/* Members of an ar archive (docs/hardware/firmware-images.md 5): regular and thin, GNU and BSD
 * names. Headers are read here and not by libelf: it knows neither thin archives nor BSD names, and
 * takes a member that runs past the end of its file for a shorter one. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fw/bounds.h"
#include "fw/container.h"

enum {
    MAGIC_BYTES = 8,
    HEADER_BYTES = 60,
    NAME_BYTES = 16,
    SIZE_AT = 48,
    SIZE_BYTES = 10,
    END_AT = 58,
};

static const char regular[] = "!<arch>\n", thin[] = "!<thin>\n";

bool fw_is_archive(const uint8_t *bytes, size_t size, bool *is_thin)
{
    if (size < MAGIC_BYTES)
        return false;
    *is_thin = memcmp(bytes, thin, MAGIC_BYTES) == 0;
    return *is_thin || memcmp(bytes, regular, MAGIC_BYTES) == 0;
}

/* One header: its name field, size field and where its bytes lie. */
struct entry {
    char field[NAME_BYTES];
    uint64_t header, offset, size;
};

/* What the archive has told so far. */
struct walk {
    struct trn_fw *fw;
    bool is_thin;
    const char *names; /* the table of long names */
    uint64_t num_names;
    uint64_t at;
    struct trn_diag *diag;
};

static trn_status malformed(const struct walk *walk, uint64_t offset, const char *expected,
                            const char *what)
{
    return fw_malformed(walk->fw->path, offset, walk->diag, expected, "archive member: %s", what);
}

/* Decimal digits, then blanks; at least one digit. */
static bool decimal(const char *field, size_t length, uint64_t *value)
{
    size_t i = 0;
    *value = 0;
    for (; i < length && field[i] >= '0' && field[i] <= '9'; i++)
        if (__builtin_mul_overflow(*value, UINT64_C(10), value) ||
            __builtin_add_overflow(*value, (uint64_t)(field[i] - '0'), value))
            return false;
    const bool any = i > 0;
    while (i < length && field[i] == ' ')
        i++;
    return any && i == length;
}

static bool is_field(const char *field, const char *text)
{
    const size_t length = strlen(text);
    if (memcmp(field, text, length) != 0)
        return false;
    for (size_t i = length; i < NAME_BYTES; i++)
        if (field[i] != ' ')
            return false;
    return true;
}

/* The tables of symbols and names; in a thin archive their bytes alone lie in the archive. */
static bool is_table(const struct entry *entry)
{
    static const char *const tables[] = {"/", "//", "/SYM64/", "ARFILENAMES/"};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        if (is_field(entry->field, tables[i]))
            return true;
    return false;
}

static bool is_names(const struct entry *entry)
{
    return is_field(entry->field, "//") || is_field(entry->field, "ARFILENAMES/");
}

static trn_status read_header(const struct walk *walk, struct entry *entry)
{
    const uint64_t size = walk->fw->file.size;
    if (!fw_inside(walk->at, HEADER_BYTES, size))
        return malformed(walk, walk->at, "a header has 60 bytes", "its header is cut off");
    const char *const header = (const char *)fw_glance(walk->fw, walk->at, HEADER_BYTES);
    if (memcmp(header + END_AT, "`\n", 2) != 0)
        return malformed(walk, walk->at, "bytes 58 and 59 are 60 0a", "its header does not end so");
    *entry = (struct entry){.header = walk->at, .offset = walk->at + HEADER_BYTES};
    memcpy(entry->field, header, NAME_BYTES);
    if (!decimal(header + SIZE_AT, SIZE_BYTES, &entry->size))
        return malformed(walk, walk->at + SIZE_AT, "decimal digits, then blanks",
                         "its size is no number");
    const bool is_outside = walk->is_thin && !is_table(entry);
    if (!is_outside && !fw_inside(entry->offset, entry->size, size))
        return fw_malformed(walk->fw->path, entry->header, walk->diag, NULL,
                            "archive member: its 0x%" PRIx64 " bytes run past the end of the file",
                            entry->size);
    return TRN_OK;
}

/* ---- names ------------------------------------------------------------------------ */

/* GNU "/N": a name of the table, ended by "/\n" (a path of a thin archive may hold '/'), or by a
 * newline or a NUL as other tools write it. */
static trn_status long_name(const struct walk *walk, const struct entry *entry, const char **name)
{
    char digits[NAME_BYTES];
    memset(digits, ' ', sizeof digits);
    /* "/N:M": the member M of the archive N, which a thin archive names */
    for (size_t i = 1; i < NAME_BYTES && entry->field[i] != ':'; i++)
        digits[i - 1] = entry->field[i];
    uint64_t at;
    if (!decimal(digits, sizeof digits, &at))
        return malformed(walk, entry->header, "'/' and a decimal offset", "its name is no name");
    if (at >= walk->num_names)
        return malformed(walk, entry->header, "a '//' member comes first and holds the name",
                         "its name lies outside the table of names");
    const char *const start = walk->names + at;
    const size_t room = (size_t)(walk->num_names - at);
    size_t length = 0;
    while (length < room && start[length] != '\n' && start[length] != '\0')
        length++;
    if (length && start[length - 1] == '/')
        length--;
    *name = fw_keep_text(walk->fw, start, length);
    return *name ? TRN_OK : fw_out_of_memory(walk->diag);
}

/* BSD "#1/N": the first N bytes of the member are its name. */
static trn_status bsd_name(const struct walk *walk, struct entry *entry, const char **name)
{
    enum { PREFIX = 3 };
    uint64_t length;
    if (!decimal(entry->field + PREFIX, NAME_BYTES - PREFIX, &length) || length > entry->size)
        return malformed(walk, entry->header, "'#1/' and a length inside the member",
                         "its name is longer than itself");
    const char *const start = (const char *)walk->fw->file.bytes + entry->offset;
    *name = fw_keep_text(walk->fw, start, (size_t)length);
    entry->offset += length;
    entry->size -= length;
    return *name ? TRN_OK : fw_out_of_memory(walk->diag);
}

/* A name in the header: up to its last '/', or without the blanks behind it. */
static trn_status short_name(const struct walk *walk, const struct entry *entry, const char **name)
{
    size_t length = NAME_BYTES;
    const char *const slash = memrchr(entry->field, '/', NAME_BYTES);
    if (slash && slash != entry->field)
        length = (size_t)(slash - entry->field);
    while (length && entry->field[length - 1] == ' ')
        length--;
    *name = fw_keep_text(walk->fw, entry->field, length);
    return *name ? TRN_OK : fw_out_of_memory(walk->diag);
}

static trn_status read_name(const struct walk *walk, struct entry *entry, const char **name)
{
    if (entry->field[0] == '/' && entry->field[1] >= '0' && entry->field[1] <= '9')
        return long_name(walk, entry, name);
    if (memcmp(entry->field, "#1/", 3) == 0 && !walk->is_thin)
        return bsd_name(walk, entry, name);
    return short_name(walk, entry, name);
}

/* ---- members ---------------------------------------------------------------------- */

/* A thin archive's member is a file beside the archive. */
static trn_status map_member(const struct walk *walk, struct trn_fw_member *member)
{
    struct trn_fw *const fw = walk->fw;
    const char *const slash = strrchr(fw->path, '/');
    const int directory = slash && *member->name != '/' ? (int)(slash - fw->path) + 1 : 0;
    const char *const path = fw_keep_format(fw, "%.*s%s", directory, fw->path, member->name);
    if (!path)
        return fw_out_of_memory(walk->diag);
    struct fw_mapping mapping;
    struct trn_diag why = {0};
    if (fw_map_file(path, false, &mapping, &why) != TRN_OK)
        return fw_add_note(fw, fw_keep_format(fw, "member %s: %s", member->name, why.message),
                           walk->diag);
    if (!fw_grow((void **)&fw->others, fw->num_others, &fw->other_room, sizeof *fw->others)) {
        fw_unmap(&mapping);
        return fw_out_of_memory(walk->diag);
    }
    fw->others[fw->num_others++] = mapping;
    member->file = path;
    member->bytes = mapping.bytes;
    if (mapping.size == member->size)
        return TRN_OK;
    const uint64_t recorded = member->size;
    member->size = mapping.size;
    return fw_add_note(fw,
                       fw_keep_format(fw,
                                      "member %s: its file has 0x%zx bytes, the archive says "
                                      "0x%" PRIx64,
                                      member->name, mapping.size, recorded),
                       walk->diag);
}

static trn_status take_member(struct walk *walk, struct entry *entry)
{
    struct trn_fw_member member = {.header_offset = entry->header};
    trn_status status = read_name(walk, entry, &member.name);
    if (status != TRN_OK || !member.name ||
        strncmp(member.name, "__.SYMDEF", strlen("__.SYMDEF")) == 0)
        return status;
    member.size = entry->size;
    if (walk->is_thin) {
        status = map_member(walk, &member);
    } else {
        member.offset = entry->offset;
        member.bytes = walk->fw->file.bytes + entry->offset;
    }
    if (status == TRN_OK)
        status = fw_add_member(walk->fw, &member, walk->diag);
    return status == TRN_OK && member.bytes ? fw_read_member(walk->fw, &member, walk->diag)
                                            : status;
}

static trn_status step(struct walk *walk)
{
    struct entry entry = {0};
    trn_status status = read_header(walk, &entry);
    if (status != TRN_OK)
        return status;
    const bool is_outside = walk->is_thin && !is_table(&entry);
    const uint64_t end = entry.offset + (is_outside ? 0 : entry.size);
    if (is_names(&entry)) {
        walk->names = (const char *)walk->fw->file.bytes + entry.offset;
        walk->num_names = entry.size;
    } else if (!is_table(&entry)) {
        status = take_member(walk, &entry);
    }
    walk->at = end + end % 2; /* members start at even offsets */
    return status;
}

trn_status fw_read_archive(struct trn_fw *fw, struct trn_diag *diag)
{
    struct walk walk = {.fw = fw, .at = MAGIC_BYTES, .diag = diag};
    fw_is_archive(fw->file.bytes, fw->file.size, &walk.is_thin);
    struct fw_window window = {.size = 0};
    fw->window = &window;
    trn_status status = TRN_OK;
    while (status == TRN_OK && walk.at < fw->file.size)
        status = step(&walk);
    fw->window = NULL;
    return status;
}
