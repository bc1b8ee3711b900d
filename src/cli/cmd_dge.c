/* SPDX-License-Identifier: Apache-2.0 */
/* trench dge build: one DMA word through the descriptor generator, without a device. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/dge.h"
#include "cli/dge_options.h"

enum {
    OPT_REG = 256,
    OPT_SHAPE,
    OPT_LOCAL,
    OPT_INDEX,
    OPT_DST_INDEX,
    OPT_ABORT,
    OPT_LOG,
    OPT_PACKET_BYTES
};

static const struct argp_option argp_options[] = {
    {"gen", 'g', "GEN", 0, "generation; needed", 0},
    {"engine", 'e', "ENGINE", 0, "whose word it is (default: pool)", 0},
    {"word", 'w', "HEX", 0, "128 hexadecimal digits; 256 with the word that follows it", 0},
    {"reg", OPT_REG, "N=VALUE", 0, "a general register, 0..63", 0},
    {"shape", OPT_SHAPE, "N=NUM,NUM,NUM,NUM:STEP,STEP,STEP,STEP", 0, "a shape register, 0..3", 0},
    {"local", OPT_LOCAL, "N=VALUE", 0, "local register 38, 39 (carveout) or 40 (mapping)", 0},
    {"flags", 'f', "VALUE", 0, "local register 38: bit 1 enables DGE notifications", 0},
    {"index", OPT_INDEX, "FILE.npy", 0, "the source index vector (u4) of an indirect word", 0},
    {"dst-index", OPT_DST_INDEX, "FILE.npy", 0, "the destination index vector", 0},
    {"faithful-abort", OPT_ABORT, NULL, 0, "a bad index aborts the DMA engine, as on machines", 0},
    {"packet-bytes", OPT_PACKET_BYTES, "CLASS=BYTES", 0,
     "bytes that a packet of priority class 1 to 4 has at most", 0},
    {"log", OPT_LOG, NULL, 0, "also the lines that the firmware logs", 0},
    {"json", 'j', NULL, 0, "one JSON document (schema trench.dge/1)", 0},
    {0},
};

static int refuse(const char *option, const char *argument, const char *expected)
{
    return cli_usage_error("%s cannot be read: '%s'; %s", option, argument, expected);
}

static const char number_expected[] = "a value of 32 bits is expected";

/* A whole text that is a number of 32 bits; `arg` is what the user gave. */
static uint32_t number32(const char *option, const char *arg, const char *text)
{
    char *end;
    errno = 0;
    const unsigned long long v = strtoull(text, &end, 0);
    if (end == text || *end || errno || *text == '-' || v > UINT32_MAX)
        exit(refuse(option, arg, number_expected));
    return (uint32_t)v;
}

/* "N=VALUE" with N in [first, end). */
static void set_number(const char *option, const char *arg, uint32_t *values, unsigned first,
                       unsigned end)
{
    char *equals;
    const unsigned long n = strtoul(arg, &equals, 0);
    if (equals == arg || *equals != '=' || *arg == '-' || n < first || n >= end) {
        char expected[64];
        snprintf(expected, sizeof expected, "N=VALUE with N from %u to %u is expected", first,
                 end - 1);
        exit(refuse(option, arg, expected));
    }
    values[n] = number32(option, arg, equals + 1);
}

static int refuse_shape(const char *arg)
{
    return refuse("--shape", arg,
                  "N=NUM,NUM,NUM,NUM:STEP,STEP,STEP,STEP is expected, N from 0 to 3, NUM of 16 "
                  "bits, STEP of 32 with a sign");
}

static void set_shape(const char *arg, struct trn_dge_shape *shapes)
{
    enum { DIMS = 4, NUMBERS = 2 * DIMS };
    static const char behind[NUMBERS + 1] = ",,,:,,,";
    char *at;
    const unsigned long n = strtoul(arg, &at, 10);
    if (at == arg || *arg == '-' || *at != '=' || n >= DIMS)
        exit(refuse_shape(arg));
    for (unsigned i = 0; i < NUMBERS; i++) {
        const bool is_step = i >= DIMS;
        const char *const text = at + 1;
        errno = 0;
        const long long v = strtoll(text, &at, 0);
        if (at == text || errno || *at != behind[i] || v < (is_step ? INT32_MIN : 0) ||
            v > (is_step ? INT32_MAX : UINT16_MAX))
            exit(refuse_shape(arg));
        if (is_step)
            shapes[n].step[i - DIMS] = (int32_t)v;
        else
            shapes[n].num[i] = (uint16_t)v;
    }
}

static void set_word(const char *arg, struct dge_build *build)
{
    const size_t digits = strlen(arg);
    uint8_t *const bytes = build->words;
    if ((digits != 2 * sizeof build->words && digits != sizeof build->words) ||
        strspn(arg, "0123456789abcdefABCDEF") != digits)
        exit(cli_usage_error("--word takes 128 or 256 hexadecimal digits, not '%s'", arg));
    for (size_t i = 0; i < digits / 2; i++) {
        const char pair[3] = {arg[2 * i], arg[2 * i + 1], 0};
        bytes[i] = (uint8_t)strtoul(pair, NULL, 16);
    }
    build->num_words = (unsigned)(digits / 2 / TRN_INST_BYTES);
}

static void set_index(const char *path, struct dge_build *build, enum trn_dge_side side)
{
    struct trn_npy *const array = &build->index[side];
    struct trn_diag diag;
    build->index_path[side] = path;
    trn_npy_free(array);
    if (trn_npy_read(path, 0, array, &diag) != TRN_OK ||
        trn_npy_expect(array, path, TRN_NPY_U4, NULL, 0, &diag) != TRN_OK) {
        cli_print_diag(&diag);
        exit(CLI_USAGE);
    }
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct dge_build *const build = state->input;
    switch (key) {
    case 'g':
        build->gen = cli_gen(arg);
        if (!build->gen)
            exit(CLI_USAGE);
        return 0;
    case 'e':
        build->engine = cli_engine(arg);
        if (build->engine < 0)
            exit(CLI_USAGE);
        return 0;
    case 'w':
        set_word(arg, build);
        return 0;
    case 'f':
        build->local[DGE_FLAGS] = number32("--flags", arg, arg);
        return 0;
    case OPT_REG:
        set_number("--reg", arg, build->reg, 0, DGE_REGISTERS);
        return 0;
    case OPT_LOCAL:
        set_number("--local", arg, build->local, DGE_FLAGS, DGE_LOCALS);
        return 0;
    case OPT_SHAPE:
        set_shape(arg, build->shape);
        return 0;
    case OPT_INDEX:
        set_index(arg, build, TRN_DGE_SRC);
        return 0;
    case OPT_DST_INDEX:
        set_index(arg, build, TRN_DGE_DST);
        return 0;
    case OPT_ABORT:
        build->options.faithful_abort = true;
        return 0;
    case OPT_PACKET_BYTES:
        if (cli_parse_packet_bytes(arg, &build->options) != 0)
            exit(CLI_USAGE);
        return 0;
    case OPT_LOG:
        build->wants_log = true;
        return 0;
    case 'j':
        build->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (build->action)
            exit(cli_usage_error("dge build takes options only; '%s' is none", arg));
        build->action = arg;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    argp_options,
    parse,
    "build",
    "Run one DMA word through the descriptor generation engine, without a device.\v"
    "Memory reads as zero except for the index vectors. The outcome is emitted, skipped_oob, "
    "illegal, no_backend, aborted or count_error, with the reason; descriptors, bounds, gates and "
    "records are "
    "listed. Exit status: 0 emitted, 1 any other outcome, 2 bad input.",
    NULL,
    NULL,
    NULL};

static int check(const struct dge_build *build)
{
    if (!build->action)
        return cli_usage_error("dge needs an action: build");
    if (strcmp(build->action, "build") != 0)
        return cli_usage_error("dge has no action '%s'; build is there", build->action);
    if (!build->gen)
        return cli_usage_error("dge build needs --gen");
    if (build->num_words == 0)
        return cli_usage_error("dge build needs --word");
    if (!trn_dge_takes(build->gen, build->words))
        return cli_usage_error("0x%02X is no DMA word on %s", build->words[0], build->gen->name);
    return CLI_OK;
}

int cmd_dge(int argc, char **argv)
{
    struct dge_build build = {.engine = 2, .options = trn_dge_options_default()};
    const int parsed = cli_parse(&argp, argc, argv, &build);
    int status = parsed < 0 ? CLI_OK : parsed;
    if (parsed == 0) {
        status = check(&build);
        if (status == CLI_OK)
            status = dge_build_run(&build);
    }
    dge_build_free(&build);
    return status;
}
