#include "testbench/mutate/echoes.h"

#include <algorithm>

namespace pmusim::testbench::mutate {
namespace {

using activity::Occurrence;
using activity::Signal;

/// What keeps the records of a repetition apart from those before.
constexpr std::uint64_t next_id = std::uint64_t{1} << 40;

Block later(Block block, Cycle delay, std::uint64_t ids) {
  block.begin += delay;
  block.end += delay;
  for (activity::InstructionRecord& record : block.instructions) {
    record.id += ids;
    record.tagged += delay;
  }
  for (activity::RequestRecord& record : block.requests) {
    record.id += ids;
    record.instruction += ids;
    record.start += delay;
    record.end += delay;
  }
  return block;
}

/// Every block with its columns changed, and put in the order of cycles again.
template <class Change>
ActivityLog with_columns(const ActivityLog& log, Change change) {
  ActivityLog result;
  for (const Block& once : log.blocks()) {
    Block block = once;
    for (std::size_t s = 0; s < block.columns.size(); ++s) {
      if (static_cast<Signal>(s) == Signal::register_access) continue;
      std::vector<Occurrence>& column = block.columns[s];
      column = change(once.columns[s], once);
      std::stable_sort(column.begin(), column.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
    }
    result.append(block);
  }
  return result;
}

}  // namespace

ActivityLog repeated(const ActivityLog& log, unsigned times) {
  ActivityLog result;
  const auto& blocks = log.blocks();
  for (unsigned time = 0; time < times; ++time) {
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      Block block = later(blocks[i], time * log.cycles(), time * next_id);
      const bool goes_on = i + 1 == blocks.size() && time + 1 < times;
      if (goes_on) block.follow(later(blocks.front(), (time + 1) * log.cycles(), 0));
      result.append(block);
    }
  }
  return result;
}

ActivityLog multiplied(const ActivityLog& log, unsigned times) {
  return with_columns(log, [times](const std::vector<Occurrence>& column, const Block& block) {
    const Cycle cycles = block.end - block.begin;
    std::vector<Occurrence> result;
    for (Occurrence occurrence : column) {
      result.insert(result.end(), times, occurrence);
      if (++occurrence.at < cycles) result.insert(result.end(), times, occurrence);
    }
    return result;
  });
}

ActivityLog spread(const ActivityLog& log) {
  ActivityLog quick;
  for (Block block : log.blocks()) {
    for (activity::RequestRecord& record : block.requests) {
      if (record.end > record.start) record.start = record.end - 1;
    }
    quick.append(block);
  }
  return with_columns(quick, [](const std::vector<Occurrence>& column, const Block& block) {
    constexpr Cycle step = 31, reach = 97;
    const Cycle cycles = block.end - block.begin;
    std::vector<Occurrence> result = column;
    Cycle number = block.begin / cycles;
    for (Occurrence& occurrence : result) {
      const auto distance = static_cast<std::uint32_t>(++number * step % reach);
      if (number % 2 == 0 && occurrence.at >= distance) {
        occurrence.at -= distance;
      } else if (occurrence.at + distance < cycles) {
        occurrence.at += distance;
      }
    }
    return result;
  });
}

}  // namespace pmusim::testbench::mutate
