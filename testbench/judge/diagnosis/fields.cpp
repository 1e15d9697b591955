#include "testbench/judge/diagnosis/fields.h"

#include <optional>

namespace pmusim::testbench::diagnose {
namespace {

/// The field of a bit: the one that is not zero if only that bit is set. This works for either numbering of bits.
std::optional<std::size_t> field_of_bit(const std::string& target, const std::string& reg, unsigned bit) {
  const auto decoded = encoder::decode(target, reg, std::uint64_t{1} << bit);
  if (!decoded) return std::nullopt;
  for (std::size_t i = 0; i < decoded->fields.size(); ++i) {
    if (decoded->fields[i].value != 0) return i;
  }
  return std::nullopt;
}

}  // namespace

std::vector<FieldDifference> differing_fields(const std::string& target, const encoder::RegisterValue& given,
                                              const encoder::RegisterValue& right, std::uint64_t ignored) {
  std::vector<FieldDifference> found;
  const std::uint64_t differing = (given.value ^ right.value) & ~ignored;
  if (differing == 0) return found;
  const auto is = encoder::decode(target, right.name, given.value),
             was = encoder::decode(target, right.name, right.value);
  const std::size_t count = is && was ? was->fields.size() : 0;
  std::vector<std::uint64_t> masks(count, 0);
  std::uint64_t nameless = 0;
  for (unsigned bit = 0; bit < 64; ++bit) {
    const auto field = field_of_bit(target, right.name, bit);
    (field && *field < count ? masks[*field] : nameless) |= std::uint64_t{1} << bit;
  }
  for (std::size_t i = 0; i < count; ++i) {
    if ((masks[i] & differing) == 0) continue;
    const encoder::DecodedField &now = is->fields[i], &before = was->fields[i];
    found.push_back(
        {{Kind::wrong_field, right.name, now.name, now.bits, now.value, before.value, now.meaning, before.meaning, {}},
         masks[i]});
  }
  if ((nameless & differing) != 0) {
    found.push_back(
        {{Kind::wrong_field, right.name, "bits", {}, given.value & nameless, right.value & nameless, {}, {}, {}},
         nameless});
  }
  return found;
}

}  // namespace pmusim::testbench::diagnose
