/* SPDX-License-Identifier: Apache-2.0 */
/* trench run: bring up a core, load, run, dump, report. */
#include <stdlib.h>
#include <string.h>

#include "cli/dge_options.h"
#include "cli/run.h"
#include "cli/ucode_env.h"

/* A program that does not end stops here unless --limit says otherwise. */
#define DEFAULT_LIMIT UINT64_C(1000000000)
enum { MAX_THREADS = 256 };

enum {
    OPT_LIMIT = 256,
    OPT_LIMIT_BYTES,
    OPT_RESET,
    OPT_SEED,
    OPT_THREADS,
    OPT_BREAK,
    OPT_STEP,
    OPT_DIFF,
    OPT_CHECK,
    OPT_TRACE,
    OPT_TIMING,
    OPT_ACT_SET,
    OPT_ACT_NEGZERO,
    OPT_ACT_MODE,
    OPT_ACT_STRICT,
    OPT_ENV,
    OPT_CPTC_CODEC,
    OPT_STUB_POLICY,
    OPT_DUAL_PAIRS,
    OPT_CONVLUT_SOURCE,
    OPT_PSUM_ZERO,
    OPT_PE_STRICT,
    OPT_PE_BYPASS,
    OPT_FP8_E4M3,
    OPT_PROVENANCE,
    OPT_CORE,
    OPT_UCODE,
    OPT_FLAGS,
    OPT_NQ_SIZE,
    OPT_NQ_POLICY,
    OPT_NO_DRAIN,
    OPT_FP_RECORDS,
    OPT_FAITHFUL_ABORT,
    OPT_HOST_RINGS_ONLY,
    OPT_PACKET_BYTES,
    OPT_DMA_LOAD,
    OPT_DMA_DUMP,
    OPT_DGE_LOG,
    OPT_JSON
};

static const struct argp_option argp_options[] = {
    {"gen", 'g', "GEN", 0,
     "sunda, cayman, mariana, mariana_plus, maverick, or all (default: what .gen names, else "
     "cayman, said on standard error)",
     0},
    {"queue", 'q', "ENGINE[@ADDR]=FILE", 0,
     "words of one engine, raw or text, at a device address (default 0x1000000 * (number + 1))", 0},
    {"load", 'l', "SPACE:ADDR[:DTYPE]=FILE.npy", 0,
     "put an array into sbuf, psum (first axis on partitions) or hbm before the run", 0},
    {"dump", 'd', "SPACE:ADDR:DTYPE:SHAPE=FILE.npy", 0,
     "write an array of that place after the run, or at --break", 0},
    {"dma-load", OPT_DMA_LOAD, "SPACE:ADDR[:DTYPE]=FILE.npy", 0,
     "the same by the host's DMA engine: host memory to the device through descriptors, before the "
     "engines start",
     0},
    {"dma-dump", OPT_DMA_DUMP, "SPACE:ADDR:DTYPE:SHAPE=FILE.npy", 0,
     "as --dump, by the host's DMA engine", 0},
    {"dge-log", OPT_DGE_LOG, NULL, 0,
     "print the lines that firmware logs: the descriptor generator's and those of POOL's kernels",
     0},
    {"json", OPT_JSON, NULL, 0, "report as one JSON document (schema trench.run/1)", 0},
    {"provenance", OPT_PROVENANCE, NULL, 0, "list the model choices that the result rests on", 0},
    {"limit", OPT_LIMIT, "N", 0, "stop after N words (default 1000000000; 0: never)", 0},
    {"limit-bytes", OPT_LIMIT_BYTES, "N", 0,
     "stop when words have read and written N bytes (default 0: never)", 0},
    {"reset", OPT_RESET, "zero|poison|random:SEED", 0,
     "what memory holds before it is written (default zero; poison with --check)", 0},
    {"schedule-seed", OPT_SEED, "N", 0, "permute the order of the engines' turns", 0},
    {"threads", OPT_THREADS, "N", 0,
     "threads that share the work of one word (1 to 256, default 1)", 0},
    {"break", OPT_BREAK, "ENGINE:PC", 0,
     "take the dumps when this word is reached first (PC from the engine's first word), then go on",
     0},
    {"step", OPT_STEP, NULL, 0, "print every word when it has completed", 0},
    {"diff", OPT_DIFF, NULL, 0,
     "with --gen all: the first word whose written bytes differ; exit status 1 when there is one",
     0},
    {"check", OPT_CHECK, "uninit,race", 0,
     "report reads of bytes that nobody wrote (uninit), and accesses of the same bytes, one of "
     "them "
     "a write, that no semaphore or event orders (race)",
     0},
    {"core", OPT_CORE, "N", 0, "which core of the device (default 0)", 0},
    {"ucode", OPT_UCODE, "ENGINE:REGION=FILE", 0,
     "a microcode image to load at bring-up in place of the synthetic one; REGION is iram, dram, "
     "q7_iram, q7_dram, cam or profile",
     0},
    {"flags", OPT_FLAGS, "0x..", 0,
     "feature flags of every engine (local register 38): bit 0 DVE performance mode, bit 1 DGE "
     "notifications",
     0},
    {"nq-size", OPT_NQ_SIZE, "BYTES", 0,
     "size of every notification ring of the core, a power of two (default 0x10000)", 0},
    {"nq-policy", OPT_NQ_POLICY, "backpressure|ignore_full|drop", 0,
     "what happens to a record that meets a full ring (default backpressure: its engine waits)", 0},
    {"no-drain", OPT_NO_DRAIN, NULL, 0, "the host leaves the notification rings alone", 0},
    {"fp-records", OPT_FP_RECORDS, "all|none|LIST", 0,
     "which numeric events of the data path are looked for and recorded: underflow, nan, inf, "
     "overflow, separated by commas (default all, as the bring-up leaves the class masks)",
     0},
    {"faithful-abort", OPT_FAITHFUL_ABORT, NULL, 0,
     "a bad index aborts its DMA engine as on real machines, instead of being skipped", 0},
    {"host-rings-only", OPT_HOST_RINGS_ONLY, NULL, 0,
     "the descriptor generator gets no rings of its own: a queue that no host initialised takes no "
     "word",
     0},
    {"packet-bytes", OPT_PACKET_BYTES, "CLASS=BYTES", 0,
     "bytes that a packet of DMA words of priority class 1 to 4 has at most", 0},
    {"act-set", OPT_ACT_SET, "FILE|NAME", 0,
     "a set of activation tables: a file, or a shipped one that `trench act ls` lists; "
     "activation_table_load n loads the n-th that was given, the first is resident at the start "
     "(default: the shipped ones, and of them the first with all functions of the program)",
     0},
    {"act-negzero-is-zero", OPT_ACT_NEGZERO, NULL, 0,
     "activation functions take -0 for the special value zero", 0},
    {"act-mode", OPT_ACT_MODE, "table|exact", 0,
     "how activation functions are evaluated: from the tables (default), or by their formulas, "
     "rounded once",
     0},
    {"act-strict", OPT_ACT_STRICT, NULL, 0,
     "an activation word that would read a section which its table does not have is refused", 0},
    {"env", OPT_ENV, "NAME=VALUE", 0,
     "environment of the host that stages POOL's library: with "
     "NRT_UCODE_UNSTABLE_LIBRARY_FLAG_CPTC_DECODE set it is library 3 (CPTC), unless "
     "NEURON_UCODE_FLAVOR asks for another build; the program's own environment is not read",
     0},
    {"cptc-codec", OPT_CPTC_CODEC, "planes|bitshift", 0,
     "how POOL's CPTC decoder reads the bits of a block (default planes)", 0},
    {"stub-policy", OPT_STUB_POLICY, "architectural|log_only|fault", 0,
     "what vector words do whose shipped firmware only logs, 0x4f, 0x5f, 0x70, 0x71 and 0x87: what "
     "their headers say (default), nothing, or be refused",
     0},
    {"dual-pairs", OPT_DUAL_PAIRS, "interleaved|banked", 0,
     "which loaded scalars are pair i of 0x87: 2i and 2i + 1 (default), or i and W + i", 0},
    {"convlut-source", OPT_CONVLUT_SOURCE, "broadcast|per_partition", 0,
     "where a load of PE's converter tables takes that of a row from: the first partition for "
     "every "
     "row (default), or the row's own",
     0},
    {"psum-zero", OPT_PSUM_ZERO, "lazy|eager", 0,
     "what the start of an accumulate group does to the other cells of its zero region: mark them, "
     "so that the first sum overwrites (default), or clear them",
     0},
    {"pe-strict", OPT_PE_STRICT, NULL, 0,
     "refuse matmul words whose effect is undefined: a sum added where no group is open "
     "(PSUM_ACC_UNINIT), a transpose by what is no identity (PE_TRANSPOSE_ROWS), "
     "a tag that picks what is not moved (sparse_absent)",
     0},
    {"pe-bypass-reg-write", OPT_PE_BYPASS, NULL, 0,
     "skip PE_REG_WRITE, whose layout is not known, as the sequencer's bypass bit does", 0},
    {"fp8-e4m3", OPT_FP8_E4M3, "legacy|fn", 0,
     "how FP8_EXP4 is read: up to 240 with infinities, or OCP e4m3fn up to 448 (default: the "
     "generation's; the FP8 control registers change it)",
     0},
    {"trace", OPT_TRACE, "FILE.json", 0,
     "write what every engine did and waited for, as trace events that Perfetto and "
     "chrome://tracing show; times are those of a logical clock, a word a tick",
     0},
    {"timing", OPT_TIMING, NULL, 0,
     "estimate cycles by the timing model (docs/trace.md): how long each engine is busy and waits, "
     "and the times of --trace; results do not change",
     0},
    {0},
};

/* ---- options --------------------------------------------------------------------------------- */

static int parse_gen(const char *name, struct run_options *options)
{
    if (options->gen || options->all)
        return cli_usage_error("--gen is given twice; one generation or all is expected");
    options->all = strcmp(name, "all") == 0;
    if (options->all)
        return 0;
    options->gen = cli_gen(name);
    return options->gen ? 0 : CLI_USAGE;
}

static int parse_count(const char *option, const char *text, uint64_t max, uint64_t *out)
{
    if (run_number(text, max, out))
        return 0;
    return cli_usage_error("%s: '%s' is no number of at most %llu", option, text,
                           (unsigned long long)max);
}

static int parse_reset(const char *text, struct run_options *options)
{
    options->reset_given = true;
    options->device.reset = TRN_RESET_ZERO;
    if (strcmp(text, "zero") == 0)
        return 0;
    options->device.reset = TRN_RESET_POISON;
    if (strcmp(text, "poison") == 0)
        return 0;
    options->device.reset = TRN_RESET_RANDOM;
    if (strncmp(text, "random:", 7) == 0 &&
        run_number(text + 7, UINT64_MAX, &options->device.reset_seed))
        return 0;
    return cli_usage_error("--reset: '%s' is none of zero, poison and random:SEED", text);
}

static int parse_check(const char *text, struct run_options *options)
{
    char names[64];
    if (snprintf(names, sizeof names, "%s", text) >= (int)sizeof names)
        return cli_usage_error("--check: '%s' is too long", text);
    char *rest = names;
    for (char *name; (name = strsep(&rest, ",")) != NULL;)
        if (strcmp(name, "uninit") == 0)
            options->uninit = true;
        else if (strcmp(name, "race") == 0)
            options->race = true;
        else
            return *name ? cli_usage_error("--check: unknown check '%s'; uninit and race are "
                                           "available",
                                           name)
                         : cli_usage_error("--check needs a name: uninit, race");
    return 0;
}

static int parse_break(const char *text, struct run_options *options)
{
    char name[16];
    const char *colon = strchr(text, ':');
    if (!colon || (size_t)(colon - text) >= sizeof name)
        return cli_usage_error("--break: '%s' is not like dve:0x40", text);
    memcpy(name, text, (size_t)(colon - text));
    name[colon - text] = '\0';
    options->break_engine = run_engine_find(name);
    if (options->break_engine < 0)
        return cli_usage_error("--break: unknown engine '%s'; pe, act, pool, dve and sp exist",
                               name);
    return parse_count("--break", colon + 1, INT64_MAX, &options->break_pc);
}

static int add_queue(const char *text, struct run_options *options)
{
    if (options->num_sources == RUN_MAX_SOURCES)
        return cli_usage_error("at most %d programs", RUN_MAX_SOURCES);
    return run_parse_queue(text, &options->sources[options->num_sources++]);
}

static int add_program(const char *file, struct run_options *options)
{
    if (options->num_sources == RUN_MAX_SOURCES)
        return cli_usage_error("at most %d programs", RUN_MAX_SOURCES);
    options->sources[options->num_sources++] =
        (struct run_source){.file = file, .engine = TRN_ENGINE_ANY};
    return 0;
}

static int add_load(const char *text, bool by_dma, struct run_options *options)
{
    if (options->num_loads == RUN_MAX_ARRAYS)
        return cli_usage_error("at most %d --load and --dma-load", RUN_MAX_ARRAYS);
    return run_parse_load(text, by_dma, &options->loads[options->num_loads++]);
}

static int add_dump(const char *text, bool by_dma, struct run_options *options)
{
    if (options->num_dumps == RUN_MAX_ARRAYS)
        return cli_usage_error("at most %d --dump and --dma-dump", RUN_MAX_ARRAYS);
    return run_parse_dump(text, by_dma, &options->dumps[options->num_dumps++]);
}

static int parse_threads(const char *text, struct run_options *options)
{
    uint64_t threads = 0;
    const int status = parse_count("--threads", text, MAX_THREADS, &threads);
    options->device.threads = (unsigned)threads;
    if (status == 0 && threads == 0)
        return cli_usage_error("--threads: 0 threads do no work; 1 to %d are expected",
                               MAX_THREADS);
    return status;
}

static int parse_core(const char *text, struct run_options *options)
{
    uint64_t core = 0;
    const int status = parse_count("--core", text, UINT16_MAX, &core);
    options->core = (unsigned)core;
    return status;
}

static int parse_number32(const char *option, const char *text, uint32_t *out)
{
    uint64_t number = 0;
    const int status = parse_count(option, text, UINT32_MAX, &number);
    *out = (uint32_t)number;
    return status;
}

static int parse_nq_size(const char *text, struct run_options *options)
{
    uint32_t size = 0;
    const int status = parse_number32("--nq-size", text, &size);
    return status ? status : run_check_nq_size(size, &options->nq);
}

static int parse_trace(const char *file, struct run_options *options)
{
    if (options->trace)
        return cli_usage_error("--trace is given twice; one file is expected");
    if (*file == '\0')
        return cli_usage_error("--trace: '' is no file; FILE.json is expected");
    options->trace = file;
    return 0;
}

/* 0, CLI_USAGE after a message, or -1 for a key that is not ours. */
static int take_option(int key, const char *arg, struct run_options *options)
{
    switch (key) {
    case 'g':
        return parse_gen(arg, options);
    case 'q':
        return add_queue(arg, options);
    case 'l':
        return add_load(arg, false, options);
    case 'd':
        return add_dump(arg, false, options);
    case OPT_DMA_LOAD:
        return add_load(arg, true, options);
    case OPT_DMA_DUMP:
        return add_dump(arg, true, options);
    case OPT_DGE_LOG:
        options->dge_log = true;
        return 0;
    case OPT_JSON:
        options->json = true;
        return 0;
    case OPT_PROVENANCE:
        options->provenance = true;
        return 0;
    case OPT_LIMIT:
        return parse_count("--limit", arg, UINT64_MAX, &options->limit);
    case OPT_LIMIT_BYTES:
        return parse_count("--limit-bytes", arg, UINT64_MAX, &options->device.byte_limit);
    case OPT_RESET:
        return parse_reset(arg, options);
    case OPT_SEED:
        return parse_count("--schedule-seed", arg, UINT64_MAX, &options->device.schedule_seed);
    case OPT_THREADS:
        return parse_threads(arg, options);
    case OPT_BREAK:
        return parse_break(arg, options);
    case OPT_STEP:
        options->step = true;
        return 0;
    case OPT_DIFF:
        options->diff = true;
        return 0;
    case OPT_CHECK:
        return parse_check(arg, options);
    case OPT_CORE:
        return parse_core(arg, options);
    case OPT_UCODE:
        return ucode_files_add(&options->ucode, arg);
    case OPT_FLAGS:
        options->flags_given = true;
        return parse_number32("--flags", arg, &options->flags);
    case OPT_NQ_SIZE:
        return parse_nq_size(arg, options);
    case OPT_NQ_POLICY:
        return run_parse_nq_policy(arg, &options->nq);
    case OPT_NO_DRAIN:
        options->nq.no_drain = options->nq.given = true;
        return 0;
    case OPT_FP_RECORDS:
        return run_parse_fp_records(arg, &options->nq);
    case OPT_FAITHFUL_ABORT:
        options->dge.faithful_abort = true;
        return 0;
    case OPT_HOST_RINGS_ONLY:
        options->dge.host_rings_only = true;
        return 0;
    case OPT_PACKET_BYTES:
        return cli_parse_packet_bytes(arg, &options->dge);
    case OPT_ACT_SET:
        return run_add_act_set(arg, options);
    case OPT_ACT_NEGZERO:
        options->device.act_negzero_is_zero = true;
        return 0;
    case OPT_ACT_MODE:
        return run_parse_act_mode(arg, options);
    case OPT_ACT_STRICT:
        options->device.act_strict = true;
        return 0;
    case OPT_ENV:
        return ucode_env_add(&options->env, arg, UCODE_ENV_LIBRARY);
    case OPT_CPTC_CODEC:
        return run_parse_cptc_codec(arg, options);
    case OPT_STUB_POLICY:
        return run_parse_stub_policy(arg, options);
    case OPT_DUAL_PAIRS:
        return run_parse_dual_pairs(arg, options);
    case OPT_CONVLUT_SOURCE:
        return run_parse_convlut_source(arg, options);
    case OPT_PSUM_ZERO:
        return run_parse_psum_zero(arg, options);
    case OPT_PE_STRICT:
        options->device.pe_strict = true;
        return 0;
    case OPT_PE_BYPASS:
        options->device.pe_bypass_reg_write = true;
        return 0;
    case OPT_FP8_E4M3:
        return run_parse_fp8_e4m3(arg, options);
    case OPT_TRACE:
        return parse_trace(arg, options);
    case OPT_TIMING:
        options->timing = true;
        return 0;
    case ARGP_KEY_ARG:
        return add_program(arg, options);
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
    "[PROGRAM.tasm]",
    "Run a program on a modelled core: bring it up through register writes, load arrays and words, "
    "run, dump, report.\v"
    "ENGINE is pe, act, pool, dve or sp; SPACE is sbuf, psum or hbm. A queue FILE is 64-byte words "
    "(.bin) or text (.tasm). NumPy has no bf16 and no fp8: they travel as uint16 and uint8 with "
    "the data type named. Exit status: 0 the program ended, 1 --diff found a difference, 2 usage "
    "or bad input, 3 the program faulted, deadlocked, ran into the limit, or a check found "
    "something.",
    NULL,
    NULL,
    NULL};

/* ---- one generation ----------------------------------------------------------------------------
 */

static int report_diag(const struct trn_diag *diag)
{
    if (*diag->message)
        cli_print_diag(diag);
    return CLI_USAGE;
}

static int write_dumps(const struct run_core *core)
{
    const struct run_options *options = core->options;
    for (size_t i = 0; core->dumped && i < options->num_dumps; i++) {
        struct trn_diag diag;
        if (run_write_dump(&options->dumps[i], &diag) != TRN_OK)
            return report_diag(&diag);
    }
    return CLI_OK;
}

static int report(const struct run_core *core)
{
    const int written = write_dumps(core);
    run_print_problems(core);
    if (core->options->json)
        cli_print_json(run_to_json(core));
    else
        run_print_text(core);
    const int status = run_core_exit(core);
    if (status != CLI_OK)
        return status;
    const bool missed = core->options->break_engine >= 0 && !core->break_reached;
    return missed ? CLI_USAGE : written;
}

static trn_status make_program(struct run_core *core, struct trn_diag *diag)
{
    const struct run_options *options = core->options;
    trn_status status =
        run_program_make(options, options->gen, false, &core->program, &core->gen, diag);
    if (status != TRN_OK)
        return status;
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++)
        if (trn_gen_at(g) == core->gen && !(core->program.gens >> g & 1))
            return trn_diag_set(diag, TRN_ERR_INVALID, NULL, NULL, NULL,
                                "the text's .gen does not list %s", core->gen->name);
    return TRN_OK;
}

static int run_one(struct run_options *options)
{
    struct run_core core = {.options = options};
    struct trn_diag diag = {.status = TRN_OK};
    trn_status status = make_program(&core, &diag);
    if (status == TRN_OK && ucode_files_read(&options->ucode, core.gen) != 0) {
        run_core_close(&core);
        return CLI_USAGE;
    }
    if (status == TRN_OK)
        status = run_core_open(&core, &diag);
    if (status == TRN_OK)
        status = run_core_run(&core, options->dumps, options->num_dumps, &diag);
    const int exit_status = status == TRN_OK ? report(&core) : report_diag(&diag);
    run_core_close(&core);
    return exit_status;
}

/* ---- the command ----------------------------------------------------------------------------- */

static int check_options(struct run_options *options)
{
    if (options->num_sources == 0)
        return cli_usage_error("run needs a PROGRAM.tasm or a --queue ENGINE=FILE");
    if (options->diff && !options->all)
        return cli_usage_error("--diff compares generations: it needs --gen all");
    if (options->all &&
        (options->num_dumps > 0 || options->break_engine >= 0 || options->step || options->dge_log))
        return cli_usage_error(
            "--dump, --dma-dump, --break, --step and --dge-log need one generation, "
            "not --gen all");
    if (options->all && options->ucode.count > 0)
        return cli_usage_error("--ucode needs one generation, not --gen all");
    if (options->all && (options->trace || options->timing))
        return cli_usage_error("--trace and --timing need one generation, not --gen all");
    if (options->break_engine >= 0 && options->num_dumps == 0)
        return cli_usage_error("--break has no effect without a --dump to take there");
    if ((options->uninit || options->race) && !options->reset_given)
        options->device.reset = TRN_RESET_POISON;
    options->device.check_uninit = options->uninit;
    options->device.check_race = options->race;
    options->device.digest = options->diff || options->step;
    options->device.track = options->json || options->uninit || options->device.digest;
    return 0;
}

static int check_targets(const struct run_options *options)
{
    struct trn_diag diag;
    if (run_check_targets(options->dumps, options->num_dumps, &diag) == TRN_OK)
        return 0;
    return report_diag(&diag);
}

static int read_files(struct run_options *options)
{
    int status = run_read_sources(options);
    for (size_t i = 0; i < options->num_loads && status == 0; i++)
        status = run_read_load(&options->loads[i]);
    return status;
}

int cmd_run(int argc, char **argv)
{
    struct run_options *options = calloc(1, sizeof *options);
    if (!options)
        return cli_usage_error("out of memory");
    options->limit = DEFAULT_LIMIT;
    options->break_engine = -1;
    options->dge = trn_dge_options_default();
    options->device.dge = &options->dge;
    int status = cli_parse(&argp, argc, argv, options);
    if (status == 0)
        status = check_options(options);
    if (status == 0)
        status = check_targets(options);
    if (status == 0)
        status = read_files(options);
    if (status == 0)
        status = options->all ? run_all(options) : run_one(options);
    for (size_t i = 0; i < options->num_loads; i++)
        run_free_array(&options->loads[i]);
    for (size_t i = 0; i < options->num_dumps; i++)
        run_free_array(&options->dumps[i]);
    run_free_sources(options);
    ucode_files_free(&options->ucode);
    free(options);
    return status < 0 ? CLI_OK : status;
}
