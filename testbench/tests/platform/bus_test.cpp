// Responses to wrong transfers of a bus master of the platform, and the view of a debugger: on a platform whose program
// accesses the PMU's registers at user level, and fails.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "models/pmu/tlm_registers.h"
#include "testbench/platform/platform.h"

int sc_main(int, char*[]) { return 0; }  // required by the library; main() is GoogleTest's

namespace {

using platform::Platform;

Platform& board() {
  static auto* const built = [] {
    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    platform::Options options;
    options.target = "itanium2";
    options.events = {"IA64_INST_RETIRED"};
    options.cycle_accurate = true;  // so that the code changes before the program reaches it
    auto* p = new Platform("board", options);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    // program: ldq $1; ldah $2, 1($31); stq $2, 0($2)
    std::array<std::uint32_t, 2> code{0x245f0001, 0xb4420000};
    EXPECT_EQ(p->poke(0x404, reinterpret_cast<unsigned char*>(code.data()), 8), 8u);
    p->stops_at_halt = false;  // to allow a reset afterwards
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_US));
    EXPECT_TRUE(p->halted.read());
    return p;
  }();
  return *built;
}

struct Transfer {
  tlm::tlm_command command = tlm::TLM_READ_COMMAND;
  std::uint64_t address = 0;
  unsigned length = 8;
  bool byte_enables = false;
  unsigned width = 8;
  unsigned cpl = 0;
};

tlm::tlm_response_status response(const Transfer& wanted) {
  std::array<unsigned char, 64> data{};
  pmusim::pmu::PrivilegeExtension privilege;
  privilege.who.cpl = wanted.cpl;
  tlm::tlm_generic_payload payload;
  payload.set_command(wanted.command);
  payload.set_address(wanted.address);
  payload.set_data_ptr(data.data());
  payload.set_data_length(wanted.length);
  payload.set_streaming_width(wanted.width);
  if (wanted.byte_enables) payload.set_byte_enable_ptr(data.data());
  payload.set_extension(&privilege);
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  board().debugger->b_transport(payload, delay);
  payload.clear_extension(&privilege);
  return payload.get_response_status();
}

constexpr auto read = tlm::TLM_READ_COMMAND, write = tlm::TLM_WRITE_COMMAND, ignore = tlm::TLM_IGNORE_COMMAND;
constexpr std::uint64_t pmu = Platform::pmu_base, controller = Platform::controller_base;

TEST(PlatformBus, AProgramAtUserLevelIsRefusedByTheCoresBus) {
  EXPECT_EQ(board().failure(), "TLM_GENERIC_ERROR_RESPONSE at address 0x10000, instruction at 0x408");
}

TEST(PlatformBus, WhereNothingIsAnAddressError) {
  EXPECT_EQ(response({read, 0x8000}), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(response({read, 0x7ffc}), tlm::TLM_ADDRESS_ERROR_RESPONSE);  // half of it is memory
  EXPECT_EQ(response({read, 0x7ff8}), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(response({read, pmu + board().window->size()}), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(response({read, controller + 0xc, 4}), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(response({read, ~std::uint64_t{0} - 3}), tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

TEST(PlatformBus, TheControllerTakesFourBytesAndKeepsItsStatus) {
  EXPECT_EQ(response({read, controller, 4}), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(response({write, controller, 4}), tlm::TLM_COMMAND_ERROR_RESPONSE);
  EXPECT_EQ(response({ignore, controller, 4}), tlm::TLM_COMMAND_ERROR_RESPONSE);
  EXPECT_EQ(response({read, controller, 8}), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(response({read, controller, 4, true}), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
}

TEST(PlatformBus, MemoryTakesNoByteEnables) {
  EXPECT_EQ(response({read, 0x100, 8, true}), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  EXPECT_EQ(response({read, 0x100, 8, false, 4}), tlm::TLM_BURST_ERROR_RESPONSE);
}

// The driver enabled line 0 and wrote PMC4. A debugger sees both, and its reads have no side effects.
TEST(PlatformBus, ADebuggerSeesRegisters) {
  std::uint32_t enabled = 0;
  EXPECT_EQ(board().peek(controller + 4, reinterpret_cast<unsigned char*>(&enabled), 4), 4u);
  EXPECT_EQ(enabled, 1u);
  std::uint64_t selector = 0, written = 0;
  for (const auto& one : board().programming().start) {
    if (one.name == "PMC4") written = one.value;
  }
  const std::uint64_t address = pmu + *board().window->offset_of("PMC4");
  EXPECT_EQ(board().peek(address, reinterpret_cast<unsigned char*>(&selector), 8), 8u);
  EXPECT_EQ(selector, written);
  EXPECT_NE(selector, 0u);
  EXPECT_EQ(board().quad(pmu + *board().window->offset_of("PMD4")),
            board().quad(pmu + *board().window->offset_of("PMD4")));
  std::uint64_t none = 0;  // there is no device
  EXPECT_EQ(board().peek(0x9000, reinterpret_cast<unsigned char*>(&none), 8), 0u);
}

// This test must be the last: it changes the state of the platform.
TEST(PlatformBus, ResetReachesEveryDevice) {
  const std::uint64_t selector = pmu + *board().window->offset_of("PMC4");
  const std::uint64_t before = board().quad(selector);
  board().reset.write(true);
  sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_NS));
  std::uint32_t enabled = 1;
  EXPECT_EQ(board().peek(controller + 4, reinterpret_cast<unsigned char*>(&enabled), 4), 4u);
  EXPECT_EQ(enabled, 0u);
  EXPECT_NE(board().quad(selector), before);
  const auto fresh =
      pmusim::models::find_target("itanium2")->make_monitor(pmusim::models::find_target("itanium2")->parameters());
  EXPECT_EQ(board().quad(selector), fresh->read(pmusim::pmu::find_register(*fresh, "PMC4")->id, {}).value);
  board().reset.write(false);
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_US));
  EXPECT_EQ(board().quad(selector), before);  // the driver has run again
}

}  // namespace
