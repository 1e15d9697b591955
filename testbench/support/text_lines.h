// A file that a user names: its lines, or its content.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

namespace pmusim::testbench {

class TextLines {
 public:
  /// Maximum length of a line in bytes. A file of more without a line end, such as /dev/zero, is no text.
  static constexpr std::size_t longest = std::size_t{1} << 26;

  /// Throws UsageError if the file cannot be read.
  explicit TextLines(const std::filesystem::path& file);
  /// The next line without its end; false at the end of the file. Throws UsageError for a line that is too long.
  bool next(std::string& line);
  /// Number of the last line, from 1.
  [[nodiscard]] std::uint64_t number() const { return number_; }

 private:
  std::string name_;
  std::ifstream in_;
  std::uint64_t number_ = 0;
};

/// The content of a file. Throws UsageError if it cannot be read.
[[nodiscard]] std::string content_of(const std::filesystem::path& file);

}  // namespace pmusim::testbench
