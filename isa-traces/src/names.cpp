#include "pmusim/trace/names.h"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

namespace pmusim::trace {
namespace {

constexpr std::string_view function = "function", image = "image", line = "line";

/// Replaces bytes that are not allowed in operands of directives (blanks and bytes that are not printable) by %XX.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c > ' ' && c < '\x7f' && c != '%' && c != '=') {
      result += c;
    } else {
      result += fmt::format("%{:02x}", static_cast<unsigned char>(c));
    }
  }
  return result;
}

std::uint64_t number(std::string_view text, int base) {
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, base);
  return value;
}

std::string unescaped(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size()) {
      result += static_cast<char>(number(text.substr(i + 1, 2), 16));
      i += 2;
    } else {
      result += text[i];
    }
  }
  return result;
}

std::string_view operand(const Directive& directive, std::string_view key) {
  for (const auto& [name, value] : directive.operands) {
    if (name == key) return value;
  }
  return {};
}

}  // namespace

bool is_name(const Directive& directive) {
  return directive.name == function || directive.name == image || directive.name == line;
}

void write_names(const ProgramNames& names, Writer& to) {
  Directive directive;
  Item item;
  item.directive = &directive;
  directive.name = image;
  for (const LoadedFile& one : names.files) {
    directive.operands = {{"addr", fmt::format("{:x}", one.address)},
                          {"size", std::to_string(one.size)},
                          {"base", fmt::format("{:x}", one.base)},
                          {"name", escaped(one.name)}};
    to.write(item);
  }
  directive.name = function;
  for (const FunctionName& one : names.functions) {
    directive.operands = {{"addr", fmt::format("{:x}", one.address)}, {"name", escaped(one.name)}};
    if (one.size != 0) directive.operands.emplace_back("size", std::to_string(one.size));
    to.write(item);
  }
  directive.name = line;
  for (const LineStart& one : names.lines) {
    directive.operands = {{"addr", fmt::format("{:x}", one.address)}};
    if (!one.file.empty() && one.line != 0) {
      directive.operands.emplace_back("file", escaped(one.file));
      directive.operands.emplace_back("line", std::to_string(one.line));
    }
    to.write(item);
  }
}

ProgramNames read_names(Reader& from) {
  ProgramNames names;
  for (Item item; from.next(item) && item.directive != nullptr;) {
    const Directive& d = *item.directive;
    const std::uint64_t address = number(operand(d, "addr"), 16);
    if (d.name == image) {
      names.files.push_back(
          {address, number(operand(d, "size"), 10), number(operand(d, "base"), 16), unescaped(operand(d, "name"))});
    } else if (d.name == function) {
      names.functions.push_back({address, number(operand(d, "size"), 10), unescaped(operand(d, "name"))});
    } else if (d.name == line) {
      names.lines.push_back(
          {address, unescaped(operand(d, "file")), static_cast<unsigned>(number(operand(d, "line"), 10))});
    }
  }
  return names;
}

}  // namespace pmusim::trace
