// The Montecito encoder: twelve counters for one thread or both, constraints on the sets of cache events, two EARs, the
// execution trace buffer with its IP-EAR, matchers of all opcode bits and address ranges.
#pragma once

#include "encoder/src/ia64/backend.h"

namespace pmusim::encoder::montecito {

class MontecitoBackend final : public ia64::Ia64Backend {
 public:
  MontecitoBackend();

 private:
  [[nodiscard]] std::string own_attribute(std::uint64_t control) const override;
  [[nodiscard]] std::string_view note_of_set(std::uint64_t control) const override;
  void add_run_notes(const ia64::Row& row, unsigned number, std::uint64_t control, const ia64::RunOutput& out,
                     bool fine, std::vector<std::string>& notes) const override;
  [[nodiscard]] const ia64::Row* selected_row(unsigned number, const ia64::Controls& controls) const override;
};

}  // namespace pmusim::encoder::montecito
