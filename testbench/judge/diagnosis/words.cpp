#include "testbench/judge/diagnosis/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "testbench/support/words.h"

namespace pmusim::testbench::diagnose {

namespace {

constexpr std::string_view event_select = "event select", unit_mask = "unit mask";

/// Full names of abbreviated fields; other fields keep the manual's name.
struct FieldWords {
  std::string_view field, words;
};
constexpr std::array field_words{FieldWords{"EVENT", event_select},        FieldWords{"es", event_select},
                                 FieldWords{"UNIT_MASK", unit_mask},       FieldWords{"umask", unit_mask},
                                 FieldWords{"CNT_MASK", "counter mask"},   FieldWords{"THRESHOLD", "threshold"},
                                 FieldWords{"plm", "privilege level mask"}};

/// Interrupt enables of counters; a request without sampling does not enable them.
constexpr std::array interrupt_fields{"INT", "oi", "PMC1INTCONTROL", "PMCINTCONTROL", "ENINT"};
/// Pins, and bits without a function.
constexpr std::array silent_fields{"PC", "ev", "reserved", "fixed"};

template <class List>
bool contains(const List& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

std::string_view words_of(std::string_view field) {
  const auto found =
      std::find_if(field_words.begin(), field_words.end(), [&](const auto& w) { return w.field == field; });
  return found == field_words.end() ? field : found->words;
}

/// The parts of a canonical event string.
struct Name {
  std::string event;
  std::vector<std::string> masks;
  std::vector<std::string> attributes;
};
Name parts_of(const std::string& canonical) {
  Name name;
  const std::size_t target = canonical.find("::");
  std::string_view rest(canonical);
  if (target != std::string::npos) rest.remove_prefix(target + 2);
  for (const std::string_view word : split(rest, ":")) {
    if (name.event.empty())
      name.event = word;
    else
      (word.find('=') == std::string_view::npos ? name.masks : name.attributes).emplace_back(word);
  }
  return name;
}

std::string event_of(const encoder::Selection& selection) {
  const Name name = parts_of(selection.canonical);
  std::string text = name.event;
  for (const std::string& mask : name.masks) text += ':' + mask;
  return text;
}

/// The unit masks of an event whose combined codes are the content of the field `name`; empty if unit masks have
/// another encoding.
std::vector<encoder::UnitMaskInfo> masks_of(const std::string& target, const Name& name, std::uint64_t content) {
  const auto events = encoder::events(target);
  if (!events) return {};
  for (const encoder::EventInfo& info : *events) {
    if (info.name != name.event) continue;
    std::uint64_t sum = 0;
    for (const encoder::UnitMaskInfo& mask : info.unit_masks) {
      if (contains(name.masks, mask.name)) sum |= mask.code;
    }
    if (sum != content) return {};
    std::vector<encoder::UnitMaskInfo> masks = info.unit_masks;
    std::erase_if(masks, [](const encoder::UnitMaskInfo& mask) { return (mask.code & (mask.code - 1)) != 0; });
    return masks;
  }
  return {};
}

/// Unit masks selected in excess or missing in a mask; empty if the event has no unit masks.
std::string mask_text(const std::vector<encoder::UnitMaskInfo>& masks, std::uint64_t given, std::uint64_t right) {
  std::vector<std::string> missing, extra;
  std::uint64_t named = 0;
  for (const encoder::UnitMaskInfo& mask : masks) {
    named |= mask.code;
    if ((right & ~given & mask.code) != 0) missing.push_back(mask.name);
    if ((given & ~right & mask.code) != 0) extra.push_back(mask.name);
  }
  if (masks.empty()) return {};
  if ((given & ~right & ~named) != 0) extra.push_back(fmt::format("the undefined bits {:#x}", given & ~right & ~named));
  if (missing.empty() && extra.empty()) return {};
  if (extra.empty()) return "does not select " + join(missing);
  if (missing.empty()) return "selects " + join(extra) + " as well";
  return fmt::format("selects {}, not {}", join(extra), join(missing));
}

std::string meaning_text(const Difference& difference) {
  const auto shown = [](std::uint64_t value, const std::string& meaning) {
    return meaning.empty() ? fmt::format("{:#x}", value) : fmt::format("{:#x} ({})", value, meaning);
  };
  if (difference.given_meaning == difference.right_meaning) {
    return fmt::format("is {:#x}, not {:#x}", difference.given, difference.right);
  }
  return fmt::format("is {}, not {}", shown(difference.given, difference.given_meaning),
                     shown(difference.right, difference.right_meaning));
}

/// "event select 0x43 with unit mask 0x1f": for joined selectors, each with its content.
std::string field_text(const Difference& difference) {
  if (difference.field.find(' ') != std::string::npos) return difference.field;
  return fmt::format("{} {:#x}", words_of(difference.field), difference.given);
}

}  // namespace

std::vector<encoder::Selection> selections(const std::string& target,
                                           const std::vector<encoder::RegisterValue>& registers) {
  const auto found = encoder::selections(target, registers);
  return found ? *found : std::vector<encoder::Selection>{};
}

const encoder::Selection* find(const std::vector<encoder::Selection>& selections, const std::string& counter) {
  const auto found =
      std::find_if(selections.begin(), selections.end(), [&](const auto& s) { return s.counter == counter; });
  return found == selections.end() ? nullptr : &*found;
}

bool same(const encoder::Selection* a, const encoder::Selection* b) {
  if (a == nullptr || b == nullptr) return a == b;
  return a->canonical == b->canonical;
}

std::string join(const std::vector<std::string>& words, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i != 0) text += i + 1 == words.size() ? last : ", ";
    text += words[i];
  }
  return text;
}

void join_selectors(std::vector<FieldDifference>& fields) {
  const auto is = [](std::string_view words) {
    return [words](const FieldDifference& field) { return words_of(field.difference.field) == words; };
  };
  const auto select = std::find_if(fields.begin(), fields.end(), is(event_select));
  const auto mask = std::find_if(fields.begin(), fields.end(), is(unit_mask));
  if (select == fields.end() || mask == fields.end()) return;
  Difference& both = select->difference;
  both.field = fmt::format("{} {:#x} with {} {:#x}", event_select, both.given, unit_mask, mask->difference.given);
  select->mask |= mask->mask;
  fields.erase(mask);
}

bool counts_nothing(std::string_view field, bool sampling) {
  return contains(silent_fields, field) || (!sampling && contains(interrupt_fields, field));
}

std::string text_of(const Difference& difference, const Effect& effect) {
  const std::string plain =
      fmt::format("{} {} {}", difference.reg, words_of(difference.field), meaning_text(difference));
  if (effect.right == nullptr) return plain;
  const std::string subject = fmt::format("{} {} ", difference.reg, field_text(difference));
  const Name right = parts_of(effect.right->canonical);
  if (words_of(difference.field) == unit_mask) {
    const std::string text =
        mask_text(masks_of(effect.target, right, difference.right), difference.given, difference.right);
    if (!text.empty()) return subject + text;
  }
  if (effect.given == nullptr) return fmt::format("{} and leaves {} off", plain, effect.counter);
  const std::string is = event_of(*effect.given), should_be = event_of(*effect.right);
  if (is == should_be) return plain;
  if (!effect.given->known) return subject + "selects no event that the manual names, not " + should_be;
  return fmt::format("{}selects {}, not {}", subject, is, should_be);
}

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
