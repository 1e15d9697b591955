#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "run.h"

namespace pmusim::micro {
namespace {

using pmu::RegisterId;
using pmu::Space;

void write(pmu::Monitor& monitor, RegisterId id, std::uint64_t value) {
  const pmu::AccessResult result = monitor.write(id, value, {});
  if (result.fault != pmu::Fault::none) throw std::logic_error("register write faults: " + std::to_string(id.number));
}

// --- 750GX: User's Manual, tables 11-2 to 11-5 ----------------------------------------------------------

struct Selector {
  std::string_view event;
  unsigned counter;  ///< PMC1 to PMC4; events available on all four use PMC1
  unsigned code;
};
constexpr Selector selectors[] = {
    {"NOTHING", 1, 0},
    {"PROCESSOR_CYCLES", 1, 1},
    {"INSTRUCTIONS_COMPLETED", 1, 2},
    {"TBL_BIT_TRANSITIONS", 1, 3},
    {"INSTRUCTIONS_DISPATCHED", 1, 4},
    {"EIEIO_INSTRUCTIONS", 1, 5},
    {"ITLB_TABLE_SEARCH_CYCLES", 1, 6},
    {"L2_ACCESSES", 1, 7},
    {"EAS_DELIVERED", 1, 8},
    {"IABR_MATCHES", 1, 9},
    {"L1_LOAD_MISSES", 1, 10},
    {"UNRESOLVED_BRANCHES", 1, 11},
    {"SECOND_UNRESOLVED_BRANCH_STALLS", 1, 12},
    {"L1_ICACHE_MISSES", 2, 5},
    {"ITLB_MISSES", 2, 6},
    {"L2_I_MISSES", 2, 7},
    {"BRANCHES_NOT_TAKEN", 2, 8},
    {"RESERVED_LOADS", 2, 10},
    {"LOADS_AND_STORES", 2, 11},
    {"SNOOPS", 2, 12},
    {"L1_CASTOUTS_TO_L2", 2, 13},
    {"SYSTEM_UNIT_INSTRUCTIONS", 2, 14},
    {"INSTRUCTION_FETCH_MISSES", 2, 15},
    {"SPECULATIVE_BRANCHES", 2, 16},
    {"L1_DCACHE_MISSES", 3, 5},
    {"DTLB_MISSES", 3, 6},
    {"L2_DATA_MISSES", 3, 7},
    {"TAKEN_BRANCHES", 3, 8},
    {"STORE_CONDITIONAL_INSTRUCTIONS", 3, 10},
    {"FPU_INSTRUCTIONS", 3, 11},
    {"L2_CASTOUTS_MODIFIED_SNOOPS", 3, 12},
    {"L2_HITS", 3, 13},
    {"L1_LOAD_MISS_CYCLES", 3, 15},
    {"SECOND_STREAM_RESOLVED_BRANCHES", 3, 16},
    {"BPU_LR_CR_STALL_CYCLES", 3, 17},
    {"L2_CASTOUTS", 4, 5},
    {"DTLB_TABLE_SEARCH_CYCLES", 4, 6},
    {"MISPREDICTED_BRANCHES", 4, 8},
    {"STORE_CONDITIONAL_INSTRUCTIONS_RESERVATION_INTACT", 4, 10},
    {"SYNC_INSTRUCTIONS", 4, 11},
    {"SNOOP_RETRIES", 4, 12},
    {"INTEGER_OPERATIONS", 4, 13},
    {"BPU_BLOCKED_CYCLES", 4, 14},
};
constexpr RegisterId mmcr0{Space::spr, 952}, mmcr1{Space::spr, 956}, iabr{Space::spr, 1010};
constexpr RegisterId pmc[] = {{Space::spr, 953}, {Space::spr, 954}, {Space::spr, 957}, {Space::spr, 958}};

RegisterId program_ppc750gx(pmu::Monitor& monitor, const oracle::Request& request) {
  unsigned counter = 0, code = 0;
  if (request.event.starts_with("PM_RSVD_")) {
    counter = static_cast<unsigned>(request.event[8] - '0');
    code = static_cast<unsigned>(std::stoul(request.event.substr(10)));
  } else {
    for (const Selector& s : selectors) {
      if (s.event == request.event) counter = s.counter, code = s.code;
    }
  }
  if (counter == 0) throw std::logic_error("no selector for " + request.event);
  std::uint32_t control = 0;
  if (!request.kernel) control |= 0x40000000;                                // DP
  if (!request.user) control |= 0x20000000;                                  // DU
  if (request.marked) control |= *request.marked ? 0x08000000 : 0x10000000;  // DMR, DMS
  control |= request.time_base_bit << 23 | request.threshold << 16;          // RTCSELECT, THRESHOLD
  if (counter == 1) control |= code << 6;
  if (counter == 2) control |= code;
  if (request.event == "IABR_MATCHES") {
    const bool translated = (request.breakpoint & oracle::breakpoint_translation) != 0;
    write(monitor, iabr, (request.address & ~std::uint64_t{3}) | (translated ? 1 : 0));
  }
  write(monitor, mmcr1, counter == 3 ? code << 27 : counter == 4 ? code << 22 : 0);
  write(monitor, mmcr0, control);
  return pmc[counter - 1];
}

// --- Athlon: x86 Code Optimization Guide (22007), appendix D --------------------------------------------

struct EventSelect {
  std::string_view event;
  std::uint32_t code;
  std::vector<std::pair<std::string_view, std::uint32_t>> umasks;
};
const EventSelect event_selects[] = {
    {"SEGMENT_REGISTER_LOADS",
     0x20,
     {{"ALL", 0x7F}, {"ES", 0x01}, {"CS", 0x02}, {"SS", 0x04}, {"DS", 0x08}, {"FS", 0x10}, {"GS", 0x20}, {"HS", 0x40}}},
    {"STORES_TO_ACTIVE_INSTRUCTION_STREAM", 0x21, {}},
    {"DATA_CACHE_ACCESSES", 0x40, {}},
    {"DATA_CACHE_MISSES", 0x41, {}},
    {"DATA_CACHE_REFILLS",
     0x42,
     {{"ALL", 0x1F},
      {"L2_INVALID", 0x01},
      {"L2_SHARED", 0x02},
      {"L2_EXCLUSIVE", 0x04},
      {"L2_OWNED", 0x08},
      {"L2_MODIFIED", 0x10}}},
    {"DATA_CACHE_REFILLS_FROM_SYSTEM",
     0x43,
     {{"ALL", 0x1F}, {"INVALID", 0x01}, {"SHARED", 0x02}, {"EXCLUSIVE", 0x04}, {"OWNED", 0x08}, {"MODIFIED", 0x10}}},
    {"DATA_CACHE_LINES_EVICTED",
     0x44,
     {{"ALL", 0x1F}, {"INVALID", 0x01}, {"SHARED", 0x02}, {"EXCLUSIVE", 0x04}, {"OWNED", 0x08}, {"MODIFIED", 0x10}}},
    {"L1_DTLB_MISS_AND_L2_DTLB_HIT", 0x45, {}},
    {"L1_DTLB_AND_L2_DTLB_MISS", 0x46, {}},
    {"MISALIGNED_ACCESSES", 0x47, {}},
    {"DRAM_SYSTEM_REQUESTS", 0x64, {}},
    {"SYSTEM_REQUESTS_WITH_THE_SELECTED_TYPE",
     0x65,
     {{"ALL", 0x73}, {"UC", 0x01}, {"WC", 0x02}, {"WT", 0x10}, {"WP", 0x20}, {"WB", 0x40}}},
    {"SNOOP_HITS", 0x73, {{"ALL", 0x07}, {"IC", 0x01}, {"DC", 0x02}, {"L2", 0x04}}},
    {"SINGLE_BIT_ECC_ERRORS_DETECTED_CORRECTED", 0x74, {{"ALL", 0x03}, {"SYSTEM", 0x01}, {"L2", 0x02}}},
    {"INTERNAL_CACHE_LINE_INVALIDATES",
     0x75,
     {{"ALL", 0x0F},
      {"D_INVALIDATES_I", 0x01},
      {"D_INVALIDATES_D", 0x02},
      {"I_INVALIDATES_I", 0x04},
      {"I_INVALIDATES_D", 0x08}}},
    {"CPU_CLK_UNHALTED", 0x76, {}},
    {"L2_REQUESTS",
     0x79,
     {{"ALL", 0xFF},
      {"TAG_READ", 0x01},
      {"TAG_WRITE", 0x02},
      {"INSTRUCTION_READ", 0x04},
      {"LOAD_READ", 0x08},
      {"STORE_READ", 0x10},
      {"SYSTEM_WRITE", 0x20},
      {"DC_WRITE", 0x40},
      {"L2_WRITE", 0x80}}},
    {"CYCLES_FILL_REQUEST_WAITED_FOR_L2", 0x7A, {}},
    {"INSTRUCTION_CACHE_FETCHES", 0x80, {}},
    {"INSTRUCTION_CACHE_MISSES", 0x81, {}},
    {"INSTRUCTION_CACHE_REFILLS_FROM_L2", 0x82, {}},
    {"INSTRUCTION_CACHE_REFILLS_FROM_SYSTEM", 0x83, {}},
    {"L1_ITLB_MISS_AND_L2_ITLB_HIT", 0x84, {}},
    {"L1_ITLB_MISS_AND_L2_ITLB_MISS", 0x85, {}},
    {"SNOOP_RESYNCS", 0x86, {}},
    {"INSTRUCTION_FETCH_STALL_CYCLES", 0x87, {}},
    {"RETURN_STACK_HITS", 0x88, {}},
    {"RETURN_STACK_OVERFLOW", 0x89, {}},
    {"RETIRED_INSTRUCTIONS", 0xC0, {}},
    {"RETIRED_UOPS", 0xC1, {}},
    {"RETIRED_BRANCH_INSTRUCTIONS", 0xC2, {}},
    {"RETIRED_MISPREDICTED_BRANCH_INSTRUCTIONS", 0xC3, {}},
    {"RETIRED_TAKEN_BRANCH_INSTRUCTIONS", 0xC4, {}},
    {"RETIRED_TAKEN_BRANCH_INSTRUCTIONS_MISPREDICTED", 0xC5, {}},
    {"RETIRED_FAR_CONTROL_TRANSFERS", 0xC6, {}},
    {"RETIRED_BRANCH_RESYNCS", 0xC7, {}},
    {"RETIRED_NEAR_RETURNS", 0xC8, {}},
    {"RETIRED_NEAR_RETURNS_MISPREDICTED", 0xC9, {}},
    {"RETIRED_INDIRECT_BRANCHES_WITH_TARGET_MISPREDICTED", 0xCA, {}},
    {"INTERRUPTS_MASKED_CYCLES", 0xCD, {}},
    {"INTERRUPTS_MASKED_CYCLES_WITH_INTERRUPT_PENDING", 0xCE, {}},
    {"INTERRUPTS_TAKEN", 0xCF, {}},
    {"INSTRUCTION_DECODER_EMPTY", 0xD0, {}},
    {"DISPATCH_STALLS", 0xD1, {}},
    {"BRANCH_ABORT_TO_RETIRE", 0xD2, {}},
    {"SERIALIZE", 0xD3, {}},
    {"SEGMENT_LOAD_STALL", 0xD4, {}},
    {"ICU_FULL", 0xD5, {}},
    {"RESERVATION_STATIONS_FULL", 0xD6, {}},
    {"FPU_FULL", 0xD7, {}},
    {"LS_FULL", 0xD8, {}},
    {"ALL_QUIET_STALL", 0xD9, {}},
    {"FAR_TRANSFER_OR_RESYNC_BRANCH_PENDING", 0xDA, {}},
    {"BREAKPOINT_MATCHES_FOR_DR0", 0xDC, {}},
    {"BREAKPOINT_MATCHES_FOR_DR1", 0xDD, {}},
    {"BREAKPOINT_MATCHES_FOR_DR2", 0xDE, {}},
    {"BREAKPOINT_MATCHES_FOR_DR3", 0xDF, {}},
};

RegisterId program_athlon(pmu::Monitor& monitor, const oracle::Request& request) {
  const EventSelect* found = nullptr;
  for (const EventSelect& e : event_selects) {
    if (e.event == request.event) found = &e;
  }
  if (found == nullptr) throw std::logic_error("no event select for " + request.event);
  std::uint32_t value = found->code | 1u << 22;  // EN
  for (const std::string& wanted : request.umasks) {
    for (const auto& [name, bits] : found->umasks) {
      if (name == wanted) value |= bits << 8;
    }
  }
  if (request.user) value |= 1u << 16;
  if (request.kernel) value |= 1u << 17;
  if (request.edge) value |= 1u << 18;
  if (request.invert) value |= 1u << 23;
  value |= request.threshold << 24;
  if (request.event.starts_with("BREAKPOINT_")) {
    const auto number = static_cast<std::uint32_t>(request.event.back() - '0');
    const std::uint32_t kind = request.breakpoint & 3u;
    const std::uint32_t length = request.breakpoint >> oracle::breakpoint_length_shift;
    const std::uint32_t coded = length > 1 ? length - 1 : 0;  // LEN: 0, 1 and 3 stand for 1, 2 and 4 bytes
    write(monitor, {Space::dr, number}, request.address);
    write(monitor, {Space::dr, 7}, 1u << (2 * number + 1) | (kind | coded << 2) << (16 + 4 * number));
  }
  write(monitor, {Space::msr, 0xC0010000}, value);
  return {Space::msr, 0xC0010004};
}

}  // namespace

RegisterId program(pmu::Monitor& monitor, std::string_view target, const oracle::Request& request) {
  if (target == "itanium2") return program_itanium2(monitor, request);
  if (target == "montecito") return program_montecito(monitor, request);
  return target == "athlon" ? program_athlon(monitor, request) : program_ppc750gx(monitor, request);
}

}  // namespace pmusim::micro
