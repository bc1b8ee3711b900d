/* SPDX-License-Identifier: Apache-2.0 */
/* One DMA engine: an M2S half that reads sources and an S2M half that writes destinations, with 16
 * queues each (docs/hardware/udma.md; section numbers are its).
 *
 * The engine knows nothing of who owns it: memory, interrupts and records are calls that the owner
 * gives. Nothing happens behind the owner's back either: a doorbell only counts, descriptors move
 * when the owner calls trn_udma_run (10: on the PCI function after each access, in a core run when
 * it is the engine's turn). */
#ifndef TRN_DMA_UDMA_H
#define TRN_DMA_UDMA_H

#include "trench/choices.h"
#include "trench/gen.h"
#include "trench/notify.h"

enum {
    TRN_UDMA_QUEUES = 16,
    TRN_UDMA_DESC_BYTES = 16,
    TRN_UDMA_MAX_DESC_DATA = 65536 /* 2.1: LENGTH 0 */
};

enum trn_udma_half { TRN_UDMA_M2S, TRN_UDMA_S2M, TRN_UDMA_HALVES };

/* Primary interrupt groups A..D; the engine pulses those that are not masked. */
struct trn_udma_ports {
    void *context;
    /* Up to `size` bytes at a device address that lie together in host memory: *pointer and how
     * many, at least 1 (a caller of many pieces asks again). *pointer NULL with TRN_OK: this place
     * has no pointer (registers), use read and write. An access of these bytes follows, so the
     * owner reports it here; a transfer may ask twice for the same bytes. It touches no register of
     * the engine, and pointers hold until trn_udma_run returns. TRN_ERR_TIMEOUT: the bus timed out;
     * another failure: a response error. May be NULL: every access is a read or a write. */
    trn_status (*map)(void *context, uint64_t address, uint64_t size, bool write, uint8_t **pointer,
                      uint64_t *length);
    trn_status (*read)(void *context, uint64_t address, void *data, size_t size);
    trn_status (*write)(void *context, uint64_t address, const void *data, size_t size);
    /* Whether a read of these bytes that fails leaves the buffer alone, so that they may be read to
     * where they go. May be NULL: of none. */
    bool (*clean)(void *context, uint64_t address, uint64_t size);
    void (*record)(void *context, const struct trn_record *record); /* 8; may be NULL */
    void (*interrupt)(void *context, unsigned group, unsigned bit); /* may be NULL */
    /* Unmasked causes of secondary group 0 A, 1 B, 2 C, each time they are raised; may be NULL. */
    void (*cause)(void *context, unsigned group, uint32_t causes);
    void (*choice)(void *context, enum trn_choice choice); /* may be NULL */
    /* The owner wants the engine to stand still when the current descriptor is done; what waits
     * keeps waiting until it is false again. May be NULL. */
    const bool *stop;
};

/* Where the registers of a generation's engines lie; all engines share one. */
struct trn_udma_map;
/* TRN_ERR_UNSUPPORTED: no source gives this generation's registers (MAVERICK). */
trn_status trn_udma_map_create(const struct trn_gen *gen, struct trn_udma_map **out);
void trn_udma_map_destroy(struct trn_udma_map *map); /* NULL is fine */

struct trn_udma;

/* The map and what `ports` points to outlive the engine; `number` is the device's. */
trn_status trn_udma_create(const struct trn_udma_map *map, unsigned number,
                           const struct trn_udma_ports *ports, struct trn_udma **out);
void trn_udma_destroy(struct trn_udma *engine); /* NULL is fine */
/* Hardware reset: registers, queues, causes and counts as after create. */
void trn_udma_reset(struct trn_udma *engine);

/* ---- registers (4, 5): offsets in the engine's window, aligned ------------------------------ */

/* False where no register is: reads give 0, writes do nothing. */
bool trn_udma_read32(struct trn_udma *engine, uint32_t offset, uint32_t *value);
bool trn_udma_write32(struct trn_udma *engine, uint32_t offset, uint32_t value);

/* Doorbells of both halves without the registers, RX first (7); n of 0 rings none. */
void trn_udma_ring_doorbells(struct trn_udma *engine, unsigned queue, uint32_t tx, uint32_t rx);

/* What was rung for in a queue is done as far as it can be, whosever turn it is. */
void trn_udma_settle(struct trn_udma *engine, unsigned queue);
/* Descriptors that somebody put behind the tails and carried out: the queue's cursors go past them.
 */
void trn_udma_pass(struct trn_udma *engine, unsigned queue, uint32_t tx, uint32_t rx);

/* ---- work --------------------------------------------------------------------------------- */

/* Something could move now. */
bool trn_udma_ready(const struct trn_udma *engine);
/* Round robin over the queues, one packet a turn (11), up to `packets` of them (0: all there are).
 * Returns how many ended. */
uint64_t trn_udma_run(struct trn_udma *engine, uint64_t packets);
/* Descriptors of both halves that have retired since the engine was made. */
uint64_t trn_udma_retired(const struct trn_udma *engine);

/* ---- what became of it --------------------------------------------------------------------- */

/* 9.5: software's view of a queue. */
enum trn_udma_queue_state {
    TRN_UDMA_QUEUE_DISABLED = 1,
    TRN_UDMA_QUEUE_ENABLED,
    TRN_UDMA_QUEUE_ABORTED
};

struct trn_udma_pointer {
    uint32_t index;
    uint8_t ring_id;
};

struct trn_udma_queue_view {
    enum trn_udma_queue_state state;
    uint64_t base;
    uint32_t length; /* descriptors */
    struct trn_udma_pointer head, tail, current, completion;
    uint32_t used;      /* between current and tail */
    uint64_t packets;   /* completed */
    uint64_t bytes;     /* moved */
    uint64_t ignored;   /* doorbells on a queue without a ring */
    bool over_doorbell; /* a doorbell went beyond the ring */
};
struct trn_udma_queue_view trn_udma_queue(const struct trn_udma *engine, enum trn_udma_half half,
                                          unsigned queue);

/* 9.2. */
enum trn_udma_state { TRN_UDMA_IDLE, TRN_UDMA_NORMAL, TRN_UDMA_ABORT };
enum trn_udma_state trn_udma_half_state(const struct trn_udma *engine, enum trn_udma_half half);
/* Both halves leave abort, as by change_state normal; the queue at fault waits for its reset. */
void trn_udma_recover(struct trn_udma *engine);

/* The first thing that went wrong since reset or the last recovery. */
struct trn_udma_fault {
    trn_status status; /* TRN_OK: nothing; TRN_ERR_UNSUPPORTED: an operation the model lacks */
    enum trn_udma_half half;
    uint8_t queue;
    char group; /* secondary group of the cause, 0: none */
    uint8_t cause;
    bool aborted;   /* both halves are in abort */
    uint32_t index; /* of the descriptor in its ring */
    uint64_t address;
};
struct trn_udma_fault trn_udma_fault(const struct trn_udma *engine);
/* The same as a diagnostic: engine, half, queue, descriptor, cause, what would be right. Returns
 * the fault's status. */
trn_status trn_udma_explain_fault(const struct trn_udma *engine, struct trn_diag *diag);

#endif
