#include "testbench/cli/symbols.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>
#include <string_view>

#include "testbench/cli/command.h"

namespace pmusim::testbench {

Symbols::Symbols(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw UsageError(fmt::format("cannot read {}", file));
  std::uint64_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    std::istringstream words(line);
    std::string address, type, name;
    words >> address >> type >> name;
    if (address == "U" || line.empty()) continue;  // undefined symbols have no address
    std::size_t used = 0;
    std::uint64_t value = 0;
    try {
      value = std::stoull(address, &used, 16);
    } catch (const std::exception&) {
      used = 0;
    }
    if (used == 0 || used != address.size() || name.empty()) {
      throw UsageError(fmt::format("{}:{}: not a line of nm, ADDRESS TYPE NAME", file, number));
    }
    if (std::string_view("tTwW").find(type[0]) != std::string_view::npos) names_.emplace(value, name);
  }
}

std::string Symbols::of(std::uint64_t address) const {
  const auto after = names_.upper_bound(address);
  if (after == names_.begin()) return fmt::format("0x{:x}", address);
  const auto& [begin, name] = *std::prev(after);
  return begin == address ? name : fmt::format("{}+0x{:x}", name, address - begin);
}

std::string Symbols::function_of(std::uint64_t address) const {
  const auto after = names_.upper_bound(address);
  return after == names_.begin() ? fmt::format("0x{:x}", address) : std::prev(after)->second;
}

}  // namespace pmusim::testbench
