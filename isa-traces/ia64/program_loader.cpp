// ELF-64 Object File Format; machine number 50 is EM_IA_64.
#include "program_loader.h"

#include <fmt/format.h>

#include <utility>

namespace pmusim::trace::ia64 {
namespace {

constexpr std::uint64_t most_memory = std::uint64_t{1} << 30;  // limit for the sum of all segments
constexpr std::uint64_t region_bits = 0x1fffffffffffffff;      // offset inside one of the eight regions

class File {
 public:
  File(std::span<const std::uint8_t> bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  [[noreturn]] void fail(const std::string& what) const { throw SimulationError(fmt::format("{}: {}", name_, what)); }

  [[nodiscard]] std::uint64_t number(std::uint64_t offset, unsigned size) const {
    const auto part = bytes(offset, size);
    std::uint64_t value = 0;
    for (unsigned i = 0; i < size; ++i) value |= static_cast<std::uint64_t>(part[i]) << 8 * i;
    return value;
  }
  [[nodiscard]] std::span<const std::uint8_t> bytes(std::uint64_t offset, std::uint64_t size) const {
    if (offset > bytes_.size() || size > bytes_.size() - offset) {
      fail(fmt::format("the file is cut off: {} bytes at offset {} are missing; expected a whole ELF program", size,
                       offset));
    }
    return bytes_.subspan(offset, size);
  }
  [[nodiscard]] std::uint64_t size() const { return bytes_.size(); }

 private:
  std::span<const std::uint8_t> bytes_;
  const std::string& name_;
};

void check_header(const File& file) {
  constexpr std::uint64_t magic = 0x464c457f;  // 7f E L F
  if (file.size() < 4 || file.number(0, 4) != magic) file.fail("not an ELF program; expected an IA-64 executable");
  const std::uint64_t format = file.number(4, 2);  // class 2: 64 bits, data 1: little-endian
  if (format != 0x0102) file.fail("not a 64-bit little-endian ELF program; expected one linked by ia64-linux-gnu-ld");
  if (file.number(18, 2) != 50) {
    file.fail(fmt::format("an ELF program for machine {}; expected machine 50 (IA-64)", file.number(18, 2)));
  }
  if (file.number(16, 2) != 2) {
    file.fail(
        fmt::format("an ELF file of type {}; expected an executable (type 2), statically linked", file.number(16, 2)));
  }
}

}  // namespace

Program load_elf(std::span<const std::uint8_t> bytes, const std::string& name, Memory& memory) {
  const File file(bytes, name);
  check_header(file);
  Program program;
  program.entry = file.number(24, 8);
  const std::uint64_t table = file.number(32, 8), entry_size = file.number(54, 2), entries = file.number(56, 2);
  if (entries != 0 && entry_size < 56) file.fail("its program headers are too small; expected 56 bytes each");
  std::uint64_t total = 0;
  std::vector<std::pair<std::uint64_t, std::span<const std::uint8_t>>> contents;
  for (std::uint64_t i = 0; i < entries; ++i) {
    const std::uint64_t header = table + i * entry_size;
    const std::uint64_t type = file.number(header, 4), flags = file.number(header + 4, 4);
    if (type == 3) file.fail("a dynamically linked program; expected one linked with -static");
    if (type != 1) continue;
    const std::uint64_t offset = file.number(header + 8, 8), address = file.number(header + 16, 8),
                        in_file = file.number(header + 32, 8), in_memory = file.number(header + 40, 8);
    if (in_file > in_memory) file.fail(fmt::format("segment {} has more bytes in the file than in memory", i));
    if (in_memory == 0) continue;
    total += in_memory;
    if (in_memory > most_memory || total > most_memory) file.fail("its segments need more than 1 GiB of memory");
    if ((address & region_bits) + in_memory > region_bits) {
      file.fail(fmt::format("segment {} at {:x} goes over the end of its region", i, address));
    }
    // The offset of a segment without bytes in the file is ignored: linkers write one at or after the end of the file.
    if (in_file != 0) contents.emplace_back(address, file.bytes(offset, in_file));
    memory.map(address, in_memory, (flags & 2) != 0);
    if ((flags & 1) != 0) {
      program.code.push_back(
          {(address + 15) & ~std::uint64_t{15}, (address + in_memory) & ~std::uint64_t{15}, (flags & 2) != 0});
    }
  }
  for (const auto& [address, content] : contents) memory.fill(address, content);
  if (program.code.empty()) file.fail("no executable segment; expected an IA-64 executable");
  return program;
}

}  // namespace pmusim::trace::ia64
