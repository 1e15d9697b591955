#include "testbench/cli/perfetto.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace pmusim::testbench {

TraceEvents::TraceEvents(const std::string& file) : out_(file) {
  out_.write("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
}

std::string TraceEvents::quoted(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string TraceEvents::object(const Values& values) {
  std::string text = "{";
  for (const auto& [name, value] : values) text += fmt::format("{}\"{}\":{}", text.size() > 1 ? "," : "", name, value);
  return text + "}";
}

void TraceEvents::event(std::string_view json) {
  if (!first_) out_.write(",\n");
  out_.write(json);
  first_ = false;
}

// A track's sort index is its number.
void TraceEvents::metadata(const char* what, const Track& track, std::string_view name) {
  const auto one = [&](std::string_view kind, const std::string& value) {
    event(fmt::format(R"({{"ph":"M","pid":{},"tid":{},"ts":0,"name":"{}_{}","args":{{"{}":{}}}}})", track.process,
                      track.thread, what, kind, kind, value));
  };
  one("name", quoted(name));
  one("sort_index", std::to_string(track.thread == 0 ? track.process : track.thread));
}

void TraceEvents::name_process(unsigned process, std::string_view name) { metadata("process", {process, 0}, name); }

void TraceEvents::name_track(const Track& track, std::string_view name) { metadata("thread", track, name); }

void TraceEvents::slice(const Track& track, std::string_view kind, std::string_view name, std::uint64_t begin,
                        std::uint64_t end, const Values& values) {
  event(fmt::format(R"({{"ph":"X","pid":{},"tid":{},"cat":"{}","name":{},"ts":{},"dur":{},"args":{}}})", track.process,
                    track.thread, kind, quoted(name), begin, end - begin, object(values)));
}

void TraceEvents::instant(const Track& track, std::string_view kind, std::string_view name, std::uint64_t at,
                          const Values& values) {
  event(fmt::format(R"({{"ph":"i","s":"t","pid":{},"tid":{},"cat":"{}","name":{},"ts":{},"args":{}}})", track.process,
                    track.thread, kind, quoted(name), at, object(values)));
}

void TraceEvents::counter(unsigned process, std::string_view name, std::uint64_t at, std::uint64_t value) {
  event(fmt::format(R"({{"ph":"C","pid":{},"tid":0,"name":{},"ts":{},"args":{{"value":{}}}}})", process, quoted(name),
                    at, value));
}

void TraceEvents::close(const Values& about) {
  out_.write(fmt::format("\n],\"otherData\":{}}}\n", object(about)));
  out_.close();
}

namespace {

constexpr pmu::Cycle steps_of_a_ramp = 16, least_apart = 1000;

}  // namespace

void CounterTracks::left(unsigned counter, pmu::Step step, const pmu::Run& run) {
  now_ = std::max(now_, run.end);
  if (step != pmu::Step::added || run.n == 0 || counter >= labels_.size() || labels_[counter].empty()) return;
  counters_[counter].changes.push_back({run.begin, run.end, run.n, false});
}

void CounterTracks::written(unsigned counter, std::uint64_t /*value*/) {
  if (counter < labels_.size() && !labels_[counter].empty())
    counters_[counter].changes.push_back({now_, now_, 0, true});
}

void CounterTracks::show(std::size_t i) {
  Counter& counter = counters_[i];
  if (counter.value == counter.shown) return;
  out_->counter(process_, labels_[i], counter.at, counter.value);
  counter.shown = counter.value;
  counter.shown_at = counter.at;
}

// Stretches of the same cycles that belong to different hardware threads are reported one after the other.
void CounterTracks::flush(bool coarse) {
  for (std::size_t i = 0; i < counters_.size(); ++i) {
    Counter& counter = counters_[i];
    const auto due = [&] { return !coarse || counter.at >= counter.shown_at + least_apart; };
    std::ranges::stable_sort(counter.changes, {}, &Change::begin);
    for (const Change& change : counter.changes) {
      if (change.written) {
        show(i);  // the peak
        counter.value = 0;
        counter.at = change.begin;
        show(i);
        continue;
      }
      const pmu::Cycle step = std::max<pmu::Cycle>(1, (change.end - change.begin) / steps_of_a_ramp);
      for (pmu::Cycle at = change.begin; at < change.end; at += step) {
        const pmu::Cycle end = std::min(at + step, change.end);
        counter.value += (end - at) * change.n;
        counter.at = std::max(counter.at, end);
        if (due()) show(i);
      }
    }
    counter.changes.clear();
  }
}

void CounterTracks::finish() {
  flush(true);
  for (std::size_t i = 0; i < counters_.size(); ++i) {
    if (!labels_[i].empty()) show(i);
  }
}

namespace {

using activity::Block;
using activity::Cycle;
using activity::State;

/// Maximum number of instructions shown as slices. More would make the file too large to open.
constexpr std::uint64_t most_slices = 200'000;
/// The bits of an instruction's id that number it; the bits above give its kind.
constexpr std::uint64_t ordinal = (std::uint64_t{1} << 61) - 1;

/// The tracks of a hardware thread's process, and those of its PMU's process.
constexpr unsigned functions_track = 1, first_row = 10;
constexpr unsigned interrupts_track = 1, samples_track = 2;
unsigned core_process(unsigned thread) { return 1 + thread; }
unsigned pmu_process(unsigned pmu) { return 101 + pmu; }

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

std::string address_text(std::uint64_t address) { return TraceEvents::quoted(fmt::format("{:#x}", address)); }

}  // namespace

/// The calls of a thread's program as nested slices. Code before the first call is in the outermost slice.
class PerfettoWriter::Functions {
 public:
  Functions(PerfettoWriter& writer, unsigned thread) : writer_(writer), thread_(thread), calls_(thread) {
    calls_.on_change([this](Cycle at, std::size_t depth, std::uint64_t entry) { change(at, depth, entry); });
  }
  void consume(const Block& block) {
    if (open_.empty()) begin(block);
    calls_.consume(block);
    end_ = block.end;
  }
  void finish() {
    (void)calls_.at(activity::never);
    leave(0, end_);
  }

 private:
  struct Frame {
    std::uint64_t entry;
    Cycle begin;
  };
  void begin(const Block& block) {
    for (const activity::Occurrence& retired : block.column(activity::Signal::retire)) {
      const activity::InstructionRecord& instruction = block.instructions[retired.ref];
      if (instruction.thread != thread_) continue;
      open_.push_back({instruction.ip, block.begin + retired.at});
      return;
    }
  }
  // One more slice is open than there are calls: the outermost.
  void change(Cycle at, std::size_t depth, std::uint64_t entry) {
    leave(depth + 1, at + 1);
    if (entry != 0) open_.push_back({entry, at + 1});
  }
  void leave(std::size_t depth, Cycle at) {
    for (; open_.size() > depth; open_.pop_back()) {
      const Frame& frame = open_.back();
      if (++slices_ > most_slices) continue;
      writer_.out_.slice({core_process(thread_), functions_track}, "function",
                         writer_.function_of(thread_, frame.entry), frame.begin, std::max(at, frame.begin),
                         {{"entry", address_text(frame.entry)}});
    }
  }
  PerfettoWriter& writer_;
  unsigned thread_;
  CallStack calls_;
  std::vector<Frame> open_;
  Cycle end_ = 0;
  std::uint64_t slices_ = 0;
};

PerfettoWriter::PerfettoWriter(const std::string& file, PerfettoNames names) : out_(file), names_(std::move(names)) {
  for (unsigned thread = 0; thread < names_.threads; ++thread) {
    const std::string of = names_.threads == 1 ? "" : fmt::format(", thread {}", thread);
    out_.name_process(core_process(thread), fmt::format("{}: core{}", names_.target, of));
    out_.name_track({core_process(thread), functions_track}, "functions");
    out_.name_process(pmu_process(thread), fmt::format("{}: PMU{}", names_.target, of));
    out_.name_track({pmu_process(thread), interrupts_track}, "interrupt requests");
    out_.name_track({pmu_process(thread), samples_track}, "samples");
    counters_.push_back(std::make_unique<CounterTracks>(out_, pmu_process(thread), names_.counters));
    functions_.push_back(std::make_unique<Functions>(*this, thread));
  }
}

PerfettoWriter::~PerfettoWriter() = default;

std::string PerfettoWriter::function_of(unsigned thread, std::uint64_t address) const {
  if (names_.symbols.empty()) return fmt::format("{:#x}", address);
  return names_.symbols[std::min<std::size_t>(thread, names_.symbols.size() - 1)].function_of(address);
}

bool PerfettoWriter::detailed() const { return slices_ < most_slices; }

void PerfettoWriter::add_state(const Block& block, State state, std::uint64_t mask, const char* name) {
  const auto show = [&](Cycle at, std::uint64_t value) { out_.counter(core_process(0), name, at, value & mask); };
  const activity::StateColumn& column = block.state(state);
  if (block.begin == 0 && column.initial != 0) show(0, column.initial);  // states of other cores are not shown
  for (const activity::Change& change : column.changes) show(block.begin + change.at, change.value);
}

// A row accepts an instruction when the previous one in that row has retired.
void PerfettoWriter::add_instruction(const activity::InstructionRecord& instruction, Cycle retired) {
  std::vector<Cycle>& rows = rows_.at(instruction.thread);
  const Cycle end = retired + 1, begin = std::min(end, instruction.tagged);
  auto row = std::ranges::find_if(rows, [&](Cycle taken) { return taken <= begin; });
  if (row == rows.end()) row = rows.insert(rows.end(), end);
  *row = end;
  const auto track = static_cast<unsigned>(row - rows.begin()) + first_row;
  // With two hardware threads, each has instructions numbered in its own program.
  out_.slice({core_process(instruction.thread), track}, "instruction", fmt::format("{:#x}", instruction.ip), begin, end,
             {{"id", std::to_string(instruction.id & ordinal)}});
  ++slices_;
}

void PerfettoWriter::add(const Block& block) {
  for (const auto& counters : counters_) counters->flush(!detailed());  // in the previous block
  if (detailed()) {
    for (const Track& track : tracks) add_state(block, track.state, track.mask, track.name);
  }
  for (const activity::Occurrence& retired : block.column(activity::Signal::retire)) {
    if (!detailed()) break;
    add_instruction(block.instructions[retired.ref], block.begin + retired.at);
  }
  for (const auto& functions : functions_) functions->consume(block);
}

void PerfettoWriter::interrupt(unsigned pmu, const pmu::EntryState& entry) {
  out_.slice({pmu_process(pmu), interrupts_track}, "interrupt", "request to taking", entry.requested + 1,
             std::max(entry.cycle, entry.requested + 1),
             {{"requested", std::to_string(entry.requested)},
              {"taken", std::to_string(entry.cycle)},
              {"pc", address_text(entry.pc)}});
}

void PerfettoWriter::sample(const Sample& sample, const std::string& event) {
  TraceEvents::Values values{{"ip", address_text(sample.ip)},
                             {"function", TraceEvents::quoted(function_of(sample.thread, sample.ip))},
                             {"period", std::to_string(sample.period)},
                             {"requested", std::to_string(sample.requested)}};
  for (const auto& [name, value] : sample.latched) values.emplace_back(name, address_text(value));
  out_.instant({pmu_process(sample.thread), samples_track}, "sample", event, sample.cycle, values);
}

void PerfettoWriter::close() {
  for (const auto& counters : counters_) counters->finish();
  for (const auto& functions : functions_) functions->finish();
  for (unsigned thread = 0; thread < rows_.size(); ++thread) {
    for (unsigned row = 0; row < rows_[thread].size(); ++row)
      out_.name_track({core_process(thread), first_row + row}, fmt::format("instructions {}", row));
  }
  out_.close({{"target", TraceEvents::quoted(names_.target)}, {"unit", TraceEvents::quoted("1 us is a core cycle")}});
}

}  // namespace pmusim::testbench
