// The AMD Athlon (K7) encoder: any event on any of four equal counters, one selector register each.
#pragma once

#include "encoder/src/backend.h"
#include "table.h"

namespace pmusim::encoder::athlon {

class AthlonBackend final : public PlacingBackend {
 public:
  /// Another table than the shipped one serves tests that change a row.
  explicit AthlonBackend(std::span<const Row> rows = table());

  [[nodiscard]] std::optional<Result<Request>> raw_event(std::string_view head) const override;
  [[nodiscard]] Result<Encoding> program(std::span<const Request> requests, std::span<const unsigned> counters,
                                         const GroupSettings& group, bool sampling) const override;
  [[nodiscard]] Result<std::vector<Selection>> selections(std::span<const RegisterValue> values) const override;
  [[nodiscard]] Result<std::uint64_t> preset(unsigned counter, std::uint64_t period) const override;

 private:
  [[nodiscard]] Selection describe(unsigned counter, std::uint64_t selector) const;
};

}  // namespace pmusim::encoder::athlon
