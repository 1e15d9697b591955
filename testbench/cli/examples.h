// The examples in help texts and errors: commands that run as they are with the traces that come with pmusim, or after
// the user has inserted the name of a trace.
#pragma once

#include <string_view>

namespace pmusim::testbench::examples {

/// The error text for a missing target.
inline constexpr std::string_view name_a_target = "name a target, as in -t athlon",
                                  add_a_target = "add -t, as in -t athlon";

inline constexpr std::string_view activity =
    "  pmusim activity record -t athlon --trace i386-lz77 -o lz77.pma\n"
    "  pmusim run --activity lz77.pma -e DATA_CACHE_MISSES\n"
    "  pmusim activity dump lz77.pma --range 0:100 --signal retire\n";

inline constexpr std::string_view activity_record =
    "  pmusim activity record -t athlon --trace i386-lz77 -o lz77.pma\n"
    "  pmusim activity record -t montecito --trace a.pmt --trace b.pmt -o both.pma";

inline constexpr std::string_view all =
    "  pmusim events -t athlon CACHE\n"
    "  pmusim encode -t athlon -e DATA_CACHE_REFILLS:L2_SHARED:u:c=2\n"
    "  pmusim run -t ppc750gx --trace ppc-lz77 -e cycles,L1_DCACHE_MISSES\n"
    "  pmusim validate -t all\n";

inline constexpr std::string_view annotate =
    "  pmusim annotate -t athlon --trace i386-lz77 -e DATA_CACHE_MISSES kernel\n"
    "  pmusim annotate -t athlon --trace t.pmt -e cycles --period 97 --elf program\n"
    "  pmusim annotate -t montecito --trace t.pmt -e BE_L1D_FPU_BUBBLE_ALL";

inline constexpr std::string_view decode =
    "  pmusim decode -t athlon PerfEvtSel0=0x4300c0\n  pmusim decode -t ppc750gx MMCR0=0x06148280 MMCR1=0x29400000";

inline constexpr std::string_view diff =
    "  pmusim validate -t athlon --format json >before.json\n"
    "  pmusim validate -t athlon --format json >now.json\n"
    "  pmusim diff before.json now.json\n"
    "  pmusim report -t athlon --trace i386-lz77 --format json >a.json\n"
    "  pmusim diff a.json b.json\n"
    "  pmusim encode --all --snapshot now.jsonl; pmusim diff before.jsonl now.jsonl";

inline constexpr std::string_view encode =
    "  pmusim encode -t athlon -e RETIRED_INSTRUCTIONS:u -e DATA_CACHE_MISSES:u:c=2\n"
    "  pmusim encode -t ppc750gx -e L1_LOAD_MISSES:t=20 --format json\n"
    "  pmusim encode -t alpha-ev67 -e retinst -e bcachemisses\n"
    "  pmusim encode -t itanium2 -e LOADS_RETIRED --irange 0x400-0x480\n"
    "  pmusim encode -t itanium2 -e DATA_EAR_EVENTS --ear unit=data,latency=16\n"
    "  pmusim encode --all --snapshot before.jsonl\n"
    "  pmusim encode --all -t athlon --compare before.jsonl";

inline constexpr std::string_view events =
    "  pmusim events -t athlon\n  pmusim events -t athlon refill\n  pmusim events -t ppc750gx --format json\n"
    "  pmusim events -t itanium2 L1D_READS_SET0\n"
    "  pmusim events -t ppc750gx --choose L1_DCACHE_MISSES INSTRUCTIONS_COMPLETED";

inline constexpr std::string_view explain =
    "  pmusim explain -t athlon --trace i386-lz77 -e DATA_CACHE_MISSES:u\n"
    "  pmusim explain -t athlon --trace t.pmt --write PerfEvtSel0=0x024300c0\n"
    "  pmusim explain -t ppc750gx --trace t.pmt -e L1_LOAD_MISSES:t=20 --top 20\n"
    "  pmusim explain -t itanium2 --trace t.pmt -e LOADS_RETIRED --irange 0x180-0x200\n"
    "  pmusim explain -t montecito --trace a.pmt --trace b.pmt -e CPU_OP_CYCLES_ALL";

inline constexpr std::string_view lab =
    "  pmusim lab\n"
    "  pmusim lab -t athlon i386-lz77\n"
    "  pmusim lab -t alpha-ev67 alpha-listwalk --roi 200000:220000\n"
    "  pmusim lab -t ppc750gx --no-browser -- ./program argument";

inline constexpr std::string_view record =
    "  pmusim record -t athlon --trace t.pmt -e DATA_CACHE_MISSES --period 1000\n"
    "  pmusim record -t ppc750gx --trace t.pmt -e cycles --period 97 --folded >folded\n"
    "  pmusim record -t athlon --trace t.pmt -e cycles --period 5000 --seed 2\n"
    "  pmusim record -t itanium2 --trace t.pmt -e DATA_EAR_CACHE_LAT8 --period 100\n"
    "  pmusim record -t itanium2 --trace a.pmt -e BRANCH_EVENT --period 500\n"
    "  pmusim record -t montecito --trace t.pmt -e cycles --ipear delay=0 --period 9";

inline constexpr std::string_view report =
    "  pmusim report -t athlon --trace t.pmt -e cache-misses --period 9 --elf program\n"
    "  pmusim report -t itanium2 --trace t.pmt -e LOADS_RETIRED --by instruction\n"
    "  pmusim report -t athlon --trace t.pmt --by line\n"
    "  pmusim report -t athlon --trace i386-lz77 -e DATA_CACHE_MISSES --tui\n"
    "  pmusim report -t athlon --trace t.pmt --export callgrind -o callgrind.out.t\n"
    "  pmusim report -t athlon --trace t.pmt -e cycles --period 997 --export folded";

inline constexpr std::string_view run =
    "  pmusim run -t athlon --trace i386-lz77 -e cycles,DATA_CACHE_MISSES:u\n"
    "  pmusim run -t athlon --trace t.pmt --write PerfEvtSel0=0x4300c0 --format json\n"
    "  pmusim run -t ppc750gx --trace t.pmt -e cycles --roi 1000:2000 --vcd wave.vcd\n"
    "  pmusim run -t itanium2 --trace ia64-sieve-O2 -e BRANCH_EVENT --btb tm=taken\n"
    "  pmusim run -t itanium2 --trace t.pmt -e LOADS_RETIRED --drange 0x1000-0x2000\n"
    "  pmusim run -t montecito --trace a.pmt --trace b.pmt -e CPU_OP_CYCLES_ALL";

inline constexpr std::string_view targets =
    "  pmusim targets\n  pmusim targets -t athlon --parameters\n  pmusim targets -t ppc750gx --parameters --format "
    "json";

inline constexpr std::string_view validate =
    "  pmusim validate\n"
    "  pmusim validate -t athlon --jobs 2 --junit report.xml\n"
    "  pmusim validate -t athlon --encoder ./my-encoder    speaks JSON lines\n"
    "  pmusim validate -t athlon --encoder ./my-encoder --conformance\n"
    "  pmusim validate --gallery --quick    other projects' encoders, known faults\n"
    "  pmusim validate -t ppc750gx --set pmu.enint_clear=never\n"
    "  pmusim validate --shard 1/4 --journal part1.jsonl    2/4 to 4/4 elsewhere\n"
    "  pmusim validate --merge part1.jsonl part2.jsonl part3.jsonl part4.jsonl\n"
    "  pmusim validate --mutate -t athlon --sample 20000";

}  // namespace pmusim::testbench::examples
