// Faults of an encoder's table of codes: each code replaced by others, and exchanged with the next row's.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine.h"
#include "testbench/faults/table_faults.h"
#include "testbench/judge/encoder/encoder_under_test.h"

namespace pmusim::testbench::faults {

/// A code of a table, and those that take its place.
struct Code {
  std::string row;
  Rows rows;  ///< that it encodes
  std::uint32_t code = 0;
  std::set<std::uint32_t> others;
  bool with_next = false;  ///< it is exchanged with the next one
};
using Codes = std::vector<std::uint32_t>;

/// Other values for a code: one up, one down, and each of `bits` flipped.
inline std::set<std::uint32_t> others(std::uint32_t code, std::uint32_t bits, std::uint32_t limit) {
  std::set<std::uint32_t> values;
  if (code < limit) values.insert(code + 1);
  if (code > 0) values.insert(code - 1);
  for (std::uint32_t bit = 1; bit <= bits; bit <<= 1) {
    if ((bits & bit) != 0) values.insert(code ^ bit);
  }
  return values;
}

/// The answers of an encoder that keeps what it needs.
inline decltype(Exchange::encode) encode_with(std::shared_ptr<const encoder::Backend> backend) {
  return [backend = std::move(backend)](const Group& group) {
    std::vector<std::string> texts;
    for (const Check& check : group.checks) texts.push_back(check.text());
    return answer_of(
        encoder::encode(*backend, texts, {.sampling = false, .unavailable_counters = group.unavailable_counters}));
  };
}

/// `encoder_with` makes the encoder whose table has the given codes.
inline std::vector<TableFault> code_faults(
    const std::vector<Code>& table, const std::function<decltype(Exchange::encode)(const Codes&)>& encoder_with) {
  Codes right;
  for (const Code& row : table) right.push_back(row.code);
  std::vector<TableFault> faults;
  const auto add = [&](std::string name, Rows rows, Codes codes) {
    faults.push_back({{std::move(name)}, std::move(rows), [encoder_with, codes = std::move(codes)] {
                        return Exchange{.encode = encoder_with(codes)};
                      }});
  };
  for (std::size_t i = 0; i < table.size(); ++i) {
    for (const std::uint32_t other : table[i].others) {
      Codes codes = right;
      codes[i] = other;
      add(fmt::format("{}: code {:#x} for {:#x}", table[i].row, other, table[i].code), table[i].rows, std::move(codes));
    }
    if (!table[i].with_next) continue;
    Codes codes = right;
    std::swap(codes[i], codes[i + 1]);
    Rows both = table[i].rows;
    both.insert(table[i + 1].rows.begin(), table[i + 1].rows.end());
    add(fmt::format("{} and {}: codes exchanged", table[i].row, table[i + 1].row), std::move(both), std::move(codes));
  }
  return faults;
}

}  // namespace pmusim::testbench::faults
