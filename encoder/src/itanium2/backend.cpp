#include "backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "counters.h"
#include "registers.h"
#include "run.h"
#include "table.h"

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

constexpr std::string_view kSource = "libpfm 3.10 event table of the Itanium 2";

/// True for events that both demand fetches and prefetches cause.
bool counts_both_fetches(const Row& row) {
  constexpr std::array<std::uint8_t, 4> codes{0x41, 0x46, 0x65, 0x66};
  return std::find(codes.begin(), codes.end(), row.code) != codes.end();
}

}  // namespace

Itanium2Backend::Itanium2Backend()
    : Ia64Backend(
          {.info = {"itanium2", "Intel Itanium 2 (McKinley, Madison) performance monitor", 3, kCounters, kCounterWidth},
           .attributes = kAttributes,
           .foreign_attributes = {},
           .registers = itanium2::registers(),
           .rows = rows(),
           .other_codes = other_codes(),
           .undefined = undefined_rows(),
           .source = kSource,
           .wire_groups = kWireGroups,
           .qualifiers = kQualifiers,
           .code_ranges = 14,
           .data_ear = 11,
           .instruction_ear = 10,
           .raw_forms = "rUEE",
           .raw_limit = 0xfff,
           .raw_explanation = "the raw form is rUEE, unit mask and event code in up to three hexadecimal "
                              "digits",
           .no_event = "no event",
           .run = ia64::run<input_of, dispatch, encoding_of>}) {}

std::string Itanium2Backend::own_attribute(std::uint64_t control) const {
  static constexpr std::array sets{"both", "ia32", "ia64", "never"};
  return fmt::format(":ism={}", sets.at(field::ism.get(control)));
}

std::string_view Itanium2Backend::note_of_set(std::uint64_t control) const {
  return field::ism.get(control) == 3 ? "never counts: ism is 3" : "";
}

void Itanium2Backend::add_run_notes(const Row& row, unsigned /*number*/, std::uint64_t /*control*/,
                                    const ia64::RunOutput& out, bool fine, std::vector<std::string>& notes) const {
  const bool one_kind_of_fetch = out.code_ranges && !(fine && out.code_ranges->uses_pair(1));
  if (one_kind_of_fetch && counts_both_fetches(row))
    notes.emplace_back(
        "the code range holds for demand fetches only; prefetches follow tag channel 1 and count everywhere unless the "
        "same fine range is given twice");
  const bool details = std::any_of(out.controls.begin(), out.controls.end(), [](const ia64::ControlValue& reg) {
    return reg.number == 12 && field::ds.get(reg.value) != 0;
  });
  if (details && row.kind == ia64::Kind::branch_buffer)
    notes.emplace_back(
        "ds=prediction is without effect in the model: no document says what the prediction bits hold, and the entries "
        "have 0 there beside the bits of the target that are left");
}

const Row* Itanium2Backend::selected_row(unsigned number, const ia64::Controls& controls) const {
  const std::uint64_t control = controls.at(number);
  const auto match = std::find_if(rows().begin(), rows().end(), [&](const Row& row) {
    return !row.is_ear() && row.code == field::es.get(control) && row.umask == field::umask.get(control);
  });
  return match == rows().end() ? nullptr : &*match;
}

void Itanium2Backend::add_common_notes(const ia64::Controls& controls, std::vector<std::string>& notes) const {
  const auto power = controls.find(kFirstCounter);
  if (power != controls.end() && !field::enable.get(power->second))
    notes.emplace_back("nothing counts: the enable bit of PMC4 is 0");
}

}  // namespace pmusim::encoder::itanium2
