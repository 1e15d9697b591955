// Fuzzes the loader of IA-64 programs. Input that begins like an ELF file is read as one; other input supplies entry,
// program headers and content of a file with a valid header. The loaded memory must match the headers.
#include <algorithm>
#include <cstdint>

#include "address_space.h"
#include "testbench/fuzz/elf_file.h"
#include "testbench/fuzz/input.h"

namespace {

using namespace pmusim;
using fuzz::require;
using fuzz::Segment;

std::uint8_t byte_at(trace::ia64::Memory& memory, std::uint64_t address) {
  std::uint8_t byte = 0;
  require(memory.read(address, &byte, 1), "a segment can be read");
  return byte;
}

/// The byte of the last segment that covers the address; memory without file content is 0.
std::uint8_t expected_at(const std::string& file, const std::vector<Segment>& segments, std::uint64_t address) {
  std::uint8_t byte = 0;
  for (const Segment& segment : segments) {
    if (segment.type == 1 && segment.in_memory != 0 && address - segment.address < segment.in_file)
      byte = static_cast<std::uint8_t>(file[segment.offset + (address - segment.address)]);
  }
  return byte;
}

/// Two bytes at the first border of pages inside a segment: read at once and written back, they are those of the pages.
void check_border(trace::ia64::Memory& memory, const Segment& segment) {
  constexpr std::uint64_t page = trace::ia64::Memory::page_size;
  const std::uint64_t border = (segment.address / page + 1) * page, at = border - 1;
  if (at < segment.address || segment.in_memory <= border - segment.address) return;
  std::uint8_t both[2] = {};
  require(memory.read(at, both, sizeof both), "a segment is read across pages");
  const auto are_the_pages = [&] { return both[0] == byte_at(memory, at) && both[1] == byte_at(memory, border); };
  require(are_the_pages(), "bytes at once are those one by one");
  require(memory.write(at, both, sizeof both) == memory.is_writable(at, sizeof both),
          "only writable pages are written");
  require(are_the_pages(), "bytes written back are the same");
}

void check(const std::string& file, const std::vector<Segment>& segments) {
  trace::ia64::Memory memory;
  trace::ia64::Program program;
  try {
    program = trace::ia64::load_elf({reinterpret_cast<const std::uint8_t*>(file.data()), file.size()}, "input", memory);
  } catch (const trace::ia64::SimulationError& error) {
    const std::string_view said = error.what();
    require(said.starts_with("input: "), "an error has the file's name");
    fuzz::require_one_line(said);
    return;
  }
  require(!program.code.empty(), "a program has code");
  for (const auto& range : program.code)
    require(range.begin % 16 == 0 && range.end % 16 == 0, "code is made of bundles");
  for (const Segment& segment : segments) {
    if (segment.type != 1 || segment.in_memory == 0) continue;
    require(memory.is_mapped(segment.address, segment.in_memory), "a segment is mapped");
    check_border(memory, segment);
    for (const std::uint64_t at :
         {std::uint64_t{0}, segment.in_file / 2, segment.in_file, segment.in_memory / 2, segment.in_memory - 1}) {
      if (at >= segment.in_memory) continue;
      const std::uint64_t address = segment.address + at;
      require(byte_at(memory, address) == expected_at(file, segments, address), "a byte is the file's");
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 0 && data[0] == 0x7f) {
    check(std::string(reinterpret_cast<const char*>(data), size), {});
    return 0;
  }
  fuzz::Input in(data, size);
  const std::uint64_t entry = in.word();
  std::vector<Segment> segments(in.byte() % 5);
  for (Segment& segment : segments) {
    constexpr std::uint32_t types[] = {1, 1, 1, 0, 3, 6};
    segment.type = types[in.byte() % std::size(types)];
    segment.flags = in.byte() & 7;
    segment.offset = fuzz::elf_header_size + in.word();
    segment.address = in.word();
    segment.in_file = in.index();
    segment.in_memory = segment.in_file + in.word();
  }
  std::string content;
  while (!in.empty()) content.push_back(static_cast<char>(in.byte()));
  check(fuzz::elf_file(entry, segments, content), segments);
  return 0;
}
