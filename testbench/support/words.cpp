#include "testbench/support/words.h"

#include <fmt/format.h>

#include <charconv>

#include "testbench/support/error.h"

namespace pmusim::testbench {

namespace {

/// The first character of `text`: its number of bytes and its code point; no bytes if it is not UTF-8 (RFC 3629).
struct Character {
  std::size_t bytes = 0;
  std::uint32_t code = 0;
};

Character first_of(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {1, lead};
  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {};
  std::uint32_t code = lead & (0x7fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3f);
  }
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < least[bytes] || surrogate || code > 0x10ffff) return {};
  return {bytes, code};
}

bool is_control(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0xfffe || code == 0xffff;
}

/// The text with some of its bytes replaced by \xNN.
template <typename Escaped>
std::string escape(std::string_view text, const Escaped& escaped) {
  std::string result;
  while (!text.empty()) {
    const Character character = first_of(text);
    const std::size_t bytes = character.bytes == 0 ? 1 : character.bytes;
    if (character.bytes == 0 || escaped(character.code)) {
      for (const char c : text.substr(0, bytes)) result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      result += text.substr(0, bytes);
    }
    text.remove_prefix(bytes);
  }
  return result;
}

}  // namespace

std::string utf8(std::string_view text) {
  return escape(text, [](std::uint32_t) { return false; });
}

std::string printable(std::string_view text, std::string_view kept) {
  return escape(text, [&](std::uint32_t code) {
    return is_control(code) && (code >= 0x80 || kept.find(static_cast<char>(code)) == std::string_view::npos);
  });
}

std::string shell_word(std::string_view text) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,+@%-";
  if (!text.empty() && text.find_first_not_of(plain) == std::string_view::npos) return std::string(text);
  const bool escapes = printable(text) != text;
  std::string word = escapes ? "$'" : "'";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (escapes && (c < 0x20 || c >= 0x7f)) {
      word += fmt::format("\\x{:02x}", c);
    } else if (c == '\'') {
      word += escapes ? "\\'" : "'\\''";
    } else if (escapes && c == '\\') {
      word += "\\\\";
    } else {
      word += text[i];
    }
  }
  return word + '\'';
}

std::optional<std::uint64_t> whole_number(std::string_view text, int base) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

TextLines::TextLines(const std::filesystem::path& file) : name_(printable(file.string())), in_(file) {
  std::error_code ignored;
  if (!in_ || std::filesystem::is_directory(file, ignored)) throw UsageError("cannot read {}", name_);
}

bool TextLines::next(std::string& line) {
  line.clear();
  std::streambuf& bytes = *in_.rdbuf();
  int c = bytes.sbumpc();
  if (c == std::char_traits<char>::eof()) return false;
  ++number_;
  for (; c != '\n' && c != std::char_traits<char>::eof(); c = bytes.sbumpc()) {
    if (line.size() == longest)
      throw UsageError("{}:{}: a line of more than {} bytes; expected a text file", name_, number_, longest);
    line.push_back(static_cast<char>(c));
  }
  return true;
}

std::string content_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  std::string bytes;
  if (in) bytes.resize(static_cast<std::size_t>(in.tellg()));
  if (!in || !in.seekg(0) || !in.read(bytes.data(), static_cast<std::streamsize>(bytes.size())))
    throw UsageError("cannot read {}", file.string());
  return bytes;
}

std::vector<std::string_view> split(std::string_view text, std::string_view by) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0;;) {
    const std::size_t end = text.find(by, at);
    parts.push_back(text.substr(at, end - at));
    if (end == std::string_view::npos) return parts;
    at = end + by.size();
  }
}

}  // namespace pmusim::testbench
