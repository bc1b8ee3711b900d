/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as words of any generation: word -> text -> word is exact, text is canonical, and
 * looking at every field stays inside the word. First byte: generation; then 64 bytes a word. */
#include <stdio.h>

#include "isa/text_check.h"

static void look_at_fields(const struct trn_gen *gen, const uint8_t *word)
{
    struct trn_field_view field;
    trn_status status;
    for (size_t i = 0; (status = trn_word_field(gen, word, i, &field)) != TRN_ERR_RANGE; i++) {
        if (status != TRN_OK)
            continue;
        if (field.bytes < word || field.offset + field.size > TRN_INST_BYTES)
            abort();
        for (size_t k = 0; field.kind == TRN_VALUE_LIST && k < field.count; k++)
            (void)trn_field_element(&field, k);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1 + TRN_INST_BYTES)
        return 0;
    const struct trn_gen *gen = trn_gen_at(data[0] % TRN_GEN_COUNT);
    const uint8_t *words = data + 1;
    const size_t num_words = (size - 1) / TRN_INST_BYTES;
    for (size_t i = 0; i < num_words; i++)
        look_at_fields(gen, words + i * TRN_INST_BYTES);
    size_t index;
    struct trn_diag diag = {0};
    const char *problem = text_round_trip(gen, words, num_words, &index, &diag);
    if (problem) {
        char text[TRN_DIS_MAX] = "";
        if (index < num_words)
            trn_dis_word(gen, words + index * TRN_INST_BYTES, text);
        fprintf(stderr, "%s: %s: %s %s\n%s", gen->name, problem, diag.where, diag.message, text);
        abort();
    }
    return 0;
}
