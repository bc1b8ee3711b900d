/* SPDX-License-Identifier: Apache-2.0 */
/* Device memory: a large sparse array, committed on touch. Offsets count from its first byte. */
#ifndef TRN_MEM_HBM_H
#define TRN_MEM_HBM_H

#include "trench/mem.h"

#define TRN_HBM_DEFAULT_BYTES UINT64_C(0x400000000) /* 16 GiB */
#define TRN_HBM_MAX_BYTES     UINT64_C(0x1000000000) /* the window of one stack, address-map.md 4.2 */

struct trn_hbm;

/* size is 1..TRN_HBM_MAX_BYTES. TRN_ERR_TOO_LARGE, TRN_ERR_NO_MEMORY. */
trn_status trn_hbm_create(uint64_t size, enum trn_reset content, uint64_t seed,
                          struct trn_hbm **out);
void trn_hbm_destroy(struct trn_hbm *hbm); /* NULL is fine */
void trn_hbm_reset(struct trn_hbm *hbm, enum trn_reset content, uint64_t seed);

uint64_t trn_hbm_size(const struct trn_hbm *hbm);

/* Host address of [offset, offset + size), ready to be read and written; NULL when any of it lies
 * outside. Stays valid until the next reset. */
uint8_t *trn_hbm_span(struct trn_hbm *hbm, uint64_t offset, uint64_t size);

/* TRN_ERR_ADDRESS when any byte lies outside: nothing is changed. A copy may overlap itself. */
trn_status trn_hbm_read(struct trn_hbm *hbm, uint64_t offset, void *data, size_t size);
trn_status trn_hbm_write(struct trn_hbm *hbm, uint64_t offset, const void *data, size_t size);
trn_status trn_hbm_copy(struct trn_hbm *hbm, uint64_t to, uint64_t from, uint64_t size);

#endif
