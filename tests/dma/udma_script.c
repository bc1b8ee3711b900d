/* SPDX-License-Identifier: Apache-2.0 */
/* Drives a DMA engine by lines of standard input, for the second engine of udma_model.py:
 *   open GENERATION TELLS   a new engine with empty memories
 *   set OFFSET VALUE        write a register
 *   get OFFSET              print a register
 *   mem ADDRESS HEX         put bytes
 *   dump ADDRESS SIZE       print bytes
 *   run PACKETS             0: all */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dma/udma_rig.h"

static void put(struct rig *rig, uint64_t address, const char *hex)
{
    unsigned byte;
    for (; sscanf(hex, "%2x", &byte) == 1; hex += 2)
        *rig_at(rig, address++) = (uint8_t)byte;
}

static void dump(struct rig *rig, uint64_t address, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        printf("%02x", *rig_at(rig, address + i));
    puts("");
}

static bool obey(struct rig *rig, bool *open, char *line)
{
    char word[32];
    static char text[1 << 18];
    uint64_t a;
    unsigned b;
    if (sscanf(line, "open %31s %u", word, &b) == 2) {
        if (*open)
            rig_close(rig);
        rig_tells = b != 0;
        rig_open(rig, word);
        *open = true;
    } else if (sscanf(line, "set %" SCNx64 " %x", &a, &b) == 2) {
        rig_write(rig, (uint32_t)a, b);
    } else if (sscanf(line, "get %" SCNx64, &a) == 1) {
        printf("%x\n", rig_read(rig, (uint32_t)a));
    } else if (sscanf(line, "mem %" SCNx64 " %262143s", &a, text) == 2) {
        put(rig, a, text);
    } else if (sscanf(line, "dump %" SCNx64 " %x", &a, &b) == 2) {
        dump(rig, a, b);
    } else if (sscanf(line, "run %u", &b) == 1) {
        trn_udma_run(rig->engine, b);
    } else {
        return false;
    }
    return true;
}

int main(void)
{
    static char line[1 << 19];
    struct rig rig;
    bool open = false;
    while (fgets(line, sizeof line, stdin))
        if (!obey(&rig, &open, line)) {
            fprintf(stderr, "udma_script: %s", line);
            return EXIT_FAILURE;
        }
    if (open)
        rig_close(&rig);
    return EXIT_SUCCESS;
}
