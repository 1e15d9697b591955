#include "elf_names.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <fmt/format.h>
#include <gelf.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <sstream>
#include <string_view>

#include "capture.h"
#include "isa-traces/import/elf_file.h"
#include "pmusim/trace/reader.h"

namespace pmusim::trace {

namespace {

const Dwfl_Callbacks callbacks{dwfl_build_id_find_elf, dwfl_standard_find_debuginfo, dwfl_offline_section_address,
                               nullptr};

using Session = std::unique_ptr<Dwfl, decltype([](Dwfl* dwfl) { dwfl_end(dwfl); })>;

void check_machine(Dwfl_Module* module, const std::string& file, Isa isa) {
  GElf_Addr bias = 0;
  GElf_Ehdr header{};
  Elf* const elf = dwfl_module_getelf(module, &bias);
  if (elf == nullptr || gelf_getehdr(elf, &header) == nullptr)
    throw CaptureError("{}: is not an ELF file; expected the program that was traced", file);
  const auto wanted =
      std::find_if(std::begin(machines), std::end(machines), [&](const auto& one) { return one.first == isa; });
  if (header.e_machine != wanted->second)
    throw CaptureError("{}: is not an ELF file for {}; expected the program that was traced", file, name_of(isa));
}

/// From the first to the last address of the segments that contain code.
LoadedFile extent_of(Dwfl_Module* module) {
  GElf_Addr bias = 0;
  Elf* const elf = dwfl_module_getelf(module, &bias);
  std::size_t count = 0;
  LoadedFile extent;
  std::uint64_t end = 0;
  if (elf == nullptr || elf_getphdrnum(elf, &count) != 0) return extent;
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr segment{};
    if (gelf_getphdr(elf, static_cast<int>(i), &segment) == nullptr) continue;
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0 || segment.p_memsz == 0) continue;
    extent.address = end == 0 ? segment.p_vaddr : std::min<std::uint64_t>(extent.address, segment.p_vaddr);
    end = std::max<std::uint64_t>(end, segment.p_vaddr + segment.p_memsz);
  }
  extent.size = end - extent.address;
  return extent;
}

/// Adds the address at which the file was loaded.
void move(ProgramNames& names, std::uint64_t base, std::uint64_t mask) {
  for (LoadedFile& one : names.files) {
    one.address = (one.address + base) & mask;
    one.base = base;
  }
  for (FunctionName& one : names.functions) one.address = (one.address + base) & mask;
  for (LineStart& one : names.lines) one.address = (one.address + base) & mask;
}

/// The first address after a section that contains code; 0 for other sections.
GElf_Addr end_of_code(Dwfl_Module* module, GElf_Word section) {
  if (section == SHN_UNDEF || section >= SHN_LORESERVE) return 0;
  GElf_Addr bias = 0;
  GElf_Shdr header{};
  Elf* const elf = dwfl_module_getelf(module, &bias);
  const bool code =
      gelf_getshdr(elf_getscn(elf, section), &header) != nullptr && (header.sh_flags & SHF_EXECINSTR) != 0;
  return code ? header.sh_addr + header.sh_size + bias : 0;
}

void add_functions(Dwfl_Module* module, ProgramNames& names) {
  const int count = dwfl_module_getsymtab(module);
  std::vector<std::pair<FunctionName, GElf_Addr>> found;
  for (int i = 0; i < count; ++i) {
    GElf_Sym symbol{};
    GElf_Addr address = 0;
    GElf_Word section = 0;
    const char* const name = dwfl_module_getsym_info(module, i, &symbol, &address, &section, nullptr, nullptr);
    const auto type = GELF_ST_TYPE(symbol.st_info);
    if (name == nullptr || *name == '\0' || (type != STT_FUNC && type != STT_NOTYPE)) continue;
    const GElf_Addr end = end_of_code(module, section);
    if (address < end) found.push_back({{address, symbol.st_size, name}, end});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first.address < b.first.address; });
  // A function without a size extends to the next symbol, but not beyond the end of its section.
  for (auto one = found.begin(); one != found.end(); ++one) {
    auto& [function, end] = *one;
    if (function.size != 0) continue;
    const auto next = std::find_if(one, found.end(),
                                   [from = function.address](const auto& other) { return other.first.address > from; });
    if (next == found.end() || next->first.address >= end) function.size = end - function.address;
  }
  for (auto& one : found) names.functions.push_back(std::move(one.first));
}

/// Adds a line. Of several lines at one address the last one is used, as in addr2line.
void add_line(std::vector<LineStart>& lines, LineStart line) {
  if (!lines.empty() && lines.back().address == line.address) lines.pop_back();
  if (!lines.empty() && lines.back().file == line.file && lines.back().line == line.line) return;
  lines.push_back(std::move(line));
}

void add_lines(Dwfl_Module* module, ProgramNames& names) {
  struct Row {
    LineStart line;
    bool end;
  };
  std::vector<Row> rows;
  GElf_Addr bias = 0;
  for (Dwarf_Die* unit = nullptr; (unit = dwfl_module_nextcu(module, unit, &bias)) != nullptr;) {
    Dwarf_Lines* lines = nullptr;
    std::size_t count = 0;
    if (dwarf_getsrclines(unit, &lines, &count) != 0) continue;
    for (std::size_t i = 0; i < count; ++i) {
      Dwarf_Line* const line = dwarf_onesrcline(lines, i);
      Dwarf_Addr address = 0;
      int number = 0;
      bool end = false;
      if (dwarf_lineaddr(line, &address) != 0 || dwarf_lineno(line, &number) != 0 ||
          dwarf_lineendsequence(line, &end) != 0)
        continue;
      const char* const file = dwarf_linesrc(line, nullptr, nullptr);
      LineStart start{address + bias, end || file == nullptr ? "" : file, end ? 0 : static_cast<unsigned>(number)};
      if (start.line == 0) start.file.clear();
      rows.push_back({std::move(start), end});
    }
  }
  // The end of a sequence may be the beginning of the next one.
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return std::pair(a.line.address, !a.end) < std::pair(b.line.address, !b.end);
  });
  for (Row& row : rows) add_line(names.lines, std::move(row.line));
}

}  // namespace

ProgramNames elf_names(const std::filesystem::path& program, Isa isa, std::uint64_t base) {
  const std::string file = program.string();
  check_regular(program);
  std::array<char, SELFMAG> start{};
  std::ifstream(program, std::ios::binary).read(start.data(), SELFMAG);
  if (std::string_view(start.data(), SELFMAG) != ELFMAG)
    throw CaptureError("{}: is not an ELF file; expected the program that was traced", file);
  const Session session(dwfl_begin(&callbacks));
  constexpr GElf_Addr as_in_file = 0;
  Dwfl_Module* const module =
      session ? dwfl_report_elf(session.get(), file.c_str(), file.c_str(), -1, as_in_file, true) : nullptr;
  if (module == nullptr)
    throw CaptureError("{}: {}; expected the ELF file of the program that was traced", file, dwfl_errmsg(-1));
  dwfl_report_end(session.get(), nullptr, nullptr);
  check_machine(module, file, isa);
  ProgramNames names;
  names.files.push_back(extent_of(module));
  names.files[0].name = program.filename().string();
  add_functions(module, names);
  add_lines(module, names);
  if (base != 0) move(names, base, all_of(isa));
  return names;
}

namespace {

namespace fs = std::filesystem;

/// An instruction of a file: its address where it ran, and its offset in the file.
struct MappedFile {
  std::uint64_t pc = 0, offset = 0;
};

std::map<std::string, MappedFile> read_mappings(const fs::path& file) {
  std::map<std::string, MappedFile> all;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::istringstream fields(line);
    MappedFile mapped;
    std::string path;
    fields >> std::hex >> mapped.pc >> mapped.offset >> std::ws;
    std::getline(fields, path);
    all.try_emplace(path, mapped);
  }
  return all;
}

void append(ProgramNames& to, ProgramNames&& from) {
  std::move(from.files.begin(), from.files.end(), std::back_inserter(to.files));
  std::move(from.functions.begin(), from.functions.end(), std::back_inserter(to.functions));
  std::move(from.lines.begin(), from.lines.end(), std::back_inserter(to.lines));
}

/// The names of a file at the addresses where it ran.
ProgramNames names_of(const std::string& path, const std::string& name, Isa isa, const MappedFile& mapped) {
  const auto in_file = ElfFile(path).address_of(mapped.offset);
  if (!in_file) throw CaptureError("the code that ran is not in the file");
  ProgramNames names = elf_names(path, isa, (mapped.pc - *in_file) & all_of(isa));
  names.files[0].name = name;
  return names;
}

}  // namespace

ProgramNames names_of_run(const fs::path& program, Isa isa, const fs::path& mappings, std::vector<std::string>& notes) {
  std::vector<ProgramNames> files;
  std::error_code ignored;
  bool found = false;
  for (const auto& [path, mapped] : read_mappings(mappings)) {
    const bool own = fs::equivalent(path, program, ignored);
    const std::string name = (own ? program : fs::path(path)).filename().string();
    try {
      files.insert(own ? files.begin() : files.end(), names_of(path, name, isa, mapped));
      found |= own;
    } catch (const std::exception& error) {
      notes.push_back(fmt::format("no names of {}: {}", path, error.what()));
    }
  }
  if (!found && ElfFile(program).is_executable()) {
    files.insert(files.begin(), elf_names(program, isa));
  } else if (!found) {
    notes.push_back(fmt::format("no names of {}: it is not known where it was loaded", program.string()));
  }
  return joined(std::move(files));
}

ProgramNames joined(std::vector<ProgramNames> of_files) {
  ProgramNames names;
  for (ProgramNames& one : of_files) append(names, std::move(one));
  const auto by_address = [](const auto& a, const auto& b) { return a.address < b.address; };
  if (!names.files.empty()) std::stable_sort(names.files.begin() + 1, names.files.end(), by_address);
  std::stable_sort(names.functions.begin(), names.functions.end(), by_address);
  std::stable_sort(names.lines.begin(), names.lines.end(), by_address);
  if (names.files.size() == 1 && names.files[0].base == 0) names.files.clear();
  return names;
}

}  // namespace pmusim::trace
