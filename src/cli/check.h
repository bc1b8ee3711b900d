/* SPDX-License-Identifier: Apache-2.0 */
/* trench check: what its files share. cmd_check.c reads and judges, check_json.c writes the
 * document. */
#ifndef TRN_CLI_CHECK_H
#define TRN_CLI_CHECK_H

#include "cli/progress.h"
#include "trench/isa.h"

struct check_options {
    const char *input;
    const struct trn_gen *gen; /* NULL: all */
    int engine;
    bool before_lowering, json;
};

/* What one generation says of the file. */
struct check_verdict {
    const struct trn_gen *gen;
    struct trn_program program; /* its words; no stream when a text does not assemble */
    bool owned;                 /* by the verdict: a text's */
    size_t words, bad_words, violations, warnings;
    bool assembled;
    struct trn_diag error; /* why not, when it does not assemble */
};

/* One word of a stream. */
struct check_place {
    const struct trn_stream *stream;
    size_t index;
};

static inline size_t check_offset(const struct check_place *place)
{
    return place->index * TRN_INST_BYTES;
}

static inline const uint8_t *check_word(const struct check_place *place)
{
    return place->stream->words + check_offset(place);
}

/* Called for each violation and warning, in order. */
typedef void (*check_visit)(void *context, const struct check_place *place,
                            const struct trn_violation *violation);

/* Check the words of a verdict and count what fails; without `visit` only the words that are not
 * valid, which is quick. */
void check_scan(const struct check_options *options, struct check_verdict *verdict,
                struct cli_progress *progress, check_visit visit, void *context);

bool check_is_valid(const struct check_verdict *verdict);

const char *check_file_name(const struct check_options *options);

/* The JSON document. Violations are written as they are found, so a file with millions of them
 * takes no more memory than one without. */
void check_print_document(const struct check_options *options, struct check_verdict *verdicts,
                          size_t count, struct cli_progress *progress);

#endif
