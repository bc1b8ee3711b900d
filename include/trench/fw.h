/* SPDX-License-Identifier: Apache-2.0 */
/**
 * trench/fw.h - firmware containers: what is in an ELF object, an ar archive or a flat image.
 *
 * A container is opened read-only, mapped, recognised by its own bytes and taken apart into images:
 * the blobs that its getters return (docs/hardware/firmware-images.md 2), the members of an archive
 * (5), the ELF objects embedded in it (13) or, for a file that is no container, the file itself.
 * Nothing in it is trusted: every length and offset is checked against the file before use.
 *
 * Analyses of one image's bytes are in trench/fw_code.h (reset path, Xtensa, dispatch) and
 * trench/fw_data.h (strings, kernel tables, hardware-decode tables).
 */
#ifndef TRENCH_FW_H
#define TRENCH_FW_H

#include "trench/base.h"
#include "trench/gen.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a file is. */
enum trn_fw_form {
    TRN_FW_SHARED,       /**< ELF64 x86-64 shared object or program: images behind getters */
    TRN_FW_OBJECT,       /**< ELF64 x86-64 relocatable object: one member of an archive */
    TRN_FW_XTENSA,       /**< ELF32 little-endian for Xtensa: an EXTISA image or an object */
    TRN_FW_ELF_OTHER,    /**< another ELF file: described, not taken apart */
    TRN_FW_ARCHIVE,      /**< ar archive, members inside */
    TRN_FW_THIN_ARCHIVE, /**< ar archive that names files beside it */
    TRN_FW_FLAT,         /**< no container: the file is one image */
    TRN_FW_FORMS
};

/** "shared object", "ar archive", ...; NULL past the end. */
TRN_API const char *trn_fw_form_name(enum trn_fw_form form);

/** Core class of an image (firmware-images.md 2.1). */
enum trn_fw_class { TRN_FW_NX, TRN_FW_Q7, TRN_FW_CLASSES };

/** Build of an image. SUNDA has RELEASE, and DEBUG in archives; the DKL forms load kernels. */
enum trn_fw_flavor {
    TRN_FW_RELEASE,
    TRN_FW_PERF,
    TRN_FW_DEBUG,
    TRN_FW_TEST,
    TRN_FW_DKL_PERF,
    TRN_FW_DKL_DEBUG,
    TRN_FW_DKL_TEST,
    TRN_FW_PROF,
    TRN_FW_FLAVORS
};

/** What an image is loaded as. The index of an EXTISA library is struct trn_fw_name's `library`. */
enum trn_fw_region {
    TRN_FW_IRAM,
    TRN_FW_DRAM,
    TRN_FW_SRAM,
    TRN_FW_EXTRAM,
    TRN_FW_CAM,
    TRN_FW_TABLE,
    TRN_FW_EXTISA_SO,
    TRN_FW_EXTISA_JSON,
    TRN_FW_REGIONS
};

TRN_API const char *trn_fw_class_name(enum trn_fw_class value);
TRN_API const char *trn_fw_flavor_name(enum trn_fw_flavor value);
TRN_API const char *trn_fw_region_name(enum trn_fw_region value);

/** The parts of an image's name: GEN_CLASS_ENGINE_FLAVOR_REGION. */
struct trn_fw_name {
    const struct trn_gen *gen;
    enum trn_fw_class core;
    int engine; /**< trn_engine_find's number */
    enum trn_fw_flavor flavor;
    enum trn_fw_region region;
    unsigned library; /**< of an EXTISA region, 0..3 */
};

/** Room for the longest text that trn_fw_name_print writes. */
#define TRN_FW_NAME_MAX 80

/**
 * Read a name by the grammar of firmware-images.md 2.1, the longest generation first. `text` may
 * carry the decorations of a getter ("..._get", "..._get.data") or of an archive member
 * ("img_..._contents.c.o", "hwdecode_..._contents.c.o"). False: no such name; *out is unchanged.
 */
TRN_API bool trn_fw_name_parse(const char *text, struct trn_fw_name *out);

/** "SUNDA_NX_ACT_RELEASE_IRAM". */
TRN_API void trn_fw_name_print(const struct trn_fw_name *name, char out[TRN_FW_NAME_MAX]);

/** Where an image was found. */
enum trn_fw_source {
    TRN_FW_BY_GETTER, /**< a getter stub returns it */
    TRN_FW_BY_MEMBER, /**< .rodata of an archive member, or the member itself */
    TRN_FW_EMBEDDED,  /**< an ELF object found by its magic */
    TRN_FW_WHOLE_FILE,
    TRN_FW_SOURCES
};

TRN_API const char *trn_fw_source_name(enum trn_fw_source source);

/** One image of a container. Pointers live as long as the container. */
struct trn_fw_image {
    const char *symbol; /**< of the getter, name of the member, or "offset 0x..." */
    bool is_named;      /**< `name` is set: the symbol follows the grammar */
    bool is_cursor;     /**< size 0: the place where the next image starts */
    enum trn_fw_source source;
    struct trn_fw_name name;
    uint64_t getter_va; /**< of a getter's stub, else 0 */
    uint64_t va;        /**< of the bytes where they are mapped, else 0 */
    uint64_t offset;    /**< of the bytes in the file */
    uint64_t size;
    const uint8_t *bytes; /**< in the mapped file; never NULL */
};

/** An opened container. */
struct trn_fw;

/**
 * Open a file. A file that is no container is one flat image, never an error; a container that
 * contradicts itself is TRN_ERR_FORMAT with the offset. Close with trn_fw_close.
 * TRN_ERR_NOT_FOUND, TRN_ERR_IO, TRN_ERR_NO_MEMORY, TRN_ERR_FORMAT, TRN_ERR_UNSUPPORTED
 * (big-endian).
 */
TRN_API trn_status trn_fw_open(const char *path, struct trn_fw **out, struct trn_diag *diag);
/** The same over bytes that the caller keeps until trn_fw_close. `name` is for messages. */
TRN_API trn_status trn_fw_open_bytes(const void *bytes, size_t size, const char *name,
                                     struct trn_fw **out, struct trn_diag *diag);
TRN_API void trn_fw_close(struct trn_fw *fw);

TRN_API const char *trn_fw_path(const struct trn_fw *fw);
TRN_API enum trn_fw_form trn_fw_form_of(const struct trn_fw *fw);
TRN_API const uint8_t *trn_fw_bytes(const struct trn_fw *fw, size_t *size);

TRN_API size_t trn_fw_image_count(const struct trn_fw *fw);
/** Image by number, in the order of getters or members; NULL past the end. */
TRN_API const struct trn_fw_image *trn_fw_image(const struct trn_fw *fw, size_t index);

#ifdef __cplusplus
}
#endif
#endif
