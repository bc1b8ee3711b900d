# SPDX-License-Identifier: Apache-2.0
# The container side of trench fw.
trench_test(test_fw_container ROOMS base gen num isa fw SOURCES test_fw_container.c
  LIBS PkgConfig::LIBELF PkgConfig::LIBCRYPTO)
trench_test(test_fw_identity ROOMS base gen num isa fw SOURCES test_fw_identity.c
  LIBS PkgConfig::LIBELF PkgConfig::LIBCRYPTO Threads::Threads)
foreach(name ls carve verify matrix report doc)
  add_test(NAME test_fw_${name} COMMAND Python3::Interpreter
           "${CMAKE_CURRENT_SOURCE_DIR}/test_fw_${name}.py" "$<TARGET_FILE:trench>" "${TRENCH_FW_FIXTURE}"
           "${CMAKE_SOURCE_DIR}")
  set_tests_properties(test_fw_${name} PROPERTIES FIXTURES_REQUIRED fw_fixture)
endforeach()
# Every library and archive of the machine, 100 at least, against readelf, nm and ar.
add_test(NAME test_fw_listing COMMAND Python3::Interpreter
         "${CMAKE_CURRENT_SOURCE_DIR}/test_fw_listing.py" $<TARGET_FILE:trench>)
set_tests_properties(test_fw_listing PROPERTIES SKIP_RETURN_CODE 77)
