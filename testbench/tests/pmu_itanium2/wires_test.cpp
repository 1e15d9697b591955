// The literal examples repeated on the two SystemC modules: whole blocks, and cycle by cycle over wires. SystemC allows
// one simulation per process, so all examples share it.
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include "models/pmu/pmu_module.h"
#include "models/pmu/signal_module.h"
#include "testbench/tests/pmu_itanium2/bench.h"

int sc_main(int, char*[]) { return 0; }  // required by the library; main() is GoogleTest's

namespace pmusim::testing {
namespace {

using sc_core::sc_time;
const sc_time period(1, sc_core::SC_NS);
constexpr Cycle length = 64;

using Values = std::vector<std::pair<RegisterId, std::uint64_t>>;

/// Registers written before the run, the activity, and the expected registers.
struct Example {
  std::string name;
  Values writes;
  Activity activity{length};
  Values expected;
  std::vector<Cycle> interrupts;
};

class Rig final : public sc_core::sc_module {
 public:
  Rig(const sc_core::sc_module_name& name, pmu::PmuShell& shell, pmu::ActivityIf& input, const Example& example)
      : sc_module(name), socket_("socket"), line_("line"), input_(input), example_(example) {
    socket_.bind(shell.registers);
    shell.interrupt(line_);
    shell.on_interrupt([this](const pmu::EntryState& entry) { requested_.push_back(entry.requested); });
    SC_HAS_PROCESS(Rig);
    SC_THREAD(feed);
  }
  void start_of_simulation() override {
    for (const auto& [id, value] : example_.writes) pmu::bus_write(*socket_.operator->(), id, value);
  }
  void check() {
    for (const auto& [id, value] : example_.expected) {
      EXPECT_EQ(pmu::bus_read(*socket_.operator->(), id).value, value)
          << name() << ' ' << pmu::name_of(id.space) << id.number;
    }
    EXPECT_EQ(requested_, example_.interrupts) << name();
  }

 private:
  void feed() {
    input_.consume(example_.activity.block());
    wait(period * static_cast<double>(length));
    input_.settle_block();
  }
  tlm_utils::simple_initiator_socket<Rig> socket_;
  sc_core::sc_signal<bool> line_;
  pmu::ActivityIf& input_;
  const Example& example_;
  std::vector<Cycle> requested_;
};

/// Runs an example on both modules.
struct Bench {
  Bench(const Example& example, sc_core::sc_clock& clock)
      : wires((example.name + "_wires").c_str()),
        by_block((example.name + "_block").c_str(), make_itanium2(), {period, false, 0}),
        by_signal((example.name + "_signal").c_str(), make_itanium2(), {period, false, 0}),
        block_rig((example.name + "_block_rig").c_str(), by_block, by_block, example),
        signal_rig((example.name + "_signal_rig").c_str(), by_signal, wires, example) {
    wires.clock(clock);
    by_signal.bind(wires, clock);
  }
  pmu::ActivityWires wires;
  pmu::PmuModule by_block;
  pmu::SignalPmuModule by_signal;
  Rig block_rig;
  Rig signal_rig;
};

Example load_captured() {
  Example e{.name = "data_ear",
            .writes = {{pmc(4), event(data_ear) | any_level | enable}, {pmc(11), 0xf}, {pmc(0), 0}},
            .expected = {{pmd(2), 0x8018}, {pmd(3), 0x4014}, {pmd(17), 0x404d}, {pmd(4), 1}},
            .interrupts = {}};
  const std::uint32_t i = e.activity.instruction({.ip = 0x4050, .slot = 1});
  e.activity.syllable(i).window = 0x4040;
  e.activity.syllable(i).second_bundle = true;
  e.activity.load(0x8018, 3, 23, i);
  return e;
}

Example data_range_over_owner() {
  // PMC13: channel 0 with tag and range; the tag comes from the owner of the request.
  Example e{.name = "owner",
            .writes = {{pmc(4), event(0xcd) | any_level | enable},
                       {pmc(8), 0xFFFFFFFF3FFFFFFC},
                       {pmc(14), 0x490},
                       {ibr(0), 0x4000},
                       {ibr(1), 0x0fff'ffff'ffff'f000},
                       {dbr(0), 0x8000},
                       {dbr(1), 0x00ff'ffff'ffff'f000},
                       {pmc(13), at(45, 1)},
                       {pmc(0), 0}},
            .expected = {{pmd(4), 1}},
            .interrupts = {}};
  Cycle c = 0;
  for (const std::uint64_t ip : {0x4010, 0x5010}) {
    for (const std::uint64_t address : {0x8000, 0x9000}) {
      const std::uint32_t owner = e.activity.instruction({.ip = ip});
      e.activity.occur(Signal::access_retire, c++, 0, e.activity.request(address, owner));
    }
  }
  return e;
}

Example branches_and_freeze() {
  Example e{.name = "ring",
            .writes = {{pmc(4), event(branch_event) | any_level | oi | enable},
                       {pmd(4), wrap - 2},
                       {pmc(12), 0x3f0f},
                       {pmv, 0xee},
                       {pmc(0), 0}},
            .expected = {{pmd(8), 0x4009},
                         {pmd(9), 0x8002},
                         {pmd(10), 0x4109},
                         {pmd(11), 0x8102},
                         {pmd(16), 4},
                         {pmc(0), 0x11},
                         {pmd(4), 0}},
            .interrupts = {15}};
  for (Cycle i = 0; i < 5; ++i) {
    e.activity.retires(5 + 10 * i, {.ip = 0x4000 + 0x100 * i,
                                    .slot = 2,
                                    .type = ia64::SlotType::b,
                                    .kinds = bit(ia64::Kind::branch),
                                    .next_ip = 0x8000 + 0x100 * i,
                                    .taken = true});
  }
  return e;
}

Example thresholds_and_levels() {
  Example e{.name = "threshold",
            .writes = {{pmc(4), event(retired) | any_level | threshold(2) | enable},
                       {pmc(5), event(0x70) | any_level},
                       {pmc(6), event(cycles) | 0x8},
                       {pmc(0), 0}},
            .expected = {{pmd(4), 2}, {pmd(5), 2 * 5 + 10}, {pmd(6), 24}},
            .interrupts = {}};
  for (unsigned c = 0; c < 5; ++c) {
    for (unsigned i = 0; i < c; ++i) e.activity.retires(c);
  }
  e.activity.change(State::front_end, 10, front_end(ia64::FrontEnd::bubble, 2));
  e.activity.change(State::front_end, 15, front_end(ia64::FrontEnd::bubble, 1)).change(State::front_end, 25, 0);
  e.activity.change(State::cpl, 40, 3);
  return e;
}

TEST(Itanium2Modules, LiteralExamples) {
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  sc_core::sc_clock clock("clock", period);
  const std::vector<Example> examples{load_captured(), data_range_over_owner(), branches_and_freeze(),
                                      thresholds_and_levels()};
  std::vector<std::unique_ptr<Bench>> benches;
  benches.reserve(examples.size());
  for (const Example& example : examples) benches.push_back(std::make_unique<Bench>(example, clock));
  sc_core::sc_start(period * static_cast<double>(length + 2));
  for (const auto& bench : benches) {
    bench->block_rig.check();
    bench->signal_rig.check();
  }
}

}  // namespace
}  // namespace pmusim::testing
