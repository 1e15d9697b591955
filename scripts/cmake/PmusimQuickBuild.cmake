# Shortens the build: less optimisation where code runs once.

# pmusim_build_quickly(TARGET): for code that runs once and takes long to compile (commands, tests).
function(pmusim_build_quickly target)
  if(PMUSIM_SANITIZE)
    target_compile_options(${target} PRIVATE -O0 -fno-sanitize=alignment)
  else()
    target_compile_options(${target} PRIVATE "$<$<CONFIG:Release>:-O1;-falign-functions=1>")
  endif()
  pmusim_without_false_bounds(${target})
endfunction()

# Sanitizers check the tested code, not the tests' own code, which is half of a build.
function(pmusim_leave_plain target)
  if(PMUSIM_SANITIZE)
    target_compile_options(${target} PRIVATE -fno-sanitize=all -g0)
  endif()
endfunction()
