# Run by cpack on each component's tree before it is packed.
file(GLOB trees "${CPACK_TEMPORARY_DIRECTORY}/*")
if(NOT DEFINED ENV{SOURCE_DATE_EPOCH})
  string(TIMESTAMP now "%s" UTC)
  set(ENV{SOURCE_DATE_EPOCH} ${now})
endif()
set(epoch $ENV{SOURCE_DATE_EPOCH})
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)

# run(COMMAND...): runs a command; stops with an error if it fails.
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

foreach(tree ${trees})
  get_filename_component(component ${tree} NAME)
  string(REPLACE "_" "-" package ${component})
  set(usr "${tree}${CPACK_PACKAGING_INSTALL_PREFIX}")
  if(NOT IS_DIRECTORY "${usr}")
    continue()
  endif()
  set(doc "${usr}/share/doc/${package}")
  file(MAKE_DIRECTORY "${doc}")
  file(COPY "${CMAKE_CURRENT_LIST_DIR}/copyright" DESTINATION "${doc}")
  file(WRITE "${doc}/changelog"
    "pmusim (${CPACK_PACKAGE_VERSION}) unstable; urgency=low\n\n"
    "  * See CHANGELOG.md in pmusim-doc.\n\n"
    " -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
  file(GLOB_RECURSE packed "${usr}/share/man/*" "${doc}/changelog")
  foreach(file ${packed})
    run(gzip -9 -n -f "${file}")
  endforeach()
  run(find "${tree}" -type d -exec chmod 755 {} +)
  run(find "${tree}" -type f -not -perm -100 -exec chmod 644 {} +)
  run(find "${tree}" -exec touch -h -d "@${epoch}" {} +)
endforeach()
