# SPDX-License-Identifier: Apache-2.0
# Data of images: strings, kernel tables, hardware-decode tables, the host's choice; the seed's numbers.
foreach(test IN ITEMS seed data)
  add_test(NAME test_fw_${test} COMMAND Python3::Interpreter
           "${CMAKE_CURRENT_SOURCE_DIR}/test_fw_${test}.py" $<TARGET_FILE:trench> "${TRENCH_FW_FIXTURE}")
  set_tests_properties(test_fw_${test} PROPERTIES FIXTURES_REQUIRED fw_fixture TIMEOUT 900)
endforeach()
trench_test(test_fw_opset ROOMS base gen num isa fw SOURCES test_fw_opset.c
            LIBS PkgConfig::LIBELF PkgConfig::LIBCRYPTO)
