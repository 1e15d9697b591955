// Adds the toy family to the registries of encoder, models, oracle and testbench.
#include "encoder/src/engine.h"
#include "models/add_target.h"
#include "testbench/cli/command_facts.h"
#include "testbench/driver/session_facts.h"
#include "testbench/faults/equivalence.h"
#include "testbench/judge/question/event_facts.h"
#include "testbench/judge/question/question.h"
#include "testbench/judge/trial/judging_facts.h"
#include "testbench/oracle/family.h"
#include "testbench/targets/added_facts.h"

namespace pmusim {

namespace models::toy {
Target target();
}
namespace encoder::toy {
[[nodiscard]] const Backend& backend();
}
namespace oracle::toy {
[[nodiscard]] const Family& family();
}

namespace testbench::targets::toy {

extern const SessionFacts sessions;
extern const CountFacts events;
extern const JudgingFacts judging;
extern const questions::Family questions;
extern const faults::EquivalenceFacts equivalence;
extern const CommandFacts commands;

namespace {

const bool added = [] {
  models::add_target(models::toy::target());
  encoder::add_backend("toy", encoder::toy::backend);
  oracle::add_family("toy", oracle::toy::family);
  added_facts<SessionFacts>()["toy"] = &sessions;
  added_facts<CountFacts>()["toy"] = &events;
  added_facts<JudgingFacts>()["toy"] = &judging;
  added_facts<questions::Family>()["toy"] = &questions;
  added_facts<faults::EquivalenceFacts>()["toy"] = &equivalence;
  added_facts<CommandFacts>()["toy"] = &commands;
  return true;
}();

}  // namespace

}  // namespace testbench::targets::toy

}  // namespace pmusim
