# The parsers of the trace library.
find_package(ZLIB REQUIRED)
pmusim_fuzzer(trace_pmt SOURCES trace_pmt.cpp LIBRARIES pmusim-trace ZLIB::ZLIB PkgConfig::ZSTD)
# Slices and merges of traces.
pmusim_fuzzer(trace_edit SOURCES trace_edit.cpp LIBRARIES pmusim-trace-edit)
pmusim_fuzzer(trace_text SOURCES trace_text.cpp LIBRARIES pmusim-trace)
# Activity files.
pmusim_fuzzer(activity_file SOURCES activity_file.cpp LIBRARIES pmusim-activity-file)
