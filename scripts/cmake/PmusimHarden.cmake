# pmusim_harden(TARGET): for what reads bytes of others. Stack frames and copies into arrays are guarded; of a program or
# a shared library nothing that the loader filled in stays writable. Cores and monitors see no such bytes, and a guard in
# each of their frames would be time for nothing.
# With less optimisation, and with checked copies, GCC 12 sees copies out of std::string's own buffer that are none (GCC bug
# 105651).
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
