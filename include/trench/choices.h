/* SPDX-License-Identifier: Apache-2.0 */
/** trench/choices.h - the model choices a result can rest on. */
#ifndef TRENCH_CHOICES_H
#define TRENCH_CHOICES_H

#include "trench/base.h"
#include "trench/choice_ids.h"

#ifdef __cplusplus
extern "C" {
#endif

struct trn_choice_row {
    const char *id;    /**< stable name */
    const char *sheet; /**< sheet and section in docs/hardware/ */
    const char *what;  /**< one sentence */
    const char *confidence;
};

extern TRN_API const struct trn_choice_row trn_choice_table[TRN_CHOICE_COUNT];

#ifdef __cplusplus
}
#endif
#endif
