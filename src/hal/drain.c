/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a notification ring (docs/hardware/notific.md 9.3), and setting one up as the Linux
 * driver does (8.3). */
#include "trench/drain.h"

#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "gen/regmap.h"
#include "record_pack.h"

enum { STANDARD_POLLS = 10000, PAUSE_US = 100 }; /* 9.3 */

#define FRAME_BIT(bits, name) (trn_bits_get(bits, TRN_FRAME_##name##_LOW, 1) != 0)

/* ---- registers ----------------------------------------------------------------------------- */

/* Offset on the bus of a register of a queue, or the reason why there is none. */
static trn_status place(const struct trn_gen *gen, const char *name, uint64_t block, unsigned queue,
                        uint64_t *at, struct trn_diag *diag)
{
    const struct trn_reg_row *const row = trn_reg_find(gen, name, NULL);
    if (!row)
        return trn_diag_set(diag, TRN_ERR_UNSUPPORTED, NULL, NULL, NULL, "%s has no register %s",
                            gen->name, name);
    if (queue >= row->count[0])
        return trn_diag_set(diag, TRN_ERR_INVALID, NULL, NULL, NULL,
                            "queue %u: a block has %u queues", queue, row->count[0]);
    *at = block + trn_reg_offset(row, row->first[0] + queue, 0);
    return TRN_OK;
}

static trn_status write_word(const struct trn_bus *bus, uint64_t at, uint32_t value,
                             struct trn_diag *diag)
{
    const trn_status status = bus->write32(bus->context, at, value);
    return status == TRN_OK
               ? TRN_OK
               : trn_diag_set(diag, status, NULL, NULL, NULL, "cannot write bar0+0x%llx: %s",
                              (unsigned long long)at, trn_status_name(status));
}

static trn_status write_ring(const struct trn_bus *bus, const struct trn_gen *gen, uint64_t block,
                             unsigned queue, uint64_t base, uint32_t size, struct trn_diag *diag)
{
    static const char *const names[] = {"notific.nq.base_addr_hi", "notific.nq.base_addr_lo",
                                        "notific.nq.size"};
    const uint32_t values[] = {(uint32_t)trn_bits_get(base, 32, 32),
                               (uint32_t)trn_bits_get(base, 0, 32), size};
    trn_status status = TRN_OK;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && status == TRN_OK; i++) {
        uint64_t at = 0;
        status = place(gen, names[i], block, queue, &at, diag);
        if (status == TRN_OK)
            status = write_word(bus, at, values[i], diag);
    }
    return status;
}

trn_status trn_drain_driver_init(const struct trn_bus *bus, const struct trn_gen *gen,
                                 uint64_t block, unsigned queue, uint64_t base, uint32_t size,
                                 struct trn_diag *diag)
{
    if (size == 0 || (size & (size - 1)) != 0)
        return trn_diag_set(diag, TRN_ERR_INVALID, NULL, NULL, "a power of two",
                            "notification queue size 0x%x", size);
    return write_ring(bus, gen, block, queue, base, size, diag);
}

trn_status trn_drain_driver_halt(const struct trn_bus *bus, const struct trn_gen *gen,
                                 uint64_t block, unsigned queue, struct trn_diag *diag)
{
    return write_ring(bus, gen, block, queue, 0, 0, diag);
}

/* ---- attach -----------------------------------------------------------------------------------
 */

trn_status trn_drain_attach(struct trn_drain *drain, const struct trn_gen *gen,
                            const struct trn_drain_ring *ring, struct trn_diag *diag)
{
    *drain = (struct trn_drain){.ring = *ring};
    if (ring->size < 2 * TRN_RECORD_BYTES || ring->size % TRN_RECORD_BYTES)
        return trn_diag_set(diag, TRN_ERR_INVALID, NULL, NULL, "a multiple of 16, at least 32",
                            "ring of %u bytes", ring->size);
    if (!ring->bus || (!ring->memory && !ring->memory_bus))
        return trn_diag_set(diag, TRN_ERR_INVALID, NULL, NULL, NULL,
                            "a bus and the memory of the ring are needed");
    const trn_status status =
        place(gen, "notific.nq.head_ptr", ring->block, ring->queue, &drain->head_at, diag);
    return status == TRN_OK
               ? place(gen, "notific.nq.tail_ptr", ring->block, ring->queue, &drain->tail_at, diag)
               : status;
}

/* ---- records ------------------------------------------------------------------------------------
 */

static uint32_t capacity_of(const struct trn_drain *drain)
{
    return drain->ring.size / TRN_RECORD_BYTES;
}

static trn_status fetch(const struct trn_drain *drain, uint32_t index, void *out, uint32_t records,
                        struct trn_diag *diag)
{
    const struct trn_drain_ring *const ring = &drain->ring;
    const uint64_t offset = (uint64_t)index * TRN_RECORD_BYTES;
    const size_t size = (size_t)records * TRN_RECORD_BYTES;
    if (ring->memory) {
        memcpy(out, ring->memory + offset, size);
        return TRN_OK;
    }
    const trn_status status = ring->memory_bus->read_block(ring->memory_bus->context,
                                                           ring->memory_offset + offset, out, size);
    return status == TRN_OK ? TRN_OK
                            : trn_diag_set(diag, status, NULL, NULL, NULL,
                                           "cannot read record %u of the ring of queue %u: %s",
                                           index, ring->queue, trn_status_name(status));
}

static bool phase_of(const uint8_t record[TRN_RECORD_BYTES])
{
    return FRAME_BIT(trn_get64(record), PHASE);
}

/* Whether the n-th record behind the next one is of the lap that the host waits for. */
static trn_status is_new(const struct trn_drain *drain, uint32_t n, bool *new,
                         struct trn_diag *diag)
{
    const uint32_t capacity = capacity_of(drain), index = drain->next + n;
    const bool wrapped = index >= capacity;
    uint8_t record[TRN_RECORD_BYTES];
    const trn_status status = fetch(drain, wrapped ? index - capacity : index, record, 1, diag);
    *new = status == TRN_OK &&phase_of(record) != (wrapped ? !drain->phase : drain->phase);
    return status;
}

/* ---- resume ---------------------------------------------------------------------------------- */

static trn_status read_word(const struct trn_bus *bus, uint64_t at, uint32_t *value,
                            struct trn_diag *diag)
{
    const trn_status status = bus->read32(bus->context, at, value);
    return status == TRN_OK
               ? TRN_OK
               : trn_diag_set(diag, status, NULL, NULL, NULL, "cannot read bar0+0x%llx: %s",
                              (unsigned long long)at, trn_status_name(status));
}

/* The bit of a queue in a register of the whole block. */
static trn_status read_bit(const struct trn_gen *gen, const struct trn_drain_ring *ring,
                           const char *name, bool *bit, struct trn_diag *diag)
{
    const struct trn_reg_row *const row = trn_reg_find(gen, name, NULL);
    uint32_t word = 0;
    const trn_status status =
        row ? read_word(ring->bus, ring->block + trn_reg_offset(row, 0, 0), &word, diag) : TRN_OK;
    *bit = status == TRN_OK && trn_bits_get(word, ring->queue, 1);
    return status;
}

/* A ring that is written on when it is full has no slot that stays (4.1; back-pressure wins). */
static trn_status refuse_overwriting(const struct trn_gen *gen, const struct trn_drain_ring *ring,
                                     struct trn_diag *diag)
{
    bool ignores = false, waits = false;
    trn_status status = read_bit(gen, ring, "notific.nq_sw_overflow", &ignores, diag);
    if (status == TRN_OK)
        status = read_bit(gen, ring, "notific.sw_backpressure", &waits, diag);
    if (status == TRN_OK && ignores && !waits)
        return trn_diag_set(diag, TRN_ERR_INVALID, NULL, NULL,
                            "a lossless or dropping ring, or one that is reset and attached",
                            "queue %u overwrites its oldest records when it is full: where its "
                            "reader stopped cannot be told",
                            ring->queue);
    return status;
}

/* 9.2, 9.3: the slot before the reader is free and stays as it was read, because a full ring keeps
 * one slot free; it is of the lap before when the reader stands at the first. */
static trn_status find_phase(struct trn_drain *drain, struct trn_diag *diag)
{
    const uint32_t before = (drain->next == 0 ? capacity_of(drain) : drain->next) - 1;
    uint8_t record[TRN_RECORD_BYTES];
    const trn_status status = fetch(drain, before, record, 1, diag);
    if (status == TRN_OK)
        drain->phase = drain->next == 0 ? phase_of(record) : !phase_of(record);
    return status;
}

trn_status trn_drain_resume(struct trn_drain *drain, const struct trn_gen *gen,
                            const struct trn_drain_ring *ring, struct trn_diag *diag)
{
    uint32_t head = 0;
    trn_status status = trn_drain_attach(drain, gen, ring, diag);
    if (status == TRN_OK)
        status = refuse_overwriting(gen, ring, diag);
    if (status == TRN_OK)
        status = read_word(ring->bus, drain->head_at, &head, diag);
    if (status != TRN_OK)
        return status;
    if (head % TRN_RECORD_BYTES || head >= ring->size)
        return trn_diag_set(diag, TRN_ERR_FORMAT, NULL, NULL,
                            "a multiple of 16 below the size of the ring",
                            "nq[%u].head_ptr reads 0x%x", ring->queue, head);
    drain->next = head / TRN_RECORD_BYTES;
    return find_phase(drain, diag);
}

/* ---- waiting -----------------------------------------------------------------------------------
 */

static void pause_a_bit(const struct trn_drain *drain)
{
    if (drain->ring.delay)
        drain->ring.delay(drain->ring.delay_context, PAUSE_US);
}

static uint32_t polls_of(const struct trn_drain *drain)
{
    return drain->ring.polls ? drain->ring.polls : STANDARD_POLLS;
}

/* F45: which register, what it says, what was wanted, who could write it. */
static trn_status timed_out(const struct trn_drain *drain, const char *what, struct trn_diag *diag)
{
    uint32_t tail = 0;
    char where[64];
    const struct trn_bus *const bus = drain->ring.bus;
    const trn_status status = bus->read32(bus->context, drain->tail_at, &tail);
    snprintf(where, sizeof where, "bar0+0x%llx", (unsigned long long)drain->tail_at);
    return trn_diag_set(diag, TRN_ERR_TIMEOUT, where, NULL,
                        "who could write it: the device alone; the host cannot write it",
                        "%s after %u polls: nq[%u].tail_ptr reads %s0x%x, the host has read up to "
                        "0x%x of 0x%x bytes",
                        what, polls_of(drain), drain->ring.queue,
                        status == TRN_OK ? "" : "nothing, not ", tail,
                        drain->next * TRN_RECORD_BYTES, drain->ring.size);
}

/* ---- what is new --------------------------------------------------------------------------------
 */

static trn_status count_by_phase(const struct trn_drain *drain, uint32_t most, uint32_t *count,
                                 struct trn_diag *diag)
{
    bool new = true;
    trn_status status = TRN_OK;
    for (*count = 0; *count < most; ++*count) {
        status = is_new(drain, *count, &new, diag);
        if (!new)
            break;
    }
    return status;
}

/* tail_ptr may run ahead of memory (4.3): the last record is waited for. */
static trn_status count_by_pointer(const struct trn_drain *drain, uint32_t *count,
                                   struct trn_diag *diag)
{
    const struct trn_bus *const bus = drain->ring.bus;
    const uint32_t capacity = capacity_of(drain);
    uint32_t tail;
    *count = 0;
    trn_status status = read_word(bus, drain->tail_at, &tail, diag);
    if (status != TRN_OK)
        return status;
    if (tail % TRN_RECORD_BYTES || tail >= drain->ring.size)
        return trn_diag_set(diag, TRN_ERR_FORMAT, NULL, NULL,
                            "a multiple of 16 below the size of the ring",
                            "nq[%u].tail_ptr reads 0x%x", drain->ring.queue, tail);
    const uint32_t ready = (tail / TRN_RECORD_BYTES + capacity - drain->next) % capacity;
    bool new = ready == 0;
    for (uint32_t poll = 0; !new &&status == TRN_OK &&poll < polls_of(drain); poll++) {
        if (poll)
            pause_a_bit(drain);
        status = is_new(drain, ready - 1, &new, diag);
    }
    *count = new ? ready : 0;
    if (status != TRN_OK || new)
        return status;
    return timed_out(drain, "the last record did not reach memory", diag);
}

trn_status trn_drain_available(struct trn_drain *drain, uint32_t *count, struct trn_diag *diag)
{
    return drain->ring.by_pointer ? count_by_pointer(drain, count, diag)
                                  : count_by_phase(drain, capacity_of(drain), count, diag);
}

trn_status trn_drain_wait(struct trn_drain *drain, uint32_t want, struct trn_diag *diag)
{
    uint32_t count = 0;
    for (uint32_t poll = 0; poll < polls_of(drain); poll++) {
        if (poll)
            pause_a_bit(drain);
        const trn_status status = trn_drain_available(drain, &count, diag);
        if (status != TRN_OK || count >= want)
            return status;
    }
    char what[80];
    snprintf(what, sizeof what, "%u records are there, %u are wanted", count, want);
    return timed_out(drain, what, diag);
}

/* ---- read
 * ------------------------------------------------------------------------------------------ */

static void look_at(struct trn_drain *drain, const uint8_t record[TRN_RECORD_BYTES])
{
    const uint64_t bits = trn_get64(record), time = trn_get64(record + 8);
    drain->sw_overflows += FRAME_BIT(bits, SOFTWARE_QUEUE_OVERFLOW);
    drain->hw_overflows += FRAME_BIT(bits, HARDWARE_QUEUE_OVERFLOW);
    drain->out_of_order += time < drain->last_time;
    drain->last_time = time;
}

static trn_status copy_out(struct trn_drain *drain, uint8_t (*records)[TRN_RECORD_BYTES],
                           uint32_t count, struct trn_diag *diag)
{
    const uint32_t straight =
        count < capacity_of(drain) - drain->next ? count : capacity_of(drain) - drain->next;
    const trn_status status = fetch(drain, drain->next, records, straight, diag);
    return status == TRN_OK && count > straight
               ? fetch(drain, 0, records + straight, count - straight, diag)
               : status;
}

static void step(struct trn_drain *drain, uint32_t count)
{
    drain->read += count;
    drain->next += count;
    if (drain->next < capacity_of(drain))
        return;
    drain->next -= capacity_of(drain);
    drain->phase = !drain->phase;
}

trn_status trn_drain_read(struct trn_drain *drain, uint8_t (*records)[TRN_RECORD_BYTES],
                          uint32_t capacity, uint32_t *count, struct trn_diag *diag)
{
    const uint32_t most = capacity < capacity_of(drain) ? capacity : capacity_of(drain);
    trn_status status = drain->ring.by_pointer ? count_by_pointer(drain, count, diag)
                                               : count_by_phase(drain, most, count, diag);
    if (*count > most)
        *count = most;
    if (status == TRN_OK && *count)
        status = copy_out(drain, records, *count, diag);
    if (status != TRN_OK || *count == 0) {
        *count = 0;
        return status;
    }
    for (uint32_t i = 0; i < *count; i++)
        look_at(drain, records[i]);
    step(drain, *count);
    return write_word(drain->ring.bus, drain->head_at, drain->next * TRN_RECORD_BYTES, diag);
}
