#include "record.h"

namespace pmusim::testbench::ia64 {

std::uint64_t Record::exactly(Signal signal, std::uint16_t detail) const {
  std::uint64_t sum = 0;
  for (const Ia64Occurrence& h : of(signal)) sum += h.detail == detail ? h.amount : 0u;
  return sum;
}

void Record::append(const activity::Block& block) {
  EXPECT_EQ(block.instructions.size(), block.syllables.size());
  EXPECT_EQ(block.requests.size(), block.ia64_requests.size());
  append_block(block, [&](Ia64Occurrence& h, Signal signal, const activity::Occurrence& o) {
    if (!h.named) return;
    if (!activity::refers_to_request(signal)) {
      h.syllable = block.syllables.at(o.ref);
      return;
    }
    h.half = block.ia64_requests.at(o.ref);
    if (h.half.owner == activity::no_ref) return;
    h.instruction = block.instructions.at(h.half.owner);
    h.syllable = block.syllables.at(h.half.owner);
    EXPECT_EQ(h.instruction.id, h.request.instruction) << "the owner is the request's instruction";
  });
}

std::uint64_t Record::digest() const {
  std::uint64_t sum = 0xcbf29ce484222325;
  const auto add = [&sum](std::uint64_t value) { sum ^= value + 0x9e3779b97f4a7c15 + (sum << 6) + (sum >> 2); };
  for (std::size_t s = 0; s < activity::signal_count; ++s) {
    for (const Ia64Occurrence& h : of(static_cast<Signal>(s))) {
      add(s << 56 ^ h.cycle);
      add(h.detail << 16 | h.amount);
      add(h.instruction.id);
      add(h.instruction.ip);
      add(h.syllable.kinds);
      // Valid from the instruction's execution on: an earlier occurrence has them only if the block ends later.
      if (static_cast<Signal>(s) == Signal::retire) {
        add(static_cast<std::uint64_t>(h.syllable.frame_registers) << 8 | h.syllable.dirty_registers);
        add(static_cast<std::uint64_t>(h.syllable.prediction));
      }
      add(h.request.id);
      add(h.request.address);
      add(h.request.size);
      add(static_cast<std::uint64_t>(h.half.requester) << 8 | h.half.load << 1 | static_cast<unsigned>(h.half.store));
    }
  }
  for (std::size_t s = 0; s < activity::state_count; ++s) {
    for (const auto& [cycle, value] : changes(static_cast<State>(s))) {
      add(s << 56 ^ cycle);
      add(value);
    }
  }
  add(end());
  add(retired());
  return sum;
}

models::Parameters plain(const Changes& changes) {
  return changed(changed(core::itanium2_parameters(), {{"core.instruction_prefetch", 0}}), changes);
}

std::unique_ptr<core::Core> core_of(const std::string& text, const models::Parameters& parameters) {
  return core::make_itanium2(reader_of(text, trace::Isa::ia64), parameters);
}

Record run(core::Core& core, Cycle cycles) { return log_of<Record>(core, cycles); }

Record run(const Script& script, const models::Parameters& parameters, Cycle cycles) {
  return run(*core_of(script.text(), parameters), cycles);
}

}  // namespace pmusim::testbench::ia64
