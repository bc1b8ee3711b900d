/* SPDX-License-Identifier: Apache-2.0 */
/* The progress bar, with the time given by hand: when it shows, what it says, that it goes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/progress.h"

enum { MILLISECOND = 1000000 };

struct rig {
    struct cli_progress progress;
    char *text;
    size_t size;
    FILE *stream;
};

static void begin(struct rig *rig, uint64_t total)
{
    rig->stream = open_memstream(&rig->text, &rig->size);
    assert_non_null(rig->stream);
    cli_progress_start_at(&rig->progress, rig->stream, "check", total, 5 * MILLISECOND);
}

static void at(struct rig *rig, uint64_t steps, uint64_t milliseconds)
{
    cli_progress_at(&rig->progress, steps, milliseconds * MILLISECOND);
}

static void end(struct rig *rig)
{
    fclose(rig->stream);
    free(rig->text);
}

static void test_short_work_shows_nothing(void **state)
{
    (void)state;
    struct rig rig;
    begin(&rig, 100);
    at(&rig, 50, 1004); /* 999 ms after the start */
    at(&rig, 50, 1004);
    cli_progress_clear(&rig.progress);
    fflush(rig.stream);
    assert_int_equal(rig.size, 0);
    end(&rig);
}

/* A bar of 40: 25 of 100 is 10 of them. Drawn ten times a second, erased at the end. */
static void test_long_work_shows_its_part(void **state)
{
    (void)state;
    static const char first[] = "\rtrench: check [##########                              ]  25 %";
    static const char last[] = "\rtrench: check [########################################] 100 %";
    struct rig rig;
    begin(&rig, 100);
    at(&rig, 25, 1005);
    assert_memory_equal(rig.text, first, sizeof first - 1);
    const size_t drawn = rig.size;
    at(&rig, 25, 1104);
    assert_int_equal(rig.size, drawn);
    at(&rig, 60, 1105); /* more than was expected is 100 % */
    assert_memory_equal(rig.text + drawn, last, sizeof last - 1);
    cli_progress_clear(&rig.progress);
    assert_string_equal(rig.text + rig.size - 4, "\r\033[K");
    const size_t cleared = rig.size;
    cli_progress_clear(&rig.progress);
    assert_int_equal(rig.size, cleared);
    end(&rig);
}

static void test_without_a_terminal_there_is_no_bar(void **state)
{
    (void)state;
    struct cli_progress progress;
    cli_progress_start_at(&progress, NULL, "check", 100, 0);
    cli_progress(&progress, 50);
    cli_progress_at(&progress, 50, UINT64_C(10000) * MILLISECOND);
    assert_false(progress.shown);
    cli_progress_clear(&progress);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_short_work_shows_nothing),
        cmocka_unit_test(test_long_work_shows_its_part),
        cmocka_unit_test(test_without_a_terminal_there_is_no_bar),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
