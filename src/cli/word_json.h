/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of instruction words as JSON (docs/cli-contract.md, "dis"). */
#ifndef TRN_CLI_WORD_JSON_H
#define TRN_CLI_WORD_JSON_H

#include <jansson.h>

#include "trench/isa.h"

/* Bytes as a string of lower-case hexadecimal digits. */
json_t *cli_hex_string(const uint8_t *bytes, size_t size);

/* Every field of the word by its sheet name; reserved ones only when they are not zero. */
json_t *cli_word_fields(const struct trn_gen *gen, const uint8_t word[TRN_INST_BYTES]);

#endif
