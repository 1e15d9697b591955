#include "models/core/athlon/tape.h"

namespace pmusim::core::athlon {

void Tape::begin(std::uint32_t accesses_in_flight) {
  on = true;
  disturbed = false;
  next_tag = accesses_in_flight;
  lines.clear();
  accesses.clear();
  questions.clear();
  stores.clear();
  branches.clear();
  code_lines.clear();
  code_pages.clear();
  found.clear();
  requests.clear();
}

std::uint32_t Tape::line(const trace::Instruction& in) {
  if (in.annotations != nullptr) disturb();
  lines.push_back({in.code, in.next_pc(), in.taken, static_cast<std::uint16_t>(in.accesses.size())});
  for (std::size_t i = 0; i < in.accesses.size(); ++i) {
    accesses.push_back({in.accesses[i].size, in.accesses[i].store, updates(in, i)});
  }
  return std::exchange(next_tag, next_tag + static_cast<std::uint32_t>(in.accesses.size()));
}

void Tape::data(std::uint32_t tag, std::uint16_t size, bool store, bool second_half, bool word, bool octet) {
  Question& q = questions.emplace_back();
  q.kind = Question::data;
  q.tag = tag;
  q.size = size;
  q.store = store;
  q.second_half = second_half;
  q.crosses_word = word;
  q.crosses_octet = octet;
}

void Tape::data_page(std::uint32_t tag) {
  Question& q = questions.emplace_back();
  q.kind = Question::data_page;
  q.tag = tag;
}

void Tape::words(std::uint32_t tag, std::uint16_t size, std::uint32_t other, std::uint16_t other_size, bool meet) {
  Question& q = questions.emplace_back();
  q.kind = Question::words;
  q.tag = tag;
  q.size = size;
  q.first = other;
  q.count = other_size;
  q.depends = meet;
}

void Tape::banks(std::uint32_t tag, bool second_half, std::uint32_t other, bool other_half, bool meet) {
  words(tag, 0, other, other_half ? 1 : 0, meet);
  questions.back().kind = Question::banks;
  questions.back().second_half = second_half;
}

void Tape::begin_order(std::uint32_t tag, std::uint16_t size, bool depends, bool forwards) {
  Question& q = questions.emplace_back();
  q.kind = Question::order;
  q.tag = tag;
  q.size = size;
  q.depends = depends;
  q.forwards = depends && forwards;
  q.first = static_cast<std::uint32_t>(stores.size());
}

void Tape::add_order(std::uint32_t tag, std::uint16_t size, bool high_byte) {
  stores.push_back({tag, size, high_byte});
  ++questions.back().count;
}

void Tape::request(std::uint64_t id, std::uint32_t tag) { requests.emplace_back(id, tag); }

void Tape::code_line(std::uint64_t pc) { use(code_lines, pc); }

void Tape::code_page(std::uint64_t page) { use(code_pages, page); }

void Tape::find(std::uint64_t pc, const StaticCode* code) { found.emplace_back(pc, code); }

void Tape::predict(const StaticCode& code, const Prediction& answer) {
  branches.push_back({BranchStep::predict, &code, answer, {}});
}

void Tape::train(const StaticCode& code, std::uint32_t counter, bool taken, std::uint64_t target) {
  branches.push_back({BranchStep::train, &code, {target, counter, taken, false, 0}, {}});
}

void Tape::restore(const PredictorState& state) { branches.push_back({BranchStep::restore, nullptr, {}, state}); }

}  // namespace pmusim::core::athlon
