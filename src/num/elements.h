/* SPDX-License-Identifier: Apache-2.0 */
/* How loops over arrays of elements are written. */
#ifndef TRN_NUM_ELEMENTS_H
#define TRN_NUM_ELEMENTS_H

#include "base/clones.h"
#include "trench/num.h"

#define TRN_INLINE static inline __attribute__((always_inline))

/* Elements of device memory lie at any byte address. */
typedef int16_t trn_packed_i16 __attribute__((aligned(1)));
typedef uint16_t trn_packed_u16 __attribute__((aligned(1)));
typedef int32_t trn_packed_i32 __attribute__((aligned(1)));
typedef uint32_t trn_packed_u32 __attribute__((aligned(1)));
typedef int64_t trn_packed_i64 __attribute__((aligned(1)));
typedef uint64_t trn_packed_u64 __attribute__((aligned(1)));

/* Before a loop that reads element i before it writes element i and touches no other: input and
 * output may be the same array, and the compiler need not look for any other overlap. */
#if defined(__clang__)
#define TRN_ELEMENTWISE
#else
#define TRN_ELEMENTWISE _Pragma("GCC ivdep")
#endif

#endif
