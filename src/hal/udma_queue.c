/* SPDX-License-Identifier: Apache-2.0 */
/* A queue's registers and its two rings from the host (docs/hardware/udma.md 3, 6, 7). */
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "hal/udma.h"
#include "udma_pack.h"

typedef unsigned long long ull; /* for %llx */

enum { RING_IDS = 4, FIRST_RING_ID = 1 };

/* ---- limits (6; field case F29) ---------------------------------------------------------------
 */

static trn_status refuse(struct trn_hal *hal, unsigned dma, unsigned queue, uint32_t size,
                         const char *expected, const char *why)
{
    char where[48];
    snprintf(where, sizeof where, "dma%u queue %u", dma, queue);
    return trn_hal_fail(hal, TRN_ERR_INVALID, where, expected,
                        "queue %u of DMA engine %u: a ring of %u descriptors is %s", queue, dma,
                        size, why);
}

static trn_status check_base(struct trn_hal *hal, unsigned dma, unsigned queue, uint32_t size,
                             uint64_t base, const char *half)
{
    enum { ALIGNMENT = 256 };
    char why[128];
    const uint64_t end = base + (uint64_t)size * TRN_HAL_UDMA_DESC_BYTES;
    if (base % ALIGNMENT == 0 && end % ALIGNMENT == 0 && end >= base)
        return TRN_OK;
    snprintf(why, sizeof why, "misplaced: its %s base is 0x%llx and its end 0x%llx", half,
             (ull)base, (ull)end);
    return refuse(hal, dma, queue, size, "base and end aligned to 256 bytes", why);
}

static trn_status check(struct trn_hal *hal, unsigned dma, unsigned queue, uint32_t size,
                        uint64_t tx, uint64_t rx)
{
    enum { STEP = 16 };
    static const char sizes[] = "32 to 16777200 descriptors, a multiple of 16";
    if (queue >= TRN_HAL_UDMA_QUEUES)
        return refuse(hal, dma, queue, size, "queue 0 to 15", "in no queue: an engine has 16");
    if (size < TRN_HAL_UDMA_MIN_RING)
        return refuse(hal, dma, queue, size, sizes, "too small (32)");
    if (size > TRN_HAL_UDMA_MAX_RING)
        return refuse(hal, dma, queue, size, sizes, "too large (16777200)");
    if (size % STEP != 0)
        return refuse(hal, dma, queue, size, sizes, "no multiple of 16");
    const trn_status status = check_base(hal, dma, queue, size, tx, "M2S");
    return status == TRN_OK ? check_base(hal, dma, queue, size, rx, "S2M") : status;
}

/* ---- registers (pci-function.md 6.2) ------------------------------------------------------------
 */

struct names {
    const char *cfg, *sw_ctrl, *low, *high, *length, *comp_cfg, *enable, *reset;
};

static const struct names names[] = {
    {"udma.m2s_q.cfg", "udma.m2s_q.q_sw_ctrl", "udma.m2s_q.drbp_low", "udma.m2s_q.drbp_high",
     "udma.m2s_q.drl", "udma.m2s_q.comp_cfg", "en_scheduling", "rst_q"},
    {"udma.s2m_q.cfg", "udma.s2m_q.q_sw_ctrl", "udma.s2m_q.drbp_low", "udma.s2m_q.drbp_high",
     "udma.s2m_q.drl", "udma.s2m_q.comp_cfg", "en_stream", "rst_q"}};

/* A word with one bit field set. */
static uint32_t with_field(const struct trn_hal *hal, const char *path, const char *field,
                           uint32_t word)
{
    const struct trn_reg_row *const row = trn_reg_find(hal->gen, path, NULL);
    const struct trn_reg_bits *const bits = row ? trn_reg_field(row, field) : NULL;
    return bits ? (uint32_t)trn_bits_set(word, bits->low, bits->bits, 1) : word;
}

/* Pause, reset, base, length, no completion ring, go. */
static trn_status init_half(struct trn_hal *hal, unsigned dma, unsigned queue, unsigned half,
                            uint64_t base, uint32_t size)
{
    const struct names *const n = &names[half];
    const struct trn_reg_row *const cfg = trn_reg_find(hal->gen, n->cfg, NULL);
    const uint32_t paused = cfg ? cfg->reset : 0; /* 4.1: the cached reset value */
    const uint32_t running =
        with_field(hal, n->cfg, n->enable, with_field(hal, n->cfg, "en_pref", paused));
    const struct {
        const char *path;
        uint32_t value;
    } writes[] = {{n->cfg, paused},
                  {n->sw_ctrl, with_field(hal, n->sw_ctrl, n->reset, 0)},
                  {n->low, (uint32_t)trn_bits_get(base, 0, 32)},
                  {n->high, (uint32_t)trn_bits_get(base, 32, 32)},
                  {n->length, size},
                  {n->comp_cfg, 0},
                  {n->cfg, running}};
    trn_status status = TRN_OK;
    for (size_t i = 0; status == TRN_OK && i < sizeof writes / sizeof writes[0]; i++)
        status = trn_hal_udma_write(hal, dma, writes[i].path, queue, writes[i].value);
    return status;
}

trn_status trn_hal_udma_queue_init(struct trn_hal *hal, unsigned dma, unsigned queue, uint32_t size,
                                   const struct trn_hal_udma_memory *tx,
                                   const struct trn_hal_udma_memory *rx,
                                   struct trn_hal_udma_queue *out)
{
    enum { DMB_PAUSES = 3 }; /* rate-limit mask without "internal pause on DMB" */
    if (!tx || !rx || !out)
        return trn_hal_fail(hal, TRN_ERR_ADDRESS, NULL, NULL, "NULL ring or queue");
    trn_status status = check(hal, dma, queue, size, tx->base, rx->base);
    if (status == TRN_OK)
        status = trn_hal_udma_write(hal, dma, "udma.m2s_q.rlimit_mask", queue, DMB_PAUSES);
    if (status == TRN_OK)
        status = init_half(hal, dma, queue, 0, tx->base, size);
    if (status == TRN_OK)
        status = init_half(hal, dma, queue, 1, rx->base, size);
    if (status == TRN_OK)
        *out = (struct trn_hal_udma_queue){.dma = dma,
                                           .queue = queue,
                                           .size = size,
                                           .tx = {.memory = *tx, .ring_id = FIRST_RING_ID},
                                           .rx = {.memory = *rx, .ring_id = FIRST_RING_ID}};
    return status;
}

/* ---- cursors (7)
 * ------------------------------------------------------------------------------------ */

uint32_t trn_hal_udma_ring_size(uint32_t n)
{
    enum { SMALLEST = 64, SMALL = 32, LARGEST = 1 << 24 };
    uint32_t size = SMALLEST;
    while (n >= SMALL && size < LARGEST && size < (uint64_t)n + TRN_HAL_UDMA_GUARD)
        size *= 2;
    return size;
}

static uint32_t free_slots(const struct trn_hal_udma_queue *queue,
                           const struct trn_hal_udma_ring *ring)
{
    const uint32_t used = ring->next >= ring->done ? ring->next - ring->done
                                                   : ring->next + (queue->size - ring->done);
    const uint32_t left = queue->size - used;
    return left > TRN_HAL_UDMA_GUARD ? left - TRN_HAL_UDMA_GUARD : 0;
}

uint32_t trn_hal_udma_available(const struct trn_hal_udma_queue *queue)
{
    const uint32_t tx = free_slots(queue, &queue->tx), rx = free_slots(queue, &queue->rx);
    return tx < rx ? tx : rx;
}

/* The slot to fill and its ring id; the last slot of a lap still carries the lap's (7). */
static uint8_t *next_slot(const struct trn_hal_udma_queue *queue, struct trn_hal_udma_ring *ring,
                          uint8_t *ring_id)
{
    uint8_t *const slot =
        (uint8_t *)ring->memory.memory + (size_t)ring->next * TRN_HAL_UDMA_DESC_BYTES;
    *ring_id = ring->ring_id;
    if (++ring->next == queue->size) {
        ring->next = 0;
        ring->ring_id = (uint8_t)((ring->ring_id + 1) % RING_IDS);
    }
    return slot;
}

/* One 16-byte write (2). */
static void publish(uint8_t *slot, const uint8_t raw[TRN_HAL_UDMA_DESC_BYTES])
{
    memcpy(slot, raw, TRN_HAL_UDMA_DESC_BYTES);
}

static trn_status check_copy(struct trn_hal *hal, const struct trn_hal_udma_queue *queue,
                             uint32_t size, enum trn_hal_udma_barrier barrier)
{
    char where[48];
    snprintf(where, sizeof where, "dma%u queue %u", queue->dma, queue->queue);
    if (size == 0 || size > TRN_HAL_UDMA_MAX_COPY)
        return trn_hal_fail(hal, TRN_ERR_INVALID, where, "1 to 65536 bytes",
                            "a descriptor of %u bytes", size);
    if ((unsigned)barrier > TRN_HAL_UDMA_STRONG_ORDER)
        return trn_hal_fail(hal, TRN_ERR_INVALID, where, "0 to 3", "barrier %d", (int)barrier);
    if (barrier == TRN_HAL_UDMA_STRONG_ORDER && !hal->gen->udma_strong_order)
        return trn_hal_log_fail(hal, TRN_ERR_INVALID, where,
                                "udma strong ordering not supported in TRN1!");
    if (!queue->tx.memory.memory || !queue->rx.memory.memory)
        return trn_hal_fail(hal, TRN_ERR_ADDRESS, where, "rings that the host can write",
                            "the rings have no host mapping");
    if (trn_hal_udma_available(queue) == 0)
        return trn_hal_fail(hal, TRN_ERR_NO_MEMORY, where, "acknowledge what is done",
                            "no free slot: %u of %u descriptors are guarded or not acknowledged",
                            queue->size - trn_hal_udma_available(queue), queue->size);
    return TRN_OK;
}

trn_status trn_hal_udma_prepare(struct trn_hal *hal, struct trn_hal_udma_queue *queue,
                                uint64_t source, uint64_t destination, uint32_t size,
                                enum trn_hal_udma_barrier barrier, bool interrupt)
{
    enum { OP_CME = 2 };
    const trn_status status = check_copy(hal, queue, size, barrier);
    if (status != TRN_OK)
        return status;
    const uint16_t length = (uint16_t)(size == TRN_HAL_UDMA_MAX_COPY ? 0 : size);
    uint8_t raw[TRN_HAL_UDMA_DESC_BYTES] = {0};
    struct trn_udma_rx rx = {.length = length,
                             .int_en = interrupt,
                             .strong_order = barrier == TRN_HAL_UDMA_STRONG_ORDER,
                             .destination = destination};
    uint8_t *const rx_slot = next_slot(queue, &queue->rx, &rx.ring_id);
    trn_udma_rx_pack(&rx, raw);
    publish(rx_slot, raw);
    struct trn_udma_tx tx = {.length = length,
                             .first = 1,
                             .last = 1,
                             .dmb = barrier == TRN_HAL_UDMA_DMB,
                             .last_block = 1,
                             .first_block = 1,
                             .copy_source = 1,
                             .op = OP_CME,
                             .write_barrier = barrier == TRN_HAL_UDMA_WRITE_BARRIER,
                             .source = source};
    uint8_t *const tx_slot = next_slot(queue, &queue->tx, &tx.ring_id);
    memset(raw, 0, sizeof raw);
    trn_udma_tx_pack(&tx, raw);
    publish(tx_slot, raw);
    return TRN_OK;
}

trn_status trn_hal_udma_start(struct trn_hal *hal, const struct trn_hal_udma_queue *queue,
                              uint32_t tx, uint32_t rx)
{
    char where[48];
    snprintf(where, sizeof where, "dma%u queue %u", queue->dma, queue->queue);
    if (rx == 0 || rx > queue->size || tx > queue->size)
        return trn_hal_fail(hal, TRN_ERR_INVALID, where, "1 to the ring's size; 0 for TX alone",
                            "doorbells of %u TX and %u RX descriptors on rings of %u", tx, rx,
                            queue->size);
    __atomic_thread_fence(__ATOMIC_SEQ_CST); /* 7: the descriptors are there first */
    const trn_status status =
        trn_hal_udma_write(hal, queue->dma, "udma.s2m_q.drtp_inc", queue->queue, rx);
    return status == TRN_OK && tx > 0
               ? trn_hal_udma_write(hal, queue->dma, "udma.m2s_q.drtp_inc", queue->queue, tx)
               : status;
}

void trn_hal_udma_acknowledge(struct trn_hal_udma_queue *queue, uint32_t n)
{
    queue->rx.done = (uint32_t)(((uint64_t)queue->rx.done + n) % queue->size);
    queue->tx.done = (uint32_t)(((uint64_t)queue->tx.done + n) % queue->size);
}

/* ---- read back (9.5)
 * ---------------------------------------------------------------------------------- */

trn_status trn_hal_udma_view(struct trn_hal *hal, unsigned dma, unsigned queue, unsigned half,
                             struct trn_hal_udma_view *view)
{
    static const char *const parts[] = {"status", "drl",      "drhp",     "drtp",
                                        "dcp",    "drbp_low", "drbp_high"};
    enum { STATE_BITS = 2 };
    uint32_t value[sizeof parts / sizeof parts[0]], state;
    const char *const bank = half == 0 ? "m2s" : "s2m";
    char path[64];
    trn_status status = TRN_OK;
    *view = (struct trn_hal_udma_view){0};
    for (size_t i = 0; status == TRN_OK && i < sizeof parts / sizeof parts[0]; i++) {
        snprintf(path, sizeof path, "udma.%s_q.%s", bank, parts[i]);
        status = trn_hal_udma_read(hal, dma, path, queue, &value[i]);
    }
    snprintf(path, sizeof path, "udma.%s.state", bank);
    if (status == TRN_OK)
        status = trn_hal_udma_read(hal, dma, path, 0, &state);
    if (status != TRN_OK)
        return status;
    *view = (struct trn_hal_udma_view){.status = value[0],
                                       .length = value[1],
                                       .head = value[2],
                                       .tail = value[3],
                                       .current = value[4],
                                       .base = trn_bits_set(value[5], 32, 32, value[6]),
                                       .state = (uint32_t)trn_bits_get(state, 0, STATE_BITS)};
    return TRN_OK;
}
