/* SPDX-License-Identifier: Apache-2.0 */
/* trench cptc decode: blocks of codes to an array. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cptc.h"
#include "trench/num.h"

enum { OPT_OUT_DTYPE = 256 };

static const struct argp_option argp_options[] = {
    CPTC_ARGP_OPTIONS,
    {"out-dtype", OPT_OUT_DTYPE, "DTYPE", 0,
     "fp32 (default), fp16, bf16, int8 or uint8; bf16 travels as u2", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct cptc_options *const options = state->input;
    if (key == OPT_OUT_DTYPE) {
        options->out_dtype = arg;
        return 0;
    }
    return cptc_take(key, arg, options) < 0 ? ARGP_ERR_UNKNOWN : 0;
}

static const struct argp argp = {
    argp_options,
    parse,
    "IN.npy -o OUT.npy",
    "Decode CPTC blocks (docs/cptc.md), an array of u4 as encode writes it, whose rows are whole "
    "numbers of blocks.",
    NULL,
    NULL,
    NULL};

/* Types that the decoder stores (cptc.md 7.3), and how NumPy carries them. */
static const struct {
    uint8_t dtype;
    enum trn_npy_type type;
} stores[] = {{TRN_DTYPE_FP32, TRN_NPY_F4},
              {TRN_DTYPE_FP16, TRN_NPY_F2},
              {TRN_DTYPE_BFLOAT16, TRN_NPY_U2},
              {TRN_DTYPE_INT8, TRN_NPY_I1},
              {TRN_DTYPE_UINT8, TRN_NPY_U1}};

static int store_of(const char *name)
{
    const int dtype = trn_dtype_find(name);
    for (size_t i = 0; i < sizeof stores / sizeof stores[0]; i++)
        if (dtype == stores[i].dtype)
            return (int)i;
    cli_usage_error("--out-dtype: '%s' is none of fp32, fp16, bf16, int8 and uint8 (rule "
                    "cptc_out_dtype)",
                    name);
    return -1;
}

static void report(const struct cptc_options *options, uint64_t blocks, uint64_t elements,
                   uint8_t dtype)
{
    if (options->json) {
        json_t *const json = cptc_json("trench.cptc.decode/1", options, blocks);
        json_object_set_new(json, "elements", json_integer((json_int_t)elements));
        json_object_set_new(json, "out_dtype", json_string(trn_dtype_name(dtype)));
        cli_print_json(json);
        return;
    }
    printf("%" PRIu64 " elements from %" PRIu64 " blocks of %u, %u bits each, as %s\n", elements,
           blocks, options->format.block_size, options->format.bits, trn_dtype_name(dtype));
}

static trn_status decode(const struct cptc_options *options, const struct trn_npy *in, int store,
                         struct trn_diag *diag)
{
    const struct trn_cptc_format *const format = &options->format;
    const uint64_t blocks = in->size_bytes / trn_cptc_block_bytes(format);
    const uint64_t elements = blocks * format->block_size;
    const uint8_t dtype = stores[store].dtype;
    float *const values = malloc(elements * sizeof *values + 1);
    uint8_t *const stored = malloc(elements * trn_dtype_size(dtype) + 1);
    struct trn_num_mode mode;
    uint64_t shape[TRN_NPY_MAX_DIMS];
    trn_status status = TRN_ERR_NO_MEMORY;
    if (values && stored)
        status = trn_cptc_decode(format, in->data, (size_t)blocks, values, diag);
    else
        trn_diag_set(diag, status, options->in, NULL, NULL, "out of memory");
    if (status == TRN_OK) {
        trn_num_mode_default(trn_gen_at(0), &mode);
        (void)trn_from_fp32_array(dtype, &mode, values, stored, (size_t)elements);
        cptc_shape(in, trn_cptc_block_bytes(format) / sizeof(uint32_t), format->block_size, shape);
        status = trn_npy_write(options->out, stores[store].type, shape, in->num_dims, stored, diag);
    }
    if (status == TRN_OK)
        report(options, blocks, elements, dtype);
    free(values);
    free(stored);
    return status;
}

int cptc_decode(int argc, char **argv)
{
    struct cptc_options options = {.format = {.constant = {0x3F80, 0}}, .out_dtype = "fp32"};
    const int parsed = cli_parse(&argp, argc, argv, &options);
    if (parsed)
        return parsed < 0 ? CLI_OK : parsed;
    const int checked = cptc_check("decode", &options);
    const int store = checked ? -1 : store_of(options.out_dtype);
    if (store < 0)
        return CLI_USAGE;
    struct trn_npy in = {0};
    struct trn_diag diag = {0};
    const size_t words = trn_cptc_block_bytes(&options.format) / sizeof(uint32_t);
    trn_status status = cptc_read(&options, TRN_NPY_U4, words, "words", &in, &diag);
    if (status == TRN_OK)
        status = decode(&options, &in, store, &diag);
    if (status != TRN_OK)
        cli_print_diag(&diag);
    trn_npy_free(&in);
    return status == TRN_OK ? CLI_OK : CLI_USAGE;
}
