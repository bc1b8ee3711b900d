/* SPDX-License-Identifier: Apache-2.0 */
/* --gen all: the program on every generation where it is legal, and with --diff the first word
 * whose written bytes differ from those on the first of them. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/run.h"

enum { CHOICE_WORDS = (TRN_CHOICE_COUNT + 63) / 64, MAX_TRACE = 1 << 22 };

/* One retired word, or behind the last one the place where the engine ended. */
struct step {
    bool end;
    enum trn_engine_run_state state; /* of an end */
    uint64_t number;                 /* in the order of the whole run */
    uint64_t pc;                     /* from the engine's first word */
    uint64_t digest;
    uint64_t choices[CHOICE_WORDS]; /* bit: model choices it used */
};

/* What one engine did, word by word. */
struct trace {
    struct step *steps;
    size_t count, capacity;
};

/* One generation's part in it. */
struct attempt {
    const struct trn_gen *gen;
    bool ran;
    struct trn_diag why_not;
    struct run_core core;
    struct trace traces[TRN_ENGINES];
    uint64_t num_steps;
};

/* ---- legality ------------------------------------------------------------------------------ */

static trn_status check_word(const struct trn_gen *gen, const struct run_queue *queue, size_t index,
                             struct trn_diag *diag)
{
    const uint8_t *word = queue->words + index * TRN_INST_BYTES;
    const struct trn_check_options options = {.engine = queue->engine};
    struct trn_violation found[16];
    size_t count = 0;
    char where[64];
    snprintf(where, sizeof where, "%s:0x%zx", trn_engine_name(queue->engine),
             index * TRN_INST_BYTES);
    if (trn_check_word(gen, word, &options, found, 16, &count) != TRN_OK) {
        size_t i = 0;
        while (i + 1 < count && i + 1 < 16 && found[i].warning)
            i++;
        return trn_diag_set(diag, TRN_ERR_INVALID, where, found[i].rule, NULL, "%s",
                            found[i].message);
    }
    const struct trn_word_info info = trn_word_info(gen, word);
    if (!trn_opcode_modelled(gen, queue->engine, info.opcode))
        return trn_diag_set(diag, TRN_ERR_UNSUPPORTED, where, NULL, NULL, "%s is not modelled yet",
                            info.name ? info.name : "the opcode");
    return TRN_OK;
}

static trn_status check_program(const struct trn_gen *gen, const struct run_program *program,
                                struct trn_diag *diag)
{
    unsigned number = 0;
    while (trn_gen_at(number) != gen)
        number++;
    if (!(program->gens >> number & 1))
        return trn_diag_set(diag, TRN_ERR_UNSUPPORTED, NULL, NULL, NULL,
                            "the text's .gen does not list it");
    for (size_t q = 0; q < program->num_queues; q++)
        for (size_t i = 0; i < program->queues[q].num_words; i++) {
            const trn_status status = check_word(gen, &program->queues[q], i, diag);
            if (status != TRN_OK)
                return status;
        }
    return TRN_OK;
}

/* ---- runs ---------------------------------------------------------------------------------- */

static struct step *next_step(struct trace *trace)
{
    if (trace->count == trace->capacity) {
        const size_t wanted = trace->capacity ? 2 * trace->capacity : 256;
        struct step *grown = realloc(trace->steps, wanted * sizeof *grown);
        if (!grown)
            return NULL;
        trace->steps = grown;
        /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): run_all frees every trace */
        trace->capacity = wanted;
    }
    return &trace->steps[trace->count++];
}

static trn_status record_step(struct attempt *attempt, const uint64_t *before)
{
    struct trn_word_report last;
    trn_device_last_word(attempt->core.device, &last);
    struct step *step = next_step(&attempt->traces[last.engine]);
    const struct run_queue *queue = run_queue_of(&attempt->core.program, last.engine);
    if (!step)
        return TRN_ERR_NO_MEMORY;
    *step = (struct step){.number = attempt->num_steps++,
                          .pc = last.pc - (queue ? queue->address : 0),
                          .digest = last.digest};
    for (unsigned c = 0; c < TRN_CHOICE_COUNT; c++)
        if (attempt->core.report.choices[c] > before[c])
            step->choices[c / 64] |= UINT64_C(1) << c % 64;
    return TRN_OK;
}

/* Where every engine ended, unless only our limit stopped it: then nobody knows what comes next. */
static trn_status record_ends(struct attempt *attempt)
{
    for (size_t q = 0; q < attempt->core.program.num_queues; q++) {
        const struct run_queue *queue = &attempt->core.program.queues[q];
        const struct trn_engine_report *report = &attempt->core.report.engines[queue->engine];
        struct trace *trace = &attempt->traces[queue->engine];
        if (report->state == TRN_ENGINE_RUNNING)
            continue;
        const uint64_t number = trace->count ? trace->steps[trace->count - 1].number + 1 : 0;
        struct step *step = next_step(trace);
        if (!step)
            return TRN_ERR_NO_MEMORY;
        *step = (struct step){.end = true,
                              .state = report->state,
                              .number = number,
                              .pc = report->pc - queue->address};
    }
    return TRN_OK;
}

/* Word by word, keeping what each one wrote. */
static trn_status run_traced(struct attempt *attempt, struct trn_diag *diag)
{
    struct run_core *core = &attempt->core;
    if (core->limit == 0 || core->limit > MAX_TRACE)
        core->limit = MAX_TRACE; /* a comparison needs no more, and every step costs memory */
    trn_device_report(core->device, &core->report);
    for (uint64_t n = 0; n < core->limit; n++) {
        uint64_t before[TRN_CHOICE_COUNT];
        memcpy(before, core->report.choices, sizeof before);
        const uint64_t words = run_retired(&core->report);
        trn_status status = run_device(core, 1);
        if (status == TRN_OK && run_retired(&core->report) > words)
            status = record_step(attempt, before);
        if (status != TRN_OK)
            return trn_diag_set(diag, status, NULL, NULL, NULL, "%s", trn_status_name(status));
        if (core->report.status != TRN_RUN_LIMIT || run_bytes_used_up(core))
            break;
    }
    if (record_ends(attempt) != TRN_OK)
        return trn_diag_set(diag, TRN_ERR_NO_MEMORY, NULL, NULL, NULL, "out of memory");
    return TRN_OK;
}

static trn_status attempt_run(struct attempt *attempt, const struct run_options *options)
{
    struct trn_diag *diag = &attempt->why_not;
    const struct trn_gen *chosen = NULL;
    attempt->core = (struct run_core){.options = options, .gen = attempt->gen};
    trn_status status =
        run_program_make(options, attempt->gen, true, &attempt->core.program, &chosen, diag);
    if (status == TRN_OK)
        status = check_program(attempt->gen, &attempt->core.program, diag);
    if (status == TRN_OK)
        status = run_core_open(&attempt->core, diag);
    if (status == TRN_OK)
        status =
            options->diff ? run_traced(attempt, diag) : run_core_run(&attempt->core, NULL, 0, diag);
    attempt->ran = status == TRN_OK;
    return status;
}

/* ---- the first difference -------------------------------------------------------------------- */

struct difference {
    int engine;
    const struct step *step, *theirs;     /* when one of them is an end, theirs is */
    const struct attempt *where, *others; /* who did what */
};

/* Engines run in turns that may interleave differently, so words pair up by engine and number. */
static bool first_mismatch(const struct trace *base, const struct trace *other, size_t *out)
{
    const size_t count = base->count < other->count ? base->count : other->count;
    for (size_t k = 0; k < count; k++) {
        const struct step *mine = &base->steps[k], *theirs = &other->steps[k];
        *out = k;
        if (mine->end != theirs->end || mine->state != theirs->state || mine->pc != theirs->pc ||
            mine->digest != theirs->digest)
            return true;
    }
    return false;
}

static const struct attempt *base_of(const struct attempt *attempts)
{
    while (!attempts->ran)
        attempts++;
    return attempts;
}

/* The earliest one in the order of the first generation that ran; at least one did. */
static bool first_difference(const struct attempt *attempts, struct difference *out)
{
    const struct attempt *const end = attempts + TRN_GEN_COUNT, *base = base_of(attempts);
    uint64_t earliest = UINT64_MAX;
    for (const struct attempt *other = base + 1; other < end; other++)
        for (int e = 0; other->ran && e < TRN_ENGINES; e++) {
            size_t k = 0;
            if (!first_mismatch(&base->traces[e], &other->traces[e], &k))
                continue;
            const struct step *mine = &base->traces[e].steps[k];
            const struct step *theirs = &other->traces[e].steps[k];
            if (mine->number >= earliest)
                continue;
            earliest = mine->number;
            *out = mine->end && !theirs->end ? (struct difference){e, theirs, mine, other, base}
                                             : (struct difference){e, mine, theirs, base, other};
        }
    return earliest != UINT64_MAX;
}

/* Model choices that the word used on either side: what the difference may come from. */
static bool used_choice(const struct difference *d, unsigned choice)
{
    const uint64_t bit = UINT64_C(1) << choice % 64;
    return (d->step->choices[choice / 64] & bit) || (d->theirs->choices[choice / 64] & bit);
}

/* ---- reports ------------------------------------------------------------------------------- */

/* The word as text; empty when its program counter left the queue. */
static void difference_text(const struct difference *d, char *out, size_t size)
{
    const struct run_queue *queue = run_queue_of(&d->where->core.program, d->engine);
    out[0] = '\0';
    if (queue && d->step->pc / TRN_INST_BYTES < queue->num_words)
        run_text_of(d->where->gen, queue->words + d->step->pc, out, size);
}

static void print_difference(const struct difference *d)
{
    const char *name = d->where->gen->name, *other = d->others->gen->name;
    char text[TRN_DIS_MAX];
    difference_text(d, text, sizeof text);
    printf("first difference: %s:0x%" PRIx64 " %s\n", trn_engine_name(d->engine), d->step->pc,
           text);
    if (d->step->end)
        printf("  %s is %s there, %s is %s at 0x%" PRIx64 "\n", name,
               trn_engine_state_name(d->step->state), other,
               trn_engine_state_name(d->theirs->state), d->theirs->pc);
    else if (d->theirs->end)
        printf("  %s executes it, %s is %s there\n", name, other,
               trn_engine_state_name(d->theirs->state));
    else if (d->theirs->pc == d->step->pc)
        printf("  %s writes other bytes than %s\n", other, name);
    else
        printf("  %s executes another word there\n", other);
    for (unsigned c = 0; c < TRN_CHOICE_COUNT; c++)
        if (used_choice(d, c))
            printf("  rests on %s: %s (%s)\n", trn_choice_table[c].id, trn_choice_table[c].what,
                   trn_choice_table[c].sheet);
}

static json_t *difference_json(const struct difference *d)
{
    char text[TRN_DIS_MAX];
    difference_text(d, text, sizeof text);
    json_t *choices = json_array();
    for (unsigned c = 0; c < TRN_CHOICE_COUNT; c++)
        if (used_choice(d, c))
            json_array_append_new(choices, json_string(trn_choice_table[c].id));
    const char *what = d->theirs->pc == d->step->pc ? "bytes" : "path";
    json_t *object =
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:o}", "engine", trn_engine_name(d->engine), "text",
                  text, "gen", d->where->gen->name, "other", d->others->gen->name, "what",
                  d->theirs->end ? "ended" : what, "model_choices", choices);
    json_object_set_new(object, "pc", run_hex(d->step->pc));
    return object;
}

static void print_skipped(const struct attempt *attempt)
{
    const struct trn_diag *why = &attempt->why_not;
    printf("%s: not run: %s%s%s", attempt->gen->name, why->where, *why->where ? ": " : "",
           why->message);
    printf(*why->rule ? " (rule %s)\n" : "\n", why->rule);
}

static json_t *skipped_json(const struct attempt *attempt)
{
    const struct trn_diag *why = &attempt->why_not;
    return json_pack("{s:s, s:s, s:s, s:s}", "gen", attempt->gen->name, "where", why->where, "rule",
                     why->rule, "reason", why->message);
}

static void report_text(const struct run_options *options, const struct attempt *attempts,
                        unsigned num_ran, const struct difference *d)
{
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++)
        if (attempts[g].ran)
            run_print_text(&attempts[g].core);
        else
            print_skipped(&attempts[g]);
    if (d)
        print_difference(d);
    else if (options->diff && num_ran >= 2)
        puts("no difference");
    else if (options->diff)
        printf("nothing to compare: %s ran\n", num_ran ? "one generation" : "no generation");
}

static void report_json(const struct run_options *options, const struct attempt *attempts,
                        unsigned num_ran, const struct difference *d, const char *status)
{
    json_t *runs = json_array(), *skipped = json_array();
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++)
        if (attempts[g].ran)
            json_array_append_new(runs, run_to_json(&attempts[g].core));
        else
            json_array_append_new(skipped, skipped_json(&attempts[g]));
    json_t *all = json_pack("{s:s, s:s, s:s, s:o, s:o}", "schema", "trench.run/1", "gen", "all",
                            "status", status, "runs", runs, "skipped", skipped);
    if (options->diff && num_ran >= 2)
        json_object_set_new(all, "difference", d ? difference_json(d) : json_null());
    cli_print_json(all);
}

int run_all(struct run_options *options)
{
    struct attempt attempts[TRN_GEN_COUNT] = {0};
    struct difference difference;
    const char *status = "not_run";
    int exit_status = CLI_OK;
    unsigned num_ran = 0;
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++) {
        attempts[g].gen = trn_gen_at(g);
        if (attempt_run(&attempts[g], options) != TRN_OK)
            continue;
        num_ran++;
        run_print_problems(&attempts[g].core);
        if (exit_status == CLI_OK) {
            exit_status = run_core_exit(&attempts[g].core);
            status = run_core_status(&attempts[g].core);
        }
    }
    const bool found = options->diff && num_ran >= 2 && first_difference(attempts, &difference);
    if (options->json)
        report_json(options, attempts, num_ran, found ? &difference : NULL, status);
    else
        report_text(options, attempts, num_ran, found ? &difference : NULL);
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++) {
        run_core_close(&attempts[g].core);
        for (int e = 0; e < TRN_ENGINES; e++)
            free(attempts[g].traces[e].steps);
    }
    if (num_ran == 0)
        return cli_usage_error("no generation can run this program");
    return found ? CLI_DOES_NOT_HOLD : exit_status;
}
