# pmusim_harden(TARGET): hardens code that reads foreign data. Stack frames and copies into arrays are guarded; in a
# program or a shared library the loader's tables become read-only. Cores and monitors read no foreign data, and guards
# in each of their frames would cost time without benefit.
# With less optimisation and checked copies, GCC 12 reports false overlapping copies in std::string's own buffer (GCC
# bug 105651).
function(pmusim_without_false_bounds target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread>)
  endif()
endfunction()

function(pmusim_harden target)
  set_target_properties(${target} PROPERTIES PMUSIM_HARDENED ON)
  if(NOT PMUSIM_SANITIZE)
    pmusim_without_false_bounds(${target})
    target_compile_options(${target} PRIVATE
      $<$<CONFIG:Release>:-fstack-protector-strong;-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>)
  endif()
  get_target_property(type ${target} TYPE)
  if(type MATCHES "EXECUTABLE|SHARED_LIBRARY|MODULE_LIBRARY")
    target_link_options(${target} PRIVATE LINKER:-z,relro LINKER:-z,now)
  endif()
endfunction()
