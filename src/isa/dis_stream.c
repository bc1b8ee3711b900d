/* SPDX-License-Identifier: Apache-2.0 */
/* A whole stream as text that assembles: directives, labels, words. */
#include <stdlib.h>

#include "isa/dis.h"
#include "isa/text_branch.h"
#include "trench/isa.h"

enum { CHUNK = 1 << 16 };

static bool get_bit(const uint8_t *bits, size_t i)
{
    return trn_bits_get(bits[i / 8], i % 8, 1);
}

/* One bit a word, and one for the end: which of them some branch of the stream goes to. */
static uint8_t *find_targets(const struct trn_gen *gen, const uint8_t *words, size_t num_words)
{
    uint8_t *bits = calloc(num_words / 8 + 1, 1);
    if (!bits)
        return NULL;
    for (size_t i = 0; i < num_words; i++) {
        int32_t offset;
        size_t target;
        if (trn_dis_branch_offset(words + i * TRN_INST_BYTES, gen->isa, &offset) &&
            trn_branch_target(i, offset, num_words, &target))
            bits[target / 8] = (uint8_t)trn_bits_set(bits[target / 8], target % 8, 1, 1);
    }
    return bits;
}

static char *put_directives(const struct trn_gen *gen, int engine, char *out)
{
    out = stpcpy(stpcpy(stpcpy(out, ".gen "), gen->name), "\n");
    const char *name = trn_engine_name(engine);
    return name ? stpcpy(stpcpy(stpcpy(out, ".engine "), name), "\n") : out;
}

static char *put_label(size_t index, char *out)
{
    *out++ = 'L';
    return stpcpy(trn_put_decimal(out, index), ":\n");
}

static trn_status print_words(const struct trn_gen *gen, int engine, const uint8_t *words,
                              size_t num_words, const uint8_t *targets, char *buffer,
                              trn_text_sink sink, void *context)
{
    char *out = put_directives(gen, engine, buffer);
    for (size_t i = 0; i <= num_words; i++) {
        if (get_bit(targets, i))
            out = put_label(i, out);
        if (i == num_words)
            break;
        const struct trn_dis_labels labels = {targets, i, num_words};
        out = trn_dis_text(gen, words + i * TRN_INST_BYTES, &labels, out);
        if (out - buffer < CHUNK)
            continue;
        const trn_status status = sink(context, buffer, (size_t)(out - buffer));
        if (status != TRN_OK)
            return status;
        out = buffer;
    }
    return sink(context, buffer, (size_t)(out - buffer));
}

trn_status trn_dis_stream(const struct trn_gen *gen, int engine, const uint8_t *words,
                          size_t num_words, trn_text_sink sink, void *context)
{
    uint8_t *targets = find_targets(gen, words, num_words);
    char *buffer = malloc(CHUNK + 2 * TRN_DIS_MAX);
    const trn_status status = targets && buffer ? print_words(gen, engine, words, num_words,
                                                              targets, buffer, sink, context)
                                                : TRN_ERR_NO_MEMORY;
    free(targets);
    free(buffer);
    return status;
}
