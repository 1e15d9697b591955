// All parameters of the 750GX core. UM is the IBM PowerPC 750GX and 750GL User's Manual, version 1.2.
#include <fmt/format.h>

#include <bit>
#include <string_view>
#include <utility>

#include "models/common/parameter_rows.h"
#include "models/core/ppc750/machine.h"
#include "models/core/ppc750/ppc750.h"

namespace pmusim::core {
namespace {

constexpr bool yes = true;  // the source states it
constexpr bool choice = false;
using models::number;
using models::off_or_on;
using models::one_of;
using S = ppc750::Settings;

const models::ParameterRows<S>& rows() {
  static const models::ParameterRows<S> table = {
      // name, default, least, most, unit (of a number), meaning, source, confirmed, choices
      number<&S::msr>("core.msr", 0xF032, 0, 0xFFFFFFFF, "",
                      "MSR at the start of the trace: user program with translation on", "UM 2.1.1, MSR bits", choice),
      off_or_on<&S::wrong_path>("core.wrong_path", 1,
                                "instructions after a mispredicted branch are fetched and dispatched", "UM 6.4.1", yes),
      number<&S::bus_ratio_numerator>("core.bus_ratio_numerator", 4, 1, 0xFFFF, "",
                                      "core clocks per bus clock, numerator", "UM 6.4, Table 6-3", choice),
      number<&S::bus_ratio_denominator>("core.bus_ratio_denominator", 1, 1, 0xFFFF, "",
                                        "core clocks per bus clock, denominator", "UM 6.4, Table 6-3", choice),
      // front end
      number<&S::fetch_width>("core.fetch_width", 4, 1, 8, "instructions", "most instructions that one fetch brings",
                              "UM 1.2.1", yes),
      number<&S::instruction_queue>("core.instruction_queue", 6, 2, 16, "entries", "instruction queue", "UM 1.2.1",
                                    yes),
      off_or_on<&S::btic_enabled>("core.btic.enabled", 1, "branch target instruction cache in use", "UM 6.4.1", yes),
      number<&S::btic_sets>("core.btic.sets", 16, 1, 1024, "sets",
                            "branch target instruction cache; key: target address", "UM 1.2.1", yes),
      number<&S::btic_ways>("core.btic.ways", 4, 1, 16, "ways", "branch target instruction cache", "UM 1.2.1", yes),
      off_or_on<&S::bht_enabled>("core.bht.enabled", 1, "branch history table in use; off: y-bit rule", "UM HID0[BHT]",
                                 yes),
      number<&S::bht_entries>("core.bht.entries", 512, 1, 65536, "entries", "branch history table; index EA[21:29]",
                              "UM 1.2.1", choice),
      number<&S::bht_initial>("core.bht.initial", 0, 0, 3, "", "state of every entry at reset; 0 strongly not taken",
                              "none", choice),
      number<&S::bht_index_shift>("core.bht.index_shift", 2, 2, 16, "bits",
                                  "address bits below those that index the branch history table", "none", choice),
      number<&S::branch_redirect>("core.branch.redirect", 1, 1, 64, "cycles",
                                  "from the resolution of a misprediction to the fetch at the right place",
                                  "UM 6.4.1: flush at the end of the cycle, one cycle to fetch", choice),
      number<&S::condition_delay>(
          "core.branch.condition_delay", 1, 0, 1, "cycles",
          "from the cycle in which an ordinary dependent could start to the one in which a branch sees a CR field",
          "GCC rs6000 7xx: compare to branch 2", choice),
      number<&S::branch_levels>("core.branch.levels", 2, 1, 2, "branches", "unresolved predicted branches at a time",
                                "UM 6.4.1", yes),
      // dispatch and completion
      number<&S::completion_queue>("core.completion_queue", 6, 2, 16, "entries", "completion queue", "UM 1.2.1", yes),
      number<&S::gpr_renames>("core.rename.gpr", 6, 2, 32, "registers", "GPR rename buffers", "UM 1.2.1", yes),
      number<&S::fpr_renames>("core.rename.fpr", 6, 1, 32, "registers", "FPR rename buffers", "UM 1.2.1", yes),
      number<&S::lr_renames>("core.rename.lr", 1, 1, 8, "registers", "LR rename buffers", "none", choice),
      number<&S::ctr_renames>("core.rename.ctr", 2, 1, 8, "registers", "CTR rename buffers",
                              "GMP powerpc32: a loop of 2 clocks closed by bdnz, measured on the 750", choice),
      number<&S::integer_1_stations>("core.station.integer_1", 1, 1, 8, "entries", "reservation stations of IU1",
                                     "UM 1.2.1", yes),
      number<&S::integer_2_stations>("core.station.integer_2", 1, 1, 8, "entries", "reservation stations of IU2",
                                     "UM 1.2.1", yes),
      number<&S::system_stations>("core.station.system", 1, 1, 8, "entries", "reservation stations of the SRU",
                                  "UM 1.2.1", yes),
      number<&S::fp_stations>("core.station.fp", 2, 1, 8, "entries", "reservation stations of the FPU", "UM 1.2.1",
                              yes),
      number<&S::load_store_stations>("core.station.load_store", 2, 1, 8, "entries", "reservation stations of the LSU",
                                      "UM 1.2.1", yes),
      // execution
      one_of<&S::no_op>("core.no_op", 1,
                        "what becomes of ori 0,0,0, which dispatch discards: no unit, no completion entry",
                        "UM Table 2-9; UM 11.4 leaves folded branches alone out of the completed instructions", choice,
                        {{"executed", 0, "nothing is discarded: it goes through an integer unit"},
                         {"counted", 1, "it counts as dispatched and, in its place in the program, as completed"},
                         {"not_counted", 2, "it counts as neither, as a folded branch does"}}),
      number<&S::extended_latency>(
          "core.latency.extended", 2, 1, 64, "cycles",
          "adde, addme, addze, subfe, subfme, subfze: execution serialised; from start to start in a chain",
          "GMP powerpc32: loops of one carry chain measured on the 750", choice),
      number<&S::multiply_latency>("core.latency.multiply", 4, 1, 64, "cycles",
                                   "mullw, latency and throughput, without early exit; lat=N at an instruction says "
                                   "what its operands make of it",
                                   "GCC rs6000 7xx", choice),
      number<&S::multiply_high_latency>("core.latency.multiply_high", 5, 1, 64, "cycles", "mulhw, the same",
                                        "LLVM PPCScheduleG3", choice),
      number<&S::multiply_high_unsigned_latency>("core.latency.multiply_high_unsigned", 6, 1, 64, "cycles",
                                                 "mulhwu, the same", "LLVM PPCScheduleG3", choice),
      number<&S::multiply_immediate_latency>("core.latency.multiply_immediate", 3, 1, 64, "cycles",
                                             "mulli; throughput is one less", "GCC rs6000 7xx", choice),
      off_or_on<&S::early_out>(
          "core.early_out", 1,
          "a multiply ends early by the bytes of its factor if the trace shows it: immediate of mulli, value of li or "
          "lis",
          "GCC rs6000 7xx for mulli; GMP powerpc32/diveby3.asm: measured on the 7400", choice),
      number<&S::divide_latency>("core.latency.divide", 19, 1, 64, "cycles", "integer divide, latency and throughput",
                                 "GCC rs6000 7xx", yes),
      number<&S::reciprocal_latency>("core.latency.reciprocal", 10, 1, 64, "cycles", "fres, latency and throughput",
                                     "LLVM PPCScheduleG3", choice),
      number<&S::store_update_latency>("core.latency.store_update", 1, 1, 2, "cycles",
                                       "base register of a store with update",
                                       "UM 1.2.2.3: the address is there after the first of the two stages", choice),
      number<&S::store_conditional_latency>("core.latency.store_conditional", 8, 2, 64, "cycles",
                                            "stwcx., latency and throughput", "none", choice),
      number<&S::store_multiple_latency>("core.latency.store_multiple", 2, 1, 64, "cycles",
                                         "stmw, stswi, stswx beside their words", "as load multiple", choice),
      number<&S::serial_latency>("core.latency.serial", 3, 1, 64, "cycles",
                                 "sync, isync, eieio, PMU registers: latency and throughput", "none", choice),
      // memory
      number<&S::load_queue>("core.load_queue", 4, 1, 16, "entries", "loads that missed and wait", "UM 1.2.1", yes),
      off_or_on<&S::store_allocates>("core.store_allocates", 1,
                                     "a store that misses L1 brings its line; off: it goes to the bus", "none", choice),
      off_or_on<&S::store_alias>("core.store_alias", 1,
                                 "a load waits for the stores before it in the store queue that share a byte of index "
                                 "and word with it, and for "
                                 "caching-inhibited ones; off: loads pass all stores",
                                 "UM 8.2, notes on misses under misses", yes),
      number<&S::store_alias_wait>("core.store_alias_wait", 1, 1, 64, "cycles",
                                   "from the cycle in which such a store is written to the cache access of the load",
                                   "none", choice),
      one_of<&S::store_data>(
          "core.store_data",
          1, "where an integer store waits for its data; FP stores read theirs in the first stage (UM 6.4.5)",
          "PowerPC 603e: held in the address stage until its address operand is available; GMP powerpc32/750/lshift",
          choice,
          {{"unit", 0, "at the head of the unit: the loads behind it wait, too"},
           {"queue", 1, "in the store queue: it starts with its address, and retires after the producer of its data"}}),
      number<&S::store_queue>("core.store_queue", 3, 2, 16, "entries",
                              "stores and cache operations that wait for the cache", "UM 1.2.1", yes),
      number<&S::l1i_sets>("core.l1i.sets", 128, 1, 65536, "sets", "L1 instruction cache of 32-byte lines", "UM 3.1",
                           yes),
      number<&S::l1i_ways>("core.l1i.ways", 8, 1, 32, "ways", "L1 instruction cache, pseudo-LRU", "UM 3.1", yes),
      number<&S::l1d_sets>("core.l1d.sets", 128, 1, 65536, "sets", "L1 data cache of 32-byte lines", "UM 3.1", yes),
      number<&S::l1d_ways>("core.l1d.ways", 8, 1, 32, "ways", "L1 data cache, pseudo-LRU", "UM 3.1", yes),
      number<&S::l1d_misses>("core.l1d.misses", 4, 1, 8, "misses", "L1 data cache misses in flight", "UM 3.1", yes),
      off_or_on<&S::l2_enabled>("core.l2.enabled", 1, "L2 in use (off after reset; system software turns it on)",
                                "UM 9.1", choice),
      number<&S::l2_sets>("core.l2.sets", 4096, 1, 65536, "sets", "L2 cache of 64-byte lines in two sectors", "UM 9.1",
                          yes),
      number<&S::l2_ways>("core.l2.ways", 4, 1, 32, "ways", "L2 cache, pseudo-LRU", "UM 9.1", yes),
      number<&S::l2_latency>("core.l2.latency", 6, 2, 255, "cycles",
                             "from the L1 lookup that misses to the data, found in L2", "difference of UM Table 6-3",
                             choice),
      number<&S::l2_write_cycles>("core.l2.write_cycles", 4, 1, 64, "cycles", "time that a line from L1 occupies L2",
                                  "UM 9.1: 64-bit write path", yes),
      number<&S::l2_misses>("core.l2.misses", 4, 1, 8, "misses", "L2 misses in flight", "UM 9.1", yes),
      number<&S::memory_latency>("core.memory_latency", 70, 3, 10000, "cycles",
                                 "from the L1 lookup that misses to the data, found in memory",
                                 "difference of UM Table 6-3, 4:1 bus", choice),
      number<&S::memory_line_rest>("core.memory_line_rest", 24, 0, 1000, "cycles",
                                   "from the critical double word to the last one of a line",
                                   "UM Table 6-3, 5:2:2:2 at 4:1", yes),
      // translation
      number<&S::tlb_sets>("core.tlb.sets", 64, 1, 1024, "sets", "instruction TLB and data TLB, each", "UM 5.4.3", yes),
      number<&S::tlb_ways>("core.tlb.ways", 2, 1, 32, "ways", "instruction TLB and data TLB, each; LRU", "UM 5.4.3",
                           yes),
      number<&S::walk_l1>("core.walk.l1", 7, 1, 1000, "cycles", "table search, entry in L1", "UM Table 6-3", yes),
      number<&S::walk_l2>("core.walk.l2", 13, 1, 1000, "cycles", "table search, entry in L2", "UM Table 6-3", yes),
      number<&S::walk_memory>("core.walk.memory", 77, 1, 10000, "cycles", "table search, entry in memory, 4:1 bus",
                              "UM Table 6-3", yes),
      number<&S::page_table>("core.page_table", 0xFF000000, 0, 0xFFFF0000, "address",
                             "physical address of the hashed page table, outside of what the trace uses", "none",
                             choice),
      number<&S::page_table_groups>("core.page_table_groups", 8192, 1024, 524288, "groups",
                                    "64-byte groups in the page table, a power of two", "UM 5.5", choice),
      // directives
      off_or_on<&S::snoop_push_retries>("core.snoop_push_retries", 1,
                                        "a snoop that hits modified data is answered with a retry and a push",
                                        "60x bus protocol; not read in UM", choice),
  };
  return table;
}

}  // namespace

models::Parameters ppc750_parameters() { return models::parameters_of(rows()); }

namespace ppc750 {

Settings::Settings(const models::Parameters& given) {
  models::read_parameters(*this, rows(), given);
  const std::pair<std::string_view, unsigned> powers[] = {
      {"core.btic.sets", btic_sets}, {"core.l1i.sets", l1i_sets}, {"core.l1i.ways", l1i_ways},
      {"core.l1d.sets", l1d_sets},   {"core.l1d.ways", l1d_ways}, {"core.l2.sets", l2_sets},
      {"core.l2.ways", l2_ways},     {"core.tlb.sets", tlb_sets}, {"core.bht.entries", bht_entries}};
  for (const auto& [name, value] : powers) {
    if (!std::has_single_bit(value))
      throw models::ParameterError(fmt::format("750GX core: {} must be a power of two", name));
  }
  if (bus_ratio_numerator < bus_ratio_denominator) {
    throw models::ParameterError(
        "750GX core: core.bus_ratio_numerator must not be below core.bus_ratio_denominator; the core runs at least as "
        "fast as its bus");
  }
}

}  // namespace ppc750
}  // namespace pmusim::core
