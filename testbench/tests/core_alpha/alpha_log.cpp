#include "alpha_log.h"

#include <fmt/format.h>

namespace pmusim::testbench::alpha {
std::vector<AlphaOccurrence> AlphaLog::of(Signal signal, std::uint64_t id) const {
  std::vector<AlphaOccurrence> found;
  for (const AlphaOccurrence& h : of(signal)) {
    if (h.named && h.instruction.id == id) found.push_back(h);
  }
  return found;
}

std::vector<Cycle> AlphaLog::cycles(Signal signal, std::uint64_t id) const {
  std::vector<Cycle> found;
  for (const AlphaOccurrence& h : of(signal, id)) found.push_back(h.cycle);
  return found;
}

void AlphaLog::append(const activity::Block& block) {
  EXPECT_EQ(block.alpha_instructions.size(), block.instructions.size());
  append_block(block, [&](AlphaOccurrence& h, Signal signal, const activity::Occurrence& o) {
    if (h.named && !activity::refers_to_request(signal)) h.more = block.alpha_instructions.at(o.ref);
  });
}

AlphaLog run(core::Core& core, Cycle cycles) { return log_of<AlphaLog>(core, cycles); }

AlphaLog run(Factory make, const std::string& text, const models::Parameters& parameters, Cycle cycles) {
  return run(*make(reader_of(text, trace::Isa::alpha), parameters), cycles);
}

Script& Script::add(const std::string& word, const std::string& rest) {
  text_ += fmt::format("{:x} {}{}{} fetch=l1 itlb=hit\n", pc_, word, rest.empty() ? "" : " ", rest);
  pc_ += 4;
  return *this;
}
Script& Script::add(unsigned count, const std::string& word) {
  for (unsigned i = 0; i < count; ++i) add(word);
  return *this;
}
Script& Script::load(const std::string& word, std::uint64_t address, unsigned size, const std::string& keys) {
  return add(word, fmt::format("L {:x} {} {}", address, size, keys));
}
Script& Script::store(const std::string& word, std::uint64_t address, unsigned size, const std::string& keys) {
  return add(word, fmt::format("S {:x} {} {}", address, size, keys));
}
Script& Script::go(const std::string& word, std::uint64_t target, const std::string& keys) {
  add(word, fmt::format("T {:x}{}{}", target, keys.empty() ? "" : " ", keys));
  pc_ = target;
  return *this;
}
}  // namespace pmusim::testbench::alpha
