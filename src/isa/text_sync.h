/* SPDX-License-Identifier: Apache-2.0 */
/* The words of wait and update lines (sync.md 3 and 4). */
#ifndef TRN_ISA_TEXT_SYNC_H
#define TRN_ISA_TEXT_SYNC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What stands after the mode's word. */
enum trn_sync_operand {
    TRN_SYNC_NOTHING,
    TRN_SYNC_NUMBER,
    TRN_SYNC_REGISTER,
    TRN_SYNC_REGISTER_OFFSET /* v5: r5+12 */
};

/* One mode of WAIT_MODE or UPDATE_MODE. */
struct trn_sync_mode {
    uint8_t mode;
    bool on_read;      /* updates only: when the inputs have been read */
    const char *index; /* "sem" or "evt", NULL: the mode names neither */
    const char *word;
    enum trn_sync_operand operand;
};

extern const struct trn_sync_mode trn_wait_modes[];
extern const struct trn_sync_mode trn_update_modes[];
extern const size_t trn_num_wait_modes, trn_num_update_modes;

/* Entry of a mode, NULL when it has no line of its own (NONE, INVALID, values of no enum). */
const struct trn_sync_mode *trn_wait_mode(uint8_t mode);
const struct trn_sync_mode *trn_update_mode(uint8_t mode);

/* One sync block of a word. */
struct trn_sync_lane {
    uint8_t wait_mode, wait_idx, update_mode, update_idx;
    uint32_t wait_value, update_value; /* of EVENTS: both are the one shared value */
};

/* Lane 0 is EVENTS, 1 is EVENTS_EXTENDED of CTRL_ES. */
struct trn_sync_lane trn_sync_lane(const uint8_t *word, unsigned lane);

#endif
