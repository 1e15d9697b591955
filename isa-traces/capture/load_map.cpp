#include "load_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "capture.h"
#include "elf_names.h"
#include "isa-traces/import/elf_file.h"
#include "pmusim/trace/reader.h"

namespace pmusim::trace {
namespace {

namespace fs = std::filesystem;

/// An instruction of a file: its address where it ran, and its offset in the file.
struct Place {
  std::uint64_t pc = 0, offset = 0;
};

std::map<std::string, Place> read_mappings(const fs::path& file) {
  std::map<std::string, Place> all;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::istringstream fields(line);
    Place place;
    std::string path;
    fields >> std::hex >> place.pc >> place.offset >> std::ws;
    std::getline(fields, path);
    all.try_emplace(path, place);
  }
  return all;
}

void append(ProgramNames& to, ProgramNames&& from) {
  std::move(from.files.begin(), from.files.end(), std::back_inserter(to.files));
  std::move(from.functions.begin(), from.functions.end(), std::back_inserter(to.functions));
  std::move(from.lines.begin(), from.lines.end(), std::back_inserter(to.lines));
}

/// The names of a file at the addresses where it ran.
ProgramNames names_of(const std::string& path, const std::string& name, Isa isa, const Place& place) {
  const auto in_file = ElfFile(path).address_of(place.offset);
  if (!in_file) throw CaptureError("the code that ran is not in the file");
  ProgramNames names = elf_names(path, isa, (place.pc - *in_file) & all_of(isa));
  names.files[0].name = name;
  return names;
}

}  // namespace

ProgramNames names_of_run(const fs::path& program, Isa isa, const fs::path& mappings, std::vector<std::string>& notes) {
  std::vector<ProgramNames> files;
  std::error_code ignored;
  bool found = false;
  for (const auto& [path, place] : read_mappings(mappings)) {
    const bool own = fs::equivalent(path, program, ignored);
    const std::string name = (own ? program : fs::path(path)).filename().string();
    try {
      files.insert(own ? files.begin() : files.end(), names_of(path, name, isa, place));
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
