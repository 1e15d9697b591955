#include "testbench/tests/pmu_properties/scenario.h"

#include <algorithm>
#include <bit>
#include <ostream>
#include <set>

#include "models/activity/vocabulary.h"
#include "models/activity_file/tables.h"

namespace pmusim::testing {
namespace {

using activity::Signal;
using activity::State;

constexpr std::size_t pool_size = 32;

/// Spreads a number over 64 bits (the finaliser of a common hash); the fields of records are derived from it.
std::uint64_t spread(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9;
  x ^= x >> 27;
  x *= 0x94d049bb133111eb;
  return x ^ x >> 31;
}

/// Records of every kind. Their fields are random, except for those that occurrences and programmings must meet.
Block pools() {
  Block block;
  std::uint64_t seed = 0;
  for (const activity_file::Table& table : activity_file::tables()) {
    if (table.name == activity_file::access_table) continue;
    table.resize(block, pool_size);
    for (const activity_file::Column& column : table.columns) {
      activity_file::Numbers values(pool_size);
      for (std::uint64_t& value : values) {
        value = spread(++seed);
        if (column.most != ~std::uint64_t{0}) value %= column.most + 1;
      }
      column.set(block, values);
    }
  }
  for (std::uint32_t i = 0; i < pool_size; ++i) {
    const std::uint64_t r = spread(++seed);
    auto& instruction = block.instructions[i];
    instruction.ip = 0x1000 + 4 * i;
    instruction.next_ip = instruction.ip + 4;
    instruction.operations = static_cast<std::uint16_t>(1 + r % 3);
    instruction.wrong_path = (r >> 32) % 8 == 0;
    instruction.thread = static_cast<std::uint8_t>(r >> 42 & 1);
    auto& request = block.requests[i];
    request.address = 0x20000 + 8 * i;
    request.instruction = i;
    request.ip = instruction.ip;
    request.start = 0;
    request.end = (r >> 8) % 70;  // the latency
    request.size = 1u << (r >> 4) % 4;
    request.fill_lag = static_cast<std::uint16_t>((r >> 44) % 30);
    request.thread = instruction.thread;
    auto& syllable = block.syllables[i];
    syllable.window = 0x1000 + 16 * (i / 4);
    syllable.kinds &= static_cast<std::uint32_t>(r);
    if (i % 3 == 0) syllable.kinds |= activity::ia64::bit(activity::ia64::Kind::branch);
    auto& of_ia64 = block.ia64_requests[i];
    of_ia64.owner = i % 4 != 3 ? (i + 1) % pool_size : activity::no_ref;
    if (i % 2 == 0) {  // a plain load, so that an EAR can track it from issue to data
      of_ia64.requester = activity::ia64::Requester::data;
      of_ia64.load = true;
      of_ia64.store = of_ia64.semaphore = of_ia64.prefetch = false;
    }
    auto& of_alpha = block.alpha_instructions[i];
    of_alpha.kinds &= static_cast<std::uint32_t>(r);
    of_alpha.inum_delay = (r >> 40) % 9;
  }
  return block;
}

bool has_record(Signal signal) { return signal != Signal::snoop && signal != Signal::ecc_correction; }

/// A legal value of a state, from random bits.
std::uint64_t state_value(State state, std::uint64_t random) {
  namespace psr = activity::ia64::psr;
  switch (state) {
    case State::clock:
      return random % 4 != 0;
    case State::cpl:
    case State::background_cpl:
      return random % 4 < 2 ? 0 : random % 4;
    case State::msr:
      return spread(random) & (activity::msr::ee | activity::msr::pr | activity::msr::pm | activity::msr::ip);
    case State::bus_ratio:
      return random % 2 != 0 ? (4u << 16 | 1) : (5u << 16 | 2);
    case State::psr:
    case State::background_psr: {  // mostly the monitors run and interrupts are accepted
      const std::uint64_t mostly = random % 4 != 0 ? psr::up | psr::pp | psr::i : 0;
      return mostly | (spread(random) & (psr::up | psr::pp | psr::sp | psr::i | psr::is | psr::db));
    }
    case State::pins:
      return random % 64;
    case State::pal_mode:
      return random % 4 == 0;
    default:
      break;
  }
  static const std::vector<activity::Name> names = activity::state_names("montecito");
  const activity::Fields& fields = names[static_cast<std::size_t>(state)].fields;
  if (fields.empty()) return random % 5;  // a number of lines, or of a process
  std::uint64_t value = 0;
  for (const activity::Field& field : fields) {
    random = spread(random);
    const std::uint64_t most = field.mask >> std::countr_zero(field.mask);
    const std::uint64_t of = field.values.empty() ? std::min<std::uint64_t>(most, 31) + 1 : field.values.size();
    value |= random % of << std::countr_zero(field.mask);
  }
  return value;
}

void fill_block(Block& block, const Scenario& scenario, const pmu::Monitor& monitor, const ValueShaper& shape) {
  for (const RawOccurrence& raw : scenario.occurrences) {
    if (raw.at < block.begin || raw.at >= block.end) continue;
    const std::uint32_t ref = has_record(raw.signal) ? raw.record % pool_size : activity::no_ref;
    block.columns[static_cast<std::size_t>(raw.signal)].push_back(
        {static_cast<std::uint32_t>(raw.at - block.begin), ref, raw.amount, raw.detail});
  }
  for (std::size_t i = 0; i < activity::state_count; ++i) {
    block.states[i].initial = state_value(static_cast<State>(i), 1);
  }
  for (const RawChange& raw : scenario.changes) {
    if (raw.at > block.end) continue;  // at the end: the next block begins with this state
    auto& column = block.states[static_cast<std::size_t>(raw.state)];
    const std::uint64_t value = state_value(raw.state, raw.value);
    if (raw.at <= block.begin) {
      column.initial = value;
    } else if (!column.changes.empty() && block.begin + column.changes.back().at == raw.at) {
      column.changes.back().value = value;
    } else {
      column.changes.push_back({static_cast<std::uint32_t>(raw.at - block.begin), value});
    }
  }
  const auto infos = monitor.registers();
  for (const RawAccess& raw : scenario.program) {
    if (raw.at < block.begin || raw.at >= block.end) continue;
    const pmu::RegisterInfo& info = infos[raw.reg % infos.size()];
    activity::RegisterAccess access;
    access.at = static_cast<std::uint32_t>(raw.at - block.begin);
    access.write = raw.write;
    access.value = raw.write ? shape(info, raw.value) : 0;
    access.ref = raw.reg % pool_size;
    std::copy_n(info.name.begin(), std::min(info.name.size(), access.name.size() - 1), access.name.begin());
    block.accesses.push_back(access);
  }
}

template <class T>
std::vector<T> sorted_by_cycle(std::vector<T> items) {
  std::stable_sort(items.begin(), items.end(), [](const T& a, const T& b) { return a.at < b.at; });
  return items;
}

/// 64 random bits that shrink to 0.
rc::Gen<std::uint64_t> random_bits() { return rc::gen::map(rc::gen::inRange<std::uint64_t>(0, 1 << 24), spread); }

rc::Gen<std::vector<RawAccess>> accesses(std::uint32_t cycles, bool always_write) {
  return rc::gen::resize(8, rc::gen::container<std::vector<RawAccess>>(rc::gen::construct<RawAccess>(
                                rc::gen::inRange<std::uint32_t>(0, cycles), rc::gen::inRange<std::uint8_t>(0, 64),
                                always_write ? rc::gen::just(true) : rc::gen::arbitrary<bool>(), random_bits())));
}

}  // namespace

rc::Gen<Scenario> scenarios() {
  return rc::gen::mapcat(rc::gen::inRange<std::uint32_t>(1, 200), [](std::uint32_t cycles) {
    const auto at = rc::gen::inRange<std::uint32_t>(0, cycles);
    const auto signal = rc::gen::map(rc::gen::inRange<int>(0, static_cast<int>(activity::signal_count)),
                                     [](int i) { return static_cast<Signal>(i); });
    // Interrupts are taken at retirement: every second occurrence is one.
    const auto any_signal = rc::gen::oneOf(rc::gen::just(Signal::retire), signal);
    const auto state = rc::gen::map(rc::gen::inRange<int>(0, static_cast<int>(activity::state_count)),
                                    [](int i) { return static_cast<State>(i); });
    const auto amount = rc::gen::weightedElement<std::uint16_t>({{6, 1}, {2, 2}, {1, 3}});
    return rc::gen::map(
        rc::gen::build<Scenario>(
            rc::gen::set(&Scenario::cycles, rc::gen::just(cycles)),
            rc::gen::set(
                &Scenario::occurrences,
                rc::gen::resize(
                    200, rc::gen::container<std::vector<RawOccurrence>>(rc::gen::construct<RawOccurrence>(
                             at, any_signal, amount,
                             rc::gen::map(random_bits(), [](std::uint64_t r) { return static_cast<std::uint16_t>(r); }),
                             rc::gen::arbitrary<std::uint8_t>())))),
            rc::gen::set(&Scenario::changes,
                         rc::gen::resize(60, rc::gen::container<std::vector<RawChange>>(rc::gen::construct<RawChange>(
                                                 at, state, rc::gen::inRange<std::uint64_t>(0, 1000))))),
            rc::gen::set(&Scenario::program, accesses(cycles, false)),
            rc::gen::set(&Scenario::bus, accesses(cycles, true)),
            rc::gen::set(&Scenario::registers, rc::gen::container<std::vector<std::uint64_t>>(40, random_bits())),
            rc::gen::set(&Scenario::cuts, rc::gen::resize(12, rc::gen::container<std::vector<std::uint32_t>>(at)))),
        [](Scenario s) {
          s.occurrences = sorted_by_cycle(std::move(s.occurrences));
          s.changes = sorted_by_cycle(std::move(s.changes));
          s.program = sorted_by_cycle(std::move(s.program));
          s.bus = sorted_by_cycle(std::move(s.bus));
          return s;
        });
  });
}

std::vector<Block> make_blocks(const Scenario& scenario, const pmu::Monitor& monitor, const ValueShaper& shape,
                               std::vector<std::uint32_t> cuts) {
  std::set<std::uint32_t> begins(cuts.begin(), cuts.end());
  begins.insert(0);
  std::vector<Block> blocks;
  for (auto begin = begins.begin(); begin != begins.end() && *begin < scenario.cycles; ++begin) {
    const auto next = std::next(begin);
    Block& block = blocks.emplace_back(pools());
    block.begin = *begin;
    block.end = next == begins.end() ? scenario.cycles : std::min(*next, scenario.cycles);
    fill_block(block, scenario, monitor, shape);
  }
  return blocks;
}

std::vector<std::uint64_t> handler_values(const Scenario& scenario, const pmu::Monitor& monitor,
                                          const ValueShaper& shape) {
  std::vector<std::uint64_t> values;
  const auto infos = monitor.registers();
  for (std::size_t i = 0; i < infos.size(); ++i) {
    values.push_back(shape(infos[i], scenario.registers[i % scenario.registers.size()]));
  }
  return values;
}

void normalise(std::vector<WireEdge>& edges) {
  std::stable_sort(edges.begin(), edges.end(), [](const WireEdge& a, const WireEdge& b) {
    return a.wire != b.wire ? a.wire < b.wire : a.at < b.at;
  });
  std::vector<WireEdge> kept;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const bool last_of_time =
        i + 1 == edges.size() || edges[i + 1].wire != edges[i].wire || edges[i + 1].at != edges[i].at;
    if (!last_of_time) continue;
    const bool level_before = !kept.empty() && kept.back().wire == edges[i].wire && kept.back().level;
    if (edges[i].level != level_before) kept.push_back(edges[i]);
  }
  edges = std::move(kept);
}

Outcome run_pure(const Subject& subject, std::uint64_t seed, const Scenario& scenario,
                 const std::vector<std::uint32_t>& cuts) {
  return run_pure(subject, seed, scenario, cuts, {[](pmu::Monitor&) {}, [](pmu::Monitor&) {}});
}

Outcome run_pure(const Subject& subject, std::uint64_t seed, const Scenario& scenario,
                 const std::vector<std::uint32_t>& cuts, const Visitor& visitor) {
  pmu::Follower follower(subject.make(seed));
  pmu::Monitor& monitor = follower.monitor();
  monitor.record_pins(true);
  visitor.before(monitor);
  const auto infos = monitor.registers();
  const auto values = handler_values(scenario, monitor, subject.shape);
  const auto program_all = [&] {
    for (std::size_t i = 0; i < infos.size(); ++i) {
      if (infos[i].writable) monitor.write(infos[i].id, values[i], {});
    }
    follower.written();
  };
  program_all();
  Outcome outcome;
  std::size_t bus = 0;
  // A request holds the line high for half a clock, even if it is taken or withdrawn at once.
  Cycle raised_at = activity::never;
  const auto line_edge = [&] {
    const Cycle now = follower.consumed();
    outcome.edges.push_back({0, now, follower.line() || now == raised_at});
    if (now == raised_at) outcome.edges.push_back({0, now + 1, follower.line()});
  };
  for (const Block& block : make_blocks(scenario, monitor, subject.shape, cuts)) {
    while (follower.consumed() < block.end) {
      for (; bus < scenario.bus.size() && scenario.bus[bus].at == follower.consumed(); ++bus) {
        const pmu::RegisterInfo& info = infos[scenario.bus[bus].reg % infos.size()];
        monitor.write(info.id, subject.shape(info, scenario.bus[bus].value), {});
        follower.written();
        line_edge();
      }
      const Cycle to = bus < scenario.bus.size() ? std::min<Cycle>(block.end, scenario.bus[bus].at) : block.end;
      const pmu::Stop stop = follower.advance(block, to);
      if (stop.line_changed && follower.line()) {
        ++outcome.requests;
        raised_at = follower.consumed();
      }
      line_edge();
      if (!stop.taking) continue;
      const pmu::EntryState entry = follower.take(block);
      outcome.takings.emplace_back(entry.cycle, entry.pc);
      program_all();
      line_edge();
    }
  }
  for (const pmu::PinEdge& edge : monitor.take_pin_edges()) {
    if (edge.at <= scenario.cycles) outcome.edges.push_back({1 + edge.pin, edge.at, edge.level});
  }
  normalise(outcome.edges);
  visitor.after(monitor);
  outcome.reports = follower.take_reports();
  for (const pmu::RegisterInfo& info : infos) outcome.registers.push_back(monitor.read(info.id, {}).value);
  return outcome;
}

std::ostream& operator<<(std::ostream& out, const WireEdge& edge) {
  return out << (edge.wire == 0 ? "line" : "pin") << (edge.wire == 0 ? 0 : edge.wire - 1) << '@' << edge.at << '='
             << edge.level;
}

std::ostream& operator<<(std::ostream& out, const Outcome& outcome) {
  out << "registers" << std::hex;
  for (const std::uint64_t value : outcome.registers) out << ' ' << value;
  out << std::dec << "; requests " << outcome.requests << "; edges";
  for (const WireEdge& edge : outcome.edges) out << ' ' << edge;
  out << "; takings";
  for (const auto& [cycle, pc] : outcome.takings) out << ' ' << cycle << ":0x" << std::hex << pc << std::dec;
  out << "; reports";
  for (const auto& r : outcome.reports) {
    out << ' ' << r.cycle << (r.write ? 'w' : 'r') << r.name << '=' << std::hex << r.value << std::dec << '/'
        << name_of(r.fault);
  }
  return out;
}

std::ostream& operator<<(std::ostream& out, const Scenario& s) {
  out << s.cycles << " cycles;";
  for (const auto& o : s.occurrences) {
    out << " s" << static_cast<int>(o.signal) << '@' << o.at << 'x' << o.amount << '/' << std::hex << o.detail
        << std::dec << 'r' << int(o.record);
  }
  for (const auto& c : s.changes)
    out << " st" << static_cast<int>(c.state) << '@' << c.at << '=' << state_value(c.state, c.value);
  for (const auto& a : s.program)
    out << " prog" << (a.write ? 'w' : 'r') << int(a.reg) << '@' << a.at << '=' << std::hex << a.value << std::dec;
  for (const auto& a : s.bus) out << " bus" << int(a.reg) << '@' << a.at << '=' << std::hex << a.value << std::dec;
  out << " cuts";
  for (const auto c : s.cuts) out << ' ' << c;
  out << " registers" << std::hex;
  for (const auto v : s.registers) out << ' ' << v;
  return out << std::dec;
}

}  // namespace pmusim::testing
