/* SPDX-License-Identifier: Apache-2.0 */
/* How fast code is swept: census (decoded, not printed) and listing (every line printed to memory),
 * beside binutils' listing of the same bytes. The code is that of libc.a of picolibc for Xtensa,
 * repeated to 4 MiB, read from a flat file that bench/fw_xtensa/run makes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "trench/fw_code.h"

enum { RUNS = 5, BYTES = 4 << 20 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values)
{
    qsort(values, RUNS, sizeof *values, by_value);
    return values[RUNS / 2];
}

static uint8_t *read_code(const char *path)
{
    uint8_t *const bytes = malloc(BYTES);
    FILE *const file = fopen(path, "rb");
    size_t size = file && bytes ? fread(bytes, 1, BYTES, file) : 0;
    if (file)
        fclose(file);
    if (size == 0) {
        free(bytes);
        return NULL;
    }
    while (size < BYTES) { /* double what is there */
        const size_t more = size < BYTES - size ? size : BYTES - size;
        memcpy(bytes + size, bytes, more);
        size += more;
    }
    return bytes;
}

static double census(const struct trn_xtensa_code *code)
{
    struct trn_xtensa_stats stats;
    const double start = now();
    if (trn_xtensa_census(code, &stats, NULL) != TRN_OK)
        exit(2);
    return now() - start;
}

static double listing(const struct trn_xtensa_code *code)
{
    struct trn_xtensa_sweep *sweep;
    struct trn_xtensa_item item;
    char text[TRN_XTENSA_TEXT_MAX];
    size_t letters = 0;
    const double start = now();
    if (trn_xtensa_sweep_create(code, &sweep, NULL) != TRN_OK)
        exit(2);
    while (trn_xtensa_sweep_next(sweep, &item)) {
        trn_xtensa_print(&item.insn, text);
        letters += strlen(text);
    }
    trn_xtensa_sweep_destroy(sweep);
    if (letters == 0)
        exit(2);
    return now() - start;
}

static double binutils(const char *path)
{
    char command[512];
    snprintf(command, sizeof command,
             "xtensa-lx106-elf-objdump -EL -D -z -b binary -m xtensa %s >/dev/null", path);
    const double start = now();
    if (system(command) != 0)
        exit(2);
    return now() - start;
}

int main(int argc, char **argv)
{
    double took[3][RUNS];
    static const char *const names[3] = {"census", "listing", "xtensa-lx106-elf-objdump -D"};
    uint8_t *const bytes = argc == 3 ? read_code(argv[1]) : NULL;
    if (!bytes) {
        fputs("usage: bench_fw_xtensa CODE WHOLE: flat code, and where to put 4 MiB of it\n",
              stderr);
        return 2;
    }
    FILE *const whole = fopen(argv[2], "wb");
    if (!whole || fwrite(bytes, 1, BYTES, whole) != BYTES || fclose(whole) != 0)
        return 2;
    const struct trn_xtensa_code code = {.core = TRN_XTENSA_SCALAR, .bytes = bytes, .size = BYTES};
    for (int run = 0; run < RUNS; run++) {
        took[0][run] = census(&code);
        took[1][run] = listing(&code);
        took[2][run] = binutils(argv[2]);
    }
    for (int i = 0; i < 3; i++)
        printf("%-30s %8.1f MB/s\n", names[i], BYTES / median(took[i]) / 1e6);
    free(bytes);
    return 0;
}
