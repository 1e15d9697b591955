#include "elf_file.h"

#include <elf.h>
#include <fmt/format.h>
#include <gelf.h>

#include <fstream>
#include <iterator>
#include <memory>

#include "pmusim/trace/reader.h"

namespace pmusim::trace {

void check_regular(const std::filesystem::path& file) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (status.type() == std::filesystem::file_type::not_found || std::filesystem::is_regular_file(status)) return;
  throw TraceError(fmt::format("{}: is no regular file; expected a program file", file.string()));
}

ElfFile::ElfFile(const std::filesystem::path& file) {
  check_regular(file);
  std::ifstream in(file, std::ios::binary);
  if (!in) throw TraceError(fmt::format("{}: cannot be read; expected a program file", file.string()));
  bytes_.resize(SELFMAG);
  in.read(bytes_.data(), SELFMAG);
  bytes_.resize(static_cast<std::size_t>(in.gcount()));
  if (bytes_ != ELFMAG) return;
  bytes_.append(std::istreambuf_iterator<char>(in), {});
  is_elf_ = bytes_.size() >= sizeof(Elf32_Ehdr);
  if (!is_elf_) return;
  type_ = number(offsetof(Elf32_Ehdr, e_type), 2);
  machine_ = number(offsetof(Elf32_Ehdr, e_machine), 2);
  read_segments();
}

std::uint64_t ElfFile::number(std::uint64_t offset, unsigned size) const {
  std::uint64_t value = 0;
  if (offset > bytes_.size() || size > bytes_.size() - offset) return 0;
  for (unsigned i = 0; i < size; ++i) {
    const std::uint64_t at = bytes_[EI_DATA] == ELFDATA2MSB ? i : size - 1 - i;
    value = value << 8U | static_cast<unsigned char>(bytes_[offset + at]);
  }
  return value;
}

void ElfFile::read_segments() {
  const bool wide = bytes_[EI_CLASS] == ELFCLASS64;
  const unsigned word = wide ? 8 : 4;
  const auto field = [&](std::size_t narrow_at, std::size_t wide_at) { return wide ? wide_at : narrow_at; };
  entry_ = number(field(offsetof(Elf32_Ehdr, e_entry), offsetof(Elf64_Ehdr, e_entry)), word);
  const std::uint64_t table = number(field(offsetof(Elf32_Ehdr, e_phoff), offsetof(Elf64_Ehdr, e_phoff)), word);
  const std::uint64_t size = number(field(offsetof(Elf32_Ehdr, e_phentsize), offsetof(Elf64_Ehdr, e_phentsize)), 2);
  const std::uint64_t count = number(field(offsetof(Elf32_Ehdr, e_phnum), offsetof(Elf64_Ehdr, e_phnum)), 2);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t header = table + i * size, type = number(header, 4);
    Segment segment;
    segment.offset = number(header + field(offsetof(Elf32_Phdr, p_offset), offsetof(Elf64_Phdr, p_offset)), word);
    segment.address = number(header + field(offsetof(Elf32_Phdr, p_vaddr), offsetof(Elf64_Phdr, p_vaddr)), word);
    segment.size = number(header + field(offsetof(Elf32_Phdr, p_filesz), offsetof(Elf64_Phdr, p_filesz)), word);
    if (segment.offset > bytes_.size()) continue;
    segment.size = std::min<std::uint64_t>(segment.size, bytes_.size() - segment.offset);
    if (type == PT_LOAD && segment.size > 0) segments_.push_back(segment);
    if (type == PT_INTERP) interpreter_ = std::string(&bytes_[segment.offset], segment.size).c_str();
  }
}

bool ElfFile::is_movable() const { return is_elf_ && type_ == ET_DYN; }
bool ElfFile::is_executable() const { return is_elf_ && type_ == ET_EXEC; }

std::span<const std::uint8_t> ElfFile::bytes_at(std::uint64_t address) const {
  for (const Segment& segment : segments_) {
    if (address < segment.address || address - segment.address >= segment.size) continue;
    const std::uint64_t into = address - segment.address;
    return {reinterpret_cast<const std::uint8_t*>(bytes_.data()) + segment.offset + into, segment.size - into};
  }
  return {};
}

std::optional<std::uint64_t> ElfFile::address_of(std::uint64_t offset) const {
  for (const Segment& segment : segments_) {
    if (offset >= segment.offset && offset - segment.offset < segment.size)
      return segment.address + (offset - segment.offset);
  }
  return std::nullopt;
}

std::multimap<std::string, std::uint64_t> ElfFile::symbols() const {
  std::multimap<std::string, std::uint64_t> result;
  std::string copy = bytes_;
  elf_version(EV_CURRENT);
  const std::unique_ptr<Elf, decltype([](Elf* elf) { elf_end(elf); })> elf(elf_memory(copy.data(), copy.size()));
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf.get(), section)) != nullptr;) {
    GElf_Shdr header{};
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_SYMTAB) continue;
    Elf_Data* const data = elf_getdata(section, nullptr);
    GElf_Sym symbol{};
    for (int i = 0; data != nullptr && gelf_getsym(data, i, &symbol) != nullptr; ++i) {
      const char* const name = elf_strptr(elf.get(), header.sh_link, symbol.st_name);
      if (symbol.st_shndx != SHN_UNDEF && name != nullptr && *name != '\0') result.emplace(name, symbol.st_value);
    }
  }
  return result;
}

}  // namespace pmusim::trace
