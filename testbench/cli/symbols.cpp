#include "testbench/cli/symbols.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <string_view>

#include "testbench/support/error.h"
#include "testbench/support/words.h"

namespace pmusim::testbench {

Symbols::Symbols(const std::string& file) {
  TextLines lines(file);
  for (std::string line; lines.next(line);) {
    std::istringstream words(line);
    std::vector<std::string> fields;
    for (std::string field; words >> field;) fields.push_back(field);
    if (fields.empty() || fields[0] == "U") continue;  // undefined symbols have no address
    const bool sized = fields.size() >= 4 && fields[2].size() == 1;
    const std::size_t type = sized ? 2 : 1;
    const auto address = whole_number(fields[0], 16),
               size = sized ? whole_number(fields[1], 16) : std::optional<std::uint64_t>{0};
    if (!address || !size || fields.size() < type + 2) {
      throw UsageError("{}:{}: not a line of nm, ADDRESS TYPE NAME or with its size (nm -S)", file, lines.number());
    }
    const bool code = std::string_view("tTwW").find(fields[type][0]) != std::string_view::npos;
    if (code) {
      add(*address, *size, fields[type + 1]);
    } else {
      ends_.insert(*address);
    }
  }
}

void Symbols::add(std::uint64_t address, std::uint64_t size, const std::string& name) {
  Symbol& symbol = names_.try_emplace(address, Symbol{printable(name), size}).first->second;
  if (symbol.size == 0 && size != 0) symbol = {printable(name), size};
}

void Symbols::add_file(std::uint64_t address, std::uint64_t size, const std::string& name) {
  files_.push_back({address, size, files_.empty() ? "" : printable(name)});
}

const Symbols::File* Symbols::file_of(std::uint64_t address) const {
  const auto found = std::ranges::find_if(
      files_, [&](const File& one) { return address >= one.address && address - one.address < one.size; });
  return found == files_.end() ? nullptr : &*found;
}

std::string Symbols::name_in(const File* file, const std::string& name) {
  return file == nullptr || file->name.empty() ? name : fmt::format("{}:{}", file->name, name);
}

Symbols::Names::const_iterator Symbols::find(std::uint64_t address) const {
  const auto after = names_.upper_bound(address);
  if (after == names_.begin()) return names_.end();
  const auto nearest = std::prev(after);
  const auto end = ends_.upper_bound(nearest->first);
  const bool ended = end != ends_.end() && *end <= address;
  // A label may lie between an address and the function that contains both.
  for (auto symbol = nearest;; --symbol) {
    const std::uint64_t size = symbol->second.size;
    if (address - symbol->first < size) return symbol;
    // A label inside a function ends with the function, and a function ends after its size.
    if (size != 0) return nearest->first - symbol->first < size || ended ? names_.end() : nearest;
    if (symbol == names_.begin()) return ended ? names_.end() : nearest;
  }
}

std::string Symbols::of(std::uint64_t address) const {
  const File* const file = file_of(address);
  const auto symbol = find(address);
  if (symbol == names_.end() || file_of(symbol->first) != file) {
    if (file == nullptr || file->name.empty()) return fmt::format("0x{:x}", address);
    return fmt::format("[{}]+0x{:x}", file->name, address - file->address);
  }
  const std::string name = name_in(file, symbol->second.name);
  return symbol->first == address ? name : fmt::format("{}+0x{:x}", name, address - symbol->first);
}

std::string Symbols::function_of(std::uint64_t address) const {
  const File* const file = file_of(address);
  const auto symbol = find(address);
  if (symbol != names_.end() && file_of(symbol->first) == file) return name_in(file, symbol->second.name);
  if (file != nullptr && !file->name.empty()) return fmt::format("[{}]", file->name);
  return empty() ? fmt::format("0x{:x}", address) : "[unknown]";
}

}  // namespace pmusim::testbench
