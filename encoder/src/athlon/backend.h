// The AMD Athlon (K7) encoder: any event on any of four equal counters, one selector register each.
#pragma once

#include "encoder/src/backend.h"
#include "table.h"

namespace pmusim::encoder::athlon {

class AthlonBackend final : public PlacingBackend {
 public:
  /// Another table than the shipped one serves tests that change a row.
  explicit AthlonBackend(std::span<const Row> rows = table());

  [[nodiscard]] const TargetInfo& info() const override { return info_; }
  [[nodiscard]] const std::vector<Event>& events() const override { return events_; }
  [[nodiscard]] const std::vector<Event>& reserved_events() const override { return reserved_; }
  [[nodiscard]] std::span<const Attribute> attributes() const override;
  [[nodiscard]] std::span<const ForeignAttribute> foreign_attributes() const override;
  [[nodiscard]] std::span<const Register> registers() const override;
  [[nodiscard]] std::string_view counter_name(unsigned counter) const override;
  [[nodiscard]] std::string_view raw_forms() const override { return "rUUEE or cpu/event=0xEE,umask=0xUU/"; }
  [[nodiscard]] std::optional<Result<Request>> raw_event(std::string_view head) const override;
  [[nodiscard]] Result<Encoding> program(std::span<const Request> requests, std::span<const unsigned> counters,
                                         const GroupSettings& group, bool sampling) const override;
  [[nodiscard]] Result<std::vector<Selection>> selections(std::span<const RegisterValue> values) const override;
  [[nodiscard]] Result<std::uint64_t> preset(unsigned counter, std::uint64_t period) const override;

 private:
  [[nodiscard]] Selection describe(unsigned counter, std::uint64_t selector) const;

  TargetInfo info_;
  std::vector<Event> events_;
  std::vector<Event> reserved_;  ///< none: the documents list no reserved codes
};

}  // namespace pmusim::encoder::athlon
