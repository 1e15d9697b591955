# Input of the command from other programs: answers of foreign encoders, journals, symbols. Each fuzzer uses only the
# sources that it needs, so that the preset `fuzz` builds no models.
find_package(nlohmann_json REQUIRED)
pkg_check_modules(SODIUM REQUIRED IMPORTED_TARGET GLOBAL libsodium)
set(testbench "${PROJECT_SOURCE_DIR}/testbench")
set(cli "${PROJECT_SOURCE_DIR}/testbench/cli")
set(support "${PROJECT_SOURCE_DIR}/testbench/support")
pmusim_fuzzer(foreign_answer SOURCES foreign_answer.cpp ${testbench}/sweep/protocol.cpp ${support}/words.cpp
  LIBRARIES pmusim-encoder-static nlohmann_json::nlohmann_json fmt::fmt INCLUDES "${PROJECT_SOURCE_DIR}/isa-traces/include")
pmusim_fuzzer(journal SOURCES journal.cpp ${testbench}/sweep/journal.cpp ${testbench}/store/digest.cpp ${testbench}/store/this_program.cpp ${testbench}/judge/verdict/verdict.cpp ${testbench}/judge/diagnosis/causes.cpp ${support}/output.cpp ${support}/text_table.cpp ${support}/words.cpp
  LIBRARIES pmusim-encoder-static nlohmann_json::nlohmann_json fmt::fmt PkgConfig::SODIUM ${CMAKE_DL_LIBS} INCLUDES "${PROJECT_BINARY_DIR}/testbench/support")
pmusim_fuzzer(symbols SOURCES symbols.cpp ${cli}/symbols.cpp ${support}/words.cpp LIBRARIES fmt::fmt)
