/* SPDX-License-Identifier: Apache-2.0 */
/* The quick way through tables of the usual shape (docs/hardware/activation.md 10): at most 30
 * octaves a side, clamps of one bucket. Buckets are found by picking from vectors, without a look
 * into memory for each value; and so are their centres where these are the middles of sections.
 *
 * Where results are wanted as BF16 the cubic is computed in f32, unless the outcome lies so near
 * the middle between two BF16 numbers that only the definition's own steps can tell; for which
 * values a table allows it is found when it is made ready (quick_bound.c). */
#ifndef TRN_ACT_QUICK_H
#define TRN_ACT_QUICK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trn_act_function;
struct trn_act_line;

enum {
    TRN_ACT_QUICK_SLOTS = 32,   /* of a side: octaves by the low five bits of the exponent, ... */
    TRN_ACT_QUICK_OCTAVES = 30, /* ... and in two that are left the clamps */
    TRN_ACT_QUICK_FEW = 64,     /* buckets that columns hold */
    TRN_ACT_QUICK_GROUP = 64,   /* values in a word of trn_act_quick_bf16()'s doubts */
    TRN_ACT_QUICK_GROUPS = 16,  /* that it takes at most */
    TRN_ACT_QUICK_TIE = 8,      /* f32 steps that its cubic may be off (quick_bound.c) */
};

/*
 * Places are words: lsb in the upper five bits, and below it what makes a bucket's number, counted
 * from `first` and modulo the table, of the sum (sel >> lsb) + place. Clamps have lsb 31. A folded
 * function has one side, which stands in both.
 */
struct trn_act_quick {
    bool usable; /* false: nothing below holds */
    bool folded;
    bool middles; /* all centres are usual: the middle of a section, 0 of a clamp */
    bool bf16;    /* trn_act_quick_bf16() may be called */
    bool few;     /* the function's buckets stand in the columns, too */
    uint32_t first;
    uint32_t large_slot, small_slot, large_from[2], small_end[2];
    /* Magnitudes from sure_from on, and less than sure_size above it, are those that the bound and
     * the usual centres hold for. */
    uint32_t sure_from, sure_size;
    _Alignas(64) uint32_t octave[2][TRN_ACT_QUICK_SLOTS];
    _Alignas(64) float column[4][TRN_ACT_QUICK_FEW]; /* d0, d1, d2, d3 */
};

/* Set up out->quick of a function whose other members are set up. */
void trn_act_quick_prepare(struct trn_act_function *function);

/* Whether the host has the vectors that the two below are written with. */
bool trn_act_quick_host(void);

/* Where n values, a multiple of 16, take their buckets: `sel`, byte offsets into the rows from row
 * `first` on, and distances from the centres if they are usual. Arrays are aligned to 64 bytes. */
void trn_act_quick_find(const struct trn_act_function *function, const uint32_t *bits,
                        uint32_t *sel, uint32_t *offset, float *t, size_t n);

/* BF16 results of x[i] * scale + bias. Those that are not sure have their bit set in the group's
 * word of `doubtful`. `out` has any alignment and does not overlap x. 1 to TRN_ACT_QUICK_GROUPS
 * groups. */
void trn_act_quick_bf16(const struct trn_act_function *function, const struct trn_act_line *line,
                        const float *x, void *out, uint64_t *doubtful, size_t groups);

/* Values that take one bucket of an octave: magnitudes from..to, of a section that begins at low.
 */
struct trn_act_reach {
    unsigned side;
    uint32_t low, from, to, bucket;
    unsigned lsb;
};

/* Visit all buckets that values between the clamps take, until a visit is false. */
bool trn_act_quick_each(const struct trn_act_function *function,
                        bool (*visit)(const struct trn_act_function *function,
                                      const struct trn_act_reach *reach, void *context),
                        void *context);

/* The centre is (lowest + highest) / 2 rounded towards zero, on the section's side. */
bool trn_act_quick_is_middle(const struct trn_act_function *function,
                             const struct trn_act_reach *reach);

/* quick_bound.c: set quick.bf16, sure_from and sure_size. */
void trn_act_quick_bound(struct trn_act_function *function);

#endif
