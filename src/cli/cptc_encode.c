/* SPDX-License-Identifier: Apache-2.0 */
/* trench cptc encode: an array to blocks of codes, and what was lost. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cptc.h"

static const struct argp_option argp_options[] = {CPTC_ARGP_OPTIONS, {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    return cptc_take(key, arg, state->input) < 0 ? ARGP_ERR_UNKNOWN : 0;
}

static const struct argp argp = {
    argp_options,
    parse,
    "IN.npy -o OUT.npy",
    "Encode an array of f4 as CPTC blocks (docs/cptc.md): the nearest code of every value. Blocks "
    "go "
    "along the last axis, whose size must be a multiple of the block size; the result is u4, the "
    "words that the instructions read.",
    NULL,
    NULL,
    NULL};

/* What decoding gives back, against what was there. */
struct loss {
    uint64_t exact, clamped;
    double largest, squares;
};

static struct loss loss_of(const float *in, const float *back, uint64_t n, float least, float most)
{
    struct loss loss = {0};
    for (uint64_t i = 0; i < n; i++) {
        const double error = fabs((double)in[i] - (double)back[i]);
        loss.exact += in[i] == back[i];
        loss.clamped += in[i] < least || in[i] > most;
        loss.largest = error > loss.largest ? error : loss.largest;
        loss.squares += error * error;
    }
    return loss;
}

/* The ends of what codes stand for: two blocks' worth of every code is more than enough. */
static void ends_of(const struct trn_cptc_format *format, float *least, float *most)
{
    static const float far[8] = {-INFINITY, INFINITY};
    const struct trn_cptc_format one = {.codec = format->codec,
                                        .bits = format->bits,
                                        .block_size = 8,
                                        .constant = {format->constant[0], format->constant[1]}};
    uint8_t bytes[8];
    float ends[8];
    (void)trn_cptc_encode(&one, far, 1, bytes, NULL);
    (void)trn_cptc_decode(&one, bytes, 1, ends, NULL);
    *least = ends[0];
    *most = ends[1];
}

static void report(const struct cptc_options *options, const struct trn_npy *in, uint64_t blocks,
                   const struct loss *loss)
{
    const uint64_t n = in->num_elements;
    const size_t bytes = (size_t)blocks * trn_cptc_block_bytes(&options->format);
    const double rms = n ? sqrt(loss->squares / (double)n) : 0;
    if (options->json) {
        json_t *const json = cptc_json("trench.cptc.encode/1", options, blocks);
        json_object_set_new(json, "elements", json_integer((json_int_t)n));
        json_object_set_new(json, "bytes", json_integer((json_int_t)bytes));
        json_object_set_new(json, "exact", json_integer((json_int_t)loss->exact));
        json_object_set_new(json, "clamped", json_integer((json_int_t)loss->clamped));
        json_object_set_new(json, "max_error",
                            isfinite(loss->largest) ? json_real(loss->largest)
                                                    : json_string("inf"));
        json_object_set_new(json, "rms_error", isfinite(rms) ? json_real(rms) : json_string("inf"));
        cli_print_json(json);
        return;
    }
    printf("%" PRIu64 " elements in %" PRIu64 " blocks of %u, %u bits each: %zu bytes, fp32 has "
           "%zu\n",
           n, blocks, options->format.block_size, options->format.bits, bytes, in->size_bytes);
    printf("error: largest %.6g, root mean square %.6g; %" PRIu64 " exact, %" PRIu64
           " beyond the codes\n",
           loss->largest, rms, loss->exact, loss->clamped);
}

static trn_status encode(const struct cptc_options *options, const struct trn_npy *in,
                         struct trn_diag *diag)
{
    const struct trn_cptc_format *const format = &options->format;
    const size_t block_bytes = trn_cptc_block_bytes(format);
    const uint64_t blocks = in->num_elements / format->block_size;
    float *const values = malloc(in->size_bytes + 1), *const back = malloc(in->size_bytes + 1);
    uint8_t *const bytes = malloc(blocks * block_bytes + 1);
    uint64_t shape[TRN_NPY_MAX_DIMS];
    float least, most;
    trn_status status = TRN_ERR_NO_MEMORY;
    if (values && back && bytes) {
        if (in->size_bytes)
            memcpy(values, in->data, in->size_bytes); /* any alignment */
        status = trn_cptc_encode(format, values, (size_t)blocks, bytes, diag);
    } else {
        trn_diag_set(diag, status, options->in, NULL, NULL, "out of memory");
    }
    if (status == TRN_OK) {
        cptc_shape(in, format->block_size, block_bytes / sizeof(uint32_t), shape);
        status = trn_npy_write(options->out, TRN_NPY_U4, shape, in->num_dims, bytes, diag);
    } else if (diag && !*diag->where) {
        snprintf(diag->where, sizeof diag->where, "%s", options->in);
    }
    if (status == TRN_OK) {
        ends_of(format, &least, &most);
        (void)trn_cptc_decode(format, bytes, (size_t)blocks, back, NULL);
        const struct loss loss =
            loss_of(values, back, in->num_elements, fminf(least, most), fmaxf(least, most));
        report(options, in, blocks, &loss);
    }
    free(values);
    free(back);
    free(bytes);
    return status;
}

int cptc_encode(int argc, char **argv)
{
    struct cptc_options options = {.format = {.constant = {0x3F80, 0}}};
    const int parsed = cli_parse(&argp, argc, argv, &options);
    if (parsed)
        return parsed < 0 ? CLI_OK : parsed;
    if (options.format.codec == TRN_CPTC_BITSHIFT)
        return cli_usage_error(
            "bitshift has no encoder: its inverse is a search through a trellis; "
            "--codec planes has one");
    const int checked = cptc_check("encode", &options);
    if (checked)
        return checked;
    struct trn_npy in = {0};
    struct trn_diag diag = {0};
    trn_status status =
        cptc_read(&options, TRN_NPY_F4, options.format.block_size, "elements", &in, &diag);
    if (status == TRN_OK)
        status = encode(&options, &in, &diag);
    if (status != TRN_OK)
        cli_print_diag(&diag);
    trn_npy_free(&in);
    return status == TRN_OK ? CLI_OK : CLI_USAGE;
}
