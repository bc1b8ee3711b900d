/* SPDX-License-Identifier: Apache-2.0 */
/* DMA words put together byte by byte from data/dge_words.csv, not by the library's accessors. */
#ifndef TRN_TESTS_DGE_WORDS_H
#define TRN_TESTS_DGE_WORDS_H

#include <stdint.h>
#include <string.h>

enum { PE, ACT, POOL, DVE, SP };
enum { U8 = 3, I16 = 4, U16 = 5, BF16 = 6, F16 = 7, I32 = 8, U32 = 9, F32 = 10 };

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

#endif
