#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "testbench/cli/command_facts.h"

namespace pmusim::testbench::targets::athlon {
namespace {

using Shown = Ratio::Shown;

constexpr Ratio ratios[] = {
    {"cycles per instruction", "CPU_CLK_UNHALTED", "RETIRED_INSTRUCTIONS", Shown::number, "insn per cycle"},
    {"operations per instruction", "RETIRED_UOPS", "RETIRED_INSTRUCTIONS"},
    {"data cache misses per access", "DATA_CACHE_MISSES", "DATA_CACHE_ACCESSES", Shown::percent},
    {"data cache misses per 1,000 instructions", "DATA_CACHE_MISSES", "RETIRED_INSTRUCTIONS", Shown::per_thousand},
    {"instruction cache misses per fetch", "INSTRUCTION_CACHE_MISSES", "INSTRUCTION_CACHE_FETCHES", Shown::percent},
    {"mispredicted branches per branch", "RETIRED_MISPREDICTED_BRANCH_INSTRUCTIONS", "RETIRED_BRANCH_INSTRUCTIONS",
     Shown::percent},
    {"mispredicted returns per return", "RETIRED_NEAR_RETURNS_MISPREDICTED", "RETIRED_NEAR_RETURNS", Shown::percent},
    {"cycles with a dispatch stall per cycle", "DISPATCH_STALLS", "CPU_CLK_UNHALTED", Shown::percent}};

// cycles, instructions, branches, L1 and TLB as in Linux' table for this processor.
constexpr GenericEvent generic[] = {
    {"cycles", "CPU_CLK_UNHALTED"},
    {"instructions", "RETIRED_INSTRUCTIONS"},
    {"branches", "RETIRED_BRANCH_INSTRUCTIONS"},
    {"branch-misses", "RETIRED_MISPREDICTED_BRANCH_INSTRUCTIONS"},
    {"cache-references", "",
     "DATA_CACHE_MISSES and INSTRUCTION_CACHE_MISSES each count a part of what L2 is asked for"},
    {"cache-misses", "",
     "DATA_CACHE_REFILLS_FROM_SYSTEM and INSTRUCTION_CACHE_REFILLS_FROM_SYSTEM each count a part of what L2 lacks"},
    {"L1-dcache-loads", "DATA_CACHE_ACCESSES", "stores, too"},
    {"L1-dcache-load-misses", "DATA_CACHE_MISSES", "stores, too"},
    {"L1-icache-loads", "INSTRUCTION_CACHE_FETCHES"},
    {"L1-icache-load-misses", "INSTRUCTION_CACHE_MISSES"},
    {"dTLB-load-misses", "L1_DTLB_AND_L2_DTLB_MISS", "stores, too"},
    {"iTLB-load-misses", "L1_ITLB_MISS_AND_L2_ITLB_MISS"}};

/// The fields of Linux's `cpu` PMU for processors of AMD, in config as in PerfEvtSel: event 0-7, umask 8-15, edge 18,
/// inv 23, cmask 24-31 (/sys/bus/event_source/devices/cpu/format). The levels are modifiers; the rest is the kernel's.
PerfEvent perf_event(const encoder::Encoding& encoding, const encoder::EncodedEvent& event) {
  const std::string name = fmt::format("PerfEvtSel{}", event.counter_index);
  const auto found = std::find_if(encoding.registers.begin(), encoding.registers.end(),
                                  [&](const encoder::RegisterValue& reg) { return reg.name == name; });
  const std::uint64_t value = found->value;
  const auto field = [&](unsigned shift, unsigned bits) { return value >> shift & ((1U << bits) - 1); };
  constexpr unsigned user = 16, kernel = 17, edge = 18, invert = 23, counter_mask = 24;
  const bool u = field(user, 1) != 0, k = field(kernel, 1) != 0;
  if (!u && !k)
    throw std::invalid_argument(
        fmt::format("{}: perf has no event at no level; expected :u, :k or both", event.canonical));
  const std::string level = u && k ? "" : u ? "u" : "k";
  std::string named = fmt::format("cpu/event=0x{:02x},umask=0x{:02x}", field(0, 8), field(8, 8));
  if (field(edge, 1) != 0) named += ",edge=1";
  if (field(invert, 1) != 0) named += ",inv=1";
  if (field(counter_mask, 8) != 0) named += fmt::format(",cmask=0x{:02x}", field(counter_mask, 8));
  constexpr std::uint64_t config = 0xff84ffff;
  return {named + '/' + level, fmt::format("r{:x}{}{}", value & config, level.empty() ? "" : ":", level)};
}

}  // namespace

extern const CommandFacts commands{.ratios = ratios, .generic = generic, .perf = {perf_event}};

}  // namespace pmusim::testbench::targets::athlon
