/* SPDX-License-Identifier: Apache-2.0 */
/* Any words, registers, shapes and indices into the descriptor generator: it stays inside the
 * memory that its owner gives, comes to an end, and what it says of a word is consistent. A header
 * that is a DMA word's is put over the input so that most words get past the first rule. */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "trench/dge.h"

enum { BYTES = 1 << 16, MOST = 1 << 20 };
#define MEMORY UINT64_C(0x10000000)
#define SBUF   UINT64_C(0x2000000000)

struct owner {
    uint8_t *memory; /* exactly BYTES: HBM and the first bytes of SBUF */
    const uint8_t *seed;
    size_t seed_size;
    bool pointers;
};

static uint8_t *at(const struct owner *owner, uint64_t address, uint64_t size)
{
    const uint64_t offset = address - (address >= SBUF ? SBUF : MEMORY);
    return offset < BYTES && size <= BYTES - offset ? owner->memory + offset : NULL;
}

static trn_status map(void *context, uint64_t address, uint64_t size, bool write, uint8_t **pointer,
                      uint64_t *length)
{
    const struct owner *const owner = context;
    (void)write;
    uint8_t *const first = at(owner, address, 1);
    if (!first)
        return TRN_ERR_ADDRESS;
    const uint64_t left = BYTES - (uint64_t)(first - owner->memory);
    *pointer = owner->pointers ? first : NULL;
    *length = size < left ? size : left;
    return TRN_OK;
}

static trn_status read(void *context, uint64_t address, void *data, size_t size)
{
    const uint8_t *const from = at(context, address, size);
    if (!from)
        return TRN_ERR_ADDRESS;
    memcpy(data, from, size);
    return TRN_OK;
}

static trn_status write(void *context, uint64_t address, const void *data, size_t size)
{
    uint8_t *const to = at(context, address, size);
    if (!to)
        return TRN_ERR_ADDRESS;
    memcpy(to, data, size);
    return TRN_OK;
}

static uint32_t drawn(const struct owner *owner, unsigned i)
{
    return owner->seed_size >= 4 ? trn_get32(owner->seed + i * 4 % (owner->seed_size - 3)) : i;
}

static trn_status get_register(void *context, int engine, unsigned number, uint32_t *value)
{
    (void)engine;
    *value = drawn(context, number);
    return number < 64 ? TRN_OK : TRN_ERR_INVALID;
}

static uint32_t local(void *context, int engine, unsigned number)
{
    (void)engine;
    return drawn(context, number);
}

static trn_status shape(void *context, int engine, unsigned number, struct trn_dge_shape *out)
{
    (void)engine;
    for (unsigned i = 0; i < TRN_DGE_DIMS; i++) {
        out->num[i] = (uint16_t)drawn(context, number + i) % 32;
        out->step[i] = (int16_t)drawn(context, number + 7 * i);
    }
    return number < 4 ? TRN_OK : TRN_ERR_INVALID;
}

/* A queue as no host would leave it, but for a tail that is inside of its ring. */
static bool queue(void *context, unsigned dma, unsigned number, struct trn_dge_queue *out)
{
    for (unsigned side = 0; side < TRN_DGE_SIDES; side++) {
        const uint32_t any = drawn(context, dma + number + side);
        struct trn_dge_queue_ring *const ring = &out->ring[side];
        ring->length = any % 97;
        ring->base = MEMORY + any / 97 % (2 * BYTES);
        ring->tail = ring->length ? any % ring->length : 0;
        ring->used = any % 11 == 0;
        ring->ring_id = (uint8_t)(any % 4);
    }
    out->enabled = drawn(context, dma) % 7 != 0;
    out->failed = drawn(context, dma) % 5 == 0;
    return drawn(context, 3 * dma) % 3 != 0;
}

static void passed(void *context, unsigned dma, unsigned number, const uint32_t n[TRN_DGE_SIDES])
{
    (void)context;
    if (dma > 15 || number > 15 || (n[0] == 0 && n[1] == 0) || n[0] > 130 || n[1] > 130)
        abort();
}

static void log_line(void *context, int engine, const char *line)
{
    (void)context, (void)engine;
    if (strlen(line) >= 512)
        abort();
}

static void check(const struct trn_dge_outcome *o)
{
    if (o->result >= TRN_DGE_RESULTS || (o->result != TRN_DGE_EMITTED && !*o->reason) ||
        (o->result == TRN_DGE_ILLEGAL && (o->posted || o->bytes)) ||
        (o->result == TRN_DGE_EMITTED && (o->skipped || o->report[0].failed)))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t opcodes[] = {0xB8, 0xBB, 0xBD, 0xF1, 0xD4, 0xB9, 0xBA};
    if (size < 2 * TRN_INST_BYTES + 2)
        return 0;
    struct owner owner = {.seed = data + 2, .seed_size = size - 2, .pointers = data[0] & 1};
    const struct trn_dge_ports ports = {.context = &owner,
                                        .sbuf_base = SBUF,
                                        .map = map,
                                        .read = read,
                                        .write = write,
                                        .get_register = get_register,
                                        .local = local,
                                        .shape = shape,
                                        .queue = data[0] & 0x40 ? queue : NULL,
                                        .passed = passed,
                                        .log = data[0] & 2 ? log_line : NULL};
    struct trn_dge_options options = trn_dge_options_default();
    options.max_bytes = MOST;
    options.faithful_abort = data[0] & 4;
    options.select_strict = data[0] & 8;
    options.host_rings_only = data[1] & 0x40;
    for (unsigned i = 0; i < 4; i++)
        options.packet_bytes[i] = data[0] & 0x80 ? drawn(&owner, i) : 0;
    const struct trn_gen *const gen = trn_gen_at(data[1] % TRN_GEN_COUNT);
    struct trn_dge *dge;
    owner.memory = calloc(1, BYTES);
    if (!owner.memory || trn_dge_create(gen, &ports, &options, &dge) != TRN_OK)
        abort();
    const uint8_t *word = data + 2;
    for (; word + 2 * TRN_INST_BYTES <= data + size; word += TRN_INST_BYTES) {
        uint8_t copy[TRN_INST_BYTES];
        struct trn_dge_outcome outcome;
        const struct trn_dge_next next = {.word = word + TRN_INST_BYTES};
        memcpy(copy, word, sizeof copy);
        if (copy[2] & 1) {
            copy[0] = opcodes[copy[0] % sizeof opcodes];
            copy[1] = 0x10;
            memset(copy + 2, 0, 10); /* header and events without a word of their own */
        }
        if (trn_dge_execute(dge, data[0] >> 4 & 3, copy, &next, &outcome) == TRN_OK)
            check(&outcome);
    }
    trn_dge_destroy(dge);
    free(owner.memory);
    return 0;
}
