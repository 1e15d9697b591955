find_package(GTest REQUIRED)

# Tests neither read nor fill the user's cache.
set(pmusim_test_environment "PMUSIM_CACHE=off")

# Tests of all that reads input and of the encoder with its C API: every change runs them under sanitizers, too, from a
# build of the target `input_tests` alone. They also get the label `input`, by which scripts/test-all selects them. Models
# read no input: the night's part `sanitizers` has their tests.
set(PMUSIM_INPUT_LABELS encoder fuzz trace)
add_custom_target(input_tests)
# pmusim_label_tests(PROGRAM LABELS ... TESTS ...): sets the labels of tests that need a program.
function(pmusim_label_tests program)
  cmake_parse_arguments(L "" "" "LABELS;TESTS" ${ARGN})
  set(labels ${L_LABELS})
  foreach(label ${L_LABELS})
    if(label IN_LIST PMUSIM_INPUT_LABELS)
      add_dependencies(input_tests ${program})
      list(APPEND labels input)
    endif()
  endforeach()
  set_tests_properties(${L_TESTS} PROPERTIES LABELS "${labels}")
endfunction()

# pmusim_test_sources(OUT TARGET SOURCES...): the sources, or their objects from an uninstrumented build if a sanitized
# build uses these (PMUSIM_TEST_OBJECTS). A test's own code is not instrumented, so the objects are the same.
function(pmusim_test_sources out target)
  set(sources ${ARGN})
  if(PMUSIM_TEST_OBJECTS)
    file(RELATIVE_PATH folder "${PROJECT_BINARY_DIR}" "${CMAKE_CURRENT_BINARY_DIR}")
    file(GLOB_RECURSE sources "${PMUSIM_TEST_OBJECTS}/${folder}/CMakeFiles/${target}.dir/*.o")
    if(NOT sources)
      message(FATAL_ERROR "PMUSIM_TEST_OBJECTS: ${PMUSIM_TEST_OBJECTS} has no objects of ${target}; build it first")
    endif()
    set_source_files_properties(${sources} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  endif()
  set(${out} ${sources} PARENT_SCOPE)
endfunction()

# What only the night's parts run and `all` does not build.
add_custom_target(night_tests)

# pmusim_night_test(NAME ENVIRONMENT ... COMMAND ...): a test with the label `night`, which the presets of CMakePresets.json
# leave out; the part `long` of scripts/nightly runs them in turn.
function(pmusim_night_test name)
  cmake_parse_arguments(N "" "" "ENVIRONMENT;COMMAND" ${ARGN})
  add_test(NAME ${name} COMMAND ${N_COMMAND})
  set_tests_properties(${name} PROPERTIES LABELS night TIMEOUT 1800 PROCESSORS 2 ENVIRONMENT "${N_ENVIRONMENT}")
endfunction()

# pmusim-tested: all static libraries of the folders and GoogleTest in one shared object. A test program links it before
# the libraries that it names, so that it takes from these only what no shared object exports, and is little more than
# its own code.
function(pmusim_tested)
  foreach(folder ${ARGN})
    pmusim_folders(folders "${PROJECT_SOURCE_DIR}/${folder}")
    foreach(one ${folders})
      get_property(targets DIRECTORY ${one} PROPERTY BUILDSYSTEM_TARGETS)
      foreach(target ${targets})
        get_target_property(type ${target} TYPE)
        if(type STREQUAL "STATIC_LIBRARY")
          list(APPEND libraries ${target})
        endif()
      endforeach()
    endforeach()
  endforeach()
  list(REMOVE_ITEM libraries pmusim-pfm-linked)  # takes the place of system calls
  list(TRANSFORM libraries REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE objects)
  add_library(pmusim-tested SHARED ${objects})
  set_target_properties(pmusim-tested PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(pmusim-tested PRIVATE pmusim-encoder "$<LINK_LIBRARY:WHOLE_ARCHIVE,GTest::gtest>" ${libraries})
  # The encoder's shared object comes first: otherwise its archive, which some of them name, is a second copy.
  target_link_options(pmusim-tested PRIVATE LINKER:-Bsymbolic-functions $<TARGET_FILE:pmusim-encoder>)
endfunction()

function(pmusim_build_test target)
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX PMUSIM_UNITY_SOURCES 24)
  pmusim_build_quickly(${target})
  pmusim_leave_plain(${target})
endfunction()

# pmusim_test_library(NAME SOURCES...): shared code of several test programs.
function(pmusim_test_library name)
  pmusim_test_sources(sources ${name} ${ARGN})
  add_library(${name} STATIC ${sources})
  pmusim_build_test(${name})
endfunction()

# pmusim_test(NAME SOURCES ... LIBRARIES ... [TIMEOUT seconds] [COST seconds] [SHARDS number] [LABELS ...]
# [PLAIN_ONLY PATTERNS...] [NIGHT PATTERNS...]): one GoogleTest program, one ctest entry, or NAME_1 to NAME_number, which share its tests.
# PLAIN_ONLY: tests that are left out under sanitizers, because they check properties that no sanitizer detects (children,
# files, exit codes) in processes that start an order of magnitude more slowly. NIGHT: tests that take long for what they
# alone find; NAME_night runs them (see above). NIGHT_ONLY: all of them do, so that only the target night_tests builds the
# program, and a part of scripts/nightly runs it instead of ctest. COST: how long an entry takes, if more than ten seconds:
# ctest starts the long ones first, so that no processor waits for them at the end.
function(pmusim_test name)
  cmake_parse_arguments(T "NIGHT_ONLY" "TIMEOUT;COST;SHARDS" "SOURCES;LIBRARIES;LABELS;PLAIN_ONLY;NIGHT" ${ARGN})
  if(T_NIGHT_ONLY)
    set(PMUSIM_TEST_OBJECTS "")  # there may be none
  endif()
  pmusim_test_sources(sources ${name} ${T_SOURCES})
  add_executable(${name} ${sources})
  pmusim_build_test(${name})
  if(TARGET pmusim-tested)
    target_link_libraries(${name} PRIVATE pmusim-tested)
  endif()
  set(c_sources ${T_SOURCES})
  list(FILTER c_sources INCLUDE REGEX "\\.c$")
  set_source_files_properties(${c_sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  target_link_libraries(${name} PRIVATE ${T_LIBRARIES} GTest::gtest GTest::gtest_main)
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_compile_definitions(${name} PRIVATE PMUSIM_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  if(T_NIGHT_ONLY AND NOT PMUSIM_SANITIZE)
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
    add_dependencies(night_tests ${name})
    return()
  endif()
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT 1500)
  endif()
  if(NOT T_COST)
    set(T_COST 0)
  endif()
  set(environment ${pmusim_test_environment})
  set(left_out ${T_NIGHT})
  if(PMUSIM_SANITIZE)
    list(APPEND left_out ${T_PLAIN_ONLY})
  elseif(T_NIGHT)
    list(JOIN T_NIGHT ":" patterns)
    pmusim_night_test(${name}_night ENVIRONMENT "${environment};GTEST_FILTER=${patterns}" COMMAND ${name})
  endif()
  if(left_out)
    list(JOIN left_out ":" patterns)
    list(APPEND environment "GTEST_FILTER=-${patterns}")
  endif()
  set(entries ${name})
  if(T_SHARDS)
    set(entries)
    foreach(shard RANGE 1 ${T_SHARDS})
      list(APPEND entries ${name}_${shard})
    endforeach()
  else()
    set(T_SHARDS 1)
  endif()
  set(index 0)
  foreach(entry ${entries})
    add_test(NAME ${entry} COMMAND ${name})
    set_tests_properties(${entry} PROPERTIES TIMEOUT ${T_TIMEOUT} COST ${T_COST}
      ENVIRONMENT "${environment};GTEST_TOTAL_SHARDS=${T_SHARDS};GTEST_SHARD_INDEX=${index}")
    math(EXPR index "${index} + 1")
  endforeach()
  pmusim_label_tests(${name} LABELS ${T_LABELS} TESTS ${entries})
endfunction()
