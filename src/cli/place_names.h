/* SPDX-License-Identifier: Apache-2.0 */
/* Names of places as people type them: which block is meant, and what they may have meant. */
#ifndef TRN_CLI_PLACE_NAMES_H
#define TRN_CLI_PLACE_NAMES_H

#include "cli/cli.h"
#include "trench/map.h"

/* The block that a name starts with, its longest start up to a dot: of the core that is meant
 * first, then as it is written. *rest: what follows the dot, or the empty end. */
bool place_block(const struct trn_gen *gen, const char *name, unsigned core,
                 struct trn_map_block *block, const char **rest);

/* Prints that nothing has that name, with the nearest name there is; CLI_DOES_NOT_HOLD. */
int place_unknown(const struct trn_gen *gen, const char *name, unsigned core);

#endif
