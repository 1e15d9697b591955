#include "models/core/alpha/stimulus.h"

#include <array>

namespace pmusim::core::alpha {

using act::SystemCommand;
using act::Trap;

namespace {

constexpr unsigned pin_count = 6;

}  // namespace

const DirectiveRow<Stimulus>& Stimulus::row_of(const Operands& operands) const {
  using C = Stimulus;
  using directive::nothing;
  using directive::own;
  static constexpr auto rows = std::to_array<DirectiveRow<C>>({
      {"bus", When::at_once, own<&C::do_command>},
      {"cpl", When::at_rest, own<&C::do_cpl>},
      {"interrupt", When::at_rest, own<&C::do_interrupt>},
      {"ipl", When::at_rest, own<&C::do_ipl>},
      {"mcheck", When::at_rest, nothing<&C::do_machine_check>},
      {"mode", When::at_rest, own<&C::do_mode>},
      {"parity", When::at_rest, own<&C::do_parity>},
      {"pcb", When::at_rest, own<&C::do_pcb>},
      {"pin", When::at_once, own<&C::do_pin>},
      {"reset", When::at_rest, nothing<&C::do_reset>},
      {"snoop", When::at_once, own<&C::do_command>},
  });
  return find_directive<C>(*this, CommonDirectives<C>::rows, rows, "Alphas take", operands);
}

void Stimulus::change_back() {
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
  Operands operands(directive, ordinal);
  effect_ = {};
  row_of(operands).act(*this, operands);
  operands.finish();
  machine_.agenda.changed();
  return effect_;
}

void Stimulus::do_cpl(Operands& o) {
  const std::uint64_t mode = o.number("");
  if (mode > 3) o.fail("a mode is 0, 1, 2 or 3");
  modes_.set_cpl(static_cast<unsigned>(mode));
}

void Stimulus::do_ipl(Operands& o) {
  const std::uint64_t level = o.number("");
  if (level > 7) o.fail("a level is 0 to 7");
  modes_.set_ipl(static_cast<unsigned>(level));
}

void Stimulus::do_interrupt(Operands& o) {
  if (o.text("vector")) (void)o.number("vector");
  effect_.flow = Trap::interrupt;
}

void Stimulus::do_reset() {
  effect_.flow = Trap::reset;
  translation_.clear();
  memory_.flush_code();
  modes_.set_cpl(0);
  modes_.set_ipl(7);
}

void Stimulus::do_return(Operands& o) {
  if (!modes_.leave_system()) o.fail("the system was not entered, there is nothing to return from");
  effect_.drops_fetched = true;
}

void Stimulus::do_idle(Cycle cycles) {
  effect_.pause = cycles;
  machine_.recorder.set_next(State::idle_thread, 1);
  idle_until_ = machine_.agenda.now() + 1 + cycles;
}

void Stimulus::do_state(Operands& o) {
  const std::uint64_t address = o.address("addr");
  memory_.place(address, o.line_state({"M", "O", "E", "S", "I"}));
}

void Stimulus::do_map(Operands& o) {
  const std::uint64_t from = o.address("addr"), to = o.address("to");
  if (from % page_bytes != 0 || to % page_bytes != 0) o.fail("addr and to must be multiples of 2000 (8 KB)");
  machine_.map.map(from, to);
}

void Stimulus::do_memory(Operands& o) {
  const std::uint64_t address = o.address("addr"), size = o.number("size");
  const auto type = o.memory_type({"wb", "uc"});
  machine_.map.set_type(address, size, type);
}

void Stimulus::do_pcb(Operands& o) {
  if (o.text("asn")) {
    const std::uint64_t asn = o.number("asn");
    if (asn > 255) o.fail("an address space number is at most 255");
    translation_.set_space(static_cast<std::uint32_t>(asn));
  }
  if (const auto mark = o.choice("pme", {"0", "1"})) machine_.recorder.set_next(State::process_marked, *mark);
  if (const auto enabled = o.choice("fen", {"0", "1"})) fp_enabled_ = *enabled == 1;
}

void Stimulus::do_command(Operands& o) {
  constexpr std::array commands = {SystemCommand::read,       SystemCommand::flush, SystemCommand::invalidate,
                                   SystemCommand::set_shared, SystemCommand::probe, SystemCommand::other};
  const std::size_t kind = o.required_choice("kind", {"read", "flush", "invalidate", "set_shared", "probe", "other"});
  (void)o.choice("agent", {"any", "io"});
  memory_.system(commands[kind], o.address("addr"));
}

/// Pins by number, or perf_mon_h (0). A rising edge is Signal::pin_assert, the level State::pins.
void Stimulus::do_pin(Operands& o) {
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
