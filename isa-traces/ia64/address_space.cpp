#include "address_space.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

namespace pmusim::trace::ia64 {

void Memory::map(std::uint64_t address, std::uint64_t size, bool writable) {
  if (size != 0) mappings_.push_back({address / page_size, (address + (size - 1)) / page_size, writable});
}

Memory::Page* Memory::find_slowly(std::uint64_t number) {
  auto& page = pages_[number];
  if (!page) {
    bool mapped = false, writable = false;
    for (const Mapping& m : mappings_) {
      if (number < m.first || number > m.last) continue;
      mapped = true;
      writable |= m.writable;
    }
    if (!mapped) {
      pages_.erase(number);
      return nullptr;
    }
    page = std::make_unique<Page>();
    page->writable = writable;
  }
  last_number_ = number;
  last_ = page.get();
  return last_;
}

bool Memory::usable(std::uint64_t address, std::uint64_t size, bool writable) {
  if (size == 0) return true;
  if (address + (size - 1) < address) return false;
  const std::uint64_t last = (address + (size - 1)) / page_size;
  for (std::uint64_t number = address / page_size; number <= last;) {  // does not allocate pages
    const auto covers = [&](const Mapping& m) {
      return number >= m.first && number <= m.last && (m.writable || !writable);
    };
    const auto mapping = std::find_if(mappings_.begin(), mappings_.end(), covers);
    if (mapping == mappings_.end()) return false;
    number = mapping->last + 1;
  }
  return true;
}

bool Memory::read_across(std::uint64_t address, void* to, std::size_t size) {
  if (!usable(address, size, false)) return false;
  auto* out = static_cast<std::uint8_t*>(to);
  for (std::size_t i = 0; i < size; ++i) out[i] = find(address + i)->bytes[(address + i) % page_size];
  return true;
}

bool Memory::write_across(std::uint64_t address, const void* from, std::size_t size) {
  if (!usable(address, size, true)) return false;
  const auto* in = static_cast<const std::uint8_t*>(from);
  for (std::size_t i = 0; i < size; ++i) find(address + i)->bytes[(address + i) % page_size] = in[i];
  return true;
}

void Memory::fill(std::uint64_t address, std::span<const std::uint8_t> bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const std::uint64_t offset = (address + done) % page_size;
    const std::size_t part = std::min<std::size_t>(bytes.size() - done, page_size - offset);
    std::memcpy(find(address + done)->bytes.data() + offset, bytes.data() + done, part);
    done += part;
  }
}

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
