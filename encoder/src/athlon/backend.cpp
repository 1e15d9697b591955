#include "backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "encoder/src/engine.h"
#include "encoder/src/text.h"
#include "registers.h"

namespace pmusim::encoder::athlon {

namespace {

constexpr std::array<Attribute, 8> kAttributes{{
    {"k", 0, 1, true, false, "count at privilege level 0"},
    {"u", 0, 1, true, false, "count at privilege levels 1 to 3"},
    {"plm", 0, 15, false, false, "privilege level mask: bit 0 is level 0, any of bits 1 to 3 levels 1 to 3"},
    {"e", 0, 1, true, false, "edge detect: count the beginnings of the condition"},
    {"i", 0, 1, true, false, "invert: fewer than c occurrences instead of at least c"},
    {"c", 0, 255, false, false, "counter mask: add 1 in cycles with at least c occurrences; 0 adds up all"},
    {"pc", 0, 1, true, false, "pin control: toggle the PM pin on overflow instead of on events"},
    {"intr", 0, 1, true, false, "APIC interrupt on overflow"},
}};

constexpr std::array<ForeignAttribute, 8> kForeign{{
    {"t", "the threshold of this target is the counter mask c=0..255, which counts cycles with at least c"},
    {"marked", "the processor has no marked processes"},
    {"unmarked", "the processor has no marked processes"},
    {"tb", "the PMU does not see a time base"},
    {"pal", "it has no PALmode; k is privilege level 0"},
    {"freq", "the period is the counter's start value"},
    {"ism", "the processor has one instruction set"},
    {"h", "the processor has no hypervisor level; levels are u and k"},
}};

Result<std::uint64_t> selector_of(const Request& request, unsigned counter, bool sampling) {
  const auto levels = levels_of(request);
  if (!levels) return levels.error();
  const std::uint32_t code = request.event ? request.event->code_on(counter).value_or(0) : request.raw_code;
  const auto setting = [&](std::string_view name, std::uint64_t unnamed = 0) {
    return request.settings.get(name).value_or(unnamed);
  };
  return field::event.put(code) | field::unit_mask.put(request.unit_mask) | field::usr.put(levels->user) |
         field::os.put(levels->kernel) | field::edge.put(setting("e")) | field::pc.put(setting("pc")) |
         field::interrupt.put(setting("intr", sampling)) | field::en.put(1) | field::inv.put(setting("i")) |
         field::cnt_mask.put(setting("c"));
}

/// `:NAME` for each unit mask in `code`, or nothing if the event has no such combination.
std::optional<std::string> masks_in_words(const Event& event, std::uint64_t code) {
  if (event.unit_masks.empty()) return code == 0 ? std::optional(std::string{}) : std::nullopt;
  std::string words;
  std::uint64_t named = 0;
  for (const UnitMask& mask : event.unit_masks) {
    if (mask.code == code) return fmt::format(":{}", mask.name);
    if ((mask.code & ~code) != 0) continue;
    words += fmt::format(":{}", mask.name);
    named |= mask.code;
  }
  return code != 0 && named == code ? std::optional(words) : std::nullopt;
}

// Raw events of the Athlon in the syntax of Linux perf: rUUEE and cpu/event=0xEE,umask=0xUU,cmask=N,inv,edge/.

constexpr std::uint32_t kAnyCounter = (1u << kCounters) - 1;

/// A word between the slashes of cpu/.../ and the attribute that gets its number.
struct PerfTerm {
  std::string_view name;
  std::uint64_t limit;
  std::string_view attribute;  ///< empty: the word is event or umask
};

constexpr std::array<PerfTerm, 5> kTerms{{
    {"event", 0xff, ""},
    {"umask", 0xff, ""},
    {"cmask", 0xff, "c"},
    {"inv", 1, "i"},
    {"edge", 1, "e"},
}};

Error term_error(std::string_view head, std::string_view what) {
  return {ErrorCode::syntax,
          fmt::format("{}: {}; the form is cpu/event=0xEE,umask=0xUU,cmask=0..255,inv,edge/", in_quotes(head), what)};
}

std::optional<Error> read_term(std::string_view head, std::string_view text, Request& request) {
  const std::size_t equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  const auto term =
      std::find_if(kTerms.begin(), kTerms.end(), [&](const PerfTerm& t) { return same_word(t.name, name); });
  if (term == kTerms.end()) {
    std::vector<std::string_view> names;
    names.reserve(kTerms.size());
    for (const PerfTerm& known : kTerms) names.push_back(known.name);
    return term_error(head, fmt::format("unknown word {}{}", in_quotes(name), did_you_mean(name, names)));
  }
  std::optional<std::uint64_t> value;
  if (equals != std::string_view::npos)
    value = number(text.substr(equals + 1));
  else if (term->limit == 1)
    value = 1;
  if (!value || *value > term->limit)
    return Error{ErrorCode::bad_attribute_value,
                 fmt::format("{}: {} takes a number from 0 to {}", in_quotes(head), term->name, term->limit)};
  if (term->name == "event")
    request.raw_code = static_cast<std::uint32_t>(*value);
  else if (term->name == "umask")
    request.unit_mask = static_cast<std::uint32_t>(*value);
  else
    request.settings.set(term->attribute, *value);
  return std::nullopt;
}

Result<Request> parse_perf(std::string_view head) {
  constexpr std::string_view opening = "cpu/";
  std::string_view terms = head.substr(opening.size());
  const std::size_t closing = terms.find('/');
  if (closing == std::string_view::npos) return term_error(head, "the closing '/' is missing");
  const std::string_view levels = terms.substr(closing + 1);
  terms = terms.substr(0, closing);
  Request request;
  request.raw_counters = kAnyCounter;
  std::vector<std::string> seen;
  for (bool more = true; more;) {
    const std::size_t comma = terms.find(',');
    more = comma != std::string_view::npos;
    const std::string_view term = terms.substr(0, comma);
    if (auto error = read_term(head, term, request)) return *std::move(error);
    const std::string name = upper(term.substr(0, term.find('=')));
    if (std::find(seen.begin(), seen.end(), name) != seen.end())
      return Error{ErrorCode::attribute_conflict, fmt::format("{}: {} is set twice", in_quotes(head), name)};
    seen.push_back(name);
    if (more) terms.remove_prefix(comma + 1);
  }
  if (std::find(seen.begin(), seen.end(), "EVENT") == seen.end()) return term_error(head, "event= is missing");
  for (const char level : levels) {
    if (level != 'u' && level != 'k') return term_error(head, "only u and k may follow the closing '/'");
    request.settings.set(std::string_view(&level, 1), 1);
  }
  return request;
}

/// Parses a raw event. Empty if `head` has neither form. The code need not be in the event table.
std::optional<Result<Request>> parse_raw(std::string_view head) {
  if (head.size() >= 4 && same_word(head.substr(0, 4), "cpu/")) return parse_perf(head);
  if (head.size() < 2 || (head[0] != 'r' && head[0] != 'R')) return std::nullopt;
  const auto config = hex_digits(head.substr(1));
  if (!config) return std::nullopt;
  if (*config > 0xffff)
    return Error{ErrorCode::bad_value,
                 fmt::format("{}: a raw event is r and at most four hexadecimal digits, rUUEE; the other fields are "
                             "attributes (u, k, e, i, c)",
                             in_quotes(head))};
  Request request;
  request.raw_counters = kAnyCounter;
  request.raw_code = static_cast<std::uint32_t>(*config & 0xff);
  request.unit_mask = static_cast<std::uint32_t>(*config >> 8);
  return request;
}

class AthlonBackend final : public PlacingBackend {
 public:
  explicit AthlonBackend(std::span<const Row> rows)
      : PlacingBackend(
            {.info = {"athlon", "AMD Athlon (K7) performance monitoring counters", 256, kCounters, kCounterWidth},
             .attributes = kAttributes,
             .foreign_attributes = {kForeign.begin(), kForeign.end()},
             .registers = athlon::registers(),
             .counter_names = names_of(athlon::registers(), "msr", kPerfCtr0, kCounters),
             .raw_forms = "rUUEE or cpu/event=0xEE,umask=0xUU/"}) {
    for (const Row& row : rows) {
      Event event;
      event.name = row.name;
      event.description = row.description;
      event.source = row.source;
      event.unit_masks = row.unit_masks;
      event.max_per_cycle = row.max_per_cycle;
      for (unsigned counter = 0; counter < kCounters; ++counter) event.codes.push_back({counter, row.code});
      events_.push_back(std::move(event));
    }
  }

  [[nodiscard]] std::optional<Result<Request>> raw_event(std::string_view head) const override {
    return parse_raw(head);
  }

  [[nodiscard]] Result<Encoding> program(std::span<const Request> requests, std::span<const unsigned> counters,
                                         const GroupSettings& /*group*/, bool sampling) const override {
    std::array<std::uint64_t, kCounters> selectors{};
    Encoding encoding;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      const auto selector = selector_of(requests[i], counters[i], sampling);
      if (!selector) return selector.error();
      selectors[counters[i]] = *selector;
      const Selection selection = describe(counters[i], *selector);
      encoding.events.push_back({selection.canonical, selection.counter, counters[i]});
      for (const std::string& note : selection.notes)
        encoding.warnings.push_back(fmt::format("{}: {}", in_quotes(requests[i].text), note));
    }
    for (unsigned counter = 0; counter < kCounters; ++counter) {
      const Register& reg = athlon::registers()[counter];
      encoding.off.push_back(reg.holding(0));
      encoding.registers.push_back(reg.holding(selectors[counter]));
    }
    return encoding;
  }

  [[nodiscard]] Result<std::vector<Selection>> selections(std::span<const RegisterValue> values) const override {
    std::array<std::uint64_t, kCounters> selectors{};
    for (const RegisterValue& value : values) {
      const auto reg = match_register(*this, value);
      if (!reg) return reg.error();
      if ((*reg)->number < kPerfEvtSel0 + kCounters) selectors[(*reg)->number - kPerfEvtSel0] = value.value;
    }
    std::vector<Selection> found;
    for (unsigned counter = 0; counter < kCounters; ++counter)
      if (field::en.get(selectors[counter])) found.push_back(describe(counter, selectors[counter]));
    return found;
  }

  [[nodiscard]] Result<std::uint64_t> preset(unsigned counter, std::uint64_t period) const override {
    constexpr std::uint64_t longest = std::uint64_t{1} << (kCounterWidth - 1);
    const auto start = start_value(counter, period, longest);
    return start ? Result<std::uint64_t>(*start + longest) : start;
  }

 private:
  [[nodiscard]] Selection describe(unsigned counter, std::uint64_t selector) const {
    Selection selection;
    selection.counter_index = counter;
    selection.counter = counter_name(counter);
    const std::uint64_t code = field::event.get(selector);
    const std::uint64_t mask = field::unit_mask.get(selector);
    const auto event = std::find_if(events_.begin(), events_.end(),
                                    [&](const Event& candidate) { return candidate.codes.front().code == code; });
    std::optional<std::string> masks;
    if (event != events_.end()) masks = masks_in_words(*event, mask);
    selection.known = masks.has_value();
    selection.canonical = masks ? fmt::format("{}::{}{}", info().name, event->name, *masks)
                                : fmt::format("{}::r{:02x}{:02x}", info().name, mask, code);
    const auto append = [&](std::string_view name, const Field& bits) {
      selection.canonical += fmt::format(":{}={}", name, bits.get(selector));
    };
    append("k", field::os);
    append("u", field::usr);
    append("e", field::edge);
    append("i", field::inv);
    append("c", field::cnt_mask);
    if (field::pc.get(selector)) append("pc", field::pc);
    if (field::interrupt.get(selector)) append("intr", field::interrupt);

    if (event != events_.end() && !masks)
      selection.notes.push_back(
          event->unit_masks.empty()
              ? fmt::format("{} has no unit masks; UNIT_MASK {:#04x} is ignored", event->name, mask)
              : fmt::format("{} has no unit mask {:#04x}", event->name, mask));
    if (!field::usr.get(selector) && !field::os.get(selector))
      selection.notes.emplace_back("never counts: USR and OS are both 0");
    if (field::reserved_low.get(selector) || field::reserved_high.get(selector))
      selection.notes.emplace_back("reserved bits are set");
    return selection;
  }
};

}  // namespace

std::unique_ptr<const Backend> make_backend(std::span<const Row> rows) { return std::make_unique<AthlonBackend>(rows); }

namespace field {

std::string event_meaning(std::uint64_t value) {
  for (const Row& row : table())
    if (row.code == value) return std::string(row.name);
  return "no event of this processor";
}

constexpr Field count{"COUNT", "47:0", 0, kCounterWidth, Meaning("{} counted")};

}  // namespace field

std::span<const Register> registers() {
  static constexpr std::array selector{
      field::reserved_high, field::cnt_mask, field::inv,  field::en, field::reserved_low,
      field::interrupt,     field::pc,       field::edge, field::os, field::usr,
      field::unit_mask,     field::event};
  static constexpr std::array counter{field::count};
  static constexpr std::array<Register, 2 * kCounters> all{{
      {"msr", kPerfEvtSel0 + 0, "PerfEvtSel0", 64, selector},
      {"msr", kPerfEvtSel0 + 1, "PerfEvtSel1", 64, selector},
      {"msr", kPerfEvtSel0 + 2, "PerfEvtSel2", 64, selector},
      {"msr", kPerfEvtSel0 + 3, "PerfEvtSel3", 64, selector},
      {"msr", kPerfCtr0 + 0, "PerfCtr0", kCounterWidth, counter},
      {"msr", kPerfCtr0 + 1, "PerfCtr1", kCounterWidth, counter},
      {"msr", kPerfCtr0 + 2, "PerfCtr2", kCounterWidth, counter},
      {"msr", kPerfCtr0 + 3, "PerfCtr3", kCounterWidth, counter},
  }};
  return all;
}

}  // namespace pmusim::encoder::athlon
