#include "backend.h"

#include <fmt/format.h>

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

constexpr std::array<ForeignAttribute, 1> kForeign{{{"ism", "the processor runs IA-64 code only"}}};

constexpr std::string_view kSource = "libpfm 3.10 event table of the dual-core Itanium 2";

/// Erratum 121: this and the following counters must not interrupt while both threads run.
constexpr unsigned kFirstWithoutInterrupt = 10;

using ia64::Controls;

bool selects(std::uint64_t control, const Row& row) {
  return !row.is_ear() && row.code == field::es.get(control) && row.umask == field::umask.get(control);
}

/// The L2D set that is selected for counter `number`; kNoSet if there is none.
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
                   .data_ear = 40,
                   .instruction_ear = 37,
                   .line_states = &field::line_states,
                   .raw_forms = "rUEE or rSUEE",
                   .raw_limit = 0xffff,
                   .raw_explanation =
                       "the raw form is rUEE or rSUEE, line states (bits I, S, E, M), unit mask and event "
                       "code in up to four hexadecimal digits",
                   .no_event = "no event of this counter",
                   .run = ia64::run<input_of, dispatch, encoding_of>}) {}

std::string MontecitoBackend::own_attribute(std::uint64_t control) const {
  return field::all.get(control) ? ":all=1" : "";
}

std::string_view MontecitoBackend::note_of_set(std::uint64_t control) const {
  return field::ism.get(control) != kIa64Code ? "ism is not 2, which the processor takes it for" : "";
}

void MontecitoBackend::add_run_notes(const Row& /*row*/, unsigned number, std::uint64_t control,
                                     const ia64::RunOutput& /*out*/, bool /*fine*/,
                                     std::vector<std::string>& notes) const {
  if (field::oi.get(control) && number >= kFirstWithoutInterrupt)
    notes.push_back(
        fmt::format("erratum 121: while both threads run {} must not interrupt", counter_name(number - kFirstCounter)));
}

// ER_REJECT_ALL_L1_REQ and L2D_OZQ_FULL_THIS have the same code. It stands for the latter if the set of that event is
// selected for the counter.
const Row* MontecitoBackend::selected_row(unsigned number, const Controls& controls) const {
  const std::uint64_t control = controls.at(number);
  const Row* found = nullptr;
  for (const Row& row : rows()) {
    if (!selects(control, row) || !(row.counters >> (number - kFirstCounter) & 1)) continue;
    if (!found || (row.wires.group == kL2dGroup && row.wires.set == chosen_set(number, controls))) found = &row;
    if (found->wires.group == kL2dGroup) break;
  }
  return found;
}

}  // namespace pmusim::encoder::montecito
