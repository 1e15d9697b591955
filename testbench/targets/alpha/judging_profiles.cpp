// Fields of I_STAT, PMPC and PCTR_CTL: 21264/EV67 Hardware Reference Manual, chapter 5.
#include "testbench/targets/alpha/judging_profiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "testbench/driver/programming.h"
#include "testbench/judge/encoder/answers.h"
#include "testbench/pfm/profile_me.h"

namespace pmusim::testbench {
namespace {

using activity::alpha::Replay;
using activity::alpha::Trap;

constexpr std::size_t problems_shown = 3;
constexpr Cycle everything = activity::never;
constexpr std::uint64_t step = 29, spread = 61;  // of the periods; they are coprime

std::uint64_t field(std::uint64_t value, unsigned shift, unsigned bits) {
  return value >> shift & ((std::uint64_t{1} << bits) - 1);
}

/// The value of PMPC, bit 0 for PALcode: the address of the instruction, or of the PALcode flow entered instead.
std::uint64_t pmpc_of(const oracle::Sample& s) {
  switch (s.trap) {
    case Trap::itb_miss:
      return 0x0581;
    case Trap::istream_access:
      return 0x0481;
    case Trap::interrupt:
      return 0x0681;
    default:
      return (s.pc & ~std::uint64_t{3}) | (s.pal ? 1 : 0);
  }
}

/// Values of TRAP_TYPE; `none` where the manual defines none.
constexpr std::array trap_types{Trap::replay,      Trap::none,      Trap::dtb_double_3,  Trap::dtb_double_4,
                                Trap::fp_disabled, Trap::unaligned, Trap::dtb_single,    Trap::dstream_fault,
                                Trap::opcdec,      Trap::none,      Trap::machine_check, Trap::none,
                                Trap::arithmetic,  Trap::none,      Trap::mt_fpcr,       Trap::reset};
std::optional<std::uint64_t> type_of(const oracle::Sample& s) {
  const auto found = std::find(trap_types.begin(), trap_types.end(), s.trap);
  if (s.trap == Trap::none || found == trap_types.end()) return std::nullopt;
  return static_cast<std::uint64_t>(found - trap_types.begin());
}

}  // namespace

ProfileWatch::ProfileWatch(const Task& task, const models::Target& target, const Group& group, const Answer& answer,
                           const Lives& lives)
    : lives_(&lives), name_(group.checks.at(0).request.event), period_(group.sampled->period), current_(period_) {
  const auto names = oracle::profile_statistics();
  number_ = static_cast<unsigned>(std::find(names.begin(), names.end(), name_) - names.begin()) + 1;
  sampler_ = find_firmware(target.name)
                 ->sampler(
                     {{answer.counters.at(0), period_}}, [this](const Sample& sample) { pending_.push_back(sample); },
                     [this](std::size_t, std::uint64_t shortest) {
                       return current_ = shortest + restarts_++ * step % spread;
                     });
  only_marked_ = group.checks.at(0).request.marked == true;
  only_mispredicts_retire_ = task.parameters.get("pmu.retiring_traps") != 0;
  squashed_aborts_ = task.parameters.get("pmu.squashed_aborts") != 0;
  Programming programming(target, task.parameters);
  sampler_->preset(programming);
  write_answer(programming, answer);
  programming_ = programming.writes();
}

MonitorSetup ProfileWatch::setup() { return {programming_, std::ref(*sampler_)}; }

void ProfileWatch::problem(std::string text) {
  if (problems_.size() < problems_shown) problems_.push_back(std::move(text));
}

Cycle ProfileWatch::judge_samples(Cycle now) {
  if (!selecting_) selecting_ = now;  // before the first block
  if (now != everything) last_block_ = now;
  for (const Sample& taken : pending_) {
    const auto expected = lives_->list().sample(*selecting_, taken.period);
    const std::string when = fmt::format("sample {} before cycle {}", taken.index, taken.cycle);
    if (!expected) {
      problem(when + ": the instruction is not at its end yet");
    } else {
      pfm::ProfileMe got;
      for (const auto& [name, value] : taken.latched) {
        (name == "I_STAT" ? got.i_stat : name == "PMPC" ? got.pmpc : got.pctr_ctl) = value;
      }
      judge(got, *expected, when);
    }
    selecting_ = taken.cycle;
  }
  pending_.clear();
  return *selecting_;
}

void ProfileWatch::judge(const pfm::ProfileMe& registers, const oracle::Sample& s, const std::string& when) {
  expected_.push_back(s);
  pfm::ProfileMe got = registers;
  // The code at this address may have changed since the instruction was fetched.
  const std::uint32_t word = s.redirected() || s.word == 0 ? lives_->code().at(got.pmpc) : s.word;
  got.only_mispredicts_retire = only_mispredicts_retire_;
  got.squashed = pfm::is_squashed(word);
  got.squashed_aborts = squashed_aborts_;
  got.unconditional = pfm::is_unconditional(word);
  got.conditional_branch = pfm::is_conditional_branch(word);
  added_ += pfm::contribution(number_, got);
  retired_ += pfm::retired(got) ? 1 : 0;

  const auto check = [&](std::string_view what, std::uint64_t is, std::uint64_t right) {
    if (is != right) {
      problem(fmt::format("{}, instruction {:#x} fetched in cycle {}: {} is {:#x}, expected {:#x}", when, s.pc,
                          s.fetched, what, is, right));
    }
  };
  check("PMPC", got.pmpc, pmpc_of(s));
  check("TRP", field(got.i_stat, 39, 1), s.trapped());
  if (s.trapped()) {
    check("MIS", field(got.i_stat, 40, 1), s.branch_mispredicted());
    if (const auto type = type_of(s)) check("TRAP_TYPE", field(got.i_stat, 34, 4), *type);
    check("LSO", field(got.i_stat, 38, 1), s.trap == Trap::replay && s.replay == Replay::store_load_order);
  } else if (!s.redirected()) {
    check("VAL", field(got.pctr_ctl, 1, 1), s.retired);
  }
  check("ICM", field(got.i_stat, 33, 1), s.fill_stream);
  check("OVR", field(got.i_stat, 30, 3), s.overcount);
  check("PAR", field(got.i_stat, 29, 1), 0);
  check("PM_STALLED", field(got.pctr_ctl, 27, 1), s.map_stalled);
  check("PM_KILLED_BM", field(got.pctr_ctl, 26, 1), s.killed_early);
  if (s.conditional_branch && !s.mispredicted()) check("TAK", field(got.pctr_ctl, 0, 1), s.taken);
  const std::uint64_t mode = field(got.pctr_ctl, 2, 2);
  const std::uint64_t first = mode % 2 == 0 ? s.retires : s.cycles();
  check("PCTR0", field(got.pctr_ctl, 28, 20), (first + s.overcount) & 0xfffff);
  const std::uint64_t second[] = {s.cycles(), s.delay, s.bcache_misses, s.replays};
  check("PCTR1", field(got.pctr_ctl, 6, 20), second[mode] & 0xfffff);
}

// A sample that was complete but not taken before the end is still in the registers.
InterruptTrials::Outcome ProfileWatch::finish(const MonitorResult& result) {
  judge_samples(everything);
  const auto held = lives_->list().sample(*selecting_, current_);
  if (held && (result.value("ISUM") >> 29 & 1) != 0) {
    judge({.i_stat = result.value("I_STAT"), .pctr_ctl = result.value("PCTR_CTL"), .pmpc = result.value("PMPC")}, *held,
          "the registers at the end");
  } else if (held && !only_marked_ && held->window_end < last_block_) {
    problem(fmt::format("the instruction at {:#x}, fetched in cycle {}, is not sampled", held->pc, held->fetched));
  }
  std::uint64_t counted = added_;
  if (pfm::is_per_retired(number_)) {
    const std::uint64_t scale = name_ == "PF67_PM_CYCLES_PER_RET" ? 1 : 100;
    counted = retired_ == 0 ? 0 : added_ * scale / retired_;
  }
  return {expected_.size(), counted, oracle::statistic(name_, expected_), problems_};
}

}  // namespace pmusim::testbench
