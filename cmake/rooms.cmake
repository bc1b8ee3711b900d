# SPDX-License-Identifier: Apache-2.0

# trench_room(NAME SOURCES...): one room of src/ as an object library `room_NAME`.
function(trench_room name)
  add_library(room_${name} OBJECT ${ARGN})
  add_dependencies(room_${name} tables)
  target_include_directories(room_${name} PRIVATE
    "${CMAKE_SOURCE_DIR}/include" "${CMAKE_SOURCE_DIR}/src"
    "${TRENCH_GENERATED}/include" "${TRENCH_GENERATED}/src")
  set_property(GLOBAL APPEND PROPERTY TRENCH_ROOMS room_${name})
endfunction()

# trench_test(NAME ROOMS r... SOURCES s... [LIBS l...] [ARGS a...]): a cmocka program over the named
# rooms (and whatever else they need: list it). Tests may see private headers.
function(trench_test name)
  cmake_parse_arguments(T "" "" "ROOMS;SOURCES;LIBS;ARGS" ${ARGN})
  add_executable(${name} ${T_SOURCES})
  add_dependencies(${name} tables)
  target_include_directories(${name} PRIVATE
    "${CMAKE_SOURCE_DIR}/include" "${CMAKE_SOURCE_DIR}/src" "${CMAKE_SOURCE_DIR}/tests"
    "${TRENCH_GENERATED}/include" "${TRENCH_GENERATED}/src")
  foreach(room ${T_ROOMS})
    target_link_libraries(${name} PRIVATE room_${room})
  endforeach()
  target_link_libraries(${name} PRIVATE PkgConfig::CMOCKA Threads::Threads m ${T_LIBS})
  add_test(NAME ${name} COMMAND ${name} ${T_ARGS})
endfunction()

# Random valid words (tests/support/wordgen.h), for programs over room_isa.
set(support "${CMAKE_CURRENT_LIST_DIR}/../tests/support")
set(TRENCH_WORDGEN "${support}/wordgen.c" "${support}/wordgen_break.c"
                   "${support}/wordgen_draw.c" "${support}/wordgen_pattern.c")
