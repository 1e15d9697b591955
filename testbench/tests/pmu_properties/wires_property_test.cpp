// The two modules must agree on their wires. Every random scenario runs three times: on the block module, on the
// signal-level module, and on the plain monitor cycle by cycle. Registers, interrupt cycles, levels of line and pins at
// every time, and the results of the program's own accesses must be the same. SystemC allows one simulation per
// process, so all cases of all monitors share it.
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <numeric>
#include <sstream>

#include "models/pmu/pmu_module.h"
#include "models/pmu/signal_module.h"
#include "testbench/tests/cases.h"
#include "testbench/tests/pmu_properties/scenario.h"

int sc_main(int, char*[]) { return 0; }  // required by the library; main() is GoogleTest's

namespace pmusim::testing {
namespace {

using sc_core::sc_time;

const sc_time period(10, sc_core::SC_NS);
const unsigned cases_per_subject = cases(60);

sc_time time_of(std::uint64_t cycle) { return sc_time::from_value(cycle * period.value()); }

/// A PMU module with its drivers and observers.
class Rig final : public sc_core::sc_module {
 public:
  Rig(const sc_core::sc_module_name& name, pmu::PmuShell& shell, pmu::ActivityIf& input, const Subject& subject,
      const Scenario& scenario, const std::vector<std::uint32_t>& cuts)
      : sc_module(name),
        socket_("socket"),
        line_("line"),
        pins_("pins", shell.pins.size()),
        shell_(shell),
        input_(input),
        scenario_(scenario),
        shape_(subject.shape),
        values_(handler_values(scenario, shell.monitor(), subject.shape)),
        blocks_(make_blocks(scenario, shell.monitor(), subject.shape, cuts)) {
    socket_.bind(shell.registers);
    shell.interrupt(line_);
    for (std::size_t i = 0; i < pins_.size(); ++i) shell.pins[i](pins_[i]);
    shell.on_interrupt([this](const pmu::EntryState& entry) {
      outcome_.takings.emplace_back(entry.cycle, entry.pc);
      program_all();
    });
    shell.on_access([this](const pmu::AccessReport& report) { outcome_.reports.push_back(report); });
    SC_HAS_PROCESS(Rig);
    SC_THREAD(feed);
    SC_THREAD(access);
    SC_METHOD(watch);
    sensitive << line_;
    for (auto& pin : pins_) sensitive << pin;
    dont_initialize();
  }
  void start_of_simulation() override { program_all(); }

  Outcome finish() {
    for (const pmu::RegisterInfo& info : shell_.monitor().registers()) {
      outcome_.registers.push_back(pmu::bus_read(*socket_.operator->(), info.id).value);
    }
    normalise(outcome_.edges);
    return outcome_;
  }

 private:
  void program_all() {
    const auto infos = shell_.monitor().registers();
    for (std::size_t i = 0; i < infos.size(); ++i) {
      if (infos[i].writable) pmu::bus_write(*socket_.operator->(), infos[i].id, values_[i]);
    }
  }
  void feed() {
    for (const Block& block : blocks_) {
      input_.consume(block);
      wait(time_of(block.end - block.begin));
    }
    input_.settle_block();
  }
  // Every second write comes half a cycle early; it also takes effect at the end of its cycle.
  void access() {
    bool early = false;
    for (const RawAccess& raw : scenario_.bus) {
      early = !early;
      const sc_time boundary = time_of(raw.at);
      const sc_time when = early && raw.at > 0 ? boundary - period / 2 : boundary;
      if (when > sc_core::sc_time_stamp()) wait(when - sc_core::sc_time_stamp());
      const auto infos = shell_.monitor().registers();
      const pmu::RegisterInfo& info = infos[raw.reg % infos.size()];
      pmu::bus_write(*socket_.operator->(), info.id, shape_(info, raw.value));
    }
  }
  void watch() {
    const Cycle at = (sc_core::sc_time_stamp().value() + period.value() - 1) / period.value();
    if (line_.posedge()) ++outcome_.requests;
    outcome_.edges.push_back({0, at, line_.read()});
    for (unsigned i = 0; i < pins_.size(); ++i) outcome_.edges.push_back({1 + i, at, pins_[i].read()});
  }

  tlm_utils::simple_initiator_socket<Rig> socket_;
  sc_core::sc_signal<bool> line_;
  sc_core::sc_vector<sc_core::sc_signal<bool>> pins_;
  pmu::PmuShell& shell_;
  pmu::ActivityIf& input_;
  const Scenario& scenario_;
  ValueShaper shape_;
  std::vector<std::uint64_t> values_;
  std::vector<Block> blocks_;
  Outcome outcome_;
};

/// One scenario on both modules.
struct Case {
  Case(const Subject& s, unsigned n, sc_core::sc_clock& clock)
      : subject(s),
        number(n),
        scenario(scenarios()(rc::Random(n), static_cast<int>(20 + n % 80)).value()),
        name(s.name + std::to_string(n)),
        wires((name + "_wires").c_str()),
        by_block((name + "_block").c_str(), s.make(seed()), {period, false, 0}),
        by_signal((name + "_signal").c_str(), s.make(seed()), {period, false, 0}),
        block_rig((name + "_block_rig").c_str(), by_block, by_block, s, scenario, scenario.cuts),
        signal_rig((name + "_signal_rig").c_str(), by_signal, wires, s, scenario, {scenario.cycles / 2}) {
    wires.clock(clock);
    by_signal.bind(wires, clock);
  }
  [[nodiscard]] std::uint64_t seed() const { return number; }

  const Subject& subject;
  unsigned number;
  Scenario scenario;
  std::string name;
  pmu::ActivityWires wires;
  pmu::PmuModule by_block;
  pmu::SignalPmuModule by_signal;
  Rig block_rig;
  Rig signal_rig;
};

std::string text(const Outcome& outcome) {
  std::ostringstream out;
  out << outcome;
  return out.str();
}

TEST(Wires, BlockModeAndSignalModeAgree) {
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  sc_core::sc_clock clock("clock", period);
  std::vector<std::unique_ptr<Case>> cases;
  std::uint32_t longest = 0;
  for (const Subject& subject : subjects()) {
    for (unsigned n = first_case(); n < first_case() + cases_per_subject; ++n) {
      cases.push_back(std::make_unique<Case>(subject, n, clock));
      longest = std::max(longest, cases.back()->scenario.cycles);
    }
  }
  sc_core::sc_start(time_of(longest + 2));

  std::size_t line_edges = 0, pin_edges = 0, takings = 0, reports = 0, requests = 0;
  for (auto& c : cases) {
    const Outcome block = c->block_rig.finish();
    const Outcome signal = c->signal_rig.finish();
    std::vector<std::uint32_t> every(c->scenario.cycles);
    std::iota(every.begin(), every.end(), 0u);
    const Outcome pure = run_pure(c->subject, c->seed(), c->scenario, every);
    EXPECT_EQ(text(block), text(signal)) << c->name << ": " << c->scenario;
    EXPECT_EQ(text(block), text(pure)) << c->name << ": " << c->scenario;
    for (const WireEdge& edge : block.edges) ++(edge.wire == 0 ? line_edges : pin_edges);
    takings += block.takings.size();
    requests += block.requests;
    reports += block.reports.size();
  }
  // The comparison needs edges to be meaningful. Other cases than the usual ones may have half as many.
  EXPECT_GT(line_edges, 40u);
  EXPECT_GT(pin_edges, 100u);
  EXPECT_GT(takings, 20u);
  EXPECT_GE(requests, takings) << "an interrupt without an edge on the line";
  EXPECT_GT(reports, 100u);
  RecordProperty("line_edges", static_cast<int>(line_edges));
  RecordProperty("pin_edges", static_cast<int>(pin_edges));
  RecordProperty("takings", static_cast<int>(takings));
  while (!cases.empty()) cases.pop_back();  // SystemC searches its lists of ports from the end
}

}  // namespace
}  // namespace pmusim::testing
