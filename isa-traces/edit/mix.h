// Classes of instructions that are common to all instruction sets.
#pragma once

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
  system,  ///< system calls, special registers, barriers
  unknown  ///< the classifier does not know the encoding
};
inline constexpr std::size_t class_count = 11;
[[nodiscard]] std::string_view name_of(Class kind);

/// The class of an instruction, or of one slot of an IA-64 bundle.
struct Work {
  Class kind = Class::unknown;
  std::string mnemonic;
  bool conditional = false, call = false, returns = false, indirect = false;  ///< properties of a branch
};

/// One entry for an instruction; three for an IA-64 bundle, by slot. The empty slot of a long instruction has no
/// mnemonic.
[[nodiscard]] std::vector<Work> works_of(Isa isa, const Code& code);

}  // namespace pmusim::trace::edit
