// The module's behaviour in a platform that takes the interrupt itself: a line that stays high until it is answered,
// reset, transfers of 4 bytes, and a debugger without side effects. Both kinds of module run side by side in one
// simulation, because SystemC allows one per process.
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <memory>
#include <string>
#include <vector>

#include "models/pmu/pmu_module.h"
#include "models/pmu/register_window.h"
#include "models/pmu/signal_module.h"
#include "testbench/tests/pmu_shell/activity_builder.h"
#include "testbench/tests/pmu_shell/toy_monitor.h"

int sc_main(int, char*[]) { return 0; }  // required by the library; main() is GoogleTest's

namespace pmusim::testing {
namespace {

using pmu::RegisterId;
using pmu::Space;
using sc_core::sc_time;

constexpr RegisterId count1{Space::msr, 9};
const sc_time period(5, sc_core::SC_NS);

/// The toy PMU with wide counters: a counter's value is read in both halves, so that both can be checked; only the
/// lower half can be written.
class WideToy final : public ToyMonitor {
 public:
  WideToy() : infos_(ToyMonitor::registers().begin(), ToyMonitor::registers().end()) {
    for (pmu::RegisterInfo& info : infos_) {
      if (info.kind == pmu::RegisterKind::counter) info.width = 48;
    }
  }
  std::unique_ptr<Monitor> clone() const override { return std::make_unique<WideToy>(*this); }
  void assign(const Monitor& other) override { *this = dynamic_cast<const WideToy&>(other); }
  std::span<const pmu::RegisterInfo> registers() const override { return infos_; }
  pmu::AccessResult read(RegisterId id, const pmu::Accessor& who) override {
    pmu::AccessResult result = ToyMonitor::read(id, who);
    if (id == count0 || id == count1) result.value |= result.value << 32;
    return result;
  }

 private:
  std::vector<pmu::RegisterInfo> infos_;
};

constexpr std::uint64_t both(std::uint64_t half) { return half << 32 | half; }

/// One PMU with a platform's wires.
class Side final : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Side> bus;
  std::unique_ptr<pmu::PmuShell> pmu;
  pmu::RegisterWindow window;
  sc_core::sc_signal<bool> line, taken, reset;
  std::vector<std::string> log;

  Side(const sc_core::sc_module_name& name, std::unique_ptr<pmu::PmuShell> shell)
      : sc_module(name), bus("bus"), pmu(std::move(shell)), window("window", pmu->monitor()) {
    bus.bind(window.bus);
    window.pmu.bind(pmu->registers);
    pmu->interrupt(line);
    pmu->taken(taken);
    pmu->reset(reset);
    SC_HAS_PROCESS(Side);
    SC_METHOD(watch);
    sensitive << line;
    dont_initialize();
  }
  std::uint64_t offset(const char* name) const { return *window.offset_of(name); }
  tlm::tlm_response_status transfer(tlm::tlm_command command, std::uint64_t address, void* data, unsigned length,
                                    bool byte_enables = false, unsigned width = 64, unsigned cpl = 0) {
    tlm::tlm_generic_payload payload;
    pmu::PrivilegeExtension privilege;
    privilege.who.cpl = cpl;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(static_cast<unsigned char*>(data));
    payload.set_data_length(length);
    payload.set_streaming_width(width);
    if (byte_enables) payload.set_byte_enable_ptr(static_cast<unsigned char*>(data));
    payload.set_extension(&privilege);
    sc_time delay = sc_core::SC_ZERO_TIME;
    bus->b_transport(payload, delay);
    payload.clear_extension(&privilege);
    EXPECT_EQ(payload.get_address(), address);  // unchanged, for the initiator
    return payload.get_response_status();
  }
  std::uint64_t read(const char* name, unsigned bytes = 8, unsigned half = 0) {
    std::uint64_t value = 0;
    EXPECT_EQ(transfer(tlm::TLM_READ_COMMAND, offset(name) + 4 * half, &value, bytes), tlm::TLM_OK_RESPONSE) << name;
    return value;
  }
  void write(const char* name, std::uint64_t value, unsigned bytes = 8, unsigned half = 0) {
    EXPECT_EQ(transfer(tlm::TLM_WRITE_COMMAND, offset(name) + 4 * half, &value, bytes), tlm::TLM_OK_RESPONSE) << name;
  }
  unsigned debug(tlm::tlm_command command, const char* name, std::uint64_t& value, unsigned bytes = 8,
                 unsigned half = 0) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(offset(name) + 4 * half);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
    payload.set_data_length(bytes);
    payload.set_streaming_width(bytes);
    return bus->transport_dbg(payload);
  }
  void note(const std::string& what) { log.push_back(sc_core::sc_time_stamp().to_string() + " " + what); }

 private:
  void watch() { note(line.read() ? "up" : "down"); }
};

/// 400 cycles for both, with an instruction in every second one.
class Platform final : public sc_core::sc_module {
 public:
  sc_core::sc_clock clock;
  pmu::ActivityWires wires;
  std::vector<std::unique_ptr<Side>> sides;

  explicit Platform(const sc_core::sc_module_name& name) : sc_module(name), clock("clock", period), wires("wires") {
    wires.clock(clock);
    auto block = std::make_unique<pmu::PmuModule>("block_pmu", std::make_unique<WideToy>(),
                                                  pmu::ModuleOptions{period, false, 0});
    auto clocked = std::make_unique<pmu::SignalPmuModule>("clocked_pmu", std::make_unique<WideToy>(),
                                                          pmu::ModuleOptions{period, false, 0});
    clocked->bind(wires, clock);
    feed_ = {block.get(), &wires};
    sides.push_back(std::make_unique<Side>("block_side", std::move(block)));
    sides.push_back(std::make_unique<Side>("clocked_side", std::move(clocked)));
    SC_HAS_PROCESS(Platform);
    SC_THREAD(feed);
    SC_THREAD(drive);
  }

 private:
  void feed() {
    ActivityBuilder builder(400);
    for (unsigned at = 1; at < 400; at += 2) builder.retire(at, 0x1000 + 4 * at);
    const activity::Block block = builder.block();
    for (pmu::ActivityIf* one : feed_) one->consume(block);
    wait(400 * period);
    for (pmu::ActivityIf* one : feed_) one->settle_block();
    sc_core::sc_stop();
  }
  void at(unsigned cycle) { wait(cycle * period + sc_time(1, sc_core::SC_NS) - sc_core::sc_time_stamp()); }
  template <class Act>
  void each(Act&& act) {
    for (auto& side : sides) act(*side);
  }
  // All accesses come one nanosecond after a cycle begins, and so take effect at its end.
  void drive() {
    at(0);
    each([](Side& s) {
      s.write("Select0", 2 | ToyMonitor::interrupt, 4);  // the clock, from cycle 1 on
      s.write("Count0", ToyMonitor::modulus - 10);       // overflows in cycle 10
      s.write("Select1", 2, 4);
    });
    at(20);
    each([](Side& s) { EXPECT_EQ(s.read("Count0", 4, 0), 10u); });  // cycles 11 to 20
    at(22);
    each([](Side& s) { EXPECT_EQ(s.read("Count1", 4, 0), 22u); });
    at(25);
    each([](Side& s) {
      EXPECT_EQ(s.read("Count0", 4, 1), 10u);  // latched at the read of the lower half
      EXPECT_EQ(s.read("Count0", 4, 1), 15u);  // the current value
      EXPECT_EQ(s.read("Count1", 4, 1), 22u);
      s.write("Select1", 0, 4);
    });
    at(30);  // not taken: the line is still up, regardless of the interrupt's own conditions
    each([](Side& s) {
      EXPECT_TRUE(s.line.read());
      std::uint64_t value = 0;
      EXPECT_EQ(s.debug(tlm::TLM_READ_COMMAND, "Count0", value), 8u);
      EXPECT_EQ(value, both(20));  // cycles 11 to 30
      EXPECT_EQ(s.debug(tlm::TLM_READ_COMMAND, "Count0", value), 8u);
      EXPECT_EQ(value, both(20));
      s.write("Count0", ToyMonitor::modulus - 20);
      s.taken.write(true);
    });
    at(31);
    each([](Side& s) {
      EXPECT_FALSE(s.line.read());
      s.taken.write(false);
    });
    at(100);  // overflowed again in cycle 50: reset withdraws the request
    each([](Side& s) {
      EXPECT_TRUE(s.line.read());
      s.reset.write(true);
    });
    at(110);
    each([](Side& s) {
      EXPECT_EQ(s.read("Select0", 4), 0u);
      EXPECT_EQ(s.read("Count0"), 0u);
      s.write("Select0", 2);  // lost, because the module is in reset
      s.write("Count0", 77);
    });
    at(120);
    each([](Side& s) { s.reset.write(false); });
    at(130);
    each([](Side& s) {
      EXPECT_EQ(s.read("Select0", 4), 0u);
      EXPECT_EQ(s.read("Count0"), 0u);
      halves(s);
    });
    at(200);
    each([](Side& s) { responses(s); });
  }
  /// From cycle 130 on, with counting off.
  static void halves(Side& s) {
    s.write("Count0", 0x1234, 4, 0);  // held until the other half is written
    EXPECT_EQ(s.read("Count0"), 0u);
    s.write("Count0", 0, 4, 1);
    EXPECT_EQ(s.read("Count0"), both(0x1234));
    s.write("Count0", 0, 4, 1);  // the lower half keeps its value
    EXPECT_EQ(s.read("Count0"), both(0x1234));
    EXPECT_EQ(s.read("Count0", 4, 0), 0x1234u);
    EXPECT_EQ(s.read("Count0", 4, 1), 0x1234u);
    // Halves of two counters in turns.
    s.write("Count1", 0x11, 4, 0);
    s.write("Count0", 0x22, 4, 0);
    s.write("Count1", 0, 4, 1);
    EXPECT_EQ(s.read("Count1"), both(0x11));
    EXPECT_EQ(s.read("Count0"), both(0x1234));
    s.write("Count0", 0, 4, 1);
    EXPECT_EQ(s.read("Count0"), both(0x22));
    std::uint64_t value = 0x4321;
    EXPECT_EQ(s.debug(tlm::TLM_WRITE_COMMAND, "Count0", value, 4, 0), 4u);
    EXPECT_EQ(s.read("Count0"), both(0x4321));
    value = 0;
    EXPECT_EQ(s.debug(tlm::TLM_READ_COMMAND, "Count0", value, 4, 0), 4u);
    EXPECT_EQ(value, 0x4321u);
    EXPECT_EQ(s.debug(tlm::TLM_IGNORE_COMMAND, "Count0", value), 0u);
    EXPECT_EQ(s.debug(tlm::TLM_READ_COMMAND, "Count0", value, 2), 0u);
  }
  static void responses(Side& s) {
    std::uint64_t data[2] = {};
    const std::uint64_t counter = s.offset("Count0"), selector = s.offset("Select0");
    const auto reads = [&](std::uint64_t address, unsigned length, bool enables = false, unsigned width = 64) {
      return s.transfer(tlm::TLM_READ_COMMAND, address, data, length, enables, width);
    };
    EXPECT_EQ(reads(counter, 8, true), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    EXPECT_EQ(reads(counter, 4, true), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    for (const unsigned length : {1u, 2u, 3u, 5u, 7u, 16u}) {
      EXPECT_EQ(reads(counter, length), tlm::TLM_BURST_ERROR_RESPONSE) << length;
    }
    EXPECT_EQ(reads(counter, 8, false, 4), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(reads(counter, 4, false, 2), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(reads(counter + 4, 8), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(reads(counter + 2, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(reads(selector + 4, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);  // the register has at most 32 bits
    EXPECT_EQ(reads(s.window.size(), 8), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(reads(s.window.size(), 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(s.transfer(tlm::TLM_IGNORE_COMMAND, counter, data, 8), tlm::TLM_COMMAND_ERROR_RESPONSE);
    for (const unsigned length : {4u, 8u}) {  // a write without the right to it fails through the window, too
      EXPECT_EQ(s.transfer(tlm::TLM_WRITE_COMMAND, selector, data, length, false, 64, 3),
                tlm::TLM_GENERIC_ERROR_RESPONSE);
    }
    const auto own = [&](RegisterId id, unsigned length) {  // at the PMU's own socket
      tlm::tlm_generic_payload payload;
      payload.set_read();
      payload.set_address(id.address());
      payload.set_data_ptr(reinterpret_cast<unsigned char*>(data));
      payload.set_data_length(length);
      payload.set_streaming_width(length);
      sc_time delay = sc_core::SC_ZERO_TIME;
      s.window.pmu->b_transport(payload, delay);
      return payload.get_response_status();
    };
    EXPECT_EQ(own(select0, 4), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(own(count0, 4), tlm::TLM_BURST_ERROR_RESPONSE);  // not a whole register
    EXPECT_EQ(own(count0, 8), tlm::TLM_OK_RESPONSE);
    EXPECT_FALSE(s.window.offset_of("absent"));
    EXPECT_EQ(s.offset("COUNT0"), counter);
  }
  std::vector<pmu::ActivityIf*> feed_;
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

// A cycle is 5 ns. Requested in cycle 10: the line rises when cycle 11 begins. Taken one nanosecond into cycle 30;
// accesses at the end of that cycle leave 20 cycles to count from cycle 31 on: the line rises when cycle 51 begins.
// Reset comes at 501 ns.
TEST(PmuOutside, LineStaysUpUntilThePlatformAnswers) {
  for (const auto& side : platform().sides) {
    EXPECT_EQ(side->log, (std::vector<std::string>{"55 ns up", "151 ns down", "255 ns up", "501 ns down"}))
        << side->name();
  }
}

}  // namespace
}  // namespace pmusim::testing
