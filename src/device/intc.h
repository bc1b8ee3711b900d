/* SPDX-License-Identifier: Apache-2.0 */
/* Error-trigger units of a core: 131 triggers that latch causes (docs/hardware/notific.md 6.2, 6.3;
 * tpb-intc-triggers.csv). */
#ifndef TRN_DEVICE_INTC_H
#define TRN_DEVICE_INTC_H

#include "device/regfile.h"

#define TRN_INTC_BLOCK "intc_4grp" /* of registers.csv */

struct trn_device;
struct trn_tpb;

enum { TRN_INTC_UNITS = 2 };

/* Where a core's triggers go; found at the first of them. */
struct trn_intc {
    bool looked;
    uint32_t *units[TRN_INTC_UNITS];              /* words of the units; NULL: not there */
    uint32_t cause, status, group_stride, bypass; /* offsets; bypass in the core's register file */
    bool has_bypass;
};

/* Causes of the group that holds an input of a unit have come up: an interrupt of the core, unless
 * its mask keeps them. */
void trn_intc_tell(struct trn_device *device, unsigned core, uint32_t *words, unsigned input,
                   uint32_t causes);
/* Latch the cause of a trigger; -1 is none. A bypassed one is not forwarded (error-handling.md 8).
 */
void trn_intc_raise(struct trn_tpb *tpb, int trigger);
/* Trigger by its name in the table, -1: there is none. */
int trn_intc_trigger(const char *name);
/* Line of a sequencer's error: 0 non-fatal, 1 fatal (error-handling.md 3). */
int trn_intc_nx_trigger(int engine, bool fatal);

/* A write of the host to a unit, beyond what its row says: cause_set sets causes, mask_clear clears
 * mask bits that are written as 0, and a cause that is cleared takes its status along. */
void trn_intc_write(const struct trn_reg_layout *layout, uint32_t *words, uint32_t at,
                    uint32_t value);
/* The core of whose units one has these words, when `at` is the register that sets causes by hand
 * in it: then its group begins with *first_trigger. NULL otherwise. */
struct trn_tpb *trn_intc_injects(struct trn_device *device, const uint32_t *words, uint32_t at,
                                 unsigned *first_trigger);

#endif
