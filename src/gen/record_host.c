/* SPDX-License-Identifier: Apache-2.0 */
/* What the host makes of a record: classes, statuses, counters
 * (docs/hardware/notification-records.md 6). */
#include "trench/notify.h"

/* ---- error records (6.3) ---------------------------------------------------------------- */

enum {
    MEMORY_UNCORRECTABLE = 0xFD6B, /* 5.3: source bits 2, 4, 7 and 9 are the correctable ones */
    NAN_IGNORED = 0x7E00           /* 5.2; the mask of spurious DVE sources is OPEN: 0 */
};

static enum trn_error_class class_of(unsigned id, unsigned lo)
{
    /* the host's table; 0x0B is inside its bound and has no name */
    static const uint8_t classes[] = {TRN_ERROR_CLASS_NONE,
                                      TRN_ERROR_CLASS_NUMERICAL,
                                      TRN_ERROR_CLASS_NONE,
                                      TRN_ERROR_CLASS_NONE,
                                      TRN_ERROR_CLASS_MEMORY_ERROR,
                                      TRN_ERROR_CLASS_SW_FAKE_ERROR,
                                      TRN_ERROR_CLASS_SW_SEMAPHORE_ERROR,
                                      TRN_ERROR_CLASS_SW_EVENT_ERROR,
                                      TRN_ERROR_CLASS_SW_PSUM_COLLISION_ERROR,
                                      TRN_ERROR_CLASS_TRANSIENT,
                                      TRN_ERROR_CLASS_SW_SEQUENCER_ERROR,
                                      TRN_ERROR_CLASS_NONE};
    if (id >= sizeof classes / sizeof classes[0])
        return TRN_ERROR_CLASS_NONE;
    if (id == TRN_ERROR_ID_MEMORY_ERROR && (lo & MEMORY_UNCORRECTABLE) == 0)
        return TRN_ERROR_CLASS_TRANSIENT;
    if (id == TRN_ERROR_ID_FP_NAN && (lo & ~(unsigned)NAN_IGNORED) == 0)
        return TRN_ERROR_CLASS_NONE;
    return (enum trn_error_class)classes[id];
}

static struct trn_record_host of_class(enum trn_error_class klass)
{
    static const struct {
        uint16_t status;
        uint8_t counter;
    } effects[] = {
        [TRN_ERROR_CLASS_NONE] = {TRN_HOST_STATUS_SUCCESS, 0},
        [TRN_ERROR_CLASS_NUMERICAL] = {TRN_HOST_STATUS_EXEC_COMPLETED_WITH_NUM_ERR, 0},
        [TRN_ERROR_CLASS_TRANSIENT] = {TRN_HOST_STATUS_EXEC_COMPLETED_WITH_ERR, 0},
        [TRN_ERROR_CLASS_MEMORY_ERROR] = {TRN_HOST_STATUS_EXEC_HW_ERR_NC_UE, 33},
        [TRN_ERROR_CLASS_SW_FAKE_ERROR] = {TRN_HOST_STATUS_EXEC_COMPLETED_WITH_ERR, 0},
        [TRN_ERROR_CLASS_SW_SEMAPHORE_ERROR] = {TRN_HOST_STATUS_EXEC_COMPLETED_WITH_ERR, 36},
        [TRN_ERROR_CLASS_SW_EVENT_ERROR] = {TRN_HOST_STATUS_EXEC_COMPLETED_WITH_ERR, 37},
        [TRN_ERROR_CLASS_SW_PSUM_COLLISION_ERROR] = {TRN_HOST_STATUS_EXEC_COMPLETED_WITH_ERR, 38},
        [TRN_ERROR_CLASS_SW_SEQUENCER_ERROR] = {TRN_HOST_STATUS_EXEC_COMPLETED_WITH_ERR, 39},
    };
    return (struct trn_record_host){.status = effects[klass].status,
                                    .error_class = (uint8_t)klass,
                                    .counter = effects[klass].counter};
}

static struct trn_record_host of_error(unsigned id, unsigned lo)
{
    const enum trn_error_class klass = class_of(id, lo);
    struct trn_record_host host = of_class(klass);
    if (id == TRN_ERROR_ID_MEMORY_ERROR && klass == TRN_ERROR_CLASS_TRANSIENT) {
        host.log_only = true; /* a correctable one leaves the status alone */
        host.status = TRN_HOST_STATUS_SUCCESS;
    }
    /* The dead engine posts no END, so its time limit runs out (error-handling.md 12). */
    if (id == TRN_ERROR_ID_SEQUENCER_FATAL)
        host.later_status = TRN_HOST_STATUS_TIMEOUT;
    return host;
}

/* ---- completion records (6.2) ------------------------------------------------------------- */

static struct trn_record_host of_custom(unsigned cid)
{
    enum { OUT_OF_BOUNDS_LAST = 5, TRANSPOSE_FIRST = 9, TRANSPOSE_LAST = 10, LAST_LOGGED = 8 };
    if (cid <= OUT_OF_BOUNDS_LAST || cid == TRANSPOSE_FIRST || cid == TRANSPOSE_LAST)
        return (struct trn_record_host){.status = TRN_HOST_STATUS_EXEC_OOB};
    if (cid <= LAST_LOGGED) /* 6 debug value, 7 and 8 tensors: no status */
        return (struct trn_record_host){.log_only = cid == OUT_OF_BOUNDS_LAST + 1};
    return (struct trn_record_host){.status = TRN_HOST_STATUS_FAILURE};
}

static struct trn_record_host of_completion(const struct trn_record_explicit_notify *notify)
{
    enum { START = 2, END = 3, CUSTOM = 6, COLLECTIVE_START = 7, COLLECTIVE_END = 8 };
    switch (notify->debug_hint_extended) {
    case START:
    case END:
    case COLLECTIVE_START:
    case COLLECTIVE_END:
        return (struct trn_record_host){.status = TRN_HOST_STATUS_SUCCESS};
    case CUSTOM:
        return of_custom(notify->soft_reset_counter);
    default:
        return (struct trn_record_host){.status = TRN_HOST_STATUS_FAILURE};
    }
}

struct trn_record_host trn_record_host(const struct trn_record *record)
{
    union trn_record_body body = record->body;
    switch (record->form) {
    case TRN_FORM_EXPLICIT_NOTIFY:
        return of_completion(&body.explicit_notify);
    case TRN_FORM_TPB_ERROR:
        return of_error(body.tpb_error.error_id, body.tpb_error.metadata_lo);
    case TRN_FORM_TPB_ERROR_SEQUENCER:
        return of_error(body.tpb_error_sequencer.error_id, body.tpb_error_sequencer.subtype);
    default:
        return (struct trn_record_host){.status = TRN_HOST_STATUS_SUCCESS};
    }
}

/* ---- worst of several (6.4) ----------------------------------------------------------------- */

unsigned trn_host_status_rank(unsigned status)
{
    switch (status) {
    case TRN_HOST_STATUS_SUCCESS:
        return 0;
    case TRN_HOST_STATUS_TIMEOUT:
    case TRN_HOST_STATUS_HW_ERROR:
    case TRN_HOST_STATUS_EXEC_HW_ERR_COLLECTIVES:
    case TRN_HOST_STATUS_EXEC_SW_NQ_OVERFLOW:
    case TRN_HOST_STATUS_NETWORK_PROXY_FAILURE:
        return 2;
    default:
        return status >= TRN_HOST_STATUS_EXEC_COMPLETED_WITH_ERR &&
                       status < TRN_HOST_STATUS_NETWORK_PROXY_FAILURE
                   ? 3
                   : 1;
    }
}
