#include "testbench/questions/roles.h"

#include <utility>
#include <vector>

#include "testbench/questions/echoes.h"

namespace pmusim::testbench::questions {

namespace {

using activity::State;
namespace psr = activity::ia64::psr;

/// What is flipped in the states.
struct Role {
  std::uint64_t cpl = 0, psr = 0, thread = 0;
};
/// At each level, with all monitors on, with one kind alone, and so as IA-32 code; as it is at both ends, so that
/// counters come near their overflow. The other thread comes last, others have it not.
std::vector<Role> all_roles(unsigned threads) {
  std::vector<Role> roles;
  for (const std::uint64_t flipped :
       {std::uint64_t{0}, psr::up, psr::pp, psr::is, psr::is | psr::up, psr::is | psr::pp}) {
    for (const std::uint64_t cpl : {0, 3, 2, 1}) roles.push_back({.cpl = cpl, .psr = flipped});
  }
  roles.emplace_back();
  for (const std::uint64_t cpl : {0, 3, 2, 1}) {
    if (threads > 1) roles.push_back({.cpl = cpl, .thread = 1});
  }
  return roles;
}

/// Changes at the end of a block tell what the next one begins with, and are made anew.
void flip(Block& block, State state, std::uint64_t bits) {
  activity::StateColumn& column = block.states[static_cast<std::size_t>(state)];
  const auto end = static_cast<std::uint32_t>(block.end - block.begin);
  if (!column.changes.empty() && column.changes.back().at >= end) column.changes.pop_back();
  column.initial ^= bits;
  for (activity::Change& change : column.changes) change.value ^= bits;
}

void play(Block& block, const Role& role) {
  for (const State state : {State::cpl, State::background_cpl}) flip(block, state, role.cpl);
  for (const State state : {State::psr, State::background_psr}) flip(block, state, role.psr);
  flip(block, State::thread, role.thread);
  const auto thread = static_cast<std::uint8_t>(role.thread);
  for (activity::InstructionRecord& record : block.instructions) record.thread ^= thread;
  for (activity::RequestRecord& record : block.requests) record.thread ^= thread;
}

/// Each block begins as the one before ends.
ActivityLog linked(std::vector<Block> blocks) {
  ActivityLog result;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (i + 1 < blocks.size()) blocks[i].follow(blocks[i + 1]);
    result.append(blocks[i]);
  }
  return result;
}

}  // namespace

unsigned roles(unsigned threads) { return static_cast<unsigned>(all_roles(threads).size()); }

ActivityLog in_role(const ActivityLog& log, unsigned threads, unsigned role) {
  std::vector<Block> blocks = log.blocks();
  for (Block& block : blocks) play(block, all_roles(threads)[role]);
  return linked(std::move(blocks));
}

ActivityLog in_all_roles(const ActivityLog& log, unsigned threads) {
  const std::vector<Role> list = all_roles(threads);
  const ActivityLog all = repeated(log, static_cast<unsigned>(list.size()));
  std::vector<Block> blocks = all.blocks();
  for (std::size_t i = 0; i < blocks.size(); ++i) play(blocks[i], list[i / log.blocks().size()]);
  return linked(std::move(blocks));
}

}  // namespace pmusim::testbench::questions
