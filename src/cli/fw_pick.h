/* SPDX-License-Identifier: Apache-2.0 */
/* The images that an action looks at: those of several files that --select means. */
#ifndef TRN_CLI_FW_PICK_H
#define TRN_CLI_FW_PICK_H

#include "cli/fw.h"

struct fw_picked {
    const struct trn_fw_image *image;
    const char *path; /* of the container */
    bool is_alone;    /* the file is no container: this image is all of it */
    char name[TRN_FW_NAME_MAX + 64];
};

struct fw_opened {
    struct trn_fw *fw;
};

struct fw_pick {
    struct fw_opened *files;
    size_t num_files;
    struct fw_picked *images;
    size_t count;
};

/* Shown when --select is not given; a file that is no container is always shown. */
typedef bool fw_pick_default(const struct trn_fw_image *image);

/* Open every file and pick; cursors are left out. On failure the message is printed and the exit
 * status returned. Free with fw_pick_close in any case. */
int fw_pick_open(const char *const *paths, size_t num_paths, const char *glob,
                 fw_pick_default *shown, struct fw_pick *out);
void fw_pick_close(struct fw_pick *pick);

/* {file, image, offset, size}. */
json_t *fw_picked_json(const struct fw_picked *picked);
/* Text of an image that may hold any bytes. */
json_t *fw_bytes_json(const uint8_t *text, size_t size);
void fw_print_text(const uint8_t *text, size_t size);

#endif
