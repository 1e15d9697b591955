#include <fmt/format.h>

#include <array>
#include <bit>

#include "models/common/parameter_rows.h"
#include "models/core/athlon/athlon.h"
#include "models/core/athlon/machine.h"

namespace pmusim::core {
namespace {

using models::Choice;
using models::number;
using models::off_or_on;
using models::one_of;
using S = athlon::Settings;

const std::vector<Choice> replacements = {{"lru", 0, "least recently used"}, {"pseudo_lru", 1, "binary tree"}};
constexpr std::string_view remembered = "common knowledge of the part, not checked in a document";
constexpr std::string_view open = "no document settles it";
constexpr std::string_view silicon = "InstLatX64, a real Athlon XP: measured";
constexpr std::string_view gcc = "GCC, config/i386/athlon.md";
constexpr std::string_view gmp = "GMP, mpn/x86/k7/README: measured";
constexpr std::string_view isscc = "AMD's ISSCC 1999 paper, as Electronics Weekly of February 1999 reports it";

const models::ParameterRows<S>& rows() {
  constexpr std::int64_t kilo = 1024;
  static const models::ParameterRows<S> table = {
      // name, default, least, most, unit (of a number), meaning, source, confirmed, choices
      one_of<&S::has_sse>("core.model", 1, "model of the processor", "20734 (CPUID): SSE from model 6 on", true,
                          {{"4", 0, "without SSE"}, {"6", 1, "with SSE"}}),
      off_or_on<&S::wrong_path>("core.wrong_path", 1, "fetch and execute after a misprediction", open, false),
      off_or_on<&S::in_order_memory>("core.in_order_memory", 1, "LS1 probes the data cache in program order",
                                     "22007E p. 138, 151", true),
      off_or_on<&S::bank_conflicts>("core.bank_conflicts", 1,
                                    "two loads of one clock may not read one bank of different lines", "25112, 5.9",
                                    true),
      off_or_on<&S::instruction_prefetch>("core.instruction_prefetch", 1, "an L1I miss also asks for the next line",
                                          "22007E p. 131", true),
      number<&S::retire_width>("core.retire_width", 3, 1, 6, "operations", "macro-operations that retire in a clock",
                               remembered, false),
      off_or_on<&S::wrmsr_serializes>("core.wrmsr_serializes", 1,
                                      "WRMSR waits for what is before it and holds what is after it", remembered,
                                      false),
      number<&S::entry_operations>("core.entry_operations", 0, 0, 1000, "operations",
                                   "macro-operations that the entry of an exception or interrupt retires", open, false),
      number<&S::queue_bytes>("core.queue_bytes", 24, 16, 256, "bytes", "instruction queue between fetch and decode",
                              "22007E p. 33, 133", true),
      number<&S::reorder_lines>("core.reorder_lines", 24, 1, 64, "lines",
                                "reorder buffer lines of three macro-operations", "22007E p. 134", true),
      number<&S::station_entries>("core.station_entries", 6, 1, 64, "entries",
                                  "entries of each of the three integer stations", "22007E p. 135", true),
      number<&S::fp_entries>("core.fp_entries", 36, 3, 256, "entries", "floating-point scheduler", "22007E p. 131",
                             true),
      number<&S::entry_release>(
          "core.entry_release", 1, 0, 15, "cycles",
          "from the start of an operation until its scheduler entry takes another one",
          "none; with 1 instead of 0 or 2, three more loops of GMP's authors are within a tenth of what they measured",
          false),
      number<&S::ls1_entries>("core.ls1_entries", 12, 1, 64, "entries", "accesses that wait for their probe (LS1)",
                              "22007E p. 138", true),
      number<&S::ls_entries>("core.ls_entries", 44, 1, 128, "entries", "load-store entries in all (LS1 and LS2)",
                             "22007E p. 138", true),
      number<&S::ports>("core.ports", 2, 1, 2, "", "data cache probes a clock", "22007E p. 138", true),
      one_of<&S::line_bytes>("core.line_bytes", 64, "bytes of a line of every cache",
                             "22007E p. 131 for L1I; L1D, L2 remembered", false,
                             {{"64", 64, "64 bytes"}, {"32", 32, "32 bytes"}}),
      number<&S::l1i_bytes>("core.l1i_bytes", 64 * kilo, kilo, 1024 * kilo, "bytes", "L1 instruction cache",
                            "22007E p. 131", true),
      number<&S::l1i_ways>("core.l1i_ways", 2, 1, 32, "ways", "L1 instruction cache", "22007E p. 131", true),
      number<&S::l1d_bytes>("core.l1d_bytes", 64 * kilo, kilo, 1024 * kilo, "bytes", "L1 data cache", "22007E p. 134",
                            true),
      number<&S::l1d_ways>("core.l1d_ways", 2, 1, 32, "ways", "L1 data cache", "22007E p. 134", true),
      one_of<&S::pseudo_lru>("core.replacement", 0, "replacement of L1 and L2", "22007E p. 131 for L1; L2 open", false,
                             replacements),
      number<&S::l2_bytes>("core.l2_bytes", 256 * kilo, kilo, 8192 * kilo, "bytes", "on-die exclusive L2",
                           "reviews of models 4 and 6", false),
      number<&S::l2_ways>("core.l2_ways", 16, 1, 32, "ways", "on-die exclusive L2", "reviews of models 4 and 6", false),
      number<&S::itlb_entries>("core.itlb_entries", 16, 1, 512, "entries", "L1 ITLB for 4 KB pages", "22007E p. 132",
                               true),
      number<&S::itlb2_entries>("core.itlb2_entries", 256, 4, 4096, "entries", "L2 ITLB", "22007E p. 132", true),
      number<&S::itlb2_ways>("core.itlb2_ways", 4, 1, 16, "ways", "L2 ITLB", "22007E p. 132", true),
      number<&S::dtlb_entries>("core.dtlb_entries", 24, 1, 512, "entries", "L1 DTLB for 4 KB pages",
                               "22007E p. 134, 139", true),
      number<&S::dtlb2_entries>("core.dtlb2_entries", 256, 4, 4096, "entries", "L2 DTLB", "22007E p. 134, 139", true),
      number<&S::dtlb2_ways>("core.dtlb2_ways", 4, 1, 16, "ways", "L2 DTLB", "22007E p. 134, 139", true),
      number<&S::btb_entries>("core.btb_entries", 2048, 1, 65536, "entries",
                              "branch target buffer; direct mapped, indexed by byte address",
                              "22007E p. 132 for the size; mapping open", false),
      number<&S::history_bits>("core.history_bits", 8, 0, 16, "bits", "global history in the counter index", open,
                               false),
      number<&S::history_address_bits>("core.history_address_bits", 3, 0, 16, "bits",
                                       "address bits (from bit 4 up) in the counter index", open, false),
      number<&S::history_start>("core.history_start", 1, 0, 3, "", "first value of the two-bit counters", open, false),
      number<&S::return_stack_entries>("core.return_stack_entries", 12, 1, 64, "entries", "return address stack",
                                       "22007E p. 132-133", true),
      number<&S::taken_bubble>("core.taken_bubble", 1, 0, 8, "cycles",
                               "clocks without fetch after a predicted taken branch", "22007E p. 132", true),
      number<&S::decode_redirect>("core.decode_redirect", 4, 0, 32, "cycles",
                                  "the same for a direct jump or call that decode finds", open, false),
      number<&S::mispredict_penalty>("core.mispredict_penalty", 10, 5, 64, "cycles",
                                     "from the resolve to the first correct dispatch",
                                     "22007E p. 132 gives it as the least", false),
      off_or_on<&S::split_waits>("core.split_waits", 1,
                                 "the second probe of a reference across 8 bytes waits for the next clock", open,
                                 false),
      number<&S::load_use>("core.load_use", 3, 3, 16, "cycles", "load to use, L1 hit", "22007E p. 151", true),
      number<&S::l2_load_use>("core.l2_load_use", 11, 5, 256, "cycles", "load to use, L2 hit", "hardware reviews",
                              false),
      number<&S::memory_load_use>("core.memory_load_use", 120, 5, 4096, "cycles",
                                  "load to use, from the system, bus idle", open, false),
      number<&S::itlb2_latency>("core.itlb2_latency", 4, 1, 64, "cycles", "L1 ITLB miss that hits L2 ITLB", open,
                                false),
      number<&S::itlb_walk>("core.itlb_walk", 30, 1, 1024, "cycles", "ITLB page walk", open, false),
      number<&S::dtlb2_latency>("core.dtlb2_latency", 5, 1, 64, "cycles", "L1 DTLB miss that hits L2 DTLB", open,
                                false),
      number<&S::dtlb_walk>("core.dtlb_walk", 30, 1, 1024, "cycles", "DTLB page walk", open, false),
      one_of<&S::drops_redirected_walks>(
          "core.redirected_walk", 0,
          "a fetch translation under way when fetch goes elsewhere; what is dropped is looked up and counted again",
          open, false, {{"completes", 0, "fills the first level"}, {"dropped", 1, "fills nothing"}}),
      one_of<&S::names_standing_causes>(
          "core.stall_causes", 0, "when the causes of events D2h to D4h and DAh hold", open, false,
          {{"waiting", 0, "while macro-operations wait"}, {"any", 1, "whether any wait or not"}}),
      off_or_on<&S::walk_in_l2>("core.walk_in_l2", 1, "page walks read their entries through L2", open, false),
      number<&S::page_tables>("core.page_tables", 0x3fc00000, 0, 0xffc00000, "bytes",
                              "physical address of the linear page table", open, false),
      number<&S::far_transfer>("core.far_transfer", 30, 1, 1024, "cycles", "execution of a far transfer", open, false),
      number<&S::interrupt_entry>("core.interrupt_entry", 30, 1, 1024, "cycles",
                                  "from the entry to the first fetch of the handler", open, false),
      number<&S::handler>("core.handler", 0xc0100000, 0, 0xfffff000, "bytes",
                          "address of the handler of take_interrupt()", open, false),
      number<&S::segment_load>("core.segment_load", 8, 1, 64, "cycles", "execution of a segment register load", open,
                               false),
      number<&S::lea>("core.lea", 2, 1, 16, "cycles", "LEA, in an address unit", gcc, true),
      number<&S::double_shift>("core.double_shift", 4, 1, 16, "cycles", "SHLD, SHRD", silicon, true),
      number<&S::multiply>("core.multiply", 4, 1, 64, "cycles", "multiply of 32 bits; of MUL the low word",
                           "GMP, mpn/x86/k7/README: measured, for MUL; GCC, config/i386/athlon.md: 5 for IMUL", false),
      number<&S::multiply_high>("core.multiply_high", 6, 1, 64, "cycles", "MUL of 32 bits, the high word", gmp, true),
      number<&S::multiply_interval>("core.multiply_interval", 3, 1, 64, "cycles",
                                    "from a MUL of 32 bits to the next multiply", gmp, true),
      number<&S::divide>("core.divide", 40, 1, 128, "cycles",
                         "divide of 32 bits, which keeps the multiplier for as long",
                         "GMP, mpn/x86/k7/gmp-mparam.h: 39 measured, 40 by AMD; GCC, config/i386/athlon.md: 42", false),
      one_of<&S::zero_idioms>(
          "core.zero_idioms",
          3, "instructions with one register twice that do not wait for it",
          "InstLatX64, a real Athlon XP: XOR and SUB of 32 bits do not wait, SUB of 8 bits does", false,
          {{"none", 0, "none"},
           {"xor", 1, "XOR"},
           {"all", 2, "XOR, SUB, SBB (which still waits for the flags), PXOR, PANDN, PSUB, PCMPEQ, PCMPGT"},
           {"xor_sub", 3, "XOR, SUB"}}),
      number<&S::locked>("core.locked", 17, 1, 256, "cycles", "from one locked operation to the next",
                         "InstLatX64, a real Athlon XP: 18 for LOCK ADD, 16 for XCHG", false),
      number<&S::fp_add>("core.fp_add", 4, 1, 64, "cycles", "FP add", remembered, false),
      number<&S::fp_multiply>("core.fp_multiply", 4, 1, 64, "cycles", "FP multiply", remembered, false),
      number<&S::fp_move>("core.fp_move", 2, 1, 64, "cycles", "FP and MMX move, MMX operation", remembered, false),
      number<&S::mmx_multiply>("core.mmx_multiply", 3, 1, 64, "cycles", "MMX multiply", isscc, true),
      number<&S::fp_cmov>("core.fp_cmov", 6, 1, 64, "cycles", "FCMOV", silicon, true),
      one_of<&S::precision>(
          "core.precision_control", 2,
          "precision that the x87 control word asks for, which no trace shows: it decides the time of FDIV and FSQRT",
          "22007E p. 29; Linux sets extended", false,
          {{"single", 0, "24 bits"}, {"double", 1, "53 bits"}, {"extended", 2, "64 bits"}}),
      number<&S::fp_divide_extended>("core.fp_divide", 24, 1, 128, "cycles", "FP divide, extended precision", isscc,
                                     true),
      number<&S::fp_divide_double>("core.fp_divide_double", 20, 1, 128, "cycles", "FP divide, double precision", isscc,
                                   true),
      number<&S::fp_divide_single>("core.fp_divide_single", 16, 1, 128, "cycles", "FP divide, single precision", isscc,
                                   true),
      number<&S::fp_sqrt_extended>("core.fp_sqrt", 35, 1, 128, "cycles", "FP square root, extended precision",
                                   "GCC, config/i386/i386.c, athlon_cost", true),
      number<&S::fp_sqrt_double>("core.fp_sqrt_double", 27, 1, 128, "cycles", "FP square root, double precision",
                                 remembered, false),
      number<&S::fp_sqrt_single>("core.fp_sqrt_single", 19, 1, 128, "cycles", "FP square root, single precision",
                                 remembered, false),
      number<&S::fp_divide_overlap>(
          "core.fp_divide_overlap",
          3, 0, 64, "cycles", "how long before the result of an FP divide or square root the next one may start",
          "AMD's ISSCC 1999 paper, as Electronics Weekly of February 1999 reports it, for FDIV", false),
      off_or_on<&S::multiply_beside_divide>(
          "core.multiply_beside_divide", 1,
          "FP multiplies start while an FP divide or square root goes on",
          "AMD's ISSCC 1999 paper, as Electronics Weekly of February 1999 reports it; how many, it does not say",
          false),
      number<&S::fp_transcendental>("core.fp_transcendental", 100, 1, 1024, "cycles", "FP transcendental", remembered,
                                    false),
      number<&S::store_forward>(
          "core.store_forward",
          3, 1, 64, "cycles", "from the data of a store to the result of the load that takes them",
          "22007E p. 151: in the stage of the cache access; GCC, config/i386/athlon.md: 4 for a read-modify-write",
          false),
      number<&S::update_forward>("core.update_forward", 6, 1, 64, "cycles",
                                 "the same for an instruction that has computed its store from its load", silicon,
                                 true),
      one_of<&S::forward_match>(
          "core.forward_match",
          1, "the youngest older store with this in common with a load is the one that it depends on",
          "22007E pp. 51-54; 25112 p. 102 has the third for the AMD64 processors", false,
          {{"bytes", 0, "a byte"}, {"doubleword", 1, "a doubleword"}, {"page_offset", 2, "address bits 11 to 2"}}),
      one_of<&S::forwards_always>(
          "core.blocked_load", 0,
          "a load that depends on a store and may not take its data: another address, more bytes, misaligned, AH to BH",
          "22007E pp. 51-53", true,
          {{"waits", 0, "waits until the store has retired and is in the data cache"},
           {"forwards", 1, "takes the data all the same"}}),
      one_of<&S::prefetchw_modifies>(
          "core.prefetchw_state", 1,
          "state of a line that PREFETCHW brings in", "22007E p. 47", true,
          {{"exclusive", 0, "as for a load: Exclusive, if no other processor has it"}, {"modified", 1, "Modified"}}),
      one_of<&S::wrong_path_data>(
          "core.wrong_path_data",
          1, "data references of a wrong path", open, false,
          {{"none", 0, "none"}, {"absolute", 1, "those whose address stands in the instruction; no others are known"}}),
      number<&S::data_fills>("core.data_fills", 8, 2, 16, "entries", "data cache misses under way", open, false),
      number<&S::l2_transfer>("core.l2_transfer", 8, 1, 64, "cycles",
                              "L2 busy with one line (64 bytes on a 64-bit path)", open, false),
      number<&S::write_buffers>("core.write_buffers", 4, 1, 16, "entries", "64-byte write buffers", "22007E p. 139",
                                true),
      number<&S::write_buffer_age>("core.write_buffer_age", 256, 1, 65536, "cycles",
                                   "a write buffer is sent at this age", open, false),
      number<&S::bus_halves>("core.bus_halves", 20, 2, 200, "half core clocks", "core clocks per bus clock, times two",
                             "1 GHz part on a 100 MHz bus", false),
      number<&S::bus_line_clocks>("core.bus_line_clocks", 4, 1, 64, "bus clocks",
                                  "data bus use of one line: 16 bytes a bus clock", "22007E p. 139", true),
  };
  return table;
}

void require(bool fits, std::string_view what) {
  if (!fits) throw models::ParameterError(fmt::format("athlon core: {}", what));
}

}  // namespace

models::Parameters athlon_parameters() { return models::parameters_of(rows()); }

athlon::Settings::Settings(const models::Parameters& given) {
  models::read_parameters(*this, rows(), given);
  fp_divide = std::array{fp_divide_single, fp_divide_double, fp_divide_extended}[precision];
  fp_sqrt = std::array{fp_sqrt_single, fp_sqrt_double, fp_sqrt_extended}[precision];
  const auto interval = [this](unsigned latency) {
    return latency > fp_divide_overlap ? latency - fp_divide_overlap : 1;
  };
  fp_divide_interval = interval(fp_divide);
  fp_sqrt_interval = interval(fp_sqrt);
  require(line_bytes == 32 || line_bytes == 64, "core.line_bytes must be 32 or 64");
  const auto cache_fits = [this](std::uint64_t bytes, std::uint64_t ways) {
    return bytes % (ways * line_bytes) == 0 && std::has_single_bit(bytes / (ways * line_bytes));
  };
  require(cache_fits(l1i_bytes, l1i_ways), "core.l1i_bytes / (core.l1i_ways * core.line_bytes) must be a power of two");
  require(cache_fits(l1d_bytes, l1d_ways), "core.l1d_bytes / (core.l1d_ways * core.line_bytes) must be a power of two");
  require(cache_fits(l2_bytes, l2_ways), "core.l2_bytes / (core.l2_ways * core.line_bytes) must be a power of two");
  require(
      !pseudo_lru || (std::has_single_bit(l1i_ways) && std::has_single_bit(l1d_ways) && std::has_single_bit(l2_ways)),
      "core.replacement=pseudo_lru needs a power of two of ways in every cache");
  require(itlb2_entries % itlb2_ways == 0 && std::has_single_bit(itlb2_entries / itlb2_ways),
          "core.itlb2_entries / core.itlb2_ways must be a power of two");
  require(dtlb2_entries % dtlb2_ways == 0 && std::has_single_bit(dtlb2_entries / dtlb2_ways),
          "core.dtlb2_entries / core.dtlb2_ways must be a power of two");
  require(multiply_high >= multiply, "core.multiply_high must be core.multiply or more");
  require(std::has_single_bit(btb_entries), "core.btb_entries must be a power of two");
  require(l2_load_use > load_use && memory_load_use > load_use,
          "core.l2_load_use and core.memory_load_use must be greater than core.load_use");
}

}  // namespace pmusim::core
