# SPDX-License-Identifier: Apache-2.0
# TRENCH_NUMPY_PYTHON: an interpreter that has NumPy, for the tests' independent oracles.
if(NOT TRENCH_NUMPY_PYTHON)
  foreach(candidate /usr/bin/python3 "${Python3_EXECUTABLE}")
    execute_process(COMMAND "${candidate}" -c "import numpy" RESULT_VARIABLE missing
                    OUTPUT_QUIET ERROR_QUIET)
    if(NOT missing)
      set(TRENCH_NUMPY_PYTHON "${candidate}" CACHE FILEPATH "Python 3 with NumPy, for the tests")
      break()
    endif()
  endforeach()
endif()
if(NOT TRENCH_NUMPY_PYTHON)
  message(FATAL_ERROR "the tests need a Python 3 with NumPy: install python3-numpy, or set "
                      "TRENCH_NUMPY_PYTHON to an interpreter that has it")
endif()
