#include "elf_file.h"

#include <fmt/format.h>
#include <gelf.h>

#include <algorithm>
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

namespace {

using Handle = std::unique_ptr<Elf, decltype([](Elf* elf) { elf_end(elf); })>;

/// libelf may change the bytes.
Handle handle_of(std::string& bytes) {
  elf_version(EV_CURRENT);
  return Handle(elf_memory(bytes.data(), bytes.size()));
}

}  // namespace

ElfFile::ElfFile(const std::filesystem::path& file) {
  check_regular(file);
  std::ifstream in(file, std::ios::binary);
  if (!in) throw TraceError(fmt::format("{}: cannot be read; expected a program file", file.string()));
  bytes_.resize(SELFMAG);
  in.read(bytes_.data(), SELFMAG);
  bytes_.resize(static_cast<std::size_t>(in.gcount()));
  if (bytes_ != ELFMAG) return;
  bytes_.append(std::istreambuf_iterator<char>(in), {});
  std::string copy = bytes_;
  const Handle elf = handle_of(copy);
  GElf_Ehdr header{};
  is_elf_ = gelf_getehdr(elf.get(), &header) != nullptr;
  type_ = header.e_type;
  machine_ = header.e_machine;
  entry_ = header.e_entry;
  std::size_t count = 0;
  if (elf_getphdrnum(elf.get(), &count) != 0) count = 0;
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr segment{};
    if (gelf_getphdr(elf.get(), static_cast<int>(i), &segment) == nullptr || segment.p_offset > bytes_.size()) continue;
    const std::uint64_t size = std::min<std::uint64_t>(segment.p_filesz, bytes_.size() - segment.p_offset);
    if (segment.p_type == PT_LOAD && size > 0) segments_.push_back({segment.p_vaddr, segment.p_offset, size});
    if (segment.p_type == PT_INTERP) interpreter_ = bytes_.substr(segment.p_offset, size).c_str();
  }
}

std::optional<Isa> ElfFile::isa() const {
  for (const auto& [isa, machine] : machines)
    if (is_elf_ && machine == machine_) return isa;
  return std::nullopt;
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
  const Handle elf = handle_of(copy);
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
