#include "testbench/judge/stimulus/privilege_contexts.h"

#include <utility>
#include <vector>

#include "testbench/judge/stimulus/activity_transforms.h"

namespace pmusim::testbench::questions {

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
