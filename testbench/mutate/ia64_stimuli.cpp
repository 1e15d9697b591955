#include "testbench/mutate/ia64_stimuli.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "testbench/mutate/address_sweep.h"
#include "testbench/mutate/representative_activity.h"
#include "testbench/mutate/synthetic_activity.h"
#include "testbench/questions/activity_transforms.h"
#include "testbench/questions/privilege_contexts.h"

namespace pmusim::testbench::mutate {

using questions::concatenated;
using questions::in_all_contexts;
using questions::in_context;
using questions::multiplied;
using questions::privilege_contexts;
using questions::repeated;

namespace {

/// The largest increment of any event.
constexpr unsigned most_in_a_cycle = 7;
/// One to bring a counter near its overflow, one to overflow it, one after that.
constexpr unsigned repetitions = 3;
/// Latencies: one between each two limits of an address register and one above the largest.
constexpr std::array<std::uint32_t, 12> latencies{2, 6, 12, 24, 48, 96, 192, 384, 768, 1536, 3072, slowest_access};

ActivityLog log_of(const Block& block) {
  ActivityLog log;
  log.append(block);
  return log;
}

}  // namespace

std::vector<MadeUp> ia64_stimuli(const std::vector<ActivityLog>& gathered, const Landmarks& landmarks,
                                 unsigned threads) {
  const ActivityLog programs = concatenated(gathered);
  const Block one_of_everything = representative_activity(programs);
  const ActivityLog few = log_of(one_of_everything), with_owners = log_of(owned(one_of_everything)),
                    disturbed = log_of(behind_branches(one_of_everything)),
                    rare = synthetic_activity(one_of_everything, true),
                    each_rarity = synthetic_activity(one_of_everything, false);
  std::vector<ActivityLog> slower, high_occurrence;
  for (const std::uint32_t latency : latencies) slower.push_back(log_of(misses(one_of_everything, latency)));
  const ActivityLog latent = concatenated(slower), all_kinds = concatenated({few, each_rarity}),
                    dense = multiplied(all_kinds, most_in_a_cycle);
  for (unsigned times = 2; times <= most_in_a_cycle; ++times) high_occurrence.push_back(multiplied(all_kinds, times));

  std::vector<MadeUp> stimuli;
  const auto add = [&](std::string name, ActivityLog log) { stimuli.push_back({std::move(name), std::move(log)}); };
  const auto here = [&](const ActivityLog& log) { return at_landmarks(log, landmarks); };
  add("quick", here(concatenated({few, rare, few})));
  add("in all contexts", here(in_all_contexts(concatenated({few, with_owners}), threads)));
  const ActivityLog of_a_context = here(concatenated({few, with_owners, dense, disturbed, latent, rare}));
  for (unsigned context = 0; context < privilege_contexts(threads); ++context) {
    add(fmt::format("in context {}", context), in_context(of_a_context, threads, context));
  }
  add("programs", here(repeated(concatenated({programs, rare}), repetitions)));
  const ActivityLog of_a_way = concatenated(
      {in_all_contexts(concatenated({few, with_owners, each_rarity}), threads), dense, disturbed, latent, rare});
  for (unsigned way = 0; way < ways; ++way) {
    add(fmt::format("in way {}", way), in_way(of_a_way, landmarks, way));
    add(fmt::format("slow, in way {}", way), in_way(in_all_contexts(latent, threads), landmarks, way));
  }
  add("high occurrence", here(concatenated(high_occurrence)));
  for (const unsigned times : {2u, most_in_a_cycle}) {
    add(fmt::format("{} occurrences in a cycle", times), here(multiplied(rare, times)));
  }
  // Distances of copies. Software must have handled a capture that freezes the monitor before the next one.
  constexpr Cycle close = 37, far = 1009;
  for (ActivityLog& log : everywhere(all_kinds, landmarks, close)) {
    add(fmt::format("everywhere {}", stimuli.size()), std::move(log));
  }
  for (ActivityLog& log : everywhere(few, landmarks, far)) {
    add(fmt::format("everywhere {}, far apart", stimuli.size()), std::move(log));
  }
  if (threads > 1) add("thread switches", in_all_contexts(here(thread_switches(one_of_everything)), threads));
  add("slowly everywhere", slowly_everywhere(few, landmarks));
  return stimuli;
}

}  // namespace pmusim::testbench::mutate
