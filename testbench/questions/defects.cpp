#include "testbench/questions/defects.h"

#include <algorithm>
#include <array>

#include "testbench/validate/only.h"

namespace pmusim::testbench::questions {
namespace {

struct Excuse {
  std::string_view target, defect, why;
};
constexpr std::string_view no_time =
    "not judged: PALcode's calls are made one after the other, and no time passes between them here";
constexpr std::string_view own_selectors =
    "each selector starts its own counter and no other, so that their order is free";
constexpr std::string_view always_run = "the counters always run, and each call sets fields of its own";
constexpr std::string_view no_user_mode = "Tru64 does not enter the hardware's user mode (pmu.os_user_mode)";
constexpr std::array excuses{
    Excuse{"athlon", "last-written-first", own_selectors},
    Excuse{"athlon", "reversed", own_selectors},
    Excuse{"alpha-ev4", "last-written-first", always_run},
    Excuse{"alpha-ev4", "reversed", always_run},
    Excuse{"alpha-ev4", "cuts-WRPERFMON_OPTIONS.ALL",
           "without an option processes are not told apart, as after a reset"},
    Excuse{"alpha-ev4", "sets-WRPERFMON_OPTIONS.MARKED",
           "of both options the one for all processes counts (pmu.both_log_options)"},
    Excuse{"alpha-ev5", "user-added,ignores-u-beside-k,ignores-u-beside-pal", no_user_mode},
    Excuse{"alpha-pca56", "user-added,ignores-u-beside-k,ignores-u-beside-pal", no_user_mode},
    Excuse{"itanium2", "swaps-PMC15.ibrp3_pmc9-ibrp2_pmc8,swaps-PMC15.ibrp2_pmc8-ibrp1_pmc9",
           "a load needs the tag of channel 0 beside that of its data range's channel, and it has the same opcode"},
    Excuse{"ppc750g", "sets-MMCR0.ENINT",
           "without a condition that is enabled ENINT signals nothing (user's manual, 11.2)"},
    Excuse{"alpha-ev6", "last-written-first", no_time},  // and of the 21264A
    Excuse{"alpha-ev6", "reversed", no_time},
};

}  // namespace

std::vector<Defect> defects_of(const std::string& target) {
  std::vector<Defect> defects;
  add_asking_defects(target, defects);
  add_answering_defects(target, defects);
  add_several_events_defects(target, defects);
  add_range_defects(target, defects);
  add_field_defects(target, defects);
  return defects;
}

std::string_view excuse_for(const std::string& target, std::string_view defect) {
  const auto found = std::find_if(excuses.begin(), excuses.end(), [&](const Excuse& excuse) {
    return target.starts_with(excuse.target) && Only(std::string(excuse.defect)).admits(std::string(defect));
  });
  return found == excuses.end() ? std::string_view{} : found->why;
}

}  // namespace pmusim::testbench::questions
