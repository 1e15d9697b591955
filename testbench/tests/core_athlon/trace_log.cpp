#include "trace_log.h"

#include <fmt/format.h>

#include <cstring>

namespace pmusim::testbench {

bool names_instruction(Signal signal) {
  switch (signal) {
    case Signal::return_stack:
    case Signal::dispatch:
    case Signal::issue:
    case Signal::finish:
    case Signal::retire:
    case Signal::operation_retire:
    case Signal::iteration_retire:
    case Signal::kill:
    case Signal::fold:
    case Signal::trap:
    case Signal::resync:
    case Signal::register_access:
    case Signal::branch_handled:
    case Signal::branch_resolved:
    case Signal::segment_load:
      return true;
    default:
      return false;
  }
}

std::vector<LoggedOccurrence> TraceLog::of(Signal signal, std::uint16_t with, std::uint16_t without) const {
  std::vector<LoggedOccurrence> found;
  for (const LoggedOccurrence& h : BlockLog::of(signal)) {
    if ((h.detail & with) == with && (h.detail & without) == 0) found.push_back(h);
  }
  return found;
}

std::uint64_t TraceLog::count(Signal signal, std::uint16_t with, std::uint16_t without) const {
  std::uint64_t sum = 0;
  for (const LoggedOccurrence& h : of(signal, with, without)) sum += h.amount;
  return sum;
}

void TraceLog::append(const activity::Block& block) {
  append_block(block, [&](Signal signal, const activity::Occurrence& o) {
    LoggedOccurrence h{block.begin + o.at, o.amount, o.detail, {}, {}};
    if (o.ref != activity::no_ref && names_instruction(signal)) {
      h.instruction = block.instructions.at(o.ref);
    } else if (o.ref != activity::no_ref) {
      h.request = block.requests.at(o.ref);
    }
    return h;
  });
  for (activity::RegisterAccess access : block.accesses) {
    access.at += static_cast<std::uint32_t>(block.begin);
    access.ref = 0;
    accesses_.push_back(access);
  }
}

bool operator==(const TraceLog& a, const TraceLog& b) {
  // Compares only the fields of a record that are fixed at the signal: later fields hold the values that the block saw
  // last.
  const auto same = [](Signal signal, const LoggedOccurrence& x, const LoggedOccurrence& y) {
    return x.cycle == y.cycle && x.amount == y.amount && x.detail == y.detail && x.instruction.id == y.instruction.id &&
           x.instruction.ip == y.instruction.ip && x.instruction.traits == y.instruction.traits &&
           x.instruction.wrong_path == y.instruction.wrong_path && x.request.id == y.request.id &&
           x.request.address == y.request.address && x.request.size == y.request.size &&
           (signal == Signal::translation || x.request.start == y.request.start) &&
           x.request.instruction == y.request.instruction && x.request.cpl == y.request.cpl &&
           x.request.mode == y.request.mode;
  };
  const auto same_access = [](const activity::RegisterAccess& x, const activity::RegisterAccess& y) {
    return x.at == y.at && x.write == y.write && x.value == y.value && x.name == y.name;
  };
  return a.same_states(b) && a.same_occurrences(b, same) &&
         std::equal(a.accesses_.begin(), a.accesses_.end(), b.accesses_.begin(), b.accesses_.end(), same_access);
}

models::Parameters plain(const std::vector<std::pair<std::string, std::int64_t>>& changes) {
  models::Parameters parameters = core::athlon_parameters();
  parameters.set("core.instruction_prefetch", 0);
  parameters.set("core.walk_in_l2", 0);
  for (const auto& [name, value] : changes) parameters.set(name, value);
  return parameters;
}

std::unique_ptr<core::Core> core_of(const std::string& text, const models::Parameters& parameters) {
  trace::ReadOptions options;
  options.isa = trace::Isa::i386;
  return core::make_athlon(trace::open_text(text, "test", options), parameters);
}

TraceLog run(core::Core& core, Cycle cycles) { return log_of<TraceLog>(core, cycles); }

TraceLog run(const std::string& text, const models::Parameters& parameters, Cycle cycles) {
  return run(*core_of(text, parameters), cycles);
}

std::string hit(std::uint64_t pc, const std::string& bytes, const std::string& rest) {
  return fmt::format("{:x} {} {}{}fetch=l1 itlb=hit\n", pc, bytes, rest, rest.empty() ? "" : " ");
}

Script& Script::add(unsigned count, const std::string& bytes, const std::string& rest) {
  for (unsigned i = 0; i < count; ++i) {
    text_ += hit(pc_, bytes, rest);
    pc_ += bytes.size() / 2;
  }
  return *this;
}

Script& Script::go(const std::string& bytes, std::uint64_t target, const std::string& accesses,
                   const std::string& keys) {
  text_ +=
      hit(pc_, bytes,
          fmt::format("{}{}T {:x}{}{}", accesses, accesses.empty() ? "" : " ", target, keys.empty() ? "" : " ", keys));
  pc_ = target;
  return *this;
}

}  // namespace pmusim::testbench
