/* SPDX-License-Identifier: Apache-2.0 */
/* Runs arrays from files through src/num, for the oracles in Python:
 *
 *   num_filter widen   DTYPE MODE IN OUT        raw elements -> fp32
 *   num_filter narrow  DTYPE MODE IN OUT        fp32 -> raw elements
 *   num_filter f32     OP A B OUT               fp32 operands -> fp32
 *   num_filter bitvec  OP BITS A B OUT          words -> words
 *   num_filter signed|unsigned OP BITS A B OUT
 *   num_filter reduce  OP ROWS IN OUT           fp32 rows -> fp32
 *
 * MODE is a comma list of fn, saturate, suppress, truncate, e4=N, e5=N, fp32r=N, seed=N, or "-". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trench/num.h"

static void die(const char *what)
{
    fprintf(stderr, "num_filter: %s\n", what);
    exit(2);
}

static uint8_t *slurp(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END))
        die(path);
    const long end = ftell(file);
    if (end < 0)
        die(path);
    rewind(file);
    *size = (size_t)end;
    uint8_t *bytes = malloc(*size + 1);
    if (!bytes || fread(bytes, 1, *size, file) != *size)
        die(path);
    fclose(file);
    return bytes;
}

static void spill(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file))
        die(path);
}

static void *allocate(size_t size)
{
    void *bytes = calloc(size + 1, 1);
    if (!bytes)
        die("out of memory");
    return bytes;
}

static uint32_t seed;

static struct trn_num_mode parse_mode(char *text)
{
    struct trn_num_mode mode;
    trn_num_mode_default(trn_gen_find("sunda"), &mode);
    for (char *word = strtok(text, ","); word; word = strtok(NULL, ",")) {
        const char *equals = strchr(word, '=');
        const unsigned long value = equals ? strtoul(equals + 1, NULL, 0) : 0;
        if (strcmp(word, "fn") == 0)
            mode.fp8_e4m3 = TRN_FP8_FN;
        else if (strcmp(word, "saturate") == 0)
            mode.fp8_saturate = true;
        else if (strcmp(word, "suppress") == 0)
            mode.fp8_nan_suppress = true;
        else if (strcmp(word, "truncate") == 0)
            mode.int_rounding = TRN_INT_TRUNCATE;
        else if (strncmp(word, "e4=", 3) == 0)
            mode.emax_e4m3 = (uint8_t)value;
        else if (strncmp(word, "e5=", 3) == 0)
            mode.emax_e5m2 = (uint8_t)value;
        else if (strncmp(word, "fp32r=", 6) == 0)
            mode.fp32r_mantissa = (uint8_t)value;
        else if (strncmp(word, "seed=", 5) == 0) {
            seed = (uint32_t)value;
            mode.lfsr = &seed;
        } else if (strcmp(word, "-") != 0)
            die("unknown mode");
    }
    return mode;
}

static int convert(char **argv, bool widen)
{
    const int dtype = trn_dtype_find(argv[0]);
    if (dtype < 0)
        die("unknown dtype");
    const struct trn_num_mode mode = parse_mode(argv[1]);
    size_t size;
    uint8_t *in = slurp(argv[2], &size);
    const size_t n = widen ? size * 8 / trn_dtype_bits((uint8_t)dtype) : size / sizeof(float);
    uint64_t bytes = n * sizeof(float);
    if (!widen && trn_dtype_array_bytes((uint8_t)dtype, n, &bytes))
        die("array size");
    void *out = allocate(bytes);
    const trn_status status =
        widen ? trn_to_fp32_array((uint8_t)dtype, &mode, in, out, n)
              : trn_from_fp32_array((uint8_t)dtype, &mode, (const float *)(void *)in, out, n);
    spill(argv[3], out, bytes);
    free(in);
    free(out);
    return status != 0;
}

static int operate(const char *kind, char **argv)
{
    const int op = trn_alu_find(argv[0]);
    if (op < 0)
        die("unknown operator");
    const bool f32 = strcmp(kind, "f32") == 0;
    const unsigned bits = f32 ? 32 : (unsigned)atoi(argv[1]);
    char **files = argv + (f32 ? 1 : 2);
    size_t size, other;
    uint8_t *a = slurp(files[0], &size), *b = slurp(files[1], &other);
    if (size != other)
        die("operands differ in size");
    void *out = allocate(size);
    const size_t n = size / (bits / 8);
    trn_status status;
    if (f32)
        status = trn_alu_array((uint8_t)op, (float *)(void *)a, (float *)(void *)b, out, n);
    else if (strcmp(kind, "bitvec") == 0)
        status = trn_alu_bitvec_array((uint8_t)op, bits, a, 1, b, 1, out, n);
    else
        status =
            trn_alu_int_array((uint8_t)op, bits, strcmp(kind, "signed") == 0, a, 1, b, 1, out, n);
    spill(files[2], out, size);
    free(a);
    free(b);
    free(out);
    return status != 0 && status != TRN_ERR_RANGE;
}

static int reduce(char **argv)
{
    const int op = trn_alu_find(argv[0]);
    const size_t rows = strtoul(argv[1], NULL, 0);
    size_t size;
    uint8_t *in = slurp(argv[2], &size);
    if (op < 0 || rows == 0)
        die("usage");
    float *out = allocate(rows * sizeof *out);
    const trn_status status = trn_reduce_rows((uint8_t)op, (const float *)(void *)in, size / rows,
                                              rows, size / rows / sizeof *out, out);
    spill(argv[3], out, rows * sizeof *out);
    free(in);
    free(out);
    return status != 0;
}

int main(int argc, char **argv)
{
    if (argc == 6 && strcmp(argv[1], "widen") == 0)
        return convert(argv + 2, true);
    if (argc == 6 && strcmp(argv[1], "narrow") == 0)
        return convert(argv + 2, false);
    if (argc == 6 && strcmp(argv[1], "reduce") == 0)
        return reduce(argv + 2);
    if (argc == 6 || argc == 7)
        return operate(argv[1], argv + 2);
    die("usage");
    return 2;
}
