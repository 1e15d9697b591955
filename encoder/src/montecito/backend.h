// The Montecito encoder: twelve counters that see one thread or both, cache events that share wires, two EARs, the
// execution trace buffer with its IP-EAR, full opcode matchers and address ranges.
#pragma once

#include "../backend.h"
#include "../ia64/table.h"

namespace pmusim::encoder::montecito {

class MontecitoBackend final : public Backend {
 public:
  MontecitoBackend();

  [[nodiscard]] const TargetInfo& info() const override { return info_; }
  [[nodiscard]] const std::vector<Event>& events() const override { return events_; }
  [[nodiscard]] const std::vector<Event>& reserved_events() const override { return reserved_; }
  [[nodiscard]] std::span<const Attribute> attributes() const override;
  [[nodiscard]] std::span<const ForeignAttribute> foreign_attributes() const override;
  [[nodiscard]] std::span<const Register> registers() const override;
  [[nodiscard]] std::string_view counter_name(unsigned counter) const override;
  [[nodiscard]] std::string_view raw_forms() const override { return "rUEE or rSUEE"; }
  [[nodiscard]] std::optional<Result<Request>> raw_event(std::string_view head) const override;
  [[nodiscard]] Result<Qualifiers> parse_qualifiers(const QualifierTexts& texts) const override;
  [[nodiscard]] Result<Encoding> encode(std::span<const Request> requests, const GroupOptions& options) const override;
  [[nodiscard]] Result<std::vector<Selection>> selections(std::span<const RegisterValue> values) const override;
  [[nodiscard]] Result<std::uint64_t> preset(unsigned counter, std::uint64_t period) const override;

 private:
  [[nodiscard]] std::string canonical(const ia64::Row& row, std::uint64_t control) const;

  TargetInfo info_;
  std::vector<Event> events_;
  std::vector<Event> reserved_;
};

}  // namespace pmusim::encoder::montecito
