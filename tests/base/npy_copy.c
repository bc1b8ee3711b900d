/* SPDX-License-Identifier: Apache-2.0 */
/* npy_copy IN OUT: reads an array and writes it again; the message goes to stderr, exit 2. */
#include <stdio.h>

#include "trench/npy.h"

int main(int argc, char **argv)
{
    if (argc != 3)
        return 1;
    struct trn_npy array;
    struct trn_diag diag;
    if (trn_npy_read(argv[1], 0, &array, &diag) != TRN_OK) {
        fprintf(stderr, "%s; expected %s\n", diag.message, diag.expected);
        return 2;
    }
    const trn_status status =
        trn_npy_write(argv[2], array.type, array.shape, array.num_dims, array.data, &diag);
    trn_npy_free(&array);
    if (status != TRN_OK)
        fprintf(stderr, "%s\n", diag.message);
    return status == TRN_OK ? 0 : 2;
}
