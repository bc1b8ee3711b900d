/* SPDX-License-Identifier: Apache-2.0 */
/* Runs PE words for pe_oracle.py: commands on standard input, answers on standard output.
 *
 *   G gen            a fresh core of generation number `gen`          -
 *   S p b n bytes    write n bytes of SBUF partition p from byte b    -
 *   P p b n bytes    the same in PSUM                                 -
 *   W 64 bytes       run a word                                       u32: fault class, 0 if none
 *   R p b n          read n bytes of PSUM partition p                 n bytes
 *   N wanted         numeric causes that words look for from now on   -
 *   O bits           psum.zero eager (1), strict (2)                  -
 *   M reading        how FP8_EXP4 is read: 0 legacy, 1 fn             -
 *   Q on value       stochastic rounding of BF16 cells and its seed   -
 *
 * One letter a command, all numbers little-endian u32. The argument is the number of threads. */
#include <stdio.h>
#include <stdlib.h>

#include "pe_core.h"

static uint8_t buffer[1 << 20];

static bool get(void *out, size_t size)
{
    return fread(out, 1, size, stdin) == size;
}

static bool get_range(uint32_t range[3])
{
    return get(range, 3 * sizeof *range) && range[2] <= sizeof buffer;
}

static bool poke(struct pe_core *core, enum trn_space space)
{
    uint32_t r[3];
    return get_range(r) && get(buffer, r[2]) &&
           pe_core_poke(core, space, r[0], r[1], buffer, r[2]) == TRN_OK;
}

static bool peek(struct pe_core *core)
{
    uint32_t r[3];
    return get_range(r) && pe_core_peek(core, TRN_SPACE_PSUM, r[0], r[1], buffer, r[2]) == TRN_OK &&
           fwrite(buffer, 1, r[2], stdout) == r[2];
}

static bool run_word(struct pe_core *core)
{
    uint8_t word[TRN_WORD_BYTES];
    if (!get(word, sizeof word))
        return false;
    const uint32_t klass = pe_core_run(core, word) == TRN_OK ? 0 : core->fault.klass;
    if (klass)
        fprintf(stderr, "%s: %s\n", core->gen->name, core->fault.message);
    return fwrite(&klass, sizeof klass, 1, stdout) == 1;
}

static bool watch(struct pe_core *core)
{
    uint32_t wanted;
    if (!get(&wanted, sizeof wanted))
        return false;
    core->numeric_wanted = wanted;
    return true;
}

static bool set_options(struct pe_core *core)
{
    uint32_t bits;
    if (!get(&bits, sizeof bits))
        return false;
    core->state->pe.options = (struct trn_pe_options){.eager_zero = bits & 1, .strict = bits & 2};
    return true;
}

static bool set_reading(struct pe_core *core)
{
    uint32_t fn;
    if (!get(&fn, sizeof fn))
        return false;
    core->state->mode[TRN_NEURON_ENGINE_PE].fp8_e4m3 = fn ? TRN_FP8_FN : TRN_FP8_LEGACY;
    return true;
}

static bool set_rounding(struct pe_core *core)
{
    uint32_t on_value[2];
    if (!get(on_value, sizeof on_value))
        return false;
    core->state->pe.seeds.on = on_value[0] != 0;
    trn_pe_seeds_write(&core->state->pe.seeds, on_value[1]);
    return true;
}

static bool renew(struct pe_core *core, unsigned threads)
{
    uint32_t gen;
    pe_core_close(core);
    return get(&gen, sizeof gen) && trn_gen_at(gen) && pe_core_open(core, trn_gen_at(gen), threads);
}

int main(int argc, char **argv)
{
    const unsigned threads = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
    struct pe_core core = {0};
    bool ok = true;
    for (int command; ok && (command = getchar()) != EOF;)
        ok = command == 'G'   ? renew(&core, threads)
             : command == 'S' ? poke(&core, TRN_SPACE_SBUF)
             : command == 'P' ? poke(&core, TRN_SPACE_PSUM)
             : command == 'W' ? run_word(&core)
             : command == 'R' ? peek(&core)
             : command == 'N' ? watch(&core)
             : command == 'O' ? set_options(&core)
             : command == 'M' ? set_reading(&core)
             : command == 'Q' ? set_rounding(&core)
                              : false;
    pe_core_close(&core);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
