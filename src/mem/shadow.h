/* SPDX-License-Identifier: Apache-2.0 */
/* One space of the tracker: a bit for every byte that was written, a cell for its last writer. */
#ifndef TRN_MEM_SHADOW_H
#define TRN_MEM_SHADOW_H

#include <stdbool.h>

#include "trench/base.h"

/* `rows` rows of row_bytes. Only blocks that were written cost memory, and a new epoch forgets
 * everything at once: a block whose stamp is older counts as never written. */
struct trn_shadow {
    size_t rows, row_bytes;
    unsigned cell_shift; /* a cell stands for 1 << cell_shift bytes, at most 64 */
    uint32_t epoch;
    uint64_t *bits;   /* [row][word of 64 bytes]: 1, the byte was written */
    uint32_t *cells;  /* [row][cell]: the event of the last write; counts where a bit is set */
    uint32_t *stamps; /* [row][block] */
    struct trn_shadow_row {
        uint64_t bytes_written;
        uint32_t last_event, epoch;
    } * summary; /* [row] */
};

/* Takes rows, row_bytes and cell_shift. TRN_ERR_NO_MEMORY leaves it destroyed. */
trn_status trn_shadow_init(struct trn_shadow *shadow);
void trn_shadow_destroy(struct trn_shadow *shadow); /* a zeroed one is fine */
void trn_shadow_reset(struct trn_shadow *shadow);   /* O(1) */

/* Bytes 64 * word + i of the row for the bits i of `mask`: written by `event` ... */
void trn_shadow_write(struct trn_shadow *shadow, size_t row, size_t word, uint64_t mask,
                      uint32_t event);
/* ... which of them were never written ... */
uint64_t trn_shadow_missing(const struct trn_shadow *shadow, size_t row, size_t word,
                            uint64_t mask);
/* ... and the latest event that wrote one of them; false when none was written. */
bool trn_shadow_latest(const struct trn_shadow *shadow, size_t row, size_t word, uint64_t mask,
                       uint32_t *event);

/* Bytes written and last event of a row since the last reset. */
struct trn_shadow_row trn_shadow_summary(const struct trn_shadow *shadow, size_t row);

#endif
