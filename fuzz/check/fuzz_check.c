/* SPDX-License-Identifier: Apache-2.0 */
/* trn_check_word on arbitrary bytes: never crashes, and says the same however it is asked. Input:
 * one byte of options, one for the next opcode, then words of 64 bytes. */
#include <stdlib.h>
#include <string.h>

#include "trench/isa.h"

enum { CAPACITY = 80 };

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void check(const struct trn_gen *gen, const uint8_t *word,
                  const struct trn_check_options *options)
{
    struct trn_violation found[CAPACITY], again[CAPACITY];
    size_t count = 0, second = 0;
    memset(found, 0, sizeof found);
    memset(again, 0, sizeof again);
    const trn_status status = trn_check_word(gen, word, options, found, CAPACITY, &count);
    require(status == TRN_OK || status == TRN_ERR_INVALID);
    require(trn_check_word(gen, word, options, again, CAPACITY, &second) == status);
    require(count == second);
    require(trn_check_word(gen, word, options, NULL, 0, &second) == status && count == second);
    require(trn_check_word(gen, word, options, NULL, 0, NULL) == status);
    bool invalid = false;
    for (size_t i = 0; i < count && i < CAPACITY; i++) {
        invalid |= !found[i].warning;
        require(found[i].rule && found[i].message && found[i].provenance);
        require(memchr(found[i].detail, '\0', sizeof found[i].detail) != NULL);
        require(strcmp(found[i].detail, again[i].detail) == 0 && found[i].rule == again[i].rule);
    }
    require(invalid == (status != TRN_OK));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2 + TRN_INST_BYTES)
        return 0;
    const uint8_t next[TRN_INST_BYTES] = {data[1]};
    const struct trn_check_options options = {
        .engine = data[0] % 6 - 1,
        .before_lowering = (data[0] & 0x40) != 0,
        .next_word = data[0] & 0x80 ? next : NULL,
    };
    for (size_t at = 2; at + TRN_INST_BYTES <= size; at += TRN_INST_BYTES)
        for (unsigned g = 0; g < TRN_GEN_COUNT; g++)
            check(trn_gen_at(g), data + at, &options);
    return 0;
}
