/* SPDX-License-Identifier: Apache-2.0 */
/* Options of `trench bringup` that only the generation's HAL can judge. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bringup.h"
#include "cli/run.h"

/* ---- cores and TopSPs ------------------------------------------------------------------ */

static int parse_range(const char *option, const char *text, unsigned available,
                       struct bringup_range *range)
{
    uint64_t number = 0;
    if (strcmp(text, "all") == 0) {
        *range = (struct bringup_range){.first = 0, .count = available};
        return 0;
    }
    if (!run_number(text, UINT32_MAX, &number) || number >= available)
        return cli_usage_error("%s: '%s' is neither all nor a number from 0 to %u", option, text,
                               available - 1);
    *range = (struct bringup_range){.first = (unsigned)number, .count = 1};
    return 0;
}

/* TopSPs that have a handle; the windows behind them are spare. */
static unsigned count_topsps(struct trn_hal *hal)
{
    struct trn_hal_engine_config config;
    unsigned count = 0;
    while (count < BRINGUP_MAX_TOPSPS && trn_hal_topsp_defaults(hal, count, &config) == TRN_OK)
        count++;
    return count;
}

int bringup_check_ranges(struct bringup_options *options, struct trn_hal *hal)
{
    const char *core = options->core_text ? options->core_text : "0";
    const unsigned cores =
        options->gen->cores < BRINGUP_MAX_CORES ? options->gen->cores : BRINGUP_MAX_CORES;
    const int status = parse_range("--core", core, cores, &options->cores);
    if (status || !options->topsp)
        return status;
    const char *topsp = options->topsp_text ? options->topsp_text : "all";
    return parse_range("--topsp", topsp, count_topsps(hal), &options->topsps);
}

/* ---- sizes ----------------------------------------------------------------------------- */

int bringup_check_sizes(const struct bringup_options *options)
{
    const uint32_t size = options->nq_size;
    const uint32_t record = trn_hal_nq_get_notification_size();
    if (size && ((size & (size - 1)) != 0 || size < record))
        return cli_usage_error("--nq-size: %u is no power of two of at least %u bytes", size,
                               record);
    if (size > TRN_HAL_NQ_MAX_BYTES)
        return cli_usage_error("--nq-size: 0x%x is too much; rings lie 0x%x bytes apart", size,
                               TRN_HAL_NQ_MAX_BYTES);
    if (options->bar0 && options->bar0 < options->gen->bar0_bytes)
        return cli_usage_error("--bar0: 0x%llx is no address of a mapping: it lies inside the "
                               "0x%llx bytes of BAR0",
                               (unsigned long long)options->bar0,
                               (unsigned long long)options->gen->bar0_bytes);
    if (options->bar0 > UINT64_MAX - options->gen->bar0_bytes)
        return cli_usage_error("--bar0: BAR0 does not fit behind 0x%llx",
                               (unsigned long long)options->bar0);
    if (options->record_images && !options->record)
        return cli_usage_error("--record-images needs --record FILE");
    if (options->no_rings && options->nq_size)
        return cli_usage_error("--nq-size has no effect with --rings none");
    if (options->no_rings && options->dma_rings)
        return cli_usage_error("--dma-rings contradicts --rings none");
    return 0;
}

/* ---- --fail-at ENGINE.STEP:CODE ---------------------------------------------------------- */

/* Steps of an engine's chain in any generation; a TopSP has those of SP. */
static bool is_chain_step(enum trn_hal_step step)
{
    return step >= TRN_HAL_STEP_REGS_INIT && step <= TRN_HAL_STEP_RELEASE_ENG_RUN_STALL;
}

static int list_steps(const char *name, const char *what)
{
    char names[512] = "";
    for (int s = 0; s < TRN_HAL_STEPS; s++) {
        if (!is_chain_step((enum trn_hal_step)s))
            continue;
        strncat(names, *names ? ", " : "", sizeof names - strlen(names) - 1);
        strncat(names, trn_hal_step_name((enum trn_hal_step)s), sizeof names - strlen(names) - 1);
    }
    return cli_usage_error("--fail-at: '%s' %s; steps are %s", name, what, names);
}

/* A step by its name or a prefix that only one name has. */
static int find_step(const char *name, enum trn_hal_step *step)
{
    unsigned found = 0;
    for (int s = 0; s < TRN_HAL_STEPS; s++) {
        const char *full = trn_hal_step_name((enum trn_hal_step)s);
        if (!is_chain_step((enum trn_hal_step)s) || strncmp(full, name, strlen(name)) != 0)
            continue;
        *step = (enum trn_hal_step)s;
        if (strcmp(full, name) == 0)
            return 0;
        found++;
    }
    if (found == 1)
        return 0;
    return list_steps(name, found ? "is the beginning of several steps" : "is no step");
}

/* Cut "ENGINE.STEP:CODE" into its parts, in place. */
static bool split_fail_at(char *text, char **step, char **code)
{
    char *dot = strchr(text, '.'), *colon = dot ? strchr(dot, ':') : NULL;
    if (!colon || dot == text || colon == dot + 1)
        return false;
    *dot = *colon = '\0';
    *step = dot + 1;
    *code = colon + 1;
    return true;
}

static bool parse_code(const char *text, trn_status *code)
{
    char *end = NULL;
    errno = 0;
    const long value = strtol(text, &end, 0);
    *code = (trn_status)value;
    return *text && *end == '\0' && errno == 0 && value < 0 && value >= INT32_MIN;
}

static int find_engine(const char *name, int *engine)
{
    *engine = -1;
    if (strcmp(name, "topsp") == 0)
        return 0;
    *engine = run_engine_find(name);
    return *engine >= 0
               ? 0
               : cli_usage_error(
                     "--fail-at: unknown engine '%s'; pe, act, pool, dve, sp and topsp exist",
                     name);
}

static int check_step_exists(const struct bringup_options *options, const struct trn_hal *hal)
{
    const int engine = options->fail_engine < 0 ? TRN_HAL_SP : options->fail_engine;
    const char *name = options->fail_engine < 0 ? "topsp" : trn_engine_name(engine);
    const char *step = trn_hal_step_name(options->fail_step);
    if (!trn_hal_engine_has_step(hal, engine, options->fail_step))
        return cli_usage_error("--fail-at: %s has no step %s on %s", name, step,
                               options->gen->name);
    if (options->fail_engine < 0 && !options->topsp)
        return cli_usage_error("--fail-at: no TopSP is brought up without --topsp");
    if (options->fail_engine >= 0 && options->engine_mask && !(options->engine_mask >> engine & 1))
        return cli_usage_error("--fail-at: --engine leaves %s out", name);
    return 0;
}

int bringup_check_fail_at(struct bringup_options *options, const struct trn_hal *hal)
{
    char text[128], *step = NULL, *code = NULL;
    if (!options->fail_text)
        return 0;
    const size_t length = strlen(options->fail_text);
    if (length < sizeof text)
        memcpy(text, options->fail_text, length + 1);
    if (length >= sizeof text || !split_fail_at(text, &step, &code))
        return cli_usage_error("--fail-at: '%s' is not like pool.hw_decode:-1", options->fail_text);
    int status = find_engine(text, &options->fail_engine);
    if (status == 0)
        status = find_step(step, &options->fail_step);
    if (status == 0 && !parse_code(code, &options->fail_code))
        status = cli_usage_error("--fail-at: '%s' is no negative status", code);
    return status ? status : check_step_exists(options, hal);
}
