/* SPDX-License-Identifier: Apache-2.0 */
/* A core for the descriptor generator: HBM, SBUF, registers, and everything it says, kept. */
#ifndef TRN_TESTS_DGE_RIG_H
#define TRN_TESTS_DGE_RIG_H

#include "trench/dge.h"

#define RIG_SBUF       UINT64_C(0x2000000000)
#define RIG_DGE_MEMORY UINT64_C(0x2040000000)
#define RIG_SEM_INC    UINT64_C(0x2802701800)

enum {
    RIG_HBM_BYTES = 1 << 24, /* at device address 0 */
    RIG_HBM_END = 1 << 29,
    RIG_SBUF_BYTES = 1 << 25,
    RIG_LOG_BYTES = 1 << 18,
    RIG_MAX_DESCS = 1 << 14,
    RIG_MAX_RECORDS = 16,
    RIG_PARTITION = 0x40000
};

struct rig {
    const struct trn_gen *gen;
    struct trn_dge_ports ports;
    struct trn_dge *dge;
    uint8_t *hbm, *sbuf;
    bool piecewise; /* map shows 7 bytes at a time, and nothing at odd addresses */
    uint32_t reg[64];
    uint32_t local[64];
    struct trn_dge_shape shape[4];
    uint64_t table[8];
    uint32_t semaphore[256];
    struct trn_record record[RIG_MAX_RECORDS];
    unsigned num_records;
    char *log; /* lines, each with its newline */
    size_t log_at;
    struct trn_dge_descriptor *desc;
    uint8_t (*raw)[TRN_DGE_DESC_BYTES];
    unsigned num_descs;
    uint8_t sent[64];
    unsigned num_sent, sent_dma, sent_queue;
    struct trn_dge_queue host[16]; /* one queue of each engine; shown when has_host */
    bool has_host[16];
    uint32_t passed[16][TRN_DGE_SIDES];
    unsigned choices[TRN_CHOICE_COUNT];
    struct trn_dge_outcome outcome;
};

/* `options` NULL: defaults. Memory holds a pattern that depends on the address. */
void rig_open(struct rig *rig, const char *gen, const struct trn_dge_options *options);
void rig_close(struct rig *rig);
/* Host memory of a device address; NULL when there is none. */
uint8_t *rig_at(struct rig *rig, uint64_t address, uint64_t size);
/* Forgets what the last word said, then executes. */
trn_status rig_run(struct rig *rig, int engine, const uint8_t *word, const uint8_t *next);
bool rig_logged(const struct rig *rig, const char *line);
/* 64 bytes from hexadecimal text; spaces are skipped. */
void rig_word(const char *hex, uint8_t word[TRN_INST_BYTES]);
/* Indices from byte `offset` of partition 0 on. */
void rig_indices(struct rig *rig, uint32_t offset, const uint32_t *index, unsigned count);

#endif
