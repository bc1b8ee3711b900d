/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of the device side that are not registers: notification records, their routing and input
 * buffers, interrupt causes, error numbers. One table of data/ each. */
#ifndef TRN_GEN_DEVICE_ROWS_H
#define TRN_GEN_DEVICE_ROWS_H

#include <stddef.h>
#include <stdint.h>

/* notification-types.csv: code 0..31 of a 16-byte record */
struct trn_record_row {
    uint8_t code;
    const char *name, *meaning;
};

/* record-fields.csv: a field of the 128 bits, of every record type whose bit is set in `codes` */
struct trn_record_field_row {
    uint32_t codes;
    uint8_t low, bits;
    const char *form; /* of records that have several: "notify", "dge_metadata", ... */
    const char *name, *meaning, *confidence;
};

/* notific-wr-buffers.csv: bit of wr_buf_enable */
struct trn_wr_buffer_row {
    uint8_t bit;
    const char *name, *note;
};

/* notific-routing.csv: where the queue number of a record class is programmed */
struct trn_routing_row {
    const char *register_path; /* block.name of registers.csv */
    uint8_t low, bits;
    const char *name, *meaning, *generations;
};

/* tpb-intc-triggers.csv */
struct trn_trigger_row {
    uint8_t trigger, unit, group, bit;
    const char *name, *kind, *note, *confidence; /* kind: "level" or "edge" */
};

/* udma_iofic.csv: cause in the secondary interrupt controller of a DMA engine */
struct trn_dma_cause_row {
    char group; /* 'A', 'B', 'C' */
    uint8_t bit;
    uint8_t unmasked_at_init, aborts_engine;
    const char *direction, *cause;
};

/* errors.csv: a number by which an error is reported; `group` says which kind of number */
struct trn_error_row {
    const char *group;
    uint16_t value;
    const char *name, *effect, *meaning, *sheet, *confidence;
};

extern const struct trn_record_row trn_record_table[];
extern const size_t trn_num_records;
extern const struct trn_record_field_row trn_record_field_table[];
extern const size_t trn_num_record_fields;
extern const struct trn_wr_buffer_row trn_wr_buffer_table[];
extern const size_t trn_num_wr_buffers;
extern const struct trn_routing_row trn_routing_table[];
extern const size_t trn_num_routings;
extern const struct trn_trigger_row trn_trigger_table[];
extern const size_t trn_num_triggers;
extern const struct trn_dma_cause_row trn_dma_cause_table[];
extern const size_t trn_num_dma_causes;
extern const struct trn_error_row trn_error_table[];
extern const size_t trn_num_errors;

#endif
