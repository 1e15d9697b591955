// Names for addresses, from the output of nm.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace pmusim::testbench {

class Symbols {
 public:
  Symbols() = default;
  /// Reads lines `ADDRESS TYPE NAME`; text symbols (t, T, w, W) count. Throws UsageError naming the line.
  explicit Symbols(const std::string& file);
  [[nodiscard]] bool empty() const { return names_.empty(); }
  /// `name` or `name+0x1c` for an address behind a symbol, 0x and digits where there is none.
  [[nodiscard]] std::string of(std::uint64_t address) const;
  /// The same without the offset.
  [[nodiscard]] std::string function_of(std::uint64_t address) const;

 private:
  std::map<std::uint64_t, std::string> names_;
};

}  // namespace pmusim::testbench
