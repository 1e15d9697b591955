#include "testbench/support/output.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <string_view>
#include <utility>

#include "testbench/support/colour.h"
#include "testbench/support/words.h"

namespace pmusim::testbench {
namespace {

std::string plain(const Json& cell) {
  if (cell.is_null()) return "-";
  if (cell.is_string()) return cell.get<std::string>();
  if (cell.is_boolean()) return cell.get<bool>() ? "yes" : "no";
  return cell.dump();
}

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + '"';
}

Json legal(const Json& value) {
  if (value.is_string()) return utf8(value.get_ref<const std::string&>());
  if (!value.is_structured()) return value;
  Json copy = value.is_array() ? Json::array() : Json::object();
  for (const auto& [key, element] : value.items()) {
    if (value.is_array())
      copy.push_back(legal(element));
    else
      copy[utf8(key)] = legal(element);
  }
  return copy;
}

/// The characters that fit into a line: those of the terminal; in a file 120.
std::size_t line_width(const std::ostream& out) {
  constexpr std::size_t of_file = 120;
  winsize size{};
  if (&out != &std::cout || ::isatty(STDOUT_FILENO) == 0 || ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
    return of_file;
  return size.ws_col == 0 ? of_file : size.ws_col;
}

std::size_t longest_word(std::string_view text) {
  std::size_t longest = 0, length = 0;
  for (const char c : text) {
    length = c == ' ' ? 0 : length + 1;
    longest = std::max(longest, length);
  }
  return longest;
}

/// The first part of a cell, up to a blank, that fits into the width, or its first word. A cell that is indented stays
/// in one piece.
std::size_t part_of(std::string_view cell, std::size_t width) {
  if (cell.size() <= width || cell.starts_with(' ')) return cell.size();
  const std::size_t before = cell.rfind(' ', width);
  return before != cell.npos && before != 0 ? before : std::min(cell.find(' '), cell.size());
}

/// The widths of the columns, without the gaps of two between them. The widest columns give way until the row fits, as
/// far as their words allow. Columns of short cells keep their width.
std::vector<std::size_t> widths_within(const std::vector<std::vector<std::string>>& texts, std::size_t most) {
  constexpr std::size_t narrow = 30;
  std::vector<std::size_t> widths(texts.front().size()), least(widths);
  std::size_t all = 2 * (widths.size() - 1);
  for (std::size_t i = 0; i < widths.size(); ++i) {
    for (const std::vector<std::string>& line : texts) {
      widths[i] = std::max(widths[i], line[i].size());
      least[i] = std::max(least[i], line[i].starts_with(' ') ? line[i].size() : longest_word(line[i]));
    }
    least[i] = std::max(least[i], std::min(widths[i], narrow));
    all += widths[i];
  }
  while (all > most) {
    std::size_t widest = widths.size();
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (widths[i] > least[i] && (widest == widths.size() || widths[i] > widths[widest])) widest = i;
    }
    if (widest == widths.size()) break;
    --widths[widest];
    --all;
  }
  return widths;
}

/// The lines of a row whose cells are wrapped at blanks.
std::vector<std::vector<std::string>> lines_of_row(std::vector<std::string> rest,
                                                   const std::vector<std::size_t>& widths) {
  std::vector<std::vector<std::string>> lines;
  do {
    std::vector<std::string>& line = lines.emplace_back();
    for (std::size_t i = 0; i < rest.size(); ++i) {
      const std::size_t part = part_of(rest[i], widths[i]);
      line.push_back(rest[i].substr(0, part));
      rest[i].erase(0, std::min(part + 1, rest[i].size()));
    }
  } while (std::any_of(rest.begin(), rest.end(), [](const std::string& cell) { return !cell.empty(); }));
  return lines;
}

}  // namespace

std::string hex(std::uint64_t value, unsigned width_bits) {
  return fmt::format("0x{:0{}x}", value, (width_bits + 3) / 4);
}

std::string line_of(const Json& object) {
  try {
    return object.dump();
  } catch (const Json::type_error&) {  // not UTF-8
    return legal(object).dump();
  }
}

std::string grouped(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::ptrdiff_t at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), 1, ',');
  }
  return digits;
}

Json to_json(const encoder::RegisterValue& reg) {
  return Json{{"space", reg.space}, {"number", reg.number}, {"name", reg.name}, {"value", hex(reg.value, reg.width)}};
}

void Table::print(std::ostream& out, Format format) const {
  if (format == Format::json) {
    for (const auto& cells : rows_) {
      Json object = Json::object();
      for (std::size_t i = 0; i < columns_.size(); ++i) object[columns_[i].key] = cells[i];
      out << line_of(object) << '\n';
    }
    return;
  }
  if (format == Format::csv) {
    for (std::size_t i = 0; i < columns_.size(); ++i) out << (i == 0 ? "" : ",") << columns_[i].key;
    out << '\n';
    for (const auto& cells : rows_) {
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        out << (i == 0 ? "" : ",") << (cells[i].is_null() ? "" : quoted(plain(cells[i])));
      }
      out << '\n';
    }
    return;
  }
  print_text(out);
}

void Table::print_text(std::ostream& out) const {
  std::vector<std::vector<std::string>> texts;
  std::vector<std::string>& titles = texts.emplace_back();
  for (const Column& column : columns_) titles.push_back(column.title);
  for (const auto& cells : rows_) {
    auto& line = texts.emplace_back();
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const bool number = columns_[i].right && cells[i].is_number_unsigned();
      line.push_back(number ? grouped(cells[i].get<std::uint64_t>()) : plain(cells[i]));
    }
  }
  const std::vector<std::size_t> widths = widths_within(texts, line_width(out));
  const bool colour = &out == &std::cout && shows_colour(STDOUT_FILENO);
  const auto print_line = [&](const std::vector<std::string>& line, bool title) {
    std::string text, spaces;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::string gap = fmt::format("{:<{}}", line[i], widths[i]).substr(line[i].size());
      const Tint* const tint = colour && !title ? tint_of_verdict(line[i]) : nullptr;
      const std::string cell = tint != nullptr ? tinted(line[i], *tint) : line[i];
      if (i != 0) spaces += "  ";
      if (columns_[i].right) spaces += gap;
      if (!cell.empty()) text += std::exchange(spaces, {}) + cell;  // no trailing spaces
      if (!columns_[i].right) spaces += gap;
    }
    out << (colour && title ? tinted(text, Tint::strong) : text) << '\n';
  };
  for (const std::vector<std::string>& row : texts) {
    for (const std::vector<std::string>& line : lines_of_row(row, widths)) print_line(line, &row == &texts.front());
  }
}

}  // namespace pmusim::testbench
