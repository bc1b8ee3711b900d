/* SPDX-License-Identifier: Apache-2.0 */
/* Every occurrence of every token in one pass: the automaton of Aho and Corasick. */
#ifndef TRN_FW_STRINGS_MATCHER_H
#define TRN_FW_STRINGS_MATCHER_H

#include "fw/data_rows.h"

/* Letters of either case, digits, '_', '-', ' ', and class 0 for everything else. */
enum { FW_CLASSES = 40 };

struct fw_matcher {
    uint8_t class_of[256];
    uint8_t is_word[256];
    size_t num_states;
    uint16_t (*next)[FW_CLASSES]; /* by state */
    uint16_t *token;              /* by state: number of the token that ends there + 1 */
    uint16_t *shorter;            /* by state: the next state whose token ends here too */
};

/* Free with fw_matcher_free in any case. */
trn_status fw_matcher_make(struct fw_matcher *out);
void fw_matcher_free(struct fw_matcher *matcher);

/* Count the tokens of one string into `hits` (one a token). `base` is the string's offset. */
void fw_matcher_count(const struct fw_matcher *matcher, const uint8_t *text, size_t size,
                      size_t base, struct trn_fw_token_hits *hits);

#endif
