// What commands know of both IA-64 processors: ratios, generic events, reasons why no request sets certain bits.
#pragma once

#include <array>

#include "testbench/cli/command_facts.h"

namespace pmusim::testbench::ia64 {

inline constexpr std::string_view arms = "it arms a breakpoint, which is none of the monitor's";
inline constexpr std::string_view no_levels = "the monitor does not look at the levels of a data range";
inline constexpr NeverAsked freeze{"PMC0", "fr", "1", started_last}, overflow{"PMC0", "overflow", "1", started_last},
    reads{"DBR", "r", "1", arms}, writes{"DBR", "w", "1", arms}, executes{"IBR", "x", "1", arms},
    data_levels{"DBR", "plm", "", no_levels};

/// The ratios of events; processors name the event of their cycles differently.
constexpr std::array<Ratio, 7> ratios_of(std::string_view cycles) {
  using Shown = Ratio::Shown;
  return {
      {{"cycles per instruction", cycles, "IA64_INST_RETIRED", Shown::number, "insn per cycle"},
       {"share of cycles in which the back end stands", "BACK_END_BUBBLE_ALL", cycles, Shown::percent},
       {"nops per instruction", "NOPS_RETIRED", "IA64_INST_RETIRED", Shown::percent},
       {"wrong paths per branch", "BR_MISPRED_DETAIL_ALL_WRONG_PATH", "BR_MISPRED_DETAIL_ALL_ALL_PRED", Shown::percent},
       {"loads per instruction", "LOADS_RETIRED", "IA64_INST_RETIRED", Shown::percent},
       {"L3 misses per reference", "L3_MISSES", "L3_REFERENCES", Shown::percent},
       {"L3 misses per 1,000 instructions", "L3_MISSES", "IA64_INST_RETIRED", Shown::per_thousand}}};
}
/// Perf's generic events; `demanded_lines` are those that fetches from L2 demand.
constexpr std::array<GenericEvent, 12> generic_events_of(std::string_view cycles, std::string_view demanded_lines) {
  return {{{"cycles", cycles},
           {"instructions", "IA64_INST_RETIRED"},
           {"branches", "BR_MISPRED_DETAIL_ALL_ALL_PRED"},
           {"branch-misses", "",
            "BR_MISPRED_DETAIL_ALL_WRONG_PATH and BR_MISPRED_DETAIL_ALL_WRONG_TARGET each count a part of them"},
           {"cache-references", "L3_REFERENCES"},
           {"cache-misses", "L3_MISSES"},
           {"L1-dcache-loads", "L1D_READS_SET0", "integer loads: the others do not use the cache"},
           {"L1-dcache-load-misses", "L1D_READ_MISSES_ALL"},
           {"L1-icache-loads", "L1I_READS", "32 bytes each"},
           {"L1-icache-load-misses", demanded_lines, "lines that are fetched on demand"},
           {"dTLB-load-misses", "L2DTLB_MISSES", "stores, too"},
           {"iTLB-load-misses", "ITLB_MISSES_FETCH_ALL"}}};
}

inline constexpr PerfFacts no_perf{nullptr,
                                   "Linux never had a driver of perf for the Itaniums; perfmon writes the registers"};

}  // namespace pmusim::testbench::ia64
