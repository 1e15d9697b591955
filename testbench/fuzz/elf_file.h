// Builds ELF-64 executables for IA-64 from their parts, valid or not.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pmusim::fuzz {

/// An entry of the program headers.
struct Segment {
  std::uint32_t type = 1;  ///< 1: loaded
  std::uint32_t flags = 7;
  std::uint64_t offset = 0;
  std::uint64_t address = 0;
  std::uint64_t in_file = 0;
  std::uint64_t in_memory = 0;
};

inline constexpr std::uint64_t elf_header_size = 64, program_header_size = 56;

/// Builds a file of header, program headers and content; offsets of segments count from the beginning of the file.
inline std::string elf_file(std::uint64_t entry, const std::vector<Segment>& segments, const std::string& content) {
  std::string file(
      "\x7f"
      "ELF\x02\x01\x01",
      7);
  file.resize(16, '\0');
  const auto put = [&](std::uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i) file.push_back(static_cast<char>(value >> 8 * i));
  };
  put(2, 2);   // executable
  put(50, 2);  // IA-64
  put(1, 4);
  put(entry, 8);
  put(elf_header_size, 8);  // program headers
  put(0, 8);
  put(0x10, 4);
  put(elf_header_size, 2);
  put(program_header_size, 2);
  put(segments.size(), 2);
  put(0, 6);
  for (const Segment& segment : segments) {
    put(segment.type, 4);
    put(segment.flags, 4);
    put(segment.offset, 8);
    put(segment.address, 8);
    put(segment.address, 8);
    put(segment.in_file, 8);
    put(segment.in_memory, 8);
    put(16, 8);
  }
  return file + content;
}

}  // namespace pmusim::fuzz
