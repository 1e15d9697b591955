#include "testbench/faults/encoder_faults.h"

#include <algorithm>

#include "testbench/judge/question/question.h"
#include "testbench/support/only.h"

namespace pmusim::testbench::faults {

std::vector<EncoderFault> encoder_faults_of(const std::string& target) {
  std::vector<EncoderFault> faults;
  add_asking_faults(target, faults);
  add_answering_faults(target, faults);
  add_several_events_faults(target, faults);
  add_range_faults(target, faults);
  add_field_faults(target, faults);
  return faults;
}

std::string_view excuse_for(const std::string& target, std::string_view fault) {
  const questions::Family* const family = questions::family_of(target);
  if (family == nullptr) return {};
  const auto found = std::find_if(family->excuses.begin(), family->excuses.end(), [&](const questions::Excuse& excuse) {
    return Only(std::string(excuse.faults)).admits(std::string(fault));
  });
  return found == family->excuses.end() ? std::string_view{} : found->why;
}

}  // namespace pmusim::testbench::faults
