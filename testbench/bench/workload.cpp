#include "testbench/bench/workload.h"

#include <array>
#include <deque>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "pmusim/encoder/encoder.h"
#include "pmusim/trace/alpha.h"
#include "pmusim/trace/ia64.h"
#include "pmusim/trace/ppc.h"
#include "pmusim/trace/reader.h"
#include "pmusim/trace/x86.h"
#include "testbench/driver/programming.h"

namespace pmusim::testbench {
namespace {

/// The events of all counters: one that occurs nearly every cycle, frequent ones and rare ones.
constexpr std::array<std::string_view, 4> athlon_events = {"CPU_CLK_UNHALTED", "RETIRED_INSTRUCTIONS",
                                                           "DATA_CACHE_ACCESSES", "DATA_CACHE_MISSES"};
constexpr std::array<std::string_view, 4> ppc750_events = {"PROCESSOR_CYCLES", "INSTRUCTIONS_COMPLETED",
                                                           "TAKEN_BRANCHES", "MISPREDICTED_BRANCHES"};
constexpr std::array<std::string_view, 4> itanium2_events = {"CPU_CYCLES", "IA64_INST_RETIRED", "LOADS_RETIRED",
                                                             "L2_MISSES"};
constexpr std::array<std::string_view, 12> montecito_events = {
    "CPU_OP_CYCLES_ALL", "IA64_INST_RETIRED", "LOADS_RETIRED",       "BR_MISPRED_DETAIL_ALL_CORRECT_PRED",
    "NOPS_RETIRED",      "DISP_STALLED",      "BACK_END_BUBBLE_ALL", "BE_EXE_BUBBLE_ALL",
    "L1I_READS",         "L2D_MISSES",        "L3_MISSES",           "THREAD_SWITCH_EVENTS_ALL"};
constexpr std::array<std::string_view, 2> ev4_events = {"PF_ISSUES", "PF_DCACHE"};
constexpr std::array<std::string_view, 3> ev5_events = {"PF5_MUX0_CYCLES", "PF5_MUX1_INTEGER_OPERATE",
                                                        "PF5_MUX2_C_DCACHE_MISSES"};
constexpr std::array<std::string_view, 2> ev6_events = {"PF6_MUX0_RET_INSTRUCTIONS", "PF6_MUX1_RET_COND_BRANCHES"};

constexpr std::string_view no_operation_ia64 = "! isa ia64\n1000 01000000010000000002000000000400 xxx\n";
constexpr std::string_view no_operation_alpha = "! isa alpha\n1000 47ff041f\n";
struct Setting {
  std::string_view target;
  std::span<const std::string_view> events;
  std::string_view nothing;  ///< text trace of one instruction
};
constexpr std::array<Setting, 7> settings = {{{"athlon", athlon_events, "! isa i386\n1000 90\n"},
                                              {"ppc750gx", ppc750_events, "! isa ppc\n1000 60000000\n"},
                                              {"itanium2", itanium2_events, no_operation_ia64},
                                              {"montecito", montecito_events, no_operation_ia64},
                                              {"alpha-ev4", ev4_events, no_operation_alpha},
                                              {"alpha-ev5", ev5_events, no_operation_alpha},
                                              {"alpha-ev6", ev6_events, no_operation_alpha}}};

const Setting& setting_of(std::string_view target) {
  std::string names;
  for (const Setting& s : settings) {
    if (s.target == target) return s;
    names += (names.empty() ? "" : ", ") + std::string(s.target);
  }
  throw std::invalid_argument(std::string(target) + ": no counter setting; expected " + names);
}

std::uint64_t mix(std::uint64_t digest, std::uint64_t value) { return (digest ^ value) * 0x100000001b3u; }

std::uint64_t digest_of(const SessionResult& result) {
  std::uint64_t digest = mix(result.end_cycle, result.instructions);
  for (const MonitorResult& monitor : result.monitors) {
    for (const RegisterReading& r : monitor.registers) digest = mix(digest, r.value);
  }
  return digest;
}

/// An executed instruction with its class.
template <class Operation>
struct Record {
  const Operation* operation;
  std::uint64_t pc, next_pc;
  std::size_t first_access, accesses;
};

/// Adds the records of a line of the trace. `first_access`: index of its first access.
template <class Operation>
void add_records(const Operation& operation, const trace::Instruction& line, std::size_t first_access,
                 std::vector<Record<Operation>>& records) {
  records.push_back({&operation, line.code->pc, line.next_pc(), first_access, line.accesses.size()});
}
/// IA-64: one record for each slot that was reached.
void add_records(const trace::ia64::Bundle& bundle, const trace::Instruction& line, std::size_t first_access,
                 std::vector<Record<trace::ia64::Slot>>& records) {
  std::size_t done = 0;
  for (unsigned slot = 0; slot < bundle.slots.size(); ++slot) {
    if (line.mask[slot] == '-') continue;
    const std::size_t first = done;
    while (done < line.accesses.size() && line.accesses[done].slot == slot) ++done;
    records.push_back({&bundle.slots[slot], line.code->pc, line.code->pc, first_access + first, done - first});
  }
  if (!records.empty()) records.back().next_pc = line.next_pc();
}

/// Decodes the whole trace into such records, some thousand at a time. Static code is classified once.
template <class Operation, class Code>
std::uint64_t decode(trace::Reader& reader, Code (*classify)(const trace::Code&)) {
  constexpr std::size_t batch = 4096;
  std::deque<Code> operations;  // references stay valid
  std::vector<Record<Operation>> records;
  std::vector<trace::Access> accesses;
  std::uint64_t digest = 0;
  const auto hand_over = [&] {
    digest = mix(digest, records.back().next_pc + static_cast<std::uint64_t>(records.back().operation->kind));
    records.clear();
    accesses.clear();
  };
  for (trace::Item item; reader.next(item);) {
    if (item.directive != nullptr) continue;
    const trace::Instruction& line = item.instruction;
    const std::size_t id = line.code->id;
    if (id == operations.size()) operations.push_back(classify(*line.code));
    add_records(operations[id], line, accesses.size(), records);
    accesses.insert(accesses.end(), line.accesses.begin(), line.accesses.end());
    if (records.size() >= batch) hand_over();
  }
  if (!records.empty()) hand_over();
  return digest;
}

std::uint64_t decode_all(trace::Reader& reader, trace::Isa isa) {
  switch (isa) {
    case trace::Isa::alpha:
      return decode<trace::alpha::Operation>(reader, trace::alpha::classify);
    case trace::Isa::ppc:
      return decode<trace::ppc::Operation>(reader, trace::ppc::classify);
    case trace::Isa::ia64:
      return decode<trace::ia64::Slot>(reader, trace::ia64::decode);
    case trace::Isa::i386:
      return decode<trace::x86::Operation>(reader, trace::x86::classify);
  }
  return 0;
}

}  // namespace

Workload::Workload(std::string_view target, std::filesystem::path trace)
    : target_(models::find_target(setting_of(target).target)), trace_(std::move(trace)) {}

/// The trace once for each hardware thread.
std::vector<std::unique_ptr<trace::Reader>> Workload::readers() const {
  std::vector<std::unique_ptr<trace::Reader>> result;
  for (unsigned thread = 0; thread < target_->threads(); ++thread) result.push_back(trace::open(trace_));
  return result;
}

void Workload::program(Session& session) const {
  const auto& names = setting_of(target_->name).events;
  const std::vector<std::string> events(names.begin(), names.end());
  const auto encoding = encoder::encode(target_->name, events);
  if (!encoding) throw std::runtime_error(encoding.error().message);
  Programming programming(*target_, target_->parameters());
  for (const encoder::RegisterValue& reg : encoding->registers) programming.write(reg.name, reg.value);
  for (unsigned thread = 0; thread < target_->threads(); ++thread) {
    MonitorSetup setup;
    setup.writes = programming.writes();
    if (target_->threads() > 1) setup.thread = thread;
    session.add_monitor(std::move(setup));
  }
}

std::uint64_t Workload::run(std::vector<std::unique_ptr<trace::Reader>> readers, Engine engine) const {
  SessionOptions options;
  options.engine = engine;
  Session session(*target_, target_->parameters(), options);
  program(session);
  return digest_of(session.run(std::move(readers)));
}

std::uint64_t Workload::run(Engine engine) const { return run(readers(), engine); }

std::uint64_t Workload::run_nothing() const {
  std::vector<std::unique_ptr<trace::Reader>> nothing;
  for (unsigned thread = 0; thread < target_->threads(); ++thread)
    nothing.push_back(trace::open_text(std::string(setting_of(target_->name).nothing), "nothing"));
  return run(std::move(nothing), Engine::blocks);
}

std::uint64_t Workload::replay(const ActivityLog& log, Engine engine) const {
  LogSource source(log);
  SessionOptions options;
  options.engine = engine;
  Session session(*target_, target_->parameters(), options);
  program(session);
  return digest_of(session.run(source));
}

ActivityLog Workload::record() const {
  ActivityLog log;
  SessionOptions options;
  options.engine = Engine::direct;
  Session session(*target_, target_->parameters(), options);
  session.add_observer([&log](const Block& block) { log.append(block); });
  session.run(readers());
  return log;
}

std::uint64_t Workload::decode() const {
  std::uint64_t digest = 0;
  for (const auto& reader : readers()) digest += decode_all(*reader, target_->isa);
  return digest;
}

std::uint64_t Workload::instructions() const { return target_->threads() * trace::open(trace_)->info().instructions; }

}  // namespace pmusim::testbench
