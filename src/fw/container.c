/* SPDX-License-Identifier: Apache-2.0 */
/* The lists of a container: images, members, texts, notes. */
#include "fw/container.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

trn_status fw_out_of_memory(struct trn_diag *diag)
{
    return trn_diag_set(diag, TRN_ERR_NO_MEMORY, NULL, NULL, NULL, "out of memory");
}

bool fw_grow(void **list, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return true;
    const size_t wanted = *room ? *room * 2 : 64;
    void *const grown = reallocarray(*list, wanted, size);
    if (!grown)
        return false;
    *list = grown;
    *room = wanted;
    return true;
}

trn_status fw_add_image(struct trn_fw *fw, const struct trn_fw_image *image, struct trn_diag *diag)
{
    if (!fw_grow((void **)&fw->images, fw->num_images, &fw->image_room, sizeof *image))
        return fw_out_of_memory(diag);
    struct trn_fw_image *const added = &fw->images[fw->num_images++];
    *added = *image;
    added->is_cursor = image->size == 0 && image->source != TRN_FW_WHOLE_FILE;
    added->is_named = trn_fw_name_parse(image->symbol, &added->name);
    return TRN_OK;
}

trn_status fw_add_member(struct trn_fw *fw, const struct trn_fw_member *member,
                         struct trn_diag *diag)
{
    if (!fw_grow((void **)&fw->members, fw->num_members, &fw->member_room, sizeof *member))
        return fw_out_of_memory(diag);
    fw->members[fw->num_members++] = *member;
    return TRN_OK;
}

static const char *keep(struct trn_fw *fw, char *text)
{
    if (text && fw_grow((void **)&fw->texts, fw->num_texts, &fw->text_room, sizeof *fw->texts)) {
        fw->texts[fw->num_texts++] = text;
        return text;
    }
    free(text);
    return NULL;
}

const char *fw_keep_text(struct trn_fw *fw, const char *text, size_t length)
{
    return keep(fw, strndup(text, length));
}

const char *fw_keep_format(struct trn_fw *fw, const char *format, ...)
{
    char *text = NULL;
    va_list args;
    va_start(args, format);
    const int length = vasprintf(&text, format, args);
    va_end(args);
    return length < 0 ? NULL : keep(fw, text);
}

trn_status fw_add_note(struct trn_fw *fw, const char *text, struct trn_diag *diag)
{
    if (!text || !fw_grow((void **)&fw->notes, fw->num_notes, &fw->note_room, sizeof *fw->notes))
        return fw_out_of_memory(diag);
    fw->notes[fw->num_notes++] = text;
    return TRN_OK;
}

trn_status fw_add_whole(struct trn_fw *fw, struct trn_diag *diag)
{
    const char *const slash = strrchr(fw->path, '/');
    const struct trn_fw_image image = {
        .symbol = slash ? slash + 1 : fw->path,
        .source = TRN_FW_WHOLE_FILE,
        .size = fw->file.size,
        .bytes = fw->file.bytes,
    };
    return fw_add_image(fw, &image, diag);
}

trn_status fw_malformed(const char *path, uint64_t offset, struct trn_diag *diag,
                        const char *expected, const char *format, ...)
{
    char where[sizeof diag->where], message[sizeof diag->message];
    snprintf(where, sizeof where, "%.150s: offset 0x%" PRIx64, path, offset);
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return trn_diag_set(diag, TRN_ERR_FORMAT, where, NULL, expected, "%s", message);
}
