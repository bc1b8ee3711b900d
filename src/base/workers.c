/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each thread has a fixed share of every job, so that from job to job the same rows stay in the
 * caches of the same core. An instruction of a few microseconds leaves little time for talk between
 * cores, where each look at what the other has written takes a fifth of a microsecond: a helper
 * finds all it has to know in one place and answers in another. The caller does a share itself
 * that a helper has not taken when it is needed: a sleeping helper costs its part of the speed-up,
 * never a wait. Helpers look for the next job for some microseconds before they sleep, because
 * instructions follow each other that closely. Jobs of which each thread may do its share without a
 * look at the others are collected, and go to the helpers several at a time.
 *
 * `turn` is odd while a share is offered. It is even again once taken, by the helper or by the
 * caller, whoever's compare-and-swap comes first. Order of memory: the job is written before `turn`
 * becomes odd and read after the share was taken; the caller writes the next one after it has seen
 * the answer, or has taken the share itself.
 */
#include "base/workers.h"

#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    MAX_THREADS = 256,
    CACHE_LINE = 64,
    SPINS = 2000,  /* pauses of 40 to 140 cycles: tens of microseconds */
    PATIENCE = 50, /* pauses until the caller takes back a share: about a microsecond */
    BATCH = 8      /* small jobs that go to the helpers together */
};

struct job {
    trn_workers_body *body; /* NULL: the helper shall end */
    uint32_t begin, end;
    void *context;
};

/* Small jobs of the same items, which every thread does one after the other. */
struct batch {
    unsigned count;
    uint32_t items, place;
    struct small {
        trn_workers_body *body;
        _Alignas(void *) uint8_t context[TRN_WORKERS_SMALL];
    } jobs[BATCH];
};

/* Both sides' words have lines of their own, or each store would make the other side wait. */
struct helper {
    /* written by the caller, but for the helper's taking */
    _Alignas(CACHE_LINE) _Atomic uint32_t turn;
    struct job job;

    /* written by the helper, but for the caller's going to sleep */
    _Alignas(CACHE_LINE) _Atomic uint32_t answer; /* the even `turn` it took; odd: caller sleeps */
    atomic_bool asleep;                           /* or about to be */

    /* the caller's alone */
    _Alignas(CACHE_LINE) uint32_t offered; /* odd `turn` of the last job */
    pthread_t thread;
};

struct trn_workers {
    unsigned threads;   /* with the caller */
    unsigned unsettled; /* threads of a job whose helpers may still be at work; 0: none */
    struct helper *helpers;
    struct batch batches[2]; /* one is collected while helpers may still read the other */
    unsigned collected;      /* which */
};

static void pause_cpu(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#else
    atomic_signal_fence(memory_order_seq_cst);
#endif
}

static void sleep_while(_Atomic uint32_t *word, uint32_t value)
{
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static void wake(_Atomic uint32_t *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static bool is_odd(uint32_t word)
{
    return word % 2 != 0;
}

/* Take the share that is offered as `turn`, if the other side has not. */
static bool take(struct helper *helper, uint32_t turn)
{
    return atomic_compare_exchange_strong(&helper->turn, &turn, turn + 1);
}

static void do_job(const struct job *job)
{
    job->body(job->context, job->begin, job->end);
}

/* ---- a helper ----------------------------------------------------------------------- */

/* `turn` has been even for a while. The caller may miss `asleep` for a job that it is just
 * offering; it then does the share itself, and sees `asleep` with the next job. */
static void sleep_until_job(struct helper *helper, uint32_t turn)
{
    atomic_store(&helper->asleep, true);
    sleep_while(&helper->turn, turn);
    atomic_store(&helper->asleep, false);
}

/* The odd `turn` of a share that is offered. */
static uint32_t wait_for_job(struct helper *helper)
{
    for (;;) {
        uint32_t turn = 0;
        for (unsigned spin = 0; spin < SPINS; spin++) {
            turn = atomic_load_explicit(&helper->turn, memory_order_relaxed);
            if (is_odd(turn))
                return turn;
            pause_cpu();
        }
        sleep_until_job(helper, turn);
    }
}

static void *helper_main(void *argument)
{
    struct helper *helper = argument;
    for (;;) {
        const uint32_t turn = wait_for_job(helper);
        if (!take(helper, turn))
            continue;
        if (!helper->job.body)
            return NULL;
        do_job(&helper->job);
        if (is_odd(atomic_exchange(&helper->answer, turn + 1)))
            wake(&helper->answer);
    }
}

/* ---- the caller --------------------------------------------------------------------- */

static void offer(struct helper *helper)
{
    helper->offered += 2;
    atomic_store_explicit(&helper->turn, helper->offered, memory_order_release);
    if (atomic_load_explicit(&helper->asleep, memory_order_relaxed))
        wake(&helper->turn);
}

static void sleep_until_answer(struct helper *helper, uint32_t expected)
{
    for (;;) {
        uint32_t answer = atomic_load(&helper->answer);
        if (answer == expected)
            return;
        if (is_odd(answer) || atomic_compare_exchange_strong(&helper->answer, &answer, answer + 1))
            sleep_while(&helper->answer, answer | 1);
    }
}

/* The share offered last is done when this returns. */
static void settle(struct helper *helper)
{
    const uint32_t expected = helper->offered + 1;
    for (unsigned spin = 0; spin < SPINS; spin++) {
        if (atomic_load_explicit(&helper->answer, memory_order_acquire) == expected)
            return;
        if (spin == PATIENCE && take(helper, helper->offered)) {
            do_job(&helper->job);
            return;
        }
        pause_cpu();
    }
    sleep_until_answer(helper, expected);
}

/* Rows that a helper does while the caller does 8. The caller starts at once; after a batch he has
 * other things to do. */
enum { CALLER_WEIGHT = 8, HELPER_WEIGHT = 7, BATCH_WEIGHT = 8 };

/* First of a thread's share of `threads` <= count: none is empty. */
static uint32_t share_start(uint32_t count, unsigned threads, unsigned thread, unsigned weight)
{
    const uint64_t before = thread ? CALLER_WEIGHT + (uint64_t)weight * (thread - 1) : 0;
    return (uint32_t)(count * before / (CALLER_WEIGHT + (uint64_t)weight * (threads - 1)));
}

static void settle_helpers(struct trn_workers *workers)
{
    for (unsigned thread = 1; thread < workers->unsettled; thread++)
        settle(&workers->helpers[thread - 1]);
    workers->unsettled = 0;
}

/* Offer the helpers their shares and do the caller's. */
static void begin(struct trn_workers *workers, uint32_t count, trn_workers_body *body,
                  void *context, unsigned helper_weight)
{
    const unsigned threads = count < workers->threads ? count : workers->threads;
    struct job job = {.body = body, .end = count, .context = context};
    settle_helpers(workers);
    for (unsigned thread = threads - 1; thread > 0; thread--) {
        struct helper *helper = &workers->helpers[thread - 1];
        job.begin = share_start(count, threads, thread, helper_weight);
        helper->job = job;
        offer(helper);
        job.end = job.begin;
    }
    workers->unsettled = threads;
    job.begin = 0;
    do_job(&job);
}

void trn_workers_run(struct trn_workers *workers, uint32_t count, trn_workers_body *body,
                     void *context)
{
    trn_workers_settle(workers);
    if (count == 0)
        return;
    if (trn_workers_count(workers) == 1) {
        body(context, 0, count);
        return;
    }
    begin(workers, count, body, context, HELPER_WEIGHT);
    settle_helpers(workers);
}

/* ---- small jobs --------------------------------------------------------------------- */

static void do_batch(void *context, uint32_t begin, uint32_t end)
{
    struct batch *batch = context;
    for (unsigned i = 0; i < batch->count; i++)
        batch->jobs[i].body(batch->jobs[i].context, begin, end);
}

static void launch(struct trn_workers *workers)
{
    struct batch *batch = &workers->batches[workers->collected];
    begin(workers, batch->items, do_batch, batch, BATCH_WEIGHT);
    workers->collected = 1 - workers->collected;
    workers->batches[workers->collected].count = 0;
}

void trn_workers_begin_small(struct trn_workers *workers, uint32_t place, uint32_t count,
                             trn_workers_body *body, void *context, size_t size)
{
    if (trn_workers_count(workers) == 1 || count == 0) {
        trn_workers_run(workers, count, body, context);
        return;
    }
    struct batch *batch = &workers->batches[workers->collected];
    if (batch->count && (batch->place != place || batch->items != count)) {
        launch(workers);
        batch = &workers->batches[workers->collected];
    }
    struct small *small = &batch->jobs[batch->count++];
    small->body = body;
    memcpy(small->context, context, size);
    batch->place = place;
    batch->items = count;
    if (batch->count == BATCH || place == TRN_WORKERS_ALONE)
        launch(workers);
}

void trn_workers_settle(struct trn_workers *workers)
{
    if (!workers)
        return;
    if (workers->batches[workers->collected].count)
        launch(workers);
    settle_helpers(workers);
}

/* ---- life --------------------------------------------------------------------------- */

/* The application's signals are delivered to its own threads. */
static bool start_helper(struct helper *helper)
{
    sigset_t all, before;
    memset(helper, 0, sizeof *helper);
    helper->offered = UINT32_MAX; /* one less than an even `turn` of 0 */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int error = pthread_create(&helper->thread, NULL, helper_main, helper);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error == 0;
}

static void stop_helper(struct helper *helper)
{
    helper->job.body = NULL;
    offer(helper);
    wake(&helper->turn); /* this job must not be missed */
    pthread_join(helper->thread, NULL);
}

trn_status trn_workers_create(unsigned threads, struct trn_workers **out)
{
    *out = NULL;
    if (threads == 0 || threads > MAX_THREADS)
        return TRN_ERR_INVALID;
    struct trn_workers *workers = calloc(1, sizeof *workers);
    if (!workers)
        return TRN_ERR_NO_MEMORY;
    workers->threads = 1;
    workers->helpers = aligned_alloc(CACHE_LINE, threads * sizeof *workers->helpers);
    bool ok = workers->helpers != NULL;
    while (ok && workers->threads < threads) {
        ok = start_helper(&workers->helpers[workers->threads - 1]);
        workers->threads += ok;
    }
    if (!ok) {
        trn_workers_destroy(workers);
        return TRN_ERR_NO_MEMORY;
    }
    *out = workers;
    return TRN_OK;
}

void trn_workers_destroy(struct trn_workers *workers)
{
    if (!workers)
        return;
    trn_workers_settle(workers);
    for (unsigned i = 0; i + 1 < workers->threads; i++)
        stop_helper(&workers->helpers[i]);
    free(workers->helpers);
    free(workers);
}

unsigned trn_workers_count(const struct trn_workers *workers)
{
    return workers ? workers->threads : 1;
}
