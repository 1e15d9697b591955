#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "models/activity/vocabulary.h"
#include "testbench/tests/list_models/ia64_lists.h"

namespace pmusim::testbench::ia64::lists {
namespace {

using enum Signal;

constexpr std::array of_requests{
    fetch,      translation, walk_read,       tlb_insert,        data_reference, dcache_lookup, line_fill,
    line_evict, load_return, fetch_return,    bundle_pair_in,    prefetch_lost,  request_kill,  l2_reference,
    l2_lookup,  l2_fill,     l2_probe,        l2_store_shared,   l2i_lookup,     l2i_evict,     l2i_retry,
    l3_lookup,  l3_insert,   bus_transaction, force_recirculate, recirculate_try};
constexpr std::array of_nobody{snoop, l2i_snoop_hit, bus_snoop};

/// Collects trips; hands one out when no block has named it for a while.
class Trips {
 public:
  Trips(const Reader& reader) : reader_(reader) {}

  void add(const activity::Block& block) {
    ++blocks_;
    for (const Signal signal : of_requests) {
      for (const activity::Occurrence& o : block.column(signal)) {
        const Event event{signal, o.detail, block.begin + o.at};
        if (o.ref == activity::no_ref) {
          reader_.unowned(event);
        } else {
          note(block, o.ref, event);
        }
      }
    }
    for (const Signal signal : of_nobody) {
      for (const activity::Occurrence& o : block.column(signal)) {
        reader_.unowned({signal, o.detail, block.begin + o.at});
        if (signal == snoop) snoops_.push_back({signal, o.detail, block.begin + o.at});
      }
    }
    for (const activity::Occurrence& o : block.column(retire)) {
      if (o.ref == activity::no_ref) continue;
      const act::Syllable& s = block.syllables.at(o.ref);
      const activity::InstructionRecord& i = block.instructions.at(o.ref);
      if (!s.has(act::Kind::branch) || i.wrong_path) continue;
      reader_.branch({i.id, i.ip, i.slot, i.predicted_taken, i.taken, i.mispredicted, s.unknown_prediction,
                      s.back_end_flush, s.prediction});
    }
  }
  /// Hands out what cannot change any more; at the end everything.
  void hand_out(bool all) {
    constexpr std::uint64_t quiet = 2;
    while (!trips_.empty() && (all || trips_.front().block + quiet <= blocks_)) {
      Trip& trip = trips_.front();
      if (trip.known) {
        while (!snoops_.empty() && trip.record.start >= snoops_.front().cycle) hand_out_snoop();
        reader_.trip(std::move(trip));
      }
      trips_.pop_front();
      ++first_;
    }
    while (all && !snoops_.empty()) hand_out_snoop();
  }

 private:
  void hand_out_snoop() {
    reader_.snoop(snoops_.front());
    snoops_.pop_front();
  }
  void note(const activity::Block& block, std::uint32_t ref, const Event& event) {
    const activity::RequestRecord& record = block.requests.at(ref);
    while (first_ + trips_.size() <= record.id) trips_.emplace_back().block = blocks_;
    Trip& trip = trips_.at(record.id - first_);
    trip.known = true;
    trip.block = blocks_;
    trip.record = record;
    trip.half = block.ia64_requests.at(ref);
    if (trip.half.owner != activity::no_ref) trip.encoding = block.instructions.at(trip.half.owner).encoding;
    trip.events.push_back(event);
  }
  const Reader& reader_;
  std::deque<Trip> trips_;
  std::uint64_t first_ = 1;
  std::uint64_t blocks_ = 0;
  std::deque<Event> snoops_;
};

}  // namespace

const Event* Trip::first(Signal signal, std::uint16_t with, std::uint16_t without) const {
  for (const Event& e : events) {
    if (e.signal == signal && (e.detail & with) == with && (e.detail & without) == 0) return &e;
  }
  return nullptr;
}

const Event* Trip::last(Signal signal) const {
  const Event* found = nullptr;
  for (const Event& e : events) {
    if (e.signal == signal) found = &e;
  }
  return found;
}

std::size_t Trip::count(Signal signal, std::uint16_t with, std::uint16_t without) const {
  return static_cast<std::size_t>(std::count_if(events.begin(), events.end(), [&](const Event& e) {
    return e.signal == signal && (e.detail & with) == with && (e.detail & without) == 0;
  }));
}

void read_run(core::Core& core, const Reader& reader) {
  activity::Subscription wanted;
  for (const Signal signal : of_requests) wanted.add_named(signal);
  for (const Signal signal : of_nobody) wanted.add_named(signal);
  wanted.add_named(Signal::retire);
  wanted.retired = act::bit(act::Kind::branch);
  core.subscribe(wanted);
  Trips trips(reader);
  activity::Block block;
  constexpr Cycle cycles = 20000;
  for (bool more = true; more;) {
    block.restart(core.now());
    more = core.run(core.now() + cycles, block);
    trips.add(block);
    trips.hand_out(!more);
  }
}

std::string name_of(Signal signal) {
  return activity::signal_names("montecito").at(static_cast<std::size_t>(signal)).name;
}

std::string describe(const Trip& trip) {
  constexpr std::array who{"data access", "register stack access", "walk", "demand fetch", "prefetch", "snoop"};
  return fmt::format("request {}, {} {:x} of {} bytes, cycle {}", trip.record.id,
                     who.at(static_cast<std::size_t>(trip.half.requester)), trip.record.address, trip.record.size,
                     trip.record.start);
}

}  // namespace pmusim::testbench::ia64::lists
