#include "alpha_log.h"

#include <fmt/format.h>

namespace pmusim::testbench::alpha {
namespace {

bool names_instruction(Signal signal) {
  switch (signal) {
    case Signal::dispatch:
    case Signal::issue:
    case Signal::finish:
    case Signal::retire:
    case Signal::kill:
    case Signal::trap:
    case Signal::register_access:
    case Signal::branch_handled:
    case Signal::branch_resolved:
    case Signal::instruction_fetch:
    case Signal::replay_trap:
    case Signal::pal_entry:
    case Signal::return_stack:
      return true;
    default:
      return false;
  }
}

bool same_instruction(const Happening& a, const Happening& b) {
  const auto& x = a.instruction;
  const auto& y = b.instruction;
  return x.id == y.id && x.ip == y.ip && x.next_ip == y.next_ip && x.encoding == y.encoding && x.tagged == y.tagged &&
         x.traits == y.traits && x.wrong_path == y.wrong_path && x.predicted_taken == y.predicted_taken &&
         x.taken == y.taken && x.mispredicted == y.mispredicted && a.more.kinds == b.more.kinds &&
         a.more.inum_delay == b.more.inum_delay && a.more.pal == b.more.pal &&
         a.more.fill_stream == b.more.fill_stream && a.more.map_stalled == b.more.map_stalled &&
         a.more.killed_early == b.more.killed_early && a.more.trap == b.more.trap && a.more.replay == b.more.replay;
}

}  // namespace

std::vector<Happening> AlphaLog::of(Signal signal, std::uint64_t id) const {
  std::vector<Happening> found;
  for (const Happening& h : of(signal)) {
    if (h.named && h.instruction.id == id) found.push_back(h);
  }
  return found;
}

std::vector<Cycle> AlphaLog::cycles(Signal signal) const {
  std::vector<Cycle> found;
  for (const Happening& h : of(signal)) found.push_back(h.cycle);
  return found;
}

std::vector<Cycle> AlphaLog::cycles(Signal signal, std::uint64_t id) const {
  std::vector<Cycle> found;
  for (const Happening& h : of(signal, id)) found.push_back(h.cycle);
  return found;
}

std::uint64_t AlphaLog::at(State state, Cycle cycle) const {
  std::uint64_t value = 0;
  for (const auto& [from, next] : states_[static_cast<std::size_t>(state)]) {
    if (from <= cycle) value = next;
  }
  return value;
}

Cycle AlphaLog::cycles_with(State state) const {
  const auto& list = states_[static_cast<std::size_t>(state)];
  Cycle sum = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Cycle to = i + 1 < list.size() ? list[i + 1].first : end_;
    if (list[i].second != 0) sum += to - list[i].first;
  }
  return sum;
}

void AlphaLog::append(const activity::Block& block) {
  EXPECT_EQ(block.begin, end_) << "blocks must follow each other without a gap";
  EXPECT_EQ(block.alpha_instructions.size(), block.instructions.size());
  end_ = block.end;
  for (std::size_t s = 0; s < activity::signal_count; ++s) {
    std::uint32_t last = 0;
    for (const activity::Occurrence& o : block.columns[s]) {
      EXPECT_GE(o.at, last) << "column " << s << " must be sorted";
      EXPECT_LT(o.at, block.end - block.begin);
      last = o.at;
      Happening h{block.begin + o.at, o.amount, o.detail, o.ref != activity::no_ref, {}, {}, {}};
      if (h.named && names_instruction(static_cast<Signal>(s))) {
        h.instruction = block.instructions.at(o.ref);
        h.more = block.alpha_instructions.at(o.ref);
      } else if (h.named) {
        h.request = block.requests.at(o.ref);
      }
      columns_[s].push_back(h);
    }
  }
  for (std::size_t s = 0; s < activity::state_count; ++s) {
    auto& list = states_[s];
    const auto note = [&](Cycle at, std::uint64_t value) {
      if (list.empty() || list.back().second != value) list.emplace_back(at, value);
    };
    note(block.begin, block.states[s].initial);
    for (const activity::Change& c : block.states[s].changes) note(block.begin + c.at, c.value);
  }
}

// A record of a block holds what became known up to the block's end; how much of the future that is depends on the cut.
// What is valid from the signal itself on must be the same.
bool operator==(const AlphaLog& a, const AlphaLog& b) {
  if (a.end_ != b.end_ || a.retired_ != b.retired_ || a.states_ != b.states_) return false;
  for (std::size_t s = 0; s < activity::signal_count; ++s) {
    const auto& x = a.columns_[s];
    const auto& y = b.columns_[s];
    if (x.size() != y.size()) return false;
    const auto signal = static_cast<Signal>(s);
    const bool final = signal == Signal::retire || signal == Signal::kill;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (x[i].cycle != y[i].cycle || x[i].detail != y[i].detail || x[i].amount != y[i].amount) return false;
      if (x[i].named != y[i].named || x[i].instruction.id != y[i].instruction.id ||
          x[i].instruction.ip != y[i].instruction.ip || x[i].instruction.tagged != y[i].instruction.tagged ||
          x[i].request.id != y[i].request.id || x[i].request.address != y[i].request.address) {
        return false;
      }
      if (final && !same_instruction(x[i], y[i])) return false;
    }
  }
  return true;
}

AlphaLog run(core::Core& core, Cycle cycles) {
  AlphaLog log;
  activity::Block block;
  for (bool more = true; more;) {
    block.restart(core.now());
    more = core.run(core.now() + cycles, block);
    log.append(block);
  }
  log.finish(core.retired());
  return log;
}

AlphaLog run(Factory make, const std::string& text, const models::Parameters& parameters, Cycle cycles) {
  trace::ReadOptions options;
  options.isa = trace::Isa::alpha;
  return run(*make(trace::open_text(text, "test", options), parameters), cycles);
}

std::string word(std::uint32_t bits) {
  return fmt::format("{:02x}{:02x}{:02x}{:02x}", bits & 0xff, bits >> 8 & 0xff, bits >> 16 & 0xff, bits >> 24);
}
std::string operate(unsigned opcode, unsigned function, unsigned a, unsigned b, unsigned c) {
  return word(opcode << 26 | a << 21 | b << 16 | function << 5 | c);
}
std::string memory(unsigned opcode, unsigned a, unsigned b, int displacement) {
  return word(opcode << 26 | a << 21 | b << 16 | (static_cast<std::uint32_t>(displacement) & 0xffff));
}
std::string branch(unsigned opcode, unsigned a, int displacement) {
  return word(opcode << 26 | a << 21 | (static_cast<std::uint32_t>(displacement) & 0x1fffff));
}

Script& Script::add(const std::string& word, const std::string& rest) {
  text_ += fmt::format("{:x} {}{}{} fetch=l1 itlb=hit\n", pc_, word, rest.empty() ? "" : " ", rest);
  pc_ += 4;
  return *this;
}
Script& Script::add(unsigned count, const std::string& word) {
  for (unsigned i = 0; i < count; ++i) add(word);
  return *this;
}
Script& Script::load(const std::string& word, std::uint64_t address, unsigned size, const std::string& keys) {
  return add(word, fmt::format("L {:x} {} {}", address, size, keys));
}
Script& Script::store(const std::string& word, std::uint64_t address, unsigned size, const std::string& keys) {
  return add(word, fmt::format("S {:x} {} {}", address, size, keys));
}
Script& Script::go(const std::string& word, std::uint64_t target, const std::string& keys) {
  add(word, fmt::format("T {:x}{}{}", target, keys.empty() ? "" : " ", keys));
  pc_ = target;
  return *this;
}
Script& Script::say(const std::string& directive) {
  text_ += "! " + directive + "\n";
  return *this;
}
Script& Script::at(std::uint64_t pc) {
  pc_ = pc;
  return *this;
}

}  // namespace pmusim::testbench::alpha
