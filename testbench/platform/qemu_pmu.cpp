// A PMU fed by a foreign instruction-set simulator: a plugin of QEMU's user emulators (7.2, plugin interface 1) that
// converts executed instructions to activity, one per cycle, and passes it to a PMU on SystemC. QEMU is the master:
// SystemC's time advances when a block is full. To use another simulator, keep Board and replace the code after it.
//
//   qemu-alpha -plugin file=libpmusim-qemu-pmu.so,target=alpha-ev6,event=PF6_MUX0_RET_INSTRUCTIONS PROGRAM
//
//   target=NAME  event=NAME (again for more)  period=N  detail=counts|instructions|accesses  out=FILE (default: stderr)
#include <models/pmu/pmu_module.h>
#include <models/pmu/tlm_registers.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>

#include "activity_feed.h"
#include "programming.h"
#include "qemu_plugin.h"

#define PLUGIN_EXPORT extern "C" __attribute__((visibility("default")))

PLUGIN_EXPORT int qemu_plugin_version;
int qemu_plugin_version = 1;

// SystemC's library has a main() that calls sc_main; here the emulator's main() is used.
__attribute__((visibility("default"))) int sc_main(int, char*[]) { return 0; }

namespace {

namespace pmu = pmusim::pmu;
using platform::Access;
using platform::Retired;

const sc_core::sc_time period(1, sc_core::SC_NS);
constexpr pmusim::activity::Cycle block_length = 4096;

struct Settings {
  std::string target = "alpha-ev6";
  std::vector<std::string> events;
  std::uint64_t period = 0;
  platform::Detail detail = platform::Detail::instructions;
  std::string out;
};

/// Tags of a direct-mapped cache of 64 KiB with lines of 64 bytes, so that accesses hit or miss.
class Cache {
 public:
  bool misses(std::uint64_t address) {
    std::uint64_t& tag = tags_[address / 64 % tags_.size()];
    const bool absent = tag != address / 64 + 1;
    tag = address / 64 + 1;
    return absent;
  }

 private:
  std::array<std::uint64_t, 1024> tags_{};
};

// [foreign]
/// A PMU, a bus master in front of it, and the feed: all that a simulator of its own needs.
class Board : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Board> master;
  pmu::PmuModule pmu;

  Board(const sc_core::sc_module_name& name, const pmusim::models::Target& target, const Settings& settings)
      : sc_module(name),
        master("master"),
        pmu("pmu", target.make_monitor(target.parameters()), {period}),
        feed_(target.name, settings.detail),
        programming_(platform::program(target, settings.events, settings.period)) {
    master.bind(pmu.registers);
    pmu.on_interrupt([this](const pmu::EntryState& entry) {
      ++samples_[entry.pc];
      write(programming_.start);
    });
    feed_.set_user(true);
  }
  void start() {
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    write(programming_.start);
  }
  void retire(const Retired& instruction) {
    feed_.retire(instruction);
    feed_.pass();
    if (feed_.now() - feed_.begun() >= block_length) flush();
  }
  /// Gives the PMU what there is, and lets its time pass.
  void flush() {
    const auto cycles = feed_.now() - feed_.begun();
    if (cycles == 0) return;
    pmu.activity->consume(feed_.end_block());
    sc_core::sc_start(cycles * period);
    pmu.activity->settle_block();
  }
  // [/foreign]
  void report(std::ostream& out) {
    for (const platform::CounterPlace& place : programming_.counters) {
      if (place.reg.empty()) continue;
      const pmu::RegisterId id = pmu::find_register(pmu.monitor(), place.reg)->id;
      out << "counter " << place.name << ' ' << place.of(pmu::bus_read(*master.operator->(), id).value) << '\n';
    }
    for (const auto& [pc, count] : samples_) out << "sample 0x" << std::hex << pc << std::dec << ' ' << count << '\n';
    out << "cycles " << feed_.now() << '\n';
  }

 private:
  void write(const std::vector<platform::RegisterWrite>& writes) {
    for (const platform::RegisterWrite& one : writes)
      pmu::bus_write(*master.operator->(), pmu::find_register(pmu.monitor(), one.name)->id, one.value);
  }
  platform::ActivityFeed feed_;
  platform::Programming programming_;
  std::map<std::uint64_t, std::uint64_t> samples_;
};

/// An instruction as the emulator translated it.
struct Translated {
  std::uint64_t ip = 0;
  std::uint64_t encoding = 0;
  std::uint16_t length = 0;
  bool branch = false, conditional = false;
};

/// The state of the plugin: the emulator's interface has no user data, so it is one object of the process.
struct Plugin {
  Settings settings;
  std::string isa;
  std::unique_ptr<Board> board;
  std::deque<Translated> code;  // never shrinks: the emulator holds pointers into it
  const Translated* current = nullptr;
  std::vector<Access> accesses;
  Cache cache;
};
Plugin plugin;

/// Sets the branch flags by the primary opcode. For other ISAs only taken branches are recognized, by their next
/// address.
void classify(Translated& instruction) {
  if (plugin.isa == "alpha") {
    const auto opcode = static_cast<unsigned>(instruction.encoding >> 26 & 0x3f);
    instruction.branch = opcode >= 0x30 || opcode == 0x1a;
    instruction.conditional = opcode > 0x30 && opcode != 0x34;
  } else if (plugin.isa == "ppc") {
    const auto opcode = static_cast<unsigned>(instruction.encoding >> 2 & 0x3f);  // the first byte is the lowest
    instruction.branch = opcode == 16 || opcode == 18;
    instruction.conditional = opcode == 16;
  }
}

void retire_current(std::uint64_t next_ip) {
  const Translated& i = *plugin.current;
  const bool taken = next_ip != i.ip + i.length;
  plugin.board->retire({i.ip, next_ip, i.encoding, i.length, i.branch || taken, i.conditional, plugin.accesses});
}

// The emulator calls this before an instruction: then the previous one has retired, and its successor is known.
void executed(unsigned vcpu, void* user) {
  if (vcpu != 0) {
    std::cerr << "pmusim-qemu-pmu: the program started a second thread; only the first one is followed\n";
    std::_Exit(125);
  }
  const auto* next = static_cast<const Translated*>(user);
  if (plugin.current != nullptr) retire_current(next->ip);
  plugin.current = next;
  plugin.accesses.clear();
}

void accessed(unsigned, std::uint32_t info, std::uint64_t address, void*) {
  plugin.accesses.push_back(
      {address, 1u << qemu_plugin_mem_size_shift(info), qemu_plugin_mem_is_store(info), plugin.cache.misses(address)});
}

void translated(std::uint64_t, qemu_plugin_tb* block) {
  for (std::size_t n = 0; n < qemu_plugin_tb_n_insns(block); ++n) {
    qemu_plugin_insn* insn = qemu_plugin_tb_get_insn(block, n);
    Translated& entry = plugin.code.emplace_back();
    entry.ip = qemu_plugin_insn_vaddr(insn);
    entry.length = static_cast<std::uint16_t>(qemu_plugin_insn_size(insn));
    std::memcpy(&entry.encoding, qemu_plugin_insn_data(insn), std::min<std::size_t>(entry.length, 8));
    classify(entry);
    qemu_plugin_register_vcpu_insn_exec_cb(insn, executed, 0, &entry);
    if (plugin.settings.detail == platform::Detail::accesses)
      qemu_plugin_register_vcpu_mem_cb(insn, accessed, 0, 3, &entry);
  }
}

void finished(std::uint64_t, void*) {
  if (plugin.current != nullptr) retire_current(plugin.current->ip + plugin.current->length);
  plugin.board->flush();
  if (plugin.settings.out.empty()) return plugin.board->report(std::cerr);
  std::ofstream file(plugin.settings.out);
  plugin.board->report(file);
  if (!file.flush()) std::cerr << "pmusim-qemu-pmu: " << plugin.settings.out << " cannot be written\n";
}

Settings read_settings(int count, char** words) {
  Settings settings;
  for (int i = 0; i < count; ++i) {
    const std::string word = words[i];
    const std::size_t equals = word.find('=');
    const std::string key = word.substr(0, equals), value = equals == word.npos ? "" : word.substr(equals + 1);
    if (key == "target") {
      settings.target = value;
    } else if (key == "event") {
      settings.events.push_back(value);
    } else if (key == "period") {
      settings.period = std::strtoull(value.c_str(), nullptr, 0);
    } else if (key == "out") {
      settings.out = value;
    } else if (key == "detail" && (value == "counts" || value == "instructions" || value == "accesses")) {
      settings.detail = value == "counts"         ? platform::Detail::counts
                        : value == "instructions" ? platform::Detail::instructions
                                                  : platform::Detail::accesses;
    } else {
      throw std::invalid_argument("unknown argument '" + word + "'; see the top of qemu_pmu.cpp");
    }
  }
  if (settings.events.empty()) throw std::invalid_argument("event=NAME is missing");
  return settings;
}

}  // namespace

PLUGIN_EXPORT int qemu_plugin_install(std::uint64_t id, const QemuInfo* info, int argc, char** argv) try {
  plugin.settings = read_settings(argc, argv);
  plugin.isa = info->target_name;
  const pmusim::models::Target* const target = pmusim::models::find_target(plugin.settings.target);
  if (target == nullptr) throw std::invalid_argument("unknown target '" + plugin.settings.target + "'");
  sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  plugin.board = std::make_unique<Board>("board", *target, plugin.settings);
  plugin.board->start();
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_atexit_cb(id, finished, nullptr);
  return 0;
} catch (const std::exception& error) {
  std::cerr << "pmusim-qemu-pmu: " << error.what() << '\n';
  return 1;
}
