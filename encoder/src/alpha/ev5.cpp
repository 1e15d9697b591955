// The 21164 and 21164PC: three counters with their control fields in PMCTR, second selects in the cache box.
#include <fmt/format.h>

#include "backend.h"
#include "encoder/src/text.h"
#include "registers.h"

namespace pmusim::encoder::alpha {
namespace {

constexpr std::array<Attribute, 7> kEv5Attributes{{
    {"k", 0, 1, true, true, "count in kernel mode, and in executive and supervisor mode"},
    {"u", 0, 1, true, true, "count in user mode of the hardware"},
    {"pal", 0, 1, true, true, "count in PALmode"},
    {"es", 0, 1, true, true, "count in executive and supervisor mode alone: Tru64's user code"},
    {"freq", 256, 65536, false, false, "events for each interrupt: 65536 (CTR2: 16384) or 256; unnamed: none"},
    {"intr", 0, 1, true, false, "interrupt each time that the counter overflows"},
    {"pme", 0, 1, true, true, "count only for processes marked in their control block"},
}};

struct Modes {
  bool k = true, u = true, pal = true, es = false;
  friend bool operator==(const Modes&, const Modes&) = default;
  [[nodiscard]] std::uint64_t kill_bits() const { return ev5::ku.put(!u) | ev5::kp.put(!pal) | ev5::kk.put(!k); }
};

/// All modes if the request names none, else the named modes only.
Result<Modes> modes_of(const Request& request) {
  const auto k = request.settings.get("k"), u = request.settings.get("u"), pal = request.settings.get("pal");
  const bool es = request.settings.get("es").value_or(0) != 0;
  if (!es && !k && !u && !pal) return Modes{};
  const Modes modes{k.value_or(0) != 0, u.value_or(0) != 0, pal.value_or(0) != 0, es};
  const bool any = modes.k || modes.u || modes.pal;
  if (es && any)
    return Error{
        ErrorCode::attribute_conflict,
        fmt::format("{}: es stands alone; k counts executive and supervisor mode as well", in_quotes(request.text))};
  if (!es && !any)
    return Error{ErrorCode::bad_attribute_value,
                 fmt::format("{}: with k, u and pal all 0 the hardware still counts in executive and supervisor mode; "
                             "name es to ask for that",
                             in_quotes(request.text))};
  return modes;
}

/// The CTL field of a counter, computed from freq and intr.
Result<std::uint64_t> control_of(const Request& request, unsigned counter, std::string_view name, bool sampling) {
  const std::uint64_t whole = std::uint64_t{1} << ev5::kWidths[counter];
  const auto freq = request.settings.get("freq");
  const auto intr = request.settings.get("intr");
  if (freq && *freq != whole && *freq != 256)
    return Error{ErrorCode::bad_attribute_value,
                 fmt::format("{}: freq of {} is {} or 256, not {}", in_quotes(request.text), name, whole, *freq)};
  if (freq && intr && *intr == 0)
    return Error{ErrorCode::attribute_conflict,
                 fmt::format("{}: freq asks for interrupts and intr=0 for none", in_quotes(request.text))};
  if (freq) return *freq == 256 ? ev5::k256 : ev5::kLong;
  return intr.value_or(sampling) != 0 ? ev5::kLong : ev5::kSilent;
}

class Ev5 final : public AlphaBackend {
 public:
  Ev5(const TargetInfo& info, const Table& table, bool pca56)
      : AlphaBackend({info,
                      table,
                      kEv5Attributes,
                      {},
                      ev5::registers(pca56),
                      "CTRn=CODE",
                      {1, second_select(7), second_select(7)}}),
        pca56_(pca56),
        second_(pca56 ? ev5::pca56_second : ev5::second) {}

  /// Translates the only known name of uprofile; counter 2 has the same statistic.
  std::vector<std::string> expanded(std::string_view head) const override {
    const bool writes = !pca56_ && same_word(head, "scachewrites");
    return {writes ? "PF5_MUX1_C_SCACHE_WRITE" : std::string(head)};
  }

  Result<Encoding> program(std::span<const Request> requests, std::span<const unsigned> counters,
                           const GroupSettings& /*group*/, bool sampling) const override {
    const auto marked = agreed(requests, "pme");
    if (!marked) return marked.error();
    Modes modes;
    std::array<std::uint32_t, 3> codes{};
    std::uint64_t control = 0, periods = 0, used = 0;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      const auto own = modes_of(requests[i]);
      if (!own) return own.error();
      if (i > 0 && !(*own == modes))
        return Error{ErrorCode::register_conflict,
                     fmt::format("{} and {} ask for different modes, which hold for all counters (PMCTR[Ku,Kp,Kk]); "
                                 "count them in separate runs",
                                 in_quotes(requests[0].text), in_quotes(requests[i].text))};
      modes = *own;
      const unsigned counter = counters[i];
      codes[counter] = code_of(requests[i], counter);
      const auto ctl = control_of(requests[i], counter, counter_name(counter), sampling);
      if (!ctl) return ctl.error();
      control |= ev5::ctl[counter].put(*ctl);
      periods |= ev5::period[counter].put(*ctl);
      used |= chosen(counter);
    }
    if (const auto error = narrowed(requests, counters, codes)) return *error;
    const std::uint64_t selects =
        ev5::sel0.put(codes[0]) | ev5::sel1.put(codes[1] & kSecond) | ev5::sel2.put(codes[2] & kSecond);
    const std::uint64_t seconds = second_[0].put(codes[1] >> 4U) | second_[1].put(codes[2] >> 4U);
    Encoding encoding;
    encoding.off = {holding("WRPERFMON_DISABLE", 7)};
    encoding.registers = {
        holding("WRPERFMON_SELECT", selects | seconds),
        holding("WRPERFMON_OPTIONS", modes.kill_bits() | ev5::marked.put(*marked)),
        holding("WRPERFMON_FREQUENCY", periods),
        holding("WRPERFMON_ENABLE", used),
    };
    const std::uint64_t pmctr = selects | control | modes.kill_bits();
    encoding.images = {holding("PMCTR", pmctr), holding("ICSR", ev5::pma.put(!*marked)),
                       holding(pca56_ ? "CBU_CONFIG" : "BC_CTL", seconds)};
    for (const unsigned counter : counters) {
      const Selection found = describe(counter, pmctr, seconds, *marked);
      encoding.events.push_back({found.canonical, found.counter, counter});
    }
    return encoding;
  }

  Result<std::vector<Selection>> selections(std::span<const RegisterValue> list) const override {
    const Values values(*this, list);
    std::uint64_t pmctr = values.get_or_0("PMCTR");
    std::uint64_t seconds = values.get_or_0(pca56_ ? "CBU_CONFIG" : "BC_CTL");
    bool marked = values.get("ICSR") && ev5::pma.get(values.get_or_0("ICSR")) == 0;
    if (const auto call = values.get("WRPERFMON_SELECT")) {
      pmctr = from_calls(values, *call);
      seconds = *call;
      marked = ev5::marked.get(values.get_or_0("WRPERFMON_OPTIONS")) != 0;
    }
    std::vector<Selection> found;
    for (unsigned counter = 0; counter < 3; ++counter)
      if (ev5::ctl[counter].get(pmctr) != ev5::kOff) found.push_back(describe(counter, pmctr, seconds, marked));
    return found;
  }

  Result<std::uint64_t> preset(unsigned counter, std::uint64_t period) const override {
    return start_value(counter, period, std::uint64_t{1} << ev5::kWidths[counter]);
  }

 private:
  /// The value of PMCTR after the calls: a counter runs if it is enabled and has a frequency.
  [[nodiscard]] static std::uint64_t from_calls(const Values& values, std::uint64_t selects) {
    const std::uint64_t selectors = ev5::sel0.put(1) | ev5::sel1.put(kSecond) | ev5::sel2.put(kSecond);
    std::uint64_t pmctr =
        (selects & selectors) | (values.get_or_0("WRPERFMON_OPTIONS") & Modes{false, false, false}.kill_bits());
    const std::uint64_t on = values.get_or_0("WRPERFMON_ENABLE") | values.get_or_0("WRPERFMON_ENABLE_CLEAR");
    const std::uint64_t periods = values.get_or_0("WRPERFMON_FREQUENCY");
    for (unsigned counter = 0; counter < 3; ++counter)
      if ((on & chosen(counter)) != 0) pmctr |= ev5::ctl[counter].put(ev5::period[counter].get(periods));
    return pmctr;
  }

  /// Refuses FLOW_CHANGE while counter 2 counts mispredictions, because it then counts only a part of the changes.
  [[nodiscard]] static std::optional<Error> narrowed(std::span<const Request> requests,
                                                     std::span<const unsigned> counters,
                                                     const std::array<std::uint32_t, 3>& codes) {
    if (codes[1] != 0x8 || (codes[2] != 0x2 && codes[2] != 0x3)) return std::nullopt;
    for (std::size_t i = 0; i < requests.size(); ++i)
      if (counters[i] == 1 && requests[i].event != nullptr)
        return Error{ErrorCode::register_conflict,
                     fmt::format("{} counts only {} while counter 2 counts mispredictions (SEL2={}); count them in "
                                 "separate runs, or select it as CTR1=0x8",
                                 in_quotes(requests[i].text),
                                 codes[2] == 0x2 ? "jumps and returns" : "conditional branches", codes[2])};
    return std::nullopt;
  }

  [[nodiscard]] Selection describe(unsigned counter, std::uint64_t pmctr, std::uint64_t seconds, bool marked) const {
    const Field& selector = counter == 0 ? ev5::sel0 : counter == 1 ? ev5::sel1 : ev5::sel2;
    auto code = static_cast<std::uint32_t>(selector.get(pmctr));
    if (counter != 0 && code == kSecond)
      code = second_select(static_cast<std::uint32_t>(second_[counter - 1].get(seconds)));
    Selection found = selection(counter, code);
    const bool k = ev5::kk.get(pmctr) == 0, u = ev5::ku.get(pmctr) == 0, pal = ev5::kp.get(pmctr) == 0;
    found.canonical += fmt::format(":k={:d}:u={:d}:pal={:d}", k, u, pal);
    if (!k && !u && !pal) found.canonical += ":es=1";
    const std::uint64_t ctl = ev5::ctl[counter].get(pmctr);
    if (ctl == ev5::kLong) found.canonical += fmt::format(":freq={}", std::uint64_t{1} << ev5::kWidths[counter]);
    if (ctl == ev5::k256) found.canonical += ":freq=256";
    if (marked) found.canonical += ":pme=1";
    const std::uint64_t other = ev5::sel2.get(pmctr);
    if (counter == 1 && code == 0x8 && (other == 2 || other == 3))
      found.notes.push_back(
          fmt::format("SEL2={} narrows it to {}", other, other == 2 ? "jumps and returns" : "conditional branches"));
    return found;
  }

  bool pca56_;
  const std::array<Field, 2>& second_;
};

}  // namespace

std::unique_ptr<const Backend> make_ev5(const Table& table) {
  return std::make_unique<Ev5>(
      TargetInfo{"alpha-ev5", "Alpha 21164 and 21164A (EV5, EV56) performance counters", 259, 3, 16}, table, false);
}

std::unique_ptr<const Backend> make_pca56(const Table& table) {
  return std::make_unique<Ev5>(TargetInfo{"alpha-pca56", "Alpha 21164PC (PCA56) performance counters", 260, 3, 16},
                               table, true);
}

}  // namespace pmusim::encoder::alpha
