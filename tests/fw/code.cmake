# SPDX-License-Identifier: Apache-2.0
# Code of images: Xtensa decoder, sweep, reset path, dispatch.
set(code_libs PkgConfig::LIBELF PkgConfig::LIBCRYPTO)
trench_test(test_fw_xtensa_oracle ROOMS base gen num isa fw SOURCES test_fw_xtensa_oracle.c LIBS ${code_libs})
set_tests_properties(test_fw_xtensa_oracle PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 60)
