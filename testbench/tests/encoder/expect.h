// Rows of event strings with their expected encodings.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "pmusim/encoder/encoder.h"

namespace pmusim::encoder::test {

inline std::uint64_t value_of(const Encoding& encoding, std::string_view name) {
  for (const RegisterValue& reg : encoding.registers)
    if (reg.name == name) return reg.value;
  ADD_FAILURE() << "no register " << name;
  return 0;
}

/// Encodes, or fails the test with the encoder's message.
inline Encoding encoded(std::string_view target, const std::vector<std::string>& events,
                        const EncodeOptions& options = {}) {
  auto result = encode(target, events, options);
  if (result) return result.value();
  ADD_FAILURE() << result.error().message;
  return {};
}

using Names = std::vector<std::string>;

inline Qualifiers qualifiers(std::string_view target, const QualifierTexts& texts) {
  auto result = parse_qualifiers(target, texts);
  if (result) return result.value();
  ADD_FAILURE() << result.error().message;
  return {};
}

inline Encoding encoded_with(std::string_view target, const Names& events, const QualifierTexts& texts) {
  return encoded(target, events, {.qualifiers = qualifiers(target, texts)});
}

/// A register and its expected value in the bits that are compared.
struct Reg {
  const char* name;
  std::uint64_t value;
  std::uint64_t compared = ~std::uint64_t{0};
};

inline void expect_registers(const Encoding& encoding, const std::vector<Reg>& registers) {
  for (const Reg& reg : registers) EXPECT_EQ(value_of(encoding, reg.name) & reg.compared, reg.value) << reg.name;
}

/// A row that must be refused with this code and with these words in the message.
struct Refusal {
  int line;
  std::vector<std::string> events;
  ErrorCode code;
  std::vector<std::string> words;
};

inline void expect_refused(std::string_view target, const Refusal& row, const EncodeOptions& options = {}) {
  SCOPED_TRACE(::testing::Message() << "row at line " << row.line);
  const auto result = encode(target, row.events, options);
  ASSERT_FALSE(result) << "was accepted";
  EXPECT_EQ(result.error().code, row.code) << result.error().message;
  for (const std::string& word : row.words)
    EXPECT_NE(result.error().message.find(word), std::string::npos)
        << "'" << word << "' is missing in: " << result.error().message;
  EXPECT_EQ(result.error().message.find('\n'), std::string::npos) << "more than one line";
}

/// The event, with a unit mask if it requires one: montecito's line states have no default.
inline std::string complete(const EventInfo& event) {
  const auto is_default = [](const UnitMaskInfo& mask) { return mask.is_default; };
  if (event.unit_masks.empty() || std::any_of(event.unit_masks.begin(), event.unit_masks.end(), is_default))
    return event.name;
  return event.name + ":" + event.unit_masks.back().name + ":" + event.unit_masks.front().name;
}

}  // namespace pmusim::encoder::test
