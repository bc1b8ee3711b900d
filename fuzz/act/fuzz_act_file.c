/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a file of activation tables, or as changes (two bytes of place, one of value) to a
 * good one: what is accepted breaks no rule, is written back to the same bytes, and evaluates,
 * from the tables and exactly. */
#include <stdlib.h>
#include <string.h>

#include "act/sections.h"
#include "trench/act.h"

static void require(int condition)
{
    if (!condition)
        abort();
}

struct room {
    struct trn_act_set set;
    struct trn_act_table table;
    uint8_t file[TRN_ACT_FILE_MAX], again[TRN_ACT_FILE_MAX];
};

static void evaluate(const struct trn_act_set *set, const struct trn_act_member *member)
{
    static struct trn_act_function function;
    struct trn_act_sections sections;
    char what[96];
    static const float x[] = {0, -0.0F, 1, -1.5F, 1e-40F, 3e38F, -7.25F, 1.0F / 3};
    float y[sizeof x / sizeof x[0]];
    const struct trn_act_specials specials = trn_act_specials_default();
    const struct trn_act_tables tables = trn_act_set_tables(set);
    trn_act_eval_array(&tables, member->slot, &specials, 0.5F, x, y, sizeof x / sizeof x[0]);
    trn_act_prepare(&tables, member->slot, &specials, 0.5F, &function);
    trn_act_sections_of(&function, &sections);
    for (size_t i = 0; i < sizeof x / sizeof x[0]; i++)
        trn_act_section_stored(&sections, x[i], what, sizeof what);
    struct trn_diag diag = {0};
    const trn_status status =
        trn_act_exact_array(member, &specials, 0.5F, x, y, sizeof x / sizeof x[0], &diag);
    require(status == TRN_OK || (diag.status == status && diag.rule[0]));
}

static void accepted(struct room *r, const uint8_t *bytes, size_t size)
{
    struct trn_act_finding findings[8];
    const size_t count = trn_act_set_check(&r->set, findings, 8);
    for (size_t i = 0; i < count && i < 8; i++)
        require(!findings[i].is_error);
    require(trn_act_file_build(&r->set, r->again) == size);
    require(memcmp(r->again, bytes, size) == 0);
    for (unsigned i = 0; i < r->set.num_functions; i++) {
        evaluate(&r->set, &r->set.member[i]);
        trn_act_set_get(&r->set, i, &r->table, NULL);
    }
}

static void parse(struct room *r, const uint8_t *bytes, size_t size)
{
    struct trn_diag diag = {0};
    const trn_status status = trn_act_file_parse(bytes, size, "fuzz", &r->set, &diag);
    if (status == TRN_OK)
        accepted(r, bytes, size);
    else
        require(diag.status == status && diag.message[0] && diag.rule[0] && diag.expected[0]);
}

static size_t good_file(struct room *r)
{
    static const struct {
        const char *name, *expression;
    } functions[] = {{"tanh", "tanh(x)"}, {"relu", "max(x,0)"}, {"silu", "x*sigmoid(x)"}};
    require(trn_act_set_init(&r->set, "three", TRN_ACT_LAYOUT_LATER, NULL) == TRN_OK);
    for (uint8_t i = 0; i < 3; i++) {
        struct trn_act_fit_options o = trn_act_fit_options_default();
        o.name = functions[i].name;
        o.expression = functions[i].expression;
        o.func_id = i;
        o.max_buckets = 24;
        require(trn_act_fit(&o, &r->table, NULL, NULL) == TRN_OK);
        require(trn_act_set_add(&r->set, &r->table, NULL) == TRN_OK);
    }
    return trn_act_file_build(&r->set, r->file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct room *r;
    static uint8_t *good;
    static size_t good_size;
    if (!r) { /* once: the program's own good file */
        r = calloc(1, sizeof *r);
        good = malloc(TRN_ACT_FILE_MAX);
        require(r && good);
        good_size = good_file(r);
        memcpy(good, r->file, good_size);
    }
    if (size && data[0] == 'T') {
        parse(r, data, size);
        return 0;
    }
    memcpy(r->file, good, good_size);
    for (size_t i = 0; i + 3 <= size; i += 3)
        r->file[((size_t)data[i] | (size_t)data[i + 1] << 8) % good_size] = data[i + 2];
    parse(r, r->file, good_size);
    return 0;
}
