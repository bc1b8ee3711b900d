/* SPDX-License-Identifier: Apache-2.0 */
/* Any format and any bytes through the CPTC decoder: what it accepts it reads and writes exactly as
 * far as it says, and what it decoded encodes to blocks that decode to the same values. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trench/cptc.h"

enum { HEAD = 7 };

static void require(int condition)
{
    if (!condition)
        abort();
}

static void encode_again(const struct trn_cptc_format *format, const float *values, size_t blocks)
{
    const size_t count = blocks * format->block_size;
    uint8_t *const bytes = malloc(blocks * trn_cptc_block_bytes(format) + 1);
    float *const back = malloc(count * sizeof *back + 1);
    struct trn_diag diag = {.message = ""};
    require(bytes && back);
    if (trn_cptc_encode(format, values, blocks, bytes, &diag) == TRN_OK) {
        require(trn_cptc_decode(format, bytes, blocks, back, NULL) == TRN_OK);
        for (size_t i = 0; i < count; i++)
            require(values[i] == back[i]);
    } else {
        require(diag.message[0] != '\0');
    }
    free(bytes);
    free(back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < HEAD)
        return 0;
    struct trn_cptc_format format = {
        .codec = (enum trn_cptc_codec)(data[0] % 3), .bits = data[1], .block_size = data[2]};
    memcpy(format.constant, data + 3, sizeof format.constant);
    struct trn_diag diag = {.message = ""};
    if (trn_cptc_check(&format, &diag) != TRN_OK) {
        require(diag.message[0] != '\0');
        require(trn_cptc_decode(&format, NULL, 1, NULL, NULL) == TRN_ERR_INVALID);
        return 0;
    }
    const size_t blocks = (size - HEAD) / trn_cptc_block_bytes(&format);
    const size_t used = blocks * trn_cptc_block_bytes(&format);
    uint8_t *const bytes = malloc(used + 1); /* of its own, so that a byte too many is seen */
    float *const values = malloc(blocks * format.block_size * sizeof *values + 1);
    require(bytes && values);
    memcpy(bytes, data + HEAD, used);
    require(trn_cptc_decode(&format, bytes, blocks, values, NULL) == TRN_OK);
    encode_again(&format, values, blocks);
    free(bytes);
    free(values);
    return 0;
}
