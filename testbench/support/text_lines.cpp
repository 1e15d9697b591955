#include "testbench/support/text_lines.h"

#include <fmt/format.h>

#include "testbench/support/error.h"
#include "testbench/support/words.h"

namespace pmusim::testbench {

TextLines::TextLines(const std::filesystem::path& file) : name_(printable(file.string())), in_(file) {
  std::error_code ignored;
  if (!in_ || std::filesystem::is_directory(file, ignored)) throw UsageError(fmt::format("cannot read {}", name_));
}

bool TextLines::next(std::string& line) {
  line.clear();
  std::streambuf& bytes = *in_.rdbuf();
  int c = bytes.sbumpc();
  if (c == std::char_traits<char>::eof()) return false;
  ++number_;
  for (; c != '\n' && c != std::char_traits<char>::eof(); c = bytes.sbumpc()) {
    if (line.size() == longest)
      throw UsageError(
          fmt::format("{}:{}: a line of more than {} bytes; expected a text file", name_, number_, longest));
    line.push_back(static_cast<char>(c));
  }
  return true;
}

std::string content_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  std::string bytes;
  if (in) bytes.resize(static_cast<std::size_t>(in.tellg()));
  if (!in || !in.seekg(0) || !in.read(bytes.data(), static_cast<std::streamsize>(bytes.size())))
    throw UsageError(fmt::format("cannot read {}", file.string()));
  return bytes;
}

}  // namespace pmusim::testbench
