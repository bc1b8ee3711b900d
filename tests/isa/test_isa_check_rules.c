/* SPDX-License-Identifier: Apache-2.0 */
/* Every rule of rules.csv that needs only the word fails alone, on a word that breaks nothing else;
 * those that cannot are listed with the reason, and the reason is checked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "isa/check.h"
#include "isa/lookup.h"
#include "isa_fields.h"
#include "support/wordgen.h"

enum { CAPACITY = 64, ROUNDS = 100 };

enum reason {
    NEVER_FALSE, /* true on every word of its scope that gets as far */
    NOT_NAMED,   /* scope `field`, but no constraint names it: other rules use it */
    WITH_OTHERS, /* implied by other rules: one of `others` always fails too */
    BY_HAND,     /* a test of its own below */
};

/* Rules that cannot be the only one to fail. */
static const struct exception {
    const char *rule;
    enum reason reason;
    const char *others; /* WITH_OTHERS: names, separated by spaces */
    const char *why;
} exceptions[] = {
    {"is_pseudo_op", BY_HAND, "", "only after lowering"},
    {"disabled_opcode", BY_HAND, "", "0x88 on SUNDA, whatever else it holds"},
    {"is_valid_opcode", BY_HAND, "", "decided by byte 0"},
    {"opcode_on_engine", BY_HAND, "", "decided by byte 0 and the engine"},
    {"reserved_zero", BY_HAND, "", "each struct reports it under its own name"},
    {"addr_in_sbuf_partition", BY_HAND, "",
     "exec_active_range fails too unless a shape register hides the counts"},
    {"V10", BY_HAND, "", "a cast from FP32R whose sizes agree is rarely drawn"},
    {"is_valid_imm_reg", NOT_NAMED, "", ""},
    {"tpb_addr_active_channels", NOT_NAMED, "", ""},
    {"is_valid_dtype_fp4", NOT_NAMED, "", ""},
    {"is_valid_64b_int_dtype", NOT_NAMED, "", ""},
    {"is_valid_32b_int_dtype", NOT_NAMED, "", ""},
    {"is_valid_dtype_mx", NOT_NAMED, "", ""},
    {"addr_aligned_dtype", NOT_NAMED, "", "part of tensor_start_addr_valid"},
    {"has_valid_active_channel_range_with_tile", NOT_NAMED, "", ""},
    {"is_valid_register_read_with_marker", BY_HAND, "",
     "part of has_valid_bound_check_reg; needs register 63 and a wide offset"},
    {"has_valid_idx_bound_check_reg_no_flags", NOT_NAMED, "",
     "part of has_valid_idx_bound_check_reg"},
    {"L2", NEVER_FALSE, "", "its scope is the condition"},
    {"R2", NEVER_FALSE, "", "its scope is the condition"},
    {"has_tensor_scalar_ptr_multi_dual_opcode", NEVER_FALSE, "", "its scope is the condition"},
    {"sc_core_version", NEVER_FALSE, "", "the struct exists from v4"},
    {"dequant_nc", NEVER_FALSE, "", "the struct exists from v3"},
    {"tensor_start_addr_valid", WITH_OTHERS,
     "tensor1d_valid tensor2d_valid tensor3d_valid tensor4d_valid",
     "tensorNd_valid contains it; alone only for a scale address"},
    {"T1", WITH_OTHERS, "transpose_shape", "the 32x32 blocks of 0x93"},
    {"L1", WITH_OTHERS, "has_valid_inst_len is_valid_enum valid_event_modes event_reg_modes",
     "header and events"},
    {"R1", WITH_OTHERS, "has_valid_inst_len is_valid_enum valid_event_modes event_reg_modes",
     "header and events"},
    {"V1", WITH_OTHERS, "has_valid_inst_len valid_event_modes event_reg_modes",
     "header and events"},
    {"is_valid_ctrl_cci", WITH_OTHERS, "has_valid_inst_len is_valid_enum has_tile_idx_zero",
     "header"},
    {"L6", WITH_OTHERS, "L5", "L5 lists fewer types"},
    {"L7", WITH_OTHERS, "s2_bn_reserved_zero L4", "the reserved fields"},
    {"L8", WITH_OTHERS, "start_addr_active_channels check_active_channels",
     "the same on num_active_channels"},
    {"L9", WITH_OTHERS, "tensor2d_valid", "the same on the pattern"},
    {"R6", WITH_OTHERS, "s4d4_tsm_reserved_zero", "the reserved fields"},
    {"R12", WITH_OTHERS, "tensor4d_valid", "the same on the patterns"},
    {"cast_dtype", WITH_OTHERS, "is_valid_dtype", "lists what the FP32R items allow"},
    {"collective_dtypes", WITH_OTHERS, "field_type tensor_start_addr_valid",
     "equal types and SBUF stand on the fields"},
    {"gather_no_psum", WITH_OTHERS, "tensor_start_addr_valid", "the v5 memory items say SBUF"},
    {"is_valid_activate2", WITH_OTHERS, "is_valid_dtype check_active_channels",
     "the items of the fields"},
    {"mm_row_col_grp", WITH_OTHERS, "mm_cols is_valid_enum",
     "an unknown group has no rows or columns"},
    {"s2_convlut_tensor2d_valid", WITH_OTHERS, "tensor2d_valid no_indirect",
     "the items of the pattern"},
    {"er_clear_mode", WITH_OTHERS, "is_valid_enum", "the two members of the enum"},
    {"ctrl_no_valid_notification", WITH_OTHERS, "ctrl_no_reserved_zero ctrl_no_operands",
     "bytes 16..63 are reserved or belong to other control words"},
    {"V8", WITH_OTHERS, "has_valid_bound_check_reg", "the same on the bound registers"},
    {"V17", WITH_OTHERS, "dma_indirect1d_reserved_zero", "the reserved field"},
    {"is_valid_dma_gather_transpose", WITH_OTHERS, "V20 V21 V22 V23", "their conjunction"},
    {"V20", WITH_OTHERS, "is_valid_dma_gather_transpose", "part of it"},
    {"V21", WITH_OTHERS, "is_valid_dma_gather_transpose", "part of it"},
    {"V22", WITH_OTHERS, "is_valid_dma_gather_transpose", "part of it"},
    {"V23", WITH_OTHERS, "is_valid_dma_gather_transpose", "part of it"},
};

static const struct exception *exception_of(const char *rule)
{
    for (size_t i = 0; i < sizeof exceptions / sizeof exceptions[0]; i++)
        if (strcmp(exceptions[i].rule, rule) == 0)
            return &exceptions[i];
    return NULL;
}

/* ---- scopes -------------------------------------------------------------------------- */

/* Whether `words`, separated by `separators`, has the name among them. */
static bool has_word(const char *words, const char *separators, const char *name)
{
    const size_t length = strlen(name);
    while (*words) {
        const size_t n = strcspn(words, separators);
        if (n == length && memcmp(words, name, n) == 0)
            return true;
        words += n;
        words += strspn(words, separators);
    }
    return false;
}

static bool names_opcode(const char *scope, unsigned opcode)
{
    for (const char *p = scope; (p = strstr(p, "0x")) != NULL; p += 2) {
        unsigned low, high;
        if (sscanf(p, "0x%x..0x%x", &low, &high) == 2 ? low <= opcode && opcode <= high
                                                      : sscanf(p, "0x%x", &low) && low == opcode)
            return true;
    }
    return false;
}

/* Whether some field of the layout names the rule, or is what the manual gives the rule to. */
static bool named_by_layout(enum trn_struct_id id, const char *rule)
{
    static const char *const everywhere[] = {"is_valid_dtype",
                                             "field_value",
                                             "field_type",
                                             "addr4_marker",
                                             "tensor_start_addr_valid",
                                             "addr_in_sbuf_partition",
                                             "exec_active_range",
                                             "no_indirect"};
    for (size_t i = 0; i < sizeof everywhere / sizeof everywhere[0]; i++)
        if (strcmp(rule, everywhere[i]) == 0)
            return true;
    const struct trn_struct_row *row = &trn_struct_table[id];
    for (unsigned i = 0; i < row->num_fields; i++) {
        const struct trn_field_row *field = &row->fields[i];
        char sized[32];
        snprintf(sized, sizeof sized, "tensor%dd_valid",
                 field->type == TRN_TYPE_MX1D ? 1 : (int)field->type - TRN_TYPE_PATTERN1D + 1);
        if (has_word(field->constraint, "; ", rule) || strcmp(sized, rule) == 0)
            return true;
    }
    return false;
}

static bool in_scope(const struct trn_rule_row *rule, unsigned opcode, unsigned isa)
{
    const enum trn_struct_id id = trn_opcode_layout((uint8_t)opcode, isa);
    if (strcmp(rule->scope, "field") == 0)
        return named_by_layout(id, rule->name);
    if (rule->scope[0] == '*')
        return !strstr(rule->scope, trn_struct_table[id].name);
    if (opcode == TRN_OPCODE_EXTENDED_INST && strstr(rule->scope, "EXTENDED"))
        return true;
    return names_opcode(rule->scope, opcode) ||
           has_word(rule->scope, " ", trn_struct_table[id].name);
}

static bool is_static(const struct trn_rule_row *rule)
{
    return strncmp(rule->scope, "lib", 3) != 0 && strncmp(rule->scope, "run", 3) != 0;
}

/* ---- the search ------------------------------------------------------------------------ */

/* The violations of a word, as one text of names between spaces. */
static void list(const struct trn_gen *gen, const uint8_t *word, bool before_lowering, char *text,
                 size_t size)
{
    const struct trn_check_options options = {.engine = TRN_ENGINE_ANY,
                                              .before_lowering = before_lowering};
    struct trn_violation found[CAPACITY];
    size_t count = 0;
    trn_check_word(gen, word, &options, found, CAPACITY, &count);
    text[0] = '\0';
    for (size_t i = 0; i < count && i < CAPACITY; i++)
        snprintf(text + strlen(text), size - strlen(text), "%s ", found[i].rule);
}

static bool has_one_of(const char *list_text, const char *names)
{
    char name[64];
    for (const char *p = names; *p; p += strspn(p, " ")) {
        const size_t n = strcspn(p, " ");
        snprintf(name, sizeof name, "%.*s", (int)n, p);
        if (has_word(list_text, " ", name))
            return true;
        p += n;
    }
    return false;
}

struct outcome {
    bool broken, alone;
};

/* Break the rule on every opcode and generation of its scope until it stands alone. */
static struct outcome try_rule(unsigned index, const struct exception *exception, unsigned rounds)
{
    static struct trn_wordgen g;
    const struct trn_rule_row *rule = &trn_rule_table[index];
    struct outcome outcome = {false, false};
    for (unsigned round = 0; round < rounds && !outcome.alone; round++)
        for (unsigned i = 0; i < TRN_GEN_COUNT && !outcome.alone; i++) {
            const struct trn_gen *gen = trn_gen_at(i);
            g = trn_wordgen_init(1000 * index + 10 * round + i);
            if (!trn_bits_get(rule->isa_mask, gen->isa, 1))
                continue;
            const unsigned first = trn_wordgen_below(&g, 256);
            for (unsigned n = 0, tries = 0; n < 256 && tries < 6 && !outcome.alone; n++) {
                const unsigned opcode = (first + n) % 256;
                if (!in_scope(rule, opcode, gen->isa))
                    continue;
                const bool about_engine = strstr(rule->expression, "engine") != NULL;
                const struct trn_wordgen_want want = {
                    .opcode = (int)opcode,
                    .engine = about_engine ? (int)trn_wordgen_below(&g, 5) : TRN_ENGINE_ANY,
                    .before_lowering = true};
                uint8_t word[TRN_INST_BYTES];
                unsigned others;
                tries++;
                if (!trn_wordgen_break(&g, gen, rule->name, &want, word, &others))
                    continue;
                outcome.broken = true;
                outcome.alone = others == 0;
                if (exception && exception->reason == WITH_OTHERS) {
                    char found[4096];
                    list(gen, word, true, found, sizeof found);
                    if (!has_one_of(found, exception->others))
                        fail_msg("%s fails without %s: %s", rule->name, exception->others, found);
                    outcome.alone = false;
                }
            }
        }
    return outcome;
}

static void test_every_rule_fails_alone(void **state)
{
    (void)state;
    unsigned alone = 0;
    for (unsigned r = 0; r < TRN_RULE_COUNT; r++) {
        const struct trn_rule_row *rule = &trn_rule_table[r];
        if (!is_static(rule) || exception_of(rule->name))
            continue;
        const struct outcome outcome = try_rule(r, NULL, ROUNDS);
        if (!outcome.alone)
            fail_msg("%s: %s", rule->name,
                     outcome.broken ? "never the only rule that fails" : "never fails");
        alone++;
    }
    assert_true(alone > 200);
}

static void test_rules_implied_by_others_fail_with_them(void **state)
{
    (void)state;
    for (unsigned r = 0; r < TRN_RULE_COUNT; r++) {
        const struct exception *exception = exception_of(trn_rule_table[r].name);
        if (!exception || exception->reason != WITH_OTHERS)
            continue;
        if (strcmp(exception->rule, "tensor_start_addr_valid") == 0)
            continue; /* test_a_scale_address_outside_sbuf_breaks_one_rule */
        if (!try_rule(r, exception, 6).broken)
            fail_msg("%s never fails", exception->rule);
    }
}

static void test_rules_that_hold_by_their_scope_never_fail(void **state)
{
    (void)state;
    for (unsigned r = 0; r < TRN_RULE_COUNT; r++) {
        const struct exception *exception = exception_of(trn_rule_table[r].name);
        if (exception && exception->reason == NEVER_FALSE && try_rule(r, NULL, 4).broken)
            fail_msg("%s fails", exception->rule);
    }
}

static void test_unnamed_field_rules_are_in_no_constraint(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof exceptions / sizeof exceptions[0]; i++) {
        assert_true(trn_rule_find(exceptions[i].rule) >= 0);
        if (exceptions[i].reason != NOT_NAMED)
            continue;
        for (unsigned s = 0; s < TRN_STRUCT_COUNT; s++)
            for (unsigned f = 0; f < trn_struct_table[s].num_fields; f++)
                assert_false(
                    has_word(trn_struct_table[s].fields[f].constraint, "; ", exceptions[i].rule));
    }
}

/* ---- the exceptions with a test of their own --------------------------------------------- */

static void assert_only(const struct trn_gen *gen, const uint8_t *word, bool before_lowering,
                        const char *rule)
{
    char found[4096], wanted[128];
    list(gen, word, before_lowering, found, sizeof found);
    snprintf(wanted, sizeof wanted, "%s ", rule);
    assert_string_equal(found, wanted);
}

static void test_a_pseudo_word_is_refused_after_lowering_only(void **state)
{
    (void)state;
    static struct trn_wordgen g;
    const struct trn_gen *gen = trn_gen_find("cayman");
    const struct trn_wordgen_want want = {.opcode = TRN_OPCODE_PSEUDO_SET_RNG_SEED,
                                          .engine = TRN_ENGINE_ANY,
                                          .before_lowering = true};
    uint8_t word[TRN_INST_BYTES];
    g = trn_wordgen_init(1);
    assert_true(trn_wordgen_valid(&g, gen, &want, word));
    assert_only(gen, word, false, "is_pseudo_op");
}

static void test_the_disabled_opcode_stops_the_check(void **state)
{
    (void)state;
    uint8_t word[TRN_INST_BYTES];
    memset(word, 0xEE, sizeof word);
    word[0] = 0x88;
    word[1] = 0x10;
    word[2] = 0;
    assert_only(trn_gen_find("sunda"), word, false, "disabled_opcode");
    assert_only(trn_gen_find("cayman"), word, false, "is_valid_opcode");
}

static void test_an_unknown_opcode_stops_the_check(void **state)
{
    (void)state;
    uint8_t word[TRN_INST_BYTES];
    memset(word, 0xEE, sizeof word);
    word[0] = 0xB7; /* a newer compiler's UcodeConfig: isa-core.md 11 */
    word[1] = 0x10;
    word[2] = 0;
    for (unsigned i = 0; i < TRN_GEN_COUNT; i++)
        assert_only(trn_gen_at(i), word, true, "is_valid_opcode");
}

static void test_an_opcode_is_refused_on_an_engine_that_lacks_it(void **state)
{
    (void)state;
    const struct trn_check_options on_sp = {.engine = 4};
    struct trn_violation found[CAPACITY];
    static struct trn_wordgen g;
    const struct trn_wordgen_want want = {.opcode = TRN_OPCODE_IOTA, .engine = TRN_ENGINE_ANY};
    uint8_t word[TRN_INST_BYTES];
    size_t count;
    g = trn_wordgen_init(2);
    assert_true(trn_wordgen_valid(&g, trn_gen_at(0), &want, word));
    assert_int_equal(trn_check_word(trn_gen_at(0), word, &on_sp, found, CAPACITY, &count),
                     TRN_ERR_INVALID);
    assert_string_equal(found[0].rule, "opcode_on_engine");
    assert_string_equal(found[0].detail, "IOTA is taken by pool"); /* opcodes.csv */
}

/* dge.md V10: in_dtype not FP32R when the word casts; sizes 4 and 4, counts equal. */
static void test_v10_fails_alone_on_a_cast_from_fp32r(void **state)
{
    (void)state;
    static struct trn_wordgen g;
    const struct trn_gen *gen = trn_gen_find("mariana");
    const struct trn_wordgen_want want = {.opcode = TRN_OPCODE_DMAMEMCPY, .engine = TRN_ENGINE_ANY};
    uint8_t word[TRN_INST_BYTES];
    g = trn_wordgen_init(3);
    assert_true(trn_wordgen_valid(&g, gen, &want, word));
    const unsigned isa = gen->isa;
    memset(word + 12, 0, sizeof word - 12);
    trn_dma_direct2d_src_num_elem_0_set(word, isa, 8);
    trn_dma_direct2d_src_num_elem_1_set(word, isa, 1);
    trn_dma_direct2d_dst_num_elem_0_set(word, isa, 8);
    trn_dma_direct2d_dst_num_elem_1_set(word, isa, 1);
    trn_dma_direct2d_src_elem_size_set(word, isa, 4);
    trn_dma_direct2d_dst_elem_size_set(word, isa, 4);
    trn_dma_direct2d_in_dtype_set(word, isa, TRN_DTYPE_UINT32);
    trn_dma_direct2d_out_dtype_set(word, isa, TRN_DTYPE_FP32);
    assert_int_equal(trn_check_word(gen, word, NULL, NULL, 0, NULL), TRN_OK);
    trn_dma_direct2d_in_dtype_set(word, isa, TRN_DTYPE_FP32R);
    struct trn_violation found[CAPACITY];
    size_t count, broken = 0;
    trn_check_word(gen, word, NULL, found, CAPACITY, &count);
    for (size_t i = 0; i < count; i++)
        broken += !found[i].warning;
    assert_int_equal(broken, 1);
    assert_string_equal(found[count - 1].rule, "V10");
}

/* CAYMAN has 0x38000 bytes a partition: isa-core.md 4. */
static void test_a_start_past_the_partition_breaks_one_rule_when_the_shape_is_hidden(void **state)
{
    (void)state;
    static struct trn_wordgen g;
    const struct trn_gen *gen = trn_gen_find("cayman");
    const struct trn_wordgen_want want = {.opcode = TRN_OPCODE_IOTA, .engine = TRN_ENGINE_ANY};
    uint8_t word[TRN_INST_BYTES];
    g = trn_wordgen_init(8);
    assert_true(trn_wordgen_valid(&g, gen, &want, word));
    memset(word + 4, 0, 8);
    uint8_t *dst = trn_d4_iota_dst_mem_pattern_ref(word, gen->isa);
    memset(dst, 0, 20);
    trn_put32(dst, 0x40037FC0);
    assert_int_equal(trn_check_word(gen, word, NULL, NULL, 0, NULL), TRN_OK);
    trn_put32(dst, 0x40038000);
    assert_only(gen, word, false, "addr_in_sbuf_partition");
}

/* pe-array.md 10.1: the scales of an MX operand lie in SBUF. */
static void test_a_scale_address_outside_sbuf_breaks_one_rule(void **state)
{
    (void)state;
    const struct trn_gen *gen = trn_gen_find("mariana");
    const unsigned rule = (unsigned)trn_rule_find("tensor_start_addr_valid");
    static struct trn_wordgen g;
    struct trn_wordgen_want want = {.opcode = TRN_OPCODE_LDWEIGHTS_MX, .engine = TRN_ENGINE_ANY};
    uint8_t word[TRN_INST_BYTES];
    char found[4096];
    g = trn_wordgen_init(4);
    assert_true(trn_wordgen_valid(&g, gen, &want, word));
    uint8_t *src = trn_smx1_lw_src_mem_pattern_ref(word, gen->isa);
    memset(src, 0, 16);
    trn_put32(src + 4, gen->psum_base); /* partition 0, like the data */
    trn_put16(src + 8, 4);
    src[10] = 1;
    list(gen, word, false, found, sizeof found);
    assert_true(has_word(found, " ", trn_rule_table[rule].name));
    assert_false(has_word(found, " ", "tensor1d_valid"));
}

/* Every reserved byte or bit of every struct, set alone, is reported under the struct's name. */
static void test_every_reserved_field_is_reported_under_its_structs_name(void **state)
{
    (void)state;
    static struct trn_wordgen g;
    unsigned fields = 0;
    for (unsigned i = 0; i < TRN_GEN_COUNT; i++) {
        const struct trn_gen *gen = trn_gen_at(i);
        g = trn_wordgen_init(i);
        for (int opcode = 0; opcode < 256; opcode++) {
            const struct trn_wordgen_want want = {
                .opcode = opcode, .engine = TRN_ENGINE_ANY, .before_lowering = true};
            uint8_t word[TRN_INST_BYTES], spoiled[TRN_INST_BYTES];
            if (!trn_wordgen_valid(&g, gen, &want, word))
                continue;
            const struct trn_struct_row *row = &trn_struct_table[trn_word_struct(word, gen->isa)];
            for (unsigned f = 0; f < row->num_fields; f++) {
                const struct trn_field_row *field = &row->fields[f];
                if (field->type != TRN_TYPE_RESERVED || field->offset[gen->isa] < 0)
                    continue;
                char found[4096], name[96];
                memcpy(spoiled, word, sizeof spoiled);
                const unsigned last = (unsigned)field->offset[gen->isa] + field->size - 1;
                spoiled[last] |= (uint8_t)(field->bits ? 1u << field->bit_lo : 0x80u);
                list(gen, spoiled, true, found, sizeof found);
                snprintf(name, sizeof name, "%s_reserved_zero", row->name);
                for (char *c = name; *c; c++)
                    *c = (char)(*c >= 'A' && *c <= 'Z' ? *c + 32 : *c);
                if (!has_word(found, " ", name))
                    fail_msg("%s.%s on %s: %s", row->name, field->name, gen->name, found);
                fields++;
            }
        }
    }
    assert_true(fields > 500);
}

/* A value outside the legal values of a field's row never leaves the word valid. */
static void test_an_illegal_value_of_any_row_is_refused(void **state)
{
    (void)state;
    static struct trn_wordgen g;
    unsigned tried = 0;
    for (unsigned i = 0; i < TRN_GEN_COUNT; i++) {
        const struct trn_gen *gen = trn_gen_at(i);
        g = trn_wordgen_init(100 + i);
        for (int opcode = 0; opcode < 256; opcode++) {
            const struct trn_wordgen_want want = {
                .opcode = opcode, .engine = TRN_ENGINE_ANY, .before_lowering = true};
            const struct trn_check_options options = {.engine = TRN_ENGINE_ANY,
                                                      .before_lowering = true};
            uint8_t word[TRN_INST_BYTES];
            if (!trn_wordgen_valid(&g, gen, &want, word))
                continue;
            const struct trn_struct_row *row = &trn_struct_table[trn_word_struct(word, gen->isa)];
            for (unsigned f = row->num_common; f < row->num_fields; f++) {
                const struct trn_field_row *field = &row->fields[f];
                const char *legal = field->constraint;
                const bool listed = strpbrk(legal, "|0123456789") == legal ||
                                    (legal[0] >= '0' && legal[0] <= '9') || strchr(legal, '|');
                const bool memory = strstr(legal, "read") || strstr(legal, "write");
                if (!listed || memory || field->bits || field->size != 1 ||
                    field->offset[gen->isa] < 0)
                    continue;
                uint8_t spoiled[TRN_INST_BYTES];
                memcpy(spoiled, word, sizeof spoiled);
                spoiled[field->offset[gen->isa]] = 0xFB; /* in no list of the tables */
                if (trn_check_word(gen, spoiled, &options, NULL, 0, NULL) == TRN_OK)
                    fail_msg("%s.%s {%s} takes 0xFB on %s", row->name, field->name, legal,
                             gen->name);
                tried++;
            }
        }
    }
    assert_true(tried > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_rule_fails_alone),
        cmocka_unit_test(test_rules_implied_by_others_fail_with_them),
        cmocka_unit_test(test_rules_that_hold_by_their_scope_never_fail),
        cmocka_unit_test(test_unnamed_field_rules_are_in_no_constraint),
        cmocka_unit_test(test_a_pseudo_word_is_refused_after_lowering_only),
        cmocka_unit_test(test_the_disabled_opcode_stops_the_check),
        cmocka_unit_test(test_an_unknown_opcode_stops_the_check),
        cmocka_unit_test(test_an_opcode_is_refused_on_an_engine_that_lacks_it),
        cmocka_unit_test(test_v10_fails_alone_on_a_cast_from_fp32r),
        cmocka_unit_test(test_a_start_past_the_partition_breaks_one_rule_when_the_shape_is_hidden),
        cmocka_unit_test(test_a_scale_address_outside_sbuf_breaks_one_rule),
        cmocka_unit_test(test_every_reserved_field_is_reported_under_its_structs_name),
        cmocka_unit_test(test_an_illegal_value_of_any_row_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
