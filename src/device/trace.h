/* SPDX-License-Identifier: Apache-2.0 */
/* Collects what a word, or a DMA engine, does and hands it to the sink as one step
 * (trench/trace.h). Nothing of it is there, and nothing is called, in a device without a sink. */
#ifndef TRN_DEVICE_TRACE_H
#define TRN_DEVICE_TRACE_H

#include "seq/seq.h"
#include "trench/trace.h"

struct trn_device;
struct trn_dge_outcome;
struct trn_tpb;

/* device->trace; TRN_ERR_NO_MEMORY. */
trn_status trn_trace_open(struct trn_device *device);
void trn_trace_close(struct trn_device *device);
/* Let the core's sequencers and its semaphores tell the trace. */
void trn_trace_attach(struct trn_tpb *tpb);

/* Parts of the step that is being done; trn_trace_* below end it. */
void trn_trace_access(struct trn_tpb *tpb, const struct trn_access *access);
void trn_trace_transfer(struct trn_tpb *tpb, const uint8_t *word,
                        const struct trn_dge_outcome *outcome);
/* A note waits for the step of its engine; `text` is static. */
void trn_trace_note(struct trn_tpb *tpb, int engine, enum trn_trace_note_kind kind, uint64_t pc,
                    const char *text, const char *message);

/* A word of `seq` has retired; `pc` is its address. */
void trn_trace_word(struct trn_tpb *tpb, const struct trn_seq *seq);
void trn_trace_fault(struct trn_tpb *tpb, const struct trn_fault *fault);
/* What the host has changed since the last step. */
void trn_trace_host(struct trn_device *device);
void trn_trace_dma(struct trn_device *device, unsigned number,
                   const struct trn_trace_transfer *transfer);

#endif
