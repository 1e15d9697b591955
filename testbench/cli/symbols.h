// Names for addresses, from the output of nm.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pmusim::testbench {

class Symbols {
 public:
  Symbols() = default;
  /// Reads lines `ADDRESS TYPE NAME` or, of nm -S, `ADDRESS SIZE TYPE NAME`; text symbols (t, T, w, W) count. A symbol
  /// with a size is its bytes and no more, and hides labels inside of it; one without goes on to the next symbol.
  /// Throws UsageError naming the line.
  explicit Symbols(const std::string& file);
  /// The same for a symbol from elsewhere; the first of several at an address counts, unless it has no size.
  void add(std::uint64_t address, std::uint64_t size, const std::string& name);
  [[nodiscard]] bool empty() const { return names_.empty(); }
  /// `name` or `name+0x1c` for an address after a symbol, 0x and digits where there is none.
  [[nodiscard]] std::string of(std::uint64_t address) const;
  /// The same without the offset.
  [[nodiscard]] std::string function_of(std::uint64_t address) const;

 private:
  struct Symbol {
    std::string name;
    std::uint64_t size = 0;  ///< 0: not known
  };
  using Names = std::map<std::uint64_t, Symbol>;
  /// The symbol that an address belongs to, or the end.
  [[nodiscard]] Names::const_iterator find(std::uint64_t address) const;
  Names names_;
};

}  // namespace pmusim::testbench
