/* SPDX-License-Identifier: Apache-2.0 */
/**
 * trench/base.h - status values, diagnostics and the version.
 *
 * Every function of the library that can fail returns a trn_status and, where it takes a
 * `struct trn_diag *`, describes there what happened: what, where, which rule, and what would
 * have been accepted. The library never prints, exits, aborts, installs signal handlers, reads
 * the environment or starts a thread that outlives the object that asked for it.
 */
#ifndef TRENCH_BASE_H
#define TRENCH_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TRN_API               __attribute__((visibility("default")))
#define TRN_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define TRN_API
#define TRN_PRINTF(fmt, args)
#endif

/** 0 on success, negative otherwise. Values that the real HAL documents keep their number. */
typedef int trn_status;

enum {
    TRN_OK = 0,
    TRN_ERR_FAILED = -1,       /**< the real HAL's failure without a reason of its own */
    TRN_ERR_NOT_FOUND = -2,    /**< no such file, name, opcode, register */
    TRN_ERR_IO = -5,           /**< reading or writing a file failed */
    TRN_ERR_NO_MEMORY = -12,   /**< allocation failed */
    TRN_ERR_ADDRESS = -14,     /**< address that no block owns, or a NULL base */
    TRN_ERR_BUSY = -16,        /**< the object is in a state that forbids the call */
    TRN_ERR_INVALID = -22,     /**< argument, word, field or option outside its rule */
    TRN_ERR_TOO_LARGE = -27,   /**< larger than the format or the model allows */
    TRN_ERR_RANGE = -34,       /**< number outside its range */
    TRN_ERR_UNSUPPORTED = -38, /**< known, but this generation or build does not have it */
    TRN_ERR_FORMAT = -74,      /**< bytes that are not what the format says */
    TRN_ERR_TIMEOUT = -110,    /**< a bounded wait ran out */
    TRN_ERR_FAULT = -1000,     /**< the modelled device refused: see the fault record */
    TRN_ERR_ASSERT = -1001,    /**< fatal: the real HAL asserts here */
    TRN_ERR_ABORT = -1002,     /**< fatal: the real HAL ends the process here */
};

/** What went wrong. All strings are NUL-terminated and owned by the record. */
struct trn_diag {
    trn_status status;
    char where[192];    /**< file:line:column, engine:pc, register or byte offset; may be empty */
    char rule[64];      /**< rule name of the sheets; empty when no rule is involved */
    char message[512];  /**< one sentence, no newline, no trailing full stop */
    char expected[256]; /**< what would be accepted; may be empty */
};

/**
 * Fill *diag (which may be NULL) and return `status`, so that a caller can write
 * `return trn_diag_set(...)`. `where`, `rule` and `expected` may be NULL (empty).
 */
TRN_API trn_status trn_diag_set(struct trn_diag *diag, trn_status status, const char *where,
                                const char *rule, const char *expected, const char *format, ...)
    TRN_PRINTF(6, 7);

/** Short English name of a status value; never NULL. */
TRN_API const char *trn_status_name(trn_status status);

/** Version of the library, e.g. "0.1.0". */
TRN_API const char *trn_version(void);

#ifdef __cplusplus
}
#endif
#endif
