/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stdio.h>

#include "trench/base.h"

static void copy_text(char *to, size_t size, const char *from)
{
    snprintf(to, size, "%s", from ? from : "");
}

trn_status trn_diag_set(struct trn_diag *diag, trn_status status, const char *where,
                        const char *rule, const char *expected, const char *format, ...)
{
    if (!diag)
        return status;
    diag->status = status;
    copy_text(diag->where, sizeof diag->where, where);
    copy_text(diag->rule, sizeof diag->rule, rule);
    copy_text(diag->expected, sizeof diag->expected, expected);
    va_list args;
    va_start(args, format);
    vsnprintf(diag->message, sizeof diag->message, format, args);
    va_end(args);
    return status;
}

const char *trn_status_name(trn_status status)
{
    switch (status) {
    case TRN_OK:
        return "ok";
    case TRN_ERR_FAILED:
        return "failed";
    case TRN_ERR_NOT_FOUND:
        return "not found";
    case TRN_ERR_IO:
        return "input/output error";
    case TRN_ERR_NO_MEMORY:
        return "out of memory";
    case TRN_ERR_ADDRESS:
        return "bad address";
    case TRN_ERR_BUSY:
        return "busy";
    case TRN_ERR_INVALID:
        return "invalid";
    case TRN_ERR_TOO_LARGE:
        return "too large";
    case TRN_ERR_RANGE:
        return "out of range";
    case TRN_ERR_UNSUPPORTED:
        return "not supported";
    case TRN_ERR_FORMAT:
        return "bad format";
    case TRN_ERR_FAULT:
        return "device fault";
    case TRN_ERR_TIMEOUT:
        return "timeout";
    case TRN_ERR_ASSERT:
        return "assertion";
    case TRN_ERR_ABORT:
        return "abort";
    default:
        return "unknown status";
    }
}

const char *trn_version(void)
{
    return TRN_VERSION;
}
