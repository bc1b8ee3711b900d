/* SPDX-License-Identifier: Apache-2.0 */
/* Options of the descriptor generator that `run` and `dge build` share. */
#ifndef TRN_CLI_DGE_OPTIONS_H
#define TRN_CLI_DGE_OPTIONS_H

#include "trench/dge.h"

/* "CLASS=BYTES" of --packet-bytes. Prints and returns CLI_USAGE, or 0. */
int cli_parse_packet_bytes(const char *text, struct trn_dge_options *options);

#endif
