// Tables and lines of text that fit the terminal.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "testbench/support/output.h"

namespace pmusim::testbench {
namespace {

using Column = Table::Column;
using Fit = Table::Fit;
using Cells = std::vector<std::string>;

constexpr std::string_view ellipsis = "…";
constexpr std::size_t gap = 2, indent = 4;

/// The characters that fit into a line: those of the terminal; in a file 120.
std::size_t line_width(const std::ostream& out) {
  constexpr std::size_t of_file = 120;
  winsize size{};
  if (&out != &std::cout || ::isatty(STDOUT_FILENO) == 0 || ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
    return of_file;
  constexpr std::size_t narrowest = 20;
  return size.ws_col == 0 ? of_file : std::max<std::size_t>(size.ws_col, narrowest);
}

bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xc0U) != 0x80U; }

/// Characters of UTF-8.
std::size_t length_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, begins_character));
}

/// The number of bytes of the first characters.
std::size_t bytes_of(std::string_view text, std::size_t characters) {
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    if (begins_character(text[at]) && characters-- == 0) break;
  }
  return at;
}

std::string cut(const std::string& text, std::size_t width) {
  if (length_of(text) <= width) return text;
  return text.substr(0, bytes_of(text, width - 1)) + std::string(ellipsis);
}

std::size_t longest_word(std::string_view text) {
  std::size_t longest = 0;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    longest = std::max(longest, length_of(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return longest;
}

/// The bytes of the first part of a text that fits into the width: up to a blank, or else up to a character that joins
/// words, if there is one. An indented text that fits stays in one piece.
std::size_t part_of(std::string_view text, std::size_t width) {
  if (length_of(text) <= width) return text.size();
  const std::size_t fits = bytes_of(text, width), first = text.find_first_not_of(' ');
  for (const std::string_view breaks : {" ", ":._|,"}) {
    const std::size_t before = text.find_last_of(breaks, fits);
    if (before != text.npos && before > first) return before;
  }
  return fits;
}

/// The text in lines; all but the first one may be shorter by `less`.
Cells wrapped(std::string text, std::size_t width, std::size_t less) {
  Cells lines;
  do {
    const std::size_t part = part_of(text, lines.empty() ? width : width - less);
    lines.push_back(text.substr(0, part));
    text.erase(0, part);
    text.erase(0, std::min(text.find_first_not_of(' '), text.size()));
  } while (!text.empty());
  return lines;
}

/// The columns of a table and the texts of its rows, the first of which has the titles, in the width of a line.
class Layout {
 public:
  Layout(const std::vector<Column>& columns, const std::vector<Cells>& texts, std::size_t most)
      : columns_(columns), texts_(texts), most_(most), widths_(columns.size()), shown_(columns.size(), true) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      for (const Cells& line : texts) widths_[i] = std::max(widths_[i], length_of(line[i]));
    }
    const bool fits = total() <= most_;
    for (std::size_t i = 0; i < columns.size(); ++i) shown_[i] = fits || columns[i].fit != Fit::below;
    narrow([&](std::size_t i) { return columns_[i].fit == Fit::cut ? columns_[i].comfortable : widest_cell(i); });
    while (total() > most_ && drop()) {
    }
    narrow([&](std::size_t i) { return least(i); });
    narrow([&](std::size_t) { return shortest; });
  }
  [[nodiscard]] bool shows(std::size_t column) const { return shown_[column]; }
  [[nodiscard]] std::size_t width(std::size_t column) const { return widths_[column]; }
  [[nodiscard]] std::size_t most() const { return most_; }
  /// Titles of columns that are left out.
  [[nodiscard]] const Cells& dropped() const { return dropped_; }

 private:
  static constexpr std::size_t narrow_cut = 12, narrow_column = 30, shortest = 4;

  [[nodiscard]] std::size_t total() const {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < widths_.size(); ++i) sum += shown_[i] ? widths_[i] + gap : 0;
    return sum - std::min(sum, gap);
  }
  bool drop() {
    for (std::size_t i = widths_.size(); i-- != 0;) {
      if (!shown_[i] || columns_[i].fit != Fit::drop) continue;
      shown_[i] = false;
      dropped_.insert(dropped_.begin(), columns_[i].title);
      return true;
    }
    return false;
  }
  /// The width that the cells need; a title of several words may take several lines.
  [[nodiscard]] std::size_t widest_cell(std::size_t column) const {
    std::size_t widest = longest_word(columns_[column].title);
    for (std::size_t row = 1; row < texts_.size(); ++row) widest = std::max(widest, length_of(texts_[row][column]));
    return widest;
  }
  /// The width at which a column is still read easily. Columns of short cells keep their width.
  [[nodiscard]] std::size_t least(std::size_t column) const {
    if (columns_[column].fit == Fit::cut) return std::min<std::size_t>(widths_[column], narrow_cut);
    std::size_t least = std::min(widths_[column], narrow_column);
    for (const Cells& line : texts_) {
      const std::string& text = line[column];
      least = std::max(least, text.starts_with(' ') ? length_of(text) : longest_word(text));
    }
    return least;
  }
  /// The widest columns give way until a row fits, but not below `least`.
  template <class Least>
  void narrow(const Least& least) {
    std::vector<std::size_t> limits;
    for (std::size_t i = 0; i < widths_.size(); ++i) limits.push_back(total() > most_ ? least(i) : widths_[i]);
    while (total() > most_) {
      std::size_t widest = widths_.size();
      for (std::size_t i = 0; i < widths_.size(); ++i) {
        if (shown_[i] && widths_[i] > limits[i] && (widest == widths_.size() || widths_[i] > widths_[widest]))
          widest = i;
      }
      if (widest == widths_.size()) break;
      --widths_[widest];
    }
  }

  const std::vector<Column>& columns_;
  const std::vector<Cells>& texts_;
  std::size_t most_;
  std::vector<std::size_t> widths_;
  std::vector<bool> shown_;
  Cells dropped_;
};

/// The rows of a table as text.
class RowWriter {
 public:
  RowWriter(const std::vector<Column>& columns, const Layout& layout, bool colour)
      : columns_(columns), layout_(layout), colour_(colour) {}
  [[nodiscard]] std::string text(const Cells& row, bool title) const {
    std::vector<Cells> parts;
    std::size_t height = 1;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const bool cuts = columns_[i].fit == Fit::cut;
      parts.push_back(cuts ? Cells{cut(row[i], layout_.width(i))} : wrapped(row[i], layout_.width(i), 0));
      if (layout_.shows(i)) height = std::max(height, parts.back().size());
    }
    std::string lines;
    for (std::size_t line = 0; line < height; ++line) lines += line_of_row(parts, line, title);
    return title ? lines : lines + below(row);
  }

 private:
  [[nodiscard]] std::string line_of_row(const std::vector<Cells>& parts, std::size_t line, bool title) const {
    std::string text, spaces;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (!layout_.shows(i)) continue;
      const std::string cell = line < parts[i].size() ? parts[i][line] : "";
      const std::string rest(layout_.width(i) - length_of(cell), ' ');
      if (columns_[i].right) spaces += rest;
      if (!cell.empty()) text += std::exchange(spaces, {}) + (title ? cell : coloured(columns_[i], cell));
      if (!columns_[i].right) spaces += rest;  // no trailing spaces
      spaces += std::string(gap, ' ');
    }
    return (colour_ && title ? tinted(text, Tint::strong) : text) + '\n';
  }
  [[nodiscard]] std::string coloured(const Column& column, const std::string& cell) const {
    if (!colour_) return cell;
    const Tint* const tint = column.share ? tint_of_share(cell) : tint_of_verdict(cell);
    return tint != nullptr ? tinted(cell, *tint) : cell;
  }
  [[nodiscard]] std::string below(const Cells& row) const {
    std::string lines;
    bool first = true;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (layout_.shows(i) || columns_[i].fit != Fit::below) continue;
      const std::string text = first ? row[i] : fmt::format("{}: {}", columns_[i].title, row[i]);
      first = false;
      if (row[i].empty() || row[i] == "-") continue;
      for (const std::string& line : wrapped(text, layout_.most() - indent, 0))
        lines += std::string(indent, ' ') + line + '\n';
    }
    return lines;
  }

  const std::vector<Column>& columns_;
  const Layout& layout_;
  bool colour_;
};

}  // namespace

Table::Text Table::text(std::size_t width, bool colour) const {
  std::vector<Cells> texts;
  Cells& titles = texts.emplace_back();
  for (const Column& column : columns_) titles.push_back(column.title);
  for (const auto& cells : rows_) {
    Cells& line = texts.emplace_back();
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const bool number = columns_[i].right && cells[i].is_number_unsigned();
      line.push_back(number ? grouped(cells[i].get<std::uint64_t>()) : cell_text(cells[i]));
    }
  }
  const Layout layout(columns_, texts, width);
  const RowWriter writer(columns_, layout, colour);
  Text text{writer.text(texts.front(), true), {}, ""};
  for (std::size_t i = 1; i < texts.size(); ++i) text.rows.push_back(writer.text(texts[i], false));
  if (!layout.dropped().empty())
    text.note = wrapped_text(
        fmt::format("no room for {}; --format {} has them", fmt::join(layout.dropped(), ", "), complete_), width);
  return text;
}

void Table::print_text(std::ostream& out) const {
  const Text all = text(line_width(out), &out == &std::cout && shows_colour(STDOUT_FILENO));
  out << all.titles;
  for (const std::string& row : all.rows) out << row;
  out << all.note;
}

void print_paragraphs(std::ostream& out, std::string_view text) {
  const auto is_prose = [](const std::string& line) { return !line.empty() && !line.starts_with(' '); };
  Cells lines;
  std::size_t widest = 0;
  for (std::size_t begin = 0; begin < text.size(); begin += lines.back().size() + 1) {
    lines.emplace_back(text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin));
    if (is_prose(lines.back())) widest = std::max(widest, length_of(lines.back()));
  }
  const std::size_t most = line_width(out);
  std::string paragraph;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    paragraph += (paragraph.empty() ? "" : " ") + lines[i];
    // A short line that ends a sentence ends a paragraph.
    const bool short_end = lines[i].ends_with('.') && length_of(lines[i]) * 4 <= widest * 3;
    if (widest > most && is_prose(lines[i]) && i + 1 < lines.size() && is_prose(lines[i + 1]) && !short_end) continue;
    const Cells all = is_prose(paragraph) ? wrapped(paragraph, most, 0) : Cells{paragraph};
    for (const std::string& line : all) out << line << '\n';
    paragraph.clear();
  }
}

std::string wrapped_text(std::string_view text, std::size_t width) {
  std::string lines;
  for (const std::string& line : wrapped(std::string(text), width, indent))
    lines += std::string(lines.empty() ? 0 : indent, ' ') + line + '\n';
  return lines;
}

void print_wrapped(std::ostream& out, std::string_view text) { out << wrapped_text(text, line_width(out)); }

}  // namespace pmusim::testbench
