// The directives of a trace.
#include <numeric>

#include "models/core/ia64/core.h"

namespace pmusim::core::ia64 {

namespace d = activity::detail;
namespace psr = act::psr;

const DirectiveRow<Ia64Core>& Ia64Core::directive_row(const Operands& operands) const {
  using C = Ia64Core;
  using directive::number;
  using directive::own;
  constexpr auto split_l2 = [](const C& core) { return core.machine_.settings.split(); };
  static constexpr auto rows = std::to_array<DirectiveRow<C>>({
      {"bus", When::at_once, own<&C::do_bus>},
      {"cpl", When::at_rest, own<&C::do_cpl>},
      {"dcr", When::at_rest, own<&C::do_dcr>},
      {"ecc", When::at_once, own<&C::do_ecc>},
      {"interface", When::at_once, own<&C::do_interface>, split_l2},
      {"interrupt", When::at_rest, own<&C::do_interrupt>},
      {"mode", When::at_rest, own<&C::do_mode>},
      {"pcr", When::at_rest, own<&C::do_pcr>, split_l2},
      {"pin", When::at_once, own<&C::do_pin>},
      {"preempt", When::at_once, own<&C::do_preempt>, split_l2},
      {"psr", When::at_rest, own<&C::do_psr>},
      {"snoop", When::at_once, own<&C::do_snoop>},
      {"tb", When::at_once, own<&C::do_tb>},
      {"thread", When::at_rest, own<&C::do_thread>},
  });
  return find_directive<C>(*this, CommonDirectives<C>::rows, rows, "an IA-64 core takes", operands);
}

Gate Ia64Core::pass(Directives& directives, bool) {
  while (directives.due()) {
    // An `idle` directive extends the one before it; all other directives wait for its end.
    const trace::Directive& directive = directives.next();
    if (now_ < clock_from_ || (now_ < thread_->idle_until && directive.name != "idle")) return Gate::wait;
    Operands operands(directive, thread_->front.cursor());
    const DirectiveRow<Ia64Core>& row = directive_row(operands);
    if (row.when != When::at_once && !at_rest()) return Gate::wait;  // this core does not tell quiet from at rest
    ++directives.done;
    row.act(*this, operands);
    operands.finish();
  }
  return Gate::open;
}

// --- privilege, modes, interrupts ------------------------------------------------------------------------------

void Ia64Core::do_cpl(Operands& o) {
  constexpr std::uint64_t least_privileged = 3;
  const std::uint64_t level = o.number("");
  if (level > least_privileged) o.fail("a privilege level is 0, 1, 2 or 3");
  set_mode({thread_->mode.psr, static_cast<unsigned>(level)});
}

void Ia64Core::do_psr(Operands& o) {
  constexpr std::pair<std::string_view, std::uint64_t> bits[] = {{"up", psr::up}, {"pp", psr::pp}, {"sp", psr::sp},
                                                                 {"is", psr::is}, {"db", psr::db}, {"ed", psr_ed}};
  std::uint64_t next = thread_->mode.psr;
  for (const auto& [name, bit] : bits) {
    if (const auto value = o.choice(name, {"0", "1"})) next = *value == 1 ? next | bit : next & ~bit;
  }
  set_mode({next, thread_->mode.cpl});
}

void Ia64Core::do_dcr(Operands& o) {
  const auto pp = o.choice("pp", {"0", "1"});
  const auto dm = o.choice("dm", {"0", "1"});
  if (pp) thread_->dcr = (thread_->dcr & ~dcr::pp) | (*pp == 1 ? dcr::pp : 0);
  if (dm) thread_->dcr = (thread_->dcr & ~dcr::dm) | (*dm == 1 ? dcr::dm : 0);
  machine_.recorder.set_next(State::dcr, thread_->dcr);
}

void Ia64Core::do_mode(Operands& o) {
  const std::size_t mode = o.required_choice("", {"native", "ia32"});
  if (mode == 1 && machine_.settings.split()) o.fail("this processor runs no IA-32 code");
  set_mode({mode == 1 ? thread_->mode.psr | psr::is : thread_->mode.psr & ~psr::is, thread_->mode.cpl});
}

void Ia64Core::do_interrupt(Operands& o) {
  if (o.text("vector")) (void)o.number("vector");
  machine_.recorder.occur(Signal::trap, d::trap_maskable);
  enter(thread_->mode);
  machine_.recorder.set(State::back_end, act::back_end(act::BackEnd::flush, act::cause::interruption));
  back_end_from_ = now_ + machine_.settings.interruption_flush;
  waits_for_bundles_ = false;
  hold(machine_.settings.interruption_flush);
}

void Ia64Core::do_return(Operands&) {
  // After an rfi of the trace, the directive only explains the discontinuity: the rfi has restored the mode.
  if (!thread_->last_was_rfi) leave();
  thread_->last_was_rfi = false;
}

void Ia64Core::do_switch() {}

void Ia64Core::do_process(std::uint64_t process) {
  // Region identifiers distinguish the processes in the second level; entries of the first level have none.
  data_.translation().set_process(static_cast<std::uint32_t>(process));
  fetch_memory_.translation().set_process(static_cast<std::uint32_t>(process));
  thread_->process = process;
  machine_.recorder.set_next(State::process, process);
}

void Ia64Core::do_thread(Operands& o) {
  const std::uint64_t thread = o.number("");
  if (thread > 1) o.fail("a thread is 0 or 1");
  if (machine_.two_threads) o.fail("each of two threads has a trace of its own");
  machine_.recorder.set(State::thread, thread);
}

// --- clocks and pins -------------------------------------------------------------------------------------------

void Ia64Core::do_preempt(Operands& o) {
  const std::size_t cause = o.required_choice("cause", {"low_power", "debug", "interrupt"});
  if (cause == 2) return note_interrupt_of_the_other();
  ask_switch(cause == 0 ? act::SwitchCause::low_power : act::SwitchCause::debug, false);
}

void Ia64Core::do_idle(Cycle cycles) {
  thread_->idle_until = std::max(thread_->idle_until, now_ + 1) + cycles;
  if ((thread_->mode.psr & psr::is) != 0) {
    ia32_until_ = thread_->idle_until;
    ends_at(now_ + 1);
  }
  thread_->front.hold_until(thread_->idle_until);
}

void Ia64Core::do_pin(Operands& o) {
  const std::size_t pin = o.required_choice("", {"dp0", "dp1", "dp2", "dp3", "dp4", "dp5"});
  const std::size_t level = o.required_choice("level", {"0", "1"});
  Cycle cycles = 0;
  if (o.text("cycles")) cycles = o.cycles();
  const std::uint64_t bit = std::uint64_t{1} << pin;
  const std::uint64_t before = machine_.recorder.get(State::pins);
  if (level == 1 && (before & bit) == 0) machine_.recorder.occur(Signal::pin_assert, static_cast<std::uint16_t>(pin));
  machine_.recorder.set(State::pins, level == 1 ? before | bit : before & ~bit);
  pin_until_[pin] = level == 1 && cycles != 0 ? now_ + cycles : 0;
  if (pin_until_[pin] != 0) ends_at(pin_until_[pin]);
}

void Ia64Core::do_tb(Operands& o) {
  constexpr unsigned most = 1000;
  const auto [clocks, per] = o.ratio(most, true);
  const unsigned common = std::gcd(clocks, per);
  hierarchy_.bus().set_ratio(clocks / common, per / common);
  machine_.recorder.set(State::bus_ratio, std::uint64_t{clocks / common} << 16 | per / common);
}

// --- memory ----------------------------------------------------------------------------------------------------

void Ia64Core::do_memory(Operands& o) {
  const std::uint64_t address = o.address("addr");
  const std::uint64_t size = o.number("size");
  const MemoryType type = o.memory_type({"uc", "wc", "wb"});
  if (size == 0) o.fail("size must be at least 1");
  machine_.map.set_type(machine_.memory_base + address, size, type);
}

void Ia64Core::do_map(Operands& o) {
  const std::uint64_t address = o.address("addr");
  const std::uint64_t to = o.address("to");
  const std::uint64_t page = machine_.settings.page_bytes;
  if (address % page != 0 || to % page != 0) o.fail("addr and to must be multiples of core.page_bytes");
  machine_.pages().map(address, to);
}

void Ia64Core::do_state(Operands& o) {
  const std::uint64_t address = o.address("addr");
  const LineState state = o.line_state({"M", "O", "E", "S", "I"});
  const bool elsewhere = o.choice("at", {"elsewhere"}).has_value();
  hierarchy_.place(machine_.physical(address), state, elsewhere);
}

void Ia64Core::do_ecc(Operands& o) {
  const bool in_l2 = o.error_is_in_l2();
  const std::uint64_t address = o.address("addr");
  hierarchy_.mark_error(machine_.physical(address), in_l2);
}

void Ia64Core::do_snoop(Operands& o) {
  const std::size_t kind = o.required_choice("kind", {"read", "invalidate"});
  const std::uint64_t address = o.address("addr");
  hierarchy_.foreign(kind == 1 ? act::BusKind::read_invalidate_line : act::BusKind::read_line,
                     act::BusAgent::other_processor, machine_.physical(address), now_);
  if (kind == 1) note_invalidation(address);
}

void Ia64Core::do_bus(Operands& o) {
  const std::size_t kind =
      o.required_choice("kind", {"read_line", "read_invalidate_line", "invalidate_line", "read_current", "read_partial",
                                 "write_line", "write_partial", "io_read", "io_write", "lock", "other"});
  const std::uint64_t address = o.address("addr");
  const std::size_t agent = o.choice("agent", {"any", "io", "self", "core"}).value_or(0);
  const auto which = static_cast<act::BusKind>(kind);
  constexpr std::array agents = {act::BusAgent::other_processor, act::BusAgent::io, act::BusAgent::self,
                                 act::BusAgent::other_core};
  if (agents[agent] == act::BusAgent::self && which < act::BusKind::io_read) {
    o.fail(
        "what this processor reads and writes in memory is the program's: agent=self goes with io_read, io_write, "
        "lock, other");
  }
  if (agents[agent] == act::BusAgent::other_core && !machine_.settings.split())
    o.fail("this processor has one core: agent is any, io or self");
  hierarchy_.foreign(which, agents[agent], machine_.physical(address), now_);
  if (Hierarchy::takes_line(which)) note_invalidation(address);
}

/// Events in the queues of the system interface, which both cores of the processor use.
void Ia64Core::do_interface(Operands& o) {
  const std::size_t what = o.required_choice("kind", {"insert", "collision", "signoff", "ecc"});
  const std::size_t core = o.choice("core", {"other", "self"}).value_or(0);
  const std::uint16_t whose = core == 0 ? act::interface_other_core : 0;
  const auto entry = [&](std::initializer_list<std::string_view> words) {
    return static_cast<unsigned>(o.required_choice("entry", words));
  };
  if (what == 3) {
    const unsigned twice = entry({"single", "double"});
    machine_.recorder.occur(Signal::interface_ecc, whose | (twice != 0 ? act::interface_double_error : 0));
    return;
  }
  const auto queue = what == 2 ? act::InterfaceQueue::snoop_coalescing
                               : static_cast<act::InterfaceQueue>(o.required_choice(
                                     "queue", {"request", "write", "castout", "snoop", "in_order", "write_address"}));
  unsigned kind = 0;
  if (what != 1 && queue == act::InterfaceQueue::snoop_coalescing) kind = entry({"miss", "hit", "hitm"});
  if (what == 0 && queue == act::InterfaceQueue::write)
    kind = entry({"implicit", "explicit", "1to8a", "16", "32", "non_temporal", "1to8b"});
  Cycle cycles = 1;
  if (o.text("cycles")) cycles = o.cycles();
  const std::uint16_t detail = static_cast<unsigned>(queue) | kind << act::interface_kind_shift | whose;
  constexpr std::array signals = {Signal::interface_insert, Signal::interface_collision, Signal::interface_signoff};
  machine_.recorder.occur(signals[what], detail);
  if (what == 0) hierarchy_.bus().occupy_interface(queue, core == 0, now_, now_ + cycles);
}

}  // namespace pmusim::core::ia64
