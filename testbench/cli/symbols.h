// Names for addresses: functions, and the files that were loaded.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace pmusim::testbench {

class Symbols {
 public:
  Symbols() = default;
  /// Reads lines `ADDRESS TYPE NAME` or, from nm -S, `ADDRESS SIZE TYPE NAME`; only text symbols (t, T, w, W) are used.
  /// A symbol with a size covers that many bytes, and hides labels inside it. One without a size extends to the next
  /// symbol, also of data. Throws UsageError naming the line.
  explicit Symbols(const std::string& file);
  /// The same for a symbol from another source. Control characters and bytes that are no UTF-8 become \xNN, so that no
  /// output of a name can end a line or reach a terminal. Of several symbols at one address the first one with a size
  /// is used, otherwise the first one.
  void add(std::uint64_t address, std::uint64_t size, const std::string& name);
  /// A file with code at these addresses. The first one is the program; the others are libraries, whose functions are
  /// shown as `libc.so.6:memcpy`, and whose other code as `[libc.so.6]`. No symbol extends beyond its file.
  void add_file(std::uint64_t address, std::uint64_t size, const std::string& name);
  [[nodiscard]] bool empty() const { return names_.empty() && files_.empty(); }
  /// `name` or `name+0x1c` for an address inside or after a symbol; the address in hexadecimal if there is none.
  [[nodiscard]] std::string of(std::uint64_t address) const;
  /// The same without the offset; for an address of no function `[unknown]`, or the library, if there are functions.
  [[nodiscard]] std::string function_of(std::uint64_t address) const;

 private:
  struct Symbol {
    std::string name;
    std::uint64_t size = 0;  ///< 0: not known
  };
  using Names = std::map<std::uint64_t, Symbol>;
  struct File {
    std::uint64_t address = 0, size = 0;
    std::string name;  ///< empty: the program
  };
  [[nodiscard]] const File* file_of(std::uint64_t address) const;
  [[nodiscard]] static std::string name_in(const File* file, const std::string& name);
  /// The symbol that contains an address, or the end.
  [[nodiscard]] Names::const_iterator find(std::uint64_t address) const;
  Names names_;
  std::vector<File> files_;
  std::set<std::uint64_t> ends_;  ///< addresses of symbols that are no code: a symbol without a size ends there
};

}  // namespace pmusim::testbench
