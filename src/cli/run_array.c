/* SPDX-License-Identifier: Apache-2.0 */
/* --load and --dump: arrays between .npy files and the device's memories, over the buses. (Those of
 * --dma-load and --dma-dump move in run_dma.c.) */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/run.h"
#include "trench/enums.h"
#include "trench/num.h"

/* ---- specifications ------------------------------------------------------------------------ */

static int parse_space(const char *option, const char *name, enum trn_space *out)
{
    static const enum trn_space spaces[] = {TRN_SPACE_SBUF, TRN_SPACE_PSUM, TRN_SPACE_HBM};
    for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++)
        if (strcasecmp(name, trn_space_name(spaces[i])) == 0) {
            *out = spaces[i];
            return 0;
        }
    return cli_usage_error("%s: unknown space '%s'; sbuf, psum and hbm exist", option, name);
}

/* NumPy's type for a data type of the device; false when it does not fill whole bytes. */
static bool npy_type_of(int dtype, enum trn_npy_type *out)
{
    switch (dtype) {
    case TRN_DTYPE_INT8:
        *out = TRN_NPY_I1;
        return true;
    case TRN_DTYPE_INT16:
        *out = TRN_NPY_I2;
        return true;
    case TRN_DTYPE_UINT16:
    case TRN_DTYPE_BFLOAT16: /* NumPy has none: travels as bits */
        *out = TRN_NPY_U2;
        return true;
    case TRN_DTYPE_FP16:
        *out = TRN_NPY_F2;
        return true;
    case TRN_DTYPE_INT32:
        *out = TRN_NPY_I4;
        return true;
    case TRN_DTYPE_UINT32:
        *out = TRN_NPY_U4;
        return true;
    case TRN_DTYPE_FP32:
    case TRN_DTYPE_FP32R:
        *out = TRN_NPY_F4;
        return true;
    case TRN_DTYPE_INT64:
        *out = TRN_NPY_I8;
        return true;
    case TRN_DTYPE_UINT64:
        *out = TRN_NPY_U8;
        return true;
    default: /* UINT8 and the 8-bit floats */
        *out = TRN_NPY_U1;
        return trn_dtype_size((uint8_t)dtype) == 1 && trn_dtype_bits((uint8_t)dtype) == 8;
    }
}

static int parse_dtype(const char *option, const char *name, struct run_array *array)
{
    array->dtype = trn_dtype_find(name);
    snprintf(array->dtype_name, sizeof array->dtype_name, "%s", name);
    if (array->dtype < 0)
        return cli_usage_error("%s: unknown data type '%s'; `trench explain DTYPE` lists them",
                               option, name);
    if (!npy_type_of(array->dtype, &array->type))
        return cli_usage_error("%s: elements of %s are no whole bytes", option, name);
    return 0;
}

static int parse_shape(const char *option, const char *text, struct run_array *array)
{
    const char *at = text;
    while (array->num_dims < TRN_NPY_MAX_DIMS) {
        char *end = NULL;
        if (*at < '0' || *at > '9')
            break;
        const unsigned long long extent = strtoull(at, &end, 10);
        if (extent == 0 || extent > UINT32_MAX || (*end != 'x' && *end != '\0'))
            break;
        array->shape[array->num_dims++] = extent;
        if (*end == '\0')
            return 0;
        at = end + 1;
    }
    return cli_usage_error("%s: shape '%s' is not like 128x512", option, text);
}

enum { MAX_PARTS = 4, MAX_SPEC = 512 };

/* The parts of "SPACE:ADDR:...=FILE". */
struct spec {
    char text[MAX_SPEC];
    char *part[MAX_PARTS];
    size_t count; /* 0: no FILE, or too long */
};

static void split(const char *text, struct spec *spec, const char **file)
{
    const char *equals = strchr(text, '=');
    spec->count = 0;
    if (!equals || !equals[1] || equals - text >= MAX_SPEC)
        return;
    memcpy(spec->text, text, (size_t)(equals - text));
    spec->text[equals - text] = '\0';
    *file = equals + 1;
    for (char *part = spec->text; part && spec->count < MAX_PARTS;) {
        char *colon = spec->count + 1 < MAX_PARTS ? strchr(part, ':') : NULL;
        spec->part[spec->count++] = part;
        if (colon)
            *colon++ = '\0';
        part = colon;
    }
}

static int parse_place(const char *option, const struct spec *spec, struct run_array *array)
{
    if (parse_space(option, spec->part[0], &array->space))
        return CLI_USAGE;
    if (!run_number(spec->part[1], UINT64_MAX, &array->addr))
        return cli_usage_error("%s: '%s' is no address", option, spec->part[1]);
    return 0;
}

int run_parse_load(const char *text, bool by_dma, struct run_array *array)
{
    const char *const option = by_dma ? "--dma-load" : "--load";
    struct spec spec;
    *array = (struct run_array){.dtype = -1, .by_dma = by_dma};
    split(text, &spec, &array->file);
    if (spec.count < 2 || spec.count > 3)
        return cli_usage_error("%s %s: SPACE:ADDR[:DTYPE]=FILE.npy is expected", option, text);
    if (parse_place(option, &spec, array))
        return CLI_USAGE;
    return spec.count == 3 ? parse_dtype(option, spec.part[2], array) : 0;
}

int run_parse_dump(const char *text, bool by_dma, struct run_array *array)
{
    const char *const option = by_dma ? "--dma-dump" : "--dump";
    struct spec spec;
    *array = (struct run_array){.dtype = -1, .by_dma = by_dma};
    split(text, &spec, &array->file);
    if (spec.count != MAX_PARTS)
        return cli_usage_error("%s %s: SPACE:ADDR:DTYPE:SHAPE=FILE.npy is expected", option, text);
    if (parse_place(option, &spec, array) || parse_dtype(option, spec.part[2], array))
        return CLI_USAGE;
    return parse_shape(option, spec.part[3], array);
}

/* ---- files ---------------------------------------------------------------------------------- */

static trn_status check_type(struct run_array *array, struct trn_diag *diag)
{
    const enum trn_npy_type found = array->array.type;
    const bool half_as_bits = array->dtype == TRN_DTYPE_FP16 && found == TRN_NPY_U2;
    if (array->dtype >= 0 && found != array->type && !half_as_bits)
        return trn_npy_expect(&array->array, array->file, array->type, NULL, 0, diag);
    if (found == TRN_NPY_F8 || found == TRN_NPY_B1)
        return trn_diag_set(
            diag, TRN_ERR_INVALID, array->file, NULL, "convert it, to float32 or uint8 for example",
            "the device has no data type for elements of %s", trn_npy_type_name(found));
    array->type = found;
    return TRN_OK;
}

/* The most that a file may have: what the space holds on the generation that has most of it, and a
 * header. */
static size_t most_bytes(enum trn_space space)
{
    const size_t header = 1 << 20;
    const uint64_t hbm = UINT64_C(1) << 36; /* of trn_device_options.hbm_bytes */
    uint64_t most = space == TRN_SPACE_HBM ? hbm : 0;
    for (unsigned g = 0; g < TRN_GEN_COUNT && space != TRN_SPACE_HBM; g++) {
        const struct trn_gen *gen = trn_gen_at(g);
        const uint64_t bytes = space == TRN_SPACE_PSUM
                                   ? (uint64_t)gen->psum_partitions * gen->psum_active_bytes
                                   : (uint64_t)gen->sbuf_partitions * gen->sbuf_active_bytes;
        most = bytes > most ? bytes : most;
    }
    return (size_t)most + header;
}

int run_read_load(struct run_array *array)
{
    struct trn_diag diag;
    trn_status status = trn_npy_read(array->file, most_bytes(array->space), &array->array, &diag);
    if (status == TRN_OK)
        status = check_type(array, &diag);
    if (status == TRN_OK && (array->array.num_dims == 0 || array->array.num_elements == 0))
        status = trn_diag_set(&diag, TRN_ERR_INVALID, array->file, NULL, NULL,
                              "the array has no elements or no axis");
    if (status != TRN_OK) {
        cli_print_diag(&diag);
        return CLI_USAGE;
    }
    array->num_dims = array->array.num_dims;
    memcpy(array->shape, array->array.shape, sizeof array->shape);
    return 0;
}

/* "DIRECTORY/" of a path, with "." for none; false when it is too long. */
static bool directory_of(const char *path, char out[PATH_MAX])
{
    const char *slash = strrchr(path, '/');
    const int length = slash ? (int)(slash - path) + 1 : 0;
    return snprintf(out, PATH_MAX, "%.*s.", length, path) < PATH_MAX;
}

/* A file is replaced by a new one, so its directory has to take one; a device, a pipe or a link is
 * written through. */
static bool is_writable(const char *path)
{
    char directory[PATH_MAX];
    struct stat info;
    if (lstat(path, &info) != 0 || S_ISREG(info.st_mode)) {
        errno = ENAMETOOLONG;
        return directory_of(path, directory) && access(directory, W_OK | X_OK) == 0;
    }
    const bool writable = access(path, W_OK) == 0;
    if (!writable || stat(path, &info) != 0 || !S_ISDIR(info.st_mode))
        return writable;
    errno = EISDIR;
    return false;
}

/* Whether two paths lead to the same file, which need not be there yet. */
static bool same_file(const char *a, const char *b)
{
    struct stat first, second;
    char one[PATH_MAX], other[PATH_MAX];
    if (stat(a, &first) == 0 && stat(b, &second) == 0)
        return S_ISREG(first.st_mode) && first.st_dev == second.st_dev &&
               first.st_ino == second.st_ino;
    const char *name = strrchr(a, '/'), *other_name = strrchr(b, '/');
    if (strcmp(name ? name + 1 : a, other_name ? other_name + 1 : b) != 0)
        return false;
    return directory_of(a, one) && directory_of(b, other) && stat(one, &first) == 0 &&
           stat(other, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

trn_status run_check_targets(const struct run_array *dumps, size_t num_dumps, struct trn_diag *diag)
{
    for (size_t i = 0; i < num_dumps; i++) {
        if (!is_writable(dumps[i].file))
            return trn_diag_set(diag, TRN_ERR_IO, dumps[i].file, NULL,
                                "expected a file that can be written", "%s cannot create it: %s",
                                dumps[i].by_dma ? "--dma-dump" : "--dump", strerror(errno));
        for (size_t j = 0; j < i; j++)
            if (same_file(dumps[i].file, dumps[j].file))
                return trn_diag_set(diag, TRN_ERR_INVALID, dumps[i].file, NULL,
                                    "expected a file of its own for each", "two --dump write it");
    }
    return TRN_OK;
}

trn_status run_write_dump(const struct run_array *array, struct trn_diag *diag)
{
    return trn_npy_write(array->file, array->type, array->shape, array->num_dims, array->data,
                         diag);
}

void run_free_array(struct run_array *array)
{
    trn_npy_free(&array->array);
    free(array->data);
}

/* ---- places --------------------------------------------------------------------------------- */

/* Product of the extents from `first` on, in bytes; UINT64_MAX when it does not fit. */
static uint64_t extent_bytes(const struct run_array *array, size_t first)
{
    uint64_t bytes = trn_npy_type_size(array->type);
    for (size_t i = first; i < array->num_dims; i++)
        if (__builtin_mul_overflow(bytes, array->shape[i], &bytes))
            return UINT64_MAX;
    return bytes;
}

void run_array_rows(const struct run_array *array, uint64_t *rows, uint64_t *row_bytes)
{
    const bool partitioned = array->space != TRN_SPACE_HBM;
    *rows = partitioned ? array->shape[0] : 1;
    *row_bytes = extent_bytes(array, partitioned ? 1 : 0);
}

trn_status run_check_array(const struct run_array *array, const struct trn_gen *gen,
                           uint64_t hbm_bytes, struct trn_diag *diag)
{
    const bool psum = array->space == TRN_SPACE_PSUM, hbm = array->space == TRN_SPACE_HBM;
    const uint64_t limit = hbm ? hbm_bytes : psum ? gen->psum_active_bytes : gen->sbuf_active_bytes;
    const uint64_t partitions = psum ? gen->psum_partitions : gen->sbuf_partitions;
    uint64_t rows = 0, row_bytes = 0;
    run_array_rows(array, &rows, &row_bytes);
    if (!hbm && rows > partitions)
        return trn_diag_set(diag, TRN_ERR_RANGE, array->file, NULL, NULL,
                            "the first axis has %llu rows; %s has %llu partitions",
                            (unsigned long long)rows, trn_space_name(array->space),
                            (unsigned long long)partitions);
    if (array->addr > limit || row_bytes > limit - array->addr)
        return trn_diag_set(diag, TRN_ERR_RANGE, array->file, NULL, NULL,
                            "%llu bytes at 0x%llx end past the %llu bytes of %s on %s",
                            (unsigned long long)row_bytes, (unsigned long long)array->addr,
                            (unsigned long long)limit,
                            hbm    ? "device memory"
                            : psum ? "a PSUM partition"
                                   : "an SBUF partition",
                            gen->name);
    return TRN_OK;
}

/* Where row r of the array begins on its bus. */
static uint64_t row_offset(const struct trn_device *device, const struct run_array *array,
                           const struct trn_gen *gen, uint64_t row)
{
    if (array->space == TRN_SPACE_HBM)
        return trn_device_hbm_offset(device) + array->addr;
    const uint64_t stride = array->space == TRN_SPACE_PSUM ? gen->psum_stride : gen->sbuf_stride;
    return trn_device_space_offset(device, array->space) + row * stride + array->addr;
}

static const struct trn_bus *bus_of(struct trn_device *device, const struct run_array *array)
{
    return array->space == TRN_SPACE_HBM ? trn_device_bar4(device) : trn_device_bar0(device);
}

static trn_status bus_failed(trn_status status, const struct run_array *array,
                             struct trn_diag *diag)
{
    return trn_diag_set(diag, status, array->file, NULL, NULL, "the device refused the access: %s",
                        trn_status_name(status));
}

trn_status run_upload(struct trn_device *device, const struct run_array *array,
                      const struct trn_gen *gen, struct trn_diag *diag)
{
    const struct trn_bus *bus = bus_of(device, array);
    uint64_t rows = 0, row_bytes = 0;
    run_array_rows(array, &rows, &row_bytes);
    for (uint64_t r = 0; r < rows; r++) {
        const trn_status status =
            bus->write_block(bus->context, row_offset(device, array, gen, r),
                             array->array.data + r * row_bytes, (size_t)row_bytes);
        if (status != TRN_OK)
            return bus_failed(status, array, diag);
    }
    return TRN_OK;
}

trn_status run_make_room(struct run_array *array, struct trn_diag *diag)
{
    uint64_t rows = 0, row_bytes = 0;
    run_array_rows(array, &rows, &row_bytes);
    free(array->data);
    array->data = malloc((size_t)(rows * row_bytes));
    return array->data
               ? TRN_OK
               : trn_diag_set(diag, TRN_ERR_NO_MEMORY, array->file, NULL, NULL, "out of memory");
}

trn_status run_download(struct trn_device *device, struct run_array *array,
                        const struct trn_gen *gen, struct trn_diag *diag)
{
    const struct trn_bus *bus = bus_of(device, array);
    uint64_t rows = 0, row_bytes = 0;
    const trn_status made = run_make_room(array, diag);
    run_array_rows(array, &rows, &row_bytes);
    if (made != TRN_OK)
        return made;
    for (uint64_t r = 0; r < rows; r++) {
        const trn_status status = bus->read_block(bus->context, row_offset(device, array, gen, r),
                                                  array->data + r * row_bytes, (size_t)row_bytes);
        if (status != TRN_OK)
            return bus_failed(status, array, diag);
    }
    return TRN_OK;
}
