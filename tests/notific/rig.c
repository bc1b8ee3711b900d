/* SPDX-License-Identifier: Apache-2.0 */
#include "notific/rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static trn_status write_memory(void *context, uint64_t address, const void *data, size_t size,
                               uint16_t axi_id)
{
    struct rig *const rig = context;
    if (rig->busy) {
        rig->busy--;
        return TRN_ERR_BUSY;
    }
    if (address < RIG_BASE || address - RIG_BASE > RIG_MEMORY - size)
        return TRN_ERR_ADDRESS;
    memcpy(rig->memory + (address - RIG_BASE), data, size);
    rig->writes++;
    rig->last_size = size;
    rig->last_id = axi_id;
    return TRN_OK;
}

static void pulse(void *context, enum trn_notific_output output, unsigned n)
{
    struct rig *const rig = context;
    rig->pulses[output]++;
    rig->last_n[output] = n;
}

static uint64_t ticks(void *context)
{
    return ((struct rig *)context)->ticks;
}

static void choice(void *context, enum trn_choice which)
{
    ((struct rig *)context)->choices[which]++;
}

struct trn_notific_ports rig_ports(struct rig *rig)
{
    return (struct trn_notific_ports){rig, write_memory, pulse, ticks, choice};
}

void rig_open(struct rig *rig, const struct trn_notific_options *options)
{
    static const struct trn_notific_options none = {0};
    *rig = (struct rig){0};
    const struct trn_notific_ports ports = rig_ports(rig);
    assert_int_equal(
        trn_notific_create(trn_gen_find("cayman"), options ? options : &none, &ports, &rig->block),
        TRN_OK);
    rig_write(rig, RIG_WR_BUF_LO, UINT32_MAX);
    rig_write(rig, RIG_WR_BUF_HI, UINT32_MAX);
    rig_write(rig, RIG_HW_BACKPRESSURE_LO, UINT32_MAX);
    rig_write(rig, RIG_HW_BACKPRESSURE_HI, UINT32_MAX);
}

void rig_close(struct rig *rig)
{
    trn_notific_destroy(rig->block);
}

uint32_t rig_read(struct rig *rig, uint32_t offset)
{
    uint32_t value;
    assert_true(trn_notific_read32(rig->block, offset, &value));
    return value;
}

void rig_write(struct rig *rig, uint32_t offset, uint32_t value)
{
    assert_true(trn_notific_write32(rig->block, offset, value));
}

void rig_ring(struct rig *rig, unsigned q, uint32_t offset, uint32_t size)
{
    rig_write(rig, rig_queue(q, RIG_BASE_LO), RIG_BASE + offset);
    rig_write(rig, rig_queue(q, RIG_BASE_HI), 0);
    rig_write(rig, rig_queue(q, RIG_SIZE), size);
    rig_write(rig, rig_queue(q, RIG_HEAD), 0);
    rig_write(rig, RIG_NQ_ENABLE, rig_read(rig, RIG_NQ_ENABLE) | 1u << q);
}

enum trn_notific_result rig_submit(struct rig *rig, unsigned input, unsigned q, unsigned n)
{
    uint8_t raw[TRN_RECORD_BYTES];
    const struct trn_record record = {
        .type = TRN_RECORD_TPB_ACT_EXPLICIT,
        .form = TRN_FORM_EXPLICIT_NOTIFY,
        .body.explicit_notify = {.soft_reset_counter = (uint16_t)n, .debug_hint_extended = 2}};
    assert_int_equal(trn_record_encode(&record, raw, NULL), TRN_OK);
    return trn_notific_submit(rig->block, input, q, raw);
}

struct trn_record rig_record(const struct rig *rig, uint32_t offset)
{
    struct trn_record record;
    assert_int_equal(trn_record_decode(rig->memory + offset, &record, NULL), TRN_OK);
    return record;
}

unsigned rig_number(const struct rig *rig, uint32_t offset)
{
    return rig_record(rig, offset).body.explicit_notify.soft_reset_counter;
}
