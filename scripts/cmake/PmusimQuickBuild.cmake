# Shortens the build: less optimisation where code runs once.

# pmusim_build_quickly(TARGET [LEVEL]): for code that runs once and takes long to compile (commands, tests). GCC compiles it
# with -Og, the default LEVEL, in three quarters of the time that -O1 takes.
function(pmusim_build_quickly target)
  list(APPEND ARGN -Og)
  list(GET ARGN 0 level)
  if(PMUSIM_SANITIZE)
    target_compile_options(${target} PRIVATE -O0 -fno-sanitize=alignment)
  else()
    target_compile_options(${target} PRIVATE "$<$<CONFIG:Release>:${level};-falign-functions=1>")
  endif()
  pmusim_without_false_bounds(${target})
endfunction()

# Sanitizers check the tested code, not the tests' own code, which is half of a build.
function(pmusim_leave_plain target)
  if(PMUSIM_SANITIZE)
    target_compile_options(${target} PRIVATE -fno-sanitize=all -g0)
  endif()
endfunction()
