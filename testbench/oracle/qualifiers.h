// Whether an occurrence matches the code ranges, opcodes and data ranges of an Itanium request, and whether a monitor
// runs. Intel Itanium Architecture SDM volume 2, 7.2, for the levels and the gates of PSR.
#pragma once

#include <cstdint>
#include <optional>

#include "testbench/oracle/event.h"

namespace pmusim::oracle {

/// Level and gates of a cycle as an index below 32: the level, then PSR.up, PSR.pp and PSR.is.
inline constexpr unsigned psr_gates = 32;
constexpr unsigned gates_of(std::uint64_t level, std::uint64_t psr) {
  namespace bits = activity::ia64::psr;
  return static_cast<unsigned>(level & 3) | ((psr & bits::up) != 0 ? 4u : 0) | ((psr & bits::pp) != 0 ? 8u : 0) |
         ((psr & bits::is) != 0 ? 16u : 0);
}
/// Whether a monitor for the request runs under these gates.
[[nodiscard]] bool runs_under(const Request& request, unsigned gates);
/// The same for any instruction set: the branch trace buffer does not depend on it.
[[nodiscard]] bool runs_in_either_set(const Request& request, unsigned gates);

/// Level and gates of a thread, active or not, as gates_of().
[[nodiscard]] unsigned gates_of_thread(const StateValues& states, unsigned thread);
/// The states that it reads.
inline constexpr activity::State thread_states[] = {activity::State::thread, activity::State::cpl, activity::State::psr,
                                                    activity::State::background_cpl, activity::State::background_psr};
/// The thread that an occurrence belongs to; empty if it belongs to none.
[[nodiscard]] std::optional<unsigned> owner_of(const EventSite& site);

/// The properties of an occurrence that filters compare.
struct Subject {
  std::optional<std::uint64_t> code;  ///< address of its instruction's bundle, or of the fetched bundle
  std::optional<std::uint64_t> data;  ///< first byte of the access
  const activity::InstructionRecord* instruction = nullptr;
  activity::ia64::SlotType slot = activity::ia64::SlotType::m;  ///< of the instruction
  unsigned level = 0;
  bool prefetch = false;  ///< of code
};
/// The subject of a site, whose states include those of gates_of_thread(). Its data address is looked for if
/// `with_data`.
[[nodiscard]] Subject subject_of(const EventSite& site, bool with_data);
/// The subject for an instruction or a request of a block.
[[nodiscard]] Subject subject_of_instruction(const activity::Block& block, std::uint32_t ref, unsigned gates);
[[nodiscard]] Subject subject_of_request(const activity::Block& block, std::uint32_t ref, unsigned gates);

/// Adds to an instruction's subject the access that it makes in the cycle of its occurrence `what`, if any.
void add_access(Subject& subject, const activity::Block& block, const activity::Occurrence& what);

/// Whether the subject passes the request's filters that apply to the event.
[[nodiscard]] bool qualifies(const Subject& subject, Filters filters, const Request& request, const Choices& choices);
/// Whether the request has a code range or an opcode.
[[nodiscard]] inline bool restricts_instructions(const Request& request) {
  return !request.ia64.code.empty() || !request.ia64.opcodes.empty();
}
/// Whether the subject passes range and opcode of channel `channel` (0 to 3).
[[nodiscard]] bool passes_channel(const Subject& subject, unsigned channel, const Request& request,
                                  const Choices& choices);

/// Whether the request includes lines in this state.
[[nodiscard]] bool wants_line(const ia64::LineStates& wanted, activity::LineState state);

/// Throws std::invalid_argument for qualifiers that no IA-64 processor supports.
void check_ia64(const Request& request);

}  // namespace pmusim::oracle
