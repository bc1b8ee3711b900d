/* SPDX-License-Identifier: Apache-2.0 */
/* Every access and log line of a bring-up against the lists of tests/hal/golden, which
 * tests/hal/expected_traffic.py makes from docs/hardware/hal-stpb.md and the tables, line by line.
 * Reads answer with what the list says a register holds before anything was written to it; then the
 * model answers them, and must say the same. */
#include "hal/bringup.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trench/device.h"

enum { LINE_BYTES = 160, NUM_SPECIAL = 8 };

struct list {
    char (*line)[LINE_BYTES];
    size_t count;
};

static const char *golden_directory;

/* ---- lists ---------------------------------------------------------------------------------- */

static void append(struct list *list, const char *text)
{
    if ((list->count & (list->count + 1)) == 0) { /* 0, 1, 3, 7, ...: room doubles */
        list->line = realloc(list->line, 2 * (list->count + 1) * sizeof *list->line);
        assert_non_null(list->line);
    }
    snprintf(list->line[list->count++], LINE_BYTES, "%s", text);
}

/* The golden list without its comments: `;` and `#`, the beginning of a step. */
static struct list read_golden(const char *gen, const char *name)
{
    struct list list = {0};
    char path[512], text[LINE_BYTES];
    snprintf(path, sizeof path, "%s/%s-%s.txt", golden_directory, gen, name);
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("%s: cannot be read", path);
    while (fgets(text, sizeof text, file)) {
        text[strcspn(text, "\n")] = '\0';
        if (text[0] != ';' && text[0] != '#')
            append(&list, text);
    }
    fclose(file);
    return list;
}

/* Registers hold what the list reads from them before it writes them. */
static void preload(struct fake_bus *bus, const struct list *golden)
{
    struct fake_bus written;
    fake_bus_open(&written);
    for (size_t i = 0; i < golden->count; i++) {
        unsigned long long offset, value;
        char kind;
        if (sscanf(golden->line[i], "%c 0x%llx 0x%llx", &kind, &offset, &value) != 3)
            continue;
        if (kind == 'W')
            fake_bus_poke(&written, offset, 1);
        else if (kind == 'R' && fake_bus_peek(&written, offset) == 0)
            fake_bus_poke(bus, offset, (uint32_t)value);
    }
    fake_bus_close(&written);
}

/* " 0x1 0x2": the numbers of a text, in words of their own. */
static void numbers_of(const char *text, char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (const char *at = text; *at;) {
        const bool starts =
            isdigit((unsigned char)*at) && (at == text || !isalnum((unsigned char)at[-1]));
        if (!starts) {
            at++;
            continue;
        }
        char *end;
        used += (size_t)snprintf(out + used, size - used, " 0x%llx", strtoull(at, &end, 0));
        at = end;
    }
}

static void line_of(const struct fake_event *event, char *out)
{
    const unsigned long long offset = event->offset, value = event->value;
    char numbers[64];
    if (event->kind == 'L') {
        numbers_of(event->text, numbers, sizeof numbers);
        snprintf(out, LINE_BYTES, "L %d %s%s", event->level, event->function, numbers);
    } else if (event->kind == 'B') {
        snprintf(out, LINE_BYTES, "B 0x%llx 0x%llx %s", offset, value, event->digest);
    } else {
        snprintf(out, LINE_BYTES, "%c 0x%llx 0x%llx", event->kind, offset, value);
    }
}

/* Lines of level 5, trace, are left out: the sheet gives neither their text nor their place. */
static struct list list_of(const struct fake_bus *bus)
{
    struct list list = {0};
    char text[LINE_BYTES];
    for (size_t i = 0; i < bus->count; i++)
        if (bus->event[i].kind != '#' && bus->event[i].level < 5) {
            line_of(&bus->event[i], text);
            append(&list, text);
        }
    return list;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* ACT's eight special values are written in an order that no test may depend on (hal-stpb.md 9.3):
 * from the first write to R + 240 on, eight lines are put in order. */
static void order_special_values(struct list *list, uint64_t regs)
{
    char first[32];
    snprintf(first, sizeof first, "W 0x%llx ", (unsigned long long)regs + 0x240);
    for (size_t i = 0; i + NUM_SPECIAL <= list->count; i++)
        if (strncmp(list->line[i], first, strlen(first)) == 0) {
            qsort(list->line[i], NUM_SPECIAL, LINE_BYTES, by_text);
            return;
        }
}

static void expect_same(struct rig *rig, struct list *golden, const char *name)
{
    struct list got = list_of(&rig->bus);
    order_special_values(&got, rig->stpb.tpb_regs);
    order_special_values(golden, rig->stpb.tpb_regs);
    for (size_t i = 0; i < got.count || i < golden->count; i++) {
        const char *is = i < got.count ? got.line[i] : "nothing";
        const char *wanted = i < golden->count ? golden->line[i] : "nothing";
        if (strcmp(is, wanted) != 0)
            fail_msg("%s %s, operation %zu:\n  is     %s\n  wanted %s", rig->gen->name, name, i + 1,
                     is, wanted);
    }
    free(got.line);
}

/* ---- what is brought up
 * --------------------------------------------------------------------------
 */

static void expect_ok(const struct rig *rig, trn_status status)
{
    if (status != TRN_OK)
        fail_msg("%s: %d: %s %s", rig->gen->name, status, trn_hal_diag(rig->hal)->where,
                 trn_hal_diag(rig->hal)->message);
}

/* Bring up number `number` of a kind. */
typedef void issue(struct rig *rig, unsigned number);

static void issue_engine(struct rig *rig, unsigned engine)
{
    const struct trn_hal_engine_config config = rig_engine(rig, (int)engine);
    expect_ok(rig, trn_hal_engine_init(rig->hal, (int)engine, &config));
}

static void issue_core(struct rig *rig, unsigned core)
{
    struct trn_hal_bringup_result result;
    (void)core; /* the rig's */
    expect_ok(rig, rig_bringup(rig, &result));
    assert_int_equal(result.failed_engine, -1);
}

/* Forget what was issued before the rings. */
static void keep_the_rings(struct fake_bus *bus)
{
    size_t first = 0;
    while (first < bus->count &&
           !(bus->event[first].kind == '#' && bus->event[first].where.step == TRN_HAL_STEP_RINGS))
        first++;
    bus->count -= first;
    memmove(bus->event, bus->event + first, bus->count * sizeof *bus->event);
}

/* A plan has at least one engine; its accesses come before the rings of the DMA blocks. */
static void issue_dma(struct rig *rig, unsigned core)
{
    struct trn_hal_bringup_result result;
    const struct trn_hal_bringup plan = {.core = core,
                                         .stpb = &rig->stpb,
                                         .engine_mask = 1 << TRN_HAL_SP,
                                         .core_blocks_done = true,
                                         .dma_rings = true};
    expect_ok(rig, trn_hal_bringup(rig->hal, &plan, &result));
    keep_the_rings(&rig->bus);
}

/* Host memory of a TopSP's rings, as in expected_traffic.py. */
static struct trn_hal_nq ring(const struct rig *rig, unsigned topsp, unsigned queue)
{
    const bool sunda = strcmp(rig->gen->name, "sunda") == 0;
    const uint64_t host = sunda ? 0x100000000000 : 0x400000000000;
    const uint64_t block = 0x40 + topsp;
    return (struct trn_hal_nq){.base = host + block * 0x100000 + queue * UINT64_C(0x10000),
                               .size = 0x10000};
}

static void issue_topsp(struct rig *rig, unsigned topsp)
{
    static const unsigned queues[] = {4, 2};
    const struct trn_hal_engine_config config = rig_topsp(rig, topsp);
    struct trn_hal_notific *notific;
    assert_int_equal(trn_hal_notific_create(rig->hal, &notific), TRN_OK);
    expect_ok(rig, trn_hal_sp_init(rig->hal, &config, notific, 0, true));
    for (unsigned i = 0; i < 2; i++) {
        const struct trn_hal_nq nq = ring(rig, topsp, queues[i]);
        expect_ok(rig, trn_hal_nq_init(rig->hal, notific, queues[i], queues[i], &nq));
        expect_ok(rig, trn_hal_nq_enable(rig->hal, notific, queues[i], queues[i], false));
    }
}

/* ---- against the lists --------------------------------------------------------------------------
 */

static const struct {
    const char *gen, *golden;
    unsigned last_core, last_topsp;
} gens[] = {{"sunda", "sunda", 1, 5},
            {"cayman", "cayman", 7, 15},
            {"mariana", "mariana", 7, 15},
            {"mariana_plus", "mariana", 7, 15}}; /* same as MARIANA (hal-stpb.md 8.1) */

enum { NUM_GENS = sizeof gens / sizeof gens[0] };

struct kind {
    const char *name; /* of its lists, before the number */
    issue *issue;
    unsigned number;
};

static void compare(size_t g, const char *name, struct kind kind, const struct trn_bus *device)
{
    const bool topsp = kind.issue == issue_topsp, engine = kind.issue == issue_engine;
    struct rig rig;
    struct list golden = read_golden(gens[g].golden, name);
    rig_open(&rig, gens[g].gen, topsp || engine ? 0 : kind.number);
    rig.bus.digests = true;
    rig.bus.under = device;
    preload(&rig.bus, &golden);
    kind.issue(&rig, kind.number);
    expect_same(&rig, &golden, name);
    free(golden.line);
    rig_close(&rig);
}

/* The model's registers must answer every read as the list says. */
static void compare_on_the_model(size_t g, const char *name, struct kind kind)
{
    struct trn_diag diag;
    struct trn_device *device;
    if (trn_device_create(trn_gen_find(gens[g].gen), NULL, &device, &diag) != TRN_OK)
        fail_msg("%s", diag.message);
    compare(g, name, kind, trn_device_bar0(device));
    trn_device_destroy(device);
}

static void compare_both(size_t g, struct kind kind)
{
    char name[16];
    snprintf(name, sizeof name, "%s%u", kind.name, kind.number);
    compare(g, name, kind, NULL);
    compare_on_the_model(g, name, kind);
}

static void test_each_engine(void **state)
{
    static const char *const names[TRN_HAL_ENGINES] = {"pe", "act", "pool", "dve", "sp"};
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++)
        for (unsigned e = 0; e < TRN_HAL_ENGINES; e++) {
            compare(g, names[e], (struct kind){names[e], issue_engine, e}, NULL);
            compare_on_the_model(g, names[e], (struct kind){names[e], issue_engine, e});
        }
}

static void test_whole_cores(void **state)
{
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++) {
        compare_both(g, (struct kind){"core", issue_core, 0});
        compare_both(g, (struct kind){"core", issue_core, gens[g].last_core});
    }
}

/* Registers full of other bits: a read-modify-write leaves what it does not own alone. */
static void test_other_bits_stay(void **state)
{
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++)
        compare(g, "core0-dirty", (struct kind){"core", issue_core, 0}, NULL);
}

static void test_topsps(void **state)
{
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++) {
        compare_both(g, (struct kind){"topsp", issue_topsp, 0});
        compare_both(g, (struct kind){"topsp", issue_topsp, 2});
        compare_both(g, (struct kind){"topsp", issue_topsp, gens[g].last_topsp});
    }
}

static void test_rings_of_dma_blocks(void **state)
{
    (void)state;
    for (size_t g = 0; g < NUM_GENS; g++) {
        compare_both(g, (struct kind){"dma", issue_dma, 0});
        compare_both(g, (struct kind){"dma", issue_dma, gens[g].last_core});
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_engine),         cmocka_unit_test(test_whole_cores),
        cmocka_unit_test(test_other_bits_stay),     cmocka_unit_test(test_topsps),
        cmocka_unit_test(test_rings_of_dma_blocks),
    };
    if (argc != 2) {
        fprintf(stderr, "usage: %s GOLDEN_DIRECTORY\n", argv[0]);
        return 2;
    }
    golden_directory = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
