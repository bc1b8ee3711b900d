/* SPDX-License-Identifier: Apache-2.0 */
/* Notification records as JSON (docs/cli-contract.md, "notify decode"). */
#ifndef TRN_CLI_RECORD_JSON_H
#define TRN_CLI_RECORD_JSON_H

#include <jansson.h>

#include "trench/notify.h"

#define CLI_RECORD_TEXT_MAX (TRN_RECORD_TEXT_MAX + 32)

/* Take a record apart and say what it says; false: it is none that the sheets know, and the text
 * says why. */
bool cli_record_read(const struct trn_gen *gen, const uint8_t raw[TRN_RECORD_BYTES],
                     struct trn_record *record, char text[CLI_RECORD_TEXT_MAX]);
/* The record with everything that notify decode prints of it. */
json_t *cli_record_json(const struct trn_gen *gen, size_t index,
                        const uint8_t raw[TRN_RECORD_BYTES]);

#endif
