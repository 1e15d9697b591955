#include "models/core/alpha/stimulus.h"

#include <algorithm>
#include <array>

namespace pmusim::core::alpha {

namespace d = activity::detail;
using act::SystemCommand;
using act::Trap;

namespace {

constexpr std::string_view takes =
    "Alphas take bus, cpl, halt, idle, interrupt, ipl, map, mcheck, memory, mode, parity, pcb, pin, process, reset, "
    "return, snoop, state, stop, switch";

struct Row {
  std::string_view name;
  When when;
};
constexpr Row rows[] = {
    {"bus", When::at_once},       {"cpl", When::at_rest},     {"halt", When::quiet},     {"idle", When::at_rest},
    {"interrupt", When::at_rest}, {"ipl", When::at_rest},     {"map", When::quiet},      {"mcheck", When::at_rest},
    {"memory", When::quiet},      {"mode", When::at_rest},    {"parity", When::at_rest}, {"pcb", When::at_rest},
    {"pin", When::at_once},       {"process", When::at_rest}, {"reset", When::at_rest},  {"return", When::at_rest},
    {"snoop", When::at_once},     {"state", When::quiet},     {"stop", When::quiet},     {"switch", When::at_rest},
};

constexpr unsigned pin_count = 6;

}  // namespace

When Stimulus::when(const trace::Directive& directive, std::uint64_t ordinal) {
  const auto* const row =
      std::find_if(std::begin(rows), std::end(rows), [&](const Row& r) { return r.name == directive.name; });
  if (row == std::end(rows)) Operands(directive, ordinal).fail(takes);
  return row->when;
}

void Stimulus::begin_cycle() {
  const Cycle now = machine_.agenda.now();
  if (idle_until_ != 0) {
    if (now >= idle_until_) {
      idle_until_ = 0;
      machine_.recorder.set(State::idle_thread, 0);
    } else {
      machine_.agenda.at(idle_until_);
    }
  }
  if (pin_ends_.empty()) return;
  std::erase_if(pin_ends_, [&](const PinEnd& end) {
    if (now < end.at) {
      machine_.agenda.at(end.at);
      return false;
    }
    pins_ = end.level ? pins_ | 1u << end.pin : pins_ & ~(std::uint64_t{1} << end.pin);
    return true;
  });
  machine_.recorder.set(State::pins, pins_);
}

Effect Stimulus::act(const trace::Directive& directive, std::uint64_t ordinal) {
  Operands o(directive, ordinal);
  const std::string& name = directive.name;
  Effect effect;
  if (name == "cpl" || name == "ipl") {
    const std::uint64_t level = o.number("");
    if (level > (name == "cpl" ? 3 : 7)) o.fail(name == "cpl" ? "a mode is 0, 1, 2 or 3" : "a level is 0 to 7");
    if (name == "cpl") modes_.set_cpl(static_cast<unsigned>(level));
    if (name == "ipl") modes_.set_ipl(static_cast<unsigned>(level));
  } else if (name == "mode") {
    modes_.set_pal(o.required_choice("", {"native", "pal"}) == 1);
    effect.drops_fetched = true;
  } else if (name == "process") {
    machine_.recorder.set_next(State::process, o.number(""));
  } else if (name == "pcb") {
    pcb(o);
  } else if (name == "interrupt") {
    if (o.text("vector")) (void)o.number("vector");
    effect.flow = Trap::interrupt;
  } else if (name == "mcheck") {
    effect.flow = Trap::machine_check;
  } else if (name == "reset") {
    effect.flow = Trap::reset;
    translation_.clear();
    memory_.flush_code();
    modes_.set_cpl(0);
    modes_.set_ipl(7);
  } else if (name == "return") {
    if (!modes_.leave_system()) o.fail("the system was not entered, there is nothing to return from");
    effect.drops_fetched = true;
  } else if (name == "switch") {
    effect.drops_fetched = true;
  } else if (name == "idle" || name == "halt" || name == "stop") {
    effect.pause = o.cycles();
    effect.clock_stops = name != "idle";
    if (name == "idle") {
      machine_.recorder.set_next(State::idle_thread, 1);
      idle_until_ = machine_.agenda.now() + 1 + effect.pause;
      machine_.agenda.at(idle_until_);
    }
  } else if (name == "snoop" || name == "bus") {
    command(o);
  } else if (name == "state") {
    constexpr std::array states = {LineState::modified, LineState::owned, LineState::exclusive, LineState::shared,
                                   LineState::invalid};
    const std::uint64_t address = o.address("addr");
    memory_.place(address, states[o.required_choice("line", {"M", "O", "E", "S", "I"})]);
  } else if (name == "map") {
    const std::uint64_t from = o.address("addr"), to = o.address("to");
    if (from % page_bytes != 0 || to % page_bytes != 0) o.fail("addr and to must be multiples of 2000 (8 KB)");
    machine_.map.map(from, to);
  } else if (name == "memory") {
    const std::uint64_t address = o.address("addr"), size = o.number("size");
    const bool io = o.required_choice("type", {"wb", "uc"}) == 1;
    machine_.map.set_type(address, size, io ? activity::MemoryType::uncacheable : activity::MemoryType::write_back,
                          !io);
  } else if (name == "parity") {
    parity_.push_back(o.address("addr") & ~std::uint64_t{machine_.settings.l1i_line - 1});
  } else if (name == "pin") {
    pin(o);
  } else {
    o.fail(takes);
  }
  o.finish();
  machine_.agenda.changed();
  return effect;
}

void Stimulus::pcb(Operands& o) {
  if (o.text("asn")) {
    const std::uint64_t asn = o.number("asn");
    if (asn > 255) o.fail("an address space number is at most 255");
    translation_.set_space(static_cast<std::uint32_t>(asn));
  }
  if (const auto mark = o.choice("pme", {"0", "1"})) machine_.recorder.set_next(State::process_marked, *mark);
  if (const auto enabled = o.choice("fen", {"0", "1"})) fp_enabled_ = *enabled == 1;
}

void Stimulus::command(Operands& o) {
  constexpr std::array commands = {SystemCommand::read,       SystemCommand::flush, SystemCommand::invalidate,
                                   SystemCommand::set_shared, SystemCommand::probe, SystemCommand::other};
  const std::size_t kind = o.required_choice("kind", {"read", "flush", "invalidate", "set_shared", "probe", "other"});
  (void)o.choice("agent", {"any", "io"});
  memory_.system(commands[kind], o.address("addr"));
}

/// Pins by number, or perf_mon_h (0). A rising edge is Signal::pin_assert, the level State::pins.
void Stimulus::pin(Operands& o) {
  const std::size_t name = o.required_choice("", {"0", "1", "2", "3", "4", "5", "perf_mon_h"});
  const auto pin = static_cast<unsigned>(name == pin_count ? 0 : name);
  const bool level = o.required_choice("level", {"0", "1"}) == 1;
  const std::uint64_t bit = std::uint64_t{1} << pin;
  if (level && (pins_ & bit) == 0) machine_.recorder.occur(Signal::pin_assert, static_cast<std::uint16_t>(pin));
  std::erase_if(pin_ends_, [&](const PinEnd& end) { return end.pin == pin; });
  pins_ = level ? pins_ | bit : pins_ & ~bit;
  machine_.recorder.set(State::pins, pins_);
  if (o.text("cycles")) {
    const Cycle end = machine_.agenda.now() + o.cycles();
    pin_ends_.push_back({end, pin, !level});
    machine_.agenda.at(end);
  }
}

bool Stimulus::take_parity_error(std::uint64_t address) {
  if (parity_.empty()) return false;
  const std::uint64_t line = address & ~std::uint64_t{machine_.settings.l1i_line - 1};
  return std::erase(parity_, line) != 0;
}

}  // namespace pmusim::core::alpha
