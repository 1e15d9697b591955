// The directives that this core takes, and when each of them acts.
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <numeric>

#include "models/core/athlon/core.h"

namespace pmusim::core::athlon {

namespace d = activity::detail;

namespace {

constexpr std::array line_states = {LineState::invalid, LineState::shared, LineState::exclusive, LineState::owned,
                                    LineState::modified};
constexpr std::array memory_types = {MemoryType::uncacheable, MemoryType::write_combining, MemoryType::write_through,
                                     MemoryType::write_protected, MemoryType::write_back};

/// What must hold before a directive acts.
enum class When : std::uint8_t {
  at_once,   ///< when fetch comes to it; older instructions are still in flight
  at_rest,   ///< all older instructions have retired, their stores have left
  quiet,     ///< and nothing is under way in the caches and on the bus
  boundary,  ///< all older instructions have retired; fetch does not know of it and runs ahead
};

}  // namespace

struct AthlonCore::Stimulus {
  std::string_view name;
  When when;
  void (AthlonCore::*act)(Operands&);
};

const AthlonCore::Stimulus* AthlonCore::find_stimulus(std::string_view name) {
  static constexpr std::array<Stimulus, 21> table{{
      {"cpl", When::at_rest, &AthlonCore::do_cpl},       {"mode", When::at_rest, &AthlonCore::do_mode},
      {"if", When::at_rest, &AthlonCore::do_if},         {"interrupt", When::boundary, &AthlonCore::do_interrupt},
      {"nmi", When::boundary, &AthlonCore::do_nmi},      {"smi", When::boundary, &AthlonCore::do_smi},
      {"init", When::boundary, &AthlonCore::do_init},    {"return", When::at_rest, &AthlonCore::do_return},
      {"switch", When::at_rest, &AthlonCore::do_switch}, {"process", When::at_rest, &AthlonCore::do_process},
      {"halt", When::quiet, &AthlonCore::do_halt},       {"stop", When::quiet, &AthlonCore::do_halt},
      {"idle", When::at_rest, &AthlonCore::do_idle},     {"memory", When::at_rest, &AthlonCore::do_memory},
      {"map", When::quiet, &AthlonCore::do_map},         {"state", When::quiet, &AthlonCore::do_state},
      {"bus", When::at_rest, &AthlonCore::do_bus},       {"ecc", When::at_rest, &AthlonCore::do_ecc},
      {"snoop", When::at_once, &AthlonCore::do_snoop},   {"pin", When::at_once, &AthlonCore::do_pin},
      {"tb", When::at_once, &AthlonCore::do_tb},
  }};
  for (const Stimulus& stimulus : table) {
    if (stimulus.name == name) return &stimulus;
  }
  return nullptr;
}

Gate AthlonCore::pass(std::vector<trace::Directive>& directives, std::uint32_t& done, bool at_start) {
  // Within a cycle only the start sees a machine in which nothing has moved yet.
  while (done < directives.size()) {
    if (idle_until_ != 0) {  // this directive is an idle that has begun
      if (machine_.agenda.now() < idle_until_) return Gate::wait;
      idle_until_ = 0;
      ++done;
      continue;
    }
    Operands operands(directives[done], retired_ + (flight_.fetched - flight_.retired));
    const Stimulus* stimulus = find_stimulus(directives[done].name);
    if (stimulus == nullptr) {
      operands.fail(
          "the athlon core takes bus, cpl, ecc, halt, idle, if, init, interrupt, map, memory, mode, nmi, pin, process, "
          "return, smi, snoop, state, stop, switch, tb");
    }
    bool ready = true;
    switch (stimulus->when) {
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
    ++done;
    const Cycle held = clock_stopped_until_;
    (this->*stimulus->act)(operands);
    machine_.agenda.changed();
    if (idle_until_ != 0) {
      --done;
      continue;
    }
    if (clock_stopped_until_ != held) return Gate::wait;
    if (stimulus->when == When::boundary) return Gate::wait;
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

void AthlonCore::stop_clock(Cycle cycles) {
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
  o.finish();
  if (level > 3) o.fail("a privilege level is 0, 1, 2 or 3");
  if (mode_.operating != OperatingMode::protected_mode && level != mode_.cpl) {
    o.fail("real mode and SMM run at 0, virtual-8086 mode at 3; '! mode protected' comes first");
  }
  set_mode({static_cast<unsigned>(level), mode_.interrupt_flag, mode_.operating});
}

void AthlonCore::do_mode(Operands& o) {
  const auto mode = static_cast<OperatingMode>(o.required_choice("", {"protected", "real", "v86", "smm"}));
  o.finish();
  const bool keeps_level = mode == OperatingMode::protected_mode;
  const unsigned level = mode == OperatingMode::virtual_8086 ? 3 : 0;
  set_mode({keeps_level ? mode_.cpl : level, mode_.interrupt_flag, mode});
}

void AthlonCore::do_if(Operands& o) {
  const std::size_t flag = o.required_choice("", {"0", "1"});
  o.finish();
  set_mode({mode_.cpl, flag == 1, mode_.operating});
}

void AthlonCore::do_interrupt(Operands& o) {
  constexpr std::uint64_t first_external = 32, last_vector = 255;
  std::uint64_t vector = first_external;
  if (o.text("vector")) vector = o.number("vector");
  o.finish();
  if (vector > last_vector) o.fail("a vector is at most 255");
  const bool exception = vector < first_external;
  if (!exception) {
    machine_.recorder.set_next(State::interrupt_pending, 0);
    pin_until_ = 0;
  }
  take_trap(exception ? d::trap_exception : d::trap_maskable);
}

void AthlonCore::do_nmi(Operands& o) {
  o.finish();
  take_trap(d::trap_nmi);
}

void AthlonCore::do_smi(Operands& o) {
  o.finish();
  take_trap(d::trap_smi);
}

// Registers and TLBs start anew, the caches keep their lines.
void AthlonCore::do_init(Operands& o) {
  o.finish();
  kill(flight_.retired);
  machine_.recorder.occur(Signal::pin_assert, d::pin_init);
  memory_.flush_write_buffers();
  load_store_.flush_tlbs();
  front_.flush_tlbs();
  entered_from_.clear();
  set_mode({0, false, OperatingMode::real});
  front_.redirect(front_.line(), machine_.agenda.now() + machine_.settings.interrupt_entry);
}

void AthlonCore::do_return(Operands& o) {
  o.finish();
  // Behind an IRET in the trace it only explains the discontinuity: the IRET has restored the mode.
  if (!last_was_interrupt_return_) leave_handler();
  last_was_interrupt_return_ = false;
}

void AthlonCore::do_switch(Operands& o) { o.finish(); }

void AthlonCore::do_process(Operands& o) {
  const std::uint64_t process = o.number("");
  o.finish();
  if (process != machine_.recorder.get(State::process)) {
    // A new page directory empties the TLBs.
    load_store_.flush_tlbs();
    front_.flush_tlbs();
  }
  machine_.recorder.set_next(State::process, process);
}

// --- clocks and pins -----------------------------------------------------------------------------------------

void AthlonCore::do_halt(Operands& o) {
  const std::uint64_t cycles = o.cycles();
  o.finish();
  stop_clock(cycles);
}

void AthlonCore::do_idle(Operands& o) {
  const std::uint64_t cycles = o.cycles();
  o.finish();
  idle_until_ = machine_.agenda.now() + cycles;
}

void AthlonCore::do_pin(Operands& o) {
  (void)o.required_choice("", {"intr"});
  const std::size_t level = o.required_choice("level", {"0", "1"});
  Cycle cycles = 0;
  if (o.text("cycles")) cycles = o.cycles();
  o.finish();
  machine_.recorder.set_next(State::interrupt_pending, level);
  pin_until_ = level == 1 && cycles != 0 ? machine_.agenda.now() + 1 + cycles : 0;
  if (pin_until_ != 0) machine_.agenda.at(pin_until_);
}

void AthlonCore::do_tb(Operands& o) {
  constexpr unsigned most = 1000;
  const std::string_view text = o.text("ratio").value_or("");
  o.finish();
  unsigned clocks = 0, per = 1;
  const char* const end = text.data() + text.size();
  auto [at, error] = std::from_chars(text.data(), end, clocks);
  if (error == std::errc{} && at != end && *at == '/') {
    const auto second = std::from_chars(at + 1, end, per);
    at = second.ptr;
    error = second.ec;
  }
  if (error != std::errc{} || at != end || clocks == 0 || clocks > most || per == 0 || per > most) {
    o.fail("ratio=N or N/M is the core clocks per bus clock, each number 1 to 1000");
  }
  set_bus_ratio(clocks, per);
}

// --- memory ----------------------------------------------------------------------------------------------------

void AthlonCore::do_memory(Operands& o) {
  const std::uint64_t address = o.address("addr");
  const std::uint64_t size = o.number("size");
  const std::size_t type = o.required_choice("type", {"uc", "wc", "wt", "wp", "wb"});
  o.finish();
  if (size == 0) o.fail("size must be at least 1");
  // Uncacheable ranges are devices; everything else is DRAM.
  machine_.map.set_type(address, size, memory_types[type], memory_types[type] != MemoryType::uncacheable);
}

void AthlonCore::do_map(Operands& o) {
  const std::uint64_t address = o.address("addr");
  const std::uint64_t to = o.address("to");
  o.finish();
  if (address % page_bytes != 0 || to % page_bytes != 0) o.fail("addr and to must be multiples of 4096");
  machine_.map.map(address, to);
}

void AthlonCore::do_state(Operands& o) {
  const std::uint64_t address = o.address("addr");
  const std::size_t state = o.required_choice("line", {"I", "S", "E", "O", "M"});
  o.finish();
  memory_.place(address, machine_.map.translate(address), line_states[state]);
}

void AthlonCore::do_bus(Operands& o) {
  constexpr std::array answers = {LineState::exclusive, LineState::shared, LineState::owned, LineState::invalid};
  const std::size_t kind = o.required_choice("kind", {"exclusive", "shared", "owned", "cancelled"});
  const std::uint64_t address = o.address("addr");
  (void)o.choice("agent", {"any", "io"});
  o.finish();
  memory_.set_system_state(machine_.map.translate(address), answers[kind]);
}

void AthlonCore::do_ecc(Operands& o) {
  const std::size_t source = o.required_choice("source", {"system", "l2"});
  const std::uint64_t address = o.address("addr");
  o.finish();
  memory_.mark_ecc(machine_.map.translate(address), source == 1);
}

void AthlonCore::do_snoop(Operands& o) {
  const std::size_t kind = o.required_choice("kind", {"read", "invalidate"});
  const std::uint64_t address = o.address("addr");
  o.finish();
  const bool invalidates = kind == 1;
  const std::uint64_t physical = machine_.map.translate(address);
  memory_.snoop(physical, invalidates);
  if (!invalidates) return;
  const std::uint64_t bytes = machine_.settings.line_bytes;
  const std::uint64_t line = physical & ~(bytes - 1);
  // Code in flight from that line may be stale: start again with the oldest of it that has retired nothing.
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
