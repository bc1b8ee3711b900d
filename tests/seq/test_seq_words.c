#include "seq/fixture.h"
static void test_nop_halt(void **state)
{
    (void)state;
    for (unsigned g = 0; g < TRN_GEN_COUNT; g++) {
        struct fixture core = open_core(trn_gen_at(g), NULL);
        struct program p = program_for(core.gen);
        add(&p, TRN_OPCODE_NOP);
        add(&p, TRN_OPCODE_HALT);
        start(&core, SP, &p);
        assert_int_equal(run(&core, 0), TRN_RUN_OK);
        assert_int_equal(core.report.engines[SP].retired, 2);
        close_core(&core);
    }
}
int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nop_halt)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
