#include "testbench/mutate/representative_activity.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "models/pmu/references.h"
#include "testbench/questions/activity_transforms.h"

namespace pmusim::testbench::mutate {

using questions::merged;

namespace {

using activity::Occurrence;
using activity::Signal;

/// The properties of an occurrence that an event can depend on, without addresses and opcodes.
using Kind = std::tuple<std::size_t, unsigned, unsigned, std::uint64_t, std::uint64_t>;

std::uint64_t packed(std::initializer_list<unsigned> parts) {
  std::uint64_t all = 0;
  for (const unsigned part : parts) all = all << 4 | (part & 15);
  return all;
}

Kind kind_of(const Block& block, std::size_t signal, const Occurrence& occurrence) {
  std::uint64_t first = 0, second = 0;
  if (occurrence.ref == activity::no_ref) return {signal, occurrence.detail, occurrence.amount, first, second};
  if (pmu::refers_to_request(static_cast<Signal>(signal))) {
    const activity::ia64::Request& r = block.ia64_requests[occurrence.ref];
    first = packed({unsigned(r.requester), unsigned(r.served), unsigned(r.translation), r.walker_inserted, r.load,
                    r.store, r.fp, r.semaphore, r.check_load, r.prefetch, r.l1d_read, r.uncacheable, r.misaligned,
                    r.acquire, r.release});
    second = block.requests[occurrence.ref].thread;
  } else {
    const activity::ia64::Syllable& s = block.syllables[occurrence.ref];
    first = std::uint64_t{s.kinds} << 8 | s.fp_operations << 4 | s.flushed_to_zero << 2 | s.possibly_flushed |
            std::uint64_t{s.frame_registers} << 40 | std::uint64_t{s.dirty_registers} << 48;
    second = packed({unsigned(s.type), unsigned(s.branch_class), unsigned(s.prediction), unsigned(s.deferral),
                     s.second_bundle, s.predicate, s.unknown_prediction, s.back_end_flush, s.wrong_rotation,
                     s.wrong_stage, s.wrong_previous_state, s.check_failed, block.instructions[occurrence.ref].taken,
                     block.instructions[occurrence.ref].slot, block.instructions[occurrence.ref].thread});
  }
  return {signal, occurrence.detail, occurrence.amount, first, second};
}

/// The records of a block that are kept, and their new positions.
struct Kept {
  std::vector<bool> instructions, requests;
  explicit Kept(const Block& block) : instructions(block.instructions.size()), requests(block.requests.size()) {}
};

std::vector<std::uint32_t> places_of(const std::vector<bool>& kept) {
  std::vector<std::uint32_t> places(kept.size(), activity::no_ref);
  std::uint32_t next = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept[i]) places[i] = next++;
  }
  return places;
}

template <class Record>
void keep(std::vector<Record>& records, const std::vector<bool>& kept) {
  std::vector<Record> chosen;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (kept[i]) chosen.push_back(records[i]);
  }
  records = std::move(chosen);
}

}  // namespace

Block representative_activity(const ActivityLog& log) {
  const ActivityLog whole = merged(log, log.cycles());
  Block block = whole.blocks().front();
  Kept kept(block);
  std::set<Kind> seen;
  const auto is_new = [&](std::size_t signal, const Occurrence& occurrence) {
    return seen.insert(kind_of(block, signal, occurrence)).second;
  };
  for (std::size_t s = 0; s < block.columns.size(); ++s) {
    const bool of_request = pmu::refers_to_request(static_cast<Signal>(s));
    for (const Occurrence& occurrence : block.columns[s]) {
      if (occurrence.ref == activity::no_ref || !is_new(s, occurrence)) continue;
      (of_request ? kept.requests : kept.instructions)[occurrence.ref] = true;
    }
  }
  // An access is kept with its instruction, and an instruction with its access.
  for (std::size_t i = 0; i < block.ia64_requests.size(); ++i) {
    const std::uint32_t owner = block.ia64_requests[i].owner;
    if (owner == activity::no_ref) continue;
    if (kept.requests[i]) kept.instructions[owner] = true;
    if (kept.instructions[owner]) kept.requests[i] = true;
  }
  const std::vector<std::uint32_t> instructions = places_of(kept.instructions), requests = places_of(kept.requests);
  for (std::size_t s = 0; s < block.columns.size(); ++s) {
    const auto& places = pmu::refers_to_request(static_cast<Signal>(s)) ? requests : instructions;
    std::vector<Occurrence> column;
    for (Occurrence occurrence : block.columns[s]) {
      if (occurrence.ref == activity::no_ref) {
        if (!is_new(s, occurrence)) continue;
      } else if (places[occurrence.ref] == activity::no_ref) {
        continue;
      } else {
        occurrence.ref = places[occurrence.ref];
      }
      column.push_back(occurrence);
    }
    block.columns[s] = std::move(column);
  }
  keep(block.instructions, kept.instructions);
  keep(block.syllables, kept.instructions);
  keep(block.requests, kept.requests);
  keep(block.ia64_requests, kept.requests);
  for (activity::ia64::Request& request : block.ia64_requests) {
    if (request.owner != activity::no_ref) request.owner = instructions[request.owner];
  }
  // A single thread is active all the time.
  for (activity::InstructionRecord& record : block.instructions) record.thread = 0;
  for (activity::RequestRecord& record : block.requests) record.thread = 0;
  for (activity::StateColumn& state : block.states) state.changes.clear();
  block.states[static_cast<std::size_t>(activity::State::thread)].initial = 0;
  block.states[static_cast<std::size_t>(activity::State::psr)].initial |= activity::ia64::psr::db;
  block.accesses.clear();
  return block;
}

Block misses(const Block& sample, std::uint32_t latency) {
  using activity::ia64::Requester;
  // A fetch that joins one in flight comes after it, followed by the access for which an interrupt waits.
  constexpr std::uint32_t begin = 1;
  const std::uint32_t served = begin + latency, joins = served + 8, joined = joins + 8, retired = joined + 32;
  Block block = sample;
  for (std::vector<Occurrence>& column : block.columns) column.clear();
  const auto put = [&](Signal signal, std::uint32_t at, std::uint32_t ref, std::uint16_t seen) {
    block.columns[static_cast<std::size_t>(signal)].push_back({at, ref, 1, seen});
  };
  const auto first = [&](auto wanted) {
    const auto& list = block.ia64_requests;
    return static_cast<std::uint32_t>(std::find_if(list.begin(), list.end(), wanted) - list.begin());
  };
  const std::uint32_t load = first([](const activity::ia64::Request& r) {
    return r.requester == Requester::data && r.load && r.l1d_read && !r.prefetch && r.owner != activity::no_ref;
  });
  const std::uint32_t fetch =
      first([](const activity::ia64::Request& r) { return r.requester == Requester::demand_fetch; });
  block.requests[load].thread = block.requests[fetch].thread = 0;
  block.instructions[block.ia64_requests[load].owner].thread = 0;
  put(Signal::data_reference, begin, load, activity::detail::access_load);
  put(Signal::dcache_lookup, begin, load, activity::detail::lookup_miss);
  put(Signal::load_return, served, load, 0);
  put(Signal::fetch, begin, fetch, activity::detail::lookup_miss);
  put(Signal::fetch_return, served, fetch, 0);
  put(Signal::fetch, joins, fetch, activity::detail::lookup_pending);
  put(Signal::fetch_return, joined, fetch, 0);
  put(Signal::retire, retired, block.ia64_requests[load].owner, 0);
  block.end = block.begin + retired + 1;
  return block;
}

Block owned(const Block& sample) {
  Block block = sample;
  if (block.instructions.empty()) return block;
  const activity::InstructionRecord& owner = block.instructions.front();
  for (std::size_t i = 0; i < block.requests.size(); ++i) {
    using activity::ia64::Requester;
    const Requester requester = block.ia64_requests[i].requester;
    const bool fetches = requester == Requester::demand_fetch || requester == Requester::prefetch_fetch;
    if (fetches || block.ia64_requests[i].owner != activity::no_ref) continue;
    block.ia64_requests[i].owner = 0;
    block.requests[i].has_instruction = true;
    block.requests[i].instruction = owner.id;
    block.requests[i].ip = owner.ip;
  }
  return block;
}

Block behind_branches(const Block& sample) {
  Block block = sample;
  const auto wrong = std::find_if(block.syllables.begin(), block.syllables.end(), [](const auto& syllable) {
    return syllable.has(activity::ia64::Kind::branch) && syllable.predicate &&
           syllable.prediction == activity::ia64::Prediction::wrong_path;
  });
  if (wrong == block.syllables.end()) return block;
  const auto branch = static_cast<std::uint32_t>(wrong - block.syllables.begin());
  auto& retire = block.columns[static_cast<std::size_t>(Signal::retire)];
  std::set<std::uint32_t> before;
  for (const Signal signal : {Signal::retire, Signal::access_retire}) {
    for (const Occurrence& occurrence : block.column(signal)) {
      if (occurrence.at != 0) before.insert(occurrence.at - 1);
    }
  }
  for (const std::uint32_t at : before) retire.push_back({at, branch, 1, 0});
  std::stable_sort(retire.begin(), retire.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
  return block;
}

}  // namespace pmusim::testbench::mutate
