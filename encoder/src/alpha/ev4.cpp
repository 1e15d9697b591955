// The 21064 family: two counters that always run and cannot be read, controlled by ICCSR.
#include <fmt/format.h>

#include "backend.h"
#include "encoder/src/text.h"
#include "registers.h"

namespace pmusim::encoder::alpha {
namespace {

constexpr std::array<Attribute, 2> kEv4Attributes{{
    {"freq", 256, 65536, false, false, "events for each interrupt: 65536 or 4096 on CTR0, 4096 or 256 on CTR1"},
    {"pme", 0, 1, true, true, "count only for processes marked in their control block (21064 pass 3 and later)"},
}};

constexpr std::array<ForeignAttribute, 4> kEv4Foreign{{
    {"u", "it counts in all modes"},
    {"k", "it counts in all modes"},
    {"pal", "it counts in all modes"},
    {"intr", "a counter always interrupts; freq says how often"},
}};

/// Events that unused counters select: external pins, the events that occur least.
constexpr std::array<std::uint32_t, 2> kUnused{0xE, 7};
/// Events per interrupt for period bit 0 and 1.
constexpr std::array<std::array<std::uint64_t, 2>, 2> kPeriods{{{65536, 4096}, {4096, 256}}};

class Ev4 final : public AlphaBackend {
 public:
  explicit Ev4(const Table& table)
      : AlphaBackend({{"alpha-ev4", "Alpha 21064 family (EV4) performance counters", 258, 2, 16},
                      table,
                      kEv4Attributes,
                      kEv4Foreign,
                      ev4::registers(),
                      "CTRn=CODE",
                      {15, 7, 0}}) {}

  Result<Encoding> program(std::span<const Request> requests, std::span<const unsigned> counters,
                           const GroupSettings& /*group*/, bool /*sampling*/) const override {
    if (const auto error = check_levels(requests)) return *error;
    const auto marked = agreed(requests, "pme");
    if (!marked) return marked.error();
    std::array<std::uint32_t, 2> codes = kUnused;
    std::array<std::uint64_t, 2> periods{};
    for (std::size_t i = 0; i < requests.size(); ++i) {
      const unsigned counter = counters[i];
      codes[counter] = code_of(requests[i], counter);
      const std::uint64_t freq = requests[i].settings.get("freq").value_or(kPeriods[counter][0]);
      periods[counter] = freq == kPeriods[counter][1];
      if (freq != kPeriods[counter][periods[counter]])
        return Error{ErrorCode::bad_attribute_value,
                     fmt::format("{}: freq of {} is {} or {}, not {}", in_quotes(requests[i].text),
                                 counter_name(counter), kPeriods[counter][0], kPeriods[counter][1], freq)};
    }
    const std::uint64_t image =
        ev4::pcmux0.put(codes[0]) | ev4::pcmux1.put(codes[1]) | ev4::pc0.put(periods[0]) | ev4::pc1.put(periods[1]);
    Encoding encoding;
    for (const unsigned counter : counters) {
      const Selection found = describe(counter, image, *marked);
      encoding.events.push_back({found.canonical, found.counter, counter});
    }
    encoding.off = {holding("WRPERFMON_DISABLE", 0)};
    encoding.registers = {
        holding("WRPERFMON_SELECT", image),
        holding("WRPERFMON_OPTIONS", *marked ? ev4::log_marked.put(1) : ev4::log_all.put(1)),
        holding("WRPERFMON_ENABLE", 0),
    };
    encoding.images = {holding("ICCSR", image), holding("HIER", ev4::hier_pc0.put(1) | ev4::hier_pc1.put(1))};
    return encoding;
  }

  Result<std::vector<Selection>> selections(std::span<const RegisterValue> list) const override {
    const Values values(*this, list);
    const auto call = values.get("WRPERFMON_SELECT");
    const auto image = call ? call : values.get("ICCSR");
    if (!image) return std::vector<Selection>{};
    const std::uint64_t logged = values.get_or_0("WRPERFMON_OPTIONS");
    const bool marked = ev4::log_marked.get(logged) != 0 && ev4::log_all.get(logged) == 0;
    return std::vector{describe(0, *image, marked), describe(1, *image, marked)};
  }

  Result<std::uint64_t> preset(unsigned counter, std::uint64_t period) const override {
    return Error{ErrorCode::bad_value,
                 fmt::format("period {}: {} cannot be written; freq={} and freq={} are its periods", period,
                             counter_name(counter), kPeriods[counter][0], kPeriods[counter][1])};
  }

 private:
  [[nodiscard]] Selection describe(unsigned counter, std::uint64_t image, bool marked) const {
    auto code = static_cast<std::uint32_t>(counter == 0 ? ev4::pcmux0.get(image) : ev4::pcmux1.get(image));
    if (counter == 0 && code != 0xA && code != 0xB) code &= 0xE;  // the low bit is significant for these two only
    const std::uint64_t short_period = counter == 0 ? ev4::pc0.get(image) : ev4::pc1.get(image);
    Selection found = selection(counter, code);
    found.canonical += fmt::format(":freq={}", kPeriods[counter][short_period]);
    if (marked) found.canonical += ":pme=1";
    return found;
  }
};

}  // namespace

std::unique_ptr<const Backend> make_ev4(const Table& table) { return std::make_unique<Ev4>(table); }

}  // namespace pmusim::encoder::alpha
