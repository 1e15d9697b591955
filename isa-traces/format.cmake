# Binary format and text interchange.
find_package(ZLIB REQUIRED)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET GLOBAL libzstd)
target_sources(pmusim-trace PRIVATE
  src/byte_source.cpp src/code_dictionary.cpp src/collection.cpp src/directives.cpp src/flow.cpp src/keys.cpp src/line_source.cpp src/names.cpp src/numbering.cpp src/open.cpp src/output_file.cpp src/packed_file.cpp
  src/pmt_decoder.cpp src/pmt_encoder.cpp src/pmt_format.cpp src/pmt_reader.cpp src/pmt_writer.cpp src/in_quotes.cpp
  src/rules.cpp src/text_line.cpp src/text_parser.cpp src/text_reader.cpp src/text_writer.cpp)
target_link_libraries(pmusim-trace PRIVATE PkgConfig::ZSTD ZLIB::ZLIB)
