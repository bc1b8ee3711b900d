/* SPDX-License-Identifier: Apache-2.0 */
/* Plays a script of operations on a notification block and prints what each did, for
 * ring_model.py. Input, a line an operation:
 *   o OWNER ONE_QUEUE DEPTH DELAYED   a new block       w OFFSET VALUE   write a register
 *   r OFFSET                          read one          s INPUT QUEUE HEX  submit 8 bytes
 *   t N   the clock moves             b N   so many writes find memory busy
 *   p     poll                        m     counts and the digest of memory
 *   d QUEUE MAX POINTER               a host that was away resumes the ring, by its phases or by
 *                                     tail_ptr, and reads MAX records
 * Output, a line an operation: the result, then the pulses since the last line. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "notific/notific.h"
#include "trench/drain.h"

enum { MEMORY = 1 << 16, BASE = 0x400000 };

struct script {
    struct trn_notific *block;
    uint64_t ticks;
    unsigned busy;
    char pulses[4096];
    size_t used;
    uint8_t memory[MEMORY];
};

static trn_status write_memory(void *context, uint64_t address, const void *data, size_t size,
                               uint16_t axi_id)
{
    struct script *const s = context;
    (void)axi_id;
    if (s->busy) {
        s->busy--;
        return TRN_ERR_BUSY;
    }
    if (address < BASE || address - BASE > MEMORY - size)
        return TRN_ERR_ADDRESS;
    memcpy(s->memory + (address - BASE), data, size);
    return TRN_OK;
}

static void pulse(void *context, enum trn_notific_output output, unsigned n)
{
    struct script *const s = context;
    if (s->used + 16 < sizeof s->pulses)
        s->used += (size_t)snprintf(s->pulses + s->used, 16, " %u.%u", (unsigned)output, n);
}

static uint64_t ticks(void *context)
{
    return ((struct script *)context)->ticks;
}

static void create(struct script *s, unsigned owner, unsigned one, unsigned depth, unsigned delayed)
{
    const struct trn_notific_options options = {.owner = (enum trn_notific_owner)owner,
                                                .one_queue = one != 0,
                                                .depth = depth,
                                                .delayed = delayed != 0};
    const struct trn_notific_ports ports = {s, write_memory, pulse, ticks, NULL};
    trn_notific_destroy(s->block);
    memset(s->memory, 0, sizeof s->memory);
    s->ticks = s->busy = 0;
    if (trn_notific_create(trn_gen_find("cayman"), &options, &ports, &s->block) != TRN_OK)
        exit(2);
}

/* FNV-1a over words: good enough to see a difference. */
static uint64_t digest_of(const uint8_t *bytes, size_t size)
{
    uint64_t digest = UINT64_C(0xCBF29CE484222325);
    for (size_t at = 0; at < size; at += 4)
        digest = (digest ^ trn_get32(bytes + at)) * UINT64_C(0x100000001B3);
    return digest;
}

static void print_state(const struct script *s)
{
    const uint64_t digest = digest_of(s->memory, MEMORY);
    const struct trn_notific_counts c = trn_notific_counts(s->block, TRN_NOTIFIC_ALL);
    printf("%016" PRIx64, digest);
    const uint64_t counts[] = {c.submitted,    c.masked,         c.stored,
                               c.overwritten,  c.dropped_buffer, c.dropped_disabled,
                               c.dropped_full, c.failed,         trn_notific_waiting(s->block)};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        printf(" %" PRIu64, counts[i]);
}

static void submit(struct script *s, const char *line)
{
    unsigned input, queue;
    uint64_t bits;
    uint8_t record[8];
    if (sscanf(line, "s %u %u %" SCNx64, &input, &queue, &bits) != 3)
        exit(2);
    trn_put64(record, bits);
    printf("%d", (int)trn_notific_submit(s->block, input, queue, record));
}

static trn_status bus_read(void *context, uint64_t offset, uint32_t *value)
{
    return trn_notific_read32(((struct script *)context)->block, (uint32_t)offset, value)
               ? TRN_OK
               : TRN_ERR_ADDRESS;
}

static trn_status bus_write(void *context, uint64_t offset, uint32_t value)
{
    return trn_notific_write32(((struct script *)context)->block, (uint32_t)offset, value)
               ? TRN_OK
               : TRN_ERR_ADDRESS;
}

/* Nothing of an earlier read is kept: place and phase come from the registers and memory. */
static void drain(struct script *s, unsigned queue, unsigned max, bool by_pointer)
{
    enum { RECORDS = 64 };
    static uint8_t records[RECORDS][TRN_RECORD_BYTES];
    const struct trn_bus bus = {s, bus_read, bus_write, NULL, NULL};
    const uint32_t at = 0x100 + queue * 0x28;
    uint32_t low = 0, high = 0, size = 0, count = 0;
    trn_notific_read32(s->block, at, &low);
    trn_notific_read32(s->block, at + 4, &high);
    trn_notific_read32(s->block, at + 8, &size);
    size -= size % TRN_RECORD_BYTES;
    const uint64_t place = ((uint64_t)high << 32 | low) - BASE;
    if (place >= MEMORY || size > MEMORY - place) {
        printf("-");
        return;
    }
    const struct trn_drain_ring ring = {.bus = &bus,
                                        .queue = queue,
                                        .size = size,
                                        .memory = s->memory + place,
                                        .by_pointer = by_pointer,
                                        .polls = 1};
    struct trn_drain host;
    trn_status status = trn_drain_resume(&host, trn_gen_find("cayman"), &ring, NULL);
    if (status == TRN_OK)
        status = trn_drain_read(&host, records, max < RECORDS ? max : RECORDS, &count, NULL);
    printf("%d %u %016" PRIx64, (int)status, (unsigned)count,
           digest_of(records[0], (size_t)count * TRN_RECORD_BYTES));
}

static void play(struct script *s, const char *line)
{
    unsigned a = 0, b = 0, c = 0, d = 0;
    uint32_t value;
    sscanf(line + 1, " %u %u %u %u", &a, &b, &c, &d);
    switch (line[0]) {
    case 'o':
        create(s, a, b, c, d);
        break;
    case 'w':
        printf("%d", trn_notific_write32(s->block, a, b));
        break;
    case 'r':
        printf("%d", trn_notific_read32(s->block, a, &value));
        printf(" %u", value);
        break;
    case 's':
        submit(s, line);
        break;
    case 't':
        s->ticks += a;
        break;
    case 'b':
        s->busy = a;
        break;
    case 'p':
        trn_notific_poll(s->block);
        break;
    case 'd':
        drain(s, a, b, c != 0);
        break;
    case 'm':
        print_state(s);
        break;
    default:
        exit(2);
    }
    s->pulses[s->used] = '\0';
    printf("%s\n", s->pulses);
    s->used = 0;
}

int main(void)
{
    static struct script script;
    char line[128];
    while (fgets(line, sizeof line, stdin))
        play(&script, line);
    trn_notific_destroy(script.block);
    return 0;
}
