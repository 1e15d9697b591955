// The AMD Athlon (K7) encoder. Each of four equal counters has a selector register and can count any event.
#pragma once

#include "encoder/src/backend.h"
#include "table.h"

namespace pmusim::encoder::athlon {

class AthlonBackend final : public PlacingBackend {
 public:
  /// Tests pass tables with a changed row.
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
