// The expected contents of an Itanium 2's event address registers and branch trace buffer.
#include "testbench/oracle/captures.h"

#include <gtest/gtest.h>

#include "machine.h"

namespace pmusim::oracle {
namespace {

using namespace script;  // NOLINT
using i64::BranchClass;
using i64::Kind;
using i64::Prediction;
using i64::SlotType;
using i64::Translation;
using Outcome = RecordedBranch::Outcome;
namespace d = activity::detail;

Insn instruction_at(std::uint64_t ip, std::uint8_t slot) {
  Insn made = insn({});
  made.record.ip = ip;
  made.record.slot = slot;
  return made;
}
std::vector<Capture> captures(const Machine& machine, const Request& request,
                              const ParameterLookup& parameters = Values()) {
  const auto list = make_capture_list(request, parameters, "itanium2");
  list->consume(machine.block);
  return list->captures();
}
std::vector<Capture> captures(const Machine& machine, const std::string& name,
                              const ParameterLookup& parameters = Values()) {
  return captures(machine, row(name), parameters);
}

// --- loads ------------------------------------------------------------------------------------------
/// Adds a load from its EXE cycle to its return; latency 0 is a hit in the same cycle.
void load(Machine& m, Cycle at, Cycle latency, std::uint64_t ip, std::uint64_t address, std::uint64_t id) {
  Access made = load_of(address);
  made.record.id = id;
  made.request.owner = m.add(instruction_at(ip, 1));
  made.request.l1d_read = true;
  const auto ref = m.put(Signal::data_reference, at, made);
  m.again(Signal::dcache_lookup, at, ref, latency == 0 ? d::lookup_hit : d::lookup_miss);
  if (latency != 0) m.again(Signal::load_return, at + latency, ref);
}

// One load is tracked at a time: loads that start meanwhile are not captured.
TEST(Itanium2DataEar, FollowsOneLoad) {
  Machine machine(100);
  Access second = load_of(0xb000);
  second.record.id = 2;
  load(machine, 10, 20, 0x4000, 0xa000, 1);
  machine.put(Signal::data_reference, 15, second);
  machine.block.columns[static_cast<std::size_t>(Signal::load_return)].insert(
      machine.block.columns[static_cast<std::size_t>(Signal::load_return)].begin(), {22, 1, 1, 0});
  load(machine, 30, 9, 0x4020, 0xc000, 3);  // starts in the cycle of the first one's return
  load(machine, 40, 6, 0x4030, 0xd000, 4);
  const auto list = captures(machine, "DATA_EAR_CACHE_LAT4");
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].at, 30u);
  EXPECT_EQ(list[0].latency, 20u);
  EXPECT_EQ(list[0].ip, 0x4000u);
  EXPECT_EQ(list[0].slot, 1u);
  EXPECT_TRUE(list[0].ip_known);
  EXPECT_EQ(list[0].address, 0xa000u);
  EXPECT_EQ(list[1].at, 46u);
  EXPECT_EQ(list[1].address, 0xd000u);
  EXPECT_EQ(captures(machine, "DATA_EAR_CACHE_LAT16").size(), 1u);
  EXPECT_EQ(counted(machine, "DATA_EAR_CACHE_LAT4"), 2u);
  Request armed = row("DATA_EAR_EVENTS");
  EXPECT_EQ(counted(machine, armed), 0u) << "not armed";
  armed.ia64.armed = "DATA_EAR_CACHE_LAT16";
  EXPECT_EQ(counted(machine, armed), 1u);
  armed.ia64.armed = "L1I_EAR_TLB_ALL";
  EXPECT_THROW((void)counted(machine, armed), std::invalid_argument);
}

// The register's pm bit is the one of the requested counter. A register programmed by hand has none, and captures while
// PSR.up is 1.
TEST(Itanium2DataEar, SetUpByHandIsNoPrivilegedMonitor) {
  const auto counted_under = [](std::uint64_t psr, const Request& request) {
    Machine machine(100);
    machine.state(State::psr, 0, psr);
    load(machine, 10, 20, 0x4000, 0xa000, 1);
    return counted(machine, request);
  };
  Request armed = row("DATA_EAR_EVENTS"), named = row("DATA_EAR_CACHE_LAT4");
  armed.ia64.armed = "DATA_EAR_CACHE_LAT4";
  armed.ia64.privileged_monitor = named.ia64.privileged_monitor = true;
  using namespace activity::ia64;  // NOLINT
  EXPECT_EQ(counted_under(psr::pp, named), 1u);
  EXPECT_EQ(counted_under(psr::pp, armed), 0u);
  EXPECT_EQ(counted_under(psr::up, armed), 0u);
  EXPECT_EQ(counted_under(psr::up | psr::pp, armed), 1u);
}

TEST(Itanium2DataEar, HitsAndKillsFreeTheTracker) {
  Machine machine(100);
  load(machine, 10, 0, 0x4000, 0xa000, 1);
  load(machine, 11, 5, 0x4010, 0xb000, 2);  // the cycle after a hit
  Access killed = load_of(0xc000);
  killed.record.id = 3;
  const auto ref = machine.put(Signal::data_reference, 20, killed);
  machine.again(Signal::request_kill, 24, ref);
  load(machine, 24, 7, 0x4020, 0xd000, 4);  // too early
  load(machine, 32, 7, 0x4030, 0xe000, 5);
  const auto list = captures(machine, "DATA_EAR_CACHE_LAT4");
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].address, 0xb000u);
  EXPECT_EQ(list[1].address, 0xe000u);
}

TEST(Itanium2DataEar, TakesLoadsOfTheProgramOnly) {
  using R = i64::Requester;
  const auto taken = [](const Access& made) {
    Machine machine(20);
    const auto ref = machine.put(Signal::data_reference, 2, made);
    machine.again(Signal::load_return, 12, ref);
    return captures(machine, "DATA_EAR_CACHE_LAT8").size();
  };
  EXPECT_EQ(taken(load_of()), 1u);
  EXPECT_EQ(taken(but(load_of(), [](Access& a) { a.request.fp = true; })), 1u);
  EXPECT_EQ(taken(but(load_of(), [](Access& a) { a.request.check_load = true; })), 1u);
  EXPECT_EQ(taken(but(load_of(), [](Access& a) { a.request.prefetch = true; })), 0u);
  EXPECT_EQ(taken(but(access(R::data, true, true), [](Access& a) { a.request.semaphore = true; })), 0u);
  EXPECT_EQ(taken(store_of()), 0u);
  EXPECT_EQ(taken(access(R::register_stack, true, false)), 0u);
  EXPECT_EQ(taken(access(R::page_walker, true, false)), 0u);
}

TEST(Itanium2DataEar, Qualifiers) {
  Machine machine(100);
  for (unsigned i = 0; i < 5; ++i) load(machine, 10 + 10 * i, 8, 0x4000 + 16 * i, 0xa000 + 8 * i, i);
  machine.state(State::cpl, 40, 0);
  const auto seen = [&](auto change) {
    Request request = row("DATA_EAR_CACHE_LAT8");
    change(request.ia64);
    const auto list = captures(machine, request);
    EXPECT_EQ(counted(machine, request), list.size());
    return list.size();
  };
  EXPECT_EQ(seen([](auto&) {}), 5u);
  EXPECT_EQ(seen([](auto& q) { q.levels = 8; }), 3u);
  EXPECT_EQ(seen([](auto& q) { q.code = {{0x4010, 0x4030}}; }), 2u);
  EXPECT_EQ(seen([](auto& q) { q.data = {{0xa018, 0xa100}}; }), 2u);
  EXPECT_EQ(seen([](auto& q) { q.opcodes = {{0, 0x7ffffff, false, true, true, true}}; }), 0u);
  const Tally none = count("itanium2", row("DATA_EAR_CACHE_LAT16"), machine.block);
  EXPECT_EQ(none.expected, 0u);
  EXPECT_EQ(none.occurrences, 5u) << "captures without any filter";
}

// The random register starts with 1; its lowest bit is drawn: 1, then zeros until a feedback bit has been shifted down.
TEST(Itanium2DataEar, RandomChoice) {
  constexpr unsigned loads = 100;
  Machine machine(3000);
  for (unsigned i = 0; i < loads; ++i) load(machine, 10 + 20 * i, 8, 0x4000, 0xa000 + 8 * i, i);
  std::vector<std::uint64_t> drawn;
  unsigned shift_register = 1;
  for (unsigned i = 0; i < loads; ++i) {
    if (shift_register % 2 == 1) drawn.push_back(0xa000 + 8 * i);
    unsigned parity = 0;
    for (const unsigned tap : {16u, 14u, 13u, 11u}) parity ^= shift_register >> (16 - tap) & 1u;
    shift_register = shift_register / 2 + parity * 0x8000;
  }
  std::vector<std::uint64_t> seen;
  for (const Capture& c : captures(machine, "DATA_EAR_CACHE_LAT4", Values{{"pmu.dear_random", 1}})) {
    seen.push_back(c.address);
  }
  EXPECT_EQ(seen, drawn);
  EXPECT_GT(seen.size(), 3u);
  EXPECT_LT(seen.size(), loads);
}

TEST(Itanium2DataEar, Translations) {
  Machine machine(50);
  const auto retire = [&](Cycle at, Translation where, std::uint64_t address) {
    Access made = load_of(address);
    made.request.translation = where;
    made.request.owner = machine.add(instruction_at(0x4000 + address, 2));
    machine.put(Signal::access_retire, at, made);
  };
  retire(5, Translation::first_level, 0x10);
  retire(6, Translation::walker, 0x20);
  retire(6, Translation::second_level, 0x30);
  retire(9, Translation::fault, 0x40);
  const auto addresses = [&](const std::string& name) {
    std::vector<std::uint64_t> list;
    for (const Capture& c : captures(machine, "DATA_EAR_TLB_" + name)) list.push_back(c.address);
    return list;
  };
  EXPECT_EQ(addresses("ALL"), (std::vector<std::uint64_t>{0x20, 0x40})) << "one a cycle, the oldest";
  EXPECT_EQ(addresses("L2DTLB"), (std::vector<std::uint64_t>{0x30}));
  EXPECT_EQ(addresses("L2DTLB_OR_FAULT"), (std::vector<std::uint64_t>{0x30, 0x40}));
  EXPECT_EQ(captures(machine, "DATA_EAR_TLB_FAULT")[0].translation, Translation::fault);
  EXPECT_EQ(captures(machine, "DATA_EAR_TLB_FAULT")[0].ip, 0x4040u);
}

TEST(Itanium2DataEar, FailedChecks) {
  Machine machine(50);
  const auto check = [&](Cycle at, Kind kind, bool failed, std::uint64_t address) {
    Insn made = instruction_at(0x4000 + 16 * at, 0);
    made.syllable.kinds = i64::bit(kind);
    made.syllable.check_failed = failed;
    const auto ref = machine.put(Signal::retire, at, made);
    if (address == 0) return;
    Access reload = load_of(address);
    reload.request.owner = ref;
    machine.put(Signal::access_retire, at, reload);
  };
  check(3, Kind::check_advanced, true, 0);
  check(4, Kind::check_load, true, 0xa000);
  check(5, Kind::check_load, false, 0xb000);
  check(6, Kind::check_advanced, true, 0);
  check(7, Kind::check_speculative, true, 0);
  const auto list = captures(machine, "DATA_EAR_ALAT");
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(list[1].address, 0xa000u);
  EXPECT_TRUE(list[1].own_address);
  EXPECT_EQ(list[2].address, 0xa000u) << "chk.a has no address";
  EXPECT_FALSE(list[2].own_address);
  EXPECT_EQ(list[2].ip, 0x4060u);
}

// After a mispredicted branch the instruction is unknown if the branch trace buffer is on.
TEST(Itanium2DataEar, BesideTheBranchBuffer) {
  for (Cycle behind = 1; behind <= 3; ++behind) {
    Machine machine(50);
    Insn branch = insn({Kind::branch}, SlotType::b);
    branch.syllable.prediction = Prediction::wrong_path;
    machine.put(Signal::retire, 10, branch);
    Access made = load_of();
    made.request.translation = Translation::walker;
    made.request.owner = machine.add(instruction_at(0x4000, 0));
    machine.put(Signal::access_retire, 10 + behind, made);
    Request request = row("DATA_EAR_TLB_VHPT");
    EXPECT_TRUE(captures(machine, request).at(0).ip_known);
    request.ia64.branch_buffer_on = true;
    EXPECT_EQ(captures(machine, request).at(0).ip_known, behind > 2) << behind;
  }
}

// --- fetches ----------------------------------------------------------------------------------------
TEST(Itanium2FetchEar, SquashedMisses) {
  Machine machine(50);
  Access first = fetch_of(0x4030), second = fetch_of(0x5000);
  first.record.id = 1;
  second.record.id = 2;
  const auto kept = machine.put(Signal::fetch, 5, first, d::lookup_miss);
  machine.again(Signal::fetch_return, 17, kept);
  const auto lost = machine.put(Signal::fetch, 20, second, d::lookup_miss);
  machine.again(Signal::request_kill, 23, lost);
  const auto list = captures(machine, "L1I_EAR_CACHE_LAT0");
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].at, 17u);
  EXPECT_EQ(list[0].latency, 12u);
  EXPECT_EQ(list[0].address, 0x4020u) << "32 bytes";
}

// There is only one latency counter: a new miss takes it from a miss that is still pending.
TEST(Itanium2FetchEar, OneMissAtATime) {
  Machine machine(50);
  Access first = fetch_of(0x4030), second = fetch_of(0x5000);
  first.record.id = 1;
  second.record.id = 2;
  const auto lost = machine.put(Signal::fetch, 5, first, d::lookup_miss);
  const auto kept = machine.put(Signal::fetch, 8, second, d::lookup_miss);
  machine.again(Signal::fetch_return, 17, lost);
  machine.again(Signal::fetch_return, 19, kept);
  const auto list = captures(machine, "L1I_EAR_CACHE_LAT0");
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].address, 0x5000u);
  EXPECT_EQ(list[0].latency, 11u);
}

// --- branches ---------------------------------------------------------------------------------------
struct Branch {
  Cycle at;
  std::uint64_t ip;
  std::uint8_t slot;
  bool taken;
  std::uint64_t target;
  Prediction prediction = Prediction::correct;
  bool back_end = false;
  BranchClass kind = BranchClass::ip_relative;
};
Machine branching(const std::vector<Branch>& branches, Cycle length = 100) {
  Machine machine(length);
  for (const Branch& b : branches) {
    Insn made = insn({Kind::branch}, SlotType::b);
    made.record.ip = b.ip;
    made.record.slot = b.slot;
    made.record.taken = b.taken;
    made.record.next_ip = b.target;
    made.syllable.window = b.ip & ~std::uint64_t{31};
    made.syllable.prediction = b.prediction;
    made.syllable.back_end_flush = b.back_end;
    made.syllable.branch_class = b.kind;
    machine.put(Signal::retire, b.at, made);
  }
  return machine;
}
BranchList listed(const Machine& machine, const Request& request, const ParameterLookup& parameters = Values()) {
  BranchList list(request, parameters, "itanium2");
  list.consume(machine.block);
  return list;
}
BufferEntry source(std::uint64_t ip, std::uint8_t slot, Outcome outcome = Outcome::right) {
  return {true, ip, slot, outcome};
}
BufferEntry target(std::uint64_t bundle) { return {false, bundle, 0, Outcome::right}; }

TEST(Itanium2BranchBuffer, SourcesAndTargets) {
  const Machine machine = branching({{10, 0x4000, 2, true, 0x5000},
                                     {20, 0x5010, 1, false, 0x5020},
                                     {30, 0x5020, 0, true, 0x6008, Prediction::wrong_target},
                                     {40, 0x6010, 2, true, 0x4000, Prediction::wrong_path, true}});
  const auto list = listed(machine, row("BRANCH_EVENT"));
  const std::vector<BufferEntry> all = {source(0x4000, 2), target(0x5000),
                                        source(0x5010, 3), source(0x5020, 0, Outcome::front_end),
                                        target(0x6000),    source(0x6010, 2, Outcome::back_end),
                                        target(0x4000)};
  EXPECT_EQ(list.buffer_after(99), all);
  EXPECT_EQ(list.buffer_after(29), (std::vector<BufferEntry>{all[0], all[1], all[2]}));
  EXPECT_EQ(list.buffer_after(30), (std::vector<BufferEntry>{all[0], all[1], all[2], all[3], all[4]}));
  // The target is written in the next cycle, which a handler after cycle 30 does not wait for.
  EXPECT_EQ(list.buffer_after(30, 30), (std::vector<BufferEntry>{all[0], all[1], all[2], all[3]}));
  EXPECT_EQ(list.buffer_after(30, 31), list.buffer_after(30));
  EXPECT_EQ(counted(machine, "BRANCH_EVENT"), 4u);
}

TEST(Itanium2BranchBuffer, HoldsEightEntries) {
  std::vector<Branch> branches;
  for (unsigned i = 0; i < 6; ++i)
    branches.push_back({10 + 5ull * i, 0x4000 + 0x100ull * i, 2, true, 0x4100 + 0x100ull * i});
  const auto list = listed(branching(branches), row("BRANCH_EVENT"));
  EXPECT_EQ(list.written_until(99).size(), 12u);
  const auto held = list.buffer_after(99);
  ASSERT_EQ(held.size(), 8u);
  EXPECT_EQ(held.front(), source(0x4200, 2)) << "four branches are left";
  EXPECT_EQ(held.back(), target(0x4600));
}

// A target whose window retires another branch in the next cycle gets no entry.
TEST(Itanium2BranchBuffer, TargetsThatSpeakForThemselves) {
  const Machine machine =
      branching({{10, 0x4000, 2, true, 0x5000}, {11, 0x5000, 2, true, 0x6000}, {13, 0x6000, 2, true, 0x4000}});
  const auto list = listed(machine, row("BRANCH_EVENT"));
  EXPECT_EQ(list.buffer_after(99), (std::vector<BufferEntry>{source(0x4000, 2), source(0x5000, 2), target(0x6000),
                                                             source(0x6000, 2), target(0x4000)}));
  EXPECT_EQ(list.buffer_after(10), (std::vector<BufferEntry>{source(0x4000, 2), target(0x5000)}))
      << "frozen before the next branch";
  EXPECT_EQ(listed(machine, row("BRANCH_EVENT"), Values{{"pmu.btb_target", 1}}).written_until(99).size(), 6u);
  const Machine elsewhere = branching({{10, 0x4000, 2, true, 0x5000}, {11, 0x7000, 2, true, 0x6000}});
  EXPECT_EQ(listed(elsewhere, row("BRANCH_EVENT")).written_until(99).size(), 4u);
}

TEST(Itanium2BranchBuffer, OneBranchACycle) {
  const Machine machine = branching({{10, 0x4000, 0, false, 0x4000},
                                     {10, 0x4000, 1, true, 0x5000},
                                     {10, 0x4000, 2, true, 0x6000},
                                     {20, 0x4100, 0, false, 0x4100},
                                     {20, 0x4100, 1, false, 0x4110}});
  const auto list = listed(machine, row("BRANCH_EVENT"));
  ASSERT_EQ(list.branches().size(), 2u);
  EXPECT_EQ(list.branches()[0].slot, 1u) << "the first that is taken";
  EXPECT_EQ(list.branches()[1].slot, 1u) << "the last that is not";
  EXPECT_EQ(counted(machine, "BRANCH_EVENT"), 2u);
  EXPECT_EQ(counted(machine, "BR_MISPRED_DETAIL_ALL_ALL_PRED"), 5u);
}

// Every combination of the filters, compared with a count of the branches that match it.
TEST(Itanium2BranchBuffer, Filters) {
  std::vector<Branch> branches;
  const BranchClass kinds[] = {BranchClass::ip_relative, BranchClass::return_, BranchClass::indirect};
  const Prediction predictions[] = {Prediction::correct, Prediction::wrong_path, Prediction::wrong_target};
  for (const BranchClass kind : kinds) {
    for (const Prediction prediction : predictions) {
      for (const bool taken : {false, true}) {
        branches.push_back({10 + 10 * branches.size(), 0x4000, 2, taken, 0x9000, prediction, false, kind});
      }
    }
  }
  const Machine machine = branching(branches, 300);
  using Type = ia64::BranchFilter::Type;
  for (unsigned bits = 0; bits < 256; ++bits) {
    Request request = row("BRANCH_EVENT");
    ia64::BranchFilter& f = request.ia64.branches;
    f = {(bits & 1u) != 0,
         (bits & 2u) != 0,
         (bits & 4u) != 0,
         (bits & 8u) != 0,
         (bits & 16u) != 0,
         (bits & 32u) != 0,
         static_cast<Type>(bits >> 6)};
    unsigned expected = 0;
    for (const Branch& b : branches) {
      const bool wrong_path = b.prediction == Prediction::wrong_path;
      const bool wrong_target = b.prediction == Prediction::wrong_target && b.taken;
      const bool type = f.type == Type::all || kinds[static_cast<unsigned>(f.type) - 1] == b.kind;
      expected += type && (b.taken ? f.taken : f.not_taken) && (wrong_path ? f.path_wrong : f.path_right) &&
                  (wrong_target ? f.target_wrong : f.target_right);
    }
    EXPECT_EQ(listed(machine, request).branches().size(), expected) << bits;
    EXPECT_EQ(count("itanium2", request, machine.block).occurrences, 18u) << "raw";
  }
}

TEST(Itanium2BranchBuffer, ReturnsFromInterruption) {
  Machine machine(20);
  machine.put(Signal::retire, 5, insn({Kind::rfi}, SlotType::b));
  EXPECT_EQ(counted(machine, "BRANCH_EVENT"), 1u) << "libpfm_itanium2(3): branches, traps, rfi";
  EXPECT_EQ(counted(machine, "BRANCH_EVENT", Values{{"pmu.btb_rfi", 1}}), 0u);
}

// Captures must not depend on the division into blocks: they extend across blocks.
TEST(Itanium2Captures, AcrossBlocks) {
  Machine first(20, 0), second(30, 20);
  Access made = load_of(0xa000);
  made.record.id = 7;
  first.put(Signal::data_reference, 10, made);
  second.put(Signal::load_return, 35, made);
  Insn branch = insn({Kind::branch}, SlotType::b);
  branch.record.taken = true;
  branch.record.next_ip = 0x5000;
  first.put(Signal::retire, 19, branch);
  branch.record.ip = branch.syllable.window = 0x5000;
  second.put(Signal::retire, 20, branch);
  const auto counter = make_counter("itanium2", {row("DATA_EAR_CACHE_LAT16")}, Values());
  for (Cycle at = 0; at < 20; ++at) counter->consume(first.block, at, at + 1);
  counter->consume(second.block, 20, 33);
  EXPECT_EQ(counter->tally(0).expected, 0u);
  counter->consume(second.block, 33, 50);
  EXPECT_EQ(counter->tally(0).expected, 1u);
  BranchList list(row("BRANCH_EVENT"), Values(), "itanium2");
  list.consume(first.block);
  list.consume(second.block);
  EXPECT_EQ(list.written_until(49).size(), 3u) << "source, source, target";
}

}  // namespace
}  // namespace pmusim::oracle
