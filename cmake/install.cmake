# SPDX-License-Identifier: Apache-2.0
# What `make install` gives: the command, libtrench.so and .a, headers, pkg-config and CMake config
# files, man pages and the shell completion.
include(CMakePackageConfigHelpers)

install(TARGETS trench trench_shared trench_static EXPORT trenchTargets
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY "${CMAKE_SOURCE_DIR}/include/trench" "${TRENCH_GENERATED}/include/trench"
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")

configure_file(cmake/trench.pc.in trench.pc @ONLY)
install(FILES "${CMAKE_BINARY_DIR}/trench.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/trench)
configure_package_config_file(cmake/trenchConfig.cmake.in trenchConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(trenchConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_BINARY_DIR}/trenchConfig.cmake" "${CMAKE_BINARY_DIR}/trenchConfigVersion.cmake"
        DESTINATION ${package_dir})
install(EXPORT trenchTargets NAMESPACE trench:: DESTINATION ${package_dir})

install(FILES tools/completion/trench.bash RENAME trench
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)

# Man pages are made from what the program itself prints (help2man), and from the tables.
find_program(HELP2MAN help2man)
if(HELP2MAN AND NOT TRENCH_SANITIZE AND NOT TRENCH_FUZZ)
  set(pages)
  file(STRINGS src/cli/commands.def entries REGEX "^CLI_COMMAND")
  set(names "")
  foreach(entry ${entries})
    string(REGEX REPLACE "^CLI_COMMAND\\(\"([a-z]+)\".*" "\\1" name "${entry}")
    list(APPEND names ${name})
  endforeach()
  foreach(name "" ${names})
    set(page "${CMAKE_BINARY_DIR}/man/trench.1")
    if(name)
      set(page "${CMAKE_BINARY_DIR}/man/trench-${name}.1")
    endif()
    add_custom_command(OUTPUT "${page}"
      COMMAND "${CMAKE_SOURCE_DIR}/tools/manpage" $<TARGET_FILE:trench> "${page}" ${name}
      DEPENDS trench "${CMAKE_SOURCE_DIR}/tools/manpage" VERBATIM)
    list(APPEND pages "${page}")
  endforeach()
  add_custom_target(man ALL DEPENDS ${pages})
  install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
