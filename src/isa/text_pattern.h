/* SPDX-License-Identifier: Apache-2.0 */
/* Memory patterns as the text form sees them: every arm, with its exact encoding. */
#ifndef TRN_ISA_TEXT_PATTERN_H
#define TRN_ISA_TEXT_PATTERN_H

#include "isa/text.h"
#include "isa/text_address.h"

enum { TRN_PATTERN_MAX_BYTES = 20 };

enum trn_arm {
    TRN_ARM_SHAPE,          /* counts and steps in the word */
    TRN_ARM_SHAPE_REGISTER, /* both in a shape register */
    TRN_ARM_INDIRECT,       /* an index vector selects the elements */
    TRN_ARM_MX,             /* MXTENSOR_V2 */
    TRN_ARM_RAW             /* none of them exactly: only the bytes tell */
};

/* One pattern, MX pattern or generator. Addresses lie in `start`; of an indirect arm that is the
 * data buffer. A plain ADDR4 here has no markers but from_register. */
struct trn_text_pattern {
    enum trn_arm arm;
    struct trn_addr4 start;
    uint8_t ndim;
    uint16_t num[4]; /* of an indirect arm: num[0] indices; of TRN_ARM_MX: two counts */
    int16_t step[4]; /* of TRN_ARM_MX: step[0] of the data, step[1] of the scales */
    int16_t shape_register;
    struct trn_addr4 index; /* TRN_ARM_INDIRECT */
    bool has_scale;         /* MX forms */
    struct trn_addr4 scale;
    uint8_t scale_partition;             /* MX1D */
    uint8_t p_log2, f_log2, scale_dtype; /* TRN_ARM_MX */
    int32_t base;                        /* DATA4D has this instead of a start address */
};

/* The pattern in field `field` of a word (kind PATTERN, MX1D or DATA4D). When no arm gives the
 * field's bytes exactly, the arm is TRN_ARM_RAW. */
void trn_text_pattern_decode(const struct trn_text_field *field, const uint8_t *word,
                             struct trn_text_pattern *out);

/* The bytes of a pattern whose arm is not TRN_ARM_RAW; `bytes` holds field->size. */
void trn_text_pattern_encode(const struct trn_text_field *field,
                             const struct trn_text_pattern *pattern, uint8_t *bytes);

/* Number of dimensions of a field of kind PATTERN, MX1D or DATA4D. */
uint8_t trn_text_ndim(const struct trn_text_field *field);

/*
 * Steps of a pattern that reads adjacent elements: 1 in dimension 0 and in a dimension of one
 * element, else the product of the counts below. False when such a step does not fit its field.
 */
bool trn_text_contiguous(const uint16_t num[4], uint8_t ndim, int16_t step[4]);

#endif
