/* SPDX-License-Identifier: Apache-2.0 */
/* What `fw boot`, `fw dispatch` and `fw dis` share: their files, images and how code is read. */
#ifndef TRN_CLI_FW_CODE_H
#define TRN_CLI_FW_CODE_H

#include "cli/fw.h"
#include "trench/fw_code.h"

enum { FW_LABELS_MAX = 256, FW_NAME_COLUMN = 38 };

struct fw_code_options {
    const char *glob;
    bool json, has_base;
    int core; /* -1: as the container says */
    uint32_t base;
    uint32_t label[FW_LABELS_MAX];
    size_t num_labels;
    const char **paths;
    size_t num_paths;
};

extern const struct argp fw_code_argp; /* a child: its input is a struct fw_code_options */

/* A number of 32 bits as an option's argument; leaves the program after a message if it is none. */
uint32_t fw_code_number(const char *option, const char *text);

/* One image after the other; stops at a status that is CLI_USAGE. Returns the worst status. */
typedef int fw_code_visit(void *context, struct trn_fw *fw, const struct trn_fw_image *image);
int fw_code_each(const struct fw_code_options *options, fw_code_visit *visit, void *context);

/* Name of an image in at most FW_NAME_COLUMN characters where it follows the grammar: DKL for
 * DYNAMIC_KERNEL_LOAD. */
void fw_code_name(const struct trn_fw_image *image, char *out, size_t room);

/* Is there code in the image? Flat bytes that nothing else explains count as code. */
bool fw_code_holds_code(const struct trn_fw_image *image);

/* The code of an image, read as the options say. NULL after a message. Warns on standard error of
 * code that is not relocated. */
struct trn_fw_code *fw_code_open(const struct trn_fw_image *image);
/* How many instructions of an image wait for a relocation (field case F43); 0 for what is no
 * object. */
size_t fw_code_pending(const struct trn_fw_image *image);
/* The same, with a warning on standard error when there are any. */
size_t fw_code_warn(const struct trn_fw_image *image);
/* Section by number as the options want it read; false past the end. `labels` is room for them. */
bool fw_code_section(const struct trn_fw_code *code, size_t index,
                     const struct fw_code_options *options, struct trn_xtensa_code *out,
                     const char **name);

/* The data image that belongs to a code image: same name, region DRAM; NULL: none. */
const struct trn_fw_image *fw_code_data_of(const struct trn_fw *fw,
                                           const struct trn_fw_image *image);

/* {image, symbol, gen, core, engine, flavor, region, offset, size} */
json_t *fw_code_image_json(const struct trn_fw_image *image);

#endif
