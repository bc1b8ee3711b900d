/* SPDX-License-Identifier: Apache-2.0 */
/* Plays a script of operations on a notification block and prints what each did, for
 * ring_model.py. Input, a line an operation:
 *   o OWNER ONE_QUEUE DEPTH DELAYED   a new block       w OFFSET VALUE   write a register
 *   r OFFSET                          read one          s INPUT QUEUE HEX  submit 8 bytes
 *   t N   the clock moves             b N   so many writes find memory busy
 *   p     poll                        m     counts and the digest of memory
 * Output, a line an operation: the result, then the pulses since the last line. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "notific/notific.h"

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

/* FNV-1a over the words of memory: good enough to see a difference. */
static void print_state(const struct script *s)
{
    uint64_t digest = UINT64_C(0xCBF29CE484222325);
    for (size_t at = 0; at < MEMORY; at += 4)
        digest = (digest ^ trn_get32(s->memory + at)) * UINT64_C(0x100000001B3);
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
