#include <fmt/format.h>

#include <bit>

#include "models/activity/ia64.h"
#include "models/core/ia64/settings.h"

namespace pmusim::core::ia64 {

using models::number;
using models::off_or_on;
using models::one_of;

namespace {

// Sources: GCC is config/ia64/itanium2.md; Intel its machine description of McKinley (KAPI 4.1, as Open64 has it);
// 7-cpu the measurements of 7-cpu.com; manual Intel 251110 as generally known.
constexpr std::string_view gcc = "GCC itanium2.md";
constexpr std::string_view intel = "Intel's machine description of McKinley";
constexpr std::string_view both = "GCC itanium2.md, Intel's machine description of McKinley";
constexpr std::string_view measured = "7-cpu.com, Madison";
constexpr std::string_view manual = "Intel 251110 as generally known, not checked";
constexpr std::string_view open = "no document settles it";

}  // namespace

models::ParameterRows<Settings> common_rows() {
  constexpr std::int64_t kilo = 1024, mega = 1024 * kilo;
  namespace psr = activity::ia64::psr;
  constexpr std::int64_t user_psr = psr::up | psr::pp | psr::i | psr::dt | psr::it;
  using S = Settings;
  return {
      // name, default, least, most, unit (of a number), meaning, source, confirmed, choices
      off_or_on<&S::wrong_path>("core.wrong_path", 1, "fetch and disperse after a misprediction", open, false),
      off_or_on<&S::instruction_prefetch>("core.instruction_prefetch", 1,
                                          "next-line and hinted prefetches into the streaming buffer", open, false),
      number<&S::buffer_bundles>("core.buffer_bundles", 8, 2, most_buffered, "bundles",
                                 "instruction buffer between fetch and dispersal", measured, true),
      number<&S::fetch_to_buffer>("core.fetch_to_buffer", 2, 1, 8, "cycles",
                                  "from a fetch (IPG) to the dispersal of its bundles (EXP)", measured, true),
      number<&S::branch_queue>("core.branch_queue", 12, 3, 256, "branches",
                               "branch retirement queue: predicted branches; more hold fetch", open, false),
      one_of<&S::branch_queue_until>(
          "core.branch_queue_until", 0, "a branch leaves the branch retirement queue", "libpfm's name for the stall",
          false,
          {{"retirement", 0, "when it retires"}, {"dispersal", 1, "when its bundle leaves the instruction buffer"}}),
      one_of<&S::front_end_order>(
          "core.front_end_order", 0,
          "cause of a cycle in which branch retirement queue and instruction buffer are both full", open, false,
          {{"branch", 0, "the queue"}, {"buffer", 1, "the buffer"}}),
      number<&S::l1i_bytes>("core.l1i_bytes", 16 * kilo, kilo, mega, "bytes", "L1 instruction cache", measured, true),
      number<&S::l1i_ways>("core.l1i_ways", 4, 1, 32, "ways", "L1 instruction cache", measured, true),
      number<&S::l1i_line>("core.l1i_line", 64, 32, 128, "bytes", "L1 instruction cache", measured, true),
      number<&S::request_buffers>("core.request_buffers", 8, 2, 64, "lines",
                                  "request address buffer: lines asked of L2", open, false),
      number<&S::prefetch_addresses>("core.prefetch_addresses", 8, 1, 256, "lines", "prefetch virtual address buffer",
                                     open, false),
      number<&S::stream_lines>("core.stream_lines", 4, 1, 64, "lines", "lines that a .many hint asks for", open, false),
      number<&S::stream_ahead>("core.stream_ahead", 1, 0, 16, "lines", "lines asked for after one that a fetch misses",
                               open, false),
      number<&S::l1itlb_entries>("core.l1itlb_entries", 32, 1, 512, "entries", "L1 ITLB, granules of 4 KB", measured,
                                 true),
      number<&S::l2itlb_entries>("core.l2itlb_entries", 128, 1, 4096, "entries", "L2 ITLB", measured, true),
      number<&S::l2itlb_latency>("core.l2itlb_latency", 10, 1, 256, "cycles", "L1 ITLB miss that hits L2 ITLB", manual,
                                 false),
      number<&S::fetch_walk>("core.fetch_walk", 25, 0, 1024, "cycles", "ITLB walk, beside the read of the table",
                             manual, false),
      number<&S::history_bits>("core.history_bits", 8, 0, 16, "bits",
                               "global history in the index of the direction counters", open, false),
      number<&S::history_entries>("core.history_entries", 16384, 1, 1 << 20, "entries",
                                  "two-bit direction counters, a power of two", open, false),
      number<&S::history_start>("core.history_start", 2, 0, 3, "", "first value of the direction counters", open,
                                false),
      number<&S::target_entries>("core.target_entries", 4096, 1, 1 << 20, "entries",
                                 "branches known to the predictor, direct mapped, a power of two", open, false),
      number<&S::return_entries>("core.return_entries", 8, 1, 64, "entries", "return stack", manual, false),
      off_or_on<&S::loop_prediction>("core.loop_prediction", 1, "counted loops end as predicted", open, false),
      number<&S::immediate_bubbles>("core.immediate_bubbles", 2, 0, 16, "cycles",
                                    "taken IP-relative branch that the predictor does not know", open, false),
      one_of<&S::late_target>(
          "core.late_target", 1, "taken IP-relative branch that the predictor does not know",
          "libpfm's events have wrong targets of IP-relative branches, which only the front end can get wrong", false,
          {{"correct", 0, "predicted right, though late"},
           {"wrong_target", 1, "a wrong target that the front end finds"}}),
      number<&S::return_bubbles>("core.return_bubbles", 1, 0, 16, "cycles", "correctly predicted return", manual,
                                 false),
      number<&S::indirect_bubbles>("core.indirect_bubbles", 2, 0, 16, "cycles", "correctly predicted indirect branch",
                                   manual, false),
      number<&S::multiway_bubbles>("core.multiway_bubbles", 1, 0, 16, "cycles", "taken branch of a bundle with several",
                                   open, false),
      number<&S::loop_bubbles>("core.loop_bubbles", 1, 0, 16, "cycles", "end of a counted loop", open, false),

      number<&S::branch_flush>("core.branch_flush", 6, 2, 64, "cycles",
                               "lost by a misprediction that the back end finds", manual, false),
      number<&S::wrong_path_cycles>("core.wrong_path_cycles", 1, 0, 64, "cycles",
                                    "of them: the wrong path is still dispersed", open, false),
      number<&S::interruption_flush>("core.interruption_flush", 16, 3, 1024, "cycles",
                                     "lost by an interruption, fault or trap", open, false),
      number<&S::exe_to_retire>("core.exe_to_retire", 2, 1, 16, "cycles", "from EXE to WRB", measured, true),
      number<&S::serialize_flush>("core.serialize_flush", 8, 2, 1024, "cycles", "lost by srlz.i", open, false),
      number<&S::check_flush>("core.check_flush", 10, 2, 1024, "cycles", "lost by a check that fails", open, false),
      number<&S::load_use>("core.load_use", 1, 1, 16, "cycles", "integer load that hits L1D", gcc, true),
      number<&S::load_address_extra>("core.load_address_extra", 1, 0, 16, "cycles", "more if the value is an address",
                                     gcc, true),
      number<&S::load_multimedia_extra>("core.load_multimedia_extra", 1, 0, 16, "cycles",
                                        "more if a multimedia operation needs the value", both, true),
      number<&S::load_setf_extra>("core.load_setf_extra", 1, 0, 16, "cycles", "more if setf needs the value", intel,
                                  true),
      one_of<&S::cancelled_wait>(
          "core.cancelled_wait", 0, "wait for a load that passed the pipe again: what CANCEL of BE_EXE_BUBBLE tells",
          open, false, {{"first", 0, "its first cycle; then it is as for any load"}, {"all", 1, "all of it"}}),
      number<&S::integer>("core.integer", 1, 1, 16, "cycles", "integer operation; extr, dep, shrp", both, true),
      number<&S::multimedia>("core.multimedia", 2, 1, 16, "cycles", "multimedia operation, popcnt, shift by a register",
                             both, true),
      number<&S::alu_to_multimedia>("core.alu_to_multimedia", 2, 1, 16, "cycles",
                                    "integer result to multimedia operation",
                                    "Intel's machine description of McKinley; GCC itanium2.md has 3", false),
      number<&S::from_multimedia_extra>("core.from_multimedia_extra", 1, 0, 16, "cycles",
                                        "multimedia result: more to any other operation", both, true),
      number<&S::move_multimedia_extra>("core.move_multimedia_extra", 1, 0, 16, "cycles",
                                        "getf or mov from BR, PR, AR, CR: more to multimedia operation",
                                        "Intel's machine description of McKinley, which has 2 for AR", false),
      number<&S::fp>("core.fp", 4, 1, 64, "cycles", "floating-point operation", gcc, true),
      number<&S::fp_compare>("core.fp_compare", 2, 1, 64, "cycles", "floating-point compare; one less to a branch", gcc,
                             true),
      number<&S::shifters>("core.shifters", 1, 1, 2, "ports", "I ports that take shrp, extr and dep: I0, or both",
                           "GCC itanium2.md; OpenSSL chacha-ia64.S names a pair of shifters of the Itanium 9xxx", true),
      number<&S::fp_store_extra>("core.fp_store_extra", 0, 0, 16, "cycles",
                                 "floating-point result, load or setf: more to the data of a store",
                                 "GMP ia64/divexact_1, measured; Intel's machine description of McKinley has 1", false),
      number<&S::fp_getf_extra>("core.fp_getf_extra", 1, 0, 16, "cycles", "floating-point load or setf: more to getf",
                                "Intel's machine description of McKinley; GCC itanium2.md has it for setf alone", true),
      number<&S::getf>("core.getf", 5, 1, 64, "cycles", "getf", both, true),
      number<&S::setf>("core.setf", 5, 1, 64, "cycles", "setf", both, true),
      number<&S::from_branch>("core.from_branch", 2, 1, 64, "cycles", "mov from a branch register or the predicates",
                              gcc, true),
      number<&S::from_application>("core.from_application", 6, 1, 64, "cycles",
                                   "mov from an M-unit application register", gcc, true),
      number<&S::from_backing_store>("core.from_backing_store", 13, 1, 64, "cycles", "mov from ar.bsp, ar.bspstore",
                                     gcc, true),
      number<&S::to_application>("core.to_application", 5, 1, 64, "cycles", "mov to an M-unit application register",
                                 gcc, true),
      number<&S::safety_stall>("core.safety_stall", 4, 1, 64, "cycles", "numeric safety stall of the FPU", open, false),
      number<&S::bank_switch>("core.bank_switch", 2, 1, 64, "cycles", "bsw until r16-r31 can be used", open, false),
      one_of<&S::held_causes>(
          "core.held_causes", 0, "causes named for a syllable that is held", open, false,
          {{"first", 0, "what ended the group"}, {"all", 1, "every stop, port or split that would have held it"}}),
      one_of<&S::rse_event_frame>("core.rse_event_frame", 0, "frame and dirty registers that an RSE event tells of",
                                  manual, false, {{"before", 0, "before the event"}, {"after", 1, "after it"}}),
      number<&S::alat_entries>("core.alat_entries", 32, 1, 512, "entries", "ALAT, fully associative", measured, true),
      off_or_on<&S::alat_snoops>(
          "core.alat_snoops", 1, "an invalidation of a line by another agent takes out the ALAT's entries of it",
          "SDM volume 1, 4.4.5.3.2: stores of other processors and the removal of a line; not how much a snoop takes",
          false),
      number<&S::stacked_registers>("core.stacked_registers", 96, 96, 4096, "registers",
                                    "physical stacked general registers", manual, false),
      number<&S::engine_width>("core.engine_width", 2, 1, 8, "registers",
                               "that the register stack engine moves in a cycle", manual, false),
      number<&S::backing_store>("core.backing_store", 0x600007ffffef0000, 0, INT64_MAX, "bytes",
                                "ar.bsp where the trace does not say it", open, false),

      number<&S::l1d_bytes>("core.l1d_bytes", 16 * kilo, kilo, mega, "bytes", "L1 data cache", measured, true),
      number<&S::l1d_ways>("core.l1d_ways", 4, 1, 32, "ways", "L1 data cache", measured, true),
      number<&S::l1d_line>("core.l1d_line", 64, 32, 128, "bytes", "L1 data cache", measured, true),
      number<&S::l1dtlb_entries>("core.l1dtlb_entries", 32, 1, 512, "entries",
                                 "L1 DTLB, granules of 4 KB, for reads of L1D", measured, true),
      number<&S::l2dtlb_entries>("core.l2dtlb_entries", 128, 1, 4096, "entries", "L2 DTLB", measured, true),
      number<&S::l2dtlb_latency>("core.l2dtlb_latency", 4, 1, 256, "cycles", "L1 DTLB miss that hits L2 DTLB", measured,
                                 true),
      number<&S::data_walk>("core.data_walk", 15, 0, 1024, "cycles", "DTLB walk whose read of the table hits L2",
                            measured, true),
      number<&S::page_bytes>("core.page_bytes", 16 * kilo, 4 * kilo, 256 * mega, "bytes",
                             "pages of the second-level TLBs, a power of two", open, false),
      number<&S::hash_table>("core.hash_table", 0x1ffc000000000000, 0, INT64_MAX, "bytes",
                             "address of the hashed page table", open, false),
      number<&S::hash_entry>("core.hash_entry", 8, 8, 32, "bytes", "entry of the hashed page table (short format)",
                             open, false),
      number<&S::load_misses>("core.load_misses", 8, 1, 64, "loads", "integer loads that may wait for L2", open, false),
      number<&S::store_buffer>("core.store_buffer", 16, 2, 64, "stores", "store buffer", open, false),
      number<&S::store_forward>("core.store_forward", 3, 0, 16, "cycles",
                                "a load so soon after a store to its aligned 8 bytes takes the data from L2",
                                "page on the SGI Altix 350, Waseda University", true),
      one_of<&S::store_overlap>(
          "core.store_overlap", 1, "such a load, if the store wrote only a part of what it reads",
          "libpfm's L1D_STBUFRECIR; the page on the Altix says L2", false,
          {{"l2", 0, "takes the data from L2"}, {"recirculate", 1, "passes the pipe again when L1D has the data"}}),

      number<&S::l2_bytes>("core.l2_bytes", 256 * kilo, kilo, 64 * mega, "bytes", "L2", measured, true),
      number<&S::l2_ways>("core.l2_ways", 8, 1, 32, "ways", "L2", measured, true),
      number<&S::l2_line>("core.l2_line", 128, 64, 256, "bytes", "lines of L2 and L3", measured, true),
      number<&S::l2_integer>("core.l2_integer", 5, 2, 64, "cycles", "integer load to use, L2 hit", measured, true),
      number<&S::l2_fp>("core.l2_fp", 6, 2, 64, "cycles", "floating-point load to use, L2 hit", gcc, true),
      number<&S::l2_instruction>("core.l2_instruction", 7, 2, 64, "cycles", "fetch, L2 hit", manual, false),
      number<&S::queue_entries>("core.queue_entries", 32, 4, 256, "entries", "ordered queue of L2", manual, false),
      number<&S::queue_data>("core.queue_data", 24, 4, 256, "entries", "data buffer of the ordered queue", open, false),
      number<&S::queue_width>("core.queue_width", 4, 1, 16, "requests", "that the ordered queue issues in a cycle",
                              "increments of the L2 events", false),
      number<&S::l2_ports>("core.l2_ports", 4, 1, 16, "requests", "whose data L2 returns in a cycle", intel, true),
      number<&S::victim_buffers>("core.victim_buffers", 8, 1, 64, "lines", "dirty lines on their way out of L2", open,
                                 false),
      number<&S::fill_buffers>("core.fill_buffers", 24, 1, 64, "lines", "lines on their way into L2", open, false),
      number<&S::l2_banks>("core.l2_banks", 16, 1, 64, "banks",
                           "of 16 bytes in L2's data array, one access a cycle each", manual, false),
      number<&S::semaphore_cycles>("core.semaphore_cycles", 3, 0, 64, "cycles", "semaphore: more than a load", open,
                                   false),
      number<&S::fence_cycles>("core.fence_cycles", 4, 1, 64, "cycles", "mf and sync.i with nothing outstanding", open,
                               false),
      number<&S::l3_bytes>("core.l3_bytes", 3 * mega, 64 * kilo, 64 * mega, "bytes", "L3",
                           "Madison, smallest part of the first series", false),
      number<&S::l3_ways>("core.l3_ways", 12, 1, 64, "ways", "L3", manual, false),
      number<&S::l3_extra>("core.l3_extra", 10, 1, 256, "cycles", "L3 hit: more than an L2 hit", measured, true),
      number<&S::l3_busy>("core.l3_busy", 2, 1, 64, "cycles", "L3 busy with one request", open, false),

      number<&S::bus_numerator>("core.bus_ratio", 5, 1, 1000, "core clocks",
                                "per core.bus_ratio_per bus clocks: 1 GHz on 200 MHz", open, false),
      number<&S::bus_denominator>("core.bus_ratio_per", 1, 1, 1000, "bus clocks", "see core.bus_ratio", open, false),
      number<&S::memory_cycles>("core.memory_cycles", 200, 1, 65536, "cycles",
                                "from the bus request of a line to its end, bus idle",
                                "platform; 7-cpu.com measured 160 ns", false),
      number<&S::request_queue>("core.request_queue", 16, 1, 64, "entries", "bus request queue", open, false),
      number<&S::in_order_queue>("core.in_order_queue", 8, 1, 15, "entries", "in-order queue of the bus", manual,
                                 false),
      number<&S::bus_line_clocks>("core.bus_line_clocks", 4, 1, 64, "bus clocks",
                                  "data bus use of one line: 32 bytes a bus clock", manual, false),
      number<&S::snoop_clocks>("core.snoop_clocks", 4, 1, 64, "bus clocks",
                               "from the request of a transaction to its snoop result", open, false),

      number<&S::psr>("core.psr", user_psr, 0, INT64_MAX, "", "processor status register at the start", open, false),
      number<&S::dcr>("core.dcr", 0, 0, 0x7f01, "", "default control register at the start: bit 0 is pp, bit 8 dm",
                      open, false),
      number<&S::cpl>("core.cpl", 3, 0, 3, "", "privilege level at the start", open, false),
      number<&S::handler>("core.handler", 0x4000000040000000, 0, INT64_MAX, "bytes",
                          "address of the handler of take_interrupt()", open, false),
      one_of<&S::entry_sp>("core.entry_sp", 0, "PSR.sp at an interruption", open, false,
                           {{"cleared", 0, "0"}, {"kept", 1, "as it was"}}),
      one_of<&S::secure_user_mask>("core.secure_user_mask", 0, "rum and sum under PSR.sp, but at privilege level 0",
                                   open, false, {{"kept", 0, "leave PSR.up alone"}, {"changed", 1, "change PSR.up"}}),
  };
}

namespace {

void require(bool fits, std::string_view what) {
  if (!fits) throw models::ParameterError(fmt::format("IA-64 core: {}", what));
}

void check(const Settings& s) {
  const auto cache_fits = [](std::uint64_t bytes, std::uint64_t ways, std::uint64_t line) {
    return std::has_single_bit(line) && bytes % (ways * line) == 0 && std::has_single_bit(bytes / (ways * line));
  };
  require(cache_fits(s.l1i_bytes, s.l1i_ways, s.l1i_line),
          "core.l1i_bytes / (core.l1i_ways * core.l1i_line) must be a power of two");
  require(cache_fits(s.l1d_bytes, s.l1d_ways, s.l1d_line),
          "core.l1d_bytes / (core.l1d_ways * core.l1d_line) must be a power of two");
  require(cache_fits(s.l2_bytes, s.l2_ways, s.l2_line),
          "core.l2_bytes / (core.l2_ways * core.l2_line) must be a power of two");
  require(cache_fits(s.l3_bytes, s.l3_ways, s.l2_line),
          "core.l3_bytes / (core.l3_ways * core.l2_line) must be a power of two");
  require(s.l1i_line <= s.l2_line && s.l1d_line <= s.l2_line,
          "core.l2_line must not be smaller than core.l1i_line and core.l1d_line");
  require(std::has_single_bit(s.history_entries) && std::has_single_bit(s.target_entries),
          "core.history_entries and core.target_entries must be powers of two");
  require(std::has_single_bit(s.page_bytes), "core.page_bytes must be a power of two");
  require(s.buffer_bundles >= 2 && s.branch_flush > s.wrong_path_cycles,
          "core.branch_flush must be greater than core.wrong_path_cycles");
  require(!s.split() || cache_fits(s.l2i_bytes, s.l2i_ways, s.l2_line),
          "core.l2i_bytes / (core.l2i_ways * core.l2_line) must be a power of two");
  require(s.bus_denominator <= s.bus_numerator, "core.bus_ratio must not be smaller than core.bus_ratio_per");
}

}  // namespace

Settings settings_of(const models::ParameterRows<Settings>& rows, const models::Parameters& parameters) {
  Settings settings{};
  models::read_parameters(settings, rows, parameters);
  check(settings);
  return settings;
}

}  // namespace pmusim::core::ia64
