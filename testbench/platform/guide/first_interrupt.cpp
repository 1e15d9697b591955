// From nothing to the first interrupt: docs/platform.md goes through it.
// [include]
#include <models/pmu/pmu_module.h>
#include <models/pmu/tlm_registers.h>
#include <models/targets.h>
#include <pmusim/encoder/encoder.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <iostream>
#include <string>
// [/include]
#include <stdexcept>

namespace {

// [board]
namespace pmu = pmusim::pmu;
namespace activity = pmusim::activity;

const pmusim::models::Target& target = *pmusim::models::find_target("athlon");
const sc_core::sc_time cycle(1, sc_core::SC_NS);

class Board : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Board> master;
  pmu::PmuModule pmu;
  sc_core::sc_signal<bool> line, taken;

  explicit Board(const sc_core::sc_module_name& name)
      : sc_module(name), master("master"), pmu("pmu", target.make_monitor(target.parameters()), {cycle}) {
    master.bind(pmu.registers);
    pmu.interrupt(line);
    pmu.taken(taken);  // because it is bound, this platform takes the interrupts
    SC_HAS_PROCESS(Board);
    SC_THREAD(core);
    SC_THREAD(driver);
  }
  // [/board]

 private:
  // [program]
  void write(const std::string& name, std::uint64_t value) {
    const auto reg = pmu::find_register(pmu.monitor(), name);
    const pmu::BusResult result = pmu::bus_write(*master.operator->(), reg->id, value);
    if (!result.ok()) throw std::runtime_error(name + " cannot be written");
  }

  void program() {
    const std::string event = "RETIRED_INSTRUCTIONS";
    const auto encoding = pmusim::encoder::encode("athlon", {&event, 1}, {.sampling = true});
    if (!encoding) throw std::runtime_error(encoding.error().message);
    for (const auto& reg : encoding->off) write(reg.name, reg.value);
    write(encoding->events[0].counter, *pmusim::encoder::preset("athlon", 0, 50));  // overflows at the 50th
    write("LVTPC", 0x400);  // what lets an Athlon's request out: an NMI
    for (const auto& reg : encoding->registers) write(reg.name, reg.value);
  }
  // [/program]

  // [activity]
  /// 100 cycles, in each of which an instruction retires.
  void core() {
    activity::Block block;
    for (activity::Cycle begin = 0; begin < 300; begin += 100) {
      block.restart(begin);
      block.end = begin + 100;
      block.states[static_cast<std::size_t>(activity::State::clock)].initial = 1;
      auto& retired = block.columns[static_cast<std::size_t>(activity::Signal::retire)];
      for (std::uint32_t at = 0; at < 100; ++at) retired.push_back({at, activity::no_ref, 1, 0});
      pmu.activity->consume(block);
      wait(100 * cycle);
      pmu.activity->settle_block();
    }
  }
  // [/activity]

  // [interrupt]
  void driver() {
    program();
    for (;;) {
      wait(line.posedge_event());
      const auto counter = pmu::find_register(pmu.monitor(), "PerfCtr0")->id;
      std::cout << sc_core::sc_time_stamp() << ": the line is up, the counter has "
                << pmu::bus_read(*master.operator->(), counter).value << '\n';
      write("PerfCtr0", *pmusim::encoder::preset("athlon", 0, 50));
      taken.write(true);  // the processor has accepted it: the line falls
      wait(cycle / 2);
      taken.write(false);
    }
  }
  // [/interrupt]
};

}  // namespace

int sc_main(int, char*[]) {
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  Board board("board");
  sc_core::sc_start();
  return 0;
}
