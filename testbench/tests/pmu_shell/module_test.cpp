// The module's behaviour on the bus and on its wires, to the picosecond. SystemC allows one simulation per process, so
// all tests share one: the platform is built and run once, and its results are checked afterwards.
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <set>
#include <string>
#include <vector>

#include "models/pmu/pmu_module.h"
#include "testbench/tests/pmu_shell/activity_builder.h"
#include "testbench/tests/pmu_shell/toy_monitor.h"

int sc_main(int, char*[]) { return 0; }  // required by the library; main() is GoogleTest's

namespace pmusim::testing {
namespace {

using pmu::RegisterId;
using pmu::Space;
using sc_core::sc_time;

constexpr RegisterId status{Space::msr, 16};
const sc_time period(5, sc_core::SC_NS);

/// A user's platform: activity comes in two blocks with a pause between them, and its bus master accesses registers at
/// times that are not aligned to cycles.
class Platform final : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Platform> socket;
  pmu::PmuModule pmu;
  sc_core::sc_signal<bool> line, pin0;
  std::vector<std::string> log;
  std::vector<pmu::PinEdge> pin_log;

  explicit Platform(const sc_core::sc_module_name& name)
      : sc_module(name),
        socket("socket"),
        pmu("pmu", std::make_unique<ToyMonitor>(2), {period, false, 0}),
        line("line"),
        pin0("pin0") {
    socket.bind(pmu.registers);
    pmu.interrupt(line);
    pmu.pins[0](pin0);  // pin 1 stays unbound
    pmu.on_interrupt([this](const pmu::EntryState& entry) {
      note("taken cycle " + std::to_string(entry.cycle) + " pc " + std::to_string(entry.pc) + " count " +
           std::to_string(read(count0)));
      write(count0, ToyMonitor::modulus - 50);
    });
    pmu.on_pin_edge([this](const pmu::PinEdge& edge) { pin_log.push_back(edge); });
    SC_HAS_PROCESS(Platform);
    SC_THREAD(feed);
    SC_THREAD(master);
    SC_METHOD(watch_line);
    sensitive << line;
    dont_initialize();
    SC_METHOD(watch_pin);
    sensitive << pin0;
    dont_initialize();
  }

  std::uint64_t read(RegisterId id) { return pmu::bus_read(*socket.operator->(), id).value; }
  pmu::BusResult write(RegisterId id, std::uint64_t value, unsigned cpl = 0) {
    return pmu::bus_write(*socket.operator->(), id, value, {cpl, false});
  }

 private:
  void note(const std::string& what) { log.push_back(sc_core::sc_time_stamp().to_string() + " " + what); }
  void watch_line() { note(line.read() ? "line up" : "line down"); }
  void watch_pin() { note(pin0.read() ? "pin up" : "pin down"); }
  void feed() {
    ActivityBuilder first(100), second(100, 100);
    first.retire(14, 56).retire(90, 360);
    second.retire(70, 400);
    pmu.activity->consume(first.block());
    try {
      pmu.activity->consume(second.block());
    } catch (const std::logic_error&) {
      note("early block refused");
    }
    wait(100 * period);
    wait(1, sc_core::SC_US);  // idle until 1500 ns
    try {
      pmu.activity->consume(ActivityBuilder(10, 120).block());
    } catch (const std::logic_error&) {
      note("gap refused");
    }
    pmu.activity->consume(second.block());
    wait(100 * period);
    pmu.activity->settle_block();
  }
  void master() {
    write(select0, 2 | ToyMonitor::interrupt);      // the clock, with interrupt
    write(count0, ToyMonitor::modulus - 10);        // request in cycle 9
    wait(period * 3 + sc_time(1, sc_core::SC_NS));  // within cycle 3: takes effect at its end
    note("count " + std::to_string(read(count0)));
    wait(sc_time(4, sc_core::SC_NS));  // 20 ns: between cycles 3 and 4
    note("count " + std::to_string(read(count0)));
    sc_time ahead = period * 2;  // an access that is 2 cycles ahead of time
    tlm::tlm_generic_payload payload;
    unsigned char data[8] = {};
    payload.set_command(tlm::TLM_READ_COMMAND);
    payload.set_address(count0.address());
    payload.set_data_ptr(data);
    payload.set_data_length(8);
    payload.set_streaming_width(8);
    socket->b_transport(payload, ahead);
    note("count " + std::to_string(data[0] | data[1] << 8));
  }
};

Platform& platform() {
  static auto* const built = [] {
    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    auto* p = new Platform("platform");
    sc_core::sc_start();
    return p;
  }();
  return *built;
}

// An access within a cycle acts at its end, one ahead of time waits for it. Request in cycle 9: the line rises when
// cycle 10 begins, at 50 ns, and the pin pulses for that cycle. The interrupt is taken after cycle 14, at 75 ns, when
// the counter has counted another 5 cycles. The handler's write counts from cycle 15 on: 50 cycles, request in cycle
// 64, the line rises at 325 ns, the interrupt is taken after cycle 90 at 455 ns. After its write cycle 140 requests;
// that cycle ends 41 cycles into the second block, which began at 1500 ns; it is taken after cycle 170.
TEST(PmuModule, LineRisesWithTheRequestAndFallsWithTheTaking) {
  const auto counted = [](const char* at, unsigned cycles) {
    return at + std::string(" ns count ") + std::to_string(ToyMonitor::modulus - 10 + cycles);
  };
  using Entries = std::multiset<std::string>;  // those of one time have no order
  EXPECT_EQ(Entries(platform().log.begin(), platform().log.end()), (Entries{"0 s early block refused",
                                                                            counted("16", 4),
                                                                            counted("20", 4),
                                                                            counted("30", 6),
                                                                            "50 ns line up",
                                                                            "50 ns pin up",
                                                                            "55 ns pin down",
                                                                            "75 ns taken cycle 15 pc 60 count 5",
                                                                            "75 ns line down",
                                                                            "325 ns line up",
                                                                            "325 ns pin up",
                                                                            "330 ns pin down",
                                                                            "455 ns taken cycle 91 pc 364 count 26",
                                                                            "455 ns line down",
                                                                            "1500 ns gap refused",
                                                                            "1705 ns line up",
                                                                            "1705 ns pin up",
                                                                            "1710 ns pin down",
                                                                            "1855 ns taken cycle 171 pc 404 count 30",
                                                                            "1855 ns line down"}));
}

TEST(PmuModule, AnswersEveryWrongAccessWithItsOwnResponse) {
  Platform& p = platform();
  auto& bus = *p.socket.operator->();
  EXPECT_EQ(pmu::bus_read(bus, {Space::spr, 0}).response, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  const pmu::BusResult unknown = pmu::bus_read(bus, {Space::msr, 99});
  EXPECT_EQ(unknown.response, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(unknown.fault, pmu::Fault::general_protection);
  const pmu::BusResult privilege = p.write(count0, 1, 3);
  EXPECT_EQ(privilege.response, tlm::TLM_GENERIC_ERROR_RESPONSE);
  EXPECT_EQ(privilege.fault, pmu::Fault::general_protection);

  unsigned char data[16] = {};
  const auto respond = [&](tlm::tlm_command command, unsigned length, unsigned width, bool byte_enables) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(status.address());
    payload.set_data_ptr(data);
    payload.set_data_length(length);
    payload.set_streaming_width(width);
    if (byte_enables) payload.set_byte_enable_ptr(data);
    sc_time delay = sc_core::SC_ZERO_TIME;
    bus.b_transport(payload, delay);
    return payload.get_response_status();
  };
  EXPECT_EQ(respond(tlm::TLM_READ_COMMAND, 8, 8, false), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(respond(tlm::TLM_READ_COMMAND, 7, 8, false), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(respond(tlm::TLM_READ_COMMAND, 9, 9, false), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(respond(tlm::TLM_READ_COMMAND, 8, 4, false), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(respond(tlm::TLM_READ_COMMAND, 8, 8, true), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  EXPECT_EQ(respond(tlm::TLM_IGNORE_COMMAND, 8, 8, false), tlm::TLM_COMMAND_ERROR_RESPONSE);
}

TEST(PmuModule, PinEdgesAreReportedInOrder) {
  const auto& edges = platform().pin_log;
  ASSERT_GE(edges.size(), 6u);
  EXPECT_EQ(edges[0], (pmu::PinEdge{10, 0, true}));
  EXPECT_EQ(edges[1], (pmu::PinEdge{11, 0, false}));
  EXPECT_EQ(edges[2], (pmu::PinEdge{65, 0, true}));
  EXPECT_EQ(edges[4], (pmu::PinEdge{141, 0, true}));
}

}  // namespace
}  // namespace pmusim::testing
