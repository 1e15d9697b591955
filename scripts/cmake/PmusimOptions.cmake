# Language level, warnings, sanitizers and the libraries that several components use.
option(PMUSIM_BUILD_TESTBENCH "Build the pmusim command" ON)
option(PMUSIM_BUILD_TESTS "Build the tests, the fuzzers' corpus runs and the benchmarks" ON)
option(PMUSIM_WERROR "Treat warnings as errors" OFF)
set(PMUSIM_SANITIZE OFF CACHE STRING "ON: with AddressSanitizer and UndefinedBehaviorSanitizer; thread: with ThreadSanitizer")
option(PMUSIM_FUZZ "Build the libFuzzer programs (needs clang)" OFF)
option(PMUSIM_COVERAGE "Build the libFuzzer programs so that they say which lines they ran (needs clang)" OFF)
option(PMUSIM_UNITY "Compile up to ten sources of a folder at once: a whole build takes less time, but the build after a change takes more" OFF)
set(PMUSIM_TEST_OBJECTS "" CACHE PATH "In a sanitized build: a plain build of the same sources whose test objects are taken")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# Programs find the recorded traces in share/pmusim beside bin, in a build folder as in an installation.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/share")
file(CREATE_LINK "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}/share/pmusim" SYMBOLIC)
set(CMAKE_UNITY_BUILD ${PMUSIM_UNITY})
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
find_program(PMUSIM_CCACHE ccache)
if(PMUSIM_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${PMUSIM_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${PMUSIM_CCACHE})
endif()

add_compile_options(-Wall -Wextra -Wpedantic $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor>)
# GCC 12 reports false overlapping copies inside std::string (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
endif()
# GCC collects garbage from 128 MB on, and finds little. From 512 MB on, sources took 1 to 12 % less time to compile, and
# up to 0.3 GB more memory.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(--param=ggc-min-heapsize=524288)
endif()
# Otherwise the position of a function within its cache line depends on everything linked before it, which changes the
# ratios of docs/benchmarks.md by about 5 %.
add_compile_options($<$<CONFIG:Release>:-falign-functions=64>)
if(PMUSIM_WERROR)
  add_compile_options(-Werror)
endif()
if(PMUSIM_SANITIZE STREQUAL "thread")
  add_compile_options(-fsanitize=thread)
  add_link_options(-fsanitize=thread)
elseif(PMUSIM_SANITIZE)
  # Instrumented standard library code causes false reports of uninitialised values in GCC (GCC bug 105562).
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-maybe-uninitialized)
  endif()
  # AddressSanitizer detects null pointers, too; UndefinedBehaviorSanitizer's null tests of every pointer take a quarter
  # of the compile time.
  add_compile_options(-fsanitize=address,undefined -fno-sanitize=null -fno-sanitize-recover=undefined
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()

if(PMUSIM_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "PMUSIM_FUZZ needs clang: cmake --preset fuzz")
  endif()
  # All code is instrumented for libFuzzer, in every library.
  add_compile_options(-fsanitize=fuzzer-no-link)
  add_link_options(-fsanitize=fuzzer-no-link)
endif()
if(PMUSIM_COVERAGE)
  add_compile_options(-fprofile-instr-generate -fcoverage-mapping)
  add_link_options(-fprofile-instr-generate)
endif()

find_program(PMUSIM_LLD ld.lld)
if(PMUSIM_LLD)
  add_link_options(-fuse-ld=lld)
endif()

find_package(PkgConfig REQUIRED)
find_package(fmt REQUIRED)
include(FindSystemC)
include(PmusimQuickBuild)
include(PmusimProfile)
include(PmusimUnity)
include(PmusimHarden)
