/* SPDX-License-Identifier: Apache-2.0 */
/* One run of `trench fw dispatch`. */
#ifndef TRN_CLI_FW_DISPATCH_H
#define TRN_CLI_FW_DISPATCH_H

#include "cli/fw_code.h"

struct fw_dispatch {
    struct fw_code_options code;
    const char *data_path;
    struct trn_fw *data;
    bool detailed;
    size_t shown;
    json_t *images; /* NULL: text */
};

/* fw_dispatch_print.c */
void fw_dispatch_print(const struct fw_dispatch *dispatch, const struct trn_fw_image *image,
                       const char *section, const struct trn_fw_dispatch_report *report);
void fw_dispatch_json(const struct fw_dispatch *dispatch, const struct trn_fw_image *image,
                      const char *section, const struct trn_fw_dispatch_report *report);

#endif
