/* SPDX-License-Identifier: Apache-2.0 */
/* Host side of a notification block (docs/hardware/hal-stpb.md 16, notific.md 9). The shadows are
 * authoritative: a masked update never reads the register (hal-stpb.md 18 item 14). */
#ifndef TRN_HAL_NOTIFIC_H
#define TRN_HAL_NOTIFIC_H

#include "hal/leaves.h"

enum { TRN_HAL_RECORD_BYTES = 16 }; /* notification-records.md 2 */

/* One ring, as large as the real HAL's (5.4). */
struct trn_hal_ring_state {
    struct trn_hal_nq nq;
    uint32_t capacity; /* records */
    uint32_t next;     /* record that the host reads next */
    uint32_t phase;
    uint8_t reserved[0x160 - sizeof(struct trn_hal_nq) - 3 * sizeof(uint32_t) - 4];
};

struct trn_hal_notific {
    uint64_t base; /* BAR0 offset of the block; 0: never initialised */
    uint32_t num_queues;
    struct trn_hal_ring_state *queues; /* num_queues of them */
    uint64_t wr_buf_enable, hw_backpressure;
    uint32_t stream_enable, nq_enable, ignore_full;
    struct trn_hal_notific *other; /* the handle's next block */
};

/* Bind to a block with cleared shadows; no bus access. A block that was bound gives its rings back
 * first. */
trn_status trn_hal_notific_attach(struct trn_hal *hal, struct trn_hal_notific *notific,
                                  uint32_t num_queues, uint64_t base);
/* The block is as never initialised again. */
void trn_hal_notific_detach(struct trn_hal *hal, struct trn_hal_notific *notific);
/* Free every block that trn_hal_notific_create made. */
void trn_hal_free_notifics(struct trn_hal *hal);

#endif
