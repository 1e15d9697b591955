// Shared parts of the IA-64 monitors' tests: registers by number, fields by bit, and hand-made IA-64 activity.
#pragma once

#include <initializer_list>
#include <memory>
#include <string_view>
#include <utility>

#include "hand_made.h"

namespace pmusim::testing {

namespace ia64 = activity::ia64;
namespace d = activity::detail;
namespace dd = activity::ia64::detail;
namespace psr = activity::ia64::psr;

inline constexpr RegisterId pmc(std::uint32_t n) { return {pmu::Space::pmc, n}; }
inline constexpr RegisterId pmd(std::uint32_t n) { return {pmu::Space::pmd, n}; }
inline constexpr RegisterId ibr(std::uint32_t n) { return {pmu::Space::ibr, n}; }
inline constexpr RegisterId dbr(std::uint32_t n) { return {pmu::Space::dbr, n}; }
inline constexpr RegisterId pmv{pmu::Space::cr, 73};

/// A bit field's value at its position.
inline constexpr std::uint64_t at(unsigned bit, std::uint64_t value) { return value << bit; }
// fields of the counters' PMCs
inline constexpr std::uint64_t any_level = 0xf, oi = at(5, 1), pm = at(6, 1);
inline constexpr std::uint64_t event(unsigned code, unsigned umask = 0) { return at(8, code) | at(16, umask); }
inline constexpr std::uint64_t threshold(unsigned t) { return at(20, t); }
inline constexpr unsigned cycles = 0x12, retired = 0x08, data_ear = 0xc8, fetch_ear = 0x43, branch_event = 0x11;
inline constexpr std::uint64_t wrap = std::uint64_t{1} << 47;  ///< a counter's modulus

/// Writes these values to PMC4 and the registers after it, with the interrupt unmasked and the counters not frozen.
inline void program(Monitor& monitor, std::initializer_list<std::uint64_t> values) {
  std::uint32_t number = 4;
  for (const std::uint64_t value : values) put(monitor, pmc(number++), value);
  put(monitor, pmv, 0xee);
  put(monitor, pmc(0), 0);
}

/// The short form of an instruction; its window is its own bundle.
struct Instruction {
  std::uint64_t ip = 0x4000;
  unsigned slot = 0;
  ia64::SlotType type = ia64::SlotType::m;
  std::uint64_t encoding = 0;
  std::uint32_t kinds = 0;
  bool predicate = true;
  std::uint64_t next_ip = 0;
  bool taken = false;
  unsigned thread = 0;
};

/// IA-64 activity: PSR.up and PSR.i are 1, at the most privileged level.
class Activity : public HandMade {
 public:
  explicit Activity(Cycle cycles) : HandMade(cycles) { state(State::psr, psr::up | psr::i); }

  /// Adds an instruction with its window at its own bundle; change syllable() for more.
  std::uint32_t instruction(const Instruction& i) {
    activity::InstructionRecord record;
    record.ip = i.ip;
    record.slot = static_cast<std::uint8_t>(i.slot);
    record.encoding = i.encoding;
    record.next_ip = i.next_ip;
    record.taken = i.taken;
    record.thread = static_cast<std::uint8_t>(i.thread);
    const std::uint32_t index = add(record);
    ia64::Syllable syllable;
    syllable.window = i.ip;
    syllable.type = i.type;
    syllable.kinds = i.kinds;
    syllable.predicate = i.predicate;
    mutable_block().syllables.push_back(syllable);
    return index;
  }
  ia64::Syllable& syllable(std::uint32_t index) { return mutable_block().syllables[index]; }
  Activity& retires(Cycle at, const Instruction& i = {}) {
    occur(Signal::retire, at, 0, instruction(i));
    return *this;
  }
  /// Adds a request, by default a load of 8 bytes by the program itself; its id is its index.
  std::uint32_t request(std::uint64_t address, std::uint32_t owner = activity::no_ref) {
    activity::RequestRecord record;
    record.address = address;
    record.size = 8;
    record.id = block().requests.size();
    const std::uint32_t index = add(record);
    ia64::Request more;
    more.owner = owner;
    more.load = true;
    mutable_block().ia64_requests.push_back(more);
    return index;
  }
  ia64::Request& more(std::uint32_t index) { return mutable_block().ia64_requests[index]; }
  activity::RequestRecord& record(std::uint32_t index) { return mutable_block().requests[index]; }
  /// Adds a load that misses: `exe` is its EXE cycle, `back` the cycle of its data.
  std::uint32_t load(std::uint64_t address, Cycle exe, Cycle back, std::uint32_t owner = activity::no_ref) {
    const std::uint32_t index = request(address, owner);
    occur(Signal::data_reference, exe, d::side_data | d::access_load, index);
    occur(Signal::dcache_lookup, exe, d::side_data | d::access_load | d::lookup_miss, index);
    occur(Signal::load_return, back, 0, index);
    return index;
  }
  /// Adds a demand fetch: the cycle of the lookup with its result, and of the bundles' arrival if it misses.
  std::uint32_t fetch(std::uint64_t address, Cycle lookup, std::uint16_t result, Cycle back = 0) {
    const std::uint32_t index = request(address);
    more(index).requester = ia64::Requester::demand_fetch;
    occur(Signal::fetch, lookup, result, index);
    if (back != 0) occur(Signal::fetch_return, back, 0, index);
    return index;
  }
};

}  // namespace pmusim::testing
