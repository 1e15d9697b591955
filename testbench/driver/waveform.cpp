#include "testbench/driver/waveform.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <systemc>

#include "models/activity/vocabulary.h"
#include "testbench/driver/firmware.h"
#include "testbench/driver/wraps.h"

namespace pmusim::testbench {
namespace {

using activity::Block;
using activity::State;
using trace::Isa;

/// Core states, besides the pc, that gate counters.
struct CoreState {
  State state;
  const char* name;
  unsigned width;
  std::vector<Isa> only = {};  ///< empty: all
};
const std::vector<CoreState>& core_states() {
  static const std::vector<CoreState> all{{State::cpl, "privilege", 2},
                                          {State::clock, "clock_runs", 1},
                                          {State::interrupt_flag, "interrupt_flag", 1, {Isa::i386}},
                                          {State::msr, "MSR", 32, {Isa::ppc}},
                                          {State::psr, "PSR", 64, {Isa::ia64}},
                                          {State::thread, "thread", 1, {Isa::ia64}},
                                          {State::pal_mode, "PAL_mode", 1, {Isa::alpha}},
                                          {State::ipl, "IPL", 5, {Isa::alpha}},
                                          {State::process_marked, "process_marked", 1, {Isa::alpha}}};
  return all;
}

/// A name that a viewer takes as one element of a scope: without blanks, brackets and dots.
std::string scope_name(const std::string& counter, const std::string& event) {
  std::string name = event.empty() ? counter : counter + ":" + event;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && std::string_view("_:=-").find(c) == std::string_view::npos)
      c = '_';
  }
  return name;
}

/// Bits of a counter's value.
unsigned value_bits(const models::Target& target, const pmu::Monitor& monitor, const std::string& counter) {
  if (const Firmware* const firmware = find_firmware(target.name)) {
    const FirmwareCounter* const field = find_counter(*firmware, counter);
    return field != nullptr && field->bits != 0 ? field->bits : 32;
  }
  const auto info = pmu::find_register(monitor, counter);
  return info ? counter_bits(target, *info) : 64;
}

}  // namespace

/// Signals common to all PMUs.
class Waveform::Core {
 public:
  explicit Core(Waveform& wave) {
    const models::Target& target = *wave.plan_.target;
    const bool address_of_32 = target.isa == Isa::i386 || target.isa == Isa::ppc;
    wave.layout_.begin("core");
    if (wave.plan_.has(WaveGroup::core)) {
      for (unsigned thread = 0; thread < target.threads(); ++thread) {
        const std::string name = target.threads() == 1 ? "pc" : fmt::format("pc_thread{}", thread);
        pcs_.push_back(&wave.place("core." + name, address_of_32 ? 32 : 64, Look::hexadecimal));
      }
      for (const CoreState& row : core_states()) {
        const bool shown =
            row.only.empty() || std::find(row.only.begin(), row.only.end(), target.isa) != row.only.end();
        if (!shown || (row.state == State::thread && target.threads() == 1)) continue;
        const Look look = row.width > 8 ? Look::hexadecimal : row.width == 1 ? Look::binary : Look::decimal;
        states_.push_back({row.state, row.width, &wave.place(fmt::format("core.{}", row.name), row.width, look)});
      }
    }
    constexpr unsigned wide = 64, narrow = 16;
    if (wave.plan_.has(WaveGroup::states)) {
      const std::vector<activity::Name> names = activity::state_names(target.name);
      for (std::size_t i = 0; i < names.size(); ++i)
        states_.push_back(
            {static_cast<State>(i), wide, &wave.place("core.states." + names[i].name, wide, Look::hexadecimal, false)});
    }
    if (wave.plan_.has(WaveGroup::signals)) {
      for (const activity::Name& name : activity::signal_names(target.name))
        signals_.push_back(&wave.place("core.signals." + name.name, narrow, Look::decimal, false));
    }
    wave.layout_.end();
  }
  void show(const Block& cycle) {
    for (const TracedState& traced : states_) *traced.place = low_bits(cycle.state(traced.state).initial, traced.width);
    for (std::size_t i = 0; i < signals_.size(); ++i) {
      std::uint64_t sum = 0;
      for (const activity::Occurrence& occurrence : cycle.columns[i]) sum += occurrence.amount;
      *signals_[i] = low_bits(sum, 16);
    }
    if (pcs_.empty()) return;
    for (const activity::Occurrence& occurrence : cycle.column(activity::Signal::retire)) {
      const activity::InstructionRecord& instruction = cycle.instructions[occurrence.ref];
      if (instruction.thread < pcs_.size()) *pcs_[instruction.thread] = instruction.ip;
    }
  }

 private:
  struct TracedState {
    State state;
    unsigned width;
    std::uint64_t* place;
  };
  std::vector<std::uint64_t*> pcs_;
  std::vector<TracedState> states_;
  std::vector<std::uint64_t*> signals_;
};

/// Signals of one PMU.
class Waveform::Pmu {
 public:
  Pmu(Waveform& wave, pmu::SignalPmuModule& module) : plan_(wave.plan_) {
    const pmu::Monitor& monitor = module.monitor();
    const std::string name = module.name(), scope = name + ".";
    if (plan_.has(WaveGroup::counters)) add_counters(wave, monitor, scope);
    wave.add(static_cast<pmu::PmuShell&>(module));
    if (plan_.has(WaveGroup::pmu)) {
      const auto all = monitor.indicators();
      for (const pmu::Indicator& one : all)
        indicators_.push_back({one.width, &wave.place(scope + std::string(one.name), one.width, Look::binary)});
    }
    if (plan_.has(WaveGroup::fields)) add_registers(wave, monitor, name);
  }
  void show(pmu::Monitor& monitor) {
    for (unsigned i = 0; i < counters_.size(); ++i) {
      const pmu::CounterProbe probe = monitor.probe(i);
      Counter& counter = counters_[i];
      *counter.n = low_bits(probe.occurrences, n_bits);
      *counter.condition = probe.condition ? 1 : 0;
      *counter.edge = probe.edge_flop ? 1 : 0;
      *counter.value = low_bits(probe.value, counter.width);
    }
    for (std::size_t i = 0; i < indicators_.size(); ++i)
      *indicators_[i].place = low_bits(monitor.indicator(i), indicators_[i].width);
    for (Register& reg : registers_) show(monitor, reg);
  }

 private:
  static constexpr unsigned n_bits = 16;
  struct Counter {
    std::uint64_t *n, *condition, *edge, *value;
    unsigned width;
  };
  struct TracedIndicator {
    unsigned width;
    std::uint64_t* place;
  };
  struct Register {
    pmu::RegisterId id;
    const WaveRegister* plan;
    std::vector<std::uint64_t*> places;
    std::optional<std::uint64_t> last = {};
  };

  void add_counters(Waveform& wave, const pmu::Monitor& monitor, const std::string& scope) {
    const std::vector<std::string> names = counter_names(*plan_.target, monitor);
    const bool none = std::all_of(plan_.events.begin(), plan_.events.end(), [](const auto& e) { return e.empty(); });
    for (unsigned i = 0; i < monitor.counter_count(); ++i) {
      const std::string counter = i < names.size() ? names[i] : fmt::format("counter{}", i);
      const std::string event = i < plan_.events.size() ? plan_.events[i] : "";
      const std::string in = scope + scope_name(counter, event) + ".";
      const bool shown = none || !event.empty();  // a counter without an event has no signals
      if (shown) wave.layout_.begin(scope_name(counter, event));
      Counter places{};
      places.width = value_bits(*plan_.target, monitor, counter);
      places.n = &wave.place(in + "n", n_bits, Look::decimal, shown);
      places.condition = &wave.place(in + "condition", 1, Look::binary, shown);
      places.edge = &wave.place(in + "edge", 1, Look::binary, shown);
      places.value = &wave.place(in + "value", places.width, Look::decimal, shown);
      if (shown) wave.layout_.end();
      counters_.push_back(places);
    }
  }
  void add_registers(Waveform& wave, const pmu::Monitor& monitor, const std::string& name) {
    const std::string scope = name + ".";
    if (plan_.registers.empty()) return;
    wave.layout_.begin(name + " registers", true);
    for (const WaveRegister& plan : plan_.registers) {
      const auto info = pmu::find_register(monitor, plan.name);
      if (!info) continue;
      Register reg{info->id, &plan, {}};
      wave.layout_.comment(plan.name);
      for (const WaveField& field : plan.fields)
        reg.places.push_back(&wave.place(scope + scope_name(plan.name, "") + "." + scope_name(field.name, ""),
                                         field.width,
                                         field.width > 8   ? Look::hexadecimal
                                         : field.width > 1 ? Look::decimal
                                                           : Look::binary));
      if (plan.fields.empty())
        reg.places.push_back(&wave.place(scope + scope_name(plan.name, ""), plan.width, Look::hexadecimal));
      registers_.push_back(std::move(reg));
    }
    wave.layout_.end();
  }
  void show(pmu::Monitor& monitor, Register& reg) {
    const pmu::AccessResult got = monitor.read(reg.id, {});
    if (got.fault != pmu::Fault::none || got.value == reg.last) return;
    reg.last = got.value;
    if (reg.plan->fields.empty()) {
      *reg.places[0] = low_bits(got.value, reg.plan->width);
      return;
    }
    const std::vector<std::uint64_t> values = plan_.fields_of(reg.plan->name, got.value);
    for (std::size_t i = 0; i < std::min(values.size(), reg.places.size()); ++i)
      *reg.places[i] = low_bits(values[i], reg.plan->fields[i].width);
  }

  const WaveformPlan& plan_;
  std::vector<Counter> counters_;
  std::vector<TracedIndicator> indicators_;
  std::vector<Register> registers_;
};

Waveform::Waveform(const std::filesystem::path& file, const WaveformPlan& plan)
    : plan_(plan), file_(file), layout_(file) {
  file_.get()->set_time_unit(1, sc_core::SC_PS);
}

Waveform::~Waveform() = default;

std::uint64_t& Waveform::place(const std::string& name, unsigned width, Look look, bool in_layout) {
  std::uint64_t& value = places_.emplace_back(0);
  sc_core::sc_trace(file_.get(), value, name, static_cast<int>(width));
  if (in_layout) layout_.signal("SystemC." + name, width, look);
  return value;
}

void Waveform::add(pmu::PmuShell& shell) {
  if (!plan_.has(WaveGroup::pmu)) return;
  shell.want_pins();
  shell.trace(file_.get());
  layout_.signal(fmt::format("SystemC.{}.interrupt", shell.name()), 1, Look::binary);
  for (std::size_t i = 0; i < shell.pins.size(); ++i)
    layout_.signal(fmt::format("SystemC.{}.pin{}", shell.name(), i), 1, Look::binary);
}

void Waveform::add(pmu::SignalPmuModule& module, sc_core::sc_signal_in_if<bool>& clock) {
  const bool first = core_ == nullptr;
  if (first) core_ = std::make_unique<Core>(*this);
  Pmu& pmu = *pmus_.emplace_back(std::make_unique<Pmu>(*this, module));
  module.on_cycle([this, first, &pmu](const Block& cycle, pmu::Monitor& monitor) {
    if (first) core_->show(cycle);
    pmu.show(monitor);
  });
  if (!first || !plan_.has(WaveGroup::clock)) return;
  sc_core::sc_trace(file_.get(), clock, "core.clock");
  sc_core::sc_trace(file_.get(), module.cycle, "core.cycle");
  layout_.signal("SystemC.core.clock", 1, Look::binary);
  layout_.signal("SystemC.core.cycle", 64, Look::decimal);
}

void Waveform::close() {
  file_.close();
  layout_.close();
}

}  // namespace pmusim::testbench
