// Which target has which facts.
#include "testbench/mutate/equivalence.h"
#include "testbench/targets/rows.h"

#define TARGET(NAME, FOLDER)                         \
  namespace pmusim::testbench::targets::FOLDER {     \
  extern const mutate::EquivalenceFacts equivalence; \
  }
#include "testbench/targets/targets.def"

namespace pmusim::testbench::mutate {

const EquivalenceFacts* find_equivalence_facts(std::string_view target) {
#define TARGET(NAME, FOLDER) {NAME, &targets::FOLDER::equivalence},
  static constexpr targets::Row<EquivalenceFacts> rows[] = {
#include "testbench/targets/targets.def"
  };
  return targets::find(rows, target);
}

}  // namespace pmusim::testbench::mutate
