/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of a core's own file that show what its engines do (error-handling.md 12). */
#ifndef TRN_DEVICE_STATE_H
#define TRN_DEVICE_STATE_H

#include "device/regfile.h"

#define TRN_STATE_BLOCK "tpb" /* of registers.csv */

struct trn_tpb;

/* Mark the words that show something. */
void trn_state_mark(struct trn_reg_layout *layout);
/* What a marked word shows now. */
uint32_t trn_state_shown(const struct trn_tpb *tpb, uint8_t shows);
/* The same for the register at an offset of the block; false: it shows nothing. */
bool trn_state_at(const struct trn_tpb *tpb, uint32_t at, uint32_t *value);

#endif
