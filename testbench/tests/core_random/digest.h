// The activity of a run as one number, which must not depend on where its blocks are cut.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "models/core/core.h"

namespace pmusim::testbench {

/// Sums up what is fixed at each signal: a record of a block holds all that is known at the end of the block, so its
/// later fields depend on the cut.
class Digest {
 public:
  void add(const activity::Block& block) {
    for (std::size_t s = 0; s < activity::signal_count; ++s) {
      for (const activity::Occurrence& o : block.columns[s]) add(static_cast<activity::Signal>(s), block, o);
    }
    for (std::size_t s = 0; s < activity::state_count; ++s) {
      note(s, block.begin, block.states[s].initial);
      for (const activity::Change& c : block.states[s].changes) note(s, block.begin + c.at, c.value);
    }
    for (const activity::RegisterAccess& a : block.accesses) {
      mix(accesses_, block.begin + a.at, a.write, a.value, block.instructions.at(a.ref).id);
      for (const char c : a.name) mix(accesses_, c);
    }
  }
  /// The sum of a run of this length.
  [[nodiscard]] std::uint64_t value(activity::Cycle end, std::uint64_t retired) const {
    std::uint64_t sum = accesses_;
    mix(sum, end, retired);
    for (const std::uint64_t column : columns_) mix(sum, column);
    for (const std::uint64_t state : states_) mix(sum, state);
    return sum;
  }

 private:
  template <class... Values>
  static void mix(std::uint64_t& sum, Values... values) {
    ((sum = (sum ^ static_cast<std::uint64_t>(values)) * 0x100000001b3 + (sum >> 47)), ...);
  }
  void add(activity::Signal signal, const activity::Block& block, const activity::Occurrence& o) {
    std::uint64_t& sum = columns_[static_cast<std::size_t>(signal)];
    mix(sum, block.begin + o.at, o.amount, o.detail, o.ref == activity::no_ref);
    if (o.ref == activity::no_ref) return;
    if (!activity::refers_to_request(signal)) return add_instruction(sum, signal, block, o.ref);
    const activity::RequestRecord& r = block.requests.at(o.ref);
    mix(sum, r.id, r.address, r.size, r.instruction, r.store, r.oldest_in_queue, r.crosses_word, r.cpl, r.mode);
    if (signal == activity::Signal::load_return) mix(sum, r.start, r.end);
    if (block.ia64_requests.empty()) return;
    const activity::ia64::Request& half = block.ia64_requests.at(o.ref);
    mix(sum, half.requester, half.load, half.store);
    if (half.owner != activity::no_ref) add_instruction(sum, signal, block, half.owner);
  }
  static void add_instruction(std::uint64_t& sum, activity::Signal signal, const activity::Block& block,
                              std::uint32_t ref) {
    const activity::InstructionRecord& i = block.instructions.at(ref);
    const bool retires = signal == activity::Signal::retire;
    mix(sum, i.id, i.ip, i.encoding, i.tagged, i.traits, i.wrong_path);
    if (retires) mix(sum, i.next_ip, i.predicted_taken, i.taken, i.mispredicted, i.conditional_success, i.operations);
    if (!block.syllables.empty()) {
      const activity::ia64::Syllable& s = block.syllables.at(ref);
      mix(sum, s.kinds);
      if (retires) mix(sum, s.frame_registers, s.dirty_registers, s.prediction, s.predicate);
    }
    if (block.alpha_instructions.empty()) return;
    const activity::alpha::Instruction& a = block.alpha_instructions.at(ref);
    mix(sum, a.kinds, a.pal);
    if (retires || signal == activity::Signal::kill)
      mix(sum, a.inum_delay, a.fill_stream, a.map_stalled, a.killed_early, a.trap, a.replay);
  }
  /// A value that the state has already is no change: a block begins with the one in force.
  void note(std::size_t state, activity::Cycle cycle, std::uint64_t value) {
    if (value == last_[state]) return;
    last_[state] = value;
    mix(states_[state], cycle, value);
  }

  std::array<std::uint64_t, activity::signal_count> columns_{};
  std::array<std::uint64_t, activity::state_count> states_{}, last_{};
  std::uint64_t accesses_ = 0;
};

/// Runs a core to its end, block by block. `run` is core.run() or core.run_instructions() with a length, and tells
/// whether there is more; `each` sees the blocks.
inline std::uint64_t digest_of(core::Core& core, const std::function<bool(activity::Block&)>& run,
                               const std::function<void(const activity::Block&)>& each = {}) {
  Digest digest;
  activity::Block block;
  for (bool more = true; more;) {
    block.restart(core.now());
    more = run(block);
    digest.add(block);
    if (each) each(block);
  }
  return digest.value(core.now(), core.retired());
}
/// The same in blocks of `cycles`.
inline std::uint64_t digest_of(core::Core& core, activity::Cycle cycles) {
  return digest_of(core, [&](activity::Block& block) { return core.run(core.now() + cycles, block); });
}

}  // namespace pmusim::testbench
