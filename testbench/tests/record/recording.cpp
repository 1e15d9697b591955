#include "recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "testbench/driver/session.h"

namespace pmusim::testbench::record_tests {
namespace {

using activity::Occurrence;
using activity::Signal;
using activity::State;

constexpr std::uint64_t msr_ee = 0x8000;  // bit 16 in IBM's numbering

bool value_at(const std::map<Cycle, bool>& values, Cycle at) { return std::prev(values.upper_bound(at))->second; }

bool is_ia64(const Subject& subject) { return models::find_target(subject.target)->isa == trace::Isa::ia64; }

void note(const Block& block, State state, std::uint64_t mask, std::map<Cycle, bool>& values) {
  const activity::StateColumn& column = block.state(state);
  values[block.begin] = (column.initial & mask) != 0;
  for (const activity::Change& change : column.changes) values[block.begin + change.at] = (change.value & mask) != 0;
}

void watch(const Block& block, const Subject& subject, Recording& recording) {
  for (const Occurrence& o : block.column(Signal::retire)) {
    const activity::InstructionRecord& instruction = block.instructions.at(o.ref);
    recording.retired[block.begin + o.at] = {instruction.id, instruction.ip};
  }
  for (const Occurrence& o : block.column(Signal::load_return)) {
    const activity::RequestRecord& load = block.requests.at(o.ref);
    const bool watched = load.oldest_in_queue && !load.crosses_word && !load.multiple_or_string && !load.wrong_path;
    if (!watched || load.store || load.end - load.start <= subject.threshold) continue;
    recording.slow_loads[block.begin + o.at].push_back(load.ip);
  }
  note(block, State::clock, ~std::uint64_t{0}, recording.running);
  if (is_ia64(subject)) {
    note(block, State::psr, activity::ia64::psr::i, recording.accepting);
  } else if (subject.target != "athlon") {
    note(block, State::msr, msr_ee, recording.accepting);
  } else if (subject.delivery == fixed_vector) {
    note(block, State::interrupt_flag, ~std::uint64_t{0}, recording.accepting);
  } else {
    recording.accepting[block.begin] = true;
  }
  recording.end = block.end;
}

std::vector<std::uint64_t> program_of(const Subject& subject) {
  std::vector<std::uint64_t> program;
  std::vector<bool> executed;
  const auto reader = open_subject(subject);
  constexpr std::size_t numbers_of_bundle = 4;
  for (trace::Item item; reader->next(item);) {
    if (item.directive != nullptr) continue;
    const std::uint64_t pc = item.instruction.code->pc;
    program.push_back(pc);
    executed.push_back(true);
    if (!is_ia64(subject)) continue;
    executed.back() = item.instruction.mask[0] != '-';
    for (std::size_t slot = 1; slot < numbers_of_bundle; ++slot) {
      program.push_back(pc);
      executed.push_back(slot < 3 && item.instruction.mask[slot] != '-');
    }
  }
  while (!executed.empty() && !executed.back()) {
    executed.pop_back();
    program.pop_back();
  }
  for (std::size_t i = program.size(); i-- > 0;) {
    if (!executed[i]) program[i] = program[i + 1];
  }
  return program;
}

}  // namespace

std::unique_ptr<trace::Reader> open_subject(const Subject& subject) {
  if (subject.trace.find('\n') != std::string::npos) return trace::open_text(subject.trace, "text");
  return trace::open(PMUSIM_SOURCE_DIR "/isa-traces/recorded/" + subject.trace + ".pmt");
}

oracle::Request request_of(const Subject& subject) {
  oracle::Request request;
  request.event = subject.event;
  request.threshold = subject.threshold;
  request.ia64 = subject.place;
  return request;
}

void PrintTo(const Subject& s, std::ostream* out) {
  *out << fmt::format("{} {} every {} on {}", s.target, s.event, s.period, s.trace.substr(0, s.trace.find('\n')));
}

bool Recording::accepts(Cycle at) const { return value_at(accepting, at); }

Cycle Recording::boundary(Cycle requested) const {
  Cycle at = requested + skid;
  while (at < end && !boundary_at(at)) ++at;
  return std::min(at, end);
}

bool Recording::boundary_at(Cycle at) const { return (retired.contains(at) || !value_at(running, at)) && accepts(at); }

std::uint64_t Recording::next_address(Cycle at) const {
  const std::uint64_t last = std::prev(retired.upper_bound(at))->second.id;
  if (last + 1 < program.size()) return program[last + 1];
  throw std::out_of_range("nothing comes after the last instruction");
}

SamplePlaces::SamplePlaces(const Recording& recording)
    : wait_(recording.delay + recording.skid), places_(recording.end) {
  std::optional<Place> place;
  for (Cycle at = recording.end; at-- > 0;) {
    if (recording.boundary_at(at)) {
      const auto later = recording.retired.upper_bound(at);
      const std::uint64_t next = later == recording.retired.begin() ? 0 : std::prev(later)->second.id + 1;
      place = next < recording.program.size() ? std::optional{Place{at, recording.program[next]}} : std::nullopt;
    }
    places_[at] = place;
  }
}

std::optional<SamplePlaces::Place> SamplePlaces::of_event(Cycle at) const {
  return at + wait_ < places_.size() ? places_[at + wait_] : std::nullopt;
}

std::vector<RegisterWrite> delivery_of(const Subject& subject, const pmu::Monitor& monitor) {
  if (subject.delivery == 0) return {};
  return {{find_register(monitor, is_ia64(subject) ? "PMV" : "LVTPC").value().id, subject.delivery}};
}

Recording record(const Subject& subject, const Sampler::NextPeriod& next) {
  const models::Target& target = *models::find_target(subject.target);
  const models::Parameters parameters = target.parameters();
  const auto monitor = target.make_monitor(parameters);
  Recording recording;
  if (subject.target == "athlon") {
    recording.delay = 1;
    recording.skid = 4;
  }
  const std::vector<std::string> events{
      subject.threshold == 0 ? subject.event : fmt::format("{}:t={}", subject.event, subject.threshold)};
  if (is_ia64(subject)) recording.skid = 12;
  encoder::EncodeOptions encoding_options;
  encoding_options.sampling = true;
  encoding_options.qualifiers = encoder::parse_qualifiers(subject.target, subject.qualifiers).value();
  const auto encoding = encoder::encode(subject.target, events, encoding_options);
  if (!encoding) throw std::runtime_error(encoding.error().message);
  std::vector<RegisterWrite> programming = delivery_of(subject, *monitor);
  for (const encoder::RegisterValue& reg : encoding->registers)
    programming.push_back({find_register(*monitor, reg.name).value().id, reg.value});
  recording.units = CaptureUnits(subject.target, programming);
  Sampler sampler(target, parameters, {{encoding->events[0].counter, subject.period}},
                  [&](const Sample& s) { recording.samples.push_back(s); }, next,
                  {recording.units.registers(), recording.units.cleared()});
  MonitorSetup setup{sampler.presets(), std::ref(sampler)};
  setup.writes.insert(setup.writes.end(), programming.begin(), programming.end());

  const auto counter = oracle::make_counter(subject.target, {request_of(subject)},
                                            [&](std::string_view name) { return parameters.get(name); });
  counter->watch(0, subject.period, subject.period);
  SessionOptions options;
  options.engine = Engine::direct;
  options.block_cycles = subject.block_cycles;
  Session session(target, parameters, options);
  session.add_monitor(std::move(setup));
  session.add_observer([&](const Block& block) {
    if (subject.oracle) counter->consume(block);
    watch(block, subject, recording);
  });
  session.run(open_subject(subject));
  recording.crossings = counter->crossings(0);
  recording.events = counter->tally(0).expected;
  recording.program = program_of(subject);
  return recording;
}

}  // namespace pmusim::testbench::record_tests
