/* SPDX-License-Identifier: Apache-2.0 */
/* Words of the matrix engine: which function does which mode of which opcode. */
#include "engine/pe/pe.h"

#include <string.h>

#include "engine/pe/mx.h"

/* By mode: all that trn_pe_read_ldweights() and trn_pe_read_matmul() tell. */
static trn_pe_run *const loads[TRN_PE_MODES] = {
    [TRN_PE_DENSE] = trn_pe_load,
    [TRN_PE_INTEGER] = trn_pe_load,
    [TRN_PE_DOUBLE_ROW] = trn_pe_load,
    [TRN_PE_TRANSPOSE] = trn_pe_load,
    [TRN_PE_TAG_WEIGHT] = trn_pe_tag_weights,
    [TRN_PE_MX] = trn_pe_mx_load,
};

static trn_pe_run *const products[TRN_PE_MODES] = {
    [TRN_PE_DENSE] = trn_pe_multiply,        [TRN_PE_INTEGER] = trn_pe_integer,
    [TRN_PE_DOUBLE_ROW] = trn_pe_double_row, [TRN_PE_TRANSPOSE] = trn_pe_transpose,
    [TRN_PE_MX] = trn_pe_mx_multiply,        [TRN_PE_SEED] = trn_pe_move_seeds,
};

static trn_status ldweights(struct trn_exec *x)
{
    struct trn_pe_word word;
    const trn_status status = trn_pe_read_ldweights(x, &word);
    return status ? status : loads[word.mode](x, &word);
}

static trn_status matmul(struct trn_exec *x)
{
    struct trn_pe_word word;
    const trn_status status = trn_pe_read_matmul(x, &word);
    return status ? status : products[word.mode](x, &word);
}

static trn_status ldweights_mx(struct trn_exec *x)
{
    struct trn_pe_word word;
    const trn_status status = trn_pe_read_ldweights_mx(x, &word);
    return status ? status : trn_pe_mx_load(x, &word);
}

static trn_status matmul_mx(struct trn_exec *x)
{
    struct trn_pe_word word;
    const trn_status status = trn_pe_read_matmul_mx(x, &word);
    return status ? status : trn_pe_mx_multiply(x, &word);
}

const struct trn_engine_op trn_pe_ops[] = {
    {TRN_OPCODE_LDWEIGHTS, ldweights},
    {TRN_OPCODE_MATMUL, matmul},
    {TRN_OPCODE_LDTAGS, trn_pe_ldtags},
    {TRN_OPCODE_MATMUL_SPARSE, trn_pe_matmul_sparse},
    {TRN_OPCODE_LDWEIGHTS_MX, ldweights_mx},
    {TRN_OPCODE_MATMUL_MX, matmul_mx},
    {TRN_OPCODE_PE_MANAGE_SEED, trn_pe_manage_seed},
    {0, NULL},
};

void trn_pe_reset(struct trn_pe_state *pe)
{
    static const uint8_t nothing[sizeof pe->loaded]; /* TRN_PE_LOADED_NOTHING */
    if (memcmp(pe->loaded, nothing, sizeof nothing) != 0) {
        memset(pe->weights, 0, sizeof pe->weights);
        memset(pe->scale, 0, sizeof pe->scale);
        memset(pe->loaded, TRN_PE_LOADED_NOTHING, sizeof pe->loaded);
    }
    memset(pe->tag, 0, sizeof pe->tag);
    trn_pe_convlut_reset(&pe->convlut);
    memset(&pe->groups, 0, sizeof pe->groups);
    trn_pe_seeds_reset(&pe->seeds);
}
