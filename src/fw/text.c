/* SPDX-License-Identifier: Apache-2.0 */
/* Names of what trench/fw.h enumerates. */
#include "trench/fw.h"

#define NAME_OF(names, value)                                                                      \
    ((size_t)(value) < sizeof(names) / sizeof(names)[0] ? (names)[value] : NULL)

const char *trn_fw_form_name(enum trn_fw_form form)
{
    static const char *const names[TRN_FW_FORMS] = {
        [TRN_FW_SHARED] = "shared object", [TRN_FW_OBJECT] = "relocatable object",
        [TRN_FW_XTENSA] = "Xtensa ELF",    [TRN_FW_ELF_OTHER] = "other ELF",
        [TRN_FW_ARCHIVE] = "ar archive",   [TRN_FW_THIN_ARCHIVE] = "thin ar archive",
        [TRN_FW_FLAT] = "flat image",
    };
    return NAME_OF(names, form);
}

const char *trn_fw_class_name(enum trn_fw_class value)
{
    static const char *const names[TRN_FW_CLASSES] = {[TRN_FW_NX] = "NX", [TRN_FW_Q7] = "Q7"};
    return NAME_OF(names, value);
}

const char *trn_fw_flavor_name(enum trn_fw_flavor value)
{
    static const char *const names[TRN_FW_FLAVORS] = {
        [TRN_FW_RELEASE] = "RELEASE",
        [TRN_FW_PERF] = "PERF",
        [TRN_FW_DEBUG] = "DEBUG",
        [TRN_FW_TEST] = "TEST",
        [TRN_FW_DKL_PERF] = "DYNAMIC_KERNEL_LOAD_PERF",
        [TRN_FW_DKL_DEBUG] = "DYNAMIC_KERNEL_LOAD_DEBUG",
        [TRN_FW_DKL_TEST] = "DYNAMIC_KERNEL_LOAD_TEST",
        [TRN_FW_PROF] = "PROF",
    };
    return NAME_OF(names, value);
}

const char *trn_fw_region_name(enum trn_fw_region value)
{
    static const char *const names[TRN_FW_REGIONS] = {
        [TRN_FW_IRAM] = "IRAM",
        [TRN_FW_DRAM] = "DRAM",
        [TRN_FW_SRAM] = "SRAM",
        [TRN_FW_EXTRAM] = "EXTRAM",
        [TRN_FW_CAM] = "CAM",
        [TRN_FW_TABLE] = "TABLE",
        [TRN_FW_EXTISA_SO] = "EXTISA_SO",
        [TRN_FW_EXTISA_JSON] = "EXTISA_JSON",
    };
    return NAME_OF(names, value);
}

const char *trn_fw_source_name(enum trn_fw_source source)
{
    static const char *const names[TRN_FW_SOURCES] = {
        [TRN_FW_BY_GETTER] = "getter",
        [TRN_FW_BY_MEMBER] = "member",
        [TRN_FW_EMBEDDED] = "embedded",
        [TRN_FW_WHOLE_FILE] = "file",
    };
    return NAME_OF(names, source);
}
