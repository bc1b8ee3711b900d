/* SPDX-License-Identifier: Apache-2.0 */
/* One word and what it sees, for trench dge build. */
#ifndef TRN_CLI_DGE_H
#define TRN_CLI_DGE_H

#include "trench/dge.h"
#include "trench/npy.h"

enum { DGE_REGISTERS = 64, DGE_LOCALS = 41, DGE_FLAGS = 38 };

struct dge_line {
    struct trn_dge_descriptor descriptor;
    uint8_t raw[TRN_DGE_DESC_BYTES];
};

struct dge_build {
    const char *action;
    const char *index_path[TRN_DGE_SIDES];
    const struct trn_gen *gen;
    int engine;
    uint8_t words[2 * TRN_INST_BYTES];
    unsigned num_words;
    uint32_t reg[DGE_REGISTERS], local[DGE_LOCALS];
    struct trn_dge_shape shape[4];
    struct trn_npy index[TRN_DGE_SIDES];
    struct trn_dge_options options;
    bool json, wants_log;
    /* what came of it */
    uint64_t index_at[TRN_DGE_SIDES]; /* device address of the vectors */
    size_t index_read[TRN_DGE_SIDES]; /* bytes that the word took of them; 0: none */
    uint64_t sbuf;                    /* and of the state buffer */
    struct trn_dge_outcome outcome;
    struct dge_line *lines;
    size_t num_lines, line_room;
    char *log;
    size_t log_bytes;
};

/* Executes and prints; returns an exit status. */
int dge_build_run(struct dge_build *build);
void dge_build_free(struct dge_build *build);

/* dge_print.c */
void dge_print_text(const struct dge_build *build);
void dge_print_json(const struct dge_build *build);

#endif
