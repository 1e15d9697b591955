// The 21264 and 21264A: two counters in PCTR_CTL; the 21264A counts in pairs, or samples instructions (ProfileMe).
#include <fmt/format.h>

#include <algorithm>

#include "backend.h"
#include "encoder/src/text.h"
#include "registers.h"

namespace pmusim::encoder::alpha {
namespace {

constexpr std::array<Attribute, 1> kEv6Attributes{{
    {"pme", 0, 1, true, true, "count only for processes marked in their control block"},
}};

constexpr std::array<ForeignAttribute, 5> kEv6Foreign{{
    {"u", "it counts in all modes"},
    {"k", "it counts in all modes"},
    {"pal", "it counts in all modes"},
    {"freq", "the period is the counter's start value"},
    {"intr", "a counter interrupts whenever it overflows"},
}};

constexpr unsigned kWidth = 20;
/// Minimum number of events to the overflow when a counter is written (EV67 manual 6.10.2).
constexpr std::array<std::uint64_t, 2> kLeast{16, 4};

/// Shared parts of the 21264 and 21264A: enables, process selection, presets.
class Ev6Family : public AlphaBackend {
 public:
  using AlphaBackend::AlphaBackend;

  Result<std::uint64_t> preset(unsigned counter, std::uint64_t period) const final {
    return start_value(counter, period, std::uint64_t{1} << kWidth, kLeast[counter]);
  }

  Result<std::vector<Selection>> selections(std::span<const RegisterValue> list) const final {
    const Programmed all = programmed(list);
    if (profiles(all)) return std::vector{describe(0, all)};  // one sample
    std::vector<Selection> found;
    for (unsigned counter = 0; counter < 2; ++counter)
      if ((all.used & chosen(counter)) != 0) found.push_back(describe(counter, all));
    return found;
  }

 protected:
  struct Programmed {
    std::uint64_t selectors = 0;
    std::uint64_t used = 0;
    bool marked = false;
  };
  [[nodiscard]] virtual Selection describe(unsigned counter, const Programmed& all) const = 0;
  /// True if the registers select the sampling of instructions.
  [[nodiscard]] virtual bool profiles(const Programmed& /*all*/) const { return false; }

  /// The encoding of a counting run, with an event entry for each of `counters`.
  [[nodiscard]] Encoding counting(const Programmed& all, std::span<const unsigned> counters, bool sampling) const {
    Encoding encoding = encoding_of(all.selectors, all.used, all.marked, sampling);
    for (const unsigned counter : counters) {
      const Selection found = describe(counter, all);
      encoding.events.push_back({found.canonical, found.counter, counter});
    }
    return encoding;
  }
  /// The calls and registers for selectors in PCTR_CTL; `used`: the counters that run.
  [[nodiscard]] Encoding encoding_of(std::uint64_t selectors, std::uint64_t used, bool marked, bool sampling) const {
    Encoding encoding;
    encoding.off = {holding("WRPERFMON_DISABLE", 3)};
    encoding.registers = {holding("WRPERFMON_SELECT", selectors), holding("WRPERFMON_OPTIONS", ev6::marked.put(marked)),
                          holding("WRPERFMON_ENABLE", used)};
    std::uint64_t enables = ev6::spce.put(!marked), interrupts = 0;
    for (unsigned counter = 0; counter < 2; ++counter) {
      const bool runs = (used & chosen(counter)) != 0;
      enables |= ev6::counter_enable[counter].put(runs);
      interrupts |= ev6::interrupt[counter].put(runs && sampling);
    }
    encoding.images = {holding("PCTR_CTL", selectors), holding("I_CTL", enables),
                       holding("PCTX", ev6::ppce.put(marked)), holding("IER_CM", interrupts)};
    return encoding;
  }

  [[nodiscard]] Programmed programmed(std::span<const RegisterValue> list) const {
    const Values values(*this, list);
    if (const auto call = values.get("WRPERFMON_SELECT")) {
      const std::uint64_t on = values.get_or_0("WRPERFMON_ENABLE") | values.get_or_0("WRPERFMON_ENABLE_WRITE");
      return {*call, on & 3U, ev6::marked.get(values.get_or_0("WRPERFMON_OPTIONS")) != 0};
    }
    const std::uint64_t enables = values.get_or_0("I_CTL");
    std::uint64_t used = 0;
    for (unsigned counter = 0; counter < 2; ++counter)
      if (ev6::counter_enable[counter].get(enables) != 0) used |= chosen(counter);
    return {values.get_or_0("PCTR_CTL"), used, ev6::spce.get(enables) == 0};
  }
};

class Ev6 final : public Ev6Family {
 public:
  explicit Ev6(const Table& table)
      : Ev6Family({{"alpha-ev6", "Alpha 21264 (EV6) performance counters", 261, 2, kWidth},
                   table,
                   kEv6Attributes,
                   kEv6Foreign,
                   ev6::registers(false),
                   "PCTRn=CODE",
                   {1, 15, 0}}) {}

  Result<Encoding> program(std::span<const Request> requests, std::span<const unsigned> counters,
                           const GroupSettings& /*group*/, bool sampling) const override {
    if (const auto error = check_levels(requests)) return *error;
    const auto marked = agreed(requests, "pme");
    if (!marked) return marked.error();
    Programmed all{0, 0, *marked};
    for (std::size_t i = 0; i < requests.size(); ++i) {
      const std::uint32_t code = code_of(requests[i], counters[i]);
      all.selectors |= counters[i] == 0 ? ev6::sl0.put(code) : ev6::sl1.put(code);
      all.used |= chosen(counters[i]);
    }
    return counting(all, counters, sampling);
  }

 private:
  [[nodiscard]] Selection describe(unsigned counter, const Programmed& all) const override {
    const Field& selector = counter == 0 ? ev6::sl0 : ev6::sl1;
    Selection found = selection(counter, static_cast<std::uint32_t>(selector.get(all.selectors)));
    if (all.marked) found.canonical += ":pme=1";
    return found;
  }
};

/// Code of a ProfileMe statistic: the value that sys/pfcntr.h gives to the mode of its counters.
constexpr std::uint32_t profile_code(std::uint32_t sl1) { return 0x10U | sl1 << 2U; }

class Ev67 final : public Ev6Family {
 public:
  explicit Ev67(const Table& table)
      : Ev6Family({{"alpha-ev67", "Alpha 21264A (EV67) performance counters and ProfileMe", 262, 2, kWidth},
                   table,
                   kEv6Attributes,
                   kEv6Foreign,
                   ev6::registers(true),
                   "PCTRn=CODE",
                   {1, 3, 0}}),
        statistics_(table.statistics) {
    for (const Statistic& statistic : statistics_) {
      Event event;
      event.name = statistic.name;
      event.description = statistic.description;
      event.source = "pfm(7), EV67 statistics; sys/pfcntr.h; EV67 manual 6.10.3";
      for (unsigned counter = 0; counter < 2; ++counter) event.codes.push_back({counter, profile_code(statistic.sl1)});
      event.companion = statistic.number;
      add_event(std::move(event));
    }
  }

  /// Translates the names of uprofile, and the constants that select a pair of events.
  std::vector<std::string> expanded(std::string_view head) const override {
    for (const Pair& pair : pairs())
      if (same_word(pair.name, head)) {
        std::vector<std::string> events{std::string(pair.events[0])};
        if (!pair.events[1].empty()) events.emplace_back(pair.events[1]);
        return events;
      }
    for (const Statistic& statistic : statistics_)
      if (!statistic.tool.empty() && same_word(statistic.tool, head)) return {std::string(statistic.name)};
    return {std::string(head)};
  }

  Result<Encoding> program(std::span<const Request> requests, std::span<const unsigned> counters,
                           const GroupSettings& /*group*/, bool sampling) const override {
    if (const auto error = check_levels(requests)) return *error;
    const auto marked = agreed(requests, "pme");
    if (!marked) return marked.error();
    for (const Request& request : requests)
      if (is_statistic(request)) return profile(requests, *marked);
    const auto mode = mode_of(requests, counters);
    if (!mode) return mode.error();
    Programmed all{ev6::sl1_67.put(*mode), 0, *marked};
    for (const unsigned counter : counters) all.used |= chosen(counter);
    return counting(all, counters, sampling);
  }

 private:
  [[nodiscard]] bool profiles(const Programmed& all) const override {
    return ev6::sl0_67.get(all.selectors) != 0 && all.used == 3;
  }
  [[nodiscard]] static bool is_statistic(const Request& request) {
    return request.event != nullptr && request.event->companion != 0;
  }

  /// Encodes a ProfileMe run. It collects one statistic of one instruction at a time.
  [[nodiscard]] Result<Encoding> profile(std::span<const Request> requests, bool marked) const {
    const auto statistic = std::find_if(requests.begin(), requests.end(), is_statistic);
    if (requests.size() > 1) {
      const Request& other = statistic == requests.begin() ? requests[1] : requests[0];
      return Error{
          ErrorCode::register_conflict,
          is_statistic(other)
              ? fmt::format("{} and {}: ProfileMe collects one statistic at a time; use separate runs",
                            in_quotes(statistic->text), in_quotes(other.text))
              : fmt::format("{} samples instructions (ProfileMe) and {} counts (aggregate mode), which exclude "
                            "each other; use separate runs",
                            in_quotes(statistic->text), in_quotes(other.text))};
    }
    const std::uint32_t mode = code_of(*statistic, 0) >> 2U & 3U;
    Encoding encoding = encoding_of(ev6::sl0_67.put(1) | ev6::sl1_67.put(mode), 3, marked, true);
    encoding.events.push_back({fmt::format("{}::{}{}", info().name, statistic->event->name, marked ? ":pme=1" : ""),
                               std::string(counter_name(0)), 0});
    return encoding;
  }

  /// The value of SL1 with which each counter counts the requested event. Counter 0 uses only its low bit.
  [[nodiscard]] Result<std::uint64_t> mode_of(std::span<const Request> requests,
                                              std::span<const unsigned> counters) const {
    std::optional<std::uint32_t> first, second;
    for (std::size_t i = 0; i < requests.size(); ++i)
      (counters[i] == 0 ? first : second) = code_of(requests[i], counters[i]);
    if (!second) return std::uint64_t{first.value_or(0)};
    if (!first || (*second & 1U) == *first) return std::uint64_t{*second};
    return Error{
        ErrorCode::register_conflict,
        fmt::format("{} and {} are no pair of the 21264A: legal are CYCLES0 with REPLAY, RETINST with CYCLES1, "
                    "RETINST with BCACHEMISSES; use separate runs",
                    in_quotes(requests[0].text), in_quotes(requests[1].text))};
  }

  [[nodiscard]] Selection describe(unsigned counter, const Programmed& all) const override {
    const auto mode = static_cast<std::uint32_t>(ev6::sl1_67.get(all.selectors));
    if (ev6::sl0_67.get(all.selectors) != 0) {
      Selection found = selection(counter, profile_code(mode));
      found.notes.emplace_back(
          "ProfileMe: what is sampled is not in the register, but which statistic the driver takes");
      return found;
    }
    Selection found = selection(counter, counter == 0 ? mode & 1U : mode);
    if (all.marked) found.canonical += ":pme=1";
    return found;
  }

  std::span<const Statistic> statistics_;
};

}  // namespace

std::unique_ptr<const Backend> make_ev6(const Table& table) { return std::make_unique<Ev6>(table); }
std::unique_ptr<const Backend> make_ev67(const Table& table) { return std::make_unique<Ev67>(table); }

}  // namespace pmusim::encoder::alpha
