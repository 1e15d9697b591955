// Which target has which facts.
#include "testbench/validate/judging_facts.h"

#include "testbench/targets/rows.h"

#define TARGET(NAME, FOLDER)                     \
  namespace pmusim::testbench::targets::FOLDER { \
  extern const JudgingFacts judging;             \
  }
#include "testbench/targets/targets.def"

namespace pmusim::testbench {

const JudgingFacts* find_judging_facts(std::string_view target) {
#define TARGET(NAME, FOLDER) {NAME, &targets::FOLDER::judging},
  static constexpr targets::Row<JudgingFacts> rows[] = {
#include "testbench/targets/targets.def"
  };
  return targets::find(rows, target);
}

}  // namespace pmusim::testbench
