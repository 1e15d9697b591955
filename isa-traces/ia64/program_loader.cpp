#include <elf.h>
#include <fmt/format.h>

#include <cstring>
#include <string_view>
#include <utility>

#include "address_space.h"

namespace pmusim::trace::ia64 {
namespace {

constexpr std::uint64_t most_memory = std::uint64_t{1} << 30;  // limit for the sum of all segments
constexpr std::uint64_t region_bits = 0x1fffffffffffffff;      // offset inside one of the eight regions

class File {
 public:
  File(std::span<const std::uint8_t> bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  [[noreturn]] void fail(const std::string& what) const { throw SimulationError(fmt::format("{}: {}", name_, what)); }

  /// A structure of the file, which is little-endian like the host.
  template <typename Structure>
  [[nodiscard]] Structure at(std::uint64_t offset) const {
    Structure structure;
    std::memcpy(&structure, bytes(offset, sizeof structure).data(), sizeof structure);
    return structure;
  }
  [[nodiscard]] std::span<const std::uint8_t> bytes(std::uint64_t offset, std::uint64_t size) const {
    if (offset > bytes_.size() || size > bytes_.size() - offset) {
      fail(fmt::format("the file is cut off: {} bytes at offset {} are missing; expected a whole ELF program", size,
                       offset));
    }
    return bytes_.subspan(offset, size);
  }
  [[nodiscard]] bool starts_with(std::string_view start) const {
    return bytes_.size() >= start.size() && std::memcmp(bytes_.data(), start.data(), start.size()) == 0;
  }

 private:
  std::span<const std::uint8_t> bytes_;
  const std::string& name_;
};

Elf64_Ehdr header_of(const File& file) {
  if (!file.starts_with(ELFMAG)) file.fail("not an ELF program; expected an IA-64 executable");
  const auto ident = file.bytes(0, EI_NIDENT);
  if (ident[EI_CLASS] != ELFCLASS64 || ident[EI_DATA] != ELFDATA2LSB)
    file.fail("not a 64-bit little-endian ELF program; expected one linked by ia64-linux-gnu-ld");
  const auto header = file.at<Elf64_Ehdr>(0);
  if (header.e_machine != EM_IA_64)
    file.fail(fmt::format("an ELF program for machine {}; expected machine 50 (IA-64)", header.e_machine));
  if (header.e_type != ET_EXEC)
    file.fail(fmt::format("an ELF file of type {}; expected an executable (type 2), statically linked", header.e_type));
  return header;
}

}  // namespace

Program load_elf(std::span<const std::uint8_t> bytes, const std::string& name, Memory& memory) {
  const File file(bytes, name);
  const Elf64_Ehdr header = header_of(file);
  Program program;
  program.entry = header.e_entry;
  if (header.e_phnum != 0 && header.e_phentsize < sizeof(Elf64_Phdr))
    file.fail("its program headers are too small; expected 56 bytes each");
  std::uint64_t total = 0;
  std::vector<std::pair<std::uint64_t, std::span<const std::uint8_t>>> contents;
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    const auto segment = file.at<Elf64_Phdr>(header.e_phoff + i * header.e_phentsize);
    const std::uint64_t address = segment.p_vaddr, size = segment.p_memsz;
    if (segment.p_type == PT_INTERP) file.fail("a dynamically linked program; expected one linked with -static");
    if (segment.p_type != PT_LOAD) continue;
    if (segment.p_filesz > size) file.fail(fmt::format("segment {} has more bytes in the file than in memory", i));
    if (size == 0) continue;
    total += size;
    if (size > most_memory || total > most_memory) file.fail("its segments need more than 1 GiB of memory");
    if ((address & region_bits) + size > region_bits)
      file.fail(fmt::format("segment {} at {:x} goes over the end of its region", i, address));
    // The offset of a segment without bytes in the file is ignored: linkers write one at or after the end of the file.
    if (segment.p_filesz != 0) contents.emplace_back(address, file.bytes(segment.p_offset, segment.p_filesz));
    const bool writable = (segment.p_flags & PF_W) != 0;
    memory.map(address, size, writable);
    if ((segment.p_flags & PF_X) != 0)
      program.code.push_back({(address + 15) & ~std::uint64_t{15}, (address + size) & ~std::uint64_t{15}, writable});
  }
  for (const auto& [address, content] : contents) memory.fill(address, content);
  if (program.code.empty()) file.fail("no executable segment; expected an IA-64 executable");
  return program;
}

}  // namespace pmusim::trace::ia64
