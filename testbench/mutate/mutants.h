// Mutants of an encoder's answer: the register values have one error, of a kind that real encoders have had.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/questions/fields.h"
#include "testbench/validate/candidate.h"

namespace pmusim::testbench::mutate {

using questions::Field;
using questions::fields_of;
using questions::register_width;
using questions::stem;

using Registers = std::vector<encoder::RegisterValue>;

enum class Kind : std::uint8_t {
  bit,            ///< one bit is flipped
  off_by_one,     ///< a field is one more or one less: unit mask, threshold, address, mask
  exchanged,      ///< a field has the value of another request: event codes or unit masks exchanged
  wrong_counter,  ///< two registers, or two fields, of one kind are exchanged
  dropped,        ///< the register is not written and keeps its reset value
  stale           ///< ... and keeps the value of an earlier request
};
inline constexpr std::size_t kinds = 6;
[[nodiscard]] std::string_view name_of(Kind kind);

/// A change that applies to the answers to one request on every trace: registers are given by their position in the
/// answer.
struct Mutation {
  Kind kind = Kind::bit;
  std::size_t reg = 0;
  Field field = {};           ///< changed; of width 0: the whole register
  std::uint64_t change = 0;   ///< bit: the bit flipped; off_by_one: the summand, modulo the field
  std::size_t other_reg = 0;  ///< wrong_counter: the other register
  Field other_field = {};
  std::size_t donor = 0;  ///< exchanged, stale: number of the request with the other value
  [[nodiscard]] bool needs_donor() const { return kind == Kind::exchanged || kind == Kind::stale; }
};

/// Fields of every register of an answer, in its order.
using Layout = std::vector<std::vector<Field>>;
[[nodiscard]] Layout layout_of(const std::string& target, const Registers& registers);

/// The mutations of the answer to request number `request`. `answers[i]` is the answer to request i, and may be null;
/// nearby requests supply other values. Mutations that do not change the registers, or that repeat an earlier result,
/// are left out. `reset`: the registers' reset values, in the order of the answer.
[[nodiscard]] std::vector<Mutation> mutations_of(const Layout& layout, const std::vector<const Registers*>& answers,
                                                 std::size_t request, const std::vector<std::uint64_t>& reset);

/// The mutant. `donor` is the answer to Mutation::donor, or null when it is not needed. The mutant does not contain a
/// dropped register.
[[nodiscard]] Registers apply(const Mutation& mutation, const Registers& registers, const Registers* donor);

/// Spreads numbers evenly, so that a sample does not select the same bit of every register (splitmix64).
constexpr std::uint64_t scattered(std::uint64_t number) {
  number += 0x9e3779b97f4a7c15;
  number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9;
  number = (number ^ number >> 27) * 0x94d049bb133111eb;
  return number ^ number >> 31;
}

/// The mutation as text, such as "PerfEvtSel0 UNIT_MASK: bit 9 flipped".
[[nodiscard]] std::string text_of(const Mutation& mutation, const Registers& registers);

}  // namespace pmusim::testbench::mutate
