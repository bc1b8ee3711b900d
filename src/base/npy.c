/* SPDX-License-Identifier: Apache-2.0 */
/* Reading .npy: the header is a Python literal of a narrow kind,
 * {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }, and whatever else it holds is
 * refused. The format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html */
#include "trench/npy.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/bytes.h"

enum { DEFAULT_MAX_GIB = 16, PREFIX_BYTES = 8, VERSION_1_START = 10, VERSION_2_START = 12 };

static const uint8_t magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
static const char accepted_types[] =
    "expected |b1, |i1, |u1, <i2, <u2, <i4, <u4, <i8, <u8, <f2, <f4 or <f8";

static const struct {
    char name[4];
    uint8_t size;
} types[TRN_NPY_TYPES] = {
    [TRN_NPY_B1] = {"|b1", 1}, [TRN_NPY_I1] = {"|i1", 1}, [TRN_NPY_U1] = {"|u1", 1},
    [TRN_NPY_I2] = {"<i2", 2}, [TRN_NPY_U2] = {"<u2", 2}, [TRN_NPY_I4] = {"<i4", 4},
    [TRN_NPY_U4] = {"<u4", 4}, [TRN_NPY_I8] = {"<i8", 8}, [TRN_NPY_U8] = {"<u8", 8},
    [TRN_NPY_F2] = {"<f2", 2}, [TRN_NPY_F4] = {"<f4", 4}, [TRN_NPY_F8] = {"<f8", 8},
};

const char *trn_npy_type_name(enum trn_npy_type type)
{
    return type < TRN_NPY_TYPES ? types[type].name : "?";
}

size_t trn_npy_type_size(enum trn_npy_type type)
{
    return type < TRN_NPY_TYPES ? types[type].size : 0;
}

/* ---- the header ------------------------------------------------------------------- */

/* A place in the header's text. After an error every step fails. */
struct cursor {
    const char *at, *end;
    const char *file;
    struct trn_diag *diag;
    trn_status status;
};

/* What the dictionary said. */
struct header {
    char descr[32];
    bool has_descr, has_order, has_shape, fortran_order;
    size_t num_dims;
    uint64_t shape[TRN_NPY_MAX_DIMS];
};

static bool refuse(struct cursor *c, const char *what)
{
    if (c->status == TRN_OK)
        c->status =
            trn_diag_set(c->diag, TRN_ERR_FORMAT, c->file, NULL,
                         "expected {'descr': '<f4', 'fortran_order': False, 'shape': (128, 512), }",
                         "the npy header %s", what);
    return false;
}

static void skip_space(struct cursor *c)
{
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\t' || *c->at == '\n' || *c->at == '\r'))
        c->at++;
}

/* Skip white space, then the character if it stands there. */
static bool take(struct cursor *c, char wanted)
{
    skip_space(c);
    if (c->at == c->end || *c->at != wanted)
        return false;
    c->at++;
    return true;
}

static bool take_word(struct cursor *c, const char *word)
{
    skip_space(c);
    const size_t length = strlen(word);
    if ((size_t)(c->end - c->at) < length || memcmp(c->at, word, length) != 0)
        return false;
    c->at += length;
    return true;
}

/* 'text' or "text" of printable ASCII without escapes, at most size - 1 characters. */
static bool take_string(struct cursor *c, char *out, size_t size)
{
    const char quote = take(c, '\'') ? '\'' : '"';
    if (quote == '"' && !take(c, '"'))
        return refuse(c, "has no quoted string where one is needed");
    size_t length = 0;
    for (; c->at < c->end && *c->at != quote; c->at++) {
        if (*c->at < ' ' || *c->at > '~' || *c->at == '\\')
            return refuse(c, "has a string that is not plain text");
        if (length + 1 >= size)
            return refuse(c, "has a string that is too long");
        out[length++] = *c->at;
    }
    if (c->at == c->end)
        return refuse(c, "ends inside a string");
    c->at++;
    out[length] = '\0';
    return true;
}

/* A decimal number; NumPy on Python 2 wrote 3L. */
static bool take_number(struct cursor *c, uint64_t *out)
{
    skip_space(c);
    const char *start = c->at;
    uint64_t value = 0;
    for (; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++)
        if (__builtin_mul_overflow(value, (uint64_t)10, &value) ||
            __builtin_add_overflow(value, (uint64_t)(*c->at - '0'), &value))
            return refuse(c, "has a dimension of more than 64 bits");
    if (c->at == start)
        return refuse(c, "has a shape with something other than a number");
    if (c->at < c->end && *c->at == 'L')
        c->at++;
    *out = value;
    return true;
}

/* (), (3,) or (3, 4) */
static bool take_shape(struct cursor *c, struct header *header)
{
    if (!take(c, '('))
        return refuse(c, "has a shape that is no tuple");
    bool comma = true;
    while (!take(c, ')')) {
        if (!comma)
            return refuse(c, "has a shape with a missing comma");
        if (header->num_dims == TRN_NPY_MAX_DIMS)
            return refuse(c, "has more than 32 dimensions");
        if (!take_number(c, &header->shape[header->num_dims]))
            return false;
        header->num_dims++;
        comma = take(c, ',');
    }
    if (header->num_dims == 1 && !comma)
        return refuse(c, "has a shape that is no tuple");
    return true;
}

static bool take_order(struct cursor *c, struct header *header)
{
    header->fortran_order = take_word(c, "True");
    if (!header->fortran_order && !take_word(c, "False"))
        return refuse(c, "has a fortran_order that is neither True nor False");
    return true;
}

/* The first value of an entry named `key`, refused when it is there already. */
static bool take_entry(struct cursor *c, struct header *header)
{
    char key[16];
    if (!take_string(c, key, sizeof key))
        return false;
    if (!take(c, ':'))
        return refuse(c, "has a key without a value");
    bool *seen = NULL;
    if (strcmp(key, "descr") == 0)
        seen = &header->has_descr;
    else if (strcmp(key, "fortran_order") == 0)
        seen = &header->has_order;
    else if (strcmp(key, "shape") == 0)
        seen = &header->has_shape;
    if (!seen || *seen)
        return refuse(c, "has a key that is unknown or there twice");
    *seen = true;
    if (seen == &header->has_shape)
        return take_shape(c, header);
    if (seen == &header->has_order)
        return take_order(c, header);
    if (take(c, '[')) {
        c->status = trn_diag_set(c->diag, TRN_ERR_UNSUPPORTED, c->file, NULL, accepted_types,
                                 "the array has a structured element type");
        return false;
    }
    return take_string(c, header->descr, sizeof header->descr);
}

static bool take_dictionary(struct cursor *c, struct header *header)
{
    if (!take(c, '{'))
        return refuse(c, "is no dictionary");
    bool comma = true;
    while (!take(c, '}')) {
        if (!comma)
            return refuse(c, "has a missing comma");
        if (!take_entry(c, header))
            return false;
        comma = take(c, ',');
    }
    skip_space(c);
    if (c->at != c->end)
        return refuse(c, "has text behind its dictionary");
    if (!header->has_descr || !header->has_order || !header->has_shape)
        return refuse(c, "lacks one of descr, fortran_order and shape");
    return true;
}

/* ---- the file --------------------------------------------------------------------- */

static bool starts_like_npy(const uint8_t *bytes, size_t size)
{
    return size >= VERSION_1_START && memcmp(bytes, magic, sizeof magic) == 0;
}

static trn_status no_npy(const char *path, struct trn_diag *diag)
{
    return trn_diag_set(diag, TRN_ERR_FORMAT, path, NULL, "expected a file written by numpy.save",
                        "this is not a .npy file");
}

/* Where the header's text lies in the file. */
static trn_status find_header(const uint8_t *bytes, size_t size, const char *file, size_t *start,
                              size_t *length, struct trn_diag *diag)
{
    if (!starts_like_npy(bytes, size))
        return no_npy(file, diag);
    const uint8_t major = bytes[6], minor = bytes[7];
    if (major < 1 || major > 3 || minor != 0)
        return trn_diag_set(diag, TRN_ERR_UNSUPPORTED, file, NULL,
                            "expected version 1.0, 2.0 or 3.0", "the npy version is %u.%u", major,
                            minor);
    *start = major == 1 ? VERSION_1_START : VERSION_2_START;
    if (size < *start)
        return trn_diag_set(diag, TRN_ERR_FORMAT, file, NULL, NULL, "the npy header is truncated");
    *length = major == 1 ? trn_get16(bytes + PREFIX_BYTES) : trn_get32(bytes + PREFIX_BYTES);
    if (*length > size - *start)
        return trn_diag_set(diag, TRN_ERR_FORMAT, file, NULL, NULL,
                            "the npy header is truncated: %zu of %zu bytes", size - *start,
                            *length);
    return TRN_OK;
}

static trn_status find_type(const char *descr, const char *file, enum trn_npy_type *out,
                            struct trn_diag *diag)
{
    for (enum trn_npy_type type = 0; type < TRN_NPY_TYPES; type++) {
        const char *name = types[type].name;
        /* one byte has no order: '<u1' and '|u1' are the same type */
        const bool any_order = types[type].size == 1 && strchr("|<>=", descr[0]) && descr[0];
        if (strcmp(descr + 1 * any_order, name + 1 * any_order) == 0) {
            *out = type;
            return TRN_OK;
        }
    }
    const char *why = descr[0] == '>' ? " (big-endian)" : "";
    return trn_diag_set(diag, TRN_ERR_UNSUPPORTED, file, NULL, accepted_types,
                        "the element type is '%s'%s", descr, why);
}

/* Number of elements and bytes, without overflow. A zero dimension makes any shape empty. */
static bool measure(struct trn_npy *array)
{
    uint64_t elements = 1;
    bool overflow = false, empty = false;
    for (size_t i = 0; i < array->num_dims; i++) {
        empty |= array->shape[i] == 0;
        overflow |= __builtin_mul_overflow(elements, array->shape[i], &elements);
    }
    if (empty)
        elements = 0;
    else if (overflow)
        return false;
    array->num_elements = elements;
    return !__builtin_mul_overflow(elements, trn_npy_type_size(array->type), &array->size_bytes);
}

static trn_status parse(const uint8_t *bytes, size_t size, const char *file, struct trn_npy *out,
                        struct trn_diag *diag)
{
    size_t start = 0, length = 0;
    trn_status status = find_header(bytes, size, file, &start, &length, diag);
    if (status != TRN_OK)
        return status;
    struct header header = {.num_dims = 0};
    struct cursor cursor = {(const char *)bytes + start, (const char *)bytes + start + length, file,
                            diag, TRN_OK};
    if (!take_dictionary(&cursor, &header))
        return cursor.status;
    status = find_type(header.descr, file, &out->type, diag);
    if (status != TRN_OK)
        return status;
    if (header.fortran_order && header.num_dims > 1)
        return trn_diag_set(diag, TRN_ERR_UNSUPPORTED, file, NULL,
                            "expected C order: save numpy.ascontiguousarray(a)",
                            "the array is in Fortran order");
    out->num_dims = header.num_dims;
    memcpy(out->shape, header.shape, sizeof out->shape);
    if (!measure(out))
        return trn_diag_set(diag, TRN_ERR_FORMAT, file, NULL, NULL,
                            "the shape has more elements than memory can hold");
    const size_t data_bytes = size - start - length;
    if (data_bytes != out->size_bytes)
        return trn_diag_set(diag, TRN_ERR_FORMAT, file, NULL, NULL,
                            "the file is %s: its shape needs %zu bytes of data, it has %zu",
                            data_bytes < out->size_bytes ? "truncated" : "too long",
                            out->size_bytes, data_bytes);
    out->data = bytes + start + length;
    return TRN_OK;
}

trn_status trn_npy_parse(const void *bytes, size_t size, const char *file, struct trn_npy *out,
                         struct trn_diag *diag)
{
    *out = (struct trn_npy){.owner = NULL};
    const trn_status status = parse(bytes, size, file, out, diag);
    if (status != TRN_OK)
        *out = (struct trn_npy){.owner = NULL};
    return status;
}

static trn_status io_error(struct trn_diag *diag, const char *path, const char *what)
{
    const trn_status status = errno == ENOENT ? TRN_ERR_NOT_FOUND : TRN_ERR_IO;
    return trn_diag_set(diag, status, path, NULL, NULL, "%s: %s", what, strerror(errno));
}

/* Nothing more is read of a file that does not begin as one: it may have no end. */
static trn_status read_all(FILE *stream, const char *path, size_t max_bytes, uint8_t **bytes,
                           size_t *size, struct trn_diag *diag)
{
    size_t capacity = 65536, used = 0;
    struct stat info;
    if (fstat(fileno(stream), &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0 &&
        (uintmax_t)info.st_size < max_bytes)
        capacity = (size_t)info.st_size + 1; /* one more, to see the end */
    uint8_t *buffer = malloc(capacity);
    while (buffer) {
        used += fread(buffer + used, 1, capacity - used, stream);
        if (used < capacity || used > max_bytes || !starts_like_npy(buffer, used))
            break;
        capacity *= 2;
        uint8_t *grown = realloc(buffer, capacity);
        if (!grown)
            free(buffer);
        buffer = grown;
    }
    if (!buffer)
        return trn_diag_set(diag, TRN_ERR_NO_MEMORY, path, NULL, NULL, "out of memory");
    trn_status status = TRN_OK;
    if (ferror(stream))
        status = io_error(diag, path, "cannot read");
    else if (!starts_like_npy(buffer, used))
        status = no_npy(path, diag);
    else if (used > max_bytes)
        status = trn_diag_set(diag, TRN_ERR_TOO_LARGE, path, NULL, NULL,
                              "the file is larger than %zu bytes", max_bytes);
    if (status != TRN_OK)
        free(buffer);
    *bytes = status == TRN_OK ? buffer : NULL;
    *size = used;
    return status;
}

trn_status trn_npy_read(const char *path, size_t max_bytes, struct trn_npy *out,
                        struct trn_diag *diag)
{
    *out = (struct trn_npy){.owner = NULL};
    if (max_bytes == 0)
        max_bytes = (size_t)DEFAULT_MAX_GIB << 30;
    FILE *stream = fopen(path, "rbe");
    if (!stream)
        return io_error(diag, path, "cannot open");
    uint8_t *bytes = NULL;
    size_t size = 0;
    trn_status status = read_all(stream, path, max_bytes, &bytes, &size, diag);
    fclose(stream);
    if (status != TRN_OK)
        return status;
    status = trn_npy_parse(bytes, size, path, out, diag);
    if (status != TRN_OK)
        free(bytes);
    else
        out->owner = bytes;
    return status;
}

void trn_npy_free(struct trn_npy *array)
{
    free(array->owner);
    *array = (struct trn_npy){.owner = NULL};
}

/* "(128, 512)", as Python prints it; cut off when it does not fit. */
static void print_shape(const uint64_t *shape, size_t num_dims, char *out, size_t size)
{
    size_t used = (size_t)snprintf(out, size, "(");
    for (size_t i = 0; i < num_dims && used < size; i++)
        used += (size_t)snprintf(out + used, size - used, i ? ", %llu" : "%llu",
                                 (unsigned long long)shape[i]);
    if (used < size)
        snprintf(out + used, size - used, num_dims == 1 ? ",)" : ")");
}

trn_status trn_npy_expect(const struct trn_npy *array, const char *file, enum trn_npy_type type,
                          const uint64_t *shape, size_t num_dims, struct trn_diag *diag)
{
    const bool same_shape =
        !shape || (num_dims == array->num_dims &&
                   (num_dims == 0 || memcmp(shape, array->shape, num_dims * sizeof *shape) == 0));
    if (array->type == type && same_shape)
        return TRN_OK;
    char found[160], wanted[160] = "";
    print_shape(array->shape, array->num_dims, found, sizeof found);
    if (shape)
        print_shape(shape, num_dims, wanted, sizeof wanted);
    char expected[256];
    snprintf(expected, sizeof expected, "expected %s%s%s", trn_npy_type_name(type),
             shape ? " of shape " : "", wanted);
    return trn_diag_set(diag, TRN_ERR_INVALID, file, NULL, expected, "the array is %s of shape %s",
                        trn_npy_type_name(array->type), found);
}
