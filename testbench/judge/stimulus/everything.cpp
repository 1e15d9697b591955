#include <utility>
#include <vector>

#include "testbench/judge/stimulus/activity_transforms.h"

namespace pmusim::testbench::questions {
namespace {

using activity::Signal;

constexpr auto accesses = static_cast<std::size_t>(Signal::register_access);
/// Values noted per state: enough for states with many values, such as register numbers.
constexpr std::size_t most_values = 64;

}  // namespace

bool Everything::is_new(const Block& block, std::size_t mode) {
  bool any = false;
  for (std::size_t s = 0; s < block.columns.size(); ++s) {
    if (s == accesses) continue;
    const std::uint64_t from = (mode << 8 | s) << 32;
    for (const activity::Occurrence& occurrence : block.columns[s])
      any |= occurrences_.insert(from | std::uint64_t{occurrence.detail} << 16 | occurrence.amount).second;
  }
  const auto note = [&](std::size_t state, std::uint64_t value) {
    if (values_[state] == most_values || !states_.insert({mode, state, value}).second) return;
    ++values_[state];
    any = true;
  };
  for (std::size_t state = 0; state < block.states.size(); ++state) {
    note(state, block.states[state].initial);
    for (const activity::Change& change : block.states[state].changes) note(state, change.value);
  }
  return any;
}

void Everything::append(Block block) {
  block.accesses.clear();
  block.columns[accesses].clear();
  const auto end = static_cast<std::uint32_t>(block.end - block.begin);
  for (activity::StateColumn& state : block.states) {  // the next block of the trace may not follow
    while (!state.changes.empty() && state.changes.back().at >= end) state.changes.pop_back();
  }
  logs_.back().append(std::move(block));
}

void Everything::add(const ActivityLog& log, std::size_t mode) {
  bool goes_on = false;
  for (const Block& block : log.blocks()) {
    const bool taken = is_new(block, mode);
    if (taken && !goes_on) logs_.emplace_back();
    if (taken) append(block);
    goes_on = taken;
  }
}

void Everything::add_whole(const ActivityLog& log) {
  logs_.emplace_back();
  for (const Block& block : log.blocks()) append(block);
}

ActivityLog Everything::log() && { return concatenated(std::move(logs_)); }

ActivityLog with_other_encodings(ActivityLog log) {
  constexpr std::uint64_t golden_ratio = 0x9e37'79b9'7f4a'7c15;
  constexpr unsigned above_a_syllable = 64 - 41;
  std::uint64_t number = 0;
  std::vector<Block> blocks = std::move(log).take();
  for (Block& block : blocks) {
    for (activity::InstructionRecord& record : block.instructions) {
      std::uint64_t bits = ++number * golden_ratio;
      bits = (bits ^ bits >> 32) * golden_ratio;
      record.encoding = bits >> above_a_syllable;
    }
  }
  return ActivityLog(std::move(blocks));
}

}  // namespace pmusim::testbench::questions
