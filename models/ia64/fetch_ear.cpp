#include "models/ia64/fetch_ear.h"

#include <algorithm>
#include <bit>

#include "models/pmu/multiplexer.h"

namespace pmusim::pmu::ia64 {
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
    if (!frozen && (first == &returns || setup_.captures_squashed))
      capture({at, first == &returns ? Signal::fetch_return : Signal::request_kill, o}, captures);
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
