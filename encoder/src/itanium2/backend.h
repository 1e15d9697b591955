// The Itanium 2 encoder: four counters with constraints on the sets of cache events, two EARs, the branch trace buffer,
// opcode matchers and address ranges.
#pragma once

#include "encoder/src/ia64/backend.h"

namespace pmusim::encoder::itanium2 {

class Itanium2Backend final : public ia64::Ia64Backend {
 public:
  Itanium2Backend();

 private:
  [[nodiscard]] std::string own_attribute(std::uint64_t control) const override;
  [[nodiscard]] std::string_view note_of_set(std::uint64_t control) const override;
  void add_run_notes(const ia64::Row& row, unsigned number, std::uint64_t control, const ia64::RunOutput& out,
                     bool fine, std::vector<std::string>& notes) const override;
  [[nodiscard]] const ia64::Row* selected_row(unsigned number, const ia64::Controls& controls) const override;
  void add_common_notes(const ia64::Controls& controls, std::vector<std::string>& notes) const override;
};

}  // namespace pmusim::encoder::itanium2
