// The directives of a trace: what the outside does.
#include <charconv>
#include <numeric>

#include "models/core/ia64/core.h"

namespace pmusim::core::ia64 {

namespace d = activity::detail;
namespace psr = act::psr;

namespace {

/// What must hold before a directive acts.
enum class When : std::uint8_t {
  at_once,  ///< when fetch comes to it; older instructions are still in flight
  at_rest,  ///< all older instructions have retired
};

constexpr std::array line_states = {LineState::modified, LineState::owned, LineState::exclusive, LineState::shared,
                                    LineState::invalid};

}  // namespace

struct Ia64Core::Stimulus {
  std::string_view name;
  When when;
  void (Ia64Core::*act)(Operands&);
};

const Ia64Core::Stimulus* Ia64Core::find_stimulus(std::string_view name) {
  static constexpr std::array<Stimulus, 19> table{{
      {"bus", When::at_once, &Ia64Core::do_bus},         {"cpl", When::at_rest, &Ia64Core::do_cpl},
      {"ecc", When::at_once, &Ia64Core::do_ecc},         {"halt", When::at_rest, &Ia64Core::do_halt},
      {"idle", When::at_rest, &Ia64Core::do_idle},       {"interrupt", When::at_rest, &Ia64Core::do_interrupt},
      {"map", When::at_rest, &Ia64Core::do_map},         {"memory", When::at_rest, &Ia64Core::do_memory},
      {"mode", When::at_rest, &Ia64Core::do_mode},       {"pin", When::at_once, &Ia64Core::do_pin},
      {"process", When::at_rest, &Ia64Core::do_process}, {"psr", When::at_rest, &Ia64Core::do_psr},
      {"return", When::at_rest, &Ia64Core::do_return},   {"snoop", When::at_once, &Ia64Core::do_snoop},
      {"state", When::at_rest, &Ia64Core::do_state},     {"stop", When::at_rest, &Ia64Core::do_halt},
      {"switch", When::at_rest, &Ia64Core::do_switch},   {"tb", When::at_once, &Ia64Core::do_tb},
      {"thread", When::at_rest, &Ia64Core::do_thread},
  }};
  for (const Stimulus& stimulus : table) {
    if (stimulus.name == name) return &stimulus;
  }
  return nullptr;
}

bool Ia64Core::pass(Program::Entry* entry) {
  std::vector<trace::Directive>& directives = entry != nullptr ? entry->directives : program_.trailing();
  std::uint32_t& done = entry != nullptr ? entry->directives_done : trailing_done_;
  while (done < directives.size()) {
    if (now_ < clock_from_ || now_ < ia32_until_) return false;
    Operands operands(directives[done], front_.cursor());
    const Stimulus* stimulus = find_stimulus(directives[done].name);
    if (stimulus == nullptr) {
      operands.fail(
          "an IA-64 core takes bus, cpl, ecc, halt, idle, interrupt, map, memory, mode, pin, process, psr, return, "
          "snoop, "
          "state, stop, switch, tb, thread");
    }
    if (stimulus->when == When::at_rest && !at_rest()) return false;
    ++done;
    (this->*stimulus->act)(operands);
  }
  return true;
}

/// The front end makes nothing for so many cycles, from the next one on.
void Ia64Core::hold(Cycle cycles) { front_.hold_until(now_ + 1 + cycles); }

// --- privilege, modes, interrupts ------------------------------------------------------------------------------

void Ia64Core::do_cpl(Operands& o) {
  constexpr std::uint64_t least_privileged = 3;
  const std::uint64_t level = o.number("");
  o.finish();
  if (level > least_privileged) o.fail("a privilege level is 0, 1, 2 or 3");
  set_mode({mode_.psr, static_cast<unsigned>(level)});
}

void Ia64Core::do_psr(Operands& o) {
  struct Bit {
    std::string_view name;
    std::uint64_t bit;
  };
  constexpr std::array<Bit, 4> bits{{{"up", psr::up}, {"pp", psr::pp}, {"sp", psr::sp}, {"is", psr::is}}};
  std::uint64_t next = mode_.psr;
  for (const Bit& b : bits) {
    const auto value = o.choice(b.name, {"0", "1"});
    if (value) next = *value == 1 ? next | b.bit : next & ~b.bit;
  }
  o.finish();
  set_mode({next, mode_.cpl});
}

void Ia64Core::do_mode(Operands& o) {
  const std::size_t mode = o.required_choice("", {"native", "ia32"});
  o.finish();
  set_mode({mode == 1 ? mode_.psr | psr::is : mode_.psr & ~psr::is, mode_.cpl});
}

void Ia64Core::do_interrupt(Operands& o) {
  if (o.text("vector")) (void)o.number("vector");
  o.finish();
  machine_.log.occur(Signal::trap, d::trap_maskable);
  enter(mode_);
  machine_.log.set(State::back_end, act::back_end(act::BackEnd::flush, act::cause::interruption));
  back_end_from_ = now_ + machine_.settings.interruption_flush;
  waits_for_bundles_ = false;
  hold(machine_.settings.interruption_flush);
}

void Ia64Core::do_return(Operands& o) {
  o.finish();
  // Behind an rfi of the trace it only explains the discontinuity: that has restored the mode.
  if (!last_was_rfi_) leave();
  last_was_rfi_ = false;
}

void Ia64Core::do_switch(Operands& o) { o.finish(); }

void Ia64Core::do_process(Operands& o) {
  const std::uint64_t process = o.number("");
  o.finish();
  // Region identifiers tell the processes apart; only the first level has none.
  data_.translation().set_process(static_cast<std::uint32_t>(process));
  front_.memory().translation().set_process(static_cast<std::uint32_t>(process));
  machine_.log.set(State::process, process);
}

void Ia64Core::do_thread(Operands& o) {
  const std::uint64_t thread = o.number("");
  o.finish();
  if (thread > 1) o.fail("a thread is 0 or 1");
  machine_.log.set(State::thread, thread);
}

// --- clocks and pins -------------------------------------------------------------------------------------------

void Ia64Core::do_halt(Operands& o) {
  const std::uint64_t cycles = o.number("cycles");
  o.finish();
  machine_.log.set_next(State::clock, 0);
  clock_from_ = now_ + 1 + cycles;
  hold(cycles);
}

void Ia64Core::do_idle(Operands& o) {
  const std::uint64_t cycles = o.number("cycles");
  o.finish();
  if ((mode_.psr & psr::is) != 0) ia32_until_ = now_ + 1 + cycles;
  hold(cycles);
}

void Ia64Core::do_pin(Operands& o) {
  const std::size_t pin = o.required_choice("", {"dp0", "dp1", "dp2", "dp3", "dp4", "dp5"});
  const std::size_t level = o.required_choice("level", {"0", "1"});
  Cycle cycles = 0;
  if (o.text("cycles")) cycles = o.number("cycles");
  o.finish();
  const std::uint64_t bit = std::uint64_t{1} << pin;
  const std::uint64_t before = machine_.log.get(State::pins);
  if (level == 1 && (before & bit) == 0) machine_.log.occur(Signal::pin_assert, static_cast<std::uint16_t>(pin));
  machine_.log.set(State::pins, level == 1 ? before | bit : before & ~bit);
  pin_until_[pin] = level == 1 && cycles != 0 ? now_ + cycles : 0;
  if (pin_until_[pin] != 0) next_pin_ = std::min(next_pin_, pin_until_[pin]);
}

void Ia64Core::do_tb(Operands& o) {
  constexpr std::uint64_t most = 1000;
  const std::string_view text = o.text("ratio").value_or("");
  o.finish();
  std::uint64_t clocks = 0, per = 1;
  const char* const end = text.data() + text.size();
  auto [at, error] = std::from_chars(text.data(), end, clocks);
  if (error == std::errc{} && at != end && *at == '/') {
    const auto second = std::from_chars(at + 1, end, per);
    at = second.ptr;
    error = second.ec;
  }
  if (error != std::errc{} || at != end || clocks == 0 || clocks > most || per == 0 || per > clocks) {
    o.fail("ratio=N or N/M is the core clocks per bus clock, each number 1 to 1000, at least 1 in all");
  }
  const std::uint64_t common = std::gcd(clocks, per);
  hierarchy_.bus().set_ratio(clocks / common, per / common);
  machine_.log.set(State::bus_ratio, clocks / common << 16 | per / common);
}

// --- memory ----------------------------------------------------------------------------------------------------

void Ia64Core::do_memory(Operands& o) {
  constexpr std::array types = {MemoryType::uncacheable, MemoryType::write_combining, MemoryType::write_back};
  const std::uint64_t address = o.address("addr");
  const std::uint64_t size = o.number("size");
  const std::size_t type = o.required_choice("type", {"uc", "wc", "wb"});
  o.finish();
  if (size == 0) o.fail("size must be at least 1");
  machine_.map.set_type(address, size, types[type], types[type] != MemoryType::uncacheable);
}

void Ia64Core::do_map(Operands& o) {
  const std::uint64_t address = o.address("addr");
  const std::uint64_t to = o.address("to");
  o.finish();
  const std::uint64_t page = machine_.settings.page_bytes;
  if (address % page != 0 || to % page != 0) o.fail("addr and to must be multiples of core.page_bytes");
  machine_.map.map(address, to);
}

void Ia64Core::do_state(Operands& o) {
  const std::uint64_t address = o.address("addr");
  const std::size_t state = o.required_choice("line", {"M", "O", "E", "S", "I"});
  o.finish();
  hierarchy_.place(machine_.map.translate(address), line_states[state]);
}

void Ia64Core::do_ecc(Operands& o) {
  const std::size_t source = o.required_choice("source", {"system", "l2"});
  const std::uint64_t address = o.address("addr");
  o.finish();
  hierarchy_.mark_error(machine_.map.translate(address), source == 1);
}

void Ia64Core::do_snoop(Operands& o) {
  const std::size_t kind = o.required_choice("kind", {"read", "invalidate"});
  const std::uint64_t address = o.address("addr");
  o.finish();
  hierarchy_.snoop(kind == 1, machine_.map.translate(address), act::BusAgent::other_processor, now_);
}

void Ia64Core::do_bus(Operands& o) {
  const std::size_t kind =
      o.required_choice("kind", {"read_line", "read_invalidate_line", "invalidate_line", "read_current", "read_partial",
                                 "write_line", "write_partial", "io_read", "io_write", "lock", "other"});
  const std::uint64_t address = o.address("addr");
  const std::size_t agent = o.choice("agent", {"any", "io"}).value_or(0);
  o.finish();
  hierarchy_.foreign(static_cast<act::BusKind>(kind), agent == 1 ? act::BusAgent::io : act::BusAgent::other_processor,
                     machine_.map.translate(address), now_);
}

}  // namespace pmusim::core::ia64
