// Rules for legal items of a trace, shared by both readers and both writers. Each function returns a message with the
// error and the legal form, or an empty string.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "flow.h"
#include "pmusim/trace/instruction.h"
#include "pmusim/trace/numbering.h"

namespace pmusim::trace {

inline constexpr std::size_t most_accesses = 4096;  ///< maximum per instruction

// Maximum values of the IA-64 keys: a frame marker has 38 bits; loadrs is a 14-bit field of ar.rsc, a multiple of 8
// bytes; a bundle has three slots with two parallel results each.
inline constexpr std::uint64_t most_marker = (std::uint64_t{1} << 38) - 1, most_loadrs = 0x3ff8, most_flushed = 6;

/// Mask of the address bits: 32 bits for ppc and i386, else 64.
[[nodiscard]] constexpr std::uint64_t address_mask(Isa isa) {
  return isa == Isa::ppc || isa == Isa::i386 ? 0xffffffffu : ~std::uint64_t{0};
}

/// Checks length and alignment of a static instruction.
[[nodiscard]] std::string complaint_about_code(Isa isa, std::uint64_t pc, std::size_t length);
[[nodiscard]] std::string complaint_about_accesses(Isa isa, std::span<const Access> accesses,
                                                   const std::array<char, 3>& mask);
[[nodiscard]] std::string complaint_about_mask(const std::array<char, 3>& mask);
/// Checks a taken branch. `repeats`: is_repeated_string() of the instruction.
[[nodiscard]] std::string complaint_about_branch(Isa isa, const Instruction& instruction, bool repeats);
[[nodiscard]] std::string complaint_about(Isa isa, const Annotations& annotations);
[[nodiscard]] std::string complaint_about_jump(std::uint64_t pc, std::uint64_t expected);

/// True if `name` is a valid PMU register name for `rd=` and `wr=`.
[[nodiscard]] bool is_register_name(std::string_view name);

/// Checks all rules for a sequence of items.
class SequenceRules {
 public:
  explicit SequenceRules(Isa isa) : isa_(isa), flows_(isa) {}
  [[nodiscard]] std::string directive(const Directive& directive);
  [[nodiscard]] std::string instruction(const Instruction& instruction);

 private:
  Isa isa_;
  Flows flows_;
  std::optional<std::uint64_t> expected_;
  std::string unfinished_;  ///< error to report for the previous instruction if another one follows
  bool explained_ = false;
};

}  // namespace pmusim::trace
