# The reference of the public headers: `cmake --build ... --target pmusim-reference`, and part of every build for
# packages. It needs doxygen; without it pmusim-doc has no reference.
find_program(PMUSIM_DOXYGEN doxygen)
set(PMUSIM_REFERENCE_INPUT "")
foreach(part encoder/include isa-traces/include ${PMUSIM_PUBLIC_MODEL_HEADERS})
  if(part MATCHES "\\.h$")
    string(PREPEND part "models/")
  endif()
  string(APPEND PMUSIM_REFERENCE_INPUT " \"${PROJECT_SOURCE_DIR}/${part}\"")
endforeach()
configure_file(scripts/reference/Doxyfile.in reference/Doxyfile @ONLY)
if(PMUSIM_DOXYGEN)
  set(all ALL)
  if(PMUSIM_BUILD_TESTS)
    set(all)
  endif()
  list(TRANSFORM PMUSIM_PUBLIC_MODEL_HEADERS PREPEND "${PROJECT_SOURCE_DIR}/models/" OUTPUT_VARIABLE headers)
  file(GLOB_RECURSE others CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/encoder/include/*.h"
    "${PROJECT_SOURCE_DIR}/isa-traces/include/*.h")
  add_custom_command(OUTPUT "${PROJECT_BINARY_DIR}/reference/html/index.html"
    COMMAND ${CMAKE_COMMAND} -E rm -rf "${PROJECT_BINARY_DIR}/reference/html"  # pages of removed headers
    COMMAND ${PMUSIM_DOXYGEN} "${PROJECT_BINARY_DIR}/reference/Doxyfile"
    DEPENDS ${headers} ${others} scripts/reference/filter "${PROJECT_BINARY_DIR}/reference/Doxyfile" VERBATIM)
  add_custom_target(pmusim-reference ${all} DEPENDS "${PROJECT_BINARY_DIR}/reference/html/index.html")
endif()
install(DIRECTORY "${PROJECT_BINARY_DIR}/reference/html/" DESTINATION ${share}/doc/pmusim-doc/reference
  COMPONENT pmusim_doc OPTIONAL FILES_MATCHING PATTERN "*.html" PATTERN "*.css" PATTERN "*.svg" PATTERN "*.png")
