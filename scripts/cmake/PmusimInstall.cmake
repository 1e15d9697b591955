# Installed package `pmusim`: the encoder library, the trace library and the PMU models, with headers.
#   find_package(pmusim) gives pmusim::encoder, pmusim::encoder-static, pmusim::trace, pmusim::targets,
#   pmusim::pmu, pmusim::pmu-systemc and a library for each PMU.
include(CMakePackageConfigHelpers)

set(pmusim_libraries
  pmusim-encoder pmusim-encoder-static pmusim-trace pmusim-activity pmusim-activity-file pmusim-core pmusim-pmu pmusim-pmu-systemc
  pmusim-ppc750gx pmusim-athlon pmusim-pmu-ia64 pmusim-itanium2 pmusim-montecito pmusim-alpha
  pmusim-targets)
set(pmusim_installed "")
foreach(target ${pmusim_libraries})
  if(NOT TARGET ${target})
    continue()
  endif()
  list(APPEND pmusim_installed ${target})
  string(REGEX REPLACE "^pmusim-" "" short ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${short})
  add_library(pmusim::${short} ALIAS ${target})
endforeach()

install(TARGETS ${pmusim_installed} EXPORT pmusimTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY encoder/include/ isa-traces/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(DIRECTORY models DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/pmusim FILES_MATCHING PATTERN "*.h")
# Writers of activity files for other programs.
install(DIRECTORY models/activity_file/foreign DESTINATION ${CMAKE_INSTALL_DATADIR}/pmusim
  FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp" PATTERN "*.py" PATTERN "*.c" PATTERN "*.cpp")
# The command, and below share/pmusim the traces that it judges by default, in folders as here.
if(TARGET pmusim)
  install(TARGETS pmusim RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  foreach(folder isa-traces/recorded testbench/tests/micro/traces testbench/questions/traces)
    install(DIRECTORY ${folder}/ DESTINATION ${CMAKE_INSTALL_DATADIR}/pmusim/${folder}
      FILES_MATCHING PATTERN "*.pmt" PATTERN "*.txt")
  endforeach()
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/pmusim)
install(EXPORT pmusimTargets NAMESPACE pmusim:: DESTINATION ${package_dir})
configure_package_config_file(scripts/cmake/pmusimConfig.cmake.in pmusimConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(pmusimConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/pmusimConfig.cmake ${PROJECT_BINARY_DIR}/pmusimConfigVersion.cmake
              scripts/cmake/FindSystemC.cmake DESTINATION ${package_dir})
