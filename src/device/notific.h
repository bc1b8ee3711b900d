/* SPDX-License-Identifier: Apache-2.0 */
/* Notification blocks at their places in the device: what they are wired to, and how records of a
 * core get into them (docs/hardware/notific.md 7, error-handling.md 3 to 8). */
#ifndef TRN_DEVICE_NOTIFIC_H
#define TRN_DEVICE_NOTIFIC_H

#include "gen/blocks.h"
#include "notific/route.h"
#include "seq/seq.h"

struct trn_device;
struct trn_tpb;

/* A live block with its wires. Made with its region, at the first access. */
struct trn_wired_notific {
    struct trn_device *device;
    struct trn_tpb *tpb; /* whose; NULL: a TopSP's, a DMA engine's, a trigger generator's */
    struct trn_notific *block;
};

/* TRN_ERR_NO_MEMORY. */
trn_status trn_wired_notific_create(struct trn_device *device, struct trn_tpb *tpb,
                                    const struct trn_block *where, struct trn_wired_notific **out);
void trn_wired_notific_destroy(struct trn_wired_notific *wired); /* NULL is fine */
/* A write of the host; records that had no room may find it now. False: no register is there. */
bool trn_wired_notific_write(struct trn_wired_notific *wired, uint32_t at, uint32_t value);

/* ---- records of a core (post.c) ---------------------------------------------------------- */

/* What no input buffer takes waits with its producer: an engine makes only so many records before
 * it looks (a START; or behind a word: numeric events, a NOTIFY, two lanes of updates and their
 * errors, an END). */
enum { TRN_MAX_KEPT = 24 };

struct trn_kept_record {
    uint8_t record[8];
    uint8_t input, queue;
};

/* A field of a register of the core's file. */
struct trn_reg_place {
    uint32_t offset;
    uint8_t low, bits;
    bool exists;
};

/* How a core posts. All zero: the block is not there yet, every class is off. */
struct trn_post {
    struct trn_wired_notific *to;
    struct trn_notific_router router;
    struct trn_reg_place events_on, low_bound, high_bound, fake_ctrl, fake_data, dve_silent;
    int semaphore_trigger, event_trigger, fake_trigger; /* of the unit's table */
    struct trn_kept_record kept[TRN_NUM_ENGINES][TRN_MAX_KEPT];
    uint8_t num_kept[TRN_NUM_ENGINES];
    int busy;         /* 1 + the engine whose word reaches over the bus now; 0: none does */
    uint64_t refused; /* records of accesses over the bus, which cannot wait */
};

/* The block of the core is there now. */
void trn_post_open(struct trn_tpb *tpb, struct trn_wired_notific *to);
/* Calls of struct trn_core; `tpb` is a struct trn_tpb. */
bool trn_post_record(void *tpb, const struct trn_seq_record *record);
/* A record that is made already: an error, or an explicit one. */
void trn_post_made(struct trn_tpb *tpb, int engine, const struct trn_record *record);
/* An error of a class that has a buffer of its own: the first nine ids. */
void trn_post_error(struct trn_tpb *tpb, int engine, enum trn_error_id id, uint16_t low,
                    uint32_t high);
/* A field of the core's register file; 0 while nobody has touched it. */
uint32_t trn_post_field(const struct trn_tpb *tpb, const struct trn_reg_place *place);
void trn_post_forget(void *tpb, int engine);

/* A line of a POOL kernel: firmware logs it, errors are reports of the run too. */
void trn_post_kernel_line(void *tpb, int engine, bool error, const char *line);
/* Post what engines kept, as far as there is room. */
void trn_post_settle(struct trn_tpb *tpb);
/* Software queue that a blocked engine's record goes to; -1: none waits. */
int trn_post_blocked_queue(const struct trn_tpb *tpb, int engine);
/* Numeric events of the data path and injected errors of memories (post_numeric.c). */
unsigned trn_post_numeric_wanted(void *tpb, int engine);
void trn_post_numeric(void *tpb, const struct trn_seq *seq, uint32_t met);
/* The host set causes of a trigger group by hand: what they stand for is recorded too. */
void trn_post_injected(struct trn_tpb *tpb, unsigned first_trigger, uint32_t causes);
/* A register of the core's file was written: fake_error_ctrl posts (error-handling.md 8). */
void trn_post_file_written(struct trn_tpb *tpb, uint32_t at, uint32_t value);

#endif
