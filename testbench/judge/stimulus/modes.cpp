#include "testbench/judge/stimulus/modes.h"

#include <map>
#include <utility>
#include <vector>

#include "testbench/judge/stimulus/activity_transforms.h"

namespace pmusim::testbench::questions {

namespace {

using Operands = std::vector<std::pair<std::string, std::string>>;

trace::Directive directive(std::string name, Operands operands) { return {std::move(name), std::move(operands), 0}; }
trace::Directive level(const char* number) { return directive("cpl", {{"", number}}); }

// Amounts in a cycle: the number of threshold steps of the plan plus one.
std::vector<Mode> modes_i386() { return {{"", {}, 4}, {"system", {level("0")}, 4}}; }

std::vector<Mode> modes_ppc() {
  const auto msr = [](const char* pr, const char* pm, const char* ee) {
    return std::vector{directive("msr", {{"pr", pr}, {"pm", pm}, {"ee", ee}})};
  };
  return {{"", {}, 1},
          {"system", msr("0", "0", "1"), 1},
          {"marked", msr("1", "1", "1"), 1},
          {"marked system", msr("0", "1", "1"), 1},
          {"interrupts held", msr("1", "0", "0"), 1}};
}

// The manual limits the occurrences of each event per cycle, so occurrences are not multiplied.
std::vector<Mode> modes_ia64() { return {{"", {}, 0}}; }

// Many system events occur in few modes, but a filter must work in all of them.
std::vector<Mode> modes_alpha() {
  using activity::State;
  const auto mode = [](const char* name, std::uint64_t cpl, std::uint64_t pal, std::uint64_t marked) {
    return Mode{name, {}, 0, {{State::cpl, cpl}, {State::pal_mode, pal}, {State::process_marked, marked}}};
  };
  return {{"", {}, 0},
          mode("kernel", 0, 0, 0),
          mode("executive", 1, 0, 0),
          mode("supervisor", 2, 0, 0),
          mode("user", 3, 0, 0),
          mode("PALmode", 0, 1, 0),
          mode("marked", 3, 0, 1),
          mode("marked kernel", 0, 0, 1),
          mode("marked executive", 1, 0, 1),
          mode("marked supervisor", 2, 0, 1),
          mode("marked PALmode", 0, 1, 1),
          {"marked process", {}, 0, {{State::process_marked, 1}}}};
}

class ModeReader final : public trace::Reader {
 public:
  ModeReader(std::unique_ptr<trace::Reader> trace, const Mode& mode) : trace_(std::move(trace)), mode_(mode) {}
  const trace::TraceInfo& info() const override { return trace_->info(); }
  std::span<const trace::Item> read() override {
    if (at_ == mode_.directives.size()) return trace_->read();
    first_.directive = &mode_.directives[at_++];
    return {&first_, 1};
  }
  const trace::Code* find(std::uint64_t pc) const override { return trace_->find(pc); }
  std::uint32_t code_count() const override { return trace_->code_count(); }

 private:
  std::unique_ptr<trace::Reader> trace_;
  const Mode& mode_;
  std::size_t at_ = 0;
  trace::Item first_;
};

}  // namespace

std::span<const Mode> modes_of(trace::Isa isa) {
  static const std::map<trace::Isa, std::vector<Mode>> modes{{trace::Isa::i386, modes_i386()},
                                                             {trace::Isa::ppc, modes_ppc()},
                                                             {trace::Isa::ia64, modes_ia64()},
                                                             {trace::Isa::alpha, modes_alpha()}};
  static const std::vector<Mode> others{{"", {}, 0}};
  const auto found = modes.find(isa);
  return found == modes.end() ? others : found->second;
}

std::unique_ptr<trace::Reader> in_mode(std::unique_ptr<trace::Reader> trace, const Mode& mode) {
  if (mode.directives.empty()) return trace;
  return std::make_unique<ModeReader>(std::move(trace), mode);
}

namespace {

using activity::State;
namespace psr = activity::ia64::psr;

/// Each level with all monitors on, with only one kind on, and the same as IA-32 code. The first and the last context
/// are unchanged, so that counters come near their overflow. The other thread comes last, because some cores have none.
std::vector<PrivilegeContext> all_contexts(unsigned threads) {
  std::vector<PrivilegeContext> contexts;
  for (const std::uint64_t flipped :
       {std::uint64_t{0}, psr::up, psr::pp, psr::is, psr::is | psr::up, psr::is | psr::pp}) {
    for (const std::uint64_t cpl : {0, 3, 2, 1}) contexts.push_back({.cpl = cpl, .psr = flipped});
  }
  contexts.emplace_back();
  for (const std::uint64_t cpl : {0, 3, 2, 1}) {
    if (threads > 1) contexts.push_back({.cpl = cpl, .thread = 1});
  }
  return contexts;
}

/// Inverts bits of a state. A change at the end of a block repeats the initial value of the next block; it is removed
/// and made again.
void flip(Block& block, State state, std::uint64_t bits) {
  activity::StateColumn& column = block.states[static_cast<std::size_t>(state)];
  const auto end = static_cast<std::uint32_t>(block.end - block.begin);
  if (!column.changes.empty() && column.changes.back().at >= end) column.changes.pop_back();
  column.initial ^= bits;
  for (activity::Change& change : column.changes) change.value ^= bits;
}

void play(Block& block, const PrivilegeContext& context) {
  for (const State state : {State::cpl, State::background_cpl}) flip(block, state, context.cpl);
  for (const State state : {State::psr, State::background_psr}) flip(block, state, context.psr);
  flip(block, State::thread, context.thread);
  const auto thread = static_cast<std::uint8_t>(context.thread);
  for (activity::InstructionRecord& record : block.instructions) record.thread ^= thread;
  for (activity::RequestRecord& record : block.requests) record.thread ^= thread;
}

}  // namespace

unsigned privilege_contexts(unsigned threads) { return static_cast<unsigned>(all_contexts(threads).size()); }

PrivilegeContext privilege_context(unsigned threads, unsigned context) { return all_contexts(threads)[context]; }

ActivityLog in_context(ActivityLog log, unsigned threads, unsigned context) {
  const PrivilegeContext other = privilege_context(threads, context);
  std::vector<Block> blocks = std::move(log).take();
  for (Block& block : blocks) play(block, other);
  for (std::size_t i = 0; i + 1 < blocks.size(); ++i) blocks[i].follow(blocks[i + 1]);
  return ActivityLog(std::move(blocks));
}

}  // namespace pmusim::testbench::questions
