/* SPDX-License-Identifier: Apache-2.0 */
/* The descriptor generator of a core: what the DGE reaches, and what becomes of a word
 * (docs/hardware/dge.md, error-handling.md 7.2 to 7.5). */
#ifndef TRN_DEVICE_CORE_DMA_H
#define TRN_DEVICE_CORE_DMA_H

#include "seq/seq.h"
#include "trench/device.h"

struct trn_tpb;
struct trn_udma;
struct trn_wired_udma;

enum { TRN_CORE_DMAS = 16 };

struct trn_core_dma {
    struct trn_dge *dge;      /* made at the first word */
    struct trn_origin origin; /* the word that is executed */
    uint32_t locals[3];       /* offsets of local registers 38, 39, 40; 0: not there */
    uint64_t silent;          /* transfers without a metadata record: the flag is off */
    struct trn_dge_moved moved[TRN_ENGINES][TRN_DGE_BACKENDS];
    struct trn_udma *engine[TRN_CORE_DMAS]; /* of the core, those that somebody has touched ... */
    const struct trn_wired_udma *known;     /* ... when this was the newest of the device */
    bool aborted;                           /* a DMA engine of the core is in abort ... */
    unsigned aborted_dma; /* ... this one of the device, until the host recovers it */
};

/* struct trn_core's dma; `tpb` is a struct trn_tpb. */
trn_status trn_core_dma_word(void *tpb, struct trn_seq *seq, const uint8_t *word);
/* Ports of the generator (dma_rings.c). */
bool trn_core_dma_queue(void *tpb, unsigned dma, unsigned queue, struct trn_dge_queue *out);
void trn_core_dma_passed(void *tpb, unsigned dma, unsigned queue, const uint32_t n[TRN_DGE_SIDES]);
void trn_core_dma_close(struct trn_tpb *tpb);

#endif
