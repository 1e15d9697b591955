#include "backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "encoder/src/engine.h"
#include "encoder/src/text.h"
#include "registers.h"

namespace pmusim::encoder::ia64 {

namespace {

constexpr std::array<ForeignAttribute, 9> kForeign{{
    {"c", "its threshold is t=0..7, which counts cycles with more than t occurrences (c=N of other targets is t=N-1)"},
    {"i", "no comparison can be inverted"},
    {"e", "it detects no edges"},
    {"pc", "its pins have no control"},
    {"marked", "the processor has no marked processes"},
    {"unmarked", "the processor has no marked processes"},
    {"tb", "the PMU does not see a time base"},
    {"pal", "it has no PALmode; k is privilege level 0"},
    {"freq", "the period is the counter's start value"},
}};

/// The row of an event of the table, or a new row for a raw event. Nothing is known about a raw event, therefore it may
/// use each of its counters, and all filters apply to it.
Row row_of(const Request& request, const std::vector<Event>& events, const std::vector<Row>& rows) {
  if (request.event) return rows[static_cast<std::size_t>(request.event - events.data())];
  Row row;
  row.name = fmt::format("r{:x}{:02x}", request.unit_mask, request.raw_code);
  row.code = static_cast<std::uint8_t>(request.raw_code);
  row.umask = static_cast<std::uint16_t>(request.unit_mask & 0xf);
  row.counters = request.raw_counters;
  row.max_per_cycle = static_cast<unsigned>(field::threshold.limit()) + 1;
  row.filters = kCode | kOpcode | kData;
  return row;
}

/// The EAR event that corresponds to the mode and unit mask in `control`, the control register of the data EAR (`data`)
/// or of the instruction EAR. Null if there is none or the EAR is off.
const Row* ear_event(const std::vector<Row>& rows, bool data, std::uint64_t control) {
  if (field::plm.get(control) == 0) return nullptr;
  EventKind kind;
  std::uint64_t umask;
  if (data) {
    static constexpr std::array kinds{EventKind::data_cache, EventKind::data_tlb, EventKind::data_alat,
                                      EventKind::data_alat};
    kind = kinds.at(field::dear_mode.get(control));
    umask = kind == EventKind::data_alat ? 0 : field::umask.get(control);
  } else {
    kind = field::iear_ct.get(control) ? EventKind::instruction_cache : EventKind::instruction_tlb;
    umask = field::iear_cache_umask.get(control);
  }
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.kind == kind && row.umask == umask; });
  return found == rows.end() ? nullptr : &*found;
}

/// The values of the control registers among `values`, by PMC number.
Result<std::map<unsigned, std::uint64_t>> controls_of(const Backend& backend, std::span<const RegisterValue> values) {
  std::map<unsigned, std::uint64_t> controls;
  for (const RegisterValue& value : values) {
    const auto reg = match_register(backend, value);
    if (!reg) return reg.error();
    if ((*reg)->space == "pmc") controls[(*reg)->number] = value.value;
  }
  return controls;
}

/// Adds warnings about ranges: filters that apply to some tag channels only, and levels that the hardware ignores.
void warn_about_ranges(const RunInput& in, const RunOutput& out, std::vector<std::string>& warnings) {
  const auto names_levels = [](const Interval& limit) { return limit.end != 0 && limit.levels != 0; };
  if (std::any_of(in.data.limits.begin(), in.data.limits.end(), names_levels))
    warnings.emplace_back("levels of a data range are written and ignored: the monitors compare addresses alone");
  if (!out.code_ranges) return;
  const RangeRegisters& ranges = *out.code_ranges;
  if (in.code.inverse && (ranges.uses_pair(1) || ranges.uses_pair(3)))
    warnings.emplace_back("inverse holds for tag channel 0 only; this run uses debug register pairs of others, too");
}

class Ia64Backend final : public Backend {
 public:
  explicit Ia64Backend(const Chip& chip)
      : Backend({.info = chip.info,
                 .attributes = chip.attributes,
                 .foreign_attributes = joined(kForeign, chip.foreign_attributes),
                 .registers = chip.registers,
                 .counter_names = names_of(chip.registers, "pmd", kFirstCounter, chip.info.counters),
                 .raw_forms = chip.raw_forms}),
        chip_(chip) {
    events_ = events_of(chip_.rows, chip_.source, chip_.wire_groups);
    reserved_events_ = events_of({chip_.undefined.begin(), chip_.undefined.end()}, chip_.source, chip_.wire_groups);
    for (Event& event : reserved_events_) event.max_per_cycle = 0;
  }

  [[nodiscard]] std::optional<Result<Request>> raw_event(std::string_view head) const final {
    if (head.size() < 2 || !same_word(head.substr(0, 1), "r")) return std::nullopt;
    const auto value = hex_digits(head.substr(1));
    if (!value) return std::nullopt;
    if (*value > chip_.raw_limit)
      return Error{ErrorCode::bad_value, fmt::format("{}: {}", in_quotes(head), chip_.raw_explanation)};
    Request request;
    request.raw_code = *value & field::es.limit();
    request.unit_mask = static_cast<std::uint32_t>(*value >> field::es.width);
    request.raw_counters = (1u << chip_.info.counters) - 1;
    return request;
  }

  [[nodiscard]] Result<Qualifiers> parse_qualifiers(const QualifierTexts& texts) const final {
    return read_qualifiers(texts, chip_.qualifiers);
  }

  [[nodiscard]] Result<Encoding> encode(std::span<const Request> requests, const GroupOptions& options) const final {
    std::vector<Wanted> wanted;
    for (const Request& request : requests) wanted.push_back({&request, row_of(request, events_, chip_.rows)});
    const auto run = chip_.run(wanted, options);
    if (!run) return run.error();
    const std::vector<ControlValue>& controls = run->out.controls;
    Encoding encoding = run->encoding;
    const bool fine = std::any_of(controls.begin(), controls.end(), [&](const ControlValue& control) {
      return control.number == chip_.code_ranges && field::fine.get(control.value) != 0;
    });
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const auto [number, control] = controls[i];
      const Row& row = wanted[i].row;
      const unsigned counter = number - kFirstCounter;
      encoding.events.push_back({canonical(row, control), std::string(counter_name(counter)), counter});
      std::vector<std::string> notes = notes_of(control, requests[i].event ? &row : nullptr);
      if (field::plm.get(control) == 0) notes.emplace_back("never counts: plm is 0");
      chip_.add_run_notes(row, number, control, run->out, fine, notes);
      for (const std::string& note : notes)
        encoding.warnings.push_back(fmt::format("{}: {}", in_quotes(requests[i].text), note));
    }
    warn_about_ranges(run->in, run->out, encoding.warnings);
    return encoding;
  }

  [[nodiscard]] Result<std::vector<Selection>> selections(std::span<const RegisterValue> values) const final {
    const auto read = controls_of(*this, values);
    if (!read) return read.error();
    const Controls& controls = *read;
    std::vector<Selection> found;
    if (const auto freeze = controls.find(0); freeze != controls.end() && (freeze->second & 1) != 0) return found;
    for (unsigned counter = 0; counter < chip_.info.counters; ++counter) {
      const auto held = controls.find(kFirstCounter + counter);
      if (held == controls.end() || field::plm.get(held->second) == 0) continue;
      const std::uint64_t control = held->second;
      const Row* const row = named_by_ear(chip_.selected_row(kFirstCounter + counter, controls), controls);
      Request raw;
      raw.raw_code = static_cast<std::uint32_t>(field::es.get(control));
      raw.unit_mask = static_cast<std::uint32_t>(field::umask.get(control) | states_of(control) << field::umask.width);
      Selection selection;
      selection.counter_index = counter;
      selection.counter = counter_name(counter);
      selection.known = row != nullptr;
      // Event strings cannot express an event with line states of which none is selected.
      const bool named = row != nullptr && !(row->line_states && states_of(control) == 0);
      selection.canonical = canonical(named ? *row : row_of(raw, events_, chip_.rows), control);
      selection.notes = notes_of(control, row);
      if (!row) add_unlisted(control, selection);
      if (field::ev.get(control)) selection.notes.emplace_back("ev: an overflow shows on a pin");
      if (chip_.add_common_notes) chip_.add_common_notes(controls, selection.notes);
      found.push_back(std::move(selection));
    }
    return found;
  }

  [[nodiscard]] Result<std::uint64_t> preset(unsigned counter, std::uint64_t period) const final {
    return start_value(counter, period, std::uint64_t{1} << chip_.info.counter_width);
  }

 private:
  /// The event string for the value of a counter's control register.
  [[nodiscard]] std::string canonical(const Row& row, std::uint64_t control) const {
    std::string text = fmt::format("{}::{}", info().name, row.name);
    if (row.line_states)
      for (const UnitMask& state : line_state_masks())
        if (states_of(control) >> state.code & 1) text += fmt::format(":{}", state.name);
    text += fmt::format(":plm={}:t={}{}", field::plm.get(control), field::threshold.get(control),
                        chip_.own_attribute(control));
    if (field::oi.get(control)) text += ":intr=1";
    if (field::pm.get(control)) text += ":pm=1";
    return text;
  }

  /// Notes about a control register; `row` is null if it selects no row of the table.
  [[nodiscard]] std::vector<std::string> notes_of(std::uint64_t control, const Row* row) const {
    std::vector<std::string> notes;
    if (const std::string_view note = chip_.note_of_set(control); !note.empty()) notes.emplace_back(note);
    if (!row) return notes;
    const std::uint64_t states = states_of(control);
    if (row->line_states && states == 0)
      notes.push_back(fmt::format("never counts: {} counts lines in no state", row->name));
    if (!row->line_states && states != 0) notes.push_back(fmt::format("{} has no line states to filter by", row->name));
    const std::uint64_t threshold = field::threshold.get(control);
    if (threshold != 0 && threshold >= row->max_per_cycle)
      notes.push_back(fmt::format("never counts: {} occurs at most {} times in a cycle, not more than t={}", row->name,
                                  row->max_per_cycle, threshold));
    return notes;
  }

  /// Describes a counter whose control register selects no row of the table.
  void add_unlisted(std::uint64_t control, Selection& selection) const {
    const std::uint64_t code = field::es.get(control), umask = field::umask.get(control);
    const auto in = [&](std::span<const Row> list) {
      const auto found = std::find_if(list.begin(), list.end(),
                                      [&](const Row& row) { return row.code == code && row.umask == umask; });
      return found == list.end() ? nullptr : &*found;
    };
    const std::string selector = fmt::format("code {:#04x} with unit mask {:#x}", code, umask);
    if (const Row* const same = in(chip_.other_codes)) {
      selection.known = true;
      selection.notes = notes_of(control, same);
      selection.notes.push_back(fmt::format("{} also selects {} in Intel's event list", selector, same->name));
    } else if (const Row* const named = in(chip_.undefined)) {
      selection.known = true;
      selection.notes.push_back(fmt::format(
          "not modelled: {} is {} in Intel's event list, and no document says what it counts", selector, named->name));
    } else {
      selection.notes.push_back(fmt::format("{} has {}", chip_.no_event, selector));
    }
  }

  /// The line states that a control register passes.
  [[nodiscard]] std::uint64_t states_of(std::uint64_t control) const {
    return chip_.line_states ? chip_.line_states->get(control) : 0;
  }

  /// If `row` stands for all events of an EAR, the row of the event for which the EAR is configured; else `row`.
  [[nodiscard]] const Row* named_by_ear(const Row* row, const Controls& controls) const {
    if (!row || !row->name.ends_with("_EAR_EVENTS")) return row;
    const bool data = row->name == "DATA_EAR_EVENTS";
    const auto ear = controls.find(data ? chip_.data_ear : chip_.instruction_ear);
    const Row* const named = ear == controls.end() ? nullptr : ear_event(chip_.rows, data, ear->second);
    return named ? named : row;
  }

  Chip chip_;
};

}  // namespace

std::unique_ptr<const Backend> make(const Chip& chip) { return std::make_unique<Ia64Backend>(chip); }

}  // namespace pmusim::encoder::ia64
