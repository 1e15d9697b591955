// Builds ELF executables from their parts, valid or not.
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

/// The machine of a program: IA-64, if nothing else is given.
struct ElfMachine {
  std::uint16_t number = 50;
  bool wide = true, big_endian = false;
  [[nodiscard]] unsigned header() const { return wide ? 64 : 52; }
  [[nodiscard]] unsigned program_header() const { return wide ? 56 : 32; }
};
inline constexpr std::uint64_t elf_header_size = 64, program_header_size = 56;

/// Builds a file of header, program headers and content; offsets of segments count from the beginning of the file.
inline std::string elf_file(std::uint64_t entry, const std::vector<Segment>& segments, const std::string& content,
                            const ElfMachine& machine = {}) {
  std::string file{
      0x7f, 'E', 'L', 'F', static_cast<char>(machine.wide ? 2 : 1), static_cast<char>(machine.big_endian ? 2 : 1), 1};
  file.resize(16, '\0');
  const auto put = [&](std::uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i)
      file.push_back(static_cast<char>(value >> 8 * (machine.big_endian ? bytes - 1 - i : i)));
  };
  const unsigned word = machine.wide ? 8 : 4;
  put(2, 2);  // executable
  put(machine.number, 2);
  put(1, 4);
  put(entry, word);
  put(machine.header(), word);  // program headers
  put(0, word);
  put(0x10, 4);
  put(machine.header(), 2);
  put(machine.program_header(), 2);
  put(segments.size(), 2);
  put(0, 6);
  for (const Segment& segment : segments) {
    put(segment.type, 4);
    if (machine.wide) put(segment.flags, 4);
    put(segment.offset, word);
    put(segment.address, word);
    put(segment.address, word);
    put(segment.in_file, word);
    put(segment.in_memory, word);
    if (!machine.wide) put(segment.flags, 4);
    put(16, word);
  }
  return file + content;
}

/// A program whose only segment is the code.
inline std::string elf_program(const ElfMachine& machine, std::uint64_t address, const std::string& code) {
  return elf_file(address, {{1, 5, machine.header() + machine.program_header(), address, code.size(), code.size()}},
                  code, machine);
}

}  // namespace pmusim::fuzz
