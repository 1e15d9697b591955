// The split L2, L3 with its states, and the queues of the system interface.
#include <fmt/format.h>

#include "bench.h"

namespace pmusim::testbench::montecito {
namespace {

namespace d = activity::detail;
namespace dd = act::detail;
using activity::LineState;
const std::string fp_load = bundle(stop(mmi), ldfd | r1(10) | r3(9), nop, nop);
std::string at(char kind, std::uint64_t address, const std::string& more = "") {
  return fmt::format("{}0 {:x} 8 dtlb=hit{}", kind, address, more);
}
std::vector<unsigned> states_of(const Record& r, Signal signal) {
  std::vector<unsigned> result;
  for (const Ia64Occurrence& h : r.of(signal)) result.push_back(h.detail);
  return result;
}
constexpr unsigned code(LineState state) { return static_cast<unsigned>(state); }

TEST(Latency, OfTheLevels) {
  const auto cycles = [](const std::string& level) {
    const Record r = run_alone(Script().add(one_load, at('L', data, " data=" + level)).repeat(20, nops));
    const Ia64Occurrence& h = r.of(Signal::load_return).at(0);
    return h.request.end - h.request.start;
  };
  EXPECT_EQ(cycles("l2"), 5u);
  EXPECT_EQ(cycles("l3"), 14u);
}

TEST(SplitL2, CodeDoesNotEnterL2D) {
  Script s(false);
  s.repeat(8, nops);
  // Two lines of L1I are one line of L2I.
  const Record r = run_alone(s);
  EXPECT_EQ(r.count(Signal::l2i_lookup, d::lookup_miss), 1u);
  EXPECT_EQ(r.count(Signal::l2i_lookup, d::lookup_hit), 1u);
  EXPECT_EQ(r.count(Signal::l2i_retry), 0u);
  // A prefetch requests the second one while the first is on its way.
  const Record ahead = run_alone(s, bare({{"core.instruction_prefetch", 1}}));
  EXPECT_EQ(ahead.count(Signal::l2i_retry, dd::retry_recirculated | d::access_prefetch | d::lookup_miss), 1u);
  // Only the page walker accesses L2D.
  for (const Ia64Occurrence& h : r.of(Signal::l2_reference)) EXPECT_EQ(h.half.requester, act::Requester::page_walker);
  EXPECT_EQ(r.count(Signal::fetch_cancel), 0u);
}

TEST(SplitL2, UncacheableCodeComesFromTheBus) {
  Script s(false);
  s.say(fmt::format("memory addr={:x} size=4096 type=uc", Script::start)).repeat(2, nops);
  const Record r = run_alone(s);
  ASSERT_GE(r.count(Signal::l2i_lookup), 1u);
  EXPECT_TRUE(r.of(Signal::l2i_lookup)[0].half.uncacheable);
  EXPECT_EQ(r.count(Signal::line_fill, 0, d::side_data), 0u);
  bool partial = false;
  for (const Ia64Occurrence& h : r.of(Signal::bus_transaction))
    partial = partial || (h.detail & dd::bus_kind_mask) == static_cast<unsigned>(act::BusKind::read_partial);
  EXPECT_TRUE(partial);
}

TEST(SplitL2, ALineThatIsAboutToComeIsAHit) {
  // The branch prefetches the line after its target; both are in one line of L2I. The target is fetched N cycles later.
  std::uint64_t hits = 0, misses = 0;
  for (unsigned wait = 100; wait < 260; ++wait) {
    Script s(false);
    constexpr std::uint64_t target = 0x4000000000020000;
    s.go(bundle(stop(mib), nop, nop, br_sptk(0x10000) | many), 2, target).say(fmt::format("idle cycles={}", wait));
    s.add(nops, "itlb=hit");
    const Record r = run_alone(s, bare({{"core.instruction_prefetch", 1}, {"core.stream_lines", 1}}));
    for (const Ia64Occurrence& h : r.of(Signal::l2i_retry, dd::retry_recirculated, d::access_prefetch)) {
      hits += (h.detail & d::lookup_hit) != 0 ? 1 : 0;
      misses += (h.detail & d::lookup_miss) != 0 ? 1 : 0;
    }
  }
  EXPECT_EQ(hits, 3u) << "three cycles before it is there";
  EXPECT_GT(misses, 10u);
}

TEST(L2D, FillsTellTheirState) {
  Script s;
  s.say(fmt::format("state addr={:x} line=S", data + 256));
  s.add(fp_load, at('L', data)).repeat(400, nops).add(one_store, at('S', data + 128)).repeat(400, nops);
  s.add(fp_load, at('L', data + 256)).repeat(400, nops);
  // Two more lines are snooped on their way: one by a read, one by an invalidation.
  s.add(fp_load, at('L', data + 384))
      .repeat(20, nops)
      .say(fmt::format("snoop kind=read addr={:x}", data + 384))
      .repeat(400, nops);
  s.add(fp_load, at('L', data + 512))
      .repeat(20, nops)
      .say(fmt::format("snoop kind=invalidate addr={:x}", data + 512))
      .repeat(400, nops);
  const Record r = run_alone(s);
  EXPECT_EQ(states_of(r, Signal::l2_fill),
            (std::vector<unsigned>{code(LineState::exclusive), code(LineState::modified), code(LineState::shared),
                                   code(LineState::shared) | dd::l2_fill_pending, code(LineState::invalid)}));
  EXPECT_EQ(states_of(r, Signal::l3_insert)[2], code(LineState::shared));
}

TEST(L3, RequestsMeetSnoops) {
  // A set of L2D of two ways holds two lines; a third is requested while a snoop occupies the tags.
  const auto cancelled = [](std::uint64_t snooped, act::L3Cancel why) {
    Script s;
    for (unsigned i = 0; i < 2; ++i) s.add(fp_load, at('L', data + i * 65536)).repeat(400, nops);
    // At rest, so that the load reaches L2D three cycles after the snoop.
    s.say("psr up=1").say(fmt::format("snoop kind=read addr={:x}", data + snooped * 65536));
    s.add(fp_load, at('L', data + 2 * 65536)).repeat(400, nops);
    const Record r = run_alone(s, bare({{"core.l2_bytes", 1024}, {"core.l2_ways", 2}}));
    return r.exactly(Signal::l3_cancel, static_cast<std::uint16_t>(why) | act::l3_cancel_by_data);
  };
  EXPECT_EQ(cancelled(0, act::L3Cancel::snoop_of_victim), 1u);
  EXPECT_EQ(cancelled(1, act::L3Cancel::snoop_of_victim), 0u) << "the line that stays";
  EXPECT_EQ(cancelled(2, act::L3Cancel::snoop_of_request), 1u);
  EXPECT_EQ(cancelled(3, act::L3Cancel::snoop_of_request), 0u) << "another line";
}

// A set of L2D of two ways; all data is in L3. The third line replaces a stored one, which is read out in the six
// cycles from the arrival of the third line on. Of requests to L3 that are one cycle apart, six meet it.
TEST(L3, RequestsMeetAWriteBack) {
  const auto from_l3 = [](char kind, std::uint64_t address) { return at(kind, address, " data=l3"); };
  std::uint64_t met = 0;
  for (unsigned wait = 0; wait < 40; ++wait) {
    Script s;
    s.add(one_store, from_l3('S', data)).repeat(60, nops).add(fp_load, from_l3('L', data + 65536)).repeat(60, nops);
    s.add(fp_load, from_l3('L', data + 2 * 65536)).repeat(wait, nops);
    // The request under test, of another set; its register is not that of the third line.
    s.add(bundle(stop(mmi), ldfd | r1(11) | r3(9), nop, nop), from_l3('L', data + 128)).repeat(60, nops);
    const Record r = run_alone(s, bare({{"core.l2_bytes", 1024}, {"core.l2_ways", 2}}));
    met += r.exactly(Signal::l3_cancel, static_cast<std::uint16_t>(act::L3Cancel::write_back) | act::l3_cancel_by_data);
  }
  EXPECT_EQ(met, 6u);
}

TEST(Deferral, ByWhatTheTraceSays) {
  const std::string load = bundle(stop(mmi), ld8_s | r1(10) | r3(9), nop, nop);
  const auto why = [&](const std::string& keys, const std::string& directive) {
    Script s;
    if (!directive.empty()) s.say(directive);
    return run_alone(s.add(load, keys)).of(Signal::retire)[0].syllable.deferral;
  };
  const std::string tried = fmt::format("defer=0:{:x}", data);
  EXPECT_EQ(why("", ""), act::Deferral::nat_consumption);
  EXPECT_EQ(why(tried, ""), act::Deferral::walker_miss);
  EXPECT_EQ(why(tried, "dcr dm=1"), act::Deferral::tlb_miss);
  EXPECT_EQ(why(tried + " dtlb=fault", ""), act::Deferral::tlb_fault);
  EXPECT_EQ(why(tried, "psr ed=1"), act::Deferral::psr_ed);
}

TEST(Interface, TheCoresOwnRequests) {
  Script s;
  s.add(fp_load, at('L', data)).repeat(400, nops);
  s.add(bundle(stop(mmi), fc | r3(9), nop, nop), fmt::format("L0 {:x} 64 dtlb=hit", data)).repeat(200, nops);
  s.add(one_store, at('S', data)).repeat(400, nops);
  s.say(fmt::format("snoop kind=invalidate addr={:x}", data)).repeat(200, nops);
  const Record r = run_alone(s);
  const auto inserted = [&](act::InterfaceQueue queue) {
    std::uint64_t count = 0;
    for (const Ia64Occurrence& h : r.of(Signal::interface_insert))
      count += (h.detail & act::interface_queue_mask) == static_cast<unsigned>(queue) ? 1 : 0;
    return count;
  };
  EXPECT_EQ(inserted(act::InterfaceQueue::request), 2u) << "a load and a store miss";
  EXPECT_EQ(inserted(act::InterfaceQueue::clean_castout), 1u);
  EXPECT_EQ(inserted(act::InterfaceQueue::write), 1u) << "the implicit write-back";
  EXPECT_EQ(inserted(act::InterfaceQueue::snoop_coalescing), 1u);
  EXPECT_EQ(r.count(Signal::interface_signoff), 1u);
  EXPECT_EQ(r.of(Signal::interface_signoff)[0].detail >> act::interface_kind_shift,
            static_cast<int>(act::InterfaceSnoop::hit_modified));
  EXPECT_GT(r.cycles_in(State::interface_self, 1, 0xff), 100u)
      << "a read is in the request queue until its data is there";
}

TEST(Interface, TheOtherCoresByDirective) {
  Script s;
  s.add(nops).say("interface kind=insert queue=request cycles=30").say("interface kind=ecc entry=double core=self");
  s.say("interface kind=collision queue=castout").say("interface kind=signoff entry=hit").repeat(100, nops);
  const Record r = run_alone(s);
  EXPECT_EQ(r.cycles_in(State::interface_both, 1, 0xff), 30u);
  EXPECT_EQ(r.cycles_in(State::interface_self, 1, 0xff), 0u);
  EXPECT_EQ(r.of(Signal::interface_insert).at(0).detail, act::interface_other_core);
  EXPECT_EQ(r.of(Signal::interface_ecc).at(0).detail, act::interface_double_error);
  EXPECT_EQ(r.count(Signal::interface_collision), 1u);
  EXPECT_EQ(r.count(Signal::interface_signoff), 1u);
}

TEST(Bus, TellsWhoseDataItIs) {
  for (const auto& [name, agent] : std::vector<std::pair<std::string, act::BusAgent>>{
           {"any", act::BusAgent::other_processor}, {"io", act::BusAgent::io}, {"core", act::BusAgent::other_core}}) {
    const Record r = run_alone(Script().add(nops).say("bus kind=read_line addr=1000 agent=" + name).repeat(100, nops));
    const std::uint64_t value = act::bus_clocks::data | static_cast<std::uint64_t>(agent)
                                                            << act::bus_clocks::data_agent_shift;
    const std::uint64_t mask = act::bus_clocks::data | std::uint64_t{3} << act::bus_clocks::data_agent_shift;
    EXPECT_EQ(r.cycles_in(State::bus_clocks, value, mask), 4u) << "a line takes four bus clocks";
    EXPECT_EQ(r.cycles_in(State::bus_clocks, act::bus_clocks::back_to_back, act::bus_clocks::back_to_back), 3u);
  }
}

TEST(Bus, AFullRequestQueueRejects) {
  // Two requests at a time; each occupies the address bus for two clocks.
  Script s;
  for (unsigned i = 0; i < 6; ++i)
    s.add(bundle(stop(mmi), ldfd | r1(10 + i) | r3(9), nop, nop), at('L', data + i * 4096));
  const Record r = run_alone(s.repeat(400, nops), bare({{"core.request_queue", 2}}));
  EXPECT_GT(
      r.exactly(Signal::l3_cancel, static_cast<std::uint16_t>(act::L3Cancel::bus_queue_full) | act::l3_cancel_by_data),
      0u);
  constexpr std::uint64_t both = act::request_reject::instruction | act::request_reject::data;
  EXPECT_GT(r.cycles_in(State::request_reject, both, both), 0u);
}

TEST(SystemInterface, AnOperandThatItsKindDoesNotTakeIsAnError) {
  EXPECT_NO_THROW(run_alone(Script().say("interface kind=ecc entry=single").add(nops)));
  EXPECT_ANY_THROW(run_alone(Script().say("interface kind=ecc entry=single queue=write").add(nops)));
}

}  // namespace
}  // namespace pmusim::testbench::montecito
