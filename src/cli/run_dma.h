/* SPDX-License-Identifier: Apache-2.0 */
/* DMA of a run: copies of the host, and what the generator of the core moved and logged. */
#ifndef TRN_CLI_RUN_DMA_H
#define TRN_CLI_RUN_DMA_H

#include "cli/run.h"

/* Host memory for the rings and the data of --dma-load and --dma-dump; 0: there are none. */
uint64_t run_dma_host_bytes(const struct run_options *options);
/* They lie at `offset` of the host's memory. */
void run_dma_place(struct run_dma *dma, const struct trn_gen *gen, uint8_t *memory,
                   uint64_t offset);
/* TRN_ERR_UNSUPPORTED where the generation has no engine for them. */
trn_status run_dma_check(const struct run_core *core, struct trn_diag *diag);
/* Set the host's queue up and make the copies in; before the engines start. */
trn_status run_dma_load(struct run_core *core, struct trn_hal *hal, struct trn_diag *diag);
trn_status run_dma_download(struct run_core *core, struct run_array *array, struct trn_diag *diag);

json_t *run_dma_json(const struct run_core *core);
void run_dma_text(const struct run_core *core);

/* --dge-log: trn_device_options.dge_log, a line as it comes or for the document. */
void run_dge_line(void *core, int engine, const char *line);
void run_dge_lines_json(const struct run_core *core, json_t *run);

#endif
