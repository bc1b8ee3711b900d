/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of the descriptor generation engine (docs/hardware/dge.md; section numbers are its).
 */
#ifndef TRN_DMA_DGE_H
#define TRN_DMA_DGE_H

#include "base/bytes.h"
#include "trench/dge.h"

enum {
    DGE_ENGINES = 5,
    DGE_CLASSES = 5,            /* V9 */
    DGE_DEFAULT_BUDGET = 4096,  /* 6.7: descriptors of a ring that nobody configured */
    DGE_RESERVED = 1,           /* 6.5: the semaphore's */
    DGE_PACKET_DESCS = 64,      /* 8.5 */
    DGE_MAX_PACKET = 128,       /* udma.md 3: hardware ceiling; a tile has up to 128 columns */
    DGE_PACKET_BYTES = 0xFFFFF, /* 8.5 */
    DGE_TILE_ROWS = 16          /* V18 */
};

enum dge_kind { DGE_DIRECT2D, DGE_INDIRECT, DGE_TRANSPOSE, DGE_GATHER_TRANSPOSE, DGE_IMMEDIATE };

/* ---- a word, taken apart ------------------------------------------------------------------------
 */

/* One side: where its elements are. address = start + sum at[k] * step[k], wrapping (8.3). */
struct dge_side {
    uint64_t start;
    uint64_t compared; /* with the address bound: start, or the offset of a table form (7.2) */
    bool wide;         /* its limit has 64 bits */
    bool in_sbuf;
    uint8_t bound; /* register byte of the word */
    bool bounds_index;
    uint32_t num[TRN_DGE_DIMS];
    int64_t step[TRN_DGE_DIMS]; /* bytes */
    uint8_t dims;
    uint32_t elem_bytes;
    bool indexed;
    uint8_t index_dim;
    uint64_t index_address;
    const uint32_t *index; /* read: num[index_dim] of them */
    const uint8_t *good;   /* and which are inside the bound */
};

struct dge_request {
    uint8_t opcode;
    enum dge_kind kind;
    struct dge_side side[TRN_DGE_SIDES];
    uint8_t compute_op, in_dtype, out_dtype;
    bool is_err;
    uint8_t priority, semaphore, increment;
    /* transposes: tiles of `rows` source rows, `row_step` apart, of `cols` elements */
    uint32_t rows, cols;
    int64_t row_step;
    /* inline forms (12) */
    bool inline_form;
    uint8_t first_dma, num_dmas, queue;
    uint8_t read_update;
    uint16_t read_semaphore;
};

static inline bool dge_computes(const struct dge_request *req)
{
    return req->compute_op != TRN_DGE_COMPUTE_OP_NONE || req->in_dtype != req->out_dtype;
}

/* Element pairs (0 when a count is 0); saturates. */
uint64_t dge_elements(const struct dge_side *side);

/* ---- contexts (5): one an engine, priority class and kind of backend --------------------------
 */

struct dge_ring {
    uint64_t base; /* device address */
    uint8_t *desc; /* ring_ndesc of them */
    uint32_t at;
    uint8_t ring_id;
    uint32_t in_batch;
};

struct dge_context {
    bool ready;
    bool in_carveout;
    uint32_t number, budget, ndesc;
    struct dge_ring ring[TRN_DGE_SIDES]; /* M2S, S2M */
};

/* How a tensor pair is split (8.4). */
enum dge_reshape { DGE_STRAIGHT, DGE_PARTITIONS, DGE_XPOSE, DGE_SB2SB };

struct trn_dge {
    const struct trn_gen *gen;
    struct trn_dge_ports ports;
    struct trn_dge_options options;
    uint8_t mailbox[4][4];
    uint32_t packet_bytes[DGE_CLASSES]; /* 6.6: what a host prefers; 0: no wish */
    struct dge_context context[DGE_ENGINES][DGE_CLASSES][2]; /* last: sw */
    uint32_t *index[TRN_DGE_SIDES];
    uint8_t *good[TRN_DGE_SIDES];
    uint32_t index_room[TRN_DGE_SIDES];
    uint8_t *tile; /* work area of transposes */
};

/* ---- one word on its way ------------------------------------------------------------------------
 */

/* Bytes of one side that one descriptor moves. */
struct dge_run {
    bool open;
    uint64_t address, other;
    uint32_t bytes;
};

/* Bytes that lie together on both sides. */
struct dge_piece {
    uint64_t src, dst;
    uint32_t bytes;
    bool joins_src, joins_dst; /* the piece before it */
    uint8_t *in, *out;         /* host memory; out NULL: not in place */
};

/* Descriptors of one length, a pitch apart, and where the other side of each lies. */
struct dge_rows {
    uint64_t address, pitch, other, other_pitch;
    uint32_t bytes, count;
};

/* Rings of a queue that its host initialised (6.7). */
struct dge_given {
    struct dge_given_ring {
        uint64_t base;
        uint32_t length, at, put; /* put: descriptors that the owner has not been told of */
        uint8_t ring_id;
    } ring[TRN_DGE_SIDES];
};

/* A descriptor that the owner has not been shown yet: its flags may change until the next packet.
 */
struct dge_shown {
    struct dge_run run;
    uint8_t *raw;
    uint8_t dma;
};

struct dge_run_state {
    struct trn_dge *dge;
    int engine;
    const struct trn_dge_next *next;
    struct trn_dge_outcome *outcome;
    struct dge_request req;
    struct dge_context *context;
    enum dge_reshape reshape;
    uint32_t usable; /* DMA engines (6.6) */
    uint8_t dma[16], num_dmas, queue;
    uint32_t given;        /* DMA engines with rings of a host */
    uint32_t room, budget; /* credits: of the host's rings, of the word */
    uint8_t room_dma;      /* whose rings are the smallest */
    uint64_t in_batches;   /* data descriptors whose batch was triggered */
    /* the packet that is being built */
    struct dge_run run[TRN_DGE_SIDES];
    uint32_t in_packet[TRN_DGE_SIDES], packet_bytes, packet_limit;
    uint8_t *last_read; /* M2S descriptor that will be LAST */
    struct dge_shown shown[TRN_DGE_SIDES][DGE_MAX_PACKET];
    uint32_t num_shown[TRN_DGE_SIDES];
    uint64_t to_lose, lost;    /* fault injection */
    struct dge_given host[16]; /* those that `given` says */
};

static inline void dge_choice(const struct trn_dge *dge, enum trn_choice choice)
{
    if (dge->ports.choice)
        dge->ports.choice(dge->ports.context, choice);
}

static inline bool dge_logs(const struct dge_run_state *w)
{
    return w->dge->ports.log != NULL;
}

void dge_log(const struct dge_run_state *w, const char *format, ...) TRN_PRINTF(2, 3);

/* dge_decode.c: every function fills the outcome when the answer is not TRN_OK. A word that cannot
 * be taken apart is illegal: TRN_ERR_INVALID. */
trn_status dge_decode(struct dge_run_state *w, const uint8_t *word);
trn_status dge_illegal(struct dge_run_state *w, const char *rule, const char *format, ...)
    TRN_PRINTF(3, 4);

/* dge_address.c */
trn_status dge_addr8(struct dge_run_state *w, const uint8_t bytes[8], struct dge_side *side,
                     bool *shape);
trn_status dge_addr4(struct dge_run_state *w, const uint8_t bytes[4], uint64_t *address);
trn_status dge_inline_address(struct dge_run_state *w, const uint8_t bytes[8], uint8_t mode,
                              struct dge_side *side);
trn_status dge_register(struct dge_run_state *w, unsigned number, uint32_t *value);

/* dge_bounds.c */
trn_status dge_check_addresses(struct dge_run_state *w, bool *inside);
trn_status dge_read_indices(struct dge_run_state *w);

/* dge_context.c */
enum trn_dge_backend dge_select(struct dge_run_state *w);
trn_status dge_bind(struct dge_run_state *w, bool software);
void dge_free_contexts(struct trn_dge *dge);

/* dge_rings.c: engines whose queue a host set up, those with an unusable one are out; then what the
 * rings take, and each descriptor as it goes in. */
void dge_find_rings(struct dge_run_state *w);
void dge_take_credits(struct dge_run_state *w);
void dge_put_in_ring(struct dge_run_state *w, enum trn_dge_side side, unsigned dma, uint8_t *raw);
void dge_pass(struct dge_run_state *w);
uint32_t dge_packet_bytes(const struct dge_run_state *w);

/* dge_reshape.c: #DMA and how the pair is split, with its lines. */
void dge_assess(struct dge_run_state *w);

/* dge_log.c */
void dge_log_backend(const struct dge_run_state *w);
void dge_log_shapes(const struct dge_run_state *w, unsigned n, const struct trn_dge_shape *shape);
void dge_log_dimensions(const struct dge_run_state *w);

/* dge_emit.c: packets and rings. A piece continues the descriptors before it when `joins` says so.
 */
void dge_begin(struct dge_run_state *w);
void dge_emit_piece(struct dge_run_state *w, uint64_t src, uint64_t dst, uint32_t src_bytes,
                    uint32_t dst_bytes, bool joins_src, bool joins_dst);
void dge_emit_pieces(struct dge_run_state *w, const struct dge_piece *piece, uint32_t count);
void dge_emit_rows(struct dge_run_state *w, enum trn_dge_side side, const struct dge_rows *rows);
void dge_end_packet(struct dge_run_state *w);
/* A packet of so many descriptors comes: the batch is triggered when they do not fit. */
void dge_reserve(struct dge_run_state *w, uint32_t reads, uint32_t writes);
/* The rest of the batch, and the completion packet. */
void dge_complete(struct dge_run_state *w);

/* dge_walk.c */
trn_status dge_move(struct dge_run_state *w);
/* dge_transpose.c */
trn_status dge_move_tiles(struct dge_run_state *w);

/* dge_memory.c: whole or a failure, which is then in the outcome. */
/* Where a piece lies; false: not in place on both sides, dge_copy has to find its bytes one by one
 * or to fail. The access follows. */
bool dge_locate(struct dge_run_state *w, struct dge_piece *piece);
/* Pieces of one length, one behind the other on the destination side and none of them read from
 * there: how many from the first on are in place. */
uint32_t dge_locate_rows(struct dge_run_state *w, struct dge_piece *piece, uint32_t count);
/* Their bytes will be copied soon. */
void dge_expect(const struct dge_piece *piece, uint32_t count);
/* In order; `outcome->bytes` counts those that were moved. */
trn_status dge_copy(struct dge_run_state *w, const struct dge_piece *piece, uint32_t count);
trn_status dge_load(struct dge_run_state *w, uint64_t from, void *data, uint32_t size);
trn_status dge_store(struct dge_run_state *w, uint64_t to, const void *data, uint32_t size);
/* `size` bytes at `from`: in place where the owner can show them, else in `buffer`. */
const uint8_t *dge_view(struct dge_run_state *w, uint64_t from, uint32_t size, uint8_t *buffer);
trn_status dge_aborted(struct dge_run_state *w, enum trn_dge_side side, uint64_t address,
                       trn_status status);

/* dge_report.c */
void dge_report_oob(struct dge_run_state *w, enum trn_dge_side side);
void dge_report_no_backend(struct dge_run_state *w);
void dge_report_done(struct dge_run_state *w);
void dge_note_fatal(struct dge_run_state *w, uint8_t opcode);
void dge_post(struct dge_run_state *w);

#endif
