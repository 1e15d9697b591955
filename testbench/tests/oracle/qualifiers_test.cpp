// Conditions under which an Itanium counter counts: levels, PSR, thresholds, code ranges, opcodes, data ranges.
#include <gtest/gtest.h>

#include "machine.h"

namespace pmusim::oracle {
namespace {

using namespace script;  // NOLINT
using i64::SlotType;
namespace d = activity::detail;

Insn at_address(std::uint64_t ip, SlotType type = SlotType::m, std::uint64_t encoding = 0) {
  Insn made = insn({}, type);
  made.record.ip = ip;
  made.record.encoding = encoding;
  return made;
}
Request nops() { return row("IA64_INST_RETIRED"); }
template <class Change>
Request with(const std::string& name, Change change) {
  Request request = row(name);
  change(request.ia64);
  return request;
}
/// One instruction per cycle, at the given addresses.
Machine retiring_at(const std::vector<std::uint64_t>& addresses) {
  Machine machine(addresses.size());
  for (std::size_t i = 0; i < addresses.size(); ++i) machine.put(Signal::retire, i, at_address(addresses[i]));
  return machine;
}

// n(t) = 0, 1, ..., 6: a threshold of t counts the cycles with n greater than t.
TEST(Itanium2Qualifiers, Thresholds) {
  Machine machine(7);
  for (Cycle at = 0; at < 7; ++at) {
    for (Cycle n = 0; n < at; ++n) machine.put(Signal::retire, at, insn({}));
  }
  for (std::uint32_t t = 0; t <= 7; ++t) {
    Request request = nops();
    request.threshold = t;
    EXPECT_EQ(counted(machine, request), t == 0 ? 21u : 6u - std::min(t, 6u)) << t;
  }
  Request request = nops();
  request.threshold = 8;
  EXPECT_THROW((void)counted(machine, request), std::invalid_argument);
}

// Level n in n + 1 cycles.
TEST(Itanium2Qualifiers, Levels) {
  Machine machine(10);
  machine.state(State::cpl, 0, 0);
  machine.state(State::cpl, 1, 1);
  machine.state(State::cpl, 3, 2);
  machine.state(State::cpl, 6, 3);
  for (unsigned mask = 1; mask <= 15; ++mask) {
    unsigned cycles = 0;
    for (unsigned level = 0; level < 4; ++level) cycles += (mask >> level & 1u) * (level + 1);
    EXPECT_EQ(counted(machine, with("CPU_CYCLES", [&](auto& q) { q.levels = mask; })), cycles) << mask;
  }
  Request request = row("CPU_CYCLES");
  EXPECT_EQ(counted(machine, request), 1u + 4u) << "u and k are levels 3 and 0";
  request.kernel = false;
  EXPECT_EQ(counted(machine, request), 4u);
}

TEST(Itanium2Qualifiers, GatesOfPsr) {
  Machine machine(10);
  machine.state(State::psr, 0, i64::psr::up);                                // 2 cycles
  machine.state(State::psr, 2, i64::psr::pp);                                // 3
  machine.state(State::psr, 5, i64::psr::up | i64::psr::pp | i64::psr::is);  // 5
  const auto cycles = [&](bool privileged, ia64::InstructionSet set) {
    return counted(machine, with("CPU_CYCLES", [&](auto& q) {
                     q.privileged_monitor = privileged;
                     q.instruction_set = set;
                   }));
  };
  EXPECT_EQ(cycles(false, ia64::InstructionSet::both), 7u);
  EXPECT_EQ(cycles(true, ia64::InstructionSet::both), 8u);
  EXPECT_EQ(cycles(false, ia64::InstructionSet::ia64), 2u);
  EXPECT_EQ(cycles(true, ia64::InstructionSet::ia64), 3u);
  EXPECT_EQ(cycles(false, ia64::InstructionSet::ia32), 5u);
}

TEST(Itanium2Qualifiers, CodeRange) {
  const Machine machine = retiring_at({0x3ff0, 0x4000, 0x4010, 0x40f0, 0x4100, 0x100004000});
  const auto range = [](auto& q) { q.code = {{0x4000, 0x4100}}; };
  EXPECT_EQ(counted(machine, with("IA64_INST_RETIRED", range)), 3u);
  EXPECT_EQ(count("itanium2", with("IA64_INST_RETIRED", range), machine.block).occurrences, 6u) << "raw";
  EXPECT_EQ(counted(machine, with("CPU_CYCLES", range)), 6u) << "does not honour code ranges";
  const auto outside = [&](auto& q) {
    range(q);
    q.outside = true;
  };
  EXPECT_EQ(counted(machine, with("IA64_INST_RETIRED", outside)), 3u);
  const auto short_page = [&](auto& q) {
    range(q);
    q.fine_mode = q.short_page = true;
  };
  EXPECT_EQ(counted(machine, with("IA64_INST_RETIRED", short_page)), 3u);
  EXPECT_EQ(counted(machine, with("IA64_INST_RETIRED", short_page), Values{{"pmu.fine_mask", 1}}), 4u);
}

TEST(Itanium2Qualifiers, RangesHaveLevels) {
  Machine machine(4);
  for (Cycle at = 0; at < 4; ++at) {
    machine.state(State::cpl, at, at);
    machine.put(Signal::retire, at, at_address(0x4000));
  }
  const auto seen = [&](unsigned levels, bool outside) {
    return counted(machine, with("IA64_INST_RETIRED", [&](auto& q) {
                     q.levels = 15;
                     q.code = {{0x4000, 0x4010, levels}};
                     q.outside = outside;
                   }));
  };
  EXPECT_EQ(seen(15, false), 4u);
  EXPECT_EQ(seen(9, false), 2u);
  EXPECT_EQ(seen(1, true), 3u) << "what the range does not hold for lies outside";
}

// Ordinary events use the first range; each tagged event uses its own.
TEST(Itanium2Qualifiers, SeveralCodeRanges) {
  const Machine machine = retiring_at({0x1000, 0x1010, 0x2000, 0x3000, 0x3010, 0x3020, 0x4000, 0x9000});
  const std::vector<ia64::CodeRange> four = {{0x1000, 0x1100}, {0x2000, 0x2100}, {0x3000, 0x3100}, {0x4000, 0x4100}};
  const auto counts = [&](const std::string& name, std::size_t ranges, bool fine = false, bool outside = false,
                          const ParameterLookup& parameters = Values()) {
    return counted(machine,
                   with(name,
                        [&](auto& q) {
                          q.code.assign(four.begin(), four.begin() + static_cast<std::ptrdiff_t>(ranges));
                          q.fine_mode = fine;
                          q.outside = outside;
                        }),
                   parameters);
  };
  EXPECT_EQ(counts("IA64_INST_RETIRED", 4), 2u);
  EXPECT_EQ(counts("IA64_INST_RETIRED", 2, true), 2u);
  EXPECT_EQ(counts("IA64_INST_RETIRED", 2, true, false, Values{{"pmu.fine_union", 1}}), 3u);
  EXPECT_EQ(counts("IA64_INST_RETIRED", 4, false, false, Values{{"pmu.fine_union", 1}}), 2u) << "not in fine mode";
  const std::string tagged = "IA64_TAGGED_INST_RETIRED_";
  const std::pair<const char*, std::uint64_t> channels[] = {
      {"IBRP0_PMC8", 2}, {"IBRP1_PMC9", 1}, {"IBRP2_PMC8", 3}, {"IBRP3_PMC9", 1}};
  for (const auto& [name, n] : channels) EXPECT_EQ(counts(tagged + name, 4), n) << name;
  EXPECT_EQ(counts(tagged + "IBRP1_PMC9", 1), 8u) << "a range that is not given";
  EXPECT_EQ(counts(tagged + "IBRP0_PMC8", 4, false, true), 6u);
  EXPECT_EQ(counts(tagged + "IBRP1_PMC9", 4, false, true), 1u) << "only the first range has an outside";
  EXPECT_EQ(counts(tagged + "IBRP2_PMC8", 2, true), 2u) << "fine: pairs 0 and 2 are one range";
  EXPECT_EQ(counts(tagged + "IBRP3_PMC9", 2, true), 1u);
}

TEST(Itanium2Qualifiers, FetchesAreHeldAgainstTheirAddress) {
  Machine machine;
  for (const std::uint64_t address : {0x4000, 0x4020, 0x4020, 0x5000}) {
    const Cycle at = machine.block.column(Signal::fetch).size();
    machine.put(Signal::fetch, at, fetch_of(address), d::lookup_hit);
  }
  machine.put(Signal::fetch, 5, prefetch_of(0x4020), d::lookup_miss | d::access_prefetch);
  machine.put(Signal::fetch, 6, prefetch_of(0x6000), d::lookup_miss | d::access_prefetch);
  const auto counts = [&](const std::string& name, std::vector<ia64::CodeRange> ranges) {
    return counted(machine, with(name, [&](auto& q) { q.code = std::move(ranges); }));
  };
  EXPECT_EQ(counts("L1I_READS", {{0x4020, 0x4040}}), 2u);
  EXPECT_EQ(counts("L1I_PREFETCHES", {{0x4020, 0x4040}}), 1u) << "the only range there is";
  EXPECT_EQ(counts("L1I_PREFETCHES", {{0x4000, 0x4040}, {0x6000, 0x6100}}), 1u) << "the second range is theirs";
  EXPECT_EQ(counts("L1I_PREFETCHES", {{0x4000, 0x6100}, {0x7000, 0x7100}}), 0u);
  // pmu.fine_union: ordinary events, which are on channel 0, pass either fine range; prefetches are on channel 1.
  const auto united = [&](const std::string& name) {
    const oracle::Request request = with(name, [](auto& q) {
      q.code = {{0x4000, 0x4020}, {0x4020, 0x4040}};
      q.fine_mode = true;
    });
    return counted(machine, request, Values{{"pmu.fine_union", 1}});
  };
  EXPECT_EQ(united("L1I_READS"), 3u) << "one in the first range, two in the second";
  EXPECT_EQ(united("L1I_PREFETCHES"), 1u) << "in the second";
  EXPECT_EQ(counted(machine, with("L1I_READS",
                                  [](auto& q) {
                                    q.opcodes = {{0, 0, false, false, false, false}};
                                  })),
            4u)
      << "fetches have no opcode to honour";
}

// Bits 40:27 and 12:0 of a syllable are compared, bits 26:13 are not.
TEST(Itanium2Qualifiers, Opcodes) {
  constexpr std::uint64_t low = 0x1abc, high = 0x2345, between = 0x3fff;
  constexpr std::uint64_t encoding = low | between << 13 | high << 27;
  Machine machine;
  machine.put(Signal::retire, 0, at_address(0x4000, SlotType::m, encoding));
  machine.put(Signal::retire, 1, at_address(0x4000, SlotType::i, encoding ^ (std::uint64_t{5} << 13)));
  machine.put(Signal::retire, 2, at_address(0x4000, SlotType::f, encoding ^ 1));
  machine.put(Signal::retire, 3, at_address(0x4000, SlotType::b, encoding ^ (std::uint64_t{1} << 27)));
  machine.put(Signal::retire, 4, at_address(0x4000, SlotType::x, encoding));
  const auto matching = [&](ia64::OpcodeMatch match, const ParameterLookup& parameters = Values()) {
    return counted(machine, with("IA64_INST_RETIRED", [&](auto& q) { q.opcodes = {match}; }), parameters);
  };
  constexpr auto wanted = static_cast<std::uint32_t>(low | high << 13);
  EXPECT_EQ(matching({wanted, 0}), 3u);
  EXPECT_EQ(matching({wanted, 1}), 4u);
  EXPECT_EQ(matching({wanted, 1u << 13}), 4u);
  EXPECT_EQ(matching({wanted ^ (1u << 26), 0}), 0u);
  EXPECT_EQ(matching({0, 0x7ffffff}), 5u);
  EXPECT_EQ(matching({0, 0x7ffffff, true, false, false, false}), 1u);
  EXPECT_EQ(matching({0, 0x7ffffff, false, true, false, false}), 2u) << "i and x";
  EXPECT_EQ(matching({0, 0x7ffffff, false, false, true, true}), 2u);
  // The second matcher belongs to channels 1 and 3.
  const auto second = [&](const std::string& name) {
    return counted(machine, with(name, [&](auto& q) {
                     q.opcodes = {ia64::OpcodeMatch{}, {0, 0x7ffffff, true, false, false, false}};
                   }));
  };
  for (const char* name : {"IBRP1_PMC9", "IBRP3_PMC9"})
    EXPECT_EQ(second(std::string("IA64_TAGGED_INST_RETIRED_") + name), 1u);
  for (const char* name : {"IBRP0_PMC8", "IBRP2_PMC8"})
    EXPECT_EQ(second(std::string("IA64_TAGGED_INST_RETIRED_") + name), 5u);
  EXPECT_EQ(second("NOPS_RETIRED") + second("IA64_INST_RETIRED"), 5u);
}

// A data reference is filtered with the address, code and opcode of the instruction that makes it.
TEST(Itanium2Qualifiers, DataReferences) {
  Machine machine;
  const auto refer = [&](Cycle at, std::uint64_t ip, std::uint64_t address, SlotType type) {
    Access made = load_of(address);
    made.request.owner = machine.add(at_address(ip, type));
    machine.put(Signal::data_reference, at, made);
  };
  refer(0, 0x4000, 0x8fff, SlotType::m);
  refer(1, 0x4000, 0x9000, SlotType::m);
  refer(2, 0x5000, 0x9007, SlotType::m);
  refer(3, 0x5000, 0x9008, SlotType::i);
  refer(4, 0x5000, 0xa000, SlotType::m);
  machine.put(Signal::data_reference, 5, access(i64::Requester::register_stack, false, true, 0x9000));  // no owner
  const auto counts = [&](auto change) { return counted(machine, with("DATA_REFERENCES_SET0", change)); };
  const std::vector<ia64::DataRange> word = {{0x9000, 0x9008}}, two = {{0x9000, 0x9008}, {0xa000, 0xa001}};
  EXPECT_EQ(counts([](auto&) {}), 6u);
  EXPECT_EQ(counts([&](auto& q) { q.data = word; }), 3u);
  EXPECT_EQ(counts([&](auto& q) { q.data = two; }), 4u);
  EXPECT_EQ(counts([&](auto& q) {
              q.data = word;
              q.code = {{0x5000, 0x5010}};
            }),
            1u);
  EXPECT_EQ(counts([&](auto& q) { q.code = {{0x5000, 0x5010}}; }), 3u);
  EXPECT_EQ(counts([&](auto& q) {
              q.code = {{0x5000, 0x5010}};
              q.outside = true;
            }),
            2u)
      << "what belongs to no instruction lies on neither side";
  EXPECT_EQ(counts([&](auto& q) { q.opcodes = {{0, 0x7ffffff, false, true, false, false}}; }), 1u);
  EXPECT_EQ(counts([&](auto& q) { q.opcodes = {ia64::OpcodeMatch{}}; }), 5u);
}

// A check is filtered by the address of the access that it makes in the same cycle.
TEST(Itanium2Qualifiers, DataOfChecks) {
  Machine machine;
  const auto load = machine.put(Signal::retire, 3, insn({i64::Kind::check_load}));
  Access made = load_of(0x9000);
  made.request.owner = load;
  machine.put(Signal::access_retire, 3, made);
  machine.put(Signal::retire, 4, insn({i64::Kind::check_advanced}));
  const auto counts = [&](std::vector<ia64::DataRange> ranges) {
    return counted(machine, with("INST_CHKA_LDC_ALAT_ALL", [&](auto& q) { q.data = std::move(ranges); }));
  };
  EXPECT_EQ(counts({}), 2u);
  EXPECT_EQ(counts({{0x9000, 0x9001}}), 1u);
  EXPECT_EQ(counts({{0x8000, 0x9000}}), 0u);
}

TEST(Itanium2Qualifiers, ImpossibleOnes) {
  const Machine machine;
  const auto refused = [&](auto change) {
    EXPECT_THROW((void)counted(machine, with("CPU_CYCLES", change)), std::invalid_argument);
  };
  refused([](auto& q) { q.levels = 16; });
  refused([](auto& q) { q.code = {{0x4000, 0x4000}}; });
  refused([](auto& q) { q.code.assign(5, {0x4000, 0x4010}); });
  refused([](auto& q) {
    q.fine_mode = true;
    q.code.assign(3, {0x4000, 0x4010});
  });
  refused([](auto& q) { q.data = {{1, 0}}; });
  refused([](auto& q) { q.opcodes.resize(3); });
  Request edge = row("CPU_CYCLES");
  edge.edge = true;
  EXPECT_THROW((void)counted(machine, edge), std::invalid_argument);
}

}  // namespace
}  // namespace pmusim::oracle
