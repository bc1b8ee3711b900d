/* SPDX-License-Identifier: Apache-2.0 */
/* What the actions of `trench fw` share. */
#ifndef TRN_CLI_FW_H
#define TRN_CLI_FW_H

#include "cli/cli.h"
#include "trench/fw.h"

int cmd_fw(int argc, char **argv);

#endif
