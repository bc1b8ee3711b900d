/* SPDX-License-Identifier: Apache-2.0 */
/* What the sheets say about valid words, on words built by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "isa/check.h"
#include "isa_fields.h"
#include "support/wordgen.h"

enum { CAPACITY = 64 };

struct result {
    trn_status status;
    size_t count;
    struct trn_violation found[CAPACITY];
};

static struct result check(const struct trn_gen *gen, const uint8_t *word)
{
    struct result r;
    r.status = trn_check_word(gen, word, NULL, r.found, CAPACITY, &r.count);
    return r;
}

static const struct trn_violation *violation(const struct result *r, const char *rule)
{
    for (size_t i = 0; i < r->count; i++)
        if (strcmp(r->found[i].rule, rule) == 0)
            return &r->found[i];
    return NULL;
}

static bool accepts(const struct trn_gen *gen, const uint8_t *word)
{
    return trn_check_word(gen, word, NULL, NULL, 0, NULL) == TRN_OK;
}

/* ---- words ----------------------------------------------------------------------------- */

/* TENSOR_TENSOR add of FP32, `n` elements in a row, all three tensors at SBUF partition `part`. */
static void tensor_tensor(const struct trn_gen *gen, uint8_t *w, uint32_t part, uint32_t channels,
                          uint32_t src0, uint32_t src1, uint32_t dst, uint32_t n)
{
    const unsigned isa = gen->isa;
    const uint32_t base = part * gen->sbuf_stride;
    const uint32_t starts[] = {base + src0, base + src1, base + dst};
    memset(w, 0, TRN_INST_BYTES);
    trn_common_opcode_set(w, isa, TRN_OPCODE_TENSOR_TENSOR_ARITH_OP);
    trn_common_inst_word_len_set(w, isa, 0x10);
    trn_s3s3d3_tt_in0_in1_dtype_set(w, isa, TRN_DTYPE_FP32 | TRN_DTYPE_FP32 << 4);
    trn_s3s3d3_tt_out_dtype_set(w, isa, TRN_DTYPE_FP32);
    trn_s3s3d3_tt_op_set(w, isa, TRN_ALU_OP_ADD);
    trn_s3s3d3_tt_num_active_channels_set(w, isa, (uint8_t)channels);
    uint8_t *patterns[] = {trn_s3s3d3_tt_src0_mem_pattern_ref(w, isa),
                           trn_s3s3d3_tt_src1_mem_pattern_ref(w, isa),
                           trn_s3s3d3_tt_dst_mem_pattern_ref(w, isa)};
    for (unsigned i = 0; i < 3; i++) {
        trn_put32(patterns[i], starts[i]);
        for (unsigned d = 0; d < 3; d++) {
            trn_put16(patterns[i] + 4 + 2 * d, 1);
            trn_put16(patterns[i] + 10 + 2 * d, d == 0 ? (uint16_t)n : 1);
        }
    }
}

static void nop(const struct trn_gen *gen, uint8_t *w)
{
    memset(w, 0, TRN_INST_BYTES);
    trn_common_opcode_set(w, gen->isa, TRN_OPCODE_NOP);
    trn_common_inst_word_len_set(w, gen->isa, 0x10);
}

/* ---- field case F06 ---------------------------------------------------------------------- */

/* Operands at 0 and 98568, the result ends at byte 198024; SUNDA has 0x30000 = 196608 bytes, CAYMAN
 * 0x38000 = 229376. 24642 FP32 elements are 98568 bytes. */
static void test_a_tensor_past_the_partition_names_byte_limit_and_generation(void **state)
{
    (void)state;
    for (unsigned i = 0; i < TRN_GEN_COUNT; i++) {
        const struct trn_gen *gen = trn_gen_at(i);
        uint8_t word[TRN_INST_BYTES];
        tensor_tensor(gen, word, 0, 128, 0, 98016, 198024 - 98568, 24642);
        const struct result r = check(gen, word);
        if (strcmp(gen->name, "sunda") != 0) {
            assert_int_equal(r.status, TRN_OK);
            assert_int_equal(r.count, 0);
            continue;
        }
        assert_int_equal(r.status, TRN_ERR_INVALID);
        assert_int_equal(r.count, 1);
        assert_string_equal(r.found[0].rule, "exec_active_range");
        assert_string_equal(r.found[0].field, "dst_mem_pattern");
        assert_string_equal(
            r.found[0].detail,
            "dst_mem_pattern ends at byte 198024 of its partition, the limit of sunda is 196608; "
            "cayman, mariana, mariana_plus, maverick would accept it");
    }
}

/* isa-core.md 4: "the last element (and with negative steps the first) stays inside". */
static void test_a_negative_step_below_the_partition_is_refused(void **state)
{
    (void)state;
    const struct trn_gen *gen = trn_gen_find("cayman");
    uint8_t word[TRN_INST_BYTES];
    tensor_tensor(gen, word, 0, 128, 64, 0x1000, 0x2000, 17);
    uint8_t *src0 = trn_s3s3d3_tt_src0_mem_pattern_ref(word, gen->isa);
    trn_put16(src0 + 4, (uint16_t)-1);
    assert_true(accepts(gen, word)); /* bytes 0..67 */
    trn_put16(src0 + 10, 18);
    trn_put16(trn_s3s3d3_tt_src1_mem_pattern_ref(word, gen->isa) + 10, 18);
    trn_put16(trn_s3s3d3_tt_dst_mem_pattern_ref(word, gen->isa) + 10, 18);
    const struct result r = check(gen, word);
    assert_non_null(violation(&r, "exec_active_range")); /* from byte -4 */
    assert_int_equal(r.count, 1);
}

/* ---- field case F08 and isa-core.md 4 ------------------------------------------------------- */

static bool start_is_legal(uint32_t start, uint32_t channels)
{
    if (channels == 0 || channels > 128 || start + channels > 128)
        return false;
    if (channels <= 32)
        return start == 0 || start == 32 || start == 64 || start == 96;
    return channels <= 64 ? start == 0 || start == 64 : start == 0;
}

static void test_start_partition_and_channels_on_every_generation(void **state)
{
    (void)state;
    for (unsigned i = 0; i < TRN_GEN_COUNT; i++)
        for (uint32_t start = 0; start < 128; start++)
            for (uint32_t channels = 0; channels <= 130; channels++) {
                const struct trn_gen *gen = trn_gen_at(i);
                uint8_t word[TRN_INST_BYTES];
                tensor_tensor(gen, word, start, channels, 0, 4, 8, 1);
                assert_int_equal(accepts(gen, word), start_is_legal(start, channels));
            }
}

static void test_a_start_partition_is_reported_with_the_legal_ones(void **state)
{
    (void)state;
    static const struct {
        uint32_t start, channels;
        const char *legal; /* NULL: the word is valid */
    } rows[] = {{48, 8, "must be 0, 32, 64 or 96"},
                {48, 36, "must be 0 or 64"},
                {64, 36, NULL},
                {64, 65, "must be 0"}};
    for (unsigned i = 0; i < TRN_GEN_COUNT; i++)
        for (unsigned k = 0; k < 4; k++) {
            const struct trn_gen *gen = trn_gen_at(i);
            uint8_t word[TRN_INST_BYTES];
            tensor_tensor(gen, word, rows[k].start, rows[k].channels, 0, 4, 8, 1);
            const struct result r = check(gen, word);
            if (!rows[k].legal) {
                assert_int_equal(r.status, TRN_OK);
                continue;
            }
            assert_int_equal(r.count, 3); /* one for each pattern */
            for (unsigned n = 0; n < 3; n++) {
                assert_string_equal(r.found[n].rule, "start_addr_active_channels");
                assert_string_equal(r.found[n].provenance, "O");
                assert_non_null(strstr(r.found[n].detail, rows[k].legal));
            }
        }
}

/* ---- isa-core.md 5 and 5.1 --------------------------------------------------------------------
 */

static void test_addresses_are_aligned_to_their_type(void **state)
{
    (void)state;
    static const struct {
        uint8_t code, align;
    } types[] = {{2, 1}, {3, 1}, {13, 1}, {14, 1}, {15, 1}, {4, 2}, {5, 2},
                 {6, 2}, {7, 2}, {8, 4},  {9, 4},  {10, 4}, {1, 8}, {12, 8}};
    for (unsigned i = 0; i < TRN_GEN_COUNT; i++)
        for (unsigned t = 0; t < sizeof types / sizeof types[0]; t++)
            for (uint32_t byte = 0; byte < 16; byte++) {
                const struct trn_gen *gen = trn_gen_at(i);
                uint8_t word[TRN_INST_BYTES];
                tensor_tensor(gen, word, 0, 128, byte, 0x400, 0x800, 1);
                trn_s3s3d3_tt_in0_in1_dtype_set(word, gen->isa,
                                                (uint8_t)(types[t].code | TRN_DTYPE_FP32 << 4));
                const struct result r = check(gen, word);
                assert_int_equal(violation(&r, "tensor_start_addr_valid") == NULL,
                                 byte % types[t].align == 0);
            }
}

/* Marker bits 31..29 of the start address, by generation (isa-core.md 5 and 6). */
static void test_address_markers_by_generation(void **state)
{
    (void)state;
    for (unsigned i = 0; i < TRN_GEN_COUNT; i++)
        for (uint32_t marker = 0; marker < 8; marker++) {
            const struct trn_gen *gen = trn_gen_at(i);
            const unsigned v = gen->isa_version;
            const uint32_t bits = marker << 5;
            const bool legal = bits == 0x00 || bits == 0x80 ||
                               (v >= 3 && (bits == 0x40 || bits == 0xC0)) ||
                               (v >= 4 && (bits == 0x20 || bits == 0xA0));
            uint8_t word[TRN_INST_BYTES];
            tensor_tensor(gen, word, 0, 128, 0, 0x400, 0x800, 1);
            uint8_t *src0 = trn_s3s3d3_tt_src0_mem_pattern_ref(word, gen->isa);
            src0[3] = (uint8_t)bits;
            const struct result r = check(gen, word);
            assert_int_equal(violation(&r, "addr4_marker") == NULL, legal);
        }
}

static void test_psum_takes_four_byte_writes_only(void **state)
{
    (void)state;
    for (unsigned i = 0; i < TRN_GEN_COUNT; i++) {
        const struct trn_gen *gen = trn_gen_at(i);
        uint8_t word[TRN_INST_BYTES];
        tensor_tensor(gen, word, 0, 128, 0, 0x400, gen->psum_base, 1);
        assert_true(accepts(gen, word));
        trn_s3s3d3_tt_out_dtype_set(word, gen->isa, TRN_DTYPE_BFLOAT16);
        const struct result r = check(gen, word);
        assert_non_null(violation(&r, "tensor_start_addr_valid"));
    }
}

/* ---- what a register holds is not decided here ------------------------------------------------
 */

static void test_a_register_address_passes_and_its_bits_are_checked(void **state)
{
    (void)state;
    const struct trn_gen *gen = trn_gen_find("sunda");
    uint8_t word[TRN_INST_BYTES];
    tensor_tensor(gen, word, 0, 128, 0, 0x400, 0x800, 1);
    uint8_t *src0 = trn_s3s3d3_tt_src0_mem_pattern_ref(word, gen->isa);
    trn_put32(src0, 0x80000000u | 63);
    assert_true(accepts(gen, word));
    trn_put32(src0, 0x80000000u | 64);
    assert_false(accepts(gen, word));
    trn_put32(src0, 0x80000100u | 63);
    assert_false(accepts(gen, word));
}

/* A count of 0 is wrong wherever the address comes from. */
static void test_what_the_word_says_is_checked_beside_a_register(void **state)
{
    (void)state;
    const struct trn_gen *gen = trn_gen_find("sunda");
    uint8_t word[TRN_INST_BYTES];
    tensor_tensor(gen, word, 0, 128, 0, 0x400, 0x800, 1);
    uint8_t *src0 = trn_s3s3d3_tt_src0_mem_pattern_ref(word, gen->isa);
    trn_put32(src0, 0x80000005);
    trn_put16(src0 + 12, 0);
    const struct result r = check(gen, word);
    assert_non_null(violation(&r, "tensor3d_valid"));
}

static void test_a_shape_register_waives_the_counts_from_v3(void **state)
{
    (void)state;
    for (unsigned i = 0; i < TRN_GEN_COUNT; i++) {
        const struct trn_gen *gen = trn_gen_at(i);
        uint8_t word[TRN_INST_BYTES];
        tensor_tensor(gen, word, 0, 128, 0, 0x400, 0x800, 5);
        uint8_t *src0 = trn_s3s3d3_tt_src0_mem_pattern_ref(word, gen->isa);
        memset(src0 + 4, 0, 12);
        src0[3] = 0x40;
        assert_int_equal(accepts(gen, word), gen->isa_version >= 3);
    }
}

/* ---- the header: isa-core.md 1.1 ----------------------------------------------------------- */

static void test_byte_1_is_0x10(void **state)
{
    (void)state;
    for (unsigned i = 0; i < TRN_GEN_COUNT; i++)
        for (unsigned length = 0; length < 256; length++) {
            uint8_t word[TRN_INST_BYTES];
            nop(trn_gen_at(i), word);
            word[1] = (uint8_t)length;
            const struct result r = check(trn_gen_at(i), word);
            assert_int_equal(r.status == TRN_OK, length == 0x10);
            if (length != 0x10)
                assert_string_equal(r.found[0].rule, "has_valid_inst_len");
        }
}

static void test_byte_1_of_quantize_mx_may_be_0x11(void **state)
{
    (void)state;
    static struct trn_wordgen g;
    for (unsigned i = 0; i < TRN_GEN_COUNT; i++) {
        const struct trn_gen *gen = trn_gen_at(i);
        const struct trn_wordgen_want want = {.opcode = TRN_OPCODE_QUANTIZE_MX,
                                              .engine = TRN_ENGINE_ANY};
        uint8_t word[TRN_INST_BYTES];
        g = trn_wordgen_init(i);
        if (!trn_wordgen_valid(&g, gen, &want, word)) {
            assert_true(gen->isa_version < 4);
            continue;
        }
        word[1] = 0x11;
        assert_true(accepts(gen, word));
        word[1] = 0x12;
        assert_false(accepts(gen, word));
    }
}

static void test_debug_commands_are_those_of_the_sheet(void **state)
{
    (void)state;
    for (unsigned command = 0; command < 256; command++) {
        uint8_t word[TRN_INST_BYTES];
        nop(trn_gen_at(0), word);
        word[2] = (uint8_t)command;
        const bool legal = command == 0 || command == 1 || command == 3 || command == 5 ||
                           command == 7 || command == 9;
        assert_int_equal(accepts(trn_gen_at(0), word), legal);
    }
}

static void test_the_tile_index_of_a_control_word_is_0_on_v5(void **state)
{
    (void)state;
    for (unsigned i = 0; i < TRN_GEN_COUNT; i++) {
        const struct trn_gen *gen = trn_gen_at(i);
        uint8_t word[TRN_INST_BYTES];
        nop(gen, word);
        word[3] = 0xFC; /* flags above the tile index are free */
        assert_true(accepts(gen, word));
        word[3] = 0x02; /* a debug hint before v5 */
        assert_int_equal(accepts(gen, word), gen->isa_version < 5);
    }
}

/* ---- sync.md 3, 4 and 8 ---------------------------------------------------------------------- */

static bool is_wait_mode(unsigned mode, unsigned version)
{
    if (mode <= 0x05 || (mode >= 0x81 && mode <= 0x85))
        return true;
    if (mode == 0x06 || mode == 0x07 || mode == 0x0E || mode == 0x0F)
        return version < 5;
    return version == 5 && (mode == 0xFE || (mode >= 0x91 && mode <= 0x95));
}

static bool is_update_mode(unsigned mode, unsigned version)
{
    static const uint8_t events[] = {0x01, 0x02, 0x11, 0x12};
    static const uint8_t semaphores[] = {0x00, 0x03, 0x04, 0x05, 0x07, 0x09, 0x13, 0x14, 0x15,
                                         0x17, 0x19, 0x85, 0x87, 0x89, 0x95, 0x97, 0x99};
    if (memchr(events, (int)mode, sizeof events))
        return version < 5;
    return memchr(semaphores, (int)mode, sizeof semaphores) != NULL;
}

static void test_every_pair_of_wait_and_update_modes(void **state)
{
    (void)state;
    for (unsigned i = 0; i < TRN_GEN_COUNT; i++)
        for (unsigned modes = 0; modes < 65536; modes++) {
            const struct trn_gen *gen = trn_gen_at(i);
            const unsigned wait = modes & 0xFF, update = modes >> 8, v = gen->isa_version;
            uint8_t word[TRN_INST_BYTES];
            nop(gen, word);
            word[4] = (uint8_t)wait;
            word[6] = (uint8_t)update;
            assert_int_equal(accepts(gen, word),
                             is_wait_mode(wait, v) && is_update_mode(update, v));
        }
}

/* Model choice 1: register modes need a value of 0..63 or 128, 129. */
static void test_register_modes_need_a_register(void **state)
{
    (void)state;
    static const uint8_t waits[] = {0x81, 0x82, 0x83, 0x84, 0x85};
    static const uint8_t updates[] = {0x85, 0x87, 0x89, 0x95, 0x97, 0x99};
    for (uint32_t value = 0; value < 300; value++) {
        const bool legal = value <= 63 || value == 128 || value == 129;
        for (unsigned k = 0; k < sizeof waits + sizeof updates; k++) {
            uint8_t word[TRN_INST_BYTES];
            nop(trn_gen_at(1), word);
            if (k < sizeof waits)
                word[4] = waits[k];
            else
                word[6] = updates[k - sizeof waits];
            trn_put32(word + 8, value);
            const struct result r = check(trn_gen_at(1), word);
            assert_int_equal(r.status == TRN_OK, legal);
            assert_int_equal(violation(&r, "event_reg_modes") == NULL, legal);
        }
    }
}

/* Model choices 2 and 3 warn: a shared value read two ways, an unused lane that is not zero. */
static void test_event_warnings_leave_the_word_valid(void **state)
{
    (void)state;
    uint8_t word[TRN_INST_BYTES];
    nop(trn_gen_at(1), word);
    word[4] = 0x81;
    word[6] = 0x15;
    struct result r = check(trn_gen_at(1), word);
    assert_int_equal(r.status, TRN_OK);
    assert_int_equal(r.count, 1);
    assert_true(r.found[0].warning);
    assert_string_equal(r.found[0].rule, "event_mixed_value");
    for (unsigned at = 5; at < 12; at += at == 5 ? 2 : 1) {
        nop(trn_gen_at(1), word);
        word[at] = 1;
        r = check(trn_gen_at(1), word);
        assert_int_equal(r.status, TRN_OK);
        assert_int_equal(r.count, 1);
        assert_true(r.found[0].warning);
        assert_string_equal(r.found[0].rule, "event_unused_lane");
    }
}

/* The second lane of EVENT_SEMAPHORE obeys the same sets, with values of its own. */
static void test_the_second_lane_of_event_semaphore_is_checked(void **state)
{
    (void)state;
    const struct trn_gen *gen = trn_gen_find("cayman");
    uint8_t word[TRN_INST_BYTES];
    nop(gen, word);
    word[0] = TRN_OPCODE_EVENT_SEMAPHORE;
    for (unsigned mode = 0; mode < 256; mode++) {
        word[32] = (uint8_t)mode;
        word[34] = 0;
        assert_int_equal(accepts(gen, word), is_wait_mode(mode, 3));
        word[32] = 0;
        word[34] = (uint8_t)mode;
        assert_int_equal(accepts(gen, word), is_update_mode(mode, 3));
    }
    word[32] = 0x85;
    word[34] = 0;
    trn_put32(word + 36, 64);
    const struct result r = check(gen, word);
    assert_non_null(violation(&r, "event_reg_modes"));
    trn_put32(word + 36, 63);
    assert_true(accepts(gen, word));
    word[6] = 0x13;
    word[34] = 0x13; /* sync.md 6: up to two waits and one update */
    const struct result two = check(gen, word);
    assert_non_null(violation(&two, "es_two_waits_one_update"));
}

/* ---- order, completeness, options ------------------------------------------------------------ */

static void test_violations_stand_in_the_order_of_the_contract(void **state)
{
    (void)state;
    static const char *const order[] = {"has_valid_inst_len", "opcode_on_engine",
                                        "valid_event_modes",  "tt_op",
                                        "exec_active_range",  "tt_counts"};
    const struct trn_check_options on_act = {.engine = 1};
    uint8_t word[TRN_INST_BYTES];
    struct trn_violation found[CAPACITY];
    size_t count;
    tensor_tensor(trn_gen_at(0), word, 0, 128, 196604, 0, 0, 2);
    word[1] = 0x40;
    word[4] = 0x55;
    word[14] = TRN_ALU_OP_RSQRT;
    trn_put16(word + 42, 3);
    assert_int_equal(trn_check_word(trn_gen_at(0), word, &on_act, found, CAPACITY, &count),
                     TRN_ERR_INVALID);
    assert_int_equal(count, 6);
    for (unsigned i = 0; i < 6; i++)
        assert_string_equal(found[i].rule, order[i]);
}

/* Whatever is asked for, the answer is the same: full list, count alone, validity alone. */
static void test_capacity_does_not_change_the_answer(void **state)
{
    (void)state;
    static struct trn_wordgen g;
    g = trn_wordgen_init(11);
    for (unsigned n = 0; n < 4000; n++) {
        const struct trn_gen *gen = trn_gen_at(n % TRN_GEN_COUNT);
        uint8_t word[TRN_INST_BYTES];
        if (n % 2)
            trn_wordgen_random(&g, gen, word);
        else if (trn_wordgen_valid(&g, gen, NULL, word))
            trn_wordgen_mutate(&g, gen, word);
        const struct result r = check(gen, word);
        struct trn_violation two[2];
        size_t count = 99;
        assert_int_equal(trn_check_word(gen, word, NULL, two, 2, &count), r.status);
        assert_int_equal(count, r.count);
        if (count)
            assert_string_equal(two[0].detail, r.found[0].detail);
        assert_int_equal(trn_check_word(gen, word, NULL, NULL, 0, &count), r.status);
        assert_int_equal(count, r.count);
        assert_int_equal(trn_check_word(gen, word, NULL, NULL, 0, NULL), r.status);
        bool invalid = false;
        for (size_t i = 0; i < r.count; i++) {
            invalid |= !r.found[i].warning;
            assert_non_null(r.found[i].rule);
            assert_non_null(r.found[i].message);
            assert_true(r.found[i].provenance[0] != '\0');
            assert_true(r.found[i].detail[0] != '\0');
        }
        assert_int_equal(invalid, r.status == TRN_ERR_INVALID);
    }
}

/* isa-core.md 9.10: opcodes without a layout pass the common rules and carry a note. */
static void test_an_opcode_without_a_layout_is_valid_with_a_note(void **state)
{
    (void)state;
    uint8_t word[TRN_INST_BYTES];
    memset(word, 0xA5, sizeof word);
    nop(trn_gen_at(1), word);
    memset(word + 12, 0xA5, sizeof word - 12);
    word[0] = TRN_OPCODE_PE_REG_WRITE;
    const struct result r = check(trn_gen_at(1), word);
    assert_int_equal(r.status, TRN_OK);
    assert_int_equal(r.count, 1);
    assert_string_equal(r.found[0].rule, "NO_LAYOUT");
    assert_true(r.found[0].warning);
}

/* isa-core.md 11: dormant opcodes are accepted with a warning. */
static void test_a_dormant_opcode_is_valid_with_a_warning(void **state)
{
    (void)state;
    static struct trn_wordgen g;
    const struct trn_wordgen_want want = {.opcode = TRN_OPCODE_BATCH_NORM_STATS,
                                          .engine = TRN_ENGINE_ANY};
    uint8_t word[TRN_INST_BYTES];
    g = trn_wordgen_init(5);
    assert_true(trn_wordgen_valid(&g, trn_gen_at(1), &want, word));
    const struct result r = check(trn_gen_at(1), word);
    const struct trn_violation *dormant = violation(&r, "maintained_opcode");
    assert_non_null(dormant);
    assert_true(dormant->warning);
}

static void test_an_extension_must_follow_a_lowered_later_word(void **state)
{
    (void)state;
    static struct trn_wordgen g;
    static const uint8_t extension[TRN_INST_BYTES] = {TRN_OPCODE_PSEUDO_EXTENSION};
    const struct trn_gen *gen = trn_gen_find("cayman");
    const struct trn_wordgen_want want = {.opcode = TRN_OPCODE_PSEUDO_DMA_DIRECT2D,
                                          .engine = TRN_ENGINE_ANY,
                                          .before_lowering = true};
    struct trn_check_options options = {.engine = TRN_ENGINE_ANY, .before_lowering = true};
    uint8_t word[TRN_INST_BYTES];
    g = trn_wordgen_init(6);
    assert_true(trn_wordgen_valid(&g, gen, &want, word));
    for (uint8_t op = 0; op <= 3; op++) { /* dge.md V26 */
        trn_pseudo_dma_direct2d_dge_op_set(word, gen->isa, op);
        options.next_word = extension;
        assert_int_equal(trn_check_word(gen, word, &options, NULL, 0, NULL), TRN_OK);
        options.next_word = NULL;
        assert_int_equal(trn_check_word(gen, word, &options, NULL, 0, NULL),
                         op == 0 ? TRN_OK : TRN_ERR_INVALID);
    }
}

/* dge.md 15: check vectors of the structural rules. */
static void test_the_worked_dma_word_is_valid_and_its_bounds_are_checked(void **state)
{
    (void)state;
    static const uint8_t worked[TRN_INST_BYTES] = {
        0xB8, 0x10, 0x00, 0x00, 0x05, 0x07, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01,
        0x0A, 0x01, 0x00, 0x00, 0x00, 0x00, 0x10, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x00, 0x01, 0x00, 0x40, 0x00, 0x94,
        0x00, 0x00, 0x00, 0x00, 0x00, 0x20, 0x00, 0x00, 0x00, 0x40, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x02, 0x00, 0x01, 0x00, 0x40, 0x00, 0x03, 0x03};
    const struct trn_gen *gen = trn_gen_find("cayman");
    uint8_t word[TRN_INST_BYTES];
    memcpy(word, worked, sizeof word);
    assert_int_equal(check(gen, word).count, 0);
    word[38] = 0x14; /* disabled but not zero */
    struct result r = check(gen, word);
    assert_non_null(violation(&r, "has_valid_bound_check_reg"));
    word[38] = 0xBF; /* register 63, fine with a narrow marker ... */
    assert_true(accepts(gen, word));
    word[23] = 0x2C; /* ... not with a wide one: 64 would be the other half */
    r = check(gen, word);
    assert_non_null(violation(&r, "has_valid_bound_check_reg"));
    memcpy(word, worked, sizeof word);
    word[12] = 5;
    r = check(gen, word);
    assert_non_null(violation(&r, "V9"));
    memcpy(word, worked, sizeof word);
    word[60] = 0x41; /* 128 bytes out of 130 */
    r = check(gen, word);
    assert_non_null(violation(&r, "V11"));
}

/* Field case F40: one unsupported word among a hundred is named, the others pass. */
static void test_one_unsupported_word_among_a_hundred_is_named(void **state)
{
    (void)state;
    const struct trn_gen *gen = trn_gen_find("sunda");
    unsigned refused = 0;
    for (unsigned i = 0; i < 100; i++) {
        uint8_t word[TRN_INST_BYTES];
        nop(gen, word);
        if (i == 57)
            word[0] = TRN_OPCODE_DMA_TRANSPOSE; /* from v3: opcodes.csv */
        const struct result r = check(gen, word);
        if (r.status == TRN_OK)
            continue;
        refused++;
        assert_int_equal(i, 57);
        assert_string_equal(r.found[0].rule, "is_valid_opcode");
        assert_string_equal(r.found[0].provenance, "O");
        assert_string_equal(r.found[0].detail,
                            "opcode 0xbd is defined on cayman, mariana, mariana_plus, maverick");
    }
    assert_int_equal(refused, 1);
}

/* vector-ops.md 13.8 by engine: without one, a word is legal if some engine takes it. */
static void test_a_rule_about_the_engine_waits_for_one(void **state)
{
    (void)state;
    static struct trn_wordgen g;
    const struct trn_gen *gen = trn_gen_find("mariana"); /* 0x77: ACT, POOL and DVE */
    const struct trn_wordgen_want want = {.opcode = TRN_OPCODE_RAND_GET_STATE,
                                          .engine = TRN_ENGINE_ANY};
    const struct trn_check_options on_pool = {.engine = 2}, on_dve = {.engine = 3};
    uint8_t word[TRN_INST_BYTES];
    g = trn_wordgen_init(9);
    do
        assert_true(trn_wordgen_valid(&g, gen, &want, word));
    while (trn_d4_rand_rand_algorithm(word, gen->isa) != TRN_RAND_ALGORITHM_XORWOW);
    assert_int_equal(trn_check_word(gen, word, &on_pool, NULL, 0, NULL), TRN_OK);
    trn_d4_rand_rand_algorithm_set(word, gen->isa, TRN_RAND_ALGORITHM_PCG32);
    struct trn_violation found[CAPACITY];
    size_t count;
    assert_int_equal(trn_check_word(gen, word, &on_pool, found, CAPACITY, &count), TRN_ERR_INVALID);
    bool named = false;
    for (size_t i = 0; i < count; i++)
        named |= strcmp(found[i].rule, "rand_pool_algorithm") == 0;
    assert_true(named);
    trn_check_word(gen, word, &on_dve, found, CAPACITY, &count);
    for (size_t i = 0; i < count; i++)
        assert_string_not_equal(found[i].rule, "rand_pool_algorithm");
}

/* ---- the generator ------------------------------------------------------------------------- */

/* Opcodes that have a layout and yet no valid word, with the reason of the tables. */
static bool cannot_be_valid(const struct trn_gen *gen, unsigned opcode)
{
    const struct trn_opcode_row *row = &trn_opcode_table[opcode];
    if (row->engines[gen->isa] == 0 && !row->host)
        return true; /* no engine takes it: 0x30, 0x77, 0x78, 0x7B, 0xF0 on SUNDA, ... */
    if (opcode == TRN_OPCODE_TENSOR_SCALAR_PTR_MULTI_DUAL_BITVEC)
        return true;                                                     /* disabled */
    return opcode == TRN_OPCODE_PE_MANAGE_SEED && gen->isa_version == 5; /* seed_nc */
}

static void test_every_opcode_with_a_layout_has_a_valid_word(void **state)
{
    (void)state;
    static struct trn_wordgen g;
    unsigned made = 0;
    for (unsigned i = 0; i < TRN_GEN_COUNT; i++) {
        const struct trn_gen *gen = trn_gen_at(i);
        g = trn_wordgen_init(i);
        for (unsigned opcode = 0; opcode < 256; opcode++) {
            if (trn_rule_entries[gen->isa][opcode].stop == TRN_RULE_is_valid_opcode)
                continue;
            const struct trn_wordgen_want want = {
                .opcode = (int)opcode, .engine = TRN_ENGINE_ANY, .before_lowering = true};
            uint8_t word[TRN_INST_BYTES];
            const bool valid = trn_wordgen_valid(&g, gen, &want, word);
            if (valid == cannot_be_valid(gen, opcode))
                fail_msg("0x%02x on %s: %s", opcode, gen->name, valid ? "valid" : "no word");
            made += valid;
        }
    }
    assert_true(made > 700);
}

/* Every engine that the table gives an opcode to gets a word of it. */
static void test_valid_words_exist_for_each_engine_of_an_opcode(void **state)
{
    (void)state;
    static struct trn_wordgen g;
    for (unsigned i = 0; i < TRN_GEN_COUNT; i++)
        for (int engine = 0; engine < 5; engine++) {
            const struct trn_gen *gen = trn_gen_at(i);
            g = trn_wordgen_init(i);
            for (unsigned opcode = 0; opcode < 256; opcode++) {
                const struct trn_wordgen_want want = {.opcode = (int)opcode, .engine = engine};
                const bool takes =
                    trn_bits_get(trn_opcode_table[opcode].engines[gen->isa], (unsigned)engine, 1) &&
                    trn_rule_entries[gen->isa][opcode].stop == RULE_NONE &&
                    !cannot_be_valid(gen, opcode);
                uint8_t word[TRN_INST_BYTES];
                if (trn_wordgen_valid(&g, gen, &want, word) != takes)
                    fail_msg("0x%02x on %s of %s", opcode, trn_engine_name(engine), gen->name);
            }
        }
}

static void test_the_same_seed_makes_the_same_words(void **state)
{
    (void)state;
    static struct trn_wordgen a, b;
    a = trn_wordgen_init(42);
    b = trn_wordgen_init(42);
    for (unsigned n = 0; n < 500; n++) {
        uint8_t one[TRN_INST_BYTES], two[TRN_INST_BYTES];
        assert_true(trn_wordgen_valid(&a, trn_gen_at(2), NULL, one));
        assert_true(trn_wordgen_valid(&b, trn_gen_at(2), NULL, two));
        assert_memory_equal(one, two, sizeof one);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_tensor_past_the_partition_names_byte_limit_and_generation),
        cmocka_unit_test(test_a_negative_step_below_the_partition_is_refused),
        cmocka_unit_test(test_start_partition_and_channels_on_every_generation),
        cmocka_unit_test(test_a_start_partition_is_reported_with_the_legal_ones),
        cmocka_unit_test(test_addresses_are_aligned_to_their_type),
        cmocka_unit_test(test_address_markers_by_generation),
        cmocka_unit_test(test_psum_takes_four_byte_writes_only),
        cmocka_unit_test(test_a_register_address_passes_and_its_bits_are_checked),
        cmocka_unit_test(test_what_the_word_says_is_checked_beside_a_register),
        cmocka_unit_test(test_a_shape_register_waives_the_counts_from_v3),
        cmocka_unit_test(test_byte_1_is_0x10),
        cmocka_unit_test(test_byte_1_of_quantize_mx_may_be_0x11),
        cmocka_unit_test(test_debug_commands_are_those_of_the_sheet),
        cmocka_unit_test(test_the_tile_index_of_a_control_word_is_0_on_v5),
        cmocka_unit_test(test_every_pair_of_wait_and_update_modes),
        cmocka_unit_test(test_register_modes_need_a_register),
        cmocka_unit_test(test_event_warnings_leave_the_word_valid),
        cmocka_unit_test(test_the_second_lane_of_event_semaphore_is_checked),
        cmocka_unit_test(test_violations_stand_in_the_order_of_the_contract),
        cmocka_unit_test(test_capacity_does_not_change_the_answer),
        cmocka_unit_test(test_an_opcode_without_a_layout_is_valid_with_a_note),
        cmocka_unit_test(test_a_dormant_opcode_is_valid_with_a_warning),
        cmocka_unit_test(test_an_extension_must_follow_a_lowered_later_word),
        cmocka_unit_test(test_the_worked_dma_word_is_valid_and_its_bounds_are_checked),
        cmocka_unit_test(test_one_unsupported_word_among_a_hundred_is_named),
        cmocka_unit_test(test_a_rule_about_the_engine_waits_for_one),
        cmocka_unit_test(test_every_opcode_with_a_layout_has_a_valid_word),
        cmocka_unit_test(test_valid_words_exist_for_each_engine_of_an_opcode),
        cmocka_unit_test(test_the_same_seed_makes_the_same_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
