# Defines the target SystemC::systemc, from SystemC's CMake package if there is one, otherwise from pkg-config. Debian's
# library is built as C++17 and refuses to link with code of another standard; SC_CPLUSPLUS makes the headers use the
# symbol that it has.
if(NOT TARGET SystemC::systemc)
  find_package(SystemCLanguage CONFIG QUIET)
  if(NOT TARGET SystemC::systemc)
    pkg_check_modules(SYSTEMC REQUIRED IMPORTED_TARGET GLOBAL systemc tlm)
    add_library(SystemC::systemc INTERFACE IMPORTED GLOBAL)
    target_link_libraries(SystemC::systemc INTERFACE PkgConfig::SYSTEMC)
    target_compile_definitions(SystemC::systemc INTERFACE SC_CPLUSPLUS=201703L)
  endif()
endif()
