/* SPDX-License-Identifier: Apache-2.0 */
/* --env NAME=VALUE: what the host's resolvers of microcode read (docs/hardware/firmware-images.md
 * 11). The program's own environment is never read. */
#ifndef TRN_CLI_UCODE_ENV_H
#define TRN_CLI_UCODE_ENV_H

#include "trench/fw_data.h"

/* Names that a command takes: those that choose a library, or also those that choose an image. */
enum ucode_env_names { UCODE_ENV_LIBRARY = 2, UCODE_ENV_IMAGE = 3 };

/* Take one option. Prints and returns CLI_USAGE, or 0; a value that the host would not know is a
 * warning, as the host ignores it. */
int ucode_env_add(struct trn_fw_env *env, const char *option, enum ucode_env_names names);

#endif
