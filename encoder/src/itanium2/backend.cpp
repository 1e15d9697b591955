// The Itanium 2 encoder: four counters with constraints on the sets of cache events, two EARs, the branch trace buffer,
// opcode matchers and address ranges.
#include "encoder/src/ia64/backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "dispatch.h"
#include "registers.h"

namespace pmusim::encoder::itanium2 {

namespace {

constexpr ia64::QualifierForm kQualifiers{
    .target = "itanium2", .instruction_sets = true, .prediction_details = true, .ip_ear = false, .fetch_kinds = false};

using ia64::Failed;

/// The opcode bits that PMC8 and PMC9 compare: 12:0 and 40:27.
constexpr unsigned kLowBits = 13;
constexpr unsigned kHighFrom = 27;
constexpr std::uint64_t kUncompared = ((std::uint64_t{1} << kHighFrom) - 1) & ~((std::uint64_t{1} << kLowBits) - 1);

/// Bits 63:16 of PMC14 after reset: no field is there, and they keep their value, as unused bits of other registers do.
/// libpfm writes 0 to them (the C API does, too), and Linux puts the reset value in its place.
constexpr std::uint64_t kUnusedCode = 0x0db60db60db60000;

std::uint64_t matcher_bits(std::uint64_t opcode) {
  return (opcode & ((1u << kLowBits) - 1)) | opcode >> kHighFrom << kLowBits;
}

Failed add_matchers(const std::vector<OpcodeFilter>& filters, Input& in) {
  if (filters.size() > 2)
    return Error{ErrorCode::bad_qualifier,
                 fmt::format("{} opcode filters; there are two matchers, PMC8 and PMC9", filters.size())};
  for (std::size_t i = 0; i < filters.size(); ++i) {
    const OpcodeFilter& filter = filters[i];
    if ((filter.mask & kUncompared) != kUncompared)
      return Error{
          ErrorCode::bad_qualifier,
          fmt::format("opcode filter {:#x}/{:#x}: bits 26 to 13 of an instruction cannot be compared; set them "
                      "in the mask: {:#x}",
                      filter.match, filter.mask, filter.mask | kUncompared)};
    MatcherInput& matcher = i == 0 ? in.pmc8 : in.pmc9;
    matcher.used = true;
    matcher.value = field::opcode_match.put(matcher_bits(filter.match)) |
                    field::opcode_mask.put(matcher_bits(filter.mask)) | field::slot_m.put(filter.m) |
                    field::slot_i.put(filter.i) | field::slot_f.put(filter.f) | field::slot_b.put(filter.b);
  }
  return std::nullopt;
}

/// The input of dispatch(). `events` must outlive it.
Result<Input> input_of(std::span<const ia64::Wanted> events, const GroupOptions& options) {
  Input in;
  if (auto failed = ia64::read_run(events, options, kQualifiers, in)) return *std::move(failed);
  if (auto failed = add_matchers(options.qualifiers.opcodes, in)) return *std::move(failed);
  return in;
}

/// The registers and the covered ranges, without the entries of the events and the warnings.
Encoding encoding_of(const Input& in, const ia64::RunOutput& out) {
  // Unused registers get values that neither monitor nor filter.
  std::map<unsigned, std::uint64_t> controls;
  for (unsigned number = kFirstCounter; number < 16; ++number) controls[number] = 0;
  controls[8] = kMatchEverything;
  controls[9] = field::bit2.put(1) | field::ig_ad.set(kMatchEverything, 0) | field::inv.put(0);
  controls[13] = ia64::kUnconstrainedData;
  controls[14] = ia64::kUnconstrainedCode;
  controls[15] = kNoRouting;
  for (const ia64::ControlValue& control : out.controls) controls[control.number] = control.value;
  controls[kFirstCounter] |= field::enable.put(1);
  controls[14] |= kUnusedCode;
  return ia64::encoding_of(in, out, controls, registers());
}

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

std::string own_attribute(std::uint64_t control) {
  static constexpr std::array sets{"both", "ia32", "ia64", "never"};
  return fmt::format(":ism={}", sets.at(field::ism.get(control)));
}

std::string_view note_of_set(std::uint64_t control) {
  return field::ism.get(control) == 3 ? "never counts: ism is 3" : "";
}

void add_run_notes(const Row& row, unsigned /*number*/, std::uint64_t /*control*/, const ia64::RunOutput& out,
                   bool fine, std::vector<std::string>& notes) {
  const bool one_kind_of_fetch = out.code_ranges && !(fine && out.code_ranges->uses_pair(1));
  if (one_kind_of_fetch && counts_both_fetches(row))
    notes.emplace_back(
        "the code range holds for demand fetches only; prefetches follow tag channel 1 and count everywhere unless the "
        "same fine range is given twice");
  const bool details = std::any_of(out.controls.begin(), out.controls.end(), [](const ia64::ControlValue& reg) {
    return reg.number == 12 && field::ds.get(reg.value) != 0;
  });
  if (details && row.kind == ia64::EventKind::branch_buffer)
    notes.emplace_back(
        "ds=prediction is without effect in the model: no document says what the prediction bits hold, and the entries "
        "have 0 there beside the bits of the target that are left");
}

const Row* selected_row(unsigned number, const ia64::Controls& controls) {
  const std::uint64_t control = controls.at(number);
  const auto match = std::find_if(rows().begin(), rows().end(), [&](const Row& row) {
    return !row.is_ear() && row.code == field::es.get(control) && row.umask == field::umask.get(control);
  });
  return match == rows().end() ? nullptr : &*match;
}

void add_common_notes(const ia64::Controls& controls, std::vector<std::string>& notes) {
  const auto power = controls.find(kFirstCounter);
  if (power != controls.end() && !field::enable.get(power->second))
    notes.emplace_back("nothing counts: the enable bit of PMC4 is 0");
}

}  // namespace

std::unique_ptr<const Backend> make_backend() {
  return ia64::make(ia64::Chip{
      .info = {"itanium2", "Intel Itanium 2 (McKinley, Madison) performance monitor", 3, kCounters, kCounterWidth},
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
      .run = ia64::run<input_of, dispatch, encoding_of>,
      .own_attribute = own_attribute,
      .note_of_set = note_of_set,
      .add_run_notes = add_run_notes,
      .selected_row = selected_row,
      .add_common_notes = add_common_notes});
}

}  // namespace pmusim::encoder::itanium2
