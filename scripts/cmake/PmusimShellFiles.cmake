# Files generated from the command's output: manual pages, and completions for three shells.
find_package(Python3 COMPONENTS Interpreter)
if(PMUSIM_SANITIZE OR PMUSIM_FUZZ OR NOT Python3_FOUND)
  return()
endif()
set(folder "${PROJECT_BINARY_DIR}/shell")
file(MAKE_DIRECTORY "${folder}")
add_custom_command(OUTPUT "${folder}/made"
  COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/scripts/manual-pages" --pmusim "$<TARGET_FILE:pmusim>"
    --version ${PROJECT_VERSION} --output "${folder}/man"
  COMMAND pmusim completion bash > "${folder}/pmusim"
  COMMAND pmusim completion zsh > "${folder}/_pmusim"
  COMMAND pmusim completion fish > "${folder}/pmusim.fish"
  COMMAND ${CMAKE_COMMAND} -E touch "${folder}/made"
  DEPENDS pmusim scripts/manual-pages docs/traces.md docs/activity.md docs/json.md docs/foreign-encoders.md docs/encoder.md
  WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" VERBATIM)
add_custom_target(pmusim-shell-files ALL DEPENDS "${folder}/made")
foreach(section 1 5 7)
  install(DIRECTORY "${folder}/man/" DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section} COMPONENT pmusim
    FILES_MATCHING PATTERN "*.${section}")
endforeach()
install(FILES "${folder}/pmusim" DESTINATION ${share}/bash-completion/completions COMPONENT pmusim)
install(FILES "${folder}/_pmusim" DESTINATION ${share}/zsh/vendor-completions COMPONENT pmusim)
install(FILES "${folder}/pmusim.fish" DESTINATION ${share}/fish/vendor_completions.d COMPONENT pmusim)
