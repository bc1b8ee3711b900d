/* SPDX-License-Identifier: Apache-2.0 */
/* How a census of strings is printed. */
#ifndef TRN_CLI_FW_STRINGS_H
#define TRN_CLI_FW_STRINGS_H

#include "cli/fw_pick.h"
#include "trench/fw_data.h"

/* One line an image; a NULL census prints the heading. */
void fw_strings_print_row(const struct fw_picked *picked, const struct trn_fw_census *census);
/* Everything that the census holds. */
void fw_strings_print(const struct fw_picked *picked, const struct trn_fw_census *census);
json_t *fw_strings_json(const struct fw_picked *picked, const struct trn_fw_census *census);

#endif
