/* SPDX-License-Identifier: Apache-2.0 */
/* trench bringup: bring up cores of a model through the HAL and show what crossed the bus. */
#include <stdlib.h>
#include <string.h>

#include "cli/bringup.h"
#include "cli/run.h"

enum {
    OPT_CORE = 256,
    OPT_TOPSP,
    OPT_DMA_RINGS,
    OPT_RINGS,
    OPT_NQ_SIZE,
    OPT_FAIL_AT,
    OPT_CARVEOUT,
    OPT_MAPPING,
    OPT_UCODE,
    OPT_RECORD,
    OPT_RECORD_IMAGES,
    OPT_BAR0,
    OPT_JSON
};

static const struct argp_option argp_options[] = {
    {"gen", 'g', "GEN", 0, "sunda, cayman, mariana or mariana_plus", 0},
    {"engine", 'e', "ENGINE", 0,
     "only this engine: pe, act, pool, dve or sp, without the core's own blocks and rings", 0},
    {"core", OPT_CORE, "N|all", 0, "which core (default 0)", 0},
    {"topsp", OPT_TOPSP, "K|all", OPTION_ARG_OPTIONAL, "TopSPs first, all of them or one", 0},
    {"dma-rings", OPT_DMA_RINGS, NULL, 0, "the notification rings of the core's DMA engines too",
     0},
    {"rings", OPT_RINGS, "none", 0, "leave the notification rings out", 0},
    {"nq-size", OPT_NQ_SIZE, "BYTES", 0, "size of a notification ring (default 0x10000)", 0},
    {"fail-at", OPT_FAIL_AT, "ENGINE.STEP:CODE", 0,
     "let that step fail with a negative CODE, for example pool.hw_decode:-1", 0},
    {"dge-carveout", OPT_CARVEOUT, "SIZE:OFFSET", 0,
     "program the descriptor generator's carveout at the end", 0},
    {"dge-mapping", OPT_MAPPING, "HI:LO", 0, "program its DMA mapping at the end", 0},
    {"ucode", OPT_UCODE, "ENGINE:REGION=FILE", 0,
     "an image in place of the default one; REGION is iram, dram, q7_iram, q7_dram, cam or profile",
     0},
    {"record", OPT_RECORD, "FILE", 0, "write every bus operation there, for `trench replay`", 0},
    {"record-images", OPT_RECORD_IMAGES, "DIR", 0, "and the blocks' bytes as files there", 0},
    {"bar0", OPT_BAR0, "ADDR", 0,
     "print addresses as a host does that has BAR0 mapped there (default: BAR0 offsets)", 0},
    {"json", OPT_JSON, NULL, 0, "JSON lines; the last one has schema trench.bringup/1", 0},
    {0},
};

/* ---- options --------------------------------------------------------------------------------- */

static int take_gen(const char *name, struct bringup_options *options)
{
    if (options->gen)
        return cli_usage_error("--gen is given twice");
    options->gen = cli_gen(name);
    return options->gen ? 0 : CLI_USAGE;
}

static int take_engine(const char *name, struct bringup_options *options)
{
    const int engine = run_engine_find(name);
    if (engine < 0)
        return cli_usage_error("unknown engine '%s'; pe, act, pool, dve and sp exist", name);
    options->engine_mask = (uint8_t)(options->engine_mask | 1u << engine);
    return 0;
}

static int take_number(const char *option, const char *text, uint64_t max, uint64_t *out)
{
    if (run_number(text, max, out))
        return 0;
    return cli_usage_error("%s: '%s' is no number of at most 0x%llx", option, text,
                           (unsigned long long)max);
}

static int take_u32(const char *option, const char *text, uint32_t *out)
{
    uint64_t value = 0;
    const int status = take_number(option, text, UINT32_MAX, &value);
    *out = (uint32_t)value;
    return status;
}

/* "A:B" into two numbers of 32 bits. */
static int take_pair(const char *option, const char *text, uint32_t *first, uint32_t *second)
{
    char left[32];
    const char *colon = strchr(text, ':');
    if (!colon || (size_t)(colon - text) >= sizeof left)
        return cli_usage_error("%s: '%s' is not two numbers like 0x4000:0x2000", option, text);
    memcpy(left, text, (size_t)(colon - text));
    left[colon - text] = '\0';
    const int status = take_u32(option, left, first);
    return status ? status : take_u32(option, colon + 1, second);
}

static int take_nq_size(const char *text, struct bringup_options *options)
{
    const int status = take_u32("--nq-size", text, &options->nq_size);
    return status == 0 && options->nq_size == 0 ? cli_usage_error("--nq-size: a ring has records")
                                                : status;
}

static int take_rings(const char *text, struct bringup_options *options)
{
    if (strcmp(text, "none") != 0)
        return cli_usage_error("--rings: '%s' is not none", text);
    options->no_rings = true;
    return 0;
}

/* `--topsp K` with a blank arrives as an option without a value and an argument. */
static int take_argument(const char *text, struct bringup_options *options)
{
    if (!options->topsp || options->topsp_text)
        return cli_usage_error("bringup takes no argument '%s'", text);
    options->topsp_text = text;
    return 0;
}

/* 0, CLI_USAGE after a message, or -1 for a key that is not ours. */
static int take_option(int key, const char *arg, struct bringup_options *options)
{
    struct trn_hal_dge *dge = &options->dge;
    switch (key) {
    case 'g':
        return take_gen(arg, options);
    case 'e':
        return take_engine(arg, options);
    case OPT_CORE:
        options->core_text = arg;
        return 0;
    case OPT_TOPSP:
        options->topsp = true;
        options->topsp_text = arg;
        return 0;
    case OPT_DMA_RINGS:
        options->dma_rings = true;
        return 0;
    case OPT_RINGS:
        return take_rings(arg, options);
    case OPT_NQ_SIZE:
        return take_nq_size(arg, options);
    case OPT_FAIL_AT:
        if (options->fail_text)
            return cli_usage_error("--fail-at is given twice; one step can fail");
        options->fail_text = arg;
        return 0;
    case OPT_CARVEOUT:
        dge->set_carveout = true;
        return take_pair("--dge-carveout", arg, &dge->carveout_size, &dge->carveout_offset);
    case OPT_MAPPING:
        dge->set_mapping = true;
        return take_pair("--dge-mapping", arg, &dge->mapping_hi, &dge->mapping_lo);
    case OPT_UCODE:
        return ucode_files_add(&options->ucode, arg);
    case OPT_RECORD:
        options->record = arg;
        return 0;
    case OPT_RECORD_IMAGES:
        options->record_images = arg;
        return 0;
    case OPT_BAR0:
        return take_number("--bar0", arg, UINT64_MAX, &options->bar0);
    case OPT_JSON:
        options->json = true;
        return 0;
    case ARGP_KEY_ARG:
        return take_argument(arg, options);
    default:
        return -1;
    }
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    const int status = take_option(key, arg, state->input);
    if (status > 0)
        exit(status);
    return status < 0 ? ARGP_ERR_UNKNOWN : 0;
}

static const struct argp argp = {
    argp_options,
    parse,
    NULL,
    "Bring up a core of the model through the host HAL and print every register access, block and "
    "log line in order, each under its step.\v"
    "W is a write, R a read, RMW a read and a write that changes the bits named, B a block. Steps "
    "of "
    "an engine are regs_init, ucode_seq_init, q7_ucode_eng_init (pool), hw_decode_table_init (not "
    "on "
    "sunda; not sp), dma_init, release_run_stall and release_eng_run_stall (pool); --fail-at takes "
    "any "
    "prefix that only one of them has. An engine that failed stays stalled; the others are brought "
    "up "
    "all the same. At the end every engine is `running` (its stall is released, it waits for a "
    "start) "
    "or `stalled`. Microcode is synthetic unless --ucode gives files. Exit status: 0 success, 1 a "
    "step "
    "failed, 2 usage or bad input, 3 the device did not answer a bounded wait.",
    NULL,
    NULL,
    NULL};

/* ---- the command ----------------------------------------------------------------------------- */

static int say(const struct trn_diag *diag)
{
    cli_print_diag(diag);
    return CLI_USAGE;
}

static int report(const struct bringup *bringup)
{
    const struct bringup_options *options = bringup->options;
    const int written = bringup_write_record(bringup);
    if (written)
        return written;
    if (options->json)
        bringup_print_json(bringup);
    else
        bringup_print_text(bringup);
    fflush(stdout);
    bringup_print_failures(bringup);
    /* a register that never becomes what it must is the device's fault (field case F45) */
    if (bringup->status == TRN_ERR_TIMEOUT)
        return CLI_FAULT;
    return bringup->status == TRN_OK ? CLI_OK : CLI_DOES_NOT_HOLD;
}

static int bring_up(struct bringup_options *options)
{
    struct bringup *bringup = calloc(1, sizeof *bringup);
    struct trn_diag diag = {.status = TRN_OK};
    if (!bringup)
        return cli_usage_error("out of memory");
    int exit_status = 0;
    if (bringup_open(bringup, options, &diag) != TRN_OK)
        exit_status = say(&diag);
    if (exit_status == 0)
        exit_status = bringup_check_ranges(options, bringup->hal);
    if (exit_status == 0)
        exit_status = bringup_check_fail_at(options, bringup->hal);
    if (exit_status == 0)
        exit_status = ucode_files_read(&options->ucode, options->gen);
    if (exit_status == 0 && bringup_do(bringup, &diag) != TRN_OK)
        exit_status = say(&diag);
    if (exit_status == 0)
        exit_status = report(bringup);
    bringup_close(bringup);
    free(bringup);
    return exit_status;
}

int cmd_bringup(int argc, char **argv)
{
    struct bringup_options *options = calloc(1, sizeof *options);
    if (!options)
        return cli_usage_error("out of memory");
    int status = cli_parse(&argp, argc, argv, options);
    if (status == 0 && !options->gen)
        status = cli_usage_error("bringup needs --gen GEN");
    if (status == 0)
        status = bringup_check_sizes(options);
    if (status == 0)
        status = bring_up(options);
    ucode_files_free(&options->ucode);
    free(options);
    return status;
}
