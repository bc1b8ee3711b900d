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

/* Room for a text that lives as long as the container: many texts share a block. */
static char *room_for_text(struct trn_fw *fw, size_t size)
{
    enum { BLOCK = 16384 };
    if (size > fw->text_left) {
        const size_t wanted = size > BLOCK ? size : BLOCK;
        char *const block = malloc(wanted);
        if (!block ||
            !fw_grow((void **)&fw->texts, fw->num_texts, &fw->text_room, sizeof *fw->texts)) {
            free(block);
            return NULL;
        }
        fw->texts[fw->num_texts++] = block;
        fw->next_text = block;
        fw->text_left = wanted;
    }
    char *const room = fw->next_text;
    fw->next_text += size;
    fw->text_left -= size;
    return room;
}

const char *fw_keep_text(struct trn_fw *fw, const char *text, size_t length)
{
    const size_t kept = strnlen(text, length);
    char *const room = room_for_text(fw, kept + 1);
    if (!room)
        return NULL;
    memcpy(room, text, kept);
    room[kept] = '\0';
    return room;
}

const char *fw_keep_format(struct trn_fw *fw, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const int length = vsnprintf(NULL, 0, format, args);
    char *const room = length < 0 ? NULL : room_for_text(fw, (size_t)length + 1);
    if (room)
        vsnprintf(room, (size_t)length + 1, format, again);
    va_end(again);
    va_end(args);
    return room;
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
