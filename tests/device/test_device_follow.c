/* SPDX-License-Identifier: Apache-2.0 */
/* Words whose lanes helpers may still compute when the next word is dispatched: whatever follows -
 * other partitions, scalars and lists in memory, other words, another engine - memory is what one
 * thread leaves that executes one word at a time. */
#include <string.h>

#include "base/bytes.h"
#include "seq/fixture.h"
#include "support/wordgen.h"

enum { ELEMENTS = 256, WORDS = 100, PLACES = 6, PITCH = 0x400, BYTES = (PLACES + 1) * PITCH };

struct sbuf {
    uint8_t lane[128][BYTES];
};

static uint32_t address_of(uint32_t partition, uint32_t byte)
{
    return partition * 0x40000 + byte; /* cayman: bytes between two partitions */
}

static void put_pattern(uint8_t *pattern, unsigned isa, int dims, uint32_t address,
                        uint16_t elements)
{
    const bool three = dims == 3;
    uint8_t *const step = three ? trn_pattern3d_step_elem_ref(pattern, isa)
                                : trn_pattern4d_step_elem_ref(pattern, isa);
    uint8_t *const num =
        three ? trn_pattern3d_num_elem_ref(pattern, isa) : trn_pattern4d_num_elem_ref(pattern, isa);
    if (three)
        trn_pattern3d_start_addr_set(pattern, isa, address);
    else
        trn_pattern4d_start_addr_set(pattern, isa, address);
    for (int i = 0; i < dims; i++) {
        trn_put16(step + 2 * i, 1);
        trn_put16(num + 2 * i, i ? 1 : elements);
    }
}

/* dst = src * 0.5 + c, or with both scalars of memory; sometimes over its source, next to it, or
 * converted, which is another path. */
static void add_scalar_word(struct trn_wordgen *g, struct program *p)
{
    static const float constants[] = {0.25f, -1.0f, 3.5f};
    const unsigned isa = p->isa;
    const uint32_t kind = trn_wordgen_below(g, 10), lanes = kind == 0 ? 32 : 64;
    const uint32_t from = trn_wordgen_below(g, PLACES) * PITCH;
    const uint32_t to = kind == 1   ? from
                        : kind == 2 ? from + 4
                                    : trn_wordgen_below(g, PLACES) * PITCH;
    const uint32_t src = kind == 3 ? 64 : 0, dst = trn_wordgen_below(g, 5) ? 0 : 64;
    const bool in_memory = kind == 4 || kind == 5;
    uint8_t *word = add(p, in_memory ? TRN_OPCODE_TENSOR_SCALAR_PTR_ARITH_OP
                                     : TRN_OPCODE_TENSOR_SCALAR_ARITH_OP);
    put_pattern(trn_s3d3_ts_src_mem_pattern_ref(word, isa), isa, 3, address_of(src, from),
                ELEMENTS);
    put_pattern(trn_s3d3_ts_dst_mem_pattern_ref(word, isa), isa, 3, address_of(dst, to), ELEMENTS);
    trn_s3d3_ts_in_dtype_set(word, isa, TRN_DTYPE_FP32);
    trn_s3d3_ts_out_dtype_set(word, isa, kind == 6 ? TRN_DTYPE_BFLOAT16 : TRN_DTYPE_FP32);
    trn_s3d3_ts_num_active_channels_set(word, isa, (uint8_t)lanes);
    trn_s3d3_ts_op0_set(word, isa, TRN_ALU_OP_MULT);
    trn_s3d3_ts_op1_set(word, isa, TRN_ALU_OP_ADD);
    trn_s3d3_ts_imm0_set(word, isa, in_memory ? address_of(0, to) : trn_f32_bits(0.5f));
    trn_s3d3_ts_imm1_set(word, isa,
                         in_memory ? address_of(0, from)
                                   : trn_f32_bits(constants[trn_wordgen_below(g, 3)]));
}

/* A word that does not follow and is too small for helpers, or one of the sequencer. */
static void add_other_word(struct trn_wordgen *g, int engine, struct program *p)
{
    if (engine == POOL || trn_wordgen_below(g, 2)) {
        add_move(p, 3, trn_wordgen_below(g, 100));
        return;
    }
    const unsigned isa = p->isa;
    uint8_t *word = add(p, TRN_OPCODE_TENSOR_REDUCE_ARITH_OP);
    put_pattern(trn_s4d4_tr_src_mem_pattern_ref(word, isa), isa, 4,
                address_of(0, trn_wordgen_below(g, PLACES) * PITCH), ELEMENTS);
    put_pattern(trn_s4d4_tr_dst_mem_pattern_ref(word, isa), isa, 4,
                address_of(32, trn_wordgen_below(g, PLACES) * PITCH), 1);
    trn_s4d4_tr_in_dtype_set(word, isa, TRN_DTYPE_FP32);
    trn_s4d4_tr_out_dtype_set(word, isa, TRN_DTYPE_FP32);
    trn_s4d4_tr_num_active_channels_set(word, isa, 16);
    trn_s4d4_tr_op_set(word, isa, TRN_ALU_OP_MAX);
    trn_s4d4_tr_op_dim_set(word, isa, TRN_TENSOR_SUBDIM_X);
}

static void make_program(struct trn_wordgen *g, int engine, struct program *p)
{
    *p = program_for(trn_gen_find("cayman"));
    while (p->num_words < WORDS)
        if (trn_wordgen_below(g, 8))
            add_scalar_word(g, p);
        else
            add_other_word(g, engine, p);
    add(p, TRN_OPCODE_HALT);
}

static void move_sbuf(struct fixture *core, struct sbuf *sbuf, bool write)
{
    const struct trn_bus *bus = trn_device_bar0(core->device);
    const uint64_t base = trn_device_space_offset(core->device, TRN_SPACE_SBUF);
    for (uint32_t lane = 0; lane < 128; lane++) {
        const uint64_t at = base + address_of(lane, 0);
        assert_int_equal(write ? bus->write_block(bus->context, at, sbuf->lane[lane], BYTES)
                               : bus->read_block(bus->context, at, sbuf->lane[lane], BYTES),
                         TRN_OK);
    }
}

static void execute(const struct program programs[2], unsigned threads, uint64_t piece,
                    struct sbuf *sbuf)
{
    const struct trn_device_options options = {.threads = threads};
    struct fixture core = open_core(trn_gen_find("cayman"), &options);
    for (uint32_t lane = 0; lane < 128; lane++)
        for (uint32_t i = 0; i < BYTES / 4; i++)
            trn_put32(sbuf->lane[lane] + 4 * i, trn_f32_bits((float)(lane * 7 + i % 113) / 16));
    move_sbuf(&core, sbuf, true);
    start(&core, DVE, &programs[0]);
    start(&core, POOL, &programs[1]);
    while (run(&core, piece) == TRN_RUN_LIMIT)
        ;
    assert_int_equal(core.report.status, TRN_RUN_OK);
    move_sbuf(&core, sbuf, false);
    close_core(&core);
}

static void test_words_that_follow_leave_the_same_bytes(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        static struct program programs[2];
        static struct sbuf one, some;
        struct trn_wordgen g = trn_wordgen_init(seed);
        make_program(&g, DVE, &programs[0]);
        make_program(&g, POOL, &programs[1]);
        execute(programs, 1, 1, &one);
        for (unsigned threads = 1; threads <= 4; threads++) {
            execute(programs, threads, 0, &some);
            if (memcmp(&one, &some, sizeof one) != 0)
                fail_msg("seed %llu: %u threads change memory", (unsigned long long)seed, threads);
            execute(programs, threads, 7, &some);
            if (memcmp(&one, &some, sizeof one) != 0)
                fail_msg("seed %llu: %u threads change memory in pieces of 7 words",
                         (unsigned long long)seed, threads);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words_that_follow_leave_the_same_bytes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
