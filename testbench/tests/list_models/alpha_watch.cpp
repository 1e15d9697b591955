#include <fmt/format.h>

#include <array>

#include "testbench/tests/list_models/alpha_lists.h"

namespace pmusim::testbench::alpha::lists {
namespace {

constexpr std::array request_signals = {Signal::fetch,       Signal::translation, Signal::dcache_lookup,
                                        Signal::load_return, Signal::load_merged, Signal::line_request,
                                        Signal::line_fill,   Signal::l2_lookup,   Signal::l3_lookup,
                                        Signal::read_miss,   Signal::bcache_fill};
constexpr std::array instruction_signals = {
    Signal::branch_resolved,   Signal::replay_trap, Signal::kill, Signal::retire,
    Signal::instruction_fetch, Signal::pal_entry,   Signal::issue};
constexpr std::array unnamed_signals = {Signal::line_evict, Signal::system_command, Signal::pin_assert};

std::int64_t extended(std::uint64_t value, unsigned bits) {
  const std::uint64_t sign = std::uint64_t{1} << (bits - 1);
  return static_cast<std::int64_t>(((value & (2 * sign - 1)) ^ sign) - sign);
}

std::string operand(const trace::Directive& directive, const char* key) {
  for (const auto& [name, value] : directive.operands) {
    if (name == key) return value;
  }
  return {};
}

Command command_of(const trace::Directive& directive) {
  constexpr std::array<const char*, 6> names = {"read", "flush", "invalidate", "set_shared", "probe", "other"};
  Command command;
  command.address = std::stoull(operand(directive, "addr"), nullptr, 16);
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
  struct Column {
    Signal signal;
    bool request = false, instruction = false;
    std::size_t next = 0;
  };
  std::vector<Column> columns;
  activity::Subscription subscription;
  for (const Signal s : request_signals) columns.push_back({s, true, false});
  for (const Signal s : instruction_signals) columns.push_back({s, false, true});
  for (const Signal s : unnamed_signals) columns.push_back({s});
  for (const Column& c : columns) subscription.add_named(c.signal);
  core.subscribe(subscription);

  activity::Block block;
  std::vector<Seen> seen;
  for (bool more = true; more;) {
    block.restart(core.now());
    more = core.run(core.now() + 50000, block);
    for (Column& c : columns) c.next = 0;
    while (true) {
      constexpr std::uint32_t none = ~std::uint32_t{0};
      std::uint32_t at = none;
      for (const Column& c : columns) {
        const auto& list = block.column(c.signal);
        if (c.next != list.size()) at = std::min(at, list[c.next].at);
      }
      if (at == none) break;
      seen.clear();
      for (Column& c : columns) {
        const auto& list = block.column(c.signal);
        for (; c.next != list.size() && list[c.next].at == at; ++c.next) {
          const activity::Occurrence& o = list[c.next];
          Seen s{c.signal, o.detail, nullptr, nullptr, nullptr};
          if (c.request && o.ref != activity::no_ref) s.request = &block.requests[o.ref];
          if (c.instruction && o.ref != activity::no_ref) {
            s.instruction = &block.instructions[o.ref];
            s.more = &block.alpha_instructions[o.ref];
          }
          seen.push_back(s);
        }
      }
      for (Watcher* const w : watchers) w->cycle(block.begin + at, seen);
    }
  }
  for (Watcher* const w : watchers) w->finish();
}

std::string at(Cycle cycle) { return fmt::format("cycle {}: ", cycle); }

}  // namespace pmusim::testbench::alpha::lists
