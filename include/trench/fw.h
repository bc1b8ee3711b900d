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

/** The name without its decorations: a part of `text`, *length characters long. */
TRN_API const char *trn_fw_name_base(const char *text, size_t *length);

/** The generation that a name starts with, its decorations aside, or NULL: an archive holds members
 * of a generation whose name says nothing else that the grammar knows. */
TRN_API const struct trn_gen *trn_fw_name_gen(const char *text);

/** What the first bytes and the size of an image say (firmware-images.md 6), whatever its name. */
enum trn_fw_kind {
    TRN_FW_KIND_EMPTY,      /**< size 0 */
    TRN_FW_KIND_CODE,       /**< two reset jumps at 0 and 6 */
    TRN_FW_KIND_DATA,       /**< starts with 0x6099CB34 */
    TRN_FW_KIND_EXTRAM,     /**< code that starts with `entry a1,48` */
    TRN_FW_KIND_CAM,        /**< of the size of a hardware-decode CAM, and shaped so */
    TRN_FW_KIND_TABLE,      /**< of the size of a hardware-decode TABLE, and shaped so */
    TRN_FW_KIND_XTENSA_ELF, /**< little-endian ELF32 for Xtensa */
    TRN_FW_KIND_JSON,       /**< starts with '{' */
    TRN_FW_KIND_ELF,        /**< another ELF file */
    TRN_FW_KIND_BIG_ENDIAN, /**< flat code of a big-endian Xtensa: declined */
    TRN_FW_KIND_OTHER,      /**< none of these */
    TRN_FW_KINDS
};

TRN_API enum trn_fw_kind trn_fw_kind_of(const void *bytes, uint64_t size);
/** "code", "data", ...; NULL past the end. */
TRN_API const char *trn_fw_kind_name(enum trn_fw_kind kind);

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
    const char *file;     /**< of a thin archive's member: the file with the bytes; else NULL */
    bool has_data_symbol; /**< "..._get.data" stands where the getter points */
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

/** "ELF64 x86-64 shared object, not stripped", in one line. */
TRN_API void trn_fw_describe(const struct trn_fw *fw, char *text, size_t room);

TRN_API size_t trn_fw_image_count(const struct trn_fw *fw);
/** Image by number, in the order of getters or members; NULL past the end. */
TRN_API const struct trn_fw_image *trn_fw_image(const struct trn_fw *fw, size_t index);

/** trn_fw_kind_of an image of the container, from the few bytes that say it. */
TRN_API enum trn_fw_kind trn_fw_image_kind(const struct trn_fw *fw,
                                           const struct trn_fw_image *image);

/** What was left out and why, one sentence each: weak getters without a body, functions that are
 * named like getters but are none, members whose file is missing. NULL past the end. */
TRN_API const char *trn_fw_note(const struct trn_fw *fw, size_t index);

/** A member of an archive, in the archive's order; symbol and name tables are none. */
struct trn_fw_member {
    const char *name;
    uint64_t header_offset; /**< of its 60 bytes */
    uint64_t offset;        /**< of its bytes (0 in a thin archive) */
    uint64_t size;
    const uint8_t *bytes; /**< NULL: a thin archive's file that cannot be read */
    const char *file;     /**< of a thin archive: the file with the bytes; else NULL */
};

TRN_API size_t trn_fw_member_count(const struct trn_fw *fw);
TRN_API const struct trn_fw_member *trn_fw_member(const struct trn_fw *fw, size_t index);

/** Where the members of an archive belong (firmware-images.md 5): generation by generation, and the
 * framework, whose names start with no generation. `unmatched` are those of a generation that
 * follow no grammar. */
struct trn_fw_split {
    size_t members[TRN_GEN_COUNT];
    size_t unmatched[TRN_GEN_COUNT];
    size_t framework;
    size_t total; /**< the sum of all, which is the number of members */
};

TRN_API void trn_fw_split(const struct trn_fw *fw, struct trn_fw_split *out);

/** A section of an ELF file, as its header says. */
struct trn_fw_section {
    const char *name;
    uint32_t type;
    uint64_t flags, va, offset, size;
};

/** A segment of an ELF file, as its header says. */
struct trn_fw_segment {
    uint32_t type, flags;
    uint64_t offset, va, file_size, memory_size;
};

struct trn_fw_symbol {
    const char *name;
    uint64_t value, size;
    unsigned type, binding; /**< STT_* and STB_* of the ELF standard */
    unsigned section;       /**< 0 undefined */
    bool is_dynamic;        /**< from .dynsym */
};

/** Called once an entry; false ends the walk. Pointers are good during the call. */
typedef bool trn_fw_section_visit(void *context, const struct trn_fw_section *section);
typedef bool trn_fw_segment_visit(void *context, const struct trn_fw_segment *segment);
typedef bool trn_fw_symbol_visit(void *context, const struct trn_fw_symbol *symbol);

/** Stands for "the file itself" instead of a member. */
#define TRN_FW_WHOLE SIZE_MAX

/** Walk the sections, segments or symbols of an ELF file or of one ELF member; a file or a member
 * that is no ELF has none. TRN_ERR_FORMAT, TRN_ERR_NO_MEMORY. */
TRN_API trn_status trn_fw_sections(const struct trn_fw *fw, size_t member,
                                   trn_fw_section_visit *visit, void *context,
                                   struct trn_diag *diag);
TRN_API trn_status trn_fw_segments(const struct trn_fw *fw, size_t member,
                                   trn_fw_segment_visit *visit, void *context,
                                   struct trn_diag *diag);
TRN_API trn_status trn_fw_symbols(const struct trn_fw *fw, size_t member,
                                  trn_fw_symbol_visit *visit, void *context, struct trn_diag *diag);

/** A pointer that the loader fills in: tables of pointers are zero in the file and take their
 * values from R_X86_64_RELATIVE addends, or from R_X86_64_64 and its symbol (1.1). */
typedef bool trn_fw_pointer_visit(void *context, uint64_t va, uint64_t value);
TRN_API trn_status trn_fw_pointers(const struct trn_fw *fw, trn_fw_pointer_visit *visit,
                                   void *context, struct trn_diag *diag);

/** Bytes in the file of `size` bytes at an address, by the PT_LOAD headers; NULL: not in there. */
TRN_API const uint8_t *trn_fw_at(const struct trn_fw *fw, uint64_t va, uint64_t size);

/* ---- how images lie (firmware-images.md 2.3) ---------------------------------------- */

/** How an image follows the one before it, both in the order of their offsets. */
enum trn_fw_joint_kind {
    TRN_FW_TOUCHES, /**< starts where the one before ends */
    TRN_FW_PADDED,  /**< up to 15 zero bytes bring it to a multiple of 16 */
    TRN_FW_GAP,     /**< other bytes lie between */
    TRN_FW_OVERLAP, /**< starts inside the one before */
    TRN_FW_SAME,    /**< the same bytes */
    TRN_FW_JOINTS
};

/** "touches", "padded", "gap", "overlap", "same"; NULL past the end. */
TRN_API const char *trn_fw_joint_name(enum trn_fw_joint_kind kind);

struct trn_fw_joint {
    enum trn_fw_joint_kind kind;
    const struct trn_fw_image *before, *after;
    uint64_t distance; /**< bytes between, or bytes in common */
};

struct trn_fw_layout {
    size_t images;               /**< with bytes in the container itself */
    size_t count[TRN_FW_JOINTS]; /**< joints of each kind */
    uint64_t gap_bytes;
    size_t cursors, astray; /**< cursors that stand at no image's start or end */
};

typedef void trn_fw_joint_visit(void *context, const struct trn_fw_joint *joint);

/** Walk the joints (`visit` may be NULL) and count them. TRN_ERR_NO_MEMORY. */
TRN_API trn_status trn_fw_layout(const struct trn_fw *fw, trn_fw_joint_visit *visit, void *context,
                                 struct trn_fw_layout *out, struct trn_diag *diag);

/* ---- identity (firmware-images.md 4, 5) --------------------------------------------- */

#define TRN_FW_SHA256 32

TRN_API trn_status trn_fw_sha256(const void *bytes, uint64_t size, uint8_t hash[TRN_FW_SHA256],
                                 struct trn_diag *diag);

/** An image of the first container beside its namesake of the second one. */
struct trn_fw_pair {
    const struct trn_fw_image *first;
    const struct trn_fw_image *second; /**< NULL: there is none */
    bool same;                         /**< sizes and bytes are equal */
    uint64_t differs_at;               /**< first byte that differs, or the smaller size */
    uint8_t sha256[TRN_FW_SHA256];     /**< of the first one's bytes */
};

struct trn_fw_identity {
    struct trn_fw_pair *pairs; /**< one for each image of the first container, in its order */
    size_t num_pairs;
    const struct trn_fw_image **rest; /**< of the second container, without a namesake */
    size_t num_rest;
};

/** Called now and then from the calling thread with the bytes that all have done; may be NULL. */
typedef void trn_fw_progress(void *context, uint64_t done, uint64_t total);

/**
 * Hash every image of `first` and compare it with the image of the same name in `second` (which may
 * be NULL), on `threads` threads (1..64). The result is the same for any number. Free with
 * trn_fw_identity_free. TRN_ERR_NO_MEMORY, TRN_ERR_RANGE.
 */
TRN_API trn_status trn_fw_compare(const struct trn_fw *first, const struct trn_fw *second,
                                  unsigned threads, trn_fw_progress *progress, void *context,
                                  struct trn_fw_identity *out, struct trn_diag *diag);
/**
 * The same for two files, which are opened first: at the same time where there are two threads, and
 * images are hashed while the second one is still being opened. `opened` becomes the containers,
 * NULL for what could not be opened; close them after the identity is freed. Of two files that
 * cannot be opened the first one's error is told. What trn_fw_open and trn_fw_compare return.
 */
TRN_API trn_status trn_fw_compare_files(const char *const paths[2], unsigned threads,
                                        trn_fw_progress *progress, void *context,
                                        struct trn_fw *opened[2], struct trn_fw_identity *out,
                                        struct trn_diag *diag);
TRN_API void trn_fw_identity_free(struct trn_fw_identity *identity);

/* ---- known images (data/firmware-images.csv) ----------------------------------------- */

/** One row of the catalogue of the vendor's containers. */
struct trn_fw_known {
    const char *symbol; /**< of the getter */
    uint64_t getter_va, va, size;
    const char *sha256_head; /**< first hexadecimal digits of the hash; empty: not recorded */
    const char *sha256_tail; /**< last ones where only the ends are recorded; else empty */
    const char *container;
};

TRN_API size_t trn_fw_known_count(void);
/** Row by number, NULL past the end. */
TRN_API const struct trn_fw_known *trn_fw_known_at(size_t index);

enum trn_fw_verdict {
    TRN_FW_KNOWN,        /**< size and hash are a row's */
    TRN_FW_DIFFERS,      /**< the size is a row's, the hash is not */
    TRN_FW_NO_REFERENCE, /**< the size is that of a row whose hash nobody recorded */
    TRN_FW_UNKNOWN,      /**< no row has this size */
    TRN_FW_VERDICTS
};

/** "known", "differs", "no reference", "unknown"; NULL past the end. */
TRN_API const char *trn_fw_verdict_name(enum trn_fw_verdict verdict);

/** Look an image up by its size and hash. *row (may be NULL) is the row that the verdict rests on,
 * the one of the image's own name where there are several; NULL where none can be told. */
TRN_API enum trn_fw_verdict trn_fw_identify(const struct trn_fw_image *image,
                                            const uint8_t hash[TRN_FW_SHA256],
                                            const struct trn_fw_known **row);

/* ---- opcodes by generation (data/opcodes.csv) ----------------------------------------- */

/** Does the generation's instruction set have the opcode? */
TRN_API bool trn_fw_opcode_exists(const struct trn_gen *gen, uint8_t opcode);
/** First and last generation that have it, NULL when none does. */
TRN_API const struct trn_gen *trn_fw_opcode_first(uint8_t opcode);
TRN_API const struct trn_gen *trn_fw_opcode_last(uint8_t opcode);

#ifdef __cplusplus
}
#endif
#endif
