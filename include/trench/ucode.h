/* SPDX-License-Identifier: Apache-2.0 */
/**
 * trench/ucode.h - default microcode images, so that bring-up needs nothing but this library.
 *
 * The images are made by the build (tools/tablegen/emit_ucode.py) from data/generations.csv and
 * data/decode-cam.csv: reset vectors, trampoline, data magic, initial data words and armed decode
 * slots as docs/hardware/firmware-images.md 6 and 12 give them. Every other byte is zero or part of
 * the marker "SYNTHETIC trench GENERATION ENGINE KIND"; a processor that ran one would halt at its
 * C entry. Shipped images are the user's own files: put them into the same struct trn_hal_eng_info.
 */
#ifndef TRENCH_UCODE_H
#define TRENCH_UCODE_H

#include "trench/gen.h"
#include "trench/hal.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Who runs an image: the engines by number, then a TopSP (it runs SP's sequencer image) and the
 * compute cluster (it runs POOL's Q7 image; not on SUNDA) (generations.md 2). */
enum trn_ucode_core {
    TRN_UCODE_PE = TRN_HAL_PE,
    TRN_UCODE_ACT = TRN_HAL_ACT,
    TRN_UCODE_POOL = TRN_HAL_POOL,
    TRN_UCODE_DVE = TRN_HAL_DVE,
    TRN_UCODE_SP = TRN_HAL_SP,
    TRN_UCODE_TOPSP,
    TRN_UCODE_CCE,
    TRN_UCODE_CORES
};

/** What an image is loaded into, in the order of struct trn_hal_eng_info. */
enum trn_ucode_region {
    TRN_UCODE_SEQ_IRAM,       /**< code of the sequencer */
    TRN_UCODE_SEQ_DRAM,       /**< its data */
    TRN_UCODE_Q7_IRAM,        /**< code of the Q7 cores: POOL and CCE */
    TRN_UCODE_Q7_DRAM,        /**< their data */
    TRN_UCODE_DECODE_PROFILE, /**< 64 records of 128 bytes; not on SUNDA, never for SP */
    TRN_UCODE_DECODE_CAM,     /**< 64 slots of 16 bytes; likewise */
    TRN_UCODE_REGIONS
};

/** "pe" ... "sp", "topsp", "cce"; NULL past the end. */
TRN_API const char *trn_ucode_core_name(enum trn_ucode_core core);
/** The core of that name, TRN_UCODE_CORES when there is none. */
TRN_API enum trn_ucode_core trn_ucode_core_find(const char *name);
/** "seq_iram", "seq_dram", "q7_iram", "q7_dram", "decode_profile", "decode_cam"; NULL past the end.
 */
TRN_API const char *trn_ucode_region_name(enum trn_ucode_region region);
/** The region of that name, TRN_UCODE_REGIONS when there is none. */
TRN_API enum trn_ucode_region trn_ucode_region_find(const char *name);

/**
 * The default image of a generation. *bytes is constant and lives as long as the program; *size is
 * far below the aperture, which the HAL pads with zeroes (hal-stpb.md 4.3).
 *
 * Errors (*bytes NULL, *size 0): TRN_ERR_NOT_FOUND, the generation has no such image;
 * TRN_ERR_UNSUPPORTED, it has no host HAL (MAVERICK); TRN_ERR_INVALID, no such core or region, or
 * gen is none of the library's descriptions.
 */
TRN_API trn_status trn_ucode_default(const struct trn_gen *gen, enum trn_ucode_core core,
                                     enum trn_ucode_region region, const void **bytes,
                                     size_t *size);

/** The place of a region in an engine's description; NULL past the end. For images of one's own. */
TRN_API struct trn_hal_buf *trn_ucode_place(struct trn_hal_eng_info *info,
                                            enum trn_ucode_region region);

/** Set every region of an engine to its default image, {NULL, 0} where there is none. */
TRN_API trn_status trn_ucode_fill(const struct trn_gen *gen, enum trn_ucode_core core,
                                  struct trn_hal_eng_info *info);

/** trn_ucode_fill for the five engines of a core's context (after trn_hal_core_defaults). */
TRN_API trn_status trn_ucode_fill_core(const struct trn_gen *gen, struct trn_hal_stpb *stpb);

#ifdef __cplusplus
}
#endif
#endif
