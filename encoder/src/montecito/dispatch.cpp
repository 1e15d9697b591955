#include "dispatch.h"

#include <fmt/format.h>

#include <algorithm>

#include "code_ranges.h"
#include "counters.h"
#include "registers.h"

namespace pmusim::encoder::montecito {
namespace {

using ia64::EarMode;
using ia64::Failed;
using ia64::kPairs;
using ia64::Quirk;
using ia64::RunOutput;
using ia64::Space;

class Dispatch {
 public:
  explicit Dispatch(const Input& in) : in_(in) {}

  Result<RunOutput> run() {
    using Step = Failed (Dispatch::*)();
    static constexpr Step steps[] = {&Dispatch::checks,      &Dispatch::counters,   &Dispatch::instruction_ear,
                                     &Dispatch::data_ear,    &Dispatch::code,       &Dispatch::data,
                                     &Dispatch::first_match, &Dispatch::next_match, &Dispatch::branches,
                                     &Dispatch::instructions};
    for (const Step step : steps)
      if (auto failed = (this->*step)()) return *std::move(failed);
    return out_;
  }

 private:
  Failed checks() {
    if (auto failed = ia64::check_blocks(in_)) return failed;
    if (!in_.has_model) return std::nullopt;
    if (auto failed = ia64::check_filters(in_)) return failed;
    return ia64::check_range_levels(in_);
  }

  Failed counters() {
    const auto placed = place_counters(in_);
    if (!placed) return placed.error();
    for (std::size_t i = 0; i < in_.events.size(); ++i) {
      if (in_.events[i].all_threads && in_.refuse_all_threads)
        return Error{ErrorCode::not_supported,
                     fmt::format("{}: this interface counts the events of one thread only", in_.events[i].row->name)};
      out_.controls.push_back({(*placed)[i], counter_control(in_, in_.events[i])});
      out_.data.push_back((*placed)[i]);
    }
    return std::nullopt;
  }

  Failed instruction_ear() {
    const auto setup = ia64::ear_setup(in_, false);
    if (!setup) return std::nullopt;
    std::uint64_t value = field::plm.put(setup->levels) | field::iear_pm.put(in_.system_wide);
    switch (static_cast<EarMode>(setup->mode)) {
      case EarMode::tlb:
        value |= field::iear_tlb_umask.put(setup->umask);
        break;
      case EarMode::cache:
        value |= field::iear_cache_umask.put(setup->umask) | field::iear_ct.put(1);
        break;
      default:
        return ia64::bad_ear_mode("instruction", setup->mode, "cache or TLB");
    }
    return add(37, value, {34, 35});
  }

  Failed data_ear() {
    const auto setup = ia64::ear_setup(in_, true);
    if (!setup) return std::nullopt;
    if (setup->mode > static_cast<std::uint32_t>(EarMode::alat))
      return ia64::bad_ear_mode("data", setup->mode, "cache, TLB or ALAT");
    return add(40,
               field::plm.put(setup->levels) | field::pm.put(in_.system_wide) | field::dear_mode.put(setup->mode) |
                   field::umask.put(setup->umask) | field::ism.put(kIa64Code),
               {32, 33, 36});
  }

  Failed code() {
    if (!in_.has_model || !in_.code.used) return std::nullopt;
    if (!in_.has_model_output) return ia64::no_place_for_registers();
    const auto found = code_ranges(in_);
    if (!found) return found.error();
    out_.code_ranges = found->registers;
    fine_ = found->fine;
    std::uint64_t value = ia64::kUnconstrainedCode | field::fine.put(fine_);
    for (unsigned pair = 0; pair < kPairs; ++pair)
      if (found->registers.uses_pair(pair)) value &= ~(std::uint64_t{1} << ia64::code_pair_bit(pair));
    return add(38, value);
  }

  Failed data() {
    if (!in_.has_model) return std::nullopt;
    const auto setup = ia64::data_ranges(in_, out_, fine_, in_.matcher1.used, in_.matcher2.used);
    if (!setup) return setup.error();
    return *setup ? add(41, **setup) : std::nullopt;
  }

  /// PMC32, which also switches the code range of channel 0 on and inverts it, and PMC33.
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

  Failed branches() {
    const auto setup = ia64::buffer_setup(in_, "execution trace buffer");
    if (!setup) return setup.error();
    if (!*setup) return std::nullopt;
    if (auto failed = add(39, (*setup)->value)) return failed;
    if ((*setup)->records) read_buffer();
    return std::nullopt;
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
    if (auto failed = add(42, field::plm.put(levels) | field::pm.put(in_.system_wide) |
                                  field::ip_ear_mode.put(kIpEarOn) | field::ip_ear_delay.put(in_.ip_ear.delay)))
      return failed;
    read_buffer();
    return std::nullopt;
  }

  Failed add(unsigned number, std::uint64_t value, std::initializer_list<unsigned> read_back = {}) {
    if (auto failed = ia64::add_control(in_, number, value, out_)) return failed;
    out_.data.insert(out_.data.end(), read_back);
    return std::nullopt;
  }
  void read_buffer() {
    constexpr unsigned first_entry = 48;
    constexpr unsigned last_entry = 63;
    out_.data.insert(out_.data.end(), {38, 39});
    for (unsigned entry = first_entry; entry <= last_entry; ++entry) out_.data.push_back(entry);
  }

  const Input& in_;
  RunOutput out_;
  bool fine_ = false;
};

}  // namespace

Result<RunOutput> dispatch(Input in) {
  in.matches_opcodes = in.matcher1.used || in.matcher2.used;
  in.quirks.remove(Quirk::unrounded_fine);  // libpfm rounds always on this processor
  return Dispatch(in).run();
}

}  // namespace pmusim::encoder::montecito
