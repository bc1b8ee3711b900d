/* SPDX-License-Identifier: Apache-2.0 */
/* The catalogue of the vendor's images, made from data/firmware-images.csv. */
#ifndef TRN_FW_KNOWN_ROWS_H
#define TRN_FW_KNOWN_ROWS_H

#include "trench/fw.h"

extern const struct trn_fw_known fw_known_rows[];
extern const size_t fw_num_known_rows;

#endif
