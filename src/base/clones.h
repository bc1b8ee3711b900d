/* SPDX-License-Identifier: Apache-2.0 */
/* TRN_CLONES before a hot function: one copy for each x86-64 level, picked at load time. The body
 * is portable C (loops the compiler vectorises, or GCC vector extensions) and every copy gives the
 * same bytes: floating point contraction is off, and a fused step is written as fmaf. */
#ifndef TRN_BASE_CLONES_H
#define TRN_BASE_CLONES_H

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                             \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(TRN_NO_CLONES)
#define TRN_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define TRN_CLONES
#endif

#include <stdbool.h>

/* Whether the copy for x86-64-v4 runs: 32 registers of 64 bytes. */
static inline bool trn_host_has_wide_registers(void)
{
#if defined(__x86_64__) && defined(__GNUC__)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl");
#else
    return false;
#endif
}

#endif
