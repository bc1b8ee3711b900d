# SPDX-License-Identifier: Apache-2.0
# data/*.csv -> generated C, remade whenever a table or tablegen itself changes.
find_package(Python3 REQUIRED COMPONENTS Interpreter)

set(TRENCH_GENERATED "${CMAKE_BINARY_DIR}/generated")
file(GLOB TRENCH_TABLES CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/data/*.csv")
file(GLOB TRENCH_TABLEGEN CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tools/tablegen/*.py")

# Generated sources, by the room that compiles them.
set(TRENCH_GEN_SOURCES "${TRENCH_GENERATED}/src/gen_table.c" "${TRENCH_GENERATED}/src/choice_table.c"
                       "${TRENCH_GENERATED}/src/regmap_tables.c"
                       "${TRENCH_GENERATED}/src/block_tables.c"
                       "${TRENCH_GENERATED}/src/device_tables.c"
                       "${TRENCH_GENERATED}/src/udma_tables.c"
                       "${TRENCH_GENERATED}/src/pci_tables.c"
                       "${TRENCH_GENERATED}/src/timing_tables.c")
set(TRENCH_NUM_SOURCES "${TRENCH_GENERATED}/src/num_tables.c")
set(TRENCH_ISA_SOURCES "${TRENCH_GENERATED}/src/isa_tables.c" "${TRENCH_GENERATED}/src/isa_text.c"
                       "${TRENCH_GENERATED}/src/isa_rules.c")
set(TRENCH_SEQ_SOURCES "${TRENCH_GENERATED}/src/dispatch_table.c")
set(TRENCH_MANUAL_SOURCES "${TRENCH_GENERATED}/src/manual_tables.c"
                          "${TRENCH_GENERATED}/src/manual_hal_tables.c"
                          "${TRENCH_GENERATED}/src/manual_fw_tables.c"
                          "${TRENCH_GENERATED}/src/manual_xtensa_tables.c")
set(TRENCH_HAL_SOURCES "${TRENCH_GENERATED}/src/hal_tables.c")
set(TRENCH_ACT_SOURCES "${TRENCH_GENERATED}/src/act_recipes.c")
set(TRENCH_FW_DATA_SOURCES "${TRENCH_GENERATED}/src/fw_data_tables.c")
set(TRENCH_FW_CODE_SOURCES "${TRENCH_GENERATED}/src/xtensa_tables.c")
set(TRENCH_FW_KNOWN_SOURCES "${TRENCH_GENERATED}/src/fw_known_table.c")
set(TRENCH_UCODE_SOURCES "${TRENCH_GENERATED}/src/ucode_images.c")
# Declared too, so that a table and what includes its header are remade in one build.
set(TRENCH_GENERATED_HEADERS
  "${TRENCH_GENERATED}/include/trench/choice_ids.h" "${TRENCH_GENERATED}/include/trench/enums.h"
  "${TRENCH_GENERATED}/include/trench/gen_fields.h" "${TRENCH_GENERATED}/include/trench/record_ids.h"
  "${TRENCH_GENERATED}/include/trench/udma_ids.h" "${TRENCH_GENERATED}/src/udma_pack.h"
  "${TRENCH_GENERATED}/src/isa_fields.h" "${TRENCH_GENERATED}/src/record_pack.h"
  "${TRENCH_GENERATED}/src/isa_ids.h" "${TRENCH_GENERATED}/include/trench/act_fields.h"
  "${TRENCH_GENERATED}/src/act_pack.h" "${TRENCH_GENERATED}/src/act_rows.h"
  "${TRENCH_GENERATED}/include/trench/xtensa_ids.h" "${TRENCH_GENERATED}/src/timing_ids.h")

add_custom_command(
  OUTPUT "${TRENCH_GENERATED}/stamp"
  BYPRODUCTS ${TRENCH_GENERATED_HEADERS} ${TRENCH_GEN_SOURCES} ${TRENCH_NUM_SOURCES} ${TRENCH_ISA_SOURCES}
             ${TRENCH_SEQ_SOURCES} ${TRENCH_MANUAL_SOURCES} ${TRENCH_UCODE_SOURCES}
             ${TRENCH_HAL_SOURCES} ${TRENCH_FW_KNOWN_SOURCES} ${TRENCH_FW_CODE_SOURCES}
             ${TRENCH_FW_DATA_SOURCES} ${TRENCH_ACT_SOURCES}
  COMMAND Python3::Interpreter "${CMAKE_SOURCE_DIR}/tools/tablegen"
          --data "${CMAKE_SOURCE_DIR}/data" --out "${TRENCH_GENERATED}"
  COMMAND "${CMAKE_COMMAND}" -E touch "${TRENCH_GENERATED}/stamp"
  DEPENDS ${TRENCH_TABLES} ${TRENCH_TABLEGEN}
  COMMENT "tablegen: compiling data/*.csv"
  VERBATIM)
add_custom_target(tables DEPENDS "${TRENCH_GENERATED}/stamp")
