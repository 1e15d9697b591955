# The installed files, each part a component: the same tree from `cmake --install` and, as one Debian package per
# component, from `cpack` (PmusimPackages.cmake).
#   find_package(pmusim) provides pmusim::encoder and pmusim::encoder-static; and, if they are installed,
#   pmusim::trace, pmusim::targets, pmusim::pmu, pmusim::pmu-systemc and a library for each PMU.
include(CMakePackageConfigHelpers)

# pmusim_export(SET TARGETS...): adds targets to the CMake package.
function(pmusim_export set)
  foreach(target ${ARGN})
    if(TARGET ${target})
      string(REGEX REPLACE "^pmusim-" "" short ${target})
      set_target_properties(${target} PROPERTIES EXPORT_NAME ${short})
      add_library(pmusim::${short} ALIAS ${target})
      install(TARGETS ${target} EXPORT ${set}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT libpmuencoder1 NAMELINK_COMPONENT libpmuencoder_dev
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${PMUSIM_COMPONENT_${set}})
    endif()
  endforeach()
endfunction()
set(PMUSIM_COMPONENT_pmusimEncoderTargets libpmuencoder_dev)
set(PMUSIM_COMPONENT_pmusimTargets libpmusim_dev)
pmusim_export(pmusimEncoderTargets pmusim-encoder pmusim-encoder-static)
pmusim_export(pmusimTargets
  pmusim-trace pmusim-activity pmusim-activity-file pmusim-core pmusim-pmu pmusim-pmu-systemc pmusim-ppc750gx pmusim-athlon pmusim-pmu-ia64
  pmusim-itanium2 pmusim-montecito pmusim-alpha pmusim-targets)

set(include ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY encoder/include/ DESTINATION ${include} COMPONENT libpmuencoder_dev FILES_MATCHING PATTERN "*.h")
install(DIRECTORY isa-traces/include/ DESTINATION ${include} COMPONENT libpmusim_dev
  FILES_MATCHING PATTERN "*.h" PATTERN bytes.h EXCLUDE)
# The model headers that users of targets, monitors and SystemC modules include.
set(PMUSIM_PUBLIC_MODEL_HEADERS
  targets.h core/core.h common/parameters.h
  activity/activity.h activity/alpha.h activity/ia64.h activity/signals.h activity/subscription.h
  activity/vocabulary.h
  activity_file/block_codec.h activity_file/column.h activity_file/description.h activity_file/format.h
  activity_file/reader.h activity_file/rules.h activity_file/tables.h activity_file/writer.h
  pmu/activity_if.h pmu/follower.h pmu/monitor.h
  pmu/pmu_module.h pmu/pmu_shell.h pmu/probe.h pmu/register_window.h pmu/runs.h pmu/signal_module.h pmu/tlm_registers.h
  athlon/athlon.h ppc750gx/ppc750gx.h itanium2/itanium2.h montecito/montecito.h alpha/alpha.h alpha/wrperfmon.h
  ia64/branch_ring.h ia64/ip_ear.h ia64/tags.h)
foreach(header ${PMUSIM_PUBLIC_MODEL_HEADERS})
  get_filename_component(folder models/${header} DIRECTORY)
  install(FILES models/${header} DESTINATION ${include}/pmusim/${folder} COMPONENT libpmusim_dev)
endforeach()

# Writers of traces and of activity files, for use in other programs.
install(DIRECTORY isa-traces/foreign models/activity_file/foreign DESTINATION ${CMAKE_INSTALL_DATADIR}/pmusim COMPONENT libpmusim_dev
  FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp" PATTERN "*.py" PATTERN "*.c" PATTERN "*.cpp")

# The command, and below share/pmusim the traces that it uses by default, in the same folders as here.
set(share ${CMAKE_INSTALL_DATADIR})
if(TARGET pmusim)
  install(TARGETS pmusim RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT pmusim)
  foreach(folder isa-traces/recorded isa-traces/micro isa-traces/questions)
    install(DIRECTORY ${folder}/ DESTINATION ${share}/pmusim/${folder} COMPONENT pmusim
      FILES_MATCHING PATTERN "*.pmt" PATTERN "*.txt")
  endforeach()
  # The laboratory's page, and the sources of the programs that it shows.
  install(DIRECTORY testbench/lab/page testbench/lab/lessons DESTINATION ${share}/pmusim/testbench/lab COMPONENT pmusim)
  install(FILES testbench/lab/programs.json DESTINATION ${share}/pmusim/testbench/lab COMPONENT pmusim)
  install(DIRECTORY isa-traces/programs DESTINATION ${share}/pmusim/isa-traces COMPONENT pmusim
    FILES_MATCHING PATTERN "*.c" PATTERN "*.s")
  install(FILES docs/foreign-encoders.schema.json DESTINATION ${share}/pmusim COMPONENT pmusim)
  # Adapters of other projects' encoders. Python adapters are installed with their helpers.
  install(PROGRAMS scripts/adapters/register-list scripts/adapters/perf-strings
    DESTINATION ${share}/pmusim/adapters COMPONENT pmusim)
  install(FILES scripts/adapters/protocol.py scripts/adapters/k7-perf.txt
    DESTINATION ${share}/pmusim/adapters COMPONENT pmusim)
  install(PROGRAMS scripts/adapters/gallery/gallery DESTINATION ${share}/pmusim/adapters/gallery COMPONENT pmusim)
  install(DIRECTORY scripts/adapters/gallery/ DESTINATION ${share}/pmusim/adapters/gallery COMPONENT pmusim
    FILES_MATCHING PATTERN "*.py" PATTERN "*.csv" PATTERN "tools.json")
  if(TARGET libpfm310-adapter)
    install(TARGETS libpfm310-adapter RUNTIME DESTINATION ${CMAKE_INSTALL_LIBDIR}/pmusim COMPONENT pmusim)
  endif()
  include(PmusimShellFiles)
endif()
# The project's README beside the pages: its links to pages are adjusted, and those to sources become text.
file(READ README.md about)
string(REGEX REPLACE "\\[([^]]*)\\]\\([a-z-]+/README\\.md\\)" "\\1" about "${about}")
string(REPLACE "](docs/" "](" about "${about}")
string(REPLACE "](LICENSE)" "](copyright)" about "${about}")
file(CONFIGURE OUTPUT about.md CONTENT "${about}" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/about.md" CHANGELOG.md DESTINATION ${share}/doc/pmusim-doc COMPONENT pmusim_doc)
# Links of the pages to files that are not installed become text.
file(GLOB pages RELATIVE "${PROJECT_SOURCE_DIR}/docs" CONFIGURE_DEPENDS docs/*.md)
foreach(name ${pages})
  file(READ docs/${name} page)
  if(page MATCHES "\\]\\(\\.\\./")
    string(REGEX REPLACE "\\[([^]]*)\\]\\(\\.\\./[^)]*\\)" "\\1" page "${page}")
    file(WRITE "${PROJECT_BINARY_DIR}/doc/${name}" "${page}")
    install(FILES "${PROJECT_BINARY_DIR}/doc/${name}" DESTINATION ${share}/doc/pmusim-doc COMPONENT pmusim_doc)
    list(APPEND elsewhere PATTERN "docs/${name}" EXCLUDE)
  endif()
endforeach()
install(DIRECTORY docs/ DESTINATION ${share}/doc/pmusim-doc COMPONENT pmusim_doc
  FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "*.png" PATTERN "*.json" PATTERN "*.csv" PATTERN "*.ipynb"
  ${elsewhere})
# The laboratory as one file, if scripts/build-lab has made it.
install(FILES build/lab/pmusim-lab.html DESTINATION ${share}/doc/pmusim-doc COMPONENT pmusim_doc OPTIONAL)
# A virtual platform, and a PMU for an emulator: separate projects that use libpmusim-dev.
set(platform ${share}/doc/pmusim-doc/examples/platform)
install(DIRECTORY testbench/platform/ DESTINATION ${platform} COMPONENT pmusim_doc
  FILES_MATCHING PATTERN "*.cpp" PATTERN "*.h" PATTERN "*.s" PATTERN "*.inc" PATTERN "*.md" PATTERN CMakeLists.txt)
install(FILES isa-traces/capture/qemu_plugin.h DESTINATION ${platform} COMPONENT pmusim_doc)

# pmusim_pkgconfig(NAME COMPONENT): a file for pkg-config. It finds the prefix from its own place, unless the libraries'
# folder is an absolute one.
function(pmusim_pkgconfig name component)
  if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
    set(prefix "${CMAKE_INSTALL_PREFIX}")
  else()
    file(RELATIVE_PATH up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
    string(REGEX REPLACE "/$" "" up "${up}")
    set(prefix "\${pcfiledir}/${up}")
  endif()
  set(includedir "${CMAKE_INSTALL_INCLUDEDIR}")
  if(NOT IS_ABSOLUTE "${includedir}")
    string(PREPEND includedir "\${prefix}/")
  endif()
  configure_file("${PROJECT_SOURCE_DIR}/scripts/packages/${name}.pc.in" "${PROJECT_BINARY_DIR}/${name}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${name}.pc" DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT ${component})
endfunction()
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/pmusim)
install(EXPORT pmusimEncoderTargets NAMESPACE pmusim:: DESTINATION ${package_dir} COMPONENT libpmuencoder_dev)
install(EXPORT pmusimTargets NAMESPACE pmusim:: DESTINATION ${package_dir} COMPONENT libpmusim_dev)
configure_package_config_file(scripts/cmake/pmusimConfig.cmake.in pmusimConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(pmusimConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/pmusimConfig.cmake ${PROJECT_BINARY_DIR}/pmusimConfigVersion.cmake
  DESTINATION ${package_dir} COMPONENT libpmuencoder_dev)
install(FILES scripts/cmake/FindSystemC.cmake DESTINATION ${package_dir} COMPONENT libpmusim_dev)
pmusim_pkgconfig(pmuencoder libpmuencoder_dev)
if(TARGET pmusim-pfm-device)
  pmusim_pkgconfig(pmusim-pfm libpmusim_dev)
endif()
