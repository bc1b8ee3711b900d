/* SPDX-License-Identifier: Apache-2.0 */
/* A place and its addresses, as text and as JSON. */
#ifndef TRN_CLI_MAP_PRINT_H
#define TRN_CLI_MAP_PRINT_H

#include "cli/cli.h"
#include "trench/map.h"

void map_print_text(const struct trn_map_place *place);
json_t *map_to_json(const struct trn_map_place *place);

/* "0x1f" */
json_t *map_hex(uint64_t value);
/* "23:16" or "7". */
void map_bits(const struct trn_map_field *field, char out[16]);

#endif
