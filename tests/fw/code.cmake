# SPDX-License-Identifier: Apache-2.0
# Code of images: Xtensa decoder, sweep, reset path, dispatch.
set(code_libs PkgConfig::LIBELF PkgConfig::LIBCRYPTO)
trench_test(test_fw_xtensa_oracle ROOMS base gen num isa fw SOURCES test_fw_xtensa_oracle.c LIBS ${code_libs})
set_tests_properties(test_fw_xtensa_oracle PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300)
foreach(test IN ITEMS xtensa sweep boot dispatch)
  trench_test(test_fw_${test} ROOMS base gen num isa fw SOURCES test_fw_${test}.c LIBS ${code_libs})
endforeach()
add_test(NAME test_fw_code COMMAND Python3::Interpreter
         "${CMAKE_CURRENT_SOURCE_DIR}/test_fw_code.py" "$<TARGET_FILE:trench>" "${TRENCH_FW_FIXTURE}")
set_tests_properties(test_fw_code PROPERTIES FIXTURES_REQUIRED fw_fixture)
