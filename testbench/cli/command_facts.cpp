// Which target has which facts.
#include "testbench/cli/command_facts.h"

#include "testbench/targets/rows.h"

#define TARGET(NAME, FOLDER)                     \
  namespace pmusim::testbench::targets::FOLDER { \
  extern const CommandFacts commands;            \
  }
#include "testbench/targets/targets.def"

namespace pmusim::testbench {

const CommandFacts* find_command_facts(std::string_view target) {
#define TARGET(NAME, FOLDER) {NAME, &targets::FOLDER::commands},
  static constexpr targets::Row<CommandFacts> rows[] = {
#include "testbench/targets/targets.def"
  };
  return targets::find(rows, target);
}

}  // namespace pmusim::testbench
