// A fault, and what became of it. Encoders, answers, tables of encoder, model and oracle, and lines of the sources have
// faults; the same words say of each who notices it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pmusim::testbench::faults {

struct Fault {
  std::string name;        ///< the changed place and the change: `cuts-PMC4.es`, `event 40h mask 01h: removed`
  std::string about = {};  ///< the change in words, if its name does not say it
};

enum class Verdict : std::uint8_t {
  quick,    ///< noticed by the quick questions
  all,      ///< noticed by all questions, or by the plan of a trace
  unfit,    ///< nothing differs from what is right
  excused,  ///< by a named rule, no difference can show
  missed
};
/// As `pmusim validate --defects` prints it.
[[nodiscard]] std::string_view name_of(Verdict verdict);

/// A fault that was tried.
struct Trial {
  std::string where;  ///< the broken part: a target's encoder, a table of a model
  Fault fault;
  Verdict verdict = Verdict::missed;
  std::string by = {};  ///< what noticed it, the rule, or the differences that were not noticed
};

}  // namespace pmusim::testbench::faults
