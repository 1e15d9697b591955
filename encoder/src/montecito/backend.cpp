#include "backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "../ia64/qualifiers.h"
#include "../text.h"
#include "counters.h"
#include "registers.h"
#include "run.h"
#include "table.h"

namespace pmusim::encoder::montecito {
namespace {

using ia64::kFirstCounter;
using ia64::Row;

constexpr std::array<Attribute, 9> kAttributes{{
    {"k", 0, 1, true, false, "count at privilege level 0"},
    {"u", 0, 1, true, false, "count at privilege level 3"},
    {"plm", 0, 15, false, false, "privilege level mask: bit n is level n; u and k say 8 and 1"},
    {"t", 0, 7, false, false, "threshold: add 1 in cycles with more than t occurrences; 0 adds up all"},
    {"all", 0, 1, true, false, "count both threads' occurrences (.all)"},
    {"me", 0, 1, true, false, "count the counter's own thread's occurrences only (.me), as without all"},
    {"intr", 0, 1, true, false, "freeze and interrupt on overflow"},
    {"pm", 0, 1, true, false, "privileged monitor: run by PSR.pp instead of PSR.up"},
    {"unchecked", 0, 1, true, false, "count although the event ignores a filter of the run"},
}};

constexpr std::array<ForeignAttribute, 10> kForeign{{
    {"c", "its threshold is t=0..7, which counts cycles with more than t occurrences (c=N of other targets is t=N-1)"},
    {"i", "no comparison can be inverted"},
    {"e", "it detects no edges"},
    {"ism", "the processor runs IA-64 code only"},
    {"pc", "its pins have no control"},
    {"marked", "the processor has no marked processes"},
    {"unmarked", "the processor has no marked processes"},
    {"tb", "the PMU does not see a time base"},
    {"pal", "that is a level of the Alpha; k is privilege level 0"},
    {"freq", "the period is the counter's start value"},
}};

constexpr std::string_view kSource = "libpfm 3.10 event table of the dual-core Itanium 2";

/// Erratum 121: these counters must not interrupt while both threads run.
constexpr unsigned kFirstWithoutInterrupt = 10;

std::vector<std::string> notes_of(std::uint64_t control, const Row* row) {
  std::vector<std::string> notes;
  if (field::ism.get(control) != kIa64Code) notes.emplace_back("ism is not 2, which the processor takes it for");
  if (!row) return notes;
  if (row->line_states && field::line_states.get(control) == 0)
    notes.push_back(fmt::format("never counts: {} counts lines in no state", row->name));
  if (!row->line_states && field::line_states.get(control) != 0)
    notes.push_back(fmt::format("{} has no line states to filter by", row->name));
  if (field::threshold.get(control) >= row->max_per_cycle && field::threshold.get(control) > 0)
    notes.push_back(fmt::format("never counts: {} occurs at most {} times in a cycle, not more than t={}", row->name,
                                row->max_per_cycle, field::threshold.get(control)));
  return notes;
}

using Controls = std::map<unsigned, std::uint64_t>;

bool selects(std::uint64_t control, const Row& row) {
  return !row.is_ear() && row.code == field::es.get(control) && row.umask == field::umask.get(control);
}

/// The L2D set that counter `number` counts, as far as one is chosen for it.
int chosen_set(unsigned number, const Controls& controls) {
  const unsigned chooser = chooser_of(number);
  const auto held = controls.find(chooser);
  if (held == controls.end()) return ia64::kNoSet;
  for (const Row& row : rows())
    if (selects(held->second, row) && row.wires.group == kL2dGroup) return row.wires.set;
  return ia64::kNoSet;
}

/// The row that the control register of counter `number` selects, null when none does. ER_REJECT_ALL_L1_REQ and
/// L2D_OZQ_FULL_THIS have one code: the second is meant where the counter's set is that of the second.
const Row* selected_row(unsigned number, const Controls& controls) {
  const std::uint64_t control = controls.at(number);
  const Row* found = nullptr;
  for (const Row& row : rows()) {
    if (!selects(control, row) || !(row.counters >> (number - kFirstCounter) & 1)) continue;
    if (!found || (row.wires.group == kL2dGroup && row.wires.set == chosen_set(number, controls))) found = &row;
    if (found->wires.group == kL2dGroup) break;
  }
  if (!found || !found->name.ends_with("_EAR_EVENTS")) return found;
  const bool data = found->name == "DATA_EAR_EVENTS";
  const auto ear = controls.find(data ? 40 : 37);
  const Row* named = ear == controls.end() ? nullptr : ia64::ear_event(rows(), data, ear->second);
  return named ? named : found;
}

}  // namespace

MontecitoBackend::MontecitoBackend()
    : info_{"montecito", "Intel dual-core Itanium 2 9000 (Montecito) performance monitor", 4, kCounters, kCounterWidth},
      events_(ia64::events_of(rows(), kSource, kWireGroups)) {}

std::span<const Attribute> MontecitoBackend::attributes() const { return kAttributes; }
std::span<const ForeignAttribute> MontecitoBackend::foreign_attributes() const { return kForeign; }
std::span<const Register> MontecitoBackend::registers() const { return montecito::registers(); }
std::string_view MontecitoBackend::counter_name(unsigned counter) const { return pmd(kFirstCounter + counter).name; }

std::optional<Result<Request>> MontecitoBackend::raw_event(std::string_view head) const {
  constexpr std::uint64_t limit = 0xffff;
  if (head.size() < 2 || !same_word(head.substr(0, 1), "r")) return std::nullopt;
  const auto value = hex_digits(head.substr(1));
  if (!value) return std::nullopt;
  if (*value > limit)
    return Error{ErrorCode::bad_value,
                 fmt::format("{}: the raw form is rUEE or rSUEE, line states (bits I, S, E, M), unit mask and event "
                             "code in up to four hexadecimal digits",
                             quoted(head))};
  Request request;
  request.raw_code = *value & 0xff;
  request.unit_mask = static_cast<std::uint32_t>(*value >> 8);
  request.raw_counters = (1u << kCounters) - 1;
  return request;
}

Result<Qualifiers> MontecitoBackend::parse_qualifiers(const QualifierTexts& texts) const {
  return ia64::read_qualifiers(texts, kQualifiers);
}

std::string MontecitoBackend::canonical(const Row& row, std::uint64_t control) const {
  std::string text = fmt::format("{}::{}", info_.name, row.name);
  if (row.line_states)
    for (const UnitMask& state : ia64::line_state_masks())
      if (field::line_states.get(control) >> state.code & 1) text += fmt::format(":{}", state.name);
  text += fmt::format(":plm={}:t={}", field::plm.get(control), field::threshold.get(control));
  if (field::all.get(control)) text += ":all=1";
  if (field::oi.get(control)) text += ":intr=1";
  if (field::pm.get(control)) text += ":pm=1";
  return text;
}

Result<Encoding> MontecitoBackend::encode(std::span<const Request> requests, const GroupOptions& options) const {
  std::vector<ia64::Wanted> wanted;
  for (const Request& request : requests) wanted.push_back({&request, ia64::row_of(request, events_, rows())});
  const auto in = input_of(wanted, options);
  if (!in) return in.error();
  const auto out = dispatch(*in);
  if (!out) return out.error();
  Encoding encoding = encoding_of(*in, *out);
  bool fine = false;
  for (std::size_t i = 0; i < out->controls.size(); ++i) {
    const auto [number, control] = out->controls[i];
    fine |= number == 38 && field::fine.get(control) != 0;
    if (i >= wanted.size()) continue;
    const unsigned counter = number - kFirstCounter;
    encoding.events.push_back({canonical(wanted[i].row, control), std::string(counter_name(counter)), counter});
    std::vector<std::string> notes = notes_of(control, requests[i].event ? &wanted[i].row : nullptr);
    if (field::plm.get(control) == 0) notes.emplace_back("never counts: plm is 0");
    if (field::oi.get(control) && number >= kFirstWithoutInterrupt)
      notes.push_back(
          fmt::format("erratum 121: while both threads run {} must not interrupt", encoding.events.back().counter));
    for (const std::string& note : notes)
      encoding.warnings.push_back(fmt::format("{}: {}", quoted(requests[i].text), note));
  }
  ia64::warn_about_code(*in, *out, fine, encoding.warnings);
  return encoding;
}

Result<std::vector<Selection>> MontecitoBackend::selections(std::span<const RegisterValue> values) const {
  const auto read = ia64::controls_of(*this, values);
  if (!read) return read.error();
  const auto& controls = *read;
  std::vector<Selection> found;
  if (const auto freeze = controls.find(0); freeze != controls.end() && (freeze->second & 1) != 0) return found;
  for (unsigned counter = 0; counter < kCounters; ++counter) {
    const auto held = controls.find(kFirstCounter + counter);
    if (held == controls.end() || field::plm.get(held->second) == 0) continue;
    const std::uint64_t control = held->second;
    const Row* row = selected_row(kFirstCounter + counter, controls);
    Request raw;
    raw.raw_code = static_cast<std::uint32_t>(field::es.get(control));
    raw.unit_mask =
        static_cast<std::uint32_t>(field::umask.get(control) | field::line_states.get(control) << field::umask.width);
    // A state-filtered event without a state has no name in event strings.
    const bool unsayable = row && row->line_states && field::line_states.get(control) == 0;
    Selection selection;
    selection.counter_index = counter;
    selection.counter = counter_name(counter);
    selection.known = row != nullptr;
    selection.canonical = canonical(row && !unsayable ? *row : ia64::row_of(raw, events_, rows()), control);
    selection.notes = notes_of(control, row);
    if (!row)
      selection.notes.push_back(fmt::format("no event of this counter has code {:#04x} with unit mask {:#x}",
                                            raw.raw_code, field::umask.get(control)));
    if (field::ev.get(control)) selection.notes.emplace_back("ev: an overflow shows on a pin");
    found.push_back(std::move(selection));
  }
  return found;
}

Result<std::uint64_t> MontecitoBackend::preset(unsigned counter, std::uint64_t period) const {
  return ia64::preset(counter_name(counter), kCounterWidth, period);
}

}  // namespace pmusim::encoder::montecito
