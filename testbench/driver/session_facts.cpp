// Which target has which facts.
#include "testbench/driver/session_facts.h"

#include "testbench/targets/rows.h"

#define TARGET(NAME, FOLDER)                     \
  namespace pmusim::testbench::targets::FOLDER { \
  extern const SessionFacts sessions;            \
  }
#include "testbench/targets/targets.def"

namespace pmusim::testbench {

const SessionFacts* find_session_facts(std::string_view target) {
#define TARGET(NAME, FOLDER) {NAME, &targets::FOLDER::sessions},
  static constexpr targets::Row<SessionFacts> rows[] = {
#include "testbench/targets/targets.def"
  };
  return targets::find(rows, target);
}

}  // namespace pmusim::testbench
