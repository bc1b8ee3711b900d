/* SPDX-License-Identifier: Apache-2.0 */
/* The modelled device from the inside. */
#ifndef TRN_DEVICE_CORE_H
#define TRN_DEVICE_CORE_H

#include "device/regfile.h"
#include "device/storage.h"
#include "seq/seq.h"
#include "trench/device.h"

/* Whose turn it is. Kept between runs, so that a run cut into pieces goes the same way. */
struct trn_scheduler {
    int order[TRN_ENGINES];
    unsigned position;  /* in order */
    unsigned turn_left; /* words */
    uint64_t random;    /* state of the seeded permutation; used when seeded */
    bool seeded;
};

/* What the words do to memory, as far as somebody asked (watch.c). */
struct trn_watch {
    bool uninit, digest;
    uint64_t byte_limit, bytes; /* touched by words; counted when there is a limit */
    struct trn_finding_report *findings;
    size_t num_findings;
    uint64_t findings_lost;
    struct trn_mem_observer observer;
    struct trn_access *writes; /* of the current word */
    size_t num_writes;
    struct trn_word_report last;
};

struct trn_fault_node {
    struct trn_fault fault;
    struct trn_fault_node *next;
};

struct trn_device {
    const struct trn_gen *gen;
    struct trn_mem *mem;
    struct trn_sync sync;
    struct trn_engine_state *state;
    struct trn_workers *workers;
    struct trn_choices choices;
    struct trn_soc_window window; /* the core's registers as SoC addresses */
    struct trn_soc soc;
    struct trn_core core;
    struct trn_seq seq[TRN_ENGINES];
    size_t num_seqs; /* created so far */
    bool has_image[TRN_ENGINES];
    struct trn_bus bar0, bar4;
    struct trn_storage storage;   /* memory apertures without behaviour */
    struct trn_regfile registers; /* of the core, on the control plane */
    uint64_t unmapped_accesses;   /* reached no block: 0xDEADBEEF */
    struct trn_scheduler scheduler;
    struct trn_watch watch;
    struct trn_fault_node *faults; /* newest first; the reports point into them */
    struct trn_fault_report *fault_reports;
    size_t num_faults, fault_capacity;
    struct trn_notification *notifications;
    size_t num_notifications, notification_capacity;
    uint64_t notifications_lost;
};

/* bar.c */
trn_status trn_device_open_buses(struct trn_device *device);
void trn_device_close_buses(struct trn_device *device);

/* watch.c */
trn_status trn_watch_open(struct trn_device *device, const struct trn_device_options *options);
void trn_watch_close(struct trn_device *device);
/* Whether words have touched as many bytes as they may. */
static inline bool trn_watch_exhausted(const struct trn_device *device)
{
    return device->watch.byte_limit != 0 && device->watch.bytes >= device->watch.byte_limit;
}

/* A word of `seq` has retired. */
void trn_watch_retired(struct trn_device *device, const struct trn_seq *seq);

/* log.c: lists that grow; what does not fit is counted, not kept. */
void trn_device_log_record(void *device, const struct trn_seq_record *record);
void trn_device_free_logs(struct trn_device *device);

/* run.c */
void trn_scheduler_init(struct trn_scheduler *scheduler, uint64_t seed);

#endif
