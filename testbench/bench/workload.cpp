#include "testbench/bench/workload.h"

#include <array>
#include <deque>
#include <stdexcept>
#include <string>
#include <vector>

#include "pmusim/encoder/encoder.h"
#include "pmusim/trace/ia64.h"
#include "pmusim/trace/ppc.h"
#include "pmusim/trace/reader.h"
#include "pmusim/trace/x86.h"

namespace pmusim::testbench {
namespace {

/// What the counters count: one event that is there nearly every cycle, two frequent ones and a rare one.
struct Setting {
  std::string_view target;
  std::array<std::string_view, 4> events;
  std::string_view nothing;  ///< text trace of one instruction
};
constexpr std::array<Setting, 3> settings = {{
    {"athlon",
     {"CPU_CLK_UNHALTED", "RETIRED_INSTRUCTIONS", "DATA_CACHE_ACCESSES", "DATA_CACHE_MISSES"},
     "! isa i386\n1000 90\n"},
    {"ppc750gx",
     {"PROCESSOR_CYCLES", "INSTRUCTIONS_COMPLETED", "TAKEN_BRANCHES", "MISPREDICTED_BRANCHES"},
     "! isa ppc\n1000 60000000\n"},
    {"itanium2",
     {"CPU_CYCLES", "IA64_INST_RETIRED", "LOADS_RETIRED", "L2_MISSES"},
     "! isa ia64\n1000 01000000010000000002000000000400 xxx\n"},
}};

const Setting& setting_of(std::string_view target) {
  for (const Setting& s : settings) {
    if (s.target == target) return s;
  }
  throw std::invalid_argument(std::string(target) + ": no counter setting; right: athlon, ppc750gx or itanium2");
}

std::uint64_t mix(std::uint64_t digest, std::uint64_t value) { return (digest ^ value) * 0x100000001b3u; }

std::uint64_t digest_of(const SessionResult& result) {
  std::uint64_t digest = mix(result.end_cycle, result.instructions);
  for (const RegisterReading& r : result.monitors.at(0).registers) digest = mix(digest, r.value);
  return digest;
}

/// An executed instruction with its class.
template <class Operation>
struct Record {
  const Operation* operation;
  std::uint64_t pc, next_pc;
  std::size_t first_access, accesses;
};

/// Makes records of a line of the trace, the first access of which will be number `first_access`.
template <class Operation>
void add_records(const Operation& operation, const trace::Instruction& line, std::size_t first_access,
                 std::vector<Record<Operation>>& records) {
  records.push_back({&operation, line.code->pc, line.next_pc(), first_access, line.accesses.size()});
}
/// IA-64: one for each slot that was reached.
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

/// The whole trace as such records, some thousand of them at a time. Static code is classified once.
template <class Operation, class Code>
std::uint64_t decode(trace::Reader& reader, Code (*classify)(const trace::Code&)) {
  constexpr std::size_t batch = 4096;
  std::deque<Code> operations;  // stay where they are
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

}  // namespace

Workload::Workload(std::string_view target, std::filesystem::path trace)
    : target_(models::find_target(setting_of(target).target)), trace_(std::move(trace)) {}

MonitorSetup Workload::programmed() const {
  const auto& names = setting_of(target_->name).events;
  const std::vector<std::string> events(names.begin(), names.end());
  const auto encoding = encoder::encode(target_->name, events);
  if (!encoding) throw std::runtime_error(encoding.error().message);
  const auto monitor = target_->make_monitor(target_->parameters());
  MonitorSetup setup;
  for (const encoder::RegisterValue& reg : encoding->registers) {
    setup.writes.push_back({pmu::find_register(*monitor, reg.name).value().id, reg.value});
  }
  return setup;
}

std::uint64_t Workload::run(std::unique_ptr<trace::Reader> reader, Engine engine) const {
  SessionOptions options;
  options.engine = engine;
  Session session(*target_, target_->parameters(), options);
  session.add_monitor(programmed());
  return digest_of(session.run(std::move(reader)));
}

std::uint64_t Workload::run(Engine engine) const { return run(trace::open(trace_), engine); }

std::uint64_t Workload::run_nothing() const {
  return run(trace::open_text(std::string(setting_of(target_->name).nothing), "nothing"), Engine::blocks);
}

std::uint64_t Workload::replay(const ActivityLog& log, Engine engine) const {
  LogSource source(log);
  SessionOptions options;
  options.engine = engine;
  Session session(*target_, target_->parameters(), options);
  session.add_monitor(programmed());
  return digest_of(session.run(source));
}

ActivityLog Workload::record() const {
  ActivityLog log;
  SessionOptions options;
  options.engine = Engine::direct;
  Session session(*target_, target_->parameters(), options);
  session.add_observer([&log](const Block& block) { log.append(block); });
  session.run(trace::open(trace_));
  return log;
}

std::uint64_t Workload::decode() const {
  const auto reader = trace::open(trace_);
  switch (target_->isa) {
    case trace::Isa::ppc:
      return testbench::decode<trace::ppc::Operation>(*reader, trace::ppc::classify);
    case trace::Isa::ia64:
      return testbench::decode<trace::ia64::Slot>(*reader, trace::ia64::decode);
    default:
      return testbench::decode<trace::x86::Operation>(*reader, trace::x86::classify);
  }
}

std::uint64_t Workload::instructions() const { return trace::open(trace_)->info().instructions; }

}  // namespace pmusim::testbench
