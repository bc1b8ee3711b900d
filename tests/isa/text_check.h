/* SPDX-License-Identifier: Apache-2.0 */
/* Words to text and back, for tests, benches and fuzz targets. */
#ifndef TRN_TESTS_TEXT_CHECK_H
#define TRN_TESTS_TEXT_CHECK_H

#include <stdlib.h>
#include <string.h>

#include "trench/isa.h"

/* Text that grows as it is printed. */
struct text {
    char *data;
    size_t size, capacity;
};

static inline trn_status text_append(void *context, const char *data, size_t size)
{
    struct text *text = context;
    if (text->size + size > text->capacity) {
        text->capacity = 2 * (text->size + size);
        text->data = realloc(text->data, text->capacity);
        if (!text->data)
            return TRN_ERR_NO_MEMORY;
    }
    memcpy(text->data + text->size, data, size);
    text->size += size;
    return TRN_OK;
}

/* NULL when the words, as text and assembled again, are the same, and so is their text; else what
 * went wrong. *index is the first word that differs. */
static inline const char *text_round_trip(const struct trn_gen *gen, const uint8_t *words,
                                          size_t num_words, size_t *index, struct trn_diag *diag)
{
    const char *problem = NULL;
    struct text text = {0}, again = {0};
    struct trn_program program = {0};
    *index = 0;
    if (trn_dis_stream(gen, 0, words, num_words, text_append, &text) != TRN_OK)
        problem = "cannot print";
    else if (trn_asm(text.data, text.size, NULL, &program, NULL, NULL, diag) != TRN_OK)
        problem = "the text does not assemble";
    else if (program.num_streams != 1 || program.streams[0].num_words != num_words)
        problem = "another number of words";
    for (; !problem && *index < num_words; ++*index)
        if (memcmp(program.streams[0].words + *index * TRN_INST_BYTES,
                   words + *index * TRN_INST_BYTES, TRN_INST_BYTES) != 0)
            problem = "another word";
    if (!problem && (trn_dis_stream(gen, 0, program.streams[0].words, num_words, text_append,
                                    &again) != TRN_OK ||
                     again.size != text.size || memcmp(again.data, text.data, text.size) != 0))
        problem = "the text is not canonical";
    trn_program_free(&program);
    free(text.data);
    free(again.data);
    return problem;
}

#endif
