// Encodes event names for the toy PMU: Select has event 1:0, user only 2, interrupt 3, threshold 11:8.
#include <fmt/format.h>

#include <array>
#include <string>

#include "encoder/src/backend.h"
#include "encoder/src/engine.h"
#include "encoder/src/text.h"

namespace pmusim::encoder {
namespace {

constexpr unsigned counters = 2, width = 16;
std::string number_of(std::uint64_t value) { return std::to_string(value); }
std::string on_or_off(std::uint64_t value) { return value != 0 ? "on" : "off"; }
std::string none_of(std::uint64_t) { return "reserved"; }
constexpr std::array<Field, 6> fields{{{"reserved", "15:12", 12, 4, none_of},
                                       {"THRESHOLD", "11:8", 8, 4, number_of},
                                       {"reserved", "7:4", 4, 4, none_of},
                                       {"INT", "3", 3, 1, on_or_off},
                                       {"USER", "2", 2, 1, on_or_off},
                                       {"EVENT", "1:0", 0, 2, number_of}}};
constexpr const Field &threshold = fields[1], &interrupt = fields[3], &user = fields[4], &event_code = fields[5];
constexpr std::array<Register, counters> selects{
    {{"msr", 0, "Select0", width, fields}, {"msr", 1, "Select1", width, fields}}};
constexpr std::array<std::string_view, counters> names{"Count0", "Count1"};
constexpr std::array<Attribute, 3> known{
    {{"u", 0, 1, true, false, "count above level 0 only"},
     {"t", 0, 15, false, false, "count cycles with at least this many occurrences"},
     {"intr", 0, 1, true, false, "interrupt when the counter wraps"}}};

std::vector<Event> table() {
  std::vector<Event> events;
  const auto add = [&](std::string name, std::string description, std::uint32_t code, unsigned most) {
    Event event;
    event.name = std::move(name);
    event.description = std::move(description);
    event.source = "testbench/tests/pmu_shell/toy_monitor.h";
    event.codes = {{0, code}, {1, code}};
    event.max_per_cycle = most;
    events.push_back(std::move(event));
  };
  add("TOY_RETIRED", "instructions that retire", 1, 3);
  add("TOY_CLOCKS", "cycles", 2, 1);
  return events;
}

class ToyBackend final : public PlacingBackend {
 public:
  ToyBackend()
      : PlacingBackend({.info = {"toy", "A PMU of no processor", 999, counters, width},
                        .attributes = known,
                        .foreign_attributes = {},
                        .registers = selects,
                        .counter_names = {names.begin(), names.end()},
                        .raw_forms = "none"}) {
    events_ = table();
  }

  [[nodiscard]] std::optional<Result<Request>> raw_event(std::string_view) const override { return std::nullopt; }

  [[nodiscard]] Result<Encoding> program(std::span<const Request> requests, std::span<const unsigned> placed,
                                         const GroupSettings&, bool sampling) const override {
    std::array<std::uint64_t, counters> values{};
    Encoding encoding;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      const Settings& asked = requests[i].settings;
      values[placed[i]] = event_code.put(requests[i].event->code_on(placed[i]).value_or(0)) |
                          user.put(asked.get("u").value_or(0)) | threshold.put(asked.get("t").value_or(0)) |
                          interrupt.put(asked.get("intr").value_or(sampling ? 1 : 0));
    }
    for (unsigned counter = 0; counter < counters; ++counter) {
      encoding.off.push_back(selects[counter].holding(0));
      encoding.registers.push_back(selects[counter].holding(values[counter]));
    }
    for (const unsigned counter : placed)
      encoding.events.push_back({described(counter, values[counter]).canonical, std::string(names[counter]), counter});
    return encoding;
  }
  [[nodiscard]] Result<std::vector<Selection>> selections(std::span<const RegisterValue> values) const override {
    std::vector<Selection> found;
    for (const RegisterValue& value : values) {
      const auto reg = match_register(*this, value);
      if (!reg) return reg.error();
      if (event_code.get(value.value) != 0) found.push_back(described((*reg)->number, value.value));
    }
    return found;
  }
  [[nodiscard]] Result<std::uint64_t> preset(unsigned, std::uint64_t period) const override {
    constexpr std::uint64_t half = std::uint64_t{1} << (width - 1);
    if (period < 1 || period > half) return Error{ErrorCode::bad_value, fmt::format("a period is 1 to {}", half)};
    return 2 * half - period;
  }

 private:
  [[nodiscard]] Selection described(unsigned counter, std::uint64_t value) const {
    Selection selection;
    selection.counter_index = counter;
    selection.counter = names[counter];
    const std::uint64_t code = event_code.get(value);
    selection.known = code != 0 && code <= events_.size();
    selection.canonical = fmt::format("toy::{}:u={}:t={}:intr={}", selection.known ? events_[code - 1].name : "none",
                                      user.get(value), threshold.get(value), interrupt.get(value));
    return selection;
  }
};

}  // namespace

namespace toy {
const Backend& backend() {
  static const ToyBackend one;
  return one;
}
}  // namespace toy

}  // namespace pmusim::encoder
