#include "models/ia64/ears.h"

#include <algorithm>
#include <bit>

#include "models/pmu/multiplexer.h"

namespace pmusim::pmu::ia64 {

namespace {

namespace d = activity::detail;
namespace dd = activity::ia64::detail;
using activity::Signal;
using activity::ia64::Kind;
using activity::ia64::Prediction;
using activity::ia64::Requester;
using activity::ia64::Translation;

constexpr std::uint64_t latency_limit = std::uint64_t{1} << 13;
constexpr unsigned stat_shift = 14;
constexpr std::uint64_t valid_instruction = 8;
constexpr unsigned greatest_cache_umask = 10;
constexpr Cycle disturbed_cycles = 2;  ///< cycles after a mispredicted branch

std::uint64_t id_of(const Block& block, const Occurrence& o) {
  const auto* const request = request_of(block, o);
  return request == nullptr ? ~std::uint64_t{0} : request->id;
}

}  // namespace

// A 16-bit shift register with taps 16, 14, 13 and 11. It steps with every candidate.
bool DataEar::drawn() {
  if (!setup_.random) return true;
  const bool take = (lfsr_ & 1) != 0;
  const unsigned bit = lfsr_ ^ lfsr_ >> 2 ^ lfsr_ >> 3 ^ lfsr_ >> 5;
  lfsr_ = static_cast<std::uint16_t>(lfsr_ >> 1 | (bit & 1) << 15);
  return take;
}

std::uint64_t DataEar::instruction_word(const Origin& origin) {
  if (origin.syllable == nullptr) return 0;
  return (origin.syllable->window & ~std::uint64_t{0xf}) | valid_instruction |
         (origin.syllable->second_bundle ? 4u : 0u) | (origin.instruction->slot & 3u);
}

bool DataEar::candidate(const Origin& origin) const {
  if (origin.request == nullptr || origin.access == nullptr || origin.owner() != setup_.thread) return false;
  const auto& access = *origin.access;
  return access.requester == Requester::data && access.load && !access.prefetch &&
         (setup_.semaphores || !access.semaphore) && !origin.request->wrong_path;
}

void DataEar::advance(const Block& block, Cycle from, Cycle to, bool runs, bool frozen, const Tagger& tagger,
                      const Mode& mode, std::vector<Capture>& captures) {
  switch (setup_.mode) {
    case DataEarMode::off:
      return;
    case DataEarMode::cache:
      advance_cache(block, from, to, runs, frozen, tagger, mode, captures);
      return;
    case DataEarMode::tlb:
      if (runs && !frozen) advance_tlb(block, from, to, tagger, mode, captures);
      break;
    case DataEarMode::alat:
      if (runs && !frozen) advance_alat(block, from, to, tagger, mode, captures);
      break;
  }
  if (setup_.after_branches) note_branches(block, from, to);
}

namespace {

/// The columns that end the wait for a load: the first occurrence that refers to the load ends it.
struct LoadEnds {
  std::span<const Occurrence> lookups, kills, returns;

  void skip_to(std::uint32_t at) {
    for (auto* column : {&lookups, &kills, &returns}) {
      while (!column->empty() && column->front().at < at) *column = column->subspan(1);
    }
  }
};

enum class LoadEnd : std::uint8_t { none, hit, killed, returned };

/// Advances to the occurrence that ends the wait for `request`, and stores it in `last`.
LoadEnd find_end(const Block& block, LoadEnds& ends, std::uint64_t request, Occurrence& last) {
  while (true) {
    std::span<const Occurrence>* first = nullptr;
    for (auto* column : {&ends.lookups, &ends.kills, &ends.returns}) {
      if (!column->empty() && (first == nullptr || column->front().at < first->front().at)) first = column;
    }
    if (first == nullptr) return LoadEnd::none;
    const Occurrence o = first->front();
    *first = first->subspan(1);
    if (id_of(block, o) != request) continue;
    last = o;
    if (first == &ends.kills) return LoadEnd::killed;
    if (first == &ends.returns) return LoadEnd::returned;
    // A hit does not end the wait if its pass is cancelled.
    if ((o.detail & (d::lookup_hit | dd::access_replayed)) == d::lookup_hit) return LoadEnd::hit;
  }
}

}  // namespace

// Tracks one load at a time, from its EXE cycle until its data arrives. A load that hits in L1D is dropped.
void DataEar::advance_cache(const Block& block, Cycle from, Cycle to, bool runs, bool frozen, const Tagger& tagger,
                            const Mode& mode, std::vector<Capture>& captures) {
  const bool takes = runs && !frozen;
  if (!busy_ && !takes) return;
  auto issues = occurrences(block, Signal::data_reference, from, to);
  LoadEnds ends{occurrences(block, Signal::dcache_lookup, from, to), occurrences(block, Signal::request_kill, from, to),
                occurrences(block, Signal::load_return, from, to)};
  while (busy_ || takes) {
    if (!busy_) {
      while (!issues.empty() && block.begin + issues.front().at < free_from_) issues = issues.subspan(1);
      take(block, issues, tagger, mode);
      if (!busy_) return;
      ends.skip_to(static_cast<std::uint32_t>(issued_ - block.begin));
    }
    Occurrence last{};
    const LoadEnd end = find_end(block, ends, request_, last);
    const std::uint32_t at = last.at;
    if (end == LoadEnd::none) return;
    busy_ = false;
    free_from_ = block.begin + at + 1;
    if (end == LoadEnd::returned && !frozen) capture_load({block.begin + at, Signal::load_return, last}, captures);
  }
}

// Starts to track the first candidate of the column.
void DataEar::take(const Block& block, std::span<const Occurrence>& issues, const Tagger& tagger, const Mode& mode) {
  for (; !issues.empty() && !busy_; issues = issues.subspan(1)) {
    const Origin origin = origin_of(block, Signal::data_reference, issues.front());
    if (!candidate(origin) || !tagger.data_ok(origin, origin.request->address, mode) || !drawn()) continue;
    busy_ = true;
    request_ = origin.request->id;
    address_ = origin.request->address;
    instruction_ = instruction_word(origin);
    issued_ = block.begin + issues.front().at;
  }
}

void DataEar::capture_load(Capture returned, std::vector<Capture>& captures) {
  const std::uint64_t latency = returned.at - issued_;
  const bool captures_nothing = setup_.umask > greatest_cache_umask && !setup_.high_umask_is_10;
  if (captures_nothing || latency < std::uint64_t{4} << std::min(setup_.umask, greatest_cache_umask)) return;
  registers.address = address_;
  registers.latency = (latency & (latency_limit - 1)) | (latency >= latency_limit ? latency_limit : 0) |
                      static_cast<std::uint64_t>(setup_.valid_stat) << stat_shift;
  registers.instruction = instruction_;
  captures.push_back(returned);
}

void DataEar::capture_at_retirement(std::uint64_t instruction, unsigned stat, bool valid) {
  registers.latency = static_cast<std::uint64_t>(stat) << stat_shift;
  registers.instruction = valid ? instruction : instruction & ~valid_instruction;
}

// Captures first-level misses of loads and stores that retire, the oldest of a cycle.
void DataEar::advance_tlb(const Block& block, Cycle from, Cycle to, const Tagger& tagger, const Mode& mode,
                          std::vector<Capture>& captures) {
  Cycle last = activity::never;
  for (const Occurrence& o : occurrences(block, Signal::access_retire, from, to)) {
    const Cycle at = block.begin + o.at;
    if (at == last) continue;
    const Origin origin = origin_of(block, Signal::access_retire, o);
    if (origin.access == nullptr || origin.owner() != setup_.thread) continue;
    if (origin.access->requester != Requester::data || origin.access->prefetch) continue;
    const auto level = static_cast<unsigned>(origin.access->translation);  // 1 L2 TLB, 2 walker, 3 fault
    if (origin.access->translation == Translation::first_level || (setup_.umask >> level & 1) == 0) continue;
    if (!tagger.data_ok(origin, origin.request->address, mode)) continue;
    captures.push_back({at, Signal::access_retire, o});
    last = at;
    registers.address = origin.request->address;
    capture_at_retirement(instruction_word(origin), level, !disturbed(block, from, at));
  }
}

void DataEar::advance_alat(const Block& block, Cycle from, Cycle to, const Tagger& tagger, const Mode& mode,
                           std::vector<Capture>& captures) {
  Cycle last = activity::never;
  for (const Occurrence& o : occurrences(block, Signal::retire, from, to)) {
    const Cycle at = block.begin + o.at;
    const Origin origin = origin_of(block, Signal::retire, o);
    if (at == last) continue;
    if (origin.syllable == nullptr || origin.owner() != setup_.thread) continue;
    if (!origin.syllable->check_failed || !origin.syllable->predicate) continue;
    if (!origin.syllable->has(Kind::check_advanced) && !origin.syllable->has(Kind::check_load)) continue;
    const auto address = data_address_of(block, Signal::retire, o, origin);
    if (!tagger.data_ok(origin, address, mode)) continue;
    captures.push_back({at, Signal::retire, o});
    last = at;
    if (address || setup_.clears_address) registers.address = address.value_or(0);
    capture_at_retirement(instruction_word(origin), setup_.valid_stat, !disturbed(block, from, at));
  }
}

bool DataEar::mispredicted_branch(const Origin& origin) const {
  return origin.syllable != nullptr && origin.owner() == setup_.thread && origin.syllable->has(Kind::branch) &&
         origin.syllable->prediction >= Prediction::wrong_path;
}

// True if the captured instruction may be wrong because it directly follows a mispredicted branch.
bool DataEar::disturbed(const Block& block, Cycle from, Cycle at) const {
  if (!setup_.after_branches || setup_.keeps_valid) return false;
  if (behind_mispredict_ != 0 && at < behind_mispredict_ + disturbed_cycles) return true;
  const Cycle first = std::max(from, at - std::min(at, disturbed_cycles));
  const auto retired = occurrences(block, Signal::retire, first, at);
  return std::any_of(retired.begin(), retired.end(),
                     [&](const Occurrence& o) { return mispredicted_branch(origin_of(block, Signal::retire, o)); });
}

void DataEar::note_branches(const Block& block, Cycle from, Cycle to) {
  const Cycle first = to - std::min(to - from, disturbed_cycles);
  for (const Occurrence& o : occurrences(block, Signal::retire, first, to)) {
    if (mispredicted_branch(origin_of(block, Signal::retire, o))) behind_mispredict_ = block.begin + o.at + 1;
  }
}

namespace {

namespace d = activity::detail;
namespace dd = activity::ia64::detail;
using activity::Signal;
using activity::ia64::Requester;

constexpr std::uint64_t longest_latency = std::uint64_t{1} << 12;
constexpr std::uint64_t address_mask = ~std::uint64_t{0x1f};

/// Least latency in cycles by the number of leading ones of the unit mask. Without leading ones it is not used.
constexpr Cycle least_latency[9] = {0, 4096, 1024, 256, 128, 32, 16, 8, 4};
constexpr unsigned every_miss = 0x40;

bool is_demand(const Origin& origin, unsigned thread) {
  return origin.request != nullptr && origin.access != nullptr && origin.access->requester == Requester::demand_fetch &&
         origin.owner() == thread;
}

}  // namespace

bool FetchEar::wanted(Cycle latency) const {
  const unsigned umask = setup_.umask & 0xff;
  const int ones = std::countl_one(static_cast<std::uint8_t>(umask));
  if (ones > 0) {
    const unsigned listed = 0xffu << (8 - ones) & 0xffu;
    return (!setup_.exact_umasks || umask == listed) && latency >= least_latency[ones];
  }
  if (setup_.exact_umasks && umask != every_miss && umask != 0) return false;
  return (umask & every_miss) != 0 ? latency > 0 : outstanding_;
}

void FetchEar::capture(Capture capture, std::vector<Capture>& captures) {
  const Cycle latency = capture.at - missed_;
  if (!wanted(latency)) return;
  registers.fetch = (address_ & address_mask) | setup_.valid_stat;
  registers.latency = (latency & (longest_latency - 1)) | (latency >= longest_latency ? longest_latency : 0);
  captures.push_back(capture);
}

void FetchEar::advance(const Block& block, Cycle from, Cycle to, bool runs, bool frozen, const Tagger& tagger,
                       const Mode& mode, std::vector<Capture>& captures) {
  const bool takes = runs && !frozen;
  if (setup_.mode == FetchEarMode::cache && (takes || busy_)) {
    advance_cache(block, from, to, takes, frozen, tagger, mode, captures);
  } else if (setup_.mode == FetchEarMode::tlb && takes) {
    advance_tlb(block, from, to, tagger, mode, captures);
  }
}

// Order within a cycle: bundles that arrive, then misses that are given up, then new misses. A new demand miss replaces
// a tracked miss that has neither arrived nor been given up.
void FetchEar::advance_cache(const Block& block, Cycle from, Cycle to, bool takes, bool frozen, const Tagger& tagger,
                             const Mode& mode, std::vector<Capture>& captures) {
  auto returns = occurrences(block, Signal::fetch_return, from, to);
  auto kills = occurrences(block, Signal::request_kill, from, to);
  auto fetches = occurrences(block, Signal::fetch, from, to);
  while (true) {
    std::span<const Occurrence>* first = nullptr;
    for (auto* column : {&returns, &kills, &fetches}) {
      if (!column->empty() && (first == nullptr || column->front().at < first->front().at)) first = column;
    }
    if (first == nullptr) return;
    const Occurrence o = first->front();
    *first = first->subspan(1);
    const Cycle at = block.begin + o.at;
    if (first == &fetches) {
      const bool misses = (o.detail & (d::lookup_miss | d::lookup_pending)) != 0;
      if (!takes || !misses || (o.detail & (dd::fetch_stream_buffer | d::access_prefetch)) != 0) continue;
      const Origin origin = origin_of(block, Signal::fetch, o);
      if (!is_demand(origin, setup_.thread) || !tagger.address_ok(0, origin, mode)) continue;
      busy_ = true;
      outstanding_ = (o.detail & d::lookup_pending) != 0;
      request_ = origin.request->id;
      address_ = origin.request->address;
      missed_ = at;
      continue;
    }
    const auto* const request = request_of(block, o);
    if (!busy_ || request == nullptr || request->id != request_) continue;
    busy_ = false;
    if (!frozen && first == &returns) capture({at, Signal::fetch_return, o}, captures);
  }
}

void FetchEar::advance_tlb(const Block& block, Cycle from, Cycle to, const Tagger& tagger, const Mode& mode,
                           std::vector<Capture>& captures) {
  Cycle last = activity::never;
  for (const Occurrence& o : occurrences(block, Signal::translation, from, to)) {
    const Cycle at = block.begin + o.at;
    if (at == last || (o.detail & d::side_data) != 0) continue;
    const unsigned where = (o.detail & dd::tlb_fault) != 0             ? 3
                           : (o.detail & d::tlb_walk) != 0             ? 2
                           : (o.detail & d::tlb_second_level_hit) != 0 ? 1
                                                                       : 0;
    if (where == 0 || (setup_.umask >> (where - 1) & 1) == 0) continue;
    const Origin origin = origin_of(block, Signal::translation, o);
    if (!is_demand(origin, setup_.thread) || !tagger.address_ok(0, origin, mode)) continue;
    last = at;
    registers.fetch = (origin.request->address & address_mask) | where;
    registers.latency = 0;
    captures.push_back({at, Signal::translation, o});
  }
}

}  // namespace pmusim::pmu::ia64
