/* SPDX-License-Identifier: Apache-2.0 */
/* Records against the bytes, tables and rules of docs/hardware/notification-records.md. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "trench/notify.h"

enum { PHASE = 0x80 };

static const struct trn_gen *cayman(void)
{
    return trn_gen_find("cayman");
}

static void parse(const char *hex, uint8_t raw[16])
{
    unsigned byte;
    int used;
    memset(raw, 0, 16);
    for (size_t i = 0; i < 16 && sscanf(hex, " %2x%n", &byte, &used) == 1; i++, hex += used)
        raw[i] = (uint8_t)byte;
}

static struct trn_record decoded(const char *hex)
{
    uint8_t raw[16];
    struct trn_record record;
    parse(hex, raw);
    assert_int_equal(trn_record_decode(raw, &record, NULL), TRN_OK);
    return record;
}

/* The bytes of the encoder, and the bits that the block adds on its way: phase. */
static void expect_bytes(struct trn_record record, unsigned phase, const char *hex)
{
    uint8_t raw[16], want[16];
    parse(hex, want);
    assert_int_equal(trn_record_encode(&record, raw, NULL), TRN_OK);
    raw[3] = (uint8_t)(raw[3] | phase);
    assert_memory_equal(raw, want, sizeof raw);
}

static void expect_text(const char *gen, const char *hex, const char *text)
{
    char said[TRN_RECORD_TEXT_MAX];
    const struct trn_record record = decoded(hex);
    const size_t length = trn_record_text(trn_gen_find(gen), &record, said);
    assert_int_equal(length, strlen(said));
    assert_string_equal(said, text);
}

/* ---- section 7 and the field cases: bytes ------------------------------------------------ */

static void test_golden_bytes_of_the_sheet(void **state)
{
    (void)state;
    expect_bytes((struct trn_record){.type = TRN_RECORD_TPB_ERROR,
                                     .form = TRN_FORM_TPB_ERROR_SEQUENCER,
                                     .body.tpb_error_sequencer = {.error_id = 0x0A,
                                                                  .subtype = 0x42,
                                                                  .block_id = 7,
                                                                  .program_counter = 0x456,
                                                                  .info = 0x23}},
                 PHASE, "0a 42 00 9f 67 45 23 00");
    expect_bytes((struct trn_record){.type = TRN_RECORD_TPB_ERROR,
                                     .form = TRN_FORM_TPB_ERROR,
                                     .body.tpb_error = {0x0A, 0x0042, 0x00234567}},
                 PHASE, "0a 42 00 9f 67 45 23 00");
    expect_bytes((struct trn_record){.type = TRN_RECORD_TPB_POOL_EXPLICIT,
                                     .form = TRN_FORM_EXPLICIT_DGE_METADATA,
                                     .body.explicit_dge_metadata = {.program_counter = 0x12345,
                                                                    .dma_map = 0x00FF,
                                                                    .num_packets = 4096,
                                                                    .dma_group_id = 1}},
                 0, "45 23 11 0e ff 00 00 80");
    expect_bytes((struct trn_record){.type = TRN_RECORD_TPB_ACT_EXPLICIT,
                                     .form = TRN_FORM_EXPLICIT_NOTIFY,
                                     .body.explicit_notify = {.soft_reset_counter = 1,
                                                              .debug_hint_extended = 2}},
                 0, "00 00 00 0a 01 00 02 00");
}

/* F01, F02, F27 of field-cases.md; the non-fatal one is a DGE content error of opcode 0xAB. */
static void test_golden_bytes_of_the_field_cases(void **state)
{
    (void)state;
    expect_bytes((struct trn_record){.type = TRN_RECORD_TPB_ERROR,
                                     .form = TRN_FORM_TPB_ERROR,
                                     .body.tpb_error = {TRN_ERROR_ID_FP_UNDERFLOW,
                                                        1 << TRN_FP_SOURCE_DVE, 0}},
                 PHASE, "00 08 00 9f 00 00 00 00");
    const struct trn_record f02 = decoded("0a 00 00 9f 32 12 40 00");
    assert_int_equal(f02.body.tpb_error_sequencer.info, 0x40);
    assert_int_equal(f02.body.tpb_error_sequencer.program_counter, 0x123);
    assert_int_equal(f02.body.tpb_error_sequencer.block_id, 2);
    const struct trn_record dge = decoded("09 00 00 9f 32 12 ab 00");
    assert_int_equal(dge.body.tpb_error_sequencer.error_id, TRN_ERROR_ID_SEQUENCER_NONFATAL);
    assert_int_equal(dge.body.tpb_error_sequencer.subtype, TRN_SUBTYPE_BAD_OPCODE);
    assert_int_equal(dge.body.tpb_error_sequencer.info, 0xAB);
    const struct trn_record f27 = decoded("45 23 11 8e ff 00 20 40");
    assert_true(f27.phase && !f27.hw_overflow && !f27.sw_overflow);
    assert_int_equal(f27.form, TRN_FORM_EXPLICIT_DGE_METADATA);
    assert_int_equal(f27.body.explicit_dge_metadata.program_counter, 0x12345);
    assert_int_equal(f27.body.explicit_dge_metadata.dma_map, 0xFF);
    assert_int_equal(f27.body.explicit_dge_metadata.num_packets, 32);
    assert_int_equal(f27.body.explicit_dge_metadata.infer_program_counter, 1);
    assert_int_equal(f27.body.explicit_dge_metadata.dma_group_id, 0);
}

static void test_header_bits_and_time(void **state)
{
    (void)state;
    const struct trn_record all = decoded("00 00 00 ff 00 00 00 00 08 07 06 05 04 03 02 01");
    assert_int_equal(all.type, TRN_RECORD_TPB_ERROR);
    assert_true(all.phase && all.hw_overflow && all.sw_overflow);
    assert_true(all.timestamp == UINT64_C(0x0102030405060708));
    assert_true(decoded("00 00 00 3f").sw_overflow);
    assert_true(decoded("00 00 00 5f").hw_overflow);
    assert_true(decoded("00 00 00 9f").phase);
}

/* Every field of every form by its bits in section 4: value, first bit. */
static void expect_fields(const char *hex, const char *form, size_t count, const char *names,
                          const uint64_t *values)
{
    struct trn_record_field fields[TRN_RECORD_MAX_FIELDS];
    char joined[256] = "";
    const struct trn_record record = decoded(hex);
    assert_string_equal(trn_record_form_name(record.form), form);
    assert_int_equal(trn_record_fields(&record, fields), count);
    for (size_t i = 0; i < count; i++) {
        strcat(strcat(joined, i ? " " : ""), fields[i].name);
        assert_true(fields[i].value == values[i]);
    }
    assert_string_equal(joined, names);
}

static void test_fields_of_every_form(void **state)
{
    (void)state;
    /* words 0x1rhppppp and 0xhhhhllll, time 0: bits worked out by hand from the tables of 4 */
    expect_fields("56 34 a2 04 bc 9a f0 de", "", 4,
                  "program_counter debug_hint soft_reset_counter evt_wait_num_cycles",
                  (const uint64_t[]){0x23456, 0xA, 0x9ABC, 0xDEF0});
    expect_fields("56 34 a2 11 bc 9a f0 de", "", 4,
                  "program_counter debug_hint input_data_crc output_data_crc",
                  (const uint64_t[]){0x23456, 0xA, 0x9ABC, 0xDEF0});
    expect_fields("07 03 13 1b fe ff ff ff", "", 5,
                  "event_semaphore_id is_semaphore double_set_or_clear event_semaphore_update_mode "
                  "event_semaphore_value",
                  (const uint64_t[]){7, 1, 1, 0x13, 0xFFFFFFFE});
    expect_fields("34 12 56 1e 78 9a bc de", "", 3, "metadata_0 metadata_1 metadata_2",
                  (const uint64_t[]){0x1234, 0x56, 0xDEBC9A78});
    expect_fields("05 ff 03 03 01 00 00 80", "interrupt", 4, "group n_type block_id cause_bits",
                  (const uint64_t[]){5, 0, 0x3FF, 0x80000001});
    expect_fields("9d 01 aa 03 01 00 00 80", "warning", 6,
                  "group n_type metadata_0 block_id metadata_1 metadata_2",
                  (const uint64_t[]){5, 1, 9, 0x201, 0x2A, 0x80000001});
    expect_fields("00 00 00 02 91 55 00 00", "sop", 3, "dma_notific_type queue metadata",
                  (const uint64_t[]){1, 9, 0x55});
    expect_fields("03 02 01 02 25 cd ab 00", "eop", 4, "nbytes dma_notific_type queue crc",
                  (const uint64_t[]){0x010203, 5, 2, 0xABCD});
    expect_fields("00 00 00 02 73 00 00 00", "completion", 2, "dma_notific_type queue",
                  (const uint64_t[]){3, 7});
    /* type 8, arid 0x15 = 10101, address 0x400001_F00001: 46:24 in 63:41 */
    expect_fields("01 00 f0 02 58 03 00 80", "axi_req", 4,
                  "address_low dma_notific_type arid address_high",
                  (const uint64_t[]){0xF00001, 8, 0x15, 0x400001});
    expect_fields("00 00 00 02 5a 01 00 00", "axi_rsp", 2, "dma_notific_type rid",
                  (const uint64_t[]){0xA, 0x15});
    expect_fields("01 00 f0 02 bd 0a 00 00", "apb_req", 3,
                  "address_low dma_notific_type address_high",
                  (const uint64_t[]){0xF00001, 0xD, 0xAB});
    expect_fields("04 69 fd 1f ef be ad de", "", 3, "error_id metadata_lo metadata_hi",
                  (const uint64_t[]){4, 0xFD69, 0xDEADBEEF});
    expect_fields("0a 42 00 9f 67 45 23 00", "sequencer", 5,
                  "error_id subtype block_id program_counter info",
                  (const uint64_t[]){0xA, 0x42, 7, 0x456, 0x23});
    expect_fields("00 00 10 06 00 00 00 00", "dge_metadata", 6,
                  "program_counter debug_hint dma_map num_packets infer_program_counter "
                  "dma_group_id",
                  (const uint64_t[]){0, 1, 0, 4096, 0, 0});
}

/* ---- codes --------------------------------------------------------------------------------- */

static void test_codes_follow_the_formula(void **state)
{
    (void)state;
    static const char *const engines[] = {"PE", "ACT", "POOL", "DVE", "SP"};
    static const char *const classes[] = {"INST_START", "INST_END", "EXPLICIT", "EVT_SEM"};
    for (int e = 0; e < 5; e++)
        for (unsigned c = 0; c < 4; c++) {
            char name[40];
            snprintf(name, sizeof name, "TPB_%s_%s", engines[e], classes[c]);
            const uint8_t code = trn_record_code_of(e, c);
            assert_int_equal(code, 4 + 4 * e + (int)c);
            assert_string_equal(trn_record_name(code), name);
            assert_int_equal(trn_record_engine(code), e);
        }
    assert_int_equal(trn_record_engine(TRN_RECORD_DMA), -1);
    assert_int_equal(trn_record_engine(TRN_RECORD_TPB_AXI_EVT_SEM), -1);
    assert_int_equal(trn_record_code_of(5, 0), 0);
}

static void test_unknown_records_are_refused(void **state)
{
    (void)state;
    static const uint8_t unused[] = {0x00, 0x01, 0x18, 0x19, 0x1A, 0x1C, 0x1D};
    struct trn_record record;
    struct trn_diag diag;
    uint8_t raw[16] = {0};
    for (size_t i = 0; i < sizeof unused; i++) {
        raw[3] = unused[i];
        assert_int_equal(trn_record_decode(raw, &record, &diag), TRN_ERR_FORMAT);
        assert_int_equal(record.type, unused[i]);
        assert_null(trn_record_name(unused[i]));
        assert_non_null(strstr(diag.message, "unused record type"));
    }
    for (unsigned hint = 2; hint < 16; hint++) {
        raw[2] = (uint8_t)(hint << 4);
        raw[3] = TRN_RECORD_TPB_SP_EXPLICIT;
        assert_int_equal(trn_record_decode(raw, &record, &diag), TRN_ERR_FORMAT);
        assert_string_equal(diag.where, "debug_hint");
    }
    for (unsigned id = 0x0C; id < 0x100; id++) {
        raw[0] = (uint8_t)id;
        raw[3] = TRN_RECORD_TPB_ERROR;
        assert_int_equal(trn_record_decode(raw, &record, &diag), TRN_ERR_FORMAT);
        assert_string_equal(diag.where, "error_id");
    }
    raw[0] = 0x0B;
    assert_int_equal(trn_record_decode(raw, &record, &diag), TRN_OK);
    static const uint8_t kinds[] = {0, 7, 0xE, 0xF};
    for (size_t i = 0; i < sizeof kinds; i++) {
        raw[3] = TRN_RECORD_DMA;
        raw[4] = kinds[i];
        assert_int_equal(trn_record_decode(raw, &record, &diag), TRN_ERR_FORMAT);
        assert_string_equal(diag.where, "dma_notific_type");
    }
}

static void test_encoder_refuses_what_does_not_fit(void **state)
{
    (void)state;
    uint8_t raw[16];
    struct trn_diag diag;
    struct trn_record record = {.type = TRN_RECORD_TPB_PE_EXPLICIT,
                                .form = TRN_FORM_EXPLICIT_DGE_METADATA};
    assert_int_equal(trn_record_encode(&record, raw, &diag), TRN_ERR_RANGE); /* 0 packets */
    record.body.explicit_dge_metadata.num_packets = 4097;
    assert_int_equal(trn_record_encode(&record, raw, &diag), TRN_ERR_RANGE);
    assert_string_equal(diag.where, "num_packets");
    record.body.explicit_dge_metadata.num_packets = 1;
    assert_int_equal(trn_record_encode(&record, raw, &diag), TRN_OK);
    record.body.explicit_dge_metadata.program_counter = 1 << 20;
    assert_int_equal(trn_record_encode(&record, raw, &diag), TRN_ERR_RANGE);
    record = (struct trn_record){.type = 0x18, .form = TRN_FORM_TPB_ERROR};
    assert_int_equal(trn_record_encode(&record, raw, &diag), TRN_ERR_INVALID);
    record = (struct trn_record){.type = TRN_RECORD_DMA, .form = TRN_FORM_TPB_ERROR};
    assert_int_equal(trn_record_encode(&record, raw, &diag), TRN_ERR_INVALID);
    record = (struct trn_record){.type = TRN_RECORD_DMA,
                                 .form = TRN_FORM_DMA_SOP,
                                 .body.dma_sop.dma_notific_type = 2}; /* an EOP kind */
    assert_int_equal(trn_record_encode(&record, raw, &diag), TRN_ERR_RANGE);
    record.body.dma_sop.dma_notific_type = 4;
    assert_int_equal(trn_record_encode(&record, raw, &diag), TRN_OK);
}

/* Header bits 5..7 and the time belong to the block (2). Random bodies come back as they were. */
static void test_random_records_round_trip(void **state)
{
    (void)state;
    uint64_t seed = 1;
    unsigned good = 0;
    for (unsigned i = 0; i < 200000; i++) {
        uint8_t raw[16], again[16];
        struct trn_record record, back;
        for (size_t b = 0; b < sizeof raw; b++) {
            seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            raw[b] = (uint8_t)(seed >> 56);
        }
        if (trn_record_decode(raw, &record, NULL) != TRN_OK)
            continue;
        good++;
        assert_int_equal(trn_record_encode(&record, again, NULL), TRN_OK);
        assert_int_equal(again[3], raw[3] & 0x1F);
        for (size_t b = 8; b < 16; b++)
            assert_int_equal(again[b], 0);
        again[3] = raw[3];
        memcpy(again + 8, raw + 8, 8);
        assert_int_equal(trn_record_decode(again, &back, NULL), TRN_OK);
        assert_memory_equal(&back, &record, sizeof back);
    }
    assert_true(good > 50000);
}

/* ---- the host (6) ---------------------------------------------------------------------------- */

static struct trn_record_host host_of(unsigned id, unsigned lo)
{
    char hex[64];
    snprintf(hex, sizeof hex, "%02x %02x %02x 9f", id, lo & 0xFF, lo >> 8);
    const struct trn_record record = decoded(hex);
    return trn_record_host(&record);
}

static void test_error_classes_and_statuses(void **state)
{
    (void)state;
    /* 6.3: id, lo, class, status, counter */
    static const unsigned rows[][5] = {
        {0x0, 8, 0, 0, 0},         {0x1, 8, 1, 1003, 0},  {0x1, 0x7E00, 0, 0, 0},
        {0x1, 0x8000, 1, 1003, 0}, {0x2, 8, 0, 0, 0},     {0x3, 8, 0, 0, 0},
        {0x4, 0x001, 3, 1202, 33}, {0x4, 0x294, 2, 0, 0}, {0x4, 0x295, 3, 1202, 33},
        {0x5, 0, 4, 1004, 0},      {0x6, 3, 5, 1004, 36}, {0x7, 3, 6, 1004, 37},
        {0x8, 0, 7, 1004, 38},     {0x9, 0, 2, 1004, 0},  {0xA, 0, 8, 1004, 39},
        {0xB, 0, 0, 0, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct trn_record_host host = host_of(rows[i][0], rows[i][1]);
        assert_int_equal(host.error_class, rows[i][2]);
        assert_int_equal(host.status, rows[i][3]);
        assert_int_equal(host.counter, rows[i][4]);
    }
    assert_int_equal(host_of(0xA, 0).later_status, TRN_HOST_STATUS_TIMEOUT);
    assert_int_equal(host_of(0x9, 0).later_status, 0);
    assert_true(host_of(0x4, 0x294).log_only);
    assert_string_equal(trn_error_name("host_status", 1202), "EXEC_HW_ERR_NC_UE");
    assert_string_equal(trn_error_name("error_class", 8), "SW_SEQUENCER_ERROR");
    assert_null(trn_error_name("host_status", 8));
}

static void test_memory_source_bits(void **state)
{
    (void)state;
    for (unsigned bit = 0; bit < 16; bit++) { /* 5.3: 2, 4, 7 and 9 are correctable */
        const bool correctable = bit == 2 || bit == 4 || bit == 7 || bit == 9;
        assert_int_equal(host_of(4, 1u << bit).error_class, correctable ? 2 : 3);
    }
}

static void test_completion_records(void **state)
{
    (void)state;
    for (unsigned sub = 0; sub < 12; sub++)
        for (unsigned cid = 0; cid < 13; cid++) {
            char hex[64];
            snprintf(hex, sizeof hex, "00 00 00 0a %02x 00 %02x 00", cid, sub);
            const struct trn_record record = decoded(hex);
            const bool oob = cid <= 5 || cid == 9 || cid == 10;
            const unsigned custom = oob ? 1006 : cid <= 8 ? 0 : 1;
            const bool plain = sub == 2 || sub == 3 || sub == 7 || sub == 8;
            assert_int_equal(trn_record_host(&record).status, sub == 6 ? custom : plain ? 0 : 1);
        }
}

static void test_worst_of_ranking(void **state)
{
    (void)state;
    static const unsigned rows[][2] = {{0, 0},    {1, 1},    {5, 2},    {6, 2},    {7, 1},
                                       {101, 1},  {1002, 1}, {1003, 1}, {1004, 3}, {1005, 3},
                                       {1006, 3}, {1100, 3}, {1200, 2}, {1201, 3}, {1202, 3},
                                       {1203, 3}, {1204, 2}, {1205, 3}, {1206, 2}, {1207, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(trn_host_status_rank(rows[i][0]), rows[i][1]);
}

static void test_block_ids(void **state)
{
    (void)state;
    static const uint8_t ids[] = {1, 3, 2, 4, 5}; /* 5.7; PE, ACT, POOL, DVE, SP */
    for (int e = 0; e < 5; e++) {
        assert_int_equal(trn_record_block_of(e), ids[e]);
        assert_int_equal(trn_record_engine_of_block(ids[e]), e);
    }
    assert_int_equal(trn_record_engine_of_block(0), -1);
    assert_int_equal(trn_record_block_of(-1), 0);
}

/* ---- sentences (the wording is ours; what they must name is the sheet's) -----------------------
 */

static void test_sentences(void **state)
{
    (void)state;
    expect_text("cayman", "0a 00 00 9f 32 12 40 00",
                "fatal sequencer error BAD_OPCODE on POOL at pc 0x123: opcode 0x40; runtime status "
                "1004, then timeout 5 because the engine stays dead");
    expect_text("cayman", "00 08 00 9f", "floating point underflow in DVE");
    expect_text("cayman", "01 12 00 bf",
                "floating point NaN in ACT and PE; runtime status 1003; the ring was full and "
                "earlier records are lost");
    expect_text("cayman", "04 04 00 5f 10 00 00 00",
                "correctable memory error in TPB_TOP sequencer memory (metadata: 0x10); the host "
                "logs it; an input buffer was full and later records are lost");
    expect_text(
        "cayman", "09 01 00 9f 11 00 14 00",
        "non-fatal sequencer error FP on PE at pc 0x1: OVERFLOW and INEXACT; runtime status "
        "1004");
    expect_text("cayman", "0a 41 00 9f 04 00 0b 00",
                "fatal sequencer error SIGNAL on DVE at pc 0x0: signal 11; runtime status 1004, "
                "then timeout 5 because the engine stays dead");
    expect_text("mariana", "45 23 11 8e ff 00 20 40",
                "DGE of POOL used DMA engines 0 1 2 3 4 5 6 7 with 32 packets each, pc that of the "
                "latest start record (here 0x12345)");
    expect_text("cayman", "00 00 00 0a 01 00 02 00", "ACT reports START of inference 1 at pc 0x0");
    expect_text("maverick", "00 00 00 0a 01 00 02 00",
                "ACT reports START of inference 1 at pc 0x0 [maverick has no ACT engine]");
    expect_text("cayman", "00 00 00 12 05 00 06 00",
                "DVE reports a scatter or gather through the vector DGE out of bounds at pc 0x0; "
                "runtime status 1006");
    expect_text("sunda", "00 00 00 1e",
                "activity monitor: 0x0000, 0x00, 0x00000000 (contents not published) [sunda has no "
                "route for activity records]");
    expect_text("cayman", "03 01 04 17 ff ff ff ff", "SP: semaphore 3 is -1 (update mode 0x04)");
    expect_text("cayman", "07 02 01 1b 01 00 00 00",
                "AXI: event 7 is set, again (update mode 0x01)");
    expect_text("cayman", "00 00 00 02 73", "DMA queue 7 completed M2S");
}

/* No byte pattern makes a sentence run over, or one without an end. */
static void test_every_sentence_ends(void **state)
{
    (void)state;
    char text[TRN_RECORD_TEXT_MAX];
    for (unsigned type = 0; type < 32; type++)
        for (unsigned fill = 0; fill < 256; fill++) {
            uint8_t raw[16];
            struct trn_record record;
            memset(raw, (int)fill, sizeof raw);
            raw[3] = (uint8_t)(type | 0xE0);
            (void)trn_record_decode(raw, &record, NULL);
            memset(text, 'x', sizeof text);
            const size_t length = trn_record_text(cayman(), &record, text);
            assert_int_equal(strnlen(text, sizeof text), length);
            assert_true(length > 10 && length < TRN_RECORD_TEXT_MAX - 1);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden_bytes_of_the_sheet),
        cmocka_unit_test(test_golden_bytes_of_the_field_cases),
        cmocka_unit_test(test_header_bits_and_time),
        cmocka_unit_test(test_fields_of_every_form),
        cmocka_unit_test(test_codes_follow_the_formula),
        cmocka_unit_test(test_unknown_records_are_refused),
        cmocka_unit_test(test_encoder_refuses_what_does_not_fit),
        cmocka_unit_test(test_random_records_round_trip),
        cmocka_unit_test(test_error_classes_and_statuses),
        cmocka_unit_test(test_memory_source_bits),
        cmocka_unit_test(test_completion_records),
        cmocka_unit_test(test_worst_of_ranking),
        cmocka_unit_test(test_block_ids),
        cmocka_unit_test(test_sentences),
        cmocka_unit_test(test_every_sentence_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
