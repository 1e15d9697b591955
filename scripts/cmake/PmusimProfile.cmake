# A build for a profile: GCC lays out cores and the reader of traces by how often each branch was taken in training runs.
# scripts/build-profiled makes the profile and the build.
set(PMUSIM_PGO OFF CACHE STRING "ON: optimise for the profile in the build folder; train: a build whose runs write it (scripts/build-profiled)")
set_property(CACHE PMUSIM_PGO PROPERTY STRINGS OFF ON train)

if(PMUSIM_PGO AND NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  message(FATAL_ERROR "PMUSIM_PGO: the compiler is ${CMAKE_CXX_COMPILER_ID}, expected GNU")
elseif(PMUSIM_PGO AND NOT PMUSIM_PGO STREQUAL "train" AND NOT EXISTS "${PROJECT_BINARY_DIR}/profile")
  message(FATAL_ERROR "PMUSIM_PGO: ${PROJECT_BINARY_DIR}/profile is missing, expected the profile of scripts/build-profiled")
endif()

# pmusim_profile(TARGET): for a static library that takes most of the time of a run.
function(pmusim_profile target)
  set(folder "${PROJECT_BINARY_DIR}/profile")
  if(PMUSIM_PGO STREQUAL "train")
    target_compile_options(${target} PRIVATE "-fprofile-generate=${folder}")
    target_link_options(${target} INTERFACE -fprofile-generate)
  elseif(PMUSIM_PGO)
    # What no training run reached is optimised as without a profile.
    target_compile_options(${target} PRIVATE "-fprofile-use=${folder}" -fprofile-partial-training -Wno-missing-profile)
  endif()
endfunction()
