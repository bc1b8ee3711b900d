/* SPDX-License-Identifier: Apache-2.0 */
/* The blocks of BAR0 as far as somebody has touched them: one region a register block, memory or
 * table. Found by address in a few nanoseconds; made at the first access. */
#ifndef TRN_DEVICE_REGION_H
#define TRN_DEVICE_REGION_H

#include "device/regfile.h"
#include "mem/pool.h"
#include "trench/mem.h"

struct trn_device;
struct trn_tpb;
struct trn_seq;
struct trn_sync;
struct trn_wired_notific;
struct trn_wired_udma;

enum trn_region_kind {
    TRN_REGION_NONE,
    TRN_REGION_PLANE,   /* SBUF, PSUM of a core */
    TRN_REGION_RAM,     /* only remembers; any size and alignment */
    TRN_REGION_REGS,    /* registers that behave as their rows say: from here ... */
    TRN_REGION_STATE,   /* the register file of a core: some of it shows the engines */
    TRN_REGION_LOCAL,   /* local registers of a sequencer */
    TRN_REGION_SYNC,    /* events and semaphores */
    TRN_REGION_NOTIFIC, /* a notification block */
    TRN_REGION_INTC,    /* error-trigger unit */
    TRN_REGION_UDMA,    /* rings and configuration of a DMA engine */
    TRN_REGION_EMPTY    /* ... to here; of this one no register is known */
};

struct trn_region {
    uint64_t start, size; /* BAR0 offset */
    enum trn_region_kind kind;
    struct trn_tpb *tpb;                 /* PLANE, STATE */
    enum trn_space space;                /* PLANE */
    struct trn_seq *seq;                 /* LOCAL; NULL: of a sequencer that is not modelled */
    struct trn_sync *sync;               /* SYNC */
    struct trn_wired_notific *notific;   /* NOTIFIC */
    struct trn_wired_udma *udma;         /* UDMA */
    const struct trn_reg_layout *layout; /* REGS to UDMA */
    uint32_t *words;                     /* REGS, STATE, LOCAL, INTC */
    uint8_t *bytes;                      /* RAM; NULL: still all zero */
    struct trn_pool *pool;               /* where its memory comes from */
    uint64_t zeros;                      /* RAM: only zeros from here on */
    uint64_t *writes;                    /* RAM that an engine reads: counts writes; else NULL */
    bool owns;                           /* the sync is the region's own */
};

enum { TRN_REGION_CACHE = 1024 };

struct trn_regions {
    struct trn_region **list; /* in order of start */
    size_t count, capacity;
    struct trn_reg_layout *layouts;
    struct trn_pool pool;                       /* words and bytes */
    struct trn_region nowhere;                  /* holds no byte */
    struct trn_region *cache[TRN_REGION_CACHE]; /* by page; never NULL */
};

void trn_regions_open(struct trn_regions *regions);
void trn_regions_close(struct trn_regions *regions);

/* The region that holds the offset, made now if need be; *out NULL: no block is there.
 * TRN_ERR_NO_MEMORY. */
trn_status trn_region_make(struct trn_device *device, uint64_t offset, struct trn_region **out);

/* The region if it has been made, else NULL. */
struct trn_region *trn_region_known(const struct trn_regions *regions, uint64_t offset);

/* Where a region not made yet begins and ends, and what it will be; kind NONE: no block. */
struct trn_region trn_region_plan(const struct trn_device *device, uint64_t offset);

static inline bool trn_region_is_registers(const struct trn_region *region)
{
    return region->kind >= TRN_REGION_REGS;
}

/* Write bytes of a RAM, which takes its memory now if need be. TRN_ERR_NO_MEMORY. */
trn_status trn_region_write(struct trn_region *region, uint64_t at, const void *data, size_t size);

#endif
