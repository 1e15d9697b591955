#include "testbench/driver/retired.h"

namespace pmusim::testbench {

void RetiredInstructions::consume(const activity::Block& block) {
  for (const activity::Occurrence& occurrence : block.column(activity::Signal::retire)) {
    if (block.syllables.empty()) {
      count_ += occurrence.amount;
      continue;
    }
    const activity::InstructionRecord& syllable = block.instructions[occurrence.ref];
    Last& last = last_[syllable.thread];
    if (syllable.ip != last.bundle || syllable.slot <= last.slot) ++count_;
    last = {syllable.ip, syllable.slot};
  }
}

}  // namespace pmusim::testbench
