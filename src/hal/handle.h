/* SPDX-License-Identifier: Apache-2.0 */
/* The HAL handle from the inside, and the platform primitives every leaf stands on
 * (docs/hardware/hal-stpb.md 3, 4). */
#ifndef TRN_HAL_HANDLE_H
#define TRN_HAL_HANDLE_H

#include "hal/places.h"
#include "hal/registers.h"
#include "trench/hal.h"

enum { TRN_KHAL_BYTES = 0x7A8, TRN_KHAL_SLOTS = TRN_KHAL_BYTES / 8 };

/* The dispatch object: one pointer every 8 bytes. A caller knows the type of its slot. */
struct trn_khal {
    void (*slot[TRN_KHAL_SLOTS])(void);
};

/* Type of the slots of an engine's init and steps. */
typedef trn_status trn_hal_leaf(struct trn_hal *hal, const struct trn_hal_engine_config *config);

#define TRN_KHAL_ARCH(arch) (1u << (arch))

/* What registrars put where. */
struct trn_khal_fill {
    uint16_t offset; /* bytes from the start of the object */
    uint16_t archs;  /* TRN_KHAL_ARCH of each arch whose registrar does */
    void (*leaf)(void);
};

struct trn_hal_region {
    uint64_t start, end;
};

/* What was last written to a cell of a register that reads as 0. */
struct trn_hal_shadow {
    uint64_t offset;
    uint32_t cell, value;
};

struct trn_hal {
    struct trn_bus bus;
    struct trn_hal_options options;
    uint32_t arch;             /* the latch: 0 not set */
    const struct trn_gen *gen; /* of the latched arch; NULL while there is none */
    struct trn_khal khal;
    struct trn_hal_places places;       /* of `gen` (places.h) */
    struct trn_hal_registers registers; /* of `gen`, by name (registers.h) */
    struct trn_hal_notific *notifics;   /* blocks made by the owner; freed with the handle */
    struct trn_hal_region *regions;
    size_t num_regions;
    struct trn_hal_shadow *shadows;
    size_t num_shadows, shadow_room;
    uint32_t act_set; /* index of the last act_load_local */
    uint8_t *staging; /* zeros between two images; NULL until the first */
    uint64_t staging_size;
    struct trn_hal_where where; /* what the observer is told */
    struct trn_diag diag;
};

/* ---- primitives (4.1, 4.2): the first failure fills hal->diag ------------------------ */

trn_status trn_hal_read32(struct trn_hal *hal, uint64_t offset, uint32_t *value);
trn_status trn_hal_write32(struct trn_hal *hal, uint64_t offset, uint32_t value);
/* One read, then one write of (old & ~mask) | (value & mask), made even when nothing changes. */
trn_status trn_hal_rmw32(struct trn_hal *hal, uint64_t offset, uint32_t mask, uint32_t value);
/* The same for a register that holds no other bits than `held`. */
trn_status trn_hal_rmw32_of(struct trn_hal *hal, uint64_t offset, uint32_t held, uint32_t mask,
                            uint32_t value);
trn_status trn_hal_write_block(struct trn_hal *hal, uint64_t offset, const void *data,
                               uint64_t size);
/* 4.3: `image` and zeros up to `padded` bytes, by memcpy_fn where there is one. */
trn_status trn_hal_write_padded(struct trn_hal *hal, uint64_t offset, struct trn_hal_buf image,
                                uint64_t padded, trn_hal_memcpy_fn memcpy_fn, void *cookie,
                                const char *tag);
/* write32 that keeps the value (shadow.c). */
trn_status trn_hal_write_shadowed(struct trn_hal *hal, uint64_t offset, uint32_t cell,
                                  uint32_t value);
void *trn_hal_zalloc(struct trn_hal *hal, uint64_t size);
void trn_hal_free(struct trn_hal *hal, void *memory);
void trn_hal_udelay(struct trn_hal *hal, uint32_t microseconds);
void trn_hal_log(struct trn_hal *hal, int level, const char *function, const char *format, ...)
    TRN_PRINTF(4, 5);
/* Fill hal->diag and give back `status`. */
trn_status trn_hal_fail(struct trn_hal *hal, trn_status status, const char *where,
                        const char *expected, const char *format, ...) TRN_PRINTF(5, 6);
/* Level 1 line and trn_hal_fail with the same text. */
trn_status trn_hal_log_fail(struct trn_hal *hal, trn_status status, const char *function,
                            const char *format, ...) TRN_PRINTF(4, 5);
/* Say where the chain is; a non-zero answer of the observer is the step's result (F36). */
trn_status trn_hal_enter(struct trn_hal *hal, enum trn_hal_step step);

static inline bool trn_hal_is_fatal(trn_status status)
{
    return status == TRN_ERR_ASSERT || status == TRN_ERR_ABORT;
}

/* ---- dispatch (3.2, 3.3) --------------------------------------------------------------- */

/* The slot's pointer. NULL pointer with TRN_OK: an empty slot whose policy is success; otherwise
 * the status of the latch or of the empty slot's assertion. */
trn_status trn_hal_slot(struct trn_hal *hal, uint16_t offset, void (**leaf)(void));

/* The call through a slot: its leaf's status, or what trn_hal_slot says without one. */
#define TRN_HAL_DISPATCH(hal, offset, type, ...)                                                   \
    ({                                                                                             \
        void (*leaf_)(void);                                                                       \
        const trn_status status_ = trn_hal_slot((hal), (offset), &leaf_);                          \
        leaf_ ? ((type *)leaf_)(__VA_ARGS__) : status_;                                            \
    })

/* 3.2's liveness test alone, for real bodies that have no slot. */
trn_status trn_hal_alive(struct trn_hal *hal);

/* Registrars: what the archs fill (registrar.c). */
const struct trn_khal_fill *trn_hal_registrar(size_t *count);

#endif
