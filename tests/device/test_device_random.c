/* SPDX-License-Identifier: Apache-2.0 */
/* Random programs: whatever the words are, a run ends in a report, and the same program gives the
 * same report, registers, semaphores and memory with any number of threads and in any pieces. */
#include <string.h>

#include "seq/fixture.h"
#include "support/wordgen.h"

enum { WORDS = 24, LIMIT = 400, MEMORY = 4096 };

struct outcome {
    enum trn_run_status status;
    uint64_t retired[TRN_ENGINES], pc[TRN_ENGINES];
    size_t num_faults, num_notifications;
    char fault[320];
    uint32_t semaphores[256], registers[TRN_ENGINES][64];
    uint8_t sbuf[MEMORY], psum[MEMORY], hbm[MEMORY];
};

/* Valid words, near misses and noise; the last word halts. */
static void make_program(struct trn_wordgen *g, const struct trn_gen *gen, int engine,
                         struct program *p)
{
    *p = program_for(gen);
    while (p->num_words < WORDS - 1) {
        const struct trn_wordgen_want want = {.opcode = -1, .engine = engine};
        uint8_t *word = p->word[p->num_words++];
        const uint32_t kind = trn_wordgen_below(g, 16);
        if (kind == 0)
            trn_wordgen_random(g, gen, word);
        else if (!trn_wordgen_valid(g, gen, &want, word))
            p->num_words--;
        if (kind == 1)
            trn_wordgen_mutate(g, gen, word);
    }
    add(p, TRN_OPCODE_HALT);
}

static void run_programs(const struct trn_gen *gen, const struct program *programs,
                         const struct trn_device_options *options, uint64_t piece,
                         struct outcome *out)
{
    struct fixture core = open_core(gen, options);
    memset(out, 0, sizeof *out);
    for (int e = PE; e <= SP; e++)
        if (e != ACT || gen->has_act)
            start(&core, e, &programs[e]);
    uint64_t used = 0;
    do {
        run(&core, piece);
        used += piece;
    } while (core.report.status == TRN_RUN_LIMIT && used < LIMIT);
    out->status = core.report.status;
    out->num_faults = core.report.num_faults;
    out->num_notifications = core.report.num_notifications;
    if (out->num_faults)
        strncpy(out->fault, core.report.faults[0].message, sizeof out->fault - 1);
    for (int e = PE; e <= SP; e++) {
        out->retired[e] = core.report.engines[e].retired;
        out->pc[e] = core.report.engines[e].pc;
        for (unsigned r = 0; r < 64; r++)
            out->registers[e][r] = reg_of(&core, e, r);
    }
    for (unsigned s = 0; s < 256; s++)
        out->semaphores[s] = sem_of(&core, s);
    const struct trn_bus *bar0 = trn_device_bar0(core.device);
    const struct trn_bus *bar4 = trn_device_bar4(core.device);
    bar0->read_block(bar0->context, trn_device_space_offset(core.device, TRN_SPACE_SBUF), out->sbuf,
                     MEMORY);
    bar0->read_block(bar0->context, trn_device_space_offset(core.device, TRN_SPACE_PSUM), out->psum,
                     MEMORY);
    bar4->read_block(bar4->context, 0, out->hbm, MEMORY);
    close_core(&core);
}

static void expect_same(const struct outcome *a, const struct outcome *b, const char *what,
                        uint64_t seed)
{
    if (memcmp(a, b, sizeof *a) != 0)
        fail_msg("seed %llu: %s changes the result (%s, %s)", (unsigned long long)seed, what,
                 trn_run_status_name(a->status), trn_run_status_name(b->status));
}

static void test_random_programs_are_deterministic(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        const struct trn_gen *gen = trn_gen_at((unsigned)(seed % TRN_GEN_COUNT));
        static struct program programs[TRN_ENGINES];
        static struct outcome base, other;
        struct trn_wordgen g = trn_wordgen_init(seed);
        for (int e = PE; e <= SP; e++)
            if (e != ACT || gen->has_act)
                make_program(&g, gen, e, &programs[e]);
        struct trn_device_options options = {.reset = TRN_RESET_RANDOM, .reset_seed = seed};
        run_programs(gen, programs, &options, LIMIT, &base);
        run_programs(gen, programs, &options, 1, &other);
        expect_same(&base, &other, "running word by word", seed);
        options.threads = 3;
        run_programs(gen, programs, &options, LIMIT, &other);
        expect_same(&base, &other, "the number of threads", seed);
        options.threads = 1;
        options.track = options.check_uninit = options.check_race = options.digest = true;
        run_programs(gen, programs, &options, LIMIT, &other);
        expect_same(&base, &other, "watching", seed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_programs_are_deterministic)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
