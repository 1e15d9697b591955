#include "alpha_log.h"

#include <fmt/format.h>

namespace pmusim::testbench::alpha {
namespace {

bool same_instruction(const AlphaOccurrence& a, const AlphaOccurrence& b) {
  const auto& x = a.instruction;
  const auto& y = b.instruction;
  return x.id == y.id && x.ip == y.ip && x.next_ip == y.next_ip && x.encoding == y.encoding && x.tagged == y.tagged &&
         x.traits == y.traits && x.wrong_path == y.wrong_path && x.predicted_taken == y.predicted_taken &&
         x.taken == y.taken && x.mispredicted == y.mispredicted && a.more.kinds == b.more.kinds &&
         a.more.inum_delay == b.more.inum_delay && a.more.pal == b.more.pal &&
         a.more.fill_stream == b.more.fill_stream && a.more.map_stalled == b.more.map_stalled &&
         a.more.killed_early == b.more.killed_early && a.more.trap == b.more.trap && a.more.replay == b.more.replay;
}

}  // namespace

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

// A record of a block holds all that is known at the end of the block, so its later fields depend on the cut. Fields
// that are valid at the signal itself must be equal.
bool operator==(const AlphaLog& a, const AlphaLog& b) {
  const auto same = [](Signal signal, const AlphaOccurrence& x, const AlphaOccurrence& y) {
    if (x.cycle != y.cycle || x.detail != y.detail || x.amount != y.amount || x.named != y.named) return false;
    if (x.instruction.id != y.instruction.id || x.instruction.ip != y.instruction.ip ||
        x.instruction.tagged != y.instruction.tagged || x.request.id != y.request.id ||
        x.request.address != y.request.address) {
      return false;
    }
    const bool final = signal == Signal::retire || signal == Signal::kill;
    return !final || same_instruction(x, y);
  };
  return a.same_states(b) && a.same_occurrences(b, same);
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
