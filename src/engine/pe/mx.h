/* SPDX-License-Identifier: Apache-2.0 */
/* Block-scaled words of the matrix engine (docs/hardware/pe-array.md 10). */
#ifndef TRN_ENGINE_PE_MX_H
#define TRN_ENGINE_PE_MX_H

#include "engine/mx_operand.h"
#include "engine/pe/mx_columns.h"
#include "engine/pe/product.h"

/* LDWEIGHTS_MX and MATMUL_MX: what they say, as the other words say it. */
trn_status trn_pe_read_ldweights_mx(struct trn_exec *x, struct trn_pe_word *out);
trn_status trn_pe_read_matmul_mx(struct trn_exec *x, struct trn_pe_word *out);

/* What the operands of `rows` rows met, and the finished sums of a panel and a strip of `count`
 * moving elements (engine/numeric.h, pe/numeric.h). */
unsigned trn_mx_numeric_of_operands(const struct trn_mx_panel *w, const struct trn_mx_strip *x,
                                    uint32_t rows);
unsigned trn_mx_numeric_of_sums(const struct trn_mx_panel *w, const struct trn_mx_strip *x,
                                uint32_t rows, uint32_t columns, uint32_t count,
                                float *const sums[TRN_PE_PANEL_COLUMNS]);

#endif
