/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The work is cut into a fixed number of pieces. A thread takes a piece by compare-and-swap on
 * `ticket`, so whoever is awake does the work: a sleeping helper costs its share of the speed-up,
 * never a wait. The caller takes from the front and helpers from the back, so that from job to job
 * a piece mostly stays with one core's cache. Helpers look for the next job for some microseconds
 * before they sleep, because instructions follow each other that closely.
 *
 * Order of memory: a job's fields are written before `ticket` is published and read after a piece
 * was taken; they cannot change while a taken piece is not yet counted in `pending`.
 */
#include "base/workers.h"

#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    MAX_THREADS = 256,
    PIECES_PER_THREAD = 2, /* a helper that wakes late still finds something to take */
    SPINS = 2000           /* pauses of 40 to 140 cycles: tens of microseconds */
};

/* Pieces [front, back) of job number `job` are not yet taken. */
struct ticket {
    uint32_t job;
    uint16_t front, back;
};

struct trn_workers {
    unsigned threads; /* with the caller */
    pthread_t *helpers;

    /* the job */
    void (*body)(void *context, uint32_t begin, uint32_t end);
    void *context;
    uint32_t count, pieces;

    _Atomic uint64_t ticket;     /* struct ticket, packed */
    _Atomic uint32_t pending;    /* pieces not yet finished; the caller sleeps on it */
    _Atomic uint32_t generation; /* one more for every job; helpers sleep on it */
    _Atomic uint32_t sleepers;   /* helpers that sleep or are about to */
    atomic_bool caller_sleeps, stop;
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

static void wake(_Atomic uint32_t *word, int sleepers)
{
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, sleepers, NULL, NULL, 0);
}

static uint64_t pack(struct ticket ticket)
{
    return (uint64_t)ticket.job << 32 | (uint32_t)ticket.back << 16 | ticket.front;
}

static struct ticket unpack(uint64_t packed)
{
    return (struct ticket){(uint32_t)(packed >> 32), (uint16_t)packed, (uint16_t)(packed >> 16)};
}

static bool work_is_left(const struct trn_workers *workers)
{
    const struct ticket ticket = unpack(atomic_load(&workers->ticket));
    return ticket.front < ticket.back;
}

static uint32_t piece_start(const struct trn_workers *workers, uint32_t piece)
{
    return (uint32_t)((uint64_t)workers->count * piece / workers->pieces);
}

static void finish_piece(struct trn_workers *workers)
{
    if (atomic_fetch_sub(&workers->pending, 1) == 1 && atomic_load(&workers->caller_sleeps))
        wake(&workers->pending, 1);
}

/* Take and do one piece; false when none is left. */
static bool do_piece(struct trn_workers *workers, bool is_caller)
{
    uint64_t packed = atomic_load(&workers->ticket);
    struct ticket next;
    uint32_t piece;
    do {
        next = unpack(packed);
        if (next.front >= next.back)
            return false;
        piece = is_caller ? next.front++ : --next.back;
    } while (!atomic_compare_exchange_weak(&workers->ticket, &packed, pack(next)));
    workers->body(workers->context, piece_start(workers, piece), piece_start(workers, piece + 1));
    finish_piece(workers);
    return true;
}

static bool work_appears(const struct trn_workers *workers)
{
    for (unsigned spin = 0; spin < SPINS; spin++) {
        if (work_is_left(workers) || atomic_load(&workers->stop))
            return true;
        pause_cpu();
    }
    return false;
}

static void sleep_until_job(struct trn_workers *workers)
{
    atomic_fetch_add(&workers->sleepers, 1);
    const uint32_t generation = atomic_load(&workers->generation);
    if (!work_is_left(workers) && !atomic_load(&workers->stop))
        sleep_while(&workers->generation, generation);
    atomic_fetch_sub(&workers->sleepers, 1);
}

static void *helper_main(void *argument)
{
    struct trn_workers *workers = argument;
    while (!atomic_load(&workers->stop)) {
        if (do_piece(workers, false))
            continue;
        if (!work_appears(workers))
            sleep_until_job(workers);
    }
    return NULL;
}

static void wake_helpers(struct trn_workers *workers)
{
    atomic_fetch_add(&workers->generation, 1);
    const uint32_t sleepers = atomic_load(&workers->sleepers);
    if (sleepers)
        wake(&workers->generation, (int)sleepers);
}

static void wait_for_pieces(struct trn_workers *workers)
{
    for (unsigned spin = 0; spin < SPINS; spin++) {
        if (atomic_load(&workers->pending) == 0)
            return;
        pause_cpu();
    }
    atomic_store(&workers->caller_sleeps, true);
    for (uint32_t left = atomic_load(&workers->pending); left != 0;
         left = atomic_load(&workers->pending))
        sleep_while(&workers->pending, left);
    atomic_store(&workers->caller_sleeps, false);
}

void trn_workers_run(struct trn_workers *workers, uint32_t count,
                     void (*body)(void *context, uint32_t begin, uint32_t end), void *context)
{
    if (count == 0)
        return;
    if (trn_workers_count(workers) == 1 || count == 1) {
        body(context, 0, count);
        return;
    }
    const uint32_t pieces = workers->threads * PIECES_PER_THREAD;
    workers->body = body;
    workers->context = context;
    workers->count = count;
    workers->pieces = pieces < count ? pieces : count;
    atomic_store(&workers->pending, workers->pieces);
    const uint32_t job = unpack(atomic_load(&workers->ticket)).job + 1;
    atomic_store(&workers->ticket, pack((struct ticket){job, 0, (uint16_t)workers->pieces}));
    wake_helpers(workers);
    while (do_piece(workers, true))
        ;
    wait_for_pieces(workers);
}

/* The application's signals are delivered to its own threads. */
static int start_helper(struct trn_workers *workers, pthread_t *helper)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int error = pthread_create(helper, NULL, helper_main, workers);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
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
    workers->helpers = calloc(threads, sizeof *workers->helpers);
    bool ok = workers->helpers != NULL;
    for (; ok && workers->threads < threads; workers->threads++)
        if (start_helper(workers, &workers->helpers[workers->threads - 1]) != 0) {
            ok = false;
            break;
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
    atomic_store(&workers->stop, true);
    wake_helpers(workers);
    for (unsigned i = 0; i + 1 < workers->threads; i++)
        pthread_join(workers->helpers[i], NULL);
    free(workers->helpers);
    free(workers);
}

unsigned trn_workers_count(const struct trn_workers *workers)
{
    return workers ? workers->threads : 1;
}
