/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of a core's file that set how its engines convert numbers. */
#ifndef TRN_DEVICE_CONVERTERS_H
#define TRN_DEVICE_CONVERTERS_H

#include "engine/exec.h"
#include "gen/regmap.h"

struct trn_tpb;

/* Their rows; NULL where the generation has none. */
struct trn_converters {
    const struct trn_reg_row *fp8[TRN_NUM_ENGINES], *seed[TRN_NUM_ENGINES], *mode[TRN_NUM_ENGINES];
    const struct trn_reg_row *emax, *psum_seed, *psum_mode;
};

/* Find the registers. */
void trn_converters_open(struct trn_tpb *tpb);
/* The engines' state is that of a reset: do what the options of the device say on top. */
void trn_converters_reset(struct trn_tpb *tpb);
/* A register of the core's file was written. */
void trn_converters_written(struct trn_tpb *tpb, uint32_t at, uint32_t value);

#endif
