#include "testbench/faults/fields.h"

#include <cctype>
#include <charconv>

#include "models/targets.h"
#include "pmusim/encoder/encoder.h"

namespace pmusim::testbench::faults {
namespace {

unsigned number(std::string_view text) {
  unsigned value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// Parses `from:to` or `bit`, the higher bit first; IBM's manuals count from the most significant bit.
Field field_at(const std::string& name, std::string_view bits, bool from_the_top, unsigned width) {
  const std::size_t colon = bits.find(':');
  unsigned first = number(bits), last = colon == std::string_view::npos ? first : number(bits.substr(colon + 1));
  if (from_the_top) first = width - 1 - first, last = width - 1 - last;
  return {name, last, first - last + 1};
}

}  // namespace

unsigned register_width(const std::string& target, const std::string& reg) {
  if (const auto decoded = encoder::decode(target, reg, 0)) return decoded->reg.width;
  return 64;
}

std::vector<Field> fields_of(const std::string& target, const std::string& reg, unsigned width) {
  const models::Target* const model = models::find_target(target);
  const bool from_the_top = model != nullptr && model->isa == trace::Isa::ppc;
  const auto decoded = encoder::decode(target, reg, 0);
  if (!decoded) return {{"value", 0, width}};
  std::vector<Field> fields;
  std::uint64_t named = 0;
  for (const encoder::DecodedField& field : decoded->fields) {
    Field found = field_at(field.name, field.bits, from_the_top, width);
    if (found.low >= width) continue;
    if (field.name == "reserved" || field.name == "fixed") found.name += " " + field.bits;
    named |= found.mask();
    fields.push_back(std::move(found));
  }
  const std::uint64_t all = Field{"", 0, width}.mask();
  for (unsigned low = 0; low < width; ++low) {
    if ((named >> low & 1) != 0 || (all >> low & 1) == 0) continue;
    unsigned bits = 1;
    while (low + bits < width && (named >> (low + bits) & 1) == 0) ++bits;
    fields.push_back({"unnamed", low, bits});
    low += bits;
  }
  return fields;
}

std::string stem(std::string_view name) {
  std::string result;
  for (const char c : name) {
    if (std::isdigit(static_cast<unsigned char>(c)) == 0) {
      result += c;
    } else if (result.empty() || result.back() != '#') {
      result += '#';
    }
  }
  return result;
}

}  // namespace pmusim::testbench::faults
