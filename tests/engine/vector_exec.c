/* SPDX-License-Identifier: Apache-2.0 */
/* Executes what it reads from standard input and writes the answers to standard output, so that an
 * independent program can check vector words. Numbers are little-endian; a command is one byte:
 *
 *   G gen threads            work on a core of generation `gen`, with so many threads (u8 each)
 *   W space partition parts byte size data   host write: u8 u8 u8 u32 u32, then parts * size bytes
 *   R space partition parts byte size        host read; answer: parts * size bytes
 *   r number value           set register: u8 u32
 *   S number num[4] step[4]  set shape register: u8, u16 and i16
 *   M engine fn saturate suppress   FP8 reading of an engine: u8 each
 *   Q engine on              stochastic rounding of an engine: u8 each
 *   q engine dtype seed      seed its generators: u8 u8 u32
 *   Z                        reset the engine state
 *   V policy layout          choices about words with several scalars (trench/vector.h): u8 each
 *   v                        answer: since the last v, words that wanted another number of scalars
 *                            than was loaded, another class, and did nothing: u32 each
 *   B codec                  cptc_codec: u8
 *   K partition              answer: length of the CPTC tile, u32, and so many fp32 values
 *   k                        answer: words that a kernel refused since the last k, u32, and the
 *                            last line about one, a u8 length and the bytes
 *   N wanted                 numeric causes that words look for from now on: u8
 *   n                        answer: the flags met since the last n (engine/numeric.h), u32
 *   X engine word            run a word: u8, 64 bytes; answer: the rule of the static check that it
 *                            breaks, fault class u8 (0: none, 255: no handler), rule and message
 *                            of the fault; texts are a u8 length and the bytes
 *   T which bytes            a table of the activation engine: u8 (CAM, PROFILE, CONTROL, BUCKET),
 *                            and all its bytes
 *   A                        register the tables as they are now as one more set
 *   D value mask ...         special-value registers from zero_val on: u32 each, 8 of them
 *   Y negzero                choice act.negzero_is_zero: u8
 *   U strict                 refuse what is undefined on PE: u8
 *   C                        answer: how often each model choice was used since the last C, u32
 *                            each, after their number as u32
 *
 * Exit status 1 and a line on standard error when the input makes no sense.
 */
#include <stdio.h>
#include <stdlib.h>

#include "engine/vector_core.h"
#include "trench/isa.h"

static struct core cores[TRN_GEN_COUNT];
static unsigned core_threads[TRN_GEN_COUNT];
static uint8_t buffer[1 << 20];

static _Noreturn void stop(const char *why)
{
    fprintf(stderr, "vector_exec: %s\n", why);
    exit(1);
}

static void take(void *data, size_t size)
{
    if (size && fread(data, size, 1, stdin) != 1)
        stop("input ends inside a command");
}

static void give(const void *data, size_t size)
{
    if (size && fwrite(data, size, 1, stdout) != 1)
        stop("cannot write");
}

static uint8_t take8(void)
{
    uint8_t value;
    take(&value, sizeof value);
    return value;
}

static uint32_t take32(void)
{
    uint32_t value;
    take(&value, sizeof value);
    return value;
}

static struct core *select_core(void)
{
    const uint8_t gen = take8(), threads = take8();
    if (gen >= TRN_GEN_COUNT)
        stop("no such generation");
    struct core *core = &cores[gen];
    if (!core->mem && !core_open(core, trn_gen_at(gen), threads))
        stop("cannot make a core");
    else if (core_threads[gen] && core_threads[gen] != threads) {
        trn_workers_destroy(core->workers);
        if (trn_workers_create(threads, &core->workers) != TRN_OK)
            stop("cannot make threads");
    }
    core_threads[gen] = threads;
    return core;
}

static void access_memory(struct core *core, bool write)
{
    const enum trn_space space = take8() ? TRN_SPACE_PSUM : TRN_SPACE_SBUF;
    const uint8_t first = take8(), parts = take8();
    const uint32_t byte = take32(), size = take32();
    if (size > sizeof buffer)
        stop("block too large");
    for (uint32_t p = first; p < (uint32_t)first + parts; p++) {
        if (write)
            take(buffer, size);
        const trn_status status = write ? core_poke(core, space, p, byte, buffer, size)
                                        : core_peek(core, space, p, byte, buffer, size);
        if (status != TRN_OK)
            stop("address outside the device");
        if (!write)
            give(buffer, size);
    }
}

static void set_shape(struct core *core)
{
    struct trn_shape *shape = &core->regs.shape[take8() % 4];
    take(shape->num, sizeof shape->num);
    take(shape->step, sizeof shape->step);
}

static void set_mode(struct core *core)
{
    struct trn_num_mode *mode = &core->state->mode[take8() % TRN_NUM_ENGINES];
    mode->fp8_e4m3 = take8() ? TRN_FP8_FN : TRN_FP8_LEGACY;
    mode->fp8_saturate = take8() != 0;
    mode->fp8_nan_suppress = take8() != 0;
}

static void give_text(const char *text)
{
    const size_t length = strlen(text);
    const uint8_t size = (uint8_t)(length < 255 ? length : 255);
    give(&size, 1);
    give(text, size);
}

static void run_word(struct core *core)
{
    uint8_t word[64];
    const uint8_t engine = take8();
    take(word, sizeof word);
    const struct trn_check_options options = {.engine = engine};
    struct trn_violation broken = {.rule = ""};
    size_t number = 0;
    trn_check_word(core->gen, word, &options, &broken, 1, &number);
    give_text(number && !broken.warning ? broken.rule : "");

    const trn_status status = core_run(core, engine, word);
    uint8_t klass = (uint8_t)core->fault.klass;
    if (status == TRN_ERR_NOT_FOUND)
        klass = 255;
    else if ((status == TRN_OK) != (klass == TRN_FAULT_NONE))
        stop("status and fault do not agree");
    give(&klass, 1);
    give_text(core->fault.rule);
    give_text(core->fault.message);
}

static void give_choices(struct core *core)
{
    const uint32_t number = TRN_CHOICE_COUNT;
    give(&number, sizeof number);
    for (uint32_t i = 0; i < number; i++) {
        const uint32_t count = (uint32_t)core->choices.count[i];
        give(&count, sizeof count);
        core->choices.count[i] = 0;
    }
}

static void seed(struct core *core)
{
    const uint8_t engine = take8() % TRN_NUM_ENGINES, dtype = take8() % TRN_SR_SLOTS;
    trn_stochastic_seed(&core->state->vector.stochastic[engine], dtype, take32());
}

/* As the bus does it. */
static void write_table(struct core *core)
{
    struct trn_act_store *store = &core->state->act.store;
    uint8_t *const bytes[] = {store->cam, store->profile, store->control, store->bucket};
    static const size_t size[] = {(size_t)TRN_ACT_CAM_ENTRIES * TRN_ACT_CAM_BYTES,
                                  (size_t)TRN_ACT_PROFILE_ENTRIES * TRN_ACT_PROFILE_BYTES,
                                  (size_t)TRN_ACT_CONTROL_ENTRIES * TRN_ACT_CONTROL_BYTES,
                                  (size_t)TRN_ACT_BUCKET_ENTRIES * TRN_ACT_BUCKET_BYTES};
    const uint8_t which = take8() % 4;
    take(bytes[which], size[which]);
    store->writes++;
}

static void register_set(struct core *core)
{
    const struct trn_act_tables tables = trn_act_store_tables(&core->state->act, core->gen);
    if (trn_act_register(&core->state->act, &tables) != TRN_OK)
        stop("cannot register a set");
}

static void set_detectors(struct core *core)
{
    static uint32_t registers[TRN_GEN_COUNT][8];
    uint32_t *mine = registers[core - cores];
    for (int i = 0; i < 8; i++)
        mine[i] = take32();
    core->state->act.registers = mine;
}

static void give_scalars(struct core *core)
{
    struct trn_vector_state *vector = &core->state->vector;
    uint64_t *const counts[] = {&vector->stale_scalars, &vector->mixed_scalars,
                                &vector->logged_stubs};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        const uint32_t count = (uint32_t)*counts[i];
        give(&count, sizeof count);
        *counts[i] = 0;
    }
}

static void give_tile(struct core *core)
{
    const struct trn_pool_state *pool = &core->state->pool;
    const uint8_t partition = take8() % TRN_CPTC_TILE_ROWS;
    give(&pool->length, sizeof pool->length);
    give(pool->tile[partition], pool->length * sizeof pool->tile[0][0]);
}

static void give_kernel_errors(struct core *core)
{
    const uint32_t count = (uint32_t)core->state->pool.kernel_errors;
    give(&count, sizeof count);
    give_text(core->kernel_error);
    core->state->pool.kernel_errors = 0;
    core->kernel_error[0] = '\0';
}

static void execute(struct core *core, int command)
{
    switch (command) {
    case 'W':
    case 'R':
        access_memory(core, command == 'W');
        break;
    case 'r': {
        const uint8_t number = take8() % 64;
        core->regs.r[number] = take32();
        break;
    }
    case 'S':
        set_shape(core);
        break;
    case 'M':
        set_mode(core);
        break;
    case 'Q': {
        const uint8_t engine = take8() % TRN_NUM_ENGINES;
        core->state->vector.stochastic[engine].on = take8() != 0;
        break;
    }
    case 'q':
        seed(core);
        break;
    case 'V':
        core->state->vector.options.stub_policy = take8() % 3;
        core->state->vector.options.pair_layout = take8() % 2;
        break;
    case 'v':
        give_scalars(core);
        break;
    case 'B':
        core->state->pool.codec = take8() % 2;
        break;
    case 'K':
        give_tile(core);
        break;
    case 'k':
        give_kernel_errors(core);
        break;
    case 'Z':
        trn_engine_state_reset(core->state, core->gen);
        break;
    case 'N':
        core->numeric_wanted = take8();
        break;
    case 'n':
        give(&core->numeric_met, sizeof core->numeric_met);
        core->numeric_met = 0;
        break;
    case 'X':
        run_word(core);
        break;
    case 'T':
        write_table(core);
        break;
    case 'A':
        register_set(core);
        break;
    case 'D':
        set_detectors(core);
        break;
    case 'Y':
        core->state->act.negzero_is_zero = take8() != 0;
        break;
    case 'U':
        core->state->pe.options.strict = take8() != 0;
        break;
    case 'C':
        give_choices(core);
        break;
    default:
        stop("unknown command");
    }
}

int main(void)
{
    struct core *core = NULL;
    for (int command; (command = getchar()) != EOF;) {
        if (command == 'G')
            core = select_core();
        else if (!core)
            stop("no core selected");
        else
            execute(core, command);
    }
    for (unsigned i = 0; i < TRN_GEN_COUNT; i++)
        if (cores[i].mem)
            core_close(&cores[i]);
    return 0;
}
