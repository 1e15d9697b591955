// Modifier matrix of the Athlon: thresholds at 0, 1, max and max + 1, invert, edge, privilege.
#include "testbench/targets/athlon/judging.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace pmusim::testbench {

using oracle::Request;

namespace {

void complete(Group& group, const Landmarks& landmarks);

constexpr std::string_view breakpoint_event = "BREAKPOINT_MATCHES_FOR_DR";

/// DR7 for one breakpoint: local enable, R/W and LEN fields (IA-32, debug registers).
std::uint64_t debug_control(unsigned index, std::uint32_t kind, std::uint32_t length) {
  const std::uint64_t length_code = length == 4 ? 3 : length == 2 ? 1 : 0;
  return (std::uint64_t{1} << (2 * index)) | (std::uint64_t{kind} << (16 + 4 * index)) |
         (length_code << (18 + 4 * index));
}

/// Adds the debug registers of a breakpoint event: DR0 matches execution, DR1 writes, DR2 and DR3 reads or writes,
/// unless the request already names a kind.
void add_breakpoint(Check& check, Group& group, const Landmarks& landmarks) {
  if (!check.request.event.starts_with(breakpoint_event)) return;
  const unsigned index = static_cast<unsigned>(check.request.event.back() - '0');
  constexpr std::array<std::uint32_t, 4> kinds{oracle::breakpoint_execute, oracle::breakpoint_write,
                                               oracle::breakpoint_read_write, oracle::breakpoint_read_write};
  const std::uint32_t kind = check.request.breakpoint != 0 ? check.request.breakpoint & 3u : kinds[index];
  const bool executes = kind == oracle::breakpoint_execute, writes = kind == oracle::breakpoint_write;
  const std::uint64_t place = executes ? landmarks.instruction : writes ? landmarks.store : landmarks.load;
  const std::uint32_t size = std::min(executes ? 1 : writes ? landmarks.store_size : landmarks.load_size, 4u);
  const std::uint32_t length = size == 3 ? 2 : size;
  check.request.address = place & ~std::uint64_t{length - 1};
  check.request.breakpoint = kind | (length << oracle::breakpoint_length_shift);
  group.extra.push_back({fmt::format("DR{}", index), check.request.address});
  group.extra.push_back({"DR7", debug_control(index, kind, length)});
}

/// The three retirement slots, and the two ports of the data cache.
constexpr MostInCycle several_in_cycle[] = {{"DATA_CACHE_ACCESSES", 2},
                                            {"DATA_CACHE_MISSES", 2},
                                            {"MISALIGNED_ACCESSES", 2},
                                            {"RETIRED_INSTRUCTIONS", 3},
                                            {"RETIRED_UOPS", 3},
                                            {"RETIRED_BRANCH_INSTRUCTIONS", 3},
                                            {"RETIRED_TAKEN_BRANCH_INSTRUCTIONS", 3},
                                            {"RETIRED_TAKEN_BRANCH_INSTRUCTIONS_MISPREDICTED", 1},
                                            {"RETIRED_NEAR_RETURNS", 3},
                                            {"RETIRED_NEAR_RETURNS_MISPREDICTED", 1}};

void row_matrix(const Request& row, std::uint32_t largest, const Landmarks& landmarks, std::vector<Group>& groups) {
  for (const Levels& levels : all_levels) {
    for (const std::uint32_t threshold : {0u, 1u, largest, largest + 1}) {
      if (threshold == 1 && largest == 1) continue;  // the same as `largest`
      for (const bool invert : {false, true}) {
        for (const bool edge : {false, true}) {
          Check check = plain_check(row, levels);
          check.request.threshold = threshold;
          check.request.invert = invert;
          check.request.edge = edge;
          if (threshold != 0) check.attributes.emplace_back("c", threshold);
          if (invert) check.attributes.emplace_back("i", 1);
          if (edge) check.attributes.emplace_back("e", 1);
          Group& group = groups.emplace_back();
          group.checks.push_back(std::move(check));
          complete(group, landmarks);
        }
      }
    }
  }
}

/// With pin control, which has an effect where PC = 1 stops the counting (pmu.counting_with_pc).
void pin_control(const Request& row, const Landmarks& landmarks, std::vector<Group>& groups) {
  Group& group = groups.emplace_back();
  Check& check = group.checks.emplace_back(plain_check(row, all_levels[0]));
  check.request.pin_control = true;
  check.attributes.emplace_back("pc", 1);
  complete(group, landmarks);
}

/// Every kind of breakpoint in every debug register.
void breakpoint_kinds(const Request& row, const Landmarks& landmarks, std::vector<Group>& groups) {
  for (const std::uint32_t kind :
       {oracle::breakpoint_execute, oracle::breakpoint_write, oracle::breakpoint_read_write}) {
    Group& group = groups.emplace_back();
    group.checks.push_back(plain_check(row, all_levels[0]));
    group.checks.back().request.breakpoint = kind | (1u << oracle::breakpoint_length_shift);
    complete(group, landmarks);
  }
}

/// An event named without a unit mask counts with all of them.
void without_unit_mask(const Request& row, std::vector<Group>& groups) {
  if (row.umasks != std::vector<std::string>{"ALL"}) return;
  Check& check = groups.emplace_back().checks.emplace_back(plain_check(row, all_levels[0]));
  check.raw = row.event;
}

/// The breakpoints of a group share DR7: every write of it contains the bits of all.
void merge_debug_control(Group& group) {
  std::uint64_t control = 0;
  for (const ExtraWrite& write : group.extra) control |= write.reg == "DR7" ? write.value : 0;
  for (ExtraWrite& write : group.extra) {
    if (write.reg == "DR7") write.value = control;
  }
}

void matrix(const std::string&, const std::vector<Request>& rows, const Landmarks& landmarks,
            std::vector<Group>& groups) {
  for (const Request& row : rows) {
    row_matrix(row, most_in_cycle(several_in_cycle, row.event).most, landmarks, groups);
    pin_control(row, landmarks, groups);
    without_unit_mask(row, groups);
    if (row.event.starts_with(breakpoint_event)) breakpoint_kinds(row, landmarks, groups);
  }
}

void complete(Group& group, const Landmarks& landmarks) {
  for (std::size_t i = 0; i < group.checks.size(); ++i) add_breakpoint(group.checks[i], group, landmarks);
  merge_debug_control(group);
}

/// Every counter counts every event.
std::vector<unsigned> any_counter(std::string_view, std::string_view) { return {0, 1, 2, 3}; }

constexpr std::string_view traces[] = {"athlon"};

// The internal HS register is never loaded, and no Invalid slot is a victim (athlon target page).
bool holds(std::string_view row) {
  return row == "SEGMENT_REGISTER_LOADS:HS" || row == "DATA_CACHE_LINES_EVICTED:INVALID";
}

bool leaves_out_counter_0(const Group& group, const Check&) {
  const auto& unavailable = group.unavailable_counters;
  return std::find(unavailable.begin(), unavailable.end(), 0u) != unavailable.end();
}
bool asks_for_interrupts(const Group& group, const Check& check) {
  const auto& list = check.attributes;
  return group.samples() || std::find(list.begin(), list.end(), Attribute{"intr", 1}) != list.end();
}
constexpr BrokenPromise promises[] = {
    {"pmu.has_apic", 0, asks_for_interrupts, "no counter interrupts"},
    {"pmu.enable_scope", 1, leaves_out_counter_0, "no counter counts without the EN of PerfEvtSel0"}};

}  // namespace

namespace targets::athlon {
extern const JudgingFacts judging{.matrix = matrix,
                                  .counters = any_counter,
                                  .complete = complete,
                                  .holds = holds,
                                  .broken_promises = promises,
                                  .traces = traces,
                                  .identities = {identities()},
                                  .told = {told_rows()},
                                  .teller = make_teller};
}  // namespace targets::athlon

}  // namespace pmusim::testbench
