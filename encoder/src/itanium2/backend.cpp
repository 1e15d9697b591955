#include "backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "../text.h"
#include "counters.h"
#include "registers.h"
#include "run.h"

namespace pmusim::encoder::itanium2 {
namespace {

using ia64::Row;

constexpr std::array<Attribute, 8> kAttributes{{
    {"k", 0, 1, true, false, "count at privilege level 0"},
    {"u", 0, 1, true, false, "count at privilege level 3"},
    {"plm", 0, 15, false, false, "privilege level mask: bit n is level n; u and k say 8 and 1"},
    {"t", 0, 7, false, false, "threshold: add 1 in cycles with more than t occurrences; 0 adds up all"},
    {"ism", 0, 2, false, false, "instruction set in which to count", "both|ia32|ia64"},
    {"intr", 0, 1, true, false, "freeze and interrupt on overflow"},
    {"pm", 0, 1, true, false, "privileged monitor: run by PSR.pp instead of PSR.up"},
    {"unchecked", 0, 1, true, false, "count although the event ignores a filter of the run"},
}};

constexpr std::array<ForeignAttribute, 9> kForeign{{
    {"c", "its threshold is t=0..7, which counts cycles with more than t occurrences (c=N of other targets is t=N-1)"},
    {"i", "no comparison can be inverted"},
    {"e", "it detects no edges"},
    {"pc", "its pins have no control"},
    {"marked", "the processor has no marked processes"},
    {"unmarked", "the processor has no marked processes"},
    {"tb", "the PMU does not see a time base"},
    {"pal", "that is a level of the Alpha; k is privilege level 0"},
    {"freq", "the period is the counter's start value"},
}};

constexpr std::string_view kSource = "libpfm 3.10 event table of the Itanium 2";

/// Events that prefetches cause as well as demand fetches.
bool counts_both_fetches(const Row& row) {
  constexpr std::array<std::uint8_t, 4> codes{0x41, 0x46, 0x65, 0x66};
  return std::find(codes.begin(), codes.end(), row.code) != codes.end();
}

std::vector<std::string> notes_of(std::uint64_t control, const Row* row) {
  std::vector<std::string> notes;
  if (field::ism.get(control) == 3) notes.emplace_back("never counts: ism is 3");
  if (row && field::threshold.get(control) >= row->max_per_cycle && field::threshold.get(control) > 0)
    notes.push_back(fmt::format("never counts: {} occurs at most {} times in a cycle, not more than t={}", row->name,
                                row->max_per_cycle, field::threshold.get(control)));
  return notes;
}

}  // namespace

Itanium2Backend::Itanium2Backend()
    : info_{"itanium2", "Intel Itanium 2 (McKinley, Madison) performance monitor", 3, kCounters, kCounterWidth},
      events_(ia64::events_of(rows(), kSource, kWireGroups)) {}

std::span<const Attribute> Itanium2Backend::attributes() const { return kAttributes; }
std::span<const ForeignAttribute> Itanium2Backend::foreign_attributes() const { return kForeign; }
std::span<const Register> Itanium2Backend::registers() const { return itanium2::registers(); }
std::string_view Itanium2Backend::counter_name(unsigned counter) const { return pmd(kFirstCounter + counter).name; }

std::optional<Result<Request>> Itanium2Backend::raw_event(std::string_view head) const {
  constexpr std::uint64_t limit = 0xfff;
  if (head.size() < 2 || !same_word(head.substr(0, 1), "r")) return std::nullopt;
  const auto value = hex_digits(head.substr(1));
  if (!value) return std::nullopt;
  if (*value > limit)
    return Error{ErrorCode::bad_value,
                 fmt::format("{}: the raw form is rUEE, unit mask and event code in up to three hexadecimal digits",
                             quoted(head))};
  Request request;
  request.raw_code = *value & 0xff;
  request.unit_mask = static_cast<std::uint32_t>(*value >> 8);
  request.raw_counters = (1u << kCounters) - 1;
  return request;
}

Result<Qualifiers> Itanium2Backend::parse_qualifiers(const QualifierTexts& texts) const {
  return ia64::read_qualifiers(texts, kQualifiers);
}

Row Itanium2Backend::row_of(const Request& request) const { return ia64::row_of(request, events_, rows()); }

std::string Itanium2Backend::canonical(const Row& row, std::uint64_t control) const {
  static constexpr std::array sets{"both", "ia32", "ia64", "never"};
  std::string text = fmt::format("{}::{}:plm={}:t={}:ism={}", info_.name, row.name, field::plm.get(control),
                                 field::threshold.get(control), sets.at(field::ism.get(control)));
  if (field::oi.get(control)) text += ":intr=1";
  if (field::pm.get(control)) text += ":pm=1";
  return text;
}

Result<Encoding> Itanium2Backend::encode(std::span<const Request> requests, const GroupOptions& options) const {
  std::vector<ia64::Wanted> wanted;
  for (const Request& request : requests) wanted.push_back({&request, row_of(request)});
  const auto in = input_of(wanted, options);
  if (!in) return in.error();
  const auto out = dispatch(*in);
  if (!out) return out.error();
  Encoding encoding = encoding_of(*in, *out);
  const bool fine = std::any_of(out->controls.begin(), out->controls.end(), [](const ia64::ControlValue& control) {
    return control.number == 14 && field::fine.get(control.value) != 0;
  });
  const bool one_kind_of_fetch = out->code_ranges && !(fine && out->code_ranges->uses_pair(1));
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto [number, control] = out->controls[i];
    const unsigned counter = number - kFirstCounter;
    encoding.events.push_back({canonical(wanted[i].row, control), std::string(counter_name(counter)), counter});
    std::vector<std::string> notes = notes_of(control, &wanted[i].row);
    if (field::plm.get(control) == 0) notes.emplace_back("never counts: plm is 0");
    if (one_kind_of_fetch && counts_both_fetches(wanted[i].row))
      notes.emplace_back(
          "the code range holds for demand fetches only; prefetches follow tag channel 1 and count everywhere unless a "
          "second fine range says where");
    for (const std::string& note : notes)
      encoding.warnings.push_back(fmt::format("{}: {}", quoted(requests[i].text), note));
  }
  ia64::warn_about_code(*in, *out, fine, encoding.warnings);
  return encoding;
}

Result<std::vector<Selection>> Itanium2Backend::selections(std::span<const RegisterValue> values) const {
  const auto read = ia64::controls_of(*this, values);
  if (!read) return read.error();
  const auto& controls = *read;
  std::vector<Selection> found;
  if (const auto freeze = controls.find(0); freeze != controls.end() && (freeze->second & 1) != 0) return found;
  for (unsigned counter = 0; counter < kCounters; ++counter) {
    const auto held = controls.find(kFirstCounter + counter);
    if (held == controls.end() || field::plm.get(held->second) == 0) continue;
    const std::uint64_t control = held->second;
    const auto match = std::find_if(rows().begin(), rows().end(), [&](const Row& row) {
      return !row.is_ear() && row.code == field::es.get(control) && row.umask == field::umask.get(control);
    });
    const Row* row = match == rows().end() ? nullptr : &*match;
    if (row && row->name.ends_with("_EAR_EVENTS")) {
      const bool data = row->name == "DATA_EAR_EVENTS";
      if (const auto ear = controls.find(data ? 11 : 10); ear != controls.end())
        if (const Row* named = ia64::ear_event(rows(), data, ear->second)) row = named;
    }
    Selection selection;
    selection.counter_index = counter;
    selection.counter = counter_name(counter);
    selection.known = row != nullptr;
    Request raw;
    raw.raw_code = static_cast<std::uint32_t>(field::es.get(control));
    raw.unit_mask = static_cast<std::uint32_t>(field::umask.get(control));
    selection.canonical = canonical(row ? *row : row_of(raw), control);
    selection.notes = notes_of(control, row);
    if (!row)
      selection.notes.push_back(
          fmt::format("no event has code {:#04x} with unit mask {:#x}", raw.raw_code, raw.unit_mask));
    if (field::ev.get(control)) selection.notes.emplace_back("ev: an overflow shows on a pin");
    if (const auto power = controls.find(kFirstCounter); power != controls.end() && !field::enable.get(power->second))
      selection.notes.emplace_back("nothing counts: the enable bit of PMC4 is 0");
    found.push_back(std::move(selection));
  }
  return found;
}

Result<std::uint64_t> Itanium2Backend::preset(unsigned counter, std::uint64_t period) const {
  return ia64::preset(counter_name(counter), kCounterWidth, period);
}

}  // namespace pmusim::encoder::itanium2
