#include "rules.h"

#include <array>

namespace pmusim::testbench {
namespace {

using trace::x86::Kind;
using trace::x86::Operation;

/// The core probes twice for an operand that crosses eight bytes. Cachegrind counts one access, and one miss if any
/// line of the operand is absent.
void split(const DataAccesses& ours, const Places& places, LineCounts& more) {
  for (const auto& [ip, i] : ours.instructions) more[places.at(ip)] += -i.second_halves;
}

/// Cachegrind counts a load and a store of the same operand by one instruction as one read.
void modify(const DataAccesses& ours, const Places& places, LineCounts& more) {
  for (const auto& [ip, i] : ours.instructions) more[places.at(ip)] += -i.modifies;
}

/// A store into code that is in flight kills and repeats the instructions after it: the core probes again.
void replay(const DataAccesses& ours, const Places& places, LineCounts& more) {
  for (const auto& [ip, i] : ours.instructions) more[places.at(ip)] += -i.replays;
}

/// The core's instruction fetch takes modified lines from the data cache; cachegrind's caches do not affect each other.
void code(const DataAccesses& ours, const Places& places, LineCounts& more) {
  for (const auto& [ip, i] : ours.instructions) more[places.at(ip)] += -i.lost_to_code;
}

/// Valgrind implements a locked operation as a load and a compare-and-exchange, which reads again.
void locked(const DataAccesses& ours, const Places& places, LineCounts& more) {
  for (const auto& [ip, i] : ours.instructions) {
    if (!i.operation.locked || i.operation.mnemonic.starts_with("cmpxchg")) continue;
    more[places.at(ip)] += {i.modifies.writes, 0, 0, 0};
  }
}

/// Valgrind drops a load whose value is unused: in these programs, the load of a string compare without repetition,
/// whose flags the next instruction replaces.
void unused(const DataAccesses& ours, const Places& places, LineCounts& more) {
  for (const auto& [ip, i] : ours.instructions) {
    const Operation& op = i.operation;
    if (op.kind == Kind::string && !op.repeats && op.mnemonic.starts_with("cmps")) more[places.at(ip)] += -i.probes;
  }
}

/// Valgrind merges the lines of two files that have the same number if the code of one ends where the other begins.
void joined(const DataAccesses& ours, const Places& places, LineCounts& more) {
  const auto number = [](const std::string& place) { return place.substr(place.rfind(':')); };
  const std::string* before = nullptr;
  std::uint64_t end = 0;
  for (const auto& [ip, i] : ours.instructions) {
    const std::string& place = places.at(ip);
    if (before != nullptr && end == ip && *before != place && number(*before) == number(place)) {
      more[*before] += i.probes;
      more[place] += -i.probes;
    }
    before = &place;
    end = ip + i.length;
  }
}

constexpr std::array<Rule, 7> table = {{
    {"split", "an operand across eight bytes is probed twice, and is one access to cachegrind", split},
    {"modify", "load and store of one operand by one instruction are one read to cachegrind", modify},
    {"replay", "a store into code in flight makes the core probe again for what it kills", replay},
    {"code", "an instruction fetch takes modified lines out of the core's data cache", code},
    {"locked", "valgrind's compare-and-exchange reads the operand of a locked operation again", locked},
    {"unused", "valgrind drops loads whose value nothing uses", unused},
    {"joined", "valgrind joins lines of the same number where one file's code follows another's", joined},
}};

}  // namespace

std::span<const Rule> rules() { return table; }

LineCounts by_line(const DataAccesses& ours, const Places& places) {
  LineCounts lines;
  for (const auto& [ip, i] : ours.instructions) lines[places.at(ip)] += i.probes;
  return lines;
}

}  // namespace pmusim::testbench
