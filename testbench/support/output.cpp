#include "testbench/support/output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
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
  std::vector<std::size_t> widths;
  for (const Column& column : columns_) widths.push_back(column.title.size());
  std::vector<std::vector<std::string>> texts;
  for (const auto& cells : rows_) {
    auto& line = texts.emplace_back();
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const bool number = columns_[i].right && cells[i].is_number_unsigned();
      line.push_back(number ? grouped(cells[i].get<std::uint64_t>()) : plain(cells[i]));
      widths[i] = std::max(widths[i], line.back().size());
    }
  }
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
  std::vector<std::string> titles;
  for (const Column& column : columns_) titles.push_back(column.title);
  print_line(titles, true);
  for (const auto& line : texts) print_line(line, false);
}

}  // namespace pmusim::testbench
