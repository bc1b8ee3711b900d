/* SPDX-License-Identifier: Apache-2.0 */
/* The modelled device from the inside: cores, stacks of HBM, and what the buses reach. */
#ifndef TRN_DEVICE_CORE_H
#define TRN_DEVICE_CORE_H

#include "device/converters.h"
#include "device/core_dma.h"
#include "device/dma.h"
#include "device/intc.h"
#include "device/notific.h"
#include "device/race.h"
#include "device/region.h"
#include "device/trace.h"
#include "seq/seq.h"
#include "trench/device.h"

enum { TRN_MAX_CORES = 8, TRN_MAX_STACKS = 4 };

/* Whose turn it is in a core. Kept between runs, so that a run cut into pieces goes the same way.
 */
struct trn_scheduler {
    int order[TRN_ENGINES];
    unsigned position;  /* in order */
    unsigned turn_left; /* words */
    uint64_t random;    /* state of the seeded permutation; used when seeded */
    bool seeded;
};

/* What the words of a core do to memory, as far as somebody asked (watch.c). */
struct trn_watch {
    bool uninit, digest;
    struct trn_finding_report *findings; /* of unwritten bytes as they came, then sorted races */
    size_t num_findings, num_uninit;
    uint64_t findings_lost;
    struct trn_mem_observer observer;
    struct trn_sync_watch sync;      /* what races are judged by; used when the device has one */
    struct trn_history *sbuf, *psum; /* who touched what; NULL: nobody asks */
    struct trn_access *writes;       /* of the current word */
    size_t num_writes;
    struct trn_word_report last;
};

struct trn_fault_node {
    struct trn_fault fault;
    struct trn_fault_node *next;
};

/* Four causes; PE words meet them in the array, in PSUM or in both, others in one unit. */
enum { TRN_MAX_NUMERIC = 32 };

/* What the sequencers of a core told (log.c). */
struct trn_log {
    struct trn_fault_node *faults; /* newest first; the reports point into them */
    struct trn_fault_report *fault_reports;
    size_t num_faults, fault_capacity;
    struct trn_notification *notifications;
    size_t num_notifications, notification_capacity;
    uint64_t notifications_lost;
    struct trn_content_report *reports;
    size_t num_reports, report_capacity;
    uint64_t reports_lost;
    struct trn_numeric_report numeric[TRN_MAX_NUMERIC];
    size_t num_numeric;
};

/* A stack of HBM, shared by the cores it serves. Made at the first access. */
struct trn_stack {
    uint64_t bar4, soc; /* where it begins */
    struct trn_hbm *hbm;
    struct trn_tracker *tracker; /* NULL: nobody watches */
    struct trn_history *history; /* NULL: nobody asks for races */
};

/* One core. Made at the first access to its window, its registers or by name. */
struct trn_tpb {
    struct trn_device *device;
    unsigned number;
    struct trn_stack *stack;
    struct trn_mem *mem;
    struct trn_sync sync;
    struct trn_engine_state *state;
    struct trn_soc_window *windows; /* what the core reaches beyond its own memories */
    struct trn_soc soc;
    struct trn_core core;
    struct trn_seq seq[TRN_ENGINES];
    size_t num_seqs; /* created so far */
    struct trn_scheduler scheduler;
    unsigned idle;       /* engines that did nothing since ... */
    uint64_t idle_since; /* ... this value of device->progress */
    struct trn_watch watch;
    struct trn_sync_watch traced; /* used when the device has a trace */
    struct trn_log log;
    const uint32_t *file;    /* the core's register file; NULL: untouched, as after reset */
    struct trn_post post;    /* to its notification block */
    struct trn_intc intc;    /* its error-trigger units */
    struct trn_core_dma dma; /* its descriptor generator */
    struct trn_converters converters;
};

struct trn_device {
    const struct trn_gen *gen;
    struct trn_device_options options;
    struct trn_workers *workers;
    struct trn_device_trace *trace; /* NULL: nobody wants to see steps */
    struct trn_choices choices;
    struct trn_bus bar0, bar4, host;
    struct trn_stack stacks[TRN_MAX_STACKS];
    unsigned num_stacks;
    struct trn_tpb *tpb[TRN_MAX_CORES]; /* NULL: nobody has touched it */
    unsigned selected;                  /* the core that inspection calls mean */
    unsigned turn;                      /* the core that runs next */
    uint64_t progress;                  /* words retired, and runs begun */
    uint64_t clock;                     /* notific.md 3: words retired, descriptors moved */
    bool has_image[TRN_ENGINES];
    struct trn_regions regions;
    struct trn_udma_map *udma_map; /* made with the first DMA engine */
    struct trn_wired_udma *udmas;  /* those that somebody has touched */
    bool running;                  /* sequencers are: DMA engines wait for their turn */
    bool working;                  /* a DMA engine is, for an access over a bus ... */
    uint64_t packets_left;         /* ... and so many packets may still move for it */
    bool stop; /* the owner wants everything to stand still: words and packets end, none begins */
    void *interrupt_context;
    void (*interrupt)(void *context, unsigned core); /* an unmasked cause; NULL: nobody listens */
    uint64_t unmapped_accesses;                      /* reached no block: 0xDEADBEEF */
    uint64_t unknown_registers;                      /* reached a block where no register is */
    uint64_t bytes;        /* touched by words; counted when there is a limit */
    struct trn_race *race; /* NULL: nobody asks */
};

/* ---- tpb.c ------------------------------------------------------------------------- */

/* The core, made now if need be. TRN_ERR_NO_MEMORY. */
trn_status trn_device_tpb(struct trn_device *device, unsigned number, struct trn_tpb **out);
void trn_tpb_destroy(struct trn_tpb *tpb); /* NULL is fine */
/* BAR0 offset of an engine's block. */
uint64_t trn_tpb_engine(const struct trn_tpb *tpb, int engine);
/* BAR0 offset of the core's window, and the SoC address of its SBUF. */
uint64_t trn_tpb_window(const struct trn_gen *gen, unsigned number);
uint64_t trn_tpb_soc(const struct trn_gen *gen, unsigned number);

/* ---- stack.c ----------------------------------------------------------------------- */

/* Where the stacks lie; makes none of them. */
void trn_stacks_place(struct trn_device *device);
trn_status trn_stack_open(struct trn_device *device, struct trn_stack *stack);
void trn_stacks_close(struct trn_device *device);
/* The stack next to a core (address-map.md 4). */
struct trn_stack *trn_stack_of(struct trn_device *device, unsigned core);
uint64_t trn_stack_bytes(const struct trn_device *device);
struct trn_bus trn_stack_bus(struct trn_device *device);

/* ---- host.c: memory of the host, as the device reaches it ------------------------------ */

/* Device address of its first byte. */
uint64_t trn_host_base(const struct trn_device *device);
/* Its bytes at a device address; NULL: not all of them are there. */
uint8_t *trn_host_at(const struct trn_device *device, uint64_t address, size_t size);
struct trn_bus trn_host_bus(struct trn_device *device);

/* ---- windows.c --------------------------------------------------------------------- */

/* What core `number` reaches by SoC addresses: the other cores, the other stacks and the control
 * plane. A new array with its length, NULL when memory is short. */
struct trn_soc_window *trn_soc_windows(struct trn_device *device, unsigned number, size_t *count);

/* ---- bar0.c ------------------------------------------------------------------------ */

struct trn_bus trn_bar0_bus(struct trn_device *device);

/* ---- reset.c ----------------------------------------------------------------------- */

/* Hardware reset of what `covers` says: cores (their engines, events and semaphores) by the mask,
 * register blocks one by one. Memories keep their bytes, which nobody has written then. Not while
 * something runs. */
void trn_device_reset(struct trn_device *device, uint32_t cores,
                      bool (*covers)(const void *context, const struct trn_block *block),
                      const void *context);
/* Nobody has written HBM. */
void trn_device_forget_hbm(struct trn_device *device);

/* ---- watch.c ----------------------------------------------------------------------- */

trn_status trn_watch_open(struct trn_tpb *tpb, const struct trn_device_options *options);
void trn_watch_close(struct trn_tpb *tpb);
/* Whether words have touched as many bytes as they may. */
static inline bool trn_watch_exhausted(const struct trn_device *device)
{
    return device->options.byte_limit != 0 && device->bytes >= device->options.byte_limit;
}

/* Nothing orders two accesses of a byte, of which this is the lowest so far; `tpb` sees it. */
void trn_watch_race(struct trn_tpb *tpb, enum trn_space space, uint32_t partition, uint64_t byte,
                    const struct trn_access_report *one, const struct trn_access_report *other);

/* A word of `seq` has retired. */
void trn_watch_retired(struct trn_tpb *tpb, const struct trn_seq *seq);

/* ---- log.c: lists that grow; what does not fit is counted, not kept. ----------------- */

void trn_tpb_log_record(struct trn_tpb *tpb, const struct trn_seq_record *record);
void trn_tpb_log_content(struct trn_tpb *tpb, const struct trn_content_report *report);
void trn_tpb_log_numeric(struct trn_tpb *tpb, uint8_t error_id, int engine, uint16_t sources,
                         uint64_t pc);
void trn_log_free(struct trn_log *log);

/* ---- run.c ------------------------------------------------------------------------- */

void trn_scheduler_init(struct trn_scheduler *scheduler, uint64_t seed);
/* Whether a word could execute, or a descriptor move, now. */
bool trn_device_waits(const struct trn_device *device);

#endif
