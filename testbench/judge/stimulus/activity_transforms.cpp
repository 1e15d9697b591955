#include "testbench/judge/stimulus/activity_transforms.h"

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <utility>

#include "models/pmu/multiplexer.h"

namespace pmusim::testbench::questions {
namespace {

using activity::Occurrence;
using activity::Signal;

/// Distance between the record ids of one repetition and those of the next.
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

/// Applies `change` to the columns of every block and sorts the results by cycle.
template <class Change>
ActivityLog with_columns(const ActivityLog& log, Change change) {
  ActivityLog result;
  for (const Block& once : log.blocks()) {
    Block block = once;
    for (std::size_t s = 0; s < block.columns.size(); ++s) {
      if (static_cast<Signal>(s) == Signal::register_access) continue;
      std::vector<Occurrence>& column = block.columns[s];
      column = change(once.columns[s], once, s);
      std::stable_sort(column.begin(), column.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
    }
    result.append(std::move(block));
  }
  return result;
}

template <class Record>
void append(std::vector<Record>& records, const std::vector<Record>& more) {
  records.insert(records.end(), more.begin(), more.end());
}

/// Adds the occurrences and records of `next`, without its states, `delay` cycles after the beginning of `block`.
void add(Block& block, const Block& next, std::uint32_t delay) {
  const auto instructions = static_cast<std::uint32_t>(block.instructions.size());
  const auto requests = static_cast<std::uint32_t>(block.requests.size());
  for (std::size_t s = 0; s < block.columns.size(); ++s) {
    const std::uint32_t first = pmu::refers_to_request(static_cast<Signal>(s)) ? requests : instructions;
    for (Occurrence occurrence : next.columns[s]) {
      occurrence.at += delay;
      if (occurrence.ref != activity::no_ref) occurrence.ref += first;
      block.columns[s].push_back(occurrence);
    }
  }
  for (activity::RegisterAccess access : next.accesses) {
    access.at += delay;
    if (access.ref != activity::no_ref) access.ref += instructions;
    block.accesses.push_back(access);
  }
  append(block.instructions, next.instructions);
  append(block.requests, next.requests);
  append(block.syllables, next.syllables);
  append(block.ia64_requests, next.ia64_requests);
  append(block.alpha_instructions, next.alpha_instructions);
  for (std::size_t i = requests; i < block.ia64_requests.size(); ++i) {
    if (block.ia64_requests[i].owner != activity::no_ref) block.ia64_requests[i].owner += instructions;
  }
}

/// Appends `next`, which begins where `block` ends.
void join(Block& block, const Block& next) {
  const auto delay = static_cast<std::uint32_t>(next.begin - block.begin);
  add(block, next, delay);
  block.follow(next);
  for (std::size_t s = 0; s < block.states.size(); ++s) {
    for (const activity::Change& change : next.states[s].changes) {
      block.states[s].changes.push_back({change.at + delay, change.value});
    }
  }
  block.end = next.end;
}

/// Makes room for the records and occurrences of all blocks, each of them `times` times.
void reserve(Block& block, std::span<const Block> blocks, std::size_t times = 1) {
  const auto reserve_all = [&](auto member) {
    std::size_t all = 0;
    for (const Block& next : blocks) all += member(next).size();
    member(block).reserve(times * all);
  };
  for (std::size_t s = 0; s < block.columns.size(); ++s) reserve_all([s](auto& b) -> auto& { return b.columns[s]; });
  reserve_all([](auto& b) -> auto& { return b.instructions; });
  reserve_all([](auto& b) -> auto& { return b.requests; });
  reserve_all([](auto& b) -> auto& { return b.syllables; });
  reserve_all([](auto& b) -> auto& { return b.ia64_requests; });
  reserve_all([](auto& b) -> auto& { return b.alpha_instructions; });
}

/// One block of several that follow each other.
Block joined(std::span<const Block> blocks) {
  const Block& first = blocks.front();
  Block result;
  result.begin = result.end = first.begin;
  for (std::size_t s = 0; s < first.states.size(); ++s) result.states[s].initial = first.states[s].initial;
  reserve(result, blocks);
  for (const Block& next : blocks) join(result, next);
  return result;
}

/// The end of the blocks from `first` that become one block of at least `least` cycles.
std::size_t end_of_group(std::span<const Block> blocks, std::size_t first, Cycle least) {
  std::size_t last = first + 1;
  while (last < blocks.size() && blocks[last - 1].end - blocks[first].begin < least) ++last;
  return last;
}

/// Upper bound of the number of groups.
std::size_t most_groups(const ActivityLog& log, Cycle least) {
  return std::min<std::size_t>(log.blocks().size(), log.cycles() / std::max<Cycle>(least, 1) + 1);
}

}  // namespace

ActivityLog held(const ActivityLog& log, const std::vector<std::pair<activity::State, std::uint64_t>>& states) {
  ActivityLog result;
  for (Block block : log.blocks()) {
    for (const auto& [state, value] : states) {
      activity::StateColumn& column = block.states[static_cast<std::size_t>(state)];
      column.initial = value;
      column.changes.clear();
    }
    result.append(std::move(block));
  }
  return result;
}

ActivityLog repeated(const ActivityLog& log, unsigned times) {
  ActivityLog result;
  const auto& blocks = log.blocks();
  for (unsigned time = 0; time < times; ++time) {
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      Block block = later(blocks[i], time * log.cycles(), time * next_id);
      const bool goes_on = i + 1 == blocks.size() && time + 1 < times;
      if (goes_on) block.follow(blocks.front());
      result.append(std::move(block));
    }
  }
  return result;
}

ActivityLog repeated(const Block& once, unsigned times, Cycle least) {
  ActivityLog result;
  const Cycle cycles = once.end - once.begin;
  const auto in_a_block = static_cast<unsigned>(std::min<Cycle>(times, (least + cycles - 1) / cycles));
  for (unsigned time = 0; time < times;) {
    const unsigned end = std::min(times, time + in_a_block);
    Block block = later(once, time * cycles, time * next_id);
    reserve(block, {&once, 1}, end - time);
    while (++time < end) join(block, later(once, time * cycles, time * next_id));
    if (time < times) block.follow(once);
    result.append(std::move(block));
  }
  return result;
}

ActivityLog multiplied(const ActivityLog& log, unsigned times) {
  return with_columns(log, [times](const std::vector<Occurrence>& column, const Block& block, std::size_t) {
    const Cycle cycles = block.end - block.begin;
    std::vector<Occurrence> result;
    for (Occurrence occurrence : column) {
      result.insert(result.end(), times, occurrence);
      if (++occurrence.at < cycles) result.insert(result.end(), times, occurrence);
    }
    return result;
  });
}

ActivityLog high_occurrence(const ActivityLog& log) {
  // 254 is below the largest mask and above each mask without one of its bits.
  static constexpr std::array<std::uint16_t, 25> amounts{1,  2,  3,  4,  5,   7,   8,   9,   15, 16,  17,  31, 32,
                                                         33, 63, 64, 65, 127, 128, 129, 254, 1,  255, 256, 256};
  constexpr unsigned of_each = 4;
  constexpr Cycle length = (amounts.size() + 1) / 2 * 3;
  std::map<std::size_t, unsigned> seen;  // by signal and detail
  return with_columns(log, [&](const std::vector<Occurrence>& once, const Block& block, std::size_t signal) {
    const Cycle cycles = block.end - block.begin;
    std::vector<Occurrence> column;
    for (Occurrence occurrence : once) {
      const unsigned number = ++seen[signal << 16 | occurrence.detail];
      if (number > of_each) continue;
      if (cycles > length) occurrence.at = std::min(occurrence.at, static_cast<std::uint32_t>(cycles - length));
      // Every second sequence begins with the largest amounts, so that later state changes do not hide them.
      for (std::size_t i = 0; i < amounts.size() && occurrence.at < cycles; ++i) {
        occurrence.amount = amounts[number % 2 != 0 ? i : amounts.size() - 1 - i];
        column.push_back(occurrence);
        occurrence.at += i % 2 == 0 ? 1 : 2;
      }
    }
    return column;
  });
}

ActivityLog spread(const ActivityLog& log) {
  ActivityLog quick;
  for (Block block : log.blocks()) {
    for (activity::RequestRecord& record : block.requests) {
      if (record.end > record.start) record.start = record.end - 1;
    }
    quick.append(std::move(block));
  }
  return with_columns(quick, [](const std::vector<Occurrence>& column, const Block& block, std::size_t) {
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

ActivityLog concatenated(std::vector<ActivityLog> logs) {
  std::size_t all = 0;
  for (const ActivityLog& log : logs) all += log.blocks().size();
  std::vector<Block> blocks;
  blocks.reserve(all);  // a block has hundreds of columns to move
  std::uint64_t ids = 0;
  for (ActivityLog& log : logs) {
    for (Block& block : std::move(log).take()) {
      const Cycle delay = (blocks.empty() ? 0 : blocks.back().end) - block.begin;
      blocks.push_back(later(std::move(block), delay, ids));
    }
    ids += next_id << 8;
  }
  for (std::size_t i = 0; i + 1 < blocks.size(); ++i) blocks[i].follow(blocks[i + 1]);
  return ActivityLog(std::move(blocks));
}

ActivityLog merged(const ActivityLog& log, Cycle least) {
  const std::span<const Block> blocks = log.blocks();
  std::vector<Block> result;
  result.reserve(most_groups(log, least));
  for (std::size_t first = 0, last = 0; first < blocks.size(); first = last) {
    last = end_of_group(blocks, first, least);
    result.push_back(last - first == 1 ? blocks[first] : joined(blocks.subspan(first, last - first)));
  }
  return ActivityLog(std::move(result));
}

ActivityLog merged(ActivityLog&& log, Cycle least) {
  std::vector<Block> result;
  result.reserve(most_groups(log, least));
  std::vector<Block> blocks = std::move(log).take();
  for (std::size_t first = 0; first < blocks.size();) {
    const std::size_t last = end_of_group(blocks, first, least);
    result.push_back(last - first == 1 ? std::move(blocks[first]) : joined({blocks.data() + first, last - first}));
    for (; first < last; ++first) blocks[first] = {};  // its memory serves the next one
  }
  return ActivityLog(std::move(result));
}

}  // namespace pmusim::testbench::questions
