/* SPDX-License-Identifier: Apache-2.0 */
/* Vector words on the numeric examples of the sheets and on hand-computed ones. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "engine/vector_core.h"

enum { SUNDA, CAYMAN, MARIANA, MARIANA_PLUS, MAVERICK };
enum { POOL = TRN_NEURON_ENGINE_POOL, DVE = TRN_NEURON_ENGINE_DVE, ACT = TRN_NEURON_ENGINE_ACT };

/* ---- words ------------------------------------------------------------------------ */

/* A row of `count` elements in SBUF, partition 0. */
struct row {
    uint32_t byte;
    uint8_t dtype;
    uint16_t count;
    int16_t step;
};

static struct row row(uint32_t byte, uint8_t dtype, uint16_t count)
{
    return (struct row){.byte = byte, .dtype = dtype, .count = count, .step = 1};
}

static struct row backwards(struct row r, uint32_t size)
{
    r.byte += (r.count - 1u) * size;
    r.step = -1;
    return r;
}

/* TENSORnD: start, steps, counts (isa-core.md 6). */
static void put_pattern(uint8_t *at, unsigned dims, struct row r)
{
    trn_put32(at, r.byte);
    for (unsigned d = 0; d < dims; d++) {
        trn_put16(at + 4 + 2 * d, (uint16_t)(d ? 1 : r.step));
        trn_put16(at + 4 + 2 * dims + 2 * d, d ? 1 : r.count);
    }
}

static void begin(uint8_t *w, uint8_t opcode)
{
    memset(w, 0, 64);
    w[0] = opcode;
    w[1] = 0x10;
}

/* S4D4_TR (vector-ops.md 3). */
static void tr_word(uint8_t *w, uint8_t opcode, struct row src, struct row dst, uint8_t op,
                    uint8_t op_dim)
{
    begin(w, opcode);
    put_pattern(w + 12, 4, src);
    w[32] = src.dtype;
    w[33] = dst.dtype;
    w[34] = 1;
    w[36] = op;
    w[37] = op_dim;
    put_pattern(w + 44, 4, dst);
}

/* S3S3D3_TT (vector-ops.md 2). */
static void tt_word(uint8_t *w, uint8_t opcode, struct row a, struct row b, struct row dst,
                    uint8_t op)
{
    begin(w, opcode);
    w[12] = (uint8_t)(a.dtype | b.dtype << 4);
    w[13] = dst.dtype;
    w[14] = op;
    w[15] = 1;
    put_pattern(w + 16, 3, a);
    put_pattern(w + 32, 3, b);
    put_pattern(w + 48, 3, dst);
}

/* S3D3_TS (tensor-scalar-multi.md 8). */
static void ts_word(uint8_t *w, uint8_t opcode, struct row src, struct row dst, uint8_t op0,
                    uint32_t imm0, uint8_t op1, uint32_t imm1)
{
    begin(w, opcode);
    put_pattern(w + 16, 3, src);
    w[32] = src.dtype;
    w[33] = dst.dtype;
    w[34] = 1;
    w[36] = op0;
    w[37] = op1;
    trn_put32(w + 40, imm0);
    trn_put32(w + 44, imm1);
    put_pattern(w + 48, 3, dst);
}

/* S4D2_BN (vector-ops.md 8.1). */
static void eight_word(uint8_t *w, uint8_t opcode, struct row src, struct row dst)
{
    begin(w, opcode);
    put_pattern(w + 12, 4, src);
    w[32] = src.dtype;
    w[33] = dst.dtype;
    w[34] = 1;
    put_pattern(w + 48, 2, dst);
}

static void run(struct core *core, int engine, const uint8_t *w)
{
    if (core_run(core, engine, w) != TRN_OK)
        fail_msg("refused: %s %s", core->fault.rule, core->fault.message);
}

static void assert_fault(struct core *core, int engine, const uint8_t *w,
                         enum trn_fault_class klass, const char *rule)
{
    assert_int_equal(core_run(core, engine, w), TRN_ERR_FAULT);
    assert_int_equal(core->fault.klass, klass);
    if (rule)
        assert_string_equal(core->fault.rule, rule);
    assert_true(core->fault.message[0] != '\0');
}

static void put(struct core *core, uint32_t byte, const void *data, size_t size)
{
    assert_int_equal(core_poke(core, TRN_SPACE_SBUF, 0, byte, data, size), TRN_OK);
}

static void get(struct core *core, uint32_t byte, void *data, size_t size)
{
    assert_int_equal(core_peek(core, TRN_SPACE_SBUF, 0, byte, data, size), TRN_OK);
}

static struct core open_core(unsigned gen)
{
    struct core core;
    assert_true(core_open(&core, trn_gen_at(gen), 1));
    return core;
}

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- casts ------------------------------------------------------------------------ */

struct cast_case {
    float in;
    uint32_t out;
};

static void assert_casts(struct core *core, uint8_t dtype, size_t size, const struct cast_case *c,
                         size_t n)
{
    float in[16];
    uint8_t out[64], w[64];
    for (size_t i = 0; i < n; i++)
        in[i] = c[i].in;
    put(core, 0, in, n * sizeof *in);
    tr_word(w, 0x47, row(0, TRN_DTYPE_FP32, (uint16_t)n), row(256, dtype, (uint16_t)n), 0, 0);
    run(core, DVE, w);
    get(core, 256, out, n * size);
    for (size_t i = 0; i < n; i++) {
        uint32_t bits = 0;
        memcpy(&bits, out + i * size, size);
        if (bits != c[i].out)
            fail_msg("cast of %g to dtype 0x%x: %x, wanted %x", c[i].in, dtype, bits, c[i].out);
    }
}

/* Case F25 and numerics.md 4.1. */
static void test_casts_to_integers_round_to_even_and_saturate(void **state)
{
    (void)state;
    static const struct cast_case int8[] = {{0.5f, 0},      {1.5f, 2},        {2.5f, 2},
                                            {-0.5f, 0},     {127.5f, 127},    {-128.5f, 0x80},
                                            {300.0f, 0x7F}, {-INFINITY, 0x80}};
    static const struct cast_case uint8[] = {{300.0f, 255}, {-1.0f, 0}, {254.5f, 254}};
    static const struct cast_case uint16[] = {{65535.5f, 65535}, {-0.5f, 0}};
    static const struct cast_case int32[] = {{2147483648.0f, 0x7FFFFFFF}, {-3e9f, 0x80000000}};
    for (unsigned gen = 0; gen < TRN_GEN_COUNT; gen++) {
        struct core core = open_core(gen);
        assert_casts(&core, TRN_DTYPE_INT8, 1, int8, COUNT(int8));
        assert_casts(&core, TRN_DTYPE_UINT8, 1, uint8, COUNT(uint8));
        assert_casts(&core, TRN_DTYPE_UINT16, 2, uint16, COUNT(uint16));
        assert_casts(&core, TRN_DTYPE_INT32, 4, int32, COUNT(int32));
        const struct cast_case nan[] = {{NAN, 127}, {trn_bits_f32(0xFFC00000), 0x80}};
        assert_casts(&core, TRN_DTYPE_INT8, 1, nan, COUNT(nan));
        core_close(&core);
    }
}

/* Cases F23 and F33: the same value under the two readings of FP8_EXP4. */
static void test_fp8_exp4_follows_the_generation(void **state)
{
    (void)state;
    static const struct cast_case legacy[] = {{300.0f, 0x78}, {240.0f, 0x77},   {247.0f, 0x77},
                                              {248.0f, 0x78}, {INFINITY, 0x78}, {0.1f, 0x1D}};
    static const struct cast_case fn[] = {{300.0f, 0x79},  {464.0f, 0x7E},   {465.0f, 0x7E},
                                          {1000.0f, 0x7E}, {INFINITY, 0x7E}, {-INFINITY, 0xFE},
                                          {NAN, 0x7F},     {0.1f, 0x1D}};
    for (unsigned gen = 0; gen < TRN_GEN_COUNT; gen++) {
        struct core core = open_core(gen);
        if (gen < MARIANA)
            assert_casts(&core, TRN_DTYPE_FP8_EXP4, 1, legacy, COUNT(legacy));
        else
            assert_casts(&core, TRN_DTYPE_FP8_EXP4, 1, fn, COUNT(fn));
        assert_int_equal(core.choices.count[TRN_CHOICE_FP8_MODE_DEFAULT], 1);
        core_close(&core);
    }
}

/* Case F33: without saturation 465 is NaN in e4m3fn. */
static void test_fp8_mode_is_engine_state(void **state)
{
    (void)state;
    struct core core = open_core(MARIANA);
    core.state->mode[DVE].fp8_saturate = false;
    static const struct cast_case fn[] = {{464.0f, 0x7E}, {465.0f, 0x7F}, {1000.0f, 0x7F}};
    assert_casts(&core, TRN_DTYPE_FP8_EXP4, 1, fn, COUNT(fn));
    core_close(&core);
}

/* numerics.md 4.2: 16777217 goes through fp32 to another integer type, but not to its own. */
static void test_integer_casts_lose_bits_above_24(void **state)
{
    (void)state;
    struct core core = open_core(CAYMAN);
    const int32_t in = 16777217;
    uint32_t out;
    uint8_t w[64];
    put(&core, 0, &in, sizeof in);
    tr_word(w, 0x47, row(0, TRN_DTYPE_INT32, 1), row(64, TRN_DTYPE_UINT32, 1), 0, 0);
    run(&core, DVE, w);
    get(&core, 64, &out, sizeof out);
    assert_int_equal(out, 16777216);
    tr_word(w, 0x47, row(0, TRN_DTYPE_INT32, 1), row(64, TRN_DTYPE_INT32, 1), 0, 0);
    run(&core, DVE, w);
    get(&core, 64, &out, sizeof out);
    assert_int_equal(out, 16777217);
    core_close(&core);
}

/* numerics.md 10: the ACT of SUNDA copies through fp32, later ones copy bits. */
static void test_act_copy_is_exact_from_cayman_on(void **state)
{
    (void)state;
    const int32_t in = 16777217;
    for (unsigned gen = SUNDA; gen <= MARIANA_PLUS; gen++) {
        struct core core = open_core(gen);
        int32_t out;
        uint8_t w[64];
        put(&core, 0, &in, sizeof in);
        tr_word(w, 0x46, row(0, TRN_DTYPE_INT32, 1), row(64, TRN_DTYPE_INT32, 1), 0, 0);
        run(&core, ACT, w);
        get(&core, 64, &out, sizeof out);
        assert_int_equal(out, gen == SUNDA ? 16777216 : 16777217);
        run(&core, DVE, w);
        get(&core, 64, &out, sizeof out);
        assert_int_equal(out, 16777217);
        core_close(&core);
    }
}

/* vector-ops.md 3.5. */
static void test_reciprocal_of_specials(void **state)
{
    (void)state;
    struct core core = open_core(SUNDA);
    const uint32_t in[] = {0x00000000, 0x80000000, 0x7F800000, 0xFF800000, 0xFFC00001, 0x40400000};
    /* 1/3 correctly rounded is 3EAAAAAB */
    const uint32_t wanted[] = {0x7F800000, 0xFF800000, 0, 0x80000000, 0x7FC00000, 0x3EAAAAAB};
    uint32_t out[6];
    uint8_t w[64];
    put(&core, 0, in, sizeof in);
    tr_word(w, 0x48, row(0, TRN_DTYPE_FP32, 6), row(64, TRN_DTYPE_FP32, 6), 0, 0);
    run(&core, DVE, w);
    get(&core, 64, out, sizeof out);
    assert_memory_equal(out, wanted, sizeof out);
    core_close(&core);
}

/* ---- tensor-scalar ---------------------------------------------------------------- */

/* The rows of tensor-scalar-multi.md 9.1, each as one 0x44 with op1 BYPASS (the identity of 7.3).
 */
static void test_pointer_scalar_examples_of_the_sheet(void **state)
{
    (void)state;
    static const float src[3][4] = {
        {1.0f, 2.0f, -3.0f, 0.5f}, {4.0f, 0.25f, -1.0f, 8.0f}, {10.0f, 100.0f, 0.001f, 3.0f}};
    static const float scalar[3] = {2.0f, 0.5f, 1.5f};
    static const uint32_t wanted[3][4] = {{0xBF800000, 0x00000000, 0xC0A00000, 0xBFC00000},
                                          {0x40600000, 0xBE800000, 0xBFC00000, 0x40F00000},
                                          {0x41080000, 0x42C50000, 0xBFBFDF3B, 0x3FC00000}};
    struct core core = open_core(SUNDA);
    for (int i = 0; i < 3; i++) {
        uint32_t out[4];
        uint8_t w[64];
        put(&core, 0, src[i], sizeof src[i]);
        put(&core, 128, &scalar[i], sizeof scalar[i]);
        ts_word(w, 0x44, row(0, TRN_DTYPE_FP32, 4), row(64, TRN_DTYPE_FP32, 4), TRN_ALU_OP_SUBTRACT,
                128, TRN_ALU_OP_BYPASS, 128);
        run(&core, DVE, w);
        get(&core, 64, out, sizeof out);
        assert_memory_equal(out, wanted[i], sizeof out);
        w[38] = TRN_REV_OPS_FIRST; /* s - src: the signs change, 0 stays +0 */
        run(&core, DVE, w);
        get(&core, 64, out, sizeof out);
        for (int k = 0; k < 4; k++)
            assert_int_equal(out[k], wanted[i][k] ? wanted[i][k] ^ 0x80000000 : 0);
    }
    core_close(&core);
}

/* tensor-scalar-multi.md 9.2 as two 0x44 words with op1 MULT: two roundings, no fused step. */
static void test_two_operators_round_twice(void **state)
{
    (void)state;
    static const float src[2][3] = {{1, 2, 3}, {10, 20, 30}};
    static const uint32_t pair[2][2] = {{0x3F000000, 0x40000000}, {0xBF800000, 0x3DCCCCCD}};
    static const uint32_t wanted[2][3] = {{0x40400000, 0x40A00000, 0x40E00000},
                                          {0x3F666667, 0x3FF33333, 0x4039999A}};
    static const uint16_t stored[2][3] = {{0x4040, 0x40A0, 0x40E0}, {0x3F66, 0x3FF3, 0x403A}};
    struct core core = open_core(SUNDA);
    for (int i = 0; i < 2; i++) {
        uint32_t out[3];
        uint16_t narrow[3];
        uint8_t w[64];
        put(&core, 0, src[i], sizeof src[i]);
        ts_word(w, 0x43, row(0, TRN_DTYPE_FP32, 3), row(64, TRN_DTYPE_FP32, 3), TRN_ALU_OP_ADD,
                pair[i][0], TRN_ALU_OP_MULT, pair[i][1]);
        run(&core, DVE, w);
        get(&core, 64, out, sizeof out);
        assert_memory_equal(out, wanted[i], sizeof out);
        w[33] = TRN_DTYPE_BFLOAT16;
        run(&core, DVE, w);
        get(&core, 64, narrow, sizeof narrow);
        assert_memory_equal(narrow, stored[i], sizeof narrow);
    }
    core_close(&core);
}

/* Case F01: 1e-20 * 1e-20 is a subnormal, not zero; 1e-30 * 1e-30 is zero. */
static void test_subnormal_results_are_kept(void **state)
{
    (void)state;
    struct core core = open_core(CAYMAN);
    const float in[2] = {1e-20f, 1e-30f};
    float out[2];
    uint8_t w[64];
    put(&core, 0, in, sizeof in);
    tt_word(w, 0x41, row(0, TRN_DTYPE_FP32, 2), row(0, TRN_DTYPE_FP32, 2),
            row(64, TRN_DTYPE_FP32, 2), TRN_ALU_OP_MULT);
    run(&core, DVE, w);
    get(&core, 64, out, sizeof out);
    assert_true(out[0] > 0.99e-40f && out[0] < 1.01e-40f);
    assert_true(out[1] == 0);
    core_close(&core);
}

/* ---- tensor-tensor ---------------------------------------------------------------- */

/* vector-ops.md 2.1: 2^24 + 1 + 2 is exact on POOL and goes through fp32 on DVE. */
static void test_pool_adds_integers_exactly_and_dve_does_not(void **state)
{
    (void)state;
    const int32_t in[2] = {16777217, 2};
    struct core core = open_core(CAYMAN);
    int32_t out;
    uint8_t w[64];
    put(&core, 0, in, sizeof in);
    tt_word(w, 0x41, row(0, TRN_DTYPE_INT32, 1), row(4, TRN_DTYPE_INT32, 1),
            row(64, TRN_DTYPE_INT32, 1), TRN_ALU_OP_ADD);
    run(&core, POOL, w);
    get(&core, 64, &out, sizeof out);
    assert_int_equal(out, 16777219);
    run(&core, DVE, w); /* 16777216 + 2 */
    get(&core, 64, &out, sizeof out);
    assert_int_equal(out, 16777218);
    core_close(&core);
}

/* error-handling.md 2: an integer divisor 0 is a hard fault; nothing is written. */
static void test_integer_division_by_zero_faults(void **state)
{
    (void)state;
    const int32_t in[4] = {7, -7, 2, 0};
    const int32_t old[2] = {11, 22};
    struct core core = open_core(CAYMAN);
    int32_t out[2];
    uint8_t w[64];
    put(&core, 0, in, sizeof in);
    put(&core, 64, old, sizeof old);
    tt_word(w, 0x41, row(0, TRN_DTYPE_INT32, 2), row(8, TRN_DTYPE_INT32, 2),
            row(64, TRN_DTYPE_INT32, 2), TRN_ALU_OP_DIVIDE_INT);
    assert_fault(&core, POOL, w, TRN_FAULT_DIVIDE_BY_ZERO, NULL);
    get(&core, 64, out, sizeof out);
    assert_memory_equal(out, old, sizeof out);

    const int32_t good[4] = {INT32_MIN, -7, -1, 2}; /* wraps; truncates */
    put(&core, 0, good, sizeof good);
    run(&core, POOL, w);
    get(&core, 64, out, sizeof out);
    assert_int_equal(out[0], INT32_MIN);
    assert_int_equal(out[1], -3);
    core_close(&core);
}

/* Case F15, the vector part: adding in SBUF accumulates as PSUM does. */
static void test_tensor_tensor_accumulates_in_place(void **state)
{
    (void)state;
    struct core core = open_core(SUNDA);
    float sum[64], part[64];
    uint8_t w[64];
    for (int i = 0; i < 64; i++) {
        sum[i] = 0;
        part[i] = 128;
    }
    put(&core, 0, sum, sizeof sum);
    put(&core, 1024, part, sizeof part);
    tt_word(w, 0x41, row(0, TRN_DTYPE_FP32, 64), row(1024, TRN_DTYPE_FP32, 64),
            row(0, TRN_DTYPE_FP32, 64), TRN_ALU_OP_ADD);
    run(&core, DVE, w);
    run(&core, DVE, w);
    get(&core, 0, sum, sizeof sum);
    for (int i = 0; i < 64; i++)
        assert_true(sum[i] == 256);
    core_close(&core);
}

/* Case F06 at run time: 888 + 98568 + 98568 bytes end at 198,024 of 196,608. */
static void test_result_past_the_active_bytes_faults(void **state)
{
    (void)state;
    for (unsigned gen = 0; gen < TRN_GEN_COUNT; gen++) {
        struct core core = open_core(gen);
        uint8_t w[64];
        /* 198,024 - 99,456 = 98,568 bytes = 24,642 fp32 elements */
        tt_word(w, 0x41, row(0, TRN_DTYPE_FP32, 24642), row(888, TRN_DTYPE_FP32, 24642),
                row(99456, TRN_DTYPE_FP32, 24642), TRN_ALU_OP_ADD);
        if (gen == SUNDA) {
            assert_fault(&core, DVE, w, TRN_FAULT_ADDRESS, "exec_active_range");
            assert_non_null(strstr(core.fault.message, "198024"));
            assert_non_null(strstr(core.fault.message, "cayman"));
        } else {
            run(&core, DVE, w);
        }
        core_close(&core);
    }
}

/* numerics.md 6: 1024 (FP16) + 0.5, 2048 times: to nearest it stays 1024, stochastically it ends
 * near 2048 (the public page shows 2056). */
static void test_stochastic_rounding_accumulates_small_steps(void **state)
{
    (void)state;
    const uint16_t start = 0x6400, half = 0x3800;
    uint16_t out;
    uint8_t w[64];
    tt_word(w, 0x41, row(0, TRN_DTYPE_FP16, 1), row(64, TRN_DTYPE_FP16, 1),
            row(0, TRN_DTYPE_FP16, 1), TRN_ALU_OP_ADD);
    for (int stochastic = 0; stochastic < 2; stochastic++) {
        struct core core = open_core(CAYMAN);
        core.state->vector.stochastic[DVE].on = stochastic;
        trn_stochastic_seed(&core.state->vector.stochastic[DVE], TRN_DTYPE_FP16, 7);
        put(&core, 0, &start, sizeof start);
        put(&core, 64, &half, sizeof half);
        for (int i = 0; i < 2048; i++)
            run(&core, DVE, w);
        get(&core, 0, &out, sizeof out);
        if (stochastic)
            assert_in_range(out, 0x6780, 0x6840); /* 1920 .. 2176 */
        else
            assert_int_equal(out, start);
        core_close(&core);
    }
}

/* ---- reduce ----------------------------------------------------------------------- */

/* 2^24 + 1 + 1 + .. stays 2^24 in sequence; in any tree order it would grow (numerics.md 5.1). */
static void test_reduction_is_sequential(void **state)
{
    (void)state;
    struct core core = open_core(SUNDA);
    float in[64] = {16777216.0f};
    float out;
    uint8_t w[64];
    for (int i = 1; i < 64; i++)
        in[i] = 1;
    put(&core, 0, in, sizeof in);
    tr_word(w, 0x42, row(0, TRN_DTYPE_FP32, 64), row(512, TRN_DTYPE_FP32, 1), TRN_ALU_OP_ADD,
            TRN_TENSOR_SUBDIM_X);
    run(&core, DVE, w);
    get(&core, 512, &out, sizeof out);
    assert_true(out == 16777216.0f);
    w[35] = 1;
    run(&core, DVE, w);
    get(&core, 512, &out, sizeof out);
    assert_true(out == -16777216.0f);
    assert_int_equal(core.choices.count[TRN_CHOICE_REDUCE_ORDER], 2);
    core_close(&core);
}

/* ---- search ----------------------------------------------------------------------- */

static void load_keys(struct core *core, struct row keys)
{
    uint8_t w[64];
    begin(w, 0x6D);
    put_pattern(w + 16, 2, keys);
    w[32] = keys.dtype;
    w[34] = 1;
    run(core, DVE, w);
}

/* The check of vector-ops.md 8.6, in all its parts. */
static void test_search_orders_of_the_sheet(void **state)
{
    (void)state;
    static const float values[10] = {5, 1, 5, 3, 5, 2, 2, 0, 4, 4};
    static const float keys[8] = {5, 5, 5, 4, 4, 3, 2, 2};
    static const uint16_t flop_order[8] = {5, 6, 3, 8, 9, 0, 2, 4};
    static const uint16_t key_order[8] = {0, 2, 4, 8, 9, 3, 5, 6};
    static const uint16_t read_back[8] = {4, 2, 0, 9, 8, 3, 6, 5};
    struct core core = open_core(CAYMAN);
    const struct row src = row(0, TRN_DTYPE_FP32, 10), key = row(64, TRN_DTYPE_FP32, 8);
    const struct row out = row(128, TRN_DTYPE_UINT16, 8);
    uint16_t index[8];
    uint8_t w[64];
    put(&core, 0, values, sizeof values);
    put(&core, 64, keys, sizeof keys);

    load_keys(&core, key);
    eight_word(w, 0x6E, src, out);
    run(&core, DVE, w);
    get(&core, 128, index, sizeof index);
    assert_memory_equal(index, flop_order, sizeof index);

    load_keys(&core, backwards(key, 4));
    run(&core, DVE, w);
    get(&core, 128, index, sizeof index);
    assert_memory_equal(index, key_order, sizeof index);

    load_keys(&core, key);
    begin(w, 0x6F);
    put_pattern(w + 12, 4, src);
    w[32] = w[33] = TRN_DTYPE_FP32;
    w[34] = 1;
    trn_putf32(w + 40, -1.0f);
    put_pattern(w + 44, 4, row(256, TRN_DTYPE_FP32, 10));
    run(&core, DVE, w);
    static const float replaced[10] = {-1, 1, -1, -1, -1, -1, -1, 0, -1, -1};
    float got[10];
    get(&core, 256, got, sizeof got);
    assert_memory_equal(got, replaced, sizeof got);

    begin(w, 0xE9);
    trn_put32(w + 28, 8);
    w[32] = TRN_DTYPE_UINT16;
    w[34] = 1;
    put_pattern(w + 44, 4, backwards(out, 2));
    run(&core, DVE, w);
    get(&core, 128, index, sizeof index);
    assert_memory_equal(index, read_back, sizeof index);
    core_close(&core);
}

static void test_absent_keys_give_all_ones(void **state)
{
    (void)state;
    struct core core = open_core(SUNDA);
    const float values[8] = {1, 2, 3, 4, 5, 6, 7, 8}, keys[8] = {9, 1, 9, NAN, 9, 9, 9, 8};
    uint32_t index[8];
    uint16_t narrow[8];
    uint8_t w[64];
    put(&core, 0, values, sizeof values);
    put(&core, 64, keys, sizeof keys);
    load_keys(&core, backwards(row(64, TRN_DTYPE_FP32, 8), 4));
    eight_word(w, 0x6E, row(0, TRN_DTYPE_FP32, 8), row(128, TRN_DTYPE_UINT32, 8));
    run(&core, DVE, w);
    get(&core, 128, index, sizeof index);
    for (int k = 0; k < 8; k++)
        assert_int_equal(index[k], k == 1 ? 0 : k == 7 ? 7 : 0xFFFFFFFF);
    eight_word(w, 0x6E, row(0, TRN_DTYPE_FP32, 8), row(128, TRN_DTYPE_UINT16, 8));
    run(&core, DVE, w);
    get(&core, 128, narrow, sizeof narrow);
    assert_int_equal(narrow[0], 0xFFFF);
    assert_int_equal(narrow[7], 7);
    core_close(&core);
}

/* vector-ops.md 8.1: smallest first; descending by a negative step. */
static void test_max8_is_ascending(void **state)
{
    (void)state;
    struct core core = open_core(SUNDA);
    const float values[10] = {3, -1, 9, NAN, 4, 9, -7, 0, 2, 5};
    static const float wanted[8] = {-1, 0, 2, 3, 4, 5, 9, 9};
    float got[8];
    uint8_t w[64];
    put(&core, 0, values, sizeof values);
    const struct row out = row(128, TRN_DTYPE_FP32, 8);
    eight_word(w, 0x6C, row(0, TRN_DTYPE_FP32, 10), out);
    run(&core, DVE, w);
    get(&core, 128, got, sizeof got);
    assert_memory_equal(got, wanted, sizeof got);
    eight_word(w, 0x6C, row(0, TRN_DTYPE_FP32, 10), backwards(out, 4));
    run(&core, DVE, w);
    get(&core, 128, got, sizeof got);
    for (int k = 0; k < 8; k++)
        assert_true(got[k] == wanted[7 - k]);
    core_close(&core);
}

/* Fewer than eight numbers: NaN stands below them. */
static void test_max8_fills_with_nan(void **state)
{
    (void)state;
    struct core core = open_core(SUNDA);
    const float values[8] = {NAN, 1, NAN, NAN, -INFINITY, NAN, NAN, NAN};
    float got[8];
    uint8_t w[64];
    put(&core, 0, values, sizeof values);
    eight_word(w, 0x6C, row(0, TRN_DTYPE_FP32, 8), row(128, TRN_DTYPE_FP32, 8));
    run(&core, DVE, w);
    get(&core, 128, got, sizeof got);
    for (int k = 0; k < 6; k++)
        assert_int_equal(trn_f32_bits(got[k]), 0x7FC00000);
    assert_true(got[6] == -INFINITY && got[7] == 1);
    core_close(&core);
}

/* ---- state ------------------------------------------------------------------------ */

static void test_reset_clears_keys_and_rounding(void **state)
{
    (void)state;
    struct core core = open_core(CAYMAN);
    struct trn_vector_state *vector = &core.state->vector;
    vector->search[3].key[2] = 5;
    vector->search[3].index[2] = 1;
    vector->stochastic[DVE].on = true;
    trn_stochastic_seed(&vector->stochastic[DVE], TRN_DTYPE_FP16, 99);
    trn_engine_state_reset(core.state, core.gen);
    assert_true(vector->search[3].key[2] == 0);
    assert_int_equal(vector->search[3].index[2], TRN_SEARCH_ABSENT);
    assert_null(trn_stochastic_lfsr(&vector->stochastic[DVE], TRN_DTYPE_FP16, 5));
    /* numerics.md 6: the BF16 slot holds 1 | p << 24 and serves dtypes that nobody seeded */
    vector->stochastic[DVE].on = true;
    assert_int_equal(*trn_stochastic_lfsr(&vector->stochastic[DVE], TRN_DTYPE_FP16, 5), 0x05000001);
    trn_stochastic_seed(&vector->stochastic[DVE], TRN_DTYPE_FP16, 0);
    assert_int_equal(*trn_stochastic_lfsr(&vector->stochastic[DVE], TRN_DTYPE_FP16, 5), 0x05000000);
    assert_int_equal(*trn_stochastic_lfsr(&vector->stochastic[DVE], TRN_DTYPE_FP16, 0), 1);
    assert_null(trn_stochastic_lfsr(&vector->stochastic[DVE], TRN_DTYPE_INT32, 5));
    core_close(&core);
}

/* The handlers of this version, and no others. */
static void test_handlers_are_these(void **state)
{
    (void)state;
    static const uint8_t opcodes[] = {0x41, 0x42, 0x43, 0x44, 0x46, 0x47, 0x48, 0x49,
                                      0x51, 0x52, 0x53, 0x54, 0x6C, 0x6D, 0x6E, 0x6F,
                                      0xE3, 0xE9, 0x4F, 0x5F, 0x70, 0x71, 0x87};
    size_t count = 0;
    for (const struct trn_engine_op *op = trn_vector_ops; op->run; op++)
        count++;
    assert_int_equal(count, COUNT(opcodes));
    for (size_t i = 0; i < COUNT(opcodes); i++)
        assert_non_null(trn_engine_handler(opcodes[i]));
    assert_null(trn_engine_handler(0x45));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_casts_to_integers_round_to_even_and_saturate),
        cmocka_unit_test(test_fp8_exp4_follows_the_generation),
        cmocka_unit_test(test_fp8_mode_is_engine_state),
        cmocka_unit_test(test_integer_casts_lose_bits_above_24),
        cmocka_unit_test(test_act_copy_is_exact_from_cayman_on),
        cmocka_unit_test(test_reciprocal_of_specials),
        cmocka_unit_test(test_pointer_scalar_examples_of_the_sheet),
        cmocka_unit_test(test_two_operators_round_twice),
        cmocka_unit_test(test_subnormal_results_are_kept),
        cmocka_unit_test(test_pool_adds_integers_exactly_and_dve_does_not),
        cmocka_unit_test(test_integer_division_by_zero_faults),
        cmocka_unit_test(test_tensor_tensor_accumulates_in_place),
        cmocka_unit_test(test_result_past_the_active_bytes_faults),
        cmocka_unit_test(test_stochastic_rounding_accumulates_small_steps),
        cmocka_unit_test(test_reduction_is_sequential),
        cmocka_unit_test(test_search_orders_of_the_sheet),
        cmocka_unit_test(test_absent_keys_give_all_ones),
        cmocka_unit_test(test_max8_is_ascending),
        cmocka_unit_test(test_max8_fills_with_nan),
        cmocka_unit_test(test_reset_clears_keys_and_rounding),
        cmocka_unit_test(test_handlers_are_these),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
