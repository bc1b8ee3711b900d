/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of a core's file that say how its engines convert numbers: FP8 control words and EMAX
 * (docs/hardware/numerics.md 2.1), seeds and modes of stochastic rounding (6, pe-array.md 11). */
#include "device/converters.h"

#include <stdio.h>

#include "base/bytes.h"
#include "device/core.h"
#include "device/state.h"
#include "engine/state.h"

static const char *const names[TRN_ENGINES] = {"pe", "act", "pool", "dve", "sp"};

void trn_converters_open(struct trn_tpb *tpb)
{
    const struct trn_gen *gen = tpb->device->gen;
    struct trn_converters *at = &tpb->converters;
    for (int e = 0; e < TRN_ENGINES; e++) {
        char path[64];
        snprintf(path, sizeof path, TRN_STATE_BLOCK ".fp8_cfg.%s", names[e]);
        at->fp8[e] = trn_reg_find(gen, path, NULL);
        snprintf(path, sizeof path, TRN_STATE_BLOCK ".%s_sequencer.stochastic_rnd", names[e]);
        at->seed[e] = trn_reg_find(gen, path, NULL);
        snprintf(path, sizeof path, TRN_STATE_BLOCK ".%s_sequencer.stochastic_rnd_mode", names[e]);
        at->mode[e] = trn_reg_find(gen, path, NULL);
    }
    at->emax = trn_reg_find(gen, TRN_STATE_BLOCK ".dve_sequencer.emax_cfg", NULL);
    at->psum_seed =
        trn_reg_find(gen, TRN_STATE_BLOCK ".global_configuration.psum_stochastic_rounding", NULL);
    at->psum_mode = trn_reg_find(
        gen, TRN_STATE_BLOCK ".global_configuration.psum_stochastic_rounding_ctrl", NULL);
}

void trn_converters_reset(struct trn_tpb *tpb)
{
    const enum trn_fp8_option reading = tpb->device->options.fp8_e4m3;
    for (int e = 0; e < TRN_ENGINES && reading != TRN_FP8_OF_GENERATION; e++) {
        struct trn_num_mode *mode = &tpb->state->mode[e];
        mode->fp8_e4m3 = reading == TRN_FP8_ALWAYS_FN ? TRN_FP8_FN : TRN_FP8_LEGACY;
        mode->fp8_saturate = reading == TRN_FP8_ALWAYS_FN;
    }
}

static uint32_t field(const struct trn_reg_row *row, const char *name, uint32_t value)
{
    const struct trn_reg_bits *bits = trn_reg_field(row, name);
    return bits ? (uint32_t)trn_bits_get(value, bits->low, bits->bits) : 0;
}

/* The layout of the word is a model choice (numerics.md 2.1). */
static void set_fp8(struct trn_num_mode *mode, const struct trn_reg_row *row, uint32_t value)
{
    mode->fp8_e4m3 = field(row, "range_extension", value) ? TRN_FP8_FN : TRN_FP8_LEGACY;
    mode->fp8_saturate = field(row, "ocp_sat", value) || field(row, "sis", value);
    mode->fp8_nan_suppress = field(row, "sns", value) != 0;
}

static bool is_at(const struct trn_reg_row *row, uint32_t at)
{
    return row && row->offset == at;
}

static void write_engine(struct trn_tpb *tpb, int e, uint32_t at, uint32_t value)
{
    const struct trn_converters *registers = &tpb->converters;
    struct trn_stochastic *stochastic = &tpb->state->vector.stochastic[e];
    if (is_at(registers->fp8[e], at))
        set_fp8(&tpb->state->mode[e], registers->fp8[e], value);
    else if (is_at(registers->seed[e], at))
        trn_stochastic_seed(stochastic, (uint8_t)field(registers->seed[e], "dtype", value),
                            field(registers->seed[e], "seed", value));
    else if (is_at(registers->mode[e], at))
        stochastic->on = field(registers->mode[e], "mode", value) != 0;
}

void trn_converters_written(struct trn_tpb *tpb, uint32_t at, uint32_t value)
{
    const struct trn_converters *registers = &tpb->converters;
    struct trn_num_mode *dve = &tpb->state->mode[TRN_NEURON_ENGINE_DVE];
    struct trn_pe_seeds *seeds = &tpb->state->pe.seeds;
    for (int e = 0; e < TRN_ENGINES; e++)
        write_engine(tpb, e, at, value);
    if (is_at(registers->emax, at)) {
        dve->emax_e4m3 = (uint8_t)field(registers->emax, "e4m3", value);
        dve->emax_e5m2 = (uint8_t)field(registers->emax, "e5m2", value);
    } else if (is_at(registers->psum_seed, at)) {
        trn_pe_seeds_write(seeds, value);
    } else if (is_at(registers->psum_mode, at)) {
        seeds->on = trn_bits_get(value, 0, 1) != 0; /* 2 arms the seed (numerics.md 12) */
    }
}
