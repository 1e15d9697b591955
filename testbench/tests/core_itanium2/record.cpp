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
