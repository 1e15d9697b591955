# Shortens the build: less optimisation where code runs once, and precompiled headers.

# pmusim_build_quickly(TARGET): for code that runs once and takes long to compile (commands, tests).
function(pmusim_build_quickly target)
  if(PMUSIM_SANITIZE)
    target_compile_options(${target} PRIVATE -O0 -fno-sanitize=alignment)
  else()
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
  pmusim_without_false_bounds(${target})
endfunction()

# Sanitizers check the tested code, not the tests' own code, which is half of a build.
function(pmusim_leave_plain target)
  if(PMUSIM_SANITIZE)
    target_compile_options(${target} PRIVATE -fno-sanitize=all -g0)
  endif()
endfunction()

# pmusim_precompile(TARGET library|test|command): precompiles the headers that most sources of such a target include.
set(PMUSIM_PRECOMPILED_library
  <algorithm> <array> <functional> <map> <memory> <optional> <span> <stdexcept> <string> <string_view> <vector>
  <fmt/format.h>)
set(PMUSIM_PRECOMPILED_test ${PMUSIM_PRECOMPILED_library} <gtest/gtest.h>)
set(PMUSIM_PRECOMPILED_command ${PMUSIM_PRECOMPILED_library} <nlohmann/json.hpp>)

function(pmusim_precompile target kind)
  if(NOT PMUSIM_PRECOMPILE)
    return()
  endif()
  set(holder pmusim-precompiled-${kind})
  get_target_property(hardened ${target} PMUSIM_HARDENED)
  if(hardened)  # other compiler options require another header
    set(holder ${holder}-hardened)
  endif()
  if(NOT TARGET ${holder})
    file(WRITE "${PROJECT_BINARY_DIR}/${holder}.cpp" "// Holds a precompiled header.\n")
    add_library(${holder} OBJECT "${PROJECT_BINARY_DIR}/${holder}.cpp")
    target_link_libraries(${holder} PRIVATE fmt::fmt)
    if(hardened)
      pmusim_harden(${holder})
    endif()
    if(kind STREQUAL "test")
      target_link_libraries(${holder} PRIVATE GTest::gtest)
      pmusim_leave_plain(${holder})
    elseif(kind STREQUAL "command")
      find_package(nlohmann_json REQUIRED)
      target_link_libraries(${holder} PRIVATE nlohmann_json::nlohmann_json)
    endif()
    if(NOT kind STREQUAL "library")
      pmusim_build_quickly(${holder})
    endif()
    target_precompile_headers(${holder} PRIVATE ${PMUSIM_PRECOMPILED_${kind}})
  endif()
  # The properties that the compiler compares before it uses a precompiled header: position independence and fmt's
  # macros.
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "EXECUTABLE")
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${target} PRIVATE -fPIC)
  endif()
  target_compile_definitions(${target} PRIVATE $<TARGET_PROPERTY:fmt::fmt,INTERFACE_COMPILE_DEFINITIONS>)
  target_precompile_headers(${target} REUSE_FROM ${holder})
endfunction()
