/* SPDX-License-Identifier: Apache-2.0 */
/**
 * trench/notify.h - notification records: 16 bytes that tell the host what happened.
 *
 * docs/hardware/notification-records.md is the reference; section numbers below are its. Codes,
 * error numbers and one struct for each layout are in record_ids.h, made from
 * data/notification-types.csv, data/errors.csv and data/record-fields.csv: the table of positions
 * is the only place that knows where a field lies. All calls are pure; any thread may make them.
 */
#ifndef TRENCH_NOTIFY_H
#define TRENCH_NOTIFY_H

#include "trench/gen.h"
#include "trench/record_ids.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TRN_RECORD_BYTES 16

/** A record taken apart. */
struct trn_record {
    uint8_t type;               /**< enum trn_record_code */
    bool phase;                 /**< flips on every wrap of the ring */
    bool hw_overflow;           /**< an input buffer was full: later records were lost */
    bool sw_overflow;           /**< the ring was full: earlier records were lost */
    uint64_t timestamp;         /**< picoseconds */
    enum trn_record_form form;  /**< which member of `body` holds */
    union trn_record_body body; /**< num_packets of DGE metadata is 1..4096 here */
};

/**
 * The bytes of a record whose type, form and body are given: bits 5..7 of the header and the
 * timestamp, which the notification block owns, are 0 (section 7). The form decides debug_hint of
 * EXPLICIT and n_type of ERROR records; what the body says there is ignored.
 * TRN_ERR_INVALID: an unused type, or a form that is not the type's; TRN_ERR_RANGE: a number that
 * does not fit its field, num_packets outside 1..4096, a kind of DMA record that is not the form's.
 */
TRN_API trn_status trn_record_encode(const struct trn_record *record, uint8_t out[TRN_RECORD_BYTES],
                                     struct trn_diag *diag);

/**
 * Take 16 bytes apart. TRN_ERR_FORMAT, never a guess: an unused type, an EXPLICIT hint other than
 * 0 and 1, an error id above 0x0B, an unknown kind of DMA record. *record then holds the frame.
 */
TRN_API trn_status trn_record_decode(const uint8_t raw[TRN_RECORD_BYTES], struct trn_record *record,
                                     struct trn_diag *diag);

/** "TPB_ERROR"; NULL for an unused code. */
TRN_API const char *trn_record_name(uint8_t type);
/** "notify", "dge_metadata", ...; "" where a type has one layout only. */
TRN_API const char *trn_record_form_name(enum trn_record_form form);
/** Engine whose record it is by its type: PE 0, ACT 1, POOL 2, DVE 3, SP 4; -1: none's. */
TRN_API int trn_record_engine(uint8_t type);
/** Code of an engine's record: 4 + 4 * engine + class of INST_START 0, INST_END 1, EXPLICIT 2,
 * EVT_SEM 3 (section 3). A TopSP uses SP's. */
TRN_API uint8_t trn_record_code_of(int engine, unsigned klass);

/** block_id of sequencer errors (5.7) and engine numbers; 0 and -1 where there is none. */
TRN_API uint8_t trn_record_block_of(int engine);
TRN_API int trn_record_engine_of_block(uint8_t block_id);

/** Source bits of metadata_lo (5.2; model choice). */
enum trn_fp_source {
    TRN_FP_SOURCE_PSUM,
    TRN_FP_SOURCE_ACT,
    TRN_FP_SOURCE_POOL,
    TRN_FP_SOURCE_DVE,
    TRN_FP_SOURCE_PE,
    TRN_FP_SOURCES
};

/** One field of a record, in the order of the table. */
struct trn_record_field {
    const char *name;
    uint64_t value;
};

#define TRN_RECORD_MAX_FIELDS 8
/** Fields of the body (not of the frame); stores up to TRN_RECORD_MAX_FIELDS, returns how many. */
TRN_API size_t trn_record_fields(const struct trn_record *record,
                                 struct trn_record_field fields[TRN_RECORD_MAX_FIELDS]);

/** Number of a group of errors.csv ("error_id", "host_status", ...) as a name; NULL: none. */
TRN_API const char *trn_error_name(const char *group, unsigned value);

/* ---- what the host makes of it (section 6) ------------------------------------------ */

struct trn_record_host {
    uint16_t status;       /**< enum trn_host_status */
    uint16_t later_status; /**< what the run ends with afterwards: TIMEOUT of a dead engine; or 0 */
    uint8_t error_class;   /**< enum trn_error_class (6.3) */
    uint8_t counter;       /**< of the kernel driver that moves; 0: none */
    bool log_only;         /**< said in the log, the status stays */
};

/** EXPLICIT records as the completion path reads them, TPB_ERROR as the error path does. */
TRN_API struct trn_record_host trn_record_host(const struct trn_record *record);
/** 3 worst, 0 best (6.4): of two statuses the one that ranks higher is reported. */
TRN_API unsigned trn_host_status_rank(unsigned status);

#define TRN_RECORD_TEXT_MAX 512
/**
 * One sentence on what happened, who did it and what the host reports; what only some generations
 * have is said on the others. Always terminated; returns its length.
 */
TRN_API size_t trn_record_text(const struct trn_gen *gen, const struct trn_record *record,
                               char text[TRN_RECORD_TEXT_MAX]);

#ifdef __cplusplus
}
#endif
#endif
