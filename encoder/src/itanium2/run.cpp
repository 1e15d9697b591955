#include "run.h"

#include <fmt/format.h>

#include <algorithm>

#include "counters.h"
#include "registers.h"
#include "table.h"

namespace pmusim::encoder::itanium2 {
namespace {

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

}  // namespace

Result<Input> input_of(std::span<const ia64::Wanted> events, const GroupOptions& options) {
  Input in;
  if (auto failed = ia64::read_run(events, options, kQualifiers, in)) return *std::move(failed);
  if (auto failed = add_matchers(options.qualifiers.opcodes, in)) return *std::move(failed);
  return in;
}

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

}  // namespace pmusim::encoder::itanium2
