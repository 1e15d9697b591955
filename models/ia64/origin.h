// Whose an occurrence is: the instruction and the request behind it, with their IA-64 halves.
#pragma once

#include <cstdint>
#include <optional>

#include "models/activity/activity.h"

namespace pmusim::pmu::ia64 {

using activity::Cycle;

/// Owner of what belongs to no thread.
inline constexpr unsigned no_thread = 2;

/// What an occurrence names. What it does not name is null.
struct Origin {
  const activity::InstructionRecord* instruction = nullptr;  ///< the instruction itself, or the owner of the request
  const activity::ia64::Syllable* syllable = nullptr;        ///< the IA-64 half of `instruction`
  const activity::RequestRecord* request = nullptr;          ///< the request
  const activity::ia64::Request* access = nullptr;           ///< the IA-64 half of `request`
  std::uint32_t index = activity::no_ref;                    ///< of the instruction in its block

  /// The hardware thread, or `no_thread`.
  [[nodiscard]] unsigned owner() const {
    return instruction != nullptr ? instruction->thread & 1u : request != nullptr ? request->thread & 1u : no_thread;
  }
  /// The address that instruction ranges look at: that of the bundle, or of a fetch. Empty: there is none.
  [[nodiscard]] std::optional<std::uint64_t> code_address() const {
    if (instruction != nullptr) return instruction->ip;
    if (request == nullptr || access == nullptr || !fetches(access->requester)) return std::nullopt;
    return request->address;
  }
  /// It fetches instructions.
  [[nodiscard]] static bool fetches(activity::ia64::Requester requester) {
    return requester == activity::ia64::Requester::demand_fetch ||
           requester == activity::ia64::Requester::prefetch_fetch;
  }
};

/// The instruction at this place of the block.
inline void add_instruction(const activity::Block& block, std::uint32_t index, Origin& origin) {
  if (index >= block.instructions.size()) return;
  origin.index = index;
  origin.instruction = &block.instructions[index];
  if (index < block.syllables.size()) origin.syllable = &block.syllables[index];
}

/// The records that an occurrence of `signal` names; a request brings its owner.
[[nodiscard]] Origin origin_of(const activity::Block& block, activity::Signal signal,
                               const activity::Occurrence& occurrence);

/// Where the access of an instruction is found in the cycle of an occurrence that names the instruction.
[[nodiscard]] constexpr activity::Signal accesses_beside(activity::Signal signal) {
  return signal == activity::Signal::retire ? activity::Signal::access_retire : activity::Signal::data_reference;
}

/// The data address of an occurrence: its request's, or for an instruction's retirement or displaced ALAT entry that
/// of the instruction's own access in the same cycle. Empty: it has none.
[[nodiscard]] std::optional<std::uint64_t> data_address_of(const activity::Block& block, activity::Signal signal,
                                                           const activity::Occurrence& occurrence,
                                                           const Origin& origin);

}  // namespace pmusim::pmu::ia64
