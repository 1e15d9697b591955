// The plan of the Montecito: parts that are not common to the IA-64 processors. Counters of both threads, and the trace
// buffer as IP-EAR.
#include "testbench/targets/ia64/judging.h"

#include <fmt/format.h>

namespace pmusim::testbench {
namespace {

using ia64::Rows;
using ia64::Setting;
namespace asked = oracle::ia64;

const Setting both_threads{.attributes = {{"all", 1}}, .all_threads = true};

/// Adds runs of the trace buffer as IP-EAR, which a counter freezes once per period.
void add_traces(ia64::Planner& planner, const Rows& rows, std::vector<Group>& groups, std::uint64_t period) {
  for (const unsigned delay : {0u, 1u, 20u, 255u}) {
    for (const Levels& levels : {all_levels[0], all_levels[1]}) {
      Group group = planner.group_of(ia64::named(rows, {"IA64_INST_RETIRED"}), ia64::at_levels(levels));
      group.captures = Captures{Captures::Unit::ip_ear, period};
      group.filters.ipear = {fmt::format("delay={}", delay)};
      asked::Qualifiers& q = group.checks.front().request.ia64;
      q.traces_addresses = true;
      q.trace_delay = delay;
      groups.push_back(std::move(group));
    }
  }
}

const ia64::Processor processor{.target = "montecito",
                                .fine_page = 65536,
                                .fine_granule = 32,
                                .uncompared = 0,
                                .opcode_bits = [](std::uint64_t syllable) { return syllable; },
                                .has_ia32 = false,
                                .has_prediction_details = false,
                                .names_fetches = true,
                                .has_threads = true,
                                .traces_addresses = true,
                                .branch_event = "ETB_EVENT",
                                .branch_texts = &encoder::QualifierTexts::etb,
                                .first_channel_row = "IA64_TAGGED_INST_RETIRED_IBRP0_PMC32_33"};

void apart(const std::string&, const std::vector<oracle::Request>& rows, const Landmarks& landmarks,
           std::vector<Group>& groups) {
  ia64::Planner planner(processor, landmarks, groups);
  planner.add_short(rows);
  add_traces(planner, rows, groups, 40);
}

void apart_on_long(const std::string&, const std::vector<oracle::Request>& rows, const Landmarks& landmarks,
                   std::vector<Group>& groups) {
  ia64::Planner planner(processor, landmarks, groups);
  planner.add_sampled(rows, ia64::sampled_period);
  add_traces(planner, rows, groups, 10 * ia64::sampled_period);
}

// Counts of each thread and of both threads; captures of each thread's units.
void pair(Depth depth, const std::vector<oracle::Request>& rows, const Landmarks& landmarks,
          std::vector<Group>& groups) {
  ia64::Planner planner(processor, landmarks, groups);
  planner.add_all(rows, {});
  planner.add_all(rows, both_threads);
  planner.add_ignored_filters(
      ia64::select(rows, [](const oracle::Request& row) { return row.event.starts_with("THREAD_SWITCH_"); }));
  for (const Levels& levels : {all_levels[1], all_levels[2]}) {
    Setting setting = ia64::at_levels(levels);
    planner.add_all(rows, setting);
    setting.attributes.emplace_back("all", 1);
    setting.all_threads = true;
    planner.add_all(rows, setting);
  }
  if (depth == Depth::basic) return planner.add_sampled_captures(rows, ia64::sampled_period);
  planner.add_ear_captures(rows, 1);
  for (const std::uint64_t period : {1u, 3u}) planner.add_branch_capture(rows, period, {3, 3, 3, 0, 0});
  add_traces(planner, rows, groups, 10);
}

bool is_full_queue(const Group&, const Check& check) { return check.request.event == "L2D_OZQ_FULL_THIS"; }
constexpr BrokenPromise promises[] = {
    ia64::memory_tag_of_pmc13<processor>,
    ia64::all_data_channels<processor>,
    {"pmu.code_bc", 1, is_full_queue, "the code of L2D_OZQ_FULL_THIS is always that of ER_REJECT_ALL_L1_REQ"}};

constexpr std::string_view traces[] = {"itanium2", "montecito"};

/// The Itanium 2's traces get the plan of long traces, except the one of privilege levels: the Montecito has its own.
std::optional<Depth> depth(const std::filesystem::path& trace) {
  const bool sets_only = trace.parent_path().stem() == "itanium2" && trace.stem() != "levels";
  return sets_only ? std::optional(Depth::basic) : std::nullopt;
}
/// The Itanium 2's trace of IA-32 code cannot run: the hardware does not execute it.
bool leaves_out(const std::filesystem::path& trace) { return trace.stem() == "ia32"; }

/// The Itanium 2's units with other register numbers: Linux ia64 perfmon and libpfm-3's header.
constexpr RingLayout ring{.full = 32, .flags = 15, .flags_shift = [](std::size_t entry) {
                            return static_cast<unsigned>(entry < 8 ? 8 * entry : 8 * (entry - 8) + 4);
                          }};

}  // namespace

const JudgingFacts targets::montecito::judging = [] {
  JudgingFacts facts = ia64::common_facts<processor>(ring);
  facts.apart = apart;
  facts.apart_on_long = apart_on_long;
  facts.pair = pair;
  facts.broken_promises = promises;
  facts.traces = traces;
  facts.depth = depth;
  facts.leaves_out = leaves_out;
  return facts;
}();

}  // namespace pmusim::testbench
