# SPDX-License-Identifier: Apache-2.0
# Results must not depend on the compiler's choices: no contraction of a*b+c, no fast math.
# Nothing here changes a value: errno and trap flags of the C library are not used.
add_compile_options(-Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wvla -Werror
                    -ffp-contract=off -fno-math-errno -fno-trapping-math -fno-strict-aliasing)
set(CMAKE_C_FLAGS_RELEASE "-O3 -g")
add_compile_definitions(_GNU_SOURCE TRN_VERSION="${PROJECT_VERSION}")

if(TRENCH_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
if(TRENCH_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all)
  add_link_options(-fsanitize=address,undefined)
endif()
