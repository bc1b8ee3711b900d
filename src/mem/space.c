/* SPDX-License-Identifier: Apache-2.0 */
#include "trench/mem.h"

const char *trn_space_name(enum trn_space space)
{
    static const char *const names[TRN_SPACE_COUNT] = {"sbuf", "psum", "hbm", "host"};
    return space < TRN_SPACE_COUNT ? names[space] : "?";
}
