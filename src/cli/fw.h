/* SPDX-License-Identifier: Apache-2.0 */
/* What the actions of `trench fw` share. */
#ifndef TRN_CLI_FW_H
#define TRN_CLI_FW_H

#include "cli/cli.h"
#include "trench/fw.h"

int cmd_fw(int argc, char **argv);

/* Open a container; on failure the message is printed and NULL returned. */
struct trn_fw *fw_open(const char *path);
/* Standard input ("-") is refused: containers are mapped. TRN_ERR_UNSUPPORTED. */
trn_status fw_check_path(const char *path, struct trn_diag *diag);

/* fw_heap.c: memory for the lists of containers of many thousand images, before they are opened. */
void fw_prepare_heap(void);

/* Does `--select GLOB` mean this image? The glob is held against the symbol, and against the name
 * without "_get", "img_" and the like; letters of either case match. NULL means every image. */
bool fw_selected(const struct trn_fw_image *image, const char *glob);

/* "SUNDA_NX_ACT_RELEASE_IRAM", or the symbol where it follows no grammar. */
void fw_short_name(const struct trn_fw_image *image, char *out, size_t room);

/* A text from a container as it is printed: bytes that control a terminal become '?'. */
char *fw_plain(char *text);
void fw_put_plain(const char *text);

/* "0x..." into `out`, which is returned. */
const char *fw_hex(uint64_t value, char out[24]);
json_t *fw_hex_json(uint64_t value);

/* Class and engine of an image, "NX_ACT"; "-" without a name. */
void fw_core_name(const struct trn_fw_image *image, char out[16]);

/* {gen, engine, flavor, region, library, kind, what, offset, size, va, symbol, source, file};
 * members that an image has no value for are null. */
json_t *fw_image_json(const struct trn_fw_image *image);

/* Add what the hash of an image says: {sha256, known, known_as}. A cursor has null for all. */
void fw_hash_json(json_t *object, const struct trn_fw_image *image,
                  const uint8_t hash[TRN_FW_SHA256]);

/* A text from a container as JSON; what is no UTF-8 becomes '?'. */
json_t *fw_text_json(const char *text);

#endif
