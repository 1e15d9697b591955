// The directives that this core supports, and the time at which each takes effect.
#include <array>
#include <numeric>

#include "models/core/athlon/core.h"

namespace pmusim::core::athlon {

namespace d = activity::detail;

const DirectiveRow<AthlonCore>& AthlonCore::directive_row(const Operands& operands) const {
  using C = AthlonCore;
  using directive::nothing;
  using directive::own;
  static constexpr auto rows = std::to_array<DirectiveRow<C>>({
      {"bus", When::at_rest, own<&C::do_bus>},
      {"cpl", When::at_rest, own<&C::do_cpl>},
      {"ecc", When::at_rest, own<&C::do_ecc>},
      {"if", When::at_rest, own<&C::do_if>},
      {"init", When::boundary, nothing<&C::do_init>},
      {"interrupt", When::boundary, own<&C::do_interrupt>},
      {"mode", When::at_rest, own<&C::do_mode>},
      {"nmi", When::boundary, [](C& core, Operands&) { core.take_trap(d::trap_nmi); }},
      {"pin", When::at_once, own<&C::do_pin>},
      {"smi", When::boundary, [](C& core, Operands&) { core.take_trap(d::trap_smi); }},
      {"snoop", When::at_once, own<&C::do_snoop>},
      {"tb", When::at_once, own<&C::do_tb>},
  });
  return find_directive<C>(*this, CommonDirectives<C, When::at_rest>::rows, rows, "the athlon core takes", operands);
}

Gate AthlonCore::pass(Directives& directives, bool at_start) {
  // Directives that need the core at rest act only at the start of a cycle, before any unit has acted.
  while (directives.due()) {
    if (idle_until_ != 0) {  // this directive is an idle that has begun
      if (machine_.agenda.now() < idle_until_) return Gate::wait;
      idle_until_ = 0;
      ++directives.done;
      continue;
    }
    Operands operands(directives.next(), program_.number_at(front_.line()));
    const DirectiveRow<AthlonCore>& row = directive_row(operands);
    bool ready = true;
    switch (row.when) {
      case When::at_once:
        break;
      case When::at_rest:
        ready = at_start && at_rest();
        break;
      case When::boundary:
        if (in_handler_) return Gate::wait;
        if (!at_start || (flight_.retired != flight_.fetched && !flight_.at(flight_.retired).wrong_path)) {
          return Gate::run_ahead;
        }
        break;
      case When::quiet:
        ready = at_start && at_rest();
        if (ready && !memory_.quiet()) {
          memory_.flush_write_buffers();
          ready = false;
        }
        break;
    }
    if (!ready) return Gate::wait;
    ++directives.done;
    const Cycle held = clock_stopped_until_;
    row.act(*this, operands);
    operands.finish();
    machine_.agenda.changed();
    if (idle_until_ != 0) {
      --directives.done;
      continue;
    }
    if (clock_stopped_until_ != held || row.when == When::boundary) return Gate::wait;
  }
  return Gate::open;
}

void AthlonCore::take_trap(std::uint16_t kind) {
  kill(flight_.retired);
  machine_.recorder.occur(Signal::trap, kind);
  memory_.flush_write_buffers();
  enter(handler_mode(kind == d::trap_smi));
  front_.redirect(front_.line(), machine_.agenda.now() + machine_.settings.interrupt_entry);
}

void AthlonCore::do_halt(Cycle cycles) {
  if (cycles == 0) return;
  machine_.recorder.set_next(State::clock, 0);
  clock_stopped_until_ = machine_.agenda.now() + 1 + cycles;
  front_.hold_until(clock_stopped_until_);
  machine_.agenda.at(clock_stopped_until_);
}

void AthlonCore::update_timers() {
  const Cycle now = machine_.agenda.now();
  if (clock_stopped_until_ != 0 && now >= clock_stopped_until_) {
    clock_stopped_until_ = 0;
    machine_.recorder.set(State::clock, 1);
  }
  machine_.agenda.at(idle_until_);
  if (pin_until_ != 0) {
    if (now >= pin_until_) {
      pin_until_ = 0;
      machine_.recorder.set(State::interrupt_pending, 0);
    } else {
      machine_.agenda.at(pin_until_);
    }
  }
}

void AthlonCore::set_bus_ratio(unsigned clocks, unsigned per) {
  const unsigned common = std::gcd(clocks, per);
  memory_.set_bus_ratio(clocks, per);
  machine_.recorder.set(State::bus_ratio, std::uint64_t{clocks / common} << 16 | per / common);
}

// --- privilege, interrupts -----------------------------------------------------------------------------------

void AthlonCore::do_cpl(Operands& o) {
  const std::uint64_t level = o.number("");
  if (level > 3) o.fail("a privilege level is 0, 1, 2 or 3");
  if (mode_.operating != OperatingMode::protected_mode && level != mode_.cpl) {
    o.fail("real mode and SMM run at 0, virtual-8086 mode at 3; '! mode protected' comes first");
  }
  set_mode({static_cast<unsigned>(level), mode_.interrupt_flag, mode_.operating});
}

void AthlonCore::do_mode(Operands& o) {
  const auto mode = static_cast<OperatingMode>(o.required_choice("", {"protected", "real", "v86", "smm"}));
  const bool keeps_level = mode == OperatingMode::protected_mode;
  const unsigned level = mode == OperatingMode::virtual_8086 ? 3 : 0;
  set_mode({keeps_level ? mode_.cpl : level, mode_.interrupt_flag, mode});
}

void AthlonCore::do_if(Operands& o) {
  const std::size_t flag = o.required_choice("", {"0", "1"});
  set_mode({mode_.cpl, flag == 1, mode_.operating});
}

void AthlonCore::do_interrupt(Operands& o) {
  constexpr std::uint64_t first_external = 32, last_vector = 255;
  std::uint64_t vector = first_external;
  if (o.text("vector")) vector = o.number("vector");
  if (vector > last_vector) o.fail("a vector is at most 255");
  const bool exception = vector < first_external;
  if (!exception) {
    machine_.recorder.set_next(State::interrupt_pending, 0);
    pin_until_ = 0;
  }
  take_trap(exception ? d::trap_exception : d::trap_maskable);
}

// Registers and TLBs are reset, the caches keep their lines.
void AthlonCore::do_init() {
  kill(flight_.retired);
  machine_.recorder.occur(Signal::pin_assert, d::pin_init);
  memory_.flush_write_buffers();
  load_store_.flush_tlbs();
  front_.flush_tlbs();
  entered_from_.clear();
  set_mode({0, false, OperatingMode::real});
  front_.redirect(front_.line(), machine_.agenda.now() + machine_.settings.interrupt_entry);
}

void AthlonCore::do_return(Operands&) {
  // After an IRET in the trace the directive only explains the discontinuity: the IRET has restored the mode.
  if (!last_was_interrupt_return_) leave_handler();
  last_was_interrupt_return_ = false;
}

void AthlonCore::do_switch() {}

void AthlonCore::do_process(std::uint64_t process) {
  if (process != machine_.recorder.get(State::process)) {
    // A new page directory empties the TLBs.
    load_store_.flush_tlbs();
    front_.flush_tlbs();
  }
  machine_.recorder.set_next(State::process, process);
}

// --- clocks and pins -----------------------------------------------------------------------------------------

void AthlonCore::do_pin(Operands& o) {
  (void)o.required_choice("", {"intr"});
  const std::size_t level = o.required_choice("level", {"0", "1"});
  Cycle cycles = 0;
  if (o.text("cycles")) cycles = o.cycles();
  machine_.recorder.set_next(State::interrupt_pending, level);
  pin_until_ = level == 1 && cycles != 0 ? machine_.agenda.now() + 1 + cycles : 0;
  if (pin_until_ != 0) machine_.agenda.at(pin_until_);
}

void AthlonCore::do_tb(Operands& o) {
  constexpr unsigned most = 1000;
  const auto [clocks, per] = o.ratio(most, false);
  set_bus_ratio(clocks, per);
}

// --- memory ----------------------------------------------------------------------------------------------------

void AthlonCore::do_memory(Operands& o) {
  const std::uint64_t address = o.address("addr");
  const std::uint64_t size = o.number("size");
  const MemoryType type = o.memory_type({"uc", "wc", "wt", "wp", "wb"});
  if (size == 0) o.fail("size must be at least 1");
  // Uncacheable ranges are devices; everything else is DRAM.
  machine_.map.set_type(address, size, type, type != MemoryType::uncacheable);
}

void AthlonCore::do_map(Operands& o) {
  const std::uint64_t address = o.address("addr");
  const std::uint64_t to = o.address("to");
  if (address % page_bytes != 0 || to % page_bytes != 0) o.fail("addr and to must be multiples of 4096");
  machine_.map.map(address, to);
}

void AthlonCore::do_state(Operands& o) {
  const std::uint64_t address = o.address("addr");
  const LineState state = o.line_state({"I", "S", "E", "O", "M"});
  memory_.place(address, machine_.map.translate(address), state);
}

void AthlonCore::do_bus(Operands& o) {
  constexpr std::array answers = {LineState::exclusive, LineState::shared, LineState::owned, LineState::invalid};
  const std::size_t kind = o.required_choice("kind", {"exclusive", "shared", "owned", "cancelled"});
  const std::uint64_t address = o.address("addr");
  (void)o.choice("agent", {"any", "io"});
  memory_.set_system_state(machine_.map.translate(address), answers[kind]);
}

void AthlonCore::do_ecc(Operands& o) {
  const bool in_l2 = o.error_is_in_l2();
  const std::uint64_t address = o.address("addr");
  memory_.mark_ecc(machine_.map.translate(address), in_l2);
}

void AthlonCore::do_snoop(Operands& o) {
  const std::size_t kind = o.required_choice("kind", {"read", "invalidate"});
  const std::uint64_t address = o.address("addr");
  const bool invalidates = kind == 1;
  const std::uint64_t physical = machine_.map.translate(address);
  memory_.snoop(physical, invalidates);
  if (!invalidates) return;
  const std::uint64_t bytes = machine_.settings.line_bytes;
  const std::uint64_t line = physical & ~(bytes - 1);
  // Code in flight from that line may be stale: restart with the oldest such instruction of which nothing has retired.
  Sequence oldest = flight_.retired;
  if (oldest < flight_.fetched && flight_.at(oldest).retired != 0) ++oldest;
  const Sequence hit = code_in_flight(line, bytes, oldest);
  if (hit == 0) return;
  Sequence from = hit - 1;
  if (flight_.at(from).line == no_line) return;  // on a wrong path, which is killed anyway
  NamedInstruction& record = flight_.record(flight_.at(from));
  machine_.recorder.occur(Signal::resync, record, d::resync_snoop);
  const std::uint64_t line_number = flight_.at(from).line;
  kill(from);
  front_.redirect(line_number, machine_.agenda.now() + 1);
}

}  // namespace pmusim::core::athlon
