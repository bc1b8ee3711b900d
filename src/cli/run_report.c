/* SPDX-License-Identifier: Apache-2.0 */
/* A run as text: where every engine ended on standard output, what went wrong on standard error. */
#include <inttypes.h>
#include <string.h>

#include "cli/run.h"
#include "cli/run_dma.h"

void run_text_of(const struct trn_gen *gen, const uint8_t *word, char *out, size_t size)
{
    char text[TRN_DIS_MAX];
    trn_dis_word(gen, word, text);
    text[strcspn(text, "\n")] = '\0';
    snprintf(out, size, "%s", text);
}

/* The queue's word at `pc` as text; empty when the program counter left the queue. */
static void queue_text(const struct run_core *core, int engine, uint64_t pc, char *out, size_t size)
{
    const struct run_queue *queue = run_queue_of(&core->program, engine);
    out[0] = '\0';
    if (queue && pc >= queue->address && pc % TRN_INST_BYTES == 0 &&
        (pc - queue->address) / TRN_INST_BYTES < queue->num_words)
        run_text_of(core->gen, queue->words + (pc - queue->address), out, size);
}

/* "cayman: " when the runs of several generations report side by side, else nothing. */
static const char *gen_prefix(const struct run_core *core, char out[32])
{
    out[0] = '\0';
    if (core->options->all)
        snprintf(out, 32, "%s: ", core->gen->name);
    return out;
}

/* Print one problem: `trench: FILE:LINE: error: ENGINE:PC: ...`. */
static void print_problem(const struct run_core *core, int engine, uint64_t pc, const char *where,
                          const char *rule, const char *message)
{
    struct trn_diag diag;
    char place[32], gen[32];
    run_pc(&core->program, engine, pc, place, sizeof place);
    trn_diag_set(&diag, TRN_ERR_FAULT, where, rule, NULL, "%s%s:%s: %s", gen_prefix(core, gen),
                 trn_engine_name(engine), place, message);
    cli_print_diag(&diag);
}

/* Print one problem of a word of its queue. */
static void print_at(const struct run_core *core, int engine, uint64_t pc, const char *message)
{
    char where[256];
    run_where(&core->program, engine, pc, where, sizeof where);
    print_problem(core, engine, pc, where, NULL, message);
}

static void print_fault(const struct run_core *core, const struct trn_fault_report *fault)
{
    char where[256], said[512], message[640], text[TRN_DIS_MAX];
    run_fault_message(&core->program, fault, where, sizeof where, said, sizeof said);
    snprintf(message, sizeof message, "%s: %s", fault->klass, said);
    print_problem(core, fault->engine, fault->pc, where, fault->rule, message);
    queue_text(core, fault->engine, fault->pc, text, sizeof text);
    if (*text)
        fprintf(stderr, "    %s\n", text);
}

static void print_wait(const struct run_core *core, int engine)
{
    static const char *const signs[][2] = {
        {"eq", "=="}, {"lt", "<"}, {"le", "<="}, {"gt", ">"}, {"ge", ">="}};
    const struct trn_engine_report *report = &core->report.engines[engine];
    const char *sign = report->wait_mode;
    char message[128];
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
        if (strcmp(report->wait_mode, signs[i][0]) == 0)
            sign = signs[i][1];
    if (report->wait_is_event)
        snprintf(message, sizeof message,
                 "waits for event %" PRIu32 " to be %s; nobody is left to post it",
                 report->wait_index, sign);
    else
        snprintf(message, sizeof message,
                 "waits for semaphore %" PRIu32 " %s %" PRId64 ", its value is %" PRId64
                 "; nobody is left to post it",
                 report->wait_index, sign, report->wait_want, report->wait_value);
    print_at(core, engine, report->pc, message);
}

static void print_limit(const struct run_core *core)
{
    const uint64_t bytes = core->options->device.byte_limit;
    char gen[32];
    gen_prefix(core, gen);
    if (run_bytes_used_up(core))
        fprintf(stderr,
                "trench: error: %sour limit of %" PRIu64 " bytes is used up (--limit-bytes)\n", gen,
                bytes);
    else
        fprintf(stderr, "trench: error: %sour limit of %" PRIu64 " words is used up (--limit)\n",
                gen, core->limit);
    for (int e = 0; e < TRN_ENGINES; e++) {
        const struct trn_engine_report *report = &core->report.engines[e];
        char first[32], last[32], pc[32];
        if (report->state != TRN_ENGINE_RUNNING)
            continue;
        run_pc(&core->program, e, report->pc, pc, sizeof pc);
        run_pc(&core->program, e, report->loop_first, first, sizeof first);
        run_pc(&core->program, e, report->loop_last, last, sizeof last);
        fprintf(stderr, "    %s at pc %s", trn_engine_name(e), pc);
        if (report->loop_count)
            fprintf(stderr, ", loop %s..%s taken %" PRIu64 " times in a row", first, last,
                    report->loop_count);
        fputc('\n', stderr);
    }
}

static void print_findings(const struct run_core *core)
{
    char message[1024];
    for (size_t i = 0; i < core->report.num_findings; i++) {
        const struct trn_finding_report *found = &core->report.findings[i];
        int engine;
        uint64_t pc;
        const char *kind = run_finding_kind(found);
        const int length = snprintf(message, sizeof message, "%s: ", kind);
        run_finding_message(core, found, message + length, sizeof message - (size_t)length);
        run_finding_place(found, &engine, &pc);
        if (engine >= 0)
            print_at(core, engine, pc, message);
        else
            fprintf(stderr, "trench: error: dma%d: %s\n", found->engine, message);
    }
    for (size_t i = 0; i < core->num_dump_findings; i++) {
        const struct run_dump_finding *found = &core->dump_findings[i];
        fprintf(stderr,
                "trench: %s: error: uninit: dumps %s partition %" PRIu32 " byte %" PRIu64
                ", which nobody wrote\n",
                found->dump->file, trn_space_name(found->dump->space), found->partition,
                found->byte);
    }
}

static void print_warnings(const struct run_core *core)
{
    char gen[32];
    for (int w = 0; w < TRN_WARNINGS; w++)
        if (core->report.warnings[w])
            fprintf(stderr, "trench: warning: %s%s, %" PRIu64 " times\n", gen_prefix(core, gen),
                    trn_warning_name((enum trn_warning)w), core->report.warnings[w]);
}

static void print_full_ring(const struct run_core *core, int engine)
{
    char message[128];
    snprintf(message, sizeof message,
             "waits for room in notification ring %d, which is full; nobody drains it",
             core->report.engines[engine].full_ring);
    print_at(core, engine, core->report.engines[engine].pc, message);
}

static void print_blocked(const struct run_core *core)
{
    for (int e = 0; e < TRN_ENGINES; e++) {
        if (core->report.engines[e].state == TRN_ENGINE_WAITING)
            print_wait(core, e);
        if (core->report.engines[e].state == TRN_ENGINE_POSTING)
            print_full_ring(core, e);
    }
}

void run_print_problems(const struct run_core *core)
{
    print_warnings(core);
    for (size_t i = 0; i < core->report.num_faults; i++)
        print_fault(core, &core->report.faults[i]);
    if (core->report.status == TRN_RUN_DEADLOCK || core->report.status == TRN_RUN_FAULT)
        print_blocked(core);
    if (core->report.status == TRN_RUN_LIMIT)
        print_limit(core);
    print_findings(core);
    if (core->options->break_engine >= 0 && !core->break_reached)
        fprintf(stderr,
                "trench: error: the breakpoint %s:0x%" PRIx64
                " was never reached; no dump was written\n",
                trn_engine_name(core->options->break_engine), core->options->break_pc);
}

static void print_choices(const struct run_core *core)
{
    bool any = false;
    for (int c = 0; c < TRN_CHOICE_COUNT; c++) {
        const struct trn_choice_row *row = &trn_choice_table[c];
        if (core->report.choices[c] == 0)
            continue;
        if (!any)
            puts("the result rests on these model choices:");
        any = true;
        printf("  %-26s %8" PRIu64 "  %s (%s)\n", row->id, core->report.choices[c], row->what,
               row->sheet);
    }
    if (!any)
        puts("the result rests on no model choice");
}

static void print_engine(const struct run_core *core, int engine)
{
    const struct trn_engine_report *report = &core->report.engines[engine];
    char pc[32];
    run_pc(&core->program, engine, report->pc, pc, sizeof pc);
    printf("  %-5s %-8s %8" PRIu64 " words, pc %s\n", trn_engine_name(engine),
           trn_engine_state_name(report->state), report->retired, pc);
}

/* The NOTIFY words, the first few of them; --json has all. */
static void print_notifications(const struct run_core *core)
{
    enum { SHOWN = 8 };
    size_t count = 0;
    for (size_t i = 0; i < core->report.num_notifications; i++) {
        const struct trn_notification *note = &core->report.notifications[i];
        char pc[32];
        if (note->kind != TRN_NOTIFY_EXPLICIT || ++count > SHOWN)
            continue;
        run_pc(&core->program, note->engine, note->pc, pc, sizeof pc);
        printf("  notify from %s:%s: 0x%04x 0x%04x\n", trn_engine_name(note->engine), pc,
               note->soft_reset_counter, note->debug_hint_extended);
    }
    if (count > SHOWN)
        printf("  ... and %zu more\n", count - SHOWN);
}

void run_print_text(const struct run_core *core)
{
    printf("%s: %s\n", core->gen->name, run_core_status(core));
    for (size_t i = 0; i < core->program.num_queues; i++)
        print_engine(core, core->program.queues[i].engine);
    run_dma_text(core);
    print_notifications(core);
    run_rings_text(core);
    run_timing_text(core);
    if (core->options->provenance)
        print_choices(core);
}
