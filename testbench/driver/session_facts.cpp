// The registry of session facts by target.
#include "testbench/driver/session_facts.h"

#define FACTS SessionFacts
#define MEMBER sessions
#define FINDER find_session_facts
#include "testbench/targets/find_facts.inc"

namespace pmusim::testbench {

const InterruptEntry* interrupt_entry(std::string_view target) {
  const SessionFacts* const facts = find_session_facts(target);
  return facts == nullptr ? nullptr : facts->delivery;
}

}  // namespace pmusim::testbench
