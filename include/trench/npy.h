/* SPDX-License-Identifier: Apache-2.0 */
/**
 * trench/npy.h - NumPy's own file format, .npy 1.0, 2.0 and 3.0: little-endian, C order.
 *
 * Formats NumPy lacks (bf16, fp8, ...) travel as '<u2' or '|u1' arrays.
 */
#ifndef TRENCH_NPY_H
#define TRENCH_NPY_H

#include "trench/base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TRN_NPY_MAX_DIMS 32

enum trn_npy_type {
    TRN_NPY_B1, /**< '|b1' */
    TRN_NPY_I1, /**< '|i1' */
    TRN_NPY_U1, /**< '|u1' */
    TRN_NPY_I2, /**< '<i2' */
    TRN_NPY_U2,
    TRN_NPY_I4,
    TRN_NPY_U4,
    TRN_NPY_I8,
    TRN_NPY_U8,
    TRN_NPY_F2, /**< '<f2' */
    TRN_NPY_F4,
    TRN_NPY_F8,
    TRN_NPY_TYPES
};

/** NumPy's name of a type: "|u1", "<f4"; "?" for other values. */
TRN_API const char *trn_npy_type_name(enum trn_npy_type type);
/** Bytes of an element, 1..8; 0 for other values. */
TRN_API size_t trn_npy_type_size(enum trn_npy_type type);

/** An array. `data` may have any alignment. */
struct trn_npy {
    enum trn_npy_type type;
    size_t num_dims;
    uint64_t shape[TRN_NPY_MAX_DIMS];
    uint64_t num_elements;
    size_t size_bytes; /**< of data */
    const uint8_t *data;
    void *owner; /**< what trn_npy_free frees; NULL for a view */
};

/**
 * Read an array out of a file's bytes. *out is a view: `data` points into `bytes`. `file` is the
 * name for diagnostics. TRN_ERR_FORMAT: not such a file, truncated, bytes left over;
 * TRN_ERR_UNSUPPORTED: another byte order, type or Fortran order; *out is then empty.
 */
TRN_API trn_status trn_npy_parse(const void *bytes, size_t size, const char *file,
                                 struct trn_npy *out, struct trn_diag *diag);

/** Read a file of at most max_bytes (0: 16 GiB). As above, and TRN_ERR_IO, TRN_ERR_NOT_FOUND,
 * TRN_ERR_TOO_LARGE, TRN_ERR_NO_MEMORY. Free with trn_npy_free. */
TRN_API trn_status trn_npy_read(const char *path, size_t max_bytes, struct trn_npy *out,
                                struct trn_diag *diag);

TRN_API void trn_npy_free(struct trn_npy *array);

/**
 * TRN_OK when the array has this element type and shape; else TRN_ERR_INVALID and one message
 * that names what was found, with what was expected in diag->expected. `shape` NULL: any shape.
 */
TRN_API trn_status trn_npy_expect(const struct trn_npy *array, const char *file,
                                  enum trn_npy_type type, const uint64_t *shape, size_t num_dims,
                                  struct trn_diag *diag);

/** Longest header that trn_npy_header makes. */
#define TRN_NPY_HEADER_MAX 1024

/** Write the version 1.0 header of such an array to `out`; returns its length, a multiple of 64.
 * num_dims is at most TRN_NPY_MAX_DIMS. */
TRN_API size_t trn_npy_header(enum trn_npy_type type, const uint64_t *shape, size_t num_dims,
                              uint8_t out[TRN_NPY_HEADER_MAX]);

/**
 * Write an array to a file. The file appears complete or not at all: it is written beside its
 * place and renamed (a path that is no regular file, such as /dev/stdout, is written in place).
 * TRN_ERR_IO, TRN_ERR_INVALID.
 */
TRN_API trn_status trn_npy_write(const char *path, enum trn_npy_type type, const uint64_t *shape,
                                 size_t num_dims, const void *data, struct trn_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
