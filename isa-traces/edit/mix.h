// What kind of work an instruction is, in words that fit every instruction set.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pmusim/trace/instruction.h"

namespace pmusim::trace::edit {

enum class Class : std::uint8_t {
  integer,
  multiply_divide,
  load,
  store,
  load_and_store,
  branch,
  floating_point,
  multimedia,
  hint,    ///< no operation, prefetch, cache hint
  system,  ///< calls of the system, special registers, barriers
  unknown  ///< the classifier does not know the encoding
};
inline constexpr std::size_t class_count = 11;
[[nodiscard]] std::string_view name_of(Class kind);

/// One instruction; of an IA-64 bundle, one slot.
struct Work {
  Class kind = Class::unknown;
  std::string mnemonic;
  bool conditional = false, call = false, returns = false, indirect = false;  ///< of a branch
};

/// Of an IA-64 bundle three, by slot; the empty slot of a long instruction has no mnemonic. Else one.
[[nodiscard]] std::vector<Work> works_of(Isa isa, const Code& code);

}  // namespace pmusim::trace::edit
