#include "record.h"

namespace pmusim::testbench::ia64 {

bool names_instruction(Signal signal) {
  switch (signal) {
    case Signal::dispatch:
    case Signal::retire:
    case Signal::kill:
    case Signal::trap:
    case Signal::register_access:
    case Signal::syllable_held:
    case Signal::tlb_purge:
    case Signal::alat_displace:
    case Signal::safety_stall:
    case Signal::l1i_snoop:
      return true;
    default:
      return false;
  }
}

std::vector<LoggedOccurrence> Record::of(Signal signal, std::uint16_t with, std::uint16_t without) const {
  std::vector<LoggedOccurrence> found;
  for (const LoggedOccurrence& h : of(signal)) {
    if ((h.detail & with) == with && (h.detail & without) == 0) found.push_back(h);
  }
  return found;
}

std::uint64_t Record::count(Signal signal, std::uint16_t with, std::uint16_t without) const {
  std::uint64_t sum = 0;
  for (const LoggedOccurrence& h : of(signal)) {
    if ((h.detail & with) == with && (h.detail & without) == 0) sum += h.amount;
  }
  return sum;
}

std::uint64_t Record::exactly(Signal signal, std::uint16_t detail) const {
  std::uint64_t sum = 0;
  for (const LoggedOccurrence& h : of(signal)) sum += h.detail == detail ? h.amount : 0u;
  return sum;
}

std::vector<Cycle> Record::cycles(Signal signal) const {
  std::vector<Cycle> result;
  for (const LoggedOccurrence& h : of(signal)) result.push_back(h.cycle);
  return result;
}

std::uint64_t Record::at(State state, Cycle cycle) const {
  std::uint64_t value = 0;
  for (const auto& [from, next] : changes(state)) {
    if (from <= cycle) value = next;
  }
  return value;
}

Cycle Record::cycles_in(State state, std::uint64_t value, std::uint64_t mask) const {
  const auto& list = changes(state);
  Cycle sum = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Cycle to = i + 1 < list.size() ? list[i + 1].first : end_;
    if ((list[i].second & mask) == value) sum += to - list[i].first;
  }
  return sum;
}

void Record::append(const activity::Block& block) {
  EXPECT_EQ(block.begin, end_) << "blocks must follow each other without a gap";
  EXPECT_EQ(block.instructions.size(), block.syllables.size());
  EXPECT_EQ(block.requests.size(), block.ia64_requests.size());
  end_ = block.end;
  for (std::size_t s = 0; s < activity::signal_count; ++s) {
    std::uint32_t last = 0;
    for (const activity::Occurrence& o : block.columns[s]) {
      EXPECT_GE(o.at, last) << "column " << s << " must be sorted";
      EXPECT_LT(o.at, block.end - block.begin);
      EXPECT_GE(o.amount, 1u);
      last = o.at;
      LoggedOccurrence h;
      h.cycle = block.begin + o.at;
      h.amount = o.amount;
      h.detail = o.detail;
      h.named = o.ref != activity::no_ref;
      if (h.named && names_instruction(static_cast<Signal>(s))) {
        h.instruction = block.instructions.at(o.ref);
        h.syllable = block.syllables.at(o.ref);
      } else if (h.named) {
        h.request = block.requests.at(o.ref);
        h.half = block.ia64_requests.at(o.ref);
        if (h.half.owner != activity::no_ref) {
          h.instruction = block.instructions.at(h.half.owner);
          h.syllable = block.syllables.at(h.half.owner);
          EXPECT_EQ(h.instruction.id, h.request.instruction) << "the owner is the request's instruction";
        }
      }
      columns_[s].push_back(h);
    }
  }
  for (std::size_t s = 0; s < activity::state_count; ++s) {
    const auto add = [&](Cycle cycle, std::uint64_t value) {
      if (cycle == block.end && cycle != block.begin) return;  // it belongs to the beginning of the next block
      if (states_[s].empty() || states_[s].back().second != value) states_[s].emplace_back(cycle, value);
    };
    add(block.begin, block.states[s].initial);
    for (const activity::Change& change : block.states[s].changes) add(block.begin + change.at, change.value);
  }
  for (activity::RegisterAccess access : block.accesses) {
    access.at += static_cast<std::uint32_t>(block.begin);
    accesses_.push_back(access);
  }
}

std::uint64_t Record::digest() const {
  std::uint64_t sum = 0xcbf29ce484222325;
  const auto add = [&sum](std::uint64_t value) { sum ^= value + 0x9e3779b97f4a7c15 + (sum << 6) + (sum >> 2); };
  for (std::size_t s = 0; s < activity::signal_count; ++s) {
    for (const LoggedOccurrence& h : columns_[s]) {
      add(s << 56 ^ h.cycle);
      add(h.detail << 16 | h.amount);
      add(h.instruction.id);
      add(h.instruction.ip);
      add(h.syllable.kinds);
      // Valid from the instruction's execution on: an earlier occurrence has them only if the block ends later.
      if (static_cast<Signal>(s) == Signal::retire) {
        add(static_cast<std::uint64_t>(h.syllable.frame_registers) << 8 | h.syllable.dirty_registers);
        add(static_cast<std::uint64_t>(h.syllable.prediction));
      }
      add(h.request.id);
      add(h.request.address);
      add(h.request.size);
      add(static_cast<std::uint64_t>(h.half.requester) << 8 | h.half.load << 1 | static_cast<unsigned>(h.half.store));
    }
  }
  for (std::size_t s = 0; s < activity::state_count; ++s) {
    for (const auto& [cycle, value] : states_[s]) {
      add(s << 56 ^ cycle);
      add(value);
    }
  }
  add(end_);
  add(retired_);
  return sum;
}

models::Parameters plain(const std::vector<std::pair<std::string, std::int64_t>>& changes) {
  models::Parameters parameters = core::itanium2_parameters();
  parameters.set("core.instruction_prefetch", std::int64_t{0});
  for (const auto& [name, value] : changes) parameters.set(name, value);
  return parameters;
}

std::unique_ptr<core::Core> core_of(const std::string& text, const models::Parameters& parameters) {
  trace::ReadOptions options;
  options.isa = trace::Isa::ia64;
  return core::make_itanium2(trace::open_text(text, "test", options), parameters);
}

Record run(core::Core& core, Cycle cycles) {
  Record record;
  activity::Block block;
  for (bool more = true; more;) {
    block.restart(core.now());
    more = core.run(core.now() + cycles, block);
    record.append(block);
  }
  record.finish(core.retired());
  return record;
}

Record run(const Script& script, const models::Parameters& parameters, Cycle cycles) {
  return run(*core_of(script.text(), parameters), cycles);
}

}  // namespace pmusim::testbench::ia64
