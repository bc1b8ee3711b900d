/* SPDX-License-Identifier: Apache-2.0 */
/* The text form of a bus trace (docs/cli-contract.md, bringup), and playing it into a device.
 *
 * One operation a line: `R OFFSET VALUE`, `W OFFSET VALUE`, `B OFFSET LENGTH SHA256 [FILE]`;
 * numbers are hexadecimal with or without 0x, letters of either case. A value of ? or * is not
 * compared, a hash of - is not checked. Lines that begin with # or ; are comments, and so is what
 * follows one behind a blank (not on a B line, whose FILE may hold anything); `L ...` lines are a
 * log's and are skipped; a comment `# gen NAME` says on which generation it was recorded. */
#ifndef TRN_CLI_REPLAY_H
#define TRN_CLI_REPLAY_H

#include "cli/sha256.h"
#include "trench/bus.h"
#include "trench/gen.h"

enum replay_kind { REPLAY_READ, REPLAY_WRITE, REPLAY_BLOCK };

struct replay_op {
    enum replay_kind kind;
    uint32_t line;
    bool any; /* READ: every value is right; BLOCK: no hash is given */
    uint64_t offset;
    uint32_t value;
    uint64_t length; /* BLOCK, bytes */
    uint8_t sha256[SHA256_BYTES];
    const char *file; /* in the text, NULL: none */
    size_t file_length;
};

struct replay_script {
    struct replay_op *ops;
    size_t count, capacity;
    const struct trn_gen *gen; /* that the comment names, NULL: none */
};

/* Largest block of a trace, far above every aperture. */
#define REPLAY_MAX_BLOCK UINT64_C(0x10000000)

/* `base` is taken off every offset. The script points into `text`. Errors: TRN_ERR_FORMAT with
 * file:line and what is expected, TRN_ERR_NO_MEMORY. Free with replay_free, also after an error. */
trn_status replay_parse(const char *text, size_t size, const char *name, uint64_t base,
                        struct replay_script *script, struct trn_diag *diag);
void replay_free(struct replay_script *script);

/* What came out differently: a value that was read, or an access that the device refused. */
struct replay_difference {
    const struct replay_op *op;
    uint32_t got;
    trn_status refused; /* not 0: nothing was compared */
};

struct replay_result {
    struct replay_difference *differences;
    size_t num_differences, capacity;
    size_t played;         /* operations that reached the device */
    size_t skipped_blocks; /* blocks whose bytes nobody has */
    const struct replay_op *first_skipped;
};

/* Play the operations in order. FILEs are relative to `directory`. Errors: bad files, with the line
 * that names them; TRN_ERR_NO_MEMORY. Free with replay_result_free, also after an error. */
trn_status replay_play(const struct replay_script *script, const char *name, const char *directory,
                       const struct trn_gen *gen, const struct trn_bus *bus,
                       struct replay_result *result, struct trn_diag *diag);
void replay_result_free(struct replay_result *result);

/* Bytes of a default image (trench/ucode.h), padded with zeros to `size`, that have this hash;
 * *data is NULL when none has. Free it. */
struct replay_images;
trn_status replay_images_create(const struct trn_gen *gen, struct replay_images **out);
trn_status replay_images_find(struct replay_images *images, const uint8_t sha256[SHA256_BYTES],
                              size_t size, uint8_t **data);
void replay_images_free(struct replay_images *images);

#endif
