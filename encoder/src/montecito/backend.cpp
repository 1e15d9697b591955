// The Montecito encoder: twelve counters for one thread or both, constraints on the sets of cache events, two EARs, the
// execution trace buffer with its IP-EAR, matchers of all opcode bits and address ranges.
#include "encoder/src/ia64/backend.h"

#include <fmt/format.h>

#include <array>
#include <span>

#include "dispatch.h"
#include "encoder/src/text.h"
#include "registers.h"

namespace pmusim::encoder::montecito {

namespace {

constexpr ia64::QualifierForm kQualifiers{
    .target = "montecito", .instruction_sets = false, .prediction_details = false, .ip_ear = true, .fetch_kinds = true};

using ia64::Failed;

Failed add_matchers(const std::vector<OpcodeFilter>& filters, Input& in) {
  if (filters.size() > 2)
    return Error{ErrorCode::bad_qualifier,
                 fmt::format("{} opcode filters; there are two matchers, PMC32-33 and PMC34-35", filters.size())};
  for (std::size_t i = 0; i < filters.size(); ++i) {
    const OpcodeFilter& filter = filters[i];
    (i == 0 ? in.matcher1 : in.matcher2) = {true, filter.m, filter.i, filter.f, filter.b, filter.match, filter.mask};
  }
  return std::nullopt;
}

/// Reads the attributes of event strings that exist on this processor only.
Failed read_threads_and_states(const Request& request, ia64::CounterInput& event) {
  const auto all = request.settings.get("all");
  const auto own = request.settings.get("me");
  if (all && own && (*all != 0) == (*own != 0))
    return Error{ErrorCode::attribute_conflict,
                 fmt::format("{}: me and all exclude each other; name one", in_quotes(request.text))};
  event.all_threads = all ? *all != 0 : own && *own == 0;
  event.line_states = request.event ? request.unit_mask : request.unit_mask >> 4;
  return std::nullopt;
}

/// Values of all control registers that neither monitor nor filter.
std::map<unsigned, std::uint64_t> unused_controls() {
  std::map<unsigned, std::uint64_t> values{{32, kMatchEverything},
                                           {33, 0},
                                           {34, kMatchEverythingElse},
                                           {35, 0},
                                           {36, kRouting},
                                           {37, 0},
                                           {38, ia64::kUnconstrainedCode},
                                           {39, 0},
                                           {40, field::ism.put(kIa64Code)},
                                           {41, ia64::kUnconstrainedData},
                                           {42, 0}};
  for (unsigned counter = 0; counter < kCounters; ++counter)
    values[ia64::kFirstCounter + counter] = field::ism.put(kIa64Code);
  return values;
}

/// The input of dispatch(). `events` must outlive it.
Result<Input> input_of(std::span<const ia64::Wanted> events, const GroupOptions& options) {
  Input in;
  if (auto failed = ia64::read_run(events, options, kQualifiers, in)) return *std::move(failed);
  for (std::size_t i = 0; i < events.size(); ++i)
    if (auto failed = read_threads_and_states(*events[i].request, in.events[i])) return *std::move(failed);
  if (auto failed = add_matchers(options.qualifiers.opcodes, in)) return *std::move(failed);
  if (const auto& filter = options.qualifiers.instructions) {
    in.ip_ear = {true, filter->levels, filter->delay};
    in.ip_ear.privileged = !in.events.empty() && in.events.front().privileged;
  }
  return in;
}

/// The registers and the covered ranges, without the entries of the events and the warnings.
Encoding encoding_of(const Input& in, const ia64::RunOutput& out) {
  std::map<unsigned, std::uint64_t> controls = unused_controls();
  for (const ia64::ControlValue& control : out.controls) controls[control.number] = control.value;
  return ia64::encoding_of(in, out, controls, registers());
}

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

std::string own_attribute(std::uint64_t control) { return field::all.get(control) ? ":all=1" : ""; }

std::string_view note_of_set(std::uint64_t control) {
  return field::ism.get(control) != kIa64Code ? "ism is not 2, which the processor takes it for" : "";
}

void add_run_notes(const Row& /*row*/, unsigned number, std::uint64_t control, const ia64::RunOutput& /*out*/,
                   bool /*fine*/, std::vector<std::string>& notes) {
  if (field::oi.get(control) && number >= kFirstWithoutInterrupt)
    notes.push_back(fmt::format("erratum 121: while both threads run {} must not interrupt",
                                ia64::find_register(montecito::registers(), "pmd", number).name));
}

// ER_REJECT_ALL_L1_REQ and L2D_OZQ_FULL_THIS have the same code. It stands for the latter if the set of that event is
// selected for the counter.
const Row* selected_row(unsigned number, const Controls& controls) {
  const std::uint64_t control = controls.at(number);
  const Row* found = nullptr;
  for (const Row& row : rows()) {
    if (!selects(control, row) || !(row.counters >> (number - kFirstCounter) & 1)) continue;
    if (!found || (row.wires.group == kL2dGroup && row.wires.set == chosen_set(number, controls))) found = &row;
    if (found->wires.group == kL2dGroup) break;
  }
  return found;
}

}  // namespace

std::unique_ptr<const Backend> make_backend() {
  return ia64::make(ia64::Chip{.info = {"montecito", "Intel dual-core Itanium 2 9000 (Montecito) performance monitor",
                                        4, kCounters, kCounterWidth},
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
                               .run = ia64::run<input_of, dispatch, encoding_of>,
                               .own_attribute = own_attribute,
                               .note_of_set = note_of_set,
                               .add_run_notes = add_run_notes,
                               .selected_row = selected_row});
}

}  // namespace pmusim::encoder::montecito
