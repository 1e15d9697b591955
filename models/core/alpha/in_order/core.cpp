#include "models/core/alpha/in_order/core.h"

#include <utility>

namespace pmusim::core::alpha {

namespace d = activity::detail;

namespace {

constexpr std::uint64_t handler_address = 0xfffffc0000300000;  ///< of the system's interrupt handler
constexpr unsigned counter_level = 6;                          ///< IPL of the counters' interrupt
constexpr unsigned device_level = 5, machine_check_level = 7;

}  // namespace

InOrderCore::InOrderCore(Chip chip, std::unique_ptr<trace::Reader> reader, const models::Parameters& parameters)
    : machine_(chip, parameters),
      pipeline_(chip, parameters),
      rules_(rules_of(chip, pipeline_)),
      program_(std::move(reader)),
      codes_(chip),
      memory_(machine_),
      translation_(machine_),
      modes_(machine_),
      stimulus_(machine_, memory_, translation_, modes_),
      prediction_(pipeline_) {}

// --- the clock -----------------------------------------------------------------------------------------------------

void InOrderCore::start() {
  modes_.start();
  recorder_.set(State::issue_stall, static_cast<std::uint64_t>(IssueStall::no_instructions));
  ended_ = finished();
}

bool InOrderCore::finished() {
  return at_rest() && interrupt_ == Own::none && clock_stopped_until_ == 0 && !itb_missed_ &&
         program_.ends_at(cursor_) && now_ >= fetch_from_ && memory_.quiet();
}

void InOrderCore::step() {
  machine_.agenda.start(now_);
  recorder_.begin_cycle(now_);
  if (clock_stopped_until_ != 0) {
    if (now_ < clock_stopped_until_) return machine_.agenda.at(clock_stopped_until_);
    clock_stopped_until_ = 0;
    recorder_.set(State::clock, 1);
  }
  memory_.begin_cycle();
  if (!memory_.returned().empty() || !load_replays_.empty()) take_returned();
  stimulus_.begin_cycle();
  if (interrupt_ == Own::due && !in_flow_ && !modes_.pal()) own_interrupt();
  const bool acted = directives_due() && act_stimuli();
  if (acted && clock_stopped_until_ != 0) return;
  if (in_flow_) {
    run_flow();
  } else if (interrupt_ == Own::handler) {
    run_handler();
  } else {
    issue();
    if (!acted && !in_flow_ && may_fetch()) fetch();
  }
  if (at_rest() && next_entry() == nullptr && !memory_.quiet()) memory_.flush_writes();
}

void InOrderCore::redirect(Cycle fetch_from, IssueStall until_then) {
  for (; block_count_ != 0; --block_count_) {
    const FetchBlock& oldest = blocks_[block_first_];
    if (oldest.next < oldest.count) {
      cursor_ = oldest.slots[oldest.next].ordinal;
      break;
    }
    block_first_ = (block_first_ + 1) % most_blocks;
  }
  block_count_ = 0;
  fetch_stopped_ = line_waits_ = itb_missed_ = itb_fault_ = false;
  fetch_from_ = std::max({now_ + 1, fetch_from, paused_until_});
  refill_until_ = fetch_from_ + pipeline_.fetch_to_issue;
  refill_stall_ = until_then;
  machine_.agenda.at(fetch_from_);
  machine_.agenda.changed();
}

// --- PALcode -------------------------------------------------------------------------------------------------------

/// PALmode from the next cycle on. The caller has recorded the entry and set `cursor_`.
void InOrderCore::enter_pal(Trap cause, std::uint32_t function) {
  flow_ = flow_of(machine_.settings, cause, function);
  in_flow_ = true;
  flow_ends_ = now_ + flow_.cycles;
  flow_trap_ = flow_.enters_system ? d::trap_exception : 0;
  flow_changes_modes_ = false;
  modes_.set_pal(true);
  block_count_ = 0;
  fetch_stopped_ = line_waits_ = itb_missed_ = itb_fault_ = false;
  machine_.agenda.changed();
}

void InOrderCore::run_flow() {
  const Cycle left = flow_ends_ - now_;
  if (left >= flow_.instructions) {
    recorder_.set(State::issue_stall, static_cast<std::uint64_t>(IssueStall::trap));
    return machine_.agenda.at(flow_ends_ + 1 - flow_.instructions);
  }
  Instruction instruction;
  make_pal_instruction(machine_, instruction, flow_, flow_.instructions - 1 - static_cast<unsigned>(left));
  if (left == 0) {
    const Program::Entry* const next = next_entry();
    instruction.record.taken = true;
    if (next != nullptr) instruction.record.next_ip = next->instruction.code->pc;
  }
  recorder_.occur(Signal::issue, instruction);
  recorder_.set(State::issue_stall, static_cast<std::uint64_t>(IssueStall::issuing));
  machine_.agenda.changed();
  if (flow_.table_miss != Trap::none) return miss_in_flow(instruction);
  recorder_.occur(Signal::retire, instruction);
  if (left == 0) leave_flow();
}

/// The flow for the miss runs first; then the instruction is executed again.
void InOrderCore::miss_in_flow(Instruction& instruction) {
  const Trap cause = std::exchange(flow_.table_miss, Trap::none);
  instruction.more.trap = cause;
  recorder_.occur(Signal::pal_entry, instruction, static_cast<std::uint16_t>(cause));
  recorder_.occur(Signal::kill, instruction);
  outer_flow_ = flow_;
  flow_ = flow_of(machine_.settings, cause);
  flow_ends_ = now_ + flow_.cycles;
}

void InOrderCore::leave_flow() {
  if (outer_flow_) {
    flow_ = *outer_flow_;
    outer_flow_.reset();
    flow_ends_ = now_ + flow_.instructions;
    return;
  }
  in_flow_ = false;
  modes_.set_pal(false);
  if (flow_trap_ != 0 && flow_changes_modes_) {
    modes_.enter_system(flow_trap_, flow_level_);
  } else if (flow_trap_ != 0) {
    recorder_.occur(Signal::trap, flow_trap_);
  }
  if (interrupt_ == Own::entry) {
    interrupt_ = Own::handler;
    handler_done_ = 0;
    refill_until_ = now_ + 1 + pipeline_.fetch_to_issue;
    return;
  }
  if (interrupt_ == Own::exit) {
    modes_.leave_system();
    interrupt_ = Own::none;
  }
  redirect(now_ + 1, IssueStall::no_instructions);
}

// --- interrupts of perturbing mode ---------------------------------------------------------------------------------

void InOrderCore::take_interrupt(unsigned handler_instructions) {
  interrupt_ = Own::due;
  handler_length_ = handler_instructions;
  wake();
}

void InOrderCore::own_interrupt() {
  redirect(now_ + 1, IssueStall::trap);
  recorder_.occur(Signal::pal_entry, static_cast<std::uint16_t>(Trap::interrupt));
  enter_pal(Trap::interrupt);
  flow_trap_ = d::trap_maskable | d::trap_monitor;
  flow_level_ = counter_level;
  flow_changes_modes_ = true;
  interrupt_ = Own::entry;
}

void InOrderCore::run_handler() {
  if (now_ < refill_until_) {
    recorder_.set(State::issue_stall, static_cast<std::uint64_t>(IssueStall::no_instructions));
    return machine_.agenda.at(refill_until_);
  }
  machine_.agenda.changed();
  if (handler_done_ < handler_length_) {
    Instruction instruction;
    instruction.record.id = machine_.own_id();
    instruction.record.ip = handler_address + 4 * std::uint64_t{handler_done_++};
    instruction.record.next_ip = instruction.record.ip + 4;
    instruction.record.length = 4;
    instruction.record.tagged = now_;
    recorder_.occur(Signal::issue, instruction);
    recorder_.occur(Signal::retire, instruction);
    recorder_.set(State::issue_stall, static_cast<std::uint64_t>(IssueStall::issuing));
    if (handler_done_ < handler_length_) return;
  }
  // The handler ends with the PALcode call that returns from it.
  recorder_.occur(Signal::pal_entry, static_cast<std::uint16_t>(Trap::call_pal));
  enter_pal(Trap::call_pal);
  interrupt_ = Own::exit;
}

// --- directives ----------------------------------------------------------------------------------------------------

/// Applies the directives that fetch has reached. True if fetch must wait in this cycle.
bool InOrderCore::act_stimuli() {
  Directives& directives = program_.directives_at(cursor_);
  while (directives.due()) {
    const trace::Directive& directive = directives.next();
    const When when = stimulus_.when(directive, cursor_);
    if (when != When::at_once && !at_rest()) return true;
    if (when == When::quiet && !memory_.quiet()) {
      memory_.flush_writes();
      return true;
    }
    ++directives.done;
    line_waits_ = false;
    const Effect effect = stimulus_.act(directive, cursor_);
    machine_.agenda.changed();
    if (effect.flow != Trap::none) {
      recorder_.occur(Signal::pal_entry, static_cast<std::uint16_t>(effect.flow));
      enter_pal(effect.flow);
      flow_changes_modes_ = flow_trap_ != 0;
      if (effect.flow == Trap::interrupt) flow_trap_ = d::trap_maskable;
      flow_level_ = effect.flow == Trap::interrupt ? device_level : machine_check_level;
      return true;
    }
    if (effect.pause != 0) {
      paused_until_ = now_ + 1 + effect.pause;
      redirect(paused_until_, IssueStall::no_instructions);
      if (effect.clock_stops) {
        recorder_.set_next(State::clock, 0);
        clock_stopped_until_ = paused_until_;
      }
      return true;
    }
    // Changes of mode take effect in the next cycle.
    if (when != When::at_once) {
      fetch_from_ = now_ + 1;
      return true;
    }
  }
  return false;
}

}  // namespace pmusim::core::alpha

template class pmusim::core::SteppedCore<pmusim::core::alpha::InOrderCore>;
