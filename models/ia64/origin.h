// The origin of an occurrence: its instruction and request, with their IA-64 parts.
#pragma once

#include <cstdint>
#include <optional>

#include "models/activity/activity.h"

namespace pmusim::pmu::ia64 {

using activity::Cycle;

/// Owner of occurrences that belong to no thread.
inline constexpr unsigned no_thread = 2;

/// The records that an occurrence refers to; null if it does not refer to one.
struct Origin {
  const activity::InstructionRecord* instruction = nullptr;  ///< the instruction itself, or the owner of the request
  const activity::ia64::Syllable* syllable = nullptr;        ///< the IA-64 part of `instruction`
  const activity::RequestRecord* request = nullptr;          ///< the request
  const activity::ia64::Request* access = nullptr;           ///< the IA-64 part of `request`
  std::uint32_t index = activity::no_ref;                    ///< index of the instruction in its block

  /// The hardware thread, or `no_thread`.
  [[nodiscard]] unsigned owner() const {
    return instruction != nullptr ? instruction->thread & 1u : request != nullptr ? request->thread & 1u : no_thread;
  }
  /// The address that instruction ranges compare: that of the bundle or of the fetch. Empty: none.
  [[nodiscard]] std::optional<std::uint64_t> code_address() const {
    if (instruction != nullptr) return instruction->ip;
    if (request == nullptr || access == nullptr || !fetches(access->requester)) return std::nullopt;
    return request->address;
  }
  /// True if the requester fetches instructions.
  [[nodiscard]] static bool fetches(activity::ia64::Requester requester) {
    return requester == activity::ia64::Requester::demand_fetch ||
           requester == activity::ia64::Requester::prefetch_fetch;
  }
};

/// Sets the instruction of an origin to that with this index in the block. Does nothing for an invalid index.
inline void add_instruction(const activity::Block& block, std::uint32_t index, Origin& origin) {
  if (index >= block.instructions.size()) return;
  origin.index = index;
  origin.instruction = &block.instructions[index];
  if (index < block.syllables.size()) origin.syllable = &block.syllables[index];
}

/// The records that an occurrence of `signal` refers to. For a request, its instruction is included.
[[nodiscard]] Origin origin_of(const activity::Block& block, activity::Signal signal,
                               const activity::Occurrence& occurrence);

/// The signal that contains the access of an instruction in the cycle of an occurrence that refers to the instruction.
[[nodiscard]] constexpr activity::Signal accesses_beside(activity::Signal signal) {
  return signal == activity::Signal::retire ? activity::Signal::access_retire : activity::Signal::data_reference;
}

/// The data address of an occurrence: that of its request. For the retirement of an instruction or a displaced ALAT
/// entry, that of the instruction's own access in the same cycle. Empty: none.
[[nodiscard]] std::optional<std::uint64_t> data_address_of(const activity::Block& block, activity::Signal signal,
                                                           const activity::Occurrence& occurrence,
                                                           const Origin& origin);

}  // namespace pmusim::pmu::ia64
