// The Montecito encoder: twelve counters that see one thread or both, cache events that share wires, two EARs, the
// execution trace buffer with its IP-EAR, full opcode matchers and address ranges.
#pragma once

#include "encoder/src/ia64/backend.h"

namespace pmusim::encoder::montecito {

class MontecitoBackend final : public ia64::Ia64Backend {
 public:
  MontecitoBackend();

 private:
  [[nodiscard]] Result<Dispatched> dispatched(std::span<const ia64::Wanted> events,
                                              const GroupOptions& options) const override;
  [[nodiscard]] std::string canonical(const ia64::Row& row, std::uint64_t control) const override;
  [[nodiscard]] std::vector<std::string> notes_of(std::uint64_t control, const ia64::Row* row) const override;
  void add_run_notes(const ia64::Row& row, unsigned number, std::uint64_t control, const ia64::RunOutput& out,
                     bool fine, std::vector<std::string>& notes) const override;
  [[nodiscard]] const ia64::Row* selected_row(unsigned number, const ia64::Controls& controls) const override;
  [[nodiscard]] std::uint32_t raw_mask(std::uint64_t control) const override;
  [[nodiscard]] bool has_name(const ia64::Row& row, std::uint64_t control) const override;
  [[nodiscard]] std::string unknown_code(std::uint64_t control) const override;
  void add_common_notes(const ia64::Controls& controls, std::vector<std::string>& notes) const override;
};

}  // namespace pmusim::encoder::montecito
