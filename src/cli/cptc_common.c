/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cptc.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trench/num.h"

/* ---- options ----------------------------------------------------------------------------- */

static unsigned long number(const char *option, const char *text, unsigned long most)
{
    char *end;
    const unsigned long value = strtoul(text, &end, 0);
    if (end == text || *end || *text == '-' || value > most)
        exit(cli_usage_error("%s: '%s' is no number from 0 to %lu", option, text, most));
    return value;
}

/* BF16 has few numbers; one that it lacks is refused with its neighbour. */
static uint16_t bf16_number(const char *option, const char *text)
{
    struct trn_num_mode mode;
    char *end;
    errno = 0;
    const double value = strtod(text, &end);
    const bool lost = errno == ERANGE; /* 0 or infinite only because a double has no more */
    if (end == text || *end || !isfinite(value))
        exit(cli_usage_error("%s: '%s' is no finite number", option, text));
    trn_num_mode_default(trn_gen_at(0), &mode);
    uint64_t bits = 0;
    float back = 0;
    (void)trn_from_fp32(TRN_DTYPE_BFLOAT16, &mode, (float)value, &bits);
    (void)trn_to_fp32(TRN_DTYPE_BFLOAT16, &mode, bits, &back);
    if ((double)back != value || lost)
        exit(cli_usage_error("%s: %s is no BF16 number; the nearest is %.9g (0x%04x)", option, text,
                             back, (unsigned)bits));
    return (uint16_t)bits;
}

static void take_constants(const char *text, struct cptc_options *options)
{
    char copy[64];
    snprintf(copy, sizeof copy, "%s", text);
    char *const comma = strchr(copy, ',');
    if (!comma)
        exit(cli_usage_error("--constants: '%s' is not like 0x3f80,0x0000", text));
    *comma = '\0';
    options->format.constant[0] = (uint16_t)number("--constants", copy, UINT16_MAX);
    options->format.constant[1] = (uint16_t)number("--constants", comma + 1, UINT16_MAX);
    options->constants_given = true;
}

static void take_codec(const char *text, struct cptc_options *options)
{
    const int codec = trn_cptc_codec_find(text);
    if (codec < 0)
        exit(cli_usage_error("--codec: '%s' is none of planes and bitshift", text));
    options->format.codec = (enum trn_cptc_codec)codec;
}

int cptc_take(int key, const char *arg, struct cptc_options *options)
{
    switch (key) {
    case 'b':
        options->format.bits = (uint8_t)number("--bits", arg, UINT8_MAX);
        options->bits_given = true;
        return 0;
    case 'B':
        options->format.block_size = (uint8_t)number("--block-size", arg, UINT8_MAX);
        options->block_size_given = true;
        return 0;
    case 's':
        options->format.constant[0] = bf16_number("--scale", arg);
        options->number_given = true;
        return 0;
    case 'a':
        options->format.constant[1] = bf16_number("--bias", arg);
        options->number_given = true;
        return 0;
    case 'c':
        take_constants(arg, options);
        return 0;
    case 'C':
        take_codec(arg, options);
        return 0;
    case 'o':
        options->out = arg;
        return 0;
    case 'j':
        options->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (options->in)
            exit(cli_usage_error("one input is expected; '%s' is too many", arg));
        options->in = arg;
        return 0;
    default:
        return -1;
    }
}

int cptc_check(const char *action, struct cptc_options *options)
{
    struct trn_diag diag;
    const bool files = options->in && *options->in && options->out && *options->out;
    if (!files || !options->bits_given || !options->block_size_given)
        return cli_usage_error("cptc %s needs an input, --bits, --block-size and -o", action);
    if (options->constants_given && options->number_given)
        return cli_usage_error("--constants gives scale and bias already; leave --scale and --bias "
                               "out");
    if (options->format.codec == TRN_CPTC_BITSHIFT && !options->constants_given)
        return cli_usage_error("bitshift needs --constants: its two multipliers");
    if (trn_cptc_check(&options->format, &diag) == TRN_OK)
        return 0;
    cli_print_diag(&diag);
    return CLI_USAGE;
}

/* ---- arrays ------------------------------------------------------------------------------ */

trn_status cptc_read(const struct cptc_options *options, enum trn_npy_type type, size_t unit,
                     const char *what, struct trn_npy *out, struct trn_diag *diag)
{
    trn_status status = trn_npy_read(options->in, 0, out, diag);
    if (status == TRN_OK)
        status = trn_npy_expect(out, options->in, type, NULL, 0, diag);
    if (status != TRN_OK)
        return status;
    const uint64_t row = out->num_dims ? out->shape[out->num_dims - 1] : 1;
    if (row % unit == 0 && out->num_dims)
        return TRN_OK;
    char expected[96];
    snprintf(expected, sizeof expected, "a multiple of %zu", unit);
    return trn_diag_set(diag, TRN_ERR_INVALID, options->in, NULL, expected,
                        "a row has %llu %s, which is no whole number of blocks",
                        (unsigned long long)row, what);
}

void cptc_shape(const struct trn_npy *in, size_t from, size_t to, uint64_t shape[TRN_NPY_MAX_DIMS])
{
    memcpy(shape, in->shape, sizeof in->shape);
    shape[in->num_dims - 1] = in->shape[in->num_dims - 1] / from * to;
}

json_t *cptc_json(const char *schema, const struct cptc_options *options, uint64_t blocks)
{
    const struct trn_cptc_format *format = &options->format;
    char first[8], second[8];
    snprintf(first, sizeof first, "0x%04x", format->constant[0]);
    snprintf(second, sizeof second, "0x%04x", format->constant[1]);
    return json_pack("{s:s, s:s, s:i, s:i, s:[s, s], s:I, s:I}", "schema", schema, "codec",
                     trn_cptc_codec_name(format->codec), "bits", format->bits, "block_size",
                     format->block_size, "constants", first, second, "blocks", (json_int_t)blocks,
                     "block_bytes", (json_int_t)trn_cptc_block_bytes(format));
}
