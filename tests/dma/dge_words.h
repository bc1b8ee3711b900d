/* SPDX-License-Identifier: Apache-2.0 */
/* DMA words put together byte by byte from data/dge_words.csv, not by the library's accessors. */
#ifndef TRN_TESTS_DGE_WORDS_H
#define TRN_TESTS_DGE_WORDS_H

#include <stdint.h>
#include <string.h>

enum { PE, ACT, POOL, DVE, SP };
enum { U8 = 3, I16 = 4, U16 = 5, BF16 = 6, F16 = 7, I32 = 8, U32 = 9, F32 = 10 };

/* dge.md 15: the worked word. */
#define WORKED_WORD                                                                                \
    "B8 10 00 00 05 07 00 00 01 00 00 00 01 0A 01 00"                                              \
    "00 00 00 10 00 00 00 00 00 01 00 00 00 00 00 00"                                              \
    "02 00 01 00 40 00 94 00 00 00 00 00 20 00 00 00"                                              \
    "40 00 00 00 00 00 00 00 02 00 01 00 40 00 03 03"

static inline void put(uint8_t *word, unsigned at, unsigned bytes, uint64_t value)
{
    memcpy(word + at, &value, bytes);
}

struct copy {
    uint64_t src, dst;
    int32_t src_step[2], dst_step[2];
    uint16_t src_num[2], dst_num[2], src_size, dst_size;
    uint8_t src_bound, dst_bound, semaphore, increment, op, in, out, priority;
};

static inline void word_b8(uint8_t w[64], const struct copy *c)
{
    memset(w, 0, 64);
    w[0] = 0xB8;
    w[1] = 0x10;
    w[12] = c->priority;
    w[13] = c->semaphore;
    w[14] = c->increment;
    w[15] = c->op;
    put(w, 16, 8, c->src);
    put(w, 24, 4, (uint32_t)c->src_step[0]);
    put(w, 28, 4, (uint32_t)c->src_step[1]);
    put(w, 32, 2, c->src_num[0]);
    put(w, 34, 2, c->src_num[1]);
    put(w, 36, 2, c->src_size);
    w[38] = c->src_bound;
    w[39] = c->dst_bound;
    put(w, 40, 8, c->dst);
    put(w, 48, 4, (uint32_t)c->dst_step[0]);
    put(w, 52, 4, (uint32_t)c->dst_step[1]);
    put(w, 56, 2, c->dst_num[0]);
    put(w, 58, 2, c->dst_num[1]);
    put(w, 60, 2, c->dst_size);
    w[62] = c->in ? c->in : U8;
    w[63] = c->out ? c->out : U8;
}

struct indirect {
    uint64_t src, dst;
    int32_t src_step, dst_step;
    uint16_t src_num, dst_num, src_size, dst_size;
    uint32_t src_idx, dst_idx;
    uint8_t flags, src_bound, dst_bound, semaphore, increment, op, in, out, priority;
};

static inline void word_bb(uint8_t w[64], const struct indirect *c)
{
    memset(w, 0, 64);
    w[0] = 0xBB;
    w[1] = 0x10;
    w[12] = c->semaphore;
    w[13] = c->increment;
    w[14] = 128;
    w[15] = c->flags;
    put(w, 16, 8, c->src);
    put(w, 24, 4, (uint32_t)c->src_step);
    put(w, 28, 2, c->src_num);
    put(w, 30, 2, c->src_size);
    put(w, 32, 8, c->dst);
    put(w, 40, 4, (uint32_t)c->dst_step);
    put(w, 44, 2, c->dst_num);
    put(w, 46, 2, c->dst_size);
    put(w, 48, 4, c->src_idx);
    put(w, 52, 4, c->dst_idx);
    w[56] = c->in ? c->in : U8;
    w[57] = c->out ? c->out : U8;
    w[58] = c->src_bound;
    w[59] = c->dst_bound;
    w[60] = c->op;
    w[61] = c->priority;
}

struct tiles {
    uint64_t src, dst;
    int32_t src_step[2], dst_step[2], row_step;
    uint16_t src_num[2], dst_num[2];
    uint8_t src_bound, dst_bound, type, cols, semaphore, priority;
};

static inline void word_bd(uint8_t w[64], const struct tiles *c)
{
    memset(w, 0, 64);
    w[0] = 0xBD;
    w[1] = 0x10;
    w[12] = c->src_bound;
    w[13] = c->dst_bound;
    w[14] = w[15] = c->type;
    put(w, 16, 8, c->src);
    put(w, 24, 4, (uint32_t)c->src_step[0]);
    put(w, 28, 4, (uint32_t)c->src_step[1]);
    put(w, 32, 2, c->src_num[0]);
    put(w, 34, 2, c->src_num[1]);
    put(w, 36, 4, (uint32_t)c->row_step);
    put(w, 40, 8, c->dst);
    put(w, 48, 4, (uint32_t)c->dst_step[0]);
    put(w, 52, 4, (uint32_t)c->dst_step[1]);
    put(w, 56, 2, c->dst_num[0]);
    put(w, 58, 2, c->dst_num[1]);
    w[60] = 16;
    w[61] = c->cols;
    w[62] = c->semaphore;
    w[63] = c->priority;
}

struct gather_tiles {
    uint64_t src, dst;
    int32_t src_step, dst_step;
    uint16_t count, elem_size;
    uint32_t idx;
    uint8_t src_bound, dst_bound, semaphore, priority;
};

static inline void word_f1(uint8_t w[64], const struct gather_tiles *c)
{
    memset(w, 0, 64);
    w[0] = 0xF1;
    w[1] = 0x10;
    w[12] = c->semaphore;
    w[13] = c->priority;
    w[14] = 128;
    w[15] = c->src_bound;
    put(w, 16, 8, c->src);
    put(w, 28, 4, (uint32_t)c->src_step);
    put(w, 32, 2, 1);
    put(w, 34, 2, c->count);
    put(w, 36, 4, c->idx);
    put(w, 40, 8, c->dst);
    w[51] = c->dst_bound;
    put(w, 52, 4, (uint32_t)c->dst_step);
    put(w, 56, 2, c->count);
    put(w, 58, 2, (uint64_t)c->elem_size / 2);
    put(w, 60, 2, c->elem_size);
    w[62] = 0x55;
    w[63] = 1;
}

/* Kind of word 0 copy, 1 copy with a cast, 2 indirect, 3 transpose, 4 gather-transpose. */
static inline void word_of_kind(uint8_t word[64], unsigned kind)
{
    const struct copy plain = {.src = 0x1000,
                               .dst = 0x200000,
                               .src_num = {1, 1},
                               .dst_num = {1, 1},
                               .src_size = 4,
                               .dst_size = 4,
                               .semaphore = 3,
                               .increment = 1};
    struct copy cast = plain;
    cast.in = I32;
    cast.out = F32;
    const struct indirect indirect = {.src = 0x1000,
                                      .dst = 0x200000,
                                      .src_step = 8,
                                      .dst_step = 8,
                                      .src_num = 1,
                                      .dst_num = 1,
                                      .src_size = 8,
                                      .dst_size = 8,
                                      .src_idx = 0x8000,
                                      .semaphore = 3,
                                      .increment = 1};
    const struct tiles tiles = {.src = 0x1000,
                                .dst = 0x200000,
                                .src_num = {1, 1},
                                .dst_num = {1, 1},
                                .row_step = 64,
                                .type = U16,
                                .cols = 32,
                                .semaphore = 3};
    const struct gather_tiles gather = {.src = 0x1000,
                                        .dst = 0x200000,
                                        .src_step = 64,
                                        .dst_step = 32,
                                        .count = 16,
                                        .elem_size = 8,
                                        .idx = 0x8000,
                                        .semaphore = 3};
    switch (kind) {
    case 0:
        word_b8(word, &plain);
        break;
    case 1:
        word_b8(word, &cast);
        break;
    case 2:
        word_bb(word, &indirect);
        break;
    case 3:
        word_bd(word, &tiles);
        break;
    default:
        word_f1(word, &gather);
        break;
    }
}

/* Word 0 or 1 of a descriptor (docs/hardware/udma.md 2), and its address. */
static inline uint32_t desc_word(const uint8_t *raw, unsigned i)
{
    uint32_t value;
    memcpy(&value, raw + 4 * i, 4);
    return value;
}

static inline uint64_t desc_address(const uint8_t *raw)
{
    uint64_t value;
    memcpy(&value, raw + 8, 8);
    return value;
}

#endif
