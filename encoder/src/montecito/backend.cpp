#include "backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

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

using ia64::Controls;

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

}  // namespace

MontecitoBackend::MontecitoBackend()
    : Ia64Backend({.info = {"montecito", "Intel dual-core Itanium 2 9000 (Montecito) performance monitor", 4, kCounters,
                            kCounterWidth},
                   .attributes = kAttributes,
                   .foreign_attributes = kForeign,
                   .registers = montecito::registers(),
                   .rows = rows(),
                   .source = kSource,
                   .wire_groups = kWireGroups,
                   .qualifiers = kQualifiers,
                   .code_ranges = 38,
                   .raw_forms = "rUEE or rSUEE",
                   .raw_limit = 0xffff,
                   .raw_explanation =
                       "the raw form is rUEE or rSUEE, line states (bits I, S, E, M), unit mask and event "
                       "code in up to four hexadecimal digits"}) {}

Result<ia64::Ia64Backend::Dispatched> MontecitoBackend::dispatched(std::span<const ia64::Wanted> events,
                                                                   const GroupOptions& options) const {
  const auto in = input_of(events, options);
  if (!in) return in.error();
  const auto out = dispatch(*in);
  if (!out) return out.error();
  return Dispatched{*in, *out, encoding_of(*in, *out)};
}

std::string MontecitoBackend::canonical(const Row& row, std::uint64_t control) const {
  std::string text = fmt::format("{}::{}", info().name, row.name);
  if (row.line_states)
    for (const UnitMask& state : ia64::line_state_masks())
      if (field::line_states.get(control) >> state.code & 1) text += fmt::format(":{}", state.name);
  text += fmt::format(":plm={}:t={}", field::plm.get(control), field::threshold.get(control));
  if (field::all.get(control)) text += ":all=1";
  if (field::oi.get(control)) text += ":intr=1";
  if (field::pm.get(control)) text += ":pm=1";
  return text;
}

std::vector<std::string> MontecitoBackend::notes_of(std::uint64_t control, const Row* row) const {
  std::vector<std::string> notes;
  if (field::ism.get(control) != kIa64Code) notes.emplace_back("ism is not 2, which the processor takes it for");
  if (!row) return notes;
  if (row->line_states && field::line_states.get(control) == 0)
    notes.push_back(fmt::format("never counts: {} counts lines in no state", row->name));
  if (!row->line_states && field::line_states.get(control) != 0)
    notes.push_back(fmt::format("{} has no line states to filter by", row->name));
  ia64::add_threshold_note(control, *row, notes);
  return notes;
}

void MontecitoBackend::add_run_notes(const Row& /*row*/, unsigned number, std::uint64_t control,
                                     const ia64::RunOutput& /*out*/, bool /*fine*/,
                                     std::vector<std::string>& notes) const {
  if (field::oi.get(control) && number >= kFirstWithoutInterrupt)
    notes.push_back(
        fmt::format("erratum 121: while both threads run {} must not interrupt", counter_name(number - kFirstCounter)));
}

// ER_REJECT_ALL_L1_REQ and L2D_OZQ_FULL_THIS have one code: the second is meant where the counter's set is that of the
// second.
const Row* MontecitoBackend::selected_row(unsigned number, const Controls& controls) const {
  const std::uint64_t control = controls.at(number);
  const Row* found = nullptr;
  for (const Row& row : rows()) {
    if (!selects(control, row) || !(row.counters >> (number - kFirstCounter) & 1)) continue;
    if (!found || (row.wires.group == kL2dGroup && row.wires.set == chosen_set(number, controls))) found = &row;
    if (found->wires.group == kL2dGroup) break;
  }
  return named_by_ear(found, 40, 37, controls);
}

std::uint32_t MontecitoBackend::raw_mask(std::uint64_t control) const {
  return static_cast<std::uint32_t>(field::umask.get(control) | field::line_states.get(control) << field::umask.width);
}

// A state-filtered event without a state has no name in event strings.
bool MontecitoBackend::has_name(const Row& row, std::uint64_t control) const {
  return !row.line_states || field::line_states.get(control) != 0;
}

std::string MontecitoBackend::unknown_code(std::uint64_t control) const {
  return fmt::format("no event of this counter has code {:#04x} with unit mask {:#x}", field::es.get(control),
                     field::umask.get(control));
}

void MontecitoBackend::add_common_notes(const Controls& /*controls*/, std::vector<std::string>& /*notes*/) const {}

}  // namespace pmusim::encoder::montecito
