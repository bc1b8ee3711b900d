/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as an npy file, or as the header text of one: every accepted array lies inside the
 * bytes, and its header written anew reads back as the same array. */
#include <stdlib.h>
#include <string.h>

#include "trench/npy.h"

static void require(int condition)
{
    if (!condition)
        abort();
}

static void read_again(const struct trn_npy *array)
{
    uint8_t header[TRN_NPY_HEADER_MAX];
    const size_t length = trn_npy_header(array->type, array->shape, array->num_dims, header);
    require(length % 64 == 0 && length <= sizeof header);
    uint8_t *file = malloc(length + array->size_bytes);
    require(file != NULL);
    memcpy(file, header, length);
    memcpy(file + length, array->data, array->size_bytes);
    struct trn_npy copy;
    require(trn_npy_parse(file, length + array->size_bytes, "copy", &copy, NULL) == TRN_OK);
    require(copy.type == array->type && copy.num_elements == array->num_elements);
    require(trn_npy_expect(&copy, "copy", array->type, array->shape, array->num_dims, NULL) ==
            TRN_OK);
    free(file);
}

static void parse(const uint8_t *file, size_t size)
{
    struct trn_npy array;
    struct trn_diag diag = {.status = TRN_OK};
    const trn_status status = trn_npy_parse(file, size, "fuzz", &array, &diag);
    if (status != TRN_OK) {
        require(diag.status == status && diag.message[0] != '\0' && array.data == NULL);
        return;
    }
    require(array.size_bytes == array.num_elements * trn_npy_type_size(array.type));
    require(array.data >= file && array.data + array.size_bytes == file + size);
    read_again(&array);
}

/* A version 1.0 file around a header text, with `data_bytes` of data. */
static void parse_text(const uint8_t *text, uint16_t length, uint8_t data_bytes)
{
    const size_t size = (size_t)10 + length + data_bytes;
    uint8_t *file = calloc(1, size);
    require(file != NULL);
    memcpy(file, "\x93NUMPY\x01", 8);
    file[8] = (uint8_t)length;
    file[9] = (uint8_t)(length >> 8);
    memcpy(file + 10, text, length);
    parse(file, size);
    free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size >= 2 && size < 4096 && data[0] == '{')
        parse_text(data, (uint16_t)(size - 1), data[size - 1]);
    else
        parse(data, size);
    return 0;
}
