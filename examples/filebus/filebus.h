/* SPDX-License-Identifier: Apache-2.0 */
/* A bus of one's own: BAR0 is a sparse file, and each access is one line of a trace. */
#ifndef FILEBUS_H
#define FILEBUS_H

#include <stdio.h>

#include "trench/bus.h"

/* Do not move it while the bus is in use: bus.context points here. */
struct filebus {
    struct trn_bus bus; /* what the HAL gets */
    int image;          /* the file that is BAR0; a hole in it reads as zeroes */
    FILE *trace;        /* R OFFSET VALUE, W OFFSET VALUE, B OFFSET LENGTH SHA256; hexadecimal */
    uint64_t bytes;     /* size of BAR0 */
    uint64_t reads, writes, blocks, block_bytes;
};

/* Make both files, or take the image as it is when it exists: a second bring-up then meets the
 * registers the first one left. TRN_ERR_IO with errno set when a file cannot be used. */
trn_status filebus_open(struct filebus *filebus, const char *image, const char *trace,
                        uint64_t bytes);
/* TRN_ERR_IO when the trace could not be written out in full. */
trn_status filebus_close(struct filebus *filebus);

#endif
