/* SPDX-License-Identifier: Apache-2.0 */
/* An opened container, as the files of this room see it. */
#ifndef TRN_FW_CONTAINER_H
#define TRN_FW_CONTAINER_H

#include "fw/elf_file.h"
#include "trench/fw.h"

/* A file in memory. */
struct fw_mapping {
    const uint8_t *bytes;
    size_t size;
    bool is_mapped; /* ours to unmap */
    /* The file itself, or -1. What is read once goes through it: the first touch of each mapped
     * page costs more than to copy a page. */
    int fd;
};

/* The part of an archive that was read last: headers of members lie close to each other. */
struct fw_window {
    uint64_t start;
    size_t size;
    uint8_t bytes[4096];
};

struct trn_fw {
    char *path;
    struct fw_mapping file;
    enum trn_fw_form form;
    struct fw_elf elf; /* of an ELF file */
    struct trn_fw_image *images;
    size_t num_images, image_room;
    struct trn_fw_member *members;
    size_t num_members, member_room;
    char **texts; /* blocks of strings that the file does not hold as C strings */
    size_t num_texts, text_room;
    char *next_text; /* what is free of the last block */
    size_t text_left;
    const char **notes;
    size_t num_notes, note_room;
    struct fw_window *window;  /* while an archive is walked */
    struct fw_mapping *others; /* files that a thin archive names */
    size_t num_others, other_room;
};

/* map_file.c */
trn_status fw_map_file(const char *path, bool keep_open, struct fw_mapping *out,
                       struct trn_diag *diag);
/* `size` bytes of an image from `at` on: read into `buffer`, or where they are mapped. */
const uint8_t *fw_fetch(const struct trn_fw *fw, const struct trn_fw_image *image, uint64_t at,
                        size_t size, uint8_t *buffer);
/* The same for any bytes of the container, which lie inside it. */
const uint8_t *fw_peek(const struct trn_fw *fw, uint64_t offset, size_t size, void *buffer);
/* A few bytes through the window while there is one; good until the next call. */
const uint8_t *fw_glance(const struct trn_fw *fw, uint64_t offset, size_t size);
void fw_unmap(struct fw_mapping *mapping);

/* container.c: growing lists. Each returns TRN_ERR_NO_MEMORY when there is none. */
trn_status fw_out_of_memory(struct trn_diag *diag);
/* Room for one more of `size` bytes; false when memory is out. */
bool fw_grow(void **list, size_t count, size_t *room, size_t size);
trn_status fw_add_image(struct trn_fw *fw, const struct trn_fw_image *image, struct trn_diag *diag);
trn_status fw_add_member(struct trn_fw *fw, const struct trn_fw_member *member,
                         struct trn_diag *diag);
/* A copy of `length` characters that lives as long as the container; NULL when memory is out. */
const char *fw_keep_text(struct trn_fw *fw, const char *text, size_t length);
const char *fw_keep_format(struct trn_fw *fw, const char *format, ...) TRN_PRINTF(2, 3);
/* `text` is kept by the caller (fw_keep_format); NULL is out of memory. */
trn_status fw_add_note(struct trn_fw *fw, const char *text, struct trn_diag *diag);
/* The whole file as one image. */
trn_status fw_add_whole(struct trn_fw *fw, struct trn_diag *diag);
/* "PATH: offset 0x...": TRN_ERR_FORMAT. */
trn_status fw_malformed(const char *path, uint64_t offset, struct trn_diag *diag,
                        const char *expected, const char *format, ...) TRN_PRINTF(5, 6);

/* getters.c: images of a shared object; embedded.c: Xtensa objects between them. */
trn_status fw_read_shared(struct trn_fw *fw, struct trn_diag *diag);
trn_status fw_find_embedded(struct trn_fw *fw, struct trn_diag *diag);

/* ar.c, ar_images.c: members of an archive, and the images that they hold. */
bool fw_is_archive(const uint8_t *bytes, size_t size, bool *is_thin);
trn_status fw_read_archive(struct trn_fw *fw, struct trn_diag *diag);
trn_status fw_read_member(struct trn_fw *fw, const struct trn_fw_member *member,
                          struct trn_diag *diag);
/* The one image of a relocatable object: its .rodata behind a getter, else the object itself. */
trn_status fw_read_object(struct trn_fw *fw, const struct fw_elf *elf, struct trn_fw_image *image,
                          struct trn_diag *diag);

#endif
