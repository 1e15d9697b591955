// The AMD Athlon (K7) encoder. Each of four equal counters has a selector register and can count any event.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "encoder/src/backend.h"

namespace pmusim::encoder::athlon {

// The event table of the Athlon. It contains facts only, with one row for each event.

struct Row {
  std::string_view name;
  std::uint8_t code;
  std::span<const UnitMask> unit_masks;
  unsigned max_per_cycle;
  std::string_view description;
  std::string_view source;
};

/// The rows, sorted by code.
[[nodiscard]] std::span<const Row> table();

/// Parses a raw event. Empty if `head` has neither form. The code need not be in the event table.
[[nodiscard]] std::optional<Result<Request>> parse_raw(std::string_view head);

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
