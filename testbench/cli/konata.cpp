#include "testbench/cli/konata.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "testbench/explain/disassembler.h"

namespace pmusim::testbench {
namespace {

using activity::Block;
using activity::Cycle;
using activity::Signal;

struct Stage {
  Signal signal;
  char name;
};
constexpr std::array stages{Stage{Signal::dispatch, 'D'}, Stage{Signal::issue, 'X'}, Stage{Signal::finish, 'C'}};

std::string text_of(trace::Isa isa, const activity::InstructionRecord& record) {
  trace::Code code;
  code.pc = record.ip;
  code.length = static_cast<std::uint8_t>(record.length);
  for (unsigned i = 0; i < 8; ++i) code.bytes[i] = static_cast<std::uint8_t>(record.encoding >> (8 * i));
  const bool whole = isa != trace::Isa::ia64 && record.length <= 8;  // the encoding of a syllable is not a whole bundle
  return fmt::format("0x{:x}{}{}", record.ip, isa == trace::Isa::ia64 ? fmt::format(".{}", record.slot) : "",
                     whole ? ' ' + instruction_text(code, isa, 0) : "");
}

}  // namespace

KonataWriter::KonataWriter(const std::string& file, trace::Isa isa) : out_(file), isa_(isa) {}

void KonataWriter::meet(const activity::InstructionRecord& record, Cycle at, char stage) {
  auto found = live_.find({record.thread, record.id});
  if (found == live_.end()) {
    if (count_ == most) return;
    const Cycle fetched = std::min(record.tagged, at);
    const std::uint64_t number = count_++;
    line(fetched, fmt::format("I\t{}\t{}\t{}", number, number, record.thread));
    line(fetched, fmt::format("L\t{}\t0\t{}", number, text_of(isa_, record)));
    line(fetched, fmt::format("S\t{}\t0\tF", number));
    found = live_.emplace(std::pair{unsigned{record.thread}, record.id}, Live{number, 'F'}).first;
  }
  Live& live = found->second;
  if (stage == live.stage) return;
  line(at, fmt::format("E\t{}\t0\t{}", live.number, live.stage));
  line(at, fmt::format("S\t{}\t0\t{}", live.number, stage));
  live.stage = stage;
}

void KonataWriter::leave(const activity::InstructionRecord& record, Cycle at, bool flushed) {
  meet(record, at, 'C');
  const auto found = live_.find({record.thread, record.id});
  if (found == live_.end()) return;
  line(at + 1, fmt::format("E\t{}\t0\tC", found->second.number));
  line(at + 1, fmt::format("R\t{}\t{}\t{}", found->second.number, flushed ? 0 : retired_++, flushed ? 1 : 0));
  live_.erase(found);
}

// Within a cycle the stages of an instruction are in pipeline order.
void KonataWriter::add(const Block& block) {
  struct Event {
    std::uint32_t at;
    unsigned order;
    std::uint32_t ref;
  };
  end_ = std::max(end_, block.end + 1);  // a retirement in the last cycle ends after it
  std::vector<Event> events;
  const auto collect = [&](Signal signal, unsigned order) {
    for (const activity::Occurrence& o : block.column(signal)) {
      if (o.ref < block.instructions.size()) events.push_back({o.at, order, o.ref});
    }
  };
  for (unsigned i = 0; i < stages.size(); ++i) collect(stages[i].signal, i);
  collect(Signal::retire, stages.size());
  collect(Signal::kill, stages.size() + 1);
  std::stable_sort(events.begin(), events.end(),
                   [](const Event& a, const Event& b) { return a.at != b.at ? a.at < b.at : a.order < b.order; });
  for (const Event& event : events) {
    const activity::InstructionRecord& record = block.instructions[event.ref];
    const Cycle at = block.begin + event.at;
    if (event.order < stages.size()) {
      meet(record, at, stages[event.order].name);
    } else {
      leave(record, at, event.order > stages.size());
    }
  }
}

// The format requires that each instruction retires or is flushed: what is in flight at the end is flushed there.
void KonataWriter::close() {
  for (const auto& [id, live] : live_) {
    line(end_, fmt::format("E\t{}\t0\t{}", live.number, live.stage));
    line(end_, fmt::format("R\t{}\t0\t1", live.number));
  }
  live_.clear();
  std::stable_sort(lines_.begin(), lines_.end(), [](const Line& a, const Line& b) { return a.at < b.at; });
  out_.write("Kanata\t0004\n");
  Cycle now = lines_.empty() ? 0 : lines_.front().at;
  out_.write(fmt::format("C=\t{}\n", now));
  for (const Line& one : lines_) {
    if (one.at != now) out_.write(fmt::format("C\t{}\n", one.at - now));
    now = one.at;
    out_.write(one.text + '\n');
  }
  out_.close();
}

}  // namespace pmusim::testbench
