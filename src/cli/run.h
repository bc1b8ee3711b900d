/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of `trench run`: programs, arrays, one core's run, its report, generations compared. */
#ifndef TRN_CLI_RUN_H
#define TRN_CLI_RUN_H

#include "cli/cli.h"
#include "cli/ucode_files.h"
#include "trench/device.h"
#include "trench/fw_data.h"
#include "trench/hal.h"
#include "trench/isa.h"
#include "trench/npy.h"
#include "trench/udma.h"

/* ---- what the user asked for -------------------------------------------------------------- */

/* --queue ENGINE[@ADDR]=FILE, or a stream of the positional text. */
struct run_source {
    const char *file;
    int engine; /* TRN_ENGINE_ANY: the positional text, one stream an engine */
    bool placed;
    uint64_t address; /* device address, when placed */
    bool is_text;
    uint8_t *bytes;
    size_t size;
};

/* --load and --dump, --dma-load and --dma-dump: SPACE:ADDR[:DTYPE[:SHAPE]] and a file. */
struct run_array {
    const char *file;
    bool by_dma; /* through descriptors, not by stores and loads of the host */
    enum trn_space space;
    uint64_t addr;
    int dtype;           /* -1: as the file says (--load only) */
    char dtype_name[32]; /* as the user wrote it */
    size_t num_dims;
    uint64_t shape[TRN_NPY_MAX_DIMS];
    enum trn_npy_type type;
    struct trn_npy array; /* of a --load */
    uint8_t *data;        /* of a --dump, once it was read back */
};

enum { RUN_MAX_ACT_SETS = 64, RUN_MAX_SOURCES = 8, RUN_MAX_ARRAYS = 64, RUN_MAX_DGE_LINES = 65536 };

struct run_options {
    const struct trn_gen *gen; /* NULL: named by the text */
    bool all, diff, json, provenance, step, uninit, race, dump_at_break, dge_log, timing;
    const char *trace; /* --trace; NULL: none */
    struct run_source sources[RUN_MAX_SOURCES];
    size_t num_sources;
    struct run_array loads[RUN_MAX_ARRAYS], dumps[RUN_MAX_ARRAYS];
    size_t num_loads, num_dumps;
    uint64_t limit;
    bool reset_given;
    struct trn_device_options device;
    const char *act_sets[RUN_MAX_ACT_SETS]; /* files or shipped names */
    size_t num_act_sets;
    unsigned core;
    struct ucode_files ucode;
    struct run_nq {
        uint32_t size; /* bytes of a ring; 0: as the bring-up makes them */
        enum { RUN_NQ_BACKPRESSURE, RUN_NQ_IGNORE_FULL, RUN_NQ_DROP } policy;
        bool no_drain;
        bool fp_given;    /* --fp-records */
        uint32_t fp_mask; /* of the first four error ids */
        bool given;       /* some option was */
    } nq;
    struct trn_dge_options dge;
    bool flags_given;
    uint32_t flags;        /* local register 38 of every engine */
    int break_engine;      /* -1: no --break */
    uint64_t break_pc;     /* from the first word of the engine's queue */
    struct trn_fw_env env; /* --env: what the host's resolvers would read */
};

/* Engine by its name in any case; negative when there is none. */
int run_engine_find(const char *name);

/* Parse a number: decimal, 0x.. or 0..; the whole text, at most `max`. */
bool run_number(const char *text, uint64_t max, uint64_t *out);

/* ---- programs (run_program.c) --------------------------------------------------------------- */

/* One engine's words for one generation. */
struct run_queue {
    const char *file;
    int engine;
    uint64_t address; /* device address of the first word */
    bool placed;      /* where the user wants it */
    const uint8_t *words;
    const uint32_t *lines; /* NULL: raw words */
    size_t num_words;
};

struct run_program {
    struct run_queue queues[TRN_ENGINES];
    size_t num_queues;
    uint8_t gens; /* bit: generation; what every text's .gen allows */
    struct trn_program texts[RUN_MAX_SOURCES];
    size_t num_texts;
};

/* "ENGINE[@ADDR]=FILE" into a source. Prints and returns CLI_USAGE, or 0. */
int run_parse_queue(const char *text, struct run_source *source);
/* Read the file of every source. */
int run_read_sources(struct run_options *options);
void run_free_sources(struct run_options *options);

/* Words of every queue for `gen` (NULL: the generation that a text names, or cayman after a note on
 * standard error; what was chosen is put in *chosen). `quiet`: no diagnostics, the first goes to
 * *diag. Free with run_program_free. */
trn_status run_program_make(const struct run_options *options, const struct trn_gen *gen,
                            bool quiet, struct run_program *out, const struct trn_gen **chosen,
                            struct trn_diag *diag);
void run_program_free(struct run_program *program);

/* The queue of an engine, NULL when it has none. */
const struct run_queue *run_queue_of(const struct run_program *program, int engine);

/* Where a word stands in its source: "prog.tasm:12" or "prog.bin+0x40"; empty when outside. */
void run_where(const struct run_program *program, int engine, uint64_t pc, char *out, size_t size);
/* What a fault says and where: a program counter that left the words of its engine's file is said
 * to have, at the word where it did. */
void run_fault_message(const struct run_program *program, const struct trn_fault_report *fault,
                       char *where, size_t where_size, char *message, size_t size);
/* "0x40", "-0x40": an address as distance from the engine's first word. */
void run_pc(const struct run_program *program, int engine, uint64_t pc, char *out, size_t size);

/* ---- arrays (run_array.c) ---------------------------------------------------------------------
 */

/* "SPACE:ADDR[:DTYPE]=FILE", "SPACE:ADDR:DTYPE:SHAPE=FILE". Prints and returns CLI_USAGE, or 0. */
int run_parse_load(const char *text, bool by_dma, struct run_array *array);
int run_parse_dump(const char *text, bool by_dma, struct run_array *array);
/* Read the file and check its type. */
int run_read_load(struct run_array *array);
/* Whether the array fits its space on the generation. */
trn_status run_check_array(const struct run_array *array, const struct trn_gen *gen,
                           uint64_t hbm_bytes, struct trn_diag *diag);
trn_status run_upload(struct trn_device *device, const struct run_array *array,
                      const struct trn_gen *gen, struct trn_diag *diag);
trn_status run_download(struct trn_device *device, struct run_array *array,
                        const struct trn_gen *gen, struct trn_diag *diag);
/* Memory for the data of a dump. */
trn_status run_make_room(struct run_array *array, struct trn_diag *diag);
/* Whether every dump can be written when the run is over, and no two go to one file. Nothing is
 * created. */
trn_status run_check_targets(const struct run_array *dumps, size_t num_dumps,
                             struct trn_diag *diag);
trn_status run_write_dump(const struct run_array *array, struct trn_diag *diag);
/* Bytes of a row (sbuf, psum) or of the whole array (hbm), and how many rows. */
void run_array_rows(const struct run_array *array, uint64_t *rows, uint64_t *row_bytes);
void run_free_array(struct run_array *array);

/* ---- one core (run_core.c) --------------------------------------------------------------------
 */

/* An unwritten byte that a --dump read back. */
struct run_dump_finding {
    const struct run_array *dump;
    uint32_t partition;
    uint64_t byte;
};

/* The host's DMA queue and what went through it (run_dma.c). */
struct run_dma {
    struct trn_hal_udma_queue queue;
    struct trn_hal_udma_memory tx, rx, marker, stage;
    unsigned engine, number; /* DMA engine of the device, its queue */
    uint64_t loads, dumps;   /* arrays */
    uint64_t copies, bytes;
};

struct run_core {
    const struct run_options *options;
    const struct trn_gen *gen;
    struct run_program program;
    struct trn_device *device;
    struct trn_run_report report;
    uint64_t limit; /* words; 0: none */
    bool break_reached;
    bool dumped;
    struct run_dump_finding dump_findings[RUN_MAX_ARRAYS];
    size_t num_dump_findings;
    json_t *trace;     /* --step --json */
    json_t *dge_lines; /* --dge-log --json */
    uint64_t num_dge_lines;
    struct run_dma dma;
    struct run_rings *rings;
    struct run_trace *tracer; /* NULL: neither --trace nor --timing */
};

/* Create the core, put arrays and programs in place over the buses and start the engines. */
trn_status run_core_open(struct run_core *core, struct trn_diag *diag);
/* Bring the core up through the HAL and start the engines that have words (run_hal.c). */
trn_status run_start(struct run_core *core, struct trn_diag *diag);
/* Run to the end; reads the dumps back at the breakpoint or at the end. */
trn_status run_core_run(struct run_core *core, struct run_array *dumps, size_t num_dumps,
                        struct trn_diag *diag);
void run_core_close(struct run_core *core);
/* Nothing more runs: --limit-bytes is reached. */
bool run_bytes_used_up(const struct run_core *core);

/* ---- activation tables (run_act.c) ------------------------------------------------------------
 */

/* --act-set. Prints and returns CLI_USAGE, or 0. */
int run_add_act_set(const char *name, struct run_options *options);
/* --act-mode. Prints and returns CLI_USAGE, or 0. */
int run_parse_act_mode(const char *name, struct run_options *options);
/* Register the sets that the user named, or the shipped ones when a word needs some, and make one
 * resident. `hal` NULL: the generation has none. */
trn_status run_act_load(const struct run_core *core, struct trn_hal *hal, uint64_t mem_handle,
                        struct trn_diag *diag);

/* ---- readings of the sheets (run_readings.c)
 * ---------------------------------------------------- */

/* --stub-policy, --dual-pairs, --cptc-codec, --convlut-source, --psum-zero and --fp8-e4m3. They
 * print and return CLI_USAGE, or 0. */
int run_parse_stub_policy(const char *text, struct run_options *options);
int run_parse_dual_pairs(const char *text, struct run_options *options);
int run_parse_cptc_codec(const char *text, struct run_options *options);
int run_parse_convlut_source(const char *text, struct run_options *options);
int run_parse_psum_zero(const char *text, struct run_options *options);
int run_parse_fp8_e4m3(const char *text, struct run_options *options);
/* The library that a host with the environment of --env stages for POOL. */
unsigned run_pool_library(const struct run_options *options, const struct trn_gen *gen);

/* ---- rings (run_notify.c, run_notify_report.c) ------------------------------------------------
 */

struct run_rings;

/* --nq-policy. Prints and returns CLI_USAGE, or 0. */
int run_parse_nq_policy(const char *text, struct run_nq *nq);
/* --fp-records. Prints and returns CLI_USAGE, or 0. */
int run_parse_fp_records(const char *text, struct run_nq *nq);
/* --nq-size, once it is known to be a number. */
int run_check_nq_size(uint64_t size, struct run_nq *nq);
/* Memory of the host for the rings, put into the options of the device to be made. */
trn_status run_rings_open(struct run_core *core, struct trn_device_options *options,
                          struct trn_diag *diag);
/* The core is brought up: set sizes and policies, and begin to read. */
trn_status run_rings_attach(struct run_core *core, struct trn_diag *diag);
void run_rings_close(struct run_core *core);
/* trn_device_run into core->report, reading the rings whenever an engine waits for them. */
trn_status run_device(struct run_core *core, uint64_t limit);
/* Read what is left, unless --no-drain. */
void run_rings_finish(struct run_core *core);
/* Content errors that stopped no engine. */
json_t *run_reports_json(const struct run_core *core);
/* Numeric events of the data path, each kind once (run_numeric.c). */
json_t *run_numeric_json(const struct run_core *core);
void run_numeric_text(const struct run_core *core);
/* What the rings held, and what was lost: keys "rings", "records", "host". */
void run_rings_json(const struct run_core *core, json_t *run);
void run_rings_text(const struct run_core *core);

/* Words of all engines so far. */
uint64_t run_retired(const struct trn_run_report *report);

/* "ok", "fault", "deadlock", "limit" or "findings". */
const char *run_core_status(const struct run_core *core);
int run_core_exit(const struct run_core *core);

/* ---- findings (run_finding.c) ------------------------------------------------------------------
 */

/* "uninit", "race" */
const char *run_finding_kind(const struct trn_finding_report *found);
/* One sentence, without the word that it is about. */
void run_finding_message(const struct run_core *core, const struct trn_finding_report *found,
                         char *out, size_t size);
/* That word; engine -1: it is about descriptors. */
void run_finding_place(const struct trn_finding_report *found, int *engine, uint64_t *pc);
json_t *run_finding_json(const struct run_core *core, const struct trn_finding_report *found);

/* ---- reports (run_report.c, run_json.c) ---------------------------------------------------------
 */

void run_print_text(const struct run_core *core);
/* Faults, deadlocks, limit and findings on standard error. */
void run_print_problems(const struct run_core *core);
json_t *run_to_json(const struct run_core *core);
/* One line of disassembly, without the newline. */
void run_text_of(const struct trn_gen *gen, const uint8_t *word, char *out, size_t size);
json_t *run_hex(uint64_t value);

/* ---- --trace, --timing (run_trace.c) ------------------------------------------------------------
 */

struct run_trace;

/* Open the file and let the device to be made tell its steps. Nothing without the options. */
trn_status run_trace_open(struct run_core *core, struct trn_device_options *device,
                          struct trn_diag *diag);
/* The run is over: complete the file, and count the choices that its times rest on. */
trn_status run_trace_finish(struct run_core *core, struct trn_diag *diag);
/* What was not completed is removed. */
void run_trace_close(struct run_core *core);
void run_timing_text(const struct run_core *core);
json_t *run_timing_json(const struct run_core *core);

/* ---- every generation (run_all.c)
 * ----------------------------------------------------------------- */

int run_all(struct run_options *options);

#endif
