/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel once more under names of its own (COPY is the prefix) and without clones, so that the
 * flags it is compiled with (see CMakeLists.txt) are the host it is made for. */
#define COPY_JOIN_(a, b) a##b
#define COPY_JOIN(a, b)  COPY_JOIN_(a, b)
#define trn_pe_columns   COPY_JOIN(COPY, _columns)
#define trn_pe_put       COPY_JOIN(COPY, _put)
#define trn_pe_add       COPY_JOIN(COPY, _add)
#define trn_pe_pairs     COPY_JOIN(COPY, _pairs)
#define TRN_NO_CLONES
#include "engine/pe/columns.c"
#include "engine/pe/pairs.c"
