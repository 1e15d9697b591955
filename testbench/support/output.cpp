#include "testbench/support/output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <utility>

#include "testbench/support/error.h"
#include "testbench/support/words.h"

namespace pmusim::testbench {

namespace {

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

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

void Table::row(std::vector<Json> cells) { rows_.push_back(std::move(cells)); }

void Table::row_of(const Json& object) {
  std::vector<Json>& cells = rows_.emplace_back();
  for (const Column& column : columns_) cells.push_back(object.value(column.key, Json("")));
}
bool Table::empty() const { return rows_.empty(); }

std::string cell_text(const Json& cell) {
  if (cell.is_null()) return "-";
  if (cell.is_string()) return cell.get<std::string>();
  if (cell.is_boolean()) return cell.get<bool>() ? "yes" : "no";
  return cell.dump();
}

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

int print_object(const Json& object) {
  std::cout << line_of(object) << '\n';
  return exit_good;
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
        out << (i == 0 ? "" : ",") << (cells[i].is_null() ? "" : quoted(cell_text(cells[i])));
      }
      out << '\n';
    }
    return;
  }
  print_text(out);
}

namespace {

constexpr std::pair<std::string_view, Tint> verdicts[] = {
    {"ok", Tint::good},      {"kept", Tint::good},  {"caught", Tint::good}, {"FAILED", Tint::bad},
    {"MISMATCH", Tint::bad}, {"MISSED", Tint::bad}, {"BROKEN", Tint::bad},  {"NOT EXERCISED", Tint::bad},
};

bool is_set(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

}  // namespace

bool shows_colour(int descriptor) {
  if (isatty(descriptor) == 0 || is_set("NO_COLOR")) return false;
  return is_set("TERM") && std::string_view(std::getenv("TERM")) != "dumb";
}

std::string tinted(std::string_view text, Tint tint) {
  const int code = tint == Tint::strong ? 1 : tint == Tint::good ? 32 : 31;
  return fmt::format("\033[{}m{}\033[0m", code, text);
}

const Tint* tint_of_verdict(std::string_view word) {
  for (const auto& [verdict, tint] : verdicts) {
    if (word == verdict) return &tint;
  }
  return nullptr;
}

const Tint* tint_of_share(std::string_view percent) {
  static constexpr Tint large = Tint::bad, some = Tint::good;
  constexpr double from_large = 5, from_some = 0.5;
  const double value = std::strtod(std::string(percent).c_str(), nullptr);
  return value >= from_large ? &large : value >= from_some ? &some : nullptr;
}

}  // namespace pmusim::testbench
