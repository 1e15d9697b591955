#include "testbench/bench/workload.h"

#include <array>
#include <deque>
#include <stdexcept>
#include <string>
#include <vector>

#include "pmusim/encoder/encoder.h"
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
constexpr std::array<Setting, 2> settings = {{
    {"athlon",
     {"CPU_CLK_UNHALTED", "RETIRED_INSTRUCTIONS", "DATA_CACHE_ACCESSES", "DATA_CACHE_MISSES"},
     "! isa i386\n1000 90\n"},
    {"ppc750gx",
     {"PROCESSOR_CYCLES", "INSTRUCTIONS_COMPLETED", "TAKEN_BRANCHES", "MISPREDICTED_BRANCHES"},
     "! isa ppc\n1000 60000000\n"},
}};

const Setting& setting_of(std::string_view target) {
  for (const Setting& s : settings) {
    if (s.target == target) return s;
  }
  throw std::invalid_argument(std::string(target) + ": no counter setting; right: athlon or ppc750gx");
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

/// The whole trace as such records, some thousand of them at a time. Static instructions are classified once.
template <class Operation>
std::uint64_t decode(trace::Reader& reader, Operation (*classify)(const trace::Code&)) {
  constexpr std::size_t batch = 4096;
  std::deque<Operation> operations;  // stay where they are
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
    const trace::Instruction& instruction = item.instruction;
    const std::size_t id = instruction.code->id;
    if (id == operations.size()) operations.push_back(classify(*instruction.code));
    records.push_back(
        {&operations[id], instruction.code->pc, instruction.next_pc(), accesses.size(), instruction.accesses.size()});
    accesses.insert(accesses.end(), instruction.accesses.begin(), instruction.accesses.end());
    if (records.size() == batch) hand_over();
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
  return target_->isa == trace::Isa::ppc ? testbench::decode(*reader, trace::ppc::classify)
                                         : testbench::decode(*reader, trace::x86::classify);
}

std::uint64_t Workload::instructions() const { return trace::open(trace_)->info().instructions; }

}  // namespace pmusim::testbench
