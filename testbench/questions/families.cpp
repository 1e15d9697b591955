// Which target has which facts.
#include "testbench/questions/question.h"
#include "testbench/targets/rows.h"

#define TARGET(NAME, FOLDER)                     \
  namespace pmusim::testbench::targets::FOLDER { \
  extern const questions::Family questions;      \
  }
#include "testbench/targets/targets.def"

namespace pmusim::testbench::questions {

const Family* family_of(std::string_view target) {
#define TARGET(NAME, FOLDER) {NAME, &targets::FOLDER::questions},
  static constexpr targets::Row<Family> rows[] = {
#include "testbench/targets/targets.def"
  };
  return targets::find(rows, target);
}

}  // namespace pmusim::testbench::questions
