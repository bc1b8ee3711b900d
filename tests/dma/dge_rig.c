/* SPDX-License-Identifier: Apache-2.0 */
#include "dma/dge_rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

uint8_t *rig_at(struct rig *rig, uint64_t address, uint64_t size)
{
    const uint64_t offset = address % RIG_HBM_BYTES; /* the same bytes again up to RIG_HBM_END */
    if (address < RIG_HBM_END && size <= RIG_HBM_BYTES - offset)
        return rig->hbm + offset;
    if (address - RIG_SBUF < RIG_SBUF_BYTES && size <= RIG_SBUF_BYTES - (address - RIG_SBUF))
        return rig->sbuf + (address - RIG_SBUF);
    return NULL;
}

static trn_status map(void *context, uint64_t address, uint64_t size, bool write, uint8_t **pointer,
                      uint64_t *length)
{
    struct rig *const rig = context;
    (void)write;
    *pointer = NULL;
    if (rig->piecewise && address % 2)
        return rig_at(rig, address, 1) ? TRN_OK : TRN_ERR_ADDRESS;
    if (rig->piecewise && size > 7)
        size = 7;
    if (!rig_at(rig, address, 1))
        return TRN_ERR_ADDRESS;
    while (!rig_at(rig, address, size))
        size--;
    *pointer = rig_at(rig, address, size);
    *length = size;
    return TRN_OK;
}

static trn_status bytes_read(void *context, uint64_t address, void *data, size_t size)
{
    const uint8_t *const at = rig_at(context, address, size);
    if (!at)
        return TRN_ERR_ADDRESS;
    memcpy(data, at, size);
    return TRN_OK;
}

static trn_status bytes_write(void *context, uint64_t address, const void *data, size_t size)
{
    uint8_t *const at = rig_at(context, address, size);
    if (!at)
        return TRN_ERR_ADDRESS;
    memcpy(at, data, size);
    return TRN_OK;
}

static trn_status get_register(void *context, int engine, unsigned number, uint32_t *value)
{
    struct rig *const rig = context;
    (void)engine;
    if (number >= 64)
        return TRN_ERR_INVALID;
    *value = rig->reg[number];
    return TRN_OK;
}

static trn_status set_register(void *context, int engine, unsigned number, uint32_t value)
{
    struct rig *const rig = context;
    (void)engine;
    if (number >= 64)
        return TRN_ERR_INVALID;
    rig->reg[number] = value;
    return TRN_OK;
}

static uint32_t local(void *context, int engine, unsigned number)
{
    (void)engine;
    return ((struct rig *)context)->local[number];
}

static trn_status shape(void *context, int engine, unsigned number, struct trn_dge_shape *out)
{
    (void)engine;
    if (number >= 4)
        return TRN_ERR_INVALID;
    *out = ((struct rig *)context)->shape[number];
    return TRN_OK;
}

static trn_status table(void *context, int engine, unsigned index, uint64_t *base)
{
    (void)engine;
    if (index >= 8)
        return TRN_ERR_INVALID;
    *base = ((struct rig *)context)->table[index];
    return TRN_OK;
}

static void semaphore_add(void *context, int engine, unsigned semaphore, uint32_t amount)
{
    (void)engine;
    ((struct rig *)context)->semaphore[semaphore] += amount;
}

static void record(void *context, int engine, const struct trn_record *r)
{
    struct rig *const rig = context;
    (void)engine;
    if (rig->num_records < RIG_MAX_RECORDS)
        rig->record[rig->num_records++] = *r;
}

static void log_line(void *context, int engine, const char *line)
{
    struct rig *const rig = context;
    (void)engine;
    const size_t size = strlen(line);
    if (rig->log_at + size + 2 > RIG_LOG_BYTES)
        return;
    memcpy(rig->log + rig->log_at, line, size);
    rig->log_at += size;
    rig->log[rig->log_at++] = '\n';
    rig->log[rig->log_at] = 0;
}

static void descriptor(void *context, int engine, const struct trn_dge_descriptor *d)
{
    struct rig *const rig = context;
    (void)engine;
    if (rig->num_descs == RIG_MAX_DESCS)
        return;
    memcpy(rig->raw[rig->num_descs], d->raw, TRN_DGE_DESC_BYTES);
    rig->desc[rig->num_descs] = *d;
    rig->desc[rig->num_descs].raw = rig->raw[rig->num_descs];
    rig->num_descs++;
}

static trn_status send(void *context, unsigned dma, unsigned queue, const uint8_t *raw,
                       size_t count)
{
    struct rig *const rig = context;
    memcpy(rig->sent, raw, count * TRN_DGE_DESC_BYTES);
    rig->num_sent = (unsigned)count;
    rig->sent_dma = dma;
    rig->sent_queue = queue;
    return TRN_OK;
}

/* A host's queue: what passed moves the tails (docs/hardware/udma.md 7). */
static bool queue(void *context, unsigned dma, unsigned number, struct trn_dge_queue *out)
{
    const struct rig *const rig = context;
    (void)number;
    *out = rig->host[dma];
    return rig->has_host[dma];
}

static void passed(void *context, unsigned dma, unsigned number, const uint32_t n[TRN_DGE_SIDES])
{
    struct rig *const rig = context;
    (void)number;
    for (unsigned side = 0; side < TRN_DGE_SIDES; side++) {
        struct trn_dge_queue_ring *const ring = &rig->host[dma].ring[side];
        const uint32_t to = ring->tail + n[side];
        ring->tail = to % ring->length;
        ring->ring_id = (uint8_t)((ring->ring_id + to / ring->length) % 4);
        rig->passed[dma][side] += n[side];
    }
}

static void choice(void *context, enum trn_choice which)
{
    ((struct rig *)context)->choices[which]++;
}

/* Any address has its own byte; the Python model makes the same ones. */
static void fill(uint8_t *at, size_t size, uint32_t salt)
{
    for (size_t i = 0; i < size; i++)
        at[i] = (uint8_t)(((uint32_t)i * 2654435761U + salt) >> 13);
}

/* Private pages of what `fill` makes, written once a program: a rig pays for the pages it touches.
 */
static uint8_t *filled(int *image, size_t size, uint32_t salt)
{
    if (*image == 0) {
        *image = memfd_create("dge_rig", 0);
        if (*image < 0 || ftruncate(*image, (off_t)size) != 0)
            abort();
        uint8_t *all = mmap(NULL, size, PROT_WRITE, MAP_SHARED, *image, 0);
        if (all == MAP_FAILED)
            abort();
        fill(all, size, salt);
        munmap(all, size);
    }
    uint8_t *mine = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, *image, 0);
    if (mine == MAP_FAILED)
        abort();
    return mine;
}

void rig_open(struct rig *rig, const char *gen, const struct trn_dge_options *options)
{
    *rig = (struct rig){.gen = trn_gen_find(gen)};
    static int hbm_image, sbuf_image;
    rig->hbm = filled(&hbm_image, RIG_HBM_BYTES, 1);
    rig->sbuf = filled(&sbuf_image, RIG_SBUF_BYTES, 2);
    rig->log = calloc(1, RIG_LOG_BYTES);
    rig->desc = calloc(RIG_MAX_DESCS, sizeof *rig->desc);
    rig->raw = calloc(RIG_MAX_DESCS, sizeof *rig->raw);
    rig->ports = (struct trn_dge_ports){.context = rig,
                                        .sbuf_base = RIG_SBUF,
                                        .psum_base = UINT64_C(0x2802000000),
                                        .dge_memory_base = RIG_DGE_MEMORY,
                                        .semaphore_inc_base = RIG_SEM_INC,
                                        .map = map,
                                        .read = bytes_read,
                                        .write = bytes_write,
                                        .get_register = get_register,
                                        .set_register = set_register,
                                        .local = local,
                                        .shape = shape,
                                        .table = table,
                                        .semaphore_add = semaphore_add,
                                        .record = record,
                                        .log = log_line,
                                        .descriptor = descriptor,
                                        .send = send,
                                        .queue = queue,
                                        .passed = passed,
                                        .choice = choice};
    if (trn_dge_create(rig->gen, &rig->ports, options, &rig->dge) != TRN_OK)
        abort();
}

void rig_close(struct rig *rig)
{
    trn_dge_destroy(rig->dge);
    munmap(rig->hbm, RIG_HBM_BYTES);
    munmap(rig->sbuf, RIG_SBUF_BYTES);
    free(rig->log);
    free(rig->desc);
    free(rig->raw);
}

trn_status rig_run(struct rig *rig, int engine, const uint8_t *word, const uint8_t *next)
{
    const struct trn_dge_next behind = {.word = next, .address = 0x48C0};
    rig->num_records = rig->num_descs = 0;
    rig->log_at = 0;
    rig->log[0] = 0;
    return trn_dge_execute(rig->dge, engine, word, &behind, &rig->outcome);
}

bool rig_logged(const struct rig *rig, const char *line)
{
    const size_t size = strlen(line);
    for (const char *at = rig->log; (at = strstr(at, line)); at++)
        if ((at == rig->log || at[-1] == '\n') && at[size] == '\n')
            return true;
    return false;
}

void rig_word(const char *hex, uint8_t word[TRN_INST_BYTES])
{
    for (unsigned i = 0; i < TRN_INST_BYTES; i++) {
        unsigned value;
        while (*hex == ' ')
            hex++;
        if (sscanf(hex, "%2x", &value) != 1)
            abort();
        word[i] = (uint8_t)value;
        hex += 2;
    }
}

void rig_indices(struct rig *rig, uint32_t offset, const uint32_t *index, unsigned count)
{
    memcpy(rig->sbuf + offset, index, count * sizeof *index);
}
