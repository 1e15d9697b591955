// Landmarks of traces, and of activity without a trace, whose records tell the same.
#include <algorithm>
#include <map>
#include <optional>

#include "models/activity_file/reader.h"
#include "pmusim/trace/reader.h"
#include "testbench/judge/question/plan.h"

namespace pmusim::testbench {
namespace {

using activity::Signal;

constexpr std::uint64_t block = ~std::uint64_t{63};

/// Bits of slot `slot` of a bundle, 41 of them after the template's five.
std::uint64_t syllable_of(const trace::Code& code, unsigned slot) {
  std::uint64_t bits = 0;
  for (unsigned i = 0; i < 41; ++i) {
    const unsigned at = 5 + 41 * slot + i;
    bits |= std::uint64_t{(code.bytes[at / 8] >> at % 8 & 1u)} << i;
  }
  return bits;
}

/// Counts 64-byte blocks.
class Blocks {
 public:
  void count(std::uint64_t address) { ++counts_[address & block]; }
  /// Address of the block with the highest count; the lowest address among equals.
  [[nodiscard]] std::uint64_t hottest() const {
    const auto most = std::max_element(counts_.begin(), counts_.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == counts_.end() ? 0 : most->first;
  }

 private:
  std::map<std::uint64_t, std::uint64_t> counts_;
};

/// Finds the places of the first instructions and accesses, which are given in their order.
class Search {
 public:
  void instruction(std::uint64_t address, bool taken, std::uint64_t target) {
    if (!first_) first_ = address;
    if (!branch_ && taken) branch_ = target;
  }
  void access(bool store, std::uint64_t address, std::uint32_t size) {
    bool& seen = store ? store_ : load_;
    if (seen) return;
    seen = true;
    (store ? marks_.store : marks_.load) = address;
    (store ? marks_.store_size : marks_.load_size) = size;
  }
  [[nodiscard]] bool done() const { return branch_ && load_ && store_; }
  [[nodiscard]] Landmarks result() const {
    Landmarks marks = marks_;
    marks.instruction = branch_.value_or(first_.value_or(0));
    return marks;
  }

 private:
  Landmarks marks_;
  std::optional<std::uint64_t> first_, branch_;
  bool load_ = false, store_ = false;
};

void find_ia64_landmarks(const InputFile& trace, Landmarks& marks) {
  constexpr std::uint64_t lines_read = 20'000;
  Blocks code, data;
  const auto reader = trace.trace();
  trace::Item item;
  for (std::uint64_t lines = 0; lines < lines_read && reader->next(item);) {
    if (item.directive != nullptr) continue;
    ++lines;
    code.count(item.instruction.code->pc);
    for (const trace::Access& access : item.instruction.accesses) {
      data.count(access.address);
      if (!access.store && marks.load_syllable == 0)
        marks.load_syllable = syllable_of(*item.instruction.code, access.slot);
    }
  }
  // The range must end within the address space, so its last bytes are excluded.
  constexpr std::uint64_t highest = block << 20;
  marks.hot_code = std::min(code.hottest(), highest);
  marks.hot_data = std::min(data.hottest(), highest);
}

}  // namespace

Landmarks find_landmarks(const InputFile& trace) {
  Search search;
  const auto reader = trace.trace();
  for (trace::Item item; !search.done() && reader->next(item);) {
    if (item.directive != nullptr) continue;
    const trace::Instruction& instruction = item.instruction;
    search.instruction(instruction.code->pc, instruction.taken, instruction.target);
    for (const trace::Access& access : instruction.accesses) search.access(access.store, access.address, access.size);
  }
  Landmarks marks = search.result();
  if (reader->info().isa == trace::Isa::ia64) find_ia64_landmarks(trace, marks);
  return marks;
}

Landmarks find_landmarks_of_activity(const InputFile& file) {
  Search search;
  Blocks code, data;
  std::uint64_t load_syllable = 0;
  const auto reader = file.activity();
  for (activity::Block block; reader->next(block);) {
    for (const activity::Occurrence& occurrence : block.column(Signal::retire)) {
      if (occurrence.ref >= block.instructions.size()) continue;
      const activity::InstructionRecord& record = block.instructions[occurrence.ref];
      search.instruction(record.ip, record.taken, record.next_ip);
      code.count(record.ip);
      const bool loads = occurrence.ref < block.syllables.size() &&
                         block.syllables[occurrence.ref].has(activity::ia64::Kind::integer_load);
      if (loads && load_syllable == 0) load_syllable = record.encoding;
    }
    for (const Signal signal : {Signal::dcache_lookup, Signal::data_reference}) {
      for (const activity::Occurrence& occurrence : block.column(signal)) {
        if (occurrence.ref >= block.requests.size()) continue;
        const activity::RequestRecord& record = block.requests[occurrence.ref];
        if (record.size == 0 || record.wrong_path) continue;
        search.access(record.store, record.address, record.size);
        data.count(record.address);
      }
    }
  }
  Landmarks marks = search.result();
  marks.load_syllable = load_syllable;
  marks.hot_code = code.hottest();
  marks.hot_data = data.hottest();
  return marks;
}

}  // namespace pmusim::testbench
