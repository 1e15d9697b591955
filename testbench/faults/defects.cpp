#include "testbench/faults/defects.h"

#include <algorithm>

#include "testbench/judge/question/question.h"
#include "testbench/support/only.h"

namespace pmusim::testbench::questions {
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
  const Family* const family = family_of(target);
  if (family == nullptr) return {};
  const auto found = std::find_if(family->excuses.begin(), family->excuses.end(), [&](const DefectExcuse& excuse) {
    return Only(std::string(excuse.defects)).admits(std::string(defect));
  });
  return found == family->excuses.end() ? std::string_view{} : found->why;
}

}  // namespace pmusim::testbench::questions
