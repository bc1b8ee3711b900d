/* SPDX-License-Identifier: Apache-2.0 */
#include "device/notific.h"

#include <stdlib.h>
#include <string.h>

#include "device/core.h"
#include "device/intc.h"

/* ---- ports --------------------------------------------------------------------------- */

/* Rings lie where the host put them: in its own memory as a rule, in any memory of the device
 * else. What nobody owns is a write response error (notific.md 5). */
static trn_status write_record(void *context, uint64_t address, const void *data, size_t size,
                               uint16_t axi_id)
{
    const struct trn_wired_notific *wired = context;
    (void)axi_id;
    uint8_t *host = trn_host_at(wired->device, address, size);
    if (host) {
        memcpy(host, data, size);
        return TRN_OK;
    }
    const struct trn_tpb *tpb = wired->tpb ? wired->tpb : wired->device->tpb[0];
    return trn_soc_write(&tpb->soc, address, data, size, trn_origin_host());
}

static void pulse(void *context, enum trn_notific_output output, unsigned n)
{
    const struct trn_wired_notific *wired = context;
    if (wired->tpb)
        trn_intc_raise(wired->tpb, trn_notific_trigger(output, n));
}

static uint64_t ticks(void *context)
{
    const struct trn_wired_notific *wired = context;
    return wired->device->clock;
}

/* Which phase comes first is between the block and who drains it; no result of a run rests on it.
 */
static void choice(void *context, enum trn_choice which)
{
    const struct trn_wired_notific *wired = context;
    if (which != TRN_CHOICE_NOTIFIC_FIRST_PHASE)
        wired->device->choices.count[which]++;
}

/* ---- life ---------------------------------------------------------------------------- */

static bool has_one_queue(const struct trn_block *where)
{
    return strcmp(where->row->form, "one-queue") == 0;
}

/* Those with one queue are of error-trigger generators (notific.md 1.1). */
static enum trn_notific_owner owner_of(const struct trn_block *where)
{
    if (has_one_queue(where))
        return TRN_NOTIFIC_OF_TRIGGERS;
    switch (where->row->owner) {
    case TRN_BLOCK_OF_CORE:
        return TRN_NOTIFIC_OF_CORE;
    case TRN_BLOCK_OF_TOPSP:
    case TRN_BLOCK_OF_TOPSP_SPARE:
        return TRN_NOTIFIC_OF_TOPSP;
    case TRN_BLOCK_OF_DMA:
        return TRN_NOTIFIC_OF_DMA;
    default:
        return TRN_NOTIFIC_OF_TRIGGERS;
    }
}

trn_status trn_wired_notific_create(struct trn_device *device, struct trn_tpb *tpb,
                                    const struct trn_block *where, struct trn_wired_notific **out)
{
    struct trn_wired_notific *wired = calloc(1, sizeof *wired);
    if (!wired)
        return TRN_ERR_NO_MEMORY;
    *wired = (struct trn_wired_notific){.device = device, .tpb = tpb};
    const struct trn_notific_options options = {
        .owner = owner_of(where), .one_queue = strcmp(where->row->form, "one-queue") == 0};
    const struct trn_notific_ports ports = {
        .context = wired, .write = write_record, .pulse = pulse, .ticks = ticks, .choice = choice};
    const trn_status status = trn_notific_create(device->gen, &options, &ports, &wired->block);
    if (status != TRN_OK) {
        free(wired);
        return status;
    }
    if (tpb && options.owner == TRN_NOTIFIC_OF_CORE)
        trn_post_open(tpb, wired);
    if (options.owner == TRN_NOTIFIC_OF_DMA)
        trn_dma_notific_made(device, where->number, wired);
    *out = wired;
    return TRN_OK;
}

void trn_wired_notific_destroy(struct trn_wired_notific *wired)
{
    if (!wired)
        return;
    trn_notific_destroy(wired->block);
    free(wired);
}

bool trn_wired_notific_write(struct trn_wired_notific *wired, uint32_t at, uint32_t value)
{
    const bool known = trn_notific_write32(wired->block, at, value);
    if (wired->tpb)
        trn_post_settle(wired->tpb);
    return known;
}
