// Texts: files of users, and arbitrary bytes made printable for people, programs and shells.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pmusim::testbench {

/// Replaces bytes that are not UTF-8 by \xNN.
[[nodiscard]] std::string utf8(std::string_view text);
/// The same, and also replaces control characters, except those in `kept`. The result is legal in XML 1.0.
[[nodiscard]] std::string printable(std::string_view text, std::string_view kept = "");
/// A word that can be pasted into a bash command line; quoted only if necessary.
[[nodiscard]] std::string shell_word(std::string_view text);

/// The number that the whole text is; empty for another text, and for more than 64 bits.
[[nodiscard]] std::optional<std::uint64_t> whole_number(std::string_view text, int base = 10);

/// The parts of a text between separators; an empty text has one part.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, std::string_view by);

/// The lines of a file that a user names.
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
