/* SPDX-License-Identifier: Apache-2.0 */
/* What the actions of `trench cptc` share. */
#ifndef TRN_CLI_CPTC_H
#define TRN_CLI_CPTC_H

#include "cli/cli.h"
#include "trench/cptc.h"
#include "trench/npy.h"

struct cptc_options {
    const char *in, *out;
    struct trn_cptc_format format;
    bool bits_given, block_size_given;
    bool constants_given, number_given; /* --constants; --scale or --bias */
    const char *out_dtype;              /* decode only */
    bool json;
};

/* Options that both actions take; they end where the caller's own begin. */
#define CPTC_ARGP_OPTIONS                                                                          \
    {"bits", 'b', "N", 0, "bits an element, 1 to 7; needed", 0},                                   \
        {"block-size", 'B', "N", 0, "elements of a block, a multiple of 8 up to 248; needed", 0},  \
        {"scale", 's', "S", 0, "what codes are multiplied with, a BF16 number (default 1)", 0},    \
        {"bias", 'a', "A", 0, "what is added then, a BF16 number (default 0)", 0},                 \
        {"constants",                                                                              \
         'c',                                                                                      \
         "MC0,MC1",                                                                                \
         0,                                                                                        \
         "the two 16-bit constants of the instruction word instead",                               \
         0},                                                                                       \
        {"codec", 'C', "planes|bitshift", 0, "how the bits of a block are read (default planes)",  \
         0},                                                                                       \
        {"output", 'o', "OUT.npy", 0, "where the result goes; needed", 0},                         \
    {                                                                                              \
        "json", 'j', NULL, 0, "one JSON document", 0                                               \
    }

/* One of them, or the input: 0, or -1 for a key that is not theirs. Ends the program with a message
 * when the argument makes no sense. */
int cptc_take(int key, const char *arg, struct cptc_options *options);

/* Whether everything that is needed is there; prints and returns CLI_USAGE, or 0. */
int cptc_check(const char *action, struct cptc_options *options);

/* An array whose rows, its last axis, are whole numbers of `unit` elements. */
trn_status cptc_read(const struct cptc_options *options, enum trn_npy_type type, size_t unit,
                     const char *what, struct trn_npy *out, struct trn_diag *diag);

/* The shape of *in with `to` elements for every `from` of its last axis. */
void cptc_shape(const struct trn_npy *in, size_t from, size_t to, uint64_t shape[TRN_NPY_MAX_DIMS]);

/* Codec, bits, block size, constants and blocks, for a document. */
json_t *cptc_json(const char *schema, const struct cptc_options *options, uint64_t blocks);

#endif
