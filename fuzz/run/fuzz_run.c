/* SPDX-License-Identifier: Apache-2.0 */
/* A random program run under a step limit: the run always ends in a report, never in a crash, and
 * running it again in pieces gives the same report and the same bytes. */
#include <stdlib.h>
#include <string.h>

#include "support/wordgen.h"
#include "trench/device.h"

enum { MAX_WORDS = 40, LIMIT = 200, QUEUE_SPACING = 0x1000000, SAMPLE = 8192 };

static void require(int condition)
{
    if (!condition)
        abort();
}

struct input {
    const uint8_t *data;
    size_t size;
    struct trn_wordgen more; /* bytes past the end: short inputs shall make whole programs too */
};

static struct input open_input(const uint8_t *data, size_t size)
{
    uint64_t seed = size;
    for (size_t i = 0; i < size; i++)
        seed = (seed ^ data[i]) * UINT64_C(0x100000001B3);
    return (struct input){data, size, trn_wordgen_init(seed)};
}

static void take(struct input *in, void *out, size_t size)
{
    uint8_t *bytes = out;
    for (size_t i = 0; i < size; i++) {
        bytes[i] = in->size > 0 ? *in->data++ : (uint8_t)trn_wordgen_next(&in->more);
        in->size -= in->size > 0;
    }
}

static uint8_t take_byte(struct input *in)
{
    uint8_t byte;
    take(in, &byte, 1);
    return byte;
}

struct program {
    uint8_t words[TRN_ENGINES][MAX_WORDS][TRN_INST_BYTES];
    size_t num_words[TRN_ENGINES];
};

/* Raw bytes, a valid word of an opcode, such a word with a small change, or several valid words of
 * any opcodes. */
enum kind { RAW, MUTATED, VALID, SEVERAL, KINDS };

static void take_words(struct input *in, const struct trn_gen *gen, int engine, struct program *p)
{
    struct trn_wordgen g = trn_wordgen_init(0);
    const uint8_t control = take_byte(in), opcode = take_byte(in);
    const enum kind kind = (enum kind)(control % KINDS);
    const struct trn_wordgen_want want = {.opcode = kind == SEVERAL ? -1 : opcode,
                                          .engine = engine};
    take(in, &g.state, sizeof g.state);
    for (unsigned n = 0; n < (kind == SEVERAL ? 1u + control / KINDS % 8 : 1u); n++) {
        if (p->num_words[engine] == MAX_WORDS)
            return;
        uint8_t *word = p->words[engine][p->num_words[engine]++];
        if (kind == RAW || !trn_wordgen_valid(&g, gen, &want, word))
            take(in, word, TRN_INST_BYTES);
        else if (kind == MUTATED)
            trn_wordgen_mutate(&g, gen, word);
    }
}

static void take_program(struct input *in, const struct trn_gen *gen, struct program *p)
{
    memset(p, 0, sizeof *p);
    for (unsigned groups = 1 + take_byte(in) % 16; groups > 0; groups--)
        take_words(in, gen, take_byte(in) % TRN_ENGINES, p);
}

struct outcome {
    struct trn_run_report report;
    uint8_t sbuf[SAMPLE], psum[SAMPLE], hbm[SAMPLE];
    uint32_t semaphores[256];
};

static void read_back(struct trn_device *device, struct outcome *out)
{
    const struct trn_bus *bar0 = trn_device_bar0(device), *bar4 = trn_device_bar4(device);
    require(bar0->read_block(bar0->context, trn_device_space_offset(device, TRN_SPACE_SBUF),
                             out->sbuf, SAMPLE) == TRN_OK);
    require(bar0->read_block(bar0->context, trn_device_space_offset(device, TRN_SPACE_PSUM),
                             out->psum, SAMPLE) == TRN_OK);
    require(bar4->read_block(bar4->context, 0, out->hbm, SAMPLE) == TRN_OK);
    for (unsigned s = 0; s < 256; s++)
        out->semaphores[s] = trn_device_semaphore(device, s);
}

static void run(const struct trn_gen *gen, const struct program *p,
                const struct trn_device_options *options, uint64_t piece, struct outcome *out)
{
    struct trn_device *device = NULL;
    require(trn_device_create(gen, options, &device, NULL) == TRN_OK);
    const struct trn_bus *bar4 = trn_device_bar4(device);
    for (int e = 0; e < TRN_ENGINES; e++) {
        const uint64_t place = (uint64_t)QUEUE_SPACING * ((unsigned)e + 1);
        require(bar4->write_block(bar4->context, place, p->words[e],
                                  p->num_words[e] * TRN_INST_BYTES) == TRN_OK);
        if (p->num_words[e] > 0)
            trn_device_start(device, e, place);
    }
    for (uint64_t used = 0; used < LIMIT; used += piece) {
        require(trn_device_run(device, piece, &out->report) == TRN_OK);
        if (out->report.status != TRN_RUN_LIMIT)
            break;
    }
    read_back(device, out);
    trn_device_destroy(device);
}

static void expect_same(const struct outcome *a, const struct outcome *b)
{
    require(a->report.status == b->report.status);
    require(a->report.num_faults == b->report.num_faults);
    require(a->report.num_notifications == b->report.num_notifications);
    for (int e = 0; e < TRN_ENGINES; e++) {
        require(a->report.engines[e].state == b->report.engines[e].state);
        require(a->report.engines[e].retired == b->report.engines[e].retired);
        require(a->report.engines[e].pc == b->report.engines[e].pc);
    }
    require(memcmp(a->sbuf, b->sbuf, SAMPLE) == 0);
    require(memcmp(a->psum, b->psum, SAMPLE) == 0);
    require(memcmp(a->hbm, b->hbm, SAMPLE) == 0);
    require(memcmp(a->semaphores, b->semaphores, sizeof a->semaphores) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct program program;
    static struct outcome whole, pieces;
    struct input in = open_input(data, size);
    const struct trn_gen *gen = trn_gen_at(take_byte(&in) % TRN_GEN_COUNT);
    const uint8_t flags = take_byte(&in);
    struct trn_device_options options = {.reset = (enum trn_reset)(flags % 3),
                                         .reset_seed = 1,
                                         .schedule_seed = take_byte(&in),
                                         .hbm_bytes = 8 * QUEUE_SPACING,
                                         .strict_pc_bounds = (flags & 4) != 0,
                                         .semaphores_unsigned = (flags & 8) != 0};
    take_program(&in, gen, &program);
    run(gen, &program, &options, LIMIT, &whole);
    options.track = options.check_uninit = options.digest = (flags & 16) != 0;
    options.check_race = (flags & 64) != 0;
    options.threads = (flags & 32) != 0 ? 2 : 1;
    run(gen, &program, &options, 10, &pieces);
    expect_same(&whole, &pieces);
    return 0;
}
