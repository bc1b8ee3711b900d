/* SPDX-License-Identifier: Apache-2.0 */
/* Encodes and decodes what it reads from standard input, so that an independent program can check
 * it. A request: 'D' or 'E', codec, bits, block_size (u8 each), two constants (u16), the number of
 * blocks (u32), then the blocks, or the fp32 values. The answer: the status (i32), and when it is 0
 * the values, or the blocks. */
#include <stdio.h>
#include <stdlib.h>

#include "trench/cptc.h"

static void take(void *data, size_t size)
{
    if (size && fread(data, size, 1, stdin) != 1)
        exit(1);
}

int main(void)
{
    for (int what; (what = getchar()) != EOF;) {
        uint8_t head[3];
        uint32_t blocks;
        struct trn_cptc_format format;
        take(head, sizeof head);
        take(format.constant, sizeof format.constant);
        take(&blocks, sizeof blocks);
        format.codec = (enum trn_cptc_codec)head[0];
        format.bits = head[1];
        format.block_size = head[2];
        const size_t bytes = blocks * trn_cptc_block_bytes(&format);
        const size_t values = blocks * (size_t)format.block_size;
        uint8_t *const packed = malloc(bytes + 1);
        float *const numbers = malloc((values + 1) * sizeof *numbers);
        if (!packed || !numbers)
            return 1;
        take(what == 'D' ? (void *)packed : numbers, what == 'D' ? bytes : values * sizeof(float));
        const int32_t status = what == 'D'
                                   ? trn_cptc_decode(&format, packed, blocks, numbers, NULL)
                                   : trn_cptc_encode(&format, numbers, blocks, packed, NULL);
        fwrite(&status, sizeof status, 1, stdout);
        if (status == TRN_OK && what == 'D')
            fwrite(numbers, sizeof *numbers, values, stdout);
        else if (status == TRN_OK)
            fwrite(packed, 1, bytes, stdout);
        free(packed);
        free(numbers);
    }
    return 0;
}
