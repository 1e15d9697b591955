#include "dispatch.h"

#include <fmt/format.h>

#include <algorithm>

#include "code_ranges.h"
#include "counters.h"
#include "encoder/src/ia64/dispatch.h"
#include "registers.h"

namespace pmusim::encoder::montecito {
namespace {

using ia64::Failed;
using ia64::Quirk;
using ia64::RunOutput;

constexpr unsigned kInstructionEarData[] = {34, 35};
constexpr unsigned kDataEarData[] = {32, 33, 36};
constexpr unsigned kBufferData[] = {38, 39, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
constexpr ia64::UnitRegisters kUnits{.instruction_ear = 37,
                                     .instruction_ear_data = kInstructionEarData,
                                     .data_ear = 40,
                                     .data_ear_data = kDataEarData,
                                     .code_ranges = 38,
                                     .data_ranges = 41,
                                     .buffer = 39,
                                     .buffer_data = kBufferData,
                                     .buffer_name = "execution trace buffer"};

class MontecitoDispatch final : public ia64::Dispatch {
 public:
  explicit MontecitoDispatch(const Input& in) : Dispatch(in, kUnits), in_(in) {}

  Result<RunOutput> run() {
    using Self = MontecitoDispatch;
    static constexpr Failed (Self::*order[])() = {&Self::checks,       &Self::counters,    &Self::instruction_ear,
                                                  &Self::data_ear,     &Self::code,        &Self::data,
                                                  &Self::first_match,  &Self::next_match,  &Self::buffer,
                                                  &Self::instructions, &Self::second_range};
    if (auto failed = ia64::run_steps<Self>(*this, order)) return *std::move(failed);
    return out_;
  }

 private:
  // The processor executes only IA-64 code.
  [[nodiscard]] std::uint64_t instruction_ear_set(std::uint32_t /*set*/) const override { return 0; }
  [[nodiscard]] std::uint64_t data_ear_set(std::uint32_t /*set*/) const override { return field::ism.put(kIa64Code); }

  Failed counters() {
    const auto placed = place_counters(in_);
    if (!placed) return placed.error();
    for (const ia64::CounterInput& event : in_.events)
      if (event.all_threads && in_.refuse_all_threads)
        return Error{ErrorCode::not_supported,
                     fmt::format("{}: this interface counts the events of one thread only", event.row->name)};
    return add_counters(placed, counter_control);
  }

  Failed code() {
    if (!in_.has_model || !in_.code.used) return std::nullopt;
    if (!in_.has_model_output) return ia64::no_place_for_registers();
    const auto found = code_ranges(in_);
    if (!found) return found.error();
    return add_code_ranges(found->registers, found->fine);
  }

  Failed data() { return add_data_ranges(in_.matcher1.used, in_.matcher2.used); }

  /// PMC32, which also enables and inverts the code range of channel 0, and PMC33.
  Failed first_match() {
    const MatcherInput& matcher = in_.matcher1;
    if (!in_.has_model || (!matcher.used && !in_.code.used)) return std::nullopt;
    std::uint64_t value = matcher.used ? mask_and_slots(matcher) : kMatchEverything;
    value = field::ig_ad.set(value, !in_.code.used);
    value = field::inv.set(value, in_.code.used && in_.code.inverse);
    if (auto failed = add(32, value)) return failed;
    return matcher.used ? add(33, field::opcode_match.put(matcher.match)) : std::nullopt;
  }

  Failed next_match() {
    const MatcherInput& matcher = in_.matcher2;
    if (!in_.has_model || !matcher.used) return std::nullopt;
    if (auto failed = add(34, mask_and_slots(matcher))) return failed;
    return add(35, field::opcode_match.put(matcher.match));
  }

  [[nodiscard]] static std::uint64_t mask_and_slots(const MatcherInput& matcher) {
    return field::opcode_mask.put(matcher.mask) | field::slot_m.put(matcher.m) | field::slot_i.put(matcher.i) |
           field::slot_f.put(matcher.f) | field::slot_b.put(matcher.b);
  }

  Failed instructions() {
    if (!in_.has_model || !in_.ip_ear.used) return std::nullopt;
    const bool event = std::any_of(in_.events.begin(), in_.events.end(), [](const ia64::CounterInput& candidate) {
      return candidate.row->kind == ia64::Kind::branch_buffer;
    });
    if (event || in_.buffer.used)
      return Error{ErrorCode::feature_conflict,
                   "the execution trace buffer takes in either branches or, as IP-EAR, retiring instructions"};
    const std::uint32_t levels = in_.ip_ear.levels ? in_.ip_ear.levels : in_.default_levels;
    if (auto failed = add(42, field::plm.put(levels) | field::pm.put(in_.system_wide || in_.ip_ear.privileged) |
                                  field::ip_ear_mode.put(kIpEarOn) | field::ip_ear_delay.put(in_.ip_ear.delay)))
      return failed;
    read_back(kBufferData);
    return std::nullopt;
  }

  const Input& in_;
};

}  // namespace

Result<RunOutput> dispatch(Input in) {
  in.matches_opcodes = in.matcher1.used || in.matcher2.used;
  in.quirks.remove(Quirk::unrounded_fine);  // libpfm always rounds on this processor
  return MontecitoDispatch(in).run();
}

}  // namespace pmusim::encoder::montecito
