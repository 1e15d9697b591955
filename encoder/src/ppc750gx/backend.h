// The IBM 750GX/750GL encoder. Each of the four counters has its own events; MMCR0 and MMCR1 hold all selectors and the
// settings of the whole run.
#pragma once

#include <span>

#include "encoder/src/backend.h"
#include "registers.h"

namespace pmusim::encoder::ppc750gx {

class Ppc750Backend final : public PlacingBackend {
 public:
  /// Tests pass tables with a changed row.
  explicit Ppc750Backend(const TargetInfo& info, std::span<const CounterTable> tables = ppc750gx::tables());

  [[nodiscard]] std::optional<Result<Request>> raw_event(std::string_view head) const override;
  [[nodiscard]] Result<Encoding> program(std::span<const Request> requests, std::span<const unsigned> counters,
                                         const GroupSettings& group, bool sampling) const override;
  [[nodiscard]] Result<std::vector<Selection>> selections(std::span<const RegisterValue> values) const override;
  [[nodiscard]] Result<std::uint64_t> preset(unsigned counter, std::uint64_t period) const override;

 private:
  /// The two control registers.
  struct Control {
    std::uint64_t mmcr0 = 0;
    std::uint64_t mmcr1 = 0;
    [[nodiscard]] std::uint32_t select(unsigned counter) const;
  };
  [[nodiscard]] const Row* row(unsigned counter, std::uint32_t select) const;
  [[nodiscard]] Uses uses(unsigned counter, std::uint32_t select) const;
  [[nodiscard]] std::vector<std::string> notes(const Control& control) const;
  [[nodiscard]] Selection describe(unsigned counter, const Control& control) const;

  std::span<const CounterTable> tables_;
};

// The settings of MMCR0 that apply to the whole run, collected from all its events.

/// One event of the run with its counter.
struct Placed {
  const Request* request;
  unsigned counter;
  std::uint32_t select;
  Uses uses;
};

/// The value of MMCR0 without its selectors. Two events with different values of a setting are an error that names the
/// field. `group` holds settings by the names of MMCR0's fields (from the C API's model block). They apply to events
/// that do not have the setting.
[[nodiscard]] Result<std::uint64_t> control_bits(std::span<const Placed> events, const GroupSettings& group,
                                                 bool sampling);

}  // namespace pmusim::encoder::ppc750gx
