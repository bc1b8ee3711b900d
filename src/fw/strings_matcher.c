/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "fw/strings_matcher.h"

static void make_classes(struct fw_matcher *matcher)
{
    static const char alphabet[] = "abcdefghijklmnopqrstuvwxyz0123456789_- ";
    _Static_assert(sizeof alphabet - 1 < FW_CLASSES, "a class each");
    for (unsigned i = 0; alphabet[i]; i++) {
        matcher->class_of[(uint8_t)alphabet[i]] = (uint8_t)(i + 1);
        matcher->class_of[(uint8_t)toupper(alphabet[i])] = (uint8_t)(i + 1);
    }
    for (unsigned i = 0; i < 256; i++)
        matcher->is_word[i] = i < 128 && (isalnum((int)i) || i == '_');
}

/* One path of states a token. */
static void add_token(struct fw_matcher *matcher, size_t number)
{
    unsigned state = 0;
    for (const char *at = trn_fw_tokens[number].text; *at; at++) {
        uint16_t *const edge = &matcher->next[state][matcher->class_of[(uint8_t)*at]];
        if (*edge == 0)
            *edge = (uint16_t)matcher->num_states++;
        state = *edge;
    }
    matcher->token[state] = (uint16_t)(number + 1);
}

/* Where no edge leads on, go on as the longest proper suffix would. Breadth first, so that the
 * suffix's edges are complete. */
static void link_suffixes(struct fw_matcher *matcher, uint16_t *queue, uint16_t *suffix)
{
    size_t head = 0, tail = 0;
    for (unsigned c = 0; c < FW_CLASSES; c++)
        if (matcher->next[0][c])
            queue[tail++] = matcher->next[0][c];
    while (head < tail) {
        const uint16_t state = queue[head++];
        const uint16_t back = suffix[state];
        matcher->shorter[state] = matcher->token[back] ? back : matcher->shorter[back];
        for (unsigned c = 0; c < FW_CLASSES; c++) {
            const uint16_t to = matcher->next[state][c];
            if (to == 0) {
                matcher->next[state][c] = matcher->next[back][c];
                continue;
            }
            suffix[to] = matcher->next[back][c];
            queue[tail++] = to;
        }
    }
}

trn_status fw_matcher_make(struct fw_matcher *out)
{
    memset(out, 0, sizeof *out);
    make_classes(out);
    size_t states = 1;
    for (size_t i = 0; i < trn_num_fw_tokens; i++)
        states += strlen(trn_fw_tokens[i].text);
    out->next = calloc(states, sizeof *out->next);
    out->token = calloc(states, sizeof *out->token);
    out->shorter = calloc(states, sizeof *out->shorter);
    uint16_t *const work = calloc(2 * states, sizeof *work);
    if (!out->next || !out->token || !out->shorter || !work) {
        free(work);
        return TRN_ERR_NO_MEMORY;
    }
    out->num_states = 1;
    for (size_t i = 0; i < trn_num_fw_tokens; i++)
        add_token(out, i);
    link_suffixes(out, work, work + states);
    free(work);
    return TRN_OK;
}

void fw_matcher_free(struct fw_matcher *matcher)
{
    free(matcher->next);
    free(matcher->token);
    free(matcher->shorter);
    memset(matcher, 0, sizeof *matcher);
}

static bool counts(const struct fw_matcher *matcher, const struct trn_fw_token *token,
                   const uint8_t *text, size_t size, size_t begin, size_t end)
{
    if (token->match != TRN_FW_MATCH_NOCASE && memcmp(text + begin, token->text, end - begin) != 0)
        return false;
    if (token->match == TRN_FW_MATCH_TEXT)
        return true;
    return (begin == 0 || !matcher->is_word[text[begin - 1]]) &&
           (end == size || !matcher->is_word[text[end]]);
}

void fw_matcher_count(const struct fw_matcher *matcher, const uint8_t *text, size_t size,
                      size_t base, struct trn_fw_token_hits *hits)
{
    unsigned state = 0;
    for (size_t i = 0; i < size; i++) {
        state = matcher->next[state][matcher->class_of[text[i]]];
        for (unsigned at = matcher->token[state] ? state : matcher->shorter[state]; at;
             at = matcher->shorter[at]) {
            const unsigned number = matcher->token[at] - 1U;
            const struct trn_fw_token *const token = &trn_fw_tokens[number];
            const size_t begin = i + 1 - strlen(token->text);
            hits[number].raw++;
            if (counts(matcher, token, text, size, begin, i + 1) && hits[number].whole++ == 0)
                hits[number].first = base + begin;
        }
    }
}
