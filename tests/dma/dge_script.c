/* SPDX-License-Identifier: Apache-2.0 */
/* The descriptor generator behind a text protocol, for dge_model.py. A line sets something or runs
 * a word; memory lives as long as the program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dma/dge_rig.h"

enum { WATCHED_HBM = 1 << 20, WATCHED_SBUF = 2048, PARTITIONS = 128 };

/* CRC-32 as zlib computes it. */
static uint32_t table[256];

static void prepare(void)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (unsigned k = 0; k < 8; k++)
            c = c & 1 ? 0xEDB88320U ^ c >> 1 : c >> 1;
        table[i] = c;
    }
}

static uint32_t crc(uint32_t sum, const uint8_t *data, size_t size)
{
    sum = ~sum;
    for (size_t i = 0; i < size; i++)
        sum = table[(sum ^ data[i]) & 255] ^ sum >> 8;
    return ~sum;
}

static uint32_t memory_sum(const struct rig *rig)
{
    uint32_t sum = crc(0, rig->hbm, WATCHED_HBM);
    for (unsigned p = 0; p < PARTITIONS; p++)
        sum = crc(sum, rig->sbuf + (size_t)p * RIG_PARTITION, WATCHED_SBUF);
    return sum;
}

static void execute(struct rig *rig, const char *line)
{
    int engine;
    char hex[2][160];
    uint8_t word[64], next[64];
    if (sscanf(line, "run %d %159s %159s", &engine, hex[0], hex[1]) != 3)
        abort();
    rig_word(hex[0], word);
    rig_word(hex[1], next);
    const trn_status status = rig_run(rig, engine, word, next);
    const struct trn_dge_outcome *const o = &rig->outcome;
    printf("%d %s %s skipped=%llu bytes=%llu packets=%llu batches=%llu dmas=0x%x records=%u "
           "memory=%08x\n",
           status, trn_dge_result_name(o->result), trn_dge_backend_name(o->backend),
           (unsigned long long)o->skipped, (unsigned long long)o->bytes,
           (unsigned long long)o->packets, (unsigned long long)o->batches, (unsigned)o->dmas,
           rig->num_records, (unsigned)memory_sum(rig));
    for (unsigned i = 0; i < rig->num_descs; i++) {
        printf("%c%u ", rig->desc[i].write ? 'W' : 'R', rig->desc[i].dma);
        for (unsigned k = 0; k < TRN_DGE_DESC_BYTES; k++)
            printf("%02x", rig->raw[i][k]);
        putchar('\n');
    }
    puts(".");
    fflush(stdout);
}

static bool set(struct rig *rig, const char *line)
{
    unsigned a, b, offset;
    int at;
    struct trn_dge_shape s;
    if (sscanf(line, "reg %u %u", &a, &b) == 2)
        rig->reg[a % 64] = b;
    else if (sscanf(line, "local %u %u", &a, &b) == 2)
        rig->local[a % 64] = b;
    else if (sscanf(line, "shape %u %hu %hu %hu %hu %d %d %d %d", &a, &s.num[0], &s.num[1],
                    &s.num[2], &s.num[3], &s.step[0], &s.step[1], &s.step[2], &s.step[3]) == 9)
        rig->shape[a % 4] = s;
    else if (sscanf(line, "index %u%n", &offset, &at) == 1)
        for (line += at; sscanf(line, "%u%n", &b, &at) == 1; line += at, offset += 4)
            rig_indices(rig, offset, &b, 1);
    else
        return false;
    return true;
}

int main(int argc, char **argv)
{
    static char line[1 << 17];
    struct rig rig;
    prepare();
    rig_open(&rig, argc > 1 ? argv[1] : "cayman", NULL);
    while (fgets(line, sizeof line, stdin))
        if (!set(&rig, line))
            execute(&rig, line);
    rig_close(&rig);
    return 0;
}
