/* SPDX-License-Identifier: Apache-2.0 */
/* What the sequencers told: faults and notifications, in the order they happened. */
#include <stdlib.h>

#include "device/core.h"

enum { MAX_NOTIFICATIONS = 65536, MAX_FAULTS = 4096 };

static bool reserve_report(struct trn_device *device)
{
    if (device->num_faults < device->fault_capacity)
        return true;
    const size_t wanted = device->fault_capacity ? 2 * device->fault_capacity : TRN_ENGINES;
    struct trn_fault_report *reports = realloc(device->fault_reports, wanted * sizeof *reports);
    if (!reports)
        return false;
    device->fault_reports = reports;
    device->fault_capacity = wanted;
    return true;
}

static void log_fault(struct trn_device *device, const struct trn_fault *fault)
{
    if (device->num_faults == MAX_FAULTS || !reserve_report(device))
        return;
    struct trn_fault_node *node = malloc(sizeof *node);
    if (!node)
        return;
    *node = (struct trn_fault_node){*fault, device->faults};
    device->faults = node;
    device->fault_reports[device->num_faults++] =
        (struct trn_fault_report){.engine = fault->engine,
                                  .pc = fault->pc,
                                  .klass = trn_fault_class_name(fault->klass),
                                  .rule = node->fault.rule,
                                  .message = node->fault.message};
}

static enum trn_notification_kind kind_of(const struct trn_seq_record *record)
{
    switch (record->kind) {
    case TRN_RECORD_START:
        return TRN_NOTIFY_INST_START;
    case TRN_RECORD_END:
        return TRN_NOTIFY_INST_END;
    case TRN_RECORD_EXPLICIT:
        return TRN_NOTIFY_EXPLICIT;
    case TRN_RECORD_ERROR:
        break;
    }
    return TRN_NOTIFY_ERROR;
}

static bool reserve_notification(struct trn_device *device)
{
    if (device->num_notifications < device->notification_capacity)
        return true;
    const size_t wanted = device->notification_capacity ? 2 * device->notification_capacity : 64;
    if (wanted > MAX_NOTIFICATIONS)
        return false;
    struct trn_notification *list = realloc(device->notifications, wanted * sizeof *list);
    if (!list)
        return false;
    device->notifications = list;
    device->notification_capacity = wanted;
    return true;
}

void trn_device_log_record(void *context, const struct trn_seq_record *record)
{
    struct trn_device *device = context;
    if (record->kind == TRN_RECORD_ERROR)
        log_fault(device, &device->seq[record->engine].fault);
    if (!reserve_notification(device)) {
        device->notifications_lost++;
        return;
    }
    device->notifications[device->num_notifications++] =
        (struct trn_notification){.kind = kind_of(record),
                                  .engine = record->engine,
                                  .pc = record->pc,
                                  .debug_hint = record->debug_hint,
                                  .soft_reset_counter = record->soft_reset_counter,
                                  .debug_hint_extended = record->debug_hint_extended,
                                  .code = record->code,
                                  .info = record->aux};
}

void trn_device_free_logs(struct trn_device *device)
{
    while (device->faults) {
        struct trn_fault_node *next = device->faults->next;
        free(device->faults);
        device->faults = next;
    }
    free(device->fault_reports);
    free(device->notifications);
}
