// Directives. They take effect at the start of the first cycle in which nothing is in flight. That cycle is the first
// of the new state, and the next instruction is fetched in it. Snoops whose kind ends in `-now` do not wait for
// instructions in flight.
#include <fmt/format.h>

#include <algorithm>

#include "models/core/ppc750/core.h"

namespace pmusim::core::ppc750 {

namespace d = activity::detail;
namespace msr = activity::msr;

namespace {

constexpr std::uint64_t cleared_at_exception = 0x0004EF36;  ///< POW EE PR FP FE0 SE BE FE1 IR DR PM RI

bool acts_at_once(const trace::Directive& directive) {
  if (directive.name != "snoop") return false;
  for (const auto& [key, value] : directive.operands) {
    if (key == "kind" && value.ends_with("-now")) return true;
  }
  return false;
}

}  // namespace

void Ppc750Core::act_stimuli() {
  // The cycle before must be simulated, too: it is the last one if nothing follows.
  if (now_ < stimulus_from_) return wake_.on(std::max(now_ + 1, stimulus_from_ - 1));
  if (clock_stopped_) {
    clock_stopped_ = false;
    machine_.recorder.set(State::clock, 1);
  }
  bool acted = false;
  while (now_ >= stimulus_from_ && !no_directive_waits()) {
    // This core waits until everything is quiet before any directive except a snoop of the kinds `-now`.
    Directives& waiting = program_.directives_at(cursor_);
    if (!quiet() && !acts_at_once(waiting.next())) break;
    Operands operands(waiting.next(), cursor_);
    directive_row(operands).act(*this, operands);
    operands.finish();
    ++waiting.done;
    acted = true;
  }
  if (!acted) return;
  wake_.on(std::max(now_ + 1, stimulus_from_ - 1));
  const Program::Entry* entry = program_.at(cursor_);
  if (entry != nullptr) redirect(entry->instruction.code->pc, true, cursor_, std::max(now_, stimulus_from_));
}

void Ppc750Core::set_msr(std::uint64_t value) {
  msr_ = value;
  machine_.recorder.set(State::msr, value);
  machine_.recorder.set(State::cpl, (value & msr::pr) != 0 ? 3 : 0);
}

/// Enters an exception: records the trap with the program's next instruction, changes the MSR and clears the BTIC.
void Ppc750Core::enter_exception(std::uint16_t trap_detail) {
  const Program::Entry* entry = program_.at(cursor_);
  if (entry != nullptr) {
    NamedInstruction next;
    next.record.id = cursor_;
    next.record.ip = entry->instruction.code->pc;
    next.record.next_ip = next_of(entry->instruction);
    next.record.length = 4;
    next.record.tagged = now_;
    const Operation& operation = operations_.get(*entry->instruction.code);
    next.record.encoding = operation.record.encoding;
    next.record.traits = operation.record.traits;
    machine_.recorder.occur(Signal::trap, next, trap_detail);
  } else {
    machine_.recorder.occur(Signal::trap, trap_detail);
  }
  saved_msr_.push_back(msr_);
  set_msr(msr_ & ~cleared_at_exception);
  btic_.clear();
}

const DirectiveRow<Ppc750Core>& Ppc750Core::directive_row(const Operands& operands) const {
  using C = Ppc750Core;
  using directive::own;
  static constexpr auto rows = std::to_array<DirectiveRow<C>>({
      {"bus", When::quiet, own<&C::do_bus>},
      {"ecc", When::quiet, own<&C::do_ecc>},
      {"interrupt", When::quiet, own<&C::do_interrupt>},
      {"msr", When::quiet, own<&C::do_msr>},
      {"nmi", When::quiet, [](C& core, Operands&) { core.enter_exception(d::trap_nmi); }},
      {"smi", When::quiet, [](C& core, Operands&) { core.enter_exception(d::trap_smi); }},
      {"snoop", When::quiet, own<&C::do_snoop>},
      {"tb", When::quiet, own<&C::do_tb>},
  });
  return find_directive<C>(*this, CommonDirectives<C>::rows, rows, "not a directive of the 750GX; it takes", operands);
}

void Ppc750Core::do_return(Operands& operands) {
  if (saved_msr_.empty()) operands.fail("no interrupt has been taken to return from");
  set_msr(saved_msr_.back());
  saved_msr_.pop_back();
  btic_.clear();
}

// The system switched to another program; `! msr` and `! process` describe the other changes.
void Ppc750Core::do_switch() {}

void Ppc750Core::do_halt(Cycle cycles) {
  stimulus_from_ = now_ + cycles;
  clock_stopped_ = true;
  machine_.recorder.set(State::clock, 0);
}

/// Another agent's transaction that is not snooped: it occupies the data bus for the time of a line.
void Ppc750Core::do_bus(Operands& operands) {
  (void)operands.text("kind");
  (void)operands.choice("agent", {"any", "io"});
  memory_.foreign_transfer(now_, operands.address("addr"));
  stimulus_from_ = now_ + 1;
}

void Ppc750Core::do_ecc(Operands& operands) {
  const bool from_l2 = operands.error_is_in_l2();
  memory_.plant_error(operands.address("addr"), from_l2);
}

void Ppc750Core::do_map(Operands& operands) {
  constexpr std::uint64_t page_bytes = 4096;
  const std::uint64_t from = operands.address("addr"), to = operands.address("to");
  if (from % page_bytes != 0 || to % page_bytes != 0) operands.fail("addr and to must be multiples of 1000 (4 KB)");
  memory_.map.map(from, to);
}

void Ppc750Core::do_msr(Operands& operands) {
  std::uint64_t value = msr_;
  const auto bit = [&](std::string_view key, std::uint64_t mask) {
    if (const auto choice = operands.choice(key, {"0", "1"})) value = *choice == 1 ? value | mask : value & ~mask;
  };
  bit("pr", msr::pr);
  bit("pm", msr::pm);
  bit("ee", msr::ee);
  set_msr(value);
}

void Ppc750Core::do_interrupt(Operands& operands) {
  std::uint64_t vector = 0x500;
  if (operands.text("vector")) vector = operands.number("vector");
  const bool maskable = vector == 0x500 || vector == 0x900 || vector == 0xF00 || vector == 0x1700;
  enter_exception(vector == 0x100    ? d::trap_nmi
                  : vector == 0x1400 ? d::trap_smi
                  : maskable         ? d::trap_maskable
                                     : d::trap_exception);
}

void Ppc750Core::do_snoop(Operands& operands) {
  auto kind = operands.text("kind");
  if (!kind) operands.fail("operand 'kind=' is missing");
  std::string_view name = *kind;
  if (name.ends_with("-now")) name.remove_suffix(4);
  const bool retry = name.ends_with("-retried");
  if (retry) name.remove_suffix(8);
  constexpr std::string_view names[] = {"read", "rwitm", "clean", "flush", "kill", "write", "write_kill"};
  const auto* const found = std::find(std::begin(names), std::end(names), name);
  if (found == std::end(names)) {
    operands.fail(fmt::format("'{}' is none of {}, each also with -retried, -now or -retried-now", *kind,
                              fmt::join(names, ", ")));
  }
  const auto snoop_kind = static_cast<SnoopKind>(found - std::begin(names));
  memory_.snoop(snoop_kind, operands.address("addr"), retry);
  port_taken_ = now_;         // the L1D tags serve the snoop in this cycle
  stimulus_from_ = now_ + 1;  // one snoop per cycle
}

void Ppc750Core::do_tb(Operands& operands) {
  constexpr unsigned most = 0xFFFF;
  const auto [clocks, per] = operands.ratio(most, true);
  machine_.recorder.set(State::bus_ratio, std::uint64_t{clocks} << 16 | per);
}

void Ppc750Core::do_memory(Operands& operands) {
  const std::uint64_t address = operands.address("addr"), size = operands.number("size");
  memory_.map.set_type(address, size, operands.memory_type({"wb", "wt", "uc"}));
}

void Ppc750Core::do_state(Operands& operands) {
  const std::uint64_t address = operands.address("addr");
  memory_.set_line(address, operands.line_state({"M", "E", "I"}));
}

}  // namespace pmusim::core::ppc750
