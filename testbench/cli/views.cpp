#include "testbench/cli/views.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <set>
#include <sstream>

#include "testbench/driver/waveform_plan.h"
#include "testbench/driver/wraps.h"
#include "testbench/explain/disassembler.h"
#include "testbench/explain/explanation.h"
#include "testbench/explain/raw_counters.h"
#include "testbench/support/words.h"

namespace pmusim::testbench {

namespace {

/// Fields with a meaning, in the order of decode(); those that are counters are shown as counters.
struct FieldChoice {
  std::vector<std::size_t> places;
  std::vector<WaveField> fields;
};
FieldChoice choice_of(const encoder::DecodedRegister& decoded, const std::vector<std::string>& counters) {
  FieldChoice choice;
  std::set<std::string> taken;
  for (std::size_t i = 0; i < decoded.fields.size(); ++i) {
    const encoder::DecodedField& field = decoded.fields[i];
    const bool is_counter = std::ranges::find(counters, field.name) != counters.end();
    if (is_counter || field.name == "reserved" || field.name == "SEXT") continue;
    std::string name = field.name;
    if (!taken.insert(name).second) name += "_" + field.bits.substr(0, field.bits.find(':'));  // one for each channel
    taken.insert(name);
    choice.places.push_back(i);
    choice.fields.push_back({name, bits_in(field.bits, false, 64).value_or(BitRange{0, 1}).bits});
  }
  return choice;
}

/// Name, unit masks and attributes of an event, without its target.
std::vector<std::string> parts_of(const std::string& canonical) {
  std::istringstream text(without_target(canonical));
  std::vector<std::string> parts;
  for (std::string part; std::getline(text, part, ':');) parts.push_back(part);
  return parts;
}

/// The event without its target and without attributes at their defaults.
std::string short_event(std::string_view target, const std::string& canonical) {
  std::string text = without_attributes(canonical);
  std::vector<std::string> defaults;
  for (const bool sampling : {false, true}) {
    encoder::EncodeOptions options;
    options.sampling = sampling;
    const auto plain = encoder::encode(target, std::vector{text}, options);
    if (!plain) continue;
    for (const std::string& part : parts_of(plain->events[0].canonical)) defaults.push_back(part);
  }
  for (const std::string& part : parts_of(canonical)) {
    const bool is_default = std::ranges::find(defaults, part) != defaults.end();
    if (part.find('=') != std::string::npos && !is_default) text += ":" + part;
  }
  return text;
}

/// `latched`: names of registers, besides the encoder's, that hardware fills.
WaveformPlan waveform_plan(const SessionSetup& setup, std::span<const ProgrammedCounter> counters,
                           std::span<const std::string_view> latched) {
  WaveformPlan plan;
  const std::string target(setup.target->name);
  for (const ProgrammedCounter& counter : counters) {
    if (counter.index >= plan.events.size()) plan.events.resize(counter.index + 1);
    plan.events[counter.index] = short_event(target, counter.event);
  }
  const auto monitor = setup.target->make_monitor(setup.parameters);
  const std::vector<std::string> names = counter_names(*setup.target, *monitor);
  std::map<std::string, std::vector<std::size_t>, std::less<>> places;
  const auto known = encoder::registers(target);
  for (const pmu::RegisterInfo& info : monitor->registers()) {
    const std::string name(info.name);
    const bool is_counter = std::ranges::find(names, name) != names.end();
    const bool is_latched = std::ranges::find(latched, name) != latched.end();
    if (is_counter || (info.kind == pmu::RegisterKind::data && !is_latched)) continue;
    WaveRegister reg{name, info.width, {}};
    const bool has_fields = known && std::ranges::any_of(*known, [&](const auto& one) { return one.name == name; });
    if (has_fields) {
      FieldChoice choice = choice_of(*encoder::decode(target, name, 0), names);
      reg.fields = std::move(choice.fields);
      places.emplace(name, std::move(choice.places));
    }
    plan.registers.push_back(std::move(reg));
  }
  plan.fields_of = [target, places = std::move(places)](std::string_view name, std::uint64_t value) {
    std::vector<std::uint64_t> values;
    const auto decoded = encoder::decode(target, name, value);
    if (!decoded) return values;  // the field names of the value 0 are kept
    for (const std::size_t place : places.find(name)->second)
      values.push_back(place < decoded->fields.size() ? decoded->fields[place].value : 0);
    return values;
  };
  return plan;
}

/// Parses the groups of signals in a text like "counters,pmu"; "all" is all of them. Throws UsageError.
std::uint32_t wave_groups(const std::string& text) {
  if (text == "all") return (1u << wave_group_names.size()) - 1;
  std::uint32_t groups = 0;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    const auto found = std::ranges::find(wave_group_names, part);
    if (found == wave_group_names.end())
      throw UsageError("--vcd-signals: there is no group '{}'; the groups are {}, or all", part,
                       fmt::join(wave_group_names, ", "));
    groups |= 1u << (found - wave_group_names.begin());
  }
  if (groups == 0) throw UsageError("--vcd-signals names no group; the default has core,counters,fields,pmu");
  return groups;
}

/// Parses a number of cycles of at least 1, or "all". Throws UsageError.
std::uint64_t wave_cycles(const std::string& text) {
  if (text == "all") return WaveformPlan::all_cycles;
  const std::uint64_t cycles = whole_number(text).value_or(0);
  if (cycles == 0) throw UsageError("--vcd-cycles '{}': expected a whole number from 1, or all", text);
  return cycles;
}

}  // namespace

Options view_options() {
  return {
      {"vcd", po::text(), "write a waveform of PMU and core for GTKWave and its layout (.gtkw); runs clock by clock"},
      {"vcd-signals", po::text(),
       "with --vcd: groups of signals: core,counters,fields,pmu (the default), clock,states,signals; or all"},
      {"vcd-cycles", po::text(), "with --vcd: how many cycles the file shows, or all (default: the first 100,000)"},
      {"perfetto", po::text(),
       "write a timeline for ui.perfetto.dev: functions, the first 200,000 instructions, counters, interrupts"},
      {"konata", po::text(), "write the pipeline of the first 200,000 instructions as a Kanata log for Konata"}};
}

ViewFiles view_files(const Arguments& arguments) {
  ViewFiles files{arguments.maybe<std::string>("vcd").value_or(""),
                  arguments.maybe<std::string>("perfetto").value_or(""),
                  arguments.maybe<std::string>("konata").value_or("")};
  if (const auto groups = arguments.maybe<std::string>("vcd-signals")) {
    if (files.vcd.empty()) throw UsageError("--vcd-signals selects the signals of --vcd; give --vcd FILE, too");
    files.groups = wave_groups(*groups);
  }
  if (const auto cycles = arguments.maybe<std::string>("vcd-cycles")) {
    if (files.vcd.empty()) throw UsageError("--vcd-cycles limits the file of --vcd; give --vcd FILE, too");
    files.cycles = wave_cycles(*cycles);
  }
  return files;
}

Views::Views(ViewFiles files, SessionSetup& setup, std::span<const ProgrammedCounter> counters,
             std::span<const std::string_view> latched) {
  SessionOptions& options = setup.options;
  for (const ProgrammedCounter& counter : counters) events_.push_back(short_event(setup.target->name, counter.event));
  if (!files.vcd.empty()) {
    options.engine = Engine::signals;
    options.wave = waveform_plan(setup, counters, latched);
    if (files.groups != 0) options.wave.groups = files.groups;
    options.wave.cycles = vcd_cycles_ = files.cycles;
    options.vcd = files.vcd;
    std::error_code ignored;
    const auto status = std::filesystem::status(options.vcd, ignored);
    const bool device = std::filesystem::exists(status) && !std::filesystem::is_regular_file(status);
    if (!device) options.vcd.replace_extension(".vcd");
    vcd_ = options.vcd;
  }
  if (!files.perfetto.empty()) {
    if (options.engine == Engine::blocks) options.engine = Engine::direct;  // each cycle once
    PerfettoNames names{
        std::string(setup.target->name), static_cast<unsigned>(setup.traces.size()), {}, std::move(files.symbols)};
    for (const ProgrammedCounter& counter : counters) {
      if (counter.index >= names.counters.size()) names.counters.resize(counter.index + 1);
      names.counters[counter.index] =
          fmt::format("{} {}", counter.counter, short_event(setup.target->name, counter.event));
    }
    timeline_ = std::make_unique<PerfettoWriter>(files.perfetto, std::move(names));
  }
  if (!files.konata.empty()) pipeline_ = std::make_unique<KonataWriter>(files.konata, setup.target->isa);
}

void Views::watch(MonitorSetup& monitor, unsigned number) {
  if (!timeline_) return;
  monitor.probe = timeline_->probe(number);
  monitor.taken = [this, number](const pmu::EntryState& entry) { timeline_->interrupt(number, entry); };
}

void Views::observe(Session& session) {
  if (timeline_) session.add_observer([this](const activity::Block& block) { timeline_->add(block); });
  if (pipeline_) session.add_observer([this](const activity::Block& block) { pipeline_->add(block); });
}

void Views::sample(const Sample& sample) {
  if (timeline_) timeline_->sample(sample, sample.counter < events_.size() ? events_[sample.counter] : "none");
}

void Views::close(const SessionResult& result) {
  const Cycle cycles = result.end_cycle - result.first_cycle;
  if (cycles > vcd_cycles_)
    std::cerr << fmt::format("pmusim: {}: the first {} of {} cycles; --vcd-cycles all writes all\n", vcd_.string(),
                             grouped(vcd_cycles_), grouped(cycles));
  if (timeline_) timeline_->close();
  if (pipeline_) pipeline_->close();
}

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
  std::ranges::stable_sort(
      events, [](const Event& a, const Event& b) { return a.at != b.at ? a.at < b.at : a.order < b.order; });
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
  std::ranges::stable_sort(lines_, {}, &Line::at);
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
