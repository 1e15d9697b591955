#include "testbench/cli/perfetto.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace pmusim::testbench {
namespace {

using activity::Block;
using activity::State;

/// Instructions shown as slices; later ones would only make the file too large to open.
constexpr std::uint64_t most_slices = 200'000;
/// Slices that overlap go to different rows.
constexpr std::uint64_t rows = 24;
/// The bits of an instruction's id that number it; those above say what kind it is.
constexpr std::uint64_t ordinal = (std::uint64_t{1} << 61) - 1;

struct Track {
  State state;
  const char* name;
  std::uint64_t mask = ~std::uint64_t{0};  ///< bits of the state that are shown
};
constexpr std::uint64_t stage = 0xff, missing = 3;
constexpr std::array tracks{Track{State::clock, "clock"},
                            Track{State::thread, "active hardware thread"},
                            Track{State::cpl, "privilege level"},
                            Track{State::table_walk, "table walk"},
                            Track{State::load_misses, "load misses"},
                            Track{State::branch_unit, "branch unit waits"},
                            Track{State::dispatch_hold, "dispatch hold"},
                            Track{State::decoder_empty, "decoder empty"},
                            Track{State::fetch_stall, "fetch stall"},
                            Track{State::l2_fill_wait, "fills waiting for L2"},
                            Track{State::back_end, "stage that holds the back end", stage},
                            Track{State::front_end, "bundles missing at the buffer's entry", missing},
                            Track{State::buffer_exit, "bundles missing at the buffer's exit", missing}};

}  // namespace

PerfettoWriter::PerfettoWriter(const std::string& file) : out_(file) {
  out_.write("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
}

void PerfettoWriter::event(const std::string& json) {
  if (!first_) out_.write(",\n");
  out_.write(json);
  first_ = false;
}

void PerfettoWriter::add_state(const Block& block, State state, std::uint64_t mask, const char* name) {
  const auto show = [&](activity::Cycle at, std::uint64_t value) {
    event(fmt::format(R"({{"ph":"C","pid":1,"name":"{}","ts":{},"args":{{"value":{}}}}})", name, at, value & mask));
  };
  const activity::StateColumn& column = block.state(state);
  if (block.begin == 0 && column.initial != 0) show(0, column.initial);  // states of other cores stay out
  for (const activity::Change& change : column.changes) show(block.begin + change.at, change.value);
}

void PerfettoWriter::add(const Block& block) {
  for (const Track& track : tracks) add_state(block, track.state, track.mask, track.name);
  for (const activity::Occurrence& retired : block.column(activity::Signal::retire)) {
    if (slices_ >= most_slices) break;
    const activity::InstructionRecord& instruction = block.instructions[retired.ref];
    const activity::Cycle end = block.begin + retired.at + 1;
    // Of two hardware threads each has rows of its own, and its instructions a number in its own program.
    const std::uint64_t number = instruction.id & ordinal;
    event(fmt::format(R"({{"ph":"X","pid":{},"tid":{},"name":"0x{:x}","ts":{},"dur":{},"args":{{"id":{}}}}})",
                      1 + instruction.thread, number % rows, instruction.ip, instruction.tagged,
                      end - std::min(end, instruction.tagged), number));
    ++slices_;
  }
}

void PerfettoWriter::close() {
  out_.write("\n]}\n");
  out_.close();
}

}  // namespace pmusim::testbench
