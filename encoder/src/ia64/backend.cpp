#include "backend.h"

#include <fmt/format.h>

#include <algorithm>

#include "encoder/src/text.h"
#include "registers.h"

namespace pmusim::encoder::ia64 {

Ia64Backend::Ia64Backend(Chip chip)
    : chip_(std::move(chip)), events_(events_of(chip_.rows, chip_.source, chip_.wire_groups)) {}

std::string_view Ia64Backend::counter_name(unsigned counter) const {
  return find_register(chip_.registers, "pmd", kFirstCounter + counter).name;
}

std::optional<Result<Request>> Ia64Backend::raw_event(std::string_view head) const {
  if (head.size() < 2 || !same_word(head.substr(0, 1), "r")) return std::nullopt;
  const auto value = hex_digits(head.substr(1));
  if (!value) return std::nullopt;
  if (*value > chip_.raw_limit)
    return Error{ErrorCode::bad_value, fmt::format("{}: {}", quoted(head), chip_.raw_explanation)};
  Request request;
  request.raw_code = *value & field::es.limit();
  request.unit_mask = static_cast<std::uint32_t>(*value >> field::es.width);
  request.raw_counters = (1u << chip_.info.counters) - 1;
  return request;
}

Result<Qualifiers> Ia64Backend::parse_qualifiers(const QualifierTexts& texts) const {
  return read_qualifiers(texts, chip_.qualifiers);
}

Result<Encoding> Ia64Backend::encode(std::span<const Request> requests, const GroupOptions& options) const {
  std::vector<Wanted> wanted;
  for (const Request& request : requests) wanted.push_back({&request, row_of(request, events_, chip_.rows)});
  const auto run = dispatched(wanted, options);
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
    add_run_notes(row, number, control, run->out, fine, notes);
    for (const std::string& note : notes)
      encoding.warnings.push_back(fmt::format("{}: {}", quoted(requests[i].text), note));
  }
  warn_about_ranges(run->in, run->out, fine, encoding.warnings);
  return encoding;
}

Result<std::vector<Selection>> Ia64Backend::selections(std::span<const RegisterValue> values) const {
  const auto read = controls_of(*this, values);
  if (!read) return read.error();
  const Controls& controls = *read;
  std::vector<Selection> found;
  if (const auto freeze = controls.find(0); freeze != controls.end() && (freeze->second & 1) != 0) return found;
  for (unsigned counter = 0; counter < chip_.info.counters; ++counter) {
    const auto held = controls.find(kFirstCounter + counter);
    if (held == controls.end() || field::plm.get(held->second) == 0) continue;
    const std::uint64_t control = held->second;
    const Row* const row = selected_row(kFirstCounter + counter, controls);
    Request raw;
    raw.raw_code = static_cast<std::uint32_t>(field::es.get(control));
    raw.unit_mask = raw_mask(control);
    Selection selection;
    selection.counter_index = counter;
    selection.counter = counter_name(counter);
    selection.known = row != nullptr;
    const bool named = row != nullptr && has_name(*row, control);
    selection.canonical = canonical(named ? *row : row_of(raw, events_, chip_.rows), control);
    selection.notes = notes_of(control, row);
    if (!row) selection.notes.push_back(unknown_code(control));
    if (field::ev.get(control)) selection.notes.emplace_back("ev: an overflow shows on a pin");
    add_common_notes(controls, selection.notes);
    found.push_back(std::move(selection));
  }
  return found;
}

Result<std::uint64_t> Ia64Backend::preset(unsigned counter, std::uint64_t period) const {
  return ia64::preset(counter_name(counter), chip_.info.counter_width, period);
}

const Row* Ia64Backend::named_by_ear(const Row* row, unsigned data_ear, unsigned instruction_ear,
                                     const Controls& controls) const {
  if (!row || !row->name.ends_with("_EAR_EVENTS")) return row;
  const bool data = row->name == "DATA_EAR_EVENTS";
  const auto ear = controls.find(data ? data_ear : instruction_ear);
  const Row* const named = ear == controls.end() ? nullptr : ear_event(chip_.rows, data, ear->second);
  return named ? named : row;
}

void add_threshold_note(std::uint64_t control, const Row& row, std::vector<std::string>& notes) {
  const std::uint64_t threshold = field::threshold.get(control);
  if (threshold == 0 || threshold < row.max_per_cycle) return;
  notes.push_back(fmt::format("never counts: {} occurs at most {} times in a cycle, not more than t={}", row.name,
                              row.max_per_cycle, threshold));
}

}  // namespace pmusim::encoder::ia64
