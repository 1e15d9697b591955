// Landmarks of activity without a trace: what plan.cpp reads from a trace is read from the activity's records here.
#include <algorithm>
#include <map>

#include "models/activity_file/reader.h"
#include "testbench/judge/question/plan.h"

namespace pmusim::testbench {
namespace {

using activity::Signal;

constexpr std::uint64_t line = 64;

std::uint64_t most_frequent(const std::map<std::uint64_t, std::uint64_t>& counts) {
  const auto most =
      std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == counts.end() ? 0 : most->first;
}

class Search {
 public:
  void consume(const activity::Block& block) {
    for (const activity::Occurrence& occurrence : block.column(Signal::retire)) {
      if (occurrence.ref < block.instructions.size()) instruction(block, occurrence.ref);
    }
    for (const Signal signal : {Signal::dcache_lookup, Signal::data_reference}) {
      for (const activity::Occurrence& occurrence : block.column(signal)) {
        if (occurrence.ref < block.requests.size()) request(block.requests[occurrence.ref]);
      }
    }
  }
  [[nodiscard]] Landmarks result() const {
    Landmarks marks = marks_;
    if (!branch_) marks.instruction = first_;
    marks.hot_code = most_frequent(code_);
    marks.hot_data = most_frequent(data_);
    return marks;
  }

 private:
  void instruction(const activity::Block& block, std::uint32_t ref) {
    const activity::InstructionRecord& record = block.instructions[ref];
    if (code_.empty()) first_ = record.ip;
    ++code_[record.ip / line * line];
    if (!branch_ && record.taken) marks_.instruction = record.next_ip;
    branch_ |= record.taken;
    const bool loads = ref < block.syllables.size() && block.syllables[ref].has(activity::ia64::Kind::integer_load);
    if (loads && marks_.load_syllable == 0) marks_.load_syllable = record.encoding;
  }
  void request(const activity::RequestRecord& record) {
    if (record.size == 0 || record.wrong_path) return;
    ++data_[record.address / line * line];
    bool& seen = record.store ? store_ : load_;
    if (seen) return;
    seen = true;
    (record.store ? marks_.store : marks_.load) = record.address;
    (record.store ? marks_.store_size : marks_.load_size) = record.size;
  }

  Landmarks marks_;
  std::uint64_t first_ = 0;
  bool branch_ = false, load_ = false, store_ = false;
  std::map<std::uint64_t, std::uint64_t> code_, data_;
};

}  // namespace

Landmarks find_landmarks_of_activity(const InputFile& file) {
  const auto reader = file.activity();
  Search search;
  activity::Block block;
  while (reader->next(block)) search.consume(block);
  return search.result();
}

}  // namespace pmusim::testbench
