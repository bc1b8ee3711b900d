/* SPDX-License-Identifier: Apache-2.0 */
/* CONV_LUT_LOAD 0xE4: one opcode, two instructions (docs/hardware/convlut.md 1). */
#ifndef TRN_ENGINE_CONVLUT_H
#define TRN_ENGINE_CONVLUT_H

#include "engine/exec.h"

/* Whether byte 47 of x->word selects the CPTC leg: neither INVALID nor FP32 (convlut.md 1.1). */
bool trn_convlut_is_cptc(const struct trn_exec *x);

trn_status trn_run_conv_lut_load(struct trn_exec *x);

#endif
