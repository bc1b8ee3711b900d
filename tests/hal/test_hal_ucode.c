/* SPDX-License-Identifier: Apache-2.0 */
/* The default images, read back with the numbers of docs/hardware/firmware-images.md 6 and 12 and
 * the caps of hal-stpb.md 8.3 and 14.2 typed here; nothing comes from the tables that made them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "trench/ucode.h"

/* firmware-images.md 6.1, generation by generation; caps of 8.3 and 14.2. */
struct head {
    const char *gen;
    uint8_t nx[12], q7[12];
    uint32_t nx_at[2], q7_at[2];
    uint32_t enter_run;
    size_t seq_iram, seq_dram, q7_iram, q7_dram;
};

static const struct head heads[] = {
    {"sunda",
     {0x06, 0x76, 0, 0, 0, 0, 0x86, 0x77},
     {0x06, 0x87, 0, 0, 0, 0, 0x86, 0x88},
     {0x1DC, 0x1E8},
     {0x220, 0x22C},
     0x94,
     0x10000,
     0x4000,
     0x10000,
     0x10000},
    {"cayman",
     {0x06, 0x76, 0, 0, 0, 0, 0x86, 0x77},
     {0x06, 0x7F, 0, 0, 0, 0, 0x86, 0x80},
     {0x1DC, 0x1E8},
     {0x200, 0x20C},
     0x90,
     0x20000,
     0x10000,
     0x20000,
     0x40000},
    {"mariana",
     {0x06, 0x7D, 0, 0, 0, 0, 0x86, 0x7E},
     {0x06, 0x7F, 0, 0, 0, 0, 0x86, 0x80},
     {0x1F8, 0x204},
     {0x200, 0x20C},
     0x90,
     0x20000,
     0x10000,
     0x20000,
     0x40000},
    {"mariana_plus",
     {0x06, 0x7D, 0, 0, 0, 0, 0x86, 0x7E},
     {0x06, 0x7F, 0, 0, 0, 0, 0x86, 0x80},
     {0x1F8, 0x204},
     {0x200, 0x20C},
     0x90,
     0x20000,
     0x10000,
     0x20000,
     0x40000},
};
enum { NUM_HEADS = sizeof heads / sizeof heads[0] };

struct image {
    const uint8_t *bytes;
    size_t size;
};

static struct image get(const char *gen, enum trn_ucode_core core, enum trn_ucode_region region)
{
    const void *bytes = NULL;
    struct image image;
    if (trn_ucode_default(trn_gen_find(gen), core, region, &bytes, &image.size) != TRN_OK)
        fail_msg("%s has no %s of %s", gen, trn_ucode_region_name(region),
                 trn_ucode_core_name(core));
    assert_non_null(bytes);
    image.bytes = bytes;
    return image;
}

static trn_status ask(const char *gen, enum trn_ucode_core core, enum trn_ucode_region region)
{
    const void *bytes = "untouched";
    size_t size = 99;
    const trn_status status = trn_ucode_default(trn_gen_find(gen), core, region, &bytes, &size);
    if (status != TRN_OK) {
        assert_null(bytes);
        assert_int_equal(size, 0);
    }
    return status;
}

static uint32_t word(struct image image, size_t at)
{
    assert_true(at + 4 <= image.size);
    return (uint32_t)image.bytes[at] | (uint32_t)image.bytes[at + 1] << 8 |
           (uint32_t)image.bytes[at + 2] << 16 | (uint32_t)image.bytes[at + 3] << 24;
}

static bool contains(struct image image, const char *text)
{
    return memmem(image.bytes, image.size, text, strlen(text)) != NULL;
}

/* ---- code --------------------------------------------------------------------------------------
 */

/* Vectors, then the trampoline `04 00 00, 04 <entry> 00, a0 00 00`, then `00 52 00` (halt 0). */
static void check_code(struct image code, const uint8_t vectors[12], const uint32_t at[2],
                       uint32_t enter_run, size_t cap)
{
    const uint8_t trampoline[9] = {0x04, 0, 0, 0x04, (uint8_t)enter_run, 0, 0xA0, 0, 0};
    static const uint8_t halt[3] = {0, 0x52, 0};
    assert_true(code.size <= cap);
    assert_true(code.size >= at[1] + sizeof halt);
    assert_memory_equal(code.bytes, vectors, 12);
    assert_memory_equal(code.bytes + at[0], trampoline, sizeof trampoline);
    assert_memory_equal(code.bytes + at[1], halt, sizeof halt);
    assert_memory_equal(code.bytes + enter_run, halt, sizeof halt);
    assert_true(contains(code, "SYNTHETIC"));
}

/* Nothing but the vectors, the trampoline, the two halts and one line of text. */
static void check_nothing_else(struct image code, const uint32_t at[2], uint32_t enter_run)
{
    for (size_t i = 12; i < code.size; i++) {
        const bool text = i >= 0x10 && i < 0x10 + strlen((const char *)code.bytes + 0x10);
        const bool known = text || i - enter_run < 3 || i - at[0] < 9 || i - at[1] < 3;
        if (!known && code.bytes[i] != 0)
            fail_msg("byte 0x%zx is 0x%02x", i, code.bytes[i]);
    }
}

static void test_code_starts_with_the_documented_vectors(void **state)
{
    (void)state;
    for (size_t i = 0; i < NUM_HEADS; i++) {
        const struct head *h = &heads[i];
        for (int core = TRN_UCODE_PE; core <= TRN_UCODE_TOPSP; core++) {
            const struct image code = get(h->gen, (enum trn_ucode_core)core, TRN_UCODE_SEQ_IRAM);
            check_code(code, h->nx, h->nx_at, h->enter_run, h->seq_iram);
            check_nothing_else(code, h->nx_at, h->enter_run);
        }
        const struct image q7 = get(h->gen, TRN_UCODE_POOL, TRN_UCODE_Q7_IRAM);
        check_code(q7, h->q7, h->q7_at, h->enter_run, h->q7_iram);
        check_nothing_else(q7, h->q7_at, h->enter_run);
    }
}

/* The marker names whose image it is: no two engines or generations can be mixed up in a dump. */
static void test_marker_names_generation_and_engine(void **state)
{
    (void)state;
    for (size_t i = 0; i < NUM_HEADS; i++)
        for (int core = TRN_UCODE_PE; core <= TRN_UCODE_SP; core++) {
            char text[80];
            snprintf(text, sizeof text, "SYNTHETIC trench %s %s seq", heads[i].gen,
                     trn_ucode_core_name((enum trn_ucode_core)core));
            for (int r = TRN_UCODE_SEQ_IRAM; r <= TRN_UCODE_SEQ_DRAM; r++) {
                const struct image image =
                    get(heads[i].gen, (enum trn_ucode_core)core, (enum trn_ucode_region)r);
                const uint8_t *at = memmem(image.bytes, image.size, text, strlen(text) + 1);
                assert_non_null(at); /* with its end: "mariana" is no prefix match */
            }
        }
}

/* ---- data --------------------------------------------------------------------------------------
 */

static void check_data(struct image data, bool nx, size_t cap)
{
    assert_true(data.size <= cap);
    assert_int_equal(word(data, 0), 0x6099CB34);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(word(data, 0x18 + 4 * i), 0x00001000);
        assert_int_equal(word(data, 0x28 + 4 * i), nx ? 0x00FFFFFF : 0);
    }
    for (size_t at = 4; at < 0x18; at += 4)
        assert_int_equal(word(data, at), 0);
    assert_true(contains(data, "SYNTHETIC"));
}

static void test_data_starts_with_magic_and_initial_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < NUM_HEADS; i++) {
        const struct head *h = &heads[i];
        for (int core = TRN_UCODE_PE; core <= TRN_UCODE_TOPSP; core++)
            check_data(get(h->gen, (enum trn_ucode_core)core, TRN_UCODE_SEQ_DRAM), true,
                       h->seq_dram);
        check_data(get(h->gen, TRN_UCODE_POOL, TRN_UCODE_Q7_DRAM), false, h->q7_dram);
    }
}

/* ---- decode tables -----------------------------------------------------------------------------
 */

/* firmware-images.md 12.2: the opcodes of each set in the order of the sheet, the wildcard left
 * out; 0: one that no source names. */
static const uint16_t cayman_set[] = {
    0x01, 0x06, 0x02, 0x07, 0x03, 0xA0, 0xA1, 0xA2, 0xA3, 0xA4, 0xA5, 0xA6, 0xA7, 0xA8, 0xA9, 0xAA,
    0xAB, 0xB1, 0xB2, 0xB8, 0xBB, 0xBD, 0x21, 0x22, 0x23, 0x24, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46,
    0x47, 0x48, 0x49, 0x4A, 0x4B, 0x4C, 0x4E, 0x51, 0x52, 0x53, 0x54, 0x5E, 0x67, 0x68};
static const uint16_t pe_set[] = {0x01, 0x02, 0x03, 0x06, 0x07, 0x09, 0x0A, 0x9F, 0xA0, 0xA1, 0xA2,
                                  0xA3, 0xA5, 0xA7, 0xA8, 0xA9, 0xAA, 0xAB, 0xB1, 0xB2, 0xE4};
static const uint16_t act_set[] = {0x21, 0x22, 0x23, 0x24, 0x25, 0x43, 0x44, 0x46,
                                   0x47, 0x77, 0x78, 0x9F, 0xA0, 0xA1, 0xA2, 0xA3,
                                   0xA5, 0xA7, 0xA8, 0xA9, 0xAA, 0xAB, 0xB1, 0xB2};
static const uint16_t dve_set[] = {
    0xA0, 0xA1, 0xA2, 0xA3, 0xA5, 0xA7, 0xA8, 0xA9, 0xAA, 0xAB, 0xB1, 0xB2,  0x41, 0x4D, 0x51, 0x42,
    0x52, 0x83, 0x84, 0x43, 0x93, 0x53, 0x45, 0x46, 0x47, 0x48, 0,    0x4E,  0x5E, 0x64, 0x8E, 0x65,
    0x6A, 0x6B, 0x70, 0x71, 0x72, 0x77, 0x78, 0xE0, 0xE1, 0xE2, 0xE3, 0x1E3, 0x98, 0x30, 0x9F};

struct set {
    const uint16_t *opcodes;
    size_t count;
    uint32_t class_word;
};
#define SET(name) name, sizeof name / sizeof name[0]

static void check_decode(const char *gen, enum trn_ucode_core core, struct set set)
{
    const struct image cam = get(gen, core, TRN_UCODE_DECODE_CAM);
    const struct image table = get(gen, core, TRN_UCODE_DECODE_PROFILE);
    assert_int_equal(cam.size, 0x400);
    assert_int_equal(table.size, 0x2000);
    for (size_t slot = 0; slot < 64; slot++) {
        const uint32_t opcode = word(cam, 16 * slot), mask = word(cam, 16 * slot + 4);
        assert_int_equal(word(cam, 16 * slot + 8), slot <= set.count);
        assert_int_equal(word(cam, 16 * slot + 12), 0);
        if (slot >= set.count) { /* the wildcard, then nothing */
            assert_int_equal(opcode, 0);
            assert_int_equal(mask, 0);
        } else {
            assert_true(set.opcodes[slot] == 0 ? opcode != 0 : opcode == set.opcodes[slot]);
            assert_int_equal(mask, (opcode & 0xFF) == 0xE3 ? 0x1FF : 0xFF);
        }
        for (size_t at = 0; at < 128; at += 4)
            assert_int_equal(word(table, 128 * slot + at),
                             at == 0x14 && slot <= set.count ? set.class_word : 0);
    }
}

static void test_decode_tables_arm_the_documented_opcodes(void **state)
{
    static const char *const later[] = {"mariana", "mariana_plus"};
    (void)state;
    for (int core = TRN_UCODE_PE; core <= TRN_UCODE_DVE; core++)
        check_decode("cayman", (enum trn_ucode_core)core, (struct set){SET(cayman_set), 0x1000});
    for (size_t i = 0; i < 2; i++) {
        check_decode(later[i], TRN_UCODE_PE, (struct set){SET(pe_set), 0x300});
        check_decode(later[i], TRN_UCODE_ACT, (struct set){SET(act_set), 0x300});
        check_decode(later[i], TRN_UCODE_POOL, (struct set){NULL, 0, 0x300});
        check_decode(later[i], TRN_UCODE_DVE, (struct set){SET(dve_set), 0x300});
    }
    /* the counts of hal-stpb.md 11 include the wildcard */
    assert_int_equal(sizeof cayman_set / sizeof cayman_set[0] + 1, 47);
    assert_int_equal(sizeof pe_set / sizeof pe_set[0] + 1, 22);
    assert_int_equal(sizeof act_set / sizeof act_set[0] + 1, 25);
    assert_int_equal(sizeof dve_set / sizeof dve_set[0] + 1, 48);
    /* the two places that a source names */
    assert_int_equal(word(get("mariana", TRN_UCODE_DVE, TRN_UCODE_DECODE_CAM), 0x2B0), 0x1E3);
    assert_int_equal(word(get("mariana", TRN_UCODE_DVE, TRN_UCODE_DECODE_CAM), 0x2D0), 0x30);
}

/* ---- what there is, and what there is not ------------------------------------------------------
 */

static void test_absent_images_are_absent(void **state)
{
    (void)state;
    for (int core = TRN_UCODE_PE; core < TRN_UCODE_CORES; core++)
        for (int r = TRN_UCODE_DECODE_PROFILE; r <= TRN_UCODE_DECODE_CAM; r++)
            assert_int_equal(ask("sunda", (enum trn_ucode_core)core, (enum trn_ucode_region)r),
                             TRN_ERR_NOT_FOUND);
    for (size_t i = 0; i < NUM_HEADS; i++) {
        const char *gen = heads[i].gen;
        assert_int_equal(ask(gen, TRN_UCODE_SP, TRN_UCODE_DECODE_CAM), TRN_ERR_NOT_FOUND);
        assert_int_equal(ask(gen, TRN_UCODE_TOPSP, TRN_UCODE_DECODE_PROFILE), TRN_ERR_NOT_FOUND);
        assert_int_equal(ask(gen, TRN_UCODE_PE, TRN_UCODE_Q7_IRAM), TRN_ERR_NOT_FOUND);
        assert_int_equal(ask(gen, TRN_UCODE_CCE, TRN_UCODE_SEQ_IRAM), TRN_ERR_NOT_FOUND);
    }
    assert_int_equal(ask("sunda", TRN_UCODE_CCE, TRN_UCODE_Q7_IRAM), TRN_ERR_NOT_FOUND);
    assert_int_equal(ask("maverick", TRN_UCODE_PE, TRN_UCODE_SEQ_IRAM), TRN_ERR_UNSUPPORTED);
    assert_int_equal(ask("cayman", TRN_UCODE_CORES, TRN_UCODE_SEQ_IRAM), TRN_ERR_INVALID);
    assert_int_equal(ask("cayman", TRN_UCODE_PE, TRN_UCODE_REGIONS), TRN_ERR_INVALID);
    assert_int_equal(ask("atlantis", TRN_UCODE_PE, TRN_UCODE_SEQ_IRAM), TRN_ERR_INVALID);
}

/* generations.md 2: TOPSP shares SP's image, the cluster POOL's. firmware-images.md 4: one decode
 * set on cayman's four engines, mariana's and mariana_plus's are the same. */
static void test_shared_images_are_one(void **state)
{
    (void)state;
    for (size_t i = 0; i < NUM_HEADS; i++) {
        const char *gen = heads[i].gen;
        assert_ptr_equal(get(gen, TRN_UCODE_TOPSP, TRN_UCODE_SEQ_IRAM).bytes,
                         get(gen, TRN_UCODE_SP, TRN_UCODE_SEQ_IRAM).bytes);
        if (strcmp(gen, "sunda") != 0)
            assert_ptr_equal(get(gen, TRN_UCODE_CCE, TRN_UCODE_Q7_DRAM).bytes,
                             get(gen, TRN_UCODE_POOL, TRN_UCODE_Q7_DRAM).bytes);
    }
    assert_ptr_equal(get("cayman", TRN_UCODE_PE, TRN_UCODE_DECODE_CAM).bytes,
                     get("cayman", TRN_UCODE_DVE, TRN_UCODE_DECODE_CAM).bytes);
    assert_ptr_equal(get("mariana", TRN_UCODE_ACT, TRN_UCODE_DECODE_CAM).bytes,
                     get("mariana_plus", TRN_UCODE_ACT, TRN_UCODE_DECODE_CAM).bytes);
}

static void test_names_go_both_ways(void **state)
{
    (void)state;
    for (int core = 0; core < TRN_UCODE_CORES; core++)
        assert_int_equal(trn_ucode_core_find(trn_ucode_core_name((enum trn_ucode_core)core)), core);
    for (int r = 0; r < TRN_UCODE_REGIONS; r++)
        assert_int_equal(trn_ucode_region_find(trn_ucode_region_name((enum trn_ucode_region)r)), r);
    assert_int_equal(trn_ucode_core_find("dve"), TRN_HAL_DVE);
    assert_int_equal(trn_ucode_core_find("cpu"), TRN_UCODE_CORES);
    assert_int_equal(trn_ucode_core_find(NULL), TRN_UCODE_CORES);
    assert_int_equal(trn_ucode_region_find("seq_sram"), TRN_UCODE_REGIONS);
    assert_null(trn_ucode_core_name(TRN_UCODE_CORES));
    assert_null(trn_ucode_region_name(TRN_UCODE_REGIONS));
}

/* ---- filling an engine's description -----------------------------------------------------------
 */

/* docs/hardware/hal-stpb.md 5.2: offsets of the six {pointer, size} pairs. */
static void test_places_lie_where_the_layout_says(void **state)
{
    static const size_t offsets[TRN_UCODE_REGIONS] = {0x00, 0x10, 0x20, 0x30, 0x40, 0x50};
    struct trn_hal_eng_info info;
    (void)state;
    for (int r = 0; r < TRN_UCODE_REGIONS; r++)
        assert_int_equal((char *)trn_ucode_place(&info, (enum trn_ucode_region)r) - (char *)&info,
                         offsets[r]);
    assert_null(trn_ucode_place(&info, TRN_UCODE_REGIONS));
}

static void test_fill_sets_what_there_is_and_clears_the_rest(void **state)
{
    struct trn_hal_eng_info info;
    (void)state;
    memset(&info, 0xAA, sizeof info);
    info.inst_debug_level = 7;
    assert_int_equal(trn_ucode_fill(trn_gen_find("sunda"), TRN_UCODE_POOL, &info), TRN_OK);
    assert_ptr_equal(info.seq_ucode.iram.data,
                     get("sunda", TRN_UCODE_POOL, TRN_UCODE_SEQ_IRAM).bytes);
    assert_int_equal(info.q7_ucode.dram.size, get("sunda", TRN_UCODE_POOL, TRN_UCODE_Q7_DRAM).size);
    assert_null(info.hw_decode.cam.data);
    assert_int_equal(info.hw_decode.cam.size, 0);
    assert_int_equal(info.hw_decode.profile.size, 0);
    assert_int_equal(info.inst_debug_level, 7); /* images only */
    assert_int_equal(trn_ucode_fill(trn_gen_find("maverick"), TRN_UCODE_PE, &info),
                     TRN_ERR_UNSUPPORTED);
}

static void test_fill_core_gives_each_engine_its_own(void **state)
{
    static const char *const names[] = {"pe", "act", "pool", "dve", "sp"};
    struct trn_hal_stpb stpb = {.flags = 5};
    const struct trn_hal_eng_info *const engines[] = {
        &stpb.pe_info, &stpb.act_info, &stpb.pooling_info, &stpb.dve_info, &stpb.sp_info};
    (void)state;
    assert_int_equal(trn_ucode_fill_core(trn_gen_find("mariana_plus"), &stpb), TRN_OK);
    assert_int_equal(stpb.flags, 5);
    for (size_t e = 0; e < 5; e++) {
        char text[80];
        snprintf(text, sizeof text, "SYNTHETIC trench mariana_plus %s seq", names[e]);
        const struct trn_hal_buf *data = &engines[e]->seq_ucode.dram;
        assert_true(contains((struct image){data->data, (size_t)data->size}, text));
        assert_int_equal(engines[e]->hw_decode.cam.size, e < 4 ? 0x400 : 0);
        assert_int_equal(engines[e]->q7_ucode.iram.size != 0, e == 2);
    }
    assert_int_equal(trn_ucode_fill_core(trn_gen_find("maverick"), &stpb), TRN_ERR_UNSUPPORTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_code_starts_with_the_documented_vectors),
        cmocka_unit_test(test_marker_names_generation_and_engine),
        cmocka_unit_test(test_data_starts_with_magic_and_initial_words),
        cmocka_unit_test(test_decode_tables_arm_the_documented_opcodes),
        cmocka_unit_test(test_absent_images_are_absent),
        cmocka_unit_test(test_shared_images_are_one),
        cmocka_unit_test(test_names_go_both_ways),
        cmocka_unit_test(test_places_lie_where_the_layout_says),
        cmocka_unit_test(test_fill_sets_what_there_is_and_clears_the_rest),
        cmocka_unit_test(test_fill_core_gives_each_engine_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
