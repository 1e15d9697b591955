// In-order retirement, and the traps that are taken when an instruction is the oldest.
#include <algorithm>
#include <utility>

#include "models/activity/signals.h"
#include "models/core/alpha/out_of_order/core.h"

namespace pmusim::core::alpha::out_of_order {

namespace d = activity::detail;
using act::Trap;

namespace {

constexpr std::uint64_t handler_address = 0xfffffc0000310000;  ///< of take_interrupt(), in the system's region
constexpr unsigned monitor_level = 6;                          ///< of a counter's interrupt
constexpr unsigned device_level = 5;                           ///< of an external interrupt

/// True if the trapping instruction retires.
bool retires(Trap trap) { return trap == Trap::arithmetic || trap == Trap::mt_fpcr; }
/// True if the system emulates the instruction. After other traps, the instruction is executed again when the cause has
/// been removed.
bool is_emulated(Trap trap) { return trap == Trap::unaligned || trap == Trap::opcdec; }

}  // namespace

void OutOfOrderCore::retire() {
  const Cycle now = machine_.agenda.now();
  // retire_width is an average rate: more operations may retire after cycles with fewer.
  const Cycle cycles = now - credit_at_;
  credit_at_ = now;
  retire_credit_ =
      cycles > pipeline_.retire_burst
          ? pipeline_.retire_burst
          : std::min(retire_credit_ + static_cast<unsigned>(cycles) * pipeline_.retire_width, pipeline_.retire_burst);
  while (retire_credit_ != 0 && !flight_.empty() && retire_one()) --retire_credit_;
}

// Returns false if nothing more retires in this cycle.
bool OutOfOrderCore::retire_one() {
  const Cycle now = machine_.agenda.now();
  const Sequence sequence = flight_.retired;
  Operation& operation = flight_.at(sequence);
  if (operation.wrong_path || operation.condemned) return false;
  if (operation.trap != Trap::none) {
    if (operation.trap_at > now || (retires(operation.trap) && operation.complete > now)) {
      machine_.agenda.at(std::max(operation.trap_at, operation.complete != activity::never ? operation.complete : 0));
      return false;
    }
    take_trap(sequence);
    return false;
  }
  if (operation.complete > now) {
    if (operation.complete != activity::never) machine_.agenda.at(operation.complete);
    return false;
  }
  if (!operation.last && !second_half_complete(sequence)) return false;
  note_delay();
  leave_instruction(sequence);
  machine_.agenda.changed();
  if (!operation.last) {
    if (retire_credit_ > 1) --retire_credit_;
    return retire_one();
  }
  const StaticCode& code = *operation.code;
  if (operation.flow_ends) {
    if (operation.flow) {
      leave_flow();
    } else {
      leave_handler();
    }
    return false;
  }
  if (code.has(act::Kind::call_pal)) {
    constexpr std::uint32_t imb = 0x86;
    if (code.pal_function == imb) memory_.flush_code();
    enter_flow(Trap::call_pal, &flight_.record(sequence), operation.line + 1, code.pal_function);
    return false;
  }
  if (code.has(act::Kind::pal_return)) {
    front_.redirect(operation.line + 1, now + 1);
    return false;
  }
  return true;
}

// The halves of a conditional move retire together, with nothing in between.
bool OutOfOrderCore::second_half_complete(Sequence first) {
  if (first + 1 == flight_.fetched) return false;
  const Cycle complete = flight_.at(first + 1).complete;
  if (complete <= machine_.agenda.now()) return true;
  if (complete != activity::never) machine_.agenda.at(complete);
  return false;
}

void OutOfOrderCore::note_delay() {
  const Cycle now = machine_.agenda.now();
  held_up_ += now - last_retired_;
  last_retired_ = now;
}

// Removes the oldest operation. The last operation of an instruction retires it.
void OutOfOrderCore::leave_instruction(Sequence sequence) {
  Operation& operation = flight_.at(sequence);
  ++flight_.retired;
  map_.retire(operation);
  if (!operation.last) return;
  const StaticCode& code = *operation.code;
  const bool of_program = operation.line != no_line;
  const Cycle delay = std::exchange(held_up_, 0);
  if (operation.squashed) {
    flight_.occur_changed(machine_.recorder, Signal::kill, sequence, d::kill_in_order,
                          [&operation, delay, of_program](activity::InstructionRecord& record, act::Instruction& more) {
                            if (of_program) record.next_ip = operation.next;
                            more.killed_early = true;
                            more.inum_delay = delay;
                          });
  } else {
    const bool success =
        of_program && code.has(act::Kind::store_conditional) && !program_.at(operation.line)->accesses.empty();
    flight_.occur_changed(
        machine_.recorder, Signal::retire, sequence, 0,
        [&operation, delay, success, of_program](activity::InstructionRecord& record, act::Instruction& more) {
          if (of_program) record.next_ip = operation.next;
          record.conditional_success = success;
          more.inum_delay = delay;
        });
  }
  load_store_.retire(sequence);
  if (operation.line == no_line) return;
  if (code.is_branch()) front_.train(operation);
  ++retired_;
  if (operation.notes != nullptr) {
    for (const trace::RegisterUse& use : operation.notes->registers)
      machine_.recorder.access(flight_.record(sequence), use);
  }
  program_.complete_through(operation.line);
}

// --- traps and flows -------------------------------------------------------------------------------------

void OutOfOrderCore::take_trap(Sequence sequence) {
  Operation& operation = flight_.at(sequence);
  const Trap trap = operation.trap;
  const std::uint64_t line = operation.line;
  Instruction& instruction = flight_.record(sequence);
  if (operation.flow) return miss_in_flow(instruction);
  const bool table_miss = operation.table_miss;
  if (retires(trap)) {
    note_delay();
    leave_instruction(sequence);
    enter_flow(trap, &instruction, line + 1);
    return;
  }
  if (is_emulated(trap)) {
    enter_flow(trap, &instruction, line + 1);
    ++retired_;
    program_.complete_through(line);
    return;
  }
  front_.served(line, trap);
  enter_flow(trap, &instruction, line, 0, table_miss);
}

// A read of the page table by a flow misses. The flow for this miss is executed first, then the interrupted flow again.
void OutOfOrderCore::miss_in_flow(Instruction& by) {
  Flow flow = flow_;
  const Trap cause = std::exchange(flow.table_miss, Trap::none);
  flow.cycles = flow.instructions;
  const Outer outer{flow, by_instruction_, back_to_pal_};
  enter_flow(cause, &by, resume_line_);
  outer_flow_ = outer;
}

// Kills all operations in flight and enters a flow; the program continues with `resume_line` after the flow.
void OutOfOrderCore::enter_flow(Trap cause, Instruction* by, std::uint64_t resume_line, std::uint32_t function,
                                bool table_miss) {
  const Cycle now = machine_.agenda.now();
  const auto detail = static_cast<std::uint16_t>(cause);
  if (by != nullptr) {
    by->more.trap = cause;
    machine_.recorder.occur(Signal::pal_entry, *by, detail);
  } else {
    machine_.recorder.occur(Signal::pal_entry, detail);
  }
  kill(flight_.retired);
  flow_ = flow_of(machine_.settings, cause, function);
  if (table_miss) flow_.table_miss = pipeline_.four_levels != 0 ? Trap::dtb_double_4 : Trap::dtb_double_3;
  in_flow_ = true;
  by_instruction_ = by != nullptr && cause != Trap::interrupt;
  resume_line_ = resume_line;
  back_to_pal_ = modes_.pal();
  modes_.set_pal(true);
  front_.redirect(resume_line, now + 1);
  front_.enter_flow(flow_, now + 1);
}

void OutOfOrderCore::leave_flow() {
  const Cycle now = machine_.agenda.now();
  if (outer_flow_) {
    flow_ = outer_flow_->flow;
    by_instruction_ = outer_flow_->by_instruction;
    back_to_pal_ = outer_flow_->back_to_pal;
    outer_flow_.reset();
    front_.redirect(resume_line_, now + 1);
    front_.enter_flow(flow_, now + 1);
    return;
  }
  in_flow_ = false;
  modes_.set_pal(back_to_pal_);
  front_.redirect(resume_line_, std::max(now + 1, paused_until_));
  if (own_flow_) {
    own_flow_ = false;
    modes_.enter_system(d::trap_maskable | d::trap_monitor, monitor_level);
    front_.enter_handler(handler_instructions_, handler_address, now + 1);
    return;
  }
  if (!flow_.enters_system) return;
  const bool interrupt = flow_.cause == Trap::interrupt;
  modes_.enter_system(interrupt ? d::trap_maskable : d::trap_exception, interrupt ? device_level : 0);
  // The system's work for an instruction of a user program is not in the trace.
  if (by_instruction_) modes_.leave_system();
}

void OutOfOrderCore::leave_handler() {
  in_handler_ = false;
  modes_.leave_system();
  front_.redirect(resume_line_, std::max(machine_.agenda.now() + 1, paused_until_));
}

}  // namespace pmusim::core::alpha::out_of_order
