#include "testbench/tests/list_models/alpha_lists.h"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "testbench/tests/core_alpha/words.h"
#include "testbench/tests/list_models/cycles.h"
#include "testbench/tests/list_models/programs.h"

namespace pmusim::testbench::alpha::lists {

namespace {

/// What these name is not looked at.
constexpr std::array unnamed_signals = {Signal::line_evict, Signal::system_command, Signal::pin_assert};
constexpr std::array named_signals = {
    Signal::fetch,       Signal::translation,  Signal::dcache_lookup, Signal::load_return,
    Signal::load_merged, Signal::line_request, Signal::line_fill,     Signal::l2_lookup,
    Signal::l3_lookup,   Signal::read_miss,    Signal::bcache_fill,   Signal::branch_resolved,
    Signal::replay_trap, Signal::kill,         Signal::retire,        Signal::instruction_fetch,
    Signal::pal_entry,   Signal::issue};

std::int64_t extended(std::uint64_t value, unsigned bits) {
  const std::uint64_t sign = std::uint64_t{1} << (bits - 1);
  return static_cast<std::int64_t>(((value & (2 * sign - 1)) ^ sign) - sign);
}

Command command_of(const trace::Directive& directive) {
  constexpr std::array<const char*, 6> names = {"read", "flush", "invalidate", "set_shared", "probe", "other"};
  Command command;
  command.address = address(directive);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (operand(directive, "kind") == names[i]) command.kind = static_cast<act::SystemCommand>(i);
  }
  return command;
}

}  // namespace

Word::Flow Word::flow() const {
  constexpr std::array jumps = {Flow::jmp, Flow::jsr, Flow::ret, Flow::coroutine};
  switch (opcode()) {
    case 0x00:  // call_pal
    case 0x1e:  // hw_rei, hw_ret
      return Flow::leaves;
    case 0x1a:
      return jumps[bits >> 14 & 3];
    case 0x30:
      return Flow::br;
    case 0x34:
      return Flow::bsr;
    default:
      return opcode() > 0x30 ? Flow::conditional : Flow::other;
  }
}

std::uint64_t Word::target() const {
  const bool jump = opcode() == 0x1a;
  return pc + 4 + 4 * static_cast<std::uint64_t>(extended(bits, jump ? 14 : 21));
}

bool Word::loads() const {
  const unsigned op = opcode();
  if (op == 0x0b && (bits >> 21 & 31) == 31) return false;  // UNOP
  return op == 0x0a || op == 0x0b || op == 0x0c || (op >= 0x20 && op <= 0x23) || (op >= 0x28 && op <= 0x2b);
}

bool Word::stores() const {
  const unsigned op = opcode();
  return (op >= 0x0d && op <= 0x0f) || (op >= 0x24 && op <= 0x27) || (op >= 0x2c && op <= 0x2f);
}

Program::Program(trace::Reader& reader) {
  for (trace::Item item; reader.next(item);) {
    if (item.directive != nullptr) {
      if (item.directive->name == "snoop") commands.push_back(command_of(*item.directive));
      continue;
    }
    const trace::Instruction& in = item.instruction;
    Step step;
    step.word.pc = in.code->pc;
    for (unsigned i = 0; i < 4; ++i) step.word.bits |= std::uint32_t{in.code->bytes[i]} << 8 * i;
    step.taken = in.taken;
    step.next = in.next_pc();
    step.access = accesses.size();
    step.accesses = in.accesses.size();
    accesses.insert(accesses.end(), in.accesses.begin(), in.accesses.end());
    steps.push_back(step);
  }
}

const trace::Access* Program::access_of(const Step& step) const {
  const trace::Access* found = nullptr;
  for (std::size_t i = step.access; i != step.access + step.accesses; ++i) {
    if (accesses[i].store ? step.word.stores() : step.word.loads()) found = &accesses[i];
  }
  return found;
}

void watch(core::Core& core, std::span<Watcher* const> watchers) {
  std::vector<Signal> signals(named_signals.begin(), named_signals.end());
  signals.insert(signals.end(), unnamed_signals.begin(), unnamed_signals.end());
  activity::Subscription subscription;
  for (const Signal signal : signals) subscription.add_named(signal);
  core.subscribe(subscription);
  std::vector<Seen> seen;
  core_cycles::each_cycle(core, signals, [&](const core_cycles::CycleView& view) {
    seen.clear();
    for (const Signal signal : signals) {
      for (const activity::Occurrence& o : view.of(signal)) {
        Seen s{signal, o.detail, nullptr, nullptr, nullptr};
        const bool named = std::find(unnamed_signals.begin(), unnamed_signals.end(), signal) == unnamed_signals.end();
        if (named && o.ref != activity::no_ref && activity::refers_to_request(signal)) {
          s.request = &view.block->requests[o.ref];
        } else if (named && o.ref != activity::no_ref) {
          s.instruction = &view.block->instructions[o.ref];
          s.more = &view.block->alpha_instructions[o.ref];
        }
        seen.push_back(s);
      }
    }
    for (Watcher* const w : watchers) w->cycle(view.cycle, seen);
    return true;
  });
  for (Watcher* const w : watchers) w->finish();
}

std::string at(Cycle cycle) { return fmt::format("cycle {}: ", cycle); }

namespace {

constexpr std::uint64_t code = 0x10000, data = 0x80000;
constexpr std::uint32_t memory_barrier = 0x60004000, write_barrier = 0x60004400;

class Generator {
 public:
  explicit Generator(const Mixture& m) : mixture_(m), draw_(m.seed) {}
  std::string text() {
    for (unsigned i = 0; i < mixture_.instructions; ++i) {
      if (mixture_.command_in != 0 && draw_.below(mixture_.command_in) == 0) command();
      instruction();
    }
    return text_;
  }

 private:
  std::uint64_t place() { return code + draw_.below(mixture_.code_bytes / 4) * 4; }
  std::uint64_t address() {
    // Half of the accesses meet in one part of the data, where blocks are used again before they are replaced.
    const std::uint64_t bytes = draw_.below(2) == 0 ? mixture_.data_bytes / 16 : mixture_.data_bytes;
    return data + draw_.below(bytes / 8) * 8;
  }
  void command() {
    constexpr std::array kinds = {"read", "flush", "invalidate", "set_shared", "probe", "other"};
    text_ += fmt::format("! snoop kind={} addr={:x}\n", kinds[draw_.below(kinds.size())], address());
  }
  void line(const std::string& word, const std::string& rest = "") {
    text_ += fmt::format("{:x} {}{}\n", pc_, word, rest);
    pc_ += 4;
  }
  void go(const std::string& word, std::uint64_t target) {
    line(word, fmt::format(" T {:x}", target));
    pc_ = target;
  }

  void instruction() {
    // What stands at an address depends on the address alone.
    Draw fixed(pc_ * 31 + mixture_.seed);
    const std::uint64_t kind = fixed.below(100), back = pc_ + 4;
    const auto a = static_cast<unsigned>(fixed.below(8)), b = static_cast<unsigned>(fixed.below(8));
    const std::uint64_t target = code + fixed.below(mixture_.code_bytes / 4) * 4;
    const int distance = (static_cast<int>(target) - static_cast<int>(back)) / 4;
    const unsigned condition = fixed.below(2) == 0 ? 0x39 : 0x3d;
    const bool taken = draw_.below(8) < fixed.below(9);
    const auto jump = [&](unsigned type) {
      return memory(0x1a, 26, 27, static_cast<int>(type << 14 | (static_cast<unsigned>(distance) & 0x3fff)));
    };
    if (back == code + mixture_.code_bytes) return go(branch(0x30, 31, distance), target);
    if (kind < 30) return line(ldq(a, 9), fmt::format(" L {:x} 8", address()));
    if (kind < 48) return line(stq(a, 9), fmt::format(" S {:x} 8", address()));
    if (kind < 60) return taken ? go(branch(condition, a, distance), target) : line(branch(condition, a, distance));
    if (kind < 61) return go(branch(0x30, 31, distance), target);
    if (kind < 63) return call(branch(0x34, 26, distance), target, back);
    if (kind < 64) return go(jump(0), draw_.below(2) == 0 ? target : place());
    if (kind < 65) return call(jump(1), draw_.below(2) == 0 ? target : place(), back);
    if (kind < 68) return go(jump(2), returns());
    if (kind < 69) {
      const std::uint64_t to = returns();
      return call(jump(3), to, back);
    }
    if (kind < 70) return line(word(fixed.below(2) == 0 ? memory_barrier : write_barrier));
    line(kind < 75 ? mulq(a, b, a) : kind < 78 ? cmov(a, b, a) : addq(a, b, a));
  }
  void call(const std::string& word, std::uint64_t target, std::uint64_t back) {
    calls_.push_back(back);
    go(word, target);
  }
  /// Where a return goes: to its call, mostly.
  std::uint64_t returns() {
    if (calls_.empty() || draw_.below(8) == 0) return place();
    const std::uint64_t back = calls_.back();
    calls_.pop_back();
    return back;
  }

  Mixture mixture_;
  Draw draw_;
  std::uint64_t pc_ = code;
  std::vector<std::uint64_t> calls_;
  std::string text_;
};

}  // namespace

std::string text_of(const Mixture& mixture) { return Generator(mixture).text(); }

}  // namespace pmusim::testbench::alpha::lists
