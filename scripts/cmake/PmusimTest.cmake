# pmusim_test(NAME SOURCES ... LIBRARIES ... [TIMEOUT seconds] [LABELS ...]): one GoogleTest program, one ctest entry.
find_package(GTest REQUIRED)
function(pmusim_test name)
  cmake_parse_arguments(T "" "TIMEOUT" "SOURCES;LIBRARIES;LABELS" ${ARGN})
  add_executable(${name} ${T_SOURCES})
  target_link_libraries(${name} PRIVATE ${T_LIBRARIES} GTest::gtest GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE PMUSIM_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                             PMUSIM_BINARY_DIR="${PROJECT_BINARY_DIR}")
  add_test(NAME ${name} COMMAND ${name})
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT 1500)
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${T_TIMEOUT} LABELS "${T_LABELS}")
endfunction()
