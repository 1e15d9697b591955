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

std::vector<Happening> TraceLog::of(Signal signal, std::uint16_t with, std::uint16_t without) const {
  std::vector<Happening> found;
  for (const Happening& h : columns_[static_cast<std::size_t>(signal)]) {
    if ((h.detail & with) == with && (h.detail & without) == 0) found.push_back(h);
  }
  return found;
}

std::uint64_t TraceLog::count(Signal signal, std::uint16_t with, std::uint16_t without) const {
  std::uint64_t sum = 0;
  for (const Happening& h : of(signal, with, without)) sum += h.amount;
  return sum;
}

std::vector<Cycle> TraceLog::cycles(Signal signal) const {
  std::vector<Cycle> result;
  for (const Happening& h : columns_[static_cast<std::size_t>(signal)]) result.push_back(h.cycle);
  return result;
}

std::uint64_t TraceLog::at(State state, Cycle cycle) const {
  std::uint64_t value = 0;
  for (const auto& [from, next] : changes(state)) {
    if (from <= cycle) value = next;
  }
  return value;
}

Cycle TraceLog::cycles_with(State state, std::uint64_t mask) const {
  const auto& list = changes(state);
  Cycle sum = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Cycle to = i + 1 < list.size() ? list[i + 1].first : end_;
    if ((list[i].second & mask) != 0) sum += to - list[i].first;
  }
  return sum;
}

void TraceLog::append(const activity::Block& block) {
  EXPECT_EQ(block.begin, end_) << "blocks must follow each other without a gap";
  end_ = block.end;
  for (std::size_t s = 0; s < activity::signal_count; ++s) {
    std::uint32_t last = 0;
    for (const activity::Occurrence& o : block.columns[s]) {
      EXPECT_GE(o.at, last) << "column " << s << " must be sorted";
      EXPECT_LT(o.at, block.end - block.begin);
      EXPECT_GE(o.amount, 1u);
      last = o.at;
      Happening h{block.begin + o.at, o.amount, o.detail, {}, {}};
      if (o.ref != activity::no_ref && names_instruction(static_cast<Signal>(s))) {
        h.instruction = block.instructions.at(o.ref);
      } else if (o.ref != activity::no_ref) {
        h.request = block.requests.at(o.ref);
      }
      columns_[s].push_back(h);
    }
  }
  for (std::size_t s = 0; s < activity::state_count; ++s) {
    auto& list = states_[s];
    const auto add = [&](Cycle cycle, std::uint64_t value) {
      if (list.empty() || list.back().second != value) list.emplace_back(cycle, value);
    };
    add(block.begin, block.states[s].initial);
    for (const activity::Change& change : block.states[s].changes) add(block.begin + change.at, change.value);
  }
  for (activity::RegisterAccess access : block.accesses) {
    access.at += static_cast<std::uint32_t>(block.begin);
    access.ref = 0;
    accesses_.push_back(access);
  }
}

bool operator==(const TraceLog& a, const TraceLog& b) {
  // Of a record only what is fixed at the signal: later fields are as the block saw them last.
  const auto same = [](Signal signal, const Happening& x, const Happening& y) {
    return x.cycle == y.cycle && x.amount == y.amount && x.detail == y.detail && x.instruction.id == y.instruction.id &&
           x.instruction.ip == y.instruction.ip && x.instruction.traits == y.instruction.traits &&
           x.instruction.wrong_path == y.instruction.wrong_path && x.request.id == y.request.id &&
           x.request.address == y.request.address && x.request.size == y.request.size &&
           (signal == Signal::translation || x.request.start == y.request.start) &&
           x.request.instruction == y.request.instruction;
  };
  for (std::size_t s = 0; s < activity::signal_count; ++s) {
    if (a.columns_[s].size() != b.columns_[s].size()) return false;
    for (std::size_t i = 0; i < a.columns_[s].size(); ++i) {
      if (!same(static_cast<Signal>(s), a.columns_[s][i], b.columns_[s][i])) return false;
    }
  }
  const auto same_access = [](const activity::RegisterAccess& x, const activity::RegisterAccess& y) {
    return x.at == y.at && x.write == y.write && x.value == y.value && x.name == y.name;
  };
  return a.states_ == b.states_ && a.end_ == b.end_ && a.retired_ == b.retired_ &&
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

TraceLog run(core::Core& core, Cycle cycles) {
  TraceLog log;
  activity::Block block;
  for (bool more = true; more;) {
    block.restart(core.now());
    more = core.run(core.now() + cycles, block);
    log.append(block);
  }
  log.finish(core.retired());
  return log;
}

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

Script& Script::say(const std::string& directive) {
  text_ += "! " + directive + "\n";
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

Script& Script::at(std::uint64_t pc) {
  pc_ = pc;
  return *this;
}

}  // namespace pmusim::testbench
